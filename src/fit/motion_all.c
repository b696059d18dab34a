/* SPDX-License-Identifier: Apache-2.0
 * motion_all.c - the fit of a motion from outside: the record, one model or all of them, their order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "motion.h"
#include "text/fail.h"

/* Of one of many models the runs and all of the work are bounded, counted in evaluations of the equations, so
 * that the answer does not depend on the machine; those in front are looked at closely. */
enum { RATES_ALL = 3000000, CLOSE = 3, RATES_CLOSE = 10000000 };

br_motion_options br_motion_options_default(void)
{
  return (br_motion_options){.model = "all", .window = -1};
}

/* ---- the record ---- */

static br_status check(const br_motion_record *r, br_err *err)
{
  if (!r || !r->t || !r->system || !r->inputs || !r->measured || !r->nmeasured ||
      r->nmeasured > BR_MOTION_CHANNELS || r->n < 2)
    return bri_fail(err, BR_E_ARG, "fit: a motion needs time, a mechanism and something measured");
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
    return bri_fail(err, BR_E_RANGE, "fit: the train or the test part lies outside the record (%zu samples)",
                    n);
  if (f->train[1] - f->train[0] < BRI_MOTION_LEAST || f->test[1] - f->test[0] < BRI_MOTION_LEAST)
    return bri_fail(err, BR_E_SIZE, "fit: the %s part has fewer than %d samples",
                    f->train[1] - f->train[0] < BRI_MOTION_LEAST ? "train" : "test", BRI_MOTION_LEAST);
  return BR_OK;
}

/* ---- models ---- */

static void leave_out(br_motion_fit *f, const br_model *model, const char *why)
{
  f->lost[f->nlost].model = model;
  (void)snprintf(f->lost[f->nlost++].why, BRI_FIT_LINE, "%.200s", why);
}

static br_status choose(br_motion_fit *f, const br_system *sys, const br_model **models, size_t *n,
                        br_err *err)
{
  const br_motion_options *o = &f->o;
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  const char *name = o->model ? o->model : "all", *names[BRI_MOTION_MODELS + 1];
  char hint[BRI_HINT];
  const br_model *one = br_model_find(name);
  if (one) return models[(*n)++] = one, BR_OK;
  for (size_t i = 0; i < count && i < BRI_MOTION_MODELS && strcmp(name, "all") == 0; i++) {
    const char *why = bri_space_unusual(all[i], (size_t)sys->axes);
    if (!why) models[(*n)++] = all[i];
    else if (all[i]->axes == sys->axes) leave_out(f, all[i], why);
  }
  if (*n) return BR_OK;
  for (size_t i = 0; i < count && i < BRI_MOTION_MODELS; i++) names[i] = all[i]->name;
  names[count < BRI_MOTION_MODELS ? count++ : BRI_MOTION_MODELS] = "all";
  return bri_fail(err, BR_E_NAME, "unknown model '%.60s'%s", name,
                  bri_hint(name, names, count, "; 'bristle models' lists them", hint));
}

static void put_in_order(br_motion_fit *f, size_t tried)
{
  double n = 0; /* independent samples, of the one that leaves least of those that were looked at closely */
  f->n = 0;
  for (size_t i = 0; i < tried; i++) {
    bri_motion_one *m = &f->one[i];
    size_t k = f->n++;
    for (; k > 0 && !(f->one[f->order[k - 1]].out.rmse_test <= m->out.rmse_test); k--)
      f->order[k] = f->order[k - 1];
    f->order[k] = i;
  }
  for (size_t i = 0; i < tried && !(n > 0); i++) n = f->one[f->order[i]].out.effective;
  for (size_t i = 0; i < tried; i++) {
    bri_motion_one *m = &f->one[i];
    const double p = (double)(m->space.p + 1),
                 left = n * bri_log(fmax(m->out.rmse_train * m->out.rmse_train, 1e-300));
    m->out.aic = left + 2 * p, m->out.bic = left + p * bri_log(n);
  }
}

