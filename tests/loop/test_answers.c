/* SPDX-License-Identifier: Apache-2.0
 * test_answers.c - the analyses 'loop' and 'classify' asked by name: what minor loops cost, how fast a
 * limit is reached, the way from a given start, tables, what is refused; against closed forms and second
 * ways. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "loop/along.h"
#include "support/answer.h"
#include "support/near.h"

#define PI 3.14159265358979323846
#define SATURATES "model=dahl;set=sigma0=2,Fc=1,gamma=2;"

/* A damper: forces are those of the speed, work is force times path.  The major loop is walked at the same
 * speed. */
static void cost_of_minor_loops(void **state)
{
  (void)state;
  br_result *r = answer("loop", "model=viscous;set=sigma2=2;input=turning:0,1,0.5,0.8;frequency=1", NULL);
  near(real(r, "work"), 2 * 2.6 * 2.6, 1e-13);
  near(real(r, "major_work"), 2 * 2.6 * 2, 1e-13);
  near(real(r, "extra_work"), 2 * 2.6 * 0.6, 1e-13);
  near(real(r, "minor.0.work"), 2 * 2.6 * 0.6, 1e-13);
  br_result_destroy(r);
}

/* The same motion from other turning points on: minor loops that run into the next period, and ones above
 * and below. */
static void minor_loops_anywhere(void **state)
{
  static const char *const TURNED[] = {"0,1,0.5,1.5", "1,0.5,1.5,0", "0.5,1.5,0,1", "1.5,0,1,0.5"};
  static const char *const WAYS[] = {"", ";waveform=yes;samples=8"};
  static const char *const KEYS[] = {"u_start", "u_turn", "y_start", "y_end", "gap", "work", "dissipation"};
  double first[7] = {0};
  (void)state;
  for (int k = 0; k < 8; k++) {
    char text[200];
    (void)snprintf(text, sizeof text, SATURATES "input=turning:%s%s", TURNED[k % 4], WAYS[k / 4]);
    br_result *r = answer("loop", text, "loop minor0 starts ends");
    assert_int_equal(br_result_length(r, "minor"), 1);
    for (int i = 0; i < 7; i++) {
      const double x = real(r, "minor.0.%s", KEYS[i]);
      if (!k) first[i] = x;
      near(x, first[i], 1e-10);
    }
    near(real(r, "minor.0.rho_end") - real(r, "minor.0.rho_start"), 1, 1e-14);
    near(real(r, "minor.0.gap"), real(r, "minor.0.y_end") - real(r, "minor.0.y_start"), 1e-14);
    /* what is stored is F^2 / (2 sigma0) */
    const double a = real(r, "minor.0.y_start"), b = real(r, "minor.0.y_end");
    near(real(r, "minor.0.dissipation"), real(r, "minor.0.work") - (b * b - a * a) / 4, 1e-10);
    if (k < 4) { /* tables: which rows lie on the minor loop, and where it starts and ends */
      const br_result_table *t = br_result_table_find(r, "loop"), *starts = br_result_table_find(r, "starts"),
                            *ends = br_result_table_find(r, "ends");
      const double from = real(r, "minor.0.rho_start"), to = real(r, "minor.0.rho_end"),
                   R = real(r, "path_length");
      assert_true(cell(starts, 0, 0) == from && cell(starts, 0, 2) == a);
      assert_true(cell(ends, 0, 0) == to && cell(ends, 0, 2) == b);
      for (size_t i = 0; i < t->rows; i++) {
        const double rho = cell(t, i, 0), eps = 1e-9;
        const int in = (rho > from + eps && rho < to - eps) || (rho + R > from + eps && rho + R < to - eps),
                  out = (rho < from - eps || rho > to + eps) && (rho + R < from - eps || rho + R > to + eps);
        if (in) assert_true(cell(t, i, 3) == 0);
        if (out) assert_true(cell(t, i, 3) == -1);
      }
    }
    br_result_destroy(r);
  }
  br_result *r = answer("loop", SATURATES "input=turning:0,1,0.5,0.8;samples=5", "loop");
  assert_int_equal(br_result_table_find(r, "loop")->rows, 4 * 5 + 1);
  const double gap = real(r, "minor.0.gap"), work = real(r, "minor.0.work");
  br_result_destroy(r);
  r = answer("loop", SATURATES "input=turning:0,1,0.5,0.8;samples=16;waveform=yes", NULL);
  near(real(r, "minor.0.gap"), gap, 1e-10);
  near(real(r, "minor.0.work"), work, 1e-10);
  assert_int_equal(br_result_length(r, "wave.t"), 17);
  br_result_destroy(r);
}

