/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'phase': which motions exist, which are stable, where they are born and die. */
#include <string.h>

#include "question.h"
#include "analysis/rows.h"
#include "base/alloc.h"

static const br_option OPTIONS[] = {
    BRI_TEXT("vary", "NAME=A:B", "parameter of model or mechanism, or input, to vary, and its range"),
    BRI_TEXT("vary2", "NAME=A:B", "second parameter, for the case map and curves of events over both"),
    BRI_TEXT("at", "NAME=V1,V2,...",
             "values of the varied parameter at which equilibria and cycles are listed and portraits drawn; "
             "default: the lower end of the range"),
    BRI_FLAG("portrait",
             "phase plane at the values of 'at': nullclines, equilibria, cycles, manifolds, basins; without "
             "cycles in 'only' a quick look without cycles and basins",
             .def = "no"),
    BRI_FLAG("diagram", "equilibria and cycles against the varied parameter; with 'vary2' the curves of "
                        "events in the plane of both; default: where its tables are wanted"),
    BRI_FLAG("map", "case map over 'vary' and 'vary2' (neither is sigma1)", .def = "no"),
    BRI_FLAG("hopf", "Hopf diagram over velocity and force; 'vary' F=A:B gives the forces", .def = "no"),
    BRI_FLAG("stribeck",
             "sliding equilibria over force and velocity for many sigma2; 'vary' F=A:B gives the forces",
             .def = "no"),
    BRI_FLAG("loops", "friction force against velocity along the stable cycles at the first value of 'at'",
             .def = "no"),
    BRI_TEXT("lag", "V0,A,F",
             "frictional lag of the model under an imposed velocity V0 + A sin(2 pi F t), m/s and Hz"),
    BRI_TEXT("lag-force", "F0,A,F",
             "frictional lag of the block under a periodic force F0 + A sin(2 pi F t), N and Hz, once its "
             "motion repeats"),
    BRI_FLAG("scale",
             "dimensionless groups of the block, and the block of unit mass that moves in the same way",
             .def = "no"),
    BRI_YES("events",
            "events along 'vary' and cycles at 'at'; no: equilibria, 'map', 'hopf' and 'stribeck' alone"),
    BRI_TEXT("only", "LIST",
             "limits the work along 'vary' to some of equilibria, hopf, fold, cycles, for a quick look; "
             "cycles come with their events (folds and doublings of cycles, homoclinic orbits)",
             .excludes = "events", .clash = "the list says which parts, 'events no' is the list equilibria"),
    BRI_COUNT("grid", "N", 0, BRI_PHASE_MOST_GRID,
              "points per side of 'map' and 'hopf', or along 'vary2'; default 60, 200 and 120", .def = "0"),
    BRI_ABOVE_0("v-max", "V", "m/s", "largest velocity of 'hopf' and 'stribeck'; default 3.25 vs"),
    BRI_ROW_THREADS,
};

