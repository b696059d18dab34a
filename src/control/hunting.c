/* SPDX-License-Identifier: Apache-2.0
 * hunting.c - does a continuous loop keep oscillating although its reference rests?
 *
 * The run is continued over windows of doubling length.  Where the largest error does not fall any more, the
 * motion is taken as a guess for a cycle: the section is a fast velocity crossed upward (the slip of a
 * stick-slip cycle, once per period), and the period-map Newton of the solver must find a fixed point there.
 * Where the error falls from window to window, or all motion has ended, a cycle is excluded. */
#include <math.h>
#include <string.h>

#include "../solve/eigen.h"
#include "../text/fail.h"
#include "loop.h"

enum { WINDOWS = 14, TRIES = 4 };

typedef struct {
  bri_loop *L;
  br_plant *plant;
  br_solver *solver; /* with the section as user event 0 */
  size_t n, iv, iy;  /* in the reduced state */
  double level;      /* m/s */
  double t_max;      /* s, longest return */
  double period;     /* s, of the last return */
  double hit[BRI_LOOP_MAX];
  br_err why; /* why a return failed; not reported */
} hunt;

static void section(void *ctx, double t, const double *x, double *g)
{
  const hunt *h = (const hunt *)ctx;
  (void)t;
  g[0] = x[h->iv] - h->level;
}

static int on_event(void *ctx, const br_event *ev)
{
  hunt *h = (hunt *)ctx;
  if (ev->type != BR_EVENT_USER || ev->direction <= 0) return 0;
  h->period = ev->t;
  memcpy(h->hit, ev->x, h->n * sizeof *h->hit);
  return 1;
}

static int on_step(void *ctx, double t)
{
  const br_control_case *j = ((const hunt *)ctx)->L->job;
  return j->on_step ? j->on_step(j->ctx, t) : 0;
}

/* Section onto itself: r holds all states but the velocity. */
static int return_map(void *ctx, const double *r, double *out)
{
  hunt *h = (hunt *)ctx;
  double x[BRI_LOOP_MAX];
  for (size_t i = 0, j = 0; i < h->n; i++) x[i] = i == h->iv ? h->level : r[j++];
  h->period = NAN;
  if (br_solver_start(h->solver, 0, x, &h->why)) return 1;
  if (br_solver_advance(h->solver, h->t_max, NULL, &h->why) != BR_INTERRUPTED || isnan(h->period)) return 1;
  for (size_t i = 0, j = 0; i < h->n; i++)
    if (i != h->iv) out[j++] = h->hit[i];
  return 0;
}

/* One window from x (moved to its end): extremes of all states. */
static br_status watch(hunt *h, const br_solve_settings *set, double span, double *x, double *lo, double *hi,
                       br_err *err)
{
  br_solver *s = NULL;
  br_status st = br_solver_create(h->plant, set, &s, err);
  if (!st) st = br_solver_start(s, 0, x, err);
  if (!st) st = br_solver_advance(s, span, x, err);
  if (!st) br_solver_extremes(s, lo, hi);
  br_solver_destroy(s);
  return st;
}

/* Is the controller still moving although the output rests?  An integral that grows will break the stick. */
static int drifts(const hunt *h, const double *lo, const double *hi)
{
  for (size_t i = 0; i < h->n; i++) {
    const double size = fmax(fabs(lo[i]), fabs(hi[i]));
    if (h->L->keep[i] >= h->L->ix && hi[i] - lo[i] > 1e-6 * (size + 1e-9)) return 1;
  }
  return 0;
}

