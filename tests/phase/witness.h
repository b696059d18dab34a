/* SPDX-License-Identifier: Apache-2.0
 * witness.h - the driven block with LuGre friction once more, written down by itself: equations, Jacobian, an
 * implicit integrator (Rodas, order 4) and what a motion settles on.  Shares nothing with src/phase. */
#ifndef TEST_PHASE_WITNESS_H
#define TEST_PHASE_WITNESS_H
#include <math.h>

typedef struct {
  double m, F, Fc, Fs, vs, delta, sigma0, sigma2, sigma1;
} block;

typedef struct {
  double z, v;
} spot;

/* Rates and Jacobian {dz'/dz, dz'/dv, dv'/dz, dv'/dv}; v of either sign. */
static inline spot witness_rates(const block *b, spot y, double *J)
{
  const double a = fabs(y.v), u = a > 0 ? pow(a / b->vs, b->delta) : 0, e = (b->Fs - b->Fc) * exp(-u),
               g = b->Fc + e, k = b->sigma0 * a / g, dz = y.v - k * y.z;
  const spot r = {dz, (b->F - b->sigma0 * y.z - b->sigma1 * dz - b->sigma2 * y.v) / b->m};
  if (J) {
    /* d(|v|/g)/dv = sign (1 + delta u e / g) / g */
    const double dk = b->sigma0 * (y.v < 0 ? -1 : 1) * (1 + b->delta * u * e / g) / g, zv = 1 - dk * y.z;
    J[0] = -k, J[1] = zv;
    J[2] = (-b->sigma0 + b->sigma1 * k) / b->m, J[3] = (-b->sigma1 * zv - b->sigma2) / b->m;
  }
  return r;
}

