/* SPDX-License-Identifier: Apache-2.0
 * analysis_diagram.c - the bifurcation diagram of the plane: sliding equilibria and cycles along the range by
 * stability, each event as a point with its name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rests.h"

enum { SAMPLES = 200, MOST_PIECES = 256 };

/* ---- equilibria ---- */

/* The sliding ones: the first is the sticking one. */
static br_status rests_at(void *ctx, double x, bri_rest *out, size_t *n, br_err *err)
{
  const bri_question *q = ctx;
  br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
  size_t found = 0;
  const br_status st = br_phase_equilibria(q->phase, x, BR_PHASE_MOST_EQUILIBRIA, e, &found, err);
  *n = 0;
  for (size_t k = 1; k < found && k < BR_PHASE_MOST_EQUILIBRIA && !st; k++)
    out[(*n)++] = (bri_rest){e[k].v, e[k].z, bri_rest_class(e[k].type)};
  return st;
}

/* ---- cycles: pieces of one stability, as a list of points (value, v_min, v_max) ---- */

typedef struct {
  int stable;
  double *x, *lo, *hi; /* of the branch itself */
  size_t n;
  double (*point)[3]; /* what is drawn: with places between, within the range */
  size_t npoint;
} piece;

typedef struct {
  bri_question *q;
  piece piece[MOST_PIECES];
  size_t n;
} branches;

static br_status keep(void *ctx, int stable, const double *s1, const double *lo, const double *hi, size_t n)
{
  branches *k = ctx;
  if (k->n == MOST_PIECES || n == 0) return BR_OK;
  double *m = bri_phase_get(k->q, 3 * n * sizeof *m);
  if (!m) return BR_E_NOMEM;
  const piece p = {stable, m, m + n, m + 2 * n, n, NULL, 0};
  memcpy(p.x, s1, n * sizeof *m);
  memcpy(p.lo, lo, n * sizeof *m);
  memcpy(p.hi, hi, n * sizeof *m);
  k->piece[k->n++] = p;
  return BR_OK;
}

/* The cycle of this stability at a value whose greatest velocity lies between lo and hi, into row; *found 0:
 * none there, or none that can be computed. */
static br_status between(const bri_question *q, int stable, double value, double lo, double hi, double row[3],
                         int *found, br_err *err)
{
  br_phase_cycle c[BR_PHASE_MOST_CYCLES];
  size_t n = 0;
  const double room = 0.02 * fabs(hi - lo);
  *found = 0;
  const br_status st = br_phase_cycles(q->phase, value, BR_PHASE_MOST_CYCLES, c, &n, err);
  if (st) return st == BR_E_NOMEM || st == BR_INTERRUPTED ? st : BR_OK;
  for (size_t i = 0; i < n && i < BR_PHASE_MOST_CYCLES && !*found; i++) {
    if (c[i].stable != stable || c[i].v_max < fmin(lo, hi) - room || c[i].v_max > fmax(lo, hi) + room)
      continue;
    row[0] = value, row[1] = c[i].v_min, row[2] = c[i].v_max;
    *found = 1;
  }
  return BR_OK;
}

/* How many steps from point j - 1 to point j within the range; points further apart get places between. */
static int steps(const bri_question *q, const piece *p, size_t j, double *from, double *to)
{
  const double width = q->vary.b - q->vary.a;
  *from = fmin(fmax(p->x[j - 1], q->vary.a), q->vary.b);
  *to = fmin(fmax(p->x[j], q->vary.a), q->vary.b);
  return (int)ceil(fabs(*to - *from) / (0.02 * width));
}

static br_status fill(bri_question *q, piece *p, br_err *err)
{
  double from = 0, to = 0;
  size_t room = p->n;
  br_status st = BR_OK;
  for (size_t j = 1; j < p->n; j++) room += (size_t)steps(q, p, j, &from, &to) + 1;
  p->point = bri_phase_get(q, room * sizeof *p->point);
  if (!p->point) return bri_phase_no_memory(err);
  for (size_t j = 0; j < p->n && !st; j++) {
    const double row[3] = {p->x[j], p->lo[j], p->hi[j]};
    const int n = j > 0 ? steps(q, p, j, &from, &to) : 0;
    for (int i = 0; i <= n && n > 1 && !st; i++) {
      int found = 0;
      st = between(q, p->stable, from + (to - from) * i / n, p->hi[j - 1], p->hi[j], p->point[p->npoint],
                   &found, err);
      p->npoint += (size_t)found;
    }
    if (!st && p->x[j] >= q->vary.a && p->x[j] <= q->vary.b) memcpy(p->point[p->npoint++], row, sizeof row);
  }
  return st;
}

