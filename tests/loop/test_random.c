/* SPDX-License-Identifier: Apache-2.0
 * test_random.c - closed-form loops of 200 random motions against integration of the equations written down
 * here once more: Runge-Kutta in long double with its own error estimate, and CVODE at tight tolerances where
 * it is there. */
#include "loopkit.h"

#include "bri_config.h"
#if BR_WITH_SUNDIALS
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#endif

enum { RUNS = 200, MOST = 24 };

typedef struct {
  double sigma0, sigma1, sigma2, Fc, Fs, vs, delta; /* LuGre; g is evaluated below */
  double speed;                                     /* m/s; 0: quasi-static */
  size_t n;
  double u[MOST];
} scene;

static double level(const scene *c)
{
  return c->speed > 0 ? c->Fc + (c->Fs - c->Fc) * exp(-pow(c->speed / c->vs, c->delta)) : c->Fs;
}

/* dz/drho for direction s. */
static long double slope(const scene *c, double s, long double z)
{
  return s - (long double)(c->sigma0 / level(c)) * z;
}

static double force(const scene *c, double s, double z)
{
  return c->sigma0 * z + c->sigma1 * c->speed * (double)slope(c, s, z) + c->sigma2 * s * c->speed;
}

static scene scene_draw(rng *r, int k)
{
  scene c;
  c.Fc = exp(rng_range(r, -2, 2));
  c.Fs = c.Fc * rng_range(r, 1, 2.5);
  c.vs = exp(rng_range(r, -5, 1));
  c.delta = rng_range(r, 0.6, 2.4);
  c.n = 2 * (1 + (size_t)rng_range(r, 0, 0.5 * MOST));
  random_turning(r, c.n, k % 5 == 0 ? 6 : 0, c.u);
  c.sigma0 = c.Fs * exp(rng_range(r, -3, 3.5)); /* sigma0/g0 per metre from 0.05 to 33 on arcs of up to 2 m */
  c.sigma1 = rng_range(r, 0, 2);
  c.sigma2 = rng_range(r, 0, 2);
  c.speed = k % 2 ? c.vs * exp(rng_range(r, -2, 2)) : 0.0;
  return c;
}

static br_loop *scene_loop(const scene *c)
{
  element e = element_open("lugre");
  char list[256];
  double path = 0;
  for (size_t i = 0; i < c->n; i++) path += fabs(c->u[(i + 1) % c->n] - c->u[i]);
  (void)snprintf(list, sizeof list,
                 "sigma0=%.17g,sigma1=%.17g,sigma2=%.17g,Fc=%.17g,Fs=%.17g,vs=%.17g,delta=%.17g", c->sigma0,
                 c->sigma1, c->sigma2, c->Fc, c->Fs, c->vs, c->delta);
  element_set(&e, list);
  br_loop *loop = loop_open(&e, c->n, c->u, c->speed / path);
  assert_int_equal(br_loop_get(loop)->method, BR_LOOP_CLOSED_FORM);
  return loop;
}

/* Bristle deflection of the loop at reversal i, from the force just before it. */
static double deflection(const scene *c, const br_loop *loop, size_t i)
{
  const double s = c->u[i] > c->u[(i + c->n - 1) % c->n] ? 1.0 : -1.0, y = br_loop_turnings(loop)[i].y;
  const double at_zero = force(c, s, 0), per_z = force(c, s, 1) - at_zero;
  return (y - at_zero) / per_z;
}

/* Rounding of the force, seen as deflection: large where sigma0 z and sigma1 dz/dt nearly cancel. */
static double rounding(const scene *c)
{
  const double per_z = force(c, 1, 1) - force(c, 1, 0), top = c->Fs + (c->sigma1 + c->sigma2) * c->speed;
  return 2e-14 * level(c) / c->sigma0 + 4e-15 * fabs(top / per_z);
}

/* ---- Runge-Kutta 4 with n steps ---- */

static long double rk_arc(const scene *c, double s, double L, long double z, int n)
{
  const long double h = (long double)L / n;
  for (int k = 0; k < n; k++) {
    const long double a = slope(c, s, z), b = slope(c, s, z + h / 2 * a), d = slope(c, s, z + h / 2 * b);
    z += h / 6 * (a + 2 * b + 2 * d + slope(c, s, z + h * d));
  }
  return z;
}

static void against_runge_kutta(void **state)
{
  rng r = {20261115};
  double worst = 0;
  size_t corners = 0;
  for (int k = 0; k < RUNS; k++) {
    const scene c = scene_draw(&r, k);
    br_loop *loop = scene_loop(&c);
    const size_t n = br_loop_get(loop)->n_turning;
    assert_int_equal(n, c.n);
    long double coarse = deflection(&c, loop, 0), fine = coarse;
    const double size = level(&c) / c.sigma0;
    for (size_t i = 0; i < n; i++) { /* once round: it must come back */
      const double d = c.u[(i + 1) % n] - c.u[i], s = d > 0 ? 1.0 : -1.0;
      coarse = rk_arc(&c, s, fabs(d), coarse, 400);
      fine = rk_arc(&c, s, fabs(d), fine, 800);
      const double own = (double)fabsl(fine - coarse), got = deflection(&c, loop, (i + 1) % n);
      const double off = fabs(got - (double)fine);
      if (!(off <= own + rounding(&c)))
        fail_msg("run %d, corner %zu: off by %.3g of %.3g, integrator %.3g", k, i, off, size, own);
      worst = fmax(worst, off / size);
      corners++;
    }
    br_loop_destroy(loop);
  }
  printf("%zu corners, largest difference %.2g of the settled deflection\n", corners, worst);
}

