/* SPDX-License-Identifier: Apache-2.0
 * valid.c - models, mechanisms and parameter blocks that come from users' programs. */
#include "valid.h"

#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"

typedef struct {
  const char *name;
  int there;
} part;

static br_status all_there(const char *who, const char *kind, const char *name, const part *parts, size_t n,
                           br_err *err)
{
  for (size_t i = 0; i < n; i++) {
    if (parts[i].there) continue;
    return bri_fail(err, BR_E_ARG, "%s: %s '%.60s' has no %s, which is required", who, kind, name,
                    parts[i].name);
  }
  return BR_OK;
}

static br_status count_axes(const char *who, const char *kind, const char *name, int axes, br_err *err)
{
  if (axes == 1 || axes == 2) return BR_OK;
  return bri_fail(err, BR_E_ARG, "%s: %s '%.60s' has axes = %d; expected 1 or 2", who, kind, name, axes);
}

/* rate 0: a model that only steps will do. */
static br_status model_valid(const br_model *m, int rate, const char *who, br_err *err)
{
  if (!m) return bri_fail(err, BR_E_ARG, "%s: no model", who);
  if (!m->name) return bri_fail(err, BR_E_ARG, "%s: the model has no name, which is required", who);
  const int pairs = m->rate_pair || m->force_pair || m->prepare_pair || m->step_pair;
  const int exact = (m->flags & BR_MODEL_EXACT_STEP) != 0;
  const part parts[] = {
      {"nstate()", m->nstate != NULL},
      {"nmode()", m->nmode != NULL},
      {"rate()", m->rate != NULL || (!rate && m->step != NULL)},
      {"force()", m->force != NULL},
      {"step(), though BR_MODEL_EXACT_STEP is set", !exact || m->step != NULL},
      {"energy(), though BR_MODEL_ENERGY is set", !(m->flags & BR_MODEL_ENERGY) || m->energy != NULL},
      {"breakaway(), though BR_MODEL_TRUE_STICK is set",
       !(m->flags & BR_MODEL_TRUE_STICK) || m->breakaway != NULL},
      {"classify(), though BR_MODEL_ELEMENTS is set", !(m->flags & BR_MODEL_ELEMENTS) || m->classify != NULL},
      {"rows of parameters", m->nparam == 0 || m->params != NULL},
      {"rows of states", m->nstates_rows == 0 || m->states != NULL},
      {"rate_pair(), beside other functions of pairs", !pairs || m->rate_pair != NULL},
      {"force_pair(), beside other functions of pairs", !pairs || m->force_pair != NULL},
      {"prepare_pair(), beside other functions of pairs", !pairs || m->prepare_pair != NULL},
      {"step_pair(), beside other functions of pairs", !pairs || !exact || m->step_pair != NULL},
  };
  const br_status st = count_axes(who, "model", m->name, m->axes, err);
  return st ? st : all_there(who, "model", m->name, parts, sizeof parts / sizeof parts[0], err);
}

br_status bri_model_valid(const br_model *m, const char *who, br_err *err)
{
  return model_valid(m, 1, who, err);
}

br_status bri_system_valid(const br_system *s, const char *who, br_err *err)
{
  if (!s) return bri_fail(err, BR_E_ARG, "%s: no system", who);
  if (!s->name) return bri_fail(err, BR_E_ARG, "%s: the system has no name, which is required", who);
  const part parts[] = {
      {"nstate()", s->nstate != NULL},
      {"ncontact()", s->ncontact != NULL},
      {"motion()", s->motion != NULL},
      {"rate()", s->rate != NULL},
      {"show(), though nshown is not 0", s->nshown == 0 || s->show != NULL},
      {"rows of parameters", s->nparam == 0 || s->params != NULL},
      {"rows of inputs", s->ninput == 0 || s->inputs != NULL},
      {"rows of states", s->nrows == 0 || s->states != NULL},
  };
  const br_status st = count_axes(who, "system", s->name, s->axes, err);
  return st ? st : all_there(who, "system", s->name, parts, sizeof parts / sizeof parts[0], err);
}

br_status bri_model_has_step(const br_model *m, const char *who, br_err *err)
{
  const part parts[] = {{"step()", m->step != NULL}};
  return all_there(who, "model", m->name, parts, 1, err);
}

typedef struct {
  const char *kind, *name;
  size_t slots;
  br_status (*check)(const void *par, br_err *err);
  void (*prepare)(void *par);
} block;

static br_status is_prepared(const block *b, const void *par, const char *who, br_err *err)
{
  const size_t size = b->slots * sizeof(double);
  void *copy = bri_malloc(size);
  if (!copy) return bri_no_memory(err, who);
  memcpy(copy, par, size);
  b->prepare(copy);
  const int same = memcmp(copy, par, size) == 0;
  bri_free(copy);
  if (same) return BR_OK;
  return bri_fail(err, BR_E_ARG,
                  "%s: the parameters of %s '%.60s' are not prepared: call prepare() after every change", who,
                  b->kind, b->name);
}

static br_status is_ready(const block *b, const void *par, const char *who, br_err *err)
{
  if (b->slots == 0) return BR_OK;
  if (!par) return bri_fail(err, BR_E_ARG, "%s: no parameters of %s '%.60s'", who, b->kind, b->name);
  const br_status st = b->check ? b->check(par, err) : BR_OK;
  return st || !b->prepare ? st : is_prepared(b, par, who, err);
}

static br_status model_ready(const br_model *m, int rate, const void *par, const char *who, br_err *err)
{
  br_status st = model_valid(m, rate, who, err);
  if (st) return st;
  const block b = {"model", m->name, m->slots, m->check, m->prepare};
  st = is_ready(&b, par, who, err);
  if (st || m->step || m->nmode(par) == 0) return st;
  return bri_fail(err, BR_E_ARG, "%s: model '%.60s' has modes, but no step(), which updates them", who,
                  m->name);
}

br_status bri_model_ready(const br_model *m, const void *par, const char *who, br_err *err)
{
  return model_ready(m, 1, par, who, err);
}

br_status bri_model_steps(const br_model *m, const void *par, const char *who, br_err *err)
{
  return model_ready(m, 0, par, who, err);
}

br_status bri_system_ready(const br_system *s, const void *par, const char *who, br_err *err)
{
  const br_status st = bri_system_valid(s, who, err);
  if (st) return st;
  const block b = {"system", s->name, s->slots, s->check, s->prepare};
  return is_ready(&b, par, who, err);
}
