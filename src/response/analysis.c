/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'response': periodic answers of a driven mechanism over frequency or amplitude. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/rows.h"
#include "base/alloc.h"
#include "bristle/unit.h"
#include "response.h"
#include "solve/plant.h"
#include "table/range.h"
#include "text/fail.h"

static const br_option OPTIONS[] = {
    BRI_TEXT("vary", "frequency=A:B|amplitude=A:B",
             "what varies, from A to B: the frequency of the input in Hz, or its amplitude"),
    BRI_ABOVE_0("frequency", "F", "Hz", "frequency of the input where its amplitude varies"),
    BRI_TEXT("amplitude", "A", "amplitude of the input where its frequency varies"),
    BRI_TEXT("drive", "NAME", "input that is a sine, about the value it is held at; default the first"),
    BRI_TEXT("watch", "STATE",
             "state whose amplitude and phase are told; default the displacement of the first contact"),
    BRI_COUNT("points", "N", 4, 2000,
              "about so many points along a straight curve, more around peaks; default 60", .def = "60"),
    BRI_NUMBER("rtol", "X", "1", "relative tolerance of the integration; default 1e-11", .def = "1e-11",
               .lo = 1e-13, .hi = 1e-6),
};

static const br_result_row RESULTS[] = {
    {"points", "", "the points below, one by one; in studies the table has them", BR_RESULT_DETAIL},
    {"points.*.frequency", "Hz", "of the input"},
    {"points.*.amplitude_in", "", "of the input"},
    {"points.*.amplitude", "", "half of what lies between least and most of the watched state"},
    {"points.*.phase", "rad", "of its first harmonic against the input"},
    {"points.*.stable", "", "do all deviations die out?"},
    {"points.*.multiplier", "1", "largest size of a Floquet multiplier"},
    {"points.*.work", "J", "of the inputs in a period: what is lost"},
    {"points.*.stiffness", "N/m",
     "of the first contact: its force in phase with its displacement, first harmonics"},
    {"points.*.loss_factor", "1", "force a quarter ahead of the displacement, over that in phase"},
    {"events.*.type", "",
     "fold, period_doubling, neimark_sacker, or peak: a largest amplitude along the curve"},
    {"events.*.frequency", "Hz", "where"},
    {"events.*.amplitude_in", "", "where"},
    {"events.*.amplitude", "", "of the watched state there"},
    {"events.*.phase", "rad", "there"},
    {"peak.frequency", "Hz", "where the watched state has its largest amplitude"},
    {"peak.amplitude_in", "", "there"},
    {"peak.amplitude", "", "there"},
    {"watched", "", "state whose amplitude is told"},
    {"searched", "", "value up to which the curve was followed"},
    {"response", "",
     "all points: frequency, amplitude_in, amplitude, phase, stable, multiplier, work, stiffness, "
     "loss_factor",
     BR_RESULT_TABLE},
    {"stable*", "", "stable parts of the curve against what varies", BR_RESULT_USUAL},
    {"unstable*", "", "unstable parts", BR_RESULT_USUAL},
};

static const br_picture_line LINES[] = {
    {.table = "stable*", .style = "bold", .label = "stable", .colour = 1},
    {.table = "unstable*", .style = "dashed", .label = "unstable", .colour = 2}};
static const br_picture_panel PANELS[] = {
    {NULL, "amplitude", NULL, "amplitude of the answer", NULL, LINES, 2},
    {NULL, "phase", NULL, "phase against the input", NULL, LINES, 2},
    {"amplitude", "stiffness", "amplitude of the answer", "stiffness of the contact", NULL, LINES, 2},
    {"amplitude", "loss_factor", "amplitude of the answer", "loss factor of the contact", NULL, LINES, 2},
};

static const br_example EXAMPLES[] = {
    {"bristle response --system mass_spring --model dahl --set m=1,ks=100,sigma0=200,Fc=1 --amplitude 1.2N "
     "--vary frequency=1:4 --points 20",
     "resonance of a mass on a spring with a Dahl element beside it"},
    {"bristle response --system prescribed --model maxwell_slip --set k=1000,Delta=1mm --frequency 1Hz "
     "--vary amplitude=0.5mm:5mm --points 12",
     "stiffness and loss factor of one spring-slider element against its stroke"},
    {NULL, NULL},
};

/* ---- the question ---- */

