/* SPDX-License-Identifier: Apache-2.0
 * linalg.h - small dense LU with partial pivoting, real and complex, row major.  Internal.
 * Inline with the size as an argument: called with a constant the loops unroll. */
#ifndef BRI_LINALG_H
#define BRI_LINALG_H
#include <math.h>
#include <stddef.h>

#if defined(__GNUC__)
#define BRI_INLINE static inline __attribute__((always_inline, unused))
#else
#define BRI_INLINE static inline
#endif

/* Factor a in place; 0, or 1 when a pivot vanishes or is not finite. */
BRI_INLINE int bri_lu(size_t n, double *a, size_t *piv)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    double top = fabs(a[c * n + c]);
    for (size_t r = c + 1; r < n; r++) {
      const double s = fabs(a[r * n + c]);
      if (s > top) top = s, best = r;
    }
    if (!(top > 0) || !(top < HUGE_VAL)) return 1;
    piv[c] = best;
    if (best != c)
      for (size_t j = 0; j < n; j++) {
        const double s = a[c * n + j];
        a[c * n + j] = a[best * n + j], a[best * n + j] = s;
      }
    const double inv = 1 / a[c * n + c];
    a[c * n + c] = inv; /* the reciprocal is stored: solving needs no division */
    for (size_t r = c + 1; r < n; r++) {
      const double f = a[r * n + c] * inv;
      a[r * n + c] = f;
      for (size_t j = c + 1; j < n; j++) a[r * n + j] -= f * a[c * n + j];
    }
  }
  return 0;
}

BRI_INLINE void bri_lu_solve(size_t n, const double *a, const size_t *piv, double *b)
{
  for (size_t c = 0; c < n; c++) {
    const double s = b[piv[c]];
    b[piv[c]] = b[c], b[c] = s;
  }
  for (size_t r = 1; r < n; r++)
    for (size_t c = 0; c < r; c++) b[r] -= a[r * n + c] * b[c];
  for (size_t r = n; r-- > 0;) {
    for (size_t c = r + 1; c < n; c++) b[r] -= a[r * n + c] * b[c];
    b[r] *= a[r * n + r];
  }
}

/* Complex, real and imaginary parts in separate arrays. */
BRI_INLINE int bri_lu_complex(size_t n, double *re, double *im, size_t *piv)
{
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    double top = fabs(re[c * n + c]) + fabs(im[c * n + c]);
    for (size_t r = c + 1; r < n; r++) {
      const double s = fabs(re[r * n + c]) + fabs(im[r * n + c]);
      if (s > top) top = s, best = r;
    }
    if (!(top > 0) || !(top < HUGE_VAL)) return 1;
    piv[c] = best;
    if (best != c)
      for (size_t j = 0; j < n; j++) {
        double s = re[c * n + j];
        re[c * n + j] = re[best * n + j], re[best * n + j] = s;
        s = im[c * n + j];
        im[c * n + j] = im[best * n + j], im[best * n + j] = s;
      }
    const double d = re[c * n + c] * re[c * n + c] + im[c * n + c] * im[c * n + c];
    const double ir = re[c * n + c] / d, ii = -im[c * n + c] / d;
    re[c * n + c] = ir, im[c * n + c] = ii;
    for (size_t r = c + 1; r < n; r++) {
      const double fr = re[r * n + c] * ir - im[r * n + c] * ii, fi = re[r * n + c] * ii + im[r * n + c] * ir;
      re[r * n + c] = fr, im[r * n + c] = fi;
      for (size_t j = c + 1; j < n; j++) {
        re[r * n + j] -= fr * re[c * n + j] - fi * im[c * n + j];
        im[r * n + j] -= fr * im[c * n + j] + fi * re[c * n + j];
      }
    }
  }
  return 0;
}

BRI_INLINE void bri_lu_solve_complex(size_t n, const double *re, const double *im, const size_t *piv, double *br,
                                     double *bi)
{
  for (size_t c = 0; c < n; c++) {
    double s = br[piv[c]];
    br[piv[c]] = br[c], br[c] = s;
    s = bi[piv[c]];
    bi[piv[c]] = bi[c], bi[c] = s;
  }
  for (size_t r = 1; r < n; r++)
    for (size_t c = 0; c < r; c++) {
      br[r] -= re[r * n + c] * br[c] - im[r * n + c] * bi[c];
      bi[r] -= re[r * n + c] * bi[c] + im[r * n + c] * br[c];
    }
  for (size_t r = n; r-- > 0;) {
    for (size_t c = r + 1; c < n; c++) {
      br[r] -= re[r * n + c] * br[c] - im[r * n + c] * bi[c];
      bi[r] -= re[r * n + c] * bi[c] + im[r * n + c] * br[c];
    }
    const double s = br[r] * re[r * n + r] - bi[r] * im[r * n + r];
    bi[r] = br[r] * im[r * n + r] + bi[r] * re[r * n + r];
    br[r] = s;
  }
}

#endif
