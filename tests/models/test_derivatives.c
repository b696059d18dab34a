/* SPDX-License-Identifier: Apache-2.0
 * test_derivatives.c - every model's complex-step instance against its real one and against central
 * differences, for each state, velocity, position, load and parameter; and the observed order of the
 * integrated steps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/sample.h"

#define PAIRS(n) (2 * (n))
#define TINY 1e-150

/* Everything a kernel function reads, as one list of numbers: load, u, v, h, z, parameters. */
enum {
  AT_LOAD = 0,
  AT_U = 1,
  AT_V = 3,
  AT_H = 5,
  AT_Z = 6,
  AT_PAR = AT_Z + MOTION_STATES,
  AT_END = AT_PAR + MOTION_SLOTS
};

typedef enum { RATE, FORCE, STEP } what;
static const char *const what_name[] = {"rate", "force", "step"};

/* The results of one function on real numbers; derived parameters are recomputed. Returns how many. */
static size_t evaluate(const br_model *m, what w, const double *x, double *out)
{
  static double par[MOTION_SLOTS];
  double dz[MOTION_STATES] = {0};
  memcpy(par, x + AT_PAR, m->slots * sizeof *par);
  m->prepare(par);
  const size_t n = m->nstate(par) + m->nmode(par);
  if (w == STEP) {
    memcpy(out, x + AT_Z, n * sizeof *out);
    m->step(par, x[AT_LOAD], x + AT_U, x + AT_V, x[AT_H], out);
    return n;
  }
  m->rate(par, x[AT_LOAD], x + AT_U, x + AT_V, x + AT_Z, dz);
  if (w == RATE) return memcpy(out, dz, n * sizeof *out), n;
  m->force(par, x[AT_LOAD], x + AT_U, x + AT_V, x + AT_Z, dz, out);
  return (size_t)m->axes;
}

/* The same on pairs: x with x[k] + i TINY. */
static size_t evaluate_pair(const br_model *m, what w, const double *x, size_t k, double *out)
{
  static double p[PAIRS(AT_END)];
  double dz[PAIRS(MOTION_STATES)] = {0};
  for (size_t i = 0; i < AT_END; i++) p[2 * i] = x[i], p[2 * i + 1] = i == k ? TINY : 0;
  const size_t n = m->nstate(x + AT_PAR) + m->nmode(x + AT_PAR);
  m->prepare_pair(p + PAIRS(AT_PAR));
  if (w == STEP) {
    memcpy(out, p + PAIRS(AT_Z), PAIRS(n) * sizeof *out);
    m->step_pair(p + PAIRS(AT_PAR), p, p + PAIRS(AT_U), p + PAIRS(AT_V), p + PAIRS(AT_H), out);
    return n;
  }
  m->rate_pair(p + PAIRS(AT_PAR), p, p + PAIRS(AT_U), p + PAIRS(AT_V), p + PAIRS(AT_Z), dz);
  if (w == RATE) return memcpy(out, dz, PAIRS(n) * sizeof *out), n;
  m->force_pair(p + PAIRS(AT_PAR), p, p + PAIRS(AT_U), p + PAIRS(AT_V), p + PAIRS(AT_Z), dz, out);
  return (size_t)m->axes;
}

/* Are the one-sided differences alike?  Otherwise the point is too near a switching surface to judge. */
static int smooth_here(double left, double right, double scale)
{
  return fabs(left - right) <= 1e-3 * (fabs(left) + scale);
}

static size_t judged;

static void compare(const motion *q, what w, const double *x, size_t k, uint64_t seed)
{
  static double lo[AT_END];
  double c[PAIRS(MOTION_STATES)], at[MOTION_STATES], up[MOTION_STATES], down[MOTION_STATES];
  const double step = 1e-6 * (x[k] == 0 ? 1 : fabs(x[k]));
  const size_t n = evaluate(q->m, w, x, at);
  assert_int_equal(evaluate_pair(q->m, w, x, k, c), n);
  memcpy(lo, x, sizeof lo);
  lo[k] = x[k] + step, evaluate(q->m, w, lo, up);
  lo[k] = x[k] - step, evaluate(q->m, w, lo, down);
  for (size_t i = 0; i < n; i++) {
    const double scale = fabs(at[i]) + 1e-300, left = (at[i] - down[i]) / step,
                 right = (up[i] - at[i]) / step;
    const double slope = c[2 * i + 1] / TINY, central = (up[i] - down[i]) / (2 * step);
    if (!(fabs(c[2 * i] - at[i]) <= 1e-14 * scale + 1e-280)) /* products of two tiny parts remain */
      fail_msg("%s %s[%zu], seed %llu: complex instance %.17g, real %.17g", q->m->name, what_name[w], i,
               (unsigned long long)seed, c[2 * i], at[i]);
    if (!smooth_here(left, right, scale)) continue;
    judged++;
    if (!(fabs(slope - central) <= 2e-4 * fabs(central) + 1e-7 * scale / (step * 1e6)))
      fail_msg("%s %s[%zu] by input %zu, seed %llu: complex step %.9g, difference %.9g", q->m->name,
               what_name[w], i, k, (unsigned long long)seed, slope, central);
  }
}

