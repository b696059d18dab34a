/* SPDX-License-Identifier: Apache-2.0
 * Response curves against closed forms (linear mass, Jenkins element), against marching, against harmonic
 * balance, and folds against multipliers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "bristle/param.h"
#include "response/response.h"

#define PI 3.14159265358979323846
enum { MOST = 4000 };

typedef struct {
  br_param inputs[4];
  br_param_table tables[BR_PLANT_TABLES];
  br_params *params;
  br_plant *plant;
  bri_sine sine;
  bri_response r;
  bri_point at[MOST], event[32];
  int kind[32];
  size_t n, events;
  br_status status;
  double end;
  br_err err;
} bench;

static br_status keep(void *ctx, const bri_point *p, br_err *err)
{
  bench *b = ctx;
  (void)err;
  assert_true(b->n < MOST);
  b->at[b->n++] = *p;
  return BR_OK;
}

static br_status met(void *ctx, int kind, const bri_point *p, br_err *err)
{
  bench *b = ctx;
  (void)err;
  assert_true(b->events < 32);
  b->kind[b->events] = kind;
  b->event[b->events++] = *p;
  return BR_OK;
}

/* vary 'f' or 'a' from the value in the sine to `to`. */
static void follow(bench *b, const char *system, const char *model, const char *set, double amplitude,
                   double frequency, char vary, double to, size_t points)
{
  const br_system *s = br_system_find(system);
  const br_model *m = br_model_find(model);
  br_drive drives[4] = {{0}};
  memset(b, 0, sizeof *b);
  const size_t nt = br_plant_tables(s, m, b->inputs, b->tables);
  assert_int_equal(br_params_create_tables(b->tables, nt, &b->params, &b->err), BR_OK);
  assert_int_equal(br_params_set_list(b->params, set, &b->err), BR_OK);
  assert_int_equal(br_params_finish(b->params, &b->err), BR_OK);
  b->sine = (bri_sine){amplitude, frequency, 0};
  drives[0] = bri_sine_drive(&b->sine);
  assert_int_equal(br_plant_of(s, m, b->params, drives, &b->plant, &b->err), BR_OK);
  const int x = br_plant_index(b->plant, "x");
  b->r = (bri_response){.plant = b->plant,
                        .sine = &b->sine,
                        .vary = vary == 'f' ? &b->sine.frequency : &b->sine.amplitude,
                        .from = vary == 'f' ? frequency : amplitude,
                        .to = to,
                        .points = points,
                        .watched = x,
                        .position = x,
                        .given = br_plant_velocity(b->plant, 0) < 0,
                        .rtol = 1e-11,
                        .point = keep,
                        .event = met,
                        .ctx = b};
  b->status = bri_response_follow(&b->r, NULL, &b->end, &b->err);
}

static void leave(bench *b)
{
  br_plant_destroy(b->plant);
  br_params_destroy(b->params);
}

static bench bench0;

/* A spring k that slips at the deflection D: stiffness, loss factor and loss of a stroke A. */
static void jenkins(double k, double D, double A, double *re, double *im, double *work)
{
  const double angle = acos(1 - 2 * D / A);
  *re = k / PI * (angle - 0.5 * sin(2 * angle));
  *im = 4 * k * D / (PI * A) * (1 - D / A);
  *work = 4 * k * D * (A - D);
}

static void test_jenkins_describing_function(void **state)
{
  bench *b = &bench0;
  follow(b, "prescribed", "maxwell_slip", "k=1000,Delta=1mm", 0.5e-3, 1, 'a', 5e-3, 12);
  assert_int_equal(b->status, BR_OK);
  assert_true(b->n > 8);
  double worst = 0;
  for (size_t i = 0; i < b->n; i++) {
    double re, im, work;
    const double A = b->at[i].amplitude_in;
    if (A <= 1e-3) { /* sticks */
      assert_true(fabs(b->at[i].stiffness - 1000) < 1e-6 && fabs(b->at[i].loss_factor) < 1e-9);
      continue;
    }
    jenkins(1000, 1e-3, A, &re, &im, &work);
    worst = fmax(worst, fmax(fabs(b->at[i].stiffness / re - 1), fabs(b->at[i].loss_factor * re / im - 1)));
    assert_true(fabs(b->at[i].work - work) < 1e-12);
  }
  print_message("describing function: %zu strokes, worst relative error %.2g\n", b->n, worst);
  assert_true(worst < 2e-6);
  assert_true(fabs(b->at[b->n - 1].amplitude_in - 5e-3) < 1e-15);
  leave(b);
}

