/* SPDX-License-Identifier: Apache-2.0
 * general_ends.c - along the range of a mechanism: where the cycle that is reached from rest ends, and where
 * sliding and oscillation are both stable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "belt.h"
#include "bristle/solve.h"
#include "general.h"
#include "text/stop.h"

enum { MOST_ENDS = 16, MOST_INPUTS = 8 };

/* ---- from rest ---- */

static int stop_asked(void *ctx, double t)
{
  (void)t;
  return bri_stopped(ctx);
}

/* Blocks of model and mechanism that may be changed. */
typedef struct {
  bri_general *g;
  double *mpar, *spar;
  bri_family *belt; /* NULL: the contact does not hold */
} blocks;

/* Does the plant come to a cycle from rest at this value?  Where the contact holds at rest it is the one that
 * sticks. */
static int cycle_from_rest(const blocks *b, double value)
{
  if (b->belt) return bri_belt_sticks(b->belt, value, 1e-10);
  const bri_question *q = b->g->q;
  br_drive drives[MOST_INPUTS];
  br_plant *plant = NULL;
  br_cycle y;
  br_err err;
  if (q->sys->ninput > MOST_INPUTS) return 0;
  memcpy(b->mpar, q->par, q->m->slots * sizeof *b->mpar);
  memcpy(b->spar, q->spar, q->sys->slots * sizeof *b->spar);
  memset(drives, 0, sizeof drives);
  for (size_t i = 0; i < q->sys->ninput; i++) drives[i].value = q->held[i];
  if (q->vary.where == BR_VARY_MODEL) b->mpar[q->vary.slot] = value;
  else if (q->vary.where == BR_VARY_SYSTEM) b->spar[q->vary.slot] = value;
  else drives[q->vary.slot].value = value;
  q->m->prepare(b->mpar);
  if (q->sys->prepare) q->sys->prepare(b->spar);
  if (br_plant_create(q->sys, b->spar, q->m, b->mpar, drives, &plant, &err)) return 0;
  const br_cycle_settings set = br_cycle_settings_default();
  br_solve_settings solve = br_solve_settings_default();
  solve.max_steps = 100000; /* a cycle takes some thousand */
  solve.on_step = stop_asked;
  solve.ctx = &b->g->p.stop;
  const br_status st = br_cycle_find(plant, &solve, &set, NULL, &y, NULL, NULL, NULL, &err);
  br_plant_destroy(plant);
  return st == BR_OK; /* no cycle is an answer too */
}

/* The last value with a cycle between one with and one without. */
static double end_between(const blocks *b, double in, double out)
{
  for (int k = 0; k < 40 && fabs(out - in) > 1e-9 * fabs(out) && !bri_stopped(&b->g->p.stop); k++) {
    const double mid = 0.5 * (in + out);
    if (cycle_from_rest(b, mid)) in = mid;
    else out = mid;
  }
  return in;
}

br_status bri_general_ends(bri_general *g, br_err *err)
{
  enum { SAMPLES = 24 };
  bri_question *q = g->q;
  const int holds = bri_belt_holds(&g->p);
  const blocks b = {g, bri_phase_get(q, (q->m->slots + 1) * sizeof *b.mpar),
                    bri_phase_get(q, (q->sys->slots + 1) * sizeof *b.spar),
                    holds ? bri_phase_get(q, sizeof *b.belt) : NULL};
  if (!b.mpar || !b.spar || (holds && !b.belt)) return bri_phase_no_memory(err);
  const br_status opened =
      holds ? bri_family_open(&g->p, q->vary.where, q->vary.slot, q->vary.b - q->vary.a, b.belt, err) : BR_OK;
  if (opened) return opened;
  int before = 0;
  size_t n = 0;
  double at = q->vary.a;
  br_put(q->out, BR_VALUE_LIST, 0, "cycle_from_rest_ends");
  for (int i = 0; i <= SAMPLES && g->nbranch; i++) {
    const double x = q->vary.a + (q->vary.b - q->vary.a) * i / SAMPLES;
    const br_status st = br_sink_alive(q->out, 0.85 + 0.1 * i / SAMPLES, err);
    if (st) return st;
    const int now = cycle_from_rest(&b, x);
    if (i > 0 && now != before && n < MOST_ENDS)
      br_put_number(q->out, q->vary.unit, end_between(&b, now ? x : at, now ? at : x),
                    "cycle_from_rest_ends.%zu", n++);
    before = now;
    at = x;
  }
  return BR_OK;
}

/* ---- two stable motions ---- */

/* Is there a stable cycle, and a stable sliding equilibrium, at a value? */
static int both_stable(const bri_general *g, double value)
{
  br_phase_steady s[BR_PHASE_MOST_EQUILIBRIA];
  br_err err;
  size_t n = 0;
  int cycle = 0, rest = 0;
  if (br_phase_steady_all(&g->p, g->q->vary.where, g->q->vary.slot, value, BR_PHASE_MOST_EQUILIBRIA, s, &n,
                          &err))
    return 0;
  for (size_t i = 0; i < n && i < BR_PHASE_MOST_EQUILIBRIA; i++)
    rest = rest || strncmp(s[i].type, "stable", 6) == 0;
  for (size_t k = 0; k < g->nbranch; k++) {
    const br_phase_row *r = br_phase_branch_rows(g->branch[k], &n);
    for (size_t i = 0; i + 1 < n; i++)
      cycle =
          cycle || (r[i].stable && r[i + 1].stable && (r[i].value - value) * (r[i + 1].value - value) <= 0);
  }
  return cycle && rest;
}

/* Between events nothing changes. */
br_status bri_general_bistable(bri_general *g, br_err *err)
{
  const bri_vary *v = &g->q->vary;
  double x[BRI_GENERAL_EVENTS + 2 * BRI_GENERAL_BRANCHES + 2], range[MOST_ENDS][2];
  size_t n = 0, rows = 0, found = 0;
  x[n++] = v->a;
  x[n++] = v->b;
  for (size_t i = 0; i < g->nevent; i++) x[n++] = g->event[i].value;
  for (size_t k = 0; k < g->nbranch; k++) {
    const br_phase_row *r = br_phase_branch_rows(g->branch[k], &rows);
    x[n++] = r[0].value;
    x[n++] = r[rows - 1].value;
  }
  bri_sort(n, x);
  for (size_t i = 0; i + 1 < n; i++) {
    if (x[i + 1] - x[i] <= 1e-9 * (v->b - v->a)) continue;
    if (!both_stable(g, 0.5 * (x[i] + x[i + 1]))) continue;
    if (found && x[i] - range[found - 1][1] <= 1e-9 * (v->b - v->a)) range[found - 1][1] = x[i + 1];
    else if (found < MOST_ENDS) range[found][0] = x[i], range[found++][1] = x[i + 1];
  }
  br_put(g->q->out, BR_VALUE_LIST, 0, "bistable");
  for (size_t i = 0; i < found; i++)
    for (int k = 0; k < 2; k++) br_put_number(g->q->out, v->unit, range[i][k], "bistable.%zu.%d", i, k);
  return br_sink_alive(g->q->out, 0.97, err);
}
