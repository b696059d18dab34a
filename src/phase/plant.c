/* SPDX-License-Identifier: Apache-2.0
 * plant.c - sliding equilibria and Hopf points of any mechanism with two or three states. */
#include <math.h>
#include <string.h>

#include "../base/root.h"
#include "../solve/linalg.h"
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

/* The same with all terms positive: what rounding of the coefficients is proportional to. */
static void characteristic_size(size_t n, const double *J, double *c)
{
  double A[MOST * MOST];
  for (size_t i = 0; i < n * n; i++) A[i] = fabs(J[i]);
  if (n == 2) {
    c[1] = A[0] + A[3];
    c[0] = A[0] * A[3] + A[1] * A[2];
    return;
  }
  c[2] = A[0] + A[4] + A[8];
  c[1] = A[0] * A[4] + A[1] * A[3] + A[0] * A[8] + A[2] * A[6] + A[4] * A[8] + A[5] * A[7];
  c[0] = A[0] * (A[4] * A[8] + A[5] * A[7]) + A[1] * (A[3] * A[8] + A[5] * A[6]) +
         A[2] * (A[3] * A[7] + A[4] * A[6]);
}

/* > 0 stable, < 0 unstable, zero at a Hopf point (c0 > 0). */
static double hurwitz(size_t n, const double *c) { return n == 2 ? c[1] : c[1] * c[2] - c[0]; }

/* What is told of the equilibrium x. */
static void describe(const bri_field *b, const double *x, br_phase_steady *out)
{
  double J[MOST * MOST], c[MOST];
  memset(out, 0, sizeof *out);
  memcpy(out->x, x, b->n * sizeof *x);
  out->n = b->n;
  out->v = bri_field_velocity(b, x);
  out->z = b->nz ? x[b->nq] : NAN;
  bri_field_jacobian(b, x, J);
  characteristic(b->n, J, c);
  eigenvalues(b->n, c, out->re, out->im);
  double top = -INFINITY, turns = 0, low = INFINITY;
  for (size_t i = 0; i < b->n; i++)
    top = fmax(top, out->re[i]), low = fmin(low, out->re[i]), turns = fmax(turns, out->im[i]);
  out->type = c[0] < 0    ? "saddle"
              : turns > 0 ? (top < 0 ? "stable focus" : "unstable focus")
              : top < 0   ? "stable node"
              : low > 0   ? "unstable node"
                          : "saddle";
}

static br_status none_found(const br_phase_plant *plant, br_err *err)
{
  return bri_fail(err, BR_E_CONVERGE, "phase: %s with %s has no sliding equilibrium that Newton finds",
                  plant->system->name, plant->model->name);
}

br_status br_phase_steady_at(const br_phase_plant *plant, br_vary_where where, int slot, double value,
                             br_phase_steady *out, br_err *err)
{
  bri_field b;
  double x[MOST];
  const br_status st = bri_field_open(plant, &b, err);
  if (st) return st;
  bri_field_set(&b, where, slot, value);
  if (!bri_field_steady(&b, NAN, x)) return none_found(plant, err);
  describe(&b, x, out);
  return BR_OK;
}

br_status br_phase_steady_all(const br_phase_plant *plant, br_vary_where where, int slot, double value,
                              size_t max, br_phase_steady *out, size_t *n, br_err *err)
{
  enum { ROOM = 8 };
  bri_field b;
  double x[ROOM][MOST];
  *n = 0;
  const br_status st = bri_field_open(plant, &b, err);
  if (st) return st;
  bri_field_set(&b, where, slot, value);
  *n = bri_field_steadies(&b, ROOM, x);
  for (size_t i = 0; i < *n && i < max; i++) describe(&b, x[i], &out[i]);
  return BR_OK;
}

/* The test function at the equilibrium x and what rounding makes of it; NaN where a real eigenvalue is at
 * zero or beyond. */
static double hopf_test(const bri_field *b, const double *x, double *omega, double *noise)
{
  double J[MOST * MOST], c[MOST];
  bri_field_jacobian(b, x, J);
  characteristic(b->n, J, c);
  const double w2 = b->n == 2 ? c[0] : c[1];
  if (!(c[0] > 0)) return NAN;
  *omega =
      w2 > 0 ? sqrt(w2) : 0; /* zero: the change of sign would be none of a pair of imaginary eigenvalues */
  const double test = hurwitz(b->n, c);
  const double eps = 2.220446049250313e-16;
  characteristic_size(b->n, J, c);
  *noise = 16 * eps * (b->n == 2 ? c[1] : c[1] * c[2] + c[0]);
  /* entries of J may be differences themselves: what a few last digits of the state do to the test */
  for (size_t i = 0; i < b->n; i++) {
    double y[MOST];
    for (int k = -1; k <= 1; k += 2) {
      memcpy(y, x, b->n * sizeof *y);
      y[i] *= 1 + 16 * k * eps;
      bri_field_jacobian(b, y, J);
      characteristic(b->n, J, c);
      *noise += fabs(hurwitz(b->n, c) - test);
    }
  }
  return test;
}

