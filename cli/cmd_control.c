/* SPDX-License-Identifier: Apache-2.0
 * cmd_control.c - bristle control: a controller on a mechanism with friction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amount.h"
#include "bristle/control.h"
#include "bristle/report.h"
#include "control_job.h"
#include "controller.h"
#include "json.h"
#include "pairs.h"

static const opt_row options[CONTROL_OPTIONS] = {
    [CONTROL_O_SYSTEM] = {"system", "NAME", OPT_TEXT, NULL,
                          "mechanism: pulled_block, driven_block, mass_spring, dc_motor"},
    [CONTROL_O_MODEL] = OPT_ROW_MODEL,
    [CONTROL_O_SET] = OPT_ROW_SET,
    [CONTROL_O_INIT] = {"init", "NAME=VALUE,...", OPT_LIST, NULL,
                        "states at the start; zero where not given"},
    [CONTROL_O_CONTROLLER] = OPT_ROW_CONTROLLER,
    [CONTROL_O_LAW] = OPT_ROW_LAW,
    [CONTROL_O_POLES] = OPT_ROW_POLES,
    [CONTROL_O_GAINS] = OPT_ROW_GAINS,
    [CONTROL_O_BRISTLE] = OPT_ROW_BRISTLE,
    [CONTROL_O_INTEGRAL] = OPT_ROW_INTEGRAL,
    [CONTROL_O_ANTIWINDUP] = OPT_ROW_ANTIWINDUP,
    [CONTROL_O_REFERENCE] = {"reference", "SPEC", OPT_TEXT, NULL,
                             "reference; a step means e(0) = step with zero derivatives"},
    [CONTROL_O_TRACK] = OPT_ROW_TRACK,
    [CONTROL_O_T_END] = {"t-end", "T", OPT_REAL, "s", "end time"},
    [CONTROL_O_WINDOW] = {"window", "T1:T2", OPT_TEXT, NULL, "times of error_rms; default the whole run"},
    [CONTROL_O_MISMATCH] =
        {"mismatch", "NAME=FACTOR,...", OPT_LIST, NULL,
         "factors on the controller's parameters; z=FACTOR scales the bristle state of --bristle true"},
    [CONTROL_O_SAMPLE] = {"sample", "H", OPT_REAL, "s",
                          "sampled controller with held output; default continuous"},
    [CONTROL_O_NOISE] = {"noise", "NAME=STD,...", OPT_LIST, NULL,
                         "noise on measured states, and on the acceleration as a; needs --sample"},
    [CONTROL_O_DELAY] = {"delay", "T", OPT_REAL, "s", "from measurement to actuation; needs --sample"},
    [CONTROL_O_LIMIT] = OPT_ROW_LIMIT,
    [CONTROL_O_SEED] = {"seed", "N", OPT_REAL, "1", "of the noise; default 1"},
    [CONTROL_O_RTOL] = {"rtol", "X", OPT_REAL, "1",
                        "tolerance of the integration; default 1e-13, sampled 1e-10"},
    [CONTROL_O_OUTPUT_DT] = {"output-dt", "H", OPT_REAL, "s",
                             "time between rows of tables and pictures; default T/1000"},
    [CONTROL_O_COMPARE] = {"compare", NULL, OPT_FLAG, NULL,
                           "all controllers over the same scenarios; with --controller also that one"},
    [CONTROL_O_TUNE] =
        {"tune", "GAIN,...", OPT_TEXT, NULL,
         "look for better values of these gains (poles for all poles); 'all': those that count"},
    [CONTROL_O_COST] = {"cost", "W", OPT_REAL, "1",
                        "--tune minimises the rms error plus W times the rms control; default 1e-4"},
    [CONTROL_O_VALIDATE] = {"validate", "SPEC", OPT_TEXT, NULL,
                            "compare the gains before and after --tune on this reference"},
    [CONTROL_O_UNCERTAIN] =
        {"uncertain", "NAME,...", OPT_TEXT, NULL,
         "parameters the controller may have wrong; default: all with a unit that are not 0"},
    [CONTROL_O_PART] = {"part", "X", OPT_REAL, "1", "by this part of their value; default 0.2"},
    [CONTROL_O_SAMPLES] = {"samples", "N", OPT_REAL, "1", "Monte Carlo draws per controller; default 100"},
    [CONTROL_O_MAP] = {"map", "FILE.svg|png", OPT_PICTURE, NULL,
                       "draw where the loop hunts; needs --vary, --vary2"},
    [CONTROL_O_VARY] = {"vary", "NAME=A:B", OPT_TEXT, NULL,
                        "gain, parameter or ratio of two parameters (Fs/Fc) along the map"},
    [CONTROL_O_VARY2] = {"vary2", "NAME=A:B", OPT_TEXT, NULL, "the same upwards"},
    [CONTROL_O_GRID] = {"grid", "N", OPT_REAL, "1", "cells per side of the map; default 16"},
    [CONTROL_O_THREADS] = {"threads", "N", OPT_REAL, "1",
                           "default one per processor; the numbers are the same for any"},
    [CONTROL_O_CSV] = OPT_ROW_CSV,
    [CONTROL_O_HDF5] = OPT_ROW_HDF5,
    [CONTROL_O_PLOT] = OPT_ROW_PLOT,
    [CONTROL_O_JSON] = OPT_ROW_JSON,
    [CONTROL_O_QUIET] = OPT_ROW_QUIET,
};

static const cli_example examples[] = {
    {"bristle control --system pulled_block --model lugre --set " CONTROL_PAPER
     " --controller feedback_linearization --poles=-35,-30 --reference step:1 --t-end 1",
     "a block pulled through a spring follows a step of its velocity"},
    {"bristle control --system pulled_block --model lugre --set " CONTROL_PAPER
     " --controller feedback_linearization --law published --reference ramp:0.1 --t-end 200 --json",
     "the published law: the error it leaves on a ramp"},
    {"bristle control --system pulled_block --model lugre --set " CONTROL_PAPER
     " --controller observer --integral --reference sine:1,0.1 --t-end 30 --window 10:30 --sample 1ms "
     "--delay 1ms"
     " --noise v=1e-3 --limit u=50 --mismatch sigma0=1.2,Fc=0.8",
     "a sampled observer with wrong parameters, noise, delay and a limit"},
    {"bristle control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid"
     " --gains kp=3,ki=4,kd=6,tf=1e-3 --reference step:1 --t-end 100 --rtol 1e-9",
     "integral action against stiction: the hunting cycle"},
    {"bristle control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid"
     " --gains kp=3,ki=4,kd=6,tf=1e-3 --reference step:1 --t-end 50 --map hunting.svg --vary ki=1:10 --vary2 "
     "Fs/Fc=1.2:2 --grid 3",
     "where it hunts, and what an observer changes"},
    {"bristle control --compare --samples 5 --uncertain Fc,m --plot controllers.svg",
     "all controllers over the same scenarios, here with two uncertain parameters"},
    {"bristle control --system pulled_block --model lugre --set " CONTROL_PAPER
     " --controller pi --gains kp=1,ki=1 --tune all --reference step:1 --t-end 5 --sample 1ms --limit u=50 "
     "--part 0"
     " --validate sine:1,0.1",
     "gains by a search, judged on another motion"},
    {NULL, NULL},
};

static const opt_value *option(const control_job *b, int k) { return control_option(b, k); }

static int read_controller(control_job *b)
{
  static const char *const u[] = {"u"};
  const controller_options o = {option(b, CONTROL_O_CONTROLLER), option(b, CONTROL_O_LAW),
                                option(b, CONTROL_O_POLES),      option(b, CONTROL_O_GAINS),
                                option(b, CONTROL_O_BRISTLE),    option(b, CONTROL_O_INTEGRAL),
                                option(b, CONTROL_O_ANTIWINDUP), option(b, CONTROL_O_LIMIT)};
  const char *list = option(b, CONTROL_O_LIMIT)->text;
  pair p;
  int code = CLI_OK;
  b->limit = INFINITY;
  if (option(b, CONTROL_O_CONTROLLER)->given || !option(b, CONTROL_O_COMPARE)->given) {
    code = controller_read(b->call->command, &o, &b->set);
    b->limit = b->set.limit;
    return code;
  }
  while (!code && pairs_next(b->call->command, "limit", &list, u, 1, &p, &code)) {
    b->limit = p.value;
    if (!(p.value > 0))
      code = cli_usage(b->call->command, "--limit: u = %.9g is out of range: must be > 0", p.value);
  }
  return code;
}

static int read_noise(control_job *b)
{
  const br_system *s = b->plant.sys;
  const char *names[BR_CONTROL_MAX_Q + 1], *list = option(b, CONTROL_O_NOISE)->text;
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
static int read_mismatch(control_job *b)
{
  const cli_command *c = b->call->command;
  const char *list = option(b, CONTROL_O_MISMATCH)->text;
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

static int read_tracked(control_job *b)
{
  return controller_tracked(b->call->command, option(b, CONTROL_O_TRACK), b->plant.sys,
                            br_plant_velocity(b->plant.plant, 0), &b->tracked);
}

static int read_run(control_job *b)
{
  const cli_command *c = b->call->command;
  static const int positive[] = {CONTROL_O_T_END, CONTROL_O_SAMPLE, CONTROL_O_RTOL, CONTROL_O_OUTPUT_DT};
  br_err err;
  for (size_t i = 0; i < 4; i++) {
    const opt_value *v = option(b, positive[i]);
    if (v->given && !(v->real > 0))
      return cli_usage(c, "--%s = %s is out of range: must be > 0", options[positive[i]].name, v->text);
  }
  if (!option(b, CONTROL_O_T_END)->given) return cli_usage(c, "--t-end T is missing");
  if (!option(b, CONTROL_O_REFERENCE)->given) return cli_usage(c, "--reference SPEC is missing");
  if (br_signal_parse(option(b, CONTROL_O_REFERENCE)->text, &b->reference, &err))
    return cli_bad_input(c, &err);
  const opt_value *delay = option(b, CONTROL_O_DELAY), *seed = option(b, CONTROL_O_SEED),
                  *window = option(b, CONTROL_O_WINDOW);
  if (delay->given && !(delay->real >= 0))
    return cli_usage(c, "--delay = %s is out of range: must be >= 0", delay->text);
  if (!option(b, CONTROL_O_SAMPLE)->given && (delay->given || option(b, CONTROL_O_NOISE)->given))
    return cli_usage(c, "--%s belongs to a sampled controller: give --sample H",
                     delay->given ? "delay" : "noise");
  if (seed->given && !(seed->real >= 0 && seed->real < 9e15 && floor(seed->real) == seed->real))
    return cli_usage(c, "--seed = %s is out of range: must be a whole number >= 0", seed->text);
  b->run = br_control_case_default();
  b->run.t_end = option(b, CONTROL_O_T_END)->real;
  b->run.sample = option(b, CONTROL_O_SAMPLE)->real;
  b->run.delay = delay->real;
  b->run.rtol = option(b, CONTROL_O_RTOL)->real;
  if (seed->given) b->run.seed = (unsigned long long)seed->real;
  if (window->given && (pairs_numbers(window->text, ':', 2, b->run.window) != 2 || !(b->run.window[0] >= 0) ||
                        !(b->run.window[1] > b->run.window[0]) || !(b->run.window[0] < b->run.t_end)))
    return cli_usage(c, "--window %s: expected T1:T2 with 0 <= T1 < T2 and T1 before --t-end", window->text);
  b->run.output_dt =
      option(b, CONTROL_O_OUTPUT_DT)->given ? option(b, CONTROL_O_OUTPUT_DT)->real : b->run.t_end / 1000;
  if (!(b->run.t_end / b->run.output_dt < 1e8))
    return cli_usage(c, "--output-dt: too many rows up to --t-end");
  return outputs_check(c, &b->to);
}

static int on_row(void *ctx, const br_control_row *r)
{
  control_job *b = (control_job *)ctx;
  double *to = b->out.row;
  to[0] = r->t, to[1] = r->r, to[2] = r->y, to[3] = r->r - r->y, to[4] = r->u, to[5] = r->F;
  return columns_push(&b->out, &b->row_err) != BR_OK;
}

static int on_step(void *ctx, double t)
{
  (void)ctx, (void)t;
  return cli_stop;
}

static int open_columns(control_job *b)
{
  const cli_command *c = b->call->command;
  const br_system *s = b->plant.sys;
  const char *unit = s->states[b->tracked].unit;
  if (!outputs_any_rows(&b->to)) return CLI_OK;
  const size_t rows = (size_t)(b->run.t_end / b->run.output_dt) + 3;
  if (!columns_create(&b->out, 6, rows, outputs_keep(&b->to))) return cli_no_memory(c);
  columns_name(&b->out, 0, "t", "", "s");
  columns_name(&b->out, 1, "r", "", unit);
  columns_name(&b->out, 2, s->states[b->tracked].name, "", unit);
  columns_name(&b->out, 3, "e", "", unit);
  columns_name(&b->out, 4, "u", "", s->inputs[0].unit);
  columns_name(&b->out, 5, "F", "", s->flags & BR_SYSTEM_ROTARY ? "N m" : "N");
  b->run.on_row = on_row;
  return outputs_open(b->call, &b->to, b->plant.params, &b->out);
}

static double parameter(const control_job *b, const char *name)
{
  double x = NAN;
  size_t n = 0;
  return br_params_get(b->belief.params, name, 1, &x, &n, NULL) || n != 1 ? NAN : x;
}

/* Why the published law errs, with the size of it: far beyond vs the level g is Fc. */
static const char *note(const control_job *b, char *text, size_t room)
{
  if (b->set.law != BR_LAW_PUBLISHED) return NULL;
  const double delta = parameter(b, "delta"), vs = parameter(b, "vs");
  char power[32] = "";
  if (delta != 1) (void)snprintf(power, sizeof power, "^%g", delta);
  (void)snprintf(
      text, room,
      "law published: the last simplification of dA/dt is wrong, it multiplies Fc by 1 + delta "
      "|v/vs|^delta as well; the loop then obeys e'' + (k2 + D) e' + k1 e = D r' with a fake damping D = "
      "sigma1 delta |v/vs|^delta Fc / (m g), about %.4g |v|%s, which leaves an error on every moving "
      "reference; --law corrected has none",
      parameter(b, "sigma1") * delta / (parameter(b, "m") * pow(vs, delta)), power);
  return text;
}

