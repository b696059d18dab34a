/* SPDX-License-Identifier: Apache-2.0
 * phase_job.h - what the files of bristle phase share. */
#ifndef BRI_CLI_PHASE_JOB_H
#define BRI_CLI_PHASE_JOB_H
#include "bristle/param.h"
#include "bristle/phase.h"
#include "cli.h"
#include "plant.h"

enum {
  PHASE_O_SYSTEM,
  PHASE_O_MODEL,
  PHASE_O_SET,
  PHASE_O_VARY,
  PHASE_O_VARY2,
  PHASE_O_AT,
  PHASE_O_PORTRAIT,
  PHASE_O_DIAGRAM,
  PHASE_O_MAP,
  PHASE_O_HOPF,
  PHASE_O_STRIBECK,
  PHASE_O_LAG,
  PHASE_O_GRID,
  PHASE_O_THREADS,
  PHASE_O_JSON,
  PHASE_O_QUIET,
  PHASE_OPTIONS
};
enum {
  PHASE_MOST_AT = 64,
  PHASE_MOST_ENDS = 16,
  PHASE_MOST_EVENTS = 128,
  PHASE_MOST_BRANCHES = 8,
  PHASE_MOST_NOTES = 12
};

typedef struct {
  char name[32];
  double a, b;
} phase_range;

typedef struct {
  const cli_call *call;
  plant_job plant;
  br_lag lag;
  int has_lag;
  const br_model *model;
  br_phase_problem problem;
  br_phase *phase; /* NULL for a mechanism other than driven_block */
  const br_phase_event *event;
  size_t nevent;
  const char *name; /* of the case, NULL: none */
  /* a mechanism other than driven_block, or another model: */
  br_phase_event found[PHASE_MOST_EVENTS];
  char note[PHASE_MOST_NOTES][240];
  size_t nnote;
  br_phase_steady steady[PHASE_MOST_AT * BR_PHASE_MOST_EQUILIBRIA];
  double end[PHASE_MOST_ENDS]; /* where the cycle reached from rest ends */
  size_t nend;
  br_phase_branch *branch[PHASE_MOST_BRANCHES];
  size_t nbranch;
  double bistable[PHASE_MOST_ENDS][2]; /* sliding and oscillation both stable */
  size_t nbistable;
  phase_range vary, vary2; /* vary2.name is empty when not given */
  double at[PHASE_MOST_AT];
  size_t nat, neq, ncycle;
  br_equilibrium eq[PHASE_MOST_AT * BR_PHASE_MOST_EQUILIBRIA];
  double eq_at[PHASE_MOST_AT * BR_PHASE_MOST_EQUILIBRIA];
  br_phase_cycle cycle[PHASE_MOST_AT * BR_PHASE_MOST_CYCLES];
  br_phase_search search[PHASE_MOST_AT]; /* driven_block with plain lugre: nat of them */
} phase_job;

const opt_value *phase_option(const phase_job *b, int k);
/* Note i of what a reader of the events should know; NULL past the last. */
const char *phase_note(const phase_job *b, size_t i);
/* Any other mechanism with two or three states: equilibria, Hopf points, branches of cycles. */
int phase_general(phase_job *b);
/* Draw what was asked for; an exit code. */
/* What can be refused before anything is computed; behind it the pictures themselves. */
int phase_pictures_check(const phase_job *b);
int phase_pictures(phase_job *b);

#endif
