/* SPDX-License-Identifier: Apache-2.0
 * branch_curve.c - branches of cycles against sigma1 as curves: points close enough to be joined, cut where
 * the stability changes. */
#include <math.h>

#include "../text/fail.h"
#include "phase_internal.h"

enum { ROOM = 1024, BETWEEN = 6, DEEPEST = 5, HALVINGS = 14 };
static const double APART = 0.08; /* of the greatest speed: points further apart get one between */

/* A cycle of a branch, at part f of the way from one knot to the next; I < 0: it attracts, NaN: not known. */
typedef struct {
  double f, sigma1, v_min, v_max, I;
} cycle_point;

/* A curve on its way to the caller, handed over in pieces of one stability that share their end points. */
typedef struct {
  const br_phase *ph;
  const bri_branch *b;
  bri_knot from, to; /* the way in hand */
  br_branch_fn *draw;
  void *ctx;
  br_status st;
  int stable; /* of the piece in hand; -1: not known yet */
  size_t n;
  double sigma1[ROOM], lo[ROOM], hi[ROOM];
} curve;

static int find_cycle(const curve *c, double f, cycle_point *out)
{
  static const bri_watch extremes = {NULL, NULL};
  const double t = c->from.t + (c->to.t - c->from.t) * f, sign = c->ph->sign;
  const double guess = c->from.sigma1 + (c->to.sigma1 - c->from.sigma1) * f;
  bri_mode mode = f < 0.5 ? c->from.mode : c->to.mode;
  bri_closure y;
  const double s1 = bri_branch_sigma1(&c->b->s, t, guess, 1e4 * c->ph->p.s0, &mode, &y);
  if (!isfinite(s1)) return 0;
  bri_closure_at(&c->b->s, t, s1, mode, &extremes, &y);
  *out = (cycle_point){f, s1, sign > 0 ? y.v_min : -y.v_max, sign > 0 ? y.v_max : -y.v_min, y.I};
  return 1;
}

static void hand_over(curve *c)
{
  if (c->n > 1 && !c->st) c->st = c->draw(c->ctx, c->stable, c->sigma1, c->lo, c->hi, c->n);
  c->n = 0;
}

static void add(curve *c, const cycle_point *p)
{
  if (c->n == ROOM) {
    const cycle_point last = {0, c->sigma1[ROOM - 1], c->lo[ROOM - 1], c->hi[ROOM - 1], 0};
    hand_over(c);
    add(c, &last);
  }
  c->sigma1[c->n] = p->sigma1, c->lo[c->n] = p->v_min, c->hi[c->n] = p->v_max;
  c->n++;
}

static int far_apart(const cycle_point *a, const cycle_point *b)
{
  const double size =
      APART * fmax(fmax(fabs(a->v_max), fabs(a->v_min)), fmax(fabs(b->v_max), fabs(b->v_min)));
  return fabs(a->v_max - b->v_max) > size || fabs(a->v_min - b->v_min) > size;
}

/* Where between two cycles the stability changes: the end of one piece and the start of the next. */
static cycle_point turn(const curve *c, cycle_point a, cycle_point b)
{
  cycle_point m;
  for (int i = 0; i < HALVINGS && find_cycle(c, 0.5 * (a.f + b.f), &m) && !isnan(m.I); i++) {
    if ((m.I < 0) == (a.I < 0)) a = m;
    else b = m;
  }
  return fabs(a.I) < fabs(b.I) ? a : b;
}

static void join(curve *c, const cycle_point *a, const cycle_point *b, int depth)
{
  cycle_point m;
  if (c->st) return;
  if (depth < DEEPEST && far_apart(a, b) && find_cycle(c, 0.5 * (a->f + b->f), &m)) {
    join(c, a, &m, depth + 1);
    join(c, &m, b, depth + 1);
    return;
  }
  const int now = isnan(b->I) && c->stable >= 0 ? c->stable : b->I < 0;
  if (c->stable >= 0 && now != c->stable) {
    const cycle_point at = isnan(a->I) ? *a : turn(c, *a, *b);
    add(c, &at);
    hand_over(c);
    add(c, &at);
  }
  c->stable = now;
  add(c, b);
}

br_status br_phase_branches(const br_phase *ph, br_branch_fn *draw, void *ctx, br_err *err)
{
  if (!ph || !draw) return bri_fail(err, BR_E_ARG, "br_phase_branches: an argument is NULL");
  for (int i = 0; i < ph->line.n; i++) {
    const bri_branch *b = &ph->line.b[i];
    curve c = {.ph = ph, .b = b, .draw = draw, .ctx = ctx, .stable = -1};
    cycle_point before = {0}, now;
    int known = 0;
    for (int k = 0; k + 1 < b->n && !c.st; k++) {
      c.from = b->knot[k], c.to = b->knot[k + 1];
      before.f = 0;
      /* a knot at a fold or an end has no stability of its own: a place close to it has */
      for (int j = k == 0 ? 0 : 1; j <= BETWEEN && !c.st; j++) {
        const double f = j == 0                          ? 0.02
                         : j == BETWEEN && k + 2 == b->n ? (j - 0.02) / BETWEEN
                                                         : (double)j / BETWEEN;
        if (!find_cycle(&c, f, &now)) continue;
        if (known) join(&c, &before, &now, 0);
        else c.stable = now.I < 0, add(&c, &now);
        before = now, known = 1;
      }
    }
    hand_over(&c);
    if (c.st) return bri_fail(err, c.st, "br_phase_branches: the caller stopped it");
  }
  return bri_stop_status(ph->p.stop, "phase", err);
}