static int print_json(const void *job)
{
  const control_job *b = (const control_job *)job;
  static const char *const verdicts[] = {"not asked", "found", "excluded", "undecided", "grows"};
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
  json_text(&j, "verdict", verdicts[r->verdict]);
  json_number(&j, "residual", r->residual);
  json_number(&j, "multiplier", r->multiplier);
  json_number(&j, "decay", r->decay);
  json_end(&j);
  char why[512];
  if (note(b, why, sizeof why)) json_text(&j, "note", why);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

static void print_summary(const void *job)
{
  const control_job *b = (const control_job *)job;
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
  if (r->hunting && !isnan(r->residual))
    (void)printf("  fixed point of the return map to %.2g, largest multiplier %.3g: it %s\n", r->residual,
                 r->multiplier, r->multiplier < 1 ? "attracts" : "repels");
  if (r->verdict == BR_HUNTING_EXCLUDED && isnan(r->decay)) (void)printf("  no hunting: all motion ends\n");
  if (r->verdict == BR_HUNTING_EXCLUDED && !isnan(r->decay))
    (void)printf("  no hunting: the largest error falls by a factor %.3g per doubling of time\n", r->decay);
  if (r->verdict == BR_HUNTING_GROWS)
    (void)printf("  unstable: behind the end the error grows without bound\n");
  if (r->verdict == BR_HUNTING_UNDECIDED)
    (void)printf("  hunting undecided: neither a cycle nor a falling error\n");
  char why[512];
  if (note(b, why, sizeof why)) (void)printf("  %s\n", why);
}

static int draw(const control_job *b)
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
  return br_plot_write(option(b, CONTROL_O_PLOT)->text, &plot, &err) ? cli_failed(b->call->command, &err)
                                                                     : CLI_OK;
}

