/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'trace': force of a friction element under prescribed motion. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/rows.h"
#include "bristle/analysis.h"
#include "bristle/trace.h"
#include "beside.h"
#include "cycles.h"
#include "sense/twin.h"
#include "signal/measured.h"
#include "signal/reversals.h"
#include "signal/samples.h"
#include "solve/varied.h"
#include "base/alloc.h"
#include "text/stop.h"

enum { NAME = 56, ASK = 4096 };

static const br_option OPTIONS[] = {
    BRI_ABOVE_0("t-end", "T", "s", "end time; default two periods, or the natural end of the input, or 1 s"),
    BRI_ABOVE_0("dt", "H", "s",
                "time between samples; default a thousandth of the period or of the end time, for csv: its "
                "own samples"),
    BRI_ROW_LOAD(1),
    BRI_ROW_SWITCH,
    BRI_FLAG(
        "measures",
        "work, stiffness and damping of every cycle between turning points; columns work, stored, dissipated",
        .def = "no"),
    BRI_TEXT("measured", "auto|COLUMN|SPEC",
             "measured force to compare with: a column of the record that moves the element (auto: found by "
             "its unit), or csv:FILE[:t,F]"),
    BRI_ROW_DECIMAL,
    BRI_ROW_SENSITIVITY,
};

static const br_result_row RESULTS[] = {
    {"t", "s", "times of the samples"},
    {"u", "m", "motion; of models with two axes {x, y}, as are v and F"},
    {"v", "m/s", "velocity when the time is reached"},
    {"F", "N", "friction force"},
    {"states.*", "", "states by their names"},
    {"samples", "1", "number of rows (studies)"},
    {"work", "J", "integral of F du by the trapezoidal rule over the samples (studies)"},
    {"cycle.count", "1", "whole periods of the motion that were followed, where it has a period (studies)"},
    {"cycle.work", "J", "work of the last of them, over all axes (studies)"},
    {"cycle.change", "1", "its change against the period before, relative (studies)"},
    BRI_CYCLES_RESULTS,
    {"start", "", "how the start was found (init: settled)"},
    {"data.*", "", "what was chosen of a record and done to it"},
    BRI_MEASURED_RESULTS,
    {"measured.t", "s", "times of the samples with a measured force"},
    {"measured.u", "m", "motion there"},
    {"measured.F", "N", "measured force"},
    {"measured.model", "N", "force of the model"},
    {"measured.residual", "N", "model - measured"},
    {"work", "J", "measures: done on the element so far, a column"},
    {"stored", "J", "measures: in its states; null where the model has no energy"},
    {"dissipated", "J", "measures: work less what is stored beyond the start"},
    {"trace", "", "t, u, v, F, states; measures: work, stored, dissipated", BR_RESULT_TABLE},
    {"path", "", "the same along a record without time: row, u, v, F, states", BR_RESULT_TABLE},
    {"measured", "", "t, u, F, model, residual", BR_RESULT_TABLE},
    {"measured_path", "", "the same along a record without time", BR_RESULT_TABLE},
    BRI_RESULT_SENSITIVITY,
};

/* What was measured lies below.  Without time the table is called 'path'. */
static const br_picture_line LOOP[] = {{"measured*", "muted", "measured"},
                                       {"trace", "line"},
                                       {"path", "line"}},
                             TIMED[] = {{"measured", "muted", "measured"}, {"trace", "line"}},
                             ROWS[] = {{"measured_path", "muted", "measured"}, {"path", "line"}},
                             RESIDUAL[] = {{"measured*", "line", ""}};
static const br_picture_panel PANELS[] = {
    {"u", "F", "displacement u", "friction force F", NULL, LOOP, 3},
    {"t", "F", "time t", "friction force F", "trace", TIMED, 2},
    {"row", "F", "row of the record", "friction force F", "path", ROWS, 2},
    {"t", "residual", "time t", "model - measured", "measured", RESIDUAL, 1},
    {"row", "residual", "row of the record", "model - measured", "measured_path", RESIDUAL, 1},
};

