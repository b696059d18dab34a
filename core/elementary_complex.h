/* SPDX-License-Identifier: Apache-2.0
 * elementary_complex.h - of complex numbers what the C libraries do each in their own way: modulus, angle,
 * exponential and quotient. */
#ifndef BRI_ELEMENTARY_COMPLEX_H
#define BRI_ELEMENTARY_COMPLEX_H
#include <complex.h>

#include "elementary.h"

/* re + im I would multiply by a whole complex number first. */
static inline double complex bri_complex(double re, double im)
{
  double complex z = re;
  __imag__ z = im;
  return z;
}

static inline double bri_cabs(double complex z) { return bri_hypot(creal(z), cimag(z)); }
static inline double bri_carg(double complex z) { return bri_atan2(cimag(z), creal(z)); }

static inline double complex bri_cexp(double complex z)
{
  const double size = bri_exp(creal(z));
  double s = 0, c = 0;
  bri_sincos(cimag(z), &s, &c);
  return bri_complex(size * c, size * s);
}

/* a / b (Smith 1962) */
static inline double complex bri_cdiv(double complex a, double complex b)
{
  const double ar = creal(a), ai = cimag(a), br = creal(b), bi = cimag(b);
  const int flat = (br < 0 ? -br : br) < (bi < 0 ? -bi : bi);
  const double ratio = flat ? br / bi : bi / br, under = flat ? br * ratio + bi : br + bi * ratio;
  const double re = flat ? ar * ratio + ai : ar + ai * ratio, im = flat ? ai * ratio - ar : ai - ar * ratio;
  return bri_complex(re / under, im / under);
}

#endif
