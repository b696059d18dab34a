/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'loop': the steady hysteresis loop, its minor loops, its energy, the way into it, and
 * how it changes with speed.  The older sections 'wave' and 'rate' of studies are parts of it. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "answer.h"
#include "analysis/rows.h"
#include "base/alloc.h"
#include "text/fail.h"

static const br_option OPTIONS[] = {
    BRI_FROM_0("frequency", "F", "Hz",
               "join the turning points at constant speed, F periods a second; default infinitely slow",
               .def = "0"),
    BRI_FLAG("waveform", "the input in its own time: its speed at every moment counts", .def = "no",
             .excludes = "frequency",
             .clash = "here the input's own speed at every moment counts, there only its turning points"),
    BRI_NUMBER("scale", "G", "1", "with --waveform: the input runs G times slower; default 1", .def = "1",
               .lo = 0, .hi = 1e15, .lo_open = 1, .needs = "waveform",
               .why = "slows the input down in its own time"),
    BRI_OPTION("scales", LIST, "G1,G2,...",
               "distance to the quasi-static limit when the input runs G times slower", .unit = "1", .lo = 0,
               .hi = 1e15, .lo_open = 1),
    BRI_FROM_0("filter", "TAU", "s", "first-order filter behind the force (with --waveform, --scales)",
               .def = "0", .alias = "tau", .needs = "waveform|scales", .why = "needs the time of the input"),
    BRI_COUNT("periods", "K", 0, 1000,
              "follow the transient for K periods: from the first turning point, with --waveform from t = 0",
              .def = "0", .alias = "transient"),
    BRI_ROW_LOAD(1),
    BRI_PAIRS("switch", "T:NAME=VALUE,...",
              "with --waveform: parameters or load from time T of every period on; repeatable, states stay",
              .needs = "waveform", .why = "needs the time of the input"),
    BRI_ROW_DECIMAL,
    BRI_ROW_SENSITIVITY,
    BRI_COUNT("samples", "N", 1, 1e6,
              "points per arc of table and picture (default 100, fewer for long paths); per period with "
              "--waveform (default 400)"),
};

static const br_result_row RESULTS[] = {
    {"method", "", "closed-form or period-map"},
    {"path_length", "m", "path of one period, rho_u(T)"},
    {"turning.*.u", "m", "turning points; y is the value just before the reversal"},
    {"turning.*.y", "N", "force there"},
    {"turning.*.rho", "m", "path from the first one"},
    {"work", "J", "integral of y du over a period"},
    {"dissipation", "J", "work less the growth of the stored energy; null where none is defined"},
    {"major_work", "J", "where there are minor loops: work of the same motion without them"},
    {"extra_work", "J", "work less that: what they cost"},
    {"minor.*.start_reversal", "1", "minor loops: index of the turning point where each starts"},
    {"minor.*.u_start", "m", "displacement there"},
    {"minor.*.u_turn", "m", "far end"},
    {"minor.*.rho_start", "m", "path at the start"},
    {"minor.*.rho_end", "m", "path at the end"},
    {"minor.*.y_start", "N", "force at the start"},
    {"minor.*.y_end", "N", "force at the end"},
    {"minor.*.gap", "N", "y_end - y_start"},
    {"minor.*.work", "J", "work along it, nested loops included"},
    {"minor.*.dissipation", "J", "dissipation along it"},
    {"minor.*.parent", "1", "minor loop it is nested in, or null"},
    {"error", "N", "error of the forces, about"},
    {"y_min", "N", "smallest force of the loop"},
    {"y_max", "N", "largest force of the loop"},
    {"contraction", "1", "what a period leaves of a deviation"},
    {"attracting", "", "does a deviation shrink?"},
    {"iterations", "1", "period maps evaluated"},
    {"seconds", "s", "processor time of the loop alone"},
    {"rate.*.scale", "1", "with scales: how many times slower"},
    {"rate.*.transient", "N", "largest distance to the quasi-static limit, both from the same state"},
    {"rate.*.transient_at", "s", "time of the input where it is reached"},
    {"rate.*.steady", "N", "largest distance once settled"},
    {"rate.*.periods", "1", "periods until both repeat"},
    {"rate.*.order", "1", "order of convergence against the scale before: distance ~ 1/scale^order"},
    {"rate.*.graph", "1",
     "Hausdorff distance of the settled graphs; 1 is the width, the height of the limit loop"},
    {"consistent", "", "with two scales or more: does y_gamma converge (Theorem 2 a)?"},
    {"strongly_consistent", "", "and do its periods converge to one loop (Theorem 2 b)?"},
    {"transient.*.period", "1", "with periods: number of the period"},
    {"transient.*.distance", "N", "largest distance to the steady loop in it"},
    {"loop", "", "rho, u, y along the loop and the innermost minor loop, -1 for none", BR_RESULT_TABLE},
    {"wave", "", "t, u, y in the input's own time (waveform); with periods from t = 0, and the steady y",
     BR_RESULT_TABLE},
    {"steady", "", "t, u, y of the steady loop (waveform with periods)", BR_RESULT_PICTURE},
    {"turning", "", "u, y, rho of the turning points", BR_RESULT_TABLE},
    {"rate", "", "the distances of scales", BR_RESULT_TABLE},
    {"minor*", "", "rho, u, y along the first minor loops", BR_RESULT_TABLE},
    {"starts", "", "where minor loops start", BR_RESULT_TABLE},
    {"ends", "", "where they end", BR_RESULT_TABLE},
    {"transient*", "", "rho, u, y of each period of the transient", BR_RESULT_TABLE},
    {"scale*", "", "u, y of the settled loops of scales", BR_RESULT_PICTURE},
    {"rest*", "", "t, y from rest for scales", BR_RESULT_PICTURE},
    {"limit", "", "t, y from rest, infinitely slow", BR_RESULT_PICTURE},
    {"view", "", "t, y: what the picture of scales shows where they start with a spike", BR_RESULT_PICTURE},
    BRI_RESULT_SENSITIVITY,
};

