/* SPDX-License-Identifier: Apache-2.0
 * cmd_phase.c - bristle phase: which motions exist, which are stable, where they are born and die. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/text.h"
#include "bristle/unit.h"
#include "cli.h"
#include "json.h"
#include "phase_job.h"

static const opt_row options[PHASE_OPTIONS] = {
    [PHASE_O_SYSTEM] = {"system", "NAME", OPT_TEXT, NULL,
                        "mechanism: driven_block (with plain lugre everything), pulled_block (equilibria, "
                        "Hopf points, branches "
                        "of cycles)"},
    [PHASE_O_MODEL] = OPT_ROW_MODEL,
    [PHASE_O_SET] = OPT_ROW_SET,
    [PHASE_O_VARY] = {"vary", "NAME=A:B", OPT_TEXT, NULL, "parameter to vary, and its range"},
    [PHASE_O_VARY2] = {"vary2", "NAME=A:B", OPT_TEXT, NULL,
                       "second parameter, for --map and two-parameter curves"},
    [PHASE_O_AT] =
        {"at", "NAME=V1,V2,...", OPT_TEXT, NULL,
         "values of the varied parameter at which equilibria and cycles are listed and portraits drawn; "
         "default: the lower end of the range"},
    [PHASE_O_PORTRAIT] = {"portrait", "FILE.svg|png", OPT_PICTURE, NULL,
                          "phase portraits at the values of --at"},
    [PHASE_O_DIAGRAM] =
        {"diagram", "FILE.svg|png", OPT_PICTURE, NULL,
         "equilibria and cycles against the varied parameter; with --vary2 the curves of events in "
         "the plane of both"},
    [PHASE_O_MAP] = {"map", "FILE.svg|png", OPT_PICTURE, NULL,
                     "case map over --vary and --vary2 (neither is sigma1)"},
    [PHASE_O_HOPF] = {"hopf", "FILE.svg|png", OPT_PICTURE, NULL,
                      "Hopf diagram over velocity and force; --vary F=A:B gives the forces"},
    [PHASE_O_STRIBECK] =
        {"stribeck", "FILE.svg|png", OPT_PICTURE, NULL,
         "sliding equilibria over force and velocity for many sigma2; --vary F=A:B gives the forces"},
    [PHASE_O_LAG] =
        {"lag", "V0,A,F", OPT_TEXT, NULL,
         "frictional lag of the model under an imposed velocity V0 + A sin(2 pi F t), m/s and Hz"},
    [PHASE_O_GRID] = {"grid", "N", OPT_REAL, "1", "points per side of --map and --hopf; default 60 and 200"},
    [PHASE_O_THREADS] = {"threads", "N", OPT_REAL, "1", "threads of --map; default as many as processors"},
    [PHASE_O_JSON] = OPT_ROW_JSON,
    [PHASE_O_QUIET] = OPT_ROW_QUIET,
};

#define FIGURE5 "m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6"
static const cli_example examples[] = {
    {"bristle phase --system driven_block --model lugre --set " FIGURE5 " --vary sigma1=0.1:12",
     "two Hopf points, three homoclinic orbits and a fold of cycles"},
    {"bristle phase --system driven_block --model lugre --set " FIGURE5
     " --vary sigma1=0.1:12 --at sigma1=8.25,8.45 --json",
     "equilibria and cycles at two values, for programs"},
    {"bristle phase --system driven_block --model lugre --set " FIGURE5 ",sigma1=8.25 --vary F=5.6:5.8",
     "events along another parameter"},
    {NULL, NULL},
};

const opt_value *phase_option(const phase_job *b, int k) { return &b->call->values[k]; }

/* One number with an optional unit, ended by one of `stop` or the end of the text. */
static int read_number(const phase_job *b, const char *option, const char **s, const char *stop, double *x)
{
  br_unit unit;
  br_err err;
  int has_unit = 0;
  const size_t n = strcspn(*s, stop);
  if (br_quantity_parse(*s, n, x, &unit, &has_unit, &err)) {
    return cli_usage(b->call->command, "--%s: %s", option, err.msg);
  }
  *s += n;
  return CLI_OK;
}

