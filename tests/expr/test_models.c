/* SPDX-License-Identifier: Apache-2.0
 * test_models.c - models given as formulas against the models they are formulas of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/expr.h"
#include "bristle/loop.h"
#include "bristle/param.h"
#include "bristle/trace.h"
#include "support/near.h"

static br_params *params_of(const char *model, const char *set, const br_model **m)
{
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  *m = br_expr_variant(br_all_models_find(model), set);
  assert_non_null(*m);
  br_status st = br_params_create(*m, &p, &err);
  if (!st) st = br_params_set_list(p, set, &err);
  if (!st) st = br_params_finish(p, &err);
  if (st) fail_msg("%s %s: %s", model, set, err.msg);
  return p;
}

static br_signal *input_of(const char *spec)
{
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s: %s", spec, err.msg);
  return s;
}

/* Largest difference of the forces of two models under two inputs that should be the same. */
static double trace_gap(const char *model_a, const char *set_a, const char *input_a, const char *model_b,
                        const char *set_b, const char *input_b)
{
  const br_model *m[2];
  br_params *p[2] = {params_of(model_a, set_a, &m[0]), params_of(model_b, set_b, &m[1])};
  br_signal *u[2] = {input_of(input_a), input_of(input_b)};
  br_trace *t[2] = {NULL, NULL};
  br_err err = {BR_OK, -1, ""};
  double gap = 0, most = 0;
  size_t rows = 0;
  for (int k = 0; k < 2; k++) {
    const br_signal *in[1] = {u[k]};
    if (br_trace_create(m[k], br_params_block(p[k], "model"), in, NULL, &t[k], &err)) fail_msg("%s", err.msg);
  }
  for (;; rows++) {
    const br_trace_row *a = NULL, *b = NULL;
    if (br_trace_next(t[0], &a, &err) || br_trace_next(t[1], &b, &err)) fail_msg("%s", err.msg);
    assert_true(!a == !b);
    if (!a) break;
    gap = fmax(gap, fabs(a->F[0] - b->F[0]));
    most = fmax(most, fabs(a->F[0]));
  }
  for (int k = 0; k < 2; k++) br_trace_destroy(t[k]), br_signal_destroy(u[k]), br_params_destroy(p[k]);
  assert_true(rows > 500 && most > 0.1);
  return gap / most;
}

#define STRIBECK "sigma0=1.2e5,sigma1=280,Fc=0.9,Fs=1.6,vs=0.002,delta=1.7,sigma2=0.45"
#define FORMULA "sigma0=1.2e5,sigma1=280,g=0.9 + 0.7*exp(-abs(v/0.002)^1.7),f=0.45*v"

static void lugre_trace(void **state)
{
  (void)state;
  const double a = trace_gap("lugre", STRIBECK, "triangle:1mm,0.5", "lugre", FORMULA, "triangle:1mm,0.5");
  const double b = trace_gap("lugre", STRIBECK, "sine:1mm,0.5", "lugre_expr", FORMULA, "expr:1e-3*sin(pi*t)");
  /* its own parameters, and constants in formulas */
  const double c =
      trace_gap("lugre", STRIBECK, "triangle:1mm,0.5", "lugre_expr", STRIBECK, "triangle:1mm,0.5");
  static const char CONSTANTS[] = "sigma0=1.2e5,sigma1=280,c=0.9,0.7,0.002,1.7,0.45,"
                                  "g=c1 + c2*exp(-pow(max(v, -v)/c3, c4)),f=c5*v";
  const double d = trace_gap("lugre", STRIBECK, "triangle:1mm,3", "lugre", CONSTANTS, "triangle:1mm,3");
  /* integrated: the formula does not say where its hump is */
  const double e = trace_gap("lugre", STRIBECK, "sine:1mm,3", "lugre", CONSTANTS, "sine:1mm,3");
  print_message("lugre from formulas, relative difference of force: %.2g %.2g %.2g %.2g %.2g\n", a, b, c, d,
                e);
  assert_true(a <= 1e-13 && b <= 1e-11 && c == 0 && d <= 1e-13 && e <= 1e-9);
}

