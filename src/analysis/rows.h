/* SPDX-License-Identifier: Apache-2.0
 * rows.h - option rows that several analyses have, so that they read the same everywhere. */
#ifndef BRI_ANALYSIS_ROWS_H
#define BRI_ANALYSIS_ROWS_H
#include "bristle/analysis.h"

#define BRI_LENGTH(list) (sizeof(list) / sizeof(list)[0])
/* of a br_analysis: its tables of rows */
#define BRI_ROWS(option_rows, result_rows)                                             \
  .options = option_rows, .noptions = BRI_LENGTH(option_rows), .results = result_rows, \
  .nresults = BRI_LENGTH(result_rows)

/* of a picture: what against what, and the lines; behind the label of y whatever else it says */
#define BRI_PANEL(list, along, up, across, ...)                                                             \
  {                                                                                                         \
    .lines = list, .nlines = BRI_LENGTH(list), .x = along, .y = up, .xlabel = across, .ylabel = __VA_ARGS__ \
  }

/* A row by its kind: name, what the help calls the value, unit or range, doc; behind it what else the row
 * says, ".def = ..., .needs = ...". */
#define BRI_OPTION(id, type, what, ...)                                   \
  {                                                                       \
    .name = id, .kind = BR_OPTION_##type, .arg = what, .doc = __VA_ARGS__ \
  }
#define BRI_FLAG(id, ...) BRI_OPTION(id, FLAG, NULL, __VA_ARGS__)
#define BRI_TEXT(id, what, ...) BRI_OPTION(id, TEXT, what, __VA_ARGS__)
#define BRI_PAIRS(id, what, ...) BRI_OPTION(id, PAIRS, what, __VA_ARGS__)
#define BRI_CHOICE(id, list, usual, ...) \
  BRI_OPTION(id, CHOICE, list, __VA_ARGS__, .choices = list, .def = usual)
#define BRI_YES(id, ...) BRI_OPTION(id, CHOICE, "yes|no", __VA_ARGS__, .choices = "no|yes", .def = "yes")
#define BRI_COUNT(id, what, least, most, ...) \
  BRI_OPTION(id, COUNT, what, __VA_ARGS__, .unit = "1", .lo = least, .hi = most)
#define BRI_NUMBER(id, what, in, ...) BRI_OPTION(id, NUMBER, what, __VA_ARGS__, .unit = in)
#define BRI_FROM_0(id, what, in, ...) BRI_NUMBER(id, what, in, __VA_ARGS__, .lo = 0, .hi = -1)
#define BRI_ABOVE_0(id, what, in, ...) BRI_FROM_0(id, what, in, __VA_ARGS__, .lo_open = 1)

/* open: 1 where the analysis divides by force levels, which vanish without load. */
#define BRI_ROW_LOAD(open)                                                                           \
  BRI_NUMBER("load", "N", "1", "normal-load factor, scales the force levels; default 1", .def = "1", \
             .lo = 0, .hi = -1, .lo_open = (open))

/* of analyses that work in threads: as many as a team (src/base) takes */
#define BRI_ROW_THREADS BRI_COUNT("threads", "N", 1, 64, "default one per processor; no number depends on it")
#define BRI_ROW_SEED(of) BRI_COUNT("seed", "N", 0, 9e15, of "; default 1", .def = "1")

/* of every analysis that reads records: what br_job_need() looks at */
#define BRI_ROW_DECIMAL \
  BRI_CHOICE("decimal", ".|,", NULL, "decimal mark of records; default as found in the file")

/* of analyses whose numbers have derivatives by parameters: br_job_run() does the rest (src/sense) */
#define BRI_ROW_SENSITIVITY      \
  BRI_TEXT(                      \
      "sensitivity", "NAME,...", \
      "derivatives of every number of the answer by these parameters: 'sensitivity' of the JSON object")
#define BRI_RESULT_SENSITIVITY                                                                           \
  {"sensitivity", "", "by parameter: derivative of each number, under its path; SI units"},              \
      {"sensitivity_error", "", "by parameter: largest error of a derivative, of the largest one"},      \
      {"sensitivity_method", "", "how they were found"},                                                 \
      {"sensitivity_differences.*", "", "numbers of an exact answer whose derivatives are differences"}, \
  {                                                                                                      \
    "sensitivity_condition", "1", "of all of them, by relative changes: large where two act alike"       \
  }

#endif
