/* SPDX-License-Identifier: Apache-2.0
 * longref_branch.h - one hysteretic state that sees nothing but itself, in long double, by quadrature alone.
 * With x the state in the direction of motion, 1 where it saturates, dx/drho = rate f(x), f(0) = 1: the path
 * from x0 to x1 is the integral of dx / (rate f), and so are the sums of x and of f - 1 along it.  The panels
 * keep away from what is singular (a power at 0, the zero of f at 1, others off the interval) by their own
 * width, so that a Gauss rule of 14 nodes is good to the last digit; the end of an arc is found by Newton. */
#ifndef TEST_LONGREF_BRANCH_H
#define TEST_LONGREF_BRANCH_H
#include <math.h>
#include <stddef.h>

typedef long double ld;

/* POWER: f = 1 - x^p ahead of zero, 1 - c |x|^p behind.  DAHL: f = (1 - x)^p.
 * ELASTIC: f = 1 up to x = p, then 1 - alpha x with alpha = cos(pi e / 2)^2, e = (1 - x) / (1 - p). */
typedef enum { LR_POWER, LR_DAHL, LR_ELASTIC } lr_shape;

typedef struct {
  lr_shape shape;
  ld rate;              /* 1/m */
  ld p, c;              /* of the shape */
  ld spring, damp, dry; /* force s (spring x + damp f + dry), N */
} lr_branch;

enum { LR_GAUSS = 14 };
static ld lr_node[LR_GAUSS], lr_weight[LR_GAUSS]; /* on [0, 1] */

