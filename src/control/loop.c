/* SPDX-License-Identifier: Apache-2.0
 * loop.c - the continuous closed loop as one mechanism for the solver.
 *
 * States: mechanism, bristles, contact position, controller, and two integrals (e^2, u^2).  To the solver it
 * is an ODE with two outputs (br_plant_create_alone()): the control beside the contact's velocity, whose
 * reversals are located, and the error, whose "velocity" never turns.  Their extremes are what is measured.
 * */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "loop.h"
#include "../solve/varied.h"

typedef bri_loop_point point;

/* The block of a mechanism holds numbers; this one holds the address of its loop. */
typedef struct {
  const bri_loop *at;
} loop_ref;

static const bri_loop *loop_of(const void *par)
{
  loop_ref ref;
  memcpy(&ref, par, sizeof ref);
  return ref.at;
}

/* The estimate's bound takes no push outwards, while the bristles pull inwards: between the two it can only
 * stay (a sliding mode; the convex mean of both rates is 0).  So there are two modes, free and held. */
static void at_bound(const bri_loop *L, double e, const double *x, double *dx)
{
  const double push = L->c->set.injection * e;
  if (!L->bounded) return;
  if (fabs(x[0]) >= L->c->z_bound && push * x[0] > 0) dx[0] += push; /* br_control_rate() went by the place */
  if (L->held) dx[0] = 0;
}

/* Factor on the load by position. */
static double place(const br_drive *along, double pos)
{
  double h = along->value, slope = 0;
  if (along->eval) along->eval(along->ctx, pos, 1, &h, &slope);
  return h;
}

/* Everything at one point; dq may be NULL. */
static void evaluate(const bri_loop *L, const double *w, const double *dw, const double *q, point *p,
                     double *dq)
{
  const br_control_case *j = L->job;
  bri_stage at = {0, j->spar, j->mpar, NULL, {0}, {.value = 1}, 0};
  const double *z = q + L->nq, *x = q + L->ix, none = 0;
  double dz[BR_CONTROL_MAX_Z], zm[BR_CONTROL_MAX_Z], free_rate[BR_CONTROL_MAX_Q], pos = 0, v = 0;
  if (j->varies) (void)bri_plant_stage(j->varies, (size_t)w[BRI_LOOP_STAGE], &at);
  j->sys->motion(at.spar, &none, &none, q, &pos, &v);
  if (j->sys->flags & BR_SYSTEM_FREE) pos = q[L->nq + L->nz];
  const double load = j->varies      ? fmax(at.least, w[BRI_LOOP_LOAD] * place(&at.along, pos))
                      : j->sys->load ? j->sys->load(j->spar, 0)
                                     : 1;
  p->F = 0;
  j->mod->rate(at.mpar, load, &pos, &v, z, dz);
  j->mod->force(at.mpar, load, &pos, &v, z, dz, &p->F);
  j->sys->rate(at.spar, &none, &none, q, &p->F, free_rate);
  for (size_t i = 0; i < L->nz; i++) zm[i] = L->z_scale * z[i];
  const br_control_ref ref = {w[0], dw[0], w[1]};
  const br_control_meas meas = {q, zm, free_rate[L->c->iv], L->side};
  p->e = w[0] - q[L->c->iy];
  p->raw = br_control_output(L->c, &ref, &meas, x);
  p->u = fmax(-L->c->set.limit, fmin(L->c->set.limit, p->raw));
  if (!dq) return;
  j->sys->rate(at.spar, &p->u, &none, q, &p->F, dq);
  memcpy(dq + L->nq, dz, L->nz * sizeof *dz);
  dq[L->nq + L->nz] = v;
  br_control_rate(L->c, &ref, &meas, p->raw, x, dq + L->ix);
  at_bound(L, p->e, x, dq + L->ix);
  dq[L->n - 2] = p->e * p->e;
  dq[L->n - 1] = p->u * p->u;
}

/* All states from those of the solver. */
static const double *whole(const bri_loop *L, const double *q, double *full)
{
  if (!L->nkeep) return q;
  memcpy(full, L->frozen, L->n * sizeof *full);
  for (size_t i = 0; i < L->nkeep; i++) full[L->keep[i]] = q[i];
  return full;
}