static const br_example EXAMPLES[] = {
    {"bristle trace --model lugre --input sine:1mm,0.5Hz", "a summary on the screen"},
    {"bristle trace --model dahl --set sigma0=7.5,Fc=0.75 --input triangle:0.4,0.25 --t-end 8 --dt 0.01 "
     "--csv -",
     "a table on standard output"},
    {"bristle trace --model maxwell_slip --set k=1,1.8,2.6,Delta=1.5mm,2.4mm,3.3mm --input "
     "turning:0,5mm,2mm,6mm --json",
     "vectors and units in the list, result as JSON"},
    {"bristle trace --model lugre --set 'g=1 + 0.5*exp(-abs(v/1e-3)),f=0.4*v' --input "
     "'expr:1e-3*sin(2*pi*t)*exp(-t/2)' --t-end 4",
     "level, viscous force and motion as formulas"},
    {NULL, NULL},
};

/* Everything a run owns. */
typedef struct {
  const br_job *job;
  br_sink *out;
  br_trace *trace;
  size_t axes, nstate, ncol;
  size_t nwork; /* columns of work and energy: 3 or none */
  bri_cycles cycles;
  br_column *columns;  /* [ncol] */
  char (*names)[NAME]; /* name and path of each */
  double *row, *start;
  double end; /* s */
  bri_element_stage *stages;
  br_trace_switch *switches;
  size_t nswitch;
  bri_measured measured;
  bri_twin *twin; /* rows have derivatives; NULL: the answer itself */
  double scale;   /* of them */
} question;

static void name(question *q, size_t i, const char *text, const char *path, const char *unit)
{
  (void)snprintf(q->names[2 * i], NAME, "%s", text);
  (void)snprintf(q->names[2 * i + 1], NAME, "%s", path);
  q->columns[i] = (br_column){q->names[2 * i], unit, q->names[2 * i + 1]};
}

/* t; u, v, F per axis; states. */
static void name_columns(question *q)
{
  static const char *const Q[] = {"u", "v", "F"}, *const UNIT[] = {"m", "m/s", "N"},
                           *const AXIS[] = {"x", "y"};
  char text[NAME], path[NAME];
  const int timeless = br_signal_timeless(br_job_input(q->job, 0));
  name(q, 0, timeless ? "row" : "t", "t", timeless ? "1" : "s");
  for (size_t k = 0; k < 3; k++) {
    for (size_t a = 0; a < q->axes && a < BR_TRACE_AXES; a++) {
      (void)snprintf(text, sizeof text, "%s%s", Q[k], q->axes > 1 ? AXIS[a] : "");
      (void)snprintf(path, sizeof path, "%s%s%s", Q[k], q->axes > 1 ? "." : "", q->axes > 1 ? AXIS[a] : "");
      name(q, 1 + k * q->axes + a, text, path, k == 1 && timeless ? "m" : UNIT[k]);
    }
  }
  for (size_t i = 0; i < q->nstate; i++) {
    char state[40] = "";
    const char *unit = "1";
    (void)br_state_name(br_job_model(q->job), br_job_par(q->job), i, sizeof state, state, &unit);
    /* dahl's state is its force: two columns must not have one name */
    (void)snprintf(text, sizeof text, "%s%s", state, strcmp(state, "F") == 0 ? "_state" : "");
    (void)snprintf(path, sizeof path, "states.%s", state);
    name(q, 1 + 3 * q->axes + i, text, path, unit);
  }
  static const char *const ENERGY[] = {"work", "stored", "dissipated"};
  for (size_t i = 0; i < q->nwork; i++) name(q, q->ncol - q->nwork + i, ENERGY[i], ENERGY[i], "J");
}

static void on_turn(void *ctx, double t, double u, double F, double work)
{
  bri_cycles_turn(&((question *)ctx)->cycles, t, u, F, work);
}

/* Between two rows that are far apart. */
static int stopped(void *ctx, double t)
{
  const question *q = ctx;
  if (q->out->progress) q->out->progress(q->out->ctx, q->end > 0 ? t / q->end : 0);
  return bri_stopped(&q->out->stop);
}

static br_status settle(question *q, br_trace_options *o, br_err *err)
{
  char how[120] = "";
  q->start = bri_calloc(o->nz0 + 1, sizeof *q->start);
  if (!q->start) return bri_no_memory(err, "trace");
  const br_status st = bri_trace_settle(q->job, sizeof how, how, q->start, err);
  o->z0 = q->start;
  if (!st) br_put_text(q->out, how, "start");
  return st;
}

