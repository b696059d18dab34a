/* SPDX-License-Identifier: Apache-2.0
 * test_guards.c - traces at their guards: inputs and forces that are no numbers, tolerances, names of states
 * that are not there. */
#include "kit.h"

static br_status trace(const char *spec, const br_model *m, const double *par, const br_trace_options *o,
                       br_err *err)
{
  br_signal *s = NULL;
  br_trace *tr = NULL;
  size_t n = 0;
  if (br_signal_parse(spec, &s, err)) fail_msg("%s", err->msg);
  const br_signal *inputs[] = {s};
  br_status st = br_trace_create(m, par, inputs, o, &tr, err);
  if (!st) st = br_trace_fill(tr, MOST, T, U, V, F, Z, &n, err);
  br_trace_destroy(tr);
  br_signal_destroy(s);
  return st;
}

static void no_numbers(void **state)
{
  static double par[256];
  const br_model *m = br_model_find("dahl");
  const br_trace_options o = with(0.5, 2);
  br_err err = {BR_OK, -1, ""};
  m->defaults(par), m->prepare(par);
  assert_int_equal(trace("expr:1/(1 - t)", m, par, &o, &err), BR_E_NAN); /* infinite at t = 1 */
  assert_non_null(strstr(err.msg, "the input is"));
  assert_non_null(strstr(err.msg, "t = 1 s"));
  assert_int_equal(trace("expr:log(1.2 - t)", m, par, &o, &err), BR_E_NAN); /* none behind 1.2 */
  assert_non_null(strstr(err.msg, "input"));
  /* u is 0 there, its rate 0 times infinity; a force that sees no speed stays a number */
  assert_int_equal(trace("expr:1e-5*exp(-exp(1000*t))", m, par, &o, &err), BR_E_NAN);
  assert_non_null(strstr(err.msg, "the rate of the input is"));
}

static void inf_force(const void *par, double n, const double *u, const double *v, const double *z,
                      const double *dz, double *force)
{
  (void)par, (void)n, (void)v, (void)z, (void)dz;
  force[0] = u[0] > 0.5 ? INFINITY : 1;
}

static void forces_are_checked(void **state)
{
  static double par[256];
  br_model m = *br_model_find("dahl");
  const br_trace_options o = with(0.1, 2);
  br_err err = {BR_OK, -1, ""};
  m.defaults(par), m.prepare(par);
  m.force = inf_force;
  assert_int_equal(trace("expr:t", &m, par, &o, &err), BR_E_NAN);
  assert_non_null(strstr(err.msg, "the force is inf at t = 0.6 s"));
}

static void tolerances(void **state)
{
  static const double BAD[] = {0, 1e-16, 1, 2, -1e-6, NAN};
  static double par[256];
  const br_model *m = br_model_find("bouc_wen");
  br_trace_options o = with(0.1, 0.2);
  br_err err = {BR_OK, -1, ""};
  m->defaults(par), m->prepare(par);
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    o.rtol = BAD[i];
    if (BAD[i] == 0 && trace("expr:t", m, par, &o, &err) == BR_OK) continue; /* 0 may stand for the default */
    assert_int_equal(trace("expr:t", m, par, &o, &err), BR_E_RANGE);
    assert_non_null(strstr(err.msg, "rtol"));
  }
  o.rtol = 1e-15;
  assert_int_equal(trace("expr:t", m, par, &o, &err), BR_OK);
}

/* Rows of states that are not in use have no name. */
static size_t one_state(const void *par) { return (void)par, 1; }

static void names_of_states(void **state)
{
  static double par[4096];
  char name[32];
  const char *unit = NULL;
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  for (size_t k = 0; k < n; k++) {
    all[k]->defaults(par), all[k]->prepare(par);
    const size_t states = all[k]->nstate(par);
    for (size_t i = 0; i < states + 3; i++)
      assert_int_equal(br_state_name(all[k], par, i, sizeof name, name, &unit) != NULL, i < states);
  }
  br_model m = *br_model_find("bouc_wen"); /* two rows */
  assert_true(m.nstates_rows == 2);
  m.defaults(par), m.prepare(par);
  assert_string_equal(br_state_name(&m, par, 1, sizeof name, name, &unit), "D");
  m.nstate = one_state;
  m.defaults(par);
  assert_string_equal(br_state_name(&m, par, 0, sizeof name, name, &unit), "z");
  assert_null(br_state_name(&m, par, 1, sizeof name, name, &unit));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_numbers), cmocka_unit_test(forces_are_checked),
                                     cmocka_unit_test(tolerances), cmocka_unit_test(names_of_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
