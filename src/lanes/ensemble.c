/* SPDX-License-Identifier: Apache-2.0
 * ensemble.c - the public face of ensembles: is there a lane for a pair, may this description run in lanes.
 * */
#include "bristle/ensemble.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "../solve/plant.h"
#include "card.h"

enum { MOST_SLOTS = 1024 };

br_ensemble br_ensemble_default(void) { return (br_ensemble){.rtol = 1e-6, .max_steps = 1000000}; }

static br_status fail(br_err *err, br_status code, const char *format, ...)
{
  if (!err) return code;
  va_list args;
  va_start(args, format);
  err->code = code, err->index = -1;
  (void)vsnprintf(err->msg, sizeof err->msg, format, args);
  va_end(args);
  return code;
}

/* The frame of a pair; NULL or why there is none.  spar, mpar: prepared. */
static const char *frame_of(const br_system *sys, const double *spar, const br_model *mod, const double *mpar,
                            int single, bri_lane_frame *frame)
{
  if (!bri_lane_of(bri_lane_set_now(0), mod)) return "the model has no lane";
  if (!bri_lane_of(bri_lane_set_now(single), mod)) return "the model has a lane in f64 only";
  return bri_lane_fits(sys, spar, mod, mpar, frame);
}

int br_ensemble_stamped(const br_system *sys, const br_model *mod)
{
  double spar[MOST_SLOTS], mpar[MOST_SLOTS];
  bri_lane_frame frame;
  if (!sys || !mod || !sys->defaults || !mod->defaults || sys->slots > MOST_SLOTS || mod->slots > MOST_SLOTS)
    return 0;
  sys->defaults(spar);
  mod->defaults(mpar);
  if (sys->prepare) sys->prepare(spar);
  if (mod->prepare) mod->prepare(mpar);
  return frame_of(sys, spar, mod, mpar, 0, &frame) == NULL;
}

static br_status check_numbers(const br_ensemble *e, br_err *err)
{
  if (!isfinite(e->t0) || !isfinite(e->t1) || e->t1 < e->t0)
    return fail(err, BR_E_RANGE, "an ensemble runs from t0 to t1 >= t0, not from %g s to %g s", e->t0, e->t1);
  if (!isfinite(e->t_from)) return fail(err, BR_E_RANGE, "t_from = %g s must be a number", e->t_from);
  if (!(e->rtol >= 1e-12 && e->rtol <= 0.1))
    return fail(err, BR_E_RANGE, "rtol = %g must lie between 1e-12 and 0.1", e->rtol);
  if (e->single && !(e->rtol >= BR_ENSEMBLE_F32_RTOL))
    return fail(err, BR_E_RANGE, "rtol = %g is more than f32 can keep: at least %g", e->rtol,
                BR_ENSEMBLE_F32_RTOL);
  if (e->single && e->max_steps > 1u << 24)
    return fail(err, BR_E_RANGE, "max_steps = %zu is more than f32 can count: at most %u", e->max_steps,
                1u << 24);
  if (e->single && e->dt > 0)
    return fail(err, BR_E_UNSUPPORTED, "constant steps, dt = %g s, are made in f64 only", e->dt);
  if (!(e->dt >= 0) || !isfinite(e->dt) || (e->dt > 0 && (e->t1 - e->t0) / e->dt > 1e12))
    return fail(err, BR_E_RANGE, "dt = %g s must be 0 (chosen) or a step that ends", e->dt);
  if (!(e->stick_speed >= 0) || !isfinite(e->stick_speed))
    return fail(err, BR_E_RANGE, "stick_speed = %g m/s must not be negative", e->stick_speed);
  if (e->max_steps == 0) return fail(err, BR_E_RANGE, "max_steps must be at least 1");
  return BR_OK;
}

