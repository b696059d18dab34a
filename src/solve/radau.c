/* SPDX-License-Identifier: Apache-2.0
 * radau.c - Radau IIA: tables, Newton iteration, error estimate.
 *
 * With Z_i = Y_i - y the stages solve Z = h (A x I) F(y + Z).  A^-1 = T L T^-1 with L one real number gamma
 * and 2x2 blocks alpha +- i beta, so in W = T^-1 Z the Newton step needs (gamma/h - J) and (alpha + i beta)/h
 * - J only. */
#include "../../core/elementary.h"
#include "radau.h"
#include "../base/alloc.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg.h"

static const bri_radau_table tables[] = {
#include "radau_tables.inc"
};

const bri_radau_table *bri_radau_find(int stages)
{
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    if (tables[i].s == stages) return &tables[i];
  return NULL;
}

void bri_radau_slopes(const bri_radau_table *t, double *D)
{
  for (int i = 0; i < t->s; i++) {
    for (int j = 0; j < t->s; j++) {
      double sum = 0, power = 1;
      for (int k = 0; k < t->s; k++, power *= t->c[i]) sum += (k + 1) * power * t->P[k * t->s + j];
      D[i * t->s + j] = sum;
    }
  }
}

br_status bri_radau_create(const br_plant *p, int stages, bri_radau *r)
{
  const size_t n = p->ny ? p->ny : 1, s = (size_t)stages, pairs = (s - 1) / 2;
  memset(r, 0, sizeof *r);
  r->tab = bri_radau_find(stages);
  r->n = p->ny;
  const size_t nn = n * (p->band ? p->band->w : n);
  const bri_share parts[] = {{&r->Z, s * n}, {&r->W, s * n},  {&r->F, s * n},       {&r->D, s * n},
                             {&r->J, nn},    {&r->E1, nn},    {&r->Er, nn * pairs}, {&r->Ei, nn * pairs},
                             {&r->itol, n},  {&r->noise, n},  {&r->rest_y, n},      {&r->rest_rate, n},
                             {&r->peak, n},  {&r->tmp, 7 * n}};
  const double *a = bri_shares(parts, sizeof parts / sizeof parts[0]);
  r->piv = (size_t *)bri_calloc((p->band ? 3 : 1) * n * (1 + pairs), sizeof *r->piv);
  if (!a || !r->piv) {
    bri_radau_destroy(r);
    return BR_E_NOMEM;
  }
  r->band = p->band;
  return BR_OK;
}

void bri_radau_destroy(bri_radau *r)
{
  bri_free(r->Z);
  bri_free(r->piv);
  memset(r, 0, sizeof *r);
}

/* out = M in, M s*s, in and out [s][n]. */
BRI_INLINE void transform(int s, size_t n, const double *M, const double *in, double *out)
{
  for (int i = 0; i < s; i++)
    for (size_t l = 0; l < n; l++) {
      double sum = 0;
      for (int j = 0; j < s; j++) sum += M[i * s + j] * in[(size_t)j * n + l];
      out[(size_t)i * n + l] = sum;
    }
}

/* gamma/h - J and its complex like, within the band. */
static int factor_band(bri_radau *r, int s, double h)
{
  const bri_band *b = r->band;
  const size_t all = b->n * b->w;
  for (size_t i = 0; i < all; i++) r->E1[i] = -r->J[i];
  for (size_t i = 0; i < b->n; i++) r->E1[i * b->w + b->k] += r->tab->gamma / h;
  if (bri_band_lu(b, r->E1, r->piv)) return 1;
  for (int q = 0; q < (s - 1) / 2; q++) {
    double *re = r->Er + (size_t)q * all, *im = r->Ei + (size_t)q * all;
    for (size_t i = 0; i < all; i++) re[i] = -r->J[i], im[i] = 0;
    for (size_t i = 0; i < b->n; i++)
      re[i * b->w + b->k] += r->tab->alpha[q] / h, im[i * b->w + b->k] = r->tab->beta[q] / h;
    if (bri_band_lu_complex(b, re, im, r->piv + (size_t)(q + 1) * 3 * b->n)) return 1;
  }
  return 0;
}

