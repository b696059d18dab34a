/* SPDX-License-Identifier: Apache-2.0
 * mode.c - the discrete part of the state: directions, stuck contacts, slip points; and the scratch memory.
 * */
#include <math.h>
#include <string.h>

#include "plant.h"
#include "../base/alloc.h"

br_status bri_work_create(const br_plant *p, bri_work *k)
{
  const size_t nw = p->nw, nc = p->nc, nk = p->nk, nz = p->nz, ax = p->ax;
  const bri_share parts[] = {
      {&k->w, nw},          {&k->dw, nw},          {&k->jump, 2 * nw},  {&k->n, nc},
      {&k->dn, nc},         {&k->base, nc},        {&k->dbase, nc},     {&k->place, nc},
      {&k->u, nk},          {&k->v, nk},           {&k->F, nk},         {&k->hold, nk},
      {&k->K, nk * nk},     {&k->z, nz + 1},       {&k->pu, 2 * ax},    {&k->pv, 2 * ax},
      {&k->pz, 2 * nz + 2}, {&k->pdz, 2 * nz + 2}, {&k->pF, 2 * ax},    {&k->dFdu, ax * ax},
      {&k->dFdv, ax * ax},  {&k->dFdz, nz * ax},   {&k->dzdu, nz * ax}, {&k->dzdv, nz * ax},
      {&k->dzdz, nz * nz},  {&k->big, 3 * p->ny}};
  memset(k, 0, sizeof *k);
  if (!bri_shares(parts, sizeof parts / sizeof parts[0])) return BR_E_NOMEM;
  memcpy(k->n, p->load, nc * sizeof *k->n);
  k->t_end = INFINITY;
  k->haste = 1;
  bri_inputs(p, k, 0);
  return BR_OK;
}

void bri_work_destroy(bri_work *k)
{
  bri_free(k->w);
  memset(k, 0, sizeof *k);
}

br_status bri_mode_create(const br_plant *p, bri_mode *m)
{
  const size_t n = p->nc * p->nz;
  m->c = (bri_contact *)bri_calloc(p->nk ? p->nk : 1, sizeof *m->c);
  m->z0 = (double *)bri_calloc(3 * n + p->nkink + 1, sizeof *m->z0);
  m->active = m->z0 ? m->z0 + n : NULL;
  m->side = m->z0 ? m->z0 + 2 * n : NULL;
  m->stop = m->z0 ? m->z0 + 3 * n : NULL;
  if (m->c && m->z0) return BR_OK;
  bri_mode_destroy(m);
  return BR_E_NOMEM;
}

void bri_mode_destroy(bri_mode *m)
{
  bri_free(m->c);
  bri_free(m->z0);
  m->c = NULL;
  m->z0 = m->active = m->side = m->stop = NULL;
}

void bri_mode_copy(const br_plant *p, bri_mode *dst, const bri_mode *src)
{
  if (p->nk) memcpy(dst->c, src->c, p->nk * sizeof *dst->c);
  if (p->kind == BRI_MAP || p->paths || p->kinks || p->moving)
    memcpy(dst->z0, src->z0, 3 * p->nc * p->nz * sizeof *dst->z0);
  if (p->nkink) memcpy(dst->stop, src->stop, p->nkink * sizeof *dst->stop);
}

/* Which elements of contact c stick when it moves towards sign, and how far the next one may go.
 * A step of the model over a huge displacement shows where every element ends. */
static void find_active(const br_plant *p, bri_work *k, bri_mode *m, size_t c)
{
  const double u = 0, v = m->c[c].sign, *z = m->z0 + c * p->nz;
  double *active = m->active + c * p->nz, next = INFINITY;
  memcpy(k->z, z, p->nz * sizeof *z);
  p->mod->step(bri_par(p, c), k->n[c], &u, &v, 1e200, k->z);
  for (size_t i = 0; i < p->nz; i++) {
    const double way = v * (k->z[i] - z[i]);
    active[i] = way > 1e-14 * fabs(k->z[i]) ? 1 : 0;
    if (active[i] > 0 && way < next) next = way;
  }
  m->c[c].next = next;
}

