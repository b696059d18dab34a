/* SPDX-License-Identifier: Apache-2.0
 * keep.c - where the search of a model ended, as a text: a fit that was stopped goes on behind the models
 * that it has found.  What follows (the last look with fresh slopes, intervals) is done again and gives the
 * same bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "text/buf.h"

static void key_of(const br_model *m, size_t size, char *key)
{
  (void)snprintf(key, size, "o%.60s", m->name);
}

br_status bri_fit_keep(const bri_fit_one *f, const br_fit_options *o, br_err *err)
{
  char key[64];
  bri_buf b = {0};
  if (!o->memory) return BR_OK;
  key_of(f->space.m, sizeof key, key);
  bri_buf_printf(&b, "%zu %d %zu %zu %a", f->space.elements, f->held, f->out.evaluations, f->space.n,
                 f->cost);
  for (size_t j = 0; j < f->space.n; j++) bri_buf_printf(&b, " %a", f->x[j]);
  const br_status st =
      b.failed ? bri_no_memory(err, "fit") : o->memory->put(o->memory->ctx, key, b.text, err);
  bri_buf_free(&b);
  return st;
}

int bri_next_number(const char **s, double *x)
{
  char *end = NULL;
  *x = strtod(*s, &end);
  const int good = end != *s && isfinite(*x);
  *s = end;
  return good;
}

int bri_fit_kept(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o)
{
  enum { ELEMENTS, HELD, EVALUATIONS, COUNT, COST, NUMBERS };
  char key[64], room[512];
  double x[NUMBERS], at[BRI_FIT_MOST];
  bri_space space;
  br_err err = {BR_OK, -1, ""};
  key_of(f->space.m, sizeof key, key);
  const char *s = o->memory ? o->memory->get(o->memory->ctx, key) : NULL;
  for (int i = 0; i < NUMBERS; i++)
    if (!s || !bri_next_number(&s, &x[i]) || x[i] < 0) return 0;
  if (x[ELEMENTS] > BRI_FIT_MOST || x[HELD] > 2 || x[COUNT] > BRI_FIT_MOST || x[EVALUATIONS] > 1e15) return 0;
  const br_fit_options own = bri_fit_hold_eta(o, (int)x[HELD], room);
  if (bri_space_make(f->space.m, d, &own, (size_t)x[ELEMENTS], &space, &err) || (double)space.n != x[COUNT])
    return 0;
  for (size_t j = 0; j < space.n; j++)
    if (!bri_next_number(&s, &at[j]) || at[j] < space.c[j].lo || at[j] > space.c[j].hi) return 0;
  if (*s) return 0;
  f->space = space, f->cost = x[COST], f->held = (int)x[HELD];
  f->out.evaluations = (size_t)x[EVALUATIONS];
  memcpy(f->x, at, space.n * sizeof *at);
  if (f->held) bri_fit_tell_eta(f);
  return 1;
}
