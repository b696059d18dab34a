/* SPDX-License-Identifier: Apache-2.0
 * coulomb_expr.c - Coulomb and Karnopp friction with true stick whose sliding level is a formula of velocity
 * and position, or a table, with levels that may differ by direction and a break-away factor. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../text/fail.h"
#include "sliding.h"

enum { NVARS = BRI_SLIDING_NVARS, INNER = BRI_SLIDING_INNER };
typedef bri_sliding block;

#define RISE(P) \
  P(rise, "1", 1.0, BR_FROM(1), BR_NOHI, "break-away factor: static level over the sliding level at v = 0")
static const br_param ROWS[] = {BR_ROWS_STRIBECK(BRI_SLIDING_ROW) BR_ROW_VISCOUS(BRI_SLIDING_ROW)
                                    BRI_SLIDING_BACK(BRI_SLIDING_ROW) RISE(BRI_SLIDING_ROW) BRI_SLIDING_LAWS};
/* karnopp slides at Fc and holds up to Fs, unless it has a law of its own */
#define STICK_BAND(P)                                                                           \
  P(vs, "m/s", 0.0, BR_FROM(0), BR_NOHI, "Stribeck velocity; 0: Fc at every speed, Fs at rest") \
  P(delta, "1", 2.0, BR_ABOVE(0), BR_NOHI, "Stribeck exponent")                                 \
  P(dv, "m/s", 1e-4, BR_ABOVE(0), BR_NOHI, "half-width of the stick band: |v| < dv is stick")
static const br_param KARNOPP[] = {
    BR_ROW_FC(BRI_SLIDING_ROW) BR_ROW_FS(BRI_SLIDING_ROW) BR_ROW_VISCOUS(BRI_SLIDING_ROW)
        STICK_BAND(BRI_SLIDING_ROW) BRI_SLIDING_BACK(BRI_SLIDING_ROW) RISE(BRI_SLIDING_ROW) BRI_SLIDING_LAWS};
enum { NROWS = sizeof ROWS / sizeof ROWS[0], NKARNOPP = sizeof KARNOPP / sizeof KARNOPP[0] };

static const br_model *kernel(void) { return br_model_find("coulomb"); }
static void defaults(void *par) { bri_defaults(ROWS, NROWS, sizeof(block) / sizeof(double), par); }
static void karnopp_defaults(void *par)
{
  bri_defaults(KARNOPP, NKARNOPP, sizeof(block) / sizeof(double), par);
}

/* Fc at every speed: karnopp without a law. */
static int is_level(const block *p) { return p->dv > 0 && p->vs == 0 && p->g.n == 0 && p->n_g_v == 0; }

static void fill(const block *p, double *inner)
{
  bri_law_fill(kernel(), ROWS, NROWS, (const double *)p, inner);
  if (!(p->vs > 0)) inner[br_model_param(kernel(), "vs")->slot] = 1; /* not asked then */
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

/* Straight lines between the knots, constant outside; *slope: over |v|. */
static double table(const block *p, double s, double *slope)
{
  const size_t n = (size_t)p->n_g_v;
  size_t i = 1;
  *slope = 0;
  if (!(s > p->g_v[0]) || n == 1) return p->g_F[0];
  while (i < n && s > p->g_v[i]) i++;
  if (i == n) return p->g_F[n - 1];
  *slope = (p->g_F[i] - p->g_F[i - 1]) / (p->g_v[i] - p->g_v[i - 1]);
  return p->g_F[i - 1] + *slope * (s - p->g_v[i - 1]);
}

/* Level of sliding towards the side of v; the kernel's force without its viscous part where there is no
 * formula. */
static double level(const block *p, double v, double u)
{
  const double none = 0;
  double g = 0, slope;
  if (p->g.n > 0) g = law(p, v, u);
  else if (p->n_g_v > 0) g = table(p, fabs(v), &slope);
  else if (is_level(p)) g = p->Fc;
  else kernel()->force(p->inner, 1, &none, &v, &none, &none, &g), g = fabs(g - p->sigma2 * v);
  return v < 0 ? p->back * g : g;
}

br_status bri_sliding_check(const char *model, const br_param *rows, size_t nrows, const bri_sliding *p,
                            int positive, br_err *err)
{
  block own = *p; /* comes before prepare() */
  br_status st = bri_check_ranges(model, rows, nrows, (const double *)p, err);
  if (!st && kernel()->slots > INNER) st = bri_fail(err, BR_E_SIZE, "%s: coulomb has grown", model);
  if (!st) st = bri_law_check(model, "g", &p->g, NVARS, err);
  if (st) return st;
  const char *rule = p->g.n > 0 && p->n_g_v > 0 ? "a formula g or a table g_v, g_F, not both"
                     : p->n_g_v != p->n_g_F     ? "as many levels g_F as speeds g_v"
                                                : NULL;
  for (size_t i = 1; i < (size_t)p->n_g_v && !rule; i++)
    if (!(p->g_v[i] > p->g_v[i - 1])) rule = "ascending speeds g_v";
  if (rule) return bri_rule_error(model, rows, nrows, "g_v", rule, (const double *)p, err);
  if (p->Fs < p->Fc) return bri_rule_error(model, rows, nrows, "Fs", "Fs >= Fc", (const double *)p, err);
  prepare(&own);
  for (int k = -40; k <= 40; k++) { /* both directions from 1e-9 to 10 m/s, at the origin */
    const double v = k == 0 ? 1e-300 : copysign(bri_pow(10, 0.25 * (abs(k) - 36)), k), g = level(&own, v, 0);
    if (!(g >= 0) || !isfinite(g) || (positive && g == 0))
      return bri_fail(err, BR_E_RANGE, "%s: parameter g is %.9g N at v = %.9g m/s, u = 0: g(v, u) must be %s",
                      model, g, v, positive ? "> 0" : ">= 0");
  }
  return BR_OK;
}

static br_status check(const void *par, br_err *err)
{
  return bri_sliding_check("coulomb_expr", ROWS, NROWS, par, 0, err);
}

static br_status karnopp_check(const void *par, br_err *err)
{
  return bri_sliding_check("karnopp_expr", KARNOPP, NKARNOPP, par, 0, err);
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
  if (fabs(v[0]) >= p->dv && v[0] != 0)
    F[0] = (v[0] < 0 ? -1 : 1) * n * level(p, v[0], u[0]) + p->sigma2 * v[0];
}

static void step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  (void)par, (void)n, (void)u, (void)v, (void)h, (void)z;
}

