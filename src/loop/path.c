/* SPDX-License-Identifier: Apache-2.0
 * path.c - the closed path of a period and the nesting of its reversals. */
#include <stdint.h>

#include "../base/alloc.h"
#include "../signal/nest.h"
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
    st = bri_fail(err, BR_E_NOMEM, "no memory for a path of %zu turning points", n);
  if (st == BR_OK) {
    path->n = br_turning_points(n, u, 1, keep);
    if (path->n < 2)
      st = bri_fail(err, BR_E_ARG, "the input has no reversal: a loop needs two different values");
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

static void describe(const bri_path *p, const bri_nest *c, br_minor *m)
{
  const size_t j = wrap(p, c->from);
  const double way = p->u[c->start] - p->u[j], next_period = c->from >= p->n ? p->total : 0.0;
  m->start_reversal = c->start;
  m->u_start = p->u[c->start];
  m->u_turn = p->u[wrap(p, c->turn)];
  m->rho_start = p->rho[c->start];
  m->rho_end = p->rho[j] + next_period + (way < 0 ? -way : way);
  m->parent = c->parent == BRI_NO_NEST ? BR_NO_PARENT : c->parent;
}

br_status bri_path_minors(const bri_path *p, br_minor **minor, size_t **end_arc, size_t *count)
{
  bri_nest *found = NULL;
  br_status st = bri_nests(p->n, p->u, &found, count);
  *minor = bri_malloc_array(*count, sizeof **minor);
  *end_arc = bri_malloc_array(*count, sizeof **end_arc);
  if (!*minor || !*end_arc) st = BR_E_NOMEM;
  for (size_t i = 0; i < *count && st == BR_OK; i++) {
    describe(p, &found[i], &(*minor)[i]);
    (*end_arc)[i] = wrap(p, found[i].from);
  }
  bri_free(found);
  return st;
}
