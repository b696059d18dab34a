/* SPDX-License-Identifier: Apache-2.0
 * motion_starts.c - which of several places a search of a motion goes on from: a few rounds from each; then
 * again from other shapes of the Stribeck curve, which have valleys of their own. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "motion.h"
#include "text/fail.h"

/* A place that was reached. */
typedef struct {
  double cost, g[BRI_FIT_MOST], *locals;
} place;

static void keep(const bri_motion_search *w, place *best)
{
  best->cost = w->cost;
  memcpy(best->g, w->g, w->s->p * sizeof *w->g);
  memcpy(best->locals, w->locals, w->pieces.n * w->s->locals * sizeof *w->locals);
}

static void back(bri_motion_search *w, const place *best)
{
  w->cost = best->cost, w->lambda = 1e-3;
  memcpy(w->g, best->g, w->s->p * sizeof *w->g);
  memcpy(w->locals, best->locals, w->pieces.n * w->s->locals * sizeof *w->locals);
}

/* A few rounds from where w stands; kept where that is better.  Only what ends the whole work is an error. */
static br_status try_here(bri_motion_search *w, int rounds, place *best, br_err *err)
{
  br_err why = {BR_OK, -1, ""};
  w->lambda = 1e-3;
  const br_status st = bri_motion_search_run(w, rounds, &why);
  if (st && st != BR_E_CONVERGE) return bri_fail(err, st, "%s", why.msg);
  if (!st && w->cost < best->cost) keep(w, best);
  return BR_OK;
}

br_status bri_motion_choose(bri_motion_search *w, const double *g, size_t n, br_err *err)
{
  place best = {.cost = INFINITY, .locals = bri_malloc_array(w->pieces.n * w->s->locals + 1, sizeof(double))};
  br_status st = best.locals ? BR_OK : bri_no_memory(err, "fit");
  for (size_t i = 0; i < n && !st; i++) {
    memcpy(w->g, g + i * BRI_FIT_MOST, w->s->p * sizeof *g);
    bri_motion_search_seed(w);
    st = try_here(w, n > 1 ? 5 : 0, &best, err);
  }
  if (!st && isinf(best.cost))
    st = bri_fail(err, BR_E_CONVERGE, "fit: %s in %s gives no finite motion from any start", w->s->m->name,
                  w->s->sys->name);
  if (!st) back(w, &best);
  bri_free(best.locals);
  return st;
}

br_status bri_motion_reshape(bri_motion_search *w, double speed, br_err *err)
{
  static const double SPEED[] = {0.3, 0.06, 0.012}, EXCESS[] = {0, 0.3};
  const bri_space *s = &w->s->model;
  size_t vs = SIZE_MAX, Fs = SIZE_MAX;
  for (size_t j = 0; j < s->n; j++) {
    if (strcmp(s->c[j].row->name, "vs") == 0 && s->c[j].kind == BRI_COORD_LOG) vs = j;
    if (s->c[j].kind == BRI_COORD_ABOVE) Fs = j;
  }
  if (vs == SIZE_MAX || Fs == SIZE_MAX || !(speed > 0)) return BR_OK;
  place best = {.cost = INFINITY,
                .locals = bri_malloc_array(2 * (w->pieces.n * w->s->locals + 1), sizeof(double))};
  if (!best.locals) return bri_no_memory(err, "fit");
  place first = {.locals = best.locals + w->pieces.n * w->s->locals + 1};
  keep(w, &first);
  double block[BRI_FIT_SLOTS];
  br_status st = BR_OK;
  for (size_t i = 0; i < 3 && !st; i++)
    for (size_t k = 0; k < 2 && !st; k++) {
      if (i && EXCESS[k] == 0) continue; /* without a peak its speed does not matter */
      back(w, &first);
      bri_space_block(s, w->g, block, NULL);
      w->g[vs] = fmin(fmax(bri_log(SPEED[i] * speed), s->c[vs].lo), s->c[vs].hi);
      w->g[Fs] = fmin(EXCESS[k] * block[s->c[Fs].ref] / s->c[Fs].scale, s->c[Fs].hi);
      st = try_here(w, 3, &best, err);
    }
  if (!st && isfinite(best.cost)) { /* the best of them all the way, against where it came from */
    back(w, &best);
    st = try_here(w, 12, &best, err);
  }
  if (!st) back(w, best.cost < first.cost ? &best : &first);
  bri_free(best.locals);
  return st;
}
