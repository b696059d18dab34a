/* SPDX-License-Identifier: Apache-2.0
 * cmd_control.c - bristle control: a controller on a mechanism with friction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/control.h"
#include "bristle/report.h"
#include "cli.h"
#include "columns.h"
#include "controller.h"
#include "json.h"
#include "pairs.h"
#include "plant.h"

enum {
  O_SYSTEM,
  O_MODEL,
  O_SET,
  O_INIT,
  O_CONTROLLER,
  O_LAW,
  O_POLES,
  O_GAINS,
  O_BRISTLE,
  O_INTEGRAL,
  O_REFERENCE,
  O_TRACK,
  O_T_END,
  O_WINDOW,
  O_MISMATCH,
  O_SAMPLE,
  O_NOISE,
  O_DELAY,
  O_LIMIT,
  O_SEED,
  O_RTOL,
  O_OUTPUT_DT,
  O_CSV,
  O_PLOT,
  O_JSON,
  O_QUIET,
  OPTIONS
};

static const opt_row options[OPTIONS] = {
    [O_SYSTEM] = {"system", "NAME", OPT_TEXT, NULL,
                  "mechanism: pulled_block, driven_block, mass_spring, dc_motor"},
    [O_MODEL] = OPT_ROW_MODEL,
    [O_SET] = OPT_ROW_SET,
    [O_INIT] = {"init", "NAME=VALUE,...", OPT_LIST, NULL, "states at the start; zero where not given"},
    [O_CONTROLLER] = OPT_ROW_CONTROLLER,
    [O_LAW] = OPT_ROW_LAW,
    [O_POLES] = OPT_ROW_POLES,
    [O_GAINS] = OPT_ROW_GAINS,
    [O_BRISTLE] = OPT_ROW_BRISTLE,
    [O_INTEGRAL] = OPT_ROW_INTEGRAL,
    [O_REFERENCE] = {"reference", "SPEC", OPT_TEXT, NULL,
                     "reference; a step means e(0) = step with zero derivatives"},
    [O_TRACK] = OPT_ROW_TRACK,
    [O_T_END] = {"t-end", "T", OPT_REAL, "s", "end time"},
    [O_WINDOW] = {"window", "T1:T2", OPT_TEXT, NULL, "times of error_rms; default the whole run"},
    [O_MISMATCH] =
        {"mismatch", "NAME=FACTOR,...", OPT_LIST, NULL,
         "factors on the controller's parameters; z=FACTOR scales the bristle state of --bristle true"},
    [O_SAMPLE] = {"sample", "H", OPT_REAL, "s", "sampled controller with held output; default continuous"},
    [O_NOISE] = {"noise", "NAME=STD,...", OPT_LIST, NULL,
                 "noise on measured states, and on the acceleration as a; needs --sample"},
    [O_DELAY] = {"delay", "T", OPT_REAL, "s", "from measurement to actuation; needs --sample"},
    [O_LIMIT] = OPT_ROW_LIMIT,
    [O_SEED] = {"seed", "N", OPT_REAL, "1", "of the noise; default 1"},
    [O_RTOL] = {"rtol", "X", OPT_REAL, "1", "tolerance of the integration; default 1e-13, sampled 1e-10"},
    [O_OUTPUT_DT] = {"output-dt", "H", OPT_REAL, "s",
                     "time between rows of tables and pictures; default T/1000"},
    [O_CSV] = OPT_ROW_CSV,
    [O_PLOT] = OPT_ROW_PLOT,
    [O_JSON] = OPT_ROW_JSON,
    [O_QUIET] = OPT_ROW_QUIET,
};

#define PAPER "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
static const cli_example examples[] = {
    {"bristle control --system pulled_block --model lugre --set " PAPER
     " --controller feedback_linearization --poles=-35,-30 --reference step:1 --t-end 1",
     "a block pulled through a spring follows a step of its velocity"},
    {"bristle control --system pulled_block --model lugre --set " PAPER
     " --controller feedback_linearization --law published --reference ramp:0.1 --t-end 200 --json",
     "the published law: the error it leaves on a ramp"},
    {"bristle control --system pulled_block --model lugre --set " PAPER
     " --controller observer --integral --reference sine:1,0.1 --t-end 30 --window 10:30 --sample 1ms "
     "--delay 1ms"
     " --noise v=1e-3 --limit u=50 --mismatch sigma0=1.2,Fc=0.8",
     "a sampled observer with wrong parameters, noise, delay and a limit"},
    {NULL, NULL},
};

typedef struct {
  const cli_call *call;
  plant_job plant, belief; /* the real one, and what the controller believes */
  br_signal *reference;
  br_control_settings set;
  br_controller controller;
  br_control_case run;
  br_control_result result;
  double *mpair, noise[BR_CONTROL_MAX_Q];
  size_t tracked;
  columns out;
  br_err row_err;
} job;

