/* SPDX-License-Identifier: Apache-2.0
 * portrait.c - curves and basins of the phase plane: what pictures are made of. */
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "phase_internal.h"
#include "returns.h"
#include "strips.h"

enum { ROOM = 1024, PER_STEP = 8 };

/* A curve on its way to the caller, handed over in pieces that share their end points. */
typedef struct {
  br_curve_fn *draw;
  void *ctx;
  br_curve kind;
  double sign, unit_z, unit_v; /* what a point is multiplied by */
  br_status st;
  size_t n;
  int dir;
  double z[ROOM], v[ROOM];
} pen;

static void lift(pen *p)
{
  if (p->n > 1 && !p->st) p->st = p->draw(p->ctx, p->kind, p->z, p->v, p->n);
  p->n = 0;
  p->dir = 0;
}

static void put(pen *p, double z, double v)
{
  if (p->n == ROOM) {
    const double z1 = p->z[ROOM - 1], v1 = p->v[ROOM - 1];
    const int dir = p->dir;
    lift(p);
    p->z[0] = z1;
    p->v[0] = v1;
    p->n = 1;
    p->dir = dir;
  }
  p->z[p->n] = p->sign * p->unit_z * z;
  p->v[p->n++] = p->sign * p->unit_v * v;
}

static void pen_see(void *ctx, const bri_series *s, double h)
{
  pen *p = ctx;
  const int dir = h < 0 ? -1 : 1;
  if (p->dir != dir) { /* the backward half is a curve of its own */
    lift(p);
    p->dir = dir;
    put(p, s->z[0], s->v[0]);
  }
  for (int i = 1; i <= PER_STEP; i++) {
    const double t = h * i / PER_STEP;
    put(p, bri_series_at(s->z, t), bri_series_at(s->v, t));
  }
}

static void cycles(const bri_plane *q, bri_cycles *all, pen *p)
{
  bri_cycles_of(q, all);
  p->unit_z = all->u.length, p->unit_v = all->u.velocity;
  for (int i = 0; i < all->n; i++) {
    const bri_closed *c = &all->c[i];
    const bri_watch watch = {pen_see, p};
    bri_return again;
    p->kind = c->dir * c->r.I < 0 ? BR_CURVE_STABLE_CYCLE : BR_CURVE_UNSTABLE_CYCLE;
    const bri_section *s = &all->s[all->of[i]];
    bri_return_run(s, s->p.s1, c->x, c->dir, &watch, &again);
    lift(p);
  }
}

static void manifolds(const bri_plane *q, const bri_sliding *e, pen *p)
{
  const bri_watch watch = {pen_see, p};
  for (int i = 0; i < e->n; i++) {
    const bri_linear l = bri_linear_at(q, e->y[i].v);
    if (!(l.a0 < 0)) continue;
    for (int k = 0; k < 4; k++) {
      const int unstable = k < 2, dir = unstable ? 1 : -1;
      bri_course c = {*q, *e, 1, 0, -INFINITY, INFINITY, e->y[0], BRI_INSIDE, 160}; /* no crossing ends it */
      for (int j = 0; j < e->n; j++) {
        const bri_linear lj = bri_linear_at(q, e->y[j].v);
        if (lj.a0 > 0 && lj.a1 * dir > 0) c.home = e->y[j];
      }
      bri_arc a;
      const bri_point y = bri_manifold_start(q, e, i, l.re[unstable ? 1 : 0], k % 2 ? -1 : 1);
      p->kind = unstable ? BR_CURVE_UNSTABLE_MANIFOLD : BR_CURVE_STABLE_MANIFOLD;
      put(p, e->y[i].z, e->y[i].v);
      p->dir = dir;
      put(p, y.z, y.v);
      bri_arc_run(&c, y, dir, 0, &watch, &a);
      lift(p);
    }
  }
}

/* v' is linear in z at given v: its zero from two values; where the slope vanishes the curve has a pole. */
static void nullclines(const bri_plane *q, double v_max, pen *p)
{
  enum { N = 800 };
  double before = NAN;
  for (int i = 1; i <= N; i++) {
    const double v = v_max * i / N;
    double g[4], k[4];
    bri_level_series(q, v, g, k);
    p->kind = BR_CURVE_Z_NULLCLINE;
    put(p, g[0] / q->s0, v);
  }
  lift(p);
  p->kind = BR_CURVE_V_NULLCLINE;
  for (int i = 1; i <= N; i++) {
    const double v = v_max * i / N, f0 = bri_flow(q, (bri_point){0, v}).v,
                 slope = bri_flow(q, (bri_point){1, v}).v - f0;
    if (slope * before < 0) lift(p);
    before = slope;
    put(p, -f0 / slope, v);
  }
  lift(p);
}

