/* SPDX-License-Identifier: Apache-2.0
 * band.c - large plants: order of the states by reverse Cuthill-McKee, and LU within the band.
 * The cost of a step is then linear in the number of states, as long as bodies see their neighbours only. */
#include "band.h"

#include <math.h>

#include "../base/alloc.h"
#include "plant.h"

enum { LEAST = 120 }; /* states: below, the dense LU is as fast */

void bri_band_destroy(bri_band *b)
{
  if (!b) return;
  bri_nonzeros *all[] = {&b->A, &b->B, &b->C, &b->E};
  for (int i = 0; i < 4; i++) bri_free(all[i]->from), bri_free(all[i]->at), bri_free(all[i]->x);
  bri_free(b->at);
  bri_free(b);
}

/* Nonzeros of rows x columns numbers at a (and at b, the same places): element (r, c) stands at r * step + c
 * * stride. */
static int collect(bri_nonzeros *z, size_t rows, size_t columns, size_t step, size_t stride, const double *a,
                   const double *b)
{
  size_t n = 0;
  for (size_t i = 0; i < rows * columns; i++) n += a[i] != 0 || (b && b[i] != 0);
  z->from = bri_calloc(rows + 1, sizeof *z->from);
  z->at = bri_calloc(n + 1, sizeof *z->at);
  z->x = bri_calloc(2 * (n + 1), sizeof *z->x);
  if (!z->from || !z->at || !z->x) return 0;
  z->y = z->x + n + 1;
  n = 0;
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < columns; c++) {
      const size_t i = r * step + c * stride;
      if (a[i] == 0 && !(b && b[i] != 0)) continue;
      z->at[n] = c, z->x[n] = a[i], z->y[n] = b ? b[i] : 0;
      n++;
    }
    z->from[r + 1] = n;
  }
  return 1;
}

/* ---- who sees whom ---- */

typedef struct {
  size_t *from, *to; /* neighbours of a state; while counting, `to` is NULL */
} graph;

static void edge(graph *g, size_t *fill, size_t i, size_t j)
{
  if (i == j) return;
  if (!g->to) {
    g->from[i + 1]++, g->from[j + 1]++;
    return;
  }
  g->to[g->from[i] + fill[i]++] = j;
  g->to[g->from[j] + fill[j]++] = i;
}

static void edges(const br_plant *p, const bri_band *b, graph *g, size_t *fill)
{
  for (size_t i = 0; i < p->nq; i++)
    for (size_t e = b->A.from[i]; e < b->A.from[i + 1]; e++) edge(g, fill, i, b->A.at[e]);
  for (size_t c = 0; c < p->nc; c++) {
    const size_t z0 = p->z0 + c * p->nz;
    for (size_t f = b->B.from[c]; f < b->B.from[c + 1]; f++) {
      for (size_t e = b->C.from[c]; e < b->C.from[c + 1]; e++) edge(g, fill, b->B.at[f], b->C.at[e]);
      for (size_t i = 0; i < p->nz; i++) edge(g, fill, b->B.at[f], z0 + i);
    }
    for (size_t e = b->C.from[c]; e < b->C.from[c + 1]; e++)
      for (size_t i = 0; i < p->nz; i++) edge(g, fill, b->C.at[e], z0 + i);
    for (size_t i = 0; i < p->nz; i++)
      for (size_t j = 0; j < i; j++) edge(g, fill, z0 + i, z0 + j);
  }
}

static size_t degree(const graph *g, size_t i) { return g->from[i + 1] - g->from[i]; }

/* Breadth first from a state of few neighbours, those with few first; then backwards. */
static void order(const graph *g, bri_band *b, unsigned char *seen)
{
  size_t n = 0, done = 0;
  while (n < b->n) {
    size_t start = b->n;
    for (size_t i = 0; i < b->n; i++)
      if (!seen[i] && (start == b->n || degree(g, i) < degree(g, start))) start = i;
    seen[start] = 1, b->of[n++] = start;
    for (; done < n; done++) {
      const size_t i = b->of[done], first = n;
      for (size_t e = g->from[i]; e < g->from[i + 1]; e++) {
        const size_t j = g->to[e];
        if (seen[j]) continue;
        size_t at = n++;
        seen[j] = 1;
        for (; at > first && degree(g, b->of[at - 1]) > degree(g, j); at--) b->of[at] = b->of[at - 1];
        b->of[at] = j;
      }
    }
  }
  for (size_t i = 0; i < n / 2; i++) {
    const size_t s = b->of[i];
    b->of[i] = b->of[n - 1 - i], b->of[n - 1 - i] = s;
  }
  for (size_t i = 0; i < n; i++) b->at[b->of[i]] = i;
}