typedef struct {
  const br_job *job;
  br_sink *out;
  const br_system *sys;
  size_t drive; /* input */
  double a, b, frequency, amplitude;
  int by_amplitude;
} question;

static br_status number(const question *q, const char *option, const char *text, size_t n, const char *unit,
                        double *x, br_err *err)
{
  br_unit written, wanted;
  int has = 0;
  br_err why = {0};
  const char *dash = br_job_dash(q->job);
  if (br_quantity_parse(text, n, x, &written, &has, &why) || !isfinite(*x) || !(*x > 0))
    return bri_fail(err, BR_E_PARSE, "%s%s: '%.*s' is not a number above 0", dash, option, bri_text_width(n),
                    text);
  if (has && !br_unit_parse(unit, strlen(unit), &wanted, NULL) && !br_unit_same(&written, &wanted))
    return bri_fail(err, BR_E_PARSE, "%s%s: '%.*s' is not in %s", dash, option, bri_text_width(n), text,
                    unit);
  return BR_OK;
}

static br_status read(question *q, br_err *err)
{
  const br_job *job = q->job;
  const char *vary = br_job_text(job, "vary"), *drive = br_job_text(job, "drive"), *d = br_job_dash(job);
  const char *amplitude = br_job_text(job, "amplitude");
  q->sys = br_job_system(job);
  for (q->drive = 0; drive && q->drive < q->sys->ninput; q->drive++)
    if (strcmp(q->sys->inputs[q->drive].name, drive) == 0) break;
  if (q->sys->ninput == 0 || q->drive == q->sys->ninput)
    return bri_fail(err, BR_E_NAME, "%sdrive: %s has no input '%.40s'", d, q->sys->name, drive ? drive : "");
  const char *unit = q->sys->inputs[q->drive].unit;
  bri_range r;
  if (!vary) return bri_fail(err, BR_E_ARG, "%svary is missing, e.g. frequency=1:5 or amplitude=0.1:2", d);
  q->by_amplitude = strncmp(vary, "amplitude=", 10) == 0;
  if (!bri_range_split(vary, &r) || (!q->by_amplitude && strncmp(vary, "frequency=", 10) != 0))
    return bri_fail(err, BR_E_PARSE, "%svary %.60s: expected frequency=A:B or amplitude=A:B", d, vary);
  const char *of = q->by_amplitude ? unit : "Hz";
  br_status st = number(q, "vary", r.text[0], r.length[0], of, &q->a, err);
  if (!st) st = number(q, "vary", r.text[1], r.length[1], of, &q->b, err);
  if (!st && !(q->a < q->b))
    st = bri_fail(err, BR_E_RANGE, "%svary %.60s: the first value must be the smaller one", d, vary);
  if (st) return st;
  q->frequency = q->by_amplitude ? br_job_number(job, "frequency") : q->a;
  if (q->by_amplitude ? !br_job_given(job, "frequency") : !amplitude)
    return bri_fail(err, BR_E_ARG, "%s%s is missing: what is held while the %s varies", d,
                    q->by_amplitude ? "frequency" : "amplitude", q->by_amplitude ? "amplitude" : "frequency");
  if (q->by_amplitude ? amplitude != NULL : br_job_given(job, "frequency"))
    return bri_fail(err, BR_E_ARG, "%s%s varies already", d, q->by_amplitude ? "amplitude" : "frequency");
  if (q->by_amplitude) return BR_OK;
  return number(q, "amplitude", amplitude, strlen(amplitude), unit, &q->amplitude, err);
}

static br_status check(const br_job *job, br_err *err)
{
  question q = {.job = job};
  const br_plant *plant = br_job_plant(job);
  const char *watch = br_job_text(job, "watch");
  br_status st = read(&q, err);
  if (!st && watch && br_plant_index(plant, watch) < 0)
    st = bri_fail(err, BR_E_NAME, "%swatch: no state '%.40s'", br_job_dash(job), watch);
  return st;
}

/* ---- the answer ---- */

enum { COLUMNS = 9 };
typedef struct {
  question *q;
  const char *watched; /* unit of the watched state */
  size_t n, room, events;
  double (*rows)[COLUMNS];
  double peak[3]; /* frequency, amplitude of the input and of the answer, where that is largest */
} answer;

static void larger(answer *a, const bri_point *p)
{
  if (!(p->amplitude > a->peak[2])) return;
  a->peak[0] = p->frequency, a->peak[1] = p->amplitude_in, a->peak[2] = p->amplitude;
}