static const opt_value *option(const job *b, int k) { return &b->call->values[k]; }

static int read_controller(job *b)
{
  const controller_options o = {option(b, O_CONTROLLER), option(b, O_LAW),     option(b, O_POLES),
                                option(b, O_GAINS),      option(b, O_BRISTLE), option(b, O_INTEGRAL),
                                option(b, O_LIMIT)};
  return controller_read(b->call->command, &o, &b->set);
}

static int read_noise(job *b)
{
  const br_system *s = b->plant.sys;
  const char *names[BR_CONTROL_MAX_Q + 1], *list = option(b, O_NOISE)->text;
  size_t n = 0;
  pair p;
  int code = CLI_OK;
  for (; n < s->nrows && n < BR_CONTROL_MAX_Q; n++) names[n] = s->states[n].name;
  names[n] = "a";
  while (!code && pairs_next(b->call->command, "noise", &list, names, n + 1, &p, &code)) {
    if (!(p.value >= 0))
      return cli_usage(b->call->command, "--noise: %s = %.9g is out of range: must be >= 0", names[p.index],
                       p.value);
    if (p.index < n) b->noise[p.index] = p.value;
    else b->run.noise_accel = p.value;
  }
  return code;
}

/* The controller's own parameters: the plant's, times the given factors. */
static int read_mismatch(job *b)
{
  const cli_command *c = b->call->command;
  const char *list = option(b, O_MISMATCH)->text;
  pair p;
  br_err err;
  int code = CLI_OK;
  while (!code && pairs_next(c, "mismatch", &list, NULL, 0, &p, &code)) {
    double values[256];
    size_t n = 0;
    if (strcmp(p.name, "z") == 0) {
      if (!b->set.true_bristle)
        return cli_usage(c, "--mismatch z: only --bristle true hands the bristle state in");
      b->run.z_scale = p.value;
      continue;
    }
    br_status st = br_params_get(b->belief.params, p.name, 256, values, &n, &err);
    for (size_t i = 0; i < n && i < 256; i++) values[i] *= p.value;
    if (!st) st = br_params_set(b->belief.params, p.name, values, n, &err);
    if (st) return cli_bad_input(c, &err);
  }
  if (!code && br_params_finish(b->belief.params, &err)) code = cli_bad_input(c, &err);
  return code;
}

static int read_tracked(job *b)
{
  return controller_tracked(b->call->command, option(b, O_TRACK), b->plant.sys,
                            br_plant_velocity(b->plant.plant, 0), &b->tracked);
}

