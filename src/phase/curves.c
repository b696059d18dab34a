/* SPDX-License-Identifier: Apache-2.0
 * curves.c - curves of events over two parameters, generalised Hopf points. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/team.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "phase_internal.h"

/* What the threads share; each slice keeps its own events. */
typedef struct {
  const br_phase_problem *problem;
  const br_case_map_settings *s;
  bri_plane p;
  int which1, which2, line; /* line: the first one is sigma1 */
  br_phase_event *event;    /* [n2][BRI_EVENTS] */
  size_t *count;            /* [n2] */
} work;

static double place(const br_case_map_settings *s, size_t j)
{
  return s->a2 + (s->b2 - s->a2) * (double)j / (double)(s->n2 - 1);
}

/* The problem with the second parameter set; par: room for the model's block. */
static br_phase_problem problem_at(const work *w, double y, double *par)
{
  br_phase_problem q = *w->problem;
  const char *name = bri_vary_name(w->which2);
  const br_param *row = br_model_param(q.model, name);
  memcpy(par, q.par, q.model->slots * sizeof *par);
  if (row) par[row->slot] = y;
  else if (strcmp(name, "m") == 0) q.m = y;
  else q.F = y;
  q.model->prepare(par);
  q.par = par;
  return q;
}

br_status bri_phase_slice(const bri_plane *p, int which, double y, double a, double b, br_phase_event *out,
                          size_t *n, br_err *err)
{
  br_phase *ph = bri_calloc(1, sizeof *ph);
  if (!ph) return bri_no_memory(err, "phase");
  ph->p = *p;
  bri_vary_set(&ph->p, which, y);
  ph->sign = ph->p.F < 0 ? -1 : 1;
  ph->p.F = fabs(ph->p.F);
  ph->a = a, ph->b = b;
  bri_line_of(&ph->p, b, BRI_COARSE, &ph->line);
  bri_events_along_sigma1(ph);
  memcpy(out, ph->event, ph->nevent * sizeof *out);
  *n = ph->nevent;
  bri_free(ph);
  return BR_OK;
}

/* The same along another parameter. */
static br_status other_events(const work *w, double y, br_phase_event *out, size_t *n, br_err *err)
{
  br_phase *ph;
  double *par = bri_calloc(w->problem->model->slots, sizeof *par);
  if (!par) return bri_no_memory(err, "phase");
  const br_phase_problem q = problem_at(w, y, par);
  const br_status st = br_phase_create(&q, bri_vary_name(w->which1), w->s->a1, w->s->b1, &ph, err);
  if (!st) {
    memcpy(out, ph->event, ph->nevent * sizeof *out);
    *n = ph->nevent;
    br_phase_destroy(ph);
  }
  bri_free(par);
  return st;
}

static br_status slice(void *ctx, size_t j, br_err *err)
{
  const work *w = ctx;
  br_phase_event *out = w->event + j * BRI_EVENTS;
  const double y = place(w->s, j);
  const br_status st = w->line
                           ? bri_phase_slice(&w->p, w->which2, y, w->s->a1, w->s->b1, out, &w->count[j], err)
                           : other_events(w, y, out, &w->count[j], err);
  for (size_t k = 0; k < w->count[j]; k++) out[k].value2 = y;
  return st ? st : bri_stopped(w->p.stop) ? BR_INTERRUPTED : BR_OK;
}

/* Hopf point of the equilibrium nearest to v at (x, y). */
static bri_hopf hopf_at(const work *w, double x, double y, double *v)
{
  bri_plane p = w->p;
  bri_sliding e;
  int best = -1;
  if (!w->line) bri_vary_set(&p, w->which1, x);
  bri_vary_set(&p, w->which2, y);
  p.F = fabs(p.F);
  bri_sliding_of(&p, &e);
  for (int i = 0; i < e.n; i++)
    if (bri_linear_at(&p, e.y[i].v).a0 > 0 && (best < 0 || fabs(e.y[i].v - *v) < fabs(e.y[best].v - *v)))
      best = i;
  if (best < 0) return (bri_hopf){NAN, NAN, NAN, NAN};
  *v = e.y[best].v;
  return bri_hopf_at(&p, *v);
}

/* Where the Lyapunov coefficient vanishes on the curve of Hopf points: Newton in both parameters from between
 * two of its points. */
