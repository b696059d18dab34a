/* SPDX-License-Identifier: Apache-2.0
 * trace.c - walk along the sample times, splitting intervals at corners of the inputs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../param/valid.h"
#include "../signal/samples.h"
#include "../table/alloc.h"
#include "../text/fail.h"
#include "bristle/trace.h"
#include "held.h"
#include "times.h"

struct br_trace {
  const br_signal *inputs[BR_TRACE_AXES];
  bri_times times;
  bri_held held;
  double corner[BR_TRACE_AXES]; /* next corner of each input */
  double t, u[BR_TRACE_AXES], v[BR_TRACE_AXES], F[BR_TRACE_AXES];
  double *z, *dz, *memory;
  size_t next; /* index of the next row */
  br_trace_row row;
  br_trace_stats stats;
  br_status status; /* sticky */
  br_err why;
};

br_trace_options br_trace_options_default(void)
{
  br_trace_options o;
  memset(&o, 0, sizeof o);
  o.size = sizeof o;
  o.load = 1;
  o.rtol = 1e-13;
  o.max_steps = 200000;
  return o;
}

static br_status check_options(const br_model *m, const br_trace_options *o, size_t nstate, br_err *err)
{
  if (!(o->load >= 0) || !isfinite(o->load)) {
    return bri_text_fail(err, BR_E_RANGE, -1, "load = %.9g is out of range: must be >= 0 and finite",
                         o->load);
  }
  if (!(o->rtol >= 1e-15 && o->rtol < 1)) {
    return bri_text_fail(err, BR_E_RANGE, -1, "rtol = %.9g is out of range: must be >= 1e-15 and < 1",
                         o->rtol);
  }
  if (o->nz0 > nstate || (o->nz0 && !o->z0)) {
    return bri_text_fail(err, BR_E_SIZE, -1, "%s: %zu initial states given, it has %zu", m->name, o->nz0,
                         nstate);
  }
  for (size_t i = 0; i < o->nz0; i++) {
    if (!isfinite(o->z0[i])) {
      return bri_text_fail(err, BR_E_NAN, (int)i, "%s: initial state %zu = %g is not finite", m->name, i,
                           o->z0[i]);
    }
  }
  return BR_OK;
}

static double corner_after(const br_trace *tr, int axis, double t)
{
  double c = br_signal_next_corner(tr->inputs[axis], t);
  /* a jump is no corner of the path: the held velocity crosses it within its sample interval */
  while (isfinite(c) && bri_times_jump(tr->inputs[axis], c)) c = br_signal_next_corner(tr->inputs[axis], c);
  return c;
}

static void start(br_trace *tr, const br_trace_options *o)
{
  tr->t = bri_times_at(&tr->times, 0);
  for (size_t i = 0; i < o->nz0; i++) tr->z[i] = o->z0[i];
  for (int a = 0; a < tr->held.m->axes; a++) {
    tr->u[a] = br_signal_value(tr->inputs[a], tr->t);
    tr->corner[a] = corner_after(tr, a, tr->t);
  }
}

br_status br_trace_create(const br_model *m, const void *par, const br_signal *const *inputs,
                          const br_trace_options *opt, br_trace **out, br_err *err)
{
  const br_trace_options o = opt ? *opt : br_trace_options_default();
  bri_times times;
  if (!out) return bri_text_fail(err, BR_E_ARG, -1, "br_trace_create: NULL argument");
  *out = NULL;
  if (!inputs || o.size != sizeof o)
    return bri_text_fail(err, BR_E_ARG, -1, "br_trace_create: no inputs, or wrong option size");
  br_status st = bri_model_steps(m, par, "br_trace_create", err);
  if (st) return st;
  for (int a = 0; a < m->axes; a++) {
    if (!inputs[a])
      return bri_text_fail(err, BR_E_ARG, a, "br_trace_create: %s needs %d input(s)", m->name, m->axes);
  }
  const size_t nstate = m->nstate(par), n = nstate + m->nmode(par);
  st = check_options(m, &o, nstate, err);
  if (!st) st = bri_times_choose(inputs, m->axes, &o, &times, err);
  if (st) return st;
  br_trace *tr = bri_calloc(1, sizeof *tr);
  double *memory = bri_calloc(n * (BRI_HELD_ROWS + 3), sizeof *memory);
  if (!tr || !memory) {
    bri_free(tr);
    bri_free(memory);
    return bri_text_fail(err, BR_E_NOMEM, -1, "trace: out of memory");
  }
  tr->times = times;
  for (int a = 0; a < m->axes; a++) tr->inputs[a] = inputs[a];
  tr->memory = memory;
  tr->z = memory;
  tr->dz = memory + n;
  const bri_held held = {m, par, o.load, n, nstate, o.rtol, o.max_steps, memory + 2 * n, memory + 3 * n,
                         0, 0};
  tr->held = held;
  start(tr, &o);
  for (size_t i = 0; i < nstate; i++) tr->held.scale[i] = fabs(tr->z[i]);
  *out = tr;
  return BR_OK;
}

void br_trace_destroy(br_trace *tr)
{
  if (!tr) return;
  bri_free(tr->memory);
  bri_free(tr);
}

size_t br_trace_count(const br_trace *tr) { return tr ? tr->times.count : 0; }
size_t br_trace_states(const br_trace *tr) { return tr ? tr->held.nstate : 0; }
double br_trace_dt(const br_trace *tr) { return tr ? tr->times.dt : 0; }
double br_trace_end(const br_trace *tr) { return tr ? bri_times_at(&tr->times, tr->times.count - 1) : 0; }