/* Controller and plant into the case to run. */
static int join(control_job *b)
{
  static const double nothing[1] = {0};
  const plant_job *p = &b->plant, *q = &b->belief;
  br_err err;
  b->mpair = calloc(2 * p->mod->slots + 2, sizeof *b->mpair);
  if (!b->mpair) return cli_no_memory(b->call->command);
  const double *real = p->sys->nparam ? br_params_block(p->params, "system") : nothing;
  const double *own = p->sys->nparam ? br_params_block(q->params, "system") : nothing;
  if (b->set.size && br_control_init(&b->controller, &b->set, p->sys, own, p->mod,
                                     br_params_block(q->params, "model"), b->mpair, b->tracked, &err))
    return cli_bad_input(b->call->command, &err);
  b->run.sys = p->sys, b->run.spar = real;
  b->run.mod = p->mod, b->run.mpar = br_params_block(p->params, "model");
  b->run.q0 = p->x0;
  b->run.z0 = p->x0 + (br_plant_nstate(p->plant) - p->mod->nstate(b->run.mpar) - p->mod->nmode(b->run.mpar));
  b->run.reference = b->reference;
  if (option(b, CONTROL_O_NOISE)->given) b->run.noise = b->noise;
  b->run.on_step = on_step;
  b->run.ctx = b;
  return CLI_OK;
}

