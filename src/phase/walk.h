/* SPDX-License-Identifier: Apache-2.0
 * walk.h - following a branch of cycles.  Internal. */
#ifndef BRI_PHASE_WALK_H
#define BRI_PHASE_WALK_H
#include "ring.h"

enum { BRI_WALK_EVENTS = 64, BRI_WALK_WANTED = 64 };

struct br_phase_branch {
  br_phase_row *row;
  size_t n, room;
  br_phase_event event[BRI_WALK_EVENTS];
  size_t nevent;
  br_phase_end end[2];
};

/* What a walk along the branch carries. */
typedef struct {
  bri_ring_work w;
  bri_ring *now, *next, *spare;
  br_phase_branch_settings set;
  double a, b, shortest;
  double fold, doubling; /* test functions of the first row */
  br_phase_branch *out;
} bri_walk;

/* The ring as a row; also its test functions, and its extent as the size of its states. */
br_phase_row bri_walk_measure(bri_walk *k, bri_ring *r, double *fold, double *doubling);
void bri_walk_add(bri_walk *k, const br_phase_row *y);
/* Units of steps at a ring. */
void bri_walk_rescale(bri_walk *k, const bri_ring *r);
/* Same point on a mesh of even quality where the present one is poor or wasteful; 1: lost. */
int bri_walk_tidy(bri_walk *k, bri_ring **r);
/* Walk on from k->now, whose row is in the table, until something ends it. */
br_phase_end bri_walk_follow(bri_walk *k);

#endif
