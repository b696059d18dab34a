/* SPDX-License-Identifier: Apache-2.0
 * rodas.c - a step of Rodas5P over a plant; the method and its numbers stand in core/rodas.h. */
#include "rodas.h"
#include "../../core/rodas.h"
#include "../base/alloc.h"

#include <math.h>
#include <string.h>

#include "linalg.h"

#define N(x) x(BR_RODAS_NUMBER)
#define GAMMA BR_RODAS_GAMMA
static const double c_[8] = {N(BR_RODAS_TIME) 1, 1};
static const double d_[8] = {N(BR_RODAS_SLOPE) 0, 0, 0};
static const double a_[6][5] = {
    {0}, {N(BR_RODAS_A1)}, {N(BR_RODAS_A2)}, {N(BR_RODAS_A3)}, {N(BR_RODAS_A4)}, {N(BR_RODAS_A5)}};
static const double C_[8][7] = {{0},
                                {N(BR_RODAS_C1)},
                                {N(BR_RODAS_C2)},
                                {N(BR_RODAS_C3)},
                                {N(BR_RODAS_C4)},
                                {N(BR_RODAS_C5)},
                                {N(BR_RODAS_C6)},
                                {N(BR_RODAS_C7)}};
static const double h_[3][8] = {{N(BR_RODAS_H0)}, {N(BR_RODAS_H1)}, {N(BR_RODAS_H2)}};

br_status bri_rodas_create(const br_plant *p, bri_rodas *r)
{
  const size_t n = p->ny ? p->ny : 1;
  memset(r, 0, sizeof *r);
  r->n = p->ny;
  const bri_share parts[] = {{&r->K, 8 * n}, {&r->E, n * n}, {&r->u, n}, {&r->f, n}, {&r->ft, n}};
  const double *a = bri_shares(parts, sizeof parts / sizeof parts[0]);
  r->piv = (size_t *)bri_calloc(n, sizeof *r->piv);
  if (!a || !r->piv) {
    bri_rodas_destroy(r);
    return BR_E_NOMEM;
  }
  return BR_OK;
}

void bri_rodas_destroy(bri_rodas *r)
{
  bri_free(r->K);
  bri_free(r->piv);
  memset(r, 0, sizeof *r);
}

/* df/dt by forward differences of second order; the inputs are smooth within the segment. */
BRI_INLINE void time_rate(bri_rodas *r, const br_plant *p, bri_work *k, const bri_mode *m, size_t n, double t,
                          const double *y, const double *f0, double h)
{
  const double d = 0.01 * h;
  bri_eval(p, k, m, t + d, y, r->f);
  bri_eval(p, k, m, t + 2 * d, y, r->u);
  for (size_t l = 0; l < n; l++) r->ft[l] = (-3 * f0[l] + 4 * r->f[l] - r->u[l]) / (2 * d);
}

BRI_INLINE int step_n(bri_rodas *r, const br_plant *p, bri_work *k, const bri_mode *m, size_t n, double t,
                      const double *y, const double *f0, double h, const double *tol, bri_step *out)
{
  const double ih = 1 / h;
  bri_jac(p, k, m, t, y, r->E);
  const int is_arrow = n == 3 && r->E[2] == 0 && r->E[6] == 0;
  bri_arrow arrow = {{0}, {0}, {0}, {0}, {0}, 0, 0};
  if (is_arrow && bri_arrow_factor(r->E, ih / GAMMA, 0, &arrow)) return 1;
  for (size_t i = 0; i < n * n; i++) r->E[i] = -r->E[i];
  for (size_t i = 0; i < n; i++) r->E[i * n + i] += ih / GAMMA;
  if (!is_arrow && bri_lu(n, r->E, r->piv)) return 1;
  if (p->driven) time_rate(r, p, k, m, n, t, y, f0, h);
  for (int i = 0; i < 8; i++) {
    double *K = r->K + (size_t)i * n;
    if (i < 6) {
      for (size_t l = 0; l < n; l++) {
        double sum = 0;
        for (int j = 0; j < i; j++) sum += a_[i][j] * r->K[(size_t)j * n + l];
        r->u[l] = y[l] + sum;
      }
    } else {
      for (size_t l = 0; l < n; l++) r->u[l] += r->K[(size_t)(i - 1) * n + l];
    }
    if (i == 0) memcpy(r->f, f0, n * sizeof *f0);
    else bri_eval(p, k, m, i < 5 ? t + c_[i] * h : t + h, r->u, r->f);
    for (size_t l = 0; l < n; l++) {
      double sum = 0;
      for (int j = 0; j < i; j++) sum += C_[i][j] * r->K[(size_t)j * n + l];
      K[l] = r->f[l] + ih * sum;
    }
    if (p->driven && i < 5)
      for (size_t l = 0; l < n; l++) K[l] += h * d_[i] * r->ft[l];
    if (is_arrow) bri_arrow_solve(&arrow, K);
    else bri_lu_solve(n, r->E, r->piv, K);
  }
  out->err = 0;
  for (size_t l = 0; l < n; l++) {
    const double x = fabs(r->K[7 * n + l]) / tol[l];
    if (!(x <= out->err)) out->err = x;
    r->u[l] += r->K[7 * n + l];
  }
  if (!(out->err < 1e30)) return 1;
  for (size_t l = 0; l < n; l++) {
    double q[3];
    for (int i = 0; i < 3; i++) {
      q[i] = 0;
      for (int j = 0; j < 8; j++) q[i] += h_[i][j] * r->K[(size_t)j * n + l];
    }
    /* y(x) = (1-x) y0 + x (y1 + (1-x) (q0 + x (q1 + x q2))), in powers of x */
    out->poly[l] = r->u[l] - y[l] + q[0];
    out->poly[n + l] = q[1] - q[0];
    out->poly[2 * n + l] = q[2] - q[1];
    out->poly[3 * n + l] = -q[2];
  }
  return 0;
}

int bri_rodas_step(bri_rodas *r, const br_plant *p, bri_work *k, const bri_mode *m, double t, const double *y,
                   const double *f0, double h, const double *tol, bri_step *out)
{
  static const double theta[4] = {0.25, 0.5, 0.75, 1},
                      weight[4] = {32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};
  const size_t n = r->n;
  const int rc =
      n == 3 ? step_n(r, p, k, m, 3, t, y, f0, h, tol, out) : step_n(r, p, k, m, n, t, y, f0, h, tol, out);
  if (rc) return rc;
  out->stages = 4;
  out->lead = out->weight0 = 7.0 / 90;
  memset(out->off, 0, n * sizeof *y);
  for (int i = 0; i < 4; i++) {
    out->theta[i] = theta[i], out->weight[i] = weight[i];
    if (i < 3) bri_step_at(out, n, y, theta[i], out->Y + (size_t)i * n);
  }
  memcpy(out->Y + 3 * n, r->u, n * sizeof *y);
  return 0;
}
