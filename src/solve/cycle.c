/* SPDX-License-Identifier: Apache-2.0
 * cycle.c - the cycle a plant settles on: transient, return map, Newton, measurement of one period.
 *
 * Constant inputs: the section is v = level of contact 0, crossed upward, and the map acts on the other
 * states. Driven inputs: the map is one period of the input on all states. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plant.h"
#include "../table/alloc.h"

br_cycle_settings br_cycle_settings_default(void)
{
  br_cycle_settings s;
  memset(&s, 0, sizeof s);
  s.size = sizeof s;
  s.level = NAN;
  s.max_periods = 4;
  return s;
}

/* The caller's on_step with its own context, not that of the searches below; their first member. */
typedef struct {
  int (*on_step)(void *ctx, double t);
  void *ctx;
} caller;

static int pass_on(void *ctx, double t)
{
  const caller *c = (const caller *)ctx;
  return c->on_step(c->ctx, t);
}

typedef struct {
  caller from;
  const br_plant *p;
  br_solver *solver; /* with the section as user event 0 */
  size_t nx, iv;     /* states; index of the velocity */
  double level;      /* section */
  double t_max;      /* longest return */
  double period;     /* of the last map; of the input for driven plants */
  double t_start;    /* phase of a driven plant */
  int driven, armed, n_period;
  double t_hit;
  br_solve_stats *stats;
  double *hit, *x; /* state at the section; scratch */
  br_err *err;
} search;

static void section(void *ctx, double t, const double *x, double *g)
{
  const search *c = (const search *)ctx;
  (void)t;
  g[0] = x[c->iv] - c->level;
}

/* Add the work of a solver to that of the search. */
static void add_stats(br_solve_stats *sum, const br_solver *s)
{
  if (!s) return;
  const br_solve_stats a = br_solver_stats(s);
  sum->steps += a.steps, sum->rejected += a.rejected, sum->rhs += a.rhs, sum->jacobians += a.jacobians;
  sum->events += a.events, sum->seconds += a.seconds, sum->rounded += a.rounded;
}

static int on_hit(void *ctx, const br_event *ev)
{
  search *c = (search *)ctx;
  if (ev->type != BR_EVENT_USER || ev->direction <= 0 || !c->armed) return 0;
  c->t_hit = ev->t;
  memcpy(c->hit, ev->x, c->nx * sizeof *c->hit);
  return 1;
}

/* Map of the section onto itself: r holds all states but the velocity. */
static int return_map(void *ctx, const double *r, double *out)
{
  search *c = (search *)ctx;
  for (size_t i = 0, j = 0; i < c->nx; i++) c->x[i] = i == c->iv ? c->level : r[j++];
  if (br_solver_start(c->solver, 0, c->x, c->err) != BR_OK) return 1;
  c->armed = 1;
  /* leave the section first: the start itself lies on it */
  const br_status st = br_solver_advance(c->solver, c->t_max, NULL, c->err);
  c->armed = 0;
  add_stats(c->stats, c->solver);
  if (st != BR_INTERRUPTED) return 1;
  c->period = c->t_hit;
  for (size_t i = 0, j = 0; i < c->nx; i++)
    if (i != c->iv) out[j++] = c->hit[i];
  return 0;
}

static int period_map(void *ctx, const double *x, double *out)
{
  search *c = (search *)ctx;
  if (br_solver_start(c->solver, c->t_start, x, c->err) != BR_OK) return 1;
  const br_status st = br_solver_advance(c->solver, c->t_start + c->n_period * c->period, out, c->err);
  add_stats(c->stats, c->solver);
  return st != BR_OK;
}

static br_status fail(br_err *err, br_status code, const char *text)
{
  if (err) err->code = code, err->index = -1, snprintf(err->msg, sizeof err->msg, "%s", text);
  return code;
}

