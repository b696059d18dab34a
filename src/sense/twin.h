/* SPDX-License-Identifier: Apache-2.0
 * twin.h - a model together with the derivative of its states along one direction of its parameters.
 * Internal.  The twin is a model like others, with twice the states: whatever steps or integrates it computes
 * the variational equations along with the states, from the kernel's own complex-step instance. */
#ifndef BRI_SENSE_TWIN_H
#define BRI_SENSE_TWIN_H
#include "bristle/model.h"

typedef struct bri_twin bri_twin; /* opaque */

/* Direction: parameter in `slot` of the block, times `scale`; the twin's states are z[n], then dz/dp * scale.
 * Returns BR_OK; BR_E_UNSUPPORTED (no complex instance, modes or jumps: err says which); BR_E_NOMEM. */
BR_CHECKED br_status bri_twin_create(const br_model *m, const double *par, size_t slot, double scale,
                                     bri_twin **out, br_err *err);
void bri_twin_destroy(bri_twin *twin); /* NULL is fine */
const br_model *bri_twin_model(const bri_twin *twin);
const double *bri_twin_par(const bri_twin *twin);
/* The same model with the derivatives of its force and energy, by the parameter itself, in place of them:
 * what is linear in the force (a loop's force, work, gaps) becomes its own derivative. */
const br_model *bri_twin_slopes(const bri_twin *twin);
/* Derivative of the force at states z of the twin, along the direction; one number an axis. */
void bri_twin_slope(const bri_twin *twin, double load, const double *u, const double *v, const double *z,
                    double *dF);

#endif
