/* SPDX-License-Identifier: Apache-2.0
 * yardstick.c - naive loops over libm; compiled with -O3 for this machine, without -ffast-math. */
#include "yardstick.h"

#include <math.h>
#include <time.h>

static double sign(double x) { return (double)((x > 0) - (x < 0)); }

static double lugre_step(const yard_lugre *p, double g, double h, double v, double *z)
{
  const double pull = p->sigma0 * fabs(v) / g, settled = sign(v) * g / p->sigma0;
  *z = settled + (*z - settled) * exp(-pull * h);
  return p->sigma0 * *z + p->sigma1 * (v - pull * *z) + p->sigma2 * v;
}

void yard_lugre_square(const yard_lugre *p, double h, size_t n, const double *v, double *z, double *F)
{
  for (size_t i = 0; i < n; i++) {
    const double w = v[i] / p->vs;
    F[i] = lugre_step(p, p->Fc + (p->Fs - p->Fc) * exp(-w * w), h, v[i], z);
  }
}

void yard_lugre_pow(const yard_lugre *p, double h, size_t n, const double *v, double *z, double *F)
{
  for (size_t i = 0; i < n; i++)
    F[i] = lugre_step(p, p->Fc + (p->Fs - p->Fc) * exp(-pow(fabs(v[i]) / p->vs, p->delta)), h, v[i], z);
}

void yard_dahl(double sigma0, double Fc, double h, size_t n, const double *v, double *F0, double *F)
{
  double f = *F0;
  for (size_t i = 0; i < n; i++) {
    const double end = sign(v[i]) * Fc;
    f = end + (f - end) * exp(-sigma0 * fabs(v[i]) * h / Fc);
    F[i] = f;
  }
  *F0 = f;
}

void yard_maxwell_slip(const double *k, const double *Delta, double h, size_t n, const double *v, double *z,
                       double *F)
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t e = 0; e < YARD_ELEMENTS; e++) {
      z[e] += v[i] * h;
      if (z[e] > Delta[e]) z[e] = Delta[e];
      else if (z[e] < -Delta[e]) z[e] = -Delta[e];
      sum += k[e] * z[e];
    }
    F[i] = sum;
  }
}

static double bouc_wen_rate(double A, double beta, double gamma, double eta, double v, double z)
{
  return (A - pow(fabs(z), eta) * (beta * sign(v * z) + gamma)) * v;
}

void yard_bouc_wen(double A, double beta, double gamma, double eta, double h, size_t n, const double *v,
                   double *z, double *F)
{
  double x = *z;
  for (size_t i = 0; i < n; i++) {
    const double k1 = bouc_wen_rate(A, beta, gamma, eta, v[i], x);
    const double k2 = bouc_wen_rate(A, beta, gamma, eta, v[i], x + h / 2 * k1);
    const double k3 = bouc_wen_rate(A, beta, gamma, eta, v[i], x + h / 2 * k2);
    const double k4 = bouc_wen_rate(A, beta, gamma, eta, v[i], x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    F[i] = x;
  }
  *z = x;
}

enum { CHAINS = 96, ROUNDS = 2000000 };
static double fused(double x)
{
  double a[CHAINS];
  for (int i = 0; i < CHAINS; i++) a[i] = x + i;
  for (int r = 0; r < ROUNDS; r++)
    for (int i = 0; i < CHAINS; i++) a[i] = __builtin_fma(a[i], 0.999, x);
  double sum = 0;
  for (int i = 0; i < CHAINS; i++) sum += a[i];
  return sum;
}

double yard_peak(void)
{
  double best = 0;
  static volatile double sink;
  for (int k = 0; k < 5; k++) {
    struct timespec t0, t1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t0);
    sink = fused(1e-3);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t1);
    const double s = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    best = fmax(best, 2.0 * CHAINS * ROUNDS / s);
  }
  (void)sink;
  return best;
}