/* Fits models[i] into the next place, or says why there is none.  many: others are tried, too. */
static br_status try_model(br_motion_fit *f, const br_motion_record *r, const br_model *model, int many,
                           size_t *tried, br_err *err)
{
  bri_motion_one *m = &f->one[*tried];
  br_err why = {BR_OK, -1, ""};
  const br_status st = bri_motion_fit_one(f, m, r, model, many, many ? RATES_ALL : 0, &why);
  if (!st && isfinite(m->out.rmse_test)) return (*tried)++, BR_OK;
  bri_free(m->curve);
  memset(m, 0, sizeof *m);
  if (!many || st == BR_INTERRUPTED || st == BR_E_NOMEM || st == BR_E_IO)
    return bri_fail(err, st ? st : BR_E_CONVERGE, "%s", st ? why.msg : "fit: the motion is not finite");
  leave_out(f, model, st ? why.msg : "its motion is not finite on the test part");
  return BR_OK;
}

/* Those that a quick look leaves in front, with all samples and without bounds; the first of them must do. */
static br_status look_closely(br_motion_fit *f, const br_motion_record *r, br_err *err)
{
  size_t place[CLOSE + 1], n = 0, stride = f->one[f->order[0]].stride;
  br_status st = BR_OK;
  for (size_t i = 0; i < f->n; i++) { /* what is left of the thin record: all samples would need all rounds */
    size_t k = n < CLOSE ? n++ : CLOSE;
    for (; k > 0 && f->one[i].left < f->one[place[k - 1]].left; k--) place[k] = place[k - 1];
    place[k] = i;
  }
  while (n > 1 && f->one[place[n - 1]].left > 3 * f->one[place[0]].left) n--;
  for (size_t i = 0; i < n && !st; i++) {
    bri_motion_one *m = &f->one[place[i]], *quick = bri_malloc(sizeof *quick);
    br_err why = {BR_OK, -1, ""};
    if (!quick) return bri_no_memory(err, "fit");
    *quick = *m;
    memset(m, 0, sizeof *m);
    st = bri_motion_fit_one(f, m, r, quick->out.model, 0, RATES_CLOSE, &why);
    m->out.seconds += quick->out.seconds, m->out.evaluations += quick->out.evaluations;
    if (st && i && st == BR_E_CONVERGE) { /* the quick look is better than none */
      bri_free(m->curve);
      *m = *quick, quick->curve = NULL, st = BR_OK;
      m->out.values = m->values, m->out.model_block = m->blocks.mpar, m->out.system_block = m->blocks.spar,
      m->out.start = m->start;
    }
    bri_free(quick->curve);
    bri_free(quick);
    if (st) st = bri_fail(err, st, "%s", why.msg);
    if (!st && f->o.progress) f->o.progress(f->o.progress_ctx, 0.7 + 0.3 * (double)(i + 1) / (double)n);
  }
  put_in_order(f, f->n);
  bri_motion_one *first = &f->one[f->order[0]];
  BRI_MOTION_NOTE(
      first,
      "quick look at every model: every %zu. sample of the train part, at most %d evaluations of "
      "its equations each; then %zu of them with all samples and at most %d; one model alone is not bounded",
      stride, RATES_ALL, n, RATES_CLOSE);
  return st;
}

br_status br_motion_fit_create(const br_motion_record *r, const br_motion_options *o, br_motion_fit **out,
                               br_err *err)
{
  const br_model *models[BRI_MOTION_MODELS];
  size_t n = 0, tried = 0;
  *out = NULL;
  br_status st = check(r, err);
  if (st) return st;
  br_motion_fit *f = bri_calloc(1, sizeof *f);
  if (!f) return bri_no_memory(err, "fit");
  f->o = o ? *o : br_motion_options_default();
  f->data =
      (bri_motion_data){.n = r->n, .ninput = r->system->ninput, .t = r->t, .rtol = 1e-9, .hold = f->o.hold};
  for (size_t k = 0; k < r->system->ninput && k < BRI_MOTION_INPUTS; k++) f->data.inputs[k] = r->inputs[k];
  st = parts(f, err);
  if (!st) st = choose(f, r->system, models, &n, err);
  f->one = bri_calloc(n + 1, sizeof *f->one);
  if (!st && !f->one) st = bri_no_memory(err, "fit");
  for (size_t i = 0; i < n && !st; i++) {
    st = try_model(f, r, models[i], n > 1, &tried, err);
    f->n = tried;
    if (!st && f->o.progress) f->o.progress(f->o.progress_ctx, 0.7 * (double)(i + 1) / (double)n);
  }
  if (!st && !tried) st = bri_fail(err, BR_E_CONVERGE, "fit: no model follows this motion");
  if (!st) put_in_order(f, tried);
  if (!st && n > 1) st = look_closely(f, r, err);
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
