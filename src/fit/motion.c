/* SPDX-License-Identifier: Apache-2.0
 * motion.c - the fit of a motion: start, pieces with start values of their own, one run where that does not
 * drift, errors, intervals, the order of several models. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "bristle/text.h"
#include "motion.h"
#include "text/fail.h"
#include "text/stop.h"

enum { PIECES = 12 };
/* Samples of the long part of a search; of one of many models, the runs of which are bounded, too. */
enum { THIN = 900, QUICK = 600, STEPS_RUN = 20 };
static const double DRIFT = 1.25; /* one run may leave so many times what pieces leave */
static const double NOISE = 0.05; /* of half the range of an input, at most */

/* ---- the record ---- */

/* Spread of a column over a part. */
static double spread(const double *y, const size_t part[2])
{
  double mean = 0, var = 0;
  const double n = (double)(part[1] - part[0]);
  for (size_t k = part[0]; k < part[1]; k++) mean += y[k] / n;
  for (size_t k = part[0]; k < part[1]; k++) var += (y[k] - mean) * (y[k] - mean) / n;
  return sqrt(var);
}

static double rms_of(const bri_motion_data *d, const double *y, size_t channel, const size_t part[2])
{
  double s = 0;
  const double *m = d->channel[channel].y;
  for (size_t k = part[0]; k < part[1]; k++) s += bri_pow(m[k] - y[channel * d->n + k], 2);
  return sqrt(s / (double)(part[1] - part[0]));
}

/* ---- one model ---- */

