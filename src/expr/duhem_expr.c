/* SPDX-License-Identifier: Apache-2.0
 * duhem_expr.c - generalized Duhem models from formulas:
 *   dx_i/dt = sum over k of f_ik(x, u) g_k(v),  F = h(x, u, v, dx/dt),  up to three states and eight columns.
 * The sums and steps are those of bristle/duhem.h. */
#include <stddef.h>
#include <string.h>

#include "../text/fail.h"
#include "bristle/duhem.h"
#include "laws.h"

#define NAME "duhem"
enum {
  STATES = 3,
  COLUMNS = BR_DUHEM_MAX_R,
  NX = 1 + STATES + 1 + BRI_LAW_CONSTANTS,
  NV = 1 + BRI_LAW_CONSTANTS,
  NH = NX + 2 + STATES
};
#define VARS_X "x,x1,x2,x3,u," BRI_LAW_C
#define VARS_V "v," BRI_LAW_C
#define VARS_H "x,x1,x2,x3,u,v,dx,dx1,dx2,dx3," BRI_LAW_C

typedef struct {
  union { /* by rows: laws of the states */
    bri_law f[STATES * COLUMNS];
    struct {
      bri_law f11, f12, f13, f14, f15, f16, f17, f18;
      bri_law f21, f22, f23, f24, f25, f26, f27, f28;
      bri_law f31, f32, f33, f34, f35, f36, f37, f38;
    };
  };
  union {
    bri_law g[COLUMNS];
    struct {
      bri_law g1, g2, g3, g4, g5, g6, g7, g8;
    };
  };
  bri_law h;
  double c[BRI_LAW_CONSTANTS], n_c;
} block;

static const double DEFAULT_C[] = {7.5, 0.75}; /* with the formulas below: the Dahl element of document 3 */

