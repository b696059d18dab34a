/* SPDX-License-Identifier: Apache-2.0
 * sines.c - sums of sines: value, rate and every turning point.
 *
 * Turning points are the sign changes of v = u'.  With |v'| <= m2 and |v''| <= m3 an interval of width h
 * and middle m
 *   has no zero when |v(m)| > m2 h/2, and
 *   has v monotone, so at most one zero, when |v'(m)| > m3 h/2;
 * otherwise it is halved.  So none is missed, down to pairs closer than rounding, which cancel. */
#include <float.h>
#include <math.h>

#include "../../core/elementary.h"
#include "../base/root.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "signal_internal.h"

#define BRI_PI 3.14159265358979323846

/* SLOW_CYCLES: table of a sum without period, in cycles of its slowest part; beyond it turns are looked up.
 * */
enum { MAX_KNOTS = 1000000, MAX_DEPTH = 45, SLOW_CYCLES = 30 };

/* u, u' and u'' at time t.  A periodic sum runs on whole multiples of t * base reduced to one period. */
static void evaluate(const br_signal *sig, double t, double *u, double *v, double *a)
{
  double x = t;
  if (sig->base > 0.0) {
    x = t * sig->base;
    x -= floor(x);
  }
  *u = *v = *a = 0.0;
  for (size_t i = 0; i < sig->nsines; i++) {
    const double amplitude = sig->sines[3 * i], f = sig->sines[3 * i + 1];
    double turns = f * x;
    turns -= floor(turns);
    const double theta = 2.0 * BRI_PI * turns + sig->sines[3 * i + 2];
    const double omega = 2.0 * BRI_PI * f * (sig->base > 0.0 ? sig->base : 1.0);
    double s = 0, c = 0;
    bri_sincos(theta, &s, &c);
    *u += amplitude * s;
    *v += amplitude * omega * c;
    *a -= amplitude * omega * omega * s;
  }
}

static double sines_value(const br_signal *sig, double t)
{
  double u = 0.0, v = 0.0, a = 0.0;
  evaluate(sig, t, &u, &v, &a);
  return u;
}

static double raw_rate(const br_signal *sig, double t)
{
  double u = 0.0, v = 0.0, a = 0.0;
  evaluate(sig, t, &u, &v, &a);
  return v;
}

static double sines_curvature(const br_signal *sig, double t, int side)
{
  double u = 0.0, v = 0.0, a = 0.0;
  (void)side;
  evaluate(sig, t, &u, &v, &a);
  return a;
}

/* One sign change of v in [a, b], v monotone there: Newton kept inside a shrinking bracket. */
static double polish(const br_signal *sig, double a, double b, int rising)
{
  bri_bracket z = bri_bracket_of(a, rising ? -1 : 1, b, rising ? 1 : -1);
  double t = 0.5 * (a + b);
  for (int k = 0; k < 100; k++) {
    double u = 0.0, v = 0.0, w = 0.0;
    evaluate(sig, t, &u, &v, &w);
    if (v == 0.0) return t;
    const double next = bri_bracket_newton(&z, t, v, w);
    if (fabs(next - t) <= 0.5 * DBL_EPSILON * fabs(t) || next <= z.a || next >= z.b) return next;
    t = next;
  }
  return t;
}

/* First sign change in (a, b]; va, vb: v there (0 counts as positive, so a zero on a border is seen once). */
static int first_change(const br_signal *sig, double a, double va, double b, double vb, int depth, double *at)
{
  const double h = b - a, m = a + 0.5 * h;
  double u = 0.0, vm = 0.0, am = 0.0;
  evaluate(sig, m, &u, &vm, &am);
  if (fabs(vm) > 0.5 * sig->m2 * h) return 0;
  const int differ = (va >= 0.0) != (vb >= 0.0);
  if (fabs(am) > 0.5 * sig->m3 * h || depth >= MAX_DEPTH || m <= a || m >= b) {
    if (differ) *at = polish(sig, a, b, vb >= 0.0);
    return differ;
  }
  return first_change(sig, a, va, m, vm, depth + 1, at) || first_change(sig, m, vm, b, vb, depth + 1, at);
}

