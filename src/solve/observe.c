/* SPDX-License-Identifier: Apache-2.0
 * observe.c - what is watched along the way: work and energy, extremes.
 *
 * Work integrals use the weights of the method itself: the same as carrying them as further states. */
#include <math.h>
#include <string.h>

#include "solver.h"

void bri_power_flows(br_solver *s, const double *y, double *out)
{
  const br_plant *p = s->p;
  const bri_work *k = &s->k;
  out[0] = p->sys->power ? p->sys->power(p->spar, k->w, k->dw, y, k->F) : 0;
  out[1] = 0;
  for (size_t j = 0; j < p->nk; j++) out[1] += k->F[j] * k->v[j];
  out[2] = p->sys->loss ? p->sys->loss(p->spar, y) : 0;
}

/* State and forces of a point into one row. */
static void row(br_solver *s, const bri_mode *m, double t, const double *y, double *out)
{
  bri_full(s->p, &s->k, m, t, y, out);
  bri_eval(s->p, &s->k, m, t, y, s->tmp);
  memcpy(out + s->p->nx, s->k.F, s->p->nk * sizeof *out);
}

static void widen(br_solver *s, const double *r)
{
  for (size_t i = 0; i < s->p->nx + s->p->nk; i++) {
    if (r[i] < s->lo[i]) s->lo[i] = r[i];
    if (r[i] > s->hi[i]) s->hi[i] = r[i];
  }
}

void bri_observe_start(br_solver *s)
{
  memset(s->quad, 0, sizeof s->quad);
  memset(s->quad_out, 0, sizeof s->quad_out);
  bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->tmp);
  s->stored0 = bri_stored(s->p, &s->k, &s->mode, s->y);
  s->mech0 = s->p->sys->energy ? s->p->sys->energy(s->p->spar, s->y) : 0;
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
  const double d = fmin(0.02, 0.5 * fmin(at, 1 - at));
  if (!(d > 1e-6)) return;
  for (int q = 0; q < 3; q++)
    if (exact(s, i, at + (q - 1) * d, h, &v[q])) return;
  const double curve = v[0] - 2 * v[1] + v[2], half = 0.5 * (v[2] - v[0]);
  double top = v[1];
  if (way * curve < 0 && fabs(half) < fabs(curve)) top = v[1] - 0.5 * half * half / curve;
  if (way > 0) s->hi[i] = fmax(s->hi[i], top);
  else s->lo[i] = fmin(s->lo[i], top);
}

void bri_step_work(br_solver *s, const bri_step *st, double t0, const double *y0, double h, double *out)
{
  const br_plant *p = s->p;
  double q[3];
  memset(out, 0, 3 * sizeof *out);
  if (st->weight0 != 0) {
    bri_eval(p, &s->k, &s->mode0, t0, y0, s->tmp);
    bri_power_flows(s, y0, q);
    for (int a = 0; a < 3; a++) out[a] += h * st->weight0 * q[a];
  }
  for (int i = 0; i < st->stages; i++) {
    const double *y = st->Y + (size_t)i * p->ny, t = i == st->stages - 1 ? t0 + h : t0 + st->theta[i] * h;
    bri_eval(p, &s->k, &s->mode0, t, y, s->tmp);
    bri_power_flows(s, y, q);
    for (int a = 0; a < 3; a++) out[a] += h * st->weight[i] * q[a];
  }
}

/* Inputs and motion of the trial at theta. */
static void motion_at(br_solver *s, double theta, double h)
{
  bri_inputs(s->p, &s->k, theta == 1 ? s->t + h : s->t + theta * h);
  s->p->sys->motion(s->p->spar, s->k.w, s->k.dw, s->y, s->k.u, s->k.v);
}

