/* SPDX-License-Identifier: Apache-2.0
 * cycles.h - search for cycles that create energy; shared by cycles.c and admissible.c. */
#ifndef BRI_LOOP_CYCLES_H
#define BRI_LOOP_CYCLES_H
#include "bristle/classify.h"

typedef struct {
  const br_model *m;
  const double *par;
  double U; /* m, natural amplitude */
  br_energy_report *report;
  int gains;      /* 1: a cycle with negative work was found, and found again a little changed */
  int reversible; /* 1: no small loop takes or gives more than rounding, and on a large one the force goes
                   * back the way it came */
  const br_stop *stop;
  int no_memory; /* 1: a search had to end for want of memory */
} bri_cycles;

void bri_cycles_loops(bri_cycles *s);     /* between +-amplitude, slowly and at constant speeds */
void bri_cycles_speeds(bri_cycles *s);    /* one direction, two speeds in turn: how LuGre is active */
void bri_cycles_schedules(bri_cycles *s); /* there and back, each way at two speeds: how gms is active */

#endif
