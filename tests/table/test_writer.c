/* SPDX-License-Identifier: Apache-2.0
 * test_writer.c - CSV files: written, read back, streamed; nothing half-written stays. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/base/alloc.h"
#include "bristle/table.h"
#include "bristle/text.h"
#include "support/paths.h"

static char folder[] = "/tmp/br_table_XXXXXX";

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int drop_folder(void **state)
{
  (void)state;
  return rmdir(folder); /* fails when a test left a file behind: nothing half-written may stay */
}

static void path_of(const char *name, char *buf, size_t size)
{
  (void)snprintf(buf, size, "%s/%s", folder, name);
}

static void streams_a_long_file(void **state)
{
  (void)state;
  char path[128];
  path_of("long.csv", path, sizeof path);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fprintf(f, "t,x\n");
  for (int i = 0; i < 30000; i++) fprintf(f, "%d.5,%d\r\n%s", i, -i, i % 7 ? "" : "# remark between rows\n");
  fprintf(f, "#%0100000d\n", 0); /* a line longer than the first buffer */
  fclose(f);
  br_table_reader *r = NULL;
  assert_int_equal(br_table_reader_create(path, NULL, &r, NULL), BR_OK);
  size_t total = 0, got = 0;
  double rows[2 * 17];
  do {
    assert_int_equal(br_table_reader_next(r, 17, rows, &got, NULL), BR_OK);
    for (size_t k = 0; k < got; k++, total++) {
      assert_true(rows[2 * k] == (double)total + 0.5 && rows[2 * k + 1] == -(double)total);
    }
  } while (got);
  assert_int_equal(total, 30000);
  assert_int_equal(br_table_reader_report(r)->comments, 4287);
  assert_true(br_table_reader_report(r)->dt_usual == 1.0);
  br_table_reader_destroy(r);

  f = fopen(path, "ab"); /* beyond 1 MiB a line is refused, not swallowed */
  for (int k = 0; k < 1100; k++) fprintf(f, "%01000d", 0);
  fclose(f);
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_table_load(path, NULL, &t, NULL, &err), BR_E_SIZE);
  remove(path);
}

static void writes_what_it_reads(void **state)
{
  (void)state;
  char path[128];
  path_of("out.csv", path, sizeof path);
  const char *const names[] = {"#t", "a,b \"q\"", "#x", "plain"};
  const char *const units[] = {"s", "N m/deg", NULL, ""};
  double col[4][50];
  const double *const cols[] = {col[0], col[1], col[2], col[3]};
  for (int i = 0; i < 50; i++) {
    col[0][i] = i * 0.1;
    col[1][i] = sin(i) * pow(10.0, i - 25);
    col[2][i] = i == 7 ? NAN : -1.0 / 3.0 * i;
    col[3][i] = i;
  }
  br_err err = {BR_OK, -1, ""};
  for (int twice = 0; twice < 2; twice++) { /* the second run replaces the first file */
    assert_int_equal(br_table_save(path, 4, names, units, 50, cols, &err), BR_OK);
  }
  br_table *t = NULL;
  br_table_report report;
  assert_int_equal(br_table_load(path, NULL, &t, &report, &err), BR_OK);
  assert_int_equal(br_table_rows(t), 50);
  for (size_t j = 0; j < 4; j++) {
    assert_string_equal(br_table_name(t, j), names[j]);
    assert_string_equal(br_table_unit_of(t, j), units[j] ? units[j] : "");
    for (size_t i = 0; i < 50; i++) {
      if (isnan(col[j][i])) {
        assert_true(isnan(br_table_data(t, j)[i]));
      } else {
        assert_memory_equal(&br_table_data(t, j)[i], &col[j][i], sizeof(double));
      }
    }
  }
  assert_int_equal(report.gaps.count, 1);
  br_table_destroy(t);
  remove(path);
}

/* Line ends in headings become blanks: a table is read back whatever its columns are called. */
static void lines_in_headings(void **state)
{
  (void)state;
  char path[128];
  path_of("lines.csv", path, sizeof path);
  static const char *const NAMES[] = {"a\rb", "c\nd", "e\r\nf", "\rg", "h\n"},
                           *const READ[] = {"a b", "c d", "e  f", "g", "h"}; /* outer blanks may go */
  static const double ONE[] = {1, 2, 3, 4, 5};
  const double *const columns[] = {ONE, ONE + 1, ONE + 2, ONE + 3, ONE + 4};
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_table_save(path, 5, NAMES, NULL, 1, columns, &err), BR_OK);
  br_table *t = NULL;
  if (br_table_load(path, NULL, &t, NULL, &err)) fail_msg("%s", err.msg);
  (void)remove(path);
  assert_true(br_table_rows(t) == 1 && br_table_columns(t) == 5);
  for (size_t j = 0; j < 5; j++) {
    assert_string_equal(br_table_name(t, j), READ[j]);
    assert_true(br_table_data(t, j)[0] == ONE[j]);
  }
  br_table_destroy(t);
}

