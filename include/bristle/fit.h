/* SPDX-License-Identifier: Apache-2.0
 * fit.h - parameters of friction models from measured motion and force.
 *
 * The motion is given, the force predicted: parameters are sought by nonlinear least squares on the train
 * part of a record and judged on the test part.  Sensitivities are exact (complex step of the models' own
 * kernels); additive extras (offset, viscous, stiffness, mass, load) are solved inside.  Intervals count the
 * autocorrelation of what is left.  The same record, options and seed give the same numbers for any number of
 * threads.
 *
 * Units: SI.  Alloc: br_fit_create().  Threads: a finished br_fit is read-only and may be shared. */
#ifndef BR_FIT_H
#define BR_FIT_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
#include "bristle/system.h"
BR_C_BEGIN

/* n samples; all finite; t ascending. */
typedef struct {
  size_t n;
  const double *t;    /* s; NULL: a quasi-static record in path order, without rate effects */
  const double *u;    /* m; NULL: the integral of v */
  const double *F;    /* N */
  const double *v;    /* m/s; NULL: derived from u */
  const double *load; /* normal load or pressure, any unit; NULL: none */
  size_t axes;        /* 2: a motion in the plane; u, F and v hold pairs; 0 is 1 */
} br_fit_record;

/* Where a long fit keeps what it has found, so that the same question can go on after a stop: texts by key,
 * without line breaks.  get: NULL where there is none. */
typedef struct {
  const char *(*get)(void *ctx, const char *key);
  br_status (*put)(void *ctx, const char *key, const char *text, br_err *err);
  void *ctx;
} br_fit_memory;

