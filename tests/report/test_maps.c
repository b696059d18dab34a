/* SPDX-License-Identifier: Apache-2.0
 * test_maps.c - maps by hand: cells and their edges, borders, levels, names; sketches, units, files, pages
 * with pictures, and what a
 * picture says with small letters: places of labels, gaps, colours, complaints. */
#define _POSIX_C_SOURCE 200809L /* setenv, strdup */
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
#include "bristle/table.h"
#include "report/colours.h"
#include "report/equations.h"
#include "report/glossary.h"
#include "report/inline.h"
#include "report/maps.h"
#include "report/plot.h"
#include "report/symbols.h"

static void *room(void *ctx, size_t size)
{
  static double memory[65536];
  size_t *used = ctx;
  void *p = memory + *used;
  *used += size / sizeof *memory + 1;
  assert_true(*used < sizeof memory / sizeof *memory);
  memset(p, 0, size);
  return p;
}

typedef struct {
  br_plot_line line[64];
  size_t n;
} pile;

static br_status push(void *ctx, const br_plot_line *line, br_err *err)
{
  pile *p = ctx;
  (void)err;
  p->line[p->n++] = *line;
  return BR_OK;
}

static unsigned char whole(void *ctx, double x) { return (void)ctx, (unsigned char)x; }

/* 3 x 2 points, unevenly apart: edges half way between neighbours, as far outside at the ends; a point
 * without a value is none. */
static void cells(void **state)
{
  (void)state;
  double x[] = {0, 0, 1, 1, 3, 3}, y[] = {10, 20, 10, 20, 10, 20}, v[] = {1, 1, 1, 2, NAN, 2};
  size_t used = 0;
  const bri_store store = {room, &used};
  const bri_map_data m = {x, y, v, NULL, 6};
  bri_cells c;
  br_plot_line line;
  br_err err;
  assert_int_equal(bri_cells_make(&store, &m, whole, NULL, &c, &err), BR_OK);
  static const double XE[] = {-0.5, 0.5, 2, 4}, YE[] = {5, 15, 25};
  assert_true(c.nx == 3 && c.ny == 2);
  for (int i = 0; i < 4; i++) assert_true(c.xe[i] == XE[i]);
  for (int i = 0; i < 3; i++) assert_true(c.ye[i] == YE[i]);
  static const unsigned char CELL[] = {1, 1, 1, 2, 255, 2};
  assert_memory_equal(c.cell, CELL, 6);
  assert_int_equal(bri_cells_region(&store, &c, 1, &line, &err),
                   BR_OK); /* row by row: two below, one above */
  static const double RX[] = {-0.5, 2, -0.5, 0.5}, RY[] = {5, 15, 15, 25};
  assert_int_equal(line.n, 4);
  for (size_t i = 0; i < 4; i++) assert_true(line.x[i] == RX[i] && line.y[i] == RY[i]);
  assert_int_equal(bri_cells_region(&store, &c, 3, &line, &err), BR_OK);
  assert_int_equal(line.n, 0);
  /* borders: between columns at 0.5 above, at 2 below; between rows from 0.5 to 4 */
  assert_int_equal(bri_cells_border(&store, &c, &line, &err), BR_OK);
  static const double BX[] = {0.5, 0.5, NAN, 2, 2, NAN, 0.5, 4, NAN},
                      BY[] = {15, 25, NAN, 5, 15, NAN, 15, 15, NAN};
  assert_int_equal(line.n, 9);
  for (size_t i = 0; i < 9; i++)
    assert_true(isnan(BX[i]) ? isnan(line.x[i]) && isnan(line.y[i])
                             : line.x[i] == BX[i] && line.y[i] == BY[i]);
  double one[] = {2}, two[] = {0};
  const bri_map_data single = {one, two, one, NULL,
                               1}; /* half its value around it, half a unit around zero */
  assert_int_equal(bri_cells_make(&store, &single, whole, NULL, &c, &err), BR_OK);
  assert_true(c.xe[0] == 1 && c.xe[1] == 3 && c.ye[0] == -0.5 && c.ye[1] == 0.5);
}

/* Regions: as many as there are tints for; with names and, where they are asked for, borders. */
static const char *called(void *ctx, int k)
{
  (void)ctx;
  return k == 1 ? "one" : NULL;
}

