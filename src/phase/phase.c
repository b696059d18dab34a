/* SPDX-License-Identifier: Apache-2.0
 * phase.c - the public face: events along a parameter, equilibria and cycles at a value. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "../param/valid.h"
#include "../text/fail.h"
#include "models/common/quadrature.h"
#include "phase_internal.h"
#include "returns.h"

const char *br_phase_event_name(br_phase_event_type type)
{
#define NAME(id, text) text,
  static const char *const NAMES[] = {BR_PHASE_EVENT_LIST(NAME)};
#undef NAME
  return (unsigned)type < BR_PHASE_EVENT_TYPES ? NAMES[type] : "unknown";
}

br_phase_event bri_event_new(br_phase_event_type type, double value)
{
  br_phase_event e;
  memset(&e, 0, sizeof e);
  e.type = type;
  e.value = value;
  e.value2 = e.v = e.omega = e.lyapunov = e.saddle_quantity = e.distance = e.error = NAN;
  return e;
}

/* Kept by ascending value; what lies outside the range is not wanted. */
void bri_event_add(br_phase *ph, br_phase_event e)
{
  size_t i = ph->nevent;
  if (ph->nevent >= BRI_EVENTS || !(e.value >= ph->a && e.value <= ph->b)) return;
  e.v *= ph->sign;
  for (; i > 0 && ph->event[i - 1].value > e.value; i--) ph->event[i] = ph->event[i - 1];
  ph->event[i] = e;
  ph->nevent++;
}

void bri_loop_text(const bri_section *s, size_t size, char *text)
{
  if (s->kind == BRI_LARGE || s->kind == BRI_LARGE_BELOW) (void)snprintf(text, size, "large");
  else (void)snprintf(text, size, "small, round y%d", s->focus + 1);
}

void bri_events_along_sigma1(br_phase *ph)
{
  const bri_line *l = &ph->line;
  for (int i = 0; i < l->e.n; i++) {
    br_phase_event e = bri_event_new(BR_PHASE_HOPF, l->hopf[i].sigma1);
    e.v = l->e.y[i].v;
    e.omega = l->hopf[i].omega;
    e.lyapunov = l->hopf[i].lyapunov;
    e.error = bri_hopf_error(&l->p, e.v);
    (void)snprintf(e.loop, sizeof e.loop, "small, round y%d", i + 1);
    bri_event_add(ph, e);
    if (!isnan(e.lyapunov) && !bri_hopf_signed(&l->hopf[i]))
      bri_phase_note_add(ph, "rounding decides whether the Hopf point at %.10g is sub- or supercritical",
                         e.value);
  }
  for (int i = 0; i < l->n; i++) {
    const bri_branch *b = &l->b[i];
    br_phase_event e = bri_event_new(BR_PHASE_HOMOCLINIC, b->homoclinic);
    e.v = b->s.base.v;
    e.saddle_quantity = b->saddle_quantity;
    e.error = b->homoclinic_error;
    bri_loop_text(&b->s, sizeof e.loop, e.loop);
    bri_event_add(ph, e);
    for (int k = 0; k < b->nfold; k++) {
      br_phase_event f = bri_event_new(BR_PHASE_FOLD_OF_CYCLES, b->fold[k].sigma1);
      f.distance = b->fold[k].distance;
      f.error = b->fold[k].error;
      bri_loop_text(&b->s, sizeof f.loop, f.loop);
      bri_event_add(ph, f);
    }
  }
}

void bri_phase_note_add(br_phase *ph, const char *format, ...)
{
  va_list args;
  if (ph->nnote == BRI_NOTES) return;
  va_start(args, format);
  (void)vsnprintf(ph->note[ph->nnote++], BRI_NOTE, format, args);
  va_end(args);
}

const char *br_phase_note(const br_phase *ph, size_t i) { return i < ph->nnote ? ph->note[i] : NULL; }

/* Branches that ended before they were known. */
static void note_branches(br_phase *ph)
{
  for (int i = 0; i < ph->line.n; i++) {
    const bri_branch *b = &ph->line.b[i];
    char loop[40];
    if (b->followed || (b->s.saddle >= 0 && isnan(b->homoclinic) && b->n == 0 && isnan(b->hopf.sigma1)))
      continue;
    bri_loop_text(&b->s, sizeof loop, loop);
    bri_phase_note_add(
        ph, "the branch of cycles (%s) was not followed to its end: folds on it may be missing", loop);
  }
}

