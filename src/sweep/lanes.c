/* SPDX-License-Identifier: Apache-2.0
 * lanes.c - members in vector lanes (bristle/ensemble.h), where everything that is swept and measured has a
 * place there. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/ensemble.h"
#include "bristle/unit.h"
#include "sweep.h"
#include "text/fail.h"

enum { INPUTS = 8 };

/* ---- what is swept, as lanes have it ---- */

/* Which input is held under this name; -1: none. */
static int input_of(const br_system *sys, const char *name)
{
  const char *bare = strncmp(name, "input.", 6) == 0 ? name + 6 : name;
  for (size_t k = 0; k < sys->ninput; k++)
    if (strcmp(sys->inputs[k].name, bare) == 0) return (int)k;
  return -1;
}

static int is_within(const br_param *row, const br_param *rows, size_t n)
{
  for (size_t k = 0; row && k < n; k++)
    if (row == &rows[k]) return row->max_len <= 1 && !row->choices;
  return 0;
}

/* "sine:A,f,phase,offset" as a wave; 0: it is another input. */
static int read_wave(const char *spec, br_ensemble_input *in)
{
  double *const to[] = {&in->amplitude, &in->frequency, &in->phase, &in->value};
  br_unit unit;
  int has = 0;
  if (strncmp(spec, "sine:", 5) != 0 || strchr(spec, '|')) return 0;
  *in = (br_ensemble_input){0, 0, 0, 0};
  spec += 5;
  for (size_t i = 0; i < 4; i++) {
    const size_t n = strcspn(spec, ",");
    if (br_quantity_parse(spec, n, to[i], &unit, &has, NULL)) return 0;
    if (!spec[n]) return i > 0;
    spec += n + 1;
  }
  return 0;
}

/* A swept number of a driven input. */
static int place_wave(const bri_sweep *s, const bri_axis *a, br_member_value *v)
{
  static const size_t WAVE[] = {BR_MEMBER_WAVE_AMPLITUDE, BR_MEMBER_WAVE_FREQUENCY, BR_MEMBER_WAVE_PHASE,
                                BR_MEMBER_WAVE_VALUE};
  const int at = bri_sweep_place("sine", 4, a->number);
  for (size_t k = 0; k < br_job_inputs(s->job); k++) {
    if (!br_job_input(s->job, k) || (a->target[0] && strcmp(br_job_spec_name(s->job, k), a->target) != 0))
      continue;
    if (at < 0 || at > 3) return 0;
    return v->of = BR_MEMBER_INPUT, v->index = 4 * k + WAVE[at], 1;
  }
  return 0;
}

static int place(const bri_sweep *s, const bri_axis *a, br_member_value *v)
{
  const br_system *sys = br_job_system(s->job);
  if (a->of == BRI_SWEPT_INPUT) return place_wave(s, a, v);
  const br_model *m = br_job_model(s->job);
  const br_param *row = br_params_row(br_job_params(s->job), a->target);
  const int input = input_of(sys, a->target), state = br_plant_index(br_job_plant(s->job), a->target);
  if (a->of == BRI_SWEPT_INIT && state >= 0) return v->of = BR_MEMBER_START, v->index = (size_t)state, 1;
  if (a->of != BRI_SWEPT_SET || strncmp(a->target, "contact", 7) == 0) return 0;
  if (is_within(row, m->params, m->nparam)) return v->of = BR_MEMBER_MODEL, v->index = row->slot, 1;
  if (is_within(row, sys->params, sys->nparam)) return v->of = BR_MEMBER_SYSTEM, v->index = row->slot, 1;
  if (input < 0) return 0;
  return v->of = BR_MEMBER_INPUT, v->index = 4 * (size_t)input + BR_MEMBER_WAVE_VALUE, 1;
}

static int is_measured(const bri_sweep *s, const bri_measure *m)
{
  const br_model *model = br_job_model(s->job);
  const br_system *sys = br_job_system(s->job);
  const double *spar = br_params_block(br_job_params(s->job), "system");
  switch (m->kind) {
  case BRI_MEASURE_MIN:
  case BRI_MEASURE_MAX: /* of elements and their travel only the end */
    return m->index < (model->flags & BR_MODEL_ELEMENTS && spar ? sys->nstate(spar) : s->nstate);
  case BRI_MEASURE_END: return m->index < s->nstate;
  case BRI_MEASURE_PERIOD:
  case BRI_MEASURE_STICK:
  case BRI_MEASURE_RETURNS:
  case BRI_MEASURE_REGIME:
  case BRI_MEASURE_STEPS: return s->v >= 0;
  case BRI_MEASURE_FORMULA: return 1;
  case BRI_MEASURE_EVENTS:
  case BRI_MEASURE_REVERSAL:
  case BRI_MEASURE_STICKS:
  case BRI_MEASURE_SLIPS:
  case BRI_MEASURE_ELEMENTS:
  case BRI_MEASURE_WORK:
  case BRI_MEASURE_FRICTION:
  case BRI_MEASURE_DISSIPATED:
  case BRI_MEASURE_LYAPUNOV:
  case BRI_MEASURE_PATH: break;
  }
  return 0;
}

