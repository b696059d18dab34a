/* SPDX-License-Identifier: Apache-2.0
 * ring.c - Newton's method for closed orbits; see ring.h. */
#include "../base/worse.h"
#include "ring.h"

#include <math.h>
#include <string.h>

#include "../solve/linalg.h"

enum { MOST = BRI_FIELD_MOST, COLUMNS = 3 * MOST + 3, MOST_U = BRI_RING_UNKNOWNS };

/* A row of the elimination: coefficients of node i, node 0, node i + 1, period, parameter; right side. */
typedef double row[COLUMNS];
size_t bri_ring_rows(void) { return (size_t)BRI_RING_SPANS * MOST * COLUMNS; }

void bri_ring_unknowns(const bri_ring_work *w, const bri_ring *r, double *u)
{
  for (size_t i = 0; i < r->n; i++) u[i] = r->x[i] / w->scale[i];
  u[r->n] = r->period / w->period;
  u[r->n + 1] = r->value / w->range;
}

/* Householder: zero the first n columns of 2n rows below the diagonal. */
static void eliminate(size_t n, row *a)
{
  for (size_t c = 0; c < n; c++) {
    double norm = 0;
    for (size_t r = c; r < 2 * n; r++) norm += a[r][c] * a[r][c];
    norm = sqrt(norm);
    if (norm == 0) continue;
    double v[2 * MOST] = {0};
    for (size_t r = c; r < 2 * n; r++) v[r] = a[r][c];
    v[c] += v[c] < 0 ? -norm : norm;
    double vv = 0;
    for (size_t r = c; r < 2 * n; r++) vv += v[r] * v[r];
    for (size_t k = 0; k < COLUMNS; k++) {
      double dot = 0;
      for (size_t r = c; r < 2 * n; r++) dot += v[r] * a[r][k];
      dot *= 2 / vv;
      for (size_t r = c; r < 2 * n; r++) a[r][k] -= dot * v[r];
    }
  }
}

/* Rows of span i in scaled unknowns: A x_i - x_(i+1) + share f dT + b dp = x_(i+1) - end.  States are
 * measured by size, period and parameter by w. */
static void span_rows(const bri_ring_work *w, const bri_ring *r, size_t i, row *a)
{
  const size_t n = r->n;
  const bri_span *s = &r->span[i];
  const double *size = r->size, *next = r->x + (i + 1) * n;
  for (size_t k = 0; k < n; k++) {
    memset(a[k], 0, sizeof a[k]);
    for (size_t l = 0; l < n; l++) a[k][l] = s->A[k * n + l] * size[l] / size[k];
    a[k][2 * MOST + k] = -1;
    a[k][3 * MOST] = r->share[i] * s->rate[k] * w->period / size[k];
    a[k][3 * MOST + 1] = s->b[k] * w->range / size[k];
    a[k][3 * MOST + 2] = (next[k] - s->end[k]) / size[k];
  }
}

/* The condition on node 0: rate of the contact velocity, its gradient by node 0 and parameter. */
static double acceleration(const bri_ring_work *w, const bri_ring *r, double *g)
{
  const bri_field *f = &w->fam.at;
  double rate[MOST], J[MOST * MOST], slope[MOST], a = 0;
  bri_field_rates(f, r->x, rate);
  bri_field_jacobian(f, r->x, J);
  bri_family_slope(&w->fam, r->x, slope);
  memset(g, 0, MOST_U * sizeof *g);
  for (size_t k = 0; k < f->nq; k++) {
    a += f->vq[k] * rate[k];
    for (size_t l = 0; l < r->n; l++) g[l] += f->vq[k] * J[k * r->n + l] * r->size[l];
    g[r->n + 1] += f->vq[k] * slope[k] * w->range;
  }
  return a;
}

/* Solve for the shift of all nodes, period and parameter (scaled) under g . shift = rhs on the unknowns.
 * closed: right sides of the spans and the condition are zero (tangent).  dx: [(spans + 1) * n]. */
