/* SPDX-License-Identifier: Apache-2.0
 * analysis_motion.c - analysis 'fit' with a mechanism: its input is in the record, its motion is predicted.
 * */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis_parts.h"
#include "base/alloc.h"
#include "bristle/mechanism.h"
#include "bristle/record.h"
#include "bristle/text.h"
#include "fit.h"
#include "sample.h"
#include "text/buf.h"
#include "text/fail.h"

enum { NAME = 48, COLUMN = 96, MOST = BR_MOTION_CHANNELS };

typedef struct {
  const br_system *sys;
  br_mechanism *text;
  br_record *file;
  double *made; /* columns of a sample */
  br_channel channel[BR_RECORD_CHANNELS];
  size_t nchannel;
  char column[BR_RECORD_CHANNELS][COLUMN], names[MOST][NAME];
  size_t input_at[8]; /* channel of each input; 0: held */
  size_t measured_at[MOST];
  const double *inputs[8];
  br_motion_channel measured[MOST];
  br_motion_record r;
  br_motion_fit *fit;
} question;

/* *text: the mechanism of a file, which the caller destroys. */
static br_status find_system(const br_job *job, const br_system **sys, br_mechanism **text, br_err *err)
{
  const char *name = br_job_text(job, "system"), *names[32];
  char hint[BRI_HINT];
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  *sys = br_system_find(name);
  if (br_mechanism_named(name)) {
    const br_status st = br_mechanism_load(name, text, err);
    if (st) return st;
    *sys = br_mechanism_system(*text);
    if ((*sys)->slots > BRI_FIT_SLOTS || (*sys)->max_contact != 1)
      return bri_fail(err, BR_E_SIZE, "fit: %s is too large, or has not one contact", (*sys)->name);
  }
  for (size_t i = 0; i < n && i < 32; i++) names[i] = all[i]->name;
  if (*sys && (*sys)->ninput <= 8) return BR_OK;
  return bri_fail(err, BR_E_NAME, "unknown system '%.60s'%s", name,
                  bri_hint(name, names, n < 32 ? n : 32, "; 'bristle systems' lists them", hint));
}

br_status bri_fit_motion_check(const br_job *job, br_err *err)
{
  const br_system *sys = NULL;
  br_mechanism *text = NULL;
  const br_status st = find_system(job, &sys, &text, err);
  br_mechanism_destroy(text);
  return st;
}

/* ---- columns ---- */

static br_status add(question *q, br_channel c, const char *column, size_t len, size_t *at, br_err *err)
{
  if (q->nchannel >= BR_RECORD_CHANNELS || len >= COLUMN)
    return bri_fail(err, BR_E_SIZE, "fit: too many columns, or a name too long");
  if (column) (void)snprintf(q->column[q->nchannel], COLUMN, "%.*s", (int)len, column);
  c.column = column ? q->column[q->nchannel] : c.column;
  *at = q->nchannel;
  q->channel[q->nchannel++] = c;
  return BR_OK;
}

/* One item "NAME=COL" or "COL" of a list; returns where the next begins. */
static const char *item(const char *s, char *name, const char **column, size_t *len)
{
  const size_t n = strcspn(s, ",");
  const char *equal = memchr(s, '=', n);
  name[0] = '\0';
  if (equal) (void)snprintf(name, NAME, "%.*s", (int)(equal - s < NAME ? equal - s : NAME - 1), s);
  *column = equal ? equal + 1 : s;
  *len = n - (size_t)(*column - s);
  return s + n + (s[n] == ',');
}

/* The inputs of the mechanism: columns of --drive (--force for one that is a force), or the one whose unit
 * fits. */
