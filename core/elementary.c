/* SPDX-License-Identifier: Apache-2.0
 * elementary.c - the functions of elementary.h as symbols of the library. */
#include "elementary.h"

#include "num.h"

#define BR_ELEMENTARY
#include "elementary.inc"
#include "elementary_angle.inc"
