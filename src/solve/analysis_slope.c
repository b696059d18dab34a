/* SPDX-License-Identifier: Apache-2.0
 * analysis_slope.c - 'simulate' with exact derivatives by a parameter in place of its numbers.
 * The motion is computed as always, with a tangent (tangent.h) at its side.  A cycle returns to where it
 * starts: its own derivative follows from that of one period by the states at its start, the period's
 * included. */
#include "analysis_slope.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "linalg.h"
#include "text/fail.h"

static const double STEP = 4e-3; /* of the usual change: the plants beside, at first */

static const double LOOSEST = 1e-9; /* tolerance: the method of the largest steps is differentiated */

static br_status unsupported(const char *why, br_err *err)
{
  return bri_fail(err, BR_E_UNSUPPORTED, "simulate: no exact derivatives %s", why);
}

/* ---- the run ---- */

br_status bri_slope_attach(bri_answer *b, br_err *err)
{
  bri_slope *s = b->slope;
  bri_tangent_destroy(s->run);
  s->run = NULL;
  if (b->set.nuser > BRI_TANGENT_USERS) return unsupported("of so many events", err);
  const br_status st = bri_tangent_create(b->plant, s->side, s->step, 1, &s->run, err);
  if (!st) bri_tangent_attach(s->run, b->solver, s->dx);
  return st;
}

/* Of the level at which a contact breaks away; where that depends on the place there are differences. */
static double level_slope(const bri_answer *b, const br_event *ev)
{
  double at[BRI_SIDES];
  if (!bri_is_true_stick(b->plant) || br_job_model(b->job)->breakaway_at) return NAN;
  for (size_t i = 0; i < BRI_SIDES; i++) at[i] = bri_breakaway(b->slope->side[i], ev);
  return bri_tangent_extrapolate(at, 1, b->slope->step);
}

/* The event moves in time, and what is seen there along with it. */
void bri_slope_event(bri_answer *b, bri_answer_event *e, const br_event *ev)
{
  bri_slope *s = b->slope;
  const double tau = s->moves ? (double)NAN : bri_tangent_when(s->run);
  double *x = b->event_x + e->at;
  e->t = tau;
  e->F = e->type == BR_EVENT_SLIP ? level_slope(b, ev) : (double)NAN;
  if (e->type != BR_EVENT_USER) return;
  bri_tangent_state(s->run, b->solver, 0, x);
  bri_full_rate(b->plant, &b->solver->k, &b->solver->mode, b->solver->y, b->solver->f, s->rates);
  for (size_t i = 0; i < b->nstate; i++) x[i] += s->rates[i] * tau;
}

/* The last row, extremes and energies become their derivatives; the end may move with the period of a cycle.
 * */
br_status bri_slope_take(bri_answer *b, br_err *err)
{
  bri_slope *s = b->slope;
  double *states = b->row + bri_answer_first(b);
  if (bri_tangent_failed(s->run)) return unsupported("where an event only touches", err);
  bri_tangent_range(s->run, b->solver, b->lo, b->hi);
  bri_tangent_end(s->run, b->solver, s->dT);
  for (size_t i = 0; i < b->ncol; i++) b->row[i] = 0;
  bri_tangent_shown(s->run, b->solver, b->row + bri_answer_shown(b));
  bri_tangent_state(s->run, b->solver, 0, states);
  bri_tangent_force(s->run, b->solver, states + b->nstate);
  s->energy = bri_tangent_energy(s->run, b->solver);
  b->row[0] = s->dT;
  for (size_t i = 0; s->moves && i < b->ncol; i++) b->row[i] = NAN; /* where a cycle is cut decides nobody */
  return BR_OK;
}

/* ---- a cycle ---- */

/* Times below the threshold speed along one period. */
typedef struct {
  bri_slope *s;
  double threshold; /* m/s */
  size_t iv;
  int is_inside;
  double since, inside, moved; /* s; derivative of the time inside */
} slow_watch;

static void thresholds(void *ctx, double t, const double *x, double *g)
{
  const slow_watch *w = ctx;
  (void)t;
  g[0] = x[w->iv] - w->threshold;
  g[1] = x[w->iv] + w->threshold;
}

static int on_threshold(void *ctx, const br_event *ev)
{
  slow_watch *w = ctx;
  if (ev->type != BR_EVENT_USER) return 0;
  const int enters = ev->index == 0 ? ev->direction < 0 : ev->direction > 0;
  const double tau = bri_tangent_when(w->s->run);
  if (enters) w->since = ev->t;
  else if (w->is_inside) w->inside += ev->t - w->since;
  if (enters) w->moved -= tau;
  else if (w->is_inside) w->moved += tau;
  w->is_inside = enters;
  return 0;
}

