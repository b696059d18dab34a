/* SPDX-License-Identifier: Apache-2.0
 * work.c - the work done on an element over one piece of its motion, by adaptive quadrature along the model's
 * own step. */
#include "work.h"

#include <math.h>
#include <string.h>

#include "../param/slide.h"
#include "../text/fail.h"

enum { DEEP = 40, PARTS = 30, PIECES = 64 };
static const double TOL = 1e-12; /* of force times way */

void bri_trace_force(const bri_held *h, const double *u, const double *v, const double *z, double *dz,
                     double *F)
{
  if (h->m->rate) h->m->rate(h->par, h->load, u, v, z, dz);
  h->m->force(h->par, h->load, u, v, z, dz, F);
  /* the path is followed exactly: a stick band, which time-steppers need, has no meaning here */
  if (h->m->slots && h->m->axes == 1 && (h->m->flags & BR_MODEL_TRUE_STICK) && v[0] != 0)
    F[0] =
        bri_slide_law(h->m, h->par, h->load, u, v[0] > 0 ? 1 : -1, fabs(v[0]), bri_stick_band(h->m, h->par));
}

/* Power at the time s of the piece; not finite: 0, and the row says so. */
static double power(const bri_piece *p, double s)
{
  const bri_held *h = p->held;
  double u[BR_TRACE_AXES], v[BR_TRACE_AXES], F[BR_TRACE_AXES] = {0}, sum = 0, *z = p->room, *dz = z + h->n;
  for (int a = 0; a < h->m->axes; a++) {
    const br_signal *in = p->inputs[a];
    u[a] = in ? br_signal_value(in, p->t + s) : p->u[a] + p->v[a] * s;
    v[a] = in ? br_signal_rate(in, p->t + s, s > 0 ? -1 : 1) : p->v[a];
  }
  if (h->n) memcpy(z, p->z, h->n * sizeof *z);
  if (h->n && s > 0) h->m->step(h->par, h->load, p->u, p->v, s, z);
  bri_trace_force(h, u, v, z, dz, F);
  for (int a = 0; a < h->m->axes; a++) sum += F[a] * v[a];
  return isfinite(sum) ? sum : 0;
}

/* Simpson's rule on [a, b] from its three values, halved until both halves together say the same. */
static double refine(const bri_piece *p, double a, double b, double fa, double fm, double fb, double all,
                     double tol, int deep)
{
  const double m = 0.5 * (a + b), l = power(p, 0.5 * (a + m)), r = power(p, 0.5 * (m + b));
  const double left = (m - a) / 6 * (fa + 4 * l + fm), right = (b - m) / 6 * (fm + 4 * r + fb);
  if (deep == 0 || fabs(left + right - all) <= 15 * tol || !(a < m && m < b))
    return left + right + (left + right - all) / 15;
  return refine(p, a, m, fa, l, fm, left, 0.5 * tol, deep - 1) +
         refine(p, m, b, fm, r, fb, right, 0.5 * tol, deep - 1);
}

double bri_piece_work(const bri_piece *p, double h)
{
  const double fa = power(p, 0), fm = power(p, 0.5 * h), fb = power(p, h), all = h / 6 * (fa + 4 * fm + fb);
  const double tol = TOL * h * fmax(fabs(fa), fmax(fabs(fm), fabs(fb)));
  return h > 0 ? refine(p, 0, h, fa, fm, fb, all, tol, DEEP) : 0;
}

/* A reversal may lie at the start: parts double from there on. */
br_status bri_jump_work(bri_held *h, const double *u, const double *v, double t, double span,
                        const double *from, double *room, double *work)
{
  const size_t steps = h->steps, rejected = h->rejected;
  double *z = room, at[BR_TRACE_AXES], reached = 0, before = NAN;
  const bri_piece p = {.held = h, .t = t, .u = at, .v = v, .z = z, .room = room + h->n};
  br_status st = BR_OK;
  *work = NAN;
  for (int n = 4; n <= PIECES && !st && !(fabs(*work - before) <= 1e-11 * fabs(*work)); n *= 2) {
    double sum = 0, s = 0;
    before = *work;
    if (h->n) memcpy(z, from, h->n * sizeof *z);
    for (int a = 0; a < h->m->axes; a++) at[a] = u[a];
    double P[3] = {0, 0, power(&p, 0)};
    for (int k = -PARTS; k <= 0; k++) {
      const double end = ldexp(span, k), d = 0.5 * (end - s) / n;
      for (int i = 0; i < n && !st; i++) {
        P[0] = P[2];
        for (int half = 1; half <= 2 && !st; half++) {
          st = bri_held_step(h, at, v, t, d, z, &reached);
          for (int a = 0; a < h->m->axes; a++) at[a] += v[a] * d;
          P[half] = power(&p, 0);
        }
        sum += d / 3 * (P[0] + 4 * P[1] + P[2]);
      }
      s = end;
    }
    *work = sum;
  }
  h->steps = steps, h->rejected = rejected; /* the motion itself is moved elsewhere */
  return st;
}

/* A force that grows with the speed of the crossing without limit (a viscous or micro-damping part) does
 * infinite work on it: no motion is near such a jump.  v is that of the crossing. */
br_status bri_jump_bounded(const bri_held *h, double t, const double *u, const double *to, const double *v,
                           const double *z, double *dz, int index, br_err *err)
{
  double F[2][BR_TRACE_AXES], fast[BR_TRACE_AXES];
  for (int q = 0; q < 2; q++) {
    for (int a = 0; a < h->m->axes; a++) fast[a] = q ? 1e10 * v[a] : v[a];
    if (h->m->rate) h->m->rate(h->par, h->load, u, fast, z, dz);
    h->m->force(h->par, h->load, u, fast, z, dz, F[q]);
  }
  for (int a = 0; a < h->m->axes; a++) {
    if (fabs(F[1][a] - F[0][a]) <= 1e-6 * (fabs(F[0][a]) + fabs(F[1][a]))) continue;
    return bri_text_fail(
        err, BR_E_UNSUPPORTED, index,
        "the given motion jumps by %.9g at t = %.9g s, and the force of %s has no limit at infinite speed "
        "(viscous or micro-damping part): the jump would take infinite work; give a steep ramp (pwl:) or a "
        "model without that part",
        to[a] - u[a], t, h->m->name);
  }
  return BR_OK;
}
