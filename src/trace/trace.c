/* SPDX-License-Identifier: Apache-2.0
 * trace.c - walk along the sample times, stopping at corners of the inputs and crossing their jumps.
 *
 * Between two stops the states move in one of these ways:
 *   straight inputs                     the velocity is constant: the model's exact step, or integration
 *   one axis, rate-independent model    only the path counts, and it is monotone: the same step over it
 *   other models                        integrated along u(t), v(t): by the solver (given.c) or, for a user's
 *                                       model whose parameters are no block of numbers, by held.c */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../param/valid.h"
#include "../signal/samples.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/trace.h"
#include "given.h"
#include "held.h"
#include "times.h"
#include "work.h"

/* ASK: pieces between two questions whether to stop; MOST: corners between two rows */
enum { ASK = 64, MOST = 10000000 };
static const double JUMP = 1e30; /* m/s: a jump is crossed so fast that every speed of a model is far below */

typedef struct {
  double at;             /* s; INFINITY: none */
  int jumps;             /* does u jump there? */
  double before, behind; /* u on both sides of a jump */
  int waits;             /* a jump right behind the last row */
} corner;

struct br_trace {
  const br_signal *inputs[BR_TRACE_AXES];
  br_trace_options opt;
  bri_times times;
  bri_held held;
  bri_given *given;             /* NULL: held */
  int true_rate;                /* rows have u'(t) for v; 0: the velocity held up to them */
  corner corner[BR_TRACE_AXES]; /* next one of each input */
  size_t nswitch;               /* switches behind it */
  double t, u[BR_TRACE_AXES], v[BR_TRACE_AXES], F[BR_TRACE_AXES];
  double *z, *dz, *memory, *room; /* room: states at the start of a piece, and twice as many */
  double work, direction;         /* J so far; sign of the last motion of the first axis */
  size_t next;                    /* index of the next row */
  br_trace_row row;
  br_trace_stats stats;
  br_status status; /* sticky */
  br_err why;
};

br_trace_options br_trace_options_default(void)
{
  br_trace_options o;
  memset(&o, 0, sizeof o);
  o.load = 1;
  o.rtol = 1e-13;
  o.max_steps = 200000;
  return o;
}

static corner corner_after(const br_trace *tr, int axis, double t)
{
  corner c = {br_signal_next_corner(tr->inputs[axis], t), 0, 0, 0, 0};
  if (isfinite(c.at)) c.jumps = bri_signal_jump(tr->inputs[axis], c.at, &c.before, &c.behind);
  return c;
}

/* Time of the next jump. */
static double wall(const br_trace *tr)
{
  double at = INFINITY;
  for (int a = 0; a < tr->held.m->axes; a++)
    if (tr->corner[a].jumps) at = fmin(at, tr->corner[a].at);
  return at;
}

/* A motion that is not finite from the start is told with the first row. */
static void start(br_trace *tr)
{
  const br_trace_options *o = &tr->opt;
  tr->t = bri_times_at(&tr->times, 0);
  for (size_t i = 0; i < o->nz0; i++) tr->z[i] = o->z0[i];
  for (int a = 0; a < tr->held.m->axes; a++) {
    tr->u[a] = br_signal_value(tr->inputs[a], tr->t);
    tr->corner[a] = corner_after(tr, a, tr->t);
  }
  if (tr->held.m->flags & BR_MODEL_JUMPS) { /* what holds at the place where the motion starts */
    const double still[BR_TRACE_AXES] = {0};
    tr->held.m->step(tr->held.par, tr->held.load, tr->u, still, 0, tr->z);
  }
  for (size_t i = 0; i < tr->held.nstate; i++) tr->held.scale[i] = fabs(tr->z[i]);
  if (tr->given) tr->status = bri_given_start(tr->given, tr->t, wall(tr), 0, tr->z, &tr->why);
}

