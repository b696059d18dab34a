/* SPDX-License-Identifier: Apache-2.0
 * measure.c - what is measured of every member: words, paths of 'simulate', formulas of other measures. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "sweep.h"
#include "text/buf.h"

const char *const bri_member_end[BRI_MEMBER_ENDS] = {"ok", "range", "converge", "nan", "unsupported"};
const char *const bri_regime[BRI_REGIMES] = {"rest", "steady", "periodic", "irregular"};

int bri_member_end_of(br_status st)
{
  return st == BR_OK              ? BRI_MEMBER_OK
         : st == BR_E_CONVERGE    ? BRI_MEMBER_CONVERGE
         : st == BR_E_NAN         ? BRI_MEMBER_NAN
         : st == BR_E_UNSUPPORTED ? BRI_MEMBER_UNSUPPORTED
                                  : BRI_MEMBER_RANGE;
}

static const struct {
  const char *name, *unit;
  bri_measure_kind kind;
} WORDS[] = {
    {"period", "s", BRI_MEASURE_PERIOD},         {"stick_fraction", "1", BRI_MEASURE_STICK},
    {"returns", "1", BRI_MEASURE_RETURNS},       {"events", "1", BRI_MEASURE_EVENTS},
    {"reversals", "1", BRI_MEASURE_REVERSAL},    {"sticks", "1", BRI_MEASURE_STICKS},
    {"slips", "1", BRI_MEASURE_SLIPS},           {"elements", "1", BRI_MEASURE_ELEMENTS},
    {"work_in", "J", BRI_MEASURE_WORK},          {"friction_work", "J", BRI_MEASURE_FRICTION},
    {"dissipated", "J", BRI_MEASURE_DISSIPATED}, {"regime", "1", BRI_MEASURE_REGIME},
    {"lyapunov", "1/s", BRI_MEASURE_LYAPUNOV},   {"steps", "1", BRI_MEASURE_STEPS},
};
enum { NWORDS = sizeof WORDS / sizeof WORDS[0] };
static const struct {
  const char *text;
  bri_measure_kind kind;
} TAILS[] = {{"_min", BRI_MEASURE_MIN}, {"_max", BRI_MEASURE_MAX}, {"_end", BRI_MEASURE_END}};

/* Name of state i, or of force i - nstate; NULL behind the last. */
static const char *quantity(const bri_sweep *s, size_t i, size_t size, char *buf)
{
  const br_plant *p = br_job_plant(s->job);
  if (i < s->nstate) return br_plant_state(p, i);
  if (i >= s->nstate + s->nforce) return NULL;
  (void)snprintf(buf, size,
                 s->nforce > 1                 ? "F%zu"
                 : br_plant_index(p, "F") >= 0 ? "F_contact"
                                               : "F",
                 i - s->nstate + 1);
  return buf;
}

static br_status unknown(const bri_sweep *s, const char *item, br_err *err)
{
  enum { MOST = 160 };
  const char *names[MOST];
  char made[MOST][BRI_SWEEP_NAME], buf[BRI_SWEEP_NAME], hint[BRI_HINT], list[400], other[BRI_HINT];
  size_t n = 0;
  for (; n < NWORDS; n++) names[n] = WORDS[n].name;
  const char *state = quantity(s, 0, sizeof buf, buf);
  (void)snprintf(other, sizeof other, ", NAME_min, NAME_max, NAME_end of a quantity (%.20s_max), formulas",
                 state ? state : "x");
  for (size_t i = 0; quantity(s, i, sizeof buf, buf) && n + 3 <= MOST; i++)
    for (size_t k = 0; k < 3; k++, n++) {
      (void)snprintf(made[n], sizeof made[n], "%.50s%s", quantity(s, i, sizeof buf, buf), TAILS[k].text);
      names[n] = made[n];
    }
  const char *near = bri_hint(item, names, n, "", hint);
  return bri_fail(err, BR_E_NAME, "%smeasure: '%.60s' is no measure%s%s%s", br_job_dash(s->job), item,
                  near[0] ? near : "; there are ", near[0] ? "" : bri_join(names, NWORDS, sizeof list, list),
                  near[0] ? "" : other);
}

