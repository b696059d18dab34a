/* SPDX-License-Identifier: Apache-2.0
 * layout.h - what an FMU holds and the list of its variables: the exporter writes it down, the binary answers
 * by it.
 *
 * A recipe is what was asked for (model, mechanism, parameters); it travels in the FMU as
 * resources/recipe.txt.  Without a mechanism the FMU is a friction element: its motion comes from outside.  A
 * variable's place in the list is its value reference. */
#ifndef BRI_FMU_LAYOUT_H
#define BRI_FMU_LAYOUT_H
#include "../mechanism/carry.h"
#include "bristle/solve.h"

enum { BRI_FMU_NAME = 96, BRI_FMU_TOKEN = 40 };

typedef struct {
  const br_model *mod;
  const br_system *sys;      /* of the FMU: an element has one, too */
  int element;               /* 1: no mechanism was asked for */
  bri_mech_copy *own;        /* a mechanism that was text; sys points at it */
  br_param *input_rows;      /* params points at it */
  br_params *params;         /* finished */
  char token[BRI_FMU_TOKEN]; /* changes with everything above */
} bri_fmu_recipe;

/* What was asked for, as on the command line; the FMU carries it as lines "model ...", "system ..." and so
 * on. */
typedef struct {
  const char *model, *system; /* system NULL or "": an element */
  const char *base,
      *set;            /* "a=1,b=2": values that hold where set gives none (those of a preset); NULL: none */
  const char *program; /* of a mechanism that was text (mechanism/carry.h); NULL: system is a compiled one */
} bri_fmu_request;
/* On an error nothing is left to be freed. */
BR_CHECKED br_status bri_fmu_recipe_make(const bri_fmu_request *asked, bri_fmu_recipe *out, br_err *err);
void bri_fmu_recipe_free(bri_fmu_recipe *r);

typedef enum {
  BRI_FMU_TIME,
  BRI_FMU_PARAM,    /* one number of a parameter; tunable */
  BRI_FMU_INPUT,    /* of the mechanism; of an element: its velocity */
  BRI_FMU_SLOPE,    /* time derivative of an input, where the mechanism asks for it */
  BRI_FMU_LOAD,     /* normal-load factor of an element */
  BRI_FMU_POSITION, /* of an element at its start; from there it follows the velocity */
  BRI_FMU_STATE,    /* integrated by the importer in model exchange */
  BRI_FMU_RATE,     /* its derivative */
  BRI_FMU_FOLLOWS,  /* a state that follows from the integrated ones and the past */
  BRI_FMU_FORCE,    /* of a contact */
  BRI_FMU_SHOWN,    /* what the mechanism shows besides */
  BRI_FMU_EVENT     /* event indicator */
} bri_fmu_kind;

typedef struct {
  bri_fmu_kind kind;
  size_t index;             /* among its kind; of a parameter: the element of its vector */
  size_t count;             /* of a parameter: elements of its vector */
  char name[BRI_FMU_NAME];  /* as importers see it */
  char param[BRI_FMU_NAME]; /* full name of a parameter */
  const char *unit, *doc;   /* doc may be NULL */
  char made[40];            /* a unit that no table has: that of a rate */
  double start, lo, hi;     /* lo, hi: infinite where unbounded */
  int way;                  /* a state that is the way since the last turning point: known, never set */
  double nominal;           /* of a state: what is large; importers take their absolute tolerance from it */
} bri_fmu_var;

typedef struct {
  bri_fmu_var *vars;
  size_t n, nparam, nstate, nevent;
} bri_fmu_layout;

/* plant: one of the recipe.  BR_E_NOMEM. */
BR_CHECKED br_status bri_fmu_layout_make(const bri_fmu_recipe *r, const br_plant *plant, bri_fmu_layout *out,
                                         br_err *err);
void bri_fmu_layout_free(bri_fmu_layout *l);
/* Is the variable set from outside while time goes on? */
int bri_fmu_is_input(const bri_fmu_var *v);

/* element.c: a contact whose velocity is the input. */
const br_system *bri_fmu_element(int axes);

#endif
