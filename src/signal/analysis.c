/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'signal': a motion itself, its speed and its path length. */
#include "analysis/rows.h"
#include "bristle/analysis.h"
#include "bristle/signal.h"

enum { ASK = 4096 };

static const br_option OPTIONS[] = {
    {.name = "t-end",
     .kind = BR_OPTION_NUMBER,
     .arg = "T",
     .unit = "s",
     .lo = 0,
     .hi = -1,
     .lo_open = 1,
     .doc = "end time; default two periods, or the natural end, or 1 s"},
    {.name = "samples",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .def = "400",
     .lo = 1,
     .hi = 1e7,
     .doc = "equally spaced points, corners are added; default 400"},
    BRI_ROW_DECIMAL,
};

static const br_result_row RESULTS[] = {
    {"period", "s", "0 where it does not repeat", BR_RESULT_VALUE},
    {"path_length", "m", "of a period; where there is none, up to the end time", BR_RESULT_VALUE},
    {"t", "s", "times", BR_RESULT_VALUE},
    {"u", "m", "motion", BR_RESULT_VALUE},
    {"v", "m/s", "velocity behind the time", BR_RESULT_VALUE},
    {"rho", "m", "path length since t = 0", BR_RESULT_VALUE},
    {"signal", "", "t, u, v, rho", BR_RESULT_TABLE},
};

static const br_picture_line LINES[] = {{"signal", "line", NULL, 0, 0}};
static const br_picture_panel PANELS[] = {{"t", "u", "time t", "displacement u", NULL, LINES, 1}};

static const br_example EXAMPLES[] = {
    {"bristle signal --input bimodal:0,1,0.5,1.5 --csv -", "turning points of a motion in time, as a table"},
    {"bristle signal --input 'expr:1e-3*sin(2*pi*t)*exp(-t/2)' --t-end 4 --json", "a formula and its speed"},
    {NULL, NULL},
};

static br_status put_row(br_sink *out, const br_signal *s, double t, br_err *err)
{
  const double row[] = {t, br_signal_value(s, t), br_signal_rate(s, t, 1), br_signal_variation(s, t)};
  return br_put_row(out, row, err);
}

static double end_of(const br_job *job, const br_signal *s)
{
  const double period = br_signal_period(s), natural = br_signal_duration(s);
  if (br_job_given(job, "t-end")) return br_job_number(job, "t-end");
  return period > 0 ? 2 * period : natural > 0 ? natural : 1;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {
      {"t", "s", NULL}, {"u", "m", NULL}, {"v", "m/s", NULL}, {"rho", "m", NULL}};
  const br_signal *s = br_job_input(job, 0);
  const size_t n = br_job_count(job, "samples");
  const double end = end_of(job, s);
  const br_table_head head = {"signal", BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_ARRAYS, 4, COLUMNS, 0, NULL,
                              NULL};
  double corner = br_signal_next_corner(s, 0);
  br_put_number(out, "s", br_signal_period(s), "period");
  br_put_number(out, "m", br_signal_period(s) > 0 ? br_signal_path(s) : br_signal_variation(s, end),
                "path_length");
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i <= n && !st; i++) {
    const double t = end * ((double)i / (double)n);
    for (; corner < t && !st; corner = br_signal_next_corner(s, corner)) st = put_row(out, s, corner, err);
    if (!st) st = put_row(out, s, t, err);
    if (t == corner) corner = br_signal_next_corner(s, corner);
    if (!st && i % ASK == 0) st = br_sink_alive(out, (double)i / (double)n, err);
  }
  return st ? st : br_put_end(out, err);
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
const br_analysis bri_analysis_signal = {
    .name = "signal",
    .summary = "the motion itself: value, speed, path length",
    .method = "closed form",
    .accuracy = "rounding",
    .text = "Gives u(t), its speed just behind each time and the path length from t = 0, at equally spaced "
            "times and at "
            "every corner and reversal.\n\n"
            "JSON: {period, path_length, t, u, v, rho}.",
    .needs = BR_NEEDS_INPUT,
    .input_doc = "the motion u(t)",
    .tables = "signal",
    .options = OPTIONS,
    .noptions = COUNT(OPTIONS),
    .results = RESULTS,
    .nresults = COUNT(RESULTS),
    .picture = {PANELS, COUNT(PANELS), .title = "Motion"},
    .examples = EXAMPLES,
    .run = run,
};
