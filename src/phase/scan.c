/* SPDX-License-Identifier: Apache-2.0
 * scan.c - events along any parameter but sigma1.
 *
 * At each value x of the parameter equilibria, Hopf points and homoclinic orbits along sigma1 are known;
 * one of them is met where its sigma1 equals the block's own.  So each is a function of x whose zeros are
 * wanted: sampled, bracketed, refined.  Folds of cycles lie on branches of cycles along x, which are
 * followed from Hopf points and from all cycles at a few values; a fold too near its homoclinic orbit for
 * that follows from their distance along sigma1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/root.h"
#include "../base/alloc.h"
#include "phase_internal.h"

enum { SAMPLES = 65, FAST_SAMPLES = 513, BRANCHES = 16 };

/* What is sampled: folds of equilibria and Hopf points are cheap, loops need manifolds. */
typedef enum { EQ_FOLD_SLOW, EQ_FOLD_FAST, HOPF_SLOW, HOPF_FAST, LOOP } kind;

typedef struct {
  const br_phase *ph;
  kind k;
  int branch;       /* 0..2 for LOOP: upper, lower, large */
  br_phase_event e; /* of the last evaluation */
} probe;

static double excess(const bri_plane *p, double v)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  return g[0] + p->s2 * v - p->F;
}

static double cheap(probe *q, const bri_plane *p, double x)
{
  double turn[2];
  bri_sliding e;
  const int slow = q->k == EQ_FOLD_SLOW || q->k == HOPF_SLOW;
  if (q->k == EQ_FOLD_SLOW || q->k == EQ_FOLD_FAST) {
    const int n = bri_sliding_folds(p, turn), i = slow ? 0 : n - 1;
    if (n == 0 || (slow && n < 2)) return NAN;
    q->e = bri_event_new(BR_PHASE_FOLD, x);
    q->e.v = turn[i];
    q->e.error = 1e-15 * p->F;
    return excess(p, turn[i]);
  }
  bri_sliding_of(p, &e);
  /* the slow focus is the first of three, or the only one while it is slower than the fold of the other */
  int i = slow ? (e.n == 3 || e.n == 1 ? 0 : -1) : e.n >= 2 ? e.n - 1 : -1;
  if (i < 0) return NAN;
  const bri_hopf h = bri_hopf_at(p, e.y[i].v);
  q->e = bri_event_new(BR_PHASE_HOPF, x);
  q->e.v = e.y[i].v;
  q->e.omega = h.omega;
  q->e.lyapunov = h.lyapunov;
  q->e.error = bri_hopf_error(p, e.y[i].v);
  (void)snprintf(q->e.loop, sizeof q->e.loop, "small, round y%d", i + 1);
  return h.sigma1 - p->s1;
}

/* Value of a probe from the branches at x; NaN where there is none. */
static double from_line(probe *q, const bri_line *l, double x)
{
  const int i = q->branch;
  if (i >= l->n) return NAN;
  const bri_branch *b = &l->b[i];
  if (b->s.saddle < 0) return NAN;
  q->e = bri_event_new(BR_PHASE_HOMOCLINIC, x);
  bri_loop_text(&b->s, sizeof q->e.loop, q->e.loop);
  q->e.v = b->s.base.v;
  q->e.saddle_quantity = b->saddle_quantity;
  q->e.error = b->homoclinic_error;
  return b->homoclinic - l->p.s1;
}

static double value(probe *q, double x)
{
  bri_plane p = q->ph->p;
  bri_vary_set(&p, q->ph->vary, x);
  p.F = fabs(p.F);
  if (q->k < LOOP) return cheap(q, &p, x);
  bri_line l;
  bri_line_of(&p, p.s1, BRI_LOOPS, &l);
  return from_line(q, &l, x);
}

/* Zero between a and b; a jump instead of a zero leaves a large value behind. */
static int refine(probe *q, double a, double b, double fa, double fb, double *root)
{
  const double size = fabs(fa) + fabs(fb), slope = fabs((fb - fa) / (b - a));
  bri_bracket k = bri_bracket_of(a, fa, b, fb);
  double x = a, f = fa;
  for (int i = 0; i < 100; i++) {
    x = bri_bracket_next(&k);
    f = value(q, x);
    if (isnan(f)) return 0;
    if (f == 0 || k.b - k.a <= 1e-14 * (fabs(k.a) + fabs(k.b))) break;
    if (fmin(fabs(x - k.a), fabs(x - k.b)) <= 1e-15 * fabs(x)) break;
    bri_bracket_take(&k, x, f);
  }
  *root = x;
  q->e.error = (q->e.error + fabs(f)) / slope + 4e-15 * fabs(x); /* so far it was that of the function */
  return fabs(f) <= 1e-6 * size;
}

