/* SPDX-License-Identifier: Apache-2.0
 * line.c - all branches of cycles along sigma1 and their folds.
 *
 * A branch runs between ends where the sign of the multiplier's logarithm I is known: the Hopf point (sign of
 * the Lyapunov coefficient) and the homoclinic orbit (sign of the saddle quantity), or large amplitude (I <
 * 0).  Folds are where I changes sign; a change between an end and the last sample is a fold that may be
 * exponentially close. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "branch.h"
#include "units.h"

static const double CHORD_FINE[] = {0.01, 0.04, 0.1, 0.18, 0.28, 0.4, 0.52, 0.64, 0.76, 0.86, 0.93, 0.97};
static const double CHORD_COARSE[] = {0.05, 0.3, 0.6, 0.9};

typedef struct {
  bri_branch *b;
  double most;
  bri_mode mode; /* that worked last */
  long budget;   /* steps left */
  double slope;  /* d sigma1 / dt at the last knot */
} walk;

/* Closed orbit through t as a knot; 0 when there is none. */
static int knot_at(walk *w, double t, double guess, bri_knot *k)
{
  bri_closure c;
  k->t = t;
  if (w->budget <= 0) return 0;
  k->sigma1 = bri_branch_sigma1(&w->b->s, t, guess, w->most, &w->mode, &c);
  k->I = c.I;
  k->mode = w->mode;
  k->error = c.blur;
  w->slope = -c.by_t / c.by_s1;
  w->budget -= c.steps;
  return isfinite(k->sigma1);
}

static void add_knot(bri_branch *b, bri_knot k)
{
  int i = b->n;
  if (b->n >= BRI_KNOTS) return;
  while (i > 0 && b->knot[i - 1].t > k.t) {
    b->knot[i] = b->knot[i - 1];
    i--;
  }
  b->knot[i] = k;
  b->n++;
}

/* sigma1 at its extreme between two knots, by golden section: good where I is not known in between.  low: a
 * least value. */
static bri_knot extreme_between(walk *w, bri_knot a, bri_knot b, int low)
{
  static const double GOLD = 0.38196601125010515;
  bri_knot k[2], best = (a.sigma1 < b.sigma1) == low ? a : b;
  double lo = a.t, hi = b.t;
  if (!knot_at(w, lo + GOLD * (hi - lo), best.sigma1, &k[0]) ||
      !knot_at(w, hi - GOLD * (hi - lo), best.sigma1, &k[1]))
    return best;
  for (int i = 0; i < 60 && hi - lo > 1e-14 * hi; i++) {
    /* flat, or as flat as rounding lets it be; a canard's extreme is sharp */
    if (hi - lo < 1e-5 * hi && fabs(k[0].sigma1 - k[1].sigma1) <= fmax(best.error, 1e-14 * best.sigma1))
      break;
    const int left = (k[0].sigma1 < k[1].sigma1) == low;
    const bri_knot better = k[left ? 0 : 1];
    if ((better.sigma1 < best.sigma1) == low) best = better;
    if (left) {
      hi = k[1].t, k[1] = k[0];
      if (!knot_at(w, lo + GOLD * (hi - lo), best.sigma1, &k[0])) break;
    } else {
      lo = k[0].t, k[0] = k[1];
      if (!knot_at(w, hi - GOLD * (hi - lo), best.sigma1, &k[1])) break;
    }
  }
  best.error += fmax(fabs(k[0].sigma1 - best.sigma1), fabs(k[1].sigma1 - best.sigma1));
  return best;
}

/* Where I vanishes between two knots: false position with halving, the bracket in t.  sigma1 is stationary
 * there, so a relative 1e-9 of t is more than enough. */
static bri_knot fold_between(walk *w, bri_knot a, bri_knot b)
{
  const bri_knot left = a, right = b;
  double fa = a.I, fb = b.I;
  int side = 0;
  bri_knot k = fabs(fa) < fabs(fb) ? a : b;
  for (int i = 0; i < 60 && fabs(b.t - a.t) > 1e-9 * b.t; i++) {
    const double t = a.t + (b.t - a.t) * fa / (fa - fb);
    if (!knot_at(w, t > a.t && t < b.t ? t : 0.5 * (a.t + b.t), k.sigma1, &k)) break;
    if (isnan(k.I) || fabs(k.I) < 1e-12) break;
    if ((k.I > 0) == (fa > 0)) {
      if (fabs(k.t - a.t) < 1e-9 * k.t) break;
      a = k, fa = k.I;
      if (side == -1) fb *= 0.5;
      side = -1;
    } else {
      if (fabs(k.t - b.t) < 1e-9 * k.t) break;
      b = k, fb = k.I;
      if (side == 1) fa *= 0.5;
      side = 1;
    }
  }
  /* where I is not quite zero the fold is that far away, and sigma1 by the slope there, which is next to
   * nothing */
  if (a.I != b.I) k.error += fabs(w->slope * k.I * (b.t - a.t) / (b.I - a.I));
  if (fabs(k.I) < 1e-4) return k;
  /* canards: stable cycles grow with sigma1, outward being larger t on rays and smaller t on chords */
  const int chord = w->b->s.kind == BRI_UPPER || w->b->s.kind == BRI_LOWER;
  return extreme_between(w, left, right, (left.I > 0) != chord);
}