/* Dahl forgets a deviation by exp(-sigma0 path / Fc): over a path of 2, sigma0 = 2, by exp(-4) a period. */
static void forgets(void **state)
{
  static const char *const ASKED[] = {"input=turning:-0.5,0.5",
                                      "input=triangle:0.5,1;waveform=yes;samples=16"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[200];
    (void)snprintf(text, sizeof text, "model=dahl;set=sigma0=2,Fc=1;periods=3;init=F=0.5;%s", ASKED[k]);
    br_result *r = answer("loop", text, "transient0 transient1 loop");
    const br_result_table *wave = br_result_table_find(r, "wave");
    near(real(r, "contraction"), exp(-4), 1e-12);
    const double d0 = real(r, "transient.0.distance"), start = k ? cell(wave, 0, 3) : real(r, "turning.0.y");
    if (k) assert_true(cell(wave, 0, 2) == 0.5);
    near(d0, fabs(0.5 - start), 1e-9); /* largest where it begins */
    near(real(r, "transient.1.distance"), d0 * exp(-4), 1e-9);
    near(real(r, "transient.2.distance"), d0 * exp(-8), 1e-9);
    const br_result_table *way = br_result_table_find(r, "transient1"), *on = br_result_table_find(r, "loop");
    for (size_t i = 0; !k && i < on->rows; i++) { /* the second period: what is left of the deviation */
      const double rho = cell(on, i, 0);
      assert_true(cell(way, i, 0) == rho && cell(way, i, 1) == cell(on, i, 1));
      near(cell(way, i, 2) - cell(on, i, 2), (0.5 - start) * exp(-4 - 2 * rho), 1e-12);
    }
    for (size_t i = 0; k && i <= 48; i++) { /* beside the loop, sample by sample */
      near(cell(wave, i, 2) - cell(wave, i, 3), (0.5 - start) * exp(-4 * cell(wave, i, 0)), 1e-9);
      assert_true(cell(wave, i, 3) == cell(wave, i % 16, 3));
    }
    br_result_destroy(r);
  }
}

/* A spring behind a limit that is not reached: unstretched at zero where the motion passes it, else where it
 * starts. */
static void keeps_its_past(void **state)
{
  static const struct {
    const char *input;
    double rest;
  } CASE[] = {{"-0.3,0.3", 0}, {"-0.3,0.4,0.1", 0}, {"0.1,0.7", 0.1}};
  char text[200];
  (void)state;
  for (int k = 0; k < 3; k++) {
    (void)snprintf(text, sizeof text, "model=maxwell_slip;set=k=3,Delta=1;input=turning:%s", CASE[k].input);
    br_result *r = answer("loop", text, NULL);
    for (size_t i = 0; i < br_result_length(r, "turning"); i++)
      near(real(r, "turning.%zu.y", i), 3 * (real(r, "turning.%zu.u", i) - CASE[k].rest), 1e-14);
    assert_non_null(strstr(br_result_json(r, NULL), "\"attracting\": false"));
    assert_string_equal(answer_notes, "");
    br_result_destroy(r);
  }
  br_result *r =
      answer("loop", "model=bouc_wen;set=beta=-0.25,gamma=1.25,eta=1;input=turning:-0.3,0.3", NULL);
  assert_non_null(strstr(answer_notes, "repels"));
  assert_true(real(r, "contraction") > 1);
  br_result_destroy(r);
}

/* Behind a filter of time tau the distance to the limit falls with the first power of the time scale. */
static void rates(void **state)
{
  (void)state;
  br_result *r = answer("loop", "model=dahl;set=sigma0=1,Fc=1;input=sine:1,1;filter=1;scales=2000,200", NULL);
  near(real(r, "rate.1.order"), 1, 0.02);
  assert_true(isnan(real(r, "rate.0.order")));
  for (size_t i = 0; i < 2; i++)
    assert_true(real(r, "rate.%zu.transient", i) > 1.005 * real(r, "rate.%zu.steady", i));
  assert_true(real(r, "rate.0.transient") > 1.02 * real(r, "rate.0.steady"));
  const char *json = br_result_json(r, NULL);
  assert_non_null(strstr(json, "\"consistent\": true"));
  assert_non_null(strstr(json, "\"strongly_consistent\": true"));
  const double graph = real(r, "rate.1.graph");
  br_result_destroy(r);
  /* the same in other units: graphs are measured by width and height */
  r = answer("loop", "model=dahl;set=sigma0=500,Fc=5;input=sine:10mm,1;filter=1;scales=200", NULL);
  near(real(r, "rate.0.graph"), graph, 1e-6 * graph);
  br_result_destroy(r);
  r = answer("loop", "model=maxwell_slip;set=k=1,Delta=1;input=turning:0.1,0.7;scales=1,10", NULL);
  json = br_result_json(r, NULL);
  assert_non_null(strstr(json, "\"consistent\": true"));
  assert_non_null(strstr(json, "\"strongly_consistent\": false"));
  br_result_destroy(r);
}

