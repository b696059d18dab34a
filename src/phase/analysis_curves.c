/* SPDX-License-Identifier: Apache-2.0
 * analysis_curves.c - curves of events over two parameters.  What br_phase_curves() finds are points, at each value of
 * one of the two all along the other: they are joined to curves here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codimension.h"
#include "phase_internal.h"
#include "question.h"

static int alive(void *ctx, double done)
{
  bri_question *q = ctx;
  return br_sink_alive(q->out, 0.3 + 0.7 * done, NULL) != BR_OK;
}

enum { MOST_EVENTS = 4096, MOST_CHAINS = 64 };
typedef struct {
  bri_question *q;
  br_phase_event (*list)[MOST_EVENTS]; /* by type */
  size_t n[BR_PHASE_EVENT_TYPES],
      lines; /* values of the stepped parameter: the second one, or (swapped) the first */
  int swapped;
} curves;

static br_status keep(void *ctx, const br_phase_event *e)
{
  curves *k = ctx;
  size_t *n = &k->n[e->type];
  if (*n < MOST_EVENTS && e->value >= k->q->vary.a && e->value <= k->q->vary.b) k->list[e->type][(*n)++] = *e;
  return br_sink_alive(k->q->out, 0.5, NULL);
}

/* All types in one. */
static br_status main_table(const curves *k, br_err *err)
{
  bri_question *q = k->q;
  const br_column head[] = {{q->vary.name, q->vary.unit, NULL},
                            {q->vary2.name, q->vary2.unit, NULL},
                            {"type", "1", NULL},
                            {"v", "m/s", NULL},
                            {"omega", "1/s", NULL},
                            {"lyapunov", "1", NULL},
                            {"saddle_quantity", "1/s", NULL}};
  const br_table_head h = {.name = "phase", .shape = bri_phase_shape(q, "phase"), .ncol = 7, .columns = head};
  br_status st = br_put_table(q->out, &h, err);
  for (int t = 0; t < BR_PHASE_EVENT_TYPES; t++) {
    for (size_t i = 0; i < k->n[t] && !st; i++) {
      const br_phase_event *e = &k->list[t][i];
      const double row[] = {e->value, e->value2, (double)t, e->v, e->omega, e->lyapunov, e->saddle_quantity};
      st = br_put_row(q->out, row, err);
    }
  }
  return st ? st : br_put_end(q->out, err);
}

/* A curve under construction: the numbers of its points, and the last two places. */
typedef struct {
  size_t *index, n;
  double across[2], along[2]; /* the stepped parameter, the other one: before, last */
} chain;

static const char *const CURVE[BR_PHASE_EVENT_TYPES] = {[BR_PHASE_FOLD] = "fold_of_equilibria"};

/* How far an event lies from where a curve would go on, in parts of the range; infinite: it is none of it. */
static double miss(const curves *k, const chain *c, const br_phase_event *list, const br_phase_event *e,
                   double across, double along, double step)
{
  const bri_vary *v = k->swapped ? &k->q->vary2 : &k->q->vary;
  const double passed = across - c->across[1], before = c->across[1] - c->across[0];
  if (!(passed > 0) || passed > 1.5 * step) return INFINITY;
  const br_phase_event *last = &list[c->index[c->n - 1]];
  if (e->type == BR_PHASE_HOPF ? fabs(e->v - last->v) > 0.2 * last->v : strcmp(last->loop, e->loop) != 0)
    return INFINITY; /* an equilibrium keeps its speed, not its number */
  const double slope = c->n > 1 && before > 0 ? (c->along[1] - c->along[0]) / before : 0;
  const double there = fabs(along - c->along[1] - slope * passed) / (v->b - v->a);
  return there < 0.15 ? there : INFINITY;
}

/* The points of one type as chains. */
static br_status join(const curves *k, int type, chain *chains, size_t *count, br_err *err)
{
  const br_phase_event *list = k->list[type];
  const bri_vary *v = k->swapped ? &k->q->vary : &k->q->vary2;
  const double step = (v->b - v->a) / (double)(k->lines - 1);
  size_t *room = bri_phase_get(k->q, (size_t)MOST_CHAINS * k->n[type] * sizeof *room);
  if (!room) return bri_phase_no_memory(err);
  *count = 0;
  for (size_t i = 0; i < k->n[type]; i++) {
    const double across = k->swapped ? list[i].value : list[i].value2,
                 along = k->swapped ? list[i].value2 : list[i].value;
    chain *best = NULL;
    double least = INFINITY;
    for (size_t c = 0; c < *count; c++) {
      /* folds of equilibria do not move with sigma1: both ends of a line across */
      const int pair = type == BR_PHASE_FOLD && chains[c].n == 1 && chains[c].across[1] == across;
      const double far = pair ? 0 : miss(k, &chains[c], list, &list[i], across, along, step);
      if (far < least) least = far, best = &chains[c];
    }
    if (!best && *count == MOST_CHAINS) continue;
    if (!best) {
      best = &chains[*count];
      *best = (chain){room + (*count)++ * k->n[type], 0, {NAN, NAN}, {NAN, NAN}};
    }
    best->index[best->n++] = i;
    best->across[0] = best->across[1], best->across[1] = across;
    best->along[0] = best->along[1], best->along[1] = along;
  }
  return BR_OK;
}