/* A bristle that starts at rest is torn along: its damping alone gives a force far beyond what follows. */
static void note_spike(const question *q, double first, double later)
{
  char text[160];
  if (!(fabs(first) > 2 * later) || br_job_settled(q->job)) return;
  (void)snprintf(text, sizeof text,
                 "note: F starts at %.4g N, a spike of the states at zero (later |F| <= %.4g N); %sinit "
                 "settled starts without",
                 first, later, br_job_dash(q->job));
  br_sink_note(q->out, text);
}

static br_status open_measured(question *q, br_err *err)
{
  static const bri_measured_kind FORCE = {"F", "N", "the measured force",           "m",
                                          "J", 1,   BR_TABLE_FILE | BR_TABLE_ARRAYS};
  if (!br_job_given(q->job, "measured")) return BR_OK;
  if (br_job_inputs(q->job) > 1)
    return bri_fail(err, BR_E_UNSUPPORTED, "%smeasured: models with one axis only", br_job_dash(q->job));
  return bri_measured_open(q->job, 0, br_job_text(q->job, "measured"), &FORCE, &q->measured, err);
}

static br_status read_switches(question *q, br_err *err)
{
  const br_status st = bri_job_element_stages(q->job, &q->stages, &q->nswitch, err);
  if (st || !q->nswitch) return st;
  q->switches = bri_calloc(q->nswitch, sizeof *q->switches);
  if (!q->switches) return bri_no_memory(err, "trace");
  for (size_t i = 0; i < q->nswitch; i++)
    q->switches[i] = (br_trace_switch){q->stages[i].t, q->stages[i].par, q->stages[i].load};
  return BR_OK;
}

static br_status prepare(question *q, br_err *err)
{
  const br_job *job = q->job;
  br_trace_options o = br_trace_options_default();
  br_signal *const first = br_job_input(job, 0);
  const br_signal *inputs[BR_TRACE_AXES] = {first, br_job_input(job, 1)};
  q->axes = br_job_inputs(job);
  o.t_end = br_job_number(job, "t-end");
  o.dt = br_job_number(job, "dt");
  o.load = br_job_number(job, "load");
  o.load_signal = br_job_load(job, 0);
  /* a record is stepped as it was recorded; a single column of turning points has a period instead */
  o.own_samples =
      (strncmp(br_job_spec(job, 0), "csv:", 4) == 0 || strncmp(br_job_spec(job, 0), "array:", 6) == 0) &&
      !(br_signal_period(first) > 0);
  o.z0 = br_job_start(job, &o.nz0);
  o.on_step = stopped;
  o.ctx = q;
  o.work = br_job_flag(job, "measures");
  if (o.work) o.on_turn = on_turn;
  q->nwork = o.work ? 3 : 0;
  br_status st = read_switches(q, err);
  o.switches = q->switches, o.nswitch = q->nswitch;
  if (!st) st = open_measured(q, err);
  if (!st && br_job_settled(job)) st = settle(q, &o, err);
  if (!st)
    st = br_trace_create(q->twin ? bri_twin_model(q->twin) : br_job_model(job),
                         q->twin ? bri_twin_par(q->twin) : br_job_par(job), inputs, &o, &q->trace, err);
  if (st) return st;
  q->nstate = br_trace_states(q->trace) / (q->twin ? 2 : 1);
  q->end = br_trace_end(q->trace);
  q->ncol = 1 + 3 * q->axes + q->nstate + q->nwork;
  q->columns = bri_calloc(q->ncol, sizeof *q->columns);
  q->names = bri_calloc(2 * q->ncol, sizeof *q->names);
  q->row = bri_calloc(q->ncol, sizeof *q->row);
  if (!q->columns || !q->names || !q->row) return bri_no_memory(err, "trace");
  name_columns(q);
  return BR_OK;
}

/* s, as a trace takes them on a fast machine; more where a model must be integrated. */
static const double ROW = 2e-7, REVERSAL = 2e-7;

static void note_amount(const question *q)
{
  double turns = 0;
  if (!q->out->amount) return; /* nobody asks: counting reads the whole record */
  for (size_t a = 0; a < q->axes; a++) turns += bri_signal_reversals(br_job_input(q->job, a), q->end);
  br_sink_amount(q->out, (double)br_trace_count(q->trace), "rows", ROW);
  br_sink_amount(q->out, turns, "reversals", REVERSAL);
}

