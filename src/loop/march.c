/* SPDX-License-Identifier: Apache-2.0
 * march.c - a model along a whole arc, or a piece of a wave, in steps of its own choice.
 * Every component has its own yardstick, the largest value it takes on the way (a rough run finds it): a long
 * path, or a neighbour that counts, hides no error.  A step ends where a state passes zero, because models
 * switch there.  Where a state has settled (its equilibrium attracts, and stays where it is for the rest of
 * the way) it is put onto the equilibrium and held: a saturated plateau of any length costs a few steps. */
#include <float.h>

#include "../../core/elementary.h"
#include "../base/root.h"
#include "../text/fail.h"
#include "arc_internal.h"

#include <string.h>

#define DERIVATIVE_TOL 1e-9 /* relative error of the derivative of the period map that Newton is given */
#define ROUGH_TOL 1e-4      /* of the run that finds the sizes */
#define MOST_STEPS 400000

/* The run: the equations, where it stands, and what it has seen. */
typedef struct {
  bri_ode o;
  double r, end, length, tol;
  double x[BRI_ODE_DIM], dx[BRI_ODE_DIM];
  double top[BRI_ODE_DIM]; /* yardstick of each component */
  double stiffness;        /* 1 / unit of r, where it stands */
  double next[BRI_ODE_DIM], off[BRI_ODE_DIM];
  bri_arc_sums *sums;       /* NULL: not asked for */
  char unseen[BRI_ODE_DIM]; /* states on which neither the force nor any rate depends */
} run;

static size_t stride(const bri_ode *o) { return o->pair ? 2 : 1; }
static size_t states(const bri_ode *o) { return o->a->nz * stride(o); } /* numbers before filter and work */

/* A counter that nothing looks at (damage that does not act) may be the difference of two equal rates: noise
 * that no step gets to any digit. */
static void find_unseen(run *w)
{
  const size_t n = w->o.a->nz, step = stride(&w->o);
  double x[BRI_ODE_DIM] = {0}, dx[BRI_ODE_DIM], moved[BRI_ODE_DIM];
  bri_ode real = w->o;
  real.pair = real.with_work = 0, real.dim = n;
  for (size_t i = 0; i < n; i++) x[i] = w->x[i * step];
  const double F = bri_ode_force(&real, w->r, x);
  bri_ode_slope(&real, w->r, x, dx);
  for (size_t i = 0; i < n; i++) {
    const double keep = x[i];
    x[i] += 0.1 * (1 + fabs(keep));
    bri_ode_slope(&real, w->r, x, moved);
    const int same = bri_ode_force(&real, w->r, x) == F && memcmp(dx, moved, n * sizeof *dx) == 0;
    w->unseen[i * step] = w->unseen[i * step + step - 1] = (char)same;
    x[i] = keep;
  }
}

/* ---- error of a step ---- */

/* Size of a component: what it takes on the way as far as is known, and what the trial step makes of it (in a
 * rough run a power of the path grows through many decades; a runaway agrees with its own error to no digit).
 */
static double yardstick(const run *w, size_t i) { return fmax(1e-290, fmax(w->top[i], fabs(w->next[i]))); }

/* The derivative jumps where the equations switch (|z| at z = 0) although the state does not: it has its own
 * error. */
static double imaginary_error(const run *w)
{
  double off = 0, size = 0;
  for (size_t i = 1; i < w->o.dim; i += 2) {
    if (w->unseen[i]) continue;
    off = bri_worse(off, w->off[i]);
    size = fmax(size, fmax(fabs(w->next[i]), fabs(w->x[i])));
  }
  return size > 0 || !(off == 0) ? off / size : 0.0;
}

/* From or to zero a power of the state may bend the curve (|z|^eta, eta < 1), and the extrapolation believes
 * in more digits than it has. */
static void doubt_near_zero(run *w)
{
  for (size_t i = 0; i < states(&w->o); i += stride(&w->o)) {
    const double from = fabs(w->x[i]), to = fabs(w->next[i]);
    if (fmax(from, to) > 2 * fmin(from, to)) w->off[i] *= 32;
  }
}