/* The next element of contact c reaches its limit at u: put it there exactly, and let the others go on from
 * u, a number that is in the state; the sum of all ways so far would round at every event. */
static void reach_limit(const br_plant *p, bri_work *k, bri_mode *m, size_t c, double u)
{
  const double zero = 0, v = m->c[c].sign, du = u - m->c[c].u0, far = fmax(m->c[c].next, v * du);
  double *z0 = m->z0 + c * p->nz;
  const double *active = m->active + c * p->nz;
  memcpy(k->z, z0, p->nz * sizeof *z0);
  p->mod->step(bri_par(p, c), k->n[c], &zero, &v, 1e200, k->z);
  for (size_t i = 0; i < p->nz; i++)
    if (active[i] > 0) z0[i] = v * (k->z[i] - z0[i]) <= far ? k->z[i] : z0[i] + du;
  m->c[c].u0 = u;
  find_active(p, k, m, c);
}

void bri_mode_direct(const br_plant *p, bri_work *k, bri_mode *m, size_t j, double u, double sign)
{
  m->c[j].sign = sign;
  if (p->kind != BRI_MAP) return;
  double *z0 = m->z0 + j * p->nz;
  const double *active = m->active + j * p->nz, du = u - m->c[j].u0;
  for (size_t i = 0; i < p->nz; i++) z0[i] += active[i] * du;
  m->c[j].u0 = u;
  find_active(p, k, m, j);
}

/* Do the states of contact c jump on the way from here to u?  k->z receives them. */
static int jumped(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *z, double u)
{
  const double v = m->c[c].sign;
  memcpy(k->z, z, p->nz * sizeof *z);
  p->mod->step(bri_par(p, c), k->n[c], &u, &v, 0, k->z);
  return memcmp(k->z, z, p->nz * sizeof *z) != 0;
}

/* Jumps: how far contact c may go until the next one, by bracket and halves; the end of the bracket lies
 * behind it. */
static void find_jump(const br_plant *p, bri_work *k, bri_mode *m, size_t c, const double *y)
{
  bri_contact *at = &m->c[c];
  const double *z = y + p->z0 + c * p->nz;
  double lo = 0, hi = 0x1p-160;
  at->u0 = p->free ? y[p->nq + c] : k->u[c];
  while (hi < 0x1p200 && !jumped(p, k, m, c, z, at->u0 + at->sign * hi)) lo = hi, hi *= 16;
  for (double mid = 0.5 * (lo + hi); hi < 0x1p200 && lo < mid && mid < hi; mid = 0.5 * (lo + hi))
    *(jumped(p, k, m, c, z, at->u0 + at->sign * mid) ? &hi : &lo) = mid;
  at->next = hi < 0x1p200 ? hi : INFINITY;
}

/* Acceleration of contact velocity j from the rates of the mechanism. */
static double acceleration(const br_plant *p, const bri_work *k, size_t j, const double *dy)
{
  double a = 0;
  for (size_t l = 0; p->carried && l < p->nw; l++) a += p->Vw[j * 2 * p->nw + l] * k->dw[l];
  for (size_t l = 0; l < p->nq; l++) a += p->Cv[j * p->nq + l] * dy[l];
  return a;
}

/* A true-stick contact at v = 0: stuck when the force needed to hold it is within its break-away level. */
static int try_stick(const br_plant *p, bri_work *k, bri_mode *m, size_t j, double t, const double *y,
                     double *dy)
{
  if (p->G[j * p->nk + j] == 0) return 0; /* its motion is given: nothing to hold */
  m->c[j].stuck = 1;
  bri_eval(p, k, m, t, y, dy);
  const double need = k->F[j], level = bri_hold_level(p, k, j / p->ax, need);
  if (fabs(need) <= level) return 1;
  m->c[j].stuck = 0;
  m->c[j].sign = need > 0 ? 1 : -1;
  return 0;
}

