/* SPDX-License-Identifier: Apache-2.0
 * tangent_observe.c - derivatives of what is watched along the way: work and energy, extremes, rows. */
#include <math.h>
#include <string.h>

#include "tangent.h"
#include "tangent_internal.h"

/* ---- energies ---- */

/* Derivatives of powers at a point where forces have derivatives dF. */
static void power_slopes(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                         const double *S, double *out)
{
  const br_plant *p = t->p;
  const size_t nk = p->nk;
  double *at = t->beside;
  bri_tangent_forces(t, s, m, time, y, S, t->dF);
  bri_tangent_motion(t, s, time, y, S, 0, t->du, t->dv);
  bri_eval(p, &s->k, m, time, y, t->rate);
  memcpy(t->F, s->k.F, nk * sizeof *t->F);
  out[1] = 0;
  for (size_t j = 0; j < nk; j++) out[1] += t->dF[j] * s->k.v[j] + t->F[j] * t->dv[j];
  for (size_t i = 0; i < BRI_SIDES; i++) {
    const br_plant *b = t->side[i];
    const double way = bri_tangent_way(t, i);
    bri_work *k = bri_tangent_work(t, s, i);
    for (size_t l = 0; l < p->ny; l++) t->y[l] = y[l] + way * S[l];
    for (size_t j = 0; j < nk; j++) t->force[j] = t->F[j] + way * t->dF[j];
    bri_inputs(b, k, time);
    at[2 * i] = b->sys->power ? b->sys->power(b->spar, k->w, k->dw, t->y, t->force) : 0;
    at[2 * i + 1] = b->sys->lost   ? b->sys->lost(b->spar, k->w, k->dw, t->y)
                    : b->sys->loss ? b->sys->loss(b->spar, t->y)
                                   : 0;
  }
  out[0] = bri_tangent_extrapolate(at, 2, t->step);
  out[2] = bri_tangent_extrapolate(at + 1, 2, t->step);
}

void bri_tangent_work_of_step(bri_tangent *t, br_solver *s, double h)
{
  const size_t ny = t->p->ny;
  const bri_step *st = &s->last;
  double P[3];
  for (int i = 0; i < st->stages; i++) {
    const double time = i == st->stages - 1 ? s->t0 + h : s->t0 + st->theta[i] * h;
    power_slopes(t, s, &s->mode0, time, st->Y + (size_t)i * ny, t->node + (size_t)(i + 1) * ny, P);
    for (int a = 0; a < 3; a++) t->quad[a] += h * st->weight[i] * P[a];
  }
}

/* Of the energy stored: in all, in the mechanism alone. */
static void stored_slopes(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                          double *all, double *alone)
{
  double *at = t->beside;
  for (size_t i = 0; i < BRI_SIDES; i++) {
    const br_plant *b = t->side[i];
    const double way = bri_tangent_way(t, i);
    bri_work *k = bri_tangent_work(t, s, i);
    const bri_mode *mode = bri_tangent_mode(t, m, 0, way);
    for (size_t l = 0; l < t->p->ny; l++) t->y[l] = y[l] + way * t->S[l];
    bri_eval(b, k, mode, time, t->y, t->rate);
    at[2 * i + 1] = bri_stored_alone(b, k, t->y);
    at[2 * i] = bri_stored(b, k, mode, t->y);
  }
  *all = bri_tangent_extrapolate(at, 2, t->step);
  *alone = bri_tangent_extrapolate(at + 1, 2, t->step);
}

br_energy bri_tangent_energy(bri_tangent *t, br_solver *s)
{
  br_energy e = {0};
  double alone = 0;
  stored_slopes(t, s, &s->mode, s->t, s->y, &e.stored, &alone);
  e.stored -= t->stored0, alone -= t->mech0;
  e.work_in = t->quad[0];
  e.friction = t->quad[1];
  e.dissipated = t->quad[1] + t->quad[2] - (e.stored - alone);
  e.residual = e.work_in - e.stored - e.dissipated;
  return e;
}

void bri_tangent_powers(br_solver *s, double *out)
{
  bri_eval(s->p, &s->k, &s->mode, s->t, s->y, s->tmp);
  bri_power_flows(s, s->y, out);
}

void bri_tangent_end(bri_tangent *t, br_solver *s, double dT)
{
  double P[3];
  if (dT == 0) return;
  bri_tangent_powers(s, P);
  for (int a = 0; a < 3; a++) t->quad[a] += P[a] * dT;
  for (size_t l = 0; l < t->p->ny; l++) t->S[l] += s->f[l] * dT;
}

