/* SPDX-License-Identifier: Apache-2.0
 * motion.c - the fit of a motion: start, pieces with start values of their own, one run where that does not drift, errors,
 * intervals, the order of several models. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/text.h"
#include "motion.h"
#include "text/fail.h"
#include "text/stop.h"

enum { MODELS = 32, PIECES = 12, LEAST = 20 };
static const double DRIFT = 1.25; /* one run may leave so many times what pieces leave */

struct br_motion_fit {
  br_motion_options o;
  bri_motion_data data;
  size_t train[2], test[2];
  bri_motion_one *one;
  size_t n, order[MODELS], step;
  struct {
    const br_model *model;
    char why[BRI_FIT_LINE];
  } lost[MODELS];
  size_t nlost;
};

br_motion_options br_motion_options_default(void)
{
  return (br_motion_options){.model = "all", .window = -1};
}

/* ---- the record ---- */

static br_status check(const br_motion_record *r, br_err *err)
{
  if (!r || !r->t || !r->system || !r->inputs || !r->measured || !r->nmeasured ||
      r->nmeasured > BR_MOTION_CHANNELS || r->n < 2)
    return bri_text_fail(err, BR_E_ARG, -1, "fit: a motion needs time, a mechanism and something measured");
  for (size_t k = 0; k < r->n; k++) {
    double sum = r->t[k];
    for (size_t c = 0; c < r->nmeasured; c++) sum += r->measured[c].y[k];
    for (size_t i = 0; i < r->system->ninput; i++) sum += r->inputs[i] ? r->inputs[i][k] : 0;
    if (!isfinite(sum)) return bri_text_fail(err, BR_E_NAN, (int)k, "fit: sample %zu is not a number", k);
    if (k && !(r->t[k] > r->t[k - 1]))
      return bri_text_fail(err, BR_E_RANGE, (int)k, "fit: time does not rise at sample %zu", k);
  }
  return BR_OK;
}

static br_status parts(br_motion_fit *f, br_err *err)
{
  const br_motion_options *o = &f->o;
  const size_t n = f->data.n;
  const int given = o->train[1] > 0, tested = o->test[1] > 0;
  f->train[0] = given ? o->train[0] : 0;
  f->train[1] = given ? o->train[1] : tested ? (o->test[0] > 0 ? o->test[0] : n) : n * 6 / 10;
  f->test[0] = tested ? o->test[0] : f->train[1] < n ? f->train[1] : f->train[0];
  f->test[1] = tested ? o->test[1] : n;
  if (f->train[1] > n || f->test[1] > n || f->train[0] >= f->train[1] || f->test[0] >= f->test[1])
    return bri_text_fail(err, BR_E_RANGE, -1,
                         "fit: the train or the test part lies outside the record (%zu samples)", n);
  if (f->train[1] - f->train[0] < LEAST || f->test[1] - f->test[0] < LEAST)
    return bri_text_fail(err, BR_E_SIZE, -1, "fit: the %s part has fewer than %d samples",
                         f->train[1] - f->train[0] < LEAST ? "train" : "test", LEAST);
  return BR_OK;
}

/* Spread of a column over a part. */
static double spread(const double *y, const size_t part[2])
{
  double mean = 0, var = 0;
  const double n = (double)(part[1] - part[0]);
  for (size_t k = part[0]; k < part[1]; k++) mean += y[k] / n;
  for (size_t k = part[0]; k < part[1]; k++) var += (y[k] - mean) * (y[k] - mean) / n;
  return sqrt(var);
}

static double rms_of(const br_motion_fit *f, const double *y, size_t channel, const size_t part[2])
{
  double s = 0;
  const double *m = f->data.channel[channel].y;
  for (size_t k = part[0]; k < part[1]; k++) s += pow(m[k] - y[channel * f->data.n + k], 2);
  return sqrt(s / (double)(part[1] - part[0]));
}

/* ---- one model ---- */

