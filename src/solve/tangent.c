/* SPDX-License-Identifier: Apache-2.0
 * tangent.c - derivatives of a motion: a step, an event.  See tangent.h. */
#include "tangent.h"

#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/differences.h"
#include "../text/fail.h"
#include "tangent_internal.h"

/* ---- the field beside the point ---- */

/* From the values above and below at three distances. */
double bri_tangent_extrapolate(const double *at, size_t stride, double step)
{
  double D[BRI_SIDES / 2];
  for (size_t l = 0; l < BRI_SIDES / 2; l++)
    D[l] = (at[2 * l * stride] - at[(2 * l + 1) * stride]) / (2 * step / (double)((size_t)1 << l));
  return bri_differences(D, NULL);
}

double bri_tangent_way(const bri_tangent *t, size_t side)
{
  return (side % 2 ? -1 : 1) * t->step / (double)((size_t)1 << (side / 2));
}

/* The last step may have been a short landing; the next one knows how fast things change. */
double bri_tangent_moment(const br_solver *s)
{
  return 1e-3 * fmax(fmax(s->h, s->t - s->t0), 1e-9 * fabs(s->t));
}

bri_work *bri_tangent_work(bri_tangent *t, const br_solver *s, size_t side)
{
  bri_work *k = &t->work[side];
  k->t_end = s->k.t_end, k->stroke = s->k.stroke, k->haste = s->k.haste;
  if (t->p->nw) memcpy(k->jump, s->k.jump, 2 * t->p->nw * sizeof *k->jump);
  return k;
}

/* The mode with the elements' deflections moved along a column. */
const bri_mode *bri_tangent_mode(bri_tangent *t, const bri_mode *m, size_t column, double way)
{
  if (t->p->kind != BRI_MAP) return m;
  bri_mode_copy(t->p, &t->shifted, m);
  const double *E = t->E + column * t->nm;
  for (size_t i = 0; i < t->nm; i++) t->shifted.z0[i] += way * E[i];
  return &t->shifted;
}

/* Rates and forces by the parameter (column 0) and the elements' deflections, at a fixed state. */
static void field_slope(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                        size_t column, double *df, double *dF)
{
  const br_plant *p = t->p;
  const size_t ny = p->ny, nk = p->nk, w = ny + nk;
  memset(df, 0, ny * sizeof *df);
  memset(dF, 0, nk * sizeof *dF);
  if (column && p->kind != BRI_MAP) return;
  for (size_t i = 0; i < BRI_SIDES; i++) {
    bri_work *k = column ? &s->k : bri_tangent_work(t, s, i); /* held inputs stand in it */
    double *at = t->beside + i * w;
    bri_eval(column ? p : t->side[i], k, bri_tangent_mode(t, m, column, bri_tangent_way(t, i)), time, y, at);
    memcpy(at + ny, k->F, nk * sizeof *at);
  }
  for (size_t l = 0; l < ny; l++) df[l] = bri_tangent_extrapolate(t->beside + l, w, t->step);
  for (size_t j = 0; j < nk; j++) dF[j] = bri_tangent_extrapolate(t->beside + ny + j, w, t->step);
}

/* The forces of contacts that are held follow from a constraint, and have no corner at v = 0. */
static void held_forces(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                        const double *S, double *dF)
{
  const br_plant *p = t->p;
  const size_t nk = p->nk;
  int any = 0;
  for (size_t j = 0; j < nk; j++) any |= m->c[j].stuck;
  if (!any) return;
  for (size_t i = 0; i < BRI_SIDES; i++) {
    const double way = bri_tangent_way(t, i);
    bri_work *k = bri_tangent_work(t, s, i);
    for (size_t l = 0; l < p->ny; l++) t->y[l] = y[l] + way * S[l];
    bri_eval(t->side[i], k, m, time, t->y, t->rate);
    memcpy(t->beside + i * nk, k->F, nk * sizeof *t->beside);
  }
  for (size_t j = 0; j < nk; j++)
    if (m->c[j].stuck) dF[j] = bri_tangent_extrapolate(t->beside + j, nk, t->step);
}

void bri_tangent_forces(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                        const double *S, double *dF)
{
  const size_t nk = t->p->nk;
  double *own = t->force;
  field_slope(t, s, m, time, y, 0, t->rate, own);
  s->k.sided = 1;
  bri_force_along(t->p, &s->k, m, time, y, S, dF);
  s->k.sided = 0;
  for (size_t j = 0; j < nk; j++) dF[j] += own[j];
  held_forces(t, s, m, time, y, S, dF);
}

