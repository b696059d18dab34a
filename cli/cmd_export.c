/* SPDX-License-Identifier: Apache-2.0
 * cmd_export.c - bristle export: take a controller away as C. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows.h"
#include "ask.h"
#include "bristle/fmu.h"
#include "bristle/mechanism.h"
#include "control/analysis.h"
#include "json.h"
#include "text/buf.h"
#include "text/path.h"

enum {
  O_SYSTEM,
  O_MODEL,
  O_PRESET,
  O_SET,
  O_CONTROLLER, /* here begin the options of a controller, which the analysis 'control' has */
  O_POLES = O_CONTROLLER + 2,
  O_SAMPLE = O_CONTROLLER + BRI_CONTROLLER_OPTIONS,
  O_PRECISION,
  O_FMI, /* here begin those of an FMU */
  O_KIND,
  O_NAME,
  O_OUTPUT,
  O_QUIET,
  OPTIONS
};

static opt_row options[OPTIONS] = {
    [O_SYSTEM] = {"system", "NAME", OPT_TEXT, "mechanism: mass_spring, or a file of one's own, belt.yaml"},
    [O_MODEL] = {OPT_ROW_MODEL},
    [O_PRESET] = {OPT_ROW_PRESET},
    [O_SET] = {OPT_ROW_SET},
    [O_PRECISION] = {"precision", "f64|f32", OPT_TEXT, "number type; default f64"},
    [O_FMI] = {"fmi", "2|3", OPT_TEXT, "of an FMU: version of the standard; default 3"},
    [O_KIND] = {"kind", "me,cs", OPT_TEXT, "of an FMU: model exchange, co-simulation; default both"},
    [O_NAME] = {"name", "NAME", OPT_TEXT,
                "what the names in the header start with; default that of the file"},
    [O_OUTPUT] = {"output", "FILE.h", OPT_FILE, "write the header there; default standard output"},
    [O_QUIET] = {OPT_ROW_QUIET},
};

#define PAPER "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
static const cli_example examples[] = {
    {"bristle export c --system pulled_block --model lugre --set " PAPER
     " --controller observer --integral --limit u=50 --sample 1ms --output axis.h",
     "an observer with integral action, to be compiled into firmware"},
    {"bristle export c --system mass_spring --model lugre --track x --controller pid --gains kp=30,ki=40,kd=6"
     " --precision f32 --name servo --output servo.h",
     "a plain PID in single precision"},
    {"bristle export c --model lugre --set sigma0=2.4e4,Fc=0.8,Fs=1.1 --precision f32 --output joint.h",
     "a friction element alone: joint_step() gives its force"},
    {"bristle export fmu --model lugre --set sigma0=2.4e4,Fc=0.8,Fs=1.1 --output joint.fmu",
     "the same element for simulators that take FMUs"},
    {"bristle export fmu --system mass_spring --model dahl --set m=2 --fmi 2 --output slide.fmu",
     "a mechanism, for tools of FMI 2.0"},
    {"bristle export fmu --system mechanisms/belt_oscillator.yaml --output belt.fmu",
     "a mechanism of one's own"},
    {"bristle export fmu --preset canudas1995_stickslip --output stickslip.fmu", "a published one"},
    {NULL, NULL},
};

typedef struct {
  const cli_call *call;
  br_job *what; /* model and parameters; with a controller also mechanism and settings */
  br_control_settings set;
  br_controller controller;
  br_control_export_options out;
  double *mpair;
  size_t tracked;
  char name[64];
  bri_buf about, text;
} job;

static const opt_value *option(const job *b, int k) { return &b->call->values[k]; }

/* What was typed, so that the header can be made again. */
static void describe(job *b)
{
  bri_buf_text(&b->about, "bristle export c");
  for (int k = 0; k < OPTIONS; k++) {
    if (!option(b, k)->given || k == O_OUTPUT || k == O_QUIET) continue;
    bri_buf_printf(&b->about, "%s--%s", k % 4 == 3 ? "\n  " : " ", options[k].name);
    if (options[k].arg) bri_buf_printf(&b->about, "%s%s", k == O_POLES ? "=" : " ", option(b, k)->text);
  }
  b->out.about = b->about.text;
}

