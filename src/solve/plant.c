/* SPDX-License-Identifier: Apache-2.0
 * plant.c - join a mechanism, a model and inputs; names, sizes, linear parts. */
#include "plant.h"
#include "../expr/mixed.h"
#include "../param/slide.h"
#include "../param/turns.h"
#include "../param/valid.h"
#include "../base/alloc.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static br_status fail(br_err *err, br_status code, const char *text)
{
  if (err) {
    err->code = code;
    err->index = -1;
    snprintf(err->msg, sizeof err->msg, "%s", text);
  }
  return code;
}

static double *numbers(size_t n) { return (double *)bri_calloc(n ? n : 1, sizeof(double)); }

static double *copy_of(const double *src, size_t n)
{
  double *dst = numbers(n);
  if (dst && n) memcpy(dst, src, n * sizeof *dst);
  return dst;
}

/* Does the model's force or rate depend on the position?  Asked at a few irregular points. */
int bri_model_uses_position(const br_model *m, const double *par)
{
  double z[256], a[256], b[256], Fa[2], Fb[2];
  const size_t nz = m->nstate(par) + m->nmode(par);
  int uses = 0;
  if (nz > 256) return 1;
  for (int trial = 0; trial < 4 && !uses; trial++) {
    const double v[2] = {0.0137 * (trial - 1.3), -0.021 * (trial - 1.7)};
    const double u1[2] = {0.731, -0.377}, u2[2] = {1.913, 0.549};
    for (size_t i = 0; i < nz; i++) z[i] = 1e-3 * ((double)(i % 3) - 0.7);
    m->rate(par, 1, u1, v, z, a);
    m->rate(par, 1, u2, v, z, b);
    m->force(par, 1, u1, v, z, a, Fa);
    m->force(par, 1, u2, v, z, b, Fb);
    for (size_t i = 0; i < nz; i++) uses |= a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]));
    for (int i = 0; i < m->axes; i++) uses |= Fa[i] != Fb[i] && !(isnan(Fa[i]) && isnan(Fb[i]));
  }
  return uses;
}

/* Spring-slider elements: independent of rate, and each follows the displacement one to one until it slips.
 * */
static int is_stop_elements(const br_model *m, const double *par)
{
  br_class c;
  if (!(m->flags & BR_MODEL_ELEMENTS) || !(m->flags & BR_MODEL_EXACT_STEP) || m->axes != 1 || !m->classify)
    return 0;
  m->classify(par, &c);
  return !c.rate_dependent && m->nmode(par) == 0;
}

/* A single state that does not depend on the rate, has an exact step and no Lipschitz field: Dahl's exponents
 * below 1, which saturate at a finite distance. */
static int saturates(const br_model *m, const double *par)
{
  br_class c;
  if (!(m->flags & BR_MODEL_EXACT_STEP) || (m->flags & BR_MODEL_JUMPS) || m->axes != 1 ||
      m->nstate(par) != 1 || m->nmode(par) != 0 || !m->classify)
    return 0;
  m->classify(par, &c);
  return !c.rate_dependent && c.continuity != BR_LIPSCHITZ;
}

