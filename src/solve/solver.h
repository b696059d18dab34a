/* SPDX-License-Identifier: Apache-2.0
 * solver.h - the solver object, shared by its files.  Internal. */
#ifndef BRI_SOLVER_H
#define BRI_SOLVER_H
#include "plant.h"
#include "radau.h"
#include "rodas.h"

typedef struct bri_cvode bri_cvode;
typedef struct bri_tangent bri_tangent; /* tangent.h */
/* What goes along with the steps: derivatives of the motion (tangent.c). */
typedef struct {
  void (*start)(br_solver *s);
  void (*step)(br_solver *s, double h);     /* behind accept(), before anybody looks at the step */
  void (*extremes)(br_solver *s, double h); /* behind bri_observe_step() */
  double (*before)(br_solver *s, size_t e); /* event e is about to happen; derivative of its time */
  void (*after)(br_solver *s);              /* it has happened */
  void (*turns)(br_solver *s, int done);    /* before and behind a turn at rest, which takes no time */
  void (*tell)(br_solver *s, double tau);   /* of the event that is reported next */
} bri_along;

/* An event that is still to be reported. */
typedef struct {
  double t; /* s */
  br_event_type type;
  size_t index;
  int direction;
  double tau; /* derivative of t by the parameter of a tangent */
} bri_happened;

struct br_solver {
  const br_plant *p, *first; /* now; at the start */
  br_solve_settings set;
  int stages; /* of Radau; 0: Rodas */
  bri_work k;
  bri_radau radau;
  bri_rodas rodas;
  bri_cvode *cvode;
  bri_mode mode, mode0; /* now; at the start of the last step */
  double t, t0;         /* end and start of the last step */
  double *y, *y0, *f, *f0;
  double h, h_try; /* next size; size of the last try */
  double t_seg;    /* end of the present smooth segment of the inputs */
  bri_step last, trial;
  double h_last;            /* size of the step in `last`; 0: none, no polynomial to continue */
  double *tol, *top;        /* tolerance and largest size of each ODE state */
  double *recent;           /* size of each ODE state lately */
  double *carry, *carry_of; /* what the last sum of each state lost to rounding, and that sum */
  double r_int;             /* internal relative tolerance */
  double newton;            /* Newton tolerance as part of the error tolerance */
  double err_old, h_acc;    /* for the predictive controller */
  int rejected_last, flips, idle;

  size_t ne;      /* event functions: of the mode, then the user's */
  double *g0, *g; /* at the start; at the points of the trial [stages][ne] */
  double *gsign, *gtol, *gtop;
  double *hit, *when; /* events at the end of a step and their times */
  bri_happened *happened;
  double t_jump; /* time of the jump whose stroke is travelled */

  double t_out; /* last time handed out */
  double *y_out, *f_out, *x;
  bri_mode mode_out;
  int stop; /* a callback asked to stop */

  double quad[3]; /* work in, friction, damper loss: at the end of the last step */
  double quad_out[3], step_quad[3];
  int forces_kept;              /* obs[] has the contact forces of the trial: bri_work_error() */
  double flow[3], step_flow[3]; /* integrals of the powers' sizes: what their errors are relative to */
  double stored0, mech0;        /* stored at the start: in all, in the mechanism */
  double *lo, *hi;              /* [nx + nk] */
  double *obs;                  /* [stages + 1][nx + nk] */
  double *place;        /* [2][nx + nk] where in the last step lo and hi were found, 0 to 1; -1: not in it */
  bri_tangent *tangent; /* derivatives that go along, and how; NULL: none */
  const bri_along *along;
  double *tmp; /* 4 (ny + nx + nk) */
  br_solve_stats stats;
};

/* events.c */
void bri_node_events(br_solver *s);
/* Earliest crossing of the trial: its place theta, *e which; 2 when there is none.  *graze: first minimum of
 * an event function that comes within BRI_GRAZE of its size to zero, which the polynomial cannot judge; else
 * 2. */
#define BRI_GRAZE 1e-2
double bri_first_crossing(br_solver *s, size_t *e, double *graze);
/* Is the contact of event e, at zero at the start of the trial, behind it only on the side that was not
 * assumed?  Not so when it first goes to the assumed side, further than zero is known, and comes back. */
int bri_leaves_otherwise(const br_solver *s, size_t e);
double bri_node_slope(const br_solver *s, size_t e); /* d g / d theta at the end of the trial */
/* Place of event e, which the trial ends at, inside it: 0 to 1. */
double bri_event_place(br_solver *s, size_t e);
void bri_event_values(br_solver *s, double t, const double *y, double *g);
void bri_event_tolerances(br_solver *s);
void bri_event_rounding(br_solver *s); /* behind a try: none below what it could know */

/* observe.c */
void bri_observe_start(br_solver *s);
/* Powers at the point bri_eval() was last called for: by the inputs, into the contacts, into dampers, W. */
void bri_power_flows(br_solver *s, const double *y, double *out);
/* Work over a step of size h from (t0, y0) in mode0: by the inputs, into the contacts, into dampers. */
void bri_step_work(br_solver *s, const bri_step *st, double t0, const double *y0, double h, double *out);
/* Error of the work that the trial of size h would add, over its tolerance: the method's own estimate for the
 * powers as rates of further states, relative to what has flowed so far.  Leaves the work in step_quad. */
double bri_work_error(br_solver *s, double h);
void bri_observe_step(br_solver *s,
                      double h); /* last = accepted step from (t0, y0), before the mode changes */
/* Polynomial through (0, a[0]) and (theta_i, a[(i+1)*stride]) at x. */
double bri_node_poly(const bri_step *st, const double *a, size_t stride, double x);

/* step.c */
br_status bri_step_once(br_solver *s, double t_stop, br_err *err);
int bri_try(br_solver *s, double t, const double *y, const double *f, const bri_mode *m, double h,
            const bri_guess *guess, int careful, bri_step *out);
br_status bri_trouble(br_solver *s, br_status code, const char *what, double t, const double *y, br_err *err);
int bri_report(br_solver *s, double t, br_event_type type, size_t index, int direction);

/* varied.c: BR_E_RANGE where a load was negative in the last step, up to a time. */
br_status bri_load_lost(const br_solver *s, double until, br_err *err);

/* segment.c: begin the next smooth stretch of the inputs, behind a jump of a given motion where there is one.
 * Returns BR_OK, BR_INTERRUPTED (a callback stopped it), BR_E_UNSUPPORTED (no force bounds the jump). */
br_status bri_segment(br_solver *s, br_err *err);
/* Travel the jump at the corner k.t_end where s->t has got to, if there is one. */
/* Does the given motion jump at the corner that has been reached, and is it behind the jump at t? */
int bri_jumped(br_solver *s, double t);
br_status bri_jump(br_solver *s, br_err *err);
/* drive.c: is the drive a signal that knows of a jump at its corner t?  Then its values on both sides. */
int bri_drive_sides(const br_drive *d, double t, double *before, double *behind);
int bri_drive_is_signal(const br_drive *d);
double bri_next_corner(const br_plant *p, double t); /* of any input, > t */

/* fixed.c, cvode.c */
br_status bri_fixed_advance(br_solver *s, double t, br_err *err);
BR_CHECKED br_status bri_cvode_create(br_solver *s, br_err *err);
void bri_cvode_destroy(br_solver *s);
br_status bri_cvode_start(br_solver *s, br_err *err);
br_status bri_cvode_advance(br_solver *s, double t, br_err *err);

#endif
