/* SPDX-License-Identifier: Apache-2.0
 * instance.c - making an instance, its variables, its field and its events. */
#include "instance.h"

#include <math.h>
#include <string.h>

#include "../../src/base/alloc.h"
#include "../../src/text/fail.h"

/* ---- making one ---- */

static void input(const void *ctx, double t, int side, double *w, double *dw)
{
  const bri_fmi_drive *d = (const bri_fmi_drive *)ctx;
  (void)side;
  *w = d->value + d->slope * (t - d->from);
  *dw = d->slope;
}

static void drop_plant(bri_fmi *f)
{
  br_solver_destroy(f->solver);
  f->solver = NULL;
  bri_mode_destroy(&f->mode);
  bri_work_destroy(&f->work);
  br_plant_destroy(f->plant);
  f->plant = NULL;
}

/* The plant of the present parameters.  Where there is none, the one before stays. */
static br_status make_plant(bri_fmi *f, br_err *err)
{
  br_drive drives[64];
  bri_fmi made = {.plant = NULL};
  const size_t n = f->recipe.sys->ninput;
  if (n > sizeof drives / sizeof *drives) return bri_fail(err, BR_E_SIZE, "too many inputs");
  memset(drives, 0, sizeof drives);
  for (size_t i = 0; i < n; i++) drives[i].eval = input, drives[i].ctx = &f->drives[i];
  br_status st = br_plant_of(f->recipe.sys, f->recipe.mod, f->recipe.params, drives, &made.plant, err);
  if (!st && f->plant && !bri_plant_alike(f->plant, made.plant))
    st = bri_fail(err, BR_E_UNSUPPORTED,
                  "these parameters give %s other states: how many there are is decided when an FMU is made",
                  f->recipe.mod->name);
  if (!st && (bri_work_create(made.plant, &made.work) || bri_mode_create(made.plant, &made.mode)))
    st = bri_fail(err, BR_E_NOMEM, "out of memory");
  if (st) {
    drop_plant(&made);
    return st;
  }
  drop_plant(f);
  f->plant = made.plant, f->work = made.work, f->mode = made.mode;
  f->stale = f->current = f->untouched = 0;
  return BR_OK;
}

/* The recipe's lines: model, system, base, set, program; each ends with a line feed. */
static br_status read_recipe(const char *text, size_t size, bri_fmu_recipe *out, br_err *err)
{
  static const char *const KEYS[] = {"model ", "system ", "base ", "set ", "program "};
  char *lines[5] = {0}, *own = bri_malloc(size + 1);
  if (!own) return bri_fail(err, BR_E_NOMEM, "out of memory");
  memcpy(own, text, size);
  own[size] = '\0';
  br_status st = BR_OK;
  for (char *at = own; *at && !st;) {
    char *end = strchr(at, '\n');
    if (end) *end = '\0';
    int known = 0;
    for (int k = 0; k < 5; k++)
      if (strncmp(at, KEYS[k], strlen(KEYS[k])) == 0 && !lines[k]) lines[k] = at + strlen(KEYS[k]), known = 1;
    if (!known) st = bri_fail(err, BR_E_PARSE, "recipe of the FMU: cannot read '%.60s'", at);
    at = end ? end + 1 : at + strlen(at);
  }
  const bri_fmu_request asked = {lines[0], lines[1], lines[2], lines[3], lines[4]};
  if (!st) st = bri_fmu_recipe_make(&asked, out, err);
  bri_free(own);
  return st;
}

static void start_values(bri_fmi *f)
{
  f->t = f->position[0] = f->position[1] = 0;
  f->load = 1;
  f->running = f->rebuilt = 0;
  f->phase = BRI_FMI_MADE;
  memset(f->x, 0, f->plant->nx * sizeof *f->x);
  for (size_t i = 0; i < f->layout.n; i++) {
    const bri_fmu_var *v = &f->layout.vars[i];
    if (v->kind == BRI_FMU_INPUT) f->drives[v->index] = (bri_fmi_drive){v->start, 0, 0};
  }
}

