/* SPDX-License-Identifier: Apache-2.0
 * filter.c - a record without its fast or slow parts; samples need not be evenly spaced. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "record.h"

/* Butterworth of second order, w^2 (u - p) - sqrt(2) w p' = p'', along straight lines between the samples:
 * behind the particular solution u - sqrt(2) s/w (s: slope) the rest decays as exp(-a h) in cos and sin of a
 * h, a = w/sqrt(2). */
static void pass(size_t n, const double *t, double *x, double w)
{
  const double root = sqrt(2.0), a = w / root;
  double p = x[0], dp = 0, u = x[0];
  for (size_t i = 1; i < n; i++) {
    const double h = fabs(t[i] - t[i - 1]), next = x[i], s = h > 0 ? (next - u) / h : 0;
    const double lag = root * s / w, q = p - (u - lag), dq = dp - s;
    const double e = bri_exp(-a * h), c = bri_cos(a * h), d = bri_sin(a * h), b = (dq + a * q) / a;
    const double rest = e * (q * c + b * d);
    p = next - lag + rest;
    dp = s - a * rest + e * a * (b * c - q * d);
    u = next;
    x[i] = p;
  }
}

static void mirror(size_t n, double *x)
{
  for (size_t i = 0; i < n / 2; i++) {
    const double keep = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = keep;
  }
}

br_status bri_record_lowpass(size_t n, const double *t, double *x, double f, br_err *err)
{
  /* two passes: each is 3 dB down at a higher frequency, so that both together are at f */
  const double w = 2 * 3.14159265358979323846 * f / sqrt(sqrt(sqrt(2.0) - 1)), reach = 2 / f;
  size_t before = 0, behind = 0;
  if (n < 2) return BR_OK;
  while (before + 1 < n && t[before + 1] - t[0] <= reach) before++;
  while (behind + 1 < n && t[n - 1] - t[n - 2 - behind] <= reach) behind++;
  const size_t all = before + n + behind;
  double *at = bri_malloc_array(2 * all, sizeof *at), *y = at ? at + all : NULL;
  if (!at) return bri_fail(err, BR_E_NOMEM, "lowpass: no memory for %zu samples", all);
  /* the ends go on as their image in the end point, so that a ramp stays a ramp */
  for (size_t i = 0; i < before; i++) at[i] = 2 * t[0] - t[before - i], y[i] = 2 * x[0] - x[before - i];
  memcpy(at + before, t, n * sizeof *at);
  memcpy(y + before, x, n * sizeof *y);
  for (size_t i = 0; i < behind; i++)
    at[before + n + i] = 2 * t[n - 1] - t[n - 2 - i], y[before + n + i] = 2 * x[n - 1] - x[n - 2 - i];
  pass(all, at, y, w);
  mirror(all, at);
  mirror(all, y);
  pass(all, at, y, w);
  mirror(all, y);
  memcpy(x, y + before, n * sizeof *x);
  bri_free(at);
  return BR_OK;
}

void bri_record_detrend(size_t n, const double *t, double *x)
{
  double mt = 0, mx = 0, stt = 0, stx = 0;
  for (size_t i = 0; i < n; i++) mt += (t[i] - mt) / (double)(i + 1), mx += (x[i] - mx) / (double)(i + 1);
  for (size_t i = 0; i < n; i++) stt += (t[i] - mt) * (t[i] - mt), stx += (t[i] - mt) * (x[i] - mx);
  const double slope = stt > 0 ? stx / stt : 0;
  for (size_t i = 0; i < n; i++) x[i] -= mx + slope * (t[i] - mt);
}
