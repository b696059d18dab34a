/* SPDX-License-Identifier: Apache-2.0
 * verdicts.c - what the checks of studies gave, as a table or as JSON. */
#include "verdicts.h"

#include <stdio.h>

#include "json.h"
#include "tables.h"

typedef struct {
  br_study *const *studies;
  size_t count;
} all_of;

/* The index-th of all studies, and whether its study has several runs; NULL behind the last. */
static const br_verdict *at(const all_of *all, size_t index, int *several)
{
  for (size_t i = 0; i < all->count; i++) {
    size_t n = 0;
    const br_verdict *v = br_study_verdicts(all->studies[i], &n);
    if (several) *several = br_study_runs(all->studies[i]) > 1;
    if (index < n) return v + index;
    index -= n;
  }
  return NULL;
}

static void cell_of(const void *data, size_t row, size_t column, char *buf)
{
  static const char *const HEAD[] = {"document", "figure",     "quantity", "reference",
                                     "obtained", "difference", "verdict"};
  enum { ROOM = 64 };
  int several = 0;
  const br_verdict *v = row ? at(data, row - 1, &several) : NULL;
  char text[ROOM] = "";
  if (!v) (void)snprintf(text, ROOM, "%s", HEAD[column]);
  else if (column == 2)
    (void)snprintf(text, ROOM, "%s%s%s%s%s%s", several ? v->run : "", several ? "." : "", v->quantity,
                   v->unit[0] ? " [" : "", v->unit, v->unit[0] ? "]" : "");
  else if (column == 5 && v->difference == v->difference) (void)snprintf(text, ROOM, "%.1e", v->difference);
  else if (column == 6)
    (void)snprintf(text, ROOM, "%s",
                   v->overridden ? "not applicable: overridden"
                   : v->pass     ? "ok"
                                 : "DIFFERS");
  else if (column != 5)
    (void)snprintf(text, ROOM, "%s",
                   column == 0   ? v->document
                   : column == 1 ? v->figure
                   : column == 3 ? v->reference
                                 : v->obtained);
  (void)snprintf(buf, TABLES_CELL, "%s", cli_shown(text));
}

void verdicts_print(br_study *const *studies, size_t count)
{
  const all_of all = {studies, count};
  const br_verdict *v = NULL;
  size_t failed = 0, total = 0, aside = 0;
  for (; (v = at(&all, total, NULL)) != NULL; total++) failed += !v->pass, aside += (size_t)v->overridden;
  if (!total) return;
  tables_print("", total, 7, cell_of, &all);
  (void)printf("%zu of %zu checks agree", total - aside - failed, total - aside);
  if (aside) (void)printf(", %zu not applicable: overridden", aside);
  (void)printf("\n");
}

int verdicts_json(br_study *const *studies, size_t count, const char *folder)
{
  const all_of all = {studies, count};
  const br_verdict *v = NULL;
  bri_json j;
  bri_json_init(&j);
  bri_json_object(&j, NULL);
  bri_json_array(&j, "verdicts");
  for (size_t i = 0; (v = at(&all, i, NULL)) != NULL; i++) {
    bri_json_object(&j, NULL);
    bri_json_text(&j, "study", v->study);
    bri_json_text(&j, "document", v->document);
    bri_json_text(&j, "figure", v->figure);
    bri_json_text(&j, "run", v->run);
    bri_json_text(&j, "quantity", v->quantity);
    bri_json_text(&j, "unit", v->unit);
    if (v->value == v->value) bri_json_number(&j, "reference", v->value);
    else bri_json_text(&j, "reference", v->reference);
    if (v->result == v->result) bri_json_number(&j, "obtained", v->result);
    else bri_json_text(&j, "obtained", v->obtained);
    bri_json_number(&j, "difference", v->difference);
    bri_json_number(&j, "tolerance", v->tolerance);
    bri_json_text(&j, "source", v->source);
    if (v->overridden) bri_json_null(&j, "pass");
    else bri_json_bool(&j, "pass", v->pass);
    bri_json_text(&j, "state", v->overridden ? "overridden" : v->pass ? "ok" : "differs");
    bri_json_end(&j);
  }
  bri_json_end(&j);
  bri_json_text(&j, "folder", folder);
  bri_json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

int verdicts_differ(br_study *const *studies, size_t count)
{
  const all_of all = {studies, count};
  const br_verdict *v = NULL;
  for (size_t i = 0; (v = at(&all, i, NULL)) != NULL; i++)
    if (!v->pass) return 1;
  return 0;
}
