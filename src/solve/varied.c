/* SPDX-License-Identifier: Apache-2.0
 * varied.c - what of a plant varies with time besides its inputs: loads, and parameters that switch. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "solver.h"
#include "varied.h"

/* Below it a driven load counts as this much, where levels stand in denominators. */
static const double LEAST = 1e-9;

/* Limits of spring-slider elements at load 1: a step over a huge way shows them.  From here on the elements
 * are integrated. */
static br_status set_moving(br_plant *p, br_err *err)
{
  const size_t n = p->nc * p->nz;
  const double u = 0, way[2] = {1, -1};
  double *z = bri_calloc(p->nz + 1, sizeof *z);
  p->bound = bri_calloc(2 * n + 1, sizeof *p->bound);
  if (!z || !p->bound) return bri_free(z), bri_fail(err, BR_E_NOMEM, "out of memory for a plant");
  for (size_t c = 0; c < p->nc; c++)
    for (int s = 0; s < 2; s++) {
      memset(z, 0, p->nz * sizeof *z);
      p->mod->step(bri_par(p, c), 1, &u, &way[s], 1e200, z);
      for (size_t i = 0; i < p->nz; i++) p->bound[2 * (c * p->nz + i) + (size_t)s] = z[i];
    }
  bri_free(z);
  p->kind = BRI_ODE;
  p->moving = 1, p->carries = 0;
  p->ny = p->nx;
  return BR_OK;
}

/* Do elements that slip stay where they are, whatever their level becomes?  Then the model does not say how
 * they follow a load. */
static int slips_stiffly(const br_plant *p)
{
  double z[256] = {0}, dz[256];
  const double u = 0, v = 1;
  if (p->nz > 256) return 1;
  for (size_t i = 0; i < p->nmode; i++) z[p->nmode + i] = 1;
  p->mod->rate(p->mpar, 0.5, &u, &v, z, dz);
  for (size_t i = 0; i < p->nmode; i++)
    if (dz[i] == 0) return 1;
  return 0;
}

static double least_of(const br_plant *p)
{
  return p->kind == BRI_STICK || p->kind == BRI_MAP || p->moving || (p->mod->flags & BR_MODEL_NO_LOAD)
             ? 0
             : LEAST;
}

static int varies_well(const br_plant *p)
{
  if (p->jumps || (p->elements && slips_stiffly(p))) return 0;
  return 1;
}

static br_status cannot_vary(const br_plant *p, br_err *err)
{
  return bri_fail(err, BR_E_UNSUPPORTED,
                  "%s: its states do not say how they follow a load that varies; it takes a constant one",
                  p->mod->name);
}

/* From here on loads vary; those that nobody drives are held. */
static br_status set_varying(br_plant *p, double least, br_err *err)
{
  if (!p->loads) {
    p->loads = bri_calloc(p->nc, sizeof *p->loads);
    if (!p->loads) return bri_fail(err, BR_E_NOMEM, "out of memory for a plant");
    for (size_t c = 0; c < p->nc; c++) p->loads[c].value = p->load[c];
  }
  p->driven = 1;
  p->n_least = least;
  if (p->paths) { /* exact along the path for a constant load alone */
    p->paths = 0;
    p->kinks = p->nmode == 0 && (p->mod->flags & BR_MODEL_KINKS) != 0;
  }
  return p->kind == BRI_MAP ? set_moving(p, err) : BR_OK;
}

br_status br_plant_load(br_plant *p, size_t contact, const br_drive *drive, br_err *err)
{
  if (!p || !drive || contact >= p->nc)
    return bri_fail(err, BR_E_ARG, "br_plant_load: no plant, drive, or contact");
  if (!drive->eval && !(drive->value >= 0 && isfinite(drive->value)))
    return bri_fail(err, BR_E_RANGE, "load = %.9g is out of range: must be >= 0 and finite", drive->value);
  const double least = least_of(p);
  if (!drive->eval) {
    p->load[contact] = fmax(drive->value, least);
    if (p->loads) p->loads[contact] = *drive;
    return BR_OK;
  }
  if (!varies_well(p)) return cannot_vary(p, err);
  const br_status st = set_varying(p, least, err);
  if (!st) p->loads[contact] = *drive;
  return st;
}

void bri_load_place(const br_plant *p, bri_work *k, size_t c)
{
  const br_drive *d = &p->along[c];
  double h = d->value, slope = 0;
  if (d->eval) d->eval(d->ctx, k->u[c], k->v[c] < 0 ? -1 : 1, &h, &slope);
  k->n[c] = k->base[c] * h, k->place[c] = k->base[c] * slope;
  k->dn[c] = k->dbase[c] * h + k->place[c] * k->v[c];
  if (!(k->n[c] >= p->n_least)) k->n[c] = p->n_least, k->dn[c] = k->place[c] = 0; /* see bri_load_lost() */
}

br_status br_plant_load_along(br_plant *p, size_t contact, const br_drive *drive, br_err *err)
{
  if (!p || !drive || contact >= p->nc)
    return bri_fail(err, BR_E_ARG, "br_plant_load_along: no plant, drive, or contact");
  if (p->ax != 1)
    return bri_fail(err, BR_E_UNSUPPORTED, "%s: a load by position is for contacts of one axis",
                    p->mod->name);
  if (!varies_well(p)) return cannot_vary(p, err);
  br_status st = set_varying(p, least_of(p), err);
  if (!st) st = bri_plant_positions(p, err);
  if (!st && !p->along) {
    p->along = bri_calloc(p->nc, sizeof *p->along);
    if (!p->along) st = bri_fail(err, BR_E_NOMEM, "out of memory for a plant");
    for (size_t c = 0; c < p->nc && !st; c++) p->along[c].value = 1;
  }
  if (!st) p->along[contact] = *drive;
  return st;
}