static inline void lr_gauss_ready(void)
{
  if (lr_weight[0] > 0) return;
  for (int i = 0; i < LR_GAUSS; i++) {
    ld x = cosl(acosl(-1.0L) * (i + 0.75L) / (LR_GAUSS + 0.5L)), slope = 1;
    for (int round = 0; round < 8; round++) {
      ld before = 1, now = x;
      for (int n = 2; n <= LR_GAUSS; n++) {
        const ld next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
        before = now, now = next;
      }
      slope = LR_GAUSS * (before - x * now) / (1 - x * x);
      x -= now / slope;
    }
    lr_node[i] = (1 + x) / 2;
    lr_weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/* x^e, x >= 0; a third of the time of powl(), and good to some 1e-18. */
static inline ld lr_power(ld x, ld e) { return x > 0 ? expl(e * logl(x)) : 0; }

/* A place on the branch: x, and its distance y = 1 - x to saturation; the smaller of the two is exact. */
typedef struct {
  ld x, y;
} lr_place;
static inline lr_place lr_at_x(ld x) { return (lr_place){x, 1 - x}; }
static inline lr_place lr_ahead(lr_place a, ld h)
{
  return a.x > 0.5L ? (lr_place){1 - (a.y - h), a.y - h} : (lr_place){a.x + h, 1 - (a.x + h)};
}

/* f, and *lag = f - 1, both with all their digits. */
static inline ld lr_f(const lr_branch *b, lr_place a, ld *lag)
{
  ld f, sine;
  switch (b->shape) {
  case LR_POWER:
    *lag = a.x < 0 ? -b->c * lr_power(-a.x, b->p) : -lr_power(a.x, b->p);
    return a.x > 0.5L ? (a.y > 0 ? -expm1l(b->p * log1pl(-a.y)) : 0) : 1 + *lag;
  case LR_DAHL:
    f = b->p == 0 ? (a.y > 0) : lr_power(a.y, b->p);
    *lag = a.x > 0.5L ? f - 1 : expm1l(b->p * log1pl(-a.x));
    return f;
  default:
    if (a.x <= b->p) return *lag = 0, 1;
    sine = a.y > 0 ? sinl(acosl(-1.0L) / 2 * a.y / (1 - b->p)) : 0;
    *lag = -(1 - sine * sine) * a.x;
    return a.y + sine * sine * a.x;
  }
}

/* Width of the next panel at a: half the distance to the nearest singular place. */
static inline ld lr_width(const lr_branch *b, lr_place a, ld least)
{
  ld h = a.y / 2;
  if (b->shape == LR_ELASTIC) return a.x < b->p ? b->p - a.x : h;
  if (b->shape == LR_DAHL) return h;
  if (fabsl(a.x) < least) return least - a.x; /* over zero */
  h = fminl(h, fabsl(a.x) * fminl(0.5L, 2 / b->p));
  if (a.x < 0 && b->c > 0) h = fminl(h, (a.x + lr_power(1 / b->c, 1 / b->p)) / 2);
  return h;
}

/* What a stretch of the branch adds up to; all of it times the rate. */
typedef struct {
  ld path, x, lag; /* of drho, x drho, (f - 1) drho */
} lr_sums;

static inline lr_sums lr_panel(const lr_branch *b, lr_place a, ld h)
{
  lr_sums s = {0, 0, 0};
  for (int i = 0; i < LR_GAUSS; i++) {
    ld lag;
    const lr_place at = lr_ahead(a, h * lr_node[i]);
    const ld w = h * lr_weight[i] / lr_f(b, at, &lag);
    s.path += w, s.x += w * at.x, s.lag += w * lag;
  }
  return s;
}

/* The part of a panel that is `path` long. */
static inline lr_sums lr_part(const lr_branch *b, lr_place a, ld h, ld path, ld *part)
{
  ld lag, x = fminl(h, path * lr_f(b, a, &lag));
  lr_sums s = {0, 0, 0};
  for (int round = 0; round < 30; round++) {
    s = lr_panel(b, a, x);
    const ld off = path - s.path, to = x + off * lr_f(b, lr_ahead(a, x), &lag);
    const ld next = to > h ? (x + h) / 2 : to < 0 ? x / 2 : to;
    if (fabsl(next - x) <= 1e-19L * x) break;
    x = next;
  }
  *part = x;
  return s;
}

/* From x over `path` metres: the end, and the sums in metres. */
static inline ld lr_branch_move(const lr_branch *b, ld x, ld path, lr_sums *total)
{
  lr_place a = lr_at_x(x);
  ld rest = path * b->rate;
  const ld least = 1e-20L * fmaxl(fabsl(x), fminl(1, rest));
  *total = (lr_sums){0, 0, 0};
  lr_gauss_ready();
  while (rest > 0) {
    if (!(a.y > 1e-30L)) { /* saturated */
      total->path += rest, total->x += rest * a.x, total->lag -= rest;
      break;
    }
    ld h = lr_width(b, a, least);
    if (b->shape == LR_POWER && fabsl(a.x) < least) { /* f is 1 here */
      h = fminl(h, rest);
      total->path += h, rest -= h, a = lr_at_x(a.x + h);
      continue;
    }
    lr_sums s = lr_panel(b, a, h);
    const int last = s.path >= rest;
    if (last) s = lr_part(b, a, h, rest, &h);
    total->path += s.path, total->x += s.x, total->lag += s.lag;
    a = lr_ahead(a, h);
    rest -= s.path;
    if (last) break;
  }
  total->path /= b->rate, total->x /= b->rate, total->lag /= b->rate;
  return a.x;
}

/* ---- the steady value at the first turning point ---- */

typedef struct {
  size_t n;
  const double *u;
  ld total; /* path of a period, m */
} lr_way;

/* Short: nowhere far beyond saturation; the state is then u and a lag, summed for itself, and every digit of
 * what a period forgets is known. */
static inline int lr_is_short(const lr_branch *b, const lr_way *w) { return b->rate * w->total < 8; }

/* Signed states at the turning points of one period from z[0]; the change over it. */
static inline ld lr_branch_period(const lr_branch *b, const lr_way *w, ld *z, ld *log_kept)
{
  const int is_short = lr_is_short(b, w);
  ld sum = 0;
  *log_kept = 0;
  for (size_t i = 0; i < w->n; i++) {
    const ld to = w->u[(i + 1) % w->n], du = to - w->u[i], s = du > 0 ? 1 : -1;
    ld from, at;
    lr_sums total;
    const ld end = s * lr_branch_move(b, s * z[i], fabsl(du), &total);
    sum += s * b->rate * total.lag;
    z[i + 1] = is_short ? z[0] + b->rate * (to - w->u[0]) + sum : end;
    const ld f0 = lr_f(b, lr_at_x(s * z[i]), &from), f1 = lr_f(b, lr_at_x(s * z[i + 1]), &at);
    *log_kept += is_short ? log1pl(at) - log1pl(from) : f0 > 0 && f1 > 0 ? logl(f1) - logl(f0) : -1e4L;
  }
  return is_short ? sum : z[w->n] - z[0];
}

/* Elastic as long as |x| <= p everywhere: such loops keep their place, and a motion that starts beyond ends
 * on the nearest of them. */
static inline int lr_branch_elastic(const lr_branch *b, const lr_way *w, ld *z)
{
  ld lo = w->u[0], hi = w->u[0], off = z[0] - b->rate * w->u[0];
  for (size_t i = 1; i < w->n; i++) lo = fminl(lo, w->u[i]), hi = fmaxl(hi, w->u[i]);
  if (b->shape != LR_ELASTIC || b->rate * (hi - lo) > 2 * b->p) return 0;
  off = fmaxl(-b->p - b->rate * lo, fminl(b->p - b->rate * hi, off));
  for (size_t i = 0; i <= w->n; i++) z[i] = off + b->rate * w->u[i % w->n];
  return 1;
}

/* Steady states z[0..n]; z[0] comes in as the state of the motion from rest.  The period map is increasing,
 * so that the change over a period has its zero between -1 and 1.  Returns the part of a deviation that a
 * period forgets; where that is less than `least` the loop is the one from rest. */
static inline ld lr_branch_steady(const lr_branch *b, const lr_way *w, ld least, ld *z)
{
  ld lo = -1, hi = 1, log_kept = 0, size = 0;
  const ld rest = z[0];
  if (lr_branch_elastic(b, w, z)) return 0;
  for (int round = 0; round < 200; round++) {
    const ld change = lr_branch_period(b, w, z, &log_kept), before = z[0];
    const ld forgets = -expm1l(log_kept);
    if (change >= 0) lo = before;
    if (change <= 0) hi = before;
    ld next = before + change / forgets;
    for (size_t i = 0; i < w->n; i++) size = fmaxl(size, fabsl(z[i]));
    if (!(forgets > 0) || !(next >= lo && next <= hi)) next = (lo + hi) / 2;
    if (change == 0 || fabsl(next - before) <= 2e-19L * size) break;
    z[0] = next;
  }
  (void)lr_branch_period(b, w, z, &log_kept);
  if (-expm1l(log_kept) >= least) return -expm1l(log_kept);
  z[0] = rest;
  (void)lr_branch_period(b, w, z, &log_kept);
  return 0;
}
#endif
