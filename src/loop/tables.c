/* SPDX-License-Identifier: Apache-2.0
 * tables.c - tables of the analysis 'loop': the curve, minor loops, the transient, other time scales. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "base/alloc.h"
#include "text/stop.h"

enum { MINORS = 16, CURVES = 8, LABEL = 48 };

static const br_column PATH[] = {{"rho", "m"}, {"u", "m"}, {"y", "N"}, {"minor", "1"}};

/* ---- which minor loop? ---- */

/* Loops come by their start; the open ones form a stack, because loops nest. */
typedef struct {
  size_t *open, depth, next;
} nesting;

static void nesting_start(const bri_loop_question *q, nesting *s)
{
  s->depth = s->next = 0;
  /* those that began in the period before and run into this one: the outermost started first */
  for (size_t i = 0; i < q->sum.n_minor; i++)
    if (q->minor[i].rho_end > q->sum.path_length) s->open[s->depth++] = i;
}

/* Innermost minor loop that holds rho, -1 for none; rho must not decrease. */
static double nesting_at(const bri_loop_question *q, nesting *s, double rho, size_t arc)
{
  const double R = q->sum.path_length;
  while (s->depth > 0) {
    const br_minor *m = &q->minor[s->open[s->depth - 1]];
    const double end =
        s->next <= s->open[s->depth - 1] ? m->rho_end - R : m->rho_end; /* entered in the period before */
    if (rho <= end) break;
    s->depth--;
  }
  while (s->next < q->sum.n_minor && q->minor[s->next].start_reversal <= arc) s->open[s->depth++] = s->next++;
  return s->depth > 0 ? (double)s->open[s->depth - 1] : -1.0;
}

/* ---- the curve ---- */

/* Few arcs are drawn finely; a long record is a cloud anyway. */
static size_t samples_per_arc(const bri_loop_question *q)
{
  if (q->samples) return q->samples;
  const size_t n = 20000 / (q->sum.n_turning + 1);
  return n > 100 ? 100 : n < 1 ? 1 : n;
}

void bri_loop_curve_free(bri_loop_curve *c)
{
  bri_free(c->rho);
  memset(c, 0, sizeof *c);
}

static void push(bri_loop_curve *c, double rho, double u, double y, double minor)
{
  c->rho[c->n] = rho;
  c->u[c->n] = u;
  c->y[c->n] = y;
  c->minor[c->n++] = minor;
}

/* Each arc from its start to its end. */
static void walk(const bri_loop_question *q, br_loop_walk *on, nesting *s, size_t per_arc, bri_loop_curve *c)
{
  const size_t n = q->sum.n_turning;
  nesting_start(q, s);
  for (size_t i = 0; i < n; i++) {
    const double a = q->turning[i].rho, end = i + 1 < n ? q->turning[i + 1].rho : q->sum.path_length;
    const double u0 = q->turning[i].u, u1 = q->turning[i + 1 < n ? i + 1 : 0].u;
    const double y0 = br_loop_walk_y(on, a, 1), before = nesting_at(q, s, a, i);
    if (i == 0 || y0 != c->y[c->n - 1]) push(c, a, u0, y0, before);
    else c->minor[c->n - 1] = before;
    for (size_t k = 1; k < per_arc && !bri_stopped(&q->set.stop); k++) {
      const double part = (double)k / (double)per_arc, rho = a + part * (end - a);
      push(c, rho, u0 + part * (u1 - u0), br_loop_walk_y(on, rho, -1), nesting_at(q, s, rho, i));
    }
    push(c, end, u1, q->turning[i + 1 < n ? i + 1 : 0].y, nesting_at(q, s, end, i));
  }
}

br_status bri_loop_curve_create(const bri_loop_question *q, bri_loop_curve *c, br_err *err)
{
  const size_t per_arc = samples_per_arc(q), rows = q->sum.n_turning * (per_arc + 1) + 1;
  nesting s = {bri_calloc(q->sum.n_minor + 1, sizeof(size_t)), 0, 0};
  br_loop_walk *on = NULL;
  memset(c, 0, sizeof *c);
  double *p = rows < SIZE_MAX / 4 / sizeof *p ? bri_malloc(4 * rows * sizeof *p) : NULL;
  c->rho = p;
  br_status st = s.open && p ? BR_OK : bri_no_memory(err, "loop");
  if (!st) st = br_loop_walk_create(q->loop, NULL, &on, err);
  if (!st) {
    c->u = p + rows;
    c->y = p + 2 * rows;
    c->minor = p + 3 * rows;
    walk(q, on, &s, per_arc, c);
    st = bri_stop_status(&q->set.stop, "loop", err); /* curves may lack their ends */
  }
  br_loop_walk_destroy(on);
  bri_free(s.open);
  if (st) bri_loop_curve_free(c);
  return st;
}