/* Over one period with the derivatives of all states by those at its start: ends[1 + nx][nx], rates at the
 * end. */
static br_status over_period(bri_answer *b, const double *x0, double T, double *ends, double *rates,
                             br_err *err)
{
  const size_t n = b->nstate;
  br_solve_settings set = b->set;
  bri_tangent *t = NULL;
  br_solver *solver = NULL;
  double *dx = bri_calloc((n + 1) * n, sizeof *dx);
  if (!dx) return bri_no_memory(err, "simulate");
  for (size_t i = 0; i < n; i++) dx[(i + 1) * n + i] = 1;
  set.energy = set.extremes = 0;
  set.nuser = 0, set.user = NULL, set.on_event = NULL, set.on_step = NULL;
  set.t_stop = T;
  br_status st = bri_tangent_create(b->plant, b->slope->side, b->slope->step, n + 1, &t, err);
  if (!st) st = br_solver_create(b->plant, &set, &solver, err);
  if (!st) bri_tangent_attach(t, solver, dx);
  if (!st) st = br_solver_start(solver, 0, x0, err);
  if (!st) st = br_solver_advance(solver, T, NULL, err);
  if (!st && bri_tangent_failed(t)) st = unsupported("where an event only touches", err);
  for (size_t c = 0; c <= n && !st; c++) bri_tangent_state(t, solver, c, ends + c * n);
  if (!st) br_solver_rate(solver, rates);
  br_solver_destroy(solver);
  bri_tangent_destroy(t);
  bri_free(dx);
  return st;
}

/* What the start of the cycle and its period do: s0 = M s0 + p + f dT, the velocity at the start held on its
 * section (the period of an input is given: dT = 0, and nothing is held). */
static br_status close_cycle(bri_answer *b, const double *x0, double T, int driven, br_err *err)
{
  const size_t n = b->nstate;
  bri_slope *s = b->slope;
  const int iv = br_plant_velocity(b->plant, 0);
  double *ends = bri_calloc((2 * n + 4) * (n + 1), sizeof *ends), *A = ends + (n + 1) * n, *f = A + n * n,
         *right = f + n;
  size_t *pivot = bri_calloc(n + 1, sizeof *pivot);
  br_status st = ends && pivot ? BR_OK : bri_no_memory(err, "simulate");
  if (!st && !driven && iv < 0) st = unsupported("of a cycle without a velocity", err);
  if (!st) st = over_period(b, x0, T, ends, f, err);
  for (size_t i = 0; i < n && !st; i++) {
    right[i] = ends[i];
    for (size_t j = 0; j < n; j++) A[i * n + j] = (i == j) - ends[(j + 1) * n + i];
    if (!driven) {
      right[i] -= A[i * n + (size_t)iv] * s->level_slope;
      A[i * n + (size_t)iv] = -f[i];
    }
  }
  if (!st && bri_lu(n, A, pivot)) st = unsupported("of a cycle that others surround", err);
  if (!st) bri_lu_solve(n, A, pivot, right);
  for (size_t i = 0; i < n && !st; i++)
    if (!isfinite(right[i])) st = unsupported("of a cycle that others surround", err);
  if (!st) {
    s->dx = bri_malloc_array(n, sizeof *s->dx);
    if (!s->dx) st = bri_no_memory(err, "simulate");
  }
  if (!st) {
    memcpy(s->dx, right, n * sizeof *right);
    if (!driven) s->dT = right[iv], s->dx[iv] = s->level_slope;
  }
  bri_free(ends);
  bri_free(pivot);
  return st;
}

/* Along the cycle: derivatives of its extremes, of the work, of the time below the threshold. */
static br_status measure(bri_answer *b, const double *x0, br_cycle *c, double *lo, double *hi, br_err *err)
{
  bri_slope *s = b->slope;
  br_solve_settings set = b->set;
  br_solver *solver = NULL;
  const int iv = br_plant_velocity(b->plant, 0);
  const double T = c->period;
  slow_watch w = {.s = s, .threshold = c->threshold, .iv = iv < 0 ? 0 : (size_t)iv};
  set.energy = set.extremes = 1;
  set.t_stop = T;
  set.on_step = NULL;
  set.nuser = w.threshold > 0 ? 2 : 0;
  set.user = thresholds, set.on_event = on_threshold, set.ctx = &w;
  w.is_inside = w.threshold > 0 && fabs(x0[w.iv]) < w.threshold;
  bri_tangent_destroy(s->run);
  br_status st = bri_tangent_create(b->plant, s->side, s->step, 1, &s->run, err);
  if (!st) st = br_solver_create(b->plant, &set, &solver, err);
  if (!st) bri_tangent_attach(s->run, solver, s->dx);
  if (!st) st = br_solver_start(solver, 0, x0, err);
  if (!st) st = br_solver_advance(solver, T, NULL, err);
  if (!st && bri_tangent_failed(s->run)) st = unsupported("where an event only touches", err);
  if (!st) {
    bri_tangent_range(s->run, solver, lo, hi);
    bri_tangent_end(s->run, solver, s->dT);
    if (w.is_inside) w.inside += T - w.since, w.moved += s->dT;
    c->friction_work = bri_tangent_energy(s->run, solver).friction;
    c->stick_fraction = s->threshold_moves ? (double)NAN : (w.moved - w.inside / T * s->dT) / T;
  }
  br_solver_destroy(solver);
  return st;
}

