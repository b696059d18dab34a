/* SPDX-License-Identifier: Apache-2.0
 * rests.h - families of sliding equilibria along the varied parameter, for diagrams of any mechanism. */
#ifndef BRI_PHASE_RESTS_H
#define BRI_PHASE_RESTS_H
#include "question.h"

enum { BRI_MOST_RESTS = 8 };
enum { BRI_REST_STABLE, BRI_REST_UNSTABLE, BRI_REST_SADDLE, BRI_REST_CLASSES };
int bri_rest_class(const char *type); /* of the words that name it, "stable focus", "saddle", ... */

typedef struct {
  double v, z;
  int class;
} bri_rest;

/* Equilibria at one value by ascending speed. */
typedef struct {
  double x;
  size_t n;
  bri_rest e[BRI_MOST_RESTS];
} bri_rest_row;

typedef struct {
  bri_rest_row *row; /* by ascending value; memory of the question */
  size_t n;
} bri_rests;

/* Sliding equilibria at a value x: *n of them, at most BRI_MOST_RESTS. */
typedef br_status bri_rest_fn(void *ctx, double x, bri_rest *e, size_t *n, br_err *err);
/* From `samples` equally spaced values and both sides of the events on, finer where curves bend. */
BR_CHECKED br_status bri_rests_find(bri_question *q, size_t samples, const br_phase_event *e, size_t nevent,
                                    bri_rest_fn *at, void *ctx, bri_rests *r, br_err *err);
/* The tables equilibria-stable, -unstable, -saddle; and the rows of the main table. */
BR_CHECKED br_status bri_rests_tables(bri_question *q, const bri_rests *r, br_err *err);
BR_CHECKED br_status bri_rests_rows(bri_question *q, const bri_rests *r, br_err *err);

#endif
