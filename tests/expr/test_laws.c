/* SPDX-License-Identifier: Apache-2.0
 * test_laws.c - laws of friction by formula and table, each against its own closed form: values forward and
 * backward, beyond the
 * ends of a table, break-away, derivatives by every parameter, rules, which names make a model one of
 * formulas; models that differ
 * from contact to contact; bounds, periods and corners that are known by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/expr.h"
#include "bristle/param.h"
#include "expr/expr.h"
#include "expr/laws.h"
#include "expr/mixed.h"

/* A model with parameters, unchecked as yet. */
static br_params *params_of(const br_model *m, const char *set)
{
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  br_status st = br_params_create(m, &p, &err);
  if (!st) st = br_params_set_list(p, set, &err);
  if (st) fail_msg("%s %s: %s", m->name, set, err.msg);
  return p;
}

static const br_model *variant(const char *model, const char *set)
{
  return br_expr_variant(br_all_models_find(model), set);
}

/* Force of sliding at a speed. */
static double force(const br_model *m, const double *par, double v)
{
  const double u = 0, none = 0;
  double F = NAN;
  m->force(par, 1, &u, &v, &none, &none, &F);
  return F;
}

static void refuse(const char *model, const char *set, const char *word)
{
  const br_model *m = variant(model, set);
  br_params *p = params_of(m, set);
  br_err err = {BR_OK, -1, ""};
  if (br_params_finish(p, &err) != BR_E_RANGE) fail_msg("%s %s is taken", model, set);
  if (!strstr(err.msg, word)) fail_msg("'%s' lacks '%s'", err.msg, word);
  br_params_destroy(p);
}

/* Straight lines between the knots, constant outside, times `back` to the negative side; break-away is the
 * larger of both. */
static void tables(void **state)
{
  (void)state;
  static const char SET[] = "g_v=0.1,0.2,0.4,g_F=2,1,3,back=1.5,sigma2=0";
  static const double AT[][2] = {{1e-9, 2}, {0.05, 2}, {0.1, 2},   {0.15, 1.5}, {0.2, 1},
                                 {0.3, 2},  {0.4, 3},  {0.401, 3}, {10, 3}};
  const br_model *m = variant("coulomb", SET);
  br_params *p = params_of(m, SET);
  assert_int_equal(br_params_finish(p, NULL), BR_OK);
  const double *par = br_params_block(p, "model");
  for (size_t i = 0; i < sizeof AT / sizeof AT[0]; i++) {
    assert_true(fabs(force(m, par, AT[i][0]) - AT[i][1]) <= 1e-15 * AT[i][1]);
    assert_true(fabs(force(m, par, -AT[i][0]) + 1.5 * AT[i][1]) <= 1e-15 * AT[i][1]);
  }
  const double u = 0;
  assert_true(m->breakaway_at(par, 2, &u, 1) == 4 && m->breakaway_at(par, 2, &u, -1) == 6);
  assert_true(m->breakaway(par, 2) == 6); /* the larger one */
  br_params_destroy(p);
  static const char OTHER[] = "g_v=0.1,0.2,g_F=2,1,back=0.5";
  p = params_of(m, OTHER);
  assert_int_equal(br_params_finish(p, NULL), BR_OK);
  assert_true(m->breakaway(br_params_block(p, "model"), 1) == 2);
  br_params_destroy(p);
}

static void rules(void **state)
{
  (void)state;
  refuse("coulomb", "Fc=2,Fs=1,back=1", "Fs >= Fc");
  refuse("karnopp", "Fc=2,Fs=1,back=1", "Fs >= Fc");
  refuse("coulomb", "g=1/max(0, 1 - abs(v))", "g is inf");
  refuse("coulomb", "g=1 - abs(v)", "must be >= 0");
  refuse("coulomb", "g_v=1,2,g_F=1,2,3", "as many levels");
  refuse("coulomb", "g_v=1,2,g_F=1,2,g=1", "not both");
  refuse("gms", "g=max(0, 1 - abs(v))", "must be > 0"); /* its elements divide by it */
  refuse("lugre", "f=1 + v", "f(0) = 0");
  refuse("lugre", "g=max(0, 1 - abs(v))", "g(v) must be > 0");
  refuse("duhem", "g3=v + 1,f13=1", "must be 0 there");
  refuse("duhem", "f13=1", "g3, which is empty");
}

