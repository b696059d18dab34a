/* SPDX-License-Identifier: Apache-2.0
 * fixed.c - real-time mode: constant step, bounded work, no iteration.
 *
 * The contact's state makes its own exact step with the velocity held; the mechanism makes a linearly
 * implicit step with the force of the end of the step, F + (dF/dv) dv:
 *   (I - h A - h B D Cv) dq = h (A q + B F + inputs) = h rate(q, F)
 * A true-stick contact that would reverse within the step is brought to rest first.  First order, stable at
 * production stiffness. */
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "solver.h"

#define MAX_Q 64
#define MAX_K 64

/* Force of contact c after its exact step with velocity v over h, and the stepped states in z. */
static void stepped_force(br_solver *s, size_t c, const double *u, const double *v, double h,
                          const double *z0, double *z, double *F)
{
  const br_plant *p = s->p;
  double ue[2];
  memcpy(z, z0, p->nz * sizeof *z);
  p->mod->step(bri_par(p, c), s->k.n[c], u, v, h, z);
  for (size_t a = 0; a < p->ax; a++) ue[a] = u[a] + h * v[a];
  p->mod->rate(bri_par(p, c), s->k.n[c], ue, v, z, s->k.pdz);
  p->mod->force(bri_par(p, c), s->k.n[c], ue, v, z, s->k.pdz, F);
}

/* Powers at the end of a step: forces of the stepped states; true-stick contacts have theirs in k->F. */
static void end_powers(br_solver *s, double *out)
{
  const br_plant *p = s->p;
  bri_work *k = &s->k;
  for (size_t c = 0; c < p->nc && p->kind != BRI_STICK; c++) {
    const size_t j = c * p->ax;
    const double *z = s->x + p->z0 + c * p->nz;
    if (p->free) k->u[j] = s->y[p->nq + j];
    p->mod->rate(bri_par(p, c), s->k.n[c], k->u + j, k->v + j, z, k->pdz);
    p->mod->force(bri_par(p, c), s->k.n[c], k->u + j, k->v + j, z, k->pdz, k->F + j);
  }
  bri_power_flows(s, s->y, out);
}

/* One step from s->t to t1. */
static void fixed_step(br_solver *s, double t1)
{
  const br_plant *p = s->p;
  const size_t nq = p->nq, nk = p->nk;
  const double h = t1 - s->t;
  double E[MAX_Q * MAX_Q], dq[MAX_Q], D[MAX_K], q[MAX_Q];
  size_t piv[MAX_Q];
  int happened[MAX_K] = {0}; /* 1 + br_event_type: reported when the step is complete */
  bri_work *k = &s->k;
  k->rhs++;
  bri_inputs(p, k, t1);
  bri_motion(p, k, s->y);
  double *z = s->tmp;
  for (size_t c = 0; c < p->nc; c++) {
    const size_t j = c * p->ax;
    if (p->free) k->u[j] = s->y[nq + j];
    D[j] = 0;
    if (p->kind == BRI_STICK) {
      s->mode.c[j].rest = (p->sys->flags & BR_SYSTEM_GIVEN) && k->v[j] == 0;
      k->F[j] = s->mode.c[j].stuck || s->mode.c[j].rest ? 0 : bri_slide_force(p, k, &s->mode, c, k->v[j]);
      continue;
    }
    const double *zc = s->x + p->z0 + c * p->nz; /* s->x is the full state in this mode */
    double dv[2] = {k->v[j], p->ax > 1 ? k->v[j + 1] : 0}, F1[2];
    const double d = 1e-6 * fmax(fabs(k->v[j]), p->vs > 0 ? p->vs : 1e-6);
    dv[0] += d;
    stepped_force(s, c, k->u + j, dv, h, zc, z, F1);
    dv[0] -= d;
    stepped_force(s, c, k->u + j, dv, h, zc, z, k->F + j);
    D[j] = fmax(0, (F1[0] - k->F[j]) / d); /* a negative slope would make the implicit step grow */
    memcpy(s->x + p->z0 + c * p->nz, z, p->nz * sizeof *z);
  }
  if (nq) {
    double slopes[MAX_Q * MAX_Q];
    const double *A = p->A;
    p->sys->rate(p->spar, k->w, k->dw, s->y, k->F, dq);
    if (p->sys->slopes) { /* stops, pendulums, formulas: the slopes of here, not those around zero */
      p->sys->slopes(p->spar, k->w, k->dw, s->y, k->F, slopes);
      A = slopes;
    }
    for (size_t i = 0; i < nq; i++)
      for (size_t l = 0; l < nq; l++) {
        double a = A[i * nq + l];
        for (size_t j = 0; j < nk; j++) a += p->B[i * nk + j] * D[j] * p->Cv[j * nq + l];
        E[i * nq + l] = (i == l) - h * a;
      }
    for (size_t i = 0; i < nq; i++) dq[i] *= h;
    if (bri_lu(nq, E, piv) == 0) bri_lu_solve(nq, E, piv, dq);
    for (size_t i = 0; i < nq; i++) q[i] = s->y[i] + dq[i];
    if (p->kind == BRI_STICK)
      for (size_t j = 0; j < nk;
           j++) { /* stuck, or coming to rest: remove the change of velocity by a force */
        if (p->pure[j] < 0 || p->G[j * nk + j] == 0) continue;
        const size_t iv = (size_t)p->pure[j];
        const double sign = s->mode.c[j].sign;
        const double need = -(q[iv]) / (h * p->G[j * nk + j]) + (s->mode.c[j].stuck ? 0 : k->F[j]),
                     level = bri_hold_level(p, k, j / p->ax, need);
        const int stops = s->mode.c[j].stuck || sign * q[iv] <= 0;
        if (stops && fabs(need) <= level) {
          if (!s->mode.c[j].stuck) happened[j] = 1 + BR_EVENT_STICK;
          s->mode.c[j].stuck = 1;
          for (size_t i = 0; i < nq; i++)
            q[i] += h * p->B[i * nk + j] * (need - (D[j] < 0 ? 0 : (s->mode.c[j].stuck ? 0 : k->F[j])));
          q[iv] = 0;
          k->F[j] = need;
        } else if (s->mode.c[j].stuck) {
          s->mode.c[j].stuck = 0;
          s->mode.c[j].sign = need > 0 ? 1 : -1;
          happened[j] = 1 + BR_EVENT_SLIP;
          q[iv] = 0; /* slides from the next step on */
        } else if (sign * q[iv] < 0) {
          s->mode.c[j].sign = -sign;
        }
      }
    memcpy(s->y, q, nq * sizeof *q);
  }
  bri_motion(p, k, s->y);
  for (size_t j = 0; j < nk; j++) {
    if (p->free) s->y[nq + j] += h * k->v[j];
    if (p->kind == BRI_STICK) continue;
    const double sign = s->mode.c[j].sign;
    if (sign * k->v[j] < 0) {
      s->mode.c[j].sign = -sign;
      happened[j] = 1 + BR_EVENT_REVERSAL;
    }
  }
  memcpy(s->x, s->y, p->z0 * sizeof *s->x);
  if (p->kind == BRI_ODE) memcpy(s->y + p->z0, s->x + p->z0, (p->ny - p->z0) * sizeof *s->y);
  s->t = s->t0 = t1;
  s->stats.steps++;
  for (size_t j = 0; j < nk; j++)
    if (happened[j])
      bri_report(s, t1, (br_event_type)(happened[j] - 1), j, s->mode.c[j].stuck ? 0 : (int)s->mode.c[j].sign);
  if (s->set.energy) { /* trapezoidal rule; the powers of the start are those of the last end */
    double end[3];
    end_powers(s, end);
    for (int a = 0; a < 3; a++) s->quad[a] += 0.5 * h * (s->step_quad[a] + end[a]), s->step_quad[a] = end[a];
  }
}

