/* SPDX-License-Identifier: Apache-2.0
 * create.c - a fit of one model or of all: the data made ready, the models on several threads, the order of
 * merit. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "base/team.h"
#include "bristle/text.h"
#include "fit.h"
#include "text/stop.h"

enum { MODELS = 32, NOTES = 12 };

struct br_fit {
  bri_fit_data data;
  bri_fit_one *one; /* [n] */
  size_t n, order[MODELS], tried;
  char notes[NOTES][BRI_FIT_LINE], reason[BRI_FIT_LINE];
  size_t nnotes;
  br_fit_options o;
};

br_fit_options br_fit_options_default(void) { return (br_fit_options){.model = "all", .seed = 1}; }

static void note(br_fit *fit, const char *fmt, ...) BRI_PRINTF(2, 3);
static void note(br_fit *fit, const char *fmt, ...)
{
  va_list args;
  if (fit->nnotes >= NOTES) return;
  va_start(args, fmt);
  (void)vsnprintf(fit->notes[fit->nnotes++], BRI_FIT_LINE, fmt, args);
  va_end(args);
}

/* The window with which a simple model leaves least; a longer one must be worth a hundredth. */
static void choose_window(br_fit *fit)
{
  bri_fit_data *d = &fit->data;
  size_t windows[BRI_FIT_WINDOWS];
  const size_t n = bri_fit_windows(d, fit->o.bandwidth, windows, d->work);
  size_t best = windows[0];
  double least = INFINITY;
  for (size_t i = 0; i < n && n > 1; i++) {
    bri_fit_smooth(d, windows[i], d->work);
    const double cost = bri_fit_glance(d, &fit->o, d->axes > 1 ? "bouc_wen_biaxial" : "dahl");
    if (cost < 0.99 * least) least = cost, best = windows[i];
  }
  bri_fit_smooth(d, best, d->work);
}

static void tell_data(br_fit *fit)
{
  const bri_fit_data *d = &fit->data;
  const size_t s = d->axes;
  note(fit, "train: samples %zu to %zu, test: samples %zu to %zu of %zu%s", d->train[0] / s,
       d->train[1] / s - 1, d->test[0] / s, d->test[1] / s - 1, d->n / s,
       s > 1 ? ", each of an x and a y" : "");
  if (d->train[0]) note(fit, "models start without deflection at sample 0 and run up to the train part");
  if (!d->timed) note(fit, "no time: quasi-static, in the order of the rows; rate effects are left out");
  else if (d->measured) note(fit, "velocity: as measured");
  else if (d->window > 1)
    note(fit, "position smoothed by a local parabola over %zu samples, velocity from it: bandwidth %.3g Hz",
         d->window, d->bandwidth);
  else note(fit, "velocity: difference of neighbouring samples, no smoothing");
  if (d->gap > 0)
    note(fit, "motion behind a gap of %.4g m (backlash), crossed %s, chosen so that %s leaves least", d->gap,
         d->clear ? "without force where it changes its sign" : "at reversals, the force being held",
         d->judge);
  if (d->flipped)
    note(fit, "the force was turned round, so that it opposes the motion; parameters are of -F");
  if (d->load)
    note(fit, "load: factor 1 is the mean of the train part, %.6g; the model's levels follow it",
         d->mean_load);
}

/* ---- models ---- */

static br_status unknown_model(const char *name, br_err *err)
{
  const char *names[MODELS + 1];
  char hint[BRI_HINT];
  size_t n = 0, k = 0;
  const br_model *const *all = br_models(&n);
  for (; k < n && k < MODELS; k++) names[k] = all[k]->name;
  names[k++] = "all";
  return bri_fail(err, BR_E_NAME, "unknown model '%.60s'%s", name,
                  bri_hint(name, names, k, "; 'bristle models' lists them", hint));
}

static br_status choose_models(br_fit *fit, const br_model **models, br_err *err)
{
  const char *name = fit->o.model ? fit->o.model : "all";
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  const br_model *one = br_model_find(name);
  const size_t axes = fit->data.axes;
  if (one && (size_t)one->axes != axes)
    return bri_fail(err, BR_E_UNSUPPORTED, "fit: %s has %s; the record has %s", one->name,
                    one->axes == 1 ? "one axis" : "two axes",
                    axes == 1 ? "one: name two columns of position and of force" : "two");
  if (one) return models[fit->n++] = one, BR_OK;
  if (strcmp(name, "all") != 0) return unknown_model(name, err);
  for (size_t i = 0; i < n && fit->n < MODELS; i++) {
    const char *why = bri_space_unusual(all[i], axes);
    if (why && (axes == 1 || (size_t)all[i]->axes == axes)) note(fit, "not tried: %s: %s", all[i]->name, why);
    else if (!why) models[fit->n++] = all[i];
  }
  return BR_OK;
}

typedef struct {
  br_fit *fit;
  const br_model *models[MODELS];
} work;

