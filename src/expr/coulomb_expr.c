/* SPDX-License-Identifier: Apache-2.0
 * coulomb_expr.c - Coulomb friction with true stick whose sliding level is a formula of velocity and position, with
 * levels that may differ by direction and a break-away factor. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/stamp.h"
#include "../../models/common/rows.h"
#include "../text/fail.h"
#include "laws.h"

#define NAME "coulomb_expr"
#define VARS "v,u," BRI_LAW_C
enum { NVARS = 2 + BRI_LAW_CONSTANTS };

#define OWN_ROWS(P)                                                                                               \
  BR_ROWS_STRIBECK(P)                                                                                             \
  BR_ROW_VISCOUS(P)                                                                                               \
  P(back, "1", 1.0, BR_ABOVE(0), BR_NOHI, "level of motion to the negative side, over that to the positive one") \
  P(rise, "1", 1.0, BR_FROM(1), BR_NOHI, "break-away factor: static level over the sliding level at v = 0")

typedef struct {
#define FIELD(name, unit, def, lo, hi, doc) double name;
  OWN_ROWS(FIELD)
#undef FIELD
  bri_law g;
  double c[BRI_LAW_CONSTANTS], n_c;
  double inner[32]; /* derived: the kernel's block */
} block;

#define SCALAR(name, unit, doc, def, lo, lo_open, hi, hi_open)                                             \
  {#name, unit, doc, NULL, def, NULL, 0, lo, hi, lo_open, hi_open, offsetof(block, name) / sizeof(double), \
   1,     0},
#define EXPAND(...) SCALAR(__VA_ARGS__)
#define ROW(name, unit, def, lo, hi, doc) EXPAND(name, unit, doc, def, lo, hi)
static const br_param ROWS[] = {
    OWN_ROWS(ROW) BRI_ROW_LAW(block, g, "N", VARS, "sliding level g(v, u) >= 0; none: the Stribeck law"),
    BRI_ROW_CONSTANTS(block, NULL, 0)};
#undef ROW
enum { NROWS = sizeof ROWS / sizeof ROWS[0] };

static const br_model *kernel(void) { return br_model_find("coulomb"); }
static void defaults(void *par) { bri_defaults(ROWS, NROWS, sizeof(block) / sizeof(double), par); }

static void fill(const block *p, double *inner)
{
  const br_model *k = kernel();
  k->defaults(inner);
  for (size_t i = 0; i < NROWS; i++) {
    const br_param *row = ROWS[i].max_len == 1 ? br_model_param(k, ROWS[i].name) : NULL;
    if (row) inner[row->slot] = ((const double *)p)[ROWS[i].slot];
  }
}

static void prepare(void *par)
{
  block *p = par;
  fill(p, p->inner);
  kernel()->prepare(p->inner);
}

static double law(const block *p, double v, double u)
{
  double x[NVARS] = {v, u};
  memcpy(x + 2, p->c, sizeof p->c);
  return bri_law_value(&p->g, x);
}

/* Level of sliding towards the side of v; the kernel's force without its viscous part where there is no formula. */
static double level(const block *p, double v, double u)
{
  const double none = 0;
  double g = 0;
  if (p->g.n > 0) g = law(p, v, u);
  else kernel()->force(p->inner, 1, &none, &v, &none, &none, &g), g = fabs(g - p->sigma2 * v);
  return v < 0 ? p->back * g : g;
}

static br_status check(const void *par, br_err *err)
{
  const block *p = par;
  double inner[32];
  br_status st = bri_check_ranges(NAME, ROWS, NROWS, par, err);
  if (!st && kernel()->slots > 32) st = bri_text_fail(err, BR_E_SIZE, -1, NAME ": coulomb has grown");
  if (!st) st = bri_law_check(NAME, "g", &p->g, NVARS, err);
  if (st) return st;
  fill(p, inner);
  st = kernel()->check(inner, err);
  for (int k = -40; k <= 40 && !st && p->g.n > 0; k++) { /* both directions from 1e-9 to 10 m/s, at the origin */
    const double v = k == 0 ? 1e-300 : copysign(pow(10, 0.25 * (abs(k) - 36)), k), g = law(p, v, 0);
    if (!(g >= 0) || !isfinite(g))
      st = bri_text_fail(err, BR_E_RANGE, -1,
                         NAME ": parameter g is %.9g N at v = %.9g m/s, u = 0: g(v, u) must be >= 0", g, v);
  }
  return st;
}

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  (void)par, (void)n, (void)u, (void)v, (void)z, (void)dz;
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  const block *p = par;
  (void)z, (void)dz;
  F[0] = 0;
  if (v[0] != 0) F[0] = (v[0] < 0 ? -1 : 1) * n * level(p, v[0], u[0]) + p->sigma2 * v[0];
}