static int read_word(const bri_sweep *s, const char *item, bri_measure *m)
{
  const size_t length = strlen(item);
  char buf[BRI_SWEEP_NAME];
  const char *name = NULL;
  for (size_t k = 0; k < NWORDS; k++) {
    if (strcmp(WORDS[k].name, item) != 0) continue;
    m->kind = WORDS[k].kind;
    m->unit = WORDS[k].unit;
    return 1;
  }
  for (size_t k = 0; k < 3 && length > 4; k++) {
    if (strcmp(item + length - 4, TAILS[k].text) != 0) continue;
    for (size_t i = 0; (name = quantity(s, i, sizeof buf, buf)) != NULL; i++) {
      if (strlen(name) != length - 4 || memcmp(name, item, length - 4) != 0) continue;
      m->kind = TAILS[k].kind;
      m->index = i;
      m->unit = i < s->nstate                                     ? br_plant_unit(br_job_plant(s->job), i)
                : br_job_system(s->job)->flags & BR_SYSTEM_ROTARY ? "N m"
                                                                  : "N";
      return 1;
    }
  }
  return 0;
}

/* A number of 'simulate': the start of the path must be one that it has. */
static br_status read_path(const bri_sweep *s, const char *item, bri_measure *m, br_err *err)
{
  const br_analysis *a = br_analysis_find("simulate");
  const size_t n = strcspn(item, ".");
  const char *names[16];
  char starts[16][32], hint[BRI_HINT];
  size_t k = 0;
  for (size_t i = 0; i < a->nresults; i++) {
    const br_result_row *row = &a->results[i];
    const size_t len = strcspn(row->name, ".");
    if (row->kind != BR_RESULT_VALUE || strcmp(row->name, "warnings.*") == 0) continue;
    if (len == n && memcmp(row->name, item, n) == 0) {
      const size_t size = strlen(item) + 1;
      if (size > sizeof m->path)
        return bri_fail(err, BR_E_NAME, "%smeasure: '%.60s...' is too long", br_job_dash(s->job), item);
      m->kind = BRI_MEASURE_PATH;
      memcpy(m->path, item, size);
      m->unit = strcmp(row->name, item) == 0 && row->unit[0] ? row->unit : "1";
      return BR_OK;
    }
    if (k && strncmp(starts[k - 1], row->name, len) == 0 && !starts[k - 1][len]) continue;
    if (k < 16)
      (void)snprintf(starts[k], sizeof starts[k], "%.*s", (int)len, row->name), names[k] = starts[k], k++;
  }
  char start[64];
  (void)snprintf(start, sizeof start, "%.*s", bri_text_width(n), item);
  return bri_fail(err, BR_E_NAME, "%smeasure: '%.60s' is no number of simulate%s", br_job_dash(s->job), item,
                  bri_hint(start, names, k, "", hint));
}

static int is_plain(const char *name)
{
  return name[0] &&
         strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name) &&
         !(name[0] >= '0' && name[0] <= '9');
}

/* Variables of a formula: the measures before it, then the swept numbers; names that are none stand there as
 * "_". */
static br_status read_formula(const bri_sweep *s, const char *text, bri_measure *m, br_err *err)
{
  bri_buf vars = {0};
  br_err why = {BR_OK, -1, ""};
  for (size_t i = 0; i < s->nmeasure + s->design.naxis; i++) {
    const char *name = i < s->nmeasure ? s->measure[i].name : s->design.axis[i - s->nmeasure].name;
    if (is_plain(name)) bri_buf_printf(&vars, "%s%s", i ? "," : "", name);
    else bri_buf_printf(&vars, "%s_unnamed%zu", i ? "," : "", i);
  }
  m->kind = BRI_MEASURE_FORMULA;
  m->unit = "1";
  m->code = bri_malloc_array(BR_EXPR_MAX_TEXT, sizeof *m->code);
  br_status st = vars.failed || !m->code ? bri_no_memory(err, "sweep") : BR_OK;
  if (!st) st = br_expr_compile(text, strlen(text), vars.text, BR_EXPR_MAX_TEXT, m->code, &m->length, &why);
  if (st && st != BR_E_NOMEM)
    st = bri_fail(err, st, "%smeasure %s=%.60s: %.120s", br_job_dash(s->job), m->name, text, why.msg);
  bri_buf_free(&vars);
  return st;
}

/* A number of the comparison with what was measured: "cost", what a fit of the motion makes small, or a path
 * of simulate. */
static int is_compared(const char *item)
{
  return strcmp(item, "cost") == 0 || strncmp(item, "measured.", 9) == 0;
}

static br_status read_compared(const bri_sweep *s, const char *item, bri_measure *m, br_err *err)
{
  if (!br_job_given(s->job, "measured"))
    return bri_fail(err, BR_E_ARG,
                    "%smeasure: '%.60s' compares with what %smeasured names, e.g. %smeasured x:csv:FILE",
                    br_job_dash(s->job), item, br_job_dash(s->job), br_job_dash(s->job));
  return read_path(s, strcmp(item, "cost") == 0 ? "measured.rms" : item, m, err);
}