br_status bri_slope_cycle(bri_answer *b, br_cycle *c, double level, const double *x0, double *lo, double *hi,
                          br_err *err)
{
  bri_slope *s = b->slope;
  const int iv = br_plant_velocity(b->plant, 0);
  int driven = 0;
  for (size_t k = 0; k < b->ninput; k++) driven |= br_job_input(b->job, k) != NULL;
  for (size_t k = 0; k < b->nforce; k++) driven |= br_job_load(b->job, k) != NULL;
  br_status st = close_cycle(b, x0, c->period, driven, err);
  if (!st) st = measure(b, x0, c, lo, hi, err);
  if (st) return st;
  c->period = s->dT;
  c->threshold = c->threshold > 0 ? s->threshold_moves ? (double)NAN : 0 : (double)NAN;
  c->periods = c->returns = 0;
  c->residual = 0;
  for (size_t k = 0; k < c->multipliers; k++) c->re[k] = c->im[k] = NAN; /* slopes of slopes: not here */
  /* a section that the search chose for itself leaves the phase open */
  if (!(b->t_end > 0)) s->moves = !driven && !(iv >= 0 && x0[iv] == level);
  else bri_free(s->dx), s->dx = NULL, s->dT = 0;
  return BR_OK;
}

/* ---- the answer ---- */

/* What is compared, counted by rows, or taken over a part of the run has differences. */
static int is_plain(const br_job *job)
{
  static const char *const NOT[] = {"window", "measured", "measures", "switch"};
  for (size_t i = 0; i < sizeof NOT / sizeof NOT[0]; i++)
    if (br_job_given(job, NOT[i])) return 0;
  return strcmp(br_job_text(job, "solver"), "native") == 0;
}

static br_status derive(bri_answer *b, bri_slope *s, const br_direction *d, br_job **side, br_err *err)
{
  double level[BRI_SIDES] = {0}, slow[BRI_SIDES];
  br_status st = BR_OK;
  s->step = STEP * d->scale;
  s->rates = bri_calloc(br_plant_nstate(br_job_plant(b->job)) + 1, sizeof *s->rates);
  if (!s->rates) return bri_no_memory(err, "simulate");
  for (size_t i = 0; i < BRI_SIDES && !st; i++) {
    const double way = (i % 2 ? -1 : 1) * s->step / (double)((size_t)1 << (i / 2));
    st = d->beside(b->job, d, d->x + way, &side[i], err);
    if (st && st != BR_E_NOMEM) st = unsupported("at the end of the range", err);
    if (!st) s->side[i] = br_job_plant(side[i]), slow[i] = bri_answer_threshold(side[i], &level[i]);
  }
  if (!st)
    s->level_slope = bri_tangent_extrapolate(level, 1, s->step), s->threshold_moves = slow[0] != slow[1];
  b->slope = s;
  return st ? st : bri_answer_all(b, err);
}

br_status bri_answer_slope(const br_job *job, const br_direction *d, br_sink *out, br_err *err)
{
  br_job *side[BRI_SIDES] = {NULL};
  bri_slope s = {.run = NULL};
  bri_answer b;
  if (!is_plain(job)) return unsupported("of this", err);
  bri_answer_ask(&b, job, out);
  b.set.rtol = fmax(fmin(b.set.rtol, LOOSEST) * (d->again ? 0.1 : 1), 1e-15);
  const br_status st = derive(&b, &s, d, side, err);
  bri_answer_release(&b);
  bri_tangent_destroy(s.run);
  bri_free(s.dx);
  bri_free(s.rates);
  for (size_t i = 0; i < BRI_SIDES; i++) br_job_destroy(side[i]);
  *d->error = NAN;
  return st;
}