/* Sum over row l of |J_lj x_j|. */
BRI_INLINE double row_size(const bri_radau *r, size_t n, size_t l, const double *x)
{
  const bri_band *b = n > 5 ? r->band : NULL;
  double sum = 0;
  if (b) {
    const size_t at = b->at[l], lo = at > b->k ? at - b->k : 0, hi = at + b->k < n - 1 ? at + b->k : n - 1;
    for (size_t j = lo; j <= hi; j++) sum += fabs(r->J[at * b->w + (j + b->k - at)] * x[b->of[j]]);
    return sum;
  }
  for (size_t j = 0; j < n; j++) sum += fabs(r->J[l * n + j] * x[j]);
  return sum;
}

BRI_INLINE void jacobian(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, size_t n, double t,
                         const double *y)
{
  if (n > 5 && r->band) bri_jac_band(p, k, m, t, y, r->J);
  else bri_jac(p, k, m, t, y, r->J);
}

BRI_INLINE int factor(bri_radau *r, int s, size_t n, double h)
{
  if (n > 5 && r->band) return factor_band(r, s, h);
  const double g = r->tab->gamma / h;
  r->is_arrow = n == 3 && r->J[2] == 0 && r->J[6] == 0;
  if (r->is_arrow) {
    int bad = bri_arrow_factor(r->J, g, 0, &r->arrow[0]);
    for (int q = 0; q < (s - 1) / 2; q++)
      bad |= bri_arrow_factor(r->J, r->tab->alpha[q] / h, r->tab->beta[q] / h, &r->arrow[q + 1]);
    return bad;
  }
  for (size_t i = 0; i < n * n; i++) r->E1[i] = -r->J[i];
  for (size_t i = 0; i < n; i++) r->E1[i * n + i] += g;
  if (bri_lu(n, r->E1, r->piv)) return 1;
  for (int q = 0; q < (s - 1) / 2; q++) {
    double *re = r->Er + (size_t)q * n * n, *im = r->Ei + (size_t)q * n * n;
    for (size_t i = 0; i < n * n; i++) re[i] = -r->J[i], im[i] = 0;
    for (size_t i = 0; i < n; i++) re[i * n + i] += r->tab->alpha[q] / h, im[i * n + i] = r->tab->beta[q] / h;
    if (bri_lu_complex(n, re, im, r->piv + (size_t)(q + 1) * n)) return 1;
  }
  return 0;
}

BRI_INLINE void solve_real(bri_radau *r, size_t n, double *b)
{
  if (n == 3 && r->is_arrow) bri_arrow_solve(&r->arrow[0], b);
  else if (n > 5 && r->band) bri_band_solve(r->band, r->E1, r->piv, b, r->tmp + 4 * n);
  else bri_lu_solve(n, r->E1, r->piv, b);
}

/* Solve for one Newton correction: D holds T^-1 F and receives the correction of W. */
BRI_INLINE void correct(bri_radau *r, int s, size_t n, double h)
{
  const bri_radau_table *tab = r->tab;
  const double g = tab->gamma / h;
  for (size_t l = 0; l < n; l++) r->D[l] -= g * r->W[l];
  solve_real(r, n, r->D);
  for (int q = 0; q < (s - 1) / 2; q++) {
    const double a = tab->alpha[q] / h, b = tab->beta[q] / h;
    double *dr = r->D + (size_t)(1 + 2 * q) * n, *di = dr + n;
    const double *wr = r->W + (size_t)(1 + 2 * q) * n, *wi = wr + n;
    for (size_t l = 0; l < n; l++) {
      dr[l] -= a * wr[l] - b * wi[l];
      di[l] -= b * wr[l] + a * wi[l];
    }
    if (n == 3 && r->is_arrow) bri_arrow_solve_complex(&r->arrow[q + 1], dr, di);
    else if (n > 5 && r->band)
      bri_band_solve_complex(r->band, r->Er + (size_t)q * n * r->band->w, r->Ei + (size_t)q * n * r->band->w,
                             r->piv + (size_t)(q + 1) * 3 * n, dr, di, r->tmp + 4 * n);
    else
      bri_lu_solve_complex(n, r->Er + (size_t)q * n * n, r->Ei + (size_t)q * n * n,
                           r->piv + (size_t)(q + 1) * n, dr, di);
  }
}