/* Work of what a filter shows: by its samples, u' in closed form (trapezoids over a period converge at
 * once). */
static void work_behind_a_filter(void **state)
{
  (void)state;
  br_result *r = answer(
      "loop", "model=dahl;set=sigma0=2,Fc=1;input=sine:1,1;waveform=yes;filter=0.1;samples=2000", NULL);
  const br_result_table *wave = br_result_table_find(r, "wave");
  double work = 0;
  for (size_t k = 0; k < 2000; k++) work += cell(wave, k, 2) * 2 * PI * cos(2 * PI * cell(wave, k, 0)) / 2000;
  near(real(r, "work"), work, 1e-6);
  assert_true(isnan(real(r, "dissipation")));
  br_result_destroy(r);
}

/* The least force of a damper under a sine lies between the samples, and in the middle between two corners.
 * */
static void extremes_between_samples(void **state)
{
  (void)state;
  br_result *r = answer("loop", "model=viscous;set=sigma2=2;input=sine:1,1;waveform=yes;samples=9", NULL);
  near(real(r, "y_min"), -4 * PI, 1e-12);
  near(real(r, "y_max"), 4 * PI, 1e-12);
  br_result_destroy(r);
}

/* A motion and its load, ten times slower by the scale or by their own frequency. */
static void loads_and_scales(void **state)
{
  static const char *const SLOW[] = {"input=u:sine:1mm,1;input=N:sine:0.5,2,0.3,1;scale=10",
                                     "input=u:sine:1mm,0.1;input=N:sine:0.5,0.2,0.3,1"};
  static const char *const MODELS[] = {"lugre", "coulomb", "viscous;set=sigma2=3",
                                       "lugre;set=sigma1=300,sigma2=5"};
  static const char *const KEYS[] = {"work", "y_min", "y_max", "path_length"};
  char text[300];
  (void)state;
  for (int m = 0; m < 4; m++) {
    double x[2][4];
    for (int k = 0; k < 2; k++) {
      (void)snprintf(text, sizeof text, "model=%s;waveform=yes;samples=8;%s", MODELS[m], SLOW[k]);
      br_result *r = answer("loop", text, NULL);
      for (int i = 0; i < 4; i++) x[k][i] = real(r, "%s", KEYS[i]);
      br_result_destroy(r);
    }
    for (int i = 0; i < 4; i++) near(x[1][i] / x[0][i], 1, 1e-9);
  }
  /* dry friction shows its load: 4 mm/s under max(0, sin(2 pi t) / 2), then under twice the load from half a
   * period on */
  br_result *r = answer("loop",
                        "model=coulomb;set=Fc=1,Fs=1,sigma2=0;input=u:triangle:1mm,1;input=N:sine:0.5,1;"
                        "waveform=yes;samples=16",
                        NULL);
  const br_result_table *wave = br_result_table_find(r, "wave");
  for (size_t k = 0; k < 17; k++) {
    const double t = (double)k / 16;
    if (k % 8 == 4) continue; /* turns */
    near(cell(wave, k, 2), fmax(0, 0.5 * sin(2 * PI * t)) * (t < 0.25 || t > 0.75 ? 1 : -1), 1e-12);
  }
  near(real(r, "work"), 4e-3 * 0.5 / PI, 1e-12);
  br_result_destroy(r);
  r = answer(
      "loop",
      "model=coulomb;set=Fc=1,Fs=1,sigma2=0;input=triangle:1mm,1;switch=0.5s:load=2;waveform=yes;samples=16",
      NULL);
  near(real(r, "work"), 2e-3 * (1 + 2), 1e-12);
  near(real(r, "y_min"), -2, 0);
  br_result_destroy(r);
  r = answer("loop",
             "model=lugre;set=sigma0=1e6,sigma1=0,sigma2=0,Fc=1,Fs=1;input=triangle:1mm,1;switch=0.5s:load=2;"
             "waveform=yes;samples=16",
             NULL);
  static const double AT[][2] = {{2, 1}, {6, -1}, {8, -1}, {10, -2}, {14, 2}, {16, 2}}; /* it slides */
  for (size_t k = 0; k < 6; k++)
    near(cell(br_result_table_find(r, "wave"), (size_t)AT[k][0], 2), AT[k][1], 1e-6);
  br_result_destroy(r);
  refused("loop", "model=coulomb;input=triangle:1mm,1;switch=1.5s:load=2;waveform=yes", "within one period");
  refused("loop", "model=coulomb;input=u:triangle:1mm,1;input=N:sine:0.5,0.7,0,1;waveform=yes",
          "whole periods");
  refused("loop", "model=coulomb;input=u:triangle:1mm,1;input=N:ramp:1;waveform=yes", "no period");
  refused("loop", "model=lugre;input=triangle:1mm,1;switch=0.5s:load=2;waveform=yes;filter=1",
          "does not switch");
}

