/* SPDX-License-Identifier: Apache-2.0
 * plant.h - the joined mechanism and contacts as the solvers see them.  Internal.
 *
 * y is the part of the state that obeys an ODE; the discrete rest (directions, stuck contacts, spring-slider
 * anchors) is the mode.  While the mode is fixed and no event function changes sign, the field is smooth. */
#ifndef BRI_PLANT_H
#define BRI_PLANT_H
#include "band.h"
#include "bristle/solve.h"

typedef enum {
  BRI_ODE,  /* model states are integrated */
  BRI_MAP,  /* spring-slider elements: between slip points their deflection is linear in the displacement */
  BRI_STICK /* true stick: the contact is held at v = 0 by a constraint force */
} bri_kind;

struct br_plant {
  const br_system *sys;
  const br_model *mod;
  double *spar, *mpar, *mpair; /* blocks; mpair: the model's as (re, im) pairs, NULL where it has no pairs */
  size_t stride;               /* from one contact's block to the next; 0: all share one */
  br_drive *drives;
  size_t nw, nq, nc, ax, nk; /* inputs, mechanism states, contacts, axes, contact velocities = nc * ax */
  size_t nz;                 /* model states per contact, modes included */
  size_t nmode;              /* of those, discrete ones (never integrated) */
  size_t ny, nx, z0;         /* ODE states, all states, index of the first model state */
  bri_kind kind;
  unsigned char
      *holds;   /* [nc] 1: this contact truly sticks, among others that do not; NULL: as `kind` says */
  int paths;    /* BRI_ODE, one state that saturates at a finite distance: y holds the displacement since the
               * last  anchor instead, the state follows from the model's exact step */
  int kinks;    /* BRI_ODE: the rates have kinks where a model state passes zero */
  int elements; /* BRI_ODE, one axis, one mode per state: elements that stick (z' = v) or slip */
  int jumps;    /* BRI_ODE, one axis: states stand still and jump where the position passes a limit */
  int free, uses_u, driven, linear;
  size_t nkink;   /* kinks of the mechanism itself */
  int moving;     /* spring-slider elements whose limits move with a driven load: integrated, see moving.c */
  double *bound;  /* moving: [nc*nz][2] largest and least deflection of an element at load 1 */
  br_plant *then; /* what the plant becomes at t_then; NULL: it stays */
  double t_then;  /* s */
  int carries;    /* no ODE state forgets its start, so that what a sum loses to rounding is kept for the next
                     step */
  double *load;   /* [nc] */
  br_drive *loads; /* [nc] what drives them; NULL: all are held */
  br_drive *along; /* [nc] factor on them by the position of the contact, which stands for t; NULL: none */
  double n_least;  /* a driven load below it counts as it: models of bristles divide by their level */
  double *A, *B;   /* d rate / d q [nq*nq], d rate / d F [nq*nk] */
  double *Cu, *Cv; /* d u / d q, d v / d q [nk*nq] */
  double *G;       /* Cv B [nk*nk]: what a force does to the accelerations */
  double *r0, *Ew; /* rates at rest without inputs [nq]; d rate / d (w, dw) [nq*2nw] */
  double *Vw;      /* d v / d (w, dw) [nk*2nw] */
  int section;     /* state whose zero turns make a return map: pure[0], or the block on a belt; -1: none */
  bri_band *band;  /* large plants: their Jacobian near its diagonal; NULL: dense */
  unsigned char *rubs; /* [ny] 1: the state is the velocity of a contact */
  int carried;         /* 1: inputs move what a contact rubs against: a belt */
  int small;           /* two states, one contact whose velocity is one of them: rates by these matrices */
  int *pure;           /* [nk] state that is the contact velocity itself, -1: none */
  double *vs_of;       /* [nc] m/s, velocity scale of a contact's Stribeck curve; 0: none */
  double vs;           /* the smallest of them */
  double v_least; /* m/s, > 0: least speed at which a true-stick model's kernel gives its sliding force */
  char **names;
  const char **units;
};

/* Discrete state of one contact velocity. */
typedef struct {
  double sign; /* direction of motion: +1 or -1 */
  int stuck;   /* 1: held by a constraint */
  int rest;    /* 1: its motion is given and stands still for a whole stretch of the inputs */
  int moved;   /* 1: its motion is given and has moved to the side of sign */
  double u0;   /* BRI_MAP: displacement where z0 is valid */
  double next; /* BRI_MAP: displacement from u0 to the next slip point, INFINITY when all slip; paths: to
                * saturation; jumps: from u0 to just behind the next one */
  double way;  /* paths: direction of the branch that starts at the anchor */
  int flips;   /* how often it was turned at rest where the present step starts */
} bri_contact;

