/* SPDX-License-Identifier: Apache-2.0
 * walk.c - the walk of a model by its face: a stamped loop where there is one, its functions otherwise.
 * Slopes along one direction always take the functions: the models that many directions at once leave over
 * are few, and as exact by them. */
#include "walk.h"

#include <string.h>

#include "bristle/batch.h"

enum { MOST_SLOTS = 1024, MOST_STATES = 160 };

/* Its number in models.def; as many as there are: it is not in it. */
static size_t number_of(const br_model *m)
{
  size_t n = 0, i = 0;
  const br_model *const *all = br_models(&n);
  while (i < n && all[i] != m) i++;
  return i;
}

static void walk_face(const br_model *m, const double *par, const bri_motion *path, const double *z0,
                      double *F)
{
  double z[MOST_STATES] = {0}, dz[MOST_STATES] = {0};
  const size_t axes = (size_t)m->axes;
  if (m->nz > MOST_STATES) return;
  if (z0) memcpy(z, z0, m->nz * sizeof *z);
  const double pace = path->before < 0 ? -path->pace : path->pace, w[2] = {pace, pace};
  for (int i = 0; i < BRI_WALK_BEFORE && path->before != 0; i++)
    m->step(par, path->load ? path->load[0] : 1, path->u, w, path->before / (pace * BRI_WALK_BEFORE), z);
  for (size_t k = 0; k < path->n; k++) {
    const size_t from = k ? k - 1 : 0;
    const double load = path->load ? path->load[from] : 1, *v = path->v + axes * from;
    if (k) m->step(par, load, path->u + axes * from, v, path->h[from], z);
    if (path->at) v = path->at + axes * k;
    m->rate(par, load, path->u + axes * k, v, z, dz);
    m->force(par, load, path->u + axes * k, v, z, dz, F + axes * k);
  }
}

void bri_walk(const br_model *m, const double *par, const bri_motion *path, const double *z0, double *F)
{
  bri_walk_fn *stamped = bri_walk_f64(number_of(m));
  if (stamped) stamped(par, path, z0, F, NULL);
  else walk_face(m, par, path, z0, F);
}

static void pair(double *to, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) to[2 * i] = x[i], to[2 * i + 1] = 0;
}

static void slope_face(const br_model *m, double *block, const bri_motion *path, const double *z0, double *F,
                       double *D)
{
  double z[2 * MOST_STATES] = {0}, dz[2 * MOST_STATES] = {0}, u[4], v[4], f[4];
  const size_t axes = (size_t)m->axes;
  if (m->prepare_pair) m->prepare_pair(block);
  if (z0) memcpy(z, z0, 2 * m->nz * sizeof *z);
  if (path->before != 0 || path->before_slope != 0) {
    const double pace = path->before < 0 ? -path->pace : path->pace, w[4] = {pace, 0, pace, 0},
                 part = 1 / (pace * BRI_WALK_BEFORE), load[2] = {path->load ? path->load[0] : 1, 0},
                 h[2] = {part * path->before, part * path->before_slope * BRI_TINY_STEP};
    pair(u, path->u, axes);
    for (int i = 0; i < BRI_WALK_BEFORE; i++) m->step_pair(block, load, u, w, h, z);
  }
  for (size_t k = 0; k < path->n; k++) {
    const size_t from = k ? k - 1 : 0;
    const double load[2] = {path->load ? path->load[from] : 1, 0}, h[2] = {path->h[from], 0};
    pair(u, path->u + axes * from, axes), pair(v, path->v + axes * from, axes);
    if (k) m->step_pair(block, load, u, v, h, z);
    pair(u, path->u + axes * k, axes);
    if (path->at) pair(v, path->at + axes * k, axes);
    m->rate_pair(block, load, u, v, z, dz);
    m->force_pair(block, load, u, v, z, dz, f);
    for (size_t a = 0; a < axes; a++) {
      if (F) F[axes * k + a] = f[2 * a];
      D[axes * k + a] = f[2 * a + 1] * (1 / BRI_TINY_STEP);
    }
  }
}

