/* SPDX-License-Identifier: Apache-2.0
 * gms_expr.c - generalised Maxwell-slip whose level is a formula of velocity and position, a table, or
 * different by direction.
 *
 * The kernel of gms has the level n g(v) in every place: with its own levels at 1 and a load n g(v, u) it is
 * this model. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "../text/fail.h"
#include "sliding.h"

#define NAME "gms_expr"
enum { MOST = BR_MAX_ELEMENTS, INNER = 256 };

typedef struct {
  bri_sliding level; /* first: its rows are those of the block */
  double k[MOST], n_k, alpha[MOST], n_alpha, C, viscous;
  double inner[INNER]; /* derived: the kernel's block, levels 1 */
} block;

#define SLOT(name) (offsetof(block, name) / sizeof(double))
static const double K[] = {4e4, 3e4, 2e4, 1e4}, ALPHA[] = {0.1, 0.2, 0.3, 0.4};
static const br_param ROWS[] = {
    {"k", "N/m", "spring stiffnesses", NULL, 0, K, 4, 0, INFINITY, 1, 1, SLOT(k), MOST, SLOT(n_k)},
    {"alpha", "1", "shares of the elements in the sliding force, sum 1", NULL, 0, ALPHA, 4, 0, 1, 0, 0,
     SLOT(alpha), MOST, SLOT(n_alpha)},
    {"C", "N/s", "how fast a slipping element follows the level", NULL, 40, NULL, 0, 0, INFINITY, 1, 1,
     SLOT(C), 1, 0},
    {"sigma2", "N s/m", "viscous friction", NULL, 0.4, NULL, 0, 0, INFINITY, 0, 1, SLOT(viscous), 1, 0},
    BR_ROWS_STRIBECK(BRI_SLIDING_ROW) BRI_SLIDING_BACK(BRI_SLIDING_ROW) BRI_SLIDING_LAWS};
enum { NROWS = sizeof ROWS / sizeof ROWS[0] };

static const br_model *kernel(void) { return br_model_find("gms"); }
static void defaults(void *par) { bri_defaults(ROWS, NROWS, sizeof(block) / sizeof(double), par); }

static void put(double *inner, const char *name, const double *x, double n)
{
  const br_param *row = br_model_param(kernel(), name);
  memcpy(inner + row->slot, x, (size_t)n * sizeof *x);
  if (row->max_len > 1) inner[row->len_slot] = n;
}

static void fill(const block *p, double *inner)
{
  const double one = 1;
  kernel()->defaults(inner);
  put(inner, "k", p->k, p->n_k), put(inner, "alpha", p->alpha, p->n_alpha);
  put(inner, "C", &p->C, 1), put(inner, "sigma2", &p->viscous, 1);
  put(inner, "Fc", &one, 1), put(inner, "Fs", &one, 1);
}

static br_status check(const void *par, br_err *err)
{
  const block *p = par;
  double inner[INNER];
  br_err why = {BR_OK, -1, ""};
  br_status st = bri_check_ranges(NAME, ROWS, NROWS, par, err);
  if (!st && kernel()->slots > INNER) st = bri_fail(err, BR_E_SIZE, NAME ": gms has grown");
  if (st) return st;
  fill(p, inner);
  st = kernel()->check(inner, &why); /* numbers and sum of the shares */
  if (st) return bri_text_fail(err, st, why.index, "%s", why.msg);
  return bri_sliding_check(NAME, ROWS, NROWS, &p->level, 1, err);
}

static void prepare(void *par)
{
  block *p = par;
  fill(p, p->inner);
  kernel()->prepare(p->inner);
  bri_coulomb_expr.prepare(&p->level);
}