typedef struct {
  const char *model;        /* name, or "all" (default) */
  size_t train[2], test[2]; /* samples [from, to); both ends 0: train the first 0.6, test the rest */
  const char *extras;       /* "offset,viscous,stiffness,mass,load", "none"; NULL: the usual */
  const char *fix;          /* "NAME=VALUE,..."; NULL: none */
  const char *guess;        /* "NAME=VALUE,...": where the search starts, instead of starts from the data */
  const char *loss;         /* "squares" (NULL), "huber", "cauchy": outliers count less */
  const char *intervals;    /* "covariance" (NULL) or "profile", which knows curved valleys */
  const char *free_names;   /* "NAME,...": parameters to fit that are held otherwise (delta, gamma, ...) */
  size_t elements;          /* of maxwell_slip and gms; 0: as many as the data ask for */
  double bandwidth; /* of the derived velocity, Hz; 0: chosen from the noise; infinite: no smoothing */
  unsigned long seed;
  int threads; /* 0: one per processor */
  br_stop stop;
  const br_fit_memory *memory; /* models that are found; NULL: none.  Called from several threads at once */
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
/* Returns BR_OK; BR_E_ARG, BR_E_NAME, BR_E_RANGE, BR_E_SIZE; BR_E_CONVERGE where no model gives a finite
 * force;
 * BR_INTERRUPTED; BR_E_NOMEM.  *out is NULL on error. */
BR_TRY br_status br_fit_create(const br_fit_record *record, const br_fit_options *o, br_fit **out,
                               br_err *err);
BR_API void br_fit_destroy(br_fit *fit); /* NULL is fine */
/* The models tried, best first; index 0 is the recommended one.  NULL behind the last. */
BR_API const br_fit_model *br_fit_at(const br_fit *fit, size_t index);
/* Why a model of all was left out; NULL behind the last. */
BR_API const char *br_fit_left_out(const br_fit *fit, size_t index, const br_model **model);
/* What was done to the data; what should be known; why this model.  NULL behind the last. */
BR_API const char *br_fit_note(const br_fit *fit, size_t index);
BR_API const char *br_fit_warning(const br_fit *fit, size_t index);
BR_API const char *br_fit_reason(const br_fit *fit);
/* Samples of the recommended model: t, u (as used), v, measured and predicted force; n of them.  Two axes:
 * all hold pairs, t the same number twice. */
typedef struct {
  size_t n;
  const double *t, *u, *v, *F, *fitted;
  size_t axes;
} br_fit_curve;
BR_API br_fit_curve br_fit_curves(const br_fit *fit);

/* ---- several records, some parameters the same in all ---- */

typedef struct {
  size_t train[2], test[2];
} br_fit_parts;
typedef struct {
  br_fit_options fit;        /* one model */
  const br_fit_parts *parts; /* of every record; NULL: those of fit */
  const char *shared;        /* "sigma0,vs": the same in all records, the rest is each one's own */
  const char *per_file;      /* or the other way round; terms beside the model are always each one's own */
} br_fit_joint_options;
typedef struct {
  double rmse_train, rmse_test, rel_test; /* over all records */
  size_t evaluations;
} br_fit_joint_facts;
typedef struct br_fit_joint br_fit_joint;
/* One fit of one model to n records.  Every record is weighed by what its force scatters by.  Errors as
 * br_fit_create(). */
BR_TRY br_status br_fit_joint_create(const br_fit_record *records, size_t n, const br_fit_joint_options *o,
                                     br_fit_joint **out, br_err *err);
BR_API void br_fit_joint_destroy(br_fit_joint *joint); /* NULL is fine */
/* Of record i: its parameters, shared ones among them, with intervals, its errors; NULL behind the last. */
BR_API const br_fit_model *br_fit_joint_at(const br_fit_joint *joint, size_t i);
BR_API int br_fit_joint_shared(const br_fit_joint *joint, const char *name);
BR_API br_fit_joint_facts br_fit_joint_get(const br_fit_joint *joint);
BR_API const char *br_fit_joint_note(const br_fit_joint *joint, size_t i, size_t k);
BR_API br_fit_curve br_fit_joint_curves(const br_fit_joint *joint, size_t i);

/* ---- force, current or voltage given, motion predicted ---- */

/* Something measured of the mechanism: "position" or "velocity" of its first contact, or the name of a state.
 * */
typedef struct {
  const char *name;
  const double *y; /* n samples, SI */
} br_motion_channel;
enum { BR_MOTION_CHANNELS = 8 };
typedef struct {
  size_t n;
  const double *t; /* s, ascending */
  const br_system *system;
  const double *const *inputs; /* one for each input of the mechanism; NULL: held at its value */
  const br_motion_channel *measured;
  size_t nmeasured; /* 1 .. BR_MOTION_CHANNELS; errors are told in units of the first */
} br_motion_record;

typedef struct {
  const char *model;        /* name, or "all" */
  size_t train[2], test[2]; /* as above */
  const char *fix;          /* parameters of model and mechanism and inputs that are known */
  const char *start;        /* values to start from, "m=90,Fc=15"; NULL: from the record */
  const char *free_names; /* more of the model; of the mechanism: these alone.  NULL: all of the mechanism */
  int no_bias;            /* 1: no unknown bias of the first driven input */
  size_t elements;        /* as above; 0: 2 */
  int hold;               /* 1: inputs are held between samples, as a sampled controller does; 0: straight */
  double window;          /* s, length of the pieces; 0: one run; < 0 (default): chosen */
  int threads;
  br_stop stop;
  const br_fit_memory *memory; /* of searches: the same record and options go on from it; NULL: none */
  void (*progress)(void *ctx, double part); /* with model "all", after each; NULL: none */
  void *progress_ctx;
} br_motion_options;
BR_API br_motion_options br_motion_options_default(void);

typedef struct {
  const br_model *model;
  const double *model_block, *system_block; /* prepared */
  const br_fit_value *values;
  size_t nvalues;
  double rmse_train, rmse_test, rel_test; /* of the first channel */
  double rmse_free;                       /* on the test part, of one run from the start of the train part */
  double aic, bic, seconds, effective, condition;
  const double
      *start; /* states of the mechanism at the start of the train part, and behind them its position */
  size_t evaluations, pieces; /* pieces of the train part with start values of their own; 1: one run */
  double window;              /* s, length of a piece */
} br_motion_model;

typedef struct br_motion_fit br_motion_fit;
/* The parameters of a model and of the mechanism around it with which its motion, computed by the solver from
 * the recorded inputs, leaves least of the measured motion.  Errors as of br_fit_create(). */
BR_TRY br_status br_motion_fit_create(const br_motion_record *record, const br_motion_options *o,
                                      br_motion_fit **out, br_err *err);
BR_API void br_motion_fit_destroy(br_motion_fit *fit);                                  /* NULL is fine */
BR_API const br_motion_model *br_motion_fit_at(const br_motion_fit *fit, size_t index); /* best first */
BR_API const char *br_motion_fit_left_out(const br_motion_fit *fit, size_t index, const br_model **model);
BR_API const char *br_motion_fit_note(const br_motion_fit *fit, size_t index);
BR_API const char *br_motion_fit_warning(const br_motion_fit *fit, size_t index);
/* n samples of channel c as predicted by the best: in pieces, or in one run; NaN outside of train and test
 * part. */
BR_API const double *br_motion_fit_curve(const br_motion_fit *fit, size_t channel);
BR_API const char *br_motion_fit_unit(const br_motion_fit *fit, size_t channel);

/* ---- an experiment ---- */

typedef struct {
  const char *model;    /* name */
  const char *values;   /* rough parameters, "sigma0=1e5,Fc=10"; the rest has the model's defaults */
  const char *fix;      /* parameters that are known and need no experiment */
  double stroke, speed; /* m between the ends, m/s: limits of the motion */
  double t_end;         /* s */
  double noise;         /* N, standard deviation of the measured force; 0: a hundredth of its largest value */
  size_t samples;       /* 0: 1500 */
  unsigned long seed;
  br_stop stop;
} br_design_options;
typedef struct br_design br_design;
/* A motion within the limits that tells most about the parameters: several sines or straight pieces,
 * whichever has the larger determinant of Fisher's information, offset (and a viscous term where the model
 * has none) being unknown too.  Returns BR_OK; BR_E_NAME, BR_E_RANGE, BR_E_ARG, BR_E_SIZE; BR_INTERRUPTED;
 * BR_E_NOMEM.  *out is NULL on error. */
BR_TRY br_status br_design_create(const br_design_options *o, br_design **out, br_err *err);
BR_API void br_design_destroy(br_design *design);            /* NULL is fine */
BR_API const char *br_design_input(const br_design *design); /* for --input */
/* Intervals of 95 % that a fit of such a record is expected to have. */
BR_API const br_fit_value *br_design_values(const br_design *design, size_t *n);
typedef struct {
  const char *kind;             /* "multisine", "straight" */
  double log_det, log_det_sine; /* of the information, natural logarithm: of this motion, of a plain sine */
  double gain; /* geometric mean over the parameters of the ratio of both standard deviations */
  double noise, stroke, speed; /* N, m, m/s, as used */
  size_t n;
  const double *t, *u, *v, *F; /* the experiment */
} br_design_facts;
BR_API br_design_facts br_design_get(const br_design *design);

BR_C_END
#endif
