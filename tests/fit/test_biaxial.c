/* SPDX-License-Identifier: Apache-2.0
 * Fits of motions in the plane: random truths with 1 % noise lie in their intervals, the axes may be
 * exchanged, and what has one axis alone is refused.  With BR_LONG in the environment 50 truths, otherwise a
 * few. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/team.h"
#include "bristle/fit.h"
#include "fit/sample.h"
#include "sense/walk.h"

enum { N = 1500, ROWS = 2 * N };
static double t[N], h[N], u[ROWS], v[ROWS], at[ROWS], F[ROWS];
static const char *const NAMES[] = {"beta", "eta", "fp", "uy", "kappa"};

/* A truth drawn from the seed; swap: x and y exchanged. */
static br_fit_record record(unsigned seed, int swap, double *truth)
{
  const br_model *m = br_model_find("bouc_wen_biaxial");
  uint64_t stream = bri_stream(seed, 3);
  double par[64], most = 0;
  m->defaults(par);
  const double drawn[] = {0.3 + 0.4 * bri_uniform(&stream), 1 + 1.5 * bri_uniform(&stream),
                          12 * exp(bri_uniform(&stream) - 0.5), 4e-5 * exp(bri_uniform(&stream) - 0.5), 0.02};
  for (int i = 0; i < 5; i++) par[br_model_param(m, NAMES[i])->slot] = truth[i] = drawn[i];
  par[br_model_param(m, "gamma")->slot] = 1 - drawn[0];
  m->prepare(par);
  for (size_t k = 0; k < N; k++) {
    const double s = t[k] = 2e-3 * (double)k;
    h[k] = 2e-3;
    u[2 * k + (size_t)swap] = 1e-3 * sin(3.1 * s) + 2e-4 * sin(19 * s + 1);
    u[2 * k + 1 - (size_t)swap] = 8e-4 * sin(2.3 * s + 0.5) + 2e-4 * sin(14 * s);
  }
  for (size_t k = 0; k + 2 < ROWS; k++) v[k] = (u[k + 2] - u[k]) / 2e-3;
  v[ROWS - 2] = v[ROWS - 4], v[ROWS - 1] = v[ROWS - 3];
  for (size_t k = 0; k < ROWS; k++) at[k] = k < 2 ? v[k] : 0.5 * (v[k] + v[k - 2]);
  const bri_motion path = {.n = N, .u = u, .v = v, .at = at, .h = h};
  bri_walk(m, par, &path, NULL, F);
  for (size_t k = 0; k < ROWS; k++) most = fmax(most, fabs(F[k]));
  for (size_t k = 0; k < N; k++) { /* noise goes with the axis, so that exchanged axes have the same */
    const double a = 0.01 * most * bri_fit_normal(&stream), b = 0.01 * most * bri_fit_normal(&stream);
    F[2 * k + (size_t)swap] += a + 1, F[2 * k + 1 - (size_t)swap] += b - 2;
  }
  return (br_fit_record){N, t, u, F, NULL, NULL, 2};
}

static const br_fit_value *value(const br_fit_model *m, const char *name)
{
  for (size_t i = 0; i < m->nvalues; i++)
    if (strcmp(m->values[i].name, name) == 0) return &m->values[i];
  fail_msg("no value '%s'", name);
  return NULL;
}

static br_fit *fitted(const br_fit_record *r, const char *model)
{
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err;
  o.model = model, o.threads = 1;
  if (br_fit_create(r, &o, &fit, &err)) fail_msg("%s", err.msg);
  return fit;
}

static void test_truths_lie_in_their_intervals(void **state)
{
  (void)state;
  const unsigned truths = getenv("BR_LONG") ? 50 : 6;
  size_t inside = 0, all = 0;
  for (unsigned seed = 1; seed <= truths; seed++) {
    double truth[5];
    const br_fit_record r = record(seed, 0, truth);
    br_fit *fit = fitted(&r, "bouc_wen_biaxial");
    const br_fit_model *m = br_fit_at(fit, 0);
    for (int i = 0; i < 5; i++, all++) {
      const br_fit_value *x = value(m, NAMES[i]);
      inside += x->low <= truth[i] && truth[i] <= x->high;
      assert_true(fabs(x->value - truth[i]) < 0.25 * truth[i]);
    }
    const br_fit_value *ox = value(m, "offset_x"), *oy = value(m, "offset_y");
    assert_true(fabs(ox->value - 1) < 0.1 && fabs(oy->value + 2) < 0.1);
    assert_true(m->rel_test < 0.03);
    br_fit_destroy(fit);
  }
  print_message("%zu of %zu inside\n", inside, all);
  assert_true((double)inside >= 0.86 * (double)all);
}

/* Nothing depends on which axis is called x; "all" finds the one model of two axes. */
static void test_axes_may_be_exchanged(void **state)
{
  (void)state;
  double truth[5], first[5];
  const char *reason = NULL;
  for (int swap = 0; swap < 2; swap++) {
    const br_fit_record r = record(7, swap, truth);
    br_fit *fit = fitted(&r, swap ? "all" : "bouc_wen_biaxial");
    const br_fit_model *m = br_fit_at(fit, 0);
    assert_string_equal(m->model->name, "bouc_wen_biaxial");
    const br_fit_curve c = br_fit_curves(fit);
    assert_int_equal(c.axes, 2);
    assert_int_equal(c.n, N);
    reason = br_fit_reason(fit);
    assert_non_null(reason);
    for (int i = 0; i < 5; i++) {
      const br_fit_value *x = value(m, NAMES[i]);
      if (!swap) first[i] = x->value;
      else assert_true(fabs(x->value - first[i]) < 0.2 * (x->high - x->low));
    }
    br_fit_destroy(fit);
  }
}

static void test_what_has_one_axis_is_refused(void **state)
{
  static const struct {
    const char *model, *extras, *text;
    size_t axes;
  } CASES[] = {{"dahl", NULL, "dahl has one axis; the record has two", 2},
               {"bouc_wen_biaxial", NULL, "bouc_wen_biaxial has two axes; the record has one", 1},
               {"bouc_wen_biaxial", "offset,backlash", "backlash is a term of one axis", 2}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    double truth[5];
    br_fit_record r = record(1, 0, truth);
    br_fit_options o = br_fit_options_default();
    br_fit *fit = NULL;
    br_err err;
    r.axes = CASES[i].axes, o.model = CASES[i].model, o.extras = CASES[i].extras;
    assert_int_not_equal(br_fit_create(&r, &o, &fit, &err), BR_OK);
    assert_non_null(strstr(err.msg, CASES[i].text));
    assert_null(fit);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_truths_lie_in_their_intervals),
                                     cmocka_unit_test(test_axes_may_be_exchanged),
                                     cmocka_unit_test(test_what_has_one_axis_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
