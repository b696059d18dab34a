/* SPDX-License-Identifier: Apache-2.0
 * lanes.h - what the per-instruction-set files export, and the parts of a run.  Internal. */
#ifndef BRI_LANES_H
#define BRI_LANES_H
#include "../../core/lane.h"
#include "bristle/ensemble.h"
#include "set.h"

/* The set of the instructions in use (br_isa_name()), in f64 or f32; the lane of a model in it, NULL where
 * there is none. */
const bri_lane_set *bri_lane_set_now(int single);
const bri_lane *bri_lane_of(const bri_lane_set *set, const br_model *mod);

/* The mechanism as a lane sees it: which of its states are q and v (q -1: there is none). */
typedef struct {
  int q, v;
  int seat; /* q is the contact's position */
  int vs;   /* slot of the model's speed scale, -1: it has none */
  int free; /* elements of a mechanism that does not hold the position: it stands behind the mechanism's
               states */
  size_t nq;
} bri_lane_frame;
/* Fits the pair into a lane?  Fills frame; NULL, or why not.  spar, mpar: prepared. */
const char *bri_lane_fits(const br_system *sys, const double *spar, const br_model *mod, const double *mpar,
                          bri_lane_frame *frame);

/* Put member m into lane i.  BR_OK, or why it cannot be run.  spar, mpar: what bri_lane_params() made for
 * some member. */
br_status bri_lane_fill(const br_ensemble *e, const bri_lane *lane, const bri_lane_frame *frame, size_t nx,
                        int extremes, size_t m, double *spar, double *mpar, br_lane_block *b, size_t i);
/* Model states of a member: elements stand outside of the lane, `lane` has one state for all of them. */
size_t bri_lane_nz(const br_ensemble *e, const bri_lane *lane);
/* Elements of a description into a block: how many, their springs and limits (in e->mpar); store has
 * [count][stride]. */
void bri_lane_set_elements(const br_ensemble *e, const bri_lane *lane, double *store, size_t stride,
                           br_lane_block *b);
/* Parameters of member m, checked and prepared.  again: spar and mpar are those of another member, so that
 * only what varies is made anew. */
br_status bri_lane_params(const br_ensemble *e, size_t m, int again, double *spar, double *mpar);

#endif