/* Work of whole periods of the motion: at multiples of the period it is read off the sum over the samples. */
typedef struct {
  double period, mark, count, last, before;
} cycles;

/* Its period: that of the axes that move, where they share one. */
static double common_period(const question *q)
{
  double period = 0;
  for (size_t a = 0; a < q->axes; a++) {
    const double p = br_signal_period(br_job_input(q->job, a));
    if (!(p > 0) || (a && p != period)) return 0;
    period = p;
  }
  return period;
}

/* A sample at time t with the work so far; within rounding of a whole period. */
static void note_cycle(cycles *c, double t, double work)
{
  if (!(c->period > 0)) return;
  const double k = round(t / c->period);
  if (k <= c->count || fabs(t - k * c->period) > 1e-9 * c->period * k) return;
  c->before = c->last;
  c->last = (work - c->mark) / (k - c->count); /* on the mean, where samples miss a multiple */
  c->mark = work, c->count = k;
}

static void put_cycles(const question *q, const cycles *c)
{
  const br_value work = {BR_VALUE_ASIDE, c->last, NULL, "J"};
  if (c->count < 1) return;
  br_put(q->out, BR_VALUE_ASIDE, c->count, "cycle.count");
  br_put_value(q->out, &work, "cycle.work");
  if (c->count > 1) br_put(q->out, BR_VALUE_ASIDE, (c->last - c->before) / fabs(c->last), "cycle.change");
}

/* The derivatives of a row: the motion is given and has none. */
static void to_slopes(question *q, const br_trace_row *r)
{
  const br_signal *signal = br_job_load(q->job, 0);
  const double load =
      signal ? fmax(br_signal_value(signal, r->t), q->nstate ? 1e-9 : 0) : br_job_number(q->job, "load");
  double *F = q->row + 1 + 2 * q->axes;
  memset(q->row, 0, q->ncol * sizeof *q->row);
  bri_twin_slope(q->twin, load, r->u, r->v, r->z, F);
  for (size_t i = 0; i < q->nstate; i++) F[q->axes + i] = r->z[q->nstate + i];
  for (size_t i = 0; i < q->axes + q->nstate; i++) F[i] /= q->scale;
}

static br_status walk(question *q, br_err *err)
{
  cycles c = {.period = common_period(q)};
  const size_t axes = q->axes, rows = br_trace_count(q->trace), F = 1 + 2 * axes;
  double work = 0, first = 0, later = 0, stored = 0,
         was[4] = {0}; /* was: displacements and forces of the row before */
  size_t k = 0;
  for (;; k++) {
    const br_trace_row *r = NULL;
    br_status st = k % ASK ? BR_OK : br_sink_alive(q->out, rows ? (double)k / (double)rows : 0, err);
    if (!st) st = br_trace_next(q->trace, &r, err);
    if (st) return st;
    if (!r) break;
    q->row[0] = r->t;
    for (size_t a = 0; a < axes; a++) { /* one or two, some states: shorter than any copying by a call */
      if (k) work += 0.5 * (r->F[a] + was[2 + a]) * (r->u[a] - was[a]);
      was[a] = q->row[1 + a] = r->u[a], was[2 + a] = q->row[F + a] = r->F[a];
      q->row[1 + axes + a] = r->v[a];
    }
    for (size_t i = 0; i < q->nstate; i++) q->row[F + axes + i] = r->z[i];
    if (k == 0) stored = r->stored;
    if (q->nwork) {
      double *last = q->row + q->ncol - q->nwork;
      last[0] = r->work, last[1] = r->stored, last[2] = r->work - (r->stored - stored);
    }
    const double pair[2] = {r->u[0], r->F[0]};
    if (q->measured.record) bri_measured_row(&q->measured, r->t, r->F[0], pair, 1, r->u[0]);
    if (k == 0) first = r->F[0];
    if (k > rows / 2) later = fmax(later, fabs(r->F[0]));
    note_cycle(&c, r->t, work);
    if (q->twin) to_slopes(q, r);
    st = br_put_row(q->out, q->row, err);
    if (st) return st;
  }
  if (k > 10) note_spike(q, first, later);
  const br_trace_stats s = br_trace_statistics(q->trace);
  br_put(q->out, BR_VALUE_ASIDE, (double)k, "samples");
  const br_value v = {BR_VALUE_ASIDE, work, NULL, "J"};
  if (!q->nwork) br_put_value(q->out, &v, "work");
  put_cycles(q, &c);
  const br_value dt = {BR_VALUE_ASIDE, br_trace_dt(q->trace), NULL, "s"};
  br_put_value(q->out, &dt, "dt");
  br_put(q->out, BR_VALUE_ASIDE, (double)s.splits, "splits");
  return BR_OK;
}

