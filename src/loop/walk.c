/* SPDX-License-Identifier: Apache-2.0
 * walk.c - a loop or a transient followed along its path: every arc is gone over once, however many points
 * are asked for on it. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "loop_internal.h"

struct br_loop_walk {
  const br_loop *loop;
  double start[2 * BR_LOOP_MAX_STATE]; /* state at rho = 0; closed form: the elastic force, N */
  size_t arc;                          /* arcs since rho = 0, of all periods */
  double at_arc[2 * BR_LOOP_MAX_STATE], at[2 * BR_LOOP_MAX_STATE];
  double from; /* m into the arc, where `at` stands */
  int steady;  /* 1: on the loop itself, whose states at the turning points are known */
  int lost;    /* 1: an arc could not be followed */
};

static void rewind_to(br_loop_walk *w, size_t arc, const double *z)
{
  w->arc = arc;
  w->from = 0;
  memcpy(w->at_arc, z, w->loop->nz * sizeof *z);
  memcpy(w->at, z, w->loop->nz * sizeof *z);
}

static void begin(br_loop_walk *w, const br_loop *loop, const double *z0)
{
  memset(w, 0, sizeof *w);
  w->loop = loop;
  w->steady = !z0;
  const int closed = loop->sum.method == BR_LOOP_CLOSED_FORM;
  if (closed) w->start[0] = z0 ? z0[0] * loop->affine.to_y : loop->Y[0];
  else if (z0) memcpy(w->start, z0, loop->model->nstate(loop->par) * sizeof *z0);
  else memcpy(w->start, loop->z, loop->nz * sizeof *z0);
  if (!closed) rewind_to(w, 0, w->start);
}

br_status br_loop_walk_create(const br_loop *loop, const double *z0, br_loop_walk **out, br_err *err)
{
  *out = loop ? bri_malloc(sizeof **out) : NULL;
  if (!loop) return bri_fail(err, BR_E_ARG, "a walk needs a loop");
  if (!*out) return bri_fail(err, BR_E_NOMEM, "no memory for a walk along a loop");
  begin(*out, loop, z0);
  return BR_OK;
}

void br_loop_walk_destroy(br_loop_walk *w) { bri_free(w); }

/* Go on within the arc. */
static void advance(br_loop_walk *w, size_t i, double to)
{
  const bri_path *p = &w->loop->path;
  const bri_arc_model a = bri_arc_of(w->loop);
  const double s = bri_path_dir(p, i);
  if (to > w->from && bri_arc_move(&a, p->u[i] + s * w->from, s, to - w->from, w->at, NULL, NULL) != BR_OK)
    w->lost = 1;
  w->from = to;
}

static double closed_form(const br_loop_walk *w, size_t i, double from, double rho)
{
  const br_loop *loop = w->loop; /* a deviation from the loop decays with the path */
  const double s = bri_path_dir(&loop->path, i), here = bri_affine_move(&loop->affine, loop->Y[i], s, from);
  const double Y = here + (w->start[0] - loop->Y[0]) * bri_exp(-loop->affine.a * rho);
  return loop->affine.p * Y + s * loop->affine.q;
}

double br_loop_walk_y(br_loop_walk *w, double rho, int side)
{
  const bri_path *p = &w->loop->path;
  double from;
  const size_t i = bri_path_arc(p, rho, &from, side);
  if (w->loop->sum.method == BR_LOOP_CLOSED_FORM) return closed_form(w, i, from, rho);
  const size_t arc = (size_t)fmax(0, round((rho - from - p->rho[i]) / p->total)) * p->n + i;
  if (arc != w->arc && w->steady) rewind_to(w, arc, w->loop->z + i * w->loop->nz);
  if (arc < w->arc) rewind_to(w, 0, w->start);
  while (w->arc < arc && !w->lost) {
    const size_t k = w->arc % p->n;
    advance(w, k, fabs(p->u[k + 1] - p->u[k]));
    rewind_to(w, w->arc + 1, w->at);
  }
  if (w->lost) return (double)NAN;
  if (from < w->from) rewind_to(w, arc, w->at_arc);
  advance(w, i, from);
  const bri_arc_model a = bri_arc_of(w->loop);
  const double s = bri_path_dir(p, i);
  return w->lost ? (double)NAN : bri_arc_force(&a, p->u[i] + s * from, s, w->at);
}

double br_loop_transient(const br_loop *loop, const double *z0, double rho, int side)
{
  static const double zero[2 * BR_LOOP_MAX_STATE] = {0};
  br_loop_walk w;
  begin(&w, loop, z0 ? z0 : zero);
  return br_loop_walk_y(&w, rho, side);
}
