/* SPDX-License-Identifier: Apache-2.0
 * test_plot.c - pictures: names, axes, files that appear together or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/report.h"
#include "report/plot.h"
#include "support/paths.h"

static void names(void **state)
{
  bri_plot_names n;
  br_err err;
  assert_int_equal(bri_plot_names_of("some/where/x.y.svg", &n, &err), BR_OK);
  assert_string_equal(n.script_path, "some/where/x.y.gp");
  assert_string_equal(n.data, "x.y.dat");
  assert_string_equal(n.dir, "some/where/");
  assert_int_equal(bri_plot_names_of("x.png", &n, &err), BR_OK);
  assert_string_equal(n.dir, ".");
  assert_int_equal(n.form, BRI_PLOT_PNG);
  static const char *const BAD[] = {"x.eps", "x", ".svg", "dir/.png", "dir.svg/x", "x.SVG", "-", ""};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    assert_int_equal(bri_plot_names_of(BAD[i], &n, &err), BR_E_ARG);
    assert_non_null(strstr(err.msg, BRI_PLOT_ENDS));
  }
  char longest[2 * BRI_PLOT_PATH];
  memset(longest, 'a', sizeof longest);
  memcpy(longest + sizeof longest - 5, ".svg", 5);
  assert_int_equal(bri_plot_names_of(longest, &n, &err), BR_E_SIZE);
  assert_int_equal(br_plot_check(NULL, &err), BR_E_ARG);
}

/* The range holds all data, the tics are few and round, the prefix makes numbers readable. */
/* No number at all: an axis all the same. */
static void axes_without_data(void **state)
{
  const double none[] = {NAN, INFINITY, -1};
  (void)state;
  for (int log = 0; log < 2; log++) {
    const br_plot_line line = {none, none, log ? 3 : 2, NULL, BR_PLOT_LINE};
    const br_plot_look look = {.xlog = log, .ylog = log};
    const br_plot_panel panel = {NULL, "a", "b", "m", "N", &line, 1, &look};
    for (int which = 0; which < 2; which++) {
      const bri_axis a = bri_axis_of(&panel, which);
      assert_true(isfinite(a.from) && isfinite(a.to) && a.from < a.to && a.step > 0 && a.factor == 1);
    }
  }
}

static void axes(void **state)
{
  static const struct {
    double lo, hi;
    const char *unit, *shown;
    double factor;
  } CASES[] = {
      {-1e-4, 1e-4, "m", "\xc2\xb5m", 1e6},
      {0, 0.02, "m", "mm", 1e3},
      {-2, 3, "N", "N", 1},
      {0, 2.5e5, "N/m", "kN/m", 1e-3},
      {0, 1e-4, "kg", "kg", 1},
      {-1e-5, 0, "1", "", 1},
      {5, 5, "s", "s", 1},
      {0, 0, "m", "m", 1},
      {1e12, 2e12, "N", "GN", 1e-9},
      {0, 1e-12, "m", "nm", 1e9},
      {-0.3, 0.1, NULL, "", 1},
      {0, 1e-3, "1/s", "1/s", 1},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const double x[] = {CASES[i].lo, NAN, CASES[i].hi, INFINITY}, y[] = {0, 1, 2, 3};
    const br_plot_line line = {x, y, 4, NULL, BR_PLOT_LINE};
    const br_plot_panel panel = {NULL, "a", "b", CASES[i].unit, "N", &line, 1, NULL};
    const bri_axis a = bri_axis_of(&panel, 0);
    assert_string_equal(a.unit, CASES[i].shown);
    assert_true(a.factor == CASES[i].factor);
    assert_true(a.from < CASES[i].lo * a.factor && a.to > CASES[i].hi * a.factor);
    const double tics = (a.to - a.from) / a.step, digit = a.step / pow(10, floor(log10(a.step) + 1e-9));
    assert_true(tics >= 2.5 && tics <= 9);
    assert_true(fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 || fabs(digit - 5) < 1e-9);
  }
}

static int exists(const char *path) { return access(path, F_OK) == 0; }

static void files(void **state)
{
  const double x[] = {0, 1, 2}, y[] = {1, NAN, 3};
  const br_plot_line lines[] = {{x, y, 3, "it's \"one\"", BR_PLOT_LINE}, {x, x, 3, NULL, BR_PLOT_POINTS}};
  br_plot_panel panel = {NULL, "place", "force", "m", "N", lines, 2, NULL};
  br_plot plot = {"title", &panel, 1};
  br_err err;
  assert_int_equal(br_plot_write("p.svg", NULL, &err), BR_E_ARG);
  panel.xlabel = NULL;
  assert_int_equal(br_plot_write("p.svg", &plot, &err),
                   bri_plot_find_gnuplot(NULL) ? BR_E_UNSUPPORTED : BR_E_ARG);
  panel.xlabel = "place";
  if (bri_plot_find_gnuplot(NULL)) {
    print_message("skip: no gnuplot\n");
    skip();
  }
  assert_int_equal(br_plot_write("nowhere/p.svg", &plot, &err), BR_E_IO);
  assert_non_null(strstr(err.msg, "nowhere"));
  assert_int_equal(br_plot_write("p.svg", &plot, &err), BR_OK);
  assert_true(exists("p.svg") && exists("p.gp") && exists("p.dat"));
  FILE *f = fopen("p.dat", "r");
  char line[128] = "";
  assert_non_null(f);
  assert_non_null(fgets(line, sizeof line, f));
  assert_non_null(strstr(line, "place [m] | force [N] | it's"));
  assert_non_null(fgets(line, sizeof line, f));
  assert_string_equal(line, "0 1\n");
  (void)fclose(f);
  (void)remove("p.svg"), (void)remove("p.gp"), (void)remove("p.dat");

  /* a gnuplot that fails leaves nothing behind, and its words reach the message */
  assert_true(mkdir("fake", 0777) == 0 || exists("fake"));
  f = fopen("fake/gnuplot", "w");
  assert_non_null(f);
  assert_true(fputs("#!/bin/sh\necho no ink >&2\nexit 3\n", f) >= 0);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(chmod("fake/gnuplot", 0755), 0);
  const size_t before = support_entries(".");
  const char *old = getenv("PATH");
  char *path = strdup(old ? old : "");
  assert_non_null(path);
  assert_int_equal(setenv("PATH", "./fake:/bin:/usr/bin", 1), 0);
  assert_int_equal(br_plot_write("p.svg", &plot, &err), BR_E_IO);
  assert_non_null(strstr(err.msg, "no ink"));
  assert_int_equal(support_entries("."), before);

  /* one whose picture is cut short, as on a full disk, is not believed */
  f = fopen("fake/gnuplot", "w");
  assert_non_null(f);
  assert_true(fputs("#!/bin/sh\nfor a; do case $a in out=*) eval \"$a\" ;; esac; done\n"
                    "echo \"<svg>$(printf %1000s)\" >\"$out\"\n",
                    f) >= 0);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(br_plot_write("p.svg", &plot, &err), BR_E_IO);
  assert_non_null(strstr(err.msg, "could not write all"));
  assert_int_equal(support_entries("."), before);
  assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
  assert_int_equal(br_plot_check("p.svg", &err), BR_E_UNSUPPORTED);
  assert_int_equal(setenv("PATH", path, 1), 0);
  free(path);
  (void)remove("fake/gnuplot");
  (void)rmdir("fake");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(axes),
                                     cmocka_unit_test(axes_without_data), cmocka_unit_test(files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