static void regions(void **state)
{
  (void)state;
  double x[] = {0, 1, 2, 3}, y[] = {0, 0, 0, 0}, v[] = {0, 1, 48, 300};
  size_t used = 0;
  const bri_store store = {room, &used};
  const bri_map_data m = {x, y, v, NULL, 4};
  br_err err;
  for (int border = 0; border < 2; border++) {
    pile p = {.n = 0};
    const bri_map_to to = {&p, push, called};
    assert_int_equal(bri_map_regions(&store, &m, border, &to, &err), BR_OK);
    assert_int_equal(p.n, 2 + (size_t)border);
    assert_true(p.line[0].label == NULL && strcmp(p.line[1].label, "one") == 0);
    assert_true((int)p.line[1].kind / BR_PLOT_KINDS == 2 && bri_plot_kind_of(&p.line[1]) == BR_PLOT_REGION);
    if (border) assert_int_equal(bri_plot_kind_of(&p.line[2]), BR_PLOT_BORDER);
  }
  assert_true(bri_map_strips("v", "v_to") && !bri_map_strips("v", "vx_to") && !bri_map_strips("v", "v"));
}

/* Ten levels with round bounds, the least value in the first, the greatest in the last; a value on a bound
 * belongs above it. */
static void levels(void **state)
{
  (void)state;
  static const struct {
    double lo, hi, from, step;
  } CASES[] = {{0, 10, 0, 1},    {0, 0.95, 0, 0.1}, {3, 17, 3, 1.5},  {-1, 1, -1, 0.2},
               {7, 7, 6.4, 0.8}, {0, 0, 0, 0.1},    {0.37, 9.8, 0, 1}};
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    double x[] = {0, 1, 2}, y[] = {0, 0, 0}, v[] = {CASES[k].lo, CASES[k].hi, CASES[k].lo};
    size_t used = 0;
    const bri_store store = {room, &used};
    const bri_map_data m = {x, y, v, NULL, 3};
    br_plot_look look = {0};
    pile p = {.n = 0};
    const bri_map_to to = {&p, push, NULL};
    br_err err;
    assert_int_equal(bri_map_heat(&store, &m, &look, &to, &err), BR_OK);
    const double step = look.bounds[1] - look.bounds[0];
    if (CASES[k].step &&
        !(fabs(step - CASES[k].step) <= 1e-12 && fabs(look.bounds[0] - CASES[k].from) <= 1e-12))
      fail_msg("%g to %g: from %g by %g", CASES[k].lo, CASES[k].hi, look.bounds[0], step);
    assert_true(look.bounds[0] <= CASES[k].lo && look.bounds[BR_PLOT_LEVELS] >= CASES[k].hi && step > 0);
  }
  double x[] = {0, 1, 2, 3}, y[] = {0, 0, 0, 0}, v[] = {0, 3, 9.5, 10}; /* bounds 0, 1, ..., 10 */
  size_t used = 0;
  const bri_store store = {room, &used};
  const bri_map_data m = {x, y, v, NULL, 4};
  br_plot_look look = {0};
  pile p = {.n = 0};
  const bri_map_to to = {&p, push, NULL};
  assert_int_equal(bri_map_heat(&store, &m, &look, &to, NULL), BR_OK);
  assert_int_equal(p.n, 3);
  assert_true((int)p.line[0].kind / BR_PLOT_KINDS == 1 && (int)p.line[1].kind / BR_PLOT_KINDS == 4 &&
              (int)p.line[2].kind / BR_PLOT_KINDS == 10);
}

/* The value of a strip at a height; upright borders between columns with other pieces. */
static void strips(void **state)
{
  (void)state;
  double x[] = {0, 0, 2, 2, 2}, y[] = {0, 3, 0, 1, 3}, top[] = {3, 10, 1, 3, 10}, v[] = {0, 1, 0, 2, 1};
  size_t used = 0;
  const bri_store store = {room, &used};
  const bri_map_data m = {x, y, v, top, 5};
  br_plot_line line;
  br_err err;
  assert_int_equal(bri_strips_border(&store, &m, &line, &err), BR_OK);
  int upright = 0; /* at x = 1 from 1 to 3: 0 on the left, 2 on the right */
  for (size_t i = 0; i + 1 < line.n; i++)
    upright += line.x[i] == 1 && line.x[i + 1] == 1 && line.y[i] == 1 && line.y[i + 1] == 3;
  assert_int_equal(upright, 1);
  for (size_t i = 0; i + 1 < line.n; i++)
    if (line.x[i] == 1 && line.x[i + 1] == 1 && line.y[i + 1] > line.y[i])
      assert_true(line.y[i] >= 1 && line.y[i + 1] <= 3);
}

/* ---- parts of a picture as text ---- */