/* Derivatives by complex step of the whole force, by speed and by every number of the table of parameters,
 * against differences. */
static void derivatives(void **state)
{
  (void)state;
  static const char *const CASES[][2] = {{"coulomb", "g_v=0.1,0.2,0.4,g_F=2,1,3,back=1.5,sigma2=0.3"},
                                         {"coulomb", "g=2 + c1*v + c2*u,c=0.05,0.25,back=1.25"},
                                         {"coulomb", "Fc=1,Fs=2,vs=0.3,delta=1.7,back=1.5,sigma2=0.2"},
                                         {"karnopp", "Fc=1,Fs=2,vs=0.3,delta=0.9,back=1.5,sigma2=0.2"},
                                         {"lugre", "g=1 + c1*exp(-abs(v)),f=c2*v + c3*v^3,c=0.5,0.4,0.2"}};
  static double pair[2 * 8192], shifted[8192];
  for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
    const br_model *m = variant(CASES[k][0], CASES[k][1]);
    br_params *p = params_of(m, CASES[k][1]);
    assert_int_equal(br_params_finish(p, NULL), BR_OK);
    const double *par = br_params_block(p, "model");
    assert_true(m->slots <= 8192);
    for (int back = 0; back < 2; back++)
      for (size_t i = 0; i <= m->nparam; i++) { /* the last: by the speed */
        const br_param *row = i < m->nparam ? &m->params[i] : NULL;
        const int vector = row && row->max_len > 1 && !br_param_formula(row);
        const size_t places = row && br_param_formula(row) ? 0 : vector ? (size_t)par[row->len_slot] : 1;
        for (size_t e = 0; e < places; e++) {
          const size_t slot = row ? row->slot + e : 0;
          if (vector && strcmp(row->name, "c") != 0) continue; /* tables have no slopes by their knots */
          if (row && strcmp(row->name, "dv") == 0) continue;   /* nor has the force by its stick band */
          const double v = (back ? -1 : 1) * 0.16, u = 0.2, z = 1e-6, dz = 0.01, h = 1e-6, tiny = 1e-30;
          double F[2], Fp[2], n2[2] = {1, 0}, u2[2] = {u, 0}, v2[2] = {v, row ? 0 : tiny}, z2[2] = {z, 0},
                              dz2[2] = {dz, 0};
          for (int side = 0; side < 2; side++) {
            memcpy(shifted, par, m->slots * sizeof *par);
            const double d = side ? h : -h, at = row ? v : v + d;
            if (row) shifted[slot] += d;
            m->prepare(shifted);
            m->force(shifted, 1, &u, &at, &z, &dz, &F[side]);
          }
          for (size_t s = 0; s < m->slots; s++) pair[2 * s] = par[s], pair[2 * s + 1] = 0;
          if (row) pair[2 * slot + 1] = tiny;
          m->prepare_pair(pair);
          m->force_pair(pair, n2, u2, v2, z2, dz2, Fp);
          const double slope = (F[1] - F[0]) / (2 * h), own = Fp[1] / tiny;
          if (!(fabs(own - slope) <= 2e-6 * fmax(1, fabs(slope))))
            fail_msg("%s %s: by %s at %g m/s: %.10g, differences say %.10g", CASES[k][0], CASES[k][1],
                     row ? row->name : "v", v, own, slope);
        }
      }
    br_params_destroy(p);
  }
}

/* Only a name of the formulas makes a model one of formulas; what starts like it, or belongs to a
 * mechanism, does not. */
