/* SPDX-License-Identifier: Apache-2.0
 * duhem_expr.c - generalized Duhem models from formulas:
 *   dx_i/dt = f_i1(x, u) g1(v) + f_i2(x, u) g2(v),  F = h(x, u),  up to three states.
 * The sums and steps are those of bristle/duhem.h. */
#include <stddef.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/duhem.h"
#include "laws.h"

#define NAME "duhem"
enum { STATES = 3, COLUMNS = 2, NX = 1 + STATES + 1 + BRI_LAW_CONSTANTS, NV = 1 + BRI_LAW_CONSTANTS };
#define VARS_X "x,x1,x2,x3,u," BRI_LAW_C
#define VARS_V "v," BRI_LAW_C

typedef struct {
  bri_law f11, f12, f21, f22, f31, f32; /* by rows: laws of the states */
  bri_law g1, g2, h;
  double c[BRI_LAW_CONSTANTS], n_c;
} block;

static const double DEFAULT_C[] = {7.5, 0.75}; /* with the formulas below: the Dahl element of document 3 */

static const br_param ROWS[] = {
    BRI_ROW_LAW(block, f11, "1", VARS_X, "part of dx1/dt that goes with g1; default c1*(1 - x/c2)"),
    BRI_ROW_LAW(block, f12, "1", VARS_X, "part of dx1/dt that goes with g2; default c1*(1 + x/c2)"),
    BRI_ROW_LAW(block, f21, "1", VARS_X, "the same of dx2/dt; none: there is no x2"),
    BRI_ROW_LAW(block, f22, "1", VARS_X, "the same with g2"),
    BRI_ROW_LAW(block, f31, "1", VARS_X, "the same of dx3/dt; none: there is no x3"),
    BRI_ROW_LAW(block, f32, "1", VARS_X, "the same with g2"),
    BRI_ROW_LAW(block, g1, "m/s", VARS_V, "first function of velocity, g1(0) = 0; default max(v, 0)"),
    BRI_ROW_LAW(block, g2, "m/s", VARS_V, "second function of velocity, g2(0) = 0; default min(v, 0)"),
    BRI_ROW_LAW(block, h, "N", VARS_X, "friction force h(x, u); default x"),
    BRI_ROW_CONSTANTS(block, DEFAULT_C, 2)};
enum { NROWS = sizeof ROWS / sizeof ROWS[0] };

static const bri_law *law_of(const block *p, size_t state, size_t column)
{
  const bri_law *const all[STATES * COLUMNS] = {&p->f11, &p->f12, &p->f21, &p->f22, &p->f31, &p->f32};
  return all[state * COLUMNS + column];
}

static void defaults(void *par)
{
  block *p = par;
  bri_defaults(ROWS, NROWS, sizeof *p / sizeof(double), par);
  bri_law_text(&p->f11, "c1*(1 - x/c2)", VARS_X);
  bri_law_text(&p->f12, "c1*(1 + x/c2)", VARS_X);
  bri_law_text(&p->g1, "max(v, 0)", VARS_V);
  bri_law_text(&p->g2, "min(v, 0)", VARS_V);
  bri_law_text(&p->h, "x", VARS_X);
}

static size_t nstate(const void *par)
{
  size_t n = STATES;
  while (n > 1 && law_of(par, n - 1, 0)->n == 0 && law_of(par, n - 1, 1)->n == 0) n--;
  return n;
}

static void f(const double *par, const double *x, double u, double *out)
{
  const block *p = (const block *)par;
  const size_t n = nstate(p);
  double at[NX] = {x[0], x[0], n > 1 ? x[1] : 0, n > 2 ? x[2] : 0, u};
  memcpy(at + 1 + STATES + 1, p->c, sizeof p->c);
  for (size_t i = 0; i < n * COLUMNS; i++) {
    const bri_law *law = law_of(p, i / COLUMNS, i % COLUMNS);
    out[i] = law->n > 0 ? bri_law_value(law, at) : 0;
  }
}

