/* SPDX-License-Identifier: Apache-2.0
 * belt.h - cycles that stick, of two states and a contact that holds at rest.  Internal.
 *
 * Sticking leads along the line v = 0 to the point where the holding force reaches the break-away level.
 * Whatever sticks leaves from there, so a cycle that sticks is the orbit through that one point: it is found
 * without a search, and its multiplier is 0.  An orbit in a plane that does not come back to v = 0 on its
 * first turn never does: one turn decides. */
#ifndef BRI_PHASE_BELT_H
#define BRI_PHASE_BELT_H
#include "walk.h"

/* Does the contact of this plant hold at rest? */
int bri_belt_holds(const br_phase_plant *plant);
/* Is there a cycle that sticks at this value?  fam: as bri_family_open() gave it. */
int bri_belt_sticks(bri_family *fam, double value, double tol);
/* Branches of such cycles between a and b behind the *n of out (room for max), with the grazing where each
 * begins. */
BR_CHECKED br_status bri_belt_branches(const br_phase_plant *plant, br_vary_where where, int slot, double a,
                                       double b, const br_phase_branch_settings *set, size_t max,
                                       br_phase_branch **out, size_t *n, br_err *err);

#endif
