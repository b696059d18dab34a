/* SPDX-License-Identifier: Apache-2.0
 * loop.h - the steady hysteresis loop of a friction element under a periodic motion, its minor loops, its
 * energy.
 *
 * The motion is a closed list of turning points; between them only the path counts (quasi-static limit) or
 * the points are joined at one constant speed (a frequency is given).  rho is the path length from the first
 * turning point.  y is the friction force; at a turning point it is the left limit (the value just before the
 * reversal).
 *
 * Sign conventions, stated once: F > 0 opposes v > 0; work = integral of y du over the stated path, positive
 * when the motion puts energy in; dissipation = work minus the increase of the model's stored energy (NaN
 * where the model defines none).  A minor loop starts at a reversal, runs to u_turn and ends where u first
 * comes back to u_start; it need not close: gap = y_end - y_start.  On an open minor loop work and
 * dissipation differ and the work may even be negative; neither is "the area".
 *
 * Units: SI.  Alloc: br_loop_create and br_loop_of_signal.  Threads: a br_loop never changes after creation.
 */
#ifndef BR_LOOP_H
#define BR_LOOP_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/signal.h"
#include "bristle/status.h"
BR_C_BEGIN

typedef struct br_loop br_loop;

/* CLOSED_FORM: state equation affine in one state (Dahl gamma = 1, LuGre): cost one exponential per reversal.
 * PERIOD_MAP: fixed point of the period map, certified. */
typedef enum { BR_LOOP_CLOSED_FORM, BR_LOOP_PERIOD_MAP } br_loop_method;

typedef struct {
  double frequency; /* Hz, periods per second; 0 = quasi-static limit (default) */
  double load;      /* normal-load factor; default 1 */
  double rtol;      /* relative tolerance of arcs that must be integrated; default 1e-13 */
  br_stop stop;     /* default never; kept by the loop, and asked by all that goes along it */
} br_loop_settings;
BR_API br_loop_settings br_loop_settings_default(void);

typedef struct {
  double u, y, rho; /* m, N, m */
} br_turning;

#define BR_NO_PARENT ((size_t)-1)
typedef struct {
  size_t start_reversal;      /* index into the turning points */
  size_t parent;              /* minor loop this one is nested in, BR_NO_PARENT when none */
  double u_start, u_turn;     /* m; u_turn is the far end */
  double rho_start, rho_end;  /* m; rho_end may exceed the path length of one period */
  double y_start, y_end, gap; /* N */
  double work, dissipation;   /* J, nested loops included */
} br_minor;

typedef struct {
  br_loop_method method;
  size_t n_turning, n_minor;
  double path_length;       /* m, of one period */
  double work, dissipation; /* J per period */
  double y_min, y_max;      /* N, over the whole loop: both limits at turning points, extremes between */
  double contraction;       /* factor by which one period shrinks a deviation from the loop in the long run:
                             * the largest |eigenvalue| of the period map's derivative; 1 where the force
                             * depends on a state that a period keeps (an element that never slips) */
  double error;             /* bound of the absolute error of y, N, as far as rounding can be estimated */
  int iterations;           /* period maps evaluated; 0 for the closed form */
  double contraction_error; /* of the contraction, absolute: the loop repels where contraction - 1 is more */
} br_loop_summary;

/* Steady loop for n turning points u[0..n-1], closed by returning to u[0].  Points that are no reversals are
 * dropped.  The zero state stands at u0 (it matters only for models with elements that never slip).
 * par: prepared f64 block of m.  Returns BR_OK; BR_E_ARG (fewer than two different points, NaN),
 * BR_E_CONVERGE (no steady loop: says why), BR_E_UNSUPPORTED (model without force in the stick zone),
 * BR_E_NOMEM, BR_INTERRUPTED. */
BR_TRY br_status br_loop_create(const br_model *m, const double *par, size_t n, const double *u, double u0,
                                const br_loop_settings *s, br_loop **out, br_err *err);
/* The same for a signal: one period of a periodic one, otherwise its record closed to a cycle.  The zero
 * state stands at u = 0 where a periodic motion passes it, else where the motion starts. */
BR_TRY br_status br_loop_of_signal(const br_model *m, const double *par, const br_signal *input,
                                   const br_loop_settings *s, br_loop **out, br_err *err);
BR_API void br_loop_destroy(br_loop *loop); /* NULL is fine */

BR_API const br_loop_summary *br_loop_get(const br_loop *loop);
BR_API const br_turning *br_loop_turnings(const br_loop *loop); /* summary.n_turning of them */
BR_API const br_minor *br_loop_minors(const br_loop *loop);     /* summary.n_minor, by start_reversal */

/* u and y at path length rho (any rho >= 0, periodic); side < 0: left limit at a turning point, else right.
 */
BR_API double br_loop_u(const br_loop *loop, double rho);
BR_API double br_loop_y(const br_loop *loop, double rho, int side);
/* y along the transient that leaves the first turning point with state z0 (nstate numbers; NULL: zero). For
 * rho >= 0; costs one pass over the periods before rho unless the loop has its closed form: many points are
 * asked of a walk.  NaN where the loop's stop ended it, as for the walk. */
BR_API double br_loop_transient(const br_loop *loop, const double *z0, double rho, int side);

/* The same for many points in the order of the path: each arc is gone over once.  z0: state at the first
 * turning point, copied (NULL: that of the steady loop).  rho may fall, which costs the way from the start
 * again.  The loop must outlive the walk.  Alloc: create only.  Threads: one walk, one thread. */
typedef struct br_loop_walk br_loop_walk;
BR_TRY br_status br_loop_walk_create(const br_loop *loop, const double *z0, br_loop_walk **out, br_err *err);
BR_API double br_loop_walk_y(br_loop_walk *walk, double rho, int side);
BR_API void br_loop_walk_destroy(br_loop_walk *walk); /* NULL is fine */

BR_C_END
#endif