static const br_result_row RESULTS[] = {
    {"equilibria.*.kind", "", "stick or slip"},
    {"equilibria.*.v", "m/s", "velocity"},
    {"equilibria.*.z", "m", "deflection: first state of the model"},
    {"equilibria.*.type", "", "stable focus, saddle, ..."},
    {"equilibria.*.eigenvalues.*.*", "1/s",
     "real and imaginary part; of a sticking point as seen from v > 0"},
    {"equilibria.*.eigenvalues_other_side.*.*", "1/s", "of a sticking point, from v < 0"},
    {"equilibria.*.a0", "1/s2", "driven_block, plain lugre: lambda^2 + a1 lambda + a0 = 0"},
    {"equilibria.*.a1", "1/s", "the other coefficient"},
    {"equilibria.*.at", "", "value of the varied parameter"},
    {"events.*.type", "",
     "hopf, fold, fold_of_cycles, homoclinic, period_doubling, generalized_hopf, grazing"},
    {"events.*.value", "", "of the varied parameter"},
    {"events.*.value2", "", "sigma1 of a generalised Hopf point"},
    {"events.*.v", "m/s", "equilibrium of a Hopf point or fold, saddle of a homoclinic orbit"},
    {"events.*.omega", "1/s", "of a Hopf point"},
    {"events.*.lyapunov", "1", "r' = alpha r + lyapunov r^3, r the amplitude of v; > 0: subcritical"},
    {"events.*.loop", "", "which cycle: small, round y1; large"},
    {"events.*.saddle_quantity", "1/s", "sum of the saddle's eigenvalues"},
    {"events.*.distance", "", "fold beside a homoclinic orbit: value of the latter minus its own"},
    {"events.*.error", "", "estimate of the error of value"},
    {"cycles.*.at", "", "value of the varied parameter"},
    {"cycles.*.period", "s", "period"},
    {"cycles.*.v_min", "m/s", "extremes of the contact's velocity"},
    {"cycles.*.v_max", "m/s", "the other one"},
    {"cycles.*.z_min", "m", "extremes of the deflection"},
    {"cycles.*.z_max", "m", "the other one"},
    {"cycles.*.multiplier", "1", "Floquet multiplier, the largest by size"},
    {"cycles.*.multipliers.*.*", "1", "other mechanisms: all, as real and imaginary part"},
    {"cycles.*.stable", "", "does a deviation shrink?"},
    {"cycles.*.loop", "", "small, round y1; large; sliding; with reversals"},
    {"cycles.*.v_mean", "m/s", "mean velocity"},
    {"cycles.*.lag_total", "W", "integral of friction over dv, once round"},
    {"cycles.*.lag_elastic", "W", "the same of its elastic part"},
    {"from", "", "range of the varied parameter"},
    {"to", "", "its end"},
    {"equilibria_count", "1", "how many of each"},
    {"events_count", "1", "how many of each"},
    {"cycles_count", "1", "how many of each"},
    {"branches.*.ends.*", "",
     "other mechanisms: why a branch of cycles stops, before its first and behind its last row"},
    {"branches", "",
     "rows of every branch of cycles: value, v_min, v_max, stable; other mechanisms also period, z_min, "
     "z_max, multipliers",
     BR_RESULT_DETAIL},
    {"cycle_from_rest_ends.*", "", "other mechanisms: where the cycle reached from rest ends"},
    {"bistable.*.*", "", "other mechanisms: from, to; sliding and a cycle are both stable"},
    {"searched.complete", "", "were all cycles looked for?"},
    {"searched.cycles.*.at", "", "value of the varied parameter"},
    {"searched.cycles.*.v_max", "m/s", "beyond which there is no cycle"},
    {"searched.cycles.*.complete", "", "did the search there end early?"},
    {"searched.notes.*", "", "what a reader of the events should know"},
    {"fold_of_equilibria.*.v", "m/s", "stribeck, hopf: folds of the block's own sigma2"},
    {"fold_of_equilibria.*.F", "N", "force there"},
    {"cusp.v", "m/s", "stribeck, hopf, delta > 1: where both folds of equilibria meet"},
    {"cusp.sigma2", "N s/m", "its sigma2: three sliding equilibria need less"},
    {"cusp.F", "N", "force there"},
    {"generalized_hopf.*.v", "m/s", "hopf: where the Lyapunov coefficient vanishes"},
    {"generalized_hopf.*.F", "N", "force there"},
    {"criticality.supercritical", "1", "hopf: part of the grid"},
    {"criticality.subcritical", "1", "hopf: part of the grid"},
    {"criticality.sigma1_min", "N s/m", "hopf: smallest sigma1 of a Hopf point on the grid"},
    {"curves.*", "1", "vary2: curves of each type of event"},
    {"map.cells.*", "1", "map: cells of each case"},
    {"lag.total", "W", "lag: loop integral over dv of the friction force"},
    {"lag.elastic", "W", "of its elastic part"},
    {"lag.mean_force", "N", "mean force"},
    {"lag_force.total", "W", "lag-force: the same two under a periodic force"},
    {"lag_force.elastic", "W", "of the elastic part"},
    {"lag_force.error", "W", "of the total: what every other point would have made of it"},
    {"lag_force.period", "s", "of the motion"},
    {"lag_force.v_min", "m/s", "extremes of the velocity"},
    {"lag_force.v_max", "m/s", "the other one"},
    {"scale.units.*", "", "scale: the block's own time, length, velocity, force, damping"},
    {"scale.groups.*", "1", "scale: Fc, Fs, F, sigma1, sigma2 in these units, and delta: all that matters"},
    {"scale.unit_mass.*", "", "scale: parameters of the block with m = 1 kg that moves in the same way"},
    {"manifolds.*.at", "", "portrait: branches of the saddle's manifolds; value of the varied parameter"},
    {"manifolds.*.kind", "", "stable (a separatrix, followed backward in time) or unstable"},
    {"manifolds.*.end", "", "where it comes from or goes to: y1.., stick, a cycle, outside"},
    {"manifolds.*.connection", "", "heteroclinic where that is another equilibrium, else none"},
    {"case", "", "driven_block, plain lugre: name of the bifurcation case along sigma1"},
    {"phase", "",
     "the diagram: value, cycle (1) or equilibrium (0), branch, stable, extremes of v and z, period; with "
     "vary2 the events over both",
     BR_RESULT_TABLE},
    {"map", "", "case over vary and vary2", BR_RESULT_TABLE},
    {"criticality", "",
     "hopf: lyapunov and sigma1 of the Hopf point over v and F; kind 1 supercritical, 2 subcritical",
     BR_RESULT_TABLE},
    {"events", "", "events along vary", BR_RESULT_TABLE},
    {"equilibria-*", "", "diagram: sliding equilibria by stability", BR_RESULT_TABLE},
    {"cycles-*", "", "diagram: extremes of cycles by stability", BR_RESULT_TABLE},
    {"codimension_two.*.type", "",
     "curves: bogdanov_takens, cusp, generalized_hopf (Bautin), neutral_saddle"},
    {"codimension_two.*.value", "", "first parameter there"},
    {"codimension_two.*.value2", "", "second parameter"},
    {"codimension_two.*.v", "m/s", "speed of the equilibrium"},
    {"curve-*", "", "diagram over vary2: events of one type", BR_RESULT_TABLE},
    {"lag_imposed", "", "lag: v, F, F_elastic", BR_RESULT_TABLE},
    {"lag_forced", "", "lag-force: v, F, F_elastic", BR_RESULT_TABLE},
    {"lag_cycle*", "", "loops: v, F, F_elastic", BR_RESULT_TABLE},
};