/* How the loop looks in the usual picture: behind what is drawn on top of it, if anything is. */
static br_table_head main_head(const bri_loop_question *q, const char *name, size_t ncol,
                               const br_column *columns, size_t rows)
{
  const char *label = q->nscales ? "limit" : q->sum.n_minor ? "loop" : q->periods ? "steady loop" : NULL;
  return (br_table_head){name,
                         BR_TABLE_MAIN | BR_TABLE_FILE,
                         ncol,
                         columns,
                         rows,
                         label,
                         q->sum.n_minor || q->nscales ? "muted" : "bold"};
}

static br_status put_curve(const bri_loop_question *q, const bri_loop_curve *c, br_sink *out, br_err *err)
{
  const br_table_head head = main_head(q, "loop", 4, PATH, c->n);
  br_status st = br_put_table(out, &head, err);
  for (size_t k = 0; k < c->n && !st; k++) {
    const double row[] = {c->rho[k], c->u[k], c->y[k], c->minor[k]};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

/* ---- minor loops ---- */

/* One minor loop, arc by arc, so that no corner is cut. */
static br_status put_minor(const bri_loop_question *q, size_t index, br_sink *out, br_err *err)
{
  const br_minor *m = &q->minor[index];
  const size_t turns = q->sum.n_turning;
  size_t arcs = 0;
  char name[32], label[LABEL];
  for (double rho = m->rho_start; rho < m->rho_end && arcs < turns; arcs++) {
    const size_t i = (m->start_reversal + arcs) % turns;
    rho += fabs(q->turning[(i + 1) % turns].u - q->turning[i].u);
  }
  const size_t points = arcs > 200 ? 2 : arcs > 20 ? 20 : 100;
  (void)snprintf(name, sizeof name, "minor%zu", index);
  (void)snprintf(label, sizeof label, "minor loop %.6g", (double)m->start_reversal);
  const br_table_head head = {name, BR_TABLE_FILE, 3, PATH, arcs * points + 1, label};
  const double first[] = {m->rho_start, m->u_start, br_loop_y(q->loop, m->rho_start, 1)};
  double rho = m->rho_start;
  br_status st = br_put_table(out, &head, err);
  if (!st) st = br_put_row(out, first, err);
  for (size_t a = 0; a < arcs && !st; a++) {
    const size_t i = (m->start_reversal + a) % turns;
    const double length = fmin(fabs(q->turning[(i + 1) % turns].u - q->turning[i].u), m->rho_end - rho);
    for (size_t k = 1; k <= points && !st; k++) {
      const int last = a + 1 == arcs && k == points;
      const double r = rho + length * (double)k / (double)points;
      const double row[] = {r, last ? m->u_start : br_loop_u(q->loop, r),
                            last ? m->y_end : br_loop_y(q->loop, r, -1)};
      st = br_put_row(out, row, err);
    }
    rho += length;
  }
  return st ? st : br_put_end(out, err);
}

/* Where minor loops start or end, as points to be marked. */
static br_status put_ends(const bri_loop_question *q, int start, br_sink *out, br_err *err)
{
  const br_table_head head = {start ? "starts" : "ends", BR_TABLE_FILE, 3, PATH, q->sum.n_minor};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < q->sum.n_minor && !st; i++) {
    const br_minor *m = &q->minor[i];
    const double row[] = {start ? m->rho_start : m->rho_end, m->u_start, start ? m->y_start : m->y_end};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

static br_status put_minors(const bri_loop_question *q, br_sink *out, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < q->sum.n_minor && i < MINORS && !st; i++) st = put_minor(q, i, out, err);
  if (!st) st = put_ends(q, 1, out, err);
  return st ? st : put_ends(q, 0, out, err);
}

/* ---- the way into the loop ---- */

/* Largest difference between two walks in each period, over the samples of the curve.  Where the force jumps
 * at corners (a frequency is given) both sides are looked at from just beside. */
static br_status distances(const bri_loop_question *q, const bri_loop_curve *c, br_loop_walk *from_init,
                           br_loop_walk *steady, br_sink *out, br_err *err)
{
  const double R = q->sum.path_length, beside = q->set.frequency > 0 ? 1e-11 * R : 0.0;
  br_status st = BR_OK;
  for (size_t k = 0; k < q->periods && !st; k++) {
    double worst = 0;
    for (size_t i = 0; i < c->n; i++) {
      if (i && c->rho[i] == c->rho[i - 1]) continue; /* a corner stands twice */
      for (int side = -1; side <= 1; side += 2) {
        const double at = c->rho[i] + side * beside, rho = at + (double)k * R;
        if (at < 0 || at > R) continue;
        worst = fmax(worst, fabs(br_loop_walk_y(from_init, rho, 1) - br_loop_walk_y(steady, rho, 1)));
      }
      if (bri_stopped(&q->set.stop)) return bri_stop_status(&q->set.stop, "loop", err);
    }
    const double row[] = {(double)k, worst};
    st = br_put_row(out, row, err);
  }
  return st;
}

/* The same of the input in its own time.  A jump at t = 0 is seen from two sides there, and left out. */
static br_status wave_distances(const bri_loop_question *q, br_sink *out, br_err *err)
{
  const br_wave_result *r = br_wave_get(q->start), *steady = br_wave_get(q->wave);
  const size_t n = steady->n - 1;
  const int jump = br_signal_rate(q->input, 0, -1) != br_signal_rate(q->input, 0, 1);
  br_status st = BR_OK;
  for (size_t k = 0; k < q->periods && !st; k++) {
    double worst = 0;
    for (size_t i = k == 0 && jump ? 1 : 0; i <= n; i++)
      worst = fmax(worst, fabs(r->y[k * n + i] - steady->y[i]));
    const double row[] = {(double)k, worst};
    st = br_put_row(out, row, err);
  }
  return st;
}

br_status bri_loop_transient(const bri_loop_question *q, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"period", "1"}, {"distance", "N"}};
  const br_table_head head = {"transient", BR_TABLE_LIST, 2, COLUMNS, q->periods};
  if (q->start) {
    br_status at = br_put_table(out, &head, err);
    if (!at) at = wave_distances(q, out, err);
    return at ? at : br_put_end(out, err);
  }
  br_loop_walk *from_init = NULL, *steady = NULL;
  bri_loop_curve c;
  br_sink_amount(out, (double)q->periods * (double)samples_per_arc(q) * (double)q->sum.n_turning, "points",
                 1e-7);
  br_status st = bri_loop_curve_create(q, &c, err);
  if (!st) st = br_loop_walk_create(q->loop, br_job_start(q->job, NULL), &from_init, err);
  if (!st) st = br_loop_walk_create(q->loop, NULL, &steady, err);
  if (!st) st = br_put_table(out, &head, err);
  if (!st) st = distances(q, &c, from_init, steady, out, err);
  if (!st) st = br_put_end(out, err);
  br_loop_walk_destroy(from_init);
  br_loop_walk_destroy(steady);
  bri_loop_curve_free(&c);
  return st;
}

