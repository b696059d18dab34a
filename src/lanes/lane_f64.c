/* SPDX-License-Identifier: Apache-2.0
 * lane_f64.c - lanes in f64, per instruction set (see CMakeLists.txt). */
#include "lanes_of.inc"
