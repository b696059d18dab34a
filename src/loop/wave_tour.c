/* SPDX-License-Identifier: Apache-2.0
 * wave_tour.c - once round a wave whose state at t = 0 is known: samples, turning points, minor loops.
 * All of them are marks on the time axis; the walk stops at each in order and writes down what it sees from
 * the left. */
#include <math.h>
#include <stdlib.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "wave_internal.h"

typedef struct {
  double t;               /* s, in (0, T]: what stands at t = 0 is seen at the end of the period */
  double y, work, energy; /* N; J since t = 0; J */
} mark;

typedef struct {
  bri_path path;
  double *t;       /* [path.n], s: when the turning points are passed */
  size_t *end_arc; /* [n_minor] */
  mark *marks;     /* samples, turning points, ends of minor loops; in this order */
  mark **order;    /* the same by time */
  size_t n;
} tour;

static void tour_free(tour *r)
{
  bri_path_destroy(&r->path);
  bri_free(r->t);
  bri_free(r->end_arc);
  bri_free(r->marks);
  bri_free(r->order);
}

/* Turning points of one period with their times. */
static br_status find_path(const br_signal *input, tour *r, br_err *err)
{
  size_t n = 0;
  br_status st = br_signal_turning(input, 0, NULL, NULL, &n, err);
  if (st != BR_OK && st != BR_E_SIZE) return st;
  double *u = bri_malloc_array(n, sizeof *u);
  size_t *keep = bri_malloc_array(n, sizeof *keep);
  r->t = bri_malloc_array(n, sizeof *r->t);
  if (!u || !keep || !r->t) st = bri_fail(err, BR_E_NOMEM, "no memory for %zu turning points", n);
  else st = br_signal_turning(input, n, u, r->t, &n, err);
  if (st == BR_OK) st = bri_path_create(n, u, &r->path, err);
  if (st == BR_OK) {
    const size_t kept = br_turning_points(n, u, 1, keep);
    for (size_t i = 0; i < kept; i++) r->t[i] = r->t[keep[i]]; /* keep[i] >= i */
  }
  bri_free(u);
  bri_free(keep);
  return st;
}

/* When does u come back to u_end on arc j?  Bisection down to neighbouring times. */
static double crossing_time(const br_signal *input, const tour *r, size_t j, double u_end)
{
  const double T = br_signal_period(input), dir = bri_path_dir(&r->path, j);
  double lo = r->t[j], hi = j + 1 < r->path.n ? r->t[j + 1] : r->t[0] + T;
  for (int k = 0; k < 200; k++) {
    const double mid = 0.5 * (lo + hi);
    if (!(mid > lo && mid < hi)) break;
    if (dir * (br_signal_value(input, mid) - u_end) < 0) lo = mid;
    else hi = mid;
  }
  return hi;
}

static int by_time(const void *a, const void *b)
{
  const mark *x = *(mark *const *)a, *y = *(mark *const *)b;
  if (x->t != y->t) return x->t < y->t ? -1 : 1;
  return x < y ? -1 : x > y;
}

static double within(double t, double T)
{
  while (t > T) t -= T;
  return t > 0 ? t : T;
}

static br_status place_marks(const br_signal *input, size_t samples, double end, tour *r, br_wave *out)
{
  const double T = br_signal_period(input);
  const size_t turns = out->result.n_turning, minors = out->result.n_minor;
  mark *m;
  r->n = samples + turns + minors;
  r->marks = m = bri_calloc(r->n, sizeof *m);
  r->order = bri_malloc_array(r->n, sizeof(mark *));
  if (!m || !r->order || (turns && !r->t) || (minors && !r->end_arc)) return BR_E_NOMEM;
  for (size_t k = 0; k < samples; k++) (m++)->t = end * (double)(k + 1) / (double)samples;
  for (size_t i = 0; i < turns; i++) (m++)->t = within(r->t[i], T);
  for (size_t i = 0; i < minors; i++)
    (m++)->t = within(crossing_time(input, r, r->end_arc[i], out->minor[i].u_start), T);
  for (size_t k = 0; k < r->n; k++) r->order[k] = &r->marks[k];
  qsort(r->order, r->n, sizeof(mark *), by_time);
  return BR_OK;
}

static br_status walk(const bri_arc_model *a, bri_wave *w, double *x, tour *r, double *work, br_err *err)
{
  double t = 0;
  *work = 0;
  for (size_t k = 0; k < r->n; k++) {
    mark *m = r->order[k];
    const br_status st = bri_wave_advance(a, w, t, m->t, x, work, err);
    if (st != BR_OK) return st;
    const double u = br_signal_value(w->input, m->t);
    t = m->t;
    m->y = bri_wave_output(a, w, t, -1, x);
    m->work = *work;
    m->energy = a->model->energy && !(w->tau > 0) && !w->nswitch ? a->model->energy(a->par, a->load, &u, x)
                                                                 : (double)NAN;
  }
  return BR_OK;
}

static void fill(const bri_arc_model *a, const bri_wave *w, const tour *r, br_wave *out)
{
  const size_t samples = out->result.n - 1;
  const mark *m = r->marks, *turn = m + samples, *end = turn + out->result.n_turning;
  for (size_t k = 0; k < samples; k++) {
    out->t[k + 1] = m[k].t;
    out->u[k + 1] = br_signal_value(w->input, m[k].t);
    out->y[k + 1] = m[k].y;
  }
  for (size_t i = 0; r->path.u && i < out->result.n_turning; i++)
    out->turning[i] = (br_turning){r->path.u[i], turn[i].y, r->path.rho[i]};
  for (size_t i = 0; i < out->result.n_minor; i++) {
    br_minor *q = &out->minor[i];
    const mark *from = &turn[q->start_reversal], *to = &end[i];
    q->y_start = from->y;
    q->y_end = to->y;
    q->gap = q->y_end - q->y_start;
    q->work = to->work - from->work + (to->t < from->t ? out->result.work : 0.0);
    q->dissipation = q->work - (to->energy - from->energy);
  }
  out->result.dissipation = a->model->energy && !(w->tau > 0) && !w->nswitch ? out->result.work : (double)NAN;
}

br_status bri_wave_tour(const bri_arc_model *a, bri_wave *w, size_t periods, double *x, br_wave *out,
                        br_err *err)
{
  const double T = br_signal_period(w->input), end = T * (double)(periods > 0 ? periods : 1);
  tour r = {.n = 0};
  br_status st = BR_OK;
  out->t[0] = 0;
  out->u[0] = br_signal_value(w->input, 0);
  out->y[0] = bri_wave_output(a, w, 0, 1, x);
  if (periods == 0) {
    st = find_path(w->input, &r, err);
    if (st == BR_OK) st = bri_path_minors(&r.path, &out->minor, &r.end_arc, &out->result.n_minor);
    out->turning = bri_malloc_array(r.path.n, sizeof *out->turning);
    if (st == BR_OK && !out->turning) st = BR_E_NOMEM;
    out->result.turning = out->turning;
    out->result.minor = out->minor;
    out->result.n_turning = r.path.n;
    out->result.path_length = r.path.total;
  }
  if (st == BR_OK) st = place_marks(w->input, out->result.n - 1, end, &r, out);
  if (st == BR_E_NOMEM) bri_fail(err, st, "no memory for %zu samples of a wave", out->result.n);
  if (st == BR_OK) st = walk(a, w, x, &r, &out->result.work, err);
  if (st == BR_OK) {
    fill(a, w, &r, out);
    if (periods == 0) out->y[0] = out->y[out->result.n - 1]; /* closed: the left limit of the first sample */
  }
  tour_free(&r);
  return st;
}
