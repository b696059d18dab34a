/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'control': a controller on a mechanism with friction; its options, results and
 * pictures. */
#include "analysis.h"

#include "analysis/rows.h"
#include "solve/varied.h"

/* The block of document 1. */
#define PAPER "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

/* "|a|b|c" from the library's own rows; the choices start behind the first mark. */
#define KIND_CHOICE(id, name, does, gains, doc) "|" name
#define KIND_WORD(id, name, does, gains, doc) " " name
#define GAIN_WORD(name, positive, unit, doc) " " #name
#define ONE_OF_THREE .clash = "each is a question of its own: give one of them"

static const br_option OPTIONS[] = {
    /* the controller alone: 'bristle export' takes these too */
    BRI_OPTION("controller", CHOICE, "NAME", "one of" BR_CONTROL_KINDS(KIND_WORD),
               .choices = &(BR_CONTROL_KINDS(KIND_CHOICE))[1]),
    BRI_CHOICE("law", "corrected|published", "corrected",
               "of feedback_linearization; published is wrong, see below"),
    BRI_OPTION(
        "poles", LIST, "P1,P2[,P3]",
        "poles of the error in 1/s, all < 0; default -35,-30,-25, observer -100; P3 counts with --integral",
        .unit = "1/s"),
    BRI_PAIRS("gains", "NAME=VALUE,...", "of" BR_CONTROL_GAINS(GAIN_WORD)),
    BRI_CHOICE("bristle", "estimated|true", "estimated",
               "bristle state from a copy of the model (default), or handed in as if it were measured"),
    BRI_FLAG("integral", "add integral action to a law that places poles", .def = "no"),
    BRI_CHOICE("antiwindup", "own|conditional|back_calculation", "own",
               "what the integral does at the limit of u: unwinds while e drives out, or always; own "
               "(default): what suits the law"),
    BRI_TEXT("track", "STATE", "tracked state of the mechanism; default the contact's velocity"),
    BRI_PAIRS("limit", "u=X", "bound of the control"),
    /* the loop */
    BRI_OPTION("reference", SIGNAL, "SPEC", "reference; a step means e(0) = step with zero derivatives"),
    BRI_ROW_DECIMAL,
    BRI_ROW_SWITCH,
    BRI_ABOVE_0("t-end", "T", "s", "end time"),
    BRI_OPTION("window", RANGE, "T1:T2", "times of error_rms; default the whole run", .unit = "s"),
    BRI_PAIRS("mismatch", "NAME=FACTOR,...",
              "factors on the controller's parameters; z=FACTOR scales the bristle state of --bristle true"),
    BRI_FROM_0("sample", "H", "s", "sampled controller with held output; default continuous"),
    BRI_FROM_0(
        "fixed", "H", "s",
        "a continuous loop by an explicit rule of fixed step, nothing located, as simple simulators do it",
        .excludes = "sample", .clash = "a sampled loop has a solver of its own"),
    BRI_CHOICE("method", "euler|heun|ode3|ode4", "ode4", "that rule; default ode4", .needs = "fixed",
               .why = "is the rule of a fixed step"),
    BRI_PAIRS("noise", "NAME=STD,...",
              "noise on measured states, and on the acceleration as a; needs --sample", .needs = "sample",
              .why = "belongs to a sampled controller"),
    BRI_FROM_0("delay", "T", "s", "from measurement to actuation; needs --sample", .needs = "sample",
               .why = "belongs to a sampled controller"),
    BRI_ROW_SEED("of the noise"),
    BRI_FROM_0("rtol", "X", "1", "tolerance of the integration; default 1e-13, sampled 1e-10"),
    BRI_FROM_0("output-dt", "H", "s", "time between rows of tables and pictures; default T/1000"),
    BRI_TEXT("measured", "[y|u|F:]auto|COLUMN|SPEC",
             "measured output (default), control or friction force to compare with: a column of the record "
             "that is the reference (auto: found by its unit), or csv:FILE[:t,y]",
             .excludes = "compare|tune|map", .clash = "a record belongs to one run"),
    /* many loops */
    BRI_FLAG("compare", "all controllers over the same scenarios; with --controller also that one",
             .def = "no", .excludes = "tune|map", ONE_OF_THREE),
    BRI_TEXT("tune", "GAIN,...",
             "look for better values of these gains (pole1 to pole3 too); 'all': those that count",
             .excludes = "map", ONE_OF_THREE),
    BRI_FROM_0("cost", "W", "1", "--tune minimises the rms error plus W times the rms control; default 1e-4",
               .def = "1e-4", .needs = "tune", .why = "is what tuning minimises"),
    BRI_OPTION("validate", SIGNAL, "SPEC", "compare the gains before and after --tune on this reference",
               .needs = "tune", .why = "judges tuned gains"),
    BRI_TEXT("uncertain", "NAME,...",
             "parameters the controller may have wrong; default: all with a unit that are not 0",
             .needs = "compare|tune", .why = "belongs to many loops"),
    BRI_FROM_0("part", "X", "1", "by this part of their value; default 0.2", .def = "0.2",
               .needs = "compare|tune", .why = "belongs to many loops"),
    BRI_COUNT("samples", "N", 0, 1e6, "Monte Carlo draws per controller; default 100", .def = "100",
              .needs = "compare", .why = "belongs to a comparison"),
    BRI_FLAG("map", "draw where the loop hunts; needs --vary, --vary2", .def = "no"),
    BRI_FLAG("responses", "draw the nominal run of every controller into one picture", .def = "no",
             .needs = "compare", .why = "belongs to a comparison"),
    BRI_FLAG("bode", "frequency response and margins of the loop, linearised around sliding and around stick",
             .def = "no", .excludes = "compare|tune|map", .clash = "it belongs to one loop"),
    BRI_ABOVE_0("speed", "V", "m/s",
                "of the sliding of 'bode'; default the largest of the reference, or ten Stribeck velocities",
                .needs = "bode", .why = "is where the loop is linearised"),
    BRI_TEXT("vary", "NAME=A:B", "gain, parameter or ratio of two parameters (Fs/Fc) along the map",
             .needs = "map", .why = "belongs to a map"),
    BRI_TEXT("vary2", "NAME=A:B", "the same upwards", .needs = "map", .why = "belongs to a map"),
    BRI_COUNT("grid", "N", 2, 500, "cells per side of the map; default 16", .def = "16", .needs = "map",
              .why = "belongs to a map"),
    BRI_ROW_THREADS,
};

