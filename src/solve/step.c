/* SPDX-License-Identifier: Apache-2.0
 * step.c - one accepted step: error control, landing on events, switching of the mode. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/worse.h"
#include "solver.h"

br_status bri_trouble(br_solver *s, br_status code, const char *what, double t, const double *y, br_err *err)
{
  if (!err) return code;
  err->code = code;
  err->index = -1;
  int at = snprintf(err->msg, sizeof err->msg, "%s at t = %.9g s:", what, t);
  for (size_t i = 0; i < s->p->ny && at > 0 && (size_t)at + 24 < sizeof err->msg; i++)
    at += snprintf(err->msg + at, sizeof err->msg - (size_t)at, " %s = %.6g", s->p->names[i], y[i]);
  return code;
}

int bri_try(br_solver *s, double t, const double *y, const double *f, const bri_mode *m, double h,
            const bri_guess *guess, int careful, bri_step *out)
{
  if (s->stages == 0) return bri_rodas_step(&s->rodas, s->p, &s->k, m, t, y, f, h, s->tol, out);
  return bri_radau_step(&s->radau, s->p, &s->k, m, t, y, f, h, s->tol, s->newton, guess, careful, out);
}

/* Tolerances relative to the size a state has had lately: a phase of rest after a fast slip is resolved for
 * itself, down to a hundredth (at the tightest tolerances 1e-4) of the largest size of the run; velocities of
 * contacts further, to where the friction level changes. */
static void set_tolerances(br_solver *s)
{
  const br_plant *p = s->p;
  const double ratio = s->r_int / s->set.rtol;
  for (size_t i = 0; i < p->ny; i++) {
    const double a = fabs(s->y[i]);
    if (a > s->top[i]) s->top[i] = a;
    double floor = (s->set.rtol < 9e-13 ? 1e-4 : 1e-2) * s->top[i];
    if (p->vs > 0 && p->rubs[i]) floor = fmin(floor, 0.5 * p->vs);
    s->recent[i] = fmax(fmax(a, 0.9 * s->recent[i]), floor);
    if (p->paths && i >= p->z0 && isfinite(s->mode.c[i - p->z0].next)) /* a path is as long as its branch */
      s->recent[i] = fmax(s->recent[i], 0.1 * s->mode.c[i - p->z0].next);
    s->tol[i] = s->r_int * s->recent[i] + ratio * (s->set.atols ? s->set.atols[i] : s->set.atol) + 1e-300;
  }
}

/* Exponent of the error in the step size. */
static double order_plus(const br_solver *s) { return s->stages ? s->stages + 1.0 : 5.0; }

int bri_report(br_solver *s, double t, br_event_type type, size_t index, int direction)
{
  if (type == BRI_EVENT_KINK) return 0;
  s->stats.events++;
  if (!s->set.on_event) return 0;
  /* the fixed-step mode keeps its full state in x; there the mode does not know the elements */
  if (s->set.kind != BR_SOLVER_FIXED) bri_full(s->p, &s->k, &s->mode, t, s->y, s->x);
  const br_event ev = {s->k.stroke ? s->t_jump : t, type, index, direction, s->x};
  if (s->set.on_event(s->set.ctx, &ev)) s->stop = 1;
  return s->stop;
}

/* Friction falls from static to sliding level over a few vs.  A step that begins inside that range and ends
 * far outside would not see the hump, and its error estimate would look clean: the velocity may change by no
 * more than the distance scale vs + |v| as long as the smaller of the two speeds lies within 40 vs. */
static int jumps_over_hump(br_solver *s, const double *y1, double h)
{
  const br_plant *p = s->p;
  const int given = (p->sys->flags & BR_SYSTEM_GIVEN) != 0 || p->carried;
  double *v0 = s->tmp, *v1 = s->k.v;
  if (!(p->vs > 0)) return 0;
  if (given) { /* the velocities come from the inputs */
    bri_inputs(p, &s->k, s->t);
    bri_motion(p, &s->k, s->y);
    memcpy(v0, s->k.v, p->nk * sizeof *v0);
    bri_inputs(p, &s->k, s->t + h);
    bri_motion(p, &s->k, y1);
  }
  for (size_t j = 0; j < p->nk; j++) {
    const int iv = p->pure[j];
    double a = given ? v0[j] : iv >= 0 ? s->y[iv] : 0, b = given ? v1[j] : iv >= 0 ? y1[iv] : 0;
    for (size_t l = 0; l < p->nq && !given && iv < 0; l++)
      a += p->Cv[j * p->nq + l] * s->y[l], b += p->Cv[j * p->nq + l] * y1[l];
    const double low = fmin(fabs(a), fabs(b));
    const double vs = p->vs_of[j / p->ax];
    if (low < 40 * vs && fabs(b - a) > 1.5 * (vs + low)) return 1;
  }
  return 0;
}