typedef struct {
  bri_contact *c; /* [nk] */
  double *z0;     /* BRI_MAP: [nc*nz] deflections at u0; paths: states at the anchors */
  double *active; /* BRI_MAP: [nc*nz] 1 sticking, 0 slipping; paths: 0 saturated */
  double *side;   /* kinks: [nc*nz] sign of a state, 0: has been at zero so far; moving: limit that a slipping
                     element is at */
  double *stop;   /* [nkink] sign of each kink function of the mechanism */
} bri_mode;

/* Scratch of one evaluation; after bri_eval() it holds w, dw, u, v, F of that point. */
typedef struct {
  double t_end;   /* end of the smooth segment: inputs are evaluated at their left limit there */
  double *jump;   /* [2 nw] a jump of the inputs: values before it, changes */
  int stroke;     /* 1: the inputs travel the jump, from t = 0 to BRI_STROKE */
  double haste;   /* the stroke's speed is this times what its time asks for: 1, but for questions about its
                   limit */
  double *n, *dn; /* [nc] normal-load factors and their rates */
  double *base, *dbase,
      *place; /* along: [nc] the same without the factor by position; slope of n over position */
  double *w, *dw, *u, *v, *F, *z, *hold, *K;
  double *pu, *pv, *pz, *pdz, *pF, *dFdu, *dFdv, *dFdz, *dzdu, *dzdv, *dzdz;
  double *big; /* [3 ny] */
  int sided; /* 1: slopes of contacts are those of the mode's side, also where v is behind zero by rounding */
  size_t rhs, jacobians;
} bri_work;

/* alone.c: what stands in for a model where a mechanism has none. */
extern const br_model bri_alone;

static inline const double *bri_par(const br_plant *p, size_t contact)
{
  return p->mpar + contact * p->stride;
}

/* Does contact c hold at v = 0 by a constraint?  Does any? */
static inline int bri_holds(const br_plant *p, size_t c)
{
  return p->holds ? p->holds[c] : p->kind == BRI_STICK;
}
static inline int bri_any_holds(const br_plant *p) { return p->holds || p->kind == BRI_STICK; }

/* Does its force or rate depend on the contact's position? */
int bri_model_uses_position(const br_model *mod, const double *par);

/* A jump is the limit of a stroke of ever shorter time.  In this one, s, a Stribeck exponent of 0.02 still
 * sees its fast end, and squares of rates stay below overflow. */
#define BRI_STROKE 1e-140

void bri_inputs(const br_plant *p, bri_work *k, double t);
/* varied.c: the load of contact c where it stands, from bri_inputs() and its position. */
void bri_load_place(const br_plant *p, bri_work *k, size_t c);
/* Motion of the contacts at y, behind bri_inputs(), and their loads where these depend on it. */
static inline void bri_motion(const br_plant *p, bri_work *k, const double *y)
{
  if (p->band && p->band->pure && !p->along) {
    for (size_t j = 0; j < p->nk; j++) k->v[j] = y[p->pure[j]];
    return;
  }
  p->sys->motion(p->spar, k->w, k->dw, y, k->u, k->v);
  if (p->free)
    for (size_t j = 0; j < p->nk; j++) k->u[j] = y[p->nq + j];
  if (p->along)
    for (size_t c = 0; c < p->nc; c++) bri_load_place(p, k, c);
}
/* plant.c: contact positions become states where the mechanism has none, since something depends on them. */
BR_CHECKED br_status bri_plant_positions(br_plant *p, br_err *err);
/* dy/dt; leaves inputs, motion and forces of the point in k. */
void bri_eval(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *dy);
/* The same in the order and width of p->band. */
void bri_jac_band(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *J);
/* J = d(dy/dt)/dy, row major ny*ny. */
void bri_jac(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *J);

/* How the forces of contacts that are not held change along dy, at a fixed time; at v = 0 on the side of the
 * mode. */
void bri_force_along(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                     const double *dy, double *dF);

/* Force of the sliding true-stick contact c (one axis) at velocity v.  A stick band is a time-stepper's
 * crutch that located events do not need: inside it the law goes on along its tangent at the edge, down to v
 * = 0.  Across v = 0 it is continued constantly, so that a trial step may pass the reversal to be located. */
double bri_slide_force(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, double v);

/* Break-away level of the true-stick contact c that force F holds. */
static inline double bri_level(const br_plant *p, size_t c, double n, const double *u, int side)
{
  const br_model *m = p->mod;
  return m->breakaway_at ? m->breakaway_at(bri_par(p, c), n, u, side) : m->breakaway(bri_par(p, c), n);
}
static inline double bri_hold_level(const br_plant *p, const bri_work *k, size_t c, double F)
{
  return bri_level(p, c, k->n[c], k->u + c * p->ax, F < 0 ? -1 : 1);
}

/* State that is the displacement of contact velocity k itself, -1: none. */
int bri_plant_position(const br_plant *p, size_t k);

