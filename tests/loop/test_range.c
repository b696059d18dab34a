/* SPDX-License-Identifier: Apache-2.0
 * test_range.c - the range of the force over a whole loop, and the quasi-static limit as a limit. */
#include "bristle/expr.h"
#include "bristle/param.h"
#include "loopkit.h"

/* Largest and smallest y of a loop by looking everywhere: both sides of the corners, and a fine mesh that is
 * graded towards the start of every arc. */
static void look(const br_loop *loop, double *lo, double *hi)
{
  const br_loop_summary *s = br_loop_get(loop);
  const br_turning *t = br_loop_turnings(loop);
  *lo = INFINITY, *hi = -INFINITY;
  for (size_t i = 0; i < s->n_turning; i++) {
    const double from = t[i].rho, to = i + 1 < s->n_turning ? t[i + 1].rho : s->path_length;
    for (int k = 0; k <= 6000; k++) {
      const double part = k == 0 ? 0 : exp(-18 * (1 - k / 6000.0)), rho = from + part * (to - from);
      const double y = k == 6000 ? br_loop_y(loop, to, -1) : br_loop_y(loop, rho, 1);
      *lo = fmin(*lo, y), *hi = fmax(*hi, y);
    }
  }
}

static void whole_range(const char *model, const char *set, size_t n, const double *u, double frequency)
{
  element e = element_open(model);
  element_set(&e, set);
  br_loop *loop = loop_open(&e, n, u, frequency);
  const br_loop_summary *s = br_loop_get(loop);
  double lo, hi;
  look(loop, &lo, &hi);
  const double size = fmax(fabs(lo), fabs(hi));
  assert_true(s->y_max >= hi - 1e-12 * size && s->y_min <= lo + 1e-12 * size); /* nothing lies outside */
  near(s->y_max, hi, 1e-4 * size); /* what the mesh leaves of a top, or of a kink */
  near(s->y_min, lo, 1e-4 * size);
  br_loop_destroy(loop);
}

static void range_of_the_whole_loop(void **state)
{
  const double two[] = {-1, 1}, nested[] = {-1, 0.3, -0.2, 0.8}, tiny[] = {-1e-4, 1e-4, -2e-5, 6e-5};
  (void)state;
  whole_range("bliman_sorine", "f1=3", 2, two, 0);
  whole_range("bliman_sorine", "eps=0.1,eta=0.5,f2=2.9", 4, nested, 0);
  whole_range("lugre", "sigma1=1", 2, two, 1);
  whole_range("lugre", "sigma1=316", 4, tiny, 10);
  whole_range("lugre_elastoplastic", "sigma1=300", 4, tiny, 10);
  whole_range("gms", "sigma2=2", 4, tiny, 3);
  whole_range("duhem_lugre", "eta=3,Ts=5,vs=1", 4, nested, 0.05);
  whole_range("duhem_lugre", "eta=1.5,Ts=2,vs=1", 2, two, 0.1);
  whole_range("bouc_wen", "kappa=0.1,uy=0.1", 4, nested, 0);
  whole_range("dahl", "gamma=0.5", 4, nested, 0);
  whole_range("coulomb", "sigma2=0.4", 2, two, 1);
}

/* Bliman-Sorine after a full reversal: f1 - f2 + 2 f2 (1 - eta) (eta f2/f1)^(eta/(1-eta)), its README. */
static void overshoot_in_closed_form(void **state)
{
  (void)state;
  for (double eta = 0.05; eta < 0.9; eta += 0.1) {
    element e = element_open("bliman_sorine");
    element_put(&e, "eta", eta);
    const double u[] = {0.3, -0.4};
    br_loop *loop = loop_open(&e, 2, u, 0);
    const double eta_set = element_get(&e, "eta");
    const double top = 1 + 4 * (1 - eta_set) * pow(eta_set * 2 / 3, eta_set / (1 - eta_set));
    near(br_loop_get(loop)->y_max, top, 1e-14 * top);
    near(br_loop_get(loop)->y_min, -top, 1e-14 * top);
    br_loop_destroy(loop);
  }
}

/* g(v -> 0) = Fs for every delta > 0, however slowly it gets there. */
static void slow_limit(void **state)
{
  static const char *const models[] = {"lugre", "gms", "lugre_elastoplastic", "coulomb"};
  const double u[] = {-1, 1};
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    for (double delta = 4; delta > 1e-4; delta /= 3) {
      element e = element_open(models[i]);
      element_set(&e, "Fs=2");
      element_put(&e, "delta", delta);
      br_loop *loop = loop_open(&e, 2, u, 0);
      near(br_loop_get(loop)->y_max, 2, 1e-14);
      near(br_loop_get(loop)->y_min, -2, 1e-14);
      br_loop_destroy(loop);
    }
}