static const br_result_row RESULTS[] = {
    {"error_rms", "", "of r - y, over the window"},
    {"error_max", "", "largest |r - y|"},
    {"error_end", "", "at the end, with its sign"},
    {"settling_time", "s", "until |e| stays within 2 % of r's rest; null where the reference does not rest"},
    {"overshoot", "1", "largest y beyond r's rest, in parts of the way to it; null where r does not rest"},
    {"rest.from", "s", "since when r rests: settling, overshoot and the next two count from there"},
    {"rest.error_max", "", "largest |r - y| from there on"},
    {"rest.error_rms", "", "rms of r - y from there on"},
    {"poles.*", "1/s", "of the error, as the law places them"},
    {"peak_control", "", "supremum of |u|, one-sided limits included"},
    {"rms_control", "", "rms of u"},
    {"hunting.found", "", "does y keep oscillating although r rests?"},
    {"hunting.amplitude", "", "of that oscillation"},
    {"hunting.period", "s", "of that oscillation"},
    {"hunting.verdict", "", "not asked, found, excluded, undecided or grows"},
    {"hunting.residual", "1", "of the return map, relative to the cycle"},
    {"hunting.multiplier", "1", "largest Floquet multiplier; below 1 the cycle attracts"},
    {"hunting.decay", "1", "factor by which the error falls per doubling of time where none is found"},
    {"note", "", "law published: why it errs"},
    {"steps", "1", "of the integration, or samples"},
    {"reversals", "1", "of the contact, located"},
    {"t_stop", "s", "where the run ended"},
    {"relative_degree", "1", "number of derivatives of y after which u shows"},
    {"gamma", "", "what u is multiplied by in that derivative of e; -k/m for the pulled block"},
    {"lost", "s", "--fixed: where the loop ran away; null: it did not"},
    {"uncertain.*", "", "compare: parameters that may be wrong"},
    {"part", "1", "by this part"},
    {"samples", "1", "random draws per controller"},
    {"seed", "1", "of the draws"},
    {"controllers.*.name", "", "compare: one entry per controller"},
    {"controllers.*.controller", "", "its kind"},
    {"controllers.*.fits", "", "can it run on this mechanism?"},
    {"controllers.*.why", "", "where it cannot: why not"},
    {"controllers.*.nominal", "", "rms error with right parameters"},
    {"controllers.*.worst", "", "largest over all corners; null: runs away"},
    {"controllers.*.worst_runs_away", "", "does a corner run away?"},
    {"controllers.*.worst_corner", "", "which way each parameter is wrong there"},
    {"controllers.*.combined", "", "friction off together, with noise, limit and delay"},
    {"controllers.*.hardest", "", "the same in every corner of the friction parameters"},
    {"controllers.*.hardest_corner", "", "which one"},
    {"controllers.*.median", "", "of the random draws"},
    {"controllers.*.p95", "", "95 % of the draws lie below"},
    {"controllers.*.lost", "1", "draws with more error than the reference itself"},
    {"controllers.*.drawn", "1", "valid draws"},
    {"controllers.*.rms_control", "", "rms of u, nominal"},
    {"cost_before", "1", "tune: cost of the gains as given"},
    {"cost_after", "1", "of those found"},
    {"evaluations", "1", "of the cost"},
    {"converged", "", "did the search end by itself?"},
    {"gains.*", "", "the gains in use, or those found, by name"},
    {"validation.error_rms_before", "", "on the other reference; null: runs away"},
    {"validation.error_rms_after", "", "the same with the gains found"},
    {"validation.rms_control_before", "", "rms of u there"},
    {"validation.rms_control_after", "", "the same with the gains found"},
    {"panels.*.controller", "", "map: the controller, then an observer beside it"},
    {"panels.*.hunts", "1", "cells with a hunting cycle"},
    {"panels.*.settles", "1", "cells where it is excluded"},
    {"panels.*.undecided", "1", "neither"},
    {"panels.*.runs away", "1", "unstable loops"},
    {"panels.*.cells", "1", "in all"},
    {"bode.*.speed", "m/s", "bode: of the contact; sliding, or 0 in stick"},
    {"bode.*.crossover", "rad/s", "where the loop gain is 1 with the smallest margin"},
    {"bode.*.phase_margin", "deg", "there"},
    {"bode.*.delay_margin", "s", "more delay the loop bears there"},
    {"bode.*.gain_margin", "1", "factor by which the gain may grow; null: any"},
    {"bode.*.gain_margin_low", "1", "factor to which it may fall; null: any"},
    {"bode.*.stable", "", "no pole of the linearised closed loop to the right"},
    {"bode.*.poles.*.*", "1/s", "of the linearised closed loop: real and imaginary part"},
    {"bode.*.discrete_poles.*.*", "1", "of the sampled loop in the z plane; they decide 'stable' there"},
    {"bode.*.why", "", "why there is no response around stick, or sliding"},
    BRI_MEASURED_RESULTS,
    {"measured_state", "", "t, the measured quantity, model, residual", BR_RESULT_TABLE},
    {"control", "",
     "t, r, y, e, u, F along the run, other states of the mechanism, bristles; of the pulled block also e1, "
     "e2, e3",
     BR_RESULT_TABLE},
    {"bode-*", "", "frequency, gain, phase of the loop around sliding and stick", BR_RESULT_PICTURE},
    {"compare", "", "one row per controller, in the order of 'controllers'", BR_RESULT_TABLE},
    {"map", "", "panel, both quantities, verdict (0 hunts, 1 settles, 2 undecided, 3 runs away), cycle",
     BR_RESULT_TABLE},
    {"hunts-*", "", "map: cells that hunt, with the amplitude; one table per controller", BR_RESULT_PICTURE},
    {"rest-*", "", "the other cells, with the verdict", BR_RESULT_PICTURE},
    {"response-*", "", "t, r, y, e, size of e, u of the nominal run of each controller seen beside r",
     BR_RESULT_PICTURE},
    {"close-*", "", "the same of those that cannot be told from it", BR_RESULT_PICTURE},
    {"errors", "", "t, row, logarithm of the largest error of each controller in 60 parts of the run",
     BR_RESULT_PICTURE},
    {"rows", "", "names of these rows", BR_RESULT_PICTURE},
    {"mark-*", "", "scores in the picture of compare", BR_RESULT_PICTURE},
    {"names", "", "names beside them", BR_RESULT_PICTURE},
    {"draws-*", "", "median to 95 % of the draws", BR_RESULT_PICTURE},
};