double bri_sided(const br_plant *p, const bri_mode *m, size_t c, double v)
{
  const double least = p->vs > 0 ? 1e-12 * p->vs : 1e-100;
  return m->c[c].sign * v > least ? v : m->c[c].sign * least;
}

void bri_mode_update(const br_plant *p, bri_work *k, bri_mode *m, size_t c, double *y)
{
  if (p->paths) bri_path_anchor(p, m, c, y);
  if (p->jumps) {
    if (jumped(p, k, m, c, y + p->z0 + c * p->nz, p->free ? y[p->nq + c] : k->u[c]))
      memcpy(y + p->z0 + c * p->nz, k->z, p->nz * sizeof *y);
    find_jump(p, k, m, c, y);
  }
  if (!p->elements) return;
  const double v = m->c[c].rest ? 0 : bri_sided(p, m, c, k->v[c]); /* at rest every element sticks */
  p->mod->step(bri_par(p, c), k->n[c], k->u + c, &v, 0, y + p->z0 + c * p->nz);
}

/* How far each sticking element of contact c is from slipping; a huge step shows its level. */
static void element_margins(const br_plant *p, bri_work *k, const bri_mode *m, size_t c, const double *y,
                            double *g)
{
  const size_t n = p->nmode;
  const double *z = y + p->z0 + c * p->nz, v = bri_sided(p, m, c, k->v[c]);
  memcpy(k->z, z, p->nz * sizeof *z);
  p->mod->step(bri_par(p, c), k->n[c], k->u + c, &v, 1e200, k->z);
  for (size_t i = 0; i < n; i++)
    g[i] = m->c[c].rest || fabs(z[n + i]) > 0.5 ? BRI_NO_EVENT : m->c[c].sign * (k->z[i] - z[i]);
}

void bri_mode_sides(const br_plant *p, bri_mode *m, const double *y)
{
  for (size_t i = 0; i < p->nc * p->nz && p->kinks; i++) {
    const double z = y[p->z0 + i];
    if (m->side[i] == 0 && z != 0) m->side[i] = z > 0 ? 1 : -1;
  }
}

void bri_mode_start(const br_plant *p, bri_work *k, bri_mode *m, double t, const double *x, double *y,
                    double *dy)
{
  memcpy(y, x, p->ny * sizeof *y);
  for (size_t j = 0; j < p->nk; j++) m->c[j] = (bri_contact){.sign = 1, .next = INFINITY, .way = 1};
  for (size_t c = 0; c < p->nc && p->paths; c++) m->z0[c] = x[p->z0 + c], y[p->z0 + c] = m->active[c] = 0;
  memset(m->side, 0, p->nc * p->nz * sizeof *m->side);
  bri_mode_sides(p, m, y);
  memcpy(k->n, p->load, p->nc * sizeof *k->n);
  bri_inputs(p, k, t);
  bri_motion(p, k, y);
  for (size_t j = 0; j < p->nk; j++) {
    if (p->free) k->u[j] = y[p->nq + j];
    if (k->v[j] != 0) m->c[j].sign = k->v[j] > 0 ? 1 : -1, m->c[j].moved = 1;
    m->c[j].rest = (p->sys->flags & BR_SYSTEM_GIVEN) && k->v[j] == 0;
    if (p->kind == BRI_MAP) {
      /* clip the given deflections into their bands: a step over no displacement does that */
      const double u = k->u[j], v = 0;
      double *z0 = m->z0 + j * p->nz;
      memcpy(z0, x + p->z0 + j * p->nz, p->nz * sizeof *z0);
      p->mod->step(bri_par(p, j), k->n[j], &u, &v, 0, z0);
      m->c[j].u0 = u;
      find_active(p, k, m, j);
    }
  }
  /* contacts at rest: stuck, or moving to the side of their acceleration */
  for (size_t j = 0; j < p->nk; j++) {
    bri_motion(p, k, y);
    if (k->v[j] != 0) continue;
    const double u = p->free ? y[p->nq + j] : k->u[j];
    if (bri_holds(p, j / p->ax)) {
      (void)try_stick(p, k, m, j, t, y, dy);
      continue;
    }
    bri_eval(p, k, m, t, y, dy);
    const double a = acceleration(p, k, j, dy);
    if (a != 0) bri_mode_direct(p, k, m, j, u, a > 0 ? 1 : -1);
  }
  bri_motion(p, k, y);
  for (size_t c = 0; c < p->nc && p->ax == 1; c++) bri_mode_update(p, k, m, c, y);
  if (p->moving) bri_moving_settle(p, k, m, y);
  bri_eval(p, k, m, t, y, dy);
  if (p->nkink) p->sys->kinks(p->spar, k->w, k->dw, y, m->stop);
  for (size_t i = 0; i < p->nkink; i++) m->stop[i] = m->stop[i] < 0 ? -1 : 1;
}