static br_status arrange(const br_plant *p, bri_band *b)
{
  graph g = {bri_calloc(b->n + 2, sizeof *g.from), NULL};
  size_t *fill = bri_calloc(b->n + 1, sizeof *fill);
  unsigned char *seen = bri_calloc(b->n + 1, 1);
  br_status st = g.from && fill && seen ? BR_OK : BR_E_NOMEM;
  if (!st) {
    edges(p, b, &g, fill);
    for (size_t i = 0; i < b->n; i++) g.from[i + 1] += g.from[i];
    g.to = bri_calloc(g.from[b->n] + 1, sizeof *g.to);
    if (!g.to) st = BR_E_NOMEM;
  }
  if (!st) {
    edges(p, b, &g, fill);
    order(&g, b, seen);
    for (size_t i = 0; i < b->n; i++)
      for (size_t e = g.from[i]; e < g.from[i + 1]; e++) {
        const size_t a = b->at[i], c = b->at[g.to[e]], far = a > c ? a - c : c - a;
        if (far > b->k) b->k = far;
      }
    b->w = 3 * b->k + 1;
  }
  bri_free(g.from), bri_free(g.to), bri_free(fill), bri_free(seen);
  return st;
}

br_status bri_band_create(const br_plant *p, bri_band **out)
{
  *out = NULL;
  if (p->ny < LEAST || !p->linear || p->sys->slopes || p->free || p->ax != 1 || p->kind != BRI_ODE ||
      p->holds || p->paths || p->jumps || p->moving)
    return BR_OK;
  bri_band *b = bri_calloc(1, sizeof *b);
  if (!b) return BR_E_NOMEM;
  b->n = p->ny;
  b->at = bri_calloc(2 * b->n, sizeof *b->at);
  b->of = b->at ? b->at + b->n : NULL;
  br_status st = b->at && collect(&b->A, p->nq, p->nq, p->nq, 1, p->A, NULL) &&
                         collect(&b->B, p->nk, p->nq, 1, p->nk, p->B, NULL) &&
                         collect(&b->C, p->nk, p->nq, p->nq, 1, p->Cv, p->Cu) &&
                         collect(&b->E, p->nq, 2 * p->nw, 2 * p->nw, 1, p->Ew, NULL)
                     ? BR_OK
                     : BR_E_NOMEM;
  b->pure = !p->uses_u;
  for (size_t j = 0; j < p->nk; j++) b->pure &= p->pure[j] >= 0;
  if (!st) st = arrange(p, b);
  if (!st && 8 * b->k < b->n) *out = b;
  else bri_band_destroy(b);
  return st;
}

void bri_band_rate(const br_plant *p, const double *w, const double *q, const double *F, double *dq)
{
  const bri_band *b = p->band;
  const bri_nonzeros *A = &b->A, *B = &b->B, *E = &b->E;
  for (size_t i = 0; i < p->nq; i++) {
    double sum = p->r0[i];
    for (size_t e = E->from[i]; e < E->from[i + 1]; e++) sum += E->x[e] * w[E->at[e]];
    for (size_t e = A->from[i]; e < A->from[i + 1]; e++) sum += A->x[e] * q[A->at[e]];
    dq[i] = sum;
  }
  for (size_t c = 0; c < p->nk; c++)
    for (size_t e = B->from[c]; e < B->from[c + 1]; e++) dq[B->at[e]] += B->x[e] * F[c];
}

/* ---- LU ---- */

#define AT(a, r, c) (a)[(r)*w + ((c) + k - (r))]

/* Behind the n pivots: the last column of each row that may hold a number, which row exchanges move to the
 * right, and the last row that each column was taken from. */
static void first_reach(const bri_band *b, size_t *last)
{
  for (size_t r = 0; r < b->n; r++) last[r] = r + b->k < b->n - 1 ? r + b->k : b->n - 1;
}

static size_t exchange_reach(size_t *last, size_t c, size_t best)
{
  const size_t there = last[best];
  last[best] = last[c], last[c] = there;
  return there;
}

int bri_band_lu(const bri_band *b, double *a, size_t *piv)
{
  const size_t n = b->n, k = b->k, w = b->w;
  size_t *last = piv + n, *deep = last + n;
  first_reach(b, last);
  for (size_t c = 0; c < n; c++) {
    const size_t down = c + k < n - 1 ? c + k : n - 1;
    size_t best = c;
    for (size_t r = c + 1; r <= down; r++)
      if (fabs(AT(a, r, c)) > fabs(AT(a, best, c))) best = r;
    const double top = fabs(AT(a, best, c));
    if (!(top > 0) || !(top < HUGE_VAL)) return 1;
    piv[c] = best, deep[c] = c;
    const size_t right = exchange_reach(last, c, best);
    for (size_t j = c; best != c && j <= c + 2 * k && j < n; j++) {
      const double s = AT(a, c, j);
      AT(a, c, j) = AT(a, best, j), AT(a, best, j) = s;
    }
    const double inv = AT(a, c, c) = 1 / AT(a, c, c);
    for (size_t r = c + 1; r <= down; r++) {
      const double f = AT(a, r, c) * inv;
      AT(a, r, c) = f;
      if (f == 0) continue;
      deep[c] = r;
      if (right > last[r]) last[r] = right;
      for (size_t j = c + 1; j <= right; j++) AT(a, r, j) -= f * AT(a, c, j);
    }
  }
  return 0;
}

