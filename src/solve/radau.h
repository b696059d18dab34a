/* SPDX-License-Identifier: Apache-2.0
 * radau.h - one step of a Radau IIA method (3 or 5 stages: order 5, 9).  Internal.
 *
 * The stage equations are solved by Newton's method with an exact Jacobian; the linear system splits into one
 * real and (s-1)/2 complex systems of the size of the ODE. */
#ifndef BRI_RADAU_H
#define BRI_RADAU_H
#include "linalg.h"
#include "plant.h"

#define BRI_MAX_STAGE 5

/* An error below this many times the rounding of the field is none.  The estimate sums a few terms that are
 * each rounded, and the start of a step carries the rounding of shorter steps before it. */
#define BRI_ROUNDING 100
#define BRI_REST 8         /* and this many times it, of every rate at once, is rest */
#define BRI_REST_MOST 4000 /* the same, where it has been that small for long */

typedef struct {
  int s;
  double c[5], b[5]; /* nodes; weights */
  double e[5];       /* embedded formula: sum e_i Z_i */
  double gamma;      /* real eigenvalue of A^-1 */
  double alpha[2], beta[2];
  double T[25], Ti[25]; /* row major s*s */
  double P[25];         /* a_k = sum_j P_kj Z_j, k = 1..s: polynomial through 0 and the stages */
} bri_radau_table;

const bri_radau_table *bri_radau_find(int stages);
/* theta -> derivative at the nodes: D[i][j], the derivative at node i of the polynomial that is 0 at the
 * start and 1 at node j. */
void bri_radau_slopes(const bri_radau_table *t, double *D);

/* What a step hands back, for every one-step method of this room. */
typedef struct {
  int stages; /* interior points that follow, the last one at theta = 1 */
  double theta[BRI_MAX_STAGE];
  double weight0, weight[BRI_MAX_STAGE]; /* quadrature weights of the start and of these points */
  double *Y;                             /* [stages][n] states at these points */
  double *poly;                          /* [stages][n] y(theta) = y0 + sum_k poly_k theta^k, k from 1 */
  double err;                            /* error estimate over tolerance */
  double *off;                           /* [n] the same of each state, as of the start */
  double lead; /* weight of what the start has in the estimate beyond the polynomial through the points */
  double theta_newton; /* rate of convergence seen */
} bri_step;

/* Where the iteration starts: nowhere special (step NULL), from the polynomial of the step before (shift 1)
 * or from that of an earlier try from the same point (shift 0).  h: size of that step. */
typedef struct {
  const bri_step *step;
  double h, shift;
} bri_guess;

typedef struct {
  const bri_radau_table *tab;
  size_t n;
  double *Z, *W, *F, *D;    /* [s*n] */
  double *J, *E1, *Er, *Ei; /* n*n, n*n, pairs of n*n */
  size_t *piv;
  bri_arrow arrow[3]; /* real, then the complex pairs, where the Jacobian has that form */
  int is_arrow;
  double *itol;  /* 1 / tolerance */
  double *noise; /* what rounding of the field lets no step of this size know better, per state */
  double *peak;  /* the largest of it lately, over steps of different size */
  int rounded;   /* 1: that, not the tolerance asked for, decided about a state */
  /* Where the field was last zero up to rounding: the state, what counts as zero in each of its rates, and
   * the size of step that had resolved the way to it; 0: nowhere. */
  double *rest_y, *rest_rate, rest_h;
  double resolved;      /* the largest such size since all was that quiet: at the border rest ends and sets in
                      again */
  int quiet;            /* steps for which every rate has been within BRI_REST_MOST of that */
  double *tmp;          /* 4 n */
  const bri_band *band; /* large plants; J and the factors then have its rows */
} bri_radau;

BR_CHECKED br_status bri_radau_create(const br_plant *p, int stages, bri_radau *r);
void bri_radau_destroy(bri_radau *r);

void bri_radau_forget(bri_radau *r); /* what it knows of rest */
/* One step of size h from (t, y) with f0 = f(t, y).  tol: error tolerance per state; newton: stop the
 * iteration at this part of tol.  Returns 0, or 1 when the iteration does not converge or a number is not
 * finite. */
int bri_radau_step(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                   const double *f0, double h, const double *tol, double newton, const bri_guess *guess,
                   int careful, bri_step *out);

/* y(theta) - y0 from a step's polynomial. */
void bri_step_at(const bri_step *st, size_t n, const double *y0, double theta, double *y);

#endif