/* Each channel by what is left of it, so that none drowns the others. */
static void weigh(br_motion_fit *f, const bri_motion_search *w)
{
  const size_t a = w->pieces.edge[0], part[2] = {a, w->pieces.edge[w->pieces.n]};
  for (size_t c = 0; c < f->data.nchannel; c++) {
    bri_motion_channel *k = &f->data.channel[c];
    const double left = rms_of(f, w->y, c, part), all = spread(k->y, part);
    k->weight = 1 / fmax(left, 1e-9 * (all > 0 ? all : 1) + 1e-300);
  }
}

static void first_weights(br_motion_fit *f)
{
  for (size_t c = 0; c < f->data.nchannel; c++) {
    const double all = spread(f->data.channel[c].y, f->train);
    f->data.channel[c].weight = all > 0 ? 1 / all : 1;
  }
}

/* Goes down, weighs the channels by what is left, and goes down again. */
static br_status settle(br_motion_fit *f, bri_motion_search *w, int rounds, br_err *err)
{
  br_status st = bri_motion_search_run(w, rounds, err);
  for (int i = 0; i < 2 && !st && f->data.nchannel > 1; i++) {
    weigh(f, w);
    w->lambda = 1e-3;
    st = bri_motion_search_run(w, rounds / 2, err);
  }
  return st;
}

/* Number of pieces that --window asks for, or that is tried first. */
static size_t count_pieces(const br_motion_fit *f)
{
  const size_t n = f->train[1] - f->train[0];
  const double T = f->data.t[f->train[1] - 1] - f->data.t[f->train[0]], asked = f->o.window;
  const double m = asked == 0 ? 1 : asked > 0 ? fmax(1, floor(T / asked + 0.5)) : PIECES;
  return (size_t)fmax(1, fmin(m, (double)(n / LEAST)));
}

/* One run from the first start; kept where it leaves little more than the pieces did. */
static br_status join(br_motion_fit *f, bri_motion_one *m, bri_motion_search *w, br_err *err)
{
  bri_motion_search whole;
  const bri_motion_space *s = &m->space;
  if (w->pieces.n == 1 || f->o.window > 0) return BR_OK;
  br_status st = bri_motion_search_make(&whole, s, &f->data, f->train[0], f->train[1], 1, err);
  if (!st) {
    memcpy(whole.g, w->g, s->p * sizeof *w->g);
    memcpy(whole.locals, w->locals, s->locals * sizeof *w->locals);
    whole.threads = f->o.threads, whole.stop = f->o.stop, whole.memory = f->o.memory, whole.step = &f->step;
    br_err why = {BR_OK, -1, ""};
    const br_status run = settle(f, &whole, 12, &why);
    if (run && run != BR_E_CONVERGE) st = bri_text_fail(err, run, -1, "%s", why.msg);
    const double pieces = rms_of(f, w->y, 0, f->train),
                 single = run ? INFINITY : rms_of(f, whole.y, 0, f->train);
    const size_t used = w->evaluations + whole.evaluations;
    if (!st && single <= DRIFT * pieces) {
      const bri_motion_search keep = *w;
      *w = whole, whole = keep;
    } else if (!st) {
      BRI_MOTION_NOTE(
          m, "one run from the start would drift: it leaves %.4g %s of the train part, %zu pieces leave %.4g",
          single, f->data.channel[0].unit, w->pieces.n, pieces);
      weigh(f, w);
      st = bri_motion_search_run(w, 4, err);
    }
    w->evaluations = used;
  }
  bri_motion_search_free(&whole);
  return st;
}

