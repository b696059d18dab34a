/* SPDX-License-Identifier: Apache-2.0
 * path.c - the closed path of a period and the nesting of its reversals. */
#include <stdint.h>
#include <stdlib.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "loop_internal.h"

static br_status check_points(size_t n, const double *u, br_err *err)
{
  for (size_t i = 0; i < n; i++)
    if (!(u[i] - u[i] == 0))
      return bri_text_fail(err, BR_E_NAN, (int)i, "turning point %zu is not a finite number", i);
  return BR_OK;
}

br_status bri_path_create(size_t n, const double *u, bri_path *path, br_err *err)
{
  double sum = 0, carry = 0; /* compensated: the path of a million reversals keeps its digits */
  br_status st = check_points(n, u, err);
  size_t *keep = bri_malloc_array(n + 1, sizeof *keep);
  path->u = bri_malloc_array(n + 1, sizeof(double));
  path->rho = bri_malloc_array(n + 1, sizeof(double));
  if (st == BR_OK && (!keep || !path->u || !path->rho))
    st = bri_text_fail(err, BR_E_NOMEM, -1, "no memory for a path of %zu turning points", n);
  if (st == BR_OK) {
    path->n = br_turning_points(n, u, 1, keep);
    if (path->n < 2)
      st = bri_text_fail(err, BR_E_ARG, -1, "the input has no reversal: a loop needs two different values");
  }
  if (st == BR_OK) {
    for (size_t i = 0; i < path->n; i++) path->u[i] = u[keep[i]];
    path->u[path->n] = path->u[0];
    path->rho[0] = 0;
    for (size_t i = 0; i < path->n; i++) {
      const double d = path->u[i + 1] - path->u[i], x = (d < 0 ? -d : d) - carry, t = sum + x;
      carry = (t - sum) - x;
      path->rho[i + 1] = sum = t;
    }
    path->total = sum;
  }
  bri_free(keep);
  if (st != BR_OK) bri_path_destroy(path);
  return st;
}

void bri_path_destroy(bri_path *path)
{
  bri_free(path->u);
  bri_free(path->rho);
  path->u = path->rho = NULL;
}

/* Arc that holds rho (taken modulo the period). At a turning point, side < 0 gives the arc that ends there.
 */
size_t bri_path_arc(const bri_path *p, double rho, double *from, int side)
{
  const double periods = rho / p->total;
  double r = rho - p->total * (double)(uint64_t)(periods < 0 ? 0 : periods);
  size_t lo = 0, hi = p->n; /* invariant: rho[lo] <= r < rho[hi] */
  if (r < 0) r = 0;
  if (r >= p->total) r = p->total;
  while (hi - lo > 1) {
    const size_t mid = lo + (hi - lo) / 2;
    if (p->rho[mid] <= r) lo = mid;
    else hi = mid;
  }
  if (side < 0 && r == p->rho[lo] && rho > 0) {
    lo = lo == 0 ? p->n - 1 : lo - 1;
    r = p->rho[lo + 1];
  }
  *from = r - p->rho[lo];
  return lo;
}

static size_t wrap(const bri_path *p, size_t i) { return i < p->n ? i : i - p->n; } /* i <= 2 n - 1 */

static double range(const bri_path *p, size_t i, size_t j)
{
  const double d = p->u[wrap(p, i)] - p->u[wrap(p, j)];
  return d < 0 ? -d : d;
}

/* A closed loop: start and turn are reversals, it ends on the arc behind reversal `from`; indices count on
 * beyond n where the walk runs into the next period. */
typedef struct {
  size_t start, turn, from, parent;
} nest;

static void describe(const bri_path *p, const nest *c, br_minor *m)
{
  const size_t i = wrap(p, c->start), j = wrap(p, c->from);
  const double next_period = (c->from >= p->n && c->start < p->n) ? p->total : 0.0;
  m->start_reversal = i;
  m->u_start = p->u[i];
  m->u_turn = p->u[wrap(p, c->turn)];
  m->rho_start = p->rho[i];
  m->rho_end = p->rho[j] + next_period + range(p, c->start, c->from);
}

/* Working storage of the walk. */
typedef struct {
  size_t *stack;   /* open reversals, n + 2 */
  size_t *orphans; /* closed loops not yet inside another, n / 2 + 1 */
  nest *found;     /* loops in the order of closing, n / 2 + 1 */
  size_t *place;   /* [n]: number of the loop that starts at this reversal + 1, 0 for none */
} nest_work;

static void nest_free(nest_work *w)
{
  bri_free(w->stack);
  bri_free(w->orphans);
  bri_free(w->found);
  bri_free(w->place);
}

static br_status nest_alloc(size_t n, nest_work *w)
{
  w->stack = bri_malloc_array(n + 2, sizeof(size_t));
  w->orphans = bri_malloc_array(n / 2 + 1, sizeof(size_t));
  w->found = bri_malloc_array(n / 2 + 1, sizeof(nest));
  w->place = bri_calloc(n, sizeof(size_t));
  return w->stack && w->orphans && w->found && w->place ? BR_OK : BR_E_NOMEM;
}

/* Rainflow: walk one period from the global minimum with a stack of open reversals.  When the newest range is
 * at least as large as the one before, and that one is not larger than its predecessor, the middle pair is a
 * loop that the path has just closed.  Every closed loop is found once, inner ones first. */
static size_t nest_walk(const bri_path *p, nest_work *w)
{
  const size_t n = p->n;
  size_t first = 0, top = 0, k = 0, orphans = 0;
  for (size_t i = 1; i < n; i++)
    if (p->u[i] < p->u[first]) first = i;
  for (size_t i = first; i <= first + n; i++) {
    while (top >= 3) {
      const size_t turn = w->stack[top - 1], start = w->stack[top - 2];
      const double inner = range(p, turn, start);
      if (inner > range(p, i, turn) || inner > range(p, start, w->stack[top - 3])) break;
      w->found[k] = (nest){start, turn, i - 1, BR_NO_PARENT}; /* closed on the way to i */
      while (orphans > 0 && w->found[w->orphans[orphans - 1]].start > start)
        w->found[w->orphans[--orphans]].parent = k;
      w->orphans[orphans++] = k;
      w->place[wrap(p, start)] = ++k;
      top -= 2;
    }
    w->stack[top++] = i;
  }
  return k;
}

br_status bri_path_minors(const bri_path *p, br_minor **minor, size_t **end_arc, size_t *count)
{
  nest_work w;
  br_status st = nest_alloc(p->n, &w);
  *count = st == BR_OK ? nest_walk(p, &w) : 0;
  *minor = bri_malloc_array(*count, sizeof **minor);
  *end_arc = bri_malloc_array(*count, sizeof **end_arc);
  if (!*minor || !*end_arc) st = BR_E_NOMEM;
  if (st == BR_OK) {
    size_t at = 0; /* in the order of the starting reversals */
    for (size_t i = 0; i < p->n; i++)
      if (w.place[i]) {
        const nest *c = &w.found[w.place[i] - 1];
        describe(p, c, &(*minor)[at]);
        (*minor)[at].parent = c->parent;
        (*end_arc)[at] = wrap(p, c->from);
        w.orphans[w.place[i] - 1] = at++; /* orphans is free now: closing order -> final position */
      }
    for (size_t j = 0; j < *count; j++)
      if ((*minor)[j].parent != BR_NO_PARENT) (*minor)[j].parent = w.orphans[(*minor)[j].parent];
  }
  nest_free(&w);
  return st;
}
