/* SPDX-License-Identifier: Apache-2.0
 * test_thin.c - long lines lose points and nothing that a reader could see: extremes, gaps, corners; short
 * ones keep all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"

enum { N = 200000, MOST = 5000 };
static double x[N], y[N];

static br_plot_panel panel_of(br_plot_line *line, br_plot_kind kind, size_t n)
{
  *line = (br_plot_line){x, y, n, "a", kind};
  return (br_plot_panel){NULL, "x", "y", "s", "m", line, 1, NULL};
}

static int has(const br_plot_line *l, double value)
{
  for (size_t i = 0; i < l->n; i++)
    if (l->y[i] == value) return 1;
  return 0;
}

/* A fast oscillation with one spike each way and a gap. */
static void along(void **state)
{
  br_plot_line line;
  bri_thin thin;
  (void)state;
  for (size_t i = 0; i < N; i++) x[i] = 1e-3 * (double)i, y[i] = sin(0.7 * (double)i);
  y[77777] = 5, y[123456] = -7, x[150000] = y[150000] = NAN;
  br_plot_panel panel = panel_of(&line, BR_PLOT_LINE, N);
  const br_plot plot = {"t", &panel, 1};
  assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
  const br_plot_line *l = thin.plot.panels[0].lines;
  assert_in_range(l->n, MOST / 2, MOST + 16);
  assert_true(has(l, 5) && has(l, -7));
  size_t gaps = 0;
  for (size_t i = 0; i < l->n; i++) gaps += (size_t)isnan(l->y[i]);
  for (size_t i = 1; i < l->n; i++) assert_false(l->x[i] < l->x[i - 1]); /* in order */
  assert_int_equal(gaps, 1);
  assert_true(l->x[0] == x[0] && l->x[l->n - 1] == x[N - 1]);
  bri_thin_free(&thin);
}

/* Every gap stays where it was, between the two points that were beside it; of several in a row one stays. */
static void gaps(void **state)
{
  enum { M = 40000 };
  static const size_t AT[] = {1, 777, 10001, 20002, 25000, 37777, M - 2};
  enum { GAPS = sizeof AT / sizeof AT[0] };
  (void)state;
  for (int turning = 0; turning < 2; turning++) /* along x, and to and fro */
    for (int which = 0; which < 4; which++) {   /* no number in x, in y, several in a row in both, infinite */
      br_plot_line line;
      bri_thin thin;
      size_t last[GAPS], found = 0;
      for (size_t i = 0; i < M; i++)
        x[i] = turning ? sin(1e-3 * (double)i) : 1e-3 * (double)i,
        y[i] = sin((turning ? 2e-3 : 0.7) * (double)i);
      for (size_t k = 0; k < GAPS; k++) {
        last[k] = AT[k] + (which == 2 && AT[k] < M - 9 ? k : 0);
        for (size_t i = AT[k]; i <= last[k]; i++) {
          if (which == 0 || which == 2) x[i] = NAN;
          if (which != 0) y[i] = which == 3 ? -INFINITY : NAN;
        }
      }
      br_plot_panel panel = panel_of(&line, BR_PLOT_LINE, M);
      const br_plot plot = {"t", &panel, 1};
      assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
      const br_plot_line *l = thin.plot.panels[0].lines;
      assert_in_range(l->n, MOST / 20, 3 * MOST);
      for (size_t i = 0; i < l->n; i++) {
        if (isfinite(l->x[i]) && isfinite(l->y[i])) continue;
        assert_true(i > 0 && i + 1 < l->n && found < GAPS);
        const size_t before = AT[found] - 1, behind = last[found] + 1;
        if (l->x[i - 1] != x[before] || l->y[i - 1] != y[before] || l->x[i + 1] != x[behind] ||
            l->y[i + 1] != y[behind])
          fail_msg("gap %zu, %d, %d: other points beside it", found, turning, which);
        found++;
      }
      assert_int_equal(found, GAPS);
      bri_thin_free(&thin);
    }
}

/* A line that begins with a gap is thinned like any other. */
static void gap_in_front(void **state)
{
  enum { M = 40000 };
  (void)state;
  for (int which = 0; which < 4; which++) { /* no number or an infinity, in x or y; the same at the end */
    br_plot_line line;
    bri_thin thin;
    for (size_t i = 0; i < M; i++) x[i] = 1e-3 * (double)i, y[i] = sin(0.7 * (double)i);
    for (size_t i = 0; i < 7; i++)
      *(which % 2 ? &y[i] : &x[i]) = *(which % 2 ? &y[M - 1 - i] : &x[M - 1 - i]) =
          which < 2 ? NAN : INFINITY;
    y[27777] = 5;
    br_plot_panel panel = panel_of(&line, BR_PLOT_LINE, M);
    const br_plot plot = {"t", &panel, 1};
    assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
    const br_plot_line *l = thin.plot.panels[0].lines;
    assert_in_range(l->n, MOST / 2, MOST + 16);
    assert_true(has(l, 5) && has(l, y[7]) && has(l, y[M - 8]));
    assert_true(l->x[1] == x[7] && l->x[l->n - 3] == x[M - 8]);
    bri_thin_free(&thin);
  }
}

/* A line that runs away at its last point: what came before it stays as it was, however far the last one is.
 * */
