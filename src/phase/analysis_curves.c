/* SPDX-License-Identifier: Apache-2.0
 * analysis_curves.c - curves of events over two parameters.  What br_phase_curves() finds are points, at each
 * value of one of the two all along the other: they are joined to curves here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "codimension.h"
#include "phase_internal.h"
#include "question.h"

static int alive(void *ctx, double done)
{
  bri_question *q = ctx;
  return br_sink_alive(q->out, 0.3 + 0.7 * done, NULL) != BR_OK;
}

enum { MOST_EVENTS = 4096, MOST_CHAINS = 64, MOST_MEETINGS = 16, BESIDE = 24 };
typedef struct {
  bri_question *q;
  br_phase_event (*list)[MOST_EVENTS]; /* by type */
  size_t n[BR_PHASE_EVENT_TYPES],
      lines; /* values of the stepped parameter: the second one, or (swapped) the first */
  int swapped;
  struct { /* Bogdanov-Takens points: the stepped parameter, sigma1, speed */
    double other, sigma1, v;
  } meet[MOST_MEETINGS];
  size_t nmeet;
  bri_plane plane;
  int which;     /* the stepped parameter, where the other one is sigma1; -1: it is not */
  size_t points; /* of codimension two, so far */
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
  const br_column head[] = {{q->vary.name, q->vary.unit},
                            {q->vary2.name, q->vary2.unit},
                            {"type", "1"},
                            {"v", "m/s"},
                            {"omega", "1/s"},
                            {"lyapunov", "1"},
                            {"saddle_quantity", "1/s"}};
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

static br_status put_place(const curves *k, double other, double sigma1, br_err *err)
{
  const double row[] = {k->swapped ? sigma1 : other, k->swapped ? other : sigma1};
  return br_put_row(k->q->out, row, err);
}

/* The event of that curve at another value of the stepped parameter; 0: it is not there. */
static int event_at(const curves *k, const br_phase_event *like, double other, br_phase_event *out)
{
  const bri_vary *w = k->swapped ? &k->q->vary2 : &k->q->vary;
  br_phase_event list[BRI_EVENTS];
  size_t n = 0;
  if (bri_phase_slice(&k->plane, k->which, other, w->a, w->b, list, &n, NULL)) return 0;
  for (size_t i = 0; i < n; i++)
    if (list[i].type == like->type && strcmp(list[i].loop, like->loop) == 0) {
      *out = list[i];
      out->value = k->swapped ? other : list[i].value, out->value2 = k->swapped ? list[i].value : other;
      return 1;
    }
  return 0;
}

/* Does the loop go round the equilibrium whose Hopf curve ends in that point? */
static int born_there(const curves *k, const br_phase_event *loop, size_t meeting)
{
  for (size_t i = 0; i < k->n[BR_PHASE_HOPF]; i++) {
    const br_phase_event *h = &k->list[BR_PHASE_HOPF][i];
    const double beside = (k->swapped ? h->value - loop->value : h->value2 - loop->value2);
    if (beside == 0 && strcmp(h->loop, loop->loop) == 0)
      return fabs(h->v - k->meet[meeting].v) < 0.5 * k->meet[meeting].v;
  }
  return 0;
}

/* The fold of equilibria (with its Bogdanov-Takens point) beside an end of a curve, 0 first, 1 last; nmeet:
 * none. */
static size_t fold_beside(const curves *k, const br_phase_event *e, int last)
{
  const bri_vary *v = k->swapped ? &k->q->vary : &k->q->vary2;
  const double step = (v->b - v->a) / (double)(k->lines - 1), across = k->swapped ? e->value : e->value2;
  size_t i = 0;
  for (; i < k->nmeet; i++) {
    const double beyond = last ? k->meet[i].other - across : across - k->meet[i].other;
    if (beyond >= 0 && beyond <= 1.5 * step &&
        (e->type != BR_PHASE_HOPF || fabs(e->v - k->meet[i].v) < 0.5 * k->meet[i].v))
      break;
  }
  return i;
}

/* Where the curve is at part 0..1 of the way from its end to that fold: Hopf points by their speed, exactly;
 * loops by a line of events of their own. */
static int between(const curves *k, const br_phase_event *e, size_t fold, double part, double place[2])
{
  const double across = k->swapped ? e->value : e->value2;
  br_phase_event at;
  place[0] = across;
  if (e->type == BR_PHASE_HOPF)
    return bri_hopf_sliding_at(&k->plane, k->which, e->v + part * (k->meet[fold].v - e->v), &place[0],
                               &place[1]);
  if (!event_at(k, e, across + part * (k->meet[fold].other - across), &at)) return 0;
  place[0] = k->swapped ? at.value : at.value2, place[1] = k->swapped ? at.value2 : at.value;
  return 1;
}

