/* SPDX-License-Identifier: Apache-2.0
 * test_questions.c - the analysis 'phase' asked by name: tables of the diagram against the library's own
 * answers, what goes into its answer, ranges that its parameters do not have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "bristle/analysis.h"
#include "../support/asked.h"

#define FIGURE5 "m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6"

/* "name=value;name=value" for a driven block of figure 5; NULL: refused, the reason in *err. */
static br_job *job_of(const char *options, br_err *err)
{
  static const char *const USUAL[][2] = {{"system", "driven_block"}, {"model", "lugre"}, {"set", FIGURE5}};
  return asked("phase", options, USUAL, 3, err);
}

static br_result *ask(const char *options, const char *table)
{
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_job *job = job_of(options, &err);
  if (!job) fail_msg("%s: %s", options, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, &err), BR_OK);
  if (table) br_result_want(r, table);
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", options, err.msg);
  br_job_destroy(job);
  return r;
}

static void refused(const char *options, const char *part)
{
  br_err err = {BR_OK, -1, ""};
  if (job_of(options, &err)) fail_msg("'%s' is taken", options);
  if (!strstr(err.msg, part)) fail_msg("'%s': '%s' lacks '%s'", options, err.msg, part);
}

static const char *text(const br_result *r, const char *list, size_t i, const char *key)
{
  char path[80];
  (void)snprintf(path, sizeof path, "%s.%zu.%s", list, i, key);
  return br_result_text(r, path);
}

static double real(const br_result *r, const char *list, size_t i, const char *key)
{
  char path[80];
  (void)snprintf(path, sizeof path, "%s.%zu.%s", list, i, key);
  return br_result_real(r, path);
}

static int holds(const br_result *r, const char *list, size_t i, const char *key)
{
  char path[80];
  (void)snprintf(path, sizeof path, "%s.%zu.%s", list, i, key);
  return br_result_kind(r, path) != BR_NODE_NONE;
}

/* ---- what must not be taken ---- */

static void ranges(void **state)
{
  (void)state;
  refused("vary=sigma0=0:5", "out of range: must be > 0");
  refused("vary=sigma1=-1:5", "out of range");
  refused("vary=sigma1=1 m:5 m", "has dimension");
  refused("vary=sigma1=1:5;at=sigma1=2 kg", "has dimension");
  refused("vary=sigma1=1:5;lag=1,0.5,0.1,2", "expected V0,A,F");
  refused("vary=sigma1=1:5;lag=1,0.5", "expected V0,A,F");
  refused("vary=F=5:6;lag-force=5.7,1,0", "a frequency above 0");
  refused("vary=F=5:6;lag-force=5.7,1,-1", "a frequency above 0");
  refused("vary=F=5:6;grid=1", "must be a whole number, >= 2");
  refused("vary=sigma1=5:5", "must ascend");
  refused("vary=g_v=1:2", "is a vector");
  refused("vary=sigma1=1:5;at=sigma12=2", "must name the varied parameter");
  refused("vary=sigma1=1:5;map=yes", "map needs vary2");
  refused("vary=sigma1=1:5;loops=yes;only=equilibria", "loops needs cycles");
  refused("vary=sigma1=1:5;hopf=yes", "needs vary F=A:B");
  refused("vary=F=-1:5;stribeck=yes", "with A >= 0");
  char many[300] = "vary=sigma1=1:5;at=sigma1=2";
  for (int i = 0; i < 64; i++) strcat(many, ",2");
  refused(many, "at most 64 values");
  br_err err = {BR_OK, -1, ""};
  br_job *job = job_of("vary=sigma1=0:5 N s/m", &err); /* an end that belongs to it, and its own unit */
  if (!job) fail_msg("%s", err.msg);
  br_job_destroy(job);
}

/* A range that ends where the parameter does, for every model with such a parameter. */
static void upper_ends(void **state)
{
  (void)state;
  size_t n = 0, tried = 0;
  const br_model *const *all = br_models(&n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < all[i]->nparam; k++) {
      const br_param *p = &all[i]->params[k];
      char options[200];
      br_err err = {BR_OK, -1, ""};
      if (!isfinite(p->hi) || !isfinite(p->lo) || p->max_len > 1 || p->choices) continue;
      (void)snprintf(options, sizeof options, "model=%s;set=m=1;vary=model.%s=%.17g:%.17g", all[i]->name,
                     p->name, 0.5 * (p->lo + p->hi), p->hi + 0.5 * (p->hi - p->lo));
      assert_null(job_of(options, &err));
      if (strstr(err.msg, "out of range")) tried++;
      if (!p->hi_open) continue;
      (void)snprintf(options, sizeof options, "model=%s;set=m=1;vary=model.%s=%.17g:%.17g", all[i]->name,
                     p->name, 0.5 * (p->lo + p->hi), p->hi);
      assert_null(job_of(options, &err));
    }
  assert_true(tried > 0);
}

