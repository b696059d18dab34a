/* SPDX-License-Identifier: Apache-2.0
 * events.c - event functions along a trial step and their earliest zero. */
#include <math.h>
#include <string.h>

#include "solver.h"

void bri_event_values(br_solver *s, double t, const double *y, double *g)
{
  const br_plant *p = s->p;
  const size_t nm = s->ne - s->set.nuser;
  bri_events(p, &s->k, &s->mode, t, y, g, s->tmp);
  if (p->sys->flags & BR_SYSTEM_GIVEN) /* reversals of a given motion are corners of the input */
    for (size_t j = 0; j < p->nk; j++) g[j] = 1;
  if (!s->set.nuser) return;
  double *x = s->tmp + p->ny;
  bri_full(p, &s->k, &s->mode, t, y, x);
  s->set.user(s->set.ctx, t, x, g + nm);
  for (size_t e = nm; e < s->ne; e++) g[e] *= s->gsign[e];
}

/* Zero is known to this width: the size a function has had times the tolerance. */
void bri_event_tolerances(br_solver *s)
{
  const br_plant *p = s->p;
  const size_t nm = s->ne - s->set.nuser;
  for (size_t e = 0; e < s->ne; e++) {
    const double a = fabs(s->g0[e]);
    if (e < p->nk && s->mode.c[e].stuck) {
      s->gtol[e] = 0.5 * BRI_RELEASE * p->mod->breakaway(p->mpar, p->load[e / p->ax]);
      continue;
    }
    if (isfinite(a) && a > s->gtop[e]) s->gtop[e] = a;
    s->gtol[e] = s->set.rtol * s->gtop[e] + 1e-300;
    if (e < nm && e >= p->nk)
      s->gtol[e] = p->kind == BRI_MAP ? 1e-3 * s->gtol[e] + 4e-16 * fabs(s->mode.c[e - p->nk].u0) : 1e-12 * s->gtop[e];
    else if (e < p->nk && s->set.atol > 0) s->gtol[e] += 0.1 * s->set.atol;
  }
}

void bri_node_events(br_solver *s)
{
  const bri_step *st = &s->trial;
  if (s->p->small && s->ne == 1) { /* one sliding contact whose velocity is a state */
    for (int i = 0; i < st->stages; i++) s->g[i] = s->mode.c[0].sign * st->Y[(size_t)i * s->p->ny + (size_t)s->p->pure[0]];
    return;
  }
  for (int i = 0; i < st->stages; i++) {
    const double t = i == st->stages - 1 ? s->t + s->h_try : s->t + st->theta[i] * s->h_try;
    bri_event_values(s, t, st->Y + (size_t)i * s->p->ny, s->g + (size_t)i * s->ne);
  }
}

double bri_node_poly(const bri_step *st, const double *a, size_t stride, double x)
{
  double sum = 0;
  for (int i = 0; i <= st->stages; i++) {
    const double xi = i ? st->theta[i - 1] : 0;
    double l = a[(size_t)i * stride];
    for (int j = 0; j <= st->stages; j++) {
      const double xj = j ? st->theta[j - 1] : 0;
      if (j != i) l *= (x - xj) / (xi - xj);
    }
    sum += l;
  }
  return sum;
}

/* Values of event e at the start and the points of the trial. */
static void gather(const br_solver *s, size_t e, double *a)
{
  a[0] = s->g0[e];
  for (int i = 0; i < s->trial.stages; i++) a[i + 1] = s->g[(size_t)i * s->ne + e];
}

static double root(const bri_step *st, const double *a, int i)
{
  double lo = i > 1 ? st->theta[i - 2] : 0, hi = st->theta[i - 1], glo = a[i - 1], ghi = a[i];
  if (!(glo > 0)) return lo;
  for (int it = 0; it < 60 && hi - lo > 1e-15; it++) {
    double x = (lo * ghi - hi * glo) / (ghi - glo); /* regula falsi, Illinois variant */
    if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
    const double gx = bri_node_poly(st, a, 1, x);
    if (gx > 0) {
      if (it && x - lo < 0.1 * (hi - lo)) ghi *= 0.5;
      lo = x, glo = gx;
    } else {
      if (it && hi - x < 0.1 * (hi - lo)) glo *= 0.5;
      hi = x, ghi = gx;
    }
    if (gx == 0) break;
  }
  return hi;
}

double bri_first_crossing(br_solver *s, size_t *e)
{
  const bri_step *st = &s->trial;
  double first = 2, a[BRI_MAX_STAGE + 1];
  for (size_t q = 0; q < s->ne; q++) {
    for (int i = 1; i <= st->stages; i++) {
      if (!(s->g[(size_t)(i - 1) * s->ne + q] < -s->gtol[q])) continue;
      gather(s, q, a);
      const double x = root(st, a, i);
      if (x < first) first = x, *e = q;
      break;
    }
  }
  return first;
}

double bri_node_slope(const br_solver *s, size_t e)
{
  double a[BRI_MAX_STAGE + 1];
  gather(s, e, a);
  const double h = 1e-4;
  return (bri_node_poly(&s->trial, a, 1, 1 + h) - bri_node_poly(&s->trial, a, 1, 1 - h)) / (2 * h);
}
