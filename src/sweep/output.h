/* SPDX-License-Identifier: Apache-2.0
 * output.h - the file of an ensemble: one row for a member (or for a point of one), HDF5 or CSV by its name.
 * HDF5: a dataset for each column, packed; the root says what the numbers are: the question ("sweep"), the
 * order of the columns ("columns"), what the numbers of "status" and "regime" mean, how many members there
 * are ("members") and which of them are here ("first", "count").  CSV: a part says the last and a checksum of
 * the question in a line of comment above the names; a whole ensemble has no such line.  The same rows give
 * the same bytes. */
#ifndef BRI_SWEEP_OUTPUT_H
#define BRI_SWEEP_OUTPUT_H
#include <stddef.h>

#include "text/fail.h"

typedef struct {
  const char *question, *status, *regime; /* texts */
  double members, first, count;
  int part; /* of an ensemble that is computed in parts */
} bri_sweep_about;

typedef struct bri_output bri_output;
/* Can it be written?  BR_E_ARG: a name that is neither .csv nor .h5; BR_E_UNSUPPORTED. */
BR_CHECKED br_status bri_output_check(const char *path, br_err *err);
int bri_output_is_csv(const char *path);
/* The line by which a part in CSV says what it is: first member, number of members here and in all, checksum.
 * */
#define BRI_PART_PRINT "# part of a sweep: first %.0f, count %.0f, members %.0f, question %.16s"
#define BRI_PART_SCAN "# part of a sweep: first %lf, count %lf, members %lf, question %16[0-9a-f]%n"
BR_CHECKED br_status bri_output_create(const char *path, size_t ncol, const char *const *names,
                                       const char *const *units, const bri_sweep_about *about,
                                       bri_output **out, br_err *err);
BR_CHECKED br_status bri_output_row(bri_output *o, const double *row, br_err *err);
BR_CHECKED br_status bri_output_close(bri_output *o, br_err *err);
void bri_output_abort(bri_output *o); /* NULL is fine */

/* ---- reading one back, by pieces ---- */
typedef struct bri_input bri_input;
BR_CHECKED br_status bri_input_open(const char *path, bri_input **out, br_err *err);
void bri_input_close(bri_input *in); /* NULL is fine */
size_t bri_input_columns(const bri_input *in);
const char *bri_input_name(const bri_input *in, size_t column);
const char *bri_input_unit(const bri_input *in, size_t column);
/* Of CSV: the question is its checksum, the other texts are "". */
bri_sweep_about bri_input_about(const bri_input *in);
/* Up to max rows, row by row; *got = 0: the end. */
BR_CHECKED br_status bri_input_next(bri_input *in, size_t max, double *rows, size_t *got, br_err *err);

#endif