/* The curve between an end and the fold beside it, with the Bogdanov-Takens point where that is its end. */
static br_status put_end(const curves *k, int type, const chain *c, int last, br_err *err)
{
  const br_phase_event *e = &k->list[type][c->index[last ? c->n - 1 : 0]];
  const size_t fold = k->which < 0 ? k->nmeet : fold_beside(k, e, last);
  const int more = type == BR_PHASE_HOPF ? BESIDE : 6;
  br_status st = BR_OK;
  if (fold == k->nmeet || (type != BR_PHASE_HOPF && type != BR_PHASE_HOMOCLINIC)) return BR_OK;
  const int ends = type == BR_PHASE_HOPF || born_there(k, e, fold);
  if (!last && ends) st = put_place(k, k->meet[fold].other, k->meet[fold].sigma1, err);
  for (int j = 0; j < more && !st; j++) { /* ever closer to the fold */
    double place[2];
    if (between(k, e, fold, 1 - bri_pow(type == BR_PHASE_HOPF ? 0.7 : 0.4, last ? j + 1 : more - j), place))
      st = put_place(k, place[0], place[1], err);
  }
  if (!st && last && ends) st = put_place(k, k->meet[fold].other, k->meet[fold].sigma1, err);
  return st;
}

/* ---- where two events meet ---- */

static br_status put_point(curves *k, const char *type, size_t number, double value, double value2, double v,
                           br_err *err)
{
  bri_question *q = k->q;
  const br_column head[] = {{q->vary2.name, q->vary2.unit}, {q->vary.name, q->vary.unit}};
  const double row[] = {value2, value};
  char name[64];
  if (!(value >= q->vary.a && value <= q->vary.b && value2 >= q->vary2.a && value2 <= q->vary2.b))
    return BR_OK;
  br_put_text(q->out, type, "codimension_two.%zu.type", k->points);
  br_put_number(q->out, q->vary.unit, value, "codimension_two.%zu.value", k->points);
  br_put_number(q->out, q->vary2.unit, value2, "codimension_two.%zu.value2", k->points);
  br_put_number(q->out, "m/s", v, "codimension_two.%zu.v", k->points);
  k->points++;
  (void)snprintf(name, sizeof name, "curve-%s%zu", type, number);
  br_status st = bri_phase_open(q, name, 2, head, err);
  if (!st) st = br_put_row(q->out, row, err);
  return st ? st : br_put_end(q->out, err);
}

/* What vanishes where another curve begins: the Lyapunov number of a Hopf point, the saddle quantity of a
 * loop. */
static double quantity(const br_phase_event *e)
{
  return e->type == BR_PHASE_HOPF ? e->lyapunov : e->saddle_quantity;
}

/* Generalised Hopf points (Bautin) and neutral saddles between two points of a curve: false position, each
 * new value a line of events of its own. */
static br_status put_change(curves *k, const br_phase_event *a, const br_phase_event *b, br_err *err)
{
  const char *type = a->type == BR_PHASE_HOPF ? "generalized_hopf" : "neutral_saddle";
  double x0 = k->swapped ? a->value : a->value2, x1 = k->swapped ? b->value : b->value2, q0 = quantity(a),
         q1 = quantity(b);
  br_phase_event e = *a;
  double x = x0, sigma1 = k->swapped ? a->value2 : a->value;
  if (k->which < 0 || !(q0 * q1 < 0)) return BR_OK;
  for (int i = 0, side = 0; i < 24 && fabs(x1 - x0) > 1e-12 * fabs(x1); i++) {
    x = (x0 * q1 - x1 * q0) / (q1 - q0);
    if (!event_at(k, a, x, &e)) return BR_OK;
    sigma1 = k->swapped ? e.value2 : e.value;
    const double q = quantity(&e);
    if (q == 0 || (i && !(fabs(q) > 1e-12))) break;
    if (q * q1 > 0) {
      if (side == 1) q0 /= 2;
      x1 = x, q1 = q, side = 1;
    } else {
      if (side == -1) q1 /= 2;
      x0 = x, q0 = q, side = -1;
    }
  }
  return put_point(k, type, k->points, k->swapped ? x : sigma1, k->swapped ? sigma1 : x, e.v, err);
}