static int read_range(const phase_job *b, int k, phase_range *r)
{
  const char *option = options[k].name, *text = phase_option(b, k)->text, *s = strchr(text, '=');
  const size_t n = s ? (size_t)(s - text) : 0;
  if (!s || n == 0 || n >= sizeof r->name || !strchr(s, ':')) {
    return cli_usage(b->call->command, "--%s %s: expected NAME=A:B, e.g. sigma1=0.1:12", option, text);
  }
  memcpy(r->name, text, n);
  r->name[n] = '\0';
  s++;
  int code = read_number(b, option, &s, ":", &r->a);
  if (code) return code;
  s++;
  code = read_number(b, option, &s, "", &r->b);
  if (code) return code;
  if (!(r->a < r->b)) return cli_usage(b->call->command, "--%s %s: the range must ascend", option, text);
  return CLI_OK;
}

static int read_at(phase_job *b)
{
  const opt_value *v = phase_option(b, PHASE_O_AT);
  const size_t n = strlen(b->vary.name);
  const cli_command *c = b->call->command;
  b->at[0] = b->vary.a;
  b->nat = 1;
  if (!v->given) return CLI_OK;
  if (strncmp(v->text, b->vary.name, n) != 0 || v->text[n] != '=') {
    return cli_usage(c, "--at %s: must name the varied parameter, --at %s=V1,V2", v->text, b->vary.name);
  }
  b->nat = 0;
  for (const char *s = v->text + n; *s;) {
    if (b->nat >= PHASE_MOST_AT) return cli_usage(c, "--at: at most %d values", PHASE_MOST_AT);
    s++;
    const int code = read_number(b, "at", &s, ",", &b->at[b->nat]);
    if (code) return code;
    b->nat++;
  }
  return CLI_OK;
}

static int prepare(phase_job *b)
{
  const cli_command *c = b->call->command;
  static const opt_value none = {0};
  br_err err;
  if (!phase_option(b, PHASE_O_SYSTEM)->given)
    return cli_usage(c, "--system NAME is missing, e.g. driven_block");
  if (!phase_option(b, PHASE_O_MODEL)->given) return cli_usage(c, "--model NAME is missing, e.g. lugre");
  if (!phase_option(b, PHASE_O_VARY)->given)
    return cli_usage(c, "--vary NAME=A:B is missing, e.g. sigma1=0.1:12");
  int code = plant_setup(c, phase_option(b, PHASE_O_SYSTEM), phase_option(b, PHASE_O_MODEL),
                         phase_option(b, PHASE_O_SET), &none, &none, &b->plant);
  if (!code) code = read_range(b, PHASE_O_VARY, &b->vary);
  if (!code && phase_option(b, PHASE_O_VARY2)->given) code = read_range(b, PHASE_O_VARY2, &b->vary2);
  if (!code) code = read_at(b);
  if (!code) code = phase_pictures_check(b);
  if (code) return code;
  b->model = b->plant.mod;
  if (strcmp(b->plant.sys->name, "driven_block") != 0) return phase_general(b);
  b->problem.stop.asked = cli_stop_asked;
  b->problem.model = b->model;
  b->problem.par = br_params_block(b->plant.params, "model");
  b->problem.m = br_params_block(b->plant.params, "system")[0];
  b->problem.F = br_params_block(b->plant.params, "input")[0];
  const br_status st = br_phase_create(&b->problem, b->vary.name, b->vary.a, b->vary.b, &b->phase, &err);
  if (st == BR_E_UNSUPPORTED) return phase_general(b); /* not plain LuGre: no closed forms, but the rest */
  if (st) return cli_bad_input(c, &err);
  b->event = br_phase_events(b->phase, &b->nevent);
  b->name = br_phase_case(b->phase);
  return CLI_OK;
}