static br_status put_periods(const bri_loop_question *q, const bri_loop_curve *c, br_sink *out, br_err *err)
{
  br_loop_walk *on = NULL;
  br_status st = br_loop_walk_create(q->loop, br_job_start(q->job, NULL), &on, err);
  for (size_t k = 0; k < q->periods && !st; k++) {
    char name[32], label[LABEL];
    (void)snprintf(name, sizeof name, "transient%zu", k);
    if (!br_sink_wants(out, name)) continue;
    (void)snprintf(label, sizeof label, "period %.6g", (double)k);
    const br_table_head head = {name, BR_TABLE_FILE, 3, PATH, c->n, label};
    st = br_put_table(out, &head, err);
    for (size_t i = 0; i < c->n && !st; i++) {
      const double rho = c->rho[i] + (double)k * q->sum.path_length;
      const double row[] = {c->rho[i], c->u[i], br_loop_walk_y(on, rho, i == 0 ? 1 : -1)};
      st = br_put_row(out, row, err);
    }
    if (!st) st = br_put_end(out, err);
  }
  br_loop_walk_destroy(on);
  return st;
}

/* ---- the input in its own time ---- */

/* From t = 0 beside the steady loop, which repeats sample by sample. */
static br_status put_start(const bri_loop_question *q, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {
      {"t", "s", "wave.t"}, {"u", "m", "wave.u"}, {"y", "N", "wave.y"}, {"steady", "N", "wave.steady"}};
  const br_wave_result *r = br_wave_get(q->start), *steady = br_wave_get(q->wave);
  const br_table_head head = {
      "wave", BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_ARRAYS, 4, COLUMNS, r->n, "transient", "dotted"};
  const br_table_head settled = {"steady", BR_TABLE_FILE, 3, COLUMNS, steady->n, "steady loop", "bold"};
  br_status st = br_put_table(out, &head, err);
  for (size_t k = 0; k < r->n && !st; k++) {
    const double row[] = {r->t[k], r->u[k], r->y[k], steady->y[k % (steady->n - 1)]};
    st = br_put_row(out, row, err);
  }
  if (!st) st = br_put_end(out, err);
  if (st || !br_sink_wants(out, "steady")) return st;
  st = br_put_table(out, &settled, err);
  for (size_t k = 0; k < steady->n && !st; k++) {
    const double row[] = {steady->t[k], steady->u[k], steady->y[k]};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

static br_status put_wave(const bri_loop_question *q, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s", "wave.t"}, {"u", "m", "wave.u"}, {"y", "N", "wave.y"}};
  const br_wave_result *r = br_wave_get(q->wave);
  br_table_head head = main_head(q, "wave", 3, COLUMNS, r->n);
  head.shape |= BR_TABLE_ARRAYS;
  br_status st = q->start ? put_start(q, out, err) : br_put_table(out, &head, err);
  if (q->start) return st;
  for (size_t k = 0; k < r->n && !st; k++) {
    const double row[] = {q->slope ? 0 : r->t[k], q->slope ? 0 : r->u[k], r->y[k]};
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

/* Pictures of time scales: heights of the settled loops, beyond which a curve from rest is cut off. */
typedef struct {
  double lo, hi, end; /* end: s, of the curves from rest */
  int cut;
} view;

/* One more time scale for the picture: the settled loop (periods 0), or from rest. */
static br_status put_scale(const bri_loop_question *q, const br_wave_settings *set, const char *name, view *v,
                           br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s"}, {"u", "m"}, {"y", "N"}};
  char label[LABEL];
  br_wave *w = NULL;
  br_status st = br_wave_create(q->m, q->par, q->input, set, &w, err);
  if (st) return st == BR_INTERRUPTED || st == BR_E_NOMEM ? st : BR_OK; /* no curve, then */
  const br_wave_result *r = br_wave_get(w);
  const double room = v->hi - v->lo;
  const int spike = set->periods && r->n && (r->y[0] > v->hi + room || r->y[0] < v->lo - room);
  (void)snprintf(label, sizeof label, spike ? "G = %.6g, from %.4g N" : "G = %.6g", set->scale,
                 spike ? r->y[0] : 0);
  const br_table_head head = {name, BR_TABLE_FILE, 3, COLUMNS, r->n, label};
  st = br_put_table(out, &head, err);
  for (size_t k = 0; k < r->n && !st; k++) {
    const double row[] = {r->t[k], r->u[k], r->y[k]};
    if (!set->periods) v->lo = fmin(v->lo, r->y[k]), v->hi = fmax(v->hi, r->y[k]);
    v->end = fmax(v->end, r->t[k]);
    st = br_put_row(out, row, err);
  }
  v->cut |= spike;
  br_wave_destroy(w);
  return st ? st : br_put_end(out, err);
}

/* Where a spike at the start would flatten all else: what the panel shows. */
static br_status put_view(const view *v, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s"}, {"y", "N"}};
  const double room = 0.25 * (v->hi - v->lo);
  const double from[] = {0, v->lo - room}, to[] = {v->end, v->hi + room};
  const br_table_head head = {"view", BR_TABLE_FILE, 2, COLUMNS, 2};
  br_status st = br_put_table(out, &head, err);
  if (!st) st = br_put_row(out, from, err);
  if (!st) st = br_put_row(out, to, err);
  return st ? st : br_put_end(out, err);
}

static br_status put_scales(const bri_loop_question *q, br_sink *out, br_err *err)
{
  const size_t shown = q->nscales < CURVES ? q->nscales : CURVES;
  view v = {INFINITY, -INFINITY, 0, 0};
  br_wave_settings set = q->wave_set;
  br_status st = BR_OK;
  set.rtol = 1e-8; /* a picture */
  for (int rest = 0; rest < 2; rest++) {
    for (size_t k = 0; k < shown && !st; k++) {
      char name[32];
      (void)snprintf(name, sizeof name, "%s%zu", rest ? "rest" : "scale", k);
      set.scale = q->scales[k];
      set.periods = rest ? 2 : 0;
      st = put_scale(q, &set, name, &v, out, err);
    }
  }
  set.scale = 1e12; /* the limit, where a filter does nothing */
  set.tau = 0;
  if (!st) st = put_scale(q, &set, "limit", &v, out, err);
  return st || !v.cut ? st : put_view(&v, out, err);
}

/* ---- all together ---- */

br_status bri_loop_tables(const bri_loop_question *q, br_sink *out, br_err *err)
{
  const int curve =
      !q->wave && (br_sink_wants(out, "loop") || (q->periods && br_sink_wants(out, "transient0")));
  bri_loop_curve c = {0};
  br_status st = q->wave ? put_wave(q, out, err) : BR_OK;
  if (!st && curve) st = bri_loop_curve_create(q, &c, err);
  if (!st && curve && q->periods) st = put_periods(q, &c, out, err);
  if (!st && curve) st = put_curve(q, &c, out, err);
  bri_loop_curve_free(&c);
  if (!st && !q->wave && q->sum.n_minor && br_sink_wants(out, "minor0")) st = put_minors(q, out, err);
  if (!st && q->nscales && br_sink_wants(out, "scale0")) st = put_scales(q, out, err);
  return st;
}
