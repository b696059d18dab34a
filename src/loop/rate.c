/* SPDX-License-Identifier: Apache-2.0
 * rate.c - how far the response at a time scale is from the quasi-static limit, in the supremum norm.
 * Both responses start from the same state and are marched together; every corner is seen from both sides,
 * because y_gamma jumps there, and a maximum between samples is refined. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "wave_internal.h"

#define SUB 48    /* samples of a piece between two corners */
#define FINE 192  /* the same of a graph of few pieces */
#define MOST 6000 /* points of a graph; with more corners than that leaves room for it is not measured */
#define MAX_PERIODS 400

/* The two responses side by side: at the time scale, and in the limit (same path, infinitely slow). */
typedef struct {
  bri_arc_model a, slow;
  bri_wave w;
  double x[2 * BR_LOOP_MAX_STATE + 2], z[2 * BR_LOOP_MAX_STATE];
  double top[2 * BR_LOOP_MAX_STATE + 2]; /* largest |x| or |z| so far: where a period ends they may be zero */
} twins;

static br_status twins_move(twins *p, double t0, double t1, br_err *err)
{
  const double u0 = br_signal_value(p->w.input, t0), u1 = br_signal_value(p->w.input, t1);
  br_status st = bri_wave_go(&p->a, &p->w, t0, t1, p->x, NULL, err);
  if (st == BR_OK && u1 != u0)
    st = bri_arc_move(&p->slow, u0, u1 > u0 ? 1.0 : -1.0, fabs(u1 - u0), p->z, NULL, err);
  for (size_t i = 0; i < p->a.nz + (p->w.tau > 0); i++)
    p->top[i] = fmax(p->top[i], fmax(fabs(p->x[i]), i < p->a.nz ? fabs(p->z[i]) : 0));
  return st;
}

static double distance(const twins *p, double t, int side)
{
  const double u = br_signal_value(p->w.input, t), v = br_signal_rate(p->w.input, t, side);
  const double s = v < 0 || (v == 0 && bri_wave_direction(&p->w, t, side) < 0) ? -1.0 : 1.0;
  return fabs(bri_wave_output(&p->a, &p->w, t, side, p->x) - bri_arc_force(&p->slow, u, s, p->z));
}

static double distance_at(const twins *from, double t0, double t, br_err *err)
{
  twins q = *from;
  return twins_move(&q, t0, t, err) == BR_OK ? distance(&q, t, -1) : 0.0;
}

/* Golden section for a maximum inside (t0, t1), the state at t0 being in *from. */
static double refine(const twins *from, double t0, double t1, double *at, br_err *err)
{
  const double g = 0.6180339887498949;
  double a = t0, b = t1, c = b - g * (b - a), d = a + g * (b - a);
  double fc = distance_at(from, t0, c, err), fd = distance_at(from, t0, d, err);
  for (int k = 0; k < 40; k++) {
    if (fc > fd) {
      b = d, d = c, fd = fc, c = b - g * (b - a), fc = distance_at(from, t0, c, err);
    } else {
      a = c, c = d, fc = fd, d = a + g * (b - a), fd = distance_at(from, t0, d, err);
    }
  }
  *at = fc > fd ? c : d;
  return fmax(fc, fd);
}

static void take(double value, double t, double *best, double *at)
{
  if (value > *best) *best = value, *at = t;
}

/* One piece without corners inside: sample it, refine where the middle of three samples is the largest. */
static br_status piece(twins *p, double t0, double t1, double *best, double *at, br_err *err)
{
  twins before = *p, last = *p;
  double f[3] = {0, 0, distance(p, t0, 1)}, tb = t0, t = t0;
  take(f[2], t0, best, at);
  for (int k = 1; k <= SUB; k++) {
    const double next = k == SUB ? t1 : t0 + (t1 - t0) * k / SUB;
    const br_status st = twins_move(p, t, next, err);
    if (st != BR_OK) return st;
    f[0] = f[1], f[1] = f[2], f[2] = distance(p, next, -1);
    take(f[2], next, best, at);
    if (k >= 2 && f[1] > f[0] && f[1] >= f[2] && f[1] > 0.999 * *best) {
      double where = tb;
      const double top = refine(&before, tb, next, &where, err);
      take(top, where, best, at);
    }
    before = last, tb = t; /* state two samples back */
    last = *p, t = next;
  }
  return BR_OK;
}

static br_status one_period(twins *p, double t0, double *best, double *at, br_err *err)
{
  const double T = br_signal_period(p->w.input), end = t0 + T;
  br_status st = BR_OK;
  for (double t = t0; st == BR_OK && t < end;) {
    double next = br_signal_next_corner(p->w.input, t);
    if (!(next < end)) next = end;
    st = piece(p, t, next, best, at, err);
    t = next;
  }
  return st;
}

/* Repeats to 1e-11 of its size?  A state that grows by the same amount each time (a counter) does not
 * disturb. */
static int repeats(const double *now, const double *before, const double *earlier, const double *top,
                   size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const double d1 = now[i] - before[i], d2 = before[i] - earlier[i];
    const double tol = 1e-11 * top[i] + DBL_MIN;
    if (fabs(d1) > tol && fabs(d1 - d2) > tol) return 0;
  }
  return 1;
}