int bri_plant_alike(const br_plant *p, const br_plant *q)
{
  return p->sys == q->sys && p->mod == q->mod && p->nx == q->nx && p->ny == q->ny && p->nk == q->nk &&
         p->nz == q->nz && p->kind == q->kind && p->paths == q->paths && p->free == q->free &&
         bri_nevent(p) == bri_nevent(q);
}

br_status br_plant_switch(br_plant *p, double t, br_plant *then, br_err *err)
{
  br_status st = BR_OK;
  if (!p || !then || p == then || p->then || !isfinite(t) || (then->then && !(then->t_then > t)))
    st = bri_fail(err, BR_E_ARG, "br_plant_switch: no plant, or times do not ascend");
  else if (!bri_plant_alike(p, then))
    st = bri_fail(err, BR_E_UNSUPPORTED,
                  "the switch at t = %.9g s gives %s other states or another kind of contact: not "
                  "inside one run",
                  t, p->mod->name);
  if (st) return br_plant_destroy(then), st;
  p->then = then, p->t_then = t;
  return BR_OK;
}

int bri_plant_stage(const br_plant *p, size_t i, bri_stage *out)
{
  double t = -INFINITY;
  for (; p && i > 0; i--) t = p->t_then, p = p->then;
  if (!p) return 0;
  *out = (bri_stage){t, p->spar, p->mpar, p->drives, {.value = p->load[0]}, {.value = 1}, p->n_least};
  if (p->loads) out->load = p->loads[0];
  if (p->along) out->along = p->along[0];
  return 1;
}

size_t bri_plant_stage_at(const br_plant *p, double t, int side)
{
  size_t i = 0;
  for (; p->then && (t > p->t_then || (t == p->t_then && side >= 0)); p = p->then) i++;
  return i;
}

static br_status one_like(const br_plant *p, const br_drive *drives, br_plant **out, br_err *err)
{
  const double **mpars = bri_calloc(p->nc + 1, sizeof *mpars);
  br_status st = mpars ? BR_OK : bri_fail(err, BR_E_NOMEM, "out of memory for a plant");
  for (size_t c = 0; c < p->nc && !st; c++) mpars[c] = bri_par(p, c);
  if (!st && p->stride) st = br_plant_create_each(p->sys, p->spar, p->mod, mpars, drives, out, err);
  else if (!st) st = br_plant_create(p->sys, p->spar, p->mod, p->mpar, drives, out, err);
  for (size_t c = 0; c < p->nc && !st; c++) {
    const br_drive held = {.value = p->load[c]};
    st = br_plant_load(*out, c, p->loads ? &p->loads[c] : &held, err);
    if (!st && p->along) st = br_plant_load_along(*out, c, &p->along[c], err);
  }
  bri_free(mpars);
  return st;
}

br_status bri_plant_like(const br_plant *p, const br_drive *drives, br_plant **out, br_err *err)
{
  br_plant *then = NULL;
  *out = NULL;
  br_status st = one_like(p, drives, out, err);
  if (!st && p->then) st = bri_plant_like(p->then, drives, &then, err);
  if (!st && then) st = br_plant_switch(*out, p->t_then, then, err);
  if (st) br_plant_destroy(*out), *out = NULL;
  return st;
}

static double load_at(const br_plant *p, size_t c, double t)
{
  double n = p->loads[c].value, dn = 0;
  if (p->loads[c].eval) p->loads[c].eval(p->loads[c].ctx, t, 1, &n, &dn);
  return n;
}

static double place_of(const br_plant *p, size_t c, double u)
{
  double h = p->along[c].value, slope = 0;
  if (p->along[c].eval) p->along[c].eval(p->along[c].ctx, u, 1, &h, &slope);
  return h;
}

br_status bri_load_lost(const br_solver *s, double until, br_err *err)
{
  enum { LOOKS = 8 };
  const br_plant *p = s->p;
  char name[24] = "N";
  for (size_t c = 0; p->loads && c < p->nc; c++)
    for (int i = 0; i <= LOOKS; i++) {
      const double t = s->t0 + (s->t - s->t0) * i / LOOKS, n = load_at(p, c, t);
      if (i == LOOKS && p->along && n * place_of(p, c, s->k.u[c]) < 0)
        return bri_fail(
            err, BR_E_RANGE,
            "the normal load is %.4g at position u = %.9g of contact %zu, t = %.9g s: it must not "
            "be negative (no surface pulls); max(0, ...) in a formula cuts it off",
            n * place_of(p, c, s->k.u[c]), s->k.u[c], c + 1, t);
      if (n >= 0 || t > until) continue;
      if (p->nc > 1) (void)snprintf(name, sizeof name, "N%zu", c + 1);
      return bri_fail(err, BR_E_RANGE,
                      "the normal load %s is %.4g at t = %.9g s: it must not be negative (no surface "
                      "pulls); max(0, ...) in a formula cuts it off",
                      name, n, t);
    }
  return BR_OK;
}
