/* SPDX-License-Identifier: Apache-2.0
 * an_control.c - analysis 'control': a controller on a mechanism with friction, closed loop.
 * Options and quantities have the names and meanings of 'bristle control'. */
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "bristle/control.h"
#include "bristle/text.h"

enum {
  CONTROLLER,
  LAW,
  POLES,
  NPOLES = POLES + 3,
  BRISTLE,
  INTEGRAL,
  ANTIWINDUP,
  T_END,
  OUTPUT_DT,
  SAMPLE,
  DELAY,
  SEED,
  RTOL,
  SLOTS
};
enum { REFERENCE, TRACK, WINDOW, GAINS, MISMATCH, NOISE, LIMIT };
enum { MOST_VALUES = 4096, MOST_GAINS = 32 };

/* "|a|b|c" from the library's own rows; the choices start behind the first mark. */
#define KIND_CHOICE(id, name, poles, model, continuous, doc) "|" name
#define KIND_COUNT(id, name, poles, model, continuous, doc) +1

static const br_param OPTIONS[] = {
    BRI_OPT_CHOICE(CONTROLLER, "controller", &(BR_CONTROL_KINDS(KIND_CHOICE))[1],
                   BR_CONTROL_KINDS(KIND_COUNT) - 1, 0, "the controller"),
    BRI_OPT_CHOICE(LAW, "law", "corrected|published", 1, 0,
                   "of feedback_linearization; published is wrong on purpose"),
    {"poles", "1/s",
     "poles of the error: two, or three with 'integral' and for observer; none: the controller's own", NULL,
     0, NULL, 0, -INFINITY, 0, 0, 1, POLES, 3, NPOLES},
    BRI_OPT_CHOICE(BRISTLE, "bristle", "estimated|true", 1, 0,
                   "bristle state from a copy of the model, or handed in as if it were measured"),
    BRI_OPT_CHOICE(ANTIWINDUP, "antiwindup", "own|conditional|back_calculation", 2, 0,
                   "what the integral does at the limit of u: unwinds while e drives out, or always; own: "
                   "what suits the law"),
    BRI_OPT_CHOICE(INTEGRAL, "integral", "no|yes", 1, 0, "add integral action to a law that places poles"),
    BRI_OPT_REAL(T_END, "t-end", "s", 0, 0, 0, "end time; must be given"),
    BRI_OPT_REAL(OUTPUT_DT, "output-dt", "s", 0, 0, 0,
                 "time between rows of the table; 0: a thousandth of the end time"),
    BRI_OPT_REAL(SAMPLE, "sample", "s", 0, 0, 0, "sampled controller with held output; 0: continuous"),
    BRI_OPT_REAL(DELAY, "delay", "s", 0, 0, 0, "from measurement to actuation; needs 'sample'"),
    BRI_OPT_REAL(SEED, "seed", "1", 1, 0, 0, "of the noise"),
    BRI_OPT_REAL(RTOL, "rtol", "1", 0, 0, 0, "tolerance of the integration; 0: 1e-13, sampled 1e-10"),
    BRI_OPT_TEXT(REFERENCE, "reference",
                 "the signal to follow; a step means e(0) = step with zero derivatives"),
    BRI_OPT_TEXT(TRACK, "track", "tracked state of the mechanism; none: the contact's velocity"),
    BRI_OPT_TEXT(WINDOW, "window", "times of error_rms in s, T1:T2; none: the whole run"),
    BRI_OPT_TEXT(GAINS, "gains", "gains of the controller: NAME=VALUE,..."),
    BRI_OPT_TEXT(
        MISMATCH, "mismatch",
        "factors on the controller's parameters: NAME=FACTOR,...; z: on the bristle state handed in"),
    BRI_OPT_TEXT(NOISE, "noise",
                 "standard deviation on measured states, and on the acceleration as a; needs 'sample'"),
    BRI_OPT_TEXT(LIMIT, "limit", "bound of the control: u=X"),
};

