/* SPDX-License-Identifier: Apache-2.0
 * cmd_loop.c - bristle loop: the steady hysteresis loop, its minor loops and its energy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bristle/report.h"
#include "bristle/text.h"
#include "cli.h"
#include "loop_job.h"
#include "setup.h"

enum {
  O_MODEL,
  O_SET,
  O_INPUT,
  O_FREQUENCY,
  O_WAVEFORM,
  O_SCALES,
  O_FILTER,
  O_PERIODS,
  O_INIT,
  O_LOAD,
  O_SAMPLES,
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
    [O_INPUT] = {"input", "SPEC", OPT_MANY, NULL,
                 "the motion u; only its turning points count unless --waveform or --scales is given"},
    [O_FREQUENCY] =
        {"frequency", "F", OPT_REAL, "Hz",
         "join the turning points at constant speed, F periods a second; default infinitely slow"},
    [O_WAVEFORM] = {"waveform", NULL, OPT_FLAG, NULL,
                    "the input in its own time: its speed at every moment counts"},
    [O_SCALES] = {"scales", "G1,G2,...", OPT_TEXT, NULL,
                  "distance to the quasi-static limit when the input runs G times slower"},
    [O_FILTER] = {"filter", "TAU", OPT_REAL, "s",
                  "first-order filter behind the force (with --waveform, --scales)"},
    [O_PERIODS] = {"periods", "K", OPT_REAL, "1",
                   "follow the transient from the first turning point for K periods"},
    [O_INIT] = {"init", "NAME=VALUE,...", OPT_LIST, NULL,
                "states at the start of that transient; zero where not given"},
    [O_LOAD] = {"load", "N", OPT_REAL, "1", "normal-load factor, scales the force levels; default 1"},
    [O_SAMPLES] = {"samples", "N", OPT_REAL, "1",
                   "points per arc of table and picture (default 100, fewer for long paths); per period with "
                   "--waveform (default 400)"},
    [O_CSV] = OPT_ROW_CSV,
    [O_HDF5] = OPT_ROW_HDF5,
    [O_PLOT] = OPT_ROW_PLOT,
    [O_JSON] = OPT_ROW_JSON,
    [O_QUIET] = OPT_ROW_QUIET,
};

static const cli_example examples[] = {
    {"bristle loop --model lugre --set sigma0=6,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1 --input "
     "bimodal:0,1,0.5,1.5",
     "closed form: corners, minor loop and its gap, energy"},
    {"bristle loop --model bouc_wen --set beta=0.25,gamma=0.75 --input turning:-2,2 --json",
     "fixed point of the period map, as JSON"},
    {"bristle loop --model dahl --set sigma0=1,Fc=1 --input sine:1,1 --filter 1 --scales 20,200,2000",
     "how a filtered loop approaches its limit as the motion slows down"},
    {NULL, NULL},
};

static const opt_value *option(const loop_job *b, int k) { return &b->call->values[k]; }

static int is_count(double x, double most) { return x >= 1 && x <= most && x == floor(x); }

/* ---- what can be refused before anything is computed ---- */

static int check_numbers(const loop_job *b)
{
  const cli_command *c = b->call->command;
  static const int positive[] = {O_FREQUENCY, O_LOAD};
  for (size_t i = 0; i < 2; i++) {
    const opt_value *v = option(b, positive[i]);
    if (v->given && !(v->real > 0))
      return cli_usage(c, "--%s = %s is out of range: must be > 0", options[positive[i]].name, v->text);
  }
  if (option(b, O_FILTER)->given && !(option(b, O_FILTER)->real >= 0))
    return cli_usage(c, "--filter = %s s is out of range: must be >= 0", option(b, O_FILTER)->text);
  if (option(b, O_SAMPLES)->given && !is_count(option(b, O_SAMPLES)->real, 1e6))
    return cli_usage(c, "--samples = %s is out of range: must be a whole number, 1..1000000",
                     option(b, O_SAMPLES)->text);
  if (option(b, O_PERIODS)->given && !is_count(option(b, O_PERIODS)->real, 1000))
    return cli_usage(c, "--periods = %s is out of range: must be a whole number, 1..1000",
                     option(b, O_PERIODS)->text);
  return CLI_OK;
}