/* ---- values ---- */

static void equilibria_and_events(void **state)
{
  (void)state;
  br_result *r = ask("vary=sigma1=8.7:8.9;hopf=no", NULL);
  size_t sticks = 0, hopf = 0;
  for (size_t i = 0; i < br_result_length(r, "equilibria"); i++) {
    const int stick = strcmp(text(r, "equilibria", i, "kind"), "stick") == 0;
    sticks += (size_t)stick;
    assert_int_equal(holds(r, "equilibria", i, "eigenvalues_other_side"), stick);
    if (stick) assert_true(real(r, "equilibria", i, "eigenvalues_other_side.0.0") < 1e9);
    assert_true(real(r, "equilibria", i, "at") == 8.7); /* the lower end where 'at' is not given */
  }
  assert_int_equal(sticks, 1);
  for (size_t i = 0; i < br_result_length(r, "events"); i++) {
    if (strcmp(text(r, "events", i, "type"), "hopf") != 0) continue;
    hopf++;
    assert_true(real(r, "events", i, "omega") > 0 && holds(r, "events", i, "lyapunov"));
    assert_true(!holds(r, "events", i, "distance") &&
                !holds(r, "events", i, "saddle_quantity")); /* absent, not null */
  }
  assert_int_equal(hopf, 1);
  assert_true(br_result_real(r, "from") == 8.7 && br_result_real(r, "to") == 8.9);
  br_result_destroy(r);

  r = ask("set=" FIGURE5 ",sigma1=8;vary=F=5.69:6.6;hopf=yes;grid=2",
          NULL); /* generalised Hopf points among the others */
  const size_t n = br_result_length(r, "events");
  size_t generalized = 0;
  assert_true(n > 2);
  for (size_t i = 0; i < n; i++) {
    if (i && !(real(r, "events", i, "value") >= real(r, "events", i - 1, "value")))
      fail_msg("event %zu out of order", i);
    generalized += strcmp(text(r, "events", i, "type"), "generalized_hopf") == 0;
  }
  assert_true(generalized == 1 && br_result_length(r, "generalized_hopf") == 1);
  br_result_destroy(r);
}

static void levels(void **state)
{
  (void)state;
#define LEVELS "set=" FIGURE5 ",sigma1=8;events=no;stribeck=yes;"
  /* sigma2 + level' = 0 at 5.6594 and 5.7164 N */
  br_result *both = ask(LEVELS "vary=F=4:6", NULL), *upper = ask(LEVELS "vary=F=5.7:6", NULL),
            *none = ask(LEVELS "vary=F=5.66:5.7", NULL);
  assert_int_equal(br_result_length(both, "fold_of_equilibria"), 2);
  assert_int_equal(br_result_length(upper, "fold_of_equilibria"), 1);
  assert_true(fabs(real(upper, "fold_of_equilibria", 0, "F") - 5.716415875947811) < 1e-8);
  assert_int_equal(br_result_length(none, "fold_of_equilibria"), 0);
  br_result_destroy(both), br_result_destroy(upper), br_result_destroy(none);

  br_result *r = ask("set=" FIGURE5 ",sigma1=8;events=no;vary=F=4:6;hopf=yes;grid=12", "*");
  const br_result_table *t = br_result_table_find(r, "criticality");
  size_t count[3] = {0};
  assert_true(t && t->data && t->ncol == 5 && t->rows == 144);
  for (size_t i = 0; i < t->rows; i++) {
    const double *x = t->data + 5 * i;
    assert_true(isnan(x[2]) ? isnan(x[3]) : x[3] == (x[2] > 0 ? 2 : 1)); /* > 0: subcritical */
    if (!isnan(x[2])) count[x[2] > 0 ? 2 : 1]++;
    /* sigma1 of the Hopf point, with the derivative of the Stribeck law by hand */
    const double v = x[0], g = 1 + 4 * exp(-v * v / 4), slope = -2 * v * exp(-v * v / 4), s2 = (x[1] - g) / v;
    if (!isnan(x[2])) assert_true(fabs(x[4] * v * slope / (5 * v + s2 * g) + 1) < 1e-9);
    assert_true(isnan(x[4]) == !(s2 >= 0 && s2 + slope > 0)); /* a saddle has none */
  }
  assert_true(count[1] > 0 && count[2] > 0 && count[1] != count[2]);
  assert_true(br_result_real(r, "criticality.supercritical") == (double)count[1] / 144);
  assert_true(br_result_real(r, "criticality.subcritical") == (double)count[2] / 144);
  br_result_destroy(r);
}