void bri_band_solve(const bri_band *b, const double *restrict a, const size_t *restrict piv,
                    double *restrict x, double *restrict y)
{
  const size_t n = b->n, k = b->k, w = b->w;
  for (size_t i = 0; i < n; i++) y[i] = x[b->of[i]];
  for (size_t c = 0; c < n; c++) {
    const double s = y[piv[c]];
    y[piv[c]] = y[c], y[c] = s;
    for (size_t r = c + 1; r <= piv[2 * n + c]; r++) y[r] -= AT(a, r, c) * s;
  }
  for (size_t r = n; r-- > 0;) {
    const double *row = &AT(a, r, r), *right = y + r;
    double sum = *right;
    for (size_t j = 1; j <= piv[n + r] - r; j++) sum -= row[j] * right[j];
    y[r] = sum * *row;
  }
  for (size_t i = 0; i < n; i++) x[b->of[i]] = y[i];
}

int bri_band_lu_complex(const bri_band *b, double *re, double *im, size_t *piv)
{
  const size_t n = b->n, k = b->k, w = b->w;
  size_t *last = piv + n, *deep = last + n;
  first_reach(b, last);
  for (size_t c = 0; c < n; c++) {
    const size_t down = c + k < n - 1 ? c + k : n - 1;
    size_t best = c;
    double top = 0;
    for (size_t r = c; r <= down; r++) {
      const double s = fabs(AT(re, r, c)) + fabs(AT(im, r, c));
      if (s > top) top = s, best = r;
    }
    if (!(top > 0) || !(top < HUGE_VAL)) return 1;
    piv[c] = best, deep[c] = c;
    const size_t right = exchange_reach(last, c, best);
    for (size_t j = c; best != c && j <= c + 2 * k && j < n; j++) {
      const double s = AT(re, c, j), t = AT(im, c, j);
      AT(re, c, j) = AT(re, best, j), AT(re, best, j) = s;
      AT(im, c, j) = AT(im, best, j), AT(im, best, j) = t;
    }
    const double d = AT(re, c, c) * AT(re, c, c) + AT(im, c, c) * AT(im, c, c);
    const double ir = AT(re, c, c) / d, ii = -AT(im, c, c) / d;
    AT(re, c, c) = ir, AT(im, c, c) = ii;
    for (size_t r = c + 1; r <= down; r++) {
      const double fr = AT(re, r, c) * ir - AT(im, r, c) * ii, fi = AT(re, r, c) * ii + AT(im, r, c) * ir;
      AT(re, r, c) = fr, AT(im, r, c) = fi;
      if (fr == 0 && fi == 0) continue;
      deep[c] = r;
      if (right > last[r]) last[r] = right;
      for (size_t j = c + 1; j <= right; j++) {
        AT(re, r, j) -= fr * AT(re, c, j) - fi * AT(im, c, j);
        AT(im, r, j) -= fr * AT(im, c, j) + fi * AT(re, c, j);
      }
    }
  }
  return 0;
}

void bri_band_solve_complex(const bri_band *b, const double *restrict re, const double *restrict im,
                            const size_t *restrict piv, double *restrict xr, double *restrict xi,
                            double *restrict y)
{
  const size_t n = b->n, k = b->k, w = b->w; /* y: pairs, side by side in the cache */
  for (size_t i = 0; i < n; i++) y[2 * i] = xr[b->of[i]], y[2 * i + 1] = xi[b->of[i]];
  for (size_t c = 0; c < n; c++) {
    double *from = y + 2 * piv[c], *to = y + 2 * c;
    const double s = from[0], t = from[1];
    from[0] = to[0], from[1] = to[1];
    to[0] = s, to[1] = t;
    for (size_t r = c + 1; r <= piv[2 * n + c]; r++) {
      y[2 * r] -= AT(re, r, c) * s - AT(im, r, c) * t;
      y[2 * r + 1] -= AT(re, r, c) * t + AT(im, r, c) * s;
    }
  }
  for (size_t r = n; r-- > 0;) {
    const double *fr = &AT(re, r, r), *fi = &AT(im, r, r), *right = y + 2 * r;
    double s = right[0], t = right[1];
    for (size_t j = 1; j <= piv[n + r] - r; j++) {
      s -= fr[j] * right[2 * j] - fi[j] * right[2 * j + 1];
      t -= fr[j] * right[2 * j + 1] + fi[j] * right[2 * j];
    }
    y[2 * r] = s * *fr - t * *fi;
    y[2 * r + 1] = s * *fi + t * *fr;
  }
  for (size_t i = 0; i < n; i++) xr[b->of[i]] = y[2 * i], xi[b->of[i]] = y[2 * i + 1];
}
