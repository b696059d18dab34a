/* SPDX-License-Identifier: Apache-2.0
 * trace.h - force of a friction element under prescribed motion u(t).
 *
 * Sampled and straight motion (records, pwl, turning points, ramps): between two samples, or corners, the
 * velocity is held at (u[k+1] - u[k]) / (t[k+1] - t[k]), which is what a recorded motion says and what the
 * exact steps of the models need.  Analytic motion (sine, chirp, formula, profile, smooth record): the states
 * follow u(t) and v(t) themselves, so that rows do not depend on their spacing.  Reversals and corners are
 * located either way, however coarse the samples; a jump of u is crossed at its instant, faster than any
 * speed of the model.
 *
 * Row k holds t[k], u[k], and v, F, z as they are when t[k] is reached (limits from the left, but behind a
 * jump; row 0 has the velocity with which the motion starts).  F = force(u, v, z) holds for the numbers of a
 * row.
 *
 * Units: SI.  Alloc: only br_trace_create().  Threads: a br_trace belongs to one thread at a time. */
#ifndef BR_TRACE_H
#define BR_TRACE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/signal.h"
#include "bristle/status.h"
BR_C_BEGIN

enum { BR_TRACE_AXES = 2 }; /* most axes a model has */

typedef struct br_trace br_trace; /* opaque */

/* Other parameters, of the same number of states, and another load from a time on. */
typedef struct {
  double t; /* s */
  const void *par;
  double load; /* unless a signal drives it */
} br_trace_switch;

typedef struct {
  double t_end;    /* s; 0: two periods, or the natural end of the input, or 1 s */
  double dt;       /* s; 0: a thousandth of the period or of t_end */
  int own_samples; /* 1 and dt = 0: the sample times of the first input, which must be made of samples */
  double load;     /* normal-load factor, >= 0; default 1 */
  const br_signal *load_signal;    /* drives it instead, kept like the inputs; NULL (default): it is `load` */
  const br_trace_switch *switches; /* nswitch of them, times ascending, kept with their blocks; NULL: none */
  size_t nswitch;
  int work; /* 1: rows have the work done so far and the energy stored */
  /* Called at every turning point of a motion of one axis: u, F just before, work so far.  NULL: none. */
  void (*on_turn)(void *ctx, double t, double u, double F, double work);
  double rtol;      /* of the states where they are integrated; default 1e-13 */
  size_t max_steps; /* per piece of held velocity, for models without an exact step; default 200000 */
  const double *z0; /* states at the start, nz0 of them in the order of the names; NULL: zero */
  size_t nz0;
  /* Called now and then, also between rows that are far apart; a non-zero result ends the run
   * (BR_INTERRUPTED).  NULL: none. */
  int (*on_step)(void *ctx, double t);
  void *ctx;
} br_trace_options;

BR_API br_trace_options br_trace_options_default(void);

typedef struct {
  size_t index;    /* 0-based */
  double t;        /* s */
  const double *u; /* m, one per axis */
  const double *v; /* m/s */
  const double *F; /* N */
  const double *z; /* states, br_trace_states() of them */
  double work;     /* J done on the element so far, NaN unless asked for */
  double stored;   /* J in its states, NaN unless asked for and known of the model */
} br_trace_row;

typedef struct {
  size_t pieces;   /* intervals between samples and corners */
  size_t splits;   /* of them ended by a corner inside a sample interval */
  size_t steps;    /* accepted inner steps of the integration; pieces (and jumps) for an exact step */
  size_t rejected; /* inner steps taken back */
} br_trace_stats;

/* Create.  par: prepared parameter block; inputs: one signal per axis of the model.  Model, block and
 * signals are kept, not copied, and must outlive the trace.  opt NULL: defaults.  *out is NULL on error.
 * Returns BR_OK; BR_E_ARG; BR_E_RANGE (t_end, dt, load, rtol; more than 1e12 samples); BR_E_SIZE (nz0);
 * BR_E_UNSUPPORTED (own_samples for an analytic input; work of a model of one's own with slots = 0 whose
 * states are integrated); BR_E_NOMEM. */
BR_TRY br_status br_trace_create(const br_model *m, const void *par, const br_signal *const *inputs,
                                 const br_trace_options *opt, br_trace **out, br_err *err);
BR_API void br_trace_destroy(br_trace *trace); /* NULL is fine */

/* Number of rows, of states in use, and step and end as chosen (dt is 0 with own_samples). */
BR_API size_t br_trace_count(const br_trace *trace);
BR_API size_t br_trace_states(const br_trace *trace);
BR_API double br_trace_dt(const br_trace *trace);
BR_API double br_trace_end(const br_trace *trace);
BR_API br_trace_stats br_trace_statistics(const br_trace *trace);

/* The next row into *row, or *row = NULL behind the last one.  The pointers are good until the next call.
 * Returns BR_OK; BR_E_NAN (time and state in err); BR_E_CONVERGE (time in err); BR_INTERRUPTED.  After an
 * error it stays there. */
BR_TRY br_status br_trace_next(br_trace *trace, const br_trace_row **row, br_err *err);

/* All rows left, up to max, as columns: t[max]; u, v, F: [axes][max]; z: [states][max].  Any may be NULL.
 * *n = rows stored.  Errors as above, *n then counts the good rows. */
BR_TRY br_status br_trace_fill(br_trace *trace, size_t max, double *t, double *u, double *v, double *F,
                               double *z, size_t *n, br_err *err);

/* Force of steady sliding at speed v, N: the velocity is held from z = 0 until the force stays.  Speed 0
 * means its limit from the side of the sign of `side`.  Models with one axis.
 * Returns BR_OK; BR_E_ARG; BR_E_CONVERGE (the force does not settle); BR_E_NOMEM. */
BR_TRY br_status br_steady_force(const br_model *m, const void *par, double load, double v, int side,
                                 double *F, br_err *err);
/* The same, and the states then, nstate(par) of them; states may be NULL. */
BR_TRY br_status br_steady_state(const br_model *m, const void *par, double load, double v, int side,
                                 double *F, double *states, br_err *err);

/* Name of the index-th state number under these parameters, "z" or "z3", into buf, and its unit (may be
 * NULL). Returns buf, or NULL behind the last one. */
BR_API const char *br_state_name(const br_model *m, const void *par, size_t index, size_t size, char *buf,
                                 const char **unit);

BR_C_END
#endif
