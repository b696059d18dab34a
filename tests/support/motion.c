/* SPDX-License-Identifier: Apache-2.0 */
#include "support/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void motion_init(motion *q, const char *model)
{
  memset(q, 0, sizeof *q);
  q->m = br_model_find(model);
  q->load = 1;
  assert_non_null(q->m);
  assert_true(q->m->slots <= MOTION_SLOTS && q->m->nz <= MOTION_STATES);
  q->m->defaults(q->par);
  motion_ready(q);
}

void motion_set(motion *q, const char *parameter, double value)
{
  const br_param *p = br_model_param(q->m, parameter);
  assert_non_null(p);
  assert_int_equal(p->max_len, 1);
  q->par[p->slot] = value;
}

void motion_set_vector(motion *q, const char *parameter, size_t n, const double *x)
{
  const br_param *p = br_model_param(q->m, parameter);
  assert_non_null(p);
  assert_true(p->max_len > 1 && n <= p->max_len);
  memcpy(q->par + p->slot, x, n * sizeof *x);
  q->par[p->len_slot] = (double)n;
}

double motion_get(const motion *q, const char *parameter)
{
  const br_param *p = br_model_param(q->m, parameter);
  assert_non_null(p);
  return q->par[p->slot];
}

void motion_ready(motion *q)
{
  br_err err = {BR_OK, 0, ""};
  if (q->m->check(q->par, &err) != BR_OK) fail_msg("%s", err.msg);
  q->m->prepare(q->par);
  memset(q->u, 0, sizeof q->u);
  memset(q->z, 0, sizeof q->z);
  q->work = q->size = 0;
}

size_t motion_count(const motion *q) { return q->m->nstate(q->par) + q->m->nmode(q->par); }

void motion_force(const motion *q, const double *v, double *F)
{
  double dz[MOTION_STATES] = {0};
  q->m->rate(q->par, q->load, q->u, v, q->z, dz);
  q->m->force(q->par, q->load, q->u, v, q->z, dz, F);
}

static double power(const motion *q, const double *v)
{
  double F[2] = {0, 0};
  motion_force(q, v, F);
  return F[0] * v[0] + (q->m->axes > 1 ? F[1] * v[1] : 0);
}

static void advance(motion *q, const double *v, double h)
{
  q->m->step(q->par, q->load, q->u, v, h, q->z);
  for (int a = 0; a < 2; a++) q->u[a] += v[a] * h;
}

void motion_hold(motion *q, double v, double time)
{
  const double vv[2] = {v, 0};
  advance(q, vv, time);
}

/* Largest difference of the states of a and b; *size receives their largest magnitude. */
static double differ(const motion *a, const motion *b, double *size)
{
  double worst = 0;
  for (size_t i = 0; i < motion_count(a); i++) {
    worst = fmax(worst, fabs(a->z[i] - b->z[i]));
    *size = fmax(*size, fabs(b->z[i]));
  }
  return worst;
}

/* Does a state change sign on the way?  Many rates have a kink at z = 0 that a rule may not see in time. */
static int crosses(const motion *a, const motion *b)
{
  for (size_t i = 0; i < motion_count(a); i++)
    if (a->z[i] * b->z[i] < 0) return 1;
  return 0;
}

void motion_move(motion *q, double vx, double vy, double time)
{
  const double v[2] = {vx, vy}, longest = time * (q->max_part > 0 ? q->max_part : 1.0 / 400);
  const double shortest = time * 1e-10, tol = q->tol > 0 ? q->tol : 1e-14;
  double done = 0, h = longest;
  while (done < time * (1 - 1e-15)) {
    motion one = *q, two = *q;
    h = fmin(h, time - done);
    advance(&one, v, h);
    advance(&two, v, h / 2);
    const double middle = power(&two, v);
    advance(&two, v, h / 2);
    const double error = differ(&one, &two, &two.size);
    if ((error > tol * two.size && h > shortest) || (crosses(q, &two) && h > time * 1e-7)) {
      h *= 0.5;
      continue;
    }
    two.work += h / 6 * (power(q, v) + 4 * middle + power(&two, v));
    *q = two;
    done += h;
    h = fmin(error < tol * two.size / 40 ? 2 * h : h, longest);
  }
}

void motion_to(motion *q, double u, double speed)
{
  const double way = u - q->u[0];
  if (way == 0) return;
  motion_move(q, way > 0 ? speed : -speed, 0, fabs(way) / speed);
  q->u[0] = u; /* rid of the rounding of the sum of small pieces */
}

/* One RK4 step of states and work along the path. */
static void rate_step(motion *q, motion_path *path, const void *ctx, double t, double h)
{
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  const size_t n = motion_count(q);
  double k[MOTION_STATES] = {0}, sum[MOTION_STATES] = {0}, v[2], p = 0;
  motion s = *q;
  for (int i = 0; i < 4; i++) {
    path(ctx, t + node[i] * h, s.u, v);
    for (size_t j = 0; j < n; j++) s.z[j] = q->z[j] + node[i] * h * k[j];
    s.m->rate(s.par, s.load, s.u, v, s.z, k);
    p += weight[i] * power(&s, v);
    for (size_t j = 0; j < n; j++) sum[j] += weight[i] * k[j];
  }
  for (size_t j = 0; j < n; j++) q->z[j] += h / 6 * sum[j];
  q->work += h / 6 * p;
  path(ctx, t + h, q->u, v);
}

void motion_drive(motion *q, motion_path *path, const void *ctx, double t0, double t1)
{
  const double longest = (t1 - t0) / 50, shortest = (t1 - t0) * 1e-10, tol = q->tol > 0 ? q->tol : 1e-13;
  double t = t0, h = longest;
  while (t < t1) {
    motion one = *q, two = *q;
    const int last = h >= t1 - t;
    if (last) h = t1 - t;
    rate_step(&one, path, ctx, t, h);
    rate_step(&two, path, ctx, t, h / 2);
    rate_step(&two, path, ctx, t + h / 2, h / 2);
    const double error = differ(&one, &two, &two.size);
    if (error > tol * two.size && h > shortest) {
      h *= 0.5;
      continue;
    }
    for (size_t j = 0; j < motion_count(q); j++) two.z[j] += (two.z[j] - one.z[j]) / 15; /* fifth order */
    two.work += (two.work - one.work) / 15;
    *q = two;
    t = last ? t1 : t + h;
    h = fmin(error < tol * two.size / 40 ? 2 * h : h, longest);
  }
}