static const char *written(bri_plot_part *part, const br_plot *plot)
{
  static char text[262144];
  bri_plot_names names;
  assert_int_equal(bri_plot_names_of("x.svg", &names, NULL), BR_OK);
  FILE *f = tmpfile();
  assert_non_null(f);
  assert_int_equal(part(f, plot, &names), BR_OK);
  rewind(f);
  const size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  return text;
}

/* Blocks of the data are two blank lines apart, numbers that are none are NaN; the same gaps in TeX. */
static void data(void **state)
{
  (void)state;
  const double x[] = {0, 1, 2}, y[] = {1, INFINITY, -NAN};
  const br_plot_line lines[] = {{x, y, 3, NULL, BR_PLOT_DASHED}, {x, x, 3, "a_b 50 %", BR_PLOT_LINE}};
  const br_plot_panel panel = {NULL, "t", "y", "ms", "um", lines, 2, NULL};
  const br_plot plot = {NULL, &panel, 1};
  const char *text = written(bri_plot_data, &plot);
  assert_non_null(strstr(text, "0 1\n1 NaN\n2 NaN\n\n\n# index 1: t [ms] | y [um] | a_b 50 %\n0 0\n"));
  text = written(bri_plot_tex, &plot);
  assert_non_null(strstr(text, "(0,1) (nan,nan) (nan,nan) "));
  assert_non_null(strstr(text, "dash pattern=on 3.60pt off 2.40pt")); /* "(6,4)" by 0.6 */
  assert_non_null(strstr(text, "{a\\_b 50 \\%}"));
  assert_non_null(strstr(text, "ylabel={y, \xc2\xb5m}")); /* asked for as um */
  text = written(bri_plot_script, &plot);
  assert_non_null(strstr(text, "y, \xc2\xb5m"));
}

/* Names at an upward axis with a prefix stand at their places; numbers of a scale have the prefix of its
 * unit; a range that was
 * asked for holds on a logarithmic axis too. */
static void looks(void **state)
{
  (void)state;
  const double sx[] = {1, 1, 2, 2}, sy[] = {0.001, 0.002, 0.001, 0.002};
  const br_plot_line strip = {sx, sy, 4, NULL, BR_PLOT_STRIP};
  const br_plot_panel bands = {NULL, "t", "way", "s", "m", &strip, 1, NULL};
  const br_plot banded = {NULL, &bands, 1};
  assert_non_null(strstr(written(bri_plot_script, &banded), "($1*1):($2*1000):($4*1000) with filledcurves"));
  const double x[] = {0, 1, 2}, y[] = {0.001, 0.002, 0.004};
  const br_plot_line line = {x, y, 3, "here", BR_PLOT_LINE};
  static const char *const NAMES[] = {"low", "high"};
  const double at[] = {0.001, 0.004};
  br_plot_look look = {.names = NAMES, .at = at, .nnames = 2, .scale = "force", .scale_unit = "N"};
  for (int k = 0; k <= BR_PLOT_LEVELS; k++) look.bounds[k] = 2000.0 * k;
  const br_plot_panel panel = {NULL, "t", "way", "s", "m", &line, 1, &look};
  const br_plot plot = {NULL, &panel, 1};
  const char *text = written(bri_plot_script, &plot);
  assert_non_null(strstr(text, "\"low\" 1, \"high\" 4)"));
  assert_non_null(strstr(text, "set label '20' at graph 1.09,1.0000")); /* 20000 N as kN */
  assert_non_null(strstr(text, "force, kN"));
  text = written(bri_plot_tex, &plot);
  assert_non_null(strstr(text, "ytick={1,4}, yticklabels={{low},{high}}"));
  const br_plot_look range = {.ylog = 1, .y0 = 1e-4, .y1 = 1e-1};
  const br_plot_panel asked = {NULL, "t", "way", "s", "m", &line, 1, &range};
  const bri_axis a = bri_axis_of(&asked, 1);
  assert_true(a.log && a.from == 1e-4 && a.to == 1e-1);
  assert_true(fabs(bri_axis_part(&a, 1e-3) - 1.0 / 3) <= 1e-15);
  const bri_axis b = bri_axis_of(&panel, 1); /* in mm: 1 to 4 with a margin of 4 per cent */
  assert_true(b.factor == 1000 && fabs(bri_axis_part(&b, 0.0025) - 0.5) <= 1e-12 &&
              bri_axis_part(&b, 0.001) > 0.03);
  for (size_t i = 0; i < BRI_PALETTE; i++) /* no two lines have one colour, on either ground */
    for (size_t k = 0; k < i; k++) {
      assert_string_not_equal(bri_colours[i].light, bri_colours[k].light);
      assert_string_not_equal(bri_colours[i].dark, bri_colours[k].dark);
    }
}

