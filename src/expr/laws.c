/* SPDX-License-Identifier: Apache-2.0
 * laws.c - models whose laws are formulas: the list, and what they share. */
#include "laws.h"

#include <string.h>

#include "../text/fail.h"
#include "mixed.h"

br_status bri_law_check(const char *model, const char *name, const bri_law *law, size_t nvar, br_err *err)
{
  if (law->n == 0 || br_expr_valid(law->code, (size_t)law->n, nvar)) return BR_OK;
  return bri_fail(err, BR_E_ARG, "%s: parameter %s is no compiled formula: set it as text", model, name);
}

void bri_law_text(bri_law *law, const char *text, const char *vars)
{
  size_t n = 0;
  const br_status st = br_expr_compile(text, strlen(text), vars, BR_EXPR_MAX, law->code, &n, NULL);
  law->n = st ? 0 : (double)n;
}

const br_model *const *br_expr_models(size_t *count)
{
  static const br_model *const all[] = {&bri_lugre_expr, &bri_duhem_expr};
  if (count) *count = sizeof all / sizeof all[0];
  return all;
}

const br_model *br_all_models(size_t i)
{
  size_t n = 0, more = 0;
  const br_model *const *a = br_models(&n), *const *b = br_expr_models(&more);
  return i < n ? a[i] : i - n < more ? b[i - n] : NULL;
}

const br_model *br_all_models_find(const char *name)
{
  const br_model *m = NULL;
  for (size_t i = 0; name && (m = br_all_models(i)) != NULL; i++)
    if (strcmp(m->name, name) == 0) return m;
  return name && strcmp(name, BRI_MIXED) == 0 ? bri_mixed() : NULL;
}

void bri_law_fill(const br_model *kernel, const br_param *rows, size_t n, const double *par, double *inner)
{
  kernel->defaults(inner);
  for (size_t i = 0; i < n; i++) {
    const br_param *row = rows[i].max_len == 1 ? br_model_param(kernel, rows[i].name) : NULL;
    if (row) inner[row->slot] = par[rows[i].slot];
  }
}

const br_model *br_expr_variant(const br_model *m, const char *list)
{
  static const char PREFIX[] = "model.";
  const br_model *variant = !m || !list                       ? NULL
                            : strcmp(m->name, "lugre") == 0   ? &bri_lugre_expr
                            : strcmp(m->name, "coulomb") == 0 ? &bri_coulomb_expr
                            : strcmp(m->name, "karnopp") == 0 ? &bri_karnopp_expr
                            : strcmp(m->name, "gms") == 0     ? &bri_gms_expr
                                                              : NULL;
  if (!variant) return m;
  for (const char *s = list; *s;) {
    s += strspn(s, " \t");
    if (strncmp(s, PREFIX, sizeof PREFIX - 1) == 0) s += sizeof PREFIX - 1;
    /* A name that the kernel does not have.  Constants of formulas do not count: they mean nothing alone, and
     * "c" may be a name of the mechanism. */
    for (size_t i = 0; i < variant->nparam; i++) {
      const br_param *row = &variant->params[i];
      const size_t n = strlen(row->name);
      if (br_model_param(m, row->name) || strcmp(row->name, BRI_LAW_CONSTANTS_NAME) == 0) continue;
      if (strncmp(s, row->name, n) != 0) continue;
      const char *end = s + n + strspn(s + n, " \t");
      if (*end == '=' || *end == '\0') return variant;
    }
    for (int depth = 0; *s && (*s != ',' || depth > 0); s++) depth += (*s == '(') - (*s == ')');
    if (*s) s++;
  }
  return m;
}
