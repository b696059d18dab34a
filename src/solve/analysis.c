/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'simulate': a mechanism with friction in time, and the cycle it settles on. */
#include <math.h>
#include <string.h>

#include "analysis_slope.h"
#include "analysis/rows.h"
#include "text/fail.h"
#include "varied.h"

static const br_option OPTIONS[] = {
    BRI_ABOVE_0("t-end", "T", "s",
                "end time; default the natural end of the inputs; with --cycle only the cycle is looked for "
                "without it"),
    BRI_ABOVE_0("rtol", "X", "1",
                "relative tolerance; default 1e-13, for cvode 1e-9; ends where rounding begins"),
    BRI_FROM_0("atol", "X", "1", "absolute tolerance of every state, in its unit; default 1e-20",
               .def = "1e-20"),
    BRI_CHOICE("solver", "native|cvode|fixed", "native",
               "native (default), SUNDIALS CVODE, or constant steps of --dt"),
    BRI_ABOVE_0("dt", "H", "s", "step of --solver fixed; default 1 ms", .def = "1e-3"),
    BRI_ABOVE_0("output-dt", "H", "s",
                "time between rows of tables and pictures; default T/1000, or the samples of a record"),
    BRI_FLAG("events", "list every event (without it the first 1000)", .def = "no"),
    BRI_PAIRS("event", "FORMULA",
              "locate the zeros of a formula of states and t (\"x=0.1\"), with the state there; repeatable"),
    BRI_FLAG("cycle",
             "find the cycle that the motion settles on (an equilibrium: exit 1, told) and measure it",
             .def = "no"),
    BRI_ABOVE_0("threshold", "V", "m/s",
                "speed below which the stick_fraction of a cycle or window counts; default 0.01 vp, without "
                "vp vs/10"),
    BRI_TEXT("window", "A:B",
             "part of the run that is measured by itself, from its rows: work, extremes, stick fraction, "
             "reversals"),
    BRI_TEXT(
        "measured", "[NAME:]auto|COLUMN|SPEC",
        "measured quantity to compare with: NAME a column of the table (default the friction force), then a "
        "column of the record that drives the mechanism (auto: found by its unit), or csv:FILE[:t,x]"),
    BRI_ROW_SWITCH,
    BRI_FLAG("measures",
             "columns work_in, stored, dissipated, friction_work in the table; of each contact its "
             "break-away and sticks",
             .def = "no"),
    BRI_ROW_DECIMAL,
    BRI_ROW_SENSITIVITY,
    BRI_FLAG("animate", "one page with the motion: block, spring, bristles, live loop", .def = "no"),
};

