/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'fit': parameters of a model from a record of motion and force. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/analysis.h"
#include "bristle/fit.h"
#include "bristle/record.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "analysis_parts.h"
#include "sample.h"
#include "text/buf.h"
#include "text/fail.h"

#define COLUMN(option, text)                                          \
  {                                                                   \
    .name = option, .kind = BR_OPTION_TEXT, .arg = "COL", .doc = text \
  }
static const br_option OPTIONS[] = {
    {.name = "file",
     .kind = BR_OPTION_TEXT,
     .arg = "FILE",
     .doc = "the record, with steps behind bars: run.csv|window:1s:9s; sample:MODEL[,SEED] is one made by a "
            "model"},
    {.name = "model",
     .kind = BR_OPTION_TEXT,
     .arg = "NAME|all",
     .def = "all",
     .doc = "friction model to fit, see 'bristle models'; default all, of which the best is told"},
    COLUMN("time", "column of the time, by name or number; default the one with a unit of time; - for none"),
    COLUMN("position", "column of the position; default the one with a unit of length or angle"),
    COLUMN("force", "column of the force; default the one with a unit of force or torque"),
    COLUMN("velocity", "column of a measured velocity; default: derived from the position"),
    COLUMN("load", "column of the normal load or pressure; default none"),
    {.name = "train",
     .kind = BR_OPTION_TEXT,
     .arg = "A:B",
     .doc = "part to fit: parts of the record (0.15:0.55) or times (2s:9s); default 0:0.6, or up to the test "
            "part"},
    {.name = "test",
     .kind = BR_OPTION_TEXT,
     .arg = "A:B",
     .doc = "part to judge by, unseen in the fit; default the rest behind the train part"},
    {.name = "fix",
     .kind = BR_OPTION_PAIRS,
     .arg = "NAME=VALUE,...",
     .doc = "parameters that are known and stay as they are"},
    {.name = "free",
     .kind = BR_OPTION_TEXT,
     .arg = "NAME,...",
     .doc = "parameters to fit as well that stay at their defaults otherwise: delta, gamma, inv_d0, ..."},
    {.name = "extras",
     .kind = BR_OPTION_TEXT,
     .arg = "LIST",
     .doc = "terms added to the model: offset,viscous,stiffness,mass,load,backlash or none; default offset, "
            "viscous "
            "where the "
            "model has none (stiffness for a record without time), load where there is a column"},
    {.name = "elements",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .lo = 1,
     .hi = 8,
     .doc = "elements of maxwell_slip and gms; default as many as BIC asks for, 3 for gms"},
    {.name = "bandwidth",
     .kind = BR_OPTION_NUMBER,
     .arg = "F",
     .unit = "Hz",
     .lo = 0,
     .hi = -1,
     .lo_open = 1,
     .doc = "of the velocity that is derived from the position; default: what Dahl's model likes best, none "
            "for clean data"},
    {.name = "seed",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .def = "1",
     .lo = 0,
     .hi = 1e9,
     .doc = "of the starts that are drawn; default 1"},
    {.name = "threads",
     .kind = BR_OPTION_COUNT,
     .arg = "N",
     .unit = "1",
     .def = "0",
     .lo = 0,
     .hi = 256,
     .doc = "at once; default one per processor; the answer does not depend on it"},
};