static int check_call(const loop_job *b)
{
  const cli_command *c = b->call->command;
  const int wave = option(b, O_WAVEFORM)->given;
  if (!option(b, O_MODEL)->given) return cli_usage(c, "--model NAME is missing; 'bristle models' lists them");
  if (!option(b, O_INPUT)->given)
    return cli_usage(c, "--input SPEC is missing, e.g. --input bimodal:0,1,0.5,1.5");
  if (wave && option(b, O_FREQUENCY)->given)
    return cli_usage(
        c, "--frequency and --waveform exclude each other: one sets the speed, the other takes the input's");
  if (option(b, O_FILTER)->given && !wave && !option(b, O_SCALES)->given)
    return cli_usage(c, "--filter needs the time of the input: add --waveform or --scales");
  if (wave && option(b, O_PERIODS)->given)
    return cli_usage(c, "--periods follows turning points: leave --waveform out");
  if (option(b, O_INIT)->given && !option(b, O_PERIODS)->given)
    return cli_usage(
        c, "--init is the start of a transient: add --periods K (the steady loop does not depend on it)");
  const int code = check_numbers(b);
  return code ? code : outputs_check(c, &b->to);
}

/* "1,10,100" */
static int read_scales(loop_job *b)
{
  const cli_command *c = b->call->command;
  if (!option(b, O_SCALES)->given) return CLI_OK;
  const char *s = option(b, O_SCALES)->text;
  const size_t len = strlen(s);
  b->scales = calloc(len + 1, sizeof *b->scales);
  b->rate = calloc(len + 1, sizeof *b->rate);
  if (!b->scales || !b->rate) return cli_no_memory(c);
  for (size_t at = 0; at < len;) {
    double x = 0;
    const size_t used = br_parse_double(s + at, len - at, &x);
    const char after = s[at + used];
    if (used == 0 || (after && after != ',') || (after == ',' && !s[at + used + 1]))
      return cli_usage(c, "--scales %s: '%.20s' is not a list of numbers", s, s + at);
    if (!(x > 0) || !(x < 1e15))
      return cli_usage(c, "--scales: %.*s is out of range: must be > 0 and < 1e15", (int)used, s + at);
    b->scales[b->nscales++] = x;
    at += used + 1;
  }
  return CLI_OK;
}

/* ---- computation ---- */

static int prepare(loop_job *b)
{
  static const char *const U[] = {"u"};
  const cli_command *c = b->call->command;
  int code = setup_model(c, option(b, O_MODEL)->text, option(b, O_SET)->text, &b->m);
  if (!code) code = setup_params(c, b->m, option(b, O_SET)->text, &b->params);
  if (!code && b->m->axes != 1)
    code = cli_usage(c, "%s has two axes: a loop needs one ('bristle trace' follows both)", b->m->name);
  if (!code) code = setup_inputs(c, option(b, O_INPUT), U, 1, &b->input, &b->spec);
  if (!code) code = read_scales(b);
  if (code) return code;
  b->par = br_params_block(b->params, "model");
  b->set = br_loop_settings_default();
  b->wave_set = br_wave_settings_default();
  b->set.stop.asked = b->wave_set.stop.asked = cli_stop_asked;
  b->set.frequency = option(b, O_FREQUENCY)->real;
  b->wave_set.tau = option(b, O_FILTER)->real;
  if (option(b, O_LOAD)->given) b->set.load = b->wave_set.load = option(b, O_LOAD)->real;
  if (option(b, O_SAMPLES)->given) b->samples = (size_t)option(b, O_SAMPLES)->real;
  if (b->samples) b->wave_set.samples = b->samples < 8 ? 8 : b->samples;
  if (option(b, O_PERIODS)->given) b->periods = (size_t)option(b, O_PERIODS)->real;
  const size_t nstate = b->m->nstate(b->par);
  b->z0 = calloc(nstate + 1, sizeof *b->z0);
  b->distance = calloc(b->periods + 1, sizeof *b->distance);
  if (!b->z0 || !b->distance) return cli_no_memory(c);
  code = setup_states(c, b->m, b->par, option(b, O_INIT)->text, nstate, b->z0);
  if (!code) setup_note_bounds(c, b->m, b->par, b->set.load, b->z0);
  return code;
}

/* What the caller can mend is bad input, the rest a failed computation. */
static int complain(const loop_job *b, const br_err *err)
{
  const int mend = err->code == BR_E_ARG || err->code == BR_E_RANGE || err->code == BR_E_SIZE ||
                   err->code == BR_E_UNSUPPORTED;
  return mend ? cli_bad_input(b->call->command, err) : cli_failed(b->call->command, err);
}

