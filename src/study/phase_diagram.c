/* SPDX-License-Identifier: Apache-2.0
 * phase_diagram.c - tables of the bifurcation diagram: sliding equilibria and cycles along the range by
 * stability, each event as a point with its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phase_study.h"

enum { SAMPLES = 400, MOST_PIECES = 256 };

static br_status no_memory(br_err *err) { return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory"); }

/* ---- equilibria ---- */

enum { STABLE, UNSTABLE, SADDLE, CLASSES };
static const char *const CLASS[] = {"stable", "unstable", "saddle"};

static int class_of(const br_equilibrium *q)
{
  return strncmp(q->type, "stable", 6) == 0 ? STABLE : strcmp(q->type, "saddle") == 0 ? SADDLE : UNSTABLE;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Equally spaced values, and both sides of each event, so that lines end where the stability changes. */
static size_t values(const bri_phase_job *b, double *x)
{
  size_t n = 0, events = 0;
  const br_phase_event *e = br_phase_events(b->phase, &events);
  const double width = b->vary.b - b->vary.a;
  for (int i = 0; i < SAMPLES; i++) x[n++] = b->vary.a + width * i / (SAMPLES - 1);
  for (size_t i = 0; i < events; i++) {
    for (int side = -1; side <= 1; side += 2) {
      const double near = e[i].value + 1e-9 * side * width;
      if (near > b->vary.a && near < b->vary.b) x[n++] = near;
    }
  }
  qsort(x, n, sizeof *x, ascending);
  return n;
}

/* One class into its table: branch after branch, a gap where another class or number lies between. */
static br_status equilibrium_table(bri_phase_job *b, int class, const double *x, size_t n,
                                   const br_equilibrium *q, const size_t *count, br_err *err)
{
  char name[48];
  const char *const names[] = {b->vary.name, "v", "z"}, *const units[] = {b->vary.unit, "m/s", "m"};
  const double gap[] = {NAN, NAN, NAN};
  size_t any = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 1; k < count[i]; k++) any += class_of(&q[i * BR_PHASE_MOST_EQUILIBRIA + k]) == class;
  }
  if (!any) return BR_OK;
  (void)snprintf(name, sizeof name, "equilibria-%s", CLASS[class]);
  br_status st = bri_sink_table(b->out, name, 3, names, units, err);
  for (size_t k = 1; k < BR_PHASE_MOST_EQUILIBRIA && !st; k++) {
    int open = 0;
    for (size_t i = 0; i <= n && !st; i++) {
      const br_equilibrium *e = i < n ? &q[i * BR_PHASE_MOST_EQUILIBRIA + k] : NULL;
      const int here = i < n && k < count[i] && class_of(e) == class,
                cut = i < n && i > 0 && count[i] != count[i - 1];
      if (open && (!here || cut)) st = bri_sink_row(b->out, gap, err), open = 0;
      if (st || !here) continue;
      const double row[] = {x[i], e->v, e->z};
      st = bri_sink_row(b->out, row, err);
      open = 1;
    }
  }
  return st ? st : bri_sink_end(b->out, err);
}

static br_status equilibria(bri_phase_job *b, br_err *err)
{
  size_t events = 0;
  (void)br_phase_events(b->phase, &events);
  const size_t most = SAMPLES + 2 * events;
  double *x = bri_arena_get(b->arena, most * sizeof *x);
  br_equilibrium *q = bri_arena_get(b->arena, most * BR_PHASE_MOST_EQUILIBRIA * sizeof *q);
  size_t *count = bri_arena_get(b->arena, most * sizeof *count);
  if (!x || !q || !count) return no_memory(err);
  const size_t n = values(b, x);
  br_status st = BR_OK;
  for (size_t i = 0; i < n && !st; i++) {
    st = br_phase_equilibria(b->phase, x[i], BR_PHASE_MOST_EQUILIBRIA, q + i * BR_PHASE_MOST_EQUILIBRIA,
                             &count[i], err);
    if (count[i] > BR_PHASE_MOST_EQUILIBRIA) count[i] = BR_PHASE_MOST_EQUILIBRIA;
  }
  for (int class = 0; class < CLASSES && !st; class ++) st = equilibrium_table(b, class, x, n, q, count, err);
  return st;
}

/* ---- cycles: pieces of one stability, kept until their table is open ---- */

typedef struct {
  int stable;
  double *x, *lo, *hi;
  size_t n;
} piece;

typedef struct {
  bri_phase_job *b;
  piece piece[MOST_PIECES];
  size_t n;
} branches;

static br_status keep(void *ctx, int stable, const double *s1, const double *lo, const double *hi, size_t n)
{
  branches *k = ctx;
  if (k->n == MOST_PIECES || n == 0) return BR_OK;
  double *m = bri_arena_get(k->b->arena, 3 * n * sizeof *m);
  if (!m) return BR_E_NOMEM;
  const piece p = {stable, m, m + n, m + 2 * n, n};
  memcpy(p.x, s1, n * sizeof *m);
  memcpy(p.lo, lo, n * sizeof *m);
  memcpy(p.hi, hi, n * sizeof *m);
  k->piece[k->n++] = p;
  return BR_OK;
}