/* The unseen part: with one run it is that run going on, with pieces each is started freely. */
static br_status judge(br_motion_fit *f, bri_motion_one *m, const bri_motion_search *w, br_err *err)
{
  const bri_motion_space *s = &m->space;
  bri_motion_search t = {0};
  const size_t n = f->data.n;
  br_status st = BR_OK;
  m->curve = bri_malloc_array(2 * f->data.nchannel * n, sizeof *m->curve);
  if (!m->curve) return bri_text_fail(err, BR_E_NOMEM, -1, "fit: out of memory");
  double *run = m->curve + f->data.nchannel * n;
  for (size_t k = 0; k < 2 * f->data.nchannel * n; k++) m->curve[k] = NAN;
  const int on = f->test[0] >= f->train[0]; /* a free run can reach it */
  size_t edge[2] = {f->train[0], f->test[1] > f->train[1] ? f->test[1] : f->train[1]};
  const bri_motion_pieces whole = {1, edge};
  br_err why = {BR_OK, -1, ""};
  const br_status ran =
      on ? bri_motion_run(s, &f->data, w->g, &whole, 0, 1, w->locals, NULL, run, &f->o.stop, &why)
         : BR_E_CONVERGE;
  if (ran && ran != BR_E_CONVERGE) return bri_text_fail(err, ran, -1, "%s", why.msg);
  m->out.rmse_free = ran ? NAN : rms_of(f, run, 0, f->test);
  const int single = w->pieces.n == 1 && !ran;
  if (!single) {
    const double T = f->data.t[f->test[1] - 1] - f->data.t[f->test[0]];
    const size_t most = (f->test[1] - f->test[0]) / LEAST,
                 pieces = (size_t)fmax(1, fmin(floor(T / m->out.window + 0.5), (double)most));
    st = bri_motion_search_make(&t, s, &f->data, f->test[0], f->test[1], pieces ? pieces : 1, err);
    if (!st) {
      memcpy(t.g, w->g, s->p * sizeof *t.g);
      t.frozen = 1, t.threads = f->o.threads, t.stop = f->o.stop;
      bri_motion_search_seed(&t);
      st = bri_motion_search_run(&t, 8, err);
    }
  }
  for (size_t c = 0; c < f->data.nchannel && !st; c++) {
    const double *test = single ? run : t.y;
    memcpy(m->curve + c * n + f->test[0], test + c * n + f->test[0],
           (f->test[1] - f->test[0]) * sizeof *test);
    memcpy(m->curve + c * n + f->train[0], w->y + c * n + f->train[0],
           (f->train[1] - f->train[0]) * sizeof *w->y);
  }
  bri_motion_search_free(&t);
  if (st) return st;
  const double all = spread(f->data.channel[0].y, f->test);
  m->out.rmse_train = rms_of(f, m->curve, 0, f->train);
  m->out.rmse_test = rms_of(f, m->curve, 0, f->test);
  m->out.rel_test = all > 0 ? m->out.rmse_test / all : NAN;
  return BR_OK;
}

static void describe(const br_motion_fit *f, bri_motion_one *m, int found, const bri_motion_search *w)
{
  BRI_MOTION_NOTE(
      m,
      "motion predicted from the input by the solver, relative tolerance %.0e; slopes are differences of "
      "runs",
      f->data.rtol);
  BRI_MOTION_NOTE(m, "input between samples: %s", f->data.hold ? "held" : "straight");
  BRI_MOTION_NOTE(
      m, found
             ? "started from the equation of motion along the smoothed record"
             : "started from given and default values: the record does not have all states of the mechanism");
  if (w->pieces.n > 1)
    BRI_MOTION_NOTE(
        m,
        "multiple shooting: %zu pieces of %.4g s, each with start values of its own (%zu); the model's "
        "states go on",
        w->pieces.n, m->out.window, m->space.locals);
  else BRI_MOTION_NOTE(m, "one run over the train part, with free start values (%zu)", m->space.locals);
  BRI_MOTION_NOTE(
      m, w->pieces.n > 1
             ? "test part: predicted in pieces as long, whose start values are fitted and parameters are not"
             : "test part: the same run going on");
}

/* Largest speed of the first contact in the record, roughly. */
static double speed_of(const br_motion_fit *f, const bri_motion_search *w)
{
  const int iv = w->s->at_v;
  double fast = 0;
  for (size_t i = 0; iv >= 0 && i < w->pieces.n; i++)
    fast = fmax(fast, fabs(w->locals[i * w->s->locals + (size_t)iv]));
  for (size_t c = 0; c < f->data.nchannel; c++) {
    const bri_motion_channel *k = &f->data.channel[c];
    const size_t step = (f->train[1] - f->train[0]) / 100 + 1;
    for (size_t i = f->train[0]; i + step < f->train[1]; i += step) {
      if (k->kind == BRI_SEEN_VELOCITY) fast = fmax(fast, fabs(k->y[i]));
      if (k->kind == BRI_SEEN_POSITION || k->kind == BRI_SEEN_INTEGRAL)
        fast = fmax(fast, fabs(k->y[i + step] - k->y[i]) / (f->data.t[i + step] - f->data.t[i]));
    }
  }
  return fast;
}

