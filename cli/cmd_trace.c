/* SPDX-License-Identifier: Apache-2.0
 * cmd_trace.c - bristle trace: force of a friction element under prescribed motion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/report.h"
#include "bristle/trace.h"
#include "amount.h"
#include "cli.h"
#include "columns.h"
#include "json.h"
#include "outputs.h"
#include "setup.h"

enum {
  O_MODEL,
  O_SET,
  O_INPUT,
  O_INIT,
  O_T_END,
  O_DT,
  O_LOAD,
  O_CSV,
  O_HDF5,
  O_PLOT,
  O_JSON,
  O_QUIET,
  OPTIONS
};

static const opt_row options[OPTIONS] = {
    [O_MODEL] = OPT_ROW_MODEL,
    [O_SET] = OPT_ROW_SET,
    [O_INPUT] = {"input", "[NAME:]SPEC", OPT_MANY, NULL,
                 "the motion u(t); models with two axes take --input x:SPEC --input y:SPEC"},
    [O_INIT] = {"init", "NAME=VALUE,...", OPT_LIST, NULL, "states at the start; zero where not given"},
    [O_T_END] = {"t-end", "T", OPT_REAL, "s",
                 "end time; default two periods, or the natural end of the input, or 1 s"},
    [O_DT] = {"dt", "H", OPT_REAL, "s",
              "time between samples; default a thousandth of the period or of the end time, for csv: its own "
              "samples"},
    [O_LOAD] = {"load", "N", OPT_REAL, "1", "normal-load factor, scales the force levels; default 1"},
    [O_CSV] = OPT_ROW_CSV,
    [O_HDF5] = OPT_ROW_HDF5,
    [O_PLOT] = OPT_ROW_PLOT,
    [O_JSON] = OPT_ROW_JSON,
    [O_QUIET] = OPT_ROW_QUIET,
};

static const cli_example examples[] = {
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
  const cli_call *call;
  const br_model *m;
  br_params *params;
  const void *par;
  br_signal *inputs[BR_TRACE_AXES];
  const char *spec[BR_TRACE_AXES];
  double *z0;
  br_trace *trace;
  columns out;
  outputs to;
  size_t nstate;
} job;

static const opt_value *option(const job *b, int k) { return &b->call->values[k]; }
static size_t axes_of(const job *b) { return b->m->axes == 2 ? 2 : 1; }

/* What can be refused before anything is computed. */
static int check_call(const job *b)
{
  const cli_command *c = b->call->command;
  static const int positive[] = {O_T_END, O_DT};
  if (!option(b, O_MODEL)->given) return cli_usage(c, "--model NAME is missing; 'bristle models' lists them");
  if (!option(b, O_INPUT)->given) return cli_usage(c, "--input SPEC is missing, e.g. --input sine:1mm,1Hz");
  for (size_t i = 0; i < 2; i++) {
    const opt_value *v = option(b, positive[i]);
    if (v->given && !(v->real > 0)) {
      return cli_usage(c, "--%s = %s s is out of range: must be > 0", options[positive[i]].name, v->text);
    }
  }
  if (option(b, O_LOAD)->given && !(option(b, O_LOAD)->real >= 0)) {
    return cli_usage(c, "--load = %s is out of range: must be >= 0", option(b, O_LOAD)->text);
  }
  return outputs_check(c, &b->to);
}

static int stopped(void *ctx, double t) { return (void)ctx, (void)t, cli_stop != 0; }

