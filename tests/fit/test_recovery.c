/* SPDX-License-Identifier: Apache-2.0
 * Synthetic recovery: random truths of every model, 1 % noise; the intervals of 95 % hold them as often as
 * they promise, and what is missed is told.  With BR_LONG in the environment 150 truths of each model (fifty
 * are too few to tell 90 % from 95 % where all parameters of a model move together), otherwise a few.
 * BR_RECOVERY_ONLY=MODEL,
 * BR_RECOVERY_FROM=SEED, BR_RECOVERY_TELL=1 (what was missed) are for looking closer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/team.h"
#include "bristle/param.h"
#include "fit/fit.h"

enum { N = 2000, ROWS = 10, LONG = 150 };
static double t[N], u[N], v[N], h[N], at[N], F[N], clean[N];

/* How a parameter is drawn: centre e^(+-spread), or times the value of an earlier one. */
typedef struct {
  const char *name;
  double centre, spread;
  const char *of, *over;
} draw;
typedef struct {
  const char *model;
  const char *extra; /* fixed in the truth */
  size_t elements;
  int few; /* truths without BR_LONG */
  draw rows[ROWS];
} recipe;
#define DRAW(n, c, s)                   \
  {                                     \
    .name = n, .centre = c, .spread = s \
  }
#define TIMES(n, c, s, other)                        \
  {                                                  \
    .name = n, .centre = c, .spread = s, .of = other \
  }
#define LUGRE                                                                                       \
  DRAW("sigma0", 4e5, 0.7), DRAW("sigma1", 60, 0.5), DRAW("sigma2", 200, 0.7), DRAW("Fc", 12, 0.7), \
      TIMES("Fs", 1.5, 0.15, "Fc"), DRAW("vs", 2e-3, 0.4)
static const recipe RECIPES[] = {
    {"coulomb",
     "",
     0,
     8,
     {DRAW("Fc", 12, 0.7), TIMES("Fs", 1.5, 0.2, "Fc"), DRAW("vs", 2e-3, 0.4), DRAW("sigma2", 200, 0.7)}},
    {"dahl", "", 0, 8, {DRAW("sigma0", 4e5, 0.7), DRAW("Fc", 12, 0.7)}},
    {"lugre", "", 0, 6, {LUGRE}},
    {"lugre_elastoplastic", "", 0, 0, {LUGRE, {"z_ba", 0.6, 0.3, "Fc", "sigma0"}}},
    {"maxwell_slip",
     "",
     3,
     4,
     {DRAW("k1", 2e5, 0.4), DRAW("k2", 7e4, 0.4), DRAW("k3", 4e4, 0.4), DRAW("Delta1", 2e-5, 0.3),
      DRAW("Delta2", 8e-5, 0.3), DRAW("Delta3", 3.2e-4, 0.3)}},
    {"gms",
     "alpha=0.3,0.3,0.4",
     3,
     0,
     {DRAW("k1", 3e5, 0.3), DRAW("k2", 1e5, 0.3), DRAW("k3", 3e4, 0.3), DRAW("Fc", 12, 0.5),
      TIMES("Fs", 1.5, 0.15, "Fc"), DRAW("vs", 2e-3, 0.3), DRAW("C", 2000, 0.4), DRAW("sigma2", 200, 0.5)}},
    {"bliman_sorine",
     "",
     0,
     6,
     {DRAW("f1", 24, 0.5), TIMES("f2", 0.4, 0.3, "f1"), DRAW("eps", 2e-4, 0.4), DRAW("eta", 0.3, 0.4)}},
    {"bouc_wen",
     "",
     0,
     2,
     {DRAW("fp", 12, 0.7), DRAW("uy", 6e-5, 0.5), DRAW("beta", 0.7, 0.25), TIMES("gamma", -1, 0, "beta"),
      DRAW("eta", 1.4, 0.4), DRAW("kappa", 5e-3, 0.7)}},
    {"duhem_lugre",
     "",
     0,
     4,
     {DRAW("fc", 12, 0.7), DRAW("g0", 3e4, 0.5), DRAW("vs", 2e-3, 0.4), DRAW("Ts", 1e-3, 0.4)}},
    {"viscous", "", 0, 8, {DRAW("sigma2", 200, 0.7)}},
    {"karnopp", "Fs=1e3", 0, 8, {DRAW("Fc", 12, 0.7), DRAW("sigma2", 200, 0.7)}},
    {"reset_integrator",
     "",
     0,
     12,
     {DRAW("sigma0", 4e5, 0.7), DRAW("sigma1", 300, 0.5), DRAW("z0", 3e-5, 0.5)}},
    {"bouc_wen_asymmetric", "", 0, 4, {DRAW("fp", 12, 0.7), DRAW("uy", 6e-5, 0.5), DRAW("phi", 0.15, 0.5)}},
    {"bouc_wen_baber_noori", "", 0, 4, {DRAW("fp", 12, 0.7), DRAW("uy", 6e-5, 0.5)}},
    {"semilinear_duhem", "", 0, 4, {DRAW("D", 3e3, 0.7)}},
};

