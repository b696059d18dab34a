/* SPDX-License-Identifier: Apache-2.0
 * data.c - a record made ready: velocity between samples, its smoothing, the direction of the force, scales. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "fit.h"
#include "text/fail.h"

/* Hoare's selection. */
double bri_fit_place(double *x, size_t n, size_t k)
{
  size_t from = 0, to = n - 1;
  while (from < to) {
    const double pivot = x[from + (to - from) / 2];
    size_t i = from, j = to;
    for (;;) {
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i >= j) break;
      const double swap = x[i];
      x[i++] = x[j], x[j--] = swap;
    }
    if (x[j] > pivot) j--; /* j ends on the left side */
    if (k <= j) to = j;
    else from = j + 1;
  }
  return x[k];
}

/* The part p of n numbers, rearranged. */
static double quantile(double *x, size_t n, double p)
{
  return n ? bri_fit_place(x, n, (size_t)(p * (double)(n - 1) + 0.5)) : 0;
}

/* Local parabola over `window` samples around k: its value there. */
static double local(const double *t, const double *u, size_t n, size_t k, size_t window)
{
  size_t from = k > window / 2 ? k - window / 2 : 0, to = from + window;
  double a[9] = {0}, b[3] = {0};
  if (to > n) to = n, from = n > window ? n - window : 0;
  const double span = t[to - 1] - t[from];
  for (size_t i = from; i < to; i++) {
    const double s = (t[i] - t[k]) / span, p[3] = {1, s, s * s};
    for (int r = 0; r < 3; r++) {
      b[r] += p[r] * (u[i] - u[k]);
      for (int c = 0; c < 3; c++) a[3 * r + c] += p[r] * p[c];
    }
  }
  if (to - from < 4 || !bri_cholesky(3, a)) return u[k];
  bri_cholesky_solve(3, a, b);
  return u[k] + b[0];
}

/* Scatter of the position: distance of a sample from the cubic through its four neighbours. */
static double position_noise(const double *t, const double *u, size_t n, double *work)
{
  size_t m = 0;
  for (size_t k = 2; k + 2 < n; k++) {
    const size_t at[4] = {k - 2, k - 1, k + 1, k + 2};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      double to = 1, from = 1;
      for (int j = 0; j < 4; j++)
        if (j != i) to *= t[k] - t[at[j]], from *= t[at[i]] - t[at[j]];
      sum += to / from * u[at[i]];
    }
    work[m++] = fabs(u[k] - sum);
  }
  if (!m) return 0;
  const double most = quantile(work, m, 0.9) / 1.645, half = bri_fit_place(work, m, m / 2) / 0.6745;
  return fmax(half, most) / sqrt(70.0 / 36);
}

/* Median of the intervals. */
static double usual_step(const double *t, size_t n, double *work)
{
  for (size_t k = 0; k + 1 < n; k++) work[k] = t[k + 1] - t[k];
  return quantile(work, n - 1, 0.5);
}

/* Speed that nine tenths stay below, over a few samples. */
static double usual_speed(const double *t, const double *u, size_t n, double *work)
{
  const size_t w = n > 40 ? 5 : 1;
  size_t m = 0;
  for (size_t k = 0; k + w < n; k++) work[m++] = fabs(u[k + w] - u[k]) / (t[k + w] - t[k]);
  return quantile(work, m, 0.9);
}

/* Windows that --bandwidth asks for, or that are worth a try: none where the scatter of the position is below a hundredth
 * of the way between two samples; none so long that it would round off a stroke. */
size_t bri_fit_windows(const bri_fit_data *d, double asked, size_t *windows, double *work)
{
  static const size_t TRIED[] = {5, 9, 15, 21, 31, 41};
  const double dt = usual_step(d->t, d->n, work), speed = usual_speed(d->t, d->raw_u, d->n, work);
  size_t n = 0;
  windows[n++] = 1;
  if (!d->timed || d->measured || !(dt > 0) || !(speed > 0) || isinf(asked)) return n;
  if (asked > 0) { /* a parabola over m samples passes half of the power at about 0.9 / (m dt) */
    const double m = fmin(201, 2 * floor(0.45 / (asked * dt)) + 1);
    windows[0] = m < 5 ? 1 : (size_t)m;
    return n;
  }
  if (position_noise(d->t, d->raw_u, d->n, work) < 0.01 * speed * dt) return n;
  for (size_t i = 0; i < sizeof TRIED / sizeof TRIED[0]; i++)
    if ((double)TRIED[i] <= d->stroke / speed / dt / 5) windows[n++] = TRIED[i];
  return n;
}

