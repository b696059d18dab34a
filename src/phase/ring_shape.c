/* SPDX-License-Identifier: Apache-2.0
 * ring_shape.c - mesh, extremes and multipliers of a closed orbit; see ring.h. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "ring.h"

enum { MOST = BRI_FIELD_MOST, LEAST_SPANS = 24 };

/* The last coefficient falls with the fifth power of the length, the error of the end with the ninth. */
static double target(const bri_ring_work *w) { return bri_pow(w->tol, 5.0 / 9); }

/* By which factor a span might grow. */
static double growth(const bri_ring_work *w, const bri_span *s)
{
  const double f = bri_pow(target(w) / fmax(s->rough, 1e-300), 0.2);
  return fmin(fmax(f, 0.2), 4);
}

size_t bri_ring_wanted(const bri_ring_work *w, const bri_ring *r)
{
  double sum = 0;
  for (size_t i = 0; i < r->spans; i++) sum += 1 / growth(w, &r->span[i]);
  const double n = fmax(ceil(1.1 * sum), LEAST_SPANS);
  return n > BRI_RING_SPANS ? BRI_RING_SPANS : (size_t)n;
}

void bri_ring_remesh(const bri_ring_work *w, const bri_ring *from, bri_ring *to)
{
  const size_t n = from->n, count = bri_ring_wanted(w, from);
  double total = 0, passed = 0, at = 0, last = 0;
  for (size_t i = 0; i < from->spans; i++) total += 1 / growth(w, &from->span[i]);
  to->n = n;
  to->spans = count;
  to->period = from->period;
  to->value = from->value;
  memcpy(to->size, from->size, sizeof to->size);
  memcpy(to->x, from->x, n * sizeof *to->x);
  size_t i = 0;
  for (size_t k = 1; k <= count; k++) {
    const double want = total * (double)k / (double)count;
    double here = 1 / growth(w, &from->span[i]);
    while (i + 1 < from->spans && passed + here < want) {
      passed += here;
      at += from->share[i++];
      here = 1 / growth(w, &from->span[i]);
    }
    const double theta = k == count ? 1 : fmin((want - passed) / here, 1),
                 now = k == count ? 1 : at + theta * from->share[i];
    to->span[k - 1].pieces = 0;
    to->share[k - 1] = now - last;
    last = now;
    if (k == count) memcpy(to->x + k * n, to->x, n * sizeof *to->x);
    else bri_span_at(&from->span[i], n, theta, to->x + k * n);
  }
}

static double component(const bri_ring_work *w, size_t n, size_t i, const double *x)
{
  return i < n ? x[i] : bri_field_velocity(&w->fam.at, x);
}

/* An extreme near theta of a piece.  The end of a span is known better than what lies within, so that spans
 * of other lengths from the same start decide: secant for the zero of the rate. */
static double refine(const bri_ring_work *w, const bri_ring *r, const bri_piece *p, size_t i, double theta)
{
  const size_t n = r->n;
  bri_span s = {0};
  double before = NAN, rate_before = NAN, best = NAN, x[MOST];
  for (int k = 0; k < 6; k++) {
    s.pieces = 0;
    theta = fmin(fmax(theta, 1e-6), 1.3);
    if (bri_span_run(&w->fam, p->x, theta * p->h, r->size, &s)) break;
    memcpy(x, s.end, n * sizeof *x);
    best = component(w, n, i, x);
    double rate = i < n ? s.rate[i] : 0;
    for (size_t l = 0; i == n && l < w->fam.at.nq; l++) rate += w->fam.at.vq[l] * s.rate[l];
    const double slope = k ? (rate - rate_before) / (theta - before) : NAN;
    double next = k ? theta - rate / slope : theta < 0.9 ? theta + 0.05 : theta - 0.05;
    if (k && !(fabs(next - theta) < 0.5)) break; /* no turning point: an end of the piece */
    if (fabs(next - theta) < 1e-9) break;
    before = theta, rate_before = rate;
    theta = next;
  }
  return best;
}

void bri_ring_extremes(const bri_ring_work *w, const bri_ring *r, double *lo, double *hi)
{
  enum { CUTS = 8 };
  const size_t n = r->n;
  for (size_t i = 0; i <= n; i++) {
    lo[i] = INFINITY, hi[i] = -INFINITY;
    const bri_piece *low = NULL, *high = NULL;
    double at_low = 0, at_high = 0;
    for (size_t s = 0; s < r->spans; s++) {
      for (int k = 0; k < r->span[s].pieces; k++) {
        const bri_piece *p = &r->span[s].piece[k];
        for (int c = 1; c <= CUTS; c++) { /* a piece begins where another ends */
          double x[MOST];
          const double theta = (double)c / CUTS;
          bri_piece_at(p, n, theta, x);
          const double y = component(w, n, i, x);
          if (y < lo[i]) lo[i] = y, low = p, at_low = theta;
          if (y > hi[i]) hi[i] = y, high = p, at_high = theta;
        }
      }
    }
    if (!low || !high) continue;
    const double l = refine(w, r, low, i, at_low), h = refine(w, r, high, i, at_high);
    /* the polynomials are good to more than that; beyond it the secant went astray */
    const double room = 1e-3 * (hi[i] - lo[i]);
    if (fabs(l - lo[i]) < room) lo[i] = l;
    if (fabs(h - hi[i]) < room) hi[i] = h;
  }
}

