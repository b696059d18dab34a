/* SPDX-License-Identifier: Apache-2.0
 * tables.c - tables of numbers: written, loaded whole, read row by row, cleaned as records. */
#include <stdio.h>

#include "bristle/bristle.h"

static void said(void *ctx, const char *text)
{
  (void)ctx;
  printf("note: %s\n", text);
}

static int written(br_err *err)
{
  static const char *const NAMES[] = {"t", "x", "F"}, *const UNITS[] = {"s", "mm", "N"};
  static const double T[] = {0, 0.1}, X[] = {0, 1}, F[] = {0, 2}, *const COLUMNS[] = {T, X, F};
  br_table_writer *w = NULL;
  if (br_table_save("example_all.csv", 3, NAMES, UNITS, 2, COLUMNS, err)) return 1;
  if (br_table_writer_create("example_rows.csv", 3, NAMES, UNITS, &w, err)) return 1;
  for (int k = 0; k < 5; k++) {
    const double row[] = {0.1 * k, k, 2 * k};
    if (br_table_writer_row(w, row, err)) return br_table_writer_abort(w), 1;
  }
  return br_table_writer_close(w, err) != BR_OK;
}

static int loaded(br_err *err)
{
  static const char TEXT[] = "time,force\n0,1\n1,2\n";
  br_table_options o = br_table_options_default();
  br_table_report report;
  br_table *table = NULL, *memory = NULL;
  const br_channel channels[] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_FORCE)};
  int index[2];
  o.to_si = 1;
  if (br_table_load("example_rows.csv", &o, &table, &report, err) ||
      br_table_load_memory(TEXT, sizeof TEXT - 1, "text", &o, &memory, &report, err))
    return 1;
  const int x = br_table_find(table, "x", err);
  printf("%zu rows, %zu columns; %s in %s: %g ... %g m\n", br_table_rows(table), br_table_columns(table),
         br_table_name(table, (size_t)x), br_table_unit_of(table, (size_t)x),
         br_table_data(table, (size_t)x)[0], br_table_data(table, (size_t)x)[br_table_rows(table) - 1]);
  if (br_columns_choose(memory, "text", channels, 2, index, said, NULL, err)) return 1;
  printf("the force is column %d; all its cells are numbers: %d\n", index[1],
         !br_table_text_of(memory, (size_t)index[1], NULL));
  br_table_destroy(table), br_table_destroy(memory);
  return 0;
}

static int streamed(br_err *err)
{
  static const char TEXT[] = "a,b\n1,2\n3,4\n";
  br_table_reader *r = NULL, *m = NULL;
  double rows[6];
  size_t got = 0;
  if (br_table_reader_create("example_rows.csv", NULL, &r, err) ||
      br_table_reader_create_memory(TEXT, sizeof TEXT - 1, "text", NULL, &m, err) ||
      br_table_reader_next(r, 2, rows, &got, err))
    return 1;
  printf("%zu rows of %zu columns, the last is %s in %s; so far %zu rows\n", got, br_table_reader_columns(r),
         br_table_reader_name(r, 2), br_table_reader_unit(r, 2), br_table_reader_report(r)->rows);
  br_table_reader_destroy(r), br_table_reader_destroy(m);
  return 0;
}

static int recorded(br_err *err)
{
  static const char TEXT[] = "t,x_mm,F\n0,0,0\n0.1,1,2\n0.2,2,3\n0.3,1,1\n";
  const br_channel channels[] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION),
                                 br_channel_of(BR_ROLE_FORCE)};
  br_record_options o = br_record_options_default();
  br_record *file = NULL, *memory = NULL;
  if (br_record_load("example_rows.csv", channels, 3, &o, &file, err) ||
      br_record_load_memory(TEXT, sizeof TEXT - 1, "text", channels, 3, &o, &memory, err))
    return 1;
  printf("%zu samples every %g s (timed: %d), %s in %s, largest %g; first step: %s\n", br_record_rows(file),
         br_record_dt(file), br_record_timed(file), br_record_name(file, 1), br_record_unit(file, 1),
         br_record_data(file, 1)[br_record_rows(file) - 1], br_record_steps(0)->grammar);
  for (size_t i = 0; br_record_note(memory, i); i++) said(NULL, br_record_note(memory, i));
  printf("the file has %zu columns\n", br_record_columns(file));

  /* The same file as an input: position in metres, and the force that was measured along with it. */
  const br_signal_need metres = {"m", "motion u", 0, 0}, newtons = {"N", "force", 0, 0};
  br_signal *motion = NULL, *force = NULL;
  if (br_signal_parse_for("csv:example_rows.csv:t,x", &metres, &motion, err) ||
      br_signal_beside("csv:example_rows.csv:t,x", &metres, "F", &newtons, &force, err))
    return 1;
  printf("u(0.2 s) = %g m with %g N, without time: %d; %s\n", br_signal_value(motion, 0.2),
         br_signal_value(force, 0.2), br_signal_timeless(motion),
         br_signal_note(motion, 0) ? br_signal_note(motion, 0) : "");
  br_signal_destroy(motion), br_signal_destroy(force);
  br_record_destroy(file), br_record_destroy(memory);
  return 0;
}

int main(void)
{
  br_err err = {BR_OK, -1, ""};
  const int bad = written(&err) || loaded(&err) || streamed(&err) || recorded(&err);
  if (bad) (void)fprintf(stderr, "%s\n", err.msg);
  (void)remove("example_all.csv"), (void)remove("example_rows.csv");
  return bad;
}
