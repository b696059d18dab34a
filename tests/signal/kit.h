/* SPDX-License-Identifier: Apache-2.0
 * kit.h - for the tests of signals: what they include, a generator, a signal from its text. */
#ifndef SIGNAL_TEST_KIT_H
#define SIGNAL_TEST_KIT_H
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bristle/signal.h"
#include "support/rng.h"

static rng draw = {0x2545f4914f6cdd1du};
static inline double uniform(double a, double b) { return rng_range(&draw, a, b); }

static inline br_signal *parse(const char *spec)
{
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s: %s", spec, err.msg);
  return s;
}

#endif
