/* SPDX-License-Identifier: Apache-2.0
 * events.c - event functions along a trial step and their earliest zero. */
#include <math.h>

#include "solver.h"

void bri_event_values(br_solver *s, double t, const double *y, double *g)
{
  const br_plant *p = s->p;
  const size_t nm = s->ne - s->set.nuser;
  bri_events(p, &s->k, &s->mode, t, y, g, s->tmp);
  if (p->sys->flags & BR_SYSTEM_GIVEN) /* reversals of a given motion are corners of the input */
    for (size_t j = 0; j < p->nk; j++) g[j] = BRI_NO_EVENT;
  if (!s->set.nuser) return;
  double *x = s->tmp + p->ny;
  bri_full(p, &s->k, &s->mode, t, y, x);
  s->set.user(s->set.ctx, t, x, g + nm);
  for (size_t e = nm; e < s->ne; e++) g[e] *= s->gsign[e];
}

/* What rounding leaves open of the motion of contact velocity j: it may be the small difference of two large
 * states (mass against mass). */
static double rounding(const br_solver *s, const double *row)
{
  const bri_band *b = s->p->band;
  double sum = 0;
  if (b) { /* a row of Cv: its nonzeros */
    const size_t j = (size_t)(row - s->p->Cv) / s->p->nq;
    for (size_t e = b->C.from[j]; e < b->C.from[j + 1]; e++) sum += fabs(b->C.x[e] * s->y[b->C.at[e]]);
    return 4e-16 * sum;
  }
  for (size_t l = 0; l < s->p->nq; l++) sum += fabs(row[l] * s->y[l]);
  return 4e-16 * sum;
}

/* Zero is known to this width: the size a function has had times the tolerance, and not below rounding. */
void bri_event_tolerances(br_solver *s)
{
  const br_plant *p = s->p;
  const size_t nm = s->ne - s->set.nuser;
  for (size_t e = 0; e < s->ne; e++) {
    const double a = fabs(s->g0[e]);
    if (e < p->nk && s->mode.c[e].stuck) {
      s->gtol[e] = 0.5 * BRI_RELEASE * bri_hold_level(p, &s->k, e / p->ax, s->k.F[e]);
      continue;
    }
    if (isfinite(a) && s->g0[e] != BRI_NO_EVENT && a > s->gtop[e]) s->gtop[e] = a;
    /* among hundreds of contacts a bristle that reverses 1e-10 of its speed early shifts nothing but the kink
     * of its rate, by the square of that */
    s->gtol[e] = (p->band && e < p->nk ? fmax(s->set.rtol, 1e-10) : s->set.rtol) * s->gtop[e] + 1e-300;
    if (e < nm && e >= bri_first_kink(p)) s->gtol[e] += 4e-16 * s->gtop[e];
    else if (e < nm && e >= p->nk &&
             p->moving) { /* to the size of its band, or of the speeds it lies between */
      const size_t i = e - p->nk;
      if (s->mode.active[i] != 0)
        s->gtol[e] = 1e-14 * s->k.n[i / p->nz] * (p->bound[2 * i] - p->bound[2 * i + 1]) + 1e-300;
    } else if (e < nm && e >= p->nk && !p->kinks)
      s->gtol[e] = p->kind == BRI_MAP || p->jumps
                       ? 1e-3 * s->gtol[e] + 4e-16 * fabs(s->mode.c[e - p->nk].u0) +
                             rounding(s, p->Cu + (e - p->nk) * p->nq)
                       : 1e-12 * s->gtop[e] + 1e-300;
    else if (e < nm && e >= p->nk)
      s->gtol[e] += s->tol[p->z0 + e - p->nk]; /* a state that is 0 to its tolerance */
    else if (e < p->nk) s->gtol[e] += 0.1 * s->set.atol + rounding(s, p->Cv + e * p->nq);
  }
}

/* The sign of a velocity that rounding made is none: a block at rest does not reverse. */
void bri_event_rounding(br_solver *s)
{
  const br_plant *p = s->p;
  for (size_t j = 0; j < p->nk && s->stages && s->radau.rounded; j++) {
    const bri_band *b = p->band;
    double noise = 0;
    for (size_t l = 0; l < p->nq && !b; l++) noise += fabs(p->Cv[j * p->nq + l]) * s->radau.peak[l];
    for (size_t e = b ? b->C.from[j] : 0; b && e < b->C.from[j + 1]; e++)
      noise += fabs(b->C.x[e]) * s->radau.peak[b->C.at[e]];
    if (!s->mode.c[j].stuck) s->gtol[j] = fmax(s->gtol[j], noise);
  }
}

