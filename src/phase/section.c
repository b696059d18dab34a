/* SPDX-License-Identifier: Apache-2.0
 * section.c - sections for the five kinds of cycles, and how orbits through them close.
 *
 * Between equilibria the flow crosses L alternately: upward below the slowest, downward to the next, and so on.
 * Cycles of kind UPPER and LOWER cross the chord of L between saddle and focus and close on the other side of the
 * focus; LARGE and LONE cross the ray above saddle or focus at constant z, where z' < 0. */
#include <math.h>

#include "branch.h"

int bri_section_of(const bri_plane *p, const bri_sliding *e, bri_kind kind, bri_section *s)
{
  const int n = e->n;
  s->kind = kind;
  s->p = *p;
  s->e = *e;
  s->saddle = -1;
  switch (kind) {
    case BRI_LONE:
      if (n != 1) return 0;
      s->focus = 0;
      break;
    case BRI_UPPER:
      if (n < 2) return 0;
      s->focus = n - 1;
      s->saddle = n - 2;
      break;
    default:
      if (n != 3) return 0;
      s->focus = 0;
      s->saddle = 1;
      break;
  }
  const bri_point f = e->y[s->focus], b = s->saddle >= 0 ? e->y[s->saddle] : f;
  const int chord = kind == BRI_UPPER || kind == BRI_LOWER;
  /* on which side of the equilibria do the halves meet? */
  const int high = kind == BRI_UPPER || kind == BRI_LARGE_BELOW;
  s->base = b;
  s->dir = chord ? (bri_point){f.z - b.z, f.v - b.v} : (bri_point){0, kind == BRI_LARGE_BELOW ? -1 : 1};
  s->t_max = chord ? 1 : kind == BRI_LARGE_BELOW ? b.v : 1e6 * p->vs;
  s->home = high ? e->y[n - 1].v : e->y[0].v;
  s->sign = high ? 1 : -1;
  bri_course c = {*p, *e, high ? s->home : -INFINITY, high ? INFINITY : s->home, 1, 0, high ? e->y[n - 1] : e->y[0], BRI_MOST_STEPS};
  s->backward = c;
  if (!chord) { /* forward the orbit first passes the far side */
    c.pass_lo = high ? -INFINITY : e->y[n - 1].v;
    c.pass_hi = high ? e->y[0].v : INFINITY;
  }
  s->forward = c;
  return 1;
}

/* Distance outward on L and its derivatives by the wedge products. */
static double outward(const bri_section *s, const bri_arc *a, int backward)
{
  if (a->fate == BRI_HIT) return s->sign * (a->end.v - s->home);
  if (a->fate == BRI_INSIDE) return 0;
  return backward && a->fate == BRI_OUTSIDE ? INFINITY : NAN;
}

void bri_closure_at(const bri_section *s, double t, double sigma1, const bri_watch *watch, bri_closure *c)
{
  bri_course f = s->forward, b = s->backward;
  bri_arc to, from;
  f.p.s1 = b.p.s1 = sigma1;
  const bri_point y = {s->base.z + t * s->dir.z, s->base.v + t * s->dir.v}, r = bri_flow(&f.p, y);
  const double wedge = r.z * s->dir.v - r.v * s->dir.z;
  bri_arc_run(&f, y, 1, 0, watch, &to);
  bri_arc_run(&b, y, -1, 0, watch, &from);
  c->gap = outward(s, &from, 1) - outward(s, &to, 0);
  c->by_t = c->by_s1 = NAN;
  c->I = to.I - from.I;
  c->period = to.time - from.time;
  c->steps = to.steps + from.steps;
  c->v_min = fmin(to.v_min, from.v_min);
  c->v_max = fmax(to.v_max, from.v_max);
  c->z_min = fmin(to.z_min, from.z_min);
  c->z_max = fmax(to.z_max, from.z_max);
  if (to.fate != BRI_HIT || from.fate != BRI_HIT) return;
  c->by_t = s->sign * wedge * (exp(from.I) / from.across - exp(to.I) / to.across);
  c->by_s1 = s->sign * (from.M / from.across - to.M / to.across);
}

/* Point on a local manifold: as far out as its series is good, at most a tenth of the way to a neighbour. */
bri_point bri_manifold_start(const bri_plane *p, const bri_sliding *e, int saddle, double lambda, double along)
{
  double az[BRI_ORDER + 1], av[BRI_ORDER + 1];
  const bri_point y = e->y[saddle];
  const bri_point ev = bri_eigenvector(p, y.v, lambda);
  double room = y.v;
  for (int i = 0; i < e->n; i++) {
    if (i != saddle) room = fmin(room, fabs(e->y[i].v - y.v));
  }
  bri_manifold_series(p, y, lambda, along * ev.z, along * ev.v, az, av);
  double x = 0.2 * room / fabs(ev.v);
  for (int k = BRI_ORDER - 1; k <= BRI_ORDER; k++) {
    const double a = fabs(az[k]) / y.z + fabs(av[k]) / y.v;
    if (a > 0) x = fmin(x, exp(log(1e-17 / a) / k));
  }
  return (bri_point){bri_series_at(az, x), bri_series_at(av, x)};
}

void bri_connection(const bri_section *s, double sigma1, double *gap)
{
  bri_course f = s->forward, b = s->backward;
  bri_arc to, from;
  f.p.s1 = b.p.s1 = sigma1;
  const double v = s->base.v;
  const bri_linear l = bri_linear_at(&f.p, v);
  /* eigenvectors have v = 1: the unstable one goes up for UPPER and LARGE; the stable one leaves toward the focus of
   * UPPER (up along L) or to the slow side */
  const double up = s->kind == BRI_UPPER || s->kind == BRI_LARGE ? 1 : -1;
  const double stable = s->kind == BRI_UPPER || s->kind == BRI_LARGE_BELOW ? 1 : -1;
  const bri_point u = bri_manifold_start(&f.p, &s->e, s->saddle, l.re[1], up);
  const bri_point w = bri_manifold_start(&f.p, &s->e, s->saddle, l.re[0], stable);
  bri_arc_run(&f, u, 1, 0, NULL, &to);
  bri_arc_run(&b, w, -1, 0, NULL, &from);
  *gap = outward(s, &from, 1) - outward(s, &to, 0);
}
