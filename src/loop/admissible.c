/* SPDX-License-Identifier: Apache-2.0
 * admissible.c - can a motion take energy out of a model?  Pointwise with the model's own stored energy, and
 * over cycles: steady loops between +-U, and speeds that alternate between two values (which is how LuGre is
 * active). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../solve/fixpoint.h"
#include "../table/alloc.h"
#include "../text/fail.h"
#include "bristle/classify.h"
#include "loop_internal.h"

/* F v - dE/dt at a state, W; dE/dt along the flow by a central difference of energy() over the rates. */
static double dissipation(const br_model *m, const double *par, double u, double v, const double *z,
                          size_t nz)
{
  double dz[2 * BR_LOOP_MAX_STATE], F[2], up[2 * BR_LOOP_MAX_STATE], down[2 * BR_LOOP_MAX_STATE];
  double largest = 0, size = 0;
  m->rate(par, 1, &u, &v, z, dz);
  m->force(par, 1, &u, &v, z, dz, F);
  for (size_t i = 0; i < nz; i++) largest = fmax(largest, fabs(dz[i])), size = fmax(size, fabs(z[i]));
  const double h = 1e-5 * size / (largest + DBL_MIN);
  for (size_t i = 0; i < nz; i++) up[i] = z[i] + h * dz[i], down[i] = z[i] - h * dz[i];
  const double u1 = u + h * v, u0 = u - h * v;
  return F[0] * v - (m->energy(par, 1, &u1, up) - m->energy(par, 1, &u0, down)) / (2 * h);
}

/* States visited by motion from rest, both directions and several speeds, then a sudden change of speed. */
static void search_rates(const br_model *m, const double *par, double U, size_t nz, br_energy_report *r)
{
  r->worst_rate = DBL_MAX;
  for (int k = -7; k <= 2; k++) { /* speed of the approach */
    const bri_arc_model a = {m, par, NULL, 1, pow(10, k), 1e-8, nz};
    double z[2 * BR_LOOP_MAX_STATE] = {0}, u = 0;
    for (int piece = 0; piece < 24; piece++) {
      const double dir = piece < 8 || piece >= 16 ? 1.0 : -1.0, L = 0.31 * U;
      if (bri_arc_move(&a, u, dir, L, z, NULL, NULL) != BR_OK) break;
      u += dir * L;
      for (int j = -7; j <= 2; j++)
        for (int s = -1; s <= 1; s += 2) {
          const double v = s * pow(10, j), d = dissipation(m, par, u, v, z, nz);
          /* compare per unit of speed: the sign is what matters */
          if (d / fabs(v) < r->worst_rate) {
            r->worst_rate = d / fabs(v);
            r->worst_v = v;
            for (size_t i = 0; i < 4; i++) r->worst_z[i] = i < nz ? z[i] : 0.0;
          }
        }
    }
  }
  r->worst_rate *= fabs(r->worst_v);
}

static void note_cycle(br_energy_report *r, double work, int is_speed, double a, double b, double time,
                       double part)
{
  if (!(work < r->cycle_work)) return;
  r->cycle_work = work;
  r->cycle_is_speed = is_speed;
  r->cycle_a = a, r->cycle_b = b;
  r->cycle_time = time, r->cycle_part = part;
}

static void search_loops(const br_model *m, const double *par, double U, br_energy_report *r)
{
  for (int k = -8; k <= 2; k++)
    for (int f = 0; f < 3; f++) {
      const double amp = U * ldexp(1.0, k), turning[2] = {amp, -amp};
      br_loop_settings s = br_loop_settings_default();
      br_loop *loop;
      s.frequency = f == 0 ? 0.0 : pow(10, 4 * f - 6);
      s.rtol = 1e-10;
      if (br_loop_create(m, par, 2, turning, 0, &s, &loop, NULL) != BR_OK) continue;
      note_cycle(r, br_loop_get(loop)->work, 0, amp, -amp, f == 0 ? 0.0 : 1 / s.frequency, 0);
      br_loop_destroy(loop);
    }
}

/* A speed that is a for (1 - part) of the time and b for the rest. */
typedef struct {
  bri_arc_model arc;
  double v[2], length[2];
} two_speeds;

static br_status speeds_map(void *ctx, double *z, br_err *err)
{
  two_speeds *c = ctx;
  br_status st = BR_OK;
  for (int k = 0; st == BR_OK && k < 2; k++) {
    c->arc.speed = c->v[k];
    st = bri_arc_move(&c->arc, 0, 1, c->length[k], z, NULL, err);
  }
  return st;
}

static br_status speeds_map_pair(void *ctx, double *z, br_err *err)
{
  two_speeds *c = ctx;
  br_status st = BR_OK;
  for (int k = 0; st == BR_OK && k < 2; k++) {
    c->arc.speed = c->v[k];
    st = bri_arc_move_pair(&c->arc, 0, 1, c->length[k], z, err);
  }
  return st;
}

