/* SPDX-License-Identifier: Apache-2.0
 * tables.c - one parameter or state table, for people. */
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include "bristle/param.h"
#include "bristle/text.h"
#include "report/equations.h"
#include "report/symbols.h"

enum { CELL = 112 };

static void default_text(const br_param *p, char *buf)
{
  size_t used = 0, len = 0;
  buf[0] = '\0';
  if (br_param_formula(p)) { /* a default, where there is one, stands in the meaning */
    (void)snprintf(buf, CELL, "-");
    return;
  }
  if (p->choices) {
    const char *s = br_param_choice(p, (size_t)p->def, &len);
    if (s) (void)snprintf(buf, CELL, "%.*s", (int)len, s);
    return;
  }
  if (p->max_len == 1) {
    (void)br_format_double(p->def, buf);
    return;
  }
  if (p->ndef == 0) (void)snprintf(buf, CELL, "(empty)");
  for (size_t i = 0; i < p->ndef; i++) {
    char number[BR_DOUBLE_TEXT];
    (void)br_format_double(p->defs[i], number);
    if (p->ndef > 4 && i == 2) { /* the ends tell enough; --json has all */
      used += (size_t)snprintf(buf + used, CELL - used, ",..");
      i = p->ndef - 2;
      continue;
    }
    used += (size_t)snprintf(buf + used, CELL - used, "%s%s", i ? "," : "", number);
  }
}

/* Rows of cells with aligned columns; the last column is not padded. */
static void print_cells(size_t rows, size_t columns, void (*cell)(const void *, size_t, size_t, char *),
                        const void *data)
{
  int width[8] = {0};
  char buf[CELL];
  for (size_t i = 0; i <= rows; i++) {
    for (size_t c = 0; c + 1 < columns; c++) {
      cell(data, i, c, buf);
      if ((int)strlen(buf) > width[c]) width[c] = (int)strlen(buf);
    }
  }
  for (size_t i = 0; i <= rows; i++) {
    (void)printf("  ");
    for (size_t c = 0; c < columns; c++) {
      cell(data, i, c, buf);
      if (c + 1 < columns) (void)printf("%-*s  ", width[c], buf);
      else (void)printf("%s\n", buf);
    }
  }
}

static void copy(char *buf, const char *text) { (void)snprintf(buf, CELL, "%s", text); }

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
  if (n) print_cells(n, 5, parameter_cell, rows);
  else (void)printf("  no parameters\n");
}

void tables_print_states(const br_state *rows, size_t n)
{
  if (n) print_cells(n, 3, state_cell, rows);
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