/* --lag V0,A,F */
static int measure_lag(phase_job *b)
{
  const opt_value *v = phase_option(b, PHASE_O_LAG);
  double x[3];
  br_err err;
  if (!v->given) return CLI_OK;
  const char *s = v->text;
  for (int i = 0; i < 3; i++) {
    const int code = read_number(b, "lag", &s, ",", &x[i]);
    if (code) return code;
    if ((*s == ',') != (i < 2)) return cli_usage(b->call->command, "--lag %s: expected V0,A,F", v->text);
    if (*s) s++;
  }
  if (br_phase_lag(b->model, br_params_block(b->plant.params, "model"), x[0], x[1], x[2], &b->lag, &err)) {
    return cli_bad_input(b->call->command, &err);
  }
  b->has_lag = 1;
  return CLI_OK;
}

/* ---- results ---- */

/* The Hopf diagram's own points join the events, by ascending value. */
static int add_generalized(phase_job *b)
{
  br_phase_event e[PHASE_MOST_ENDS];
  size_t n = 0;
  br_err err;
  if (!b->phase || !phase_option(b, PHASE_O_HOPF)->given || strcmp(b->vary.name, "F") != 0) return CLI_OK;
  if (br_phase_generalized_hopf(&b->problem, b->vary.a, b->vary.b, PHASE_MOST_ENDS, e, &n, &err))
    return cli_bad_input(b->call->command, &err);
  const size_t had = b->nevent;
  memcpy(b->found, b->event, had * sizeof *b->found); /* room for 128, the analysis has 64 at most */
  b->event = b->found;
  for (size_t i = 0; i < n && i < PHASE_MOST_ENDS; i++) {
    size_t k = b->nevent++;
    for (; k > 0 && b->found[k - 1].value > e[i].value; k--) b->found[k] = b->found[k - 1];
    b->found[k] = e[i];
  }
  return CLI_OK;
}

static int collect(phase_job *b)
{
  br_err err;
  if (!b->phase) return CLI_OK; /* phase_general() did it */
  for (size_t i = 0; i < b->nat; i++) {
    br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
    size_t n = 0;
    if (br_phase_equilibria(b->phase, b->at[i], BR_PHASE_MOST_EQUILIBRIA, e, &n, &err)) {
      return cli_bad_input(b->call->command, &err);
    }
    for (size_t k = 0; k < n && k < BR_PHASE_MOST_EQUILIBRIA; k++) {
      b->eq_at[b->neq] = b->at[i];
      b->eq[b->neq++] = e[k];
    }
    if (br_phase_cycles_searched(b->phase, b->at[i], BR_PHASE_MOST_CYCLES, b->cycle + b->ncycle, &n,
                                 &b->search[i], &err)) {
      return cli_bad_input(b->call->command, &err);
    }
    b->ncycle += n < BR_PHASE_MOST_CYCLES ? n : BR_PHASE_MOST_CYCLES;
  }
  return CLI_OK;
}

static void pairs(json *j, const char *key, const double *re, const double *im, size_t n)
{
  json_array(j, key);
  for (size_t i = 0; i < n; i++) {
    const double x[2] = {re[i], im[i]};
    json_numbers(j, NULL, x, 2);
  }
  json_end(j);
}

static void number_if(json *j, const char *key, double x)
{
  if (!isnan(x)) json_number(j, key, x);
}

