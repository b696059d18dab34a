/* SPDX-License-Identifier: Apache-2.0
 * section.c - sections for the five kinds of cycles, and how orbits through them close.
 *
 * Between equilibria the flow crosses L alternately: upward below the slowest, downward to the next, and so
 * on. Cycles of kind UPPER and LOWER cross the chord of L between saddle and focus and close on the other
 * side of the focus; LARGE and LONE cross the ray above saddle or focus at constant z, where z' < 0. */
#include <math.h>

#include "../../core/elementary.h"
#include "returns.h"

enum { LOW, HIGH, CHORD }; /* parts of L: below all equilibria, above them, between saddle and focus */

/* The velocities of a part, and how far outward a crossing there lies. */
static void part_of(const bri_section *s, int part, double *lo, double *hi, double *home, double *sign)
{
  const double first = s->e.y[0].v, last = s->e.y[s->e.n - 1].v, f = s->e.y[s->focus].v, b = s->base.v;
  *lo = part == LOW ? -INFINITY : part == HIGH ? last : fmin(f, b);
  *hi = part == LOW ? first : part == HIGH ? INFINITY : fmax(f, b);
  *home = part == LOW ? first : part == HIGH ? last : f;
  *sign = part == LOW || (part == CHORD && b < f) ? -1 : 1;
}

/* A leg to part `to`, passing over part `by` (-1: none). */
static bri_leg leg(const bri_section *s, int to, int by, bri_fate other)
{
  bri_leg l;
  double home, sign;
  l.c.p = s->p;
  l.c.e = s->e;
  l.c.pass_lo = 1, l.c.pass_hi = 0;
  if (by >= 0) part_of(s, by, &l.c.pass_lo, &l.c.pass_hi, &home, &sign);
  part_of(s, to, &l.c.lo, &l.c.hi, &l.home, &l.sign);
  l.c.home = s->e.y[to == HIGH ? s->e.n - 1 : to == LOW ? 0 : s->focus];
  l.c.other = other;
  l.c.most_steps = BRI_MOST_STEPS;
  return l;
}

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
  s->base = b;
  s->dir = chord ? (bri_point){f.z - b.z, f.v - b.v} : (bri_point){0, kind == BRI_LARGE_BELOW ? -1 : 1};
  s->t_max = chord ? 1 : kind == BRI_LARGE_BELOW ? b.v : 1e6 * p->vs;
  s->most_tries = 120;
  s->most_steps = 20000;
  /* cycles run from the chord to the far side of the focus and back; large ones from HIGH to LOW and back */
  const int far = kind == BRI_UPPER || kind == BRI_LARGE_BELOW ? HIGH : LOW, near = far == HIGH ? LOW : HIGH;
  s->half[0] = leg(s, far, chord ? -1 : near, BRI_INSIDE);
  s->half[1] = leg(s, far, -1, BRI_INSIDE);
  return 1;
}

/* How far outward an orbit arrives: 0 when it ends inside, infinite when it is lost to the outside. */
static double outward(const bri_leg *l, const bri_arc *a)
{
  switch (a->fate) {
  case BRI_HIT: return l->sign * (a->end.v - l->home);
  case BRI_INSIDE: return 0;
  case BRI_OUTSIDE: return INFINITY;
  default: return NAN;
  }
}

/* What rounding along two halves does to the sigma1 at which they meet: both gaps are wedges over `across`.
 * M of a connection starts from 0, which leaves out what sigma1 does to the manifold up to there: it is
 * small.  Where a half does not arrive (a canard sweeps over all of L within the last digit), each half by
 * itself tells. */
static double sigma1_noise(const bri_arc *early, const bri_arc *late)
{
  const double both = (early->noise / fabs(early->across) + late->noise / fabs(late->across)) /
                      fabs(early->M / early->across - late->M / late->across);
  return isfinite(both) ? both : early->noise / fabs(early->M) + late->noise / fabs(late->M);
}

/* inner and outer: the earlier and the later crossing of L; the gap is how much the later one lies further
 * in. */
static void close_up(bri_closure *c, const bri_leg *l, const bri_arc *early, const bri_leg *m,
                     const bri_arc *late, double wedge_early, double wedge_late)
{
  c->gap = outward(l, early) - outward(m, late);
  c->by_t = c->by_s1 = c->blur = NAN;
  if (isnan(c->gap) && early->fate == BRI_OUTSIDE && late->fate == BRI_OUTSIDE) c->gap = INFINITY;
  if (late->fate != BRI_HIT || early->fate != BRI_HIT) return;
  c->by_t = l->sign * wedge_early * bri_exp(early->I) / early->across -
            m->sign * wedge_late * bri_exp(late->I) / late->across;
  c->by_s1 = l->sign * early->M / early->across - m->sign * late->M / late->across;
  c->blur = sigma1_noise(early, late);
}

static void extremes_of(bri_closure *c, const bri_arc *a, const bri_arc *b)
{
  c->v_min = fmin(a->v_min, b->v_min);
  c->v_max = fmax(a->v_max, b->v_max);
  c->z_min = fmin(a->z_min, b->z_min);
  c->z_max = fmax(a->z_max, b->z_max);
  c->steps = a->steps + b->steps;
}

/* How far outward a place of the section lies, m/s: from the base of a ray, from the focus of a chord. */
static double out_at(const bri_section *s, bri_point y)
{
  const int chord = s->kind == BRI_UPPER || s->kind == BRI_LOWER;
  return chord ? fabs(s->e.y[s->focus].v - y.v) : fabs(y.v - s->base.v);
}

