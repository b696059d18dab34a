/* SPDX-License-Identifier: Apache-2.0
 * search.c - Levenberg-Marquardt over the coordinates of a model.  The additive extras (offset, viscous term,
 * ...) enter linearly: for each x their best values are known, so residual and Jacobian are projected on what
 * they cannot explain (variable projection in Kaufman's form).  Bounds are kept by freezing coordinates that
 * push against them. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "fit.h"
#include "text/fail.h"
#include "text/stop.h"

/* Of the sum of squares: a promise that is not worth a trial; a gain behind which the next one is not, since
 * gains fall by the square of what a step leaves. */
static const double LEAST = 1e-8, SMALL = 1e-6;

br_status bri_search_make(bri_search *w, const bri_space *s, const bri_fit_data *d, size_t from, size_t to,
                          const double *const *columns, size_t q, br_err *err)
{
  double r[BRI_FIT_EXTRAS * BRI_FIT_EXTRAS];
  memset(w, 0, sizeof *w);
  w->s = s, w->d = d, w->from = from, w->to = to, w->q = q, w->rows = to - from;
  w->basis = bri_malloc_array((q + 1) * w->rows + (2 + BRI_WALK_STATES) * to, sizeof(double));
  w->J = bri_malloc_array((s->n + 1) * (to + 1), sizeof(double));
  if (!w->basis || !w->J) return bri_no_memory(err, "fit");
  w->rest = w->basis + q * w->rows;
  w->fitted = w->rest + w->rows;
  w->room = w->fitted + to;
  w->states = w->room + to;
  w->known = 0, w->cost = NAN, w->least = LEAST, w->small = SMALL;
  for (size_t j = 0; j < q; j++) memcpy(w->basis + j * w->rows, columns[j] + from, w->rows * sizeof(double));
  bri_orthonormal(w->rows, q, w->basis, r);
  return BR_OK;
}

void bri_search_free(bri_search *w)
{
  bri_free(w->basis);
  bri_free(w->J);
  memset(w, 0, sizeof *w);
}

/* Without what the extras explain; part[q] (may be NULL) receives it, along the basis. */
static void project(const bri_search *w, double *y, double *part)
{
  for (size_t i = 0; i < w->q; i++) {
    const double *e = w->basis + i * w->rows, along = bri_dot(w->rows, e, y);
    for (size_t k = 0; k < w->rows; k++) y[k] -= along * e[k];
    if (part) part[i] = along;
  }
}

static int is_known(const bri_search *w, const double *x)
{
  return w->known && memcmp(w->known_at, x, w->s->n * sizeof *x) == 0;
}

double bri_search_cost(bri_search *w, const double *x)
{
  double block[BRI_FIT_SLOTS];
  bri_space_block(w->s, x, block, NULL);
  bri_terms_force(w->s, w->d, w->to, block, w->fitted, w->room, w->states);
  memcpy(w->known_at, x, w->s->n * sizeof *x), w->known = 1;
  w->evaluations++;
  for (size_t k = 0; k < w->rows; k++) w->rest[k] = w->d->F[w->from + k] - w->fitted[w->from + k];
  project(w, w->rest, NULL);
  if (w->stiff > 0) w->off = w->target - block[w->pin];
  const double cost = bri_dot(w->rows, w->rest, w->rest) + (w->stiff > 0 ? w->stiff * w->off * w->off : 0);
  return w->cost = isfinite(cost) ? cost : INFINITY;
}

void bri_search_slopes(bri_search *w, const double *x)
{
  double block[BRI_FIT_SLOTS];
  const size_t width = bri_space_width(w->s);
  double *G = bri_malloc_array(w->s->n * width, sizeof *G);
  if (!G) {
    memset(w->J, 0, w->s->n * w->to * sizeof *w->J);
    w->failed = 1;
    return;
  }
  bri_space_block(w->s, x, block, G);
  if (!is_known(w, x)) w->cost = NAN, bri_terms_force(w->s, w->d, w->to, block, NULL, w->room, w->states);
  memcpy(w->known_at, x, w->s->n * sizeof *x), w->known = 1;
  bri_terms_slopes(w->s, w->d, w->to, block, G, w->room, w->states, w->J);
  w->evaluations += w->s->n;
  for (size_t j = 0; j < w->s->n; j++) {
    memmove(w->J + j * w->rows, w->J + j * w->to + w->from, w->rows * sizeof *w->J);
    project(w, w->J + j * w->rows, w->part + j * w->q);
    w->by[j] = w->stiff > 0 ? G[j * width + w->pin] : 0;
  }
  bri_free(G);
}

void bri_search_whole(bri_search *w)
{
  for (size_t j = 0; j < w->s->n; j++)
    for (size_t i = 0; i < w->q; i++)
      for (size_t k = 0; k < w->rows; k++)
        w->J[j * w->rows + k] += w->part[j * w->q + i] * w->basis[i * w->rows + k];
}

