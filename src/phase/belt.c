/* SPDX-License-Identifier: Apache-2.0
 * belt.c - cycles that stick; see belt.h. */
#include "../../core/elementary.h"
#include "belt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/root.h"
#include "../text/fail.h"
#include "../text/stop.h"
#include "phase_internal.h"

enum { MOST = BRI_FIELD_MOST, ARCS = 16, SPANS = 4000, SAMPLES = 96 };

int bri_belt_holds(const br_phase_plant *plant) { return (plant->model->flags & BR_MODEL_TRUE_STICK) != 0; }

/* The line v = 0: q = release + y dir, the force that holds F = level + by y, its motion dy/dt = pace + pull
 * y. */
typedef struct {
  double release[2], dir[2];
  double side; /* of sliding behind the release */
  double level, by, pace, pull;
} line;

/* 0: it sticks for ever, or the force that holds says nothing. */
static int line_of(const bri_field *f, line *l)
{
  const double *vq = f->vq, top = f->p.model->breakaway(f->mpar, 1), size = bri_hypot(vq[0], vq[1]);
  const double lever = vq[0] * f->rf[0] + vq[1] * f->rf[1];
  double foot[2], rate[2], hold[2];
  if (!(size > 0) || lever == 0 || !isfinite(top)) return 0;
  l->dir[0] = -vq[1] / size, l->dir[1] = vq[0] / size;
  for (int i = 0; i < 2; i++) foot[i] = -f->v0 * vq[i] / (size * size);
  /* the force that keeps v at 0: lever F + vq (r0 + rq q) = 0 at the foot of the line and along it */
  for (int along = 0; along < 2; along++) {
    double sum = 0;
    for (int i = 0; i < 2; i++) {
      rate[i] = along ? 0 : f->r0[i];
      for (int j = 0; j < 2; j++) rate[i] += f->rq[i][j] * (along ? l->dir[j] : foot[j]);
      sum += vq[i] * rate[i];
    }
    hold[along] = -sum / lever;
  }
  l->by = hold[1];
  if (l->by == 0) return 0;
  for (int way = -1; way <= 1; way += 2) { /* which end is the motion led to? */
    const double y = (way * top - hold[0]) / hold[1];
    l->side = way, l->level = way * top;
    l->pace = l->pull = 0;
    for (int i = 0; i < 2; i++) l->release[i] = foot[i] + y * l->dir[i];
    for (int i = 0; i < 2; i++) {
      double at = f->r0[i] + f->rf[i] * l->level, by = f->rf[i] * l->by;
      for (int j = 0; j < 2; j++) at += f->rq[i][j] * l->release[j], by += f->rq[i][j] * l->dir[j];
      l->pace += l->dir[i] * at, l->pull += l->dir[i] * by;
    }
    if (l->by * l->pace * way > 0) return 1;
  }
  return 0;
}

/* Time from y on the line to the release at y = 0; < 0: it comes to rest before. */
static double hold_time(const line *l, double y)
{
  const double from = l->pace + l->pull * y, ratio = l->pull * y / l->pace;
  if (!(from * l->pace > 0)) return -1;
  return fabs(ratio) < 1e-8 ? -y / l->pace * (1 - 0.5 * ratio) : -bri_log1p(ratio) / l->pull;
}

/* What one turn of sliding comes to. */
typedef struct {
  enum { ARRIVES, TURNS, LOST } fate;
  double x[MOST], t, lo, hi; /* where, after how long; contact velocities on the way */
  double gap;                /* TURNS: how near it came to v = 0; ARRIVES: minus how far it would go beyond */
} arc;

static double piece_velocity(const bri_field *f, const bri_piece *p, double theta, double *slope)
{
  double x[MOST], a[MOST], b[MOST];
  bri_piece_at(p, f->n, theta, x);
  bri_piece_at(p, f->n, theta + 1e-6, a);
  bri_piece_at(p, f->n, theta - 1e-6, b);
  *slope = (bri_field_velocity(f, a) - bri_field_velocity(f, b)) / 2e-6;
  return bri_field_velocity(f, x);
}