br_trace_stats br_trace_statistics(const br_trace *tr)
{
  br_trace_stats s = {0, 0, 0, 0};
  if (!tr) return s;
  s = tr->stats;
  s.steps = tr->held.steps;
  s.rejected = tr->held.rejected;
  return s;
}

/* End of the piece that starts now and may not go beyond `target`.  A corner that meets the target to
 * rounding is the target. */
static double piece_end(const br_trace *tr, double target)
{
  const double same = bri_times_tolerance(tr->t, target);
  double end = target;
  for (int a = 0; a < tr->held.m->axes; a++) {
    if (tr->corner[a] < end - same) end = tr->corner[a];
  }
  return end;
}

/* Velocity held from now to `end`; positions there into ue. */
static void hold(br_trace *tr, double end, double *ue)
{
  for (int a = 0; a < tr->held.m->axes; a++) {
    ue[a] = br_signal_value(tr->inputs[a], end);
    tr->v[a] = (ue[a] - tr->u[a]) / (end - tr->t);
  }
}

static br_status not_finite(br_trace *tr, const char *what, double x)
{
  return bri_text_fail(&tr->why, BR_E_NAN, (int)tr->next,
                       "%s: %s is %g at t = %.9g s (u = %.9g m, v = %.9g m/s)", tr->held.m->name, what, x,
                       tr->t, tr->u[0], tr->v[0]);
}

static br_status check_finite(br_trace *tr)
{
  const bri_held *h = &tr->held;
  char name[48], text[64];
  for (int a = 0; a < h->m->axes; a++) {
    if (!isfinite(tr->u[a])) return not_finite(tr, "the input", tr->u[a]);
  }
  for (size_t i = 0; i < h->nstate; i++) {
    if (isfinite(tr->z[i])) continue;
    const char *known = br_state_name(h->m, h->par, i, sizeof name, name, NULL);
    (void)snprintf(text, sizeof text, "state %s", known ? known : "?");
    return not_finite(tr, text, tr->z[i]);
  }
  for (int a = 0; a < h->m->axes; a++) {
    if (!isfinite(tr->F[a])) return not_finite(tr, "the force", tr->F[a]);
  }
  return BR_OK;
}

static br_status walk(br_trace *tr, double target)
{
  while (tr->t < target) {
    double ue[BR_TRACE_AXES] = {0, 0}, reached = 0;
    const double end = piece_end(tr, target);
    hold(tr, end, ue);
    const br_status st = bri_held_step(&tr->held, tr->u, tr->v, end - tr->t, tr->z, &reached);
    if (st) {
      return bri_text_fail(&tr->why, st, (int)tr->next,
                           "%s: integration got stuck at t = %.12g s (u = %.9g m, v = %.9g m/s)",
                           tr->held.m->name, tr->t + reached, tr->u[0] + reached * tr->v[0], tr->v[0]);
    }
    tr->stats.pieces++;
    tr->stats.splits += end < target;
    const double same = bri_times_tolerance(tr->t, end);
    for (int a = 0; a < tr->held.m->axes; a++) {
      tr->u[a] = ue[a];
      if (tr->corner[a] <= end + same) tr->corner[a] = corner_after(tr, a, fmax(end, tr->corner[a]));
    }
    tr->t = end;
  }
  return BR_OK;
}

static void force(br_trace *tr)
{
  const bri_held *h = &tr->held;
  if (h->m->rate) h->m->rate(h->par, h->load, tr->u, tr->v, tr->z, tr->dz);
  h->m->force(h->par, h->load, tr->u, tr->v, tr->z, tr->dz, tr->F);
}

br_status br_trace_next(br_trace *tr, const br_trace_row **row, br_err *err)
{
  if (row) *row = NULL;
  if (!tr || !row) return bri_text_fail(err, BR_E_ARG, -1, "br_trace_next: NULL argument");
  if (!tr->status && tr->next >= tr->times.count) return BR_OK;
  if (!tr->status) {
    if (tr->next == 0) {
      double ue[BR_TRACE_AXES];
      hold(tr, piece_end(tr, bri_times_at(&tr->times, 1)), ue);
    } else {
      tr->status = walk(tr, bri_times_at(&tr->times, tr->next));
    }
    if (!tr->status) {
      force(tr);
      tr->status = check_finite(tr);
    }
  }
  if (tr->status) {
    if (err) *err = tr->why;
    return tr->status;
  }
  const br_trace_row r = {tr->next++, tr->t, tr->u, tr->v, tr->F, tr->z};
  tr->row = r;
  *row = &tr->row;
  return BR_OK;
}

br_status br_trace_fill(br_trace *tr, size_t max, double *t, double *u, double *v, double *F, double *z,
                        size_t *n, br_err *err)
{
  if (n) *n = 0;
  if (!tr || !n) return bri_text_fail(err, BR_E_ARG, -1, "br_trace_fill: NULL argument");
  const size_t axes = (size_t)tr->held.m->axes;
  for (size_t k = 0; k < max; k++) {
    const br_trace_row *row;
    const br_status st = br_trace_next(tr, &row, err);
    if (st || !row) return st;
    if (t) t[k] = row->t;
    for (size_t a = 0; a < axes; a++) {
      if (u) u[a * max + k] = row->u[a];
      if (v) v[a * max + k] = row->v[a];
      if (F) F[a * max + k] = row->F[a];
    }
    for (size_t i = 0; z && i < tr->held.nstate; i++) z[i * max + k] = row->z[i];
    *n = k + 1;
  }
  return BR_OK;
}
