/* SPDX-License-Identifier: Apache-2.0
 * fuzz_csv.c - fuzz target for the table reader.  The first byte chooses options, the rest is the file.
 * Checked besides memory safety: the streaming and the whole-column reader agree, every value that was read
 * is written and read back with the same bits, and a failing load gives a message and no table. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/table.h"
#include "bristle/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition, const char *what)
{
  if (condition) return;
  fprintf(stderr, "violated: %s\n", what);
  abort();
}

static void check_value(double x)
{
  char text[BR_DOUBLE_TEXT];
  double back = 0.0;
  const size_t n = br_format_double(x, text);
  insist(br_parse_double(text, n, &back) == n, "written number is read whole");
  insist(isnan(x) ? isnan(back) : memcmp(&x, &back, sizeof x) == 0, "number survives writing and reading");
}

static void compare_with_stream(const char *text, size_t n, const br_table_options *opt,
                                const br_table *table)
{
  br_table_reader *r = NULL;
  const size_t ncol = br_table_columns(table);
  double *rows = malloc(3 * ncol * sizeof *rows);
  size_t got = 1, total = 0;
  insist(rows != NULL, "memory");
  insist(br_table_reader_create_memory(text, n, "fuzz", opt, &r, NULL) == BR_OK,
         "reader opens what load accepted");
  while (got) {
    insist(br_table_reader_next(r, 3, rows, &got, NULL) == BR_OK, "reader reads what load accepted");
    for (size_t i = 0; i < got; i++, total++) {
      for (size_t j = 0; j < ncol; j++) {
        const double x = rows[i * ncol + j], y = br_table_data(table, j)[total];
        insist(memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)), "reader and load agree");
        if (total < 64) check_value(x);
      }
    }
  }
  insist(total == br_table_rows(table), "same number of rows");
  br_table_reader_destroy(r);
  free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  br_table_options opt = br_table_options_default();
  br_table *table = NULL;
  br_table_report report;
  br_err err = {BR_OK, -1, ""};
  if (size == 0) return 0;
  opt.to_si = data[0] & 1;
  opt.text_as_gap = (data[0] >> 1) & 1;
  opt.decimal = data[0] & 4 ? ',' : '.';
  opt.header = data[0] & 8 ? 0 : -1;
  const char *text = (const char *)data + 1;
  const br_status st = br_table_load_memory(text, size - 1, "fuzz", &opt, &table, &report, &err);
  if (st) {
    insist(table == NULL && err.code == st && err.msg[0], "failed load leaves a message and no table");
    return 0;
  }
  insist(report.rows == br_table_rows(table), "report counts the rows");
  compare_with_stream(text, size - 1, &opt, table);
  br_table_destroy(table);
  return 0;
}
