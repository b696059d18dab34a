/* SPDX-License-Identifier: Apache-2.0
 * motion_search.c - Levenberg-Marquardt over the unknowns of a motion and the start values of its pieces.  A
 * start value concerns its own piece alone, so those are eliminated piece by piece (Schur's complement);
 * slopes are differences of runs of the solver, whose tolerance is far below the step of the difference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/team.h"
#include "motion.h"
#include "text/buf.h"
#include "text/fail.h"
#include "text/stop.h"

static const double STEP = 1e-5; /* of a difference, in units of the coordinate */

br_status bri_motion_search_make(bri_motion_search *w, const bri_motion_space *s, const bri_motion_data *d,
                                 size_t from, size_t to, size_t pieces, br_err *err)
{
  memset(w, 0, sizeof *w);
  const size_t n = to - from, rows = n * d->nchannel;
  w->s = s, w->d = d, w->rows = rows, w->lambda = 1e-3;
  w->pieces.n = pieces;
  w->pieces.edge = bri_malloc_array(pieces + 1, sizeof(size_t));
  const bri_share parts[] = {{&w->g, s->p},
                             {&w->locals, pieces * s->locals},
                             {&w->z, pieces * BRI_MOTION_STATES},
                             {&w->y, d->nchannel * d->n},
                             {&w->rest, rows},
                             {&w->J, s->p * rows},
                             {&w->K, s->locals * rows},
                             {&w->A, s->p * s->p + 1}};
  w->store = bri_shares(parts, sizeof parts / sizeof parts[0]);
  if (!w->pieces.edge || !w->store) return bri_no_memory(err, "fit");
  for (size_t i = 0; i <= pieces; i++) w->pieces.edge[i] = from + n * i / pieces;
  return BR_OK;
}

void bri_motion_search_free(bri_motion_search *w)
{
  bri_free(w->pieces.edge);
  bri_free(w->store);
  memset(w, 0, sizeof *w);
}

/* The local value of a column, and its slope. */
static void local(const bri_motion_search *w, const double *y, size_t piece, double *value, double *slope)
{
  const size_t a = w->pieces.edge[piece], n = w->pieces.edge[piece + 1] - a, window = n < 31 ? n : 31;
  bri_motion_parabola(w->d->t + a, y + a, n, 0, window, value, slope);
}

void bri_motion_search_seed(bri_motion_search *w)
{
  const bri_motion_space *s = w->s;
  for (size_t i = 0; i < w->pieces.n; i++) {
    double *x = w->locals + i * s->locals, value = 0, slope = 0;
    memset(x, 0, s->locals * sizeof *x);
    for (int pass = 0; pass < 2; pass++) /* a velocity that was measured is better than a derived one */
      for (size_t c = 0; c < w->d->nchannel; c++) {
        const bri_motion_channel *k = &w->d->channel[c];
        const int position = k->kind == BRI_SEEN_POSITION || k->kind == BRI_SEEN_INTEGRAL ||
                             (k->kind == BRI_SEEN_STATE && (int)k->index == s->at_u);
        if (position != (pass == 0)) continue;
        local(w, k->y, i, &value, &slope);
        if (position && s->at_v >= 0) x[s->at_v] = slope;
        if (position && s->at_u >= 0) x[s->at_u] = value;
        if (k->kind == BRI_SEEN_INTEGRAL) x[s->nq] = value;
        if (k->kind == BRI_SEEN_VELOCITY && s->at_v >= 0) x[s->at_v] = value;
        if (k->kind == BRI_SEEN_STATE && k->index < s->nq) x[k->index] = value;
      }
  }
}

/* ---- runs ---- */

/* Weighted residual of a prediction; the sum of its squares. */
static double residual(const bri_motion_search *w, const double *y, double *rest)
{
  const size_t a = w->pieces.edge[0], n = w->pieces.edge[w->pieces.n] - a;
  for (size_t c = 0; c < w->d->nchannel; c++)
    for (size_t k = 0; k < n; k++)
      rest[c * n + k] = w->d->channel[c].weight * (w->d->channel[c].y[a + k] - y[c * w->d->n + a + k]);
  if (w->filter) bri_motion_whiten(w->filter, w, 0, w->pieces.n, rest);
  const double cost = bri_dot(w->rows, rest, rest);
  return isfinite(cost) ? cost : INFINITY;
}

