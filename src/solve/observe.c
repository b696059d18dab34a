/* SPDX-License-Identifier: Apache-2.0
 * observe.c - what is watched along the way: work and energy, extremes.
 *
 * Work integrals use the weights of the method itself: the same as carrying them as further states. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/worse.h"
#include "solver.h"

void bri_power_flows(br_solver *s, const double *y, double *out)
{
  const br_plant *p = s->p;
  const bri_work *k = &s->k;
  out[0] = p->sys->power ? p->sys->power(p->spar, k->w, k->dw, y, k->F) : 0;
  out[1] = 0;
  for (size_t j = 0; j < p->nk; j++) out[1] += k->F[j] * k->v[j];
  out[2] = p->sys->lost ? p->sys->lost(p->spar, k->w, k->dw, y) : p->sys->loss ? p->sys->loss(p->spar, y) : 0;
}

/* State and forces of a point into one row. */
static void row(br_solver *s, const bri_mode *m, double t, const double *y, double *out)
{
  bri_full(s->p, &s->k, m, t, y, out);
  bri_eval(s->p, &s->k, m, t, y, s->tmp);
  memcpy(out + s->p->nx, s->k.F, s->p->nk * sizeof *out);
}

/* Quantity i has the value x at theta of the step. */
static void widen_one(br_solver *s, size_t i, double x, double theta)
{
  if (x < s->lo[i]) s->lo[i] = x, s->place[i] = theta;
  if (x > s->hi[i]) s->hi[i] = x, s->place[s->p->nx + s->p->nk + i] = theta;
}

static void widen(br_solver *s, const double *r, double theta)
{
  for (size_t i = 0; i < s->p->nx + s->p->nk; i++) widen_one(s, i, r[i], theta);
}

void bri_observe_start(br_solver *s)
{
  memset(s->quad, 0, sizeof s->quad);
  memset(s->quad_out, 0, sizeof s->quad_out);
  memset(s->flow, 0, sizeof s->flow);
  bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->tmp);
  s->stored0 = bri_stored(s->p, &s->k, &s->mode, s->y);
  s->mech0 = bri_stored_alone(s->p, &s->k, s->y);
  if (!s->set.extremes) return;
  row(s, &s->mode, s->t, s->y, s->obs);
  memcpy(s->lo, s->obs, (s->p->nx + s->p->nk) * sizeof *s->lo);
  memcpy(s->hi, s->obs, (s->p->nx + s->p->nk) * sizeof *s->hi);
}

/* Quantity i at theta of the accepted step, by a step of its own. */
static int exact(br_solver *s, size_t i, double theta, double h, double *value)
{
  const bri_guess guess = {&s->last, h, 0};
  double *r = s->tmp + 2 * (s->p->ny + s->p->nx + s->p->nk);
  if (bri_try(s, s->t0, s->y0, s->f0, &s->mode0, theta * h, &guess, 0, &s->trial)) return 1;
  row(s, &s->mode0, s->t0 + theta * h, s->trial.Y + (size_t)(s->trial.stages - 1) * s->p->ny, r);
  *value = r[i];
  return 0;
}

