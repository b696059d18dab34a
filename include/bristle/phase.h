/* SPDX-License-Identifier: Apache-2.0
 * phase.h - phase plane of a block under a constant force with LuGre friction: which motions exist, which are
 * stable, where they are born and die.
 *
 *   z' = rate(v, z)        m v' = F - friction(v, z)
 *
 * Equilibria, Hopf points with their Lyapunov coefficient, limit cycles with multipliers, homoclinic orbits,
 * folds of cycles and the name of the bifurcation case come from closed forms and one-dimensional root
 * finding on sections that the flow crosses in one direction only: no starting guess, no continuation that
 * could miss a branch.
 *
 * Units: SI.  Alloc: only *_create.  Threads: functions are independent; a br_phase never changes after
 * creation. */
#ifndef BR_PHASE_H
#define BR_PHASE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
#include "bristle/system.h"
BR_C_BEGIN

/* A block of mass m (kg, > 0) under force F (N).  par: prepared block of the model, which must be plain LuGre
 * (no tables, f_exp = 1, vd = 0).  F < 0 is the mirror image of F > 0. */
typedef struct {
  const br_model *model;
  const double *par;
  double m, F;
  br_stop stop; /* asked by everything that is computed from the problem; all zeros: never */
} br_phase_problem;

typedef enum { BR_EQUILIBRIUM_STICK, BR_EQUILIBRIUM_SLIP } br_equilibrium_kind;
typedef struct {
  br_equilibrium_kind kind;
  double v, z;                     /* m/s, m */
  const char *type;                /* "stable focus", "saddle", ... */
  double a0, a1;                   /* lambda^2 + a1 lambda + a0 = 0 */
  double re[2], im[2];             /* eigenvalues, 1/s; of a sticking point: as seen from v > 0 (F > 0) */
  double other_re[2], other_im[2]; /* sticking point seen from the other side; NaN for sliding ones */
} br_equilibrium;

/* List of event types: enumerator and the name used in results. */
#define BR_PHASE_EVENT_LIST(X)                     \
  X(BR_PHASE_HOPF, "hopf")                         \
  X(BR_PHASE_FOLD, "fold")                         \
  X(BR_PHASE_FOLD_OF_CYCLES, "fold_of_cycles")     \
  X(BR_PHASE_HOMOCLINIC, "homoclinic")             \
  X(BR_PHASE_PERIOD_DOUBLING, "period_doubling")   \
  X(BR_PHASE_GENERALIZED_HOPF, "generalized_hopf") \
  X(BR_PHASE_GRAZING, "grazing")
#define BR_PHASE_EVENT_ENUM(id, text) id,
typedef enum { BR_PHASE_EVENT_LIST(BR_PHASE_EVENT_ENUM) BR_PHASE_EVENT_TYPES } br_phase_event_type;
#undef BR_PHASE_EVENT_ENUM
BR_API const char *br_phase_event_name(br_phase_event_type type);

/* Numbers that a type does not have are NaN. */
typedef struct {
  br_phase_event_type type;
  double value;    /* of the varied parameter */
  double value2;   /* of the second one */
  double v;        /* m/s: equilibrium of a Hopf point or fold, saddle of a homoclinic orbit */
  double omega;    /* 1/s */
  double lyapunov; /* r' = alpha r + lyapunov r^3, r the amplitude of v; > 0: subcritical */
  double
      saddle_quantity; /* 1/s, sum of the saddle's eigenvalues; > 0: the cycle beside the loop is unstable */
  double distance; /* fold of cycles next to a homoclinic orbit: value of the latter minus that of the fold */
  char loop[40];   /* "small, round y1", "large"; y1, y2, y3 by ascending v */
  double error;    /* estimate of the error of value, in its unit */
} br_phase_event;

typedef struct {
  double at, period; /* value of the varied parameter; s */
  double v_min, v_max, z_min, z_max;
  double multiplier; /* Floquet multiplier, > 0 */
  int stable;
  char loop[40];
  double lag_total,
      lag_elastic; /* W: integrals of friction and of sigma0 z over dv, once round; their signs differ */
  double v_mean;
  double v_start, z_start; /* a point on it */
} br_phase_cycle;

typedef struct br_phase br_phase; /* opaque */

/* Analyse along one parameter of model or block ("sigma1", "F", "m", ...) from a to b.  *out is NULL on
 * error. Returns BR_OK, BR_E_ARG, BR_E_NAME, BR_E_RANGE, BR_E_UNSUPPORTED, BR_E_NOMEM, BR_INTERRUPTED. */
BR_TRY br_status br_phase_create(const br_phase_problem *problem, const char *vary, double a, double b,
                                 br_phase **out, br_err *err);
/* The same with Hopf points and folds of equilibria as its only events, in a hundredth of the time: cycles
 * are not looked for, branches are empty and the case is "" (or "none"). */
