/* SPDX-License-Identifier: Apache-2.0
 * one_joint.c - a wheel on a torsion spring, for comparison with 'bristle simulate --system mass_spring'.
 * Use: one_joint wheel.xml MODEL SET SPEED SECONDS STEP; prints the final angle and speed. */
#include <stdio.h>
#include <stdlib.h>

#include "bristle_mujoco.h"

static bristle_joint axle;

static void passive(const mjModel *m, mjData *d)
{
  (void)m;
  bristle_joint_passive(&axle, d);
}

int main(int argc, char **argv)
{
  char text[500] = "";
  br_err err = {BR_OK, -1, ""};
  if (argc != 7) return fprintf(stderr, "one_joint wheel.xml MODEL SET SPEED SECONDS STEP\n"), 2;
  mjModel *m = mj_loadXML(argv[1], NULL, text, sizeof text);
  if (!m) return fprintf(stderr, "%s\n", text), 1;
  if (bristle_joint_open(&axle, m, "axle", argv[2], argv[3], &err))
    return fprintf(stderr, "%s\n", err.msg), 1;
  mjData *d = mj_makeData(m);
  d->qvel[0] = atof(argv[4]);
  m->opt.timestep = atof(argv[6]);
  mjcb_passive = passive;
  const long steps = (long)(atof(argv[5]) / m->opt.timestep + 0.5);
  for (long i = 0; i < steps; i++) mj_step(m, d);
  printf("%.12g %.12g\n", d->qpos[0], d->qvel[0]);
  mjcb_passive = NULL;
  bristle_joint_close(&axle);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
