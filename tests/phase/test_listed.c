/* SPDX-License-Identifier: Apache-2.0
 * test_listed.c - what lists and tables of 'phase' say about siblings: both sides of a sticking point,
 * motions pushed backward, two stable cycles at one value, cycles from rest that begin and that end,
 * values that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"
#include "support/answer.h"
#include "support/near.h"

#define PI 3.14159265358979323846
#define BLOCK \
  "system=driven_block;model=lugre;set=m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6,sigma1=8;"

/* ---- what is refused ---- */

/* The levels keep their order wherever one of them varies, and so do ranges. */
static void levels_in_order(void **state)
{
  static const struct {
    const char *name;
    double a, b;
    int good;
  } RANGES[] = {{"Fc", 0.5, 4.9, 1},   {"Fc", 0.5, 5.1, 0}, {"Fc", 5.1, 6, 0},
                {"Fs", 0.5, 6, 0},     {"Fs", 1.1, 6, 1},   {"Fs", 0.5, 0.9, 0},
                {"sigma0", 1, 100, 1}, {"m", 0, 2, 0},      {"m", 0.5, 2, 1}};
  kit k;
  (void)state;
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
    br_phase *ph = NULL;
    br_err err = {BR_OK, -1, ""};
    const br_status st = br_phase_create_local(&p, RANGES[i].name, RANGES[i].a, RANGES[i].b, &ph, &err);
    if (st != (RANGES[i].good ? BR_OK : BR_E_RANGE))
      fail_msg("%s from %g to %g: %d, %s", RANGES[i].name, RANGES[i].a, RANGES[i].b, st, err.msg);
    if (!RANGES[i].good && RANGES[i].name[0] == 'F') assert_non_null(strstr(err.msg, "such that Fs >= Fc"));
    br_phase_destroy(ph);
  }
}

static void ranges_ascend(void **state)
{
  static const double ENDS[][2] = {{3, 0.05}, {1, 1}, {NAN, 1}, {1, NAN}, {-0.05, -3}};
  const br_system *sys = br_system_find("driven_block");
  double spar[64], held[8] = {5.704};
  kit k;
  (void)state;
  kit_figure5(&k);
  assert_true(sys && sys->slots <= 64);
  sys->defaults(spar);
  sys->prepare(spar);
  const br_phase_plant p = {sys, spar, k.model, k.par, held, {NULL, NULL}};
  for (size_t i = 0; i <= sizeof ENDS / sizeof ENDS[0]; i++) {
    br_phase_event e[4];
    size_t n = 7;
    br_err err = {BR_OK, -1, ""};
    const int slot = i == sizeof ENDS / sizeof ENDS[0] ? -1 : 0; /* and the number must be one */
    const double a = slot < 0 ? 0.05 : ENDS[i][0], b = slot < 0 ? 3 : ENDS[i][1];
    assert_int_equal(br_phase_hopf_points(&p, BR_VARY_INPUT, slot, a, b, 4, e, &n, &err), BR_E_ARG);
    assert_true(n == 0 && strstr(err.msg, "is no range"));
    assert_int_equal(br_phase_fold_points(&p, BR_VARY_INPUT, slot, a, b, 4, e, &n, &err), BR_E_ARG);
  }
}

/* "model." and "system." say where a name is looked for: nowhere else, and a name of both is not mixed up. */
static void names_have_owners(void **state)
{
  static const char *const WRONG[] = {"model.m=0.5:2", "model.F=5:6", "system.sigma1=4:9", "system.Fc=0.5:2"};
  (void)state;
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    char text[300], name[32];
    (void)snprintf(text, sizeof text, BLOCK "only=hopf;vary=%s", WRONG[i]);
    (void)snprintf(name, sizeof name, "has a '%.*s'", (int)strcspn(WRONG[i], "="), WRONG[i]);
    refused("phase", text, name);
  }
  double value[2];
  for (int i = 0; i < 2; i++) { /* with its owner and without */
    br_result *r = answer(
        "phase", i ? BLOCK "only=hopf;vary=model.sigma1=8:9" : BLOCK "only=hopf;vary=sigma1=8:9", NULL);
    assert_int_equal(br_result_length(r, "events"), 1);
    value[i] = real(r, "events.0.value");
    br_result_destroy(r);
  }
  assert_true(value[0] == value[1]);
  br_result_destroy(answer("phase", BLOCK "only=hopf;vary=system.m=0.5:2", NULL));
}

