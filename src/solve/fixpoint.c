/* SPDX-License-Identifier: Apache-2.0
 * fixpoint.c - fixed point of a loop's period map: what the one Newton (newton.c) must know of it, and what
 * its end means; see fixpoint.h. */
#include "fixpoint.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../table/alloc.h"
#include "../text/fail.h"
#include "newton.h"

typedef struct {
  const bri_fix_problem *p;
  br_err *err;
  double *pair; /* [2 nz] */
  double contraction;
} search;

static br_status map(void *ctx, const double *x, double *out)
{
  const search *s = (const search *)ctx;
  memcpy(out, x, s->p->nz * sizeof *x);
  return s->p->map(s->p->ctx, out, s->err);
}

/* Column j of the derivative of the map at z, by complex step. */
static br_status column(const search *s, const double *z, size_t j, double *J)
{
  const bri_fix_problem *p = s->p;
  for (size_t i = 0; i < p->nz; i++) s->pair[2 * i] = z[i], s->pair[2 * i + 1] = 0;
  s->pair[2 * j + 1] = BRI_IMAG_STEP;
  const br_status st = p->map_pair(p->ctx, s->pair, s->err);
  for (size_t i = 0; i < p->ns; i++) J[i * p->ns + j] = s->pair[2 * i + 1] / BRI_IMAG_STEP;
  return st;
}

/* Largest growth of a deviation over one period (power iteration on J without the counters). */
static double spectral_radius(size_t n, const double *J, const char *skip)
{
  double x[BRI_FIX_MAX], y[BRI_FIX_MAX], radius = 0;
  for (size_t i = 0; i < n; i++) x[i] = skip[i] ? 0.0 : 1.0 + 0.1 * (double)i;
  for (int it = 0; it < 60; it++) {
    double norm = 0, old = 0;
    for (size_t i = 0; i < n; i++) {
      y[i] = 0;
      for (size_t j = 0; j < n; j++) y[i] += skip[i] || skip[j] ? 0.0 : J[i * n + j] * x[j];
      norm = fmax(norm, fabs(y[i]));
      old = fmax(old, fabs(x[i]));
    }
    if (!(old > 0) || !(norm > 0)) return 0;
    radius = norm / old;
    for (size_t i = 0; i < n; i++) x[i] = y[i] / norm;
  }
  return radius;
}

/* All columns.  A state that a period only shifts (z_j -> z_j + c) is left out: c is rounding (a spring that
 * never slips), or nothing, or the state counts and nobody looks at it. */
static br_status slopes(void *ctx, const double *z, const double *next, double *J, char *skip)
{
  search *s = (search *)ctx;
  const bri_fix_problem *p = s->p;
  const size_t n = p->ns;
  double size = 0;
  for (size_t j = 0; j < n; j++) {
    const br_status st = column(s, z, j, J);
    if (st != BR_OK) return st;
    size = fmax(size, fmax(fabs(z[j]), fabs(next[j])));
  }
  for (size_t j = 0; j < n; j++) {
    int counts = 1;
    for (size_t i = 0; i < n; i++) counts = counts && J[i * n + j] == (i == j ? 1.0 : 0.0);
    const int grows = fabs(next[j] - z[j]) > 1e-12 * size;
    if (counts && grows && p->observes(p->ctx, z, j))
      return bri_text_fail(s->err, BR_E_CONVERGE, (int)j,
                           "%s: no steady loop, state number %zu grows by %.6g per period and "
                           "moves the force (degradation never ends)",
                           p->name, j + 1, next[j] - z[j]);
    skip[j] = (char)counts;
  }
  s->contraction = spectral_radius(n, J, skip);
  return BR_OK;
}

/* What the end of the search means for the loop. */
static br_status verdict(const search *s, bri_newton_end end, const bri_newton_report *r,
                         bri_fix_report *report, br_err *err)
{
  const bri_fix_problem *p = s->p;
  const double change = r->residual * r->size;
  report->iterations = r->iterations;
  report->contraction = r->repeated ? (r->before > 0 ? r->residual / r->before : 0) : s->contraction;
  switch (end) {
  case BRI_NEWTON_FOUND:
    report->error =
        r->repeated ? change : change / fmax(fabs(1 - report->contraction), 1e-3) + 10 * p->rtol * r->size;
    return BR_OK;
  case BRI_NEWTON_NO_MAP: return r->status;
  case BRI_NEWTON_NAN: return bri_text_fail(err, BR_E_NAN, -1, "%s: the state is not finite", p->name);
  case BRI_NEWTON_SINGULAR:
    return bri_text_fail(err, BR_E_CONVERGE, -1,
                         "%s: no isolated steady loop (one period keeps a deviation); the last "
                         "change over a period was %.3g",
                         p->name, change);
  default: break;
  }
  if (!p->map_pair) return bri_text_fail(err, BR_E_CONVERGE, -1, "%s: four periods do not repeat", p->name);
  return bri_text_fail(err, BR_E_CONVERGE, -1,
                       "%s: no steady loop found, a period still changes the state by %.3g", p->name, change);
}

static br_status find(search *s, double *z, double *work, char *skip, bri_fix_report *report, br_err *err)
{
  const bri_fix_problem *p = s->p;
  bri_newton_problem n;
  bri_newton_report r;
  memset(&n, 0, sizeof n);
  n.ctx = s, n.map = map, n.slopes = slopes;
  n.n = p->ns, n.nx = p->nz;
  n.tol = 16 * DBL_EPSILON, n.stall = 1e3 * p->rtol; /* at rounding, or at the map's own accuracy */
  n.repeat_tol = 8 * DBL_EPSILON, n.repeats = 4;
  n.least_pivot = 1e-14;
  n.max_iter = p->map_pair ? 40 : 0;
  double *start = s->pair + 2 * p->nz;
  memcpy(start, z, p->nz * sizeof *z);
  bri_newton_end end = bri_newton(&n, z, work, skip, &r);
  if (p->map_pair && r.iterations <= 4 && (end == BRI_NEWTON_NO_MAP || end == BRI_NEWTON_NAN)) {
    memcpy(z, start, p->nz * sizeof *z); /* ran away: Newton may still find the orbit */
    n.repeats = 0;
    const int before = r.iterations;
    end = bri_newton(&n, z, work, skip, &r);
    r.iterations += before;
  }
  return verdict(s, end, &r, report, err);
}

br_status bri_fixpoint(const bri_fix_problem *p, double *z, bri_fix_report *report, br_err *err)
{
  *report = (bri_fix_report){0, 0, 0};
  if (p->ns == 0) return BR_OK;
  if (p->ns > BRI_FIX_MAX)
    return bri_text_fail(err, BR_E_SIZE, -1, "%s has more than %d states", p->name, BRI_FIX_MAX);
  double *work = bri_calloc(bri_newton_work(p->ns, p->nz), sizeof *work);
  double *own = bri_calloc(4 * p->nz, sizeof *own);
  char *skip = bri_calloc(p->ns, 1);
  search s = {p, err, own, 0};
  br_status st = BR_OK;
  if (!work || !own || !skip)
    st = bri_text_fail(err, BR_E_NOMEM, -1, "no memory for a period map of %zu states", p->nz);
  if (st == BR_OK) {
    double *x = own + 3 * p->nz;
    memcpy(x, z, p->nz * sizeof *z);
    st = find(&s, x, work, skip, report, err);
    if (st == BR_OK) memcpy(z, x, p->nz * sizeof *z);
  }
  bri_free(work);
  bri_free(own);
  bri_free(skip);
  return st;
}