/* local: Hopf points and folds of equilibria alone. */
static br_status create(const br_phase_problem *problem, const char *vary, double a, double b, int local,
                        br_phase **out, br_err *err)
{
  bri_plane p;
  if (out) *out = NULL;
  if (!problem || !vary || !out) return bri_fail(err, BR_E_ARG, "br_phase_create: an argument is NULL");
  br_status st = bri_model_ready(problem->model, problem->par, "br_phase_create", err);
  if (!st) st = bri_plane_of(problem->model, problem->par, problem->m, problem->F, &p, err);
  if (st) return st;
  const int which = bri_vary_find(problem->model, vary, err);
  if (which < 0) return BR_E_NAME;
  if (!(a < b))
    return bri_fail(err, BR_E_ARG, "phase: %s = %.9g:%.9g is no range, it must ascend", vary, a, b);
  st = bri_vary_check(problem->model, &p, which, a, err);
  if (!st) st = bri_vary_check(problem->model, &p, which, b, err);
  if (st) return st;
  br_phase *ph = bri_calloc(1, sizeof *ph);
  if (!ph) return bri_no_memory(err, "phase");
  ph->problem = *problem;
  ph->sign = p.F < 0 ? -1 : 1;
  p.F = fabs(p.F);
  p.stop = &ph->problem.stop;
  ph->p = p;
  ph->vary = which;
  ph->local = local;
  ph->a = a;
  ph->b = b;
  bri_line_of(&p, which == BRI_VARY_SIGMA1 ? b : p.s1, local ? BRI_HOPF_ALONE : BRI_FINE, &ph->line);
  if (which == BRI_VARY_SIGMA1) bri_events_along_sigma1(ph), note_branches(ph);
  else if (local) bri_scan_folds(ph), bri_scan_hopf(ph);
  else bri_scan_events(ph);
  if (!local) bri_audit(ph);
  st = bri_stop_status(&problem->stop, "phase", err);
  if (st) br_phase_destroy(ph);
  else *out = ph;
  return st;
}

br_status br_phase_create(const br_phase_problem *problem, const char *vary, double a, double b,
                          br_phase **out, br_err *err)
{
  return create(problem, vary, a, b, 0, out, err);
}

br_status br_phase_create_local(const br_phase_problem *problem, const char *vary, double a, double b,
                                br_phase **out, br_err *err)
{
  return create(problem, vary, a, b, 1, out, err);
}

void br_phase_destroy(br_phase *phase) { bri_free(phase); }
const char *br_phase_case(const br_phase *phase) { return phase->line.name; }
const br_phase_event *br_phase_events(const br_phase *phase, size_t *n)
{
  *n = phase->nevent;
  return phase->event;
}

br_status bri_plane_at(const br_phase *ph, double value, bri_plane *p, double *sign, br_err *err)
{
  *p = ph->p;
  p->F *= ph->sign;
  const br_status st = bri_vary_check(ph->problem.model, p, ph->vary, value, err);
  if (st) return st;
  bri_vary_set(p, ph->vary, value);
  *sign = p->F < 0 ? -1 : 1;
  p->F = fabs(p->F);
  return BR_OK;
}

static const char *type_of(const bri_linear *l)
{
  if (l->a0 < 0) return "saddle";
  if (l->a0 == 0) return "fold";
  if (l->im[1] > 0) return l->a1 > 0 ? "stable focus" : l->a1 < 0 ? "unstable focus" : "centre";
  return l->a1 > 0 ? "stable node" : "unstable node";
}

static void fill(br_equilibrium *e, const bri_linear *l, double time)
{
  e->a0 = l->a0 / (time * time);
  e->a1 = l->a1 / time;
  e->type = type_of(l);
  for (int i = 0; i < 2; i++) {
    e->re[i] = l->re[i] / time;
    e->im[i] = l->im[i] / time;
    e->other_re[i] = e->other_im[i] = NAN;
  }
}

