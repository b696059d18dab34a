/* SPDX-License-Identifier: Apache-2.0
 * field.c - rates and Jacobian of a mechanism with one contact; see field.h. */
#include "../../core/elementary.h"
#include "field.h"

#include <math.h>
#include <string.h>

#include "../param/valid.h"
#include "../solve/linalg.h"
#include "../text/fail.h"

enum { MOST = BRI_FIELD_MOST, SLOTS = BRI_FIELD_SLOTS, INPUTS = BRI_FIELD_INPUTS };

static void mechanism(bri_field *b)
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

br_status bri_field_open(const br_phase_plant *p, bri_field *b, br_err *err)
{
  if (!p || !p->system || !p->model || !p->spar || !p->mpar || !p->held)
    return bri_fail(err, BR_E_ARG, "phase: part of the plant is NULL");
  const br_system *s = p->system;
  const br_model *m = p->model;
  br_status st = bri_system_ready(s, p->spar, "phase", err);
  if (!st) st = bri_model_ready(m, p->mpar, "phase", err);
  if (!st) st = bri_model_has_step(m, "phase", err);
  if (st) return st;
  const size_t nq = s->nstate(p->spar), nz = m->nstate(p->mpar), nk = s->ncontact(p->spar);
  if (!(s->flags & BR_SYSTEM_LINEAR) || s->axes != 1 || m->axes != 1 || nk != 1 || s->ninput > INPUTS ||
      s->slots > SLOTS || m->slots > SLOTS || !m->rate_pair || !m->force_pair || m->nmode(p->mpar) ||
      (m->flags & BR_MODEL_JUMPS) || nq < 1 || (nz < 1 && (nq != 2 || !(m->flags & BR_MODEL_TRUE_STICK))) ||
      nq + nz > MOST)
    return bri_fail(
        err, BR_E_UNSUPPORTED,
        "phase: %s with %s is not covered (%zu contact%s, %zu states): one contact, two or three smooth "
        "states, or two and a law that holds at rest; 'simulate --cycle' takes several contacts",
        s->name, m->name, nk, nk == 1 ? "" : "s", nq + nk * nz);
  b->p = *p;
  b->side = 0;
  b->nq = nq, b->nz = nz, b->n = nq + nz;
  memcpy(b->spar, p->spar, s->slots * sizeof(double));
  memcpy(b->mpar, p->mpar, m->slots * sizeof(double));
  memcpy(b->w, p->held, s->ninput * sizeof(double));
  return BR_OK;
}

void bri_field_set(bri_field *b, br_vary_where where, int slot, double x)
{
  const br_model *m = b->p.model;
  if (slot >= 0)
    *(where == BR_VARY_MODEL ? &b->mpar[slot] : where == BR_VARY_SYSTEM ? &b->spar[slot] : &b->w[slot]) = x;
  if (m->prepare) m->prepare(b->mpar);
  if (b->p.system->prepare) b->p.system->prepare(b->spar);
  for (size_t i = 0; i < m->slots; i++) b->pair[2 * i] = b->mpar[i], b->pair[2 * i + 1] = 0;
  m->prepare_pair(b->pair);
  mechanism(b);
  if (m->flags & BR_MODEL_TRUE_STICK) b->side = bri_field_drive(b) < 0 ? -1 : 1;
}

/* Force of a law from its side, and its slope by the velocity. */
static double sided(const bri_field *b, double v, double *slope)
{
  const double rest = b->side * 1e-160, at = v * b->side > 0 ? v : rest, h = 1e-30;
  const double n[2] = {1, 0}, u[2] = {0, 0}, vv[2] = {at, h};
  double F[2], none[2] = {0};
  b->p.model->force_pair(b->pair, n, u, vv, none, none, F);
  *slope = F[1] / h;
  return F[0] + (v - at) * *slope;
}

double bri_field_velocity(const bri_field *b, const double *x)
{
  double v = b->v0;
  for (size_t j = 0; j < b->nq; j++) v += b->vq[j] * x[j];
  return v;
}

void bri_field_rates(const bri_field *b, const double *x, double *dx)
{
  const br_model *m = b->p.model;
  double u = 0, v = bri_field_velocity(b, x), F, slope;
  if (b->side != 0) F = sided(b, v, &slope);
  else {
    m->rate(b->mpar, 1, &u, &v, x + b->nq, dx + b->nq);
    m->force(b->mpar, 1, &u, &v, x + b->nq, dx + b->nq, &F);
  }
  for (size_t i = 0; i < b->nq; i++) {
    dx[i] = b->r0[i] + b->rf[i] * F;
    for (size_t j = 0; j < b->nq; j++) dx[i] += b->rq[i][j] * x[j];
  }
}

