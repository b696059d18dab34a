/* SPDX-License-Identifier: Apache-2.0
 * test_kinds.c - how kinds of lines, ranges, scales and labels come out in script and data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/report.h"
#include "report/colours.h"
#include "report/maps.h"
#include "report/plot.h"

/* What a part of a picture writes, as text. */
static const char *written(bri_plot_part *part, const br_plot *plot)
{
  static char text[65536];
  bri_plot_names names;
  assert_int_equal(bri_plot_names_of("x.svg", &names, NULL), BR_OK);
  FILE *f = tmpfile();
  assert_non_null(f);
  part(f, plot, &names);
  rewind(f);
  const size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  assert_true(n < sizeof text - 1);
  text[n] = '\0';
  return text;
}

static size_t count(const char *text, const char *word)
{
  size_t n = 0;
  for (const char *s = text; (s = strstr(s, word)) != NULL; s += strlen(word)) n++;
  return n;
}

/* Stable and unstable, and every kind of marker, differ without their colour. */
static void looks_differ(void **state)
{
  (void)state;
  static const br_plot_kind KINDS[] = {
      BR_PLOT_THICK,   BR_PLOT_DASHED,  BR_PLOT_DOTS,    BR_PLOT_DASHDOT, BR_PLOT_FINE,      BR_PLOT_DISCS,
      BR_PLOT_CIRCLES, BR_PLOT_SQUARES, BR_PLOT_CROSSES, BR_PLOT_STARS,   BR_PLOT_TRIANGLES,
  };
  enum { N = sizeof KINDS / sizeof KINDS[0] };
  const double x[] = {0, 1}, y[] = {0, 1};
  char look[N][200];
  for (size_t i = 0; i < N; i++) {
    const br_plot_line line = {x, y, 2, NULL, BR_PLOT_COLOURED(KINDS[i], 2)};
    const br_plot_panel panel = {NULL, "a", "b", "m", "N", &line, 1, NULL};
    const br_plot plot = {NULL, &panel, 1};
    const char *text = strstr(written(bri_plot_script, &plot), "\nplot ");
    assert_non_null(text);
    assert_non_null(strstr(text, bri_colours[2].light));
    (void)snprintf(look[i], sizeof look[i], "%.199s", strstr(text, " with "));
    for (size_t k = 0; k < i; k++) assert_string_not_equal(look[i], look[k]);
  }
}

static void pairs(void **state)
{
  (void)state;
  const double x[] = {0, 1, 2, 4}, y[] = {0, 2, 1, 5};
  const br_plot_line lines[] = {{x, y, 4, "here", BR_PLOT_COLOURED(BR_PLOT_REGION, 3)},
                                {x, y, 4, NULL, BR_PLOT_VECTORS},
                                {x, y, 4, NULL, BR_PLOT_HEADS}};
  const br_plot_panel panel = {NULL, "a", "b", "m", "N", lines, 3, NULL};
  const br_plot plot = {NULL, &panel, 1};
  const char *data = written(bri_plot_data, &plot);
  assert_non_null(strstr(data, "\n0 0 1 2\n2 1 4 5\n"));    /* corners */
  assert_int_equal(count(data, "\n0 0 1 2\n2 1 2 4\n"), 2); /* tail and difference */
  const char *script = written(bri_plot_script, &plot);
  assert_int_equal(count(script, "with boxxyerror"), 1);
  assert_int_equal(count(script, "with vectors"), 2);
  assert_non_null(strstr(script, bri_colours[BRI_TINT + 3].light));
  assert_non_null(strstr(script, "set xrange [0:4]")); /* a map reaches its frame */
}

static void *room(void *ctx, size_t size)
{
  static double memory[4096];
  size_t *used = ctx;
  void *p = memory + *used;
  *used += size / sizeof *memory + 1;
  assert_true(*used < sizeof memory / sizeof *memory);
  return p;
}

typedef struct {
  br_plot_line line[8];
  size_t n;
} pile;

static br_status push(void *ctx, const br_plot_line *line, br_err *err)
{
  pile *p = ctx;
  (void)err;
  p->line[p->n++] = *line;
  return BR_OK;
}

static const char *name(void *ctx, int k)
{
  (void)ctx;
  return k ? "upper" : "lower";
}