#define ROW_F(name, doc) BRI_ROW_LAW(block, name, "1", VARS_X, doc)
#define ROW_G(name, doc) BRI_ROW_LAW(block, name, "m/s", VARS_V, doc)
#define COLUMN(k)                                                                         \
  ROW_F(f1##k, "part of dx1/dt that goes with g" #k), ROW_F(f2##k, "the same of dx2/dt"), \
      ROW_F(f3##k, "the same of dx3/dt"),                                                 \
      ROW_G(g##k, "function of velocity, g" #k "(0) = 0; none: no such column")
static const br_param ROWS[] = {
    ROW_F(f11, "part of dx1/dt that goes with g1; default c1*(1 - x/c2)"),
    ROW_F(f12, "part of dx1/dt that goes with g2; default c1*(1 + x/c2)"),
    ROW_F(f21, "the same of dx2/dt; none: there is no x2"),
    ROW_F(f22, "the same with g2"),
    ROW_F(f31, "the same of dx3/dt; none: there is no x3"),
    ROW_F(f32, "the same with g2"),
    ROW_G(g1, "first function of velocity, g1(0) = 0; default max(v, 0)"),
    ROW_G(g2, "second function of velocity, g2(0) = 0; default min(v, 0)"),
    BRI_ROW_LAW(block, h, "N", VARS_H, "friction force h(x, u, v, dx/dt); default x"),
    COLUMN(3),
    COLUMN(4),
    COLUMN(5),
    COLUMN(6),
    COLUMN(7),
    COLUMN(8),
    BRI_ROW_CONSTANTS(block, DEFAULT_C, 2)};
enum { NROWS = sizeof ROWS / sizeof ROWS[0] };

static void defaults(void *par)
{
  block *p = par;
  bri_defaults(ROWS, NROWS, sizeof *p / sizeof(double), par);
  bri_law_text(&p->f11, "c1*(1 - x/c2)", VARS_X);
  bri_law_text(&p->f12, "c1*(1 + x/c2)", VARS_X);
  bri_law_text(&p->g1, "max(v, 0)", VARS_V);
  bri_law_text(&p->g2, "min(v, 0)", VARS_V);
  bri_law_text(&p->h, "x", VARS_H);
}

static size_t nstate(const void *par)
{
  const block *p = par;
  for (size_t i = STATES * COLUMNS; i > COLUMNS; i--)
    if (p->f[i - 1].n > 0) return (i - 1) / COLUMNS + 1;
  return 1;
}

static size_t ncolumn(const block *p)
{
  size_t r = COLUMNS;
  while (r > 1 && p->g[r - 1].n == 0) r--;
  return r;
}

/* x and u as formulas see them: x is x1. */
static void place(const block *p, const double *x, double u, double *at)
{
  const size_t n = nstate(p);
  at[0] = x[0];
  for (size_t i = 0; i < STATES; i++) at[1 + i] = i < n ? x[i] : 0;
  at[1 + STATES] = u;
}

static void f(const double *par, const double *x, double u, double *out)
{
  const block *p = (const block *)par;
  const size_t n = nstate(p), r = ncolumn(p);
  double at[NX];
  place(p, x, u, at);
  memcpy(at + 1 + STATES + 1, p->c, sizeof p->c);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < r; k++) {
      const bri_law *law = &p->f[i * COLUMNS + k];
      out[i * r + k] = law->n > 0 ? bri_law_value(law, at) : 0;
    }
}

static void g(const double *par, double v, double *out)
{
  const block *p = (const block *)par;
  double at[NV] = {v};
  memcpy(at + 1, p->c, sizeof p->c);
  for (size_t k = 0; k < ncolumn(p); k++) out[k] = p->g[k].n > 0 ? bri_law_value(&p->g[k], at) : 0;
}

static double output(const block *p, const double *x, double u, double v, const double *dx)
{
  const size_t n = nstate(p);
  double at[NH], *more = at + 1 + STATES + 1;
  place(p, x, u, at);
  more[0] = v;
  more[1] = dx[0];
  for (size_t i = 0; i < STATES; i++) more[2 + i] = i < n ? dx[i] : 0;
  memcpy(more + 2 + STATES, p->c, sizeof p->c);
  return bri_law_value(&p->h, at);
}

static double h(const double *par, const double *x, double u)
{
  const double still[STATES] = {0};
  return output((const block *)par, x, u, 0, still);
}

static br_duhem as_duhem(const void *par)
{
  const br_duhem d = {
      .name = NAME, .n = nstate(par), .r = ncolumn(par), .f = f, .g = g, .h = h, .substeps = 1};
  return d;
}

/* Does the force see how fast the motion is?  Tried at a few places. */
static int output_sees_speed(const block *p)
{
  for (int k = 0; k < 12; k++) {
    const double x[STATES] = {0.1 * k - 0.5, 0.3, -0.2}, v = k % 2 ? -0.7 : 0.4, u = 0.1 * k;
    double dx[STATES] = {0.5 * v, v, -v}, twice[STATES];
    for (size_t i = 0; i < STATES; i++) twice[i] = 2 * dx[i];
    const double once = output(p, x, u, v, dx), fast = output(p, x, u, 2 * v, twice);
    if (!(once == fast) && !(once != once && fast != fast)) return 1;
  }
  return 0;
}

static br_status check(const void *par, br_err *err)
{
  const block *p = par;
  double at[COLUMNS];
  br_status st = bri_check_ranges(NAME, ROWS, NROWS, par, err);
  for (size_t i = 0; i + 1 < NROWS && !st; i++) {
    const bri_law *law = (const bri_law *)((const double *)par + ROWS[i].slot);
    st = bri_law_check(NAME, ROWS[i].name, law, law == &p->h ? NH : ROWS[i].unit[0] == 'm' ? NV : NX, err);
  }
  if (st) return st;
  if (p->h.n == 0) return bri_fail(err, BR_E_RANGE, NAME ": parameter h is empty: it gives the force");
  size_t given = 0;
  for (size_t k = 0; k < COLUMNS; k++) given += p->f[k].n > 0;
  if (!given) return bri_fail(err, BR_E_RANGE, NAME ": parameter f11 and f12 are both empty");
  for (size_t i = 0; i < STATES * COLUMNS; i++)
    if (p->f[i].n > 0 && p->g[i % COLUMNS].n == 0)
      return bri_fail(err, BR_E_RANGE,
                      NAME ": parameter f%zu%zu goes with g%zu, which is empty: give g%zu as well",
                      i / COLUMNS + 1, i % COLUMNS + 1, i % COLUMNS + 1, i % COLUMNS + 1);
  g(par, 0, at);
  for (size_t k = 0; k < ncolumn(p); k++)
    if (at[k] != 0)
      return bri_fail(err, BR_E_RANGE, NAME ": parameter g%zu is %.9g at v = 0: it must be 0 there", k + 1,
                      at[k]);
  return BR_OK;
}

const bri_law *bri_duhem_expr_law(const void *par, bri_duhem_part part, size_t i, size_t k, const double **c)
{
  const block *p = par;
  *c = p->c;
  return part == BRI_DUHEM_F ? &p->f[i * COLUMNS + k] : part == BRI_DUHEM_G ? &p->g[k] : &p->h;
}

size_t bri_duhem_expr_columns(const void *par) { return ncolumn(par); }

static void prepare(void *par) { (void)par; }
static size_t nmode(const void *par) { return (void)par, (size_t)0; }
static int passive(const void *par) { return (void)par, 0; }

static void classify(const void *par, br_class *c)
{
  const br_duhem d = as_duhem(par);
  c->duhem = BR_DUHEM_GENERALIZED;
  c->rate_dependent = !br_duhem_homogeneous(&d, par) || output_sees_speed(par);
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
  *F = n * output(par, z, *u, *v, dz);
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
    .title =
        "Duhem: dx/dt = f(x, u) g(v), F = h(x, u, v, dx/dt) from formulas (C functions: bristle/duhem.h)",
    .passive_text = "not stated",
    .axes = 1,
    .slots = sizeof(block) / sizeof(double),
    .states = STATE_ROWS,
    .nstates_rows = 1,
    .nz = STATES,
    BRI_FACE_ROWS,
    .nstate = nstate,
    .nmode = nmode,
    .passive = passive,
    BRI_FACE_FUNCTIONS,
};
