/* SPDX-License-Identifier: Apache-2.0
 * rodas.c - Rodas5P, coefficients of G. Steinebach, BIT Numer. Math. 63:27 (2023), in the form without matrix
 * products: (I/(h gamma) - J) K_i = f(t + c_i h, u_i) + sum_j C_ij K_j / h + h d_i f_t,  u_i = y + sum_j a_ij
 * K_j. The last two stages continue u_6 by K_6 and K_7, the result by K_8, which is also the error. */
#include "rodas.h"
#include "../base/alloc.h"

#include <math.h>
#include <string.h>

#include "linalg.h"

#define GAMMA 0.21193756319429014
static const double c_[8] = {
    0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1};
static const double d_[8] = {0.21193756319429014,
                             -0.42387512638858027,
                             -0.3384627126235924,
                             1.8046452872882734,
                             2.325825639765069,
                             0,
                             0,
                             0};
static const double a_[6][5] = {
    {0},
    {3.0},
    {2.849394379747939, 0.45842242204463923},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946}};
static const double C_[8][7] = {
    {0},
    {-14.155112264123755},
    {-17.97296035885952, -2.859693295451294},
    {147.12150275711716, -1.41221402718213, 71.68940251302358},
    {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
    {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
    {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
     -28.087943162872662},
    {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
     -54.66780262877968, -9.48861652309627}};
static const double h_[3][8] = {
    {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
     1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
    {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
     15.98066361424651, -6.789040303419874, -6.710236069923372},
    {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
     -59.78993625266729, -0.15582684282751913, 4.883087185713722}};

br_status bri_rodas_create(const br_plant *p, bri_rodas *r)
{
  const size_t n = p->ny ? p->ny : 1;
  memset(r, 0, sizeof *r);
  r->n = p->ny;
  r->K = (double *)bri_calloc(8 * n + n * n + 3 * n, sizeof *r->K);
  r->piv = (size_t *)bri_calloc(n, sizeof *r->piv);
  if (!r->K || !r->piv) {
    bri_rodas_destroy(r);
    return BR_E_NOMEM;
  }
  r->E = r->K + 8 * n;
  r->u = r->E + n * n;
  r->f = r->u + n;
  r->ft = r->f + n;
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