/* Labels: within the panel, on no other label, and on the line as little as can be; letters of two bytes
 * take one letter's room. */
static void labels(void **state)
{
  (void)state;
  double x[101], y[3][101];
  for (int i = 0; i < 101; i++) x[i] = 0.01 * i, y[0][i] = x[i], y[1][i] = 1 - x[i], y[2][i] = 0.5;
  const br_plot_line lines[] = {{x, y[0], 101, "rising", BR_PLOT_LINE},
                                {x, y[1], 101, "falling", BR_PLOT_LINE},
                                {x, y[2], 101, "level", BR_PLOT_LINE}};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", lines, 3, NULL};
  const bri_axis ax = bri_axis_of(&panel, 0), ay = bri_axis_of(&panel, 1);
  bri_label at[3];
  assert_int_equal(bri_labels_place(&panel, &ax, &ay, 535, 330, at), BR_OK);
  for (int i = 0; i < 3; i++) {
    const double w = 8.0 * (double)strlen(lines[i].label) / 535, h = 16.0 / 330;
    assert_true(at[i].shown && at[i].x >= 0 && at[i].x + w <= 1 && at[i].y >= h / 2 && at[i].y <= 1 - h / 2);
    for (int k = 0; k < i; k++)
      assert_true(fabs(at[i].y - at[k].y) >= h ||
                  at[i].x > at[k].x + 8.0 * (double)strlen(lines[k].label) / 535 || at[k].x > at[i].x + w);
    for (int q = 0; q < 101; q++) /* no line runs through its middle */
      for (int k = 0; k < 3; k++) {
        const double px = bri_axis_part(&ax, x[q]), py = bri_axis_part(&ay, y[k][q]);
        if (px > at[i].x + 0.25 * w && px < at[i].x + 0.75 * w && fabs(py - at[i].y) < 0.25 * h)
          fail_msg("line %d runs through label '%s'", k, lines[i].label);
      }
  }
  /* one point at the right edge, a label that just fits by letters and not by bytes */
  const double px = 0.5, py = 0.5;
  double left[2];
  static const char *const SAME[] = {
      "aaaaaaaaaaaaaaaaaaaa",
      "\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83"
      "\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83\xcf\x83"};
  for (int k = 0; k < 2; k++) {
    const br_plot_line point = {&px, &py, 1, SAME[k], BR_PLOT_DISCS};
    const br_plot_look look = {.x0 = -0.6, .x1 = 0.6, .y0 = 0, .y1 = 1};
    const br_plot_panel one = {NULL, "a", "b", "1", "1", &point, 1, &look};
    const bri_axis bx = bri_axis_of(&one, 0), by = bri_axis_of(&one, 1);
    bri_label l;
    assert_int_equal(bri_labels_place(&one, &bx, &by, 535, 330, &l), BR_OK);
    left[k] = l.x;
  }
  assert_true(left[0] == left[1]);
}