/* Once round, from the section back to it, in one direction of time. */
static void turn_closure(const bri_section *s, double t, double sigma1, int back, double wedge,
                         const bri_watch *watch, bri_closure *c)
{
  const int chord = s->kind == BRI_UPPER || s->kind == BRI_LOWER, dir = back ? -1 : 1;
  const bri_point y = {s->base.z + t * s->dir.z, s->base.v + t * s->dir.v};
  bri_return r;
  bri_return_run(s, sigma1, bri_return_coordinate(s, t), dir, watch, &r);
  c->I = dir * r.I;
  c->period = r.time;
  c->v_min = r.v_min, c->v_max = r.v_max;
  c->z_min = r.z_min, c->z_max = r.z_max;
  c->steps = (int)r.steps;
  const double here = out_at(s, y), there = r.fate == BRI_HIT       ? out_at(s, r.end)
                                            : r.fate == BRI_INSIDE  ? 0
                                            : r.fate == BRI_OUTSIDE ? INFINITY
                                                                    : NAN;
  c->gap = dir * (here - there);
  c->by_t = c->by_s1 = c->blur = NAN;
  if (r.fate != BRI_HIT) return;
  bri_plane p = s->p;
  p.s1 = sigma1;
  const bri_point f = bri_flow(&p, r.end);
  const double w = f.z * s->dir.v - f.v * s->dir.z, per_t = (chord ? -1 : 1) * fabs(s->dir.v);
  c->by_t = dir * per_t * (1 - bri_exp(r.I) * wedge / w);
  c->by_s1 = -dir * per_t * r.M / w;
  c->blur = r.wedge / fabs(r.M);
}

void bri_closure_at(const bri_section *s, double t, double sigma1, bri_mode mode, const bri_watch *watch,
                    bri_closure *c)
{
  bri_leg f = s->half[0], b = s->half[1];
  bri_arc to, from;
  f.c.p.s1 = b.c.p.s1 = sigma1;
  const bri_point y = {s->base.z + t * s->dir.z, s->base.v + t * s->dir.v}, r = bri_flow(&f.c.p, y);
  const double wedge = r.z * s->dir.v - r.v * s->dir.z;
  if (mode != BRI_HALVES) {
    turn_closure(s, t, sigma1, mode == BRI_BACKWARD, wedge, watch, c);
    return;
  }
  bri_arc_run(&f.c, y, 1, 0, watch, &to);
  bri_arc_run(&b.c, y, -1, 0, watch, &from);
  c->I = to.I - from.I;
  c->period = to.time - from.time;
  extremes_of(c, &to, &from);
  close_up(c, &b, &from, &f, &to, wedge, wedge);
}

/* As far out as the manifold's series is good, at most a tenth of the way to a neighbour. */
bri_point bri_manifold_start(const bri_plane *p, const bri_sliding *e, int saddle, double lambda,
                             double along)
{
  double az[BRI_ORDER + 1], av[BRI_ORDER + 1];
  const bri_point y = e->y[saddle];
  const bri_point ev = bri_eigenvector(p, y.v, lambda);
  double room = y.v;
  for (int i = 0; i < e->n; i++)
    if (i != saddle) room = fmin(room, fabs(e->y[i].v - y.v));
  bri_manifold_series(p, y, lambda, along * ev.z, along * ev.v, az, av);
  double x = fmin(0.2 * room / fabs(ev.v), 0.2);
  for (int k = BRI_ORDER - 1; k <= BRI_ORDER; k++) {
    const double a = fabs(az[k]) / y.z + fabs(av[k]) / y.v;
    if (a > 0) x = fmin(x, bri_exp(bri_log(1e-17 / a) / k));
  }
  return (bri_point){bri_series_at(az, x), bri_series_at(av, x)};
}

/* Wedge of the flow at y with the error of a start on a manifold: that of the saddle's place, whose velocity
 * is known to the rounding of the forces over the slope of the level, along L. */
static double start_noise(const bri_plane *p, bri_point saddle, bri_point y)
{
  double g[4], k[4];
  const bri_point f = bri_flow(p, y);
  bri_level_series(p, saddle.v, g, k);
  const double dv = 2.2e-16 * (p->F + p->s2 * saddle.v) / fabs(g[1] + p->s2), dz = dv * p->s2 / p->s0;
  return fabs(f.z) * dv + fabs(f.v) * dz;
}

void bri_connection(const bri_section *s, double sigma1, double *gap, double *blur)
{
  bri_leg f = s->half[0], b = s->half[1];
  bri_arc to, from;
  f.c.p.s1 = b.c.p.s1 = sigma1;
  const double v = s->base.v;
  const bri_linear l = bri_linear_at(&f.c.p, v);
  /* the unstable one goes up, to smaller z, for UPPER and LARGE; the stable one comes from the side of the
   * focus of UPPER, where z is smaller too, or from the slow side */
  const double up = s->kind == BRI_UPPER || s->kind == BRI_LARGE ? 1 : -1;
  const double stable = s->kind == BRI_UPPER || s->kind == BRI_LARGE_BELOW ? 1 : -1;
  const bri_point u = bri_manifold_start(&f.c.p, &s->e, s->saddle, l.re[1], up);
  const bri_point w = bri_manifold_start(&f.c.p, &s->e, s->saddle, l.re[0], stable);
  bri_arc_run(&f.c, u, 1, 0, NULL, &to);
  bri_arc_run(&b.c, w, -1, 0, NULL, &from);
  *gap = outward(&b, &from) - outward(&f, &to);
  to.noise = bri_hypot(to.noise, start_noise(&f.c.p, s->base, u) * bri_exp(to.I));
  from.noise = bri_hypot(from.noise, start_noise(&f.c.p, s->base, w) * bri_exp(from.I));
  *blur = sigma1_noise(&from, &to);
}