br_status br_phase_portrait(const br_phase *ph, double value, br_curve_fn *draw, void *ctx, br_err *err)
{
  bri_plane q;
  pen p;
  bri_cycles *all;
  bri_sliding e;
  if (!ph || !draw) return bri_fail(err, BR_E_ARG, "br_phase_portrait: an argument is NULL");
  memset(&p, 0, sizeof p);
  p.unit_z = p.unit_v = 1;
  const br_status st = bri_plane_at(ph, value, &q, &p.sign, err);
  if (st) return st;
  all = bri_calloc(1, sizeof *all);
  if (!all) return bri_no_memory(err, "phase");
  p.draw = draw;
  p.ctx = ctx;
  bri_sliding_of(&q, &e);
  double v_max = 2 * q.vs;
  for (int i = 0; i < e.n; i++) v_max = fmax(v_max, 3 * e.y[i].v);
  nullclines(&q, v_max, &p);
  manifolds(&q, &e, &p);
  if (!ph->local) cycles(&q, all, &p);
  bri_free(all);
  if (p.st) return bri_fail(err, p.st, "br_phase_portrait: the caller stopped it");
  return bri_stop_status(q.stop, "phase", err);
}

/* End of one motion. */
static unsigned char end_of(const bri_plane *q, const bri_sliding *e, const bri_linear *lin, bri_point y)
{
  bri_series s;
  const int can_stick = q->F < q->Fc + q->dF;
  for (int step = 0; step < 400; step++) {
    bri_series_orbit(q, y, &s);
    const double h = bri_series_reach(q, &s, 1);
    y = (bri_point){bri_series_at(s.z, h), bri_series_at(s.v, h)};
    if (!(y.v > 1e-6 * q->vs)) return can_stick ? 0 : 255;
    for (int i = 0; i < e->n; i++) {
      const double d = fabs(y.z / e->y[i].z - 1) + fabs(y.v / e->y[i].v - 1);
      if (lin[i].a0 > 0 && lin[i].a1 > 0 && d < 1e-3) return (unsigned char)(i + 1);
    }
  }
  return 4;
}

br_status br_phase_basins(const br_phase *ph, double value, size_t nz, const double *z, size_t nv,
                          const double *v, unsigned char *cell, br_err *err)
{
  bri_plane q;
  double sign;
  bri_sliding e;
  bri_linear lin[3];
  const br_status st = bri_plane_at(ph, value, &q, &sign, err);
  if (st) return st;
  bri_sliding_of(&q, &e);
  for (int i = 0; i < e.n; i++) lin[i] = bri_linear_at(&q, e.y[i].v);
  for (size_t i = 0; i < nz; i++) {
    for (size_t j = 0; j < nv; j++) {
      const bri_point y = {sign * z[i], sign * v[j]};
      cell[i * nv + j] = y.v > 0 ? end_of(&q, &e, lin, y) : 255;
      if (bri_stopped(q.stop)) return bri_stop_status(q.stop, "phase", err);
    }
  }
  return BR_OK;
}

/* A plane whose motions are followed to their ends. */
typedef struct {
  bri_plane q;
  double sign, least; /* velocity, as the lower edge is seen */
  bri_sliding e;
  bri_linear lin[3];
} ends;

static br_status end_at(void *ctx, double z, double v, unsigned char *kind)
{
  const ends *k = ctx;
  const bri_point y = {k->sign * z, k->sign * fmax(v, k->least)};
  *kind = y.v > 0 ? end_of(&k->q, &k->e, k->lin, y) : BRI_STRIP_NOTHING;
  return bri_stopped(k->q.stop) ? BR_INTERRUPTED : BR_OK;
}

br_status bri_basin_strips(const br_phase *ph, double value, const double window[4], int threads,
                           bri_strip *strip, size_t *n, br_err *err)
{
  enum { COLUMNS = 60, ROWS = 45 };
  ends k;
  const br_status st = bri_plane_at(ph, value, &k.q, &k.sign, err);
  if (st) return st;
  bri_sliding_of(&k.q, &k.e);
  for (int i = 0; i < k.e.n; i++) k.lin[i] = bri_linear_at(&k.q, k.e.y[i].v);
  k.least = window[2] + 1e-3 * (window[3] - window[2]);
  const bri_strips_of of = {window[0], window[1], window[2], window[3], COLUMNS,
                            ROWS,      NULL,      threads,   end_at,    &k};
  return bri_strips_make(&of, strip, n, err);
}