typedef struct {
  const bri_run *r;
  bri_sink *out;
  bri_arena *arena;
  br_params *belief; /* what the controller takes the parameters for */
  br_signal *reference;
  br_control_settings set;
  br_controller controller;
  br_control_case job;
  double noise[BR_CONTROL_MAX_Q];
  size_t tracked;
  br_status stopped;
  br_err *err;
} job;

static br_status no_memory(br_err *err)
{
  return bri_text_fail(err, BR_E_NOMEM, -1, "control: out of memory");
}

static br_status wrong(const char *option, const char *text, const char *expected, br_err *err)
{
  return bri_text_fail(err, BR_E_PARSE, -1, "control: %s '%.60s': expected %s", option, text, expected);
}

static br_param number_row(const char *name, double lo, size_t slot)
{
  const br_param row = {name, "1", "", NULL, 0, NULL, 0, lo, INFINITY, 0, 0, slot, 1, 0};
  return row;
}

static br_param_table number_table(const char *prefix, const char *owner, const br_param *rows, size_t n)
{
  return (br_param_table){.prefix = prefix, .owner = owner, .rows = rows, .nrows = n, .slots = n};
}

/* "NAME=VALUE,..." over n rows into values, those not named stay; grammar and messages of parameter lists. */
static br_status read_pairs(job *b, const char *option, int which, const br_param *rows, size_t n,
                            double *values, br_err *err)
{
  const br_param_table table = {option, option, rows, n, n, 0, NULL, NULL, NULL, NULL};
  br_params *p = NULL;
  if (!b->r->text[which]) return BR_OK;
  br_status st = br_params_create_tables(&table, 1, &p, err);
  if (!st) st = br_params_set_list(p, b->r->text[which], err);
  for (size_t i = 0; i < n && !st; i++) {
    size_t got = 0;
    if (br_params_given(p, rows[i].name)) st = br_params_get(p, rows[i].name, 1, &values[i], &got, err);
  }
  br_params_destroy(p);
  return st;
}

static br_status read_controller(job *b, br_err *err)
{
  const double *o = b->r->opt;
  br_param rows[MOST_GAINS];
  double *to[MOST_GAINS], values[MOST_GAINS], limit = 0;
  const char *name = NULL;
  size_t n = 0;
  if (!br_job_given(b->r->job, "controller"))
    return bri_text_fail(err, BR_E_ARG, -1, "control: 'controller' is missing, e.g. %s", br_control_name(0));
  const br_control_kind kind = (br_control_kind)o[CONTROLLER];
  b->set = br_control_settings_default(kind);
  b->set.law = o[LAW] > 0 ? BR_LAW_PUBLISHED : BR_LAW_CORRECTED;
  b->set.true_bristle = o[BRISTLE] > 0;
  b->set.integral = o[INTEGRAL] > 0;
  if (o[ANTIWINDUP] > 0)
    b->set.antiwindup = o[ANTIWINDUP] > 1 ? BR_ANTIWINDUP_BACK_CALCULATION : BR_ANTIWINDUP_CONDITIONAL;
  if (b->set.integral && !br_control_places_poles(kind))
    return bri_text_fail(err, BR_E_ARG, -1, "control: 'integral': %s has no poles to place; change 'gains'",
                         br_control_name((size_t)kind));
  const size_t npoles = (size_t)o[NPOLES];
  if (npoles == 1)
    return bri_text_fail(err, BR_E_SIZE, -1, "control: 'poles': expected two or three numbers");
  for (size_t i = 0; i < npoles; i++) b->set.poles[i] = o[POLES + i];
  if (npoles == 2 && kind == BR_CONTROL_OBSERVER) b->set.poles[2] = o[POLES + 1];
  for (; n < MOST_GAINS && br_control_gain(&b->set, n, &name, &to[n], NULL, NULL); n++) {
    rows[n] = number_row(name, -INFINITY, n);
    values[n] = *to[n];
  }
  br_status st = read_pairs(b, "gains", GAINS, rows, n, values, err);
  for (size_t i = 0; i < n && !st; i++) *to[i] = values[i];
  if (st || !b->r->text[LIMIT]) return st;
  const br_param row = {"u", "1", "", NULL, 1, NULL, 0, 0, INFINITY, 1, 0, 0, 1, 0};
  st = read_pairs(b, "limit", LIMIT, &row, 1, &limit, err);
  b->set.limit = limit;
  return st;
}

