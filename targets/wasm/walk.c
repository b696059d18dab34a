/* SPDX-License-Identifier: Apache-2.0
 * walk.c - what src/sense stamps for every model (walk.inc, tangent.inc), once for all of them: through the
 * models' faces, with the same sums in the same order, so with the same bits.  A seventh of the module; the
 * page fits one record at a time. */
#include "sense/walk.h"

#include <string.h>

#include "../../core/stamp.h"
#include "lab.h"

#define BR_REAL double
#define BR_SFX _f64
#include "../../models/common/stribeck.inc"
#define BR_VISIT "../targets/wasm/affine.inc"
#include "../../models/models.def"
#undef BR_VISIT
typedef int affine_fn(const void *par);
static affine_fn *const AFFINE[] = {
#define BR_VISIT "../targets/wasm/affine_entry.inc"
#include "../../models/models.def"
};

enum { MOST_SLOTS = 1024, MOST_STATES = 160 };
static const br_model *model; /* of the walk asked for last: there is one thread */
static affine_fn *is_affine;

static int choose(size_t number)
{
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  if (number >= n) return 0;
  model = all[number], is_affine = AFFINE[number];
  return 1;
}

static void walk(const double *par, const bri_motion *m, const double *z0, double *F, double *states)
{
  static double block[MOST_SLOTS];
  double z[MOST_STATES] = {0}, dz[MOST_STATES] = {0}, f[2];
  const size_t axes = (size_t)model->axes;
  const double side = m->before < 0 ? -1 : 1, part = side / (m->pace * BRI_WALK_BEFORE),
               w[2] = {side * m->pace, side * m->pace};
  memcpy(block, par, model->slots * sizeof *block);
  model->prepare(block);
  if (z0) memcpy(z, z0, model->nz * sizeof *z);
  for (int i = 0; i < BRI_WALK_BEFORE && m->before != 0; i++)
    model->step(block, m->load ? m->load[0] : 1, m->u, w, part * m->before, z);
  for (size_t k = 0; k < m->n; k++) {
    const size_t from = k ? k - 1 : 0;
    const double load = m->load ? m->load[from] : 1, *v = m->v + axes * from;
    if (k) model->step(block, load, m->u + axes * from, v, m->h[from], z);
    if (m->at) v = m->at + axes * k;
    model->rate(block, load, m->u + axes * k, v, z, dz);
    model->force(block, load, m->u + axes * k, v, z, dz, F ? F + axes * k : f);
    for (size_t i = 0; states && i < model->nz && i < BRI_WALK_STATES; i++) states[i * m->n + k] = z[i];
  }
}

bri_walk_fn *bri_walk_f64(size_t number) { return choose(number) ? walk : NULL; }

/* ---- slopes of single steps, chained; numbers are pairs (re, im) ---- */

static void before_pair(const double *block, const bri_motion *m, double slope, double *z)
{
  const double side = m->before < 0 ? -1 : 1, part = side / (m->pace * BRI_WALK_BEFORE), u[2] = {m->u[0], 0},
               v[2] = {side * m->pace, 0}, load[2] = {m->load ? m->load[0] : 1, 0},
               h[2] = {part * m->before, part * slope * BRI_TINY_STEP};
  for (int i = 0; i < BRI_WALK_BEFORE && (m->before != 0 || slope != 0); i++)
    model->step_pair(block, load, u, v, h, z);
}

/* Over a tile: next states and force, each a number or the slope that its imaginary part carries; either may
 * be NULL. state: which one is moved, -1: none. */
static void tile(const double *block, int state, const bri_tile *t, int slope, const double *z0, double *next,
                 double *force)
{
  const double scale = slope ? 1 / BRI_TINY_STEP : 1;
  for (int k = 0; k < BRI_TILE; k++) {
    const double u[2] = {t->u[k], 0}, v[2] = {t->v[k], 0}, at[2] = {t->at[k], 0}, h[2] = {t->h[k], 0},
                 load[2] = {t->load[k], 0}, before[2] = {t->before[k], 0};
    double z[2 * BRI_WALK_STATES] = {0}, dz[2 * BRI_WALK_STATES] = {0}, f[2];
    for (size_t q = 0; q < model->nz; q++)
      z[2 * q] = z0 ? z0[q] : t->z[q][k], z[2 * q + 1] = (int)q == state ? BRI_TINY_STEP : 0;
    if (force) {
      model->rate_pair(block, before, u, at, z, dz);
      model->force_pair(block, before, u, at, z, dz, f);
      force[k] = f[slope] * scale;
    }
    if (next) {
      model->step_pair(block, load, u, v, h, z);
      for (size_t q = 0; q < model->nz; q++)
        next[q * BRI_TILE + (size_t)k] = z[2 * q + (size_t)slope] * scale;
    }
  }
}

