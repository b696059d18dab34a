/* SPDX-License-Identifier: Apache-2.0
 * test_solver.c - the solver itself: order, Jacobian, numerical damping, events, output points, energy,
 * errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bri_config.h"
#include "kit.h"
#include "solve/plant.h"
#include "support/near.h"
#include "support/rng.h"

#define DOCUMENT_1 "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

/* Largest distance of a run to a tight one, and steps taken, on a smooth problem (LuGre sliding, no
 * reversal). */
static double smooth_error(br_solver_kind kind, double rtol, size_t *steps)
{
  kit k;
  double a[3], b[3];
  const double x0[3] = {3, 5, 1e-3}, vp = 5;
  br_solve_settings s = br_solve_settings_default();
  kit_plant(&k, "pulled_block", "lugre", "m=1,k=2,sigma0=20,sigma1=1,sigma2=0.1,Fc=1,Fs=1.5,vs=2,delta=2",
            NULL, &vp);
  kit_solver(&k, &s, x0);
  kit_to(&k, 10, a);
  s.kind = kind, s.rtol = rtol;
  kit_solver(&k, &s, x0);
  kit_to(&k, 10, b);
  *steps = br_solver_stats(k.solver).steps;
  kit_end(&k);
  return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

static void test_order(void **state)
{
  static const struct {
    br_solver_kind kind;
    double loose, tight, order;
  } row[] = {{BR_SOLVER_RODAS, 1e-4, 1e-8, 4},
             {BR_SOLVER_RADAU5, 1e-4, 1e-8, 4},
             {BR_SOLVER_RADAU9, 1e-5, 1e-11, 6.5}};
  for (int i = 0; i < 3; i++) {
    size_t n1, n2;
    const double e1 = smooth_error(row[i].kind, row[i].loose, &n1),
                 e2 = smooth_error(row[i].kind, row[i].tight, &n2);
    const double order = log(e1 / e2) / log((double)n2 / (double)n1);
    printf("  method %d: %zu steps error %.2e, %zu steps error %.2e, order %.1f\n", (int)row[i].kind, n1, e1,
           n2, e2, order);
    assert_true(order > row[i].order);
  }
}

/* The Jacobian of every plant against differences of its field. */
static void test_jacobian(void **state)
{
  static const char *const systems[] = {"pulled_block", "driven_block", "mass_spring",
                                        "dc_motor",     "filtered",     "chain"};
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  rng r = {11};
  for (int q = 0; q < 6; q++)
    for (size_t i = 0; i < count; i++) {
      if (all[i]->axes != 1) continue;
      kit k;
      bri_work w;
      bri_mode m;
      const double values[2] = {0.3, 0.1};
      double x[160], y[160], dy[160], f1[160], f2[160], J[160 * 8];
      kit_plant(&k, systems[q], all[i]->name, NULL, NULL, values);
      const size_t n = k.plant->ny;
      if (n * n > sizeof J / sizeof *J || all[i]->flags & BR_MODEL_JUMPS) { /* a difference would see jumps */
        kit_end(&k);
        continue;
      }
      assert_int_equal(bri_work_create(k.plant, &w), BR_OK);
      assert_int_equal(bri_mode_create(k.plant, &m), BR_OK);
      for (size_t l = 0; l < k.plant->nx; l++)
        x[l] = l < k.plant->nq ? rng_range(&r, 0.01, 0.1) : 1e-6 * rng_range(&r, 0.1, 1);
      bri_mode_start(k.plant, &w, &m, 0, x, y, dy);
      bri_jac(k.plant, &w, &m, 0, y, J);
      for (size_t c = 0; c < n; c++) {
        const double keep = y[c], h = 1e-6 * fabs(keep);
        if (keep == 0 || keep == 1) continue; /* a discrete mode */
        y[c] = keep + h;
        bri_eval(k.plant, &w, &m, 0, y, f1);
        y[c] = keep - h;
        bri_eval(k.plant, &w, &m, 0, y, f2);
        y[c] = keep;
        for (size_t l = 0; l < n; l++) {
          const double d = (f1[l] - f2[l]) / (2 * h), size = fmax(fabs(f1[l]), fabs(f2[l])) * 1e-15 / h;
          if (!(fabs(d - J[l * n + c]) <= 1e-5 * fabs(d) + 100 * size + 1e-7))
            fail_msg("%s with %s: J[%zu][%zu] = %.9g, differences %.9g", systems[q], all[i]->name, l, c,
                     J[l * n + c], d);
        }
      }
      bri_mode_destroy(&m);
      bri_work_destroy(&w);
      kit_end(&k);
    }
}

/* Steady sliding at vp = 2 is unstable, but grows by 3.03e-8 per second only: numerical damping must not hide
 * it. */
static void test_tiny_growth_is_seen(void **state)
{
  kit k;
  const double vp = 2, zs = (2.94 + 2.94 * exp(-20)) / 2900, a0 = 1e-4;
  const double x0[3] = {2900 * zs / 2 + a0, 2, zs};
  double lo[4], hi[4], first = 0;
  br_solve_settings s = br_solve_settings_default();
  s.rtol = 1e-12;
  kit_plant(&k, "pulled_block", "lugre", DOCUMENT_1, NULL, &vp);
  const double T = 2 * KIT_PI / sqrt(2.0), t_end = 20000 * T;
  for (int part = 0; part < 2; part++) { /* amplitude of l over the first and the last ten cycles */
    double x[3], top = -1, low = 1e9;
    if (part == 0) kit_solver(&k, &s, x0);
    const double from = part ? t_end : 0;
    for (int i = 1; i <= 1000; i++) {
      kit_to(&k, from + 10 * T * i / 1000, x);
      top = fmax(top, x[0]), low = fmin(low, x[0]);
    }
    lo[part] = low, hi[part] = top;
    if (part == 0) first = top - low;
  }
  const double rate = log((hi[1] - lo[1]) / first) / t_end;
  printf("  growth %.4g per s after %g s, %zu steps (theory 3.03e-8)\n", rate, t_end,
         br_solver_stats(k.solver).steps);
  near(rate, 3.03e-8, 0.1e-8);
  kit_end(&k);
}

static void every_second(void *ctx, double t, const double *x, double *g)
{
  (void)ctx, (void)x;
  g[0] = sin(KIT_PI * t + 0.1);
}

static int note(void *ctx, const br_event *ev)
{
  double *t = ctx;
  if (ev->type == BR_EVENT_USER) t[(int)++t[0]] = ev->t;
  return t[0] >= 5;
}

static void test_user_events_and_stopping(void **state)
{
  kit k;
  double t[16] = {0}, x[3];
  const double vp = 0.1;
  br_err err;
  br_solve_settings s = br_solve_settings_default();
  s.nuser = 1, s.user = every_second, s.on_event = note, s.ctx = t;
  kit_plant(&k, "pulled_block", "lugre", DOCUMENT_1, NULL, &vp);
  kit_solver(&k, &s, NULL);
  assert_int_equal(br_solver_advance(k.solver, 100, x, &err), BR_INTERRUPTED);
  for (int i = 1; i <= 5; i++) near(t[i], i - 0.1 / KIT_PI, 1e-9);
  near(br_solver_time(k.solver), t[5], 1e-9);
  kit_end(&k);
}

/* Output points do not disturb: fine output gives the same end as none, and agrees with a run that ends
 * there. */
static void test_output_points(void **state)
{
  kit k;
  double a[3] = {0}, b[3] = {0}, x[3] = {0};
  const double vp = 2;
  kit_plant(&k, "pulled_block", "lugre", DOCUMENT_1, NULL, &vp);
  kit_solver(&k, NULL, NULL);
  for (int i = 1; i <= 3000; i++) kit_to(&k, i * 0.01, i == 1234 ? x : a);
  kit_solver(&k, NULL, NULL);
  kit_to(&k, 30, b);
  for (int l = 0; l < 3; l++) assert_true(a[l] == b[l]);
  kit_solver(&k, NULL, NULL);
  kit_to(&k, 12.34, b);
  for (int l = 0; l < 3; l++) near(x[l], b[l], 1e-10);
  kit_end(&k);
}

/* A jump and corners of the input: nothing is smeared across them. */
static void test_input_corners(void **state)
{
  kit k;
  double x[2];
  const char *step = "step:3,1.5", *tri = "triangle:1,0.25";
  kit_plant(&k, "mass_spring", "coulomb", "ks=0,m=2,Fc=1,Fs=1,sigma2=0", &step, NULL);
  kit_solver(&k, NULL, NULL);
  kit_to(&k, 1.5, x);
  assert_true(x[0] == 0 && x[1] == 0);
  kit_to(&k, 3.5, x);
  near(x[1], 2, 1e-12); /* (3 - 1) / 2 * 2 s */
  near(x[0], 2, 1e-12);
  kit_end(&k);
  /* Dahl moved by a triangle: closed form on every branch */
  kit_plant(&k, "filtered", "dahl", "sigma0=3,Fc=2,tau=0.5", &tri, NULL);
  kit_solver(&k, NULL, NULL);
  kit_to(&k, 3, x); /* u went to 1 and back to -1 */
  const double F1 = 2 * (1 - exp(-1.5)), F2 = -2 + (F1 + 2) * exp(-3.0);
  near(x[1], F2, 1e-11);
  kit_end(&k);
}

static int count_event(void *ctx, const br_event *ev)
{
  *(size_t *)ctx += isfinite(ev->x[0]);
  return 0;
}

/* Constant steps converge to the located solution; watching events changes nothing. */
static void test_fixed_step_converges(void **state)
{
  static const char *const models[] = {"lugre", "dahl", "coulomb", "maxwell_slip"};
  for (int q = 0; q < 4; q++) {
    kit k;
    double ref[16], x[16], watched[16], error[2];
    size_t events = 0;
    const char *input = "sine:3,0.3";
    br_solve_settings s = br_solve_settings_default();
    kit_plant(&k, "mass_spring", models[q], q == 3 ? "model.k=20,30,Delta=0.01,0.03" : NULL, &input, NULL);
    kit_solver(&k, &s, NULL);
    kit_to(&k, 5, ref);
    for (int i = 0; i < 2; i++) {
      s.kind = BR_SOLVER_FIXED, s.dt = i ? 1e-5 : 1e-4;
      kit_solver(&k, &s, NULL);
      kit_to(&k, 5, x);
      error[i] = fabs(x[0] - ref[0]);
    }
    s.on_event = count_event, s.ctx = &events;
    kit_solver(&k, &s, NULL);
    kit_to(&k, 5, watched);
    assert_true(events >= 2);
    assert_memory_equal(x, watched, br_plant_nstate(k.plant) * sizeof *x);
    printf("  fixed, %s: error %.2e at 0.1 ms, %.2e at 0.01 ms\n", models[q], error[0], error[1]);
    assert_true(error[1] < 0.3 * error[0] || error[1] < 1e-9);
    kit_end(&k);
  }
}

/* The same book by CVODE's own quadratures and by the fixed-step mode. */
static void other_solvers(kit *k, const br_energy *e)
{
  br_solve_settings s = br_solve_settings_default();
  double residual[2];
  s.energy = 1;
  if (BR_WITH_SUNDIALS) {
    s.kind = BR_SOLVER_CVODE, s.rtol = 1e-10;
    kit_solver(k, &s, NULL);
    for (int i = 1; i <= 10; i++) kit_to(k, 0.73 * i, NULL);
    const br_energy c = br_solver_energy(k->solver);
    near(c.work_in, e->work_in, 1e-6 * e->work_in);
    near(c.friction, e->friction, 1e-6 * e->work_in);
    near(c.dissipated, e->dissipated, 1e-6 * e->work_in);
    near(c.stored, e->stored, 1e-6 * e->work_in);
    near(c.residual, 0, 1e-6 * e->work_in);
  } else {
    printf("skip: built without SUNDIALS\n");
  }
  for (int i = 0; i < 2; i++) {
    s.kind = BR_SOLVER_FIXED, s.dt = i ? 1e-5 : 1e-4;
    kit_solver(k, &s, NULL);
    kit_to(k, 7.3, NULL);
    const br_energy f = br_solver_energy(k->solver);
    residual[i] = fabs(f.residual);
    if (i) near(f.dissipated, e->dissipated, 2e-3 * e->work_in);
  }
  assert_true(residual[1] < 0.2 * residual[0]);
}

/* Energy: the book balances for every model with a stored energy, with dampers and base motion too. */
static void test_energy_balances(void **state)
{
  static const char *const models[] = {
      "coulomb", "dahl", "lugre", "maxwell_slip", "gms", "bouc_wen", "lugre_elastoplastic"};
  for (int q = 0; q < 7; q++) {
    kit k;
    const char *const inputs[2] = {"sine:2,0.4", "sine:1,0.7"};
    br_solve_settings s = br_solve_settings_default();
    s.energy = 1;
    kit_plant(&k, "chain", models[q], "m=1,0.5,system.k=50,80,c=0.3,0.2", inputs, NULL);
    kit_solver(&k, &s, NULL);
    kit_to(&k, 7.3, NULL);
    const br_energy e = br_solver_energy(k.solver);
    printf("  %s: in %.6g, stored %.6g, dissipated %.6g, residual %.1e J\n", models[q], e.work_in, e.stored,
           e.dissipated, e.residual);
    assert_true(e.dissipated > 0);
    near(e.residual, 0, 1e-8 * fabs(e.work_in));
    other_solvers(&k, &e);
    kit_end(&k);
  }
}

static void nasty(const void *ctx, double t, int side, double *w, double *dw)
{
  (void)ctx, (void)side;
  *w = t > 1 ? NAN : 1, *dw = 0;
}

static void test_errors_are_reported(void **state)
{
  br_err err;
  kit k;
  double x[4] = {0, NAN, 0, 0};
  br_plant *p = NULL;
  br_solver *s = NULL;
  br_solve_settings set = br_solve_settings_default();
  kit_plant(&k, "mass_spring", "lugre", NULL, NULL, NULL);
  assert_int_equal(br_plant_create(NULL, NULL, NULL, NULL, NULL, &p, &err), BR_E_ARG);
  assert_null(p);
  set.rtol = 0;
  assert_int_equal(br_solver_create(k.plant, &set, &s, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "rtol"));
  assert_null(s);
  set = br_solve_settings_default();
  set.kind = BR_SOLVER_FIXED, set.dt = -1;
  assert_int_equal(br_solver_create(k.plant, &set, &s, &err), BR_E_RANGE);
  set = br_solve_settings_default();
  assert_int_equal(br_solver_create(k.plant, &set, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, x, &err), BR_E_NAN);
  assert_non_null(strstr(err.msg, "v ="));
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_OK);
  assert_int_equal(br_solver_advance(s, NAN, x, &err), BR_E_ARG);
  assert_int_equal(br_solver_advance(s, 1, x, &err), BR_OK);
  assert_int_equal(br_solver_advance(s, 0.5, x, &err), BR_E_ARG);
  br_solver_destroy(s);
  /* an input that turns into NaN: named with time and state, not integrated over */
  const br_drive drive = {0, nasty, NULL, 0, NULL};
  assert_int_equal(
      br_plant_create(k.plant->sys, k.plant->spar, k.plant->mod, k.plant->mpar, &drive, &p, &err), BR_OK);
  assert_int_equal(br_solver_create(p, NULL, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, NULL, &err), BR_OK);
  assert_true(br_solver_advance(s, 3, x, &err) < 0);
  assert_non_null(strstr(err.msg, "t = "));
  assert_non_null(strstr(err.msg, "v = "));
  br_solver_destroy(s);
  br_plant_destroy(p);
  set.max_steps = 10;
  assert_int_equal(br_solver_create(k.plant, &set, &s, &err), BR_OK);
  x[1] = 1;
  assert_int_equal(br_solver_start(s, 0, x, &err), BR_OK);
  assert_int_equal(br_solver_advance(s, 1e3, x, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "step limit"));
  br_solver_destroy(s);
  /* axes that do not fit */
  double spar[64], mpar[512];
  const br_system *two = br_system_find("two_axis");
  two->defaults(spar), two->prepare(spar);
  k.plant->mod->defaults(mpar), k.plant->mod->prepare(mpar);
  assert_int_equal(br_plant_create(two, spar, k.plant->mod, mpar, NULL, &p, &err), BR_E_UNSUPPORTED);
  kit_end(&k);
}

