/* SPDX-License-Identifier: Apache-2.0
 * test_foreign.c - .mat and HDF5 files as tables: vectors, matrices, fields, number types, names, units,
 * what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "bri_config.h"
#include "bristle/table.h"
#if BR_WITH_HDF5
#include <hdf5.h>
#endif

/* The table of a file, which is taken away. */
static br_table *load(const char *path, const br_table_options *o)
{
  br_table *t = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_table_load(path, o, &t, NULL, &err);
  (void)remove(path);
  if (st) fail_msg("%s: %s", path, err.msg);
  return t;
}

static const double *column(const br_table *t, const char *name)
{
  br_err err = {BR_OK, -1, ""};
  const int k = br_table_find(t, name, &err);
  if (k < 0) fail_msg("%s", err.msg);
  return br_table_data(t, (size_t)k);
}

/* ---- MATLAB, version 5: elements of a type, a length and bytes, filled up to eight ---- */

#if BR_WITH_MATIO
enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, SINGLE = 7, DOUBLE = 9, MATRIX = 14 };

static void element(FILE *f, uint32_t type, const void *bytes, size_t n)
{
  static const char ZEROS[8];
  const uint32_t head[2] = {type, (uint32_t)n};
  (void)fwrite(head, 4, 2, f);
  (void)fwrite(bytes, 1, n, f);
  (void)fwrite(ZEROS, 1, (8 - n % 8) % 8, f);
}

static size_t padded(size_t n) { return 8 + (n + 7) / 8 * 8; }

/* type, class: of the numbers, column by column. */
static void matrix(FILE *f, const char *name, uint32_t type, uint32_t class, size_t size, int rows,
                   int columns, const void *x)
{
  const size_t n = size * (size_t)(rows * columns);
  const uint32_t flags[2] = {class, 0};
  const int32_t dims[2] = {rows, columns};
  const uint32_t head[2] = {MATRIX, (uint32_t)(padded(8) + padded(8) + padded(strlen(name)) + padded(n))};
  (void)fwrite(head, 4, 2, f);
  element(f, UINT32, flags, 8);
  element(f, INT32, dims, 8);
  element(f, INT8, name, strlen(name));
  element(f, type, x, n);
}

static FILE *mat_file(const char *path)
{
  char head[124];
  const uint16_t end[2] = {0x0100, 0x4d49};
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  (void)snprintf(head, sizeof head, "%-123s", "MATLAB 5.0 MAT-file, made by a test");
  head[sizeof head - 1] = ' '; /* blanks to the end, without a zero */
  (void)fwrite(head, 1, sizeof head, f);
  (void)fwrite(end, 2, 2, f);
  return f;
}

static void matlab(void **state)
{
  (void)state;
  static const double t[] = {0, 0.5, 1}, pair[] = {1, 2, 3, 4, 5, 6}, gain = 2;
  static const float x[] = {0.25f, -1.5f, 3};
  static const uint16_t counts[] = {7, 65535, 9};
  static const int32_t steps[] = {-4, 0, 70000};
  FILE *f = mat_file("numbers.mat");
  matrix(f, "t_s", DOUBLE, 6, 8, 3, 1, t);
  matrix(f, "x", SINGLE, 7, 4, 1, 3, x); /* a row is a column too */
  matrix(f, "counts", UINT16, 11, 2, 3, 1, counts);
  matrix(f, "steps", INT32, 12, 4, 3, 1, steps);
  matrix(f, "pair", DOUBLE, 6, 8, 3, 2, pair);
  matrix(f, "gain", DOUBLE, 6, 8, 1, 1, &gain); /* of another length: no column, however many there are */
  for (int i = 0; i < 9; i++) matrix(f, (char[]){'g', (char)('1' + i), 0}, DOUBLE, 6, 8, 1, 1, &gain);
  assert_int_equal(fclose(f), 0);
  br_table *table = load("numbers.mat", NULL);
  assert_true(br_table_rows(table) == 3 && br_table_columns(table) == 6);
  for (int i = 0; i < 3; i++) {
    assert_true(column(table, "t")[i] == t[i] && column(table, "x")[i] == (double)x[i]);
    assert_true(column(table, "counts")[i] == counts[i] && column(table, "steps")[i] == steps[i]);
    assert_true(column(table, "pair1")[i] == pair[i] && column(table, "pair2")[i] == pair[3 + i]);
  }
  br_table_destroy(table);
}
#endif

/* ---- HDF5 ---- */

#if BR_WITH_HDF5
static void text_of(hid_t object, const char *name, const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  (void)H5Tset_size(type, strlen(text) + 1);
  const hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(a >= 0 && H5Awrite(a, type, text) >= 0);
  (void)H5Aclose(a), (void)H5Tclose(type), (void)H5Sclose(space);
}

