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

BRI_INLINE void bri_lu_solve_complex(size_t n, const double *re, const double *im, const size_t *piv,
                                     double *br, double *bi)
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

/* sigma I - J for three states of which the first and the last do not see each other (position, velocity,
 * bristle): both are eliminated in closed form.  sigma = sr + i si; (re, im) pairs throughout. */
typedef struct {
  double r0[2], r1[2], r2[2]; /* reciprocals: of sigma - J00, of the Schur complement, of sigma - J22 */
  double c0[2], c2[2];        /* J01 r0, J21 r2 */
  double j10, j12;
} bri_arrow;

BRI_INLINE void bri_reciprocal(double re, double im, double *out)
{
  const double d = 1 / (re * re + im * im);
  out[0] = re * d, out[1] = -im * d;
}

/* 0, or 1 when a pivot is not finite. */
BRI_INLINE int bri_arrow_factor(const double *J, double sr, double si, bri_arrow *a)
{
  bri_reciprocal(sr - J[0], si, a->r0);
  bri_reciprocal(sr - J[8], si, a->r2);
  a->j10 = J[3], a->j12 = J[5];
  for (int q = 0; q < 2; q++) a->c0[q] = J[1] * a->r0[q], a->c2[q] = J[7] * a->r2[q];
  bri_reciprocal(sr - J[4] - J[3] * a->c0[0] - J[5] * a->c2[0], si - J[3] * a->c0[1] - J[5] * a->c2[1],
                 a->r1);
  const double all = a->r0[0] + a->r1[0] + a->r2[0] + a->r0[1] + a->r1[1] + a->r2[1];
  return !(all - all == 0);
}

BRI_INLINE void bri_arrow_solve(const bri_arrow *a, double *b)
{
  const double d0 = a->r0[0] * b[0], d2 = a->r2[0] * b[2];
  const double x1 = (b[1] + a->j10 * d0 + a->j12 * d2) * a->r1[0];
  b[0] = d0 + a->c0[0] * x1, b[1] = x1, b[2] = d2 + a->c2[0] * x1;
}

BRI_INLINE void bri_arrow_solve_complex(const bri_arrow *a, double *br, double *bi)
{
  const double d0r = a->r0[0] * br[0] - a->r0[1] * bi[0], d0i = a->r0[0] * bi[0] + a->r0[1] * br[0];
  const double d2r = a->r2[0] * br[2] - a->r2[1] * bi[2], d2i = a->r2[0] * bi[2] + a->r2[1] * br[2];
  const double tr = br[1] + a->j10 * d0r + a->j12 * d2r, ti = bi[1] + a->j10 * d0i + a->j12 * d2i;
  const double xr = tr * a->r1[0] - ti * a->r1[1], xi = tr * a->r1[1] + ti * a->r1[0];
  br[0] = d0r + a->c0[0] * xr - a->c0[1] * xi, bi[0] = d0i + a->c0[0] * xi + a->c0[1] * xr;
  br[2] = d2r + a->c2[0] * xr - a->c2[1] * xi, bi[2] = d2i + a->c2[0] * xi + a->c2[1] * xr;
  br[1] = xr, bi[1] = xi;
}

#endif
