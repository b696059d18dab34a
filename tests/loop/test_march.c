/* SPDX-License-Identifier: Apache-2.0
 * test_march.c - the integration along an arc: how stiff its equations are,
 * states that run away, stops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "loop/arc_internal.h"
#include "support/near.h"

static enum { TURNING, SWITCHING, NOTHING, EXPLODING, DECAYING, WAVES } law;
static size_t states = 1;
static size_t nstate(const void *par) { return (void)par, states; }
static size_t nmode(const void *par) { return (void)par, 0; }

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  (void)par, (void)n, (void)v;
  for (size_t i = 0; i < states; i++) dz[i] = -z[i];
  if (law == TURNING) dz[0] = 5 * z[1], dz[1] = -5 * z[0];
  if (law == SWITCHING) dz[0] = z[0] > 0 ? 1 : -3 * z[0];
  if (law == NOTHING) dz[0] = dz[1] = NAN;
  if (law == EXPLODING) dz[0] = z[0] * z[0];
  if (law == WAVES) dz[0] = cos(1e6 * u[0]);
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  (void)par, (void)n, (void)u, (void)v, (void)dz;
  F[0] = z[0];
}

static br_model MODEL = {
    .name = "law", .axes = 1, .nstate = nstate, .nmode = nmode, .rate = rate, .force = force, .nz = 2};

static bri_ode ode_of(const bri_arc_model *a) { return (bri_ode){.a = a, .u = 0, .s = 1, .dim = states}; }

static void stiffness(void **state)
{
  const double size[2] = {1, 1}, z[2] = {0, 0};
  (void)state;
  states = 2;
  const bri_arc_model two = {.model = &MODEL, .load = 1, .speed = 1, .rtol = 1e-9, .nz = 2};
  bri_ode o = ode_of(&two);
  law = TURNING;
  near(bri_ode_stiffness(&o, 0, z, size), 5, 1e-6); /* although no state sees itself */
  law = NOTHING;
  assert_true(bri_ode_stiffness(&o, 0, z, size) == 0);
  states = 1;
  const bri_arc_model one = {.model = &MODEL, .load = 1, .speed = 1, .rtol = 1e-9, .nz = 1};
  o = ode_of(&one);
  law = SWITCHING;
  near(bri_ode_stiffness(&o, 0, z, size), 3, 1e-6); /* of the side without the jump */
  assert_true(bri_ode_doubt(0.1) == 1 && bri_ode_doubt(2) == 1);
  near(bri_ode_doubt(4), pow(2, 2.6), 1e-12);
}

static int always(void *ctx) { return (void)ctx, 1; }

static void ends(void **state)
{
  static const br_stop stop = {always, NULL};
  bri_arc_model a = {.model = &MODEL, .load = 1, .speed = 1, .rtol = 1e-9, .nz = 1};
  br_err err = {BR_OK, -1, ""};
  double z = 1;
  (void)state;
  states = 1;
  bri_ode o = ode_of(&a);
  law = DECAYING;
  assert_int_equal(bri_march(&o, 0, 2, &z, NULL, &err), BR_OK);
  near(z, exp(-2), 1e-9);
  z = 1, law = EXPLODING; /* 1 / (1 - r) */
  assert_int_equal(bri_march(&o, 0, 0.5, &z, NULL, &err), BR_OK);
  near(z, 2, 1e-8);
  z = 1;
  assert_int_equal(bri_march(&o, 0, 2, &z, NULL, &err), BR_E_NAN);
  assert_non_null(strstr(err.msg, "runs away"));
  z = 0, law = WAVES; /* 1.6e5 of them; of the first 160 the integral is known */
  assert_int_equal(bri_march(&o, 0, 1e-3, &z, NULL, &err), BR_OK);
  near(z, 1e-6 * sin(1e3), 1e-13);
  assert_int_equal(bri_march(&o, 0, 1, &z, NULL, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "too many steps"));
  z = 1, law = DECAYING, a.stop = &stop;
  assert_int_equal(bri_march(&o, 0, 2, &z, NULL, &err), BR_INTERRUPTED);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness), cmocka_unit_test(ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
