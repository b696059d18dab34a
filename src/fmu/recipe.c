/* SPDX-License-Identifier: Apache-2.0
 * recipe.c - model, mechanism and parameters of an FMU from their texts. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/expr.h"
#include "bristle/version.h"
#include "layout.h"

/* FNV-1a: tells two recipes apart, keeps no secret. */
static uint64_t mix(uint64_t h, const char *text)
{
  for (; text && *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return (h ^ 0xff) * UINT64_C(0x100000001b3); /* the end counts: "ab", "c" is not "a", "bc" */
}

static void make_token(bri_fmu_recipe *r, const bri_fmu_request *asked)
{
  uint64_t h[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)};
  for (int i = 0; i < 2; i++) {
    h[i] = mix(mix(mix(mix(h[i], BR_VERSION_STRING), r->mod->name), asked->system), asked->set);
    if (asked->base) h[i] = mix(h[i], asked->base);
    if (asked->program) h[i] = mix(h[i], asked->program);
  }
  (void)snprintf(r->token, sizeof r->token, "{%016" PRIx64 "-%016" PRIx64 "}", h[0], h[1]);
}

static br_status unknown(const char *what, const char *name, br_err *err)
{
  const char *names[64];
  char hint[BRI_HINT];
  size_t n = 0, many = 0;
  const br_system *const *systems = br_systems(&many);
  const br_model *m;
  if (strcmp(what, "model") == 0)
    for (; n < 64 && (m = br_all_models(n)) != NULL; n++) names[n] = m->name;
  else
    for (; n < 64 && n < many; n++) names[n] = systems[n]->name;
  return bri_fail(err, BR_E_NAME, "%s '%.60s' is unknown%s", what, name, bri_hint(name, names, n, "", hint));
}

static br_status find_both(const bri_fmu_request *asked, bri_fmu_recipe *r, br_err *err)
{
  const char *model = asked->model, *system = asked->system;
  r->mod = model ? br_all_models_find(model) : NULL;
  if (!r->mod) return unknown("model", model ? model : "", err);
  r->mod = br_expr_variant(r->mod, asked->set);
  r->mod = br_expr_variant(r->mod, asked->base);
  r->element = (!system || !*system) && !asked->program;
  if (asked->program) {
    const br_status st = bri_mech_read_line(asked->program, &r->own, err);
    if (st) return st;
  }
  r->sys = r->own ? &r->own->sys : r->element ? bri_fmu_element(r->mod->axes) : br_system_find(system);
  if (!r->sys) return unknown("system", system, err);
  return BR_OK;
}

static br_status read_parameters(const bri_fmu_request *asked, bri_fmu_recipe *r, br_err *err)
{
  br_param_table *tables = bri_calloc(BR_PLANT_TABLES, sizeof *tables);
  r->input_rows = bri_calloc(r->sys->ninput ? r->sys->ninput : 1, sizeof *r->input_rows);
  br_status st = tables && r->input_rows ? BR_OK : bri_fail(err, BR_E_NOMEM, "out of memory");
  if (!st) {
    const size_t n = br_plant_tables(r->sys, r->mod, r->input_rows, tables);
    st = br_params_create_tables(tables, n, &r->params, err);
  }
  if (!st) st = br_params_ground(r->params, asked->base, err);
  if (!st) st = br_params_set_list(r->params, asked->set, err);
  if (!st) st = br_params_finish(r->params, err);
  bri_free(tables);
  return st;
}

br_status bri_fmu_recipe_make(const bri_fmu_request *asked, bri_fmu_recipe *out, br_err *err)
{
  memset(out, 0, sizeof *out);
  br_status st = find_both(asked, out, err);
  if (!st) st = read_parameters(asked, out, err);
  if (!st) make_token(out, asked);
  else bri_fmu_recipe_free(out);
  return st;
}

void bri_fmu_recipe_free(bri_fmu_recipe *r)
{
  br_params_destroy(r->params);
  bri_free(r->input_rows);
  bri_mech_drop(r->own);
  memset(r, 0, sizeof *r);
}
