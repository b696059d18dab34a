/* SPDX-License-Identifier: Apache-2.0
 * test_properties.c - physics as properties over all models: random parameters inside ranges and rules,
 * random motions.  A failure names model, property and the seed that repeats it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/sample.h"

#define DRAWS 12

static uint64_t seed; /* of the draw at work, for messages */

/* Run `property` for random elements of every model. */
static void over_all(void (*property)(const motion *q, rng *r))
{
  size_t count;
  const br_model *const *all = br_models(&count);
  assert_true(count >= 7);
  for (size_t i = 0; i < count; i++)
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
      motion q;
      rng r = {seed = 0x5eed0000u + draw};
      sample_element(&q, all[i]->name, &r);
      property(&q, &r);
    }
}

#define require(condition, q, ...)                                              \
  do {                                                                          \
    if (!(condition)) {                                                         \
      print_error("%s, seed 0x%llx: ", (q)->m->name, (unsigned long long)seed); \
      fail_msg(__VA_ARGS__);                                                    \
    }                                                                           \
  } while (0)

static int rate_dependent(const motion *q)
{
  br_class c;
  q->m->classify(q->par, &c);
  return c.rate_dependent;
}

static int exact(const motion *q) { return (q->m->flags & BR_MODEL_EXACT_STEP) != 0; }

/* Steps of a leg: one where the step is exact, short ones otherwise. */
static int parts(const motion *q, double length, const double *v, double time)
{
  return exact(q) ? 3 : 3 + (int)(hypot(v[0], v[1]) * time / length * 200);
}

static void walk(motion *q, const double *v, double time, int n)
{
  for (int i = 0; i < n; i++) {
    q->m->step(q->par, q->load, q->u, v, time / n, q->z);
    for (int a = 0; a < 2; a++) q->u[a] += v[a] * (time / n);
  }
}

static double size2(const double *F, const motion *q)
{
  return q->m->axes > 1 ? hypot(F[0], F[1]) : fabs(F[0]);
}

/* ---- odd symmetry: the mirrored motion gives the mirrored force, to the last bits ---- */
static void odd_symmetry(const motion *start, rng *r)
{
  motion a = *start, b = *start;
  const double L = sample_length(start), V = sample_speed(start);
  if (strcmp(start->m->name, "semilinear_duhem") == 0) return; /* any two matrices: odd only if Am = -Ap */
  if (br_model_param(start->m, "phi")) return;                 /* a loop that leans is none */
  for (int leg = 0; leg < 12; leg++) {
    double v[2], w[2], F[2], G[2];
    const double time = sample_leg(&a, r, L, V, v);
    const int n = parts(&a, L, v, time);
    w[0] = -v[0], w[1] = -v[1];
    walk(&a, v, time, n);
    walk(&b, w, time, n);
    motion_force(&a, v, F);
    motion_force(&b, w, G);
    for (int k = 0; k < a.m->axes; k++)
      require(fabs(F[k] + G[k]) <= 1e-13 * size2(F, &a), &a, "leg %d: %.17g, mirrored %.17g", leg, F[k],
              G[k]);
  }
}
static void test_odd_symmetry(void **state) { (void)state, over_all(odd_symmetry); }

/* ---- rate independence exactly where claimed, measured dependence where not ---- */
static void rate_claim(const motion *start, rng *r)
{
  motion slow = *start, fast = *start;
  const double L = sample_length(start), V = sample_speed(start), factor = 7.3;
  double gap = 0, top = 0;
  for (int leg = 0; leg < 16; leg++) {
    double v[2], w[2], F[2], G[2];
    const double time = sample_leg(&slow, r, L, V, v);
    const int n = parts(&slow, L, v, time);
    w[0] = factor * v[0], w[1] = factor * v[1];
    walk(&slow, v, time, n);
    walk(&fast, w, time / factor, n);
    motion_force(&slow, v, F);
    motion_force(&fast, w, G);
    for (int k = 0; k < slow.m->axes; k++) gap = fmax(gap, fabs(F[k] - G[k])), top = fmax(top, fabs(F[k]));
  }
  if (rate_dependent(start))
    require(gap > 1e-4 * top, start, "claims rate dependence, measured %.3g of %.3g", gap, top);
  else require(gap <= 1e-12 * top, start, "claims rate independence, measured %.3g of %.3g", gap, top);
}
static void test_rate_dependence(void **state) { (void)state, over_all(rate_claim); }

/* ---- energy: F v >= dE/dt at every visited state where passive() holds ---- */

/* dE/dt along the motion by a central difference: exact for the quadratic energies in use. */
static double energy_rate(const motion *q, const double *v)
{
  double dz[MOTION_STATES] = {0}, z[2][MOTION_STATES], u[2][2], E[2];
  double fastest = hypot(v[0], v[1]), largest = fmax(fabs(q->u[0]), fabs(q->u[1]));
  q->m->rate(q->par, q->load, q->u, v, q->z, dz);
  for (size_t i = 0; i < motion_count(q); i++) {
    fastest = fmax(fastest, fabs(dz[i]));
    largest = fmax(largest, fabs(q->z[i]));
  }
  /* energies over a potential are no parabola: a shorter way there */
  const double e =
      (q->m->flags & BR_MODEL_JUMPS ? 1e-6 : 1e-4) * fmax(largest, 1e-12) / fmax(fastest, 1e-300);
  for (int s = 0; s < 2; s++) {
    const double t = s == 0 ? -e : e;
    for (int a = 0; a < 2; a++) u[s][a] = q->u[a] + t * v[a];
    for (size_t i = 0; i < motion_count(q); i++) z[s][i] = q->z[i] + t * dz[i];
    E[s] = q->m->energy(q->par, q->load, u[s], z[s]);
  }
  return (E[1] - E[0]) / (2 * e);
}

