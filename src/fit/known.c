/* SPDX-License-Identifier: Apache-2.0
 * known.c - names that the user gave, against the models that are tried: each must be of one of them at
 * least; a model without it is fitted without it, and that is told. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/param.h"
#include "bristle/text.h"
#include "fit.h"

/* The next NAME[=VALUE...] of a list: values may hold commas, so it ends before the next '='. */
typedef struct {
  const char *name, *next;
  size_t length, whole; /* of the name; of all */
} entry;

static entry entry_at(const char *s, int pairs)
{
  entry e = {s, s, 0, 0};
  e.length = strcspn(s, pairs ? "=," : ",");
  const char *end = s + strcspn(s, ",");
  while (pairs && *end) { /* a piece without '=' is one more number of a vector */
    const size_t n = strcspn(end + 1, ",=");
    if (end[1 + n] == '=') break;
    end += 1 + n;
  }
  e.whole = (size_t)(end - s);
  e.next = *end ? end + 1 : end;
  while (e.length && e.name[0] == ' ') e.name++, e.length--;
  while (e.length && e.name[e.length - 1] == ' ') e.length--;
  return e;
}

static int has(const br_model *m, const entry *e)
{
  for (size_t i = 0; i < m->nparam; i++)
    if (strlen(m->params[i].name) == e->length && memcmp(m->params[i].name, e->name, e->length) == 0)
      return 1;
  return 0;
}

static br_status check_list(const char *option, const char *list, int pairs, const br_model *const *models,
                            size_t n, br_err *err)
{
  const char *names[512] = {NULL};
  char name[64], hint[BRI_HINT];
  for (const char *s = list ? list : ""; *s;) {
    const entry e = entry_at(s, pairs);
    size_t count = 0;
    int found = 0;
    for (size_t i = 0; i < n; i++) {
      found = found || has(models[i], &e);
      for (size_t k = 0; k < models[i]->nparam && count < sizeof names / sizeof names[0]; k++)
        names[count++] = models[i]->params[k].name;
    }
    if (!found) {
      const size_t w = e.length < sizeof name ? e.length : sizeof name - 1;
      memcpy(name, e.name, w), name[w] = '\0';
      return bri_fail(err, BR_E_NAME, "%s: %s has %s parameter '%s'%s", option,
                      n == 1 ? models[0]->name : "no model that is tried", n == 1 ? "no" : "a", name,
                      bri_hint(name, names, count, "", hint));
    }
    s = e.next;
  }
  return BR_OK;
}

/* The pairs of a list that a model has; NULL where there are none. */
static br_status own_pairs(bri_fit_one *f, const br_model *m, const char *list, int tell, char **out,
                           br_err *err)
{
  size_t used = 0;
  *out = NULL;
  if (!list) return BR_OK;
  char *own = bri_malloc(strlen(list) + 1);
  if (!own) return bri_no_memory(err, "fit");
  for (const char *s = list; *s;) {
    const entry e = entry_at(s, 1);
    if (has(m, &e)) {
      if (used) own[used++] = ',';
      memcpy(own + used, s, e.whole), used += e.whole;
    } else if (tell) {
      bri_fit_warn(f, "%s has no parameter %.*s: --fix says nothing about it", m->name,
                   (int)(e.length < 60 ? e.length : 60), e.name);
    }
    s = e.next;
  }
  own[used] = '\0';
  if (used) *out = own;
  else bri_free(own);
  return BR_OK;
}

br_status bri_known_check(const br_fit_options *o, const br_model *const *models, size_t n, br_err *err)
{
  br_status st = check_list("fix", o->fix, 1, models, n, err);
  if (!st) st = check_list("guess", o->guess, 1, models, n, err);
  for (size_t i = 0; i < n && !st && o->fix; i++) {
    char *own = NULL;
    st = own_pairs(NULL, models[i], o->fix, 0, &own, err);
    if (!st && own) st = bri_space_clash(models[i], own, err);
    bri_free(own);
  }
  return st ? st : check_list("free", o->free_names, 0, models, n, err);
}

br_status bri_known_own(bri_fit_one *f, const br_model *m, const br_fit_options *o, br_err *err)
{
  const br_status st = own_pairs(f, m, o->fix, 1, &f->own_fix, err);
  return st ? st : own_pairs(f, m, o->guess, 0, &f->own_guess, err);
}

/* ---- starts that the user gave ---- */

br_status bri_guess_elements(const br_model *m, const br_fit_options *o, size_t *n, br_err *err)
{
  double k[BRI_FIT_SLOTS];
  br_params *p = NULL;
  br_status st = br_params_create(m, &p, err);
  if (!st) st = br_params_set_list(p, o->guess, err);
  if (!st && br_params_given(p, "k")) st = br_params_get(p, "k", BRI_FIT_SLOTS, k, n, err);
  br_params_destroy(p);
  return st;
}

br_status bri_guess_take(bri_fit_one *f, const br_fit_options *o, br_err *err)
{
  const br_model *m = f->space.m;
  double block[BRI_FIT_SLOTS];
  br_params *p = NULL;
  br_status st = br_params_create(m, &p, err);
  if (!st) st = br_params_set_list(p, o->guess, err);
  bri_space_block(&f->space, f->x, block, NULL);
  for (size_t i = 0; i < m->nparam && !st; i++) {
    double x[BRI_FIT_SLOTS];
    size_t n = 0;
    if (!br_params_given(p, m->params[i].name)) continue;
    st = br_params_get(p, m->params[i].name, BRI_FIT_SLOTS, x, &n, err);
    for (size_t k = 0; k < n && !st; k++) block[m->params[i].slot + k] = x[k];
  }
  for (size_t j = 0; j < f->space.n && !st; j++) {
    const bri_coord *c = &f->space.c[j];
    if (!bri_terms_own(c->row)) f->x[j] = fmin(fmax(bri_space_coordinate(c, block), c->lo), c->hi);
  }
  br_params_destroy(p);
  return st;
}