static br_status keep(void *ctx, const bri_point *p, br_err *err)
{
  answer *a = ctx;
  if (a->n == a->room) {
    const size_t room = a->room ? 2 * a->room : 128;
    void *more = bri_realloc(a->rows, room * sizeof *a->rows);
    if (!more) return bri_fail(err, BR_E_NOMEM, "no memory for a response curve");
    a->rows = more, a->room = room;
  }
  const double row[COLUMNS] = {p->frequency, p->amplitude_in,      p->amplitude,
                               p->phase,     p->radius < 1 + 1e-4, p->radius,
                               p->work,      p->stiffness,         p->loss_factor};
  memcpy(a->rows[a->n++], row, sizeof row);
  larger(a, p);
  const double at = a->q->by_amplitude ? p->amplitude_in : p->frequency;
  return br_sink_alive(a->q->out, fmin(1, fmax(0, (at - a->q->a) / (a->q->b - a->q->a))), err);
}

static br_status event(void *ctx, int kind, const bri_point *p, br_err *err)
{
  static const char *const NAMES[] = {"fold", "period_doubling", "neimark_sacker", "peak"};
  answer *a = ctx;
  br_sink *out = a->q->out;
  const size_t i = a->events++;
  (void)err;
  larger(a, p);
  br_put_text(out, NAMES[kind], "events.%zu.type", i);
  br_put_number(out, "Hz", p->frequency, "events.%zu.frequency", i);
  br_put_number(out, a->q->sys->inputs[a->q->drive].unit, p->amplitude_in, "events.%zu.amplitude_in", i);
  br_put_number(out, a->watched, p->amplitude, "events.%zu.amplitude", i);
  br_put_number(out, "rad", p->phase, "events.%zu.phase", i);
  return BR_OK;
}

