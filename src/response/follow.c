/* SPDX-License-Identifier: Apache-2.0
 * follow.c - a curve of periodic answers: predictor along the tangent, chord Newton on the period map
 * bordered by the arclength, so that folds are no end; folds, doublings and torus points located along the
 * arc.
 *
 * Where a period keeps a deviation (a block that sticks all the time has a whole range of places to stick at)
 * the map has no isolated fixed point: then the varied number steps by itself and the motion is repeated from
 * where it was. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "response.h"
#include "solve/eigen.h"
#include "solve/linalg.h"
#include "text/fail.h"
#include "text/stop.h"

#define CLOSE 1e-9 /* of the states' sizes: a period comes back */
#define ENDLESS \
  1e3 /* times the first amplitude, and still growing: friction that has a limit does not bound resonance */
#define TURN 0.9 /* cosine of the most that the tangent turns in a step */
enum {
  CHORDS = 16,
  REPEATS = 400,
  MOST = 4000,
  LOCATE = 24,
  STEPS = 60
}; /* STEPS: the fewest along a straight curve */

/* A place on the curve: state, varied number, tangent (states relative to scale, number relative to its
 * span). */
typedef struct {
  double *x, *t; /* [n], [n + 1] */
  double value;
  int single; /* 1: the slopes have no inverse */
  bri_point p;
} place;

typedef struct {
  const bri_response *r;
  bri_period m;
  size_t n;
  double span;
  double *J, *L, *B, *px, *y, *re, *im; /* slopes; bordered matrix; scratch */
  size_t *piv;
  place at, next, tried, good;
  br_err *err;
} curve;

static void copy(const curve *c, place *to, const place *from)
{
  double *x = to->x, *t = to->t;
  memcpy(x, from->x, c->n * sizeof *x);
  memcpy(t, from->t, (c->n + 1) * sizeof *t);
  *to = *from, to->x = x, to->t = t;
}

