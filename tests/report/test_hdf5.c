/* SPDX-License-Identifier: Apache-2.0
 * test_hdf5.c - HDF5 tables read back by the HDF5 library itself: numbers, units, attributes, and that a
 * file appears complete or not at all; the commands' files against their CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bri_config.h"
#include "bristle/report.h"
#include "bristle/table.h"
#include "base/alloc.h"
#include "report/hdf5.h"
#include "support/paths.h"

#if BR_WITH_HDF5
#include <hdf5.h>

enum { ROWS = 10000 }; /* more than two blocks of the writer */

static const char *const NAMES[] = {"t", "contact1.z", "F"}, *const UNITS[] = {"s", "m", ""};

static void fill(size_t k, double *row)
{
  row[0] = 1e-3 * (double)k, row[1] = sin(0.1 * (double)k), row[2] = k % 7 ? 1.0 / (double)(k + 1) : -0.0;
}

/* A text attribute; it must be of variable length and UTF-8. */
static void attribute_is(hid_t file, const char *object, const char *name, const char *expected)
{
  char *text = NULL;
  const hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  if (a < 0) fail_msg("no attribute %s of %s", name, object);
  const hid_t type = H5Aget_type(a), memory = H5Tcopy(H5T_C_S1);
  assert_true(H5Tis_variable_str(type) > 0);
  assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
  assert_true(H5Tset_size(memory, H5T_VARIABLE) >= 0 && H5Tset_cset(memory, H5T_CSET_UTF8) >= 0);
  assert_true(H5Aread(a, memory, (void *)&text) >= 0);
  assert_string_equal(text, expected);
  (void)H5free_memory(text);
  (void)H5Tclose(memory);
  (void)H5Tclose(type);
  (void)H5Aclose(a);
}

static size_t numbers(hid_t file, const char *name, size_t max, double *x)
{
  const hid_t a = H5Aopen_by_name(file, "/", name, H5P_DEFAULT, H5P_DEFAULT);
  if (a < 0) fail_msg("no attribute %s", name);
  const hid_t space = H5Aget_space(a);
  const size_t n = (size_t)H5Sget_simple_extent_npoints(space);
  assert_true(n <= max);
  assert_true(H5Aread(a, H5T_NATIVE_DOUBLE, x) >= 0);
  (void)H5Sclose(space);
  (void)H5Aclose(a);
  return n;
}

