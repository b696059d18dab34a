/* SPDX-License-Identifier: Apache-2.0
 * analysis_classify.c - analysis 'classify': kind of hysteresis, energy and memory of a model, or of all,
 * measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "along.h"
#include "analysis/rows.h"
#include "bristle/classify.h"
#include "text/fail.h"

static const br_option OPTIONS[] = {
    BRI_YES("energy", "search for a motion that takes energy out; default yes"),
    BRI_YES("memory", "return-point memory and congruency of minor loops; default yes"),
    BRI_NUMBER("angle", "DEG", "deg",
               "models with two axes: direction from x of the line they are moved along; default 0",
               .def = "0", .lo = -360, .hi = 360),
};

static const br_result_row RESULTS[] = {
    {"models.*.model", "", "one entry per model: its name"},
    {"models.*.label", "", "with the parameters that were set"},
    {"models.*.angle", "deg", "models with two axes: direction of the line they were moved along"},
    {"models.*.duhem_class", "", "generalized, semilinear or none"},
    {"models.*.rate_dependent", "", "does speed matter?"},
    {"models.*.continuity", "", "lipschitz, continuous or discontinuous"},
    {"models.*.hysteretic", "",
     "is a loop left when the motion is infinitely slow? null: it has no steady loop"},
    {"models.*.claimed", "", "the same three as the model states them"},
    {"models.*.printed", "", "row of document 4's Table I and a note where it needs correction, or null"},
    {"models.*.proposition.homogeneous", "",
     "document 4, Proposition 2.1: is g positively homogeneous, g(a v) = a g(v)?"},
    {"models.*.proposition.deviation", "1",
     "largest |x'(a v)/a - x'(v)| over a = 1e-3..1e3 and both directions, relative"},
    {"models.*.proposition.path_change", "1",
     "what it implies, measured: change of the force along one path at speeds "
     "1e-7..1e3 m/s, relative; null where g is not homogeneous or the force depends on the rate"},
    {"models.*.evidence.rate_change", "1", "change of rate/speed over speeds 1e-3..1e3, relative"},
    {"models.*.evidence.force_change", "1", "the same of the force"},
    {"models.*.evidence.exponent", "1", "|f(x+d)-f(x)| ~ d^exponent at the steepest place"},
    {"models.*.evidence.slow_loop", "1",
     "largest part of its bounding box that an infinitely slow loop encloses"},
    {"models.*.energy.verdict", "", "admissible, active, ..."},
    {"models.*.energy.worst_rate", "W", "smallest F v - dE/dt found"},
    {"models.*.energy.cycle.work", "J", "work of the worst cycle found"},
    {"models.*.memory.return_point", "1", "return-point memory: 0 where the model has it"},
    {"models.*.memory.congruency", "1", "congruency of minor loops: 0 where the model has it"},
    {"models.*.memory.closure", "1", "closure of minor loops: 0 where the model has it"},
};

static const br_result_alias ALIASES[] = {
    {"duhem_class", "models.0.duhem_class"},
    {"rate_dependent", "models.0.rate_dependent"},
    {"continuity", "models.0.continuity"},
    {"hysteretic", "models.0.hysteretic"},
    {"slow_loop", "models.0.evidence.slow_loop"},
    {"table1.duhem", "models.0.printed.duhem_class"},
    {"table1.*", "models.0.printed.*"},
    {"homogeneous", "models.0.proposition.homogeneous"},
    {"homogeneity", "models.0.proposition.deviation"},
    {"path_change", "models.0.proposition.path_change"},
    {"rate_change", "models.0.evidence.rate_change"},
    {"force_change", "models.0.evidence.force_change"},
    {"exponent", "models.0.evidence.exponent"},
    {"energy", "models.0.energy.verdict"},
    {"worst_rate", "models.0.energy.worst_rate"},
    {"cycle_work", "models.0.energy.cycle.work"},
    {"return_point", "models.0.memory.return_point"},
    {"congruency", "models.0.memory.congruency"},
    {"closure", "models.0.memory.closure"},
};

static const br_example EXAMPLES[] = {
    {"bristle classify --energy no",
     "all models: Table I of document 4 with the printed cells beside the measured ones"},
    {"bristle classify --model bouc_wen --set beta=-0.25,gamma=1.25", "shows the cycle that creates energy"},
    {"bristle classify --model lugre --json", "one model with all evidence, for programs"},
    {NULL, NULL},
};

/* Document 4's rows first, then what else has one axis. */
static const struct {
  const char *model, *set;
} TABLE[] = {{"dahl", "gamma=0"}, {"dahl", "gamma=0.5"}, {"dahl", "gamma=1"},
             {"dahl", "gamma=2"}, {"lugre", NULL},       {"maxwell_slip", NULL}};