static int read_run(job *b)
{
  const cli_command *c = b->call->command;
  static const int positive[] = {O_T_END, O_SAMPLE, O_RTOL, O_OUTPUT_DT};
  br_err err;
  for (size_t i = 0; i < 4; i++) {
    const opt_value *v = option(b, positive[i]);
    if (v->given && !(v->real > 0))
      return cli_usage(c, "--%s = %s is out of range: must be > 0", options[positive[i]].name, v->text);
  }
  if (!option(b, O_T_END)->given) return cli_usage(c, "--t-end T is missing");
  if (!option(b, O_REFERENCE)->given) return cli_usage(c, "--reference SPEC is missing");
  if (br_signal_parse(option(b, O_REFERENCE)->text, &b->reference, &err)) return cli_bad_input(c, &err);
  const opt_value *delay = option(b, O_DELAY), *seed = option(b, O_SEED), *window = option(b, O_WINDOW);
  if (delay->given && !(delay->real >= 0))
    return cli_usage(c, "--delay = %s is out of range: must be >= 0", delay->text);
  if (!option(b, O_SAMPLE)->given && (delay->given || option(b, O_NOISE)->given))
    return cli_usage(c, "--%s belongs to a sampled controller: give --sample H",
                     delay->given ? "delay" : "noise");
  if (seed->given && !(seed->real >= 0 && seed->real < 9e15 && floor(seed->real) == seed->real))
    return cli_usage(c, "--seed = %s is out of range: must be a whole number >= 0", seed->text);
  b->run = br_control_case_default();
  b->run.t_end = option(b, O_T_END)->real;
  b->run.sample = option(b, O_SAMPLE)->real;
  b->run.delay = delay->real;
  b->run.rtol = option(b, O_RTOL)->real;
  if (seed->given) b->run.seed = (unsigned long long)seed->real;
  if (window->given && (pairs_numbers(window->text, ':', 2, b->run.window) != 2 || !(b->run.window[0] >= 0) ||
                        !(b->run.window[1] > b->run.window[0]) || !(b->run.window[0] < b->run.t_end)))
    return cli_usage(c, "--window %s: expected T1:T2 with 0 <= T1 < T2 and T1 before --t-end", window->text);
  b->run.output_dt = option(b, O_OUTPUT_DT)->given ? option(b, O_OUTPUT_DT)->real : b->run.t_end / 1000;
  if (!(b->run.t_end / b->run.output_dt < 1e8))
    return cli_usage(c, "--output-dt: too many rows up to --t-end");
  if (option(b, O_CSV)->given && strcmp(option(b, O_CSV)->text, "-") == 0 && option(b, O_JSON)->given)
    return cli_usage(c, "--csv - and --json both want standard output");
  if (option(b, O_PLOT)->given && br_plot_check(option(b, O_PLOT)->text, &err))
    return err.code == BR_E_UNSUPPORTED ? cli_failed(c, &err) : cli_bad_input(c, &err);
  return CLI_OK;
}

static int on_row(void *ctx, const br_control_row *r)
{
  job *b = (job *)ctx;
  double *to = b->out.row;
  to[0] = r->t, to[1] = r->r, to[2] = r->y, to[3] = r->r - r->y, to[4] = r->u, to[5] = r->F;
  return columns_push(&b->out, &b->row_err) != BR_OK;
}

static int on_step(void *ctx, double t)
{
  (void)ctx, (void)t;
  return cli_stop;
}

static int open_columns(job *b)
{
  const cli_command *c = b->call->command;
  const opt_value *csv = option(b, O_CSV);
  const br_system *s = b->plant.sys;
  const int to_stdout = csv->given && strcmp(csv->text, "-") == 0;
  const char *unit = s->states[b->tracked].unit;
  br_err err;
  if (!csv->given && !option(b, O_PLOT)->given) return CLI_OK;
  const size_t rows = (size_t)(b->run.t_end / b->run.output_dt) + 3;
  if (!columns_create(&b->out, 6, rows, to_stdout || option(b, O_PLOT)->given)) return cli_no_memory(c);
  columns_name(&b->out, 0, "t", "", "s");
  columns_name(&b->out, 1, "r", "", unit);
  columns_name(&b->out, 2, s->states[b->tracked].name, "", unit);
  columns_name(&b->out, 3, "e", "", unit);
  columns_name(&b->out, 4, "u", "", s->inputs[0].unit);
  columns_name(&b->out, 5, "F", "", s->flags & BR_SYSTEM_ROTARY ? "N m" : "N");
  if (csv->given && !to_stdout && columns_open(&b->out, csv->text, &err)) return cli_failed(c, &err);
  b->run.on_row = on_row;
  return CLI_OK;
}

