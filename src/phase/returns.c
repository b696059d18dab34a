/* SPDX-License-Identifier: Apache-2.0
 * returns.c - first return to a section; see returns.h. */
#include "../../core/elementary.h"
#include "../base/root.h"
#include "returns.h"

#include <math.h>

#include "stiff.h"

enum { CUTS = 4 };
static const double NEAREST = 1e-10; /* to a saddle, relative */
static const double SMALLEST = 1e-7; /* distance from a focus, relative */

static int chord(const bri_section *s) { return s->kind == BRI_UPPER || s->kind == BRI_LOWER; }

/* m v + sigma1 z falls where v > F/sigma2, and z < Fs/sigma0 on a cycle */
double bri_fastest(const bri_plane *p) { return p->F / p->s2 + p->s1 * (p->Fc + p->dF) / (p->s0 * p->m); }

/* A small cycle of velocity amplitude r passes its section at this part of r from the focus: its deflection
 * is xi r, xi = -(sigma2 + i m w)/(sigma0 + i sigma1 w), and with large sigma1 nearly all of it lies off the
 * section. */
static double slant(const bri_section *s, const bri_plane *p)
{
  const bri_linear l = bri_linear_at(p, s->e.y[s->focus].v);
  const double w = l.a0 > 0 ? sqrt(l.a0) : 0, by_s1 = bri_hypot(p->s0, p->s1 * w);
  if (chord(s)) return p->s0 / by_s1;
  return w > 0 ? w * (p->s1 * p->s2 - p->s0 * p->m) / (bri_hypot(p->s2, p->m * w) * by_s1) : 1;
}

/* What is nearer to the focus than FINEST of its velocity cannot be told from it. */
static const double FINEST = 1e-13;

void bri_return_range(const bri_section *s, double sigma1, double *lo, double *hi)
{
  bri_plane p = s->p;
  p.s1 = sigma1;
  const double v = s->e.y[s->focus].v;
  if (chord(s)) {
    const double least = fmax(SMALLEST * slant(s, &p), FINEST * v / fabs(s->dir.v));
    *lo = bri_log(NEAREST), *hi = -bri_log(fmin(least, 1e-3));
    return;
  }
  *lo =
      s->kind == BRI_LONE ? bri_log(fmax(SMALLEST * slant(s, &p), FINEST) * v) : bri_log(NEAREST * s->base.v);
  *hi = bri_log(s->kind == BRI_LARGE_BELOW ? s->base.v : fmax(bri_fastest(&p), 1.001 * s->base.v));
}

/* chord: t = 1/(1 + e^-x) of the way from saddle to focus; ray: v - base = e^x */
bri_point bri_return_place(const bri_section *s, double x)
{
  if (!chord(s)) return (bri_point){s->base.z, s->base.v + s->dir.v * bri_exp(x)};
  const bri_point f = s->e.y[s->focus];
  const double t = 1 / (1 + bri_exp(-x)), rest = 1 / (1 + bri_exp(x));
  if (t < rest) return (bri_point){s->base.z + t * s->dir.z, s->base.v + t * s->dir.v};
  return (bri_point){f.z - rest * s->dir.z, f.v - rest * s->dir.v};
}

static double coordinate(const bri_section *s, bri_point y)
{
  const double d = y.v - s->base.v;
  return chord(s) ? bri_log(d / (s->e.y[s->focus].v - y.v)) : bri_log(s->dir.v * d);
}

double bri_return_coordinate(const bri_section *s, double t)
{
  return chord(s) ? bri_log(t / (1 - t)) : bri_log(t);
}

/* |wedge of the flow with d place / dx|: what passes a stretch dx of the section per unit time. */
static double passage(const bri_section *s, const bri_plane *p, bri_point y)
{
  const bri_point r = bri_flow(p, y);
  if (!chord(s)) return fabs(r.z * (y.v - s->base.v));
  const double t = (y.v - s->base.v) / s->dir.v, rest = (s->e.y[s->focus].v - y.v) / s->dir.v;
  return fabs(r.z * s->dir.v - r.v * s->dir.z) * t * rest;
}

