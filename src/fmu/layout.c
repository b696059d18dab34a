/* SPDX-License-Identifier: Apache-2.0
 * layout.c - the list of an FMU's variables, from the tables of its model and mechanism. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../solve/plant.h"
#include "../text/fail.h"
#include "layout.h"

int bri_fmu_is_input(const bri_fmu_var *v)
{
  return v->kind == BRI_FMU_INPUT || v->kind == BRI_FMU_SLOPE || v->kind == BRI_FMU_LOAD ||
         v->kind == BRI_FMU_POSITION;
}

static int is_taken(const bri_fmu_layout *l, const char *name)
{
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->vars[i].name, name) == 0) return 1;
  return 0;
}

/* One more variable.  A name that is taken gets `other` in front: Dahl's state is its force, a block may be
 * driven by one. */
static bri_fmu_var *add(bri_fmu_layout *l, bri_fmu_kind kind, size_t index, const char *name,
                        const char *other, const char *unit, const char *doc)
{
  bri_fmu_var *v = &l->vars[l->n];
  const int force = kind == BRI_FMU_STATE && strcmp(name, "F") == 0; /* the name of what all elements give */
  memset(v, 0, sizeof *v);
  v->kind = kind, v->index = index, v->unit = unit, v->doc = doc;
  (void)snprintf(v->name, sizeof v->name, "%.*s%.60s", force || is_taken(l, name) ? 30 : 0, other, name);
  l->n++;
  return v;
}

/* Parameters that are numbers; formulas and choices are decided when the FMU is made. */
static void add_parameter(bri_fmu_layout *l, const br_params *params, const br_param *row, const char *full)
{
  double x[64];
  size_t n = 0;
  const char *bare = strchr(full, '.');
  if (row->choices || strncmp(full, "input.", 6) == 0) return;
  if (br_params_get(params, full, sizeof x / sizeof *x, x, &n, NULL) || n > sizeof x / sizeof *x) return;
  bare = bare && br_params_row(params, bare + 1) ? bare + 1 : full;
  for (size_t k = 0; k < n; k++) {
    char name[BRI_FMU_NAME];
    if (row->max_len > 1) (void)snprintf(name, sizeof name, "%.60s[%zu]", bare, k + 1);
    else (void)snprintf(name, sizeof name, "%.60s", bare);
    bri_fmu_var *v = add(l, BRI_FMU_PARAM, k, name, "parameter.", row->unit, row->doc);
    (void)snprintf(v->param, sizeof v->param, "%.90s", full);
    v->count = n;
    v->start = x[k];
    l->nparam++;
  }
}

/* Does the mechanism look at the rate of its i-th input? */
static int asks_for_slope(const br_plant *p, size_t i, double *work)
{
  double *w = work, *dw = w + p->nw, *q = dw + p->nw, *F = q + p->nq, *u = F + p->nk, *v = u + p->nk,
         *a = v + p->nk, *b = a + p->nq + p->nk;
  p->sys->motion(p->spar, w, dw, q, u, a);
  p->sys->rate(p->spar, w, dw, q, F, a + p->nk);
  dw[i] = 1;
  p->sys->motion(p->spar, w, dw, q, u, b);
  p->sys->rate(p->spar, w, dw, q, F, b + p->nk);
  dw[i] = 0;
  return memcmp(a, b, (p->nk + p->nq) * sizeof *a) != 0;
}

static void add_inputs(bri_fmu_layout *l, const bri_fmu_recipe *r, const br_plant *p, double *work)
{
  static const char *const START[] = {"u", "ux", "uy"};
  const double *held = br_params_block(r->params, "input");
  for (size_t i = 0; i < p->nw; i++) {
    const br_system_input *in = &r->sys->inputs[i];
    add(l, BRI_FMU_INPUT, i, in->name, "input.", in->unit, in->doc)->start = held ? held[i] : in->def;
  }
  for (size_t i = 0; i < p->nw; i++) {
    char name[BRI_FMU_NAME];
    if (!asks_for_slope(p, i, work)) continue;
    (void)snprintf(name, sizeof name, "%.60s_rate", r->sys->inputs[i].name);
    add(l, BRI_FMU_SLOPE, i, name, "input.", NULL, "time derivative of the input before it");
  }
  if (!r->element) return;
  for (size_t k = 0; k < p->nk; k++)
    add(l, BRI_FMU_POSITION, k, START[p->nk > 1 ? k + 1 : 0], "input.", "m",
        "position at the start; from there it follows the velocity");
  if (!(r->mod->flags & BR_MODEL_NO_LOAD))
    add(l, BRI_FMU_LOAD, 0, "n", "input.", "1", "normal-load factor, 1 = nominal")->start = 1;
}

