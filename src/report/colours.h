/* SPDX-License-Identifier: Apache-2.0
 * colours.h - the house colours: for paper, and what they become on a dark page. */
#ifndef BRI_REPORT_COLOURS_H
#define BRI_REPORT_COLOURS_H
#include <stddef.h>

typedef struct {
  const char *name;         /* of the CSS variable */
  const char *light, *dark; /* "#rrggbb" */
} bri_colour;

/* The first BRI_PALETTE are for lines, in this order: Okabe and Ito's palette without yellow, which is too
 * light on white, so that colour-blind readers can tell them apart.  Then light tints for regions, on which
 * lines and texts stay readable, and the steps of the scale of heat maps (cividis). */
enum {
  BRI_PALETTE = 7,
  BRI_TINT = BRI_PALETTE,
  BRI_TINTS = 10,
  BRI_RAMP = BRI_TINT + BRI_TINTS,
  BRI_RAMPS = 10,
  BRI_MUTED = BRI_RAMP + BRI_RAMPS,
  BRI_AXIS,
  BRI_TEXT,
  BRI_TITLE,
  BRI_GRID,
  BRI_PAPER,
  BRI_COLOURS
};
extern const bri_colour bri_colours[BRI_COLOURS];

#endif