static br_status cycle_table(branches *k, int stable, br_err *err)
{
  bri_question *q = k->q;
  const br_column head[] = {{q->vary.name, q->vary.unit}, {"v_min", "m/s"}, {"v_max", "m/s"}};
  const double gap[] = {NAN, NAN, NAN};
  size_t any = 0;
  for (size_t i = 0; i < k->n; i++) any += k->piece[i].stable == stable;
  if (!any) return BR_OK;
  br_status st = bri_phase_open(q, stable ? "cycles-stable" : "cycles-unstable", 3, head, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const piece *p = &k->piece[i];
    if (p->stable != stable) continue;
    for (size_t j = 0; j < p->npoint && !st; j++) st = br_put_row(q->out, p->point[j], err);
    if (!st) st = br_put_row(q->out, gap, err);
  }
  return st ? st : br_put_end(q->out, err);
}

/* Greatest velocity of the cycles nearest to a value: where a fold of cycles lies in the diagram. */
static double height(const branches *k, double value)
{
  double best = INFINITY, v = NAN;
  for (size_t i = 0; i < k->n; i++) {
    for (size_t j = 0; j < k->piece[i].n; j++) {
      const double d = fabs(k->piece[i].x[j] - value);
      if (d < best) best = d, v = k->piece[i].hi[j];
    }
  }
  return v;
}

/* ---- all of it ---- */

static br_status main_table(bri_question *q, const bri_rests *r, const branches *k, br_err *err)
{
  br_status st = bri_diagram_open(q, err);
  if (!st) st = bri_rests_rows(q, r, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    for (size_t j = 0; j < k->piece[i].npoint && !st; j++) {
      const double *p = k->piece[i].point[j];
      const bri_diagram_row row = {p[0], 1, k->piece[i].stable, i, p[1], p[2], NAN, NAN, NAN};
      st = bri_diagram_put(q, &row, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

/* Pieces of branches for the JSON object. */
static br_status put_branches(const branches *k, br_err *err)
{
  br_sink *out = k->q->out;
  br_status st = BR_OK;
  br_put(out, BR_VALUE_LIST, 0, "branches");
  for (size_t i = 0; i < k->n && !st; i++) {
    const piece *p = &k->piece[i];
    char path[3][48];
    static const char *const NAMES[] = {"value", "v_min", "v_max"};
    br_column head[3];
    for (int c = 0; c < 3; c++) {
      (void)snprintf(path[c], sizeof path[c], "branches.%zu.%s", i, NAMES[c]);
      head[c] = (br_column){NAMES[c], c ? "m/s" : k->q->vary.unit, path[c]};
    }
    const br_table_head h = {
        .name = "branches", .shape = BR_TABLE_ARRAYS, .ncol = 3, .columns = head, .rows = p->n};
    st = br_put_table(out, &h, err);
    for (size_t j = 0; j < p->n && !st; j++) {
      const double row[] = {p->x[j], p->lo[j], p->hi[j]};
      st = br_put_row(out, row, err);
    }
    if (!st) st = br_put_end(out, err);
    for (size_t j = 0; j < p->n; j++) br_put_flag(out, p->stable, "branches.%zu.stable.%zu", i, j);
  }
  return st;
}

br_status bri_phase_diagram(bri_question *q, br_err *err)
{
  const int details = br_sink_wants(q->out, "branches"), whole = bri_phase_draws(q, "equilibria-stable");
  branches *k = whole || details ? bri_phase_get(q, sizeof *k) : NULL;
  bri_rests r = {0};
  size_t n = 0;
  if (!whole && !details) return BR_OK;
  if (!k) return bri_phase_no_memory(err);
  k->q = q;
  const br_phase_event *e = br_phase_events(q->phase, &n);
  br_status st = whole ? bri_rests_find(q, SAMPLES, e, n, rests_at, q, &r, err) : BR_OK;
  if (!st && whole) st = bri_rests_tables(q, &r, err);
  if (!st && strcmp(q->vary.bare, "sigma1") == 0) st = br_phase_branches(q->phase, keep, k, err);
  if (!st && details) st = put_branches(k, err);
  if (!st) st = br_sink_alive(q->out, 0.5, err);
  for (size_t i = 0; i < k->n && !st && whole; i++) st = fill(q, &k->piece[i], err);
  if (st || !whole) return st;
  st = cycle_table(k, 1, err);
  if (!st) st = cycle_table(k, 0, err);
  for (size_t i = 0; i < n && !st; i++)
    st = bri_event_point(q, i, &e[i], isnan(e[i].v) ? height(k, e[i].value) : e[i].v, err);
  return st ? st : main_table(q, &r, k, err);
}