/* Does a measure of the sweep look at the whole motion, or at its end alone? */
static int looks_on_the_way(const bri_sweep *s)
{
  for (size_t i = 0; i < s->nmeasure; i++)
    if (s->measure[i].kind != BRI_MEASURE_END && s->measure[i].kind != BRI_MEASURE_STEPS &&
        s->measure[i].kind != BRI_MEASURE_FORMULA)
      return 1;
  return 0;
}

/* ---- a block ---- */

/* Everything that lanes are told; values by axis. */
typedef struct {
  br_ensemble e;
  br_member_value vary[BRI_SWEEP_AXES];
  br_ensemble_input inputs[INPUTS];
  double *spar, *values, *levels, *speeds; /* [slots], [naxis][n], [n], [n] */
  br_ensemble_result out;
} block;

static void free_block(block *b)
{
  bri_free(b->spar);
  bri_free(b->values);
  bri_free(b->out.x);
  bri_free(b->out.returns);
  bri_free(b->out.status);
  bri_free(b->out.steps);
}

/* The number of a parameter: of every member where it is swept, else the one of the job; NaN: there is none.
 * */
typedef struct {
  const double *swept;
  double held;
} known;

static known number(const bri_sweep *s, const block *b, const char *name, size_t n)
{
  const br_params *p = br_job_params(s->job);
  const br_param *row = br_params_row(p, name);
  double x = (double)NAN;
  size_t length = 0;
  for (size_t k = 0; row && k < s->design.naxis; k++)
    if (s->design.axis[k].of == BRI_SWEPT_SET && br_params_row(p, s->design.axis[k].target) == row)
      return (known){b->values + k * n, x};
  return (known){NULL, row && !br_params_get(p, name, 1, &x, &length, NULL) ? x : (double)NAN};
}

static br_status make_block(const bri_sweep *s, uint64_t first, size_t n, block *b, br_err *err)
{
  const br_system *sys = br_job_system(s->job);
  const double *spar = br_params_block(br_job_params(s->job), "system"),
               *held = br_params_block(br_job_params(s->job), "input");
  const size_t naxis = s->design.naxis;
  double x[BRI_SWEEP_AXES];
  memset(b, 0, sizeof *b);
  b->spar = bri_calloc(sys->slots + 1, sizeof *b->spar);
  b->values = bri_calloc((naxis + 2) * n, sizeof *b->values);
  b->out.x = bri_calloc(3 * n * (s->nstate + 1) + n, sizeof *b->out.x);
  const int all = looks_on_the_way(s); /* lanes are faster where nobody asks for more than the end */
  if (all) b->out.returns = bri_calloc(n, sizeof *b->out.returns);
  b->out.status = bri_calloc(n, sizeof *b->out.status);
  b->out.steps = bri_calloc(n, sizeof *b->out.steps);
  if (!b->spar || !b->values || !b->out.x || (all && !b->out.returns) || !b->out.status || !b->out.steps)
    return bri_no_memory(err, "sweep");
  if (all)
    b->out.lo = b->out.x + n * s->nstate, b->out.hi = b->out.lo + n * s->nstate,
    b->out.stuck = b->out.hi + n * s->nstate;
  b->levels = b->values + naxis * n, b->speeds = b->levels + n;
  if (spar) memcpy(b->spar, spar, sys->slots * sizeof *spar);
  else if (sys->defaults) sys->defaults(b->spar);
  if (!spar && sys->prepare) sys->prepare(b->spar);
  for (size_t k = 0; k < sys->ninput && k < INPUTS; k++) {
    b->inputs[k].value = held ? held[k] : sys->inputs[k].def;
    if (br_job_input(s->job, k) && !read_wave(br_job_spec(s->job, k), &b->inputs[k]))
      return bri_fail(err, BR_E_UNSUPPORTED, "lanes take inputs that are held, or sines");
  }
  for (size_t i = 0; i < n; i++) {
    bri_design_values(&s->design, first + i, x);
    for (size_t k = 0; k < naxis; k++) b->values[k * n + i] = x[k];
  }
  const known vp = number(s, b, "vp", n), vs = number(s, b, "model.vs", n);
  for (size_t i = 0; i < n; i++)
    bri_sweep_levels(s, vp.swept ? vp.swept[i] : vp.held, vs.swept ? vs.swept[i] : vs.held, &b->levels[i],
                     &b->speeds[i]);
  b->e = br_ensemble_default();
  b->e.sys = sys, b->e.mod = br_job_model(s->job), b->e.spar = b->spar, b->e.mpar = br_job_par(s->job);
  b->e.inputs = b->inputs, b->e.x0 = br_job_start(s->job, NULL);
  b->e.vary = b->vary, b->e.nvary = naxis, b->e.members = n;
  b->e.t1 = s->t_end, b->e.t_from = s->t_from, b->e.rtol = s->rtol;
  b->e.dt = s->dt, b->e.exponential = s->dt > 0;
  b->e.stick_speeds = b->speeds, b->e.levels = b->levels;
  b->e.threads = 1, b->e.gpu = s->gpu > 0, b->e.single = s->single, b->e.stop = s->stop;
  for (size_t k = 0; k < naxis; k++) {
    if (!place(s, &s->design.axis[k], &b->vary[k]))
      return bri_fail(err, BR_E_UNSUPPORTED, "lanes cannot sweep '%s'", s->design.axis[k].name);
    b->vary[k].values = b->values + k * n;
  }
  return BR_OK;
}

