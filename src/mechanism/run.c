/* SPDX-License-Identifier: Apache-2.0
 * run.c - a mechanism in motion: what its program says of rates, contacts, slopes and kinks. */
#include <math.h>
#include <string.h>

#include "bristle/expr.h"
#include "law.h"
#include "text/fail.h"

size_t bri_mech_nstate(const void *par)
{
  const program g = bri_mech_program(par);
  return bri_mech_count(g, HEAD_NX) + bri_mech_count(g, HEAD_ND) + bri_mech_count(g, HEAD_NS);
}

size_t bri_mech_ncontact(const void *par) { return bri_mech_count(bri_mech_program(par), HEAD_NCONTACT); }

double bri_mech_load(const void *par, size_t c)
{
  const program g = bri_mech_program(par);
  return bri_mech_value(g, bri_mech_list(g, HEAD_CONTACT)[c * CONTACT_SIZE + CONTACT_LOAD], 1);
}

/* ---- parameters ---- */

static const double *body_at(program g, double i)
{
  return bri_mech_list(g, HEAD_BODY) + bri_mech_at(i) * BODY_SIZE;
}

void bri_mech_prepare(void *par)
{
  const program g = bri_mech_program(par);
  double *p = (double *)par, *val = p + bri_mech_at(g.head[HEAD_VAL]),
         *mass = p + bri_mech_at(g.head[HEAD_MASS]);
  const double *tape = bri_mech_list(g, HEAD_TAPES);
  const size_t nx = bri_mech_count(g, HEAD_NX), nd = bri_mech_count(g, HEAD_ND);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NVAL); i++)
    val[i] = br_expr_value(p + bri_mech_at(tape[2 * i]), bri_mech_at(tape[2 * i + 1]), p + 1);
  for (size_t i = 0; i < nd; i++) mass[i] = 0;
  for (size_t b = 0; b < bri_mech_count(g, HEAD_NBODY); b++) {
    const double *body = body_at(g, (double)b), r = bri_mech_value(g, body[BODY_RATIO], 1);
    if (body[BODY_V] >= 0)
      mass[bri_mech_at(body[BODY_V]) - nx] += r * r * bri_mech_value(g, body[BODY_MASS], 0);
  }
  for (size_t i = 0; i < nd; i++) mass[i] = 1 / mass[i];
}

/* Values of a block that is not prepared yet. */
br_status bri_mech_check(const void *par, br_err *err)
{
  const program g = bri_mech_program(par);
  const double *tape = bri_mech_list(g, HEAD_TAPES), *p = g.par;
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NP); i++)
    if (!isfinite(p[1 + i]))
      return bri_text_fail(err, BR_E_NAN, (int)i, "parameter %zu of the mechanism is not finite", i + 1);
  for (size_t b = 0; b < bri_mech_count(g, HEAD_NBODY); b++) {
    const double slot = body_at(g, (double)b)[BODY_MASS];
    if (slot < 0) continue;
    const double m = br_expr_value(p + bri_mech_at(tape[2 * (size_t)slot]),
                                   bri_mech_at(tape[2 * (size_t)slot + 1]), p + 1);
    const int follower = body_at(g, (double)b)[BODY_RATIO] >= 0;
    if (!(m > 0 || (follower && m == 0)) || !isfinite(m))
      return bri_fail(err, BR_E_RANGE, "mass or inertia of body %zu is %g; must be > 0", b + 1, m);
  }
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NVAL); i++) {
    const double x = br_expr_value(p + bri_mech_at(tape[2 * i]), bri_mech_at(tape[2 * i + 1]), p + 1);
    if (!isfinite(x)) return bri_fail(err, BR_E_NAN, "value %zu of the mechanism is %g", i + 1, x);
  }
  const double *c = bri_mech_list(g, HEAD_CONTACT);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NCONTACT); i++, c += CONTACT_SIZE) {
    const size_t slot = c[CONTACT_LOAD] >= 0 ? bri_mech_at(c[CONTACT_LOAD]) : 0;
    if (c[CONTACT_LOAD] >= 0 &&
        !(br_expr_value(p + bri_mech_at(tape[2 * slot]), bri_mech_at(tape[2 * slot + 1]), p + 1) >= 0))
      return bri_fail(err, BR_E_RANGE, "the load of contact %zu must be >= 0", i + 1);
  }
  return BR_OK;
}

