/* SPDX-License-Identifier: Apache-2.0
 * analysis_compare.c - 'control' with compare: all controllers over the same scenarios. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "analysis.h"
#include "base/alloc.h"
#include "text/fail.h"

enum { MOST = 32 }; /* controllers */

typedef struct {
  br_control_entry list[MOST];
  br_control_score score[MOST];
  size_t n;
  bri_control_names wrong;
  br_control_comparison what;
  br_control_case ideal; /* no noise, no delay */
} comparison;

/* "Fc+ m-": which way each parameter is wrong. */
static const char *corner(const comparison *k, unsigned bits, int friction_only, char *text, size_t room)
{
  size_t at = 0, bit = 0;
  text[0] = '\0';
  for (size_t i = 0; i < k->wrong.n && at + 1 < room; i++) {
    if (friction_only && !br_model_param(k->ideal.mod, k->wrong.list[i])) continue;
    const int wrote = snprintf(text + at, room - at, "%s%s%c", at ? " " : "", k->wrong.list[i],
                               bits >> bit++ & 1 ? '+' : '-');
    if (wrote > 0) at += (size_t)wrote;
  }
  return text;
}

/* Why a controller has no score: what fitting it to the mechanism says. */
static br_status put_reason(const bri_control_question *q, const comparison *k, size_t i, br_err *err)
{
  const br_control_case *j = &k->ideal;
  br_controller c;
  br_err why = {BR_OK, -1, ""};
  const br_status st =
      br_control_init(&c, &k->list[i].set, j->sys, j->spar, j->mod, j->mpar, q->mpair, q->tracked, &why);
  if (st == BR_E_NOMEM) {
    if (err) *err = why;
    return st;
  }
  br_put_text(q->out, st ? why.msg : "its loop does not run with this model", "controllers.%zu.why", i);
  return BR_OK;
}

static br_status put_score(const bri_control_question *q, const comparison *k, size_t i, br_err *err)
{
  const br_control_score *s = &k->score[i];
  const char *y = q->y_unit;
  br_sink *out = q->out;
  char text[256];
  br_put_text(out, k->list[i].name, "controllers.%zu.name", i);
  br_put_text(out, br_control_name((size_t)k->list[i].set.kind), "controllers.%zu.controller", i);
  br_put_flag(out, !isnan(s->nominal), "controllers.%zu.fits", i);
  const br_status st = isnan(s->nominal) ? put_reason(q, k, i, err) : BR_OK;
  br_put_number(out, y, s->nominal, "controllers.%zu.nominal", i);
  br_put_number(out, y, s->worst, "controllers.%zu.worst", i);
  br_put_flag(out, isinf(s->worst), "controllers.%zu.worst_runs_away", i);
  br_put_text(out, corner(k, s->worst_corner, 0, text, sizeof text), "controllers.%zu.worst_corner", i);
  br_put_number(out, y, s->combined, "controllers.%zu.combined", i);
  br_put_number(out, y, s->hardest, "controllers.%zu.hardest", i);
  br_put_text(out, corner(k, s->hardest_corner, 1, text, sizeof text), "controllers.%zu.hardest_corner", i);
  br_put_number(out, y, s->median, "controllers.%zu.median", i);
  br_put_number(out, y, s->high, "controllers.%zu.p95", i);
  br_put_number(out, "1", (double)s->lost, "controllers.%zu.lost", i);
  br_put_number(out, "1", (double)s->drawn, "controllers.%zu.drawn", i);
  br_put_number(out, q->u_unit, s->effort, "controllers.%zu.rms_control", i);
  return st;
}

