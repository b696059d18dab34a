/* SPDX-License-Identifier: Apache-2.0
 * reader.c - the streaming reader: header, then rows of numbers. */
#include "reader.h"

#include <errno.h>
#include <string.h>

#include "../text/escape.h"
#include "../text/fail.h"
#include "../base/alloc.h"
#include "line.h"

br_table_options br_table_options_default(void)
{
  br_table_options o = {0};
  o.header = -1;
  o.gap_factor = 3.0;
  return o;
}

/* Copy of n bytes with a terminator; doubled quotes become one. */
static char *copy_text(const char *s, size_t n, int quoted)
{
  char *t = bri_malloc(n + 1);
  if (!t) return NULL;
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    t[k++] = s[i];
    if (quoted && s[i] == '"' && i + 1 < n && s[i + 1] == '"') i++;
  }
  t[k] = '\0';
  return t;
}

static br_status no_memory(const br_table_reader *r, br_err *err)
{
  return bri_fail(err, BR_E_NOMEM, "%s: out of memory", r->label ? r->label : "table");
}

static br_status bad_quote(const br_table_reader *r, const char *line, const char *at, br_err *err)
{
  return bri_fail(err, BR_E_PARSE, "%s:%zu:%zu: quote is not closed, or text follows it", r->label, r->line,
                  (size_t)(at - line) + 1);
}

/* Count the cells of the first row and see whether it holds names. */
static br_status inspect(br_table_reader *r, const char *line, size_t n, int *has_header, br_err *err)
{
  const char *p = line, *end = line + n;
  int more = 1, text = 0;
  r->ncol = 0;
  while (more) {
    bri_cell cell;
    double x = 0.0;
    const char *at = p;
    if (!bri_table_cell(&p, end, r->opt.separator, &cell, &more)) return bad_quote(r, line, at, err);
    if (cell.n && !bri_table_number(&cell, r->opt.decimal, &x)) text = 1;
    r->ncol++;
  }
  *has_header = r->opt.header < 0 ? text : r->opt.header;
  return BR_OK;
}

static br_status make_columns(br_table_reader *r, const char *line, size_t n, int has_header, br_err *err)
{
  const char *p = line, *end = line + n;
  r->columns = bri_calloc(r->ncol, sizeof *r->columns);
  if (!r->columns) return no_memory(r, err);
  for (size_t j = 0; j < r->ncol; j++) {
    bri_cell cell = {"", 0, 0};
    int more = 0;
    if (has_header) (void)bri_table_cell(&p, end, r->opt.separator, &cell, &more);
    char *text = copy_text(cell.s, cell.n, cell.quoted);
    if (!text) return no_memory(r, err);
    if (bri_find_control(text, 0)) {
      const br_status st = bri_text_fail(err, BR_E_PARSE, (int)j,
                                         "%s:%zu: heading '%.80s' of column %zu has a control character",
                                         r->label, r->line, text, j + 1);
      bri_free(text);
      return st;
    }
    bri_heading h;
    bri_table_heading(text, strlen(text), &h);
    if (h.name_n == 0) {
      char number[32];
      (void)snprintf(number, sizeof number, "c%zu", j + 1);
      r->columns[j].name = copy_text(number, strlen(number), 0);
    } else {
      r->columns[j].name = copy_text(h.name, h.name_n, 0);
    }
    r->columns[j].unit = copy_text(h.unit, strlen(h.unit), 0);
    r->columns[j].heading = text;
    if (!r->columns[j].name || !r->columns[j].unit) return no_memory(r, err);
  }
  return BR_OK;
}

static const char *nearest_column(const br_table_reader *r, const char *name)
{
  const char *best = NULL;
  for (size_t j = 0; j < r->ncol; j++) { /* pairwise duel: no list has to be allocated */
    const char *pair[2] = {best ? best : r->columns[j].name, r->columns[j].name};
    best = br_nearest_name(name, pair, 2);
  }
  return best;
}

static int column_index(const br_table_reader *r, const char *name)
{
  for (size_t j = 0; j < r->ncol; j++)
    if (r->columns[j].name && strcmp(r->columns[j].name, name) == 0) return (int)j;
  return -1;
}