static const br_result_row RESULTS[] = {
    {"final.*", "", "states, contact forces and what the mechanism shows, at the end"},
    {"extremes.*.min", "", "smallest of the motion (cvode, fixed: of the rows)"},
    {"extremes.*.max", "", "largest"},
    {"events.*.t", "s", "when"},
    {"events.*.type", "", "reversal, stick, slip, element or user"},
    {"events.*.state", "",
     "velocity of the contact, or its number between two masses; of a formula the states there"},
    {"events.*.state.*", "", "of a formula: each state"},
    {"events.*.event", "", "the formula"},
    {"sticks.*.contact", "1", "true stick: contact that held"},
    {"sticks.*.from", "s", "since when"},
    {"sticks.*.to", "s", "when it broke away"},
    {"sticks.*.breakaway", "N", "with which force"},
    {"contacts.*.breakaway", "N",
     "measures: force with which the contact first broke away, or its first peak"},
    {"contacts.*.breakaway_time", "s", "when"},
    {"contacts.*.sticks", "1", "how often it held"},
    {"contacts.*.stick_time", "s", "how long in all"},
    {"event_count", "1", "of all events"},
    {"event_types.*", "1", "of each type"},
    {"energy.work_in", "J", "work of the inputs"},
    {"energy.stored", "J", "held by mechanism and contacts, less that at the start"},
    {"energy.dissipated", "J", "taken by contacts and dampers"},
    {"energy.friction_work", "J", "integral of F v over all contacts"},
    {"energy.residual", "J", "what the book does not explain: integration error"},
    {"cycle.period", "s", "with cycle: its period"},
    {"cycle.*_min", "", "smallest of each state and force on it"},
    {"cycle.*_max", "", "largest"},
    {"cycle.friction_work", "J", "integral of F v over a period"},
    {"cycle.stick_fraction", "1", "part of the period below the threshold"},
    {"cycle.threshold", "m/s", "that speed"},
    {"cycle.residual", "1", "of the return map, relative to the size of the cycle"},
    {"cycle.input_periods", "1", "periods of the input in one cycle"},
    {"cycle.returns", "1", "returns to the section in one cycle"},
    {"cycle.multipliers.*.0", "1", "Floquet multipliers, the largest first: real part"},
    {"cycle.multipliers.*.1", "1", "imaginary part"},
    {"window.from", "s", "window: first and last row in it"},
    {"window.to", "s", "its end"},
    {"window.work_in", "J", "work of the inputs, the area of the hysteresis map over whole periods"},
    {"window.friction_work", "J", "integral of F v"},
    {"window.stick_fraction", "1", "part of its rows below the threshold"},
    {"window.threshold", "m/s", "that speed"},
    {"window.reversals", "1", "reversals of the contacts"},
    {"window.*_min", "", "smallest of each state and force, of its rows"},
    {"window.*_max", "", "largest"},
    {"warnings.*", "", "what the mechanism's equations leave out and this motion needs, e.g. a slack spring"},
    {"stats.steps", "1", "steps taken"},
    {"stats.rejected", "1", "steps rejected"},
    {"stats.rhs", "1", "rates evaluated, those for rows included (not in studies)"},
    {"stats.jacobians", "1", "Jacobians evaluated (not in studies)"},
    {"stats.seconds", "s", "processor time of the solver (not in studies)"},
    {"stats.rtol", "1", "tolerances in force; null with fixed steps"},
    {"stats.atol", "1", "absolute"},
    {"stats.rounded", "1", "steps whose tolerance was set by rounding"},
    {"simulate", "", "t, states, contact forces, inputs, what the mechanism shows; measures: work and energy",
     BR_RESULT_TABLE},
    {"map", "", "hysteresis map of a driven mechanism: input and displacement, 8000 points at most",
     BR_RESULT_USUAL},
    {"contact*", "", "t, u, v, F of each contact, for the picture", BR_RESULT_USUAL},
    {"events", "", "t, type (0 reversal, 1 stick, 2 slip, 3 element)", BR_RESULT_TABLE},
    BRI_MEASURED_RESULTS,
    {"measured", "", "t, u, F, model, residual: of a contact force", BR_RESULT_TABLE},
    {"measured_state", "", "t, the quantity, model, residual: of another", BR_RESULT_TABLE},
    BRI_RESULT_SENSITIVITY,
};

/* Of every contact: motion, velocity, force, loop. */
static const br_picture_line LINES[] = {{"contact*", "line"}},
                             FORCE[] = {{"measured", "muted", "measured"}, {"contact*", "line"}},
                             STATE[] = {{.table = "measured_state", .style = "muted", .label = "measured"},
                                        {.table = "measured_state",
                                         .style = "line",
                                         .label = "model",
                                         .y = "model"}},
                             RESIDUAL[] = {{"measured*", "line", ""}};
static const br_picture_line MAP[] = {{.table = "map", .style = "line"}};
static const br_picture_panel PANELS[] = {
    {"t", "u", "time t", "displacement u", NULL, LINES, 1},
    {"t", "v", "time t", "velocity v", NULL, LINES, 1},
    {"t", "F", "time t", "friction force F", NULL, FORCE, 2},
    {"u", "F", "displacement u", "friction force F", NULL, FORCE, 2},
    {.lines = MAP, .nlines = 1, .when = "map"},
    {"t", "#1", "time t", NULL, "measured_state", STATE, 2},
    {"t", "residual", "time t", "model - measured", "measured", RESIDUAL, 1},
    {"t", "residual", "time t", "model - measured", "measured_state", RESIDUAL, 1},
};