static br_status piece(void *ctx, size_t i, br_err *err)
{
  work *w = ctx;
  bri_fit_one *f = &w->fit->one[i];
  bri_fit_one_run(f, w->models[i], &w->fit->data, &w->fit->o);
  if (f->st && (w->fit->n == 1 || f->st == BR_E_NOMEM)) return bri_fail(err, f->st, "%s", f->err.msg);
  return w->fit->o.stop.asked && w->fit->o.stop.asked(w->fit->o.stop.ctx)
             ? bri_fail(err, BR_INTERRUPTED, "fit: stopped")
             : BR_OK;
}

/* ---- merit ---- */

/* Both criteria with one number of independent samples: that of the model that leaves least. */
static void criteria(br_fit *fit)
{
  const double rows = (double)(fit->data.train[1] - fit->data.train[0]);
  double least = INFINITY, n = rows;
  for (size_t i = 0; i < fit->n; i++)
    if (!fit->one[i].st && fit->one[i].cost < least) least = fit->one[i].cost, n = fit->one[i].out.effective;
  for (size_t i = 0; i < fit->n; i++) {
    bri_fit_one *f = &fit->one[i];
    const double p = (double)(f->space.n + f->q + 1), fit_term = n * bri_log(fmax(f->cost / rows, 1e-300));
    f->out.aic = fit_term + 2 * p, f->out.bic = fit_term + p * bri_log(n);
  }
}

static int worse(const bri_fit_one *a, const bri_fit_one *b)
{
  return !(a->out.rmse_test <= b->out.rmse_test);
}

/* Why there is nothing of a model; NULL: there is. */
static const char *lost(const bri_fit_one *f)
{
  return f->st                         ? f->err.msg
         : !isfinite(f->out.rmse_test) ? "it gives no finite force on the test part"
                                       : NULL;
}

static void put_in_order(br_fit *fit)
{
  fit->tried = 0;
  for (size_t i = 0; i < fit->n; i++) {
    if (lost(&fit->one[i])) continue;
    size_t k = fit->tried++;
    for (; k > 0 && worse(&fit->one[fit->order[k - 1]], &fit->one[i]); k--) fit->order[k] = fit->order[k - 1];
    fit->order[k] = i;
  }
}

/* Among those within 2 % of the best on unseen data the one with the least BIC. */
static void recommend(br_fit *fit)
{
  const bri_fit_one *first = &fit->one[fit->order[0]];
  size_t pick = 0;
  for (size_t k = 1; k < fit->tried; k++) {
    const bri_fit_one *f = &fit->one[fit->order[k]];
    if (f->out.rmse_test <= 1.02 * first->out.rmse_test && f->out.bic < fit->one[fit->order[pick]].out.bic)
      pick = k;
  }
  const size_t chosen = fit->order[pick];
  const bri_fit_one *f = &fit->one[chosen];
  if (fit->tried < 2) (void)snprintf(fit->reason, sizeof fit->reason, "%s was asked for", f->space.m->name);
  else if (pick == 0)
    (void)snprintf(fit->reason, sizeof fit->reason,
                   "%s has the least error on unseen data: %.3g %% of its spread", f->space.m->name,
                   100 * f->out.rel_test);
  else
    (void)snprintf(
        fit->reason, sizeof fit->reason,
        "%s: within 2 %% of the least error on unseen data (%s) and with less BIC, so simpler for the same",
        f->space.m->name, first->space.m->name);
  for (size_t k = pick; k > 0; k--) fit->order[k] = fit->order[k - 1];
  fit->order[0] = chosen;
}

/* The gap as a fitted number of every model. */
static void tell_gap(br_fit *fit)
{
  bri_gap_bound(&fit->one[fit->order[0]], &fit->data, &fit->o);
  for (size_t i = 0; i < fit->tried; i++) {
    bri_fit_one *f = &fit->one[fit->order[i]];
    if (f->out.nvalues < BRI_FIT_VALUES)
      f->values[f->out.nvalues++] =
          (br_fit_value){"backlash", "m", -1, fit->data.gap, fit->data.gap_low, fit->data.gap_high, 1};
  }
}

const char *br_fit_left_out(const br_fit *fit, size_t index, const br_model **model)
{
  for (size_t i = 0; i < fit->n; i++)
    if (lost(&fit->one[i]) && index-- == 0) return *model = fit->one[i].out.model, lost(&fit->one[i]);
  return NULL;
}

/* What should be known of models that are not the recommended one: left out, or fitted without what --fix
 * says. */
static void tell_others(br_fit *fit)
{
  bri_fit_one *best = &fit->one[fit->order[0]];
  for (size_t i = 0; i < fit->n; i++) {
    const bri_fit_one *f = &fit->one[i];
    if (f == best) continue;
    if (lost(f)) bri_fit_warn(best, "%s is left out: %.180s", f->out.model->name, lost(f));
    for (size_t k = 0; k < f->nwarnings && !f->st; k++)
      if (strstr(f->warnings[k], "--fix says nothing")) bri_fit_warn(best, "%s", f->warnings[k]);
  }
}

static void free_models(br_fit *fit)
{
  for (size_t i = 0; fit->one && i < fit->n; i++) bri_fit_one_free(&fit->one[i]);
  bri_free(fit->one);
  fit->one = NULL, fit->n = 0;
}