#define FIGURE5 "m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6"
static const br_example EXAMPLES[] = {
    {"bristle phase --system driven_block --model lugre --set " FIGURE5 " --vary sigma1=0.1:12",
     "two Hopf points, three homoclinic orbits and a fold of cycles"},
    {"bristle phase --system driven_block --model lugre --set " FIGURE5
     " --vary sigma1=0.1:12 --at sigma1=8.25,8.45 --json",
     "equilibria and cycles at two values, for programs"},
    {"bristle phase --system driven_block --model lugre --set " FIGURE5 ",sigma1=8.25 --vary F=5.6:5.8",
     "events along another parameter"},
    {NULL, NULL},
};

/* Complex numbers had parts with names in studies. */
static const br_result_alias ALIASES[] = {
    {"equilibria.count", "equilibria_count"},
    {"events.count", "events_count"},
    {"cycles.count", "cycles_count"},
    {"notes.*", "searched.notes.*"},
    {"equilibria.*.re", "equilibria.*.0"},
    {"equilibria.*.im", "equilibria.*.1"},
    {"cycles.*.re", "cycles.*.0"},
    {"cycles.*.im", "cycles.*.1"},
};

/* ---- rules that rows cannot say ---- */

static br_status check_forces(const bri_question *q, const char *option, br_err *err)
{
  const int forces = strcmp(q->vary.bare, "F") == 0 && q->vary.a >= 0;
  const char *d = br_job_dash(q->job);
  if (!br_job_flag(q->job, option) || forces) return BR_OK;
  return bri_text_fail(err, BR_E_ARG, bri_phase_row(q->job, option),
                       "%s%s needs %svary F=A:B with A >= 0 (the range of forces)", d, option, d);
}

