/* SPDX-License-Identifier: Apache-2.0
 * solver.c - the solver object: settings, memory, starting, advancing, reading out. */
#include "../../core/elementary.h"
#include "solver.h"
#include "../param/valid.h"
#include "../base/alloc.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

br_solve_settings br_solve_settings_default(void)
{
  br_solve_settings s;
  memset(&s, 0, sizeof s);
  s.kind = BR_SOLVER_NATIVE;
  s.rtol = 1e-13;
  s.atol = 1e-20;
  s.dt = 1e-3;
  s.locate = 1;
  return s;
}

static br_status bad_setting(br_err *err, const char *name, double value, const char *range)
{
  if (err) {
    err->code = BR_E_RANGE;
    err->index = -1;
    snprintf(err->msg, sizeof err->msg, "solver setting %s = %.9g is out of range: must be %s", name, value,
             range);
  }
  return BR_E_RANGE;
}

static br_status check(const br_solve_settings *s, br_err *err)
{
  if (!(s->rtol >= 1e-15 && s->rtol <= 0.1)) return bad_setting(err, "rtol", s->rtol, ">= 1e-15 and <= 0.1");
  if (!(s->atol >= 0 && isfinite(s->atol))) return bad_setting(err, "atol", s->atol, ">= 0");
  if (s->kind == BR_SOLVER_FIXED && !(s->dt > 0 && isfinite(s->dt)))
    return bad_setting(err, "dt", s->dt, "> 0");
  if (!(s->h_max >= 0)) return bad_setting(err, "h_max", s->h_max, ">= 0");
  if (!(s->h0 >= 0)) return bad_setting(err, "h0", s->h0, ">= 0");
  if (s->nuser && !s->user) return bad_setting(err, "nuser", (double)s->nuser, "0 without a user function");
  return BR_OK;
}

/* Method by tolerance: what the work-precision table of bench_solve recommends. */
static int stages_for(const br_solve_settings *s, int band)
{
  switch (s->kind) {
  case BR_SOLVER_RODAS: return 0;
  case BR_SOLVER_RADAU5: return 3;
  case BR_SOLVER_RADAU9: return 5;
  default: break;
  }
  if (band) return s->rtol < 1e-9 ? 5 : 3;
  return s->rtol < 1e-5 ? 5 : s->energy ? 3 : 0;
}

static br_status allocate(br_solver *s)
{
  const br_plant *p = s->p;
  const size_t ny = p->ny + 1, nx = p->nx + 1, w = nx + p->nk, ne = s->ne + 1, st = BRI_MAX_STAGE;
  bri_step *last = &s->last, *trial = &s->trial;
  const bri_share parts[] = {{&s->y, ny},          {&s->y0, ny},
                             {&s->f, ny},          {&s->f0, ny},
                             {&s->y_out, ny},      {&s->f_out, ny},
                             {&last->Y, st * ny},  {&last->poly, st * ny},
                             {&trial->Y, st * ny}, {&trial->poly, st * ny},
                             {&last->off, ny},     {&trial->off, ny},
                             {&s->tol, ny},        {&s->top, ny},
                             {&s->recent, ny},     {&s->carry, ny},
                             {&s->carry_of, ny},   {&s->g0, ne},
                             {&s->gsign, ne},      {&s->gtol, ne},
                             {&s->gtop, ne},       {&s->hit, ne},
                             {&s->when, ne},       {&s->g, st * ne},
                             {&s->x, nx},          {&s->lo, w},
                             {&s->hi, w},          {&s->obs, (st + 1) * w},
                             {&s->place, 2 * w},   {&s->tmp, 4 * ny + 4 * w}};
  if (!bri_shares(parts, sizeof parts / sizeof parts[0])) return BR_E_NOMEM;
  s->happened = (bri_happened *)bri_calloc(ne, sizeof *s->happened);
  if (!s->happened) return BR_E_NOMEM;
  br_status r = bri_work_create(p, &s->k);
  if (r == BR_OK) r = bri_mode_create(p, &s->mode);
  if (r == BR_OK) r = bri_mode_create(p, &s->mode0);
  if (r == BR_OK) r = bri_mode_create(p, &s->mode_out);
  if (r == BR_OK && s->stages) r = bri_radau_create(p, s->stages, &s->radau);
  if (r == BR_OK && !s->stages) r = bri_rodas_create(p, &s->rodas);
  return r;
}

