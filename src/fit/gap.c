/* SPDX-License-Identifier: Apache-2.0
 * gap.c - motion behind a gap: its width, by what Dahl's model or one Maxwell-slip element leaves.  Two
 * kinds: motion is lost at reversals, the force being held meanwhile (play between sensor and element), or
 * contact is lost where the force changes its sign, and there is none until the gap is crossed (clearance of
 * a joint). */
#include <math.h>
#include <string.h>

#include "fit.h"

void bri_gap_cross(bri_fit_data *d)
{
  double side = 0; /* of the gap at which the parts touch; 0: they do not */
  for (size_t k = 1; k < d->n; k++) {
    const double u = d->u[k], half = 0.5 * d->gap, F = d->F[k] - d->middle;
    const double held = fmin(fmax(d->u[k - 1], u - half), u + half);
    if (!d->clear || side == 0 || side * F < 2 * d->scatter) {
      d->u[k] = held;
      side = !d->clear || held == d->u[k - 1] ? 0 : held > d->u[k - 1] ? 1 : -1;
    } else d->u[k] = u - side * half;
  }
}

static double with_gap(bri_fit_data *d, const br_fit_options *o, double gap)
{
  d->gap = gap;
  bri_fit_smooth(d, d->window, d->work);
  return bri_fit_glance(d, o, d->judge);
}

/* On a grid that is refined around the best. */
static double search(bri_fit_data *d, const br_fit_options *o, double *best)
{
  static const double PART[] = {0, 0.002, 0.005, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3};
  double least = INFINITY, width = 0;
  for (size_t i = 0; i < sizeof PART / sizeof PART[0]; i++) {
    const double gap = PART[i] * d->stroke, cost = with_gap(d, o, gap);
    if (cost < least) least = cost, *best = gap, width = 0.4 * gap;
  }
  for (int round = 0; round < 9; round++, width /= 2)
    for (int side = -1; side <= 1 && width > 0; side += 2) {
      const double gap = *best + side * width, cost = with_gap(d, o, gap);
      if (cost < least) least = cost, *best = gap;
    }
  return least;
}

/* Of single forces about the middle of their neighbours, by the median. */
static double scatter(const bri_fit_data *d)
{
  const double *F = d->F + d->train[0];
  const size_t m = d->train[1] - d->train[0] - 2;
  for (size_t k = 0; k < m; k++) d->work[k] = fabs(F[k + 1] - 0.5 * (F[k] + F[k + 2]));
  return 1.4826 / sqrt(1.5) * bri_fit_place(d->work, m, m / 2);
}

double bri_gap_choose(bri_fit_data *d, const br_fit_options *o)
{
  static const char *const JUDGES[] = {"dahl", "maxwell_slip"};
  double least = INFINITY, without = INFINITY, gap = 0;
  int clear = 0, judge = 0;
  d->scatter = scatter(d);
  for (int i = 0; i < 4; i++) { /* both kinds by both models */
    double width = 0;
    d->clear = i % 2, d->judge = JUDGES[i / 2];
    without = fmin(without, with_gap(d, o, 0));
    const double cost = search(d, o, &width);
    if (cost < least) least = cost, gap = width, clear = d->clear, judge = i / 2;
  }
  d->clear = clear, d->judge = JUDGES[judge];
  return with_gap(d, o, gap) / without;
}

/* Sum of squares that a model leaves with a gap, all else fitted anew from where it ended. */
static double left_with(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o, double gap)
{
  bri_search w = {0};
  double x[BRI_FIT_MOST], cost = INFINITY;
  d->gap = gap;
  bri_fit_smooth(d, d->window, d->work);
  memcpy(x, f->x, sizeof x);
  const br_status st = bri_search_make(&w, &f->space, d, d->train[0], d->train[1], f->column, f->q, &f->err);
  w.stop = o->stop;
  if (!st) cost = bri_search_run(&w, x, 8);
  d->failed = d->failed || st || w.failed;
  f->out.evaluations += w.evaluations;
  bri_search_free(&w);
  return cost;
}

static double nearby(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o)
{
  double best = d->gap, least = left_with(f, d, o, best), width = 0.1 * best;
  for (int round = 0; round < 11; round++, width /= 2)
    for (int side = -1, found = 0; side <= 1 && !found; side += 2) {
      const double gap = best + side * width, cost = left_with(f, d, o, gap);
      found = cost < least;
      if (found) least = cost, best = gap;
    }
  return best;
}

void bri_gap_refine(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o)
{
  d->gap = nearby(f, d, o);
  d->judge = f->space.m->name;
  bri_fit_smooth(d, d->window, d->work);
}

/* Contact counts as lost while the force is still twice its scatter: how far that moves a clearance, from
 * what half of it does. */
static double early(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o)
{
  const double best = d->gap, whole = d->scatter;
  if (!d->clear) return 0;
  d->scatter = 0.5 * whole;
  const double off = 4 * (best - nearby(f, d, o)); /* twice what a straight line says: it bends */
  d->scatter = whole, d->gap = best;
  return off;
}

void bri_gap_bound(bri_fit_one *f, bri_fit_data *d, const br_fit_options *o)
{
  const double best = d->gap, least = left_with(f, d, o, best), limit = least * (1 + 3.84 / f->out.effective);
  double ends[2];
  for (int side = 0; side < 2; side++) {
    double in = best, beyond = side ? best + 0.2 * d->stroke : 0;
    for (int i = 0; i < 14; i++) {
      const double mid = 0.5 * (in + beyond);
      *(left_with(f, d, o, mid) <= limit ? &in : &beyond) = mid;
    }
    ends[side] = in;
  }
  d->gap = best;
  const double off = early(f, d, o);
  bri_fit_smooth(d, d->window, d->work);
  d->gap_low = fmax(0, ends[0] - fmax(off, 0)), d->gap_high = ends[1] - fmin(off, 0);
}
