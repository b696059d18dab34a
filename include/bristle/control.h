/* SPDX-License-Identifier: Apache-2.0
 * control.h - controllers for a mechanism with friction, and the closed loops that judge them.
 *
 * A br_controller is a plain struct: br_control_update() neither allocates nor loops without bound, so it
 * runs on a host and in firmware alike (src/control/kernel.c needs no C library; br_control_export() writes
 * one header for firmware).  The same controller also offers its algebraic output and its state rates, from
 * which the continuous closed loop is built.  What a law needs of mechanism and friction is taken from their
 * faces:
 * matrices of the affine mechanism, rate, force and directional derivatives of the model.
 *
 * Tracked output y is one mechanism state; e = r - y.  With u the mechanism's one input, F the contact force:
 *   relative degree 1: y'  = f + b u        (driven_block v; mass_spring v; dc_motor omega)
 *   relative degree 2: y'' = f + b u        (pulled_block v, through F'; mass_spring x; dc_motor theta)
 *
 * Units: SI.  Alloc: br_control_run() only, nothing that lasts.  Threads: a controller belongs to one
 * thread. */
#ifndef BR_CONTROL_H
#define BR_CONTROL_H
#include <stddef.h>

#include "bristle/control_core.h"
#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/signal.h"
#include "bristle/solve.h"
#include "bristle/status.h"
#include "bristle/system.h"
BR_C_BEGIN

/* By the names of the command line ("feedback_linearization"); -1: unknown.  br_control_name: NULL behind the
 * last. */
BR_API int br_control_find(const char *name);
BR_API const char *br_control_name(size_t i);
/* What is known of a kind: does it place poles (and takes `integral`), does it need a friction model, does it
 * run in a continuous loop? */
BR_API int br_control_places_poles(br_control_kind kind);
BR_API int br_control_needs_model(br_control_kind kind);
BR_API int br_control_runs_continuous(br_control_kind kind);

/* Settings that work on the block of document 1.  injection is NaN there: chosen by br_control_init(). */
BR_API br_control_settings br_control_settings_default(br_control_kind kind);
/* Gain i by name, its place in *s in *value and its meaning: a way to read and list them.  0 behind the
 * last; name, value, unit and doc may be NULL. */
BR_API int br_control_gain(br_control_settings *s, size_t i, const char **name, double **value,
                           const char **unit, const char **doc);

/* Does a law of this kind use the gain of that name? */
BR_API int br_control_uses(br_control_kind kind, const char *gain);

/* Plan and memory of control_core.h, and where mechanism and friction come from.  Plain and visible, so that
 * it can be placed statically.  Set by br_control_init(); only mem changes afterwards. */
typedef struct {
  br_control_settings set;
  const br_system *sys;
  const br_model *mod;
  const double *spar, *mpar, *mpair;
  BR_CONTROL_PLAN(BR_CONTROL_N, BR_CONTROL_I, BR_CONTROL_R_double, BR_CONTROL_A_double)
  br_control_memory mem;
} br_controller;

/* Set up over a mechanism and a model as the controller believes them: prepared blocks spar and mpar; mpair:
 * room for 2 * mod->slots numbers.  All must outlive the controller.  tracked: index of the tracked mechanism
 * state.
 * Returns BR_OK; BR_E_ARG; BR_E_RANGE (names the setting); BR_E_UNSUPPORTED (mechanism, model or law do not
 * fit). */
BR_TRY br_status br_control_init(br_controller *c, const br_control_settings *set, const br_system *sys,
                                 const double *spar, const br_model *mod, const double *mpar, double *mpair,
                                 size_t tracked, br_err *err);
BR_API void br_control_reset(br_controller *c); /* controller states to zero */
BR_API size_t br_control_nstate(const br_controller *c);
/* Is the loop from the bristles' error to e positive real, so that an injection > 0 of the observer cannot
 * destabilise it (docs/control.md)?  0 also where the model is not one of a single bristle. */
BR_API int br_control_passive(const br_controller *c);

/* Sampled: one call every h seconds; u to be held until the next one.  Bounded time, no allocation, |u| <=
 * limit. */
BR_API double br_control_update(br_controller *c, const br_control_ref *ref, const br_control_meas *meas,
                                double h);

