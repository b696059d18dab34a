/* SPDX-License-Identifier: Apache-2.0
 * varied.c - what of a plant varies with time besides its inputs: loads, and parameters that switch. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "solver.h"

/* Below it a driven load counts as this much, where levels stand in denominators. */
static const double LEAST = 1e-9;

/* Limits of spring-slider elements at load 1: a step over a huge way shows them.  From here on the elements are
 * integrated. */
static br_status set_moving(br_plant *p, br_err *err)
{
  const size_t n = p->nc * p->nz;
  const double u = 0, way[2] = {1, -1};
  double *z = bri_calloc(p->nz + 1, sizeof *z);
  p->bound = bri_calloc(2 * n + 1, sizeof *p->bound);
  if (!z || !p->bound) return bri_free(z), bri_text_fail(err, BR_E_NOMEM, -1, "out of memory for a plant");
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

/* Do elements that slip stay where they are, whatever their level becomes?  Then the model does not say how they follow
 * a load. */
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

br_status br_plant_load(br_plant *p, size_t contact, const br_drive *drive, br_err *err)
{
  if (!p || !drive || contact >= p->nc)
    return bri_text_fail(err, BR_E_ARG, -1, "br_plant_load: no plant, drive, or contact");
  if (!drive->eval && !(drive->value >= 0 && isfinite(drive->value)))
    return bri_text_fail(err, BR_E_RANGE, -1, "load = %.9g is out of range: must be >= 0 and finite",
                         drive->value);
  const double least =
      p->kind == BRI_STICK || p->kind == BRI_MAP || p->moving || (p->mod->flags & BR_MODEL_NO_LOAD) ? 0 : LEAST;
  if (!drive->eval) {
    p->load[contact] = fmax(drive->value, least);
    if (p->loads) p->loads[contact] = *drive;
    return BR_OK;
  }
  if (p->jumps || (p->elements && slips_stiffly(p)))
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1,
                         "%s: its states do not say how they follow a load that varies; it takes a constant one",
                         p->mod->name);
  if (!p->loads) {
    p->loads = bri_calloc(p->nc, sizeof *p->loads);
    if (!p->loads) return bri_text_fail(err, BR_E_NOMEM, -1, "out of memory for a plant");
    for (size_t c = 0; c < p->nc; c++) p->loads[c].value = p->load[c];
  }
  p->loads[contact] = *drive;
  p->driven = 1;
  p->n_least = least;
  if (p->paths) { /* exact along the path for a constant load alone */
    p->paths = 0;
    p->kinks = p->nmode == 0 && (p->mod->flags & BR_MODEL_KINKS) != 0;
  }
  return p->kind == BRI_MAP ? set_moving(p, err) : BR_OK;
}

br_status br_plant_switch(br_plant *p, double t, br_plant *then, br_err *err)
{
  br_status st = BR_OK;
  if (!p || !then || p == then || p->then || !isfinite(t) || (then->then && !(then->t_then > t)))
    st = bri_text_fail(err, BR_E_ARG, -1, "br_plant_switch: no plant, or times do not ascend");
  else if (p->sys != then->sys || p->mod != then->mod || p->nx != then->nx || p->ny != then->ny ||
           p->nk != then->nk || p->nz != then->nz || p->kind != then->kind || p->paths != then->paths ||
           p->free != then->free || bri_nevent(p) != bri_nevent(then))
    st = bri_text_fail(err, BR_E_UNSUPPORTED, -1,
                       "the switch at t = %.9g s gives %s other states or another kind of contact: not "
                       "inside one run",
                       t, p->mod->name);
  if (st) return br_plant_destroy(then), st;
  p->then = then, p->t_then = t;
  return BR_OK;
}

static double load_at(const br_plant *p, size_t c, double t)
{
  double n = p->loads[c].value, dn = 0;
  if (p->loads[c].eval) p->loads[c].eval(p->loads[c].ctx, t, 1, &n, &dn);
  return n;
}

br_status bri_load_lost(const br_solver *s, double until, br_err *err)
{
  enum { LOOKS = 8 };
  const br_plant *p = s->p;
  char name[24] = "N";
  for (size_t c = 0; p->loads && c < p->nc; c++)
    for (int i = 0; i <= LOOKS; i++) {
      const double t = s->t0 + (s->t - s->t0) * i / LOOKS, n = load_at(p, c, t);
      if (n >= 0 || t > until) continue;
      if (p->nc > 1) (void)snprintf(name, sizeof name, "N%zu", c + 1);
      return bri_text_fail(err, BR_E_RANGE, -1,
                           "the normal load %s is %.4g at t = %.9g s: it must not be negative (no surface "
                           "pulls); max(0, ...) in a formula cuts it off",
                           name, n, t);
    }
  return BR_OK;
}