br_status br_solver_create(const br_plant *plant, const br_solve_settings *settings, br_solver **out,
                           br_err *err)
{
  const br_solve_settings def = br_solve_settings_default();
  if (out) *out = NULL;
  if (!plant || !out) {
    if (err)
      err->code = BR_E_ARG, err->index = -1, snprintf(err->msg, sizeof err->msg, "br_solver_create: NULL");
    return BR_E_ARG;
  }
  br_status st = check(settings ? settings : &def, err);
  if (st == BR_OK && settings && settings->kind == BR_SOLVER_FIXED)
    st = bri_model_has_step(plant->mod, "the fixed-step solver", err);
  if (st != BR_OK) return st;
  br_solver *s = (br_solver *)bri_calloc(1, sizeof *s);
  if (!s) st = BR_E_NOMEM;
  if (st == BR_OK) {
    s->p = s->first = plant;
    s->set = settings ? *settings : def;
    s->stages = stages_for(&s->set, plant->band != NULL);
    s->ne = bri_nevent(plant) + s->set.nuser;
    /* the error estimate is of lower order than the method: translate the tolerance */
    s->r_int = s->stages ? 0.01 * bri_pow(s->set.rtol, (s->stages + 1.0) / (2.0 * s->stages)) : s->set.rtol;
    s->newton = fmax(1e-15 / s->r_int, fmin(0.03, s->set.rtol / s->r_int));
    st = allocate(s);
  }
  if (st == BR_OK && s->set.kind == BR_SOLVER_CVODE) st = bri_cvode_create(s, err);
  if (st != BR_OK) {
    if (err && st == BR_E_NOMEM)
      err->code = st, err->index = -1, snprintf(err->msg, sizeof err->msg, "out of memory");
    br_solver_destroy(s);
    return st;
  }
  *out = s;
  return BR_OK;
}

void br_solver_destroy(br_solver *s)
{
  if (!s) return;
  bri_cvode_destroy(s);
  bri_rodas_destroy(&s->rodas);
  bri_radau_destroy(&s->radau);
  bri_mode_destroy(&s->mode_out);
  bri_mode_destroy(&s->mode0);
  bri_mode_destroy(&s->mode);
  bri_work_destroy(&s->k);
  bri_free(s->happened);
  bri_free(s->y);
  bri_free(s);
}

/* Remember (t, y, mode) as the point handed out. */
static void hand_out(br_solver *s, double t, const double *y, const double *f, const bri_mode *m, double *x)
{
  s->t_out = t;
  memmove(s->y_out, y, s->p->ny * sizeof *y);
  memmove(s->f_out, f, s->p->ny * sizeof *f);
  bri_mode_copy(s->p, &s->mode_out, m);
  if (x) bri_full(s->p, &s->k, m, t, y, x);
}

br_status br_solver_start(br_solver *s, double t, const double *x, br_err *err)
{
  const br_plant *p = s->p = s->first;
  br_status st;
  memset(&s->stats, 0, sizeof s->stats);
  s->k.rhs = s->k.jacobians = 0;
  for (size_t i = 0; i < p->nx; i++) {
    s->x[i] = x ? x[i] : 0;
    if (isfinite(s->x[i])) continue;
    if (err) {
      err->code = BR_E_NAN, err->index = (int)i;
      snprintf(err->msg, sizeof err->msg, "initial state %s = %g is not finite", p->names[i], s->x[i]);
    }
    return BR_E_NAN;
  }
  s->t = s->t0 = t;
  s->k.t_end = INFINITY;
  s->h = s->set.h0;
  s->h_last = s->h_acc = 0;
  s->err_old = 1;
  s->rejected_last = s->stop = 0;
  memset(s->top, 0, p->ny * sizeof *s->top);
  memset(s->recent, 0, p->ny * sizeof *s->recent);
  memset(s->gtop, 0, s->ne * sizeof *s->gtop);
  for (size_t e = 0; e < s->ne; e++) s->gsign[e] = 1;
  bri_mode_start(p, &s->k, &s->mode, t, s->x, s->y, s->f);
  if ((st = bri_load_lost(s, t, err)) != BR_OK) return st;
  if ((st = bri_segment(s, err)) != BR_OK) return st;
  for (size_t e = bri_nevent(p); e < s->ne; e++)
    if (s->g0[e] < 0) s->gsign[e] = -1, s->g0[e] = -s->g0[e];
  memcpy(s->y0, s->y, p->ny * sizeof *s->y);
  memcpy(s->f0, s->f, p->ny * sizeof *s->f);
  bri_mode_copy(p, &s->mode0, &s->mode);
  bri_observe_start(s);
  if (s->along) s->along->start(s);
  hand_out(s, t, s->y, s->f, &s->mode, NULL);
  for (size_t i = 0; i < p->ny; i++)
    if (!isfinite(s->f[i]))
      return bri_trouble(s, BR_E_NAN, "the rate of a state is not a number", t, s->y, err);
  return s->set.kind == BR_SOLVER_CVODE ? bri_cvode_start(s, err) : BR_OK;
}

