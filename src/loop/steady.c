/* SPDX-License-Identifier: Apache-2.0
 * steady.c - the steady loop of any model: the period map along the arcs, its fixed point, and everything
 * along it. */
#include <math.h>
#include <string.h>

#include "../solve/fixpoint.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "loop_internal.h"

typedef struct {
  const bri_path *path;
  bri_arc_model arc;
  double extent[2 * BR_LOOP_MAX_STATE]; /* largest |state| at the turning points of the last period */
} period_ctx;

static void widen(period_ctx *c, const double *z)
{
  for (size_t j = 0; j < c->arc.nz; j++)
    if (!(fabs(z[j]) <= c->extent[j])) c->extent[j] = fabs(z[j]);
}

static br_status period(void *ctx, double *z, br_err *err)
{
  period_ctx *c = ctx;
  const bri_path *p = c->path;
  br_status st = BR_OK;
  memset(c->extent, 0, sizeof c->extent);
  widen(c, z);
  for (size_t i = 0; st == BR_OK && i < p->n; i++) {
    st = bri_arc_move(&c->arc, p->u[i], bri_path_dir(p, i), fabs(p->u[i + 1] - p->u[i]), z, NULL, err);
    widen(c, z);
  }
  return st;
}

static br_status period_pair(void *ctx, double *z, br_err *err)
{
  const period_ctx *c = ctx;
  const bri_path *p = c->path;
  br_status st = BR_OK;
  for (size_t i = 0; st == BR_OK && i < p->n; i++)
    st = bri_arc_move_pair(&c->arc, p->u[i], bri_path_dir(p, i), fabs(p->u[i + 1] - p->u[i]), z, err);
  return st;
}

static int force_depends(void *ctx, const double *z, size_t j)
{
  const period_ctx *c = ctx;
  return bri_arc_force_depends(&c->arc, c->path->u[0], z, j);
}

int bri_arc_force_moves(const bri_arc_model *a, double u, const double *z, size_t j)
{
  double x[2 * BR_LOOP_MAX_STATE], size = 0;
  memcpy(x, z, a->nz * sizeof *z);
  for (size_t i = 0; i < a->nz; i++) size = fmax(size, fabs(z[i]));
  x[j] += 0.01 * (size > 0 ? size : 1.0);
  return bri_arc_force(a, u, 1, x) != bri_arc_force(a, u, 1, z);
}

/* Does the rate of state j, at one speed, depend on nothing but that state?  Asked at a few places. */
static int sees_only_itself(const bri_arc_model *a, const double *extent, size_t j)
{
  const double v = a->speed;
  for (int k = 0; k < 4; k++) {
    double here[2 * BR_LOOP_MAX_STATE], there[2 * BR_LOOP_MAX_STATE], dz[2][2 * BR_LOOP_MAX_STATE];
    const double u[2] = {0.3 + k, -1.7 * k - 0.1};
    for (size_t i = 0; i < a->nz; i++) {
      here[i] = extent[i] * (0.4 - 0.23 * k), there[i] = extent[i] * (0.13 + 0.19 * k);
      if (i == j) there[i] = here[i];
    }
    a->model->rate(a->par, a->load, &u[0], &v, here, dz[0]);
    a->model->rate(a->par, a->load, &u[1], &v, there, dz[1]);
    if (dz[0][j] != dz[1][j]) return 0;
  }
  return 1;
}

/* Rate of state j over the path, with what rounding and the state's own error leave of it. */
static double path_rate(const period_ctx *c, double s, const double *z, size_t j, double *off)
{
  const bri_arc_model *a = &c->arc;
  const double v = s * a->speed, u = 0;
  double x[2 * BR_LOOP_MAX_STATE], dz[2 * BR_LOOP_MAX_STATE];
  memcpy(x, z, a->nz * sizeof *x);
  a->model->rate(a->par, a->load, &u, &v, x, dz);
  const double f = dz[j] / a->speed;
  x[j] *= 1 + 8 * a->rtol;
  a->model->rate(a->par, a->load, &u, &v, x, dz);
  const double moved = fabs(dz[j] / a->speed - f);
  x[j] = 0;
  a->model->rate(a->par, a->load, &u, &v, x, dz);
  *off = moved + 4 * 0x1p-52 * fmax(fabs(f), fabs(dz[j] / a->speed));
  return f;
}

/* A state that sees nothing but itself moves along dz/drho = f(z): a deviation grows over an arc like f does,
 * by f(end) / f(start), whatever lies between (a singular derivative, a slope of 1 - 1e-12). */
