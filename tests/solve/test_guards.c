/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - the solver's corners: Newton that must refuse, the largest step, events that share a step,
 * reversals at corners of a given motion, noise that is no reversal, sums that lose nothing, stops in fixed
 * steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kit.h"
#include "solve/newton.h"
#include "support/near.h"

/* ---- Newton ---- */

static br_status moved_on(void *ctx, const double *x, double *out)
{
  (void)ctx;
  out[0] = x[0] + 1, out[1] = 0.5 * x[1];
  return BR_OK;
}

static br_status moved_slopes(void *ctx, const double *x, const double *px, double *J, char *skip)
{
  (void)ctx, (void)x, (void)px, (void)skip;
  J[0] = 1 - 1e-13, J[1] = J[2] = 0, J[3] = 0.5; /* one multiplier is 1 to rounding */
  return BR_OK;
}

static int no_fixed_point(void *ctx, const double *x, double *out) { return (void)ctx, out[0] = x[0] + 1, 0; }
static int no_number(void *ctx, const double *x, double *out) { return (void)ctx, (void)x, out[0] = NAN, 0; }
static int no_map(void *ctx, const double *x, double *out) { return (void)ctx, (void)x, (void)out, 1; }
static int halves(void *ctx, const double *x, double *out) { return (void)ctx, out[0] = 0.5 * x[0] + 1, 0; }

static void newton_refuses(void **state)
{
  double x[2] = {3, 4}, work[64], residual = 0, jac = 0;
  static double many[65], scales[65], room[20000];
  const double scale = 1;
  char skip[2];
  br_err err = {BR_OK, -1, ""};
  bri_newton_report r;
  bri_newton_problem p = {0};
  p.n = p.nx = 2, p.map = moved_on, p.slopes = moved_slopes, p.tol = 1e-10, p.max_iter = 5;
  p.least_pivot = 1e-10;
  assert_true(bri_newton_work(2, 2) <= 64);
  assert_int_equal(bri_newton(&p, x, work, skip, &r), BRI_NEWTON_SINGULAR);
  assert_true(fabs(x[0]) < 100); /* nothing was divided by it */
  br_map_fn *const bad[] = {no_fixed_point, no_number, no_map};
  for (int i = 0; i < 3; i++) {
    x[0] = 1;
    assert_int_equal(br_map_newton(bad[i], NULL, 1, x, &scale, NULL, work, NULL, &residual, &err),
                     BR_E_CONVERGE);
    assert_int_equal(err.code, BR_E_CONVERGE);
  }
  for (int i = 0; i < 65; i++) scales[i] = 1;
  residual = 0;
  assert_true(br_map_newton_work(65) <= 20000);
  assert_int_equal(br_map_newton(halves, NULL, 65, many, scales, NULL, room, NULL, &residual, &err),
                   BR_E_CONVERGE);
  assert_true(residual == 1e300);
  x[0] = 7;
  assert_int_equal(br_map_newton(halves, NULL, 1, x, &scale, NULL, work, &jac, &residual, &err), BR_OK);
  near(x[0], 2, 1e-10);
  near(jac, 0.5, 1e-6);
}

/* ---- steps and events ---- */

typedef struct {
  double t[256];
  int type[256], index[256], direction[256];
  size_t n;
  double offset;
} list;

static int note(void *ctx, const br_event *ev)
{
  list *l = ctx;
  if (l->n == 256) return 1;
  l->t[l->n] = ev->t, l->type[l->n] = (int)ev->type, l->index[l->n] = (int)ev->index;
  l->direction[l->n++] = ev->direction;
  return 0;
}

static void largest_step(void **state)
{
  const double one = 1;
  for (int kind = BR_SOLVER_NATIVE; kind <= BR_SOLVER_RADAU9; kind++) {
    kit k;
    double x[8];
    br_solve_settings set = br_solve_settings_default();
    set.kind = (br_solver_kind)kind;
    if (kind == BR_SOLVER_RODAS) set.rtol = 1e-6;
    set.h_max = 0.01;
    kit_plant(&k, "driven_block", "maxwell_slip", "m=2,model.k=0,Delta=1", NULL, &one);
    kit_solver(&k, &set, NULL);
    kit_to(&k, 2, x);
    near(x[0], 1, 1e-9);
    assert_true(br_solver_stats(k.solver).steps >= 200);
    kit_end(&k);
  }
}

static void two_times(void *ctx, double t, const double *x, double *g)
{
  const list *l = ctx;
  (void)x;
  g[0] = t - 1, g[1] = t - 1 - l->offset, g[2] = 1 + 0.5 * l->offset - t;
}

/* Three events so close that one step ends at all of them: in the order of their times, each with its
 * direction. */