static const br_result_row RESULTS[] = {
    {"model", "", "the model asked for, or the recommended one", BR_RESULT_VALUE},
    {"reason", "", "why it is recommended", BR_RESULT_VALUE},
    {"parameters", "",
     "by name: value, low and high end of the 95 % interval, unit; lists for vectors; extras too",
     BR_RESULT_VALUE},
    {"set", "", "the parameters of the model as a list for --set", BR_RESULT_VALUE},
    {"rmse_train", "N", "root mean square of what is left, on the part that was fitted", BR_RESULT_VALUE},
    {"rmse_test", "N", "the same on the test part", BR_RESULT_VALUE},
    {"rel_test", "1", "rmse_test over the standard deviation of the measured force on the test part",
     BR_RESULT_VALUE},
    {"effective_samples", "1",
     "independent samples of the train part, by the autocorrelation of the residual", BR_RESULT_VALUE},
    {"condition", "1", "of the scaled sensitivities: large where parameters cannot be told apart",
     BR_RESULT_VALUE},
    {"seconds", "s", "of the fit of this model", BR_RESULT_VALUE},
    {"evaluations", "1", "walks along the record, with and without derivative", BR_RESULT_VALUE},
    {"ranking", "", "every model tried, best on unseen data first", BR_RESULT_VALUE},
    {"ranking.*.model", "", "its name", BR_RESULT_VALUE},
    {"ranking.*.rmse_test", "N", "error on the test part", BR_RESULT_VALUE},
    {"ranking.*.rel_test", "1", "the same, relative", BR_RESULT_VALUE},
    {"ranking.*.aic", "1", "Akaike's criterion with the effective samples", BR_RESULT_VALUE},
    {"ranking.*.bic", "1", "Schwarz's criterion with the effective samples", BR_RESULT_VALUE},
    {"ranking.*.seconds", "s", "time of its fit", BR_RESULT_VALUE},
    {"data", "", "what was chosen of the record and done to it", BR_RESULT_VALUE},
    {"warnings", "", "what should be known before the numbers are used", BR_RESULT_VALUE},
    {"files", "",
     "of several files each: file, model, rmse_train, rmse_test, rel_test, values; the rest is the first "
     "one's",
     BR_RESULT_VALUE},
    {"fit", "", "t, u, v, F, fitted, residual at every sample", BR_RESULT_TABLE},
};

static const br_picture_line FORCE[] = {{"fit", "muted", "measured", 0, 0, 0, NULL, "F", NULL, NULL},
                                        {"fit", "bold", "fitted", 0, 0, 0, NULL, "fitted", NULL, NULL}};
static const br_picture_line REST[] = {{"fit", "line", "", 0, 0, 0, NULL, NULL, NULL, NULL}};
static const br_picture_panel PANELS[] = {
    {"t", "F", "time t", "force F", NULL, FORCE, 2},
    {"t", "residual", "time t", "residual", NULL, REST, 1, .under = 1},
    {"u", "F", "position u", "force F", NULL, FORCE, 2},
    {"u", "residual", "position u", "residual", NULL, REST, 1, .under = 1},
};

static const br_example EXAMPLES[] = {
    {"bristle fit --file sample:dahl --model dahl",
     "parameters of a record made by Dahl's model, with noise"},
    {"bristle fit --file sample:lugre,7 --model lugre --train 0:0.5 --test 0.5:1 --fix delta=2 --json",
     "fitted on one half, judged on the other"},
    {NULL, NULL},
};

/* ---- the record ---- */

typedef struct {
  br_record *file;
  double *made; /* columns of a sample */
  br_fit_record r;
  br_fit *fit;
  int rotary; /* 1: angles and torques */
} question;

static void column(const br_job *job, const char *option, br_channel *c)
{
  const char *text = br_job_text(job, option);
  if (text) c->column = text;
}

static br_status load(const br_job *job, const char *text, question *q, br_err *err)
{
  enum { TIME, POSITION, FORCE_CHANNEL, VELOCITY, LOAD, CHANNELS };
  if (bri_fit_is_sample(text)) return bri_fit_sample(text, &q->r, &q->made, err);
  br_channel c[CHANNELS] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION),
                            br_channel_of(BR_ROLE_FORCE), br_channel_of(BR_ROLE_VELOCITY),
                            br_channel_of(BR_ROLE_LOAD)};
  c[TIME].optional = 1;
  c[VELOCITY].column = c[LOAD].column = "-";
  c[VELOCITY].optional = c[LOAD].optional = 1;
  c[LOAD].unit = NULL; /* a pressure is as good */
  column(job, "time", &c[TIME]), column(job, "position", &c[POSITION]),
      column(job, "force", &c[FORCE_CHANNEL]);
  column(job, "velocity", &c[VELOCITY]), column(job, "load", &c[LOAD]);
  if (br_job_given(job, "velocity"))
    c[VELOCITY].optional = 0, c[POSITION].optional = !br_job_given(job, "position");
  if (br_job_given(job, "load")) c[LOAD].optional = 0;
  const br_status st = br_record_load(text, c, CHANNELS, NULL, &q->file, err);
  if (st) return st;
  br_unit unit;
  const char *written = br_record_unit(q->file, POSITION);
  q->rotary = written && written[0] && !br_unit_parse(written, strlen(written), &unit, NULL) &&
              unit.dim[BR_DIM_ANGLE] != 0;
  q->r = (br_fit_record){
      br_record_rows(q->file),           br_record_timed(q->file) ? br_record_data(q->file, TIME) : NULL,
      br_record_data(q->file, POSITION), br_record_data(q->file, FORCE_CHANNEL),
      br_record_data(q->file, VELOCITY), br_record_data(q->file, LOAD)};
  return BR_OK;
}

