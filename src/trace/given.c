/* SPDX-License-Identifier: Apache-2.0
 * given.c - a given motion of one or two axes as a mechanism, so that the solver moves the model's states:
 * implicit steps for stiff bristles, located slip points, and the full order at every output time. */
#include "../signal/samples.h"
#include "given.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "bristle/solve.h"

/* What drives one axis. */
typedef struct {
  const bri_given *of;
  const br_signal *signal;
} axis;

/* Loads go on across a jump of the motion. */
static void eval_load(const void *ctx, double t, int side, double *w, double *dw)
{
  *w = br_signal_value(ctx, t);
  *dw = br_signal_rate(ctx, t, side);
}

static double load_corner(const void *ctx, double t) { return br_signal_next_corner(ctx, t); }

struct bri_given {
  br_system system;
  br_plant *plant;
  br_solver *solver;
  axis axes[BR_TRACE_AXES];
  double wall; /* s; INFINITY: none ahead */
  size_t steps, rejected;
  double work; /* J of the runs before this one */
};

static const br_system_input INPUTS[] = {{"u", "m", "position", 0}, {"uy", "m", "position", 0}};

static size_t no_state(const void *par) { return (void)par, 0; }
static size_t one_contact(const void *par) { return (void)par, 1; }
static double load_of(const void *par, size_t contact) { return (void)contact, *(const double *)par; }

static void motion_1(const void *par, const double *w, const double *dw, const double *q, double *u,
                     double *v)
{
  (void)par, (void)q;
  u[0] = w[0];
  v[0] = dw[0];
}

static void motion_2(const void *par, const double *w, const double *dw, const double *q, double *u,
                     double *v)
{
  motion_1(par, w, dw, q, u, v);
  motion_1(par, w + 1, dw + 1, q, u + 1, v + 1);
}

static void no_rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                    double *dq)
{
  (void)par, (void)w, (void)dw, (void)q, (void)F, (void)dq;
}

static br_system given_motion(int axes)
{
  const br_system s = {.name = "given motion",
                       .title = "given motion",
                       .flags = BR_SYSTEM_LINEAR | BR_SYSTEM_GIVEN,
                       .axes = axes,
                       .slots = 1,
                       .inputs = INPUTS,
                       .ninput = (size_t)axes,
                       .max_contact = 1,
                       .nstate = no_state,
                       .ncontact = one_contact,
                       .load = load_of,
                       .motion = axes == 1 ? motion_1 : motion_2,
                       .rate = no_rate};
  return s;
}

/* A jump is known to some roundings of its time: so far from it u is surely that of one side. */
static double beside(double t) { return 8 * DBL_EPSILON * fabs(t) + DBL_MIN; }

static void eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const axis *a = ctx;
  const double last = a->of->wall - beside(a->of->wall);
  if (t >= last) {
    t = last;
    side = -1;
  }
  *w = br_signal_value(a->signal, t);
  *dw = br_signal_rate(a->signal, t, side);
}

static double next_corner(const void *ctx, double t)
{
  return br_signal_next_corner(((const axis *)ctx)->signal, t);
}

static br_status one(const bri_given *g, const br_model *m, const void *par, double n, const br_drive *drives,
                     const br_trace_options *o, br_plant **out, br_err *err)
{
  br_status st = br_plant_create(&g->system, &n, m, par, drives, out, err);
  const br_drive load = {0, eval_load, load_corner, 0, o->load_signal};
  if (!st && o->load_signal)
    st = bri_signal_is_along(o->load_signal) ? br_plant_load_along(*out, 0, &load, err)
                                             : br_plant_load(*out, 0, &load, err);
  if (st) br_plant_destroy(*out), *out = NULL;
  return st;
}

br_status bri_given_create(const br_model *m, const void *par, const br_signal *const *inputs,
                           const br_trace_options *o, bri_given **out, br_err *err)
{
  br_drive drives[BR_TRACE_AXES];
  br_plant *then = NULL;
  br_solve_settings set = br_solve_settings_default();
  bri_given *g = bri_calloc(1, sizeof *g);
  *out = NULL;
  if (!g) return BR_E_NOMEM;
  memset(drives, 0, sizeof drives);
  g->system = given_motion(m->axes);
  g->wall = INFINITY;
  for (int a = 0; a < m->axes; a++) {
    g->axes[a] = (axis){g, inputs[a]};
    drives[a] = (br_drive){0, eval, next_corner, 0, &g->axes[a]};
  }
  set.rtol = o->rtol;
  set.untimed = 1;
  set.energy = o->work;
  set.on_step = o->on_step;
  set.ctx = o->ctx;
  br_status st = one(g, m, par, o->load, drives, o, &g->plant, err);
  for (size_t i = o->nswitch; i-- > 0 && !st;) { /* the last first: each becomes the next */
    br_plant *made = NULL;
    st = one(g, m, o->switches[i].par, o->switches[i].load, drives, o, &made, err);
    if (!st && then) st = br_plant_switch(made, o->switches[i + 1].t, then, err);
    else if (st) br_plant_destroy(then);
    then = st ? NULL : made;
    if (st) br_plant_destroy(made);
  }
  if (!st && then) st = br_plant_switch(g->plant, o->switches[0].t, then, err);
  if (!st) st = br_solver_create(g->plant, &set, &g->solver, err);
  if (st) bri_given_destroy(g);
  else *out = g;
  return st;
}

void bri_given_destroy(bri_given *g)
{
  if (!g) return;
  br_solver_destroy(g->solver);
  br_plant_destroy(g->plant);
  bri_free(g);
}

static void book(bri_given *g)
{
  const br_solve_stats s = br_solver_stats(g->solver);
  g->steps += s.steps;
  g->rejected += s.rejected;
  g->work += br_solver_energy(g->solver).friction;
}

double bri_given_work(const bri_given *g) { return g->work + br_solver_energy(g->solver).friction; }

br_status bri_given_start(bri_given *g, double t, double wall, int behind_jump, const double *z, br_err *err)
{
  book(g); /* the solver starts its statistics anew */
  g->wall = wall;
  return br_solver_start(g->solver, behind_jump ? t + beside(t) : t, z, err);
}

void bri_given_wall(bri_given *g, double wall) { g->wall = wall; }

br_status bri_given_advance(bri_given *g, double t, double *z, br_err *err)
{
  return br_solver_advance(g->solver, t, z, err);
}

void bri_given_count(const bri_given *g, size_t *steps, size_t *rejected)
{
  const br_solve_stats s = br_solver_stats(g->solver);
  *steps = g->steps + s.steps;
  *rejected = g->rejected + s.rejected;
}
