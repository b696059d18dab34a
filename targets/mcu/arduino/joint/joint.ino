// SPDX-License-Identifier: Apache-2.0
// joint.ino - friction compensation at 1 kHz.  Put joint.h beside this file:
//   bristle export c --model lugre --precision f32 --output joint.h
#include "joint.h"

static joint_t joint;
static unsigned long next_us;

void setup()
{
  Serial.begin(115200);
  if (joint_selftest() != 0) Serial.println("this board does not keep the bits");
  next_us = micros();
}

void loop()
{
  if ((long)(micros() - next_us) < 0) return;
  next_us += 1000;
  const float v = (analogRead(A0) - 512) * 1e-4f; // m/s
  const float F = joint_step(&joint, 1, joint.u[0], v, 1e-3f);
  analogWrite(9, (int)(127 + 20 * F)); // 20 counts a newton
}
