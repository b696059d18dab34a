/* SPDX-License-Identifier: Apache-2.0
 * one.c - one model on one record: extras, starts, search, error on the parts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "base/team.h"
#include "fit.h"
#include "text/stop.h"

enum { STARTS = 3, SHORT = 2500, MOST_ELEMENTS = 8 };

void bri_fit_warn(bri_fit_one *f, const char *fmt, ...)
{
  va_list args;
  if (f->nwarnings >= BRI_FIT_WARNINGS) return;
  va_start(args, fmt);
  (void)vsnprintf(f->warnings[f->nwarnings++], BRI_FIT_LINE, fmt, args);
  va_end(args);
}

void bri_fit_one_free(bri_fit_one *f)
{
  bri_free(f->ones);
  bri_free(f->own_fix);
  bri_free(f->own_guess);
  bri_free(f->seen);
  f->seen = NULL;
  f->ones = f->fitted = NULL, f->own_fix = f->own_guess = NULL;
}

/* ---- starts ---- */

typedef struct {
  double cost, x[BRI_FIT_MOST];
} start;

/* A grid over the way in which the force builds up and the speed at which it falls, looked at on a short
 * piece: the best way for each speed; where speed does not matter, the best and the one beside it. */
static void look(bri_search *w, const bri_fit_data *d, size_t elements, start *best)
{
  static const double WAY[] = {0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.00003, 0.000003},
                      SPEED[STARTS] = {0.5, 0.1, 0.02};
  const size_t speeds = br_model_param(w->s->m, "vs") ? STARTS : 1;
  for (size_t i = 0; i < STARTS; i++) best[i].cost = INFINITY;
  for (size_t i = 0; i < sizeof WAY / sizeof WAY[0]; i++)
    for (size_t k = 0; k < speeds; k++) {
      start s;
      const bri_fit_scales at = {d->level, WAY[i] * d->stroke, SPEED[k] * d->fast, elements};
      bri_space_start(w->s, &at, s.x);
      s.cost = bri_search_cost(w, s.x);
      if (speeds == 1 && s.cost < best[0].cost) best[1] = best[0];
      if (s.cost < best[k].cost) best[k] = s;
    }
}

/* Beside the best: numbers drawn for the model and the seed. */
static void scatter(bri_search *w, const br_fit_options *o, start *best)
{
  uint64_t stream = bri_stream(o->seed, w->s->n);
  start drawn = {.cost = INFINITY};
  size_t least = 0;
  for (size_t i = 1; i < STARTS; i++) least = best[i].cost < best[least].cost ? i : least;
  for (int i = 0; i < 6; i++) {
    start s = best[least];
    for (size_t j = 0; j < w->s->n; j++) {
      const bri_coord *c = &w->s->c[j];
      const double r = 2 * bri_uniform(&stream) - 1;
      s.x[j] +=
          c->kind == BRI_COORD_LOG || c->kind == BRI_COORD_SHARE ? 1.2 * r : 0.5 * r * fmax(s.x[j], 0.1);
      s.x[j] = fmin(fmax(s.x[j], c->lo), c->hi);
    }
    s.cost = bri_search_cost(w, s.x);
    if (s.cost < drawn.cost) drawn = s;
  }
  for (size_t i = 0; i < STARTS; i++)
    if (!isfinite(best[i].cost)) {
      best[i] = drawn;
      break;
    }
}

/* Elements as coordinates. */
static void slip_point(const bri_fit_one *f, const bri_fit_data *d, size_t elements, double speed,
                       double began, const double *k, const double *Delta, double *x)
{
  const bri_fit_scales at = {d->level, d->stroke / 30, speed, elements};
  double sum = 0;
  bri_space_start(&f->space, &at, x);
  for (size_t e = 0; e < elements; e++) sum += k[e] * Delta[e];
  for (size_t j = 0; j < f->space.n; j++) {
    const bri_coord *c = &f->space.c[j];
    if (strcmp(c->row->name, "start") == 0) x[j] = began / c->scale;
    if (strcmp(c->row->name, "k") == 0) x[j] = bri_log(k[c->element]);
    if (strcmp(c->row->name, "Delta") == 0) x[j] = bri_log(Delta[c->element]);
    if (strcmp(c->row->name, "alpha") == 0)
      x[j] = fmin(fmax(bri_log(k[c->element] * Delta[c->element] / (k[0] * Delta[0])), c->lo), c->hi);
    if (strcmp(c->row->name, "Fc") == 0) x[j] = bri_log(sum);
  }
}

