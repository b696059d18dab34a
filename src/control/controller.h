/* SPDX-License-Identifier: Apache-2.0
 * controller.h - what is known of a law, and what fitting a controller needs of its friction model.
 * Internal. */
#ifndef BRI_CONTROLLER_H
#define BRI_CONTROLLER_H
#include "bristle/control.h"

/* A law by its row of the one list (BR_CONTROL_KINDS): does it do this (BR_DOES_*), and which gains count? */
int bri_law(br_control_kind kind, unsigned does);
const char *bri_law_gains(br_control_kind kind); /* "kp|ki" */
/* Can the published law be built on this model? */
br_status bri_published_check(const br_model *m, const double *mpar, br_err *err);
/* Numbers of the plan that come from the friction model: strip around v = 0, bound of the bristles, gains of
 * observer and learning.  Needs mechanism and error equation fitted. */
void bri_fit_friction(br_controller *c);

#endif