static br_loop *loop_of(const char *model, const char *set, const char *input, double frequency)
{
  const br_model *m = NULL;
  br_params *p = params_of(model, set, &m);
  br_signal *u = input_of(input);
  br_loop *loop = NULL;
  br_err err = {BR_OK, -1, ""};
  br_loop_settings o = br_loop_settings_default();
  o.frequency = frequency;
  if (br_loop_of_signal(m, br_params_block(p, "model"), u, &o, &loop, &err)) fail_msg("%s", err.msg);
  br_signal_destroy(u);
  br_params_destroy(p);
  return loop;
}

static void same_loop(const char *ma, const char *sa, const char *mb, const char *sb, const char *input_a,
                      const char *input_b, double frequency, double tol)
{
  br_loop *a = loop_of(ma, sa, input_a, frequency), *b = loop_of(mb, sb, input_b, frequency);
  const br_loop_summary *x = br_loop_get(a), *y = br_loop_get(b);
  assert_int_equal(x->n_turning, y->n_turning);
  assert_int_equal(x->n_minor, y->n_minor);
  near(y->work, x->work, tol * fabs(x->work));
  for (size_t i = 0; i < x->n_turning; i++) {
    near(br_loop_turnings(b)[i].u, br_loop_turnings(a)[i].u, tol);
    near(br_loop_turnings(b)[i].y, br_loop_turnings(a)[i].y, tol);
  }
  for (size_t i = 0; i < x->n_minor; i++) near(br_loop_minors(b)[i].gap, br_loop_minors(a)[i].gap, tol);
  br_loop_destroy(a);
  br_loop_destroy(b);
}

static void loops(void **state)
{
  (void)state;
  static const char LU[] = "sigma0=6,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1",
                    LF[] = "sigma0=6,sigma1=1,g=1 + exp(-abs(v)),f=0", BI[] = "bimodal:0,1,0.5,1.5";
  same_loop("lugre", LU, "lugre", LF, BI, BI, 0, 1e-12);
  same_loop("lugre", LU, "lugre", LF, BI, BI, 0.3, 1e-12);
  same_loop("dahl", "sigma0=7.5,Fc=0.75", "duhem", "", BI, BI, 0, 1e-10);
  same_loop("dahl", "sigma0=3,Fc=0.5", "duhem", "c=3,0.5", "sine:1,0.2", "expr:sin(0.4*pi*t)", 0, 1e-10);
}

static void duhem_trace(void **state)
{
  (void)state;
  const double a = trace_gap("dahl", "sigma0=7.5,Fc=0.75", "sine:0.4,1", "duhem", "", "sine:0.4,1");
  const double b = trace_gap("dahl", "sigma0=7.5,Fc=0.75", "sine:0.4,1", "duhem",
                             "f11=7.5,f12=-10*x,g1=v,g2=abs(v),h=x1", "expr:0.4*sin(2*pi*t)");
  const double c = trace_gap("dahl", "sigma0=7.5,Fc=0.75,gamma=2", "sine:0.4,1", "duhem",
                             "f11=7.5*abs(1 - x/0.75)^2*sign(1 - x/0.75),"
                             "f12=7.5*abs(1 + x/0.75)^2*sign(1 + x/0.75)",
                             "sine:0.4,1");
  /* two Dahl elements in parallel are two states */
  const double d = trace_gap(
      "dahl", "sigma0=7.5,Fc=0.75", "sine:0.4,1", "duhem",
      "f11=2.5 - 10*x1/3*3*(x1 > -9),f12=2.5 + 10*x1,f21=5 - 10*x2,f22=5 + 10*x2,h=x1 + x2", "sine:0.4,1");
  print_message("dahl from formulas, relative difference of force: %.2g %.2g %.2g %.2g\n", a, b, c, d);
  assert_true(a <= 1e-11 && b <= 1e-10 && c <= 1e-10 && d <= 1e-11);
}

