/* SPDX-License-Identifier: Apache-2.0
 * measure.c - run an exported element (element.h, names element_*) over 100,000 steps and print a hash of the
 * bits of all its forces, the sticky flags, the self-test and the instructions a step takes. */
#include <stdint.h>

#include "board.h"
#include "element.h"

enum { STEPS = 100000, TIMED = 1000 };

static element_t joint;

static void print_hex(const char *name, uint32_t x)
{
  char text[12];
  for (int i = 0; i < 8; i++) text[i] = "0123456789abcdef"[x >> (28 - 4 * i) & 15];
  text[8] = '\n';
  text[9] = '\0';
  board_print(name);
  board_print(text);
}

static uint32_t mix(uint32_t h, const void *bytes, unsigned n)
{
  for (unsigned i = 0; i < n; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * 16777619u;
  return h;
}

/* Velocities of all sizes and both signs, the same everywhere. */
static float next_velocity(uint32_t *seed)
{
  static const float SIZE[4] = {1e-4f, 1e-3f, 1e-2f, 0.3f};
  *seed = *seed * 1664525u + 1013904223u;
  const float x = (float)(int32_t)(*seed >> 8 & 0xFFFF) / 32768.0f - 1.0f;
  return x * SIZE[*seed >> 30];
}

int main(void)
{
  uint32_t hash = 2166136261u, seed = 1;
  for (int i = 0; i < STEPS; i++) {
    const float v = next_velocity(&seed);
    element_step(&joint, 1, joint.u[0], v, 1e-3f);
    hash = mix(hash, joint.F, sizeof joint.F);
  }
  const unsigned from = board_ticks();
  for (int i = 0; i < TIMED; i++) element_step(&joint, 1, joint.u[0], 1e-3f, 1e-3f);
  const unsigned ticks = (from - board_ticks()) & 0xFFFFFF;
  print_hex("forces ", hash);
  print_hex("flags ", joint.flags);
  print_hex("selftest ", (uint32_t)element_selftest());
  print_hex("instructions ", ticks * BOARD_TICK / TIMED);
  return 0;
}