br_status bri_lanes_check(const bri_sweep *s, br_err *err)
{
  const br_system *sys = br_job_system(s->job);
  block b;
  if (sys->ninput > INPUTS || s->points || br_plant_ncontact(br_job_plant(s->job)) != 1)
    return bri_fail(err, BR_E_UNSUPPORTED, "lanes keep no points, and have one contact");
  if (br_job_load(s->job, 0) || br_job_given(s->job, "switch"))
    return bri_fail(err, BR_E_UNSUPPORTED, "lanes hold the load and the parameters");
  for (size_t i = 0; i < s->nmeasure; i++)
    if (!is_measured(s, &s->measure[i]))
      return bri_fail(err, BR_E_UNSUPPORTED, "lanes do not measure '%s'", s->measure[i].name);
  br_status st = make_block(s, 0, 1, &b, err);
  if (!st) st = br_ensemble_check(&b.e, err);
  if (!st && br_ensemble_nstate(&b.e) != s->nstate)
    st = bri_fail(err, BR_E_UNSUPPORTED, "lanes have other states than this mechanism");
  free_block(&b);
  return st;
}

const char *bri_sweep_engine(const bri_sweep *s) { return s->gpu ? "gpu" : s->lanes ? "lanes" : "solver"; }

static double measured(const bri_sweep *s, const block *b, const bri_measure *m, size_t i)
{
  if (m->kind == BRI_MEASURE_END) return b->out.x[i * s->nstate + m->index];
  if (m->kind == BRI_MEASURE_STEPS) return (double)b->out.steps[i];
  if (m->kind == BRI_MEASURE_FORMULA) return (double)NAN; /* later */
  const br_returns *r = &b->out.returns[i];
  const double *lo = b->out.lo + i * s->nstate, *hi = b->out.hi + i * s->nstate;
  const int regime = bri_sweep_regime(lo[s->v], hi[s->v], b->levels[i], r->count, r->nearest, r->farthest);
  switch (m->kind) {
  case BRI_MEASURE_MIN: return lo[m->index];
  case BRI_MEASURE_MAX: return hi[m->index];
  case BRI_MEASURE_PERIOD:
    return regime >= BRI_REGIME_PERIODIC && r->count > 1 ? (r->last - r->first) / (double)(r->count - 1)
                                                         : (double)NAN;
  case BRI_MEASURE_STICK:
    return b->speeds[i] > 0 ? fmin(b->out.stuck[i] / (s->t_end - s->t_from), 1) : (double)NAN;
  case BRI_MEASURE_RETURNS: return (double)r->count;
  case BRI_MEASURE_REGIME: return regime;
  default: return (double)NAN;
  }
}

br_status bri_lanes_run(const bri_sweep *s, uint64_t first, size_t n, double *rows, br_err *err)
{
  block b;
  double values[BRI_SWEEP_AXES];
  br_status st = make_block(s, first, n, &b, err);
  if (!st) st = br_ensemble_run(&b.e, &b.out, err);
  for (size_t i = 0; i < n && !st; i++) {
    double *row = rows + i * s->width;
    if (b.out.status[i] != BR_OK) { /* the ordinary solver may do it, or says why not */
      st = bri_member_run(s, first + i, row, NULL, err);
      continue;
    }
    for (size_t k = 0; k < s->nmeasure; k++) row[k] = measured(s, &b, &s->measure[k], i);
    for (size_t k = 0; k < s->design.naxis; k++) values[k] = b.values[k * n + i];
    bri_measures_formulas(s, values, row);
    row[s->width - 1] = BRI_MEMBER_OK;
  }
  free_block(&b);
  return st;
}