int bri_misses_motion(br_solver *s, double h)
{
  const br_plant *p = s->p;
  const bri_step *st = &s->trial;
  const size_t n = p->nk;
  double *path = s->tmp, *u0 = path + n, *v0 = u0 + n, *v1 = v0 + n, *bent = v1 + n, *fast = bent + n;
  if (!(p->sys->flags & BR_SYSTEM_GIVEN) || !(s->set.energy || s->set.extremes)) return 0;
  memset(path, 0, 6 * n * sizeof *path);
  motion_at(s, 1, h);
  memcpy(v1, s->k.v, n * sizeof *v1);
  motion_at(s, 0, h);
  memcpy(v0, s->k.v, n * sizeof *v0);
  memcpy(u0, s->k.u, n * sizeof *u0);
  for (int i = -1; i < st->stages; i++) {
    const double theta = i < 0 ? 0 : i == st->stages - 1 ? 1 : st->theta[i];
    motion_at(s, theta, h);
    for (size_t j = 0; j < n; j++) {
      const double v = s->k.v[j];
      path[j] += h * (i < 0 ? st->weight0 : st->weight[i]) * v;
      bent[j] = fmax(bent[j], fabs(v - v0[j] - theta * (v1[j] - v0[j])));
      fast[j] = fmax(fast[j], fabs(v));
    }
  }
  for (size_t j = 0; j < n; j++) {
    const double way = s->k.u[j] - u0[j];
    if (bent[j] > 0.01 * fast[j] && fabs(path[j] - way) > 1e-3 * s->r_int * fabs(way) + 0x1p-50 * h * fast[j])
      return 1;
  }
  return 0;
}

/* Power that goes to the contacts at a point of the trial. */
static double power_at(br_solver *s, double t, const double *y)
{
  double flows[3];
  bri_eval(s->p, &s->k, &s->mode, t, y, s->tmp);
  bri_power_flows(s, y, flows);
  return flows[1];
}

int bri_misses_work(br_solver *s, double h)
{
  const br_plant *p = s->p;
  const bri_step *st = &s->trial;
  const size_t n = p->ny;
  double power[BRI_MAX_STAGE + 1], most = 0, *y = s->tmp + n, *rows = s->obs;
  if (!p->paths || !(p->sys->flags & BR_SYSTEM_GIVEN) || !s->set.energy) return 0;
  memcpy(rows, s->y, n * sizeof *rows);
  memcpy(rows + n, st->Y, (size_t)st->stages * n * sizeof *rows);
  for (int i = 0; i <= st->stages; i++) {
    power[i] = power_at(s, i == 0 ? s->t : s->t + st->theta[i - 1] * h, rows + (size_t)i * n);
    most = fmax(most, fabs(power[i]));
  }
  for (int i = 0; i < st->stages; i++) {
    const double x = 0.5 * ((i ? st->theta[i - 1] : 0) + st->theta[i]);
    for (size_t l = 0; l < n; l++) y[l] = bri_node_poly(st, rows + l, n, x);
    if (fabs(power_at(s, s->t + x * h, y) - bri_node_poly(st, power, 1, x)) > pow(s->r_int, 0.6) * most)
      return 1;
  }
  return 0;
}

void bri_observe_step(br_solver *s, double h)
{
  const size_t w = s->p->nx + s->p->nk;
  const bri_step *st = &s->last;
  if (s->set.energy) {
    bri_step_work(s, st, s->t0, s->y0, h, s->step_quad);
    for (int a = 0; a < 3; a++) s->quad[a] += s->step_quad[a];
  }
  if (!s->set.extremes) return;
  row(s, &s->mode0, s->t0, s->y0, s->obs);
  for (int i = 0; i < st->stages; i++) {
    const double t = i == st->stages - 1 ? s->t0 + h : s->t0 + st->theta[i] * h;
    row(s, &s->mode0, t, st->Y + (size_t)i * s->p->ny, s->obs + (size_t)(i + 1) * w);
  }
  const double *first = s->obs, *end = s->obs + (size_t)st->stages * w;
  widen(s, first); /* behind a corner or an event a force may start with a jump */
  widen(s, end);
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