static int prepare(job *b)
{
  static const char *const ONE[] = {"u"}, *const TWO[] = {"x", "y"};
  const cli_command *c = b->call->command;
  br_err err;
  int code = setup_model(c, option(b, O_MODEL)->text, option(b, O_SET)->text, &b->m);
  if (!code) code = setup_params(c, b->m, option(b, O_SET)->text, &b->params);
  if (code) return code;
  b->par = br_params_block(b->params, "model");
  const size_t axes = axes_of(b);
  b->nstate = b->m->nstate(b->par);
  code = setup_inputs(c, option(b, O_INPUT), axes == 1 ? ONE : TWO, axes, b->inputs, b->spec);
  if (code) return code;
  b->z0 = calloc(b->nstate + 1, sizeof *b->z0);
  if (!b->z0) return cli_no_memory(c);
  code = setup_states(c, b->m, b->par, option(b, O_INIT)->text, b->nstate, b->z0);
  if (code) return code;
  br_trace_options o = br_trace_options_default();
  o.t_end = option(b, O_T_END)->real;
  o.dt = option(b, O_DT)->real;
  if (option(b, O_LOAD)->given) o.load = option(b, O_LOAD)->real;
  if (o.load > 0) setup_note_bounds(c, b->m, b->par, o.load, b->z0);
  /* a record is stepped as it was recorded; a single column of turning points has a period instead */
  o.own_samples = strncmp(b->spec[0], "csv:", 4) == 0 && !(br_signal_period(b->inputs[0]) > 0);
  o.z0 = b->z0;
  o.nz0 = b->nstate;
  o.on_step = stopped;
  const br_signal *inputs[BR_TRACE_AXES] = {b->inputs[0], b->inputs[1]};
  return br_trace_create(b->m, b->par, inputs, &o, &b->trace, &err) ? cli_bad_input(c, &err) : CLI_OK;
}

/* t; u, v, F per axis; states. */
static int name_columns(job *b)
{
  const size_t axes = axes_of(b);
  static const char *const NAME[] = {"u", "v", "F"}, *const UNIT[] = {"m", "m/s", "N"},
                           *const AXIS[] = {"x", "y"};
  const int keep = option(b, O_JSON)->given || outputs_keep(&b->to);
  if (!columns_create(&b->out, 1 + 3 * axes + b->nstate, br_trace_count(b->trace), keep)) {
    return cli_no_memory(b->call->command);
  }
  columns_name(&b->out, 0, "t", "", "s");
  for (size_t q = 0; q < 3; q++) {
    for (size_t a = 0; a < axes; a++) {
      columns_name(&b->out, 1 + q * axes + a, NAME[q], axes > 1 ? AXIS[a] : "", UNIT[q]);
    }
  }
  for (size_t i = 0; i < b->nstate; i++) {
    char name[COLUMN_NAME] = "";
    const char *unit = "1";
    (void)br_state_name(b->m, b->par, i, sizeof name, name, &unit);
    /* dahl's state is its force: two columns must not have one name */
    columns_name(&b->out, 1 + 3 * axes + i, name, axes == 1 && strcmp(name, "F") == 0 ? "_state" : "", unit);
  }
  return CLI_OK;
}

/* s, as a trace takes them on a fast machine; more where a model must be integrated. */
static const double ROW = 2e-7, REVERSAL = 2e-7;

static void note_amount(const job *b)
{
  const cli_command *c = b->call->command;
  double turns = 0;
  for (size_t a = 0; a < axes_of(b); a++) turns += amount_reversals(b->inputs[a], br_trace_end(b->trace));
  amount_note(c, (double)br_trace_count(b->trace), "rows", ROW);
  amount_note(c, turns, "reversals", REVERSAL);
}

static int compute(job *b)
{
  const size_t axes = axes_of(b);
  const cli_command *c = b->call->command;
  br_err err;
  note_amount(b);
  for (;;) {
    const br_trace_row *row;
    if (cli_stop) return cli_interrupted(c);
    const br_status st = br_trace_next(b->trace, &row, &err);
    if (st == BR_INTERRUPTED) return cli_interrupted(c);
    if (st) return cli_failed(c, &err);
    if (!row) return CLI_OK;
    double *to = b->out.row;
    *to++ = row->t;
    for (size_t a = 0; a < axes; a++) to[a] = row->u[a];
    for (size_t a = 0; a < axes; a++) to[axes + a] = row->v[a];
    for (size_t a = 0; a < axes; a++) to[2 * axes + a] = row->F[a];
    for (size_t i = 0; i < b->nstate; i++) to[3 * axes + i] = row->z[i];
    if (columns_push(&b->out, &err)) return cli_failed(c, &err);
  }
}

