/* SPDX-License-Identifier: Apache-2.0
 * fixpoint.c - fixed point of a loop's period map: what the one Newton (newton.c) must know of it, and what
 * its end means; see fixpoint.h. */
#include "fixpoint.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "newton.h"
#include "slopes.h"

#define PATIENCE 400 /* periods that are simply repeated where Newton does not end */

static br_status map(void *ctx, const double *x, double *out)
{
  const bri_slopes *s = (const bri_slopes *)ctx;
  memcpy(out, x, s->p->nz * sizeof *x);
  return s->p->map(s->p->ctx, out, s->err);
}

/* Sizes of the states: how far each goes in a period, where the caller watches that. */
static void measure(bri_slopes *s, const double *z, const double *next)
{
  const size_t n = s->p->ns;
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    s->scale[i] = s->hints.extent ? s->hints.extent[i] : fmax(fabs(z[i]), fabs(next[i]));
    most = fmax(most, s->scale[i]);
  }
  for (size_t i = 0; i < n; i++)
    if (!s->hints.extent || !(s->scale[i] > 0)) s->scale[i] = most > 0 ? most : 1;
}

/* What a failed search means. */
static br_status refuse(const bri_slopes *s, bri_newton_end end, const bri_newton_report *r)
{
  const char *name = s->p->name;
  const double change = r->residual * r->size;
  switch (end) {
  case BRI_NEWTON_NO_MAP: return r->status;
  case BRI_NEWTON_NAN: return bri_fail(s->err, BR_E_NAN, "%s: the state is not finite", name);
  case BRI_NEWTON_SINGULAR:
    return bri_fail(s->err, BR_E_CONVERGE,
                    "%s: no isolated steady loop (one period keeps a deviation); the last "
                    "change over a period was %.3g",
                    name, change);
  default: break;
  }
  return bri_fail(s->err, BR_E_CONVERGE, "%s: no steady loop found, a period still changes the state by %.3g",
                  name, change);
}

/* A direction that a period keeps has no Newton step; where nothing moves any more none is needed. */
static int is_found(bri_newton_end end, const bri_newton_report *r, double stall)
{
  return end == BRI_NEWTON_FOUND || (end == BRI_NEWTON_SINGULAR && r->residual <= stall);
}

/* Newton behind four repetitions; without them where repeating runs away (a loop that repels); behind many
 * where Newton does not end (corners of the map, a deviation that is kept). */
static bri_newton_end search(bri_newton_problem *n, const double *start, double *z, double *work, char *skip,
                             bri_newton_report *r)
{
  static const int repeats[] = {4, 0, PATIENCE};
  bri_newton_end end = BRI_NEWTON_OPEN;
  int before = 0;
  for (size_t k = 0; k < sizeof repeats / sizeof repeats[0]; k++) {
    if (k == 1 && end != BRI_NEWTON_NO_MAP && end != BRI_NEWTON_NAN) continue;
    if (k == 1 && r->iterations > 4) continue;
    memcpy(z, start, n->nx * sizeof *z);
    n->repeats = repeats[k];
    end = bri_newton(n, z, work, skip, r);
    r->iterations += before;
    before = r->iterations;
    if (is_found(end, r, n->stall) || ((const bri_slopes *)n->ctx)->never_ends) break;
  }
  return end;
}

static br_status certify(bri_slopes *s, double *z, double *work, char *skip, const bri_newton_report *r,
                         bri_fix_report *report)
{
  const size_t n = s->p->ns;
  double *J = work, *next = work + 3 * n * n + 4 * n;
  br_status st = map(s, z, next);
  if (st == BR_OK) measure(s, z, next);
  if (st == BR_OK && r->repeated) st = bri_slopes_at(s, z, next, J, skip);
  if (st == BR_OK) st = bri_slopes_certify(s, z, next, J, skip);
  if (st != BR_OK) return st;
  bri_slopes_judge(s, z, next, J, skip, work + n * n, report);
  report->iterations = r->iterations;
  return BR_OK;
}

static br_status find(bri_slopes *s, const double *start, double *z, double *work, char *skip,
                      bri_fix_report *report)
{
  const bri_fix_problem *p = s->p;
  bri_newton_problem n;
  bri_newton_report r;
  memset(&n, 0, sizeof n);
  n.ctx = s, n.map = map, n.slopes = bri_slopes_at;
  n.n = p->ns, n.nx = p->nz;
  n.scale = s->hints.extent ? s->scale : NULL;
  n.stall = 1e3 * fmax(p->rtol, 1e-13); /* at rounding, or at the map's own accuracy */
  n.repeat_tol = 8 * DBL_EPSILON;
  n.least_pivot = 1e-14;
  s->least_pivot = &n.least_pivot;
  n.max_iter = 40;
  if (map(s, start, s->high) == BR_OK) measure(s, start, s->high);
  else measure(s, start, start);
  const bri_newton_end end = search(&n, start, z, work, skip, &r);
  if (!is_found(end, &r, n.stall)) return refuse(s, end, &r);
  report->iterations = r.iterations;
  br_status st = s->hints.bare ? BR_OK : certify(s, z, work, skip, &r, report);
  if (st == BR_OK && r.repeated && r.residual > 0 && report->contraction > 0.5) {
    /* a slow approach looks like an arrival: what is left of it is many times the last change */
    bri_newton_report more;
    double *x = s->spare;
    memcpy(x, z, p->nz * sizeof *z);
    n.repeats = 0;
    if (!is_found(bri_newton(&n, x, work, skip, &more), &more, n.stall)) return BR_OK;
    memcpy(z, x, p->nz * sizeof *z);
    more.iterations += r.iterations;
    st = certify(s, z, work, skip, &more, report);
  }
  return st;
}

br_status bri_fixpoint(const bri_fix_problem *p, const bri_fix_hints *hints, double *z,
                       bri_fix_report *report, br_err *err)
{
  const size_t n = p->ns, nz = p->nz;
  memset(report, 0, sizeof *report);
  if (n == 0) return BR_OK;
  if (n > BRI_FIX_MAX || nz > 2 * BRI_FIX_MAX + 2)
    return bri_fail(err, BR_E_SIZE, "%s has more than %d states", p->name, BRI_FIX_MAX);
  const size_t newton = bri_newton_work(n, nz), judge = 3 * n * n + 4 * n + nz;
  double *work = bri_calloc(newton > judge ? newton : judge, sizeof *work);
  double *own = bri_calloc(6 * nz + n, sizeof *own);
  char *skip = bri_calloc(n, 1);
  br_status st = BR_OK;
  if (!work || !own || !skip) st = bri_fail(err, BR_E_NOMEM, "no memory for a period map of %zu states", nz);
  if (st == BR_OK) {
    double *x = own + 2 * nz;
    bri_slopes s = {.p = p, .err = err, .pair = own, .low = own + 3 * nz, .high = own + 4 * nz};
    s.spare = own + 5 * nz;
    s.scale = own + 6 * nz;
    s.hints = *hints;
    st = find(&s, z, x, work, skip, report);
    if (st == BR_OK) memcpy(z, x, nz * sizeof *z);
  }
  bri_free(work);
  bri_free(own);
  bri_free(skip);
  return st;
}