static br_status one_scale(twins *p, br_rate_row *row, br_err *err)
{
  const double T = br_signal_period(p->w.input);
  const size_t nx = p->a.nz + (p->w.tau > 0);
  twins old = *p, older = *p;
  row->transient = row->transient_at = 0;
  for (row->periods = 1; row->periods <= MAX_PERIODS; row->periods++) {
    double best = 0, at = 0;
    const double t0 = T * (row->periods - 1);
    const br_status st = one_period(p, t0, &best, &at, err);
    if (st != BR_OK) return st;
    take(best, at, &row->transient, &row->transient_at);
    row->steady = best;
    /* where only the path counts both are one motion, for ever */
    if (bri_wave_way_of(&p->a, &p->w) == BRI_WAVE_PATH) return BR_OK;
    if (row->periods > 2 && repeats(p->x, old.x, older.x, p->top, nx) &&
        repeats(p->z, old.z, older.z, p->top, p->a.nz))
      return BR_OK;
    older = old;
    old = *p;
  }
  return bri_fail(err, BR_E_CONVERGE, "%s: no steady response within %d periods at time scale %.6g",
                  p->a.model->name, MAX_PERIODS, row->scale);
}

/* ---- the settled graphs ---- */

static void point(const twins *p, double t, int side, bri_graph *g)
{
  const double u = br_signal_value(p->w.input, t), v = br_signal_rate(p->w.input, t, side);
  const double s = v < 0 || (v == 0 && bri_wave_direction(&p->w, t, side) < 0) ? -1.0 : 1.0;
  g->u[g->n] = u;
  g->y[g->n] = bri_wave_output(&p->a, &p->w, t, side, p->x);
  g->limit[g->n++] = bri_arc_force(&p->slow, u, s, p->z);
}

/* One more period, both responses having settled. */
static br_status gather(twins *p, double t0, size_t per_piece, bri_graph *g, br_err *err)
{
  const double end = t0 + br_signal_period(p->w.input);
  br_status st = BR_OK;
  for (double t = t0; st == BR_OK && t < end;) {
    double next = br_signal_next_corner(p->w.input, t), at = t;
    if (!(next < end)) next = end;
    if (g->n + per_piece + 1 > MOST) return BR_E_SIZE;
    point(p, t, 1, g);
    for (size_t k = 1; st == BR_OK && k <= per_piece; k++) {
      const double to = k == per_piece ? next : t + (next - t) * (double)k / (double)per_piece;
      st = twins_move(p, at, to, err);
      at = to;
      if (st == BR_OK) point(p, to, -1, g);
    }
    g->last[g->n - 1] = 1;
    t = next;
  }
  return st;
}

static void measure(bri_graph *g)
{
  double lo = g->u[0], hi = lo, bottom = g->limit[0], top = bottom;
  for (size_t i = 1; i < g->n; i++) {
    lo = fmin(lo, g->u[i]), hi = fmax(hi, g->u[i]);
    bottom = fmin(bottom, g->limit[i]), top = fmax(top, g->limit[i]);
  }
  g->width = hi - lo;
  g->height = top - bottom;
}

static br_status graphs(const twins *settled, int periods, double *distance, br_err *err)
{
  const double T = br_signal_period(settled->w.input), t0 = T * periods;
  double *x = bri_malloc_array((size_t)4 * MOST, sizeof *x);
  bri_graph g = {0, x, x ? x + MOST : NULL, x ? x + 2 * (size_t)MOST : NULL, bri_calloc(MOST, 1), 0, 0};
  size_t pieces = 0;
  br_status st = x && g.last ? BR_OK : bri_fail(err, BR_E_NOMEM, "no memory for a graph");
  *distance = (double)NAN;
  for (double t = t0; !st && t < t0 + T && pieces < MOST; t = br_signal_next_corner(settled->w.input, t))
    pieces++;
  if (!st && pieces <= MOST / (SUB + 1)) {
    twins p = *settled;
    st = gather(&p, t0, pieces <= 6 ? FINE : SUB, &g, err);
    if (!st) {
      measure(&g);
      *distance = bri_graph_distance(&g, x + 3 * (size_t)MOST);
    }
    if (st == BR_E_SIZE) st = BR_OK;
  }
  bri_free(x);
  bri_free(g.last);
  return st;
}

br_status br_rate_distance(const br_model *m, const double *par, const br_signal *input,
                           const br_wave_settings *settings, size_t n, const double *scales,
                           br_rate_row *rows, br_err *err)
{
  br_wave_settings s = settings ? *settings : br_wave_settings_default();
  br_status st = BR_OK;
  for (size_t k = 0; st == BR_OK && k < n; k++) {
    s.scale = scales[k];
    st = bri_wave_check(m, par, input, &s, err);
    if (st != BR_OK) return st;
    const size_t nz = m->nstate(par) + m->nmode(par);
    twins p = {.a = {m, par, NULL, s.load, 1, s.rtol, nz, &s.stop},
               .slow = {m, par, NULL, s.load, BRI_SLOW, s.rtol, nz, &s.stop}};
    p.w = (bri_wave){input, scales[k], s.tau, 0};
    if (s.z0) {
      memcpy(p.x, s.z0, m->nstate(par) * sizeof *p.x);
      memcpy(p.z, s.z0, m->nstate(par) * sizeof *p.z);
    }
    rows[k].scale = scales[k];
    st = one_scale(&p, &rows[k], err);
    if (!st) st = graphs(&p, rows[k].periods, &rows[k].graph, err);
    if (bri_stopped(&s.stop)) st = bri_stop_status(&s.stop, m->name, err);
  }
  return st;
}