/* The same between the ends of a curve of loops and the folds beside them. */
static br_status put_late_change(curves *k, const chain *c, br_err *err)
{
  br_status st = BR_OK;
  for (int last = 0; last < 2 && k->which >= 0 && !st; last++) {
    const br_phase_event *e = &k->list[BR_PHASE_HOMOCLINIC][c->index[last ? c->n - 1 : 0]];
    const size_t fold = fold_beside(k, e, last);
    br_phase_event beside;
    const double across = k->swapped ? e->value : e->value2;
    int found = 0;
    for (double gap = 1e-4; gap < 0.1 && fold < k->nmeet && !found; gap *= 10)
      found = event_at(k, e, across + (1 - gap) * (k->meet[fold].other - across), &beside);
    if (found) st = put_change(k, last ? e : &beside, last ? &beside : e, err);
  }
  return st;
}

static br_status put_type(curves *k, int type, br_err *err)
{
  bri_question *q = k->q;
  const br_column head[] = {{q->vary2.name, q->vary2.unit}, {q->vary.name, q->vary.unit}};
  const char *word = CURVE[type] ? CURVE[type] : br_phase_event_name((br_phase_event_type)type);
  chain chains[MOST_CHAINS];
  size_t count = 0;
  br_status st = join(k, type, chains, &count, err);
  for (size_t c = 0; c < count && !st; c++) {
    char name[64];
    (void)snprintf(name, sizeof name, "curve-%s%zu", word, c);
    st = bri_phase_open(q, name, 2, head, err);
    if (!st) st = put_end(k, type, &chains[c], 0, err);
    for (size_t i = 0; i < chains[c].n && !st; i++) {
      const br_phase_event *e = &k->list[type][chains[c].index[i]];
      const double row[] = {e->value2, e->value};
      st = br_put_row(q->out, row, err);
    }
    if (!st) st = put_end(k, type, &chains[c], 1, err);
    if (!st) st = br_put_end(q->out, err);
    for (size_t i = 1; (type == BR_PHASE_HOPF || type == BR_PHASE_HOMOCLINIC) && i < chains[c].n && !st; i++)
      st = put_change(k, &k->list[type][chains[c].index[i - 1]], &k->list[type][chains[c].index[i]], err);
    if (!st && type == BR_PHASE_HOMOCLINIC) st = put_late_change(k, &chains[c], err);
  }
  if (!st) br_put_number(q->out, "1", (double)count, "curves.%s", word);
  return st;
}

/* All Bogdanov-Takens points, from the folds of equilibria. */
static br_status find_meetings(curves *k, br_err *err)
{
  bri_question *q = k->q;
  const int along = strcmp(q->vary.bare, "sigma1") == 0;
  br_err why = {BR_OK, -1, ""};
  k->which = along || k->swapped
                 ? bri_vary_find(q->problem.model, k->swapped ? q->vary.bare : q->vary2.bare, &why)
                 : -1;
  const br_status st =
      bri_plane_of(q->problem.model, q->problem.par, q->problem.m, q->problem.F, &k->plane, err);
  for (size_t i = 0; k->which >= 0 && i < k->n[BR_PHASE_FOLD] && !st && k->nmeet < MOST_MEETINGS; i++) {
    const br_phase_event *e = &k->list[BR_PHASE_FOLD][i];
    double other = k->swapped ? e->value : e->value2, v = e->v, sigma1 = 0;
    int known = !bri_bogdanov_takens(&k->plane, k->which, &other, &v, &sigma1);
    for (size_t n = 0; n < k->nmeet; n++) known = known || fabs(v - k->meet[n].v) < 1e-9 * v;
    if (known) continue;
    k->meet[k->nmeet].other = other, k->meet[k->nmeet].sigma1 = sigma1, k->meet[k->nmeet++].v = v;
  }
  return st;
}

static br_status meetings(curves *k, br_err *err)
{
  bri_question *q = k->q;
  br_status st = BR_OK;
  for (size_t i = 0; i < k->nmeet && !st; i++)
    st = put_point(k, "bogdanov_takens", i, k->swapped ? k->meet[i].other : k->meet[i].sigma1,
                   k->swapped ? k->meet[i].sigma1 : k->meet[i].other, k->meet[i].v, err);
  const int force = strcmp(q->vary.bare, "F") == 0 && strcmp(q->vary2.bare, "sigma2") == 0,
            viscous = strcmp(q->vary.bare, "sigma2") == 0 && strcmp(q->vary2.bare, "F") == 0;
  double v = 0, F = 0, sigma2 = 0;
  if (!st && (force || viscous) && bri_cusp(&k->plane, &v, &F, &sigma2))
    st = put_point(k, "cusp", 0, force ? F : sigma2, force ? sigma2 : F, v, err);
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
  if (!st) st = find_meetings(&k, err);
  for (int t = 0; t < BR_PHASE_EVENT_TYPES && !st; t++)
    if (k.n[t]) st = put_type(&k, t, err);
  if (!st) st = meetings(&k, err);
  return st ? st : main_table(&k, err);
}