/* Friction in Duhem form (document 3, 12-14) by formulas of v and dx/dt, and as LuGre: sigma0 = fc g0, sigma1
 * = fc g0 Ts, Fs = 2 Fc.  The README of duhem_lugre quotes the 2e-13. */
static void friction_by_formula(void **state)
{
  (void)state;
  static const char OWN[] = "beta=1,gamma=0,eta=1,fc=1.5,g0=3,vs=0.4,Ts=0.05",
                    FORMULAS[] = "c=1.5,3,0.4,0.05,f11=1,f12=-c2*x,g1=v,g2=abs(v)/(1 + exp(-(v/c3)^2)),"
                                 "h=c1*c2*(x1 + c4*dx1)",
                    EIGHT[] = "c=1.5,3,0.4,0.05,f11=0,f12=0,f13=0.5,f18=0.5,f17=-c2*x,g3=v,g8=v,"
                              "g7=abs(v)/(1 + exp(-(v/c3)^2)),h=c1*c2*(x + c4*dx) + 0*v",
                    AS_LUGRE[] = "sigma0=4.5,sigma1=0.225,sigma2=0,Fc=1.5,Fs=3,vs=0.4,delta=2";
  const double a = trace_gap("duhem_lugre", OWN, "sine:2,0.1", "duhem", FORMULAS, "sine:2,0.1");
  const double b = trace_gap("duhem_lugre", OWN, "sine:2,0.1", "duhem", EIGHT, "sine:2,0.1");
  const double c = trace_gap("duhem_lugre", OWN, "sine:2,0.1", "lugre", AS_LUGRE, "sine:2,0.1");
  if (a > 1e-9 || b > 1e-9 || c > 2e-13) fail_msg("%.3g %.3g %.3g", a, b, c);
  const br_model *m = NULL;
  br_params *p = params_of("duhem", FORMULAS, &m);
  br_class claimed;
  m->classify(br_params_block(p, "model"), &claimed);
  assert_true(claimed.rate_dependent);
  br_params_destroy(p);
}

/* What formulas claim of themselves: rates and forces that see how fast it goes, not only which way. */
static void rate_dependence(void **state)
{
  static const struct {
    const char *set;
    int rate_dependent;
  } CASES[] = {{"f11=1,f12=-x,g1=v,g2=abs(v),h=x", 0},
               {"f11=1,f12=-x,g1=v,g2=abs(v),h=2*x+u", 0},
               {"f11=1,f12=-x,g1=v,g2=abs(v),h=x+0.1*v", 1},
               {"f11=1,f12=-x,g1=v,g2=abs(v),h=x+0.1*dx1", 1},
               {"f11=1,f12=-x,g1=v,g2=abs(v),h=x-1e-9*v^3", 1},
               {"f11=1,f12=-x,g1=v,g2=v^2,h=x", 1},
               {"f11=1,f12=-x,g1=v,g2=abs(v),h=x*(v > 0 ? 1 : 2)", 0}}; /* the direction alone is no speed */
  (void)state;
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    const br_model *m = NULL;
    br_params *p = params_of("duhem", CASES[k].set, &m);
    br_class claimed;
    m->classify(br_params_block(p, "model"), &claimed);
    if (claimed.rate_dependent != CASES[k].rate_dependent) fail_msg("%s", CASES[k].set);
    br_params_destroy(p);
  }
}