/* The mechanism's matrices by differences: exact for affine functions with unit steps around zero. */
static br_status take_matrices(br_plant *p)
{
  const size_t nq = p->nq, nk = p->nk;
  const size_t nw = p->nw;
  double *w = numbers(2 * nw + 3 * nq + 5 * nk + 8);
  if (!w) return BR_E_NOMEM;
  double *dw = w + nw, *q = dw + nw, *r0 = q + nq + 1, *r1 = r0 + nq + 1, *F = r1 + nq + 1;
  double *u0 = F + nk, *v0 = u0 + nk, *u1 = v0 + nk, *v1 = u1 + nk;
  p->sys->rate(p->spar, w, dw, q, F, r0);
  p->sys->motion(p->spar, w, dw, q, u0, v0);
  for (size_t j = 0; j < nq; j++) {
    q[j] = 1;
    p->sys->rate(p->spar, w, dw, q, F, r1);
    p->sys->motion(p->spar, w, dw, q, u1, v1);
    q[j] = 0;
    for (size_t i = 0; i < nq; i++) p->A[i * nq + j] = r1[i] - r0[i];
    for (size_t i = 0; i < nk; i++) p->Cu[i * nq + j] = u1[i] - u0[i], p->Cv[i * nq + j] = v1[i] - v0[i];
  }
  for (size_t j = 0; j < nk; j++) {
    F[j] = 1;
    p->sys->rate(p->spar, w, dw, q, F, r1);
    F[j] = 0;
    for (size_t i = 0; i < nq; i++) p->B[i * nk + j] = r1[i] - r0[i];
  }
  memcpy(p->r0, r0, nq * sizeof *r0);
  for (size_t j = 0; j < 2 * p->nw; j++) {
    w[j] = 1; /* dw stands behind w */
    p->sys->rate(p->spar, w, dw, q, F, r1);
    w[j] = 0;
    for (size_t i = 0; i < nq; i++) p->Ew[i * 2 * p->nw + j] = r1[i] - r0[i];
    w[j] = 1;
    p->sys->motion(p->spar, w, dw, q, u1, v1);
    w[j] = 0;
    for (size_t i = 0; i < nk; i++) p->Vw[i * 2 * p->nw + j] = v1[i] - v0[i];
  }
  for (size_t i = 0; i < nk; i++) {
    for (size_t l = 0; l < nq; l++)
      for (size_t j = 0; p->Cv[i * nq + l] != 0 && j < nk; j++)
        p->G[i * nk + j] += p->Cv[i * nq + l] * p->B[l * nk + j];
    /* the contact velocity is state j itself when row i of Cv is that unit vector and no input moves it */
    size_t ones = 0, at = 0;
    for (size_t l = 0; l < nq; l++)
      if (p->Cv[i * nq + l] != 0) ones += p->Cv[i * nq + l] == 1 ? 1 : 2, at = l;
    for (size_t l = 0; l < 2 * p->nw; l++) /* dw stands behind w */
      if (p->Vw[i * 2 * p->nw + l] != 0) ones += 2, p->carried = 1;
    if (i == 0) p->section = ones == 1 || (ones % 2 == 1 && p->carried) ? (int)at : -1;
    p->pure[i] = ones == 1 && v0[i] == 0 ? (int)at : -1;
  }
  bri_free(w);
  return BR_OK;
}

/* True-stick contacts that hold each other's motion (in parallel, or in a ring) leave open how they share the
 * load when all stick: no equation says it.  The rank of G tells. */
static br_status check_holding(const br_plant *p, br_err *err)
{
  size_t idx[64], n = 0;
  double *K = numbers(p->nk * p->nk), top = 0;
  br_status st = K ? BR_OK : fail(err, BR_E_NOMEM, "out of memory for a plant");
  for (size_t j = 0; j < p->nk && n < 64; j++)
    if (bri_holds(p, j / p->ax) && p->G[j * p->nk + j] != 0) idx[n++] = j;
  for (size_t a = 0; a < n; a++)
    for (size_t l = p->nw; l < 2 * p->nw; l++)
      if (p->Vw[idx[a] * 2 * p->nw + l] != 0) {
        bri_free(K);
        return fail(err, BR_E_UNSUPPORTED,
                    "a contact that truly sticks to a body moved by its position needs that body's "
                    "acceleration: give its velocity as the input, or take a model with deflection");
      }
  for (size_t a = 0; K && a < n * n; a++) K[a] = p->G[idx[a / n] * p->nk + idx[a % n]];
  for (size_t a = 0; K && a < n; a++) top = fmax(top, fabs(K[a * n + a]));
  for (size_t c = 0; st == BR_OK && c < n; c++) { /* elimination in order: G is symmetric and semidefinite */
    const double pivot = K[c * n + c];
    if (fabs(pivot) <= 1e-12 * top) {
      char text[240];
      snprintf(
          text, sizeof text,
          "contact %zu holds what contacts before it hold already (in parallel or in a ring), and %s cannot "
          "say how they share the load: give one contact the load of all, or take a model with deflection",
          idx[c] + 1, p->mod->name);
      st = fail(err, BR_E_UNSUPPORTED, text);
    }
    for (size_t r = c + 1; r < n; r++) {
      const double f = K[r * n + c] / pivot;
      for (size_t l = c; l < n; l++) K[r * n + l] -= f * K[c * n + l];
    }
  }
  bri_free(K);
  return st;
}

