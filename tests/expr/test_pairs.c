/* SPDX-License-Identifier: Apache-2.0
 * test_pairs.c - models by formula, by table and mixed ones at a contact: derivatives by complex step of
 * rate, force and step, by every number that they read, against differences; energies and levels under a load
 * against the models they are made of. */
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
#include "expr/laws.h"
#include "expr/mixed.h"

#define TINY 1e-150
enum { LOAD, U, V, H, Z, STATES = 8, PAR = Z + STATES, SLOTS = 8192, END = PAR + SLOTS };
typedef enum { RATE, FORCE, STEP } what;

static const char *const CASES[][2] = {
    {"coulomb", "g_v=0.1,0.2,0.4,g_F=2,1,3,back=1.5,sigma2=0.3"},
    {"coulomb", "g=2 + c1*v + c2*u,c=0.05,0.25,back=1.25,sigma2=0.3"},
    {"coulomb", "Fc=1,Fs=2.5,vs=0.3,delta=1.7,back=1.5,sigma2=0.2"},
    {"karnopp", "Fc=1,Fs=2.5,vs=0.3,delta=0.9,back=1.5,sigma2=0.2"},
    {"karnopp", "Fc=1.2,back=1.5,sigma2=0.2"},
    {"lugre", "g=1.5 + c1*exp(-abs(v)),f=c2*v + c3*v^3,c=0.5,0.4,0.2,sigma0=300,sigma1=0.7,sigma2=0.3"},
    {"gms", "k=30,12,alpha=0.3,0.7,C=55,sigma2=0.4,g=1.5 + c1*exp(-v^2) + c2*u,c=0.5,0.1,back=1.3"},
    {"gms", "k=30,12,alpha=0.3,0.7,C=55,sigma2=0.4,Fc=1.2,Fs=1.9,vs=0.3,delta=1.7,back=1.3"},
    {BRI_MIXED, "law=coulomb,states=2,Fc=1.5,Fs=2.5,vs=0.3,delta=1.7,sigma2=0.3"},
    {BRI_MIXED, "law=karnopp,states=2,Fc=1.5,Fs=2.5,sigma2=0.3"},
    {BRI_MIXED, "law=viscous,states=2,sigma2=0.3"},
    {BRI_MIXED, "law=dahl,states=2,sigma0=30,Fc=1.5,gamma=1.4"},
    {BRI_MIXED, "law=lugre,states=2,sigma0=300,sigma1=0.7,sigma2=0.3,Fc=1.5,Fs=2.5,vs=0.3,delta=1.7"},
    {BRI_MIXED, "law=bliman_sorine,states=2,f1=3,f2=1.4,eps=0.05"},
    {BRI_MIXED, "law=bouc_wen,states=2,fp=3,uy=0.05,beta=0.7,gamma=0.3,eta=1.4,kappa=0.1"},
};
enum { NCASES = sizeof CASES / sizeof CASES[0] };

static const br_model *model_of(size_t i)
{
  return br_expr_variant(br_all_models_find(CASES[i][0]), CASES[i][1]);
}

static br_params *params_of(const br_model *m, const char *set)
{
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  br_status st = br_params_create(m, &p, &err);
  if (!st) st = br_params_set_list(p, set, &err);
  if (!st) st = br_params_finish(p, &err);
  if (st) fail_msg("%s %s: %s", m->name, set, err.msg);
  return p;
}

static size_t evaluate(const br_model *m, what w, const double *x, double *out)
{
  static double par[SLOTS];
  double dz[STATES] = {0};
  memcpy(par, x + PAR, m->slots * sizeof *par);
  m->prepare(par);
  const size_t n = m->nstate(par) + m->nmode(par);
  if (w == STEP) {
    memcpy(out, x + Z, n * sizeof *out);
    m->step(par, x[LOAD], x + U, x + V, x[H], out);
    return n;
  }
  m->rate(par, x[LOAD], x + U, x + V, x + Z, dz);
  if (w == RATE) return memcpy(out, dz, n * sizeof *out), n;
  m->force(par, x[LOAD], x + U, x + V, x + Z, dz, out);
  return 1;
}

/* The same on pairs: x with x[k] + i TINY. */
static void evaluate_pair(const br_model *m, what w, const double *x, size_t k, double *out)
{
  static double p[2 * END];
  double dz[2 * STATES] = {0};
  for (size_t i = 0; i < PAR + m->slots; i++) p[2 * i] = x[i], p[2 * i + 1] = i == k ? TINY : 0;
  const size_t n = m->nstate(x + PAR) + m->nmode(x + PAR);
  m->prepare_pair(p + 2 * PAR);
  if (w == STEP) {
    memcpy(out, p + 2 * Z, 2 * n * sizeof *out);
    m->step_pair(p + 2 * PAR, p + 2 * LOAD, p + 2 * U, p + 2 * V, p + 2 * H, out);
    return;
  }
  m->rate_pair(p + 2 * PAR, p + 2 * LOAD, p + 2 * U, p + 2 * V, p + 2 * Z, dz);
  if (w == RATE) memcpy(out, dz, 2 * n * sizeof *out);
  else m->force_pair(p + 2 * PAR, p + 2 * LOAD, p + 2 * U, p + 2 * V, p + 2 * Z, dz, out);
}