int bri_walk_slope(const br_model *m, const double *par, const double *slope, const bri_motion *path,
                   const double *z0, double *F, double *D)
{
  double block[2 * MOST_SLOTS], start[2 * MOST_STATES];
  if (m->slots > MOST_SLOTS || m->nz > MOST_STATES || !m->step_pair) return 0;
  for (size_t i = 0; i < m->slots; i++) block[2 * i] = par[i], block[2 * i + 1] = slope[i] * BRI_TINY_STEP;
  if (z0) pair(start, z0, m->nz);
  slope_face(m, block, path, z0 ? start : NULL, F, D);
  return 1;
}

/* ---- many directions at once ---- */

/* n numbers from x, the last of them again up to a tile. */
static void fill(double *to, const double *x, size_t n)
{
  memcpy(to, x, n * sizeof *to);
  for (size_t i = n; i < BRI_TILE; i++) to[i] = x[n - 1];
}

/* Those of the samples before: that of the first is its own. */
static void fill_before(double *to, const double *x, size_t k, size_t n)
{
  fill(to, x + (k ? k - 1 : 0), n);
  if (!k) memmove(to + 1, to, (BRI_TILE - 1) * sizeof *to);
  for (size_t i = n; i < BRI_TILE; i++) to[i] = to[n - 1];
}

void bri_tile_fill(bri_tile *t, const bri_motion *m, size_t k, int states, const double *z)
{
  const size_t n = m->n - k < BRI_TILE ? m->n - k : BRI_TILE;
  fill(t->u, m->u + k, n), fill(t->v, m->v + k, n), fill(t->h, m->h + k, n);
  if (m->at) fill(t->at, m->at + k, n);
  else fill_before(t->at, m->v, k, n);
  if (m->load) fill(t->load, m->load + k, n), fill_before(t->before, m->load, k, n);
  for (size_t i = 0; !m->load && i < BRI_TILE; i++) t->load[i] = t->before[i] = 1;
  for (int q = 0; q < states; q++) fill(t->z[q], z + (size_t)q * m->n + k, n);
}

#if defined(BR_HAVE_ISA_avx512)
#define BEST_AVX512(name, model) strcmp(br_isa_name(), "avx512") == 0 ? name##_avx512(model):
#else
#define BEST_AVX512(name, model)
#endif
#if defined(BR_HAVE_ISA_avx2)
#define BEST_AVX2(name, model) strcmp(br_isa_name(), "avx2") == 0 ? name##_avx2(model):
#else
#define BEST_AVX2(name, model)
#endif
#ifndef BR_ISA_LEAST
#define BR_ISA_LEAST base
#endif
#define OF_ISA_(name, isa) name##_##isa
#define OF_ISA(name, isa) OF_ISA_(name, isa)
/* That of the instruction set in use. */
#define BEST(name, model) (BEST_AVX512(name, model) BEST_AVX2(name, model) OF_ISA(name, BR_ISA_LEAST)(model))

void bri_walk_states(const br_model *m, const double *par, const bri_motion *path, double *F, double *states)
{
  const size_t number = number_of(m);
  bri_affine_walk *fast = states ? BEST(bri_affine, number) : NULL;
  bri_walk_fn *stamped = bri_walk_f64(number);
  if (fast && fast(par, path, F, states)) return;
  if (stamped) stamped(par, path, NULL, F, states);
  else walk_face(m, par, path, NULL, F);
}

int bri_walk_slopes(const br_model *m, const double *par, size_t n, const double *slope, size_t stride,
                    const double *before, const bri_motion *path, const double *states, double *D, size_t ld)
{
  bri_tangent_walk *fast = BEST(bri_tangent, number_of(m));
  bri_motion one = *path;
  int fine = 1;
  for (size_t j = 0; fast && j < n; j += BRI_TANGENTS) {
    const bri_tangent d = {n - j < BRI_TANGENTS ? n - j : BRI_TANGENTS,
                           par,
                           slope + j * stride,
                           stride,
                           before + j,
                           states,
                           D + j * ld,
                           ld};
    fast(&d, path);
  }
  for (size_t j = 0; !fast && j < n; j++) {
    one.before_slope = before[j];
    fine = fine && bri_walk_slope(m, par, slope + j * stride, &one, NULL, NULL, D + j * ld);
  }
  return fine;
}
