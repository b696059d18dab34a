/* SPDX-License-Identifier: Apache-2.0
 * export_formula.c - models whose laws are formulas, as C: each formula a function of one statement an
 * operation, LuGre's kernel or the step of the Duhem models around them. */
#include <stdio.h>
#include <string.h>

#include "../expr/laws.h"
#include "../text/fail.h"
#include "emit.h"

int bri_is_formula(const br_model *m) { return m == &bri_lugre_expr || m == &bri_duhem_expr; }

static void put(void *ctx, const char *text) { bri_emit_text(ctx, text); }
static void number(void *ctx, double x) { bri_emit_real(ctx, x); }

/* One function; what a formula does not use is no warning. */
static void emit_law(bri_emit *e, const bri_law *law, const char *head, const char *const *vars, size_t nvar,
                     const double *c)
{
  bri_emit_printf(e, "static double %s\n{\n  %s", head, strstr(head, " *ctx") ? "(void)ctx, " : "");
  for (size_t k = 0; k < nvar; k++) bri_emit_printf(e, "(void)%s%s", vars[k], k + 1 < nvar ? ", " : ";\n");
  bri_law_write(law, vars, nvar, c, put, number, e);
  bri_emit_text(e, "}\n");
}

/* ---- LuGre: the kernel's tables have one knot each, the formula's value ---- */

static void emit_speed_law(bri_emit *e, const void *par, const char *name, int viscous)
{
  static const char *const VARS[] = {"v"};
  const double *c = NULL;
  const bri_law *law = bri_lugre_expr_law(par, viscous, &c);
  const char *which = viscous ? "f" : "g";
  char head[128];
  if (!(law->n > 0)) return;
  (void)snprintf(head, sizeof head, "%s_%s_law(const void *ctx, double v)", name, which);
  bri_emit_printf(e, "/* %s(v), N */\n", which);
  emit_law(e, law, head, VARS, 1, c);
  bri_emit_printf(e, "BRX_FN double %s_%s(double v) { return br_formula_limit(%s_%s_law, 0, v); }\n", name,
                  which, name, which);
}

static br_status emit_lugre(bri_emit *e, const double *par, const char *name, br_err *err)
{
  const br_model *kernel = br_model_find("lugre");
  double inner[BRI_LUGRE_EXPR_INNER];
  const double *c = NULL;
  bri_emit_kernel(e, kernel->name, "double", "_f64");
  bri_emit_attributes(e);
  const br_status st = bri_emit_parameters(e, kernel, bri_lugre_expr_block(par, inner), name, 0, err);
  if (st) return st;
  emit_speed_law(e, par, name, 0);
  emit_speed_law(e, par, name, 1);
  bri_emit_printf(
      e,
      "BRX_FN void %s_advance(const br_lugre_par_f64 *at_rest, double n, double *u, const double *v, "
      "double h,\n    double *z, double *F)\n{\n  br_lugre_par_f64 p = *at_rest;\n",
      name);
  if (bri_lugre_expr_law(par, 0, &c)->n > 0) bri_emit_printf(e, "  p.g_F[0] = %s_g(v[0]);\n", name);
  if (bri_lugre_expr_law(par, 1, &c)->n > 0)
    bri_emit_printf(e, "  p.f_F[0] = (v[0] < 0 ? -1 : 1) * %s_f(v[0]); /* odd by construction */\n", name);
  bri_emit_text(e, "  br_lugre_advance_f64(&p, n, u, v, h, z, F);\n}\n");
  return BR_OK;
}

/* ---- Duhem ---- */

#define X "x", "x1", "x2", "x3", "u"
#define X_ARGS "double x, double x1, double x2, double x3, double u"
static const char *const VARS_X[] = {X}, *const VARS_V[] = {"v"}, *const VARS_H[] = {X,     "v",   "dx",
                                                                                     "dx1", "dx2", "dx3"};

/* x1, x2, x3 of an array; states that are not there are 0. */
static void emit_states(bri_emit *e, const char *of, size_t n)
{
  bri_emit_printf(e, "%s[0]", of);
  for (size_t i = 0; i < 3; i++)
    if (i < n) bri_emit_printf(e, ", %s[%zu]", of, i);
    else bri_emit_text(e, ", 0");
}