/* The cycle of a driven plant, and the refusal where there is none. */
static void test_driven_cycle(void **state)
{
  kit k;
  br_cycle c;
  br_err err;
  double lo[8], hi[8], x0[8], x[8];
  const char *input = "sine:1,0.015915494309189535";
  const double none = 0;
  kit_plant(&k, "mass_spring", "dahl", NULL, &input, NULL);
  if (br_cycle_find(k.plant, NULL, NULL, NULL, &c, x0, lo, hi, &err)) fail_msg("%s", err.msg);
  near(c.period, 20 * KIT_PI, 1e-9);
  kit_solver(&k, NULL, x0);
  kit_to(&k, c.period, x);
  for (int i = 0; i < 3; i++) near(x[i], x0[i], 1e-9);
  near(lo[0], -hi[0], 1e-9); /* symmetric */
  kit_end(&k);
  kit_plant(&k, "pulled_block", "lugre", DOCUMENT_1, NULL, &none);
  assert_int_equal(br_cycle_find(k.plant, NULL, NULL, NULL, &c, NULL, NULL, NULL, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "no cycle"));
  kit_end(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_jacobian),
      cmocka_unit_test(test_tiny_growth_is_seen),
      cmocka_unit_test(test_user_events_and_stopping),
      cmocka_unit_test(test_output_points),
      cmocka_unit_test(test_input_corners),
      cmocka_unit_test(test_fixed_step_converges),
      cmocka_unit_test(test_energy_balances),
      cmocka_unit_test(test_errors_are_reported),
      cmocka_unit_test(test_driven_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