/* The slope of the prediction over samples [a, b), as a column of rows. */
static void difference(const bri_motion_search *w, const double *y, double h, size_t a, size_t b,
                       double *column)
{
  const size_t from = w->pieces.edge[0], n = w->pieces.edge[w->pieces.n] - from;
  for (size_t c = 0; c < w->d->nchannel; c++)
    for (size_t k = a; k < b; k++)
      column[c * n + k - from] = w->d->channel[c].weight * (y[c * w->d->n + k] - w->y[c * w->d->n + k]) / h;
}

typedef struct {
  bri_motion_search *w;
  double scale[BRI_MOTION_LOCALS]; /* of start values */
  size_t *spent;                   /* by each piece of the work */
} slope_work;

/* On the side where the run can be made; where neither can, the unknown stays. */
static br_status by_unknown(bri_motion_search *w, size_t j, double *y, double *z, size_t *spent, br_err *err)
{
  double g[BRI_FIT_MOST], lo = 0, hi = 0;
  br_err why = {BR_OK, -1, ""};
  br_status st = BR_E_CONVERGE;
  bri_motion_space_bounds(w->s, j, &lo, &hi);
  memset(w->J + j * w->rows, 0, w->rows * sizeof *w->J);
  for (int side = w->g[j] + STEP > hi ? -1 : 1, i = 0; i < 2 && st == BR_E_CONVERGE; i++, side = -side) {
    memcpy(g, w->g, w->s->p * sizeof *g);
    g[j] += side * STEP;
    memset(z, 0, BRI_MOTION_STATES * w->pieces.n * sizeof *z);
    st = bri_motion_run(w->s, w->d, g, &w->pieces, 0, w->pieces.n, w->locals, z, y, spent, &w->stop, &why);
    if (!st)
      difference(w, y, side * STEP, w->pieces.edge[0], w->pieces.edge[w->pieces.n], w->J + j * w->rows);
    if (!st && w->filter) bri_motion_whiten(w->filter, w, 0, w->pieces.n, w->J + j * w->rows);
  }
  return !st || st == BR_E_CONVERGE ? BR_OK : bri_fail(err, st, "%s", why.msg);
}

static br_status by_starts(bri_motion_search *w, const slope_work *s, size_t i, double *y, double *z,
                           br_err *err)
{
  const size_t L = w->s->locals;
  br_status st = BR_OK;
  double *own = bri_malloc_array(w->pieces.n * L, sizeof *own);
  if (!own) return bri_no_memory(err, "fit");
  for (size_t l = 0; l < L && !st; l++) {
    const double h = STEP * s->scale[l];
    memcpy(own, w->locals, w->pieces.n * L * sizeof *own);
    memcpy(z, w->z, w->pieces.n * BRI_MOTION_STATES * sizeof *z);
    own[i * L + l] += h;
    st = bri_motion_run(w->s, w->d, w->g, &w->pieces, i, i + 1, own, z, y, &s->spent[w->s->p + i], &w->stop,
                        err);
    if (!st) difference(w, y, h, w->pieces.edge[i], w->pieces.edge[i + 1], w->K + l * w->rows);
    if (!st && w->filter) bri_motion_whiten(w->filter, w, i, i + 1, w->K + l * w->rows);
  }
  bri_free(own);
  return st;
}

static br_status slope_piece(void *ctx, size_t i, br_err *err)
{
  slope_work *s = ctx;
  bri_motion_search *w = s->w;
  const size_t p = w->frozen ? 0 : w->s->p;
  double *y = bri_malloc_array(w->d->nchannel * w->d->n + w->pieces.n * BRI_MOTION_STATES, sizeof *y);
  if (!y) return bri_no_memory(err, "fit");
  double *z = y + w->d->nchannel * w->d->n;
  const br_status st = i < p ? by_unknown(w, i, y, z, &s->spent[i], err) : by_starts(w, s, i - p, y, z, err);
  bri_free(y);
  return st;
}

