/* SPDX-License-Identifier: Apache-2.0
 * trial.c - one closed loop whose controller believes in wrong parameters. */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/text.h"

static br_status unknown(const br_control_case *j, const char *name, br_err *err)
{
  const char *names[64];
  size_t n = 0;
  for (size_t i = 0; i < j->mod->nparam && n < 64; i++) names[n++] = j->mod->params[i].name;
  for (size_t i = 0; i < j->sys->nparam && n < 64; i++) names[n++] = j->sys->params[i].name;
  const char *near = br_nearest_name(name, names, n);
  return bri_fail(err, BR_E_NAME, "no number '%s' among the parameters of %s and %s%s%s%s", name,
                  j->mod->name, j->sys->name, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
}

br_status bri_wrong_find(const br_control_case *j, const char *const *names, size_t n, bri_wrong *w,
                         br_err *err)
{
  memset(w, 0, sizeof *w);
  if (n > BRI_WRONG_MAX)
    return bri_fail(err, BR_E_RANGE, "%zu uncertain parameters: at most %d", n, (int)BRI_WRONG_MAX);
  for (size_t k = 0; k < n; k++) {
    const br_param *p = br_model_param(j->mod, names[k]);
    w->of_model[k] = p != NULL;
    for (size_t i = 0; !p && i < j->sys->nparam; i++)
      if (strcmp(j->sys->params[i].name, names[k]) == 0) p = &j->sys->params[i];
    if (!p || p->max_len != 1 || p->choices) return unknown(j, names[k], err);
    w->slot[k] = p->slot;
  }
  w->n = n;
  return BR_OK;
}

size_t br_control_uncertain(const br_control_case *j, size_t max, const char **names)
{
  const struct {
    const br_param *rows;
    size_t n;
    const double *block;
  } tables[2] = {{j->mod->params, j->mod->nparam, j->mpar}, {j->sys->params, j->sys->nparam, j->spar}};
  size_t n = 0;
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < tables[t].n; i++) {
      const br_param *p = &tables[t].rows[i];
      if (p->max_len != 1 || p->choices || strcmp(p->unit, "1") == 0 || tables[t].block[p->slot] == 0)
        continue;
      if (n < max) names[n] = p->name;
      n++;
    }
  return n;
}

void bri_corner(unsigned k, size_t n, double part, double *factor)
{
  for (size_t i = 0; i < n; i++) factor[i] = k >> i & 1 ? 1 + part : 1 - part;
}

static br_status run(const br_control_case *j, const br_control_settings *set, size_t tracked,
                     const bri_wrong *w, const double *factor, double *room, br_control_result *out,
                     br_err *err)
{
  double *spar = room, *mpar = spar + j->sys->slots, *mpair = mpar + j->mod->slots;
  br_controller c;
  memcpy(spar, j->spar, j->sys->slots * sizeof *spar);
  memcpy(mpar, j->mpar, j->mod->slots * sizeof *mpar);
  for (size_t i = 0; w && factor && i < w->n; i++) (w->of_model[i] ? mpar : spar)[w->slot[i]] *= factor[i];
  if ((j->mod->check && j->mod->check(mpar, err)) || (j->sys->check && j->sys->check(spar, err))) {
    out->error_rms = NAN;
    return BR_OK;
  }
  if (j->mod->prepare) j->mod->prepare(mpar);
  if (j->sys->prepare) j->sys->prepare(spar);
  br_status st = br_control_init(&c, set, j->sys, spar, j->mod, mpar, mpair, tracked, err);
  if (st) return st;
  br_control_case job = *j;
  if (job.sample > 0) job.judge = 0; /* rms alone counts */
  st = br_control_run(&job, &c, out, err);
  if (st != BR_E_CONVERGE && st != BR_E_NAN) return st;
  out->error_rms = INFINITY;
  return BR_OK;
}

br_status bri_trial(const br_control_case *j, const br_control_settings *set, size_t tracked,
                    const bri_wrong *w, const double *factor, br_control_result *out, br_err *err)
{
  memset(out, 0, sizeof *out);
  double *room = (double *)bri_malloc_array(j->sys->slots + 3 * j->mod->slots + 1, sizeof *room);
  if (!room) return bri_fail(err, BR_E_NOMEM, "no memory for a closed loop");
  const br_status st = run(j, set, tracked, w, factor, room, out, err);
  bri_free(room);
  return st;
}
