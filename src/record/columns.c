/* SPDX-License-Identifier: Apache-2.0
 * columns.c - which column is the time, which the position: by what the caller says, by unit, by usual name.
 * */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/text.h"
#include "record.h"
#include "text/buf.h"

static const br_channel ROLES[BR_ROLES] = {
    {"time", "s", 0, "t|time|zeit|timestamp|seconds|sec", NULL, 0},
    {"position", "m", 1, "x|u|position|pos|displacement|disp|theta|angle|q", NULL, 0},
    {"velocity", "m/s", 1, "v|velocity|vel|speed|omega|dx", NULL, 0},
    {"acceleration", "m/s^2", 1, "a|acc|acceleration|accel", NULL, 0},
    {"force", "N", 1, "F|force|friction|torque|tau|M", NULL, 0},
    {"load", "N", 1, "N|load|normal|Fn|normal_force|normal_load|preload", NULL, 0},
};

br_channel br_channel_of(br_role role) { return ROLES[role < BR_ROLES ? role : BR_ROLE_TIME]; }

/* What a column says about itself. */
typedef struct {
  enum { PLAIN, KNOWN, FOREIGN, TEXT } kind; /* no unit; a unit; one that cannot be converted; words */
  br_unit unit;
  int taken;
} column;

typedef struct {
  const br_table *table;
  const char *label;
  const br_channel *channels;
  size_t n, ncol;
  column *columns;
  int *index;
  void (*note)(void *ctx, const char *text);
  void *ctx;
  br_err *err;
} choice;

static const char *name_of(const choice *c, size_t j) { return br_table_name(c->table, j); }

static void judge(const choice *c, size_t j)
{
  column *col = &c->columns[j];
  const char *unit = br_table_unit_of(c->table, j);
  br_table_mark mark;
  col->kind = !unit[0] ? PLAIN : br_unit_parse(unit, strlen(unit), &col->unit, NULL) ? FOREIGN : KNOWN;
  /* a few words among numbers are a fault of the file, and told where the column is used */
  if (br_table_text_of(c->table, j, &mark) && 2 * mark.count > br_table_rows(c->table)) col->kind = TEXT;
}

static int same_letters(const char *a, const char *b, size_t n, int any_case)
{
  if (strlen(a) != n) return 0;
  for (size_t i = 0; i < n; i++) {
    const char p = a[i], q = b[i];
    const int letters = (p | 32) == (q | 32) && (p | 32) >= 'a' && (p | 32) <= 'z';
    if (p != q && !(any_case && letters)) return 0;
  }
  return 1;
}

/* Rank of a column's name among the usual ones, 0 the best; -1: it is none. */
static int usual(const br_channel *ch, const char *name)
{
  int rank = 0, loose = -1;
  for (const char *s = ch->names ? ch->names : ""; *s; rank++) {
    const size_t n = strcspn(s, "|");
    if (same_letters(name, s, n, 0)) return rank;
    if (loose < 0 && same_letters(name, s, n, 1)) loose = rank;
    s += n + (s[n] == '|');
  }
  return loose;
}

static int fits(const br_channel *ch, const column *col)
{
  br_unit needed;
  if (!ch->unit || col->kind != KNOWN) return col->kind == KNOWN || col->kind == FOREIGN;
  if (br_unit_parse(ch->unit, strlen(ch->unit), &needed, NULL)) return 0;
  return br_unit_fits(&needed, &col->unit, ch->rotary);
}

/* "t [s], x [mm]": all columns, or those that fit. */
static void list(const choice *c, const br_channel *only, bri_buf *b)
{
  size_t shown = 0;
  for (size_t j = 0; j < c->ncol; j++) {
    const char *unit = br_table_unit_of(c->table, j);
    if (only && (c->columns[j].kind != KNOWN || !fits(only, &c->columns[j]))) continue;
    if (shown++ == 8) {
      bri_buf_text(b, ", ...");
      return;
    }
    bri_buf_printf(b, "%s%.24s%s%.12s%s", shown > 1 ? ", " : "", name_of(c, j), unit[0] ? " [" : "", unit,
                   unit[0]                      ? "]"
                   : c->columns[j].kind == TEXT ? " (text)"
                                                : "");
  }
}

static br_status refuse(const choice *c, br_status code, bri_buf *b)
{
  const br_status st =
      b->failed ? bri_no_memory(c->err, c->label) : bri_fail(c->err, code, "%.60s: %s", c->label, b->text);
  bri_buf_free(b);
  return st;
}