static void jacobian(void *ctx, const double *x, double *J) { bri_field_jacobian(ctx, x, J); }

/* What is varied. */
typedef struct {
  bri_field f;
  br_vary_where where;
  int slot;
} family;

/* The zero of the test function between the values lo (equilibrium x) and hi: false position, each
 * equilibrium by Newton from the one before.  0: none after all. */
static int hopf_between(family *m, const double *start, double lo, double hi, double flo, double fhi,
                        br_phase_event *out)
{
  bri_field *w = &m->f;
  double x[MOST], step[MOST], mid = lo, omega = 0, f = flo, noise = 0;
  const double slope = fabs((fhi - flo) / (hi - lo));
  bri_bracket b = bri_bracket_of(lo, flo, hi, fhi);
  int axis = 0;
  memcpy(x, start, sizeof x);
  for (int k = 0; k < 200 && b.b - b.a > 1e-15 * (fabs(b.a) + fabs(b.b)); k++) {
    mid = bri_bracket_next(&b);
    bri_field_set(w, m->where, m->slot, mid);
    if (!bri_field_newton(w, x)) return 0;
    f = hopf_test(w, x, &omega, &noise);
    if (isnan(f)) return 0;
    if (f == 0 || fmin(mid - b.a, b.b - mid) < 1e-15 * fabs(mid)) break;
    bri_bracket_take(&b, mid, f);
  }
  if (!(omega > 0)) return 0;
  for (size_t j = 0; j < w->n; j++) step[j] = 0.01 * fabs(x[j]);
  for (size_t j = 0; j < w->nq; j++) /* on a belt the block stands still: what counts is the belt's speed */
    if (w->vq[j] != 0 && w->v0 != 0) step[j] = 0.01 * fabs(bri_field_velocity(w, x) / w->vq[j]);
  for (size_t j = 0; j < w->nq; j++) axis = w->vq[j] != 0 ? (int)j : axis;
  *out = bri_event_new(BR_PHASE_HOPF, mid);
  out->v = bri_field_velocity(w, x);
  out->omega = omega;
  out->error = noise / slope + 4e-15 * fabs(mid);
  out->lyapunov = bri_lyapunov((int)w->n, jacobian, w, x, omega, axis, step);
  return 1;
}

/* Two equilibria near x meet near `value`: Newton for rates = 0, det J = 0 in states and number.  0: none. */
static int fold_near(family *m, const double *start, double value, double range, br_phase_event *out)
{
  enum { N = MOST + 1 };
  bri_field *w = &m->f;
  const size_t n = w->n, k = n + 1;
  double x[MOST], J[MOST * MOST], c[MOST];
  memcpy(x, start, n * sizeof *x);
  for (int round = 0; round < 40; round++) {
    double M[N * N], r[N], up[MOST], det, det0;
    size_t piv[N];
    const double d = 1e-6 * range;
    bri_field_set(w, m->where, m->slot, value + d);
    bri_field_rates(w, x, up);
    bri_field_jacobian(w, x, J);
    characteristic(n, J, c);
    det = c[0];
    bri_field_set(w, m->where, m->slot, value);
    bri_field_rates(w, x, r);
    bri_field_jacobian(w, x, J);
    characteristic(n, J, c);
    det0 = c[0];
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) M[i * k + j] = J[i * n + j];
      M[i * k + n] = (up[i] - r[i]) / d;
    }
    M[n * k + n] = (det - det0) / d;
    for (size_t j = 0; j < n; j++) {
      const double keep = x[j], h = 1e-6 * (keep != 0 ? fabs(keep) : 1);
      x[j] = keep + h;
      bri_field_jacobian(w, x, J);
      characteristic(n, J, c);
      M[n * k + j] = (c[0] - det0) / h;
      x[j] = keep;
    }
    r[n] = det0;
    if (bri_lu(k, M, piv)) return 0;
    bri_lu_solve(k, M, piv, r);
    double step = fabs(r[n]) / range, size = 0, move = 0;
    for (size_t i = 0; i < n; i++) x[i] -= r[i], size += fabs(x[i]), move += fabs(r[i]);
    value -= r[n];
    if (!isfinite(size) || !(step < 1)) return 0;
    if (step <= 1e-13 && move <= 1e-9 * size) {
      *out = bri_event_new(BR_PHASE_FOLD, value);
      out->v = bri_field_velocity(w, x);
      out->error = 1e-12 * range + 4e-15 * fabs(value);
      return out->v != 0;
    }
  }
  return 0;
}

enum { ROOM = 8, SAMPLES = 400 };
typedef struct {
  double at, x[ROOM][MOST];
  size_t n;
} sample;

