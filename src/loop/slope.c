/* SPDX-License-Identifier: Apache-2.0
 * slope.c - exact derivatives of a loop by a parameter of its model.
 * The path is given, so that everything linear in the force (corners, gaps, work) has as derivative the same
 * thing of the derivative of the force.  That belongs to a model of its own (sense/twin.h): the states with
 * their derivatives.  The fixed point of its period map is the loop together with its derivative, the
 * implicit function theorem included. */
#include <math.h>
#include <stdint.h>

#include "answer.h"
#include "base/alloc.h"
#include "base/root.h"
#include "loop_internal.h"
#include "param/slide.h"
#include "sense/twin.h"
#include "text/fail.h"

enum { LOOKS = 64, TRIES = 60 };

/* Place of the largest sign * y: where on the path, and from which side. */
typedef struct {
  double rho, y;
  int side, inside;
} summit;

static void look(const br_loop *loop, double sign, double rho, int side, int inside, summit *best)
{
  const double y = br_loop_y(loop, rho, side);
  if (sign * y > sign * best->y || isnan(best->y)) *best = (summit){rho, y, side, inside};
}

/* Where the force is level between a and b, by its rise over a small way. */
static double level_between(const br_loop *loop, double a, double b)
{
  const double d = 1e-4 * (b - a), last = b - d;
  bri_bracket k = bri_bracket_of(a, br_loop_y(loop, a + d, 1) - br_loop_y(loop, a, 1), last,
                                 br_loop_y(loop, last + d, 1) - br_loop_y(loop, last, 1));
  for (int i = 0; i < TRIES && k.b - k.a > 1e-9 * (b - a); i++) {
    const double x = bri_bracket_next(&k);
    bri_bracket_take(&k, x, br_loop_y(loop, x + d, 1) - br_loop_y(loop, x, 1));
  }
  return 0.5 * (k.a + k.b) + 0.5 * d;
}

/* Derivative of the largest sign * y: of the force where it is attained.  *error: what the place leaves
 * unknown. */
static double extreme_slope(const br_loop *loop, const br_loop *slopes, double sign, double *error)
{
  const br_loop_summary *s = br_loop_get(loop);
  const br_turning *turning = br_loop_turnings(loop);
  summit best = {0, NAN, 1, 0};
  for (size_t i = 0; i < s->n_turning; i++) {
    const double a = turning[i].rho, b = i + 1 < s->n_turning ? turning[i + 1].rho : s->path_length;
    look(loop, sign, a, 1, 0, &best);
    look(loop, sign, b, -1, 0, &best);
    for (int k = 1; k < LOOKS; k++) look(loop, sign, a + (b - a) * k / LOOKS, 1, 1, &best);
    if (best.inside && best.rho > a && best.rho < b) {
      const double w = (b - a) / LOOKS, at = level_between(loop, best.rho - w, best.rho + w);
      best.rho = at, best.y = br_loop_y(loop, at, 1);
      *error = fmax(*error, 1e-7);
    }
  }
  return br_loop_y(slopes, best.rho, best.side);
}

static br_status unsupported(br_err *err)
{
  return bri_fail(err, BR_E_UNSUPPORTED, "loop: no exact derivatives of this");
}

/* Can the twin answer?  Speeds below a stick band have a law of their own, distances between curves no
 * derivative. */
static int is_smooth(const bri_loop_question *q)
{
  if (q->nscales || q->periods || br_job_given(q->job, "switch")) return 0;
  if (2 * q->m->nstate(q->par) > BR_LOOP_MAX_STATE) return 0;
  return !(q->m->flags & BR_MODEL_TRUE_STICK) || bri_stick_band(q->m, q->par) < BRI_SLOW;
}

/* What the way alone decides does not move. */
static br_status settle_path(bri_loop_question *q, br_turning **turning, br_minor **minor, br_err *err)
{
  const size_t n = q->sum.n_turning, k = q->sum.n_minor;
  *turning = bri_calloc(n + 1, sizeof **turning);
  *minor = bri_calloc(k + 1, sizeof **minor);
  if (!*turning || !*minor) return bri_no_memory(err, "loop");
  for (size_t i = 0; i < n; i++) (*turning)[i].y = q->turning[i].y;
  for (size_t i = 0; i < k; i++) {
    const br_minor *m = &q->minor[i];
    (*minor)[i] = (br_minor){.parent = m->parent == BR_NO_PARENT ? BR_NO_PARENT : 0,
                             .y_start = m->y_start,
                             .y_end = m->y_end,
                             .gap = m->gap,
                             .work = m->work,
                             .dissipation = m->dissipation};
  }
  q->turning = *turning, q->minor = *minor;
  q->sum.path_length = q->sum.iterations = 0;
  q->sum.contraction = NAN; /* the slope of a slope: not here */
  return BR_OK;
}

static double largest(const bri_loop_question *q)
{
  double top = 0;
  for (size_t i = 0; i < q->sum.n_turning; i++) top = fmax(top, fabs(q->turning[i].y));
  return top;
}

br_status bri_loop_slope(const br_job *job, const br_direction *d, br_sink *out, br_err *err)
{
  bri_loop_question plain = {.job = job}, q = {.job = job, .slope = 1};
  br_turning *turning = NULL;
  br_minor *minor = NULL;
  bri_twin *twin = NULL;
  bri_loop_settings_of(&plain, &out->stop);
  bri_loop_settings_of(&q, &out->stop);
  if (d->slot == SIZE_MAX || !is_smooth(&q)) return unsupported(err);
  br_status st = bri_twin_create(q.m, q.par, d->slot, d->scale, &twin, err);
  if (!st) q.m = bri_twin_slopes(twin), q.par = bri_twin_par(twin), q.wave_set.z0 = NULL;
  if (!st) st = bri_loop_compute(&q, err);
  if (!st && q.loop) st = bri_loop_compute(&plain, err);
  if (!st) {
    *d->error = fmax(1e-13, largest(&q) > 0 ? q.sum.error / largest(&q) : 0);
    if (!q.loop) q.sum.y_min = q.sum.y_max = NAN; /* of a wave only samples are known */
    else q.sum.y_min = extreme_slope(plain.loop, q.loop, -1, d->error);
    if (q.loop) q.sum.y_max = extreme_slope(plain.loop, q.loop, 1, d->error);
  }
  if (!st) st = settle_path(&q, &turning, &minor, err);
  if (!st) st = bri_loop_numbers(&q, out, err);
  if (!st) st = bri_loop_tables(&q, out, err);
  bri_loop_release(&plain);
  bri_loop_release(&q);
  bri_twin_destroy(twin);
  bri_free(turning);
  bri_free(minor);
  return st;
}
