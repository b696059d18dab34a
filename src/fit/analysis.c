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
#include "param/turns.h"
#include "sample.h"
#include "text/buf.h"
#include "text/fail.h"

/* ---- the record ---- */

enum { TIME, POSITION, FORCE_CHANNEL, VELOCITY, LOAD, POSITION_Y, FORCE_Y, VELOCITY_Y, CHANNELS };

/* The column of an option, "X,Y": of two axes one of each; names are kept in `room`. */
static void column(const br_job *job, const char *option, char room[2][80], br_channel *c, br_channel *y)
{
  const char *text = br_job_text(job, option), *comma = text && y ? strchr(text, ',') : NULL;
  if (text) c->column = text;
  if (!comma) return;
  (void)snprintf(room[0], 80, "%.*s", bri_text_width((size_t)(comma - text)), text);
  (void)snprintf(room[1], 80, "%s", comma + 1);
  *y = *c;
  c->column = room[0], y->column = room[1], y->optional = 0;
}

/* x and y of every sample one after the other. */
static void pairs(const br_record *file, size_t x, size_t y, double *to)
{
  const double *a = br_record_data(file, x), *b = br_record_data(file, y);
  for (size_t k = 0; k < br_record_rows(file); k++) to[2 * k] = a[k], to[2 * k + 1] = b[k];
}

static br_status pair_up(bri_fit_asked *q, int with_velocity, br_err *err)
{
  const size_t rows = 2 * br_record_rows(q->file);
  double *x = q->paired = bri_malloc_array(rows, (with_velocity ? 3 : 2) * sizeof *x);
  if (!x) return bri_no_memory(err, "fit");
  pairs(q->file, POSITION, POSITION_Y, x), pairs(q->file, FORCE_CHANNEL, FORCE_Y, x + rows);
  if (with_velocity) pairs(q->file, VELOCITY, VELOCITY_Y, x + 2 * rows);
  q->r.u = x, q->r.F = x + rows, q->r.v = with_velocity ? x + 2 * rows : NULL, q->r.axes = 2;
  return BR_OK;
}

br_status bri_fit_load(const br_job *job, const char *text, bri_fit_asked *q, br_err *err)
{
  if (bri_fit_is_sample(text)) return bri_fit_sample(text, &q->r, &q->made, err);
  const br_channel none = {.column = "-", .optional = 1};
  br_channel c[CHANNELS] = {br_channel_of(BR_ROLE_TIME),
                            br_channel_of(BR_ROLE_POSITION),
                            br_channel_of(BR_ROLE_FORCE),
                            br_channel_of(BR_ROLE_VELOCITY),
                            br_channel_of(BR_ROLE_LOAD),
                            none,
                            none,
                            none};
  char room[3][2][80];
  c[TIME].optional = 1;
  c[VELOCITY].column = c[LOAD].column = "-";
  c[VELOCITY].optional = c[LOAD].optional = 1;
  c[LOAD].unit = NULL; /* a pressure is as good */
  column(job, "time", NULL, &c[TIME], NULL), column(job, "load", NULL, &c[LOAD], NULL);
  column(job, "position", room[0], &c[POSITION], &c[POSITION_Y]);
  column(job, "force", room[1], &c[FORCE_CHANNEL], &c[FORCE_Y]);
  column(job, "velocity", room[2], &c[VELOCITY], &c[VELOCITY_Y]);
  const int axes = 1 + !c[POSITION_Y].optional, v = br_job_given(job, "velocity");
  if (axes != 1 + !c[FORCE_Y].optional || (v && axes != 1 + !c[VELOCITY_Y].optional))
    return bri_fail(err, BR_E_ARG,
                    "%sposition, %sforce and %svelocity: two columns of each for two axes (X,Y), or one",
                    br_job_dash(job), br_job_dash(job), br_job_dash(job));
  if (v) c[VELOCITY].optional = 0, c[POSITION].optional = !br_job_given(job, "position");
  if (br_job_given(job, "load")) c[LOAD].optional = 0;
  const br_status st = br_record_load(text, c, axes > 1 ? CHANNELS : POSITION_Y, NULL, &q->file, err);
  if (st) return bri_fit_told(st, err);
  br_unit unit;
  const char *written = br_record_unit(q->file, POSITION);
  q->rotary = written && written[0] && !br_unit_parse(written, strlen(written), &unit, NULL) &&
              unit.dim[BR_DIM_ANGLE] != 0;
  q->r = (br_fit_record){br_record_rows(q->file),
                         br_record_timed(q->file) ? br_record_data(q->file, TIME) : NULL,
                         br_record_data(q->file, POSITION),
                         br_record_data(q->file, FORCE_CHANNEL),
                         br_record_data(q->file, VELOCITY),
                         br_record_data(q->file, LOAD),
                         1};
  return axes > 1 ? pair_up(q, v, err) : BR_OK;
}

