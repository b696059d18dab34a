/* SPDX-License-Identifier: Apache-2.0
 * profile.c - intervals by profile likelihood: a value is held, all the others are fitted anew, and the
 * interval ends where the sum of squares has risen by what chance allows.  It knows curved valleys, which a
 * covariance takes for straight ones. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "fit.h"
#include "text/stop.h"

enum { TRIES = 14, ROUNDS = 30 };
static const double CHANCE = 3.841458820694124; /* of chi squared with one degree of freedom, 95 % */

/* One value that is held: a parameter by a stiff spring in the search, a term beside the model in the force.
 * */
typedef struct {
  bri_fit_one *f;
  bri_search *w;
  br_fit_value *v;
  double *F;            /* the force less the held term; NULL: a parameter */
  const double *from;   /* the whole force */
  const double *column; /* of the term */
  int log;
  double least, rise; /* sum of squares at the best, what it may rise by */
} held;

/* Root of what the sum of squares rises by when the value stands at c, of the allowed; x: from there, and
 * where it went. */
static double rise_at(held *h, double c, double *x)
{
  const size_t n = h->w->d->n;
  if (h->F)
    for (size_t k = 0; k < n; k++) h->F[k] = h->from[k] - c * h->column[k];
  else h->w->target = c;
  const double cost = bri_search_run(h->w, x, ROUNDS);
  return sqrt(fmax(cost - h->least, 0) / h->rise);
}

/* The end of the interval on one side, at the latest where the value may go no further; NAN: it has none. */
static double find_end(held *h, double side, double first, const br_param *row)
{
  const double at = h->v->value, wall = !row ? side * INFINITY : side < 0 ? row->lo : row->hi;
  double x[BRI_FIT_MOST], in = 0, r_in = 0, out = INFINITY, r_out = INFINITY, s = first;
  memcpy(x, h->f->x, sizeof x);
  for (int i = 0; i < TRIES; i++) {
    double there[BRI_FIT_MOST];
    double c = h->log ? at * bri_exp(side * s) : at + side * s;
    const int last = isfinite(wall) && (side < 0 ? c <= wall : c >= wall);
    if (last) c = wall, s = h->log ? fabs(bri_log(wall / at)) : fabs(wall - at);
    memcpy(there, x, sizeof there);
    const double r = rise_at(h, c, there);
    if (last && r < 1) return wall;
    if (r < 1) in = s, r_in = r, memcpy(x, there, sizeof x); /* the next one starts from inside */
    else out = s, r_out = r;
    if (fabs(r - 1) < 5e-3 || bri_stopped(&h->w->stop)) return c;
    if (isinf(out)) s *= fmin(fmax(1 / fmax(r, 1e-3), 1.1), 3);
    else
      s = isfinite(r_out) ? in + (out - in) * fmin(fmax((1 - r_in) / (r_out - r_in), 0.05), 0.95)
                          : 0.5 * (in + out);
  }
  return isinf(out) ? NAN : h->log ? at * bri_exp(side * s) : at + side * s;
}

static void both_ends(held *h, const br_param *row)
{
  const double z = h->log ? bri_log(h->v->high / h->v->value) : h->v->high - h->v->value,
               sd = isfinite(z) && z > 0 ? z
                    : h->log             ? 1
                                         : fabs(h->v->value) + 1e-9;
  double low = find_end(h, -1, sd, row), high = find_end(h, 1, sd, row);
  if (row && (isnan(low) || low < row->lo)) low = isfinite(row->lo) ? row->lo : NAN;
  if (row && (isnan(high) || high > row->hi)) high = isfinite(row->hi) ? row->hi : NAN;
  h->v->low = low, h->v->high = high;
}

br_status bri_fit_profile(bri_fit_one *f, const bri_fit_data *d, const br_stop *stop, br_err *err)
{
  bri_search w = {0};
  bri_fit_data own = *d;
  const size_t coords = f->space.all < f->out.nvalues ? f->space.all : f->out.nvalues;
  double *F = bri_malloc_array(d->n, sizeof *F), x[BRI_FIT_MOST];
  const double *from = f->seen ? f->seen : d->F;
  if (!F) return bri_no_memory(err, "fit");
  memcpy(F, from, d->n * sizeof *F);
  own.F = F;
  held h = {.f = f, .w = &w, .from = from, .rise = CHANCE * f->var};
  br_status st = BR_OK;
  for (size_t i = 0; i < coords + f->q && i < f->out.nvalues && !st; i++) {
    const bri_coord *c = i < coords ? &f->space.c[i] : NULL;
    const double *columns[BRI_FIT_EXTRAS];
    size_t q = 0;
    for (size_t k = 0; k < f->q; k++)
      if (c || k != i - coords) columns[q++] = f->column[k];
    memcpy(F, from, d->n * sizeof *F);
    st = bri_search_make(&w, &f->space, &own, d->train[0], d->train[1], columns, q, err);
    if (st) break;
    w.stop = *stop;
    h.v = &f->values[i];
    h.F = c ? NULL : F, h.column = c ? NULL : f->column[i - coords];
    h.log = c && c->kind == BRI_COORD_LOG;
    if (!c)
      for (size_t k = 0; k < d->n; k++) F[k] = from[k] - h.v->value * h.column[k];
    memcpy(x, f->x, sizeof x);
    h.least = bri_search_cost(&w, x);
    w.least = w.small = fmin(w.small, 1e-3 * h.rise / h.least);
    const double reach = h.v->high - h.v->low;
    if (c) {
      w.pin = c->slot;
      w.stiff =
          1e4 * h.rise / bri_pow(isfinite(reach) && reach > 0 ? 0.5 * reach : fabs(h.v->value) + 1e-9, 2);
    }
    both_ends(&h, c ? c->row : NULL);
    f->out.evaluations += w.evaluations;
    if (w.failed) st = bri_no_memory(err, "fit");
    bri_search_free(&w);
    if (!st) st = bri_stop_status(stop, "fit", err);
  }
  bri_search_free(&w);
  bri_free(F);
  return st;
}