/* Motion of the contacts along a column, u then v. */
void bri_tangent_motion(bri_tangent *t, br_solver *s, double time, const double *y, const double *S,
                        size_t column, double *du, double *dv)
{
  const br_plant *p = t->p;
  const size_t nk = p->nk;
  for (size_t i = 0; i < BRI_SIDES; i++) {
    const double way = bri_tangent_way(t, i);
    bri_work *k = column ? &s->k : bri_tangent_work(t, s, i);
    const br_plant *beside = column ? p : t->side[i];
    for (size_t l = 0; l < p->ny; l++) t->y[l] = y[l] + way * S[l];
    bri_inputs(beside, k, time);
    p->sys->motion(beside->spar, k->w, k->dw, t->y, k->u, k->v);
    for (size_t j = 0; j < nk; j++) {
      t->beside[i * 2 * nk + j] = p->free ? t->y[p->nq + j] : k->u[j];
      t->beside[i * 2 * nk + nk + j] = k->v[j];
    }
  }
  for (size_t j = 0; j < nk; j++) {
    du[j] = bri_tangent_extrapolate(t->beside + j, 2 * nk, t->step);
    dv[j] = bri_tangent_extrapolate(t->beside + nk + j, 2 * nk, t->step);
  }
}

/* ---- a step ---- */

/* A^-1 of the method: what h times the rates at the points are, of the changes there. */
static double rate_weight(const bri_radau_table *tab, int i, int j)
{
  double sum = 0, power = 1;
  for (int k = 1; k <= tab->s; k++, power *= tab->c[i]) sum += k * power * tab->P[(k - 1) * tab->s + j];
  return sum;
}

static double node_time(const br_solver *s, int i, double h)
{
  return i == s->last.stages - 1 ? s->t0 + h : s->t0 + s->last.theta[i] * h;
}

/* By the parameter: where element i of contact c ends when it moves towards `way`. */
static double limit_slope(bri_tangent *t, const bri_mode *m, size_t c, size_t i, double way)
{
  const br_plant *p = t->p;
  const double zero = 0;
  for (size_t b = 0; b < BRI_SIDES; b++) {
    memcpy(t->z, m->z0 + c * p->nz, p->nz * sizeof *t->z);
    p->mod->step(bri_par(t->side[b], c), t->side[b]->load[c], &zero, &way, 1e200, t->z);
    t->limit[b] = t->z[i];
  }
  return bri_tangent_extrapolate(t->limit, 1, t->step);
}

/* Spring-slider elements that began to slip or stick where the step starts: those that slip stand at their
 * limit, those that stick again follow the contact from there. */
static void follow_elements(bri_tangent *t, br_solver *s)
{
  const br_plant *p = t->p;
  if (p->kind != BRI_MAP) return;
  for (size_t c = 0; c < p->nc; c++)
    for (size_t i = 0; i < p->nz; i++) {
      const size_t at = c * p->nz + i;
      const double now = s->mode0.active[at], before = t->active[at], way = t->sign[c];
      for (size_t n = 0; n < t->columns && now != before; n++) {
        double *E = &t->E[n * t->nm + at];
        if (before > 0) *E = 0;
        if (before > 0 && n == 0) *E = limit_slope(t, &s->mode0, c, i, way);
        if (before == 0) {
          bri_tangent_motion(t, s, s->t0, s->y0, t->S + n * p->ny, n, t->du, t->dv);
          *E -= t->du[c];
        }
      }
      t->active[at] = now;
      if (i + 1 == p->nz) t->sign[c] = s->mode0.c[c].sign;
    }
}

/* The linear system of the stages, factored; 1: singular. */
static int factor(bri_tangent *t, br_solver *s, double h)
{
  const bri_radau_table *tab = s->radau.tab;
  const size_t ny = t->p->ny, n = (size_t)tab->s * ny;
  memset(t->M, 0, n * n * sizeof *t->M);
  s->k.sided = 1;
  for (int i = 0; i < tab->s; i++) {
    double *J = t->J + (size_t)i * ny * ny;
    bri_jac(t->p, &s->k, &s->mode0, node_time(s, i, h), s->last.Y + (size_t)i * ny, J);
    for (int j = 0; j < tab->s; j++)
      for (size_t l = 0; l < ny; l++)
        t->M[((size_t)i * ny + l) * n + (size_t)j * ny + l] = rate_weight(tab, i, j);
    for (size_t l = 0; l < ny; l++)
      for (size_t q = 0; q < ny; q++)
        t->M[((size_t)i * ny + l) * n + (size_t)i * ny + q] -= h * J[l * ny + q];
  }
  s->k.sided = 0;
  return bri_lu(n, t->M, t->pivot);
}

