/* SPDX-License-Identifier: Apache-2.0
 * catalogue.c - the whole catalogue, and the analyses in it. */
#include "bristle/catalogue.h"

#include <math.h>
#include <string.h>

#include "bristle/analysis.h"
#include "bristle/expr.h"
#include "bristle/system.h"
#include "preset/preset.h"
#include "bristle/version.h"
#include "rows.h"
#include "base/alloc.h"

static void option_of(bri_json *j, const br_option *o)
{
  const int bounded = o->lo != 0 || o->hi != 0;
  bri_json_object(j, NULL);
  bri_json_text(j, "name", o->name);
  bri_json_text(j, "kind", br_option_kind_text(o->kind));
  bri_json_text(j, "unit", o->unit);
  bri_json_text(j, "default", o->def);
  bri_json_text(j, "arg", o->arg);
  bri_json_number(j, "min", bounded ? o->lo : (double)NAN);
  bri_json_number(j, "max", bounded && o->hi > o->lo ? o->hi : (double)NAN);
  bri_json_bool(j, "min_exclusive", bounded && o->lo_open);
  bri_json_choices(j, "choices", o->choices);
  bri_json_text(j, "alias", o->alias);
  bri_json_text(j, "needs", o->needs);
  bri_json_text(j, "excludes", o->excludes);
  bri_json_text(j, "doc", o->doc);
  bri_json_end(j);
}

static void needs_of(bri_json *j, unsigned bits)
{
  bri_json_array(j, "needs");
  if (bits & BR_NEEDS_MODEL) bri_json_text(j, NULL, "model");
  if (bits & BR_NEEDS_SYSTEM) bri_json_text(j, NULL, "system");
  if (bits & BR_NEEDS_INPUT) bri_json_text(j, NULL, "input");
  if (bits & BR_TAKES_INIT) bri_json_text(j, NULL, "init");
  bri_json_end(j);
}

/* What against what: enough to draw it elsewhere than gnuplot. */
static void line_of(bri_json *j, const br_picture_line *l)
{
  bri_json_object(j, NULL);
  bri_json_text(j, "table", l->table), bri_json_text(j, "style", l->style),
      bri_json_text(j, "label", l->label);
  bri_json_text(j, "x", l->x), bri_json_text(j, "y", l->y), bri_json_text(j, "value", l->value);
  bri_json_text(j, "minus", l->minus);
  bri_json_number(j, "most", (double)l->most), bri_json_bool(j, "joined", l->joined);
  bri_json_number(j, "colour", l->colour);
  bri_json_end(j);
}

static void panels_of(bri_json *j, const char *key, const br_picture *p)
{
  bri_json_array(j, key);
  for (size_t i = 0; i < p->npanels; i++) {
    const br_picture_panel *k = &p->panels[i];
    bri_json_object(j, NULL);
    bri_json_text(j, "x", k->x), bri_json_text(j, "y", k->y);
    bri_json_text(j, "xlabel", k->xlabel), bri_json_text(j, "ylabel", k->ylabel);
    bri_json_text(j, "when", k->when), bri_json_text(j, "value", k->value),
        bri_json_text(j, "scale", k->scale);
    bri_json_bool(j, "under", k->under), bri_json_bool(j, "series", k->series);
    bri_json_array(j, "lines");
    for (size_t l = 0; l < k->nlines; l++) line_of(j, &k->lines[l]);
    bri_json_end(j);
    bri_json_end(j);
  }
  bri_json_end(j);
}

static void pictures_of(bri_json *j, const br_analysis *a)
{
  panels_of(j, "picture", &a->picture);
  bri_json_array(j, "pictures");
  for (size_t i = 0; i < a->npictures; i++) {
    bri_json_object(j, NULL);
    bri_json_text(j, "name", a->pictures[i].name), bri_json_text(j, "option", a->pictures[i].option);
    panels_of(j, "panels", &a->pictures[i]);
    bri_json_end(j);
  }
  bri_json_end(j);
}

