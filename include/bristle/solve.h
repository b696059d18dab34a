/* SPDX-License-Identifier: Apache-2.0
 * solve.h - time integration of a mechanism with friction: located reversals, stick and slip, cycles.
 *
 * A br_plant joins a mechanism (bristle/system.h), a friction model in its contacts and the driven inputs.  A
 * br_solver moves it through time.  Velocity reversals, break-away and slip points of spring-slider elements
 * are located and the integration restarts there, so every step sees a smooth field; nothing is smoothed.
 *
 * State vector x of a plant: mechanism states, then the contact positions u where the mechanism has none and
 * the model asks for one, then the model's states contact by contact.
 *
 * Units: SI.  Alloc: only *_create().  Threads: a br_plant is read-only and may be shared; a br_solver
 * belongs to one thread at a time. */
#ifndef BR_SOLVE_H
#define BR_SOLVE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/param.h"
#include "bristle/signal.h"
#include "bristle/status.h"
#include "bristle/system.h"
BR_C_BEGIN

/* ---- plant --------------------------------------------------------------------------------------------- */

/* How one input is driven: by eval(), or held at `value` where eval is NULL.  side < 0 asks for the left
 * limit. next_corner: first time > t where value, rate or a higher derivative jumps, INFINITY when none
 * (NULL: none). */
typedef struct {
  double value;
  void (*eval)(const void *ctx, double t, int side, double *w, double *dw);
  double (*next_corner)(const void *ctx, double t);
  double period; /* s; 0: constant or not periodic */
  const void *ctx;
} br_drive;

/* Drive an input by a signal, which must outlive the plant. */
BR_API br_drive br_drive_signal(const br_signal *signal);

typedef struct br_plant br_plant; /* opaque */

/* Create.  spar and mpar: prepared blocks of sys and mod (copied); drives: one per input of sys (copied;
 * their ctx must outlive the plant), NULL for the inputs' defaults.  sys and mod must outlive the plant.
 * *out is NULL on error.
 * Returns BR_OK, BR_E_ARG (also: a function is missing, a block is not prepared), what check() of sys or mod
 * says,
 * BR_E_UNSUPPORTED (axes do not fit), BR_E_NOMEM. */
BR_TRY br_status br_plant_create(const br_system *sys, const double *spar, const br_model *mod,
                                 const double *mpar, const br_drive *drives, br_plant **out, br_err *err);
/* The same with parameters of its own for every contact: mpars[c], prepared, for contact c of the mechanism.
 * All must give the model the same number of states, and make it the same kind (BR_E_UNSUPPORTED). */
BR_TRY br_status br_plant_create_each(const br_system *sys, const double *spar, const br_model *mod,
                                      const double *const *mpars, const br_drive *drives, br_plant **out,
                                      br_err *err);

/* The mechanism alone, without a model: any ODE of one's own (examples/ode.c).  What motion() gives are
 * outputs then: zeros of v (affine in q) are located as reversals, u (any function of q) stands among the
 * extremes where forces do.  BR_SOLVER_FIXED refuses it (there is no step of a model).  Returns as
 * br_plant_create(). */
BR_TRY br_status br_plant_create_alone(const br_system *sys, const double *spar, const br_drive *drives,
                                       br_plant **out, br_err *err);

/* Parameters of a plant by name: fills tables "model", "system" (where it has parameters), "input" and, for a
 * mechanism that may have several contacts, "contact1".. like "model", and the rows of the input table
 * (sys->ninput; they must outlive the br_params).  At most BR_PLANT_TABLES; returns their number. */
enum { BR_PLANT_TABLES = 3 + 64 };
BR_API size_t br_plant_tables(const br_system *sys, const br_model *mod, br_param *inputs,
                              br_param_table *tables);
/* The plant of finished parameters over these tables: a contact with a value of its own gets its own block.
 * drives NULL: every input is held at its value among the parameters.
 * As br_plant_create(), and BR_E_NAME for a value of a contact that is not there. */