/* One step of Rodas over h (negative: backward); the estimate of its error relative to the state. */
static inline double witness_step(const block *b, spot y, double h, spot *out)
{
  static const double A[5][5] = {
      {1.544},
      {.9466785280815826, .2557011698983284},
      {3.314825187068521, 2.896124015972201, .9986419139977817},
      {1.221224509226641, 6.019134481288629, 12.53708332932087, -.6878860361058950},
      {1.221224509226641, 6.019134481288629, 12.53708332932087, -.6878860361058950, 1}};
  static const double C[5][5] = {
      {-5.6688},
      {-2.430093356833875, -.2063599157091915},
      {-.1073529058151375, -9.594562251023355, -20.47028614809616},
      {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
      {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
  double J[4];
  spot K[6], at = y;
  (void)witness_rates(b, y, J);
  const double d = 4 / h, m00 = d - J[0], m01 = -J[1], m10 = -J[2], m11 = d - J[3],
               det = m00 * m11 - m01 * m10;
  for (int i = 0; i < 6; i++) {
    spot c = {0, 0};
    at = y;
    for (int j = 0; i > 0 && j < i; j++) {
      at.z += A[i - 1][j] * K[j].z, at.v += A[i - 1][j] * K[j].v;
      c.z += C[i - 1][j] * K[j].z, c.v += C[i - 1][j] * K[j].v;
    }
    const spot f = witness_rates(b, at, NULL);
    const double rz = f.z + c.z / h, rv = f.v + c.v / h;
    K[i] = (spot){(m11 * rz - m01 * rv) / det, (m00 * rv - m10 * rz) / det};
  }
  *out = (spot){at.z + K[5].z, at.v + K[5].v};
  const double sz = fmax(fabs(y.z), 1e-3 * b->Fc / b->sigma0), sv = fmax(fabs(y.v), 1e-6 * b->vs);
  return fmax(fabs(K[5].z) / sz, fabs(K[5].v) / sv);
}

/* What a motion ends in. */
typedef enum { ENDS_STUCK, ENDS_SLIDING, ENDS_CYCLE, ENDS_GONE, ENDS_OPEN } ending;
typedef struct {
  ending end;
  double v_min, v_max, period; /* of a cycle; v_min = v_max of sliding */
  spot at;                     /* on it */
  double q;                    /* ratio of the last two shifts of a cycle's largest velocity */
} verdict;

/* Sliding equilibrium within a relative 1e-5 that attracts in this direction of time? */
static inline int witness_settles(const block *b, spot y, int dir, double *v)
{
  double J[4];
  spot e = y;
  if (!(y.v > 0)) return 0;
  for (int i = 0; i < 2; i++) { /* Newton; stability is that of the equilibrium, not of the place */
    const spot r = witness_rates(b, e, J);
    const double a0 = J[0] * J[3] - J[1] * J[2];
    e = (spot){e.z - (J[3] * r.z - J[1] * r.v) / a0, e.v - (J[0] * r.v - J[2] * r.z) / a0};
    if (!(fabs(e.z - y.z) < 1e-5 * fabs(y.z) && fabs(e.v - y.v) < 1e-5 * y.v)) return 0;
  }
  (void)witness_rates(b, e, J);
  *v = e.v;
  return J[0] * J[3] - J[1] * J[2] > 0 && -dir * (J[0] + J[3]) > 0;
}

/* The place of v' = 0 at v, where largest velocities lie. */
static inline spot witness_peak(const block *b, double v)
{
  const double g = b->Fc + (b->Fs - b->Fc) * exp(-pow(v / b->vs, b->delta));
  return (spot){(b->F - (b->sigma1 + b->sigma2) * v) / (b->sigma0 * (1 - b->sigma1 * v / g)), v};
}

/* Follow y for so many steps (dir -1: backward in time).  A cycle is told by its largest velocities, whose
 * shifts fall by a steady ratio; where they do so slowly the motion is moved ahead by the sum of what is
 * left. */
static inline verdict witness_run(const block *b, spot y, int dir, double tol, long steps)
{
  verdict r = {ENDS_OPEN, NAN, NAN, NAN, y, NAN};
  double h = 1e-6 * b->m / (b->sigma1 + b->sigma2), t = 0, t_peak = NAN, low = INFINITY, peak[4] = {0};
  int peaks = 0, still = 0;
  double before = witness_rates(b, y, NULL).v;
  for (long i = 0; i < steps; i++) {
    spot next;
    const double err = witness_step(b, y, dir * h, &next) / tol;
    if (!(err <= 1)) {
      h *= isfinite(err) ? fmax(0.1, 0.9 * pow(err, -0.25)) : 0.1;
      if (h < 1e-14 * (t + 1e-300) && h < 1e-300) break;
      continue;
    }
    if (dir < 0 && (!(next.v > 0) || !(next.z > 0) || next.z > 4 * (b->F + b->Fs) / b->sigma0)) {
      r.end = ENDS_GONE;
      return r;
    }
    const double now = witness_rates(b, next, NULL).v;
    low = fmin(low, next.v);
    double v;
    if (i % 8 == 0 && witness_settles(b, next, dir, &v)) {
      r.end = ENDS_SLIDING, r.v_min = r.v_max = v, r.at = next;
      return r;
    }
    still = fabs(next.v) < 1e-7 * b->vs && fabs(b->sigma0 * next.z / b->F - 1) < 1e-7 ? still + 1 : 0;
    if (still > 5 && dir > 0) {
      r.end = ENDS_STUCK;
      return r;
    }
    /* dir: along the motion's own parameter the velocity rises where dir v' > 0 */
    if (dir * before > 0 && dir * now <= 0) {
      /* the peak inside the step: cubic through values and rates */
      spot top = y;
      double a = 0, c = h;
      for (int k = 0; k < 30; k++) {
        const double x = 0.5 * (a + c);
        (void)witness_step(b, y, dir * x, &top);
        if (dir * witness_rates(b, top, NULL).v > 0) a = x;
        else c = x;
      }
      const double when = t + a;
      peak[3] = peak[2], peak[2] = peak[1], peak[1] = peak[0], peak[0] = top.v;
      peaks++;
      if (peaks >= 4) {
        const double d = peak[0] - peak[1], d1 = peak[1] - peak[2], d2 = peak[2] - peak[3], q = d / d1,
                     size = top.v - low, rest = d * q / (1 - q);
        const int steady = fabs(q - d1 / d2) < 0.05 && q > 0 && q < 1;
        r.q = q;
        if ((fabs(d) < 1e-6 * size && fabs(d1) < 1e-6 * size && q < 0.5) ||
            (steady && fabs(rest) < 3e-5 * size)) {
          r.end = ENDS_CYCLE, r.v_max = peak[0], r.v_min = low, r.period = when - t_peak, r.at = top;
          return r;
        }
        if (steady && q > 0.5 && peaks >= 8) { /* ahead along the places of largest velocity */
          const spot ahead = witness_peak(b, top.v + rest);
          if (ahead.v > 0 && ahead.z > 0 && fabs(rest) < 0.5 * size) {
            y = ahead, before = -dir * 1e-300, t = when, t_peak = NAN, peaks = 0, low = INFINITY;
            continue;
          }
        }
      }
      t_peak = when;
      low = next.v;
    }
    t += h, y = next, before = now;
    h *= fmin(4, fmax(0.3, 0.9 * pow(fmax(err, 1e-10), -0.25)));
  }
  r.at = y;
  return r;
}

#endif
