/* SPDX-License-Identifier: Apache-2.0
 * Motion predicted from the input: parameters of model and mechanism come back from noisy, counted records;
 * what drifts is cut in pieces; what cannot be fitted is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/team.h"
#include "fit/motion.h"
#include "fit/sample.h"

typedef struct {
  double *store, mpar[BRI_FIT_SLOTS], spar[BRI_FIT_SLOTS];
  const double *inputs[BRI_MOTION_INPUTS];
  br_motion_channel channel;
  br_motion_record r;
} made;

static void make(const char *system, const char *text, made *x)
{
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  memset(x, 0, sizeof *x);
  const br_system *sys = br_system_find(system);
  if (bri_fit_motion_sample(text, sys, &n, &x->store, x->mpar, x->spar, &err)) fail_msg("%s", err.msg);
  x->inputs[0] = x->store + n;
  x->channel = (br_motion_channel){"position", x->store + 2 * n};
  x->r = (br_motion_record){n, x->store, sys, x->inputs, &x->channel, 1};
}

static br_motion_fit *fitted(const made *x, br_motion_options o)
{
  br_motion_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_motion_fit_create(&x->r, &o, &fit, &err)) fail_msg("%s", err.msg);
  return fit;
}

/* Every value is known, and to the percents given; the truth lies in the interval, or beside it by its half.
 * */
static void expect(const made *x, const br_motion_fit *fit, const char *name, double percent)
{
  const br_motion_model *m = br_motion_fit_at(fit, 0);
  const br_param *row = br_model_param(m->model, name);
  double truth = row ? x->mpar[row->slot] : 0;
  for (size_t i = 0; i < x->r.system->nparam; i++)
    if (strcmp(x->r.system->params[i].name, name) == 0) truth = x->spar[x->r.system->params[i].slot];
  for (size_t i = 0; i < m->nvalues; i++) {
    const br_fit_value *v = &m->values[i];
    if (strcmp(v->name, name) != 0) continue;
    const double half = 0.5 * (v->high - v->low);
    if (!(v->low - 0.5 * half <= truth && truth <= v->high + 0.5 * half) || !(half < 0.01 * percent * truth))
      fail_msg("%s %s: %.6g in [%.6g, %.6g], truth %.6g", x->r.system->name, name, v->value, v->low, v->high,
               truth);
    return;
  }
  fail_msg("%s was not fitted", name);
}