/* A linear damper: amplitude, phase and multipliers in closed form. */
static void test_linear(void **state)
{
  bench *b = &bench0;
  follow(b, "mass_spring", "viscous", "m=2,ks=300,sigma2=1.5", 3, 0.5, 'f', 4, 20);
  assert_int_equal(b->status, BR_OK);
  double worst = 0;
  for (size_t i = 0; i < b->n; i++) {
    const double w = 2 * PI * b->at[i].frequency, re = 300 - 2 * w * w, im = 1.5 * w;
    const double radius = exp(-1.5 / 4 / b->at[i].frequency);
    worst = fmax(worst, fabs(b->at[i].amplitude * hypot(re, im) / 3 - 1));
    worst = fmax(worst, fabs(b->at[i].phase + atan2(im, re)));
    worst = fmax(worst, fabs(b->at[i].work * hypot(re, im) * hypot(re, im) / (PI * im * 9) - 1));
    assert_true(fabs(b->at[i].radius - radius) < 1e-5);
  }
  print_message("linear: %zu points, worst %.2g\n", b->n, worst);
  assert_true(worst < 1e-8);
  for (size_t i = 0; i < b->events; i++) assert_int_equal(b->kind[i], BRI_PEAK);
  leave(b);
}

/* Small motions of a mass on a Dahl element: its stiffness is nearly sigma0 and positive, and so is what it
 * loses. */
static void test_spring(void **state)
{
  bench *b = &bench0;
  (void)state;
  follow(b, "mass_spring", "dahl", "m=2,ks=300,sigma0=100,Fc=1", 0.5, 0.5, 'f', 0.7, 4);
  assert_int_equal(b->status, BR_OK);
  assert_true(b->n > 2);
  for (size_t i = 0; i < b->n; i++)
    assert_true(b->at[i].stiffness > 80 && b->at[i].stiffness < 101 && b->at[i].loss_factor > 0);
  leave(b);
}

/* A contact that has a velocity and no position: its displacement is the integral of that. */
static void test_no_position(void **state)
{
  bench *b = &bench0;
  (void)state;
  follow(b, "driven_block", "lugre", "m=1,sigma0=400,sigma1=5,sigma2=0.5,Fc=1,Fs=1", 1e-4, 0.5, 'f', 0.6, 4);
  assert_int_equal(b->status, BR_OK);
  assert_true(b->n > 2 && b->r.position < 0);
  for (size_t i = 0; i < b->n; i++) {
    const double w = 2 * PI * b->at[i].frequency;
    assert_true(fabs(b->at[i].stiffness / 400 - 1) < 1e-3 &&
                fabs(b->at[i].loss_factor * 400 / (5.5 * w) - 1) < 1e-2);
  }
  leave(b);
}

/* Marching from rest at three frequencies settles on what the curve says. */
static void test_marching(void **state)
{
  static const double F[] = {1.2, 1.7, 2.9};
  bench *b = &bench0;
  for (size_t i = 0; i < 3; i++) {
    follow(b, "mass_spring", "dahl", "m=1,ks=100,sigma0=200,Fc=1", 1.2, F[i], 'f', F[i] * 1.0001, 4);
    assert_int_equal(b->status, BR_OK);
    double lo[8], hi[8];
    br_solve_settings set = br_solve_settings_default();
    br_solver *s = NULL;
    set.extremes = 1, set.rtol = 1e-12;
    b->sine.frequency = F[i];
    assert_int_equal(br_solver_create(b->plant, &set, &s, &b->err), BR_OK);
    double x[8] = {0};
    assert_int_equal(br_solver_start(s, 0, x, &b->err), BR_OK);
    assert_int_equal(br_solver_advance(s, 60 / F[i], x, &b->err), BR_OK);
    assert_int_equal(br_solver_start(s, 0, x, &b->err), BR_OK); /* whole periods: the phase is the same */
    assert_int_equal(br_solver_advance(s, 1 / F[i], x, &b->err), BR_OK);
    br_solver_extremes(s, lo, hi);
    const int at = b->r.watched;
    assert_true(fabs(0.5 * (hi[at] - lo[at]) / b->at[0].amplitude - 1) < 1e-6);
    br_solver_destroy(s);
    leave(b);
  }
}

/* One harmonic with the describing function comes near the whole answer. */
static void test_harmonic_balance(void **state)
{
  bench *b = &bench0;
  follow(b, "mass_spring", "maxwell_slip", "m=1,ks=100,k=200,Delta=5mm", 1.2, 1.5, 'f', 2.2, 16);
  assert_int_equal(b->status, BR_OK);
  size_t slipping = 0;
  for (size_t i = 0; i < b->n; i++) {
    double re, im, work;
    const double A = b->at[i].amplitude, w = 2 * PI * b->at[i].frequency;
    if (A < 6e-3) continue;
    jenkins(200, 5e-3, A, &re, &im, &work);
    assert_true(fabs(hypot(100 - w * w + re, im) * A / 1.2 - 1) <
                0.05); /* the force that the balance asks for */
    slipping++;
  }
  assert_true(slipping > 5);
  leave(b);
}