static double normal(uint64_t *stream)
{
  double sum = -6;
  for (int i = 0; i < 12; i++) sum += bri_uniform(stream);
  return sum;
}

static double drawn(const double *values, const recipe *r, const char *name)
{
  for (size_t i = 0; i < ROWS && r->rows[i].name; i++)
    if (strcmp(r->rows[i].name, name) == 0) return values[i];
  return 1;
}

/* Truth and record number `seed`; returns the standard deviation of the noise. */
static double make(const recipe *r, unsigned seed, double *values)
{
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_model *m = br_model_find(r->model);
  uint64_t s = bri_stream(seed, 77);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  if (r->extra[0] && br_params_set_list(p, r->extra, &err)) fail_msg("%s", err.msg);
  char list[600] = "", vec[2][200] = {"", ""};
  size_t used = 0;
  for (size_t i = 0; i < ROWS && r->rows[i].name; i++) {
    const draw *d = &r->rows[i];
    double x = d->centre * exp(d->spread * (2 * bri_uniform(&s) - 1));
    if (d->of && d->centre < 0) x = 1 - drawn(values, r, d->of);
    else if (d->of) x *= drawn(values, r, d->of) / (d->over ? drawn(values, r, d->over) : 1);
    if (strcmp(d->name, "Fs") == 0) x = fmax(x, 1.15 * drawn(values, r, "Fc"));
    values[i] = x;
    char *one = d->name[0] == 'k' && r->elements ? vec[0] : strncmp(d->name, "Delta", 5) == 0 ? vec[1] : NULL;
    if (one) (void)snprintf(one + strlen(one), 200 - strlen(one), "%s%.17g", one[0] ? "," : "", x);
    else used += (size_t)snprintf(list + used, sizeof list - used, "%s%s=%.17g", used ? "," : "", d->name, x);
  }
  if (vec[0][0]) used += (size_t)snprintf(list + used, sizeof list - used, "%sk=%s", used ? "," : "", vec[0]);
  if (vec[1][0]) (void)snprintf(list + used, sizeof list - used, ",Delta=%s", vec[1]);
  if (br_params_set_list(p, list, &err) || br_params_finish(p, &err)) fail_msg("%s: %s", list, err.msg);
  const double a = 1e-3 * (0.8 + 0.4 * bri_uniform(&s)), phase = 6 * bri_uniform(&s);
  for (size_t k = 0; k < N; k++) {
    const double x = 2e-3 * (double)k;
    t[k] = x, h[k] = 2e-3;
    u[k] = a * sin(3.1 * x) + 2e-4 * sin(19 * x + phase) + 5e-4 * sin(7.7 * x) + 3e-5 * sin(1.1 * x + phase);
  }
  for (size_t k = 0; k + 1 < N; k++) v[k] = (u[k + 1] - u[k]) / h[k];
  v[N - 1] = v[N - 2];
  for (size_t k = 0; k < N; k++) at[k] = k ? 0.5 * (v[k] + v[k - 1]) : v[0];
  const bri_motion path = {N, u, v, at, h, NULL, .pace = 1};
  bri_walk(m, br_params_block(p, "model"), &path, NULL, clean);
  br_params_destroy(p);
  double most = 0;
  for (size_t k = 0; k < N; k++) most = fmax(most, fabs(clean[k]));
  for (size_t k = 0; k < N; k++) F[k] = clean[k] + 3 + 0.01 * most * normal(&s);
  return 0.01 * most;
}

