/* SPDX-License-Identifier: Apache-2.0
 * stiff.c - the step along an orbit: a power series, or collocation where the flow contracts strongly.
 *
 * On a slow manifold that attracts at the rate |div| a power series reaches no further than some ten times
 * 1/|div|, however slowly the orbit itself moves: a creeping block of large sigma1 would need a number of
 * steps that grows with sigma1^2.  There the orbit is a polynomial that satisfies the equations at five Radau
 * points, of the same form as a series.  Where the flow expands, collocation would hold an orbit on a
 * manifold that it leaves; there it is never used. */
#include "../../core/elementary.h"
#include "../base/worse.h"
#include "stiff.h"

#include <math.h>
#include <string.h>

#include "../solve/linalg.h"
#include "../solve/radau.h"

enum { S = 5, N = 2 * S, PATIENCE = 12 };
static const double REACH = 25; /* |div| h of a series that ends for stiffness */
static const double ERROR = 1e-14;

/* Rates and linear parts at the stages. */
typedef struct {
  double zr[S], vr[S], nz[S], nv[S], div[S];
} stages;

static int evaluate(const bri_plane *p, bri_point y, const double *Z, stages *s)
{
  for (int i = 0; i < S; i++) {
    const bri_point at = {y.z + Z[2 * i], y.v + Z[2 * i + 1]};
    if (!(at.v > 0)) return 1;
    const bri_point r = bri_flow_slopes(p, at, &s->nz[i], &s->nv[i]);
    s->zr[i] = r.z, s->vr[i] = r.v;
    s->div[i] = s->nz[i] - (p->s1 * s->nv[i] + p->s2) / p->m;
  }
  return 0;
}

/* One round of Newton's method for the stages; returns its step relative to the state, NaN: singular. */
static double improve(const bri_plane *p, bri_point y, const double *D, double h, const stages *s, double *Z)
{
  double A[N * N] = {0}, b[N], step = 0;
  size_t piv[N];
  for (int i = 0; i < S; i++) {
    double sz = h * s->zr[i], sv = h * s->vr[i];
    for (int j = 0; j < S; j++) {
      sz -= D[i * S + j] * Z[2 * j], sv -= D[i * S + j] * Z[2 * j + 1];
      A[2 * i * N + 2 * j] = A[(2 * i + 1) * N + 2 * j + 1] = D[i * S + j];
    }
    b[2 * i] = sz, b[2 * i + 1] = sv;
    A[2 * i * N + 2 * i] -= h * s->nz[i];
    A[2 * i * N + 2 * i + 1] -= h * s->nv[i];
    A[(2 * i + 1) * N + 2 * i] += h * (p->s0 + p->s1 * s->nz[i]) / p->m;
    A[(2 * i + 1) * N + 2 * i + 1] += h * (p->s1 * s->nv[i] + p->s2) / p->m;
  }
  if (bri_lu(N, A, piv)) return NAN;
  bri_lu_solve(N, A, piv, b);
  for (int i = 0; i < N; i++) {
    Z[i] += b[i];
    step = bri_worse(step, fabs(b[i]) / (i % 2 ? y.v : y.z));
  }
  return step;
}

/* Values at the stages, relative to the start, as coefficients of powers of time. */
static void polynomial(const bri_radau_table *t, const double *Z, int stride, double h, double *c)
{
  double scale = 1;
  for (int k = 0; k < S; k++) {
    double sum = 0;
    for (int j = 0; j < S; j++) sum += t->P[k * S + j] * Z[stride * j];
    scale /= h;
    c[k + 1] = sum * scale;
  }
  for (int k = S + 1; k <= BRI_ORDER; k++) c[k] = 0;
}

/* I and M at the stages: linear equations along the known orbit. */
static int spread(const bri_radau_table *t, const bri_plane *p, const double *D, double h, const stages *s,
                  double M0, bri_series *out)
{
  double A[S * S], B[S * S], I[S], M[S];
  size_t piv[S];
  memcpy(A, D, sizeof A);
  memcpy(B, D, sizeof B);
  for (int i = 0; i < S; i++) {
    I[i] = h * s->div[i];
    B[i * S + i] -= h * s->div[i];
    M[i] = h * (s->div[i] * M0 - s->zr[i] * s->zr[i] / p->m);
  }
  if (bri_lu(S, A, piv)) return 1;
  bri_lu_solve(S, A, piv, I);
  if (bri_lu(S, B, piv)) return 1;
  bri_lu_solve(S, B, piv, M);
  out->I[0] = 0, out->M[0] = M0;
  polynomial(t, I, 1, h, out->I);
  polynomial(t, M, 1, h, out->M);
  return 0;
}

