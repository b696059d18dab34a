/* SPDX-License-Identifier: Apache-2.0
 * turning.c - turning points of sequences and signals. */
#include <float.h>

#include "../text/fail.h"
#include "signal_internal.h"

enum { MANY = 1000000 }; /* counting stops here unless the caller has room for more */

static int direction(double from, double to) { return (to > from) - (to < from); }

size_t br_turning_points(size_t n, const double *u, int cyclic, size_t *keep)
{
  size_t m = 0;
  if (n == 0 || !u) return 0;
  /* The direction in which point 0 is reached: in a cycle that of the last move before it. */
  int came = 0;
  if (cyclic) {
    size_t i = n - 1;
    came = direction(u[i], u[0]);
    while (came == 0 && i > 0) {
      came = direction(u[i - 1], u[i]);
      i--;
    }
    if (came == 0) return 0; /* constant */
  } else {
    if (keep) keep[0] = 0;
    m = 1;
  }
  size_t start = 0; /* first of the equal values the sequence stands on */
  for (size_t i = 0; i + 1 < n; i++) {
    const int goes = direction(u[i], u[i + 1]);
    if (goes == 0) continue;
    if (came != 0 && goes != came) {
      if (keep) keep[m] = start;
      m++;
    }
    came = goes;
    start = i + 1;
  }
  if (cyclic) { /* the move from the last point back to the first */
    const int goes = direction(u[n - 1], u[0]);
    if (goes != 0 && goes != came) {
      if (keep) keep[m] = start;
      m++;
    }
  } else if (start > 0) {
    if (keep) keep[m] = start;
    m++;
  }
  return m;
}

/* Receives points in order of time. */
typedef struct {
  size_t max, n;
  double *u, *t;
  int any, came; /* open sequences: direction of the last move */
  double last_t, last_u;
} list;

static void add(list *to, double t, double u)
{
  if (to->n < to->max) {
    to->u[to->n] = u;
    if (to->t) to->t[to->n] = t;
  }
  to->n++;
}

/* Next point of an open sequence: kept once a later move shows that it was a reversal. */
static void feed(list *to, double t, double u)
{
  const int goes = to->any ? direction(to->last_u, u) : 0;
  if (!to->any) add(to, t, u);
  if (to->any && goes == 0) return;
  if (to->came != 0 && goes != to->came) add(to, to->last_t, to->last_u);
  to->any = 1;
  to->came = goes;
  to->last_t = t;
  to->last_u = u;
}

static void end_open(list *to)
{
  if (to->came != 0) add(to, to->last_t, to->last_u);
}

/* Knots on one period or on the record hold the turning points by themselves: no walk, no evaluation. */
static void from_knots(const br_signal *sig, list *to)
{
  const bri_knots *k = &sig->knots;
  const double *u = k->u;
  if (k->period == 0.0) {
    feed(to, 0.0, u[0]);
    for (size_t i = 1; i < k->n; i++) feed(to, k->origin + k->s[i], u[i]);
    end_open(to);
    return;
  }
  /* One turn around the cycle from the first knot at t >= 0: knots first .. m, then 0 .. first; u[m] = u[0].
   * */
  const size_t m = k->n - 1;
  double periods = 0.0;
  const double x = bri_knots_local(k, 0.0, &periods), tol = bri_knots_tolerance(k, 0.0);
  size_t first = 0;
  while (first < m && k->s[first] < x - tol) first++;
  int came = 0; /* direction in which the first knot is reached */
  for (size_t i = first; came == 0 && i > 0; i--) came = direction(u[i - 1], u[i]);
  for (size_t i = m; came == 0 && i > first; i--) came = direction(u[i - 1], u[i]);
  if (came == 0) return; /* constant */
  size_t start = first;
  for (int wrap = 0; wrap < 2; wrap++) {
    const size_t begin = wrap ? 0 : first, end = wrap ? first : m;
    if (wrap && start == m) start = 0;
    double start_shift = k->origin + k->period * (wrap && start >= first ? periods : periods + wrap);
    for (size_t i = begin; i < end; i++) {
      const int goes = direction(u[i], u[i + 1]);
      if (goes == 0) continue;
      if (goes != came) add(to, start_shift + k->s[start], u[start]);
      came = goes;
      start = i + 1;
      if (wrap) start_shift = k->origin + k->period * (periods + 1.0);
    }
  }
}

static void from_corners(const br_signal *sig, list *to)
{
  if (sig->period > 0.0) { /* smooth kinds: every corner is a reversal */
    const double tiny = 64.0 * DBL_EPSILON * sig->period;
    for (double t = br_signal_next_corner(sig, -tiny); t < sig->period - tiny;
         t = br_signal_next_corner(sig, t)) {
      add(to, t, br_signal_value(sig, t));
    }
    return;
  }
  feed(to, 0.0, br_signal_value(sig, 0.0));
  const size_t limit = to->max > MANY ? to->max : MANY; /* a fast chirp may hold any number of reversals */
  for (double t = br_signal_next_corner(sig, 0.0); t < sig->duration && to->n <= limit;
       t = br_signal_next_corner(sig, t)) {
    feed(to, t, br_signal_value(sig, t));
  }
  feed(to, sig->duration, br_signal_value(sig, sig->duration));
  end_open(to);
}

br_status br_signal_turning(const br_signal *sig, size_t max, double *u, double *t, size_t *n, br_err *err)
{
  list to = {0};
  to.max = max;
  to.u = u;
  to.t = t;
  if (!n) return bri_fail(err, BR_E_ARG, "br_signal_turning: NULL argument");
  *n = 0;
  if (!sig || (!u && max)) return bri_fail(err, BR_E_ARG, "br_signal_turning: NULL argument");
  if (sig->period == 0.0 && sig->duration == 0.0 && sig->ops != &bri_pwl_ops && sig->ops != &bri_step_ops)
    return bri_fail(
        err, BR_E_UNSUPPORTED,
        "a signal without period and end has no list of turning points (a formula repeats by mod(t, T))");
  const int has_knots = sig->ops == &bri_pwl_ops || sig->ops == &bri_formula_ops;
  if (has_knots && (sig->period > 0.0 || sig->knots.origin >= 0.0)) {
    from_knots(sig, &to);
  } else {
    from_corners(sig, &to);
  }
  *n = to.n;
  if (to.n > max) return bri_fail(err, BR_E_SIZE, "%zu turning points, room for %zu", to.n, max);
  return BR_OK;
}