static void nothing_half_written_stays(void **state)
{
  (void)state;
  char path[128];
  const char *const names[] = {"x"};
  const double x = 1.0;
  br_err err = {BR_OK, -1, ""};
  br_table_writer *w = NULL;
  path_of("gone.csv", path, sizeof path);
  const size_t before = support_entries(folder);
  assert_int_equal(br_table_writer_create(path, 1, names, NULL, &w, &err), BR_OK);
  assert_int_equal(br_table_writer_row(w, &x, &err), BR_OK);
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(support_entries(folder), before + 1); /* under a name of its own */
  br_table_writer *second = NULL; /* two writers of one name do not disturb each other */
  assert_int_equal(br_table_writer_create(path, 1, names, NULL, &second, &err), BR_OK);
  br_table_writer_abort(second);
  br_table_writer_abort(w);
  assert_int_equal(support_entries(folder), before);
  assert_int_equal(br_table_writer_create("/nonexistent/x.csv", 1, names, NULL, &w, &err), BR_E_IO);
  assert_null(w);
  assert_int_equal(br_table_writer_create(folder, 1, names, NULL, &w, &err), BR_E_IO);
  assert_int_equal(br_table_writer_create(path, 0, names, NULL, &w, &err), BR_E_ARG);
  br_table_writer_abort(NULL);
}

