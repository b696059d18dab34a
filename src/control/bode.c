/* SPDX-License-Identifier: Apache-2.0
 * bode.c - the loop linearised around steady sliding, or around stick, cut at the input of the mechanism: its
 * frequency response, margins, and the poles of the closed loop. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "../../core/elementary_complex.h"
#include "../base/alloc.h"
#include "../solve/eigen.h"
#include "../text/fail.h"
#include "controller.h"

enum { MAX = BR_CONTROL_LINEAR_MAX, GRID = 600 };

typedef struct {
  const br_control_case *job;
  const br_controller *c;
  size_t nq, nz, nx, n;
  br_control_ref ref;
  double load, z_size;
} point;

/* Rates of mechanism, bristles and controller at x under the input u; returns what the controller asks for.
 * */
static double rates(const point *p, const double *x, double u, double *dx)
{
  const br_control_case *j = p->job;
  const double *z = x + p->nq, none = 0;
  double dz[BR_CONTROL_MAX_Z] = {0}, zm[BR_CONTROL_MAX_Z], still[BR_CONTROL_MAX_Q], pos = 0, v = 0, F = 0;
  const double scale = j->z_scale != 0 ? j->z_scale : 1;
  j->sys->motion(j->spar, &none, &none, x, &pos, &v);
  if (j->sys->flags & BR_SYSTEM_FREE) pos = 0;
  j->mod->rate(j->mpar, p->load, &pos, &v, z, dz);
  j->mod->force(j->mpar, p->load, &pos, &v, z, dz, &F);
  j->sys->rate(j->spar, &none, &none, x, &F, still);
  for (size_t i = 0; i < p->nz; i++) zm[i] = scale * z[i];
  const br_control_meas meas = {x, zm, still[p->c->iv], 0};
  const double asked = br_control_output(p->c, &p->ref, &meas, z + p->nz);
  if (!dx) return asked;
  j->sys->rate(j->spar, &u, &none, x, &F, dx);
  memcpy(dx + p->nq, dz, p->nz * sizeof *dz);
  br_control_rate(p->c, &p->ref, &meas, asked, z + p->nz, dx + p->nq + p->nz);
  return asked;
}

/* Where steady sliding takes the bristles; 0: nowhere. */
static int settle(const br_model *m, const double *par, double load, double v, double *z)
{
  double pos = 0, dz[BR_CONTROL_MAX_Z] = {0};
  if (v == 0) return 1;
  if (!m->step) return 0;
  m->step(par, load, &pos, &v, 1e6, z);
  m->rate(par, load, &pos, &v, z, dz);
  for (size_t i = 0; i < m->nstate(par) && i < BR_CONTROL_MAX_Z; i++)
    if (!isfinite(z[i]) || !(fabs(dz[i]) <= 1e-6 * fabs(v) + 1e-9)) return 0;
  return 1;
}