/* The file's own name as an identifier. */
static void name_from(const char *path, size_t room, char *name)
{
  const char *base = strrchr(path, '/');
  size_t n = 0;
  base = base ? base + 1 : path;
  if (isdigit((unsigned char)*base)) name[n++] = 'c';
  for (; *base && *base != '.' && n + 1 < room && n < 40; base++)
    name[n++] = (char)(isalnum((unsigned char)*base) ? *base : '_');
  name[n] = '\0';
}

/* An option of its own, read as those of analyses are. */
static const br_option SAMPLE[] = {
    BRI_ABOVE_0("sample", "H", "s", "time between calls, for the self-test; default 1 ms")};
static const br_analysis ALONE = {.name = "export", .options = SAMPLE, .noptions = 1};

static int read_sample(const job *b, double *sample)
{
  br_job *read = NULL;
  br_err err;
  int code = br_job_create(&ALONE, &read, &err) ? cli_bad_input(b->call->command, &err) : CLI_OK;
  if (!code) br_job_dashes(read, "--"), code = ask_set(b->call, O_SAMPLE, read);
  if (!code && br_job_given(read, "sample")) *sample = br_job_number(read, "sample");
  br_job_destroy(read);
  return code;
}

static int read_output(job *b)
{
  const cli_command *c = b->call->command;
  const opt_value *precision = option(b, O_PRECISION), *path = option(b, O_OUTPUT);
  b->out = br_control_export_default();
  if (precision->given && strcmp(precision->text, "f32") != 0 && strcmp(precision->text, "f64") != 0)
    return cli_usage(c, "--precision %s is unknown: f64 or f32", precision->text);
  b->out.f32 = precision->given && strcmp(precision->text, "f32") == 0;
  const int code = read_sample(b, &b->out.sample);
  if (code) return code;
  if (path->given && !bri_path_is_stdout(path->text)) name_from(path->text, sizeof b->name, b->name);
  if (b->name[0]) b->out.name = b->name;
  if (option(b, O_NAME)->given) b->out.name = option(b, O_NAME)->text;
  describe(b);
  return CLI_OK;
}

/* Without a controller: the model alone, and nothing that belongs to a controller. */
static int read_model_only(job *b)
{
  for (int k = O_SYSTEM; k < O_SAMPLE; k++)
    if (k != O_MODEL && k != O_PRESET && k != O_SET && option(b, k)->given)
      return cli_usage(b->call->command, "--controller NAME is missing: --%s belongs to one",
                       options[k].name);
  return read_output(b);
}

static int is_fmu(const job *b) { return strcmp(b->call->args[0], "fmu") == 0; }

static int read_options(job *b)
{
  const cli_command *c = b->call->command;
  if (b->call->nargs == 0) return cli_usage(c, "what to export is missing: bristle export c ...");
  if (is_fmu(b)) return CLI_OK;
  if (strcmp(b->call->args[0], "c") != 0)
    return cli_usage(c, "cannot export '%s': 'c' and 'fmu' are what there is", b->call->args[0]);
  if (option(b, O_FMI)->given || option(b, O_KIND)->given)
    return cli_usage(c, "--%s belongs to 'bristle export fmu'", option(b, O_FMI)->given ? "fmi" : "kind");
  if (!option(b, O_CONTROLLER)->given) return read_model_only(b);
  return read_output(b);
}

/* "me", "cs" or both. */
static int read_kinds(const job *b, int *kinds)
{
  static const char *const WORDS[] = {"", "me", "cs", "me,cs", "cs,me"};
  const opt_value *v = option(b, O_KIND);
  for (int k = 1; k < 5 && v->given; k++)
    if (strcmp(v->text, WORDS[k]) == 0) *kinds = k == 4 ? 3 : k;
  return v->given && !*kinds
             ? cli_usage(b->call->command, "--kind %s is unknown: me, cs or me,cs", cli_shown(v->text))
             : CLI_OK;
}

