/* SPDX-License-Identifier: Apache-2.0
 * motion_run.c - a mechanism driven by the columns of a record, run by the solver over pieces of it. */
#include <math.h>
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
  size_t *last; /* where the last answer was */
} column;

/* The last sample at or before t (before it, on the left side), of all but the last; most questions are about
 * the interval of the question before, or the one behind it. */
static size_t before(const column *c, double t, int side)
{
  size_t lo = 0, hi = c->n - 1, k = *c->last;
  for (int i = 0; i < 2 && k < hi; i++, k++)
    if ((c->t[k] < t || (c->t[k] == t && side >= 0)) && (t < c->t[k + 1] || (t == c->t[k + 1] && side < 0)))
      return *c->last = k;
  while (hi - lo > 1) {
    const size_t mid = lo + (hi - lo) / 2;
    *(c->t[mid] < t || (c->t[mid] == t && side >= 0) ? &lo : &hi) = mid;
  }
  return *c->last = lo;
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
      st = bri_fail(err, BR_E_NAME, "%s with %s has no state '%.40s'%s", s->sys->name, s->m->name, k->name,
                    bri_hint(k->name, names, n, "; position, velocity or a state", hint));
    }
    if (!st && i >= 0 && k->kind == BRI_SEEN_STATE)
      for (size_t q = 0; q < s->sys->nrows && !k->unit; q++) /* units of the rows outlive the plant */
        if (strcmp(s->sys->states[q].unit, br_plant_unit(plant, (size_t)i)) == 0)
          k->unit = s->sys->states[q].unit;
    if (!k->unit) k->unit = "1";
    if (k->kind == BRI_SEEN_INTEGRAL) s->locals = s->nq + 1;
  }
  if (!st && br_plant_nstate(plant) > BRI_MOTION_STATES)
    st = bri_fail(err, BR_E_SIZE, "fit: %s with %s has more than %d states", s->sys->name, s->m->name,
                  BRI_MOTION_STATES);
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

/* What is seen at sample k.  A position that no state has is the integral of the cubic through velocity and
 * acceleration at both ends of the interval; an input that is held jumps at its end, so the acceleration
 * there is that before the jump. */
static void see(const bri_motion_space *s, const bri_motion_data *d, const bri_motion_blocks *b, size_t k,
                int first, const double *x, const double *F, path *at, double *out)
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
    double *to = &out[i];
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
                            column *columns, size_t *last, br_plant **out, br_err *err)
{
  br_drive drives[BRI_MOTION_INPUTS];
  memset(drives, 0, sizeof drives);
  for (size_t k = 0; k < d->ninput; k++) {
    columns[k] = (column){d->t, d->inputs[k], d->n, (int)k == s->bias ? b->bias : 0, d->hold, &last[k]};
    if (d->inputs[k]) drives[k] = (br_drive){0, eval, next_corner, 0, &columns[k]};
    else drives[k].value = s->held[k];
  }
  return br_plant_create(s->sys, b->spar, s->m, b->mpar, drives, out, err);
}

br_status bri_motion_run(const bri_motion_space *s, const bri_motion_data *d, const double *g,
                         const bri_motion_pieces *pieces, size_t first, size_t last, const double *locals,
                         double *z, double *y, size_t *rates, const br_stop *stop, br_err *err)
{
  bri_motion_blocks b;
  column columns[BRI_MOTION_INPUTS];
  size_t last_at[BRI_MOTION_INPUTS] = {0};
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  br_err why = {BR_OK, -1, ""};
  br_stop asks = stop ? *stop : (br_stop){0};
  double x[BRI_MOTION_STATES] = {0}, F[2 * 64] = {0}, out[BR_MOTION_CHANNELS];
  br_solve_settings set = br_solve_settings_default();
  bri_motion_space_blocks(s, g, &b);
  set.rtol = d->rtol, set.untimed = 1, set.on_step = asked,
  set.max_steps = d->most_steps ? d->most_steps : 400 * d->n + 200000, set.ctx = &asks;
  br_status st = make_plant(s, d, &b, columns, last_at, &plant, &why);
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
      if (st) break;
      br_solver_force(solver, F), see(s, d, &b, k, k == pieces->edge[i], x, F, &at, out);
      for (size_t c = 0; c < d->nchannel; c++) y[c * d->n + k] = out[c];
    }
    if (!st && i + 1 < last) st = br_solver_advance(solver, d->t[pieces->edge[i + 1]], x, &why);
    if (rates) *rates += br_solver_stats(solver).rhs;
  }
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  if (!st || st == BR_INTERRUPTED || st == BR_E_NOMEM) return st ? bri_fail(err, st, "%s", why.msg) : BR_OK;
  return bri_fail(err, BR_E_CONVERGE, "%s", why.msg);
}