static void variants(void **state)
{
  (void)state;
  static const char *const PLAIN[] = {"sigma0=1", "c=1",     "system.c=1,2", "gain=2",
                                      "g_=1",     "front=3", "Fc=1,fs=2",    ""},
                           *const OWN[] = {"g=1", "model.g=1", "Fc=1, g = 2", "sigma0=1,model.f=v",
                                           "c=1,g=max(1, c1)"};
  const br_model *lugre = br_model_find("lugre");
  for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++)
    if (br_expr_variant(lugre, PLAIN[i]) != lugre) fail_msg("'%s' makes formulas of lugre", PLAIN[i]);
  for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++)
    if (br_expr_variant(lugre, OWN[i]) == lugre) fail_msg("'%s' leaves lugre as it is", OWN[i]);
  assert_ptr_equal(br_expr_variant(lugre, NULL), lugre);
  assert_null(br_expr_variant(NULL, "g=1"));
  /* with a formula nothing is said of energy; without one it is the kernel's own word */
  static const char *const SETS[] = {"sigma0=1,sigma1=0,sigma2=0", "sigma0=1,sigma1=0,g=1",
                                     "sigma0=1,sigma1=0,f=v"};
  for (size_t i = 0; i < 3; i++) {
    const br_model *m = br_all_models_find("lugre_expr");
    br_params *p = params_of(m, SETS[i]);
    assert_int_equal(br_params_finish(p, NULL), BR_OK);
    assert_int_equal(m->passive(br_params_block(p, "model")), i == 0);
    br_params_destroy(p);
  }
}

/* Duhem's form: how many states and columns there are, and what the force sees of their rates. */
static void duhem(void **state)
{
  (void)state;
  static const struct {
    const char *set;
    size_t states;
  } CASES[] = {{"f11=1,f12=1", 1}, {"f21=1,f22=1", 2}, {"f21=1,f31=1", 3}, {"f32=1", 3}};
  const br_model *m = br_all_models_find("duhem");
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_params *p = params_of(m, CASES[i].set);
    assert_int_equal(br_params_finish(p, NULL), BR_OK);
    assert_int_equal(m->nstate(br_params_block(p, "model")), CASES[i].states);
    br_params_destroy(p);
  }
  /* dx1 = 2 v, dx2 = 3 v, dx3 = 5 v with one column alone; F = x1 + 10 dx1 + 100 dx2 + 1000 dx3 */
  br_params *p = params_of(m, "f11=2,f12=,f21=3,f31=5,g1=v,g2=,h=x + 10*dx1 + 100*dx2 + 1000*dx3");
  assert_int_equal(br_params_finish(p, NULL), BR_OK);
  const double *par = br_params_block(p, "model"), u = 0, v = 0.5, z[3] = {7, 8, 9};
  double dz[3], F;
  assert_int_equal(bri_duhem_expr_columns(par), 1);
  m->rate(par, 1, &u, &v, z, dz);
  assert_true(dz[0] == 1 && dz[1] == 1.5 && dz[2] == 2.5);
  m->force(par, 1, &u, &v, z, dz, &F);
  assert_true(F == 7 + 10 + 150 + 2500);
  br_params_destroy(p);
}

/* At each contact a model of its own: its force and rate, states that it has not stay, and it must find
 * room for those it has. */