/* Every model, and which of them is recommended. */
static br_status find_models(br_fit *fit, br_err *err)
{
  work w = {.fit = fit};
  br_status st = choose_models(fit, w.models, err);
  if (!st) st = bri_known_check(&fit->o, w.models, fit->n, err);
  if (st) return st;
  fit->one = bri_calloc(fit->n, sizeof *fit->one);
  if (!fit->one) return bri_no_memory(err, "fit");
  const bri_team team = {fit->n, fit->o.threads, piece, &w, NULL, NULL};
  st = bri_team_run(&team, err);
  if (st) return st;
  criteria(fit);
  put_in_order(fit);
  if (!fit->tried)
    return bri_fail(err, BR_E_CONVERGE, "fit: no model gives a finite force (%s)", fit->one[0].err.msg);
  recommend(fit);
  return BR_OK;
}

/* The gap was found by simple models, and takes up what these lack; the recommended one looks again. */
static br_status settle_gap(br_fit *fit, br_err *err)
{
  if (!(fit->data.gap > 0)) return BR_OK;
  const size_t notes = fit->nnotes;
  const br_status st = find_models(fit, err);
  if (!st) bri_gap_refine(&fit->one[fit->order[0]], &fit->data, &fit->o);
  free_models(fit);
  fit->nnotes = notes; /* all is told in the second round */
  return st ? st : bri_stop_status(&fit->o.stop, "fit", err);
}

static br_status run_models(br_fit *fit, br_err *err)
{
  br_status st = find_models(fit, err);
  if (st) return st;
  if (fit->o.intervals && strcmp(fit->o.intervals, "profile") == 0) {
    const size_t before = fit->one[fit->order[0]].out.evaluations;
    st = bri_fit_profile(&fit->one[fit->order[0]], &fit->data, &fit->o.stop, err);
    if (st) return st;
    note(fit, "intervals by profile likelihood: %zu more walks",
         fit->one[fit->order[0]].out.evaluations - before);
  }
  if (fit->data.gap > 0) tell_gap(fit);
  tell_others(fit);
  return bri_fit_verdict(&fit->one[fit->order[0]], &fit->data, &fit->o, err);
}

/* Terms that a motion in the plane does not have. */
static br_status check_axes(const br_fit *fit, br_err *err)
{
  static const char *const LINE[] = {"backlash", "start", "asymmetry", "drift"};
  for (size_t i = 0; i < sizeof LINE / sizeof LINE[0] && fit->data.axes > 1; i++)
    if (bri_fit_wants(&fit->o, LINE[i], 0))
      return bri_fail(err, BR_E_UNSUPPORTED, "extras: %s is a term of one axis; the record has two", LINE[i]);
  return BR_OK;
}

br_status br_fit_create(const br_fit_record *record, const br_fit_options *o, br_fit **out, br_err *err)
{
  br_fit *fit = *out = bri_calloc(1, sizeof *fit);
  if (!fit) return bri_no_memory(err, "fit");
  fit->o = o ? *o : br_fit_options_default();
  br_status st = bri_robust_check(&fit->o, err);
  if (!st) st = bri_fit_data_make(record, &fit->o, &fit->data, err);
  if (!st) st = check_axes(fit, err);
  if (!st) choose_window(fit);
  if (!st && bri_fit_wants(&fit->o, "backlash", 0)) (void)bri_gap_choose(&fit->data, &fit->o);
  if (!st && fit->data.failed) st = bri_no_memory(err, "fit");
  if (!st) st = settle_gap(fit, err);
  if (!st) tell_data(fit);
  if (!st) st = run_models(fit, err);
  if (!st) return BR_OK;
  br_fit_destroy(fit);
  *out = NULL;
  return st;
}

void br_fit_destroy(br_fit *fit)
{
  if (!fit) return;
  free_models(fit);
  bri_fit_data_free(&fit->data);
  bri_free(fit);
}

const br_fit_model *br_fit_at(const br_fit *fit, size_t index)
{
  return index < fit->tried ? &fit->one[fit->order[index]].out : NULL;
}

const char *br_fit_note(const br_fit *fit, size_t index)
{
  return index < fit->nnotes ? fit->notes[index] : NULL;
}

const char *br_fit_warning(const br_fit *fit, size_t index)
{
  const bri_fit_one *f = &fit->one[fit->order[0]];
  return index < f->nwarnings ? f->warnings[index] : NULL;
}

const char *br_fit_reason(const br_fit *fit) { return fit->reason; }

br_fit_curve br_fit_curves(const br_fit *fit)
{
  const bri_fit_data *d = &fit->data;
  return (br_fit_curve){d->n / d->axes, d->t, d->gap > 0 ? d->raw_u : d->u, /* where it was measured */
                        d->speed,       d->F, fit->one[fit->order[0]].fitted, d->axes};
}

const bri_fit_one *bri_fit_best(const br_fit *fit, const bri_fit_data **d)
{
  *d = &fit->data;
  return &fit->one[fit->order[0]];
}
