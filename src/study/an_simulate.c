/* SPDX-License-Identifier: Apache-2.0
 * an_simulate.c - analysis 'simulate': a mechanism with friction in time, and the cycle it settles on. */
#include <stdio.h>
#include <string.h>

#include "analysis.h"

enum { T_END, OUTPUT_DT, RTOL, ATOL, SOLVER, DT, CYCLE, SLOTS };
enum { COLUMNS = 96, NAME = 48, MOST_EVENTS = 100000 };

static const br_param OPTIONS[] = {
    BRI_OPT_REAL(T_END, "t-end", "s", 0, 0, 0,
                 "end time; 0: the natural end of the inputs, or none with 'cycle'"),
    BRI_OPT_REAL(OUTPUT_DT, "output-dt", "s", 0, 0, 0,
                 "time between rows of the table; 0: a thousandth of the end time"),
    BRI_OPT_REAL(RTOL, "rtol", "1", 0, 0, 0, "relative tolerance; 0: 1e-13, for cvode 1e-9"),
    BRI_OPT_REAL(ATOL, "atol", "1", 1e-20, 0, 0, "absolute tolerance of every state, in its unit"),
    BRI_OPT_CHOICE(SOLVER, "solver", "native|cvode|fixed", 2, 0,
                   "own solver, SUNDIALS CVODE, or constant steps of 'dt'"),
    BRI_OPT_REAL(DT, "dt", "s", 1e-3, 0, 1, "step of the solver 'fixed'"),
    BRI_OPT_CHOICE(CYCLE, "cycle", "no|yes", 1, 0,
                   "find the cycle that the motion settles on and measure it"),
};

typedef struct {
  double t, type;
} event_row;

typedef struct {
  const bri_run *r;
  bri_sink *out;
  br_solver *solver;
  double t_end;
  size_t count[5]; /* events by type */
  size_t nstate, nforce, ninput, nshown;
  char names[COLUMNS][NAME];
  const char *text[COLUMNS], *unit[COLUMNS];
  br_status stopped;
  event_row *events;
  size_t nevent;
} job;

static const char *const TYPE[] = {"reversal", "stick", "slip", "element", "user"};

static int on_event(void *ctx, const br_event *e)
{
  job *b = ctx;
  b->count[e->type]++;
  if (b->nevent < MOST_EVENTS) {
    const event_row row = {e->t, (double)e->type};
    b->events[b->nevent++] = row;
  }
  return 0;
}

static int on_step(void *ctx, double t)
{
  job *b = ctx;
  b->stopped = bri_sink_alive(b->out, b->t_end > 0 ? t / b->t_end : 0);
  return b->stopped != BR_OK;
}

/* Name of force k, other than that of a state (Dahl's state is its force). */
static void force_name(const job *b, size_t k, char *buf)
{
  if (b->nforce == 1) (void)snprintf(buf, NAME, "F");
  else (void)snprintf(buf, NAME, "F%zu", k + 1);
  if (br_plant_index(b->r->plant, buf) >= 0) (void)snprintf(buf, NAME, "F_contact");
}

/* t; inputs; quantities the mechanism shows; states; contact forces. */
static br_status heads(job *b, br_err *err)
{
  const br_system *s = b->r->sys;
  size_t n = 0;
  if (1 + b->ninput + b->nshown + b->nstate + b->nforce > COLUMNS)
    return bri_text_fail(err, BR_E_SIZE, -1, "simulate: more than %d columns", COLUMNS);
  (void)snprintf(b->names[n], NAME, "t");
  b->unit[n++] = "s";
  for (size_t i = 0; i < b->ninput; i++) {
    int taken = br_plant_index(b->r->plant, s->inputs[i].name) >= 0;
    for (size_t k = 0; k < b->nshown; k++) taken = taken || strcmp(s->shown[k].name, s->inputs[i].name) == 0;
    (void)snprintf(b->names[n], NAME, "%s%s", s->inputs[i].name, taken ? "_in" : "");
    b->unit[n++] = s->inputs[i].unit;
  }
  for (size_t i = 0; i < b->nshown; i++) {
    (void)snprintf(b->names[n], NAME, "%s", s->shown[i].name);
    b->unit[n++] = s->shown[i].unit;
  }
  for (size_t i = 0; i < b->nstate; i++) {
    (void)snprintf(b->names[n], NAME, "%s", br_plant_state(b->r->plant, i));
    b->unit[n++] = br_plant_unit(b->r->plant, i);
  }
  for (size_t k = 0; k < b->nforce; k++) {
    force_name(b, k, b->names[n]);
    b->unit[n++] = s->flags & BR_SYSTEM_ROTARY ? "N m" : "N";
  }
  for (size_t i = 0; i < n; i++) b->text[i] = b->names[i];
  return BR_OK;
}