static element formula(const char *g, const char *f)
{
  element e = {.m = br_all_models_find("lugre_expr")};
  br_err err;
  assert_non_null(e.m);
  assert_true(e.m->slots <= LK_SLOTS);
  e.m->defaults(e.par);
  for (int k = 0; k < 2; k++) {
    const br_param *row = br_model_param(e.m, k ? "f" : "g");
    const char *text = k ? f : g;
    size_t n = 0;
    if (!text) continue;
    if (br_expr_compile(text, strlen(text), row->choices + 1, row->max_len, e.par + row->slot, &n, &err))
      fail_msg("%s", err.msg);
    e.par[row->len_slot] = (double)n;
  }
  if (e.m->check(e.par, &err)) fail_msg("%s", err.msg);
  e.m->prepare(e.par);
  return e;
}

static void limit_of_a_formula(const char *g, const char *f, double y_min, double y_max)
{
  const element e = formula(g, f);
  const double u[] = {-1, 1};
  br_loop *loop = loop_open(&e, 2, u, 0);
  near(br_loop_get(loop)->y_max, y_max, 1e-14);
  near(br_loop_get(loop)->y_min, y_min, 1e-14);
  br_loop_destroy(loop);
}

/* From each side: where the law jumps at rest its two limits differ from its value at 0. */
static void slow_limit_of_formulas(void **state)
{
  (void)state;
  limit_of_a_formula("1 + exp(-(abs(v)/0.001)^0.02)", NULL, -2, 2);
  limit_of_a_formula("1 + exp(-abs(v)^0.5)", "0.1*v", -2, 2);
  limit_of_a_formula("1 + max(sign(v), 0)", NULL, -1, 2);
  limit_of_a_formula(NULL, "0.3*sign(v) + v", -1.8, 1.8);
}

/* The same for a table of f that does not start at zero. */
static void slow_limit_of_a_table(void **state)
{
  element e = element_open("lugre");
  const double u[] = {-1, 1}, v[] = {0, 1}, F[] = {0.3, 1};
  (void)state;
  memcpy(e.par + br_model_param(e.m, "f_v")->slot, v, sizeof v);
  memcpy(e.par + br_model_param(e.m, "f_F")->slot, F, sizeof F);
  e.par[br_model_param(e.m, "f_v")->len_slot] = e.par[br_model_param(e.m, "f_F")->len_slot] = 2;
  e.m->prepare(e.par);
  br_loop *loop = loop_open(&e, 2, u, 0);
  near(br_loop_get(loop)->y_max, 1.8, 1e-14);
  near(br_loop_get(loop)->work, 4 * 1.8 - 4 * 1.5 * 1.5 / 1e5, 1e-13);
  br_loop_destroy(loop);
}

/* A smooth extreme between the last node of one piece and the first of the next: -2.9682395872 by a parabola
 * through points of the loop; the node beside it says -2.9682023. */
static void top_at_a_seam(void **state)
{
  (void)state;
  element e = element_open("semilinear_duhem");
  br_params *p = NULL;
  assert_int_equal(br_params_create(e.m, &p, NULL), BR_OK);
  const br_status st = br_params_set_list(
      p,
      "n=3,Ap=-3.8831544761198686,7.9403108124643342,0,-7.9403108124643342,-3.8831544761198686,0,"
      "0.42691489314976133,0.38017284900245091,-3.9261343416488672,Am=1.7506282060710558,0,0,"
      "-0.068930138457434273,1.2903291591982204,0,0.01954090022248935,-0.32569243794720826,"
      "4.1217906696604549,Bp=0.5813371694140993,0.71751448688017505,0.65449621768916122,"
      "Bm=0.6515816523924095,0.63817510882227868,0.59708299478828208,Ep=0.53148435532822436,"
      "0.61957320835442742,0.60551294434344549,Em=0.66203906561570236,1.4625194818755083,"
      "0.85935506044630627,C=0.99698749659345265,0.92236097357239144,0.39685791600987841,D=0",
      NULL);
  assert_int_equal(st, BR_OK);
  assert_int_equal(br_params_finish(p, NULL), BR_OK);
  memcpy(e.par, br_params_block(p, "model"), e.m->slots * sizeof *e.par);
  br_params_destroy(p);
  const double u[] = {-0.83192757049203359, 3.0052112964453848};
  br_loop *loop = loop_open(&e, 2, u, 0);
  near(br_loop_get(loop)->y_min, -2.9682395872, 2e-10);
  br_loop_destroy(loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(top_at_a_seam),
      cmocka_unit_test(range_of_the_whole_loop),
      cmocka_unit_test(overshoot_in_closed_form),
      cmocka_unit_test(slow_limit),
      cmocka_unit_test(slow_limit_of_formulas),
      cmocka_unit_test(slow_limit_of_a_table),
  };
  return cmocka_run_group_tests_name("loop/range", tests, NULL, NULL);
}