void bri_field_jacobian(const bri_field *b, const double *x, double *J)
{
  const br_model *m = b->p.model;
  const double h = 1e-30, n[2] = {1, 0}, u[2] = {0, 0}, v0 = bri_field_velocity(b, x);
  if (b->side != 0) {
    double slope;
    (void)sided(b, v0, &slope);
    for (size_t i = 0; i < b->n; i++)
      for (size_t j = 0; j < b->n; j++) J[i * b->n + j] = b->rq[i][j] + b->rf[i] * slope * b->vq[j];
    return;
  }
  for (size_t j = 0; j < b->n; j++) {
    double v[2] = {v0, j < b->nq ? h * b->vq[j] : 0}, z[2 * MOST], dz[2 * MOST], F[2];
    for (size_t k = 0; k < b->nz; k++) z[2 * k] = x[b->nq + k], z[2 * k + 1] = j == b->nq + k ? h : 0;
    m->rate_pair(b->pair, n, u, v, z, dz);
    m->force_pair(b->pair, n, u, v, z, dz, F);
    for (size_t i = 0; i < b->nq; i++) J[i * b->n + j] = (j < b->nq ? b->rq[i][j] : 0) + b->rf[i] * F[1] / h;
    for (size_t k = 0; k < b->nz; k++) J[(b->nq + k) * b->n + j] = dz[2 * k + 1] / h;
  }
}

double bri_field_drive(const bri_field *b)
{
  double most = 0;
  if (b->v0 != 0) return b->v0;
  for (size_t i = 0; i < b->p.system->ninput; i++) most = fabs(b->w[i]) > fabs(most) ? b->w[i] : most;
  return most;
}

int bri_field_newton(const bri_field *b, double *x)
{
  for (int round = 0; round < 60; round++) {
    double f[MOST], J[MOST * MOST] = {0}, size = 0, step = 0;
    size_t piv[MOST];
    bri_field_rates(b, x, f);
    bri_field_jacobian(b, x, J);
    if (bri_lu(b->n, J, piv)) return 0;
    bri_lu_solve(b->n, J, piv, f);
    for (size_t i = 0; i < b->n; i++) {
      x[i] -= f[i];
      size += fabs(x[i]);
      step += fabs(f[i]);
      if (!isfinite(x[i])) return 0;
    }
    const double v = bri_field_velocity(b, x);
    if (step <= 1e-13 * size) return fabs(v) > 1e-9 * fabs(bri_field_drive(b)) && v * b->side >= 0;
  }
  return 0;
}

/* The model's states at their rest under a held velocity: the model's own steps over a growing path, then
 * Newton in them alone.  0: none. */
static int settle_model(const bri_field *b, double *x)
{
  enum { STEPS = 80 };
  const double v = bri_field_velocity(b, x), u = 0;
  double z[MOST] = {0};
  if (v == 0) return 0;
  double path = 1e-9; /* m; 80 steps lead to some 1e5 m */
  for (int i = 0; i < STEPS; i++, path *= 1.5) b->p.model->step(b->mpar, 1, &u, &v, path / fabs(v), z);
  int finite = 1;
  for (size_t i = 0; i < b->nz; i++) finite = finite && isfinite(z[i]);
  if (finite) memcpy(x + b->nq, z, b->nz * sizeof *z); /* else the steps were too long for this model */
  for (int round = 0; round < 60; round++) {
    double f[MOST], J[MOST * MOST], K[MOST * MOST] = {0}, step = 0, size = 0;
    size_t piv[MOST];
    bri_field_rates(b, x, f);
    bri_field_jacobian(b, x, J);
    for (size_t i = 0; i < b->nz; i++)
      for (size_t j = 0; j < b->nz; j++) K[i * b->nz + j] = J[(b->nq + i) * b->n + b->nq + j];
    if (bri_lu(b->nz, K, piv)) return 0;
    bri_lu_solve(b->nz, K, piv, f + b->nq);
    for (size_t i = b->nq; i < b->n; i++) x[i] -= f[i], step += fabs(f[i]), size += fabs(x[i]);
    if (!isfinite(size)) return 0;
    if (step <= 1e-12 * size) return 1;
  }
  return 0;
}

int bri_field_steady(const bri_field *b, double speed, double *x)
{
  if (isnan(speed)) speed = bri_field_drive(b);
  for (size_t i = 0; i < b->n; i++)
    x[i] = i >= b->nq || b->vq[i] == 0 ? 0 : b->v0 != 0 ? (speed - b->v0) / b->vq[i] : speed;
  double y[MOST];
  memcpy(y, x, b->n * sizeof *y);
  if (settle_model(b, y) && bri_field_newton(b, y)) {
    memcpy(x, y, b->n * sizeof *y);
    return 1;
  }
  return bri_field_newton(b, x);
}

size_t bri_field_steadies(const bri_field *b, size_t most, double (*x)[MOST])
{
  enum { STARTS = 28 };
  const double input = bri_field_drive(b);
  size_t n = 0;
  for (int s = 0; s < STARTS && input != 0; s++) { /* seven speeds a decade, from a thousandth to ten times */
    double y[MOST] = {0};
    if (!bri_field_steady(b, input * bri_pow(10, 1 - s / 7.0), y)) continue;
    const double v = bri_field_velocity(b, y);
    size_t i = 0;
    int known = !(v * input > 0);
    for (; i < n; i++) known = known || fabs(bri_field_velocity(b, x[i]) - v) <= 1e-7 * fabs(v);
    if (known || n == most) continue;
    for (i = n++; i > 0 && fabs(bri_field_velocity(b, x[i - 1])) > fabs(v); i--)
      memcpy(x[i], x[i - 1], sizeof y);
    memcpy(x[i], y, sizeof y);
  }
  return n;
}
