/* SPDX-License-Identifier: Apache-2.0
 * design.c - the members of an ensemble: grids, lists, files and drawn samples, and every combination of
 * them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "bristle/table.h"
#include "bristle/text.h"
#include "sweep.h"
#include "text/fail.h"

static const double MOST_MEMBERS = 1e15;

static br_status wrong(const br_job *job, const char *option, const char *name, const char *value,
                       const char *expected, br_err *err)
{
  return bri_fail(err, BR_E_PARSE, "%s%s %.60s=%.80s: %s", br_job_dash(job), option, name, value, expected);
}

/* ---- names ---- */

/* "init.z", "input.Fe.A", "input.2", or a parameter or state. */
static br_status add_axis(const br_job *job, bri_design *d, const char *option, const char *name,
                          bri_axis **out, br_err *err)
{
  if (d->naxis == BRI_SWEEP_AXES)
    return bri_fail(err, BR_E_SIZE, "%s%s: more than %d swept numbers", br_job_dash(job), option,
                    BRI_SWEEP_AXES);
  if (!name[0] || strlen(name) >= BRI_SWEEP_NAME - 8)
    return bri_fail(err, BR_E_NAME, "%s%s: '%.60s' is no name of a number", br_job_dash(job), option, name);
  for (size_t i = 0; i < d->naxis; i++)
    if (strcmp(d->axis[i].name, name) == 0)
      return bri_fail(err, BR_E_ARG, "%s%s: '%.60s' is swept twice", br_job_dash(job), option, name);
  bri_axis *a = *out = &d->axis[d->naxis++];
  memset(a, 0, sizeof *a);
  (void)snprintf(a->name, sizeof a->name, "%s", name);
  a->unit = "1";
  const char *rest = name;
  if (strncmp(name, "init.", 5) == 0) a->of = BRI_SWEPT_INIT, rest = name + 5;
  if (strncmp(name, "set.", 4) == 0) rest = name + 4;
  if (strncmp(name, "input.", 6) == 0) {
    const char *dot = strrchr(name, '.');
    a->of = BRI_SWEPT_INPUT, rest = name + 6;
    (void)snprintf(a->number, sizeof a->number, "%s", dot + 1);
    (void)snprintf(a->target, sizeof a->target, "%.*s", dot > rest ? (int)(dot - rest) : 0, rest);
    return BR_OK;
  }
  (void)snprintf(a->target, sizeof a->target, "%s", rest);
  return BR_OK;
}

/* n characters as a number in SI; a unit must be the same in all numbers of an axis. */
static int read_number(bri_axis *a, const char *s, size_t n, double *x)
{
  br_unit unit;
  int has = 0;
  while (n && s[0] == ' ') s++, n--;
  if (!n || br_quantity_parse(s, n, x, &unit, &has, NULL)) return 0;
  if (has && a->has_unit && !br_unit_same(&unit, &a->written)) return 0;
  if (has) a->written = unit, a->has_unit = 1;
  return 1;
}

/* ---- "NAME=VALUE,NAME=VALUE": a piece without '=' belongs to the value before it ---- */

typedef struct {
  char name[BRI_SWEEP_NAME];
  const char *value;
  size_t length;
} pair;

/* The next one; 0: there is none, or (*bad) it has no name. */
static int next_pair(const char **text, pair *p, int *bad)
{
  const char *s = *text, *eq = strchr(s, '=');
  *bad = 0;
  if (!s[0]) return 0;
  if (!eq || (size_t)(eq - s) >= sizeof p->name || memchr(s, ',', (size_t)(eq - s))) return *bad = 1, 0;
  (void)snprintf(p->name, sizeof p->name, "%.*s", (int)(eq - s), s);
  p->value = eq + 1;
  const char *next = strchr(p->value, '='), *end = p->value + strlen(p->value);
  while (next && next > p->value && next[-1] != ',') next--; /* back to the name in front of it */
  if (next && next > p->value) end = next - 1;
  p->length = (size_t)(end - p->value);
  *text = *end ? end + 1 : end;
  return 1;
}