/* ---- check ---- */

static br_status check_extras(const br_job *job, br_err *err)
{
  static const char *const NAMES[] = {"offset",   "viscous", "stiffness", "mass",  "load",
                                      "backlash", "start",   "asymmetry", "drift", "none"};
  const char *list = br_job_text(job, "extras");
  for (const char *s = list ? list : ""; *s; s += strcspn(s, ","), s += *s == ',') {
    char name[32], hint[BRI_HINT];
    size_t i = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(s, ","), s);
    while (i < sizeof NAMES / sizeof NAMES[0] && strcmp(NAMES[i], name) != 0) i++;
    if (i == sizeof NAMES / sizeof NAMES[0])
      return bri_fail(
          err, BR_E_NAME, "%sextras: unknown term '%s'%s", br_job_dash(job), name,
          bri_hint(name, NAMES, i,
                   "; offset, viscous, stiffness, mass, load, backlash, start, asymmetry, drift or none",
                   hint));
  }
  return BR_OK;
}

br_status bri_fit_check(const br_job *job, br_err *err)
{
  size_t part[2];
  if (br_job_flag(job, "design")) return bri_fit_design_check(job, err);
  if (!br_job_text(job, "file"))
    return bri_text_fail(err, BR_E_ARG, 0, "FILE is missing, e.g. 'bristle fit run.csv --model dahl'");
  br_status st = check_extras(job, err);
  if (!st) st = bri_fit_outputs_check(job, err);
  if (!st && br_job_text(job, "system")) st = bri_fit_motion_check(job, err);
  const char *ends = br_job_text(job, "intervals"), *with = br_job_text(job, "system")      ? "system"
                                                            : br_job_given(job, "shared")   ? "shared"
                                                            : br_job_given(job, "per-file") ? "per-file"
                                                                                            : NULL;
  if (!st && ends && strcmp(ends, "profile") == 0 && with)
    st = bri_fail(err, BR_E_UNSUPPORTED,
                  "%sintervals profile: not with %s%s, which have those of the covariance", br_job_dash(job),
                  br_job_dash(job), with);
  if (!st) st = bri_fit_part(job, "train", NULL, part, err);
  return st ? st : bri_fit_part(job, "test", NULL, part, err);
}

/* ---- the answer ---- */

/* The unit of the same quantity in rotation: rad for m, N m for N. */
const char *bri_fit_turned(const char *unit, int rotary) { return rotary ? bri_unit_turned(unit) : unit; }

static void put_value(br_sink *out, const br_fit_value *v, int rotary)
{
  const char *unit = bri_fit_turned(v->unit, rotary);
  char at[16] = "";
  if (v->element >= 0) (void)snprintf(at, sizeof at, ".%d", v->element);
  br_put_number(out, unit, v->value, "parameters.%s.value%s", v->name, at);
  br_put_number(out, unit, v->low, "parameters.%s.low%s", v->name, at);
  br_put_number(out, unit, v->high, "parameters.%s.high%s", v->name, at);
  if (v->element <= 0) br_put_text(out, unit, "parameters.%s.unit", v->name);
}

/* Vectors may stand in any order: one value after the other, element by element. */
void bri_fit_put_values(br_sink *out, const br_fit_value *values, size_t n, int rotary)
{
  for (size_t i = 0; i < n; i++) {
    if (values[i].element > 0) continue;
    put_value(out, &values[i], rotary);
    for (int e = 1; values[i].element == 0; e++) {
      size_t k = 0;
      while (k < n && (values[k].element != e || strcmp(values[k].name, values[i].name) != 0)) k++;
      if (k == n) break;
      put_value(out, &values[k], rotary);
    }
  }
}

/* Every parameter of the model that is not at its default, for --set. */
br_status bri_fit_put_set(br_sink *out, const br_fit_model *m, br_err *err)
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
  if (b.failed) return bri_no_memory(err, "fit");
  br_put_text(out, b.text ? b.text : "", "set");
  bri_buf_free(&b);
  return BR_OK;
}