/* First reversal in (t, limit]; INFINITY when there is none. */
static double next_reversal(const br_signal *sig, double t, double limit)
{
  if (sig->m2 == 0.0) return INFINITY;
  /* m3/m2 is a mean angular frequency weighted to the fast side; a quarter of its cycle needs few halvings.
   * */
  const double h = 0.5 * BRI_PI * sig->m2 / sig->m3;
  double a = t, va = raw_rate(sig, a);
  while (a < limit) {
    double b = a + h, at = 0.0;
    if (b > limit) b = limit;
    if (!(b > a)) break;
    const double vb = raw_rate(sig, b);
    if (first_change(sig, a, va, b, vb, 0, &at)) return at;
    a = b;
    va = vb;
  }
  return INFINITY;
}

static double last_knot_time(const br_signal *sig)
{
  return sig->knots.origin + sig->knots.s[sig->knots.n - 1];
}

static double sines_next_corner(const br_signal *sig, double t)
{
  if (!isfinite(t)) return INFINITY;
  const bri_knots *k = &sig->knots;
  const double tol =
      bri_knots_tolerance(k, t) + DBL_EPSILON * 16.0 / (1.0 + sqrt(sig->m3 / (sig->m2 + DBL_MIN)));
  if (sig->period > 0.0 || (t >= k->origin && t < last_knot_time(sig))) {
    const double at = bri_knots_next_corner(k, t);
    if (isfinite(at) || sig->period > 0.0) return at;
  }
  /* Beyond the table: look far ahead; a sum of sines that moves at all turns again within some slow cycles.
   * */
  double from = t + tol;
  if (from > last_knot_time(sig) - tol && from < last_knot_time(sig) + 4.0 * tol)
    from = last_knot_time(sig) + 4.0 * tol;
  return next_reversal(sig, from, from + 1e4 * (k->s[k->n - 1] + 1e-300));
}

static double sines_rate(const br_signal *sig, double t, int side)
{
  (void)side;
  if (isnan(t)) return t;
  if (!isfinite(t)) return 0.0;
  const bri_knots *k = &sig->knots;
  double periods = 0.0;
  const double x = bri_knots_local(k, t, &periods), tol = bri_knots_tolerance(k, t);
  if (k->ncorner && x >= 0.0 && x <= k->s[k->n - 1]) { /* exactly 0 at a located reversal */
    const size_t i = bri_knots_segment(k, x);
    const size_t first = k->corner[0], last = k->corner[k->ncorner - 1];
    if (i >= first && i <= last && fabs(x - k->s[i]) <= tol) return 0.0;
    if (i + 1 >= first && i + 1 <= last && fabs(x - k->s[i + 1]) <= tol) return 0.0;
  }
  return raw_rate(sig, t);
}

static double sines_variation(const br_signal *sig, double t)
{
  if (!isfinite(t)) return t;
  const bri_knots *k = &sig->knots;
  const double u = sines_value(sig, t);
  if (sig->period > 0.0 || (t >= k->origin && t <= last_knot_time(sig))) return bri_knots_variation(k, t, u);
  /* Outside the table of a sum without period: walk.  Linear in the distance, exact at every turn. */
  double rho = 0.0, at = t, from_u = 0.0, end = 0.0;
  if (t > k->origin) {
    at = last_knot_time(sig);
    from_u = k->u[k->n - 1];
    rho = k->rho[k->n - 1] - k->rho_zero;
    end = t;
  } else {
    from_u = u;
    end = k->origin;
  }
  double total = 0.0;
  for (;;) {
    const double turn = next_reversal(sig, at, end);
    if (!(turn < end)) break;
    const double turn_u = sines_value(sig, turn);
    total += fabs(turn_u - from_u);
    from_u = turn_u;
    at = turn + 4.0 * DBL_EPSILON * fabs(turn);
  }
  if (t > k->origin) return rho + total + fabs(u - from_u);
  return -(total + fabs(k->u[0] - from_u));
}

