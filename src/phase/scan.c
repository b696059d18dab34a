/* SPDX-License-Identifier: Apache-2.0
 * scan.c - events along any parameter but sigma1.
 *
 * At each value x of the parameter the events along sigma1 are known; one of them is met where its sigma1
 * equals the block's own.  So each kind of event is a function of x whose zeros are wanted: sampled,
 * bracketed, refined. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "phase_internal.h"

enum { SAMPLES = 65, FAST_SAMPLES = 513 };

/* What is followed: folds of equilibria and Hopf points are cheap, the rest needs the branches. */
typedef enum { EQ_FOLD_SLOW, EQ_FOLD_FAST, HOPF_SLOW, HOPF_FAST, CYCLE_FOLD, LOOP } kind;

typedef struct {
  const br_phase *ph;
  kind k;
  int branch;       /* 0..2 for CYCLE_FOLD and LOOP: upper or lone, lower, large */
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
  (void)snprintf(q->e.loop, sizeof q->e.loop, "small, round y%d", i + 1);
  return h.sigma1 - p->s1;
}

/* Value of a probe from the branches at x; NaN where there is none. */
static double from_line(probe *q, const bri_line *l, double x)
{
  const int i = q->branch;
  if (i >= l->n) return NAN;
  const bri_branch *b = &l->b[i];
  q->e = bri_event_new(q->k == LOOP ? BR_PHASE_HOMOCLINIC : BR_PHASE_FOLD_OF_CYCLES, x);
  bri_loop_text(b, sizeof q->e.loop, q->e.loop);
  if (q->k == LOOP) {
    q->e.v = b->s.base.v;
    q->e.saddle_quantity = b->saddle_quantity;
    return b->homoclinic - l->p.s1;
  }
  return b->nfold > 0 ? b->fold[0].sigma1 - l->p.s1 : NAN;
}

static double value(probe *q, double x)
{
  bri_plane p = q->ph->p;
  bri_vary_set(&p, q->ph->vary, x);
  p.F = fabs(p.F);
  if (q->k < CYCLE_FOLD) return cheap(q, &p, x);
  bri_line l;
  bri_line_of(&p, p.s1, BRI_COARSE, &l);
  return from_line(q, &l, x);
}

/* Zero between a and b by false position (Illinois); a jump instead of a zero leaves a large value behind. */
static int refine(probe *q, double a, double b, double fa, double fb, double *root)
{
  const double size = fabs(fa) + fabs(fb);
  double x = a, f = fa;
  int side = 0;
  for (int i = 0; i < 100; i++) {
    x = (fa * b - fb * a) / (fa - fb);
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    f = value(q, x);
    if (isnan(f)) return 0;
    if (f == 0 || b - a <= 1e-14 * (fabs(a) + fabs(b))) break;
    if ((f > 0) == (fa > 0)) {
      if (fabs(x - a) <= 1e-15 * fabs(x)) break;
      a = x, fa = f;
      if (side == 1) fb *= 0.5;
      side = 1;
    } else {
      if (fabs(x - b) <= 1e-15 * fabs(x)) break;
      b = x, fb = f;
      if (side == -1) fa *= 0.5;
      side = -1;
    }
  }
  *root = x;
  return fabs(f) <= 1e-6 * size;
}

static void zeros(br_phase *ph, probe *q, int n, const double *x, const double *f)
{
  for (int i = 0; i + 1 < n; i++) {
    double root;
    if (isnan(f[i]) || isnan(f[i + 1]) || (f[i] > 0) == (f[i + 1] > 0)) continue;
    if (refine(q, x[i], x[i + 1], f[i], f[i + 1], &root)) {
      q->e.value = root;
      bri_event_add(ph, q->e);
    }
  }
}

void bri_scan_events(br_phase *ph)
{
  double x[FAST_SAMPLES], f[FAST_SAMPLES], g[6][SAMPLES];
  static const kind CHEAP[] = {EQ_FOLD_SLOW, EQ_FOLD_FAST, HOPF_SLOW, HOPF_FAST};
  for (size_t c = 0; c < sizeof CHEAP / sizeof CHEAP[0]; c++) {
    probe q = {ph, CHEAP[c], 0, bri_event_new(BR_PHASE_FOLD, 0)};
    for (int i = 0; i < FAST_SAMPLES; i++) {
      x[i] = ph->a + (ph->b - ph->a) * i / (FAST_SAMPLES - 1);
      f[i] = value(&q, x[i]);
    }
    zeros(ph, &q, FAST_SAMPLES, x, f);
  }
  /* one set of branches per sample serves all six probes */
  for (int i = 0; i < SAMPLES; i++) {
    bri_plane p = ph->p;
    bri_line l;
    x[i] = ph->a + (ph->b - ph->a) * i / (SAMPLES - 1);
    bri_vary_set(&p, ph->vary, x[i]);
    p.F = fabs(p.F);
    bri_line_of(&p, p.s1, BRI_COARSE, &l);
    for (int k = 0; k < 6; k++) {
      probe q = {ph, k < 3 ? LOOP : CYCLE_FOLD, k % 3, bri_event_new(BR_PHASE_HOMOCLINIC, 0)};
      g[k][i] = from_line(&q, &l, x[i]);
    }
  }
  for (int k = 0; k < 6; k++) {
    probe q = {ph, k < 3 ? LOOP : CYCLE_FOLD, k % 3, bri_event_new(BR_PHASE_HOMOCLINIC, 0)};
    zeros(ph, &q, SAMPLES, x, g[k]);
  }
}