/* Under one force every region holds one sliding equilibrium at most, and each lies in a region. */
static void regions(void **state)
{
  (void)state;
  br_result *r = ask(LEVELS "vary=F=4:7;at=F=5.704", "*");
  const br_result_table *t = br_result_table_find(r, "sliding_regions");
  size_t seen[5] = {0};
  assert_true(t && t->data && t->ncol == 3);
  for (size_t i = 0; i < t->rows; i++) {
    const double *x = t->data + 3 * i, F = x[0], v = x[1], g = 1 + 4 * exp(-v * v / 4);
    const double saddle = g + 2 * v * v * exp(-v * v / 4);
    if (fabs(F - g) < 1e-6 || fabs(F - saddle) < 1e-6) continue;
    if (F < g) assert_true(isnan(x[2]));
    else assert_true((x[2] == 1) == (F < saddle));
    if (x[2] == 4) assert_true(F > 5.852245277701067 - 1e-6);
    if (x[2] == 2) assert_true(v < 1.5 && F < 5.8523);
    if (!isnan(x[2])) seen[(int)x[2]]++;
  }
  for (int k = 1; k < 5; k++) assert_true(seen[k] > 0);
  assert_true(fabs(br_result_real(r, "cusp.sigma2") - 1.7155277699214135) < 1e-12);
  br_result_destroy(r);
  r = ask("set=m=1,F=5,Fc=1,Fs=5,vs=2,delta=1,sigma0=5,sigma2=1.6,sigma1=8;events=no;stribeck=yes;vary=F=4:7",
          NULL);
  assert_int_equal(br_result_kind(r, "cusp"), BR_NODE_NONE); /* no cusp without an inflection */
  br_result_destroy(r);
}

/* Where the branches of the saddle's manifolds come from and go to: docs/corrections.md, 002-8. */
static void separatrices(void **state)
{
  (void)state;
  static const char *const END[] = {"stable cycle", "y1",           "y3", "y3",
                                    "stable cycle", "stable cycle", "y3", "unstable cycle"};
  br_result *r = ask("vary=sigma1=8.2:8.5;at=sigma1=8.25,8.45;portrait=yes;diagram=no", "*");
  assert_int_equal(br_result_length(r, "manifolds"), 8);
  for (size_t i = 0; i < 8; i++) {
    const int point = END[i][0] == 'y';
    assert_string_equal(text(r, "manifolds", i, "end"), END[i]);
    assert_string_equal(text(r, "manifolds", i, "kind"), i % 4 < 2 ? "unstable" : "stable");
    assert_string_equal(text(r, "manifolds", i, "connection"), point ? "heteroclinic" : "none");
  }
  br_result_destroy(r);
}

