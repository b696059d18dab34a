/* SPDX-License-Identifier: Apache-2.0
 * stamp.h - the vocabulary of a kernel header: tables of parameters and states, argument lists, flags.
 *
 * A kernel header (models/<m>/<m>.h) has no include guard and is included once per number type.  It defines
 *   BR_AXES              1, or 2 for biaxial models
 *   BR_NZ                numbers of state (largest case); modes, if any, stand last (BR_NMODE of them)
 *   BR_PARAMS(P, V, E)   P scalar, V vector, E choice; see below
 *   BR_DERIVED(D)        D(name): numbers computed once by prepare() from the parameters
 *   BR_STATES(S, SV)     S(name, unit, doc) and SV(name, unit, max, doc) for name1..nameN
 *   BR_RULES(R)          R(condition on p, parameter, "what must hold") beyond the single ranges
 *   BR_FLAGS             or-ed BR_MODEL_* flags of bristle/model.h
 *   BR_CLASS(p, c)       statements that fill the br_class c (Duhem class, rate dependence, continuity)
 * and the inline functions prepare, rate, force, step, energy.  Optional:
 *   BR_SPECIALS          number of frequent cases, the later the narrower; assume(p, k) sets what case k
 *                        fixes (same bits, less work)
 *   BR_WIDEST_SPECIAL    the case that is taken only where no other fits (default 0: none)
 *   BR_SPECIAL_LENGTH(k) numbers of each vector that case k reads (default 0)
 *   BR_SPECIAL_STATES(k), BR_SPECIAL_CARRY(k)   its states and carried numbers, where it fixes them
 *   BR_STAGES, BR_CARRY  stage(s, ..., c) instead of step(): the step in up to four stages which hand
 *                        BR_CARRY numbers on in c; a batch then runs stage by stage over all lanes
 *   BR_NOT_IN_STEP(X)    parameters that a step does not read, X(name) each: slopes by them need no steps
 *   BR_ROUNDS            stage 1 is run this often: a loop inside a loop over lanes is no vector code
 *   BR_MEMBER_PARAMS(X)  the step is share(), which gives BR_SHARED numbers, and then member() for each of
 *   BR_MEMBER_COUNT      elements with a state and a mode; the force is total() of the members' sum
 *   BR_AFFINE_STEP(p)    is the step affine in the (one) state?  Long paths are then walked in vector code
 *   BR_STAGE_RATE        c holds the rate at the end of the step after the last stage
 *   BR_ELEMENT_PARAMS(X) the model is a sum over elements; element() steps one and returns its force; it
 *   BR_ELEMENT_FILE      stands in this file, which uses only + - * / and BR_CLIP_ABS
 * The parameter block is a struct of BR_REAL only: seen from outside it is a flat array of numbers ("slots"),
 * the same in every number type. */
#ifndef BR_STAMP_H
#define BR_STAMP_H
#include "num.h"

/* Upper size of element vectors (maxwell_slip, gms); firmware may lower it for all files at once. */
#ifndef BR_MAX_ELEMENTS
#define BR_MAX_ELEMENTS 64
#endif
#define BR_MAX_TABLE 16 /* knots of a tabulated curve */
#define BR_MAX_ORDER 8  /* states of semilinear_duhem */

/* Bounds as they stand in a parameter row: value, open?. */
#define BR_ABOVE(x) (x), 1
#define BR_FROM(x) (x), 0
#define BR_UPTO(x) (x), 0
#define BR_BELOW(x) (x), 1
#define BR_NOLO (-__builtin_inf()), 1
#define BR_NOHI (__builtin_inf()), 1

/* P(name, unit, default, lower, upper, doc)             -> BR_REAL name
 * V(name, unit, (defaults), lower, upper, max, ndef, doc) -> BR_REAL name[max], n_name (number in use);
 *                                                          the first ndef of (defaults) are used
 * E(name, "first|second", default index, doc)           -> BR_REAL name (index of the choice) */
#define BR_FIELD_P(name, unit, def, lo, hi, doc) BR_REAL name;
#define BR_FIELD_V(name, unit, def, lo, hi, max, ndef, doc) \
  BR_REAL name[max];                                        \
  BR_REAL n_##name;
#define BR_FIELD_E(name, choices, def, doc) BR_REAL name;
#define BR_FIELD_D(name) BR_REAL name;
#define BR_PAR_FIELDS BR_PARAMS(BR_FIELD_P, BR_FIELD_V, BR_FIELD_E) BR_DERIVED(BR_FIELD_D)

/* Argument lists.  n: normal-load factor (1 = nominal); u, v: position m and velocity m/s per axis;
 * z: state; h: step s with v held; u is the position at the start of the step. */
#define BR_ARGS const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *v, const BR_REAL *z
#define BR_STEP_ARGS const BR_M(par) *p, BR_REAL n, const BR_REAL *u, const BR_REAL *v, BR_REAL h, BR_REAL *z
#define BR_UNUSED(x) ((void)(x))

#endif
