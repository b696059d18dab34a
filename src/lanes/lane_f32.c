/* SPDX-License-Identifier: Apache-2.0
 * lane_f32.c - lanes in f32, twice as many in a register, per instruction set (see CMakeLists.txt). */
#define BR_LANE_F32
#include "lanes_of.inc"
