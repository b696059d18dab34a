/* SPDX-License-Identifier: Apache-2.0
 * file.c - signals from files: records, and lists of sines. */
#include <string.h>

#include "../base/alloc.h"
#include "../text/buf.h"
#include "../text/fail.h"
#include "bristle/record.h"
#include "bristle/table.h"
#include "signal_internal.h"
#include "spec_file.h"

static br_status load(const char *path, br_table **table, br_table_report *report, br_err *err)
{
  br_table_options opt = br_table_options_default();
  opt.to_si = 1;
  return br_table_load(path, &opt, table, report, err);
}

/* ---- the text: FILE[:time,value][|steps] ---- */

/* Behind the last colon of the file's part stand columns: with exactly one comma and no slash
 * ("run.csv:t,x"), or a single name that cannot be the end of a file's name ("run.csv:x").  NULL: there are
 * none.  end: where steps begin. */
static const char *columns_of(const char *path, const char **end)
{
  const char *stop = path + strcspn(path, "|"), *colon = NULL, *comma = NULL;
  size_t commas = 0;
  for (const char *p = path; p < stop; p++)
    if (*p == ':') colon = p;
  *end = stop;
  if (!colon || colon + 1 == stop) return NULL;
  for (const char *p = colon; p < stop; p++) {
    if (*p == '/' || *p == '\\') return NULL;
    if (*p == ',') comma = p, commas++;
  }
  if (commas > 1 || (!comma && memchr(colon, '.', (size_t)(stop - colon)))) return NULL;
  return colon;
}

/* A record's text, split in place: file and steps as one text, columns apart. */
typedef struct {
  char *text, *file; /* file: "run.csv|steps" */
  const char *time, *value;
} split;

static br_status split_text(const char *spec, split *s, br_err *err)
{
  const size_t n = strlen(spec);
  const char *end = NULL, *colon = columns_of(spec, &end);
  const size_t name = colon ? (size_t)(colon - spec) : (size_t)(end - spec), steps = strlen(end);
  memset(s, 0, sizeof *s);
  s->text = bri_malloc(2 * n + 3);
  if (!s->text) return bri_no_memory(err, "csv");
  s->file = s->text;
  memcpy(s->file, spec, name);
  memcpy(s->file + name, end, steps + 1);
  if (!colon) return BR_OK;
  char *names = s->text + n + 1;
  memcpy(names, colon + 1, (size_t)(end - colon) - 1);
  names[end - colon - 1] = '\0';
  char *comma = strchr(names, ',');
  if (comma) *comma = '\0', s->time = names;
  s->value = comma ? comma + 1 : names;
  return BR_OK;
}

br_status bri_signal_split(const char *spec, char **file, char **first, char **second, br_err *err)
{
  split s;
  const br_status st = split_text(spec, &s, err);
  *file = s.text, *first = (char *)s.time, *second = (char *)s.value;
  if (!st && s.value && !s.time)
    return bri_fail(err, BR_E_PARSE, "'%.60s': expected two columns, position and factor", spec);
  return st;
}

/* ---- the record ---- */

/* The row of what is needed: that of the role with its unit, so that usual names help. */
static br_channel channel_for(const br_signal_need *need, const char *column)
{
  br_channel ch = {.what = "the value", .names = "u", .column = column};
  br_unit wanted, unit;
  if (need && need->what) ch.what = need->what;
  if (!need || !need->unit) return ch;
  ch.unit = need->unit, ch.rotary = need->rotary;
  if (br_unit_parse(need->unit, strlen(need->unit), &wanted, NULL)) return ch;
  for (int role = BR_ROLE_POSITION; role < BR_ROLE_LOAD; role++) {
    const br_channel usual = br_channel_of((br_role)role);
    if (!br_unit_parse(usual.unit, strlen(usual.unit), &unit, NULL) && br_unit_fits(&unit, &wanted, 1))
      ch.names = usual.names;
  }
  return ch;
}

static br_status keep_notes(br_signal *sig, const br_record *record, const char *file, br_err *err)
{
  bri_buf b = {0};
  const double *t = br_record_data(record, 0);
  const size_t rows = br_record_rows(record);
  bri_buf_printf(&b, "%.*s: %zu rows", bri_text_width(strcspn(file, "|")), file, rows);
  if (br_record_timed(record)) bri_buf_printf(&b, ", %.6g to %.6g s", t[0], t[rows - 1]);
  bri_buf_add(&b, "", 1);
  for (size_t i = 0; br_record_note(record, i); i++)
    bri_buf_add(&b, br_record_note(record, i), strlen(br_record_note(record, i)) + 1);
  bri_buf_add(&b, "", 1);
  if (b.failed) {
    bri_buf_free(&b);
    return bri_no_memory(err, "csv");
  }
  sig->notes = b.text;
  return BR_OK;
}

/* channel: which of the record becomes the signal. */
static br_status from_record(const br_record *record, size_t channel, const char *file, br_signal_shape shape,
                             br_signal **out, br_err *err)
{
  const size_t rows = br_record_rows(record);
  const double *t = br_record_data(record, 0), *u = br_record_data(record, channel);
  br_err why = {BR_OK, -1, ""};
  br_signal *sig = NULL;
  br_status st =
      br_record_columns(record) == 1 && !br_record_timed(record) /* a closed list of turning points */
          ? br_signal_from_turning(rows, u, 1.0, &sig, &why)
          : br_signal_from_samples(rows, t, u, shape, 0, &sig, &why);
  if (st)
    return bri_text_fail(err, st, why.index, "csv: '%.*s', column '%s': %s",
                         bri_text_width(strcspn(file, "|")), file, br_record_name(record, channel), why.msg);
  sig->timeless = !br_record_timed(record) && !(sig->period > 0);
  st = keep_notes(sig, record, file, err);
  if (st) br_signal_destroy(sig);
  else *out = sig;
  return st;
}