static br_status fit_one(br_motion_fit *f, bri_motion_one *m, const br_motion_record *r,
                         const br_model *model, br_err *err)
{
  const double began = bri_fit_now();
  bri_motion_search w = {0};
  double g[BRI_MOTION_STARTS * BRI_FIT_MOST];
  int found = 0;
  m->out.model = model;
  br_status st = bri_motion_space_make(&m->space, r, &f->o, model, err);
  if (!st) st = bri_motion_channels(r, &m->space, &f->data, err);
  if (!st) first_weights(f);
  if (!st) st = bri_motion_start(&m->space, &f->data, &f->o, f->train, g, &found, &m->out.evaluations, err);
  if (!st)
    st = bri_motion_search_make(&w, &m->space, &f->data, f->train[0], f->train[1], count_pieces(f), err);
  w.threads = f->o.threads, w.stop = f->o.stop, w.memory = f->o.memory, w.step = &f->step;
  if (!st) st = bri_motion_choose(&w, g, found ? (size_t)found : 1, err);
  if (!st) st = settle(f, &w, 30, err);
  if (!st) st = bri_motion_reshape(&w, speed_of(f, &w), err);
  if (!st) st = settle(f, &w, 20, err);
  if (!st) st = join(f, m, &w, err);
  if (!st) {
    m->out.pieces = w.pieces.n;
    m->out.window = (f->data.t[f->train[1] - 1] - f->data.t[f->train[0]]) / (double)w.pieces.n;
    st = bri_motion_search_slopes(&w, err);
  }
  if (!st) st = judge(f, m, &w, err);
  if (!st) bri_motion_trust(m, &w), describe(f, m, found, &w);
  if (!st)
    bri_motion_space_blocks(&m->space, w.g, &m->blocks),
        memcpy(m->start, w.locals, m->space.locals * sizeof *w.locals);
  m->out.evaluations += w.evaluations;
  bri_motion_search_free(&w);
  m->out.values = m->values, m->out.model_block = m->blocks.mpar, m->out.system_block = m->blocks.spar,
  m->out.start = m->start;
  m->out.seconds = bri_fit_now() - began;
  return st;
}

/* ---- all of them ---- */

static br_status choose(const br_motion_options *o, const br_system *sys, const br_model **models, size_t *n,
                        br_err *err)
{
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  const char *name = o->model ? o->model : "all", *names[MODELS + 1];
  char hint[BRI_HINT];
  const br_model *one = br_model_find(name);
  if (one) return models[(*n)++] = one, BR_OK;
  for (size_t i = 0; i < count && *n < MODELS && strcmp(name, "all") == 0; i++)
    if (all[i]->axes == sys->axes && bri_space_usual(all[i])) models[(*n)++] = all[i];
  if (*n) return BR_OK;
  for (size_t i = 0; i < count && i < MODELS; i++) names[i] = all[i]->name;
  names[count < MODELS ? count++ : MODELS] = "all";
  return bri_text_fail(err, BR_E_NAME, -1, "unknown model '%.60s'%s", name,
                       bri_hint(name, names, count, "; 'bristle models' lists them", hint));
}

static void put_in_order(br_motion_fit *f, size_t tried)
{
  const double n = f->one[0].out.effective;
  f->n = 0;
  for (size_t i = 0; i < tried; i++) {
    bri_motion_one *m = &f->one[i];
    const double p = (double)(m->space.p + 1),
                 left = n * log(fmax(m->out.rmse_train * m->out.rmse_train, 1e-300));
    m->out.aic = left + 2 * p, m->out.bic = left + p * log(n);
    size_t k = f->n++;
    for (; k > 0 && !(f->one[f->order[k - 1]].out.rmse_test <= m->out.rmse_test); k--)
      f->order[k] = f->order[k - 1];
    f->order[k] = i;
  }
}