static double energy(const void *par, double n, const double *u, const double *z)
{
  return (void)par, (void)n, (void)u, (void)z, 0;
}

static double breakaway_at(const void *par, double n, const double *u, int side)
{
  const block *p = par;
  const double v = side < 0 ? -1e-300 : 1e-300;
  return n * p->rise * (is_level(p) ? p->Fs * (side < 0 ? p->back : 1) : level(p, v, u[0]));
}

static double breakaway(const void *par, double n)
{
  const double u = 0;
  return fmax(breakaway_at(par, n, &u, 1), breakaway_at(par, n, &u, -1)); /* the larger one, at u = 0 */
}

/* ---- derivatives by complex step ---- */

static void prepare_pair(double *par) { (void)par; }

static void rate_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                      double *dz)
{
  (void)par, (void)n, (void)u, (void)v, (void)z, (void)dz;
}

/* level() and its derivative, along what has an imaginary part. */
static void level_pair(const block *p, const double *par, const double *u, const double *v, double g[2])
{
  const size_t c0 = offsetof(block, c) / sizeof(double), back = offsetof(block, back) / sizeof(double),
               sigma2 = offsetof(block, sigma2) / sizeof(double);
  const double side = v[0] < 0 ? -1 : 1, none[2] = {0, 0}, one[2] = {1, 0};
  if (p->g.n > 0) {
    double x[NVARS] = {v[0], u[0]}, jet[3];
    memcpy(x + 2, p->c, sizeof p->c);
    g[0] = bri_law_value(&p->g, x), g[1] = 0;
    for (size_t k = 0; k < NVARS; k++) {
      const double im = k == 0 ? v[1] : k == 1 ? u[1] : par[2 * (c0 + k - 2) + 1];
      if (im == 0) continue;
      br_expr_jet(p->g.code, (size_t)p->g.n, x, k, jet);
      g[1] += im * jet[1];
    }
  } else if (p->n_g_v > 0) {
    g[0] = table(p, fabs(v[0]), &g[1]), g[1] *= side * v[1];
  } else if (is_level(p)) {
    g[0] = p->Fc, g[1] = par[2 * (offsetof(block, Fc) / sizeof(double)) + 1];
  } else { /* the kernel's own, its parameters with theirs */
    double inner[2 * INNER];
    for (size_t i = 0; i < INNER; i++) inner[2 * i] = p->inner[i], inner[2 * i + 1] = 0;
    for (size_t i = 0; i < NROWS; i++) {
      const br_param *row = ROWS[i].max_len == 1 ? br_model_param(kernel(), ROWS[i].name) : NULL;
      if (row) inner[2 * row->slot + 1] = par[2 * ROWS[i].slot + 1];
    }
    kernel()->prepare_pair(inner);
    kernel()->force_pair(inner, one, none, v, none, none, g);
    g[1] = side * (g[1] - p->sigma2 * v[1] - par[2 * sigma2 + 1] * v[0]);
    g[0] = side * (g[0] - p->sigma2 * v[0]);
  }
  if (v[0] < 0) g[1] = p->back * g[1] + par[2 * back + 1] * g[0], g[0] *= p->back;
}

static void force_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                       const double *dz, double *F)
{
  block p;
  double *plain = (double *)&p, g[2];
  const size_t sigma2 = offsetof(block, sigma2) / sizeof(double);
  const double side = v[0] < 0 ? -1 : 1;
  (void)z, (void)dz;
  for (size_t i = 0; i < sizeof p / sizeof(double); i++) plain[i] = par[2 * i];
  prepare(&p);
  level_pair(&p, par, u, v, g);
  F[0] = side * n[0] * g[0] + p.sigma2 * v[0];
  F[1] = side * (n[1] * g[0] + n[0] * g[1]) + p.sigma2 * v[1] + par[2 * sigma2 + 1] * v[0];
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

/* What both have in common. */
#define SLIDING_FACE                                                                                         \
  .passive_text = "always", .axes = 1, .flags = BR_MODEL_EXACT_STEP | BR_MODEL_ENERGY | BR_MODEL_TRUE_STICK, \
  .slots = sizeof(block) / sizeof(double), .nstate = none, .nmode = none, .passive = passive,                \
  BRI_FACE_FUNCTIONS, .energy = energy, .breakaway = breakaway, .breakaway_at = breakaway_at, BRI_FACE_PAIRS

const br_model bri_coulomb_expr = {
    .name = "coulomb_expr",
    .title = "Coulomb with true stick, level g(v, u) as a formula or table, by direction, with a break-away "
             "factor",
    BRI_FACE_ROWS,
    SLIDING_FACE,
};

const br_model bri_karnopp_expr = {
    .name = "karnopp_expr",
    .title = "Karnopp with level g(v, u) by Stribeck law, formula or table, by direction, with a break-away "
             "factor",
    .params = KARNOPP,
    .nparam = NKARNOPP,
    .defaults = karnopp_defaults,
    .check = karnopp_check,
    SLIDING_FACE,
};