static br_status put(const answer *a, const char *stiffness, br_err *err)
{
  br_sink *out = a->q->out;
  const char *in = a->q->sys->inputs[a->q->drive].unit;
  const br_column columns[COLUMNS] = {
      {"frequency", "Hz"}, {"amplitude_in", in},     {"amplitude", a->watched},
      {"phase", "rad"},    {"stable", "1"},          {"multiplier", "1"},
      {"work", "J"},       {"stiffness", stiffness}, {"loss_factor", "1"}};
  const int wanted = br_sink_wants(out, "points");
  if (wanted) br_put(out, BR_VALUE_LIST, 0, "points");
  for (size_t i = 0; i < a->n; i++) {
    for (int c = 0; c < COLUMNS && wanted; c++)
      if (c == 4) br_put_flag(out, a->rows[i][c] != 0, "points.%zu.stable", i);
      else br_put_number(out, columns[c].unit, a->rows[i][c], "points.%zu.%s", i, columns[c].name);
  }
  br_put_number(out, "Hz", a->peak[0], "peak.frequency");
  br_put_number(out, in, a->peak[1], "peak.amplitude_in");
  br_put_number(out, a->watched, a->peak[2], "peak.amplitude");
  const br_table_head head = {"response", BR_TABLE_MAIN | BR_TABLE_FILE, COLUMNS, columns, a->n};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < a->n && !st; i++) st = br_put_row(out, a->rows[i], err);
  if (!st) st = br_put_end(out, err);
  if (st || !br_sink_wants(out, "stable1")) return st;
  const size_t lead = a->q->by_amplitude ? 1 : 0;
  const br_column shown[] = {columns[lead], columns[2], columns[3], columns[7], columns[8]};
  for (size_t i = 0, part = 1; i + 1 < a->n && !st;
       part++) { /* parts of one kind, each with the point that ends it */
    size_t to = i + 1;
    char name[32];
    while (to < a->n - 1 && a->rows[to][4] == a->rows[i + 1][4]) to++;
    const int stable = a->rows[i + 1][4] != 0;
    (void)snprintf(name, sizeof name, "%s%zu", stable ? "stable" : "unstable", part);
    const br_table_head h = {name, BR_TABLE_FILE, 5, shown, to - i + 1};
    st = br_put_table(out, &h, err);
    for (size_t k = i; k <= to && !st; k++) {
      const double row[] = {a->rows[k][lead], a->rows[k][2], a->rows[k][3], a->rows[k][7], a->rows[k][8]};
      st = br_put_row(out, row, err);
    }
    if (!st) st = br_put_end(out, err);
    i = to;
  }
  return st;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  question q = {.job = job, .out = out};
  bri_sine sine = {0, 0, 0};
  br_plant *plant = NULL;
  answer a = {.q = &q};
  br_status st = read(&q, err);
  if (st) return st;
  br_drive *drives = bri_calloc(q.sys->ninput, sizeof *drives);
  if (!drives) return bri_fail(err, BR_E_NOMEM, "no memory for a response curve");
  for (size_t k = 0; k < q.sys->ninput && !st; k++) {
    char name[64];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "input.%s", q.sys->inputs[k].name);
    drives[k].value = q.sys->inputs[k].def;
    if (br_params_get(br_job_params(job), name, 1, &drives[k].value, &n, NULL))
      drives[k].value = q.sys->inputs[k].def;
  }
  sine = (bri_sine){q.by_amplitude ? q.a : q.amplitude, q.frequency, drives[q.drive].value};
  drives[q.drive] = bri_sine_drive(&sine);
  st = br_plant_of(q.sys, br_job_model(job), br_job_params(job), drives, &plant, err);
  if (!st) {
    const char *watch = br_job_text(job, "watch"), *in = q.sys->inputs[q.drive].unit;
    const int place = bri_plant_position(plant, 0), v = br_plant_velocity(plant, 0);
    bri_response r = {.plant = plant,
                      .sine = &sine,
                      .vary = q.by_amplitude ? &sine.amplitude : &sine.frequency,
                      .from = q.a,
                      .to = q.b,
                      .points = br_job_count(job, "points"),
                      .position = place,
                      .given = v < 0,
                      .driven = q.drive,
                      .rtol = br_job_number(job, "rtol"),
                      .stop = out->stop,
                      .point = keep,
                      .event = event,
                      .ctx = &a};
    double end = q.a;
    r.watched = watch ? br_plant_index(plant, watch) : place >= 0 ? place : v;
    a.watched = r.watched < 0 ? in : br_plant_unit(plant, (size_t)r.watched);
    br_put(out, BR_VALUE_LIST, 0, "events");
    br_err why = {0};
    st = bri_response_follow(&r, br_job_start(job, NULL), &end, &why);
    if (st == BR_E_CONVERGE && a.n > 1) { /* what there is, is told, and where it ends */
      br_sink_note(out, why.msg);
      st = BR_OK;
    } else if (st && err) *err = why;
    br_put_text(out, r.watched < 0 ? q.sys->inputs[q.drive].name : br_plant_state(plant, (size_t)r.watched),
                "watched");
    br_put_number(out, q.by_amplitude ? in : "Hz", end, "searched");
    if (!st)
      st = put(&a, place >= 0 && strcmp(br_plant_unit(plant, (size_t)place), "rad") == 0 ? "N m/rad" : "N/m",
               err);
  }
  br_plant_destroy(plant);
  bri_free(drives);
  bri_free(a.rows);
  return st;
}

static const char TEXT[] = "Finds motions that repeat with the period of a sine in one input, and follows "
                           "them over its frequency or amplitude by continuation of the period map, through "
                           "folds, stable or not. Stick, slip and reversals are located in every period; "
                           "nothing is averaged.\n\n"
                           "Stiffness and loss factor of the contact are its describing function: first "
                           "harmonic of its force over that of its displacement. With --system prescribed "
                           "the element alone is asked.\n\n"
                           "JSON: {points: [{frequency, amplitude_in, amplitude, phase, stable, multiplier, "
                           "work, stiffness, loss_factor}], events: [{type, frequency, amplitude_in, "
                           "amplitude, phase}], peak: {frequency, amplitude_in, amplitude}, watched, "
                           "searched}.";

const br_analysis bri_analysis_response = {
    .name = "response",
    .summary = "periodic answers of a driven mechanism over frequency or amplitude",
    .method = "continuation of the period map, stick, slip and kinks located",
    .accuracy = "a period comes back to 1e-9 of each state; harmonics from 2048 samples (of given motion "
                "4096): 2e-5 (1e-6) of a force with kinks, 4e-3 of one that jumps",
    .text = TEXT,
    .needs = BR_NEEDS_MODEL | BR_NEEDS_SYSTEM | BR_TAKES_INIT,
    .tables = "response",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Response curve"},
    .examples = EXAMPLES,
    .check = check,
    .run = run,
};
