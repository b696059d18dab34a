/* SPDX-License-Identifier: Apache-2.0
 * test_multipliers.c - the contraction of loops is the largest eigenvalue of the period map's derivative,
 * against closed forms: complex pairs, kept elements, states that see only themselves (a deviation grows over
 * an arc like the rate does); and the same loops from models without complex instance. */
#include "loopkit.h"

static double contraction(const element *e, size_t n, const double *u)
{
  br_loop *loop = loop_open(e, n, u, 0);
  const br_loop_summary s = *br_loop_get(loop);
  assert_true(s.contraction >= 0 && s.contraction_error >= 0 && s.contraction_error < 1e-6);
  br_loop_destroy(loop);
  return s.contraction;
}

static void put_list(element *e, const char *name, size_t n, const double *x)
{
  const br_param *row = br_model_param(e->m, name);
  for (size_t i = 0; i < n; i++) e->par[row->slot + i] = x[i];
  e->par[row->len_slot] = (double)n;
}

/* x' = A+ x + e forward, A- = a- 1 backward: the period's eigenvalues are exp((lambda(A+) - a-) L). */
static void complex_pairs(void **state)
{
  const double E[] = {1, 0, 0.5}, none[] = {0, 0, 0}, C[] = {1, 0.3, -0.2};
  rng r = {5};
  for (int k = 0; k < 60; k++) {
    const size_t n = k % 2 ? 3 : 2;
    const double a = k ? rng_range(&r, -1, 0.3) : -0.05, w = k ? rng_range(&r, 0.1, 5) : sqrt(20.0);
    const double skew = k ? pow(10, rng_range(&r, -2, 2)) : sqrt(20.0), L = k ? rng_range(&r, 0.2, 3) : 1;
    const double back = k ? rng_range(&r, -0.5, 0.5) : 0.05, third = rng_range(&r, -2, 0);
    double Ap[9] = {0}, Am[9] = {0};
    element e = element_open("semilinear_duhem");
    Ap[0] = Ap[n + 1] = a, Ap[1] = w * skew, Ap[n] = -w / skew;
    if (n == 3) Ap[8] = third;
    for (size_t i = 0; i < n; i++) Am[i * n + i] = back;
    e.par[br_model_param(e.m, "n")->slot] = (double)n;
    put_list(&e, "Ap", n * n, Ap), put_list(&e, "Am", n * n, Am);
    put_list(&e, "Bp", n, none), put_list(&e, "Bm", n, none);
    put_list(&e, "Ep", n, E), put_list(&e, "Em", n, E), put_list(&e, "C", n, C);
    e.m->prepare(e.par);
    const double u[] = {0, L}, want = exp((fmax(a, n == 3 ? third : a) - back) * L);
    near(contraction(&e, 2, u), want, 1e-10 * want);
  }
}

static void kept_elements(void **state)
{
  const double k[] = {2, 3, 0}, never[] = {1, 2, 9}, some[] = {0.1, 2, 9}, all[] = {0.1, 0.2, 9};
  const double u[] = {0, 0.3, 0.2, 0.7}, small[] = {0, 1e-9};
  element e = element_open("maxwell_slip");
  put_list(&e, "k", 3, k);
  put_list(&e, "Delta", 3, never);
  assert_true(contraction(&e, 4, u) == 1);
  assert_true(contraction(&e, 2, small) == 1);
  put_list(&e, "Delta", 3, some);
  assert_true(contraction(&e, 4, u) == 1);
  put_list(&e, "Delta", 3, all); /* the third has no stiffness: nobody sees what it keeps */
  assert_true(contraction(&e, 4, u) == 0);
  const element g = element_open("gms"), p = element_open("lugre_elastoplastic");
  const double stuck[] = {-3e-6, 3e-6}, slides[] = {-1e-3, 1e-3};
  assert_true(contraction(&g, 2, stuck) == 1 && contraction(&g, 2, slides) == 0);
  assert_true(contraction(&p, 2, stuck) == 1 && contraction(&p, 2, slides) < 1e-6);
}

/* A deviation grows over an arc by f(end) / f(start); f from the forces at the turning points. */
static double by_ratio(const element *e, const br_loop *loop,
                       double (*f)(const element *, double s, double y))
{
  const br_turning *t = br_loop_turnings(loop);
  const size_t n = br_loop_get(loop)->n_turning;
  double product = 1;
  for (size_t i = 0; i < n; i++) {
    const size_t j = (i + 1) % n;
    const double s = t[j].u > t[i].u ? 1.0 : -1.0;
    product *= f(e, s, t[j].y) / f(e, s, t[i].y);
  }
  return product;
}

static double dahl_rate(const element *e, double s, double F)
{
  return pow(1 - s * F / element_get(e, "Fc"), element_get(e, "gamma"));
}

static double bouc_wen_rate(const element *e, double s, double z)
{
  const double b = element_get(e, "beta") * (s * z < 0 ? -1.0 : 1.0) + element_get(e, "gamma");
  return element_get(e, "A") - pow(fabs(z), element_get(e, "eta")) * b;
}

