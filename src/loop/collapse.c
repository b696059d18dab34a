/* SPDX-License-Identifier: Apache-2.0
 * collapse.c - hysteretic or not: does the loop stay open when the motion is infinitely slow?
 * Linear viscoelasticity is rate dependent and has loops at every frequency, but none of them is left in the
 * limit. */
#include <math.h>

#include "../text/fail.h"
#include "bristle/classify.h"
#include "loop_internal.h"

br_status br_hysteresis(const br_model *m, const double *par, const br_stop *stop, double *share, br_err *err)
{
  static const double PARTS[] = {0.01, 0.1, 1, 10, 100};
  br_loop_settings set = br_loop_settings_default();
  *share = (double)NAN;
  if (m->axes != 1) return bri_fail(err, BR_E_UNSUPPORTED, "%s has two axes", m->name);
  if (stop) set.stop = *stop;
  const double natural = br_natural_amplitude(m, par);
  /* wider loops of states that jump are the same with more jumps */
  const size_t most = m->flags & BR_MODEL_JUMPS ? 3 : sizeof PARTS / sizeof PARTS[0];
  for (size_t k = 0; k < most; k++) {
    const double U = PARTS[k] * natural, u[] = {-U, U};
    br_err why;
    br_loop *loop = NULL;
    const br_status st = br_loop_create(m, par, 2, u, 0, &set, &loop, &why);
    if (st == BR_INTERRUPTED || st == BR_E_NOMEM) return bri_fail(err, st, "%s", why.msg);
    if (st) continue; /* no steady loop at this width */
    const br_loop_summary *s = br_loop_get(loop);
    const double high = s->y_max - s->y_min, part = high > BRI_FADED ? fabs(s->work) / (2 * U * high) : 0;
    if (isfinite(part) && !(part <= *share)) *share = part;
    br_loop_destroy(loop);
  }
  return BR_OK;
}
