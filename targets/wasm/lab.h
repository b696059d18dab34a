/* SPDX-License-Identifier: Apache-2.0
 * lab.h - what the files of the WebAssembly module share. */
#ifndef BR_WASM_LAB_H
#define BR_WASM_LAB_H
#include "bristle/analysis.h"
#include "text/buf.h"

/* One member of a job: {"sigma0": "6 N/m", "cycle": true, "input": ["x:...", "y:..."]}; lists come member by
 * member. */
typedef struct {
  const char *name, *text;
} lab_pair;
typedef struct {
  lab_pair *list;
  size_t n, room;
  char *texts; /* the texts of all of them */
} lab_pairs;

/* A flat JSON object; numbers keep their digits, true and false become "yes" and "no", null leaves its name
 * out.
 * BR_E_PARSE, BR_E_NOMEM. */
BR_CHECKED br_status lab_read(const char *json, lab_pairs *out, br_err *err);
void lab_pairs_free(lab_pairs *p);
const char *lab_get(const lab_pairs *p, const char *name); /* the first one; NULL: none */

/* Everything but members that start with '$', which speak to the lab. */
BR_CHECKED br_status lab_job(const lab_pairs *p, br_job **out, br_err *err);

/* The answer as a tree whose arrays point into tables, and the tables with the addresses of their numbers. */
void lab_put_answer(bri_buf *to, const br_result *r);

/* The same question elsewhere: "command", "study", "python", "header". */
BR_CHECKED br_status lab_take(const lab_pairs *p, const br_job *job, const char *as, bri_buf *to,
                              br_err *err);
/* pairs.c: quotients of complex steps to first order, by one division (walk.c). */
extern int lab_first_order;

#endif