/* Jumps of a given motion in (s->t, t1], before the step to t1: the exact stroke, not one of size h. */
static br_status fixed_jumps(br_solver *s, double t1, br_err *err)
{
  const double t = s->t;
  double power[3];
  br_status st = BR_OK;
  if (!(s->p->sys->flags & BR_SYSTEM_GIVEN)) return BR_OK;
  memcpy(power, s->step_quad, sizeof power);
  for (double at = bri_next_corner(s->p, t); at <= t1 && st == BR_OK; at = bri_next_corner(s->p, at)) {
    bri_mode_start(s->p, &s->k, &s->mode, t, s->x, s->y, s->f);
    s->t = s->k.t_end = at;
    st = bri_jump(s, err);
    s->k.t_end = INFINITY;
    bri_full(s->p, &s->k, &s->mode, at, s->y, s->x);
  }
  memcpy(s->step_quad, power, sizeof power);
  s->t = t;
  return st;
}

br_status bri_fixed_advance(br_solver *s, double t, br_err *err)
{
  if (s->p->nq > MAX_Q || s->p->nk > MAX_K)
    return bri_trouble(s, BR_E_UNSUPPORTED, "the fixed-step mode holds 64 states at most", s->t, s->y, err);
  if (s->p->holds)
    return bri_trouble(s, BR_E_UNSUPPORTED, "the fixed-step mode does not hold some contacts and bend others",
                       s->t, s->y, err);
  if (s->stats.steps == 0) {
    bri_full(s->p, &s->k, &s->mode, s->t, s->y, s->x);
    bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->tmp);
    bri_power_flows(s, s->y, s->step_quad);
  }
  const double begin = s->t;
  const double count = ceil((t - begin) / s->set.dt - 1e-9);
  if (!(count < 0x1p53)) /* beyond it neither the count nor the time moves on */
    return bri_trouble(s, BR_E_RANGE, "dt is too small: more than 9e15 steps to the end", s->t, s->y, err);
  const size_t n = (size_t)fmax(count, 0);
  for (size_t i = 1; i <= n; i++) {
    const double to = i == n ? t : begin + (double)i * s->set.dt;
    s->k.t_end = INFINITY;
    const br_status st = fixed_jumps(s, to, err);
    if (st != BR_OK) return st;
    fixed_step(s, to);
    for (size_t l = 0; l < s->p->ny; l++)
      if (!isfinite(s->y[l])) return bri_trouble(s, BR_E_NAN, "not a number", s->t, s->y, err);
    if (s->set.on_step && (s->stats.steps & 1023) == 0 && s->set.on_step(s->set.ctx, s->t)) s->stop = 1;
    if (s->stop) break;
  }
  bri_mode_start(s->p, &s->k, &s->mode_out, s->t, s->x, s->y_out, s->f);
  if (s->p->kind == BRI_MAP || s->p->paths) bri_mode_copy(s->p, &s->mode, &s->mode_out);
  if (s->p->paths) memcpy(s->y, s->y_out, s->p->ny * sizeof *s->y);
  return s->stop ? BR_INTERRUPTED : BR_OK;
}
