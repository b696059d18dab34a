/* SPDX-License-Identifier: Apache-2.0
 * columns.c - columns of CSV tables for pictures: two, thinned out where they are long, or three in full. */
#include "columns.h"

#include <string.h>

#include "bristle/table.h"

enum { POINTS = 4000, CHUNK = 1024 };

int bri_table_column(const bri_table *t, const char *name)
{
  for (size_t i = 0; i < t->ncol; i++)
    if (strcmp(t->names[i], name) == 0) return (int)i;
  return -1;
}

/* Files that are no results are drawn in SI, as results are; their columns of words are left alone. */
static br_table_options outside_options(void)
{
  br_table_options o = br_table_options_default();
  o.to_si = 2;
  o.text_as_gap = 1;
  return o;
}

/* What the unit of a column is called then: "mm" becomes "m". */
static const char *si_text(const char *unit, size_t size, char *buf)
{
  br_unit written, plain;
  if (br_unit_parse(unit, strlen(unit), &written, NULL) || written.factor == 1) return unit;
  if (!br_unit_parse(unit + 1, strlen(unit + 1), &plain, NULL) && plain.factor == 1 &&
      br_unit_same(&written, &plain))
    return unit + 1;
  return br_unit_text(&written, size, buf);
}

/* A file that is no result: heads and number of rows from the file itself. */
br_status bri_table_outside(const br_study *s, bri_arena *arena, const char *path, bri_table *t, br_err *err)
{
  br_table *in = NULL;
  memset(t, 0, sizeof *t);
  const br_table_options opt = outside_options();
  char unit[64];
  br_status st = br_table_load(path, &opt, &in, NULL, err);
  if (st) return st;
  t->outside = 1;
  t->file = t->name = path;
  t->rows = br_table_rows(in);
  int good = bri_table_room(arena, t, br_table_columns(in));
  for (size_t i = 0; i < t->ncol && good; i++)
    good = bri_table_head(arena, t, i, br_table_name(in, i),
                          si_text(br_table_unit_of(in, i), sizeof unit, unit));
  br_table_destroy(in);
  return good ? BR_OK : bri_study_no_memory(s, err);
}

/* ---- row by row ---- */

typedef void row_fn(void *ctx, const double *row);

static br_status each_row(const br_study *s, bri_arena *arena, const bri_table *t, row_fn *fn, void *ctx,
                          br_err *err)
{
  char path[BRI_STUDY_PATH];
  br_table_reader *reader = NULL;
  double *rows = bri_arena_get(arena, CHUNK * t->ncol * sizeof *rows);
  if (!rows) return bri_study_no_memory(s, err);
  if (!t->outside) bri_study_path(s, t->file, path);
  const br_table_options opt = outside_options();
  br_status st = br_table_reader_create(t->outside ? t->file : path, t->outside ? &opt : NULL, &reader, err);
  for (size_t done = 0; !st;) {
    size_t got = 0;
    st = br_table_reader_next(reader, CHUNK, rows, &got, err);
    if (st || got == 0 || done + got > t->rows) break;
    for (size_t k = 0; k < got; k++) fn(ctx, rows + k * t->ncol);
    done += got;
  }
  br_table_reader_destroy(reader);
  return st;
}

/* ---- a line: of every `bucket` rows the lowest and the highest stay, in their order ---- */

typedef struct {
  const bri_columns *c;
  double *x, *y;
  size_t n, bucket, k;
  double lo[2], hi[2];
  int lo_first;
} thinner;

/* Least and largest value since the last time, in their order. */
static void flush(thinner *t)
{
  const double *one = t->lo_first ? t->lo : t->hi, *two = t->lo_first ? t->hi : t->lo;
  t->x[t->n] = one[0], t->y[t->n++] = one[1];
  t->x[t->n] = two[0], t->y[t->n++] = two[1];
  t->k = 0;
}

static void thin(void *ctx, const double *row)
{
  thinner *t = ctx;
  const bri_columns *c = t->c;
  const double x = c->x0 + c->fx * row[c->x], y = c->fy * (row[c->y] - (c->minus >= 0 ? row[c->minus] : 0));
  if (t->bucket == 1) {
    t->x[t->n] = x;
    t->y[t->n++] = y;
    return;
  }
  if (t->k == 0) {
    t->lo[0] = t->hi[0] = x;
    t->lo[1] = t->hi[1] = y;
    t->lo_first = 1;
  }
  if (y < t->lo[1]) t->lo[0] = x, t->lo[1] = y, t->lo_first = 0;
  if (y > t->hi[1]) t->hi[0] = x, t->hi[1] = y, t->lo_first = 1;
  if (++t->k == t->bucket) flush(t);
}

br_status bri_columns_line(const br_study *s, bri_arena *arena, const bri_table *t, const bri_columns *c,
                           int all, br_plot_line *out, br_err *err)
{
  thinner k = {0};
  k.c = c;
  k.bucket = all || t->rows <= POINTS ? 1 : t->rows / (POINTS / 2) + 1;
  const size_t room = k.bucket == 1 ? t->rows : 2 * (t->rows / k.bucket + 1);
  k.x = bri_arena_get(arena, (room + 1) * sizeof *k.x);
  k.y = bri_arena_get(arena, (room + 1) * sizeof *k.y);
  if (!k.x || !k.y) return bri_study_no_memory(s, err);
  const br_status st = each_row(s, arena, t, thin, &k, err);
  if (k.k) flush(&k);
  out->x = k.x;
  out->y = k.y;
  out->n = k.n;
  return st;
}

/* ---- a map: three or four columns, all rows ---- */

typedef struct {
  const bri_columns *c;
  bri_map_data *out;
} taker;

static void take(void *ctx, const double *row)
{
  const taker *t = ctx;
  const bri_columns *c = t->c;
  bri_map_data *m = t->out;
  m->x[m->n] = c->x0 + c->fx * row[c->x];
  m->y[m->n] = c->fy * row[c->y];
  if (m->top) m->top[m->n] = c->fy * row[c->y + 1];
  m->value[m->n++] = row[c->value];
}

br_status bri_columns_map(const br_study *s, bri_arena *arena, const bri_table *t, const bri_columns *c,
                          bri_map_data *out, br_err *err)
{
  taker k = {c, out};
  double *room = bri_arena_get(arena, 4 * (t->rows + 1) * sizeof *room);
  if (!room) return bri_study_no_memory(s, err);
  const int strips = (size_t)c->y + 1 < t->ncol && bri_map_strips(t->names[c->y], t->names[c->y + 1]);
  *out = (bri_map_data){room, room + t->rows, room + 2 * t->rows, strips ? room + 3 * t->rows : NULL, 0};
  return each_row(s, arena, t, take, &k, err);
}
