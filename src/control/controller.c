/* SPDX-License-Identifier: Apache-2.0
 * controller.c - the laws: output, state rates, sampled update. */
#include "controller.h"

#include <math.h>
#include <string.h>

static double clamp(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Does the law use a friction model at all? */
static int uses_friction(const br_controller *c)
{
  return c->set.kind == BR_CONTROL_FEEDBACK_LINEARIZATION || c->set.kind == BR_CONTROL_SLIDING_MODE ||
         c->set.kind == BR_CONTROL_OBSERVER;
}

size_t br_control_nstate(const br_controller *c) { return c->nz + 2; }

/* Position of the contact where the mechanism has one. */
static double position(const br_controller *c, const double *q)
{
  double u = 0, v = 0;
  const double w[BR_CONTROL_MAX_Q] = {0}, dw[BR_CONTROL_MAX_Q] = {0};
  c->sys->motion(c->spar, w, dw, q, &u, &v);
  return u;
}

/* What y^(degree) must be for the error to behave; dy: y' where the degree is 2. */
static double wanted(const br_controller *c, const br_control_ref *ref, double e, double dy, double integral)
{
  const br_control_settings *s = &c->set;
  const double de = ref->dr - dy;
  if (s->kind == BR_CONTROL_SLIDING_MODE) {
    const double surface = c->degree == 2 ? de + s->lambda * e : e;
    const double push = s->eta * clamp(surface / s->phi, 1);
    return c->degree == 2 ? ref->ddr + s->lambda * de + push : ref->dr + push;
  }
  if (c->degree == 1) return ref->dr + c->k1 * e + c->ki * integral;
  return ref->ddr + c->k1 * e + c->k2 * de + c->ki * integral;
}

/* Laws that cancel mechanism and friction: u from y^(degree) = f + b u = wanted. */
static double cancelling(const br_controller *c, const br_control_ref *ref, const br_control_meas *m,
                         const double *x)
{
  const size_t n = c->nq;
  const double *q = m->q, v = q[c->iv], *z = c->set.true_bristle && m->z ? m->z : x, pos = position(c, q);
  double dq[BR_CONTROL_MAX_Q];
  bri_friction f;
  bri_friction_at(c, pos, v, z, &f);
  for (size_t i = 0; i < n; i++) dq[i] = c->r0[i] + dot(n, c->A + i * n, q) + c->B[i] * f.F; /* without u */
  const double e = ref->r - q[c->iy];
  if (c->degree == 1) return (wanted(c, ref, e, 0, x[c->nz]) - dq[c->iy]) / c->b;
  double dy = dq[c->iy], free = dot(n, c->A + c->iy * n, dq);
  if (c->through_force) { /* y = v: y' is the acceleration, y'' contains F' */
    if (c->set.kind == BR_CONTROL_SLIDING_MODE && !isnan(m->accel)) dy = m->accel;
    double dF = bri_friction_rate(c, pos, v, dy, m->side, z, &f);
    if (c->set.law == BR_LAW_PUBLISHED) dF += bri_published_excess(c, v, dy, m->side, z);
    free += c->B[c->iy] * dF;
  }
  return (wanted(c, ref, e, dy, x[c->nz]) - free) / c->b;
}

/* PI around an inner loop.  y = v of the pulled block: the inner loop holds the drive part of the
 * acceleration, p = A_y q.  y a position: the inner loop holds the velocity. */
static double cascade(const br_controller *c, const br_control_ref *ref, const br_control_meas *m,
                      const double *x)
{
  const br_control_settings *s = &c->set;
  const size_t n = c->nq;
  const double *q = m->q, *a = c->A + c->iy * n, e = ref->r - q[c->iy];
  if (!c->through_force) { /* x[nz] integrates the velocity error */
    const double slip = ref->dr + s->inner * e - q[c->iv];
    return (s->kp * slip + s->ki * x[c->nz]) / c->b;
  }
  double drift = 0;
  for (size_t i = 0; i < n; i++) drift += a[i] * (c->r0[i] + dot(n, c->A + i * n, q));
  return (s->inner * (s->kp * e + s->ki * x[c->nz] - dot(n, a, q)) - drift) / c->b;
}

double br_control_output(const br_controller *c, const br_control_ref *ref, const br_control_meas *m,
                         const double *x)
{
  const br_control_settings *s = &c->set;
  if (uses_friction(c)) return cancelling(c, ref, m, x);
  if (s->kind == BR_CONTROL_CASCADE_PI) return cascade(c, ref, m, x);
  const double way = c->b > 0 ? 1 : -1, y = m->q[c->iy];
  double u = s->kp * (ref->r - y) + s->ki * x[c->nz];
  if (s->kind == BR_CONTROL_PID) u += s->kd * (ref->dr - (y - x[c->nz + 1]) / s->tf);
  return way * u;
}

/* Rate of the integral: the error, less what the limit took away from u (back-calculation: continuous, no
 * switching). */
static double integral_rate(const br_controller *c, const br_control_ref *ref, const br_control_meas *m,
                            double u)
{
  if (c->unwind == 0) return 0; /* no integral action */
  double e = ref->r - m->q[c->iy];
  if (c->set.kind == BR_CONTROL_CASCADE_PI && !c->through_force) e = ref->dr + c->set.inner * e - m->q[c->iv];
  return e + c->unwind * (clamp(u, c->set.limit) - u);
}

void br_control_rate(const br_controller *c, const br_control_ref *ref, const br_control_meas *m, double u,
                     const double *x, double *dx)
{
  memset(dx, 0, br_control_nstate(c) * sizeof *dx);
  if (uses_friction(c)) {
    bri_friction f;
    bri_friction_at(c, position(c, m->q), m->q[c->iv], x, &f);
    const double push = c->set.kind == BR_CONTROL_OBSERVER ? c->set.injection * (ref->r - m->q[c->iy]) : 0;
    for (size_t i = 0; i < c->nz; i++) dx[i] = f.dz[i] + (i == 0 ? push : 0);
  }
  dx[c->nz] = integral_rate(c, ref, m, u);
  if (c->set.kind == BR_CONTROL_PID) dx[c->nz + 1] = (m->q[c->iy] - x[c->nz + 1]) / c->set.tf;
}

void br_control_reset(br_controller *c)
{
  memset(c->x, 0, sizeof c->x);
  c->v_last = 0;
  c->started = 0;
  c->flags = 0;
}

double br_control_update(br_controller *c, const br_control_ref *ref, const br_control_meas *m, double h)
{
  const double v = m->q[c->iv], y = m->q[c->iy];
  if (c->started && uses_friction(c) && !c->set.true_bristle) {
    /* the bristles since the last call, by the model's own step at the mean velocity */
    const double mean = 0.5 * (c->v_last + v), pos = position(c, m->q);
    c->mod->step(c->mpar, c->load, &pos, &mean, h, c->x);
    if (c->set.kind == BR_CONTROL_OBSERVER) c->x[0] += h * c->set.injection * (ref->r - y);
  }
  c->v_last = v;
  c->started = 1;
  const double u = br_control_output(c, ref, m, c->x);
  c->x[c->nz] += h * integral_rate(c, ref, m, u);
  if (c->set.kind == BR_CONTROL_PID) c->x[c->nz + 1] += (y - c->x[c->nz + 1]) * -expm1(-h / c->set.tf);
  if (isfinite(u)) return clamp(u, c->set.limit);
  c->flags |= BR_CONTROL_NAN;
  for (size_t i = 0; i < br_control_nstate(c); i++)
    if (!isfinite(c->x[i])) c->x[i] = 0;
  return 0;
}