/* What only the general way gives: tables of branches, ranges with two stable motions. */
static void print_branches(json *j, const phase_job *b)
{
  static const struct {
    const char *key;
    size_t at;
  } COLUMNS[] = {{"value", offsetof(br_phase_row, value)}, {"period", offsetof(br_phase_row, period)},
                 {"v_min", offsetof(br_phase_row, v_min)}, {"v_max", offsetof(br_phase_row, v_max)},
                 {"z_min", offsetof(br_phase_row, z_min)}, {"z_max", offsetof(br_phase_row, z_max)}};
  json_array(j, "branches");
  for (size_t i = 0; i < b->nbranch; i++) {
    size_t n;
    const br_phase_row *r = br_phase_branch_rows(b->branch[i], &n);
    json_object(j, NULL);
    json_array(j, "ends");
    for (int k = 0; k < 2; k++) json_text(j, NULL, br_phase_end_name(br_phase_branch_end(b->branch[i], k)));
    json_end(j);
    for (size_t c = 0; c < sizeof COLUMNS / sizeof COLUMNS[0]; c++) {
      json_array(j, COLUMNS[c].key);
      for (size_t k = 0; k < n; k++) {
        json_number(j, NULL, *(const double *)(const void *)((const char *)&r[k] + COLUMNS[c].at));
      }
      json_end(j);
    }
    json_array(j, "multipliers");
    for (size_t k = 0; k < n; k++) pairs(j, NULL, r[k].re, r[k].im, r[k].n);
    json_end(j);
    json_array(j, "stable");
    for (size_t k = 0; k < n; k++) json_bool(j, NULL, r[k].stable);
    json_end(j);
    json_end(j);
  }
  json_end(j);
  json_numbers(j, "cycle_from_rest_ends", b->end, b->nend);
  json_array(j, "bistable");
  for (size_t i = 0; i < b->nbistable; i++) json_numbers(j, NULL, b->bistable[i], 2);
  json_end(j);
}

const char *phase_note(const phase_job *b, size_t i)
{
  if (b->phase) return br_phase_note(b->phase, i);
  return i < b->nnote ? b->note[i] : NULL;
}

static int all_searched(const phase_job *b)
{
  int complete = b->phase != NULL;
  for (size_t i = 0; i < b->nat; i++) complete = complete && b->search[i].complete;
  return complete;
}

/* How far cycles were looked for.  Other mechanisms than the driven block: from Hopf points and from what
 * motions settle on, which is never all. */
static void print_searched(json *j, const phase_job *b)
{
  json_object(j, "searched");
  json_bool(j, "complete", all_searched(b));
  json_array(j, "cycles");
  for (size_t i = 0; b->phase && i < b->nat; i++) {
    json_object(j, NULL);
    json_number(j, "at", b->search[i].at);
    json_number(j, "v_max", b->search[i].v_max);
    json_bool(j, "complete", b->search[i].complete);
    json_end(j);
  }
  json_end(j);
  json_array(j, "notes");
  for (size_t i = 0; phase_note(b, i); i++) json_text(j, NULL, phase_note(b, i));
  json_end(j);
  json_end(j);
}