/* An extremum inside the step: place from the polynomial, value from three exact points around it. */
static void refine(br_solver *s, size_t i, double h, double way)
{
  const size_t w = s->p->nx + s->p->nk;
  double best = 0, at = -1, v[3];
  for (int q = 0; q <= 40; q++) {
    const double x = q / 40.0, a = way * bri_node_poly(&s->last, s->obs + i, w, x);
    if (at < 0 || a > best) best = a, at = x;
  }
  double left = fmax(0, at - 0.025), right = fmin(1, at + 0.025);
  for (int q = 0; q < 24; q++) { /* golden section on the polynomial */
    const double x = right - 0.618 * (right - left), z = left + 0.618 * (right - left);
    if (way * bri_node_poly(&s->last, s->obs + i, w, x) > way * bri_node_poly(&s->last, s->obs + i, w, z))
      right = z;
    else left = x;
  }
  at = 0.5 * (left + right);
  if (s->p->band) { /* large plants: that of the polynomial, or every state would ask for steps of its own */
    const double top = bri_node_poly(&s->last, s->obs + i, w, at);
    widen_one(s, i, top, at);
    return;
  }
  const double d = fmin(0.02, 0.5 * fmin(at, 1 - at));
  if (!(d > 1e-6)) return;
  for (int q = 0; q < 3; q++)
    if (exact(s, i, at + (q - 1) * d, h, &v[q])) return;
  const double curve = v[0] - 2 * v[1] + v[2], half = 0.5 * (v[2] - v[0]);
  double top = v[1];
  if (way * curve < 0 && fabs(half) < fabs(curve))
    top = v[1] - 0.5 * half * half / curve, at -= d * half / curve;
  if (way > 0 ? top > s->hi[i] : top < s->lo[i]) widen_one(s, i, top, at);
}

/* Powers of the points of a step into rows [stages + 1][3], the start first; keep: contact forces into obs[],
 * where bri_observe_step() finds them. */
static void powers(br_solver *s, const bri_step *st, const bri_mode *m, double t0, const double *y0, double h,
                   int keep, double (*rows)[3])
{
  const size_t w = s->p->nx + s->p->nk;
  for (int i = 0; i <= st->stages; i++) {
    const double *y = i ? st->Y + (size_t)(i - 1) * s->p->ny : y0;
    const double t = i == 0 ? t0 : i == st->stages ? t0 + h : t0 + st->theta[i - 1] * h;
    if (i == 0 && st->weight0 == 0) continue;
    bri_eval(s->p, &s->k, m, t, y, s->tmp);
    bri_power_flows(s, y, rows[i]);
    if (keep && i) memcpy(s->obs + (size_t)i * w + s->p->nx, s->k.F, s->p->nk * sizeof *s->obs);
  }
}

static void integrate(const bri_step *st, double (*rows)[3], double h, double *out)
{
  for (int a = 0; a < 3; a++) {
    out[a] = st->weight0 != 0 ? h * st->weight0 * rows[0][a] : 0;
    for (int i = 0; i < st->stages; i++) out[a] += h * st->weight[i] * rows[i + 1][a];
  }
}

void bri_step_work(br_solver *s, const bri_step *st, double t0, const double *y0, double h, double *out)
{
  double rows[BRI_MAX_STAGE + 1][3] = {{0}};
  powers(s, st, &s->mode0, t0, y0, h, 0, rows);
  integrate(st, rows, h, out);
}

/* What the power a of the start has beyond the polynomial through the first n points behind it; *reach: what
 * a common error of all powers may make of that, in units of it; *size: of what is subtracted. */
static double beyond(const bri_step *st, double (*rows)[3], int a, int n, double start, double *reach,
                     double *size)
{
  double sum = start;
  *reach = 1, *size = fabs(start);
  for (int i = 0; i < n; i++) {
    double l = 1;
    for (int j = 0; j < n; j++)
      if (j != i) l *= st->theta[j] / (st->theta[j] - st->theta[i]);
    *reach += fabs(l), *size += fabs(l * rows[i + 1][a]);
    sum -= l * rows[i + 1][a];
  }
  return fabs(sum);
}

/* What the powers are not known better than. */
typedef struct {
  double loose[3]; /* W: as far as they move when every state does by its tolerance */
  double blur;     /* W: what rounding of the positions makes of them */
} vague;

/* How far a given position of contact velocity j is from the path that its velocity makes over the trial:
 * where it is a small difference (1 - cos t), that is its rounding, as long as it is no more than that of
 * what the position becomes. */