/* Stribeck's effect: a block that is hard to get going and easy to keep going; folds where a multiplier is 1.
 * */
static void test_folds(void **state)
{
  bench *b = &bench0;
  follow(b, "mass_spring", "lugre", "m=1,ks=100,sigma0=1000,sigma1=5,sigma2=0.5,Fc=0.5,Fs=1,vs=0.01", 0.6, 1,
         'a', 0.9, 20);
  assert_int_equal(b->status, BR_OK);
  size_t folds = 0, tori = 0, high = 0;
  double value[2] = {0, 0};
  for (size_t i = 0; i < b->events; i++)
    if (b->kind[i] == BRI_FOLD) {
      if (folds < 2) value[folds] = b->event[i].amplitude_in;
      if (folds < 2) assert_true(fabs(b->event[i].radius - 1) < 1e-3);
      folds++;
    }
  for (size_t i = 0; i < b->events; i++)
    if (b->kind[i] == BRI_TORUS) assert_true(fabs(b->event[i].radius - 1) < 1e-3), tori++;
  assert_int_equal(tori, 2);
  print_message("folds at %.8g N and %.8g N of %zu\n", value[0], value[1], folds);
  assert_true(folds >= 2 && folds % 2 == 0);
  assert_true(fabs(value[0] - 0.76957263) < 1e-6 && fabs(value[1] - 0.63968925) < 1e-6);
  for (size_t i = 0; i + 1 < b->n; i++) /* three answers between them */
    high += (b->at[i].amplitude_in - 0.7) * (b->at[i + 1].amplitude_in - 0.7) < 0;
  assert_true(high >= 3 && high % 2 == 1);
  leave(b);
}

/* The peak of a linear oscillator has a closed form; it does not depend on how many points the curve has. */
static void test_peak(void **state)
{
  bench *b = &bench0;
  for (size_t points = 6; points <= 30; points += 12) {
    follow(b, "mass_spring", "viscous", "m=1,ks=100,sigma2=0.8", 1.2, 1, 'f', 3, points);
    assert_int_equal(b->status, BR_OK);
    size_t peaks = 0;
    for (size_t i = 0; i < b->events; i++) {
      if (b->kind[i] != BRI_PEAK) continue;
      peaks++;
      assert_true(fabs(b->event[i].amplitude / (1.2 / (0.8 * sqrt(100 - 0.16))) - 1) < 3e-9);
      assert_true(fabs(b->event[i].frequency / (sqrt(100 - 0.32) / (2 * PI)) - 1) < 1e-5);
    }
    assert_int_equal(peaks, 1);
    leave(b);
  }
}

/* Friction with a limit does not bound resonance under more than 4 Fc / pi. */
static void test_grows_without_end(void **state)
{
  bench *b = &bench0;
  follow(b, "mass_spring", "dahl", "m=1,ks=100,sigma0=200,Fc=1", 1.5, 1.4, 'f', 2, 10);
  assert_int_equal(b->status, BR_E_CONVERGE);
  assert_non_null(strstr(b->err.msg, "grows without end at 1.59"));
  leave(b);
}

static int asked(void *ctx) { return ++*(int *)ctx > 5; }

static void test_stops(void **state)
{
  bench *b = &bench0;
  int count = 0;
  follow(b, "mass_spring", "dahl", "m=1,ks=100,sigma0=200,Fc=1", 1.2, 1.4, 'f', 1.45, 4);
  b->r.stop.asked = asked, b->r.stop.ctx = &count;
  b->sine.frequency = 1.4;
  assert_int_equal(bri_response_follow(&b->r, NULL, &b->end, &b->err), BR_INTERRUPTED);
  leave(b);
}

/* No memory at any request: told, and nothing is lost. */
static void test_memory(void **state)
{
  bench *b = &bench0;
  long n = 0;
  follow(b, "prescribed", "maxwell_slip", "k=1000,Delta=1mm", 2e-3, 1, 'a', 3e-3, 4);
  for (br_status st = BR_E_NOMEM; st == BR_E_NOMEM; n++) {
    b->n = 0, b->sine.amplitude = 2e-3;
    bri_alloc_fail_after(n);
    st = bri_response_follow(&b->r, NULL, &b->end, &b->err);
    bri_alloc_fail_after(-1);
    assert_true(st == BR_OK || st == BR_E_NOMEM);
  }
  assert_true(n > 3);
  leave(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_jenkins_describing_function),
      cmocka_unit_test(test_linear),
      cmocka_unit_test(test_spring),
      cmocka_unit_test(test_no_position),
      cmocka_unit_test(test_marching),
      cmocka_unit_test(test_harmonic_balance),
      cmocka_unit_test(test_folds),
      cmocka_unit_test(test_peak),
      cmocka_unit_test(test_grows_without_end),
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