br_status bri_fmi_open(const char *recipe, size_t size, bri_fmi **out, br_err *err)
{
  *out = NULL;
  bri_fmi *f = bri_calloc(1, sizeof *f);
  if (!f) return bri_fail(err, BR_E_NOMEM, "out of memory");
  br_status st = read_recipe(recipe, size, &f->recipe, err);
  if (!st) {
    f->drives = bri_calloc(f->recipe.sys->ninput + 1, sizeof *f->drives);
    st = f->drives ? make_plant(f, err) : bri_fail(err, BR_E_NOMEM, "out of memory");
  }
  if (!st) st = bri_fmu_layout_make(&f->recipe, f->plant, &f->layout, err);
  if (!st) {
    const br_plant *p = f->plant;
    f->x = bri_calloc(p->nx + 2 * p->ny + bri_nevent(p) + p->nk + p->sys->nshown + 1, sizeof *f->x);
    if (!f->x) st = bri_fail(err, BR_E_NOMEM, "out of memory");
  }
  if (st) {
    bri_fmi_close(f);
    return st;
  }
  f->y = f->x + f->plant->nx;
  f->dy = f->y + f->plant->ny;
  f->g = f->dy + f->plant->ny;
  f->F = f->g + f->layout.nevent;
  f->shown = f->F + f->plant->nk;
  start_values(f);
  *out = f;
  return BR_OK;
}

void bri_fmi_close(bri_fmi *f)
{
  if (!f) return;
  if (f->recipe.sys) drop_plant(f);
  bri_fmu_layout_free(&f->layout);
  bri_fmu_recipe_free(&f->recipe);
  bri_free(f->drives);
  bri_free(f->x);
  bri_free(f);
}

br_status bri_fmi_may(const bri_fmi *f, int phases, const char *function, br_err *err)
{
  static const char *const WHERE[] = {"before its initialization", "being initialized", "in event mode",
                                      "in continuous-time mode",   "between steps",     "terminated"};
  int k = 0;
  if (f->phase & phases) return BR_OK;
  while (k < 5 && f->phase >> (k + 1)) k++;
  return bri_fail(err, BR_E_ARG, "%s cannot be called here: this %s instance is %s", function,
                  f->exchange ? "model-exchange" : "co-simulation", WHERE[k]);
}

/* A parameter as a whole, with one element changed. */
static br_status set_parameter(bri_fmi *f, const bri_fmu_var *v, double value, br_err *err)
{
  double x[64];
  size_t n;
  const br_status st = br_params_get(f->recipe.params, v->param, sizeof x / sizeof *x, x, &n, err);
  if (st) return st;
  if (x[v->index] == value) return BR_OK;
  x[v->index] = value;
  f->stale = 1;
  f->current = f->untouched = 0;
  return br_params_set(f->recipe.params, v->param, x, n, err);
}

br_status bri_fmi_reset(bri_fmi *f, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < f->layout.n && !st; i++)
    if (f->layout.vars[i].kind == BRI_FMU_PARAM)
      st = set_parameter(f, &f->layout.vars[i], f->layout.vars[i].start, err);
  if (!st) st = br_params_finish(f->recipe.params, err);
  if (!st) st = make_plant(f, err);
  if (!st) start_values(f);
  return st;
}

/* ---- the field ---- */