/* Columns are one strip while all their pieces are of the same kinds, the upper ones too; a piece that has no
 * kind is like another one without. */
static void alike_all_the_way_up(void **state)
{
  (void)state;
  static const struct {
    double value[9]; /* of three columns, from below */
    int upper, lower;
  } CASES[] = {{{0, 1, 0, 0, 1, 0, 0, 1, 0}, 1, 2},     {{0, 1, 0, 0, 1, 1, 0, 1, 1}, 3, 3},
               {{1, 0, 0, 0, 0, 0, 0, 0, 0}, 1, 5},     {{0, 1, 0, 0, 0, 1, 0, 1, 0}, 3, 6},
               {{0, 1, NAN, 0, 1, NAN, 0, 1, 0}, 2, 3}, {{1, 1, NAN, 1, 1, NAN, 1, 1, NAN}, 2, 0}};
  double x[] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, y[] = {0, 1, 2, 0, 1, 2, 0, 1, 2},
         top[] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
  for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++)
    for (int kind = 0; kind < 2; kind++) {
      double value[9];
      size_t used = 0;
      br_plot_line line;
      int pieces = 0;
      const bri_store store = {room, &used};
      memcpy(value, CASES[c].value, sizeof value);
      const bri_map_data data = {x, y, value, top, 9};
      assert_int_equal(bri_strips_region(&store, &data, kind, &line, NULL), BR_OK);
      for (size_t i = 0; i + 1 < line.n; i++) pieces += isnan(line.x[i]) && isnan(line.x[i + 1]);
      if (pieces != (kind ? CASES[c].upper : CASES[c].lower))
        fail_msg("case %zu: %d pieces of kind %d", c, pieces, kind);
      for (int column = 0; column < 3; column++) { /* and what is drawn at a column is what is there */
        int there = 0, drawn = 0;
        for (int k = 0; k < 3; k++) there += value[3 * column + k] == kind;
        for (size_t i = 0, at = 0; i < line.n; i += at) {
          double from = line.x[i], to = from;
          for (at = 0; i + at < line.n && !isnan(line.x[i + at]); at++) to = line.x[i + at];
          drawn += from <= column && to >= column;
          while (i + at < line.n && isnan(line.x[i + at])) at++;
        }
        assert_int_equal(drawn, there);
      }
    }
}

/* A name is a file, whatever it begins with: gnuplot would take "|x" and "<x" for commands and "-" for a
 * keyboard. */
static void names_are_files(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"|x.svg", "<x.svg", "-x.svg", "x.svg", "some/where/|x.png"};
  const double x[] = {0, 1};
  const br_plot_line line = {x, x, 2, NULL, BR_PLOT_LINE};
  const br_plot_panel panel = {NULL, "a", "b", "m", "N", &line, 1, NULL};
  const br_plot plot = {NULL, &panel, 1};
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
    static char text[65536], strings[4][200];
    bri_plot_names names;
    int paths = 0;
    assert_int_equal(bri_plot_names_of(NAMES[i], &names, NULL), BR_OK);
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(bri_plot_script(f, &plot, &names), BR_OK);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    (void)fclose(f);
    for (const char *s = text; (s = strstr(s, "if (!exists(")) != NULL && paths < 4; s++) {
      const char *open = strchr(s, '"');
      assert_non_null(open);
      (void)snprintf(strings[paths++], sizeof strings[0], "%.*s", (int)strcspn(open, "\n"), open);
    }
    assert_int_equal(paths, 2); /* data and picture */
    for (int k = 0; k < paths; k++)
      if (strncmp(strings[k], "\"./", 3) != 0) fail_msg("%s: gnuplot reads %s", NAMES[i], strings[k]);
    const char *base = strrchr(NAMES[i], '/') ? strrchr(NAMES[i], '/') + 1 : NAMES[i];
    assert_true(strstr(strings[0], base) || strstr(strings[1], base));
  }
}

