/* SPDX-License-Identifier: Apache-2.0
 * test_answers.c - the analysis 'response' asked by name: which input is driven and about what, what is
 * watched, units, the parts of its picture; against transfer functions of linear mechanisms. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "support/answer.h"
#include "support/near.h"

#define PI 3.14159265358979323846
#define SWING                                                      \
  "system=mass_spring;model=lugre;frequency=1;points=4;rtol=1e-8;" \
  "set=m=1,ks=100,sigma0=1000,sigma1=5,sigma2=0.5,Fc=0.5,Fs=1,vs=0.01"

/* Amplitude and phase of all points against `of` the angular frequency, times the amplitude that goes in. */
static void as_transfer(const br_result *r, double complex (*of)(double w), double height)
{
  const size_t n = br_result_length(r, "points");
  assert_true(n >= 2);
  for (size_t i = 0; i < n; i++) {
    const double complex H = of(2 * PI * real(r, "points.%zu.frequency", i));
    near(real(r, "points.%zu.amplitude", i) / (height * cabs(H)), 1, 1e-7);
    near(remainder(real(r, "points.%zu.phase", i) - carg(H), 2 * PI), 0, 1e-7);
    assert_true(real(r, "points.%zu.amplitude_in", i) == height);
  }
}

/* A block that is pulled at about 1 m/s and never turns: friction is a constant and a damper. */
static double complex pulled(double w) { return 1 / (1 - 2 * w * w / 300 + I * w * 1.5 / 300); }
static double complex spring(double w) { return (1 - pulled(w)) / (I * w); }

static void about_a_held_value(void **state)
{
  static const char ASKED[] = "system=pulled_block;model=coulomb;set=m=2,k=300,Fc=1,Fs=1,sigma2=1.5,vp=1;"
                              "amplitude=0.1m/s;vary=frequency=1Hz:1.2Hz;points=4";
  char text[300];
  (void)state;
  br_result *r = answer("response", ASKED, "points");
  as_transfer(r, pulled, 0.1);
  assert_string_equal(br_result_text(r, "watched"), "v");
  for (size_t i = 0; i < br_result_length(r, "points");
       i++) { /* what friction and damper take from the mean motion, too */
    const double f = real(r, "points.%zu.frequency", i), v = 0.1 * cabs(pulled(2 * PI * f));
    near(real(r, "points.%zu.work", i) * f, 1 + 1.5 * (1 + 0.5 * v * v), 1e-7);
  }
  br_result_destroy(r);
  (void)snprintf(text, sizeof text, "%s;watch=l", ASKED);
  r = answer("response", text, "points");
  as_transfer(r, spring, 0.1);
  assert_string_equal(br_result_text(r, "watched"), "l");
  assert_string_equal(unit_of(r, "points.0.amplitude"), "m");
  assert_string_equal(unit_of(r, "points.0.amplitude_in"), "m/s");
  assert_string_equal(unit_of(r, "searched"), "Hz");
  br_result_destroy(r);
}

/* A mass that swings about another place than zero: half of what lies between its ends. */
static double complex swing(double w) { return 1 / (100 - w * w + I * w * 2); }

static void away_from_zero(void **state)
{
  (void)state;
  br_result *r = answer("response",
                        "system=mass_spring;model=viscous;set=m=1,ks=100,sigma2=2,Fe=5;amplitude=1.2N;"
                        "vary=frequency=1:2;points=4",
                        "points");
  as_transfer(r, swing, 1.2);
  assert_int_equal(br_result_length(r, "events"), 1);
  assert_true(real(r, "events.0.amplitude_in") == 1.2 && real(r, "peak.amplitude_in") == 1.2);
  near(real(r, "peak.frequency"), sqrt(100 - 2) / (2 * PI), 1e-5);
  near(real(r, "events.0.amplitude"), real(r, "peak.amplitude"), 0);
  near(real(r, "events.0.phase"), carg(swing(2 * PI * real(r, "events.0.frequency"))), 1e-6);
  br_result_destroy(r);
}

/* The second input alone: the base of a chain. */
static double complex shaken(double w) { return -1 / (100 - w * w + I * w * 2); }