/* The studies exclude each other, and each has options of its own. */
static int modes(const control_job *b)
{
  static const struct {
    int option, mode, other; /* other: a second mode that takes it; -1: none */
  } rows[] = {{CONTROL_O_COST, CONTROL_O_TUNE, -1},
              {CONTROL_O_VALIDATE, CONTROL_O_TUNE, -1},
              {CONTROL_O_UNCERTAIN, CONTROL_O_COMPARE, CONTROL_O_TUNE},
              {CONTROL_O_PART, CONTROL_O_COMPARE, CONTROL_O_TUNE},
              {CONTROL_O_SAMPLES, CONTROL_O_COMPARE, -1},
              {CONTROL_O_VARY, CONTROL_O_MAP, -1},
              {CONTROL_O_VARY2, CONTROL_O_MAP, -1},
              {CONTROL_O_GRID, CONTROL_O_MAP, -1}};
  const cli_command *c = b->call->command;
  const int n = option(b, CONTROL_O_COMPARE)->given + option(b, CONTROL_O_TUNE)->given +
                option(b, CONTROL_O_MAP)->given;
  if (n > 1) return cli_usage(c, "--compare, --tune and --map are studies of their own: give one of them");
  if (n && option(b, CONTROL_O_HDF5)->given) return cli_usage(c, "--hdf5 takes the rows of a single run");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (option(b, rows[i].option)->given && !option(b, rows[i].mode)->given &&
        !(rows[i].other >= 0 && option(b, rows[i].other)->given))
      return cli_usage(c, "--%s belongs to --%s", options[rows[i].option].name, options[rows[i].mode].name);
  return CLI_OK;
}