/* A cycle through the motion at x?  0: no fixed point there. */
static int find_cycle(hunt *h, br_solve_settings set, double rtol, double span, const double *x,
                      const double *lo, const double *hi)
{
  bri_loop *L = h->L;
  const size_t m = h->n - 1;
  double r[BRI_LOOP_MAX], scale[BRI_LOOP_MAX], jac[BRI_LOOP_MAX * BRI_LOOP_MAX], residual = NAN;
  double work[5 * BRI_LOOP_MAX + 2 * BRI_LOOP_MAX * BRI_LOOP_MAX], a[BRI_LOOP_MAX + 2], b[BRI_LOOP_MAX + 2];
  br_newton_settings newton = br_newton_settings_default();
  int found = 0;
  newton.tol = fmax(1e-9, 30 * rtol);
  newton.fd_step = fmax(1e-6, 1e3 * rtol);
  newton.max_iter = 10, newton.warm_up = 1;
  h->level = 0.5 * hi[h->iv];
  h->t_max = 2 * span;
  h->period = NAN;
  set.extremes = 0;
  set.nuser = 1, set.user = section, set.on_event = on_event;
  if (br_solver_create(h->plant, &set, &h->solver, &h->why)) return 0;
  int ok = br_solver_start(h->solver, 0, x, &h->why) == BR_OK &&
           br_solver_advance(h->solver, h->t_max, NULL, &h->why) == BR_INTERRUPTED && !isnan(h->period);
  for (size_t i = 0, j = 0; ok && i < h->n; i++)
    if (i != h->iv) scale[j] = fmax(1e-3 * fmax(fabs(lo[i]), fabs(hi[i])), hi[i] - lo[i]), r[j++] = h->hit[i];
  for (size_t j = 0; ok && j < m; j++)
    if (!(scale[j] > 0)) scale[j] = 1e-12;
  /* far from a cycle the second return lies elsewhere than the first */
  double next[BRI_LOOP_MAX];
  ok = ok && return_map(h, r, next) == 0;
  for (size_t j = 0; ok && j < m; j++) ok = fabs(next[j] - r[j]) < 0.3 * scale[j], r[j] = next[j];
  ok = ok && br_map_newton(return_map, h, m, r, scale, &newton, work, NULL, &residual, &h->why) == BR_OK;
  /* the derivative at the solution, and one more return for the period */
  double out[BRI_LOOP_MAX], moved[BRI_LOOP_MAX], parts[2 * BRI_LOOP_MAX];
  ok = ok && return_map(h, r, out) == 0;
  const double period = h->period;
  for (size_t j = 0; ok && j < m; j++) {
    const double keep = r[j], d = newton.fd_step * scale[j];
    r[j] = keep + d;
    ok = return_map(h, r, moved) == 0;
    r[j] = keep;
    for (size_t i = 0; i < m; i++) jac[i * m + j] = (moved[i] - out[i]) / d * scale[j] / scale[i];
  }
  br_solver_destroy(h->solver);
  h->solver = NULL;
  if (!ok) return 0;
  double y[BRI_LOOP_MAX];
  for (size_t i = 0, j = 0; i < h->n; i++) y[i] = i == h->iv ? h->level : r[j++];
  set.extremes = 1, set.nuser = 0, set.user = NULL, set.on_event = NULL, set.t_stop = period;
  if (watch(h, &set, period, y, a, b, &h->why) == BR_OK) {
    br_control_result *out_r = L->out;
    found = 1;
    out_r->hunting = 1;
    out_r->verdict = BR_HUNTING_FOUND;
    out_r->amplitude = 0.5 * (b[h->iy] - a[h->iy]);
    out_r->period = period;
    out_r->residual = residual;
    out_r->multiplier = bri_spectral_radius(m, jac, parts);
  }
  return found;
}

double bri_released(const br_control_case *job, const br_controller *c, double rest, const double *q,
                    const double *z, const double *x)
{
  const br_param *s = br_model_param(job->mod, "Fs"), *f = br_model_param(job->mod, "Fc");
  const double drop = s && f ? job->mpar[s->slot] - job->mpar[f->slot] : 0;
  if (!(drop > 0)) return INFINITY;
  double at[BR_CONTROL_MAX_Q], u[2];
  const double h = 1e-3 * (1e-3 + fabs(rest));
  const br_control_ref ref = {rest, 0, 0};
  const br_control_meas meas = {at, z, 0, 0};
  for (int i = 0; i < 2; i++) {
    memcpy(at, q, c->nq * sizeof *at);
    at[c->iv] = 0;
    at[c->iy] = rest + (i ? h : -h);
    u[i] = br_control_output(c, &ref, &meas, x);
  }
  const double stiffness = fabs(u[1] - u[0]) / (2 * h);
  return stiffness > 0 ? 0.1 * drop / stiffness : INFINITY;
}

