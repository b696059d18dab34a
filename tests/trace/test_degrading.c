/* SPDX-License-Identifier: Apache-2.0
 * test_degrading.c - bouc_wen_baber_noori and bouc_wen_asymmetric against an independent integration
 * (tests/reference/degrading.py prints the numbers), their limits and special cases. */
#include "kit.h"

/* z and e (or D) where u turns: 2, -2, 3, -3, 0.5 m, at 1 m/s. */
static const char PATH[] = "pwl:0,0,2,2,6,-2,11,3,17,-3,20.5,0.5";
static const double CORNER[] = {2, 6, 11, 17, 20.5};
enum { CORNERS = sizeof CORNER / sizeof CORNER[0] };
typedef struct {
  const char *model, *list;
  double z[CORNERS], second[CORNERS];
} reference;
static const reference REFERENCES[] = {
    {"bouc_wen_baber_noori",
     "beta=0.6,gamma=0.3,eta=1,zeta_s=0.9,q=0.2,p=0.8,psi0=0.2,delta_psi=0.01,lam=0.4",
     {0.926641082458223, -1.02870988725089, 1.01073888327936, -1.00582929075741, 0.322207402509107},
     {1.18852664524014, 2.96876870107449, 4.74651475157441, 6.757130066988, 6.8022510802478}},
    {"bouc_wen_baber_noori",
     "beta=0.6,gamma=0.3,eta=1.7,uy=0.5,delta_A=0.004,delta_nu=0.03,delta_eta=0.05,zeta_s=0.95,q=0.15,p=0.5,"
     "psi0=0.25,delta_psi=0.005,lam=0.3",
     {1.00726154774759, -0.932410928367795, 0.87766364063646, -0.831468814994999, 0.173732855026991},
     {3.32840617524612, 7.88589814854092, 10.8499620976966, 13.7765065192648, 13.596823531146}},
    {"bouc_wen_asymmetric",
     "A=1.2,beta=0.7,gamma=0.2,eta=1.6,uy=0.8,phi=0.25",
     {0.901267670218238, -1.9420377082522, 0.908121683481387, -1.98295522831405, 0.906535497502026},
     {2.09873232978176, 5.45732565757064, 11.1751874218576, 17.4896003939183, 20.9631922375333}},
    {"bouc_wen_asymmetric",
     "beta=0.5,gamma=0.4,eta=2,phi=-0.3",
     {1.45850652690021, -0.813921150663003, 1.78956673921409, -0.81646005742666, 1.64563997918202},
     {0.541493473099786, 2.45295122042509, 4.88404526284338, 8.60015397732109, 9.6729522853188}},
};

static void independent_integration(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof REFERENCES / sizeof REFERENCES[0]; i++) {
    const reference *r = &REFERENCES[i];
    double worst = 0;
    br_trace_options o = with(0.5, 20.5);
    const size_t n = run(r->model, r->list, PATH, &o, NULL);
    for (size_t c = 0; c < CORNERS; c++) {
      const size_t row = (size_t)(CORNER[c] / 0.5 + 0.5);
      assert_true(row < n && T[row] == CORNER[c]);
      worst = fmax(worst, fabs(Z[row] - r->z[c]));
      worst = fmax(worst, fabs(Z[MOST + row] / r->second[c] - 1));
    }
    print_message("%s %s: largest difference %.1e\n", r->model, r->list, worst);
    if (!(worst < 5e-12)) fail_msg("%s %s: %.3g", r->model, r->list, worst);
  }
}

/* Rows need not fall on anything: the same force with other samples, kinks at z = 0 located either way. */
static void any_sampling(void **state)
{
  static double coarse[MOST];
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    br_trace_options o = with(0.5, 20.5);
    const size_t n = run(REFERENCES[i].model, REFERENCES[i].list, PATH, &o, NULL);
    memcpy(coarse, F, n * sizeof *F);
    o.dt = 0.5 / 37;
    assert_int_equal(run(REFERENCES[i].model, REFERENCES[i].list, PATH, &o, NULL), 37 * (n - 1) + 1);
    for (size_t k = 0; k < n; k++) {
      const double gap = fabs(F[37 * k] - coarse[k]);
      if (!(gap < 1e-11)) fail_msg("%s: row %zu differs by %.3g", REFERENCES[i].model, k, gap);
    }
  }
}

/* Without lean and losses both are bouc_wen, to what their integration is good for. */
static void special_cases(void **state)
{
  static const struct {
    const char *model, *list;
    double tolerance;
  } CASES[] = {{"bouc_wen_asymmetric", "phi=0,eta=2", 0},
               {"bouc_wen_asymmetric", "phi=0,eta=1.3", 0},
               {"bouc_wen_baber_noori", "eta=2", 1e-11},
               {"bouc_wen_baber_noori", "eta=1.3", 1e-11}};
  static double plain[MOST];
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_trace_options o = with(0.5, 20.5);
    const char *list = strstr(CASES[i].list, "eta=");
    const size_t n = run("bouc_wen", list, PATH, &o, NULL);
    memcpy(plain, F, n * sizeof *F);
    assert_int_equal(run(CASES[i].model, CASES[i].list, PATH, &o, NULL), n);
    for (size_t k = 0; k < n; k++)
      if (!(fabs(F[k] - plain[k]) <= CASES[i].tolerance))
        fail_msg("%s %s: %.17g, bouc_wen %.17g", CASES[i].model, CASES[i].list, F[k], plain[k]);
  }
}

/* Far out: the strength of each side in closed form, and that of what is left after the energy taken up. */
static void limits(void **state)
{
  const br_trace_options o = with(40, 160);
  (void)state;
  assert_int_equal(
      run("bouc_wen_asymmetric", "A=2,beta=0.6,gamma=0.2,eta=1.5,phi=0.3", "pwl:0,0,40,40,120,-40", &o, NULL),
      5);
  assert_true(fabs(Z[1] - pow(2 / 1.4, 1 / 1.5)) < 1e-12 && fabs(Z[3] + pow(2 / 0.2, 1 / 1.5)) < 1e-4);
  assert_int_equal(run("bouc_wen_baber_noori", "beta=0.6,gamma=0.2,eta=1,delta_nu=0.05",
                       "pwl:0,0,40,40,120,-40", &o, NULL),
                   5);
  /* z follows 1 / (0.8 nu) a little behind: dz/du = 1 - 0.8 nu z, dz/du = -z d(ln nu)/du = -z^2 0.05 / nu */
  const double nu = 1 + 0.05 * Z[MOST + 1], z = (1 + 0.05 * Z[1] * Z[1] / nu) / (0.8 * nu);
  if (!(fabs(Z[1] - z) < 2e-4 * z)) fail_msg("z = %.9g, quasi-static %.9g", Z[1], z);
  /* all of the slope is lost: z dies away and stays away */
  assert_int_equal(
      run("bouc_wen_baber_noori", "beta=0.6,gamma=0.2,eta=1,delta_A=0.5", "pwl:0,0,40,40,120,-40", &o, NULL),
      5);
  assert_true(fabs(Z[1]) < 1e-6 && fabs(Z[3]) < 1e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(independent_integration),
                                     cmocka_unit_test(any_sampling), cmocka_unit_test(special_cases),
                                     cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