/* Over two parameters: every curve runs on without a jump, and none is cut in two. */
#define HOPFS "set=m=1,F=5.7,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.8,sigma1=8;vary2=F=5.6:6.3;"
static void joined_curves(void **state)
{
  (void)state;
  br_result *r = ask("vary=sigma1=4:14;vary2=F=5.6:5.85;grid=40;diagram=yes", "*");
  assert_true(br_result_real(r, "curves.hopf") == 2);
  assert_true(br_result_real(r, "curves.fold_of_equilibria") == 2);
  for (int k = 0; k < 2; k++) {
    const br_result_table *t = br_result_table_find(r, k ? "curve-hopf1" : "curve-hopf0");
    assert_true(t && t->rows > 5);
    for (size_t i = 1; i < t->rows; i++)
      assert_true(t->data[2 * i] > t->data[2 * i - 2] && fabs(t->data[2 * i + 1] - t->data[2 * i - 1]) < 1.2);
  }
  size_t across = 0; /* folds of equilibria do not know the damping: their lines go from end to end */
  const br_result_table *t = NULL;
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++)
    if (strncmp(t->name, "curve-fold", 10) == 0 && !strstr(t->name, "cycles")) {
      assert_true(t->min[0] == t->max[0] && t->min[1] == 4 && t->max[1] == 14);
      across++;
    }
  assert_int_equal(across, 2);
  br_result_destroy(r);
  /* Bogdanov-Takens points: folds of equilibria at which the trace vanishes too; those within the range alone
   * */
  for (int part = 0; part < 2; part++) {
    r = ask(part ? "vary=sigma1=5:14;vary2=F=5.6:5.85;grid=4" : "vary=sigma1=4:14;vary2=F=5.6:5.85;grid=4",
            "*");
    size_t met = 0; /* other kinds of points may stand there as well */
    for (size_t i = 0; i < br_result_length(r, "codimension_two"); i++) {
      if (strcmp(text(r, "codimension_two", i, "type"), "bogdanov_takens") != 0) continue;
      met++;
      const double v = real(r, "codimension_two", i, "v"), g = 1 + 4 * exp(-v * v / 4);
      assert_true(fabs(real(r, "codimension_two", i, "value") * v * 1.6 / (1.6 * g + 5 * v) - 1) < 1e-12);
      assert_true(fabs(2 * v * exp(-v * v / 4) / 1.6 - 1) < 1e-10);
    }
    assert_int_equal(met, part ? 1 : 2);
    br_result_destroy(r);
  }
  /* sigma1 of the Hopf point has a least value: cut off beside it the curve is two, with a gap of a step */
  for (int cut = 0; cut < 2; cut++) {
    r = ask(cut ? HOPFS "vary=sigma1=4.86:14;grid=40;diagram=yes"
                : HOPFS "vary=sigma1=4:14;grid=40;diagram=yes",
            NULL);
    assert_true(br_result_real(r, "curves.hopf") == (cut ? 2 : 1));
    br_result_destroy(r);
  }
}

/* Groups do not change with the mass; under a periodic force the loop of the friction is the work of the
 * force less the integral of m v'^2: with sigma1 = 0.5 as an integrator of order 4 has it (8000 steps a
 * period). */
static void scales_and_forced_lag(void **state)
{
  (void)state;
  br_result *r = ask("set=" FIGURE5 ",sigma1=0.5;vary=F=1:10;events=no;scale=yes;lag-force=5.704,1,0.1", "*");
  const br_result_table *t = br_result_table_find(r, "lag_forced");
  assert_true(t && t->min[0] == br_result_real(r, "lag_force.v_min") &&
              t->max[0] == br_result_real(r, "lag_force.v_max") && t->min[0] < t->max[0]);
  assert_true(fabs(br_result_real(r, "lag_force.period") - 10) < 1e-9);
  assert_true(fabs(br_result_real(r, "lag_force.total") - 0.8122486907566) < 1e-9);
  assert_true(fabs(br_result_real(r, "lag_force.elastic") - 1.1362881554072) < 1e-9);
  assert_true(br_result_real(r, "lag_force.error") < 1e-9);
  assert_true(fabs(br_result_real(r, "scale.groups.sigma2") - 1.6 / sqrt(5)) < 1e-15);
  assert_true(fabs(br_result_real(r, "scale.groups.F") - 5.704 / (2 * sqrt(5))) < 1e-15);
  br_result_destroy(r);
  r = ask(
      "set=m=4,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6,sigma1=8;vary=F=1:10;events=no;scale=yes",
      NULL);
  assert_true(fabs(br_result_real(r, "scale.unit_mass.sigma1") - 2) < 1e-15);
  assert_true(fabs(br_result_real(r, "scale.units.time") - sqrt(0.8)) < 1e-15);
  assert_true(fabs(br_result_real(r, "scale.unit_mass.F") - 1.426) < 1e-15);
  assert_true(fabs(br_result_real(r, "scale.units.length") - 2 * sqrt(0.8)) < 1e-15);
  assert_true(fabs(br_result_real(r, "scale.units.damping") - sqrt(20)) < 1e-14);
  br_result_destroy(r);
  refused("vary=F=1:10;lag-force=1,2", "F0,A,F");
  refused("vary=F=1:10;lag-force=1,2,0", "frequency above 0");
  refused("vary=F=1:10;lag-force=1,2,x", "F0,A,F");
  refused("vary=F=1:10;v-max=0", "v-max");
}