static void runaway(void **state)
{
  br_plot_line line;
  bri_thin thin;
  (void)state;
  for (size_t i = 0; i < 1000; i++) x[i] = 0.1 * (double)i, y[i] = 0.3 * x[i];
  y[999] = 5e6;
  br_plot_panel panel = panel_of(&line, BR_PLOT_LINE, 1000);
  const br_plot plot = {"t", &panel, 1};
  assert_int_equal(bri_plot_thin(&plot, 500, &thin), BR_OK);
  assert_true(has(thin.plot.panels[0].lines, y[998]));
  bri_thin_free(&thin);
}

/* Distance of a point from the polygon, in parts of the picture of +-1. */
static double off(const br_plot_line *l, double px, double py)
{
  double best = INFINITY;
  for (size_t i = 1; i < l->n; i++) {
    const double dx = l->x[i] - l->x[i - 1], dy = l->y[i] - l->y[i - 1], n = dx * dx + dy * dy;
    double s = n > 0 ? ((px - l->x[i - 1]) * dx + (py - l->y[i - 1]) * dy) / n : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    best = fmin(best, hypot(px - l->x[i - 1] - s * dx, py - l->y[i - 1] - s * dy));
  }
  return best;
}

/* A curve that turns back, with corners: what is left passes all points by less than a fifth of a pixel. */
static void turning(void **state)
{
  br_plot_line line;
  bri_thin thin;
  (void)state;
  for (size_t i = 0; i < N; i++) {
    const double a = 40 * (double)i / N, s = fabs(fmod(a, 2) - 1); /* to and fro along an arc that drifts */
    x[i] = 2 * s - 1, y[i] = 0.5 * sin(3 * s) + 0.01 * a;
  }
  br_plot_panel panel = panel_of(&line, BR_PLOT_THICK, N);
  const br_plot plot = {"t", &panel, 1};
  assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
  const br_plot_line *l = thin.plot.panels[0].lines;
  assert_in_range(l->n, 300, MOST);
  for (size_t i = 0; i < N; i += 997) assert_true(off(l, x[i], y[i]) < 2 * 0.2 / 1200);
  bri_thin_free(&thin);
}

/* So rough that no bend can be spared, out above and back below: neither way is lost. */
static void rough_loop(void **state)
{
  br_plot_line line;
  bri_thin thin;
  size_t way[2] = {0, 0};
  (void)state;
  for (size_t i = 0; i < N; i++) {
    const int back = i >= N / 2;
    x[i] = 1e-3 * (double)(back ? N - i : i), y[i] = (back ? -2 : 2) + sin(0.7 * (double)i);
  }
  br_plot_panel panel = panel_of(&line, BR_PLOT_LINE, N);
  const br_plot plot = {"t", &panel, 1};
  assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
  const br_plot_line *l = thin.plot.panels[0].lines;
  for (size_t i = 0; i < l->n; i++) way[l->y[i] < 0]++;
  if (!(way[0] > MOST / 20 && way[1] > MOST / 20)) fail_msg("%zu out, %zu back", way[0], way[1]);
  bri_thin_free(&thin);
}

static void markers(void **state)
{
  br_plot_line line;
  bri_thin thin;
  (void)state;
  for (size_t i = 0; i < N; i++) x[i] = (double)(i % 50), y[i] = (double)(i / 50 % 40);
  br_plot_panel panel = panel_of(&line, BR_PLOT_POINTS, N);
  const br_plot plot = {"t", &panel, 1};
  assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
  assert_int_equal(thin.plot.panels[0].lines->n, 50 * 40); /* each place once */
  bri_thin_free(&thin);
  panel = panel_of(&line, BR_PLOT_LINE, 200); /* short: the same arrays */
  assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
  assert_true(thin.plot.panels[0].lines->x == x && thin.plot.panels[0].lines->n == 200);
  bri_thin_free(&thin);
}

/* A map of 300 x 300 cells of two kinds in turns of ten: fewer boxes, the same kind at their middles. */
static void maps(void **state)
{
  enum { SIDE = 300 };
  static double bx[2][2 * SIDE * SIDE], by[2][2 * SIDE * SIDE];
  size_t n[2] = {0, 0};
  bri_thin thin;
  (void)state;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const int k = (i / 10 + j / 10) % 2;
      bx[k][n[k]] = i, by[k][n[k]++] = j, bx[k][n[k]] = i + 1, by[k][n[k]++] = j + 1;
    }
  const br_plot_line lines[] = {{bx[0], by[0], n[0], NULL, BR_PLOT_REGION},
                                {bx[1], by[1], n[1], NULL, BR_PLOT_COLOURED(BR_PLOT_REGION, 1)}};
  const br_plot_panel panel = {NULL, "x", "y", "", "", lines, 2, NULL};
  const br_plot plot = {"t", &panel, 1};
  assert_int_equal(bri_plot_thin(&plot, MOST, &thin), BR_OK);
  for (int k = 0; k < 2; k++) {
    const br_plot_line *l = &thin.plot.panels[0].lines[k];
    assert_in_range(l->n / 2, 1000, 9000);
    for (size_t i = 0; i + 1 < l->n; i += 2) {
      const int a = (int)(l->x[i] + 0.02 * SIDE / 130), b = (int)(0.5 * (l->y[i] + l->y[i + 1]));
      if (a % 10 > 2 && a % 10 < 7) assert_int_equal((a / 10 + b / 10) % 2, k);
    }
  }
  bri_thin_free(&thin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(along),        cmocka_unit_test(gaps),
                                     cmocka_unit_test(gap_in_front), cmocka_unit_test(runaway),
                                     cmocka_unit_test(turning),      cmocka_unit_test(rough_loop),
                                     cmocka_unit_test(markers),      cmocka_unit_test(maps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