typedef struct {
  int all, inside, lost, silent,
      poor; /* lost: no interval; silent: far off or lost, and no warning; poor: other valley */
  double seconds;
} tally;

static const br_fit_value *value(const br_fit_model *m, const char *name)
{
  for (size_t i = 0; i < m->nvalues; i++) {
    char shown[64];
    (void)snprintf(shown, sizeof shown, m->values[i].element >= 0 ? "%s%d" : "%s", m->values[i].name,
                   m->values[i].element + 1);
    if (strcmp(shown, name) == 0) return &m->values[i];
  }
  return NULL;
}

static void try_one(const recipe *r, unsigned seed, tally *y)
{
  double truth[ROWS];
  const double noise = make(r, seed, truth);
  const br_fit_record record = {N, t, u, F, NULL, NULL, 1};
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  o.model = r->model, o.elements = r->elements, o.train[1] = o.test[1] = N, o.extras = "offset";
  const clock_t began = clock();
  if (br_fit_create(&record, &o, &fit, &err)) fail_msg("%s: %s", r->model, err.msg);
  y->seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
  const br_fit_model *m = br_fit_at(fit, 0);
  const int warned = br_fit_warning(fit, 0) != NULL, poor = m->rmse_train > 1.05 * noise;
  y->poor += poor;
  int off = 0;
  for (size_t i = 0; i < ROWS && r->rows[i].name; i++) {
    const br_fit_value *x = value(m, r->rows[i].name);
    if (!x) { /* held: it must be told */
      y->all++, y->lost++, off = 1;
      continue;
    }
    const int inside = x->low <= truth[i] && truth[i] <= x->high;
    y->all++, y->inside += inside, y->lost += !(x->high >= x->low);
    const double reach = x->high - x->low;
    off = off || !(x->high >= x->low) || truth[i] < x->low - reach || truth[i] > x->high + reach;
    if (!inside && getenv("BR_RECOVERY_TELL"))
      printf("    %s %u: %s = %.6g, found %.6g [%.6g, %.6g] rmse/noise %.4f%s\n", r->model, seed,
             r->rows[i].name, truth[i], x->value, x->low, x->high, m->rmse_train / noise,
             warned ? " (warned)" : "");
  }
  y->silent += off && !warned;
  br_fit_destroy(fit);
}

static void test_recovery(void **state)
{
  const char *wish = getenv("BR_LONG"), *only = getenv("BR_RECOVERY_ONLY"),
             *from = getenv("BR_RECOVERY_FROM");
  tally sum = {0};
  for (size_t i = 0; i < sizeof RECIPES / sizeof RECIPES[0]; i++) {
    const recipe *r = &RECIPES[i];
    const int truths = wish && wish[0] ? LONG : r->few;
    tally y = {0};
    if (only && strcmp(only, r->model) != 0) continue;
    for (int k = 0; k < truths; k++) try_one(r, (unsigned)(k + 1 + (from ? atoi(from) : 0)), &y);
    if (!truths) continue;
    printf("%-20s %3d truths: %4d of %4d inside (%.1f %%), %d without an interval, %d in another valley, %d "
           "missed "
           "silently, %.2f s each\n",
           r->model, truths, y.inside, y.all, 100.0 * y.inside / y.all, y.lost, y.poor, y.silent,
           y.seconds / truths);
    sum.all += y.all, sum.inside += y.inside, sum.silent += y.silent;
    assert_in_range(y.poor, 0, truths < LONG ? 0 : truths / 10);
    if (truths < LONG) continue;
    assert_in_range(y.inside, y.all * 90 / 100, y.all * 99 / 100);
    assert_int_equal(y.silent, 0);
  }
  assert_in_range(sum.inside, sum.all * 88 / 100, sum.all);
  assert_int_equal(sum.silent, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_recovery)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