/* a x = b by elimination with pivots; a and b are overwritten.  0: singular. */
static int solve(size_t n, double complex *a, double complex *b)
{
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (bri_cabs(a[i * n + k]) > bri_cabs(a[best * n + k])) best = i;
    if (!(bri_cabs(a[best * n + k]) > 0)) return 0;
    for (size_t j = 0; best != k && j < n; j++) {
      const double complex keep = a[k * n + j];
      a[k * n + j] = a[best * n + j], a[best * n + j] = keep;
    }
    const double complex keep = b[k];
    b[k] = b[best], b[best] = keep;
    for (size_t i = k + 1; i < n; i++) {
      const double complex f = bri_cdiv(a[i * n + k], a[k * n + k]);
      for (size_t j = k; j < n && f != 0; j++) a[i * n + j] -= f * a[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return 1;
}

/* Mechanism states and input that hold the speed: all rates zero but those of positions, which stand at 0. */
static int hold(const point *p, double v, double F, double *q, double *u)
{
  const br_control_case *j = p->job;
  const size_t n = p->nq;
  const double none = 0;
  double base[BR_CONTROL_MAX_Q], d[BR_CONTROL_MAX_Q], col[BR_CONTROL_MAX_Q + 1][BR_CONTROL_MAX_Q];
  size_t unknown[BR_CONTROL_MAX_Q + 1], equation[BR_CONTROL_MAX_Q], m = 0, e = 0;
  memset(q, 0, n * sizeof *q);
  q[p->c->iv] = v;
  j->sys->rate(j->spar, &none, &none, q, &F, base);
  for (size_t k = 0; k <= n; k++) { /* column n: the input */
    double at[BR_CONTROL_MAX_Q], w = k == n ? 1 : 0;
    memcpy(at, q, n * sizeof *at);
    if (k < n) at[k] += 1;
    j->sys->rate(j->spar, &w, &none, at, &F, d);
    for (size_t i = 0; i < n; i++) col[k][i] = d[i] - base[i];
  }
  for (size_t i = 0; i < n; i++) {
    int position = i != p->c->iv && col[p->c->iv][i] != 0 && col[n][i] == 0; /* x' = v */
    for (size_t k = 0; k < n; k++)
      if (k != p->c->iv && col[k][i] != 0) position = 0;
    if (i != p->c->iv && !position) unknown[m++] = i;
    if (!position) equation[e++] = i;
  }
  unknown[m++] = n;
  double complex a[BR_CONTROL_MAX_Q * BR_CONTROL_MAX_Q], b[BR_CONTROL_MAX_Q];
  if (m != e) return 0;
  for (size_t r = 0; r < m; r++) {
    for (size_t k = 0; k < m; k++) a[r * m + k] = col[unknown[k]][equation[r]];
    b[r] = -base[equation[r]];
  }
  if (!solve(m, a, b)) return 0;
  for (size_t k = 0; k + 1 < m; k++) q[unknown[k]] = creal(b[k]);
  *u = creal(b[m - 1]);
  return 1;
}

/* Step of a state for its central difference. */
static double step_of(const point *p, size_t i, double value)
{
  const int bristle = (i >= p->nq && i < p->nq + p->nz) || (i >= p->nq + p->nz && i < p->nq + 2 * p->nz);
  return 1e-6 * fmax(fabs(value), bristle ? p->z_size : 1e-3);
}

static void differences(const point *p, double *x, double u, br_control_linear *out)
{
  const size_t n = p->n;
  double up[MAX], down[MAX];
  for (size_t k = 0; k < n; k++) {
    const double here = x[k], h = step_of(p, k, here);
    x[k] = here + h;
    const double a = rates(p, x, u, up);
    x[k] = here - h;
    const double b = rates(p, x, u, down);
    x[k] = here;
    for (size_t i = 0; i < n; i++) out->A[i * n + k] = (up[i] - down[i]) / (2 * h);
    out->C[k] = (a - b) / (2 * h);
  }
  (void)rates(p, x, u + 0.5, up);
  (void)rates(p, x, u - 0.5, down);
  for (size_t i = 0; i < n; i++) out->B[i] = up[i] - down[i];
}

br_status br_control_linearise(const br_control_case *job, const br_controller *c, double speed,
                               br_control_linear *out, br_err *err)
{
  if (!job || !c || !out || !job->sys || !job->spar || !job->mod || !job->mpar)
    return bri_fail(err, BR_E_ARG, "br_control_linearise: NULL argument");
  const br_model *m = job->mod;
  memset(out, 0, sizeof *out);
  if (speed == 0 && (m->flags & BR_MODEL_TRUE_STICK))
    return bri_fail(err, BR_E_UNSUPPORTED, "model %s does not move in stick: no response there", m->name);
  if (bri_law(c->set.kind, BR_DOES_SLIDES) && c->set.phi == 0)
    return bri_fail(err, BR_E_UNSUPPORTED, "a bare sign (phi = 0) has no linear response");
  point p = {job, c, c->nq, c->nz, br_control_nstate(c), 0, {0, 0, 0}, 1, 1e-6};
  double x[MAX] = {0}, u = 0, F = 0, pos = 0, dz[BR_CONTROL_MAX_Z] = {0};
  p.n = p.nq + p.nz + p.nx;
  p.load = job->sys->load ? job->sys->load(job->spar, 0) : 1;
  double *z = x + p.nq, *held = z + p.nz, slow[BR_CONTROL_MAX_Z] = {0};
  if (settle(m, job->mpar, p.load, 1e-3, slow))
    for (size_t i = 0; i < p.nz; i++) p.z_size = fmax(p.z_size, fabs(slow[i]));
  if (!settle(m, job->mpar, p.load, speed, z) || (p.nz && !settle(c->mod, c->mpar, c->load, speed, held)))
    return bri_fail(err, BR_E_UNSUPPORTED, "model %s: steady sliding at %.9g m/s is not found", m->name,
                    speed);
  m->rate(job->mpar, p.load, &pos, &speed, z, dz);
  m->force(job->mpar, p.load, &pos, &speed, z, dz, &F);
  if (speed == 0) F = 0;
  if (!hold(&p, speed, F, x, &u))
    return bri_fail(err, BR_E_UNSUPPORTED, "system %s: no input holds %.9g m/s", job->sys->name, speed);
  p.ref.r = x[c->iy];
  if (c->iy != c->iv && c->degree == 2) p.ref.dr = speed;
  out->n = p.n;
  out->speed = speed;
  out->sample = job->sample, out->delay = job->delay;
  out->nq = p.nq, out->nz = p.nz, out->ref = p.ref;
  memcpy(out->x, x, p.n * sizeof *x);
  for (size_t i = 0; i < p.n; i++) out->step[i] = step_of(&p, i, x[i]);
  differences(&p, x, u, out);
  for (size_t i = 0; i < p.n * p.n; i++)
    if (!isfinite(out->A[i])) return bri_fail(err, BR_E_NAN, "the loop has no slope at %.9g m/s", speed);
  return BR_OK;
}

static double complex gain(const br_control_linear *l, double w)
{
  double complex a[MAX * MAX], b[MAX], sum = 0;
  const size_t n = l->n;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++) a[i * n + k] = (i == k ? I * w : 0) - l->A[i * n + k];
    b[i] = l->B[i];
  }
  if (!solve(n, a, b)) return NAN;
  for (size_t k = 0; k < n; k++) sum -= l->C[k] * b[k];
  const double h = l->sample;
  return sum * bri_cexp(-I * w * l->delay) * (h > 0 ? bri_cdiv(1 - bri_cexp(-I * w * h), I * w * h) : 1);
}

