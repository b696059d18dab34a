/* SPDX-License-Identifier: Apache-2.0
 * continue.c - branches of cycles by pseudo-arclength continuation, with located events.
 *
 * Steps are measured in the unknowns node 0 (relative to the cycle), period (relative) and parameter (relative
 * to its range).  A fold is where the parameter's part of the tangent changes sign, a period doubling where a
 * multiplier passes -1; both are found again by steps of other lengths from the row before. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../table/alloc.h"
#include "../text/fail.h"
#include "lyapunov.h"
#include "phase_internal.h"
#include "ring.h"

enum { MOST = BRI_FIELD_MOST, EVENTS = 64 };
static const double SMALL = 1e-3;   /* extent of the velocity, relative, of a cycle at its Hopf point */
static const double STANDS = 1e-10; /* part of the parameter in a unit tangent below which it does not move */

struct br_phase_branch {
  br_phase_row *row;
  size_t n, room;
  br_phase_event event[EVENTS];
  size_t nevent;
  br_phase_end end[2];
};

/* What a walk along the branch carries. */
typedef struct {
  bri_ring_work w;
  bri_ring *now, *next, *spare;
  br_phase_branch_settings set;
  double a, b, shortest;
  double fold, doubling; /* test functions of the last row */
  br_phase_branch *out;
} walk;

static const char *const END_NAMES[] = {
#define NAME(id, text) text,
    BR_PHASE_END_LIST(NAME)
#undef NAME
};
const char *br_phase_end_name(br_phase_end end)
{
  return (unsigned)end < BR_PHASE_ENDS ? END_NAMES[end] : "unknown";
}

br_phase_branch_settings br_phase_branch_settings_default(void)
{
  const br_phase_branch_settings s = {sizeof s, 400, 1e-10, 0.05, 0, NULL, NULL};
  return s;
}

/* The ring as a row; also its test functions, and its extent as the size of its states. */
static br_phase_row measure(walk *k, bri_ring *r, double *fold, double *doubling)
{
  double lo[MOST + 1], hi[MOST + 1];
  br_phase_row y;
  memset(&y, 0, sizeof y);
  bri_ring_extremes(&k->w, r, lo, hi);
  y.value = r->value;
  y.period = r->period;
  y.v_min = lo[r->n], y.v_max = hi[r->n];
  y.z_min = lo[k->w.fam.at.nq], y.z_max = hi[k->w.fam.at.nq];
  y.n = r->n - 1;
  bri_ring_multipliers(&k->w, r, y.re, y.im, fold, doubling);
  *fold = r->dp;
  y.stable = 1;
  for (size_t i = 0; i < y.n; i++) y.stable = y.stable && hypot(y.re[i], y.im[i]) < 1;
  memcpy(y.x, r->x, r->n * sizeof *y.x);
  for (size_t i = 0; i < r->n; i++)
    r->size[i] = fmax(hi[i] - lo[i], 1e-7 * fmax(fabs(hi[i]), fabs(lo[i])) + 1e-300);
  return y;
}

static void add_row(walk *k, const br_phase_row *y)
{
  if (k->out->n < k->out->room) k->out->row[k->out->n++] = *y;
}

static void add_event(walk *k, br_phase_event_type type, const br_phase_row *y)
{
  if (k->out->nevent >= EVENTS) return;
  br_phase_event e = bri_event_new(type, y->value);
  (void)snprintf(e.loop, sizeof e.loop, "period %.9g s", y->period);
  k->out->event[k->out->nevent++] = e;
}

/* Units of steps at a ring. */
static void rescale(walk *k, const bri_ring *r)
{
  for (size_t i = 0; i < r->n; i++) k->w.scale[i] = fmax(r->size[i], 0.02 * fabs(r->x[i]));
  k->w.period = r->period;
}