/* Continuous: u for controller states x (not limited), and the rates of x when the plant gets u. */
BR_API double br_control_output(const br_controller *c, const br_control_ref *ref,
                                const br_control_meas *meas, const double *x);
BR_API void br_control_rate(const br_controller *c, const br_control_ref *ref, const br_control_meas *meas,
                            double u, const double *x, double *dx);

/* ---- closed loops -------------------------------------------------------------------------------------- */

typedef struct {
  double t, r, y, u, F;
  const double *q, *z; /* states of the mechanism and of the bristles */
} br_control_row;

typedef struct {
  const br_system *sys; /* the plant, which may differ from what the controller believes */
  const double *spar;
  const br_model *mod;
  const double *mpar;
  /* What of mechanism and friction varies: a plant of sys and mod with one contact, whose load may be driven
   * (br_plant_load()) and whose parameters may switch (br_plant_switch()); NULL: nothing. */
  const br_plant *varies;
  const double *q0, *z0; /* initial states; NULL: zero */
  const br_signal *reference;
  double t_end;     /* s */
  double window[2]; /* s, of error_rms; window[1] <= window[0]: the whole run */
  double rtol;      /* of the integration; 0: 1e-13 continuous, 1e-10 sampled */
  double sample;    /* s; 0: continuous */
  double fixed; /* s; a continuous loop by an explicit rule of this step, nothing located; 0: by the solver */
  int fixed_order;     /* of that rule, 1 to 4: Euler, Heun, Bogacki-Shampine, classical Runge-Kutta */
  double delay;        /* s from sample to actuation; sampled loops only */
  const double *noise; /* standard deviation on each measured mechanism state; NULL: none */
  double noise_accel;  /* the same on the measured acceleration */
  unsigned long long seed;
  int judge;        /* 1 (default): look for hunting behind a continuous run whose reference rests */
  double z_scale;   /* factor on the bristle states handed to the controller; 0: 1 */
  double output_dt; /* s between rows; 0: no rows */
  /* A controller of the caller's own, e.g. an exported one, in place of the br_controller, whose settings
   * then only tell what is tracked; sampled loops only.  NULL: none. */
  double (*update)(void *ctx, const br_control_ref *ref, const br_control_meas *meas, double h);
  int (*on_row)(void *ctx, const br_control_row *row); /* non-zero stops */
  int (*on_step)(void *ctx, double t);                 /* now and then; non-zero stops */
  void *ctx;
} br_control_case;
BR_API br_control_case br_control_case_default(void);

typedef enum {
  BR_HUNTING_NOT_ASKED, /* the reference does not rest over the second half of the run */
  BR_HUNTING_FOUND,     /* a fixed point of the return map, by Newton (sampled loop: periods that agree) */
  BR_HUNTING_EXCLUDED,  /* the error falls in every doubling of the time, or all motion has ended */
  BR_HUNTING_UNDECIDED,
  BR_HUNTING_GROWS /* no cycle: the error grows a thousand times beyond the reference */
} br_hunting_verdict;

typedef struct {
  double error_rms, error_max, error_end; /* r - y; at the end with its sign */
  double settling_time; /* s from r's rest until |e| stays within 2 % of it; NaN: never, or r does not rest */
  double rest_from;     /* s, since when the reference rests; NaN: it moves to the end */
  double
      overshoot; /* from there on: largest y beyond that rest, in parts of the way from y(0) to it; 0: none */
  double rest_error_max;            /* largest |e| from there on */
  double rest_error_rms;            /* rms of e from there on */
  double peak_control, rms_control; /* supremum of |u|, one-sided limits included */
  int hunting;                      /* 1: y keeps oscillating although r rests */
  double amplitude, period;         /* of that oscillation, otherwise NaN */
  br_hunting_verdict verdict;       /* and how that is known */
  double residual;                  /* FOUND: of the return map, relative to the cycle; otherwise NaN */
  double multiplier;                /* FOUND: size of the largest Floquet multiplier, < 1: it attracts */
  double decay;                     /* EXCLUDED: factor by which the largest |e| falls per doubling of time */
  size_t steps, reversals;
  double t_stop; /* s, where the run ended */
  double t_lost; /* s, where a loop of fixed step ran away; NaN: it did not */
} br_control_result;

