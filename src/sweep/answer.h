/* SPDX-License-Identifier: Apache-2.0
 * answer.h - what the files behind the analysis 'sweep' share. */
#ifndef BRI_SWEEP_ANSWER_H
#define BRI_SWEEP_ANSWER_H
#include "output.h"
#include "rank.h"
#include "sweep.h"
#include "text/buf.h"

typedef struct {
  bri_sweep s;
  bri_journal *j;
  bri_sweep_run how;
  bri_rank rank;
  uint64_t shard, shards; /* 0 of 1: everything */
  uint64_t first, count;  /* members */
  int part;               /* a shard was asked for */
  bri_buf plan;
  const char *out; /* NULL: none */
  /* columns of a row */
  size_t ncol;
  br_column *columns;
  char (*names)[BRI_SWEEP_NAME];
  double ends[BRI_MEMBER_ENDS]; /* members by their end */
} bri_answer_sweep;

/* analysis.c: everything that the options say; memory of it. */
BR_CHECKED br_status bri_sweep_set_up(const br_job *job, bri_answer_sweep *b, br_err *err);
void bri_sweep_release(bri_answer_sweep *b);

/* analysis_run.c */
br_status bri_sweep_answer(const br_job *job, br_sink *out, br_err *err);

/* analysis_table.c: columns; all rows in the order of the members, into the output and the sink. */
BR_CHECKED br_status bri_sweep_columns(bri_answer_sweep *b, br_err *err);
BR_CHECKED br_status bri_sweep_table(bri_answer_sweep *b, br_sink *out, br_err *err);
/* Members of block number `block` in rows; *n of them, *first the first. */
BR_CHECKED br_status bri_sweep_get(const bri_answer_sweep *b, uint64_t block, uint64_t *first, size_t *n,
                                   double *rows, br_err *err);

/* analysis_show.c: tables of the usual picture. */
BR_CHECKED br_status bri_sweep_show(const bri_answer_sweep *b, br_sink *out, br_err *err);
enum { BRI_SWEEP_PANELS = 4 };
extern const br_picture_panel bri_sweep_panels[BRI_SWEEP_PANELS];

#endif