/* The last of n channels (time, the motion, what was measured beside it) becomes the signal. */
static br_status load_record(const char *spec, const br_signal_need *motion, const br_signal_need *beside,
                             const char *column, br_signal_shape shape, br_signal **out, br_err *err)
{
  split s;
  br_record *record = NULL;
  br_status st = split_text(spec, &s, err);
  if (st) return st;
  const size_t n = beside ? 3 : 2;
  br_channel ch[3] = {br_channel_of(BR_ROLE_TIME), channel_for(motion, s.value), channel_for(beside, column)};
  br_record_options opt = br_record_options_default();
  ch[0].column = s.time;
  ch[0].optional = 1;
  opt.decimal = motion ? motion->decimal : 0;
  opt.main = 1;
  st = br_record_load(s.file, ch, n, &opt, &record, err);
  if (!st) st = from_record(record, n - 1, s.file, shape, out, err);
  br_record_destroy(record);
  bri_free(s.text);
  return st;
}

br_status bri_signal_csv(const char *spec, br_signal_shape shape, const br_signal_need *need, br_signal **out,
                         br_err *err)
{
  return load_record(spec, need, NULL, NULL, shape, out, err);
}

/* Behind the kind: "csv:run.csv" gives "run.csv"; NULL: it is no record. */
static const char *record_of(const char *spec)
{
  if (strncmp(spec, "csv:", 4) == 0) return spec + 4;
  return strncmp(spec, "smooth:", 7) == 0 ? spec + 7 : NULL;
}

br_status br_signal_beside(const char *spec, const br_signal_need *motion, const char *text,
                           const br_signal_need *need, br_signal **out, br_err *err)
{
  static const br_signal_need ANY = {0};
  if (!spec || !text || !out) return bri_fail(err, BR_E_ARG, "br_signal_beside: NULL argument");
  *out = NULL;
  const char *rest = record_of(spec);
  if (record_of(text)) return br_signal_parse_for(text, need, out, err);
  if (!rest && strpbrk(text, "./"))
    return bri_fail(err, BR_E_ARG, "'%.60s' names a column: of a file write csv:%.60s:t,COLUMN", text, text);
  if (!rest)
    return bri_fail(err, BR_E_ARG,
                    "'%.60s' names a column, but the motion '%.40s' is no record: write csv:FILE:t,%.40s",
                    text, spec, text);
  return load_record(rest, motion, need ? need : &ANY, strcmp(text, "auto") == 0 ? NULL : text,
                     BR_SIGNAL_LINEAR, out, err);
}

/* Does this kind read a file?  Its grammar says so: "kind:FILE". */
static int reads_file(const br_signal_kind *kind) { return strstr(kind->grammar, ":FILE") != NULL; }

static int file_in(const char *spec, size_t *from, size_t *n)
{
  const br_signal_kind *k = NULL;
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++) {
    const size_t name = strlen(k->name);
    if (!reads_file(k) || strncmp(spec, k->name, name) != 0 || spec[name] != ':') continue;
    const char *path = spec + name + 1, *end = path + strlen(path), *colon = NULL;
    if (strstr(k->grammar, "column")) colon = columns_of(path, &end);
    *from = name + 1;
    *n = (size_t)((colon ? colon : end) - path);
    return 1;
  }
  return 0;
}

int bri_signal_file(const char *spec, size_t *from, size_t *n)
{
  static const char NAME[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  const size_t name = strspn(spec, NAME);
  if (file_in(spec, from, n)) return 1;
  if (!name || spec[name] != ':' || !bri_signal_file(spec + name + 1, from, n)) return 0; /* "x:v:csv:FILE" */
  *from += name + 1;
  return 1;
}

const char *bri_signal_title(const char *spec, size_t *n)
{
  size_t from = 0, k = 0;
  *n = strlen(spec);
  if (!bri_signal_file(spec, &from, &k)) return spec;
  const char *name = spec + from, *end = name + k;
  for (const char *p = name; p < end; p++)
    if ((*p == '/' || *p == '\\') && p + 1 < end) name = p + 1;
  *n = (size_t)(end - name);
  return name;
}

br_status bri_signal_multisine(const char *path, const br_signal_need *need, br_signal **out, br_err *err)
{
  static const char *const NAMES[3] = {"amplitude", "frequency", "phase"};
  br_table *table = NULL;
  br_table_report report;
  br_status st = load(path, &table, &report, err);
  int j[3] = {0, 1, 2};
  if (!st && br_table_columns(table) < 3)
    st = bri_fail(err, BR_E_PARSE,
                  "multisine: '%s' has %zu columns, expected amplitude, frequency_Hz, phase_rad", path,
                  br_table_columns(table));
  for (int k = 0; !st && k < 3; k++) { /* by name; a file without header by position */
    const int found = br_table_find(table, NAMES[k], err);
    if (found >= 0) {
      j[k] = found;
    } else if (strcmp(br_table_name(table, (size_t)k), k == 0 ? "c1" : k == 1 ? "c2" : "c3") != 0) {
      st = BR_E_NAME;
    }
  }
  const char *unit = st ? "" : br_table_unit_of(table, (size_t)j[0]);
  br_unit of_column;
  if (!st && unit[0] && !br_unit_parse(unit, strlen(unit), &of_column, NULL))
    st = bri_signal_fits(need, 0, &of_column, "multisine: column 'amplitude'", err);
  if (!st)
    st = br_signal_from_sines(br_table_rows(table), br_table_data(table, (size_t)j[0]),
                              br_table_data(table, (size_t)j[1]), br_table_data(table, (size_t)j[2]), out,
                              err);
  br_table_destroy(table);
  return st;
}
