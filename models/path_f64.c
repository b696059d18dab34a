/* SPDX-License-Identifier: Apache-2.0
 * path_f64.c - one long recorded LuGre path as a parallel scan, for one instruction set (BR_ISA).
 *
 * While v is held the state moves by an affine map z -> keep z + gain.  Samples are taken in tiles:
 * PATH_LANES segments of PATH_ROWS consecutive samples, stored transposed so that one vector holds the same
 * row of every segment.  Each lane composes its segment's maps from the segment's start; the segment starts
 * are chained; then every sample's state is A z_start + B.  The tile shape is part of the result's bits and
 * the same everywhere. */
#include "../core/stamp.h"
#include "batch_types.h"

#ifndef BR_ISA
#define BR_ISA base
#endif
#define PATH_LANES 8
#define PATH_ROWS 16
#define PATH_TILE (PATH_LANES * PATH_ROWS)

#define BR_REAL double
#define BR_SFX _f64
#include "common/stribeck.inc"
#define BR_MODEL lugre
#include "../core/kernel.inc"

typedef struct {
  double v[PATH_TILE], pull[PATH_TILE], A[PATH_TILE], B[PATH_TILE], F[PATH_TILE];
} path_tile;

/* Two short loops instead of a long one keep more samples in flight. */
BR_FN void path_maps(const BR_M(par) *p, double load, double h, path_tile *t)
{
  for (int i = 0; i < PATH_TILE; i++) t->B[i] = BR_M(level)(p, load, t->v[i]);
  for (int i = 0; i < PATH_TILE; i++) {
    const double v = t->v[i], g = t->B[i], pull = BR_M(pull)(p, g, v), part = BR_M(covered)(pull, h);
    t->pull[i] = pull;
    t->A[i] = 1 - part;
    t->B[i] = BR_M(settled)(p, g, v) * part;
  }
}

/* A, B become the map from the segment's start to after row r. */
BR_FN void path_compose(path_tile *t)
{
  for (int r = 1; r < PATH_ROWS; r++) {
    const double *A0 = t->A + (r - 1) * PATH_LANES, *B0 = t->B + (r - 1) * PATH_LANES;
    double *A1 = t->A + r * PATH_LANES, *B1 = t->B + r * PATH_LANES;
    for (int l = 0; l < PATH_LANES; l++) {
      B1[l] = A1[l] * B0[l] + B1[l];
      A1[l] = A1[l] * A0[l];
    }
  }
}

BR_FN void path_forces(const BR_M(par) *p, double load, path_tile *t, const double *start)
{
  for (int r = 0; r < PATH_ROWS; r++)
    for (int l = 0; l < PATH_LANES; l++) {
      const int i = r * PATH_LANES + l;
      const double z = t->A[i] * start[l] + t->B[i], dz = t->v[i] - t->pull[i] * z;
      BR_M(force)(p, load, NULL, &t->v[i], &z, &dz, &t->F[i]);
    }
}

BR_FN void path_run(const BR_M(par) *p, double load, size_t steps, double h, const double *v, double *z,
                    double *F)
{
  path_tile tile;
  double start[PATH_LANES + 1], u = 0;
  size_t k = 0;
  start[PATH_LANES] = *z;
  for (; k + PATH_TILE <= steps; k += PATH_TILE) {
    for (int r = 0; r < PATH_ROWS; r++)
      for (int l = 0; l < PATH_LANES; l++) tile.v[r * PATH_LANES + l] = v[k + (size_t)(l * PATH_ROWS + r)];
    path_maps(p, load, h, &tile);
    path_compose(&tile);
    start[0] = start[PATH_LANES];
    for (int l = 0; l < PATH_LANES; l++) {
      const int last = (PATH_ROWS - 1) * PATH_LANES + l;
      start[l + 1] = tile.A[last] * start[l] + tile.B[last];
    }
    path_forces(p, load, &tile, start);
    for (int l = 0; l < PATH_LANES; l++)
      for (int r = 0; r < PATH_ROWS; r++) F[k + (size_t)(l * PATH_ROWS + r)] = tile.F[r * PATH_LANES + l];
  }
  *z = start[PATH_LANES];
  for (; k < steps; k++) BR_M(advance)(p, load, &u, &v[k], h, z, &F[k]); /* what does not fill a tile */
}

void BRI_CAT(bri_lugre_path_, BR_ISA)(const double *par, double load, size_t steps, double h, const double *v,
                                      double *z, double *F)
{
  BR_M(par) p = *(const BR_M(par) *)(const void *)par, plain = p, quadratic = p;
  BR_M(assume)(&plain, 1);
  BR_M(assume)(&quadratic, 2);
  /* the compiler sees the assumed constants in each call and drops what they exclude */
  if (__builtin_memcmp(&quadratic, &p, sizeof p) == 0) {
    BR_M(assume)(&p, 2);
    path_run(&p, load, steps, h, v, z, F);
  } else if (__builtin_memcmp(&plain, &p, sizeof p) == 0) {
    BR_M(assume)(&p, 1);
    path_run(&p, load, steps, h, v, z, F);
  } else {
    path_run(&p, load, steps, h, v, z, F);
  }
}
