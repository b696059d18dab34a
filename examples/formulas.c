/* SPDX-License-Identifier: Apache-2.0
 * formulas.c - formulas with derivatives, models made of formulas, a Duhem model of one's own, presets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/bristle.h"

/* A Duhem model: x' = f(x, u) g(v), here Dahl's linear one with stiffness 2 and level 1. */
static void f(const double *par, const double *x, double u, double *out)
{
  (void)par, (void)u;
  out[0] = 2 * (1 - x[0]), out[1] = 2 * (1 + x[0]);
}
static void g(const double *par, double v, double *out)
{
  (void)par;
  out[0] = v > 0 ? v : 0, out[1] = v < 0 ? v : 0;
}
static double h(const double *par, const double *x, double u)
{
  (void)par, (void)u;
  return x[0];
}
static const br_state STATES[] = {{"x", "N", "force", 1}};
static const br_duhem own = {.name = "own",
                             .title = "Dahl by hand",
                             .n = 1,
                             .r = 2,
                             .f = f,
                             .g = g,
                             .h = h,
                             .states = STATES,
                             .nstates_rows = 1,
                             .cls = {BR_DUHEM_GENERALIZED, 0, BR_LIPSCHITZ},
                             .substeps = 4};
BR_DUHEM_DEFINE(own)

int main(void)
{
  static const char TEXT[] = "exp(-abs(v))*u";
  double code[64], jet[3], x[2] = {0.5, 2.0};
  size_t len = 0, n = 0;
  br_err err;
  if (br_expr_compile(TEXT, strlen(TEXT), "v,u", 64, code, &len, &err) || !br_expr_valid(code, len, 2))
    return 1;
  br_expr_jet(code, len, x, 0, jet);
  printf("%s = %.9g, derivatives by v %.9g, %.9g\n", TEXT, br_expr_value(code, len, x), jet[1], jet[2]);
  (void)br_expr_models(&n);
  printf("%s: %s; %zu models are made of formulas, the first of all is %s\n", br_expr_names(0)->name,
         br_expr_names(0)->doc, n, br_all_models(0)->name);
  const br_model *law = br_expr_variant(br_all_models_find("lugre"), "g=1 + 0.5*exp(-abs(v))");
  printf("%s with a formula for g has %zu parameters\n", law->name, law->nparam);

  br_model m;
  double z[1] = {0}, dz[1], u = 0, v = 1;
  br_class c;
  if (own_model(&m, &err)) return 1;
  br_duhem_defaults(&own, NULL);
  if (br_duhem_check(&own, NULL, &err)) return 1;
  br_duhem_rate(&own, NULL, &u, &v, z, dz);
  br_duhem_step(&own, NULL, &u, &v, 0.5, z);
  br_duhem_classify(&own, &c);
  printf("%s: rate %g at the start, x = %.6g after 0.5 m (1 - exp(-1) = %.6g); rate independent: %d; in the "
         "list as %s\n",
         m.name, dz[0], z[0], 1 - exp(-1), br_duhem_homogeneous(&own, NULL), br_duhem_info()->name);

  const br_preset *p = br_preset_find("doc0");
  printf("preset %s: %s, %s; the first of the list is %s\n", p->name, p->title, p->model_set,
         br_presets(0)->name);
  return 0;
}