/* An orthonormal basis of what is perpendicular to the flow at a node, in scaled states: q[n - 1][n]. */
static void frame(const bri_ring *r, const double *rate, double q[MOST][MOST])
{
  const size_t n = r->n;
  double f[MOST] = {0}, norm = 0;
  for (size_t i = 0; i < n; i++) f[i] = rate[i] / r->size[i], norm += f[i] * f[i];
  for (size_t i = 0; i < n; i++) f[i] /= sqrt(norm);
  /* Householder vector that turns f into a unit vector: its other columns are the basis */
  f[0] += f[0] < 0 ? -1 : 1;
  double vv = 0;
  for (size_t i = 0; i < n; i++) vv += f[i] * f[i];
  for (size_t k = 1; k < n; k++)
    for (size_t i = 0; i < n; i++) q[k - 1][i] = (i == k) - 2 * f[k] * f[i] / vv;
}

/* Eigenvalues of exp(scale) P, two rows, whose determinant is exp(logdet). */
static void pair_of(const double *P, double scale, double logdet, double *re, double *im)
{
  const double trace = (P[0] + P[3]) * bri_exp(scale), det = bri_exp(logdet), half = 0.5 * trace,
               d = half * half - det;
  if (d < 0) {
    re[0] = re[1] = half;
    im[0] = sqrt(-d), im[1] = -im[0];
    return;
  }
  re[0] = half < 0 ? half - sqrt(d) : half + sqrt(d);
  re[1] = re[0] != 0 ? det / re[0] : 0;
  im[0] = im[1] = 0;
}

void bri_ring_multipliers(const bri_ring_work *w, const bri_ring *r, double *re, double *im, double *minus,
                          double *plus)
{
  const size_t n = r->n, m = n - 1;
  double q0[MOST][MOST], q[MOST][MOST], next[MOST][MOST], rate[MOST], P[4] = {1, 0, 0, 1}, scale = 0;
  double logdet = 0; /* of all multipliers by the divergence; the 1 leaves it alone */
  (void)w;
  memcpy(rate, r->span[r->spans - 1].rate, sizeof rate);
  frame(r, rate, q0);
  memcpy(q, q0, sizeof q);
  for (size_t s = 0; s < r->spans; s++) {
    const bri_span *p = &r->span[s];
    double B[4] = {0}, C[4];
    logdet += p->spread;
    if (m == 1) continue;
    if (s + 1 == r->spans) memcpy(next, q0, sizeof next);
    else frame(r, p->rate, next);
    for (size_t i = 0; i < m; i++) {
      for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
          for (size_t l = 0; l < n; l++)
            sum += next[i][k] * p->A[k * n + l] * r->size[l] / r->size[k] * q[j][l];
        B[i * 2 + j] = sum;
      }
    }
    memcpy(q, next, sizeof q);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) C[i * 2 + j] = B[i * 2] * P[j] + B[i * 2 + 1] * P[2 + j];
    const double top = fmax(fmax(fabs(C[0]), fabs(C[1])), fmax(fabs(C[2]), fabs(C[3])));
    scale += bri_log(top);
    for (int i = 0; i < 4; i++) P[i] = C[i] / top;
  }
  if (m == 1) {
    re[0] = bri_exp(logdet), im[0] = 0;
    *minus = re[0] - 1;
    *plus = re[0] + 1;
    return;
  }
  pair_of(P, scale, logdet, re, im);
  const double trace = re[0] + re[1], det = re[0] * re[1] - im[0] * im[1];
  *minus = 1 - trace + det;
  *plus = 1 + trace + det;
}

int bri_ring_trace(bri_ring_work *w, const double *x, double period, bri_ring *r)
{
  const size_t n = r->n;
  double t = 0, h = 1e-3 * period;
  memcpy(r->x, x, n * sizeof *x);
  for (r->spans = 0; t < period;) {
    bri_span *s = &r->span[r->spans];
    if (r->spans + 1 > BRI_RING_SPANS || h < 1e-9 * period) return 1;
    s->pieces = 0;
    const int last = t + h >= period * (1 - 1e-9);
    const double step = last ? period - t : h;
    if (bri_span_run(&w->fam, r->x + r->spans * n, step, r->size, s) || s->rough > 4 * target(w)) {
      h = 0.4 * step;
      continue;
    }
    r->share[r->spans++] = step / period;
    memcpy(r->x + r->spans * n, s->end, n * sizeof *x);
    t = last ? period : t + step;
    h = step * fmin(growth(w, s), 3);
  }
  r->period = period;
  memcpy(r->x + r->spans * n, r->x, n * sizeof *x);
  return 0;
}