/* The plant of the present parameters, and before the start the states that the start values give. */
static br_status refresh(bri_fmi *f, br_err *err)
{
  const int rebuilt = f->stale;
  br_status st = BR_OK;
  if (rebuilt) {
    if (f->running) bri_full(f->plant, &f->work, &f->mode, f->t, f->y, f->x);
    st = br_params_finish(f->recipe.params, err);
    if (!st) st = make_plant(f, err);
    if (st) return st;
    f->rebuilt = f->running;
  }
  if (f->recipe.element) f->plant->load[0] = f->work.n[0] = f->load; /* it may change while it runs */
  if (f->running && !rebuilt) return BR_OK;
  for (size_t k = 0; k < f->plant->nk && f->recipe.element && f->plant->free && !f->running; k++)
    f->x[f->plant->nq + k] = f->position[k];
  bri_mode_start(f->plant, &f->work, &f->mode, f->t, f->x, f->y, f->dy);
  f->current = 0;
  return BR_OK;
}

br_status bri_fmi_rates(bri_fmi *f, br_err *err)
{
  if (f->current && !f->stale) return BR_OK;
  const br_status st = refresh(f, err);
  if (st) return st;
  const br_plant *p = f->plant;
  bri_eval(p, &f->work, &f->mode, f->t, f->y, f->dy);
  memcpy(f->F, f->work.F, p->nk * sizeof *f->F);
  /* true stick: a given motion that stands still says nothing about the force */
  for (size_t k = 0; k < p->nk && f->recipe.element && p->kind == BRI_STICK; k++)
    if (f->work.v[k] == 0) f->F[k] = 0;
  if (p->sys->show) p->sys->show(p->spar, f->work.w, f->work.dw, f->y, f->shown);
  f->current = 1;
  for (size_t i = 0; i < p->ny; i++)
    if (!isfinite(f->dy[i])) return bri_fail(err, BR_E_NAN, "the rate of %s is not a number", p->names[i]);
  return BR_OK;
}

br_status bri_fmi_start(bri_fmi *f, br_err *err)
{
  f->running = f->current = 0;
  const br_status st = bri_fmi_rates(f, err);
  f->running = st == BR_OK;
  return st;
}

/* ---- events ---- */

#define ZERO_INSIDE 1e-100 /* its square is a number, too: importers interpolate */

br_status bri_fmi_indicators(bri_fmi *f, double *g, br_err *err)
{
  br_status st = bri_fmi_rates(f, err);
  if (st) return st;
  bri_mode_sides(f->plant, &f->mode, f->y); /* first, so that who asks twice is told the same twice */
  bri_events(f->plant, &f->work, &f->mode, f->t, f->y, f->g, f->dy);
  /* Zero belongs to the inside of the mode, so that leaving it is a change of sign that importers see. */
  for (size_t e = 0; e < f->layout.nevent; e++) g[e] = f->g[e] == 0 ? ZERO_INSIDE : f->g[e];
  f->current = 0;
  return BR_OK;
}

static br_status find_crossed(bri_fmi *f, size_t *e, br_err *err)
{
  const br_status st = bri_fmi_indicators(f, f->g, err);
  for (*e = 0; !st && *e < f->layout.nevent && !(f->g[*e] < 0);) ++*e;
  return st;
}

br_status bri_fmi_event(bri_fmi *f, int *changed, br_err *err)
{
  const size_t most = 4 * f->layout.nevent + 4; /* contacts may set one another free, once each way */
  const br_status ready = bri_fmi_rates(f, err);
  *changed = f->rebuilt;
  f->rebuilt = 0;
  if (ready) return ready;
  for (size_t i = 0; i < most; i++) {
    size_t e;
    br_event_type type;
    const br_status st = find_crossed(f, &e, err);
    if (st || e == f->layout.nevent) return st;
    (void)bri_mode_switch(f->plant, &f->work, &f->mode, e, f->t, f->y, f->dy, &type);
    f->current = f->untouched = 0;
    *changed = 1;
  }
  return BR_OK;
}

br_status bri_fmi_step_done(bri_fmi *f, int *event, br_err *err)
{
  size_t e;
  const br_status st = find_crossed(f, &e, err);
  *event = !st && e < f->layout.nevent;
  return st;
}

/* ---- variables ---- */