/* Zero of the velocity (slopes 0) or of its slope (1) on a piece between two places of different sign. */
static double piece_zero(const bri_field *f, const bri_piece *p, int slopes, double from, double to)
{
  double slope, v = piece_velocity(f, p, from, &slope);
  const double fa = slopes ? slope : v;
  v = piece_velocity(f, p, to, &slope);
  bri_bracket b = bri_bracket_of(from, fa, to, slopes ? slope : v);
  double mid = to;
  for (int i = 0; i < 80 && b.b - b.a > 1e-15; i++) {
    mid = bri_bracket_next(&b);
    v = piece_velocity(f, p, mid, &slope);
    bri_bracket_take(&b, mid, slopes ? slope : v);
    if ((slopes ? slope : v) == 0) break;
  }
  return mid;
}

/* Slide from x on this side until v = 0 is reached or left again. */
static void slide(bri_family *fam, const double *x, double side, double tol, arc *a)
{
  bri_field *f = &fam->at;
  const double keep = f->side, wanted = bri_pow(tol, 5.0 / 9);
  bri_span s;
  double size[MOST], J[MOST * MOST], h;
  memset(&s, 0, sizeof s);
  memset(a, 0, sizeof *a);
  memcpy(a->x, x, f->n * sizeof *x);
  f->side = fam->up.side = fam->down.side = side;
  bri_field_jacobian(f, x, J);
  const double omega = sqrt(fabs(J[0] * J[3] - J[1] * J[2])), speed = fabs(bri_field_drive(f));
  for (size_t i = 0; i < f->n; i++)
    size[i] = fmax(fabs(x[i]), f->vq[i] != 0 ? speed : speed / omega) + 1e-300;
  h = 0.05 / omega;
  a->fate = LOST;
  for (int n = 0; n < SPANS && a->fate == LOST && isfinite(h) && h > 0; n++) {
    s.pieces = 0;
    if (bri_span_run(fam, a->x, h, size, &s) || s.rough > 3 * wanted) {
      h *= 0.5;
      continue;
    }
    const bri_piece *p = &s.piece[0];
    double before, after, end = 1, v = piece_velocity(f, p, 1, &after);
    (void)piece_velocity(f, p, 0, &before);
    if (n && v * side > 0 && before * side < 0 && after * side > 0) { /* turns within */
      const double turn = piece_zero(f, p, 1, 0, 1);
      double slope;
      a->gap = side * piece_velocity(f, p, turn, &slope);
      end = turn;
      a->fate = a->gap > 0 ? TURNS : ARRIVES;
      v = side * a->gap;
    } else if (n && v * side <= 0) {
      a->fate = ARRIVES;
      a->gap = side * v;
    }
    if (a->fate == ARRIVES) end = piece_zero(f, p, 0, 0, end);
    bri_piece_at(p, f->n, end, a->x);
    a->t += end * h;
    v = a->fate == ARRIVES ? 0 : bri_field_velocity(f, a->x);
    a->lo = fmin(a->lo, v), a->hi = fmax(a->hi, v);
    if (a->fate == LOST && after * before < 0) { /* the other extreme */
      double slope;
      v = piece_velocity(f, p, piece_zero(f, p, 1, 0, 1), &slope);
      a->lo = fmin(a->lo, v), a->hi = fmax(a->hi, v);
    }
    h *= fmin(2, 0.9 * bri_pow(wanted / fmax(s.rough, 1e-30), 0.2));
    h = fmin(h, 0.5 / omega);
  }
  f->side = fam->up.side = fam->down.side = keep;
}

/* The cycle through the release, if there is one; *gap as in arc, of the turn that would stick. */
static int cycle(bri_family *fam, double value, double tol, br_phase_row *y, double *gap)
{
  line l;
  arc a;
  double x[MOST] = {0};
  memset(y, 0, sizeof *y);
  *gap = NAN;
  bri_family_move(fam, value);
  if (!line_of(&fam->at, &l)) return 0;
  double side = l.side;
  memcpy(x, l.release, sizeof l.release);
  y->value = value;
  y->n = 1;
  y->stable = 1;
  y->z_min = y->z_max = NAN;
  memcpy(y->x, x, sizeof x);
  for (int n = 0; n < ARCS; n++, side = -side) {
    slide(fam, x, side, tol, &a);
    y->v_min = fmin(y->v_min, a.lo), y->v_max = fmax(y->v_max, a.hi);
    y->period += a.t;
    if (n == 0) *gap = a.gap;
    if (a.fate != ARRIVES) return 0;
    const double at = (a.x[0] - l.release[0]) * l.dir[0] + (a.x[1] - l.release[1]) * l.dir[1];
    const double force = l.level + l.by * at, rest = hold_time(&l, at);
    if (fabs(force) <= fabs(l.level) * (1 + 1e-12)) {
      y->period += rest > 0 ? rest : 0;
      return rest >= 0 || at == 0;
    }
    memcpy(x, a.x, sizeof x);
  }
  return 0;
}

