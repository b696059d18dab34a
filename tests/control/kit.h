/* SPDX-License-Identifier: Apache-2.0
 * kit.h - plant, controller and run in a few lines, for the tests of this room; include cmocka.h first. */
#ifndef CONTROL_KIT_H
#define CONTROL_KIT_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/control.h"
#include "bristle/param.h"

#define KIT_PAPER "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

typedef struct {
  const br_system *sys;
  const br_model *mod;
  br_params *plant, *belief;
  br_signal *reference;
  double *mpair;
  br_control_settings set;
  br_controller c;
  br_control_case job;
  br_control_result out;
  br_err err;
} kit;

static inline br_params *kit_params(const br_system *s, const br_model *m, const char *list, const char *more)
{
  const br_param_table t[2] = {br_param_table_of(m),
                               {"system", s->name, s->params, s->nparam, s->slots, 0, s->defaults, s->check,
                                s->prepare, NULL, s->initial}};
  br_params *p = NULL;
  br_err err;
  if (br_params_create_tables(t, 2, &p, &err) || br_params_set_list(p, list, &err) ||
      br_params_set_list(p, more, &err) || br_params_finish(p, &err))
    fail_msg("%s", err.msg);
  return p;
}

/* Plant by names and list; `belief`: parameters in which the controller differs (NULL: none). */
static inline void kit_open(kit *k, const char *system, const char *model, const char *list,
                            const char *belief, br_control_kind kind)
{
  memset(k, 0, sizeof *k);
  k->sys = br_system_find(system);
  k->mod = br_model_find(model);
  assert_non_null(k->sys);
  assert_non_null(k->mod);
  k->plant = kit_params(k->sys, k->mod, list, NULL);
  k->belief = kit_params(k->sys, k->mod, list, belief);
  k->mpair = calloc(2 * k->mod->slots, sizeof *k->mpair);
  assert_non_null(k->mpair);
  k->set = br_control_settings_default(kind);
  k->job = br_control_case_default();
  k->job.sys = k->sys, k->job.spar = br_params_block(k->plant, "system");
  k->job.mod = k->mod, k->job.mpar = br_params_block(k->plant, "model");
}

static inline br_status kit_init(kit *k, size_t tracked)
{
  return br_control_init(&k->c, &k->set, k->sys, br_params_block(k->belief, "system"), k->mod,
                         br_params_block(k->belief, "model"), k->mpair, tracked, &k->err);
}

/* Track state `tracked` along a reference until t_end; the settings in k->set and k->job count. */
static inline br_status kit_run(kit *k, size_t tracked, const char *reference, double t_end)
{
  if (kit_init(k, tracked)) fail_msg("%s", k->err.msg);
  br_signal_destroy(k->reference);
  k->reference = NULL;
  if (br_signal_parse(reference, &k->reference, &k->err)) fail_msg("%s", k->err.msg);
  k->job.reference = k->reference;
  k->job.t_end = t_end;
  return br_control_run(&k->job, &k->c, &k->out, &k->err);
}

static inline void kit_close(kit *k)
{
  br_signal_destroy(k->reference);
  br_params_destroy(k->plant);
  br_params_destroy(k->belief);
  free(k->mpair);
}

#endif
