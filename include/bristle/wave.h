/* SPDX-License-Identifier: Apache-2.0
 * wave.h - loops of a motion in its own time, and how they approach the quasi-static limit.
 *
 * loop.h knows only turning points; here the speed along u(t) counts.  Running the input `scale` times slower
 * (document 0: gamma) brings the loop of any model to its quasi-static limit.  Behind a first-order filter
 * tau dy/dt = F - y (document 0, system 15) this holds as well.
 *
 * Units: SI.  Alloc: br_wave_create.  Threads: a br_wave never changes after creation. */
#ifndef BR_WAVE_H
#define BR_WAVE_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/loop.h"
#include "bristle/model.h"
#include "bristle/signal.h"
#include "bristle/status.h"
BR_C_BEGIN

typedef struct {
  double t;          /* s of the input's own time, 0 < t < its period */
  const double *par; /* prepared block that holds from then on, in every period */
  double load;
} br_wave_switch;

typedef struct {
  double scale; /* > 0; physical time = scale * t of the input; default 1 */
  double tau;   /* s; filter behind the force, 0 = none (default) */
  double load;  /* normal-load factor; default 1 */
  const br_signal
      *load_signal; /* drives it instead, in the input's own time, whole periods of it in one of the
                                   input; NULL (default): it is `load` */
  double rtol;      /* default 1e-12 */
  size_t samples;   /* per period, at least 8; default 400 */
  size_t periods; /* 0: the steady loop (default); else the response from the zero state at t = 0 over so many
                     periods */
  br_stop stop;   /* default never */
  const double
      *z0; /* nstate numbers: states at t = 0 of a response (periods > 0) and of br_rate_distance(); NULL
                       (default): zero.  Read while the function runs */
  const br_wave_switch
      *switches; /* in order of time; the period begins with `par` and `load` again, states go on */
  size_t nswitch;
} br_wave_settings;
BR_API br_wave_settings br_wave_settings_default(void);

typedef struct br_wave br_wave;

typedef struct {
  size_t n;            /* samples, the last one closes the period */
  const double *t;     /* s, input's own time within one period */
  const double *u, *y; /* m, N; at a corner y is the left limit */
  double work;         /* J, integral of y du over all samples */
  double contraction, error;
  int iterations;
  /* the same as in loop.h, for the steady loop only; dissipation is NaN behind a filter */
  double path_length, dissipation;
  size_t n_turning, n_minor;
  const br_turning *turning;
  const br_minor *minor;
  double y_min, y_max; /* N: extremes over the steady loop, one-sided limits included, not of the samples */
} br_wave_result;

/* Response to a periodic input, steady unless periods is set.  BR_E_ARG: the input has no period;
 * BR_E_CONVERGE: no steady loop; BR_INTERRUPTED. */
BR_TRY br_status br_wave_create(const br_model *m, const double *par, const br_signal *input,
                                const br_wave_settings *s, br_wave **out, br_err *err);
BR_API void br_wave_destroy(br_wave *wave); /* NULL is fine */
BR_API const br_wave_result *br_wave_get(const br_wave *wave);

typedef struct {
  double scale;        /* gamma */
  double transient;    /* sup over t >= 0 of |y_gamma - y*|, both from z0, one-sided limits included,
                       N */
  double transient_at; /* s of the input's own time */
  double steady;       /* the same over the last period looked at, N */
  int periods;         /* periods until both repeat */
  double graph; /* Hausdorff distance of the settled graphs (u, y): u in units of the width, y of the height
                          of the limit loop; NaN where that has none */
} br_rate_row;

/* Distance between the response at each time scale and the quasi-static limit.  BR_E_CONVERGE: no steady
 * response within 400 periods; BR_INTERRUPTED; errors of br_wave_create(). */
BR_TRY br_status br_rate_distance(const br_model *m, const double *par, const br_signal *input,
                                  const br_wave_settings *s, size_t n, const double *scales,
                                  br_rate_row *rows, br_err *err);

BR_C_END
#endif