static void step(br_solver *s, double h)
{
  bri_tangent *t = s->tangent;
  const size_t ny = t->p->ny, stages = (size_t)s->last.stages, n = stages * ny;
  bri_tangent_settle(t, s);
  follow_elements(t, s);
  if (factor(t, s, h)) t->failed = 1;
  for (size_t c = 0; c < t->columns && !t->failed; c++) {
    double *S = t->S + c * ny, *node = t->node + c * (BRI_MAX_STAGE + 1) * ny;
    memcpy(node, S, ny * sizeof *S);
    for (size_t i = 0; i < stages; i++) {
      double *r = t->right + i * ny;
      const double *J = t->J + i * ny * ny;
      field_slope(t, s, &s->mode0, node_time(s, (int)i, h), s->last.Y + i * ny, c, r, t->force);
      for (size_t l = 0; l < ny; l++) {
        for (size_t q = 0; q < ny; q++) r[l] += J[l * ny + q] * S[q];
        r[l] *= h;
      }
    }
    bri_lu_solve(n, t->M, t->pivot, t->right);
    for (size_t i = 0; i < n; i++) node[ny + i] = S[i % ny] + t->right[i];
    memcpy(S, node + n, ny * sizeof *S);
  }
  if (s->set.energy && !t->failed) bri_tangent_work_of_step(t, s, h);
}

/* ---- events ---- */

/* How event function e changes: by time along the motion, and along each column. */
static double in_time(bri_tangent *t, br_solver *s, size_t e, int user)
{
  const br_plant *p = t->p;
  const double d = bri_tangent_moment(s);
  for (size_t i = 0; i < BRI_SIDES; i++) {
    const double way = (i % 2 ? -d : d) / (double)((size_t)1 << (i / 2));
    for (size_t l = 0; l < p->ny; l++) t->y[l] = s->y[l] + way * s->f[l];
    if (user)
      bri_full(p, &s->k, &s->mode, s->t + way, t->y, t->x), s->set.user(s->set.ctx, s->t + way, t->x, t->g);
    else bri_events(p, &s->k, &s->mode, s->t + way, t->y, t->g, t->rate);
    t->limit[i] = t->g[e];
  }
  return bri_tangent_extrapolate(t->limit, 1, d);
}

/* A way along column c on which no contact changes its side: levels have a corner at v = 0.  Reversals
 * themselves are linear in the states. */
static double careful_way(bri_tangent *t, br_solver *s, size_t e, size_t c)
{
  const br_plant *p = t->p;
  double way = t->step;
  bri_tangent_motion(t, s, s->t, s->y, t->S + c * p->ny, c, t->du, t->dv);
  bri_inputs(p, &s->k, s->t);
  bri_motion(p, &s->k, s->y);
  for (size_t j = 0; j < p->nk && e >= p->nk; j++)
    if (fabs(t->dv[j]) * way > 1e-2 * fabs(s->k.v[j]) && s->k.v[j] != 0)
      way = 1e-2 * fabs(s->k.v[j] / t->dv[j]);
  return way;
}

/* Event function e where the states are moved by `way` along column c, on a plant. */
static double event_at(bri_tangent *t, br_solver *s, const br_plant *p, bri_work *k, size_t e, size_t c,
                       double way, int user)
{
  const bri_mode *m = bri_tangent_mode(t, &s->mode, c, way);
  for (size_t l = 0; l < p->ny; l++) t->y[l] = s->y[l] + way * t->S[c * p->ny + l];
  if (user) bri_full(p, k, m, s->t, t->y, t->x), s->set.user(s->set.ctx, s->t, t->x, t->g);
  else bri_events(p, k, m, s->t, t->y, t->g, t->rate);
  return t->g[e];
}

static double along_column(bri_tangent *t, br_solver *s, size_t e, size_t c, int user)
{
  const double step = careful_way(t, s, user ? 0 : e, c);
  double own = 0;
  for (size_t i = 0; i < BRI_SIDES && c == 0; i++)
    t->limit[i] = event_at(t, s, t->side[i], bri_tangent_work(t, s, i), e, c, 0, user);
  if (c == 0) own = bri_tangent_extrapolate(t->limit, 1, t->step);
  for (size_t i = 0; i < BRI_SIDES; i++)
    t->limit[i] = event_at(t, s, t->p, &s->k, e, c, bri_tangent_way(t, i) * step / t->step, user);
  return own + bri_tangent_extrapolate(t->limit, 1, step);
}

