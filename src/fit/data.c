/* SPDX-License-Identifier: Apache-2.0
 * data.c - a record made ready: velocity between samples, its smoothing, the direction of the force, scales.
 * */
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

/* One axis of n samples, each `stride` numbers behind the other. */
typedef struct {
  const double *t, *u;
  size_t n, stride;
} axis;
static double time_of(const axis *x, size_t k) { return x->t[k * x->stride]; }
static double place_of(const axis *x, size_t k) { return x->u[k * x->stride]; }
static axis axis_of(const bri_fit_data *d, size_t a)
{
  return (axis){d->t, d->raw_u + a, d->n / d->axes, d->axes};
}

/* Local parabola over `window` samples around k: its value there. */
static double local(const axis *x, size_t k, size_t window)
{
  const size_t n = x->n;
  size_t from = k > window / 2 ? k - window / 2 : 0, to = from + window;
  double a[9] = {0}, b[3] = {0};
  if (to > n) to = n, from = n > window ? n - window : 0;
  const double span = time_of(x, to - 1) - time_of(x, from), here = place_of(x, k);
  for (size_t i = from; i < to; i++) {
    const double s = (time_of(x, i) - time_of(x, k)) / span, p[3] = {1, s, s * s};
    for (int r = 0; r < 3; r++) {
      b[r] += p[r] * (place_of(x, i) - here);
      for (int c = 0; c < 3; c++) a[3 * r + c] += p[r] * p[c];
    }
  }
  if (to - from < 4 || !bri_cholesky(3, a)) return here;
  bri_cholesky_solve(3, a, b);
  return here + b[0];
}

/* Are the samples equally far apart, to rounding of the times? */
static int is_even(const axis *x)
{
  const double step = (time_of(x, x->n - 1) - time_of(x, 0)) / (double)(x->n - 1);
  double worst = 0;
  for (size_t k = 0; k + 1 < x->n; k++) {
    const double off = fabs(time_of(x, k + 1) - time_of(x, k) - step);
    worst = off > worst ? off : worst;
  }
  return worst <= 1e-9 * step;
}

/* Scatter of the position: distance of a sample from the cubic through its four neighbours. */
static double position_noise(const axis *x, double *work)
{
  size_t m = 0;
  const int even = is_even(x);
  for (size_t k = 2; k + 2 < x->n; k++) {
    if (even) { /* the same cubic, its weights known */
      const double near = place_of(x, k - 1) + place_of(x, k + 1),
                   wide = place_of(x, k - 2) + place_of(x, k + 2);
      work[m++] = fabs(place_of(x, k) - (4 * near - wide) / 6);
      continue;
    }
    const size_t at[4] = {k - 2, k - 1, k + 1, k + 2};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      double to = 1, from = 1;
      for (int j = 0; j < 4; j++)
        if (j != i) to *= time_of(x, k) - time_of(x, at[j]), from *= time_of(x, at[i]) - time_of(x, at[j]);
      sum += to / from * place_of(x, at[i]);
    }
    work[m++] = fabs(place_of(x, k) - sum);
  }
  if (!m) return 0;
  const double most = quantile(work, m, 0.9) / 1.645, half = bri_fit_place(work, m, m / 2) / 0.6745;
  return fmax(half, most) / sqrt(70.0 / 36);
}

/* Median of the intervals. */
static double usual_step(const axis *x, double *work)
{
  for (size_t k = 0; k + 1 < x->n; k++) work[k] = time_of(x, k + 1) - time_of(x, k);
  return quantile(work, x->n - 1, 0.5);
}

/* Speed that nine tenths stay below, over a few samples. */
static double usual_speed(const axis *x, double *work)
{
  const size_t w = x->n > 40 ? 5 : 1;
  size_t m = 0;
  for (size_t k = 0; k + w < x->n; k++)
    work[m++] = fabs(place_of(x, k + w) - place_of(x, k)) / (time_of(x, k + w) - time_of(x, k));
  return quantile(work, m, 0.9);
}