static void add_states(bri_fmu_layout *l, const bri_fmu_recipe *r, const br_plant *p)
{
  const size_t first = l->n;
  for (size_t i = 0; i < p->nx; i++) {
    const int ode = i < p->ny, place = r->element && p->free && i < p->nk, way = p->paths && i >= p->z0;
    const char *name = p->names[i], *doc = place ? "position of the contact" : NULL;
    if (way) doc = "way since the last turning point, by which the state is known";
    add(l, ode ? BRI_FMU_STATE : BRI_FMU_FOLLOWS, i, name,
        place ? "position."
        : way ? "way."
              : "state.",
        p->units[i], doc);
    l->nstate += ode;
  }
  for (size_t i = 0; i < p->ny; i++) {
    char name[BRI_FMU_NAME];
    (void)snprintf(name, sizeof name, "der(%.60s)", l->vars[first + i].name);
    add(l, BRI_FMU_RATE, i, name, "rate.", NULL, NULL);
  }
}

static void add_answers(bri_fmu_layout *l, const bri_fmu_recipe *r, const br_plant *p)
{
  static const char *const AXIS[] = {"Fx", "Fy"};
  const char *unit = r->sys->flags & BR_SYSTEM_ROTARY ? "N m" : "N";
  for (size_t k = 0; k < p->nk; k++) {
    char name[BRI_FMU_NAME] = "F";
    if (p->nk == 2 && p->nc == 1) (void)snprintf(name, sizeof name, "%s", AXIS[k]);
    else if (p->nk > 1) (void)snprintf(name, sizeof name, "F%zu", k + 1);
    add(l, BRI_FMU_FORCE, k, name, "contact.", unit, "friction force; positive against positive velocity");
  }
  for (size_t i = 0; i < r->sys->nshown; i++)
    add(l, BRI_FMU_SHOWN, i, r->sys->shown[i].name, "shown.", r->sys->shown[i].unit, r->sys->shown[i].doc);
  l->nevent = bri_nevent(p);
  for (size_t i = 0; i < l->nevent; i++) {
    char name[BRI_FMU_NAME];
    (void)snprintf(name, sizeof name, "event[%zu]", i + 1);
    add(l, BRI_FMU_EVENT, i, name, "indicator.", NULL,
        i < p->nk ? "velocity on its side, or what is left until break-away"
                  : "what is left until an element slips or a state turns");
  }
}

br_status bri_fmu_layout_make(const bri_fmu_recipe *r, const br_plant *p, bri_fmu_layout *out, br_err *err)
{
  size_t room = 8 + 3 * p->nx + 4 * p->nk + 3 * p->nw + r->sys->nshown + bri_nevent(p);
  char full[BRI_FMU_NAME];
  const br_param *row;
  memset(out, 0, sizeof *out);
  for (size_t i = 0; (row = br_params_at(r->params, i, sizeof full, full)) != NULL; i++) room += row->max_len;
  out->vars = bri_calloc(room, sizeof *out->vars);
  double *work = bri_calloc(2 * p->nw + 3 * (p->nq + p->nk) + 3 * p->nk + 8, sizeof *work);
  if (!out->vars || !work) {
    bri_free(work);
    bri_fmu_layout_free(out);
    return bri_text_fail(err, BR_E_NOMEM, -1, "out of memory");
  }
  add(out, BRI_FMU_TIME, 0, "time", "", "s", "time");
  for (size_t i = 0; (row = br_params_at(r->params, i, sizeof full, full)) != NULL; i++)
    add_parameter(out, r->params, row, full);
  add_inputs(out, r, p, work);
  add_states(out, r, p);
  add_answers(out, r, p);
  bri_free(work);
  return BR_OK;
}

void bri_fmu_layout_free(bri_fmu_layout *l)
{
  bri_free(l->vars);
  memset(l, 0, sizeof *l);
}