static int generalised(const work *w, const br_phase_event *a, const br_phase_event *b, br_phase_event *out)
{
  const br_case_map_settings *s = w->s;
  const double t = a->lyapunov / (a->lyapunov - b->lyapunov), d1 = 1e-6 * (s->b1 - s->a1),
               d2 = 1e-6 * (s->b2 - s->a2);
  double x = a->value + t * (b->value - a->value), y = a->value2 + t * (b->value2 - a->value2),
         v = fabs(a->v + t * (b->v - a->v));
  const double s1 = w->p.s1;
  for (int round = 0; round < 40; round++) {
    double near = v;
    const bri_hopf h = hopf_at(w, x, y, &v), hx = hopf_at(w, x + d1, y, &near),
                   hy = hopf_at(w, x, y + d2, &near);
    /* with sigma1 as the first parameter its value follows from y alone */
    const double f = w->line ? h.sigma1 - x : h.sigma1 - s1;
    const double fx = w->line ? -1 : (hx.sigma1 - h.sigma1) / d1, fy = (hy.sigma1 - h.sigma1) / d2;
    const double gx = w->line ? 0 : (hx.lyapunov - h.lyapunov) / d1, gy = (hy.lyapunov - h.lyapunov) / d2;
    const double det = fx * gy - fy * gx, dx = (f * gy - fy * h.lyapunov) / det,
                 dy = (fx * h.lyapunov - gx * f) / det;
    x -= dx, y -= dy;
    if (!isfinite(x) || !isfinite(y)) return 0;
    if (fabs(dx) > 1e-13 * (fabs(x) + s->b1 - s->a1) || fabs(dy) > 1e-13 * (fabs(y) + s->b2 - s->a2))
      continue;
    const bri_hopf end = hopf_at(w, x, y, &v);
    *out = bri_event_new(BR_PHASE_GENERALIZED_HOPF, w->line ? end.sigma1 : x);
    out->value2 = y;
    out->v = a->v < 0 ? -v : v;
    out->omega = end.omega;
    out->lyapunov = end.lyapunov;
    /* what rounding leaves open of the coefficient, along the curve */
    out->error = fabs(fy * end.lyapunov_error / det) + 1e-14 * fabs(out->value);
    return y >= fmin(a->value2, b->value2) && y <= fmax(a->value2, b->value2);
  }
  return 0;
}

/* The Hopf point of the next slice on the same curve: the nearest in value and velocity; NULL where it
 * ends. */
static const br_phase_event *partner(const work *w, size_t j, const br_phase_event *a)
{
  const br_phase_event *e = w->event + j * BRI_EVENTS, *best = NULL;
  double least = 3; /* slices may lie far apart */
  for (size_t k = 0; k < w->count[j]; k++) {
    if (e[k].type != BR_PHASE_HOPF) continue;
    const double d = fabs(bri_log(e[k].v / a->v));
    if (d < least) least = d, best = &e[k];
  }
  return best;
}

/* Sign of the Lyapunov coefficient at a Hopf point; 0 where rounding could have made it. */
static int sign_at(const work *w, const br_phase_event *e)
{
  double v = fabs(e->v);
  const bri_hopf h = hopf_at(w, e->value, e->value2, &v);
  return !bri_hopf_signed(&h) ? 0 : h.lyapunov > 0 ? 1 : -1;
}

/* The next point of a's curve at which the coefficient has a sign for sure, and which; NULL: none. */
static const br_phase_event *next_signed(const work *w, size_t j, const br_phase_event *a, int *sign)
{
  const br_phase_event *b = a;
  while (++j < w->s->n2) {
    b = partner(w, j, b);
    if (!b) return NULL;
    *sign = sign_at(w, b);
    if (*sign) return b;
  }
  return NULL;
}

static br_status tell(const work *w, int swapped, br_event_fn *see, void *ctx, br_phase_event e)
{
  (void)w;
  if (swapped) {
    const double t = e.value;
    e.value = e.value2, e.value2 = t;
  }
  return see(ctx, &e);
}

/* Folds of equilibria where the first parameter is sigma1: lines across. */
static br_status level_folds(const work *w, int swapped, br_event_fn *see, void *ctx, br_phase *ph)
{
  br_status st = BR_OK;
  memset(ph, 0, sizeof *ph);
  ph->p = w->p;
  ph->sign = 1;
  ph->vary = w->which2;
  ph->a = w->s->a2, ph->b = w->s->b2;
  bri_scan_folds(ph);
  for (size_t k = 0; k < ph->nevent; k++) {
    br_phase_event e = ph->event[k];
    e.value2 = e.value;
    for (int end = 0; end < 2 && !st; end++) {
      e.value = end ? w->s->b1 : w->s->a1;
      st = tell(w, swapped, see, ctx, e);
    }
  }
  return st;
}