static void emit_columns(bri_emit *e, const double *par, const char *name, size_t n, size_t r)
{
  const double *c = NULL;
  char head[192];
  for (size_t i = 0; i < n * r; i++) {
    const bri_law *law = bri_duhem_expr_law(par, BRI_DUHEM_F, i / r, i % r, &c);
    (void)snprintf(head, sizeof head, "%s_f%zu%zu(" X_ARGS ")", name, i / r + 1, i % r + 1);
    if (law->n > 0) emit_law(e, law, head, VARS_X, 5, c);
  }
  for (size_t k = 0; k < r; k++) {
    const bri_law *law = bri_duhem_expr_law(par, BRI_DUHEM_G, 0, k, &c);
    (void)snprintf(head, sizeof head, "%s_g%zu(double v)", name, k + 1);
    if (law->n > 0) emit_law(e, law, head, VARS_V, 1, c);
  }
  bri_emit_printf(e, "static void %s_f(const double *par, const double *x, double u, double *out)\n{\n",
                  name);
  bri_emit_text(e, "  (void)par, (void)x, (void)u;\n");
  for (size_t i = 0; i < n * r; i++) {
    const bri_law *law = bri_duhem_expr_law(par, BRI_DUHEM_F, i / r, i % r, &c);
    bri_emit_printf(e, "  out[%zu] = ", i);
    if (law->n > 0) {
      bri_emit_printf(e, "%s_f%zu%zu(", name, i / r + 1, i % r + 1);
      emit_states(e, "x", n);
      bri_emit_text(e, ", u);\n");
    } else bri_emit_text(e, "0;\n");
  }
  bri_emit_printf(
      e, "}\nstatic void %s_g(const double *par, double v, double *out)\n{\n  (void)par, (void)v;\n", name);
  for (size_t k = 0; k < r; k++) {
    if (bri_duhem_expr_law(par, BRI_DUHEM_G, 0, k, &c)->n > 0)
      bri_emit_printf(e, "  out[%zu] = %s_g%zu(v);\n", k, name, k + 1);
    else bri_emit_printf(e, "  out[%zu] = 0;\n", k);
  }
  bri_emit_text(e, "}\n");
}

static br_status emit_duhem(bri_emit *e, const double *par, const char *name)
{
  const size_t n = bri_duhem_expr.nstate(par), r = bri_duhem_expr_columns(par);
  const double *c = NULL;
  char head[192];
  bri_emit_attributes(e);
  emit_columns(e, par, name, n, r);
  (void)snprintf(head, sizeof head,
                 "%s_h(" X_ARGS ", double v, double dx, double dx1, double dx2, double dx3)", name);
  const bri_law *h = bri_duhem_expr_law(par, BRI_DUHEM_H, 0, 0, &c);
  emit_law(e, h, head, VARS_H, 10, c);
  bri_emit_printf(e,
                  "#define DU_FN(x) %s_##x\n#define DU_ARGS const double *par\n#define DU_PASS par\n"
                  "#define DU_F(x, u, out) %s_f(par, x, u, out)\n#define DU_G(v, out) %s_g(par, v, out)\n"
                  "#define DU_N %zu\n#define DU_R %zu\n#define DU_MAX_N %zu\n#define DU_MAX_R %zu\n",
                  name, name, name, n, r, n, r);
  bri_emit_source(e, "models/common/duhem.inc");
  bri_emit_text(e, "#undef DU_FN\n#undef DU_ARGS\n#undef DU_PASS\n#undef DU_F\n#undef DU_G\n#undef DU_N\n"
                   "#undef DU_R\n#undef DU_MAX_N\n#undef DU_MAX_R\n");
  bri_emit_printf(e,
                  "static const double %s_par BRX_UNUSED = 0; /* all numbers stand in the formulas */\n"
                  "BRX_FN void %s_advance(const double *par, double n, double *u, const double *v, double h, "
                  "double *z, double *F)\n{\n  double dz[%zu], gv[%zu];\n",
                  name, name, n, r);
  bri_emit_printf(e, "  %s_steps(par, 1, u[0], v[0], h, z);\n  u[0] = u[0] + v[0] * h;\n", name);
  bri_emit_printf(e, "  %s_g(par, v[0], gv);\n  %s_rate_at(par, u[0], gv, z, dz);\n  F[0] = n * %s_h(", name,
                  name, name);
  emit_states(e, "z", n);
  bri_emit_text(e, ", u[0], v[0], ");
  emit_states(e, "dz", n);
  bri_emit_text(e, ");\n}\n");
  return BR_OK;
}

br_status bri_emit_formula(bri_emit *e, const br_model *m, const double *par, const char *name,
                           const char **source, br_err *err)
{
  if (e->f32)
    return bri_fail(err, BR_E_UNSUPPORTED, "export: formulas of %s are exported in double precision (f64)",
                    m->name);
  bri_emit_text(e, "#ifndef BRX_FORMULA\n#define BRX_FORMULA\n#include <math.h>\n");
  bri_emit_source(e, "core/elementary.inc");
  bri_emit_source(e, "core/elementary_angle.inc");
  bri_emit_source(e, "models/common/formula.inc");
  bri_emit_text(e, "#endif\n\n");
  *source = m == &bri_lugre_expr ? "br_lugre_par_f64" : "double";
  return m == &bri_lugre_expr ? emit_lugre(e, par, name, err) : emit_duhem(e, par, name);
}