/* Part i of "a:b:c". */
static int part(const pair *p, size_t i, const char **s, size_t *n)
{
  const char *at = p->value, *end = p->value + p->length;
  for (;; i--) {
    const char *colon = memchr(at, ':', (size_t)(end - at));
    *s = at, *n = (size_t)((colon ? colon : end) - at);
    if (i == 0) return 1;
    if (!colon) return 0;
    at = colon + 1;
  }
}

static br_status add_factor(bri_design *d, bri_factor_kind kind, size_t first, double n, br_err *err)
{
  if (!(n >= 1) || n * (double)d->members > MOST_MEMBERS)
    return bri_fail(err, BR_E_RANGE, "the sweep has more than %.0g members", MOST_MEMBERS);
  d->factor[d->nfactor++] = (bri_factor){kind, (uint64_t)n, first, d->naxis - first, 0};
  d->members *= (uint64_t)n;
  return BR_OK;
}

/* A:B:N or A:B:N:log */
static br_status read_grid(const br_job *job, bri_design *d, const pair *p, br_err *err)
{
  static const char EXPECTED[] = "expected NAME=A:B:N or NAME=A:B:N:log";
  const char *s = NULL;
  char text[81];
  size_t n = 0;
  double count = 0;
  bri_axis *a = NULL;
  br_status st = add_axis(job, d, "grid", p->name, &a, err);
  if (st) return st;
  (void)snprintf(text, sizeof text, "%.*s", p->length < 80 ? (int)p->length : 80, p->value);
  const size_t first = d->naxis - 1;
  if (!part(p, 0, &s, &n) || !read_number(a, s, n, &a->a) || !part(p, 1, &s, &n) ||
      !read_number(a, s, n, &a->b) || !part(p, 2, &s, &n) || n == 0 || br_parse_double(s, n, &count) != n)
    return wrong(job, "grid", p->name, text, EXPECTED, err);
  const int log_scale = part(p, 3, &s, &n);
  if (log_scale && (n != 3 || memcmp(s, "log", 3) != 0 || part(p, 4, &s, &n)))
    return wrong(job, "grid", p->name, text, EXPECTED, err);
  if (!(count >= 1) || count != floor(count) || count > MOST_MEMBERS)
    return wrong(job, "grid", p->name, text, "N must be a whole number >= 1", err);
  if (log_scale && !(a->a * a->b > 0))
    return wrong(job, "grid", p->name, text, "both ends of a logarithmic grid have one sign and are not 0",
                 err);
  st = add_factor(d, BRI_FACTOR_GRID, first, count, err);
  if (!st) d->factor[d->nfactor - 1].log = log_scale;
  return st;
}

static br_status read_list(const br_job *job, bri_design *d, const pair *p, br_err *err)
{
  bri_axis *a = NULL;
  br_status st = add_axis(job, d, "list", p->name, &a, err);
  if (st) return st;
  size_t n = 0;
  a->values = bri_malloc_array(p->length + 1, sizeof *a->values);
  if (!a->values) return bri_no_memory(err, "sweep");
  for (size_t at = 0; at <= p->length; n++) {
    const char *s = p->value + at, *comma = memchr(s, ',', p->length - at);
    const size_t len = comma ? (size_t)(comma - s) : p->length - at;
    if (!read_number(a, s, len, &a->values[n])) {
      char text[61];
      (void)snprintf(text, sizeof text, "%.*s", len < 60 ? (int)len : 60, s);
      return wrong(job, "list", p->name, text, "expected numbers between commas", err);
    }
    at += len + 1;
  }
  return add_factor(d, BRI_FACTOR_LIST, d->naxis - 1, (double)n, err);
}