/* Windows that --bandwidth asks for, or that are worth a try: none where the scatter of the position is below
 * a hundredth of the way between two samples; none so long that it would round off a stroke. */
size_t bri_fit_windows(const bri_fit_data *d, double asked, size_t *windows, double *work)
{
  static const size_t TRIED[] = {5, 9, 15, 21, 31, 41};
  const axis x = axis_of(d, 0), y = axis_of(d, d->axes - 1);
  const double dt = usual_step(&x, work), speed = usual_speed(&x, work);
  size_t n = 0;
  windows[n++] = 1;
  if (!d->timed || d->measured || !(dt > 0) || !(speed > 0) || isinf(asked)) return n;
  if (asked > 0) { /* a parabola over m samples passes half of the power at about 0.9 / (m dt) */
    const double m = fmin(201, 2 * floor(0.45 / (asked * dt)) + 1);
    windows[0] = m < 5 ? 1 : (size_t)m;
    return n;
  }
  if (fmax(position_noise(&x, work), d->axes > 1 ? position_noise(&y, work) : 0) < 0.01 * speed * dt)
    return n;
  for (size_t i = 0; i < sizeof TRIED / sizeof TRIED[0]; i++)
    if ((double)TRIED[i] <= d->stroke / speed / dt / 5) windows[n++] = TRIED[i];
  return n;
}

void bri_fit_smooth(bri_fit_data *d, size_t window, double *work)
{
  const size_t s = d->axes, n = d->n;
  const axis first = axis_of(d, 0);
  d->window = window, d->bandwidth = window > 1 ? 0.9 / ((double)window * usual_step(&first, work)) : 0;
  for (size_t k = 0; k < n; k++) {
    const axis x = window > 1 ? axis_of(d, bri_fit_axis(k, s)) : first;
    d->u[k] = window > 1 ? local(&x, bri_fit_row(k, s), window) : d->raw_u[k];
  }
  if (d->gap > 0) bri_gap_cross(d);
  for (size_t k = 0; k + s < n; k++) {
    const double h = d->h[bri_fit_row(k, s)] = d->t[k + s] - d->t[k];
    d->v[k] = d->measured ? 0.5 * (d->measured[k] + d->measured[k + s]) : (d->u[k + s] - d->u[k]) / h;
  }
  d->h[n / s - 1] = d->h[n / s - 2];
  for (size_t k = n - s; k < n; k++) d->v[k] = d->v[k - s];
  for (size_t k = 0; k < n; k++)
    d->speed[k] = d->measured ? d->measured[k] : k < s ? d->v[k] : 0.5 * (d->v[k] + d->v[k - s]);
  for (size_t k = 0; k < n; k++) {
    const size_t a = k < s ? k : k - s, b = k + s < n ? k + s : k;
    d->accel[k] = (d->speed[b] - d->speed[a]) / (d->t[b] - d->t[a]);
  }
}

/* Friction takes energy from the motion: a force that gives it is told the other way round. */
static void turn_force(bri_fit_data *d)
{
  const size_t a = d->train[0], b = d->train[1], s = d->axes;
  double mean[BRI_FIT_AXES] = {0}, work = 0;
  for (size_t k = a; k < b; k++) mean[bri_fit_axis(k, s)] += d->F[k];
  for (size_t i = 0; i < s; i++) mean[i] /= (double)((b - a) / s);
  for (size_t k = a; k + s < b; k++)
    work += (0.5 * (d->F[k] + d->F[k + s]) - mean[bri_fit_axis(k, s)]) * d->v[k] * d->h[bri_fit_row(k, s)];
  d->flipped = work < 0;
  for (size_t k = 0; k < d->n && d->flipped; k++) d->F[k] = -d->F[k];
}

