/* SPDX-License-Identifier: Apache-2.0
 * fit.h - parameters of friction models from measured motion and force.
 *
 * The motion is given, the force predicted: parameters are sought by nonlinear least squares on the train part of a
 * record and judged on the test part.  Sensitivities are exact (complex step of the models' own kernels); additive
 * extras (offset, viscous, stiffness, mass, load) are solved inside.  Intervals count the autocorrelation of what is left.
 * The same record, options and seed give the same numbers for any number of threads.
 *
 * Units: SI.  Alloc: br_fit_create().  Threads: a finished br_fit is read-only and may be shared. */
#ifndef BR_FIT_H
#define BR_FIT_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
#ifdef __cplusplus
extern "C" {
#endif

/* n samples; all finite; t ascending. */
typedef struct {
  size_t n;
  const double *t;    /* s; NULL: a quasi-static record in path order, without rate effects */
  const double *u;    /* m; NULL: the integral of v */
  const double *F;    /* N */
  const double *v;    /* m/s; NULL: derived from u */
  const double *load; /* normal load or pressure, any unit; NULL: none */
} br_fit_record;

typedef struct {
  const char *model;        /* name, or "all" (default) */
  size_t train[2], test[2]; /* samples [from, to); both ends 0: train the first 0.6, test the rest */
  const char *extras;       /* "offset,viscous,stiffness,mass,load", "none"; NULL: the usual */
  const char *fix;          /* "NAME=VALUE,..."; NULL: none */
  const char *free_names;   /* "NAME,...": parameters to fit that are held otherwise (delta, gamma, ...) */
  size_t elements;          /* of maxwell_slip and gms; 0: as many as the data ask for */
  double bandwidth; /* of the derived velocity, Hz; 0: chosen from the noise; infinite: no smoothing */
  unsigned long seed;
  int threads; /* 0: one per processor */
  br_stop stop;
} br_fit_options;
BR_API br_fit_options br_fit_options_default(void);

/* A fitted number; element: -1, or which of a vector. */
typedef struct {
  const char *name, *unit;
  int element;
  double value, low, high; /* 95 % interval; NaN where the data give none */
  int extra;               /* 1: additive, not of the model */
} br_fit_value;

typedef struct {
  const br_model *model;
  const double *block; /* prepared parameters */
  const br_fit_value *values;
  size_t nvalues;
  double rmse_train, rmse_test, rel_test; /* N, N, 1 */
  double aic, bic, seconds;
  double effective; /* independent samples of the train part, by the autocorrelation of the residual */
  double condition; /* of the scaled Jacobian */
  size_t evaluations;
} br_fit_model;

typedef struct br_fit br_fit;
/* Returns BR_OK; BR_E_ARG, BR_E_NAME, BR_E_RANGE, BR_E_SIZE; BR_E_CONVERGE where no model gives a finite force;
 * BR_INTERRUPTED; BR_E_NOMEM.  *out is NULL on error. */
BR_TRY br_status br_fit_create(const br_fit_record *record, const br_fit_options *o, br_fit **out,
                               br_err *err);
BR_API void br_fit_destroy(br_fit *fit); /* NULL is fine */
/* The models tried, best first; index 0 is the recommended one.  NULL behind the last. */
BR_API const br_fit_model *br_fit_at(const br_fit *fit, size_t index);
/* What was done to the data; what should be known; why this model.  NULL behind the last. */
BR_API const char *br_fit_note(const br_fit *fit, size_t index);
BR_API const char *br_fit_warning(const br_fit *fit, size_t index);
BR_API const char *br_fit_reason(const br_fit *fit);
/* Samples of the recommended model: t, u (as used), v, measured and predicted force; n of them. */
typedef struct {
  size_t n;
  const double *t, *u, *v, *F, *fitted;
} br_fit_curve;
BR_API br_fit_curve br_fit_curves(const br_fit *fit);

#ifdef __cplusplus
}
#endif
#endif
