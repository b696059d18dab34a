/* SPDX-License-Identifier: Apache-2.0
 * phase_job.h - what the files of bristle phase share. */
#ifndef BRI_CLI_PHASE_JOB_H
#define BRI_CLI_PHASE_JOB_H
#include "bristle/param.h"
#include "bristle/phase.h"
#include "cli.h"

enum {
  PHASE_O_SYSTEM, PHASE_O_MODEL, PHASE_O_SET, PHASE_O_VARY, PHASE_O_VARY2, PHASE_O_AT, PHASE_O_PORTRAIT,
  PHASE_O_DIAGRAM, PHASE_O_MAP, PHASE_O_HOPF, PHASE_O_STRIBECK, PHASE_O_GRID, PHASE_O_THREADS, PHASE_O_JSON,
  PHASE_O_QUIET, PHASE_OPTIONS
};
enum { PHASE_MOST_AT = 64 };

typedef struct {
  char name[32];
  double a, b;
} phase_range;

typedef struct {
  const cli_call *call;
  const br_model *model;
  br_params *params;
  br_phase_problem problem;
  br_phase *phase;
  phase_range vary, vary2; /* vary2.name is empty when not given */
  double at[PHASE_MOST_AT];
  size_t nat, neq, ncycle;
  br_equilibrium eq[PHASE_MOST_AT * BR_PHASE_MOST_EQUILIBRIA];
  double eq_at[PHASE_MOST_AT * BR_PHASE_MOST_EQUILIBRIA];
  br_phase_cycle cycle[PHASE_MOST_AT * BR_PHASE_MOST_CYCLES];
} phase_job;

const opt_value *phase_option(const phase_job *b, int k);
/* Draw what was asked for; an exit code. */
int phase_pictures(phase_job *b);
int phase_draw_map(const phase_job *b, const char *file);
int phase_draw_hopf(const phase_job *b, const char *file);
int phase_draw_stribeck(const phase_job *b, const char *file);

#endif