/* All of a column; free() it. */
static double *column(hid_t file, const char *name, size_t rows)
{
  hsize_t size = 0;
  const hid_t d = H5Dopen2(file, name, H5P_DEFAULT);
  if (d < 0) fail_msg("no column %s", name);
  const hid_t space = H5Dget_space(d);
  assert_int_equal(H5Sget_simple_extent_dims(space, &size, NULL), 1);
  assert_int_equal(size, rows);
  double *x = calloc(rows + 1, sizeof *x);
  assert_true(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  (void)H5Sclose(space);
  (void)H5Dclose(d);
  return x;
}

static br_status write_all(const char *path, br_err *err)
{
  static const double vector[] = {1, 1.8, 2.6};
  br_hdf5 *h = NULL;
  br_status st = br_hdf5_create(path, 3, NAMES, UNITS, 0, &h, err);
  if (st) return st;
  st = br_hdf5_text(h, "note", "friction \xc2\xb5", err);
  if (!st) st = br_hdf5_numbers(h, "model.k", 3, vector, err);
  if (!st) st = br_hdf5_numbers(h, "model.n", 1, vector + 1, err);
  if (!st) st = br_hdf5_numbers(h, "model.none", 0, NULL, err);
  for (size_t k = 0; k < ROWS && !st; k++) {
    double row[3];
    fill(k, row);
    st = br_hdf5_row(h, row, err);
  }
  if (!st) return br_hdf5_close(h, err);
  br_hdf5_abort(h);
  return st;
}

static void round_trip(void **state)
{
  br_err err;
  double x[4];
  if (write_all("a.h5", &err)) fail_msg("%s", err.msg);
  const hid_t file = H5Fopen("a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  for (size_t c = 0; c < 3; c++) {
    double *got = column(file, NAMES[c], ROWS), row[3];
    for (size_t k = 0; k < ROWS; k++) {
      fill(k, row);
      assert_memory_equal(&got[k], &row[c], sizeof row[c]);
    }
    free(got);
    attribute_is(file, NAMES[c], "unit", UNITS[c][0] ? UNITS[c] : "1");
  }
  attribute_is(file, "/", "note", "friction \xc2\xb5");
  assert_int_equal(numbers(file, "model.k", 4, x), 3);
  assert_true(x[2] == 2.6);
  assert_int_equal(numbers(file, "model.n", 4, x), 1);
  assert_true(x[0] == 1.8);
  assert_true(H5Aexists(file, "model.none") == 0);
  (void)H5Fclose(file);
}

/* The same table has the same bytes at any time; a number is a number and a list of one is not; what is to
 * be packed is. */
static void contents(void **state)
{
  br_err err;
  static const char *const ONE[] = {"x"};
  static const double ROW[] = {1};
  br_hdf5 *h = NULL;
  bri_hdf5 *packed = NULL;
  bri_hdf5_rows *rows = NULL;
  assert_int_equal(br_hdf5_create("c.h5", 1, ONE, NULL, 1, &h, &err), BR_OK);
  assert_int_equal(br_hdf5_numbers(h, "single", 1, ROW, &err), BR_OK);
  assert_int_equal(br_hdf5_row(h, ROW, &err), BR_OK);
  assert_int_equal(br_hdf5_close(h, &err), BR_OK);
  hid_t file = H5Fopen("c.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t a = H5Aopen(file, "single", H5P_DEFAULT), space = H5Aget_space(a);
  assert_int_equal(H5Sget_simple_extent_type(space), H5S_SCALAR);
  (void)H5Sclose(space), (void)H5Aclose(a);
  hid_t d = H5Dopen2(file, "x", H5P_DEFAULT), how = H5Dget_create_plist(d);
  H5O_info_t info;
  assert_true(H5Oget_info(d, &info) >= 0 && info.mtime == 0 && info.ctime == 0);
  assert_int_equal(H5Pget_nfilters(how), 0);
  (void)H5Pclose(how), (void)H5Dclose(d), (void)H5Fclose(file);
  assert_int_equal(bri_hdf5_create("c.h5", &packed, &err), BR_OK);
  bri_hdf5_pack(packed);
  assert_int_equal(bri_hdf5_rows_create(packed, "/", 1, ONE, NULL, 1, &rows, &err), BR_OK);
  assert_int_equal(bri_hdf5_rows_put(rows, ROW, &err), BR_OK);
  assert_int_equal(bri_hdf5_rows_close(rows, &err), BR_OK);
  assert_int_equal(bri_hdf5_close(packed, &err), BR_OK);
  file = H5Fopen("c.h5", H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(file, "x", H5P_DEFAULT),
  how = H5Dget_create_plist(d);
  assert_int_equal(H5Pget_nfilters(how) > 0, H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0);
  (void)H5Pclose(how), (void)H5Dclose(d), (void)H5Fclose(file);
  assert_int_equal(remove("c.h5"), 0);
}

/* A CSV file as a group: every column under its name with its own unit, which may be none; more rows than a
 * block has. */
static void csv_as_group(void **state)
{
  static const char *const names[] = {"t", "u", "F", "n"}, *const units[] = {"s", "mm", "N m/rad", ""};
  static double x[4][ROWS];
  const double *const columns[] = {x[0], x[1], x[2], x[3]};
  br_err err;
  bri_hdf5 *h = NULL;
  (void)state;
  for (size_t k = 0; k < ROWS; k++)
    x[0][k] = 1e-3 * (double)k, x[1][k] = sin((double)k), x[2][k] = -1.0 / (double)(k + 1),
    x[3][k] = (double)(k % 3);
  assert_int_equal(br_table_save("g.csv", 4, names, units, ROWS, columns, &err), BR_OK);
  assert_int_equal(bri_hdf5_create("g.h5", &h, &err), BR_OK);
  if (bri_hdf5_table(h, "group", "g.csv", ROWS, &err)) fail_msg("%s", err.msg);
  assert_int_equal(bri_hdf5_table(h, "other", "none.csv", ROWS, &err), BR_E_IO);
  assert_int_equal(bri_hdf5_close(h, &err), BR_OK);
  const hid_t file = H5Fopen("g.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  for (size_t c = 0; c < 4; c++) {
    char name[64];
    (void)snprintf(name, sizeof name, "group/%s", names[c]);
    double *got = column(file, name, ROWS);
    assert_memory_equal(got, x[c], sizeof x[c]);
    free(got);
    attribute_is(file, name, "unit", units[c][0] ? units[c] : "1");
  }
  (void)H5Fclose(file);
  assert_true(remove("g.csv") == 0 && remove("g.h5") == 0);
}

static void nothing_half_written(void **state)
{
  br_err err;
  br_hdf5 *h = NULL;
  (void)remove("b.h5");
  const size_t before = support_entries(".");
  assert_int_equal(br_hdf5_create("b.h5", 3, NAMES, UNITS, 10, &h, &err), BR_OK);
  br_hdf5_abort(h);
  br_hdf5_abort(NULL);
  assert_int_equal(support_entries("."), before);
  assert_int_equal(br_hdf5_create("no/such/folder/b.h5", 3, NAMES, UNITS, 10, &h, &err), BR_E_IO);
  assert_null(h);
  assert_int_equal(br_hdf5_create("/dev/null", 3, NAMES, UNITS, 10, &h, &err), BR_E_IO);
  assert_int_equal(br_hdf5_create(".", 3, NAMES, UNITS, 10, &h, &err), BR_E_IO);
  static const char *const twice[] = {"t", "t"};
  assert_int_equal(br_hdf5_create("b.h5", 2, twice, NULL, 10, &h, &err), BR_E_IO);
  assert_int_equal(support_entries("."), before);
}

/* Every allocation of ours refused in turn: the status says so, nothing leaks, no file is left. */
static void out_of_memory(void **state)
{
  const long before = bri_alloc_live();
  br_err err;
  br_status st = BR_E_NOMEM;
  (void)remove("c.h5");
  const size_t files = support_entries(".");
  for (long n = 0; st; n++) {
    bri_alloc_fail_after(n);
    st = write_all("c.h5", &err);
    bri_alloc_fail_after(-1);
    assert_true(st == BR_OK || st == BR_E_NOMEM);
    assert_int_equal(bri_alloc_live(), before);
    assert_int_equal(access("c.h5", F_OK) == 0, st == BR_OK);
    assert_int_equal(support_entries("."), files + (st == BR_OK));
    assert_true(n < 100);
  }
}

/* ---- a full disk ---- */

/* A host program whose files may have so many bytes: it gets an error and lives on, through the exit handler
 * of HDF5 too. */
static int host(rlim_t bytes)
{
  const struct rlimit limit = {bytes, bytes};
  br_err err = {BR_OK, -1, ""};
  (void)signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit)) return 1;
  if (write_all("full.h5", &err) != BR_E_IO) return 2;
  return strstr(err.msg, strerror(EFBIG)) && strstr(err.msg, "full.h5") ? 0 : 3;
}

static void full_disk(void **state)
{
  static const rlim_t bytes[] = {0, 1, 96, 800, 2048, 4096, 20000, 65536, 131072, 200000, 230000, 240000};
  const size_t before = support_entries(".");
  (void)fflush(stdout);
  for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) exit(host(bytes[i]));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (status) fail_msg("%llu bytes: status %#x", (unsigned long long)bytes[i], (unsigned)status);
    assert_int_equal(support_entries("."), before); /* nothing is left */
  }
}

