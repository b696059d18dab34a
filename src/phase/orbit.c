/* SPDX-License-Identifier: Apache-2.0
 * orbit.c - follow an orbit to the line L, with the integrals that give derivatives and multipliers. */
#include <math.h>

#include "../../core/elementary.h"
#include "../base/root.h"
#include "plane.h"
#include "stiff.h"

/* l = sigma0 z + sigma2 v - F as a series, stored in c. */
static void line_series(const bri_plane *p, const bri_series *s, double *c)
{
  for (int k = 0; k <= BRI_ORDER; k++) c[k] = p->s0 * s->z[k] + p->s2 * s->v[k];
  c[0] -= p->F;
}

/* Zero of a series between a (sign of `side`) and b. */
static double zero_between(const double *c, double a, double b, double side)
{
  bri_bracket k = bri_bracket_of(a, side, b, -side);
  double x = 0.5 * (a + b);
  for (int i = 0; i < 100; i++) {
    const double f = bri_series_at(c, x);
    if (f == 0) return x;
    const double next = bri_bracket_newton(&k, x, f, bri_series_rate(c, x));
    if (fabs(next - x) <= 2e-16 * fabs(x)) return next;
    x = next;
  }
  return x;
}

/* Extremes of a series on (0, h): values at zeros of its rate, between three pieces. */
void bri_extremes(const double *c, double h, double *lo, double *hi)
{
  double rate[BRI_ORDER + 1], from = 0, r0;
  for (int k = 0; k < BRI_ORDER; k++) rate[k] = c[k + 1] * (k + 1);
  rate[BRI_ORDER] = 0;
  r0 = rate[0];
  for (int i = 1; i <= 3; i++) {
    const double to = h * i / 3, r1 = bri_series_rate(c, to);
    if (r0 * r1 < 0) {
      const double x = bri_series_at(c, zero_between(rate, from, to, r0));
      *lo = fmin(*lo, x);
      *hi = fmax(*hi, x);
    }
    from = to;
    r0 = r1;
  }
}

/* The arc by one step, or a part of it, longer. */
static void extend(bri_arc *a, const bri_plane *p, const bri_series *s, double h, int stiff)
{
  const double I = bri_series_at(s->I, h);
  a->end = (bri_point){bri_series_at(s->z, h), bri_series_at(s->v, h)};
  a->time += h;
  a->I += I;
  a->noise = bri_hypot(a->noise, bri_step_noise(p, s, h, stiff)) * bri_exp(I);
  a->M = bri_series_at(s->M, h);
}

static void look(bri_arc *a, const bri_series *s, double h, const bri_watch *watch)
{
  if (!watch) return;
  bri_extremes(s->v, h, &a->v_min, &a->v_max);
  bri_extremes(s->z, h, &a->z_min, &a->z_max);
  if (watch->see) watch->see(watch->ctx, s, h);
}

/* Has the orbit left for good?  Closed orbits have v > 0 and 0 < z < F/sigma0; forward the flow cannot leave.
 * */
static int gone(const bri_course *c, bri_point y)
{
  return !(y.v > 0) || !(y.z > 0) || y.z > 4 * (c->p.F + c->p.Fc + c->p.dF) / c->p.s0;
}

static int at(bri_point e, bri_point y) { return fabs(y.z - e.z) / e.z + fabs(y.v - e.v) / e.v < 1e-9; }

static int settled(const bri_course *c, bri_point y, bri_fate *fate)
{
  *fate = BRI_INSIDE;
  if (at(c->home, y)) return 1;
  *fate = c->other;
  for (int i = 0; i < c->e.n; i++)
    if (at(c->e.y[i], y)) return 1;
  return 0;
}

void bri_arc_run(const bri_course *c, bri_point from, int dir, double M0, const bri_watch *watch, bri_arc *a)
{
  bri_series s;
  bri_pace pace = {0};
  double line[BRI_ORDER + 1], side = 0;
  a->end = from;
  a->time = a->I = a->noise = 0;
  a->M = M0;
  a->v_min = a->v_max = from.v;
  a->z_min = a->z_max = from.z;
  a->across = 0;
  for (int step = 0; step < c->most_steps; step++) {
    a->steps = step;
    if (step % BRI_ASK == 0 && bri_stopped(c->p.stop)) break;
    if (gone(c, a->end)) {
      a->fate = BRI_OUTSIDE;
      return;
    }
    double h = bri_orbit_step(&c->p, a->end, a->M, dir, &pace, &s), past = 0, hit = 0;
    line_series(&c->p, &s, line);
    if (step == 0) { /* a start on L itself belongs to the side the orbit goes to */
      const double on = fabs(line[0]) <= 1e-14 * c->p.F ? dir * line[1] : line[0];
      side = on > 0 ? 1 : -1;
    }
    if (!isfinite(h)) break;
    /* v must stay positive within a step: the series knows nothing of v < 0 */
    for (int i = 1; i <= 3; i++) {
      const double t = h * i / 3;
      if (bri_series_at(line, t) * side < 0 &&
          !(i == 1 && step == 0 && fabs(line[0]) > 0 && line[0] * side < 0)) {
        hit = zero_between(line, past, t, side);
        break;
      }
      past = t;
    }
    if (hit != 0) {
      const double v = bri_series_at(s.v, hit);
      const int accepted = v > c->lo && v<c->hi, passed = v> c->pass_lo && v < c->pass_hi;
      if (accepted || !passed) {
        look(a, &s, hit, watch);
        extend(a, &c->p, &s, hit, pace.stiff);
        a->noise = bri_hypot(a->noise, 2.2e-16 * (fabs(bri_series_rate(s.z, hit)) * v +
                                                  fabs(bri_series_rate(s.v, hit)) * a->end.z));
        a->across = bri_series_rate(line, hit) / c->p.s0;
        a->fate = !(v > 0) ? BRI_OUTSIDE : accepted ? BRI_HIT : c->other;
        return;
      }
      h = hit; /* restart just behind the crossing that does not count */
      side = -side;
    }
    look(a, &s, h, watch);
    extend(a, &c->p, &s, h, pace.stiff);
    if (settled(c, a->end, &a->fate)) return;
  }
  a->fate = BRI_LOST;
}
