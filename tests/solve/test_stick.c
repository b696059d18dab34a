/* SPDX-License-Identifier: Apache-2.0
 * test_stick.c - true stick, holding for a long time, no chattering; and what plain LuGre does instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"
#include "support/near.h"

/* A million seconds; sanitizers are slow enough with a tenth of it. */
#if defined(__SANITIZE_ADDRESS__)
#define LONG_TIME 1e5
#else
#define LONG_TIME 1e6
#endif

/* Mean position over the cycle of 100 s that ends at t. */
static double cycle_mean(kit *k, double t)
{
  double sum = 0, x[16];
  for (int i = 1; i <= 200; i++) {
    kit_to(k, t - 100 + 0.5 * i, x);
    sum += x[0] / 200;
  }
  return sum;
}

/* A block on its friction alone (no spring) under a load of 20 % plus and minus 10 % of the static force. */
static double drift(const char *model, const char *set, double force, double t_end, double rtol,
                    double *amplitude)
{
  kit k;
  char spec[96];
  const char *input = spec;
  br_solve_settings s = br_solve_settings_default();
  s.rtol = rtol, s.extremes = 1;
  snprintf(spec, sizeof spec, "sine:%.9g,0.01,0,%.9g", 0.1 * force, 0.2 * force);
  kit_plant(&k, "mass_spring", model, set, &input, NULL);
  kit_solver(&k, &s, NULL);
  const double early = cycle_mean(&k, 1000), late = cycle_mean(&k, t_end);
  double lo[80], hi[80];
  br_solver_extremes(k.solver, lo, hi);
  if (amplitude) *amplitude = hi[0] - lo[0];
  printf("  %s: mean position %.6g m at 1e3 s, %.6g m at %g s, %zu steps\n", model, early, late, t_end,
         br_solver_stats(k.solver).steps);
  kit_end(&k);
  return late - early;
}

static void test_holds_for_a_million_seconds(void **state)
{
  double range;
  assert_true(drift("coulomb", "ks=0,m=1,Fc=1,Fs=1.5", 1.5, LONG_TIME, 1e-10, &range) == 0);
  assert_true(range == 0);
  assert_true(drift("karnopp", "ks=0,m=1,Fc=1,Fs=1.5", 1.5, LONG_TIME, 1e-10, &range) == 0);
  assert_true(range == 0);
  /* 30 % of 1.5 N is within the elastic range sigma0 z_ba = 0.7 N: what remains is rounding */
  near(drift("lugre_elastoplastic", "ks=0,m=1", 1.5, LONG_TIME, 1e-10, &range), 0, 1e-9 * range);
}

typedef struct {
  double x[2];           /* last two turning points */
  double t_first, first; /* middle of the swing just behind t_first */
  size_t n;
} swing;

static int turning(void *ctx, const br_event *ev)
{
  swing *w = ctx;
  if (ev->type != BR_EVENT_REVERSAL) return 0;
  w->x[0] = w->x[1], w->x[1] = ev->x[0];
  if (ev->t <= w->t_first) w->first = 0.5 * (w->x[0] + w->x[1]);
  w->n++;
  return 0;
}

/* Spring-slider elements have no damping of their own: the block swings about its place for ever.  The middle
 * of the swing must not move.  A heavy block keeps the number of swings reasonable. */
static void test_maxwell_holds(void **state)
{
  kit k;
  swing w = {{0, 0}, 3000, 0, 0};
  const char *load = "pwl:0,0,1000,0.09441"; /* 30 % of the sliding force 0.3147 N, applied slowly */
  br_solve_settings s = br_solve_settings_default();
  s.rtol = 1e-9, s.on_event = turning, s.ctx = &w;
  kit_plant(&k, "mass_spring", "maxwell_slip", "ks=0,m=1000", &load, NULL);
  kit_solver(&k, &s, NULL);
  kit_to(&k, LONG_TIME, NULL);
  const double last = 0.5 * (w.x[0] + w.x[1]), size = fabs(w.x[1] - w.x[0]);
  printf("  maxwell_slip: middle of the swing %.9g m, %.9g m after %zu turns, swing %.3g m\n", w.first, last,
         w.n, size);
  assert_true(w.n > 1000);
  near(last, w.first, 1e-7 * fabs(w.first));
  kit_end(&k);
}

