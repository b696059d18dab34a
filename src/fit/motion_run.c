/* SPDX-License-Identifier: Apache-2.0
 * motion_run.c - a mechanism driven by the columns of a record, run by the solver over pieces of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "motion.h"
#include "text/fail.h"
#include "text/stop.h"

/* ---- a column as an input: straight between its samples, or held until the next ---- */

typedef struct {
  const double *t, *w;
  size_t n;
  double bias;
  int hold;
} column;

/* The last sample at or before t (before it, on the left side). */
static size_t before(const column *c, double t, int side)
{
  size_t lo = 0, hi = c->n - 1;
  const double h =
      (c->t[hi] - c->t[0]) / (double)hi; /* most records have one interval: a guess and its neighbours */
  const double guess = (t - c->t[0]) / h;
  if (guess > 2 && guess + 3 < (double)hi) {
    const size_t k = (size_t)guess;
    if (c->t[k - 1] < t && t < c->t[k + 2]) lo = k - 1, hi = k + 2;
  }
  while (hi - lo > 1) {
    const size_t mid = lo + (hi - lo) / 2;
    *(c->t[mid] < t || (c->t[mid] == t && side >= 0) ? &lo : &hi) = mid;
  }
  return lo;
}

static void eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const column *c = ctx;
  const size_t k = before(c, t, side);
  const double h = c->t[k + 1] - c->t[k], slope = c->hold ? 0 : (c->w[k + 1] - c->w[k]) / h;
  const int out = t < c->t[0] || t > c->t[c->n - 1];
  *w = c->bias + (t <= c->t[0]          ? c->w[0]
                  : t >= c->t[c->n - 1] ? c->w[c->n - 1]
                                        : c->w[k] + slope * (t - c->t[k]));
  *dw = out ? 0 : slope;
}

static double next_corner(const void *ctx, double t)
{
  const column *c = ctx;
  if (t < c->t[0]) return c->t[0];
  for (size_t k = before(c, t, 1) + 1; k < c->n; k++)
    if (c->t[k] > t + 1e-12 * fabs(t)) return c->t[k];
  return INFINITY;
}

/* ---- what is seen of the motion ---- */

static int free_motion(const bri_motion_space *s) { return (s->sys->flags & BR_SYSTEM_FREE) != 0; }

br_status bri_motion_channels(const br_motion_record *r, bri_motion_space *s, bri_motion_data *d, br_err *err)
{
  br_plant *plant = NULL;
  double mpar[BRI_FIT_SLOTS];
  const int rotary = (s->sys->flags & BR_SYSTEM_ROTARY) != 0;
  s->m->defaults(mpar);
  s->m->prepare(mpar);
  br_status st = br_plant_create(s->sys, s->spar, s->m, mpar, NULL, &plant, err);
  s->locals = s->nq;
  d->nchannel = r->nmeasured;
  for (size_t c = 0; c < r->nmeasured && !st; c++) {
    bri_motion_channel *k = &d->channel[c];
    *k = (bri_motion_channel){.name = r->measured[c].name, .y = r->measured[c].y, .weight = 1};
    const int i = br_plant_index(plant, k->name);
    if (strcmp(k->name, "position") == 0)
      k->kind = free_motion(s) ? BRI_SEEN_INTEGRAL : BRI_SEEN_POSITION, k->unit = rotary ? "rad" : "m";
    else if (strcmp(k->name, "velocity") == 0)
      k->kind = BRI_SEEN_VELOCITY, k->unit = rotary ? "rad/s" : "m/s";
    else if (i >= 0) k->kind = BRI_SEEN_STATE, k->index = (size_t)i;
    else {
      const char *names[BRI_MOTION_STATES + 2];
      char hint[BRI_HINT];
      size_t n = 0;
      for (; n < br_plant_nstate(plant) && n < BRI_MOTION_STATES; n++) names[n] = br_plant_state(plant, n);
      names[n++] = "position", names[n++] = "velocity";
      st = bri_text_fail(err, BR_E_NAME, -1, "%s with %s has no state '%.40s'%s", s->sys->name, s->m->name,
                         k->name, bri_hint(k->name, names, n, "; position, velocity or a state", hint));
    }
    if (!st && i >= 0 && k->kind == BRI_SEEN_STATE)
      for (size_t q = 0; q < s->sys->nrows && !k->unit; q++) /* units of the rows outlive the plant */
        if (strcmp(s->sys->states[q].unit, br_plant_unit(plant, (size_t)i)) == 0)
          k->unit = s->sys->states[q].unit;
    if (!k->unit) k->unit = "1";
    if (k->kind == BRI_SEEN_INTEGRAL) s->locals = s->nq + 1;
  }
  if (!st && br_plant_nstate(plant) > BRI_MOTION_STATES)
    st = bri_text_fail(err, BR_E_SIZE, -1, "fit: %s with %s has more than %d states", s->sys->name,
                       s->m->name, BRI_MOTION_STATES);
  br_plant_destroy(plant);
  return st;
}

/* Contact positions and velocities. */
typedef struct {
  double u[2 * 64], v[2 * 64];
} contacts;

static void inputs_at(const bri_motion_space *s, const bri_motion_data *d, const bri_motion_blocks *b,
                      size_t k, double *w)
{
  for (size_t i = 0; i < d->ninput; i++)
    w[i] = d->inputs[i] ? d->inputs[i][k] + ((int)i == s->bias ? b->bias : 0) : s->held[i];
}