/* The dot of two columns over the rows of piece i. */
static double piece_dot(const bri_motion_search *w, size_t i, const double *a, const double *b)
{
  const size_t from = w->pieces.edge[0], n = w->pieces.edge[w->pieces.n] - from,
               at = w->pieces.edge[i] - from, m = w->pieces.edge[i + 1] - w->pieces.edge[i];
  double sum = 0;
  for (size_t c = 0; c < w->d->nchannel; c++) sum += bri_dot(m, a + c * n + at, b + c * n + at);
  return sum;
}

/* ---- the step ---- */

typedef struct {
  size_t p, L;
  double D[BRI_MOTION_LOCALS * BRI_MOTION_LOCALS]; /* factor of a piece */
} piece_system;

static void piece_matrix(const bri_motion_search *w, size_t i, double lambda, piece_system *q, int *good)
{
  const size_t L = w->s->locals;
  double top = 0;
  for (size_t a = 0; a < L; a++)
    for (size_t b = 0; b <= a; b++)
      q->D[a * L + b] = q->D[b * L + a] = piece_dot(w, i, w->K + a * w->rows, w->K + b * w->rows);
  for (size_t a = 0; a < L; a++) top = fmax(top, q->D[a * L + a]);
  for (size_t a = 0; a < L; a++) q->D[a * L + a] += lambda * q->D[a * L + a] + 1e-12 * top + 1e-200;
  *good = bri_cholesky(L, q->D);
}

/* Normal equations of the unknowns with the start values eliminated; lambda 0 gives the matrix of the
 * covariance. */
static int reduced(const bri_motion_search *w, double lambda, double *A, double *b)
{
  const size_t p = w->frozen ? 0 : w->s->p, L = w->s->locals;
  piece_system q;
  double E[BRI_FIT_MOST][BRI_MOTION_LOCALS], x[BRI_MOTION_LOCALS], r[BRI_MOTION_LOCALS];
  int good = 1;
  bri_normal(p, w->rows, w->J, w->rest, A, b);
  for (size_t a = 0; a < p; a++) A[a * p + a] *= 1 + lambda;
  for (size_t i = 0; i < w->pieces.n && p; i++) {
    piece_matrix(w, i, lambda, &q, &good);
    if (!good) return 0;
    for (size_t l = 0; l < L; l++) {
      r[l] = piece_dot(w, i, w->K + l * w->rows, w->rest);
      for (size_t a = 0; a < p; a++) E[a][l] = piece_dot(w, i, w->J + a * w->rows, w->K + l * w->rows);
    }
    bri_cholesky_solve(L, q.D, r);
    for (size_t a = 0; a < p; a++) {
      memcpy(x, E[a], L * sizeof *x);
      bri_cholesky_solve(L, q.D, x);
      for (size_t l = 0; l < L; l++) b[a] -= E[a][l] * r[l];
      for (size_t c = 0; c < p; c++)
        for (size_t l = 0; l < L; l++) A[a * p + c] -= x[l] * E[c][l];
    }
  }
  return 1;
}

/* The step of the unknowns that may move; those that push against a bound stay. */
static int global_step(const bri_motion_search *w, double lambda, double *dg)
{
  const size_t p = w->frozen ? 0 : w->s->p;
  double A[BRI_FIT_MOST * BRI_FIT_MOST], a[BRI_FIT_MOST * BRI_FIT_MOST], b[BRI_FIT_MOST], y[BRI_FIT_MOST];
  size_t at[BRI_FIT_MOST], m = 0;
  memset(dg, 0, BRI_FIT_MOST * sizeof *dg);
  if (!p) return 1;
  if (!reduced(w, lambda, A, b)) return 0;
  double top = 0;
  for (size_t j = 0; j < p; j++) top = fmax(top, A[j * p + j]);
  for (size_t j = 0; j < p; j++) {
    double lo = 0, hi = 0;
    bri_motion_space_bounds(w->s, j, &lo, &hi);
    const int pushes = (w->g[j] <= lo && b[j] < 0) || (w->g[j] >= hi && b[j] > 0);
    if (!pushes && A[j * p + j] > 1e-14 * top) at[m++] = j;
  }
  for (size_t i = 0; i < m; i++) {
    y[i] = b[at[i]];
    for (size_t j = 0; j < m; j++) a[i * m + j] = A[at[i] * p + at[j]];
    a[i * m + i] += 1e-12 * top;
  }
  if (!m) return 1;
  if (!bri_cholesky(m, a)) return 0;
  bri_cholesky_solve(m, a, y);
  for (size_t i = 0; i < m; i++) dg[at[i]] = fmin(fmax(y[i], -2), 2);
  return 1;
}

