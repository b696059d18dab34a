/* SPDX-License-Identifier: Apache-2.0
 * two_link.c - a two-link arm let go off the vertical, with LuGre and GMS friction in its joints: it swings,
 * comes to rest, and friction holds it there.  Use: two_link arm.xml [SECONDS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bristle_mujoco.h"

static bristle_joint joints[2];

static void passive(const mjModel *m, mjData *d)
{
  (void)m;
  for (int i = 0; i < 2; i++) bristle_joint_passive(&joints[i], d);
}

int main(int argc, char **argv)
{
  char text[500] = "";
  br_err err = {BR_OK, -1, ""};
  const double end = argc > 2 ? atof(argv[2]) : 10;
  mjModel *m = mj_loadXML(argc > 1 ? argv[1] : "arm.xml", NULL, text, sizeof text);
  if (!m) return fprintf(stderr, "%s\n", text), 1;
  if (bristle_joint_open(&joints[0], m, "shoulder", "lugre",
                         "sigma0=2000,sigma1=5,sigma2=0.05,Fc=0.6,Fs=0.9,vs=0.05", &err) ||
      bristle_joint_open(&joints[1], m, "elbow", "gms",
                         "k=300,300,300,alpha=0.3,0.3,0.4,Fc=0.25,Fs=0.35,vs=0.05", &err))
    return fprintf(stderr, "%s\n", err.msg), 1;
  mjData *d = mj_makeData(m);
  d->qpos[0] = 1;
  d->qpos[1] = 0.5;
  mjcb_passive = passive;
  while (d->time < end) mj_step(m, d);
  printf("t %.3f  shoulder %.6f rad %.2e rad/s  elbow %.6f rad %.2e rad/s\n", d->time, d->qpos[0], d->qvel[0],
         d->qpos[1], d->qvel[1]);
  mjcb_passive = NULL;
  for (int i = 0; i < 2; i++) bristle_joint_close(&joints[i]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
