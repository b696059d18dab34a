/* SPDX-License-Identifier: Apache-2.0
 * strips.h - which of several kinds a point of a rectangle is, as columns cut where the kind changes.
 * Internal. */
#ifndef BRI_PHASE_STRIPS_H
#define BRI_PHASE_STRIPS_H
#include <stddef.h>

#include "bristle/analysis.h"
#include "bristle/phase.h"

enum { BRI_STRIP_MOST = 16, BRI_STRIPS_MOST = 480, BRI_STRIP_NOTHING = 255 };

/* One column: y[k] .. y[k + 1] is of kind[k]. */
typedef struct {
  double x, y[BRI_STRIP_MOST + 1];
  int n;
  unsigned char kind[BRI_STRIP_MOST];
} bri_strip;

typedef struct {
  double x0, x1, y0, y1;
  size_t columns, rows; /* evenly spaced at first, ends included; at least 2, columns <= BRI_STRIPS_MOST */
  const unsigned char *known; /* [columns * rows] kinds at these points; NULL: they are asked too */
  int threads;
  /* Kind at a point, BRI_STRIP_NOTHING: none.  Called by several threads. */
  br_status (*kind)(void *ctx, double x, double y, unsigned char *kind);
  void *ctx;
} bri_strips_of;

/* Columns in ascending order in strip[BRI_STRIPS_MOST].  Borders lie within a 400th of the height, and
 * columns are put in between where they bend or begin, up to twice as many as at first.  Returns BR_OK,
 * BR_E_NOMEM, BR_INTERRUPTED or what kind() returned. */
BR_CHECKED br_status bri_strips_make(const bri_strips_of *w, bri_strip *strip, size_t *n, br_err *err);

/* The case map between its cells: names gets those met there behind the others, in no order. */
BR_CHECKED br_status bri_case_strips(const br_phase_problem *problem, const br_case_map_settings *s,
                                     const unsigned char *cell, char names[BR_CASE_NAMES][BR_CASE_NAME],
                                     size_t *n_names, bri_strip *strip, size_t *n, br_err *err);
/* Basins of a window of the phase plane with 0 <= v0 < v1; kinds as br_phase_basins(). */
BR_CHECKED br_status bri_basin_strips(const br_phase *phase, double value, const double window[4],
                                      int threads, bri_strip *strip, size_t *n, br_err *err);

/* Strips as a table: columns x, y, y_to, number; names of numbers; number[kind] for kinds below n, none for
 * others. */
struct bri_question;
typedef struct {
  const br_column *head;
  const char *const *name;
  size_t names;
  const unsigned char *number;
  size_t numbers;
} bri_strips_names;
BR_CHECKED br_status bri_strips_put(struct bri_question *q, const char *table, const bri_strips_names *names,
                                    const bri_strip *strip, size_t n, br_err *err);

#endif
