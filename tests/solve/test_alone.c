/* SPDX-License-Identifier: Apache-2.0
 * test_alone.c - mechanisms without a model: ODEs of one's own, with turns, outputs, cycles and their
 * multipliers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bristle/solve.h"
#include "support/near.h"

static size_t two(const void *par) { return par ? 2 : 0; }
static size_t three(const void *par) { return par ? 3 : 0; }

/* ---- van der Pol: x, x' in units of 1/unit of x; the third state is the integral of the divergence ---- */

typedef struct {
  double mu, unit;
} oscillator;

static void vdp_motion(const void *par, const double *w, const double *dw, const double *q, double *u,
                       double *v)
{
  const oscillator *p = par;
  (void)w, (void)dw;
  u[0] = q[0], v[0] = q[1];
  u[1] = q[0] * q[0] + p->unit, v[1] = 1;
}

static double divergence(const oscillator *p, const double *q)
{
  return p->mu * (1 - p->unit * p->unit * q[0] * q[0]);
}

static void vdp_rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                     double *dq)
{
  (void)w, (void)dw, (void)F;
  dq[0] = q[1];
  dq[1] = divergence(par, q) * q[1] - q[0];
}

static void vdp_rate_beside(const void *par, const double *w, const double *dw, const double *q,
                            const double *F, double *dq)
{
  vdp_rate(par, w, dw, q, F, dq);
  dq[2] = divergence(par, q);
}

static const br_state STATES[] = {{"x", "m", "position", 1}, {"v", "m/s", "velocity", 1}, {"s", "1", "", 1}};

static br_system vdp_of(size_t n)
{
  br_system sys = {.name = "van_der_pol", .axes = 1, .slots = 2, .states = STATES, .nrows = n, .nq = n};
  sys.max_contact = 2, sys.nstate = n == 3 ? three : two, sys.ncontact = two;
  sys.motion = vdp_motion, sys.rate = n == 3 ? vdp_rate_beside : vdp_rate;
  return sys;
}

/* By Liouville the one multiplier besides 1 is exp of the integral of the divergence over a period, whatever
 * the unit of the states; the period for mu = 1 is 6.66328685932313 (to 15 digits in the literature). */
static void cycles_and_multipliers(void **state)
{
  static const oscillator AT[] = {{0.1, 1}, {0.3, 1}, {1, 1}, {1, 1e-3}, {1, 50}, {2.5, 1}};
  (void)state;
  for (size_t i = 0; i < sizeof AT / sizeof AT[0]; i++) {
    const double par[2] = {AT[i].mu, AT[i].unit};
    const br_system plane = vdp_of(2), beside = vdp_of(3);
    double start[3] = {2 / AT[i].unit, 0, 0}, x0[3], lo[4], hi[4];
    br_plant *p = NULL;
    br_solver *s = NULL;
    br_cycle c;
    br_err err;
    br_solve_settings set = br_solve_settings_default();
    if (br_plant_create_alone(&plane, par, NULL, &p, &err)) fail_msg("%s", err.msg);
    if (br_cycle_find(p, NULL, NULL, start, &c, x0, lo, hi, &err)) fail_msg("case %zu: %s", i, err.msg);
    br_plant_destroy(p);
    if (AT[i].mu == 1) near(c.period, 6.66328685932313, 1e-8);
    assert_int_equal(c.multipliers, 1);
    assert_true(c.friction_work == c.friction_work); /* of outputs it means nothing, but is a number */
    near(hi[2], hi[0], 1e-9 * hi[0]);                /* extremes of the outputs: x and x^2 + unit */
    near(lo[2], lo[0], 1e-9 * hi[0]);
    near(lo[3], AT[i].unit, 1e-8 * hi[3]);
    near(hi[3], hi[0] * hi[0] + AT[i].unit, 1e-8 * hi[3]);
    x0[2] = 0;
    set.rtol = 1e-11;
    assert_int_equal(br_plant_create_alone(&beside, par, NULL, &p, &err), BR_OK);
    assert_int_equal(br_solver_create(p, &set, &s, &err), BR_OK);
    assert_int_equal(br_solver_start(s, 0, x0, &err), BR_OK);
    assert_int_equal(br_solver_advance(s, c.period, start, &err), BR_OK);
    near(c.re[0], exp(start[2]), 1e-4 * exp(start[2]) + 1e-6);
    assert_true(c.im[0] == 0);
    br_solver_destroy(s);
    br_plant_destroy(p);
  }
}