/* Run the loop of a plant and a controller (initialised; reset at the start).
 * Returns BR_OK; BR_INTERRUPTED; BR_E_ARG, BR_E_RANGE; BR_E_UNSUPPORTED (a model with true stick or
 * spring-slider elements in a continuous loop: sample it); BR_E_CONVERGE (the loop runs away, with time and
 * state); BR_E_NOMEM. */
BR_TRY br_status br_control_run(const br_control_case *job, br_controller *c, br_control_result *out,
                                br_err *err);

/* ---- linearised loop ----------------------------------------------------------------------------------- */

enum { BR_CONTROL_LINEAR_MAX = BR_CONTROL_MAX_Q + BR_CONTROL_MAX_Z + BR_CONTROL_MAX_X };

/* Mechanism, bristles and controller together, cut at the input u of the mechanism: x' = A x + B u, the
 * controller asks for C x; row after row, n x n. */
typedef struct {
  size_t n;
  double speed;         /* m/s of the contact */
  double sample, delay; /* s; a sampled controller's hold and delay follow its output */
  double A[BR_CONTROL_LINEAR_MAX * BR_CONTROL_LINEAR_MAX], B[BR_CONTROL_LINEAR_MAX], C[BR_CONTROL_LINEAR_MAX];
  size_t nq, nz; /* of n: mechanism, bristles; the rest is the controller's */
  double x[BR_CONTROL_LINEAR_MAX],
      step[BR_CONTROL_LINEAR_MAX]; /* the state it is taken at, steps of differences */
  br_control_ref ref;
} br_control_linear;

/* Around steady sliding at `speed`, or (0) around stick with relaxed bristles, by central differences; e = 0
 * there.  The case gives the plant, sample and delay; its limit is left out.
 * Returns BR_OK; BR_E_ARG; BR_E_NAN; BR_E_UNSUPPORTED (no such state: true stick, a bare sign, no steady
 * sliding). */
BR_TRY br_status br_control_linearise(const br_control_case *job, const br_controller *c, double speed,
                                      br_control_linear *out, br_err *err);
/* Loop gain L(i omega) = -(asked for)/(given): the closed loop has 1 + L. */
BR_API void br_control_response(const br_control_linear *l, double omega, double *re, double *im);

/* Poles in the z plane of the loop that is sampled (l->sample > 0, delay up to it): the controller's own
 * update over a mechanism whose input is held.  re, im: BR_CONTROL_DISCRETE_MAX numbers; states that nothing
 * touches rest at 0 or 1.  Returns BR_OK; BR_E_ARG; BR_E_UNSUPPORTED; BR_E_CONVERGE; BR_E_NOMEM. */
enum { BR_CONTROL_DISCRETE_MAX = BR_CONTROL_LINEAR_MAX + 2 };
BR_TRY br_status br_control_discrete(const br_control_case *job, const br_controller *c,
                                     const br_control_linear *l, size_t *npole, double *re, double *im,
                                     br_err *err);

typedef struct {
  double crossover;       /* rad/s, where |L| = 1 with the smallest margin; NaN: nowhere */
  double phase_margin;    /* deg, there */
  double delay_margin;    /* s, more delay that the loop bears there */
  double gain_margin;     /* factor by which the gain may grow; NaN: any */
  double gain_margin_low; /* factor (< 1) to which it may fall; NaN: any */
  int stable; /* no pole of the closed loop to the right; of the continuous loop also where it is sampled */
  size_t npole;
  double re[BR_CONTROL_LINEAR_MAX], im[BR_CONTROL_LINEAR_MAX]; /* 1/s, of the continuous closed loop */
  double from, to;                                             /* rad/s, frequencies that matter */
} br_control_margins;
/* Returns BR_OK; BR_E_CONVERGE. */
BR_TRY br_status br_control_margins_of(const br_control_linear *l, br_control_margins *out, br_err *err);

/* ---- comparison ---------------------------------------------------------------------------------------- */

/* Controllers as they are compared: each kind with its default gains, and the variants that matter. */
typedef struct {
  const char *name;
  br_control_settings set;
} br_control_entry;
/* Entry i of the line-up into *entry; 0 behind the last. */
BR_API int br_control_lineup(size_t i, br_control_entry *entry);
/* Slow gains down to what a sample time (s) allows, by one rule: rates of e at most 1/(10 h), of an inner
 * loop and inside a boundary layer 1/(5 h), of a sliding surface 1/(20 h).  Slower gains stay. */
