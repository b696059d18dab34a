/* SPDX-License-Identifier: Apache-2.0
 * test_walk.c - a walk along a loop or a transient: the same numbers as point by point, in any order, and a
 * cost that grows with the path, not with its square. */
#include "loopkit.h"

static const double path[] = {0, 1, 0.2, 0.7, -0.6, 0.3};
static const struct {
  const char *model, *set;
  double U, frequency;
} cases[] = {{"bouc_wen", "eta=1.5", 1, 0},   {"dahl", "gamma=2", 0.1, 0},          {"lugre", "", 1e-4, 3},
             {"maxwell_slip", "", 0.005, 0},  {"lugre_elastoplastic", "", 2e-5, 2}, {"gms", "", 4e-5, 2},
             {"duhem_lugre", "eta=3", 0.9, 1}};
enum { CASES = sizeof cases / sizeof cases[0] };

static br_loop *open_case(size_t c, element *e)
{
  double u[6];
  *e = element_open(cases[c].model);
  if (cases[c].set[0]) element_set(e, cases[c].set);
  for (size_t i = 0; i < 6; i++) u[i] = path[i] * cases[c].U;
  return loop_open(e, 6, u, cases[c].frequency);
}

static void same_numbers(void **state)
{
  for (size_t c = 0; c < CASES; c++) {
    element e;
    br_loop *loop = open_case(c, &e);
    br_loop_walk *on = NULL, *out = NULL;
    const double z0[64] = {0}, R = br_loop_get(loop)->path_length;
    const double tol = 1e-9 * fmax(fabs(br_loop_get(loop)->y_max), fabs(br_loop_get(loop)->y_min));
    assert_int_equal(br_loop_walk_create(loop, NULL, &on, NULL), BR_OK);
    assert_int_equal(br_loop_walk_create(loop, z0, &out, NULL), BR_OK);
    for (int k = 0; k <= 240; k++)
      for (int side = -1; side <= 1; side += 2) {
        const double rho = R *
                           (k % 40 == 17   ? k - 9
                            : k % 40 == 31 ? k - 25
                                           : k) /
                           80; /* falls, over corners too */
        near(br_loop_walk_y(on, rho, side), br_loop_y(loop, rho, side), tol);
        near(br_loop_walk_y(out, rho, side), br_loop_transient(loop, NULL, rho, side), tol);
      }
    br_loop_walk_destroy(on);
    br_loop_walk_destroy(out);
    br_loop_destroy(loop);
  }
}

static long calls;
static br_rate_fn *counted;
static void count_rate(const void *par, double n, const double *u, const double *v, const double *z,
                       double *dz)
{
  calls++;
  counted(par, n, u, v, z, dz);
}

static void cost(void **state)
{
  const double u[] = {-1, 1, 0.2, 0.7}, z0[2] = {0.5, 0};
  element e = element_open("bouc_wen");
  br_model m = *e.m;
  long spent[2];
  counted = m.rate, m.rate = count_rate, e.m = &m;
  br_loop *loop = loop_open(&e, 4, u, 0);
  const double R = br_loop_get(loop)->path_length;
  for (int round = 0; round < 2; round++) {
    br_loop_walk *w = NULL;
    calls = 0;
    assert_int_equal(br_loop_walk_create(loop, z0, &w, NULL), BR_OK);
    for (int k = 0; k < 800 * (round + 1); k++) (void)br_loop_walk_y(w, R * k / 100, -1);
    spent[round] = calls;
    br_loop_walk_destroy(w);
  }
  if (!(spent[1] < 2.2 * (double)spent[0])) fail_msg("8 periods: %ld rates, 16: %ld", spent[0], spent[1]);
  br_loop_destroy(loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_numbers), cmocka_unit_test(cost)};
  return cmocka_run_group_tests_name("loop/walk", tests, NULL, NULL);
}