/* The tangent of r as a direction in the unknowns, of unit length; returns by how much it was longer. */
static double direction(const walk *k, const bri_ring *r, double *g)
{
  double sum = 0;
  for (size_t i = 0; i < r->n; i++) g[i] = r->dx[i] / k->w.scale[i];
  g[r->n] = r->dT / k->w.period;
  g[r->n + 1] = r->dp / k->w.range;
  for (size_t i = 0; i < r->n + 2; i++) sum += g[i] * g[i];
  for (size_t i = 0; i < r->n + 2; i++) g[i] /= sqrt(sum);
  return sqrt(sum);
}

static void copy_shape(const bri_ring *from, bri_ring *to)
{
  const size_t head = offsetof(bri_ring, span);
  memcpy(to, from, head);
}

/* A step of length s along the branch (value NULL), or to a given value of the parameter; 0: it is there. */
static int step_to(walk *k, const bri_ring *from, double s, const double *value, bri_ring *to)
{
  bri_pick pick;
  memset(&pick, 0, sizeof pick);
  const double length = direction(k, from, pick.g);
  copy_shape(from, to);
  memcpy(to->span, from->span, from->spans * sizeof *to->span); /* where Newton for the spans starts */
  for (size_t i = 0; i < (from->spans + 1) * from->n; i++) to->x[i] += s / length * from->dx[i];
  to->period += s / length * from->dT;
  to->value += s / length * from->dp;
  bri_ring_unknowns(&k->w, from, pick.from);
  pick.rhs = s;
  if (value) {
    const double sign = from->dp < 0 ? -1 : 1;
    memset(pick.g, 0, sizeof pick.g);
    pick.g[from->n + 1] = sign;
    pick.rhs = sign * (*value - from->value) / k->w.range;
  }
  return bri_ring_solve(&k->w, to, &pick, 1);
}

/* Same point on a mesh of even quality where the present one is poor or wasteful. */
static int tidy(walk *k, bri_ring **r)
{
  for (int round = 0; round < 3; round++) {
    double rough = 0;
    const size_t wanted = bri_ring_wanted(&k->w, *r);
    for (size_t i = 0; i < (*r)->spans; i++) rough = fmax(rough, (*r)->span[i].rough);
    if (rough < 8 * pow(k->w.tol, 5.0 / 9) && (double)(*r)->spans < 1.6 * (double)wanted) return 0;
    bri_pick pick;
    memset(&pick, 0, sizeof pick);
    (void)direction(k, *r, pick.g);
    bri_ring_unknowns(&k->w, *r, pick.from);
    bri_ring_remesh(&k->w, *r, k->spare);
    if (bri_ring_solve(&k->w, k->spare, &pick, 1)) return 1;
    bri_ring *t = *r;
    *r = k->spare;
    k->spare = t;
  }
  return 0;
}

/* Zero of a test function between the row at k->now (value f0) and a step s beyond it (f1): false position.
 * which: 0 fold, 1 period doubling. */
static int locate(walk *k, int which, double s, double f0, double f1, br_phase_row *y)
{
  double lo = 0, hi = s, flo = f0, fhi = f1;
  int side = 0, found = 0;
  for (int i = 0; i < 40 && hi - lo > 1e-10 * s; i++) {
    double mid = (flo * hi - fhi * lo) / (flo - fhi), t[2];
    if (!(mid > lo && mid < hi)) mid = 0.5 * (lo + hi);
    if (step_to(k, k->now, mid, NULL, k->spare)) return found;
    *y = measure(k, k->spare, &t[0], &t[1]);
    found = 1;
    const double f = t[which];
    if (f == 0 || fabs(mid - lo) < 1e-12 * s || fabs(hi - mid) < 1e-12 * s) break;
    if ((f > 0) == (f0 > 0)) lo = mid, flo = f, fhi *= side == 1 ? 0.5 : 1, side = 1;
    else hi = mid, fhi = f, flo *= side == -1 ? 0.5 : 1, side = -1;
    if (fabs(f) < 1e-11 * (fabs(f0) + fabs(f1))) break;
  }
  return found;
}