static double block[BRI_TANGENTS + 1][2 * MOST_SLOTS], b[BRI_TANGENTS + 2][2 * BRI_TILE],
    e[BRI_TANGENTS + 2][BRI_TILE];

static void chain(double *s, const double *bj, const double *ej, size_t end, double *D)
{
  const double *A = b[BRI_TANGENTS], *B = b[BRI_TANGENTS + 1], *C = e[BRI_TANGENTS], *E = e[BRI_TANGENTS + 1];
  for (size_t i = 0; i < end && model->nz == 0; i++) D[i] = ej[i];
  for (size_t i = 0; i < end && model->nz == 1; i++) D[i] = C[i] * s[0] + ej[i], s[0] = A[i] * s[0] + bj[i];
  for (size_t i = 0; i < end && model->nz == 2; i++) {
    const double next = A[i] * s[0] + B[i] * s[1] + bj[i];
    D[i] = C[i] * s[0] + E[i] * s[1] + ej[i];
    s[1] = A[BRI_TILE + i] * s[0] + B[BRI_TILE + i] * s[1] + bj[BRI_TILE + i], s[0] = next;
  }
}

static void tangent(const bri_tangent *d, const bri_motion *m)
{
  double s[BRI_TANGENTS][2] = {{0}};
  static bri_tile t;
  lab_first_order = 1;
  for (size_t j = 0; j <= d->n; j++) { /* the last one stands still: for the slopes by the states */
    double z[2 * BRI_WALK_STATES] = {0};
    for (size_t i = 0; i < model->slots; i++)
      block[j][2 * i] = d->par[i],
                   block[j][2 * i + 1] = j < d->n ? d->slope[j * d->stride + i] * BRI_TINY_STEP : 0;
    model->prepare_pair(block[j]);
    if (j == d->n) break;
    before_pair(block[j], m, d->before[j], z);
    for (size_t i = 0; i < model->nz; i++) s[j][i] = z[2 * i + 1] * (1 / BRI_TINY_STEP);
  }
  for (size_t k = 0; k < m->n; k += BRI_TILE) {
    const size_t end = m->n - k < BRI_TILE ? m->n - k : BRI_TILE;
    bri_tile_fill(&t, m, k, (int)model->nz, d->z);
    for (size_t j = 0; j < d->n; j++) tile(block[j], -1, &t, 1, NULL, b[j], e[j]);
    for (size_t i = 0; i < model->nz; i++)
      tile(block[d->n], (int)i, &t, 1, NULL, b[BRI_TANGENTS + i], e[BRI_TANGENTS + i]);
    for (size_t j = 0; j < d->n; j++) chain(s[j], b[j], e[j], end, d->D + j * d->ld + k);
  }
  lab_first_order = 0;
}

/* States and force where a step is affine in the state, z -> A z + b. */
static int affine(const double *par, const bri_motion *m, double *F, double *states)
{
  static bri_tile t;
  double z[2] = {0};
  if (!is_affine(par)) return 0;
  lab_first_order = 1;
  for (size_t i = 0; i < model->slots; i++) block[0][2 * i] = par[i], block[0][2 * i + 1] = 0;
  model->prepare_pair(block[0]);
  before_pair(block[0], m, 0, z);
  double now = z[0];
  const double zero = 0;
  for (size_t k = 0; k < m->n; k += BRI_TILE) {
    const size_t end = m->n - k < BRI_TILE ? m->n - k : BRI_TILE;
    bri_tile_fill(&t, m, k, 0, NULL);
    tile(block[0], 0, &t, 0, &zero, b[0], NULL);
    tile(block[0], 0, &t, 1, &zero, b[1], NULL);
    for (size_t i = 0; i < BRI_TILE; i++) t.z[0][i] = now, now = i < end ? b[1][i] * now + b[0][i] : now;
    for (size_t i = 0; i < end; i++) states[k + i] = t.z[0][i];
    tile(block[0], -1, &t, 0, NULL, NULL, e[0]);
    for (size_t i = 0; i < end; i++) F[k + i] = e[0][i];
  }
  lab_first_order = 0;
  return 1;
}

/* Has the model of this number, which becomes the chosen one, slopes in tiles? */
static int has_tangents(size_t number)
{
  static double par[MOST_SLOTS];
  if (!choose(number) || model->nz > BRI_WALK_STATES || model->axes != 1) return 0;
  model->defaults(par);
  return !model->nmode(par);
}

bri_tangent_walk *bri_tangent_base(size_t number) { return has_tangents(number) ? tangent : NULL; }
bri_affine_walk *bri_affine_base(size_t number) { return has_tangents(number) && is_affine ? affine : NULL; }
