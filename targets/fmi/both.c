/* SPDX-License-Identifier: Apache-2.0
 * both.c - what FMI 2.0 and 3.0 ask in the same words: an importer's arguments are checked here, once. */
#include <math.h>
#include <string.h>

#include "../../src/base/alloc.h"
#include "../../src/text/fail.h"
#include "instance.h"

static br_status refuse(br_err *err, const char *why) { return bri_fail(err, BR_E_ARG, "%s", why); }

br_status bri_fmi_open_at(const char *location, const char *token, bri_fmi **out, br_err *err)
{
  char *text = NULL;
  size_t size = 0;
  br_status st = bri_fmi_read_recipe(location, &text, &size, err);
  if (!st) st = bri_fmi_open(text, size, out, err);
  if (!st && (!token || strcmp(token, (*out)->recipe.token) != 0))
    st = bri_fail(err, BR_E_ARG, "guid or token %.60s is not that of this FMU, %s", token ? token : "(none)",
                  (*out)->recipe.token);
  bri_free(text);
  return st;
}

br_status bri_fmi_set_time(bri_fmi *f, double t, br_err *err)
{
  if (!isfinite(t)) return refuse(err, "the time is not a number");
  if (t == f->t) return BR_OK;
  f->t = t;
  /* in model exchange inputs are set at every t: they do not go on by themselves */
  for (size_t i = 0; i < f->plant->nw; i++) f->drives[i].from = t;
  f->current = f->untouched = 0;
  return BR_OK;
}

/* ---- lists of variables ---- */

static br_status check_lists(const void *references, size_t n, const void *values, size_t nvalues,
                             br_err *err)
{
  if (n && (!references || !values)) return refuse(err, "no list of variables or values");
  return nvalues < n ? refuse(err, "fewer values than variables") : BR_OK;
}

br_status bri_fmi_get_list(bri_fmi *f, const unsigned *references, size_t n, double *values, size_t nvalues,
                           br_err *err)
{
  br_status st = check_lists(references, n, values, nvalues, err);
  for (size_t i = 0; i < n && !st; i++) st = bri_fmi_get(f, references[i], &values[i], err);
  return st;
}

br_status bri_fmi_set_list(bri_fmi *f, const unsigned *references, size_t n, const double *values,
                           size_t nvalues, br_err *err)
{
  br_status st = check_lists(references, n, values, nvalues, err);
  for (size_t i = 0; i < n && !st; i++) st = bri_fmi_set(f, references[i], values[i], err);
  return st;
}

/* ---- continuous states ---- */

static br_status check_states(const bri_fmi *f, const double *y, size_t n, br_err *err)
{
  if (n != f->plant->ny) return refuse(err, "this is not the number of continuous states");
  return n && !y ? refuse(err, "no place for the continuous states") : BR_OK;
}

br_status bri_fmi_give_states(bri_fmi *f, double *y, size_t n, br_err *err)
{
  br_status st = check_states(f, y, n, err);
  if (!st) st = bri_fmi_rates(f, err);
  if (!st && n) memcpy(y, f->y, n * sizeof *y);
  return st;
}

br_status bri_fmi_give_rates(bri_fmi *f, double *dy, size_t n, br_err *err)
{
  br_status st = check_states(f, dy, n, err);
  if (!st) st = bri_fmi_rates(f, err);
  if (!st && n) memcpy(dy, f->dy, n * sizeof *dy);
  return st;
}

br_status bri_fmi_take_states(bri_fmi *f, const double *y, size_t n, br_err *err)
{
  const br_status st = check_states(f, y, n, err);
  if (st) return st;
  if (n) memcpy(f->y, y, n * sizeof *y);
  f->current = f->untouched = 0;
  return BR_OK;
}

br_status bri_fmi_give_nominals(const bri_fmi *f, double *y, size_t n, br_err *err)
{
  const br_status st = check_states(f, y, n, err);
  for (size_t i = 0; i < f->layout.n && !st; i++)
    if (f->layout.vars[i].kind == BRI_FMU_STATE) y[f->layout.vars[i].index] = f->layout.vars[i].nominal;
  return st;
}

br_status bri_fmi_give_indicators(bri_fmi *f, double *g, size_t n, br_err *err)
{
  if (n != f->layout.nevent) return refuse(err, "this is not the number of event indicators");
  if (n && !g) return refuse(err, "no place for the event indicators");
  return bri_fmi_indicators(f, g, err);
}

/* ---- states kept by the importer ---- */

/* A block for the state where the importer brings none. */
static br_status make_room(const bri_fmi *f, void **state, br_err *err)
{
  if (!*state) *state = bri_malloc_array(bri_fmi_saved(f), sizeof(double));
  return *state ? BR_OK : bri_fail(err, BR_E_NOMEM, "out of memory");
}

br_status bri_fmi_keep(const bri_fmi *f, void **state, br_err *err)
{
  if (!state) return refuse(err, "no place for the state");
  const br_status st = make_room(f, state, err);
  if (!st) bri_fmi_save(f, *state);
  return st;
}

br_status bri_fmi_return(bri_fmi *f, const void *state, br_err *err)
{
  return state ? bri_fmi_restore(f, state, err) : refuse(err, "no state");
}

void bri_fmi_forget(void **state)
{
  if (state) bri_free(*state), *state = NULL;
}

br_status bri_fmi_packed(const bri_fmi *f, size_t *size, br_err *err)
{
  if (!size) return refuse(err, "no place for the size");
  *size = bri_fmi_saved(f) * sizeof(double);
  return BR_OK;
}

br_status bri_fmi_pack(const bri_fmi *f, const void *state, void *bytes, size_t size, br_err *err)
{
  const size_t need = bri_fmi_saved(f) * sizeof(double);
  if (!state || !bytes) return refuse(err, "no state, or no place for it");
  if (size < need) return refuse(err, "too little room for the state");
  memcpy(bytes, state, need);
  return BR_OK;
}

br_status bri_fmi_unpack(const bri_fmi *f, const void *bytes, size_t size, void **state, br_err *err)
{
  const size_t need = bri_fmi_saved(f) * sizeof(double);
  if (!state || !bytes) return refuse(err, "no bytes, or no place for the state");
  if (size != need) return refuse(err, "these bytes are not a state of this FMU");
  const br_status st = make_room(f, state, err);
  if (!st) memcpy(*state, bytes, need);
  return st;
}
