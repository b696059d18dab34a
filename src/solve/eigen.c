/* SPDX-License-Identifier: Apache-2.0
 * eigen.c - eigenvalues of a small dense real matrix: balancing, reduction to Hessenberg form by stabilised
 * elimination, Francis' double-shift QR.  Complex pairs come out as pairs; nothing is assumed about gaps
 * between eigenvalues, which is why repeated multiplication (power iteration) is not used. */
#include "../../core/elementary.h"
#include "eigen.h"

#include <float.h>
#include <math.h>

#define AT(i, j) a[(i)*n + (j)]

/* Rows and columns of one size, by powers of two (exact): states may be counted in microns and in newtons. */
static void balance(size_t n, double *a)
{
  for (int done = 0; !done;) {
    done = 1;
    for (size_t i = 0; i < n; i++) {
      double c = 0, r = 0, f = 1;
      for (size_t j = 0; j < n; j++)
        if (j != i) c += fabs(AT(j, i)), r += fabs(AT(i, j));
      if (!(c > 0) || !(r > 0)) continue;
      const double s = c + r;
      while (c < r / 2 && f < 0x1p200) f *= 2, c *= 4;
      while (c >= r * 2 && f > 0x1p-200) f /= 2, c /= 4;
      if (!((c + r) / f < 0.95 * s)) continue;
      done = 0;
      for (size_t j = 0; j < n; j++) AT(i, j) /= f;
      for (size_t j = 0; j < n; j++) AT(j, i) *= f;
    }
  }
}

static void to_hessenberg(size_t n, double *a)
{
  for (size_t m = 1; m + 1 < n; m++) {
    size_t p = m;
    for (size_t j = m; j < n; j++)
      if (fabs(AT(j, m - 1)) > fabs(AT(p, m - 1))) p = j;
    if (p != m) {
      for (size_t j = m - 1; j < n; j++) {
        const double t = AT(p, j);
        AT(p, j) = AT(m, j), AT(m, j) = t;
      }
      for (size_t j = 0; j < n; j++) {
        const double t = AT(j, p);
        AT(j, p) = AT(j, m), AT(j, m) = t;
      }
    }
    if (AT(m, m - 1) == 0) continue;
    for (size_t i = m + 1; i < n; i++) {
      const double y = AT(i, m - 1) / AT(m, m - 1);
      if (y == 0) continue;
      for (size_t j = m; j < n; j++) AT(i, j) -= y * AT(m, j);
      for (size_t j = 0; j < n; j++) AT(j, m) += y * AT(j, i);
    }
  }
  for (size_t i = 2; i < n; i++)
    for (size_t j = 0; j + 1 < i; j++) AT(i, j) = 0;
}

/* The two eigenvalues of the trailing 2 x 2 block that ends in row k. */
static void take_pair(size_t n, const double *a, size_t k, double shift, double *re, double *im)
{
  const double x = AT(k, k), p = 0.5 * (AT(k - 1, k - 1) - x), w = AT(k, k - 1) * AT(k - 1, k);
  const double q = p * p + w, z = sqrt(fabs(q));
  im[k] = im[k - 1] = 0;
  if (q >= 0) {
    const double far = p + copysign(z, p);
    re[k - 1] = re[k] = x + shift + far;
    if (far != 0) re[k] = x + shift - w / far;
  } else {
    re[k - 1] = re[k] = x + shift + p;
    im[k - 1] = z, im[k] = -z;
  }
}

/* Start of the active block that ends in row k: behind the last subdiagonal that is nothing. */
static size_t block_start(size_t n, double *a, size_t k, double norm)
{
  for (size_t l = k; l > 0; l--) {
    double s = fabs(AT(l - 1, l - 1)) + fabs(AT(l, l));
    if (s == 0) s = norm;
    if (fabs(AT(l, l - 1)) <= DBL_EPSILON * s) {
      AT(l, l - 1) = 0;
      return l;
    }
  }
  return 0;
}

/* One double-shift sweep over rows l..k; x, y, w: the shifts as the trailing block's trace and determinant.
 */