/* ---- positions, velocities, formulas ---- */

double bri_mech_x(program g, const double *b, const double *w, const double *q)
{
  double x = b[BODY_X] >= 0 ? bri_mech_value(g, b[BODY_RATIO], 1) * q[bri_mech_at(b[BODY_X])] : 0;
  if (b[BODY_MOVED] == MOVED_POSITION) x += w[bri_mech_at(b[BODY_INPUT])];
  return x;
}

double bri_mech_v(program g, const double *b, const double *w, const double *dw, const double *q)
{
  double v = b[BODY_V] >= 0 ? bri_mech_value(g, b[BODY_RATIO], 1) * q[bri_mech_at(b[BODY_V])] : 0;
  if (b[BODY_MOVED] == MOVED_POSITION) v += dw[bri_mech_at(b[BODY_INPUT])];
  else if (b[BODY_MOVED] == MOVED_VELOCITY) v += w[bri_mech_at(b[BODY_INPUT])];
  return v;
}

/* Bodies at both ends of an element; an end that is not there stands still. */
typedef struct {
  const double *a, *b;
} ends;

static ends ends_of(program g, double a, double b)
{
  const ends e = {body_at(g, a), b >= 0 ? body_at(g, b) : NULL};
  return e;
}

static double stretch(program g, ends e, const double *w, const double *q)
{
  return bri_mech_x(g, e.a, w, q) - (e.b ? bri_mech_x(g, e.b, w, q) : 0);
}

static double closing(program g, ends e, const double *w, const double *dw, const double *q)
{
  return bri_mech_v(g, e.a, w, dw, q) - (e.b ? bri_mech_v(g, e.b, w, dw, q) : 0);
}

static double variable(program g, double kind, double index, const double *w, const double *dw,
                       const double *q)
{
  const size_t i = bri_mech_at(index);
  const double *elem = NULL;
  switch ((int)kind) {
  case VAR_PARAMETER: return g.par[1 + i];
  case VAR_INPUT: return w[i];
  case VAR_X: return bri_mech_x(g, body_at(g, index), w, q);
  case VAR_V: return bri_mech_v(g, body_at(g, index), w, dw, q);
  case VAR_STATE: return q[i];
  default: elem = bri_mech_list(g, HEAD_ELEM) + i * ELEM_SIZE; break;
  }
  return stretch(g, ends_of(g, elem[ELEM_A], elem[ELEM_B]), w, q);
}

double bri_mech_formula(program g, double f, const double *w, const double *dw, const double *q,
                        double *slope)
{
  const double *form = bri_mech_list(g, HEAD_FORM) + bri_mech_at(f) * FORM_SIZE;
  const double *tape = g.par + bri_mech_at(form[FORM_TAPE]), *var = g.par + bri_mech_at(form[FORM_VARS]);
  const size_t n = bri_mech_at(form[FORM_NVAR]), len = bri_mech_at(form[FORM_LEN]);
  double x[BRI_MECH_VARS];
  for (size_t i = 0; i < n; i++) x[i] = variable(g, var[2 * i], var[2 * i + 1], w, dw, q);
  for (size_t i = 0; slope && i < n; i++) {
    double jet[3];
    slope[i] = 0;
    if (var[2 * i] == VAR_PARAMETER || var[2 * i] == VAR_INPUT) continue;
    br_expr_jet(tape, len, x, i, jet);
    slope[i] = jet[1];
  }
  return br_expr_value(tape, len, x);
}

/* ---- elements ---- */

/* Force that an element gives to b and takes from a. */
static double force_of(program g, const double *el, ends e, const double *w, const double *dw,
                       const double *q)
{
  if (el[ELEM_KIND] == ELEM_FORCE) return -bri_mech_formula(g, el[ELEM_P0], w, dw, q, NULL);
  if (el[ELEM_KIND] == ELEM_CONSTANT) return -bri_mech_value(g, el[ELEM_P0], 0);
  return bri_mech_law_at(g, el, stretch(g, e, w, q), closing(g, e, w, dw, q)).force;
}

static void push(program g, const double *body, double f, size_t nx, double *force)
{
  if (body && body[BODY_V] >= 0)
    force[bri_mech_at(body[BODY_V]) - nx] += bri_mech_value(g, body[BODY_RATIO], 1) * f;
}