/* Plain LuGre creeps under the same load: known, not hidden.  The drift is steady. */
static void test_lugre_drifts(void **state)
{
  double range;
  const double d1 = drift("lugre", "ks=0,m=1", 1.5, 2000, 1e-12, &range),
               d2 = drift("lugre", "ks=0,m=1", 1.5, 3000, 1e-12, &range);
  printf("  lugre drifts %.4g m per cycle of 100 s\n", d1 / 10);
  assert_true(d1 > 1e-8);
  near(d2 / d1, 2, 0.02);
}

/* Coulomb block started on a flat: stops after v^2 / (2 Fc/m) at a known time, stays. */
static void test_stops_where_it_should(void **state)
{
  kit k;
  double x[4];
  const double x0[2] = {0, 2};
  kit_plant(&k, "mass_spring", "coulomb", "ks=0,m=2,Fc=1,Fs=1,sigma2=0", NULL, NULL);
  kit_solver(&k, NULL, x0);
  kit_to(&k, 1.0, x);
  near(x[0], 2 - 0.25, 1e-11);
  kit_to(&k, 100, x);
  near(x[0], 4, 1e-11); /* v^2 m / (2 Fc) = 4 m, at t = 4 s */
  assert_true(x[1] == 0);
  kit_end(&k);
}

typedef struct {
  size_t stick, slip, other;
  double last;
} counter;

static int count(void *ctx, const br_event *ev)
{
  counter *c = ctx;
  assert_true(ev->t >= c->last - 1e-9);
  c->last = ev->t;
  if (ev->type == BR_EVENT_STICK) c->stick++;
  else if (ev->type == BR_EVENT_SLIP) c->slip++;
  else c->other++;
  return 0;
}

/* A block on a base that vibrates at 50 Hz and tilts slowly. */
static void test_no_chattering(void **state)
{
  kit k;
  counter c = {0};
  double x[4];
  const char *const specs[2] = {"sine:0.6,0.01",
                                "sine:2,50"}; /* tilt as a force, vibration as base acceleration */
  br_solve_settings s = br_solve_settings_default();
  s.rtol = 1e-8, s.on_event = count, s.ctx = &c;
  kit_plant(&k, "chain", "coulomb", "m=1,k=0,c=0,Fc=1,Fs=1.5,vs=0.01", specs, NULL);
  kit_solver(&k, &s, NULL);
  kit_to(&k, 200, x);
  const br_solve_stats st = br_solver_stats(k.solver);
  printf("  %zu sticks, %zu slips, %zu reversals, %zu steps, %zu rejected, x = %.6g m\n", c.stick, c.slip,
         c.other, st.steps, st.rejected, x[0]);
  assert_true(c.stick + c.slip > 10000);
  assert_true(c.slip >= c.stick && c.slip <= c.stick + 1);
  assert_true(st.steps < 40 * (c.stick + c.slip + c.other));
  kit_end(&k);
}

/* Two contacts on two masses: with one mass held, the other moves alone. */
static void test_two_contacts(void **state)
{
  kit k;
  double x[4];
  const double values[2] = {1.2, 0};
  kit_plant(&k, "chain", "coulomb",
            "m=1,1,k=0,1,c=0,0.5,contact=1,2,against=0,0,load=10,0.5,Fc=1,Fs=1.2,sigma2=0", NULL, values);
  kit_solver(&k, NULL, NULL);
  kit_to(&k, 200, x);
  assert_true(x[0] == 0 && x[2] == 0);           /* ten times the load: never moves */
  assert_true(x[1] > 0.5 && fabs(x[3]) < 1e-12); /* pulled by 1.2 N against 0.5 N: comes to rest displaced */
  kit_end(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_holds_for_a_million_seconds),
      cmocka_unit_test(test_maxwell_holds),
      cmocka_unit_test(test_lugre_drifts),
      cmocka_unit_test(test_stops_where_it_should),
      cmocka_unit_test(test_no_chattering),
      cmocka_unit_test(test_two_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