static void sweep(size_t n, double *a, size_t l, size_t k, double x, double y, double w)
{
  double p = 0, q = 0, r = 0;
  size_t m = k - 2;
  for (;; m--) { /* two small subdiagonals in a row: start there */
    const double z = AT(m, m), rr = x - z, ss = y - z;
    p = (rr * ss - w) / AT(m + 1, m) + AT(m, m + 1);
    q = AT(m + 1, m + 1) - z - rr - ss;
    r = AT(m + 2, m + 1);
    const double size = fabs(p) + fabs(q) + fabs(r);
    if (size > 0) p /= size, q /= size, r /= size;
    if (m == l) break;
    const double u = fabs(AT(m, m - 1)) * (fabs(q) + fabs(r));
    const double v = fabs(p) * (fabs(AT(m - 1, m - 1)) + fabs(z) + fabs(AT(m + 1, m + 1)));
    if (u <= DBL_EPSILON * v) break;
  }
  for (size_t i = m + 2; i <= k; i++) {
    AT(i, i - 2) = 0;
    if (i > m + 2) AT(i, i - 3) = 0;
  }
  for (size_t i = m; i < k; i++) {
    double size = 1;
    if (i > m) {
      p = AT(i, i - 1), q = AT(i + 1, i - 1), r = i + 1 < k ? AT(i + 2, i - 1) : 0;
      size = fabs(p) + fabs(q) + fabs(r);
      if (size == 0) continue;
      p /= size, q /= size, r /= size;
    }
    const double s = copysign(sqrt(p * p + q * q + r * r), p);
    if (s == 0) continue;
    if (i > m) AT(i, i - 1) = -s * size;
    else if (l != m) AT(i, i - 1) = -AT(i, i - 1);
    p += s;
    const double fx = p / s, fy = q / s, fz = r / s;
    q /= p, r /= p;
    for (size_t j = i; j <= k; j++) {
      double t = AT(i, j) + q * AT(i + 1, j);
      if (i + 1 < k) t += r * AT(i + 2, j), AT(i + 2, j) -= t * fz;
      AT(i + 1, j) -= t * fy, AT(i, j) -= t * fx;
    }
    const size_t last = i + 3 < k ? i + 3 : k;
    for (size_t j = l; j <= last; j++) {
      double t = fx * AT(j, i) + fy * AT(j, i + 1);
      if (i + 1 < k) t += fz * AT(j, i + 2), AT(j, i + 2) -= t * r;
      AT(j, i + 1) -= t * q, AT(j, i) -= t;
    }
  }
}

static int hessenberg_qr(size_t n, double *a, double *re, double *im)
{
  double norm = 0, shift = 0; /* of all eigenvalues still to come, by the exceptional shifts */
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) norm += fabs(AT(i, j));
  for (size_t left = n; left > 0;) {
    const size_t k = left - 1;
    for (int it = 0;; it++) {
      const size_t l = block_start(n, a, k, norm);
      double x = AT(k, k);
      if (l == k) {
        re[k] = x + shift, im[k] = 0;
        left -= 1;
        break;
      }
      double y = AT(k - 1, k - 1), w = AT(k, k - 1) * AT(k - 1, k);
      if (l == k - 1) {
        take_pair(n, a, k, shift, re, im);
        left -= 2;
        break;
      }
      if (it == 90) return 1;
      if (it % 10 == 9) { /* goes round in a circle: any other shift breaks it */
        shift += x;
        for (size_t i = 0; i <= k; i++) AT(i, i) -= x;
        const double s = fabs(AT(k, k - 1)) + fabs(AT(k - 1, k - 2));
        x = y = 0.75 * s, w = -0.4375 * s * s;
      }
      sweep(n, a, l, k, x, y, w);
    }
  }
  return 0;
}

int bri_eigenvalues(size_t n, double *a, double *re, double *im)
{
  double top = 0;
  int power = 0;
  for (size_t i = 0; i < n * n; i++) {
    if (!isfinite(a[i])) return 1;
    top = fmax(top, fabs(a[i]));
  }
  if (top > 0) (void)frexp(top, &power); /* sums and squares below stay in range, whatever the size */
  for (size_t i = 0; i < n * n; i++) a[i] = ldexp(a[i], -power);
  balance(n, a);
  to_hessenberg(n, a);
  if (hessenberg_qr(n, a, re, im)) return 1;
  for (size_t i = 0; i < n; i++) re[i] = ldexp(re[i], power), im[i] = ldexp(im[i], power);
  return 0;
}

double bri_spectral_radius(size_t n, double *a, double *work)
{
  double radius = 0;
  if (bri_eigenvalues(n, a, work, work + n)) return (double)NAN;
  for (size_t i = 0; i < n; i++) radius = fmax(radius, bri_hypot(work[i], work[n + i]));
  return radius;
}