static double power(const motion *q, const double *v)
{
  double F[2] = {0, 0};
  motion_force(q, v, F);
  return F[0] * v[0] + (q->m->axes > 1 ? F[1] * v[1] : 0);
}

static void energy_balance(const motion *start, rng *r)
{
  motion q = *start;
  const double L = sample_length(start), V = sample_speed(start);
  if (!start->m->energy || !start->m->passive(start->par)) return;
  for (int leg = 0; leg < 20; leg++) {
    double v[2];
    const double time = sample_leg(&q, r, L, V, v);
    const int n = parts(&q, L, v, time) + 20;
    for (int i = 0; i < n; i++) {
      const double P = power(&q, v), dE = energy_rate(&q, v);
      require(P - dE >= (q.m->flags & BR_MODEL_JUMPS ? -1e-5 : -1e-7) * (fabs(P) + fabs(dE)), &q,
              "leg %d: F v = %.9g < dE/dt = %.9g", leg, P, dE);
      walk(&q, v, time / n, 1);
    }
  }
}
static void test_energy_balance(void **state) { (void)state, over_all(energy_balance); }

/* ---- a closed steady cycle takes work wherever passive() holds ---- */
static double cycle_work(motion *q, double U, double speed, int cycles)
{
  q->tol = 1e-10;
  q->max_part = 1.0 / 60;
  motion_to(q, U, speed);
  for (int k = 0; k < cycles; k++) {
    q->work = 0;
    motion_to(q, -U, speed);
    motion_to(q, U, speed);
  }
  return q->work;
}

static void cycle_dissipates(const motion *start, rng *r)
{
  const double L = sample_length(start), V = sample_speed(start);
  if (!start->m->passive(start->par)) return;
  for (int k = 0; k < 3; k++) {
    motion q = *start;
    const double U = L * exp2(rng_range(r, -3, 2)), W = cycle_work(&q, U, V * exp2(rng_range(r, -4, 4)), 8);
    double F[2], v[2] = {V, 0};
    motion_force(&q, v, F);
    require(W >= -1e-9 * U * fabs(F[0]), &q, "cycle of +-%.3g m: work %.9g J", U, W);
  }
}
static void test_cycle_work(void **state) { (void)state, over_all(cycle_dissipates); }

/* ---- the normal-load factor scales the sliding force ---- */
static void load_scales(const motion *start, rng *r)
{
  const double L = sample_length(start),
               V = 1e-7 * sample_speed(start); /* so slow that nothing viscous shows */
  double F[2][2];
  (void)r;
  if (start->m->flags & BR_MODEL_NO_LOAD) return;
  for (int i = 0; i < 2; i++) {
    motion q = *start;
    const double v[2] = {V, 0};
    q.load = i == 0 ? 1 : 1.7;
    /* Dahl with gamma > 1 nears its level like a power of the path only */
    if (exact(&q)) walk(&q, v, 1e9 * L / V, 1);
    else walk(&q, v, 60 * L / V, 6000);
    q.u[0] = 60 * L; /* the same place for both */
    motion_force(&q, v, F[i]);
  }
  require(fabs(F[1][0] - 1.7 * F[0][0]) <= 1e-5 * fabs(F[0][0]), start,
          "F = %.9g at n = 1 and %.9g at n = 1.7", F[0][0], F[1][0]);
}
static void test_load(void **state) { (void)state, over_all(load_scales); }

/* ---- v = 0 and h = 0 leave the deflections alone ---- */
static void rest_keeps(const motion *start, rng *r)
{
  const double L = sample_length(start), V = sample_speed(start), still[2] = {0, 0};
  motion q = *start;
  double v[2];
  const double time = sample_leg(&q, r, L, V, v);
  walk(&q, v, time, parts(&q, L, v, time));
  for (int i = 0; i < 2; i++) {
    motion s = q;
    walk(&s, i == 0 ? still : v, i == 0 ? 3.7 : 0, 1);
    for (size_t k = 0; k < q.m->nstate(q.par); k++)
      require(s.z[k] == q.z[k], &q, "%s: state %zu moved from %.17g to %.17g", i == 0 ? "v = 0" : "h = 0", k,
              q.z[k], s.z[k]);
  }
}
static void test_rest(void **state) { (void)state, over_all(rest_keeps); }

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_odd_symmetry),   cmocka_unit_test(test_rate_dependence),
      cmocka_unit_test(test_energy_balance), cmocka_unit_test(test_cycle_work),
      cmocka_unit_test(test_load),           cmocka_unit_test(test_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