/* Two columns with a border that rises, then one with another kind all over. */
static void strips(void **state)
{
  (void)state;
  double x[] = {0, 0, 1, 1, 2}, y[] = {0, 1, 0, 2, 0}, top[] = {1, 4, 2, 4, 4}, value[] = {0, 1, 0, 1, 1};
  size_t used = 0;
  pile p = {.n = 0};
  br_err err;
  const bri_store store = {room, &used};
  const bri_map_to to = {&p, push, name};
  const bri_map_data data = {x, y, value, top, 5};
  assert_int_equal(bri_map_regions(&store, &data, 1, &to, &err), BR_OK);
  assert_int_equal(p.n, 3);
  const br_plot_panel panel = {NULL, "a", "b", "m", "N", p.line, p.n, NULL};
  const br_plot plot = {NULL, &panel, 1};
  const char *text = written(bri_plot_data, &plot);
  assert_non_null(
      strstr(text, "\n0 0 0 1\n0 0 0 1\n1 0 1 2\n1.5 0 1.5 2\nNaN")); /* the lower region, to the middle */
  assert_non_null(strstr(text, "\n0 1 0 4\n0 1 0 4\n1 2 1 4\n1.5 2 1.5 4\nNaN"));
  assert_non_null(strstr(text, "\n1.5 0 1.5 4\n2 0 2 4\n2 0 2 4\nNaN")); /* the next begins there */
  assert_non_null(strstr(text, "\n0 1\n0 1\n1 2\n1.5 2\nNaN NaN\n1.5 0\n1.5 2\n")); /* border, then upright */
  text = written(bri_plot_script, &plot);
  assert_int_equal(count(text, "with filledcurves"), 2);
  assert_int_equal(count(text, "upper"), 1);
  assert_non_null(strstr(text, "set xrange [0:2]"));
  text = written(bri_plot_tex, &plot);
  assert_int_equal(count(text, " cycle;"), 3); /* the third column is a piece of its own */
  assert_true(bri_map_strips("v", "v_to") && !bri_map_strips("v", "z") && !bri_map_strips("v", "v2_to"));
}

static void looks_of_panels(void **state)
{
  (void)state;
  const double x[] = {1e-3, 10, -1}, y[] = {1e-8, 1, 2};
  br_plot_look log = {.xlog = 1, .ylog = 1}, range = {.x0 = 0.02, .x1 = 0.05, .y0 = 3, .y1 = 1},
               under = {.under = 1};
  const br_plot_line line = {x, y, 3, NULL, BR_PLOT_MARKED};
  br_plot_panel panels[4] = {{NULL, "a", "b", "m", "N", &line, 1, &log},
                             {NULL, "a", "c", "m", "N", &line, 1, &under},
                             {NULL, "a", "speed of the third inertia", "m", "N", &line, 1, &under},
                             {NULL, "a", "e", "m", "N", &line, 1, &range}};
  const br_plot one = {NULL, panels, 1}, two = {"both", panels, 2}, four = {"all", panels, 4};
  const char *script = written(bri_plot_script, &one);
  assert_non_null(strstr(script, "set logscale x"));
  assert_non_null(strstr(script, "set logscale y"));
  assert_non_null(strstr(script, "with linespoints"));
  bri_axis a = bri_axis_of(&panels[0], 0);
  assert_true(a.log && a.from > 0 && a.from < 1e-3 && a.to > 10 && a.factor == 1);
  assert_true(fabs(bri_axis_part(&a, a.from)) < 1e-12 && fabs(bri_axis_part(&a, a.to) - 1) < 1e-12);
  assert_true(isnan(bri_axis_part(&a, -1)));
  panels[0].look = &range;
  a = bri_axis_of(&panels[0], 0); /* in the unit of the data, shown with a prefix */
  assert_string_equal(a.unit, "mm");
  assert_true(fabs(a.from - 20) < 1e-9 && fabs(a.to - 50) < 1e-9);
  a = bri_axis_of(&panels[0], 1); /* a pair that does not ascend: from the data */
  assert_true(a.from < 1e-8 && a.to > 2);
  script = written(bri_plot_script, &two);
  assert_int_equal(count(script, "set origin"), 2);
  assert_int_equal(count(script, "unset xlabel"), 1); /* of the upper one */
  script = written(bri_plot_script, &four); /* three in a column, one beside: each in a place of its own */
  assert_int_equal(count(script, "set origin 0.0000,"), 3);
  assert_int_equal(count(script, "set origin 0.5000,"), 1);
  assert_int_equal(count(script, "set origin 0.0000,0.0000"), 1);
  assert_int_equal(count(script, "set origin 0.0000,0.2958"), 1); /* 213 of 720 px */
  assert_int_equal(count(script, "unset xlabel"), 2);
  assert_int_equal(count(script, "set ylabel font ',14'"), 3);
  script = written(bri_plot_tex, &four);
  assert_non_null(strstr(script, "group size=2 by 3"));
  assert_int_equal(count(script, "\\nextgroupplot"), 6);
  assert_int_equal(count(script, "hide axis"), 2); /* nothing under the one beside */
}

