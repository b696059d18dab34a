/* SPDX-License-Identifier: Apache-2.0
 * controller.h - friction as a controller sees it.  Internal. */
#ifndef BRI_CONTROLLER_H
#define BRI_CONTROLLER_H
#include "bristle/control.h"

typedef struct {
  double F;                    /* N */
  double dz[BR_CONTROL_MAX_Z]; /* bristle rates */
} bri_friction;

/* Force and bristle rates at velocity v. */
void bri_friction_at(const br_controller *c, double pos, double v, const double *z, bri_friction *f);
/* dF/dt along v' = a and z' = f->dz: one complex step in that direction.  side: which derivative at v = 0. */
double bri_friction_rate(const br_controller *c, double pos, double v, double a, int side, const double *z,
                         const bri_friction *f);
/* What the published law adds to dF/dt; LuGre only. */
double bri_published_excess(const br_controller *c, double v, double a, int side, const double *z);
/* Can the published law be built on this model? */
br_status bri_published_check(const br_model *m, const double *mpar, br_err *err);
/* Half width of the strip around v = 0 in which `side` decides, m/s. */
double bri_side_band(const br_model *m, const double *mpar);

#endif
