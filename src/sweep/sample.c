/* SPDX-License-Identifier: Apache-2.0
 * sample.c - numbers drawn for members.  Each follows from seed, axis and place alone, so that any block can
 * be computed anywhere, in any order. */
#include <math.h>

#include "../../core/elementary.h"
#include "base/team.h"
#include "sweep.h"

static uint64_t mix(uint64_t seed, uint64_t i) { return bri_stream(seed, i); }

static double uniform(uint64_t seed, size_t axis, uint64_t k)
{
  uint64_t stream = mix(mix(seed, axis), k);
  return bri_uniform(&stream);
}

/* ---- Latin hypercube: every n-th part of an axis has one draw ---- */

/* A permutation of 0..n-1 without a table: four rounds of a Feistel network over the next even number of
 * bits, walked until it falls into the range. */
static uint64_t shuffled(uint64_t key, uint64_t k, uint64_t n)
{
  int half = 1;
  while (half < 31 && (UINT64_C(1) << (2 * half)) < n) half++;
  const uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = k >> half, right = k & mask;
    for (uint64_t round = 0; round < 4; round++) {
      const uint64_t next = left ^ (mix(key + round, right) & mask);
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

/* ---- Sobol ---- */

/* Primitive polynomials and first direction numbers of S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30 (2008)
 * 2635, set "new-joe-kuo-6", dimensions 2 to 16: degree, inner coefficients, m. */
static const struct {
  unsigned char degree, inner, m[6];
} DIRECTIONS[BRI_SOBOL_AXES - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

enum { BITS = 52 };

/* Direction number j = 1.. of an axis, as a fraction of 2^BITS. */
static void directions(size_t axis, uint64_t v[BITS])
{
  if (axis == 0) {
    for (int j = 0; j < BITS; j++) v[j] = UINT64_C(1) << (BITS - 1 - j);
    return;
  }
  const int s = DIRECTIONS[axis - 1].degree;
  const unsigned a = DIRECTIONS[axis - 1].inner;
  for (int j = 0; j < BITS; j++) {
    if (j < s) {
      v[j] = (uint64_t)DIRECTIONS[axis - 1].m[j] << (BITS - 1 - j);
      continue;
    }
    v[j] = v[j - s] ^ (v[j - s] >> s);
    for (int k = 1; k < s; k++)
      if (a >> (s - 1 - k) & 1u) v[j] ^= v[j - k];
  }
}

/* Point k, moved by a digital shift of the seed: the net keeps its balance, and no point is at zero. */
static double sobol(uint64_t seed, size_t axis, uint64_t k)
{
  uint64_t v[BITS], x = mix(mix(seed, axis), 0) >> (64 - BITS);
  directions(axis, v);
  for (int j = 0; j < BITS && k >> j; j++)
    if (k >> j & 1u) x ^= v[j];
  return ((double)x + 0.5) * 0x1p-52;
}

double bri_sweep_draw(bri_draw_kind kind, uint64_t seed, size_t axis, uint64_t k, uint64_t n)
{
  if (kind == BRI_DRAW_SOBOL) return sobol(seed, axis, k);
  if (kind == BRI_DRAW_LATIN)
    return ((double)shuffled(mix(seed, axis), k, n) + uniform(seed, axis, k)) / (double)n;
  return uniform(seed, axis, k);
}

/* ---- normal law ---- */

static double ratio(const double *p, const double *q, double x)
{
  double a = p[7], b = q[7];
  for (int i = 6; i >= 0; i--) a = a * x + p[i], b = b * x + q[i];
  return a / b;
}

/* M. J. Wichura, algorithm AS 241, Appl. Statist. 37 (1988) 477: PPND16, relative error about 1e-16. */
double bri_sweep_quantile(double share)
{
  static const double A[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                             1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                             3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double B[] = {1,
                             4.2313330701600911252e1,
                             6.8718700749205790830e2,
                             5.3941960214247511077e3,
                             2.1213794301586595867e4,
                             3.9307895800092710610e4,
                             2.8729085735721942674e4,
                             5.2264952788528545610e3};
  static const double C[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                             3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double D[] = {1,
                             2.05319162663775882187e0,
                             1.67638483018380384940e0,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double E[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                             2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double F[] = {1,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  const double q = share - 0.5;
  if (fabs(q) <= 0.425) return q * ratio(A, B, 0.180625 - q * q);
  const double r = sqrt(-bri_log(q < 0 ? share : 1 - share));
  const double x = r <= 5 ? ratio(C, D, r - 1.6) : ratio(E, F, r - 5);
  return q < 0 ? -x : x;
}
