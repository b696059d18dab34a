/* SPDX-License-Identifier: Apache-2.0
 * general_diagram.c - the bifurcation diagram of any mechanism: sliding equilibria and branches of cycles
 * along the range by stability, each event as a point with its name. */
#include <math.h>

#include "general.h"
#include "rests.h"

enum { SAMPLES = 40 };

static br_status rests_at(void *ctx, double x, bri_rest *out, size_t *n, br_err *err)
{
  const bri_general *g = ctx;
  br_phase_steady s[BRI_MOST_RESTS];
  const br_status st =
      br_phase_steady_all(&g->p, g->q->vary.where, g->q->vary.slot, x, BRI_MOST_RESTS, s, n, err);
  if (*n > BRI_MOST_RESTS) *n = BRI_MOST_RESTS;
  for (size_t k = 0; k < *n; k++) out[k] = (bri_rest){s[k].v, s[k].z, bri_rest_class(s[k].type)};
  return st == BR_E_CONVERGE ? BR_OK : st;
}

/* Rows of one stability; the row behind the last joins it to what follows. */
static br_status cycle_table(bri_general *g, int stable, br_err *err)
{
  bri_question *q = g->q;
  const br_column head[] = {
      {q->vary.name, q->vary.unit}, {"v_min", "m/s"}, {"v_max", "m/s"}, {"period", "s"}};
  const double gap[] = {NAN, NAN, NAN, NAN};
  br_status st = bri_phase_open(q, stable ? "cycles-stable" : "cycles-unstable", 4, head, err);
  for (size_t i = 0; i < g->nbranch && !st; i++) {
    size_t n = 0;
    const br_phase_row *row = br_phase_branch_rows(g->branch[i], &n);
    for (size_t k = 0; k < n && !st; k++) {
      const int here = row[k].stable == stable, before = k > 0 && row[k - 1].stable == stable;
      const double r[] = {row[k].value, row[k].v_min, row[k].v_max, row[k].period};
      if (here || before) st = br_put_row(q->out, r, err);
      if (!st && !here && before) st = br_put_row(q->out, gap, err);
    }
    if (!st) st = br_put_row(q->out, gap, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* Where an event lies in the diagram: its equilibrium, or the largest velocity of the nearest cycle. */
static double height(const bri_general *g, const br_phase_event *e)
{
  double best = INFINITY, v = e->v;
  if (!isnan(v)) return v;
  for (size_t i = 0; i < g->nbranch; i++) {
    size_t n = 0;
    const br_phase_row *row = br_phase_branch_rows(g->branch[i], &n);
    for (size_t k = 0; k < n; k++)
      if (fabs(row[k].value - e->value) < best) best = fabs(row[k].value - e->value), v = row[k].v_max;
  }
  return v;
}

static br_status main_table(bri_general *g, const bri_rests *r, br_err *err)
{
  bri_question *q = g->q;
  br_status st = bri_diagram_open(q, err);
  if (!st) st = bri_rests_rows(q, r, err);
  for (size_t i = 0; i < g->nbranch && !st; i++) {
    size_t n = 0;
    const br_phase_row *c = br_phase_branch_rows(g->branch[i], &n);
    for (size_t k = 0; k < n && !st; k++) {
      const bri_diagram_row row = {c[k].value, 1,          c[k].stable, i,          c[k].v_min,
                                   c[k].v_max, c[k].z_min, c[k].z_max,  c[k].period};
      st = bri_diagram_put(q, &row, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

br_status bri_general_diagram(bri_general *g, br_err *err)
{
  bri_rests r = {0};
  br_status st = bri_rests_find(g->q, SAMPLES, g->event, g->nevent, rests_at, g, &r, err);
  if (!st) st = bri_rests_tables(g->q, &r, err);
  if (!st) st = cycle_table(g, 1, err);
  if (!st) st = cycle_table(g, 0, err);
  for (size_t i = 0; i < g->nevent && !st; i++)
    st = bri_event_point(g->q, i, &g->event[i], height(g, &g->event[i]), err);
  return st ? st : main_table(g, &r, err);
}