static br_status add_inputs(const br_job *job, question *q, br_err *err)
{
  const char *text = br_job_text(job, "drive"), *force = br_job_text(job, "force"), *names[8];
  char hint[BRI_HINT];
  br_status st = BR_OK;
  for (size_t i = 0; i < q->sys->ninput; i++) names[i] = q->sys->inputs[i].name;
  if (!text && force) text = force;
  if (!text && q->sys->ninput > 1)
    return bri_fail(err, BR_E_ARG, "%sdrive is missing: %s has several inputs, write %sdrive %s=COL",
                    br_job_dash(job), q->sys->name, br_job_dash(job), names[0]);
  for (const char *s = text ? text : ""; (!text || *s) && !st;) {
    char name[NAME] = "";
    const char *column = NULL;
    size_t len = 0, k = 0;
    if (text) s = item(s, name, &column, &len);
    while (name[0] && k < q->sys->ninput && strcmp(names[k], name) != 0) k++;
    if (k == q->sys->ninput)
      return bri_fail(err, BR_E_NAME, "%sdrive: %s has no input '%s'%s", br_job_dash(job), q->sys->name, name,
                      bri_hint(name, names, q->sys->ninput, "", hint));
    if (q->input_at[k])
      return bri_fail(err, BR_E_ARG, "%sdrive: input '%s' is given twice", br_job_dash(job), names[k]);
    const br_channel like = br_channel_of(BR_ROLE_FORCE);
    const int is_force = strcmp(q->sys->inputs[k].unit, "N") == 0;
    st = add(q,
             (br_channel){names[k], q->sys->inputs[k].unit, (q->sys->flags & BR_SYSTEM_ROTARY) != 0,
                          is_force ? like.names : names[k], NULL, 0},
             column, len, &q->input_at[k], err);
    if (!text) break;
  }
  return st;
}

static br_status add_measured(const br_job *job, question *q, int velocity, br_err *err)
{
  const char *text = br_job_text(job, "measured"), *x = br_job_text(job, "position"),
             *v = br_job_text(job, "velocity");
  br_status st = BR_OK;
  size_t n = 0;
  const int any = text || x || v;
  br_channel c = br_channel_of(BR_ROLE_POSITION);
  c.optional = !x;
  if (x || (!any && !velocity)) {
    st = add(q, c, x, x ? strlen(x) : 0, &q->measured_at[n], err);
    (void)snprintf(q->names[n++], NAME, "position");
  }
  c = br_channel_of(BR_ROLE_VELOCITY);
  if (!st && (v || (!any && velocity))) {
    st = add(q, c, v, v ? strlen(v) : 0, &q->measured_at[n], err);
    (void)snprintf(q->names[n++], NAME, "velocity");
  }
  for (const char *s = text ? text : ""; *s && !st;) {
    char name[NAME];
    const char *column = NULL;
    size_t len = 0;
    s = item(s, name, &column, &len);
    if (!name[0] || !len)
      return bri_fail(err, BR_E_PARSE, "%smeasured = %.60s: expected STATE=COLUMN,...", br_job_dash(job),
                      text);
    if (n == MOST) return bri_fail(err, BR_E_SIZE, "%smeasured: at most %d", br_job_dash(job), MOST);
    (void)snprintf(q->names[n], NAME, "%s", name);
    st = add(q, (br_channel){q->names[n], NULL, 1, NULL, NULL, 0}, column, len, &q->measured_at[n], err);
    n++;
  }
  q->r.nmeasured = n;
  return st;
}

static br_status sample(const char *text, question *q, br_err *err)
{
  size_t n = 0;
  const br_status st = bri_fit_motion_sample(text, q->sys, &n, &q->made, NULL, NULL, err);
  q->inputs[0] = q->made + n;
  (void)snprintf(q->names[0], NAME, "position");
  q->measured[0] = (br_motion_channel){q->names[0], q->made + 2 * n};
  q->r = (br_motion_record){n, q->made, q->sys, q->inputs, q->measured, 1};
  return st;
}

static br_status load(const br_job *job, const char *text, question *q, int velocity, br_err *err)
{
  size_t at = 0;
  if (bri_fit_is_sample(text)) return sample(text, q, err);
  const char *time = br_job_text(job, "time");
  q->nchannel = 0, memset(q->input_at, 0, sizeof q->input_at);
  br_status st = add(q, br_channel_of(BR_ROLE_TIME), time, time ? strlen(time) : 0, &at, err);
  if (!st) st = add_inputs(job, q, err);
  if (!st) st = add_measured(job, q, velocity, err);
  if (!st) st = bri_fit_told(br_record_load(text, q->channel, q->nchannel, NULL, &q->file, err), err);
  if (st) return st;
  for (size_t i = 0; i < q->r.nmeasured; i++) {
    q->measured[i] = (br_motion_channel){q->names[i], br_record_data(q->file, q->measured_at[i])};
    if (q->measured[i].y) continue;
    br_record_destroy(q->file);
    q->file = NULL;
    return load(job, text, q, 1, err); /* no position: then a velocity */
  }
  if (!br_record_timed(q->file)) return bri_fail(err, BR_E_ARG, "fit: a motion needs a time");
  for (size_t k = 0; k < q->sys->ninput; k++)
    q->inputs[k] = q->input_at[k] ? br_record_data(q->file, q->input_at[k]) : NULL;
  q->r.n = br_record_rows(q->file), q->r.t = br_record_data(q->file, 0), q->r.system = q->sys;
  q->r.inputs = q->inputs, q->r.measured = q->measured;
  return BR_OK;
}