void bri_fit_put_time(br_sink *out, double x, const char *path)
{
  const br_value v = {BR_VALUE_TIME, x, NULL, "s"};
  br_put_value(out, &v, path);
}

void bri_fit_put_rank(br_sink *out, size_t i, const char *unit, const bri_fit_rank *r)
{
  char path[64];
  br_put_text(out, r->model->name, "ranking.%zu.model", i);
  br_put_number(out, unit, r->why ? NAN : r->rmse_test, "ranking.%zu.rmse_test", i);
  br_put_number(out, "1", r->why ? NAN : r->rel_test, "ranking.%zu.rel_test", i);
  br_put_number(out, "1", r->why ? NAN : r->aic, "ranking.%zu.aic", i);
  br_put_number(out, "1", r->why ? NAN : r->bic, "ranking.%zu.bic", i);
  (void)snprintf(path, sizeof path, "ranking.%zu.seconds", i);
  bri_fit_put_time(out, r->why ? NAN : r->seconds, path);
  if (r->why) br_put_text(out, r->why, "ranking.%zu.left_out", i);
}

static void put_ranking(br_sink *out, const br_fit *fit, const char *N)
{
  const br_fit_model *m = NULL;
  bri_fit_rank lost = {0};
  size_t i = 0;
  for (; (m = br_fit_at(fit, i)) != NULL; i++) {
    const bri_fit_rank r = {m->model, m->rmse_test, m->rel_test, m->aic, m->bic, m->seconds, NULL};
    bri_fit_put_rank(out, i, N, &r);
  }
  for (size_t k = 0; (lost.why = br_fit_left_out(fit, k, &lost.model)) != NULL; k++)
    bri_fit_put_rank(out, i + k, N, &lost);
}

static void put_texts(br_sink *out, const bri_fit_asked *q)
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

br_status bri_fit_put_curve(br_sink *out, br_fit_curve c, const bri_fit_asked *q, br_err *err)
{
  const int timed = !q->file || br_record_timed(q->file), rotary = q->rotary;
  const char *name = timed ? "fit" : "fit_path";
  const char *N = bri_fit_turned("N", rotary), *m = bri_fit_turned("m", rotary),
             *speed = bri_fit_turned(timed ? "m/s" : "m", rotary);
  const char *along = timed ? "t" : "row", *unit = timed ? "s" : "1";
  const br_column COLUMNS[] = {{along, unit}, {"u", m},        {"v", speed},     {"F", N},
                               {"fitted", N}, {"residual", N}, {"u_y", m},       {"v_y", speed},
                               {"F_y", N},    {"fitted_y", N}, {"residual_y", N}};
  const size_t s = c.axes, n = 1 + 5 * s;
  const br_table_head head = {name, BR_TABLE_MAIN | BR_TABLE_FILE, n, COLUMNS, c.n};
  br_status st = br_sink_wants(out, name) ? br_put_table(out, &head, err) : BR_OK;
  for (size_t k = 0; k < c.n && !st && br_sink_wants(out, name); k++) {
    double row[sizeof COLUMNS / sizeof COLUMNS[0]] = {c.t[s * k]};
    for (size_t a = 0, i = s * k; a < s; a++, i++) {
      const double five[] = {c.u[i], c.v[i], c.F[i], c.fitted[i], c.F[i] - c.fitted[i]};
      for (size_t f = 0; f < 5; f++) row[1 + 5 * a + f] = five[f] + 0.0; /* no -0 of a force turned round */
    }
    st = br_put_row(out, row, err);
  }
  return st || !br_sink_wants(out, name) ? st : br_put_end(out, err);
}

static br_status answer(br_sink *out, const bri_fit_asked *q, br_err *err)
{
  const br_fit_model *m = br_fit_at(q->fit, 0);
  const char *N = bri_fit_turned("N", q->rotary);
  br_put_text(out, m->model->name, "model");
  br_put_text(out, br_fit_reason(q->fit), "reason");
  br_put(out, BR_VALUE_OBJECT, 0, "parameters");
  bri_fit_put_values(out, m->values, m->nvalues, q->rotary);
  const br_status st = bri_fit_put_set(out, m, err);
  if (st) return st;
  br_put_number(out, N, m->rmse_train, "rmse_train");
  br_put_number(out, N, m->rmse_test, "rmse_test");
  br_put_number(out, "1", m->rel_test, "rel_test");
  br_put_number(out, "1", m->effective, "effective_samples");
  br_put_number(out, "1", m->condition, "condition");
  bri_fit_put_time(out, m->seconds, "seconds");
  br_put_number(out, "1", (double)m->evaluations, "evaluations");
  put_ranking(out, q->fit, N);
  put_texts(out, q);
  return bri_fit_put_curve(out, br_fit_curves(q->fit), q, err);
}

