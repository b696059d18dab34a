/* SPDX-License-Identifier: Apache-2.0
 * rows.h - option rows that several analyses have, so that they read the same everywhere. */
#ifndef BRI_ANALYSIS_ROWS_H
#define BRI_ANALYSIS_ROWS_H
#include "bristle/analysis.h"

/* open: 1 where the analysis divides by force levels, which vanish without load. */
#define BRI_ROW_LOAD(open)                                                                            \
  {                                                                                                   \
    .name = "load", .kind = BR_OPTION_NUMBER, .arg = "N", .unit = "1", .def = "1", .lo = 0, .hi = -1, \
    .lo_open = (open), .doc = "normal-load factor, scales the force levels; default 1"                \
  }

/* of analyses that work in threads: as many as a team (src/base) takes */
#define BRI_ROW_THREADS                                                                     \
  {                                                                                         \
    .name = "threads", .kind = BR_OPTION_COUNT, .arg = "N", .unit = "1", .lo = 1, .hi = 64, \
    .doc = "default one per processor; no number depends on it"                             \
  }
#define BRI_ROW_SEED(of)                                                                               \
  {                                                                                                    \
    .name = "seed", .kind = BR_OPTION_COUNT, .arg = "N", .unit = "1", .def = "1", .lo = 0, .hi = 9e15, \
    .doc = of "; default 1"                                                                            \
  }

/* of every analysis that reads records: what br_job_need() looks at */
#define BRI_ROW_DECIMAL                                                          \
  {                                                                              \
    .name = "decimal", .kind = BR_OPTION_CHOICE, .arg = ".|,", .choices = ".|,", \
    .doc = "decimal mark of records; default as found in the file"               \
  }

/* of analyses whose numbers have derivatives by parameters: br_job_run() does the rest (src/sense) */
#define BRI_ROW_SENSITIVITY                                                                                  \
  {                                                                                                          \
    .name = "sensitivity", .kind = BR_OPTION_TEXT, .arg = "NAME,...",                                        \
    .doc = "derivatives of every number of the answer by these parameters: 'sensitivity' of the JSON object" \
  }
#define BRI_RESULT_SENSITIVITY                                                                               \
  {"sensitivity", "", "by parameter: derivative of each number, under its path; SI units", BR_RESULT_VALUE}, \
      {"sensitivity_error", "", "by parameter: largest error of a derivative, of the largest one",           \
       BR_RESULT_VALUE},                                                                                     \
      {"sensitivity_method", "", "how they were found", BR_RESULT_VALUE},                                    \
      {"sensitivity_differences.*", "", "numbers of an exact answer whose derivatives are differences",      \
       BR_RESULT_VALUE},                                                                                     \
  {                                                                                                          \
    "sensitivity_condition", "1", "of all of them, by relative changes: large where two act alike",          \
        BR_RESULT_VALUE                                                                                      \
  }

#endif
