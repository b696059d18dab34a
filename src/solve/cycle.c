/* SPDX-License-Identifier: Apache-2.0
 * cycle.c - the cycle a plant settles on: transient, return map, Newton, measurement of one period.
 *
 * Newton's method finds orbits whether they attract or not, and on the section of a block that slides
 * steadily it finds the equilibrium.  So the motion is followed until it is seen to come closer to what was
 * found, and what was found attracts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "eigen.h"
#include "returns.h"

#define PERIODS 16        /* default of max_periods */
#define CLOSE 0.05        /* of the orbit's size: the motion is that close to where it settles */
#define SHARP 0.1         /* multipliers below contract so strongly that ... */
#define NOISE 1e-5        /* ... this part of the orbit's size is the error of the integration */
#define CLOSE_REST 1e-2   /* of the states' size, to an equilibrium */
#define SMALL_RATES 1e-8  /* of the states' size in one period: an equilibrium, no cycle */
#define STEADY 1e-7       /* of the velocity's size: range of a velocity that counts as constant */
#define MOST_RETURNS 1500 /* followed in all */

br_cycle_settings br_cycle_settings_default(void)
{
  br_cycle_settings s;
  memset(&s, 0, sizeof s);
  s.level = NAN;
  s.max_periods = PERIODS;
  return s;
}

static br_status fail(br_err *err, br_status code, const char *text)
{
  if (err) err->code = code, err->index = -1, snprintf(err->msg, sizeof err->msg, "%s", text);
  return code;
}

typedef enum { GO_ON, CYCLE, REST } outcome;

typedef struct {
  bri_returns c;
  bri_settled s;
  br_solve_settings solve;
  br_cycle *cycle;
  int most;                  /* returns in one cycle */
  double *r, *ring;          /* the last point; the last most + 1 of them, newest at count % (most + 1) */
  size_t count;              /* points in the ring */
  double *scale, *range;     /* of the map's numbers */
  double *point, *next, *at; /* what Newton found; scratch */
  double *jac, *work;
  double *lo, *hi; /* extremes over one period */
  int no_memory;   /* 1: for what measures a cycle; it must not be searched for elsewhere */
} hunt;