/* Names take the place that they need, not more, and the panels behind them have their own margin again. */
static void names_of_rows(void **state)
{
  (void)state;
  const double x[] = {0, 1}, y[] = {0, 1};
  const char *const names[] = {"one", "twenty letters long."};
  const br_plot_line line = {x, y, 2, NULL, BR_PLOT_LINE};
  br_plot_look look = {.names = names, .at = y, .nnames = 2};
  const br_plot_panel panels[] = {{NULL, "a", "row", "m", "N", &line, 1, &look},
                                  {NULL, "a", "b", "m", "N", &line, 1, NULL}};
  const br_plot plot = {NULL, panels, 2};
  const char *script = written(bri_plot_script, &plot);
  assert_non_null(strstr(script, "unset ylabel\nset lmargin 15.6\nset ytics ("));
  assert_int_equal(count(script, "unset lmargin"), 1);
}

/* A phase that is nothing but rounding is drawn as 0. */
static void rounding_of_a_phase(void **state)
{
  (void)state;
  const double x[] = {0, 1}, y[] = {-8e-33, 1e-33};
  const br_plot_line line = {x, y, 2, NULL, BR_PLOT_LINE};
  br_plot_panel panel = {NULL, "a", "b", "m", "rad", &line, 1, NULL};
  bri_axis a = bri_axis_of(&panel, 1);
  assert_true(a.from < -0.5 && a.to > 0.5);
  panel.yunit = "m"; /* a length may be as small as it likes */
  a = bri_axis_of(&panel, 1);
  assert_true(a.to < 1e-20);
}

static void scale(void **state)
{
  (void)state;
  const double x[] = {0, 1}, y[] = {0, 1};
  br_plot_look look = {.scale = "amplitude", .scale_unit = "m"};
  for (int k = 0; k <= BR_PLOT_LEVELS; k++) look.bounds[k] = 2e-3 * k;
  const br_plot_line line = {x, y, 2, NULL, BR_PLOT_COLOURED(BR_PLOT_LEVEL, 9)};
  const br_plot_panel panel = {NULL, "a", "b", "m", "N", &line, 1, &look};
  const br_plot plot = {NULL, &panel, 1};
  const char *script = written(bri_plot_script, &plot);
  assert_int_equal(count(script, "set object rectangle"), BR_PLOT_LEVELS);
  assert_non_null(strstr(script, "\"amplitude, mm\""));
  assert_non_null(strstr(script, "'20' at graph"));
  assert_int_equal(count(script, bri_colours[BRI_RAMP + 9].light), 3); /* its box twice, and the cell */
}

/* The end that is farther from zero chooses the prefix of a scale, below zero too; every second bound is
 * written, the first and the last among them, in both forms. */
static void scales_of_any_sign(void **state)
{
  (void)state;
  static const struct {
    double lo, hi;
    const char *unit, *first, *last;
  } CASES[] = {{-50000, 0, "kN", "-50", "0"},
               {0, 50000, "kN", "0", "50"},
               {-50000, 10, "kN", "-50", "0.01"},
               {-10, 50000, "kN", "-0.01", "50"},
               {-5, 0.25, "N", "-5", "0.25"}};
  const double x[] = {0, 1}, y[] = {0, 1};
  const br_plot_line line = {x, y, 2, NULL, BR_PLOT_COLOURED(BR_PLOT_LEVEL, 9)};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_plot_look look = {.scale = "force", .scale_unit = "N"};
    for (int k = 0; k <= BR_PLOT_LEVELS; k++)
      look.bounds[k] =
          k == BR_PLOT_LEVELS ? CASES[i].hi : CASES[i].lo + (CASES[i].hi - CASES[i].lo) * k / BR_PLOT_LEVELS;
    const br_plot_panel panel = {NULL, "a", "b", "1", "1", &line, 1, &look};
    const br_plot plot = {NULL, &panel, 1};
    char title[64], first[64], last[64];
    assert_string_equal(bri_axis_scale(&look).unit, CASES[i].unit);
    (void)snprintf(title, sizeof title, "\"force, %s\"", CASES[i].unit);
    (void)snprintf(first, sizeof first, "set label '%s' at graph 1.09,0.0000", CASES[i].first);
    (void)snprintf(last, sizeof last, "set label '%s' at graph 1.09,1.0000", CASES[i].last);
    const char *text = written(bri_plot_script, &plot);
    if (!strstr(text, title) || !strstr(text, first) || !strstr(text, last)) fail_msg("%zu: %s", i, text);
    (void)snprintf(first, sizeof first, "at (rel axis cs:1.07,0.000) {%s};", CASES[i].first);
    (void)snprintf(last, sizeof last, "at (rel axis cs:1.07,1.000) {%s};", CASES[i].last);
    text = written(bri_plot_tex, &plot);
    if (!strstr(text, first) || !strstr(text, last)) fail_msg("%zu: %s", i, text);
    assert_int_equal(count(text, "at (rel axis cs:1.07,"), BR_PLOT_LEVELS / 2 + 1);
  }
}