static double sines_normalised(const br_signal *sig, double rho)
{
  const bri_knots *k = &sig->knots;
  const double total = k->rho[k->n - 1];
  if (sig->period > 0.0 || sig->m2 == 0.0 || !isfinite(rho) || (rho >= 0.0 && rho <= total))
    return bri_knots_normalised(k, rho);
  /* Walk forwards from the end of the table or backwards from its start, turn by turn. */
  const int back = rho < 0.0;
  double left = back ? -rho : rho - total;
  double at = back ? k->origin : last_knot_time(sig), u = back ? k->u[0] : k->u[k->n - 1];
  const double stride = k->s[k->n - 1] / (double)k->n;
  for (;;) {
    double turn = INFINITY;
    if (back) { /* the last reversal before at: search windows from right to left */
      for (double high = at; !isfinite(turn); high -= stride) {
        double found = next_reversal(sig, high - stride, high - 4.0 * DBL_EPSILON * fabs(high));
        while (isfinite(found)) {
          turn = found;
          found = next_reversal(sig, found + 4.0 * DBL_EPSILON * fabs(found),
                                high - 4.0 * DBL_EPSILON * fabs(high));
        }
      }
    } else {
      turn = next_reversal(sig, at + 4.0 * DBL_EPSILON * fabs(at), at + 1e4 * k->s[k->n - 1]);
      if (!isfinite(turn)) return u;
    }
    const double next = sines_value(sig, turn), length = fabs(next - u);
    if (left <= length) return next >= u ? u + left : u - left;
    left -= length;
    u = next;
    at = turn;
  }
}

static const bri_signal_ops SINES_OPS = {sines_value,     sines_rate,       sines_next_corner,
                                         sines_variation, sines_normalised, sines_curvature};

/* Common base of all frequencies, by Euclid's algorithm with a tolerance of rounding; 0 when there is none.
 * The multiples are written back so that the sum is exactly periodic. */
static double common_base(size_t n, double *sines)
{
  double base = 0.0, top = 0.0;
  for (size_t i = 0; i < n; i++) {
    double a = sines[3 * i + 1], b = base;
    if (a > top) top = a;
    while (b > 1e-9 * top) {
      const double r = fmod(a, b);
      a = b;
      b = r;
    }
    base = a;
  }
  if (!(base > 1e-7 * top)) return 0.0;
  for (int pass = 0; pass < 2;
       pass++) { /* refine the base on the largest multiple, then demand whole multiples */
    if (pass == 0) base = top / rint(top / base);
    for (size_t i = 0; pass == 1 && i < n; i++) {
      const double f = sines[3 * i + 1], m = rint(f / base);
      if (fabs(f - m * base) > 1e-12 * (f + base)) return 0.0;
    }
  }
  for (size_t i = 0; i < n; i++) sines[3 * i + 1] = rint(sines[3 * i + 1] / base);
  return base;
}

/* A start far from any reversal, so that the table of one period has all of them inside. */
static double quiet_start(const br_signal *sig)
{
  double best = 0.0, best_v = -1.0;
  for (int k = 0; k < 64; k++) {
    const double t = (double)k / 64.0 * sig->period, v = fabs(raw_rate(sig, t));
    if (v > best_v) {
      best_v = v;
      best = t;
    }
  }
  return best > 0.0 ? best - sig->period : best; /* at or before t = 0 */
}

/* All reversals in (start, end), at most MAX_KNOTS; *out grows as needed and belongs to the caller. */
static br_status collect(const br_signal *sig, double start, double end, double **out, size_t *count,
                         br_err *err)
{
  size_t room = 0, n = 0;
  double at = start;
  while (n < MAX_KNOTS) {
    const double turn = next_reversal(sig, at, end);
    if (!(turn < end)) break;
    if (n == room) {
      room = room ? 2 * room : 64;
      double *more = bri_realloc(*out, room * sizeof(double));
      if (!more) return bri_fail(err, BR_E_NOMEM, "no memory for %zu turning points", room);
      *out = more;
    }
    (*out)[n++] = turn;
    at = turn + 4.0 * DBL_EPSILON * (fabs(turn) + fabs(start));
  }
  *count = n;
  return BR_OK;
}

/* Knots at start, at every reversal and at end. */
static br_status tabulate(br_signal *sig, double start, double end, br_err *err)
{
  double *turns = NULL;
  size_t n = 0;
  br_status st = collect(sig, start, end, &turns, &n, err);
  if (!st) st = bri_knots_create(&sig->knots, n + 2, err);
  if (st) {
    bri_free(turns);
    return st;
  }
  bri_knots *k = &sig->knots;
  k->origin = start;
  k->s[0] = 0.0;
  k->u[0] = sines_value(sig, start);
  for (size_t i = 1; i <= n; i++) {
    k->s[i] = turns[i - 1] - start;
    k->u[i] = sines_value(sig, turns[i - 1]);
    k->corner[k->ncorner++] = i;
  }
  bri_free(turns);
  if (n == MAX_KNOTS) { /* a very long period: the table ends early and the rest is walked */
    k->n--;
    sig->period = sig->duration = 0.0;
  } else {
    k->s[n + 1] = end - start;
    k->u[n + 1] = sig->period > 0.0 ? k->u[0] : sines_value(sig, end);
  }
  bri_knots_measure(k);
  k->period = sig->period;
  sig->path = sig->period > 0.0 ? k->rho[k->n - 1] : 0.0;
  k->rho_zero = bri_knots_variation(k, 0.0, sines_value(sig, 0.0));
  return BR_OK;
}