static void derivatives_of_extremes(void **state)
{
  (void)state;
  br_result *r = answer("loop", SATURATES "input=turning:-1,1;sensitivity=Fc", NULL);
  const double up = real(r, "sensitivity.Fc.y_max");
  assert_true(up > 0);
  near(real(r, "sensitivity.Fc.y_min"), -up, 1e-9);
  br_result_destroy(r);
  r = answer(
      "loop",
      "model=coulomb;set=Fc=1,Fs=1;input=triangle:1mm,1Hz;waveform=yes;switch=0.5s:Fc=0.5,Fs=0.5;samples=8;"
      "sensitivity=sigma2;set=sigma2=1",
      NULL);
  assert_string_equal(br_result_text(r, "sensitivity_method"), "central differences, extrapolated twice");
  br_result_destroy(r);
}

/* A start that no motion brings about is told, to either side; a count has no bound. */
static void starts_out_of_bounds(void **state)
{
  static const double Z[] = {-1.5, 1.5, 0.5, -0.5};
  char text[200];
  (void)state;
  for (int k = 0; k < 4; k++) {
    (void)snprintf(text, sizeof text, "model=bouc_wen;input=turning:-1,1;periods=2;init=z=%g,D=1e9", Z[k]);
    br_result_destroy(answer("loop", text, NULL));
    assert_true((strstr(answer_notes, "note: z = ") != NULL) == (k < 2));
    assert_null(strstr(answer_notes, "D = "));
  }
}

static void refusals(void **state)
{
  (void)state;
  refused("loop", "model=dahl;input=u:sine:1,1;input=N:sine:0.1,1,1", "the load N varies");
  refused("loop", "model=dahl;input=sine:1,1;init=F=0.5", "start of a transient");
}

/* ---- classify ---- */

static void kinds(void **state)
{
  static const struct {
    const char *asked, *hysteretic;
  } CASE[] = {{"model=maxwell_slip;energy=no", "true"},
              {"model=bouc_wen;set=beta=0,gamma=1;energy=no", "false"},
              {"model=dahl;energy=no", "true"}};
  (void)state;
  for (int k = 0; k < 3; k++) {
    char part[60];
    br_result *r = answer("classify", CASE[k].asked, NULL);
    (void)snprintf(part, sizeof part, "\"hysteretic\": %s", CASE[k].hysteretic);
    assert_non_null(strstr(br_result_json(r, NULL), part));
    assert_true(br_result_kind(r, "models.0.energy") == BR_NODE_NONE);
    assert_true(br_result_kind(r, "models.0.memory") != BR_NODE_NONE);
    br_result_destroy(r);
  }
  br_result *r = answer("classify", "model=lugre;energy=no;memory=no", NULL);
  assert_true(br_result_kind(r, "models.0.memory") == BR_NODE_NONE);
  assert_true(isnan(real(r, "models.0.proposition.path_change"))); /* its force depends on the rate */
  br_result_destroy(r);
  /* a law that does not know the speed under a force that does: nothing follows for the path */
  r = answer("classify", "model=lugre;energy=no;memory=no;set=Fc=1,Fs=1,sigma2=1", NULL);
  assert_non_null(strstr(br_result_json(r, NULL), "\"homogeneous\": true"));
  assert_true(isnan(real(r, "models.0.proposition.path_change")));
  br_result_destroy(r);
  /* ten times the forces: shapes are the same */
  br_result *a = answer("classify", "model=dahl;energy=no;set=gamma=2,sigma0=1,Fc=1", NULL),
            *b = answer("classify", "model=dahl;energy=no;set=gamma=2,sigma0=10,Fc=10", NULL);
  assert_true(fabs(real(a, "models.0.memory.congruency")) > 1e-3);
  near(real(b, "models.0.memory.congruency") / real(a, "models.0.memory.congruency"), 1, 1e-6);
  br_result_destroy(a), br_result_destroy(b);
}

