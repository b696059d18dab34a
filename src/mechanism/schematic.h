/* SPDX-License-Identifier: Apache-2.0
 * schematic.h - a mechanism as a picture. */
#ifndef BRI_SCHEMATIC_H
#define BRI_SCHEMATIC_H
#include "bristle/mechanism.h"
#include "text/buf.h"

/* SVG; the first bodies where there are many. */
void bri_mech_draw(const br_mechanism *mechanism, bri_buf *out);

#endif