static br_status unknown_column(const br_table_reader *r, const char *name, const char *what, br_err *err)
{
  const char *near = nearest_column(r, name);
  return bri_fail(err, BR_E_NAME, "%s: no column '%s' (%s)%s%s%s", r->label, name, what,
                  near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Units of the caller replace those of the header; then every unit that is needed must be known. */
static br_status settle_units(br_table_reader *r, br_err *err)
{
  for (size_t k = 0; r->opt.units && k < r->opt.nunits; k++) {
    const int j = column_index(r, r->opt.units[k].column);
    if (j < 0) return unknown_column(r, r->opt.units[k].column, "given a unit", err);
    char *unit = copy_text(r->opt.units[k].unit, strlen(r->opt.units[k].unit), 0);
    if (!unit) return no_memory(r, err);
    bri_free(r->columns[j].unit);
    r->columns[j].unit = unit;
  }
  for (size_t j = 0; r->opt.to_si && j < r->ncol; j++) {
    bri_column *c = &r->columns[j];
    br_err why = {BR_OK, -1, ""};
    if (!c->unit || !c->unit[0]) continue;
    if (br_unit_parse(c->unit, strlen(c->unit), &c->factor, &why)) {
      if (r->opt.to_si == 2) continue;
      return bri_text_fail(err, BR_E_PARSE, (int)j, "%s: column '%s': %s", r->label, c->name, why.msg);
    }
    c->scaled = c->factor.factor != 1.0;
    r->scale |= c->scaled;
  }
  return BR_OK;
}

static br_status settle_time(br_table_reader *r, br_err *err)
{
  static const char *const USUAL[] = {"t", "time", "Time", "TIME"};
  static const br_unit SECOND = {1.0, {0, 0, 1, 0, 0, 0}};
  r->report.time_column = -1;
  if (r->opt.time_column) {
    r->report.time_column = column_index(r, r->opt.time_column);
    return r->report.time_column < 0 ? unknown_column(r, r->opt.time_column, "time column", err) : BR_OK;
  }
  for (size_t k = 0; k < sizeof USUAL / sizeof USUAL[0] && r->report.time_column < 0; k++)
    r->report.time_column = column_index(r, USUAL[k]);
  for (size_t j = 0; j < r->ncol && r->report.time_column < 0; j++) {
    br_unit u;
    const char *text = r->columns[j].unit;
    if (text[0] && br_unit_parse(text, strlen(text), &u, NULL) == BR_OK && br_unit_same(&u, &SECOND))
      r->report.time_column = (int)j;
  }
  return BR_OK;
}

/* ',' or '.': what the cells of the lines that are in memory, first of all `line`, can be read with. */
static char find_decimal(const br_table_reader *r, const char *line, size_t n)
{
  const char *rest = r->data + r->pos, *limit = r->data + r->end, *end = line + n;
  if (limit - rest > BRI_TABLE_FIRST_BUFFER) limit = rest + BRI_TABLE_FIRST_BUFFER;
  for (int more = 1; r->opt.separator != ',';) {
    bri_cell cell;
    double x = 0.0;
    if ((line < end && *line == '#') || !bri_table_cell(&line, end, r->opt.separator, &cell, &more)) more = 0;
    else if (bri_table_number(&cell, ',', &x) && !bri_table_number(&cell, '.', &x)) return ',';
    else if (bri_table_number(&cell, '.', &x) && !bri_table_number(&cell, ',', &x)) return '.';
    if (more) continue;
    if (rest >= limit) break;
    line = rest;
    end = memchr(rest, '\n', (size_t)(limit - rest));
    if (!end) end = limit;
    rest = end + 1;
    while (end > line && end[-1] == '\r') end--;
  }
  return '.';
}

static br_status read_header(br_table_reader *r, br_err *err)
{
  const char *line = NULL;
  size_t n = 0;
  int found = 0, has_header = 0;
  br_status st = bri_table_row_line(r, &line, &n, &found, err);
  if (st) return st;
  if (!found) return bri_fail(err, BR_E_PARSE, "%s: no header and no rows", r->label);
  if (r->opt.separator == 0)
    r->opt.separator = bri_table_separator(line, n, r->opt.decimal ? r->opt.decimal : '.');
  if (r->opt.decimal == 0) r->opt.decimal = find_decimal(r, line, n);
  r->report.separator = r->opt.separator;
  r->report.decimal = r->opt.decimal;
  st = inspect(r, line, n, &has_header, err);
  if (!st) st = make_columns(r, line, n, has_header, err);
  if (!st) st = settle_units(r, err);
  if (!st) st = settle_time(r, err);
  if (!st && !has_header) {
    r->pending_line = line;
    r->pending_length = n;
  }
  return st;
}

static br_status check_options(const br_table_options *o, br_err *err)
{
  if (o->separator && !strchr(",; \t", o->separator))
    return bri_fail(err, BR_E_ARG, "separator '%c': expected ',', ';', tab or blank", o->separator);
  if (o->decimal && o->decimal != '.' && o->decimal != ',')
    return bri_fail(err, BR_E_ARG, "decimal mark '%c': expected '.' or ','", o->decimal);
  for (size_t k = 0; o->units && k < o->nunits; k++)
    if (!o->units[k].column || !o->units[k].unit)
      return bri_text_fail(err, BR_E_ARG, (int)k, "units[%zu]: NULL column or unit", k);
  if (o->separator && o->separator == o->decimal)
    return bri_fail(err, BR_E_ARG, "separator and decimal mark are both ','");
  if (!(o->gap_factor > 1.0))
    return bri_fail(err, BR_E_RANGE, "gap_factor %g: expected more than 1", o->gap_factor);
  return BR_OK;
}

/* Shared by the two sources.  text NULL: open path. */
static br_status create(const char *path, const char *text, size_t n, const br_table_options *opt,
                        br_table_reader **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "table reader: NULL argument");
  *out = NULL;
  if (!path) return bri_fail(err, BR_E_ARG, "table reader: NULL name");
  const br_table_options defaults = br_table_options_default();
  if (!opt) opt = &defaults;
  br_status st = check_options(opt, err);
  if (st) return st;
  br_table_reader *r = bri_calloc(1, sizeof *r);
  if (!r) return bri_no_memory(err, path);
  r->opt = *opt;
  r->report.time_column = -1;
  r->label = copy_text(path, strlen(path), 0);
  if (!r->label) st = no_memory(r, err);
  if (!st && text) {
    r->data = text;
    r->end = n;
    r->at_end = 1;
  } else if (!st) {
    r->capacity = BRI_TABLE_FIRST_BUFFER;
    r->buffer = bri_malloc(r->capacity);
    r->data = r->buffer;
    const bri_file_kind kind = strcmp(path, "-") == 0 ? BRI_FILE_CSV : bri_foreign_kind(path);
    if (kind) {
      st = bri_foreign_open(path, kind, &r->file, &r->foreign, err);
      r->opt.separator = ',', r->opt.decimal = '.', r->opt.header = 1;
    } else {
      r->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    }
    r->close_file = r->file && r->file != stdin;
    if (!st && !r->file) st = bri_fail(err, BR_E_IO, "cannot read '%s': %s", path, strerror(errno));
    if (!st && !r->buffer) st = no_memory(r, err);
  }
  if (!st) st = read_header(r, err);
  if (st) {
    br_table_reader_destroy(r);
    return st;
  }
  r->opt.units = NULL;
  r->opt.time_column = NULL;
  *out = r;
  return BR_OK;
}

br_status br_table_reader_create(const char *path, const br_table_options *opt, br_table_reader **out,
                                 br_err *err)
{
  return create(path, NULL, 0, opt, out, err);
}

br_status br_table_reader_create_memory(const char *text, size_t n, const char *name,
                                        const br_table_options *opt, br_table_reader **out, br_err *err)
{
  return create(name ? name : "memory", text ? text : "", text ? n : 0, opt, out, err);
}

void br_table_reader_destroy(br_table_reader *r)
{
  if (!r) return;
  for (size_t j = 0; r->columns && j < r->ncol; j++) {
    bri_free(r->columns[j].name);
    bri_free(r->columns[j].unit);
    bri_free(r->columns[j].heading);
  }
  bri_free(r->columns);
  bri_foreign_stop(&r->foreign);
  if (r->close_file) (void)fclose(r->file);
  bri_free(r->buffer);
  bri_free(r->label);
  bri_free(r);
}

size_t br_table_reader_columns(const br_table_reader *r) { return r ? r->ncol : 0; }

const char *br_table_reader_name(const br_table_reader *r, size_t column)
{
  return r && column < r->ncol ? r->columns[column].name : NULL;
}

const char *br_table_reader_unit(const br_table_reader *r, size_t column)
{
  return r && column < r->ncol ? r->columns[column].unit : NULL;
}

const br_table_report *br_table_reader_report(const br_table_reader *r) { return r ? &r->report : NULL; }
