/* SPDX-License-Identifier: Apache-2.0
 * field.c - the smooth field of one mode: right-hand side, Jacobian, stored energy. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "../param/slide.h"
#include "linalg.h"
#include "plant.h"

#define CS_STEP 1e-100 /* complex step: no cancellation, so any tiny number will do */

/* Along the stroke that stands for a jump, all inputs that jump go straight. */
static void stroke_inputs(const br_plant *p, bri_work *k, double t)
{
  for (size_t i = 0; i < p->nw; i++) {
    k->w[i] = k->jump[i] + (t < BRI_STROKE ? t / BRI_STROKE : 1) * k->jump[p->nw + i];
    k->dw[i] = k->jump[p->nw + i] / BRI_STROKE * k->haste;
  }
}

void bri_inputs(const br_plant *p, bri_work *k, double t)
{
  if (k->stroke) {
    stroke_inputs(p, k, t);
    return;
  }
  /* at the end of a segment the inputs' left limit counts: a jump there belongs to the next one */
  const int side = t >= k->t_end ? -1 : 1;
  const double tt = side < 0 ? k->t_end - 4e-16 * fmax(1, fabs(k->t_end)) : t;
  for (size_t i = 0; i < p->nw; i++) {
    const br_drive *d = &p->drives[i];
    k->w[i] = d->value, k->dw[i] = 0;
    if (d->eval) d->eval(d->ctx, tt, side, &k->w[i], &k->dw[i]);
  }
  for (size_t c = 0; p->loads && c < p->nc; c++) {
    const br_drive *d = &p->loads[c];
    k->n[c] = d->value, k->dn[c] = 0;
    if (d->eval) d->eval(d->ctx, tt, side, &k->n[c], &k->dn[c]);
    k->base[c] = k->n[c], k->dbase[c] = k->dn[c];
    if (k->n[c] < p->n_least) k->n[c] = p->n_least, k->dn[c] = 0; /* a negative one: see bri_load_lost() */
  }
}

/* Deflections of spring-slider elements at displacement u: linear inside the mode, also a little beyond it.
 * */
static const double *map_deflection(const br_plant *p, bri_work *k, const bri_mode *m, size_t c)
{
  const double du = k->u[c] - m->c[c].u0;
  const double *z0 = m->z0 + c * p->nz, *active = m->active + c * p->nz;
  for (size_t i = 0; i < p->nz; i++) k->z[i] = z0[i] + active[i] * du;
  return k->z;
}

/* Velocity at which the law of a sliding true-stick contact is asked: on its side, and outside its stick
 * band. */
static double slide_velocity(const br_plant *p, const bri_contact *c, double v)
{
  return c->sign * fmax(c->sign * v, p->v_least);
}

double bri_slide_force(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, double v)
{
  const double sign = m->c[c].sign;
  return bri_slide_law(p->mod, bri_par(p, c), k->n[c], k->u + c, sign, fmax(sign * v, DBL_MIN), p->v_least);
}

/* Rates of elements that stick or slip (modes behind the states).  Only the mode says which: a trial step may
 * pass a slip point or a reversal that is about to be located, and the field there is that of the mode.  A
 * sticking element follows the contact; a slipping one keeps the side it slips to. */
static void element_rates(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *z,
                          double *dz)
{
  const double v = bri_sided(p, m, c, k->v[c]);
  p->mod->rate(bri_par(p, c), k->n[c], k->u + c, &v, z, dz);
  for (size_t i = 0; i < p->nmode; i++) {
    if (!(fabs(z[p->nmode + i]) > 0.5)) dz[i] = k->v[c];
    dz[p->nmode + i] = 0;
  }
}