BR_TRY br_status br_plant_of(const br_system *sys, const br_model *mod, const br_params *params,
                             const br_drive *drives, br_plant **out, br_err *err);
/* Drive the normal-load factor of a contact (from 0), which holds a number else: eval() gives it and its
 * rate, its corners are located; drive->eval NULL holds it at drive->value.  The factor must not become
 * negative (advancing then ends with BR_E_RANGE); for models of bristles a driven one below 1e-9 counts as
 * 1e-9, since they divide by their level.  Before a solver is made over the plant.  Returns BR_OK, BR_E_ARG,
 * BR_E_RANGE,
 * BR_E_UNSUPPORTED (states that jump, BR_MODEL_JUMPS), BR_E_NOMEM. */
BR_TRY br_status br_plant_load(br_plant *plant, size_t contact, const br_drive *drive, br_err *err);
/* A factor on that load by the position of the contact (one axis), which takes the place of t: eval() gives
 * it and its slope.  The position becomes a state where the mechanism has none.  Kinks are left to the error
 * control.  Before a solver is made over the plant.  Returns BR_OK, BR_E_ARG, BR_E_UNSUPPORTED, BR_E_NOMEM.
 * */
BR_TRY br_status br_plant_load_along(br_plant *plant, size_t contact, const br_drive *drive, br_err *err);
/* From time t on the plant has the parameters of `then`, which it owns from here on (also on error); a `then`
 * may switch again, later.  States go on as they are.  Work stored or taken by the change counts as work of
 * the inputs.  Returns BR_OK, BR_E_ARG (NULL, times do not ascend), BR_E_UNSUPPORTED (other states or another
 * kind of contact). */
BR_TRY br_status br_plant_switch(br_plant *plant, double t, br_plant *then, br_err *err);
BR_API void br_plant_destroy(br_plant *plant); /* NULL is fine */

BR_API size_t br_plant_nstate(const br_plant *plant); /* length of x */
BR_API const char *br_plant_state(const br_plant *plant,
                                  size_t i); /* name of x[i]: "v", "z", "model.x1" on a clash */
BR_API const char *br_plant_unit(const br_plant *plant, size_t i);
BR_API int br_plant_index(const br_plant *plant, const char *name); /* -1: unknown */
BR_API size_t br_plant_ncontact(const br_plant *plant); /* contacts times axes: number of forces */
/* Index in x of the velocity of contact force k, -1 where it is no state of its own. */
BR_API int br_plant_velocity(const br_plant *plant, size_t k);

/* ---- solver -------------------------------------------------------------------------------------------- */

typedef enum {
  BR_SOLVER_NATIVE, /* chooses Rodas5P or Radau IIA by tolerance */
  BR_SOLVER_RODAS,  /* Rodas5P, order 5: loose tolerances */
  BR_SOLVER_RADAU5, /* Radau IIA, order 5 */
  BR_SOLVER_RADAU9, /* Radau IIA, order 9: tight tolerances */
  BR_SOLVER_FIXED,  /* real-time mode: constant dt, exact bristle step, implicit mechanism; first order */
  BR_SOLVER_CVODE   /* SUNDIALS, where built in: BDF with root finding, the independent check */
} br_solver_kind;

typedef enum {
  BR_EVENT_REVERSAL, /* velocity of a contact changes sign without sticking */
  BR_EVENT_STICK,    /* a true-stick contact comes to rest */
  BR_EVENT_SLIP,     /* a stuck contact breaks away */
  BR_EVENT_ELEMENT,  /* a spring-slider element starts to slip */
  BR_EVENT_USER      /* a user function crosses zero */
} br_event_type;

typedef struct {
  double t; /* s */
  br_event_type type;
  size_t index;    /* contact, or user function */
  int direction;   /* sign of the velocity (user: of the function) behind the event */
  const double *x; /* state there */
} br_event;

typedef struct {
  size_t steps, rejected, rhs, jacobians, events;
  double seconds; /* processor time in the solver */
  size_t rounded; /* of the steps, those whose tolerance was set by rounding and not by rtol and atol */
} br_solve_stats;

