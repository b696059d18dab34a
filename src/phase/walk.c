/* SPDX-License-Identifier: Apache-2.0
 * walk.c - branches of cycles by pseudo-arclength continuation, with located events.
 *
 * Steps are measured in the unknowns node 0 (relative to the cycle), period (relative) and parameter
 * (relative to its range).  A fold is where the parameter's part of the tangent changes sign, a period
 * doubling where a multiplier passes -1; both are found again by steps of other lengths from the row
 * before. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/root.h"
#include "phase_internal.h"
#include "walk.h"

enum { MOST = BRI_FIELD_MOST };
static const double SMALL = 1e-3;   /* extent of the velocity, relative, of a cycle at its Hopf point */
static const double STANDS = 1e-10; /* part of the parameter in a unit tangent below which it does not move */

/* The ring as a row; also its test functions, and its extent as the size of its states. */
br_phase_row bri_walk_measure(bri_walk *k, bri_ring *r, double *fold, double *doubling)
{
  double lo[MOST + 1], hi[MOST + 1];
  br_phase_row y;
  memset(&y, 0, sizeof y);
  bri_ring_extremes(&k->w, r, lo, hi);
  y.value = r->value;
  y.period = r->period;
  y.v_min = lo[r->n], y.v_max = hi[r->n];
  y.z_min = k->w.fam.at.nz ? lo[k->w.fam.at.nq] : NAN, y.z_max = k->w.fam.at.nz ? hi[k->w.fam.at.nq] : NAN;
  y.n = r->n - 1;
  bri_ring_multipliers(&k->w, r, y.re, y.im, fold, doubling);
  *fold = r->dp;
  y.stable = 1;
  for (size_t i = 0; i < y.n; i++) y.stable = y.stable && bri_hypot(y.re[i], y.im[i]) < 1;
  memcpy(y.x, r->x, r->n * sizeof *y.x);
  for (size_t i = 0; i < r->n; i++)
    r->size[i] = fmax(hi[i] - lo[i], 1e-7 * fmax(fabs(hi[i]), fabs(lo[i])) + 1e-300);
  return y;
}

void bri_walk_add(bri_walk *k, const br_phase_row *y)
{
  if (k->out->n < k->out->room) k->out->row[k->out->n++] = *y;
}

static void add_event(bri_walk *k, br_phase_event_type type, const br_phase_row *y)
{
  if (k->out->nevent >= BRI_WALK_EVENTS) return;
  br_phase_event e = bri_event_new(type, y->value);
  (void)snprintf(e.loop, sizeof e.loop, "period %.9g s", y->period);
  e.error = 10 * k->w.tol * k->w.range; /* the orbit is good to tol */
  k->out->event[k->out->nevent++] = e;
}

/* Units of steps at a ring. */
void bri_walk_rescale(bri_walk *k, const bri_ring *r)
{
  for (size_t i = 0; i < r->n; i++) k->w.scale[i] = fmax(r->size[i], 0.02 * fabs(r->x[i]));
  k->w.period = r->period;
}