static int work(control_job *b)
{
  const cli_command *c = b->call->command;
  const opt_value none = {0};
  char name[64];
  br_err err;
  if (option(b, CONTROL_O_COMPARE)->given) control_compare_defaults(b);
  int code = modes(b);
  if (!code) code = read_controller(b);
  if (!code) code = read_run(b);
  if (!code)
    code = plant_setup(c, option(b, CONTROL_O_SYSTEM), option(b, CONTROL_O_MODEL), option(b, CONTROL_O_SET),
                       &none, option(b, CONTROL_O_INIT), &b->plant);
  if (!code)
    code = plant_setup(c, option(b, CONTROL_O_SYSTEM), option(b, CONTROL_O_MODEL), option(b, CONTROL_O_SET),
                       &none, &none, &b->belief);
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
  if (code) return code;
  if (option(b, CONTROL_O_COMPARE)->given) return control_compare(b);
  if (option(b, CONTROL_O_TUNE)->given) return control_tune(b);
  if (option(b, CONTROL_O_MAP)->given) return control_map(b);
  code = open_columns(b);
  if (code) return code;
  if (option(b, CONTROL_O_SAMPLE)->given)
    amount_note(c, b->run.t_end / option(b, CONTROL_O_SAMPLE)->real, "samples", 1e-6);
  const br_status st = br_control_run(&b->run, &b->controller, &b->result, &err);
  if (cli_stop) return cli_interrupted(c);
  if (st == BR_INTERRUPTED) return cli_failed(c, &b->row_err);
  if (st == BR_E_UNSUPPORTED || st == BR_E_RANGE || st == BR_E_ARG) return cli_bad_input(c, &err);
  if (st) return cli_failed(c, &err);
  if (option(b, CONTROL_O_PLOT)->given) code = draw(b);
  if (!code) code = outputs_close(b->call, &b->out);
  return code ? code : outputs_print(b->call, &b->to, &b->out, print_json, print_summary, b);
}