/* Where a friction level brings a Hopf point about, the damping that does so is the block's own. */
static void along_levels(void **state)
{
  static const char *const WAYS[] = {"Fc=0.8:1.2", "Fs=4:5.5"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char options[300];
    (void)snprintf(options, sizeof options, "vary=%s;set=" FIGURE5 ",sigma1=8.25;only=hopf", WAYS[k]);
    br_result *r = ask(options, NULL);
    assert_int_equal(br_result_length(r, "events"), 1);
    const double x = real(r, "events", 0, "value");
    br_result_destroy(r);
    (void)snprintf(
        options, sizeof options,
        "vary=sigma1=8:8.5;only=hopf;set=m=1,F=5.704,Fc=%.17g,Fs=%.17g,vs=2,delta=2,sigma0=5,sigma2=1.6",
        k ? 1 : x, k ? x : 5);
    r = ask(options, NULL);
    assert_int_equal(br_result_length(r, "events"), 1);
    assert_true(fabs(real(r, "events", 0, "value") - 8.25) < 1e-10);
    br_result_destroy(r);
  }
}

/* Pushed or pulled the other way everything is mirrored, and found once. */
static void backward(void **state)
{
  static const double BY[] = {1, -1};
  br_result *r[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    char options[300];
    (void)snprintf(options, sizeof options,
                   "vary=sigma1=8.3:8.4;only=cycles;set=m=1,F=%g,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6",
                   5.704 * BY[k]);
    r[k] = ask(options, "*");
  }
  for (int unstable = 0; unstable < 2; unstable++) {
    const br_result_table *a = br_result_table_find(r[0], unstable ? "cycles-unstable" : "cycles-stable"),
                          *b = br_result_table_find(r[1], unstable ? "cycles-unstable" : "cycles-stable");
    assert_true(a && b && a->rows == b->rows && a->ncol == b->ncol && a->rows > 1);
    for (size_t i = 0; i < a->rows; i++) {
      const double *x = a->data + i * a->ncol, *y = b->data + i * b->ncol;
      if (isnan(x[0])) continue;
      assert_true(x[0] == y[0] && x[1] == -y[2] && x[2] == -y[1]);
    }
  }
  br_result_destroy(r[0]), br_result_destroy(r[1]);
  for (int k = 0; k < 2; k++) {
    r[0] = ask(k ? "system=pulled_block;set=m=1,k=2,sigma2=0.4;vary=vp=-0.45:-0.35;only=equilibria"
                 : "system=pulled_block;set=m=1,k=2,sigma2=0.4;vary=vp=0.35:0.45;only=equilibria",
               NULL);
    assert_int_equal(br_result_length(r[0], "equilibria"), 1);
    assert_true(fabs(real(r[0], "equilibria", 0, "v") - (k ? -0.45 : 0.35)) < 1e-12);
    br_result_destroy(r[0]);
  }
}

/* In closed form: the cusp at v = vs / sqrt(2); steady sliding beside a lag, its elastic part Stribeck's
 * curve. */
static void closed_forms(void **state)
{
  (void)state;
  br_result *r = ask("set=" FIGURE5 ",sigma1=8;vary=F=5:7;vary2=sigma2=1:2.5;grid=2;only=fold", "*");
  const double part = exp(-0.5), slope = sqrt(2) * 4 / 2 * part;
  assert_int_equal(br_result_length(r, "codimension_two"), 1);
  assert_string_equal(text(r, "codimension_two", 0, "type"), "cusp");
  assert_true(fabs(real(r, "codimension_two", 0, "v") - sqrt(2)) < 1e-9);
  assert_true(fabs(real(r, "codimension_two", 0, "value2") - slope) < 1e-12);
  assert_true(fabs(real(r, "codimension_two", 0, "value") - (1 + 4 * part + slope * sqrt(2))) < 1e-12);
  br_result_destroy(r);
  r = ask("set=" FIGURE5 ",sigma1=0.5;vary=F=1:10;events=no;lag=1,0.5,0.1", "*");
  const br_result_table *t = br_result_table_find(r, "imposed_steady");
  assert_true(t && t->rows > 100);
  for (size_t i = 0; i < t->rows; i++) {
    const double v = t->data[3 * i], level = 1 + 4 * exp(-v * v / 4);
    assert_true(v > 0.5 - 1e-12 && v < 1.5 + 1e-12);
    assert_true(fabs(t->data[3 * i + 1] - level - 1.6 * v) < 1e-12 &&
                fabs(t->data[3 * i + 2] - level) < 1e-12);
  }
  br_result_destroy(r);
}