static br_status judge(hunt *h, const br_solve_settings *set, double *x, br_err *err)
{
  const bri_loop *L = h->L;
  br_control_result *out = L->out;
  const double least = 1e-6 * (1e-3 + fabs(L->rest));
  double lo[BRI_LOOP_MAX + 2], hi[BRI_LOOP_MAX + 2], most[WINDOWS], span = 0.25 * L->job->t_end;
  int falls = 0, tried = 0;
  for (int k = 0; k < WINDOWS; k++, span *= 2) {
    br_solve_settings now = *set;
    now.t_stop = span;
    const br_status st = watch(h, &now, span, x, lo, hi, err);
    if (st) return st == BR_E_CONVERGE || st == BR_E_NAN ? BR_OK : st; /* undecided */
    most[k] = fmax(fabs(L->rest - lo[h->iy]), fabs(hi[h->iy] - L->rest));
    const double swing = 0.5 * (hi[h->iy] - lo[h->iy]);
    if (!(most[k] < 1e3 * (1 + fabs(L->rest)))) {
      out->verdict = BR_HUNTING_GROWS;
      return BR_OK;
    }
    /* all motion has ended, or what is left of it is too small to matter */
    if (most[k] <= least || (!(swing > least) && !drifts(h, lo, hi))) {
      out->verdict = BR_HUNTING_EXCLUDED;
      return BR_OK;
    }
    /* a stick phase may fill a whole window: compare with the last but one */
    falls = k > 1 && most[k] < 0.6 * most[k - 2] ? falls + 1 : 0;
    if (falls >= 3 &&
        most[k] <= bri_released(L->job, L->c, L->rest, L->frozen, L->frozen + L->nq, L->frozen + L->ix)) {
      out->verdict = BR_HUNTING_EXCLUDED;
      out->decay = sqrt(most[k] / most[k - 2]);
      return BR_OK;
    }
    const int same = k > 0 && most[k] > 0.95 * most[k - 1], full = swing > 0.8 * most[k];
    const int long_same = k > 2 && most[k] > 0.95 * most[k - 2];
    if (!((same && full) || long_same) || !(swing > least) || !(hi[h->iv] > 0)) continue;
    if (tried++ == TRIES) break;
    const int found = find_cycle(h, *set, set->rtol, span, x, lo, hi);
    if (!found && h->why.code == BR_E_NOMEM) return bri_no_memory(err, "hunting");
    if (!found) continue;
    if (out->amplitude > least && out->multiplier < 1) return BR_OK; /* one that repels is no hunting */
    out->hunting = 0, out->verdict = BR_HUNTING_UNDECIDED;
    out->amplitude = out->period = out->residual = out->multiplier = NAN;
  }
  return BR_OK;
}

br_status bri_judge_hunting(bri_loop *L, const double *x0, const double *x, const double *size, br_err *err)
{
  hunt h;
  memset(&h, 0, sizeof h);
  bri_loop_reduce(L, x0, x);
  L->out->verdict = BR_HUNTING_UNDECIDED;
  h.L = L, h.n = L->nkeep;
  double y[BRI_LOOP_MAX], atol[BRI_LOOP_MAX];
  /* whatever the run was asked for: a return map known to less would leave the verdict open */
  const double rtol = fmin(fmax(L->job->rtol > 0 ? L->job->rtol : 0, 1e-10), 1e-9);
  for (size_t i = 0; i < h.n; i++) {
    const size_t k = L->keep[i];
    y[i] = x[k];
    /* a window of creep only must not be resolved to the rounding of its tiny velocities */
    atol[i] = rtol * 1e-2 * size[k];
    if (k == L->c->iv) h.iv = i;
    if (k == L->c->iv && L->vs > 0) atol[i] = fmin(atol[i], rtol * 0.5 * L->vs);
    if (k == L->c->iy) h.iy = i;
  }
  br_drive drives[BRI_LOOP_INPUTS];
  bri_loop_drives(L, 1, drives);
  br_solve_settings set = br_solve_settings_default();
  set.rtol = rtol;
  set.atols = atol;
  set.extremes = 1;
  set.max_steps = 500000;
  set.on_step = on_step, set.ctx = &h;
  br_status st = br_plant_create_alone(&L->sys, L->spar, drives, &h.plant, err);
  if (!st) st = judge(&h, &set, y, err);
  br_plant_destroy(h.plant);
  return st;
}
