/* SPDX-License-Identifier: Apache-2.0
 * valid.h - models, mechanisms and parameter blocks that come from users' programs: is what will be called
 * there, are the numbers allowed?  Every function that makes something of them asks here first. */
#ifndef BRI_PARAM_VALID_H
#define BRI_PARAM_VALID_H
#include "bristle/model.h"
#include "bristle/param.h"
#include "bristle/status.h"
#include "bristle/system.h"

/* BR_E_ARG where something required (see bristle/model.h, bristle/system.h) is missing; err names it.
 * who: what the message calls the caller. */
BR_CHECKED br_status bri_model_valid(const br_model *m, const char *who, br_err *err);
BR_CHECKED br_status bri_system_valid(const br_system *s, const char *who, br_err *err);

BR_CHECKED br_status bri_model_has_step(const br_model *m, const char *who,
                                        br_err *err); /* where step() is called */

/* The same, and the block: par may be NULL only where there are no slots, must pass check(), and must be
 * prepared:
 * prepare() of a copy changes nothing.  Returns BR_OK, what check() says, BR_E_ARG, BR_E_NOMEM. */
BR_CHECKED br_status bri_model_ready(const br_model *m, const void *par, const char *who, br_err *err);
BR_CHECKED br_status bri_model_steps(const br_model *m, const void *par, const char *who,
                                     br_err *err); /* rate() may miss */
BR_CHECKED br_status bri_system_ready(const br_system *s, const void *par, const char *who, br_err *err);

/* Were units of the model's parameters written for rotation, 1, or translation, -1?  0: for neither. */
int bri_params_turn(const br_params *params);

#endif
