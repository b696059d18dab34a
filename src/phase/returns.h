/* SPDX-License-Identifier: Apache-2.0
 * returns.h - the first return of orbits to a section, and all closed orbits at one sigma1.  Internal.
 *
 * Every cycle crosses its section once: UPPER and LOWER the chord of L between saddle and focus, LONE and
 * LARGE the ray above focus or saddle at constant z, LARGE_BELOW the one below (docs/phase.md).  Places on it
 * have a coordinate x between -infinity (the focus of LONE, the saddle of the others) and infinity (the focus
 * of UPPER and LOWER, large velocities of the others); orbits cannot cross, so the return is a growing
 * function of x. */
#ifndef BRI_PHASE_RETURNS_H
#define BRI_PHASE_RETURNS_H
#include "branch.h"
#include "units.h"

typedef struct {
  bri_fate fate; /* HIT; INSIDE, OUTSIDE: never comes back, on that side of all cycles; LOST: too long */
  double x;      /* of the return; infinite where there is none */
  double slope;  /* its derivative by the start, NaN where there is none */
  double I;      /* integral of the divergence, of the orbit's own direction of time */
  double M;      /* wedge of the flow with the shift of the orbit per unit sigma1, at its end */
  double wedge;  /* and with what rounding may have done to it */
  double noise;  /* that in units of x, NaN where there is no return */
  bri_point end; /* where it returns */
  double time;   /* s, > 0 */
  double v_min, v_max, z_min, z_max;
  long steps;
} bri_return;

/* No cycle has a larger velocity, m/s. */
double bri_fastest(const bri_plane *p);
/* Where cycles of a section can lie: x between. */
void bri_return_range(const bri_section *s, double sigma1, double *lo, double *hi);
bri_point bri_return_place(const bri_section *s, double x);
/* The coordinate of a section's place t. */
double bri_return_coordinate(const bri_section *s, double t);
/* dir +1: the next return, -1: the one before; watch: NULL, or with extremes. */
void bri_return_run(const bri_section *s, double sigma1, double x, int dir, const bri_watch *watch,
                    bri_return *r);

/* A closed orbit. */
typedef struct {
  double x;
  int dir; /* direction of time in which it attracts */
  bri_return r;
} bri_closed;
/* The closed orbit that attracts in direction dir with its largest velocity near v; *error: of that velocity,
 * of the orbit's size.  0: none is found from there. */
int bri_crest_place(const bri_plane *p, double v, int dir, double *error, bri_return *out);

/* All cycles of a block, of every kind, in units of its own. */
enum { BRI_CYCLES = 12 };
typedef struct {
  bri_units u; /* in which sections and cycles are given */
  int sections, n, complete;
  double v_max; /* no cycle is faster */
  bri_section s[3];
  int of[BRI_CYCLES]; /* section of each cycle */
  bri_closed c[BRI_CYCLES];
} bri_cycles;
void bri_cycles_of(const bri_plane *p, bri_cycles *all);

#endif