/* Watches |v| against the threshold while one period is measured. */
typedef struct {
  bri_caller from;
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

/* One period of the cycle through x0. */
static br_status measure(hunt *h, const double *x0)
{
  bri_returns *c = &h->c;
  br_cycle *cycle = h->cycle;
  if (c->p->section < 0) cycle->threshold = 0; /* no state is a speed */
  stick_watch w = {c->from, cycle->threshold, 0, 0, c->iv, 0};
  br_solve_settings set = h->solve;
  br_solver *s = NULL;
  set.energy = set.extremes = 1;
  set.t_stop = cycle->period; /* nothing behind the period counts */
  set.nuser = w.threshold > 0 ? 2 : 0;
  set.user = thresholds;
  set.on_event = on_threshold;
  set.ctx = &w;
  w.is_inside = w.threshold > 0 && fabs(x0[c->iv]) < w.threshold;
  br_status st = br_solver_create(c->p, &set, &s, c->err);
  if (st == BR_OK) st = br_solver_start(s, 0, x0, c->err);
  if (st == BR_OK) st = br_solver_advance(s, cycle->period, c->x, c->err);
  if (st == BR_OK) {
    if (w.is_inside) w.inside += cycle->period - w.since;
    cycle->friction_work = br_solver_energy(s).friction;
    cycle->stick_fraction = w.inside / cycle->period;
    br_solver_extremes(s, h->lo, h->hi);
  }
  h->no_memory |= st == BR_E_NOMEM;
  c->stopped |= st == BR_INTERRUPTED || st == BR_E_NOMEM;
  bri_add_stats(c->stats, s);
  br_solver_destroy(s);
  return st;
}

static double *in_ring(hunt *h, size_t back)
{
  return h->ring + (h->count - 1 - back) % ((size_t)h->most + 1) * h->c.n;
}

static void push(hunt *h)
{
  h->count++;
  memcpy(in_ring(h, 0), h->r, h->c.n * sizeof *h->r);
}

/* One return further; 0 when there is one. */
static int follow_once(hunt *h)
{
  h->c.folds = 1;
  if (bri_returns_map(&h->c, h->r, h->next)) return 1;
  memcpy(h->r, h->next, h->c.n * sizeof *h->r);
  push(h);
  return 0;
}

/* Largest |a - b| relative to `by`; numbers that are the same count nothing. */
static double distance(size_t n, const double *a, const double *b, const double *by)
{
  double worst = 0;
  for (size_t i = 0; i < n; i++) {
    if (a[i] == b[i]) continue;
    const double d = fabs(a[i] - b[i]) / by[i];
    if (!(d <= worst)) worst = d; /* not finite: the worst of all */
  }
  return worst;
}

/* After how many returns the motion nearly repeats itself; 0: none that can be told. */
static int guess_folds(hunt *h)
{
  double d[2 * PERIODS + 1], least = INFINITY;
  const int seen = (int)(h->count - 1), most = h->most < 2 * PERIODS ? h->most : 2 * PERIODS;
  for (int n = 1; n <= most && n <= seen; n++) {
    d[n] = distance(h->c.n, in_ring(h, 0), in_ring(h, (size_t)n), h->range);
    least = fmin(least, d[n]);
  }
  for (int n = 1; n <= most && n <= seen && least < 0.2; n++)
    if (d[n] <= 2 * least) return n;
  return 0;
}

/* Newton on the n-fold map from the last point to h->point, with its slopes; 0 when found. */
static int newton(hunt *h, int n)
{
  br_newton_settings set = br_newton_settings_default();
  set.warm_up = 0;
  h->c.folds = n;
  memcpy(h->point, h->r, h->c.n * sizeof *h->r);
  return br_map_newton(bri_returns_map, &h->c, h->c.n, h->point, h->scale, &set, h->work, h->jac,
                       &h->cycle->residual, h->c.err) != BR_OK;
}

/* Multipliers from the slopes, which stay as they are, the largest first; the size of that. */
static double multipliers(hunt *h)
{
  br_cycle *y = h->cycle;
  double *slopes = h->work; /* Newton's, which has ended */
  y->multipliers = 0;
  memcpy(slopes, h->jac, h->c.n * h->c.n * sizeof *slopes);
  if (h->c.n > BR_CYCLE_MULTIPLIERS || bri_eigenvalues(h->c.n, slopes, y->re, y->im)) return INFINITY;
  y->multipliers = h->c.n;
  for (size_t i = 1; i < h->c.n; i++)
    for (size_t j = i; j > 0 && bri_hypot(y->re[j], y->im[j]) > bri_hypot(y->re[j - 1], y->im[j - 1]); j--) {
      const double re = y->re[j], im = y->im[j];
      y->re[j] = y->re[j - 1], y->im[j] = y->im[j - 1];
      y->re[j - 1] = re, y->im[j - 1] = im;
    }
  return h->c.n ? bri_hypot(y->re[0], y->im[0]) : 0;
}

/* The least number of returns after which the point comes back; n, unless it divides.  Two points close
 * together that the map exchanged would have a slope of -1 between them: where it contracts strongly, what is
 * left between them is the error of the integration, which a layer of the motion may enlarge. */
static int least_folds(hunt *h, int n)
{
  const double near = multipliers(h) < SHARP ? NOISE : 0;
  for (int m = 1; m < n; m++) {
    h->c.folds = m;
    if (n % m == 0 && !bri_returns_map(&h->c, h->point, h->next) &&
        (distance(h->c.n, h->point, h->next, h->scale) < 1e-8 ||
         distance(h->c.n, h->point, h->next, h->range) < near))
      return m;
  }
  return n;
}

/* Does nothing move at the point? */
static int is_equilibrium(hunt *h)
{
  bri_returns *c = &h->c;
  bri_returns_state(c, h->point, c->x);
  if (c->driven || br_solver_start(c->solver, 0, c->x, c->err) != BR_OK) return 0;
  br_solver_rate(c->solver, c->x);
  for (size_t l = 0; l < c->nx; l++)
    if (!(fabs(c->x[l]) * h->cycle->period <= SMALL_RATES * h->s.scale[l])) return 0;
  return 1;
}

/* Is the point where the motion goes: near, attracting, and nearer after one more cycle? */
static int approaches(hunt *h, int n, double radius, const double *size, double near)
{
  const double before = distance(h->c.n, h->r, h->point, size);
  /* a state that nothing pulls anywhere keeps its value: its multiplier is 1, up to differences */
  const int repeats = before * 1e6 < near && radius < 1 + 1e-4;
  if (!(before <= near) || !(radius < 1 || repeats)) return 0;
  for (int i = 0; i < n; i++)
    if (follow_once(h)) return 0;
  const double after = distance(h->c.n, h->r, h->point, size);
  return repeats || after <= 0.5 * (1 + radius) * before ||
         (radius < SHARP && before <= NOISE && after <= NOISE);
}

/* What Newton finds from here, and whether the motion settles on it. */
static outcome judge(hunt *h, int n)
{
  bri_returns *c = &h->c;
  if (newton(h, n)) return GO_ON;
  const int least = least_folds(h, n);
  int lost = 0;
  if (least != n) {
    memcpy(h->at, h->r, c->n * sizeof *h->r);
    memcpy(h->r, h->point, c->n * sizeof *h->r);
    if (newton(h, least)) { /* below the error of the integration there is nothing to converge to */
      if (!(h->cycle->residual <= NOISE)) lost = 1;
      memcpy(h->point, h->r, c->n * sizeof *h->r);
    }
    memcpy(h->r, h->at, c->n * sizeof *h->r);
    if (lost) return GO_ON;
    n = least;
  }
  c->folds = n;
  if (bri_returns_map(c, h->point, h->next)) return GO_ON;
  h->cycle->period = c->took;
  h->cycle->residual = distance(c->n, h->point, h->next, h->scale);
  h->cycle->periods = c->driven ? n : 1;
  h->cycle->returns = n;
  const double radius = multipliers(h);
  if (is_equilibrium(h)) return approaches(h, n, radius, h->scale, CLOSE_REST) ? REST : GO_ON;
  bri_returns_state(c, h->point, h->at);
  if (measure(h, h->at) != BR_OK) return GO_ON;
  for (size_t i = 0, j = 0; i < c->nx; i++) /* its size, for the distance */
    if (c->driven || i != c->iv) h->at[j++] = h->hi[i] - h->lo[i];
  return approaches(h, n, radius, h->at, CLOSE) ? CYCLE : GO_ON;
}

/* Follow the returns from h->r, with a look at 2, 4, 8 ... of them. */
static outcome follow(hunt *h, size_t most)
{
  outcome o = GO_ON;
  h->count = 0;
  push(h);
  for (size_t look = 2; o == GO_ON && h->count < most && !follow_once(h);) {
    if (h->count <= look) continue;
    look *= 2;
    const int n = guess_folds(h);
    if (n > 0) o = judge(h, n);
  }
  return o;
}

static br_status rest(hunt *h, const double *x)
{
  char text[sizeof((br_err *)NULL)->msg];
  int at = snprintf(text, sizeof text, "no cycle: the motion settles on the equilibrium");
  for (size_t i = 0; i < h->c.nx && at > 0 && (size_t)at + 32 < sizeof text; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "%s %s = %.9g", i ? "," : "", h->c.p->names[i], x[i]);
  h->cycle->rest = 1;
  h->cycle->period = h->cycle->residual = 0;
  return fail(h->c.err, BR_E_CONVERGE, text);
}

/* Sizes of the map's numbers from those of the states. */
static void map_sizes(hunt *h)
{
  for (size_t i = 0, j = 0; i < h->c.nx; i++) {
    if (!h->c.driven && i == h->c.iv) continue;
    h->scale[j] = h->s.scale[i];
    h->range[j++] = fmax(h->s.range[i], 1e-9 * h->s.scale[i]);
  }
}

/* Has every state stopped moving?  A block that sticks while its spring is drawn has a constant velocity too.
 * */
static int has_stopped(const hunt *h)
{
  for (size_t l = 0; l < h->c.nx; l++)
    if (!(h->s.range[l] <= STEADY * h->s.scale[l] || h->s.range[l] <= 1e-10 * h->s.top[l])) return 0;
  return !h->c.driven;
}

/* Longer and longer runs, each followed by returns to the section, until the motion has settled.  The state
 * it settles on is left in h->s.x. */
static br_status find(hunt *h, const br_cycle_settings *set)
{
  bri_returns *c = &h->c;
  const double T = c->input_period, first = set->t_transient;
  double t = c->driven ? (first > 0 ? ceil(first / T) : 10) * T : first > 0 ? first : 100;
  const double give_up = set->t_max > 0 ? set->t_max : c->driven ? 2000 * T : 1e5;
  size_t returns = 64;
  for (int round = 0;; round++, returns *= 2) {
    const br_status st = bri_settle(c, &h->solve, t, &h->s);
    if (st != BR_OK) return st;
    if (has_stopped(h)) return rest(h, h->s.x);
    map_sizes(h);
    const double lo = h->s.lo[c->iv], hi = h->s.hi[c->iv];
    /* ringing may cross one section many times in one cycle, and another, half way up a slip, once */
    c->level = round & 1 ? 0.5 * (lo + hi) : isnan(set->level) ? h->s.mean : set->level;
    c->t_max = 2 * t;
    if ((c->driven || (c->level > lo && c->level < hi)) && !bri_first_return(c, h->s.x, h->r)) {
      const outcome o = follow(h, returns);
      bri_returns_state(c, o == GO_ON ? h->r : h->point, h->s.x);
      if (o == CYCLE) return BR_OK;
      if (o == REST) return rest(h, h->s.x);
    }
    if (h->no_memory) return fail(c->err, BR_E_NOMEM, "out of memory for the cycle search");
    if (c->stopped) return fail(c->err, BR_INTERRUPTED, "cycle: interrupted");
    if (c->spent > give_up || c->count > MOST_RETURNS) break;
    if (!c->driven) t = fmin(4 * t, fmax(give_up - c->spent, t));
  }
  char text[sizeof((br_err *)NULL)->msg];
  if (!c->driven && h->s.range[c->iv] <= STEADY * h->s.scale[c->iv])
    snprintf(text, sizeof text, "no cycle: the motion settles to a constant velocity of %.9g m/s", h->s.mean);
  else
    snprintf(text, sizeof text,
             "no cycle: within %.3g s the motion has settled neither on one of up to %d returns nor at rest",
             c->spent, h->most);
  return fail(c->err, BR_E_CONVERGE, text);
}

/* Memory of the search; one block, freed by its first pointer. */
static double *allocate(hunt *h)
{
  const size_t n = h->c.nx, w = n + h->c.p->nk, ring = (size_t)h->most + 1, work = br_map_newton_work(n);
  const bri_share parts[] = {{&h->c.hit, n},   {&h->c.x, n},   {&h->s.x, n},         {&h->s.scale, n},
                             {&h->s.range, n}, {&h->s.top, n}, {&h->s.lo, w},        {&h->s.hi, w},
                             {&h->r, n},       {&h->scale, n}, {&h->range, n},       {&h->point, n},
                             {&h->next, n},    {&h->at, n},    {&h->ring, ring * n}, {&h->jac, n * n},
                             {&h->lo, w},      {&h->hi, w},    {&h->work, work}};
  return bri_shares(parts, sizeof parts / sizeof parts[0]);
}

/* Which plants have a map, and what drives them. */
static br_status check(const br_plant *p, bri_returns *c, br_err *err)
{
  if (p->free)
    return fail(err, BR_E_UNSUPPORTED, "cycle: the contact position drifts and the model depends on it");
  for (size_t i = 0; i < p->nw; i++)
    if (p->drives[i].eval) {
      if (!(p->drives[i].period > 0) || (c->driven && p->drives[i].period != c->input_period))
        return fail(err, BR_E_UNSUPPORTED, "cycle: the inputs have no common period");
      c->driven = 1, c->input_period = p->drives[i].period;
    }
  for (size_t i = 0; p->loads && i < p->nc; i++)
    if (p->loads[i].eval) {
      if (!(p->loads[i].period > 0) || (c->driven && p->loads[i].period != c->input_period))
        return fail(err, BR_E_UNSUPPORTED, "cycle: inputs and loads have no common period");
      c->driven = 1, c->input_period = p->loads[i].period;
    }
  if (p->then) return fail(err, BR_E_UNSUPPORTED, "cycle: parameters that switch leave no cycle");
  if (!(c->driven ? p->nx > 0 : p->section >= 0 && p->nx > 1)) /* the period of an input needs no section */
    return fail(err, BR_E_UNSUPPORTED,
                c->driven ? "cycle: no states: every period is the same"
                          : "cycle: contact 0 has no velocity of its own, and no input has a period");
  c->iv = p->section < 0 ? 0 : (size_t)p->section;
  c->nx = p->nx;
  c->n = c->driven ? p->nx : p->nx - 1;
  return BR_OK;
}

br_status br_cycle_find(const br_plant *plant, const br_solve_settings *solve,
                        const br_cycle_settings *settings, const double *x, br_cycle *cycle, double *x0,
                        double *lo, double *hi, br_err *err)
{
  const br_cycle_settings cs = settings ? *settings : br_cycle_settings_default();
  br_err own;
  hunt h;
  if (!plant || !cycle) return fail(err, BR_E_ARG, "br_cycle_find: NULL argument");
  memset(&h, 0, sizeof h);
  memset(cycle, 0, sizeof *cycle);
  cycle->threshold = cs.threshold;
  h.cycle = cycle;
  h.most = cs.max_periods > 0 ? cs.max_periods : 1;
  h.solve = solve ? *solve : br_solve_settings_default();
  h.c.p = plant, h.c.err = err ? err : &own, h.c.stats = &cycle->stats;
  if (h.solve.kind == BR_SOLVER_FIXED || h.solve.kind == BR_SOLVER_CVODE) /* they keep no extremes */
    return fail(err, BR_E_UNSUPPORTED, "cycle: needs a native solver");
  br_status st = check(plant, &h.c, err);
  if (st != BR_OK) return st;
  double *memory = allocate(&h);
  if (!memory) return fail(err, BR_E_NOMEM, "out of memory for the cycle search");
  if (x) memcpy(h.s.x, x, h.c.nx * sizeof *x);
  h.c.from.on_step = h.solve.on_step;
  h.c.from.ctx = h.solve.ctx;
  if (h.solve.on_step) h.solve.on_step = bri_pass_on;
  h.solve.energy = h.solve.extremes = 0;
  h.solve.nuser = h.c.driven ? 0 : 1;
  h.solve.user = bri_section;
  h.solve.on_event = bri_on_section;
  h.solve.ctx = &h.c;
  const size_t w = plant->nx + plant->nk;
  st = br_solver_create(plant, &h.solve, &h.c.solver, err);
  if (st == BR_OK) st = find(&h, &cs);
  if ((st == BR_OK || cycle->rest) && x0) memcpy(x0, h.s.x, h.c.nx * sizeof *x0);
  if (st == BR_OK && lo && hi) memcpy(lo, h.lo, w * sizeof *lo), memcpy(hi, h.hi, w * sizeof *hi);
  br_solver_destroy(h.c.solver);
  bri_free(memory);
  return st;
}
