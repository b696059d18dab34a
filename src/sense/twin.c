/* SPDX-License-Identifier: Apache-2.0
 * twin.c - a model with the derivatives of its states: z' = f(z, p) and s' = (df/dz) s + df/dp are the real
 * and the imaginary part of one evaluation of the kernel at z + i h s, p + i h. */
#include "twin.h"

#include <string.h>

#include "base/alloc.h"
#include "text/fail.h"
#include "walk.h"

enum { MOST = 64, AXES = 2 };

enum {
  SIDES = 6
}; /* blocks beside the parameter, for the energy, which kernels give for plain numbers alone */
static const double STEPS[SIDES / 2] = {4e-3, 2e-3, 1e-3};

struct bri_twin {
  br_model model, slopes;
  double scale;
  double *side[SIDES]; /* above and below, by STEPS of the direction; NULL: no energy */
  const br_model *of;
  const double *par; /* of the model itself */
  double *pairs;     /* the same with the direction as imaginary part */
  double block[1];   /* what functions of the twin are given: where it is */
};

static const bri_twin *self(const void *par)
{
  const bri_twin *t = NULL;
  memcpy(&t, par, sizeof t);
  return t;
}

static size_t states(const bri_twin *t) { return t->of->nstate(t->par); }

/* z of the twin as pairs. */
static void to_pairs(const bri_twin *t, const double *z, double *to)
{
  const size_t n = states(t);
  for (size_t i = 0; i < n; i++) to[2 * i] = z[i], to[2 * i + 1] = z[n + i] * BRI_TINY_STEP;
}

static void from_pairs(const bri_twin *t, const double *from, double *z)
{
  const size_t n = states(t);
  for (size_t i = 0; i < n; i++) z[i] = from[2 * i], z[n + i] = from[2 * i + 1] * (1 / BRI_TINY_STEP);
}

static void motion(const bri_twin *t, const double *u, const double *v, double *up, double *vp)
{
  for (int a = 0; a < t->of->axes; a++) {
    up[2 * a] = u[a], vp[2 * a] = v[a];
    up[2 * a + 1] = vp[2 * a + 1] = 0;
  }
}

static void twin_rate(const void *par, double n, const double *u, const double *v, const double *z,
                      double *dz)
{
  const bri_twin *t = self(par);
  double up[2 * AXES], vp[2 * AXES], zp[2 * MOST], dp[2 * MOST] = {0};
  const double load[2] = {n, 0};
  motion(t, u, v, up, vp), to_pairs(t, z, zp);
  t->of->rate_pair(t->pairs, load, up, vp, zp, dp);
  from_pairs(t, dp, dz);
}

static void twin_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  const bri_twin *t = self(par);
  double up[2 * AXES], vp[2 * AXES], zp[2 * MOST];
  const double load[2] = {n, 0}, time[2] = {h, 0};
  motion(t, u, v, up, vp), to_pairs(t, z, zp);
  t->of->step_pair(t->pairs, load, up, vp, time, zp);
  from_pairs(t, zp, z);
}

/* The force itself (part 0), or its derivative (part 1). */
static void force(const bri_twin *t, double n, const double *u, const double *v, const double *z, int part,
                  double *F)
{
  double up[2 * AXES], vp[2 * AXES], zp[2 * MOST], dp[2 * MOST] = {0}, Fp[2 * AXES];
  const double load[2] = {n, 0};
  motion(t, u, v, up, vp), to_pairs(t, z, zp);
  t->of->rate_pair(t->pairs, load, up, vp, zp, dp);
  t->of->force_pair(t->pairs, load, up, vp, zp, dp, Fp);
  for (int a = 0; a < t->of->axes; a++) F[a] = part ? Fp[2 * a + 1] * (1 / BRI_TINY_STEP) : Fp[2 * a];
}

static void twin_force(const void *par, double n, const double *u, const double *v, const double *z,
                       const double *dz, double *F)
{
  (void)dz;
  force(self(par), n, u, v, z, 0, F);
}

static void slope_force(const void *par, double n, const double *u, const double *v, const double *z,
                        const double *dz, double *F)
{
  const bri_twin *t = self(par);
  (void)dz;
  force(t, n, u, v, z, 1, F);
  for (int a = 0; a < t->of->axes; a++) F[a] /= t->scale;
}

/* Central differences of an algebraic function, extrapolated twice: exact for polynomials up to the sixth
 * degree. */
