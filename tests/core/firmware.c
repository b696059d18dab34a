/* SPDX-License-Identifier: Apache-2.0
 * firmware.c - a LuGre joint in f32 on a bare processor: what a control loop needs and nothing else.  Linked
 * by test_freestanding.sh without any library but the compiler's own; what f64 brings must be dropped. */
#include "bristle/rt.h"

volatile float position, velocity, force; /* stand for the registers of an encoder and a drive, m, m/s, N */
void start(void);

void start(void)
{
  static br_rt_f32 joint;
  static float p[BR_RT_SLOTS];
  int bad;
  br_rt_defaults_f32("lugre", p, BR_RT_SLOTS);
  p[br_rt_slot("lugre", "sigma0")] = 2.4e4f; /* N/m */
  if (br_rt_init_f32(&joint, "lugre", p, &bad) != BR_OK)
    for (;;) continue;
  for (;;) force = br_rt_step_f32(&joint, position, velocity, 1e-3f);
}