/* Of two points side by side each label stands nearer to its own. */
static void labels_of_points(void **state)
{
  (void)state;
  const double x[] = {0.5, 0.53}, y[] = {0.5, 0.5};
  const br_plot_line lines[] = {{&x[0], &y[0], 1, "left one", BR_PLOT_DISCS},
                                {&x[1], &y[1], 1, "right one", BR_PLOT_DISCS}};
  const br_plot_look look = {.x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", lines, 2, &look};
  const bri_axis ax = bri_axis_of(&panel, 0), ay = bri_axis_of(&panel, 1);
  bri_label at[2];
  assert_int_equal(bri_labels_place(&panel, &ax, &ay, 535, 330, at), BR_OK);
  for (int i = 0; i < 2; i++) {
    const double w = 8.0 * (double)strlen(lines[i].label) / 535, h = 16.0 / 330;
    double away[2];
    for (int k = 0; k < 2; k++) { /* in pixels, from the box to the point */
      const double dx = fmax(0, fmax(at[i].x - x[k], x[k] - at[i].x - w)),
                   dy = fmax(0, fabs(y[k] - at[i].y) - h / 2);
      away[k] = hypot(dx * 535, dy * 330);
    }
    assert_true(at[i].shown && (at[i].leader || away[i] < away[1 - i]));
  }
}

/* A long rough loop is thinned and keeps its ends, on both axes. */
static void thinned_loops(void **state)
{
  (void)state;
  enum { N = 20000 };
  static double x[N], y[N];
  unsigned seed = 7;
  for (int i = 0; i < N; i++) {
    seed = seed * 1103515245u + 12345u;
    const double a = 6.283185307179586 * i / N, noise = 1e-3 * (double)(seed >> 16 & 0x7fff) / 32768;
    x[i] = (1 + noise) * cos(a), y[i] = (1 + noise) * sin(a);
  }
  x[5432] = 1.02, y[7777] = -1.03; /* spikes of one point that bend nothing by much */
  const br_plot_line line = {x, y, N, NULL, BR_PLOT_LINE};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", &line, 1, NULL};
  const br_plot plot = {NULL, &panel, 1};
  bri_thin thin;
  assert_int_equal(bri_plot_thin(&plot, 1000, &thin), BR_OK);
  const br_plot_line *l = &thin.plot.panels[0].lines[0];
  double range[2][4] = {{INFINITY, -INFINITY, INFINITY, -INFINITY},
                        {INFINITY, -INFINITY, INFINITY, -INFINITY}};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < (k ? l->n : N); i++) {
      const double a = k ? l->x[i] : x[i], b = k ? l->y[i] : y[i];
      range[k][0] = fmin(range[k][0], a), range[k][1] = fmax(range[k][1], a);
      range[k][2] = fmin(range[k][2], b), range[k][3] = fmax(range[k][3], b);
    }
  assert_true(l->n < N / 4);
  for (int k = 0; k < 4; k++) assert_true(range[0][k] == range[1][k]);
  bri_thin_free(&thin);
}

/* What gnuplot complains about, also in pieces, is said without the names of parts, which nobody knows. */
static void complaints(void **state)
{
  (void)state;
  static const char FAKE[] =
      "#!/bin/sh\nprintf '\\n  line 7: cannot ' >&2\nsleep 0.1\n"
      "echo 'open x.svg.bristle-0123456789abcdef.part for it' >&2\necho more >&2\nexit 1\n";
  const char *before = getenv("PATH");
  char *kept = before ? strdup(before) : NULL, path[4096];
  assert_int_equal(mkdir("fake", 0777), 0);
  FILE *f = fopen("fake/gnuplot", "w");
  assert_non_null(f);
  (void)fputs(FAKE, f);
  assert_true(fclose(f) == 0 && chmod("fake/gnuplot", 0755) == 0 && getcwd(path, sizeof path - 512));
  (void)snprintf(path + strlen(path), 400, "/fake:/usr/bin:/bin");
  assert_int_equal(setenv("PATH", path, 1), 0);
  const double x[] = {0, 1};
  const br_plot_line line = {x, x, 2, NULL, BR_PLOT_LINE};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", &line, 1, NULL};
  const br_plot plot = {NULL, &panel, 1};
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_plot_write("x.svg", &plot, &err);
  if (kept) (void)setenv("PATH", kept, 1);
  free(kept);
  (void)remove("fake/gnuplot"), (void)remove("fake");
  assert_int_equal(st, BR_E_IO);
  assert_non_null(strstr(err.msg, ": line 7: cannot open x.svg for it"));
  assert_null(strstr(err.msg, "more"));
}

/* ---- sketches ---- */

typedef struct {
  char text[16384];
  size_t n;
} page;

static void print(void *ctx, const char *text)
{
  page *p = ctx;
  p->n += (size_t)snprintf(p->text + p->n, sizeof p->text - p->n, "%s", text);
}