static double slope_energy(const void *par, double n, const double *u, const double *z)
{
  const bri_twin *t = self(par);
  const size_t ns = states(t);
  double D[SIDES / 2], at[MOST], E[2];
  for (size_t l = 0; l < SIDES / 2; l++) {
    for (size_t b = 0; b < 2; b++) {
      for (size_t i = 0; i < ns; i++) at[i] = z[i] + (b ? -STEPS[l] : STEPS[l]) * z[ns + i];
      E[b] = t->of->energy(t->side[2 * l + b], n, u, at);
    }
    D[l] = (E[0] - E[1]) / (2 * STEPS[l]);
  }
  return (64 * D[2] - 20 * D[1] + D[0]) / 45 / t->scale;
}

static size_t twin_nstate(const void *par) { return 2 * states(self(par)); }

static size_t twin_nmode(const void *par)
{
  (void)par;
  return 0;
}

static void twin_classify(const void *par, br_class *c)
{
  const bri_twin *t = self(par);
  if (t->of->classify) t->of->classify(t->par, c);
}

static br_status unsupported(const br_model *m, const char *why, br_err *err)
{
  return bri_fail(err, BR_E_UNSUPPORTED, "%s has no exact derivatives here: %s", m->name, why);
}

static br_status create_sides(bri_twin *t, size_t slot)
{
  const br_model *m = t->of;
  for (size_t k = 0; k < SIDES && m->energy; k++) {
    t->side[k] = bri_malloc_array(m->slots + 1, sizeof *t->side[k]);
    if (!t->side[k]) return BR_E_NOMEM;
    memcpy(t->side[k], t->par, m->slots * sizeof *t->side[k]);
    t->side[k][slot] += (k % 2 ? -1 : 1) * STEPS[k / 2] * t->scale;
    m->prepare(t->side[k]);
  }
  return BR_OK;
}

br_status bri_twin_create(const br_model *m, const double *par, size_t slot, double scale, bri_twin **out,
                          br_err *err)
{
  const unsigned exact = m->flags & BR_MODEL_EXACT_STEP;
  *out = NULL;
  if (!m->rate_pair || !m->force_pair || !m->prepare_pair || (exact && !m->step_pair))
    return unsupported(m, "no instance for complex numbers", err);
  if (m->nmode(par) || (m->flags & BR_MODEL_JUMPS)) return unsupported(m, "its states jump", err);
  if (m->nstate(par) > MOST || slot >= m->slots) return unsupported(m, "too many states", err);
  bri_twin *t = bri_calloc(1, sizeof *t);
  double *pairs = bri_malloc_array(m->slots, 2 * sizeof *pairs);
  if (!t || !pairs) {
    bri_free(t);
    bri_free(pairs);
    return bri_no_memory(err, "sensitivity");
  }
  for (size_t i = 0; i < m->slots; i++) pairs[2 * i] = par[i], pairs[2 * i + 1] = 0;
  pairs[2 * slot + 1] = scale * BRI_TINY_STEP;
  m->prepare_pair(pairs);
  t->of = m, t->par = par, t->pairs = pairs, t->scale = scale;
  memcpy(t->block, &t, sizeof t);
  t->model = (br_model){.name = m->name,
                        .title = m->title,
                        .axes = m->axes,
                        .flags = exact | (m->flags & (BR_MODEL_NO_LOAD | BR_MODEL_KINKS)),
                        .slots = 1,
                        .nz = 2 * m->nz,
                        .nstate = twin_nstate,
                        .nmode = twin_nmode,
                        .classify = m->classify ? twin_classify : NULL,
                        .rate = twin_rate,
                        .force = twin_force,
                        .step = m->step_pair ? twin_step : NULL};
  t->slopes = t->model;
  t->slopes.force = slope_force;
  if (m->energy) t->slopes.energy = slope_energy;
  if (create_sides(t, slot) != BR_OK) {
    bri_twin_destroy(t);
    return bri_no_memory(err, "sensitivity");
  }
  *out = t;
  return BR_OK;
}

void bri_twin_destroy(bri_twin *t)
{
  for (size_t k = 0; t && k < SIDES; k++) bri_free(t->side[k]);
  if (t) bri_free(t->pairs);
  bri_free(t);
}

const br_model *bri_twin_model(const bri_twin *t) { return &t->model; }
const br_model *bri_twin_slopes(const bri_twin *t) { return &t->slopes; }
const double *bri_twin_par(const bri_twin *t) { return t->block; }

void bri_twin_slope(const bri_twin *t, double load, const double *u, const double *v, const double *z,
                    double *dF)
{
  force(t, load, u, v, z, 1, dF);
}
