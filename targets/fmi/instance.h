/* SPDX-License-Identifier: Apache-2.0
 * instance.h - one instance of an FMU, whatever version of the standard asks: variables by value reference,
 * the continuous field with its events for model exchange, steps of the library's own solver for
 * co-simulation. */
#ifndef BRI_FMI_INSTANCE_H
#define BRI_FMI_INSTANCE_H
#include "../../src/fmu/layout.h"
#include "../../src/solve/plant.h"

/* How an input goes on between two settings: value + slope (t - from). */
typedef struct {
  double value, slope, from;
} bri_fmi_drive;

/* Where an instance is in its life; what may be asked of it depends on that. */
enum {
  BRI_FMI_MADE = 1,
  BRI_FMI_INITIALIZING = 2,
  BRI_FMI_EVENTS = 4,
  BRI_FMI_CONTINUOUS = 8, /* model exchange */
  BRI_FMI_STEPS = 16,     /* co-simulation */
  BRI_FMI_ENDED = 32,
  BRI_FMI_RUNNING = BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS | BRI_FMI_STEPS,
  BRI_FMI_ANY = 63
};

typedef struct {
  bri_fmu_recipe recipe;
  bri_fmu_layout layout;
  br_plant *plant;
  br_solver *solver; /* NULL until the first step */
  bri_work work;
  bri_mode mode;
  bri_fmi_drive *drives; /* one per input */
  double position[2], load, t;
  double *x;      /* full state: at the start, and behind every step */
  double *y, *dy; /* integrated states and rates */
  double *g, *F, *shown;
  int phase;     /* BRI_FMI_*: one of them */
  int exchange;  /* 1: model exchange, 0: co-simulation */
  int rebuilt;   /* parameters have changed since the last event: states may have, too */
  int running;   /* 0: until the initialization is left, states follow the start values */
  int stale;     /* parameters have changed since the plant was made */
  int untouched; /* the solver may go on from where it is */
  int current;   /* dy, F and shown belong to t, y and the inputs */
} bri_fmi;

/* From the recipe's text (resources/recipe.txt).  *out is NULL on error. */
BR_CHECKED br_status bri_fmi_open(const char *recipe, size_t size, bri_fmi **out, br_err *err);
void bri_fmi_close(bri_fmi *f); /* NULL is fine */
/* Is the instance in one of these phases?  BR_E_ARG says where it is, and what was asked. */
BR_CHECKED br_status bri_fmi_may(const bri_fmi *f, int phases, const char *function, br_err *err);
/* Back to the state behind bri_fmi_open(). */
BR_CHECKED br_status bri_fmi_reset(bri_fmi *f, br_err *err);

BR_CHECKED br_status bri_fmi_get(bri_fmi *f, unsigned reference, double *value, br_err *err);
BR_CHECKED br_status bri_fmi_set(bri_fmi *f, unsigned reference, double value, br_err *err);
/* Slope of an input for the next step (FMI 2). */
BR_CHECKED br_status bri_fmi_set_slope(bri_fmi *f, unsigned reference, double slope, br_err *err);

/* End of the initialization. */
BR_CHECKED br_status bri_fmi_start(bri_fmi *f, br_err *err);
BR_CHECKED br_status bri_fmi_rates(bri_fmi *f, br_err *err); /* makes dy, F, shown current */
BR_CHECKED br_status bri_fmi_indicators(bri_fmi *f, double *g, br_err *err);
/* Carry out what has happened.  *changed: states have jumped. */
BR_CHECKED br_status bri_fmi_event(bri_fmi *f, int *changed, br_err *err);
/* Behind a step of the importer: is there an event that it could not see? */
BR_CHECKED br_status bri_fmi_step_done(bri_fmi *f, int *event, br_err *err);
/* Co-simulation: from t to t + h. */
BR_CHECKED br_status bri_fmi_advance(bri_fmi *f, double t, double h, br_err *err);
/* d unknown / d known along a direction. */
BR_CHECKED br_status bri_fmi_directional(bri_fmi *f, const unsigned *unknown, size_t nu,
                                         const unsigned *known, size_t nk, const double *direction,
                                         double *out, br_err *err);

/* state.c: everything that changes with time, as numbers. */
size_t bri_fmi_saved(const bri_fmi *f); /* how many */
void bri_fmi_save(const bri_fmi *f, double *to);
BR_CHECKED br_status bri_fmi_restore(bri_fmi *f, const double *from, br_err *err);

/* both.c: what both versions ask alike; lists and places of the importer are checked there. */
BR_CHECKED br_status bri_fmi_open_at(const char *location, const char *token, bri_fmi **out, br_err *err);
BR_CHECKED br_status bri_fmi_set_time(bri_fmi *f, double t, br_err *err);
BR_CHECKED br_status bri_fmi_get_list(bri_fmi *f, const unsigned *references, size_t n, double *values,
                                      size_t nvalues, br_err *err);
BR_CHECKED br_status bri_fmi_set_list(bri_fmi *f, const unsigned *references, size_t n, const double *values,
                                      size_t nvalues, br_err *err);
BR_CHECKED br_status bri_fmi_give_states(bri_fmi *f, double *y, size_t n, br_err *err);
BR_CHECKED br_status bri_fmi_give_rates(bri_fmi *f, double *dy, size_t n, br_err *err);
BR_CHECKED br_status bri_fmi_take_states(bri_fmi *f, const double *y, size_t n, br_err *err);
/* what is large, for tolerances */
BR_CHECKED br_status bri_fmi_give_nominals(const bri_fmi *f, double *y, size_t n, br_err *err);
BR_CHECKED br_status bri_fmi_give_indicators(bri_fmi *f, double *g, size_t n, br_err *err);
/* A state to be kept: *state is made where it is NULL, and bri_fmi_forget() ends it. */
BR_CHECKED br_status bri_fmi_keep(const bri_fmi *f, void **state, br_err *err);
BR_CHECKED br_status bri_fmi_return(bri_fmi *f, const void *state, br_err *err);
void bri_fmi_forget(void **state);
/* The same as bytes. */
BR_CHECKED br_status bri_fmi_packed(const bri_fmi *f, size_t *size, br_err *err);
BR_CHECKED br_status bri_fmi_pack(const bri_fmi *f, const void *state, void *bytes, size_t size, br_err *err);
BR_CHECKED br_status bri_fmi_unpack(const bri_fmi *f, const void *bytes, size_t size, void **state,
                                    br_err *err);

/* state.c: the recipe beside the FMU's resources; location: a path or a file URI.  The text is malloc'ed. */
BR_CHECKED br_status bri_fmi_read_recipe(const char *location, char **text, size_t *size, br_err *err);

#endif