static br_status put_values(const bri_control_question *q, const comparison *k, br_err *err)
{
  const br_control_case *j = &k->ideal;
  const int windowed = j->window[1] > j->window[0];
  size_t friction = 0;
  br_put(q->out, BR_VALUE_LIST, 0, "uncertain");
  for (size_t i = 0; i < k->wrong.n; i++) {
    br_put_text(q->out, k->wrong.list[i], "uncertain.%zu", i);
    friction += br_model_param(j->mod, k->wrong.list[i]) != NULL;
  }
  br_put_number(q->out, "1", k->what.part, "part");
  br_put_number(q->out, "1", (double)k->what.samples, "samples");
  br_put_number(q->out, "1", (double)k->what.seed, "seed");
  br_put(q->out, BR_VALUE_LIST, 0, "controllers");
  br_status st = BR_OK;
  for (size_t i = 0; i < k->n && !st; i++) st = put_score(q, k, i, err);
  br_put(q->out, BR_VALUE_ASIDE, windowed ? j->window[0] : 0, "from");
  br_put(q->out, BR_VALUE_ASIDE, windowed ? j->window[1] : j->t_end, "to");
  br_put(q->out, BR_VALUE_ASIDE, k->what.limit, "limit");
  br_put(q->out, BR_VALUE_ASIDE, isnan(k->what.delay) ? j->sample : k->what.delay, "delay");
  br_put(q->out, BR_VALUE_ASIDE, (double)(1u << k->wrong.n), "corners");
  br_put(q->out, BR_VALUE_ASIDE, (double)(1u << friction), "friction_corners");
  return st;
}