static void own_rate(void **state)
{
  static const double gammas[] = {0.5, 0.9, 1.0000000001, 1.5, 2, 3}, etas[] = {0.3, 0.5, 0.9, 1, 1.7, 4, 12};
  static const double paths[][4] = {{-1, 1, 0, 0.5}, {0, 1, 0.2, 0.7}, {-0.4, 0.9, -0.1, 0.3}};
  for (size_t p = 0; p < 3; p++)
    for (int k = -2; k <= 0; k++) {
      double u[4];
      for (size_t i = 0; i < 4; i++) u[i] = paths[p][i] * pow(2, k);
      for (size_t g = 0; g < sizeof gammas / sizeof gammas[0]; g++) {
        element e = element_open("dahl");
        element_set(&e, "sigma0=1,Fc=1");
        element_put(&e, "gamma", gammas[g]);
        br_loop *loop = loop_open(&e, 4, u, 0);
        const double want = by_ratio(&e, loop, dahl_rate);
        near(br_loop_get(loop)->contraction, want, 1e-10 * want);
        br_loop_destroy(loop);
      }
      for (size_t h = 0; h < sizeof etas / sizeof etas[0]; h++) {
        element e = element_open("bouc_wen");
        element_set(&e, "beta=0.7,gamma=0.3");
        element_put(&e, "eta", etas[h]);
        br_loop *loop = loop_open(&e, 4, u, 0);
        const double want = by_ratio(&e, loop, bouc_wen_rate);
        near(br_loop_get(loop)->contraction, want, 1e-9 * want + 3e-15);
        br_loop_destroy(loop);
      }
    }
  /* eta = 12 at half the yield displacement: 1 - contraction is 5e-4, at a tenth 1e-12 */
  element e = element_open("bouc_wen");
  element_set(&e, "eta=12");
  const double tenth[] = {-0.1, 0.1};
  near(1 - contraction(&e, 2, tenth), 2e-12, 1e-14); /* (1 - z^12)^2 */
}

/* A user's model has no complex instance: Newton by differences finds the same loop and the same contraction.
 * */
static void without_pairs(void **state)
{
  static const struct {
    const char *model, *set;
    double U;
  } cases[] = {{"bouc_wen", "eta=2", 0.3},        {"bouc_wen", "eta=12", 0.6}, {"bouc_wen", "eta=0.5", 0.4},
               {"duhem_lugre", "eta=8", 0.9},     {"dahl", "gamma=2", 0.1},    {"maxwell_slip", "", 0.005},
               {"lugre_elastoplastic", "", 2e-5}, {"gms", "", 4e-5},           {"bliman_sorine", "", 1e-4},
               {"semilinear_duhem", "", 0.05}};
  static const double shape[] = {0, 1, 0.2, 0.7, -0.6, 0.3};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    element e = element_open(cases[c].model);
    br_model user = *e.m;
    double u[6];
    if (cases[c].set[0]) element_set(&e, cases[c].set);
    for (size_t i = 0; i < 6; i++) u[i] = shape[i] * cases[c].U;
    br_loop *with = loop_open(&e, 6, u, 0);
    user.prepare_pair = NULL, user.rate_pair = NULL, user.force_pair = NULL, user.step_pair = NULL;
    e.m = &user;
    br_loop *without = loop_open(&e, 6, u, 0);
    const br_loop_summary *a = br_loop_get(with), *b = br_loop_get(without);
    for (size_t i = 0; i < a->n_turning; i++)
      near(br_loop_turnings(without)[i].y, br_loop_turnings(with)[i].y, 1e-9 * a->y_max);
    near(b->contraction, a->contraction, 1e-7);
    br_loop_destroy(with);
    br_loop_destroy(without);
  }
}

/* Valid loops are answered. */
static void not_refused(void **state)
{
  static const char *const models[] = {"semilinear_duhem", "duhem_lugre", "maxwell_slip",
                                       "bouc_wen",         "dahl",        "gms"};
  rng r = {3};
  for (int k = 0; k < 240; k++) {
    element e = element_open(models[k % 6]);
    double u[6];
    const size_t n = 2 + (size_t)rng_range(&r, 0, 5);
    const double U = pow(10, rng_range(&r, -6, 0.5)) * (k % 6 == 5 ? 1e-4 : 1);
    const double one = 1, wide = U * rng_range(&r, 0.1, 3);
    for (size_t i = 0; i < n; i++) u[i] = U * round(10 * rng_range(&r, -1, 1)) / 10;
    if (k % 2) u[0] = 0;
    u[1] = u[0] + U;
    if (k % 6 == 1) element_put(&e, "eta", k % 4 == 1 ? 8 : rng_range(&r, 0.4, 10));
    if (k % 6 == 2) put_list(&e, "k", 1, &one), put_list(&e, "Delta", 1, &wide);
    if (k % 6 == 3) element_put(&e, "eta", rng_range(&r, 0.4, 12));
    if (k % 6 == 4) element_put(&e, "gamma", rng_range(&r, 0.1, 3));
    br_loop *loop = loop_open(&e, n, u, 0);
    assert_true(br_loop_get(loop)->contraction <= 1 + br_loop_get(loop)->contraction_error);
    br_loop_destroy(loop);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(complex_pairs), cmocka_unit_test(kept_elements), cmocka_unit_test(own_rate),
      cmocka_unit_test(without_pairs), cmocka_unit_test(not_refused),
  };
  return cmocka_run_group_tests_name("loop/multipliers", tests, NULL, NULL);
}