enum { TABLE_ROWS = sizeof TABLE / sizeof TABLE[0] };

/* ---- one model ---- */

/* "models.3." in front of every name. */
typedef struct {
  br_sink *out;
  size_t index;
  const br_model *m;
  const double *par;
} entry;

#define NUMBER(e, unit, x, name) br_put_number((e)->out, unit, x, "models.%zu." name, (e)->index)
#define TEXT_OF(e, text, name) br_put_text((e)->out, text, "models.%zu." name, (e)->index)
#define FLAG(e, x, name) br_put_flag((e)->out, x, "models.%zu." name, (e)->index)
#define EMPTY(e, name)                                                 \
  do {                                                                 \
    char path[64];                                                     \
    (void)snprintf(path, sizeof path, "models.%zu." name, (e)->index); \
    br_put((e)->out, BR_VALUE_LIST, 0, path);                          \
  } while (0)

static const char *duhem_text(br_duhem_class d)
{
  return d == BR_DUHEM_GENERALIZED ? "generalized" : d == BR_DUHEM_SEMILINEAR ? "semilinear" : "none";
}

static const char *continuity_text(br_continuity c)
{
  return c == BR_LIPSCHITZ ? "lipschitz" : c == BR_CONTINUOUS ? "continuous" : "discontinuous";
}

static void put_class(const entry *e, const br_class_report *c)
{
  br_class claimed;
  const br_table1_row *printed = br_table1_printed(e->m, e->par);
  e->m->classify(e->par, &claimed);
  TEXT_OF(e, duhem_text(c->measured.duhem), "duhem_class");
  FLAG(e, c->measured.rate_dependent, "rate_dependent");
  TEXT_OF(e, continuity_text(c->measured.continuity), "continuity");
  TEXT_OF(e, duhem_text(claimed.duhem), "claimed.duhem_class");
  FLAG(e, claimed.rate_dependent, "claimed.rate_dependent");
  TEXT_OF(e, continuity_text(claimed.continuity), "claimed.continuity");
  if (printed) {
    TEXT_OF(e, printed->row, "printed.row");
    TEXT_OF(e, printed->duhem, "printed.duhem_class");
    TEXT_OF(e, printed->rate, "printed.rate");
    TEXT_OF(e, printed->continuity, "printed.continuity");
    TEXT_OF(e, printed->note, "printed.note");
  } else {
    TEXT_OF(e, NULL, "printed");
  }
  const int homogeneous = c->rate_change <= 1e-9; /* a stateless map has no g */
  if (e->m->nstate(e->par)) {
    FLAG(e, homogeneous, "proposition.homogeneous");
    NUMBER(e, "1", c->rate_change, "proposition.deviation");
    NUMBER(e, "1", homogeneous && !c->output_uses_rate ? c->path_change : (double)NAN,
           "proposition.path_change");
  }
  NUMBER(e, "1", c->rate_change, "evidence.rate_change");
  NUMBER(e, "1", c->force_change, "evidence.force_change");
  NUMBER(e, "1", c->path_change, "evidence.path_change");
  NUMBER(e, "1", c->rank, "evidence.rank");
  NUMBER(e, "1", c->affine_error, "evidence.affine_error");
  NUMBER(e, "1", c->exponent, "evidence.exponent");
  NUMBER(e, "1", (double)c->worst_state, "evidence.worst_state");
  NUMBER(e, "1", c->worst_x, "evidence.worst_x");
  FLAG(e, c->output_uses_rate, "evidence.output_uses_rate");
}