/* From the start of the last step to t in m equal steps of its own; 0 when done, y_out and quad_out filled.
 * */
static int walk(br_solver *s, double t, int m)
{
  const size_t n = s->p->ny;
  const double t0 = s->t0, h = (t - t0) / m;
  double work[3], *y = s->tmp + 2 * (n + s->p->nx + s->p->nk), *f = y + n;
  memcpy(y, s->y0, n * sizeof *y);
  memcpy(f, s->f0, n * sizeof *f);
  memset(s->quad_out, 0, sizeof s->quad_out);
  for (int i = 0; i < m; i++) {
    const bri_guess guess = {m == 1 ? &s->last : NULL, s->t - s->t0, 0};
    const double from = t0 + i * h;
    if (bri_try(s, from, y, f, &s->mode0, i == m - 1 ? t - from : h, &guess, 0, &s->trial)) return 1;
    if (s->set.energy) {
      bri_step_work(s, &s->trial, from, y, t - from < 1.5 * h ? t - from : h, work);
      for (int a = 0; a < 3; a++) s->quad_out[a] += work[a];
    }
    memcpy(y, s->trial.Y + (size_t)(s->trial.stages - 1) * n, n * sizeof *y);
    bri_eval(s->p, &s->k, &s->mode0, from + h, y, f);
  }
  memcpy(s->y_out, y, n * sizeof *y);
  return 0;
}

/* State at t inside the last step, by steps of its own from its start: full order, whatever the step size. */
static void inside(br_solver *s, double t, double *x)
{
  if (t <= s->t0 || s->t <= s->t0) {
    hand_out(s, s->t0, s->y0, s->f0, &s->mode0, x);
    return;
  }
  /* the last step may have ended at a corner of the inputs: its left limit counts */
  const double t_end = s->k.t_end;
  int m = 1;
  s->k.t_end = fmax(s->t, t);
  while (m <= 64 && walk(s, t, m)) m *= 4;
  if (m > 64) { /* then its polynomial, one order less */
    const double theta = (t - s->t0) / (s->t - s->t0);
    bri_step_at(&s->last, s->p->ny, s->y0, theta, s->y_out);
    for (int a = 0; a < 3; a++) s->quad_out[a] = theta * s->step_quad[a];
  }
  bri_eval(s->p, &s->k, &s->mode0, t, s->y_out, s->f_out);
  s->k.t_end = t_end;
  hand_out(s, t, s->y_out, s->f_out, &s->mode0, x);
}

/* Has a corner been reached that differs from t by rounding only?  Then it is t: k dt and k/f may differ by
 * some ulp, and what is handed out is the limit from the left, at a jump that from behind it. */
static int corner_meets(const br_solver *s, double t)
{
  return s->t >= s->t_seg && s->t <= t && t - s->t <= 16 * DBL_EPSILON * fabs(t);
}

static br_status native_advance(br_solver *s, double t, double *x, br_err *err)
{
  br_status st = BR_OK;
  while (s->t < t && st == BR_OK && !corner_meets(s, t)) {
    if (s->set.max_steps && s->stats.steps >= s->set.max_steps)
      return bri_trouble(s, BR_E_CONVERGE, "step limit reached", s->t, s->y, err);
    st = bri_step_once(s, s->set.t_stop > s->t ? s->set.t_stop : INFINITY, err);
    if (s->p->loads && st == BR_OK) st = bri_load_lost(s, t, err);
    if (st == BR_OK && s->set.on_step && (s->stats.steps & 1023) == 0 && s->set.on_step(s->set.ctx, s->t))
      st = BR_INTERRUPTED;
  }
  const int here = st == BR_OK && (s->t == t || corner_meets(s, t));
  if (here && bri_jumped(s, t)) st = bri_segment(s, err);
  if (st != BR_OK && st != BR_INTERRUPTED) return st;
  if (st == BR_INTERRUPTED || here) {
    hand_out(s, here ? t : s->t, s->y, s->f, &s->mode, x);
    s->stop = 0;
    return st;
  }
  inside(s, t, x);
  return st;
}