static void contact_force(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y,
                          double *dz)
{
  const size_t j = c * p->ax;
  const double n = k->n[c];
  if (p->paths) {
    bri_path_force(p, k, m, c, y, dz);
  } else if (p->elements) {
    const double *z = y + p->z0 + c * p->nz;
    element_rates(p, k, m, c, z, dz);
    p->mod->force(bri_par(p, c), n, k->u + j, k->v + j, z, dz, k->F + j);
  } else if (p->moving) {
    bri_moving_rates(p, k, m, c, y, dz);
    p->mod->force(bri_par(p, c), n, k->u + j, k->v + j, k->z, dz, k->F + j);
  } else if (p->kind == BRI_ODE && !bri_holds(p, c)) {
    const double *z = y + p->z0 + c * p->nz;
    p->mod->rate(bri_par(p, c), n, k->u + j, k->v + j, z, dz);
    for (size_t i = p->nz - p->nmode; i < p->nz; i++) dz[i] = 0;
    p->mod->force(bri_par(p, c), n, k->u + j, k->v + j, z, dz, k->F + j);
  } else if (p->kind == BRI_MAP) {
    const double *z = map_deflection(p, k, m, c);
    p->mod->force(bri_par(p, c), n, k->u + j, k->v + j, z, k->pdz, k->F + j);
  } else if (m->c[j].stuck || m->c[j].rest) {
    for (size_t i = 0; i < p->nz; i++) dz[i] = 0;
    k->F[j] = 0; /* found by hold_stuck(); where the motion is given nothing says it */
  } else {
    for (size_t i = 0; i < p->nz; i++) dz[i] = 0;
    k->F[j] = bri_slide_force(p, k, m, c, k->v[j]);
  }
}

/* Constraint forces of stuck contacts: the accelerations of their velocities vanish.
 * dq holds the rates without these forces and is completed. */
static void hold_stuck(const br_plant *p, bri_work *k, const bri_mode *m, double *dq)
{
  size_t n = 0, idx[64];
  for (size_t j = 0; j < p->nk && n < 64; j++)
    if (m->c[j].stuck) idx[n++] = j;
  if (n == 0) return;
  for (size_t a = 0; a < n; a++) {
    double acc = 0;
    for (size_t l = 0; l < p->nq; l++) acc += p->Cv[idx[a] * p->nq + l] * dq[l];
    for (size_t l = 0; p->carried && l < p->nw; l++) acc += p->Vw[idx[a] * 2 * p->nw + l] * k->dw[l];
    k->hold[a] = -acc;
    for (size_t b = 0; b < n; b++) k->K[a * n + b] = p->G[idx[a] * p->nk + idx[b]];
  }
  size_t piv[64];
  if (bri_lu(n, k->K, piv) != 0) return;
  bri_lu_solve(n, k->K, piv, k->hold);
  for (size_t a = 0; a < n; a++) {
    const size_t j = idx[a];
    k->F[j] = k->hold[a];
    for (size_t l = 0; l < p->nq; l++) dq[l] += p->B[l * p->nk + j] * k->hold[a];
  }
  for (size_t a = 0; a < n; a++)
    if (p->pure[idx[a]] >= 0) dq[p->pure[idx[a]]] = 0; /* exactly: no creep by rounding */
}

/* The same field for one contact on a mechanism of two states: no calls but the model's. */
static void eval_small(const br_plant *p, bri_work *k, const double *y, double *dy)
{
  const double *A = p->A, *B = p->B, *E = p->Ew, *w = k->w;
  double c0 = p->r0[0], c1 = p->r0[1];
  k->v[0] = y[p->pure[0]];
  p->mod->rate(p->mpar, k->n[0], k->u, k->v, y + 2, dy + 2);
  p->mod->force(p->mpar, k->n[0], k->u, k->v, y + 2, dy + 2, k->F);
  for (size_t j = 0; j < 2 * p->nw; j++)
    c0 += E[j] * w[j], c1 += E[2 * p->nw + j] * w[j]; /* dw stands behind w */
  dy[0] = c0 + B[0] * k->F[0] + (A[0] * y[0] + A[1] * y[1]);
  dy[1] = c1 + B[1] * k->F[0] + (A[2] * y[0] + A[3] * y[1]);
}

void bri_eval(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *dy)
{
  k->rhs++;
  if (p->driven) bri_inputs(p, k, t);
  if (p->small) {
    eval_small(p, k, y, dy);
    return;
  }
  bri_motion(p, k, y);
  if (p->free)
    for (size_t j = 0; j < p->nk; j++) k->u[j] = y[p->nq + j], dy[p->nq + j] = k->v[j];
  for (size_t c = 0; c < p->nc; c++) contact_force(p, k, m, c, y, dy + p->z0 + c * p->nz);
  if (p->band) bri_band_rate(p, k->w, y, k->F, dy); /* dw stands behind w */
  else p->sys->rate(p->spar, k->w, k->dw, y, k->F, dy);
  if (bri_any_holds(p)) hold_stuck(p, k, m, dy);
}