static void put_cycle(const entry *e, const br_energy_report *r)
{
  static const char *const KIND[] = {"loop", "speeds", "schedule"};
  const int turns = r->cycle_is_speed == BR_CYCLE_SPEEDS, legs = r->cycle_is_speed == BR_CYCLE_SCHEDULE;
  const char *unit = turns ? "m/s" : "m";
  NUMBER(e, "J", r->cycle_work < 1e300 ? r->cycle_work : (double)NAN, "energy.cycle.work");
  TEXT_OF(e, KIND[r->cycle_is_speed], "energy.cycle.kind");
  if (!legs) {
    br_put_number(e->out, unit, r->cycle_a, "models.%zu.energy.cycle.%s", e->index, turns ? "v_a" : "u_max");
    br_put_number(e->out, unit, r->cycle_b, "models.%zu.energy.cycle.%s", e->index, turns ? "v_b" : "u_min");
  }
  NUMBER(e, "s", r->cycle_time, "energy.cycle.time");
  if (!legs) NUMBER(e, "1", r->cycle_part, "energy.cycle.part_at_v_b");
  for (size_t k = 0; legs && k < r->n_legs; k++)
    br_put_number(e->out, "m", r->leg_length[k], "models.%zu.energy.cycle.length.%zu", e->index, k);
  for (size_t k = 0; legs && k < r->n_legs; k++)
    br_put_number(e->out, "m/s", r->leg_speed[k], "models.%zu.energy.cycle.speed.%zu", e->index, k);
}

static void put_search(const entry *e, const br_energy_report *r)
{
  const int rated = e->m->energy != NULL, speeds = r->searched_schedules > 0;
  NUMBER(e, "W", rated ? r->worst_rate : (double)NAN, "energy.worst_rate");
  NUMBER(e, "m/s", rated ? r->worst_v : (double)NAN, "energy.worst_v");
  EMPTY(e, "energy.worst_state");
  for (size_t k = 0; rated && k < 4; k++)
    br_put_number(e->out, "1", r->worst_z[k], "models.%zu.energy.worst_state.%zu", e->index, k);
  put_cycle(e, r);
  NUMBER(e, "1", (double)r->searched_loops, "energy.searched.loops");
  NUMBER(e, "m", r->searched_amplitude, "energy.searched.amplitude");
  NUMBER(e, "1", (double)r->searched_speeds, "energy.searched.speeds");
  NUMBER(e, "1", (double)r->searched_schedules, "energy.searched.schedules");
  NUMBER(e, "m/s", speeds ? r->searched_slowest : (double)NAN, "energy.searched.slowest");
  NUMBER(e, "m/s", speeds ? r->searched_fastest : (double)NAN, "energy.searched.fastest");
}

/* What cannot be measured says why, and is no error. */
static br_status put_energy(const entry *e, br_err *err)
{
  br_energy_report r;
  br_err why = {BR_OK, -1, ""};
  const br_status st = br_admissible_until(e->m, e->par, &e->out->stop, &r, &why);
  if (st == BR_INTERRUPTED || st == BR_E_NOMEM) return bri_fail(err, st, "%s", why.msg);
  TEXT_OF(e, br_admissibility_text(st ? BR_ENERGY_UNKNOWN : r.verdict), "energy.verdict");
  FLAG(e, e->m->passive ? e->m->passive(e->par) : 0, "energy.claimed_passive");
  TEXT_OF(e, e->m->passive_text, "energy.condition");
  if (st) TEXT_OF(e, why.msg, "energy.reason");
  else put_search(e, &r);
  return BR_OK;
}

static br_status put_memory(const entry *e, br_err *err)
{
  br_memory_report q;
  br_err why = {BR_OK, -1, ""};
  const br_status st = br_memory(e->m, e->par, 0, &q, &why);
  const int good = st == BR_OK;
  if (st == BR_E_NOMEM) return bri_fail(err, st, "%s", why.msg);
  NUMBER(e, "1", good ? q.return_point : (double)NAN, "memory.return_point");
  NUMBER(e, "1", good ? q.congruency : (double)NAN, "memory.congruency");
  NUMBER(e, "1", good ? q.closure : (double)NAN, "memory.closure");
  if (!good) TEXT_OF(e, why.msg, "memory.reason");
  return BR_OK;
}

static br_status put_hysteresis(const entry *e, br_err *err)
{
  double share = 0;
  const br_status st = br_hysteresis(e->m, e->par, &e->out->stop, &share, err);
  if (st) return st;
  if (isnan(share)) TEXT_OF(e, NULL, "hysteretic");
  else FLAG(e, share > BR_HYSTERETIC_SHARE, "hysteretic");
  NUMBER(e, "1", share, "evidence.slow_loop");
  return BR_OK;
}

