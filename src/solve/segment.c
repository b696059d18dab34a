/* SPDX-License-Identifier: Apache-2.0
 * segment.c - the next smooth stretch of the inputs: corners, and jumps of a given motion.
 *
 * A jump of a given position is the limit of an ever faster straight stroke.  The stroke is travelled by the
 * solver itself, in a time so short that nothing else moves: elements slip on the way, work is booked. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/fail.h"
#include "solver.h"

/* Where the motion is given its direction is that of the whole stretch; `inside` is a time in it.  At rest
 * every element holds.  A direction is reported as a reversal once there was another one before. */
static void direct_given(br_solver *s, double inside)
{
  const br_plant *p = s->p;
  double *v = s->tmp;
  bri_inputs(p, &s->k, inside);
  p->sys->motion(p->spar, s->k.w, s->k.dw, s->y, s->k.u, v);
  for (size_t j = 0; j < p->nk; j++) {
    bri_contact *c = &s->mode.c[j];
    const double sign = v[j] > 0 ? 1 : v[j] < 0 ? -1 : c->sign;
    const int turns = sign != c->sign, before = c->moved;
    bri_inputs(p, &s->k, s->t);
    bri_motion(p, &s->k, s->y);
    c->rest = v[j] == 0;
    if (!c->rest) c->moved = 1;
    if (turns) bri_mode_direct(p, &s->k, &s->mode, j, s->k.u[j], sign);
    if (p->ax == 1) bri_mode_update(p, &s->k, &s->mode, j, s->y);
    if (turns && before) bri_report(s, s->t, BR_EVENT_REVERSAL, j, (int)sign);
  }
}

/* Adds to noise[] how far each input moves within 16 gaps before the corner, or behind it: that much of a
 * change across it is no jump.  Rates beside a turning point may be those of the point itself, zero. */
static void moves_beside(br_solver *s, double from, double gap, double *noise)
{
  const br_plant *p = s->p;
  bri_work *k = &s->k;
  bri_inputs(p, k, from);
  for (size_t i = 0; i < p->nw; i++) noise[i] -= k->w[i];
  bri_inputs(p, k, from + 16 * gap);
  for (size_t i = 0; i < p->nw; i++) noise[i] = fabs(noise[i] + k->w[i]);
}

/* Does the given motion jump at the corner that has been reached?  Then k->jump says from where and how far.
 */
static int jumps(br_solver *s)
{
  const br_plant *p = s->p;
  bri_work *k = &s->k;
  const double corner = k->t_end, gap = 4e-16 * fmax(1, fabs(corner)); /* as bri_inputs() */
  double *before = s->tmp, *behind = before + p->nw;
  int any = 0;
  if (!(p->sys->flags & BR_SYSTEM_GIVEN) || !isfinite(corner) || s->t < corner) return 0;
  memset(before, 0, 2 * p->nw * sizeof *before);
  moves_beside(s, corner - 17 * gap, gap, before);
  bri_inputs(p, k, corner);
  for (size_t i = 0; i < p->nw; i++) k->jump[i] = k->w[i] + gap * k->dw[i];
  k->t_end = INFINITY;
  moves_beside(s, corner, gap, behind);
  bri_inputs(p, k, corner);
  k->t_end = corner;
  for (size_t i = 0; i < p->nw; i++) {
    const double u = fmax(fabs(k->w[i]), fabs(k->jump[i]));
    double noise = 2 * (before[i] + behind[i]) + 1e-13 * u, to = k->w[i];
    /* a signal knows whether it jumps */
    if (bri_drive_sides(&p->drives[i], corner, &k->jump[i], &to)) noise = 0;
    else if (bri_drive_is_signal(&p->drives[i])) noise = INFINITY;
    const double change = to - k->jump[i];
    k->jump[p->nw + i] = fabs(change) > noise ? change : 0;
    if (fabs(change) > noise) any = 1;
  }
  return any;
}