static void step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  (void)par, (void)n, (void)u, (void)v, (void)h, (void)z;
}

static double energy(const void *par, double n, const double *u, const double *z)
{
  return (void)par, (void)n, (void)u, (void)z, 0;
}

double bri_coulomb_expr_level(const void *par, double n, const double *u, int side)
{
  const block *p = par;
  return n * p->rise * level(p, side < 0 ? -1e-300 : 1e-300, u[0]);
}

static double breakaway(const void *par, double n)
{
  const double u = 0;
  return fmax(bri_coulomb_expr_level(par, n, &u, 1), bri_coulomb_expr_level(par, n, &u, -1));
}

/* ---- derivatives by complex step ---- */

static void prepare_pair(double *par) { (void)par; }

static void rate_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                      double *dz)
{
  (void)par, (void)n, (void)u, (void)v, (void)z, (void)dz;
}

static void force_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                       const double *dz, double *F)
{
  block p;
  double *plain = (double *)&p, jet[3];
  const size_t law0 = offsetof(block, g) / sizeof(double), c0 = offsetof(block, c) / sizeof(double),
               sigma2 = offsetof(block, sigma2) / sizeof(double);
  for (size_t i = 0; i < sizeof p / sizeof(double); i++) plain[i] = par[2 * i];
  prepare(&p);
  const double side = v[0] < 0 ? -1 : 1, g = level(&p, v[0], u[0]), back = v[0] < 0 ? p.back : 1;
  double dg = 0;
  (void)z, (void)dz, (void)law0;
  if (p.g.n > 0) {
    double x[NVARS] = {v[0], u[0]};
    memcpy(x + 2, p.c, sizeof p.c);
    for (size_t k = 0; k < NVARS; k++) {
      const double im = k == 0 ? v[1] : k == 1 ? u[1] : par[2 * (c0 + k - 2) + 1];
      if (im == 0) continue;
      br_expr_jet(p.g.code, (size_t)p.g.n, x, k, jet);
      dg += im * back * jet[1];
    }
  } else {
    const double h = 1e-7 * fabs(v[0]) + 1e-300; /* the kernel's own curve, by differences on its side */
    dg = v[1] * (level(&p, v[0] + h, u[0]) - level(&p, v[0] - h, u[0])) / (2 * h);
  }
  F[0] = side * n[0] * g + p.sigma2 * v[0];
  F[1] = side * (n[1] * g + n[0] * dg) + p.sigma2 * v[1] + par[2 * sigma2 + 1] * v[0];
}

static void step_pair(const double *par, const double *n, const double *u, const double *v, const double *h,
                      double *z)
{
  (void)par, (void)n, (void)u, (void)v, (void)h, (void)z;
}

static size_t none(const void *par) { return (void)par, 0; }
static void classify(const void *par, br_class *c)
{
  (void)par;
  c->duhem = BR_DUHEM_NONE, c->rate_dependent = 1, c->continuity = BR_DISCONTINUOUS;
}
static int passive(const void *par) { return (void)par, 1; }

const br_model bri_coulomb_expr = {
    .name = NAME,
    .title = "Coulomb with true stick, level g(v, u) as a formula, by direction, with a break-away factor",
    .passive_text = "always",
    .axes = 1,
    .flags = BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_TRUE_STICK,
    .params = ROWS,
    .nparam = NROWS,
    .slots = sizeof(block) / sizeof(double),
    .defaults = defaults,
    .check = check,
    .prepare = prepare,
    .nstate = none,
    .nmode = none,
    .classify = classify,
    .passive = passive,
    .rate = rate,
    .force = force,
    .step = step,
    .energy = energy,
    .breakaway = breakaway,
    .prepare_pair = prepare_pair,
    .rate_pair = rate_pair,
    .force_pair = force_pair,
    .step_pair = step_pair,
};