static br_status measure(const br_job *job, entry *e, const char *set, br_err *err)
{
  const double angle = br_job_number(job, "angle"), turn = 0.017453292519943295;
  bri_along line;
  if (e->m->axes == 2) {
    bri_along_open(&line, e->m, e->par, angle * turn);
    entry one = {e->out, e->index, &line.face, (const double *)&line};
    NUMBER(&one, "deg", angle, "angle");
    const br_status st = measure(job, &one, set, err);
    e->index = one.index;
    return st;
  }
  char label[96];
  br_class_report c;
  br_status st = br_classify_until(e->m, e->par, &e->out->stop, &c, err);
  if (st) return st;
  (void)snprintf(label, sizeof label, "%s%s%.60s", e->m->name, set ? " " : "", set ? set : "");
  TEXT_OF(e, e->m->name, "model");
  TEXT_OF(e, label, "label");
  put_class(e, &c);
  if (!st) st = put_hysteresis(e, err);
  if (!st && br_job_number(job, "energy") > 0) st = put_energy(e, err);
  if (!st && br_job_number(job, "memory") > 0) st = put_memory(e, err);
  e->index++;
  return st;
}

/* ---- all models ---- */

static br_status measure_as(const br_job *job, entry *e, const br_model *m, const char *set, br_err *err)
{
  br_params *p = NULL;
  br_status st = br_sink_alive(e->out, (double)e->index / 16, err);
  if (!st) st = br_params_create(m, &p, err);
  if (!st) st = br_params_set_list(p, set, err);
  if (!st) st = br_params_finish(p, err);
  e->m = m;
  e->par = st ? NULL : br_params_block(p, "model");
  if (!st) st = measure(job, e, set, err);
  br_params_destroy(p);
  return st;
}

static int is_in_table(const br_model *m)
{
  for (size_t i = 0; i < TABLE_ROWS; i++)
    if (strcmp(TABLE[i].model, m->name) == 0) return 1;
  return 0;
}

static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  entry e = {out, 0, br_job_model(job), br_job_par(job)};
  br_put(out, BR_VALUE_LIST, 0, "models");
  if (e.m) return measure(job, &e, br_job_set_text(job), err);
  br_status st = BR_OK;
  for (size_t i = 0; i < TABLE_ROWS && !st; i++)
    st = measure_as(job, &e, br_model_find(TABLE[i].model), TABLE[i].set, err);
  for (size_t i = 0; i < count && !st; i++)
    if (!is_in_table(all[i])) st = measure_as(job, &e, all[i], NULL, err);
  return st;
}

static const char TEXT[] =
    "Measures from a model's equations what document 4's Table I lists: is the state equation of Duhem's "
    "form (generalized, or semilinear), does speed matter, is its right side Lipschitz, continuous or not. "
    "What is printed in the table stands beside it, with a note where it needs correction. Hysteretic is "
    "what keeps a loop when the motion is infinitely slow; linear viscoelasticity does not. A model with two "
    "axes is moved along a line (--angle); its force is the part along it.\n\n"
    "Energy: admissible (no motion that was searched takes energy out), passive with another stored energy "
    "(F v minus the growth of the model's own stored energy becomes negative, yet no cycle gains), active (a "
    "cycle creates energy; it is shown), or reversible, no hysteresis (no loop takes or gives anything). "
    "What was searched stands below: loops, two speeds in turn, and ways there and back that change speed, "
    "optimised. Memory: return-point memory, congruency and closure of minor loops, relative to their "
    "height, 0 where the model has it.\n\n"
    "JSON: {models: [{model, label, duhem_class, rate_dependent, continuity, hysteretic, claimed: {...}, "
    "printed: {row, duhem_class, rate, continuity, note} or null, evidence: {...}, energy: {verdict, ...}, "
    "memory: {return_point, congruency, closure}}]}.";

const br_analysis bri_analysis_classify = {
    .name = "classify",
    .summary = "kind of hysteresis, energy and memory of a model, measured",
    .method = "loops at several amplitudes, frequencies and loads, compared",
    .accuracy = "differences below the errors of the loops count as none",
    .text = TEXT,
    .needs = BR_TAKES_MODEL | BR_TAKES_TWO_AXES,
    BRI_ROWS(OPTIONS, RESULTS),
    .examples = EXAMPLES,
    .aliases = ALIASES,
    .naliases = BRI_LENGTH(ALIASES),
    .run = run,
};