static double first_size(const br_solver *s, double room)
{
  double d1 = 0;
  for (size_t i = 0; i < s->p->ny; i++) d1 = fmax(d1, fabs(s->f[i]) / s->tol[i]);
  const double span = isfinite(room) ? room : 1;
  return d1 > 0 ? fmin(1e-3 * span, fmax(1 / d1, 1e-9 * span)) : 1e-3 * span;
}

/* Size for the next step after an error estimate err of a step h; accepted: 0 no, 1 at the first try, 2
 * otherwise. */
static double next_size(br_solver *s, double h, double err, int accepted)
{
  const double q = order_plus(s), safe = 0.87;
  const double e = bri_log(fmax(err, 1e-10));
  double fac = -e / q;                            /* logarithm of the factor */
  if (accepted == 1 && s->h_acc > 0 && s->stages) /* predictive: use the trend of the last two errors */
    fac = fmin(fac, bri_log(h / s->h_acc) + (bri_log(s->err_old) - 2 * e) / q);
  fac = safe * bri_exp(fac);
  if (accepted)
    s->h_acc = accepted == 1 ? h : 0, s->err_old = fmax(err, 1e-2); /* no trend across a disturbance */
  return h * fmin(8, fmax(accepted ? 0.2 : 0.1, fac));
}

/* Add the change over the accepted step to the state.  What the sum loses to rounding is kept for the next: a
 * large angle would otherwise walk at random, and the oscillation of sticking elements on top of it with it.
 * Not with friction states that follow an equation of their own: where they are stiff a step forgets its
 * start, and what was lost there is no part of its end. */
static void add_change(br_solver *s)
{
  const size_t n = s->p->ny;
  const double *change = s->radau.Z + (size_t)(s->stages - 1) * n;
  for (size_t l = 0; l < n; l++) {
    const double d = change[l] + (s->carry_of[l] == s->y[l] ? s->carry[l] : 0), sum = s->y[l] + d;
    s->carry[l] = d - (sum - s->y[l]);
    s->y[l] = s->carry_of[l] = sum;
  }
}

/* Take over the trial as the last step. */
static void accept(br_solver *s, double h)
{
  const size_t n = s->p->ny;
  const bri_step swap = s->last;
  s->last = s->trial;
  s->trial = swap;
  s->t0 = s->t;
  memcpy(s->y0, s->y, n * sizeof *s->y);
  memcpy(s->f0, s->f, n * sizeof *s->f);
  bri_mode_copy(s->p, &s->mode0, &s->mode);
  s->h_last = h;
  s->t = s->t0 + h;
  if (s->stages && s->p->carries) add_change(s);
  else memcpy(s->y, s->last.Y + (size_t)(s->last.stages - 1) * n, n * sizeof *s->y);
  bri_mode_sides(s->p, &s->mode, s->y);
  s->stats.steps++;
  s->stats.rounded += s->stages && s->radau.rounded;
  s->idle = 0;
  if (s->along) s->along->step(s, h);
  if (s->set.energy || s->set.extremes) bri_observe_step(s, h);
  if (s->along && s->set.extremes) s->along->extremes(s, h);
}

/* Event e has been reached at (t, y): change the mode; what is to be reported of it. */
static bri_happened happen(br_solver *s, size_t e, double when)
{
  const size_t nm = s->ne - s->set.nuser;
  bri_happened ev = {when, BR_EVENT_USER, e - nm, 0, s->along ? s->along->before(s, e) : 0};
  if (e >= nm) {
    s->gsign[e] = -s->gsign[e];
    ev.direction = (int)s->gsign[e];
    return ev;
  }
  ev.direction = bri_mode_switch(s->p, &s->k, &s->mode, e, s->t, s->y, s->f, &ev.type);
  ev.index = bri_event_contact(s->p, e);
  if (s->along) s->along->after(s);
  /* in a large plant all but this contact go on as foreseen */
  if (!s->p->band || ev.type != BR_EVENT_REVERSAL) s->h_last = 0;
  return ev;
}

/* Has contact velocity e so far been below what the absolute tolerance lets pass?  Then it has had no
 * direction that it could reverse. */
static int hardly_moved(const br_solver *s, size_t e)
{
  const br_plant *p = s->p;
  double noise = 0;
  for (size_t l = 0; l < p->nq; l++)
    noise += fabs(p->Cv[e * p->nq + l]) * (s->set.atols ? s->set.atols[l] : s->set.atol);
  return s->gtop[e] <= 10 * s->r_int / s->set.rtol * noise;
}