/* The cycle of this stability at a value whose greatest velocity lies between lo and hi, into row; *found 0: none
 * there, or none that can be computed. */
static br_status between(bri_phase_job *b, int stable, double value, double lo, double hi, double row[3],
                         int *found, br_err *err)
{
  br_phase_cycle c[BR_PHASE_MOST_CYCLES];
  size_t n = 0;
  const double room = 0.02 * fabs(hi - lo);
  *found = 0;
  const br_status st = br_phase_cycles(b->phase, value, BR_PHASE_MOST_CYCLES, c, &n, err);
  if (st) return st == BR_E_NOMEM || st == BR_INTERRUPTED ? st : BR_OK;
  for (size_t i = 0; i < n && i < BR_PHASE_MOST_CYCLES && !*found; i++) {
    if (c[i].stable != stable || c[i].v_max < fmin(lo, hi) - room || c[i].v_max > fmax(lo, hi) + room)
      continue;
    row[0] = value, row[1] = c[i].v_min, row[2] = c[i].v_max;
    *found = 1;
  }
  return BR_OK;
}

/* From point j - 1 of a piece to point j: places between where they lie far apart; the end of the range. */
static br_status fill_in(branches *k, const piece *p, size_t j, br_err *err)
{
  bri_phase_job *b = k->b;
  const double width = b->vary.b - b->vary.a, from = fmin(fmax(p->x[j - 1], b->vary.a), b->vary.b),
               to = fmin(fmax(p->x[j], b->vary.a), b->vary.b);
  const int n = (int)ceil(fabs(to - from) / (0.02 * width));
  br_status st = BR_OK;
  for (int i = 0; i <= n && n > 1 && !st; i++) {
    double row[3];
    int found = 0;
    st = between(b, p->stable, from + (to - from) * i / n, p->hi[j - 1], p->hi[j], row, &found, err);
    if (!st && found) st = bri_sink_row(b->out, row, err);
  }
  return st;
}

static br_status cycle_table(branches *k, int stable, br_err *err)
{
  bri_phase_job *b = k->b;
  const char *const names[] = {b->vary.name, "v_min", "v_max"}, *const units[] = {b->vary.unit, "m/s", "m/s"};
  const double gap[] = {NAN, NAN, NAN};
  size_t any = 0;
  for (size_t i = 0; i < k->n; i++) any += k->piece[i].stable == stable;
  if (!any) return BR_OK;
  br_status st = bri_sink_table(b->out, stable ? "cycles-stable" : "cycles-unstable", 3, names, units, err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const piece *p = &k->piece[i];
    if (p->stable != stable) continue;
    for (size_t j = 0; j < p->n && !st; j++) {
      const double row[] = {p->x[j], p->lo[j], p->hi[j]};
      if (j > 0) st = fill_in(k, p, j, err);
      if (!st && p->x[j] >= b->vary.a && p->x[j] <= b->vary.b) st = bri_sink_row(b->out, row, err);
    }
    if (!st) st = bri_sink_row(b->out, gap, err);
  }
  return st ? st : bri_sink_end(b->out, err);
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

/* ---- events ---- */

br_status bri_phase_event_point(bri_phase_job *b, size_t i, const br_phase_event *e, double v, br_err *err)
{
  static const char *const WORDS[] = {[BR_PHASE_HOPF] = "Hopf",
                                      [BR_PHASE_FOLD] = "fold",
                                      [BR_PHASE_FOLD_OF_CYCLES] = "fold",
                                      [BR_PHASE_HOMOCLINIC] = "homoclinic",
                                      [BR_PHASE_PERIOD_DOUBLING] = "doubling",
                                      [BR_PHASE_GENERALIZED_HOPF] = "generalised Hopf"};
  const char *const names[] = {b->vary.name, "v"}, *const units[] = {b->vary.unit, "m/s"};
  const double *const columns[] = {&e->value, &v};
  char name[48], words[64];
  if (isnan(v)) return BR_OK;
  (void)snprintf(name, sizeof name, "%.20s%zu", br_phase_event_name(e->type), i);
  (void)snprintf(words, sizeof words, "%s %.5g", WORDS[e->type], e->value);
  bri_sink_label(b->out, words, "%s.label", name);
  return bri_phase_table(b, name, 2, names, units, columns, 1, err);
}

static br_status events(branches *k, br_err *err)
{
  size_t n = 0;
  br_status st = BR_OK;
  const br_phase_event *e = br_phase_events(k->b->phase, &n);
  for (size_t i = 0; i < n && !st; i++)
    st = bri_phase_event_point(k->b, i, &e[i], isnan(e[i].v) ? height(k, e[i].value) : e[i].v, err);
  return st;
}

br_status bri_phase_diagram(bri_phase_job *b, br_err *err)
{
  branches *k = bri_arena_get(b->arena, sizeof *k);
  if (!k) return no_memory(err);
  k->b = b;
  br_status st = equilibria(b, err);
  if (!st && strcmp(b->vary.name, "sigma1") == 0) st = br_phase_branches(b->phase, keep, k, err);
  if (!st) st = bri_sink_alive(b->out, 0.5);
  if (!st) st = cycle_table(k, 1, err);
  if (!st) st = cycle_table(k, 0, err);
  return st ? st : events(k, err);
}
