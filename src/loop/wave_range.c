/* SPDX-License-Identifier: Apache-2.0
 * wave_range.c - least and largest force of a steady wave: not those of its samples.
 * Every piece between two corners is looked at in points that crowd towards its ends, where the speed passes
 * all scales of a model; a peak among them is refined. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "wave_internal.h"

enum { NUMBERS = 2 * BR_LOOP_MAX_STATE + 2, EDGE = 33, INNER = 48, POINTS = 2 * EDGE + INNER };

typedef struct {
  double t, y, x[NUMBERS]; /* s; N; states */
} place;

typedef struct {
  const bri_arc_model *a;
  bri_wave *w;
  double end; /* s, of the piece: a corner there is seen from the left */
  br_err *err;
} piece;

/* Position of point k of a piece, from 0 to 1. */
static double part(int k)
{
  if (k < EDGE) return 0.05 * bri_pow(10, -0.25 * (EDGE - 1 - k));
  if (k < EDGE + INNER) return 0.05 + 0.9 * (k - EDGE + 1) / (INNER + 1);
  return 1 - part(POINTS - 1 - k);
}

/* From `at` on to t. */
static br_status go(const piece *p, const place *at, double t, place *to)
{
  *to = *at;
  const br_status st = bri_wave_go(p->a, p->w, at->t, t, to->x, NULL, p->err);
  to->t = t;
  to->y = bri_wave_output(p->a, p->w, t, t < p->end ? 1 : -1, to->x);
  return st;
}

/* Largest sign * y between two places, golden section. */
static br_status refine(const piece *p, const place *from, double t1, double sign, double *best)
{
  const double g = 0.6180339887498949;
  double a = from->t, b = t1, c = b - g * (b - a), d = a + g * (b - a);
  place q, r;
  br_status st = go(p, from, c, &q);
  if (st == BR_OK) st = go(p, from, d, &r);
  for (int k = 0; st == BR_OK && k < 36; k++) {
    if (sign * q.y > sign * r.y) {
      b = d, d = c, r = q, c = b - g * (b - a);
      st = go(p, from, c, &q);
    } else {
      a = c, c = d, q = r, d = a + g * (b - a);
      st = go(p, from, d, &r);
    }
    *best = fmax(*best, fmax(sign * q.y, sign * r.y));
  }
  return st;
}

static br_status look(const piece *p, place *at, double *low, double *high)
{
  const double start = at->t, length = p->end - start;
  place before = *at, here = *at, next;
  double top[2] = {-*low, *high};
  br_status st = BR_OK;
  for (int k = 0; st == BR_OK && k <= POINTS; k++) {
    st = go(p, &here, k < POINTS ? start + part(k) * length : p->end, &next);
    for (int m = 0; st == BR_OK && m < 2; m++) {
      const double sign = m ? 1 : -1, y = sign * here.y;
      top[m] = fmax(top[m], fmax(y, sign * next.y));
      const double left = y - sign * before.y, right = y - sign * next.y;
      if (k && left >= 0 && right >= 0 && left + right > 0 && y > top[m] - 0.1 * fabs(top[m]))
        st = refine(p, &before, next.t, sign, &top[m]);
    }
    before = here;
    here = next;
  }
  *low = -top[0];
  *high = top[1];
  *at = here;
  return st;
}

br_status bri_wave_range(const bri_arc_model *a, bri_wave *w, const double *x, double *low, double *high,
                         br_err *err)
{
  const double T = br_signal_period(w->input);
  place at = {.t = 0};
  br_status st = BR_OK;
  memcpy(at.x, x, (a->nz + (w->tau > 0)) * sizeof *x);
  *low = INFINITY;
  *high = -INFINITY;
  while (st == BR_OK && at.t < T) {
    const double corner = bri_wave_corner(w, at.t);
    const piece p = {a, w, corner < T ? corner : T, err};
    at.y = bri_wave_output(a, w, at.t, 1, at.x);
    st = look(&p, &at, low, high);
    at.t = p.end;
  }
  return st;
}
