/* SPDX-License-Identifier: Apache-2.0
 * say_loop.c - the answer of `bristle loop` on the screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "catalogue/rows.h"

enum { LINES = 20 }; /* of each table on the screen */

static void say_speed(const br_job *job)
{
  const int wave = br_job_flag(job, "waveform");
  if (wave) (void)printf("in its own time");
  else if (br_job_number(job, "frequency") > 0)
    (void)printf("%.9g periods a second", br_job_number(job, "frequency"));
  else (void)printf("quasi-static");
  if (wave && br_job_number(job, "scale") != 1)
    (void)printf(", %.9g times slower", br_job_number(job, "scale"));
  if (wave && br_job_number(job, "filter") > 0)
    (void)printf(" behind a filter of %.9g s", br_job_number(job, "filter"));
}

/* A frequency in the input that the quasi-static loop does not look at. */
static void say_unused_frequency(const br_job *job)
{
  static const char *const TIMED[] = {"sine:", "triangle:", "multisine:"};
  const char *spec = br_job_spec(job, 0);
  const double period = br_signal_period(br_job_input(job, 0));
  bri_model_facts f;
  int timed = 0;
  for (size_t i = 0; i < sizeof TIMED / sizeof TIMED[0]; i++)
    timed = timed || strncmp(spec, TIMED[i], strlen(TIMED[i])) == 0;
  if (!timed || !(period > 0) || br_job_flag(job, "waveform") || br_job_number(job, "frequency") > 0 ||
      bri_model_facts_of(br_job_model(job), &f, NULL) || !f.rate_dependent)
    return;
  (void)printf("  speed        vanishing: %s is rate-dependent, and the %.4g Hz of the input are not used;\n"
               "               --waveform follows the input in its own time, --frequency %.4g goes at "
               "constant speed\n",
               br_job_model(job)->name, 1 / period, 1 / period);
}

static void say_more(size_t shown, size_t all, const char *what)
{
  if (all > shown) (void)printf("  ... and %zu more %s; --json or --csv has all\n", all - shown, what);
}

static void say_cell(int width, int digits, double x)
{
  if (isfinite(x)) (void)printf("  %*.*g", width, digits, x);
  else (void)printf("  %*s", width, "-");
}

/* Column `at` of a table, in the unit that was asked for. */
typedef struct {
  const char *name, *unit;
  int width, digits;
  size_t at;
} column;

/* row < 0: the heads. */
static void say_columns(const br_result_table *t, const column *c, size_t n, long row)
{
  for (size_t k = 0; k < n; k++) {
    char head[64];
    const char *unit = c[k].unit;
    const double factor = say_factor(&unit);
    (void)snprintf(head, sizeof head, "%s, %s", c[k].name, unit);
    if (row < 0) (void)printf("  %*s", c[k].width, head);
    else say_cell(c[k].width, c[k].digits, t->data[(size_t)row * t->ncol + c[k].at] / factor);
  }
  (void)printf("\n");
}

static void say_turning(const br_result_table *t)
{
  static const column COLUMNS[] = {{"u", "m", 14, 9, 0}, {"y", "N", 18, 12, 1}, {"rho", "m", 14, 9, 2}};
  const size_t shown = t->rows > LINES ? LINES : t->rows;
  (void)printf("\n  %8s", "turning");
  say_columns(t, COLUMNS, 3, -1);
  for (size_t i = 0; i < shown; i++) (void)printf("  %8zu", i), say_columns(t, COLUMNS, 3, (long)i);
  say_more(shown, t->rows, "turning points");
}

/* Columns of 'minor', in their order. */
enum { START, U_START, U_TURN, RHO_START, RHO_END, Y_START, Y_END, GAP, WORK, DISSIPATION, PARENT };

