/* SPDX-License-Identifier: Apache-2.0
 * One fit of several records: shared parameters come out the same and better known, own ones differ as they
 * should. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/team.h"
#include "fit/fit.h"
#include "fit/sample.h"

enum { FILES = 3, N = 700 };
static double t[N], u[N], F[FILES][N];
static const double FC[FILES] = {8, 12, 20};

/* Dahl's model with one stiffness and a level for each record: loads differ. */
static void make(br_fit_record *r)
{
  static double v[N], at[N], h[N];
  const br_model *m = br_model_find("dahl");
  for (size_t k = 0; k < N; k++) {
    t[k] = 4e-3 * (double)k, h[k] = 4e-3;
    u[k] = 1e-3 * sin(3.1 * t[k]) + 2e-4 * sin(19 * t[k] + 1);
  }
  for (size_t k = 0; k + 1 < N; k++) v[k] = (u[k + 1] - u[k]) / h[k];
  v[N - 1] = v[N - 2];
  for (size_t k = 0; k < N; k++) at[k] = k ? 0.5 * (v[k] + v[k - 1]) : v[0];
  for (size_t i = 0; i < FILES; i++) {
    double par[BRI_FIT_SLOTS];
    uint64_t stream = bri_stream(i, 9);
    m->defaults(par);
    par[br_model_param(m, "sigma0")->slot] = 3e5, par[br_model_param(m, "Fc")->slot] = FC[i];
    m->prepare(par);
    const bri_motion path = {.n = N, .u = u, .v = v, .at = at, .h = h};
    bri_walk(m, par, &path, NULL, F[i]);
    for (size_t k = 0; k < N; k++) F[i][k] += 0.02 * FC[i] * bri_fit_normal(&stream) + (double)i;
    r[i] = (br_fit_record){.n = N, .t = t, .u = u, .F = F[i]};
  }
}

static const br_fit_value *value(const br_fit_model *m, const char *name)
{
  for (size_t i = 0; i < m->nvalues; i++)
    if (strcmp(m->values[i].name, name) == 0) return &m->values[i];
  fail_msg("no %s", name);
  return NULL;
}

static br_fit_joint_options options(const char *shared, const char *own)
{
  br_fit_joint_options o = {.fit = br_fit_options_default(), .shared = shared, .per_file = own};
  o.fit.model = "dahl", o.fit.threads = 1;
  return o;
}

static void test_shared(void **state)
{
  br_fit_record r[FILES];
  br_fit_joint *j = NULL;
  br_err err = {BR_OK, -1, ""};
  br_fit_joint_options o = options(NULL, "Fc");
  (void)state;
  make(r);
  if (br_fit_joint_create(r, FILES, &o, &j, &err)) fail_msg("%s", err.msg);
  const br_fit_value *first = value(br_fit_joint_at(j, 0), "sigma0");
  assert_true(br_fit_joint_shared(j, "sigma0") && !br_fit_joint_shared(j, "Fc"));
  assert_true(first->low < 3e5 && 3e5 < first->high);
  for (size_t i = 0; i < FILES; i++) {
    const br_fit_model *m = br_fit_joint_at(j, i);
    const br_fit_value *Fc = value(m, "Fc"), *s = value(m, "sigma0");
    assert_memory_equal(&s->value, &first->value, sizeof first->value);
    assert_true(Fc->low < FC[i] && FC[i] < Fc->high && Fc->high - Fc->low < 0.05 * FC[i]);
    assert_true(fabs(value(m, "offset")->value - (double)i) < 0.1);
    assert_true(m->rmse_test < 0.024 * FC[i]);
    br_fit *alone = NULL; /* the same parameter from one record is known less well */
    br_fit_options one = o.fit;
    assert_int_equal(br_fit_create(&r[i], &one, &alone, &err), BR_OK);
    const br_fit_value *a = value(br_fit_at(alone, 0), "sigma0");
    assert_true(a->high - a->low > 1.2 * (first->high - first->low));
    br_fit_destroy(alone);
  }
  br_fit_joint_destroy(j);
  /* the other list says the same */
  o = options("sigma0", NULL);
  assert_int_equal(br_fit_joint_create(r, FILES, &o, &j, &err), BR_OK);
  assert_true(br_fit_joint_shared(j, "sigma0") && !br_fit_joint_shared(j, "Fc"));
  br_fit_joint_destroy(j);
}

