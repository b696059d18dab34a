/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'signal': a motion itself, its speed and its path length. */
#include <math.h>
#include <stdio.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "analysis/rows.h"
#include "bristle/analysis.h"
#include "bristle/signal.h"
#include "nest.h"

enum { ASK = 4096, MARKS = 24 };

static const br_option OPTIONS[] = {
    BRI_ABOVE_0("t-end", "T", "s", "end time; default two periods, or the natural end, or 1 s"),
    BRI_COUNT("samples", "N", 1, 1e7, "equally spaced points, corners are added; default 400", .def = "400"),
    BRI_ROW_DECIMAL,
};

static const br_result_row RESULTS[] = {
    {"period", "s", "0 where it does not repeat"},
    {"path_length", "m", "of a period; where there is none, up to the end time"},
    {"t", "s", "times"},
    {"u", "m", "motion"},
    {"v", "m/s", "velocity behind the time"},
    {"rho", "m", "variation function rho_u(t): path length since t = 0"},
    {"psi", "m", "normalised input psi_u at that path length; equals u"},
    {"turning.*.t", "s", "turning points of a period, or of the whole record"},
    {"turning.*.u", "m", "motion there"},
    {"turning.*.rho", "m", "path length there"},
    {"turning.*.back", "s",
     "when the minor loop that starts there ends: u is back for the first time; null: none starts"},
    {"signal", "", "t, u, v, rho, psi", BR_RESULT_TABLE},
    {"turning", "", "t, u, rho, back of the turning points", BR_RESULT_TABLE},
    {"mark*", "",
     "t, u, rho of t1, t2, ...: turning points of a period behind t = 0, then ends of minor loops",
     BR_RESULT_TABLE},
};

static const br_picture_line LINES[] = {{"signal", "line"}, {"mark*", "circle", NULL, MARKS}};
static const br_picture_panel PANELS[] = {{"t", "u", "time t", "displacement u", NULL, LINES, 2}};

static const br_example EXAMPLES[] = {
    {"bristle signal --input bimodal:0,1,0.5,1.5 --csv -", "turning points of a motion in time, as a table"},
    {"bristle signal --input 'expr:1e-3*sin(2*pi*t)*exp(-t/2)' --t-end 4 --json", "a formula and its speed"},
    {NULL, NULL},
};

static br_status put_row(br_sink *out, const br_signal *s, double t, br_err *err)
{
  const double rho = br_signal_variation(s, t);
  const double row[] = {t, br_signal_value(s, t), br_signal_rate(s, t, 1), rho, br_signal_normalised(s, rho)};
  return br_put_row(out, row, err);
}

static double end_of(const br_job *job, const br_signal *s)
{
  const double period = br_signal_period(s), natural = br_signal_duration(s);
  if (br_job_given(job, "t-end")) return br_job_number(job, "t-end");
  return period > 0 ? 2 * period : natural > 0 ? natural : 1;
}

/* ---- turning points, and where minor loops end ---- */

typedef struct {
  double *t, *u, *back; /* s, m, s; back is NaN where no minor loop starts */
  size_t n;
} turns;

/* When u is back at `level` between two turning points: it moves one way there. */
static double crossing(const br_signal *s, double a, double b, double level)
{
  const int up = br_signal_value(s, b) > br_signal_value(s, a);
  for (int k = 0; k < 200; k++) {
    const double mid = a + 0.5 * (b - a);
    if (mid == a || mid == b) break;
    if ((br_signal_value(s, mid) < level) == up) a = mid;
    else b = mid;
  }
  return b;
}

static double time_of(const turns *k, double period, size_t i)
{
  return i < k->n ? k->t[i] : k->t[i - k->n] + period;
}

static br_status find_ends(const br_signal *s, turns *k, br_err *err)
{
  bri_nest *found = NULL;
  size_t count = 0;
  const double period = br_signal_period(s);
  br_status st = bri_nests(k->n, k->u, &found, &count);
  if (st) return bri_fail(err, st, "signal: out of memory");
  for (size_t i = 0; i < count; i++) {
    const bri_nest *c = &found[i];
    if (period == 0 && c->from + 1 >= k->n) continue; /* a record does not go on */
    k->back[c->start] =
        crossing(s, time_of(k, period, c->from), time_of(k, period, c->from + 1), k->u[c->start]);
  }
  bri_free(found);
  return BR_OK;
}