/* Is node 0 still the top of the orbit?  Behind a Hopf point it is the bottom. */
static int upside_down(const walk *k, const br_phase_row *y)
{
  return bri_field_velocity(&k->w.fam.at, y->x) < 0.5 * (y->v_min + y->v_max);
}

/* Walk on from k->now, whose row is in the table, until something ends it. */
static br_phase_end follow(walk *k)
{
  double s = 0.2 * k->set.step, fold = k->fold, doubling = k->doubling;
  const br_phase_row first = k->out->row[k->out->n - 1];
  double away = 0;
  int still = 0;
  double before_extent = first.v_max - first.v_min;
  for (size_t count = 0; count < k->set.max_rows;) {
    double g0[BRI_RING_UNKNOWNS], g1[BRI_RING_UNKNOWNS], cosine = 0, fold1 = 0, doubling1 = 0;
    br_phase_row y, e;
    if (k->set.progress && k->set.progress(k->set.ctx, k->now->value)) return BR_PHASE_END_STOPPED;
    rescale(k, k->now);
    if (s < 1e-7) return BR_PHASE_END_STEP;
    if (step_to(k, k->now, s, NULL, k->next)) {
      s *= 0.4;
      continue;
    }
    (void)direction(k, k->now, g0);
    (void)direction(k, k->next, g1);
    for (size_t i = 0; i < k->now->n + 2; i++) cosine += g0[i] * g1[i];
    if (cosine < 0.9) {
      s *= 0.4;
      continue;
    }
    const double before = k->next->value;
    y = measure(k, k->next, &fold1, &doubling1);
    if (before < k->a || before > k->b) { /* land on the border */
      const double border = before < k->a ? k->a : k->b;
      const double part = (border - k->now->value) / (before - k->now->value);
      if (part <= 0) return BR_PHASE_END_RANGE; /* the row before lies on it */
      if (step_to(k, k->now, part * s, &border, k->spare) == 0) {
        e = measure(k, k->spare, &fold1, &doubling1);
        add_row(k, &e);
      }
      return BR_PHASE_END_RANGE;
    }
    if (upside_down(k, &y)) { /* through zero amplitude: the point is passed */
      if (s > 0.02 * k->set.step) {
        s *= 0.3;
        continue;
      }
      return BR_PHASE_END_HOPF;
    }
    /* along a homoclinic end the parameter stands still: its rounding is no fold */
    const int moves = fmax(fabs(g0[k->now->n + 1]), fabs(g1[k->now->n + 1])) > STANDS;
    if ((fold > 0) != (fold1 > 0) && moves && locate(k, 0, s, fold, fold1, &e)) {
      add_row(k, &e);
      add_event(k, BR_PHASE_FOLD_OF_CYCLES, &e);
    }
    if ((doubling > 0) != (doubling1 > 0) && locate(k, 1, s, doubling, doubling1, &e)) {
      add_row(k, &e);
      add_event(k, BR_PHASE_PERIOD_DOUBLING, &e);
    }
    add_row(k, &y);
    count++;
    bri_ring *t = k->now;
    k->now = k->next;
    k->next = t;
    fold = fold1, doubling = doubling1;
    k->shortest = fmin(k->shortest, y.period);
    still = moves || y.period < 2 * k->shortest ? 0 : still + 1;
    if (still > 3 || y.period > (k->set.longest > 0 ? k->set.longest : 100 * k->shortest)) {
      add_event(k, BR_PHASE_HOMOCLINIC, &y);
      return BR_PHASE_END_LONG;
    }
    /* round once: back beside the first row after having been elsewhere */
    double gap = fabs(y.value - first.value) / k->w.range + fabs(y.period / first.period - 1);
    for (size_t i = 0; i < k->now->n; i++) gap += fabs(y.x[i] - first.x[i]) / k->w.scale[i];
    away = fmax(away, gap);
    if (away > 20 * k->set.step && gap < 1.5 * s) return BR_PHASE_END_CLOSED;
    const double extent = y.v_max - y.v_min;
    if (extent < SMALL * fabs(y.v_max) && extent < before_extent) return BR_PHASE_END_HOPF;
    before_extent = extent;
    if (tidy(k, &k->now)) return BR_PHASE_END_STEP;
    if (cosine > 0.98) s = fmin(1.6 * s, k->set.step);
  }
  return BR_PHASE_END_ROWS;
}