static int local_steps(const bri_motion_search *w, double lambda, const double *dg, double *locals)
{
  const size_t p = w->frozen ? 0 : w->s->p, L = w->s->locals;
  for (size_t i = 0; i < w->pieces.n; i++) {
    piece_system q;
    double r[BRI_MOTION_LOCALS];
    int good = 1;
    piece_matrix(w, i, lambda, &q, &good);
    if (!good) return 0;
    for (size_t l = 0; l < L; l++) {
      r[l] = piece_dot(w, i, w->K + l * w->rows, w->rest);
      for (size_t a = 0; a < p; a++) r[l] -= dg[a] * piece_dot(w, i, w->J + a * w->rows, w->K + l * w->rows);
    }
    bri_cholesky_solve(L, q.D, r);
    for (size_t l = 0; l < L; l++) locals[i * L + l] = w->locals[i * L + l] + r[l];
  }
  return 1;
}

/* Runs where it is. */
static br_status stand(bri_motion_search *w, br_err *err)
{
  memset(w->z, 0, w->pieces.n * BRI_MOTION_STATES * sizeof *w->z);
  const br_status st = bri_motion_run(w->s, w->d, w->g, &w->pieces, 0, w->pieces.n, w->locals, w->z, w->y,
                                      &w->spent, &w->stop, err);
  w->evaluations++;
  if (!st) w->cost = residual(w, w->y, w->rest);
  return st;
}

br_status bri_motion_search_slopes(bri_motion_search *w, br_err *err)
{
  slope_work s = {.w = w};
  const size_t L = w->s->locals, p = w->frozen ? 0 : w->s->p;
  double b[BRI_FIT_MOST];
  br_status st = stand(w, err);
  for (size_t l = 0; l < L; l++) {
    for (size_t i = 0; i < w->pieces.n; i++) s.scale[l] = fmax(s.scale[l], fabs(w->locals[i * L + l]));
    if (!(s.scale[l] > 0)) s.scale[l] = 1e-3;
  }
  const bri_team team = {p + w->pieces.n, w->threads, slope_piece, &s, NULL, NULL};
  s.spent = bri_calloc(w->s->p + w->pieces.n, sizeof *s.spent);
  if (!st && !s.spent) st = bri_no_memory(err, "fit");
  if (!st) st = bri_team_run(&team, err);
  for (size_t i = 0; i < w->s->p + w->pieces.n && !st; i++) w->spent += s.spent[i];
  bri_free(s.spent);
  w->evaluations += p + L;
  if (!st && p) (void)reduced(w, 0, w->A, b);
  return st;
}

/* One round: slopes, then steps with more damping until one goes down.  *moved: by which part the cost fell.
 * */
static br_status round_of(bri_motion_search *w, double *moved, br_err *err)
{
  const size_t nl = w->pieces.n * w->s->locals, ny = w->d->nchannel * w->d->n,
               nz = w->pieces.n * BRI_MOTION_STATES;
  double *room = bri_malloc_array(2 * nl + ny + nz + w->rows, sizeof *room), dg[BRI_FIT_MOST],
         g[BRI_FIT_MOST];
  if (!room) return bri_no_memory(err, "fit");
  double *locals = room, *y = room + nl, *z = y + ny, *rest = z + nz;
  br_status st = bri_motion_search_slopes(w, err);
  *moved = 0;
  for (int t = 0; t < 10 && !st && *moved == 0; t++, w->lambda *= 6) {
    if (!global_step(w, w->lambda, dg) || !local_steps(w, w->lambda, dg, locals)) continue;
    for (size_t j = 0; j < w->s->p; j++) {
      double lo = 0, hi = 0;
      bri_motion_space_bounds(w->s, j, &lo, &hi);
      g[j] = fmin(fmax(w->g[j] + dg[j], lo), hi);
    }
    memset(z, 0, nz * sizeof *z);
    br_err why = {BR_OK, -1, ""};
    const br_status run =
        bri_motion_run(w->s, w->d, g, &w->pieces, 0, w->pieces.n, locals, z, y, &w->spent, &w->stop, &why);
    w->evaluations++;
    if (run && run != BR_E_CONVERGE) st = bri_fail(err, run, "%s", why.msg);
    const double cost = run ? INFINITY : residual(w, y, rest);
    if (!(cost < w->cost)) continue;
    *moved = w->cost > 0 ? 1 - cost / w->cost : 0;
    if (*moved == 0) break;
    memcpy(w->g, g, w->s->p * sizeof *g);
    memcpy(w->locals, locals, nl * sizeof *locals);
    w->cost = cost, w->lambda = fmax(w->lambda / 60, 1e-9);
  }
  bri_free(room);
  return st;
}