/* ---- check ---- */

static br_status check_extras(const br_job *job, br_err *err)
{
  static const char *const NAMES[] = {"offset", "viscous", "stiffness", "mass", "load", "backlash", "none"};
  const char *list = br_job_text(job, "extras");
  for (const char *s = list ? list : ""; *s; s += strcspn(s, ","), s += *s == ',') {
    char name[32], hint[BRI_HINT];
    size_t i = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(s, ","), s);
    while (i < sizeof NAMES / sizeof NAMES[0] && strcmp(NAMES[i], name) != 0) i++;
    if (i == sizeof NAMES / sizeof NAMES[0])
      return bri_text_fail(
          err, BR_E_NAME, -1, "%sextras: unknown term '%s'%s", br_job_dash(job), name,
          bri_hint(name, NAMES, i, "; offset, viscous, stiffness, mass, load, backlash or none", hint));
  }
  return BR_OK;
}

static br_status check(const br_job *job, br_err *err)
{
  size_t part[2];
  if (!br_job_text(job, "file"))
    return bri_text_fail(err, BR_E_ARG, 0, "FILE is missing, e.g. 'bristle fit run.csv --model dahl'");
  br_status st = check_extras(job, err);
  if (!st) st = bri_fit_part(job, "train", NULL, part, err);
  return st ? st : bri_fit_part(job, "test", NULL, part, err);
}

/* ---- the answer ---- */

/* The unit of the same quantity in rotation: rad for m, N m for N. */
static const char *turned(const char *unit, int rotary)
{
  static const char *const UNITS[][2] = {{"N/m", "N m/rad"}, {"N", "N m"},           {"m", "rad"},
                                         {"m/s", "rad/s"},   {"N s/m", "N m s/rad"}, {"kg", "kg m^2"},
                                         {"1/m", "1/rad"},   {"N/s", "N m/s"}};
  for (size_t i = 0; rotary && i < sizeof UNITS / sizeof UNITS[0]; i++)
    if (strcmp(UNITS[i][0], unit) == 0) return UNITS[i][1];
  return unit;
}

static void put_value(br_sink *out, const br_fit_value *v, int rotary)
{
  const char *unit = turned(v->unit, rotary);
  char at[16] = "";
  if (v->element >= 0) (void)snprintf(at, sizeof at, ".%d", v->element);
  br_put_number(out, unit, v->value, "parameters.%s.value%s", v->name, at);
  br_put_number(out, unit, v->low, "parameters.%s.low%s", v->name, at);
  br_put_number(out, unit, v->high, "parameters.%s.high%s", v->name, at);
  if (v->element <= 0) br_put_text(out, unit, "parameters.%s.unit", v->name);
}

/* Vectors may stand in any order: one value after the other, element by element. */
static void put_values(br_sink *out, const br_fit_model *m, int rotary)
{
  br_put(out, BR_VALUE_OBJECT, 0, "parameters");
  for (size_t i = 0; i < m->nvalues; i++) {
    if (m->values[i].element > 0) continue;
    put_value(out, &m->values[i], rotary);
    for (int e = 1; m->values[i].element == 0; e++) {
      size_t k = 0;
      while (k < m->nvalues &&
             (m->values[k].element != e || strcmp(m->values[k].name, m->values[i].name) != 0))
        k++;
      if (k == m->nvalues) break;
      put_value(out, &m->values[k], rotary);
    }
  }
}

/* Every parameter of the model that is not at its default, for --set. */
static br_status put_set(br_sink *out, const br_fit_model *m, br_err *err)
{
  bri_buf b = {0};
  for (size_t i = 0; i < m->model->nparam; i++) {
    const br_param *row = &m->model->params[i];
    const size_t n = row->max_len > 1 ? (size_t)m->block[row->len_slot] : 1;
    if (row->choices || (n == 1 && row->max_len == 1 && m->block[row->slot] == row->def) || n == 0) continue;
    bri_buf_printf(&b, "%s%s=", b.used ? "," : "", row->name);
    for (size_t k = 0; k < n; k++) {
      if (k) bri_buf_text(&b, ",");
      bri_buf_number(&b, m->block[row->slot + k], "0");
    }
  }
  if (b.failed) return bri_text_fail(err, BR_E_NOMEM, -1, "fit: out of memory");
  br_put_text(out, b.text ? b.text : "", "set");
  bri_buf_free(&b);
  return BR_OK;
}

