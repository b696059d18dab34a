/* SPDX-License-Identifier: Apache-2.0
 * closed.c - all closed orbits at one sigma1, by exclusion; see returns.h.
 *
 * The return f(x) grows, so no orbit that starts between a and b closes where f(a) > b or f(b) < a.  What
 * cannot be excluded like that is cut in two, until an interval holds one sign change of f(x) - x, or until a
 * cubic through values and slopes at both ends, checked in the middle, stays clear of zero.  Cycles that
 * repel are looked for backward in time, where they attract. */
#include <math.h>

#include "../../core/elementary.h"
#include "returns.h"

enum { MOST_RUNS = 4000, MOST_LOST = 3, ROOTS = 16 };
static const long MOST_STEPS = 600000;
static const double GRID = 1, SIMPLE = 0.05, NARROW = 1e-12, BLURRED = 0.01, SHARP = 1e-7;

typedef struct {
  double x, d, slope; /* place; f - x; f' */
  double noise;       /* what rounding may have made of d */
} node;

typedef struct {
  const bri_section *s;
  double sigma1;
  double spiral; /* f - x next to the focus, forward; NaN for a node */
  int runs, lost, n, complete;
  long steps;
  bri_closed root[ROOTS];
} search;

/* What rounding makes of a place x: it is good to some digits of the velocity, not of the distance from the
 * focus, and the focus itself to some as well. */
static double blur(const bri_section *s, double x)
{
  const int chord = s->kind == BRI_UPPER || s->kind == BRI_LOWER;
  const double v = s->e.y[s->focus].v;
  return 2e-14 * (1 + (chord ? v * bri_exp(fabs(x)) / fabs(s->dir.v) : s->base.v * bri_exp(-x)));
}

static node look(search *w, double x, int dir)
{
  bri_return r;
  node a = {x, NAN, NAN, NAN};
  if (w->runs >= MOST_RUNS || w->steps >= MOST_STEPS || w->lost >= MOST_LOST) {
    w->complete = 0;
    return a;
  }
  bri_return_run(w->s, w->sigma1, x, dir, NULL, &r);
  w->runs++;
  w->steps += r.steps;
  if (r.fate == BRI_LOST) w->complete = 0, w->lost++;
  else a.d = r.x - x, a.slope = r.slope;
  a.noise = blur(w->s, x) + (r.fate == BRI_HIT ? 16 * r.noise : 0);
  /* what rounding hides next to the focus, where one turn is like the next, its eigenvalues tell */
  if (fabs(a.d) < a.noise && fabs(a.slope - 1) < 0.5 && !isnan(w->spiral)) a.d = dir * w->spiral;
  return a;
}

/* Is the place of a closed orbit known?  Rounding moves a return by its noise, and the orbit that closes by
 * that over 1 - slope.  Where that is more than printed digits bear, the orbit is placed by its crest. */
static int is_known(const search *w, bri_closed *c)
{
  double error = (blur(w->s, c->x) + 16 * c->r.noise) / fabs(1 - c->r.slope);
  if (c->r.fate != BRI_HIT) return 0;
  if (!(error < SHARP)) {
    bri_plane p = w->s->p;
    bri_return r;
    p.s1 = w->sigma1;
    if (!bri_crest_place(&p, c->r.v_max, c->dir, &error, &r)) return 0;
    c->r = r;
  }
  return error < BLURRED;
}

/* The zero between a and b, where dir is the direction of time in which it attracts. */
static void refine(search *w, node a, node b, int dir)
{
  double x = 0.5 * (a.x + b.x);
  if (w->n == ROOTS) {
    w->complete = 0;
    return;
  }
  for (int i = 0; i < 100; i++) {
    const node k = look(w, x, dir);
    if (isnan(k.d)) return;
    if ((k.d > 0) == (a.d > 0)) a = k;
    else b = k;
    double next = x - k.d / (k.slope - 1);
    if (k.d == 0 || b.x - a.x <= 1e-15 * fmax(1, fabs(x))) break;
    if (!(next > a.x && next < b.x)) next = 0.5 * (a.x + b.x);
    const int done = fabs(next - x) <= 2e-16 * fmax(1, fabs(x));
    x = next;
    if (done) break;
  }
  bri_closed *c = &w->root[w->n];
  static const bri_watch extremes = {NULL, NULL};
  c->x = x;
  c->dir = dir;
  bri_return_run(w->s, w->sigma1, x, dir, &extremes, &c->r);
  if (c->r.slope > 1) { /* told in the direction in which it repels */
    c->dir = -dir;
    bri_return_run(w->s, w->sigma1, x, -dir, &extremes, &c->r);
  }
  /* a cycle this small goes round a focus next to its Hopf point and has a multiplier next to 1; else
   * rounding turns round, beside a saddle for instance */
  if (c->r.v_max - c->r.v_min < 1e-6 * c->r.v_max && (isnan(w->spiral) || fabs(c->r.I) > 1e-2)) return;
  /* and one whose place rounding moves by more than this is not known to be there */
  if (is_known(w, c)) w->n++;
  else w->complete = 0;
}

/* Does the cubic through two nodes keep the sign of d, by more than `room`? */
static int clear_of_zero(node a, node b, double room)
{
  enum { N = 12 };
  const double h = b.x - a.x, sa = (a.slope - 1) * h, sb = (b.slope - 1) * h;
  for (int i = 0; i <= N; i++) {
    const double t = (double)i / N, u = 1 - t;
    const double d = a.d * u * u * (1 + 2 * t) + b.d * t * t * (1 + 2 * u) + t * u * (sa * u - sb * t);
    if (!(d * (a.d > 0 ? 1 : -1) > room)) return 0;
  }
  return 1;
}