static br_status check(const br_ensemble *e, bri_lane_frame *frame, size_t *nx, br_err *err)
{
  if (!e || !e->sys || !e->mod || !e->spar || !e->mpar || (e->nvary && !e->vary))
    return fail(err, BR_E_ARG, "an ensemble needs a system and a model with their parameters");
  br_status st = check_numbers(e, err);
  if (st != BR_OK) return st;
  if (e->sys->check) st = e->sys->check(e->spar, err);
  if (st == BR_OK && e->mod->check) st = e->mod->check(e->mpar, err);
  if (st != BR_OK) return st;
  const char *why = frame_of(e->sys, e->spar, e->mod, e->mpar, e->single, frame);
  if (why) return fail(err, BR_E_UNSUPPORTED, "no lane for %s with %s: %s", e->sys->name, e->mod->name, why);
  const bri_lane *lane = bri_lane_of(bri_lane_set_now(e->single), e->mod);
  int allowed = 0, exact = 0;
  br_class c;
  e->mod->classify(e->mpar, &c);
  for (int k = 0; k < BRI_LANE_CASES; k++) {
    allowed |= lane->run[k] && lane->allows(e->mpar, k);
    exact |= lane->exact[k] != NULL;
  }
  if (!allowed || (lane->kind == BR_LANE_SMOOTH && c.continuity != BR_LIPSCHITZ))
    return fail(err, BR_E_UNSUPPORTED, "no lane for %s with %s: its parameters ask for more than lanes know",
                e->sys->name, e->mod->name);
  if (e->exponential && (!exact || !(e->dt > 0) || e->gpu))
    return fail(err, BR_E_UNSUPPORTED, "exponential steps need %s",
                !exact         ? "a model whose states follow the motion smoothly"
                : !(e->dt > 0) ? "their length, dt > 0"
                               : "the CPU");
  frame->free = lane->kind == BR_LANE_ELEMENTS && (e->sys->flags & BR_SYSTEM_FREE) != 0;
  *nx = frame->nq + (size_t)frame->free + (frame->nq == 1 && frame->q >= 0) + bri_lane_nz(e, lane);
  for (size_t k = 0; k < e->nvary; k++) {
    const br_member_value *v = &e->vary[k];
    const size_t most[] = {e->mod->slots, e->sys->slots, 4 * e->sys->ninput, *nx};
    if ((unsigned)v->of > BR_MEMBER_START || v->index >= most[v->of] || !v->values)
      return fail(err, BR_E_ARG, "what varies as number %zu does not exist", k + 1);
    if (lane->kind == BR_LANE_ELEMENTS &&
        (v->of == BR_MEMBER_MODEL || (v->of == BR_MEMBER_START && v->index >= frame->nq)))
      return fail(err, BR_E_UNSUPPORTED, "lanes of %s share its elements: they do not vary", e->mod->name);
  }
  return BR_OK;
}

br_status br_ensemble_check(const br_ensemble *e, br_err *err)
{
  bri_lane_frame frame;
  size_t nx;
  return check(e, &frame, &nx, err);
}

size_t br_ensemble_nstate(const br_ensemble *e)
{
  bri_lane_frame frame;
  size_t nx = 0;
  return check(e, &frame, &nx, NULL) == BR_OK ? nx : 0;
}

int br_ensemble_gpus(size_t size, char *name)
{
  int cards = 0;
  const bri_card *card = bri_card_here(&cards, size, name);
  if (card) card->name(0, size, name);
  return cards;
}

br_status br_ensemble_run(const br_ensemble *e, br_ensemble_result *out, br_err *err)
{
  bri_lane_run r = {.e = e, .out = out, .set = bri_lane_set_now(e && e->single)};
  const br_status st = out ? check(e, &r.frame, &r.nx, err) : fail(err, BR_E_ARG, "results need a place");
  if (st != BR_OK) return st;
  r.lane = bri_lane_of(r.set, e->mod);
  if (e->gpu) {
    char why[200] = "";
    int cards = 0;
    r.card = bri_card_here(&cards, sizeof why, why);
    if (!r.card) return fail(err, BR_E_UNSUPPORTED, "no GPU: %s", why);
  }
  for (size_t k = 0; k < e->nvary; k++) r.varies_model |= e->vary[k].of == BR_MEMBER_MODEL;
  r.measures = out->lo || out->hi || out->returns || out->stuck || out->sticks || out->reversals;
  return bri_lane_run_all(&r, err);
}
