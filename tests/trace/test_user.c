/* SPDX-License-Identifier: Apache-2.0
 * test_user.c - users' models: two axes, not a number, stuck, modes. */
#include "kit.h"

/* ---- users' models: two axes, not a number, stuck, modes ---- */

static size_t one_state(const void *par) { return 1; }
static size_t two_states(const void *par) { return 2; }
static size_t no_mode(const void *par) { return 0; }
static size_t one_mode(const void *par) { return 1; }
static void z_force(const void *par, double n, const double *u, const double *v, const double *z,
                    const double *dz, double *out)
{
  out[0] = z[0];
}

/* x and y coupled by rotation: zx' = vx - w zy, zy' = vy + w zx. */
static void turn_rate(const void *par, double n, const double *u, const double *v, const double *z,
                      double *dz)
{
  const double w = *(const double *)par;
  dz[0] = v[0] - w * z[1];
  dz[1] = v[1] + w * z[0];
}
static void turn_force(const void *par, double n, const double *u, const double *v, const double *z,
                       const double *dz, double *out)
{
  out[0] = z[0] + u[0];
  out[1] = z[1] + u[1];
}
static const br_state XY[] = {{"zx", "m", "", 1}, {"zy", "m", "", 1}, {NULL, NULL, NULL, 0}};
static const br_state ONE[] = {{"z", "m", "", 1}, {NULL, NULL, NULL, 0}};

static void two_axes(void **state)
{
  const double w = 3.1;
  br_model m;
  memset(&m, 0, sizeof m);
  m.name = "turning";
  m.axes = 2;
  m.states = XY;
  m.nstates_rows = m.nz = 2;
  m.nstate = two_states;
  m.nmode = no_mode;
  m.rate = turn_rate;
  m.force = turn_force;
  br_signal *sig[2] = {NULL, NULL};
  br_trace *tr = NULL;
  br_err err;
  size_t n = 0;
  const br_trace_options o = with(0.05, 2);
  assert_int_equal(br_signal_parse("ramp:0.3", &sig[0], &err), BR_OK);
  assert_int_equal(br_signal_parse("pwl:0,0,1.02,0.5,9,0.5", &sig[1], &err), BR_OK);
  const br_signal *inputs[] = {sig[0], sig[1]};
  assert_int_equal(br_trace_create(&m, &w, inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_fill(tr, MOST, T, U, V, F, Z, &n, &err), BR_OK);
  assert_int_equal(n, 41);
  assert_int_equal(br_trace_statistics(tr).splits, 1);
  /* z = c + rotation of (z0 - c), with c = (-vy, vx)/w, on each part of constant velocity */
  for (size_t k = 0; k < n; k++) {
    double x = 0, y = 0, t = 0;
    while (t < T[k]) {
      const double end = t < 1.02 && T[k] > 1.02 ? 1.02 : T[k], vx = 0.3, vy = t < 1.02 ? 0.5 / 1.02 : 0;
      const double cx = -vy / w, cy = vx / w, c = cos(w * (end - t)), s = sin(w * (end - t));
      const double dx = x - cx, dy = y - cy;
      x = cx + c * dx - s * dy;
      y = cy + s * dx + c * dy;
      t = end;
    }
    assert_true(fabs(Z[k] - x) < 1e-11 && fabs(Z[MOST + k] - y) < 1e-11);
    assert_true(fabs(F[MOST + k] - (y + U[MOST + k])) < 1e-11 && fabs(U[k] - 0.3 * T[k]) < 1e-15);
  }
  br_trace_destroy(tr);
  inputs[1] = NULL;
  assert_int_equal(br_trace_create(&m, &w, inputs, &o, &tr, &err), BR_E_ARG);
  br_signal_destroy(sig[0]);
  br_signal_destroy(sig[1]);
}

static void blow_up_rate(const void *par, double n, const double *u, const double *v, const double *z,
                         double *dz)
{
  dz[0] = 1 + z[0] * z[0]; /* z = tan t: infinite at pi/2 */
}
static void chatter_rate(const void *par, double n, const double *u, const double *v, const double *z,
                         double *dz)
{
  dz[0] = z[0] > 0.25 ? -1 : 1; /* slides along z = 0.25 and never gets on */
}
static void nan_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  z[0] = u[0] + v[0] * h > 0.505 ? NAN : 1;
}
/* z' = v, but a mode switches it off for good at z = 0.3; plain Euler inside, so that halving has work to
 * do */