static void add_fold(bri_branch *b, double t, double sigma1, double error, double distance)
{
  const double least = 1e-15 * sigma1;
  if (b->nfold < BRI_FOLDS)
    b->fold[b->nfold++] = (bri_fold){t, sigma1, isfinite(error) ? error + least : 1e-13 * sigma1, distance};
}

/* sigma1(t) - sigma1(0) near a homoclinic end as the integral of its slope, each value good relatively: the
 * difference of two nearly equal numbers would not be. */
static double from_end(const bri_branch *b, double t)
{
  static const double X[] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                             0.95308992296933200};
  static const double W[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                             0.23931433524968324, 0.11846344252809454};
  enum { PANELS = 3 };
  double sum = 0;
  for (int i = 0; i < 5 * PANELS; i++) {
    const int panel = i / 5;
    bri_closure c;
    bri_closure_at(&b->s, t * (panel + X[i % 5]) / PANELS, b->homoclinic, BRI_HALVES, NULL, &c);
    if (isnan(c.by_t)) return NAN;
    sum -= W[i % 5] * c.by_t / c.by_s1;
  }
  return sum * t / PANELS;
}

/* The sign of I turns between the homoclinic end and the first knot: go down until it has, or as far as the
 * state can be told from the saddle; beyond that the linear passage of the saddle gives place and distance.
 * */
static void fold_at_end(walk *w, bri_knot first)
{
  bri_branch *b = w->b;
  bri_knot near = first, again;
  (void)knot_at(w, first.t, first.sigma1, &again);
  double slope = w->slope; /* at `near` */
  const double limit = 1e-7 * (b->s.kind == BRI_LARGE || b->s.kind == BRI_LARGE_BELOW ? b->s.base.v : 1);
  while (near.t > limit) {
    bri_knot next;
    if (!knot_at(w, 0.2 * near.t, b->homoclinic, &next) || isnan(next.I)) break;
    if ((next.I > 0) == (b->saddle_quantity > 0)) {
      const bri_knot k = fold_between(w, next, near);
      add_knot(b, k);
      add_fold(b, k.t, k.sigma1, k.error, NAN);
      return;
    }
    near = next, slope = w->slope;
  }
  bri_plane p = b->s.p;
  p.s1 = b->homoclinic;
  const bri_linear l = bri_linear_at(&p, b->s.base.v);
  const double lu = l.re[1], ls = -l.re[0], nu = fmin(ls / lu, lu / ls);
  /* time near the saddle grows by -(1/lu + 1/ls) d ln t, and I by the saddle quantity times that; sigma1(t) -
   * sigma1(0) shrinks like t^(1 + nu).  Unstable cycles move outward as sigma1 falls, which gives the side.
   * */
  const double down = fabs(near.I / (b->saddle_quantity * (1 / lu + 1 / ls)));
  double size = fabs(slope) * near.t * bri_exp(-(1 + nu) * down);
  for (int i = 0; i < b->n && b->knot[i].t < near.t; i++) { /* canards: sigma1 is known nearer to the end */
    size = fmin(size, fabs(b->knot[i].sigma1 - b->homoclinic) * bri_exp(-(1 + nu) * down));
  }
  size = fmax(size, 2.2250738585072014e-308); /* below the least number there is it keeps its side */
  const int from_inside = b->s.kind == BRI_UPPER || b->s.kind == BRI_LOWER;
  const double d = (b->saddle_quantity > 0) == from_inside ? -size : size;
  add_fold(b, near.t * bri_exp(-down), b->homoclinic - d, b->homoclinic_error + fabs(d), d);
}

/* Knots between the ends.  One that cannot be closed (next to the saddle of a strongly contracting loop) is
 * left out; after three the rest is out of reach. */
