/* SPDX-License-Identifier: Apache-2.0
 * lugre_expr.c - LuGre with g(v) and f(v) as formulas.
 * No equation of LuGre stands here: at the speed in hand the kernel's own table of g, and of f, is given one
 * knot with the formula's value, and the kernel does the rest, exact step included. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../../core/stamp.h"
#include "../../models/common/rows.h"
#include "../text/fail.h"
#include "laws.h"

#include "../../models/common/formula.inc"

#define NAME "lugre_expr"
#define VARS "v," BRI_LAW_C
enum { NVARS = 1 + BRI_LAW_CONSTANTS, INNER = BRI_LUGRE_EXPR_INNER };

#define OWN_ROWS(P) BR_ROWS_BRISTLE(P) BR_ROW_VISCOUS(P) BR_ROWS_STRIBECK(P)

/* One knot of a table of the kernel: slots of its speed, its level and the two lengths. */
typedef struct {
  double v, F, n_v, n_F;
} knot;

typedef struct {
#define FIELD(name, unit, def, lo, hi, doc) double name;
  OWN_ROWS(FIELD)
#undef FIELD
  bri_law g, f;
  double c[BRI_LAW_CONSTANTS], n_c;
  /* derived */
  double inner[INNER]; /* the kernel's block */
  knot at_g, at_f;
} block;

#define ROW(name, unit, def, lo, hi, doc) BRI_ROW_SCALAR(block, name, unit, doc, def, lo, hi)
static const br_param ROWS[] = {
    OWN_ROWS(ROW)
        BRI_ROW_LAW(block, g, "N", VARS, "level g(v) > 0 of the bristle force; none: the Stribeck law"),
    BRI_ROW_LAW(block, f, "N", VARS, "viscous force f(v), f(0) = 0; none: sigma2 v"),
    BRI_ROW_CONSTANTS(block, NULL, 0)};
#undef ROW
enum { NROWS = sizeof ROWS / sizeof ROWS[0] };

static const br_model *kernel(void) { return br_model_find("lugre"); }

static void defaults(void *par) { bri_defaults(ROWS, NROWS, sizeof(block) / sizeof(double), par); }

static void fill(const block *p, double *inner)
{
  bri_law_fill(kernel(), ROWS, NROWS, (const double *)p, inner);
}

static knot knot_of(const char *speeds, const char *levels)
{
  const br_param *v = br_model_param(kernel(), speeds), *F = br_model_param(kernel(), levels);
  const knot k = {(double)v->slot, (double)F->slot, (double)v->len_slot, (double)F->len_slot};
  return k;
}

static void prepare(void *par)
{
  block *p = par;
  fill(p, p->inner);
  kernel()->prepare(p->inner);
  p->at_g = knot_of("g_v", "g_F");
  p->at_f = knot_of("f_v", "f_F");
}

typedef struct {
  const bri_law *law;
  const double *c;
} of_speed;

static double law_of(const void *ctx, double v)
{
  const of_speed *l = ctx;
  double x[NVARS] = {v};
  memcpy(x + 1, l->c, BRI_LAW_CONSTANTS * sizeof *x);
  return bri_law_value(l->law, x);
}

static double law_at(const block *p, const bri_law *law, double v)
{
  const of_speed at = {law, p->c};
  return br_formula_limit(law_of, &at, v);
}

static br_status check_levels(const block *p, br_err *err)
{
  for (int k = -40; k <= 40; k++) { /* 0 and both directions from 1e-9 to 10 m/s */
    const double v = k == 0 ? 0 : copysign(bri_pow(10, 0.25 * (abs(k) - 36)), k);
    const double g = p->g.n > 0 ? law_at(p, &p->g, v) : 1, f = p->f.n > 0 ? law_at(p, &p->f, v) : 0;
    if (!(g > 0) || !isfinite(g))
      return bri_fail(err, BR_E_RANGE, NAME ": parameter g is %.9g N at v = %.9g m/s: g(v) must be > 0", g,
                      v);
    if (!isfinite(f) || (k == 0 && f != 0))
      return bri_fail(err, BR_E_RANGE,
                      NAME ": parameter f is %.9g N at v = %.9g m/s: f(v) must be finite, and f(0) = 0", f,
                      v);
  }
  return BR_OK;
}

static br_status check(const void *par, br_err *err)
{
  const block *p = par;
  double inner[INNER];
  br_status st = bri_check_ranges(NAME, ROWS, NROWS, par, err);
  if (!st && kernel()->slots > INNER) st = bri_fail(err, BR_E_SIZE, NAME ": lugre has grown");
  if (!st) st = bri_law_check(NAME, "g", &p->g, NVARS, err);
  if (!st) st = bri_law_check(NAME, "f", &p->f, NVARS, err);
  if (st) return st;
  fill(p, inner);
  st = kernel()->check(inner, err);
  return st ? st : check_levels(p, err);
}

/* The kernel's block for this speed.  Its f is odd by construction, so the sign is taken out. */
static const double *at_speed(const block *p, double v, double *inner)
{
  memcpy(inner, p->inner, kernel()->slots * sizeof *inner);
  if (p->g.n > 0) {
    inner[(size_t)p->at_g.v] = 0;
    inner[(size_t)p->at_g.F] = law_at(p, &p->g, v);
    inner[(size_t)p->at_g.n_v] = inner[(size_t)p->at_g.n_F] = 1;
  }
  if (p->f.n > 0) {
    inner[(size_t)p->at_f.v] = 0;
    inner[(size_t)p->at_f.F] = (v < 0 ? -1 : 1) * law_at(p, &p->f, v);
    inner[(size_t)p->at_f.n_v] = inner[(size_t)p->at_f.n_F] = 1;
  }
  return inner;
}

