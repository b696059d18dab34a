/* SPDX-License-Identifier: Apache-2.0
 * an_trace.c - analysis 'trace': force under prescribed motion. */
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "bristle/trace.h"

enum { T_END, DT, LOAD, SLOTS, COLUMNS = 64, NAME = 48, ASK = 4096 };

static const br_param OPTIONS[] = {
    BRI_OPT_REAL(T_END, "t-end", "s", 0, 0, 0,
                 "end time; 0: two periods, or the natural end of the input, or 1 s"),
    BRI_OPT_REAL(
        DT, "dt", "s", 0, 0, 0,
        "time between samples; 0: a thousandth of the period or of the end time, for csv: its own samples"),
    BRI_OPT_REAL(LOAD, "load", "1", 1, 0, 0, "normal-load factor, scales the force levels"),
};

/* t; u, v, F per axis; states.  Work is the integral of F du by the trapezoidal rule over the samples. */
static size_t heads(const bri_run *r, size_t axes, char names[COLUMNS][NAME], const char **text,
                    const char **unit)
{
  static const char *const Q[] = {"u", "v", "F"}, *const U[] = {"m", "m/s", "N"};
  size_t n = 0;
  (void)snprintf(names[n], NAME, "t");
  unit[n++] = "s";
  for (size_t q = 0; q < 3; q++) {
    for (size_t a = 0; a < axes; a++) {
      (void)snprintf(names[n], NAME, "%s%s", Q[q], axes < 2 ? "" : a == 0 ? "x" : "y");
      unit[n++] = U[q];
    }
  }
  for (size_t i = 0; i < r->nstate && n < COLUMNS; i++, n++) {
    char name[NAME - 8] = "";
    unit[n] = "1";
    (void)br_state_name(r->m, r->par, i, sizeof name, name, &unit[n]);
    /* dahl's state is its force: two columns must not have one name */
    (void)snprintf(names[n], NAME, "%s%s", name, strcmp(name, "F") == 0 ? "_state" : "");
  }
  for (size_t i = 0; i < n; i++) text[i] = names[i];
  return n;
}

static br_status walk(const bri_run *r, br_trace *trace, bri_sink *out, size_t ncol, br_err *err)
{
  const size_t axes = r->axes, rows = br_trace_count(trace);
  double line[COLUMNS], before[COLUMNS], work = 0;
  size_t k = 0;
  for (;; k++) {
    const br_trace_row *row = NULL;
    br_status st = k % ASK ? BR_OK : bri_sink_alive(out, rows ? (double)k / (double)rows : 0);
    if (!st) st = br_trace_next(trace, &row, err);
    if (st) return st;
    if (!row) break;
    line[0] = row->t;
    memcpy(line + 1, row->u, axes * sizeof *line);
    memcpy(line + 1 + axes, row->v, axes * sizeof *line);
    memcpy(line + 1 + 2 * axes, row->F, axes * sizeof *line);
    memcpy(line + 1 + 3 * axes, row->z, (ncol - 1 - 3 * axes) * sizeof *line);
    for (size_t a = 0; a < axes && k; a++) {
      work += 0.5 * (line[1 + 2 * axes + a] + before[1 + 2 * axes + a]) * (line[1 + a] - before[1 + a]);
    }
    memcpy(before, line, ncol * sizeof *line);
    st = bri_sink_row(out, line, err);
    if (st) return st;
  }
  bri_sink_number(out, "1", (double)k, "samples");
  bri_sink_number(out, "J", work, "work");
  return BR_OK;
}

/* Between two rows that are far apart. */
typedef struct {
  bri_sink *out;
  double end; /* s */
} watch;

static int stopped(void *ctx, double t)
{
  const watch *w = (const watch *)ctx;
  return bri_sink_alive(w->out, w->end > 0 ? t / w->end : 0) != BR_OK;
}

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  const size_t axes = r->axes;
  char names[COLUMNS][NAME];
  const char *text[COLUMNS], *unit[COLUMNS];
  if (1 + 3 * axes + r->nstate > COLUMNS)
    return bri_text_fail(err, BR_E_SIZE, -1, "trace: %s has more than %zu states", r->m->name,
                         (size_t)COLUMNS - 1 - 3 * axes);
  const size_t ncol = heads(r, axes, names, text, unit);
  br_trace_options o = br_trace_options_default();
  o.t_end = r->opt[T_END];
  o.dt = r->opt[DT];
  o.load = r->opt[LOAD];
  o.own_samples = strncmp(r->spec[0], "csv:", 4) == 0 && !(br_signal_period(r->inputs[0]) > 0);
  o.z0 = r->z0;
  o.nz0 = r->nstate;
  o.on_step = stopped;
  watch w = {out, 0};
  o.ctx = &w;
  br_trace *trace = NULL;
  const br_signal *inputs[BR_TRACE_AXES] = {r->inputs[0], r->inputs[1]};
  br_status st = br_trace_create(r->m, r->par, inputs, &o, &trace, err);
  w.end = br_trace_end(trace);
  if (!st) st = bri_sink_table(out, "trace", ncol, text, unit, err);
  if (!st) st = walk(r, trace, out, ncol, err);
  if (!st) st = bri_sink_end(out, err);
  br_trace_destroy(trace);
  return st;
}

const bri_analysis bri_an_trace = {
    {"trace", "force of a friction element under prescribed motion", OPTIONS,
     sizeof OPTIONS / sizeof OPTIONS[0], 1, 0},
    SLOTS,
    BR_TRACE_AXES,
    "trace: {panels: [{x: u, y: F, xlabel: displacement u, ylabel: friction force F}, "
    "{x: t, y: F, xlabel: time t, ylabel: friction force F}]}",
    run,
};