static br_status set_name(br_plant *p, size_t i, const char *prefix, const char *name, size_t number,
                          const char *unit)
{
  char text[96];
  if (number) snprintf(text, sizeof text, "%s%s%zu", prefix, name, number);
  else snprintf(text, sizeof text, "%s%s", prefix, name);
  p->names[i] = bri_copy(text);
  if (!p->names[i]) return BR_E_NOMEM;
  p->units[i] = unit;
  return BR_OK;
}

/* Names of one list of state rows, `count` numbers in all, starting at index *at. */
static br_status name_rows(br_plant *p, const br_state *rows, size_t nrows, size_t count, size_t *at,
                           const char *prefix)
{
  size_t vectors = 0, scalars = 0;
  for (size_t r = 0; r < nrows; r++) rows[r].max_len > 1 ? vectors++ : scalars++;
  const size_t each = vectors ? (count - (scalars < count ? scalars : count)) / vectors : 0;
  for (size_t r = 0; r < nrows; r++) {
    const size_t n = rows[r].max_len > 1 ? each : 1;
    for (size_t i = 0; i < n && *at < p->nx; i++) {
      const br_status st =
          set_name(p, *at, prefix, rows[r].name, rows[r].max_len > 1 ? i + 1 : 0, rows[r].unit);
      if (st != BR_OK) return st;
      ++*at;
    }
  }
  return BR_OK;
}

/* What the states from `first` to before `end` of contact c are measured in, where its model or its motion
 * says more. */
static void set_units(br_plant *p, size_t c, size_t first, size_t end)
{
  const double *inner = NULL;
  const br_model *part = bri_mixed_part(p->mod, bri_par(p, c), &inner);
  for (size_t i = first; i < end; i++) {
    if (part && part != p->mod && i - first < part->nstates_rows) p->units[i] = part->states[i - first].unit;
    if (bri_turns(p->sys, c)) p->units[i] = bri_unit_turned(p->units[i]);
  }
}

static br_status set_names(br_plant *p)
{
  size_t at = 0;
  br_status st = name_rows(p, p->sys->states, p->sys->nrows, p->nq, &at, "");
  for (size_t j = 0; p->free && st == BR_OK && j < p->nk; j++)
    st = set_name(p, at++, "", "u", p->nk > 1 ? j + 1 : 0,
                  bri_turns(p->sys, j / (size_t)p->sys->axes) ? "rad" : "m");
  for (size_t c = 0; c < p->nc && st == BR_OK; c++) {
    char prefix[32] = "";
    const size_t first = at;
    if (p->nc > 1) snprintf(prefix, sizeof prefix, "contact%zu.", c + 1);
    st = name_rows(p, p->mod->states, p->mod->nstates_rows, p->nz - p->nmode, &at, prefix);
    set_units(p, c, first, at);
    for (size_t i = first; i < at && st == BR_OK && p->nc == 1; i++)
      for (size_t j = 0; j < first; j++)
        if (p->names[i] && strcmp(p->names[i], p->names[j]) == 0) {
          char clash[80];
          snprintf(clash, sizeof clash, "%s", p->names[i]);
          bri_free(p->names[i]);
          p->names[i] = NULL;
          st = set_name(p, i, "model.", clash, 0, p->units[i]);
          break;
        }
    /* discrete modes behind the states have no row of their own */
    while (st == BR_OK && at < p->z0 + (c + 1) * p->nz) {
      st = set_name(p, at, prefix, "mode", at - first - (p->nz - p->nmode) + 1, "1");
      at++;
    }
  }
  return st;
}

