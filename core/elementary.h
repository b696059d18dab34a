/* SPDX-License-Identifier: Apache-2.0
 * elementary.h - sine, exponential, power and their kin for all code around the kernels: the C library's give
 * other last bits with every C library, these are fixed sequences of IEEE operations (elementary.inc,
 * elementary_angle.inc).
 *
 * At most 1 ulp over the whole range of double, subnormal numbers and huge angles included
 * (tests/core/test_elementary.c prints the largest error found); infinities, zeros and NaN as in Annex F of
 * C11, without errno. test build/libm refuses the C library's own in core/, models/, systems/ and src/. */
#ifndef BRI_ELEMENTARY_H
#define BRI_ELEMENTARY_H

double bri_exp(double x);
double bri_exp2(double x);
double bri_expm1(double x);
double bri_log(double x);
double bri_log2(double x);
double bri_log10(double x);
double bri_log1p(double x);
double bri_pow(double x, double y);
double bri_cbrt(double x);
double bri_hypot(double x, double y);
double bri_sinh(double x);
double bri_cosh(double x);
double bri_tanh(double x);

double bri_sin(double x);
double bri_cos(double x);
void bri_sincos(double x, double *sine, double *cosine);
double bri_tan(double x);
double bri_asin(double x);
double bri_acos(double x);
double bri_atan(double x);
double bri_atan2(double y, double x);

#endif