static size_t judged;

static void compare(size_t i, const br_model *m, what w, const double *x, size_t k, const char *by)
{
  static double at[END];
  double c[2 * STATES], now[STATES], up[STATES], down[STATES];
  const double step = 1e-6 * (x[k] == 0 ? 1 : fabs(x[k]));
  const size_t n = evaluate(m, w, x, now);
  evaluate_pair(m, w, x, k, c);
  memcpy(at, x, (PAR + m->slots) * sizeof *at);
  at[k] = x[k] + step, (void)evaluate(m, w, at, up);
  at[k] = x[k] - step, (void)evaluate(m, w, at, down);
  for (size_t j = 0; j < n; j++) {
    const double scale = fabs(now[j]) + 1e-12, left = (now[j] - down[j]) / step,
                 right = (up[j] - now[j]) / step;
    const double slope = c[2 * j + 1] / TINY, central = (up[j] - down[j]) / (2 * step);
    if (!(fabs(c[2 * j] - now[j]) <= 1e-13 * scale))
      fail_msg("%s %s: output %zu of %d is %.17g, in pairs %.17g", CASES[i][0], CASES[i][1], j, (int)w,
               now[j], c[2 * j]);
    if (!(fabs(left - right) <= 1e-3 * (fabs(left) + scale))) continue; /* a switch lies too near */
    judged++;
    if (!(fabs(slope - central) <= 2e-4 * fabs(central) + 1e-6 * scale))
      fail_msg("%s %s: output %zu of %d by %s: complex step %.9g, differences %.9g", CASES[i][0], CASES[i][1],
               j, (int)w, by, slope, central);
  }
}

/* By load, position, speed, step, states, and every parameter that is a number (a table has no slopes by its
 * knots, a force none by its stick band). */
static void by_everything(size_t i, const br_model *m, what w, const double *x)
{
  static const char *const WORDS[] = {"load", "u", "v", "h"};
  const double *par = x + PAR;
  for (size_t k = LOAD; k <= (w == STEP ? H : V); k++) compare(i, m, w, x, k, WORDS[k]);
  for (size_t k = 0; k < m->nstate(par); k++) compare(i, m, w, x, Z + k, "a state");
  for (size_t r = 0; r < m->nparam; r++) {
    const br_param *row = &m->params[r];
    const size_t len = row->max_len == 1 ? 1 : (size_t)par[row->len_slot];
    if (row->choices || strcmp(row->name, "dv") == 0 || strcmp(row->name, "states") == 0 ||
        strcmp(row->name, "g_v") == 0 || strcmp(row->name, "g_F") == 0)
      continue;
    for (size_t k = 0; k < len; k++) {
      const double value = par[row->slot + k];
      if (value == 0 || value == 1 || value == 2) continue; /* exponents there take another, equal, formula */
      compare(i, m, w, x, PAR + row->slot + k, row->name);
    }
  }
}

static void derivatives(void **state)
{
  static double x[END];
  (void)state;
  for (size_t i = 0; i < NCASES; i++) {
    const br_model *m = model_of(i);
    br_params *p = params_of(m, CASES[i][1]);
    const double *par = br_params_block(p, "model");
    assert_true(m->slots <= SLOTS && m->nstate(par) + m->nmode(par) <= STATES);
    judged = 0;
    for (int back = 0; back < 2; back++)
      for (int long_way = 0; long_way < 2; long_way++) {
        const double turned = back ? 0.1 : -0.1, u = 0;
        memset(x, 0, sizeof x);
        x[LOAD] = 1.3, x[U] = 0.2, x[V] = (back ? -1 : 1) * 0.16, x[H] = 0.013;
        memcpy(x + PAR, par, m->slots * sizeof *par);
        m->step(par, x[LOAD], &u, &turned, long_way ? 0.4 : 0.07,
                x + Z); /* to a state off the origin, then back */
        m->step(par, x[LOAD], &u, &x[V], long_way ? 0.9 : 0.11, x + Z);
        for (int w = RATE; w <= STEP; w++) by_everything(i, m, (what)w, x);
      }
    assert_true(judged > 10);
    br_params_destroy(p);
  }
}