/* Newton iteration on the stages; 0 when converged. */
BRI_INLINE int iterate(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, int s, size_t n,
                       double t, const double *y, double h, double newton, bri_step *out)
{
  const bri_radau_table *tab = r->tab;
  double before = 0, rate = 1;
  for (int it = 0; it < 10; it++) {
    for (int i = 0; i < s; i++) {
      double *Y = out->Y + (size_t)i * n;
      for (size_t l = 0; l < n; l++) Y[l] = y[l] + r->Z[(size_t)i * n + l];
      bri_eval(p, k, m, i == s - 1 ? t + h : t + tab->c[i] * h, Y, r->F + (size_t)i * n);
    }
    transform(s, n, tab->Ti, r->F, r->D);
    correct(r, s, n, h);
    double size = 0;
    for (int i = 0; i < s; i++)
      for (size_t l = 0; l < n; l++) {
        const double d = r->D[(size_t)i * n + l];
        const double x = fabs(d) * r->itol[l];
        if (!(x <= size)) size = x;
        r->W[(size_t)i * n + l] += d;
      }
    transform(s, n, tab->T, r->W, r->Z);
    if (!(size < 1e30)) return 1;
    if (it > 0) {
      const double ratio = size / before;
      rate = it == 1 ? ratio : sqrt(ratio * rate);
      out->theta_newton = rate;
      /* no more progress: rounding, when what is left is small against the tolerance */
      if (ratio >= 2 || (it > 1 && ratio > 0.3 && size < 0.2) || (it > 2 && rate >= 0.99))
        return size <= 0.2 ? 0 : 1;
      if (rate < 1 && rate / (1 - rate) * size <= newton) return 0;
      if (it > 2 && size * bri_pow(rate, 9 - it) > newton) return 1; /* will not get there */
      if (rate >= 1 && size <= newton) return 0;
    }
    if (size <= 1e-3 * newton) return 0;
    before = size > 0 ? size : 1e-300;
  }
  return 1;
}

/* Error: (gamma/h - J)^-1 (f0 + gamma/h sum e_i Z_i), once more filtered at careful steps. */
BRI_INLINE void estimate(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, int s, size_t n,
                         double t, const double *y, const double *f0, double h, int careful, bri_step *out)
{
  double *base = r->tmp, *e = r->tmp + n, *yy = r->tmp + 2 * n, *ff = r->tmp + 3 * n;
  const double g = r->tab->gamma / h;
  for (size_t l = 0; l < n; l++) {
    double sum = 0;
    for (int i = 0; i < s; i++) sum += r->tab->e[i] * r->Z[(size_t)i * n + l];
    base[l] = g * sum;
    e[l] = f0[l] + base[l];
  }
  solve_real(r, n, e);
  for (int pass = 0;; pass++) {
    out->err = 0;
    for (size_t l = 0; l < n; l++) {
      const double x = fabs(e[l]) * r->itol[l];
      if (!(x <= out->err)) out->err = x;
    }
    if (pass == 1 || !careful || !(out->err >= 1)) break;
    for (size_t l = 0; l < n; l++) yy[l] = y[l] + e[l];
    bri_eval(p, k, m, t, yy, ff);
    for (size_t l = 0; l < n; l++) e[l] = ff[l] + base[l];
    solve_real(r, n, e);
  }
  memcpy(out->off, e, n * sizeof *e);
}

BRI_INLINE void predict(bri_radau *r, int s, size_t n, const double *f0, double h, const bri_guess *guess)
{
  if (!guess->step) {
    for (int i = 0; i < s; i++)
      for (size_t l = 0; l < n; l++) r->Z[(size_t)i * n + l] = r->tab->c[i] * h * f0[l];
    return;
  }
  const double *poly = guess->step->poly;
  for (size_t l = 0; l < n; l++) {
    double one = 0;
    for (int q = 0; q < s; q++) one += poly[(size_t)q * n + l];
    one *= guess->shift;
    for (int i = 0; i < s; i++) {
      const double x = guess->shift + r->tab->c[i] * h / guess->h;
      double at = 0;
      for (int q = s - 1; q >= 0; q--) at = (at + poly[(size_t)q * n + l]) * x;
      r->Z[(size_t)i * n + l] = at - one;
    }
  }
}

/* What rounding leaves open of each state within this step.  The field near y is known to eps |J| |y| only,
 * and a step turns that into the same of (gamma/h - J)^-1. */