/* ---- Jacobian ---- */

/* Velocity at which the contact's derivatives are taken: at v = 0 those of the side it moves to. */
static double side_velocity(const br_plant *p, const bri_work *k, const bri_contact *c, double v)
{
  const double least = p->vs > 0 ? 1e-10 * p->vs : 1e-100;
  return (k->sided ? c->sign * v : fabs(v)) < least ? c->sign * least : v;
}

/* One column of the contact's derivatives by complex step; the seeded variable carries CS_STEP. */
static void pair_column(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, double *dF, double *dz,
                        size_t stride)
{
  const double load[2] = {k->n[c], p->along ? k->place[c] * k->pu[1] : 0}; /* it moves with the position */
  if (p->elements) {                                                       /* as element_rates() */
    const double v = bri_sided(p, m, c, k->pv[0]), side[2] = {v, v == k->pv[0] ? k->pv[1] : 0};
    p->mod->rate_pair(p->mpair + 2 * c * p->stride, load, k->pu, side, k->pz, k->pdz);
    for (size_t i = 0; i < p->nmode; i++)
      if (!(fabs(k->pz[2 * (p->nmode + i)]) > 0.5)) memcpy(k->pdz + 2 * i, k->pv, 2 * sizeof *k->pdz);
  } else {
    p->mod->rate_pair(p->mpair + 2 * c * p->stride, load, k->pu, k->pv, k->pz, k->pdz);
  }
  for (size_t i = p->nz - p->nmode; i < p->nz; i++) k->pdz[2 * i] = k->pdz[2 * i + 1] = 0;
  p->mod->force_pair(p->mpair + 2 * c * p->stride, load, k->pu, k->pv, k->pz, k->pdz, k->pF);
  for (size_t a = 0; a < p->ax; a++) dF[a] = k->pF[2 * a + 1] / CS_STEP;
  for (size_t i = 0; dz && i < p->nz; i++) dz[i * stride] = k->pdz[2 * i + 1] / CS_STEP;
}

/* The same by differences, for users' models without complex instances. */
static void diff_column(const br_plant *p, bri_work *k, size_t c, double *var, double *dF, double *dz,
                        size_t stride)
{
  const double x = *var, h = 1e-7 * fmax(fabs(x), 1e-7), dn = p->along && var == k->pu ? h * k->place[c] : 0;
  double F1[2], F2[2], *d1 = k->pdz, *d2 = k->pdz + p->nz;
  *var = x + h;
  p->mod->rate(bri_par(p, c), k->n[c] + dn, k->pu, k->pv, k->pz, d1);
  p->mod->force(bri_par(p, c), k->n[c] + dn, k->pu, k->pv, k->pz, d1, F1);
  *var = x - h;
  p->mod->rate(bri_par(p, c), k->n[c] - dn, k->pu, k->pv, k->pz, d2);
  p->mod->force(bri_par(p, c), k->n[c] - dn, k->pu, k->pv, k->pz, d2, F2);
  *var = x;
  for (size_t a = 0; a < p->ax; a++) dF[a] = (F1[a] - F2[a]) / (2 * h);
  for (size_t i = 0; dz && i < p->nz - p->nmode; i++) dz[i * stride] = (d1[i] - d2[i]) / (2 * h);
}

static void column(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, double *var, double *dF,
                   double *dz, size_t stride)
{
  if (p->mpair) {
    var[1] = CS_STEP;
    pair_column(p, k, m, c, dF, dz, stride);
    var[1] = 0;
  } else {
    diff_column(p, k, c, var, dF, dz, stride);
  }
}

/* Derivatives of force and rate of contact c with respect to u, v [ax each] and z [nz].
 * dFdu, dFdv: [var][force]; dFdz: [z][force]; dzdu, dzdv: [z][var]; dzdz: [z][z]. */