/* How far the place in the middle of two lies off their cubic, in value and in slope: behind a fold the
 * return jumps, and a value alone may lie on the cubic by chance. */
static double off_cubic(node a, node m, node b)
{
  const double h = b.x - a.x, value = 0.5 * (a.d + b.d) + 0.125 * h * (a.slope - b.slope),
               slope = 1.5 * (b.d - a.d) / h - 0.25 * (a.slope + b.slope - 2);
  return fabs(m.d - value) + 0.25 * h * fabs(m.slope - 1 - slope);
}

static void between(search *w, node a, node b, int dir, int flipped);

/* The same stretch in the other direction of time. */
static void flip(search *w, node a, node b, int dir)
{
  const node c = look(w, a.x, -dir), d = look(w, b.x, -dir);
  const int before = w->n;
  between(w, c, d, -dir, 1);
  if (w->n == before && !isnan(c.d) && !isnan(d.d)) refine(w, a, b, dir); /* as well as it can be told */
}

static void between(search *w, node a, node b, int dir, int flipped)
{
  if (isnan(a.d) || isnan(b.d)) return; /* said by look() */
  if (a.x + a.d > b.x || b.x + b.d < a.x) return;
  const double width = b.x - a.x, scale = fmax(1, fabs(a.x));
  const int changes = (a.d > 0) != (b.d > 0), attracts = a.d > 0;
  if (changes && attracts && width <= SIMPLE && a.slope < 1 && b.slope < 1) {
    refine(w, a, b, dir);
    return;
  }
  if (changes && !attracts && width <= SIMPLE && !flipped) {
    flip(w, a, b, dir);
    return;
  }
  if (width <= (changes ? 1e-14 : NARROW) * scale) {
    if (changes) refine(w, a, b, dir);
    return;
  }
  const node m = look(w, 0.5 * (a.x + b.x), dir);
  if (!changes && isfinite(a.slope) && isfinite(b.slope))
    if (clear_of_zero(a, b, 4 * off_cubic(a, m, b) + a.noise + b.noise)) return;
  between(w, a, m, dir, flipped);
  between(w, m, b, dir, flipped);
}

/* One turn round the focus in the linear part: outward is larger x on rays and smaller x on chords. */
static double spiral_of(const bri_section *s, double sigma1)
{
  bri_plane p = s->p;
  p.s1 = sigma1;
  if (s->kind == BRI_LARGE) return NAN;
  const bri_linear l = bri_linear_at(&p, s->e.y[s->focus].v);
  const double turn = 6.283185307179586 * l.re[0] / l.im[1];
  return !(l.im[1] > 0) ? NAN : s->kind == BRI_LONE ? turn : -turn;
}

/* Does the place next to the focus return on the other side of itself than the focus' own spiral?  Then a
 * cycle lies nearer to the focus than places can be told apart. */
static int turns_inside(const search *w, node last)
{
  return !isnan(w->spiral) && !isnan(last.d) && w->spiral != 0 && (last.d > 0) != (w->spiral > 0);
}

/* The closed orbits at sigma1 by ascending x, at most `most`; *complete: 0 where the search ended early. */
static int closed_orbits(const bri_section *s, double sigma1, int most, bri_closed *out, int *complete)
{
  search w = {.s = s, .sigma1 = sigma1, .spiral = spiral_of(s, sigma1), .complete = 1};
  double lo, hi;
  bri_return_range(s, sigma1, &lo, &hi);
  const int cuts = (int)ceil((hi - lo) / GRID);
  const node first = look(&w, lo, 1);
  node a = first;
  for (int i = 1; i <= cuts; i++) {
    const node b = look(&w, lo + (hi - lo) * i / cuts, 1);
    between(&w, a, b, 1, 0);
    a = b;
  }
  if (turns_inside(&w, s->kind == BRI_LONE ? first : a)) w.complete = 0;
  if (w.n > most) w.complete = 0;
  for (int i = 0; i < w.n && i < most; i++) out[i] = w.root[i];
  *complete = w.complete;
  return w.n < most ? w.n : most;
}

void bri_cycles_of(const bri_plane *block, bri_cycles *all)
{
  static const bri_kind KINDS[] = {BRI_LONE, BRI_UPPER, BRI_LOWER, BRI_LARGE};
  bri_sliding e;
  all->u = bri_units_of(block);
  const bri_plane own = bri_plane_in(block, &all->u), *p = &own;
  bri_sliding_of(p, &e);
  all->sections = all->n = 0;
  all->complete = 1;
  all->v_max = bri_fastest(p);
  if (!(p->s1 * p->s2 > p->s0 * p->m)) return; /* L is crossed the wrong way: no cycle */
  for (int k = 0; k < 4; k++) {
    int complete;
    bri_section *s = &all->s[all->sections];
    if (!bri_section_of(p, &e, KINDS[k], s)) continue;
    const int n = closed_orbits(s, p->s1, BRI_CYCLES - all->n, all->c + all->n, &complete);
    for (int i = 0; i < n; i++) all->of[all->n + i] = all->sections;
    all->n += n;
    all->sections++;
    all->complete = all->complete && complete;
  }
}
