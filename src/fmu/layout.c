/* SPDX-License-Identifier: Apache-2.0
 * layout.c - the list of an FMU's variables, from the tables of its model and mechanism. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../solve/plant.h"
#include "../text/fail.h"
#include "bristle/unit.h"
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
  const int force =
      (kind == BRI_FMU_STATE || kind == BRI_FMU_FOLLOWS) && strcmp(name, "F") == 0; /* all elements give F */
  memset(v, 0, sizeof *v);
  v->kind = kind, v->index = index, v->unit = unit, v->doc = doc;
  v->lo = -INFINITY, v->hi = INFINITY, v->nominal = 1;
  (void)snprintf(v->name, sizeof v->name, "%.*s%.60s", force || is_taken(l, name) ? 30 : 0, other, name);
  l->n++;
  return v;
}

/* The unit of something per second. */
static void make_rate_unit(bri_fmu_var *v, const char *unit)
{
  const size_t n = unit ? strlen(unit) : 0;
  br_unit parsed;
  if (!n || strcmp(unit, "1") == 0) (void)snprintf(v->made, sizeof v->made, "1/s");
  else if (n > 2 && strcmp(unit + n - 2, "/s") == 0) (void)snprintf(v->made, sizeof v->made, "%.30s^2", unit);
  else (void)snprintf(v->made, sizeof v->made, "%.30s/s", unit);
  v->unit = br_unit_parse(v->made, strlen(v->made), &parsed, NULL) ? NULL : v->made;
}

/* Does the number of the model's states hang on a parameter: would it be another one next to the present
 * value? */
static int decides_states(const br_model *m, const double *now, const br_param *row)
{
  size_t at = 0;
  while (at < m->nparam && &m->params[at] != row) at++;
  double *par = at < m->nparam && row->max_len == 1 && now ? bri_malloc_array(m->slots, sizeof *par) : NULL;
  if (!par) return 0;
  memcpy(par, now, m->slots * sizeof *par);
  par[row->slot] += par[row->slot] + 1 <= row->hi ? 1 : -1;
  if (m->prepare) m->prepare(par);
  const int other = m->nstate(par) != m->nstate(now) || m->nmode(par) != m->nmode(now);
  bri_free(par);
  return other;
}

/* Parameters that are numbers; formulas, choices and numbers of states are decided when the FMU is made. */
static void add_parameter(bri_fmu_layout *l, const bri_fmu_recipe *r, const br_param *row, const char *full)
{
  const br_params *params = r->params;
  double x[64];
  size_t n = 0;
  const char *bare = strchr(full, '.');
  if (row->choices || strncmp(full, "input.", 6) == 0) return;
  if (decides_states(r->mod, br_params_block(params, "model"), row)) return;
  if (br_params_get(params, full, sizeof x / sizeof *x, x, &n, NULL) || n > sizeof x / sizeof *x) return;
  bare = bare && br_params_row(params, bare + 1) ? bare + 1 : full;
  if (is_taken(l, bare)) bare = full; /* that of one contact among several */
  for (size_t k = 0; k < n; k++) {
    char name[BRI_FMU_NAME];
    if (row->max_len > 1) (void)snprintf(name, sizeof name, "%.60s[%zu]", bare, k + 1);
    else (void)snprintf(name, sizeof name, "%.60s", bare);
    bri_fmu_var *v = add(l, BRI_FMU_PARAM, k, name, "parameter.", row->unit, row->doc);
    (void)snprintf(v->param, sizeof v->param, "%.90s", full);
    v->count = n;
    v->start = x[k], v->lo = row->lo, v->hi = row->hi;
    l->nparam++;
  }
}

/* Does the mechanism look at the rate of its i-th input?  Asked at rest and off it: a formula need not have a
 * value in both. */
static int asks_for_slope(const br_plant *p, size_t i, double *work)
{
  double *w = work, *dw = w + p->nw, *q = dw + p->nw, *F = q + p->nq, *u = F + p->nk, *v = u + p->nk,
         *a = v + p->nk, *b = a + p->nq + p->nk;
  int asks = 0;
  for (int off = 0; off < 2; off++) {
    for (size_t j = 0; j < p->nq; j++) q[j] = off * 1e-3 * (double)(j + 1);
    p->sys->motion(p->spar, w, dw, q, u, a);
    p->sys->rate(p->spar, w, dw, q, F, a + p->nk);
    dw[i] = 1;
    p->sys->motion(p->spar, w, dw, q, u, b);
    p->sys->rate(p->spar, w, dw, q, F, b + p->nk);
    dw[i] = 0;
    asks |= memcmp(a, b, (p->nk + p->nq) * sizeof *a) != 0;
  }
  return asks;
}