static void contact_slopes(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y)
{
  const size_t ax = p->ax, nz = p->kind == BRI_ODE ? p->nz : 0, w = p->mpair ? 2 : 1;
  const double *z = y + p->z0 + c * p->nz;
  for (size_t a = 0; a < ax; a++) {
    const bri_contact *ct = &m->c[c * ax + a];
    const double v = k->v[c * ax + a];
    k->pu[w * a] = k->u[c * ax + a];
    k->pv[w * a] = bri_holds(p, c) ? slide_velocity(p, ct, v) : side_velocity(p, k, ct, v);
    if (p->mpair) k->pu[2 * a + 1] = k->pv[2 * a + 1] = 0;
  }
  for (size_t i = 0; i < nz; i++) {
    k->pz[w * i] = z[i];
    if (p->mpair) k->pz[2 * i + 1] = 0;
  }
  for (size_t a = 0; a < ax; a++) {
    if (p->uses_u) column(p, k, m, c, k->pu + w * a, k->dFdu + a * ax, nz ? k->dzdu + a : NULL, ax);
    else {
      for (size_t b = 0; b < ax; b++) k->dFdu[a * ax + b] = 0;
      for (size_t i = 0; i < nz; i++) k->dzdu[i * ax + a] = 0;
    }
    column(p, k, m, c, k->pv + w * a, k->dFdv + a * ax, nz ? k->dzdv + a : NULL, ax);
    if (bri_holds(p, c) && !k->sided && m->c[c].sign * k->v[c] <= DBL_MIN)
      k->dFdv[0] = 0; /* continued constantly */
  }
  for (size_t i = 0; i < nz; i++) column(p, k, m, c, k->pz + w * i, k->dFdz + i * ax, k->dzdz + i, nz);
}

/* dF/du of spring-slider elements: the sticking ones move with u. */
static void map_slope(const br_plant *p, bri_work *k, const bri_mode *m, size_t c)
{
  const double z1 = 1, z0 = 0, n = k->n[c];
  double F1, F0;
  for (size_t i = 0; i < p->nz; i++) k->z[i] = z1 * m->active[c * p->nz + i];
  p->mod->force(bri_par(p, c), n, k->u + c, k->v + c, k->z, k->pdz, &F1);
  for (size_t i = 0; i < p->nz; i++) k->z[i] = z0;
  p->mod->force(bri_par(p, c), n, k->u + c, k->v + c, k->z, k->pdz, &F0);
  k->dFdu[0] = F1 - F0; /* the force is linear in the deflections */
  k->dFdv[0] = 0;
}

/* Derivatives of the force of contact c, into k; y is where bri_motion() was called. */
static void force_slopes(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y)
{
  if (p->kind == BRI_MAP) map_slope(p, k, m, c);
  else if (p->paths) bri_path_slopes(p, k, m, c, y);
  else if (p->moving) bri_moving_slopes(p, k, m, c);
  else contact_slopes(p, k, m, c, y);
}

/* Rows of stuck contacts: remove from J what the constraint forces take up. */
static void project_stuck(const br_plant *p, bri_work *k, const bri_mode *m, double *J)
{
  size_t n = 0, idx[64], piv[64];
  const size_t ny = p->ny, nq = p->nq;
  for (size_t j = 0; j < p->nk && n < 64; j++)
    if (m->c[j].stuck) idx[n++] = j;
  if (n == 0) return;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) k->K[a * n + b] = p->G[idx[a] * p->nk + idx[b]];
  if (bri_lu(n, k->K, piv) != 0) return;
  for (size_t col = 0; col < ny; col++) {
    for (size_t a = 0; a < n; a++) {
      k->hold[a] = 0;
      for (size_t l = 0; l < nq; l++) k->hold[a] -= p->Cv[idx[a] * nq + l] * J[l * ny + col];
    }
    bri_lu_solve(n, k->K, piv, k->hold);
    for (size_t a = 0; a < n; a++)
      for (size_t l = 0; l < nq; l++) J[l * ny + col] += p->B[l * p->nk + idx[a]] * k->hold[a];
  }
  for (size_t a = 0; a < n; a++) /* exactly, as in hold_stuck() */
    if (p->pure[idx[a]] >= 0) memset(J + (size_t)p->pure[idx[a]] * ny, 0, ny * sizeof *J);
}

/* Jacobian by differences of the whole field, for users' mechanisms that are not affine. */
static void jac_by_differences(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                               double *J)
{
  const size_t n = p->ny;
  double *yy = k->big, *f1 = yy + n, *f2 = f1 + n;
  memcpy(yy, y, n * sizeof *yy);
  for (size_t c = 0; c < n; c++) {
    const double h = 1e-6 * fmax(fabs(y[c]), 1e-6);
    yy[c] = y[c] + h;
    bri_eval(p, k, m, t, yy, f1);
    yy[c] = y[c] - h;
    bri_eval(p, k, m, t, yy, f2);
    yy[c] = y[c];
    for (size_t l = 0; l < n; l++) J[l * n + c] = (f1[l] - f2[l]) / (2 * h);
  }
}

