/* SPDX-License-Identifier: Apache-2.0
 * stamp.h - the vocabulary of a mechanism's kernel header; the number layer and table rows are
 * core/stamp.h's.
 *
 * A mechanism header (systems/<s>/<s>.h) has no include guard and is included once per number type.  It
 * defines
 *   BR_TITLE, BR_AXES, BR_SYSTEM_FLAGS   one line, 1 or 2, or-ed BR_SYSTEM_* of bristle/system.h
 *   BR_NQ, BR_NW, BR_NCONTACT            numbers of states, inputs, contacts (largest case)
 *   BR_PARAMS, BR_DERIVED, BR_RULES      as in a model
 *   BR_INPUTS(I)                         I(name, unit, value when not given, doc)
 *   BR_STATES(S, SV), BR_SHOWN(S, SV)    states; reported quantities that are not states
 *   BR_LIMITS(L)                         optional: L(name, least, text), what is shown should not fall below
 * and the inline functions prepare, motion, rate, energy, power; optional macros: BR_COUNT(p) and
 * BR_CONTACTS(p) (numbers in use), BR_LOAD(p, j) (normal-load factor), and with BR_HAS_LOSS or BR_HAS_SHOW
 * the functions loss, show. */
#ifndef BRI_SYSTEM_STAMP_H
#define BRI_SYSTEM_STAMP_H
#include "../core/stamp.h"

#define BR_MAX_MASSES 16 /* masses of a chain */

/* w, dw: inputs and their rates; q: states; F, u, v: contact forces, positions, velocities. */
#define BR_MOTION_ARGS \
  const BR_M(par) *p, const BR_REAL *w, const BR_REAL *dw, const BR_REAL *q, BR_REAL *u, BR_REAL *v
#define BR_RATE_ARGS \
  const BR_M(par) *p, const BR_REAL *w, const BR_REAL *dw, const BR_REAL *q, const BR_REAL *F, BR_REAL *dq
#define BR_POWER_ARGS \
  const BR_M(par) *p, const BR_REAL *w, const BR_REAL *dw, const BR_REAL *q, const BR_REAL *F

#endif