static void mixed(void **state)
{
  (void)state;
  const br_model *m = bri_mixed();
  br_err err = {BR_OK, -1, ""};
  br_params *p = params_of(m, "law=dahl,states=2,sigma0=7.5,Fc=0.75");
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const double *par = br_params_block(p, "model"), *inner = NULL, u = 0, v = 2, z[2] = {0.25, 4};
  const br_model *own = bri_mixed_part(m, par, &inner);
  double dz[2] = {NAN, NAN}, one[1], F[2];
  assert_string_equal(own->name, "dahl");
  m->rate(par, 1, &u, &v, z, dz), own->rate(inner, 1, &u, &v, z, one);
  assert_true(dz[0] == one[0] && dz[0] != 0 && dz[1] == 0);
  m->force(par, 1, &u, &v, z, dz, &F[0]), own->force(inner, 1, &u, &v, z, one, &F[1]);
  assert_true(F[0] == F[1] && m->nstate(par) == 2);
  br_params_destroy(p);
  static const struct {
    const char *set;
    br_status st;
  } CASES[] = {{"law=dahl,states=0", BR_E_RANGE},
               {"law=dahl,states=1", BR_OK},
               {"law=coulomb,states=0", BR_OK},
               {"law=bouc_wen,states=1", BR_E_RANGE},
               {"law=bouc_wen,states=2", BR_OK}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    p = params_of(m, CASES[i].set);
    if (br_params_finish(p, &err) != CASES[i].st) fail_msg("%s: %s", CASES[i].set, err.msg);
    br_params_destroy(p);
  }
}

/* ---- formulas of one variable ---- */

static double code[BR_EXPR_MAX];
static size_t tape(const char *text)
{
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  if (br_expr_compile(text, strlen(text), "x", BR_EXPR_MAX, code, &n, &err))
    fail_msg("%s: %s", text, err.msg);
  return n;
}

static void periods(void **state)
{
  (void)state;
  const double pi = acos(-1.0);
  static const char *const TEXT[] = {"mod(2*x, 1)",         "mod(x/4, 1)",         "sin(x/2)",
                                     "sin((x + 1)/2) + 1",  "mod((x + 3)/2, 0.5)", "tan(x/2)",
                                     "sin(x) + sin(2*x/3)", "sin(x) + sin(pi*x)",  "cos(5 - 3*x)"};
  const double want[] = {0.5, 4, 4 * pi, 4 * pi, 1, 2 * pi, 6 * pi, 0, 2 * pi / 3};
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    const double p = bri_expr_period(code, tape(TEXT[i]));
    if (!(fabs(p - want[i]) <= 1e-15 * want[i])) fail_msg("%s: period %.17g, not %.17g", TEXT[i], p, want[i]);
  }
  const size_t n = tape("sin((x + 1)/2)"); /* a line over a number is the line that it is */
  const double at = 0.7;
  assert_true(fabs(br_expr_value(code, n, &at) - sin(0.85)) <= 1e-15);
}

static void bounds(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double a, b, lo, hi;
  } CASES[] = {{"sqrt(x)", -1, 4, 0, 2},
               {"x^0.5", -1, 4, 0, 2},
               {"x^1.5", -3, 4, 0, 8},
               {"(1 - x)*exp(x)", 0, 1, 0, 3},
               {"x - x*x", 0, 0.5, -0.25, 0.5},
               {"2 - x", 1, 3, -1, 1},
               {"min(0*exp(1e4*x), 5)", 0, 1, 0, 0},
               {"x*(x - 2)", 3, 4, 3, 8},
               {"0*(1/x)", -1, 1, 0, 0}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_bounds r;
    const size_t n = tape(CASES[i].text);
    bri_expr_bounds(code, n, CASES[i].a, CASES[i].b, &r);
    const double wide = 1e-12 * fmax(1, CASES[i].hi - CASES[i].lo);
    if (!(r.f.lo >= CASES[i].lo - wide && r.f.hi <= CASES[i].hi + wide))
      fail_msg("%s over %g to %g: %g to %g, not within %g to %g", CASES[i].text, CASES[i].a, CASES[i].b,
               r.f.lo, r.f.hi, CASES[i].lo, CASES[i].hi);
    for (int k = 0; k <= 20; k++) { /* and what it holds is there */
      const double x = CASES[i].a + (CASES[i].b - CASES[i].a) * k / 20, y = br_expr_value(code, n, &x);
      if (isfinite(y) && !(y >= r.f.lo && y <= r.f.hi)) fail_msg("%s at %g: %g", CASES[i].text, x, y);
    }
  }
}

/* The first corner: of abs, of min between curves, of a quotient that turns sharply; none in what only
 * bends. */
