/* SPDX-License-Identifier: Apache-2.0
 * model.h - the run-time face of a friction or hysteresis model.
 *
 * A model is written once, as a kernel header under models/.  Its face is what programs see: names, units,
 * defaults, bounds and function pointers.  Users' own models are the same struct filled by hand and passed by
 * address (see br_duhem for the usual case): there is no global registry to enter.
 *
 * Units: SI.  Alloc: none.  Threads: a br_model and a prepared parameter block are read-only and may be
 * shared.
 * Sign: F > 0 opposes v > 0. */
#ifndef BR_MODEL_H
#define BR_MODEL_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/status.h"
BR_C_BEGIN

/* Properties of document 4, Table I. */
typedef enum { BR_DUHEM_NONE, BR_DUHEM_GENERALIZED, BR_DUHEM_SEMILINEAR } br_duhem_class;
typedef enum { BR_LIPSCHITZ, BR_CONTINUOUS, BR_DISCONTINUOUS } br_continuity;
typedef struct {
  br_duhem_class duhem;
  int rate_dependent; /* does the force depend on how fast the path is run? */
  br_continuity continuity;
} br_class;

enum {
  BR_MODEL_EXACT_STEP = 1, /* step() is exact while v is held */
  BR_MODEL_ENERGY = 2,     /* energy() is defined */
  BR_MODEL_TRUE_STICK = 4, /* holds at v = 0 by itself: breakaway() gives the level, the solver switches */
  BR_MODEL_ELEMENTS = 8,   /* sum of independent elements */
  BR_MODEL_NO_LOAD = 16,   /* the normal-load factor has no meaning here and is ignored */
  BR_MODEL_KINKS = 32,     /* rate() has a kink where a state passes zero (|z|, sgn z) */
  /* states stand still and jump where the position passes a limit that they set themselves: rate() is 0,
   * step() with h = 0 brings them up to date with u (one axis, rate independent) */
  BR_MODEL_JUMPS = 64
};

/* One parameter.  A scalar takes one slot of the block; a vector takes max_len slots and one for its
 * length. */
typedef struct {
  const char *name, *unit, *doc;
  const char *choices; /* "first|second" for a choice (the value is the index); "=v,u" for a formula of these
                          variables, a vector that holds it compiled (bristle/expr.h); NULL otherwise */
  double def;          /* default of a scalar */
  const double *defs;  /* defaults of a vector, ndef of them */
  size_t ndef;
  double lo, hi;        /* allowed range, infinite where unbounded */
  int lo_open, hi_open; /* 1: the bound itself is not allowed */
  size_t slot;          /* index into the block */
  size_t max_len;       /* 1 for a scalar */
  size_t len_slot;      /* slot of a vector's length; unused for a scalar */
} br_param;

typedef struct {
  const char *name, *unit, *doc;
  size_t max_len; /* > 1: name1, name2, ... as many as the parameters ask for */
} br_state;

/* Functions over a parameter block `par` (f64: double[slots]).  n is the normal-load factor, 1 = nominal;
 * u, v, F have `axes` entries; z and dz have nz entries at most, nstate(par) + nmode(par) in use.  rate()
 * reads modes and leaves them; step() updates them, and with h = 0 does only that (dz of a mode is 0). */
typedef void br_rate_fn(const void *par, double n, const double *u, const double *v, const double *z,
                        double *dz);
typedef void br_force_fn(const void *par, double n, const double *u, const double *v, const double *z,
                         const double *dz, double *F);
typedef void br_step_fn(const void *par, double n, const double *u, const double *v, double h, double *z);
/* The same on complex numbers stored as (re, im) pairs: par, n, u, v, z and results are pairs. */
typedef void br_rate_pair_fn(const double *par, const double *n, const double *u, const double *v,
                             const double *z, double *dz);
typedef void br_force_pair_fn(const double *par, const double *n, const double *u, const double *v,
                              const double *z, const double *dz, double *F);
typedef void br_step_pair_fn(const double *par, const double *n, const double *u, const double *v,
                             const double *h, double *z);

/* Required in a model of one's own: name, axes, nstate, nmode, force, and rate (br_trace_create() also takes
 * one that has only step); step where there are modes or BR_MODEL_EXACT_STEP, for BR_SOLVER_FIXED,
 * bristle/control.h and bristle/phase.h, energy with BR_MODEL_ENERGY, breakaway
 * with BR_MODEL_TRUE_STICK, classify with BR_MODEL_ELEMENTS; rows where their count is not 0; of the
 * functions of pairs all or none (step_pair only with BR_MODEL_EXACT_STEP).  Everything else may be NULL or
 * 0.  Functions that take a model check this first: BR_E_ARG, and err names what is missing.  They also call
 * check() and refuse a block that is not prepared, so prepare() must give the same bits when it is called
 * again. */
typedef struct br_model {
  const char *name, *title;
  const char *passive_text; /* condition under which no motion creates energy (with energy() as stored) */
  int axes;                 /* 1 or 2 */
  unsigned flags;           /* BR_MODEL_* */
  const br_param *params;
  size_t nparam, slots; /* slots: numbers in a parameter block, derived ones included */
  const br_state *states;
  size_t nstates_rows, nz; /* rows of `states`; largest number of state numbers, modes included */

  void (*defaults)(void *par);                      /* fill a block with the defaults, not yet prepared */
  br_status (*check)(const void *par, br_err *err); /* ranges and rules; err names the parameter */
  void (*prepare)(void *par);                       /* compute derived numbers; call after every change */
  size_t (*nstate)(const void *par);                /* states in use */
  size_t (*nmode)(const void *par);                 /* discrete modes behind them (0 for most models) */
  void (*classify)(const void *par, br_class *c);
  int (*passive)(const void *par); /* does passive_text hold? */
  br_rate_fn *rate;
  br_force_fn *force;
  br_step_fn *step;
  double (*energy)(const void *par, double n, const double *u, const double *z); /* J; NULL: none defined */
  double (*breakaway)(const void *par, double n); /* N, static level; NULL unless BR_MODEL_TRUE_STICK */
  /* derivatives by complex step; NULL for users' models that do not offer them */
  void (*prepare_pair)(double *par);
  br_rate_pair_fn *rate_pair;
  br_force_pair_fn *force_pair;
  br_step_pair_fn *step_pair;
  /* breakaway() where it depends on place or direction: at u towards a side, 1 or -1; NULL: it does not. */
  double (*breakaway_at)(const void *par, double n, const double *u, int side);
} br_model;

/* All built-in models, in the order of models/models.def; *count receives their number. */
BR_API const br_model *const *br_models(size_t *count);
/* Find a built-in model by name; NULL when unknown. */
BR_API const br_model *br_model_find(const char *name);
/* Find a parameter of a model; NULL when unknown. */
BR_API const br_param *br_model_param(const br_model *m, const char *name);

BR_C_END
#endif
