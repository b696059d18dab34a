/* SPDX-License-Identifier: Apache-2.0
 * branch.h - branches of cycles as functions sigma1(t) on a section, homoclinic orbits, folds. */
#ifndef BRI_PHASE_BRANCH_H
#define BRI_PHASE_BRANCH_H
#include "plane.h"

/* Which cycles: around one focus with a saddle beside it (UPPER: the focus is faster than the saddle, LOWER:
 * slower), around a focus without any saddle (LONE), around all three equilibria (LARGE passes above the
 * saddle, LARGE_BELOW below it where it comes near). */
typedef enum { BRI_UPPER, BRI_LOWER, BRI_LONE, BRI_LARGE, BRI_LARGE_BELOW } bri_kind;

enum { BRI_MOST_STEPS = 3000 };

/* A section base + t dir; t -> 0 is the saddle (LONE: the focus), t -> 1 the focus of UPPER and LOWER. */
/* How a cycle is closed.  HALVES: one half forward, the other backward, compared on the far side; good unless
 * one of them runs against a strong contraction.  FORWARD, BACKWARD: once round from the section, for
 * strongly stable and strongly unstable cycles. */
typedef enum { BRI_HALVES, BRI_FORWARD, BRI_BACKWARD, BRI_MODES } bri_mode;

/* A run to L and how far outward it arrives: sign (v - home). */
typedef struct {
  bri_course c;
  double home, sign;
} bri_leg;

typedef struct {
  bri_kind kind;
  bri_plane p;
  bri_sliding e;
  int focus, saddle; /* indices into e, -1: none */
  bri_point base, dir;
  double t_max;
  int most_tries;  /* iterations of a root */
  long most_steps; /* of a turn */
  bri_leg half[2]; /* forward and backward to the far side */
} bri_section;
int bri_section_of(const bri_plane *p, const bri_sliding *e, bri_kind kind, bri_section *s);

/* Both halves of the orbit through a point, and how far they miss each other on L. */
typedef struct {
  int steps;
  double gap;         /* m/s on L, > 0: inward (as for small sigma1) */
  double by_t, by_s1; /* derivatives; NaN where a half did not arrive */
  double blur;        /* what rounding along the orbit does to the sigma1 of gap = 0 */
  double I;           /* integral of the divergence once round: logarithm of the multiplier when gap = 0 */
  double period;
  double v_min, v_max, z_min, z_max;
} bri_closure;
void bri_closure_at(const bri_section *s, double t, double sigma1, bri_mode mode, const bri_watch *watch,
                    bri_closure *c);

/* A point on the manifold of equilibrium `saddle` along lambda, toward smaller (along = 1) or larger (-1) z.
 * */
bri_point bri_manifold_start(const bri_plane *p, const bri_sliding *e, int saddle, double lambda,
                             double along);
/* Manifolds of the saddle instead of the orbit through a point: gap of the connection at t = 0, and what
 * rounding along them does to the sigma1 at which it vanishes (NaN where they do not arrive). */
void bri_connection(const bri_section *s, double sigma1, double *gap, double *blur);

/* sigma1 of the closed orbit through t; NaN when there is none below `most`.  guess <= 0: none.  *mode: the
 * mode to try first, on return the one that worked.  c->I is NaN where sigma1 is known and the orbit is not
 * (canards). */
double bri_branch_sigma1(const bri_section *s, double t, double guess, double most, bri_mode *mode,
                         bri_closure *c);
/* sigma1 of the homoclinic orbit between lo and hi (0: from the least possible; infinite: up to `most`). */
double bri_homoclinic_sigma1(const bri_section *s, double lo, double hi, double guess, double most,
                             double *error);
/* A branch followed from end to end. */
enum { BRI_KNOTS = 64, BRI_FOLDS = 6 };
typedef struct {
  double t, sigma1, I; /* I: logarithm of the multiplier */
  bri_mode mode;       /* that closed it */
  double error;        /* of sigma1: rounding, NaN where it is not known */
} bri_knot;
typedef struct {
  double t, sigma1, error;
  double distance; /* sigma1 of the homoclinic end minus that of the fold where they are close, else NaN */
} bri_fold;
typedef struct {
  bri_section s;
  int n, nfold;
  int followed;             /* 1: from end to end (as far as wanted); 0: numerically out of reach somewhere */
  bri_knot knot[BRI_KNOTS]; /* by ascending t; ends of the branch included where sigma1 has a limit there */
  bri_fold fold[BRI_FOLDS];
  double homoclinic, saddle_quantity; /* sigma1 and 1/s; NaN: no homoclinic end */
  double homoclinic_error;
  bri_hopf hopf; /* NaN members for the large branches */
} bri_branch;

/* Effort: FINE samples the branches densely, COARSE less so; NAME follows the branch that names the case
 * alone and gives up early where the motion is stiff, leaving the rest to the parity rule; NAME_CLOSELY does
 * not give up. */
/* LOOPS: homoclinic orbits alone.  HOPF_ALONE: equilibria and Hopf points alone, no branch and no name. */
typedef enum { BRI_FINE, BRI_COARSE, BRI_NAME, BRI_NAME_CLOSELY, BRI_LOOPS, BRI_HOPF_ALONE } bri_effort;

/* Everything along sigma1 at fixed other parameters. */
typedef struct {
  bri_plane p;
  bri_sliding e;
  bri_hopf hopf[3];
  int n;
  bri_branch b[3];
  char name[48]; /* the case */
} bri_line;
/* up_to: the largest sigma1 of interest; branches are followed somewhat further. */
void bri_line_of(const bri_plane *p, double up_to, bri_effort effort, bri_line *line);
/* Name of the case seen from branch i. */
void bri_case_name(const bri_line *line, int i, size_t size, char *name);
int bri_least_folds(const bri_branch *b); /* that its ends demand */

#endif