/* ---- labels ---- */

static const bri_label *labels_of(const br_plot_line *lines, size_t n)
{
  static bri_label labels[8];
  static br_plot_look look = {.x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", lines, n, &look};
  const bri_axis x = bri_axis_of(&panel, 0), y = bri_axis_of(&panel, 1);
  assert_int_equal(bri_labels_place(&panel, &x, &y, 535, 330, labels), BR_OK);
  return labels;
}

/* The name of a region stands inside it; where it does not fit, outside with a leader that starts inside. */
static void names_of_regions(void **state)
{
  (void)state;
  const double bx[] = {0, 0.6, 0.6, 1}, by[] = {0, 1, 0, 0.97}, sx[] = {0.6, 1}, sy[] = {0.97, 1};
  const br_plot_line lines[] = {{bx, by, 2, "wide", BR_PLOT_REGION},
                                {bx + 2, by + 2, 2, "right", BR_PLOT_REGION},
                                {sx, sy, 2, "too flat for its name", BR_PLOT_REGION}};
  const bri_label *l = labels_of(lines, 3);
  assert_true(l[0].shown && !l[0].leader && l[0].x > 0 && l[0].x + 4 * 8 / 535.0 < 0.6);
  assert_true(l[1].shown && !l[1].leader && l[1].x > 0.6 && l[1].x + 5 * 8 / 535.0 < 1);
  assert_true(l[2].shown && l[2].leader && l[2].from_y > 0.96 && l[2].from_x > 0.6 && l[2].y < 0.97);
}

/* Nothing at what is not seen; one label for lines of one name, at the one that is seen; points take a place
 * that no other point owns. */
static void labels_of_lines(void **state)
{
  (void)state;
  const double out_x[] = {2, 3}, in_x[] = {0.1, 0.9}, y[] = {0.5, 0.5}, p = 0.3, q = 0.33, h = 0.2;
  const br_plot_line lines[] = {{out_x, y, 2, "cycle", BR_PLOT_LINE},
                                {in_x, y, 2, "cycle", BR_PLOT_LINE},
                                {in_x, y, 2, "cycle", BR_PLOT_LINE},
                                {&p, &h, 1, "first point", BR_PLOT_DISCS},
                                {&q, &h, 1, "other point", BR_PLOT_DISCS}};
  const bri_label *l = labels_of(lines, 5);
  assert_true(!l[0].shown && l[1].shown && !l[2].shown);
  assert_true(l[3].shown && l[4].shown);
  assert_true(fabs(l[3].y - l[4].y) > 16 / 330.0 || fabs(l[3].x - l[4].x) > 11 * 8 / 535.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_rows),   cmocka_unit_test(rounding_of_a_phase),
      cmocka_unit_test(looks_differ),    cmocka_unit_test(pairs),
      cmocka_unit_test(strips),          cmocka_unit_test(looks_of_panels),
      cmocka_unit_test(scale),           cmocka_unit_test(names_of_regions),
      cmocka_unit_test(labels_of_lines), cmocka_unit_test(scales_of_any_sign),
      cmocka_unit_test(names_are_files), cmocka_unit_test(alike_all_the_way_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