static br_status no_column(const choice *c, const char *name)
{
  bri_buf b = {0};
  const char *near = NULL;
  for (size_t j = 0; j < c->ncol; j++) {
    const char *pair[2] = {near ? near : name_of(c, j), name_of(c, j)};
    near = br_nearest_name(name, pair, 2);
  }
  bri_buf_printf(&b, "no column '%.40s'", name);
  if (near) bri_buf_printf(&b, ", did you mean '%.40s'?", near);
  bri_buf_text(&b, "; it has ");
  list(c, NULL, &b);
  return refuse(c, BR_E_NAME, &b);
}

/* A column that cannot serve, and those that can. */
static br_status wrong_unit(const choice *c, const br_channel *ch, size_t j)
{
  bri_buf b = {0}, good = {0};
  char dim[48];
  const column *col = &c->columns[j];
  bri_buf_printf(&b, "column '%.30s' is in %.20s", name_of(c, j), br_table_unit_of(c->table, j));
  if (col->kind == KNOWN) bri_buf_printf(&b, " (%s)", br_unit_text(&col->unit, sizeof dim, dim));
  else bri_buf_text(&b, ", which cannot be converted");
  bri_buf_printf(&b, ", but %s needs %s%s; ", ch->what, ch->unit ? ch->unit : "a known unit",
                 ch->rotary ? " (or its like of rotation)" : "");
  list(c, ch, &good);
  if (good.used) bri_buf_printf(&b, "that fits: %s", good.text);
  else list(c, NULL, (bri_buf_text(&b, "none fits of "), &b));
  b.failed |= good.failed;
  bri_buf_free(&good);
  return refuse(c, BR_E_PARSE, &b);
}

static void say(const choice *c, const br_channel *ch, size_t j, const char *why)
{
  char text[200];
  const char *unit = br_table_unit_of(c->table, j);
  if (!c->note) return;
  if (unit[0])
    (void)snprintf(text, sizeof text, "%s: column '%.40s' in %.20s%s", ch->what, name_of(c, j), unit, why);
  else
    (void)snprintf(text, sizeof text, "%s: column '%.40s', no unit, taken as %s%s", ch->what, name_of(c, j),
                   ch->unit ? ch->unit : "it is", why);
  c->note(c->ctx, text);
}

static br_status take(const choice *c, size_t k, size_t j, const char *why)
{
  br_table_mark mark;
  const char *sample = br_table_text_of(c->table, j, &mark);
  if (sample)
    return bri_text_fail(c->err, BR_E_PARSE, (int)j,
                         "%.60s:%zu: column '%.40s': '%s' is not a number (%zu such)", c->label, mark.line,
                         name_of(c, j), sample, mark.count);
  c->index[k] = (int)j;
  c->columns[j].taken = 1;
  say(c, &c->channels[k], j, why);
  return BR_OK;
}

/* "x" for a heading that says its unit twice, "x_mm [mm]". */
static int twice(const choice *c, const char *wanted)
{
  const size_t n = strlen(wanted);
  for (size_t j = 0; j < c->ncol; j++) {
    const char *name = name_of(c, j), *unit = br_table_unit_of(c->table, j);
    if (unit[0] && strncmp(name, wanted, n) == 0 && name[n] == '_' && strcmp(name + n + 1, unit) == 0)
      return (int)j;
  }
  return -1;
}

/* By name, by name with unit, by number. */
static br_status take_named(const choice *c, size_t k)
{
  const br_channel *ch = &c->channels[k];
  int j = br_table_find(c->table, ch->column, NULL);
  char *end = NULL;
  const long number = j < 0 ? strtol(ch->column, &end, 10) : 0;
  if (j < 0 && end != ch->column && !*end && number >= 1 && (size_t)number <= c->ncol) j = (int)number - 1;
  if (j < 0) j = twice(c, ch->column);
  if (j < 0) return no_column(c, ch->column);
  const column *col = &c->columns[j];
  if (col->kind == FOREIGN ? ch->unit != NULL : col->kind == KNOWN && !fits(ch, col))
    return wrong_unit(c, ch, (size_t)j);
  return take(c, k, (size_t)j, "");
}

/* Does time go on in it?  For files whose first column nobody has named. */
static int increasing(const choice *c, size_t j)
{
  const double *x = br_table_data(c->table, j);
  const size_t rows = br_table_rows(c->table);
  for (size_t i = 1; i < rows; i++)
    if (!(x[i] > x[i - 1])) return 0;
  return rows > 1;
}

