/* SPDX-License-Identifier: Apache-2.0
 * realtime_double.c - the real-time stepper in double precision, and with two axes. */
#include <stdio.h>

#include "bristle/rt.h"

static br_rt_f64 joint, plane;
static br_rt_f32 small;

int main(void)
{
  double p[BR_RT_SLOTS], F[2], v[2] = {1e-3, 2e-3};
  float pf[BR_RT_SLOTS], Ff[2], vf[2] = {1e-3f, 2e-3f};
  int bad = -1;
  if (!br_rt_defaults_f64("maxwell_slip", p, BR_RT_SLOTS)) return 1;
  printf("maxwell_slip has %g springs\n", p[br_rt_length("maxwell_slip", "k")]);
  if (br_rt_init_f64(&joint, "maxwell_slip", p, &bad)) return 1;
  double force = 0;
  for (int k = 0; k < 100; k++) force = br_rt_step_f64(&joint, joint.u[0], 1e-3, 1e-3);
  printf("F = %.6g N at %.3g m, flags %u\n", force, joint.u[0], br_rt_flags_f64(&joint, 0));
  if (!br_rt_defaults_f64("bouc_wen_biaxial", p, BR_RT_SLOTS) ||
      br_rt_init_f64(&plane, "bouc_wen_biaxial", p, &bad) ||
      !br_rt_defaults_f32("bouc_wen_biaxial", pf, BR_RT_SLOTS) ||
      br_rt_init_f32(&small, "bouc_wen_biaxial", pf, &bad))
    return 1;
  for (int k = 0; k < 100; k++)
    br_rt_step2_f64(&plane, plane.u, v, 1e-3, F), br_rt_step2_f32(&small, small.u, vf, 1e-3f, Ff);
  printf("two axes: %.6g and %.6g N; in single precision %.6g and %.6g N\n", F[0], F[1], (double)Ff[0],
         (double)Ff[1]);
  return 0;
}