/* ---- sides ---- */

/* A sticking point seen from either side: eigenvalues of the model's own slopes there, just above and
 * below v = 0. */
static void sides_of_sticking(void **state)
{
  static const double F[] = {0, 0.7, 4.2, -0.7, -4.2};
  (void)state;
  for (size_t i = 0; i < sizeof F / sizeof F[0]; i++) {
    kit k;
    br_phase *ph = NULL;
    br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
    size_t n = 0;
    br_err err = {BR_OK, -1, ""};
    kit_figure5(&k);
    kit_set(&k, "F", F[i]), kit_set(&k, "m", 1.7);
    kit_ready(&k);
    const br_phase_problem p = kit_problem(&k);
    assert_int_equal(br_phase_create_local(&p, "sigma1", 0.5, 9, &ph, &err), BR_OK);
    for (int damped = 0; damped < 2; damped++) { /* a pair, then two real ones */
      const double sigma1 = damped ? 9 : 0.7;
      assert_int_equal(br_phase_equilibria(ph, sigma1, BR_PHASE_MOST_EQUILIBRIA, e, &n, &err), BR_OK);
      assert_true(n >= 1 && e[0].kind == BR_EQUILIBRIUM_STICK && e[0].v == 0);
      near(e[0].z, F[i] / 5, 1e-15);
      kit_set(&k, "sigma1", sigma1);
      kit_ready(&k);
      for (int other = 0; other < 2; other++) {
        const double side = (other ? -1 : 1) * (F[i] < 0 ? -1 : 1), x[] = {F[i] / 5, side * 1e-12};
        double J[4];
        kit_jacobian(&k, x, J);
        const double trace = J[0] + J[3], det = J[0] * J[3] - J[1] * J[2];
        const double *re = other ? e[0].other_re : e[0].re, *im = other ? e[0].other_im : e[0].im;
        near(re[0] + re[1], trace, 1e-9 * (1 + fabs(trace)));
        near(re[0] * re[1] - im[0] * im[1], det, 1e-9 * (1 + fabs(det)));
        near(im[0] + im[1], 0, 0);
      }
      if (F[i] != 0) assert_true(fabs(e[0].re[0] + e[0].re[1] - e[0].other_re[0] - e[0].other_re[1]) > 0.1);
      for (size_t j = 1; j < n; j++) assert_true(isnan(e[j].other_re[0]) && e[j].v * F[i] > 0);
    }
    br_phase_destroy(ph);
  }
}

/* Pushed the other way all that is said of a cycle is mirrored, its start as well; that lies on the cycle:
 * once round from there by Runge-Kutta steps on the model's own equations. */