/* Derivatives of rate, force and step by velocity, state and a constant: those of lugre. */
static void complex_step(void **state)
{
  (void)state;
  const br_model *m[2];
  br_params *p[2] = {params_of("lugre", STRIBECK, &m[0]),
                     params_of("lugre",
                               "sigma0=1.2e5,sigma1=280,c=0.9,0.7,0.002,1.7,0.45,"
                               "g=c1 + c2*exp(-abs(v/c3)^c4),f=c5*v",
                               &m[1])};
  const double tiny = 1e-30, one[2] = {1, 0}, u[2] = {0, 0}, h[2] = {1e-4, 0};
  /* by v, by z, by sigma0, by Fs = c1 + c2 or by c2 */
  for (int by = 0; by < 4; by++) {
    for (int k = 0; k < 40; k++) {
      const double speed = (k % 2 ? -1 : 1) * pow(10, -5 + 0.1 * k);
      double out[2][6];
      for (int i = 0; i < 2; i++) {
        static double pair[4096];
        const double *par = br_params_block(p[i], "model");
        double v[2] = {speed, by == 0 ? tiny : 0}, z[2] = {0.4e-5, by == 1 ? tiny : 0}, dz[2], F[2];
        assert_true(2 * m[i]->slots <= 4096);
        for (size_t s = 0; s < m[i]->slots; s++) pair[2 * s] = par[s], pair[2 * s + 1] = 0;
        if (by == 2) pair[2 * br_model_param(m[i], "sigma0")->slot + 1] = tiny;
        if (by == 3)
          pair[2 * (i ? br_model_param(m[i], "c")->slot + 1 : br_model_param(m[i], "Fs")->slot) + 1] = tiny;
        m[i]->prepare_pair(pair);
        m[i]->rate_pair(pair, one, u, v, z, dz);
        m[i]->force_pair(pair, one, u, v, z, dz, F);
        m[i]->step_pair(pair, one, u, v, h, z);
        const double all[6] = {dz[0], dz[1] / tiny, F[0], F[1] / tiny, z[0], z[1] / tiny};
        memcpy(out[i], all, sizeof all);
      }
      for (int q = 0; q < 6; q++) near(out[1][q], out[0][q], 1e-12 * (fabs(out[0][q]) + (q == 1 || q == 3)));
    }
  }
  for (int i = 0; i < 2; i++) br_params_destroy(p[i]);
}

/* gms with its own level, and the same level as a formula: rates, steps and slopes by v, by C, by a
 * stiffness. */
