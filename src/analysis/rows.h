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

/* of every analysis that reads records: what br_job_need() looks at */
#define BRI_ROW_DECIMAL                                                          \
  {                                                                              \
    .name = "decimal", .kind = BR_OPTION_CHOICE, .arg = ".|,", .choices = ".|,", \
    .doc = "decimal mark of records; default as found in the file"               \
  }

#endif
