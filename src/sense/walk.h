/* SPDX-License-Identifier: Apache-2.0
 * walk.h - force of an element along a given motion, and its derivative by the parameters.  Internal.
 * Both come from the kernels themselves: walk_f64.c stamps the loop over every model of models.def with plain
 * numbers, tangent_c64.c with the complex step.  What is left (formulas, models of many states) takes the
 * run-time face. */
#ifndef BRI_SENSE_WALK_H
#define BRI_SENSE_WALK_H
#include <stddef.h>

#include "bristle/model.h"

/* n samples.  Between sample k and k+1 the velocity v[k] is held over h[k]; the force at a sample has the
 * velocity at[k], or, where there is none, that of the step which leads to it.  Two axes: u, v and at hold
 * pairs. */
typedef struct {
  size_t n;
  const double *u, *v; /* m, m/s */
  const double *at;    /* m/s; NULL: held */
  const double *h;     /* s */
  const double *load;  /* normal-load factor at each sample; NULL: 1 */
  double before, pace; /* m, m/s: the way gone before the first sample, from rest, and the speed on it */
  double before_slope; /* of `before` along the direction of a derivative */
} bri_motion;

/* F[n] (two axes: pairs).  par is a block of the model, prepared or not; z0 (may be NULL: zero) has m->nz
 * numbers, states and modes. */
void bri_walk(const br_model *m, const double *par, const bri_motion *path, const double *z0, double *F);

/* The same with the derivative: slope[slots] is the direction in the block, D[n] receives dF along it; F may
 * be NULL.  Returns 0 where the model has no complex instance. */
int bri_walk_slope(const br_model *m, const double *par, const double *slope, const bri_motion *path,
                   const double *z0, double *F, double *D);

/* Slopes along n directions at once: slope[j*stride..] in the block, before[j] of the way before the first
 * sample; column j of D begins at D + j*ld.  states: those of bri_walk_states() for this block and motion,
 * room for BRI_WALK_STATES*path->n.  Returns 0 where the model has no complex instance. */
enum { BRI_WALK_STATES = 2 };
int bri_walk_slopes(const br_model *m, const double *par, size_t n, const double *slope, size_t stride,
                    const double *before, const bri_motion *path, const double *states, double *D, size_t ld);
/* bri_walk() that also keeps the states (of models with at most BRI_WALK_STATES; others leave them alone). */
void bri_walk_states(const br_model *m, const double *par, const bri_motion *path, double *F, double *states);

/* walk_f64.c: by the number of the model in models.def. */
typedef void bri_walk_fn(const double *par, const bri_motion *path, const double *z0, double *F,
                         double *states);
bri_walk_fn *bri_walk_f64(size_t model);

/* tangent_c64.c and tangent_f64.c, once per instruction set: up to BRI_TANGENTS directions, the samples in
 * tiles. */
enum { BRI_TILE = 128, BRI_TANGENTS = 8 };
typedef struct {
  double u[BRI_TILE], v[BRI_TILE], at[BRI_TILE], h[BRI_TILE];
  double load[BRI_TILE],
      before[BRI_TILE]; /* of the step that begins at a sample; of the one that leads to it */
  double z[BRI_WALK_STATES][BRI_TILE];
} bri_tile;
typedef struct {
  size_t n;
  const double *par, *slope;
  size_t stride;
  const double *before, *z;
  double *D;
  size_t ld;
} bri_tangent;
typedef void bri_tangent_walk(const bri_tangent *d, const bri_motion *path);
/* Force and states where a step is affine in the state; returns 0 where it is not. */
typedef int bri_affine_walk(const double *par, const bri_motion *path, double *F, double *states);
/* By the number of the model; NULL: it has none. */
bri_tangent_walk *bri_tangent_base(size_t model), *bri_tangent_avx2(size_t model),
    *bri_tangent_avx512(size_t model);
bri_affine_walk *bri_affine_base(size_t model), *bri_affine_avx2(size_t model),
    *bri_affine_avx512(size_t model);
void bri_tile_fill(bri_tile *t, const bri_motion *m, size_t k, int states, const double *z);

/* Imaginary part that stands for one unit of a direction. */
#define BRI_TINY_STEP 0x1p-300
/* Steps in which the way before the first sample is gone. */
enum { BRI_WALK_BEFORE = 8 };

#endif
