/* SPDX-License-Identifier: Apache-2.0
 * bristle_mujoco.c - the adapter.  For any other simulator that calls back for joint forces it looks the
 * same:
 * remember the time and velocity of the last call, carry the element's state from there to here with its
 * exact step, give back its force.  Friction with memory thus keeps one state per joint, whatever the
 * integrator asks twice. */
#include "bristle_mujoco.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static br_status trouble(br_err *err, br_status code, const char *text, const char *name)
{
  if (err) {
    err->code = code, err->index = -1;
    (void)snprintf(err->msg, sizeof err->msg, "%s '%.80s'", text, name);
  }
  return code;
}

br_status bristle_joint_open(bristle_joint *j, const mjModel *m, const char *name, const char *model,
                             const char *set, br_err *err)
{
  memset(j, 0, sizeof *j);
  const int id = mj_name2id(m, mjOBJ_JOINT, name);
  if (id < 0) return trouble(err, BR_E_NAME, "no joint", name);
  if (m->jnt_type[id] != mjJNT_HINGE && m->jnt_type[id] != mjJNT_SLIDE)
    return trouble(err, BR_E_UNSUPPORTED, "neither hinge nor slide: joint", name);
  j->dof = m->jnt_dofadr[id];
  j->model = br_model_find(model);
  if (!j->model || j->model->axes != 1) return trouble(err, BR_E_NAME, "no model of one axis", model);
  if (!j->model->step) return trouble(err, BR_E_UNSUPPORTED, "no step: model", model);
  br_status st = br_params_create(j->model, &j->params, err);
  if (!st) st = br_params_set_list(j->params, set, err);
  if (!st) st = br_params_finish(j->params, err);
  if (!st) {
    j->par = br_params_block(j->params, "model");
    j->z = calloc(2 * j->model->nz + 2, sizeof *j->z);
    if (!j->z) st = trouble(err, BR_E_NOMEM, "out of memory for joint", name);
    else j->dz = j->z + j->model->nz + 1;
  }
  if (st) bristle_joint_close(j);
  return st;
}

void bristle_joint_close(bristle_joint *j)
{
  br_params_destroy(j->params);
  free(j->z);
  memset(j, 0, sizeof *j);
}

void bristle_joint_passive(bristle_joint *j, const mjData *d)
{
  const double v = d->qvel[j->dof], h = d->time - j->time;
  if (h < 0) { /* the simulation was reset */
    memset(j->z, 0, j->model->nz * sizeof *j->z);
    j->u = 0;
  } else if (h > 0) {
    j->model->step(j->par, 1, &j->u, &j->v, h, j->z);
    j->u += j->v * h;
  }
  j->time = d->time;
  j->v = v;
  j->model->rate(j->par, 1, &j->u, &v, j->z, j->dz);
  j->model->force(j->par, 1, &j->u, &v, j->z, j->dz, &j->F);
  d->qfrc_passive[j->dof] -= j->F; /* a friction force is positive against a positive velocity */
}
