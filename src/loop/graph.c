/* SPDX-License-Identifier: Apache-2.0
 * graph.c - distance of two graphs over the same motion, as sets of points in the plane (Hausdorff). */
#include <math.h>

#include "wave_internal.h"

enum { PEAKS = 16 };

typedef struct {
  double x, y;
} spot;

/* Square of the distance from p to the segment a - b. */
static double to_segment(spot p, spot a, spot b)
{
  const double dx = b.x - a.x, dy = b.y - a.y, l2 = dx * dx + dy * dy;
  double part = l2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / l2 : 0;
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  const double ex = p.x - a.x - part * dx, ey = p.y - a.y - part * dy;
  return ex * ex + ey * ey;
}

static spot at(const bri_graph *g, const double *y, size_t i)
{
  return (spot){g->u[i] / g->width, y[i] / g->height};
}

/* From p to the nearest point of a graph.  No line joins two pieces: the force may jump there. */
static double nearest(const bri_graph *g, const double *to, spot p)
{
  double best = (double)INFINITY;
  spot a = at(g, to, 0);
  for (size_t j = 0; j + 1 < g->n; j++) {
    const spot b = at(g, to, j + 1);
    const double lo = fmin(a.x, b.x), hi = fmax(a.x, b.x),
                 gap = p.x < lo   ? lo - p.x
                       : p.x > hi ? p.x - hi
                                  : 0;
    if (!g->last[j] && gap * gap < best) best = fmin(best, to_segment(p, a, b));
    a = b;
  }
  return sqrt(best);
}

/* Largest distance over the segment a - b: golden section, one peak being meant. */
static double peak(const bri_graph *g, const double *to, spot a, spot b)
{
  const double golden = 0.6180339887498949;
  double lo = 0, hi = 1, best = 0;
  for (int k = 0; k < 32; k++) {
    const double p = hi - golden * (hi - lo), q = lo + golden * (hi - lo);
    const double dp = nearest(g, to, (spot){a.x + p * (b.x - a.x), a.y + p * (b.y - a.y)});
    const double dq = nearest(g, to, (spot){a.x + q * (b.x - a.x), a.y + q * (b.y - a.y)});
    best = fmax(best, fmax(dp, dq));
    if (dp > dq) hi = q;
    else lo = p;
  }
  return best;
}

/* Largest distance of a point of one graph from the other: at the samples, then beside those that are nearly
 * the farthest, because the nearest point may jump from one piece to another between two samples. */
static double one_way(const bri_graph *g, const double *from, const double *to, double *d)
{
  double worst = 0;
  int peaks = 0;
  for (size_t i = 0; i < g->n; i++) worst = fmax(worst, d[i] = nearest(g, to, at(g, from, i)));
  const double near_top = 0.9 * worst;
  for (size_t i = 0; i < g->n && peaks < PEAKS && worst > 0; i++) {
    const int left = i > 0 && !g->last[i - 1], right = i + 1 < g->n && !g->last[i];
    if (d[i] < near_top || (left && d[i - 1] > d[i]) || (right && d[i + 1] > d[i])) continue;
    peaks++;
    if (left) worst = fmax(worst, peak(g, to, at(g, from, i - 1), at(g, from, i)));
    if (right) worst = fmax(worst, peak(g, to, at(g, from, i), at(g, from, i + 1)));
  }
  return worst;
}

double bri_graph_distance(const bri_graph *g, double *work)
{
  if (!(g->width > 0 && g->height > 0)) return (double)NAN;
  return fmax(one_way(g, g->y, g->limit, work), one_way(g, g->limit, g->y, work));
}
