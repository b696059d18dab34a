/* SPDX-License-Identifier: Apache-2.0
 * load.c - from a file and its steps to columns of numbers in SI. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "record.h"

enum { NOTE = 240 };

br_record_options br_record_options_default(void)
{
  const br_record_options o = {0};
  return o;
}

static br_status no_memory(const br_record *r, br_err *err)
{
  return bri_fail(err, BR_E_NOMEM, "%.80s: out of memory", r->label ? r->label : "record");
}

void bri_record_note(br_record *r, const char *fmt, ...)
{
  char text[NOTE];
  va_list ap;
  va_start(ap, fmt);
  const int w = vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  char **list = bri_grown(r->notes, r->nnotes, &r->room, sizeof *list);
  if (list) r->notes = list;
  char *line = list && w >= 0 ? bri_copy(text) : NULL;
  if (line) r->notes[r->nnotes++] = line;
  else r->failed = 1;
}

static void note(void *ctx, const char *text) { bri_record_note(ctx, "%s", text); }

/* The chosen columns, copied and in SI.  Without time the rows are counted. */
static br_status take_columns(br_record *r, const br_table *table, const br_channel *channels,
                              const int *index, br_err *err)
{
  r->rows = br_table_rows(table);
  r->columns = br_table_columns(table);
  r->timed = index[0] >= 0;
  for (size_t k = 0; k < r->n; k++) {
    bri_channel *ch = &r->ch[k];
    const size_t j = index[k] < 0 ? 0 : (size_t)index[k];
    const double *x = br_table_data(table, j);
    const char *unit = index[k] < 0 ? "" : br_table_unit_of(table, j);
    br_unit written = {1.0, {0}};
    ch->what = channels[k].what ? channels[k].what : "value";
    ch->rotary = channels[k].rotary;
    if (channels[k].unit && br_unit_parse(channels[k].unit, strlen(channels[k].unit), &ch->needed, err))
      return BR_E_ARG;
    if (index[k] < 0 && k > 0) continue;
    const int known = unit[0] && !br_unit_parse(unit, strlen(unit), &written, NULL);
    if (!channels[k].unit) ch->needed = written, ch->needed.factor = 1;
    ch->name = bri_copy(index[k] < 0 ? "row" : br_table_name(table, j));
    ch->unit = bri_copy(unit);
    ch->x = bri_malloc_array(r->rows + 1, sizeof *ch->x);
    if (!ch->name || !ch->unit || !ch->x) return no_memory(r, err);
    for (size_t i = 0; i < r->rows; i++)
      ch->x[i] = index[k] < 0 ? (double)i : known ? br_unit_to_si(&written, x[i]) : x[i];
  }
  return BR_OK;
}

static void say_form(br_record *r, const br_table_report *report)
{
  if (report->decimal == ',')
    bri_record_note(r, "decimal comma%s",
                    report->separator == ';' ? ", columns separated by semicolons" : "");
  else if (report->separator == ';') bri_record_note(r, "columns separated by semicolons");
}

static br_status fill(br_record *r, const char *bytes, size_t size, const char *steps,
                      const br_channel *channels, const br_record_options *opt, br_err *err)
{
  br_table_options o = br_table_options_default();
  br_table_report report;
  br_table *table = NULL;
  int index[BR_RECORD_CHANNELS];
  o.decimal = opt->decimal;
  o.text_as_gap = 1;
  r->gap_limit = opt->gap_limit;
  r->main = opt->main < r->n ? opt->main : 0;
  br_status st = bytes ? br_table_load_memory(bytes, size, r->label, &o, &table, &report, err)
                       : br_table_load(r->label, &o, &table, &report, err);
  if (!st && br_table_rows(table) == 0) st = bri_fail(err, BR_E_PARSE, "'%.80s' has no rows", r->label);
  if (!st) say_form(r, &report);
  if (!st) st = br_columns_choose(table, r->label, channels, r->n, index, note, r, err);
  if (!st) st = take_columns(r, table, channels, index, err);
  r->table = table;
  if (!st && !r->timed) bri_record_note(r, "no time: rows in their order, a path");
  if (!st) st = bri_record_walk(r, steps, err);
  r->table = NULL;
  br_table_destroy(table);
  return !st && r->failed ? no_memory(r, err) : st;
}

static br_status load(const char *bytes, size_t size, const char *text, const br_channel *channels, size_t n,
                      const br_record_options *opt, br_record **out, br_err *err)
{
  const br_record_options defaults = br_record_options_default();
  if (!out) return bri_fail(err, BR_E_ARG, "br_record_load: NULL argument");
  *out = NULL;
  if (!text || !channels || n == 0 || n > BR_RECORD_CHANNELS)
    return bri_fail(err, BR_E_ARG, "br_record_load: no file, or not 1 to %d channels", BR_RECORD_CHANNELS);
  if (!opt) opt = &defaults;
  const char *bar = opt->no_steps ? NULL : strchr(text, '|');
  br_record *r = bri_calloc(1, sizeof *r);
  if (!r) return bri_no_memory(err, "record");
  r->n = n;
  r->label = bri_copy_n(text, bar ? (size_t)(bar - text) : strlen(text));
  const br_status st =
      r->label ? fill(r, bytes, size, bar ? bar + 1 : NULL, channels, opt, err) : no_memory(r, err);
  if (st) {
    br_record_destroy(r);
    return st;
  }
  for (size_t k = 0; k < n; k++) r->ch[k].what = NULL; /* the caller's: not kept */
  *out = r;
  return BR_OK;
}

br_status br_record_load(const char *text, const br_channel *channels, size_t n, const br_record_options *opt,
                         br_record **out, br_err *err)
{
  return load(NULL, 0, text, channels, n, opt, out, err);
}

br_status br_record_load_memory(const char *bytes, size_t size, const char *name, const br_channel *channels,
                                size_t n, const br_record_options *opt, br_record **out, br_err *err)
{
  return load(bytes ? bytes : "", bytes ? size : 0, name ? name : "memory", channels, n, opt, out, err);
}

void br_record_destroy(br_record *r)
{
  if (!r) return;
  for (size_t k = 0; k < r->n; k++) bri_free(r->ch[k].name), bri_free(r->ch[k].unit), bri_free(r->ch[k].x);
  for (size_t i = 0; i < r->nnotes; i++) bri_free(r->notes[i]);
  bri_free(r->notes);
  bri_free(r->label);
  bri_free(r);
}

size_t br_record_rows(const br_record *r) { return r ? r->rows : 0; }
size_t br_record_columns(const br_record *r) { return r ? r->columns : 0; }
int br_record_timed(const br_record *r) { return r && r->timed; }
double br_record_dt(const br_record *r) { return r && r->timed ? r->dt : 0; }

const double *br_record_data(const br_record *r, size_t channel)
{
  return r && channel < r->n ? r->ch[channel].x : NULL;
}

const char *br_record_name(const br_record *r, size_t channel)
{
  return r && channel < r->n ? r->ch[channel].name : NULL;
}

const char *br_record_unit(const br_record *r, size_t channel)
{
  return r && channel < r->n ? r->ch[channel].unit : NULL;
}

const char *br_record_note(const br_record *r, size_t i) { return r && i < r->nnotes ? r->notes[i] : NULL; }
