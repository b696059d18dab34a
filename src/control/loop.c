/* SPDX-License-Identifier: Apache-2.0
 * loop.c - the continuous closed loop as one mechanism for the solver.
 *
 * States: mechanism, bristles, contact position, controller, and two integrals (e^2, u^2).  The solver's own
 * contact model is a mirror: contact 0 moves with the real contact, so its reversals are located, and its
 * "force" is the control; contact 1 never reverses and shows e.  Neither force acts back; their extremes are
 * what is measured. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/solve.h"
#include "controller.h"
#include "run.h"

enum { MOST = BR_CONTROL_MAX_Q + BR_CONTROL_MAX_Z + 1 + BR_CONTROL_MAX_X + 2 };

typedef struct {
  const br_control_case *job;
  const br_controller *c;
  br_control_result *out;
  size_t nq, nz, ix, nx, n; /* first controller state, their number, all states */
  double band, z_scale, z_size;
  double rest, settle; /* final reference; distance to it that counts as settled */
  int side;
  br_state rows[MOST];
  char names[MOST][32];
} loop;

typedef struct {
  double e, u, raw, F; /* raw: before the limit */
} point;

/* The block of a mechanism holds numbers; this one holds the address of its loop. */
typedef struct {
  const loop *at;
} loop_ref;

static const loop *loop_of(const void *par)
{
  loop_ref ref;
  memcpy(&ref, par, sizeof ref);
  return ref.at;
}

/* Everything at one point; dq may be NULL. */
static void evaluate(const loop *L, const double *w, const double *dw, const double *q, point *p, double *dq)
{
  const br_control_case *j = L->job;
  const double *z = q + L->nq, *x = q + L->ix, none = 0;
  double dz[BR_CONTROL_MAX_Z], zm[BR_CONTROL_MAX_Z], free_rate[BR_CONTROL_MAX_Q], pos = 0, v = 0;
  j->sys->motion(j->spar, &none, &none, q, &pos, &v);
  if (j->sys->flags & BR_SYSTEM_FREE) pos = q[L->nq + L->nz];
  const double load = j->sys->load ? j->sys->load(j->spar, 0) : 1;
  p->F = 0;
  j->mod->rate(j->mpar, load, &pos, &v, z, dz);
  j->mod->force(j->mpar, load, &pos, &v, z, dz, &p->F);
  j->sys->rate(j->spar, &none, &none, q, &p->F, free_rate);
  for (size_t i = 0; i < L->nz; i++) zm[i] = L->z_scale * z[i];
  const br_control_ref ref = {w[0], dw[0], w[1]};
  const br_control_meas meas = {q, zm, free_rate[L->c->iv], L->side};
  p->e = w[0] - q[L->c->iy];
  p->raw = br_control_output(L->c, &ref, &meas, x);
  p->u = fmax(-L->c->set.limit, fmin(L->c->set.limit, p->raw));
  if (!dq) return;
  j->sys->rate(j->spar, &p->u, &none, q, &p->F, dq);
  memcpy(dq + L->nq, dz, L->nz * sizeof *dz);
  dq[L->nq + L->nz] = v;
  br_control_rate(L->c, &ref, &meas, p->raw, x, dq + L->ix);
  dq[L->n - 2] = p->e * p->e;
  dq[L->n - 1] = p->u * p->u;
}

static void rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                 double *dq)
{
  point p;
  (void)F;
  evaluate(loop_of(par), w, dw, q, &p, dq);
}

static void motion(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  const loop *L = loop_of(par);
  point p;
  evaluate(L, w, dw, q, &p, NULL);
  u[0] = p.u, v[0] = q[L->c->iv];
  u[1] = p.e, v[1] = 1;
}

/* Size of a state for its difference step. */
static double size_of(const loop *L, size_t i, double value)
{
  const int bristle = (i >= L->nq && i < L->nq + L->nz) || (i >= L->ix && i < L->ix + L->nz);
  return fmax(fabs(value), bristle ? L->z_size : 1e-2);
}