/* ---- what was found before a stop ---- */

/* Where search `id` stands: rounds done, and whether that was all. */
static br_status remember(const bri_motion_search *w, size_t id, int round, double moved, int done,
                          br_err *err)
{
  const size_t nl = w->pieces.n * w->s->locals;
  char key[32];
  bri_buf b = {0};
  (void)snprintf(key, sizeof key, "m%zu", id);
  bri_buf_printf(&b, "%d %d %zu %a %a %zu", done, round, w->evaluations, moved, w->lambda, w->spent);
  for (size_t i = 0; i < w->s->p; i++) bri_buf_printf(&b, " %a", w->g[i]);
  for (size_t i = 0; i < nl; i++) bri_buf_printf(&b, " %a", w->locals[i]);
  const br_status st =
      b.failed ? bri_no_memory(err, "fit") : w->memory->put(w->memory->ctx, key, b.text, err);
  bri_buf_free(&b);
  return st;
}

/* The same back, if it is there and whole. */
static br_status recall(bri_motion_search *w, size_t id, int *round, double *moved, int *done, br_err *err)
{
  const size_t nl = w->pieces.n * w->s->locals;
  char key[32];
  double head[6], lo = 0, hi = 0;
  (void)snprintf(key, sizeof key, "m%zu", id);
  const char *s = w->memory->get(w->memory->ctx, key);
  if (!s) return BR_OK;
  double *x = bri_malloc_array(w->s->p + nl + 1, sizeof *x);
  if (!x) return bri_no_memory(err, "fit");
  int good = 1;
  for (size_t i = 0; i < 6 && good; i++) good = bri_next_number(&s, &head[i]);
  for (size_t i = 0; i < w->s->p + nl && good; i++) good = bri_next_number(&s, &x[i]);
  good = good && !*s && head[1] >= 0 && head[1] < 1e6 && head[2] >= 0 && head[2] < 1e15 && head[4] > 0 &&
         head[5] >= 0 && head[5] < 1e18;
  for (size_t i = 0; i < w->s->p && good; i++) {
    bri_motion_space_bounds(w->s, i, &lo, &hi);
    good = x[i] >= lo && x[i] <= hi;
  }
  if (good) {
    *done = head[0] != 0, *round = (int)head[1], w->evaluations = (size_t)head[2], *moved = head[3],
    w->lambda = head[4], w->spent = (size_t)head[5];
    memcpy(w->g, x, w->s->p * sizeof *x), memcpy(w->locals, x + w->s->p, nl * sizeof *x);
  }
  bri_free(x);
  return BR_OK;
}

br_status bri_motion_search_run(bri_motion_search *w, int rounds, br_err *err)
{
  double moved = 1;
  br_status st = BR_OK;
  int i = 0, done = 0;
  const size_t id = w->memory ? (*w->step)++ : 0;
  if (w->memory) st = recall(w, id, &i, &moved, &done, err);
  for (; i < rounds && !st && !done && moved > 3e-5 && (!w->budget || w->spent < w->budget); w->round++) {
    st = round_of(w, &moved, err);
    i++;
    if (!st && w->memory) st = remember(w, id, i, moved, 0, err);
  }
  if (!st && w->memory && !done) st = remember(w, id, i, moved, 1, err);
  return st ? st : stand(w, err);
}
