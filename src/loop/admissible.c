/* SPDX-License-Identifier: Apache-2.0
 * admissible.c - can a motion take energy out of a model?  Pointwise with the model's own stored energy, and
 * over cycles (cycles.c). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../text/fail.h"
#include "bristle/classify.h"
#include "cycles.h"
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
  if (m->flags & BR_MODEL_JUMPS)
    largest = 10 * fabs(v); /* its states stand still: a part of the way it has come */
  const double h = 1e-5 * (size > 0 ? size : m->flags & BR_MODEL_JUMPS ? 1e-12 : 0) / (largest + DBL_MIN);
  for (size_t i = 0; i < nz; i++) up[i] = z[i] + h * dz[i], down[i] = z[i] - h * dz[i];
  const double u1 = u + h * v, u0 = u - h * v;
  return F[0] * v - (m->energy(par, 1, &u1, up) - m->energy(par, 1, &u0, down)) / (2 * h);
}

/* States visited by motion from rest, both directions and several speeds, then a sudden change of speed. */
static void search_rates(const br_model *m, const double *par, double U, size_t nz, const br_stop *stop,
                         br_energy_report *r)
{
  r->worst_rate = DBL_MAX;
  for (int k = -7; k <= 2; k++) { /* speed of the approach */
    const bri_arc_model a = {m, par, NULL, 1, bri_pow(10, k), 1e-8, nz, stop};
    double z[2 * BR_LOOP_MAX_STATE] = {0}, u = 0;
    for (int piece = 0; piece < 24; piece++) {
      const double dir = piece < 8 || piece >= 16 ? 1.0 : -1.0, L = 0.31 * U;
      if (bri_arc_move(&a, u, dir, L, z, NULL, NULL) != BR_OK) break;
      u += dir * L;
      for (int j = -7; j <= 2; j++)
        for (int s = -1; s <= 1; s += 2) {
          const double v = s * bri_pow(10, j), d = dissipation(m, par, u, v, z, nz);
          /* compare per unit of speed: the sign is what matters; of places equal to rounding the first is
           * shown */
          if (d / fabs(v) < r->worst_rate - 1e-9 * fabs(r->worst_rate)) {
            r->worst_rate = d / fabs(v);
            r->worst_v = v;
            for (size_t i = 0; i < 4; i++) r->worst_z[i] = i < nz ? z[i] : 0.0;
          }
        }
    }
  }
  r->worst_rate *= fabs(r->worst_v);
}

const char *br_admissibility_text(br_admissibility v)
{
  switch (v) {
  case BR_ADMISSIBLE: return "admissible";
  case BR_PASSIVE_OTHER_ENERGY: return "passive with another stored energy";
  case BR_ACTIVE: return "active";
  case BR_REVERSIBLE: return "reversible, no hysteresis";
  default: return "unknown";
  }
}

/* J: what a large loop costs. */
static double large_loop(const br_model *m, const double *par, double U, size_t nz)
{
  double z[2 * BR_LOOP_MAX_STATE] = {0};
  const bri_arc_model a = {m, par, NULL, 1, BRI_SLOW, 1e-9, nz, NULL};
  return bri_arc_move(&a, 0, 1, U, z, NULL, NULL) == BR_OK ? fabs(bri_arc_force(&a, U, 1, z)) * U : 0.0;
}

br_status br_admissible(const br_model *m, const double *par, br_energy_report *out, br_err *err)
{
  return br_admissible_until(m, par, NULL, out, err);
}

br_status br_admissible_until(const br_model *m, const double *par, const br_stop *stop,
                              br_energy_report *out, br_err *err)
{
  br_class_report c;
  memset(out, 0, sizeof *out);
  out->cycle_work = DBL_MAX;
  const br_status st = br_classify_until(m, par, stop, &c, err);
  if (st != BR_OK) return st;
  const size_t nz = m->nstate(par) + m->nmode(par);
  const double U = br_natural_amplitude(m, par), level = large_loop(m, par, U, nz) / U; /* N */
  bri_cycles found = {.m = m, .par = par, .U = U, .report = out, .stop = stop};
  bri_cycles_loops(&found);
  if (c.measured.rate_dependent && !found.gains) bri_cycles_speeds(&found);
  if (c.measured.rate_dependent && !found.gains) bri_cycles_schedules(&found);
  if (found.no_memory) return bri_no_memory(err, "admissible");
  if (m->energy) search_rates(m, par, U, nz, stop, out);
  if (bri_stopped(stop)) return bri_stop_status(stop, m->name, err);
  if (found.gains) out->verdict = BR_ACTIVE;
  else if (found.reversible) out->verdict = BR_REVERSIBLE;
  else if (!m->energy) out->verdict = BR_ENERGY_UNKNOWN;
  else if (out->worst_rate < -1e-7 * level * fabs(out->worst_v)) out->verdict = BR_PASSIVE_OTHER_ENERGY;
  else out->verdict = BR_ADMISSIBLE;
  return BR_OK;
}