static double given_rounding(br_solver *s, size_t j, double h)
{
  const bri_step *st = &s->trial;
  bri_work *k = &s->k;
  double path = 0, u0 = 0, u = 0;
  if (!(s->p->sys->flags & BR_SYSTEM_GIVEN)) return 0;
  for (int i = -1; i < st->stages; i++) {
    bri_inputs(s->p, k, i < 0 ? s->t : i == st->stages - 1 ? s->t + h : s->t + st->theta[i] * h);
    bri_motion(s->p, k, s->y);
    path += h * (i < 0 ? st->weight0 : st->weight[i]) * k->v[j];
    u = k->u[j];
    if (i < 0) u0 = u;
  }
  bri_inputs(s->p, k, isfinite(s->t_seg) ? s->t_seg : s->t + 1e3 * h);
  bri_motion(s->p, k, s->y);
  return fmin(fabs(u - u0 - path), DBL_EPSILON * fabs(k->u[j]));
}

/* Elements and springs feel the rounding of a position at full stiffness, which two points of the step tell.
 * */
static double position_rounding(br_solver *s, double h)
{
  const br_plant *p = s->p;
  double sum = 0, *F = s->tmp + p->ny, *u = F + p->nk, *open = u + p->nk;
  if (p->kind != BRI_MAP && !p->uses_u) return 0;
  for (size_t j = 0; j < p->nk; j++) open[j] = given_rounding(s, j, h);
  bri_eval(p, &s->k, &s->mode, s->t, s->y, s->tmp);
  memcpy(F, s->k.F, p->nk * sizeof *F);
  memcpy(u, s->k.u, p->nk * sizeof *u);
  bri_eval(p, &s->k, &s->mode, s->t + h, s->trial.Y + (size_t)(s->trial.stages - 1) * p->ny, s->tmp);
  for (size_t j = 0; j < p->nk; j++)
    if (s->k.u[j] != u[j])
      sum += fabs((s->k.F[j] - F[j]) / (s->k.u[j] - u[j]) * s->k.v[j]) *
             (open[j] + DBL_EPSILON * fabs(s->k.u[j]));
  return sum;
}

/* At the end of the step: where the motion starts from zero nothing moves the powers of the start. */
static vague powers_are_vague(br_solver *s, double h)
{
  const br_plant *p = s->p;
  const double *end = s->trial.Y + (size_t)(s->trial.stages - 1) * p->ny;
  double *y = s->tmp + p->ny, moved[3];
  vague out = {{0}, position_rounding(s, h)};
  bri_eval(p, &s->k, &s->mode, s->t + h, end, s->tmp);
  bri_power_flows(s, end, out.loose);
  for (size_t l = 0; l < p->ny; l++) y[l] = end[l] + s->tol[l];
  bri_eval(p, &s->k, &s->mode, s->t + h, y, s->tmp);
  bri_power_flows(s, y, moved);
  for (int a = 0; a < 3; a++) out.loose[a] = fabs(moved[a] - out.loose[a]);
  for (size_t j = 0; j < p->nk; j++) /* a given velocity counts as a state */
    for (int a = 0; a < 3; a++) out.loose[a] += s->r_int / s->set.rtol * s->set.atol * fabs(s->k.F[j]);
  return out;
}

/* Error of power a's integral over its tolerance: the estimate, which is of lower order, against its own, and
 * what the order makes of it, judged by how fast the powers' polynomials converge, against the tolerance
 * asked for.  Beside a singularity (a state that saturates) they do not, and the estimate is the error. */
static double integral_error(const br_solver *s, double (*rows)[3], int a, double h, double start,
                             const vague *v)
{
  const bri_step *st = &s->trial;
  const double ratio = s->set.rtol / s->r_int, flow = s->flow[a] + s->step_flow[a];
  double reach, size;
  const double less = beyond(st, rows, a, st->stages - 1, start, &reach, &size);
  const double off = beyond(st, rows, a, st->stages, start, &reach, &size);
  const double late = fabs(s->t) / h * fabs(rows[st->stages][a] - start); /* times are rounded, too */
  if (!(off > 4 * DBL_EPSILON * (size + reach * late) + 4 * reach * v->blur))
    return isnan(off) ? INFINITY : 0;
  const double error = st->lead * h * off, allowed = s->r_int * flow + h * v->loose[a] + 1e-300;
  const double tail = bri_pow(fmin(1, off / less), st->stages - 1);
  return error / allowed * fmax(1, tail / ratio);
}

