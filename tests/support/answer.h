/* SPDX-License-Identifier: Apache-2.0
 * answer.h - the answer of an analysis to one line of text, for tests that ask through the C API; include
 * cmocka.h first. */
#ifndef TESTS_ANSWER_H
#define TESTS_ANSWER_H
#include <stdarg.h>

#include "asked.h"

static char answer_notes[1024]; /* of the last answer, one a line */

static inline void answer_note(void *ctx, const char *text)
{
  const size_t used = strlen(answer_notes);
  (void)ctx;
  (void)snprintf(answer_notes + used, sizeof answer_notes - used, "%s\n", text);
}

/* Fails the test where there is none.  wanted: names of what is kept too, each behind a blank, or NULL. */
static inline br_result *answer(const char *analysis, const char *options, const char *wanted)
{
  static char names[120]; /* must last */
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked(analysis, options, NULL, 0, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_LIST | BR_TABLE_ARRAYS, &r, &err), BR_OK);
  (void)snprintf(names, sizeof names, "%s", wanted ? wanted : "");
  for (char *p = strtok(names, " "); p; p = strtok(NULL, " ")) br_result_want(r, p);
  br_sink out = br_result_sink(r);
  out.note = answer_note;
  answer_notes[0] = '\0';
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

/* A question that is refused, before or while it runs, in words that hold `part`. */
static inline void refused(const char *analysis, const char *options, const char *part)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = asked(analysis, options, NULL, 0, &err);
  if (job) {
    assert_int_equal(br_result_create(BR_TABLE_LIST, &r, &err), BR_OK);
    br_sink out = br_result_sink(r);
    if (br_job_run(job, &out, &err) == BR_OK) fail_msg("'%s' is taken", options);
    br_job_destroy(job);
    br_result_destroy(r);
  }
  if (!strstr(err.msg, part)) fail_msg("'%s': '%s' lacks '%s'", options, err.msg, part);
}

/* A number by its path, put together as by printf. */
__attribute__((format(printf, 2, 3))) static inline double real(const br_result *r, const char *format, ...)
{
  char path[160];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(path, sizeof path, format, args);
  va_end(args);
  return br_result_real(r, path);
}

static inline const char *unit_of(const br_result *r, const char *path)
{
  double x = 0;
  const char *unit = "";
  if (!br_result_number(r, path, &x, &unit)) fail_msg("no number %s", path);
  return unit ? unit : "";
}

/* A number of a table. */
static inline double cell(const br_result_table *t, size_t row, size_t column)
{
  if (!t || row >= t->rows || column >= t->ncol) fail_msg("no cell %zu, %zu", row, column);
  return t->data[row * t->ncol + column];
}
#endif
