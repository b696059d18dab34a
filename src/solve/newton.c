/* SPDX-License-Identifier: Apache-2.0
 * newton.c - the one period-map Newton of the library: fixed points of a map given as a function.
 *
 * A strongly attracting cycle, and a map that forgets the past in finitely many periods, need no Newton at
 * all: plain repetition comes first and often suffices. */
#include "newton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/solve.h"
#include "linalg.h"

typedef struct {
  const bri_newton_problem *p;
  double *J, *E, *px, *d, *out, *try;
  char *skip;
} state;

size_t bri_newton_work(size_t n, size_t nx) { return 2 * n * n + n + 3 * nx; }

/* Largest |b - a| over the numbers that take part, relative to scale; huge when not finite. */
static double distance(const state *s, const double *a, const double *b, double *size)
{
  double worst = 0, most = 0;
  for (size_t i = 0; i < s->p->n; i++) {
    if (s->skip[i]) continue;
    const double x = fabs(b[i] - a[i]) / (s->p->scale ? s->p->scale[i] : 1);
    if (!(x <= worst)) worst = isfinite(x) ? x : 1e300;
    most = fmax(most, fmax(fabs(a[i]), fabs(b[i])));
  }
  *size = s->p->scale ? 1 : most;
  return s->p->scale || worst == 0 || worst >= 1e300 ? worst : worst / most;
}

/* One-sided differences, to the other side where the map fails. */
static br_status differences(const state *s, double *x)
{
  const bri_newton_problem *p = s->p;
  const size_t n = p->n;
  for (size_t j = 0; j < n; j++) {
    const double keep = x[j], h = p->step * p->scale[j];
    x[j] = keep + h;
    br_status st = p->map(p->ctx, x, s->out);
    if (st) {
      x[j] = keep - h;
      st = p->map(p->ctx, x, s->out);
    }
    const double real = x[j] - keep;
    for (size_t i = 0; i < n && !st; i++) s->J[i * n + j] = (s->out[i] - s->px[i]) / real;
    x[j] = keep;
    if (st) return st;
  }
  return BR_OK;
}

/* d = (1 - J)^-1 (P(x) - x); 0, 1 when singular. */
static int direction(const state *s, const double *x)
{
  const size_t n = s->p->n;
  size_t piv[BRI_NEWTON_MAX];
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      s->E[i * n + j] = (i == j) - (s->skip[i] || s->skip[j] ? 0 : s->J[i * n + j]);
    s->d[i] = s->skip[i] ? 0 : s->px[i] - x[i];
  }
  if (bri_lu(n, s->E, piv)) return 1;
  for (size_t i = 0; i < n; i++) /* reciprocals of the pivots stand on the diagonal */
    if (fabs(s->E[i * n + i]) * s->p->least_pivot > 1) return 1;
  bri_lu_solve(n, s->E, piv, s->d);
  return 0;
}

/* From x along d to the next x; px is its map.  Shortened where the map fails or the residual grows. */
static br_status move(const state *s, double *x, double before)
{
  const bri_newton_problem *p = s->p;
  br_status st;
  double size;
  memcpy(s->try, x, p->nx * sizeof *x);
  for (double f = 1;; f *= 0.5) {
    for (size_t i = 0; i < p->n; i++) s->try[i] = x[i] + f * s->d[i];
    st = p->map(p->ctx, s->try, s->out);
    if (!p->shorten || (!st && (distance(s, s->try, s->out, &size) < 2 * before || f < 0.1)) || f < 0.02)
      break;
  }
  if (st) return st;
  memcpy(x, s->try, p->nx * sizeof *x);
  memcpy(s->px, s->out, p->nx * sizeof *x);
  return BR_OK;
}

/* Plain repetitions.  r->repeated = 1 when they were enough. */
static bri_newton_end repeat(const state *s, double *x, bri_newton_report *r)
{
  const bri_newton_problem *p = s->p;
  for (int k = 0; k < p->repeats; k++) {
    r->status = p->map(p->ctx, x, s->px);
    if (r->status) return BRI_NEWTON_NO_MAP;
    r->iterations++;
    r->before = k ? r->residual : 0;
    r->residual = distance(s, x, s->px, &r->size);
    if (!(r->residual < 1e300)) return BRI_NEWTON_NAN;
    memcpy(x, s->px, p->nx * sizeof *x);
    r->repeated = r->residual <= p->repeat_tol;
    if (r->repeated) return BRI_NEWTON_FOUND;
  }
  return BRI_NEWTON_OPEN;
}