static br_status read_law(const br_job *job, bri_design *d, const pair *p, br_err *err)
{
  static const char *const LAWS[] = {"uniform", "normal", "lognormal"};
  const char *s = NULL;
  char text[81], law[16];
  size_t n = 0, k = 0;
  bri_axis *a = NULL;
  const br_status st = add_axis(job, d, "random", p->name, &a, err);
  if (st) return st;
  (void)snprintf(text, sizeof text, "%.*s", p->length < 80 ? (int)p->length : 80, p->value);
  (void)part(p, 0, &s, &n);
  (void)snprintf(law, sizeof law, "%.*s", n < 15 ? (int)n : 15, s);
  while (k < 3 && strcmp(LAWS[k], law) != 0) k++;
  if (k == 3) {
    const char *near = br_nearest_name(law, LAWS, 3);
    return bri_fail(err, BR_E_NAME, "%srandom %.60s=%s: unknown law '%s'; %s%s%s", br_job_dash(job), p->name,
                    text, law, near ? "did you mean '" : "it is uniform:A:B, normal:M:S or lognormal:M:S",
                    near ? near : "", near ? "'?" : "");
  }
  a->law = (bri_law)k;
  bri_axis spread = *a; /* the deviation of a logarithm has no unit */
  if (!part(p, 1, &s, &n) || !read_number(a, s, n, &a->a) || !part(p, 2, &s, &n) ||
      !read_number(k == BRI_LAW_LOGNORMAL ? &spread : a, s, n, &a->b) || part(p, 3, &s, &n))
    return wrong(job, "random", p->name, text,
                 "expected uniform:A:B, normal:MEAN:DEVIATION or lognormal:MEDIAN:DEVIATION of the logarithm",
                 err);
  if (k == BRI_LAW_UNIFORM ? !(a->a < a->b) : !(a->b > 0))
    return wrong(job, "random", p->name, text,
                 k == BRI_LAW_UNIFORM ? "A must lie below B" : "the deviation must be above 0", err);
  if (k == BRI_LAW_LOGNORMAL && !(a->a > 0))
    return wrong(job, "random", p->name, text, "the median must be above 0", err);
  return BR_OK;
}

static br_status read_pairs(const br_job *job, bri_design *d, const char *option,
                            br_status (*one)(const br_job *, bri_design *, const pair *, br_err *),
                            br_err *err)
{
  const char *text = br_job_text(job, option);
  br_status st = BR_OK;
  pair p;
  int bad = 0;
  while (text && !st && next_pair(&text, &p, &bad)) st = one(job, d, &p, err);
  if (bad) return bri_fail(err, BR_E_PARSE, "%s%s: '%.80s' has no NAME=", br_job_dash(job), option, text);
  return st;
}

static br_status take_column(const br_job *job, bri_design *d, const br_table *t, size_t c, size_t rows,
                             br_err *err)
{
  bri_axis *a = NULL;
  const char *unit = br_table_unit_of(t, c);
  const br_status st = add_axis(job, d, "file", br_table_name(t, c), &a, err);
  if (st) return st;
  a->has_unit = unit[0] && !br_unit_parse(unit, strlen(unit), &a->written, NULL);
  a->values = bri_malloc_array(rows + 1, sizeof *a->values);
  if (!a->values) return bri_no_memory(err, "sweep");
  memcpy(a->values, br_table_data(t, c), rows * sizeof *a->values);
  return BR_OK;
}

/* A table with a column for each number; one called "member" counts rows and is left out. */
static br_status read_file(const br_job *job, bri_design *d, const char *path, br_err *err)
{
  br_table_options opt = br_table_options_default();
  br_table_report report;
  br_table *t = NULL;
  opt.to_si = 1;
  br_status st = br_table_load(path, &opt, &t, &report, err);
  if (st) return st;
  const size_t first = d->naxis, rows = br_table_rows(t);
  if (report.gaps.count || report.infinite.count)
    st = bri_fail(err, BR_E_NAN, "'%.120s': line %zu has a gap or an infinite number", path,
                  report.gaps.count ? report.gaps.line : report.infinite.line);
  else if (rows == 0) st = bri_fail(err, BR_E_PARSE, "'%.120s' has no rows", path);
  for (size_t c = 0; c < br_table_columns(t) && !st; c++)
    if (strcmp(br_table_name(t, c), "member") != 0) st = take_column(job, d, t, c, rows, err);
  if (!st) st = add_factor(d, BRI_FACTOR_FILE, first, (double)rows, err);
  br_table_destroy(t);
  return st;
}

