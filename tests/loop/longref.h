/* SPDX-License-Identifier: Apache-2.0
 * longref.h - loops once more, in long double and from the equations of the models' READMEs: the independent
 * way that works, gaps and errors of the library are held against.  States that see only themselves by Gauss
 * quadrature (longref_branch.h), linear ones by the matrix exponential (longref_linear.h), Coleman-Hodgdon by
 * quadrature against its kernel, elements and static maps in closed form.  No function of the library takes
 * part. */
#ifndef TEST_LONGREF_H
#define TEST_LONGREF_H
#include <string.h>

#include "longref_branch.h"
#include "longref_linear.h"

enum { LR_STATES = 64, LR_POINTS = 64, LR_BRANCHES = 2 };

/* dx/drho = a (p tanh(u / l) - x) + s q, F = x. */
typedef struct {
  ld a, p, q, l;
} lr_hodgdon;

typedef enum { LR_BY_BRANCH, LR_BY_ELEMENTS, LR_BY_MATRIX, LR_BY_HODGDON } lr_kind;

typedef struct {
  lr_kind kind;
  size_t n;                      /* branches (may be 0: a static map), elements or linear states */
  lr_branch branch[LR_BRANCHES]; /* state x in units of its limit */
  ld k[LR_STATES], x[LR_STATES]; /* elements: stiffness N/m, limit m */
  ld dry;                        /* N, force s dry beside all of it */
  ld stiff;                      /* N/m, force stiff u beside it */
  lr_linear lin;
  lr_hodgdon hod;
} law;

/* ---- arcs ---- */

static inline void lr_elements_arc(const law *k, ld s, ld L, ld *z, ld *work)
{
  for (size_t i = 0; i < k->n; i++) {
    const ld limit = s * k->x[i], free = fminl(L, fmaxl(0, s * (limit - z[i])));
    *work += s * k->k[i] * (z[i] + s * free / 2) * free;
    if (free < L) *work += s * k->k[i] * limit * (L - free);
    z[i] = free < L ? limit : z[i] + s * free;
  }
}

static inline void lr_branches_arc(const law *k, ld s, ld L, ld *z, ld *work)
{
  for (size_t i = 0; i < k->n; i++) {
    const lr_branch *b = &k->branch[i];
    lr_sums sum;
    const ld to = lr_branch_move(b, s * z[i], L, &sum);
    *work += b->spring * sum.x + b->damp * (L + sum.lag) + b->dry * L;
    z[i] = s * to;
  }
}

/* Integral of exp(-a (L - r)) tanh((u + s r) / l) over the arc. */
static inline ld lr_hodgdon_layer(const lr_hodgdon *h, ld u, ld s, ld L)
{
  const ld width = fminl(L, 50 / h->a);
  const int parts = 1 + (int)ceill(width / fminl(0.5L * h->l, 1 / h->a));
  ld sum = 0;
  lr_gauss_ready();
  for (int i = 0; i < parts; i++)
    for (int q = 0; q < LR_GAUSS; q++) {
      const ld back = width * (i + lr_node[q]) / parts;
      sum += width / parts * lr_weight[q] * expl(-h->a * back) * tanhl((u + s * (L - back)) / h->l);
    }
  return sum;
}

/* log cosh */
static inline ld lr_log_cosh(ld x) { return fabsl(x) + log1pl(expl(-2 * fabsl(x))) - logl(2); }

static inline void lr_hodgdon_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  const lr_hodgdon *h = &k->hod;
  const ld m = -expm1l(-h->a * L), before = z[0];
  z[0] = before - before * m + h->a * h->p * lr_hodgdon_layer(h, u, s, L) + s * h->q * m / h->a;
  const ld pull = s * h->p * h->l * (lr_log_cosh((u + s * L) / h->l) - lr_log_cosh(u / h->l));
  *work += s * (pull + (s * h->q * L - (z[0] - before)) / h->a);
}

/* z at the end of an arc; adds the work. */
static inline void lr_arc(const law *k, ld u, ld s, ld L, ld *z, ld *work)
{
  *work += k->dry * L + k->stiff * s * L * (u + s * L / 2);
  switch (k->kind) {
  case LR_BY_BRANCH: lr_branches_arc(k, s, L, z, work); break;
  case LR_BY_ELEMENTS: lr_elements_arc(k, s, L, z, work); break;
  case LR_BY_MATRIX: lr_linear_move(&k->lin, u, s, L, z, work); break;
  default: lr_hodgdon_arc(k, u, s, L, z, work);
  }
}

static inline ld lr_force(const law *k, ld u, ld s, const ld *z)
{
  ld F = s * k->dry + k->stiff * u, lag;
  for (size_t i = 0; i < k->n; i++) {
    if (k->kind == LR_BY_BRANCH) {
      const lr_branch *b = &k->branch[i];
      F += b->spring * z[i] + s * (b->damp * lr_f(b, lr_at_x(s * z[i]), &lag) + b->dry);
    } else if (k->kind == LR_BY_ELEMENTS) F += k->k[i] * z[i];
    else if (k->kind == LR_BY_MATRIX) F += k->lin.C[i] * z[i];
    else F += z[i];
  }
  return k->kind == LR_BY_MATRIX ? F + k->lin.D * u : F;
}

