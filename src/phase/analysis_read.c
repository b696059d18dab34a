/* SPDX-License-Identifier: Apache-2.0
 * analysis_read.c - the options of 'phase' that are texts: NAME=A:B, NAME=V1,V2, V0,A,F; memory and tables
 * that the files of the analysis share. */
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "bristle/unit.h"
#include "question.h"
#include "base/alloc.h"
#include "table/range.h"

/* ---- memory ---- */

struct bri_block {
  struct bri_block *next;
};

void *bri_phase_get(bri_question *q, size_t size)
{
  struct bri_block *b = bri_calloc(1, sizeof *b + 16 + size);
  if (!b) return NULL;
  b->next = q->blocks;
  q->blocks = b;
  return (char *)b + 16; /* as aligned as the block itself */
}

void bri_phase_free(bri_question *q)
{
  for (struct bri_block *b = q->blocks, *next = NULL; b; b = next) next = b->next, bri_free(b);
  q->blocks = NULL;
}

br_status bri_phase_no_memory(br_err *err) { return bri_no_memory(err, "phase"); }

/* The row of an option: studies tell errors where it stands. */
int bri_phase_row(const br_job *job, const char *option)
{
  const br_analysis *a = br_job_analysis(job);
  const br_option *row = br_analysis_option(a, option);
  return row ? (int)(row - a->options) : -1;
}

/* ---- numbers in texts ---- */

/* Is a number that was written with a unit one of what it is for? */
static br_status unit_fits(const bri_vary *as, const char *s, size_t n, const br_unit *unit, int has_unit,
                           br_err *err)
{
  br_unit wanted;
  char dim[64];
  if (has_unit && as && as->unit && !br_unit_parse(as->unit, strlen(as->unit), &wanted, NULL) &&
      !br_unit_same(unit, &wanted))
    return bri_fail(err, BR_E_PARSE, "'%.*s' has dimension %s, but %s is in %s", bri_text_width(n), s,
                    br_unit_text(unit, sizeof dim, dim), as->name, as->unit);
  return BR_OK;
}

/* One number with an optional unit, up to a comma. */
static br_status read_number(const bri_vary *as, const char **s, double *x, br_err *err)
{
  br_unit unit;
  int has_unit = 0;
  const size_t n = strcspn(*s, ",");
  br_status st = br_quantity_parse(*s, n, x, &unit, &has_unit, err);
  if (!st) st = unit_fits(as, *s, n, &unit, has_unit, err);
  if (!st) *s += n;
  return st;
}

static br_status wrong(const bri_question *q, const char *option, const char *expected, const br_err *why,
                       br_err *err)
{
  return bri_text_fail(err, BR_E_PARSE, bri_phase_row(q->job, option), "%s%s %.60s: expected %s%s%s",
                       br_job_dash(q->job), option, br_job_text(q->job, option), expected, why ? ": " : "",
                       why ? why->msg : "");
}

/* ---- names ---- */