/* ---- the same, linear from sample to sample ---- */

size_t bri_motion_tangent_states(const bri_motion_space *s)
{
  bri_motion_blocks b;
  memcpy(b.mpar, s->model.base, sizeof b.mpar);
  const size_t n = s->locals + s->m->nstate(b.mpar);
  return s->m->nmode(b.mpar) || n > BRI_MOTION_TANGENTS ? 0 : n;
}

/* A mechanism of its own with a solver of its own, for short ways from any state. */
typedef struct {
  column columns[BRI_MOTION_INPUTS];
  size_t last_at[BRI_MOTION_INPUTS];
  bri_motion_blocks b;
  br_plant *plant;
  br_solver *solver;
} probe;

static br_status open_probe(probe *p, const bri_motion_space *s, const bri_motion_data *d, const double *g,
                            double shift, br_err *err)
{
  br_solve_settings set = br_solve_settings_default();
  memset(p, 0, sizeof *p);
  set.rtol = d->rtol, set.untimed = 1, set.max_steps = 100000;
  bri_motion_space_blocks(s, g, &p->b);
  p->b.bias += shift;
  br_status st = make_plant(s, d, &p->b, p->columns, p->last_at, &p->plant, err);
  return st ? st : br_solver_create(p->plant, &set, &p->solver, err);
}

static void close_probe(probe *p)
{
  br_solver_destroy(p->solver);
  br_plant_destroy(p->plant);
}

/* From sample k at state x (states of mechanism and model, then the position where no state has it) to sample
 * k + 1. */
static br_status go_on(probe *p, const bri_motion_space *s, const bri_motion_data *d, size_t k, size_t n,
                       const double *x, double *to, br_err *err)
{
  const size_t own = s->locals - s->nq, nx = n - own;
  double F[2 * 64] = {0}, out[BR_MOTION_CHANNELS], y[BRI_MOTION_STATES] = {0};
  path at = {own ? x[nx] : 0, 0, 0};
  memcpy(y, x, nx * sizeof *y);
  br_status st = br_solver_start(p->solver, d->t[k], y, err);
  if (st) return st;
  br_solver_force(p->solver, F), see(s, d, &p->b, k, 1, y, F, &at, out);
  st = br_solver_advance(p->solver, d->t[k + 1], y, err);
  if (st) return st;
  br_solver_force(p->solver, F), see(s, d, &p->b, k + 1, 0, y, F, &at, out);
  memcpy(to, y, nx * sizeof *to);
  if (own) to[nx] = at.x;
  return BR_OK;
}

