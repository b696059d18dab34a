/* SPDX-License-Identifier: Apache-2.0
 * branches.c - where branches of cycles start, and their public face. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "lyapunov.h"
#include "walk.h"

enum { MOST = BRI_FIELD_MOST };

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
  const br_phase_branch_settings s = {400, 1e-10, 0.05, 0, NULL, 0, NULL, NULL};
  return s;
}

static br_status open_walk(bri_walk *k, const br_phase_plant *plant, br_vary_where where, int slot, double a,
                           double b, const br_phase_branch_settings *set, br_err *err)
{
  memset(k, 0, sizeof *k);
  if (slot < 0 || !(a < b) || !isfinite(a) || !isfinite(b))
    return bri_fail(err, BR_E_ARG, "phase: %.9g:%.9g of slot %d is no range", a, b, slot);
  k->set = set ? *set : br_phase_branch_settings_default();
  if (!(k->set.tol >= 1e-13 && k->set.tol <= 1e-3) || !(k->set.step > 0 && k->set.step <= 1) ||
      k->set.max_rows < 1 || k->set.max_rows > 1000000 || k->set.nat > BRI_WALK_WANTED ||
      (k->set.nat && !k->set.at))
    return bri_fail(err, BR_E_RANGE,
                    "phase: branch settings: tol = %.3g must be 1e-13..1e-3, step = %.3g at most 1, "
                    "max_rows = %zu at least 1, nat = %zu at most 64",
                    k->set.tol, k->set.step, k->set.max_rows, k->set.nat);
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
  const size_t room = 2 * k->set.max_rows + 2 * BRI_WALK_EVENTS + 4;
  if (k->out) k->out->row = bri_calloc(room, sizeof *k->out->row);
  if (!k->out || !k->out->row || !k->w.rows || !k->now || !k->next || !k->spare)
    return bri_no_memory(err, "phase");
  k->out->room = room;
  k->now->n = k->w.fam.at.n;
  return BR_OK;
}

static void close_walk(bri_walk *k, br_status st, br_phase_branch **out)
{
  bri_free(k->w.rows);
  bri_free(k->now);
  bri_free(k->next);
  bri_free(k->spare);
  if (st) br_phase_branch_destroy(k->out);
  *out = st ? NULL : k->out;
}

/* A small cycle round the equilibrium at the Hopf point, of amplitude eps in the contact velocity. */
static int small_cycle(bri_walk *k, const br_phase_event *hopf, double eps, br_phase_row *zero)
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
  for (size_t i = 0; i < n; i++) { /* is it one at all? */
    double a = hopf->omega * im[i], b = -hopf->omega * re[i], top = 1e-300;
    for (size_t j = 0; j < n; j++) {
      a += J[i * n + j] * re[j], b += J[i * n + j] * im[j];
      top += fabs(J[i * n + j]) * bri_hypot(re[j], im[j]);
    }
    if (!(bri_hypot(a, b) <= 1e-5 * top)) return 1;
  }
  for (size_t i = 0; i < f->nq; i++) vr += f->vq[i] * re[i], vi += f->vq[i] * im[i];
  const double norm = vr * vr + vi * vi, speed = fabs(bri_field_velocity(f, x));
  if (!(norm > 0)) return 1;
  r->spans = SPANS;
  r->period = 2 * 3.14159265358979323846 / hopf->omega;
  r->value = hopf->value;
  for (size_t i = 0; i < n; i++) { /* divide by the velocity's part, so that it is 1 and real */
    const double a = (re[i] * vr + im[i] * vi) / norm, b = (im[i] * vr - re[i] * vi) / norm;
    r->size[i] = fmax(2 * eps * bri_hypot(a, b), 1e-300);
    for (size_t s = 0; s <= SPANS; s++) {
      const double phi = 2 * 3.14159265358979323846 * (double)s / SPANS;
      r->x[s * n + i] = x[i] + eps * (a * bri_cos(phi) - b * bri_sin(phi));
      if (s < SPANS) r->share[s] = 1.0 / SPANS, r->span[s].pieces = 0;
    }
    pick.from[i] = x[i];
    pick.g[i] = 0;
  }
  bri_walk_rescale(k, r);
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
  zero->z_min = zero->z_max = f->nz ? x[f->nq] : NAN;
  zero->n = n - 1;
  zero->re[0] = 1;
  if (n == 3) zero->re[1] = bri_exp((J[0] + J[4] + J[8]) * zero->period); /* the pair has no real part */
  memcpy(zero->x, x, n * sizeof *x);
  return 0;
}