size_t bri_nevent(const br_plant *p)
{
  if (p->kind == BRI_MAP || p->paths || p->jumps) return 2 * p->nk + p->nkink;
  return p->nk + p->nc * (p->elements ? p->nmode : p->kinks || p->moving ? p->nz : 0) + p->nkink;
}

void bri_events(const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y, double *g,
                double *dy)
{
  int stuck = 0;
  for (size_t j = 0; j < p->nk; j++) stuck |= m->c[j].stuck;
  if (stuck) {
    bri_eval(p, k, m, t, y, dy);
  } else {
    if (p->driven) bri_inputs(p, k, t);
    bri_motion(p, k, y);
  }
  for (size_t j = 0; j < p->nk; j++) {
    const bri_contact *c = &m->c[j];
    g[j] = c->sign * k->v[j];
    if (c->stuck) {
      const double level = bri_hold_level(p, k, j / p->ax, k->F[j]);
      g[j] = level == 0 && k->F[j] == 0 ? BRI_NO_EVENT : level * (1 + BRI_RELEASE) - fabs(k->F[j]);
    }
    if (p->kind == BRI_MAP || p->jumps) {
      const double u = p->free ? y[p->nq + j] : k->u[j];
      g[p->nk + j] = isinf(c->next) ? BRI_NO_EVENT : c->next - c->sign * (u - c->u0);
    }
  }
  for (size_t c = 0; c < p->nc && p->paths; c++)
    g[p->nk + c] =
        isinf(m->c[c].next) || m->active[c] == 0 ? BRI_NO_EVENT : m->c[c].next - m->c[c].way * y[p->z0 + c];
  for (size_t c = 0; c < p->nc && p->elements; c++) element_margins(p, k, m, c, y, g + p->nk + c * p->nmode);
  for (size_t c = 0; c < p->nc && p->moving; c++) bri_moving_margins(p, k, m, c, y, g + p->nk + c * p->nz);
  for (size_t i = 0; i < p->nc * p->nz && p->kinks; i++)
    g[p->nk + i] = m->side[i] == 0 ? BRI_NO_EVENT : m->side[i] * y[p->z0 + i];
  double *kink = g + bri_first_kink(p);
  if (p->nkink) p->sys->kinks(p->spar, k->w, k->dw, y, kink);
  for (size_t i = 0; i < p->nkink; i++) kink[i] *= m->stop[i];
}

size_t bri_event_contact(const br_plant *p, size_t e)
{
  if (e >= bri_first_kink(p)) return 0;
  if ((p->kinks || p->moving) && e >= p->nk) return (e - p->nk) / p->nz * p->ax;
  return e < p->nk ? e : p->elements ? (e - p->nk) / p->nmode : e - p->nk;
}

