/* SPDX-License-Identifier: Apache-2.0
 * line.c - bytes to lines to cells. */
#include <string.h>

#include "../text/fail.h"
#include "../base/alloc.h"
#include "line.h"

/* Move what is unread to the front, make room, read more.  Only called when no complete line is left. */
static br_status refill(br_table_reader *r, br_err *err)
{
  const size_t left = r->end - r->pos;
  if (left && r->pos) memmove(r->buffer, r->buffer + r->pos, left);
  r->pos = 0;
  r->end = left;
  if (left == r->capacity) {
    if (r->capacity >= BRI_TABLE_LONGEST_LINE)
      return bri_fail(err, BR_E_SIZE, "%s:%zu: line is longer than %d bytes", r->label, r->line + 1,
                      (int)BRI_TABLE_LONGEST_LINE);
    char *bigger = bri_realloc(r->buffer, r->capacity * 2);
    if (!bigger) return bri_fail(err, BR_E_NOMEM, "%s: no memory for a line buffer", r->label);
    r->buffer = bigger;
    r->data = bigger;
    r->capacity *= 2;
  }
  const size_t got = fread(r->buffer + left, 1, r->capacity - left, r->file);
  r->end += got;
  if (got == 0) {
    if (ferror(r->file)) return bri_fail(err, BR_E_IO, "%s: read error", r->label);
    r->at_end = 1;
    return bri_foreign_end(&r->foreign, r->label, err);
  }
  return BR_OK;
}

/* Next line without its end (LF or CRLF), valid until the next call; *found = 0 at the end of the file. */
static br_status any_line(br_table_reader *r, const char **line, size_t *n, int *found, br_err *err)
{
  *found = 0;
  for (;;) {
    const char *start = r->data + r->pos;
    const size_t left = r->end - r->pos;
    const char *newline = left ? memchr(start, '\n', left) : NULL;
    if (newline || (r->at_end && left)) {
      size_t length = newline ? (size_t)(newline - start) : left;
      r->pos += length + (newline ? 1 : 0);
      r->line++;
      if (r->line == 1 && length >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
        start += 3, length -= 3; /* BOM */
      if (length && start[length - 1] == '\r') length--;
      *line = start;
      *n = length;
      *found = 1;
      return BR_OK;
    }
    if (r->at_end) return BR_OK;
    const br_status st = refill(r, err);
    if (st) return st;
  }
}

static int blank(char c) { return c == ' ' || c == '\t'; }

br_status bri_table_row_line(br_table_reader *r, const char **line, size_t *n, int *found, br_err *err)
{
  for (;;) {
    const br_status st = any_line(r, line, n, found, err);
    if (st || !*found) return st;
    size_t k = 0;
    while (k < *n && blank((*line)[k])) k++;
    if (k == *n) continue;
    if ((*line)[k] != '#') return BR_OK;
    r->report.comments++;
  }
}

int bri_table_cell(const char **p, const char *end, char separator, bri_cell *cell, int *more)
{
  const char *s = *p;
  *more = 0;
  while (s < end && *s != separator && blank(*s)) s++;
  if (separator == ' ')
    while (s < end && blank(*s)) s++;
  cell->quoted = s < end && *s == '"';
  if (cell->quoted) {
    const char *q = ++s;
    for (;; q++) {
      if (q >= end) return 0;
      if (*q == '"' && q + 1 < end && q[1] == '"') {
        q++;
      } else if (*q == '"') {
        break;
      }
    }
    cell->s = s;
    cell->n = (size_t)(q - s);
    s = q + 1;
    while (s < end && *s != separator && blank(*s)) s++;
    if (s < end && *s != separator && !(separator == ' ' && blank(*s)))
      return 0; /* text behind the closing quote */
  } else {
    cell->s = s;
    while (s < end && *s != separator && !(separator == ' ' && *s == '\t')) s++;
    cell->n = (size_t)(s - cell->s);
    while (cell->n && blank(cell->s[cell->n - 1])) cell->n--;
  }
  if (separator == ' ') {
    while (s < end && blank(*s)) s++;
    *more = s < end;
  } else if (s < end) {
    s++;
    *more = 1;
  }
  *p = s;
  return 1;
}

int bri_table_number(const bri_cell *cell, char decimal, double *x)
{
  return cell->n && br_parse_double_mark(cell->s, cell->n, decimal, x) == cell->n;
}

char bri_table_separator(const char *line, size_t n, char decimal)
{
  int tab = 0, semicolon = 0, comma = 0, quoted = 0;
  for (size_t k = 0; k < n; k++) {
    if (line[k] == '"') quoted = !quoted;
    if (quoted) continue;
    tab |= line[k] == '\t';
    semicolon |= line[k] == ';';
    comma |= line[k] == ',';
  }
  if (tab) return '\t';
  if (semicolon) return ';';
  if (comma && decimal != ',') return ',';
  /* Blanks separate only where every piece is a number: "t [s]" is one heading. */
  const char *p = line, *end = line + n;
  size_t cells = 0;
  int more = 1;
  while (more) {
    bri_cell cell;
    double x = 0.0;
    if (!bri_table_cell(&p, end, ' ', &cell, &more) || !bri_table_number(&cell, decimal, &x)) return ',';
    cells++;
  }
  return cells > 1 ? ' ' : decimal == ',' ? ';' : ',';
}