/* Largest error of the trial step over H, in units of the tolerance. */
static double try_step(run *w, double H)
{
  double worst = 0;
  bri_ode_step(&w->o, w->r, H, w->x, w->dx, w->next, w->off);
  doubt_near_zero(w);
  const double doubt = bri_ode_doubt(H * w->stiffness);
  for (size_t i = 0; i < w->o.dim; i++) w->off[i] *= doubt;
  for (size_t i = 0; i < w->o.dim; i += stride(&w->o))
    if (!w->unseen[i]) worst = bri_worse(worst, w->off[i] / (yardstick(w, i) * w->tol));
  const int derivative = w->o.pair && w->tol < ROUGH_TOL;
  return derivative ? bri_worse(worst, imaginary_error(w) / DERIVATIVE_TOL) : worst;
}

/* The work may pass zero anywhere: its yardstick is the force times the path of the whole arc or period. */
static void measure(run *w)
{
  bri_ode_slope(&w->o, w->r, w->x, w->dx);
  for (size_t i = 0; i < w->o.dim; i++) w->top[i] = fmax(w->top[i], fabs(w->x[i]));
  w->stiffness = bri_ode_stiffness(&w->o, w->r, w->x, w->top);
  if (!w->o.with_work) return;
  const double path = w->o.wave ? br_signal_path(w->o.wave->input) : w->length;
  double *top = &w->top[w->o.dim - 1];
  *top = fmax(*top, fabs(bri_ode_force(&w->o, w->r, w->x)) * path);
}

/* ---- switching at zero ---- */

/* Component whose real part changes its sign over the trial step, dim when none. */
static size_t crossing(const run *w)
{
  for (size_t i = 0; i < states(&w->o); i += stride(&w->o))
    if (!w->unseen[i] && w->x[i] * w->next[i] < 0) return i;
  return w->o.dim;
}

/* Largest change of a state on its way to zero, against its own size.  A step that more than turns the state
 * over may jump across a switching place with a clean error estimate (the field is piecewise linear there):
 * it is not to be trusted. */
static double turnover(const run *w)
{
  double worst = 0;
  for (size_t i = 0; i < states(&w->o); i += stride(&w->o)) {
    const double change = w->next[i] - w->x[i];
    if (!w->unseen[i] && !(w->x[i] * change > 0)) worst = bri_worse(worst, fabs(change) / yardstick(w, i));
  }
  return worst;
}

/* Put component i of the trial just beyond zero, so that sgn and its derivative are those ahead.  A deviation
 * is carried along like the flow itself: in proportion to the rate. */
static void put_beyond(run *w, double H, size_t i)
{
  double before[BRI_ODE_DIM], after[BRI_ODE_DIM];
  bri_ode_slope(&w->o, w->r + H, w->next, before);
  w->next[i] = copysign(1e-18 * w->top[i], -w->x[i]);
  if (!w->o.pair) return;
  bri_ode_slope(&w->o, w->r + H, w->next, after);
  const double ratio = after[i] / before[i];
  if (ratio > 0.5 && ratio < 2) w->next[i + 1] *= ratio;
}

/* Shorten the step so that component i ends on zero; the trial and its error follow. */
static double stop_at_zero(run *w, double *H, size_t i)
{
  bri_bracket b = bri_bracket_of(0, w->x[i], *H, w->next[i]);
  double e = 0;
  for (int k = 0; k < 60; k++) {
    const double h = bri_bracket_next(&b);
    e = try_step(w, h);
    *H = h;
    if (fabs(w->next[i]) <= 1e-16 * w->top[i] || h == b.a || h == b.b) break;
    bri_bracket_take(&b, h, w->next[i]);
  }
  put_beyond(w, *H, i);
  return e;
}

/* ---- settled states ---- */

/* Rate of component i at r, and how it answers to a change of component j. */
static double answer(const run *w, double r, size_t i, size_t j, double change, double *rate)
{
  double x[BRI_ODE_DIM], up[BRI_ODE_DIM], down[BRI_ODE_DIM], mid[BRI_ODE_DIM];
  memcpy(x, w->x, w->o.dim * sizeof *x);
  bri_ode_slope(&w->o, r, x, mid);
  x[j] = w->x[j] + change;
  bri_ode_slope(&w->o, r, x, up);
  x[j] = w->x[j] - change;
  bri_ode_slope(&w->o, r, x, down);
  *rate = mid[i];
  return up[i] - down[i];
}

