/* SPDX-License-Identifier: Apache-2.0
 * schematic.h - a mechanism, or the loop around it, as a small drawing in a page. */
#ifndef BRI_REPORT_SCHEMATIC_H
#define BRI_REPORT_SCHEMATIC_H
#include "../text/buf.h"

/* An <svg> in the colours of the text around it; nothing where the mechanism has no drawing (one that is
 * given as text). */
void bri_schematic_system(bri_buf *out, const char *system);
/* Reference, controller, mechanism with its contact, and the way back. */
void bri_schematic_loop(bri_buf *out, const char *controller, const char *system);

#endif
