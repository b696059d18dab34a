/* SPDX-License-Identifier: Apache-2.0
 * span.c - collocation over one stretch of an orbit; see span.h. */
#include "../base/worse.h"
#include "span.h"

#include <math.h>
#include <string.h>

#include "../base/root.h"
#include "../solve/radau.h"

enum { S = BRI_STAGES, MOST = BRI_FIELD_MOST, ALL = S * MOST };

br_status bri_family_open(const br_phase_plant *plant, br_vary_where where, int slot, double range,
                          bri_family *f, br_err *err)
{
  const br_status st = bri_field_open(plant, &f->at, err);
  if (st) return st;
  f->up = f->down = f->at;
  f->where = where;
  f->slot = slot;
  f->delta = 1e-6 * range;
  f->value = NAN;
  return BR_OK;
}

void bri_family_move(bri_family *f, double value)
{
  if (f->value == value) return;
  f->value = value;
  bri_field_set(&f->at, f->where, f->slot, value);
  bri_field_set(&f->up, f->where, f->slot, value + f->delta);
  bri_field_set(&f->down, f->where, f->slot, value - f->delta);
}

void bri_family_slope(const bri_family *f, const double *x, double *dx)
{
  double a[MOST], b[MOST];
  bri_field_rates(&f->up, x, a);
  bri_field_rates(&f->down, x, b);
  for (size_t i = 0; i < f->at.n; i++) dx[i] = (a[i] - b[i]) / (2 * f->delta);
}

void bri_piece_at(const bri_piece *p, size_t n, double theta, double *x)
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (int k = S; k-- > 0;) sum = (sum + p->c[k][i]) * theta;
    x[i] = p->x[i] + sum;
  }
}

/* The matrix of Newton's method for the stages: D - h J, J by stage. */
static int factor(const bri_field *f, const double *D, const double *Y, double h, double *J, double *M,
                  size_t *piv)
{
  const size_t n = f->n, all = S * n;
  memset(M, 0, all * all * sizeof *M);
  for (size_t i = 0; i < S; i++) {
    double *Ji = J + i * n * n;
    bri_field_jacobian(f, Y + i * n, Ji);
    for (size_t j = 0; j < S; j++)
      for (size_t k = 0; k < n; k++) M[(i * n + k) * all + j * n + k] = D[i * S + j];
    for (size_t k = 0; k < n; k++)
      for (size_t l = 0; l < n; l++) M[(i * n + k) * all + i * n + l] -= h * Ji[k * n + l];
  }
  return bri_lu(all, M, piv);
}

/* One piece.  A (n*n) and b (n) receive the derivatives of its end by start and parameter.  guess: what p
 * holds is a piece near the one sought. */
static int piece_step(const bri_family *fam, const double *x, double h, const double *size, int guess,
                      bri_piece *p, double *Y, double *A, double *b, double *spread)
{
  const bri_field *f = &fam->at;
  const bri_radau_table *t = bri_radau_find(S);
  const size_t n = f->n, all = S * n;
  double D[S * S], Z[ALL] = {0}, R[ALL], J[S * MOST * MOST], M[ALL * ALL], r[MOST];
  size_t piv[ALL];
  int done = 0;
  bri_radau_slopes(t, D);
  for (size_t i = 0; i < S; i++) {
    memcpy(Y + i * n, x, n * sizeof *Y);
    for (size_t k = 0; guess && k < n; k++) {
      double sum = 0;
      for (int c = S; c-- > 0;) sum = (sum + p->c[c][k]) * t->c[i];
      Z[i * n + k] = sum;
      Y[i * n + k] += sum;
    }
  }
  double last = INFINITY;
  for (int round = 0; round < 12 && !done; round++) {
    if (factor(f, D, Y, h, J, M, piv)) return 1;
    for (size_t i = 0; i < S; i++) {
      bri_field_rates(f, Y + i * n, r);
      for (size_t k = 0; k < n; k++) {
        double sum = h * r[k];
        for (size_t j = 0; j < S; j++) sum -= D[i * S + j] * Z[j * n + k];
        R[i * n + k] = sum;
      }
    }
    bri_lu_solve(all, M, piv, R);
    double step = 0;
    for (size_t i = 0; i < all; i++) {
      Z[i] += R[i];
      Y[i] = x[i % n] + Z[i];
      step = bri_worse(step, fabs(R[i]) / size[i % n]);
    }
    if (!(step < 1e6)) return 1;
    done = step <= 1e-11 || (step <= 1e-8 && step >= 0.3 * last);
    last = step;
  }
  if (!done) return 1;
  p->h = h;
  memcpy(p->x, x, n * sizeof *x);
  for (size_t k = 0; k < S; k++) {
    for (size_t i = 0; i < n; i++) {
      double sum = 0;
      for (size_t j = 0; j < S; j++) sum += t->P[k * S + j] * Z[j * n + i];
      p->c[k][i] = sum;
    }
  }
  /* derivatives are taken where the iteration ended: expansion along the orbit may be a million times */
  if (factor(f, D, Y, h, J, M, piv)) return 1;
  *spread = 0;
  for (size_t i = 0; i < S; i++)
    for (size_t k = 0; k < n; k++) *spread += h * t->b[i] * J[i * n * n + k * n + k];
  for (size_t c = 0; c <= n; c++) {
    for (size_t i = 0; i < S; i++) {
      if (c == n) bri_family_slope(fam, Y + i * n, r);
      for (size_t k = 0; k < n; k++) R[i * n + k] = h * (c < n ? J[i * n * n + k * n + c] : r[k]);
    }
    bri_lu_solve(all, M, piv, R);
    for (size_t k = 0; k < n; k++) {
      if (c < n) A[k * n + c] = R[(S - 1) * n + k] + (k == c);
      else b[k] = R[(S - 1) * n + k];
    }
  }
  return 0;
}