static void cells(void **state)
{
  (void)state;
  br_result *r = ask("vary=F=4.5:6;vary2=sigma2=1:2;map=yes;grid=5;events=no", "*");
  const br_result_table *t = br_result_table_find(r, "map");
  assert_true(t && t->data && t->ncol == 3 && t->rows == 25);
  double count[64] = {0}, sum = 0;
  for (size_t i = 0; i < 25; i++) {
    const double *x = t->data + 3 * i;
    assert_true(fabs(x[0] - (4.5 + 1.5 * (double)(i / 5) / 4)) < 1e-12 &&
                fabs(x[1] - (1 + (double)(i % 5) / 4)) < 1e-12);
    assert_true(x[2] >= 0 && x[2] < (double)t->nnames && t->names[(size_t)x[2]]);
    count[(size_t)x[2]]++;
  }
  size_t kinds = 0;
  for (size_t k = 0; k < t->nnames && k < 64; k++) {
    if (!t->names[k]) continue;
    char path[80];
    (void)snprintf(path, sizeof path, "map.cells.%s",
                   strcmp(t->names[k], "no Hopf point") == 0 ? "none" : t->names[k]);
    assert_true(br_result_real(r, path) == count[k]);
    sum += count[k];
    kinds++;
  }
  assert_true(sum == 25 && kinds > 1);
  br_result_destroy(r);
  /* a case that document 2 does not have comes behind its eight */
  r = ask("set=m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=1,sigma0=5,sigma2=1.6;vary=F=4.895652:5.5;vary2=sigma2=0."
          "595652:1.7;map=yes;grid=2;events=no",
          "*");
  t = br_result_table_find(r, "map");
  assert_true(t && t->data && t->data[2] >= 8);
  assert_string_equal(t->names[(size_t)t->data[2]], "Sub_F_F_HC");
  br_result_destroy(r);
}

/* ---- tables of the diagram ---- */

static int has_row(const br_result_table *t, double x, double v)
{
  for (size_t i = 0; t && i < t->rows; i++)
    if (t->data[t->ncol * i] == x && t->data[t->ncol * i + 1] == v) return 1;
  return 0;
}

static void diagram(void **state)
{
  (void)state;
  br_result *r = ask("vary=sigma1=8.7:8.9;diagram=yes", "*");
  const br_result_table *t = br_result_table_find(r, "phase"),
                        *stable = br_result_table_find(r, "equilibria-stable"),
                        *unstable = br_result_table_find(r, "equilibria-unstable"),
                        *saddle = br_result_table_find(r, "equilibria-saddle");
  assert_true(t && t->data && t->ncol == 9 && strcmp(t->columns[2].name, "branch") == 0);
  assert_true(stable && unstable && saddle);
  size_t seen[3] = {0};
  for (size_t i = 0; i < t->rows; i++) {
    const double *x = t->data + 9 * i;
    if (x[1] != 0) continue;
    const int s = has_row(stable, x[0], x[4]), u = has_row(unstable, x[0], x[4]),
              q = has_row(saddle, x[0], x[4]);
    assert_true(s + u + q == 1 && x[3] == (double)s && x[4] == x[5]);
    seen[s ? 0 : u ? 1 : 2]++;
  }
  assert_true(seen[0] && seen[1] && seen[2]);
  double hopf = NAN, below = -INFINITY, above = INFINITY; /* the lines end where the stability changes */
  for (size_t i = 0; i < br_result_length(r, "events"); i++)
    if (strcmp(text(r, "events", i, "type"), "hopf") == 0) hopf = real(r, "events", i, "value");
  for (size_t i = 0; i < t->rows; i++) {
    const double x = t->data[9 * i];
    if (t->data[9 * i + 1] != 0) continue;
    if (x < hopf) below = fmax(below, x);
    if (x > hopf) above = fmin(above, x);
  }
  assert_true(above - below < 1e-9 && above > below);
  br_result_destroy(r);
}

/* Families of equilibria have more rows where they bend: no row further off the chord of its neighbours than
 * a thousandth of the picture, at the fold where the curve turns back as well. */
static void families_bend(void **state)
{
  (void)state;
  br_result *r = ask("vary=F=5:6.5;set=" FIGURE5 ",sigma1=8.25;only=hopf,fold;diagram=yes", "*");
  size_t rows = 0;
  static const char *const NAMES[] = {"equilibria-stable", "equilibria-unstable", "equilibria-saddle"};
  double ends = 0;
  for (int k = 0; k < 3; k++) {
    const br_result_table *t = br_result_table_find(r, NAMES[k]);
    assert_non_null(t);
    for (size_t i = 1; i + 1 < t->rows; i++) {
      const double *a = t->data + t->ncol * (i - 1), *b = a + t->ncol, *c = b + t->ncol;
      if (isnan(a[0] + b[0] + c[0])) continue;
      const double height = 3.25, width = 1.5, dx = (c[0] - a[0]) / width, dv = (c[1] - a[1]) / height,
                   off = ((b[1] - a[1]) / height * dx - (b[0] - a[0]) / width * dv) / hypot(dx, dv);
      if (fabs(off) > 1e-3) fail_msg("%s: %g off its chord at F = %.9g", NAMES[k], fabs(off), b[0]);
      ends = fmax(ends, hypot(dx, dv));
    }
    rows += t->rows;
  }
  assert_true(ends < 0.1);
  if (rows > 500) fail_msg("%zu rows", rows); /* far fewer than equally spaced ones would need */
  br_result_destroy(r);
}