static void gms_level(void **state)
{
  static const char OWN[] = "k=4e4,1e4,alpha=0.3,0.7,C=55,sigma2=0.4,Fc=2,Fs=3,vs=0.1,delta=2",
                    BY[] = "k=4e4,1e4,alpha=0.3,0.7,C=55,sigma2=0.4,g=2 + exp(-(v/0.1)^2)";
  const br_model *m[2];
  br_params *p[2] = {params_of("gms", OWN, &m[0]), params_of("gms", BY, &m[1])};
  const double tiny = 1e-30, one[2] = {1, 0}, u[2] = {0, 0}, h[2] = {1e-3, 0};
  (void)state;
  assert_string_equal(m[1]->name, "gms_expr");
  for (int by = 0; by < 3; by++)
    for (int k = 0; k < 31; k++) {
      const double speed = k == 30 ? 0 : (k % 2 ? -1 : 1) * pow(10, -4 + 0.15 * k);
      double out[2][18];
      for (int i = 0; i < 2; i++) {
        static double pair[8192];
        const double *par = br_params_block(p[i], "model");
        double v[2] = {speed, by == 0 ? tiny : 0}, z[8] = {1e-6, 0, -3e-5, 0, 1, 0, k % 3 > 0, 0},
               dz[8] = {0}, F[2];
        assert_true(2 * m[i]->slots <= 8192);
        for (size_t s = 0; s < m[i]->slots; s++) pair[2 * s] = par[s], pair[2 * s + 1] = 0;
        if (by == 1) pair[2 * br_model_param(m[i], "C")->slot + 1] = tiny;
        if (by == 2) pair[2 * br_model_param(m[i], "k")->slot + 1] = tiny;
        m[i]->prepare_pair(pair);
        m[i]->rate_pair(pair, one, u, v, z, dz);
        m[i]->force_pair(pair, one, u, v, z, dz, F);
        m[i]->step_pair(pair, one, u, v, h, z);
        double real[4] = {1e-6, -3e-5, 1, k % 3 > 0}, rate[4] = {0}, force = 0;
        m[i]->rate(par, 1, u, v, real, rate);
        m[i]->force(par, 1, u, v, real, rate, &force);
        m[i]->step(par, 1, u, v, h[0], real);
        const double all[18] = {dz[0], dz[1] / tiny, dz[2],   dz[3] / tiny, F[0],    F[1] / tiny,
                                z[0],  z[1] / tiny,  z[2],    z[3] / tiny,  rate[0], rate[1],
                                force, real[0],      real[1], real[2],      real[3], 0};
        memcpy(out[i], all, sizeof all);
      }
      for (int q = 0; q < 18; q++) near(out[1][q], out[0][q], 1e-9 * fabs(out[0][q]) + 1e-15);
    }
  for (int i = 0; i < 2; i++) br_params_destroy(p[i]);
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *model, *set, *says;
  } rows[] = {
      {"lugre", "g=v", "g(v) must be > 0"},
      {"lugre", "g=1/v", "g(v) must be > 0"},
      {"lugre", "f=1", "f(0) = 0"},
      {"lugre", "g=1 + vv", "parameter g: g:1:5: unknown name 'vv', did you mean 'v'?"},
      {"lugre", "g=1,2", "a formula has no list"},
      {"lugre", "g=1,f_exp=2", "lugre_expr has no parameter 'f_exp'"},
      {"lugre_expr", "Fs=0.5,Fc=1", "Fs >= Fc"},
      {"gms", "g=1,alpha=0.5,0.1,0.1,0.1", "add up to 1"},
      {"duhem", "h=", "h is empty"},
      {"duhem", "g1=1 + v", "must be 0 there"},
      {"duhem", "f11=,f12=", "both empty"},
      {"duhem", "h=w", "unknown name 'w'"},
      {"duhem", "f23=x1", "f23 goes with g3, which is empty"},
      {"duhem", "g8=1", "g8 is 1 at v = 0"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    br_params *p = NULL;
    br_err err = {BR_OK, -1, ""};
    const br_model *m = br_expr_variant(br_all_models_find(rows[i].model), rows[i].set);
    assert_int_equal(br_params_create(m, &p, &err), BR_OK);
    br_status st = br_params_set_list(p, rows[i].set, &err);
    if (!st) st = br_params_finish(p, &err);
    if (!st || !strstr(err.msg, rows[i].says))
      fail_msg("%s: '%s', not '%s'", rows[i].set, err.msg, rows[i].says);
    br_params_destroy(p);
  }
  const br_model *lugre = br_model_find("lugre");
  assert_ptr_equal(br_expr_variant(lugre, "sigma0=1,g_v=1,f_exp=2"), lugre);
  assert_ptr_equal(br_expr_variant(lugre, NULL), lugre);
  assert_string_equal(br_expr_variant(lugre, "sigma0=max(1,f=2), f = v")->name, "lugre_expr");
  assert_string_equal(br_expr_variant(lugre, "model.g=1")->name, "lugre_expr");
  assert_null(br_all_models_find("nothing"));
  assert_null(br_all_models_find(NULL));
}

/* A block that is not from here is told before it is run. */
static void damaged_block(void **state)
{
  (void)state;
  const br_model *m = br_all_models_find("lugre_expr");
  double par[2048];
  br_err err = {BR_OK, -1, ""};
  assert_true(m->slots <= 2048);
  m->defaults(par);
  assert_int_equal(m->check(par, &err), BR_OK);
  const br_param *g = br_model_param(m, "g");
  par[g->len_slot] = 2;
  par[g->slot] = 1, par[g->slot + 1] = 77; /* variable 77 */
  assert_int_equal(m->check(par, &err), BR_E_ARG);
  par[g->len_slot] = 1e9;
  assert_int_equal(m->check(par, &err), BR_E_RANGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(lugre_trace),     cmocka_unit_test(loops),
                                     cmocka_unit_test(duhem_trace),     cmocka_unit_test(friction_by_formula),
                                     cmocka_unit_test(rate_dependence), cmocka_unit_test(complex_step),
                                     cmocka_unit_test(gms_level),       cmocka_unit_test(refusals),
                                     cmocka_unit_test(damaged_block)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