/* Which of the ways at the top of this file the states move. */
static br_status choose(br_trace *tr, br_err *err)
{
  const br_model *m = tr->held.m;
  br_class c = {BR_DUHEM_NONE, 1, BR_CONTINUOUS};
  int straight = 1;
  for (int a = 0; a < m->axes; a++) straight &= bri_signal_straight(tr->inputs[a]);
  if (tr->opt.load_signal) {
    tr->true_rate = 1;
    if (m->slots) return bri_given_create(m, tr->held.par, tr->inputs, &tr->opt, &tr->given, err);
    return bri_fail(err, BR_E_UNSUPPORTED, "%s: a load that varies needs parameters in a block", m->name);
  }
  if (tr->opt.work && m->slots && tr->held.n > 0 && !(m->flags & BR_MODEL_EXACT_STEP) && m->rate)
    return tr->true_rate = !straight,
           bri_given_create(m, tr->held.par, tr->inputs, &tr->opt, &tr->given, err);
  if (straight) return BR_OK;
  if (m->classify) m->classify(tr->held.par, &c);
  for (size_t i = 0; i < tr->opt.nswitch && m->classify && !c.rate_dependent; i++)
    m->classify(tr->opt.switches[i].par, &c);
  const int path_alone = tr->held.n == 0 || (m->axes == 1 && !c.rate_dependent);
  /* a user's model that has nothing but a step can only hold the velocity */
  if (!path_alone && (!m->rate || !m->nmode || (!m->slots && tr->held.n > tr->held.nstate))) return BR_OK;
  tr->true_rate = 1;
  if (path_alone) return BR_OK;
  if (m->slots) return bri_given_create(m, tr->held.par, tr->inputs, &tr->opt, &tr->given, err);
  for (int a = 0; a < m->axes; a++) tr->held.inputs[a] = tr->inputs[a];
  return BR_OK;
}

/* The work over a piece is taken along the model's own step; where there is none, or the states follow a
 * curved input instead, only the solver books it, and it wants a block. */
static br_status check_work(const br_trace *tr, br_err *err)
{
  const bri_held *h = &tr->held;
  if (!tr->opt.work || tr->given || h->n == 0 || (h->m->step && !h->inputs[0])) return BR_OK;
  return bri_fail(err, BR_E_UNSUPPORTED, "%s: its states are integrated: work needs parameters in a block",
                  h->m->name);
}

br_status br_trace_create(const br_model *m, const void *par, const br_signal *const *inputs,
                          const br_trace_options *opt, br_trace **out, br_err *err)
{
  const br_trace_options o = opt ? *opt : br_trace_options_default();
  bri_times times;
  if (!out) return bri_fail(err, BR_E_ARG, "br_trace_create: NULL argument");
  *out = NULL;
  if (!inputs) return bri_fail(err, BR_E_ARG, "br_trace_create: no inputs");
  br_status st = bri_model_steps(m, par, "br_trace_create", err);
  if (st) return st;
  for (int a = 0; a < m->axes; a++)
    if (!inputs[a])
      return bri_text_fail(err, BR_E_ARG, a, "br_trace_create: %s needs %d input(s)", m->name, m->axes);
  const size_t nstate = m->nstate(par), n = nstate + m->nmode(par);
  st = bri_trace_options_check(m, &o, nstate, err);
  if (!st) st = bri_times_choose(inputs, m->axes, &o, &times, err);
  if (st) return st;
  br_trace *tr = bri_calloc(1, sizeof *tr);
  double *memory = bri_calloc(n * (BRI_HELD_ROWS + 6), sizeof *memory);
  if (!tr || !memory) {
    bri_free(tr);
    bri_free(memory);
    return bri_no_memory(err, "trace");
  }
  tr->times = times;
  for (int a = 0; a < m->axes; a++) tr->inputs[a] = inputs[a];
  tr->memory = memory;
  tr->z = memory;
  tr->dz = memory + n;
  tr->room = memory + (BRI_HELD_ROWS + 3) * n;
  const bri_held held = {.m = m,
                         .par = par,
                         .load = o.load,
                         .n = n,
                         .nstate = nstate,
                         .rtol = o.rtol,
                         .max_steps = o.max_steps,
                         .scale = memory + 2 * n,
                         .work = memory + 3 * n};
  tr->held = held;
  tr->opt = o;
  st = choose(tr, err);
  if (!st) st = check_work(tr, err);
  if (!st) start(tr);
  if (st == BR_E_NOMEM) (void)bri_fail(err, st, "trace: out of memory");
  if (st) br_trace_destroy(tr);
  else *out = tr;
  return st;
}

