/* SPDX-License-Identifier: Apache-2.0
 * file.c - signals from CSV files, read through the table room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/table.h"
#include "signal_internal.h"
#include "spec_file.h"

static br_status load(const char *path, br_table **table, br_table_report *report, br_err *err)
{
  br_table_options opt = br_table_options_default();
  opt.to_si = 1;
  return br_table_load(path, &opt, table, report, err);
}

/* Column by name, or by number counted from 1 when no name fits. */
static int find_column(const br_table *table, const char *name, br_err *err)
{
  const int j = br_table_find(table, name, err);
  if (j >= 0) return j;
  char *end = NULL;
  const long number = strtol(name, &end, 10);
  if (end != name && *end == '\0' && number >= 1 && (size_t)number <= br_table_columns(table))
    return (int)number - 1;
  return -1;
}

/* The two columns of a record: named by the user, or the time column and u, or the first other one. */
static br_status choose(const br_table *table, const br_table_report *report, char *names, int *jt, int *ju,
                        br_err *err)
{
  if (names) {
    char *comma = strchr(names, ',');
    *comma = '\0';
    *jt = find_column(table, names, err);
    if (*jt >= 0) *ju = find_column(table, comma + 1, err);
    return *jt < 0 || *ju < 0 ? BR_E_NAME : BR_OK;
  }
  *jt = report->time_column >= 0 ? report->time_column : 0;
  *ju = br_table_find(table, "u", NULL);
  if (*ju < 0 || *ju == *jt) *ju = *jt == 0 ? 1 : 0;
  return BR_OK;
}

static br_status from_table(const char *path, const br_table *table, const br_table_report *report,
                            char *names, br_signal_shape shape, br_signal **out, br_err *err)
{
  const size_t rows = br_table_rows(table);
  int jt = 0, ju = 0;
  if (rows == 0) return bri_text_fail(err, BR_E_PARSE, -1, "csv: '%s' has no rows", path);
  if (br_table_columns(table) == 1 && !names) { /* no time: a closed list of turning points */
    return br_signal_from_turning(rows, br_table_data(table, 0), 1.0, out, err);
  }
  br_status st = choose(table, report, names, &jt, &ju, err);
  if (st) return st;
  br_err why = {BR_OK, -1, ""};
  st = br_signal_from_samples(rows, br_table_data(table, (size_t)jt), br_table_data(table, (size_t)ju), shape,
                              0, out, &why);
  if (st) {
    return bri_text_fail(err, st, why.index, "csv: '%s', columns '%s' and '%s': %s (samples count from 0)",
                         path, br_table_name(table, (size_t)jt), br_table_name(table, (size_t)ju), why.msg);
  }
  return BR_OK;
}

/* Behind the last colon stand columns when there is exactly one comma and no slash: "run.csv:t,x". */
static const char *columns_of(const char *path)
{
  const char *colon = strrchr(path, ':'), *comma = colon ? strchr(colon, ',') : NULL;
  return comma && !strpbrk(colon, "/\\") && comma == strrchr(colon, ',') ? colon : NULL;
}

int bri_signal_reads_file(const br_signal_kind *kind) { return strstr(kind->grammar, ":FILE") != NULL; }

int bri_signal_file(const char *spec, size_t *from, size_t *n)
{
  const br_signal_kind *k = NULL;
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++) {
    const size_t name = strlen(k->name);
    if (!bri_signal_reads_file(k) || strncmp(spec, k->name, name) != 0 || spec[name] != ':') continue;
    const char *path = spec + name + 1, *end = strstr(k->grammar, "column") ? columns_of(path) : NULL;
    *from = name + 1;
    *n = end ? (size_t)(end - path) : strlen(path);
    return 1;
  }
  return 0;
}

br_status bri_signal_csv(const char *spec, br_signal_shape shape, br_signal **out, br_err *err)
{
  char *path = bri_malloc(strlen(spec) + 1);
  if (!path) return bri_text_fail(err, BR_E_NOMEM, -1, "csv: out of memory");
  memcpy(path, spec, strlen(spec) + 1);
  const char *colon = columns_of(path);
  char *names = colon ? path + (colon - path) + 1 : NULL;
  if (names) names[-1] = '\0';
  br_table *table = NULL;
  br_table_report report;
  br_status st = load(path, &table, &report, err);
  if (!st) st = from_table(path, table, &report, names, shape, out, err);
  br_table_destroy(table);
  bri_free(path);
  return st;
}

br_status bri_signal_multisine(const char *path, br_signal **out, br_err *err)
{
  static const char *const NAMES[3] = {"amplitude", "frequency", "phase"};
  br_table *table = NULL;
  br_table_report report;
  br_status st = load(path, &table, &report, err);
  int j[3] = {0, 1, 2};
  if (!st && br_table_columns(table) < 3) {
    st = bri_text_fail(err, BR_E_PARSE, -1,
                       "multisine: '%s' has %zu columns, expected amplitude, frequency_Hz, phase_rad", path,
                       br_table_columns(table));
  }
  for (int k = 0; !st && k < 3; k++) { /* by name; a file without header by position */
    const int found = br_table_find(table, NAMES[k], err);
    if (found >= 0) {
      j[k] = found;
    } else if (strcmp(br_table_name(table, (size_t)k), k == 0 ? "c1" : k == 1 ? "c2" : "c3") != 0) {
      st = BR_E_NAME;
    }
  }
  if (!st) {
    st = br_signal_from_sines(br_table_rows(table), br_table_data(table, (size_t)j[0]),
                              br_table_data(table, (size_t)j[1]), br_table_data(table, (size_t)j[2]), out,
                              err);
  }
  br_table_destroy(table);
  return st;
}