static const br_picture_line OUTPUT[] = {
    {.table = "control", .style = "bold", .label = "output", .colour = 1},
    {.table = "control", .style = "dashed", .label = "reference", .y = "r", .colour = 7}};
static const br_picture_line BOTH[] = {
    {.table = "measured_state", .style = "muted", .label = "measured"},
    {.table = "measured_state", .style = "line", .label = "model", .y = "model"}};
static const br_picture_line RESIDUAL[] = {{.table = "measured_state", .style = "line", .label = ""}};
static const br_picture_line PLAIN[] = {{.table = "control", .style = "line"}};
static const br_picture_line SCORES[] = {
    {.table = "names", .style = "ticks", .value = "controller"},
    {.table = "draws-*", .style = "bold", .label = "", .colour = 6},
    {.table = "mark-nominal", .style = "disc", .label = "nominal", .colour = 1},
    {.table = "mark-worst", .style = "square", .label = "worst corner", .colour = 2},
    {.table = "mark-combined", .style = "triangle", .label = "combined", .colour = 3},
    {.table = "mark-hardest", .style = "circle", .label = "hardest", .colour = 4}};
static const br_picture_line CELLS[] = {{.table = "rest-1*", .style = "areas"},
                                        {.table = "hunts-1*", .style = "heat"}};