static int has_elements(const br_model *m)
{
  const br_param *k = br_model_param(m, "k");
  return k && k->max_len > 1;
}

/* The best of the starts after a few rounds on a short piece. */
static void begin(bri_search *brief, const bri_fit_data *d, const br_fit_options *o, size_t elements,
                  double *x)
{
  start best[STARTS];
  size_t least = 0;
  look(brief, d, elements, best);
  scatter(brief, o, best);
  for (size_t i = 0; i < STARTS; i++) {
    if (isfinite(best[i].cost)) best[i].cost = bri_search_run(brief, best[i].x, 3);
    if (best[i].cost < best[least].cost) least = i;
  }
  const double hopeless = 4 * best[least].cost;
  for (size_t i = 0; i < STARTS; i++) {
    if (best[i].cost < hopeless) best[i].cost = bri_search_run(brief, best[i].x, 6);
    if (best[i].cost < best[least].cost) least = i;
  }
  memcpy(x, best[least].x, sizeof best[least].x);
}

/* End of the short piece: it must see a few reversals, however fast the record was sampled. */
static size_t brief_end(const bri_fit_data *d)
{
  enum { REVERSALS = 3 };
  double low = d->u[d->train[0]], high = low;
  size_t k = d->train[0];
  int turns = 0, up = 0;
  for (; k < d->train[1] && (turns < REVERSALS || k < d->train[0] + d->axes * SHORT); k += d->axes) {
    const double u = d->u[k];
    low = fmin(low, u), high = fmax(high, u);
    if (up <= 0 && u > low + 0.2 * d->stroke) turns++, up = 1, high = u;
    else if (up >= 0 && u < high - 0.2 * d->stroke) turns++, up = -1, low = u;
  }
  return k;
}

/* From x, or from the starts where `fresh`, to the end over the whole train part. */
static br_status descend(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o, size_t elements,
                         int fresh, int rounds)
{
  bri_search brief = {0}, whole = {0};
  br_status st = bri_search_make(&brief, &f->space, d, d->train[0], brief_end(d), f->column, f->q, &f->err);
  if (!st) st = bri_search_make(&whole, &f->space, d, d->train[0], d->train[1], f->column, f->q, &f->err);
  whole.stop = brief.stop = o->stop;
  whole.hasty = brief.hasty = 0.05;                /* the last search of bri_fit_one_run() looks again */
  if (!fresh) brief.small = 1e-3, brief.hasty = 1; /* the whole follows at once */
  if (!st && fresh) begin(&brief, d, o, elements, f->x);
  else if (!st && rounds > 40 && brief.rows < whole.rows / 2) {
    double x[BRI_FIT_MOST];
    memcpy(x, f->x, sizeof x);
    const double before = bri_search_cost(&brief, x);
    if (bri_search_run(&brief, x, 12) < 0.9 * before) memcpy(f->x, x, sizeof x); /* else it was there */
  }
  if (!st) f->cost = bri_search_run(&whole, f->x, rounds);
  f->out.evaluations += brief.evaluations + whole.evaluations;
  if (!st && (brief.failed || whole.failed)) st = bri_no_memory(&f->err, "fit");
  if (!st && !isfinite(f->cost))
    st = bri_fail(&f->err, BR_E_CONVERGE, "fit: %s gives no finite force from any start", f->space.m->name);
  bri_search_free(&brief);
  bri_search_free(&whole);
  return st;
}

