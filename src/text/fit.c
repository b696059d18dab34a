/* SPDX-License-Identifier: Apache-2.0
 * fit.c - printed text for a narrow screen. */
#include "fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 24, CELL = 96 };

typedef struct {
  char cell[CELLS][CELL];
  size_t n;
} row;

/* Columns on the screen: bytes that do not continue a UTF-8 character. */
static size_t columns(const char *s, size_t n)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) count += ((unsigned char)s[i] & 0xc0) != 0x80;
  return count;
}

/* Cells of a line, two blanks or more between them; 0 cells: it is none of a table. */
static size_t split(const char *s, size_t n, row *r)
{
  r->n = 0;
  for (size_t i = 0; i < n;) {
    while (i < n && s[i] == ' ') i++;
    size_t end = i;
    while (end < n && !(s[end] == ' ' && (end + 1 == n || s[end + 1] == ' '))) end++;
    if (end == i) break;
    if (r->n == CELLS || end - i >= CELL) return r->n = 0;
    memcpy(r->cell[r->n], s + i, end - i);
    r->cell[r->n++][end - i] = '\0';
    i = end;
  }
  return r->n;
}

/* A number to fewer digits; other cells stay. */
static void shorten(char *cell, int digits)
{
  char *end = NULL, text[40];
  const double x = strtod(cell, &end);
  if (end == cell || *end || strlen(cell) < 7) return;
  (void)snprintf(text, sizeof text, "%.*g", digits, x);
  if (strlen(text) < strlen(cell)) memcpy(cell, text, strlen(text) + 1);
}

static void blanks(bri_buf *out, size_t n)
{
  for (; n > 0; n--) bri_buf_add(out, " ", 1);
}

/* Words with a hanging indent. */
static void wrap(const char *s, size_t n, size_t width, bri_buf *out)
{
  size_t indent = 0, used = 0;
  while (indent < n && s[indent] == ' ') indent++;
  const size_t hang = indent > width / 3 ? 4 : indent + 2 < width / 3 ? indent + (indent ? 2 : 0) : indent;
  const size_t first = indent > width / 3 ? 4 : indent;
  blanks(out, used = first);
  for (size_t i = indent; i < n;) {
    size_t end = i;
    while (end < n && s[end] != ' ') end++;
    const size_t len = columns(s + i, end - i);
    if (used > first && used + 1 + len > width) {
      bri_buf_add(out, "\n", 1);
      blanks(out, used = hang);
    } else if (used > first) {
      bri_buf_add(out, " ", 1), used++;
    }
    bri_buf_add(out, s + i, end - i);
    used += len;
    for (i = end; i < n && s[i] == ' ';) i++;
  }
  bri_buf_add(out, "\n", 1);
}

static size_t line_end(const char *s) { return strcspn(s, "\n"); }

/* Widths of the columns with numbers of so many digits; returns that of a line. */
static size_t measure(const char *s, size_t rows, size_t cells, int digits, size_t *wide)
{
  row r;
  size_t total = 0;
  memset(wide, 0, cells * sizeof *wide);
  for (size_t k = 0; k < rows; k++, s += line_end(s) + 1) {
    (void)split(s, line_end(s), &r);
    for (size_t i = 0; i < cells; i++) {
      if (k) shorten(r.cell[i], digits);
      const size_t w = columns(r.cell[i], strlen(r.cell[i]));
      if (w > wide[i]) wide[i] = w;
    }
  }
  for (size_t i = 0; i < cells; i++) total += wide[i] + (i > 0);
  return total;
}

/* A table of `rows` lines: aligned where it fits, else a line per cell. */
static void table(const char *s, size_t rows, size_t width, bri_buf *out)
{
  row head, r;
  int digits = 4;
  size_t wide[CELLS], cells = split(s, line_end(s), &head);
  while (measure(s, rows, cells, digits, wide) > width && digits > 3) digits--;
  const int fits = measure(s, rows, cells, digits, wide) <= width;
  for (size_t k = 0; k < rows; k++, s += line_end(s) + 1) {
    (void)split(s, line_end(s), &r);
    for (size_t i = 0; i < cells && (fits || k); i++) {
      char *cell = r.cell[i], *end = NULL, pair[2 * CELL + 8];
      if (k) shorten(cell, digits);
      const size_t w = columns(cell, strlen(cell));
      (void)strtod(cell, &end);
      if (!fits) {
        (void)snprintf(pair, sizeof pair, "%s%s%s%s", i ? "    " : "  ", i ? head.cell[i] : "", i ? ": " : "",
                       cell);
        wrap(pair, strlen(pair), width, out);
        continue;
      }
      const int right = i > 0 && (k == 0 || (end != cell && !*end)); /* numbers, and what stands over them */
      if (i) bri_buf_add(out, " ", 1);
      if (right) blanks(out, wide[i] - w);
      bri_buf_add(out, cell, strlen(cell));
      if (!right && i + 1 < cells) blanks(out, wide[i] - w);
    }
    if (fits) bri_buf_add(out, "\n", 1);
  }
}

void bri_fit(const char *text, size_t width, bri_buf *out)
{
  row first, next;
  if (width < 20) width = 20;
  while (*text) {
    const size_t n = line_end(text);
    const size_t cells = split(text, n, &first);
    size_t rows = 1, longest = columns(text, n);
    const char *end = text + n + (text[n] == '\n');
    while (cells >= 3 && *end && split(end, line_end(end), &next) == cells) {
      const size_t len = line_end(end), w = columns(end, len);
      if (w > longest) longest = w;
      rows++;
      end += len + (end[len] == '\n');
    }
    if (longest <= width) bri_buf_add(out, text, (size_t)(end - text));
    else if (rows > 1) table(text, rows, width, out);
    else wrap(text, n, width, out);
    text = end;
  }
}