/* Does the rate of i depend on another state that still moves? */
static int is_driven(const run *w, double r, size_t i, double least)
{
  double rate;
  for (size_t j = 0; j < states(&w->o); j += stride(&w->o)) {
    if (j == i || w->o.held[j]) continue;
    const double change = 1e-3 * (w->x[j] != 0 ? fabs(w->x[j]) : 1);
    if (!(fabs(answer(w, r, i, j, change, &rate)) <= least)) return 1;
  }
  return 0;
}

/* Is component i within the tolerance of an equilibrium that attracts, and that is the same for the rest of
 * the way?  *drift: how far it moves on that way, within the tolerance; *fade: exponent of what is left of a
 * deviation at the end. */
static int is_settled(const run *w, size_t i, double *shift, double *drift, double *fade)
{
  static const double place[] = {0, 0.11, 0.37, 0.71, 0.94, 1};
  const double rest = w->end - w->r, size = fabs(w->x[i]), tol = 4 * w->tol * size;
  const int places = sizeof place / sizeof place[0];
  double sum = 0;
  for (int k = 0; k < places; k++) {
    double rate;
    const double r = w->r + place[k] * rest, change = 1e-5 * size;
    const double pull = -answer(w, r, i, i, change, &rate) / (2 * change);
    if (!(pull > 0) || !(fabs(rate) <= tol * pull) || is_driven(w, r, i, tol * pull)) return 0;
    if (k == 0) *shift = rate / pull;
    *drift = fmax(*drift, fabs(rate / pull - *shift));
    sum += pull / places;
  }
  *fade = sum * rest;
  return *fade > 1;
}

static void hold_settled(run *w, double H)
{
  for (size_t i = 0; i < states(&w->o); i += stride(&w->o)) {
    double shift = 0, drift = 0, fade = 0;
    if (w->o.held[i] || !(fabs(w->dx[i]) * H <= 1e3 * w->tol * fabs(w->x[i])) ||
        !is_settled(w, i, &shift, &drift, &fade))
      continue;
    w->x[i] += shift;
    w->o.held[i] = 1;
    if (w->o.pair) w->x[i + 1] *= bri_exp(-fade), w->o.held[i + 1] = 1;
    if (w->sums) /* what was is forgotten on the way */
      w->sums->error[i] =
          (w->sums->error[i] + fabs(shift)) * bri_exp(-fade) + drift + 2 * DBL_EPSILON * fabs(w->x[i]);
    measure(w);
  }
}

/* ---- what is seen on the way ---- */

static void see(bri_arc_sums *sums, double F)
{
  sums->lo = fmin(sums->lo, F);
  sums->hi = fmax(sums->hi, F);
}

/* Sign of dF/dr at (r, x), 0 where rounding hides it. */
static int trend(const run *w, double r, double H, const double *x)
{
  double dx[BRI_ODE_DIM], on[BRI_ODE_DIM];
  const double d = 1e-3 * H, F = bri_ode_force(&w->o, r, x);
  bri_ode_slope(&w->o, r, x, dx);
  for (size_t i = 0; i < w->o.dim; i++) on[i] = x[i] + d * dx[i];
  const double change = bri_ode_force(&w->o, r + d, on) - F;
  return fabs(change) <= 16 * DBL_EPSILON * fabs(F) ? 0 : change > 0 ? 1 : -1;
}

/* An extreme of the force inside the step just made (the trial still stands): where its trend turns. */
static void see_inside(run *w, double H)
{
  const int from = trend(w, w->r, H, w->x), to = trend(w, w->r + H, -H, w->next); /* looking back */
  if (from == 0 || from != to) return;
  double lo = 0, hi = H, x[BRI_ODE_DIM], off[BRI_ODE_DIM];
  for (int k = 0; k < 30; k++) {
    const double h = 0.5 * (lo + hi);
    bri_ode_step(&w->o, w->r, h, w->x, w->dx, x, off);
    see(w->sums, bri_ode_force(&w->o, w->r + h, x));
    if (trend(w, w->r + h, 1e-3 * H, x) == from) lo = h;
    else hi = h;
  }
}