double bri_fit_glance(bri_fit_data *d, const br_fit_options *o, const char *model)
{
  br_err err = {BR_OK, -1, ""};
  int failed = 0;
  bri_search brief = {0};
  double x[BRI_FIT_MOST], cost = INFINITY;
  br_fit_options plain = *o;
  bri_fit_one *f = bri_calloc(1, sizeof *f);
  plain.fix = plain.free_names = plain.extras = NULL;
  if (f) f->ones = bri_malloc_array(d->n, BRI_FIT_AXES * sizeof *f->ones);
  failed = !f || !f->ones;
  br_status st = failed ? BR_E_NOMEM : bri_space_make(br_model_find(model), d, &plain, 1, &f->space, &err);
  if (!st) {
    bri_terms_choose(f, d, &plain);
    st = bri_search_make(&brief, &f->space, d, d->train[0], brief_end(d), f->column, f->q, &err);
    if (!st) {
      start best[STARTS];
      look(&brief, d, 1, best);
      memcpy(x, best[0].x, sizeof x);
      cost = bri_search_run(&brief, x, 20);
    }
    failed = brief.failed;
    bri_search_free(&brief);
  }
  d->failed = d->failed || failed || st == BR_E_NOMEM;
  if (f) bri_fit_one_free(f);
  bri_free(f);
  return cost;
}

br_status bri_fit_descend(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o, int rounds)
{
  return descend(f, d, o, 1, 0, rounds);
}

/* ---- models that need more than a start ---- */

static br_status plain(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o)
{
  const br_status st = bri_space_make(m, d, o, 1, &f->space, &f->err);
  return st ? st : descend(f, d, o, 1, 1, 60);
}

/* Elements from the grid of dead bands; short records, where each try costs next to nothing, from drawn ones
 * beside it too:
 * the sum of squares has kinks and many valleys. */
static br_status with_elements(bri_fit_one *f, const br_model *m, const bri_fit_data *d,
                               const br_fit_options *o, size_t n)
{
  double k[BRI_FIT_MOST], Delta[BRI_FIT_MOST], first[BRI_FIT_MOST], best[BRI_FIT_MOST], least = INFINITY,
                                                                                        began = 0;
  const size_t rows = d->train[1] - d->train[0];
  static const double SPEED[] = {0.3, 0.06, 0.15, 0.7};
  const int tries = strcmp(m->name, "maxwell_slip") != 0 ? rows < 4000 ? 8 : 4
                    : rows < 1000                        ? 24
                    : rows < 4000                        ? 4
                                                         : 2;
  uint64_t stream = bri_stream(o->seed, n);
  br_status st = bri_space_make(m, d, o, n, &f->space, &f->err);
  if (!st) st = bri_slip_start(d, f->column, f->q, n, k, first, &f->err);
  memset(best, 0, sizeof best);
  for (int i = 0; i < tries && !st; i++) {
    for (size_t e = 0; e < n; e++) Delta[e] = first[e] * (i ? bri_exp(1.2 * bri_uniform(&stream) - 0.6) : 1);
    st = bri_slip_polish(d, f->column, f->q, n, began, k, Delta, &f->err);
    if (st) break;
    slip_point(f, d, n, SPEED[i % 4] * d->fast, began, k, Delta, f->x);
    st = descend(f, d, o, n, 0, 8);
    if (!st && f->cost < least) least = f->cost, memcpy(best, f->x, sizeof best);
    began = bri_terms_start(&f->space, best);
  }
  memcpy(f->x, best, sizeof best);
  return st ? st : descend(f, d, o, n, 0, 30);
}