/* First stage on the other side of v = 0 than the start; 0: none.  A start on it belongs to the side of the
 * first stage. */
static int changes(const bri_field *f, const double *x, const double *Y, double *side)
{
  const double v = bri_field_velocity(f, x), first = bri_field_velocity(f, Y);
  double top = 0;
  *side = v;
  if (f->side != 0) return 0; /* regular through v = 0 */
  for (int i = 0; i < S; i++) top = fmax(top, fabs(bri_field_velocity(f, Y + (size_t)i * f->n)));
  *side = fabs(v) > 1e-12 * top ? v : first;
  for (int i = 0; i < S; i++)
    if (bri_field_velocity(f, Y + (size_t)i * f->n) * *side < 0) return i + 1;
  return 0;
}

/* The reversal within (0, hi): step lengths until the end has v = 0, from the near side. */
static int to_reversal(const bri_family *fam, const double *x, double hi, double side, const double *size,
                       bri_piece *p, double *Y, double *A, double *b, double *spread)
{
  const bri_field *f = &fam->at;
  const size_t n = f->n;
  bri_bracket k = bri_bracket_of(0, side, hi, -side);
  double h = 0.5 * hi, r[MOST];
  for (int i = 0; i < 60; i++) {
    if (piece_step(fam, x, h, size, i > 0, p, Y, A, b, spread)) return 1;
    const double *end = Y + (S - 1) * n, v = bri_field_velocity(f, end);
    bri_field_rates(f, end, r);
    double slope = 0;
    for (size_t j = 0; j < f->nq; j++) slope += f->vq[j] * r[j];
    bri_bracket_take(&k, h, v);
    /* aim a little short: derivatives at the end must be those of this side */
    const double next = bri_bracket_inside(&k, h - v / slope - 1e-13 * h);
    if (v * side > 0 && (fabs(next - h) <= 1e-12 * h || k.b - k.a <= 1e-12 * h)) return 0;
    h = next;
  }
  return 0;
}

static void multiply(size_t n, const double *A, const double *B, double *out)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
      out[i * n + j] = sum;
    }
  }
}

int bri_span_run(const bri_family *fam, const double *x, double h, const double *size, bri_span *s)
{
  const bri_field *f = &fam->at;
  const size_t n = f->n;
  const bri_radau_table *t = bri_radau_find(S);
  double at[MOST], Y[ALL], A[MOST * MOST], AA[MOST * MOST], b[MOST], left = h, spread = 0;
  const int known = s->pieces;
  memcpy(at, x, n * sizeof *at);
  s->rough = s->spread = 0;
  for (s->pieces = 0; left > 1e-13 * h;) {
    if (s->pieces == BRI_PIECES) return 1;
    bri_piece *p = &s->piece[s->pieces];
    double side;
    /* a polynomial of nearly this length from an earlier run is a good start, but not round a reversal */
    const int guess = known == 1 && s->pieces == 0 && fabs(p->h - left) < 0.1 * left;
    if (piece_step(fam, at, left, size, guess, p, Y, A, b, &spread) &&
        (!guess || piece_step(fam, at, left, size, 0, p, Y, A, b, &spread)))
      return 1;
    const int cut = changes(f, at, Y, &side);
    if (cut && to_reversal(fam, at, t->c[cut - 1] * left, side, size, p, Y, A, b, &spread)) return 1;
    left = cut ? left - p->h : 0;
    s->spread += spread;
    memcpy(at, Y + (S - 1) * n, n * sizeof *at);
    for (size_t i = 0; i < n; i++) s->rough = bri_worse(s->rough, fabs(p->c[S - 1][i]) / size[i]);
    if (s->pieces == 0) {
      memcpy(s->A, A, sizeof A);
      memcpy(s->b, b, sizeof b);
    } else {
      for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) b[i] += A[i * n + k] * s->b[k];
      multiply(n, A, s->A, AA);
      memcpy(s->A, AA, sizeof AA);
      memcpy(s->b, b, sizeof b);
    }
    s->pieces++;
  }
  memcpy(s->end, at, n * sizeof *at);
  bri_field_rates(f, at, s->rate);
  return 0;
}

void bri_span_at(const bri_span *s, size_t n, double theta, double *x)
{
  double total = 0;
  for (int i = 0; i < s->pieces; i++) total += s->piece[i].h;
  double t = theta * total;
  int i = 0;
  while (i + 1 < s->pieces && t > s->piece[i].h) t -= s->piece[i++].h;
  bri_piece_at(&s->piece[i], n, t / s->piece[i].h, x);
}
