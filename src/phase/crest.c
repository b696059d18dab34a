/* SPDX-License-Identifier: Apache-2.0
 * crest.c - a closed orbit placed by its largest velocity; see returns.h.
 *
 * With large sigma1 a small cycle crosses its section at a millionth of its size from the focus, where a
 * double has few digits left of the distance: the cycle is there, its place is not known.  Its crest, v' = 0
 * with v at its largest, lies as far from the focus as the cycle is large.  There the flow is (z', 0), so a
 * wedge w across it is a shift w/z' of v. */
#include <math.h>

#include "../../core/elementary.h"
#include "returns.h"
#include "stiff.h"

enum { CUTS = 4, ROUNDS = 12 };
static const long MOST_STEPS = 20000;

/* The place of v' = 0 at v. */
static bri_point crest_at(const bri_plane *p, double v)
{
  double g[4], k[4];
  bri_level_series(p, v, g, k);
  return (bri_point){((p->s1 + p->s2) * v - p->F) / (p->s0 * (p->s1 * k[0] - 1)), v};
}

/* The first place within (0, h) where v stops rising; NaN: none.  *rising: whether it does at the start, and
 * at h. */
static double stops_rising(const bri_series *s, double h, int dir, int *rising)
{
  double a = 0;
  for (int i = 1; i <= CUTS; i++) {
    double b = h * i / CUTS;
    const int up = dir * bri_series_rate(s->v, b) > 0;
    if (*rising && !up) {
      for (int k = 0; k < 60; k++) {
        const double x = 0.5 * (a + b);
        if (dir * bri_series_rate(s->v, x) > 0) a = x;
        else b = x;
      }
      return a;
    }
    *rising = up, a = b;
  }
  return NAN;
}

/* Once round from the crest at v; r->x: v of the next crest, r->noise: what rounding may have made of it,
 * m/s. */
static void round_from(const bri_plane *p, double v, int dir, bri_return *r)
{
  bri_point y = crest_at(p, v);
  bri_series s;
  bri_pace pace = {0};
  int rising = 0;
  const double start = bri_flow(p, y).z;
  *r = (bri_return){.fate = BRI_LOST, .x = NAN, .v_min = v, .v_max = v, .z_min = y.z, .z_max = y.z};
  for (; r->steps < MOST_STEPS; r->steps++) {
    if (r->steps % BRI_ASK == 0 && bri_stopped(p->stop)) return;
    const double h = bri_orbit_step(p, y, 0, dir, &pace, &s);
    if (!isfinite(h)) return;
    const double at = stops_rising(&s, h, dir, &rising), end = isnan(at) ? h : at,
                 I = bri_series_at(s.I, end);
    bri_extremes(s.v, end, &r->v_min, &r->v_max);
    bri_extremes(s.z, end, &r->z_min, &r->z_max);
    y = (bri_point){bri_series_at(s.z, end), bri_series_at(s.v, end)};
    if (!(y.v > 0) || !(y.z > 0)) return;
    r->time += fabs(end);
    r->I += I;
    r->wedge = bri_hypot(r->wedge, bri_step_noise(p, &s, end, pace.stiff)) * bri_exp(I);
    if (isnan(at)) continue;
    const double across = bri_flow(p, y).z;
    r->fate = BRI_HIT, r->end = y, r->x = y.v;
    r->slope = bri_exp(r->I) * start / across;
    r->noise = r->wedge / fabs(across);
    return;
  }
}

int bri_crest_place(const bri_plane *p, double v, int dir, double *error, bri_return *out)
{
  for (int i = 0; i < ROUNDS; i++) {
    bri_return r;
    round_from(p, v, dir, &r);
    if (r.fate != BRI_HIT || !(fabs(1 - r.slope) > 0) || isinf(r.slope)) return 0;
    const double size = fmax(r.v_max, v) - r.v_min, step = (r.x - v) / (1 - r.slope);
    *error = r.noise / fabs(1 - r.slope) / size;
    if (!(fabs(step) < 0.5 * size)) return 0;
    v += step;
    if (i == 0 || !(fabs(step) <= fmax(*error * size, 1e-13 * v))) continue;
    r.v_max = v;
    *out = r;
    return 1;
  }
  return 0;
}