/* The element of contact c that comes to its limit next: distance to it along a column. */
static double to_limit(bri_tangent *t, br_solver *s, size_t c, size_t column)
{
  const br_plant *p = t->p;
  const double zero = 0, way = s->mode.c[c].sign, *z0 = s->mode.z0 + c * p->nz;
  size_t first = 0;
  double least = INFINITY;
  memcpy(t->z, z0, p->nz * sizeof *t->z);
  p->mod->step(bri_par(p, c), p->load[c], &zero, &way, 1e200, t->z);
  for (size_t i = 0; i < p->nz; i++)
    if (s->mode.active[c * p->nz + i] > 0 && way * (t->z[i] - z0[i]) < least)
      least = way * (t->z[i] - z0[i]), first = i;
  const double limit = column ? 0 : limit_slope(t, &s->mode, c, first, way);
  bri_tangent_motion(t, s, s->t, s->y, t->S + column * p->ny, column, t->du, t->dv);
  return way * (limit - t->E[column * t->nm + c * p->nz + first] - t->du[c]);
}

static double before(br_solver *s, size_t e)
{
  bri_tangent *t = s->tangent;
  const size_t nm = s->ne - s->set.nuser;
  const int user = e >= nm, slips = t->p->kind == BRI_MAP && !user && e >= t->p->nk && e < 2 * t->p->nk;
  const double rise = in_time(t, s, user ? e - nm : e, user);
  double tau = 0;
  for (size_t c = 0; c < t->columns; c++) {
    const double d = slips ? to_limit(t, s, e - t->p->nk, c) : along_column(t, s, user ? e - nm : e, c, user);
    const double x = d == 0 ? 0 : -d / rise;
    if (!isfinite(x)) t->failed = 1;
    if (!user) t->tau[c] = x;
    if (c == 0) tau = x;
  }
  if (user) return tau;
  t->t_tau = s->t;
  bri_eval(t->p, &s->k, &s->mode, s->t, s->y, t->f);
  bri_power_flows(s, s->y, t->power);
  return tau;
}

static void after(br_solver *s)
{
  bri_tangent *t = s->tangent;
  const br_plant *p = t->p;
  double power[3];
  bri_eval(p, &s->k, &s->mode, s->t, s->y, s->f);
  bri_power_flows(s, s->y, power);
  for (int a = 0; a < 3; a++) t->quad[a] += (t->power[a] - power[a]) * t->tau[0];
  for (size_t c = 0; c < t->columns; c++)
    for (size_t l = 0; l < p->ny; l++) t->S[c * p->ny + l] += (t->f[l] - s->f[l]) * t->tau[c];
  for (size_t j = 0; j < p->nk; j++)
    for (size_t c = 0; c < t->columns && s->mode.c[j].stuck && p->pure[j] >= 0; c++)
      t->S[c * p->ny + (size_t)p->pure[j]] = 0;
}

static void turns(br_solver *s, int done)
{
  bri_tangent *t = s->tangent;
  if (!done) {
    memcpy(t->f, s->f, t->p->ny * sizeof *t->f);
    bri_tangent_powers(s, t->power);
    return;
  }
  if (t->t_tau != s->t) memset(t->tau, 0, t->columns * sizeof *t->tau);
  after(s);
}

static void tell(br_solver *s, double tau) { s->tangent->told = tau; }

int bri_tangent_failed(const bri_tangent *t) { return t->failed; }
double bri_tangent_when(const bri_tangent *t) { return t->told; }

/* ---- the object ---- */

static br_status refuse(const br_plant *p, const char *why, br_err *err)
{
  return bri_fail(err, BR_E_UNSUPPORTED, "%s: no exact derivatives of this motion: %s", p->mod->name, why);
}

static br_status check(const br_plant *p, const br_plant *const *side, br_err *err)
{
  if (p->ny == 0) return refuse(p, "nothing moves", err);
  if (p->ny > BRI_TANGENT_STATES || p->band) return refuse(p, "too many states", err);
  if (p->paths || p->jumps || p->moving || p->then) return refuse(p, "states saturate, jump or switch", err);
  for (size_t i = 0; i < BRI_SIDES; i++)
    if (side[i]->ny != p->ny || side[i]->nx != p->nx || side[i]->nk != p->nk || side[i]->kind != p->kind ||
        side[i]->paths || side[i]->small != p->small || side[i]->nw != p->nw)
      return refuse(p, "the mechanism has other states beside the parameter", err);
  return BR_OK;
}

