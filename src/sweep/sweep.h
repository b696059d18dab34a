/* SPDX-License-Identifier: Apache-2.0
 * sweep.h - what the files of an ensemble share: the members, what is measured of each, how they are kept. */
#ifndef BRI_SWEEP_SWEEP_H
#define BRI_SWEEP_SWEEP_H
#include <stdint.h>

#include "bristle/analysis.h"
#include "bristle/unit.h"
#include "journal.h"

enum { BRI_SWEEP_NAME = 64, BRI_SWEEP_AXES = 32, BRI_SWEEP_MEASURES = 64 };

/* ---- design.c: which members there are ---- */

typedef enum { BRI_SWEPT_SET, BRI_SWEPT_INIT, BRI_SWEPT_INPUT } bri_swept;
typedef enum { BRI_LAW_UNIFORM, BRI_LAW_NORMAL, BRI_LAW_LOGNORMAL } bri_law;

/* A swept number. */
typedef struct {
  char name[BRI_SWEEP_NAME];   /* as written: the name of its column */
  char target[BRI_SWEEP_NAME]; /* parameter or state; of an input: its name, "" where there is one */
  char number[BRI_SWEEP_NAME]; /* of an input: letter or place of the number in its spec */
  bri_swept of;
  const char *unit; /* of the column, SI; "1": none or not known yet; lasts */
  int has_unit;
  br_unit written; /* of its numbers, where has_unit */
  bri_law law;     /* of a drawn one: from a to b, or mean a and deviation b (of the logarithm) */
  double a, b;
  double *values; /* of a list or file */
} bri_axis;

/* What varies together: a grid or a list has one axis, a file and a drawn sample several. */
typedef enum { BRI_FACTOR_GRID, BRI_FACTOR_LIST, BRI_FACTOR_FILE, BRI_FACTOR_DRAWN } bri_factor_kind;
typedef struct {
  bri_factor_kind kind;
  uint64_t n; /* values, rows or draws */
  size_t first, count;
  int log;
} bri_factor;

typedef enum { BRI_DRAW_RANDOM, BRI_DRAW_LATIN, BRI_DRAW_SOBOL } bri_draw_kind;

/* Every combination of the factors is a member; the last factor runs fastest. */
typedef struct {
  bri_axis axis[BRI_SWEEP_AXES];
  bri_factor factor[BRI_SWEEP_AXES];
  size_t naxis, nfactor;
  uint64_t members, seed;
  bri_draw_kind draw;
} bri_design;

/* From the options of the job; where they are wrong: BR_E_PARSE, BR_E_ARG, BR_E_RANGE, and what reading a
 * file says. */
BR_CHECKED br_status bri_design_read(const br_job *job, bri_design *d, br_err *err);
void bri_design_free(bri_design *d);
void bri_design_values(const bri_design *d, uint64_t member, double *values);

/* sample.c: number k of n draws for an axis, in (0, 1); the value with this share of a normal law below it.
 * */
double bri_sweep_draw(bri_draw_kind kind, uint64_t seed, size_t axis, uint64_t k, uint64_t n);
double bri_sweep_quantile(double share);
enum { BRI_SOBOL_AXES = 16 };

/* ---- ask.c: one member as a job of 'simulate' ---- */

#define BRI_SWEPT_WHERE "swept"
/* Place of a number of an input of this kind, from 0, by its letter or counted from 1; -1: there is none. */
int bri_sweep_place(const char *kind, size_t length, const char *number);
/* Which of the swept names are parameters, and which states. */
void bri_sweep_sort(const br_job *job, bri_design *d);
/* The job of a member, checked; `path` also sets what numbers under a path need.  Errors of br_job_check().
 * */
BR_CHECKED br_status bri_sweep_member(const br_job *sweep, const bri_design *d, const double *values,
                                      const char *path, br_job **out, br_err *err);
void bri_sweep_member_free(br_job *job);
/* Values of a member that can be run stand for the swept numbers in the job itself, so that it can be
 * checked. */
BR_CHECKED br_status bri_sweep_stand_in(br_job *sweep, const bri_design *d, br_err *err);

/* ---- measure.c: what is measured ---- */