/* The kernel at its own level 1 under this load. */
static double load(const block *p, double n, double u, double v)
{
  const double at = v == 0 ? 1e-300 : v, none = 0;
  double F;
  bri_coulomb_expr.force(&p->level, n, &u, &at, &none, &none, &F);
  return fabs(F);
}

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  const block *p = par;
  kernel()->rate(p->inner, load(p, n, u[0], v[0]), u, v, z, dz);
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  const block *p = par;
  kernel()->force(p->inner, n, u, v, z, dz, F);
}

static void step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  const block *p = par;
  kernel()->step(p->inner, load(p, n, u[0], v[0]), u, v, h, z);
}

static double energy(const void *par, double n, const double *u, const double *z)
{
  return kernel()->energy(((const block *)par)->inner, n, u, z);
}

static size_t nstate(const void *par) { return (size_t)((const block *)par)->n_k; }
static void classify(const void *par, br_class *c)
{
  (void)par;
  c->duhem = BR_DUHEM_NONE, c->rate_dependent = 1, c->continuity = BR_DISCONTINUOUS;
}
static int passive(const void *par) { return (void)par, 0; }

/* ---- derivatives by complex step: blocks of pairs (re, im) ---- */

static void put_pair(double *inner, const char *name, const double *x, size_t n)
{
  const br_param *row = br_model_param(kernel(), name);
  memcpy(inner + 2 * row->slot, x, 2 * n * sizeof *x);
  if (row->max_len > 1) inner[2 * row->len_slot] = (double)n;
}

static void prepare_pair(double *par)
{
  const size_t n = (size_t)par[2 * SLOT(n_k)];
  const double one[2] = {1, 0};
  double plain[INNER], *inner = par + 2 * SLOT(inner);
  kernel()->defaults(plain);
  for (size_t i = 0; i < kernel()->slots; i++) inner[2 * i] = plain[i], inner[2 * i + 1] = 0;
  put_pair(inner, "k", par + 2 * SLOT(k), n), put_pair(inner, "alpha", par + 2 * SLOT(alpha), n);
  put_pair(inner, "C", par + 2 * SLOT(C), 1), put_pair(inner, "sigma2", par + 2 * SLOT(viscous), 1);
  put_pair(inner, "Fc", one, 1), put_pair(inner, "Fs", one, 1);
  kernel()->prepare_pair(inner);
}

static void load_pair(const double *par, const double *n, const double *u, const double *v, double *out)
{
  const double at[2] = {v[0] == 0 ? 1e-300 : v[0], v[1]}, side = at[0] < 0 ? -1 : 1, none[2] = {0, 0};
  bri_coulomb_expr.force_pair(par, n, u, at, none, none, out);
  out[0] *= side, out[1] *= side;
}

static void rate_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                      double *dz)
{
  double own[2];
  load_pair(par, n, u, v, own);
  kernel()->rate_pair(par + 2 * SLOT(inner), own, u, v, z, dz);
}

static void force_pair(const double *par, const double *n, const double *u, const double *v, const double *z,
                       const double *dz, double *F)
{
  kernel()->force_pair(par + 2 * SLOT(inner), n, u, v, z, dz, F);
}

static void step_pair(const double *par, const double *n, const double *u, const double *v, const double *h,
                      double *z)
{
  double own[2];
  load_pair(par, n, u, v, own);
  kernel()->step_pair(par + 2 * SLOT(inner), own, u, v, h, z);
}

static const br_state STATES[] = {{"z", "m", "spring deflection", MOST}};

const br_model bri_gms_expr = {
    .name = NAME,
    .title = "Generalised Maxwell-slip, level g(v, u) as a formula or table, by direction",
    .passive_text = "never claimed: the level may fall with the speed",
    .axes = 1,
    .flags = BR_MODEL_ENERGY,
    .slots = sizeof(block) / sizeof(double),
    .states = STATES,
    .nstates_rows = 1,
    .nz = 2 * MOST,
    BRI_FACE_ROWS,
    .nstate = nstate,
    .nmode = nstate,
    .passive = passive,
    BRI_FACE_FUNCTIONS,
    .energy = energy,
    BRI_FACE_PAIRS,
};