static double change(const curve *c, const double *x, const double *px)
{
  double worst = 0;
  for (size_t i = 0; i < c->n; i++) {
    const double d = fabs(px[i] - x[i]) / c->m.scale[i];
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

/* The slopes at c->at; what comes after them uses their room. */
static br_status renew(curve *c)
{
  *c->r->vary = c->at.value;
  br_status st = bri_period_map(&c->m, c->at.x, c->px, c->err);
  return st ? st : bri_period_slopes(&c->m, c->at.x, c->px, c->J, c->L, c->err);
}

/* [J L; border] factored; 0 when it can be solved. */
static int factor(curve *c, const double *border)
{
  const size_t n = c->n, w = n + 1;
  for (size_t i = 0; i < n; i++) {
    memcpy(c->B + i * w, c->J + i * n, n * sizeof *c->B);
    c->B[i * w + n] = c->L[i];
  }
  memcpy(c->B + n * w, border, w * sizeof *c->B);
  if (bri_lu(w, c->B, c->piv)) return 1;
  for (size_t i = 0; i < w; i++) /* reciprocals of the pivots */
    if (fabs(c->B[i * w + i]) > 1e7) return 1;
  return 0;
}

/* Slopes, multipliers, tests and tangent at a found place; `ahead` gives the tangent its sense. */
static br_status judge(curve *c, place *q, const double *ahead)
{
  const size_t n = c->n;
  *c->r->vary = q->value;
  br_status st = bri_period_map(&c->m, q->x, c->px, c->err);
  if (!st) st = bri_period_slopes(&c->m, q->x, c->px, c->J, c->L, c->err);
  if (st) return st;
  memcpy(c->B, c->J, n * n * sizeof *c->B);
  for (size_t i = 0; i < n; i++) c->B[i * n + i] += 1;
  double real = 1, torus = -1;
  q->p.radius = 0;
  if (bri_eigenvalues(n, c->B, c->re, c->im)) q->p.radius = NAN;
  for (size_t i = 0; i < n; i++) {
    q->p.radius = fmax(q->p.radius, bri_hypot(c->re[i], c->im[i]));
    if (c->im[i] == 0) real = fmin(real, 1 + c->re[i]);
    else torus = fmax(torus, bri_hypot(c->re[i], c->im[i]) - 1);
  }
  q->single = factor(c, ahead);
  double *t = q->t, size = 0;
  for (size_t i = 0; i <= n; i++) t[i] = i < n ? 0 : 1;
  if (!q->single) bri_lu_solve(n + 1, c->B, c->piv, t);
  for (size_t i = 0; i <= n; i++) size += t[i] * t[i];
  for (size_t i = 0; i <= n; i++) t[i] /= sqrt(size);
  q->p.tests[BRI_FOLD] = q->single ? 1 : t[n];
  q->p.tests[BRI_DOUBLING] = real;
  q->p.tests[BRI_TORUS] = torus;
  return bri_period_measure(&c->m, q->x, &q->p, c->err);
}

/* Newton from q's guess with the slopes at c->at; border: what is kept, e.g. the arc.  *how: 0 found. */
static br_status correct(curve *c, place *q, const double *border, int *how)
{
  const size_t n = c->n;
  double before = INFINITY;
  *how = 1;
  for (int k = 0; k < CHORDS; k++) {
    *c->r->vary = q->value;
    br_status st = bri_period_map(&c->m, q->x, c->px, c->err);
    if (st == BR_E_CONVERGE || st == BR_E_NAN) return BR_OK; /* not from here */
    if (st) return st;
    const double off = change(c, q->x, c->px);
    if (off <= CLOSE) return *how = 0, BR_OK;
    if (off > 0.3 * before) { /* the slopes are too old */
      st = bri_period_slopes(&c->m, q->x, c->px, c->J, c->L, c->err);
      if (st) return st == BR_E_CONVERGE || st == BR_E_NAN ? BR_OK : st;
      if (factor(c, border)) return BR_OK;
    }
    before = off;
    for (size_t i = 0; i < n; i++) c->y[i] = (q->x[i] - c->px[i]) / c->m.scale[i];
    c->y[n] = 0;
    bri_lu_solve(n + 1, c->B, c->piv, c->y);
    for (size_t i = 0; i < n; i++) q->x[i] += c->m.scale[i] * c->y[i];
    q->value += c->span * c->y[n];
    if (!(q->value > 0)) return BR_OK;
    if ((st = bri_stop_status(&c->r->stop, "response", c->err))) return st;
  }
  return BR_OK;
}

/* Repeat the motion at q's value until it comes back; *how 0: it did. */
static br_status repeat(curve *c, place *q, int most, int *how)
{
  *how = 1;
  for (int k = 0; k < most; k++) {
    *c->r->vary = q->value;
    br_status st = bri_period_map(&c->m, q->x, c->px, c->err);
    if (st) return st;
    const double off = change(c, q->x, c->px);
    memcpy(q->x, c->px, c->n * sizeof *q->x);
    if (off <= CLOSE) return *how = 0, BR_OK;
    if ((st = bri_stop_status(&c->r->stop, "response", c->err))) return st;
  }
  return BR_OK;
}

/* The place `arc` further along the tangent of c->at, to q; *how 0: there is one.  to > 0: at that value
 * instead. */
static br_status go(curve *c, double arc, double to, place *q, int *how)
{
  const size_t n = c->n;
  const double *t = c->at.t;
  br_status st = BR_OK;
  copy(c, q, &c->at);
  memset(c->y, 0, (n + 1) * sizeof *c->y);
  c->y[n] = 1;
  const double step = to > 0 ? (to - c->at.value) / c->span / (t[n] != 0 ? t[n] : 1) : arc;
  const double *border = to > 0 ? c->y : t;
  double keep[1 + 64]; /* c->y is scratch of correct() */
  for (size_t i = 0; i <= n && i <= 64; i++) keep[i] = border[i];
  if (c->at.single) {
    q->value = to > 0 ? to : c->at.value + c->span * step;
    st = repeat(c, q, REPEATS, how);
  } else {
    for (size_t i = 0; i < n; i++) q->x[i] += c->m.scale[i] * step * t[i];
    q->value = to > 0 ? to : q->value + c->span * step * t[n];
    if (!(q->value > 0) || factor(c, keep)) return *how = 1, BR_OK;
    st = correct(c, q, keep, how);
  }
  if (!st && !*how) st = judge(c, q, t);
  return st;
}

/* An event between c->at (f0) and `arc` further (f1): where its test is zero. */
static br_status locate(curve *c, int kind, double arc, double f0, double f1)
{
  double a = 0, b = arc;
  int missed = 0;
  br_status st = BR_OK;
  copy(c, &c->good, fabs(f0) < fabs(f1) ? &c->at : &c->next);
  for (int k = 0; k < LOCATE && !st && fabs(b - a) > 1e-9 * arc; k++) {
    double s = a + (b - a) * f0 / (f0 - f1);
    if (!(s > a && s < b) || k % 4 == 3) s = 0.5 * (a + b);
    if (missed) s = a + (b - a) * (0.15 + 0.2 * missed);
    int how = 1;
    st = renew(c);
    if (!st) st = go(c, s, 0, &c->tried, &how);
    if (st) break;
    if (how) { /* a corner of the map in the way: elsewhere */
      if (++missed > 4) break;
      continue;
    }
    const double f = c->tried.p.tests[kind];
    missed = 0;
    copy(c, &c->good, &c->tried);
    if ((f > 0) == (f0 > 0)) a = s, f0 = f;
    else b = s, f1 = f;
  }
  return st ? st : c->r->event(c->r->ctx, kind, &c->good.p, c->err);
}

/* The largest amplitude on the arc around c->at, which lies above both ends (s, A: arc and amplitude of the
 * three): the top of the parabola through the best three places, until it stays. */
static br_status crest(curve *c, double s[3], double A[3])
{
  const double near = 1e-5 * (s[2] - s[0]);
  br_status st = BR_OK;
  double part = 1; /* of the way, where a corner of the map stands in it */
  copy(c, &c->good, &c->at);
  for (int k = 0; k < 2 * LOCATE && !st && s[2] - s[0] > 4 * near; k++) {
    const double a = s[1] - s[0], b = s[1] - s[2], p = a * (A[1] - A[2]), q = b * (A[1] - A[0]);
    double x = s[1] - 0.5 * (a * p - b * q) / (p - q);
    if (!(x > s[0] && x < s[2])) x = s[1] + 0.4 * (a > -b ? -a : -b); /* no parabola: into the wider part */
    x = s[1] + part * (x - s[1]);
    if (fabs(x - s[1]) <= near) x = s[1] + (a > -b ? -near : near); /* the end of the wider part comes near */
    int how = 1;
    st = renew(c);
    if (!st) st = go(c, x, 0, &c->tried, &how);
    part = how ? 0.5 * part : 1;
    if (st || how) continue;
    const double top = c->tried.p.amplitude;
    const int right = x > s[1], better = top > A[1];
    if (better) {
      copy(c, &c->good, &c->tried);
      s[right ? 0 : 2] = s[1], A[right ? 0 : 2] = A[1], s[1] = x, A[1] = top;
    } else {
      s[right ? 2 : 0] = x, A[right ? 2 : 0] = top;
    }
  }
  return st ? st : c->r->event(c->r->ctx, BRI_PEAK, &c->good.p, c->err);
}

static br_status events(curve *c, double arc)
{
  br_status st = BR_OK;
  for (int k = 0; k < BRI_TESTS && !st; k++) {
    const double f0 = c->at.p.tests[k], f1 = c->next.p.tests[k];
    const int torus_jumps = k == BRI_TORUS && (f0 <= -1 || f1 <= -1); /* a pair has just met */
    if ((f0 > 0) != (f1 > 0) && !torus_jumps && !c->at.single && !c->next.single)
      st = locate(c, k, arc, f0, f1);
  }
  return st;
}

/* The first place: the motion is repeated, then Newton at the first value. */
static br_status start(curve *c, const double *x)
{
  const size_t n = c->n;
  place *q = &c->at;
  int how = 1;
  double border[1 + 64] = {0};
  q->value = c->r->from;
  *c->r->vary = q->value;
  if (x) memcpy(q->x, x, n * sizeof *x);
  for (size_t i = 0; i < n; i++) c->m.scale[i] = 0;
  br_status st = bri_period_measure(&c->m, q->x, &q->p, c->err);
  for (int k = 0; k < 8 && !st && how; k++) {
    st = repeat(c, q, 8 << k, &how);
    if (!st) st = bri_period_measure(&c->m, q->x, &q->p, c->err);
    if (st || !how) break;
    st = bri_period_map(&c->m, q->x, c->px, c->err);
    if (!st) st = bri_period_slopes(&c->m, q->x, c->px, c->J, c->L, c->err);
    border[n] = 1;
    copy(c, &c->next, q);
    if (!st && !factor(c, border)) st = correct(c, &c->next, border, &how);
    if (!how) copy(c, q, &c->next);
  }
  if (!st && how)
    st = bri_fail(
        c->err, BR_E_CONVERGE,
        "response: no periodic answer found at the first value, %.9g: the motion does not settle there",
        q->value);
  border[n] = 1;
  return st ? st : judge(c, q, border);
}

/* How far the curve goes the same way from c->at to c->next: cosine between the tangents. */
static double straight(const curve *c)
{
  double dot = 0;
  for (size_t i = 0; i <= c->n; i++) dot += c->at.t[i] * c->next.t[i];
  return c->at.single || c->next.single ? 1 : dot;
}

/* Steps do not follow the number of points that are told: a wide step would leap over a pair of folds. */
static br_status walk(curve *c, double *end)
{
  const bri_response *r = c->r;
  const double told = 1 / (double)r->points, usual = fmin(told, 1.0 / STEPS), least = usual * 1e-4;
  double arc = usual, last = 0, first = c->at.p.amplitude, back = 0, before = INFINITY, since = 0;
  br_status st = r->point(r->ctx, &c->at.p, c->err);
  for (int k = 0; k < MOST && !st && c->at.value != last; k++) {
    int how = 1;
    st = go(c, arc, 0, &c->next, &how);
    if (st) break;
    if (!how && (c->next.value > r->to || c->next.value < r->from)) {
      last = c->next.value > r->to ? r->to : r->from;
      st = renew(c);
      if (!st) st = go(c, 0, last, &c->next, &how);
      if (!st && how) return bri_fail(c->err, BR_E_CONVERGE, "response: the end of the range was not met");
    }
    if (st) break;
    if (!how && c->next.p.amplitude > ENDLESS * (first = fmax(first, c->at.p.amplitude_in * 1e-300)) &&
        c->next.p.amplitude > 1.001 * c->at.p.amplitude && fabs(c->next.value - c->at.value) < 1e-6 * c->span)
      return bri_fail(c->err, BR_E_CONVERGE, "response: the answer grows without end at %.9g", c->at.value);
    if (how) { /* shorter, with the slopes of here */
      if ((arc *= 0.5) < least)
        return bri_fail(c->err, BR_E_CONVERGE, "response: the curve could not be followed beyond %.9g",
                        c->at.value);
      st = renew(c);
      continue;
    }
    if (straight(c) < TURN && c->next.value != last &&
        arc > usual / 64) { /* a corner of the map does not go away */
      arc *= 0.5;
      st = renew(c);
      continue;
    }
    if (c->next.value != last) st = events(c, arc);
    double s[] = {-back, 0, arc}, A[] = {before, c->at.p.amplitude, c->next.p.amplitude};
    if (!st && A[1] > A[0] && A[1] >= A[2] && !c->at.single && c->next.value != last) st = crest(c, s, A);
    back = arc, before = A[1];
    since += straight(c) < 1 - 0.2 * (1 - TURN) ? told : arc; /* bends are told as they are walked */
    copy(c, &c->at, &c->next);
    if (!st && (since > 0.99 * told || c->at.value == last))
      st = r->point(r->ctx, &c->at.p, c->err), since = 0;
    *end = c->at.value;
    arc = fmin(1.5 * arc, usual);
    if (!st && c->at.value != last) st = renew(c);
  }
  return st;
}

br_status bri_response_follow(const bri_response *r, const double *x, double *end, br_err *err)
{
  const size_t n = br_plant_nstate(r->plant), nk = br_plant_ncontact(r->plant), w = n + 1;
  br_err own;
  curve c = {.r = r, .n = n, .span = r->to - r->from, .err = err ? err : &own};
  if (n > 64) return bri_fail(err, BR_E_UNSUPPORTED, "response: more than 64 states");
  const bri_share parts[] = {
      {&c.m.scale, w},   {&c.m.a, w},       {&c.m.b, w},     {&c.L, w},      {&c.px, w},     {&c.y, w},
      {&c.re, w},        {&c.im, w},        {&c.at.x, w},    {&c.at.t, w},   {&c.next.x, w}, {&c.next.t, w},
      {&c.tried.x, w},   {&c.tried.t, w},   {&c.good.x, w},  {&c.good.t, w}, {&c.J, n * n},  {&c.B, w * w},
      {&c.m.lo, n + nk}, {&c.m.hi, n + nk}, {&c.m.force, nk}};
  double *all = bri_shares(parts, sizeof parts / sizeof parts[0]);
  c.piv = bri_calloc(w, sizeof *c.piv);
  br_status st = all && c.piv ? BR_OK : bri_fail(err, BR_E_NOMEM, "no memory for a response curve");
  if (!st) {
    c.m.r = r, c.m.n = n;
    br_solve_settings set = br_solve_settings_default();
    set.rtol = r->rtol;
    set.untimed = 1;
    st = br_solver_create(r->plant, &set, &c.m.fast, err);
    set.energy = set.extremes = 1;
    if (!st) st = br_solver_create(r->plant, &set, &c.m.book, err);
    *end = r->from;
    if (!st) st = start(&c, x);
    if (!st) st = walk(&c, end);
  }
  br_solver_destroy(c.m.fast);
  br_solver_destroy(c.m.book);
  bri_free(all);
  bri_free(c.piv);
  return st;
}
