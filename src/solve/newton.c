/* SPDX-License-Identifier: Apache-2.0
 * newton.c - the one period-map Newton of the library: fixed points of a map given as a function.
 *
 * The Jacobian is taken by one-sided differences and kept while the residual falls quickly.  A strongly
 * attracting cycle needs no Newton at all: plain iteration comes first and often suffices. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/solve.h"
#include "linalg.h"

br_newton_settings br_newton_settings_default(void)
{
  const br_newton_settings s = {1e-11, 2, 20, 1e-6};
  return s;
}

size_t br_map_newton_work(size_t n) { return 4 * n + 2 * n * n + n; }

/* Largest |a - b| / scale; huge when not finite. */
static double distance(size_t n, const double *a, const double *b, const double *scale)
{
  double d = 0;
  for (size_t i = 0; i < n; i++) {
    const double x = fabs(a[i] - b[i]) / scale[i];
    if (!(x <= d)) d = isfinite(x) ? x : 1e300;
  }
  return d;
}

static int differences(br_map_fn *map, void *ctx, size_t n, double *x, const double *px, const double *scale,
                       double step, double *out, double *J)
{
  for (size_t j = 0; j < n; j++) {
    const double keep = x[j], h = step * scale[j];
    x[j] = keep + h;
    const double real = x[j] - keep;
    int rc = map(ctx, x, out);
    if (rc) {
      x[j] = keep - h;
      rc = map(ctx, x, out);
      for (size_t i = 0; i < n && !rc; i++) J[i * n + j] = (px[i] - out[i]) / (keep - x[j]);
    } else {
      for (size_t i = 0; i < n; i++) J[i * n + j] = (out[i] - px[i]) / real;
    }
    x[j] = keep;
    if (rc) return rc;
  }
  return 0;
}

br_status br_map_newton(br_map_fn *map, void *ctx, size_t n, double *x, const double *scale,
                        const br_newton_settings *settings, double *work, double *jac, double *residual,
                        br_err *err)
{
  const br_newton_settings set = settings ? *settings : br_newton_settings_default();
  double *px = work, *d = px + n, *out = d + n, *try = out + n, *J = try + n, *E = J + n * n;
  size_t piv[64];
  double r = 1e300;
  int rc = n > 64 ? 1 : map(ctx, x, px), fresh = 0;
  for (int it = 0; it < set.warm_up && !rc; it++) {
    memcpy(x, px, n * sizeof *x);
    rc = map(ctx, x, px);
  }
  for (int it = 0; it <= set.max_iter && !rc; it++) {
    r = distance(n, px, x, scale);
    if (r <= set.tol) break;
    if (it == set.max_iter) break;
    if (!fresh || it % 3 == 0) {
      rc = differences(map, ctx, n, x, px, scale, set.fd_step, out, J);
      if (rc) break;
      fresh = 1;
    }
    for (size_t i = 0; i < n * n; i++) E[i] = -J[i];
    for (size_t i = 0; i < n; i++) E[i * n + i] += 1, d[i] = px[i] - x[i];
    if (bri_lu(n, E, piv)) memcpy(try, px, n * sizeof *try); /* a unit multiplier: plain iteration */
    else {
      bri_lu_solve(n, E, piv, d);
      for (size_t i = 0; i < n; i++) try[i] = x[i] + d[i];
    }
    double before = r;
    for (double f = 1;; f *= 0.5) { /* shorten where the map fails or the residual grows */
      for (size_t i = 0; i < n && f < 1; i++) try[i] = x[i] + f * d[i];
      rc = map(ctx, try, out);
      if (!rc && (distance(n, out, try, scale) < 2 * before || f < 0.1)) break;
      if (f < 0.02) break;
    }
    if (rc) break;
    memcpy(x, try, n * sizeof *x);
    memcpy(px, out, n * sizeof *px);
    if (distance(n, px, x, scale) > 0.1 * before) fresh = 0;
  }
  if (!rc && jac) rc = differences(map, ctx, n, x, px, scale, set.fd_step, out, jac);
  if (residual) *residual = r;
  if (!rc && r <= set.tol * 100) return BR_OK; /* the last digits may be rounding */
  if (err) {
    err->code = BR_E_CONVERGE, err->index = -1;
    if (rc) snprintf(err->msg, sizeof err->msg, "period map cannot be evaluated near the iterate");
    else
      snprintf(err->msg, sizeof err->msg, "period-map Newton stops at residual %.3g, asked for %.3g", r,
               set.tol);
  }
  return BR_E_CONVERGE;
}