/* Long-run guess: simulate, record the range and mean of the velocity over the second half. */
static br_status settle(search *c, const br_solve_settings *solve, double t_end, const double *x,
                        double *scale, double *mean, double *v_lo, double *v_hi, br_err *err)
{
  br_solver *s = NULL;
  br_solve_settings set = *solve;
  const int samples = 4000;
  set.nuser = 0, set.user = NULL, set.on_event = NULL, set.energy = set.extremes = 0;
  set.rtol = fmax(set.rtol, 1e-9);
  br_status st = br_solver_create(c->p, &set, &s, err);
  if (st == BR_OK) st = br_solver_start(s, 0, x, err);
  *mean = 0, *v_lo = INFINITY, *v_hi = -INFINITY;
  for (int i = 1; i <= samples && st == BR_OK; i++) {
    st = br_solver_advance(s, t_end * i / samples, c->x, err);
    if (st != BR_OK || i <= samples / 2) continue;
    for (size_t l = 0; l < c->nx; l++) scale[l] = fmax(scale[l], fabs(c->x[l]));
    *mean += 2 * c->x[c->iv] / samples; /* the second half */
    *v_lo = fmin(*v_lo, c->x[c->iv]), *v_hi = fmax(*v_hi, c->x[c->iv]);
  }
  add_stats(c->stats, s);
  br_solver_destroy(s);
  for (size_t l = 0; l < c->nx; l++)
    if (!(scale[l] > 0)) scale[l] = 1e-12;
  return st;
}

/* Watches |v| against the threshold while one period is measured. */
typedef struct {
  caller from;
  double threshold, since, inside;
  size_t iv;
  int is_inside;
} stick_watch;

static void thresholds(void *ctx, double t, const double *x, double *g)
{
  const stick_watch *w = (const stick_watch *)ctx;
  (void)t;
  g[0] = x[w->iv] - w->threshold;
  g[1] = x[w->iv] + w->threshold;
}

static int on_threshold(void *ctx, const br_event *ev)
{
  stick_watch *w = (stick_watch *)ctx;
  if (ev->type != BR_EVENT_USER) return 0;
  const int enters = ev->index == 0 ? ev->direction < 0 : ev->direction > 0;
  if (enters) w->since = ev->t;
  else if (w->is_inside) w->inside += ev->t - w->since;
  w->is_inside = enters;
  return 0;
}

static br_status measure(search *c, const br_solve_settings *solve, const double *x0, double t0,
                         double period, br_cycle *cycle, double *lo, double *hi, br_err *err)
{
  stick_watch w = {c->from, cycle->threshold, t0, 0, c->iv, 0};
  br_solve_settings set = *solve;
  br_solver *s = NULL;
  set.energy = set.extremes = 1;
  set.t_stop = t0 + period; /* nothing behind the period counts */
  set.nuser = w.threshold > 0 ? 2 : 0;
  set.user = thresholds;
  set.on_event = on_threshold;
  set.ctx = &w;
  w.is_inside = w.threshold > 0 && fabs(x0[c->iv]) < w.threshold;
  br_status st = br_solver_create(c->p, &set, &s, err);
  if (st == BR_OK) st = br_solver_start(s, t0, x0, err);
  if (st == BR_OK) st = br_solver_advance(s, t0 + period, c->x, err);
  if (st == BR_OK) {
    if (w.is_inside) w.inside += t0 + period - w.since;
    cycle->friction_work = br_solver_energy(s).friction;
    cycle->stick_fraction = w.inside / period;
    if (lo && hi) br_solver_extremes(s, lo, hi);
  }
  add_stats(c->stats, s);
  br_solver_destroy(s);
  return st;
}

static br_status find_free(search *c, const br_solve_settings *solve, const br_cycle_settings *set,
                           const double *x, double *r, double *scale, double *work, br_cycle *cycle,
                           double *x0, br_err *err)
{
  double t = set->t_transient > 0 ? set->t_transient : 100, mean, lo, hi;
  const double give_up = set->t_max > 0 ? set->t_max : 1e5;
  br_status st = BR_OK;
  for (int round = 0;; round++, t *= 4) { /* longer until a return to the section is seen */
    memset(scale, 0, c->nx * sizeof *scale);
    st = settle(c, solve, t, x, scale, &mean, &lo, &hi, err);
    if (st != BR_OK) return st;
    if (hi - lo <= 1e-7 * scale[c->iv] || scale[c->iv] < 1e-11)
      return fail(err, BR_E_CONVERGE, "no cycle: the motion settles to a constant velocity or to rest");
    c->level = isnan(set->level) ? mean : set->level;
    c->t_max = 2 * t;
    if (c->level > lo && c->level < hi) {
      if (br_solver_start(c->solver, 0, c->x, err) != BR_OK) return BR_E_CONVERGE;
      c->armed = 1;
      st = br_solver_advance(c->solver, c->t_max, NULL, err);
      c->armed = 0;
      if (st == BR_INTERRUPTED) break;
      if (st != BR_OK) return st;
    }
    if (t * 4 > give_up || round > 6)
      return fail(err, BR_E_CONVERGE, "no cycle: the section is not crossed again");
  }
  for (size_t i = 0, j = 0; i < c->nx; i++)
    if (i != c->iv) r[j] = c->hit[i], scale[j++] = scale[i];
  st = br_map_newton(return_map, c, c->nx - 1, r, scale, NULL, work, NULL, &cycle->residual, err);
  if (st != BR_OK) return st;
  for (size_t i = 0, j = 0; i < c->nx; i++) x0[i] = i == c->iv ? c->level : r[j++];
  cycle->period = c->period;
  cycle->periods = 1;
  return BR_OK;
}