static br_status allocate(bri_tangent *t, size_t ne)
{
  const br_plant *p = t->p;
  const size_t ny = p->ny, nk = p->nk, w = p->nx + nk, n = BRI_MAX_STAGE * ny, c = t->columns;
  const size_t beside = BRI_SIDES * (ny + 2 * nk + p->sys->nshown + 4);
  const bri_share parts[] = {
      {&t->S, c * ny},    {&t->E, c * t->nm},   {&t->node, c * (BRI_MAX_STAGE + 1) * ny},
      {&t->tau, c},       {&t->M, n * n},       {&t->J, BRI_MAX_STAGE * ny * ny},
      {&t->right, n},     {&t->beside, beside}, {&t->y, ny},
      {&t->rate, ny},     {&t->f, ny},          {&t->spot, ny},
      {&t->force, nk},    {&t->dF, nk},         {&t->du, nk},
      {&t->dv, nk},       {&t->F, nk},          {&t->active, t->nm},
      {&t->z, p->nz + 1}, {&t->lo, w},          {&t->hi, w},
      {&t->row, 3 * w},   {&t->x, p->nx},       {&t->sign, p->nc},
      {&t->g, ne}};
  t->memory = bri_shares(parts, sizeof parts / sizeof parts[0]);
  t->pivot = bri_calloc(n, sizeof *t->pivot);
  if (!t->memory || !t->pivot) return BR_E_NOMEM;
  return bri_mode_create(p, &t->shifted);
}

br_status bri_tangent_create(const br_plant *p, const br_plant *const *side, double step, size_t columns,
                             bri_tangent **out, br_err *err)
{
  *out = NULL;
  br_status st = check(p, side, err);
  if (st) return st;
  bri_tangent *t = bri_calloc(1, sizeof *t);
  if (!t) return bri_fail(err, BR_E_NOMEM, "out of memory for derivatives");
  t->p = p, t->step = step, t->columns = columns;
  t->nm = p->kind == BRI_MAP ? p->nc * p->nz : 0;
  st = allocate(t, bri_nevent(p) + BRI_TANGENT_USERS);
  for (size_t i = 0; i < BRI_SIDES && !st; i++) {
    t->side[i] = side[i];
    st = bri_work_create(side[i], &t->work[i]);
  }
  if (st) {
    bri_tangent_destroy(t);
    return bri_fail(err, st, "out of memory for derivatives");
  }
  *out = t;
  return BR_OK;
}

void bri_tangent_destroy(bri_tangent *t)
{
  if (!t) return;
  for (size_t i = 0; i < BRI_SIDES; i++) bri_work_destroy(&t->work[i]);
  bri_mode_destroy(&t->shifted);
  bri_free(t->pivot);
  bri_free(t->memory);
  bri_free(t);
}

/* On a cycle elements that slip at its start stand at their limits, wherever the search says they are. */
static void stand_at_limits(bri_tangent *t, const br_solver *s)
{
  for (size_t i = 0; i < t->nm; i++)
    for (size_t n = 0; n < t->columns && t->active[i] == 0; n++)
      t->E[n * t->nm + i] =
          n ? 0 : limit_slope(t, &s->mode, i / t->p->nz, i % t->p->nz, t->sign[i / t->p->nz]);
}

/* The mode is that of the start. */
static void start(br_solver *s)
{
  bri_tangent *t = s->tangent;
  const br_plant *p = t->p;
  t->t_tau = NAN, t->t_ended = NAN, t->failed = 0;
  memset(t->quad, 0, sizeof t->quad);
  for (size_t i = 0; i < t->nm; i++) t->active[i] = s->mode.active[i];
  for (size_t c = 0; c < p->nc; c++) t->sign[c] = s->mode.c[c * p->ax].sign;
  for (size_t n = 0; n < t->columns && t->nm;
       n++) { /* of those that stick the distance to the contact counts */
    bri_tangent_motion(t, s, s->t, s->y, t->S + n * p->ny, n, t->du, t->dv);
    for (size_t i = 0; i < t->nm; i++) t->E[n * t->nm + i] -= t->active[i] * t->du[i / p->nz];
  }
  if (t->cyclic) stand_at_limits(t, s);
  bri_tangent_observe_start(t, s);
}

void bri_tangent_attach(bri_tangent *t, br_solver *s, const double *dx)
{
  const br_plant *p = t->p;
  for (size_t c = 0; c < t->columns; c++) {
    for (size_t l = 0; l < p->ny; l++) t->S[c * p->ny + l] = dx ? dx[c * p->nx + l] : 0;
    for (size_t i = 0; i < t->nm; i++) t->E[c * t->nm + i] = dx ? dx[c * p->nx + p->z0 + i] : 0;
  }
  static const bri_along ALONG = {start, step, bri_tangent_extremes, before, after, turns, tell};
  s->tangent = t, s->along = &ALONG;
  t->cyclic = dx != NULL;
}