static const br_picture_line BESIDE[] = {{.table = "rest-2*", .style = "areas"},
                                         {.table = "hunts-2*", .style = "heat"}};
static const br_picture_panel PANELS[] = {
    BRI_PANEL(OUTPUT, "t", "y", "time t", "reference and output", .when = "control"),
    BRI_PANEL(PLAIN, "t", "e", "time t", "error e", .when = "control"),
    BRI_PANEL(PLAIN, "t", "u", "time t", "control u", .when = "control"),
    BRI_PANEL(PLAIN, "t", "F", "time t", "friction F", .when = "control"),
    BRI_PANEL(BOTH, "t", "#1", "time t", NULL, .when = "measured_state"),
    BRI_PANEL(RESIDUAL, "t", "residual", "time t", "model - measured", .when = "measured_state"),
    BRI_PANEL(SCORES, "x", "y", "rms error (right edge: runs away)", "controller", .when = "mark-*",
              .scale = "logx"),
    {.lines = CELLS, .nlines = BRI_LENGTH(CELLS)},
    {.lines = BESIDE, .nlines = BRI_LENGTH(BESIDE)},
};

static const br_picture_line BODE[] = {{.table = "bode-sliding", .style = "line", .colour = 1},
                                       {.table = "bode-stick", .style = "line", .colour = 2}};
static const br_picture_panel BODE_PANELS[] = {
    BRI_PANEL(BODE, "frequency", "gain", "frequency", "loop gain", .scale = "logx"),
    BRI_PANEL(BODE, "frequency", "phase", "frequency", "phase", .scale = "logx")};
static const br_picture_line FOLLOW[] = {
    {.table = "response-*", .style = "line"},
    {.table = "close-*", .style = "bold", .label = "all others", .most = 1, .colour = 6},
    {.table = "close-*", .style = "dashed", .label = "reference", .y = "r", .most = 1, .colour = 7},
    {.table = "response-*", .style = "dashed", .label = "", .y = "r", .most = 1, .colour = 7}};
static const br_picture_line ERRORS[] = {{.table = "errors", .style = "heat"},
                                         {.table = "rows", .style = "ticks", .value = "controller"}};
static const br_picture_panel RESPONSE_PANELS[] = {
    BRI_PANEL(FOLLOW, "t", "y", "time t", "reference and outputs"),
    {.xlabel = "time t", .ylabel = "controller", .lines = ERRORS, .nlines = BRI_LENGTH(ERRORS)}};