/* Acceleration of the first contact in state x under the inputs of sample k; none where it rests. */
static double acceleration(const bri_motion_space *s, const bri_motion_data *d, const bri_motion_blocks *b,
                           size_t k, const double *x, const double *F)
{
  double w[BRI_MOTION_INPUTS], dw[BRI_MOTION_INPUTS] = {0}, dq[BRI_MOTION_LOCALS];
  if (s->at_v < 0 || x[s->at_v] == 0) return 0;
  inputs_at(s, d, b, k, w);
  s->sys->rate(b->spar, w, dw, x, F, dq);
  return dq[s->at_v];
}

typedef struct {
  double x, v, a; /* position, velocity and acceleration right behind the sample before */
} path;

/* What is seen at sample k.  A position that no state has is the integral of the cubic through velocity and acceleration at both
 * ends of the interval; an input that is held jumps at its end, so the acceleration there is that before the jump. */
static void see(const bri_motion_space *s, const bri_motion_data *d, const bri_motion_blocks *b, size_t k,
                int first, const double *x, const double *F, path *at, double *y)
{
  contacts c;
  double w[BRI_MOTION_INPUTS], dw[BRI_MOTION_INPUTS] = {0};
  inputs_at(s, d, b, k, w);
  s->sys->motion(b->spar, w, dw, x, c.u, c.v);
  if (s->locals > s->nq) {
    const double h = first ? 0 : d->t[k] - d->t[k - 1];
    if (!first)
      at->x += 0.5 * h * (at->v + c.v[0]) +
               h * h * (at->a - acceleration(s, d, b, d->hold ? k - 1 : k, x, F)) / 12;
    at->v = c.v[0], at->a = acceleration(s, d, b, k, x, F);
  }
  for (size_t i = 0; i < d->nchannel; i++) {
    double *to = &y[i * d->n + k];
    switch (d->channel[i].kind) {
    case BRI_SEEN_POSITION: *to = c.u[0]; break;
    case BRI_SEEN_INTEGRAL: *to = at->x; break;
    case BRI_SEEN_VELOCITY: *to = c.v[0]; break;
    case BRI_SEEN_STATE: *to = x[d->channel[i].index]; break;
    }
  }
}

/* ---- a run ---- */

static int asked(void *ctx, double t)
{
  (void)t;
  return bri_stopped(ctx);
}

static br_status make_plant(const bri_motion_space *s, const bri_motion_data *d, const bri_motion_blocks *b,
                            column *columns, br_plant **out, br_err *err)
{
  br_drive drives[BRI_MOTION_INPUTS];
  memset(drives, 0, sizeof drives);
  for (size_t k = 0; k < d->ninput; k++) {
    columns[k] = (column){d->t, d->inputs[k], d->n, (int)k == s->bias ? b->bias : 0, d->hold};
    if (d->inputs[k]) drives[k] = (br_drive){0, eval, next_corner, 0, &columns[k]};
    else drives[k].value = s->held[k];
  }
  return br_plant_create(s->sys, b->spar, s->m, b->mpar, drives, out, err);
}

br_status bri_motion_run(const bri_motion_space *s, const bri_motion_data *d, const double *g,
                         const bri_motion_pieces *pieces, size_t first, size_t last, const double *locals,
                         double *z, double *y, const br_stop *stop, br_err *err)
{
  bri_motion_blocks b;
  column columns[BRI_MOTION_INPUTS];
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_err why = {BR_OK, -1, ""};
  br_stop asks = stop ? *stop : (br_stop){0};
  double x[BRI_MOTION_STATES] = {0}, F[2 * 64] = {0};
  br_solve_settings set = br_solve_settings_default();
  bri_motion_space_blocks(s, g, &b);
  set.rtol = d->rtol, set.untimed = 1, set.max_steps = 400 * d->n + 200000, set.on_step = asked,
  set.ctx = &asks;
  br_status st = make_plant(s, d, &b, columns, &plant, &why);
  const size_t nx = st ? 0 : br_plant_nstate(plant);
  if (!st) st = br_solver_create(plant, &set, &solver, &why);
  if (!st && z) memcpy(x, z + first * BRI_MOTION_STATES, nx * sizeof *x);
  for (size_t i = first; i < last && !st; i++) {
    const double *own = locals + i * s->locals;
    path at = {s->locals > s->nq ? own[s->nq] : 0, 0, 0};
    memcpy(x, own, s->nq * sizeof *x);
    if (z) memcpy(z + i * BRI_MOTION_STATES, x, nx * sizeof *x);
    st = br_solver_start(solver, d->t[pieces->edge[i]], x, &why);
    for (size_t k = pieces->edge[i]; k < pieces->edge[i + 1] && !st; k++) {
      st = br_solver_advance(solver, d->t[k], x, &why);
      if (!st) br_solver_force(solver, F), see(s, d, &b, k, k == pieces->edge[i], x, F, &at, y);
    }
    if (!st && i + 1 < last) st = br_solver_advance(solver, d->t[pieces->edge[i + 1]], x, &why);
  }
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  if (!st || st == BR_INTERRUPTED || st == BR_E_NOMEM)
    return st ? bri_text_fail(err, st, -1, "%s", why.msg) : BR_OK;
  return bri_text_fail(err, BR_E_CONVERGE, -1, "%s", why.msg);
}