static const br_picture PICTURES[] = {
    {.panels = PANELS, .npanels = 1, .option = "animate", .title = "Motion and loop", .moves = 1}};

static const br_example EXAMPLES[] = {
    {"bristle simulate --system pulled_block --model lugre --set "
     "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1,vp=2 --cycle --json",
     "the stick-slip cycle of a block pulled at 2 m/s"},
    {"bristle simulate --system mass_spring --model dahl --input sine:1N,0.0159155Hz --t-end 188.5 --csv -",
     "a table of the motion on standard output"},
    {"bristle simulate --system mass_spring --model coulomb --set Fc=1,Fs=1.5 --input sine:4N,0.1Hz --t-end "
     "20 --events",
     "true stick: where it sticks and slips"},
    {"bristle simulate --system chain --model lugre --set "
     "m=1,2,k=100,50,system.c=1,1,contact=1,2,against=0,1,load=1,1,"
     "Fc=1,Fs=1.5,contact2.Fc=1.2 --input Fe:sine:3N,2Hz --init x1=1mm,contact2.z=1um --t-end 0.5",
     "two contacts, each with its own force, from a state that is given"},
    {NULL, NULL},
};

/* What studies called them. */
static const br_result_alias ALIASES[] = {{"events.reversal", "event_types.reversal"},
                                          {"events.stick", "event_types.stick"},
                                          {"events.slip", "event_types.slip"},
                                          {"events.element", "event_types.element"},
                                          {"cycle.multipliers.*.re", "cycle.multipliers.*.0"},
                                          {"cycle.multipliers.*.im", "cycle.multipliers.*.1"}};

/* ---- the question ---- */

/* As asked for, or the natural end of the inputs; 0: none, a cycle alone. */
static double end_of(const br_job *job)
{
  double end = br_job_number(job, "t-end");
  if (end > 0 || br_job_flag(job, "cycle")) return end;
  for (size_t k = 0; k < br_job_inputs(job); k++)
    if (br_job_input(job, k)) end = fmax(end, br_signal_duration(br_job_input(job, k)));
  return end;
}

static br_solve_settings settings_of(const br_job *job)
{
  static const br_solver_kind KIND[] = {BR_SOLVER_NATIVE, BR_SOLVER_CVODE, BR_SOLVER_FIXED};
  br_solve_settings s = br_solve_settings_default();
  s.kind = KIND[(size_t)br_job_number(job, "solver")];
  if (br_job_given(job, "rtol")) s.rtol = br_job_number(job, "rtol");
  else if (s.kind == BR_SOLVER_CVODE) s.rtol = 1e-9; /* its methods end at order 5 */
  s.atol = br_job_number(job, "atol");
  s.dt = br_job_number(job, "dt");
  s.energy = 1;
  s.extremes = s.kind == BR_SOLVER_NATIVE;
  return s;
}

static br_status check(const br_job *job, br_err *err)
{
  const char *solver = br_job_text(job, "solver");
  const double end = end_of(job);
  double dt = 0, rows = 0;
  if (br_job_given(job, "dt") && strcmp(solver, "fixed") != 0)
    return bri_fail(err, BR_E_ARG,
                    "--dt belongs to --solver fixed; rows of a table are spaced by --output-dt");
  if (br_job_flag(job, "cycle") && strcmp(solver, "native") != 0)
    return bri_fail(err, BR_E_ARG, "--cycle needs --solver native");
  if (!(end > 0) && !br_job_flag(job, "cycle"))
    return bri_fail(err, BR_E_ARG, "--t-end T is missing: the inputs have no end of their own");
  if (br_job_given(job, "threshold") && !br_job_flag(job, "cycle") && !br_job_given(job, "window"))
    return bri_fail(err, BR_E_ARG, "--threshold is for the stick fraction of --cycle or --window");
  if (br_job_given(job, "window") && !(end > 0))
    return bri_fail(err, BR_E_ARG, "--window needs --t-end T: there is no run to look at");
  br_status st = bri_window_read(job, end, &dt, &rows, err);
  if (!st && end > 0) st = bri_answer_rows(job, end, &dt, &rows, err);
  return st;
}

