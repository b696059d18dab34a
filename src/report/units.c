/* SPDX-License-Identifier: Apache-2.0
 * units.c - tables in the units that a person asked for, on their way to a file or a picture. */
#include <string.h>

#include "base/alloc.h"
#include "bristle/report.h"
#include "bristle/unit.h"
#include "text/fail.h"

enum { MOST = 16, LENGTH = 24 };

struct br_units {
  br_sink *to;
  size_t n;
  char text[MOST][LENGTH];
  br_unit unit[MOST];
  size_t ncol;
  br_column *columns; /* [ncol] of the table on its way */
  double *factors;    /* [ncol]: what a number is divided by */
  double *row;
};

static br_status unit_value(void *ctx, const char *path, const br_value *v, br_err *err)
{
  const br_units *u = ctx;
  return u->to->value ? u->to->value(u->to->ctx, path, v, err) : BR_OK;
}

static int unit_wants(void *ctx, const char *table)
{
  return br_sink_wants(((const br_units *)ctx)->to, table);
}

/* The listed unit of a column's dimension; n: none. */
static size_t chosen(const br_units *u, const char *text)
{
  br_unit own;
  size_t k = 0;
  if (!text || br_unit_parse(text, strlen(text), &own, NULL) || own.factor != 1) return u->n;
  while (k < u->n && !br_unit_same(&u->unit[k], &own)) k++;
  return k;
}

static br_status unit_table(void *ctx, const br_table_head *head, br_err *err)
{
  br_units *u = ctx;
  br_column *columns = bri_realloc(u->columns, (head->ncol + 1) * sizeof *columns);
  if (columns) u->columns = columns;
  double *numbers = bri_realloc(u->factors, 2 * (head->ncol + 1) * sizeof *numbers);
  if (numbers) u->factors = numbers;
  if (!columns || !numbers) return bri_no_memory(err, "units");
  u->ncol = head->ncol;
  u->row = numbers + head->ncol;
  for (size_t i = 0; i < head->ncol; i++) {
    const size_t k = chosen(u, head->columns[i].unit);
    columns[i] = head->columns[i];
    numbers[i] = k < u->n ? u->unit[k].factor : 1;
    if (k < u->n) columns[i].unit = u->text[k];
  }
  br_table_head other = *head;
  other.columns = columns;
  return br_put_table(u->to, &other, err);
}

static br_status unit_row(void *ctx, const double *row, br_err *err)
{
  br_units *u = ctx;
  for (size_t i = 0; i < u->ncol; i++) u->row[i] = u->factors[i] == 1 ? row[i] : row[i] / u->factors[i];
  return u->to->row ? u->to->row(u->to->ctx, u->row, err) : BR_OK;
}

static br_status unit_end(void *ctx, br_err *err) { return br_put_end(((br_units *)ctx)->to, err); }

double br_units_factor(const br_units *u, const char **unit)
{
  const size_t k = u ? chosen(u, *unit) : 0;
  if (!u || k == u->n) return 1;
  *unit = u->text[k];
  return u->unit[k].factor;
}

br_status br_units_create(const char *list, br_sink *to, br_units **out, br_err *err)
{
  br_units *u = *out = bri_calloc(1, sizeof *u);
  if (!u) return bri_no_memory(err, "units");
  u->to = to;
  br_status st = BR_OK;
  for (const char *s = list; !st;) {
    const size_t n = strcspn(s, ",");
    br_err why = {BR_OK, -1, ""};
    if (n == 0 || n >= LENGTH || u->n == MOST)
      st =
          bri_fail(err, BR_E_PARSE, "'%.60s' is not a list of up to %d units, such as mm,kN,deg", list, MOST);
    else if (br_unit_parse(s, n, &u->unit[u->n], &why)) st = bri_fail(err, BR_E_PARSE, "%s", why.msg);
    for (size_t k = 0; k < u->n && !st; k++)
      if (br_unit_same(&u->unit[k], &u->unit[u->n]))
        st = bri_fail(err, BR_E_PARSE, "'%.60s' has two units of the same dimension, %s and %.*s", list,
                      u->text[k], (int)n, s);
    if (!st) memcpy(u->text[u->n++], s, n);
    s += n;
    if (!*s) break;
    s++;
  }
  if (st) br_units_destroy(u), *out = NULL;
  return st;
}

br_sink br_units_sink(br_units *u)
{
  return (br_sink){.ctx = u,
                   .value = unit_value,
                   .wants = unit_wants,
                   .table = unit_table,
                   .row = unit_row,
                   .end = unit_end};
}

void br_units_destroy(br_units *u)
{
  if (!u) return;
  bri_free(u->columns);
  bri_free(u->factors);
  bri_free(u);
}