static void slopes(const void *par, const double *w, const double *dw, const double *q, const double *F,
                   double *A)
{
  const loop *L = loop_of(par);
  const size_t n = L->n;
  double at[MOST], up[MOST], down[MOST];
  point p;
  (void)F;
  memcpy(at, q, n * sizeof *at);
  for (size_t j = 0; j < n; j++) {
    if (j >= n - 2) { /* nothing depends on the two integrals */
      for (size_t i = 0; i < n; i++) A[i * n + j] = 0;
      continue;
    }
    const double h = 1e-6 * size_of(L, j, q[j]);
    double mid = q[j];
    if (j == L->c->iv && fabs(mid) <= 2 * h)
      mid = (mid < 0 || (mid < h && L->side < 0) ? -2 : 2) * h; /* one side */
    at[j] = mid + h;
    evaluate(L, w, dw, at, &p, up);
    at[j] = mid - h;
    evaluate(L, w, dw, at, &p, down);
    at[j] = q[j];
    for (size_t i = 0; i < n; i++) A[i * n + j] = (up[i] - down[i]) / (2 * h);
  }
}

static size_t nstate(const void *par) { return loop_of(par)->n; }
static size_t two(const void *par)
{
  (void)par;
  return 2;
}
static size_t none(const void *par)
{
  (void)par;
  return 0;
}

/* ---- the mirror: a contact whose force is its position ---- */

static void mirror_rate(const void *par, double n, const double *u, const double *v, const double *z,
                        double *dz)
{
  (void)par, (void)n, (void)u, (void)v, (void)z, (void)dz;
}

static void mirror_force(const void *par, double n, const double *u, const double *v, const double *z,
                         const double *dz, double *F)
{
  (void)par, (void)n, (void)v, (void)z, (void)dz;
  F[0] = u[0];
}

static void mirror_class(const void *par, br_class *cl)
{
  (void)par;
  cl->duhem = BR_DUHEM_NONE, cl->rate_dependent = 1, cl->continuity = BR_CONTINUOUS;
}

/* The one parameter tells the solver how fine the friction curve is: its steps must not jump over the
 * Stribeck hump. */
static const br_param MIRROR_ROW[1] = {{.name = "vs", .unit = "m/s", .doc = "velocity scale", .max_len = 1}};

/* ---- running ---- */

static void ref_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const br_signal *r = ((const loop *)ctx)->job->reference;
  *w = br_signal_value(r, t);
  *dw = br_signal_rate(r, t, side);
}

static void bend_eval(const void *ctx, double t, int side, double *w, double *dw)
{
  *w = br_signal_curvature(((const loop *)ctx)->job->reference, t, side);
  *dw = 0;
}

/* The end counts as a corner: steps that ran past it would be seen by the extremes. */
static double corner(const void *ctx, double t)
{
  const br_control_case *j = ((const loop *)ctx)->job;
  const double next = br_signal_next_corner(j->reference, t);
  return t < j->t_end ? fmin(next, j->t_end) : next;
}

static void inputs(const loop *L, double t, double *w, double *dw)
{
  ref_eval(L, t, 1, &w[0], &dw[0]);
  bend_eval(L, t, 1, &w[1], &dw[1]);
}

/* Entering and leaving the band around the final reference: continuous whatever r did before. */
static void user(void *ctx, double t, const double *x, double *g)
{
  const loop *L = (const loop *)ctx;
  (void)t;
  g[0] = L->settle > 0 ? fabs(L->rest - x[L->c->iy]) / L->settle - 1 : 1;
}

static int on_event(void *ctx, const br_event *ev)
{
  loop *L = (loop *)ctx;
  if (ev->type == BR_EVENT_REVERSAL && ev->index == 0) {
    L->side = ev->direction;
    L->out->reversals++;
  }
  if (ev->type == BR_EVENT_USER && ev->index == 0) L->out->settling_time = ev->direction < 0 ? ev->t : NAN;
  return 0;
}

static int on_step(void *ctx, double t)
{
  const loop *L = (const loop *)ctx;
  return L->job->on_step ? L->job->on_step(L->job->ctx, t) : 0;
}