static void follow(walk *w, const double *t, int n, double guess)
{
  bri_branch *b = w->b;
  bri_knot k = {0, guess, 0, BRI_HALVES, NAN};
  int missed = 0;
  for (int i = 0; i < n && missed < 3; i++) {
    bri_knot next;
    if (knot_at(w, t[i], k.t > 0 ? k.sigma1 + w->slope * (t[i] - k.t) : k.sigma1, &next)) {
      k = next;
      add_knot(b, k);
    } else {
      missed++;
    }
  }
  b->followed = missed < 3 && b->n > 0;
}

static void find_folds(walk *w)
{
  bri_branch *b = w->b;
  const int n = b->n;
  bri_knot all[BRI_KNOTS];
  memcpy(all, b->knot, sizeof all);
  const bri_knot *last = NULL;
  for (int i = 0; i < n; i++) {
    if (isnan(all[i].I)) continue;
    const bri_knot *before = last;
    last = &all[i];
    if (!before || (before->I > 0) == (last->I > 0)) continue;
    const bri_knot k = fold_between(w, *before, *last);
    add_knot(b, k);
    add_fold(b, k.t, k.sigma1, k.error, NAN);
  }
}

/* Near the Hopf point I is proportional to the square of the amplitude; a change of sign between the last
 * knot and the end is a fold beside a generalised Hopf point. */
static void fold_at_hopf(walk *w, bri_knot last, double end)
{
  bri_branch *b = w->b;
  if ((last.I > 0) == (b->hopf.lyapunov > 0)) return;
  for (double f = 0.4; f > 1e-3; f *= 0.4) {
    bri_knot k;
    if (!knot_at(w, end + (last.t - end) * f, b->hopf.sigma1, &k) || isnan(k.I)) return;
    if ((k.I > 0) == (b->hopf.lyapunov > 0)) {
      k = k.t < last.t ? fold_between(w, k, last) : fold_between(w, last, k);
      add_knot(b, k);
      add_fold(b, k.t, k.sigma1, k.error, NAN);
      return;
    }
  }
}

/* Folds that sigma1 cannot tell apart come and go in pairs with the last digit: a group counts by its parity.
 * */
static void merge_folds(bri_branch *b)
{
  bri_fold all[BRI_FOLDS];
  const int count = b->nfold;
  memcpy(all, b->fold, sizeof all);
  b->nfold = 0;
  for (int i = 0; i < count; i++) {
    int same = 0, first = 1;
    for (int j = 0; j < count; j++) {
      const int equal = fabs(all[j].sigma1 - all[i].sigma1) <= 1e-7 * all[i].sigma1;
      same += equal;
      first = first && !(equal && j < i);
    }
    if (first && same % 2) b->fold[b->nfold++] = all[i];
  }
}

static void close_ends(walk *w)
{
  bri_branch *b = w->b;
  if (b->n == 0) return;
  int known[2] = {0, b->n - 1}; /* the outermost knots with a known multiplier */
  while (known[0] + 1 < b->n && isnan(b->knot[known[0]].I)) known[0]++;
  while (known[1] > 0 && isnan(b->knot[known[1]].I)) known[1]--;
  const bri_knot first = b->knot[known[0]], last = b->knot[known[1]];
  const int chord = b->s.kind == BRI_UPPER || b->s.kind == BRI_LOWER;
  find_folds(w);
  if (b->s.saddle >= 0 && isfinite(b->homoclinic)) {
    if ((first.I > 0) != (b->saddle_quantity > 0)) fold_at_end(w, first);
    add_knot(b, (bri_knot){0, b->homoclinic, b->saddle_quantity > 0 ? INFINITY : -INFINITY, BRI_HALVES,
                           b->homoclinic_error});
  }
  if (b->s.kind == BRI_LONE) {
    fold_at_hopf(w, first, 0);
    add_knot(b, (bri_knot){0, b->hopf.sigma1, 0, BRI_HALVES, 0});
  } else if (chord) {
    fold_at_hopf(w, last, 1);
    add_knot(b, (bri_knot){1, b->hopf.sigma1, 0, BRI_HALVES, 0});
  }
  merge_folds(b);
  /* a fold so close to the homoclinic end that their difference lost digits */
  for (int i = 0; i < b->nfold; i++) {
    bri_fold *f = &b->fold[i];
    const double d = b->homoclinic - f->sigma1;
    if (fabs(d) < 2e-7 * b->homoclinic && isnan(f->distance))
      f->distance = fabs(d) < 2e-12 * b->homoclinic ? -from_end(b, f->t) : d;
    if (fabs(d) < 2e-12 * b->homoclinic) f->error = b->homoclinic_error;
    if (isnan(f->distance)) continue;
    f->sigma1 = b->homoclinic - f->distance;
    if (f->sigma1 == b->homoclinic)
      f->sigma1 = nextafter(b->homoclinic, f->distance > 0 ? -INFINITY : INFINITY);
  }
}