static br_status open_walk(walk *k, const br_phase_plant *plant, br_vary_where where, int slot, double a,
                           double b, const br_phase_branch_settings *set, br_err *err)
{
  memset(k, 0, sizeof *k);
  if (slot < 0 || !(a < b) || !isfinite(a) || !isfinite(b)) {
    return bri_text_fail(err, BR_E_ARG, -1, "phase: %.9g:%.9g of slot %d is no range", a, b, slot);
  }
  k->set = set ? *set : br_phase_branch_settings_default();
  if (k->set.size != sizeof *set || !(k->set.tol >= 1e-13 && k->set.tol <= 1e-3) ||
      !(k->set.step > 0 && k->set.step <= 1) || k->set.max_rows < 1 || k->set.max_rows > 1000000) {
    return bri_text_fail(err, BR_E_RANGE, -1,
                         "phase: branch settings: tol = %.3g must be 1e-13..1e-3, step = %.3g at most 1, "
                         "max_rows = %zu at least 1",
                         k->set.tol, k->set.step, k->set.max_rows);
  }
  k->a = a, k->b = b;
  k->w.range = b - a;
  k->w.tol = k->set.tol;
  k->shortest = INFINITY;
  const br_status st = bri_family_open(plant, where, slot, b - a, &k->w.fam, err);
  if (st) return st;
  k->out = bri_calloc(1, sizeof *k->out);
  k->w.rows = bri_calloc(bri_ring_rows(), sizeof *k->w.rows);
  k->now = bri_calloc(1, sizeof *k->now);
  k->next = bri_calloc(1, sizeof *k->next);
  k->spare = bri_calloc(1, sizeof *k->spare);
  const size_t room = 2 * k->set.max_rows + 2 * EVENTS + 4;
  if (k->out) k->out->row = bri_calloc(room, sizeof *k->out->row);
  if (!k->out || !k->out->row || !k->w.rows || !k->now || !k->next || !k->spare)
    return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  k->out->room = room;
  k->now->n = k->w.fam.at.n;
  return BR_OK;
}

static void close_walk(walk *k, br_status st, br_phase_branch **out)
{
  bri_free(k->w.rows);
  bri_free(k->now);
  bri_free(k->next);
  bri_free(k->spare);
  if (st) br_phase_branch_destroy(k->out);
  *out = st ? NULL : k->out;
}