/* A device or a pipe is written directly; what was given up does not go there either. */
static void given_up(void **state)
{
  (void)state;
  const char *const names[] = {"x"};
  for (int keep = 0; keep < 2; keep++) {
    int ends[2];
    char path[32], text[64];
    const double x = 1.5;
    br_table_writer *w = NULL;
    assert_int_equal(pipe(ends), 0);
    (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(br_table_writer_create(path, 1, names, NULL, &w, NULL), BR_OK);
    assert_int_equal(br_table_writer_row(w, &x, NULL), BR_OK);
    if (keep) assert_int_equal(br_table_writer_close(w, NULL), BR_OK);
    else br_table_writer_abort(w);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(read(ends[0], text, sizeof text), keep ? 6 : 0);
    if (keep) assert_memory_equal(text, "x\n1.5\n", 6);
    assert_int_equal(close(ends[0]), 0);
  }
}

/* Tables of several blocks, which a second thread prints: the bytes are those of br_format_double(), also
 * where a row goes over from one block to the next, or is longer than one. */
static void long_tables_are_printed_alike(void **state)
{
  (void)state;
  static const struct {
    size_t ncol, nrow;
  } SIZE[] = {{1, 32768}, {3, 32768}, {7, 20000}, {40001, 5}};
  char path[128];
  br_err err = {BR_OK, -1, ""};
  path_of("long.csv", path, sizeof path);
  for (size_t k = 0; k < sizeof SIZE / sizeof SIZE[0]; k++) {
    const size_t ncol = SIZE[k].ncol, nrow = SIZE[k].nrow;
    const char **names = malloc(ncol * sizeof *names);
    double *row = malloc(ncol * sizeof *row);
    br_table_writer *w = NULL;
    assert_true(names && row);
    for (size_t j = 0; j < ncol; j++) names[j] = "x";
    assert_int_equal(br_table_writer_create(path, ncol, names, NULL, &w, &err), BR_OK);
    for (size_t i = 0; i < nrow; i++) {
      for (size_t j = 0; j < ncol; j++) row[j] = sin((double)(i * ncol + j)) * 100.0;
      assert_int_equal(br_table_writer_row(w, row, &err), BR_OK);
    }
    assert_int_equal(br_table_writer_close(w, &err), BR_OK);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (int c = 0; c != '\n';) c = fgetc(f);
    for (size_t i = 0; i < nrow * ncol; i++) {
      char want[BR_DOUBLE_TEXT + 1], got[BR_DOUBLE_TEXT + 1] = "";
      const size_t n = br_format_double(sin((double)i) * 100.0, want);
      want[n] = (i + 1) % ncol ? ',' : '\n';
      assert_int_equal(fread(got, 1, n + 1, f), n + 1);
      assert_memory_equal(got, want, n + 1);
    }
    assert_int_equal(fgetc(f), EOF);
    (void)fclose(f);
    remove(path);
    /* given up half-way, with the thread at work */
    assert_int_equal(br_table_writer_create(path, ncol, names, NULL, &w, &err), BR_OK);
    for (size_t i = 0; i < nrow; i++) assert_int_equal(br_table_writer_row(w, row, &err), BR_OK);
    br_table_writer_abort(w);
    assert_int_equal(access(path, F_OK), -1);
    free(names);
    free(row);
  }
}

/* Rows the quick road leaves to the careful one, among usual ones: every kind, in any order. */
static void usual_and_odd_rows_mix(void **state)
{
  (void)state;
  static const struct {
    const char *row;
    double a, b;
  } ROW[] = {
      {"1,2\n", 1, 2},
      {"1.5,-2.25e3\r\n", 1.5, -2250},
      {" 3 , 4 \n", 3, 4},
      {"5,6,\n", 5, 6},
      {"7,8,\r\n", 7, 8},
      {"\"9\",10\n", 9, 10},
      {"11,\n", 11, NAN},
      {",12\n", NAN, 12},
      {"inf,-inf\n", INFINITY, -INFINITY},
      {"+13,.5\n", 13, 0.5},
      {"# comment\n14,15\n", 14, 15},
      {"\n  \n16,17\n", 16, 17},
      {"123456789012345678901234567890,1e400\n", 123456789012345678901234567890.0, INFINITY},
      {"0.1234567890123456789012,0.00000000000000000000000012345\n", 0.1234567890123456789012, 1.2345e-25},
      {"18,1e\n", 0, 0}}; /* the last is an error, and only used at the end */
  const size_t kinds = sizeof ROW / sizeof ROW[0] - 1;
  static char text[400000];
  size_t n = (size_t)snprintf(text, sizeof text, "a,b\n"), which[4000];
  uint64_t r = 1;
  for (size_t i = 0; i < 4000; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    which[i] = (r >> 60) < 9 ? 0 : (r >> 33) % kinds;
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", ROW[which[i]].row);
  }
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  br_table_report report;
  char path[128];
  path_of("mix.csv", path, sizeof path);
  FILE *f = fopen(path, "wb");
  assert_true(f && fwrite(text, 1, n, f) == n && fclose(f) == 0);
  for (int file = 0; file < 2; file++) { /* in blocks of 64 KiB, and all in memory */
    assert_int_equal(file ? br_table_load(path, NULL, &t, &report, &err)
                          : br_table_load_memory(text, n, "mix", NULL, &t, &report, &err),
                     BR_OK);
    assert_int_equal(br_table_rows(t), 4000);
    for (size_t i = 0; i < 4000; i++) {
      const double a = br_table_data(t, 0)[i], b = br_table_data(t, 1)[i];
      const int same_a = a == ROW[which[i]].a || (isnan(a) && isnan(ROW[which[i]].a));
      const int same_b = b == ROW[which[i]].b || (isnan(b) && isnan(ROW[which[i]].b));
      if (!same_a || !same_b) fail_msg("row %zu, '%s': %.17g %.17g", i, ROW[which[i]].row, a, b);
    }
    br_table_destroy(t);
  }
  remove(path);
  (void)snprintf(text + n, sizeof text - n, "%s", ROW[kinds].row);
  assert_int_equal(br_table_load_memory(text, strlen(text), "mix", NULL, &t, &report, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, ":4: column 'b': '1e' is not a number"));
}

static void full_disk_is_reported(void **state)
{
  (void)state;
  if (access("/dev/full", W_OK) != 0) skip();
  const char *const names[] = {"x"};
  br_err err = {BR_OK, -1, ""};
  br_table_writer *w = NULL;
  double x = 0.1;
  assert_int_equal(br_table_writer_create("/dev/full", 1, names, NULL, &w, &err), BR_OK);
  assert_int_equal(br_table_writer_row(w, &x, &err), BR_OK); /* still in the buffer */
  assert_int_equal(br_table_writer_close(w, &err), BR_E_IO);
  assert_non_null(strstr(err.msg, "/dev/full"));
  assert_int_equal(br_table_writer_create("/dev/full", 1, names, NULL, &w, &err), BR_OK);
  br_status st = BR_OK;
  for (int k = 0; k < 100000 && !st; k++) st = br_table_writer_row(w, &x, &err);
  assert_int_equal(st, BR_E_IO); /* found while writing, not only at the end */
  assert_int_equal(br_table_writer_row(w, &x, &err), BR_E_IO);
  assert_int_equal(br_table_writer_close(w, &err), BR_E_IO);
  assert_int_equal(access("/dev/full", F_OK), 0); /* the device was not replaced or removed */
  assert_int_equal(br_table_save("/dev/null", 1, names, NULL, 0, NULL, &err), BR_OK);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
#ifdef BR_TESTING
  const long live = bri_alloc_live();
  int done = 0;
  char path[128];
  path_of("alloc.csv", path, sizeof path);
  for (long n = 0; n < 100 && !done; n++) {
    br_table_writer *w = NULL;
    const char *const names[] = {"x"};
    bri_alloc_fail_after(n);
    const br_status st = br_table_writer_create(path, 1, names, NULL, &w, NULL);
    bri_alloc_fail_after(-1);
    done = st == BR_OK;
    if (!done) assert_int_equal(st, BR_E_NOMEM);
    br_table_writer_abort(w);
    assert_int_equal(bri_alloc_live(), live);
  }
  assert_true(done);
#else
  print_message("SKIP: library built without BR_TESTING\n");
  skip();
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_a_long_file),        cmocka_unit_test(writes_what_it_reads),
      cmocka_unit_test(nothing_half_written_stays), cmocka_unit_test(given_up),
      cmocka_unit_test(lines_in_headings),          cmocka_unit_test(long_tables_are_printed_alike),
      cmocka_unit_test(usual_and_odd_rows_mix),     cmocka_unit_test(full_disk_is_reported),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