static double distance(bri_point e, bri_point y) { return fabs(y.z - e.z) / e.z + fabs(y.v - e.v) / e.v; }

/* Linear functions of the state whose zeros count: L and the line of the ray. */
typedef struct {
  double z, v, c;
} level;

static double level_at(const level *l, const bri_series *s, double h)
{
  return l->z * bri_series_at(s->z, h) + l->v * bri_series_at(s->v, h) - l->c;
}

/* First zero of a level within (from, h) of a step, with the sign it had at `from`; NaN: none. */
static double first_zero(const level *l, const bri_series *s, double from, double h, double side)
{
  double a = from;
  for (int i = 1; i <= CUTS; i++) {
    double b = from + (h - from) * i / CUTS;
    if (level_at(l, s, b) * side >= 0) {
      a = b;
      continue;
    }
    bri_bracket k = bri_bracket_of(a, side, b, level_at(l, s, b));
    if (level_at(l, s, a) * side > 0) k.fa = level_at(l, s, a);
    for (int tries = 0; tries < 200; tries++) {
      const double x = bri_bracket_next(&k);
      if (x == k.a || x == k.b) break;
      const double f = level_at(l, s, x);
      bri_bracket_take(&k, x, f);
      if (f == 0) return x;
    }
    return k.b;
  }
  return NAN;
}

/* What a crossing of L at v means: HIT here: it goes on. */
static bri_fate crossing(const bri_section *s, double v)
{
  int below = 0;
  for (int i = 0; i < s->e.n; i++) below += s->e.y[i].v < v;
  if (s->kind == BRI_LONE) return BRI_HIT;
  if (s->kind == BRI_LARGE || s->kind == BRI_LARGE_BELOW)
    return below == 0 || below == s->e.n ? BRI_HIT : BRI_INSIDE;
  return below == (s->kind == BRI_UPPER ? s->e.n : 0) ? BRI_HIT : BRI_OUTSIDE;
}

static int on_chord(const bri_section *s, double v)
{
  const double a = s->base.v, b = s->e.y[s->focus].v;
  return (v - a) * (v - b) < 0;
}

/* The sticking point attracts for F < Fs, and all that comes this near. */
static int sticks(const bri_plane *p, double slow, bri_point y)
{
  return p->F < p->Fc + p->dF && y.v < 1e-6 * slow && fabs(p->s0 * y.z / p->F - 1) < 1e-6;
}

/* near: the distance of an equilibrium that has been reached. */
static bri_fate settled(const bri_section *s, bri_point y, double near)
{
  if (sticks(&s->p, s->e.y[0].v, y)) return BRI_OUTSIDE;
  for (int i = 0; i < s->e.n; i++) {
    if (i == s->saddle || distance(s->e.y[i], y) >= near) continue; /* nothing settles on a saddle */
    return !chord(s) || i == s->focus ? BRI_INSIDE : BRI_OUTSIDE;
  }
  return BRI_HIT;
}

static int gone(const bri_plane *p, bri_point y)
{
  return !(y.v > 0) || !(y.z > 0) || y.z > 4 * (p->F + p->Fc + p->dF) / p->s0;
}

static void widen(bri_return *r, const bri_series *s, double h, const bri_watch *watch)
{
  if (!watch) return;
  bri_extremes(s->v, h, &r->v_min, &r->v_max);
  bri_extremes(s->z, h, &r->z_min, &r->z_max);
  if (watch->see) watch->see(watch->ctx, s, h);
}

static void finish(const bri_section *s, const bri_plane *p, bri_point from, bri_point to, bri_return *r)
{
  r->fate = BRI_HIT;
  r->x = coordinate(s, to);
  r->end = to;
  const double passes = passage(s, p, to);
  r->slope = bri_exp(r->I) * passage(s, p, from) / passes;
  r->noise = r->wedge / passes;
  if (isnan(r->x)) r->fate = BRI_LOST;
}

