/* SPDX-License-Identifier: Apache-2.0
 * ensemble.h - many motions of one mechanism with one friction model at once, in vector lanes.
 *
 * The members of an ensemble differ in any numbers of the model, of the mechanism, of its inputs or of the
 * start.  Each lane carries one member with a step size of its own (Rodas5P, located reversals); a lane whose
 * member has ended takes the next one.  A member's result depends on nothing but the member: not on its
 * neighbours, their order, the number of threads or the width of the lanes.  A member that fails says why in
 * its own status.
 *
 * Not every pair of mechanism and model has a lane: br_ensemble_check() says so, and bristle/solve.h does
 * those.
 *
 * Units: SI.  Alloc: br_ensemble_run(), and returns it.  Threads: calls are independent of each other. */
#ifndef BR_ENSEMBLE_H
#define BR_ENSEMBLE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
#include "bristle/system.h"
BR_C_BEGIN

/* What a varied number is. */
typedef enum {
  BR_MEMBER_MODEL,  /* index: slot in the model's parameter block (br_param.slot) */
  BR_MEMBER_SYSTEM, /* index: slot in the mechanism's parameter block */
  BR_MEMBER_INPUT,  /* index: 4 * input + BR_MEMBER_WAVE_* */
  BR_MEMBER_START   /* index: state of the plant (order of bristle/solve.h) */
} br_member_of;

typedef struct {
  br_member_of of;
  size_t index;
  const double *values; /* [members] */
} br_member_value;

/* An input in time: value + amplitude sin(2 pi frequency t + phase). */
typedef struct {
  double value, amplitude, frequency, phase; /* unit of the input, the same, Hz, rad */
} br_ensemble_input;
enum { BR_MEMBER_WAVE_VALUE, BR_MEMBER_WAVE_AMPLITUDE, BR_MEMBER_WAVE_FREQUENCY, BR_MEMBER_WAVE_PHASE };

#define BR_ENSEMBLE_F32_RTOL 1e-5 /* the closest that lanes in f32 come */
typedef struct {
  const br_system *sys;
  const br_model *mod;
  const double *spar, *mpar; /* parameter blocks; what is varied is put in and prepare() run per member */
  const br_ensemble_input *inputs; /* [sys->ninput]; NULL: the inputs' defaults, constant */
  const double *x0;                /* start; NULL: zero */
  const br_member_value *vary;
  size_t nvary, members;
  double t0, t1;   /* s, from and to */
  double t_from;   /* s: extremes, counts and time in stick are taken from here on; default t0 */
  double rtol;     /* error per step relative to the size a state has had lately; default 1e-6 */
  double dt;       /* s; > 0: constant steps without error control and without located reversals */
  int exponential; /* 1: with dt, the model's own exact step, the mechanism linearly implicit: first order */
  double stick_speed;         /* m/s: time with a speed below it counts as stick; 0: true stick only */
  const double *stick_speeds; /* [members], m/s: one for each; NULL: stick_speed */
  const double *levels;       /* [members], m/s: velocities whose upward crossings are counted; NULL: none */
  size_t max_steps;           /* tries per member before it is given up; default 1e6 */
  int threads;                /* 0: one per processor */
  int gpu;                    /* 1: on the GPUs of this machine; same bits */
  int single; /* 1: lanes in f32, for rtol from BR_ENSEMBLE_F32_RTOL; parameters and results are f64 all the
                 same */
  br_stop stop;
} br_ensemble;

/* A description with every default set. */
BR_API br_ensemble br_ensemble_default(void);

/* Upward crossings of a level by the velocity of the contact. */
typedef struct {
  size_t count;
  double first, last;       /* s; 0 where there is none */
  double nearest, farthest; /* s between two of them, shortest and longest; 0 where there are less than two */
} br_returns;

/* Where results go: arrays of the caller, each may be NULL.  n = members, nx = br_ensemble_nstate(). */
typedef struct {
  br_status *
      status; /* [n] BR_OK; BR_E_RANGE, BR_E_NAN: its parameters; BR_E_CONVERGE: step size or steps used up */
  double *t;  /* [n] s, time reached: t1 where status is BR_OK */
  double *x;  /* [n][nx] state there */
  double *lo, *hi;     /* [n][nx] extremes of the states; NaN where t_from was not reached */
  size_t *reversals;   /* [n] changes of direction without stick */
  size_t *sticks;      /* [n] how often it came to rest: true stick, or speed falling below stick_speed */
  double *stuck;       /* [n] s in stick */
  size_t *steps;       /* [n] accepted steps */
  br_returns *returns; /* [n] */
  /* of the whole run, for those who measure */
  size_t tries; /* steps tried for members, rejected ones included */
  size_t slots; /* steps that lanes could have tried in that time: tries / slots is their utilisation */
} br_ensemble_result;

/* Is there a lane for this pair at all? */
BR_API int br_ensemble_stamped(const br_system *sys, const br_model *mod);
/* How many GPUs there are for ensembles; name: of the first, or why there is none. */
BR_API int br_ensemble_gpus(size_t size, char *name);
/* Can lanes run this description?  Returns BR_OK, BR_E_ARG (names what), BR_E_RANGE, BR_E_UNSUPPORTED (no
 * lane for the pair or for a feature in use: tabulated curves, positions of a free mechanism; no GPU where
 * one is asked for). */
BR_TRY br_status br_ensemble_check(const br_ensemble *e, br_err *err);
/* Numbers of state of a member: those of the plant of its base parameters.  0: no lane. */
BR_API size_t br_ensemble_nstate(const br_ensemble *e);
/* Run.  Returns BR_OK (also where members failed: see their status), what check() says, BR_E_NOMEM,
 * BR_INTERRUPTED,
 * BR_E_IO (the GPU failed). */
BR_TRY br_status br_ensemble_run(const br_ensemble *e, br_ensemble_result *out, br_err *err);

BR_C_END
#endif