void bri_fit_smooth(bri_fit_data *d, size_t window, double *work)
{
  const size_t n = d->n;
  d->window = window, d->bandwidth = window > 1 ? 0.9 / ((double)window * usual_step(d->t, n, work)) : 0;
  for (size_t k = 0; k < n; k++) d->u[k] = window > 1 ? local(d->t, d->raw_u, n, k, window) : d->raw_u[k];
  if (d->gap > 0) bri_gap_cross(d);
  for (size_t k = 0; k + 1 < n; k++) {
    d->h[k] = d->t[k + 1] - d->t[k];
    d->v[k] = d->measured ? 0.5 * (d->measured[k] + d->measured[k + 1]) : (d->u[k + 1] - d->u[k]) / d->h[k];
  }
  d->v[n - 1] = d->v[n - 2], d->h[n - 1] = d->h[n - 2];
  for (size_t k = 0; k < n; k++)
    d->speed[k] = d->measured ? d->measured[k] : k == 0 ? d->v[0] : 0.5 * (d->v[k] + d->v[k - 1]);
  for (size_t k = 0; k < n; k++) {
    const size_t a = k ? k - 1 : 0, b = k + 1 < n ? k + 1 : n - 1;
    d->accel[k] = (d->speed[b] - d->speed[a]) / (d->t[b] - d->t[a]);
  }
}

/* Friction takes energy from the motion: a force that gives it is told the other way round. */
static void turn_force(bri_fit_data *d)
{
  const size_t a = d->train[0], b = d->train[1];
  double mean = 0, work = 0;
  for (size_t k = a; k < b; k++) mean += d->F[k];
  mean /= (double)(b - a);
  for (size_t k = a; k + 1 < b; k++) work += (0.5 * (d->F[k] + d->F[k + 1]) - mean) * d->v[k] * d->h[k];
  d->flipped = work < 0;
  for (size_t k = 0; k < d->n && d->flipped; k++) d->F[k] = -d->F[k];
}

static void make_scales(bri_fit_data *d, double *work)
{
  const size_t a = d->train[0], m = d->train[1] - a;
  memcpy(work, d->F + a, m * sizeof *work);
  const double high = quantile(work, m, 0.98), low = bri_fit_place(work, m, (size_t)(0.02 * (double)(m - 1)));
  d->level = 0.5 * (high - low), d->middle = 0.5 * (high + low);
  double top = d->u[a], bottom = top;
  for (size_t k = 0; k < m; k++) {
    top = d->u[a + k] > top ? d->u[a + k] : top, bottom = d->u[a + k] < bottom ? d->u[a + k] : bottom;
    work[k] = fabs(d->v[a + k]);
  }
  d->stroke = top - bottom;
  d->fast = quantile(work, m, 0.9);
}

static br_status bad_parts(const bri_fit_data *d, br_err *err)
{
  enum { LEAST = 20 };
  if (d->train[1] > d->n || d->test[1] > d->n || d->train[0] >= d->train[1] || d->test[0] >= d->test[1])
    return bri_text_fail(err, BR_E_RANGE, -1,
                         "fit: the train or the test part lies outside the record (%zu samples)", d->n);
  if (d->train[1] - d->train[0] < LEAST)
    return bri_text_fail(err, BR_E_SIZE, -1, "fit: the train part has %zu samples; at least %d are needed",
                         d->train[1] - d->train[0], LEAST);
  return BR_OK;
}