/* Event functions of the mode: [nk] velocities or stick margins; then [nk] slip-point distances for BRI_MAP
 * and jumps, or [nc*nmode] distances of sticking elements to their slip level for models with modes; or
 * [nc*nz] states on their side of a kink at zero, or elements within moving limits.  Positive inside the
 * mode. */
#define BRI_EVENT_KINK ((br_event_type)-1) /* happens, and is nobody's business */
/* The same states, contacts and events, so that the one's state is one of the other's? */
int bri_plant_alike(const br_plant *p, const br_plant *q);
size_t bri_nevent(const br_plant *p); /* behind them the kinks of the mechanism */
static inline size_t bri_first_kink(const br_plant *p) { return bri_nevent(p) - p->nkink; }
void bri_events(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *g,
                double *dy);

size_t bri_event_contact(const br_plant *p, size_t e); /* which contact velocity event e belongs to */

/* Velocity of contact c for questions about its side: never zero. */
double bri_sided(const br_plant *p, const bri_mode *m, size_t c, double v);
/* Mode for a state x at t, y from x. */
void bri_mode_start(const br_plant *p, bri_work *k, bri_mode *m, double t, const double *x, double *y,
                    double *dy);
/* Carry out event e at (t, y): change the mode.  *type says what happened; returns the new direction. */
int bri_mode_switch(const br_plant *p, bri_work *k, bri_mode *m, size_t e, double t, double *y, double *dy,
                    br_event_type *type);
/* Set the direction of contact velocity j and what depends on it. */
void bri_mode_direct(const br_plant *p, bri_work *k, bri_mode *m, size_t j, double u, double sign);
/* Kinks: states that have left zero have a side from then on. */
void bri_mode_sides(const br_plant *p, bri_mode *m, const double *y);
/* Models with modes: bring those of contact c in y up to date with its direction; u and v are in k.  Paths: a
 * new anchor. */
void bri_mode_update(const br_plant *p, bri_work *k, bri_mode *m, size_t c, double *y);
void bri_mode_copy(const br_plant *p, bri_mode *dst, const bri_mode *src);
/* path.c.  The model's state of contact c; its force and the rate of its displacement; d force / d
 * displacement and the like, into k as contact slopes (the force is that of the state alone); a new branch at
 * its present state. */
double bri_path_state(const br_plant *p, const bri_mode *m, size_t c, const double *y);
void bri_path_force(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y, double *ds);
void bri_path_slopes(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y);
void bri_path_anchor(const br_plant *p, bri_mode *m, size_t c, double *y);
/* dx/dt from dy/dt, zero for map states; paths: of the point where bri_eval() was last called. */
void bri_full_rate(const br_plant *p, bri_work *k, const bri_mode *m, const double *y, const double *dy,
                   double *dx);
/* x from y and mode. */
void bri_full(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *x);
/* Energy of the mechanism alone, J, at a point where bri_eval() was called. */
static inline double bri_stored_alone(const br_plant *p, const bri_work *k, const double *y)
{
  if (p->sys->stored) return p->sys->stored(p->spar, k->w, k->dw, y);
  return p->sys->energy ? p->sys->energy(p->spar, y) : 0;
}
/* Energy stored in mechanism and contacts, J, at a point where bri_eval() was called. */
double bri_stored(const br_plant *p, bri_work *k, const bri_mode *m, const double *y);
/* moving.c.  Rates of the elements of contact c, whose deflections as the mode has them go to k->z; slopes of
 * its force and rates, into k; distance of each to a change of its mode; that change; all of them at the
 * start of a stretch of the inputs, where their limits may have jumped. */
void bri_moving_rates(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y,
                      double *dz);
void bri_moving_slopes(const br_plant *p, bri_work *k, const bri_mode *m, size_t c);
void bri_moving_margins(const br_plant *p, const bri_work *k, const bri_mode *m, size_t c, const double *y,
                        double *g);
void bri_moving_switch(const br_plant *p, const bri_work *k, bri_mode *m, size_t i, double *y);
void bri_moving_settle(const br_plant *p, const bri_work *k, bri_mode *m, double *y);
/* Margin by which a stuck contact must be overloaded to be released, relative to its break-away level. */
#define BRI_RELEASE 1e-10
/* Most true-stick contacts that may hold at once. */
#define BRI_MAX_HELD 64
/* Value of an event function that has no event to offer (an element that slips already).  It says nothing
 * about the size of the function, to which zeros are located. */
#define BRI_NO_EVENT 1.0

BR_CHECKED br_status bri_work_create(const br_plant *p, bri_work *k);
void bri_work_destroy(bri_work *k);
BR_CHECKED br_status bri_mode_create(const br_plant *p, bri_mode *m);
void bri_mode_destroy(bri_mode *m);

#endif