static void test_recovery(void **state)
{
  static const struct {
    const char *system, *sample, *model, *fix, *free_names, *names;
  } CASES[] = {
      {"driven_block", "sample:coulomb", "coulomb", NULL, NULL, "m,Fc,sigma2"},
      {"mass_spring", "sample:dahl", "dahl", NULL, NULL, "m,ks,Fc,sigma0"},
      {"dc_motor", "sample:lugre,2", "lugre", "sigma0=4e5,sigma1=60,Fs=18,vs=2e-3", "I,km", "I,km,Fc,sigma2"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    made x;
    make(CASES[i].system, CASES[i].sample, &x);
    x.r.n = 900;
    br_motion_options o = br_motion_options_default();
    char start[200] = "";
    o.model = CASES[i].model, o.fix = CASES[i].fix, o.free_names = CASES[i].free_names;
    if (o.free_names) /* what is neither free nor fixed stands at its start */
      (void)snprintf(start, sizeof start, "k1=%.17g,k2=%.17g,r=%.17g", x.spar[1], x.spar[2], x.spar[3]),
          o.start = start;
    br_motion_fit *fit = fitted(&x, o);
    const br_motion_model *m = br_motion_fit_at(fit, 0);
    for (const char *s = CASES[i].names; *s; s += strcspn(s, ","), s += *s == ',') {
      char name[32];
      (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(s, ","), s);
      expect(&x, fit, name, 12);
    }
    assert_true(m->rel_test < 0.002); /* noise alone is 0.0004 */
    assert_int_equal(m->pieces, 1);
    assert_true(fabs(m->rmse_free - m->rmse_test) < 1e-12);
    br_motion_fit_destroy(fit);
    bri_free(x.store);
  }
}

/* What a motion leaves unexplained is told with its part of the spread, of unseen data, and only where that
 * is much. */
static void test_unexplained(void **state)
{
  static const char *const FIX[] = {"m=5,sigma2=40,Fs=12", "m=8,sigma2=40,Fs=12", "m=20,sigma2=40,Fs=12",
                                    "m=60,sigma2=40,Fs=12"};
  int poor = 0;
  made x;
  (void)state;
  make("driven_block", "sample:coulomb", &x);
  x.r.n = 400;
  for (int i = 0; i < 4; i++) {
    br_motion_options o = br_motion_options_default();
    double percent = 0;
    const char *says = NULL, *text = NULL;
    o.model = "coulomb", o.fix = FIX[i], o.window = 0, o.no_bias = 1;
    br_motion_fit *fit = fitted(&x, o);
    const double part = br_motion_fit_at(fit, 0)->rel_test;
    for (size_t k = 0; (text = br_motion_fit_warning(fit, k)) != NULL; k++)
      if (strstr(text, "unexplained")) says = text;
    assert_int_equal(says != NULL, part > 0.25);
    if (says) {
      assert_int_equal(sscanf(says, "coulomb leaves %lf", &percent), 1);
      assert_true(fabs(percent - 100 * part) <= 0.5 + 1e-9);
    }
    poor += says != NULL;
    br_motion_fit_destroy(fit);
  }
  assert_true(poor > 0 && poor < 4);
  bri_free(x.store);
}

/* Unseen samples may stand before those that are fitted: no run from there reaches them, so they are started
 * for themselves, and the error is that of any other part. */
static void test_unseen_in_front(void **state)
{
  double rmse[2];
  made x;
  (void)state;
  make("driven_block", "sample:coulomb", &x);
  x.r.n = 600;
  for (int front = 0; front < 2; front++) {
    br_motion_options o = br_motion_options_default();
    o.model = "coulomb", o.fix = "vs=1e-3,Fs=18,m=5";
    o.train[0] = front ? 300 : 0, o.train[1] = front ? 600 : 300;
    o.test[0] = front ? 0 : 300, o.test[1] = front ? 300 : 600;
    br_motion_fit *fit = fitted(&x, o);
    const br_motion_model *m = br_motion_fit_at(fit, 0);
    rmse[front] = m->rmse_test;
    assert_true(isfinite(m->rmse_test) && isfinite(m->rel_test) && m->rel_test < 0.02);
    assert_int_equal(isnan(m->rmse_free) != 0, front);
    br_motion_fit_destroy(fit);
  }
  assert_true(rmse[1] < 10 * rmse[0] + 1e-4);
  bri_free(x.store);
}

/* A force that the record does not have: one run drifts away, pieces do not, and the answer says so. */
static void test_drift(void **state)
{
  made x;
  (void)state;
  make("driven_block", "sample:coulomb", &x);
  double *w = x.store + x.r.n;
  for (size_t k = 0; k < x.r.n; k++) w[k] += 4 * sin(0.9 * x.r.t[k] + 0.4 * sin(2.1 * x.r.t[k]));
  br_motion_options o = br_motion_options_default();
  o.model = "coulomb", o.fix = "vs=1e-3", x.r.n = 1000, o.train[1] = 600;
  br_motion_fit *fit = fitted(&x, o);
  const br_motion_model *m = br_motion_fit_at(fit, 0);
  assert_true(m->pieces > 1);
  assert_true(m->rmse_free > 1.5 * m->rmse_test);
  int told = 0;
  for (size_t i = 0; br_motion_fit_note(fit, i); i++)
    told |= strstr(br_motion_fit_note(fit, i), "would drift") != NULL;
  assert_true(told);
  const double T = m->window;
  br_motion_fit_destroy(fit);
  o.window = 0; /* one run all the same */
  fit = fitted(&x, o);
  assert_int_equal(br_motion_fit_at(fit, 0)->pieces, 1);
  assert_true(T < br_motion_fit_at(fit, 0)->window);
  br_motion_fit_destroy(fit);
  bri_free(x.store);
}

/* Mass and torque constant of a motor are known by their quotient alone where friction and springs are free
 * to follow; that is told by name. */
static void test_not_separable(void **state)
{
  made x;
  (void)state;
  make("dc_motor", "sample:coulomb", &x);
  x.r.n = 400;
  br_motion_options o = br_motion_options_default();
  char start[200];
  (void)snprintf(start, sizeof start, "k1=%.17g,k2=%.17g,r=%.17g", x.spar[1], x.spar[2], x.spar[3]);
  o.model = "coulomb", o.fix = "vs=1e-3", o.free_names = "I,km,k1,k2,f1,f2", o.start = start;
  br_motion_fit *fit = fitted(&x, o);
  int told = 0;
  unsigned long all = 0;
  double few = 0;
  for (size_t i = 0; br_motion_fit_warning(fit, i); i++) {
    const char *text = br_motion_fit_warning(fit, i), *white = strstr(text, "no white noise: ");
    told |= strstr(text, "do not separate") && strstr(text, "only a combination of them is known");
    if (white) assert_int_equal(sscanf(white, "no white noise: %lu samples count as %lf", &all, &few), 2);
  }
  assert_true(told);
  assert_true(all == 240 && few < 80 && fabs(br_motion_fit_at(fit, 0)->effective - few) <= 0.5);
  br_motion_fit_destroy(fit);
  bri_free(x.store);
}

/* The same numbers for any number of threads. */
static void test_threads(void **state)
{
  made x;
  double value[2] = {0};
  (void)state;
  make("mass_spring", "sample:dahl", &x);
  x.r.n = 400;
  for (int i = 0; i < 2; i++) {
    br_motion_options o = br_motion_options_default();
    o.model = "dahl", o.threads = i ? 3 : 1, o.window = 0.2;
    br_motion_fit *fit = fitted(&x, o);
    value[i] = br_motion_fit_at(fit, 0)->values[0].value;
    assert_true(br_motion_fit_at(fit, 0)->pieces == 4);
    br_motion_fit_destroy(fit);
  }
  assert_memory_equal(&value[0], &value[1], sizeof value[0]);
  bri_free(x.store);
}

/* Noise of the input wanders through the motion: it is found, and intervals hold what they promise all the
 * same. */
static void test_noisy_input(void **state)
{
  int inside = 0, told = 0;
  (void)state;
  for (unsigned long seed = 1; seed <= 3; seed++) {
    made x;
    char sample[32];
    uint64_t stream = bri_stream(seed, 3);
    (void)snprintf(sample, sizeof sample, "sample:coulomb,%lu", seed);
    make("driven_block", sample, &x);
    double *w = x.store + x.r.n;
    for (size_t k = 0; k < x.r.n; k++) w[k] += 2 * bri_fit_normal(&stream);
    x.r.n = 600;
    br_motion_options o = br_motion_options_default();
    o.model = "coulomb", o.fix = "Fs=18,vs=2e-3", o.train[1] = 400;
    br_motion_fit *fit = fitted(&x, o);
    const br_motion_model *m = br_motion_fit_at(fit, 0);
    for (size_t i = 0; i < m->nvalues; i++) {
      const br_fit_value *v = &m->values[i];
      const br_param *row = br_model_param(m->model, v->name);
      const double truth = row ? x.mpar[row->slot] : strcmp(v->name, "m") == 0 ? x.spar[0] : 0;
      inside += v->low <= truth && truth <= v->high;
    }
    assert_int_equal(m->nvalues, 4);
    for (size_t i = 0; br_motion_fit_note(fit, i); i++) {
      const char *says = strstr(br_motion_fit_note(fit, i), "noise of the input of about");
      told += says != NULL;
      if (!says) continue;
      const double sd = strtod(says + strlen("noise of the input of about"), NULL);
      if (!(sd > 1 && sd < 3)) fail_msg("%s: it is 2", says);
    }
    br_motion_fit_destroy(fit);
    bri_free(x.store);
  }
  assert_int_equal(told, 3);
  if (inside < 10) fail_msg("%d of 12 inside", inside);
}

/* What a model lacks is not taken for noise. */
static void test_no_noise(void **state)
{
  made x;
  int told = 0, lacks = 0;
  (void)state;
  make("driven_block", "sample:coulomb", &x);
  x.r.n = 400;
  br_motion_options o = br_motion_options_default();
  o.model = "viscous";
  br_motion_fit *fit = fitted(&x, o);
  for (size_t i = 0; br_motion_fit_note(fit, i); i++)
    told |= strstr(br_motion_fit_note(fit, i), "noise of the input") != NULL;
  for (size_t i = 0; br_motion_fit_warning(fit, i); i++)
    lacks |= strstr(br_motion_fit_warning(fit, i), "too much for noise") != NULL;
  assert_true(!told && lacks);
  br_motion_fit_destroy(fit);
  bri_free(x.store);
  for (unsigned long seed = 1; seed <= 3; seed++) { /* and where nothing wanders none is found by chance */
    char sample[32];
    (void)snprintf(sample, sizeof sample, "sample:coulomb,%lu", seed);
    make("driven_block", sample, &x);
    x.r.n = 400;
    o.model = "coulomb", o.fix = "Fs=18,vs=2e-3";
    fit = fitted(&x, o);
    for (size_t i = 0; br_motion_fit_note(fit, i); i++)
      if (strstr(br_motion_fit_note(fit, i), "noise of the input"))
        fail_msg("seed %lu: %s", seed, br_motion_fit_note(fit, i));
    for (size_t i = 0; br_motion_fit_warning(fit, i); i++)
      assert_null(strstr(br_motion_fit_warning(fit, i), "unexplained"));
    br_motion_fit_destroy(fit);
    bri_free(x.store);
  }
}

static void count(void *ctx, double part)
{
  double *seen = ctx;
  assert_true(part > seen[0] && part <= 1);
  seen[0] = part, seen[1]++;
}

/* All models: a quick look at each, a close one at those in front; what cannot be tried says why; the truth
 * wins. */
static void test_all(void **state)
{
  made x;
  double seen[2] = {0};
  size_t left_out = 0, n = 0, vague = 0, jump = 0;
  const br_model *model = NULL;
  (void)state;
  make("driven_block", "sample:coulomb", &x);
  x.r.n = 60;
  br_motion_options o = br_motion_options_default();
  o.fix = "m=5", o.window = 0, o.no_bias = 1, o.progress = count, o.progress_ctx = seen;
  br_motion_fit *fit = fitted(&x, o);
  while (br_motion_fit_at(fit, n)) n++;
  for (size_t i = 0; i < n; i++) vague += br_motion_fit_at(fit, i)->nvalues == 0;
  for (; br_motion_fit_left_out(fit, left_out, &model); left_out++)
    if (model->flags & BR_MODEL_JUMPS) jump += strlen(br_motion_fit_left_out(fit, left_out, &model)) > 20;
  assert_int_equal(jump, 2); /* haessig_friedland, tomlinson: with the reason */
  assert_true(n >= 8 && left_out >= 4 && seen[0] == 1 && seen[1] > (double)n);
  assert_true(vague >= n - 3 && vague < n); /* at most three with all samples and intervals */
  assert_true(br_motion_fit_at(fit, 0)->rel_test < 0.05);
  assert_true(br_motion_fit_at(fit, 0)->nvalues > 0);
  int told = 0;
  for (size_t i = 0; br_motion_fit_note(fit, i); i++)
    told |= strstr(br_motion_fit_note(fit, i), "quick look") != NULL;
  assert_true(told);
  br_motion_fit_destroy(fit);
  bri_free(x.store);
}

static void refused(const made *x, br_motion_options o, br_status want, const char *word)
{
  br_motion_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_motion_fit_create(&x->r, &o, &fit, &err);
  assert_null(fit);
  if (st != want || !strstr(err.msg, word)) fail_msg("status %d, '%s' has no '%s'", st, err.msg, word);
}

static void test_errors(void **state)
{
  made x;
  (void)state;
  make("driven_block", "sample:dahl", &x);
  br_motion_options o = br_motion_options_default();
  o.model = "dal";
  refused(&x, o, BR_E_NAME, "dahl");
  o.model = "dahl", o.fix = "mm=3";
  refused(&x, o, BR_E_NAME, "fix");
  o.fix = NULL, o.free_names = "n";
  refused(&x, o, BR_E_NAME, "driven_block");
  o.fix = "m=5", o.free_names = "m";
  refused(&x, o, BR_E_ARG, "both fixed and free");
  o.fix = o.free_names = NULL, o.train[1] = 5;
  refused(&x, o, BR_E_SIZE, "train");
  o.train[1] = 5000;
  refused(&x, o, BR_E_RANGE, "outside");
  o.train[1] = 0;
  x.channel.name = "wheel";
  refused(&x, o, BR_E_NAME, "wheel");
  x.channel.name = "position";
  o.model = "bouc_wen_biaxial";
  refused(&x, o, BR_E_UNSUPPORTED, "axes");
  o.model = "dahl";
  x.store[7] = x.store[6];
  refused(&x, o, BR_E_RANGE, "rise");
  x.store[7] = NAN;
  refused(&x, o, BR_E_NAN, "sample 7");
  x.store[7] = 7 * 3e-3;
  x.r.system = br_system_find("prescribed");
  refused(&x, o, BR_E_UNSUPPORTED, "given");
  bri_free(x.store);
}

static void test_memory(void **state)
{
  made x;
  (void)state;
  make("driven_block", "sample:dahl", &x);
  x.r.n = 60;
  br_motion_options o = br_motion_options_default();
  o.model = "dahl", o.threads = 1, o.window = 0, o.fix = "Fc=12,sigma0=4e5";
  const long before = bri_alloc_live();
  for (long n = 0;; n += n < 40 ? 1 : n / 2) {
    br_motion_fit *fit = NULL;
    br_err err;
    bri_alloc_fail_after(n);
    const br_status st = br_motion_fit_create(&x.r, &o, &fit, &err);
    bri_alloc_fail_after(-1);
    br_motion_fit_destroy(fit);
    assert_int_equal(bri_alloc_live(), before);
    if (!st) break;
    assert_int_equal(st, BR_E_NOMEM);
    assert_true(n < 20000);
  }
  bri_free(x.store);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recovery),      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_not_separable), cmocka_unit_test(test_threads),
      cmocka_unit_test(test_noisy_input),   cmocka_unit_test(test_no_noise),
      cmocka_unit_test(test_all),           cmocka_unit_test(test_errors),
      cmocka_unit_test(test_memory),        cmocka_unit_test(test_unseen_in_front),
      cmocka_unit_test(test_unexplained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