static br_status check(const br_job *job, br_err *err)
{
  bri_question q = {0};
  const char *d = br_job_dash(job);
  if (!br_job_text(job, "vary"))
    return bri_fail(err, BR_E_ARG, "%svary NAME=A:B is missing, e.g. sigma1=0.1:12", d);
  br_status st = bri_phase_read(&q, job, err);
  if (st) return st;
  if (q.grid == 1)
    return bri_text_fail(err, BR_E_RANGE, bri_phase_row(job, "grid"),
                         "%sgrid = 1 is out of range: must be a whole number, >= 2", d);
  if (br_job_flag(job, "map") && !q.vary2.name[0])
    return bri_text_fail(err, BR_E_ARG, bri_phase_row(job, "map"), "%smap needs %svary2 NAME=A:B", d, d);
  if (br_job_flag(job, "loops") && !(q.parts & BRI_PART_CYCLES))
    return bri_fail(err, BR_E_ARG, "%sloops needs cycles: leave out %sevents no and %sonly", d, d, d);
  st = check_forces(&q, "hopf", err);
  return st ? st : check_forces(&q, "stribeck", err);
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  bri_question q = {.out = out};
  br_status st = bri_phase_read(&q, job, err);
  if (!st) st = br_sink_alive(out, 0, err);
  if (!st) {
    const br_value from = {BR_VALUE_ASIDE, q.vary.a, NULL, q.vary.unit},
                   to = {BR_VALUE_ASIDE, q.vary.b, NULL, q.vary.unit};
    br_put_value(out, &from, "from");
    br_put_value(out, &to, "to");
    st = strcmp(q.sys->name, "driven_block") == 0 ? bri_phase_plane(&q, err) : BR_E_UNSUPPORTED;
    if (st == BR_E_UNSUPPORTED && !q.phase) st = bri_phase_general(&q, err);
  }
  br_phase_destroy(q.phase);
  bri_phase_free(&q);
  return st;
}

static const char TEXT[] =
    "Says which motions exist, which are stable, at which value of a parameter they are born and die, and "
    "names the bifurcation case. No starting guesses: equilibria, Hopf points and their Lyapunov "
    "coefficients are closed forms, cycles and homoclinic orbits roots on sections that the flow crosses in "
    "one direction. That is driven_block with plain lugre; any other mechanism with two or three states has "
    "equilibria, Hopf points, folds and branches of cycles by continuation.\n\n"
    "Cases along sigma1: Sup or Sub (super- or subcritical Hopf point), F for each fold of cycles on the "
    "branch that leaves it, HC where the branch ends in a homoclinic orbit, a second HC where a branch of "
    "large cycles exists apart from it. With three sliding equilibria the case is that of the slowest.\n\n"
    "JSON: {equilibria: [{kind, v, z, type, eigenvalues, at}], events: [{type, value, v, omega, lyapunov, "
    "loop, saddle_quantity, error}], cycles: [{at, period, v_min, v_max, z_min, z_max, multiplier, stable}], "
    "branches: [{value, v_min, v_max, stable}], searched: {complete, cycles: [{at, v_max, complete}], "
    "notes}, case}; numbers that an event does not have are left out. --csv and --hdf5 take the diagram as "
    "one table (equilibria and cycles along the range), with --map the case map, with --hopf the Hopf "
    "diagram.";

const br_analysis bri_analysis_phase = {
    .name = "phase",
    .summary = "equilibria, Hopf points, limit cycles, homoclinic orbits of a mechanism with friction",
    .method = "roots of the equilibrium and event equations, cycles as fixed points of the return map",
    .text = TEXT,
    .needs = BR_NEEDS_MODEL | BR_NEEDS_SYSTEM | BR_TAKES_TWO_AXES,
    .tables = "phase|map|criticality",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {bri_phase_usual, 2, .title = "Equilibria, cycles and where they change"},
    .pictures = bri_phase_pictures,
    .npictures = BRI_PHASE_PICTURES,
    .examples = EXAMPLES,
    .aliases = ALIASES,
    .naliases = BRI_LENGTH(ALIASES),
    .check = check,
    .run = run,
};
