/* SPDX-License-Identifier: Apache-2.0
 * test_analytic.c - analytic inputs: rows do not depend on their spacing, no reversal or jump is lost. */
#include "bristle/solve.h"
#include "kit.h"

static const double PI = 3.14159265358979323846;

/* LuGre along u = A sin(w t): dz/dt by classical Runge-Kutta, a step never across a reversal. */
static double lugre_rate(double v, double z)
{
  const double g = 0.9 + 0.8 * exp(-pow(fabs(v) / 0.31, 1.3));
  return v - 123.4 * fabs(v) / g * z;
}
static double lugre_along(double A, double w, double t0, double t1, double z)
{
  const int steps = 20000;
  const double d = (t1 - t0) / steps;
  for (int i = 0; i < steps; i++) {
    const double t = t0 + i * d, v0 = A * w * cos(w * t), v1 = A * w * cos(w * (t + 0.5 * d)),
                 v2 = A * w * cos(w * (t + d));
    const double a = lugre_rate(v0, z), b = lugre_rate(v1, z + 0.5 * d * a),
                 c = lugre_rate(v1, z + 0.5 * d * b), e = lugre_rate(v2, z + d * c);
    z += d / 6 * (a + 2 * b + 2 * c + e);
  }
  return z;
}

static void lugre_under_a_sine(void **state)
{
  static const double STEP[] = {0.5, 0.1, 0.0125};
  const double A = 0.0437, w = 2 * PI * 0.83;
  double z = 0, t = 0;
  for (int k = 0; t < 1.5; k++) { /* from reversal to reversal */
    const double turn = fmin(1.5, (k + 0.5) * PI / w);
    z = lugre_along(A, w, t, turn, z);
    t = turn;
  }
  const double v = A * w * cos(w * 1.5), want = 123.4 * z + 5.6 * lugre_rate(v, z) + 0.7 * v;
  for (size_t i = 0; i < 3; i++) {
    const br_trace_options o = with(STEP[i], 1.5);
    const size_t n = run("lugre", "sigma0=123.4,sigma1=5.6,sigma2=0.7,Fc=0.9,Fs=1.7,vs=0.31,delta=1.3",
                         "sine:0.0437,0.83", &o, NULL);
    print_message("dt %g: F = %.15g, Runge-Kutta %.15g\n", STEP[i], F[n - 1], want);
    assert_true(fabs(V[n - 1] - v) < 1e-13 && fabs(F[n - 1] - want) < 1e-11);
  }
}

/* Largest difference of the force between rows of spacing dt and the solver's own prescribed motion. */
static double against_solver(const br_model *m, const double *par, const br_signal *sig, double dt,
                             double t_end, double *range)
{
  const br_system *sys = br_system_find("prescribed");
  double spar[64], x[64], worst = 0;
  const br_drive drive = br_drive_signal(sig);
  const br_signal *inputs[] = {sig};
  const br_trace_options o = with(dt, t_end);
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_trace *tr = NULL;
  const br_trace_row *row = NULL;
  br_err err;
  sys->defaults(spar);
  sys->prepare(spar);
  assert_int_equal(br_plant_create(sys, spar, m, par, &drive, &plant, &err), BR_OK);
  assert_int_equal(br_solver_create(plant, NULL, &solver, &err), BR_OK);
  assert_int_equal(br_solver_start(solver, 0, NULL, &err), BR_OK);
  assert_int_equal(br_trace_create(m, par, inputs, &o, &tr, &err), BR_OK);
  *range = 0;
  for (;;) {
    double f = 0;
    const br_status ours = br_trace_next(tr, &row, &err);
    if (ours != BR_OK && ours != BR_E_UNSUPPORTED) fail_msg("%s: %s", m->name, err.msg);
    if (ours == BR_OK && !row) break;
    const br_status theirs = br_solver_advance(solver, row ? row->t : t_end, x, &err);
    if (ours != theirs) fail_msg("%s: trace says %d, the solver %d: %s", m->name, ours, theirs, err.msg);
    if (!row) break; /* both refuse the jump */
    br_solver_force(solver, &f);
    worst = fmax(worst, fabs(f - row->F[0]));
    *range = fmax(*range, fabs(f));
  }
  br_trace_destroy(tr);
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return worst;
}