/* A small cycle round the equilibrium at the Hopf point, of amplitude eps in the contact velocity. */
static int small_cycle(walk *k, const br_phase_event *hopf, double eps, br_phase_row *zero)
{
  enum { SPANS = 48 };
  bri_ring *r = k->now;
  const bri_field *f = &k->w.fam.at;
  const size_t n = f->n;
  double x[MOST], J[MOST * MOST], re[MOST], im[MOST], vr = 0, vi = 0;
  bri_pick pick;
  memset(&pick, 0, sizeof pick);
  bri_family_move(&k->w.fam, hopf->value);
  if (!bri_field_steady(f, hopf->v, x)) return 1;
  bri_field_jacobian(f, x, J);
  if (!bri_critical_vector((int)n, J, hopf->omega, re, im)) return 1;
  for (size_t i = 0; i < f->nq; i++) vr += f->vq[i] * re[i], vi += f->vq[i] * im[i];
  const double norm = vr * vr + vi * vi, speed = fabs(bri_field_velocity(f, x));
  if (!(norm > 0)) return 1;
  r->spans = SPANS;
  r->period = 2 * 3.14159265358979323846 / hopf->omega;
  r->value = hopf->value;
  for (size_t i = 0; i < n; i++) { /* divide by the velocity's part, so that it is 1 and real */
    const double a = (re[i] * vr + im[i] * vi) / norm, b = (im[i] * vr - re[i] * vi) / norm;
    r->size[i] = fmax(2 * eps * hypot(a, b), 1e-300);
    for (size_t s = 0; s <= SPANS; s++) {
      const double phi = 2 * 3.14159265358979323846 * (double)s / SPANS;
      r->x[s * n + i] = x[i] + eps * (a * cos(phi) - b * sin(phi));
      if (s < SPANS) r->share[s] = 1.0 / SPANS, r->span[s].pieces = 0;
    }
    pick.from[i] = x[i];
    pick.g[i] = 0;
  }
  rescale(k, r);
  for (size_t i = 0; i < n; i++) {
    pick.from[i] /= k->w.scale[i];
    if (i < f->nq) pick.g[i] = f->vq[i] * k->w.scale[i] / speed;
  }
  pick.rhs = eps / speed;
  if (bri_ring_solve(&k->w, r, &pick, 1)) return 1;
  memset(zero, 0, sizeof *zero);
  zero->value = hopf->value;
  zero->period = 2 * 3.14159265358979323846 / hopf->omega;
  zero->v_min = zero->v_max = bri_field_velocity(f, x);
  zero->z_min = zero->z_max = x[f->nq];
  zero->n = n - 1;
  zero->re[0] = 1;
  if (n == 3) zero->re[1] = exp((J[0] + J[4] + J[8]) * zero->period); /* the pair has no real part */
  memcpy(zero->x, x, n * sizeof *x);
  return 0;
}

br_status br_phase_branch_from_hopf(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                    double b, const br_phase_event *hopf,
                                    const br_phase_branch_settings *settings, br_phase_branch **out,
                                    br_err *err)
{
  walk k;
  br_phase_row zero, y;
  if (!out || !hopf)
    return bri_text_fail(err, BR_E_ARG, -1, "br_phase_branch_from_hopf: an argument is NULL");
  *out = NULL;
  br_status st = open_walk(&k, plant, where, slot, a, b, settings, err);
  int found = 0;
  for (double part = 0.01; !st && !found && part > 1e-4; part *= 0.3) {
    found = !small_cycle(&k, hopf, part * fabs(hopf->v), &zero);
  }
  if (!st && !found) {
    st = bri_text_fail(err, BR_E_CONVERGE, -1, "phase: no cycle found beside the Hopf point at %.9g",
                       hopf->value);
  }
  if (!st) {
    y = measure(&k, k.now, &k.fold, &k.doubling);
    zero.stable = y.stable;
    add_row(&k, &zero);
    add_row(&k, &y);
    k.out->end[0] = BR_PHASE_END_HOPF;
    k.shortest = y.period;
    if (tidy(&k, &k.now))
      st = bri_text_fail(err, BR_E_CONVERGE, -1, "phase: the cycle beside the Hopf point at %.9g is lost",
                         hopf->value);
    else k.out->end[1] = y.value < a || y.value > b ? BR_PHASE_END_RANGE : follow(&k);
  }
  close_walk(&k, st, out);
  return st;
}

/* The cycle through x, with node 0 where the contact velocity is largest. */
static int given_cycle(walk *k, double value, const double *x, double period)
{
  bri_ring *r = k->now;
  const bri_field *f = &k->w.fam.at;
  const size_t n = f->n;
  double rate[MOST], top[MOST];
  bri_pick pick;
  memset(&pick, 0, sizeof pick);
  bri_family_move(&k->w.fam, value);
  bri_field_rates(f, x, rate);
  for (size_t i = 0; i < n; i++) r->size[i] = fmax(fabs(x[i]), 0.01 * fabs(rate[i]) * period) + 1e-300;
  r->value = value;
  memcpy(top, x, n * sizeof *top);
  for (int round = 0; round < 2; round++) { /* once to see its size, once from the top */
    double lo[MOST + 1], hi[MOST + 1], best = -INFINITY;
    if (bri_ring_trace(&k->w, top, period, r)) return 1;
    bri_ring_extremes(&k->w, r, lo, hi);
    for (size_t i = 0; i < n; i++) r->size[i] = fmax(hi[i] - lo[i], 1e-300);
    for (size_t s = 0; s < r->spans; s++) {
      const double v = bri_field_velocity(f, r->x + s * n);
      if (v > best) best = v, memcpy(top, r->x + s * n, n * sizeof *top);
    }
  }
  if (bri_ring_trace(&k->w, top, period, r)) return 1;
  k->w.period = period;
  rescale(k, r);
  pick.g[n + 1] = 1;
  pick.from[n + 1] = value / k->w.range;
  return bri_ring_solve(&k->w, r, &pick, 1) || tidy(k, &k->now);
}