/* Each channel by what is left of it, so that none drowns the others. */
static void weigh(bri_motion_data *d, const bri_motion_search *w)
{
  const size_t a = w->pieces.edge[0], part[2] = {a, w->pieces.edge[w->pieces.n]};
  for (size_t c = 0; c < d->nchannel; c++) {
    bri_motion_channel *k = &d->channel[c];
    const double left = rms_of(d, w->y, c, part), all = spread(k->y, part);
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
static br_status settle(bri_motion_data *d, bri_motion_search *w, int rounds, br_err *err)
{
  br_status st = bri_motion_search_run(w, rounds, err);
  for (int i = 0; i < 2 && !st && d->nchannel > 1; i++) {
    weigh(d, w);
    w->lambda = 1e-3;
    st = bri_motion_search_run(w, rounds / 2, err);
  }
  return st;
}

/* Number of pieces that --window asks for, or that is tried first. */
static size_t count_pieces(const br_motion_fit *f, const size_t part[2])
{
  const size_t n = part[1] - part[0];
  const double T = f->data.t[f->train[1] - 1] - f->data.t[f->train[0]], asked = f->o.window;
  const double m = asked == 0 ? 1 : asked > 0 ? fmax(1, floor(T / asked + 0.5)) : PIECES;
  return (size_t)fmax(1, fmin(m, (double)(n / BRI_MOTION_LEAST)));
}

/* One run from the first start; kept where it leaves little more than the pieces did. */
static br_status join(br_motion_fit *f, bri_motion_data *d, bri_motion_one *m, bri_motion_search *w,
                      br_err *err)
{
  bri_motion_search whole;
  const bri_motion_space *s = &m->space;
  if (w->pieces.n == 1 || f->o.window > 0) return BR_OK;
  const size_t part[2] = {w->pieces.edge[0], w->pieces.edge[w->pieces.n]};
  br_status st = bri_motion_search_make(&whole, s, d, part[0], part[1], 1, err);
  if (!st) {
    memcpy(whole.g, w->g, s->p * sizeof *w->g);
    memcpy(whole.locals, w->locals, s->locals * sizeof *w->locals);
    whole.threads = f->o.threads, whole.stop = f->o.stop, whole.memory = f->o.memory, whole.step = &f->step;
    whole.budget = w->budget;
    br_err why = {BR_OK, -1, ""};
    const br_status run = settle(d, &whole, 12, &why);
    if (run && run != BR_E_CONVERGE) st = bri_fail(err, run, "%s", why.msg);
    const double pieces = rms_of(d, w->y, 0, part), single = run ? INFINITY : rms_of(d, whole.y, 0, part);
    const size_t used = w->evaluations + whole.evaluations;
    if (!st && single <= DRIFT * pieces) {
      const bri_motion_search keep = *w;
      *w = whole, whole = keep;
    } else if (!st) {
      BRI_MOTION_NOTE(
          m, "one run from the start would drift: it leaves %.4g %s of the train part, %zu pieces leave %.4g",
          single, f->data.channel[0].unit, w->pieces.n, pieces);
      weigh(d, w);
      st = bri_motion_search_run(w, 4, err);
    }
    w->evaluations = used;
  }
  bri_motion_search_free(&whole);
  return st;
}

/* The unseen part: with one run it is that run going on, with pieces each is started freely. */
static br_status judge(br_motion_fit *f, bri_motion_one *m, const bri_motion_search *w, int quick,
                       br_err *err)
{
  const bri_motion_space *s = &m->space;
  bri_motion_search t = {0};
  const size_t n = f->data.n;
  br_status st = BR_OK;
  m->curve = bri_malloc_array(2 * f->data.nchannel * n, sizeof *m->curve);
  if (!m->curve) return bri_no_memory(err, "fit");
  double *run = m->curve + f->data.nchannel * n;
  for (size_t k = 0; k < 2 * f->data.nchannel * n; k++) m->curve[k] = NAN;
  const int on = f->test[0] >= f->train[0]; /* a free run can reach it */
  size_t edge[2] = {f->train[0], f->test[1] > f->train[1] ? f->test[1] : f->train[1]};
  const bri_motion_pieces whole = {1, edge};
  br_err why = {BR_OK, -1, ""};
  const br_status ran =
      on ? bri_motion_run(s, &f->data, w->g, &whole, 0, 1, w->locals, NULL, run, NULL, &f->o.stop, &why)
         : BR_E_CONVERGE;
  if (ran && ran != BR_E_CONVERGE) return bri_fail(err, ran, "%s", why.msg);
  m->out.rmse_free = ran ? NAN : rms_of(&f->data, run, 0, f->test);
  const int single = w->pieces.n == 1 && !ran;
  if (!single) {
    const double T = f->data.t[f->test[1] - 1] - f->data.t[f->test[0]];
    const size_t most = (f->test[1] - f->test[0]) / BRI_MOTION_LEAST,
                 pieces = (size_t)fmax(1, fmin(floor(T / m->out.window + 0.5), (double)most));
    st = bri_motion_search_make(&t, s, &f->data, f->test[0], f->test[1], pieces ? pieces : 1, err);
    if (!st) {
      memcpy(t.g, w->g, s->p * sizeof *t.g);
      t.frozen = 1, t.threads = f->o.threads, t.stop = f->o.stop;
      bri_motion_search_seed(&t);
      st = bri_motion_search_run(&t, quick ? 3 : 8, err);
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
  m->out.rmse_train = rms_of(&f->data, m->curve, 0, f->train);
  m->out.rmse_test = rms_of(&f->data, m->curve, 0, f->test);
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

static void lend(br_motion_fit *f, bri_motion_search *w, size_t budget)
{
  w->threads = f->o.threads, w->stop = f->o.stop, w->memory = f->o.memory, w->step = &f->step,
  w->budget = budget;
}

/* The long part of a search, on few enough samples: from every start, with other Stribeck curves, in pieces
 * and in one run. */
static br_status rough(br_motion_fit *f, bri_motion_one *m, bri_motion_data *d, const size_t part[2],
                       size_t budget, bri_motion_search *w, br_err *err)
{
  double g[BRI_MOTION_STARTS * BRI_FIT_MOST];
  br_status st =
      bri_motion_start(&m->space, &f->data, &f->o, f->train, g, &m->found, &m->out.evaluations, err);
  if (!st) st = bri_motion_search_make(w, &m->space, d, part[0], part[1], count_pieces(f, part), err);
  lend(f, w, budget);
  if (!st) st = bri_motion_choose(w, g, m->found ? (size_t)m->found : 1, err);
  if (!st) st = settle(d, w, 30, err);
  if (!st) st = bri_motion_reshape(w, speed_of(f, w), err);
  if (!st) st = settle(d, w, 20, err);
  return st ? st : join(f, d, m, w, err);
}

/* The same places of the whole record. */
static br_status widen(br_motion_fit *f, const bri_motion_search *thin, size_t stride, bri_motion_search *w,
                       br_err *err)
{
  const bri_motion_space *s = thin->s;
  const br_status st = bri_motion_search_make(w, s, &f->data, f->train[0], f->train[1], thin->pieces.n, err);
  if (st) return st;
  lend(f, w, thin->budget);
  for (size_t i = 0; i < thin->pieces.n; i++) w->pieces.edge[i] = f->train[0] + stride * thin->pieces.edge[i];
  memcpy(w->g, thin->g, s->p * sizeof *w->g);
  memcpy(w->locals, thin->locals, thin->pieces.n * s->locals * sizeof *w->locals);
  for (size_t c = 0; c < f->data.nchannel; c++) f->data.channel[c].weight = thin->d->channel[c].weight;
  w->evaluations = thin->evaluations;
  return BR_OK;
}

/* Where the residual tells of noise in the input: least squares of what a filter does not expect.  So much
 * that it can be no noise is something that the model does not have; there the residual itself stays. */
static br_status listen(bri_motion_one *m, bri_motion_search *w, bri_motion_filter *filter, br_err *err)
{
  const char *unit = m->space.sys->inputs[m->space.bias].unit;
  double sd = 0;
  br_status st = BR_OK;
  for (int i = 0; i < 2 && !st; i++) {
    w->filter = NULL;
    st = bri_motion_search_run(w, 0, err); /* the residual itself */
    if (!st) st = bri_motion_filter_make(w, filter, &sd, err);
    if (st || !(sd > 0) || sd > NOISE * m->space.swing) break;
    w->filter = filter, w->lambda = 1e-3;
    st = bri_motion_search_run(w, i ? 6 : 15, err);
  }
  if (st || !(sd > 0)) return st;
  if (!w->filter) {
    BRI_MOTION_WARN(
        m,
        "%s: the residual wanders as with noise of %.3g %s in the input, which is too much for noise: "
        "the model lacks something%s, and intervals may be too narrow",
        m->space.m->name, sd, unit, w->d->hold ? "" : ", or the input was held between samples (--hold)");
    return BR_OK;
  }
  BRI_MOTION_NOTE(
      m,
      "noise of the input of about %.3g %s a sample, found from how the residual wanders: compared is "
      "what a Kalman filter along the run does not expect",
      sd, unit);
  if (br_model_param(m->space.m, "vs"))
    BRI_MOTION_WARN(
        m,
        "%s: the input is noisy, which blurs what happens near rest: the intervals of Fs and vs allow "
        "for noise, not for that",
        m->space.m->name);
  return BR_OK;
}

/* quick: one of many; its work is bounded, and it ends where the thin record led to. */
static br_status search(br_motion_fit *f, bri_motion_one *m, int quick, size_t budget, bri_motion_search *w,
                        br_err *err)
{
  const size_t n = f->train[1] - f->train[0], most = quick ? QUICK : THIN;
  const size_t stride = n > most ? (n + most - 1) / most : 1;
  bri_motion_data d = {0};
  bri_motion_search thin = {0};
  if (stride == 1 && !quick) return rough(f, m, &f->data, f->train, budget, w, err);
  br_status st = bri_motion_thin(&f->data, f->train, stride, &d, err);
  const size_t part[2] = {0, d.n};
  if (quick) d.most_steps = STEPS_RUN * d.n, d.rtol = 1e-7;
  if (!st) st = rough(f, m, &d, part, budget, &thin, err);
  if (!st) m->left = rms_of(&d, thin.y, 0, part);
  if (!st) st = widen(f, &thin, stride, w, err);
  if (!st) st = settle(&f->data, w, quick ? 0 : 20, err);
  m->stride = stride;
  bri_motion_search_free(&thin);
  bri_free(d.own);
  return st;
}

br_status bri_motion_fit_one(br_motion_fit *f, bri_motion_one *m, const br_motion_record *r,
                             const br_model *model, int quick, size_t budget, br_err *err)
{
  const double began = bri_fit_now();
  bri_motion_search w = {0};
  bri_motion_filter filter = {0};
  m->out.model = model;
  br_status st = bri_motion_space_make(&m->space, r, &f->o, model, err);
  if (!st) st = bri_motion_channels(r, &m->space, &f->data, err);
  if (!st) first_weights(f);
  if (quick) f->data.most_steps = STEPS_RUN * f->data.n;
  if (!st) st = search(f, m, quick, budget, &w, err);
  if (!st) {
    m->out.pieces = w.pieces.n;
    m->out.window = (f->data.t[f->train[1] - 1] - f->data.t[f->train[0]]) / (double)w.pieces.n;
    if (!quick && m->space.bias >= 0) st = listen(m, &w, &filter, err);
    if (!st && !quick) st = bri_motion_search_slopes(&w, err);
  }
  if (!st) st = judge(f, m, &w, quick, err);
  f->data.most_steps = 0;
  if (!st && !quick) bri_motion_trust(m, &w), describe(f, m, m->found, &w);
  if (!st)
    bri_motion_space_blocks(&m->space, w.g, &m->blocks),
        memcpy(m->start, w.locals, m->space.locals * sizeof *w.locals);
  m->out.evaluations += w.evaluations;
  bri_motion_filter_free(&filter);
  bri_motion_search_free(&w);
  m->out.values = m->values, m->out.model_block = m->blocks.mpar, m->out.system_block = m->blocks.spar,
  m->out.start = m->start;
  m->out.seconds = bri_fit_now() - began;
  return st;
}