/* ---- rows ---- */

/* Derivatives of states along a column at a point whose own are S. */
static void state_slopes(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                         const double *S, size_t column, double *dx)
{
  const br_plant *p = t->p;
  memcpy(dx, S, p->ny * sizeof *dx);
  if (!t->nm) return;
  bri_tangent_motion(t, s, time, y, S, column, t->du, t->dv);
  for (size_t i = 0; i < t->nm; i++)
    dx[p->z0 + i] = t->E[column * t->nm + i] + m->active[i] * t->du[i / p->nz];
}

void bri_tangent_state(const bri_tangent *tangent, br_solver *s, size_t column, double *dx)
{
  bri_tangent *t = s->tangent;
  state_slopes(t, s, &s->mode, s->t, s->y, tangent->S + column * t->p->ny, column, dx);
}

void bri_tangent_force(bri_tangent *t, br_solver *s, double *dF)
{
  bri_tangent_forces(t, s, &s->mode, s->t, s->y, t->S, t->dF);
  memcpy(dF, t->dF, t->p->nk * sizeof *dF);
}

void bri_tangent_shown(bri_tangent *t, br_solver *s, double *out)
{
  const br_plant *p = t->p;
  const size_t n = p->sys->nshown;
  if (!p->sys->show) return;
  for (size_t i = 0; i < BRI_SIDES; i++) {
    const double way = bri_tangent_way(t, i);
    bri_work *k = bri_tangent_work(t, s, i);
    for (size_t l = 0; l < p->ny; l++) t->y[l] = s->y[l] + way * t->S[l];
    bri_inputs(t->side[i], k, s->t);
    p->sys->show(t->side[i]->spar, k->w, k->dw, t->y, t->beside + i * n);
  }
  for (size_t i = 0; i < n; i++) out[i] = bri_tangent_extrapolate(t->beside + i, n, t->step);
}

/* ---- extremes ---- */

/* What holds a contact follows the motion. */
static void held_rates(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                       double *out)
{
  const br_plant *p = t->p;
  const double d = bri_tangent_moment(s);
  for (size_t j = 0; j < p->nk; j++) {
    if (!m->c[j].stuck) continue;
    for (size_t i = 0; i < BRI_SIDES; i++) {
      const double way = (i % 2 ? -d : d) / (double)((size_t)1 << (i / 2));
      for (size_t l = 0; l < p->ny; l++) t->y[l] = y[l] + way * t->spot[l];
      bri_eval(p, &s->k, m, time + way, t->y, t->rate);
      t->limit[i] = s->k.F[j];
    }
    out[j] = bri_tangent_extrapolate(t->limit, 1, d);
  }
}

/* What inputs alone change of the forces, at a fixed state: between the ends of the step from both sides. */
static void driven_rates(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                         double *out)
{
  const br_plant *p = t->p;
  const double h = s->t - s->t0, d = 1e-3 * h, side = time + d > s->t ? -1 : 1;
  const int inside = time - d > s->t0 && time + d < s->t;
  for (size_t j = 0; j < p->nk && p->driven; j++) {
    double F[BRI_SIDES];
    for (size_t i = 0; i < BRI_SIDES; i++) {
      const double part = d / (double)((size_t)1 << (i / 2));
      const double way = inside ? (i % 2 ? -part : part) : side * 1e-3 * d * (double)(i < 3 ? i : 0);
      bri_eval(p, &s->k, m, time + way, y, t->rate);
      F[i] = s->k.F[j];
    }
    out[j] += inside ? bri_tangent_extrapolate(F, 1, d) : side * (4 * F[1] - 3 * F[0] - F[2]) / (2e-3 * d);
  }
}

/* Rates in time of states and forces, in the mode of the step. */
static void row_rates(bri_tangent *t, br_solver *s, const bri_mode *m, double time, const double *y,
                      double *out)
{
  const br_plant *p = t->p;
  bri_eval(p, &s->k, m, time, y, t->spot);
  memset(out, 0, (p->nx + p->nk) * sizeof *out);
  memcpy(out, t->spot, p->ny * sizeof *out);
  for (size_t i = 0; i < t->nm; i++) out[p->z0 + i] = m->active[i] * s->k.v[i / p->nz];
  s->k.sided = 1;
  bri_force_along(p, &s->k, m, time, y, t->spot, out + p->nx);
  s->k.sided = 0;
  driven_rates(t, s, m, time, y, out + p->nx);
  held_rates(t, s, m, time, y, out + p->nx);
}

