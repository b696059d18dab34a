/* SPDX-License-Identifier: Apache-2.0
 * test_options.c - times, recorded samples, names of states, and what is refused. */
#include "kit.h"
#include "base/alloc.h"

static void default_times(void **state)
{
  assert_int_equal(run("dahl", "", "sine:0.1,4", NULL, NULL), 2001);
  assert_true(T[1] == 0.25 / 1000 && fabs(T[2000] - 0.5) < 1e-15);
  assert_int_equal(run("dahl", "", "pwl:0,0,3,1", NULL, NULL), 1001);
  assert_true(fabs(T[1000] - 3) < 1e-14);
  assert_int_equal(run("dahl", "", "ramp:1", NULL, NULL), 1001);
  assert_true(fabs(T[1000] - 1) < 1e-15);
  /* a step is crossed at its instant, and something is seen behind it */
  assert_int_equal(run("dahl", "", "step:0.1,2", NULL, NULL), 1001);
  assert_true(fabs(T[1000] - 4) < 1e-14 && F[499] == 0 && F[500] > 0 && F[1000] == F[500]);
  assert_true(fabs(F[500] - dahl_walk(0, 0.1, 7.5, 0.75)) < 1e-15);
  /* the end need not be a multiple of the step; a rounded multiple counts */
  br_trace_options o = with(0.1, 0.3);
  assert_int_equal(run("dahl", "", "ramp:1", &o, NULL), 4);
  o = with(0.1, 0.39);
  assert_int_equal(run("dahl", "", "ramp:1", &o, NULL), 4);
}

static void recorded_samples(void **state)
{
  const double t[] = {1, 1.5, 1.75, 3, 3.125}, u[] = {0.1, 0.3, 0.2, 0.2, 0.6};
  const br_model *m = br_model_find("dahl");
  br_trace_options o = br_trace_options_default();
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err;
  size_t n = 0;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_from_arrays(5, t, u, &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
  o.own_samples = 1;
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_fill(tr, MOST, T, U, V, F, NULL, &n, &err), BR_OK);
  assert_int_equal(n, 5);
  double y = 0;
  for (size_t k = 0; k < 5; k++) {
    if (k) y = u[k] == u[k - 1] ? y : dahl_walk(y, u[k] - u[k - 1], 7.5, 0.75);
    assert_true(T[k] == t[k] && U[k] == u[k] && fabs(F[k] - y) < 1e-15);
    if (k) assert_true(fabs(V[k] - (u[k] - u[k - 1]) / (t[k] - t[k - 1])) < 1e-14);
  }
  br_trace_destroy(tr);
  o.t_end = 2;
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_count(tr), 3);
  br_trace_destroy(tr);
  o.t_end = 1.2;
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_E_SIZE);
  assert_null(tr);
  o.t_end = 0;
  o.dt = 0.25; /* resampled, from the first sample on */
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_count(tr), 9);
  assert_int_equal(br_trace_fill(tr, MOST, T, NULL, NULL, F, NULL, &n, &err), BR_OK);
  assert_true(T[0] == 1 && T[8] == 3 &&
              fabs(F[8] - dahl_walk(dahl_walk(0, 0.2, 7.5, 0.75), -0.1, 7.5, 0.75)) < 1e-15);
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  br_params_destroy(p);
}

static void refused_options(void **state)
{
  const br_model *m = br_model_find("lugre");
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err;
  const double z0[2] = {0, NAN};
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const double *par = br_params_block(p, "model");
  assert_int_equal(br_signal_parse("sine:1,1", &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
#define REFUSED(status, ...)                                                  \
  do {                                                                        \
    br_trace_options o = br_trace_options_default();                          \
    __VA_ARGS__;                                                              \
    assert_int_equal(br_trace_create(m, par, inputs, &o, &tr, &err), status); \
    assert_null(tr);                                                          \
    assert_int_equal(err.code, status);                                       \
  } while (0)
  REFUSED(BR_E_RANGE, o.dt = -1);
  REFUSED(BR_E_NAN, o.dt = NAN);
  REFUSED(BR_E_RANGE, o.dt = INFINITY);
  REFUSED(BR_E_RANGE, o.t_end = -2);
  REFUSED(BR_E_NAN, o.t_end = NAN);
  REFUSED(BR_E_RANGE, o.dt = 3; o.t_end = 2);
  REFUSED(BR_E_RANGE, o.dt = 1e-300);
  REFUSED(BR_E_RANGE, o.load = -0.1);
  REFUSED(BR_E_RANGE, o.load = NAN);
  REFUSED(BR_E_RANGE, o.rtol = 0);
  REFUSED(BR_E_SIZE, o.z0 = z0; o.nz0 = 2);
  REFUSED(BR_E_NAN, o.z0 = z0 + 1; o.nz0 = 1);
  REFUSED(BR_E_UNSUPPORTED, o.own_samples = 1);
#undef REFUSED
  assert_int_equal(br_trace_create(NULL, par, inputs, NULL, &tr, &err), BR_E_ARG);
  assert_int_equal(br_trace_create(m, NULL, inputs, NULL, &tr, &err), BR_E_ARG);
  assert_int_equal(br_trace_create(m, par, NULL, NULL, &tr, &err), BR_E_ARG);
  assert_int_equal(br_trace_create(m, par, inputs, NULL, NULL, &err), BR_E_ARG);
  assert_int_equal(br_trace_next(NULL, NULL, &err), BR_E_ARG);
  br_trace_destroy(NULL);
  const long before = bri_alloc_live();
  int done = 0;
  for (long n = 0; !done && n < 200; n++) {
    bri_alloc_fail_after(n);
    const br_status st = br_trace_create(m, par, inputs, NULL, &tr, &err);
    bri_alloc_fail_after(-1);
    done = st == BR_OK;
    if (!done) assert_int_equal(st, BR_E_NOMEM);
    br_trace_destroy(tr);
    assert_int_equal(bri_alloc_live(), before);
  }
  assert_true(done);
  br_signal_destroy(sig);
  br_params_destroy(p);
}

static void state_names(void **state)
{
  const br_model *m = br_model_find("maxwell_slip");
  br_params *p = NULL;
  br_err err;
  char buf[16];
  const char *unit = NULL;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "k=1,2,3,Delta=1,2,3", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const double *par = br_params_block(p, "model");
  assert_string_equal(br_state_name(m, par, 0, sizeof buf, buf, &unit), "z1");
  assert_string_equal(unit, "m");
  assert_string_equal(br_state_name(m, par, 2, sizeof buf, buf, NULL), "z3");
  assert_null(br_state_name(m, par, 3, sizeof buf, buf, NULL));
  assert_null(br_state_name(NULL, par, 0, sizeof buf, buf, NULL));
  br_params_destroy(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {

      cmocka_unit_test(default_times),
      cmocka_unit_test(recorded_samples),
      cmocka_unit_test(refused_options),
      cmocka_unit_test(state_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