int bri_belt_sticks(bri_family *fam, double value, double tol)
{
  br_phase_row y;
  double gap;
  return cycle(fam, value, tol, &y, &gap);
}

/* The value between `in`, where a cycle sticks, and `out`, where none does; its row, and whether it is one
 * that grazes. */
static int border(bri_family *fam, double in, double out, double tol, br_phase_row *y)
{
  br_phase_row r;
  double gap = NAN, low = NAN;
  for (int k = 0; k < 60 && fabs(out - in) > 4e-16 * fabs(out); k++) {
    const double mid = 0.5 * (in + out);
    if (cycle(fam, mid, tol, &r, &gap)) in = mid, *y = r;
    else out = mid, low = gap;
  }
  return low > 0; /* the last that does not stick turned before v = 0 */
}

/* The sliding cycle that grazes ends the branch that leads to it: one event for both. */
static int is_told(br_phase_branch *const *known, size_t n, double value)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < known[i]->nevent; k++)
      if (known[i]->event[k].type == BR_PHASE_GRAZING && fabs(known[i]->event[k].value / value - 1) < 1e-7)
        return 1;
  return 0;
}

static br_status add_branch(const br_phase_row *row, size_t n, const int *grazes, br_phase_branch **out,
                            size_t before, br_err *err)
{
  br_phase_branch *b = bri_calloc(1, sizeof *b);
  if (b) b->row = bri_calloc(n, sizeof *b->row);
  if (!b || !b->row) {
    br_phase_branch_destroy(b);
    return bri_no_memory(err, "phase");
  }
  memcpy(b->row, row, n * sizeof *row);
  b->n = b->room = n;
  for (int last = 0; last < 2; last++) {
    const br_phase_row *y = &row[last ? n - 1 : 0];
    b->end[last] = grazes[last] ? BR_PHASE_END_GRAZING : BR_PHASE_END_RANGE;
    if (!grazes[last] || is_told(out, before, y->value)) continue;
    br_phase_event e = bri_event_new(BR_PHASE_GRAZING, y->value);
    (void)snprintf(e.loop, sizeof e.loop, "period %.9g s", y->period);
    e.error = 1e-9 * fabs(y->value);
    b->event[b->nevent++] = e;
  }
  out[before] = b;
  return BR_OK;
}

br_status bri_belt_branches(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                            const br_phase_branch_settings *set, size_t max, br_phase_branch **out, size_t *n,
                            br_err *err)
{
  enum { ROOM = SAMPLES + BRI_WALK_WANTED + 4 };
  const double tol = set ? set->tol : 1e-10;
  bri_family *fam = bri_calloc(1, sizeof *fam);
  br_phase_row *row = bri_calloc(ROOM, sizeof *row), y;
  size_t rows = 0;
  double before = a, gap;
  int grazes[2] = {0, 0};
  br_status st =
      fam && row ? bri_family_open(plant, where, slot, b - a, fam, err) : bri_no_memory(err, "phase");
  for (int i = 0; i <= SAMPLES && !st && *n < max; i++) {
    const double value = a + (b - a) * i / SAMPLES;
    if (bri_stopped(&plant->stop)) st = bri_stop_status(&plant->stop, "phase", err);
    const int now = !st && cycle(fam, value, tol, &y, &gap);
    const br_phase_row here = y;
    if (now && !rows && i > 0) { /* a stretch begins between two samples */
      grazes[0] = border(fam, value, before, tol, &y);
      row[rows++] = y;
    }
    for (size_t k = 0; now && set && k < set->nat && rows < ROOM - 2; k++) { /* rows that are wanted */
      const double at = set->at[k];
      if (at >= a && at <= b && (i ? at > before : at >= a) && at < value && cycle(fam, at, tol, &y, &gap))
        row[rows++] = y;
    }
    if (now) row[rows++] = here;
    if (rows && (!now || i == SAMPLES)) {
      grazes[1] = !now && border(fam, before, value, tol, &y);
      if (!now) row[rows++] = y;
      if (rows > 1) st = add_branch(row, rows, grazes, out, *n, err);
      if (!st && rows > 1) ++*n;
      rows = 0, grazes[0] = grazes[1] = 0;
    }
    before = value;
  }
  bri_free(fam);
  bri_free(row);
  return st;
}