static void rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                 double *dq)
{
  const bri_loop *L = loop_of(par);
  double full[BRI_LOOP_MAX], all[BRI_LOOP_MAX];
  point p;
  (void)F;
  evaluate(L, w, dw, whole(L, q, full), &p, L->nkeep ? all : dq);
  for (size_t i = 0; i < L->nkeep; i++) dq[i] = all[L->keep[i]];
}

static void motion(const void *par, const double *w, const double *dw, const double *q, double *u, double *v)
{
  const bri_loop *L = loop_of(par);
  double full[BRI_LOOP_MAX];
  point p;
  q = whole(L, q, full);
  evaluate(L, w, dw, q, &p, NULL);
  u[0] = p.u, v[0] = q[L->c->iv];
  u[1] = p.e, v[1] = 1;
}

/* Size of a state for its difference step. */
static double size_of(const bri_loop *L, size_t i, double value)
{
  const int bristle = (i >= L->nq && i < L->nq + L->nz) || (i >= L->ix && i < L->ix + L->nz);
  return fmax(fabs(value), bristle ? L->z_size : 1e-2);
}

/* By central differences; near v = 0 on the side the motion goes to. */
static void slopes(const void *par, const double *w, const double *dw, const double *q, const double *F,
                   double *A)
{
  const bri_loop *L = loop_of(par);
  const size_t n = L->nkeep ? L->nkeep : L->n;
  double at[BRI_LOOP_MAX], up[BRI_LOOP_MAX], down[BRI_LOOP_MAX];
  point p;
  (void)F;
  memcpy(at, whole(L, q, up), L->n * sizeof *at);
  for (size_t c = 0; c < n; c++) {
    const size_t j = L->nkeep ? L->keep[c] : c;
    if (j >= L->n - 2) { /* nothing depends on the two integrals */
      for (size_t i = 0; i < n; i++) A[i * n + c] = 0;
      continue;
    }
    const double here = at[j], h = 1e-6 * size_of(L, j, here);
    double mid = here;
    if (j == L->c->iv && fabs(mid) <= 2 * h)
      mid = (mid < 0 || (mid < h && L->side < 0) ? -2 : 2) * h; /* one side */
    at[j] = mid + h;
    evaluate(L, w, dw, at, &p, up);
    at[j] = mid - h;
    evaluate(L, w, dw, at, &p, down);
    at[j] = here;
    for (size_t i = 0; i < n; i++) {
      const size_t k = L->nkeep ? L->keep[i] : i;
      A[i * n + c] = (up[k] - down[k]) / (2 * h);
    }
  }
}

static size_t nstate(const void *par)
{
  const bri_loop *L = loop_of(par);
  return L->nkeep ? L->nkeep : L->n;
}
static size_t two(const void *par)
{
  (void)par;
  return 2;
}
/* How fine the friction curve is: steps must not jump over its hump. */
static double scale(const void *par, size_t contact)
{
  (void)contact;
  return loop_of(par)->vs;
}

/* ---- running ---- */

bri_loop_point bri_loop_at(const bri_loop *L, double t, const double *x, double *dx)
{
  double w[BRI_LOOP_INPUTS], dw[BRI_LOOP_INPUTS];
  point p;
  bri_loop_inputs(L, t, w, dw);
  evaluate(L, w, dw, x, &p, dx);
  return p;
}

/* Rate of the estimate were it free, outwards. */
static double outward(const bri_loop *L, double t, const double *x)
{
  bri_loop at = *L;
  double w[BRI_LOOP_INPUTS], dw[BRI_LOOP_INPUTS], dq[BRI_LOOP_MAX];
  point p;
  at.held = 0;
  bri_loop_inputs(L, t, w, dw);
  evaluate(&at, w, dw, x, &p, dq);
  return L->held * dq[L->ix];
}

/* Entering and leaving the band around the final reference: continuous whatever r did before; running away;
 * the estimate reaches its bound, or leaves it (positive while it is free). */