typedef struct {
  br_solver_kind kind;
  /* Error per step relative to the size a state has had lately, default 1e-13; never below twice what the
   * rounding of the field makes of the state within the step (stats.rounded). */
  double rtol;
  double atol;         /* default 1e-20, added for every state */
  const double *atols; /* per state of x, instead of atol; NULL: none */
  double dt;           /* s, for BR_SOLVER_FIXED */
  double h0, h_max;    /* s; 0: chosen, unlimited */
  double t_stop;       /* s: no step goes past it, so that events and extremes end there; 0: none */
  size_t max_steps;    /* 0: no limit */
  int energy;          /* 1: book-keeping of work and energy, whose errors count in the step size */
  int extremes;        /* 1: minimum and maximum of every state and contact force */
  int untimed; /* 1: leave stats.seconds alone; asking the clock twice costs more than a short advance */
  int locate;  /* 1 (default): locate events; 0 leaves reversals to the error control (for comparison) */
  /* Users' events: fill g[0..nuser-1]; a sign change is located and reported. */
  size_t nuser;
  void (*user)(void *ctx, double t, const double *x, double *g);
  /* Called at every event; a non-zero result stops br_solver_advance() there (it returns BR_INTERRUPTED). */
  int (*on_event)(void *ctx, const br_event *event);
  /* Called now and then (progress, Ctrl-C); a non-zero result stops likewise. */
  int (*on_step)(void *ctx, double t);
  void *ctx;
} br_solve_settings;

BR_API br_solve_settings br_solve_settings_default(void);

typedef struct br_solver br_solver; /* opaque */

/* Create over a plant, which must outlive the solver.  settings may be NULL.
 * Returns BR_OK, BR_E_ARG, BR_E_RANGE (names the setting), BR_E_UNSUPPORTED (solver not built in),
 * BR_E_NOMEM. */
BR_TRY br_status br_solver_create(const br_plant *plant, const br_solve_settings *settings, br_solver **out,
                                  br_err *err);
BR_API void br_solver_destroy(br_solver *solver); /* NULL is fine */

/* Begin at t with state x (NULL: zero).  Statistics, energies and extremes start anew.
 * Returns BR_OK or BR_E_NAN (names the state). */
BR_TRY br_status br_solver_start(br_solver *solver, double t, const double *x, br_err *err);

/* Advance to exactly t and write the state to x (may be NULL).  t must not lie before the last t asked for;
 * steps are free to run past t, the state there is computed by a step of its own with the full order.
 * Where a given motion jumps at t the state is that before the jump.
 * Returns BR_OK; BR_E_RANGE (a driven load has become negative); BR_E_UNSUPPORTED (a given motion jumps and
 * the force has no limit at infinite speed); BR_INTERRUPTED (a callback stopped it: see br_solver_time);
 * BR_E_CONVERGE (step size underflow or max_steps, with time and state in err); BR_E_NAN. */
BR_TRY br_status br_solver_advance(br_solver *solver, double t, double *x, br_err *err);

BR_API double br_solver_time(const br_solver *solver);           /* time of the last x handed out */
BR_API void br_solver_state(const br_solver *solver, double *x); /* state there */
BR_API void br_solver_force(const br_solver *solver, double *F); /* contact forces there, N */
BR_API void br_solver_rate(const br_solver *solver, double *dx); /* dx/dt there (zero for map states) */
BR_API void br_solver_shown(const br_solver *solver,
                            double *out); /* the mechanism's shown quantities there */
BR_API br_solve_stats br_solver_stats(const br_solver *solver);

/* Work and energy since the start, J.  residual = work_in - (stored - stored at start) - dissipated. */
typedef struct {
  double work_in;    /* by the inputs */
  double stored;     /* in mechanism and contacts now, minus that at the start */
  double dissipated; /* in contacts and dampers */
  double friction;   /* integral of F v: what the mechanism gives to the contacts */
  double residual;   /* what the book does not explain: integration error */
} br_energy;
BR_API br_energy br_solver_energy(const br_solver *solver);

