/* SPDX-License-Identifier: Apache-2.0
 * ring.h - a closed orbit as a ring of spans, and Newton's method for it.  Internal.
 *
 * Unknowns are the nodes between spans, the period and the varied number; equations are that each span ends
 * in the next node, that the contact velocity is largest (its rate zero) in node 0, and one more that the
 * caller chooses: a fixed parameter, a fixed amplitude or a step along the branch.  The linear system is
 * eliminated span by span with orthogonal transformations, so that strong contraction and strong expansion do
 * no harm. */
#ifndef BRI_PHASE_RING_H
#define BRI_PHASE_RING_H
#include "span.h"

enum { BRI_RING_SPANS = 600, BRI_RING_UNKNOWNS = BRI_FIELD_MOST + 2 };

typedef struct {
  size_t n, spans;
  double period, value;
  double size[BRI_FIELD_MOST];                      /* extent of each state on the orbit */
  double share[BRI_RING_SPANS];                     /* of the period, sum 1 */
  double x[(BRI_RING_SPANS + 1) * BRI_FIELD_MOST];  /* nodes; the last is the first */
  double dx[(BRI_RING_SPANS + 1) * BRI_FIELD_MOST]; /* their shift along the branch per unit step */
  double dT, dp;                                    /* that of period and parameter */
  bri_span span[BRI_RING_SPANS];
} bri_ring;

/* The equation that selects a point of the branch: g . (unknowns - from) = rhs, unknowns (x_0 / size, period
 * / period0, value / range). */
typedef struct {
  double g[BRI_RING_UNKNOWNS], from[BRI_RING_UNKNOWNS], rhs;
} bri_pick;

/* What the rings of one branch share. */
typedef struct {
  bri_family fam;
  double range;                 /* of the parameter: what its steps are measured by */
  double scale[BRI_FIELD_MOST]; /* of states, for steps along the branch */
  double period;                /* likewise */
  double tol;
  double *rows; /* [BRI_RING_SPANS][...] of the elimination */
} bri_ring_work;
size_t bri_ring_rows(void); /* numbers in `rows` */

/* Newton from the nodes in r.  Returns 0, or 1 when it does not converge.  tangent: also r->dx, dT, dp, in
 * the direction in which g grows. */
int bri_ring_solve(bri_ring_work *w, bri_ring *r, const bri_pick *pick, int tangent);
void bri_ring_unknowns(const bri_ring_work *w, const bri_ring *r, double *u);
/* Spans of even quality: how many are wanted; move the nodes to that many. */
size_t bri_ring_wanted(const bri_ring_work *w, const bri_ring *r);
void bri_ring_remesh(const bri_ring_work *w, const bri_ring *from, bri_ring *to);
/* Extremes of every state and (index n) of the contact velocity. */
void bri_ring_extremes(const bri_ring_work *w, const bri_ring *r, double *lo, double *hi);
/* Floquet multipliers besides the 1, by descending size; two test functions: det(P - 1), det(P + 1). */
void bri_ring_multipliers(const bri_ring_work *w, const bri_ring *r, double *re, double *im, double *minus,
                          double *plus);
/* Nodes along the orbit from x over a period, by adaptive steps; 1 when it cannot be followed or needs more
 * spans than there are. */
int bri_ring_trace(bri_ring_work *w, const double *x, double period, bri_ring *r);

#endif