static void name_state(loop *L, size_t i, const char *name, size_t number)
{
  if (number) (void)snprintf(L->names[i], sizeof L->names[i], "%s%zu", name, number);
  else (void)snprintf(L->names[i], sizeof L->names[i], "%s", name);
  L->rows[i].name = L->names[i];
  L->rows[i].unit = "";
  L->rows[i].doc = "";
  L->rows[i].max_len = 1;
}

static br_status build(loop *L, const br_control_case *job, const br_controller *c, br_control_result *out,
                       br_err *err)
{
  const br_model *m = job->mod;
  br_class cl;
  memset(L, 0, sizeof *L);
  m->classify(job->mpar, &cl);
  const int stops = (m->flags & BR_MODEL_ELEMENTS) && (m->flags & BR_MODEL_EXACT_STEP) && !cl.rate_dependent;
  if ((m->flags & BR_MODEL_TRUE_STICK) || stops || m->nmode(job->mpar) > 0)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1,
                         "model %s sticks or switches by itself: run it in a sampled loop (--sample 1ms)",
                         m->name);
  L->job = job, L->c = c, L->out = out;
  L->nq = c->nq, L->nz = c->nz;
  L->ix = c->nq + c->nz + 1;
  L->nx = br_control_nstate(c);
  L->n = L->ix + L->nx + 2;
  L->z_scale = job->z_scale != 0 ? job->z_scale : 1;
  for (size_t i = 0; i < c->nq; i++) name_state(L, i, job->sys->states[i].name, 0);
  for (size_t i = 0; i < c->nz; i++) {
    name_state(L, c->nq + i, "bristle", i + 1);
    name_state(L, L->ix + i, "estimate", i + 1);
  }
  name_state(L, L->ix - 1, "contact", 0);
  name_state(L, L->ix + c->nz, "integral", 0);
  name_state(L, L->ix + c->nz + 1, "filtered", 0);
  name_state(L, L->ix + c->nz + 2, "level", 0);
  name_state(L, L->n - 2, "int_e2", 0);
  name_state(L, L->n - 1, "int_u2", 0);
  /* size of the bristles' deflection: where a long slow slide takes them */
  double z[BR_CONTROL_MAX_Z] = {0}, pos = 0, v = 1e-3;
  m->step(job->mpar, 1, &pos, &v, 1e6, z);
  for (size_t i = 0; i < c->nz; i++)
    if (isfinite(z[i])) L->z_size = fmax(L->z_size, fabs(z[i]));
  if (!(L->z_size > 0)) L->z_size = 1e-6;
  if (bri_rests(job)) L->rest = br_signal_value(job->reference, job->t_end), L->settle = 0.02 * fabs(L->rest);
  return BR_OK;
}

/* First direction of motion: of the velocity, else of the acceleration, else of the reference. */
static void first_side(loop *L, const double *x)
{
  double w[2], dw[2], dq[MOST];
  point p;
  const double v = x[L->c->iv];
  inputs(L, 0, w, dw);
  L->side = 1;
  evaluate(L, w, dw, x, &p, dq);
  const double a = dq[L->c->iv], way = v != 0 ? v : a != 0 ? a : p.e != 0 ? p.e : dw[0];
  L->side = way < 0 ? -1 : 1;
  if (L->settle > 0 && fabs(L->rest - x[L->c->iy]) <= L->settle) L->out->settling_time = 0;
}