static br_status put_table(const bri_control_question *q, const comparison *k, br_err *err)
{
  const char *y = q->y_unit;
  const br_column columns[] = {
      {"controller", "1"}, {"nominal", y}, {"worst", y},  {"combined", y}, {"hardest", y},
      {"median", y},       {"p95", y},     {"lost", "1"}, {"drawn", "1"},  {"rms_control", q->u_unit}};
  const br_table_head head = {"compare", BR_TABLE_MAIN | BR_TABLE_FILE, sizeof columns / sizeof columns[0],
                              columns, k->n};
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const br_control_score *s = &k->score[i];
    const double row[] = {(double)i + 1, s->nominal, s->worst,        s->combined,      s->hardest,
                          s->median,     s->high,    (double)s->lost, (double)s->drawn, s->effort};
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* ---- the usual picture: one controller per line; what runs away stands at the right edge ---- */

/* Names for the margin of a picture. */
static void shorten(const char *name, char *to, size_t room)
{
  static const char *const cut[][2] = {
      {"feedback linearisation, ", "f.l., "}, {"estimated", "est."}, {" (accelerometer)", ""}};
  size_t at = 0;
  while (*name && at + 1 < room) {
    size_t k = 0;
    while (k < 3 && strncmp(name, cut[k][0], strlen(cut[k][0])) != 0) k++;
    if (k == 3) {
      to[at++] = *name++;
      continue;
    }
    const int n = snprintf(to + at, room - at, "%s", cut[k][1]);
    at += n > 0 ? (size_t)n : 0;
    name += strlen(cut[k][0]);
  }
  to[at < room ? at : room - 1] = '\0';
}

/* Points x, y of one table; x that is no positive number is left out. */
static br_status put_points(const bri_control_question *q, const char *name, size_t n, const double *x,
                            const double *y, br_err *err)
{
  const br_column columns[] = {{"x", q->y_unit}, {"y", "1"}};
  const br_table_head head = {name, BR_TABLE_FILE, 2, columns, n};
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < n && !st; i++) {
    const double row[] = {x[i], y[i]};
    if (x[i] > 0) st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* Heights in pictures: the best on top, by the hardest scenario, then by the nominal one. */
static void rank(const comparison *k, double *height)
{
  for (size_t i = 0; i < k->n; i++) {
    size_t better = 0;
    for (size_t j = 0; j < k->n; j++) {
      const double a = k->score[j].hardest, b = k->score[i].hardest, c = k->score[j].nominal,
                   d = k->score[i].nominal;
      const int none_a = isnan(a), none_b = isnan(b);
      if (none_a != none_b) better += (size_t)none_b;
      else if (!none_a && a != b) better += a < b;
      else if (c != d && !isnan(c) && !isnan(d)) better += c < d;
      else better += j < i;
    }
    height[i] = (double)(k->n - better);
  }
}

/* The names of the controllers, at the height of their scores. */
static br_status put_names(const bri_control_question *q, const comparison *k, const char *table,
                           const char *unit, double x, const double *height, br_err *err)
{
  const br_column columns[] = {{"x", unit}, {"y", "1"}, {"controller", "1"}};
  char text[MOST][40];
  const char *names[MOST];
  for (size_t i = 0; i < k->n; i++) shorten(k->list[i].name, text[i], sizeof text[i]), names[i] = text[i];
  const br_table_head head = {
      .name = table, .shape = BR_TABLE_FILE, .ncol = 3, .columns = columns, .names = names, .nnames = k->n};
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const double row[] = {x, height[i], (double)i};
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

static br_status put_picture(const bri_control_question *q, const comparison *k, br_err *err)
{
  enum { SERIES = 4 };
  static const char *const names[SERIES] = {"mark-nominal", "mark-worst", "mark-combined", "mark-hardest"};
  double x[SERIES][MOST], y[SERIES][MOST], height[MOST], lo = INFINITY, hi = 0;
  br_status st = BR_OK;
  rank(k, height);
  for (size_t i = 0; i < k->n; i++) {
    const br_control_score *s = &k->score[i];
    const double at[SERIES] = {s->nominal, s->worst, s->combined, s->hardest};
    for (int a = 0; a < SERIES; a++) {
      x[a][i] = at[a] > 0 ? at[a] : NAN;
      if (isfinite(x[a][i])) lo = fmin(lo, x[a][i]), hi = fmax(hi, x[a][i]);
      y[a][i] = height[i] + 0.12 * (a - 1.5);
    }
  }
  if (!(hi > 0)) return BR_OK; /* no controller fits: there is nothing to draw */
  const double edge = 10 * hi;
  st = put_names(q, k, "names", q->y_unit, lo, height, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const br_control_score *s = &k->score[i];
    const double mx[] = {fmin(s->median, edge), fmin(s->high, edge)}, my[] = {height[i], height[i]};
    char name[32];
    (void)snprintf(name, sizeof name, "draws-%zu", i);
    if (s->drawn) st = put_points(q, name, 2, mx, my, err);
  }
  for (int a = 0; a < SERIES && !st; a++) {
    for (size_t i = 0; i < k->n; i++)
      if (isinf(x[a][i])) x[a][i] = edge;
    st = put_points(q, names[a], k->n, x[a], y[a], err);
  }
  return st;
}

/* ---- all responses in one picture: outputs, and the size of every error over time in colours ---- */

enum { BINS = 60 };

typedef struct {
  bri_control_question *q;
  double worst[BINS]; /* largest |r - y| of each part of the run */
} response;

static int on_row(void *ctx, const br_control_row *r)
{
  response *p = ctx;
  bri_control_question *q = p->q;
  const double e = r->r - r->y, row[] = {r->t, r->r, r->y, e, fabs(e), r->u};
  const double at = r->t / q->run.t_end * BINS;
  const size_t bin = at < BINS - 1 ? (size_t)at : BINS - 1;
  if (!(fabs(e) <= p->worst[bin])) p->worst[bin] = fabs(e);
  q->stopped = br_put_row(q->out, row, &q->why);
  return q->stopped != BR_OK;
}

/* Size of the reference, for what can be seen beside it. */
static double size_of(const bri_control_question *q)
{
  double most = 0;
  for (int i = 0; i <= 200; i++)
    most = fmax(most, fabs(br_signal_value(q->reference, q->run.t_end * i / 200)));
  return most;
}

/* Rows of the nominal run of controller i; `label` where it can be told from the reference. */
static br_status put_response(bri_control_question *q, const comparison *k, size_t i, const char *label,
                              double *worst, br_err *err)
{
  const br_column columns[] = {{"t", "s"},       {"r", q->y_unit},    {"y", q->y_unit},
                               {"e", q->y_unit}, {"size", q->y_unit}, {"u", q->u_unit}};
  br_control_case job = k->ideal;
  br_control_result result;
  br_controller c;
  response p = {.q = q};
  char name[32];
  for (int b = 0; b < BINS; b++) p.worst[b] = NAN;
  job.on_row = on_row, job.ctx = &p, job.judge = 0, job.output_dt = job.t_end / 600;
  (void)snprintf(name, sizeof name, "%s-%zu", label[0] ? "response" : "close", i + 1);
  const br_table_head head = {
      .name = name, .shape = BR_TABLE_FILE, .ncol = 6, .columns = columns, .rows = 602, .label = label};
  br_status st =
      br_control_init(&c, &k->list[i].set, job.sys, job.spar, job.mod, job.mpar, q->mpair, q->tracked, err);
  if (!st) st = br_put_table(q->out, &head, err);
  if (!st) st = br_control_run(&job, &c, &result, err);
  if (q->stopped && err) *err = q->why;
  if (q->stopped) st = q->stopped;
  memcpy(worst, p.worst, sizeof p.worst);
  return st ? st : br_put_end(q->out, err);
}

/* The nominal run of every controller that has a score. */
static br_status put_responses(bri_control_question *q, const comparison *k, br_err *err)
{
  double worst[MOST][BINS], height[MOST];
  const double seen = 0.01 * size_of(q);
  br_status st = BR_OK;
  rank(k, height);
  for (size_t i = 0; i < k->n && !st; i++) {
    char label[40];
    for (int b = 0; b < BINS; b++) worst[i][b] = NAN;
    if (!isfinite(k->score[i].nominal)) continue;
    shorten(k->list[i].name, label, sizeof label);
    if (k->score[i].nominal < seen) label[0] = '\0';
    st = put_response(q, k, i, label, worst[i], err);
  }
  char name[48]; /* a logarithm keeps its unit whatever the axes are in */
  (void)snprintf(name, sizeof name, "log10 of |e| in %.20s", q->y_unit);
  const br_column columns[] = {{"t", "s"}, {"y", "1"}, {name, "1"}};
  const br_table_head head = {"errors", BR_TABLE_FILE, 3, columns, BINS * k->n};
  if (!st) st = put_names(q, k, "rows", "s", 0, height, err);
  if (!st) st = br_put_table(q->out, &head, err);
  for (size_t h = 1; h <= k->n; h++)
    for (size_t i = 0; i < k->n; i++)
      for (int b = 0; b < BINS && height[i] == (double)h && !st; b++) {
        const double e = worst[i][b],
                     row[] = {q->run.t_end * (b + 0.5) / BINS, height[i], e > 0 ? bri_log10(e) : (double)NAN};
        st = br_put_row(q->out, row, err);
      }
  return st ? st : br_put_end(q->out, err);
}

/* ---- the question ---- */

static br_status compare(bri_control_question *q, comparison *k, br_err *err)
{
  br_status st = bri_control_read_uncertain(q, &k->wrong, err);
  if (st) return st;
  while (k->n + 1 < MOST && br_control_lineup(k->n, &k->list[k->n]))
    br_control_pace(&k->list[k->n++].set, q->run.sample);
  if (q->law) {
    k->list[k->n].name = "as given";
    k->list[k->n].set = q->set;
    k->list[k->n++].set.limit = INFINITY; /* belongs to the combined scenario */
  }
  k->ideal = q->run;
  k->ideal.noise = NULL, k->ideal.noise_accel = 0, k->ideal.delay = 0, k->ideal.output_dt = 0;
  if (!(k->ideal.rtol > 0)) k->ideal.rtol = 1e-6; /* held inputs: three digits and more of an rms */
  k->what = br_control_comparison_default();
  k->what.threads = (int)br_job_count(q->job, "threads");
  k->what.job = &k->ideal;
  k->what.tracked = q->tracked;
  k->what.names = k->wrong.list, k->what.n = k->wrong.n, k->what.part = br_job_number(q->job, "part");
  k->what.noise = q->run.noise, k->what.noise_accel = q->run.noise_accel;
  k->what.limit = q->limit;
  if (br_job_given(q->job, "delay")) k->what.delay = q->run.delay;
  k->what.samples = br_job_count(q->job, "samples");
  k->what.seed = q->run.seed;
  k->what.progress = bri_control_progress, k->what.ctx = q;
  br_sink_amount(q->out, (double)k->n * (double)k->what.samples, "runs", 0.02);
  st = br_control_compare(&k->what, k->list, k->n, k->score, err);
  if (st) return st;
  st = put_values(q, k, err);
  if (!st) st = put_table(q, k, err);
  if (!st && br_job_flag(q->job, "responses") && br_sink_wants(q->out, "errors"))
    st = put_responses(q, k, err);
  return st || !br_sink_wants(q->out, "mark-nominal") ? st : put_picture(q, k, err);
}

br_status bri_control_ask_compare(bri_control_question *q, br_err *err)
{
  comparison *k = bri_calloc(1, sizeof *k);
  if (!k) return bri_no_memory(err, "control");
  const br_status st = compare(q, k, err);
  bri_free(k);
  return st;
}