br_status br_phase_branch_from_hopf(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                    double b, const br_phase_event *hopf,
                                    const br_phase_branch_settings *settings, br_phase_branch **out,
                                    br_err *err)
{
  br_phase_row zero, y;
  if (!out || !hopf) return bri_fail(err, BR_E_ARG, "br_phase_branch_from_hopf: an argument is NULL");
  *out = NULL;
  bri_walk *k = bri_calloc(1, sizeof *k); /* too large for a small stack */
  if (!k) return bri_no_memory(err, "phase");
  br_status st = open_walk(k, plant, where, slot, a, b, settings, err);
  int found = 0;
  for (double part = 0.01; !st && !found && part > 1e-4; part *= 0.3)
    found = !small_cycle(k, hopf, part * fabs(hopf->v), &zero);
  if (!st && !found)
    st = bri_fail(err, BR_E_CONVERGE, "phase: no cycle found beside the Hopf point at %.9g", hopf->value);
  if (!st) {
    y = bri_walk_measure(k, k->now, &k->fold, &k->doubling);
    zero.stable = y.stable;
    bri_walk_add(k, &zero);
    bri_walk_add(k, &y);
    k->out->end[0] = BR_PHASE_END_HOPF;
    k->shortest = y.period;
    if (bri_walk_tidy(k, &k->now))
      st =
          bri_fail(err, BR_E_CONVERGE, "phase: the cycle beside the Hopf point at %.9g is lost", hopf->value);
    else k->out->end[1] = y.value < a || y.value > b ? BR_PHASE_END_RANGE : bri_walk_follow(k);
  }
  close_walk(k, st, out);
  bri_free(k);
  return st;
}

/* The cycle through x, with node 0 where the contact velocity is largest. */
static int given_cycle(bri_walk *k, double value, const double *x, double period)
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
  bri_walk_rescale(k, r);
  pick.g[n + 1] = 1;
  pick.from[n + 1] = value / k->w.range;
  if (bri_ring_solve(&k->w, r, &pick, 1) || bri_walk_tidy(k, &k->now)) return 1;
  double lo[MOST + 1], hi[MOST + 1];
  bri_ring_extremes(&k->w, k->now, lo, hi);
  return !(hi[n] - lo[n] > 1e-5 * fmax(fabs(hi[n]), fabs(lo[n]))); /* an equilibrium is no cycle */
}

br_status br_phase_branch_from_cycle(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                     double b, double value, const double *x, double period,
                                     const br_phase_branch_settings *settings, br_phase_branch **out,
                                     br_err *err)
{
  if (!out || !x) return bri_fail(err, BR_E_ARG, "br_phase_branch_from_cycle: an argument is NULL");
  *out = NULL;
  if (!(value >= a && value <= b) || !(period > 0) || !isfinite(period))
    return bri_fail(err, BR_E_RANGE, "phase: a cycle at %.9g, period %.9g s, does not lie in %.9g:%.9g",
                    value, period, a, b);
  bri_walk *k = bri_calloc(1, sizeof *k); /* too large for a small stack */
  if (!k) return bri_no_memory(err, "phase");
  br_status st = open_walk(k, plant, where, slot, a, b, settings, err);
  bri_ring *start = st ? NULL : bri_calloc(1, sizeof *start);
  if (!st && !start) st = bri_no_memory(err, "phase");
  if (!st && given_cycle(k, value, x, period))
    st = bri_fail(err, BR_E_CONVERGE, "phase: no cycle with period %.9g s found at %.9g", period, value);
  if (!st) {
    br_phase_row y = bri_walk_measure(k, k->now, &k->fold, &k->doubling);
    const double fold = k->fold, doubling = k->doubling;
    *start = *k->now;
    bri_walk_add(k, &y);
    k->shortest = y.period;
    /* downward first: its rows are then turned round */
    for (size_t i = 0; i < (start->spans + 1) * start->n; i++) k->now->dx[i] = -start->dx[i];
    k->now->dT = -start->dT, k->now->dp = -start->dp;
    k->fold = -fold;
    k->out->end[0] = bri_walk_follow(k);
    for (size_t i = 0, j = k->out->n - 1; i < j; i++, j--) {
      const br_phase_row t = k->out->row[i];
      k->out->row[i] = k->out->row[j], k->out->row[j] = t;
    }
    for (size_t i = 0; k->out->nevent > 1 && i < k->out->nevent / 2; i++) {
      const br_phase_event t = k->out->event[i];
      k->out->event[i] = k->out->event[k->out->nevent - 1 - i], k->out->event[k->out->nevent - 1 - i] = t;
    }
    *k->now = *start;
    k->fold = fold, k->doubling = doubling;
    k->out->end[1] = k->out->end[0] == BR_PHASE_END_CLOSED ? BR_PHASE_END_CLOSED : bri_walk_follow(k);
  }
  bri_free(start);
  close_walk(k, st, out);
  bri_free(k);
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