/* Extremes since the start: lo, hi per state of x, then per contact force. */
BR_API void br_solver_extremes(const br_solver *solver, double *lo, double *hi);

/* ---- fixed points and cycles --------------------------------------------------------------------------- */

/* A map to iterate: out = P(x), n numbers.  Returns 0, or non-zero when it cannot be evaluated there. */
typedef int br_map_fn(void *ctx, const double *x, double *out);

typedef struct {
  double tol;     /* accept when |P(x) - x| <= tol * scale in every component; default 1e-11 */
  int warm_up;    /* plain iterations first; default 2 */
  int max_iter;   /* Newton iterations; default 20 */
  double fd_step; /* difference step relative to scale; default 1e-6 */
} br_newton_settings;
BR_API br_newton_settings br_newton_settings_default(void);

/* The one period-map Newton: find x = P(x) from the guess x (overwritten).  scale: size of each component (>
 * 0); work: br_map_newton_work(n) numbers; jac (n*n, row major, may be NULL): dP/dx at the solution;
 * *residual (may be NULL): largest |P(x) - x| / scale.  Returns BR_OK, BR_E_CONVERGE. */
BR_API size_t br_map_newton_work(size_t n);
BR_TRY br_status br_map_newton(br_map_fn *map, void *ctx, size_t n, double *x, const double *scale,
                               const br_newton_settings *settings, double *work, double *jac,
                               double *residual, br_err *err);

/* An attracting cycle of a plant and what is measured on it. */
#define BR_CYCLE_MULTIPLIERS 64
typedef struct {
  double period;         /* s */
  double residual;       /* of the return map, relative to the cycle's size */
  double friction_work;  /* J per period, integral of F v over all contacts */
  double stick_fraction; /* part of the period with |v| of contact 0 below the threshold */
  double threshold;      /* that threshold, m/s */
  br_solve_stats stats;  /* of the whole search */
  int periods;           /* for a driven plant: periods of the input in one cycle */
  int returns;           /* to the section in one cycle: for constant inputs 2 behind a period doubling */
  int rest;              /* 1: no cycle, the motion settles on an equilibrium */
  /* Floquet multipliers besides the 1 along the motion, the largest first: all within the unit circle (1 for
   * a state that nothing pulls anywhere).  0 of them: more than BR_CYCLE_MULTIPLIERS. */
  size_t multipliers;
  double re[BR_CYCLE_MULTIPLIERS], im[BR_CYCLE_MULTIPLIERS];
} br_cycle;

typedef struct {
  double t_transient; /* s simulated before looking; 0: chosen */
  double t_max;       /* s, gives up behind it; 0: chosen */
  double level;       /* section v = level crossed upward; NaN: chosen (the mean velocity) */
  double threshold;   /* of stick_fraction, m/s; 0: none */
  int max_periods; /* returns in one cycle to look for, periods of the input of a driven plant; default 16 */
} br_cycle_settings;
BR_API br_cycle_settings br_cycle_settings_default(void);

/* Find the cycle that the plant settles on from x (NULL: zero): section v = level for constant inputs, the
 * period of the input otherwise.  x0 (nstate numbers, may be NULL) receives the point on the section; lo, hi
 * (nstate + ncontact numbers, may be NULL) the extremes over one period.  Where Newton finds an orbit that
 * the motion does not come closer to, it is followed on.
 * Returns BR_OK; BR_E_CONVERGE (no cycle: cycle->rest and x0 tell the equilibrium it settles on, or nothing
 * was settled until t_max); BR_E_UNSUPPORTED (also: solve->kind is BR_SOLVER_FIXED or BR_SOLVER_CVODE). */
BR_TRY br_status br_cycle_find(const br_plant *plant, const br_solve_settings *solve,
                               const br_cycle_settings *settings, const double *x, br_cycle *cycle,
                               double *x0, double *lo, double *hi, br_err *err);

BR_C_END
#endif
