/* SPDX-License-Identifier: Apache-2.0
 * verdicts.c - what the checks of studies gave, as a table or as JSON. */
#include "verdicts.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "json.h"

/* Columns: document, figure, quantity, reference, obtained, difference, verdict. */
enum { CELLS = 7, CELL = 64 };

static void cells_of(const br_verdict *v, int several, char cell[CELLS][CELL])
{
  (void)snprintf(cell[0], CELL, "%s", v->document);
  (void)snprintf(cell[1], CELL, "%s", v->figure);
  (void)snprintf(cell[2], CELL, "%s%s%s%s%s%s", several ? v->run : "", several ? "." : "", v->quantity,
                 v->unit[0] ? " [" : "", v->unit, v->unit[0] ? "]" : "");
  (void)snprintf(cell[3], CELL, "%s", v->reference);
  (void)snprintf(cell[4], CELL, "%s", v->obtained);
  if (v->difference == v->difference) (void)snprintf(cell[5], CELL, "%.1e", v->difference);
  else cell[5][0] = '\0';
  (void)snprintf(cell[6], CELL, "%s",
                 v->overridden ? "not applicable: overridden"
                 : v->pass     ? "ok"
                               : "DIFFERS");
}

static void print_row(char cell[CELLS][CELL], const int *width)
{
  for (int k = 0; k < CELLS; k++) {
    if (k + 1 < CELLS) (void)printf("%-*s  ", width[k], cli_shown(cell[k]));
    else (void)printf("%s\n", cell[k]);
  }
}

void verdicts_print(br_study *const *studies, size_t count)
{
  char cell[CELLS][CELL] = {"document", "figure",     "quantity", "reference",
                            "obtained", "difference", "verdict"};
  char head[CELLS][CELL];
  int width[CELLS];
  size_t failed = 0, total = 0, aside = 0;
  memcpy(head, cell, sizeof head);
  for (int k = 0; k < CELLS; k++) width[k] = (int)strlen(head[k]);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < count; i++) {
      size_t n = 0;
      const br_verdict *v = br_study_verdicts(studies[i], &n);
      for (size_t k = 0; k < n; k++) {
        cells_of(&v[k], br_study_runs(studies[i]) > 1, cell);
        for (int q = 0; q < CELLS && pass == 0; q++) {
          if ((int)strlen(cell[q]) > width[q]) width[q] = (int)strlen(cell[q]);
        }
        if (pass == 0) continue;
        if (total == 0) print_row(head, width);
        print_row(cell, width);
        total++;
        failed += !v[k].pass;
        aside += (size_t)v[k].overridden;
      }
    }
  }
  if (total) (void)printf("%zu of %zu checks agree", total - aside - failed, total - aside);
  if (aside) (void)printf(", %zu not applicable: overridden", aside);
  if (total) (void)printf("\n");
}

int verdicts_json(br_study *const *studies, size_t count, const char *folder, size_t *failed)
{
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_array(&j, "verdicts");
  for (size_t i = 0; i < count; i++) {
    size_t n = 0;
    const br_verdict *v = br_study_verdicts(studies[i], &n);
    for (size_t k = 0; k < n; k++, v++) {
      json_object(&j, NULL);
      json_text(&j, "study", v->study);
      json_text(&j, "document", v->document);
      json_text(&j, "figure", v->figure);
      json_text(&j, "run", v->run);
      json_text(&j, "quantity", v->quantity);
      json_text(&j, "unit", v->unit);
      if (v->value == v->value) json_number(&j, "reference", v->value);
      else json_text(&j, "reference", v->reference);
      if (v->result == v->result) json_number(&j, "obtained", v->result);
      else json_text(&j, "obtained", v->obtained);
      json_number(&j, "difference", v->difference);
      json_number(&j, "tolerance", v->tolerance);
      json_text(&j, "source", v->source);
      if (v->overridden) json_null(&j, "pass");
      else json_bool(&j, "pass", v->pass);
      json_text(&j, "state", v->overridden ? "overridden" : v->pass ? "ok" : "differs");
      json_end(&j);
      *failed += !v->pass;
    }
  }
  json_end(&j);
  json_text(&j, "folder", folder);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

size_t verdicts_failed(br_study *const *studies, size_t count)
{
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) {
    size_t n = 0;
    const br_verdict *v = br_study_verdicts(studies[i], &n);
    for (size_t k = 0; k < n; k++) failed += !v[k].pass;
  }
  return failed;
}