void br_control_response(const br_control_linear *l, double w, double *re, double *im)
{
  const double complex g = gain(l, w);
  *re = creal(g), *im = cimag(g);
}

/* Poles of the closed loop, and of the open one into re0, im0. */
static int poles(const br_control_linear *l, double *re, double *im, double *re0, double *im0)
{
  double a[MAX * MAX];
  const size_t n = l->n;
  memcpy(a, l->A, n * n * sizeof *a);
  if (bri_eigenvalues(n, a, re0, im0)) return 0;
  for (size_t i = 0; i < n * n; i++) a[i] = l->A[i] + l->B[i / n] * l->C[i % n];
  return bri_eigenvalues(n, a, re, im) == 0;
}

/* A zero of the gain's size - 1 (kind 0) or of its imaginary part (1) between w1 and w2. */
static double crossing(const br_control_linear *l, int kind, double w1, double w2)
{
  const double complex g1 = gain(l, w1);
  const double f1 = kind ? cimag(g1) : bri_cabs(g1) - 1;
  for (int i = 0; i < 60; i++) {
    const double w = sqrt(w1 * w2);
    const double complex g = gain(l, w);
    const double f = kind ? cimag(g) : bri_cabs(g) - 1;
    if ((f > 0) == (f1 > 0)) w1 = w;
    else w2 = w;
  }
  return sqrt(w1 * w2);
}

static void take_crossing(const br_control_linear *l, double w1, double w2, double complex a,
                          double complex b, br_control_margins *out)
{
  if ((bri_cabs(a) > 1) != (bri_cabs(b) > 1)) {
    const double w = crossing(l, 0, w1, w2), phase = bri_carg(gain(l, w)) * 57.295779513082320877;
    const double margin = phase > 0 ? phase - 180 : phase + 180;
    if (!(fabs(margin) >= fabs(out->phase_margin))) {
      out->phase_margin = margin, out->crossover = w;
      out->delay_margin = margin > 0 ? margin / 57.295779513082320877 / w : 0;
    }
  }
  if ((cimag(a) > 0) == (cimag(b) > 0) || !(creal(a) < 0 && creal(b) < 0)) return;
  const double factor = 1 / bri_cabs(gain(l, crossing(l, 1, w1, w2)));
  if (factor > 1 && !(factor >= out->gain_margin)) out->gain_margin = factor;
  if (factor < 1 && !(factor <= out->gain_margin_low)) out->gain_margin_low = factor;
}

br_status br_control_margins_of(const br_control_linear *l, br_control_margins *out, br_err *err)
{
  double re0[MAX], im0[MAX], low = INFINITY, high = 0, most = 0;
  memset(out, 0, sizeof *out);
  out->phase_margin = out->crossover = out->gain_margin = out->gain_margin_low = out->delay_margin = NAN;
  out->npole = l->n;
  if (!poles(l, out->re, out->im, re0, im0))
    return bri_fail(err, BR_E_CONVERGE, "the poles of the linearised loop are not found");
  for (size_t i = 0; i < l->n; i++) most = fmax(most, bri_hypot(out->re[i], out->im[i]));
  out->stable = 1;
  for (size_t i = 0; i < l->n; i++) {
    const double a = bri_hypot(out->re[i], out->im[i]), b = bri_hypot(re0[i], im0[i]);
    if (out->re[i] > 1e-8 * most) out->stable = 0; /* what neither input nor output touches may rest at 0 */
    if (a > 1e-9 * most) low = fmin(low, a), high = fmax(high, a);
    if (b > 1e-9 * most) low = fmin(low, b), high = fmax(high, b);
  }
  if (!(high > 0)) low = high = 1;
  out->from = fmax(0.01 * low, 1e-11 * high), out->to = 10 * high;
  if (l->sample > 0)
    out->to = 3.14159265358979323846 / l->sample, out->from = fmin(out->from, 1e-3 * out->to);
  double w1 = out->from;
  double complex g1 = gain(l, w1);
  for (int k = 1; k <= GRID; k++) {
    const double w2 = out->from * bri_pow(out->to / out->from, (double)k / GRID);
    const double complex g2 = gain(l, w2);
    take_crossing(l, w1, w2, g1, g2, out);
    w1 = w2, g1 = g2;
  }
  return BR_OK;
}