static br_status allocate(br_plant *p)
{
  const size_t nq2 = p->nq * p->nq, ck = p->nk * p->nq;
  p->load = numbers(p->nc);
  p->vs_of = numbers(p->nc);
  p->A = numbers(nq2);
  p->B = numbers(ck);
  p->Cu = numbers(ck);
  p->Cv = numbers(ck);
  p->G = numbers(p->nk * p->nk);
  p->r0 = numbers(p->nq);
  p->Ew = numbers(2 * p->nq * p->nw);
  p->Vw = numbers(2 * p->nk * p->nw);
  p->pure = (int *)bri_calloc(p->nk ? p->nk : 1, sizeof *p->pure);
  p->names = (char **)bri_calloc(p->nx ? p->nx : 1, sizeof *p->names);
  p->units = (const char **)bri_calloc(p->nx ? p->nx : 1, sizeof *p->units);
  if (!p->load || !p->vs_of || !p->A || !p->B || !p->Cu || !p->Cv || !p->G || !p->r0 || !p->Ew || !p->Vw ||
      !p->pure || !p->names || !p->units)
    return BR_E_NOMEM;
  return BR_OK;
}

/* The model's blocks, one for all contacts or one for each. */
static br_status take_blocks(br_plant *p, const double *const *mpars, size_t blocks, br_err *err)
{
  const br_model *mod = p->mod;
  const size_t slots = mod->slots;
  const int pairs = mod->rate_pair && mod->force_pair && mod->prepare_pair;
  p->stride = blocks > 1 ? slots : 0;
  p->mpar = numbers(blocks * slots);
  p->mpair = pairs ? numbers(2 * blocks * slots) : NULL;
  if (!p->mpar || (pairs && !p->mpair)) return fail(err, BR_E_NOMEM, "out of memory for a plant");
  for (size_t c = 0; c < blocks; c++) {
    memcpy(p->mpar + c * slots, mpars[c], slots * sizeof *p->mpar);
    for (size_t i = 0; pairs && i < slots; i++) p->mpair[2 * (c * slots + i)] = mpars[c][i];
    if (pairs) mod->prepare_pair(p->mpair + 2 * c * slots);
    if (mod->nstate(mpars[c]) == mod->nstate(mpars[0]) && mod->nmode(mpars[c]) == mod->nmode(mpars[0]) &&
        is_stop_elements(mod, mpars[c]) == is_stop_elements(mod, mpars[0]))
      continue;
    char text[160];
    snprintf(text, sizeof text,
             "contact %zu: %s must have as many states there as in contact 1 (%zu, not %zu)", c + 1,
             mod->name, mod->nstate(mpars[0]), mod->nstate(mpars[c]));
    return fail(err, BR_E_UNSUPPORTED, text);
  }
  return BR_OK;
}

/* Velocities that matter to the contacts. */
static void take_scales(br_plant *p)
{
  /* The velocity scale below which the friction level changes: steps must not jump over it. */
  p->v_least = DBL_MIN;
  p->vs = INFINITY;
  for (size_t c = 0; c < p->nc; c++) {
    const double *par;
    const br_model *mod = bri_mixed_part(p->mod, bri_par(p, c), &par);
    const br_param *vs = br_model_param(mod, "vs");
    p->vs_of[c] = vs && vs->max_len == 1 ? fabs(par[vs->slot]) : 0;
    if (mod == &bri_alone && p->sys->scale) p->vs_of[c] = p->sys->scale(p->spar, c);
    if (p->vs_of[c] > 0) p->vs = fmin(p->vs, p->vs_of[c]); /* others have none to mind */
    p->v_least = fmax(p->v_least, bri_stick_band(mod, par));
  }
  if (!isfinite(p->vs)) p->vs = 0;
}