BR_TRY br_status br_phase_create_local(const br_phase_problem *problem, const char *vary, double a, double b,
                                       br_phase **out, br_err *err);
BR_API void br_phase_destroy(br_phase *phase);                                  /* NULL is fine */
BR_API const br_phase_event *br_phase_events(const br_phase *phase, size_t *n); /* by ascending value */
/* What a reader of the events should know ("branch ... not followed to its end"): note i, NULL past the last.
 * */
BR_API const char *br_phase_note(const br_phase *phase, size_t i);
/* Name of the case along sigma1 ("Sup", "Sub_F_HC", ...; "none" without a Hopf point), at the problem's
 * values. */
BR_API const char *br_phase_case(const br_phase *phase);

/* Equilibria and cycles at a value of the varied parameter: at most max are stored, *n says how many there
 * are. */
BR_TRY br_status br_phase_equilibria(const br_phase *phase, double value, size_t max, br_equilibrium *out,
                                     size_t *n, br_err *err);
BR_TRY br_status br_phase_cycles(const br_phase *phase, double value, size_t max, br_phase_cycle *out,
                                 size_t *n, br_err *err);
enum { BR_PHASE_MOST_EQUILIBRIA = 4, BR_PHASE_MOST_CYCLES = 12 };
/* How far cycles were looked for: up to velocity v_max (m/s), beyond which there is none; complete = 0 where
 * the search ended early, so that a cycle may be missing. */
typedef struct {
  double at, v_max;
  int complete;
} br_phase_search;
/* The same, and what was searched (search may be NULL). */
BR_TRY br_status br_phase_cycles_searched(const br_phase *phase, double value, size_t max,
                                          br_phase_cycle *out, size_t *n, br_phase_search *search,
                                          br_err *err);

/* Points of curves in the plane (z, v) at a value of the varied parameter, for portraits.  Called with each
 * curve; an analysis made by br_phase_create_local() has no cycles. */
typedef enum {
  BR_CURVE_Z_NULLCLINE,
  BR_CURVE_V_NULLCLINE,
  BR_CURVE_STABLE_CYCLE,
  BR_CURVE_UNSTABLE_CYCLE,
  BR_CURVE_STABLE_MANIFOLD,
  BR_CURVE_UNSTABLE_MANIFOLD
} br_curve;
typedef br_status br_curve_fn(void *ctx, br_curve kind, const double *z, const double *v, size_t n);
BR_TRY br_status br_phase_portrait(const br_phase *phase, double value, br_curve_fn *draw, void *ctx,
                                   br_err *err);

/* Branches of cycles along sigma1: amplitude against parameter, for diagrams.  Called with each piece of one
 * stability; the lines run from fold to fold.  At the values of the problem, sigma1 up to the end of the
 * range when it is varied. */
typedef br_status br_branch_fn(void *ctx, int stable, const double *sigma1, const double *v_min,
                               const double *v_max, size_t n);
BR_TRY br_status br_phase_branches(const br_phase *phase, br_branch_fn *draw, void *ctx, br_err *err);

/* Where do motions from a grid of starts end?  cell[i * nv + j] at (z[i], v[j]), v > 0: 0 sticking, 1..3 the
 * sliding equilibria by ascending v, 4 a cycle, 255 undecided. */
BR_TRY br_status br_phase_basins(const br_phase *phase, double value, size_t nz, const double *z, size_t nv,
                                 const double *v, unsigned char *cell, br_err *err);

/* Frictional lag under an imposed velocity v0 + a sin(2 pi f t) that does not reverse (|a| < |v0|): in the
 * periodic state the loop integrals over dv of the friction force and of its elastic part (the force at rest
 * with the same deflection), W, and the mean force, N.  Any model with one axis and one state.  Returns
 * BR_OK, BR_E_RANGE, BR_E_UNSUPPORTED. */
typedef struct {
  double total, elastic, mean;
} br_lag;
BR_TRY br_status br_phase_lag(const br_model *model, const double *par, double v0, double a, double f,
                              br_lag *out, br_err *err);

/* Hopf diagram: Lyapunov coefficient at nv x nF places, lyapunov[i * nF + j] at (v[i], F[j]); sigma2 is what
 * makes v an equilibrium under F; NaN where that is a saddle, needs sigma2 < 0, or rounding decides the sign.
 * Never fails for v > 0. */
BR_TRY br_status br_phase_hopf_diagram(const br_phase_problem *problem, size_t nv, const double *v, size_t nF,
                                       const double *F, double *lyapunov, br_err *err);

/* Where the Lyapunov coefficient vanishes along the sliding equilibria of the problem's own sigma2, for
 * forces between Fa and Fb (0 < Fa): event.value is the force, value2 the sigma1 of that Hopf point.  At most
 * max are stored, *n says how many there are.  A change of sign that rounding could have made is none. */