BRI_INLINE void find_noise(bri_radau *r, size_t n, const double *y)
{
  for (size_t l = 0; l < n; l++) r->noise[l] = 0.5 * DBL_EPSILON * row_size(r, n, l, y);
  solve_real(r, n, r->noise);
  for (size_t l = 0; l < n; l++) {
    const double least = BRI_ROUNDING * fabs(r->noise[l]);
    r->noise[l] = isfinite(least) ? least : 0;
    r->peak[l] = fmax(r->noise[l], 0.9 * r->peak[l]);
  }
}

/* Tolerances; near rest none below the noise: a block at rest has a velocity of this size, of either sign,
 * however small the tolerance.  In motion the noise of a step is a bound that the errors of many steps need
 * not reach: there only a part of it, twice the bare rounding, stands in the way of the tolerance asked for,
 * so that a fast filter does not follow its own rounding; nothing where rounding is carried on (step.c). */
BRI_INLINE void tolerances(bri_radau *r, size_t n, const double *tol, double part)
{
  r->rounded = 0;
  for (size_t l = 0; l < n; l++) {
    const double noise = part * r->noise[l];
    r->rounded |= noise > tol[l];
    r->itol[l] = 1 / fmax(tol[l], noise); /* many norms follow: no divisions there */
  }
}

/* Is the field zero up to rounding at y, at the start and at the points of a step? */
BRI_INLINE int stays(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, int s, size_t n,
                     double t, const double *y, const double *f0, double h)
{
  const double *f = f0;
  for (int i = 0;; i++) {
    for (size_t l = 0; l < n; l++)
      if (!(fabs(f[l]) <= r->rest_rate[l])) return 0;
    if (i == s || !p->driven) return 1;
    f = r->F;
    bri_eval(p, k, m, i == s - 1 ? t + h : t + r->tab->c[i] * h, y, r->F);
  }
}

/* A step over which nothing moves. */
BRI_INLINE int hold(bri_radau *r, int s, size_t n, const double *y, bri_step *out)
{
  memset(r->Z, 0, (size_t)s * n * sizeof *y);
  for (int i = 0; i < s; i++) memcpy(out->Y + (size_t)i * n, y, n * sizeof *y);
  memset(out->off, 0, n * sizeof *y);
  out->err = out->theta_newton = 0;
  r->rounded = 1;
  return 0;
}

/* The largest of all rates at the start, each over what its own rounding and the noise of the states leave
 * open of it; rest_rate[] takes the latter. */
BRI_INLINE double rates_over_rounding(bri_radau *r, size_t n, const double *y, const double *f0)
{
  double worst = 0;
  for (size_t j = 0; j < n && n > 5 && r->band; j++)
    r->tmp[4 * n + j] = r->peak[j] / BRI_ROUNDING + 0.5 * DBL_EPSILON * fabs(y[j]);
  for (size_t l = 0; l < n; l++) {
    double sum = 0;
    for (size_t j = 0; j < n && !(n > 5 && r->band); j++)
      sum += fabs(r->J[l * n + j]) * (r->peak[j] / BRI_ROUNDING + 0.5 * DBL_EPSILON * fabs(y[j]));
    if (n > 5 && r->band) sum = row_size(r, n, l, r->tmp + 4 * n);
    r->rest_rate[l] = sum;
    if (f0[l] != 0 && !(fabs(f0[l]) <= worst * sum)) worst = fabs(f0[l]) / sum;
  }
  return worst;
}

/* Does the motion, whose rates are worst times their rounding, rest at y, seen with a step h?  Where little
 * damps, the rounding of many steps adds up as a random walk does. */
BRI_INLINE int comes_to_rest(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, int s, size_t n,
                             double t, const double *y, const double *f0, double h, double worst)
{
  if (!(worst <= BRI_REST_MOST)) {
    r->quiet = 0;
    r->resolved = 0;
    return 0;
  }
  const double bound = BRI_REST * sqrt(1.0 + r->quiet++);
  for (size_t l = 0; l < n; l++) r->rest_rate[l] *= bound;
  if (worst > bound || !stays(r, p, k, m, s, n, t, y, f0, h)) return 0;
  memcpy(r->rest_y, y, n * sizeof *y);
  r->rest_h = r->resolved = fmax(h, r->resolved);
  return 1;
}