static void say_minor(const br_job *job, const br_result *r, const br_result_table *t)
{
  static const column COLUMNS[] = {{"u_start", "m", 12, 7, U_START},
                                   {"u_turn", "m", 12, 7, U_TURN},
                                   {"y_start", "N", 13, 7, Y_START},
                                   {"y_end", "N", 13, 7, Y_END},
                                   {"gap", "N", 13, 6, GAP},
                                   {"work", "J", 13, 7, WORK},
                                   {"dissipated", "J", 13, 7, DISSIPATION}};
  const size_t n = t->rows, shown = n > LINES ? LINES : n;
  double largest = 0;
  if (n == 0) {
    (void)printf("\n  no minor loops\n");
    return;
  }
  (void)printf("\n  %8s  %6s", "minor at", "inside");
  say_columns(t, COLUMNS, 7, -1);
  for (size_t i = 0; i < n; i++) {
    const double *m = t->data + i * t->ncol;
    largest = fmax(largest, fabs(m[GAP]));
    if (i >= shown) continue;
    (void)printf("  %8.0f", m[START]);
    say_cell(6, 9, isnan(m[PARENT]) ? m[PARENT] : t->data[(size_t)m[PARENT] * t->ncol + START]);
    say_columns(t, COLUMNS, 7, (long)i);
  }
  say_more(shown, n, "minor loops");
  const double size = fmax(fabs(br_result_real(r, "y_min")), fabs(br_result_real(r, "y_max")));
  if (largest > 1e-12 * size + 10 * br_result_real(r, "error"))
    (void)printf(
        "  Minor loops of %s do not close: u comes back, the force does not (gap up to %.4g N). Work and\n"
        "  dissipation of such an open arc differ, and neither is an area.\n",
        br_job_model(job)->name, largest);
  else (void)printf("  All minor loops close (largest gap %.2g N).\n", largest);
}

static void say_rest(const br_result *r)
{
  const br_result_table *rate = br_result_table_find(r, "rate"), *way = br_result_table_find(r, "transient");
  if (rate) {
    (void)printf(
        "\n  distance to the quasi-static limit, largest |y_G - y| from the start and once settled\n");
    (void)printf("  %12s  %16s  %14s  %16s  %8s  %6s  %14s\n", "G", "from start, N", "at t, s", "settled, N",
                 "periods", "order", "of graphs, 1");
  }
  for (size_t k = 0; rate && k < rate->rows; k++) {
    const double *x = rate->data + rate->ncol * k;
    (void)printf("  %12.7g  %16.10g  %14.7g  %16.10g  %8.0f", x[0], x[1], x[2], x[3], x[4]);
    say_cell(6, 3, x[5]);
    say_cell(14, 7, x[6]);
    (void)printf("\n");
  }
  if (rate && rate->rows > 1)
    (void)printf("  %s\n",
                 br_result_real(r, "strongly_consistent") > 0
                     ? "Strongly consistent: converges as G grows, and its periods to one loop (Theorem 2)."
                 : br_result_real(r, "consistent") > 0
                     ? "Consistent: converges as G grows; a period keeps part of the memory."
                     : "No convergence over these scales.");
  if (way)
    (void)printf("\n  transient: largest |y - steady| in each period\n  %12s  %16s\n", "period",
                 "distance, N");
  for (size_t k = 0; way && k < way->rows; k++) (void)printf("  %12zu  %16.10g\n", k, way->data[2 * k + 1]);
}

void say_loop(const br_job *job, const br_result *r)
{
  const br_result_table *turning = br_result_table_find(r, "turning"),
                        *minor = br_result_table_find(r, "minor");
  const double dissipation = br_result_real(r, "dissipation"), contraction = br_result_real(r, "contraction");
  const int closed = strcmp(br_result_text(r, "method"), "closed-form") == 0;
  (void)printf("%s under %.200s, ", br_job_model(job)->name, cli_shown(br_job_spec(job, 0)));
  say_speed(job);
  (void)printf(": %s\n", closed ? "closed form" : "fixed point of the period map");
  say_unused_frequency(job);
  (void)printf("  work         %s a period\n", say_in(r, 15, "work"));
  if (isfinite(dissipation)) (void)printf("  dissipation  %s a period\n", say_in(r, 15, "dissipation"));
  else
    (void)printf("  dissipation  not defined: no stored energy %s\n",
                 br_job_flag(job, "waveform") && br_job_number(job, "filter") > 0 ? "behind a filter"
                                                                                  : "in this model");
  if (minor->rows && isfinite(br_result_real(r, "extra_work")))
    (void)printf("  minor loops  cost %s a period: without them %s\n", say_in(r, 9, "extra_work"),
                 say_in(r, 9, "major_work"));
  (void)printf("  force        %s to %s, error about %s\n", say_in(r, -9, "y_min"), say_in(r, 9, "y_max"),
               say_in(r, 2, "error"));
  (void)printf("  path         %s a period, %zu turning points, %zu minor loop%s\n",
               say_in(r, 9, "path_length"), turning->rows, minor->rows, minor->rows == 1 ? "" : "s");
  if (contraction == 1) (void)printf("  a deviation  is kept: part of the memory never fades\n");
  else
    (void)printf("  a deviation  %s to %.4g of itself in a period\n", contraction < 1 ? "shrinks" : "grows",
                 contraction);
  say_turning(turning);
  say_minor(job, r, minor);
  say_rest(r);
}