br_status br_solver_advance(br_solver *s, double t, double *x, br_err *err)
{
  br_status st;
  const clock_t begin = s->set.untimed ? 0 : clock();
  if (!isfinite(t) || t < s->t_out) {
    if (err) {
      err->code = BR_E_ARG, err->index = -1;
      snprintf(err->msg, sizeof err->msg, "cannot advance to t = %g s from t = %.9g s", t, s->t_out);
    }
    return BR_E_ARG;
  }
  if (s->set.kind == BR_SOLVER_FIXED) st = bri_fixed_advance(s, t, err);
  else if (s->set.kind == BR_SOLVER_CVODE) st = bri_cvode_advance(s, t, err);
  else st = native_advance(s, t, x, err);
  if (s->set.kind == BR_SOLVER_FIXED || s->set.kind == BR_SOLVER_CVODE)
    if (st == BR_OK || st == BR_INTERRUPTED) hand_out(s, s->t, s->y, s->f, &s->mode, x), s->stop = 0;
  if (s->p->loads && st == BR_OK && s->set.kind != BR_SOLVER_NATIVE) st = bri_load_lost(s, t, err);
  if (!s->set.untimed) s->stats.seconds += (double)(clock() - begin) / CLOCKS_PER_SEC;
  s->stats.rhs = s->k.rhs;
  s->stats.jacobians = s->k.jacobians;
  return st;
}

double br_solver_time(const br_solver *s) { return s->t_out; }
br_solve_stats br_solver_stats(const br_solver *s) { return s->stats; }

/* Reading out uses the scratch of the solver but changes nothing that a later step sees. */
static bri_work *scratch(const br_solver *s) { return (bri_work *)(size_t)&s->k; }

void br_solver_state(const br_solver *s, double *x)
{
  bri_full(s->p, scratch(s), &s->mode_out, s->t_out, s->y_out, x);
}

/* A true-stick contact whose motion is given carries nothing at the very instant v = 0: nothing says what. */
static void at_rest(const br_solver *s, double *F)
{
  const br_plant *p = s->p;
  bri_work *k = scratch(s);
  const int side = s->t_out >= k->t_end ? -1 : 1;
  for (size_t i = 0; i < p->nw; i++)
    if (p->drives[i].eval) p->drives[i].eval(p->drives[i].ctx, s->t_out, side, &k->w[i], &k->dw[i]);
  bri_motion(p, k, s->y_out);
  for (size_t j = 0; j < p->nk; j++)
    if (k->v[j] == 0) F[j] = 0;
}

void br_solver_force(const br_solver *s, double *F)
{
  bri_eval(s->p, scratch(s), &s->mode_out, s->t_out, s->y_out, s->tmp);
  memcpy(F, s->k.F, s->p->nk * sizeof *F);
  if (s->p->kind == BRI_STICK && (s->p->sys->flags & BR_SYSTEM_GIVEN)) at_rest(s, F);
}

void br_solver_rate(const br_solver *s, double *dx)
{
  if (s->p->paths) bri_eval(s->p, scratch(s), &s->mode_out, s->t_out, s->y_out, s->tmp);
  bri_full_rate(s->p, scratch(s), &s->mode_out, s->y_out, s->f_out, dx);
}

void br_solver_shown(const br_solver *s, double *out)
{
  const br_plant *p = s->p;
  if (!p->sys->show) return;
  bri_inputs(p, scratch(s), s->t_out);
  p->sys->show(p->spar, s->k.w, s->k.dw, s->y_out, out);
}

br_energy br_solver_energy(const br_solver *s)
{
  br_energy e;
  memset(&e, 0, sizeof e);
  double q[3];
  for (int a = 0; a < 3; a++) /* inside the last step: its own part instead of the whole step's */
    q[a] = s->quad[a] + (s->t_out < s->t && s->t > s->t0 ? s->quad_out[a] - s->step_quad[a] : 0);
  bri_eval(s->p, scratch(s), &s->mode_out, s->t_out, s->y_out, s->tmp);
  const double mech = bri_stored_alone(s->p, scratch(s), s->y_out) - s->mech0;
  e.stored = bri_stored(s->p, scratch(s), &s->mode_out, s->y_out) - s->stored0;
  e.work_in = q[0];
  e.friction = q[1];
  e.dissipated = q[1] + q[2] - (e.stored - mech); /* less what the contacts still hold elastically */
  e.residual = e.work_in - e.stored - e.dissipated;
  return e;
}

void br_solver_extremes(const br_solver *s, double *lo, double *hi)
{
  const size_t w = s->p->nx + s->p->nk;
  memcpy(lo, s->lo, w * sizeof *lo);
  memcpy(hi, s->hi, w * sizeof *hi);
}
