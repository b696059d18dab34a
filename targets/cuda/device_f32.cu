/* SPDX-License-Identifier: Apache-2.0
 * device_f32.cu - the kernels of libbristle_cuda.so in f32. */
#define BR_LANE_F32
#define LANE_FIND bri_card_find_f32
#include "kernels.cuh"