static br_status push(job *b, double t, br_err *err)
{
  double row[COLUMNS], *to = row;
  *to++ = t;
  for (size_t i = 0; i < b->ninput; i++)
    *to++ = b->r->inputs[i] ? br_signal_value(b->r->inputs[i], t) : b->r->held[i];
  br_solver_shown(b->solver, to);
  to += b->nshown;
  br_solver_state(b->solver, to);
  to += b->nstate;
  br_solver_force(b->solver, to);
  return bri_sink_row(b->out, row, err);
}

static br_solve_settings settings(job *b)
{
  static const br_solver_kind KIND[] = {BR_SOLVER_NATIVE, BR_SOLVER_CVODE, BR_SOLVER_FIXED};
  br_solve_settings s = br_solve_settings_default();
  const double *o = b->r->opt;
  s.kind = KIND[(int)o[SOLVER]];
  if (o[RTOL] > 0) s.rtol = o[RTOL];
  else if (s.kind == BR_SOLVER_CVODE) s.rtol = 1e-9; /* its methods end at order 5 */
  s.atol = o[ATOL];
  s.dt = o[DT];
  s.energy = 1;
  s.extremes = s.kind == BR_SOLVER_NATIVE;
  s.on_event = on_event;
  s.on_step = on_step;
  s.ctx = b;
  return s;
}

/* Energies, extremes and the state at the end, under the names of 'bristle simulate --json'. */
static void finish(job *b, const br_solve_settings *set)
{
  const size_t n = b->nstate + b->nforce, first = 1 + b->ninput + b->nshown;
  double lo[COLUMNS], hi[COLUMNS], x[COLUMNS];
  br_solver_state(b->solver, x);
  br_solver_force(b->solver, x + b->nstate);
  for (size_t i = 0; i < n; i++)
    bri_sink_number(b->out, b->unit[first + i], x[i], "final.%s", b->names[first + i]);
  if (set->extremes) {
    br_solver_extremes(b->solver, lo, hi);
    for (size_t i = 0; i < n; i++) {
      bri_sink_number(b->out, b->unit[first + i], lo[i], "extremes.%s.min", b->names[first + i]);
      bri_sink_number(b->out, b->unit[first + i], hi[i], "extremes.%s.max", b->names[first + i]);
    }
  }
  if (set->energy) {
    const br_energy e = br_solver_energy(b->solver);
    bri_sink_number(b->out, "J", e.work_in, "energy.work_in");
    bri_sink_number(b->out, "J", e.stored, "energy.stored");
    bri_sink_number(b->out, "J", e.dissipated, "energy.dissipated");
    bri_sink_number(b->out, "J", e.friction, "energy.friction_work");
    bri_sink_number(b->out, "J", e.residual, "energy.residual");
  }
  for (size_t k = 0; k < 4; k++) {
    if (b->count[k]) bri_sink_number(b->out, "1", (double)b->count[k], "events.%s", TYPE[k]);
  }
}

static br_status event_table(job *b, br_err *err)
{
  static const char *const NAMES[] = {"t", "type"}, *const UNITS[] = {"s", "1"};
  if (!b->nevent) return BR_OK;
  br_status st = bri_sink_table(b->out, "events", 2, NAMES, UNITS, err);
  for (size_t i = 0; i < b->nevent && !st; i++) {
    const double row[2] = {b->events[i].t, b->events[i].type};
    st = bri_sink_row(b->out, row, err);
  }
  return st ? st : bri_sink_end(b->out, err);
}

static br_status simulate(job *b, br_err *err)
{
  const double dt = b->r->opt[OUTPUT_DT] > 0 ? b->r->opt[OUTPUT_DT] : b->t_end / 1000;
  const double count = ceil(b->t_end / dt - 1e-9);
  br_solve_settings set = settings(b);
  set.t_stop = b->t_end; /* extremes and energies end with the run, and have the bits of the command */
  if (!(count < 1e8))
    return bri_text_fail(err, BR_E_RANGE, -1, "simulate: output-dt = %g s gives too many rows", dt);
  br_status st = br_solver_create(b->r->plant, &set, &b->solver, err);
  if (!st) st = br_solver_start(b->solver, 0, b->r->z0, err);
  if (!st)
    st = bri_sink_table(b->out, "simulate", 1 + b->ninput + b->nshown + b->nstate + b->nforce, b->text,
                        b->unit, err);
  if (!st) st = push(b, 0, err);
  for (size_t i = 1; i <= (size_t)count && !st; i++) {
    st = br_solver_advance(b->solver, i == (size_t)count ? b->t_end : (double)i * dt, NULL, err);
    if (!st) st = push(b, br_solver_time(b->solver), err);
    if (!st) st = bri_sink_alive(b->out, (double)i / count);
  }
  if (!st) st = bri_sink_end(b->out, err);
  if (!st) finish(b, &set);
  return st ? st : event_table(b, err);
}

