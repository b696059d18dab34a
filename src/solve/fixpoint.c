/* SPDX-License-Identifier: Apache-2.0
 * fixpoint.c - fixed point of a period map by repetition and Newton; see fixpoint.h. */
#include "fixpoint.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../table/alloc.h"
#include "../text/fail.h"

typedef struct {
  double *z, *next, *J, *pair;
  char *counter; /* state j is only shifted by a period (z_j -> z_j + c): c is rounding, or nothing looks at
                    it */
  size_t nz, ns;
} fix_work;

static br_status work_alloc(const bri_fix_problem *p, fix_work *w)
{
  memset(w, 0, sizeof *w);
  w->nz = p->nz;
  w->ns = p->ns;
  w->z = bri_calloc(p->nz, sizeof(double));
  w->next = bri_calloc(p->nz, sizeof(double));
  w->J = bri_calloc(p->ns * p->ns, sizeof(double));
  w->pair = bri_calloc(2 * p->nz, sizeof(double));
  w->counter = bri_calloc(p->ns, 1);
  return w->z && w->next && w->J && w->pair && w->counter ? BR_OK : BR_E_NOMEM;
}

static void work_free(fix_work *w)
{
  bri_free(w->z);
  bri_free(w->next);
  bri_free(w->J);
  bri_free(w->pair);
  bri_free(w->counter);
}

/* Column j of the derivative of the map at w->z. */
static br_status column(const bri_fix_problem *p, fix_work *w, size_t j, br_err *err)
{
  for (size_t i = 0; i < w->nz; i++) w->pair[2 * i] = w->z[i], w->pair[2 * i + 1] = 0;
  w->pair[2 * j + 1] = BRI_IMAG_STEP;
  const br_status st = p->map_pair(p->ctx, w->pair, err);
  for (size_t i = 0; i < w->ns; i++) w->J[i * w->ns + j] = w->pair[2 * i + 1] / BRI_IMAG_STEP;
  return st;
}

static br_status jacobian(const bri_fix_problem *p, fix_work *w, br_err *err)
{
  for (size_t j = 0; j < w->ns; j++) {
    const br_status st = column(p, w, j, err);
    if (st != BR_OK) return st;
  }
  double size = 0;
  for (size_t j = 0; j < w->ns; j++) size = fmax(size, fmax(fabs(w->z[j]), fabs(w->next[j])));
  for (size_t j = 0; j < w->ns; j++) {
    /* a state that a period only shifts: by rounding (a spring that never slips), by nothing, or it counts */
    int counts = 1;
    for (size_t i = 0; i < w->ns; i++) counts = counts && w->J[i * w->ns + j] == (i == j ? 1.0 : 0.0);
    const int grows = fabs(w->next[j] - w->z[j]) > 1e-12 * size;
    if (counts && grows && p->observes(p->ctx, w->z, j))
      return bri_text_fail(err, BR_E_CONVERGE, (int)j,
                           "%s: no steady loop, state number %zu grows by %.6g per period and "
                           "moves the force (degradation never ends)",
                           p->name, j + 1, w->next[j] - w->z[j]);
    w->counter[j] = (char)counts;
  }
  return BR_OK;
}

/* Solve (I - J) d = r over the states that do not merely count; Gauss with partial pivoting on a copy in J.
 * Returns 0 when singular. */
static int newton_step(fix_work *w, double *r)
{
  const size_t n = w->ns;
  double *M = w->J;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const int off = w->counter[i] || w->counter[j];
      M[i * n + j] = off ? (i == j) : (i == j) - M[i * n + j];
    }
  for (size_t i = 0; i < n; i++)
    if (w->counter[i]) r[i] = 0;
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(M[i * n + k]) > fabs(M[best * n + k])) best = i;
    if (!(fabs(M[best * n + k]) > 1e-14)) return 0;
    for (size_t j = 0; j < n && best != k; j++) {
      const double t = M[k * n + j];
      M[k * n + j] = M[best * n + j];
      M[best * n + j] = t;
    }
    if (best != k) {
      const double t = r[k];
      r[k] = r[best];
      r[best] = t;
    }
    for (size_t i = k + 1; i < n; i++) {
      const double f = M[i * n + k] / M[k * n + k];
      for (size_t j = k; j < n; j++) M[i * n + j] -= f * M[k * n + j];
      r[i] -= f * r[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) r[k] -= M[k * n + j] * r[j];
    r[k] /= M[k * n + k];
  }
  return 1;
}