static int print_json(const phase_job *b)
{
  json j;
  const size_t n = b->nevent;
  const br_phase_event *e = b->event;
  json_init(&j);
  json_object(&j, NULL);
  json_array(&j, "equilibria");
  for (size_t i = 0; i < b->neq; i++) {
    const br_equilibrium *q = &b->eq[i];
    json_object(&j, NULL);
    json_text(&j, "kind", q->kind == BR_EQUILIBRIUM_STICK ? "stick" : "slip");
    json_number(&j, "v", q->v);
    json_number(&j, "z", q->z);
    json_text(&j, "type", q->type);
    if (b->phase) pairs(&j, "eigenvalues", q->re, q->im, 2);
    else pairs(&j, "eigenvalues", b->steady[i].re, b->steady[i].im, b->steady[i].n);
    if (q->kind == BR_EQUILIBRIUM_STICK) pairs(&j, "eigenvalues_other_side", q->other_re, q->other_im, 2);
    if (b->phase) {
      json_number(&j, "a0", q->a0);
      json_number(&j, "a1", q->a1);
    }
    json_number(&j, "at", b->eq_at[i]);
    json_end(&j);
  }
  json_end(&j);
  json_array(&j, "events");
  for (size_t i = 0; i < n; i++) {
    json_object(&j, NULL);
    json_text(&j, "type", br_phase_event_name(e[i].type));
    json_number(&j, "value", e[i].value);
    number_if(&j, "value2", e[i].value2);
    number_if(&j, "v", e[i].v);
    number_if(&j, "omega", e[i].omega);
    number_if(&j, "lyapunov", e[i].lyapunov);
    if (e[i].loop[0]) json_text(&j, "loop", e[i].loop);
    number_if(&j, "saddle_quantity", e[i].saddle_quantity);
    number_if(&j, "distance", e[i].distance);
    number_if(&j, "error", e[i].error);
    json_end(&j);
  }
  json_end(&j);
  json_array(&j, "cycles");
  for (size_t i = 0; i < b->ncycle; i++) {
    const br_phase_cycle *y = &b->cycle[i];
    json_object(&j, NULL);
    json_number(&j, "at", y->at);
    json_number(&j, "period", y->period);
    json_number(&j, "v_min", y->v_min);
    json_number(&j, "v_max", y->v_max);
    json_number(&j, "z_min", y->z_min);
    json_number(&j, "z_max", y->z_max);
    json_number(&j, "multiplier", y->multiplier);
    json_bool(&j, "stable", y->stable);
    json_text(&j, "loop", y->loop);
    number_if(&j, "v_mean", y->v_mean);
    number_if(&j, "lag_total", y->lag_total);
    number_if(&j, "lag_elastic", y->lag_elastic);
    json_end(&j);
  }
  json_end(&j);
  if (!b->phase) print_branches(&j, b);
  print_searched(&j, b);
  if (b->has_lag) {
    json_object(&j, "lag");
    json_number(&j, "total", b->lag.total);
    json_number(&j, "elastic", b->lag.elastic);
    json_number(&j, "mean_force", b->lag.mean);
    json_end(&j);
  }
  json_text(&j, "case", b->name);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

static void print_summary(const phase_job *b)
{
  const size_t n = b->nevent;
  const br_phase_event *e = b->event;
  (void)printf("%s along %s from %.9g to %.9g%s%s\n", b->model->name, b->vary.name, b->vary.a, b->vary.b,
               b->name ? ": case " : "", b->name ? b->name : "");
  if (b->has_lag) {
    (void)printf(
        "  lag under imposed velocity: loop of the friction force %.9g W, of its elastic part %.9g W\n",
        b->lag.total, b->lag.elastic);
  }
  for (size_t i = 0; i < b->nend; i++) {
    (void)printf("  the cycle reached from rest ends at %s = %.7g\n", b->vary.name, b->end[i]);
  }
  if (!b->phase && b->neq + b->nbranch + n == 0) {
    (void)printf("  no sliding equilibrium and no cycle found: it comes to rest or runs away\n");
  }
  for (size_t i = 0; i < b->nbistable; i++) {
    (void)printf("  sliding and a cycle are both stable for %s = %.9g to %.9g\n", b->vary.name,
                 b->bistable[i][0], b->bistable[i][1]);
  }
  for (size_t i = 0; i < b->nbranch; i++) {
    size_t rows;
    const br_phase_row *r = br_phase_branch_rows(b->branch[i], &rows);
    (void)printf("  branch of cycles: %zu rows from %.9g (%s) to %.9g (%s)\n", rows, r[0].value,
                 br_phase_end_name(br_phase_branch_end(b->branch[i], 0)), r[rows - 1].value,
                 br_phase_end_name(br_phase_branch_end(b->branch[i], 1)));
  }
  for (size_t i = 0; i < n; i++) {
    (void)printf("  %-16s %s = %.10f", br_phase_event_name(e[i].type), b->vary.name, e[i].value);
    if (!isnan(e[i].v)) (void)printf("  v = %.9g m/s", e[i].v);
    if (!isnan(e[i].lyapunov)) {
      (void)printf("  omega = %.9g 1/s  %s (%.6g)", e[i].omega,
                   e[i].lyapunov > 0 ? "subcritical" : "supercritical", e[i].lyapunov);
    }
    if (!isnan(e[i].saddle_quantity)) (void)printf("  saddle quantity %.9g 1/s", e[i].saddle_quantity);
    if (!isnan(e[i].distance)) (void)printf("  %.4g from its homoclinic orbit", e[i].distance);
    (void)printf("%s%s\n", e[i].loop[0] ? "  " : "", e[i].loop);
  }
  for (size_t i = 0; phase_note(b, i); i++) (void)printf("  note: %s\n", phase_note(b, i));
  for (size_t i = 0; b->phase && i < b->nat; i++) {
    if (b->search[i].complete) continue;
    (void)printf("  note: at %s = %.9g the search for cycles ended early: some may be missing\n",
                 b->vary.name, b->search[i].at);
  }
  for (size_t i = 0; i < b->neq; i++) {
    const br_equilibrium *q = &b->eq[i];
    const size_t values = b->phase ? 2 : b->steady[i].n;
    const double *re = b->phase ? q->re : b->steady[i].re, *im = b->phase ? q->im : b->steady[i].im;
    (void)printf("  at %s = %.9g: %s v = %.12g m/s, z = %.12g m, %s, eigenvalues", b->vary.name, b->eq_at[i],
                 q->kind == BR_EQUILIBRIUM_STICK ? "stick" : "slip ", q->v, q->z, q->type);
    for (size_t k = 0; k < values; k++) (void)printf("%s %.6g%+.6gi", k ? "," : "", re[k], im[k]);
    (void)printf("\n");
  }
  for (size_t i = 0; i < b->ncycle; i++) {
    const br_phase_cycle *y = &b->cycle[i];
    (void)printf("  at %s = %.9g: %s cycle, %s, period %.12g s, v %.9g to %.9g m/s, z %.9g to %.9g m, "
                 "multiplier %.6g\n",
                 b->vary.name, y->at, y->stable ? "stable" : "unstable", y->loop, y->period, y->v_min,
                 y->v_max, y->z_min, y->z_max, y->multiplier);
  }
}

static int work(phase_job *b)
{
  int code = prepare(b);
  if (!code) code = collect(b);
  if (!code) code = add_generalized(b);
  if (!code) code = measure_lag(b);
  if (!code) code = phase_pictures(b);
  if (code) return code;
  if (cli_stop) return cli_interrupted(b->call->command);
  if (phase_option(b, PHASE_O_JSON)->given) return print_json(b);
  if (!phase_option(b, PHASE_O_QUIET)->given) print_summary(b);
  return CLI_OK;
}

static int run(const cli_call *call)
{
  phase_job *b = calloc(1, sizeof *b); /* too large for a small stack */
  if (!b) return cli_no_memory(call->command);
  b->call = call;
  const int code = work(b);
  br_phase_destroy(b->phase);
  for (size_t i = 0; i < b->nbranch; i++) br_phase_branch_destroy(b->branch[i]);
  plant_release(&b->plant);
  free(b);
  return code;
}

const cli_command cli_phase = {
    "phase",
    "--system NAME --model NAME --vary NAME=A:B",
    "equilibria, Hopf points, limit cycles, homoclinic orbits of a mechanism with friction",
    "Says which motions exist, which are stable, at which value of a parameter they are born and die, and "
    "names the "
    "bifurcation case. No starting guesses: equilibria, Hopf points and their Lyapunov coefficients are "
    "closed forms, "
    "cycles and homoclinic orbits roots on sections that the flow crosses in one direction.\n\n"
    "Cases along sigma1: Sup or Sub (super- or subcritical Hopf point), F for each fold of cycles on the "
    "branch that "
    "leaves it, HC where the branch ends in a homoclinic orbit, a second HC where a branch of large cycles "
    "exists "
    "apart from it. With three sliding equilibria the case is that of the slowest.\n\n"
    "JSON: {equilibria: [{kind, v, z, type, eigenvalues, at}], events: [{type, value, v, omega, lyapunov, "
    "loop, "
    "saddle_quantity, error}], cycles: [{at, period, v_min, v_max, z_min, z_max, multiplier, stable}], "
    "searched: {complete, cycles: [{at, v_max, complete}], notes}, case}; "
    "numbers that "
    "an event does not have are left out.",
    options,
    PHASE_OPTIONS,
    0,
    examples,
    0,
    run,
};