static int own_slope(void *ctx, const double *z0, size_t j, double *slope, double *error)
{
  const period_ctx *c = ctx;
  const bri_path *p = c->path;
  double z[2 * BR_LOOP_MAX_STATE], before, after;
  memcpy(z, z0, c->arc.nz * sizeof *z);
  *slope = 1, *error = 0;
  if (c->arc.model->nmode(c->arc.par) > 0 || !sees_only_itself(&c->arc, c->extent, j)) return 0;
  for (size_t i = 0; i < p->n; i++) {
    const double s = bri_path_dir(p, i), from = path_rate(c, s, z, j, &before);
    if (bri_arc_move(&c->arc, p->u[i], s, fabs(p->u[i + 1] - p->u[i]), z, NULL, NULL) != BR_OK) return 0;
    const double to = path_rate(c, s, z, j, &after);
    *slope *= to / from;
    *error += fabs(before / from) + fabs(after / to);
    if (!(*error < 1e-9)) return 0; /* the rate has died down: its last digits are no ratio */
  }
  return *slope > 0;
}

/* State at the first turning point of the steady loop; rest: that of the motion that comes there from rest.
 * */
static br_status find(br_loop *loop, const bri_arc_model *a, double u0, double *rest, double *z, br_err *err)
{
  const double lead = loop->path.u[0] - u0;
  const size_t ns = loop->model->nstate(loop->par);
  const int exact = (loop->model->flags & BR_MODEL_EXACT_STEP) != 0;
  const double rounding = 0x1p-52 * (2 + sqrt((double)loop->path.n)); /* of a period of exact steps */
  period_ctx c = {.path = &loop->path, .arc = *a};
  const bri_fix_problem p = {loop->model->name,
                             &c,
                             ns,
                             loop->nz,
                             exact ? rounding : loop->rtol,
                             period,
                             a->par_pair ? period_pair : NULL,
                             force_depends};
  const bri_fix_hints hints = {.extent = c.extent,
                               .slope_error = exact ? 1e-13 : 1e-8,
                               .independent = (loop->model->flags & BR_MODEL_ELEMENTS) != 0,
                               .own_slope = exact ? NULL : own_slope};
  bri_fix_report r;
  br_status st = BR_OK;
  if (lead != 0) st = bri_arc_move(a, u0, lead > 0 ? 1.0 : -1.0, fabs(lead), z, NULL, err);
  memcpy(rest, z, loop->nz * sizeof *z);
  if (st == BR_OK) st = bri_fixpoint(&p, &hints, z, &r, err);
  if (st != BR_OK) return st;
  loop->sum.contraction = r.contraction;
  loop->sum.contraction_error = r.contraction_error;
  loop->sum.iterations = r.iterations;
  return BR_OK;
}

/* Does a period bring x back, to rounding? */
static int is_kept(const br_loop *loop, const bri_arc_model *a, const double *x)
{
  period_ctx c = {.path = &loop->path, .arc = *a};
  double y[2 * BR_LOOP_MAX_STATE];
  memcpy(y, x, loop->nz * sizeof *y);
  if (period(&c, y, NULL) != BR_OK) return 0;
  for (size_t j = 0; j < loop->nz; j++)
    if (!(fabs(y[j] - x[j]) <= 0x1p-49 * c.extent[j])) return 0;
  return 1;
}

/* Where a period keeps its state the motion from rest drifts ever slower towards the nearest place that is
 * kept, and where exactly that is rounding decides: as far as places on the way back to rest are kept too. */
static void measure_looseness(const br_loop *loop, const bri_arc_model *a, const double *rest, bri_error *e)
{
  for (double part = 1; part > 1e-14; part *= 0.25) {
    double x[2 * BR_LOOP_MAX_STATE], most = 0;
    for (size_t j = 0; j < loop->nz; j++) {
      x[j] = loop->z[j] + part * (rest[j] - loop->z[j]);
      most = fmax(most, fabs(x[j] - loop->z[j]));
    }
    if (most > 0 && !is_kept(loop, a, x)) continue;
    for (size_t j = 0; j < e->ns; j++) e->loose[j] = 2 * fabs(x[j] - loop->z[j]);
    return;
  }
}