br_status br_phase_branch_from_cycle(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                     double b, double value, const double *x, double period,
                                     const br_phase_branch_settings *settings, br_phase_branch **out,
                                     br_err *err)
{
  walk k;
  if (!out || !x) return bri_text_fail(err, BR_E_ARG, -1, "br_phase_branch_from_cycle: an argument is NULL");
  *out = NULL;
  if (!(value >= a && value <= b) || !(period > 0) || !isfinite(period)) {
    return bri_text_fail(err, BR_E_RANGE, -1,
                         "phase: a cycle at %.9g, period %.9g s, does not lie in %.9g:%.9g", value, period, a,
                         b);
  }
  br_status st = open_walk(&k, plant, where, slot, a, b, settings, err);
  bri_ring *start = st ? NULL : bri_calloc(1, sizeof *start);
  if (!st && !start) st = bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  if (!st && given_cycle(&k, value, x, period)) {
    st = bri_text_fail(err, BR_E_CONVERGE, -1, "phase: no cycle with period %.9g s found at %.9g", period,
                       value);
  }
  if (!st) {
    br_phase_row y = measure(&k, k.now, &k.fold, &k.doubling);
    const double fold = k.fold, doubling = k.doubling;
    *start = *k.now;
    add_row(&k, &y);
    k.shortest = y.period;
    /* downward first: its rows are then turned round */
    for (size_t i = 0; i < (start->spans + 1) * start->n; i++) k.now->dx[i] = -start->dx[i];
    k.now->dT = -start->dT, k.now->dp = -start->dp;
    k.fold = -fold;
    k.out->end[0] = follow(&k);
    for (size_t i = 0, j = k.out->n - 1; i < j; i++, j--) {
      const br_phase_row t = k.out->row[i];
      k.out->row[i] = k.out->row[j], k.out->row[j] = t;
    }
    for (size_t i = 0; k.out->nevent > 1 && i < k.out->nevent / 2; i++) {
      const br_phase_event t = k.out->event[i];
      k.out->event[i] = k.out->event[k.out->nevent - 1 - i], k.out->event[k.out->nevent - 1 - i] = t;
    }
    *k.now = *start;
    k.fold = fold, k.doubling = doubling;
    k.out->end[1] = k.out->end[0] == BR_PHASE_END_CLOSED ? BR_PHASE_END_CLOSED : follow(&k);
  }
  bri_free(start);
  close_walk(&k, st, out);
  return st;
}

void br_phase_branch_destroy(br_phase_branch *branch)
{
  if (!branch) return;
  bri_free(branch->row);
  bri_free(branch);
}

const br_phase_row *br_phase_branch_rows(const br_phase_branch *branch, size_t *n)
{
  *n = branch ? branch->n : 0;
  return branch ? branch->row : NULL;
}

const br_phase_event *br_phase_branch_events(const br_phase_branch *branch, size_t *n)
{
  *n = branch ? branch->nevent : 0;
  return branch ? branch->event : NULL;
}

br_phase_end br_phase_branch_end(const br_phase_branch *branch, int last)
{
  return branch ? branch->end[last ? 1 : 0] : BR_PHASE_END_STOPPED;
}