static void other_inputs(void **state)
{
  (void)state;
  br_result *r = answer("response",
                        "system=chain;model=viscous;set=m=1,k=100,c=0.5,sigma2=1.5;drive=base;amplitude=3;"
                        "vary=frequency=1:2;points=4",
                        "points");
  as_transfer(r, shaken, 3);
  for (size_t i = 0; i < br_result_length(r, "points"); i++) { /* what damper and friction take together */
    const double w = 2 * PI * real(r, "points.%zu.frequency", i), x = 3 * cabs(shaken(w));
    near(real(r, "points.%zu.work", i) / (PI * 2 * w * x * x), 1, 1e-7);
  }
  assert_string_equal(unit_of(r, "points.0.amplitude_in"), "m/s^2");
  assert_string_equal(unit_of(r, "points.0.stiffness"), "N/m");
  br_result_destroy(r);
}

static double complex shaft(double w)
{
  const double K = 20 * 0.0254 * 0.0254;
  return 20 / (K - 6.4516e-4 * w * w + I * w * 0.004);
}

static void turning_contacts(void **state)
{
  (void)state;
  br_result *r = answer("response",
                        "system=dc_motor;model=viscous;set=sigma2=0.004;amplitude=1mA;"
                        "vary=frequency=1:1.2;points=4",
                        "points");
  as_transfer(r, shaft, 1e-3);
  assert_string_equal(unit_of(r, "points.0.stiffness"), "N m/rad");
  assert_string_equal(unit_of(r, "points.0.amplitude"), "rad");
  br_result_destroy(r);
}

/* Three answers at one amplitude: which one is found depends on the start; a curve that comes back ends where
 * it began. */
static void starts_and_parts(void **state)
{
  (void)state;
  br_result *r = answer("response", SWING ";vary=amplitude=0.7N:0.9N", "points stable* unstable*");
  const size_t n = br_result_length(r, "points");
  assert_true(real(r, "searched") == 0.7 && real(r, "points.%zu.amplitude_in", n - 1) == 0.7);
  assert_string_equal(unit_of(r, "searched"), "N");
  assert_true(real(r, "points.0.amplitude") < 1.0e-3 && real(r, "points.%zu.amplitude", n - 1) > 1.5e-3);
  const br_result_table *up = br_result_table_find(r, "stable1"),
                        *down = br_result_table_find(r, "unstable2");
  assert_true(up && down && up->rows > 2 && down->rows > 2 && up->rows + down->rows == n + 1);
  assert_null(br_result_table_find(r, "stable3"));
  for (size_t i = 0; i < n; i++) {
    const br_result_table *t = i < up->rows ? up : down;
    const size_t row = i < up->rows ? i : i + 1 - up->rows;
    assert_true(cell(t, row, 0) == real(r, "points.%zu.amplitude_in", i));
    assert_true(cell(t, row, 1) == real(r, "points.%zu.amplitude", i));
    assert_true((real(r, "points.%zu.multiplier", i) < 1 + 1e-4) == (i + 1 < up->rows));
  }
  br_result_destroy(r);
  r = answer("response", SWING ";vary=amplitude=0.7N:0.71N;init=x=0.01,v=1", "points");
  assert_true(real(r, "points.0.amplitude") > 5e-3);
  br_result_destroy(r);
}

/* The tolerance that is asked for is that of the integration: a wide one is near the default, and not the
 * same. */
static void tolerance(void **state)
{
  static const char *const RTOL[] = {";rtol=1e-6", ";rtol=1e-11", ""}, *const KEYS[] = {"amplitude", "work"};
  double told[3][2];
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[200];
    (void)snprintf(text, sizeof text,
                   "system=mass_spring;model=dahl;set=m=1,ks=100,sigma0=200,Fc=1;amplitude=1.2N;"
                   "vary=frequency=1.2:1.2005;points=4%s",
                   RTOL[k]);
    br_result *r = answer("response", text, "points");
    for (int i = 0; i < 2; i++) told[k][i] = real(r, "points.0.%s", KEYS[i]);
    br_result_destroy(r);
  }
  for (int i = 0; i < 2; i++) {
    const double wide = fabs(told[0][i] / told[2][i] - 1);
    assert_true(told[1][i] == told[2][i] && wide < 1e-4 && wide > 1e-9);
  }
}