static int linear(bri_ring_work *w, const bri_ring *r, const bri_pick *pick, double rhs, int closed,
                  double *dx, double *dT, double *dp)
{
  const size_t n = r->n, m = n + 2;
  row *kept = (row *)(void *)w->rows, a[2 * MOST];
  double M[MOST_U * MOST_U], b[MOST_U], g[MOST_U];
  size_t piv[MOST_U];
  span_rows(w, r, 0, a);
  for (size_t k = 0; k < n; k++) { /* node 0 of span 0 is node 0 */
    memcpy(a[k] + MOST, a[k], n * sizeof(double));
    memcpy(a[k], a[k] + 2 * MOST, n * sizeof(double));
    memset(a[k] + 2 * MOST, 0, n * sizeof(double));
    if (closed) a[k][3 * MOST + 2] = 0;
  }
  for (size_t i = 1; i < r->spans; i++) {
    span_rows(w, r, i, a + n);
    for (size_t k = n; closed && k < 2 * n; k++) a[k][3 * MOST + 2] = 0;
    eliminate(n, a);
    memcpy(kept + i * MOST, a, n * sizeof *a);
    for (size_t k = 0; k < n; k++) {
      memcpy(a[k], a[n + k], sizeof a[k]);
      memcpy(a[k], a[k] + 2 * MOST, n * sizeof(double));
      memset(a[k] + 2 * MOST, 0, n * sizeof(double));
    }
  }
  /* node N is node 0 */
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) M[k * m + l] = a[k][l] + a[k][MOST + l];
    M[k * m + n] = a[k][3 * MOST];
    M[k * m + n + 1] = a[k][3 * MOST + 1];
    b[k] = a[k][3 * MOST + 2];
  }
  b[n] = closed ? 0 : -acceleration(w, r, g);
  if (closed) (void)acceleration(w, r, g);
  double top = 1e-300;
  for (size_t l = 0; l < m; l++) top = fmax(top, fabs(g[l]));
  b[n] /= top;
  b[n + 1] = rhs;
  for (size_t l = 0; l < m; l++) {
    M[n * m + l] = g[l] / top;
    M[(n + 1) * m + l] = pick->g[l] * (l < n ? r->size[l] / w->scale[l] : 1);
  }
  if (bri_lu(m, M, piv)) return 1;
  bri_lu_solve(m, M, piv, b);
  memcpy(dx, b, n * sizeof *dx);
  memcpy(dx + r->spans * n, b, n * sizeof *dx);
  *dT = b[n], *dp = b[n + 1];
  for (size_t i = r->spans; i-- > 1;) {
    row *q = kept + i * MOST;
    double *xi = dx + i * n, *next = dx + (i + 1) * n;
    for (size_t k = n; k-- > 0;) {
      double sum = q[k][3 * MOST + 2] - q[k][3 * MOST] * *dT - q[k][3 * MOST + 1] * *dp;
      for (size_t l = 0; l < n; l++) sum -= q[k][MOST + l] * b[l] + q[k][2 * MOST + l] * next[l];
      for (size_t l = k + 1; l < n; l++) sum -= q[k][l] * xi[l];
      if (q[k][k] == 0) return 1;
      xi[k] = sum / q[k][k];
    }
  }
  return 0;
}

static int run_spans(bri_ring_work *w, bri_ring *r)
{
  bri_family_move(&w->fam, r->value);
  for (size_t i = 0; i < r->spans; i++)
    if (bri_span_run(&w->fam, r->x + i * r->n, r->share[i] * r->period, r->size, &r->span[i])) return 1;
  return 0;
}

int bri_ring_solve(bri_ring_work *w, bri_ring *r, const bri_pick *pick, int tangent)
{
  const size_t n = r->n;
  double dx[(BRI_RING_SPANS + 1) * MOST], dT, dp, u[MOST_U], last = INFINITY;
  for (int round = 0; round < 12; round++) {
    if (!(r->period > 0) || run_spans(w, r)) return 1;
    bri_ring_unknowns(w, r, u);
    double rhs = pick->rhs, step = 0;
    for (size_t l = 0; l < n + 2; l++) rhs -= pick->g[l] * (u[l] - pick->from[l]);
    if (linear(w, r, pick, rhs, 0, dx, &dT, &dp)) return 1;
    for (size_t i = 0; i < (r->spans + 1) * n; i++) {
      r->x[i] += dx[i] * r->size[i % n];
      step = bri_worse(step, fabs(dx[i]));
    }
    r->period += dT * w->period;
    r->value += dp * w->range;
    step = bri_worse(step, fmax(fabs(dT) * w->period / r->period, fabs(dp)));
    if (!(step < 3) || (round > 2 && step > 10 * last)) return 1;
    const int done = step <= 1e-9 || (step <= 1e-6 && step > 0.3 * last);
    last = step;
    if (!done) continue;
    if (run_spans(w, r)) return 1; /* derivatives at the solution */
    if (!tangent) return 0;
    if (linear(w, r, pick, 1, 1, r->dx, &r->dT, &r->dp)) return 1;
    /* unit length in the unknowns */
    double length = r->dT * r->dT + r->dp * r->dp;
    for (size_t l = 0; l < n; l++) {
      const double d = r->dx[l] * r->size[l] / w->scale[l];
      length += d * d;
    }
    length = sqrt(length);
    for (size_t i = 0; i < (r->spans + 1) * n; i++) r->dx[i] *= r->size[i % n] / length;
    r->dT *= w->period / length;
    r->dp *= w->range / length;
    return 0;
  }
  return 1;
}