/* A name that means something else than time. */
static int means_other(const choice *c, size_t j)
{
  for (size_t k = 1; k < c->n; k++)
    if (usual(&c->channels[k], name_of(c, j)) >= 0) return 1;
  for (int role = BR_ROLE_POSITION; role < BR_ROLES; role++)
    if (usual(&ROLES[role], name_of(c, j)) >= 0) return 1;
  return 0;
}

/* Of the columns that are free and of a kind: the one with the best usual name; -1 none, and how many there
 * are. */
static int best_of(const choice *c, const br_channel *ch, int plain, size_t *count, int *only)
{
  int best = -1, best_rank = -1;
  *count = 0;
  for (size_t j = 0; j < c->ncol; j++) {
    const column *col = &c->columns[j];
    if (col->taken || (plain ? col->kind != PLAIN : col->kind != KNOWN || !fits(ch, col))) continue;
    const int rank = usual(ch, name_of(c, j));
    if ((*count)++ == 0) *only = (int)j;
    if (rank >= 0 && (best_rank < 0 || rank < best_rank)) best = (int)j, best_rank = rank;
  }
  return best;
}

/* Another channel wants the same unit: the unit alone does not tell them apart. */
static int shares_unit(const choice *c, size_t k)
{
  const char *unit = c->channels[k].unit;
  for (size_t i = 0; i < c->n; i++)
    if (i != k && unit && c->channels[i].unit && strcmp(unit, c->channels[i].unit) == 0) return 1;
  return 0;
}

static br_status ambiguous(const choice *c, const br_channel *ch)
{
  bri_buf b = {0};
  bri_buf_printf(&b, "several columns fit %s: ", ch->what);
  list(c, ch, &b);
  bri_buf_text(&b, "; name one");
  return refuse(c, BR_E_NAME, &b);
}

static br_status none_fits(const choice *c, const br_channel *ch)
{
  bri_buf b = {0};
  bri_buf_printf(&b, "no column fits %s, which needs %s: it has ", ch->what, ch->unit ? ch->unit : "numbers");
  list(c, NULL, &b);
  return refuse(c, BR_E_PARSE, &b);
}

static br_status choose(const choice *c, size_t k)
{
  const br_channel *ch = &c->channels[k];
  size_t known = 0, plain = 0;
  int first_known = -1, first_plain = -1;
  const int by_unit = best_of(c, ch, 0, &known, &first_known),
            by_name = best_of(c, ch, 1, &plain, &first_plain);
  if (ch->unit && by_unit >= 0) return take(c, k, (size_t)by_unit, "");
  if (ch->unit && known == 1 && !(ch->optional && shares_unit(c, k)))
    return take(c, k, (size_t)first_known, "");
  if (by_name >= 0) return take(c, k, (size_t)by_name, "");
  if (!ch->unit && by_unit >= 0) return take(c, k, (size_t)by_unit, "");
  if (k == 0 && c->ncol > 1 && first_plain == 0 && increasing(c, 0) && !means_other(c, 0))
    return take(c, k, 0, ": the first column, which increases");
  if (ch->optional || k == 0) {
    if (k == 0 && !ch->optional) return none_fits(c, ch);
    return BR_OK;
  }
  if (ch->unit && known > 1) return ambiguous(c, ch);
  if (plain == 1) return take(c, k, (size_t)first_plain, "");
  if (plain > 1)
    return take(c, k, (size_t)first_plain, ": the first of several, name another where that is wrong");
  if (!ch->unit && known) return take(c, k, (size_t)first_known, known > 1 ? ": the first of several" : "");
  return none_fits(c, ch);
}

br_status br_columns_choose(const br_table *table, const char *label, const br_channel *channels, size_t n,
                            int *index, void (*note)(void *ctx, const char *text), void *ctx, br_err *err)
{
  if (!table || !channels || !index || !label)
    return bri_fail(err, BR_E_ARG, "br_columns_choose: NULL argument");
  choice c = {table, label, channels, n, br_table_columns(table), NULL, index, note, ctx, err};
  br_status st = BR_OK;
  c.columns = bri_calloc(c.ncol + 1, sizeof *c.columns);
  if (!c.columns) return bri_no_memory(err, label);
  for (size_t j = 0; j < c.ncol; j++) judge(&c, j);
  for (size_t k = 0; k < n; k++) index[k] = -1;
  for (size_t k = 0; k < n && !st; k++)
    if (channels[k].column && channels[k].column[0] && strcmp(channels[k].column, "-") != 0)
      st = take_named(&c, k);
  for (size_t k = 0; k < n && !st; k++)
    if (!channels[k].column || !channels[k].column[0]) st = choose(&c, k);
  bri_free(c.columns);
  return st;
}