static int draw(const job *b)
{
  const size_t axes = axes_of(b);
  br_err err;
  char title[256];
  const column *t = &b->out.list[0], *u = &b->out.list[1], *F = &b->out.list[1 + 2 * axes];
  br_plot_line over_u[BR_TRACE_AXES], over_t[BR_TRACE_AXES];
  static const char *const AXIS[] = {"x", "y"};
  for (size_t a = 0; a < axes; a++) {
    const char *label = axes > 1 ? AXIS[a] : NULL;
    const br_plot_line x = {u[a].data, F[a].data, b->out.used, label, BR_PLOT_LINE};
    const br_plot_line y = {t->data, F[a].data, b->out.used, label, BR_PLOT_LINE};
    over_u[a] = x;
    over_t[a] = y;
  }
  const br_plot_panel panels[2] = {{NULL, "displacement u", "friction force F", "m", "N", over_u, axes, NULL},
                                   {NULL, "time t", "friction force F", "s", "N", over_t, axes, NULL}};
  (void)snprintf(title, sizeof title, "%s under %.180s", b->m->name, b->spec[0]);
  const br_plot plot = {title, panels, 2};
  return br_plot_write(option(b, O_PLOT)->text, &plot, &err) ? cli_failed(b->call->command, &err) : CLI_OK;
}

static int print_json(const void *of)
{
  const job *b = (const job *)of;
  const size_t axes = axes_of(b);
  static const char *const NAME[] = {"u", "v", "F"}, *const AXIS[] = {"x", "y"};
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_numbers(&j, "t", b->out.list[0].data, b->out.used);
  for (size_t q = 0; q < 3; q++) {
    const column *k = &b->out.list[1 + q * axes];
    if (axes == 1) {
      json_numbers(&j, NAME[q], k->data, b->out.used);
      continue;
    }
    json_object(&j, NAME[q]);
    for (size_t a = 0; a < axes; a++) json_numbers(&j, AXIS[a], k[a].data, b->out.used);
    json_end(&j);
  }
  json_object(&j, "states");
  for (size_t i = 0; i < b->nstate; i++) {
    char name[COLUMN_NAME] = "";
    (void)br_state_name(b->m, b->par, i, sizeof name, name, NULL);
    json_numbers(&j, name, b->out.list[1 + 3 * axes + i].data, b->out.used);
  }
  json_end(&j);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

static void print_summary(const void *of)
{
  const job *b = (const job *)of;
  const size_t axes = axes_of(b);
  const br_trace_stats s = br_trace_statistics(b->trace);
  (void)printf("%s under %s%s%s%s: %zu samples", b->m->name, axes > 1 ? "x:" : "", cli_shown(b->spec[0]),
               axes > 1 ? ", y:" : "", axes > 1 ? cli_shown(b->spec[1]) : "", b->out.used);
  if (br_trace_dt(b->trace) > 0) (void)printf(", dt = %.9g s", br_trace_dt(b->trace));
  (void)printf(", %zu interval(s) split at corners\n", s.splits);
  columns_summary(&b->out);
}

static int work(job *b)
{
  int code = check_call(b);
  if (!code) code = prepare(b);
  if (!code) code = name_columns(b);
  if (!code) code = outputs_open(b->call, &b->to, b->params, &b->out);
  if (!code) code = compute(b);
  if (!code && option(b, O_PLOT)->given) code = draw(b);
  if (!code) code = outputs_close(b->call, &b->out);
  return code ? code : outputs_print(b->call, &b->to, &b->out, print_json, print_summary, b);
}

static int run(const cli_call *call)
{
  job b;
  memset(&b, 0, sizeof b);
  b.call = call;
  b.to = (outputs){option(&b, O_CSV), option(&b, O_HDF5), option(&b, O_PLOT), option(&b, O_JSON),
                   option(&b, O_QUIET)};
  const int code = work(&b);
  columns_release(&b.out);
  br_trace_destroy(b.trace);
  for (size_t a = 0; a < BR_TRACE_AXES; a++) br_signal_destroy(b.inputs[a]);
  br_params_destroy(b.params);
  free(b.z0);
  return code;
}

const cli_command cli_trace = {
    "trace",
    "--model NAME --input SPEC",
    "force of a friction element under prescribed motion",
    "Moves the element by u(t) and gives t, u, v, F and the states at each sample. Between the "
    "samples of a record the velocity is held at (u[k+1]-u[k])/h; along an analytic input (sine, chirp, "
    "formula, "
    "profile, smooth record) the states are integrated, so that rows do not depend on their spacing. Every "
    "reversal and jump of the input is located. A row holds v and F as they are when its time is reached; "
    "the "
    "first row has the velocity of the start.\n\n"
    "JSON: {t, u, v, F, states: {name: [...]}}; models with two axes have u, v and F as {x: [...], y: "
    "[...]}.",
    options,
    OPTIONS,
    0,
    examples,
    1,
    run,
};