/* A record with ten times the noise has a hundredth of the say; errors of all together are those of all
 * samples. */
static void test_weights(void **state)
{
  br_fit_record r[FILES];
  br_fit_joint *j = NULL;
  br_fit *alone = NULL;
  br_err err = {BR_OK, -1, ""};
  br_fit_joint_options o = options("sigma0", NULL);
  double train = 0, test = 0;
  (void)state;
  make(r);
  for (size_t k = 0; k < N; k++) F[1][k] = F[0][k] + (k % 2 ? 1.6 : -1.6); /* 0.16 before */
  if (br_fit_joint_create(r, 2, &o, &j, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_fit_create(&r[0], &o.fit, &alone, &err), BR_OK);
  const br_fit_value *both = value(br_fit_joint_at(j, 0), "sigma0"),
                     *first = value(br_fit_at(alone, 0), "sigma0");
  const double wide = br_fit_at(alone, 0)->values[0].high - first->low;
  assert_true(fabs(both->value - first->value) < 0.05 * wide);
  const br_fit_joint_facts f = br_fit_joint_get(j);
  for (size_t i = 0; i < 2; i++) { /* parts of the same length */
    const br_fit_model *m = br_fit_joint_at(j, i);
    train += m->rmse_train * m->rmse_train / 2, test += m->rmse_test * m->rmse_test / 2;
  }
  assert_true(fabs(f.rmse_train / sqrt(train) - 1) < 1e-12 && fabs(f.rmse_test / sqrt(test) - 1) < 1e-12);
  br_fit_destroy(alone);
  br_fit_joint_destroy(j);
  o.fit.loss = "huber"; /* which it does not have */
  assert_int_equal(br_fit_joint_create(r, 2, &o, &j, &err), BR_E_UNSUPPORTED);
  assert_null(j);
}

static void test_errors(void **state)
{
  static const struct {
    const char *model, *shared, *own;
    size_t n;
    br_status want;
  } CASES[] = {{"dahl", "sigma", NULL, 2, BR_E_NAME}, {"dahl", NULL, "sigma0,Fc", 2, BR_E_ARG},
               {"dahl", "Fc", "Fc", 2, BR_E_ARG},     {"all", "Fc", NULL, 2, BR_E_ARG},
               {"dahl", "sigma0", NULL, 1, BR_E_ARG}, {"dahl", NULL, NULL, 2, BR_E_ARG},
               {"lugre", "Fs", NULL, 2, BR_E_ARG}};
  br_fit_record r[FILES];
  (void)state;
  make(r);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_fit_joint_options o = options(CASES[i].shared, CASES[i].own);
    br_fit_joint *j = NULL;
    br_err err;
    o.fit.model = CASES[i].model;
    assert_int_equal(br_fit_joint_create(r, CASES[i].n, &o, &j, &err), CASES[i].want);
    assert_null(j);
  }
}

static void test_memory(void **state)
{
  br_fit_record r[FILES];
  br_fit_joint_options o = options("sigma0", NULL);
  const long before = bri_alloc_live();
  (void)state;
  make(r);
  r[0].n = r[1].n = 60;
  o.fit.fix = "gamma=1";
  for (long n = 0;; n++) {
    br_fit_joint *j = NULL;
    br_err err;
    bri_alloc_fail_after(n);
    const br_status st = br_fit_joint_create(r, 2, &o, &j, &err);
    bri_alloc_fail_after(-1);
    br_fit_joint_destroy(j);
    assert_int_equal(bri_alloc_live(), before);
    if (!st) break;
    assert_int_equal(st, BR_E_NOMEM);
    assert_true(n < 2000);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared), cmocka_unit_test(test_weights),
                                     cmocka_unit_test(test_errors), cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