/* So many elements as the data ask for: the least of BIC. */
static br_status count_elements(bri_fit_one *f, const br_model *m, const bri_fit_data *d,
                                const br_fit_options *o)
{
  bri_fit_one best = *f;
  double least = INFINITY;
  int since = 0;
  const double rows = (double)(d->train[1] - d->train[0]);
  for (size_t n = 1; n <= MOST_ELEMENTS && since < 2; n++) {
    const br_status st = with_elements(f, m, d, o, n);
    if (st) return st;
    const double bic = rows * bri_log(f->cost / rows) + (double)(f->space.n + f->q) * bri_log(rows);
    since = bic < least ? 0 : since + 1;
    if (f->cost <= rows * bri_pow(1e-9 * d->level, 2)) since = 2; /* what is left is rounding */
    if (bic < least) least = bic, best = *f;
    best.out.evaluations = f->out.evaluations;
  }
  *f = best;
  return BR_OK;
}

/* Starts where another model with the same names ended. */
static void take_over(bri_fit_one *f, const br_model *from, const double *block)
{
  double named[BRI_FIT_SLOTS];
  memcpy(named, f->space.base, f->space.m->slots * sizeof *named);
  for (size_t i = 0; i < from->nparam; i++) {
    const br_param *row = br_model_param(f->space.m, from->params[i].name);
    if (row && row->max_len == 1) named[row->slot] = block[from->params[i].slot];
  }
  for (size_t j = 0; j < f->space.n; j++) {
    const bri_coord *c = &f->space.c[j];
    if (br_model_param(from, c->row->name))
      f->x[j] = fmin(fmax(bri_space_coordinate(c, named), c->lo), c->hi);
  }
}

/* The best break-away deflection to start from, after a few rounds on a short piece. */
static br_status best_ratio(bri_fit_one *f, const bri_fit_data *d, const br_fit_options *o)
{
  static const double RATIO[] = {0.3, 0.6, 0.85};
  bri_search brief = {0};
  double first[BRI_FIT_MOST], least = INFINITY;
  const size_t to = d->train[0] + SHORT / 3 < d->train[1] ? d->train[0] + SHORT / 3 : d->train[1];
  br_status st = bri_search_make(&brief, &f->space, d, d->train[0], to, f->column, f->q, &f->err);
  brief.stop = o->stop;
  memcpy(first, f->x, sizeof first);
  for (size_t i = 0; i < sizeof RATIO / sizeof RATIO[0] && !st; i++) {
    double x[BRI_FIT_MOST];
    memcpy(x, first, sizeof x);
    for (size_t j = 0; j < f->space.n; j++)
      if (f->space.c[j].kind == BRI_COORD_RATIO) x[j] = RATIO[i];
    const double cost = bri_search_run(&brief, x, 8);
    if (cost < least) least = cost, memcpy(f->x, x, sizeof x);
  }
  f->out.evaluations += brief.evaluations;
  if (!st && brief.failed) st = bri_no_memory(&f->err, "fit");
  bri_search_free(&brief);
  return st;
}

/* The elastoplastic step is long: it starts from the LuGre model of the same data. */
static br_status from_lugre(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o)
{
  const br_model *simple = br_model_find("lugre");
  br_fit_options bare = *o;
  const bri_fit_scales at = {d->level, d->stroke / 30, d->fast, 1};
  bare.fix = bare.free_names = bare.guess = NULL;
  br_status st = plain(f, simple, d, &bare);
  double block[BRI_FIT_SLOTS];
  if (!st) bri_space_block(&f->space, f->x, block, NULL);
  if (!st) st = bri_space_make(m, d, o, 1, &f->space, &f->err);
  if (st) return st;
  bri_space_start(&f->space, &at, f->x);
  take_over(f, simple, block);
  st = best_ratio(f, d, o);
  return st ? st : descend(f, d, o, 1, 0, d->train[1] < 3000 ? 20 : 10);
}

/* Some parameters held, as text, beside those of the options. */
static br_fit_options hold(const br_fit_options *o, const char *first, char *room)
{
  enum { ROOM = 512 };
  br_fit_options held = *o;
  (void)snprintf(room, ROOM, "%s%s%.480s", first, o->fix ? "," : "", o->fix ? o->fix : "");
  held.fix = room;
  return held;
}

static br_status held_at(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o,
                         const char *first)
{
  char room[512];
  const br_fit_options held = hold(o, first, room);
  return plain(f, m, d, &held);
}