/* Are cycles looked for at many places? */
static int dense(bri_effort effort) { return effort == BRI_FINE || effort == BRI_NAME_CLOSELY; }

static int start(const bri_plane *p, const bri_sliding *e, bri_kind kind, bri_effort effort, bri_branch *b)
{
  memset(b, 0, sizeof *b);
  b->homoclinic = b->saddle_quantity = b->homoclinic_error = NAN;
  b->hopf = (bri_hopf){NAN, NAN, NAN, NAN};
  if (!bri_section_of(p, e, kind, &b->s)) return 0;
  if (effort == BRI_NAME) b->s.most_tries = 25; /* and fewer steps than the finest below */
  for (int i = 0; i < 2 && !dense(effort) && effort != BRI_LOOPS; i++) {
    b->s.half[i].c.most_steps = effort == BRI_NAME ? 250 : 600;
    b->s.most_steps = 2L * b->s.half[i].c.most_steps;
  }
  return 1;
}

static walk walk_on(bri_branch *b, double most, bri_effort effort)
{
  const walk w = {b, most, BRI_HALVES, effort == BRI_NAME ? 4000 : effort == BRI_COARSE ? 25000 : 200000, 0};
  return w;
}

static void find_homoclinic(bri_branch *b, double lo, double hi, double guess, double most)
{
  b->homoclinic = bri_homoclinic_sigma1(&b->s, lo, hi, guess, most, &b->homoclinic_error);
  if (!isfinite(b->homoclinic)) return;
  bri_plane p = b->s.p;
  p.s1 = b->homoclinic;
  b->saddle_quantity = -bri_linear_at(&p, b->s.base.v).a1;
}

static void small_branch(const bri_plane *p, const bri_sliding *e, bri_kind kind, const bri_hopf *hopf,
                         double most, bri_effort effort, bri_branch *b)
{
  if (!start(p, e, kind, effort, b)) return;
  b->hopf = hopf[b->s.focus];
  walk w = walk_on(b, most, effort);
  find_homoclinic(b, 0, INFINITY, b->hopf.sigma1, most);
  if (effort == BRI_LOOPS) return;
  const double guess = isfinite(b->homoclinic) ? b->homoclinic : b->hopf.sigma1;
  if (dense(effort)) follow(&w, CHORD_FINE, (int)(sizeof CHORD_FINE / sizeof CHORD_FINE[0]), guess);
  else follow(&w, CHORD_COARSE, (int)(sizeof CHORD_COARSE / sizeof CHORD_COARSE[0]), guess);
  close_ends(&w);
}

/* Branches without an outer end: knots in growing distance until sigma1 is past `up_to` and the cycles are
 * stable. */
static void open_branch(walk *w, double up_to, double guess, bri_effort effort)
{
  bri_branch *b = w->b;
  const double factor = dense(effort) ? 1.35 : 2.5, v = b->s.base.v;
  bri_knot k = {0, guess, 0, BRI_HALVES, NAN};
  for (double t = 0.01 * v; t < b->s.t_max && b->n < BRI_KNOTS - 12;
       t *= t < 0.1 * v ? fmax(2, factor) : factor) {
    if (!knot_at(w, t, k.t > 0 ? k.sigma1 + w->slope * (t - k.t) : k.sigma1, &k)) return;
    add_knot(b, k);
    /* growing stable cycles, well past the start: nothing turns any more, however far one looks */
    if (k.I < 0 && k.sigma1 > 1.2 * guess) b->followed = 1;
    if (k.sigma1 > up_to && k.I < 0) return;
  }
}

static void large_branch(const bri_line *l, double up_to, double most, bri_effort effort, bri_branch *b)
{
  const double upper = l->b[0].homoclinic, lower = l->b[1].homoclinic;
  const int below = lower < upper || (isfinite(lower) && !isfinite(upper));
  if (!start(&l->p, &l->e, below ? BRI_LARGE_BELOW : BRI_LARGE, effort, b)) return;
  const double lo = below ? lower : upper, hi = below ? upper : lower;
  if (isfinite(lo))
    find_homoclinic(b, lo, isfinite(hi) ? hi : INFINITY, isfinite(hi) ? 0.5 * (lo + hi) : 0, most);
  if (!isfinite(b->homoclinic) || effort == BRI_LOOPS) return;
  walk w = walk_on(b, most, effort);
  open_branch(&w, fmax(up_to, 1.2 * b->homoclinic), b->homoclinic, effort);
  close_ends(&w);
}