static br_status check(const br_fit_record *r, br_err *err)
{
  if (!r || r->n < 2 || !r->F || (!r->u && !r->v) || (r->v && !r->u && !r->t))
    return bri_text_fail(err, BR_E_ARG, -1,
                         "fit: a record needs a force and a position (or a velocity with time)");
  for (size_t k = 0; k < r->n; k++) {
    const double sum = r->F[k] + (r->u ? r->u[k] : 0) + (r->v ? r->v[k] : 0) + (r->t ? r->t[k] : 0) +
                       (r->load ? r->load[k] : 0);
    if (!isfinite(sum)) return bri_text_fail(err, BR_E_NAN, (int)k, "fit: sample %zu is not a number", k);
    if (r->t && k && !(r->t[k] > r->t[k - 1]))
      return bri_text_fail(err, BR_E_RANGE, (int)k, "fit: time does not rise at sample %zu", k);
  }
  return BR_OK;
}

static void make_load(bri_fit_data *d, const double *load)
{
  const size_t a = d->train[0], b = d->train[1];
  double mean = 0;
  for (size_t k = a; k < b; k++) mean += load[k] / (double)(b - a);
  d->mean_load = mean;
  for (size_t k = 0; k < d->n; k++) d->raw[k] = load[k] - mean, d->load[k] = fmax(load[k] / mean, 0.01);
}

br_status bri_fit_data_make(const br_fit_record *r, const br_fit_options *o, bri_fit_data *d, br_err *err)
{
  enum { COLUMNS = 12 };
  memset(d, 0, sizeof *d);
  br_status st = check(r, err);
  if (st) return st;
  const size_t n = d->n = r->n;
  d->store = bri_malloc_array(n, COLUMNS * sizeof(double));
  if (!d->store) return bri_text_fail(err, BR_E_NOMEM, -1, "fit: out of memory");
  memset(d->store, 0, n * COLUMNS * sizeof(double));
  double **const columns[] = {&d->t,     &d->u,   &d->v,    &d->h,     &d->F, &d->speed,
                              &d->accel, &d->raw, &d->load, &d->raw_u, &d->vm};
  for (size_t i = 0; i < COLUMNS - 1; i++) *columns[i] = d->store + i * n;
  double *work = d->work = d->store + (COLUMNS - 1) * n;
  d->timed = r->t != NULL;
  const int given = o->train[1] > 0, tested = o->test[1] > 0;
  d->train[0] = given ? o->train[0] : 0;
  d->train[1] = given ? o->train[1] : tested ? o->test[0] > 0 ? o->test[0] : n : n * 6 / 10;
  d->test[0] = tested ? o->test[0] : d->train[1] < n ? d->train[1] : d->train[0];
  d->test[1] = tested ? o->test[1] : n;
  st = bad_parts(d, err);
  if (st) return st;
  for (size_t k = 0; k < n; k++) {
    d->t[k] = r->t ? r->t[k] : (double)k;
    d->u[k] = r->u ? r->u[k] : k ? d->u[k - 1] + 0.5 * (r->v[k] + r->v[k - 1]) * (r->t[k] - r->t[k - 1]) : 0;
    d->F[k] = r->F[k];
  }
  if (r->v) memcpy(d->vm, r->v, n * sizeof *d->vm), d->measured = d->vm;
  memcpy(d->raw_u, d->u, n * sizeof *d->u);
  bri_fit_smooth(d, 1, work);
  turn_force(d);
  make_scales(d, work);
  if (r->load) make_load(d, r->load);
  else d->raw = d->load = NULL;
  if (r->load && !(d->mean_load > 0))
    return bri_text_fail(err, BR_E_RANGE, -1,
                         "fit: the load is %.4g on average in the train part; it must be positive",
                         d->mean_load);
  if (!(d->stroke > 0) || !(d->level > 0) || !(d->fast > 0))
    return bri_text_fail(err, BR_E_RANGE, -1, "fit: %s does not change in the train part",
                         d->level > 0 ? "the position" : "the force");
  return BR_OK;
}

void bri_fit_data_free(bri_fit_data *d)
{
  bri_free(d->store);
  memset(d, 0, sizeof *d);
}