BRI_INLINE int step_n(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, int s, size_t n,
                      double t, const double *y, const double *f0, double h, const double *tol, double newton,
                      const bri_guess *guess, int careful, bri_step *out)
{
  const bri_radau_table *tab = r->tab;
  if (r->rest_h > 0 && memcmp(y, r->rest_y, n * sizeof *y) == 0) {
    if (stays(r, p, k, m, s, n, t, y, f0, h)) return hold(r, s, n, y, out);
    out->theta_newton = 0;
    if (h > r->rest_h) return 1; /* what sets in is resolved as what ended was */
  }
  r->rest_h = 0;
  /* The Jacobian is taken in the middle of the step as predicted: in fast sliding it is proportional to v,
   * and the iteration contracts with its change over the step. */
  predict(r, s, n, f0, h, guess);
  for (size_t l = 0; l < n; l++) r->tmp[l] = y[l] + r->Z[(size_t)(s / 2) * n + l];
  jacobian(r, p, k, m, n, t + tab->c[s / 2] * h, r->tmp);
  if (factor(r, s, n, h)) return 1;
  find_noise(r, n, y);
  double worst = rates_over_rounding(r, n, y, f0);
  /* A far prediction may have a Jacobian that drowns every rate: is it so at y, too?  If not, the step is too
   * long; if so, the Jacobian of y serves for the step, which hardly moves. */
  if (worst <= BRI_REST_MOST) {
    const double there = worst;
    jacobian(r, p, k, m, n, t, y);
    out->theta_newton = 0;
    if (factor(r, s, n, h)) return 1;
    find_noise(r, n, y);
    worst = rates_over_rounding(r, n, y, f0);
    if (!(worst <= BRI_REST_MOST)) return 1;
    worst = fmax(worst, there);
  }
  tolerances(r, n, tol, worst <= BRI_REST_MOST ? 1 : p->carries ? 0 : 0.02);
  if (comes_to_rest(r, p, k, m, s, n, t, y, f0, h, worst)) return hold(r, s, n, y, out);
  transform(s, n, tab->Ti, r->Z, r->W);
  out->theta_newton = 0;
  if (iterate(r, p, k, m, s, n, t, y, h, newton, out)) return 1;
  for (int i = 0; i < s; i++)
    for (size_t l = 0; l < n; l++) out->Y[(size_t)i * n + l] = y[l] + r->Z[(size_t)i * n + l];
  estimate(r, p, k, m, s, n, t, y, f0, h, careful, out);
  return !(out->err < 1e30);
}

void bri_radau_forget(bri_radau *r)
{
  r->rest_h = r->resolved = 0;
  r->quiet = 0;
  for (size_t l = 0; l < r->n && r->peak; l++) r->peak[l] = 0;
}

int bri_radau_step(bri_radau *r, const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                   const double *f0, double h, const double *tol, double newton, const bri_guess *guess,
                   int careful, bri_step *out)
{
  const int s = r->tab->s;
  int rc;
#define BRI_CASE(S, N) \
  if (s == (S) && r->n == (N)) rc = step_n(r, p, k, m, S, N, t, y, f0, h, tol, newton, guess, careful, out);
  BRI_CASE(3, 3)
  else BRI_CASE(5, 3) else BRI_CASE(5, 2) else if (r->band && s == 5) rc =
      step_n(r, p, k, m, 5, r->n, t, y, f0, h, tol, newton, guess, careful, out);
  else rc = step_n(r, p, k, m, s, r->n, t, y, f0, h, tol, newton, guess, careful, out);
#undef BRI_CASE
  if (rc) return rc;
  out->stages = s;
  out->weight0 = 0;
  out->lead = 1 / r->tab->gamma;
  for (int i = 0; i < s; i++) out->theta[i] = r->tab->c[i], out->weight[i] = r->tab->b[i];
  transform(s, r->n, r->tab->P, r->Z, r->D);
  memcpy(out->poly, r->D, (size_t)s * r->n * sizeof *out->poly);
  return 0;
}

void bri_step_at(const bri_step *st, size_t n, const double *y0, double theta, double *y)
{
  for (size_t l = 0; l < n; l++) {
    double sum = 0;
    for (int q = st->stages - 1; q >= 0; q--) sum = (sum + st->poly[(size_t)q * n + l]) * theta;
    y[l] = y0[l] + sum;
  }
}