/* The input that is the time itself. */
static void clock_runs(const void *ctx, double t, int side, double *w, double *dw)
{
  (void)ctx, (void)side;
  *w = t, *dw = 1;
}

/* Contacts with models of their own: which of them truly stick, and is each one that may stand here? */
static br_status take_parts(br_plant *p, br_err *err)
{
  if (strcmp(p->mod->name, BRI_MIXED) != 0) return BR_OK;
  int any = 0;
  p->holds = (unsigned char *)bri_calloc(p->nc + 1, 1);
  if (!p->holds) return BR_E_NOMEM;
  for (size_t c = 0; c < p->nc; c++) {
    const double *par;
    const br_model *m = bri_mixed_part(p->mod, bri_par(p, c), &par);
    p->holds[c] = (m->flags & BR_MODEL_TRUE_STICK) != 0;
    any |= p->holds[c];
    p->kinks |= (m->flags & BR_MODEL_KINKS) != 0;
    if (!saturates(m, par)) continue;
    char text[160];
    snprintf(text, sizeof text,
             "contact %zu: %s saturates at a finite distance (gamma < 1), which only contacts that are all "
             "alike do",
             c + 1, m->name);
    return fail(err, BR_E_UNSUPPORTED, text);
  }
  if (any) return BR_OK;
  bri_free(p->holds);
  p->holds = NULL;
  return BR_OK;
}

/* Which states are velocities of contacts; the band of a large plant. */
static br_status set_marks(br_plant *p)
{
  p->rubs = (unsigned char *)bri_calloc(p->ny + 1, 1);
  for (size_t j = 0; p->rubs && j < p->nk; j++)
    if (p->pure[j] >= 0) p->rubs[p->pure[j]] = 1;
  return p->rubs ? bri_band_create(p, &p->band) : BR_E_NOMEM;
}

