/* SPDX-License-Identifier: Apache-2.0
 * tables.c - one parameter or state table, for people. */
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include "analysis/job.h"
#include "bristle/expr.h"
#include "param/param.h"
#include "report/equations.h"
#include "report/symbols.h"

enum { CELL = TABLES_CELL };

static void copy(char *buf, const char *text) { (void)snprintf(buf, CELL, "%s", text); }

static void default_text(const br_param *p, char *buf)
{
  if (br_param_formula(p)) copy(buf, "-"); /* a default, where there is one, stands in the meaning */
  else if (p->max_len > 1 && p->ndef == 0) copy(buf, "(empty)");
  else (void)bri_param_default(p, ",", 4, CELL, buf); /* the ends tell enough; --json has all */
}

void tables_print(const char *front, size_t rows, size_t columns, tables_cell *cell, const void *data)
{
  int width[8] = {0};
  char buf[CELL];
  for (size_t i = 0; i < 2 * (rows + 1); i++) { /* how wide they are, then they themselves */
    const int print = i > rows;
    if (print) (void)printf("%s", front);
    for (size_t c = 0; c < columns; c++) {
      cell(data, i - (print ? rows + 1 : 0), c, buf);
      if (!print && (int)strlen(buf) > width[c]) width[c] = (int)strlen(buf);
      else if (print && c + 1 < columns) (void)printf("%-*s  ", width[c], buf);
      else if (print) (void)printf("%s\n", buf);
    }
  }
}

/* Row 0 is the heading. */
static void parameter_cell(const void *data, size_t row, size_t column, char *buf)
{
  static const char *const HEAD[] = {"parameter", "unit", "default", "range", "meaning"};
  const br_param *p = (const br_param *)data + (row ? row - 1 : 0);
  if (row == 0) copy(buf, HEAD[column]);
  else if (column == 0)
    (void)snprintf(buf, CELL, "%s%s", p->name, p->max_len > 1 && !br_param_formula(p) ? "[]" : "");
  else if (column == 1) copy(buf, p->unit);
  else if (column == 2) default_text(p, buf);
  else if (column == 3) (void)br_param_range(p, CELL, buf);
  else copy(buf, p->doc);
}

static void state_cell(const void *data, size_t row, size_t column, char *buf)
{
  static const char *const HEAD[] = {"state", "unit", "meaning"};
  const br_state *s = (const br_state *)data + (row ? row - 1 : 0);
  if (row == 0) copy(buf, HEAD[column]);
  else if (column == 0 && s->max_len > 1) (void)snprintf(buf, CELL, "%s1..%sN", s->name, s->name);
  else copy(buf, column == 0 ? s->name : column == 1 ? s->unit : s->doc);
}

void tables_print_parameters(const br_param *rows, size_t n)
{
  if (n) tables_print("  ", n, 5, parameter_cell, rows);
  else (void)printf("  no parameters\n");
}

void tables_print_states(const br_state *rows, size_t n)
{
  if (n) tables_print("  ", n, 3, state_cell, rows);
  else (void)printf("  no states\n");
}

static void equation(void *ctx, const char *line, size_t n)
{
  char copy[512];
  bri_buf text = {0};
  (void)snprintf(copy, sizeof copy, "%.*s", (int)(n < sizeof copy ? n : sizeof copy - 1), line);
  bri_symbols_plain(&text, copy);
  if (!text.text || text.failed) *(int *)ctx = -1;
  if (*(int *)ctx >= 0) (void)printf("%s  %s\n", *(int *)ctx ? "" : "\n", text.text), *(int *)ctx = 1;
  bri_buf_free(&text);
}

int tables_print_equations(const char *name)
{
  int any = 0; /* -1: no memory */
  bri_equations_each(name, equation, &any);
  if (any > 0) (void)printf("\n");
  return any >= 0;
}

int tables_model(const cli_command *c, const char *name, const br_model **out)
{
  br_err err;
  *out = br_all_models_find(name);
  return !*out && bri_unknown("model", name, &err) ? cli_bad_input(c, &err) : CLI_OK;
}
