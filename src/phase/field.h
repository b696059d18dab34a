/* SPDX-License-Identifier: Apache-2.0
 * field.h - a mechanism with one contact as a small autonomous system of ODEs, with derivatives.  Internal.
 *
 * Nothing is known of the equations but the faces of mechanism and model; derivatives are complex steps of
 * the model and differences of the mechanism, which is affine (BR_SYSTEM_LINEAR). */
#ifndef BRI_PHASE_FIELD_H
#define BRI_PHASE_FIELD_H
#include "bristle/phase.h"

enum { BRI_FIELD_MOST = BR_PHASE_MOST_STATES, BRI_FIELD_SLOTS = 2048, BRI_FIELD_INPUTS = 8 };

/* The plant at one value of the varied number, with everything a Jacobian needs. */
typedef struct {
  br_phase_plant p;
  size_t nq, nz, n; /* states of the mechanism, of the model, both */
  double spar[BRI_FIELD_SLOTS], mpar[BRI_FIELD_SLOTS], pair[2 * BRI_FIELD_SLOTS], w[BRI_FIELD_INPUTS];
  /* affine mechanism: v = v0 + vq q, dq = r0 + rq q + rf F */
  double v0, vq[BRI_FIELD_MOST], r0[BRI_FIELD_MOST], rq[BRI_FIELD_MOST][BRI_FIELD_MOST], rf[BRI_FIELD_MOST];
  /* a contact that holds at rest (true stick) is looked at from one side, +1 or -1: there the law is that of
   * sliding this way, beyond v = 0 its tangent, so that orbits which touch v = 0 are regular; 0: the field is
   * continuous */
  double side;
} bri_field;

/* Copies the blocks of p.  Returns BR_OK, BR_E_ARG, BR_E_UNSUPPORTED (says what is covered). */
br_status bri_field_open(const br_phase_plant *p, bri_field *b, br_err *err);
/* Set slot `slot` of the block `where` (slot < 0: nothing changes) and prepare. */
void bri_field_set(bri_field *b, br_vary_where where, int slot, double x);

/* The contact velocity that sliding starts from: that of the mechanism at rest (a belt), else the largest
 * input (a pull or a push, which says at least which way it goes). */
double bri_field_drive(const bri_field *b);
/* Contact velocity, m/s; rates; their Jacobian, row major. */
double bri_field_velocity(const bri_field *b, const double *x);
void bri_field_rates(const bri_field *b, const double *x, double *dx);
void bri_field_jacobian(const bri_field *b, const double *x, double *J);

/* Sliding equilibria by Newton's method: from the states in x; from states that move at `speed` (NaN: with
 * the largest input); all that are reached from many speeds, at most `most`, by ascending contact speed.  0:
 * none. */
int bri_field_newton(const bri_field *b, double *x);
int bri_field_steady(const bri_field *b, double speed, double *x);
size_t bri_field_steadies(const bri_field *b, size_t most, double (*x)[BRI_FIELD_MOST]);

#endif