static br_status unknown_name(const bri_question *q, const char *option, const bri_vary *v, br_err *err)
{
  const char *names[128];
  size_t n = 0;
  for (size_t i = 0; i < q->m->nparam && n < 100; i++) names[n++] = q->m->params[i].name;
  for (size_t i = 0; i < q->sys->nparam && n < 116; i++) names[n++] = q->sys->params[i].name;
  for (size_t i = 0; i < q->sys->ninput && n < 128; i++) names[n++] = q->sys->inputs[i].name;
  const char *near = br_nearest_name(v->bare, names, n);
  return bri_text_fail(err, BR_E_NAME, bri_phase_row(q->job, option),
                       "%s%s: neither %s nor %s has a '%s'%s%s%s", br_job_dash(q->job), option, q->sys->name,
                       q->m->name, v->name, near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

static br_status take_row(const bri_question *q, const char *option, const br_param *row, bri_vary *v,
                          br_err *err)
{
  const int low = row->lo_open ? !(v->a > row->lo) : !(v->a >= row->lo);
  const int high = row->hi_open ? !(v->b < row->hi) : !(v->b <= row->hi);
  char range[96];
  v->unit = row->unit;
  v->slot = (int)row->slot;
  if (row->max_len > 1)
    return bri_text_fail(err, BR_E_ARG, bri_phase_row(q->job, option), "%s%s: '%s' is a vector",
                         br_job_dash(q->job), option, v->bare);
  if (low || high)
    return bri_text_fail(err, BR_E_RANGE, bri_phase_row(q->job, option),
                         "%s%s %s=%.9g:%.9g is out of range: must be %s", br_job_dash(q->job), option,
                         v->name, v->a, v->b, br_param_range(row, sizeof range, range));
  return BR_OK;
}

/* Where the name lives: a slot of the model or of the mechanism, or an input. */
static br_status locate(const bri_question *q, const char *option, bri_vary *v, br_err *err)
{
  const int model = strncmp(v->name, "model.", 6) == 0, system = strncmp(v->name, "system.", 7) == 0;
  v->bare = v->name + (model ? 6 : system ? 7 : 0);
  const br_param *row = system ? NULL : br_model_param(q->m, v->bare);
  v->where = BR_VARY_MODEL;
  for (size_t i = 0; i < q->sys->nparam && !row && !model; i++)
    if (strcmp(q->sys->params[i].name, v->bare) == 0) row = &q->sys->params[i], v->where = BR_VARY_SYSTEM;
  if (row) return take_row(q, option, row, v, err);
  for (size_t i = 0; i < q->sys->ninput && !model; i++) {
    if (strcmp(q->sys->inputs[i].name, v->bare) != 0) continue;
    v->where = BR_VARY_INPUT;
    v->slot = (int)i;
    v->unit = q->sys->inputs[i].unit;
    return BR_OK;
  }
  return unknown_name(q, option, v, err);
}

static br_status read_range(const bri_question *q, const char *option, bri_vary *v, br_err *err)
{
  static const char FORM[] = "NAME=A:B, e.g. sigma1=0.1:12";
  br_err why = {BR_OK, -1, ""};
  bri_range r;
  if (!bri_range_split(br_job_text(q->job, option), &r) || r.n >= sizeof v->name)
    return wrong(q, option, FORM, NULL, err);
  memcpy(v->name, r.name, r.n);
  v->name[r.n] = '\0';
  if (bri_range_numbers(&r, &why)) return wrong(q, option, FORM, &why, err);
  v->a = r.x[0], v->b = r.x[1];
  if (!(v->a < v->b)) return wrong(q, option, "NAME=A:B, and the range must ascend", NULL, err);
  br_status st = locate(q, option, v, err);
  for (int i = 0; i < 2 && !st; i++)
    if (unit_fits(v, r.text[i], r.length[i], &r.unit[i], r.has_unit[i], &why))
      st = wrong(q, option, FORM, &why, err);
  return st;
}

static br_status read_at(bri_question *q, br_err *err)
{
  static const char FORM[] = "NAME=V1,V2,...";
  const char *text = br_job_text(q->job, "at"), *d = br_job_dash(q->job), *name = q->vary.name;
  const size_t n = strlen(name);
  br_err why = {BR_OK, -1, ""};
  q->at[0] = q->vary.a;
  q->nat = 1;
  if (!text) return BR_OK;
  if (strncmp(text, name, n) != 0 || text[n] != '=')
    return bri_text_fail(err, BR_E_ARG, bri_phase_row(q->job, "at"),
                         "%sat %.60s: must name the varied parameter, %sat %s=V1,V2", d, text, d, name);
  q->nat = 0;
  for (const char *s = text + n; *s; q->nat++) {
    if (q->nat == BRI_PHASE_MOST_AT)
      return bri_text_fail(err, BR_E_SIZE, bri_phase_row(q->job, "at"), "%sat: at most %d values", d,
                           BRI_PHASE_MOST_AT);
    s++;
    if (read_number(&q->vary, &s, &q->at[q->nat], &why)) return wrong(q, "at", FORM, &why, err);
  }
  return BR_OK;
}

/* Three numbers: mean, amplitude, frequency. */
static br_status read_lag(const bri_question *q, const char *option, const char *form, double *x, int *given,
                          br_err *err)
{
  const char *s = br_job_text(q->job, option);
  br_err why = {BR_OK, -1, ""};
  *given = s != NULL;
  for (int i = 0; s && i < 3; i++) {
    if (read_number(NULL, &s, &x[i], &why)) return wrong(q, option, form, &why, err);
    if ((*s == ',') != (i < 2)) return wrong(q, option, form, NULL, err);
    if (*s) s++;
  }
  return BR_OK;
}

/* "equilibria,hopf": which parts of the work. */
static br_status read_parts(bri_question *q, br_err *err)
{
  static const char *const WORDS[] = {"equilibria", "hopf", "fold", "cycles"};
  enum { N = sizeof WORDS / sizeof WORDS[0] };
  const char *s = br_job_text(q->job, "only");
  q->parts = s ? 0 : strcmp(br_job_text(q->job, "events"), "no") == 0 ? BRI_PART_EQUILIBRIA : BRI_PART_ALL;
  while (s) {
    const size_t n = strcspn(s, ",");
    char word[32];
    size_t k = 0;
    (void)snprintf(word, sizeof word, "%.*s", bri_text_width(n), s);
    while (k < N && (strlen(WORDS[k]) != n || strncmp(WORDS[k], s, n) != 0)) k++;
    if (k == N) {
      const char *near = strstr(word, "of_cycles") || strstr(word, "homo") || strstr(word, "doubling")
                             ? "cycles"
                             : br_nearest_name(word, WORDS, N);
      return bri_text_fail(
          err, BR_E_NAME, bri_phase_row(q->job, "only"),
          "%sonly: '%s' is none of equilibria, hopf, fold, cycles (with homoclinic orbits, folds "
          "and doublings of cycles)%s%s%s",
          br_job_dash(q->job), word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    q->parts |= 1u << k;
    s = s[n] ? s + n + 1 : NULL;
  }
  return BR_OK;
}

int bri_phase_lists(const bri_question *q, br_phase_event_type type)
{
  const unsigned part = type == BR_PHASE_HOPF || type == BR_PHASE_GENERALIZED_HOPF ? BRI_PART_HOPF
                        : type == BR_PHASE_FOLD                                    ? BRI_PART_FOLD
                                                                                   : BRI_PART_CYCLES;
  return (q->parts & part) != 0;
}

br_status bri_phase_read(bri_question *q, const br_job *job, br_err *err)
{
  static const double NOTHING[1] = {0};
  const br_params *params = br_job_params(job);
  q->job = job;
  q->m = br_job_model(job);
  q->sys = br_job_system(job);
  q->par = br_job_par(job);
  q->spar = q->sys->nparam || q->sys->initial ? br_params_block(params, "system") : NOTHING;
  q->held = q->sys->ninput ? br_params_block(params, "input") : NOTHING;
  q->grid = br_job_count(job, "grid");
  q->threads = (int)br_job_count(job, "threads");
  br_status st = read_range(q, "vary", &q->vary, err);
  if (!st && br_job_text(job, "vary2")) st = read_range(q, "vary2", &q->vary2, err);
  if (!st) st = read_at(q, err);
  if (!st) st = read_parts(q, err);
  if (!st) st = read_lag(q, "lag", "V0,A,F", q->lag, &q->has_lag, err);
  if (!st) st = read_lag(q, "lag-force", "F0,A,F", q->lag_force, &q->has_lag_force, err);
  if (!st && q->has_lag_force && !(q->lag_force[2] > 0))
    st = wrong(q, "lag-force", "F0,A,F with a frequency above 0", NULL, err);
  return st;
}

/* ---- tables ---- */

unsigned bri_phase_shape(const bri_question *q, const char *table)
{
  const char *name = br_job_flag(q->job, "map")    ? "map"
                     : br_job_flag(q->job, "hopf") ? "criticality"
                                                   : "phase";
  return strcmp(name, table) == 0 ? BR_TABLE_MAIN | BR_TABLE_FILE : BR_TABLE_FILE;
}

int bri_phase_draws(const bri_question *q, const char *table)
{
  if (br_job_given(q->job, "diagram")) return br_job_flag(q->job, "diagram");
  return br_sink_wants(q->out, table) ||
         ((bri_phase_shape(q, "phase") & BR_TABLE_MAIN) && br_sink_wants(q->out, "phase"));
}

br_status bri_phase_open(bri_question *q, const char *name, size_t ncol, const br_column *head, br_err *err)
{
  const br_table_head h = {.name = name, .shape = BR_TABLE_FILE, .ncol = ncol, .columns = head};
  return br_put_table(q->out, &h, err);
}

br_status bri_phase_table(bri_question *q, const char *name, const char *label, size_t ncol,
                          const br_column *head, const double *const *columns, size_t n, br_err *err)
{
  const br_table_head h = {
      .name = name, .shape = BR_TABLE_FILE, .ncol = ncol, .columns = head, .rows = n, .label = label};
  br_status st = br_put_table(q->out, &h, err);
  for (size_t i = 0; i < n && !st; i++) {
    double row[8];
    for (size_t k = 0; k < ncol && k < 8; k++) row[k] = columns[k][i];
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

const double *bri_phase_block(bri_question *q, double value)
{
  double *par = bri_phase_get(q, q->m->slots * sizeof *par);
  if (!par) return NULL;
  memcpy(par, q->par, q->m->slots * sizeof *par);
  if (q->vary.where == BR_VARY_MODEL) par[q->vary.slot] = value;
  q->m->prepare(par);
  return par;
}