static void add_inputs(bri_fmu_layout *l, const bri_fmu_recipe *r, const br_plant *p, double *work)
{
  static const char *const START[] = {"u", "ux", "uy"};
  const double *held = br_params_block(r->params, "input");
  for (size_t i = 0; i < p->nw; i++) {
    const br_system_input *in = &r->sys->inputs[i];
    if (r->sys->clock == i + 1) continue; /* the time itself */
    add(l, BRI_FMU_INPUT, i, in->name, "input.", in->unit, in->doc)->start = held ? held[i] : in->def;
  }
  for (size_t i = 0; i < p->nw; i++) {
    char name[BRI_FMU_NAME];
    if (r->sys->clock == i + 1 || !asks_for_slope(p, i, work)) continue;
    (void)snprintf(name, sizeof name, "%.60s_rate", r->sys->inputs[i].name);
    make_rate_unit(add(l, BRI_FMU_SLOPE, i, name, "input.", NULL, "time derivative of the input before it"),
                   r->sys->inputs[i].unit);
  }
  if (!r->element) return;
  for (size_t k = 0; k < p->nk; k++)
    add(l, BRI_FMU_POSITION, k, START[p->nk > 1 ? k + 1 : 0], "input.", "m",
        "position at the start; from there it follows the velocity");
  if (r->mod->flags & BR_MODEL_NO_LOAD) return;
  bri_fmu_var *n = add(l, BRI_FMU_LOAD, 0, "n", "input.", "1", "normal-load factor, 1 = nominal");
  n->start = 1, n->lo = 0;
}

#define SMALL_MOTION 1e-3 /* m, m/s, rad: friction decides about motions of this size */

/* How large the i-th integrated state gets: what a contact's state reaches when the contact is pulled as far,
 * slowly and fast; of a way, how far that takes. */
static double reach(const bri_fmu_recipe *r, const br_plant *p, size_t i, double *z)
{
  double most = 0, way = 0;
  if (i < p->z0 || !p->nz) return SMALL_MOTION;
  for (int fast = 0; fast < 2; fast++) {
    const double v[2] = {fast ? 1 : SMALL_MOTION, 0};
    double u[2] = {0, 0};
    memset(z, 0, p->nz * sizeof *z);
    for (double part = 1e-9; u[0] < SMALL_MOTION; part *= 2) {
      r->mod->step(bri_par(p, (i - p->z0) / p->nz), 1, u, v, part / v[0], z);
      u[0] += part;
      const double x = fabs(z[(i - p->z0) % p->nz]);
      if (x > 1.5 * most && x < INFINITY) way = u[0];
      if (x > most && x < INFINITY) most = x;
    }
  }
  most = p->paths ? way : most;
  return most > 0 ? fmin(fmax(most, 1e-12), 1) : SMALL_MOTION;
}

static void add_states(bri_fmu_layout *l, const bri_fmu_recipe *r, const br_plant *p, double *work)
{
  const size_t first = l->n;
  const char *metre = r->sys->flags & BR_SYSTEM_ROTARY ? "rad" : "m";
  for (size_t i = 0; i < p->nx; i++) {
    const int ode = i < p->ny, place = r->element && p->free && i < p->nk, way = p->paths && i >= p->z0;
    char name[BRI_FMU_NAME];
    (void)snprintf(name, sizeof name, "%s%.60s", way ? "way." : "", p->names[i]);
    bri_fmu_var *v = add(l, ode ? BRI_FMU_STATE : BRI_FMU_FOLLOWS, i, name, place ? "position." : "state.",
                         way ? metre : p->units[i], place ? "position of the contact" : NULL);
    if (way) v->doc = "way since the last turning point, by which the state is known";
    if (ode) v->nominal = reach(r, p, i, work);
    v->way = way;
    l->nstate += ode;
  }
  for (size_t i = 0; i < p->ny; i++) {
    char name[BRI_FMU_NAME];
    (void)snprintf(name, sizeof name, "der(%.60s)", l->vars[first + i].name);
    make_rate_unit(add(l, BRI_FMU_RATE, i, name, "rate.", NULL, NULL), l->vars[first + i].unit);
  }
  for (size_t i = p->z0; p->paths && i < p->nx; i++)
    add(l, BRI_FMU_FOLLOWS, i, p->names[i], "state.", p->units[i], NULL);
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
  double *work = bri_calloc(2 * p->nw + 3 * (p->nq + p->nk) + 3 * p->nk + p->nz + 8, sizeof *work);
  if (!out->vars || !work) {
    bri_free(work);
    bri_fmu_layout_free(out);
    return bri_fail(err, BR_E_NOMEM, "out of memory");
  }
  add(out, BRI_FMU_TIME, 0, "time", "", "s", "time");
  for (size_t i = 0; (row = br_params_at(r->params, i, sizeof full, full)) != NULL; i++)
    add_parameter(out, r, row, full);
  add_inputs(out, r, p, work);
  add_states(out, r, p, work);
  add_answers(out, r, p);
  bri_free(work);
  return BR_OK;
}

void bri_fmu_layout_free(bri_fmu_layout *l)
{
  bri_free(l->vars);
  memset(l, 0, sizeof *l);
}