static br_status check_sines(size_t n, const double *amplitude, const double *frequency, const double *phase,
                             br_err *err)
{
  if (n == 0 || !amplitude || !frequency || !phase)
    return bri_fail(err, BR_E_ARG, "multisine: no components");
  if (n > 10000) return bri_fail(err, BR_E_SIZE, "multisine: %zu components, at most 10000", n);
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(amplitude[i]) || !isfinite(frequency[i]) || !isfinite(phase[i]))
      return bri_text_fail(err, BR_E_NAN, (int)i, "multisine: component %zu is not finite", i + 1);
    if (frequency[i] < 0.0 || frequency[i] > 1e15)
      return bri_text_fail(err, BR_E_RANGE, (int)i,
                           "multisine: frequency %g of component %zu, expected 0 to 1e15 Hz", frequency[i],
                           i + 1);
  }
  return BR_OK;
}

/* Sines of one frequency are one: what cancels to rounding must not be searched for turns. */
static void gather(size_t n, double *sines)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n && sines[3 * i] != 0; j++) {
      double *a = sines + 3 * i, *b = sines + 3 * j;
      if (a[1] != b[1] || a[1] == 0.0 || b[0] == 0.0) continue;
      const double x = a[0] * bri_cos(a[2]) + b[0] * bri_cos(b[2]),
                   y = a[0] * bri_sin(a[2]) + b[0] * bri_sin(b[2]);
      const double size = bri_hypot(x, y), all = fabs(a[0]) + fabs(b[0]);
      a[0] = size > 8.0 * DBL_EPSILON * all ? size : 0.0, a[2] = bri_atan2(y, x);
      b[0] = 0.0;
    }
}

br_status br_signal_from_sines(size_t n, const double *amplitude, const double *frequency,
                               const double *phase, br_signal **out, br_err *err)
{
  if (!out) return bri_fail(err, BR_E_ARG, "br_signal_from_sines: NULL argument");
  *out = NULL;
  br_status st = check_sines(n, amplitude, frequency, phase, err);
  if (st) return st;
  br_signal *sig = NULL;
  st = bri_signal_new(&SINES_OPS, &sig, err);
  if (st) return st;
  sig->sines = bri_malloc_array(n, 3 * sizeof(double));
  if (!sig->sines) {
    br_signal_destroy(sig);
    return bri_fail(err, BR_E_NOMEM, "no memory for %zu sines", n);
  }
  double slowest = INFINITY;
  sig->nsines = n;
  for (size_t i = 0; i < n; i++) {
    sig->sines[3 * i] = amplitude[i];
    sig->sines[3 * i + 1] = frequency[i];
    sig->sines[3 * i + 2] = fmod(phase[i], 2.0 * BRI_PI);
  }
  gather(n, sig->sines);
  for (size_t i = 0; i < n; i++) {
    const double omega = 2.0 * BRI_PI * frequency[i], size = fabs(sig->sines[3 * i]);
    sig->m2 += size * omega * omega;
    sig->m3 += size * omega * omega * omega;
    if (frequency[i] > 0.0 && frequency[i] < slowest) slowest = frequency[i];
  }
  if (!isfinite(sig->m3)) {
    br_signal_destroy(sig);
    return bri_fail(err, BR_E_RANGE, "multisine: amplitudes or frequencies overflow");
  }
  sig->base = sig->m2 > 0.0 ? common_base(n, sig->sines) : 0.0;
  sig->period = sig->base > 0.0 ? 1.0 / sig->base : 0.0;
  sig->duration = sig->period;
  const double start = sig->period > 0.0 ? quiet_start(sig) : 0.0;
  const double end = sig->period > 0.0 ? start + sig->period : sig->m2 > 0.0 ? SLOW_CYCLES / slowest : 1.0;
  return bri_signal_done(tabulate(sig, start, end, err), sig, out);
}