/* Size of the coefficient behind the last one, from how fast they fall; relative to the state.  A last one
 * below `noise` may be rounding, which does not fall. */
static double behind(const double *c, double h, double noise)
{
  const double a = fabs(c[S - 1]), b = fabs(c[S] * h), last = b * fabs(h * h * h * h / c[0]);
  if (last < noise) return 1e-3 * fmin(last, 1e-12);
  return last * (a > 0 ? fmin(b / a, 1) : 1);
}

/* Rounding of the forces, relative to v, that a contraction of the rate div leaves in it. */
static double rounding(const bri_plane *p, bri_point y, double div)
{
  return 4e-16 * (p->F + p->s1 * y.v) / (p->m * fabs(div) * y.v);
}

/* Collocation from y over h; its error in units of what is allowed, infinite where it does not work. */
static double collocate(const bri_plane *p, bri_point y, double M0, double h, bri_series *out)
{
  const bri_radau_table *t = bri_radau_find(S);
  double D[S * S], Z[N], last = INFINITY;
  stages s;
  int done = 0;
  bri_radau_slopes(t, D);
  const bri_point r = bri_flow(p, y);
  const double noise = rounding(p, y, bri_divergence(p, y));
  for (int i = 0; i < S; i++) Z[2 * i] = t->c[i] * h * r.z, Z[2 * i + 1] = t->c[i] * h * r.v;
  for (int round = 0; round < 10 && !done; round++) {
    if (evaluate(p, y, Z, &s)) return INFINITY;
    const double step = improve(p, y, D, h, &s, Z);
    if (!(step < 10)) return INFINITY;
    done = step <= 1e-15 || (step <= fmax(1e-12, 100 * noise) && step >= 0.3 * last);
    last = step;
  }
  if (!done || evaluate(p, y, Z, &s)) return INFINITY;
  for (int i = 0; i < S; i++) {
    if (!(h * s.div[i] < 0)) return INFINITY; /* expands: not here */
  }
  out->z[0] = y.z, out->v[0] = y.v;
  polynomial(t, Z, 2, h, out->z);
  polynomial(t, Z + 1, 2, h, out->v);
  if (spread(t, p, D, h, &s, M0, out)) return INFINITY;
  const double floor = fmax(1e-12, 1e4 * noise);
  return fmax(behind(out->z, h, 1e-12), behind(out->v, h, floor)) / ERROR;
}

double bri_orbit_step(const bri_plane *p, bri_point y, double M0, int dir, bri_pace *pace, bri_series *s)
{
  while (pace->stiff) {
    const double h = dir * pace->h, error = collocate(p, y, M0, h, s);
    const double factor = fmin(fmax(0.8 * bri_pow(fmax(error, 1e-12), -1.0 / 6), 0.2), 3);
    pace->h *= error <= 1 ? factor : fmin(factor, 0.5);
    if (error <= 1) return h;
    if (pace->h < 2 * pace->series) pace->stiff = pace->patience = 0;
  }
  bri_series_of(p, y, M0, s);
  const double h = bri_series_reach(p, s, dir), div = s->I[1];
  pace->patience = dir * div < 0 && fabs(div) * h < REACH ? pace->patience + 1 : 0;
  if (pace->patience > PATIENCE) pace->stiff = 1, pace->series = h, pace->h = 4 * h;
  return dir * h;
}

/* A state (z, v) is rounded to eps of itself; z' = v - sigma0 z v/g, whose terms cancel, to eps v, which
 * moves v' by -sigma1/m of it; and F - sigma0 z - sigma1 z' - sigma2 v to eps of its terms. */
double bri_step_noise(const bri_plane *p, const bri_series *s, double h, int stiff)
{
  const double eps = 2.2e-16, z = s->z[0], v = s->v[0], dz = s->z[1], dv = s->v[1];
  /* a step by collocation is good to a tenth of ERROR across the flow */
  const double state = (stiff ? 0.1 * ERROR : eps) * fabs(dz) * v + eps * fabs(dv) * fabs(z);
  const double push = fabs(p->F - p->s0 * z - p->s2 * v),
               force = p->F + p->s0 * fabs(z) + p->s1 * fabs(dz) + p->s2 * v;
  const double div = fabs(s->I[1]), time = fmin(fabs(h), div > 0 ? 1 / div : INFINITY);
  return state + eps * time * (2 * v * push + fabs(dz) * force) / p->m;
}