static int export_fmu(job *b)
{
  const cli_command *c = b->call->command;
  const opt_value *path = option(b, O_OUTPUT), *fmi = option(b, O_FMI);
  br_fmu_options o = {.model = option(b, O_MODEL)->text,
                      .system = option(b, O_SYSTEM)->text,
                      .set = option(b, O_SET)->text,
                      .name = option(b, O_NAME)->text,
                      .preset = option(b, O_PRESET)->text};
  const br_preset *set = br_preset_find(o.preset);
  size_t size = 0;
  br_err err;
  if (!o.model && !o.preset && !br_mechanism_named(o.system)) return cli_usage(c, "--model NAME is missing");
  for (int k = O_CONTROLLER; k < O_FMI; k++)
    if (option(b, k)->given) return cli_usage(c, "--%s does not belong to an FMU", options[k].name);
  if (!path->given || bri_path_is_stdout(path->text)) return cli_usage(c, "--output FILE.fmu is missing");
  if (fmi->given && strcmp(fmi->text, "2") != 0 && strcmp(fmi->text, "3") != 0)
    return cli_usage(c, "--fmi %s is unknown: 2 or 3", cli_shown(fmi->text));
  o.version = fmi->given ? fmi->text[0] - '0' : 0;
  if (!o.name) {
    name_from(path->text, sizeof b->name, b->name);
    o.name = b->name;
  }
  const char *system = o.system || !set ? o.system : set->system, *model = set ? set->model : o.model;
  const int code = read_kinds(b, &o.kinds);
  if (code) return code;
  const br_status st = br_fmu_write(&o, path->text, &size, &err);
  if (st)
    return st == BR_E_IO || st == BR_E_NOMEM || st == BR_E_UNSUPPORTED ? cli_failed(c, &err)
                                                                       : cli_bad_input(c, &err);
  if (!option(b, O_QUIET)->given)
    (void)printf("%s: %s%s%s, FMI %d, %zu bytes\n", cli_shown(path->text), system ? cli_shown(system) : "",
                 system && model ? " with " : "", model ? model : "", o.version ? o.version : 3, size);
  return CLI_OK;
}

static int put(void *ctx, const char *text, size_t n)
{
  bri_buf *to = (bri_buf *)ctx;
  bri_buf_add(to, text, n);
  return to->failed;
}

static int write_out(job *b, const char *what)
{
  const cli_command *c = b->call->command;
  const opt_value *path = option(b, O_OUTPUT);
  br_err err;
  if (!path->given || bri_path_is_stdout(path->text))
    return json_print_text(b->text.text, b->text.used) ? CLI_OK : CLI_FAILED;
  if (bri_buf_save(&b->text, path->text, &err)) return cli_failed(c, &err);
  if (!option(b, O_QUIET)->given)
    (void)printf("%s: %s, %zu bytes\n", cli_shown(path->text), what, b->text.used);
  return CLI_OK;
}

/* Model and parameters, and what else the options say. */
static int open_job(job *b, const br_analysis *an)
{
  const cli_command *c = b->call->command;
  br_err err;
  int code = br_job_create(an, &b->what, &err) ? cli_bad_input(c, &err) : CLI_OK;
  if (!code) br_job_dashes(b->what, "--");
  for (size_t k = 0; k < O_SAMPLE && !code; k++) code = ask_set(b->call, k, b->what);
  return !code && br_job_check(b->what, &err) ? cli_bad_input(c, &err) : code;
}

static int export_model(job *b)
{
  static const br_analysis MODEL = {.name = "export", .needs = BR_NEEDS_MODEL | BR_TAKES_TWO_AXES};
  const cli_command *c = b->call->command;
  char what[160];
  br_err err;
  const int code = open_job(b, &MODEL);
  if (code) return code;
  const br_model *m = br_job_model(b->what);
  const br_status st = br_model_export(m, br_job_par(b->what), &b->out, put, &b->text, &err);
  if (b->text.failed || b->about.failed) return cli_no_memory(c);
  if (st) return cli_bad_input(c, &err);
  (void)snprintf(what, sizeof what, "%s, %s_step()", m->name, b->out.name);
  return write_out(b, what);
}