/* Two neighbouring equilibria of the richer sample are where a fold is looked for. */
static int fold_between(family *m, const sample *a, const sample *b, double range, br_phase_event *out)
{
  const sample *many = a->n > b->n ? a : b;
  for (size_t i = 0; i + 1 < many->n; i++) {
    double x[MOST] = {0};
    for (size_t j = 0; j < m->f.n; j++) x[j] = 0.5 * (many->x[i][j] + many->x[i + 1][j]);
    if (fold_near(m, x, many->at, range, out) && out->value >= fmin(a->at, b->at) - 1e-9 * range &&
        out->value <= fmax(a->at, b->at) + 1e-9 * range)
      return 1;
  }
  return 0;
}

/* The test function at `at`, by Newton from the equilibrium x; NaN too where rounding decides its sign, which
 * is then counted in *doubtful. */
static double known_test(family *m, double *x, double at, int *doubtful)
{
  double omega, noise = 0;
  bri_field_set(&m->f, m->where, m->slot, at);
  if (!bri_field_newton(&m->f, x)) return NAN;
  const double test = hopf_test(&m->f, x, &omega, &noise);
  if (isnan(test) || fabs(test) > noise) return test;
  ++*doubtful;
  return NAN;
}

/* A Hopf point of the equilibrium x between the values lo and hi.  A sign that rounding decides is none; one
 * that is not known for a value close to the point itself is looked at a little further on. */
static int hopf_from(family *m, const double *x, double lo, double hi, int *doubtful, br_phase_event *out)
{
  double y[MOST];
  memcpy(y, x, sizeof y);
  const double before = known_test(m, y, lo, doubtful);
  double now = known_test(m, y, hi, doubtful);
  if (isnan(before)) return 0;
  if (isnan(now)) {
    hi += 0.01 * (hi - lo);
    memcpy(y, x, sizeof y);
    now = known_test(m, y, hi, doubtful);
  }
  if (isnan(now) || (now > 0) == (before > 0)) return 0;
  return hopf_between(m, x, lo, hi, before, now, out);
}

/* The stretch from..to counts as open unless a point that is listed lies in it. */
static void widen(br_phase_doubt *d, double from, double to, const br_phase_event *e, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (fabs(e[i].value - 0.5 * (from + to)) <= 0.52 * (to - from)) return;
  d->from = d->n ? d->from : from;
  d->to = to;
  d->n++;
}

/* Is the event there already?  Two equilibria that Newton's method takes for different ones may be the same.
 * */
static int listed(const br_phase_event *e, size_t n, const br_phase_event *new, double range)
{
  for (size_t i = 0; i < n; i++)
    if (fabs(e[i].value - new->value) <= 1e-9 * range && fabs(e[i].v / new->v - 1) <= 1e-6) return 1;
  return 0;
}

static br_status points(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                        int folds, size_t max, br_phase_event *out, size_t *n, br_phase_doubt *doubt,
                        br_err *err)
{
  family m;
  sample s[2];
  *n = 0;
  const br_status st = bri_field_open(plant, &m.f, err);
  if (st) return st;
  if (slot < 0 || !(a < b)) return bri_fail(err, BR_E_ARG, "phase: %.9g:%.9g is no range", a, b);
  m.where = where, m.slot = slot;
  s[0].n = 0;
  for (int i = 0; i <= SAMPLES; i++) {
    sample *was = &s[(i + 1) % 2], *is = &s[i % 2];
    br_phase_event e;
    if (bri_stopped(&plant->stop)) return bri_stop_status(&plant->stop, "phase", err);
    is->at = a + (b - a) * i / SAMPLES;
    bri_field_set(&m.f, where, slot, is->at);
    is->n = bri_field_steadies(&m.f, ROOM, is->x);
    if (i == 0) continue;
    if (folds) {
      if (was->n != is->n && fold_between(&m, was, is, b - a, &e)) {
        if (*n < max) out[*n] = e;
        ++*n;
      }
      continue;
    }
    for (size_t k = 0; k < was->n; k++) {
      int doubtful = 0;
      const int found = hopf_from(&m, was->x[k], was->at, is->at, &doubtful, &e);
      if (!found && doubtful) widen(doubt, was->at, is->at, out, *n < max ? *n : max);
      if (!found || listed(out, *n < max ? *n : max, &e, b - a)) continue;
      if (*n < max) out[*n] = e;
      ++*n;
    }
  }
  return BR_OK;
}

br_status br_phase_hopf_points_searched(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                        double b, size_t max, br_phase_event *out, size_t *n,
                                        br_phase_doubt *doubt, br_err *err)
{
  br_phase_doubt unseen;
  br_phase_doubt *d = doubt ? doubt : &unseen;
  *d = (br_phase_doubt){0, NAN, NAN};
  return points(plant, where, slot, a, b, 0, max, out, n, d, err);
}

br_status br_phase_hopf_points(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                               size_t max, br_phase_event *out, size_t *n, br_err *err)
{
  return br_phase_hopf_points_searched(plant, where, slot, a, b, max, out, n, NULL, err);
}

br_status br_phase_fold_points(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                               size_t max, br_phase_event *out, size_t *n, br_err *err)
{
  return points(plant, where, slot, a, b, 1, max, out, n, NULL, err);
}