/* Along the flanks of a resonance nothing is largest between the ends: the peak is an end, no event. */
static void flanks(void **state)
{
  static const char *const VARY[] = {"2:3", "0.5:1"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[200];
    (void)snprintf(text, sizeof text,
                   "system=mass_spring;model=viscous;set=m=1,ks=100,sigma2=2;amplitude=1.2N;"
                   "vary=frequency=%s;points=4;rtol=1e-8",
                   VARY[k]);
    br_result *r = answer("response", text, "points");
    as_transfer(r, swing, 1.2);
    assert_int_equal(br_result_length(r, "events"), 0);
    assert_true(real(r, "peak.frequency") == (k ? 1 : 2) && real(r, "searched") == (k ? 1 : 3));
    near(real(r, "peak.amplitude"), 1.2 * cabs(swing(2 * PI * (k ? 1 : 2))), 1e-9);
    br_result_destroy(r);
  }
}

/* A mass that the other one rubs against and nothing pulls at: it rests, and what rests has no phase. */
static void at_rest(void **state)
{
  static const char ASKED[] = "system=chain;model=viscous;set=m=1,1,k=100,0,c=0.5,0,sigma2=1.5,at=1;drive=Fe;"
                              "amplitude=1.2N;vary=frequency=1:1.05;points=4;rtol=1e-8";
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[300];
    (void)snprintf(text, sizeof text, "%s;watch=%s", ASKED, k ? "x1" : "x2");
    br_result *r = answer("response", text, "points");
    const size_t n = br_result_length(r, "points");
    assert_true(n >= 2);
    if (k) as_transfer(r, swing, 1.2);
    for (size_t i = 0; i < n && !k; i++) {
      assert_true(real(r, "points.%zu.amplitude", i) == 0 && isnan(real(r, "points.%zu.phase", i)));
      assert_true(real(r, "points.%zu.work", i) > 0);
    }
    br_result_destroy(r);
  }
}

/* A damper whose motion is given has the force sigma2 times the speed: no stiffness, and the work of both. */
static void given_speed(void **state)
{
  static const double AT[] = {0.5, 3};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[200];
    (void)snprintf(
        text, sizeof text,
        "system=prescribed;model=viscous;set=sigma2=7;frequency=%gHz;vary=amplitude=1mm:3mm;points=4", AT[k]);
    br_result *r = answer("response", text, "points");
    assert_true(br_result_length(r, "points") >= 2);
    for (size_t i = 0; i < br_result_length(r, "points"); i++) {
      const double A = real(r, "points.%zu.amplitude_in", i), c = 7 * 2 * PI * AT[k];
      near(real(r, "points.%zu.work", i) / (PI * c * A * A), 1, 1e-7);
      near(real(r, "points.%zu.stiffness", i) / c, 0, 1e-7);
      assert_true(fabs(real(r, "points.%zu.loss_factor", i)) > 1e6);
      near(real(r, "points.%zu.phase", i), 0, 1e-12);
    }
    br_result_destroy(r);
  }
}

static void limits(void **state)
{
  char text[512];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "system=mass_spring;model=maxwell_slip;amplitude=1;vary=frequency=1:2;set=");
  (void)state;
  for (int k = 0; k < 2 * 63; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s1",
                             k == 0    ? "k="
                             : k == 63 ? ",Delta="
                                       : ",");
  refused("response", text, "more than 64 states");
  refused("response", SWING ";vary=amplitude=1N:2Hz", "not in N");
  refused("response", SWING ";vary=amplitude=1N:2N;watch=q", "no state 'q'");
  refused("response", SWING ";vary=amplitude=1N:2N;watch=Fe", "no state 'Fe'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(about_a_held_value),
      cmocka_unit_test(away_from_zero),
      cmocka_unit_test(other_inputs),
      cmocka_unit_test(turning_contacts),
      cmocka_unit_test(starts_and_parts),
      cmocka_unit_test(tolerance),
      cmocka_unit_test(flanks),
      cmocka_unit_test(at_rest),
      cmocka_unit_test(given_speed),
      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