/* The force on the stroke must not grow with its speed, or the jump takes infinite work. */
static br_status bounded(br_solver *s, br_err *err)
{
  const br_plant *p = s->p;
  bri_work *k = &s->k;
  size_t bad = p->nk;
  bri_eval(p, k, &s->mode, 0, s->y, s->f);
  memcpy(s->tmp, k->F, p->nk * sizeof *s->tmp);
  k->haste = 1e40;
  bri_eval(p, k, &s->mode, 0, s->y, s->f);
  k->haste = 1;
  for (size_t j = p->nk; j-- > 0;)
    if (!(fabs(k->F[j] - s->tmp[j]) <= 1e-6 * (fabs(k->F[j]) + fabs(s->tmp[j])))) bad = j;
  if (bad == p->nk) return BR_OK;
  if (err) {
    err->code = BR_E_UNSUPPORTED, err->index = -1;
    snprintf(
        err->msg, sizeof err->msg,
        "the given motion jumps by %.9g at t = %.9g s, and the force of %s has no limit at infinite speed "
        "(viscous or micro-damping part): the jump would take infinite work; give a steep ramp (pwl:) or a "
        "model without that part",
        k->jump[p->nw], s->t_jump, p->mod->name);
  }
  return BR_E_UNSUPPORTED;
}

/* Do the inputs have their values from behind the jump in k->jump at t? */
static int is_behind(br_solver *s, double t)
{
  const br_plant *p = s->p;
  const double *before = s->k.jump, *change = s->k.jump + p->nw, t_end = s->k.t_end;
  int behind = 1;
  s->k.t_end = INFINITY;
  bri_inputs(p, &s->k, t);
  s->k.t_end = t_end;
  for (size_t i = 0; i < p->nw; i++)
    behind &= change[i] == 0 || fabs(s->k.w[i] - before[i]) > 0.5 * fabs(change[i]);
  return behind;
}

/* The first time behind the jump: its corner is known to some ulp. */
static double behind_jump(br_solver *s)
{
  double t = s->t_jump;
  for (int ulp = 0; ulp < 8 && !is_behind(s, t); ulp++) t = nextafter(t, INFINITY);
  return t;
}

/* Travel the jump in k->jump. */
static br_status travel(br_solver *s, br_err *err)
{
  const br_plant *p = s->p;
  const double h = s->h;
  br_status st;
  s->t_jump = s->t;
  s->t = s->t0 = 0;
  s->h = s->h_last = 0;
  s->k.stroke = 1;
  bri_radau_forget(&s->radau);
  s->t_seg = s->k.t_end = BRI_STROKE;
  direct_given(s, 0.5 * BRI_STROKE);
  st = bounded(s, err);
  bri_eval(p, &s->k, &s->mode, s->t, s->y, s->f);
  bri_event_values(s, s->t, s->y, s->g0);
  while (st == BR_OK && s->t < BRI_STROKE) st = bri_step_once(s, BRI_STROKE, err);
  s->k.stroke = 0;
  bri_radau_forget(&s->radau); /* rates of the stroke are no measure for others */
  s->t = s->t0 = behind_jump(s);
  s->h = h;
  memcpy(s->y0, s->y, p->ny * sizeof *s->y);
  bri_mode_copy(p, &s->mode0, &s->mode);
  return st;
}

double bri_next_corner(const br_plant *p, double t)
{
  double next = INFINITY;
  for (size_t i = 0; i < p->nw; i++) {
    if (!p->drives[i].eval || !p->drives[i].next_corner) continue;
    const double at = p->drives[i].next_corner(p->drives[i].ctx, t);
    if (!(at >= next)) next = at; /* takes a NaN, and keeps it */
  }
  for (size_t c = 0; p->loads && c < p->nc; c++) {
    if (!p->loads[c].eval || !p->loads[c].next_corner) continue;
    const double at = p->loads[c].next_corner(p->loads[c].ctx, t);
    if (!(at >= next)) next = at;
  }
  if (p->then && p->t_then > t && p->t_then < next) next = p->t_then;
  return next;
}