/* ---- a driven linear oscillator whose second state is counted in another unit: multipliers by closed form
 * ---- */

static void linear_motion(const void *par, const double *w, const double *dw, const double *q, double *u,
                          double *v)
{
  const double *unit = par;
  (void)w, (void)dw;
  u[0] = q[0], v[0] = unit[0] * q[1];
  u[1] = 0, v[1] = 1;
}

static void linear_rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                        double *dq)
{
  const double *unit = par; /* m/s in one unit of q[1] */
  (void)dw, (void)F;
  dq[0] = unit[0] * q[1];
  dq[1] = -0.2 * q[1] + (w[0] - q[0]) / unit[0];
}

static void wave(const void *ctx, double t, int side, double *w, double *dw)
{
  const double omega = *(const double *)ctx;
  (void)side;
  *w = cos(omega * t), *dw = -omega * sin(omega * t);
}

static void any_unit(void **state)
{
  static const br_system_input INPUT[] = {{"F", "N", "force", 0}};
  static const double UNIT[] = {1, 1e-6, 1e5}, OMEGA = 1.7;
  const double T = 2 * 3.14159265358979323846 / OMEGA, omega = sqrt(1 - 0.01);
  (void)state;
  for (size_t i = 0; i < sizeof UNIT / sizeof UNIT[0]; i++) {
    br_system sys = {.name = "oscillator", .axes = 1, .slots = 1, .states = STATES, .nrows = 2, .nq = 2};
    sys.max_contact = 2, sys.nstate = two, sys.ncontact = two, sys.inputs = INPUT, sys.ninput = 1;
    sys.motion = linear_motion, sys.rate = linear_rate;
    br_drive drive;
    memset(&drive, 0, sizeof drive);
    drive.eval = wave, drive.period = T, drive.ctx = &OMEGA;
    br_plant *p = NULL;
    br_cycle c;
    br_err err;
    double x0[2];
    if (br_plant_create_alone(&sys, &UNIT[i], &drive, &p, &err)) fail_msg("%s", err.msg);
    if (br_cycle_find(p, NULL, NULL, NULL, &c, x0, NULL, NULL, &err))
      fail_msg("unit %g: %s", UNIT[i], err.msg);
    assert_int_equal(c.multipliers, 2); /* exp((-0.1 +- i omega) T) */
    for (int k = 0; k < 2; k++) {
      near(c.re[k], exp(-0.1 * T) * cos(omega * T), 1e-5);
      near(fabs(c.im[k]), exp(-0.1 * T) * fabs(sin(omega * T)), 1e-5);
    }
    near(c.im[0], -c.im[1], 1e-12);
    /* the steady answer at t = 0: Re 1 / (1 - omega^2 + 0.2 i omega) */
    const double a = 1 - OMEGA * OMEGA, b = 0.2 * OMEGA;
    near(x0[0], a / (a * a + b * b), 1e-7);
    near(UNIT[i] * x0[1], OMEGA * b / (a * a + b * b), 1e-7);
    br_plant_destroy(p);
  }
}

/* ---- turns ---- */

typedef struct {
  size_t n;
  double t[16];
  int way[16];
} turns;

static int see(void *ctx, const br_event *e)
{
  turns *seen = ctx;
  if (e->type == BR_EVENT_REVERSAL && e->index == 0 && seen->n < 16)
    seen->way[seen->n] = e->direction, seen->t[seen->n++] = e->t;
  return 0;
}