/* The events marked in s->hit[] happen at the end of the step, reversals last: they ask for the state of the
 * elements.  They are reported in the order of their times, s->when[]. */
static void happen_all(br_solver *s)
{
  size_t n = 0;
  for (size_t e = s->ne; e-- > 0;) {
    if (s->hit[e] == 0) continue;
    const bri_happened ev = happen(s, e, s->when[e]);
    if (ev.type == BR_EVENT_REVERSAL && hardly_moved(s, e)) continue;
    size_t at = n++;
    for (; at > 0 && s->happened[at - 1].t > ev.t; at--) s->happened[at] = s->happened[at - 1];
    s->happened[at] = ev;
  }
  for (size_t i = 0; i < n; i++) {
    const bri_happened *ev = &s->happened[i];
    if (s->along) s->along->tell(s, ev->tau);
    bri_report(s, ev->t, ev->type, ev->index, ev->direction);
  }
  if (s->along) s->along->tell(s, 0);
}

/* A contact that starts at v = 0 moves to the other side than assumed: turn its direction, no time passes.
 * Returns 1 when the try must be repeated. */
static int turn_at_rest(br_solver *s, size_t e)
{
  if (e >= s->p->nk || s->mode.c[e].stuck || fabs(s->g0[e]) > s->gtol[e] || s->mode.c[e].flips >= 2) return 0;
  s->mode.c[e].flips++;
  if (s->along) s->along->turns(s, 0);
  if (bri_holds(s->p, e / s->p->ax) && s->mode.c[e].flips == 2) { /* pushed back from both sides: it rests */
    s->mode.c[e].stuck = 1;
    if (s->p->pure[e] >= 0) s->y[s->p->pure[e]] = 0;
  } else {
    bri_events(s->p, &s->k, &s->mode, s->t, s->y, s->g, s->tmp);
    const double u = s->p->free ? s->y[s->p->nq + e] : s->k.u[e];
    bri_mode_direct(s->p, &s->k, &s->mode, e, u, -s->mode.c[e].sign);
    bri_mode_update(s->p, &s->k, &s->mode, e, s->y);
  }
  bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->f);
  if (s->along) s->along->turns(s, 1);
  bri_event_values(s, s->t, s->y, s->g0);
  return 1;
}

/* Contact velocity e, positive on its side, where the polynomial of the last step goes on to x behind its
 * end. */
static double foreseen_velocity(const br_solver *s, size_t e, double x)
{
  const size_t iv = (size_t)s->p->pure[e], n = s->p->ny;
  const double th = 1 + x / s->h_last, *c = s->last.poly + iv;
  double v = 0;
  for (int q = s->last.stages - 1; q >= 0; q--) v = (v + c[(size_t)q * n]) * th;
  return s->mode.c[e].sign * (s->y0[iv] + v);
}

/* Where that lets a sliding contact reverse within h: that size, or 0. */
static double foreseen_of(const br_solver *s, size_t e, double h)
{
  if (s->p->pure[e] < 0 || s->mode.c[e].stuck) return 0;
  if (!(foreseen_velocity(s, e, h) < 0) || !(s->mode.c[e].sign * s->y[s->p->pure[e]] > 0)) return 0;
  double lo = 0, hi = h;
  for (int i = 0; i < 12; i++) {
    const double mid = 0.5 * (lo + hi);
    if (foreseen_velocity(s, e, mid) < 0) hi = mid;
    else lo = mid;
  }
  return hi;
}

/* The first of them, for one contact or the many of a large plant. */
static double foreseen_reversal(const br_solver *s, double h, size_t *e)
{
  const br_plant *p = s->p;
  double first = 0;
  if (!(s->h_last > 0) || !s->set.locate || (p->nk != 1 && !p->band)) return 0;
  for (size_t j = 0; j < p->nk; j++) {
    const double x = foreseen_of(s, j, first > 0 ? first : h);
    if (x > 0) first = x, *e = j;
  }
  return first;
}

/* Behind a step that ended where the velocity of contact e is zero: does it only touch zero there?  A
 * crossing so flat that the error of a step decides about it is none if the contact goes on to the side it
 * came from; h is the size of the trial that looks. */
static int only_touches(br_solver *s, size_t e, double h)
{
  const bri_guess none = {NULL, 0, 0};
  if (!(h > 0) || bri_try(s, s->t, s->y, s->f, &s->mode, h, &none, 1, &s->trial)) return 0;
  s->h_try = h;
  bri_node_events(s);
  for (int i = 0; i < s->trial.stages; i++)
    if (!(s->g[(size_t)i * s->ne + e] > s->gtol[e])) return 0;
  return 1;
}