/* Largest growth of a deviation over one period (power iteration on J without the counters). */
static double spectral_radius(const fix_work *w)
{
  const size_t n = w->ns;
  double x[BRI_FIX_MAX], y[BRI_FIX_MAX], radius = 0;
  for (size_t i = 0; i < n; i++) x[i] = w->counter[i] ? 0.0 : 1.0 + 0.1 * (double)i;
  for (int it = 0; it < 60; it++) {
    double norm = 0, old = 0;
    for (size_t i = 0; i < n; i++) {
      y[i] = 0;
      for (size_t j = 0; j < n; j++) y[i] += w->counter[i] || w->counter[j] ? 0.0 : w->J[i * n + j] * x[j];
      norm = fmax(norm, fabs(y[i]));
      old = fmax(old, fabs(x[i]));
    }
    if (!(old > 0) || !(norm > 0)) return 0;
    radius = norm / old;
    for (size_t i = 0; i < n; i++) x[i] = y[i] / norm;
  }
  return radius;
}

static double largest_change(const fix_work *w, double *scale)
{
  double worst = 0;
  *scale = 0;
  for (size_t i = 0; i < w->ns; i++) {
    if (w->counter[i]) continue;
    *scale = fmax(*scale, fmax(fabs(w->z[i]), fabs(w->next[i])));
    worst = fmax(worst, fabs(w->next[i] - w->z[i]));
  }
  return worst;
}

/* Repeat a few times: enough for models with finite memory. *done = 1 when it repeats to rounding. */
static br_status repeat(const bri_fix_problem *p, fix_work *w, int *done, bri_fix_report *r, br_err *err)
{
  double scale, change = 0, before = 0;
  for (int k = 0; k < 4; k++) {
    memcpy(w->next, w->z, w->nz * sizeof(double));
    const br_status st = p->map(p->ctx, w->next, err);
    if (st != BR_OK) return st;
    r->iterations++;
    before = change;
    change = largest_change(w, &scale);
    if (!(change < DBL_MAX)) return bri_text_fail(err, BR_E_NAN, -1, "%s: the state is not finite", p->name);
    memcpy(w->z, w->next, w->nz * sizeof(double));
    if (change <= 8 * DBL_EPSILON * scale) {
      *done = 1;
      r->contraction = before > 0 ? change / before : 0;
      r->error = change;
      return BR_OK;
    }
  }
  return BR_OK;
}

static br_status newton(const bri_fix_problem *p, fix_work *w, bri_fix_report *r, br_err *err)
{
  double scale = 0, change = 0, best = DBL_MAX;
  for (int it = 0; it < 40; it++) {
    memcpy(w->next, w->z, w->nz * sizeof(double));
    br_status st = p->map(p->ctx, w->next, err);
    if (st == BR_OK) st = jacobian(p, w, err);
    if (st != BR_OK) return st;
    r->iterations++;
    change = largest_change(w, &scale);
    r->contraction = spectral_radius(w);
    /* at rounding, or at the map's own accuracy and no longer getting better */
    if (change <= 16 * DBL_EPSILON * scale || (change >= 0.5 * best && change <= 1e3 * p->rtol * scale)) {
      r->error = change / fmax(fabs(1 - r->contraction), 1e-3) + 10 * p->rtol * scale;
      return BR_OK;
    }
    best = fmin(best, change);
    for (size_t i = 0; i < w->ns; i++) w->next[i] -= w->z[i];
    if (!newton_step(w, w->next))
      return bri_text_fail(err, BR_E_CONVERGE, -1,
                           "%s: no isolated steady loop (one period keeps a deviation); the last "
                           "change over a period was %.3g",
                           p->name, change);
    for (size_t i = 0; i < w->ns; i++) w->z[i] += w->next[i];
  }
  return bri_text_fail(err, BR_E_CONVERGE, -1,
                       "%s: no steady loop found, a period still changes the state by %.3g", p->name, change);
}

br_status bri_fixpoint(const bri_fix_problem *p, double *z, bri_fix_report *report, br_err *err)
{
  fix_work w;
  int done = 0;
  *report = (bri_fix_report){0, 0, 0};
  if (p->ns == 0) return BR_OK;
  if (p->ns > BRI_FIX_MAX)
    return bri_text_fail(err, BR_E_SIZE, -1, "%s has more than %d states", p->name, BRI_FIX_MAX);
  br_status st = work_alloc(p, &w);
  if (st != BR_OK) bri_text_fail(err, st, -1, "no memory for a period map of %zu states", p->nz);
  if (st == BR_OK) {
    memcpy(w.z, z, p->nz * sizeof(double));
    st = repeat(p, &w, &done, report, err);
    if (!done && p->map_pair) {
      if (st != BR_OK) memcpy(w.z, z, p->nz * sizeof(double)); /* ran away: Newton may still find the orbit */
      st = newton(p, &w, report, err);
    } else if (!done && st == BR_OK) {
      st = bri_text_fail(err, BR_E_CONVERGE, -1, "%s: four periods do not repeat", p->name);
    }
    if (st == BR_OK) memcpy(z, w.z, p->nz * sizeof(double));
  }
  work_free(&w);
  return st;
}