/* mu = 0 is the harmonic oscillator: x = cos t turns at every multiple of pi; the other output never does. */
static void turns_are_located(void **state)
{
  const double par[2] = {0, 1}, pi = 3.14159265358979323846;
  const br_system sys = vdp_of(2);
  turns seen = {0, {0}, {0}};
  double x[2] = {cos(0.5), -sin(0.5)};
  br_plant *p = NULL;
  br_solver *s = NULL;
  br_err err;
  br_solve_settings set = br_solve_settings_default();
  (void)state;
  set.rtol = 1e-12, set.on_event = see, set.ctx = &seen;
  assert_int_equal(br_plant_create_alone(&sys, par, NULL, &p, &err), BR_OK);
  assert_int_equal(br_solver_create(p, &set, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, x, &err), BR_OK);
  assert_int_equal(br_solver_advance(s, 20, x, &err), BR_OK);
  assert_int_equal(seen.n, 6); /* pi - 0.5 .. 6 pi - 0.5 */
  for (size_t k = 0; k < seen.n; k++) {
    near(seen.t[k], (double)(k + 1) * pi - 0.5, 1e-9);
    assert_int_equal(seen.way[k], k % 2 ? -1 : 1);
  }
  near(x[0], cos(20.5), 1e-9);
  br_solver_destroy(s);
  br_plant_destroy(p);
}

/* Around a turn the velocity changes by no more than some of its scale in a step, however smooth the motion
 * is. */
static double narrow(const void *par, size_t contact)
{
  (void)par;
  return contact ? 0 : 1e-4;
}

static size_t steps_of_half_turn(double (*scale)(const void *par, size_t contact), double *end)
{
  const double par[2] = {0, 1};
  br_system sys = vdp_of(2);
  double x[2] = {cos(-0.5), -sin(-0.5)};
  br_plant *p = NULL;
  br_solver *s = NULL;
  br_err err;
  sys.scale = scale;
  assert_int_equal(br_plant_create_alone(&sys, par, NULL, &p, &err), BR_OK);
  assert_int_equal(br_solver_create(p, NULL, &s, &err), BR_OK);
  assert_int_equal(br_solver_start(s, 0, x, &err), BR_OK);
  assert_int_equal(br_solver_advance(s, 1, x, &err), BR_OK);
  const size_t steps = br_solver_stats(s).steps;
  *end = x[0];
  br_solver_destroy(s);
  br_plant_destroy(p);
  return steps;
}

static void steps_mind_the_scale(void **state)
{
  double plain, fine;
  (void)state;
  const size_t few = steps_of_half_turn(NULL, &plain), many = steps_of_half_turn(narrow, &fine);
  assert_true(many > 2 * few); /* 40 scales to either side, each step by 1.5 of what it is away from zero */
  near(plain, cos(0.5), 1e-7);
  near(fine, cos(0.5), 1e-7);
}

static void what_is_refused(void **state)
{
  const double par[2] = {1, 1};
  br_system sys = vdp_of(2);
  br_plant *p = (br_plant *)&sys;
  br_err err;
  (void)state;
  assert_int_equal(br_plant_create_alone(NULL, par, NULL, &p, &err), BR_E_ARG);
  assert_null(p);
  assert_int_equal(br_plant_create_alone(&sys, par, NULL, NULL, &err), BR_E_ARG);
  assert_int_equal(br_plant_create(&sys, par, NULL, NULL, NULL, &p, &err),
                   BR_E_ARG); /* a model that was not found */
  sys.axes = 2;
  assert_int_equal(br_plant_create_alone(&sys, par, NULL, &p, &err), BR_E_UNSUPPORTED);
  sys = vdp_of(2), sys.rate = NULL;
  assert_int_equal(br_plant_create_alone(&sys, par, NULL, &p, &err), BR_E_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_and_multipliers), cmocka_unit_test(any_unit),
                                     cmocka_unit_test(turns_are_located),
                                     cmocka_unit_test(steps_mind_the_scale),
                                     cmocka_unit_test(what_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