void bri_fit_release(bri_fit_asked *q)
{
  br_fit_destroy(q->fit);
  br_record_destroy(q->file);
  bri_free(q->made);
  bri_free(q->paired);
  *q = (bri_fit_asked){0};
}

br_fit_options bri_fit_options_of(const br_job *job, const br_sink *out)
{
  br_fit_options o = br_fit_options_default();
  o.model = br_job_text(job, "model");
  o.extras = br_job_text(job, "extras");
  o.fix = br_job_text(job, "fix");
  o.guess = br_job_text(job, "guess");
  o.loss = br_job_text(job, "loss");
  o.intervals = br_job_text(job, "intervals");
  o.free_names = br_job_text(job, "free");
  o.elements = br_job_count(job, "elements");
  o.bandwidth = br_job_number(job, "bandwidth");
  o.seed = (unsigned long)br_job_count(job, "seed");
  o.threads = (int)br_job_count(job, "threads");
  o.stop = out->stop;
  return o;
}

/* The record as a number. */
static uint64_t record_hash(uint64_t h, const br_fit_record *r)
{
  const double *const columns[] = {r->t, r->load, r->u, r->F, r->v};
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    h = columns[i] ? bri_fit_hash(h, columns[i], (i < 2 ? 1 : r->axes) * r->n * sizeof(double))
                   : bri_fit_hash(h, "-", 1);
  return h;
}

/* state (NULL: none is kept): where --resume says so, that of this record. */
static br_status fit_one(const br_job *job, const char *text, br_sink *out, bri_fit_state **state,
                         bri_fit_asked *q, br_err *err)
{
  br_fit_options o = bri_fit_options_of(job, out);
  br_fit_memory memory;
  br_status st = bri_fit_load(job, text, q, err);
  if (!st) st = bri_fit_part(job, "train", &q->r, o.train, err);
  if (!st) st = bri_fit_part(job, "test", &q->r, o.test, err);
  if (!st && state) st = bri_fit_resume(job, record_hash(bri_fit_question(job), &q->r), out, state, err);
  if (!st && state && *state) memory = bri_fit_state_memory(*state), o.memory = &memory;
  return st ? st : br_fit_create(&q->r, &o, &q->fit, err);
}

/* Files beside the answer. */
static br_status leave(const br_job *job, const char *text, const bri_fit_asked *q, br_err *err)
{
  const br_fit_model *m = br_fit_at(q->fit, 0);
  const br_fit_curve c = br_fit_curves(q->fit);
  char steps[80] = "", left[160] = "";
  size_t k = 0, used = 0;
  br_status st = bri_fit_write_header(job, m->model, m->block, err);
  if (st || !br_job_text(job, "study")) return st;
  if (c.axes > 1)
    return bri_fail(err, BR_E_UNSUPPORTED, "study: a record of two axes moves no 'bristle trace'");
  while (k + 1 < c.n && q->r.F[k] == 0) k++;
  const int flipped = c.F[k] == -q->r.F[k] && c.F[k] != 0;
  if (flipped) (void)snprintf(steps, sizeof steps, "|scale:-1");
  for (size_t i = 0; i < m->nvalues && used < sizeof left; i++) {
    const br_fit_value *v = &m->values[i];
    if (v->extra && strcmp(v->name, "offset") == 0)
      (void)snprintf(steps + strlen(steps), sizeof steps - strlen(steps), "|offset:%.9g%s", -v->value,
                     bri_fit_turned("N", q->rotary));
    else if (v->extra)
      used += (size_t)snprintf(left + used, sizeof left - used, "%s%s = %.4g %s", used ? ", " : "", v->name,
                               v->value, bri_fit_turned(v->unit, q->rotary));
  }
  const bri_fit_study s = {.model = m->model,
                           .model_block = m->block,
                           .record = text,
                           .time = br_record_timed(q->file) ? br_record_name(q->file, TIME) : NULL,
                           .input = br_record_name(q->file, POSITION),
                           .measured = br_record_name(q->file, FORCE_CHANNEL),
                           .input_steps = "",
                           .measured_steps = steps,
                           .left_out = used ? left : NULL,
                           .t_end = c.t[c.n - 1]};
  if (!s.input)
    return bri_fail(err, BR_E_ARG, "study: the record has no position, which 'bristle trace' moves by");
  return bri_fit_write_study(job, &s, err);
}