/* ---- the commands ---- */

/* x.h5 holds the columns of x.csv to the last bit, with the same units. */
static void same_as_csv(const char *what, hid_t file)
{
  br_table *t = NULL;
  br_err err;
  if (br_table_load("x.csv", NULL, &t, NULL, &err)) fail_msg("%s: %s", what, err.msg);
  assert_true(br_table_columns(t) >= 3 && br_table_rows(t) >= 2);
  for (size_t c = 0; c < br_table_columns(t); c++) {
    double *x = column(file, br_table_name(t, c), br_table_rows(t));
    const double *y = br_table_data(t, c);
    const char *unit = br_table_unit_of(t, c);
    for (size_t k = 0; k < br_table_rows(t); k++)
      if (!(x[k] == y[k]) && !(isnan(x[k]) && isnan(y[k])))
        fail_msg("%s: row %zu of %s: %.17g in HDF5, %.17g in CSV", what, k, br_table_name(t, c), x[k], y[k]);
    attribute_is(file, br_table_name(t, c), "unit", unit && unit[0] ? unit : "1");
    free(x);
  }
  br_table_destroy(t);
}

static int bristle(const char *args)
{
  char line[1024];
  (void)snprintf(line, sizeof line, "\"$BRISTLE\" %s 2>err.txt", args);
  return system(line) / 256; /* NOLINT: a test calls the program as a user does */
}