br_status br_phase_equilibria(const br_phase *ph, double value, size_t max, br_equilibrium *out, size_t *n,
                              br_err *err)
{
  bri_plane p;
  double sign;
  bri_sliding s;
  const br_status st = bri_plane_at(ph, value, &p, &sign, err);
  *n = 0;
  if (st) return st;
  const bri_units u = bri_units_of(&p);
  p = bri_plane_in(&p, &u);
  bri_sliding_of(&p, &s);
  const bri_linear above = bri_linear_stick(&p, 1), below = bri_linear_stick(&p, -1);
  br_equilibrium e;
  memset(&e, 0, sizeof e);
  e.kind = BR_EQUILIBRIUM_STICK;
  e.z = sign * p.F / p.s0 * u.length;
  fill(&e, &above, u.time);
  for (int i = 0; i < 2; i++) {
    e.other_re[i] = below.re[i] / u.time;
    e.other_im[i] = below.im[i] / u.time;
  }
  /* for F > Fs a saddle as far as v > 0 sees, while it may attract from below */
  if (p.F > p.Fc + p.dF) e.type = "one-sided saddle";
  if (max > 0) out[0] = e;
  *n = 1;
  for (int i = 0; i < s.n; i++, ++*n) {
    const bri_linear l = bri_linear_at(&p, s.y[i].v);
    e.kind = BR_EQUILIBRIUM_SLIP;
    e.v = sign * s.y[i].v * u.velocity;
    e.z = sign * s.y[i].z * u.length;
    fill(&e, &l, u.time);
    if (*n < max) out[*n] = e;
  }
  return BR_OK;
}

/* Integrals along a cycle. */
typedef struct {
  const bri_plane *p;
  double total, elastic, path;
} lag;

static void lag_see(void *ctx, const bri_series *s, double h)
{
  lag *g = ctx;
  const double dir = h < 0 ? -1 : 1; /* the backward half is part of the same round */
  double total = 0, elastic = 0, path = 0;
#define NODE(x, w)                                                                                         \
  for (int mirror = 0; mirror < 2; mirror++) {                                                             \
    const double t = h * (mirror ? 1 - (x) : (x)), z = bri_series_at(s->z, t), v = bri_series_at(s->v, t), \
                 dz = bri_series_rate(s->z, t), dv = bri_series_rate(s->v, t);                             \
    total += (w) * (g->p->s0 * z + g->p->s1 * dz + g->p->s2 * v) * dv;                                     \
    elastic += (w)*g->p->s0 * z * dv;                                                                      \
    path += (w)*v;                                                                                         \
  }
  BR_GAUSS_16(NODE)
#undef NODE
  g->total += dir * h * total;
  g->elastic += dir * h * elastic;
  g->path += dir * h * path;
}

/* A closed orbit in the block's own directions. */
static void describe(const bri_cycles *all, int i, double sign, br_phase_cycle *y)
{
  const bri_section *s = &all->s[all->of[i]];
  const bri_closed *c = &all->c[i];
  const bri_units *u = &all->u;
  const bri_point start = bri_return_place(s, c->x);
  lag g = {&s->p, 0, 0, 0};
  const bri_watch watch = {lag_see, &g};
  bri_return again;
  bri_return_run(s, s->p.s1, c->x, c->dir, &watch, &again);
  memset(y, 0, sizeof *y);
  const double v = sign * u->velocity, z = sign * u->length, power = u->force * u->velocity;
  y->period = c->r.time * u->time;
  y->v_min = v * (sign > 0 ? c->r.v_min : c->r.v_max);
  y->v_max = v * (sign > 0 ? c->r.v_max : c->r.v_min);
  y->z_min = z * (sign > 0 ? c->r.z_min : c->r.z_max);
  y->z_max = z * (sign > 0 ? c->r.z_max : c->r.z_min);
  y->multiplier = bri_exp(c->dir * c->r.I);
  y->stable = c->dir * c->r.I < 0;
  y->lag_total = g.total * power;
  y->lag_elastic = g.elastic * power;
  y->v_mean = v * g.path / c->r.time;
  y->z_start = z * start.z;
  y->v_start = v * start.v;
  bri_loop_text(s, sizeof y->loop, y->loop);
}

br_status br_phase_cycles_searched(const br_phase *ph, double value, size_t max, br_phase_cycle *out,
                                   size_t *n, br_phase_search *search, br_err *err)
{
  bri_plane p;
  double sign;
  if (!ph || !n || (max && !out)) return bri_fail(err, BR_E_ARG, "br_phase_cycles: an argument is NULL");
  *n = 0;
  const br_status st = bri_plane_at(ph, value, &p, &sign, err);
  if (st) return st;
  bri_cycles *all = bri_calloc(1, sizeof *all);
  if (!all) return bri_no_memory(err, "phase");
  bri_cycles_of(&p, all);
  for (int i = 0; i < all->n; i++, ++*n) {
    if (*n >= max) continue;
    describe(all, i, sign, &out[*n]);
    out[*n].at = value;
  }
  if (search) *search = (br_phase_search){value, all->v_max * all->u.velocity, all->complete};
  bri_free(all);
  return bri_stop_status(p.stop, "phase", err);
}

