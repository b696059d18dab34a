/* SPDX-License-Identifier: Apache-2.0
 * twin.c - a model with the derivatives of its states: z' = f(z, p) and s' = (df/dz) s + df/dp are the real and the imaginary
 * part of one evaluation of the kernel at z + i h s, p + i h. */
#include "twin.h"

#include <string.h>

#include "base/alloc.h"
#include "text/fail.h"
#include "walk.h"

enum { MOST = 64, AXES = 2 };

struct bri_twin {
  br_model model;
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
  return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "%s has no exact derivatives here: %s", m->name, why);
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
    return bri_text_fail(err, BR_E_NOMEM, -1, "sensitivity: out of memory");
  }
  for (size_t i = 0; i < m->slots; i++) pairs[2 * i] = par[i], pairs[2 * i + 1] = 0;
  pairs[2 * slot + 1] = scale * BRI_TINY_STEP;
  m->prepare_pair(pairs);
  t->of = m, t->par = par, t->pairs = pairs;
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
  *out = t;
  return BR_OK;
}

void bri_twin_destroy(bri_twin *t)
{
  if (t) bri_free(t->pairs);
  bri_free(t);
}

const br_model *bri_twin_model(const bri_twin *t) { return &t->model; }
const double *bri_twin_par(const bri_twin *t) { return t->block; }

void bri_twin_slope(const bri_twin *t, double load, const double *u, const double *v, const double *z,
                    double *dF)
{
  force(t, load, u, v, z, 1, dF);
}