static br_status report(const work *w, int swapped, br_event_fn *see, void *ctx)
{
  br_status st = BR_OK;
  br_phase_event g;
  for (size_t j = 0; j < w->s->n2; j++)
    for (size_t k = 0; k < w->count[j] && !st; k++)
      st = tell(w, swapped, see, ctx, w->event[j * BRI_EVENTS + k]);
  for (size_t j = 0; j + 1 < w->s->n2; j++) {
    for (size_t k = 0; k < w->count[j] && !st;
         k++) { /* a change of sign that rounding could have made is none */
      const br_phase_event *a = &w->event[j * BRI_EVENTS + k];
      if (a->type != BR_PHASE_HOPF) continue;
      const int before = sign_at(w, a);
      int after = 0;
      const br_phase_event *b = before ? next_signed(w, j, a, &after) : NULL;
      if (!b || before == after || !generalised(w, a, b, &g)) continue;
      st = tell(w, swapped, see, ctx, g);
    }
  }
  return st;
}

br_status br_phase_curves(const br_phase_problem *problem, const br_case_map_settings *settings,
                          br_event_fn *see, void *ctx, br_err *err)
{
  work w;
  if (!problem || !settings || !settings->vary1 || !settings->vary2 || !see)
    return bri_fail(err, BR_E_ARG, "br_phase_curves: an argument is missing");
  br_case_map_settings s = *settings;
  memset(&w, 0, sizeof w);
  br_status st = bri_plane_of(problem->model, problem->par, problem->m, problem->F, &w.p, err);
  if (st) return st;
  w.which1 = bri_vary_find(problem->model, s.vary1, err);
  w.which2 = w.which1 < 0 ? -1 : bri_vary_find(problem->model, s.vary2, err);
  if (w.which1 < 0 || w.which2 < 0) return BR_E_NAME;
  if (w.which1 == w.which2 || !(s.a1 < s.b1) || !(s.a2 < s.b2) || s.n2 < 2 || s.n2 > 10000)
    return bri_fail(err, BR_E_ARG,
                    "phase: curves need two different parameters with ascending ranges and 2 to 10000 values "
                    "(%s = %.9g:%.9g, %s = %.9g:%.9g, %zu)",
                    s.vary1, s.a1, s.b1, s.vary2, s.a2, s.b2, s.n2);
  const int swapped = w.which2 == BRI_VARY_SIGMA1;
  if (swapped) { /* sigma1 first: its events come all at once */
    const int t = w.which1;
    w.which1 = w.which2, w.which2 = t;
    s.a1 = settings->a2, s.b1 = settings->b2, s.a2 = settings->a1, s.b2 = settings->b1;
  }
  w.line = w.which1 == BRI_VARY_SIGMA1;
  for (int c = 0; c < 4 && !st; c++) {
    bri_plane p = w.p;
    st = bri_vary_check(problem->model, &p, w.which1, c & 1 ? s.b1 : s.a1, err);
    if (st) break;
    bri_vary_set(&p, w.which1, c & 1 ? s.b1 : s.a1);
    st = bri_vary_check(problem->model, &p, w.which2, c & 2 ? s.b2 : s.a2, err);
  }
  if (st) return st;
  w.problem = problem;
  w.p.stop = &problem->stop;
  w.s = &s;
  w.event = bri_calloc(s.n2 * BRI_EVENTS, sizeof *w.event);
  w.count = bri_calloc(s.n2, sizeof *w.count);
  br_phase *ph = bri_calloc(1, sizeof *ph);
  if (!w.event || !w.count || !ph) {
    bri_free(w.event), bri_free(w.count), bri_free(ph);
    return bri_no_memory(err, "phase");
  }
  const bri_team team = {s.n2, s.threads, slice, &w, s.progress, s.ctx};
  st = bri_team_run(&team, err);
  if (!st) {
    st = report(&w, swapped, see, ctx);
    if (!st && w.line) st = level_folds(&w, swapped, see, ctx, ph);
    if (st) (void)bri_fail(err, st, "br_phase_curves: the caller stopped it");
  }
  bri_free(w.event);
  bri_free(w.count);
  bri_free(ph);
  return st;
}