int bri_jumped(br_solver *s, double t)
{
  double before, behind;
  int signals = 0; /* drives of other origin are handed out with their limit from the left */
  for (size_t i = 0; i < s->p->nw; i++)
    signals |= bri_drive_sides(&s->p->drives[i], s->k.t_end, &before, &behind);
  return signals && s->t >= s->t_seg && jumps(s) && is_behind(s, t);
}

br_status bri_jump(br_solver *s, br_err *err) { return jumps(s) ? travel(s, err) : BR_OK; }

/* The plant has other parameters from here on; the state stays.  What the change adds to the energy stored is
 * work of whoever switches. */
static void become(br_solver *s)
{
  const br_plant *p = s->p;
  double *x = s->tmp + p->ny;
  int stuck[BRI_MAX_HELD] = {0};
  bri_eval(p, &s->k, &s->mode, s->t, s->y, s->f);
  const double mech = p->sys->energy ? p->sys->energy(p->spar, s->y) : 0,
               own = bri_stored(p, &s->k, &s->mode, s->y) - mech;
  bri_full(p, &s->k, &s->mode, s->t, s->y, x);
  for (size_t j = 0; j < p->nk && j < BRI_MAX_HELD; j++) stuck[j] = s->mode.c[j].stuck;
  s->p = p = p->then;
  s->k.t_end = INFINITY;
  bri_radau_forget(&s->radau);
  bri_mode_start(p, &s->k, &s->mode, s->t, x, s->y, s->f);
  const double then = p->sys->energy ? p->sys->energy(p->spar, s->y) : 0,
               change = bri_stored(p, &s->k, &s->mode, s->y) - then - own;
  s->quad[0] += then - mech + change;
  s->mech0 -= change;
  for (size_t j = 0; j < p->nk && j < BRI_MAX_HELD; j++)
    if (stuck[j] && !s->mode.c[j].stuck) bri_report(s, s->t, BR_EVENT_SLIP, j, (int)s->mode.c[j].sign);
}

br_status bri_segment(br_solver *s, br_err *err)
{
  br_status st = bri_jump(s, err);
  while (s->p->then && s->t >= s->p->t_then) become(s);
  const br_plant *p = s->p;
  const double end = bri_next_corner(p, s->t);
  s->t_seg = end;
  s->k.t_end = end;
  if (st != BR_OK) return st;
  if (isnan(end))
    return bri_fail(err, BR_E_CONVERGE, "the input turns or jumps too often behind t = %.9g s to be followed",
                    s->t);
  if (p->sys->flags & BR_SYSTEM_GIVEN) direct_given(s, isinf(end) ? s->t + 1e-6 : 0.5 * (s->t + end));
  if (p->moving) {
    bri_eval(p, &s->k, &s->mode, s->t, s->y, s->f);
    bri_moving_settle(p, &s->k, &s->mode, s->y);
  }
  bri_eval(p, &s->k, &s->mode, s->t, s->y, s->f);
  bri_event_values(s, s->t, s->y, s->g0);
  bri_event_tolerances(s);
  for (size_t j = 0; j < p->nk; j++) { /* a stuck contact may have been overloaded by a jump of a force */
    if (!s->mode.c[j].stuck || !(s->g0[j] < -s->gtol[j])) continue;
    br_event_type type;
    const int dir = bri_mode_switch(p, &s->k, &s->mode, j, s->t, s->y, s->f, &type);
    bri_report(s, s->t, type, j, dir);
    bri_event_values(s, s->t, s->y, s->g0);
  }
  s->h_last = 0; /* the polynomial does not continue across a corner */
  return s->stop ? BR_INTERRUPTED : BR_OK;
}