void bri_mech_rate(const void *par, const double *w, const double *dw, const double *q, const double *F,
                   double *dq)
{
  const program g = bri_mech_program(par);
  const size_t nx = bri_mech_count(g, HEAD_NX), nd = bri_mech_count(g, HEAD_ND),
               ns = bri_mech_count(g, HEAD_NS);
  double *force = dq + nx;
  memset(force, 0, nd * sizeof *force);
  const double *el = bri_mech_list(g, HEAD_ELEM);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NELEM); i++, el += ELEM_SIZE) {
    const ends e = ends_of(g, el[ELEM_A], el[ELEM_B]);
    const double f = force_of(g, el, e, w, dw, q);
    push(g, e.a, -f, nx, force);
    push(g, e.b, f, nx, force);
  }
  const double *c = bri_mech_list(g, HEAD_CONTACT);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NCONTACT); i++, c += CONTACT_SIZE) {
    push(g, body_at(g, c[CONTACT_A]), -F[i], nx, force);
    push(g, body_at(g, c[CONTACT_B]), F[i], nx, force);
  }
  const double *mass = bri_mech_list(g, HEAD_MASS), *pos = bri_mech_list(g, HEAD_POS);
  for (size_t i = 0; i < nd; i++) force[i] *= mass[i];
  for (size_t i = 0; i < nx; i++) {
    dq[i] = bri_mech_v(g, body_at(g, pos[2 * i]), w, dw, q);
    if (pos[2 * i + 1] >= 0) dq[i] -= bri_mech_v(g, body_at(g, pos[2 * i + 1]), w, dw, q);
  }
  const double *state = bri_mech_list(g, HEAD_STATE);
  for (size_t i = 0; i < ns; i++) dq[nx + nd + i] = bri_mech_formula(g, state[4 * i], w, dw, q, NULL);
}

void bri_mech_motion(const void *par, const double *w, const double *dw, const double *q, double *u,
                     double *v)
{
  const program g = bri_mech_program(par);
  const double *c = bri_mech_list(g, HEAD_CONTACT);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NCONTACT); i++, c += CONTACT_SIZE) {
    const ends e = ends_of(g, c[CONTACT_A], c[CONTACT_B]);
    u[i] = stretch(g, e, w, q);
    v[i] = closing(g, e, w, dw, q);
  }
}

/* ---- slopes ---- */

typedef struct {
  program g;
  size_t n, nx;
  double *A;
} matrix;

/* The force on a body depends on state column: by `slope`. */
static void put(const matrix *m, const double *body, double column, double slope)
{
  if (!body || body[BODY_V] < 0 || column < 0) return;
  m->A[bri_mech_at(body[BODY_V]) * m->n + bri_mech_at(column)] +=
      bri_mech_value(m->g, body[BODY_RATIO], 1) * slope;
}

/* A force f on a and -f on b, by position and velocity of body c. */
static void put_both(const matrix *m, ends e, const double *c, double by_x, double by_v)
{
  if (!c) return;
  const double r = bri_mech_value(m->g, c[BODY_RATIO], 1);
  put(m, e.a, c[BODY_X], by_x * r), put(m, e.b, c[BODY_X], -by_x * r);
  put(m, e.a, c[BODY_V], by_v * r), put(m, e.b, c[BODY_V], -by_v * r);
}

/* Derivatives of a formula by the states; add(ctx, column, slope) takes each. */
static void spread(program g, double f, const double *slope,
                   void (*add)(void *ctx, double column, double slope), void *ctx)
{
  const double *form = bri_mech_list(g, HEAD_FORM) + bri_mech_at(f) * FORM_SIZE,
               *var = g.par + bri_mech_at(form[FORM_VARS]);
  for (size_t i = 0; i < bri_mech_at(form[FORM_NVAR]); i++) {
    const double kind = var[2 * i], index = var[2 * i + 1];
    if (kind == VAR_STATE) add(ctx, index, slope[i]);
    if (kind == VAR_X || kind == VAR_V) {
      const double *b = body_at(g, index);
      add(ctx, b[kind == VAR_X ? BODY_X : BODY_V], slope[i] * bri_mech_value(g, b[BODY_RATIO], 1));
    }
    if (kind == VAR_STRETCH) {
      const double *el = bri_mech_list(g, HEAD_ELEM) + bri_mech_at(index) * ELEM_SIZE;
      const ends e = ends_of(g, el[ELEM_A], el[ELEM_B]);
      add(ctx, e.a[BODY_X], slope[i] * bri_mech_value(g, e.a[BODY_RATIO], 1));
      if (e.b) add(ctx, e.b[BODY_X], -slope[i] * bri_mech_value(g, e.b[BODY_RATIO], 1));
    }
  }
}