static br_status set_up(br_plant *p, const double *spar, const double *const *mpars, int each,
                        const br_drive *drives, br_err *err)
{
  const br_model *mod = p->mod;
  p->spar = copy_of(spar, p->sys->slots);
  p->nw = p->sys->ninput;
  p->drives = (br_drive *)bri_calloc(p->nw ? p->nw : 1, sizeof *p->drives);
  if (!p->spar || !p->drives) return fail(err, BR_E_NOMEM, "out of memory for a plant");
  for (size_t i = 0; i < p->nw; i++) {
    if (drives) p->drives[i] = drives[i];
    else p->drives[i].value = p->sys->inputs[i].def;
    if (p->sys->clock == i + 1) p->drives[i] = (br_drive){0, clock_runs, NULL, 0, NULL};
    if (p->drives[i].eval) p->driven = 1;
  }
  p->nq = p->sys->nstate(p->spar);
  p->nc = p->sys->ncontact(p->spar);
  p->ax = (size_t)p->sys->axes;
  p->nk = p->nc * p->ax;
  const size_t blocks = each && p->nc > 1 ? p->nc : 1;
  br_status st = take_blocks(p, mpars, blocks, err);
  if (st != BR_OK) return st;
  p->nmode = mod->nmode(p->mpar);
  p->nz = mod->nstate(p->mpar) + p->nmode;
  p->linear = (p->sys->flags & BR_SYSTEM_LINEAR) != 0;
  p->kind = BRI_ODE;
  if ((mod->flags & BR_MODEL_TRUE_STICK) && p->nz == 0 && mod->breakaway) p->kind = BRI_STICK;
  else if (is_stop_elements(mod, p->mpar)) p->kind = BRI_MAP;
  for (size_t c = 0; c < blocks && p->kind == BRI_ODE; c++) p->paths |= saturates(mod, bri_par(p, c));
  p->elements = p->kind == BRI_ODE && p->ax == 1 && p->nmode > 0 && 2 * p->nmode == p->nz;
  p->jumps = p->kind == BRI_ODE && p->ax == 1 && (mod->flags & BR_MODEL_JUMPS);
  p->uses_u = p->kind == BRI_MAP || p->jumps;
  p->carries = p->kind == BRI_MAP; /* deflections follow from positions: only the mechanism is integrated */
  for (size_t c = 0; c < blocks && !p->uses_u; c++) p->uses_u = bri_model_uses_position(mod, bri_par(p, c));
  if (p->uses_u && p->kind == BRI_ODE) p->paths = 0;
  p->kinks = p->kind == BRI_ODE && !p->paths && p->nmode == 0 && (p->mod->flags & BR_MODEL_KINKS) != 0;
  st = take_parts(p, err);
  if (st) return st == BR_E_NOMEM ? fail(err, st, "out of memory for a plant") : st;
  p->free = (p->sys->flags & BR_SYSTEM_FREE) && p->uses_u;
  p->z0 = p->nq + (p->free ? p->nk : 0);
  p->nx = p->z0 + p->nc * p->nz;
  p->ny = p->kind == BRI_MAP ? p->z0 : p->nx;
  st = allocate(p);
  if (st == BR_OK) st = take_matrices(p);
  if (st == BR_OK) st = set_names(p);
  if (st != BR_OK) return fail(err, st, "out of memory for a plant");
  for (size_t c = 0; c < p->nc; c++) p->load[c] = p->sys->load ? p->sys->load(p->spar, c) : 1;
  p->nkink = p->sys->kinks && p->sys->nkink ? p->sys->nkink(p->spar) : 0;
  p->small = p->linear && !p->sys->slopes && !p->nkink && p->nk == 1 && p->nq == 2 && p->pure[0] >= 0 &&
             p->kind == BRI_ODE && !p->uses_u && p->nmode == 0 && !p->paths;
  take_scales(p);
  if (set_marks(p)) return fail(err, BR_E_NOMEM, "out of memory for a plant");
  return bri_any_holds(p) ? check_holding(p, err) : BR_OK;
}

br_status bri_plant_positions(br_plant *p, br_err *err)
{
  p->small = 0;
  if (p->uses_u) return BR_OK;
  for (size_t i = 0; i < p->nx; i++) bri_free(p->names[i]);
  bri_free(p->names), bri_free((void *)p->units), bri_free(p->rubs), bri_band_destroy(p->band);
  p->names = NULL, p->units = NULL, p->rubs = NULL, p->band = NULL;
  p->uses_u = 1;
  p->free = (p->sys->flags & BR_SYSTEM_FREE) != 0;
  p->z0 = p->nq + (p->free ? p->nk : 0);
  p->nx = p->ny = p->z0 + p->nc * p->nz;
  p->names = (char **)bri_calloc(p->nx + 1, sizeof *p->names);
  p->units = (const char **)bri_calloc(p->nx + 1, sizeof *p->units);
  br_status st = p->names && p->units ? set_names(p) : BR_E_NOMEM;
  if (!st) st = set_marks(p);
  return st ? fail(err, st, "out of memory for a plant") : BR_OK;
}

static br_status create(const br_system *sys, const double *spar, const br_model *mod,
                        const double *const *mpars, int each, const br_drive *drives, br_plant **out,
                        br_err *err)
{
  if (mod->axes != sys->axes) {
    char text[200];
    snprintf(text, sizeof text,
             "system %s has contacts of %d axis(es), model %s has %d: choose a model with %d", sys->name,
             sys->axes, mod->name, mod->axes, sys->axes);
    return fail(err, BR_E_UNSUPPORTED, text);
  }
  br_plant *p = (br_plant *)bri_calloc(1, sizeof *p);
  if (!p) return fail(err, BR_E_NOMEM, "out of memory for a plant");
  p->sys = sys;
  p->mod = mod;
  const br_status st = set_up(p, spar, mpars, each, drives, err);
  if (st == BR_OK) *out = p;
  else br_plant_destroy(p);
  return st;
}

