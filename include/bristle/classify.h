/* SPDX-License-Identifier: Apache-2.0
 * classify.h - what kind of hysteresis a model has, measured from its equations (document 4, Table I),
 * whether it can create energy, and which memory it has.
 *
 * Nothing here reads the model's own statements (br_class, passive): those are claims, this is the evidence.
 * Units: SI.  Alloc: temporary only.  Threads: all functions are pure. */
#ifndef BR_CLASSIFY_H
#define BR_CLASSIFY_H
#include <stddef.h>

#include "bristle/export.h"
#include "bristle/model.h"
#include "bristle/status.h"
BR_C_BEGIN

typedef struct {
  br_class measured; /* Duhem class, rate dependence, continuity */
  /* rate dependence: largest relative change of rate/speed and of force when the speed changes by 1e-3 .. 1e3
   */
  double rate_change, force_change;
  /* Duhem form x' = f(x,u) g(u'): rank of the table rate[x][v] (numerical), and of rate/v being affine in x
   */
  int rank;
  double affine_error; /* largest relative second difference of rate/speed in x for one direction */
  /* continuity: near the worst point |f(x+d)-f(x)| ~ d^exponent */
  double exponent, worst_x;
  size_t worst_state;
  int output_uses_rate; /* F depends on u' or x' at given x, u: not of the form y = h(x,u) */
  double path_change;   /* of the force when one path is run slowly and at 1e-7 .. 1e3 m/s, relative;
                         * measured where neither of the first two changes */
} br_class_report;

BR_TRY br_status br_classify(const br_model *m, const double *par, br_class_report *out, br_err *err);
/* The same, and it can be stopped (NULL: never): BR_INTERRUPTED. */
BR_TRY br_status br_classify_until(const br_model *m, const double *par, const br_stop *stop,
                                   br_class_report *out, br_err *err);

/* Printed row of document 4, Table I, for models that stand there; NULL otherwise. */
typedef struct {
  const char *row, *duhem, *rate, *continuity; /* as printed */
  const char *note;                            /* why the corrected cell differs (NULL: it does not) */
} br_table1_row;
BR_API const br_table1_row *br_table1_printed(const br_model *m, const double *par);

/* Hysteretic or not (document 3): the largest part of its bounding box that a loop encloses when the motion
 * is infinitely slow, over five widths around the model's own; 1 is a rectangle.  Up to 1e-7 the loop has
 * collapsed to a function: rate dependent it may be (linear viscoelasticity), hysteretic it is not.  NaN
 * where there is no steady loop.  BR_E_UNSUPPORTED: two axes; BR_INTERRUPTED; BR_E_NOMEM. */
BR_TRY br_status br_hysteresis(const br_model *m, const double *par, const br_stop *stop, double *share,
                               br_err *err);
#define BR_HYSTERETIC_SHARE 1e-7

/* BR_REVERSIBLE: no loop takes or gives anything, the force is a function of the position: no hysteresis. */
typedef enum {
  BR_ADMISSIBLE,
  BR_PASSIVE_OTHER_ENERGY,
  BR_ACTIVE,
  BR_ENERGY_UNKNOWN,
  BR_REVERSIBLE
} br_admissibility;

BR_API const char *br_admissibility_text(br_admissibility v); /* "active", ... */

/* Kinds of cycle: u between +-cycle_a; one direction, speed cycle_a or cycle_b in turn; there and back by
 * legs. */
enum { BR_CYCLE_LOOP, BR_CYCLE_SPEEDS, BR_CYCLE_SCHEDULE };
#define BR_CYCLE_LEGS 4

typedef struct {
  br_admissibility verdict;
  /* the smallest dissipation rate F v - dE/dt found, W, and where (with the model's own stored energy) */
  double worst_rate, worst_v;
  double worst_z[4];
  /* the cycle with the smallest work found, J per cycle */
  double cycle_work;
  int cycle_is_speed;            /* BR_CYCLE_* */
  double cycle_a, cycle_b;       /* m (amplitude), or m/s */
  double cycle_time, cycle_part; /* s, fraction of it at cycle_b; for the speed cycle */
  /* the cycle as legs, where it is one of speeds: signed lengths, m, and speeds, m/s */
  size_t n_legs;
  double leg_length[BR_CYCLE_LEGS], leg_speed[BR_CYCLE_LEGS];
  /* what was looked at: loops up to this amplitude (m), pairs of speeds, schedules of four legs at speeds
   * between these (m/s; 0 where none was tried) */
  size_t searched_loops, searched_speeds, searched_schedules;
  double searched_amplitude, searched_slowest, searched_fastest;
} br_energy_report;

/* Can a motion take energy out?  Searches states and cycles; a found cycle proves BR_ACTIVE, a negative rate
 * alone means that energy() is not the right stored energy, neither found: BR_ADMISSIBLE (by what was
 * searched; a search is no proof). */
BR_TRY br_status br_admissible(const br_model *m, const double *par, br_energy_report *out, br_err *err);
BR_TRY br_status br_admissible_until(const br_model *m, const double *par, const br_stop *stop,
                                     br_energy_report *out, br_err *err);

typedef struct {
  double
      return_point; /* gap of a minor loop after it has been wiped out, relative to its height; 0 = memory */
  double
      congruency; /* difference of two minor loops between the same limits with different pasts, relative */
  double closure; /* gap of a first minor loop, relative to its height */
} br_memory_report;

/* Return-point memory and congruency of minor loops on a major loop of amplitude U (0: chosen from the
 * model). */
BR_TRY br_status br_memory(const br_model *m, const double *par, double U, br_memory_report *out,
                           br_err *err);

/* Largest |state| that motion from rest reaches, nstate numbers, to about 1e-3; infinite for states without a
 * level (counts, springs, models without stored energy).  load: normal-load factor. */
BR_TRY br_status br_state_bounds(const br_model *m, const double *par, double load, double *bound,
                                 br_err *err);
/* Call note with a text for every state of z (nstate numbers) that no motion from rest would reach. */
BR_API void br_state_notes(const br_model *m, const double *par, double load, const double *z,
                           void (*note)(void *ctx, const char *text), void *ctx);

/* A displacement that brings the model well into sliding or yielding, m; found by trial. */
BR_API double br_natural_amplitude(const br_model *m, const double *par);

BR_C_END
#endif