/* Once the state at the first turning point is known: everything along the loop. */
static br_status tour(br_loop *loop, const bri_arc_model *a, const double *rest, const double *z0,
                      double *works, br_err *err)
{
  const bri_path *p = &loop->path;
  const size_t nz = loop->nz;
  bri_error error;
  memcpy(loop->z, z0, nz * sizeof(double));
  bri_error_open(a, &loop->sum, &error);
  if (loop->sum.contraction == 1) measure_looseness(loop, a, rest, &error);
  loop->sum.y_min = INFINITY, loop->sum.y_max = -INFINITY;
  for (size_t i = 0; i < p->n; i++) {
    bri_arc_sums sums;
    double *z = loop->z + (i + 1) * nz;
    const double dir = bri_path_dir(p, i), length = fabs(p->u[i + 1] - p->u[i]);
    memcpy(z, loop->z + i * nz, nz * sizeof(double));
    const br_status st = bri_arc_tour(a, p->u[i], dir, length, z, &sums, err);
    if (st != BR_OK) return st;
    bri_error_arc(&error, a, p->u[i], dir, length, z - nz, z, &sums);
    works[i] = sums.work;
    loop->sum.y_min = fmin(loop->sum.y_min, sums.lo);
    loop->sum.y_max = fmax(loop->sum.y_max, sums.hi);
  }
  loop->sum.error = bri_error_close(&error, loop->z, loop->z + p->n * nz);
  for (size_t i = 0; i < p->n; i++) {
    const size_t back = i == 0 ? p->n - 1 : i - 1;
    const double *z = loop->z + (i == 0 ? p->n : i) * nz;
    loop->turning[i] = (br_turning){p->u[i], bri_arc_force(a, p->u[i], bri_path_dir(p, back), z), p->rho[i]};
  }
  return BR_OK;
}

static double energy(const br_loop *loop, double u, const double *z)
{
  return loop->model->energy ? loop->model->energy(loop->par, loop->load, &u, z) : (double)NAN;
}

static br_status fill_minor(const br_loop *loop, const bri_arc_model *a, const double *works, size_t j,
                            br_minor *m, br_err *err)
{
  const bri_path *p = &loop->path;
  const size_t i = m->start_reversal, nz = loop->nz;
  const double s = bri_path_dir(p, j);
  double z[BR_LOOP_MAX_STATE * 2], work = 0;
  for (size_t k = i; k != j; k = k + 1 == p->n ? 0 : k + 1) work += works[k];
  memcpy(z, loop->z + j * nz, nz * sizeof(double));
  const br_status st = bri_arc_move(a, p->u[j], s, fabs(m->u_start - p->u[j]), z, &work, err);
  if (st != BR_OK) return st;
  m->y_start = loop->turning[i].y;
  m->y_end = bri_arc_force(a, m->u_start, s, z);
  m->gap = m->y_end - m->y_start;
  m->work = work;
  m->dissipation = work - (energy(loop, m->u_start, z) - energy(loop, m->u_start, loop->z + i * nz));
  return BR_OK;
}

/* Block of parameters as (re, im) pairs, prepared; NULL when the model has no complex instance. */
double *bri_arc_pairs(const br_model *m, const double *par)
{
  double *pair = m->rate_pair ? bri_calloc(2 * m->slots, sizeof *pair) : NULL;
  if (!pair) return NULL;
  for (size_t i = 0; i < m->slots; i++) pair[2 * i] = par[i];
  m->prepare_pair(pair);
  return pair;
}

bri_arc_model bri_arc_of(const br_loop *loop)
{
  return (bri_arc_model){loop->model, loop->par,  NULL,     loop->load,
                         loop->speed, loop->rtol, loop->nz, &loop->stop};
}

br_status bri_steady_solve(br_loop *loop, double u0, const size_t *end_arc, br_err *err)
{
  const bri_path *p = &loop->path;
  bri_arc_model a = bri_arc_of(loop);
  const size_t nz = loop->nz > 0 ? loop->nz : 1;
  double rest[2 * BR_LOOP_MAX_STATE];
  double *works = bri_malloc_array(p->n, sizeof *works), *z = bri_calloc(nz, sizeof *z), *pairs;
  br_status st = BR_OK;
  loop->z = bri_malloc_array(p->n + 1, nz * sizeof(double));
  if (!works || !z || !loop->z) st = bri_fail(err, BR_E_NOMEM, "no memory for %zu turning points", p->n);
  a.par_pair = pairs = bri_arc_pairs(loop->model, loop->par);
  if (st == BR_OK && loop->model->rate_pair && !pairs) st = bri_fail(err, BR_E_NOMEM, "no memory for a loop");
  if (st == BR_OK) st = find(loop, &a, u0, rest, z, err);
  if (st == BR_OK) st = tour(loop, &a, rest, z, works, err);
  loop->sum.work = 0;
  for (size_t i = 0; st == BR_OK && i < p->n; i++) loop->sum.work += works[i];
  loop->sum.dissipation = loop->model->energy ? loop->sum.work : (double)NAN;
  for (size_t k = 0; st == BR_OK && k < loop->sum.n_minor; k++)
    st = fill_minor(loop, &a, works, end_arc[k], &loop->minor[k], err);
  bri_free(pairs);
  bri_free(works);
  bri_free(z);
  return st;
}
