/* SPDX-License-Identifier: Apache-2.0
 * curves.c - curves of events over sigma1 and a second parameter, generalised Hopf points. */
#include <math.h>
#include <string.h>

#include "../table/alloc.h"
#include "../text/fail.h"
#include "phase_internal.h"

typedef struct {
  bri_plane p;
  int which;
} family;

/* Lyapunov coefficient of the slow (0) or fast (1) focus at x; NaN where there is none. */
static double coefficient(const family *f, double x, int fast, br_phase_event *e)
{
  bri_plane p = f->p;
  bri_sliding s;
  bri_vary_set(&p, f->which, x);
  p.F = fabs(p.F);
  bri_sliding_of(&p, &s);
  const int i = fast ? (s.n >= 2 ? s.n - 1 : -1) : s.n == 1 || s.n == 3 ? 0 : -1;
  if (i < 0) return NAN;
  const bri_hopf h = bri_hopf_at(&p, s.y[i].v);
  *e = bri_event_new(BR_PHASE_GENERALIZED_HOPF, h.sigma1);
  e->value2 = x;
  e->v = s.y[i].v;
  e->omega = h.omega;
  e->lyapunov = h.lyapunov;
  return h.lyapunov;
}

/* Zeros of the coefficient along the family. */
static br_status generalised(const family *f, double a, double b, br_event_fn *see, void *ctx)
{
  enum { SAMPLES = 600 };
  br_phase_event e;
  for (int fast = 0; fast < 2; fast++) {
    double before = NAN, at = a;
    for (int i = 0; i <= SAMPLES; i++) {
      const double x = a + (b - a) * i / SAMPLES, now = coefficient(f, x, fast, &e);
      if (!isnan(before) && !isnan(now) && (now > 0) != (before > 0)) {
        double lo = at, hi = x, y = NAN;
        for (int k = 0; k < 200 && hi - lo > 2e-16 * (fabs(lo) + fabs(hi)); k++) {
          const double mid = 0.5 * (lo + hi);
          y = coefficient(f, mid, fast, &e);
          if (isnan(y)) break;
          if ((y > 0) == (before > 0)) lo = mid;
          else hi = mid;
        }
        /* a zero, not a jump between equilibria */
        if (fabs(y) < 1e-6 * (fabs(now) + fabs(before))) {
          const br_status st = see(ctx, &e);
          if (st) return st;
        }
      }
      before = now;
      at = x;
    }
  }
  return BR_OK;
}

br_status br_phase_curves(const br_phase_problem *problem, const char *vary2, double a, double b, size_t n,
                          br_event_fn *see, void *ctx, br_err *err)
{
  family f;
  if (!problem || !vary2 || !see || n < 2)
    return bri_text_fail(err, BR_E_ARG, -1, "br_phase_curves: an argument is missing");
  br_status st = bri_plane_of(problem->model, problem->par, problem->m, problem->F, &f.p, err);
  if (st) return st;
  f.which = bri_vary_find(problem->model, vary2, err);
  if (f.which < 0) return BR_E_NAME;
  if (f.which == BRI_VARY_SIGMA1 || !(a < b)) {
    return bri_text_fail(err, BR_E_ARG, -1,
                         "phase: the second parameter must ascend and not be sigma1 (%s = %.9g:%.9g)", vary2,
                         a, b);
  }
  st = bri_vary_check(problem->model, &f.p, f.which, a, err);
  if (!st) st = bri_vary_check(problem->model, &f.p, f.which, b, err);
  if (st) return st;
  br_phase *ph = bri_calloc(1, sizeof *ph);
  if (!ph) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  for (size_t i = 0; i < n && !st; i++) {
    const double x = a + (b - a) * (double)i / (double)(n - 1);
    ph->p = f.p;
    bri_vary_set(&ph->p, f.which, x);
    ph->sign = ph->p.F < 0 ? -1 : 1;
    ph->p.F = fabs(ph->p.F);
    ph->a = 0, ph->b = INFINITY;
    ph->nevent = 0;
    bri_line_of(&ph->p, 0, BRI_COARSE, &ph->line);
    bri_events_along_sigma1(ph);
    for (size_t k = 0; k < ph->nevent && !st; k++) {
      ph->event[k].value2 = x;
      st = see(ctx, &ph->event[k]);
    }
  }
  bri_free(ph);
  if (!st) st = generalised(&f, a, b, see, ctx);
  return st ? bri_text_fail(err, st, -1, "br_phase_curves: the caller stopped it") : BR_OK;
}