/* The tangent of r as a direction in the unknowns, of unit length; returns by how much it was longer. */
static double direction(const bri_walk *k, const bri_ring *r, double *g)
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
static int step_to(bri_walk *k, const bri_ring *from, double s, const double *value, bri_ring *to)
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
int bri_walk_tidy(bri_walk *k, bri_ring **r)
{
  for (int round = 0; round < 3; round++) {
    double rough = 0;
    const size_t wanted = bri_ring_wanted(&k->w, *r);
    for (size_t i = 0; i < (*r)->spans; i++) rough = fmax(rough, (*r)->span[i].rough);
    if (rough < 8 * bri_pow(k->w.tol, 5.0 / 9) && (double)(*r)->spans < 1.6 * (double)wanted) return 0;
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

/* How far a cycle keeps away from v = 0 where the contact would hold. */
static double margin(const bri_walk *k, const br_phase_row *y)
{
  const double side = k->w.fam.at.side;
  return side == 0 ? 1 : side > 0 ? y->v_min : -y->v_max;
}

/* Zero of a test function between the row at k->now (value f0) and a step s beyond it (f1): false position.
 * which: 0 fold, 1 period doubling, 2 grazing.  *at: the length of the step to it. */
static int locate(bri_walk *k, int which, double s, double f0, double f1, double *at, br_phase_row *y)
{
  bri_bracket b = bri_bracket_of(0, f0, s, f1);
  int found = 0;
  for (int i = 0; i < 40 && b.b - b.a > 1e-10 * s; i++) {
    double t[3];
    const double mid = bri_bracket_next(&b);
    if (step_to(k, k->now, mid, NULL, k->spare)) return found;
    *at = mid;
    *y = bri_walk_measure(k, k->spare, &t[0], &t[1]);
    t[2] = margin(k, y);
    found = 1;
    const double f = t[which];
    if (f == 0 || fabs(mid - b.a) < 1e-12 * s || fabs(b.b - mid) < 1e-12 * s) break;
    bri_bracket_take(&b, mid, f);
    if (fabs(f) < 1e-11 * (fabs(f0) + fabs(f1))) break;
  }
  return found;
}

/* Is node 0 still the top of the orbit?  Behind a Hopf point it is the bottom. */
static int upside_down(const bri_walk *k, const br_phase_row *y)
{
  return bri_field_velocity(&k->w.fam.at, y->x) < 0.5 * (y->v_min + y->v_max);
}

/* What lies between two neighbouring rows, by its place on the branch. */
typedef struct {
  double s;
  br_phase_row y;
} stop;
typedef struct {
  stop at[BRI_WALK_WANTED + 2];
  size_t n;
} stops;

static void add_stop(stops *q, double s, const br_phase_row *y)
{
  size_t i = q->n;
  if (q->n == BRI_WALK_WANTED + 2) return;
  for (; i > 0 && q->at[i - 1].s > s; i--) q->at[i] = q->at[i - 1];
  q->at[i] = (stop){s, *y};
  q->n++;
}

/* Rows at wanted values on a stretch without folds: from value v0 at step s0 to v1 at s1. */
static void add_wanted(bri_walk *k, double v0, double v1, double s0, double s1, stops *q)
{
  for (size_t i = 0; i < k->set.nat; i++) {
    double v = k->set.at[i], fold, doubling;
    const double part = (v - v0) / (v1 - v0), s = s0 + part * (s1 - s0);
    if (!(part > 0 && part < 1) || step_to(k, k->now, s, &v, k->spare)) continue;
    k->spare->value = v; /* to the last digit, so that callers may compare */
    const br_phase_row y = bri_walk_measure(k, k->spare, &fold, &doubling);
    add_stop(q, s, &y);
  }
}

/* At a fold one multiplier is 1; loosely, because it may pass from large to small within the last digit. */
static int turns(const br_phase_row *y)
{
  for (size_t i = 0; i < y->n; i++)
    if (y->im[i] == 0 && y->re[i] > 0.02 && y->re[i] < 50) return 1;
  return 0;
}

/* Events and wanted rows between k->now and the row y, a step s behind it.  before and after: the test
 * functions fold and doubling; moves: the parameter does so at all. */
static void between(bri_walk *k, double s, const br_phase_row *y, const double *before, const double *after,
                    int moves)
{
  stops q;
  br_phase_row e;
  double turn = k->now->value, s_turn = 0, at;
  q.n = 0;
  if ((before[0] > 0) != (after[0] > 0) && moves && locate(k, 0, s, before[0], after[0], &at, &e) &&
      turns(&e)) {
    add_wanted(k, turn, e.value, 0, at, &q);
    turn = e.value, s_turn = at;
    add_stop(&q, at, &e);
    add_event(k, BR_PHASE_FOLD_OF_CYCLES, &e);
  }
  add_wanted(k, turn, y->value, s_turn, s, &q);
  if ((before[1] > 0) != (after[1] > 0) && locate(k, 1, s, before[1], after[1], &at, &e)) {
    add_stop(&q, at, &e);
    add_event(k, BR_PHASE_PERIOD_DOUBLING, &e);
  }
  for (size_t i = 0; i < q.n; i++) bri_walk_add(k, &q.at[i].y);
}

/* The row where the step s leads out of the range: on the border. */
static void land(bri_walk *k, double s)
{
  const double out = k->next->value, border = out < k->a ? k->a : k->b;
  const double part = (border - k->now->value) / (out - k->now->value);
  double fold, doubling;
  stops q;
  q.n = 0;
  if (!(part > 0)) return; /* the row before lies on it */
  add_wanted(k, k->now->value, border, 0, part * s, &q);
  if (step_to(k, k->now, part * s, &border, k->spare) == 0) {
    const br_phase_row e = bri_walk_measure(k, k->spare, &fold, &doubling);
    add_stop(&q, s, &e);
  }
  for (size_t i = 0; i < q.n; i++) bri_walk_add(k, &q.at[i].y);
}

static br_phase_end long_period(bri_walk *k)
{
  add_event(k, BR_PHASE_HOMOCLINIC, &k->out->row[k->out->n - 1]);
  return BR_PHASE_END_LONG;
}

/* The least speed along the orbit, extents per s.  Beside a homoclinic orbit it is that of a passage by the
 * saddle; a canard explosion, where the parameter stands still as well, is never that slow. */
static double slowest(const bri_ring *r)
{
  double least = INFINITY;
  for (size_t i = 0; i < r->spans; i++) {
    double speed = 0;
    for (size_t k = 0; k < r->n; k++) speed = fmax(speed, fabs(r->span[i].rate[k]) / r->size[k]);
    least = fmin(least, speed);
  }
  return least;
}

/* Walk on from k->now, whose row is in the table, until something ends it. */
br_phase_end bri_walk_follow(bri_walk *k)
{
  const br_phase_row first = k->out->row[k->out->n - 1];
  const size_t p = k->now->n + 1; /* the parameter among the unknowns */
  double s = 0.2 * k->set.step, away = 0, extent = first.v_max - first.v_min,
         test[2] = {k->fold, k->doubling};
  int still = 0;
  for (size_t count = 0; count < k->set.max_rows;) {
    double g0[BRI_RING_UNKNOWNS], g1[BRI_RING_UNKNOWNS], cosine = 0, now[2];
    if (bri_stopped(&k->w.fam.at.p.stop)) return BR_PHASE_END_STOPPED;
    if (k->set.progress && k->set.progress(k->set.ctx, k->now->value)) return BR_PHASE_END_STOPPED;
    bri_walk_rescale(k, k->now);
    (void)direction(k, k->now, g0);
    const int at_loop = k->now->period > 2 * k->shortest && fabs(g0[p]) < 1e-5 && fabs(g0[p - 1]) > 0.95 &&
                        slowest(k->now) * k->shortest < 0.05;
    if (s < 1e-7) return at_loop ? long_period(k) : BR_PHASE_END_STEP;
    const int lost = step_to(k, k->now, s, NULL, k->next);
    if (!lost) (void)direction(k, k->next, g1);
    for (size_t i = 0; i <= p && !lost; i++) cosine += g0[i] * g1[i];
    if (cosine < 0.9) {
      s *= 0.4;
      continue;
    }
    const br_phase_row y = bri_walk_measure(k, k->next, &now[0], &now[1]);
    if (y.value < k->a || y.value > k->b) {
      land(k, s);
      return BR_PHASE_END_RANGE;
    }
    if (upside_down(k, &y)) { /* through zero amplitude: the point is passed */
      if (s < 0.02 * k->set.step) return BR_PHASE_END_HOPF;
      s *= 0.3;
      continue;
    }
    const double room[2] = {margin(k, &k->out->row[k->out->n - 1]), margin(k, &y)};
    if (room[1] < 0) { /* beyond it the orbit is none of the plant */
      br_phase_row e;
      double at = s;
      if (!(room[0] > 0) || !locate(k, 2, s, room[0], room[1], &at, &e)) return BR_PHASE_END_STEP;
      between(k, at, &e, test, test, 0);
      bri_walk_add(k, &e);
      add_event(k, BR_PHASE_GRAZING, &e);
      return BR_PHASE_END_GRAZING;
    }
    /* along a homoclinic end the parameter stands still: its rounding is no fold */
    const int moves = fmax(fabs(g0[p]), fabs(g1[p])) > STANDS;
    between(k, s, &y, test, now, moves);
    bri_walk_add(k, &y);
    count++;
    bri_ring *t = k->now;
    k->now = k->next;
    k->next = t;
    memcpy(test, now, sizeof test);
    k->shortest = fmin(k->shortest, y.period);
    still = moves || !at_loop ? 0 : still + 1;
    if (still > 3 || y.period > (k->set.longest > 0 ? k->set.longest : 100 * k->shortest))
      return long_period(k);
    /* round once: back beside the first row after having been elsewhere */
    double gap = fabs(y.value - first.value) / k->w.range + fabs(y.period / first.period - 1);
    for (size_t i = 0; i + 1 < p; i++) gap += fabs(y.x[i] - first.x[i]) / k->w.scale[i];
    away = fmax(away, gap);
    if (away > 20 * k->set.step && gap < 1.5 * s) return BR_PHASE_END_CLOSED;
    const double before = extent;
    extent = y.v_max - y.v_min;
    if (extent < SMALL * fabs(y.v_max) && extent < before) return BR_PHASE_END_HOPF;
    if (bri_walk_tidy(k, &k->now)) return at_loop ? long_period(k) : BR_PHASE_END_STEP;
    if (cosine > 0.98) s = fmin(1.6 * s, k->set.step);
  }
  return BR_PHASE_END_ROWS;
}