static void user(void *ctx, double t, const double *x, double *g)
{
  const bri_loop *L = (const bri_loop *)ctx;
  g[2] = !L->bounded ? 1 : L->held ? -outward(L, t, x) : L->c->z_bound - fabs(x[L->ix]);
  const double r = br_signal_value(L->job->reference, t), y = x[L->c->iy];
  g[0] = L->settle > 0 ? fabs(L->rest - y) / L->settle - 1 : 1;
  if (L->job->varies) g[3] = 1e-9 + bri_loop_load(L, t);
  g[1] = 1e3 * (1 + fabs(r)) - fabs(r - y); /* an error a thousand times beyond r has run away */
}

static int on_event(void *ctx, const br_event *ev)
{
  bri_loop *L = (bri_loop *)ctx;
  if (ev->type == BR_EVENT_REVERSAL && ev->index == 0) {
    L->side = ev->direction;
    L->out->reversals++;
  }
  if (ev->type == BR_EVENT_USER && ev->index == 1 && ev->direction < 0) {
    L->t_lost = ev->t;
    return 1;
  }
  if (ev->type == BR_EVENT_USER && ev->index == 3) return L->t_pull = ev->t, 1;
  if (ev->type == BR_EVENT_USER && ev->index == 2)
    L->held = ev->direction > 0 ? 0 : ev->x[L->ix] > 0 ? 1 : -1;
  if (ev->type == BR_EVENT_USER && ev->index == 0) L->out->settling_time = ev->direction < 0 ? ev->t : NAN;
  return 0;
}

static int on_step(void *ctx, double t)
{
  const bri_loop *L = (const bri_loop *)ctx;
  return L->job->on_step ? L->job->on_step(L->job->ctx, t) : 0;
}

static void name_state(bri_loop *L, size_t i, const char *name, size_t number)
{
  if (number) (void)snprintf(L->names[i], sizeof L->names[i], "%s%zu", name, number);
  else (void)snprintf(L->names[i], sizeof L->names[i], "%s", name);
  L->rows[i].name = L->names[i];
  L->rows[i].unit = "";
  L->rows[i].doc = "";
  L->rows[i].max_len = 1;
}

/* What the solver sees of the loop. */
static void face(bri_loop *L)
{
  static const br_system_input ROWS[BRI_LOOP_INPUTS] = {
      {"r", "", "reference", 0},
      {"ddr", "", "its second derivative", 0},
      {"N", "1", "normal-load factor", 1},
      {"stage", "1", "number of the parameters in force", 0}};
  const br_system sys = {.name = L->job->sys->name,
                         .title = "closed loop",
                         .axes = 1,
                         .slots = 1,
                         .inputs = ROWS,
                         .ninput = L->job->varies ? BRI_LOOP_INPUTS : BRI_LOOP_LOAD,
                         .states = L->rows,
                         .nrows = L->n,
                         .nq = L->n,
                         .max_contact = 2,
                         .nstate = nstate,
                         .ncontact = two,
                         .motion = motion,
                         .rate = rate,
                         .slopes = slopes,
                         .scale = scale};
  const br_param *vs = br_model_param(L->job->mod, "vs");
  const loop_ref self = {L};
  L->sys = sys;
  L->vs = vs && vs->max_len == 1 ? fabs(L->job->mpar[vs->slot]) : 0;
  memcpy(L->spar, &self, sizeof self);
}