void bri_jac(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *J)
{
  const size_t ny = p->ny, nq = p->nq, nk = p->nk, ax = p->ax, nz = p->kind == BRI_ODE ? p->nz : 0;
  k->jacobians++;
  if (!p->linear) {
    jac_by_differences(p, k, m, t, y, J);
    return;
  }
  if (p->driven) bri_inputs(p, k, t);
  bri_motion(p, k, y);
  if (p->free)
    for (size_t j = 0; j < nk; j++) k->u[j] = y[nq + j];
  memset(J, 0, ny * ny * sizeof *J);
  const double *A = p->A;
  if (p->sys
          ->slopes) { /* a curved mechanism: its matrix at this point, packed at the end of J, then spread */
    double *at = J + (ny * ny - nq * nq);
    p->sys->slopes(p->spar, k->w, k->dw, y, k->F, at);
    A = at;
  }
  for (size_t i = 0; i < nq; i++)
    for (size_t j = 0; j < nq; j++) J[i * ny + j] = A[i * nq + j];
  for (size_t i = nq; A != p->A && i < ny; i++) memset(J + i * ny, 0, ny * sizeof *J);
  for (size_t i = 0; A != p->A && i < nq; i++) memset(J + i * ny + nq, 0, (ny - nq) * sizeof *J);
  if (p->free)
    for (size_t j = 0; j < nk; j++)
      for (size_t l = 0; l < nq; l++) J[(nq + j) * ny + l] = p->Cv[j * nq + l];
  for (size_t c = 0; c < p->nc; c++) {
    if (bri_holds(p, c) && m->c[c].stuck) continue;
    force_slopes(p, k, m, c, y);
    const size_t zc = p->z0 + c * p->nz;
    for (size_t a = 0; a < ax; a++) { /* through the motion of axis a */
      const size_t j = c * ax + a;
      for (size_t l = 0; l < nq; l++) {
        const double cv = p->Cv[j * nq + l], cu = p->free ? 0 : p->Cu[j * nq + l];
        if (cv == 0 && cu == 0) continue;
        for (size_t b = 0; b < ax; b++) {
          const double dF = k->dFdv[a * ax + b] * cv + k->dFdu[a * ax + b] * cu;
          for (size_t i = 0; i < nq; i++) J[i * ny + l] += p->B[i * nk + c * ax + b] * dF;
        }
        for (size_t i = 0; i < nz; i++)
          J[(zc + i) * ny + l] += k->dzdv[i * ax + a] * cv + k->dzdu[i * ax + a] * cu;
      }
      if (p->free) {
        for (size_t b = 0; b < ax; b++)
          for (size_t i = 0; i < nq; i++)
            J[i * ny + nq + j] += p->B[i * nk + c * ax + b] * k->dFdu[a * ax + b];
        for (size_t i = 0; i < nz; i++) J[(zc + i) * ny + nq + j] += k->dzdu[i * ax + a];
      }
    }
    for (size_t i = 0; i < nz; i++) {
      for (size_t b = 0; b < ax; b++)
        for (size_t l = 0; l < nq; l++) J[l * ny + zc + i] += p->B[l * nk + c * ax + b] * k->dFdz[i * ax + b];
      for (size_t r = 0; r < nz; r++) J[(zc + r) * ny + zc + i] += k->dzdz[r * nz + i];
    }
  }
  if (bri_any_holds(p)) project_stuck(p, k, m, J);
}