static bri_newton_end newton(const state *s, double *x, bri_newton_report *r)
{
  const bri_newton_problem *p = s->p;
  double best = HUGE_VAL;
  int fresh = 0;
  r->status = p->map(p->ctx, x, s->px);
  for (int it = 0; !r->status; it++) {
    r->iterations++;
    if (p->slopes) r->status = p->slopes(p->ctx, x, s->px, s->J, s->skip); /* may leave numbers out */
    if (r->status) break;
    r->residual = distance(s, x, s->px, &r->size);
    if (!(r->residual < 1e300)) return BRI_NEWTON_NAN;
    if (r->residual <= p->tol || (r->residual >= 0.5 * best && r->residual <= p->stall))
      return BRI_NEWTON_FOUND;
    if (it == p->max_iter) return BRI_NEWTON_OPEN;
    if (!p->slopes && (!fresh || it % 3 == 0)) {
      r->status = differences(s, x);
      if (r->status) break;
      fresh = p->keep_slopes;
    }
    if (direction(s, x)) {
      if (p->least_pivot > 0) return BRI_NEWTON_SINGULAR;
      for (size_t i = 0; i < p->n; i++) s->d[i] = s->px[i] - x[i]; /* a unit multiplier: repeat */
    }
    best = fmin(best, r->residual);
    r->status = move(s, x, r->residual);
    double size;
    if (!r->status && distance(s, x, s->px, &size) > 0.1 * r->residual) fresh = 0;
  }
  return BRI_NEWTON_NO_MAP;
}

bri_newton_end bri_newton(const bri_newton_problem *p, double *x, double *work, char *skip,
                          bri_newton_report *r)
{
  const size_t n = p->n, nx = p->nx;
  double *J = work, *E = J + n * n, *d = E + n * n, *px = d + n, *out = px + nx, *try = out + nx;
  const state s = {p, J, E, px, d, out, try, skip};
  memset(r, 0, sizeof *r);
  memset(skip, 0, n);
  bri_newton_end end = repeat(&s, x, r);
  if (end != BRI_NEWTON_OPEN || p->max_iter == 0) return end;
  return newton(&s, x, r);
}

/* ---- the public face: a map without known slopes ---- */

br_newton_settings br_newton_settings_default(void)
{
  const br_newton_settings s = {1e-11, 2, 20, 1e-6};
  return s;
}

/* and the marks of numbers left out, which stand behind */
size_t br_map_newton_work(size_t n) { return bri_newton_work(n, n) + n / sizeof(double) + 1; }

typedef struct {
  br_map_fn *map;
  void *ctx;
} user_map;

static br_status call_user(void *ctx, const double *x, double *out)
{
  const user_map *u = (const user_map *)ctx;
  return u->map(u->ctx, x, out) ? BR_E_CONVERGE : BR_OK;
}

br_status br_map_newton(br_map_fn *map, void *ctx, size_t n, double *x, const double *scale,
                        const br_newton_settings *settings, double *work, double *jac, double *residual,
                        br_err *err)
{
  const br_newton_settings set = settings ? *settings : br_newton_settings_default();
  user_map user = {map, ctx};
  bri_newton_problem p;
  bri_newton_report r;
  memset(&p, 0, sizeof p);
  p.ctx = &user, p.map = call_user;
  p.n = p.nx = n, p.scale = scale;
  p.tol = set.tol, p.repeats = set.warm_up, p.max_iter = set.max_iter, p.step = set.fd_step;
  p.keep_slopes = p.shorten = 1;
  p.repeat_tol = -1; /* the tolerance is that of the map at x, not of the step before */
  char *skip = (char *)(work + bri_newton_work(n, n));
  bri_newton_end end = n > BRI_NEWTON_MAX ? BRI_NEWTON_NO_MAP : bri_newton(&p, x, work, skip, &r);
  if (n > BRI_NEWTON_MAX) r.residual = 1e300;
  /* the last digits may be rounding */
  if (end == BRI_NEWTON_OPEN && r.residual <= 100 * set.tol) end = BRI_NEWTON_FOUND;
  if (end == BRI_NEWTON_FOUND && jac) {
    const state s = {&p, jac, NULL, work + 2 * n * n + n, NULL, work + 2 * n * n + 2 * n, NULL, skip};
    if (differences(&s, x)) end = BRI_NEWTON_NO_MAP;
  }
  if (residual) *residual = r.residual;
  if (end == BRI_NEWTON_FOUND) return BR_OK;
  if (err) {
    err->code = BR_E_CONVERGE, err->index = -1;
    if (end == BRI_NEWTON_OPEN)
      snprintf(err->msg, sizeof err->msg, "period-map Newton stops at residual %.3g, asked for %.3g",
               r.residual, set.tol);
    else snprintf(err->msg, sizeof err->msg, "period map cannot be evaluated near the iterate");
  }
  return BR_E_CONVERGE;
}