void br_trace_destroy(br_trace *tr)
{
  if (!tr) return;
  bri_given_destroy(tr->given);
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
  if (tr->given) {
    size_t steps, rejected;
    bri_given_count(tr->given, &steps, &rejected);
    s.steps += steps;
    s.rejected += rejected;
  }
  return s;
}

/* End of the piece that starts now and may not go beyond `target`.  A corner that meets the target to
 * rounding is the target. */
static double piece_end(const br_trace *tr, double target)
{
  const double same = bri_times_tolerance(tr->t, target);
  double end = target;
  for (int a = 0; a < tr->held.m->axes; a++)
    if (tr->corner[a].at < end - same) end = tr->corner[a].at;
  if (tr->nswitch < tr->opt.nswitch && tr->opt.switches[tr->nswitch].t < end - same)
    end = tr->opt.switches[tr->nswitch].t;
  return end;
}

/* Velocity held from now to `end`; positions reached there into ue. */
static void hold(br_trace *tr, double end, double *ue)
{
  const double same = bri_times_tolerance(tr->t, end);
  for (int a = 0; a < tr->held.m->axes; a++) {
    const corner *c = &tr->corner[a];
    /* a corner that meets the end to rounding is the end: beyond it the motion may have turned */
    ue[a] = c->jumps && c->at <= end + same ? c->before : br_signal_value(tr->inputs[a], fmin(end, c->at));
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
    if (isnan(tr->v[a])) return not_finite(tr, "the rate of the input", tr->v[a]);
  }
  for (size_t i = 0; i < h->nstate; i++) {
    if (isfinite(tr->z[i])) continue;
    const char *known = br_state_name(h->m, h->par, i, sizeof name, name, NULL);
    (void)snprintf(text, sizeof text, "state %s", known ? known : "?");
    return not_finite(tr, text, tr->z[i]);
  }
  for (int a = 0; a < h->m->axes; a++)
    if (!isfinite(tr->F[a])) return not_finite(tr, "the force", tr->F[a]);
  return BR_OK;
}

static double piece_work(br_trace *tr, const double *v, double t, double h, int along)
{
  const size_t n = tr->held.n;
  bri_piece p = {.held = &tr->held, .t = t, .u = tr->u, .v = v, .z = tr->room, .room = tr->room + n};
  for (int a = 0; a < tr->held.m->axes && along; a++) p.inputs[a] = tr->inputs[a];
  if (n) memcpy(tr->room, tr->z, n * sizeof *tr->z);
  return bri_piece_work(&p, h);
}

/* The states over a piece that ends at `end`, where the positions are ue. */
static br_status move(br_trace *tr, double end)
{
  double reached = 0;
  if (tr->given) return bri_given_advance(tr->given, end, tr->z, &tr->why);
  if (tr->opt.work) tr->work += piece_work(tr, tr->v, tr->t, end - tr->t, tr->true_rate && tr->held.n == 0);
  const br_status st = bri_held_step(&tr->held, tr->u, tr->v, tr->t, end - tr->t, tr->z, &reached);
  if (!st) return st;
  return bri_text_fail(&tr->why, st, (int)tr->next,
                       "%s: integration got stuck at t = %.12g s (u = %.9g m, v = %.9g m/s)",
                       tr->held.m->name, tr->t + reached, tr->u[0] + reached * tr->v[0], tr->v[0]);
}

/* As the solver has it (bristle/solve.h, br_plant_load). */
static double load_at(const br_trace *tr, double t)
{
  const br_signal *s = tr->opt.load_signal;
  const double n =
      bri_signal_is_along(s) ? tr->opt.load * br_signal_value(s, tr->u[0]) : br_signal_value(s, t);
  return fmax(n, tr->held.nstate ? 1e-9 : 0);
}

/* From u at once to where a jump leads: the way counts, time does not pass.  A rate-dependent model sees the
 * limit of a crossing faster than all its own speeds. */
