/* SPDX-License-Identifier: Apache-2.0
 * writer.h - a table with a line of comment above its names; otherwise as br_table_writer_create. */
#ifndef BRI_TABLE_WRITER_H
#define BRI_TABLE_WRITER_H
#include "bristle/table.h"

/* note: the first line without its end, "# ..."; NULL: none. */
BR_CHECKED br_status bri_table_writer_create(const char *path, const char *note, size_t ncol,
                                             const char *const *names, const char *const *units,
                                             br_table_writer **out, br_err *err);

#endif