static const br_picture PICTURES[] = {
    {.panels = RESPONSE_PANELS,
     .npanels = 2,
     .name = "responses",
     .option = "responses",
     .title = "Responses of the controllers"},
    {.panels = BODE_PANELS, .npanels = 2, .name = "bode", .option = "bode", .title = "Loop gain and phase"},
    {.panels = PANELS + BRI_LENGTH(PANELS) - 2,
     .npanels = 2,
     .name = "hunting",
     .option = "map",
     .title = "Where the loop hunts"}};

#define BLOCK "bristle control --system pulled_block --model lugre --set " PAPER
#define SERVO                                                                                 \
  "bristle control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller " \
  "pid --gains kp=3,ki=4,kd=6,tf=1e-3 --reference step:1"
static const br_example EXAMPLES[] = {
    {BLOCK " --controller feedback_linearization --poles=-35,-30 --reference step:1 --t-end 1",
     "a block pulled through a spring follows a step of its velocity"},
    {BLOCK " --controller feedback_linearization --law published --reference ramp:0.1 --t-end 200 --json",
     "the published law: the error it leaves on a ramp"},
    {BLOCK " --controller observer --integral --reference sine:1,0.1 --t-end 30 --window 10:30 --sample 1ms "
           "--delay 1ms --noise v=1e-3 --limit u=50 --mismatch sigma0=1.2,Fc=0.8",
     "a sampled observer with wrong parameters, noise, delay and a limit"},
    {SERVO " --t-end 100 --rtol 1e-9", "integral action against stiction: the hunting cycle"},
    {SERVO " --t-end 1 --bode bode.svg --speed 10mm/s", "how near to instability, sliding and stuck"},
    {SERVO " --t-end 50 --map hunting.svg --vary ki=1:10 --vary2 Fs/Fc=1.2:2 --grid 3",
     "where it hunts, and what an observer changes"},
    {"bristle control --compare --samples 2 --uncertain Fc,m --plot controllers.svg",
     "all controllers over the same scenarios, here with two uncertain parameters"},
    {BLOCK
     " --controller pi --gains kp=1,ki=1 --tune all --reference step:1 --t-end 5 --sample 1ms --limit u=50 "
     "--part 0 --validate sine:1,0.1",
     "gains by a search, judged on another motion"},
    {NULL, NULL},
};

/* ---- the question ---- */

/* What is not given of a comparison is the case of document 1. */
static br_status prepare(br_job *job, br_err *err)
{
  static const char *const plant[][2] = {
      {"system", "pulled_block"}, {"model", "lugre"}, {"set", PAPER}, {"noise", "v=1e-3"}, {"limit", "u=50"}};
  static const char *const loop[][2] = {
      {"window", "10:30"}, {"reference", "sine:1,0.1"}, {"t-end", "30"}, {"sample", "1ms"}};
  br_status st = BR_OK;
  if (!br_job_flag(job, "compare")) return BR_OK;
  const int own = br_job_given(job, "system") || br_job_given(job, "model") || br_job_model(job);
  const int moves = br_job_given(job, "t-end") || br_job_given(job, "reference");
  for (size_t i = 0; i < 5 && !own && !st; i++) st = br_job_default(job, plant[i][0], plant[i][1], err);
  for (size_t i = moves ? 1 : 0; i < 4 && !st; i++) st = br_job_default(job, loop[i][0], loop[i][1], err);
  return st;
}

static br_status check(const br_job *job, br_err *err)
{
  bri_control_question q;
  bri_control_names names;
  br_control_axis axis;
  char name[64];
  br_status st = bri_control_open(&q, job, err);
  if (!st && (br_job_flag(job, "compare") || br_job_given(job, "tune")))
    st = bri_control_read_uncertain(&q, &names, err);
  for (int k = 0; k < 2 && !st && br_job_flag(job, "map"); k++)
    st = bri_control_read_axis(job, k ? "vary2" : "vary", sizeof name, name, &axis, err);
  bri_control_close(&q);
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  bri_control_question q;
  br_status st = bri_control_open(&q, job, err);
  q.out = out;
  if (!st && br_job_flag(job, "compare")) st = bri_control_ask_compare(&q, err);
  else if (!st && br_job_given(job, "tune")) st = bri_control_ask_tune(&q, err);
  else if (!st && br_job_flag(job, "map")) st = bri_control_ask_map(&q, err);
  else if (!st) st = bri_control_ask_once(&q, err);
  if (!st && br_job_flag(job, "bode")) st = bri_control_ask_bode(&q, err);
  bri_control_close(&q);
  return st;
}