/* Formulas of a model's own level are the model, under any load: force, rate, step, energy, break-away. */
static void under_load(void **state)
{
  static const char *const SAME[][3] = {
      {"lugre", "sigma0=300,sigma1=0.7,Fc=1.5,Fs=2.5,vs=0.3,delta=1,sigma2=0.3",
       "sigma0=300,sigma1=0.7,g=1.5 + exp(-abs(v)/0.3),f=0.3*v"},
      {"coulomb", "Fc=1.5,Fs=2.5,vs=0.3,delta=1,sigma2=0.3", "g=1.5 + exp(-abs(v)/0.3),sigma2=0.3"},
      {"gms", "k=30,12,alpha=0.3,0.7,C=55,sigma2=0.4,Fc=1.5,Fs=2.5,vs=0.3,delta=1",
       "k=30,12,alpha=0.3,0.7,C=55,sigma2=0.4,g=1.5 + exp(-abs(v)/0.3)"},
      {"dahl", "sigma0=7.5,Fc=0.75", NULL}};
  (void)state;
  for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
    const br_model *m[2] = {br_model_find(SAME[i][0]), NULL};
    m[1] = SAME[i][2] ? br_expr_variant(m[0], SAME[i][2]) : br_all_models_find("duhem");
    br_params *p[2] = {params_of(m[0], SAME[i][1]), params_of(m[1], SAME[i][2] ? SAME[i][2] : "")};
    assert_ptr_not_equal(m[0], m[1]);
    for (int k = 0; k < 20; k++) {
      double out[2][2 * STATES + 3] = {{0}}, z[STATES] = {0};
      /* a formula of Duhem's has its load in the force alone; its steps are not exact: it begins where dahl
       * ends */
      const double n = i == 3 ? 1 : 0.4 + 0.3 * k, v = (k % 2 ? -1 : 1) * 0.05 * (1 + k), u = 0.1, load = 2.5;
      for (int a = 0; a < 2; a++) {
        const double *par = br_params_block(p[a], "model"), turned = -0.7 * v;
        double *o = out[a], F[2] = {0};
        if (a == 0 || i < 3) memset(z, 0, sizeof z);
        if (a == 0 || i < 3) m[a]->step(par, n, &u, &turned, 0.3, z), m[a]->step(par, n, &u, &v, 0.1, z);
        m[a]->rate(par, n, &u, &v, z, o);
        m[a]->force(par, n, &u, &v, z, o, &F[0]);
        m[a]->force(par, load, &u, &v, z, o, &F[1]);
        memcpy(o + STATES, z, sizeof z);
        o[2 * STATES] = F[0];
        if (i == 3 && a == 1 && !(fabs(F[1] - load * F[0]) <= 1e-15 * fabs(F[1])))
          fail_msg("duhem under a load of %g: %g, without %g", load, F[1], F[0]);
        if (m[1]->energy) o[2 * STATES + 1] = m[a]->energy(par, n, &u, z);
        if (m[1]->breakaway) o[2 * STATES + 2] = m[a]->breakaway(par, n);
      }
      for (size_t j = 0; j < 2 * STATES + 3; j++)
        if (!(fabs(out[1][j] - out[0][j]) <= 1e-11 * fabs(out[0][j])))
          fail_msg("%s: %zu is %.15g, by formula %.15g", SAME[i][0], j, out[0][j], out[1][j]);
    }
    for (int a = 0; a < 2; a++) br_params_destroy(p[a]);
  }
}

/* What stands at a contact is the model that it names, energy, break-away and class included, and takes what
 * that takes. */
static void own_models(void **state)
{
  const br_model *m = bri_mixed();
  (void)state;
  for (size_t i = 0; i < NCASES; i++) {
    if (strcmp(CASES[i][0], BRI_MIXED) != 0) continue;
    br_params *p = params_of(m, CASES[i][1]);
    const double *par = br_params_block(p, "model"), *inner = NULL, u = 0, v = 0.2, n = 1.7;
    const br_model *own = bri_mixed_part(m, par, &inner);
    double z[2] = {0}, w[2] = {0};
    br_class a, b;
    m->step(par, n, &u, &v, 0.05, z), own->step(inner, n, &u, &v, 0.05, w);
    assert_memory_equal(z, w, own->nstate(inner) * sizeof *z);
    assert_true(own->energy && m->energy(par, n, &u, z) == own->energy(inner, n, &u, w));
    assert_true(m->breakaway(par, n) == (own->breakaway ? own->breakaway(inner, n) : 0));
    assert_true(m->breakaway_at(par, n, &u, -1) == m->breakaway(par, n));
    m->classify(par, &a), own->classify(inner, &b);
    assert_true(a.duhem == b.duhem && a.rate_dependent == b.rate_dependent && a.continuity == b.continuity);
    br_params_destroy(p);
  }
  /* a number that one of the models takes may stand in the table, whatever the others take */
  for (const char *names = bri_mixed_names(); *names;) {
    char name[40];
    const size_t n = strcspn(names, "|");
    (void)snprintf(name, sizeof name, "%.*s", (int)n, names);
    const br_model *part = bri_mixed_find(name);
    assert_non_null(part);
    for (size_t k = 0; k < part->nparam; k++) {
      const br_param *row = &part->params[k], *all = br_model_param(m, row->name);
      if (row->max_len != 1 || row->choices) continue;
      assert_non_null(all);
      assert_true(all->lo <= row->lo && all->hi >= row->hi);
    }
    names += n + (names[n] == '|');
  }
  assert_null(bri_mixed_find("gms"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(under_load),
                                     cmocka_unit_test(own_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