br_status bri_loop_build(bri_loop *L, const br_control_case *job, const br_controller *c,
                         br_control_result *out, br_err *err)
{
  const br_model *m = job->mod;
  br_class cl = {BR_DUHEM_NONE, 1, BR_DISCONTINUOUS};
  memset(L, 0, sizeof *L);
  if (m->classify) m->classify(job->mpar, &cl);
  const int stops = (m->flags & BR_MODEL_ELEMENTS) && (m->flags & BR_MODEL_EXACT_STEP) && !cl.rate_dependent;
  if ((m->flags & (BR_MODEL_TRUE_STICK | BR_MODEL_JUMPS)) || stops || m->nmode(job->mpar) > 0)
    return bri_fail(err, BR_E_UNSUPPORTED,
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
  name_state(L, L->ix + c->nz + 3, "way", 0);
  name_state(L, L->n - 2, "int_e2", 0);
  name_state(L, L->n - 1, "int_u2", 0);
  /* size of the bristles' deflection: where a long slow slide takes them */
  double z[BR_CONTROL_MAX_Z] = {0}, pos = 0, v = 1e-3;
  m->step(job->mpar, 1, &pos, &v, 1e6, z);
  for (size_t i = 0; i < c->nz; i++)
    if (isfinite(z[i])) L->z_size = fmax(L->z_size, fabs(z[i]));
  if (!(L->z_size > 0)) L->z_size = 1e-6;
  L->rest_from = out->rest_from = bri_rest_from(job);
  if (!isnan(L->rest_from))
    L->rest = br_signal_value(job->reference, job->t_end), L->settle = 0.02 * fabs(L->rest);
  L->t_lost = L->t_pull = NAN;
  L->side = 1;
  L->bounded =
      bri_law(c->set.kind, BR_DOES_PUSHES) && c->nz > 0 && c->set.injection > 0 && !c->set.true_bristle;
  face(L);
  return BR_OK;
}

void bri_loop_reduce(bri_loop *L, const double *from, const double *to)
{
  L->nkeep = 0;
  memcpy(L->frozen, to, L->n * sizeof *to);
  for (size_t i = 0; i < L->n - 2; i++) {
    if (i == L->nq + L->nz || i == L->ix + L->nz + 3) { /* a contact position of its own would drift */
      L->frozen[i] = 0;
      continue;
    }
    if (i >= L->nq + L->nz && from[i] == to[i]) continue;
    L->keep[L->nkeep] = i;
    L->rows[L->nkeep] = L->rows[i]; /* nkeep <= i: names move down */
    L->nkeep++;
  }
  L->sys.nrows = L->sys.nq = L->nkeep;
  L->side = 0; /* by the sign of v */
  if (!L->held) L->bounded = 0;
}

/* First direction of motion: of the velocity, else of the acceleration, else of the reference. */
static void first_side(bri_loop *L, const double *x)
{
  double w[BRI_LOOP_INPUTS], dw[BRI_LOOP_INPUTS], dq[BRI_LOOP_MAX];
  point p;
  const double v = x[L->c->iv];
  bri_loop_inputs(L, 0, w, dw);
  L->side = 1;
  evaluate(L, w, dw, x, &p, dq);
  const double a = dq[L->c->iv], way = v != 0 ? v : a != 0 ? a : p.e != 0 ? p.e : dw[0];
  L->side = way < 0 ? -1 : 1;
  if (L->settle > 0 && fabs(L->rest - x[L->c->iy]) <= L->settle) L->out->settling_time = 0;
}

static br_status advance(bri_loop *L, br_solver *s, br_err *err)
{
  const br_control_case *j = L->job;
  const double from = bri_window_from(j), to = bri_window_to(j);
  double x[BRI_LOOP_MAX], t = 0, start = 0, resting = 0, w[BRI_LOOP_INPUTS], dw[BRI_LOOP_INPUTS];
  size_t row = 0;
  br_status st = BR_OK;
  for (;;) {
    br_solver_state(s, x);
    bri_loop_inputs(L, t, w, dw);
    point p;
    evaluate(L, w, dw, x, &p, NULL);
    if (t == L->rest_from) { /* extremes and integral from here on */
      resting = x[L->n - 2];
      if (t > 0) {
        br_solver_extremes(s, L->lo, L->hi);
        L->steps = br_solver_stats(s).steps;
        st = br_solver_start(s, t, x, err);
        if (st) return st;
      }
    }
    if (t == from) start = x[L->n - 2];
    if (t == to) L->out->error_rms = sqrt(fmax(0, (x[L->n - 2] - start) / (to - from)));
    if (j->output_dt > 0 && j->on_row && (t == (double)row * j->output_dt || t == j->t_end)) {
      const br_control_row r = {t, w[0], x[L->c->iy], p.u, p.F, x, x + L->nq};
      if (j->on_row(j->ctx, &r)) return BR_INTERRUPTED;
      row++;
    }
    L->out->error_end = p.e;
    L->out->t_stop = t;
    if (t >= j->t_end) break;
    double next = fmin(j->t_end, fmin(t < from ? from : INFINITY, t < to ? to : INFINITY));
    if (t < L->rest_from) next = fmin(next, L->rest_from);
    if (j->output_dt > 0 && j->on_row) next = fmin(next, (double)row * j->output_dt);
    st = br_solver_advance(s, next, NULL, err);
    if (st) return st;
    t = next;
  }
  L->out->rms_control = sqrt(x[L->n - 1] / j->t_end);
  if (!isnan(L->rest_from))
    L->out->rest_error_rms = sqrt(fmax(0, (x[L->n - 2] - resting) / (j->t_end - L->rest_from)));
  return BR_OK;
}

br_status bri_run_continuous(const br_control_case *job, br_controller *c, br_control_result *out,
                             br_err *err)
{
  bri_loop L;
  br_status st = bri_loop_build(&L, job, c, out, err);
  if (st) return st;
  br_drive drives[BRI_LOOP_INPUTS];
  bri_loop_drives(&L, 0, drives);
  double x[BRI_LOOP_MAX] = {0}, end[BRI_LOOP_MAX], lo[BRI_LOOP_MAX + 2], hi[BRI_LOOP_MAX + 2];
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  if (job->q0) memcpy(x, job->q0, L.nq * sizeof *x);
  if (job->z0) memcpy(x + L.nq, job->z0, L.nz * sizeof *x);
  br_solve_settings set = br_solve_settings_default();
  if (job->rtol > 0) set.rtol = job->rtol;
  set.extremes = 1;
  set.nuser = job->varies ? 4 : 3, set.user = user, set.on_event = on_event, set.on_step = on_step,
  set.ctx = &L;
  first_side(&L, x);
  st = br_plant_create_alone(&L.sys, L.spar, drives, &plant, err);
  if (!st) st = br_solver_create(plant, &set, &solver, err);
  if (!st) st = br_solver_start(solver, 0, x, err);
  if (!st) st = advance(&L, solver, err);
  if (!isnan(L.t_lost))
    st = bri_fail(err, BR_E_CONVERGE, "the loop runs away: error beyond %.3g at t = %.9g s, where r = %.6g",
                  1e3 * (1 + fabs(br_signal_value(job->reference, L.t_lost))), L.t_lost,
                  br_signal_value(job->reference, L.t_lost));
  if (job->varies && bri_loop_load(&L, 0) < 0) L.t_pull = 0;
  if (!isnan(L.t_pull))
    st = bri_fail(err, BR_E_RANGE,
                  "the normal load N falls below zero at t = %.9g s: no surface pulls; max(0, ...) in a "
                  "formula cuts it off",
                  L.t_pull);
  if (!st) {
    br_solver_extremes(solver, lo, hi);
    if (!isnan(L.rest_from)) {
      out->overshoot = bri_overshoot(x[c->iy], L.rest, lo[c->iy], hi[c->iy]);
      out->rest_error_max = fmax(fabs(lo[L.n + 1]), fabs(hi[L.n + 1]));
    }
    for (size_t i = 0; L.rest_from > 0 && i < L.n + 2; i++)
      lo[i] = fmin(lo[i], L.lo[i]), hi[i] = fmax(hi[i], L.hi[i]);
    out->peak_control = fmax(fabs(lo[L.n]), fabs(hi[L.n]));
    out->error_max = fmax(fabs(lo[L.n + 1]), fabs(hi[L.n + 1]));
    out->steps = L.steps + br_solver_stats(solver).steps;
    if (!(L.settle > 0) || !(fabs(out->error_end) <= L.settle)) out->settling_time = NAN;
    if (!isnan(out->settling_time)) out->settling_time = fmax(0, out->settling_time - L.rest_from);
    br_solver_state(solver, end);
    for (size_t i = 0; i < L.n; i++) hi[i] = fmax(fabs(lo[i]), fabs(hi[i]));
  }
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return !st && job->judge && bri_rests(job) ? bri_judge_hunting(&L, x, end, hi, err) : st;
}

_Static_assert(sizeof(const bri_loop *) <= sizeof(double), "an address fits into one number of a block");