/* A rising line goes from the lower left to the upper right, dot by dot; its dots are those of Unicode. */
static void sketch(void **state)
{
  (void)state;
  const double x[] = {0, 1}, y[] = {0, 1};
  const br_plot_line line = {x, y, 2, NULL, BR_PLOT_LINE};
  const br_plot_look look = {.x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", &line, 1, &look};
  const br_plot plot = {NULL, &panel, 1};
  page p = {.n = 0};
  assert_int_equal(br_plot_sketch(&plot, 8, 4, print, &p, NULL), BR_OK); /* 16 x 16 dots: the diagonal */
  size_t dots = 0;
  const char *s = strchr(p.text, '\n') + 1;
  for (int r = 0; r < 4; r++, s = strchr(s, '\n') + 1)
    for (int c = 0, k = 11; c < 8; c++) {
      unsigned b = 0;
      if (s[k] == ' ') k++;
      else
        b = ((unsigned)(unsigned char)s[k + 1] & 3) << 6 | ((unsigned)(unsigned char)s[k + 2] & 0x3f), k += 3;
      static const unsigned char BIT[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
      for (int j = 0; j < 4; j++)
        for (int i = 0; i < 2; i++) {
          const int there = (b & BIT[j][i]) != 0, across = 2 * c + i, up = 15 - (4 * r + j);
          assert_int_equal(there, across == up);
          dots += (size_t)there;
        }
    }
  assert_int_equal(dots, 16);
}

/* Arrows are strokes of their own, from tail to head and from no head to the next tail. */
static void arrows(void **state)
{
  (void)state;
  const double x[] = {0, 4, 11, 15}, y[] = {15, 15, 0, 0}, gap[] = {0, NAN, 11, 15};
  const br_plot_look look = {.x0 = 0, .x1 = 15, .y0 = 0, .y1 = 15};
  for (int kind = 0; kind < 4; kind++) { /* two arrows; one whose head is no number; as a line; as points */
    const br_plot_line line = {kind == 1 ? gap : x, y, 4, NULL,
                               kind < 2    ? BR_PLOT_VECTORS
                               : kind == 2 ? BR_PLOT_LINE
                                           : BR_PLOT_POINTS};
    const br_plot_panel panel = {NULL, "a", "b", "1", "1", &line, 1, &look};
    const br_plot plot = {NULL, &panel, 1};
    page p = {.n = 0};
    assert_int_equal(br_plot_sketch(&plot, 8, 4, print, &p, NULL), BR_OK); /* 16 x 16 dots: one a unit */
    size_t dots = 0, between = 0;
    const char *s = strchr(p.text, '\n') + 1;
    for (int r = 0; r < 4; r++, s = strchr(s, '\n') + 1)
      for (int c = 0, k = 11; c < 8; c++) {
        if (s[k++] == ' ') continue;
        unsigned b = ((unsigned)(unsigned char)s[k] & 3) << 6 | ((unsigned)(unsigned char)s[k + 1] & 0x3f);
        for (k += 2; b; b &= b - 1) dots++, between += r == 1 || r == 2;
      }
    static const size_t DOTS[] = {10, 6, 24, 4}, BETWEEN[] = {0, 0, 8, 0};
    if (dots != DOTS[kind] || between != BETWEEN[kind])
      fail_msg("kind %d: %zu dots, %zu between\n%s", kind, dots, between, p.text);
  }
}

/* ---- units and files ---- */

typedef struct {
  char unit[3][16];
  double row[3];
} taken;

static br_status take_table(void *ctx, const br_table_head *h, br_err *err)
{
  taken *t = ctx;
  (void)err;
  for (size_t i = 0; i < h->ncol && i < 3; i++)
    (void)snprintf(t->unit[i], sizeof t->unit[i], "%s", h->columns[i].unit);
  return BR_OK;
}

static br_status take_row(void *ctx, const double *row, br_err *err)
{
  (void)err;
  memcpy(((taken *)ctx)->row, row, 3 * sizeof *row);
  return BR_OK;
}

static void units(void **state)
{
  (void)state;
  static const br_column COLUMNS[] = {{"x", "m", NULL}, {"y", "mm", NULL}, {"F", "N", NULL}};
  const br_table_head head = {.name = "t", .shape = BR_TABLE_MAIN, .ncol = 3, .columns = COLUMNS};
  const double row[] = {0.25, 7, 2000};
  taken t = {0};
  br_sink to = {.ctx = &t, .table = take_table, .row = take_row};
  br_units *u = NULL;
  br_err err;
  assert_int_equal(br_units_create("mm,kN", &to, &u, &err), BR_OK);
  br_sink in = br_units_sink(u);
  assert_int_equal(br_put_table(&in, &head, &err), BR_OK);
  assert_int_equal(br_put_row(&in, row, &err), BR_OK);
  assert_true(t.row[0] == 250 && t.row[1] == 7 && t.row[2] == 2); /* what is in mm already stays */
  assert_string_equal(t.unit[0], "mm");
  assert_string_equal(t.unit[1], "mm");
  assert_string_equal(t.unit[2], "kN");
  static const struct {
    const char *unit, *shown;
    double factor;
  } FACTORS[] = {{"m", "mm", 1e-3}, {"N", "kN", 1e3},  {"mm", "mm", 1},
                 {"s", "s", 1},     {"N m", "N m", 1}, {"?", "?", 1}};
  for (size_t i = 0; i < sizeof FACTORS / sizeof FACTORS[0]; i++) {
    const char *unit = FACTORS[i].unit;
    assert_true(br_units_factor(u, &unit) == FACTORS[i].factor);
    assert_string_equal(unit, FACTORS[i].shown);
    assert_true(br_units_factor(NULL, &unit) == 1);
  }
  br_units_destroy(u);
  static const char *const BAD[] = {"mm,cm", "kN,mm,N", "mm,", "", "parsec", "N m s/rad m m m m m m m m m m"};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    assert_int_equal(br_units_create(BAD[i], &to, &u, &err), BR_E_PARSE);
    assert_null(u);
  }
}

/* Files take the main table alone, under its whole name, without units that are none. */
static void files(void **state)
{
  (void)state;
  static const br_column COLUMNS[] = {{"n", "1", NULL}, {"F", "N", NULL}};
  const br_table_head side = {.name = "loop2", .shape = BR_TABLE_FILE, .ncol = 2, .columns = COLUMNS},
                      main_one = {.name = "loop",
                                  .shape = BR_TABLE_MAIN | BR_TABLE_FILE,
                                  .ncol = 2,
                                  .columns = COLUMNS};
  const double first[] = {1, 2}, second[] = {3, 4};
  br_files *f = NULL;
  br_err err;
  assert_int_equal(br_files_create("files.csv", NULL, "loop|wave", NULL, NULL, &f, &err), BR_OK);
  br_sink out = br_files_sink(f);
  assert_true(br_sink_wants(&out, "loop") && br_sink_wants(&out, "wave") && !br_sink_wants(&out, "loo") &&
              !br_sink_wants(&out, "loop2") && !br_sink_wants(&out, "l"));
  assert_int_equal(br_put_table(&out, &side, &err), BR_OK);
  assert_int_equal(br_put_row(&out, second, &err), BR_OK);
  assert_int_equal(br_put_end(&out, &err), BR_OK);
  assert_int_equal(br_put_table(&out, &main_one, &err), BR_OK);
  assert_int_equal(br_put_row(&out, first, &err), BR_OK);
  assert_int_equal(br_put_end(&out, &err), BR_OK);
  assert_int_equal(br_put_table(&out, &side, &err), BR_OK); /* behind it too */
  assert_int_equal(br_put_row(&out, second, &err), BR_OK);
  assert_int_equal(br_put_end(&out, &err), BR_OK);
  assert_int_equal(br_files_close(f, &err), BR_OK);
  br_table *t = NULL;
  assert_int_equal(br_table_load("files.csv", NULL, &t, NULL, &err), BR_OK);
  assert_int_equal(remove("files.csv"), 0);
  assert_true(br_table_rows(t) == 1 && br_table_data(t, 0)[0] == 1 && br_table_data(t, 1)[0] == 2);
  assert_string_equal(br_table_unit_of(t, 0), "");
  assert_string_equal(br_table_unit_of(t, 1), "N");
  br_table_destroy(t);
}

/* ---- pages ---- */

/* Colours of tags become those of the page, colours of texts stay; the dark ground has colours of its own. */
static void pictures_in_pages(void **state)
{
  (void)state;
  FILE *f = fopen("inline.svg", "wb");
  assert_non_null(f);
  (void)fprintf(
      f,
      "<?xml?><svg viewBox=\"0 0 320 200\"><desc>x</desc><g stroke='rgb(0, 114, 178)' fill=\"%s\"/><text "
      "fill=\"black\">\"%s\" rgb(0,114,178)</text><a b=\"#123456\"/></svg>",
      bri_colours[1].light, bri_colours[1].light);
  assert_int_equal(fclose(f), 0);
  bri_buf out = {0};
  assert_int_equal(bri_inline_svg(&out, "inline.svg", "a <picture>", NULL), BR_OK);
  assert_int_equal(remove("inline.svg"), 0);
  assert_non_null(strstr(
      out.text, "<svg viewBox=\"0 0 320 200\" width=\"320\" role=\"img\" aria-label=\"a &lt;picture&gt;\""));
  assert_non_null(strstr(out.text, "<g stroke='var(--c0)' fill=\"var(--c1)\"/><text "
                                   "fill=\"var(--title)\">\"#D55E00\" rgb(0,114,178)</text>"));
  assert_non_null(strstr(out.text, "<a b=\"#123456\"/></svg>"));
  bri_buf_free(&out);
  bri_inline_style(&out);
  const char *dark = strstr(out.text, "dark){");
  assert_non_null(dark);
  for (size_t i = 0; i < BRI_COLOURS; i++) {
    char light[64], night[64];
    (void)snprintf(light, sizeof light, "--%s:%s;", bri_colours[i].name, bri_colours[i].light);
    (void)snprintf(night, sizeof night, "--%s:%s;", bri_colours[i].name, bri_colours[i].dark);
    const char *first = strstr(out.text, light);
    assert_true(first && first < dark && strstr(dark, night));
  }
  bri_buf_free(&out);
}

static void mathml(const char *typed, const char *part)
{
  bri_buf out = {0};
  bri_equation_mathml(&out, typed, strlen(typed));
  if (!out.text || !strstr(out.text, part)) fail_msg("%s: %s lacks %s", typed, out.text, part);
  bri_buf_free(&out);
}

static void note_line(void *ctx, const char *line, size_t n)
{
  (void)line, (void)n;
  ++*(int *)ctx;
}

/* One dot or two over a letter; what stands before a rate stays before the fraction; commas; words of
 * pages. */
static void equations_and_words(void **state)
{
  (void)state;
  mathml("m x'' = F", "<mo>\xc2\xa8</mo>");
  mathml("c x' = F", "<mo>\xcb\x99</mo>");
  mathml("F = sigma1 dz/dt", "<mn>1</mn></msub></mrow><mspace width=\"0.17em\"></mspace><mfrac>");
  mathml("a = 1,  b = 2", "<mn>1</mn><mo>,</mo><mspace");
  int lines = 0; /* those at the top of its page, and no table or example further down */
  bri_equations_each("lugre", note_line, &lines);
  assert_int_equal(lines, 5);
  lines = 0;
  bri_equations_each("nobody", note_line, &lines);
  assert_int_equal(lines, 0);
  bri_glossary_entry e;
  char hint[80];
  bri_buf text = {0};
  assert_true(bri_glossary_find("stribeck", &e, sizeof hint, hint));
  assert_memory_equal(e.names, "Stribeck effect", 15);
  assert_true(bri_glossary_find("HUNTING", &e, sizeof hint, hint));
  assert_false(bri_glossary_find("st", &e, sizeof hint, hint)); /* too short to begin a term */
  for (size_t i = 0; bri_glossary_at(i, &e); i++) bri_glossary_text(&e, &text);
  assert_null(strstr(text.text, "](")); /* names of links stay, their targets do not */
  assert_null(strstr(text.text, ".md("));
  assert_null(strchr(text.text, '`'));
  bri_buf_free(&text);
  assert_false(bri_symbols_any("../sigma0") || bri_symbols_any("./Fc") || bri_symbols_any("see a//Fc"));
  assert_true(bri_symbols_any("sigma0/Fc") && bri_symbols_any("F, Fc"));
  bri_symbols_plain(&text, "sigma1 and Fc and z2");
  assert_string_equal(text.text, "\xcf\x83\xe2\x82\x81 and Fc and z\xe2\x82\x82");
  bri_buf_free(&text);
}

/* Names of a picture without a stem are none; letters behind a point in a folder do not count. */
static void names_of_pictures(void **state)
{
  (void)state;
  static const char *const BAD[] = {".svg", "a/.svg", "svg", "a.b/svg", "", "x.svgz", "dir.svg/"},
                           *const GOOD[] = {"a.svg", "a/b.png", "a.b/c.pdf"};
  bri_plot_names n;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
    if (bri_plot_names_of(BAD[i], &n, NULL) != BR_E_ARG) fail_msg("'%s' is a picture", BAD[i]);
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++)
    assert_int_equal(bri_plot_names_of(GOOD[i], &n, NULL), BR_OK);
  const double x[] = {0, 1};
  const br_plot_line lines[] = {{x, x, 2, "good", BR_PLOT_LINE}, {x, x, 2, "b\ad", BR_PLOT_LINE}};
  const br_plot_panel panel = {NULL, "a", "b", "1", "1", lines, 2, NULL};
  const br_plot plot = {NULL, &panel, 1};
  assert_int_equal(bri_plot_texts(&plot, NULL), BR_E_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells),
      cmocka_unit_test(regions),
      cmocka_unit_test(levels),
      cmocka_unit_test(strips),
      cmocka_unit_test(data),
      cmocka_unit_test(looks),
      cmocka_unit_test(labels),
      cmocka_unit_test(sketch),
      cmocka_unit_test(arrows),
      cmocka_unit_test(units),
      cmocka_unit_test(files),
      cmocka_unit_test(pictures_in_pages),
      cmocka_unit_test(labels_of_points),
      cmocka_unit_test(thinned_loops),
      cmocka_unit_test(complaints),
      cmocka_unit_test(equations_and_words),
      cmocka_unit_test(names_of_pictures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