int bri_mode_switch(const br_plant *p, bri_work *k, bri_mode *m, size_t e, double t, double *y, double *dy,
                    br_event_type *type)
{
  const size_t j = bri_event_contact(p, e);
  bri_contact *c = &m->c[j];
  if (p->driven) bri_inputs(p, k, t); /* the last evaluation may have been that of a trial's end */
  if (e >= bri_first_kink(p)) {
    m->stop[e - bri_first_kink(p)] *= -1;
    bri_eval(p, k, m, t, y, dy);
    *type = BRI_EVENT_KINK;
    return 0;
  }
  if (e >= p->nk && p->kinks) { /* stays as it is: zero to the tolerance of the location */
    m->side[e - p->nk] = -m->side[e - p->nk];
    bri_eval(p, k, m, t, y, dy);
    *type = BRI_EVENT_KINK;
    return 0;
  }
  if (e >= p->nk && p->moving) {
    const int sticks = m->active[e - p->nk] != 0;
    bri_motion(p, k, y);
    bri_moving_switch(p, k, m, e - p->nk, y);
    bri_eval(p, k, m, t, y, dy);
    *type = sticks ? BR_EVENT_ELEMENT : BRI_EVENT_KINK;
    return (int)c->sign;
  }
  if (e >= p->nk && p->paths) { /* saturated: it stays where it is until it turns */
    const double u = 0;
    p->mod->step(bri_par(p, j), k->n[j], &u, &c->way, 1e200, &m->z0[j]);
    m->active[j] = 0;
    y[p->z0 + j] = 0;
    bri_eval(p, k, m, t, y, dy);
    *type = BR_EVENT_ELEMENT;
    return (int)c->sign;
  }
  if (e >= p->nk && p->jumps) {
    double *z = y + p->z0 + j * p->nz;
    (void)jumped(p, k, m, j, z, c->u0 + c->sign * c->next);
    memcpy(z, k->z, p->nz * sizeof *z);
    bri_motion(p, k, y);
    find_jump(p, k, m, j, y);
    bri_eval(p, k, m, t, y, dy);
    *type = BR_EVENT_ELEMENT;
    return (int)c->sign;
  }
  if (e >= p->nk &&
      p->kind == BRI_ODE) { /* a sticking element reaches its level: put it there and let it slip */
    const size_t i = (e - p->nk) % p->nmode;
    double *z = y + p->z0 + j * p->nz;
    bri_eval(p, k, m, t, y, dy);
    const double v = bri_sided(p, m, j, k->v[j]);
    memcpy(k->z, z, p->nz * sizeof *z);
    p->mod->step(bri_par(p, j), k->n[j], k->u + j, &v, 1e200, k->z);
    z[i] = k->z[i];
    z[p->nmode + i] = 1;
    bri_eval(p, k, m, t, y, dy);
    *type = BR_EVENT_ELEMENT;
    return (int)c->sign;
  }
  if (e >= p->nk) { /* an element reaches its limit */
    bri_motion(p, k, y);
    reach_limit(p, k, m, j, p->free ? y[p->nq + j] : k->u[j]);
    bri_eval(p, k, m, t, y, dy);
    *type = BR_EVENT_ELEMENT;
    return (int)c->sign;
  }
  if (c->stuck) { /* break-away, to the side of the load */
    bri_eval(p, k, m, t, y, dy);
    c->sign = k->F[j] > 0 ? 1 : -1;
    c->stuck = 0;
    bri_eval(p, k, m, t, y, dy);
    *type = BR_EVENT_SLIP;
    return (int)c->sign;
  }
  /* v is zero to the tolerance of the location and stays as it is, unless the contact is held there */
  *type = BR_EVENT_REVERSAL;
  if (bri_holds(p, j / p->ax)) {
    const double before = c->sign, rest = p->pure[j] >= 0 ? y[p->pure[j]] : 0;
    if (p->pure[j] >= 0) y[p->pure[j]] = 0;
    c->sign = -before;
    if (try_stick(p, k, m, j, t, y, dy)) *type = BR_EVENT_STICK;
    else if (p->pure[j] >= 0) y[p->pure[j]] = rest;
    bri_eval(p, k, m, t, y, dy);
    return c->stuck ? 0 : (int)c->sign;
  }
  bri_motion(p, k, y);
  bri_mode_direct(p, k, m, j, p->free ? y[p->nq + j] : k->u[j], -c->sign);
  if (p->ax == 1) bri_mode_update(p, k, m, j, y);
  bri_eval(p, k, m, t, y, dy);
  return (int)c->sign;
}
