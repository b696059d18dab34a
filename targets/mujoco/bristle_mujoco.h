/* SPDX-License-Identifier: Apache-2.0
 * bristle_mujoco.h - Bristle's friction in the joints of a MuJoCo model, through its passive-force callback.
 * */
#ifndef BRISTLE_MUJOCO_H
#define BRISTLE_MUJOCO_H
#include <mujoco/mujoco.h>

#include "bristle/param.h"

typedef struct {
  const br_model *model; /* one axis */
  br_params *params;
  const double *par;
  int dof;              /* which velocity of the simulation */
  double *z, *dz;       /* the element's states and their rates */
  double time, u, v, F; /* of the last call: s, rad, rad/s, N m */
} bristle_joint;

/* Friction in joint `name` of m: a hinge (torques and angles in the place of forces and positions) or a
 * slide.
 * BR_OK, or why not. */
br_status bristle_joint_open(bristle_joint *j, const mjModel *m, const char *name, const char *model,
                             const char *set, br_err *err);
void bristle_joint_close(bristle_joint *j);
/* Add the friction of the joint to d->qfrc_passive.  Call it from mjcb_passive. */
void bristle_joint_passive(bristle_joint *j, const mjData *d);

#endif