static int speeds_observes(void *ctx, const double *z, size_t j)
{
  (void)ctx, (void)z, (void)j;
  return 1;
}

/* State of the periodic regime.  Models with modes have no derivative: they are repeated until nothing
 * changes. */
static br_status settle(two_speeds *c, double *z)
{
  const bri_arc_model *arc = &c->arc;
  const bri_fix_problem p = {arc->model->name, c, arc->nz, arc->nz, 1e-12, speeds_map, speeds_map_pair,
                             speeds_observes};
  bri_fix_report r;
  if (arc->par_pair && arc->model->nmode(arc->par) == 0) return bri_fixpoint(&p, z, &r, NULL);
  for (int k = 0; k < 1000; k++) {
    double before[2 * BR_LOOP_MAX_STATE], change = 0, size = 0;
    memcpy(before, z, arc->nz * sizeof *z);
    const br_status st = speeds_map(c, z, NULL);
    if (st != BR_OK) return st;
    for (size_t i = 0; i < arc->nz; i++) {
      change = fmax(change, fabs(z[i] - before[i]));
      size = fmax(size, fabs(z[i]));
    }
    if (change <= 1e-10 * size) return BR_OK;
  }
  return BR_E_CONVERGE;
}

/* Work of one period once it repeats; DBL_MAX when it does not.  Starts from sliding: elements that still
 * stick would keep any deviation. */
static double speed_cycle(two_speeds *c, double U, double a, double b, double time, double part)
{
  double z[2 * BR_LOOP_MAX_STATE] = {0}, work = 0;
  c->v[0] = a, c->v[1] = b;
  c->length[0] = a * (1 - part) * time, c->length[1] = b * part * time;
  c->arc.speed = a;
  if (bri_arc_move(&c->arc, 0, 1, 4 * U, z, NULL, NULL) != BR_OK || settle(c, z) != BR_OK) return DBL_MAX;
  for (int k = 0; k < 2; k++) {
    c->arc.speed = c->v[k];
    if (bri_arc_move(&c->arc, 0, 1, c->length[k], z, &work, NULL) != BR_OK) return DBL_MAX;
  }
  return work;
}

/* A ladder of speeds around where the settled force falls; short periods keep the bristles from following. */
static br_status search_speeds(const br_model *m, const double *par, double U, size_t nz, br_energy_report *r)
{
  static const double parts[] = {1e-6, 1e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  double *pairs = bri_arc_pairs(m, par);
  if (m->rate_pair && !pairs) return BR_E_NOMEM; /* without them the search would go another way */
  two_speeds c = {.arc = {m, par, pairs, 1, 1, 1e-9, nz}};
  for (int i = -6; i <= 1; i++)
    for (int j = 2 * i + 1; j <= 4; j++)
      for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        for (int q = 0; q < 3; q++) {
          const double a = pow(10, i), b = 2 * pow(10, 0.5 * j), part = parts[k];
          const double mean = a * (1 - part) + b * part, time = U / mean * pow(10, -q) * 0.1;
          note_cycle(r, speed_cycle(&c, U, a, b, time, part), 1, a, b, time, part);
        }
  bri_free(pairs);
  return BR_OK;
}

br_status br_admissible(const br_model *m, const double *par, br_energy_report *out, br_err *err)
{
  br_class_report c;
  memset(out, 0, sizeof *out);
  out->cycle_work = DBL_MAX;
  const br_status st = br_classify(m, par, &c, err);
  if (st != BR_OK) return st;
  const size_t nz = m->nstate(par) + m->nmode(par);
  const double U = br_natural_amplitude(m, par);
  double size = 0; /* J: what a large loop costs, the yardstick for "negative" */
  search_loops(m, par, U, out);
  {
    double z[2 * BR_LOOP_MAX_STATE] = {0};
    const bri_arc_model a = {m, par, NULL, 1, BRI_SLOW, 1e-9, nz};
    if (bri_arc_move(&a, 0, 1, U, z, NULL, NULL) == BR_OK) size = fabs(bri_arc_force(&a, U, 1, z)) * U;
  }
  if (c.measured.rate_dependent && !(out->cycle_work < -1e-12 * size) &&
      search_speeds(m, par, U, nz, out) != BR_OK)
    return bri_text_fail(err, BR_E_NOMEM, -1, "admissible: out of memory");
  if (!m->energy) {
    out->verdict = out->cycle_work < -1e-9 * size ? BR_ACTIVE : BR_ENERGY_UNKNOWN;
    return BR_OK;
  }
  search_rates(m, par, U, nz, out);
  const double level = size / U; /* N */
  if (out->cycle_work < -1e-12 * size) out->verdict = BR_ACTIVE;
  else if (out->worst_rate < -1e-7 * level * fabs(out->worst_v)) out->verdict = BR_PASSIVE_OTHER_ENERGY;
  else out->verdict = BR_ADMISSIBLE;
  return BR_OK;
}
