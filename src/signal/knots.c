/* SPDX-License-Identifier: Apache-2.0
 * knots.c - a table of points between which u is monotone: search, corners, variation, normalised input. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "signal_internal.h"

br_status bri_knots_create(bri_knots *k, size_t n, br_err *err)
{
  memset(k, 0, sizeof *k);
  k->n = n;
  k->s = bri_malloc_array(n, 3 * sizeof(double));
  k->corner = bri_malloc_array(n, sizeof(size_t));
  if (!k->s || !k->corner) {
    bri_knots_release(k);
    return bri_fail(err, BR_E_NOMEM, "no memory for a signal of %zu points", n);
  }
  k->u = k->s + n;
  k->rho = k->u + n;
  return BR_OK;
}

void bri_knots_release(bri_knots *k)
{
  bri_free(k->s);
  bri_free(k->corner);
  memset(k, 0, sizeof *k);
}

/* Compensated sum: a path of a million steps keeps full precision. */
void bri_knots_measure(bri_knots *k)
{
  double sum = 0.0, carry = 0.0;
  k->rho[0] = 0.0;
  for (size_t i = 1; i < k->n; i++) {
    const double term = fabs(k->u[i] - k->u[i - 1]) - carry;
    const double next = sum + term;
    carry = (next - sum) - term;
    sum = next;
    k->rho[i] = sum;
  }
  k->mean_step = k->n > 1 ? k->s[k->n - 1] / (double)(k->n - 1) : 0.0;
}

double bri_knots_local(const bri_knots *k, double t, double *periods)
{
  double x = t - k->origin;
  *periods = 0.0;
  if (k->period > 0.0) {
    const double whole = floor(x / k->period);
    x = fma(-whole, k->period, x); /* one rounding, however many periods */
    *periods = whole;
    if (x < 0.0) x = 0.0;
    if (x > k->period) x = k->period;
  }
  return x;
}

/* How many of n sorted places (of s itself, or those that which names) are at most x: away from a guess in
 * growing strides, then halving: the cost is that of the guess, which evenly sampled records make nearly
 * right, not that of the record. */
static size_t count_up_to(const double *s, const size_t *which, size_t n, double x, double guess)
{
  const size_t near = guess > 0.0 ? (guess < (double)n ? (size_t)guess : n) : 0;
  size_t low = 0, high = n;
#define AT(i) s[which ? which[i] : (i)]
  if (near < n && AT(near) <= x) {
    low = near + 1;
    for (size_t stride = 1; low < high; stride *= 2) {
      const size_t next = n - low > stride ? low + stride - 1 : n - 1;
      if (AT(next) <= x) low = next + 1;
      else high = next;
      if (high != n) break;
    }
  } else {
    high = near;
    for (size_t stride = 1; low < high; stride *= 2) {
      const size_t next = high > stride ? high - stride : 0;
      if (AT(next) > x) high = next;
      else low = next + 1;
      if (low != 0) break;
    }
  }
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (AT(mid) <= x) low = mid + 1;
    else high = mid;
  }
#undef AT
  return low;
}

/* Last index i in [0, n-2] with a[i] <= x, or 0. */
static size_t segment(const double *a, size_t n, double x, double guess)
{
  const size_t below = count_up_to(a, NULL, n - 1, x, guess);
  return below ? below - 1 : 0;
}

size_t bri_knots_segment(const bri_knots *k, double x)
{
  return segment(k->s, k->n, x, k->mean_step > 0.0 ? x / k->mean_step : 0.0);
}

double bri_knots_tolerance(const bri_knots *k, double t)
{
  return 4.0 * DBL_EPSILON * (fabs(t) + fabs(k->origin) + k->period);
}

double bri_knots_next_corner(const bri_knots *k, double t)
{
  if (k->ncorner == 0 || !isfinite(t)) return INFINITY;
  const double tol = bri_knots_tolerance(k, t);
  double periods = 0.0;
  const double x = bri_knots_local(k, t, &periods);
  const double share = k->mean_step > 0.0 ? (double)k->ncorner / ((double)k->n * k->mean_step) : 0.0;
  size_t low = count_up_to(k->s, k->corner, k->ncorner, x + tol, x * share);
  for (int wrap = 0; wrap < 3; wrap++) {
    for (; low < k->ncorner; low++) {
      const double at = fma(periods, k->period, k->s[k->corner[low]]) + k->origin;
      if (at > t + tol) return at;
    }
    if (k->period == 0.0) break;
    low = 0;
    periods += 1.0;
  }
  return INFINITY; /* t so large that a period is below its rounding */
}

double bri_knots_variation(const bri_knots *k, double t, double u)
{
  double periods = 0.0, rho = 0.0;
  const double x = bri_knots_local(k, t, &periods);
  if (k->n < 2 || x <= k->s[0]) {
    rho = 0.0;
  } else if (x >= k->s[k->n - 1]) {
    rho = k->rho[k->n - 1];
  } else {
    const size_t i = bri_knots_segment(k, x);
    rho = k->rho[i] + fabs(u - k->u[i]);
    if (rho > k->rho[i + 1]) rho = k->rho[i + 1];
  }
  if (periods != 0.0) rho = fma(periods, k->rho[k->n - 1], rho);
  return rho - k->rho_zero;
}

double bri_knots_normalised(const bri_knots *k, double rho)
{
  const double total = k->rho[k->n - 1];
  double r = rho + k->rho_zero;
  if (isnan(rho)) return rho;
  if (k->n < 2 || total == 0.0) return k->u[0];
  if (k->period > 0.0 && isfinite(r)) r = fma(-floor(r / total), total, r);
  if (r <= 0.0) return k->u[0];
  if (r >= total) return k->u[k->n - 1];
  const size_t i = segment(k->rho, k->n, r, 0.0);
  const double rest = r - k->rho[i];
  return k->u[i + 1] >= k->u[i] ? k->u[i] + rest : k->u[i] - rest;
}
