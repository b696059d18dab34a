/* SPDX-License-Identifier: Apache-2.0
 * test_derivatives.c - derivatives of answers against closed forms: under loads of every kind, of what
 * stays on one side of a jump only, and what has none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "support/answer.h"
#include "support/near.h"

/* F = n (Fc + (Fs - Fc) e) + sigma2 v with e = exp(-(v/vs)^2), at a load n that is held, goes with time or
 * with the place. */
static void under_loads(void **state)
{
  static const struct {
    const char *load;
    int exact;
  } CASES[] = {{"load=1", 1},
               {"load=2.5", 1},
               {"input=N:expr:1+3*t", 1},
               {"input=N:expr:1+(u/0.05)^2", 0},
               {"input=N:2.5", 1}};
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    char text[300];
    (void)snprintf(text, sizeof text,
                   "model=coulomb;set=Fc=1,Fs=1.5,vs=0.1,sigma2=0.4;input=u:sine:0.1,0.5;t-end=1.8;dt=0.1;%s;"
                   "sensitivity=Fc,Fs,vs,sigma2",
                   CASES[c].load);
    br_result *r = answer("trace", text, NULL);
    const br_result_table *t = br_result_table_find(r, "trace");
    const char *how = br_result_text(r, "sensitivity_method");
    assert_int_equal(strncmp(how, "exact", 5) == 0, CASES[c].exact);
    assert_int_equal(strstr(how, "differences") != NULL, !CASES[c].exact);
    assert_int_equal(t->rows, 19);
    for (size_t i = 0; i < t->rows; i++) {
      const double at = cell(t, i, 0), u = cell(t, i, 1), v = cell(t, i, 2), q = v / 0.1, e = exp(-q * q),
                   side = copysign(1, v);
      const double n = c == 0 ? 1 : c == 2 ? 1 + 3 * at : c == 3 ? 1 + u * u / 0.0025 : 2.5;
      if (fabs(v) < 1e-9) continue;
      near(cell(t, i, 3), side * n * (1 + 0.5 * e) + 0.4 * v, 1e-9);
      near(real(r, "sensitivity.Fc.F.%zu", i), side * n * (1 - e), 1e-8);
      near(real(r, "sensitivity.Fs.F.%zu", i), side * n * e, 1e-8);
      near(real(r, "sensitivity.vs.F.%zu", i), side * n * 0.5 * e * 2 * q * q / 0.1, 1e-7);
      near(real(r, "sensitivity.sigma2.F.%zu", i), v, 1e-8);
    }
    br_result_destroy(r);
  }
}

/* How fast a loop forgets: exp(-4 sigma0 a / Fc) of Dahl's model, which is known by differences alone and
 * said so.  A spring that slips by less than the step of the differences: on one side of it nothing is
 * forgotten, so that there is no derivative. */
static void by_differences(void **state)
{
  const double s0 = 7.5, Fc = 0.75, a = 0.05, q = 4 * s0 * a / Fc;
  (void)state;
  br_result *r =
      answer("loop", "model=dahl;set=sigma0=7.5,Fc=0.75;input=triangle:0.05,1;sensitivity=sigma0,Fc", NULL);
  near(real(r, "contraction"), exp(-q), 1e-9);
  near(real(r, "sensitivity.sigma0.contraction"), -q / s0 * exp(-q), 1e-7);
  near(real(r, "sensitivity.Fc.contraction"), q / Fc * exp(-q), 1e-6);
  assert_string_equal(br_result_text(r, "sensitivity_differences.0"), "contraction");
  br_result_destroy(r);
  for (int near_by = 0; near_by < 2; near_by++) {
    r = answer("loop",
               near_by ? "model=maxwell_slip;set=k=3,Delta=0.997;input=turning:-1,1;sensitivity=Delta,k"
                       : "model=maxwell_slip;set=k=3,Delta=0.9;input=turning:-1,1;sensitivity=Delta,k",
               NULL);
    const double D = near_by ? 0.997 : 0.9;
    assert_true(real(r, "contraction") == 0);
    assert_int_equal(isnan(real(r, "sensitivity.Delta1.contraction")), near_by);
    assert_true(near_by || real(r, "sensitivity.Delta1.contraction") == 0);
    assert_true(real(r, "sensitivity.k1.contraction") == 0);
    /* what is exact stays so: a cycle burns 4 k Delta (1 - Delta) */
    near(real(r, "dissipation"), 4 * 3 * D * (1 - D), 1e-12);
    near(real(r, "sensitivity.Delta1.dissipation"), 4 * 3 * (1 - 2 * D), 1e-9);
    near(real(r, "sensitivity.k1.dissipation"), 4 * D * (1 - D), 1e-9);
    br_result_destroy(r);
  }
}

/* What is no number, is unknown or stands at the end of its range has no derivative. */
static void refusals(void **state)
{
  static const char BIAXIAL[] = "model=bouc_wen_biaxial;input=x:sine:1,1;input=y:sine:1,1;dt=0.1;t-end=0.3;";
  char text[200];
  (void)state;
  (void)snprintf(text, sizeof text, "%ssensitivity=form", BIAXIAL);
  refused("trace", text, "'form' is no number");
  (void)snprintf(text, sizeof text, "%ssensitivity=fp,form", BIAXIAL);
  refused("trace", text, "'form' is no number");
  refused("trace", "model=lugre;input=sine:1mm,1;sensitivity=sigma", "did you mean");
  refused("loop", "model=lugre;set=sigma1=0;input=sine:1,1;sensitivity=sigma1", "end of its range");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(under_loads), cmocka_unit_test(by_differences),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
