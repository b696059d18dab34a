/* SPDX-License-Identifier: Apache-2.0
 * plant.h - from option texts to a mechanism with friction: system, model, parameters, inputs, initial state.
 * Shared by the commands that simulate. */
#ifndef BRI_CLI_PLANT_H
#define BRI_CLI_PLANT_H
#include "bristle/param.h"
#include "bristle/signal.h"
#include "bristle/solve.h"
#include "cli.h"

enum { PLANT_INPUTS = 8 };

typedef struct {
  const br_system *sys;
  const br_model *mod;
  br_params *params;             /* tables "system", "model", "input" */
  br_param inputs[PLANT_INPUTS]; /* rows of the input table: params keeps pointing at them */
  br_signal *signals[PLANT_INPUTS];
  br_drive drives[PLANT_INPUTS];
  br_plant *plant;
  double *x0;       /* [nstate] */
  double t_natural; /* s: longest natural end of the inputs, 0 when none */
} plant_job;

/* Build from --system, --model, --set, --input, --init.  Returns CLI_OK, or an exit code after a message;
 * release with plant_release() in both cases. */
int plant_setup(const cli_command *c, const opt_value *system, const opt_value *model, const opt_value *set,
                const opt_value *input, const opt_value *init, plant_job *job);
void plant_release(plant_job *job);

#endif