/* Slopes of the way from sample k, and of what is seen there. */
static br_status slopes_at(probe *here, probe *pushed, const bri_motion_space *s, const bri_motion_data *d,
                           size_t k, size_t row, const double *x, const double *scale, double shift,
                           bri_motion_filter *f, br_err *err)
{
  const size_t n = f->n, own = s->locals - s->nq, nch = d->nchannel;
  double to[BRI_MOTION_TANGENTS], other[BRI_MOTION_TANGENTS], moved[BRI_MOTION_TANGENTS],
      out[BR_MOTION_CHANNELS], seen[BR_MOTION_CHANNELS], F[2 * 64] = {0};
  path at = {own ? x[n - 1] : 0, 0, 0};
  const int last = k + 1 >= d->n;
  br_status st = last ? BR_OK : go_on(here, s, d, k, n, x, to, err);
  see(s, d, &here->b, k, 1, x, F, &at, out);
  for (size_t j = 0; j < n && !st; j++) {
    const double h = 1e-5 * scale[j];
    memcpy(moved, x, n * sizeof *moved);
    moved[j] += h;
    if (!last) st = go_on(here, s, d, k, n, moved, other, err);
    path by = {own ? moved[n - 1] : 0, 0, 0};
    see(s, d, &here->b, k, 1, moved, F, &by, seen);
    for (size_t c = 0; c < nch; c++)
      f->H[(row * nch + c) * n + j] = d->channel[c].weight * (seen[c] - out[c]) / h;
    for (size_t a = 0; a < n && !last; a++) f->step[row * n * n + a * n + j] = (other[a] - to[a]) / h;
  }
  if (!st && !last) st = go_on(pushed, s, d, k, n, x, other, err);
  for (size_t a = 0; a < n && !st && !last; a++) f->push[row * n + a] = (other[a] - to[a]) / shift;
  return st;
}

br_status bri_motion_tangents(const bri_motion_space *s, const bri_motion_data *d, const double *g,
                              const bri_motion_pieces *pieces, const double *locals, bri_motion_filter *f,
                              const br_stop *stop, br_err *err)
{
  const size_t n = f->n, nx = n - (s->locals - s->nq), from = pieces->edge[0],
               samples = pieces->edge[pieces->n] - from;
  const double shift = 1e-5 * s->swing;
  probe run = {0}, here = {0}, pushed = {0};
  double x[BRI_MOTION_STATES] = {0}, F[2 * 64] = {0}, out[BR_MOTION_CHANNELS],
         scale[BRI_MOTION_TANGENTS] = {0};
  double *states = bri_calloc(samples * n, sizeof *states);
  br_err why = {BR_OK, -1, ""};
  br_status st = states ? open_probe(&run, s, d, g, 0, &why) : BR_E_NOMEM;
  if (!st) st = open_probe(&here, s, d, g, 0, &why);
  if (!st) st = open_probe(&pushed, s, d, g, shift, &why);
  for (size_t i = 0; i < pieces->n && !st; i++) {
    path at = {s->locals > s->nq ? locals[i * s->locals + s->nq] : 0, 0, 0};
    memcpy(x, locals + i * s->locals, s->nq * sizeof *x);
    st = br_solver_start(run.solver, d->t[pieces->edge[i]], x, &why);
    for (size_t k = pieces->edge[i]; k < pieces->edge[i + 1] && !st; k++) {
      double *to = states + (k - from) * n;
      st = br_solver_advance(run.solver, d->t[k], x, &why);
      if (st) break;
      br_solver_force(run.solver, F), see(s, d, &run.b, k, k == pieces->edge[i], x, F, &at, out);
      memcpy(to, x, nx * sizeof *to);
      if (nx < n) to[nx] = at.x;
    }
    if (!st && i + 1 < pieces->n) st = br_solver_advance(run.solver, d->t[pieces->edge[i + 1]], x, &why);
  }
  for (size_t k = 0; k < samples && !st; k++)
    for (size_t j = 0; j < n; j++) scale[j] = fmax(scale[j], fabs(states[k * n + j]));
  for (size_t j = 0; j < n; j++) {
    if (!(scale[j] > 0)) scale[j] = 1;
    f->fresh[j] = j < s->nq || j >= nx;
  }
  for (size_t k = 0; k < samples && !st; k++) {
    st = slopes_at(&here, &pushed, s, d, from + k, k, states + k * n, scale, shift, f, &why);
    if (!st && bri_stopped(stop)) st = bri_stop_status(stop, "fit", &why);
  }
  f->unit = s->swing * s->swing;
  close_probe(&run), close_probe(&here), close_probe(&pushed);
  bri_free(states);
  if (st == BR_E_NOMEM && !states) return bri_fail(err, st, "fit: out of memory");
  return st ? bri_fail(err, st == BR_INTERRUPTED || st == BR_E_NOMEM ? st : BR_E_CONVERGE, "%s", why.msg)
            : BR_OK;
}
