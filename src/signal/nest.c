/* SPDX-License-Identifier: Apache-2.0
 * nest.c - nesting of the reversals of a cycle. */
#include "nest.h"

#include <math.h>

#include "../base/alloc.h"

/* Working storage of the walk. */
typedef struct {
  size_t *stack;   /* open reversals, n + 2 */
  size_t *orphans; /* closed loops not yet inside another, n / 2 + 1 */
  bri_nest *found; /* loops in the order of closing, n / 2 + 1 */
  size_t *place;   /* [n]: number of the loop that starts at this reversal + 1, 0 for none */
} work;

static size_t wrap(size_t n, size_t i) { return i < n ? i : i - n; } /* i <= 2 n - 1 */

static double range(size_t n, const double *u, size_t i, size_t j)
{
  return fabs(u[wrap(n, i)] - u[wrap(n, j)]);
}

/* Rainflow: walk one period from the global minimum with a stack of open reversals.  When the newest range is
 * at least as large as the one before, and that one is not larger than its predecessor, the middle pair is a
 * loop that the path has just closed.  Every closed loop is found once, inner ones first. */
static size_t walk(size_t n, const double *u, work *w)
{
  size_t first = 0, top = 0, k = 0, orphans = 0;
  for (size_t i = 1; i < n; i++)
    if (u[i] < u[first]) first = i;
  for (size_t i = first; i <= first + n; i++) {
    while (top >= 3) {
      const size_t turn = w->stack[top - 1], start = w->stack[top - 2];
      const double inner = range(n, u, turn, start);
      if (inner > range(n, u, i, turn) || inner > range(n, u, start, w->stack[top - 3])) break;
      w->found[k] = (bri_nest){start, turn, i - 1, BRI_NO_NEST}; /* closed on the way to i */
      while (orphans > 0 && w->found[w->orphans[orphans - 1]].start > start)
        w->found[w->orphans[--orphans]].parent = k;
      w->orphans[orphans++] = k;
      w->place[wrap(n, start)] = ++k;
      top -= 2;
    }
    w->stack[top++] = i;
  }
  return k;
}

/* By start, within one period; parents by their new place. */
static void arrange(size_t n, const work *w, size_t count, bri_nest *out)
{
  size_t at = 0;
  for (size_t i = 0; i < n; i++)
    if (w->place[i]) {
      bri_nest c = w->found[w->place[i] - 1];
      if (c.start >= n) c.start -= n, c.turn -= n, c.from -= n;
      w->orphans[w->place[i] - 1] = at; /* free now: closing order -> final place */
      out[at++] = c;
    }
  for (size_t j = 0; j < count; j++)
    if (out[j].parent != BRI_NO_NEST) out[j].parent = w->orphans[out[j].parent];
}

br_status bri_nests(size_t n, const double *u, bri_nest **found, size_t *count)
{
  work w = {bri_malloc_array(n + 2, sizeof(size_t)), bri_malloc_array(n / 2 + 1, sizeof(size_t)),
            bri_malloc_array(n / 2 + 1, sizeof(bri_nest)), bri_calloc(n + 1, sizeof(size_t))};
  br_status st = w.stack && w.orphans && w.found && w.place ? BR_OK : BR_E_NOMEM;
  *count = st || n < 2 ? 0 : walk(n, u, &w);
  *found = st ? NULL : bri_malloc_array(*count + 1, sizeof **found);
  if (!st && !*found) st = BR_E_NOMEM;
  if (!st) arrange(n, &w, *count, *found);
  else *count = 0;
  bri_free(w.stack);
  bri_free(w.orphans);
  bri_free(w.found);
  bri_free(w.place);
  return st;
}