void bri_node_events(br_solver *s)
{
  const bri_step *st = &s->trial;
  if (s->p->small && s->ne == 1) { /* one sliding contact whose velocity is a state */
    for (int i = 0; i < st->stages; i++)
      s->g[i] = s->mode.c[0].sign * st->Y[(size_t)i * s->p->ny + (size_t)s->p->pure[0]];
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

/* Zero between lo (positive) and hi (negative). */
static double root(const bri_step *st, const double *a, double lo, double hi)
{
  double glo = bri_node_poly(st, a, 1, lo), ghi = bri_node_poly(st, a, 1, hi);
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

/* All points are positive; does the polynomial dip below zero between them?  Its place there, or 2.  *graze
 * is the place of a minimum so close to zero that the polynomial does not tell, else 2. */
static double dip(const bri_step *st, const double *a, double tol, double *graze)
{
  int low = 0;
  for (int i = 1; i <= st->stages; i++)
    if (a[i] < a[low]) low = i;
  const double ends = fmin(a[0], a[st->stages]);
  double lo = low > 1 ? st->theta[low - 2] : 0, hi = low < st->stages ? st->theta[low] : 1;
  const double start = lo;
  /* a dip falls into the step and rises out of it; a monotone piece cannot have one */
  const double d = 1e-3, in = bri_node_poly(st, a, 1, d) - a[0],
               out = a[st->stages] - bri_node_poly(st, a, 1, 1 - d);
  if (!(in < 0 && out > 0) && !(a[low] < ends)) return 2;
  for (int it = 0; it < 30; it++) {
    const double x = hi - 0.618 * (hi - lo), y = lo + 0.618 * (hi - lo);
    const double gx = bri_node_poly(st, a, 1, x), gy = bri_node_poly(st, a, 1, y);
    if (gx < -tol) return root(st, a, start, x);
    if (gy < -tol) return root(st, a, start, y);
    if (gx < gy) hi = y;
    else lo = x;
  }
  double top = 0;
  for (int i = 0; i <= st->stages; i++) top = fmax(top, a[i]);
  const double at = 0.5 * (lo + hi);
  if (bri_node_poly(st, a, 1, at) < BRI_GRAZE * top) *graze = at;
  return 2;
}

/* Where between the start, at zero, and the first point is the polynomial above level?  0: nowhere. */
static double ahead_of_first(const bri_step *st, const double *a, double level)
{
  for (int k = 0; k < 24; k++)
    if (bri_node_poly(st, a, 1, ldexp(st->theta[0], -k)) > level) return ldexp(st->theta[0], -k);
  return 0;
}

int bri_leaves_otherwise(const br_solver *s, size_t e)
{
  double a[BRI_MAX_STAGE + 1];
  gather(s, e, a);
  for (int i = 1; i <= s->trial.stages; i++)
    if (!(a[i] < 0)) return 0;
  return ahead_of_first(&s->trial, a, s->gtol[e]) == 0;
}

double bri_first_crossing(br_solver *s, size_t *e, double *graze)
{
  const bri_step *st = &s->trial;
  double first = 2, a[BRI_MAX_STAGE + 1];
  *graze = 2;
  for (size_t q = 0; q < s->ne; q++) {
    int i = 1, turns = 0;
    double before = s->g0[q], top = before;
    while (i <= st->stages && !(s->g[(size_t)(i - 1) * s->ne + q] < -s->gtol[q])) {
      const double here = s->g[(size_t)(i - 1) * s->ne + q];
      if (here > before && i > 1) turns = 1; /* rises somewhere behind the first point */
      before = here;
      top = fmax(top, here);
      i++;
    }
    /* may have its minimum just before the end */
    if (!turns && before < BRI_GRAZE * top && before > s->gtol[q] && i > st->stages) {
      gather(s, q, a);
      turns = a[st->stages] > bri_node_poly(st, a, 1, 1 - 1e-3);
    }
    double x = 2;
    if (i <= st->stages) {
      double lo = i > 1 ? st->theta[i - 2] : 0;
      gather(s, q, a);
      if (i == 1 && a[0] <= s->gtol[q]) lo = ahead_of_first(st, a, fmax(0, a[0]));
      x = root(st, a, lo, st->theta[i - 1]);
    } else if (turns && s->g0[q] > s->gtol[q] && (s->g[q] < s->g0[q] || s->g0[q] < BRI_GRAZE * top)) {
      double near = 2; /* falls first, then rises */
      gather(s, q, a);
      x = dip(st, a, s->gtol[q], &near);
      *graze = fmin(*graze, near);
    }
    if (x < first) first = x, *e = q;
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

double bri_event_place(br_solver *s, size_t e)
{
  const bri_step *st = &s->trial;
  const br_plant *p = s->p;
  double a[BRI_MAX_STAGE + 1];
  gather(s, e, a);
  if (e < p->nk &&
      s->mode.c[e].stuck) { /* released a little beyond its level: when did it reach the level? */
    if (p->loads) bri_inputs(p, &s->k, s->t + s->h_try);
    const double beyond = BRI_RELEASE * bri_hold_level(p, &s->k, e / p->ax, s->k.F[e]);
    for (int i = 0; i <= st->stages; i++) a[i] -= beyond;
  }
  if (a[st->stages] > 0) return 1; /* ends short of it by less than the tolerance */
  for (int i = st->stages; i > 0; i--)
    if (a[i - 1] > 0) return root(st, a, i > 1 ? st->theta[i - 2] : 0, i < st->stages ? st->theta[i - 1] : 1);
  return 0;
}