br_status bri_design_read(const br_job *job, bri_design *d, br_err *err)
{
  memset(d, 0, sizeof *d);
  d->members = 1;
  d->seed = (uint64_t)br_job_number(job, "seed");
  d->draw = (bri_draw_kind)br_job_number(job, "design");
  const char *file = br_job_text(job, "file");
  br_status st = read_pairs(job, d, "grid", read_grid, err);
  if (!st) st = read_pairs(job, d, "list", read_list, err);
  if (!st && file) st = read_file(job, d, file, err);
  const size_t first = d->naxis;
  if (!st) st = read_pairs(job, d, "random", read_law, err);
  if (!st && d->draw == BRI_DRAW_SOBOL && d->naxis - first > BRI_SOBOL_AXES)
    st = bri_fail(err, BR_E_SIZE, "%sdesign sobol draws at most %d numbers, not %zu; latin has no limit",
                  br_job_dash(job), BRI_SOBOL_AXES, d->naxis - first);
  if (!st && d->naxis > first) {
    if (!br_job_given(job, "members"))
      st = bri_fail(err, BR_E_ARG, "%smembers N is missing: how many are to be drawn", br_job_dash(job));
    else st = add_factor(d, BRI_FACTOR_DRAWN, first, br_job_number(job, "members"), err);
  }
  if (!st && d->naxis == 0)
    st = bri_fail(err, BR_E_ARG, "nothing is swept: add %sgrid NAME=A:B:N, %slist, %srandom or %sfile",
                  br_job_dash(job), br_job_dash(job), br_job_dash(job), br_job_dash(job));
  if (st) bri_design_free(d);
  return st;
}

void bri_design_free(bri_design *d)
{
  for (size_t i = 0; i < d->naxis; i++) bri_free(d->axis[i].values);
  d->naxis = d->nfactor = 0;
}

/* ---- the values of a member ---- */

/* The ends are met exactly. */
static double grid_value(const bri_axis *a, uint64_t k, uint64_t n, int log_scale)
{
  if (k == 0) return a->a;
  if (k + 1 == n) return a->b;
  const double part = (double)k / (double)(n - 1);
  return log_scale ? a->a * bri_exp(part * bri_log(a->b / a->a)) : a->a + (a->b - a->a) * part;
}

static double drawn(const bri_design *d, const bri_axis *a, size_t number, uint64_t k, uint64_t n)
{
  const double share = bri_sweep_draw(d->draw, d->seed, number, k, n);
  if (a->law == BRI_LAW_UNIFORM) return a->a + (a->b - a->a) * share;
  const double x = a->b * bri_sweep_quantile(share);
  return a->law == BRI_LAW_NORMAL ? a->a + x : a->a * bri_exp(x);
}

void bri_design_values(const bri_design *d, uint64_t member, double *values)
{
  for (size_t f = d->nfactor; f-- > 0;) {
    const bri_factor *q = &d->factor[f];
    const uint64_t k = member % q->n;
    member /= q->n;
    for (size_t i = 0; i < q->count; i++) {
      const bri_axis *a = &d->axis[q->first + i];
      values[q->first + i] = q->kind == BRI_FACTOR_GRID    ? grid_value(a, k, q->n, q->log)
                             : q->kind == BRI_FACTOR_DRAWN ? drawn(d, a, i, k, q->n)
                                                           : a->values[k];
    }
  }
}