BR_API void br_control_pace(br_control_settings *set, double sample);

/* Run the case in every corner where the controller's parameters names[0..n-1] (n <= 16, model's before
 * mechanism's where both know a name) are wrong by a factor 1 - part or 1 + part; n = 0 is the nominal
 * case.  *worst is the result with the largest error_rms, and *corner (may be NULL) its bits, 1 for the
 * larger factor.  A corner where the loop runs away or breaks down has error_rms = INFINITY and ends the
 * search; one whose factors make no valid parameters is left out.
 * Returns BR_OK or the errors of br_control_init() and br_control_run(); BR_E_NAME for an unknown
 * parameter. */
BR_TRY br_status br_control_corners(const br_control_case *job, const br_control_settings *set,
                                    size_t tracked, const char *const *names, size_t n, double part,
                                    br_control_result *worst, unsigned *corner, br_err *err);

/* Parameters that may be wrong where nobody says which: every number of model and mechanism with a unit that
 * is not zero.  Up to max names; returns how many there are. */
BR_API size_t br_control_uncertain(const br_control_case *job, size_t max, const char **names);

/* Many controllers over the same scenarios. */
typedef struct {
  const br_control_case *job; /* plant, reference, end, window, sample; as ideal as it is given */
  size_t tracked;
  const char *const *names; /* parameters that may be wrong, n <= 12 */
  size_t n;
  double part;                             /* by this part of their value; default 0.2 */
  const double *noise;                     /* of the combined scenario, as in br_control_case */
  double noise_accel, limit, delay;        /* the same; limit: INFINITY, delay: one sample */
  size_t samples;                          /* Monte Carlo; 0: none */
  unsigned long long seed;                 /* of the draws; default 1 */
  int threads;                             /* 0: one per processor; the numbers are the same for any */
  int (*progress)(void *ctx, double done); /* may be NULL; non-zero interrupts */
  void *ctx;
} br_control_comparison;
BR_API br_control_comparison br_control_comparison_default(void);

/* rms of e over the window; INFINITY: runs away; NAN: not run (does not fit the mechanism, no samples). */
typedef struct {
  double nominal;
  double worst;    /* of all corners of the n parameters */
  double combined; /* friction parameters off together, all up or all down, with noise, limit and delay */
  double hardest;  /* the same in every corner of the friction parameters */
  unsigned worst_corner, hardest_corner;
  double median, high; /* Monte Carlo: all n parameters drawn evenly within +-part, noise, limit and delay; */
                       /* high: 95 % lie below */
  size_t drawn, lost;  /* valid draws; those with more error than the reference itself */
  double effort;       /* rms of u, nominal */
} br_control_score;

/* Scores of count controllers.  Returns BR_OK; BR_INTERRUPTED; BR_E_ARG; BR_E_RANGE; BR_E_NAME; BR_E_NOMEM;
 * errors of br_control_run(). */
BR_TRY br_status br_control_compare(const br_control_comparison *what, const br_control_entry *list,
                                    size_t count, br_control_score *scores, br_err *err);

/* ---- map of hunting ------------------------------------------------------------------------------------ */

/* A gain ("ki"), a parameter ("sigma1") or the ratio of two parameters ("Fs/Fc", which moves the first), from
 * a to b in even steps.  For laws that place poles with integral action "ki" is the gain from the integral of
 * e to u, and the third pole follows. */
typedef struct {
  const char *name;
  double a, b;
} br_control_axis;

typedef struct {
  const br_control_case *job; /* continuous; its reference rests over the second half */
  const br_control_settings *set;
  const double *spar, *mpar; /* what the controller believes; NULL: the plant's */
  size_t tracked;
  br_control_axis x, y;
  size_t nx, ny;                           /* 1 to 1000 */
  int threads;                             /* 0: one per processor; the numbers are the same for any */
  int (*progress)(void *ctx, double done); /* may be NULL; non-zero interrupts */
  void *ctx;
} br_control_map;

/* Verdict, amplitude and period in every cell[i * ny + j], column i of x, row j of y.  A loop that runs away
 * or breaks down has error_rms = INFINITY.
 * Returns BR_OK; BR_INTERRUPTED; BR_E_ARG; BR_E_NAME; BR_E_RANGE (names the parameter); BR_E_NOMEM; errors of
 * br_control_init() and br_control_run(). */
