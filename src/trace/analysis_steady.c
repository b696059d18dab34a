/* SPDX-License-Identifier: Apache-2.0
 * analysis_steady.c - analysis 'steady': force of steady sliding against speed, the Stribeck map. */
#include <math.h>

#include "analysis/rows.h"
#include "bristle/trace.h"
#include "text/fail.h"

enum { ASK = 64, HALVINGS = 12 };

static const br_option OPTIONS[] = {
    BRI_NUMBER("from", "V", "m/s", "lowest speed; at 0 both limits of slow sliding; default 0", .def = "0"),
    BRI_NUMBER("to", "V", "m/s", "highest speed; default 1 m/s", .def = "1"),
    BRI_COUNT("points", "N", 2, 1e6,
              "speeds, equally spaced; default 201, and more of them where the curve bends", .def = "201"),
    BRI_ROW_LOAD(1),
};

static const br_result_row RESULTS[] = {
    {"first", "N", "force at the lowest speed"},
    {"last", "N", "force at the highest speed"},
    {"v", "m/s", "speeds; 0 stands twice where the range has both sides"},
    {"F", "N", "forces"},
    {"steady", "", "v, F", BR_RESULT_TABLE},
};

static const br_picture_line LINES[] = {{"steady", "line"}};
static const br_picture_panel PANELS[] = {{"v", "F", "sliding speed v", "friction force F", NULL, LINES, 1}};

static const br_example EXAMPLES[] = {
    {"bristle steady --model lugre --set Fc=1,Fs=1.5,vs=0.01,sigma2=0.4 --from -0.1 --to 0.1",
     "the Stribeck map, both limits at rest"},
    {"bristle steady --model gms --to 1cm/s --points 11 --csv -",
     "the same of a model with sliders, as a table"},
    {NULL, NULL},
};

/* The force jumps at speed zero: both limits, as far as the range has both sides. */
static br_status put_speed(const br_job *job, double v, double from, double to, br_sink *out, double *F,
                           br_err *err)
{
  const double load = br_job_number(job, "load");
  br_status st = BR_OK;
  for (int side = v == 0 && from < 0 ? -1 : 1; side <= (v == 0 && to <= 0 ? -1 : 1) && !st; side += 2) {
    st = br_steady_force(br_job_model(job), br_job_par(job), load, v, side, F, err);
    const double row[] = {v, *F};
    if (!st) st = br_put_row(out, row, err);
  }
  return st;
}

/* Between two rows whose chord leaves the curve: halved until it does not. */
static br_status refine(const br_job *job, double a, double Fa, double b, double Fb, double slack, int depth,
                        br_sink *out, br_err *err)
{
  const double v = a + 0.5 * (b - a), load = br_job_number(job, "load");
  double F = 0;
  br_status st = br_steady_force(br_job_model(job), br_job_par(job), load, v, 1, &F, err);
  if (st || !(fabs(F - 0.5 * (Fa + Fb)) > slack) || depth == 0) return st;
  const double row[] = {v, F};
  st = refine(job, a, Fa, v, F, slack, depth - 1, out, err);
  if (!st) st = br_put_row(out, row, err);
  return st ? st : refine(job, v, F, b, Fb, slack, depth - 1, out, err);
}

/* What a reader would see: a part of the largest force at both ends and in the middle. */
static br_status slack_of(const br_job *job, double from, double to, double *slack, br_err *err)
{
  double most = 0, F = 0;
  br_status st = BR_OK;
  for (int i = 0; i < 3 && !st; i++) {
    const double v = i == 0 ? from : i == 1 ? to : from + 0.5 * (to - from);
    st = br_steady_force(br_job_model(job), br_job_par(job), br_job_number(job, "load"), v, v < 0 ? -1 : 1,
                         &F, err);
    most = fmax(most, fabs(F));
  }
  *slack = 2e-3 * most;
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"v", "m/s"}, {"F", "N"}};
  const double from = br_job_number(job, "from"), to = br_job_number(job, "to");
  const size_t n = br_job_count(job, "points");
  const br_table_head head = {"steady", BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_ARRAYS, 2, COLUMNS, n};
  double F = 0, before = 0, F_before = 0, slack = INFINITY;
  br_status st = br_put_table(out, &head, err);
  if (!st && !br_job_given(job, "points")) st = slack_of(job, from, to, &slack, err);
  for (size_t i = 0; i < n && !st; i++) {
    double v = from + (to - from) * ((double)i / (double)(n - 1));
    if (fabs(v) < 1e-14 * (to - from)) v = 0;
    double next = 0;
    if (i && isfinite(slack)) {
      st = br_steady_force(br_job_model(job), br_job_par(job), br_job_number(job, "load"), v, v > 0 ? 1 : -1,
                           &next, err);
      if (!st) st = refine(job, before, F_before, v, next, slack, HALVINGS, out, err);
    }
    if (!st) st = put_speed(job, v, from, to, out, &F, err);
    before = v, F_before = F;
    if (!st && i == 0) br_put_number(out, "N", F, "first");
    if (!st && i == n - 1) br_put_number(out, "N", F, "last");
    if (!st && i % ASK == 0) st = br_sink_alive(out, (double)i / (double)n, err);
  }
  return st ? st : br_put_end(out, err);
}

static br_status check(const br_job *job, br_err *err)
{
  const double from = br_job_number(job, "from"), to = br_job_number(job, "to");
  if (from < to) return BR_OK;
  return bri_fail(err, BR_E_RANGE, "from = %.9g m/s must be below to = %.9g m/s", from, to);
}

const br_analysis bri_analysis_steady = {
    .name = "steady",
    .summary = "force of steady sliding against speed (Stribeck map)",
    .method = "the state at which the model's rate vanishes",
    .accuracy = "rounding",
    .text = "Holds each speed until the force stays, and gives that force.\n\nJSON: {first, last, v, F}.",
    .needs = BR_NEEDS_MODEL,
    .tables = "steady",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Steady sliding"},
    .examples = EXAMPLES,
    .check = check,
    .run = run,
};
