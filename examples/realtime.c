/* SPDX-License-Identifier: Apache-2.0
 * realtime.c - friction compensation in a control loop: a LuGre element on static memory, stepped once per
 * millisecond with the commanded velocity; flags are looked at outside the loop. */
#include <stdio.h>

#include "bristle/rt.h"

static br_rt_f32 joint; /* no heap; 0-initialised = not ready */

int main(void)
{
  float p[BR_RT_SLOTS];
  int bad;
  if (br_rt_defaults_f32("lugre", p, BR_RT_SLOTS) == 0) return 1;
  p[br_rt_slot("lugre", "sigma0")] = 2.4e4f; /* N/m */
  p[br_rt_slot("lugre", "sigma1")] = 90.0f;  /* N s/m */
  p[br_rt_slot("lugre", "Fc")] = 3.2f;       /* N */
  p[br_rt_slot("lugre", "Fs")] = 4.1f;       /* N */
  p[br_rt_slot("lugre", "vs")] = 0.01f;      /* m/s */
  const br_status status = br_rt_init_f32(&joint, "lugre", p, &bad);
  if (status != BR_OK) {
    fprintf(stderr, "parameter in slot %d refused (status %d)\n", bad, (int)status);
    return 1;
  }
  const float h = 1e-3f; /* s */
  for (int tick = 0; tick < 400; tick++) {
    float v = tick < 200 ? 0.05f : -0.05f; /* m/s, from the trajectory generator */
    if (tick == 150) v = 0.0f / 0.0f;      /* a sensor hiccup: the last good force is held */
    const float F = br_rt_step_f32(&joint, joint.u[0], v, h);
    if (tick % 50 == 49)
      printf("t = %.3f s  u = %8.5f m  F = %8.5f N\n", (double)(h * (float)(tick + 1)), (double)joint.u[0],
             (double)F);
  }
  const unsigned flags = br_rt_flags_f32(&joint, BR_RT_NAN);
  printf("flags seen: %s%s\n", flags & BR_RT_NAN ? "nan " : "", flags & ~(unsigned)BR_RT_NAN ? "other" : "");
  return flags == BR_RT_NAN ? 0 : 1; /* exactly the one hiccup */
}
