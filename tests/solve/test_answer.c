/* SPDX-License-Identifier: Apache-2.0
 * test_answer.c - what 'simulate' tells: stick thresholds, counts of events,
 * windows; what it refuses; that it stops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/job.h"
#include "bri_config.h"
#include "bristle/analysis.h"
#include "support/near.h"

/* "name=value;name=value" */
static br_job *job_of(const char *said)
{
  br_job *job = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_create(br_analysis_find("simulate"), &job, NULL), BR_OK);
  for (const char *s = said; *s;) {
    char name[40], value[200];
    const size_t n = strcspn(s, "="), m = strcspn(s + n, ";");
    (void)snprintf(name, sizeof name, "%.*s", (int)n, s);
    (void)snprintf(value, sizeof value, "%.*s", (int)m - 1, s + n + 1);
    if (br_job_set(job, name, value, NULL, &err)) fail_msg("%s = %s: %s", name, value, err.msg);
    s += n + m + (s[n + m] == ';');
  }
  return job;
}

static br_result *answer(const char *said)
{
  br_job *job = job_of(said);
  br_result *r = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_job_check(job, &err)) fail_msg("%s: %s", said, err.msg);
  assert_int_equal(br_result_create(BR_TABLE_LIST, &r, &err), BR_OK);
  br_sink out = br_result_sink(r);
  if (br_job_run(job, &out, &err)) fail_msg("%s: %s", said, err.msg);
  br_job_destroy(job);
  return r;
}

/* A hundredth of the pulling velocity, a tenth of the Stribeck velocity, what
 * was said, or none and a word about it. */
static void thresholds(void **state)
{
#define DAMPED                                                            \
  "model=lugre;set=m=1,ks=2,sigma0=100,sigma1=10,Fc=0.1,Fs=0.15,vs=0.02;" \
  "input.Fe=sine:1,0.3;cycle=yes"
#define PULLED                                                                 \
  "system=pulled_block;model=lugre;set=m=1,system.k=2,sigma0=2900,sigma1=107," \
  "Fc=2.94,Fs=5.88,vs=0.1,vp="
  static const struct {
    const char *said;
    double is;
  } CASES[] = {{PULLED "1;cycle=yes", 0.01},
               {PULLED "1.2;cycle=yes", 0.012},
               {PULLED "1;cycle=yes;threshold=0.05", 0.05},
               {"system=mass_spring;" DAMPED, 0.002},
               {"system=mass_spring;model=dahl;set=m=1,ks=2,sigma0=100,Fc=0.1;"
                "input.Fe=sine:1,0.3;cycle=yes",
                NAN}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_result *r = answer(CASES[i].said);
    const double is = br_result_real(r, "cycle.threshold"), part = br_result_real(r, "cycle.stick_fraction");
    if (isnan(CASES[i].is)) {
      assert_true(isnan(is) && isnan(part));
      assert_non_null(strstr(br_result_text(r, "cycle.note"), "give --threshold"));
    } else {
      near(is, CASES[i].is, 1e-15);
      assert_true(part > 0 && part < 1);
      assert_string_equal(br_result_text(r, "cycle.note"), "");
    }
    br_result_destroy(r);
  }
}

/* To and fro: what is slow on the way back counts as much as on the way there.
 */
static void both_ways_count(void **state)
{
  br_result *r = answer("system=mass_spring;" DAMPED ";threshold=0.05"),
            *f = answer("system=mass_spring;" DAMPED ";threshold=1e-4");
  (void)state;
  const double top = fmax(br_result_real(r, "cycle.v_max"), -br_result_real(r, "cycle.v_min"));
  const double part = br_result_real(r, "cycle.stick_fraction"),
               sine = 2 * asin(0.05 / top) / 3.141592653589793;
  assert_true(part > 0.8 * sine && part < 1.5 * sine); /* nearly a sine, with a short halt at either end */
  assert_true(br_result_real(f, "cycle.stick_fraction") < 0.2 * part);
  br_result_destroy(r), br_result_destroy(f);
}

/* A block on a spring under Coulomb friction: halts and starts in turn, each
 * counted under its name. */
static void events_by_type(void **state)
{
#define HALTS "system=pulled_block;model=coulomb;set=m=1,k=2,Fc=1,Fs=2,sigma2=0.1,vp="
  br_result *r = answer(HALTS "0.1;t-end=60;event=l=0.7"), *back = answer(HALTS "-0.1;t-end=60");
  const char *const TYPES[] = {"reversal", "stick", "slip", "element", "user"};
  double sum = 0, listed[5] = {0};
  (void)state;
  for (size_t i = 0; i < br_result_length(r, "events"); i++) {
    char path[40];
    (void)snprintf(path, sizeof path, "events.%zu.type", i);
    for (int k = 0; k < 5; k++) listed[k] += strcmp(br_result_text(r, path), TYPES[k]) == 0;
  }
  assert_true(listed[1] > 1 && listed[2] > 1);
  near(br_result_real(r, "sticks.0.breakaway"), 2, 1e-12);
  near(br_result_real(back, "sticks.0.breakaway"), -2, 1e-12);
  near(br_result_real(back, "sticks.0.to"), 10, 1e-9); /* 2 N / (2 N/m 0.1 m/s) */
  br_result_destroy(back);
  for (int k = 0; k < 5; k++) {
    char path[40];
    (void)snprintf(path, sizeof path, "event_types.%s", TYPES[k]);
    const double n = br_result_real(r, path);
    if (!isnan(n)) assert_true(n == listed[k]), sum += n;
  }
  assert_true(sum == br_result_real(r, "event_count") && sum == (double)br_result_length(r, "events"));
  br_result_destroy(r);
}