static void every_model_as_the_solver(void **state)
{
  static const char *const SPEC[] = {"sine:0.03,1.3,20deg",
                                     "chirp:0.01,0.4,3,2",
                                     "expr:0.02*sin(5*t)*exp(-t)+0.01*abs(t-0.9)",
                                     "trapezoid:0.05,0.1,0.4",
                                     "scurve:0.05,0.1,0.4,4",
                                     "triangle:0.02,1.5",
                                     "pwl:0,0,0.3,0.02,0.6,0.02,1,-0.01,2,-0.01",
                                     "step:0.02,0.5",
                                     "expr:0.01*floor(2*t)",
                                     "expr:0.01*ceil(2*t)",
                                     "expr:0.02*mod(t,0.5)",
                                     "expr:0.1*t^2",
                                     "expr:0.1"};
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  br_err err;
  for (size_t i = 0; i < count; i++) {
    const br_model *m = all[i];
    br_params *p = NULL;
    if (m->axes != 1 || m->flags & BR_MODEL_JUMPS)
      continue; /* a million jumps over these ways: solve/jumps has them */
    assert_int_equal(br_params_create(m, &p, &err), BR_OK);
    assert_int_equal(br_params_finish(p, &err), BR_OK);
    for (size_t k = 0; k < sizeof SPEC / sizeof SPEC[0]; k++) {
      br_signal *sig = NULL;
      double range = 0;
      assert_int_equal(br_signal_parse(SPEC[k], &sig, &err), BR_OK);
      for (double dt = 0.31; dt > 0.01; dt *= 0.2) {
        const double worst = against_solver(m, br_params_block(p, "model"), sig, dt, 1.9, &range);
        if (!(worst <= 1e-9 * range)) fail_msg("%s %s dt %g: %g of %g", m->name, SPEC[k], dt, worst, range);
      }
      br_signal_destroy(sig);
    }
    br_params_destroy(p);
  }
}

/* Force of dahl (sigma0 = 7.5, Fc = 0.75) at the end of a formula, with the given spacing. */
static double dahl_end(const char *spec, double dt, double t_end)
{
  const br_trace_options o = with(dt, t_end);
  const size_t n = run("dahl", "sigma0=7.5,Fc=0.75", spec, &o, NULL);
  return F[n - 1];
}

static double along(size_t n, const double *u)
{
  double y = 0;
  for (size_t k = 1; k < n; k++) y = u[k] == u[k - 1] ? y : dahl_walk(y, u[k] - u[k - 1], 7.5, 0.75);
  return y;
}

/* Reversals where u is 0, at a tip, and in formulas whose parts are infinite. */
static void no_reversal_is_lost(void **state)
{
  const double t0 = 1 / log(2.0), top = log(t0) / log(2.0), high = top - t0;
  static const double STEP[] = {0.5, 0.25, 0.125, 0.01};
  for (size_t i = 0; i < 4; i++) {
    const double square[] = {0.31 * 0.31, 0, 0.19 * 0.19}, tip[] = {sqrt(0.31001), 0, sqrt(0.68999)};
    const double power[] = {-1, high, -1}, jump[] = {0, -1, high, -1};
    assert_true(fabs(dahl_end("expr:(t-0.31)^2", STEP[i], 0.5) - along(3, square)) < 1e-14);
    assert_true(fabs(dahl_end("expr:abs(t-0.31001)^0.5", STEP[i], 1) - along(3, tip)) < 1e-7);
    assert_true(fabs(dahl_end("expr:t-2^t", STEP[i], 1) - along(3, power)) < 1e-14);
    assert_true(fabs(dahl_end("expr:min(t-2^t,1/0)", STEP[i], 1) - along(3, power)) < 1e-14);
    assert_true(fabs(dahl_end("expr:max(t-2^t,-1/0)", STEP[i], 1) - along(3, power)) < 1e-14);
    assert_true(fabs(dahl_end("expr:t-2^t+0^t", STEP[i], 1) - along(4, jump)) < 1e-14);
  }
}

static void smooth_record_with_a_knot_at_zero(void **state)
{
  const double t[] = {0, 0.31, 1}, u[] = {0.2, 0, 0.3};
  const br_model *m = br_model_find("dahl");
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err;
  size_t n = 0;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "sigma0=7.5,Fc=0.75", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_from_samples(3, t, u, BR_SIGNAL_PCHIP, 0, &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
  const br_trace_options o = with(0.5, 1);
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_fill(tr, MOST, T, U, V, F, Z, &n, &err), BR_OK);
  assert_true(n == 3 && fabs(F[2] - along(3, u)) < 1e-14);
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  br_params_destroy(p);
}