/* Does no smaller step better the work?  Then it starts as a power of the time, where a thousandth of the
 * step leaves nothing to get wrong, or it is rounding, and the next steps may grow. */
enum { MOST_VAIN = 7 };
typedef struct {
  int tries;        /* that bettered it by less than half */
  double h, before; /* s, the first size that was refused; the last error */
} work_watch;

/* Is the work of the trial much of all so far? */
static int work_begins(const br_solver *s)
{
  double step = 0, all = 0;
  for (int a = 0; a < 3; a++) step += s->step_flow[a], all += s->flow[a];
  return step > 1e-6 * all;
}

static int in_vain(work_watch *w, double error, double h)
{
  if (!(error > 1) || w->tries == MOST_VAIN) return 0;
  if (w->h == 0) w->h = h;
  w->tries += error > 0.5 * w->before;
  w->before = error;
  return w->tries == MOST_VAIN;
}

br_status bri_step_once(br_solver *s, double t_stop, br_err *err)
{
  const br_plant *p = s->p;
  if (s->t >= s->t_seg) {
    const br_status st = bri_segment(s, err);
    if (st != BR_OK) return st;
  }
  set_tolerances(s);
  bri_event_tolerances(s);
  const double room = fmin(t_stop, s->t_seg) - s->t;
  const double least = 1e-14 * fmax(fabs(s->t), isfinite(room) ? 1e-6 * room : 0);
  /* the last size may have been a remainder before a corner */
  double h = s->h > least ? s->h : fmax(first_size(s, room), 2 * least);
  int landing = 0, tries = 0, grazes = 0, stuck_crossing = 0, from_same = 0,
      careful = s->rejected_last || s->h_last == 0;
  size_t target = 0;
  double h_same = 0, h_full = 0;
  work_watch watch = {0, 0, 0};
  for (size_t j = 0; j < p->nk; j++) s->mode.c[j].flips = 0;
  if (s->set.h_max > 0) h = fmin(h, s->set.h_max);
  const double soon = foreseen_reversal(s, fmin(h, room), &target);
  if (soon > least) landing = 1, h_full = fmin(h, room), h = soon;
  for (;;) {
    if (!landing) {
      if (h >= room || room - h < 1e-3 * h) h = room;
      else if (h > 0.5 * room) h = 0.5 * room;
    }
    if (!(h > least) && watch.h > 0 && watch.tries < MOST_VAIN)
      watch.tries = MOST_VAIN, h = fmax(1e-3 * watch.h, 2 * least);
    if (!(h > least) && room > 2 * least && !stuck_crossing)
      return bri_trouble(s, BR_E_CONVERGE, "step size too small", s->t, s->y, err);
    if (++tries > 200) return bri_trouble(s, BR_E_CONVERGE, "no acceptable step found", s->t, s->y, err);
    s->h_try = h;
    bri_guess guess = {NULL, 0, 0};
    if (from_same) guess.step = &s->trial, guess.h = h_same, guess.shift = 0;
    else if (s->h_last > 0) guess.step = &s->last, guess.h = s->h_last, guess.shift = 1;
    if (bri_try(s, s->t, s->y, s->f, &s->mode, h, &guess, careful, &s->trial)) {
      s->stats.rejected++;
      /* too far for the Jacobian of one point, when it converged slowly; or the guess was bad */
      const int slow = s->trial.theta_newton > 0 && s->trial.theta_newton < 0.8;
      if (guess.step && guess.shift == 1 && !slow) s->h_last = 0;
      h *= slow || guess.step ? 0.5 : 0.25;
      from_same = 0;
      landing = 0;
      careful = 1;
      continue;
    }
    from_same = 1;
    h_same = h;
    size_t e = 0;
    double place = 2, graze = 2;
    if (s->set.locate) {
      bri_event_rounding(s);
      bri_node_events(s);
      if (!stuck_crossing) place = bri_first_crossing(s, &e, &graze);
    }
    if (graze > 0.05 && graze < 0.95 && graze < place && !landing && grazes < 3) {
      grazes++; /* end the step at the minimum: there the sign is known with the accuracy of a step */
      s->stats.rejected++;
      h *= graze;
      continue;
    }
    /* a reversal right behind the start is believed only of an accurate step */
    const int doubtful = e < p->nk && !s->mode.c[e].stuck && s->trial.err > 1 && fabs(s->g0[e]) <= s->gtol[e];
    if (place <= 1 && !doubtful) {
      if ((place * h <= least || bri_leaves_otherwise(s, e)) && turn_at_rest(s, e)) {
        from_same = 0;
        continue;
      }
      const double hn = place * h;
      if (!landing) h_full = h;
      if (landing > 40 || !(hn > least)) {
        if (hn > least) { /* cannot pin it down: let the error control pass it */
          stuck_crossing = 1;
          continue;
        }
        if (++s->idle > 100) return bri_trouble(s, BR_E_CONVERGE, "events without progress", s->t, s->y, err);
        memset(s->hit, 0, s->ne * sizeof *s->hit);
        s->hit[e] = 1, s->when[e] = s->t;
        happen_all(s); /* it happens right here */
        bri_event_values(s, s->t, s->y, s->g0);
        return s->stop ? BR_INTERRUPTED : BR_OK;
      }
      landing++;
      target = e;
      h = hn < (p->band ? 1 : 0.999) * h ? hn : 0.999 * h;
      s->stats.rejected++;
      continue;
    }
    const int over = jumps_over_hump(s, s->trial.Y + (size_t)(s->trial.stages - 1) * p->ny, h);
    const double work = bri_work_error(s, h);
    if (in_vain(&watch, work, h) && work_begins(s)) {
      s->stats.rejected++;
      h = fmax(fmin(h, 1e-3 * watch.h), 2 * least);
      landing = 0;
      continue;
    }
    if (watch.tries < MOST_VAIN) s->trial.err = bri_worse(s->trial.err, work);
    if (s->trial.err > 1 || over) {
      s->stats.rejected++;
      h = s->trial.err > 1 ? next_size(s, h, s->trial.err, 0) : 0.5 * h;
      landing = 0;
      careful = 1;
      continue;
    }
    if (landing) {
      const double g1 = s->g[(size_t)(s->trial.stages - 1) * s->ne + target],
                   slope = bri_node_slope(s, target);
      if (g1 > s->gtol[target] && slope < 0 && landing < 40) { /* short of it: extend */
        const double more = fmin(-g1 / slope, 0.5) * 1.000001;
        landing++;
        h = fmin(h * (1 + more), h_full);
        if (s->t + h > fmin(t_stop, s->t_seg)) h = room;
        if (h > h_same * (1 + 1e-15)) continue;
      }
    }
    break;
  }
  /* accepted; is the end of the step an event?  Several may coincide. */
  const double *g1 = s->g + (size_t)(s->trial.stages - 1) * s->ne;
  size_t hits = 0, flat = s->ne;
  for (size_t e = 0; s->set.locate && e < s->ne && !stuck_crossing; e++) {
    s->hit[e] = 0;
    if (!(g1[e] <= s->gtol[e])) continue;
    const double slope = bri_node_slope(s, e) / h;
    const int smooth = e >= bri_first_kink(p) || p->kinks || p->moving ||
                       (e < p->nk && !s->mode.c[e].stuck); /* may also touch zero and turn back */
    if (smooth && !(landing && e == target) && !(slope * h < -10 * s->gtol[e])) continue;
    if (smooth && e < p->nk && -slope * fmax(h, h_full) < 4 * sqrt(s->set.rtol) * s->gtop[e]) flat = e;
    s->hit[e] = 1, s->when[e] = s->t + h * bri_event_place(s, e);
    hits++;
  }
  const double h_next = next_size(s, h, s->trial.err, tries > 1 ? 2 : 1);
  s->h = landing ? fmin(h_full, fmax(h_next, h)) : s->rejected_last ? fmin(h, h_next) : h_next;
  if (!landing && h == room && s->set.h0 == 0 && s->h < 0.99 * h_next) s->h = h_next;
  s->rejected_last = !landing && tries > 1;
  if (watch.tries == MOST_VAIN && work_begins(s)) s->h = 8 * watch.h, s->rejected_last = 0;
  if (s->set.locate) memcpy(s->g0, g1, s->ne * sizeof *g1);
  accept(s, h);
  if (h == room) s->t = fmin(t_stop, s->t_seg);
  bri_eval(p, &s->k, &s->mode, s->t, s->y, s->f);
  if (flat < s->ne && only_touches(s, flat, fmin(fmax(h, h_full), fmin(t_stop, s->t_seg) - s->t))) {
    s->hit[flat] = 0;
    hits--;
  }
  if (hits) {
    happen_all(s);
    bri_eval(p, &s->k, &s->mode, s->t, s->y,
             s->f); /* a callback may have switched what the field depends on */
    bri_event_values(s, s->t, s->y, s->g0);
  }
  return s->stop ? BR_INTERRUPTED : BR_OK;
}