BR_TRY br_status br_phase_generalized_hopf(const br_phase_problem *problem, double Fa, double Fb, size_t max,
                                           br_phase_event *out, size_t *n, br_err *err);

/* Case map over two parameters (not sigma1): cell[i * n2 + j] is the index of a name in names; progress, if
 * not NULL, is called now and then with the part done (0..1) and stops the work by returning nonzero
 * (BR_INTERRUPTED). */
enum { BR_CASE_NAME = 48, BR_CASE_NAMES = 64 };
typedef struct {
  const char *vary1, *vary2;
  double a1, b1, a2, b2;
  size_t n1, n2;
  int threads; /* 0: as many as there are processors */
  int (*progress)(void *ctx, double done);
  void *ctx;
} br_case_map_settings;
BR_TRY br_status br_phase_case_map(const br_phase_problem *problem, const br_case_map_settings *s,
                                   unsigned char *cell, char names[BR_CASE_NAMES][BR_CASE_NAME],
                                   size_t *n_names, br_err *err);

/* Curves of events in the plane of any two parameters: called with every event at each of n2 values of the
 * second one (event.value is the first parameter, value2 the second; folds of equilibria at both ends of
 * the first where that is sigma1, which does not move them), then with the generalised Hopf points.  n1 is
 * not used.  Fast where one of them is sigma1; else each value of the second is an analysis of its own, in
 * threads. Returns BR_OK, BR_E_ARG, BR_E_NAME, BR_E_RANGE, BR_E_UNSUPPORTED, BR_E_NOMEM, BR_INTERRUPTED. */
typedef br_status br_event_fn(void *ctx, const br_phase_event *event);
BR_TRY br_status br_phase_curves(const br_phase_problem *problem, const br_case_map_settings *s,
                                 br_event_fn *see, void *ctx, br_err *err);

/* ---- any mechanism with two or three states ------------------------------------------------------------ */

/* A mechanism with one contact and a smooth sliding equilibrium.  Blocks are prepared; held: its inputs. */
typedef struct {
  const br_system *system;
  const double *spar;
  const br_model *model;
  const double *mpar;
  const double *held;
  br_stop stop; /* as in br_phase_problem */
} br_phase_plant;
typedef enum { BR_VARY_MODEL, BR_VARY_SYSTEM, BR_VARY_INPUT } br_vary_where;

enum { BR_PHASE_MOST_STATES = 3 };
typedef struct {
  size_t n; /* states: mechanism, then model */
  double x[BR_PHASE_MOST_STATES];
  double v, z; /* contact velocity; first state of the model */
  const char *type;
  double re[BR_PHASE_MOST_STATES], im[BR_PHASE_MOST_STATES]; /* eigenvalues, 1/s */
} br_phase_steady;

/* The sliding equilibrium with slot `slot` of the block `where` set to value (slot -1: as it is), by Newton
 * from a state that moves with the input.  Returns BR_OK, BR_E_CONVERGE, BR_E_UNSUPPORTED (states, axes, no
 * derivatives). */
BR_TRY br_status br_phase_steady_at(const br_phase_plant *plant, br_vary_where where, int slot, double value,
                                    br_phase_steady *out, br_err *err);
/* All of them that Newton's method reaches from many speeds in the direction of the largest input, by
 * ascending speed: at most max are stored, *n says how many there are. */
BR_TRY br_status br_phase_steady_all(const br_phase_plant *plant, br_vary_where where, int slot, double value,
                                     size_t max, br_phase_steady *out, size_t *n, br_err *err);
/* Hopf points of all these along that number from a to b with their Lyapunov coefficient (amplitude of the
 * contact velocity), and folds where two of them meet: at most max, *n says how many.  A change of stability
 * that rounding could have made is none. */
BR_TRY br_status br_phase_hopf_points(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                      double b, size_t max, br_phase_event *out, size_t *n, br_err *err);
/* Where rounding decides whether an equilibrium is stable: in n of the 400 stretches looked at, all between
 * the values from and to.  A Hopf point there would not be listed. */
typedef struct {
  size_t n;
  double from, to;
} br_phase_doubt;
/* The same, and what was left open (doubt may be NULL). */
BR_TRY br_status br_phase_hopf_points_searched(const br_phase_plant *plant, br_vary_where where, int slot,
                                               double a, double b, size_t max, br_phase_event *out, size_t *n,
                                               br_phase_doubt *doubt, br_err *err);
BR_TRY br_status br_phase_fold_points(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                      double b, size_t max, br_phase_event *out, size_t *n, br_err *err);

/* ---- branches of cycles, by continuation
 * ---------------------------------------------------------------- */

