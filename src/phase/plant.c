/* SPDX-License-Identifier: Apache-2.0
 * plant.c - sliding equilibria and Hopf points of any mechanism with two or three states. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "field.h"
#include "lyapunov.h"
#include "phase_internal.h"

enum { MOST = BRI_FIELD_MOST };

/* Characteristic polynomial lambda^n + c[n-1] lambda^(n-1) + ... + c[0]. */
static void characteristic(size_t n, const double *J, double *c)
{
  if (n == 2) {
    c[1] = -(J[0] + J[3]);
    c[0] = J[0] * J[3] - J[1] * J[2];
    return;
  }
  c[2] = -(J[0] + J[4] + J[8]);
  c[1] = J[0] * J[4] - J[1] * J[3] + J[0] * J[8] - J[2] * J[6] + J[4] * J[8] - J[5] * J[7];
  c[0] = -(J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
           J[2] * (J[3] * J[7] - J[4] * J[6]));
}

static void quadratic(double c1, double c0, double *re, double *im)
{
  const double half = -0.5 * c1, d = half * half - c0;
  if (d < 0) {
    re[0] = re[1] = half;
    im[0] = -sqrt(-d), im[1] = sqrt(-d);
    return;
  }
  const double big = half < 0 ? half - sqrt(d) : half + sqrt(d), other = big != 0 ? c0 / big : 0;
  re[0] = fmin(big, other), re[1] = fmax(big, other);
  im[0] = im[1] = 0;
}

static void eigenvalues(size_t n, const double *c, double *re, double *im)
{
  if (n == 2) {
    quadratic(c[1], c[0], re, im);
    return;
  }
  /* the real root of largest size by Newton from beyond all roots, then the rest without it */
  double x = -(1 + fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
  for (int i = 0; i < 400; i++) {
    const double f = ((x + c[2]) * x + c[1]) * x + c[0], d = (3 * x + 2 * c[2]) * x + c[1], next = x - f / d;
    if (!isfinite(next) || fabs(next - x) <= 1e-16 * fabs(x)) break;
    x = next;
  }
  re[0] = x, im[0] = 0;
  /* dividing out the most negative root: coefficients from below where it is large */
  quadratic(c[2] + x, x != 0 ? -c[0] / x : c[1], re + 1, im + 1);
}

/* > 0 stable, < 0 unstable, zero at a Hopf point (c0 > 0). */
static double hurwitz(size_t n, const double *c) { return n == 2 ? c[1] : c[1] * c[2] - c[0]; }

br_status br_phase_steady_at(const br_phase_plant *plant, br_vary_where where, int slot, double value,
                             br_phase_steady *out, br_err *err)
{
  bri_field b;
  double J[MOST * MOST], c[MOST];
  const br_status st = bri_field_open(plant, &b, err);
  if (st) return st;
  memset(out, 0, sizeof *out);
  bri_field_set(&b, where, slot, value);
  if (!bri_field_steady(&b, NAN, out->x)) {
    return bri_text_fail(err, BR_E_CONVERGE, -1,
                         "phase: %s with %s has no sliding equilibrium that Newton finds",
                         plant->system->name, plant->model->name);
  }
  out->n = b.n;
  out->v = bri_field_velocity(&b, out->x);
  out->z = out->x[b.nq];
  bri_field_jacobian(&b, out->x, J);
  characteristic(b.n, J, c);
  eigenvalues(b.n, c, out->re, out->im);
  double top = -INFINITY, turns = 0, low = INFINITY;
  for (size_t i = 0; i < b.n; i++)
    top = fmax(top, out->re[i]), low = fmin(low, out->re[i]), turns = fmax(turns, out->im[i]);
  out->type = c[0] < 0    ? "saddle"
              : turns > 0 ? (top < 0 ? "stable focus" : "unstable focus")
              : top < 0   ? "stable node"
              : low > 0   ? "unstable node"
                          : "saddle";
  return BR_OK;
}

/* The test function at a value; NaN where there is no equilibrium or a real eigenvalue is at zero. */
static double test_at(bri_field *b, br_vary_where where, int slot, double value, double *x, double *omega)
{
  double J[MOST * MOST], c[MOST];
  bri_field_set(b, where, slot, value);
  if (!bri_field_steady(b, NAN, x)) return NAN;
  bri_field_jacobian(b, x, J);
  characteristic(b->n, J, c);
  const double w2 = b->n == 2 ? c[0] : c[1];
  if (!(c[0] > 0)) return NAN;
  *omega =
      w2 > 0 ? sqrt(w2) : 0; /* zero: the change of sign would be none of a pair of imaginary eigenvalues */
  return hurwitz(b->n, c);
}

static void jacobian(void *ctx, const double *x, double *J) { bri_field_jacobian(ctx, x, J); }

br_status br_phase_hopf_points(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                               size_t max, br_phase_event *out, size_t *n, br_err *err)
{
  enum { SAMPLES = 400 };
  bri_field w;
  double x[MOST], omega = 0, before = NAN, at = a;
  *n = 0;
  const br_status st = bri_field_open(plant, &w, err);
  if (st) return st;
  if (slot < 0 || !(a < b)) return bri_text_fail(err, BR_E_ARG, -1, "phase: %.9g:%.9g is no range", a, b);
  for (int i = 0; i <= SAMPLES; i++) {
    const double now_at = a + (b - a) * i / SAMPLES, now = test_at(&w, where, slot, now_at, x, &omega);
    if (!isnan(before) && !isnan(now) && (now > 0) != (before > 0)) {
      double lo = at, hi = now_at, flo = before, fhi = now, mid = lo;
      int side = 0;
      for (int k = 0; k < 200 && hi - lo > 1e-15 * (fabs(lo) + fabs(hi)); k++) {
        mid = (flo * hi - fhi * lo) / (flo - fhi);
        if (!(mid > lo && mid < hi)) mid = 0.5 * (lo + hi);
        const double f = test_at(&w, where, slot, mid, x, &omega);
        if (isnan(f) || f == 0) break;
        if ((f > 0) == (flo > 0)) {
          if (mid - lo < 1e-15 * fabs(mid)) break;
          lo = mid, flo = f, fhi *= side == 1 ? 0.5 : 1, side = 1;
        } else {
          if (hi - mid < 1e-15 * fabs(mid)) break;
          hi = mid, fhi = f, flo *= side == -1 ? 0.5 : 1, side = -1;
        }
      }
      if (isnan(test_at(&w, where, slot, mid, x, &omega)) || !(omega > 0)) {
        before = now;
        at = now_at;
        continue;
      }
      if (*n < max) {
        double step[MOST];
        int k = 0;
        br_phase_event e = bri_event_new(BR_PHASE_HOPF, mid);
        for (size_t j = 0; j < w.n; j++) step[j] = 0.01 * fabs(x[j]);
        for (size_t j = 0; j < w.nq; j++) k = w.vq[j] != 0 ? (int)j : k;
        e.v = bri_field_velocity(&w, x);
        e.omega = omega;
        e.lyapunov = bri_lyapunov((int)w.n, jacobian, &w, x, omega, k, step);
        out[*n] = e;
      }
      ++*n;
    }
    before = now;
    at = now_at;
  }
  return BR_OK;
}