br_status br_motion_fit_create(const br_motion_record *r, const br_motion_options *o, br_motion_fit **out,
                               br_err *err)
{
  const br_model *models[MODELS];
  size_t n = 0, tried = 0;
  *out = NULL;
  br_status st = check(r, err);
  if (st) return st;
  br_motion_fit *f = bri_calloc(1, sizeof *f);
  if (!f) return bri_text_fail(err, BR_E_NOMEM, -1, "fit: out of memory");
  f->o = o ? *o : br_motion_options_default();
  f->data =
      (bri_motion_data){.n = r->n, .ninput = r->system->ninput, .t = r->t, .rtol = 1e-9, .hold = f->o.hold};
  for (size_t k = 0; k < r->system->ninput && k < BRI_MOTION_INPUTS; k++) f->data.inputs[k] = r->inputs[k];
  st = parts(f, err);
  if (!st) st = choose(&f->o, r->system, models, &n, err);
  f->one = bri_calloc(n + 1, sizeof *f->one);
  if (!st && !f->one) st = bri_text_fail(err, BR_E_NOMEM, -1, "fit: out of memory");
  for (size_t i = 0; i < n && !st; i++) {
    bri_motion_one *m = &f->one[tried];
    br_err why = {BR_OK, -1, ""};
    st = fit_one(f, m, r, models[i], &why);
    if (!st && isfinite(m->out.rmse_test)) tried++;
    else {
      if (n == 1 || st == BR_INTERRUPTED || st == BR_E_NOMEM || st == BR_E_IO)
        st = bri_text_fail(err, st ? st : BR_E_CONVERGE, -1, "%s", why.msg);
      else {
        f->lost[f->nlost].model = models[i];
        (void)snprintf(f->lost[f->nlost++].why, BRI_FIT_LINE, "%.200s",
                       st ? why.msg : "its motion is not finite on the test part");
        st = BR_OK;
      }
      bri_free(m->curve);
      memset(m, 0, sizeof *m);
    }
  }
  if (!st && !tried) st = bri_text_fail(err, BR_E_CONVERGE, -1, "fit: no model follows this motion");
  f->n = tried;
  if (!st) put_in_order(f, tried);
  for (size_t i = 0; i < f->nlost && !st; i++)
    BRI_MOTION_WARN(&f->one[f->order[0]], "%s is left out: %.180s", f->lost[i].model->name, f->lost[i].why);
  if (st) br_motion_fit_destroy(f), f = NULL;
  *out = f;
  return st;
}

void br_motion_fit_destroy(br_motion_fit *f)
{
  if (!f) return;
  for (size_t i = 0; i < f->n; i++) bri_free(f->one[i].curve);
  bri_free(f->one);
  bri_free(f);
}

const br_motion_model *br_motion_fit_at(const br_motion_fit *f, size_t i)
{
  return i < f->n ? &f->one[f->order[i]].out : NULL;
}

const char *br_motion_fit_left_out(const br_motion_fit *f, size_t i, const br_model **model)
{
  return i < f->nlost ? *model = f->lost[i].model, f->lost[i].why : NULL;
}

const char *br_motion_fit_note(const br_motion_fit *f, size_t i)
{
  const bri_motion_one *m = &f->one[f->order[0]];
  return i < m->nnotes ? m->notes[i] : NULL;
}

const char *br_motion_fit_warning(const br_motion_fit *f, size_t i)
{
  const bri_motion_one *m = &f->one[f->order[0]];
  return i < m->nwarnings ? m->warnings[i] : NULL;
}

const double *br_motion_fit_curve(const br_motion_fit *f, size_t channel)
{
  return channel < f->data.nchannel ? f->one[f->order[0]].curve + channel * f->data.n : NULL;
}

const char *br_motion_fit_unit(const br_motion_fit *f, size_t channel)
{
  return f->data.channel[channel].unit;
}
