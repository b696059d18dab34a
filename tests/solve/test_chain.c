/* SPDX-License-Identifier: Apache-2.0
 * test_chain.c - masses with several contacts, each with parameters of its own: against equations written out
 * here and marched by plain Runge-Kutta steps, against load factors, and by the energy book. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bri_config.h"
#include "kit.h"

#define PLACES "m=1.3,0.7,system.k=55,83,c=0.31,0.17,contact=1,2,against=0,1,load=1,1"
static const char *const DRIVE[2] = {"sine:1.1,0.43,0.2", "sine:2.3,0.71"};

/* Two masses, Dahl to the base (sigma0 900, Fc 1.2) and between them (sigma0 400, Fc 0.5). */
static void written_out(double t, const double *y, double *dy)
{
  const double Fe = 1.1 * sin(2 * KIT_PI * 0.43 * t + 0.2), base = 2.3 * sin(2 * KIT_PI * 0.71 * t);
  const double x1 = y[0], x2 = y[1], v1 = y[2], v2 = y[3], F1 = y[4], F2 = y[5], w = v2 - v1;
  const double S1 = 55 * x1 + 0.31 * v1, S2 = 83 * (x2 - x1) + 0.17 * w;
  dy[0] = v1, dy[1] = v2;
  dy[2] = (S2 - S1 - F1 + F2) / 1.3 - base;
  dy[3] = (-S2 + Fe - F2) / 0.7 - base;
  dy[4] = 900 * (v1 - fabs(v1) * F1 / 1.2);
  dy[5] = 400 * (w - fabs(w) * F2 / 0.5);
}

static void march(double t_end, int steps, double *y)
{
  const double h = t_end / steps;
  for (int i = 0; i < steps; i++) {
    double k1[6], k2[6], k3[6], k4[6], z[6];
    const double t = i * h;
    written_out(t, y, k1);
    for (int q = 0; q < 6; q++) z[q] = y[q] + 0.5 * h * k1[q];
    written_out(t + 0.5 * h, z, k2);
    for (int q = 0; q < 6; q++) z[q] = y[q] + 0.5 * h * k2[q];
    written_out(t + 0.5 * h, z, k3);
    for (int q = 0; q < 6; q++) z[q] = y[q] + h * k3[q];
    written_out(t + h, z, k4);
    for (int q = 0; q < 6; q++) y[q] += h / 6 * (k1[q] + 2 * k2[q] + 2 * k3[q] + k4[q]);
  }
}

static void own_parameters(void **state)
{
  static const br_solver_kind kinds[] = {BR_SOLVER_NATIVE, BR_SOLVER_RODAS, BR_SOLVER_CVODE, BR_SOLVER_FIXED};
  static const double allowed[] = {2e-9, 1e-5, 1e-6, 1e-3};
  double y[6] = {0};
  kit k;
  march(4, 400000, y);
  kit_plant(&k, "chain", "dahl",
            PLACES ",contact1.sigma0=900,contact1.Fc=1.2,contact2.sigma0=400,contact2.Fc=0.5", DRIVE, NULL);
  assert_int_equal(br_plant_nstate(k.plant), 6);
  for (int q = 0; q < 4; q++) {
    br_solve_settings s = br_solve_settings_default();
    double x[6], worst = 0;
    if (kinds[q] == BR_SOLVER_CVODE && !BR_WITH_SUNDIALS) continue;
    s.kind = kinds[q], s.dt = 1e-5, s.rtol = q == 0 ? 1e-13 : q == 1 ? 1e-8 : 1e-10;
    s.energy = 1;
    kit_solver(&k, &s, NULL);
    kit_to(&k, 4, x);
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    const br_energy e = br_solver_energy(k.solver);
    printf("  solver %d: off by %.1e, energy residual %.1e of %.3g J\n", (int)kinds[q], worst, e.residual,
           e.work_in);
    assert_true(worst < allowed[q]);
    assert_true(fabs(e.residual) < allowed[q] * fmax(1, e.work_in));
  }
  kit_end(&k);
}

/* Force levels scaled in one contact are a load factor there. */
static void scaled_is_loaded(void **state)
{
  static const char *const models[] = {"lugre", "coulomb"};
  for (int q = 0; q < 2; q++) {
    double x[2][8];
    for (int i = 0; i < 2; i++) {
      kit k;
      kit_plant(&k, "chain", models[q],
                i   ? "m=1.3,0.7,system.k=55,83,c=0.31,0.17,contact=1,2,against=0,1,load=1,0.4"
                : q ? PLACES ",contact2.Fc=0.4,contact2.Fs=0.6,contact1.Fs=1.5,contact2.vs=0.001"
                    : PLACES ",contact2.Fc=0.4,contact2.Fs=0.6",
                DRIVE, NULL);
      kit_solver(&k, NULL, NULL);
      kit_to(&k, 3, x[i]);
      kit_end(&k);
    }
    for (int i = 0; i < 4; i++)
      if (!(fabs(x[0][i] - x[1][i]) < 1e-8)) fail_msg("%s: state %d: %g, %g", models[q], i, x[0][i], x[1][i]);
  }
}

static void refused(void **state)
{
  const br_system *s = br_system_find("chain");
  const br_model *m = br_model_find("maxwell_slip");
  static const char *const lists[] = {"contact3.k=2,contact3.Delta=1e-3", "contact2.model.k=1",
                                      PLACES ",contact2.k=1,contact2.Delta=1e-3"};
  static const br_status codes[] = {BR_E_NAME, BR_E_NAME, BR_E_UNSUPPORTED};
  for (int q = 0; q < 3; q++) {
    br_param inputs[4];
    br_param_table t[BR_PLANT_TABLES];
    br_params *p = NULL;
    br_plant *plant = NULL;
    br_err err;
    assert_int_equal(br_params_create_tables(t, br_plant_tables(s, m, inputs, t), &p, &err), BR_OK);
    br_status st = br_params_set_list(p, lists[q], &err);
    if (!st) st = br_params_finish(p, &err);
    if (!st) st = br_plant_of(s, m, p, NULL, &plant, &err);
    if (st != codes[q]) fail_msg("%s: %d, %s", lists[q], (int)st, err.msg);
    assert_null(plant);
    br_params_destroy(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_parameters),
      cmocka_unit_test(scaled_is_loaded),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