static void put_time(br_sink *out, double x, const char *path)
{
  const br_value v = {BR_VALUE_TIME, x, NULL, "s"};
  br_put_value(out, &v, path);
}

static void put_ranking(br_sink *out, const br_fit *fit)
{
  const br_fit_model *m = NULL;
  char path[64];
  for (size_t i = 0; (m = br_fit_at(fit, i)) != NULL; i++) {
    br_put_text(out, m->model->name, "ranking.%zu.model", i);
    br_put_number(out, "N", m->rmse_test, "ranking.%zu.rmse_test", i);
    br_put_number(out, "1", m->rel_test, "ranking.%zu.rel_test", i);
    br_put_number(out, "1", m->aic, "ranking.%zu.aic", i);
    br_put_number(out, "1", m->bic, "ranking.%zu.bic", i);
    (void)snprintf(path, sizeof path, "ranking.%zu.seconds", i);
    put_time(out, m->seconds, path);
  }
}

static void put_texts(br_sink *out, const question *q)
{
  const char *text = NULL;
  size_t n = 0;
  br_put(out, BR_VALUE_LIST, 0, "data");
  for (size_t i = 0; q->file && (text = br_record_note(q->file, i)) != NULL; i++)
    br_put_text(out, text, "data.%zu", n++);
  if (q->made)
    br_put_text(out, "made by a model, not measured: 1 % noise, an offset, positions in steps of 0.1 um",
                "data.%zu", n++);
  for (size_t i = 0; (text = br_fit_note(q->fit, i)) != NULL; i++) br_put_text(out, text, "data.%zu", n++);
  br_put(out, BR_VALUE_LIST, 0, "warnings");
  for (size_t i = 0; (text = br_fit_warning(q->fit, i)) != NULL; i++)
    br_put_text(out, text, "warnings.%zu", i);
}

static br_status put_curve(br_sink *out, const br_fit *fit, int rotary, br_err *err)
{
  const char *N = turned("N", rotary);
  const br_column COLUMNS[] = {{"t", "s", NULL},
                               {"u", turned("m", rotary), NULL},
                               {"v", turned("m/s", rotary), NULL},
                               {"F", N, NULL},
                               {"fitted", N, NULL},
                               {"residual", N, NULL}};
  const br_fit_curve c = br_fit_curves(fit);
  const br_table_head head = {"fit", BR_TABLE_MAIN | BR_TABLE_FILE, 6, COLUMNS, c.n, NULL, NULL, NULL, 0};
  br_status st = br_sink_wants(out, "fit") ? br_put_table(out, &head, err) : BR_OK;
  for (size_t k = 0; k < c.n && !st && br_sink_wants(out, "fit"); k++) {
    const double row[] = {c.t[k], c.u[k], c.v[k], c.F[k], c.fitted[k], c.F[k] - c.fitted[k]};
    st = br_put_row(out, row, err);
  }
  return st || !br_sink_wants(out, "fit") ? st : br_put_end(out, err);
}

static br_status answer(br_sink *out, const question *q, br_err *err)
{
  const br_fit_model *m = br_fit_at(q->fit, 0);
  br_put_text(out, m->model->name, "model");
  br_put_text(out, br_fit_reason(q->fit), "reason");
  put_values(out, m, q->rotary);
  const br_status st = put_set(out, m, err);
  if (st) return st;
  br_put_number(out, "N", m->rmse_train, "rmse_train");
  br_put_number(out, "N", m->rmse_test, "rmse_test");
  br_put_number(out, "1", m->rel_test, "rel_test");
  br_put_number(out, "1", m->effective, "effective_samples");
  br_put_number(out, "1", m->condition, "condition");
  put_time(out, m->seconds, "seconds");
  br_put_number(out, "1", (double)m->evaluations, "evaluations");
  put_ranking(out, q->fit);
  put_texts(out, q);
  return put_curve(out, q->fit, q->rotary, err);
}

static void release(question *q)
{
  br_fit_destroy(q->fit);
  br_record_destroy(q->file);
  bri_free(q->made);
  *q = (question){0};
}