/* States and their derivatives at theta of the last step. */
static double place(const bri_tangent *t, const br_solver *s, double theta, double h, double *y, double *S)
{
  const size_t ny = t->p->ny;
  for (size_t l = 0; l < ny; l++)
    S[l] = theta == 0 ? t->node[l] : bri_node_poly(&s->last, t->node + l, ny, theta);
  if (theta == 0) memcpy(y, s->y0, ny * sizeof *y);
  else if (theta == 1) memcpy(y, s->last.Y + (size_t)(s->last.stages - 1) * ny, ny * sizeof *y);
  else bri_step_at(&s->last, ny, s->y0, theta, y);
  return theta == 1 ? s->t0 + h : s->t0 + theta * h;
}

/* Where quantity i, which has an extremum near theta, is level: its rate is known better than its summit. */
static double level_place(bri_tangent *t, br_solver *s, size_t i, double theta, double h)
{
  const size_t w = t->p->nx + t->p->nk;
  double S[BRI_TANGENT_STATES], y[BRI_TANGENT_STATES], *rates = t->row + 2 * w, at = theta, rate[2];
  double before = fmax(theta - 1e-3, 0.5 * theta);
  for (int k = 0; k < 4; k++) {
    for (int a = 0; a < 2; a++) {
      row_rates(t, s, &s->mode0, place(t, s, a ? at : before, h, y, S), y, rates);
      rate[a] = rates[i];
    }
    const double next = at - rate[1] * (at - before) / (rate[1] - rate[0]);
    if (!(fabs(next - theta) < 0.02) || next <= 0 || next >= 1) break;
    before = at, at = next;
    if (at == before) break;
  }
  return at;
}

static void row_slopes(bri_tangent *t, br_solver *s, double theta, double h, double *out)
{
  double S[BRI_TANGENT_STATES], y[BRI_TANGENT_STATES];
  const double time = place(t, s, theta, h, y, S);
  state_slopes(t, s, &s->mode0, time, y, S, 0, out);
  bri_tangent_forces(t, s, &s->mode0, time, y, S, t->dF);
  memcpy(out + t->p->nx, t->dF, t->p->nk * sizeof *out);
}

void bri_tangent_observe_start(bri_tangent *t, br_solver *s)
{
  const br_plant *p = t->p;
  if (s->set.energy) stored_slopes(t, s, &s->mode, s->t, s->y, &t->stored0, &t->mech0);
  state_slopes(t, s, &s->mode, s->t, s->y, t->S, 0, t->lo);
  bri_tangent_forces(t, s, &s->mode, s->t, s->y, t->S, t->dF);
  memcpy(t->lo + p->nx, t->dF, p->nk * sizeof *t->lo);
  memcpy(t->hi, t->lo, (p->nx + p->nk) * sizeof *t->hi);
}

/* Extremes at the end of the last step move along with it where it was an event. */
void bri_tangent_settle(bri_tangent *t, const br_solver *s)
{
  const size_t w = t->p->nx + t->p->nk;
  for (size_t i = 0; i < 2 * w && t->t_ended == t->t_tau; i++)
    if (s->place[i] == 1) (i < w ? t->lo : t->hi)[i % w] += t->row[i % w] * t->tau[0];
  t->t_ended = NAN;
}

void bri_tangent_extremes(br_solver *s, double h)
{
  bri_tangent *t = s->tangent;
  const size_t w = t->p->nx + t->p->nk;
  const double event = s->t0 == t->t_tau ? t->tau[0] : 0; /* how the start of the step moves */
  double S[BRI_TANGENT_STATES], y[BRI_TANGENT_STATES], *out = t->row + w, *rates = out + w;
  for (size_t i = 0; i < 2 * w; i++) {
    const double theta = s->place[i];
    if (theta < 0) continue;
    row_slopes(t, s, theta > 0 && theta < 1 ? level_place(t, s, i % w, theta, h) : theta, h, out);
    double d = out[i % w];
    if (theta == 0 && event != 0) {
      row_rates(t, s, &s->mode0, place(t, s, 0, h, y, S), y, rates);
      d += rates[i % w] * event;
    }
    (i < w ? t->lo : t->hi)[i % w] = d;
  }
  row_rates(t, s, &s->mode0, place(t, s, 1, h, y, S), y, t->row);
  t->t_ended = s->t;
}

void bri_tangent_range(bri_tangent *t, const br_solver *s, double *lo, double *hi)
{
  const size_t w = t->p->nx + t->p->nk;
  bri_tangent_settle(t, s);
  memcpy(lo, t->lo, w * sizeof *lo);
  memcpy(hi, t->hi, w * sizeof *hi);
}