/* Folds exponentially close to a homoclinic orbit at x: along sigma1 their distance d is known, and x
 * moves the orbit by `slope`. */
static void folds_beside(br_phase *ph, const probe *loop)
{
  probe q = *loop;
  const double x = loop->e.value, h = 1e-5 * (ph->b - ph->a);
  const double slope = (value(&q, fmin(x + h, ph->b)) - value(&q, fmax(x - h, ph->a))) /
                       (fmin(x + h, ph->b) - fmax(x - h, ph->a));
  bri_plane p = ph->p;
  bri_line *l = bri_calloc(1, sizeof *l);
  if (!l) return; /* the fold may still be found by its branch */
  bri_vary_set(&p, ph->vary, x);
  p.F = fabs(p.F);
  bri_line_of(&p, p.s1, BRI_FINE, l);
  const bri_branch *b = &l->b[loop->branch];
  for (int i = 0; loop->branch < l->n && i < b->nfold; i++) {
    const double d = -b->fold[i].distance / slope; /* of the loop's value minus the fold's */
    if (!isfinite(d)) continue;
    br_phase_event e = bri_event_new(BR_PHASE_FOLD_OF_CYCLES, x - d);
    if (e.value == x) e.value = nextafter(x, d > 0 ? -INFINITY : INFINITY);
    e.distance = d;
    e.error = loop->e.error;
    bri_loop_text(&b->s, sizeof e.loop, e.loop);
    if (e.value >= ph->a && e.value <= ph->b) bri_event_add(ph, e);
  }
  bri_free(l);
}

static void zeros(br_phase *ph, probe *q, int n, const double *x, const double *f)
{
  for (int i = 0; i + 1 < n; i++) {
    double root;
    if (isnan(f[i]) || isnan(f[i + 1]) || (f[i] > 0) == (f[i + 1] > 0)) continue;
    if (refine(q, x[i], x[i + 1], f[i], f[i + 1], &root)) {
      q->e.value = root;
      bri_event_add(ph, q->e);
      if (q->k == LOOP) folds_beside(ph, q);
    }
  }
}

static int known(const br_phase *ph, br_phase_event_type type, double value, double room)
{
  for (size_t i = 0; i < ph->nevent; i++)
    if (ph->event[i].type == type && fabs(ph->event[i].value - value) <= room) return 1;
  return 0;
}

/* Does a branch have a row beside this cycle? */
static int on_branch(const br_phase_branch *b, const br_phase_cycle *c)
{
  size_t n;
  const br_phase_row *r = br_phase_branch_rows(b, &n);
  for (size_t i = 0; i < n; i++)
    if (r[i].value == c->at && fabs(r[i].period / c->period - 1) < 1e-4 &&
        fabs(r[i].v_max - c->v_max) < 1e-4 * (c->v_max - c->v_min))
      return 1;
  return 0;
}

/* What a branch adds to the list: folds, and ends at homoclinic orbits that the samples stepped over. */
static void take_events(br_phase *ph, const br_phase_branch *b, const char *loop)
{
  const double range = ph->b - ph->a;
  size_t n;
  const br_phase_event *e = br_phase_branch_events(b, &n);
  for (size_t i = 0; i < n; i++) {
    if (e[i].type == BR_PHASE_FOLD_OF_CYCLES && !known(ph, e[i].type, e[i].value, 1e-7 * range)) {
      br_phase_event f = e[i];
      (void)snprintf(f.loop, sizeof f.loop, "%s", loop);
      bri_event_add(ph, f);
    }
    if (e[i].type != BR_PHASE_HOMOCLINIC || known(ph, e[i].type, e[i].value, 1e-4 * range)) continue;
    for (int k = 0; k < 3; k++) {
      probe q = {ph, LOOP, k, bri_event_new(BR_PHASE_HOMOCLINIC, 0)};
      const double x0 = fmax(e[i].value - 1e-4 * range, ph->a), x1 = fmin(e[i].value + 1e-4 * range, ph->b),
                   f0 = value(&q, x0), f1 = value(&q, x1);
      double root;
      if (isnan(f0) || isnan(f1) || (f0 > 0) == (f1 > 0) || !refine(&q, x0, x1, f0, f1, &root)) continue;
      q.e.value = root;
      bri_event_add(ph, q.e);
      folds_beside(ph, &q);
    }
  }
}