/* Section and threshold of the cycle: the pulling velocity where there is one, else the Stribeck velocity. */
static br_status cycle(job *b, br_err *err)
{
  br_cycle_settings cs = br_cycle_settings_default();
  br_solve_settings set = settings(b);
  br_cycle c;
  double lo[COLUMNS], hi[COLUMNS], vs = 0;
  const size_t first = 1 + b->ninput + b->nshown;
  size_t n = 0;
  for (size_t i = 0; i < b->ninput; i++) {
    if (strcmp(b->r->sys->inputs[i].name, "vp") == 0 && !b->r->inputs[i]) {
      cs.level = b->r->held[i];
      cs.threshold = 0.01 * fabs(cs.level);
    }
  }
  if (!(cs.threshold > 0) && br_model_param(b->r->m, "vs") &&
      !br_params_get(b->r->params, "model.vs", 1, &vs, &n, NULL))
    cs.threshold = vs / 10;
  if (b->t_end > 0) cs.t_transient = b->t_end;
  set.on_event = NULL;
  const br_status st = br_cycle_find(b->r->plant, &set, &cs, b->r->z0, &c, NULL, lo, hi, err);
  if (b->stopped) return b->stopped;
  if (st) return st;
  bri_sink_number(b->out, "s", c.period, "cycle.period");
  for (size_t i = 0; i < b->nstate + b->nforce; i++) {
    bri_sink_number(b->out, b->unit[first + i], lo[i], "cycle.%s_min", b->names[first + i]);
    bri_sink_number(b->out, b->unit[first + i], hi[i], "cycle.%s_max", b->names[first + i]);
  }
  bri_sink_number(b->out, "J", c.friction_work, "cycle.friction_work");
  if (c.threshold > 0) bri_sink_number(b->out, "1", c.stick_fraction, "cycle.stick_fraction");
  bri_sink_number(b->out, "1", (double)c.returns, "cycle.returns");
  for (size_t i = 0; i < c.multipliers; i++) {
    bri_sink_number(b->out, "1", c.re[i], "cycle.multipliers.%zu.re", i);
    bri_sink_number(b->out, "1", c.im[i], "cycle.multipliers.%zu.im", i);
  }
  return BR_OK;
}

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  bri_arena *arena = bri_arena_create();
  job *b = arena ? bri_arena_get(arena, sizeof *b) : NULL;
  if (b) b->events = bri_arena_get(arena, MOST_EVENTS * sizeof *b->events);
  if (!b || !b->events) {
    bri_arena_destroy(arena);
    return bri_text_fail(err, BR_E_NOMEM, -1, "simulate: out of memory");
  }
  b->r = r;
  b->out = out;
  b->nstate = br_plant_nstate(r->plant);
  b->nforce = br_plant_ncontact(r->plant);
  b->ninput = r->ninput;
  b->nshown = r->sys->nshown;
  b->t_end = r->opt[T_END];
  const int with_cycle = r->opt[CYCLE] > 0;
  for (size_t i = 0; i < r->ninput && !(r->opt[T_END] > 0) && !with_cycle; i++) {
    if (r->inputs[i]) b->t_end = fmax(b->t_end, br_signal_duration(r->inputs[i]));
  }
  br_status st = heads(b, err);
  if (!st && !(b->t_end > 0) && !with_cycle)
    st = bri_text_fail(err, BR_E_ARG, -1,
                       "simulate: 't-end' is missing and the inputs have no end of their own");
  if (!st && b->t_end > 0) st = simulate(b, err);
  if (!st && with_cycle) st = cycle(b, err);
  if (b->stopped) st = b->stopped;
  br_solver_destroy(b->solver);
  bri_arena_destroy(arena);
  return st;
}

const bri_analysis bri_an_simulate = {
    {"simulate", "a mechanism with friction in time, and the cycle it settles on", OPTIONS,
     sizeof OPTIONS / sizeof OPTIONS[0], 1, 1},
    SLOTS,
    2,
    "simulate: {x: t, xlabel: time t}",
    run,
};