static const char *const ETA[] = {"eta=1", "eta=2"};

br_fit_options bri_fit_hold_eta(const br_fit_options *o, int held, char *room)
{
  return held > 0 ? hold(o, ETA[held - 1], room) : *o;
}

void bri_fit_tell_eta(bri_fit_one *f)
{
  bri_fit_warn(f, "%s: eta is held at %d: letting it go leaves no less", f->space.m->name, f->held);
}

/* All of its parameters from where `from` ended. */
static br_status let_go(bri_fit_one *f, const bri_fit_one *from, const br_model *m, const bri_fit_data *d,
                        const br_fit_options *o)
{
  double block[BRI_FIT_SLOTS];
  bri_space_block(&from->space, from->x, block, NULL);
  br_status st = bri_space_make(m, d, o, 1, &f->space, &f->err);
  for (size_t j = 0; j < f->space.n && !st; j++) f->x[j] = bri_space_coordinate(&f->space.c[j], block);
  return st ? st : descend(f, d, o, 1, 0, 40);
}

/* Bouc-Wen has exact steps for eta = 1 and 2: from the better of them eta is let go, and stays free where
 * that helps. */
static br_status exact_first(bri_fit_one *f, const br_model *m, const bri_fit_data *d,
                             const br_fit_options *o)
{
  bri_fit_one best = {.cost = INFINITY};
  for (int i = 0; i < 2; i++) {
    const br_status st = held_at(f, m, d, o, ETA[i]);
    if (st) return st;
    if (f->cost < best.cost) best = *f, best.held = i + 1;
  }
  br_status st = let_go(f, &best, m, d, o);
  if (st == BR_E_NOMEM) return st;
  if (st || best.cost < f->cost) {
    const size_t evaluations = f->out.evaluations;
    *f = best;
    bri_fit_tell_eta(f);
    f->out.evaluations = evaluations;
  }
  return BR_OK;
}

/* In the plane there are valleys where the viscous term takes the place of friction: from each of three cores
 * all is let go. */
static br_status in_the_plane(bri_fit_one *f, const br_model *m, const bri_fit_data *d,
                              const br_fit_options *o)
{
  static const char *const FIRST[] = {"eta=1,beta=0.5", "eta=2,beta=0.5", "eta=2,beta=0.5,kappa=0.02"};
  bri_fit_one best = {.cost = INFINITY};
  br_status st = BR_OK;
  for (int i = 0; i < 3 && !st; i++) {
    st = held_at(f, m, d, o, FIRST[i]);
    const bri_fit_one core = *f;
    if (!st) st = let_go(f, &core, m, d, o);
    if (!st && f->cost < best.cost) best = *f;
  }
  if (st) return st;
  best.out.evaluations = f->out.evaluations;
  *f = best;
  return BR_OK;
}

/* A force that jumps where its state reaches a limit: the sum of squares has a step for every sample that
 * changes its side, and slopes do not see them.  Drawn starts beside the best do. */
static br_status with_jumps(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o)
{
  enum { TRIES = 24 };
  uint64_t stream = bri_stream(o->seed, m->slots);
  double best[BRI_FIT_MOST];
  br_status st = plain(f, m, d, o);
  double least = f->cost;
  memcpy(best, f->x, sizeof best);
  for (int i = 0; i < TRIES && !st; i++) {
    const double reach = i % 2 ? 0.5 : 0.06;
    memcpy(f->x, best, sizeof best);
    for (size_t j = 0; j < f->space.n; j++) {
      const bri_coord *c = &f->space.c[j];
      const double r = reach * (2 * bri_uniform(&stream) - 1),
                   step = c->kind == BRI_COORD_LOG ? r : r * fabs(best[j]);
      f->x[j] = fmin(fmax(best[j] + step, c->lo), c->hi);
    }
    st = descend(f, d, o, 1, 0, 8);
    if (!st && f->cost < least) least = f->cost, memcpy(best, f->x, sizeof best);
  }
  memcpy(f->x, best, sizeof best);
  f->cost = least;
  return st;
}