static void commands(void **state)
{
  static const char pulled[] = "simulate --system pulled_block --model lugre --cycle --set k=2,sigma0=2e4,"
                               "sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1,vp=2";
  static const char *const calls[] = {
      "simulate --system mass_spring --model lugre --set sigma0=2e4 --input 'sine:4,0.1' --t-end 20",
      "simulate --system chain --model dahl --set sigma0=2e4 --input 'base:sine:4,1' --t-end 2",
      pulled,
      "trace --model lugre --set sigma0=2e4 --input sine:1mm,0.5Hz",
      "loop --model dahl --set sigma0=2e4 --input bimodal:0,1,0.5,1.5",
      "loop --model lugre --set sigma0=2e4 --input sine:1mm,1Hz --waveform"};
  double x[4];
  if (!getenv("BRISTLE")) {
    print_message("skip: BRISTLE does not name the program\n");
    skip();
  }
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    char args[512];
    (void)remove("x.csv");
    (void)remove("x.h5");
    (void)snprintf(args, sizeof args, "%s --csv x.csv --hdf5 x.h5 --quiet", calls[i]);
    assert_int_equal(bristle(args), 0);
    const hid_t file = H5Fopen("x.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("%s: no x.h5", calls[i]);
    same_as_csv(calls[i], file);
    assert_int_equal(numbers(file, "model.sigma0", 4, x), 1);
    assert_true(x[0] == 2e4);
    if (i == 3)
      attribute_is(file, "/", "command",
                   "bristle trace --model lugre --set sigma0=2e4 --input sine:1mm,0.5Hz --csv x.csv --hdf5 "
                   "x.h5 --quiet");
    if (i == 0) assert_true(numbers(file, "system.m", 4, x) == 1 && x[0] == 1);
    (void)H5Fclose(file);
  }
}

static void refusals(void **state)
{
  if (!getenv("BRISTLE")) skip();
  assert_int_equal(bristle("trace --model lugre --input sine:1mm,1Hz --hdf5 -"), 2);
  assert_int_equal(bristle("loop --model lugre --input sine:1mm,1Hz --hdf5 -"), 2);
  assert_int_equal(bristle("simulate --system mass_spring --model lugre --t-end 1 --hdf5 -"), 2);
  assert_int_equal(bristle("trace --model lugre --input sine:1mm,1Hz --hdf5 same --csv same"), 2);
  assert_int_equal(bristle("trace --model lugre --input sine:1mm,1Hz --hdf5 no/folder/x.h5"), 1);
}
#else
static void not_built_in(void **state)
{
  br_err err;
  assert_int_equal(br_hdf5_check("a.h5", &err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(err.msg, "no HDF5"));
}
#endif

static void wrong_arguments(void **state)
{
  br_err err;
  br_hdf5 *h = NULL;
  const double row[1] = {0};
  const char *const name[] = {"t"};
  assert_int_equal(br_hdf5_check("-", &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "standard output"));
  assert_int_equal(br_hdf5_check(NULL, &err), BR_E_ARG);
  assert_int_equal(br_hdf5_create("d.h5", 0, name, NULL, 0, &h, &err), BR_E_ARG);
  assert_int_equal(br_hdf5_create("d.h5", 1, NULL, NULL, 0, &h, &err), BR_E_ARG);
  assert_int_equal(br_hdf5_create("d.h5", 1, name, NULL, 0, NULL, &err), BR_E_ARG);
  assert_int_equal(br_hdf5_row(NULL, row, &err), BR_E_ARG);
  assert_int_equal(br_hdf5_text(NULL, "a", "b", NULL), BR_E_ARG);
  assert_int_equal(br_hdf5_numbers(NULL, "a", 1, row, &err), BR_E_ARG);
  assert_int_equal(br_hdf5_close(NULL, &err), BR_E_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#if BR_WITH_HDF5
    cmocka_unit_test(round_trip),
    cmocka_unit_test(contents),
    cmocka_unit_test(csv_as_group),
    cmocka_unit_test(nothing_half_written),
    cmocka_unit_test(out_of_memory),
    cmocka_unit_test(full_disk),
    cmocka_unit_test(commands),
    cmocka_unit_test(refusals),
#else
    cmocka_unit_test(not_built_in),
#endif
    cmocka_unit_test(wrong_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
