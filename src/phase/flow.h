/* SPDX-License-Identifier: Apache-2.0
 * flow.h - power series of the sliding block m v' = F - friction with LuGre friction, where v > 0.
 *
 * The model's own functions say what the equations are; this file is a second, faster way to run them, as
 * power series in time.  tests/phase/test_flow.c holds it against the model to rounding. */
#ifndef BRI_PHASE_FLOW_H
#define BRI_PHASE_FLOW_H
#include "../text/stop.h"
#include "bristle/model.h"

/* Numbers of a driven block with plain LuGre friction, SI.  dF = Fs - Fc. */
typedef struct {
  double m, F, s0, s1, s2, Fc, dF, vs, delta;
  const br_stop *stop; /* NULL: never; orbits ask, and are lost then */
} bri_plane;

typedef struct {
  double z, v; /* m, m/s */
} bri_point;

enum { BRI_ORDER = 24, BRI_PAIRS = 6 };

/* Two numbers that are multiplied and added together (SSE2, NEON, or two scalars: the same bits). */
typedef double bri_pair __attribute__((vector_size(16)));

/* Coefficients of powers of time.  z, v: the orbit; zr, vr: their rates.  I: integral of the divergence.  M:
 * the wedge product of the flow with the shift of the orbit per unit sigma1, M' = div M - z'^2/m.  The rest
 * are parts of the recurrence: the factors of twelve products of series, two by two. */
typedef struct {
  double z[BRI_ORDER + 1], v[BRI_ORDER + 1], I[BRI_ORDER + 1], M[BRI_ORDER + 1];
  double zr[BRI_ORDER + 1], vr[BRI_ORDER + 1];
  bri_pair left[BRI_ORDER + 1][BRI_PAIRS], right[BRI_ORDER + 1][BRI_PAIRS];
} bri_series;

/* Plain LuGre of a prepared block and a driven block; BR_E_UNSUPPORTED where the law has tables, a viscous
 * exponent or a velocity-dependent sigma1, or for another model. */
br_status bri_plane_of(const br_model *model, const double *par, double m, double F, bri_plane *p,
                       br_err *err);

/* Series of the orbit through y; I and M start from 0 and M0. */
void bri_series_of(const bri_plane *p, bri_point y, double M0, bri_series *s);
/* The same without I and M. */
void bri_series_orbit(const bri_plane *p, bri_point y, bri_series *s);
/* Length of time over which the series is good to rounding, > 0; dir +1 forward, -1 backward. */
double bri_series_reach(const bri_plane *p, const bri_series *s, int dir);
/* Value and derivative of a series at time h. */
double bri_series_at(const double *c, double h);
double bri_series_rate(const double *c, double h);

/* rate of (z, v), divergence */
bri_point bri_flow(const bri_plane *p, bri_point y);
double bri_divergence(const bri_plane *p, bri_point y);
/* rate of (z, v), and the derivatives of z' by z and v */
bri_point bri_flow_slopes(const bri_plane *p, bri_point y, double *nz, double *nv);

/* g and its first three Taylor coefficients at v (g'' / 2, g''' / 6), and the same of v / g. */
void bri_level_series(const bri_plane *p, double v, double g[4], double k[4]);

/* Manifold of the saddle y along eigenvalue lambda: y(x) = y + sum a_k x^k with y' = f turning into x' =
 * lambda x. (ez, ev): eigenvector.  Fills az, av[0..BRI_ORDER]. */
void bri_manifold_series(const bri_plane *p, bri_point y, double lambda, double ez, double ev, double *az,
                         double *av);

#endif