/* One of several: what is told of each. */
void bri_fit_put_file(br_sink *out, size_t i, const char *text, const br_fit_model *m, int rotary,
                      int intervals)
{
  const char *N = bri_fit_turned("N", rotary);
  br_put_text(out, text, "files.%zu.file", i);
  br_put_text(out, m->model->name, "files.%zu.model", i);
  br_put_number(out, N, m->rmse_train, "files.%zu.rmse_train", i);
  br_put_number(out, N, m->rmse_test, "files.%zu.rmse_test", i);
  br_put_number(out, "1", m->rel_test, "files.%zu.rel_test", i);
  for (size_t k = 0; k < m->nvalues; k++) {
    const br_fit_value *v = &m->values[k];
    const char *unit = bri_fit_turned(v->unit, rotary);
    char at[16] = "";
    if (v->element >= 0) (void)snprintf(at, sizeof at, "%d", v->element + 1);
    br_put_number(out, unit, v->value, "files.%zu.values.%s%s", i, v->name, at);
    if (!intervals) continue;
    br_put_number(out, unit, v->low, "files.%zu.low.%s%s", i, v->name, at);
    br_put_number(out, unit, v->high, "files.%zu.high.%s%s", i, v->name, at);
  }
}

/* One of several: fitted, or as it was found before a stop; the first one is fitted anyway, its answer stands
 * in full. */
static br_status one_of_several(const br_job *job, const char *text, size_t i, bri_fit_state *state,
                                br_sink *out, br_err *err)
{
  bri_fit_asked q = {0};
  br_fit_value values[72];
  br_fit_model m;
  char *room = NULL;
  br_status st = bri_fit_load(job, text, &q, err);
  const uint64_t record = st || !state ? 0 : record_hash(1, &q.r);
  if (!st && i && state &&
      bri_fit_state_get_file(state, i, record, &room, values, sizeof values / sizeof values[0], &m)) {
    bri_fit_put_file(out, i, text, &m, q.rotary, 0);
  } else {
    bri_fit_release(&q);
    if (!st) st = fit_one(job, text, out, NULL, &q, err);
    if (!st && i == 0) st = answer(out, &q, err);
    if (!st) bri_fit_put_file(out, i, text, br_fit_at(q.fit, 0), q.rotary, 0);
    if (!st && state) st = bri_fit_state_put_file(state, i, record, br_fit_at(q.fit, 0), err);
  }
  bri_free(room);
  bri_fit_release(&q);
  return st;
}

/* Each file with parameters of its own; the first one's answer in full. */
br_status bri_fit_run(const br_job *job, br_sink *out, br_err *err)
{
  if (br_job_flag(job, "design")) return bri_fit_design_run(job, out, err);
  if (br_job_text(job, "shared") || br_job_text(job, "per-file")) return bri_fit_joint_run(job, out, err);
  const char *all = br_job_text(job, "file");
  const int several = strchr(all, '\n') != NULL, system = br_job_text(job, "system") != NULL;
  bri_fit_state *state = NULL;
  br_status st = several ? bri_fit_resume(job, bri_fit_question(job), out, &state, err) : BR_OK;
  for (size_t i = 0; *all && !st; i++) {
    const size_t n = strcspn(all, "\n");
    bri_fit_asked q = {0};
    char *text = bri_copy_n(all, n);
    br_err why = {BR_OK, -1, ""};
    if (!text) {
      st = bri_no_memory(err, "fit");
      break;
    }
    if (system && several) st = bri_fail(&why, BR_E_UNSUPPORTED, "with a mechanism one file at a time");
    else if (system) st = bri_fit_motion_run(job, text, out, &why);
    else if (several) st = one_of_several(job, text, i, state, out, &why);
    else st = fit_one(job, text, out, &state, &q, &why);
    if (!st && q.fit) st = answer(out, &q, &why);
    if (!st && q.fit) st = leave(job, text, &q, &why);
    if (st && several) st = bri_fail(err, st, "%.80s: %.160s", text, why.msg);
    else if (st) st = bri_text_fail(err, st, why.index, "%s", why.msg);
    bri_fit_release(&q);
    bri_free(text);
    all += n + (all[n] == '\n');
  }
  bri_fit_state_close(state, !st);
  return st;
}