double bri_work_error(br_solver *s, double h)
{
  const bri_step *st = &s->trial;
  double rows[BRI_MAX_STAGE + 1][3] = {{0}}, start[3], worst = 0, *y = s->tmp + s->p->ny;
  vague v = {{0}, 0};
  if (!s->set.energy && !(s->set.extremes && (s->p->sys->flags & BR_SYSTEM_GIVEN))) return 0;
  powers(s, st, &s->mode, s->t, s->y, h, s->set.extremes, rows);
  s->forces_kept = s->set.extremes;
  integrate(st, rows, h, s->step_quad);
  for (int a = 0; a < 3; a++) {
    s->step_flow[a] = 0;
    for (int i = 0; i < st->stages; i++) s->step_flow[a] += h * st->weight[i] * fabs(rows[i + 1][a]);
  }
  for (size_t l = 0; l < s->p->ny; l++) y[l] = s->y[l] + st->off[l]; /* filtered, as the states' estimate */
  bri_eval(s->p, &s->k, &s->mode, s->t, y, s->tmp);
  bri_power_flows(s, y, start);
  for (int pass = 0;; pass++) {
    worst = 0;
    for (int a = 0; a < 3; a++) worst = bri_worse(worst, integral_error(s, rows, a, h, start[a], &v));
    if (pass == 1 || !(worst > 1)) return worst;
    v = powers_are_vague(s, h);
  }
}

void bri_observe_step(br_solver *s, double h)
{
  const size_t w = s->p->nx + s->p->nk;
  const bri_step *st = &s->last;
  if (s->set.energy)
    for (int a = 0; a < 3; a++) s->quad[a] += s->step_quad[a], s->flow[a] += s->step_flow[a];
  if (!s->set.extremes) return;
  row(s, &s->mode0, s->t0, s->y0, s->obs);
  for (int i = 0; i < st->stages; i++) {
    const double t = i == st->stages - 1 ? s->t0 + h : s->t0 + st->theta[i] * h;
    double *to = s->obs + (size_t)(i + 1) * w;
    if (s->forces_kept) bri_full(s->p, &s->k, &s->mode0, t, st->Y + (size_t)i * s->p->ny, to);
    else row(s, &s->mode0, t, st->Y + (size_t)i * s->p->ny, to);
  }
  s->forces_kept = 0;
  const double *first = s->obs, *end = s->obs + (size_t)st->stages * w;
  for (size_t i = 0; i < 2 * w; i++) s->place[i] = -1;
  widen(s, first, 0); /* behind a corner or an event a force may start with a jump */
  widen(s, end, 1);
  for (size_t i = 0; i < w; i++) {
    const double range = s->hi[i] - s->lo[i], near = 0.02 * range + 1e-300;
    double top = fmax(first[i], end[i]), low = fmin(first[i], end[i]);
    for (int a = 1; a < st->stages; a++) {
      const double x = s->obs[(size_t)a * w + i];
      if (x > top) top = x;
      if (x < low) low = x;
    }
    const int high = top > s->hi[i] - near, deep = low < s->lo[i] + near;
    if (!high && !deep) continue;
    /* an extremum inside shows in the slopes at the ends */
    const double d = 1e-3, left = bri_node_poly(st, s->obs + i, w, d) - first[i];
    const double right = end[i] - bri_node_poly(st, s->obs + i, w, 1 - d);
    if (high && ((left > 0 && right < 0) || top > fmax(first[i], end[i]))) refine(s, i, h, 1);
    if (deep && ((left < 0 && right > 0) || low < fmin(first[i], end[i]))) refine(s, i, h, -1);
  }
}