static void corners(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double at;
  } CASES[] = {{"abs(x - 0.3)", 0.3},
               {"min(x, 1 - x)", 0.5},
               {"max(x*x, 2 - x)", 1},
               {"x + abs(x - 0.7)/4", 0.7},
               {"if(x < 0.6, x, 2*x - 0.6)", 0.6},
               {"sin(x)", 1.5707963267948966},
               {"sqrt(abs(x - 0.3))", 0.3},
               {"exp(x)", 0},
               {"x^3 + x", 0}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    size_t budget = 100000;
    bri_corner c = {0};
    const int found = bri_expr_corner(code, tape(CASES[i].text), 1, 0.01, 3, &budget, &c);
    if (found != (CASES[i].at > 0) || (found && !(fabs(c.at - CASES[i].at) <= 1e-9)))
      fail_msg("%s: %d at %.12g, not %.12g", CASES[i].text, found, c.at, CASES[i].at);
  }
}

/* Where a formula has no value the walk with derivatives says so too: a choice by what is not a number is
 * none. */
static void no_value(void **state)
{
  (void)state;
  static const char *const TEXT[] = {"abs(sqrt(x))",          "min(sqrt(x), 1)", "min(1, sqrt(x))",
                                     "max(1, ln(x))",         "sign(sqrt(x))",   "if(sqrt(x) < 1, 2, 3)",
                                     "if(sqrt(x) >= 1, 2, 3)"};
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    const double x = -1;
    double j[3] = {0, 0, 0};
    const size_t n = tape(TEXT[i]);
    br_expr_jet(code, n, &x, 0, j);
    assert_true(isnan(br_expr_value(code, n, &x)));
    if (!isnan(j[0])) fail_msg("%s at -1: %g", TEXT[i], j[0]);
  }
}

/* A formula as C: every comparison and choice by the function that means it. */
static void put_text(void *ctx, const char *text) { (void)strcat(ctx, text); }
static void put_number(void *ctx, double x) { (void)sprintf((char *)ctx + strlen(ctx), "%.17g", x); }

static void as_c(void **state)
{
  (void)state;
  static const char *const CASES[][2] = {{"x < 1 ? 2 : 3", "br_formula_less(x, t0, 0)"},
                                         {"x <= 1 ? 2 : 3", "br_formula_less(x, t0, 1)"},
                                         {"x > 1 ? 2 : 3", "br_formula_less(x, t0, 1)"},
                                         {"x >= 1 ? 2 : 3", "br_formula_less(x, t0, 0)"},
                                         {"c1*x", " = 7;"},
                                         {"c2*x", " = 9;"},
                                         {"max(x, 1)", "br_formula_max(x, "}};
  static const char *const VARS[] = {"x"};
  static const double C[] = {7, 9};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_law law = {.n = 0};
    char text[2048] = "";
    bri_law_text(&law, CASES[i][0], "x,c1,c2");
    assert_true(law.n > 0);
    bri_law_write(&law, VARS, 1, C, put_text, put_number, text);
    char found[2048] = ""; /* numbers of the pieces do not matter */
    for (const char *s = text, *d = CASES[i][1]; *s; s++) {
      size_t k = 0, j = 0;
      while (d[k] && s[j] &&
             (s[j] == d[k] || (d[k] == '0' && k && d[k - 1] == 't' && s[j] >= '0' && s[j] <= '9')))
        j++, k++;
      if (!d[k]) (void)strcpy(found, d);
    }
    if (!found[0]) fail_msg("%s: %s lacks %s", CASES[i][0], text, CASES[i][1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables),   cmocka_unit_test(rules),  cmocka_unit_test(derivatives),
      cmocka_unit_test(variants), cmocka_unit_test(duhem),  cmocka_unit_test(mixed),
      cmocka_unit_test(periods),  cmocka_unit_test(bounds), cmocka_unit_test(corners),
      cmocka_unit_test(no_value), cmocka_unit_test(as_c),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