/* ---- the answer ---- */

static void put_set_of(bri_buf *b, const br_param *rows, size_t n, const double *block, int all)
{
  for (size_t i = 0; i < n; i++) {
    const br_param *row = &rows[i];
    const size_t len = row->max_len > 1 ? (size_t)block[row->len_slot] : 1;
    if (row->choices || len == 0 || (!all && row->max_len == 1 && block[row->slot] == row->def)) continue;
    bri_buf_printf(b, "%s%s=", b->used ? "," : "", row->name);
    for (size_t k = 0; k < len; k++) {
      if (k) bri_buf_text(b, ",");
      bri_buf_number(b, block[row->slot + k], "0");
    }
  }
}

static br_status put_curve(const question *q, br_sink *out, br_err *err)
{
  br_column columns[2 + 3 * MOST];
  char names[3 * MOST][NAME + 12];
  size_t n = 0, in = 0;
  if (!br_sink_wants(out, "motion")) return BR_OK;
  while (in + 1 < q->sys->ninput && !q->inputs[in]) in++;
  columns[n++] = (br_column){"t", "s", NULL};
  columns[n++] = (br_column){"w", q->sys->inputs[in].unit, NULL};
  for (size_t c = 0; c < q->r.nmeasured; c++)
    for (int k = 0; k < 3; k++) {
      static const char *const WHAT[] = {"measured", "fitted", "residual"};
      if (c) (void)snprintf(names[3 * c + (size_t)k], sizeof names[0], "%s_%s", WHAT[k], q->names[c]);
      columns[n++] = (br_column){c ? names[3 * c + (size_t)k] : WHAT[k], br_motion_fit_unit(q->fit, c), NULL};
    }
  size_t rows = 0;
  const double *first = br_motion_fit_curve(q->fit, 0);
  for (size_t k = 0; k < q->r.n; k++) rows += !isnan(first[k]);
  const br_table_head head = {"motion", BR_TABLE_MAIN | BR_TABLE_FILE, n, columns, rows};
  br_status st = br_put_table(out, &head, err);
  for (size_t k = 0; k < q->r.n && !st; k++) {
    double row[2 + 3 * MOST] = {q->r.t[k], q->inputs[in] ? q->inputs[in][k] : 0};
    if (isnan(first[k])) continue; /* neither train nor test */
    for (size_t c = 0; c < q->r.nmeasured; c++) {
      const double y = q->measured[c].y[k], fitted = br_motion_fit_curve(q->fit, c)[k];
      row[2 + 3 * c] = y, row[3 + 3 * c] = fitted, row[4 + 3 * c] = y - fitted;
    }
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

static void put_texts(const question *q, br_sink *out)
{
  const char *text = NULL;
  size_t n = 0;
  br_put(out, BR_VALUE_LIST, 0, "data");
  if (q->made)
    br_put_text(
        out, "made by the solver, not measured: noise of a ten-thousandth of the stroke, positions in steps",
        "data.%zu", n++);
  for (size_t i = 0; q->file && (text = br_record_note(q->file, i)) != NULL; i++)
    br_put_text(out, text, "data.%zu", n++);
  for (size_t i = 0; (text = br_motion_fit_note(q->fit, i)) != NULL; i++)
    br_put_text(out, text, "data.%zu", n++);
  br_put(out, BR_VALUE_LIST, 0, "warnings");
  for (size_t i = 0; (text = br_motion_fit_warning(q->fit, i)) != NULL; i++)
    br_put_text(out, text, "warnings.%zu", i);
}

static void put_ranking(const question *q, br_sink *out)
{
  const br_motion_model *m = NULL;
  const char *unit = br_motion_fit_unit(q->fit, 0);
  bri_fit_rank lost = {0};
  size_t i = 0;
  for (; (m = br_motion_fit_at(q->fit, i)) != NULL; i++) {
    const bri_fit_rank r = {m->model, m->rmse_test, m->rel_test, m->aic, m->bic, m->seconds, NULL};
    bri_fit_put_rank(out, i, unit, &r);
  }
  for (size_t k = 0; (lost.why = br_motion_fit_left_out(q->fit, k, &lost.model)) != NULL; k++)
    bri_fit_put_rank(out, i + k, unit, &lost);
}

static br_status answer(const question *q, br_sink *out, br_err *err)
{
  const br_motion_model *m = br_motion_fit_at(q->fit, 0);
  const char *unit = br_motion_fit_unit(q->fit, 0);
  const int rotary = (q->sys->flags & BR_SYSTEM_ROTARY) != 0;
  char reason[160];
  bri_buf set = {0};
  br_put_text(out, m->model->name, "model");
  br_put_text(out, q->sys->name, "system");
  if (br_motion_fit_at(q->fit, 1))
    (void)snprintf(reason, sizeof reason,
                   "%s has the least error on unseen data: %.4g %s, %.3g %% of its spread", m->model->name,
                   m->rmse_test, unit, 100 * m->rel_test);
  else (void)snprintf(reason, sizeof reason, "%s was asked for, in %s", m->model->name, q->sys->name);
  br_put_text(out, reason, "reason");
  size_t own = 0; /* those of the mechanism have its units */
  while (own < m->nvalues && br_model_param(m->model, m->values[own].name)) own++;
  br_put(out, BR_VALUE_OBJECT, 0, "parameters");
  bri_fit_put_values(out, m->values, own, rotary);
  bri_fit_put_values(out, m->values + own, m->nvalues - own, 0);
  put_set_of(&set, q->sys->params, q->sys->nparam, m->system_block, 1);
  put_set_of(&set, m->model->params, m->model->nparam, m->model_block, 0);
  if (set.failed) return bri_no_memory(err, "fit");
  br_put_text(out, set.text ? set.text : "", "set");
  bri_buf_free(&set);
  br_put_number(out, unit, m->rmse_train, "rmse_train");
  br_put_number(out, unit, m->rmse_test, "rmse_test");
  br_put_number(out, "1", m->rel_test, "rel_test");
  br_put_number(out, unit, m->rmse_free, "rmse_free");
  br_put_number(out, "1", (double)m->pieces, "shooting.pieces");
  br_put_number(out, "s", m->window, "shooting.window");
  br_put_text(out, q->names[0], "shooting.of");
  br_put_number(out, "1", m->effective, "effective_samples");
  br_put_number(out, "1", m->condition, "condition");
  bri_fit_put_time(out, m->seconds, "seconds");
  br_put_number(out, "1", (double)m->evaluations, "evaluations");
  put_ranking(q, out);
  put_texts(q, out);
  return put_curve(q, out, err);
}

/* Files beside the answer.  A driven block whose position was measured is shown as a mass without a spring,
 * which has one. */
static br_status leave(const br_job *job, const char *text, const question *q, br_err *err)
{
  const br_motion_model *m = br_motion_fit_at(q->fit, 0);
  const br_system *sys = q->sys, *with_x = br_system_find("mass_spring");
  char steps[80] = "", init[200] = "", state[NAME] = "";
  double block[64] = {0};
  size_t in = 0, used = 0;
  br_status st = bri_fit_write_header(job, m->model, m->model_block, err);
  if (st || !br_job_text(job, "study")) return st;
  const int seen = strcmp(q->names[0], "position") == 0,
            block_alone = seen && strcmp(sys->name, "driven_block") == 0;
  const double *spar = m->system_block;
  if (block_alone) {
    sys = with_x, with_x->defaults(block),
    block[with_x->params[0].slot] = m->system_block[q->sys->params[0].slot];
    block[with_x->params[1].slot] = 0, spar = block;
  }
  while (in + 1 < q->sys->ninput && !q->inputs[in]) in++;
  for (size_t i = 0; i < m->nvalues; i++)
    if (m->values[i].extra)
      (void)snprintf(steps, sizeof steps, "|offset:%.9g%s", m->values[i].value, m->values[i].unit);
  for (size_t i = 0; i < sys->nrows && sys->states[i].max_len <= 1 && used < sizeof init; i++) {
    const size_t from = block_alone ? 1 - i : i; /* v, x against x, v */
    used += (size_t)snprintf(init + used, sizeof init - used, "%s%s: %.9g", i ? ", " : "",
                             sys->states[i].name, m->start[from]);
  }
  for (size_t i = 0; i < sys->nrows && !state[0]; i++) {
    const char *unit = sys->states[i].unit;
    const int position = strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0;
    const int speed = strcmp(unit, "m/s") == 0 || strcmp(unit, "rad/s") == 0;
    if ((seen && position && !(sys->flags & BR_SYSTEM_FREE)) ||
        (strcmp(q->names[0], "velocity") == 0 && speed) || strcmp(q->names[0], sys->states[i].name) == 0)
      (void)snprintf(state, sizeof state, "%s", sys->states[i].name);
  }
  const bri_fit_study s = {.model = m->model,
                           .model_block = m->model_block,
                           .system = sys,
                           .system_block = spar,
                           .system_file = q->text ? br_job_text(job, "system") : NULL,
                           .record = text,
                           .time = br_record_name(q->file, 0),
                           .input = br_record_name(q->file, q->input_at[in]),
                           .measured = state[0] ? br_record_name(q->file, q->measured_at[0]) : NULL,
                           .state = state,
                           .input_steps = steps,
                           .measured_steps = "",
                           .init = used ? init : NULL,
                           .t_end = q->r.t[q->r.n - 1]};
  return bri_fit_write_study(job, &s, err);
}

/* Options and record as one number. */
static uint64_t question_of(const br_job *job, const question *q)
{
  uint64_t h = bri_fit_question(job);
  const size_t bytes = q->r.n * sizeof(double);
  h = bri_fit_hash(h, q->r.t, bytes);
  for (size_t k = 0; k < q->sys->ninput; k++)
    if (q->inputs[k]) h = bri_fit_hash(h, q->inputs[k], bytes);
  for (size_t c = 0; c < q->r.nmeasured; c++) h = bri_fit_hash(h, q->measured[c].y, bytes);
  return h;
}

br_status bri_fit_motion_run(const br_job *job, const char *text, br_sink *out, br_err *err)
{
  br_motion_options o = br_motion_options_default();
  question *q = bri_calloc(1, sizeof *q);
  if (!q) return bri_no_memory(err, "fit");
  br_status st = find_system(job, &q->sys, &q->text, err);
  if (!st) st = load(job, text, q, 0, err);
  const br_fit_record r = {.n = q->r.n, .t = q->r.t};
  if (!st) st = bri_fit_part(job, "train", &r, o.train, err);
  if (!st) st = bri_fit_part(job, "test", &r, o.test, err);
  const char *extras = br_job_text(job, "extras");
  o.model = br_job_text(job, "model");
  o.fix = br_job_text(job, "fix"), o.start = br_job_text(job, "start"),
  o.free_names = br_job_text(job, "free");
  o.no_bias = extras && strcmp(extras, "none") == 0;
  o.elements = br_job_count(job, "elements");
  o.window = br_job_given(job, "window") ? br_job_number(job, "window") : -1;
  o.hold = br_job_flag(job, "hold");
  o.threads = (int)br_job_count(job, "threads");
  o.stop = out->stop, o.progress = out->progress, o.progress_ctx = out->ctx;
  bri_fit_state *state = NULL;
  br_fit_memory memory;
  if (!st) st = bri_fit_resume(job, question_of(job, q), out, &state, err);
  if (state) memory = bri_fit_state_memory(state), o.memory = &memory;
  if (!st) st = br_motion_fit_create(&q->r, &o, &q->fit, err);
  if (!st) st = answer(q, out, err);
  if (!st) st = leave(job, text, q, err);
  bri_fit_state_close(state, !st);
  br_motion_fit_destroy(q->fit);
  br_record_destroy(q->file);
  bri_free(q->made);
  br_mechanism_destroy(q->text);
  bri_free(q);
  return st;
}
