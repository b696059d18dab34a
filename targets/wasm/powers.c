/* SPDX-License-Identifier: Apache-2.0
 * powers.c - the table of powers of ten, filled as the module starts. */
#include "powers.h"

uint64_t bri_powers[BRI_POWER_LAST - BRI_POWER_FIRST + 1][2];

__attribute__((constructor)) static void fill(void) { powers_fill(bri_powers); }