static void make_scales(bri_fit_data *d, double *work)
{
  const size_t a = d->train[0], m = d->train[1] - a;
  memcpy(work, d->F + a, m * sizeof *work);
  const double high = quantile(work, m, 0.98), low = bri_fit_place(work, m, (size_t)(0.02 * (double)(m - 1)));
  d->level = 0.5 * (high - low), d->middle = 0.5 * (high + low);
  for (size_t i = 0; i < d->axes; i++) { /* of the axis that moves more */
    double top = d->u[a + i], bottom = top;
    for (size_t k = a + i; k < d->train[1]; k += d->axes)
      top = d->u[k] > top ? d->u[k] : top, bottom = d->u[k] < bottom ? d->u[k] : bottom;
    d->stroke = fmax(d->stroke, top - bottom);
  }
  for (size_t k = 0; k < m; k++) work[k] = fabs(d->v[a + k]);
  d->fast = quantile(work, m, 0.9);
}

static br_status bad_parts(const bri_fit_data *d, br_err *err)
{
  enum { LEAST = 20 };
  if (d->train[1] > d->n || d->test[1] > d->n || d->train[0] >= d->train[1] || d->test[0] >= d->test[1])
    return bri_fail(err, BR_E_RANGE, "fit: the train or the test part lies outside the record (%zu samples)",
                    d->n);
  if (d->train[1] - d->train[0] < LEAST)
    return bri_fail(err, BR_E_SIZE, "fit: the train part has %zu samples; at least %d are needed",
                    d->train[1] - d->train[0], LEAST);
  return BR_OK;
}

static br_status check(const br_fit_record *r, br_err *err)
{
  if (!r || r->n < 2 || !r->F || (!r->u && !r->v) || (r->v && !r->u && !r->t))
    return bri_fail(err, BR_E_ARG, "fit: a record needs a force and a position (or a velocity with time)");
  const size_t axes = r->axes ? r->axes : 1;
  if (axes > BRI_FIT_AXES || (axes > 1 && (!r->u || r->load)))
    return bri_fail(err, BR_E_ARG, "fit: a record of two axes needs positions, and has no load");
  for (size_t k = 0; k < r->n; k++) {
    double sum = (r->t ? r->t[k] : 0) + (r->load ? r->load[k] : 0);
    for (size_t i = k * axes; i < (k + 1) * axes; i++)
      sum += r->F[i] + (r->u ? r->u[i] : 0) + (r->v ? r->v[i] : 0);
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
  const size_t s = d->axes = r->axes ? r->axes : 1, n = d->n = s * r->n;
  d->store = bri_malloc_array(n, COLUMNS * sizeof(double));
  if (!d->store) return bri_no_memory(err, "fit");
  memset(d->store, 0, n * COLUMNS * sizeof(double));
  double **const columns[] = {&d->t,     &d->u,   &d->v,    &d->h,     &d->F, &d->speed,
                              &d->accel, &d->raw, &d->load, &d->raw_u, &d->vm};
  for (size_t i = 0; i < COLUMNS - 1; i++) *columns[i] = d->store + i * n;
  double *work = d->work = d->store + (COLUMNS - 1) * n;
  d->timed = r->t != NULL;
  const int given = o->train[1] > 0, tested = o->test[1] > 0;
  d->train[0] = given ? s * o->train[0] : 0;
  d->train[1] = given ? s * o->train[1] : tested ? o->test[0] > 0 ? s * o->test[0] : n : s * (r->n * 6 / 10);
  d->test[0] = tested ? s * o->test[0] : d->train[1] < n ? d->train[1] : d->train[0];
  d->test[1] = tested ? s * o->test[1] : n;
  st = bad_parts(d, err);
  if (st) return st;
  for (size_t k = 0; k < n; k++) {
    d->t[k] = r->t ? r->t[bri_fit_row(k, s)] : (double)bri_fit_row(k, s);
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
    return bri_fail(err, BR_E_RANGE,
                    "fit: the load is %.4g on average in the train part; it must be positive", d->mean_load);
  if (!(d->stroke > 0) || !(d->level > 0) || !(d->fast > 0))
    return bri_fail(err, BR_E_RANGE, "fit: %s does not change in the train part",
                    d->level > 0 ? "the position" : "the force");
  return BR_OK;
}

void bri_fit_data_free(bri_fit_data *d)
{
  bri_free(d->store);
  memset(d, 0, sizeof *d);
}