static void events_in_order(void **state)
{
  const double one = 1;
  for (double offset = 1e-17; offset < 1e-6; offset *= 1.7) {
    kit k;
    static list l;
    double x[8];
    br_solve_settings set = br_solve_settings_default();
    memset(&l, 0, sizeof l);
    l.offset = offset;
    set.nuser = 3, set.user = two_times, set.on_event = note, set.ctx = &l;
    kit_plant(&k, "driven_block", "maxwell_slip", "m=2,model.k=0,Delta=10", NULL, &one);
    kit_solver(&k, &set, NULL);
    kit_to(&k, 2, x);
    assert_int_equal(l.n, 3);
    int seen[3] = {0};
    for (size_t i = 0; i < 3; i++) {
      if (i && !(l.t[i] >= l.t[i - 1]))
        fail_msg("offset %g: %.17g comes behind %.17g", offset, l.t[i], l.t[i - 1]);
      near(l.t[i], 1, 2e-6);
      assert_int_equal(l.direction[i], l.index[i] == 2 ? -1 : 1);
      seen[l.index[i]]++;
    }
    assert_true(seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
    if (offset > 1e-12)
      assert_true(l.index[0] == 0 && l.index[1] == 2 && l.index[2] == 1); /* else one time */
    kit_end(&k);
  }
}

/* A given motion with corners turns there: every reversal is reported, with the direction behind it. */
static void reversals_at_corners(void **state)
{
  static const char *const specs[] = {"triangle:1,1Hz"};
  static const char *const models[] = {"lugre", "maxwell_slip", "coulomb", "dahl"};
  for (size_t m = 0; m < 4; m++) {
    kit k;
    static list l;
    br_solve_settings set = br_solve_settings_default();
    memset(&l, 0, sizeof l);
    set.on_event = note, set.ctx = &l;
    kit_plant(&k, "prescribed", models[m], NULL, specs, NULL);
    kit_solver(&k, &set, NULL);
    kit_to(&k, 2.1, NULL);
    double first = NAN;
    int turns = 0, last = 0;
    for (size_t i = 0; i < l.n; i++) {
      if (l.type[i] != BR_EVENT_REVERSAL) continue;
      if (!turns++) first = l.t[i];
      near(l.t[i], first + 0.5 * (turns - 1), 1e-12);
      assert_true(l.direction[i] == 1 || l.direction[i] == -1);
      assert_true(!last || l.direction[i] == -last);
      last = l.direction[i];
    }
    if (turns != 4) fail_msg("%s: %d reversals of 4", models[m], turns);
    kit_end(&k);
  }
}

/* Down, a rest, and down again is no reversal; down, a rest and up is one, when it goes up. */
static void rest_is_no_direction(void **state)
{
  static const char *const specs[] = {"pwl:0,0,1,-1,2,-1,3,-2", "pwl:0,0,1,-1,2,-1,3,0"};
  for (int up = 0; up < 2; up++) {
    kit k;
    static list l;
    br_solve_settings set = br_solve_settings_default();
    memset(&l, 0, sizeof l);
    set.on_event = note, set.ctx = &l;
    kit_plant(&k, "prescribed", "dahl", NULL, &specs[up], NULL);
    kit_solver(&k, &set, NULL);
    kit_to(&k, 2.9, NULL);
    int turns = 0;
    for (size_t i = 0; i < l.n; i++) {
      if (l.type[i] != BR_EVENT_REVERSAL) continue;
      turns++;
      near(l.t[i], 2, 1e-12);
      assert_int_equal(l.direction[i], 1);
    }
    assert_int_equal(turns, up);
    kit_end(&k);
  }
}

/* At rest but for an amplitude that the absolute tolerance lets pass: no direction, so no reversal. */
static void noise_is_no_reversal(void **state)
{
  for (int still = 0; still < 2; still++) {
    kit k;
    static list l;
    const double x0[4] = {0, still ? 1e-19 : 1e-6, 0, 0};
    br_solve_settings set = br_solve_settings_default();
    memset(&l, 0, sizeof l);
    set.on_event = note, set.ctx = &l;
    kit_plant(&k, "mass_spring", "maxwell_slip", "m=1,ks=1,model.k=1,Delta=1", NULL, NULL);
    kit_solver(&k, &set, x0);
    kit_to(&k, 20, NULL);
    int turns = 0;
    for (size_t i = 0; i < l.n; i++) turns += l.type[i] == BR_EVENT_REVERSAL;
    assert_int_equal(turns, still ? 0 : 9); /* sqrt(2) 20 / pi */
    kit_end(&k);
  }
}

/* A position of a million metres that moves by tenths of a millimetre a step: what a sum loses is kept. */
static void long_ways_add_up(void **state)
{
  kit k;
  const double x0[4] = {1e6, 0.1, 0, 0};
  double x[8];
  br_solve_settings set = br_solve_settings_default();
  set.kind = BR_SOLVER_RADAU9;
  set.h_max = 1e-3;
  kit_plant(&k, "mass_spring", "maxwell_slip", "m=1,ks=0,model.k=0,Delta=1", NULL, NULL);
  kit_solver(&k, &set, x0);
  kit_to(&k, 1, x);
  assert_true(br_solver_stats(k.solver).steps >= 1000);
  near(x[0], 1000000.1, 2.4e-10); /* two roundings */
  kit_end(&k);
}

/* ---- inputs that cannot be followed ---- */

static void constant(const void *ctx, double t, int side, double *w, double *dw)
{
  (void)t, (void)side;
  *w = *(const double *)ctx, *dw = 0;
}
static double corner_unknown(const void *ctx, double t) { return (void)ctx, (void)t, NAN; }

static void inputs_without_answer(void **state)
{
  kit k;
  br_plant *p = NULL;
  br_solver *s = NULL;
  br_err err = {BR_OK, -1, ""};
  const double one = 1, none = INFINITY;
  kit_plant(&k, "mass_spring", "lugre", NULL, NULL, NULL);
  const br_system *sys = br_system_find("mass_spring");
  const br_drive unknown = {0, constant, corner_unknown, 0, &one}, infinite = {0, constant, NULL, 0, &none};
  const double *spar = br_params_block(k.params, "system"), *mpar = br_params_block(k.params, "model");
  assert_int_equal(br_plant_create(sys, spar, br_model_find("lugre"), mpar, &unknown, &p, &err), BR_OK);
  assert_int_equal(br_solver_create(p, NULL, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "too often"));
  br_solver_destroy(s), br_plant_destroy(p), p = NULL, s = NULL;
  assert_int_equal(br_plant_create(sys, spar, br_model_find("lugre"), mpar, &infinite, &p, &err), BR_OK);
  assert_int_equal(br_solver_create(p, NULL, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_E_NAN); /* at the start, not somewhere behind it */
  assert_non_null(strstr(err.msg, "rate of a state"));
  br_solver_destroy(s), br_plant_destroy(p);
  kit_end(&k);
}

static int stop_at(void *ctx, double t) { return t >= *(const double *)ctx; }

static void fixed_steps_stop(void **state)
{
  kit k;
  br_err err;
  double at = 3, x[8];
  br_solve_settings set = br_solve_settings_default();
  set.kind = BR_SOLVER_FIXED, set.dt = 1e-4, set.on_step = stop_at, set.ctx = &at;
  kit_plant(&k, "mass_spring", "lugre", NULL, NULL, NULL);
  kit_solver(&k, &set, NULL);
  assert_int_equal(br_solver_advance(k.solver, 20, x, &err), BR_INTERRUPTED);
  assert_true(br_solver_time(k.solver) >= 3 && br_solver_time(k.solver) < 3.3);
  kit_end(&k);
}

/* ---- cycles ---- */

/* The section lies inside the threshold: the part below it wraps around the end of the period. */
static void stick_over_the_end(void **state)
{
  enum { N = 20000 };
  const double vp = 1;
  kit k;
  br_err err;
  br_cycle c;
  double x0[8], x[8];
  br_cycle_settings set = br_cycle_settings_default();
  kit_plant(&k, "pulled_block", "lugre",
            "m=1,system.k=2,sigma0=2900,sigma1=107,Fc=2.94,Fs=5.88,vs=0.1,delta=1,sigma2=0.4", NULL, &vp);
  set.level = 0.02, set.threshold = 0.05;
  if (br_cycle_find(k.plant, NULL, &set, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  assert_true(fabs(x0[1]) < set.threshold);
  br_solve_settings solve = br_solve_settings_default();
  solve.rtol = 1e-9;
  kit_solver(&k, &solve, x0);
  size_t below = 0, changes = 0;
  int was = 1;
  for (int i = 0; i < N; i++) {
    kit_to(&k, c.period * (i + 0.5) / N, x);
    const int is = fabs(x[1]) < set.threshold;
    below += (size_t)is, changes += is != was, was = is;
  }
  assert_true(was && changes == 2 && below > N / 10 && below < N);
  near(c.stick_fraction, (double)below / N, 2.0 / N);
  kit_end(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newton_refuses),       cmocka_unit_test(largest_step),
      cmocka_unit_test(events_in_order),      cmocka_unit_test(reversals_at_corners),
      cmocka_unit_test(noise_is_no_reversal), cmocka_unit_test(rest_is_no_direction),
      cmocka_unit_test(long_ways_add_up),     cmocka_unit_test(inputs_without_answer),
      cmocka_unit_test(fixed_steps_stop),     cmocka_unit_test(stick_over_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
