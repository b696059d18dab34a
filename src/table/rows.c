/* SPDX-License-Identifier: Apache-2.0
 * rows.c - data rows to numbers: the fast loop of the reader. */
#include <math.h>

#include "../text/decimal.h"
#include "../text/fail.h"
#include "line.h"

static int blank(char c) { return c == ' ' || c == '\t'; }

static br_status bad_cell(const br_table_reader *r, const char *line, const bri_cell *cell, size_t column,
                          br_err *err)
{
  double x = 0.0;
  const char *hint = "";
  if (r->opt.decimal == '.' && bri_table_number(cell, ',', &x)) hint = " (is ',' the decimal mark?)";
  return bri_text_fail(err, BR_E_PARSE, (int)column, "%s:%zu:%zu: column '%.40s': '%.*s' is not a number%s",
                       r->label, r->line, (size_t)(cell->s - line) + 1, r->columns[column].name,
                       cell->n < 40 ? (int)cell->n : 40, cell->s, hint);
}

/* The careful road: quotes, gaps, text.  Advances *p behind the cell and its separator. */
static br_status read_cell(br_table_reader *r, const char *line, const char **p, const char *end,
                           size_t column, double *x, int *more, br_err *err)
{
  bri_cell cell;
  const char *at = *p;
  *x = NAN;
  if (!bri_table_cell(p, end, r->opt.separator, &cell, more))
    return bri_text_fail(err, BR_E_PARSE, (int)column, "%s:%zu:%zu: quote is not closed, or text follows it",
                         r->label, r->line, (size_t)(at - line) + 1);
  if (cell.n && !bri_table_number(&cell, r->opt.decimal, x)) {
    if (!r->opt.text_as_gap) return bad_cell(r, line, &cell, column, err);
    bri_column *c = &r->columns[column];
    bri_table_count(&r->report.text, r->report.rows, r->line);
    bri_table_count(&c->text, r->report.rows, r->line);
    if (c->text.count == 1)
      (void)snprintf(c->sample, sizeof c->sample, "%.*s", cell.n < 20 ? (int)cell.n : 20, cell.s);
    *x = NAN;
    return BR_OK;
  }
  if (isnan(*x)) bri_table_count(&r->report.gaps, r->report.rows, r->line);
  return BR_OK;
}

/* Bare finite number, blanks, and what ends the cell, which *p points to; 0: take the careful road. */
static inline int quick_cell(const char **p, const char *limit, char decimal, double *x)
{
  const char *s = *p;
  while (s < limit && *s == ' ') s++;
  s = bri_quick_number(s, limit, decimal, x);
  if (!s || !isfinite(*x)) return 0;
  *p = s;
  return 1;
}

static void finish_row(br_table_reader *r, double *row)
{
  for (size_t j = 0; r->scale && j < r->ncol; j++)
    if (r->columns[j].scaled) row[j] = br_unit_to_si(&r->columns[j].factor, row[j]);
  if (r->report.time_column >= 0)
    bri_times_add(&r->report, &r->times, r->opt.gap_factor, row[r->report.time_column], r->report.rows,
                  r->line);
  r->report.rows++;
}

/* The usual row, numbers and separators up to the line end, in one pass over the bytes.  Returns 0, and has
 * done nothing, for everything else: blank lines, comments, quotes, gaps, a line not wholly in the buffer. */
static int quick_row(br_table_reader *r, double *row)
{
  const char *p = r->data + r->pos, *limit = r->data + r->end;
  const char separator = r->opt.separator, decimal = r->opt.decimal;
  const size_t last = r->ncol - 1;
  for (size_t j = 0; j <= last; j++) {
    if (!quick_cell(&p, limit, decimal, &row[j])) return 0;
    if (j < last)
      if (p >= limit || *p++ != separator) return 0;
  }
  p += p < limit && *p == separator; /* one at the end of a row is forgiven */
  p += p < limit && *p == '\r';
  if (p >= limit || *p != '\n') return 0;
  r->pos = (size_t)(p + 1 - r->data);
  r->line++;
  finish_row(r, row);
  return 1;
}

static br_status read_row(br_table_reader *r, const char *line, size_t n, double *row, br_err *err)
{
  const char *p = line, *end = line + n;
  int more = 1;
  size_t j = 0;
  for (; j < r->ncol && more; j++) {
    double x = 0.0;
    const br_status st = read_cell(r, line, &p, end, j, &x, &more, err);
    if (st) return st;
    if (isinf(x)) bri_table_count(&r->report.infinite, r->report.rows, r->line);
    row[j] = x;
  }
  if (j < r->ncol)
    return bri_text_fail(err, BR_E_PARSE, (int)j, "%s:%zu:%zu: row has %zu cell%s, expected %zu", r->label,
                         r->line, n + 1, j, j == 1 ? "" : "s", r->ncol);
  while (more && p < end && blank(*p)) p++;
  if (more && p < end) { /* one separator at the end of a row is forgiven, a further cell is not */
    return bri_text_fail(err, BR_E_PARSE, (int)r->ncol,
                         "%s:%zu:%zu: row has more cells than the %zu expected", r->label, r->line,
                         (size_t)(p - line) + 1, r->ncol);
  }
  finish_row(r, row);
  return BR_OK;
}

br_status br_table_reader_next(br_table_reader *r, size_t max, double *rows, size_t *got, br_err *err)
{
  if (!got) return bri_fail(err, BR_E_ARG, "br_table_reader_next: NULL argument");
  *got = 0;
  if (!r || (!rows && max)) return bri_fail(err, BR_E_ARG, "br_table_reader_next: NULL argument");
  if (r->failed) return bri_fail(err, BR_E_PARSE, "%s: reading stopped at an error before", r->label);
  while (*got < max) {
    const char *line = r->pending_line;
    size_t n = r->pending_length;
    int found = line != NULL;
    br_status st = BR_OK;
    r->pending_line = NULL;
    if (!found && quick_row(r, rows + *got * r->ncol)) {
      ++*got;
      continue;
    }
    if (!found) st = bri_table_row_line(r, &line, &n, &found, err);
    if (!st && !found) {
      bri_times_finish(&r->report, &r->times, r->opt.gap_factor);
      break;
    }
    if (!st) st = read_row(r, line, n, rows + *got * r->ncol, err);
    if (st) {
      r->failed = 1;
      bri_times_finish(&r->report, &r->times, r->opt.gap_factor);
      return st;
    }
    ++*got;
  }
  return BR_OK;
}
