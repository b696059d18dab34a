/* SPDX-License-Identifier: Apache-2.0
 * tangent.h - derivatives of a motion by a parameter, step by step along with it.  Internal.
 *
 * The solver's own steps are differentiated: with the states at the points of a step known, the variational
 * equations are linear there, and one linear system per step gives the derivative of its end.  At events the
 * derivative jumps by the difference of the fields times the derivative of the event's time (saltation). */
#ifndef BRI_SOLVE_TANGENT_H
#define BRI_SOLVE_TANGENT_H
#include "solver.h"

/* Plants beside the one that moves: the parameter is step, step/2, step/4 above (even) and below (odd) its
 * value. */
enum { BRI_SIDES = 6, BRI_TANGENT_STATES = 32, BRI_TANGENT_USERS = 64 }; /* the last two: at most */

/* Column 0 is the derivative by the parameter; the others, columns - 1 of them, are along the states at the
 * start.  Returns BR_OK; BR_E_UNSUPPORTED (err says why); BR_E_NOMEM.  The plants must outlive it. */
BR_CHECKED br_status bri_tangent_create(const br_plant *p, const br_plant *const *side, double step,
                                        size_t columns, bri_tangent **out, br_err *err);
/* Derivative from the values of something on the plants beside, `stride` apart. */
double bri_tangent_extrapolate(const double *at, size_t stride, double step);
void bri_tangent_destroy(bri_tangent *t); /* NULL is fine */

/* Attach it to a solver that is about to start from states whose derivatives are dx[columns][nx] (NULL:
 * zero). */
void bri_tangent_attach(bri_tangent *t, br_solver *s, const double *dx);

/* ---- what is known at the end of the last step ---- */
int bri_tangent_failed(const bri_tangent *t); /* an event whose time has no derivative */
/* Derivative of time of the event that is being reported, s. */
double bri_tangent_when(const bri_tangent *t);
/* Derivatives of all states along a column, at fixed time. */
void bri_tangent_state(const bri_tangent *t, br_solver *s, size_t column, double *dx);
/* By the parameter: of the contact forces, of what the mechanism shows, of energies, of extremes. */
void bri_tangent_force(bri_tangent *t, br_solver *s, double *dF);
void bri_tangent_shown(bri_tangent *t, br_solver *s, double *out);
br_energy bri_tangent_energy(bri_tangent *t, br_solver *s);
void bri_tangent_range(bri_tangent *t, const br_solver *s, double *lo, double *hi);
/* The end of the motion moves in time, by dT per unit of the parameter. */
void bri_tangent_end(bri_tangent *t, br_solver *s, double dT);
/* Powers at the end of the last step: by the inputs, into the contacts, into dampers, W. */
void bri_tangent_powers(br_solver *s, double *out);

#endif