static br_status answer(const br_job *job, bri_twin *twin, double scale, br_sink *out, br_err *err)
{
  question q = {.job = job, .out = out, .twin = twin, .scale = scale};
  br_status st = prepare(&q, err);
  if (!st) note_amount(&q);
  const br_table_head head = {br_signal_timeless(br_job_input(job, 0)) ? "path" : "trace",
                              BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_ARRAYS,
                              q.ncol,
                              q.columns,
                              st ? 0 : br_trace_count(q.trace),
                              q.measured.record ? "model" : NULL};
  if (!st) st = br_put_table(out, &head, err);
  if (!q.nstate) br_put(out, BR_VALUE_OBJECT, 0, "states");
  if (!st) st = walk(&q, err);
  if (!st) st = br_put_end(out, err);
  if (!st) st = bri_measured_put(&q.measured, br_signal_timeless(br_job_input(job, 0)), out, err);
  if (!st && q.nwork) st = bri_cycles_put(&q.cycles, out, err);
  br_trace_destroy(q.trace);
  bri_free(q.cycles.list);
  bri_free(q.columns);
  bri_free(q.names);
  bri_free(q.row);
  bri_free(q.start);
  bri_free(q.switches);
  bri_element_stages_free(q.stages, q.nswitch);
  bri_measured_close(&q.measured);
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err) { return answer(job, NULL, 1, out, err); }

static br_status slope(const br_job *job, const br_direction *d, br_sink *out, br_err *err)
{
  bri_twin *twin = NULL;
  if (d->slot == SIZE_MAX || br_job_given(job, "measured") || br_job_settled(job) ||
      br_job_given(job, "switch") || br_job_flag(job, "measures") || bri_signal_is_along(br_job_load(job, 0)))
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "trace: the start, what switches, or what is compared depends on parameters");
  br_status st = bri_twin_create(br_job_model(job), br_job_par(job), d->slot, d->scale, &twin, err);
  if (!st) st = answer(job, twin, d->scale, out, err);
  *d->error = 1e-13; /* tolerance of what is integrated; steps are exact to rounding */
  bri_twin_destroy(twin);
  return st;
}

static const char TEXT[] =
    "Moves the element by u(t) and gives t, u, v, F and the states at each sample. Between the samples of a "
    "record the velocity is held at (u[k+1]-u[k])/h; along an analytic input (sine, chirp, formula, profile, "
    "smooth record) the states are integrated, so that rows do not depend on their spacing. Every reversal "
    "and jump of the input is located. A row holds v and F as they are when its time is reached; the first "
    "row has the velocity of the start.\n\n"
    "JSON: {t, u, v, F, states: {name: [...]}}; models with two axes have u, v and F as {x: [...], y: "
    "[...]}.";

const br_analysis bri_analysis_trace = {
    .name = "trace",
    .summary = "force of a friction element under prescribed motion",
    .method = "exact steps where the model has them, else integration with relative tolerance 1e-13",
    .accuracy = "rounding where steps are exact, else 1e-13 per piece",
    .text = TEXT,
    .needs = BR_NEEDS_MODEL | BR_NEEDS_INPUT | BR_TAKES_INIT | BR_TAKES_TWO_AXES | BR_TAKES_SETTLED |
             BR_TAKES_LOAD,
    .init_doc = "states at the start, zero where not given; 'settled': those of the loop, or of steady "
                "sliding at the first speed",
    .input_doc = "the motion u(t); models with two axes take --input x:SPEC --input y:SPEC",
    .tables = "trace|path",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Friction force"},
    .examples = EXAMPLES,
    .run = run,
    .slope = slope,
};