/* Branches of cycles along the parameter, by continuation. */
static void follow_branches(br_phase *ph)
{
  static const double PLACES[] = {0, 0.25, 0.5, 0.75, 1};
  enum { N = sizeof PLACES / sizeof PLACES[0] };
  const br_system *block = br_system_find("driven_block");
  const br_phase_problem *pr = &ph->problem;
  double spar[16], held[1] = {fabs(pr->F)}, at[N];
  br_phase_plant plant = {block, spar, pr->model, pr->par, held, pr->stop};
  br_vary_where where = BR_VARY_INPUT;
  int slot = 0;
  br_phase_branch *branch[BRANCHES];
  size_t n = 0;
  br_err err;
  const char *name = bri_vary_name(ph->vary);
  const br_param *row = br_model_param(pr->model, name);
  if (block->slots > sizeof spar / sizeof spar[0] || ph->a < 0) return;
  block->defaults(spar);
  spar[block->params[0].slot] = pr->m; /* its one parameter */
  block->prepare(spar);
  if (row) where = BR_VARY_MODEL, slot = (int)row->slot;
  else if (strcmp(name, block->params[0].name) == 0)
    where = BR_VARY_SYSTEM, slot = (int)block->params[0].slot;
  br_phase_branch_settings set = br_phase_branch_settings_default();
  for (int i = 0; i < N; i++) at[i] = ph->a + (ph->b - ph->a) * PLACES[i];
  set.at = at, set.nat = N;
  const size_t hopfs = ph->nevent;
  for (size_t i = 0; i < hopfs && n < BRANCHES; i++) {
    const br_phase_event e = ph->event[i];
    if (e.type != BR_PHASE_HOPF) continue;
    if (br_phase_branch_from_hopf(&plant, where, slot, ph->a, ph->b, &e, &set, &branch[n], &err)) continue;
    take_events(ph, branch[n++], e.loop);
  }
  for (int i = 0; i < N; i++) {
    br_phase_cycle c[BR_PHASE_MOST_CYCLES];
    size_t m = 0;
    if (br_phase_cycles(ph, at[i], BR_PHASE_MOST_CYCLES, c, &m, &err)) continue;
    for (size_t k = 0; k < m && k < BR_PHASE_MOST_CYCLES && n < BRANCHES; k++) {
      const double x[2] = {fabs(c[k].v_start), fabs(c[k].z_start)};
      int seen = 0;
      for (size_t b = 0; b < n; b++) seen = seen || on_branch(branch[b], &c[k]);
      if (seen || br_phase_branch_from_cycle(&plant, where, slot, ph->a, ph->b, at[i], x, c[k].period, &set,
                                             &branch[n], &err))
        continue;
      take_events(ph, branch[n++], c[k].loop);
    }
  }
  for (size_t i = 0; i < n; i++) br_phase_branch_destroy(branch[i]);
}

static void scan_cheap(br_phase *ph, kind k)
{
  double x[FAST_SAMPLES], f[FAST_SAMPLES];
  probe q = {ph, k, 0, bri_event_new(BR_PHASE_FOLD, 0)};
  for (int i = 0; i < FAST_SAMPLES; i++) {
    x[i] = ph->a + (ph->b - ph->a) * i / (FAST_SAMPLES - 1);
    f[i] = value(&q, x[i]);
  }
  zeros(ph, &q, FAST_SAMPLES, x, f);
}

void bri_scan_folds(br_phase *ph)
{
  scan_cheap(ph, EQ_FOLD_SLOW);
  scan_cheap(ph, EQ_FOLD_FAST);
}

void bri_scan_hopf(br_phase *ph)
{
  scan_cheap(ph, HOPF_SLOW);
  scan_cheap(ph, HOPF_FAST);
}

void bri_scan_events(br_phase *ph)
{
  double x[SAMPLES], g[3][SAMPLES];
  bri_scan_folds(ph);
  bri_scan_hopf(ph);
  /* one set of manifolds per sample serves all three loops */
  for (int i = 0; i < SAMPLES; i++) {
    bri_plane p = ph->p;
    bri_line l;
    x[i] = ph->a + (ph->b - ph->a) * i / (SAMPLES - 1);
    bri_vary_set(&p, ph->vary, x[i]);
    p.F = fabs(p.F);
    bri_line_of(&p, p.s1, BRI_LOOPS, &l);
    for (int k = 0; k < 3; k++) {
      probe q = {ph, LOOP, k, bri_event_new(BR_PHASE_HOMOCLINIC, 0)};
      g[k][i] = from_line(&q, &l, x[i]);
    }
  }
  for (int k = 0; k < 3; k++) {
    probe q = {ph, LOOP, k, bri_event_new(BR_PHASE_HOMOCLINIC, 0)};
    zeros(ph, &q, SAMPLES, x, g[k]);
  }
  follow_branches(ph);
}