static const char TEXT[] =
    "Runs the closed loop and measures it. Without --sample the controller is continuous and velocity "
    "reversals are located; with --sample its output is held between samples. The error is r minus the "
    "tracked state. Laws with a friction model take it from --model and --set times --mismatch; the plant "
    "keeps --set.\n\n"
    "feedback_linearization cancels mechanism and friction and places the poles of the error. --law "
    "published builds the law as printed in the literature, whose last simplification is wrong and acts as a "
    "damping of its own.\n\n"
    "A continuous loop whose reference rests over the second half of the run is continued until it is known "
    "whether it hunts: a cycle found is a fixed point of the return map, by Newton; it is excluded where the "
    "error keeps falling or all motion ends.\n\n"
    "--compare runs all controllers over: nominal; every corner of --uncertain parameters wrong by --part; "
    "combined, with the friction parameters wrong together, --noise, --limit and --delay (one sample); the "
    "same in every corner of the friction parameters; and --samples random draws of all parameters. What is "
    "not given is the sine of 1 m/s and 0.1 Hz on the block of document 1, sampled at 1 kHz.\n\n"
    "--tune minimises the mean of rms e + W rms u over the nominal case and wrong parameters, by a "
    "Nelder-Mead search in the logarithms of the gains, within a factor of 100; --part 0 leaves the nominal "
    "case alone.\n\n"
    "--map: in each cell a run and its verdict; beside pi, pid and cascade_pi the same for an observer with "
    "integral action, whose poles are those of kp and kd without friction unless --poles are given.\n\n"
    "--input N:SPEC drives the normal load of the contact, --switch changes parameters of the plant at given "
    "times; the controller goes on believing --set.\n\n"
    "--bode linearises the loop around steady sliding at --speed and around stick, cuts it at the input of "
    "the mechanism, and gives crossover, margins and poles for both.\n\n"
    "JSON: {error_rms, error_max, error_end, settling_time, overshoot, rest: {from, error_max, error_rms}, "
    "poles, gains, peak_control, rms_control, hunting: {found, amplitude, period, verdict, residual, "
    "multiplier, decay}, relative_degree, gamma, bode: {sliding, stick}}; settling_time, overshoot and rest "
    "count from where the reference ends its own motion and are null where it does not, peak_control "
    "includes one-sided limits; with --law published also note. --compare: {controllers: [{name, nominal, "
    "worst, worst_runs_away, combined, hardest, median, p95, lost, ...}]}; --tune: {cost_before, cost_after, "
    "evaluations, converged, gains, validation}; --map: counts of verdicts.";

const br_analysis bri_analysis_control = {
    .name = "control",
    .summary = "a controller on a mechanism with friction",
    .method =
        "plant and controller integrated as one system, stick and slip located; sampled laws step by step",
    .accuracy = "relative tolerance 1e-13, sampled laws 1e-10, unless rtol is set",
    .text = TEXT,
    .needs = BR_NEEDS_MODEL | BR_NEEDS_SYSTEM | BR_NEEDS_INPUT | BR_TAKES_INIT | BR_TAKES_LOAD,
    .input_doc = "N:SPEC drives the normal load; the mechanism's own input is the controller's",
    .tables = "control|compare|map",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {.panels = PANELS, .npanels = BRI_LENGTH(PANELS), .title = "Closed loop"},
    .pictures = PICTURES,
    .npictures = BRI_LENGTH(PICTURES),
    .examples = EXAMPLES,
    .prepare = prepare,
    .check = check,
    .run = run,
};

const br_analysis bri_analysis_controller = {
    .name = "export",
    .needs = BR_NEEDS_MODEL | BR_NEEDS_SYSTEM,
    .options = OPTIONS,
    .noptions = BRI_CONTROLLER_OPTIONS,
};