/* Inputs in use: load, position, velocity, step, states, parameters (not choices, counts or lengths). */
static void all_inputs(const motion *q, what w, const double *x, uint64_t seed)
{
  compare(q, w, x, AT_LOAD, seed);
  for (size_t a = 0; a < (size_t)q->m->axes; a++)
    compare(q, w, x, AT_U + a, seed), compare(q, w, x, AT_V + a, seed);
  if (w == STEP) compare(q, w, x, AT_H, seed);
  for (size_t i = 0; i < q->m->nstate(q->par); i++) compare(q, w, x, AT_Z + i, seed);
  for (size_t i = 0; i < q->m->nparam; i++) {
    const br_param *p = &q->m->params[i];
    const size_t len = p->max_len == 1 ? 1 : (size_t)q->par[p->len_slot];
    if (p->choices || (p->max_len == 1 && p->lo >= 1 && p->hi < 1e6)) continue;
    for (size_t k = 0; k < len; k++) {
      const double value = q->par[p->slot + k];
      if (value == 1 || value == 2 || value == 0) continue; /* exponents there take another, equal, formula */
      compare(q, w, x, AT_PAR + p->slot + k, seed);
    }
  }
}

static void derivatives(what w)
{
  size_t count;
  const br_model *const *all = br_models(&count);
  for (size_t i = 0; i < count; i++) {
    if (w == STEP && (all[i]->flags & BR_MODEL_JUMPS))
      continue; /* states in steps, not smooth anywhere that counts */
    judged = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
      static double x[AT_END];
      motion q;
      rng r = {seed};
      sample_element(&q, all[i]->name, &r);
      const double L = sample_length(&q), V = sample_speed(&q);
      double v[2] = {0, 0};
      for (int leg = 0; leg < 3; leg++) { /* to a state off the origin */
        const double time = sample_leg(&q, &r, 0.2 * L, V, v);
        q.tol = 1e-8;
        motion_move(&q, v[0], v[1], time);
      }
      memset(x, 0, sizeof x);
      x[AT_LOAD] = q.load;
      x[AT_H] = 0.1 * L / hypot(v[0], v[1]);
      for (int a = 0; a < 2; a++) x[AT_U + a] = q.u[a], x[AT_V + a] = v[a];
      memcpy(x + AT_Z, q.z, sizeof q.z);
      memcpy(x + AT_PAR, q.par, sizeof q.par);
      all_inputs(&q, w, x, seed);
    }
    /* a static map has no states: nothing to judge in rate and step */
    if (all[i]->nz > 0 || w == FORCE) assert_true(judged > 20);
  }
}
static void test_rate(void **state) { (void)state, derivatives(RATE); }
static void test_force(void **state) { (void)state, derivatives(FORCE); }
static void test_step(void **state) { (void)state, derivatives(STEP); }

/* Where the step is not exact: its error over a smooth piece falls with the fourth power of h. */
static void test_order(void **state)
{
  size_t count, seen = 0;
  const br_model *const *all = br_models(&count);
  (void)state;
  for (size_t i = 0; i < count; i++) {
    motion q, fine;
    double error[3];
    motion_init(&q, all[i]->name);
    if (q.m->flags & BR_MODEL_EXACT_STEP) continue;
    const br_param *eta = br_model_param(q.m, "eta");
    if (eta) motion_set(&q, "eta", 2.385);
    motion_ready(&q);
    const double L = sample_length(&q), V = sample_speed(&q), v[2] = {V, q.m->axes > 1 ? 0.37 * V : 0};
    motion_move(&q, v[0], v[1], 0.3 * L / V); /* away from z = 0 */
    fine = q;
    motion_move(&fine, v[0], v[1], L / V);
    for (int k = 0; k < 3; k++) {
      motion s = q;
      const int n = 8 << k;
      for (int j = 0; j < n; j++) {
        s.m->step(s.par, 1, s.u, v, L / V / n, s.z);
        for (int a = 0; a < 2; a++) s.u[a] += v[a] * (L / V / n);
      }
      error[k] = fabs(s.z[0] - fine.z[0]);
    }
    for (int k = 0; k < 2; k++) {
      const double order = log2(error[k] / error[k + 1]);
      printf("%s: order %.2f\n", q.m->name, order);
      assert_true(order > 3.7 && order < 4.6);
    }
    seen++;
  }
  assert_true(seen >= 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rate),
      cmocka_unit_test(test_force),
      cmocka_unit_test(test_step),
      cmocka_unit_test(test_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
