/* SPDX-License-Identifier: Apache-2.0
 * plane.h - equilibria, Hopf points and orbits of the driven block in its phase plane (z, v), v > 0, F > 0.
 *
 * Facts this room is built on (docs/phase.md has the proofs):
 *  - all sliding equilibria lie on the line L: sigma0 z + sigma2 v = F, and on L the flow is parallel to
 *    (1, -sigma1/m), so for sigma1 sigma2 > sigma0 m it crosses L in one direction between two equilibria;
 *  - sigma1 turns the field one way at every point, so through each point passes a closed orbit for one
 *    sigma1 at most.  A branch of cycles is therefore a function sigma1(t) of the place t on a section. */
#ifndef BRI_PHASE_PLANE_H
#define BRI_PHASE_PLANE_H
#include <math.h>

#include "flow.h"

/* Sliding equilibria, by ascending v. */
typedef struct {
  int n;
  bri_point y[3];
} bri_sliding;
void bri_sliding_of(const bri_plane *p, bri_sliding *e);
/* Velocities where g' + sigma2 = 0 (folds of equilibria), ascending; their number 0..2. */
int bri_sliding_folds(const bri_plane *p, double v[2]);

/* Linear part at a sliding equilibrium: J = [nz nv; ...], lambda^2 + a1 lambda + a0. */
typedef struct {
  double a0, a1;       /* 1/s^2, 1/s */
  double re[2], im[2]; /* eigenvalues, 1/s; re ascending when real */
} bri_linear;
bri_linear bri_linear_at(const bri_plane *p, double v);
/* Linear part at the sticking point seen from v > 0 (side = 1) or v < 0 (side = -1). */
bri_linear bri_linear_stick(const bri_plane *p, int side);
/* Eigenvector of a sliding equilibrium: z < 0, the larger of z and v that of the equilibrium. */
bri_point bri_eigenvector(const bri_plane *p, double v, double lambda);

/* Hopf point of the equilibrium at v: sigma1 where a1 = 0; NaN where a0 <= 0 or none.  omega in 1/s,
 * lyapunov: r' = alpha r + lyapunov r^3 with r the amplitude of v; lyapunov_error bounds its rounding. */
typedef struct {
  double sigma1, omega, lyapunov, lyapunov_error;
} bri_hopf;
/* Does the coefficient have a sign, beyond what rounding could have made? */
static inline int bri_hopf_signed(const bri_hopf *h) { return fabs(h->lyapunov) > h->lyapunov_error; }
bri_hopf bri_hopf_at(const bri_plane *p, double v);
/* What rounding makes of its sigma1. */
double bri_hopf_error(const bri_plane *p, double v);
/* The same for many forces at one v: sigma2 follows from F; out[n] receives lyapunov (NaN where a0 <= 0
 * or rounding decides its sign). */
void bri_hopf_column(const bri_plane *p, double v, const double *F, size_t n, double *out);

enum {
  BRI_ASK = 64
}; /* steps of an orbit, a millisecond or less, after which the caller is asked for a stop */

/* Where an orbit ends up. */
typedef enum { BRI_HIT, BRI_INSIDE, BRI_OUTSIDE, BRI_LOST } bri_fate;

/* Run to the line L at v below (low) or above (high) all equilibria concerned. */
typedef struct {
  bri_plane p;
  bri_sliding e;
  double lo, hi;           /* accepted crossing: lo < v < hi */
  double pass_lo, pass_hi; /* crossings here are passed over */
  bri_point home;          /* equilibrium that counts as INSIDE when the orbit settles there */
  bri_fate other;          /* what a crossing elsewhere, or settling at another equilibrium, means */
  int most_steps;          /* BRI_LOST after these */
} bri_course;

typedef struct {
  bri_fate fate;
  bri_point end;
  int steps;
  double time;   /* s, negative backward */
  double I, M;   /* integral of the divergence; wedge of flow and shift per sigma1 */
  double noise;  /* the same wedge with what rounding may have done (bri_step_noise) */
  double across; /* (dl/dt)/sigma0 of l = sigma0 z + sigma2 v at the end: turns wedges into dv on L */
  double v_min, v_max, z_min, z_max; /* along the way */
} bri_arc;

/* Called with each step of an orbit; NULL: nobody looks. */
typedef struct {
  void (*see)(void *ctx, const bri_series *s, double h);
  void *ctx;
} bri_watch;

/* dir +1 forward, -1 backward; M0: wedge at the start. */
void bri_arc_run(const bri_course *c, bri_point from, int dir, double M0, const bri_watch *watch, bri_arc *a);

/* Extremes of a series on (0, h) widen lo..hi. */
void bri_extremes(const double *c, double h, double *lo, double *hi);

#endif