void bri_force_along(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                     const double *dy, double *dF)
{
  const size_t nq = p->nq, ax = p->ax, nz = p->kind == BRI_ODE ? p->nz : 0;
  if (p->driven) bri_inputs(p, k, t);
  bri_motion(p, k, y);
  for (size_t c = 0; c < p->nc; c++) {
    for (size_t b = 0; b < ax; b++) dF[c * ax + b] = 0;
    if (bri_holds(p, c) && (m->c[c].stuck || m->c[c].rest)) continue;
    force_slopes(p, k, m, c, y);
    for (size_t a = 0; a < ax; a++) {
      const size_t j = c * ax + a;
      double du = p->free ? dy[nq + j] : 0, dv = 0;
      for (size_t l = 0; l < nq; l++) {
        dv += p->Cv[j * nq + l] * dy[l];
        if (!p->free) du += p->Cu[j * nq + l] * dy[l];
      }
      for (size_t b = 0; b < ax; b++) dF[c * ax + b] += k->dFdv[a * ax + b] * dv + k->dFdu[a * ax + b] * du;
    }
    for (size_t i = 0; i < nz; i++)
      for (size_t b = 0; b < ax; b++) dF[c * ax + b] += k->dFdz[i * ax + b] * dy[p->z0 + c * p->nz + i];
  }
}

void bri_jac_band(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *J)
{
  const bri_band *b = p->band;
  const bri_nonzeros *A = &b->A, *B = &b->B, *C = &b->C;
  k->jacobians++;
  if (p->driven) bri_inputs(p, k, t);
  bri_motion(p, k, y);
  memset(J, 0, b->n * b->w * sizeof *J);
#define ENTRY(i, j) J[b->at[i] * b->w + (b->at[j] + b->k - b->at[i])]
  for (size_t i = 0; i < p->nq; i++)
    for (size_t e = A->from[i]; e < A->from[i + 1]; e++) ENTRY(i, A->at[e]) += A->x[e];
  for (size_t c = 0; c < p->nc; c++) {
    const size_t zc = p->z0 + c * p->nz;
    contact_slopes(p, k, m, c, y);
    for (size_t e = C->from[c]; e < C->from[c + 1]; e++) {
      const double dF = k->dFdv[0] * C->x[e] + k->dFdu[0] * C->y[e];
      for (size_t f = B->from[c]; f < B->from[c + 1]; f++) ENTRY(B->at[f], C->at[e]) += B->x[f] * dF;
      for (size_t i = 0; i < p->nz; i++)
        ENTRY(zc + i, C->at[e]) += k->dzdv[i] * C->x[e] + k->dzdu[i] * C->y[e];
    }
    for (size_t i = 0; i < p->nz; i++) {
      for (size_t f = B->from[c]; f < B->from[c + 1]; f++) ENTRY(B->at[f], zc + i) += B->x[f] * k->dFdz[i];
      for (size_t r = 0; r < p->nz; r++) ENTRY(zc + r, zc + i) += k->dzdz[r * p->nz + i];
    }
  }
#undef ENTRY
}

double bri_stored(const br_plant *p, bri_work *k, const bri_mode *m, const double *y)
{
  double sum = bri_stored_alone(p, k, y);
  for (size_t c = 0; p->mod->energy && c < p->nc; c++) {
    const double own = p->paths ? bri_path_state(p, m, c, y) : 0;
    const double *z = p->kind == BRI_MAP ? map_deflection(p, k, m, c)
                      : p->paths         ? &own
                                         : y + p->z0 + c * p->nz;
    sum += p->mod->energy(bri_par(p, c), k->n[c], k->u + c * p->ax, z);
  }
  return sum;
}

void bri_full(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *x)
{
  memcpy(x, y, p->ny * sizeof *x);
  for (size_t c = 0; c < p->nc && p->paths; c++) x[p->z0 + c] = bri_path_state(p, m, c, y);
  if (p->kind != BRI_MAP) return;
  if (p->driven) bri_inputs(p, k, t);
  bri_motion(p, k, y);
  for (size_t c = 0; c < p->nc; c++) {
    if (p->free) k->u[c] = y[p->nq + c];
    memcpy(x + p->z0 + c * p->nz, map_deflection(p, k, m, c), p->nz * sizeof *x);
  }
}

void bri_full_rate(const br_plant *p, bri_work *k, const bri_mode *m, const double *y, const double *dy,
                   double *dx)
{
  memset(dx, 0, p->nx * sizeof *dx);
  memcpy(dx, dy, p->ny * sizeof *dx);
  for (size_t c = 0; c < p->nc && p->paths; c++) {
    const double z = bri_path_state(p, m, c, y);
    p->mod->rate(bri_par(p, c), k->n[c], k->u + c, k->v + c, &z, dx + p->z0 + c);
  }
}