static br_status cross(br_trace *tr, double t, const double *to)
{
  double way = 0, v[BR_TRACE_AXES] = {0, 0}, reached = 0;
  bri_held *h = &tr->held;
  const br_signal *along[BR_TRACE_AXES] = {h->inputs[0], h->inputs[1]};
  for (int a = 0; a < h->m->axes; a++) way = fmax(way, fabs(to[a] - tr->u[a]));
  if (way == 0) return BR_OK;
  if (bri_signal_is_along(tr->opt.load_signal))
    return bri_text_fail(
        &tr->why, BR_E_UNSUPPORTED, (int)tr->next,
        "the given motion jumps at t = %.9g s under a load by position: give a steep ramp (pwl:)", t);
  if (tr->opt.load_signal) h->load = load_at(tr, t);
  for (int a = 0; a < h->m->axes; a++) v[a] = (to[a] - tr->u[a]) / way * JUMP;
  br_status st = bri_jump_bounded(h, t, tr->u, to, v, tr->z, tr->dz, (int)tr->next, &tr->why);
  if (st) return st;
  h->inputs[0] = h->inputs[1] = NULL;
  double work = 0; /* of the crossing: the solver that books the pieces between does not see it */
  if (tr->opt.work && !tr->given) work = piece_work(tr, v, t, way / JUMP, 0);
  else if (tr->opt.work) st = bri_jump_work(h, tr->u, v, t, way / JUMP, tr->z, tr->room, &work);
  tr->work += work;
  if (!st) st = bri_held_step(h, tr->u, v, t, way / JUMP, tr->z, &reached);
  h->inputs[0] = along[0];
  h->inputs[1] = along[1];
  if (st)
    return bri_text_fail(&tr->why, st, (int)tr->next, "%s: no way over the jump of the input at t = %.12g s",
                         h->m->name, t);
  for (int a = 0; a < h->m->axes; a++) tr->u[a] = to[a];
  return tr->given ? bri_given_start(tr->given, t, wall(tr), 1, tr->z, &tr->why) : BR_OK;
}

/* Does a row at t, where u is about to jump, still show u from before? */
static int before_jump(const br_trace *tr, int axis, double t)
{
  const corner *c = &tr->corner[axis];
  const double u = br_signal_value(tr->inputs[axis], t);
  return !c->waits && fabs(u - c->before) < fabs(u - c->behind);
}

/* `end` has been reached: look for the next corners, and cross the jumps that stand here. */
static br_status pass_corners(br_trace *tr, double end, const double *ue)
{
  const double same = bri_times_tolerance(tr->t, end);
  double to[BR_TRACE_AXES] = {0, 0}, t = end;
  int jump = 0;
  tr->t = end;
  for (int a = 0; a < tr->held.m->axes; a++) {
    corner *c = &tr->corner[a];
    to[a] = tr->u[a] = ue[a];
    if (c->at > end + same && !c->waits) continue;
    if (c->jumps && before_jump(tr, a, end)) {
      c->waits = 1;
      continue;
    }
    if (c->jumps) jump = 1, to[a] = c->behind;
    t = fmax(t, c->at);
    *c = corner_after(tr, a, fmax(end, c->at));
    if (isnan(c->at))
      return bri_text_fail(&tr->why, BR_E_CONVERGE, (int)tr->next,
                           "the input turns or jumps too often behind t = %.9g s to be followed", t);
  }
  if (jump) return cross(tr, t, to);
  if (tr->given) bri_given_wall(tr->given, wall(tr));
  return BR_OK;
}

static void turn(br_trace *tr);

static int waiting(const br_trace *tr)
{
  int any = 0;
  for (int a = 0; a < tr->held.m->axes; a++) any |= tr->corner[a].waits;
  return any;
}

/* Parameters of the next stage, where its time has come; the solver behind `given` does the same by itself.
 * */
static void switch_over(br_trace *tr, double target)
{
  const double same = bri_times_tolerance(tr->t, target);
  bri_held *h = &tr->held;
  for (; tr->nswitch < tr->opt.nswitch && tr->opt.switches[tr->nswitch].t <= tr->t + same; tr->nswitch++) {
    h->par = tr->opt.switches[tr->nswitch].par;
    h->load = tr->opt.switches[tr->nswitch].load;
  }
}

