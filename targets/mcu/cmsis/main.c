/* SPDX-License-Identifier: Apache-2.0
 * main.c - friction compensation at 1 kHz in a CMSIS project: SysTick calls the element, the result goes to
 * the drive.  Write joint.h by: bristle export c --model lugre --set ... --precision f32 --output joint.h
 * device.h is your vendor's CMSIS header; axis_velocity() and axis_torque() are your drive's. */
#include "device.h"
#include "joint.h"

static joint_t joint;

void SysTick_Handler(void)
{
  const float v = axis_velocity();                          /* m/s, or rad/s with torques */
  axis_torque(joint_step(&joint, 1, joint.u[0], v, 1e-3f)); /* what friction takes away */
  if (joint.flags) joint.flags = 0;                         /* bad samples were skipped: tell somebody */
}

int main(void)
{
  if (joint_selftest() != 0) return 1; /* this compiler or processor changes bits */
  SysTick_Config(SystemCoreClock / 1000);
  for (;;) __WFI();
}