static void mode_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  if (z[1] == 0) z[0] += v[0] * h;
  if (z[0] >= 0.3) z[0] = 0.3, z[1] = 1;
}

static br_status run_user(br_model *m, size_t *n, br_err *err)
{
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  const br_trace_options o = with(0.01, 3);
  const br_trace_row *row = NULL;
  m->axes = 1;
  m->states = ONE;
  m->nstates_rows = m->nz = 1;
  m->nstate = one_state;
  m->force = z_force;
  assert_int_equal(br_signal_parse("ramp:1", &sig, err), BR_OK);
  const br_signal *inputs[] = {sig};
  assert_int_equal(br_trace_create(m, "", inputs, &o, &tr, err), BR_OK);
  const br_status st = br_trace_fill(tr, MOST, T, U, V, F, Z, n, err);
  if (st) { /* it stays there */
    br_err again;
    assert_int_equal(br_trace_next(tr, &row, &again), st);
    assert_null(row);
    assert_string_equal(again.msg, err->msg);
  }
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  return st;
}

static void failures_are_reported(void **state)
{
  br_model m;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  memset(&m, 0, sizeof m);
  m.name = "user";
  m.nmode = no_mode;
  m.rate = blow_up_rate;
  assert_int_equal(run_user(&m, &n, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "t = 1.57079632"));
  assert_int_equal(n, 158); /* 0 .. 1.57 */
  for (size_t k = 0; k < n; k++) assert_true(fabs(Z[k] - tan(T[k])) < 1e-8 * (1 + Z[k] * Z[k]));
  m.rate = chatter_rate;
  assert_int_equal(run_user(&m, &n, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "t = 0.25"));
  m.rate = NULL;
  m.step = nan_step;
  m.flags = BR_MODEL_EXACT_STEP;
  assert_int_equal(run_user(&m, &n, &err), BR_E_NAN);
  assert_non_null(strstr(err.msg, "state z is"));
  assert_non_null(strstr(err.msg, "t = 0.51"));
  assert_int_equal(n, 51);
}

static void modes_take_the_models_step(void **state)
{
  br_model m;
  br_err err;
  size_t n = 0;
  memset(&m, 0, sizeof m);
  m.name = "latch";
  m.nmode = one_mode;
  m.step = mode_step;
  assert_int_equal(run_user(&m, &n, &err), BR_OK);
  assert_int_equal(n, 301);
  for (size_t k = 0; k < n; k++) assert_true(fabs(Z[k] - fmin(T[k], 0.3)) < 1e-12);
}

/* z' = v cos(u): the place counts.  By its rate, and by a step of second order of a model with a mode. */
static void place_rate(const void *par, double n, const double *u, const double *v, const double *z,
                       double *dz)
{
  dz[0] = v[0] * cos(u[0]);
}

static void place_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  z[0] += h * v[0] * cos(u[0] + 0.5 * h * v[0]);
}

static void states_by_place(void **state)
{
  for (int moded = 0; moded < 2; moded++) {
    br_model m;
    br_err err;
    size_t n = 0;
    memset(&m, 0, sizeof m);
    m.name = "place";
    m.nmode = moded ? one_mode : no_mode;
    if (moded) m.step = place_step;
    else m.rate = place_rate;
    assert_int_equal(run_user(&m, &n, &err), BR_OK);
    for (size_t k = 0; k < n; k++) assert_true(fabs(Z[k] - sin(U[k])) < 1e-9);
    assert_true(n > 1 && fabs(U[n - 1]) > 1);
  }
}

/* Along a motion that curves, every piece sees the input as it is then: z' = v cos(u) gives z = sin(u),
 * and z' = v - k z what the rate makes of a sine. */
static void lag_rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  dz[0] = v[0] - 3 * z[0];
}