/* From what the user gave; the rest from the middle of the usual starts. */
static br_status guessed(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o)
{
  size_t elements = o->elements ? o->elements : 3;
  br_status st = has_elements(m) ? bri_guess_elements(m, o, &elements, &f->err) : BR_OK;
  const bri_fit_scales at = {d->level, d->stroke / 30, 0.1 * d->fast, elements};
  if (!st) st = bri_space_make(m, d, o, elements, &f->space, &f->err);
  if (st) return st;
  bri_space_start(&f->space, &at, f->x);
  st = bri_guess_take(f, o, &f->err);
  return st ? st : descend(f, d, o, elements, 0, 60);
}

static br_status any_model(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o)
{
  if (o->guess) return guessed(f, m, d, o);
  if (has_elements(m) && !o->elements && strcmp(m->name, "maxwell_slip") == 0)
    return count_elements(f, m, d, o);
  if (has_elements(m)) return with_elements(f, m, d, o, o->elements ? o->elements : 3);
  if (strcmp(m->name, "lugre_elastoplastic") == 0) return from_lugre(f, m, d, o);
  if (strcmp(m->name, "reset_integrator") == 0) return with_jumps(f, m, d, o);
  const int free_eta = !bri_fit_listed(o->fix, "eta");
  if (strcmp(m->name, "bouc_wen") == 0 && free_eta) return exact_first(f, m, d, o);
  if (m->axes > 1 && free_eta && !bri_fit_listed(o->fix, "beta") && !bri_fit_listed(o->fix, "kappa"))
    return in_the_plane(f, m, d, o);
  return plain(f, m, d, o);
}

/* ---- the whole ---- */

void bri_fit_one_run(bri_fit_one *f, const br_model *m, const bri_fit_data *d, const br_fit_options *o)
{
  const double began = bri_fit_now();
  bri_search w = {0};
  f->out.model = f->space.m = m;
  f->ones = bri_malloc_array(d->n, (BRI_FIT_AXES + BRI_FIT_CURVE) * sizeof *f->ones);
  f->st = f->ones ? BR_OK : bri_no_memory(&f->err, "fit");
  if (f->st) return;
  f->fitted = f->ones + BRI_FIT_AXES * d->n;
  bri_terms_choose(f, d, o);
  const char *unusual = bri_space_unusual(m, d->axes);
  if (unusual) bri_fit_warn(f, "%s: %s", m->name, unusual); /* asked for by name */
  br_fit_options own = *o;
  f->st = bri_known_own(f, m, o, &f->err);
  own.fix = f->own_fix, own.guess = f->own_guess;
  if (!f->st && !bri_fit_kept(f, d, &own)) {
    f->st = any_model(f, m, d, &own);
    if (!f->st) f->st = bri_stop_status(&o->stop, "fit", &f->err); /* what a stop cut short is not kept */
    if (!f->st) f->st = bri_fit_keep(f, &own, &f->err);
  }
  bri_fit_data seen;
  if (!f->st) f->st = bri_robust_run(f, d, &own, &seen);
  if (f->st) return;
  f->st = bri_search_make(&w, &f->space, &seen, d->train[0], d->train[1], f->column, f->q, &f->err);
  w.stop = o->stop;
  /* the end of the descents as fresh slopes see it; mostly they find nothing left, and serve for the
   * intervals */
  if (!f->st && !f->seen) f->cost = bri_search_run(&w, f->x, 60);
  if (!f->st) bri_fit_judge(f, &seen, &w);
  if (!f->st && f->seen) bri_fit_errors(f, d); /* against what was measured, whatever the loss saw */
  if (!f->st) bri_fit_trust(f, &w);
  if (!f->st && w.failed) f->st = bri_no_memory(&f->err, "fit");
  f->out.evaluations += w.evaluations;
  bri_search_free(&w);
  f->out.block = f->block, f->out.values = f->values;
  f->out.seconds = bri_fit_now() - began;
}
