/* SPDX-License-Identifier: Apache-2.0
 * general_diagram.c - the bifurcation diagram of any mechanism: sliding equilibria and branches of cycles along the
 * range by stability, each event as a point with its name. */
#include <math.h>
#include <string.h>

#include "general.h"

enum { SAMPLES = 60, MOST_STEADY = 8 };

/* Sliding equilibria by ascending speed at equally spaced values, n[i] of them at x[i]. */
typedef struct {
  double x[SAMPLES];
  size_t n[SAMPLES];
  br_phase_steady s[SAMPLES][MOST_STEADY];
} rests;

static br_status find_rests(const bri_general *g, rests *r, br_err *err)
{
  const bri_vary *v = &g->q->vary;
  for (int i = 0; i < SAMPLES; i++) {
    r->x[i] = v->a + (v->b - v->a) * i / (SAMPLES - 1);
    const br_status st =
        br_phase_steady_all(&g->p, v->where, v->slot, r->x[i], MOST_STEADY, r->s[i], &r->n[i], err);
    if (st && st != BR_E_CONVERGE) return st;
    if (r->n[i] > MOST_STEADY) r->n[i] = MOST_STEADY;
  }
  return BR_OK;
}

static int class_of(const br_phase_steady *s)
{
  return strncmp(s->type, "stable", 6) == 0 ? 0 : strcmp(s->type, "saddle") == 0 ? 2 : 1;
}

/* A table per class; the k-th of one value joins the k-th of the next. */
static br_status rest_table(bri_general *g, int class, const rests *r, br_err *err)
{
  static const char *const NAME[] = {"equilibria-stable", "equilibria-unstable", "equilibria-saddle"};
  bri_question *q = g->q;
  const br_column head[] = {{q->vary.name, q->vary.unit, NULL}, {"v", "m/s", NULL}, {"z", "m", NULL}};
  const double gap[] = {NAN, NAN, NAN};
  br_status st = bri_phase_open(q, NAME[class], 3, head, err);
  for (size_t k = 0; k < MOST_STEADY; k++) {
    int open = 0;
    for (int i = 0; i < SAMPLES && !st; i++) {
      const br_phase_steady *e = &r->s[i][k];
      const int here = k < r->n[i] && class_of(e) == class && (i == 0 || r->n[i] == r->n[i - 1] || !open);
      const double row[] = {r->x[i], e->v, e->z};
      if (here) st = br_put_row(q->out, row, err);
      else if (open) st = br_put_row(q->out, gap, err);
      open = here;
    }
    if (!st && open) st = br_put_row(q->out, gap, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* Rows of one stability; the row behind the last joins it to what follows. */
static br_status cycle_table(bri_general *g, int stable, br_err *err)
{
  bri_question *q = g->q;
  const br_column head[] = {{q->vary.name, q->vary.unit, NULL},
                            {"v_min", "m/s", NULL},
                            {"v_max", "m/s", NULL},
                            {"period", "s", NULL}};
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

static br_status main_table(bri_general *g, const rests *r, br_err *err)
{
  bri_question *q = g->q;
  br_status st = bri_diagram_open(q, err);
  for (size_t k = 0; k < MOST_STEADY; k++) {
    for (int i = 0; i < SAMPLES && !st; i++) {
      const br_phase_steady *e = &r->s[i][k];
      if (k >= r->n[i]) continue;
      const bri_diagram_row row = {r->x[i], 0, class_of(e) == 0, k, e->v, e->v, e->z, e->z, NAN};
      st = bri_diagram_put(q, &row, err);
    }
  }
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
  rests *r = bri_phase_get(g->q, sizeof *r);
  if (!r) return bri_phase_no_memory(err);
  br_status st = find_rests(g, r, err);
  for (int class = 0; class < 3 && !st; class ++) st = rest_table(g, class, r, err);
  if (!st) st = cycle_table(g, 1, err);
  if (!st) st = cycle_table(g, 0, err);
  for (size_t i = 0; i < g->nevent && !st; i++)
    st = bri_event_point(g->q, i, &g->event[i], height(g, &g->event[i]), err);
  return st ? st : main_table(g, r, err);
}