/* Rates and Jacobians are also evaluated for rows: like the time, they depend on who asks. */
static void put_cost(const bri_answer *b)
{
  const br_solve_stats *s = &b->stats;
  const int fixed = b->set.kind == BR_SOLVER_FIXED;
  const br_value rhs = {BR_VALUE_TIME, (double)s->rhs}, jacobians = {BR_VALUE_TIME, (double)s->jacobians};
  br_put_number(b->out, "1", (double)s->steps, "stats.steps");
  br_put_number(b->out, "1", (double)s->rejected, "stats.rejected");
  br_put_value(b->out, &rhs, "stats.rhs");
  br_put_value(b->out, &jacobians, "stats.jacobians");
  br_put(b->out, BR_VALUE_TIME, s->seconds, "stats.seconds");
  br_put_number(b->out, "1", fixed ? (double)NAN : b->set.rtol, "stats.rtol");
  br_put_number(b->out, "1", fixed ? (double)NAN : b->set.atol, "stats.atol");
  br_put_number(b->out, "1", (double)s->rounded, "stats.rounded");
}

void bri_answer_ask(bri_answer *b, const br_job *job, br_sink *out)
{
  *b = (bri_answer){.job = job, .out = out, .set = settings_of(job), .t_end = end_of(job)};
}

br_status bri_answer_all(bri_answer *b, br_err *err)
{
  const int cycle_first = !(b->t_end > 0); /* then the run shows one period of it */
  double level = 0;
  br_status st = bri_answer_prepare(b, err);
  if (!st) st = bri_window_read(b->job, b->t_end, &b->window.from, &b->window.to, err);
  if (!st) b->window.threshold = bri_answer_threshold(b->job, &level);
  if (!st && cycle_first) st = bri_answer_cycle(b, err);
  if (!st) st = bri_answer_run(b, err);
  if (!st && !cycle_first && br_job_flag(b->job, "cycle")) st = bri_answer_cycle(b, err);
  if (!st) put_cost(b);
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  bri_answer b;
  bri_answer_ask(&b, job, out);
  const br_status st = bri_answer_all(&b, err);
  bri_answer_release(&b);
  return st;
}

static const char TEXT[] =
    "Moves the mechanism under its inputs. Velocity reversals, break-away and slip points are located, and "
    "the integration restarts there; nothing is smoothed. With --cycle the cycle that the motion settles on "
    "is found by Newton's method on its return map and measured over one period; without --t-end the rows "
    "show that period.\n\n"
    "JSON: {final: {state: value}, extremes: {state: {min, max}}, events: [{t, type, state}], event_count, "
    "event_types: {type: count}, energy: {work_in, stored, dissipated, friction_work, residual}, cycle: "
    "{period, NAME_min, NAME_max, friction_work, stick_fraction, threshold, residual, input_periods, "
    "returns, multipliers: [[re, im]]}, window: {from, to, work_in, friction_work, stick_fraction, "
    "threshold, reversals, NAME_min, NAME_max}, warnings: [text], stats: {steps, rejected, rhs, jacobians, "
    "seconds, rtol, atol, rounded}}.";

const br_analysis bri_analysis_simulate = {
    .name = "simulate",
    .summary = "a mechanism with friction in time, and the cycle it settles on",
    .method = "adaptive integration, stick, slip and kinks located",
    .text = TEXT,
    .needs =
        BR_NEEDS_MODEL | BR_NEEDS_SYSTEM | BR_NEEDS_INPUT | BR_TAKES_INIT | BR_TAKES_TWO_AXES | BR_TAKES_LOAD,
    .input_doc = "drive an input; --set NAME=VALUE holds it instead",
    .tables = "simulate",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Motion, force and loop"},
    .pictures = PICTURES,
    .npictures = BRI_LENGTH(PICTURES),
    .examples = EXAMPLES,
    .aliases = ALIASES,
    .naliases = BRI_LENGTH(ALIASES),
    .check = check,
    .run = run,
    .slope = bri_answer_slope,
};