static const br_picture_line LOOP_LINES[] = {
    {"transient*", "dotted", "transient", 8, 1},
    {"scale*", "line", NULL, 8},
    {"loop"},
    {"wave"},
    {"steady", "bold", "steady loop"},
    {"minor*", "bold", NULL, 12},
    {"starts", "circle", "starts"},
    {"ends", "square", "ends"},
};
static const br_picture_line PERIOD_LINES[] = {{"loop", "bold", "steady"}, {"transient*", "line", NULL, 8}};
static const br_picture_line REST_LINES[] = {
    {"view", "frame"}, {"rest*", "line", NULL, 8}, {"limit", "muted", "limit"}};
static const br_picture_line START_LINES[] = {{"wave", "line", "from the start"},
                                              {"wave", "muted", "steady", 0, 0, 0, NULL, "steady"}};
static const br_picture_line WAVE_LINES[] = {{"wave", "line"}};
static const br_picture_line RATE_LINES[] = {{"rate", "points"}};
static const br_picture_panel PANELS[] = {
    {"u", "y", "displacement u", "friction force y", NULL, LOOP_LINES, 8},
    {"rho", "y", "path length in the period", "friction force y", "transient*", PERIOD_LINES, 2},
    {"t", "y", "time t of the input", "friction force y", "rest*", REST_LINES, 3},
    {"t", "y", "time t of the input", "friction force y", "steady", START_LINES, 2},
};
static const br_picture_panel WAVE_PANELS[] = {
    {"u", "y", "displacement u", "friction force y", NULL, WAVE_LINES, 1}};
static const br_picture_panel RATE_PANELS[] = {
    {"scale", "transient", "time scale", "largest distance", NULL, RATE_LINES, 1}};

static const br_example EXAMPLES[] = {
    {"bristle loop --model lugre --set sigma0=6,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1 --input "
     "bimodal:0,1,0.5,1.5",
     "closed form: corners, minor loop and its gap, energy"},
    {"bristle loop --model bouc_wen --set beta=0.25,gamma=0.75 --input turning:-2,2 --json",
     "fixed point of the period map, as JSON"},
    {"bristle loop --model dahl --set sigma0=1,Fc=1 --input sine:1,1 --filter 1 --scales 20,200,2000",
     "how a filtered loop approaches its limit as the motion slows down"},
    {NULL, NULL},
};

static const br_result_alias ALIASES[] = {{"distance.*", "rate.*"}};

/* ---- the numbers ---- */