static const bri_fmu_var *variable(const bri_fmi *f, unsigned reference, br_err *err)
{
  if (reference < f->layout.n) return &f->layout.vars[reference];
  (void)bri_fail(err, BR_E_NAME, "there is no variable with the value reference %u", reference);
  return NULL;
}

br_status bri_fmi_get(bri_fmi *f, unsigned reference, double *value, br_err *err)
{
  const bri_fmu_var *v = variable(f, reference, err);
  double x[64];
  size_t n;
  br_status st = BR_OK;
  if (!v) return BR_E_NAME;
  switch (v->kind) {
  case BRI_FMU_TIME: *value = f->t; return BR_OK;
  case BRI_FMU_PARAM:
    st = br_params_get(f->recipe.params, v->param, sizeof x / sizeof *x, x, &n, err);
    if (!st) *value = x[v->index];
    return st;
  case BRI_FMU_INPUT: *value = f->drives[v->index].value; return BR_OK;
  case BRI_FMU_SLOPE: *value = f->drives[v->index].slope; return BR_OK;
  case BRI_FMU_LOAD: *value = f->load; return BR_OK;
  case BRI_FMU_POSITION: *value = f->position[v->index]; return BR_OK;
  case BRI_FMU_EVENT:
    st = bri_fmi_indicators(f, f->g, err);
    *value = f->g[v->index];
    return st;
  default: break;
  }
  if ((st = bri_fmi_rates(f, err)) != BR_OK) return st;
  if (v->kind == BRI_FMU_STATE) *value = f->y[v->index];
  if (v->kind == BRI_FMU_RATE) *value = f->dy[v->index];
  if (v->kind == BRI_FMU_FORCE) *value = f->F[v->index];
  if (v->kind == BRI_FMU_SHOWN) *value = f->shown[v->index];
  if (v->kind == BRI_FMU_FOLLOWS) {
    bri_full(f->plant, &f->work, &f->mode, f->t, f->y, f->x);
    *value = f->x[v->index];
  }
  return BR_OK;
}

br_status bri_fmi_set(bri_fmi *f, unsigned reference, double value, br_err *err)
{
  const bri_fmu_var *v = variable(f, reference, err);
  if (!v) return BR_E_NAME;
  if (!isfinite(value)) return bri_fail(err, BR_E_NAN, "%s = %g is not a finite number", v->name, value);
  double *at = NULL;
  switch (v->kind) {
  case BRI_FMU_PARAM: return set_parameter(f, v, value, err);
  case BRI_FMU_INPUT: at = &f->drives[v->index].value; break;
  case BRI_FMU_SLOPE: at = &f->drives[v->index].slope; break;
  case BRI_FMU_LOAD:
    if (value < 0) return bri_fail(err, BR_E_RANGE, "n = %g is out of range: must be >= 0", value);
    at = &f->load;
    break;
  case BRI_FMU_POSITION: at = &f->position[v->index]; break;
  case BRI_FMU_STATE:
  case BRI_FMU_FOLLOWS:
    if (!f->running && !v->way) at = &f->x[v->index];
    break;
  default: break;
  }
  if (!at)
    return bri_fail(err, BR_E_ARG, "%s cannot be set%s", v->name,
                    v->kind == BRI_FMU_STATE ? " once the initialization has ended" : "");
  if (*at != value) f->current = f->untouched = 0;
  *at = value;
  return BR_OK;
}

br_status bri_fmi_set_slope(bri_fmi *f, unsigned reference, double slope, br_err *err)
{
  const bri_fmu_var *v = variable(f, reference, err);
  if (!v) return BR_E_NAME;
  if (v->kind != BRI_FMU_INPUT || !isfinite(slope))
    return bri_fail(err, BR_E_ARG, "%s takes no slope of %g", v->name, slope);
  f->drives[v->index].slope = slope;
  f->current = f->untouched = 0;
  return BR_OK;
}