static br_status read_item(bri_sweep *s, const char *item, br_err *err)
{
  const char *eq = strchr(item, '=');
  const size_t n = eq ? (size_t)(eq - item) : strlen(item);
  if (s->nmeasure == BRI_SWEEP_MEASURES)
    return bri_fail(err, BR_E_SIZE, "%smeasure: more than %d measures", br_job_dash(s->job),
                    BRI_SWEEP_MEASURES);
  bri_measure *m = &s->measure[s->nmeasure];
  memset(m, 0, sizeof *m);
  m->unit = "1";
  if (n == 0 || n >= sizeof m->name)
    return bri_fail(err, BR_E_PARSE, "%smeasure: '%.80s' is no measure", br_job_dash(s->job), item);
  (void)snprintf(m->name, sizeof m->name, "%.*s", (int)n, item);
  static const char *const OWN[] = {"member", "status", "point", "t"};
  int taken = 0;
  for (size_t i = 0; i < s->nmeasure; i++) taken |= strcmp(s->measure[i].name, m->name) == 0;
  for (size_t i = 0; i < s->design.naxis; i++) taken |= strcmp(s->design.axis[i].name, m->name) == 0;
  for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) taken |= strcmp(OWN[i], m->name) == 0;
  if (taken)
    return bri_fail(err, BR_E_ARG, "%smeasure: two columns would be called '%.60s'", br_job_dash(s->job),
                    m->name);
  br_status st = BR_OK;
  if (eq && !is_plain(m->name))
    st = bri_fail(err, BR_E_NAME, "%smeasure: '%.60s' is no name for a formula: letters, digits and _",
                  br_job_dash(s->job), m->name);
  else if (eq) st = read_formula(s, eq + 1, m, err);
  else if (is_compared(item)) st = read_compared(s, item, m, err);
  else if (strchr(item, '.') || strcmp(item, "event_count") == 0) st = read_path(s, item, m, err);
  else if (!read_word(s, item, m)) st = unknown(s, item, err);
  s->nmeasure++; /* its memory is freed in any case */
  return st;
}

/* Without a list: how fast, how long, how much of it in stick. */
static const char *usual(const bri_sweep *s, size_t size, char *buf)
{
  const char *v = s->v >= 0 ? br_plant_state(br_job_plant(s->job), (size_t)s->v) : NULL;
  if (br_job_given(s->job, "measured")) return "cost";
  if (v) (void)snprintf(buf, size, "%s_max,period,stick_fraction", v);
  else if (s->nstate) (void)snprintf(buf, size, "%s_max,events", br_plant_state(br_job_plant(s->job), 0));
  else (void)snprintf(buf, size, "events");
  return buf;
}

br_status bri_measures_read(bri_sweep *s, br_err *err)
{
  char made[160], item[BR_EXPR_MAX_TEXT];
  const char *text = br_job_text(s->job, "measure");
  if (!text) text = usual(s, sizeof made, made);
  br_status st = BR_OK;
  for (int more = 1; more && !st;) { /* commas inside parentheses belong to a formula */
    size_t n = 0;
    for (int depth = 0; text[n] && (depth > 0 || text[n] != ','); n++)
      depth += (text[n] == '(') - (text[n] == ')');
    if (n >= sizeof item)
      return bri_fail(err, BR_E_SIZE, "%smeasure: a formula is too long", br_job_dash(s->job));
    (void)snprintf(item, sizeof item, "%.*s", (int)n, text);
    st = read_item(s, item, err);
    more = text[n] == ',';
    text += n + (more ? 1u : 0u);
  }
  int compares = !br_job_given(s->job, "measured");
  for (size_t i = 0; i < s->nmeasure; i++) compares |= strncmp(s->measure[i].path, "measured.", 9) == 0;
  return !st && !compares ? bri_fail(err, BR_E_ARG, "%smeasured: no %smeasure compares with it; 'cost' does",
                                     br_job_dash(s->job), br_job_dash(s->job))
                          : st;
}

void bri_measures_free(bri_sweep *s)
{
  for (size_t i = 0; i < s->nmeasure; i++) bri_free(s->measure[i].code);
  s->nmeasure = 0;
}

void bri_measures_formulas(const bri_sweep *s, const double *values, double *row)
{
  double x[BRI_SWEEP_MEASURES + BRI_SWEEP_AXES];
  for (size_t i = 0; i < s->nmeasure; i++) {
    if (s->measure[i].kind != BRI_MEASURE_FORMULA) continue;
    memcpy(x, row, i * sizeof *x);
    memcpy(x + i, values, s->design.naxis * sizeof *x);
    row[i] = br_expr_value(s->measure[i].code, s->measure[i].length, x);
  }
}
