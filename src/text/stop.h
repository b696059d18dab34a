/* SPDX-License-Identifier: Apache-2.0
 * stop.h - has the caller asked for the end of the work? */
#ifndef BRI_TEXT_STOP_H
#define BRI_TEXT_STOP_H
#include "fail.h"

static inline int bri_stopped(const br_stop *s) { return s && s->asked && s->asked(s->ctx); }

/* The same as the status of `what` (a model, an analysis): BR_OK or BR_INTERRUPTED. */
static inline br_status bri_stop_status(const br_stop *s, const char *what, br_err *err)
{
  return bri_stopped(s) ? bri_fail(err, BR_INTERRUPTED, "%s: stopped", what) : BR_OK;
}

#endif