static br_status put_type(const curves *k, int type, br_err *err)
{
  bri_question *q = k->q;
  const br_column head[] = {{q->vary2.name, q->vary2.unit, NULL}, {q->vary.name, q->vary.unit, NULL}};
  const char *word = CURVE[type] ? CURVE[type] : br_phase_event_name((br_phase_event_type)type);
  chain chains[MOST_CHAINS];
  size_t count = 0;
  br_status st = join(k, type, chains, &count, err);
  for (size_t c = 0; c < count && !st; c++) {
    char name[64];
    (void)snprintf(name, sizeof name, "curve-%s%zu", word, c);
    st = bri_phase_open(q, name, 2, head, err);
    for (size_t i = 0; i < chains[c].n && !st; i++) {
      const br_phase_event *e = &k->list[type][chains[c].index[i]];
      const double row[] = {e->value2, e->value};
      st = br_put_row(q->out, row, err);
    }
    if (!st) st = br_put_end(q->out, err);
  }
  if (!st) br_put_number(q->out, "1", (double)count, "curves.%s", word);
  return st;
}

/* ---- where two events meet ---- */

static br_status put_point(const curves *k, const char *type, size_t number, size_t *count, double value,
                           double value2, double v, br_err *err)
{
  bri_question *q = k->q;
  const br_column head[] = {{q->vary2.name, q->vary2.unit, NULL}, {q->vary.name, q->vary.unit, NULL}};
  const double row[] = {value2, value};
  char name[64];
  if (!(value >= q->vary.a && value <= q->vary.b && value2 >= q->vary2.a && value2 <= q->vary2.b))
    return BR_OK;
  br_put_text(q->out, type, "codimension_two.%zu.type", *count);
  br_put_number(q->out, q->vary.unit, value, "codimension_two.%zu.value", *count);
  br_put_number(q->out, q->vary2.unit, value2, "codimension_two.%zu.value2", *count);
  br_put_number(q->out, "m/s", v, "codimension_two.%zu.v", *count);
  ++*count;
  (void)snprintf(name, sizeof name, "curve-%s%zu", type, number);
  br_status st = bri_phase_open(q, name, 2, head, err);
  if (!st) st = br_put_row(q->out, row, err);
  return st ? st : br_put_end(q->out, err);
}

static br_status meetings(const curves *k, br_err *err)
{
  bri_question *q = k->q;
  const int along = strcmp(q->vary.bare, "sigma1") == 0;
  const char *other = k->swapped ? q->vary.bare : q->vary2.bare;
  bri_plane p;
  size_t count = 0, number = 0;
  double seen = NAN;
  br_err why = {BR_OK, -1, ""};
  br_status st = bri_plane_of(q->problem.model, q->problem.par, q->problem.m, q->problem.F, &p, err);
  for (size_t i = 0; (along || k->swapped) && i < k->n[BR_PHASE_FOLD] && !st; i++) {
    const br_phase_event *e = &k->list[BR_PHASE_FOLD][i];
    double value = k->swapped ? e->value : e->value2, v = e->v, sigma1 = 0;
    const int which = bri_vary_find(q->problem.model, other, &why);
    if (which < 0 || !bri_bogdanov_takens(&p, which, &value, &v, &sigma1) || fabs(v - seen) < 1e-9 * v)
      continue;
    seen = v;
    st = put_point(k, "bogdanov_takens", number++, &count, k->swapped ? value : sigma1,
                   k->swapped ? sigma1 : value, v, err);
  }
  const int force = strcmp(q->vary.bare, "F") == 0 && strcmp(q->vary2.bare, "sigma2") == 0,
            viscous = strcmp(q->vary.bare, "sigma2") == 0 && strcmp(q->vary2.bare, "F") == 0;
  double v = 0, F = 0, sigma2 = 0;
  if (!st && (force || viscous) && bri_cusp(&p, &v, &F, &sigma2))
    st = put_point(k, "cusp", 0, &count, force ? F : sigma2, force ? sigma2 : F, v, err);
  return st;
}

br_status bri_phase_curve_tables(bri_question *q, br_err *err)
{
  curves k = {.q = q, .list = bri_phase_get(q, BR_PHASE_EVENT_TYPES * sizeof *k.list)};
  if (!k.list) return bri_phase_no_memory(err);
  /* a line of events costs little along sigma1 and about a second along others */
  const int fast = strcmp(q->vary.bare, "sigma1") == 0 || strcmp(q->vary2.bare, "sigma1") == 0;
  k.swapped = strcmp(q->vary2.bare, "sigma1") == 0;
  k.lines = q->grid >= 2 ? q->grid : fast ? 120 : 30;
  const br_case_map_settings set = {q->vary.name, q->vary2.name, q->vary.a, q->vary.b,
                                    q->vary2.a,   q->vary2.b,    0,         k.lines,
                                    q->threads,   alive,         q};
  br_status st = br_phase_curves(&q->problem, &set, keep, &k, err);
  for (int t = 0; t < BR_PHASE_EVENT_TYPES && !st; t++)
    if (k.n[t]) st = put_type(&k, t, err);
  if (!st) st = meetings(&k, err);
  return st ? st : main_table(&k, err);
}