static const char *note(const job *b)
{
  if (b->set.law != BR_LAW_PUBLISHED) return NULL;
  return "law published: the last simplification of dA/dt multiplies Fc by 1 + delta |v/vs|^delta as well; "
         "the loop then "
         "obeys e'' + (k2 + D) e' + k1 e = D r' with a fake damping D = sigma1 delta |v/vs|^delta Fc / (m "
         "g), which "
         "leaves an error on every moving reference; --law corrected has none";
}

static int print_json(const job *b)
{
  const br_control_result *r = &b->result;
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_number(&j, "error_rms", r->error_rms);
  json_number(&j, "error_max", r->error_max);
  json_number(&j, "error_end", r->error_end);
  json_number(&j, "settling_time", r->settling_time);
  json_number(&j, "peak_control", r->peak_control);
  json_number(&j, "rms_control", r->rms_control);
  json_object(&j, "hunting");
  json_bool(&j, "found", r->hunting);
  json_number(&j, "amplitude", r->amplitude);
  json_number(&j, "period", r->period);
  json_end(&j);
  if (note(b)) json_text(&j, "note", note(b));
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

static void print_summary(const job *b)
{
  const br_control_result *r = &b->result;
  const br_system *s = b->plant.sys;
  const char *unit = s->states[b->tracked].unit;
  (void)printf("%s on %s with %s to t = %.9g s: %zu steps, %zu reversals\n",
               br_control_name((size_t)b->set.kind), s->name, b->plant.mod->name, r->t_stop, r->steps,
               r->reversals);
  (void)printf("  error r - %s  rms %.9g, max %.9g, at the end %.9g %s\n", s->states[b->tracked].name,
               r->error_rms, r->error_max, r->error_end, unit);
  if (!isnan(r->settling_time)) (void)printf("  settling to 2 %% in %.9g s\n", r->settling_time);
  (void)printf("  control %s    peak %.9g, rms %.9g %s\n", s->inputs[0].name, r->peak_control, r->rms_control,
               s->inputs[0].unit);
  if (r->hunting)
    (void)printf("  hunting: amplitude %.9g %s, period %.9g s\n", r->amplitude, unit, r->period);
  if (note(b)) (void)printf("  %s\n", note(b));
}

static int draw(const job *b)
{
  const column *k = b->out.list;
  const br_system *s = b->plant.sys;
  const size_t n = b->out.used;
  const br_plot_line both[2] = {{k[0].data, k[1].data, n, "r", BR_PLOT_LINE},
                                {k[0].data, k[2].data, n, k[2].name, BR_PLOT_LINE}};
  const br_plot_line e = {k[0].data, k[3].data, n, NULL, BR_PLOT_LINE},
                     u = {k[0].data, k[4].data, n, NULL, BR_PLOT_LINE},
                     F = {k[0].data, k[5].data, n, NULL, BR_PLOT_LINE};
  const br_plot_panel panels[4] = {{NULL, "time t", "reference and output", "s", k[2].unit, both, 2, NULL},
                                   {NULL, "time t", "error e", "s", k[3].unit, &e, 1, NULL},
                                   {NULL, "time t", "control u", "s", k[4].unit, &u, 1, NULL},
                                   {NULL, "time t", "friction F", "s", k[5].unit, &F, 1, NULL}};
  char title[128];
  br_err err;
  (void)snprintf(title, sizeof title, "%s on %s with %s", br_control_name((size_t)b->set.kind), s->name,
                 b->plant.mod->name);
  const br_plot plot = {title, panels, 4};
  return br_plot_write(option(b, O_PLOT)->text, &plot, &err) ? cli_failed(b->call->command, &err) : CLI_OK;
}

/* Controller and plant into the case to run. */
static int join(job *b)
{
  static const double nothing[1] = {0};
  const plant_job *p = &b->plant, *q = &b->belief;
  br_err err;
  b->mpair = calloc(2 * p->mod->slots + 2, sizeof *b->mpair);
  if (!b->mpair) return cli_no_memory(b->call->command);
  const double *real = p->sys->nparam ? br_params_block(p->params, "system") : nothing;
  const double *own = p->sys->nparam ? br_params_block(q->params, "system") : nothing;
  if (br_control_init(&b->controller, &b->set, p->sys, own, p->mod, br_params_block(q->params, "model"),
                      b->mpair, b->tracked, &err))
    return cli_bad_input(b->call->command, &err);
  b->run.sys = p->sys, b->run.spar = real;
  b->run.mod = p->mod, b->run.mpar = br_params_block(p->params, "model");
  b->run.q0 = p->x0;
  b->run.z0 = p->x0 + (br_plant_nstate(p->plant) - b->controller.nz);
  b->run.reference = b->reference;
  if (option(b, O_NOISE)->given) b->run.noise = b->noise;
  b->run.on_step = on_step;
  b->run.ctx = b;
  return CLI_OK;
}

static int work(job *b)
{
  const cli_command *c = b->call->command;
  const opt_value none = {0};
  char name[64];
  br_err err;
  int code = read_controller(b);
  if (!code) code = read_run(b);
  if (!code)
    code = plant_setup(c, option(b, O_SYSTEM), option(b, O_MODEL), option(b, O_SET), &none, option(b, O_INIT),
                       &b->plant);
  if (!code)
    code =
        plant_setup(c, option(b, O_SYSTEM), option(b, O_MODEL), option(b, O_SET), &none, &none, &b->belief);
  if (code) return code;
  for (size_t i = 0; i < b->plant.sys->ninput; i++) {
    (void)snprintf(name, sizeof name, "input.%s", b->plant.sys->inputs[i].name);
    if (br_params_given(b->plant.params, name))
      return cli_usage(c, "input '%s' is what the controller moves: it cannot be held by --set",
                       b->plant.sys->inputs[i].name);
  }
  code = read_tracked(b);
  if (!code) code = read_noise(b);
  if (!code) code = read_mismatch(b);
  if (!code) code = join(b);
  if (!code) code = open_columns(b);
  if (code) return code;
  const br_status st = br_control_run(&b->run, &b->controller, &b->result, &err);
  if (cli_stop) return cli_interrupted(c);
  if (st == BR_INTERRUPTED) return cli_failed(c, &b->row_err);
  if (st == BR_E_UNSUPPORTED || st == BR_E_RANGE || st == BR_E_ARG) return cli_bad_input(c, &err);
  if (st) return cli_failed(c, &err);
  if (option(b, O_PLOT)->given) code = draw(b);
  if (code) return code;
  if (columns_close(&b->out, &err)) return cli_failed(c, &err);
  if (option(b, O_CSV)->given && strcmp(option(b, O_CSV)->text, "-") == 0)
    return columns_print(&b->out, &err) ? cli_failed(c, &err) : CLI_OK;
  if (option(b, O_JSON)->given) return print_json(b);
  if (!option(b, O_QUIET)->given) print_summary(b);
  return CLI_OK;
}

static int run(const cli_call *call)
{
  job *b = calloc(1, sizeof *b);
  if (!b) return cli_no_memory(call->command);
  b->call = call;
  const int code = work(b);
  columns_release(&b->out);
  br_signal_destroy(b->reference);
  plant_release(&b->plant);
  plant_release(&b->belief);
  free(b->mpair);
  free(b);
  return code;
}

const cli_command cli_control = {
    "control",
    "--system NAME --model NAME --controller NAME --reference SPEC --t-end T",
    "a controller on a mechanism with friction",
    "Runs the closed loop and measures it. Without --sample the controller is continuous and velocity "
    "reversals are "
    "located; with --sample its output is held between samples. The error is r minus the tracked state. Laws "
    "with a "
    "friction model take it from --model and --set times --mismatch; the plant keeps --set.\n\n"
    "feedback_linearization cancels mechanism and friction and places the poles of the error. --law "
    "published builds the "
    "law as printed in the literature, whose last simplification is wrong and acts as a damping of its "
    "own.\n\n"
    "JSON: {error_rms, error_max, error_end, settling_time, peak_control, rms_control, hunting: {found, "
    "amplitude, "
    "period}}; settling_time is null where the reference does not rest, peak_control includes one-sided "
    "limits; with "
    "--law published also note.",
    options,
    OPTIONS,
    0,
    examples,
    1,
    run,
};