static int export_controller(job *b)
{
  static const double nothing[1] = {0};
  const cli_command *c = b->call->command;
  char what[200];
  br_err err;
  const int code = open_job(b, &bri_analysis_controller);
  if (code) return code;
  const br_system *s = br_job_system(b->what);
  const br_model *m = br_job_model(b->what);
  const double *spar = s->nparam || s->initial ? br_params_block(br_job_params(b->what), "system") : nothing;
  b->mpair = calloc(2 * m->slots + 2, sizeof *b->mpair);
  if (!b->mpair) return cli_no_memory(c);
  br_status st = bri_control_read_settings(b->what, &b->set, &err);
  if (!st) st = bri_control_read_tracked(b->what, &b->tracked, &err);
  if (!st)
    st =
        br_control_init(&b->controller, &b->set, s, spar, m, br_job_par(b->what), b->mpair, b->tracked, &err);
  if (!st) st = br_control_export(&b->controller, &b->out, put, &b->text, &err);
  if (b->text.failed || b->about.failed) return cli_no_memory(c);
  if (st) return cli_bad_input(c, &err);
  (void)snprintf(what, sizeof what, "%s for %s with %s, %s_update()", br_control_name((size_t)b->set.kind),
                 s->name, m->name, b->out.name);
  return write_out(b, what);
}

static int run(const cli_call *call)
{
  job *b = calloc(1, sizeof *b);
  if (!b) return cli_no_memory(call->command);
  b->call = call;
  int code = read_options(b);
  if (!code && is_fmu(b)) code = export_fmu(b);
  else if (!code) code = option(b, O_CONTROLLER)->given ? export_controller(b) : export_model(b);
  br_job_destroy(b->what);
  bri_buf_free(&b->about);
  bri_buf_free(&b->text);
  free(b->mpair);
  free(b);
  return code;
}

static const cli_command COMMAND = {
    .name = "export",
    .args = "c|fmu --model NAME [--system NAME] [--controller NAME]",
    .summary = "a controller or a model as a C header, a model or mechanism as an FMU",
    .text =
        "Writes one header in C99 and C++17: no allocation, no C library, parameters baked in, made of the "
        "same source text as this program. NAME_update(&ctl, &ref, &meas, h) gives the control, bit for "
        "bit that of 'bristle control --sample'; NAME_selftest() returns 0 where compiler and processor "
        "keep that promise.\n\n"
        "Options are those of 'bristle control'. The mechanism and --model with --set are what the "
        "controller believes. --law published builds the law as printed in the literature, which is wrong; "
        "it is here to be studied. --precision f32 is for processors without double precision: its "
        "self-test allows for rounding.\n\n"
        "Without --controller the model alone is written: NAME_step(&joint, load, u, v, h) gives its "
        "force, bit for bit that of the library's real-time stepper in the same precision.\n\n"
        "'export fmu' writes a Functional Mock-up Unit (FMI 3.0 or 2.0) for Simulink, Modelica tools and "
        "co-simulation masters: the model alone with its velocity as input and its force as output, or the "
        "mechanism --system with its inputs and states. The file holds model exchange and co-simulation, a "
        "binary for this platform and the C sources for others; parameters can be changed by the importer.",
    .options = options,
    .noptions = OPTIONS,
    .max_args = 1,
    .examples = examples,
    .run = run,
};

const cli_command *cli_export(void)
{
  for (size_t i = 0; i < BRI_CONTROLLER_OPTIONS; i++)
    options[O_CONTROLLER + i] = ask_row(&bri_analysis_controller, &bri_analysis_controller.options[i]);
  options[O_SAMPLE] = ask_row(&ALONE, SAMPLE);
  return &COMMAND;
}