/* The step of damped normal equations over the coordinates that are free to move; 0: none. */
static int damped(size_t n, const double *A, const double *g, const unsigned char *held, double lambda,
                  double *step)
{
  double a[BRI_FIT_MOST * BRI_FIT_MOST], y[BRI_FIT_MOST];
  size_t at[BRI_FIT_MOST], m = 0;
  for (size_t j = 0; j < n; j++)
    if (!held[j] && A[j * n + j] > 0) at[m++] = j;
  if (!m) return 0;
  double top = 0;
  for (size_t i = 0; i < m; i++) top = fmax(top, A[at[i] * n + at[i]]);
  for (size_t i = 0; i < m; i++) {
    y[i] = g[at[i]];
    for (size_t j = 0; j < m; j++) a[i * m + j] = A[at[i] * n + at[j]];
    a[i * m + i] += lambda * fmax(A[at[i] * n + at[i]], 1e-10 * top);
  }
  if (!bri_cholesky(m, a)) return 0;
  bri_cholesky_solve(m, a, y);
  for (size_t j = 0; j < n; j++) step[j] = 0;
  for (size_t i = 0; i < m; i++) step[at[i]] = y[i];
  return 1;
}

/* One trial: x + step within bounds and reach; what it promises. */
static double moved(const bri_search *w, const double *x, const double *step, const double *A,
                    const double *g, double *to)
{
  enum { LOG_REACH = 2 };
  const size_t n = w->s->n;
  double s[BRI_FIT_MOST], shrink = 1, promise = 0;
  for (size_t j = 0; j < n; j++)
    if (w->s->c[j].kind == BRI_COORD_LOG && fabs(step[j]) * shrink > LOG_REACH)
      shrink = LOG_REACH / fabs(step[j]);
  for (size_t j = 0; j < n; j++) {
    to[j] = fmin(fmax(x[j] + shrink * step[j], w->s->c[j].lo), w->s->c[j].hi);
    s[j] = to[j] - x[j];
  }
  for (size_t j = 0; j < n; j++) {
    promise += 2 * g[j] * s[j];
    for (size_t i = 0; i < n; i++) promise -= s[i] * A[i * n + j] * s[j];
  }
  return promise;
}

/* The right side at x, and the coordinates that push against an end. */
static void pull(const bri_search *w, const double *x, double *g, unsigned char *held)
{
  for (size_t j = 0; j < w->s->n; j++) {
    g[j] = bri_dot(w->rows, w->J + j * w->rows, w->rest) + (w->stiff > 0 ? w->stiff * w->off * w->by[j] : 0);
    held[j] = (x[j] <= w->s->c[j].lo && g[j] <= 0) || (x[j] >= w->s->c[j].hi && g[j] >= 0) || !isfinite(g[j]);
  }
}

double bri_search_run(bri_search *w, double *x, int rounds)
{
  const size_t n = w->s->n;
  double A[BRI_FIT_MOST * BRI_FIT_MOST], g[BRI_FIT_MOST], step[BRI_FIT_MOST], to[BRI_FIT_MOST];
  unsigned char held[BRI_FIT_MOST];
  double lambda = w->stiff > 0 ? 1e-7 : 1e-3,
         cost = w->stiff == 0 && is_known(w, x) && !isnan(w->cost) ? w->cost : bri_search_cost(w, x);
  int on = isfinite(cost);
  for (int round = 0; round < rounds && on && !bri_stopped(&w->stop); round++) {
    const double first = cost;
    double gain = 1;
    bri_search_slopes(w, x);
    bri_normal(n, w->rows, w->J, NULL, A, NULL);
    for (size_t i = 0; i < n && w->stiff > 0; i++)
      for (size_t j = 0; j < n; j++) A[i * n + j] += w->stiff * w->by[i] * w->by[j];
    /* as long as the slopes foretell what a step gains, they serve for the next one too */
    for (int again = 0, more = 1; more && again < 4 && fabs(gain - 1) < 0.2; again++) {
      const size_t walks = w->evaluations;
      double promise = 0, better = INFINITY;
      pull(w, x, g, held);
      for (int trial = 0; trial < (again ? 1 : 12); trial++, lambda *= 6) {
        if (!damped(n, A, g, held, lambda, step)) continue;
        promise = moved(w, x, step, A, g, to);
        if (!(promise > w->least * cost)) break;
        better = bri_search_cost(w, to);
        if (better < cost) {
          gain = (cost - better) / promise;
          lambda = fmax(lambda * (gain > 0.75 ? 0.1 : gain > 0.25 ? 1.0 / 3 : 2), 1e-12);
          break;
        }
      }
      more = better < cost && cost - better > w->small * better;
      if (!again) on = more;
      else if (!more && w->hasty > 0) on = first - cost > w->hasty * cost;
      if (better < cost) memcpy(x, to, n * sizeof *x), cost = better;
      else if (w->evaluations > walks) (void)bri_search_cost(w, x); /* the residual at x again */
    }
    w->fresh = !(first - cost > w->small * cost);
  }
  return cost;
}