static void curved_motions(void **state)
{
  static const char *const SPECS[] = {"sine:0.8,0.5", "expr:0.3*t^2 - 0.4*t", "chirp:0.5,0.2,1,3"};
  (void)state;
  for (int lag = 0; lag < 2; lag++)
    for (size_t i = 0; i < 3; i++)
      for (int pieces = 1; pieces < 50; pieces += 24) { /* rows do not matter */
        br_model m;
        br_err err = {BR_OK, -1, ""};
        br_signal *sig = NULL;
        br_trace *tr = NULL;
        size_t n = 0;
        const double end = 2.5;
        const br_trace_options o = with(end / pieces, end);
        memset(&m, 0, sizeof m);
        m.name = "curved", m.axes = 1, m.states = ONE, m.nstates_rows = m.nz = 1;
        m.nstate = one_state, m.nmode = no_mode, m.force = z_force, m.rate = lag ? lag_rate : place_rate;
        if (br_signal_parse(SPECS[i], &sig, &err)) fail_msg("%s", err.msg);
        const br_signal *inputs[] = {sig};
        assert_int_equal(br_trace_create(&m, "", inputs, &o, &tr, &err), BR_OK);
        if (br_trace_fill(tr, MOST, T, U, V, F, Z, &n, &err)) fail_msg("%s", err.msg);
        assert_int_equal(n, pieces + 1);
        for (size_t k = 0; k < n; k++) {
          double z = sin(U[k]) - sin(U[0]);
          if (lag) { /* z = u - u0 - 3 int (u - u0) exp(-3 (t - s)) ds, by Simpson's rule */
            const int parts = 4000;
            double sum = 0;
            for (int q = 0; q <= parts; q++) {
              const double at = T[k] * q / parts, w = q == 0 || q == parts ? 1 : q % 2 ? 4 : 2;
              sum += w * (br_signal_value(sig, at) - U[0]) * exp(-3 * (T[k] - at));
            }
            z = U[k] - U[0] - 3 * sum * T[k] / (3 * parts);
          }
          if (!(fabs(Z[k] - z) < 1e-9))
            fail_msg("%s, %d: z(%g) = %.12g, not %.12g", SPECS[i], lag, T[k], Z[k], z);
        }
        br_trace_destroy(tr);
        br_signal_destroy(sig);
      }
}

/* Work along a motion of one's own model: with a block of numbers the solver books it, z = sin(u) does 1 -
 * cos(u) from rest; a step of its own will do on straight ways; without either that is said, and nothing
 * falls over. */
static void place_exactly(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  z[0] += sin(u[0] + h * v[0]) - sin(u[0]);
}

static void work_needs_a_block(void **state)
{
  static const char *const SPECS[] = {"ramp:0.7", "sine:0.8,0.5"};
  static const double par[1] = {1};
  (void)state;
  for (int block = 0; block < 2; block++)
    for (int step = 0; step < 2; step++)
      for (int i = 0; i < 2; i++)
        for (int rows = 1; rows < 20; rows += 9) {
          br_model m;
          br_err err = {BR_OK, -1, ""};
          br_signal *sig = NULL;
          br_trace *tr = NULL;
          br_trace_options o = with(1.9 / rows, 1.9);
          const br_trace_row *row = NULL;
          o.work = 1;
          memset(&m, 0, sizeof m);
          m.name = "worker", m.axes = 1, m.states = ONE, m.nstates_rows = m.nz = 1;
          m.nstate = one_state, m.nmode = no_mode, m.force = z_force, m.rate = place_rate,
          m.slots = (size_t)block;
          if (step) m.step = place_exactly, m.flags = BR_MODEL_EXACT_STEP;
          assert_int_equal(br_signal_parse(SPECS[i], &sig, &err), BR_OK);
          const br_signal *inputs[] = {sig};
          const br_status st = br_trace_create(&m, par, inputs, &o, &tr, &err);
          if (!block && (i || !step)) {
            assert_int_equal(st, BR_E_UNSUPPORTED);
            assert_non_null(strstr(err.msg, "in a block"));
            assert_null(tr);
          } else if (st) {
            fail_msg("%d %d %s: %s", block, step, SPECS[i], err.msg);
          }
          while (!st && br_trace_next(tr, &row, &err) == BR_OK && row)
            if (!(fabs(row->work - (1 - cos(row->u[0]))) < 1e-9))
              fail_msg("%d %d %s: %.12g, not %.12g", block, step, SPECS[i], row->work, 1 - cos(row->u[0]));
          br_trace_destroy(tr);
          br_signal_destroy(sig);
        }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_axes),
      cmocka_unit_test(failures_are_reported),
      cmocka_unit_test(modes_take_the_models_step),
      cmocka_unit_test(states_by_place),
      cmocka_unit_test(curved_motions),
      cmocka_unit_test(work_needs_a_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