static void cycles_backward(void **state)
{
  br_phase_cycle y[2][BR_PHASE_MOST_CYCLES];
  (void)state;
  for (int back = 0; back < 2; back++) {
    kit k;
    br_phase *ph = NULL;
    size_t n = 0;
    br_err err = {BR_OK, -1, ""};
    kit_figure5(&k);
    kit_set(&k, "F", back ? -5.704 : 5.704), kit_set(&k, "sigma1", 8.45);
    kit_ready(&k);
    const br_phase_problem p = kit_problem(&k);
    assert_int_equal(br_phase_create(&p, "sigma1", 8.44, 8.46, &ph, &err), BR_OK);
    assert_int_equal(br_phase_cycles(ph, 8.45, BR_PHASE_MOST_CYCLES, y[back], &n, &err), BR_OK);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < n; i++) {
      enum { STEPS = 10000 };
      const br_phase_cycle *c = &y[back][i];
      const double h = c->period / STEPS, size = c->v_max - c->v_min;
      double x[] = {c->z_start, c->v_start}, v_sum = 0;
      assert_true(c->z_start >= c->z_min && c->z_start <= c->z_max && c->v_start >= c->v_min - 1e-9 &&
                  c->v_start <= c->v_max + 1e-9);
      for (int s = 0; s < STEPS; s++) {
        double a[2], b[2], d[2], e[2];
        v_sum += x[1] / STEPS;
        kit_rhs(&k, x[0], x[1], a);
        kit_rhs(&k, x[0] + 0.5 * h * a[0], x[1] + 0.5 * h * a[1], b);
        kit_rhs(&k, x[0] + 0.5 * h * b[0], x[1] + 0.5 * h * b[1], d);
        kit_rhs(&k, x[0] + h * d[0], x[1] + h * d[1], e);
        for (int j = 0; j < 2; j++) x[j] += h / 6 * (a[j] + 2 * b[j] + 2 * d[j] + e[j]);
      }
      near(x[1], c->v_start, 1e-5 * size);
      near(x[0], c->z_start, 1e-5 * (c->z_max - c->z_min));
      near(v_sum, c->v_mean, 1e-3 * size);
    }
    br_phase_destroy(ph);
  }
  for (size_t i = 0; i < 2; i++) {
    const br_phase_cycle *a = &y[0][i], *b = &y[1][i];
    assert_true(a->period == b->period && a->stable == b->stable && a->multiplier == b->multiplier);
    assert_true(a->v_start == -b->v_start && a->z_start == -b->z_start && a->v_mean == -b->v_mean);
    assert_true(a->v_min == -b->v_max && a->v_max == -b->v_min && a->z_min == -b->z_max &&
                a->z_max == -b->z_min);
    assert_true(a->lag_total == b->lag_total && a->lag_elastic == b->lag_elastic);
    assert_true(a->v_start > 0 && a->z_start > 0);
  }
}

