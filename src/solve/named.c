/* SPDX-License-Identifier: Apache-2.0
 * named.c - parameters of a plant by name: the tables, and the plant made from them. */
#include <math.h>
#include <stdio.h>

#include "../param/param.h"
#include "../param/turns.h"
#include "../param/valid.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/solve.h"

enum { CONTACTS = BR_PLANT_TABLES - 3 };

/* "contact1".. for as many contacts as a table list has room for. */
#define TEN(d)                                                                              \
  "contact" #d "0", "contact" #d "1", "contact" #d "2", "contact" #d "3", "contact" #d "4", \
      "contact" #d "5", "contact" #d "6", "contact" #d "7", "contact" #d "8", "contact" #d "9"
static const char *const CONTACT[] = {"contact1",  "contact2",  "contact3",  "contact4", "contact5",
                                      "contact6",  "contact7",  "contact8",  "contact9", TEN(1),
                                      TEN(2),      TEN(3),      TEN(4),      TEN(5),     "contact60",
                                      "contact61", "contact62", "contact63", "contact64"};
#undef TEN

static size_t most_contacts(const br_system *sys)
{
  return sys->max_contact < 2 ? 0 : sys->max_contact < CONTACTS ? sys->max_contact : CONTACTS;
}

size_t br_plant_tables(const br_system *sys, const br_model *mod, br_param *inputs, br_param_table *tables)
{
  const int rotary = (sys->flags & BR_SYSTEM_ROTARY) != 0;
  size_t n = 0;
  for (size_t i = 0; i < sys->ninput; i++) {
    const br_system_input *in = &sys->inputs[i];
    const br_param row = {in->name,  in->unit, in->doc, NULL, in->def, NULL, 0,
                          -INFINITY, INFINITY, 1,       1,    i,       1,    0};
    inputs[i] = row;
  }
  tables[n] = br_param_table_of(mod);
  tables[n++].rotary = rotary;
  if (sys->nparam || sys->initial) {
    const br_param_table own = {"system",      sys->name,  sys->params,  sys->nparam, sys->slots,  rotary,
                                sys->defaults, sys->check, sys->prepare, NULL,        sys->initial};
    tables[n++] = own;
  }
  const br_param_table given = {"input", sys->name, inputs, sys->ninput, sys->ninput, rotary,
                                NULL,    NULL,      NULL,   NULL,        NULL};
  tables[n++] = given;
  for (size_t c = 0; c < most_contacts(sys); c++) {
    tables[n] = tables[0];
    tables[n].prefix = CONTACT[c];
    tables[n].rotary = bri_turns(sys, c);
    tables[n++].like = tables[0].prefix;
  }
  return n;
}

/* Name of a parameter that contact c has been given, NULL: none. */
static const char *own_value(const br_model *mod, const br_params *params, size_t c)
{
  for (size_t i = 0; i < mod->nparam; i++) {
    char name[96];
    (void)snprintf(name, sizeof name, "%s.%s", CONTACT[c], mod->params[i].name);
    if (bri_params_own(params, name)) return mod->params[i].name;
  }
  return NULL;
}

/* No drives: the inputs are held at their values by name. */
static br_status held_inputs(const br_system *sys, const br_params *params, br_drive **out, br_err *err)
{
  const double *value = br_params_block(params, "input");
  br_drive *d = bri_calloc(sys->ninput ? sys->ninput : 1, sizeof *d);
  *out = d;
  if (!d) return bri_no_memory(err, "br_plant_of");
  for (size_t i = 0; i < sys->ninput; i++) d[i].value = value ? value[i] : sys->inputs[i].def;
  return BR_OK;
}

br_status br_plant_of(const br_system *sys, const br_model *mod, const br_params *params,
                      const br_drive *drives, br_plant **out, br_err *err)
{
  static const double nothing[1] = {0};
  const double *mpars[CONTACTS];
  int each = 0;
  if (out) *out = NULL;
  if (!sys || !mod || !params || !out) return bri_fail(err, BR_E_ARG, "br_plant_of: NULL argument");
  br_status st = bri_system_valid(sys, "br_plant_of", err);
  if (!st) st = bri_model_valid(mod, "br_plant_of", err);
  if (st) return st;
  const double *spar = sys->nparam || sys->initial ? br_params_block(params, "system") : nothing;
  const double *shared = br_params_block(params, "model");
  if (!spar || !shared) return bri_fail(err, BR_E_ARG, "br_plant_of: the parameters are not finished");
  const size_t n = sys->ncontact(spar);
  for (size_t c = 0; c < most_contacts(sys); c++) {
    const char *own = own_value(mod, params, c);
    mpars[c] = own ? br_params_block(params, CONTACT[c]) : shared;
    if (own && c >= n)
      return bri_fail(err, BR_E_NAME, "%s.%s is set, but %s has %zu contact(s)", CONTACT[c], own, sys->name,
                      n);
    each |= own != NULL;
  }
  br_drive *held = NULL;
  st = drives ? BR_OK : held_inputs(sys, params, &held, err);
  if (st) return st;
  st = each ? br_plant_create_each(sys, spar, mod, mpars, drives ? drives : held, out, err)
            : br_plant_create(sys, spar, mod, shared, drives ? drives : held, out, err);
  bri_free(held);
  return st;
}