br_status br_plant_create(const br_system *sys, const double *spar, const br_model *mod, const double *mpar,
                          const br_drive *drives, br_plant **out, br_err *err)
{
  if (out) *out = NULL;
  if (!out) return fail(err, BR_E_ARG, "br_plant_create: NULL argument");
  br_status st = bri_system_ready(sys, spar, "br_plant_create", err);
  if (st == BR_OK) st = bri_model_ready(mod, mpar, "br_plant_create", err);
  if (st != BR_OK) return st;
  return create(sys, spar, mod, &mpar, 0, drives, out, err);
}

br_status br_plant_create_alone(const br_system *sys, const double *spar, const br_drive *drives,
                                br_plant **out, br_err *err)
{
  const double nothing[1] = {0}, *const block = nothing;
  if (out) *out = NULL;
  if (!out) return fail(err, BR_E_ARG, "br_plant_create_alone: NULL argument");
  const br_status st = bri_system_ready(sys, spar, "br_plant_create_alone", err);
  return st ? st : create(sys, spar, &bri_alone, &block, 0, drives, out, err);
}

br_status br_plant_create_each(const br_system *sys, const double *spar, const br_model *mod,
                               const double *const *mpars, const br_drive *drives, br_plant **out,
                               br_err *err)
{
  if (out) *out = NULL;
  if (!mpars || !out) return fail(err, BR_E_ARG, "br_plant_create_each: NULL argument");
  br_status st = bri_system_ready(sys, spar, "br_plant_create_each", err);
  for (size_t c = 0; st == BR_OK && c < sys->ncontact(spar); c++)
    st = bri_model_ready(mod, mpars[c], "br_plant_create_each", err);
  if (st != BR_OK) return st;
  return create(sys, spar, mod, mpars, 1, drives, out, err);
}

void br_plant_destroy(br_plant *p)
{
  if (!p) return;
  for (size_t i = 0; p->names && i < p->nx; i++) bri_free(p->names[i]);
  bri_free(p->names);
  bri_free((void *)p->units);
  bri_band_destroy(p->band), bri_free(p->rubs);
  bri_free(p->Ew), bri_free(p->Vw), bri_free(p->r0), bri_free(p->pure), bri_free(p->G), bri_free(p->Cv),
      bri_free(p->Cu), bri_free(p->B), bri_free(p->A), bri_free(p->load), bri_free(p->vs_of),
      bri_free(p->loads), bri_free(p->along), bri_free(p->bound), bri_free(p->holds);
  br_plant_destroy(p->then);
  bri_free(p->drives), bri_free(p->mpair), bri_free(p->mpar), bri_free(p->spar);
  bri_free(p);
}

size_t br_plant_nstate(const br_plant *p) { return p ? p->nx : 0; }
const char *br_plant_state(const br_plant *p, size_t i) { return p && i < p->nx ? p->names[i] : NULL; }
const char *br_plant_unit(const br_plant *p, size_t i) { return p && i < p->nx ? p->units[i] : NULL; }
size_t br_plant_ncontact(const br_plant *p) { return p ? p->nk : 0; }
int bri_plant_position(const br_plant *p, size_t k)
{
  for (size_t l = 0; p->pure[k] >= 0 && l < p->nq; l++)
    if (p->Cu[k * p->nq + l] != 0) return (int)l;
  return -1;
}

int br_plant_velocity(const br_plant *p, size_t k) { return p && k < p->nk ? p->pure[k] : -1; }

int br_plant_index(const br_plant *p, const char *name)
{
  for (size_t i = 0; p && name && i < p->nx; i++)
    if (strcmp(p->names[i], name) == 0) return (int)i;
  return -1;
}