/* ---- the steady loop ---- */

typedef struct {
  size_t n;
  double u[LR_POINTS];
  ld z[LR_POINTS + 1][LR_STATES]; /* at the turning points */
  ld work[LR_POINTS + 1];         /* up to them, J */
  ld y[LR_POINTS];                /* N, left limits */
  ld forgets;                     /* part of a deviation that a period forgets, of the slowest state */
  ld unsure;                      /* error of all this, of the largest force */
} lr_loop;

static inline ld lr_dir(const lr_loop *R, size_t i) { return R->u[(i + 1) % R->n] > R->u[i] ? 1 : -1; }

static inline void lr_period(const law *k, lr_loop *R, ld *z)
{
  R->work[0] = 0;
  for (size_t i = 0; i < R->n; i++) {
    memcpy(R->z[i], z, k->n * sizeof *z);
    R->work[i + 1] = R->work[i];
    const ld L = fabsl((ld)R->u[(i + 1) % R->n] - R->u[i]);
    lr_arc(k, R->u[i], lr_dir(R, i), L, z, &R->work[i + 1]);
    R->y[(i + 1) % R->n] = lr_force(k, R->u[(i + 1) % R->n], lr_dir(R, i), z);
  }
  memcpy(R->z[R->n], z, k->n * sizeof *z);
}

/* Branches are independent of each other; where a loop is short their states are known better than an arc
 * from one to the next would say. */
static inline void lr_branches_steady(const law *k, const lr_way *w, ld least, lr_loop *R, ld *z)
{
  for (size_t j = 0; j < k->n; j++) {
    ld x[LR_POINTS + 1];
    x[0] = z[j];
    const ld forgets = lr_branch_steady(&k->branch[j], w, least, x);
    R->forgets = fminl(R->forgets, forgets);
    if (!lr_is_short(&k->branch[j], w)) R->unsure = fmaxl(R->unsure, 1e-18L / forgets);
    for (size_t i = 0; i <= w->n; i++) R->z[i][j] = x[i];
  }
  R->work[0] = 0;
  for (size_t i = 0; i < w->n; i++) {
    const size_t to = (i + 1) % w->n;
    ld x[LR_STATES];
    memcpy(x, R->z[i], sizeof x);
    R->work[i + 1] = R->work[i];
    lr_arc(k, R->u[i], lr_dir(R, i), fabsl((ld)R->u[to] - R->u[i]), x, &R->work[i + 1]);
    R->y[to] = lr_force(k, R->u[to], lr_dir(R, i), R->z[i + 1]);
  }
}

/* Steady loop of a motion from rest at u = 0; the first period where one forgets less than `least`. */
static inline void lr_solve(const law *k, size_t n, const double *u, ld least, lr_loop *R)
{
  ld z[LR_STATES] = {0}, p[LR_STATES] = {0}, spare = 0;
  lr_way w = {n, R->u, 0};
  R->n = n, R->forgets = 1, R->unsure = 4e-18L;
  memcpy(R->u, u, n * sizeof *u);
  for (size_t i = 0; i < n; i++) w.total += fabsl((ld)u[(i + 1) % n] - u[i]);
  if (k->kind == LR_BY_MATRIX) {
    R->forgets = lr_linear_steady(&k->lin, n, u, z);
    R->unsure = 1e-18L / R->forgets;
    lr_period(k, R, z);
    return;
  }
  if (u[0] != 0) lr_arc(k, 0, u[0] > 0 ? 1 : -1, fabsl((ld)u[0]), z, &spare);
  if (k->kind == LR_BY_BRANCH) {
    lr_branches_steady(k, &w, least, R, z);
  } else if (k->kind == LR_BY_HODGDON) {
    lr_period(k, R, p); /* from zero; P(z) = P(0) + kept z */
    R->forgets = -expm1l(-k->hod.a * w.total);
    R->unsure = 1e-18L / R->forgets;
    z[0] = p[0] / R->forgets;
    lr_period(k, R, z);
  } else {
    for (int round = 0; round < 3; round++) lr_period(k, R, z); /* elements remember one period */
  }
}

/* Work and gap of a minor loop: from start_reversal until u comes back to u_start. */
static inline ld lr_minor(const law *k, const lr_loop *R, size_t start, ld u_start, ld path, ld *gap)
{
  size_t j = start;
  ld z[LR_STATES], W = 0, left = path;
  for (;;) {
    const ld L = fabsl((ld)R->u[(j + 1) % R->n] - R->u[j]), s = lr_dir(R, j);
    const ld part = fabsl(u_start - R->u[j]);
    const int last = left <= part * (1 + 1e-9L) && s * (u_start - R->u[j]) > 0;
    memcpy(z, R->z[j], sizeof z);
    lr_arc(k, R->u[j], s, last ? part : L, z, &W);
    if (last) {
      *gap = lr_force(k, u_start, s, z) - R->y[start];
      return W;
    }
    left -= L;
    j = (j + 1) % R->n;
  }
}
#endif