BR_TRY br_status br_control_hunting_map(const br_control_map *map, br_control_result *cell, br_err *err);

/* What a cell says. */
typedef enum {
  BR_OUTCOME_HUNTS,
  BR_OUTCOME_SETTLES,
  BR_OUTCOME_UNDECIDED,
  BR_OUTCOME_AWAY,
  BR_OUTCOMES
} br_control_outcome;
BR_API br_control_outcome br_control_outcome_of(const br_control_result *cell);
BR_API const char *br_control_outcome_text(br_control_outcome outcome); /* "hunts", ..., "runs away" */
/* The observer with integral action to set beside a controller that has none: its poles are those of the
 * settings (own_poles 1), or those that kp and kd of a pid mean for a mass without friction, made real, or
 * the observer's own.  0: the controller knows friction already, or its gains mean no poles. */
BR_API int br_control_observer_beside(const br_controller *c, int own_poles, br_control_settings *observer);

/* ---- tuning -------------------------------------------------------------------------------------------- */

/* Place of a gain in *set by its name (those of br_control_gain(), and "pole1" to "pole3"); NULL: unknown. */
BR_API double *br_control_gain_find(br_control_settings *set, const char *name);
/* Gain i that counts for these settings; NULL behind the last. */
BR_API const char *br_control_gain_name(const br_control_settings *set, size_t i);

/* Cost: the mean of rms e + weight * rms u over the nominal case and cases with wrong parameters.  Those are
 * all corners of the names; where there are none, the friction model's numbers off together, up and down. */
typedef struct {
  const br_control_case *job; /* rms of e over its window */
  size_t tracked;
  const char *const *gains; /* at most 8, all > 0 (poles: < 0) at the start */
  size_t ngain;
  const char *const *names; /* n <= 8 */
  size_t n;
  double part;      /* default 0.2; 0: nominal case only */
  double weight;    /* unit of y per unit of u; default 1e-4 */
  double span;      /* each gain stays within a factor of this around its start; default 100 */
  size_t max_evals; /* of the cost; default 200 */
  int threads;      /* 0: one per processor; the numbers are the same for any */
  int (*progress)(void *ctx, double done); /* may be NULL; non-zero interrupts */
  void *ctx;
} br_control_tuning;
BR_API br_control_tuning br_control_tuning_default(void);

typedef struct {
  double before, after; /* cost; INFINITY: a loop runs away */
  size_t evaluations;
  int converged; /* 0: max_evals came first */
} br_control_tuned;

/* Look for better gains by a Nelder-Mead search in their logarithms, restarted once from its result; the
 * same numbers every time.  *set holds the start and receives the best gains found, never worse ones.  The
 * limit |u| <= set->limit holds in every run.
 * Returns BR_OK; BR_INTERRUPTED; BR_E_ARG; BR_E_NAME; BR_E_RANGE; BR_E_NOMEM; errors of br_control_init(). */
BR_TRY br_status br_control_tune(const br_control_tuning *what, br_control_settings *set,
                                 br_control_tuned *out, br_err *err);

/* ---- export -------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;  /* C identifier that all names of the header start with */
  int f32;           /* 1: single precision */
  double sample;     /* s, of the self-test, and offered as NAME_SAMPLE */
  const char *about; /* a line or more for the comment on top, e.g. the command; NULL: none */
} br_control_export_options;
BR_API br_control_export_options br_control_export_default(void);

/* Write the controller (initialised, on a built-in model) as one C99 / C++17 header: no allocation, no C
 * library, parameters baked in, with a self-test.  It holds the same source text this library is made of.
 * put receives the text in pieces; non-zero stops.
 * Returns BR_OK; BR_INTERRUPTED; BR_E_ARG; BR_E_NAME (not an identifier); BR_E_RANGE; BR_E_UNSUPPORTED (the
 * model is the caller's own). */
BR_TRY br_status br_control_export(const br_controller *c, const br_control_export_options *o,
                                   int (*put)(void *ctx, const char *text, size_t n), void *ctx, br_err *err);
/* The same for a friction model alone: the stepper of bristle/rt.h for one built-in model with its prepared
 * block. */
BR_TRY br_status br_model_export(const br_model *m, const double *par, const br_control_export_options *o,
                                 int (*put)(void *ctx, const char *text, size_t n), void *ctx, br_err *err);

BR_C_END
#endif