/* Jumps are crossed at their instant, however the rows lie; a row shows the u that the formula has there. */
static void jumps(void **state)
{
  static const double STEP[] = {0.5, 0.1, 0.05, 0.3, 0.02, 0.001};
  double stairs[8], saw[41];
  for (int k = 0; k < 3; k++) stairs[k] = k;
  for (int k = 0; k < 41; k++) saw[k] = k % 2 ? 0.1 : 0;
  for (size_t i = 0; i < sizeof STEP / sizeof STEP[0]; i++) {
    assert_true(fabs(dahl_end("expr:floor(t)", STEP[i], 2.1) - along(3, stairs)) < 1e-14);
    assert_true(fabs(dahl_end("step:0.33,1", STEP[i], 2.1) - dahl_walk(0, 0.33, 7.5, 0.75)) < 1e-15);
    const double end = dahl_end("expr:mod(t,0.1)", STEP[i], 2.1), x = U[(size_t)(2.1 / STEP[i] + 1e-9)];
    const double low = along(41, saw); /* the lower end of the steady saw tooth, and x above it */
    assert_true(fabs(end - dahl_walk(low, x, 7.5, 0.75)) < 1e-12);
  }
  const br_trace_options o = with(0.5, 2);
  assert_int_equal(run("dahl", "", "expr:ceil(t)", &o, NULL), 5);
  assert_true(U[2] == 1 && U[3] == 2 && U[4] == 2 && F[2] != F[3] && F[4] == F[3]);
  /* a rate-dependent model crosses at unlimited speed: level Fc, not Fs */
  const br_trace_options l = with(0.1, 1);
  const size_t n = run("lugre", "sigma0=1e5,sigma1=0,sigma2=0,Fc=1,Fs=1.5", "step:1e-5,0.33", &l, NULL);
  assert_true(fabs(F[n - 1] - (1 - exp(-1.0))) < 1e-14);
}

static int asked;
static int stop_soon(void *ctx, double t)
{
  (void)ctx, (void)t;
  return ++asked > 3;
}

/* Between two rows there may be any number of jumps: the run can be stopped there. */
static void stops_on_request(void **state)
{
  const br_model *m = br_model_find("dahl");
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  const br_trace_row *row = NULL;
  br_err err;
  br_trace_options o = with(1, 2);
  o.on_step = stop_soon;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_parse("expr:floor(1e9*t)", &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_next(tr, &row, &err), BR_OK);
  assert_int_equal(br_trace_next(tr, &row, &err), BR_INTERRUPTED);
  assert_int_equal(asked, 4);
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  br_params_destroy(p);
}

/* Two axes on a circle: the coarse rows are among the fine ones. */
static void two_axes(void **state)
{
  static double coarse[2][8];
  const br_model *m = br_model_find("bouc_wen_biaxial");
  br_params *p = NULL;
  br_signal *sig[2] = {NULL, NULL};
  br_err err;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_parse("sine:2,1", &sig[0], &err), BR_OK);
  assert_int_equal(br_signal_parse("sine:1,1,90deg", &sig[1], &err), BR_OK);
  const br_signal *inputs[] = {sig[0], sig[1]};
  for (int fine = 0; fine < 2; fine++) {
    const br_trace_options o = with(fine ? 0.01 : 0.25, 1.5);
    br_trace *tr = NULL;
    size_t n = 0;
    assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
    if (br_trace_fill(tr, MOST, T, U, V, F, NULL, &n, &err)) fail_msg("%s", err.msg);
    for (size_t k = 0; k < 7; k++)
      for (size_t a = 0; a < 2; a++) {
        if (!fine) coarse[a][k] = F[a * MOST + k];
        else assert_true(fabs(F[a * MOST + 25 * k] - coarse[a][k]) < 1e-10);
      }
    br_trace_destroy(tr);
  }
  br_signal_destroy(sig[0]);
  br_signal_destroy(sig[1]);
  br_params_destroy(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lugre_under_a_sine),
      cmocka_unit_test(every_model_as_the_solver),
      cmocka_unit_test(no_reversal_is_lost),
      cmocka_unit_test(smooth_record_with_a_knot_at_zero),
      cmocka_unit_test(jumps),
      cmocka_unit_test(stops_on_request),
      cmocka_unit_test(two_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