static br_status find_turns(const br_signal *s, turns *k, br_err *err)
{
  size_t n = 0;
  *k = (turns){0};
  br_status st = br_signal_turning(s, 0, NULL, NULL, &n, NULL);
  if (n == 0 || st == BR_E_UNSUPPORTED) return BR_OK; /* constant, or without end */
  double *p = bri_malloc_array(3 * n, sizeof *p);
  if (!p) return bri_fail(err, BR_E_NOMEM, "signal: no memory for %zu turning points", n);
  *k = (turns){p, p + n, p + 2 * n, n};
  st = br_signal_turning(s, n, k->u, k->t, &n, err);
  for (size_t i = 0; i < n; i++) k->back[i] = (double)NAN;
  return st ? st : find_ends(s, k, err);
}

static br_status put_turns(const br_signal *s, const turns *k, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s"}, {"u", "m"}, {"rho", "m"}, {"back", "s"}};
  const br_table_head head = {"turning", BR_TABLE_LIST | BR_TABLE_FILE, 4, COLUMNS, k->n};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const double row[] = {k->t[i], k->u[i], br_signal_variation(s, k->t[i]), k->back[i]};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

static br_status put_mark(const br_signal *s, double t, size_t number, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s"}, {"u", "m"}, {"rho", "m"}};
  char name[32], label[32];
  (void)snprintf(name, sizeof name, "mark%zu", number);
  (void)snprintf(label, sizeof label, "t%zu", number);
  const br_table_head head = {name, BR_TABLE_FILE, 3, COLUMNS, 1, label};
  const double row[] = {t, br_signal_value(s, t), br_signal_variation(s, t)};
  br_status st = br_put_table(out, &head, err);
  if (!st) st = br_put_row(out, row, err);
  return st ? st : br_put_end(out, err);
}

/* t1, t2, ... of one period behind t = 0 (the last may be its end), then the ends of the minor loops. */
static br_status put_marks(const br_signal *s, const turns *k, br_sink *out, br_err *err)
{
  const double period = br_signal_period(s);
  const size_t skip = k->n && k->t[0] <= 0;
  size_t number = 0;
  br_status st = BR_OK;
  if (2 * k->n > MARKS || !br_sink_wants(out, "mark1")) return BR_OK;
  for (size_t i = skip; i < k->n && !st; i++) st = put_mark(s, k->t[i], ++number, out, err);
  if (skip && period > 0 && !st) st = put_mark(s, period + k->t[0], ++number, out, err);
  for (size_t i = 0; i < k->n && !st; i++)
    if (isfinite(k->back[i])) st = put_mark(s, k->back[i], ++number, out, err);
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  turns k;
  static const br_column COLUMNS[] = {{"t", "s"}, {"u", "m"}, {"v", "m/s"}, {"rho", "m"}, {"psi", "m"}};
  const br_signal *s = br_job_input(job, 0);
  const size_t n = br_job_count(job, "samples");
  const double end = end_of(job, s);
  const br_table_head head = {"signal", BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_ARRAYS, 5, COLUMNS};
  double corner = br_signal_next_corner(s, 0);
  br_put_number(out, "s", br_signal_period(s), "period");
  br_put_number(out, "m", br_signal_period(s) > 0 ? br_signal_path(s) : br_signal_variation(s, end),
                "path_length");
  br_status st = find_turns(s, &k, err);
  if (!st) st = br_put_table(out, &head, err);
  for (size_t i = 0; i <= n && !st; i++) {
    const double t = end * ((double)i / (double)n);
    for (; corner < t && !st; corner = br_signal_next_corner(s, corner)) st = put_row(out, s, corner, err);
    if (!st) st = put_row(out, s, t, err);
    if (t == corner) corner = br_signal_next_corner(s, corner);
    if (!st && i % ASK == 0) st = br_sink_alive(out, (double)i / (double)n, err);
  }
  if (!st) st = br_put_end(out, err);
  if (!st) st = put_turns(s, &k, out, err);
  if (!st) st = put_marks(s, &k, out, err);
  bri_free(k.t);
  return st;
}

const br_analysis bri_analysis_signal = {
    .name = "signal",
    .summary = "the motion itself: value, speed, path length, turning points",
    .method = "closed form",
    .accuracy = "rounding",
    .text = "Gives u(t), its speed just behind each time, the path length rho from t = 0 (the variation "
            "function) and the normalised input psi, at equally spaced times and at every corner and "
            "reversal; turning points, and when u is back where a minor loop started.\n\n"
            "JSON: {period, path_length, t, u, v, rho, psi, turning: [{t, u, rho, back}]}.",
    .needs = BR_NEEDS_INPUT,
    .input_doc = "the motion u(t)",
    .tables = "signal",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Motion"},
    .examples = EXAMPLES,
    .run = run,
};
