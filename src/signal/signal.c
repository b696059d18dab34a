/* SPDX-License-Identifier: Apache-2.0
 * signal.c - the public face: dispatch to the form that holds the signal. */
#include "bristle/signal.h"

#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "signal_internal.h"

br_status bri_signal_new(const bri_signal_ops *ops, br_signal **out, br_err *err)
{
  *out = bri_calloc(1, sizeof **out);
  if (!*out) return bri_fail(err, BR_E_NOMEM, "no memory for a signal");
  (*out)->ops = ops;
  return BR_OK;
}

void br_signal_destroy(br_signal *sig)
{
  if (!sig) return;
  bri_knots_release(&sig->knots);
  bri_free(sig->slope);
  bri_free(sig->sines);
  bri_free(sig->code);
  bri_free(sig->sides);
  bri_free(sig->notes);
  br_signal_destroy(sig->inner);
  bri_free(sig);
}

double br_signal_value(const br_signal *sig, double t) { return sig ? sig->ops->value(sig, t) : NAN; }

double br_signal_rate(const br_signal *sig, double t, int side)
{
  return sig ? sig->ops->rate(sig, t, side) : NAN;
}

double br_signal_curvature(const br_signal *sig, double t, int side)
{
  if (!sig || isnan(t)) return NAN;
  return sig->ops->curvature && isfinite(t) ? sig->ops->curvature(sig, t, side) : 0.0;
}

double br_signal_period(const br_signal *sig) { return sig ? sig->period : 0.0; }

double br_signal_duration(const br_signal *sig) { return sig ? sig->duration : 0.0; }

double br_signal_next_corner(const br_signal *sig, double t)
{
  return sig ? sig->ops->next_corner(sig, t) : INFINITY;
}

double br_signal_variation(const br_signal *sig, double t) { return sig ? sig->ops->variation(sig, t) : NAN; }

double br_signal_normalised(const br_signal *sig, double rho)
{
  return sig ? sig->ops->normalised(sig, rho) : NAN;
}

double br_signal_path(const br_signal *sig) { return sig ? sig->path : 0.0; }

int br_signal_timeless(const br_signal *sig) { return sig && sig->timeless; }

const char *br_signal_note(const br_signal *sig, size_t i)
{
  const char *s = sig ? sig->notes : NULL;
  while (s && *s && i--) s += strlen(s) + 1;
  return s && *s ? s : NULL;
}