static void advance(run *w, double H)
{
  if (w->sums) {
    see_inside(w, H);
    for (size_t i = 0; i < w->o.a->nz && i < BR_LOOP_MAX_STATE; i++)
      if (!w->o.held[i]) w->sums->error[i] += w->off[i] + 2 * DBL_EPSILON * fabs(w->next[i]);
  }
  w->r = H == w->end - w->r ? w->end : w->r + H;
  memcpy(w->x, w->next, w->o.dim * sizeof *w->x);
  measure(w);
  if (w->sums) see(w->sums, bri_ode_force(&w->o, w->r, w->x));
}

/* ---- the march ---- */

/* First step: what the fastest state needs to change by half of itself, at most an eighth of the way. */
static double first_step(const run *w)
{
  double H = w->length / 8;
  for (size_t i = 0; i < states(&w->o); i += stride(&w->o))
    if (w->x[i] != 0 && fabs(w->dx[i]) * H > 0.5 * fabs(w->x[i])) H = 0.5 * fabs(w->x[i] / w->dx[i]);
  return fmax(H, 0x1p-90 * w->length);
}

static br_status stuck(const run *w, br_status st, const char *what, br_err *err)
{
  double u, v;
  (void)bri_ode_motion(&w->o, w->r, &u, &v);
  return bri_fail(err, st, "%s: %s at u = %.9g m", w->o.a->model->name, what, u);
}

static br_status march(run *w, br_err *err)
{
  double H = first_step(w);
  for (long count = 0; w->r < w->end; count++) {
    const double smallest = 0x1p-50 * fabs(w->r) + 0x1p-90 * w->length;
    if (bri_stopped(w->o.a->stop)) return stuck(w, BR_INTERRUPTED, "stopped", err);
    if (count > MOST_STEPS)
      return stuck(w, BR_E_CONVERGE, "integration along an arc needs too many steps", err);
    hold_settled(w, H);
    if (H * w->stiffness > BRI_ODE_FAR) H = fmax(smallest, BRI_ODE_FAR / w->stiffness);
    if (w->r + H > w->end) H = w->end - w->r;
    double e = try_step(w, H);
    if (!(e < 1e300)) {
      if (H <= smallest) return stuck(w, BR_E_NAN, "the state runs away", err);
      H = fmax(smallest, 0.25 * H);
      continue;
    }
    const double turned = turnover(w);
    if (H > smallest && turned > 0.7) {
      H = fmax(smallest, H * fmax(0.1, 0.5 / turned));
      continue;
    }
    if (e <= 1e4 && H > smallest) { /* near enough to trust the sign at the end */
      const size_t i = crossing(w);
      if (i < w->o.dim) e = stop_at_zero(w, &H, i);
    }
    if (e <= 1 || H <= smallest) advance(w, H);
    H *= fmin(4.0, fmax(0.1, 0.85 * bri_pow(e + 1e-30, -1.0 / (2 * BRI_ODE_COLUMNS - 1))));
    H = fmax(H, smallest);
  }
  return BR_OK;
}

static br_status run_over(const bri_ode *o, double r, double end, double tol, run *w, br_err *err)
{
  w->o = *o, w->r = r, w->end = end, w->length = end - r, w->tol = tol;
  measure(w);
  return march(w, err);
}

br_status bri_march(const bri_ode *o, double r, double end, double *x, bri_arc_sums *sums, br_err *err)
{
  run w;
  memset(&w, 0, sizeof w);
  memcpy(w.x, x, o->dim * sizeof *x);
  w.o = *o, w.r = r;
  find_unseen(&w);
  br_status st = BR_OK;
  if (o->a->rtol < ROUGH_TOL) st = run_over(o, r, end, ROUGH_TOL, &w, err);
  if (st != BR_OK) return st;
  w.sums = sums;
  if (sums) sums->lo = sums->hi = bri_ode_force(o, r, x);
  memcpy(w.x, x, o->dim * sizeof *x);
  st = run_over(o, r, end, o->a->rtol, &w, err);
  memcpy(x, w.x, o->dim * sizeof *x);
  return st;
}