typedef enum {
  BRI_MEASURE_MIN,
  BRI_MEASURE_MAX,
  BRI_MEASURE_END,
  BRI_MEASURE_PERIOD,
  BRI_MEASURE_STICK,
  BRI_MEASURE_RETURNS,
  BRI_MEASURE_EVENTS,   /* all */
  BRI_MEASURE_REVERSAL, /* of one type, in the order of br_event_type */
  BRI_MEASURE_STICKS,
  BRI_MEASURE_SLIPS,
  BRI_MEASURE_ELEMENTS,
  BRI_MEASURE_WORK,
  BRI_MEASURE_FRICTION,
  BRI_MEASURE_DISSIPATED,
  BRI_MEASURE_REGIME,
  BRI_MEASURE_LYAPUNOV,
  BRI_MEASURE_STEPS,
  BRI_MEASURE_PATH,
  BRI_MEASURE_FORMULA
} bri_measure_kind;

typedef struct {
  bri_measure_kind kind;
  char name[BRI_SWEEP_NAME];
  const char *unit; /* lasts longer than the answer */
  char path[96];
  size_t index; /* of the state, or nstate + force */
  double *code; /* of a formula of the measures before it and the swept numbers */
  size_t length;
} bri_measure;

/* Ways in which a member ends. */
enum {
  BRI_MEMBER_OK,
  BRI_MEMBER_RANGE,
  BRI_MEMBER_CONVERGE,
  BRI_MEMBER_NAN,
  BRI_MEMBER_UNSUPPORTED,
  BRI_MEMBER_ENDS
};
extern const char *const bri_member_end[BRI_MEMBER_ENDS];
int bri_member_end_of(br_status st);

/* Motions that a run ends in. */
enum { BRI_REGIME_REST, BRI_REGIME_STEADY, BRI_REGIME_PERIODIC, BRI_REGIME_IRREGULAR, BRI_REGIMES };
extern const char *const bri_regime[BRI_REGIMES];

typedef struct {
  const br_job *job; /* the sweep's, checked */
  bri_design design;
  bri_measure measure[BRI_SWEEP_MEASURES];
  size_t nmeasure;
  size_t nstate, nforce; /* of the plant */
  int v;                 /* state: velocity of the first contact; -1: none */
  double t_end, t_from;  /* s: the run; what is measured begins at t_from */
  double rtol, atol;
  double dt;        /* s: constant steps; 0: chosen */
  size_t points;    /* kept of the section, each of 1 + nstate numbers: t and state */
  double strobe;    /* s between points; 0: the period of a drive, or v through the level, upward */
  int driven;       /* by something periodic */
  size_t width;     /* numbers of a member: measures, points, end */
  int lanes;        /* 1: vector lanes run it */
  int gpu;          /* cards that do it, each some blocks; 0: the CPU */
  int single;       /* 1: in f32 */
  char device[160]; /* where it runs, */
  char word[240];   /* and why not where it was to run; "" */
  br_stop stop;
} bri_sweep;

BR_CHECKED br_status bri_measures_read(bri_sweep *s, br_err *err);
void bri_measures_free(bri_sweep *s);
/* Formulas of a row whose other measures stand. */
void bri_measures_formulas(const bri_sweep *s, const double *values, double *row);

/* ---- member.c: one member by the ordinary solver; row: its numbers.  BR_INTERRUPTED, BR_E_NOMEM; how the
 * member itself ended stands in the row, and in *why (may be NULL). ---- */
BR_CHECKED br_status bri_member_run(const bri_sweep *s, uint64_t member, double *row, br_err *why,
                                    br_err *err);

/* Level of the section and speed that counts as slow (0: none), from what a member has of vp and vs; NaN: it
 * has none. */
void bri_sweep_levels(const bri_sweep *s, double vp, double vs, double *level, double *slow);
/* The motion by the extremes of the velocity, the level, and its returns: how many, how far apart. */
int bri_sweep_regime(double lo, double hi, double level, size_t returns, double nearest, double farthest);

/* ---- lanes.c: BR_OK: vector lanes can run it; members first.. of a block. ---- */
BR_CHECKED br_status bri_lanes_check(const bri_sweep *s, br_err *err);
BR_CHECKED br_status bri_lanes_run(const bri_sweep *s, uint64_t first, size_t n, double *rows, br_err *err);

/* "lanes", "gpu" or "solver". */
const char *bri_sweep_engine(const bri_sweep *s);

/* ---- run.c: all of them ---- */
/* Members first.. of one block. */
BR_CHECKED br_status bri_sweep_block(const bri_sweep *s, uint64_t first, size_t n, double *rows, br_err *err);
typedef struct {
  size_t threads;
  uint64_t block;        /* members of one */
  uint64_t first, count; /* blocks of this shard */
  void *ctx;
  int (*progress)(void *ctx, double part);
} bri_sweep_run;
BR_CHECKED br_status bri_sweep_blocks(const bri_sweep *s, bri_journal *j, const bri_sweep_run *how,
                                      br_err *err);

#endif
