/* SPDX-License-Identifier: Apache-2.0
 * robust.c - outliers: squares of the residual give way to a loss that grows slower.  Huber's way of modified
 * residuals: the measured force is replaced by what the model says plus the bounded residual psi(r), and the
 * squares of that are made least, until nothing moves.  Scale of r: 1.4826 times the median of |r|. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "fit.h"

/* 95 % as efficient as squares for normal noise (Huber 1.345, Cauchy 2.385). */
static const struct {
  const char *name;
  double width;
} LOSSES[] = {{"squares", INFINITY}, {"huber", 1.345}, {"cauchy", 2.385}};
enum { SQUARES, HUBER, CAUCHY, COUNT };

static int number_of(const char *name)
{
  int i = 0;
  while (name && i < COUNT && strcmp(LOSSES[i].name, name) != 0) i++;
  return name ? i : SQUARES;
}

br_status bri_robust_check(const br_fit_options *o, br_err *err)
{
  if (number_of(o->loss) < COUNT) return BR_OK;
  return bri_fail(err, BR_E_NAME, "loss: unknown '%.40s'; squares, huber or cauchy", o->loss);
}

/* psi and its slope at r over the scale times the width. */
static double bounded(int loss, double x, double *slope)
{
  if (loss == HUBER) return *slope = fabs(x) < 1, fmin(fmax(x, -1), 1);
  const double q = 1 / (1 + x * x);
  *slope = (1 - x * x) * q * q;
  return x * q;
}

/* The force as the loss sees it, in own->F; returns the scale of the residual. */
static double see(bri_fit_one *f, const bri_fit_data *d, int loss, double *room, double *F)
{
  const size_t from = d->train[0], n = d->train[1] - from;
  double slopes = 0;
  for (size_t k = 0; k < n; k++) room[k] = fabs(d->F[from + k] - f->fitted[from + k]);
  const double scale = 1.4826 * bri_fit_place(room, n, n / 2), width = scale * LOSSES[loss].width;
  for (size_t k = from; k < from + n && width > 0; k++) {
    const double r = d->F[k] - f->fitted[k];
    double slope = 0;
    F[k] = f->fitted[k] + width * bounded(loss, r / width, &slope);
    slopes += slope;
  }
  f->spread = 1 / fmax(slopes / (double)n, 0.2);
  return scale;
}

br_status bri_robust_run(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o, bri_fit_data *own)
{
  enum { ROUNDS = 30 };
  const int loss = number_of(o->loss);
  double before = 0;
  *own = *d;
  f->spread = 1;
  if (loss == SQUARES || loss >= COUNT) return BR_OK;
  f->seen = bri_malloc_array(d->n, 2 * sizeof *f->seen);
  if (!f->seen) return bri_no_memory(&f->err, "fit");
  memcpy(f->seen, d->F, d->n * sizeof *f->seen);
  own->F = f->seen;
  br_status st = BR_OK;
  for (int i = 0; i < ROUNDS && !st; i++) {
    bri_fit_judge(f, own, NULL);
    const double scale = see(f, d, loss, f->seen + d->n, f->seen);
    if (!(scale > 0) || fabs(scale - before) <= 1e-5 * scale) break;
    before = scale;
    st = bri_fit_descend(f, own, o, 20);
  }
  return st;
}
