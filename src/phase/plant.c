/* SPDX-License-Identifier: Apache-2.0
 * plant.c - sliding equilibria and Hopf points of any mechanism with two or three states.
 * Nothing is known of the equations but the faces of mechanism and model; derivatives are complex steps of
 * the model and differences of the mechanism, which is affine (BR_SYSTEM_LINEAR). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/phase.h"
#include "lyapunov.h"
#include "phase_internal.h"

enum { MOST = BR_PHASE_MOST_STATES, SLOTS = 2048, INPUTS = 8 };

/* The plant at one value of the varied number, with everything a Jacobian needs. */
typedef struct {
  br_phase_plant p;
  size_t nq, nz, n;
  double spar[SLOTS], mpar[SLOTS], pair[2 * SLOTS], w[INPUTS];
  /* affine mechanism: v = v0 + vq q, dq = r0 + rq q + rf F */
  double v0, vq[MOST], r0[MOST], rq[MOST][MOST], rf[MOST];
} bench;

static void mechanism(bench *b)
{
  const br_system *s = b->p.system;
  const double dw[INPUTS] = {0}, zero = 0, one = 1;
  double q[MOST] = {0}, u[2], v[2], r[MOST];
  s->motion(b->spar, b->w, dw, q, u, v);
  b->v0 = v[0];
  s->rate(b->spar, b->w, dw, q, &zero, b->r0);
  s->rate(b->spar, b->w, dw, q, &one, r);
  for (size_t i = 0; i < b->nq; i++) b->rf[i] = r[i] - b->r0[i];
  for (size_t j = 0; j < b->nq; j++) {
    q[j] = 1;
    s->motion(b->spar, b->w, dw, q, u, v);
    b->vq[j] = v[0] - b->v0;
    s->rate(b->spar, b->w, dw, q, &zero, r);
    for (size_t i = 0; i < b->nq; i++) b->rq[i][j] = r[i] - b->r0[i];
    q[j] = 0;
  }
}

static br_status open_bench(const br_phase_plant *p, bench *b, br_err *err)
{
  if (!p || !p->system || !p->model || !p->spar || !p->mpar || !p->held) {
    return bri_text_fail(err, BR_E_ARG, -1, "phase: part of the plant is NULL");
  }
  const br_system *s = p->system;
  const br_model *m = p->model;
  const size_t nq = s->nstate(p->spar), nz = m->nstate(p->mpar);
  if (!(s->flags & BR_SYSTEM_LINEAR) || s->axes != 1 || m->axes != 1 || s->ncontact(p->spar) != 1 ||
      s->ninput > INPUTS || s->slots > SLOTS || m->slots > SLOTS || !m->rate_pair || !m->force_pair ||
      m->nmode(p->mpar) || nz < 1 || nq < 1 || nq + nz > MOST) {
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1,
                         "phase: %s with %s is not covered: one contact, two or three smooth "
                         "states",
                         s->name, m->name);
  }
  b->p = *p;
  b->nq = nq, b->nz = nz, b->n = nq + nz;
  memcpy(b->spar, p->spar, s->slots * sizeof(double));
  memcpy(b->mpar, p->mpar, m->slots * sizeof(double));
  memcpy(b->w, p->held, s->ninput * sizeof(double));
  return BR_OK;
}

static void set_value(bench *b, br_vary_where where, int slot, double x)
{
  const br_model *m = b->p.model;
  if (slot >= 0)
    *(where == BR_VARY_MODEL ? &b->mpar[slot] : where == BR_VARY_SYSTEM ? &b->spar[slot] : &b->w[slot]) = x;
  m->prepare(b->mpar);
  b->p.system->prepare(b->spar);
  for (size_t i = 0; i < m->slots; i++) b->pair[2 * i] = b->mpar[i], b->pair[2 * i + 1] = 0;
  m->prepare_pair(b->pair);
  mechanism(b);
}

static double contact_velocity(const bench *b, const double *x)
{
  double v = b->v0;
  for (size_t j = 0; j < b->nq; j++) v += b->vq[j] * x[j];
  return v;
}

static void rates(const bench *b, const double *x, double *dx)
{
  const br_model *m = b->p.model;
  double u = 0, v = contact_velocity(b, x), F;
  m->rate(b->mpar, 1, &u, &v, x + b->nq, dx + b->nq);
  m->force(b->mpar, 1, &u, &v, x + b->nq, dx + b->nq, &F);
  for (size_t i = 0; i < b->nq; i++) {
    dx[i] = b->r0[i] + b->rf[i] * F;
    for (size_t j = 0; j < b->nq; j++) dx[i] += b->rq[i][j] * x[j];
  }
}

