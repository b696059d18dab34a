/* SPDX-License-Identifier: Apache-2.0
 * yardstick.h - plain C with libm, as one would write it without Bristle: what the benchmarks compare with.
 * Each runs n samples of h seconds at held velocity v[i] and stores the force at the end of each. */
#ifndef BR_BENCH_YARDSTICK_H
#define BR_BENCH_YARDSTICK_H
#include <stddef.h>

typedef struct {
  double sigma0, sigma1, sigma2, Fc, Fs, vs, delta;
} yard_lugre;
/* exact step; exponent 2 written as a product, any exponent by pow */
void yard_lugre_square(const yard_lugre *p, double h, size_t n, const double *v, double *z, double *F);
void yard_lugre_pow(const yard_lugre *p, double h, size_t n, const double *v, double *z, double *F);
/* gamma = 1, exact step */
void yard_dahl(double sigma0, double Fc, double h, size_t n, const double *v, double *F0, double *F);
/* the number of elements known to the compiler: the fastest plain form, up to twice as fast as a variable
 * one */
enum { YARD_ELEMENTS = 10 };
void yard_maxwell_slip(const double *k, const double *Delta, double h, size_t n, const double *v, double *z,
                       double *F);
/* classical Runge-Kutta of order 4, uy = fp = 1 */
void yard_bouc_wen(double A, double beta, double gamma, double eta, double h, size_t n, const double *v,
                   double *z, double *F);

/* Fused multiply-adds per second of processor time, times two: the most that one core computes. */
double yard_peak(void);

#endif
