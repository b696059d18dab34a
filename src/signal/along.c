/* SPDX-License-Identifier: Apache-2.0
 * along.c - a quantity along a position instead of time: a formula of u, points, a table of a file.  Held as
 * a signal whose "time" is u. */
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../expr/expr.h"
#include "../text/fail.h"
#include "bristle/table.h"
#include "bristle/unit.h"
#include "samples.h"
#include "signal_internal.h"

enum { CODE = 1024 };

static double jet(const br_signal *sig, double u, int order)
{
  double j[3];
  br_expr_jet(sig->code, sig->ncode, &u, 0, j);
  return j[order];
}

static double value(const br_signal *sig, double u) { return br_expr_value(sig->code, sig->ncode, &u); }
static double none(const br_signal *sig, double u) { return (void)sig, (void)u, NAN; }
static double no_corner(const br_signal *sig, double u) { return (void)sig, (void)u, INFINITY; }

/* At a corner of abs() and the like a formula has no slope: that beside it. */
static double slope(const br_signal *sig, double u, int side)
{
  const double at = jet(sig, u, 1), step = 1e-12 * fmax(fabs(u), 1e-6);
  return isnan(at) && !isnan(value(sig, u)) ? jet(sig, u + (side < 0 ? -step : step), 1) : at;
}

static double bend(const br_signal *sig, double u, int side) { return (void)side, jet(sig, u, 2); }

static const bri_signal_ops OPS = {value, slope, no_corner, none, none, bend};

static br_status formula(const char *text, br_signal **out, br_err *err)
{
  double code[CODE];
  size_t n = 0;
  br_status st = br_expr_compile(text, strlen(text), "u", CODE, code, &n, err);
  if (!st) st = bri_signal_new(&OPS, out, err);
  if (st) return st;
  (*out)->code = bri_malloc_array(n, sizeof *code);
  if (!(*out)->code)
    return br_signal_destroy(*out), *out = NULL, bri_fail(err, BR_E_NOMEM, "no memory for a formula");
  memcpy((*out)->code, code, n * sizeof *code);
  (*out)->ncode = n;
  return BR_OK;
}

/* Is column j a length or an angle, or without unit? */
static int is_position(const br_table *t, size_t j)
{
  const char *text = br_table_unit_of(t, j);
  br_unit unit, metre;
  if (!text[0] || br_unit_parse(text, strlen(text), &unit, NULL)) return !text[0];
  return !br_unit_parse("m", 1, &metre, NULL) && br_unit_fits(&metre, &unit, 1);
}

/* "FILE[:u,n]": the columns by name, or the first two. */
static br_status table(const char *text, br_signal_shape shape, const br_signal_need *need, br_signal **out,
                       br_err *err)
{
  br_table_options opt = br_table_options_default();
  br_table *t = NULL;
  char *file = NULL, *first = NULL, *second = NULL;
  int j[2] = {0, 1};
  opt.to_si = 1;
  opt.decimal = need->decimal;
  br_status st = bri_signal_split(text, &file, &first, &second, err);
  if (!st && strchr(file, '|'))
    st = bri_fail(err, BR_E_PARSE, "'%.60s': steps of a record go along time; a table of u has none", text);
  if (!st) st = br_table_load(file, &opt, &t, NULL, err);
  if (!st && br_table_columns(t) < 2)
    st = bri_fail(err, BR_E_PARSE, "'%.60s' has one column, expected position and factor", file);
  const char *const names[2] = {first, second};
  for (int k = 0; k < 2 && !st; k++)
    if (names[k] && (j[k] = br_table_find(t, names[k], err)) < 0) st = BR_E_NAME;
  if (!st && !is_position(t, (size_t)j[0]))
    st = bri_fail(err, BR_E_PARSE, "'%.60s': column '%s' is in %s, but a position needs m or rad", file,
                  br_table_name(t, (size_t)j[0]), br_table_unit_of(t, (size_t)j[0]));
  br_unit unit;
  const char *of = st ? "" : br_table_unit_of(t, (size_t)j[1]);
  if (!st && of[0] && !br_unit_parse(of, strlen(of), &unit, NULL))
    st = bri_signal_fits(need, 0, &unit, "the second column", err);
  if (!st)
    st = br_signal_from_samples(br_table_rows(t), br_table_data(t, (size_t)j[0]),
                                br_table_data(t, (size_t)j[1]), shape, 0, out, err);
  br_table_destroy(t);
  bri_free(file);
  return st;
}

br_status bri_signal_along(const char *spec, const br_signal_need *need, br_signal **out, br_err *err)
{
  br_status st;
  br_signal_need own = *need;
  *out = NULL;
  if (strncmp(spec, "expr:", 5) == 0) st = formula(spec + 5, out, err);
  else if (strncmp(spec, "csv:", 4) == 0) st = table(spec + 4, BR_SIGNAL_LINEAR, need, out, err);
  else if (strncmp(spec, "smooth:", 7) == 0) st = table(spec + 7, BR_SIGNAL_PCHIP, need, out, err);
  else if (strncmp(spec, "pwl:", 4) == 0) own.along = 1, st = br_signal_parse_for(spec, &own, out, err);
  else
    return bri_fail(err, BR_E_PARSE,
                    "'u:%.40s': along a position a quantity is expr:FORMULA of u, pwl:u1,n1,u2,n2,..., "
                    "csv:FILE[:u,n] or smooth:FILE[:u,n]",
                    spec);
  if (!st) (*out)->along = 1;
  return st;
}

int bri_signal_is_along(const br_signal *sig) { return sig && sig->along; }