static void jacobian(void *ctx, const double *x, double *J)
{
  const bench *b = ctx;
  const br_model *m = b->p.model;
  const double h = 1e-30, n[2] = {1, 0}, u[2] = {0, 0}, v0 = contact_velocity(b, x);
  for (size_t j = 0; j < b->n; j++) {
    double v[2] = {v0, j < b->nq ? h * b->vq[j] : 0}, z[2 * MOST], dz[2 * MOST], F[2];
    for (size_t k = 0; k < b->nz; k++) z[2 * k] = x[b->nq + k], z[2 * k + 1] = j == b->nq + k ? h : 0;
    m->rate_pair(b->pair, n, u, v, z, dz);
    m->force_pair(b->pair, n, u, v, z, dz, F);
    for (size_t i = 0; i < b->nq; i++) J[i * b->n + j] = (j < b->nq ? b->rq[i][j] : 0) + b->rf[i] * F[1] / h;
    for (size_t k = 0; k < b->nz; k++) J[(b->nq + k) * b->n + j] = dz[2 * k + 1] / h;
  }
}

static int solve(size_t n, double *A, double *b)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t r = c + 1; r < n; r++) best = fabs(A[r * n + c]) > fabs(A[best * n + c]) ? r : best;
    if (A[best * n + c] == 0) return 0;
    for (size_t j = 0; j < n; j++) {
      const double t = A[c * n + j];
      A[c * n + j] = A[best * n + j], A[best * n + j] = t;
    }
    const double t = b[c];
    b[c] = b[best], b[best] = t;
    for (size_t r = c + 1; r < n; r++) {
      const double f = A[r * n + c] / A[c * n + c];
      for (size_t j = c; j < n; j++) A[r * n + j] -= f * A[c * n + j];
      b[r] -= f * b[c];
    }
  }
  for (size_t r = n; r-- > 0;) {
    for (size_t j = r + 1; j < n; j++) b[r] -= A[r * n + j] * b[j];
    b[r] /= A[r * n + r];
  }
  return 1;
}

/* Newton from states that move with the largest input, at which a pulled block slides. */
static int find_steady(const bench *b, double *x)
{
  double speed = 0;
  for (size_t i = 0; i < b->p.system->ninput; i++) speed = fabs(b->w[i]) > fabs(speed) ? b->w[i] : speed;
  for (size_t i = 0; i < b->n; i++) x[i] = i < b->nq && b->vq[i] != 0 ? speed : 0;
  for (int round = 0; round < 60; round++) {
    double f[MOST], J[MOST * MOST], size = 0, step = 0;
    rates(b, x, f);
    jacobian((void *)(size_t)b, x, J);
    if (!solve(b->n, J, f)) return 0;
    for (size_t i = 0; i < b->n; i++) {
      x[i] -= f[i];
      size += fabs(x[i]);
      step += fabs(f[i]);
      if (!isfinite(x[i])) return 0;
    }
    if (step <= 1e-13 * size) return contact_velocity(b, x) != 0;
  }
  return 0;
}

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
  bench b;
  double J[MOST * MOST], c[MOST];
  const br_status st = open_bench(plant, &b, err);
  if (st) return st;
  memset(out, 0, sizeof *out);
  set_value(&b, where, slot, value);
  if (!find_steady(&b, out->x)) {
    return bri_text_fail(err, BR_E_CONVERGE, -1,
                         "phase: %s with %s has no sliding equilibrium that Newton finds",
                         plant->system->name, plant->model->name);
  }
  out->n = b.n;
  out->v = contact_velocity(&b, out->x);
  out->z = out->x[b.nq];
  jacobian(&b, out->x, J);
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
static double test_at(bench *b, br_vary_where where, int slot, double value, double *x, double *omega)
{
  double J[MOST * MOST], c[MOST];
  set_value(b, where, slot, value);
  if (!find_steady(b, x)) return NAN;
  jacobian(b, x, J);
  characteristic(b->n, J, c);
  const double w2 = b->n == 2 ? c[0] : c[1];
  if (!(c[0] > 0)) return NAN;
  *omega =
      w2 > 0 ? sqrt(w2) : 0; /* zero: the change of sign would be none of a pair of imaginary eigenvalues */
  return hurwitz(b->n, c);
}

br_status br_phase_hopf_points(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                               size_t max, br_phase_event *out, size_t *n, br_err *err)
{
  enum { SAMPLES = 400 };
  bench w;
  double x[MOST], omega = 0, before = NAN, at = a;
  *n = 0;
  const br_status st = open_bench(plant, &w, err);
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
        e.v = contact_velocity(&w, x);
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
