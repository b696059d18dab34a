/* SPDX-License-Identifier: Apache-2.0
 * audit.c - the list of events against the number of cycles.
 *
 * Between two neighbouring events the number of cycles does not change.  Where it does, by two, a fold was
 * missed, which halving finds; where it is the same on both sides of a lone fold, rounding made that fold. */
#include <math.h>
#include <stdlib.h>

#include "../base/alloc.h"
#include "../base/order.h"
#include "phase_internal.h"
#include "returns.h"

enum { GRID = 6, MOST = 3 * BRI_EVENTS + GRID + 6, HALVINGS = 60 };
static const double CLOSE = 1e-6;  /* of the range: events that no sample separates */
static const double BESIDE = 1e-4; /* of the way to the next event: where a sample beside one lies */

typedef struct {
  br_phase *ph;
  bri_cycles *all; /* of the last count */
} audit;

/* Cycles at a value; -1 where the search ended early. */
static int count(audit *a, double x)
{
  bri_plane p;
  double sign;
  br_err err;
  if (bri_plane_at(a->ph, x, &p, &sign, &err)) return -1;
  bri_cycles_of(&p, a->all);
  return a->all->complete ? a->all->n : -1;
}

/* What a cycle of one set and none of the other is called. */
static void name_of(const bri_cycles *more, const bri_cycles *less, size_t size, char *text)
{
  for (int s = 0; s < more->sections; s++) {
    int n = 0;
    for (int i = 0; i < more->n; i++) n += more->of[i] == s;
    for (int i = 0; i < less->n; i++) n -= less->s[less->of[i]].kind == more->s[s].kind;
    if (n > 0) {
      bri_loop_text(&more->s[s], size, text);
      return;
    }
  }
}

/* The fold between lo and hi, where the numbers of cycles are n_lo and n_hi. */
static void find_fold(audit *a, double lo, double hi, int n_lo, int n_hi)
{
  br_phase *ph = a->ph;
  bri_cycles *other = bri_calloc(1, sizeof *other);
  for (int i = 0; other && i < HALVINGS; i++) {
    const double mid = 0.5 * (lo + hi);
    if (mid <= lo || mid >= hi) break;
    const int n = count(a, mid);
    if (n < 0) break; /* as well as it can be told */
    if (abs(n - n_lo) < abs(n - n_hi)) lo = mid;
    else hi = mid;
  }
  br_phase_event e = bri_event_new(BR_PHASE_FOLD_OF_CYCLES, 0.5 * (lo + hi));
  e.error =
      hi - lo + 4e-12 * fabs(e.value); /* two cycles nearer to each other are not told apart (closed.c) */
  if (other) {
    (void)count(a, lo);
    *other = *a->all;
    (void)count(a, hi);
    name_of(n_lo > n_hi ? other : a->all, n_lo > n_hi ? a->all : other, sizeof e.loop, e.loop);
  }
  bri_free(other);
  bri_event_add(ph, e);
}

static void drop(br_phase *ph, size_t i)
{
  bri_phase_note_add(ph, "a fold of cycles near %.10g that rounding could have made is left out",
                     ph->event[i].value);
  for (ph->nevent--; i < ph->nevent; i++) ph->event[i] = ph->event[i + 1];
}

/* Values between events, none closer to one than CLOSE allows. */
static int samples(const br_phase *ph, double *x)
{
  const double range = ph->b - ph->a;
  double knot[BRI_EVENTS + 2];
  size_t n = 0;
  int m = 0;
  knot[n++] = ph->a;
  for (size_t i = 0; i < ph->nevent; i++) knot[n++] = ph->event[i].value;
  knot[n++] = ph->b;
  for (size_t i = 0; i + 1 < n; i++) {
    const double width = knot[i + 1] - knot[i];
    const int inner = width < CLOSE * range ? 0 : 1 + (int)(GRID * width / range);
    for (int k = 0; k < inner && m + 2 < MOST; k++) x[m++] = knot[i] + width * (k + 0.5) / inner;
    if (inner && i > 0) x[m++] = knot[i] + BESIDE * width;
    if (inner && i + 2 < n) x[m++] = knot[i + 1] - BESIDE * width;
  }
  bri_sort((size_t)m, x);
  return m;
}

/* The events between two values: how many, how many of them folds of cycles, the last of these. */
static size_t events_between(const br_phase *ph, double lo, double hi, size_t *folds, size_t *last)
{
  size_t n = 0;
  *folds = 0;
  for (size_t i = 0; i < ph->nevent; i++) {
    const br_phase_event *e = &ph->event[i];
    if (!(e->value > lo && e->value < hi)) continue;
    n += e->type != BR_PHASE_FOLD; /* folds of equilibria leave the cycles alone */
    if (e->type == BR_PHASE_FOLD_OF_CYCLES) ++*folds, *last = i;
  }
  return n;
}

/* What the numbers of cycles n at the places x say about the stretch i: nothing is wrong, a fold is missing,
 * or a lone fold changes nothing. */
typedef enum { FITS, MISSING, IDLE, ODD } finding;
static finding look(const br_phase *ph, const double *x, const int *n, int m, int i, size_t *fold)
{
  size_t folds;
  if (i < 0 || i + 1 >= m || n[i] < 0 || n[i + 1] < 0) return FITS;
  const int change = abs(n[i + 1] - n[i]);
  const size_t events = events_between(ph, x[i], x[i + 1], &folds, fold);
  if (events == 0 && change > 0) return change == 2 ? MISSING : ODD;
  return events == 1 && folds == 1 && change == 0 ? IDLE : FITS;
}

void bri_audit(br_phase *ph)
{
  double x[MOST];
  int n[MOST];
  audit a = {ph, bri_calloc(1, sizeof *a.all)};
  if (!a.all) return;
  const int m = samples(ph, x);
  for (int i = 0; i < m; i++) n[i] = count(&a, x[i]);
  for (int i = 0; i + 1 < m; i++) {
    size_t fold = 0, other;
    const finding here = look(ph, x, n, m, i, &fold);
    const finding beside = here == MISSING ? IDLE : MISSING;
    /* beside the fold of a canard two cycles are too near to each other to be told apart, so that their
     * number changes in the stretch next to it: that is the same fold, and its branch knows it better */
    const int same = look(ph, x, n, m, i - 1, &other) == beside || look(ph, x, n, m, i + 1, &other) == beside;
    if (here == MISSING && !same) find_fold(&a, x[i], x[i + 1], n[i], n[i + 1]);
    if (here == ODD)
      bri_phase_note_add(ph,
                         "the number of cycles changes from %d to %d between %.9g and %.9g without an event",
                         n[i], n[i + 1], x[i], x[i + 1]);
    if (here == IDLE && !same) drop(ph, fold);
  }
  bri_free(a.all);
}