static br_status put_turning(const bri_loop_question *q, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"u", "m"}, {"y", "N"}, {"rho", "m"}};
  const br_table_head head = {"turning", BR_TABLE_LIST | BR_TABLE_FILE, 3, COLUMNS, q->sum.n_turning};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < q->sum.n_turning && !st; i++) {
    const double row[] = {q->turning[i].u, q->turning[i].y, q->turning[i].rho};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

static br_status put_minor(const bri_loop_question *q, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"start_reversal", "1"}, {"u_start", "m"}, {"u_turn", "m"},
                                      {"rho_start", "m"},      {"rho_end", "m"}, {"y_start", "N"},
                                      {"y_end", "N"},          {"gap", "N"},     {"work", "J"},
                                      {"dissipation", "J"},    {"parent", "1"}};
  const br_table_head head = {"minor", BR_TABLE_LIST, sizeof COLUMNS / sizeof COLUMNS[0], COLUMNS,
                              q->sum.n_minor};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < q->sum.n_minor && !st; i++) {
    const br_minor *m = &q->minor[i];
    const double parent = m->parent == BR_NO_PARENT ? (double)NAN : (double)m->parent;
    const double start = (double)m->start_reversal;
    const double row[] = {start,    m->u_start, m->u_turn, m->rho_start,   m->rho_end, m->y_start,
                          m->y_end, m->gap,     m->work,   m->dissipation, parent};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

br_status bri_loop_numbers(const bri_loop_question *q, br_sink *out, br_err *err)
{
  const br_loop_summary *s = &q->sum;
  br_put_text(out, s->method == BR_LOOP_CLOSED_FORM ? "closed-form" : "period-map", "method");
  br_put_number(out, "m", s->path_length, "path_length");
  br_status st = put_turning(q, out, err);
  br_put_number(out, "J", s->work, "work");
  br_put_number(out, "J", s->dissipation, "dissipation");
  if (!st && s->n_minor && q->loop) st = bri_loop_extra(q, out, err);
  if (!st) st = put_minor(q, out, err);
  br_put_number(out, "N", s->error, "error");
  br_put_number(out, "N", s->y_min, "y_min");
  br_put_number(out, "N", s->y_max, "y_max");
  br_put_number(out, "1", s->contraction, "contraction");
  br_put_flag(out, s->contraction < 1, "attracting");
  br_put_number(out, "1", s->iterations, "iterations");
  br_put(out, BR_VALUE_TIME, q->seconds, "seconds");
  return st;
}

/* ---- the question ---- */

void bri_loop_settings_of(bri_loop_question *q, const br_stop *stop)
{
  const br_job *job = q->job;
  q->m = br_job_model(job);
  q->par = br_job_par(job);
  q->input = br_job_input(job, 0);
  q->set = br_loop_settings_default();
  q->wave_set = br_wave_settings_default();
  q->set.stop = q->wave_set.stop = *stop;
  q->set.frequency = br_job_number(job, "frequency");
  q->set.load = q->wave_set.load = br_job_number(job, "load");
  q->wave_set.load_signal = br_job_load(job, 0);
  q->wave_set.tau = br_job_number(job, "filter");
  q->wave_set.scale = br_job_number(job, "scale");
  q->samples = br_job_count(job, "samples");
  if (q->samples) q->wave_set.samples = q->samples < 8 ? 8 : q->samples;
  q->periods = br_job_count(job, "periods");
  q->scales = br_job_list(job, "scales", &q->nscales);
  q->wave_set.z0 = br_job_start(job, NULL);
}

static br_status read_switches(bri_loop_question *q, br_err *err)
{
  const br_status st = bri_job_element_stages(q->job, &q->stages, &q->nstage, err);
  if (st || !q->nstage) return st;
  if (q->nscales) return bri_fail(err, BR_E_ARG, "loop: what switches has no quasi-static limit (scales)");
  q->switches = bri_calloc(q->nstage, sizeof *q->switches);
  if (!q->switches) return bri_no_memory(err, "loop");
  for (size_t i = 0; i < q->nstage; i++)
    q->switches[i] = (br_wave_switch){q->stages[i].t, q->stages[i].par, q->stages[i].load};
  q->wave_set.switches = q->switches, q->wave_set.nswitch = q->nstage;
  return BR_OK;
}

static br_status compute_wave(bri_loop_question *q, br_err *err)
{
  br_status st = read_switches(q, err);
  if (!st) st = br_wave_create(q->m, q->par, q->input, &q->wave_set, &q->wave, err);
  if (st) return st;
  const br_wave_result *r = br_wave_get(q->wave);
  q->sum = (br_loop_summary){.method = BR_LOOP_PERIOD_MAP,
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
  q->turning = r->turning;
  q->minor = r->minor;
  if (!q->periods) return BR_OK;
  br_wave_settings start = q->wave_set;
  start.periods = q->periods;
  return br_wave_create(q->m, q->par, q->input, &start, &q->start, err);
}

static br_status compute_loop(bri_loop_question *q, br_err *err)
{
  const br_status st = br_loop_of_signal(q->m, q->par, q->input, &q->set, &q->loop, err);
  if (st) return st;
  q->sum = *br_loop_get(q->loop);
  q->turning = br_loop_turnings(q->loop);
  q->minor = br_loop_minors(q->loop);
  return BR_OK;
}

static void note_repelling(const bri_loop_question *q, br_sink *out)
{
  char text[160];
  if (q->sum.contraction <= 1 + q->sum.contraction_error) return;
  (void)snprintf(text, sizeof text,
                 "warning: this loop repels: a deviation grows %.4g times a period, no motion settles on it",
                 q->sum.contraction);
  br_sink_note(out, text);
}

br_status bri_loop_compute(bri_loop_question *q, br_err *err)
{
  return br_job_flag(q->job, "waveform") ? compute_wave(q, err) : compute_loop(q, err);
}

void bri_loop_release(bri_loop_question *q)
{
  br_loop_destroy(q->loop);
  br_wave_destroy(q->wave);
  br_wave_destroy(q->start);
  bri_free(q->switches);
  bri_element_stages_free(q->stages, q->nstage);
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  bri_loop_question q = {.job = job};
  bri_loop_settings_of(&q, &out->stop);
  br_status st = br_sink_alive(out, 0, err);
  const clock_t start = clock();
  if (!st) st = bri_loop_compute(&q, err);
  q.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (!st) st = bri_loop_numbers(&q, out, err);
  if (!st && q.nscales) st = bri_loop_rates(&q, out, err);
  if (!st && q.periods) st = bri_loop_transient(&q, out, err);
  if (!st) st = bri_loop_tables(&q, out, err);
  if (!st) note_repelling(&q, out);
  bri_loop_release(&q);
  return st;
}

static br_status check(const br_job *job, br_err *err)
{
  if (br_job_given(job, "init") && !br_job_count(job, "periods") && !br_job_given(job, "scales"))
    return bri_fail(
        err, BR_E_ARG,
        "--init is the start of a transient: add --periods K or --scales G1,G2,... (the steady loop "
        "does not depend on it)");
  if (br_job_load(job, 0) && (!br_job_flag(job, "waveform") || br_job_given(job, "scales")))
    return bri_fail(err, BR_E_ARG,
                    "the load N varies in time: %swaveform follows it (without %sscales); %sload holds it",
                    br_job_dash(job), br_job_dash(job), br_job_dash(job));
  return BR_OK;
}

static const char TEXT[] =
    "Gives the loop a friction element settles on under a periodic motion: the force y at each turning "
    "point, the minor loops nested in it, work and dissipation. A motion that does not repeat is closed to a "
    "cycle. Dahl with gamma = 1 and LuGre have a closed form, at a cost of one exponential per reversal; "
    "every other model is solved for the fixed point of its period map.\n\n"
    "work is the integral of y du, dissipation what is left of it after the change of the stored energy. A "
    "minor loop starts at a reversal, runs to u_turn and ends where u first comes back to u_start; gap is "
    "the difference of its two forces. At a turning point y is the value just before the reversal; y_min and "
    "y_max are the range over the whole loop.\n\n"
    "JSON: {method, path_length, turning: [{u, y, rho}], work, dissipation, minor: [{start_reversal, "
    "u_start, u_turn, rho_start, rho_end, y_start, y_end, gap, work, dissipation, parent}], error, y_min, "
    "y_max, contraction, attracting, iterations, seconds}, where there are minor loops also major_work and "
    "extra_work; with --scales rate: [{scale, transient, transient_at, steady, periods, order, graph}], "
    "consistent, strongly_consistent, with --periods transient: [{period, distance}], with --waveform wave: "
    "{t, u, y}, from t = 0 and with steady where --periods is given.";

#define LOOP_ROWS                                                                                    \
  .text = TEXT, .needs = BR_NEEDS_MODEL | BR_NEEDS_INPUT | BR_TAKES_INIT | BR_TAKES_LOAD,            \
  .input_doc = "the motion u; only its turning points count unless --waveform or --scales is given", \
  .init_doc = "states at the start of that transient; zero where not given", .tables = "loop|wave",  \
  BRI_ROWS(OPTIONS, RESULTS), .examples = EXAMPLES, .check = check, .run = run, .slope = bri_loop_slope

const br_analysis bri_analysis_loop = {.name = "loop",
                                       .summary = "steady hysteresis loop, minor loops, energy",
                                       .method = "fixed point of the period map",
                                       LOOP_ROWS,
                                       .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Hysteresis loop"}};
const br_analysis bri_analysis_wave = {
    .name = "wave",
    .summary = "steady response to a periodic motion in its own time, slowed down and filtered",
    .method = "fixed point of the period map, in the input's own time",
    LOOP_ROWS,
    .picture = {WAVE_PANELS, BRI_LENGTH(WAVE_PANELS), .title = "Steady response"},
    .alias_of = "loop",
    .preset = "waveform=yes"};
const br_analysis bri_analysis_rate = {
    .name = "rate",
    .summary = "distance of the response from its quasi-static limit at several time scales",
    .method = "fixed points of the period maps at every scale",
    LOOP_ROWS,
    .picture = {RATE_PANELS, BRI_LENGTH(RATE_PANELS), .title = "Approach to the quasi-static limit"},
    .aliases = ALIASES,
    .naliases = BRI_LENGTH(ALIASES),
    .alias_of = "loop",
    .wants = "scales"};