static void take_wave(loop_job *b)
{
  const br_wave_result *r = br_wave_get(b->wave);
  b->sum = (br_loop_summary){.method = BR_LOOP_PERIOD_MAP,
                             .n_turning = r->n_turning,
                             .n_minor = r->n_minor,
                             .path_length = r->path_length,
                             .work = r->work,
                             .dissipation = r->dissipation,
                             .y_min = r->y_min,
                             .y_max = r->y_max,
                             .contraction = r->contraction,
                             .error = r->error,
                             .iterations = r->iterations};
  b->turning = r->turning;
  b->minor = r->minor;
}

static int compute(loop_job *b)
{
  const cli_command *c = b->call->command;
  br_err err;
  const clock_t start = clock();
  if (option(b, O_WAVEFORM)->given) {
    if (br_wave_create(b->m, b->par, b->input, &b->wave_set, &b->wave, &err)) return complain(b, &err);
    take_wave(b);
  } else {
    if (br_loop_of_signal(b->m, b->par, b->input, &b->set, &b->loop, &err)) return complain(b, &err);
    b->sum = *br_loop_get(b->loop);
    b->turning = br_loop_turnings(b->loop);
    b->minor = br_loop_minors(b->loop);
  }
  b->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  for (size_t k = 0; k < b->nscales; k++) {
    if (cli_stop) return cli_interrupted(c);
    if (br_rate_distance(b->m, b->par, b->input, &b->wave_set, 1, &b->scales[k], &b->rate[k], &err))
      return complain(b, &err);
  }
  return b->periods ? loop_transient(b) : CLI_OK;
}

/* Picture and table are complete before they get their names; standard output comes last. */
static int work(loop_job *b)
{
  int code = check_call(b);
  if (!code) code = prepare(b);
  if (!code) code = compute(b);
  if (!code && option(b, O_PLOT)->given) code = loop_draw(b, option(b, O_PLOT)->text);
  if (!code && cli_stop) code = cli_interrupted(b->call->command);
  if (!code && (b->to.csv->given || b->to.hdf5->given)) code = loop_write_tables(b);
  if (code) return code;
  if (!(b->sum.contraction <= 1 + b->sum.contraction_error))
    (void)fprintf(
        stderr,
        "bristle loop: warning: this loop repels: a deviation grows %.4g times a period, no motion settles "
        "on it\n",
        b->sum.contraction);
  if (outputs_to_stdout(&b->to)) return CLI_OK;
  if (option(b, O_JSON)->given) return loop_print_json(b);
  if (!option(b, O_QUIET)->given) loop_print_text(b);
  return CLI_OK;
}

static int run(const cli_call *call)
{
  loop_job b;
  memset(&b, 0, sizeof b);
  b.call = call;
  b.to = (outputs){option(&b, O_CSV), option(&b, O_HDF5), option(&b, O_PLOT), option(&b, O_JSON),
                   option(&b, O_QUIET)};
  const int code = work(&b);
  br_loop_destroy(b.loop);
  br_wave_destroy(b.wave);
  br_signal_destroy(b.input);
  br_params_destroy(b.params);
  free(b.scales);
  free(b.rate);
  free(b.z0);
  free(b.distance);
  return code;
}

const cli_command cli_loop = {
    "loop",
    "--model NAME --input SPEC",
    "steady hysteresis loop, minor loops, energy",
    "Gives the loop a friction element settles on under a periodic motion: the force y at each turning "
    "point, the "
    "minor loops nested in it, work and dissipation. A motion that does not repeat is closed to a cycle. "
    "Dahl with "
    "gamma = 1 and LuGre have a closed form, at a cost of one exponential per reversal; every other model is "
    "solved "
    "for the fixed point of its period map.\n\n"
    "work is the integral of y du, dissipation what is left of it after the change of the stored energy. A "
    "minor loop "
    "starts at a reversal, runs to u_turn and ends where u first comes back to u_start; gap is the "
    "difference of its "
    "two forces. At a turning point y is the value just before the reversal; y_min and y_max are the range "
    "over "
    "the whole loop.\n\n"
    "JSON: {method, path_length, turning: [{u, y, rho}], work, dissipation, minor: [{start_reversal, "
    "u_start, u_turn, "
    "rho_start, rho_end, y_start, y_end, gap, work, dissipation, parent}], error, y_min, y_max, contraction, "
    "attracting, iterations, seconds}, with --scales rate: [{scale, transient, transient_at, steady, "
    "periods}], with "
    "--periods transient: [{period, distance}], with --waveform wave: {t, u, y}.",
    options,
    OPTIONS,
    0,
    examples,
    1,
    run,
};
