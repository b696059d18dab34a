/* SPDX-License-Identifier: Apache-2.0
 * varied.h - loads and switches of a job: names, texts, and the plant that they make. */
#ifndef BRI_SOLVE_VARIED_H
#define BRI_SOLVE_VARIED_H
#include "bristle/analysis.h"
#include "bristle/solve.h"

/* The contact whose load an input of this name drives, from 1 of n; 0: "N", all of them; -1: it is no load.
 * */
int bri_load_name(const char *name, size_t len, size_t n);
/* A load as a signal; a number alone is one that stays. */
BR_CHECKED br_status bri_load_parse(const char *text, const br_signal_need *need, br_signal **out,
                                    br_err *err);
/* What drives the loads of a job's plant, and what its option 'switch' makes of the plant. */
BR_CHECKED br_status bri_job_vary(const br_job *job, const br_drive *drives, br_plant *plant, br_err *err);

/* The same of an element without a mechanism: its prepared blocks and loads from each time on; n 0: it stays.
 * */
typedef struct {
  double t; /* s */
  double *par, load;
} bri_element_stage;
BR_CHECKED br_status bri_job_element_stages(const br_job *job, bri_element_stage **list, size_t *n,
                                            br_err *err);
void bri_element_stages_free(bri_element_stage *list, size_t n);
/* Stage i of a plant that switches: what it is from t on (-INFINITY: from the start); 0: it has none. */
typedef struct {
  double t;                  /* s */
  const double *spar, *mpar; /* blocks of mechanism and first contact */
  const br_drive *inputs;
  br_drive load, along; /* of the first contact: by time; factor by position */
  double least;         /* a load below it counts as it */
} bri_stage;
int bri_plant_stage(const br_plant *plant, size_t i, bri_stage *out);
/* Number of the stage at t, or just before it (side < 0). */
size_t bri_plant_stage_at(const br_plant *plant, double t, int side);
/* A plant with the same parameters, loads and switches, and other drives of its inputs. */
BR_CHECKED br_status bri_plant_like(const br_plant *plant, const br_drive *drives, br_plant **out,
                                    br_err *err);

#define BRI_ROW_SWITCH                                                                                       \
  BRI_PAIRS("switch", "T:NAME=VALUE,...",                                                                    \
            "parameters of model and mechanism, inputs held, or load (N, N1..) from time T on; repeatable, " \
            "states stay")

#endif
