/* SPDX-License-Identifier: Apache-2.0
 * steady.c - the steady loop of any model: the period map along the arcs, its fixed point, and everything
 * along it. */
#include <math.h>
#include <string.h>

#include "../solve/fixpoint.h"
#include "../table/alloc.h"
#include "../text/fail.h"
#include "loop_internal.h"

typedef struct {
  const bri_path *path;
  bri_arc_model arc;
} period_ctx;

static br_status period(void *ctx, double *z, br_err *err)
{
  const period_ctx *c = ctx;
  const bri_path *p = c->path;
  br_status st = BR_OK;
  for (size_t i = 0; st == BR_OK && i < p->n; i++)
    st = bri_arc_move(&c->arc, p->u[i], bri_path_dir(p, i), fabs(p->u[i + 1] - p->u[i]), z, NULL, err);
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

/* State at the first turning point of the steady loop. */
static br_status find(br_loop *loop, const bri_arc_model *a, double u0, double *z, br_err *err)
{
  const double lead = loop->path.u[0] - u0;
  const size_t ns = loop->model->nstate(loop->par);
  const int smooth = loop->nz == ns && a->par_pair != NULL;
  period_ctx c = {&loop->path, *a};
  const bri_fix_problem p = {loop->model->name,           &c,           ns, loop->nz, loop->rtol, period,
                             smooth ? period_pair : NULL, force_depends};
  bri_fix_report r;
  br_status st = BR_OK;
  if (lead != 0) st = bri_arc_move(a, u0, lead > 0 ? 1.0 : -1.0, fabs(lead), z, NULL, err);
  if (st == BR_OK) st = bri_fixpoint(&p, z, &r, err);
  if (st != BR_OK) return st;
  loop->sum.contraction = r.contraction;
  loop->sum.iterations = r.iterations;
  loop->sum.error = r.error; /* of the state, still to be turned into force */
  return BR_OK;
}

/* Once the state at the first turning point is known: everything along the loop. */
static br_status tour(br_loop *loop, const bri_arc_model *a, const double *z0, double *works, br_err *err)
{
  const bri_path *p = &loop->path;
  const size_t nz = loop->nz;
  memcpy(loop->z, z0, nz * sizeof(double));
  for (size_t i = 0; i < p->n; i++) {
    double *z = loop->z + (i + 1) * nz;
    memcpy(z, loop->z + i * nz, nz * sizeof(double));
    works[i] = 0;
    const br_status st =
        bri_arc_move(a, p->u[i], bri_path_dir(p, i), fabs(p->u[i + 1] - p->u[i]), z, &works[i], err);
    if (st != BR_OK) return st;
  }
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

/* The fixed point's error is one of the state: bring it to force by the slope over the loop. */
static double force_error(const br_loop *loop)
{
  double force = 0, state = 0;
  for (size_t i = 0; i < loop->path.n; i++) {
    force = fmax(force, fabs(loop->turning[i].y));
    for (size_t k = 0; k < loop->model->nstate(loop->par); k++)
      state = fmax(state, fabs(loop->z[i * loop->nz + k]));
  }
  return state > 0 ? loop->sum.error * force / state : 0.0;
}

br_status bri_steady_solve(br_loop *loop, double u0, const size_t *end_arc, br_err *err)
{
  const bri_path *p = &loop->path;
  bri_arc_model a = {loop->model, loop->par, NULL, loop->load, loop->speed, loop->rtol, loop->nz};
  const size_t nz = loop->nz > 0 ? loop->nz : 1;
  double *works = bri_malloc_array(p->n, sizeof *works), *z = bri_calloc(nz, sizeof *z), *pairs;
  br_status st = BR_OK;
  loop->z = bri_malloc_array(p->n + 1, nz * sizeof(double));
  if (!works || !z || !loop->z)
    st = bri_text_fail(err, BR_E_NOMEM, -1, "no memory for %zu turning points", p->n);
  a.par_pair = pairs = bri_arc_pairs(loop->model, loop->par);
  if (st == BR_OK && loop->model->rate_pair && !pairs)
    st = bri_text_fail(err, BR_E_NOMEM, -1, "no memory for a loop");
  if (st == BR_OK) st = find(loop, &a, u0, z, err);
  if (st == BR_OK) st = tour(loop, &a, z, works, err);
  loop->sum.work = 0;
  for (size_t i = 0; st == BR_OK && i < p->n; i++) loop->sum.work += works[i];
  loop->sum.dissipation = loop->model->energy ? loop->sum.work : (double)NAN;
  if (st == BR_OK) loop->sum.error = force_error(loop);
  for (size_t k = 0; st == BR_OK && k < loop->sum.n_minor; k++)
    st = fill_minor(loop, &a, works, end_arc[k], &loop->minor[k], err);
  bri_free(pairs);
  bri_free(works);
  bri_free(z);
  return st;
}