br_status br_phase_cycles(const br_phase *ph, double value, size_t max, br_phase_cycle *out, size_t *n,
                          br_err *err)
{
  return br_phase_cycles_searched(ph, value, max, out, n, NULL, err);
}

br_status br_phase_hopf_diagram(const br_phase_problem *problem, size_t nv, const double *v, size_t nF,
                                const double *F, double *lyapunov, br_err *err)
{
  bri_plane p;
  const br_status st = bri_plane_of(problem->model, problem->par, problem->m, problem->F, &p, err);
  if (st) return st;
  for (size_t i = 0; i < nv; i++) {
    if (!(v[i] > 0)) return bri_text_fail(err, BR_E_RANGE, (int)i, "phase: v = %.9g m/s must be > 0", v[i]);
    bri_hopf_column(&p, v[i], F, nF, lyapunov + i * nF);
    if (bri_stopped(&problem->stop)) return bri_stop_status(&problem->stop, "phase", err);
  }
  return BR_OK;
}

/* Lyapunov coefficient of the equilibrium at v of the block's own sigma2, and the force that makes it one. */
static bri_hopf along_sliding(const bri_plane *p, double v, double *F)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  *F = g[0] + p->s2 * v;
  bri_plane q = *p;
  q.F = *F;
  return bri_hopf_at(&q, v);
}

/* How far up from lo does the coefficient have that sign for sure (sure = 1), or not the other one (0)?  By
 * halving; at hi it does not. */
static double sign_reaches(const bri_plane *p, double lo, double hi, int positive, int sure)
{
  for (int i = 0; i < 80 && hi - lo > 2e-16 * hi; i++) {
    double F;
    const double mid = 0.5 * (lo + hi);
    const bri_hopf h = along_sliding(p, mid, &F);
    if (bri_hopf_signed(&h) ? (h.lyapunov > 0) == positive : !sure) lo = mid;
    else hi = mid;
  }
  return hi;
}

/* Zero of the coefficient between two velocities at which its sign is known: in the middle of what rounding
 * leaves open. */
static br_phase_event vanishes_between(const bri_plane *p, double lo, double hi, int positive)
{
  double F, g[4], k[4];
  const double from = sign_reaches(p, lo, hi, positive, 1), to = sign_reaches(p, from, hi, positive, 0),
               v = 0.5 * (from + to);
  const bri_hopf h = along_sliding(p, v, &F);
  br_phase_event e = bri_event_new(BR_PHASE_GENERALIZED_HOPF, F);
  e.value2 = h.sigma1;
  e.v = v;
  e.omega = h.omega;
  e.lyapunov = h.lyapunov;
  bri_level_series(p, v, g, k);
  e.error = (0.5 * (to - from) + 4e-16 * v) * fabs(g[1] + p->s2) + 4e-16 * e.value;
  return e;
}

br_status br_phase_generalized_hopf(const br_phase_problem *problem, double Fa, double Fb, size_t max,
                                    br_phase_event *out, size_t *n, br_err *err)
{
  enum { N = 4000 };
  bri_plane p;
  if (!problem || !n || (max && !out))
    return bri_fail(err, BR_E_ARG, "br_phase_generalized_hopf: an argument is NULL");
  *n = 0;
  const br_status st = bri_plane_of(problem->model, problem->par, problem->m, problem->F, &p, err);
  if (st) return st;
  if (!(Fa < Fb)) return bri_fail(err, BR_E_ARG, "phase: F = %.9g:%.9g is no range", Fa, Fb);
  /* no equilibrium is faster than F/sigma2, and the level is flat where its exponent underflows */
  const double flat = p.vs * bri_pow(600, 1 / p.delta), top = p.s2 > 0 ? fmin(Fb / p.s2, flat) : flat,
               low = fmin(1e-4 * p.vs, 0.1 * top);
  double v0 = NAN; /* the last place where the coefficient had a sign for sure, and which */
  int before = 0;
  for (int i = 0; i <= N && top > low; i++) {
    double F;
    const double v = low * bri_pow(top / low, (double)i / N);
    const bri_hopf h = along_sliding(&p, v, &F);
    if (isnan(h.lyapunov)) v0 = NAN;
    if (!bri_hopf_signed(&h)) continue; /* what rounding could have made is no change */
    const int now = h.lyapunov > 0;
    if (!isnan(v0) && before != now) {
      const br_phase_event e = vanishes_between(&p, v0, v, before);
      if (e.value >= Fa && e.value <= Fb) {
        if (*n < max) out[*n] = e;
        ++*n;
      }
    }
    before = now, v0 = v;
  }
  return BR_OK;
}