typedef struct {
  const matrix *m;
  ends e;
  size_t row; /* of a state of its own, where there is no body */
} place;

static void add_force(void *ctx, double column, double slope)
{
  const place *p = ctx;
  put(p->m, p->e.a, column, slope), put(p->m, p->e.b, column, -slope);
}

static void add_rate(void *ctx, double column, double slope)
{
  const place *p = ctx;
  if (column >= 0) p->m->A[p->row * p->m->n + bri_mech_at(column)] += slope;
}

void bri_mech_slopes(const void *par, const double *w, const double *dw, const double *q, const double *F,
                     double *A)
{
  const program g = bri_mech_program(par);
  const size_t nx = bri_mech_count(g, HEAD_NX), nd = bri_mech_count(g, HEAD_ND), n = bri_mech_nstate(par);
  const matrix m = {g, n, nx, A};
  double slope[BRI_MECH_VARS];
  (void)F;
  memset(A, 0, n * n * sizeof *A);
  const double *el = bri_mech_list(g, HEAD_ELEM);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NELEM); i++, el += ELEM_SIZE) {
    place p = {&m, ends_of(g, el[ELEM_A], el[ELEM_B]), 0};
    if (el[ELEM_KIND] == ELEM_FORCE) {
      (void)bri_mech_formula(g, el[ELEM_P0], w, dw, q, slope);
      spread(g, el[ELEM_P0], slope, add_force, &p);
      continue;
    }
    const bri_mech_law s = bri_mech_law_at(g, el, stretch(g, p.e, w, q), closing(g, p.e, w, dw, q));
    put_both(&m, p.e, p.e.a, -s.by_e, -s.by_de);
    put_both(&m, p.e, p.e.b, s.by_e, s.by_de);
  }
  const double *mass = bri_mech_list(g, HEAD_MASS), *pos = bri_mech_list(g, HEAD_POS);
  for (size_t i = 0; i < nd; i++)
    for (size_t j = 0; j < n; j++) A[(nx + i) * n + j] *= mass[i];
  for (size_t i = 0; i < nx; i++)
    for (int k = 0; k < 2; k++) {
      const double *b = pos[2 * i + (size_t)k] >= 0 ? body_at(g, pos[2 * i + (size_t)k]) : NULL;
      if (b && b[BODY_V] >= 0)
        A[i * n + bri_mech_at(b[BODY_V])] += (k ? -1 : 1) * bri_mech_value(g, b[BODY_RATIO], 1);
    }
  const double *state = bri_mech_list(g, HEAD_STATE);
  for (size_t i = nx + nd; i < n; i++) {
    place p = {&m, {NULL, NULL}, i};
    const double f = state[4 * (i - nx - nd)];
    (void)bri_mech_formula(g, f, w, dw, q, slope);
    spread(g, f, slope, add_rate, &p);
  }
}

/* ---- kinks: where a stop is touched ---- */

size_t bri_mech_nkink(const void *par) { return bri_mech_count(bri_mech_program(par), HEAD_NKINK); }

void bri_mech_kinks(const void *par, const double *w, const double *dw, const double *q, double *out)
{
  const program g = bri_mech_program(par);
  const double *el = bri_mech_list(g, HEAD_ELEM);
  (void)dw;
  for (size_t i = 0, k = 0; k < bri_mech_nkink(par); i++, el += ELEM_SIZE) {
    if (el[ELEM_KIND] != ELEM_GAP) continue;
    const double e = stretch(g, ends_of(g, el[ELEM_A], el[ELEM_B]), w, q);
    if (el[ELEM_P0] >= 0) out[k++] = e - bri_mech_value(g, el[ELEM_P0], 0);
    if (el[ELEM_P1] >= 0) out[k++] = bri_mech_value(g, el[ELEM_P1], 0) - e;
  }
}