static br_status read_tracked(job *b, br_err *err)
{
  const br_system *s = b->r->sys;
  const char *text = b->r->text[TRACK], *names[BR_CONTROL_MAX_Q];
  const int velocity = br_plant_velocity(b->r->plant, 0);
  size_t n = 0;
  b->tracked = velocity >= 0 ? (size_t)velocity : 0;
  if (!text) return BR_OK;
  for (; n < s->nrows && n < BR_CONTROL_MAX_Q; n++) {
    names[n] = s->states[n].name;
    if (strcmp(names[n], text) == 0) return b->tracked = n, BR_OK;
  }
  const char *near = br_nearest_name(text, names, n);
  return bri_text_fail(err, BR_E_NAME, -1, "control: track: %s has no state '%.40s'%s%s%s", s->name, text,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static br_status read_noise(job *b, br_err *err)
{
  br_param rows[BR_CONTROL_MAX_Q + 1];
  double values[BR_CONTROL_MAX_Q + 1] = {0};
  size_t n = 0;
  if (!b->r->text[NOISE]) return BR_OK;
  for (; n < b->r->sys->nrows && n < BR_CONTROL_MAX_Q; n++)
    rows[n] = number_row(b->r->sys->states[n].name, 0, n);
  rows[n] = number_row("a", 0, n);
  const br_status st = read_pairs(b, "noise", NOISE, rows, n + 1, values, err);
  memcpy(b->noise, values, n * sizeof *values);
  b->job.noise_accel = values[n];
  b->job.noise = b->noise;
  return st;
}

/* The plant's numbers times the factors of 'mismatch', for the controller alone. */
static br_status scale_belief(job *b, const br_params *factors, br_err *err)
{
  char name[96];
  double *values = bri_arena_get(b->arena, MOST_VALUES * sizeof *values), factor = 1;
  if (!values) return no_memory(err);
  for (size_t i = 0; br_params_at(b->belief, i, sizeof name, name); i++) {
    size_t n = 0, one = 0;
    br_status st = br_params_get(b->r->params, name, MOST_VALUES, values, &n, err);
    if (!st) st = br_params_get(factors, name, 1, &factor, &one, err);
    if (!st && n > MOST_VALUES)
      st = bri_text_fail(err, BR_E_SIZE, -1, "control: %s has too many values", name);
    for (size_t k = 0; k < n && !st && br_params_given(factors, name); k++) values[k] *= factor;
    if (!st) st = br_params_set(b->belief, name, values, n, err);
    if (st) return st;
  }
  return br_params_finish(b->belief, err);
}

static br_status read_mismatch(job *b, br_err *err)
{
  const br_system *s = b->r->sys;
  const br_model *m = b->r->m;
  const br_param z = number_row("z", -INFINITY, 0);
  br_param_table own[2], scale[3];
  br_params *factors = NULL;
  size_t n = 0, got = 0;
  br_param *rows = bri_arena_get(b->arena, (m->nparam + s->nparam + 1) * sizeof *rows);
  if (!rows) return no_memory(err);
  for (size_t i = 0; i < m->nparam; i++) rows[i] = number_row(m->params[i].name, -INFINITY, i);
  for (size_t i = 0; i < s->nparam; i++) rows[m->nparam + i] = number_row(s->params[i].name, -INFINITY, i);
  own[0] = br_param_table_of(m);
  scale[n++] = number_table("model", m->name, rows, m->nparam);
  if (s->nparam) {
    own[n] = (br_param_table){.prefix = "system",
                              .owner = s->name,
                              .rows = s->params,
                              .nrows = s->nparam,
                              .slots = s->slots,
                              .defaults = s->defaults,
                              .check = s->check,
                              .prepare = s->prepare};
    scale[n++] = number_table("system", s->name, rows + m->nparam, s->nparam);
  }
  br_status st = br_params_create_tables(own, n, &b->belief, err);
  scale[n++] = number_table("bristle", "mismatch", &z, 1);
  if (!st) st = br_params_create_tables(scale, n, &factors, err);
  if (!st) st = br_params_set_list(factors, b->r->text[MISMATCH], err);
  if (!st && br_params_given(factors, "bristle.z")) {
    if (!b->set.true_bristle)
      st = bri_text_fail(err, BR_E_ARG, -1,
                         "control: mismatch z: only 'bristle: true' hands the bristle state in");
    else st = br_params_get(factors, "bristle.z", 1, &b->job.z_scale, &got, err);
  }
  if (!st) st = scale_belief(b, factors, err);
  br_params_destroy(factors);
  return st;
}

static int on_row(void *ctx, const br_control_row *row)
{
  job *b = ctx;
  const double values[6] = {row->t, row->r, row->y, row->r - row->y, row->u, row->F};
  b->stopped = bri_sink_row(b->out, values, b->err);
  return b->stopped != BR_OK;
}

static int on_step(void *ctx, double t)
{
  job *b = ctx;
  b->stopped = bri_sink_alive(b->out, t / b->job.t_end);
  return b->stopped != BR_OK;
}

static br_status read_case(job *b, br_err *err)
{
  const double *o = b->r->opt;
  const char *window = b->r->text[WINDOW];
  br_control_case *c = &b->job;
  *c = br_control_case_default();
  if (!(o[T_END] > 0)) return bri_text_fail(err, BR_E_ARG, -1, "control: 't-end' is missing");
  if (!b->r->text[REFERENCE]) return bri_text_fail(err, BR_E_ARG, -1, "control: 'reference' is missing");
  if (!(o[SAMPLE] > 0) && (o[DELAY] > 0 || b->r->text[NOISE]))
    return bri_text_fail(err, BR_E_ARG, -1, "control: '%s' belongs to a sampled controller: give 'sample'",
                         o[DELAY] > 0 ? "delay" : "noise");
  if (!(o[SEED] < 9e15 && floor(o[SEED]) == o[SEED]))
    return bri_text_fail(err, BR_E_RANGE, -1, "control: seed = %.9g: expected a whole number >= 0", o[SEED]);
  c->t_end = o[T_END];
  c->sample = o[SAMPLE];
  c->delay = o[DELAY];
  c->rtol = o[RTOL];
  c->seed = (unsigned long long)o[SEED];
  c->output_dt = o[OUTPUT_DT] > 0 ? o[OUTPUT_DT] : c->t_end / 1000;
  if (!(c->t_end / c->output_dt < 1e8))
    return bri_text_fail(err, BR_E_RANGE, -1, "control: output-dt = %g s gives too many rows", c->output_dt);
  if (window && (!bri_range_parse(window, &c->window[0], &c->window[1]) || !(c->window[0] >= 0) ||
                 !(c->window[0] < c->t_end)))
    return wrong("window", window, "T1:T2 with 0 <= T1 < T2 and T1 before 't-end'", err);
  for (size_t i = 0; i < b->r->sys->ninput; i++) {
    if (br_params_given(b->r->params, b->r->sys->inputs[i].name))
      return bri_text_fail(err, BR_E_ARG, -1,
                           "control: input '%s' is what the controller moves: it cannot be set",
                           b->r->sys->inputs[i].name);
  }
  return br_signal_parse(b->r->text[REFERENCE], &b->reference, err);
}

/* Controller and plant into the case to run. */
static br_status join(job *b, br_err *err)
{
  static const double nothing[1] = {0};
  const bri_run *r = b->r;
  const double *own = r->sys->nparam ? br_params_block(b->belief, "system") : nothing;
  double *mpair = bri_arena_get(b->arena, (2 * r->m->slots + 2) * sizeof *mpair);
  if (!mpair) return no_memory(err);
  const br_status st = br_control_init(&b->controller, &b->set, r->sys, own, r->m,
                                       br_params_block(b->belief, "model"), mpair, b->tracked, err);
  if (st) return st;
  b->job.sys = r->sys, b->job.spar = r->spar;
  b->job.mod = r->m, b->job.mpar = r->par;
  b->job.q0 = r->z0;
  b->job.z0 = r->z0 + (r->nstate - b->controller.nz);
  b->job.reference = b->reference;
  b->job.on_row = on_row;
  b->job.on_step = on_step;
  b->job.ctx = b;
  return BR_OK;
}

static void report(job *b, const br_control_result *c)
{
  const char *y = b->r->sys->states[b->tracked].unit, *u = b->r->sys->inputs[0].unit;
  bri_sink_number(b->out, y, c->error_rms, "error_rms");
  bri_sink_number(b->out, y, c->error_max, "error_max");
  bri_sink_number(b->out, y, c->error_end, "error_end");
  if (!isnan(c->settling_time)) bri_sink_number(b->out, "s", c->settling_time, "settling_time");
  bri_sink_number(b->out, u, c->peak_control, "peak_control");
  bri_sink_number(b->out, u, c->rms_control, "rms_control");
  bri_sink_text(b->out, c->hunting ? "yes" : "no", "hunting.found");
  if (c->hunting) {
    bri_sink_number(b->out, y, c->amplitude, "hunting.amplitude");
    bri_sink_number(b->out, "s", c->period, "hunting.period");
  }
}

static br_status work(job *b, br_err *err)
{
  const br_system *s = b->r->sys;
  const char *const names[] = {"t", "r", "y", "e", "u", "F"};
  br_control_result result;
  br_status st = read_case(b, err);
  if (!st) st = read_controller(b, err);
  if (!st) st = read_tracked(b, err);
  if (!st) st = read_noise(b, err);
  if (!st) st = read_mismatch(b, err);
  if (!st) st = join(b, err);
  if (st) return st;
  const char *y = s->states[b->tracked].unit;
  const char *const units[] = {"s", y, y, y, s->inputs[0].unit, s->flags & BR_SYSTEM_ROTARY ? "N m" : "N"};
  st = bri_sink_table(b->out, "control", 6, names, units, err);
  if (!st) st = br_control_run(&b->job, &b->controller, &result, err);
  if (b->stopped) return b->stopped;
  if (!st) st = bri_sink_end(b->out, err);
  if (!st) report(b, &result);
  return st;
}

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  bri_arena *arena = bri_arena_create();
  job *b = arena ? bri_arena_get(arena, sizeof *b) : NULL;
  br_status st = BR_OK;
  if (b) {
    b->r = r;
    b->out = out;
    b->arena = arena;
    b->err = err;
    st = work(b, err);
    br_signal_destroy(b->reference);
    br_params_destroy(b->belief);
  } else {
    st = no_memory(err);
  }
  bri_arena_destroy(arena);
  return st;
}

const bri_analysis bri_an_control = {
    {"control", "a controller on a mechanism with friction, closed loop", OPTIONS,
     sizeof OPTIONS / sizeof OPTIONS[0], 0, 1},
    SLOTS,
    1,
    "control: {panels: ["
    "{x: t, y: y, xlabel: time t, ylabel: output y, lines: ["
    "{}, {y: r, style: dotted, colour: 6, label: ''}]},"
    "{x: t, y: e, xlabel: time t, ylabel: error e = r - y},"
    "{x: t, y: u, xlabel: time t, ylabel: control u},"
    "{x: t, y: F, xlabel: time t, ylabel: friction force F}]}",
    run,
};