static br_status fit_one(const br_job *job, const char *text, const br_sink *out, question *q, br_err *err)
{
  br_fit_options o = br_fit_options_default();
  br_status st = load(job, text, q, err);
  if (!st) st = bri_fit_part(job, "train", &q->r, o.train, err);
  if (!st) st = bri_fit_part(job, "test", &q->r, o.test, err);
  o.model = br_job_text(job, "model");
  o.extras = br_job_text(job, "extras");
  o.fix = br_job_text(job, "fix");
  o.free_names = br_job_text(job, "free");
  o.elements = br_job_count(job, "elements");
  o.bandwidth = br_job_number(job, "bandwidth");
  o.seed = (unsigned long)br_job_count(job, "seed");
  o.threads = (int)br_job_count(job, "threads");
  o.stop = out->stop;
  return st ? st : br_fit_create(&q->r, &o, &q->fit, err);
}

/* One of several: what is told of each. */
static void put_file(br_sink *out, size_t i, const char *text, const question *q)
{
  const br_fit_model *m = br_fit_at(q->fit, 0);
  br_put_text(out, text, "files.%zu.file", i);
  br_put_text(out, m->model->name, "files.%zu.model", i);
  br_put_number(out, "N", m->rmse_train, "files.%zu.rmse_train", i);
  br_put_number(out, "N", m->rmse_test, "files.%zu.rmse_test", i);
  br_put_number(out, "1", m->rel_test, "files.%zu.rel_test", i);
  for (size_t k = 0; k < m->nvalues; k++) {
    char at[16] = "";
    if (m->values[k].element >= 0) (void)snprintf(at, sizeof at, "%d", m->values[k].element + 1);
    br_put_number(out, m->values[k].unit, m->values[k].value, "files.%zu.values.%s%s", i, m->values[k].name,
                  at);
  }
}

/* Each file with parameters of its own; the first one's answer in full. */
static br_status run(const br_job *job, br_sink *out, br_err *err)
{
  const char *all = br_job_text(job, "file");
  const int several = strchr(all, '\n') != NULL;
  br_status st = BR_OK;
  for (size_t i = 0; *all && !st; i++) {
    const size_t n = strcspn(all, "\n");
    question q = {0};
    char *text = bri_malloc(n + 1);
    br_err why = {BR_OK, -1, ""};
    if (!text) return bri_text_fail(err, BR_E_NOMEM, -1, "fit: out of memory");
    memcpy(text, all, n), text[n] = '\0';
    st = fit_one(job, text, out, &q, &why);
    if (st && several) st = bri_text_fail(err, st, -1, "%.80s: %.160s", text, why.msg);
    else if (st) st = bri_text_fail(err, st, why.index, "%s", why.msg);
    if (!st && i == 0) st = answer(out, &q, err);
    if (!st && several) put_file(out, i, text, &q);
    release(&q);
    bri_free(text);
    all += n + (all[n] == '\n');
  }
  return st;
}

static const char TEXT[] =
    "Takes the motion of a record as given, predicts the force with a friction model and seeks the "
    "parameters by "
    "nonlinear least squares on the train part; the test part, which the fit does not see, judges. "
    "Derivatives are "
    "exact (complex step of the model's own kernel), additive terms (offset, viscous, stiffness, mass, load) "
    "are solved "
    "inside. Intervals of 95 % count the autocorrelation of the residual; parameters that the data cannot "
    "separate are "
    "named.\n\n"
    "Without --model every model is tried, and the one with the least error on unseen data is recommended; "
    "among those "
    "within 2 % of it the one with the least BIC.\n\n"
    "JSON: {model, reason, parameters: {NAME: {value, low, high, unit}}, set, rmse_train, rmse_test, "
    "rel_test, seconds, "
    "evaluations, ranking: [{model, rmse_test, rel_test, aic, bic, seconds}], data, warnings}.";

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
const br_analysis bri_analysis_fit = {
    .name = "fit",
    .summary = "parameters of a friction model from measured motion and force",
    .text = TEXT,
    .operand = "file",
    .tables = "fit",
    .options = OPTIONS,
    .noptions = COUNT(OPTIONS),
    .results = RESULTS,
    .nresults = COUNT(RESULTS),
    .picture = {PANELS, COUNT(PANELS)},
    .examples = EXAMPLES,
    .check = check,
    .run = run,
};