static void analysis_of(bri_json *j, const br_analysis *a)
{
  static const char *const KIND[] = {[BR_RESULT_VALUE] = "value",
                                     [BR_RESULT_TABLE] = "table",
                                     [BR_RESULT_PICTURE] = "picture",
                                     [BR_RESULT_USUAL] = "picture",
                                     [BR_RESULT_DETAIL] = "detail"};
  bri_json_object(j, NULL);
  bri_json_text(j, "name", a->name);
  bri_json_text(j, "summary", a->summary);
  bri_json_text(j, "text", a->text);
  needs_of(j, a->needs);
  bri_json_choices(j, "tables", a->tables);
  bri_json_array(j, "options");
  for (size_t i = 0; i < a->noptions; i++) option_of(j, &a->options[i]);
  bri_json_end(j);
  bri_json_array(j, "results");
  for (size_t i = 0; i < a->nresults; i++) {
    const br_result_row *r = &a->results[i];
    bri_json_object(j, NULL);
    bri_json_text(j, "name", r->name), bri_json_text(j, "unit", r->unit), bri_json_text(j, "doc", r->doc);
    bri_json_text(j, "kind", KIND[r->kind]);
    bri_json_end(j);
  }
  bri_json_end(j);
  pictures_of(j, a);
  bri_json_array(j, "examples");
  for (const br_example *e = a->examples; e && e->line; e++) bri_json_text(j, NULL, e->line);
  bri_json_end(j);
  bri_json_end(j);
}

static void signals(bri_json *j)
{
  const br_signal_kind *k = NULL;
  bri_json_array(j, "signals");
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++) {
    bri_json_object(j, NULL);
    bri_json_text_n(j, "name", k->grammar, strcspn(k->grammar, ":"));
    bri_json_text(j, "spec", k->grammar), bri_json_text(j, "doc", k->doc);
    bri_json_end(j);
  }
  bri_json_end(j);
}

static br_status whole(bri_json *j, const char *only, br_err *err)
{
  const br_analysis *a = NULL;
  bri_json_text(j, "version", br_version());
  bri_json_array(j, "analyses");
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    if (!a->alias_of && (!only || strcmp(only, a->name) == 0)) analysis_of(j, a);
  bri_json_end(j);
  const br_status st = bri_json_models(j, NULL, err);
  bri_json_systems(j, NULL);
  bri_presets_json(j, NULL);
  signals(j);
  return st;
}

static int known(br_catalogue_part part, const char *name)
{
  switch (part) {
  case BR_CATALOGUE_WHOLE: return br_analysis_find(name) != NULL;
  case BR_CATALOGUE_MODELS: return br_all_models_find(name) != NULL;
  case BR_CATALOGUE_SYSTEMS: return br_system_find(name) != NULL;
  case BR_CATALOGUE_PRESETS: return bri_presets_found(name) > 0;
  case BR_CATALOGUE_SCHEMA: break;
  }
  return 0;
}

br_status br_catalogue_json(br_catalogue_part part, const char *only, char **text, size_t *length,
                            br_err *err)
{
  size_t n = 0;
  bri_json j;
  if (!text || part < BR_CATALOGUE_WHOLE || part > BR_CATALOGUE_SCHEMA)
    return bri_fail(err, BR_E_ARG, "br_catalogue_json: no such part, or no place for the text");
  *text = NULL;
  if (only && !known(part, only)) return bri_fail(err, BR_E_NAME, "unknown name '%.60s'", only);
  bri_json_init(&j);
  bri_json_object(&j, NULL);
  br_status st = BR_OK;
  if (part == BR_CATALOGUE_WHOLE) st = whole(&j, only, err);
  else if (part == BR_CATALOGUE_MODELS) st = bri_json_models(&j, only, err);
  else if (part == BR_CATALOGUE_SYSTEMS) bri_json_systems(&j, only);
  else if (part == BR_CATALOGUE_PRESETS) bri_presets_json(&j, only);
  else bri_json_schema(&j);
  bri_json_end(&j);
  if (!st && !bri_json_finish(&j, &n)) st = bri_no_memory(err, "catalogue");
  if (st) {
    bri_json_free(&j);
    return st;
  }
  *text = j.out.text; /* the caller's from here on */
  if (length) *length = n;
  return BR_OK;
}

void br_catalogue_free(char *text) { bri_free(text); }