/* A cycle at one value of the varied number: a row of the table a bifurcation diagram is drawn from. */
typedef struct {
  double value, period;              /* varied number; s */
  double v_min, v_max, z_min, z_max; /* contact velocity; first state of the model */
  size_t n;                          /* Floquet multipliers besides the 1 along the motion: states - 1 */
  double re[BR_PHASE_MOST_STATES - 1], im[BR_PHASE_MOST_STATES - 1]; /* by descending size */
  int stable;
  double x[BR_PHASE_MOST_STATES]; /* the point of largest contact velocity on it */
} br_phase_row;

/* Why a branch stops. */
#define BR_PHASE_END_LIST(X)                                                                       \
  X(BR_PHASE_END_RANGE, "range")     /* the number leaves a..b; the last row lies on the border */ \
  X(BR_PHASE_END_HOPF, "hopf")       /* the cycle shrinks to an equilibrium */                     \
  X(BR_PHASE_END_LONG, "long")       /* the period grows beyond `longest`: a homoclinic orbit */   \
  X(BR_PHASE_END_CLOSED, "closed")   /* back at the first row */                                   \
  X(BR_PHASE_END_ROWS, "rows")       /* max_rows */                                                \
  X(BR_PHASE_END_STEP, "step")       /* no further step converges */                               \
  X(BR_PHASE_END_GRAZING, "grazing") /* the cycle begins, or ceases, to stick */                   \
  X(BR_PHASE_END_STOPPED, "stopped") /* by progress() */
#define BR_PHASE_END_ENUM(id, text) id,
typedef enum { BR_PHASE_END_LIST(BR_PHASE_END_ENUM) BR_PHASE_ENDS } br_phase_end;
#undef BR_PHASE_END_ENUM
BR_API const char *br_phase_end_name(br_phase_end end);

typedef struct {
  size_t max_rows;  /* per direction; default 400 */
  double tol;       /* local error of the orbit relative to its size; default 1e-10 */
  double step;      /* largest step along the branch, relative to cycle and range; default 0.05 */
  double longest;   /* s; 0 (default): 100 times the shortest period seen */
  const double *at; /* values at which a row is wanted exactly, nat of them; NULL: none */
  size_t nat;       /* at most 64 */
  int (*progress)(void *ctx, double value); /* may be NULL; nonzero stops */
  void *ctx;
} br_phase_branch_settings;
BR_API br_phase_branch_settings br_phase_branch_settings_default(void);

/* Follow the branch of cycles, stable or not, between a and b of the varied number: round folds, with
 * folds of cycles, period doublings and long periods (homoclinic orbits) located.  From a Hopf point as
 * br_phase_hopf_points() found it, or in both directions from a cycle at `value` through x with about the
 * given period (as br_cycle_find() gives them).  *out is NULL on error. Returns BR_OK, BR_E_ARG,
 * BR_E_RANGE, BR_E_UNSUPPORTED, BR_E_CONVERGE (no cycle at the start), BR_E_NOMEM. */
typedef struct br_phase_branch br_phase_branch; /* opaque */
BR_TRY br_status br_phase_branch_from_hopf(const br_phase_plant *plant, br_vary_where where, int slot,
                                           double a, double b, const br_phase_event *hopf,
                                           const br_phase_branch_settings *settings, br_phase_branch **out,
                                           br_err *err);
BR_TRY br_status br_phase_branch_from_cycle(const br_phase_plant *plant, br_vary_where where, int slot,
                                            double a, double b, double value, const double *x, double period,
                                            const br_phase_branch_settings *settings, br_phase_branch **out,
                                            br_err *err);
/* All branches between a and b that can be found: from every Hopf point, then from cycles that motions
 * reach from rest and from speeds of both sides of sliding, at several values of the number, unless a
 * branch found before passes there.  Where the contact holds at rest (BR_MODEL_TRUE_STICK) the latter are the
 * cycles that stick: each passes the point of release, so one arc from there decides; where a cycle begins to
 * stick it grazes v = 0.  At most max; *n says how many, each to be destroyed by the caller.  A Hopf point
 * whose branch cannot be started is left out. */
BR_TRY br_status br_phase_branch_all(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                     double b, const br_phase_branch_settings *settings, size_t max,
                                     br_phase_branch **out, size_t *n, br_err *err);
BR_API void br_phase_branch_destroy(br_phase_branch *branch); /* NULL is fine */
/* Rows in the order of the branch; events (fold_of_cycles, period_doubling, homoclinic, grazing) likewise. */
BR_API const br_phase_row *br_phase_branch_rows(const br_phase_branch *branch, size_t *n);
BR_API const br_phase_event *br_phase_branch_events(const br_phase_branch *branch, size_t *n);
/* Why it stops behind the last row, and (from a cycle) before the first. */
BR_API br_phase_end br_phase_branch_end(const br_phase_branch *branch, int last);

BR_C_END
#endif
