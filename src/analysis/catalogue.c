/* SPDX-License-Identifier: Apache-2.0
 * catalogue.c - the analyses by number and by name. */
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "bristle/expr.h"

#define BRI_ANALYSIS(name) extern const br_analysis bri_analysis_##name;
#include "analyses.def"
#undef BRI_ANALYSIS

const br_analysis *br_catalogue(size_t index)
{
#define BRI_ANALYSIS(name) &bri_analysis_##name,
  static const br_analysis *const LIST[] = {
#include "analyses.def"
      NULL};
#undef BRI_ANALYSIS
  return index < sizeof LIST / sizeof LIST[0] ? LIST[index] : NULL;
}

size_t bri_names_of(const char *kind, const char *names[BRI_NAMES])
{
  size_t n = 0, all = 0;
  const br_system *const *systems = br_systems(&all);
  for (const br_model *m; strcmp(kind, "model") == 0 && n < BRI_NAMES && (m = br_all_models(n)) != NULL;)
    names[n++] = m->name;
  for (; strcmp(kind, "system") == 0 && n < BRI_NAMES && n < all; n++) names[n] = systems[n]->name;
  for (; strcmp(kind, "preset") == 0 && n < BRI_NAMES && br_presets(n); n++) names[n] = br_presets(n)->name;
  for (size_t i = 0; strcmp(kind, "analysis") == 0 && n < BRI_NAMES && br_catalogue(i); i++)
    if (!br_catalogue(i)->alias_of) names[n++] = br_catalogue(i)->name;
  return n;
}

br_status bri_unknown(const char *kind, const char *name, br_err *err)
{
  const char *names[BRI_NAMES];
  char hint[BRI_HINT], lists[BRI_HINT];
  (void)snprintf(lists, sizeof lists, "; 'bristle %ss' lists them",
                 strcmp(kind, "analysis") == 0 ? "analyse" : kind);
  return bri_fail(err, BR_E_NAME, "unknown %s '%.60s'%s", kind, name,
                  bri_hint(name, names, bri_names_of(kind, names), lists, hint));
}

const br_analysis *br_analysis_find(const char *name)
{
  const br_analysis *a = NULL;
  for (size_t i = 0; name && (a = br_catalogue(i)) != NULL; i++)
    if (strcmp(a->name, name) == 0) return a;
  return NULL;
}

const br_option *br_analysis_option(const br_analysis *a, const char *name)
{
  for (size_t i = 0; i < a->noptions; i++) {
    const br_option *o = &a->options[i];
    if (strcmp(o->name, name) == 0 || (o->alias && strcmp(o->alias, name) == 0)) return o;
  }
  return NULL;
}

const br_picture *br_picture_find(const char *name)
{
  const br_analysis *a = NULL;
  for (size_t i = 0; name && (a = br_catalogue(i)) != NULL; i++)
    for (size_t k = 0; k < a->npictures; k++)
      if (a->pictures[k].name && strcmp(a->pictures[k].name, name) == 0) return &a->pictures[k];
  return NULL;
}

const char *br_option_kind_text(br_option_kind kind)
{
  static const char *const TEXT[] = {"number", "count", "choice", "flag", "text",
                                     "list",   "pairs", "signal", "range"};
  return (size_t)kind < sizeof TEXT / sizeof TEXT[0] ? TEXT[kind] : "text";
}