/* 'only' limits the work: no cycle is looked for unless asked for, what is listed has the bits of the whole.
 * */
static void only_parts(void **state)
{
  (void)state;
  br_result *all = ask("vary=F=5.6:5.8;set=" FIGURE5 ",sigma1=8.25;at=F=5.704", NULL);
  br_result *some = ask("vary=F=5.6:5.8;set=" FIGURE5 ",sigma1=8.25;at=F=5.704;only=hopf,fold", NULL);
  size_t k = 0;
  for (size_t i = 0; i < br_result_length(all, "events"); i++) {
    const char *type = text(all, "events", i, "type");
    if (strcmp(type, "hopf") != 0 && strcmp(type, "fold") != 0) continue;
    assert_string_equal(text(some, "events", k, "type"), type);
    assert_true(real(some, "events", k++, "value") == real(all, "events", i, "value"));
  }
  assert_true(k == 3 && br_result_length(some, "events") == 3);
  assert_true(br_result_length(all, "equilibria") == 4 && br_result_length(all, "cycles") == 1);
  assert_true(br_result_length(some, "equilibria") == 0 && br_result_length(some, "cycles") == 0);
  assert_true(br_result_kind(some, "case") == BR_NODE_NONE && br_result_real(some, "searched.complete") == 0);
  br_result_destroy(some);
  some = ask("vary=F=5.6:5.8;set=" FIGURE5 ",sigma1=8.25;at=F=5.704;only=cycles", NULL);
  assert_true(br_result_length(some, "cycles") == 1 && br_result_length(some, "equilibria") == 0);
  for (size_t i = 0; i < br_result_length(some, "events"); i++)
    assert_true(strcmp(text(some, "events", i, "type"), "hopf") != 0);
  br_result_destroy(some);
  br_result_destroy(all);
  some = ask(
      "system=pulled_block;set=m=1,k=2,sigma0=1000,sigma1=1,vs=0.01,Fs=1.5,Fc=1,sigma2=0.4;vary=vp=0.001:0.3;"
      "only=equilibria,hopf",
      NULL);
  assert_true(br_result_length(some, "events") == 1 && br_result_length(some, "equilibria") == 1);
  assert_true(br_result_length(some, "branches") == 0);
  br_result_destroy(some);
  refused("vary=F=5.6:5.8;only=hpf", "did you mean 'hopf'?");
  refused("vary=F=5.6:5.8;only=homoclinic", "did you mean 'cycles'?");
  refused("vary=F=5.6:5.8;only=hopf;events=no", "exclude each other");
  refused("vary=F=5.6:5.8;only=hopf;loops=yes", "needs cycles");
}

/* A quick look has the curves of the whole portrait but for cycles and basins. */
static void portrait_without_cycles(void **state)
{
  (void)state;
  br_result *quick = ask("vary=sigma1=8.4:8.5;at=sigma1=8.45;only=equilibria;portrait=yes;diagram=no", "*"),
            *all = ask("vary=sigma1=8.4:8.5;at=sigma1=8.45;portrait=yes;diagram=no", "*");
  static const char *const SAME[] = {"z_nullcline0", "v_nullcline0", "unstable_manifold0",
                                     "stable_manifold0"};
  for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
    const br_result_table *a = br_result_table_find(quick, SAME[i]), *b = br_result_table_find(all, SAME[i]);
    assert_true(a && b && a->rows == b->rows);
    assert_memory_equal(a->data, b->data, a->rows * a->ncol * sizeof *a->data);
  }
  assert_true(br_result_length(quick, "equilibria") == br_result_length(all, "equilibria"));
  assert_true(br_result_table_find(all, "stable_cycle0") && !br_result_table_find(quick, "stable_cycle0"));
  br_result_destroy(quick);
  br_result_destroy(all);
}