static int run(const cli_call *call)
{
  control_job *b = calloc(1, sizeof *b);
  if (!b) return cli_no_memory(call->command);
  b->call = call;
  b->to = (outputs){option(b, CONTROL_O_CSV), option(b, CONTROL_O_HDF5), option(b, CONTROL_O_PLOT),
                    option(b, CONTROL_O_JSON), option(b, CONTROL_O_QUIET)};
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
    "A continuous loop whose reference rests over the second half of the run is continued until it is known "
    "whether it "
    "hunts: a cycle found is a fixed point of the return map, by Newton; it is excluded where the error "
    "keeps falling or "
    "all motion ends.\n\n"
    "--compare runs all controllers over: nominal; every corner of --uncertain parameters wrong by --part; "
    "combined, "
    "with the friction parameters wrong together, --noise, --limit and --delay (one sample); the same in "
    "every corner of "
    "the friction parameters; and --samples random draws of all parameters. What is not given is the sine of "
    "1 m/s and "
    "0.1 Hz on the block of document 1, sampled at 1 kHz.\n\n"
    "--tune minimises the mean of rms e + W rms u over the nominal case and wrong parameters, by a "
    "Nelder-Mead search in "
    "the logarithms of the gains, within a factor of 100; --part 0 leaves the nominal case alone.\n\n"
    "--map: in each cell a run and its verdict; beside pi, pid and cascade_pi the same for an observer with "
    "integral "
    "action, whose poles are those of kp and kd without friction unless --poles are given.\n\n"
    "JSON: {error_rms, error_max, error_end, settling_time, peak_control, rms_control, hunting: {found, "
    "amplitude, "
    "period, verdict, residual, multiplier, decay}}; settling_time is null where the reference does not "
    "rest, "
    "peak_control includes one-sided limits; with --law published also note. --compare: {controllers: "
    "[{name, nominal, "
    "worst, worst_runs_away, combined, hardest, median, p95, lost, ...}]}; --tune: {cost_before, cost_after, "
    "evaluations, converged, gains, validation}; --map: counts of verdicts.",
    options,
    CONTROL_OPTIONS,
    0,
    examples,
    1,
    run,
};
