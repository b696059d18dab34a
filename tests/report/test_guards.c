/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - pictures and HDF5 at their guards: names that a terminal would obey, regions that are no
 * numbers, logarithmic axes, a close that fails. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bri_config.h"
#include "bristle/report.h"
#include "report/plot.h"
#include "support/paths.h"

static void hostile_names(void **state)
{
  static const char *const BAD[] = {"a\033[31m.svg", "a\nb.svg",      "dir/x\007.png",
                                    "x\x7f.svg",     "x\xc2\x9b.svg", "x\xff.svg"};
  bri_plot_names n;
  br_err err;
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    assert_int_equal(bri_plot_names_of(BAD[i], &n, &err), BR_E_ARG);
    assert_non_null(strstr(err.msg, "control characters"));
  }
  assert_int_equal(bri_plot_names_of("Kurve \xc3\xa4\xce\xb1.svg", &n, &err), BR_OK);
}

/* Rectangles with an end that is no number are no place for a name; those that are keep theirs. */
static void regions_without_numbers(void **state)
{
  static bri_label labels[2];
  static br_plot_look look = {.x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
  const double x[] = {NAN, 1, 0.5, INFINITY, 0.1, 0.9, 0.2, NAN}, y[] = {0, 1, 0, 1, 0.1, 0.9, NAN, 1};
  const br_plot_line lines[] = {{x, y, 8, "inside", BR_PLOT_REGION}, {x, y, 2, "nowhere", BR_PLOT_REGION}};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", lines, 2, &look};
  const bri_axis ax = bri_axis_of(&panel, 0), ay = bri_axis_of(&panel, 1);
  assert_int_equal(bri_labels_place(&panel, &ax, &ay, 535, 330, labels), BR_OK);
  assert_true(labels[0].shown && labels[0].x > 0.1 && labels[0].x < 0.9 && labels[0].y > 0.1 &&
              labels[0].y < 0.9);
  assert_false(labels[1].shown);
}

static void logarithmic_axes(void **state)
{
  static char text[65536];
  static br_plot_look look = {.xlog = 1};
  const double x[] = {1e-3, 1, 1e3, -5}, y[] = {1, 2, 3, 4};
  const br_plot_line line = {x, y, 4, NULL, BR_PLOT_LINE};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", &line, 1, &look};
  const br_plot plot = {NULL, &panel, 1};
  bri_plot_names names;
  assert_int_equal(bri_plot_names_of("x.svg", &names, NULL), BR_OK);
  FILE *f = tmpfile();
  assert_non_null(f);
  bri_plot_script(f, &plot, &names);
  rewind(f);
  const size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  assert_non_null(strstr(text, "\nset logscale x\n"));
  assert_null(strstr(text, "\nset logscale y\n"));
  assert_non_null(strstr(text, "unset logscale y\n"));
  const bri_axis a = bri_axis_of(&panel, 0);
  assert_true(a.log && a.from > 0 && a.from < 1e-3 && a.to > 1e3);
  assert_true(isnan(bri_axis_part(&a, -5)) && fabs(bri_axis_part(&a, sqrt(a.from * a.to)) - 0.5) < 1e-12);
}

#if BR_WITH_HDF5
#include <hdf5.h>

/* The library's call comes here; it fails when told to. */
static int fail_close;

herr_t H5Fclose(hid_t file)
{
  herr_t (*real)(hid_t) = NULL;
  *(void **)&real = dlsym(RTLD_NEXT, "H5Fclose");
  return fail_close ? (fail_close = 0, -1) : real(file);
}

static br_status write_rows(const char *path, size_t rows, br_err *err)
{
  static const char *const names[] = {"t", "x"};
  br_hdf5 *h = NULL;
  br_status st = br_hdf5_create(path, 2, names, NULL, 0, &h, err);
  for (size_t k = 0; k < rows && !st; k++) {
    const double row[] = {(double)k, sin((double)k)};
    st = br_hdf5_row(h, row, err);
  }
  return st ? st : br_hdf5_close(h, err);
}

/* In a process of its own: HDF5 keeps what it would not close, for ever. */
static int child(void)
{
  br_err err = {BR_OK, -1, ""};
  const size_t before = support_entries(".");
  fail_close = 1;
  if (write_rows("a.h5", 10, &err) != BR_E_IO || !strstr(err.msg, "a.h5")) return 1;
  if (support_entries(".") != before) return 2; /* half a file */
  return write_rows("a.h5", 10, &err) == BR_OK ? 0 : 3;
}

static void close_fails(void **state)
{
  int status = 0;
  (void)remove("a.h5");
  (void)fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) _exit(child());
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
}
#else
static void close_fails(void **state) { skip(); }
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_names),
                                     cmocka_unit_test(regions_without_numbers),
                                     cmocka_unit_test(logarithmic_axes), cmocka_unit_test(close_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