const double *bri_lugre_expr_block(const void *par, double *inner) { return at_speed(par, 0, inner); }

const bri_law *bri_lugre_expr_law(const void *par, int viscous, const double **c)
{
  const block *p = par;
  *c = p->c;
  return viscous ? &p->f : &p->g;
}

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  double inner[INNER];
  kernel()->rate(at_speed(par, *v, inner), n, u, v, z, dz);
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  double inner[INNER];
  kernel()->force(at_speed(par, *v, inner), n, u, v, z, dz, F);
}

static void step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  double inner[INNER];
  kernel()->step(at_speed(par, *v, inner), n, u, v, h, z);
}

static double energy(const void *par, double n, const double *u, const double *z)
{
  return kernel()->energy(((const block *)par)->inner, n, u, z);
}

/* ---- derivatives by complex step: numbers are pairs (re, im) ---- */

enum {
  AT_G = offsetof(block, g) / sizeof(double),
  AT_F = offsetof(block, f) / sizeof(double),
  AT_C = offsetof(block, c) / sizeof(double),
  AT_INNER = offsetof(block, inner) / sizeof(double)
};

static void prepare_pair(double *par)
{
  const br_model *k = kernel();
  double plain[INNER], *inner = par + 2 * (size_t)AT_INNER;
  k->defaults(plain);
  for (size_t i = 0; i < k->slots; i++) inner[2 * i] = plain[i], inner[2 * i + 1] = 0;
  for (size_t i = 0; i < NROWS; i++) {
    const br_param *row = ROWS[i].max_len == 1 ? br_model_param(k, ROWS[i].name) : NULL;
    if (row) memcpy(inner + 2 * row->slot, par + 2 * ROWS[i].slot, 2 * sizeof *par);
  }
  k->prepare_pair(inner);
}

/* Formula at `law` (a slot) for a velocity: its value, and the imaginary part its derivatives give. */
static void law_pair(const double *par, size_t law, const double *v, double sign, double *out)
{
  bri_law real;
  double x[NVARS] = {v[0]}, jet[3];
  for (size_t i = 0; i < sizeof real / sizeof(double); i++) ((double *)&real)[i] = par[2 * (law + i)];
  for (size_t k = 0; k < BRI_LAW_CONSTANTS; k++) x[1 + k] = par[2 * (AT_C + k)];
  const of_speed at = {&real, x + 1};
  out[0] = sign * br_formula_limit(law_of, &at, v[0]);
  out[1] = 0;
  for (size_t k = 0; k < NVARS; k++) {
    const double im = k == 0 ? v[1] : par[2 * (AT_C + k - 1) + 1];
    if (im == 0) continue;
    br_expr_jet(real.code, (size_t)real.n, x, k, jet);
    out[1] += sign * im * jet[1];
  }
}

static const double *pair_at_speed(const double *par, const double *v, double *inner)
{
  const size_t lengths[] = {AT_G + BR_EXPR_MAX, AT_F + BR_EXPR_MAX};
  const knot at[] = {knot_of("g_v", "g_F"), knot_of("f_v", "f_F")};
  memcpy(inner, par + 2 * (size_t)AT_INNER, 2 * kernel()->slots * sizeof *inner);
  for (size_t i = 0; i < 2; i++) {
    if (!(par[2 * lengths[i]] > 0)) continue;
    inner[2 * (size_t)at[i].v] = inner[2 * (size_t)at[i].v + 1] = 0;
    inner[2 * (size_t)at[i].n_v] = inner[2 * (size_t)at[i].n_F] = 1;
    law_pair(par, i == 0 ? AT_G : AT_F, v, i == 1 && v[0] < 0 ? -1 : 1, inner + 2 * (size_t)at[i].F);
  }
  return inner;
}

static void rate_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                      double *dz)
{
  double inner[2 * INNER];
  kernel()->rate_pair(pair_at_speed(par, v, inner), n, u, v, z, dz);
}

static void force_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                       const double *dz, double *F)
{
  double inner[2 * INNER];
  kernel()->force_pair(pair_at_speed(par, v, inner), n, u, v, z, dz, F);
}

static void step_pair(const double *par, const double *n, const double *u, const double *v, const double *h,
                      double *z)
{
  double inner[2 * INNER];
  kernel()->step_pair(pair_at_speed(par, v, inner), n, u, v, h, z);
}

static size_t nstate(const void *par) { return kernel()->nstate(((const block *)par)->inner); }
static size_t nmode(const void *par) { return kernel()->nmode(((const block *)par)->inner); }
static void classify(const void *par, br_class *c) { kernel()->classify(((const block *)par)->inner, c); }

static int passive(const void *par)
{
  const block *p = par;
  return p->g.n == 0 && p->f.n == 0 && kernel()->passive(p->inner);
}

static const br_state STATES[] = {{"z", "m", "mean bristle deflection", 1}};

const br_model bri_lugre_expr = {
    .name = NAME,
    .title = "LuGre with g(v) and f(v) as formulas",
    .passive_text = "sigma2 >= sigma1 (Fs - Fc) / Fc; with formulas not stated",
    .axes = 1,
    .flags = BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY,
    .slots = sizeof(block) / sizeof(double),
    .states = STATES,
    .nstates_rows = 1,
    .nz = 1,
    BRI_FACE_ROWS,
    .nstate = nstate,
    .nmode = nmode,
    .passive = passive,
    BRI_FACE_FUNCTIONS,
    .energy = energy,
    BRI_FACE_PAIRS,
};
