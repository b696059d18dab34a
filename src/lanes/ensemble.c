/* SPDX-License-Identifier: Apache-2.0
 * ensemble.c - ensembles: is there a lane for a pair, may this description run in lanes. */
#include "bristle/ensemble.h"

#include <stdio.h>

br_ensemble br_ensemble_default(void) { return (br_ensemble){.rtol = 1e-6, .max_steps = 1000000}; }

int br_ensemble_stamped(const br_system *sys, const br_model *mod)
{
  (void)sys, (void)mod;
  return 0;
}

br_status br_ensemble_check(const br_ensemble *e, br_err *err)
{
  const br_status st = e && e->sys && e->mod ? BR_E_UNSUPPORTED : BR_E_ARG;
  if (err) {
    err->code = st, err->index = -1;
    if (st == BR_E_ARG) snprintf(err->msg, sizeof err->msg, "an ensemble needs a system and a model");
    else snprintf(err->msg, sizeof err->msg, "no lane for %s with %s", e->sys->name, e->mod->name);
  }
  return st;
}

size_t br_ensemble_nstate(const br_ensemble *e)
{
  (void)e;
  return 0;
}

br_status br_ensemble_run(const br_ensemble *e, br_ensemble_result *out, br_err *err)
{
  (void)out;
  return br_ensemble_check(e, err);
}