static void line_of(const bri_plane *p, double up_to, bri_effort effort, bri_line *line)
{
  double top = 0;
  memset(line, 0, sizeof *line);
  line->p = *p;
  bri_sliding_of(p, &line->e);
  for (int i = 0; i < line->e.n; i++) {
    line->hopf[i] = bri_hopf_at(p, line->e.y[i].v);
    if (line->hopf[i].sigma1 > top) top = line->hopf[i].sigma1;
  }
  if (!(top > 0)) (void)snprintf(line->name, sizeof line->name, "none");
  if (!(top > 0) || effort == BRI_HOPF_ALONE) return;
  const double most = fmax(50 * top, 4 * up_to);
  if (line->e.n == 1) {
    bri_branch *b = &line->b[0];
    line->n = start(p, &line->e, BRI_LONE, effort, b);
    b->hopf = line->hopf[0];
    if (effort == BRI_LOOPS) return; /* no saddle, no loop */
    walk w = walk_on(b, most, effort);
    open_branch(&w, fmax(up_to, 1.2 * b->hopf.sigma1), b->hopf.sigma1, effort);
    close_ends(&w);
    /* more folds than needed, or hidden between knots where stability does not grow outward: look closely */
    int closely = b->followed && b->nfold > bri_least_folds(b);
    for (int i = 2; i < b->n; i++)
      closely = closely || (b->hopf.lyapunov < 0 && b->knot[i].I > b->knot[i - 1].I);
    if (effort == BRI_NAME && closely) {
      line_of(p, up_to, BRI_NAME_CLOSELY, line);
      return;
    }
    bri_case_name(line, 0, sizeof line->name, line->name);
    return;
  }
  const int named = line->e.n == 3 ? 1 : 0, name_alone = effort == BRI_NAME || effort == BRI_NAME_CLOSELY;
  if (!named || !name_alone) small_branch(p, &line->e, BRI_UPPER, line->hopf, most, effort, &line->b[0]);
  line->n = 1;
  if (named) {
    small_branch(p, &line->e, BRI_LOWER, line->hopf, most, effort, &line->b[1]);
    line->n = 3;
    if (!name_alone) large_branch(line, up_to, most, effort, &line->b[2]);
  }
  if (effort == BRI_NAME && line->b[named].followed &&
      line->b[named].nfold > bri_least_folds(&line->b[named])) {
    line_of(p, up_to, BRI_NAME_CLOSELY, line);
    return;
  }
  bri_case_name(line, named, sizeof line->name, line->name);
}

/* A branch from a block's own units into those of p. */
static void branch_to(const bri_plane *p, const bri_sliding *e, const bri_units *u, bri_branch *b)
{
  const bri_section was = b->s;
  const double t = was.kind == BRI_UPPER || was.kind == BRI_LOWER ? 1 : u->velocity;
  (void)bri_section_of(p, e, was.kind, &b->s);
  b->s.most_tries = was.most_tries, b->s.most_steps = was.most_steps;
  for (int i = 0; i < 2; i++) b->s.half[i].c.most_steps = was.half[i].c.most_steps;
  for (int i = 0; i < b->n; i++) b->knot[i].t *= t, b->knot[i].sigma1 *= u->damping;
  for (int i = 0; i < b->nfold; i++) {
    b->fold[i].t *= t, b->fold[i].sigma1 *= u->damping, b->fold[i].distance *= u->damping;
    b->fold[i].error *= u->damping;
  }
  b->homoclinic *= u->damping, b->homoclinic_error *= u->damping;
  b->saddle_quantity /= u->time;
}

static void hopf_to(const bri_units *u, bri_hopf *h)
{
  h->sigma1 *= u->damping;
  h->omega /= u->time;
  h->lyapunov /= u->time * u->velocity * u->velocity;
  h->lyapunov_error /= u->time * u->velocity * u->velocity;
}

void bri_line_of(const bri_plane *p, double up_to, bri_effort effort, bri_line *line)
{
  const bri_units u = bri_units_of(p);
  const bri_plane own = bri_plane_in(p, &u);
  line_of(&own, up_to / u.damping, effort, line);
  line->p = *p;
  for (int i = 0; i < line->e.n; i++) {
    line->e.y[i].z *= u.length, line->e.y[i].v *= u.velocity;
    hopf_to(&u, &line->hopf[i]);
  }
  for (int i = 0; i < line->n; i++) {
    hopf_to(&u, &line->b[i].hopf);
    branch_to(p, &line->e, &u, &line->b[i]);
  }
}