/* The return did not come: its coordinate beyond all cycles.  Inside is where x -> -infinity on rays and x ->
 * infinity on chords. */
static void lose(const bri_section *s, bri_fate fate, bri_return *r)
{
  r->fate = fate;
  if (fate == BRI_LOST) return;
  r->x = (fate == BRI_INSIDE) == chord(s) ? INFINITY : -INFINITY;
}

void bri_return_run(const bri_section *s, double sigma1, double x, int dir, const bri_watch *watch,
                    bri_return *r)
{
  bri_plane p = s->p;
  p.s1 = sigma1;
  const level L = {p.s0, p.s2, p.F}, ray = {s->dir.v, 0, s->dir.v * s->base.z}; /* falls along the flow */
  const bri_point from = bri_return_place(s, x);
  bri_point y = from;
  bri_series c;
  bri_pace pace = {0};
  /* a start beside the focus has not settled there */
  const double near = fmin(1e-9, 1e-3 * distance(s->e.y[s->focus], from));
  int armed = 0;     /* the ray counts once the orbit has come back to its upstream side */
  double side = NAN; /* of L */
  *r = (bri_return){.fate = BRI_LOST,
                    .x = NAN,
                    .slope = NAN,
                    .noise = NAN,
                    .v_min = y.v,
                    .v_max = y.v,
                    .z_min = y.z,
                    .z_max = y.z};
  for (; r->steps < s->most_steps; r->steps++) {
    if (r->steps % BRI_ASK == 0 && bri_stopped(p.stop)) return;
    if (gone(&p, y)) {
      lose(s, BRI_OUTSIDE, r);
      return;
    }
    double h = bri_orbit_step(&p, y, r->M, dir, &pace, &c);
    if (!isfinite(h)) return;
    if (isnan(side)) { /* a start on L belongs to the side the orbit goes to */
      const double rate = p.s0 * c.z[1] + p.s2 * c.v[1];
      side = chord(s) ? (dir * rate > 0 ? 1 : -1) : (level_at(&L, &c, 0) > 0 ? 1 : -1);
    }
    const double start = chord(s) && r->steps == 0 ? 1e-3 * h : 0;
    const double at = first_zero(&L, &c, start, h, side);
    double back = NAN;
    if (!chord(s)) {
      const double end = isnan(at) ? h : at;
      if (!armed && level_at(&ray, &c, end) * dir > 0) armed = 1;
      else if (armed) back = first_zero(&ray, &c, 0, end, dir);
    }
    const double v = isnan(at) ? NAN : bri_series_at(c.v, at);
    const double end = !isnan(back) ? back : !isnan(at) ? at : h;
    widen(r, &c, end, watch);
    y = (bri_point){bri_series_at(c.z, end), bri_series_at(c.v, end)};
    r->time += fabs(end);
    const double I = bri_series_at(c.I, end);
    r->I += I;
    r->wedge = bri_hypot(r->wedge, bri_step_noise(&p, &c, end, pace.stiff)) * bri_exp(I);
    r->M = bri_series_at(c.M, end);
    if (!isnan(back) || (!isnan(at) && chord(s) && on_chord(s, v))) {
      if (distance(s->e.y[s->focus], y) < near) lose(s, BRI_INSIDE, r); /* it has settled */
      else finish(s, &p, from, y, r);
      return;
    }
    if (!isnan(at)) {
      const bri_fate fate = v > 0 ? crossing(s, v) : BRI_OUTSIDE;
      if (fate != BRI_HIT) {
        lose(s, fate, r);
        return;
      }
      side = -side;
      pace = (bri_pace){0};
      continue;
    }
    const bri_fate fate = settled(s, y, near);
    if (fate != BRI_HIT) {
      lose(s, fate, r);
      return;
    }
  }
}