static br_status walk(br_trace *tr, double target)
{
  for (size_t count = 0; tr->t < target; count++) {
    double ue[BR_TRACE_AXES] = {tr->u[0], tr->u[1]};
    const int here = waiting(tr);
    switch_over(tr, target);
    const double end = here ? tr->t : piece_end(tr, target);
    br_status st = BR_OK;
    if (!here) {
      hold(tr, end, ue);
      st = move(tr, end);
      tr->stats.pieces++;
      tr->stats.splits += end < target;
    }
    const int met = tr->corner[0].at <= end + bri_times_tolerance(tr->t, end);
    if (!st) st = pass_corners(tr, end, ue);
    if (st) return st;
    if (met) turn(tr);
    if (count == MOST)
      return bri_text_fail(&tr->why, BR_E_RANGE, (int)tr->next,
                           "more than %d corners of the input before t = %.9g s, between two samples", MOST,
                           tr->t);
    if (count % ASK == ASK - 1 && tr->opt.on_step && tr->opt.on_step(tr->opt.ctx, tr->t))
      return bri_text_fail(&tr->why, BR_INTERRUPTED, (int)tr->next, "stopped at t = %.9g s", tr->t);
  }
  return BR_OK;
}

/* v of a row: the limit from the left; row 0 has the velocity with which the motion starts. */
static void true_rate(br_trace *tr)
{
  for (int a = 0; a < tr->held.m->axes && tr->true_rate; a++)
    tr->v[a] = br_signal_rate(tr->inputs[a], tr->t, tr->next ? -1 : 1);
}

static void force(br_trace *tr)
{
  bri_held *h = &tr->held;
  if (tr->opt.load_signal) h->load = load_at(tr, tr->t);
  bri_trace_force(h, tr->u, tr->v, tr->z, tr->dz, tr->F);
}

static double work_of(const br_trace *tr)
{
  return !tr->opt.work ? (double)NAN : tr->work + (tr->given ? bri_given_work(tr->given) : 0);
}

static double stored_of(const br_trace *tr)
{
  const bri_held *h = &tr->held;
  if (!tr->opt.work || !h->m->energy || !(h->m->flags & BR_MODEL_ENERGY)) return NAN;
  return h->m->energy(h->par, h->load, tr->u, tr->z);
}

/* The motion of one axis turns here, or has rested since it came: tell whoever asked. */
static void turn(br_trace *tr)
{
  const br_signal *in = tr->inputs[0];
  if (!tr->opt.on_turn || tr->held.m->axes != 1) return;
  const double before = br_signal_rate(in, tr->t, -1) != 0 ? br_signal_rate(in, tr->t, -1)
                                                           : -br_signal_curvature(in, tr->t, -1),
               behind = br_signal_rate(in, tr->t, 1) != 0
                            ? br_signal_rate(in, tr->t, 1)
                            : br_signal_curvature(in, tr->t, 1); /* smooth: at rest here */
  if (before != 0) tr->direction = before > 0 ? 1 : -1;
  if (behind == 0 || tr->direction * behind >= 0) return;
  if (tr->true_rate) tr->v[0] = br_signal_rate(in, tr->t, -1);
  if (tr->v[0] == 0)
    tr->v[0] = before > 0 ? DBL_MIN : -DBL_MIN; /* a law without state: its limit from there */
  force(tr);
  tr->opt.on_turn(tr->opt.ctx, tr->t, tr->u[0], tr->F[0], work_of(tr));
  tr->direction = behind > 0 ? 1 : -1;
}

br_status br_trace_next(br_trace *tr, const br_trace_row **row, br_err *err)
{
  if (row) *row = NULL;
  if (!tr || !row) return bri_fail(err, BR_E_ARG, "br_trace_next: NULL argument");
  if (!tr->status && tr->next >= tr->times.count) return BR_OK;
  if (!tr->status) {
    if (tr->next == 0) {
      double ue[BR_TRACE_AXES];
      hold(tr, piece_end(tr, bri_times_at(&tr->times, 1)), ue);
    } else {
      tr->status = walk(tr, bri_times_at(&tr->times, tr->next));
    }
    if (!tr->status) {
      true_rate(tr);
      force(tr);
      tr->status = check_finite(tr);
    }
  }
  if (tr->status) {
    if (err) *err = tr->why;
    return tr->status;
  }
  const br_trace_row r = {tr->next++, tr->t, tr->u, tr->v, tr->F, tr->z, work_of(tr), stored_of(tr)};
  tr->row = r;
  *row = &tr->row;
  return BR_OK;
}

br_status br_trace_fill(br_trace *tr, size_t max, double *t, double *u, double *v, double *F, double *z,
                        size_t *n, br_err *err)
{
  if (n) *n = 0;
  if (!tr || !n) return bri_fail(err, BR_E_ARG, "br_trace_fill: NULL argument");
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