static br_status find_driven(search *c, const br_solve_settings *solve, const br_cycle_settings *set,
                             const double *x, double *scale, double *work, br_cycle *cycle, double *x0,
                             br_err *err)
{
  const double T = c->period, t = (set->t_transient > 0 ? ceil(set->t_transient / T) : 10) * T;
  double mean, lo, hi;
  br_status st = settle(c, solve, t, x, scale, &mean, &lo, &hi, err);
  if (st != BR_OK) return st;
  double *start = work + br_map_newton_work(c->nx);
  memcpy(start, c->x, c->nx * sizeof *start);
  c->t_start = 0;
  for (c->n_period = 1; c->n_period <= (set->max_periods > 0 ? set->max_periods : 1); c->n_period++) {
    memcpy(x0, start, c->nx * sizeof *x0);
    st = br_map_newton(period_map, c, c->nx, x0, scale, NULL, work, NULL, &cycle->residual, err);
    if (st == BR_OK) break;
  }
  cycle->periods = c->n_period;
  cycle->period = c->n_period * T;
  return st;
}

br_status br_cycle_find(const br_plant *plant, const br_solve_settings *solve,
                        const br_cycle_settings *settings, const double *x, br_cycle *cycle, double *x0,
                        double *lo, double *hi, br_err *err)
{
  const br_solve_settings def = br_solve_settings_default();
  const br_cycle_settings cs = settings ? *settings : br_cycle_settings_default();
  br_solve_settings set = solve ? *solve : def;
  search c;
  if (!plant || !cycle) return fail(err, BR_E_ARG, "br_cycle_find: NULL argument");
  memset(&c, 0, sizeof c);
  memset(cycle, 0, sizeof *cycle);
  c.p = plant, c.nx = plant->nx, c.err = err, c.stats = &cycle->stats;
  if (plant->pure[0] < 0 || c.nx < 2)
    return fail(err, BR_E_UNSUPPORTED, "cycle: contact 0 has no velocity of its own");
  if (plant->free)
    return fail(err, BR_E_UNSUPPORTED, "cycle: the contact position drifts and the model depends on it");
  c.iv = (size_t)plant->pure[0];
  for (size_t i = 0; i < plant->nw; i++)
    if (plant->drives[i].eval) {
      if (!(plant->drives[i].period > 0) || (c.driven && plant->drives[i].period != c.period))
        return fail(err, BR_E_UNSUPPORTED, "cycle: the inputs have no common period");
      c.driven = 1, c.period = plant->drives[i].period;
    }
  cycle->threshold = cs.threshold;
  double *a = (double *)bri_calloc(6 * c.nx + br_map_newton_work(c.nx), sizeof *a);
  if (!a) return fail(err, BR_E_NOMEM, "out of memory for the cycle search");
  double *point = a + 2 * c.nx, *scale = a + 3 * c.nx, *r = a + 4 * c.nx, *work = a + 5 * c.nx;
  c.hit = a, c.x = a + c.nx;
  c.from.on_step = set.on_step;
  c.from.ctx = set.ctx;
  if (set.on_step) set.on_step = pass_on;
  set.energy = set.extremes = 0;
  set.nuser = c.driven ? 0 : 1;
  set.user = section;
  set.on_event = on_hit;
  set.ctx = &c;
  br_status st = br_solver_create(plant, &set, &c.solver, err);
  if (st == BR_OK && c.driven) st = find_driven(&c, &set, &cs, x, scale, work, cycle, point, err);
  else if (st == BR_OK) st = find_free(&c, &set, &cs, x, r, scale, work, cycle, point, err);
  if (st == BR_OK) st = measure(&c, &set, point, 0, cycle->period, cycle, lo, hi, err);
  if (st == BR_OK && x0) memcpy(x0, point, c.nx * sizeof *point);
  br_solver_destroy(c.solver);
  bri_free(a);
  return st;
}