static hid_t data_of(hid_t file, const char *name, hid_t type, int rank, hsize_t rows, hsize_t columns,
                     const void *x)
{
  const hsize_t dims[2] = {rows, columns};
  const hid_t space = H5Screate_simple(rank, dims, NULL), lcpl = H5Pcreate(H5P_LINK_CREATE);
  (void)H5Pset_create_intermediate_group(lcpl, 1);
  const hid_t d = H5Dcreate2(file, name, type, space, lcpl, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(d >= 0 && H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  (void)H5Sclose(space), (void)H5Pclose(lcpl);
  return d;
}

static void hdf5(void **state)
{
  (void)state;
  static const double t[] = {0, 1, 2}, plain[] = {1, 2, 3, 4, 5, 6}, share[] = {0.5, 0.25, 1}, two[] = {8, 9};
  static const int counts[] = {4, -5, 6};
  hid_t d;
  const hid_t file = H5Fcreate("numbers.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  d = data_of(file, "run/t", H5T_NATIVE_DOUBLE, 1, 3, 0, t), text_of(d, "unit", "s"), (void)H5Dclose(d);
  d = data_of(file, "run/table", H5T_NATIVE_DOUBLE, 1, 3, 0, t), text_of(d, "units", "mm"), (void)H5Dclose(d);
  d = data_of(file, "run/share", H5T_NATIVE_DOUBLE, 1, 3, 0, share), text_of(d, "unit", "1"),
  (void)H5Dclose(d);
  d = data_of(file, "run/tally", H5T_NATIVE_INT, 1, 3, 0, counts), (void)H5Dclose(d);
  d = data_of(file, "run/a", H5T_NATIVE_DOUBLE, 2, 3, 2, plain), (void)H5Dclose(d);
  d = data_of(file, "run/b", H5T_NATIVE_DOUBLE, 2, 2, 3, plain); /* MATLAB writes 3 x 2 so */
  text_of(d, "MATLAB_class", "double"), (void)H5Dclose(d);
  d = data_of(file, "run/two", H5T_NATIVE_DOUBLE, 1, 2, 0, two), (void)H5Dclose(d); /* of another length */
  d = data_of(file, "run/row", H5T_NATIVE_DOUBLE, 2, 1, 3, share), (void)H5Dclose(d);
  d = data_of(file, "run/upright", H5T_NATIVE_DOUBLE, 2, 3, 1, share), (void)H5Dclose(d);
  for (int i = 0; i < 12; i++) { /* single numbers are no record, even where most are such */
    d = data_of(file, (char[]){'g', (char)('a' + i), 0}, H5T_NATIVE_DOUBLE, i % 2 + 1, 1, 1, two),
    (void)H5Dclose(d);
  }
  assert_true(H5Fclose(file) >= 0);
  br_table_options o = br_table_options_default();
  o.to_si = 1;
  br_table *table = load("numbers.h5", &o);
  assert_true(br_table_rows(table) == 3 && br_table_columns(table) == 10);
  assert_string_equal(br_table_unit_of(table, (size_t)br_table_find(table, "share", NULL)), "");
  assert_string_equal(br_table_unit_of(table, (size_t)br_table_find(table, "t", NULL)), "s");
  for (int i = 0; i < 3; i++) {
    assert_true(column(table, "t")[i] == t[i] && column(table, "table")[i] == t[i] / 1000);
    assert_true(column(table, "row")[i] == share[i] && column(table, "upright")[i] == share[i]);
    assert_true(column(table, "share")[i] == share[i] && column(table, "tally")[i] == counts[i]);
    for (int j = 0; j < 2; j++) { /* row by row, and as MATLAB has it */
      assert_true(column(table, j ? "a2" : "a1")[i] == plain[2 * i + j]);
      assert_true(column(table, j ? "b2" : "b1")[i] == plain[3 * j + i]);
    }
  }
  br_table_destroy(table);
}

/* Of two lengths that as many columns have the longer one; a quote in a name; a file of MATLAB 7.3 has 512
 * bytes in front. */
static void which_columns(void **state)
{
  (void)state;
  static const double x[] = {1, 2, 3};
  const hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
  (void)H5Pset_userblock(fcpl, 512);
  const hid_t file = H5Fcreate("lengths.mat", H5F_ACC_TRUNC, fcpl, H5P_DEFAULT);
  (void)H5Pclose(fcpl);
  hid_t d = data_of(file, "a", H5T_NATIVE_DOUBLE, 1, 2, 0, x);
  (void)H5Dclose(d);
  d = data_of(file, "b\"c", H5T_NATIVE_DOUBLE, 1, 3, 0, x), (void)H5Dclose(d);
  assert_true(H5Fclose(file) >= 0);
  br_table *table = load("lengths.mat", NULL);
  assert_true(br_table_rows(table) == 3 && br_table_columns(table) == 1);
  assert_string_equal(br_table_name(table, 0), "b\"c");
  br_table_destroy(table);
}
#endif

/* What stands under a name with another beginning is a table of text, whatever its name. */
static void by_content(void **state)
{
  (void)state;
  FILE *f = fopen("text.h5", "wb");
  assert_non_null(f);
  (void)fputs("t,x\n0,1\n1,2\n", f);
  assert_int_equal(fclose(f), 0);
  br_table *table = load("text.h5", NULL);
  assert_true(br_table_columns(table) == 2 && column(table, "x")[1] == 2);
  br_table_destroy(table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#if BR_WITH_MATIO
    cmocka_unit_test(matlab),
#endif
#if BR_WITH_HDF5
    cmocka_unit_test(hdf5),
    cmocka_unit_test(which_columns),
#endif
    cmocka_unit_test(by_content),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