/* Between 1 s and 2 s a block of 2 kg under 3 N against 1 N gains 1 m/s and
 * moves by 1.5 m. */
static void window(void **state)
{
  br_result *r = answer("system=driven_block;model=coulomb;set=m=2,Fc=1,Fs=1,"
                        "sigma2=0,F=3;t-end=5;output-dt="
                        "0.01;window=1:2;threshold=1.5");
  (void)state;
  near(br_result_real(r, "window.from"), 1, 1e-9);
  near(br_result_real(r, "window.to"), 2, 1e-9);
  near(br_result_real(r, "window.v_min"), 1, 1e-9);
  near(br_result_real(r, "window.v_max"), 2, 1e-9);
  near(br_result_real(r, "window.work_in"), 4.5, 1e-8);
  near(br_result_real(r, "window.friction_work"), 1.5, 1e-8);
  near(br_result_real(r, "window.stick_fraction"), 0.5, 0.0101); /* of the rows between */
  br_result_destroy(r);
}

/* What is in force where nothing was said. */
static void tolerances(void **state)
{
  static const struct {
    const char *solver;
    double rtol;
  } CASES[] = {{"native", 1e-13}, {"cvode", 1e-9}};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    char said[200];
    if (strcmp(CASES[i].solver, "cvode") == 0 && !BR_WITH_SUNDIALS) continue;
    (void)snprintf(said, sizeof said, "system=driven_block;model=lugre;set=F=3;t-end=0.1;solver=%s",
                   CASES[i].solver);
    br_result *r = answer(said);
    near(br_result_real(r, "stats.rtol"), CASES[i].rtol, 1e-3 * CASES[i].rtol);
    br_result_destroy(r);
  }
}

/* A block on a belt rubs with the difference of two velocities: no state is
 * that. */
static void on_a_belt(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  br_job *job = job_of("system=" BR_SOURCE_DIR "/mechanisms/belt_oscillator.yaml;model=lugre;t-end=1");
  br_err err = {BR_OK, -1, ""};
  if (br_job_check(job, &err)) fail_msg("%s", err.msg);
  assert_int_equal(br_plant_velocity(br_job_plant(job), 0), -1);
  br_job_destroy(job);
}

static void refused(const char *said, const char *text)
{
  br_job *job = job_of(said);
  br_result *r = NULL;
  br_err err = {BR_OK, -1, ""};
  br_status st = br_job_check(job, &err);
  assert_int_equal(br_result_create(0, &r, NULL), BR_OK);
  br_sink out = br_result_sink(r);
  if (!st) st = br_job_run(job, &out, &err);
  if (!st || !strstr(err.msg, text)) fail_msg("%.60s: '%s' lacks '%s'", said, err.msg, text);
  br_result_destroy(r);
  br_job_destroy(job);
}

#define BLOCK "system=driven_block;model=coulomb;set=F=3;t-end=5;"

/* More than there is room for; times that do not ascend; windows that lie
 * elsewhere. */
static void limits(void **state)
{
  br_job *job = job_of(BLOCK);
  char *list = calloc(1, 40000), *at = list;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  assert_non_null(list);
  refused(BLOCK "switch=2:m=2,1:m=3", "must ascend: 1 s behind 2 s");
  refused(BLOCK "switch=1:m=2,1:m=3", "ascend");
  refused(BLOCK "switch=0:m=2", "no time > 0");
  refused(BLOCK "switch=nan:m=2", "no time > 0");
  refused(BLOCK "window=2:1", "must ascend");
  refused(BLOCK "window=1:9", "must ascend");
  refused(BLOCK "window=-1:2", "must ascend");
  refused(BLOCK "event=v,v-1,v-2,v-3,v-4,v-5,v-6,v-7,v-8,v-9,v-10,v-11,v-12,v-"
                "13,v-14,v-15,v-16",
          "more than 16");
  for (int i = 1; i <= 1001; i++) at += sprintf(at, "%s%d:m=%d", i > 1 ? "," : "", i, i);
  assert_int_equal(br_job_set(job, "switch", list, NULL, &err), BR_OK);
  assert_int_not_equal(br_job_check(job, &err), BR_OK);
  assert_non_null(strstr(err.msg, "more than 1000"));
  br_job_destroy(job);
  free(list);
}

/* ---- stops ---- */

static int asked(void *ctx)
{
  const int n = ++*(int *)ctx;
  return n > 20 && n < 40;
}

/* Two rows, and thousands of steps between them: somebody who knocks there is
 * heard. */
static void stops_between_rows(void **state)
{
  br_job *job = job_of("system=pulled_block;model=lugre;set=m=1,k=2,vp=0.1;"
                       "solver=fixed;dt=1e-3;t-end=200;output-dt=200");
  br_result *r = NULL;
  br_err err = {BR_OK, -1, ""};
  int knocks = 0;
  (void)state;
  assert_int_equal(br_job_check(job, &err), BR_OK);
  assert_int_equal(br_result_create(0, &r, &err), BR_OK);
  br_sink out = br_result_sink(r);
  out.stop.asked = asked, out.stop.ctx = &knocks;
  assert_int_equal(br_job_run(job, &out, &err), BR_INTERRUPTED);
  br_result_destroy(r);
  br_job_destroy(job);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thresholds), cmocka_unit_test(both_ways_count), cmocka_unit_test(events_by_type),
      cmocka_unit_test(window),     cmocka_unit_test(limits),          cmocka_unit_test(stops_between_rows),
      cmocka_unit_test(tolerances), cmocka_unit_test(on_a_belt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