/* ---- CVODE ---- */

#if BR_WITH_SUNDIALS
typedef struct {
  const scene *c;
  double s;
} cv_data;

static int cv_slope(realtype r, N_Vector y, N_Vector dy, void *data)
{
  const cv_data *d = data;
  (void)r;
  NV_Ith_S(dy, 0) = (double)slope(d->c, d->s, NV_Ith_S(y, 0));
  return 0;
}

/* z at the end of an arc at relative tolerance tol, Adams with fixed-point iteration. */
static double cv_arc(SUNContext ctx, const scene *c, double s, double L, double z, double tol)
{
  cv_data data = {c, s};
  N_Vector y = N_VNew_Serial(1, ctx);
  void *mem = CVodeCreate(CV_ADAMS, ctx);
  realtype at = 0;
  NV_Ith_S(y, 0) = z;
  assert_int_equal(CVodeInit(mem, cv_slope, 0, y), CV_SUCCESS);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, ctx);
  assert_int_equal(CVodeSStolerances(mem, tol, tol * level(c) / c->sigma0), CV_SUCCESS);
  assert_int_equal(CVodeSetNonlinearSolver(mem, solver), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(mem, &data), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxNumSteps(mem, 1000000), CV_SUCCESS);
  assert_int_equal(CVodeSetStopTime(mem, L), CV_SUCCESS);
  assert_true(CVode(mem, L, y, &at, CV_NORMAL) >= 0);
  z = NV_Ith_S(y, 0);
  CVodeFree(&mem);
  SUNNonlinSolFree(solver);
  N_VDestroy(y);
  return z;
}

static void against_cvode(void **state)
{
  rng r = {20261115};
  SUNContext ctx;
  double worst = 0, own_worst = 0;
  assert_int_equal(SUNContext_Create(NULL, &ctx), 0);
  for (int k = 0; k < RUNS; k++) {
    const scene c = scene_draw(&r, k);
    br_loop *loop = scene_loop(&c);
    double run = deflection(&c, loop, 0), tighter = run, own = 0;
    const double size = level(&c) / c.sigma0;
    for (size_t i = 0; i < c.n; i++) {
      const double d = c.u[(i + 1) % c.n] - c.u[i], s = d > 0 ? 1.0 : -1.0;
      run = cv_arc(ctx, &c, s, fabs(d), run, 1e-12);
      tighter = cv_arc(ctx, &c, s, fabs(d), tighter, 1e-14);
      /* the integrator's own error: what two more digits of tolerance change, and what they leave */
      own = fmax(own, fabs(run - tighter));
      const double off = fabs(deflection(&c, loop, (i + 1) % c.n) - run);
      if (!(off <= own + 2e-13 * size + rounding(&c)))
        fail_msg("run %d, corner %zu: off by %.3g of %.3g, CVODE's own error %.3g", k, i, off, size, own);
      worst = fmax(worst, off / size);
    }
    own_worst = fmax(own_worst, own / size);
    br_loop_destroy(loop);
  }
  SUNContext_Free(&ctx);
  printf("largest difference to CVODE at 1e-12: %.2g, CVODE's own error up to %.2g (of the settled "
         "deflection)\n",
         worst, own_worst);
}
#else
static void against_cvode(void **state)
{
  printf("skip: no SUNDIALS in this build\n");
  skip();
}
#endif

/* From any state the loop is reached, at the rate the summary states. */
static void transients_converge(void **state)
{
  rng r = {7};
  for (int k = 0; k < 50; k++) {
    const scene c = scene_draw(&r, 2 * k);
    br_loop *loop = scene_loop(&c);
    const double R = br_loop_get(loop)->path_length, z0 = rng_range(&r, -1, 1) * c.Fs / c.sigma0;
    const double start = br_loop_transient(loop, &z0, 0, 1) - br_loop_y(loop, 0, 1);
    near(br_loop_transient(loop, &z0, 0, 1), c.sigma0 * z0, 1e-14 * c.Fs);
    for (int p = 1; p < 4; p++) {
      const double off = br_loop_transient(loop, &z0, p * R, 1) - br_loop_y(loop, 0, 1);
      near(off, start * pow(br_loop_get(loop)->contraction, p), 1e-12 * c.Fs);
    }
    br_loop_destroy(loop);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_runge_kutta),
      cmocka_unit_test(against_cvode),
      cmocka_unit_test(transients_converge),
  };
  return cmocka_run_group_tests_name("loop/random", tests, NULL, NULL);
}
