/* SPDX-License-Identifier: Apache-2.0
 * judge.c - a fitted model along the whole record: force, terms, errors on both parts. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "fit.h"

static double rms(const bri_fit_one *f, const bri_fit_data *d, const size_t part[2])
{
  double s = 0;
  for (size_t k = part[0]; k < part[1]; k++) s += (d->F[k] - f->fitted[k]) * (d->F[k] - f->fitted[k]);
  return sqrt(s / (double)(part[1] - part[0]));
}

void bri_fit_judge(bri_fit_one *f, const bri_fit_data *d, const bri_search *w)
{
  bri_space_block(&f->space, f->x, f->block, NULL);
  if (w && w->known && w->to == d->n && memcmp(w->known_at, f->x, f->space.n * sizeof *f->x) == 0)
    memcpy(f->fitted, w->fitted, d->n * sizeof *f->fitted);
  else bri_terms_force(&f->space, d, d->n, f->block, f->fitted, f->fitted, f->fitted + d->n);
  bri_terms_solve(f, d);
  for (size_t i = 0; i < f->q; i++)
    for (size_t k = 0; k < d->n; k++) f->fitted[k] += f->c[i] * f->column[i][k];
  bri_fit_errors(f, d);
}

void bri_fit_errors(bri_fit_one *f, const bri_fit_data *d)
{
  double mean[BRI_FIT_AXES] = {0}, var = 0;
  f->out.rmse_train = rms(f, d, d->train);
  const int same = d->test[0] == d->train[0] && d->test[1] == d->train[1];
  f->out.rmse_test = same ? f->out.rmse_train : rms(f, d, d->test);
  const double n = (double)(d->test[1] - d->test[0]);
  for (size_t k = d->test[0]; k < d->test[1]; k++) mean[bri_fit_axis(k, d->axes)] += d->F[k];
  for (size_t a = 0; a < d->axes; a++) mean[a] /= n / (double)d->axes;
  for (size_t k = d->test[0]; k < d->test[1]; k++) {
    const double off = d->F[k] - mean[bri_fit_axis(k, d->axes)];
    var += off * off;
  }
  f->out.rel_test = var > 0 ? f->out.rmse_test / sqrt(var / n) : NAN;
}

double bri_fit_now(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