/* Case maps do not ask which way the block is pushed. */
static void map_backward(void **state)
{
  enum { N = 4 };
  unsigned char cell[2][N * N];
  char names[2][BR_CASE_NAMES][BR_CASE_NAME];
  size_t kinds = 0;
  (void)state;
  for (int back = 0; back < 2; back++) {
    kit k;
    size_t n = 0;
    br_err err = {BR_OK, -1, ""};
    kit_figure5(&k);
    const br_phase_problem p = kit_problem(&k);
    const br_case_map_settings s = {"F",  "sigma2", back ? -6.5 : 4, back ? -4 : 6.5, 0.8, 2, N, N, 1,
                                    NULL, NULL};
    assert_int_equal(br_phase_case_map(&p, &s, cell[back], names[back], &n, &err), BR_OK);
    kinds = n;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert_string_equal(names[0][cell[0][i * N + j]], names[1][cell[1][(N - 1 - i) * N + j]]);
  assert_true(kinds > 2);
}

/* ---- lags ---- */

/* The mean force under an imposed velocity: of a constant level its own, else by many small steps of the
 * model. */
static void mean_of_a_lag(void **state)
{
  static const double AT[][3] = {{1, 0.5, 0.1}, {1, 0.5, 3}, {-2, 1.5, 0.4}, {0.3, 0.1, 1}};
  kit k;
  br_lag lag;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (size_t i = 0; i < sizeof AT / sizeof AT[0]; i++) {
    const double *at = AT[i], way = at[0] < 0 ? -1 : 1;
    kit_figure5(&k);
    kit_set(&k, "Fs", 1);
    kit_ready(&k);
    assert_int_equal(br_phase_lag(k.model, k.par, at[0], at[1], at[2], &lag, &err), BR_OK);
    near(lag.mean, way + 1.6 * at[0], 1e-9); /* the level, and what is viscous */
    near(lag.elastic, 0, 1e-9);
    kit_set(&k, "Fs", 5);
    kit_ready(&k);
    assert_int_equal(br_phase_lag(k.model, k.par, at[0], at[1], at[2], &lag, &err), BR_OK);
    enum { N = 4000 };
    const double h = 1 / at[2] / N;
    double z = 0, u = 0, mean = 0;
    const int rounds = (int)ceil(60 * at[2]) + 3;
    for (int round = 0; round < rounds; round++) {
      mean = 0;
      for (int s = 0; s < N; s++) {
        const double v = at[0] + at[1] * sin(2 * PI * (s + 0.5) / N), before = z;
        double dz, F;
        k.model->step(k.par, 1, &u, &v, h, &z);
        const double mid = 0.5 * (before + z);
        k.model->rate(k.par, 1, &u, &v, &mid, &dz);
        k.model->force(k.par, 1, &u, &v, &mid, &dz, &F);
        mean += F / N;
      }
    }
    near(lag.mean, mean, 1e-5 * fabs(mean));
  }
}

/* Between the folds of a branch that is born stable two cycles are: each has tables of its own, over its
 * own speeds. */
static void two_stable_cycles(void **state)
{
  (void)state;
  br_result *r = answer("phase",
                        "system=driven_block;model=lugre;vary=sigma1=14.99:15;at=sigma1=14.9943;loops=yes;"
                        "set=m=1,F=7.869347,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.957286",
                        "*");
  size_t stable = 0;
  for (size_t i = 0; i < br_result_length(r, "cycles"); i++) {
    if (real(r, "cycles.%zu.stable", i) == 0) continue;
    static const char *const KINDS[] = {"lag_cycle", "lag_steady", "lag_heads"};
    const double lo = real(r, "cycles.%zu.v_min", i), hi = real(r, "cycles.%zu.v_max", i);
    const double total = real(r, "cycles.%zu.lag_total", i);
    for (int k = 0; k < 3; k++) {
      char name[40];
      double sum = 0, least = INFINITY, most = -INFINITY;
      (void)snprintf(name, sizeof name, "%s%zu", KINDS[k], stable);
      const br_result_table *t = br_result_table_find(r, name);
      if (!t || !t->data || !t->rows) fail_msg("%s is missing", name);
      for (size_t row = 0; row < t->rows; row++) {
        const double *a = t->data + t->ncol * row, *b = t->data + t->ncol * ((row + 1) % t->rows);
        sum += 0.5 * (a[1] + b[1]) * (b[0] - a[0]);
        least = fmin(least, a[0]), most = fmax(most, a[0]);
        if (k == 1) near(a[1], 1 + 4 * exp(-a[0] * a[0] / 4) + 1.957286 * a[0], 1e-12);
      }
      if (k < 2) {
        near(least, lo, 0.01 * (hi - lo));
        near(most, hi, 0.01 * (hi - lo));
      }
      if (k == 0) near(sum / total, 1, 0.02);
    }
    stable++;
  }
  assert_int_equal(stable, 2);
  assert_null(br_result_table_find(r, "lag_cycle2"));
  br_result_destroy(r);
}

/* ---- tables ---- */

/* Beside Stribeck's curve stand the sliding equilibria of the values asked for: those, in order, and no
 * sticking. */
static void sliding_here(void **state)
{
  static const char *const AT[] = {"5.704", "5.69,6.4", "4.2"};
  (void)state;
  for (size_t i = 0; i < sizeof AT / sizeof AT[0]; i++) {
    char text[300];
    size_t rows = 0;
    (void)snprintf(text, sizeof text, BLOCK "events=no;stribeck=yes;vary=F=4:7;at=F=%s", AT[i]);
    br_result *r = answer("phase", text, "*");
    const char *next = AT[i];
    for (size_t k = 0; *next; k++) {
      char name[40], *end = NULL;
      const double F = strtod(next, &end);
      next = end + (*end == ',');
      (void)snprintf(name, sizeof name, "sliding_here%zu", k);
      const br_result_table *t = br_result_table_find(r, name);
      for (size_t row = 0; t && row < t->rows; row++, rows++) {
        const double v = cell(t, row, 0) == F ? cell(t, row, 1) : cell(t, row, 0);
        assert_true(v > 0 && (cell(t, row, 0) == F || cell(t, row, 1) == F));
        near(1 + 4 * exp(-v * v / 4) + 1.6 * v, F, 1e-9);
      }
      assert_true(F < 5 ? !t : t && t->rows > 0);
    }
    assert_int_equal(rows, i == 0 ? 3 : i == 1 ? 4 : 0);
    br_result_destroy(r);
  }
}

/* Where the cycle that rest leads to ends along the speed of the pull, it begins along the static level
 * there. */
static void cycles_from_rest(void **state)
{
#define HOLDS "system=pulled_block;model=coulomb;only=cycles;set=m=0.538,k=6957,Fc=2,vs=0.1,delta=1,"
  char text[300];
  (void)state;
  br_result *r = answer("phase", HOLDS "Fs=6,sigma2=5.946;vary=vp=0.2:0.35", NULL);
  assert_int_equal(br_result_length(r, "cycle_from_rest_ends"), 1);
  const double vp = real(r, "cycle_from_rest_ends.0");
  near(vp, 0.271789042908, 1e-9);
  br_result_destroy(r);
  (void)snprintf(text, sizeof text, HOLDS "Fs=6,sigma2=5.946,vp=%.17g;vary=Fs=5.7:6.45", vp);
  r = answer("phase", text, NULL);
  assert_int_equal(br_result_length(r, "cycle_from_rest_ends"), 1);
  near(real(r, "cycle_from_rest_ends.0"), 6, 1e-7);
  br_result_destroy(r);
  (void)snprintf(text, sizeof text, HOLDS "Fs=6,sigma2=5.946,vp=%.17g;vary=sigma2=5:7", vp);
  r = answer("phase", text, NULL);
  near(real(r, "cycle_from_rest_ends.0"), 5.946, 1e-7);
  br_result_destroy(r);
}

/* Events of cycles stand in the diagram where their cycle has its largest velocity, those of equilibria
 * where these are: the sliding cycle that is born at the Hopf point grazes rest in the end, and goes on as
 * one that sticks. */
static void places_of_events(void **state)
{
  (void)state;
  br_result *r = answer("phase",
                        "system=pulled_block;model=coulomb;vary=vp=0.15:0.35;diagram=yes;"
                        "set=m=0.538,k=6957,Fc=2,vs=0.1,delta=1,Fs=6,sigma2=5.946",
                        "*");
  size_t met[2] = {0};
  for (size_t i = 0; i < br_result_length(r, "events"); i++) {
    char name[60];
    (void)snprintf(name, sizeof name, "events.%zu.type", i);
    const char *type = br_result_text(r, name);
    const int grazing = strcmp(type, "grazing") == 0;
    (void)snprintf(name, sizeof name, "%s%zu", type, i);
    const br_result_table *t = br_result_table_find(r, name), *c = br_result_table_find(r, "cycles-unstable");
    assert_true(t && t->rows == 1 && c && c->data && (grazing || strcmp(type, "hopf") == 0));
    assert_true(cell(t, 0, 0) == real(r, "events.%zu.value", i));
    double best = INFINITY, v[2] = {NAN, NAN};
    for (size_t row = 0; row < c->rows; row++) {
      const double off = fabs(cell(c, row, 0) - cell(t, 0, 0));
      if (off < best) best = off, v[0] = cell(c, row, 1), v[1] = cell(c, row, 2);
    }
    if (grazing) {
      near(cell(t, 0, 1), v[1], 0.01 * v[1]);
      near(v[0], 0, 1e-6);
    } else {
      assert_true(cell(t, 0, 1) == real(r, "events.%zu.v", i) && cell(t, 0, 1) == cell(t, 0, 0));
    }
    met[grazing]++;
  }
  assert_true(met[0] == 1 && met[1] == 1);
  br_result_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_in_order),   cmocka_unit_test(ranges_ascend),
      cmocka_unit_test(names_have_owners), cmocka_unit_test(sides_of_sticking),
      cmocka_unit_test(cycles_backward),   cmocka_unit_test(map_backward),
      cmocka_unit_test(mean_of_a_lag),     cmocka_unit_test(two_stable_cycles),
      cmocka_unit_test(sliding_here),      cmocka_unit_test(cycles_from_rest),
      cmocka_unit_test(places_of_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