static void gains_energy(void **state)
{
  (void)state;
  br_result *r = answer("classify", "model=bouc_wen;set=beta=-0.25,gamma=1.25;memory=no", NULL);
  assert_string_equal(br_result_text(r, "models.0.energy.verdict"), "active");
  assert_true(real(r, "models.0.energy.cycle.work") < 0);
  br_result_destroy(r);
  static const char *const VERDICT[][2] = {{"beta=0.5,gamma=0.5", "admissible"},
                                           {"beta=0.1,gamma=0.9", "passive with another stored energy"}};
  for (int k = 0; k < 2; k++) {
    char text[100];
    (void)snprintf(text, sizeof text, "model=bouc_wen;memory=no;set=%s", VERDICT[k][0]);
    r = answer("classify", text, NULL);
    assert_string_equal(br_result_text(r, "models.0.energy.verdict"), VERDICT[k][1]);
    br_result_destroy(r);
  }
  /* the least power that is told is that of the place that is told: F v - sigma0 z z' */
  r = answer("classify", "model=lugre;memory=no;set=sigma0=1e5,sigma1=2000,sigma2=0,Fc=1,Fs=1.5,vs=0.001",
             NULL);
  const double v = real(r, "models.0.energy.worst_v"), z = real(r, "models.0.energy.worst_state.0");
  const double level = 1 + 0.5 * exp(-v * v / 1e-6), dz = v - 1e5 * fabs(v) * z / level;
  assert_true(fabs(v) > 0.1 || fabs(v) < 1e-4);
  near(real(r, "models.0.energy.worst_rate") / ((1e5 * z + 2000 * dz) * v - 1e5 * z * dz), 1, 1e-6);
  br_result_destroy(r);
}

/* Every model once, but for document 4's four rows of Dahl. */
static void all_models(void **state)
{
  size_t count = 0, seen = 0;
  const br_model *const *all = br_models(&count);
  br_result *r = answer("classify", "energy=no;memory=no", NULL);
  (void)state;
  assert_int_equal(br_result_length(r, "models"), count + 3);
  for (size_t i = 0; i < count; i++, seen = 0) {
    for (size_t k = 0; k < count + 3; k++) {
      char path[40];
      (void)snprintf(path, sizeof path, "models.%zu.model", k);
      seen += strcmp(br_result_text(r, path), all[i]->name) == 0;
    }
    assert_int_equal(seen, strcmp(all[i]->name, "dahl") == 0 ? 4 : 1);
  }
  br_result_destroy(r);
}

/* A model of two axes on a line: its force is the part along it. */
static void along_a_line(void **state)
{
  const br_model *m = br_model_find("bouc_wen_biaxial");
  double par[256], z[8] = {0.3, -0.2}, dz[8], F[2], one = 0;
  const double angle = 0.5, dir[] = {cos(angle), sin(angle)}, u = 0.1, v = 2, uu[] = {u * dir[0], u * dir[1]},
               vv[] = {v * dir[0], v * dir[1]};
  bri_along line;
  (void)state;
  assert_true(m && m->slots <= 256);
  m->defaults(par);
  if (m->prepare) m->prepare(par);
  m->rate(par, 1, uu, vv, z, dz);
  m->force(par, 1, uu, vv, z, dz, F);
  bri_along_open(&line, m, par, angle);
  line.face.rate(&line, 1, &u, &v, z, dz);
  line.face.force(&line, 1, &u, &v, z, dz, &one);
  assert_true(fabs(F[0]) > 1e-6 && fabs(F[1]) > 1e-6);
  near(one, F[0] * dir[0] + F[1] * dir[1], 1e-12 * (fabs(F[0]) + fabs(F[1])));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cost_of_minor_loops),
      cmocka_unit_test(minor_loops_anywhere),
      cmocka_unit_test(forgets),
      cmocka_unit_test(keeps_its_past),
      cmocka_unit_test(rates),
      cmocka_unit_test(work_behind_a_filter),
      cmocka_unit_test(derivatives_of_extremes),
      cmocka_unit_test(starts_out_of_bounds),
      cmocka_unit_test(refusals),
      cmocka_unit_test(loads_and_scales),
      cmocka_unit_test(extremes_between_samples),
      cmocka_unit_test(kinds),
      cmocka_unit_test(gains_energy),
      cmocka_unit_test(all_models),
      cmocka_unit_test(along_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