/* Round a cycle in the order of time the force does the work that the cycle is said to have. */
static void lag_along_a_cycle(void **state)
{
  (void)state;
  br_result *r = ask("vary=sigma1=8.4:8.5;at=sigma1=8.45;loops=yes;diagram=no", "*");
  size_t stable = 0;
  for (size_t i = 0; i < br_result_length(r, "cycles"); i++) {
    if (real(r, "cycles", i, "stable") == 0) continue;
    char name[48];
    (void)snprintf(name, sizeof name, "lag_cycle%zu", stable++);
    const br_result_table *t = br_result_table_find(r, name);
    assert_true(t && t->data && t->ncol == 3);
    double sum[2] = {0};
    for (size_t k = 0; k < t->rows; k++) { /* closed */
      const double *a = t->data + 3 * k, *b = t->data + 3 * ((k + 1) % t->rows);
      for (int f = 0; f < 2; f++) sum[f] += 0.5 * (a[1 + f] + b[1 + f]) * (b[0] - a[0]);
    }
    const double total = real(r, "cycles", i, "lag_total"), elastic = real(r, "cycles", i, "lag_elastic");
    if (!(fabs(sum[0] - total) < 0.02 * fabs(total)) || !(fabs(sum[1] - elastic) < 0.02 * fabs(elastic)))
      fail_msg("cycle %zu: %.6g and %.6g round the loop, told %.6g and %.6g", i, sum[0], sum[1], total,
               elastic);
  }
  assert_true(stable > 0);
  br_result_destroy(r);
}

/* A mechanism of three states: the stick-slip cycle at the value that was asked for, alone. */
static void cycles_of_a_plant(void **state)
{
  (void)state;
  br_result *r =
      ask("system=pulled_block;set=m=1,k=2,sigma0=2900,sigma1=107,sigma2=0.4,Fc=2.94,Fs=5.88,vs=0.1,delta=1;"
          "vary=vp=0.35:0.45;at=vp=0.4,0.4",
          "*");
  assert_int_equal(br_result_length(r, "cycles"), 1); /* once, however often it is asked for */
  assert_true(br_result_real(r, "from") == 0.35 && br_result_real(r, "to") == 0.45);
  double most = 0;
  const size_t n = br_result_length(r, "cycles.0.multipliers");
  assert_true(n > 1);
  for (size_t i = 0; i < n; i++) {
    char re[60], im[60];
    (void)snprintf(re, sizeof re, "cycles.0.multipliers.%zu.0", i);
    (void)snprintf(im, sizeof im, "cycles.0.multipliers.%zu.1", i);
    most = fmax(most, hypot(br_result_real(r, re), br_result_real(r, im)));
  }
  assert_true(fabs(fabs(real(r, "cycles", 0, "multiplier")) / most - 1) < 1e-12);
  assert_true(fabs(br_result_real(r, "branches.0.from") - br_result_real(r, "branches.0.to")) > 1e-6);
  assert_true(real(r, "cycles", 0, "at") == 0.4 && real(r, "cycles", 0, "v_min") < 0);
  assert_string_equal(text(r, "cycles", 0, "loop"), "with reversals");
  /* the diagram's tables by stability: this cycle is where the list says */
  const br_result_table *t =
      br_result_table_find(r, real(r, "cycles", 0, "stable") != 0 ? "cycles-stable" : "cycles-unstable");
  size_t met = 0;
  assert_true(t && t->data);
  for (size_t i = 0; i < t->rows; i++) {
    const double *x = t->data + i * t->ncol;
    if (x[0] != 0.4 || x[2] != real(r, "cycles", 0, "v_max")) continue;
    met++; /* within a curve, not a point of its own */
    assert_true(i > 0 && i + 1 < t->rows && !isnan((x - t->ncol)[0]) && !isnan(x[t->ncol]));
  }
  assert_int_equal(met, 1);
  br_result_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges),
      cmocka_unit_test(upper_ends),
      cmocka_unit_test(equilibria_and_events),
      cmocka_unit_test(levels),
      cmocka_unit_test(regions),
      cmocka_unit_test(separatrices),
      cmocka_unit_test(joined_curves),
      cmocka_unit_test(cycles_of_a_plant),
      cmocka_unit_test(scales_and_forced_lag),
      cmocka_unit_test(along_levels),
      cmocka_unit_test(backward),
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(cells),
      cmocka_unit_test(diagram),
      cmocka_unit_test(families_bend),
      cmocka_unit_test(only_parts),
      cmocka_unit_test(portrait_without_cycles),
      cmocka_unit_test(lag_along_a_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