static br_status advance(loop *L, br_solver *s, bri_series *series, br_err *err)
{
  const br_control_case *j = L->job;
  const double from = bri_window_from(j), to = bri_window_to(j);
  double x[MOST], t = 0, start = 0, w[2], dw[2];
  size_t row = 0;
  br_status st = BR_OK;
  for (;;) {
    br_solver_state(s, x);
    inputs(L, t, w, dw);
    point p;
    evaluate(L, w, dw, x, &p, NULL);
    if (t == from) start = x[L->n - 2];
    if (t == to) L->out->error_rms = sqrt(fmax(0, (x[L->n - 2] - start) / (to - from)));
    if (t == bri_series_next(series)) series->y[series->used++] = x[L->c->iy];
    if (j->output_dt > 0 && j->on_row && (t == (double)row * j->output_dt || t == j->t_end)) {
      const br_control_row r = {t, w[0], x[L->c->iy], p.u, p.F};
      if (j->on_row(j->ctx, &r)) return BR_INTERRUPTED;
      row++;
    }
    L->out->error_end = p.e;
    L->out->t_stop = t;
    if (t >= j->t_end) break;
    double next = fmin(j->t_end, fmin(t < from ? from : INFINITY, t < to ? to : INFINITY));
    next = fmin(next, bri_series_next(series));
    if (j->output_dt > 0 && j->on_row) next = fmin(next, (double)row * j->output_dt);
    st = br_solver_advance(s, next, NULL, err);
    if (st) return st;
    t = next;
  }
  L->out->rms_control = sqrt(x[L->n - 1] / j->t_end);
  return BR_OK;
}

br_status bri_run_continuous(const br_control_case *job, br_controller *c, bri_series *series,
                             br_control_result *out, br_err *err)
{
  loop L;
  br_status st = build(&L, job, c, out, err);
  if (st) return st;
  static const br_system_input INPUTS[2] = {{"r", "", "reference", 0},
                                            {"ddr", "", "its second derivative", 0}};
  const br_system sys = {.name = job->sys->name,
                         .title = "closed loop",
                         .axes = 1,
                         .slots = 1,
                         .inputs = INPUTS,
                         .ninput = 2,
                         .states = L.rows,
                         .nrows = L.n,
                         .nq = L.n,
                         .max_contact = 2,
                         .nstate = nstate,
                         .ncontact = two,
                         .motion = motion,
                         .rate = rate,
                         .slopes = slopes};
  const br_model mirror = {.name = "mirror",
                           .title = "",
                           .axes = 1,
                           .params = MIRROR_ROW,
                           .nparam = 1,
                           .slots = 1,
                           .nstate = none,
                           .nmode = none,
                           .classify = mirror_class,
                           .rate = mirror_rate,
                           .force = mirror_force};
  const br_param *vs = br_model_param(job->mod, "vs");
  const double mpar[1] = {vs && vs->max_len == 1 ? job->mpar[vs->slot] : 0};
  const br_drive drives[2] = {{0, ref_eval, corner, 0, &L}, {0, bend_eval, corner, 0, &L}};
  const loop_ref self = {&L};
  double spar[1] = {0}, x[MOST] = {0}, lo[MOST + 2], hi[MOST + 2];
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  memcpy(spar, &self, sizeof self);
  if (job->q0) memcpy(x, job->q0, L.nq * sizeof *x);
  if (job->z0) memcpy(x + L.nq, job->z0, L.nz * sizeof *x);
  L.side = 1;
  br_solve_settings set = br_solve_settings_default();
  if (job->rtol > 0) set.rtol = job->rtol;
  set.extremes = 1;
  set.nuser = 1, set.user = user, set.on_event = on_event, set.on_step = on_step, set.ctx = &L;
  first_side(&L, x);
  st = br_plant_create(&sys, spar, &mirror, mpar, drives, &plant, err);
  if (!st) st = br_solver_create(plant, &set, &solver, err);
  if (!st) st = br_solver_start(solver, 0, x, err);
  if (!st) st = advance(&L, solver, series, err);
  if (!st) {
    br_solver_extremes(solver, lo, hi);
    out->peak_control = fmax(fabs(lo[L.n]), fabs(hi[L.n]));
    out->error_max = fmax(fabs(lo[L.n + 1]), fabs(hi[L.n + 1]));
    out->steps = br_solver_stats(solver).steps;
    if (!(L.settle > 0) || !(fabs(out->error_end) <= L.settle)) out->settling_time = NAN;
    if (!isnan(out->settling_time)) out->settling_time = fmax(0, out->settling_time - bri_rest_begins(job));
  }
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return st;
}

_Static_assert(sizeof(const loop *) <= sizeof(double), "an address fits into one number of a block");