static void g(const double *par, double v, double *out)
{
  const block *p = (const block *)par;
  double at[NV] = {v};
  memcpy(at + 1, p->c, sizeof p->c);
  out[0] = p->g1.n > 0 ? bri_law_value(&p->g1, at) : 0;
  out[1] = p->g2.n > 0 ? bri_law_value(&p->g2, at) : 0;
}

static double h(const double *par, const double *x, double u)
{
  const block *p = (const block *)par;
  const size_t n = nstate(p);
  double at[NX] = {x[0], x[0], n > 1 ? x[1] : 0, n > 2 ? x[2] : 0, u};
  memcpy(at + 1 + STATES + 1, p->c, sizeof p->c);
  return bri_law_value(&p->h, at);
}

static br_duhem as_duhem(const void *par)
{
  const br_duhem d = {.name = NAME, .n = nstate(par), .r = COLUMNS, .f = f, .g = g, .h = h, .substeps = 1};
  return d;
}

static br_status check(const void *par, br_err *err)
{
  const block *p = par;
  double at[COLUMNS];
  br_status st = bri_check_ranges(NAME, ROWS, NROWS, par, err);
  for (size_t i = 0; i + 1 < NROWS && !st; i++) {
    const bri_law *law = (const bri_law *)((const double *)par + ROWS[i].slot);
    st = bri_law_check(NAME, ROWS[i].name, law, ROWS[i].unit[0] == 'm' ? NV : NX, err);
  }
  if (st) return st;
  if (p->h.n == 0)
    return bri_text_fail(err, BR_E_RANGE, -1, NAME ": parameter h is empty: it gives the force");
  if (p->f11.n == 0 && p->f12.n == 0)
    return bri_text_fail(err, BR_E_RANGE, -1, NAME ": parameter f11 and f12 are both empty");
  g(par, 0, at);
  for (size_t k = 0; k < COLUMNS; k++) {
    if (at[k] != 0)
      return bri_text_fail(err, BR_E_RANGE, -1, NAME ": parameter g%zu is %.9g at v = 0: it must be 0 there",
                           k + 1, at[k]);
  }
  return BR_OK;
}

static void prepare(void *par) { (void)par; }
static size_t nmode(const void *par) { return (void)par, (size_t)0; }
static int passive(const void *par) { return (void)par, 0; }

static void classify(const void *par, br_class *c)
{
  const br_duhem d = as_duhem(par);
  c->duhem = BR_DUHEM_GENERALIZED;
  c->rate_dependent = !br_duhem_homogeneous(&d, par);
  c->continuity = BR_CONTINUOUS;
}

static void rate(const void *par, double n, const double *u, const double *v, const double *z, double *dz)
{
  const br_duhem d = as_duhem(par);
  (void)n;
  br_duhem_rate(&d, par, u, v, z, dz);
}

static void force(const void *par, double n, const double *u, const double *v, const double *z,
                  const double *dz, double *F)
{
  (void)v, (void)dz;
  *F = n * h(par, z, *u);
}

static void step(const void *par, double n, const double *u, const double *v, double dt, double *z)
{
  const br_duhem d = as_duhem(par);
  (void)n;
  br_duhem_step(&d, par, u, v, dt, z);
}

static const br_state STATE_ROWS[] = {{"x", "1", "internal state", STATES}};

const br_model bri_duhem_expr = {
    .name = NAME,
    .title = "Duhem: dx/dt = f(x, u) g(v), F = h(x, u) from formulas (from C functions: bristle/duhem.h)",
    .passive_text = "not stated",
    .axes = 1,
    .params = ROWS,
    .nparam = NROWS,
    .slots = sizeof(block) / sizeof(double),
    .states = STATE_ROWS,
    .nstates_rows = 1,
    .nz = STATES,
    .defaults = defaults,
    .check = check,
    .prepare = prepare,
    .nstate = nstate,
    .nmode = nmode,
    .classify = classify,
    .passive = passive,
    .rate = rate,
    .force = force,
    .step = step,
};
