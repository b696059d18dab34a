/* SPDX-License-Identifier: Apache-2.0
 * kit.h - for the tests of traces: run a model, keep its columns. */
#ifndef TRACE_TEST_KIT_H
#define TRACE_TEST_KIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/param.h"
#include "bristle/trace.h"

enum { MOST = 20001 };
static double T[MOST], U[2 * MOST], V[2 * MOST], F[2 * MOST], Z[10 * MOST];

/* Run a built-in model; columns into the arrays above.  Returns the number of rows. */
static inline size_t run(const char *model, const char *list, const char *spec, const br_trace_options *o,
                         br_trace_stats *s)
{
  const br_model *m = br_model_find(model);
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  assert_non_null(m);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, list, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_parse(spec, &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
  if (br_trace_create(m, br_params_block(p, "model"), inputs, o, &tr, &err)) fail_msg("%s", err.msg);
  assert_true(br_trace_count(tr) <= MOST);
  if (br_trace_fill(tr, MOST, T, U, V, F, Z, &n, &err)) fail_msg("%s", err.msg);
  assert_int_equal(n, br_trace_count(tr));
  if (s) *s = br_trace_statistics(tr);
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  br_params_destroy(p);
  return n;
}

static inline br_trace_options with(double dt, double t_end)
{
  br_trace_options o = br_trace_options_default();
  o.dt = dt;
  o.t_end = t_end;
  return o;
}

/* Dahl, gamma = 1, along a path: F approaches +-Fc by 1 - exp(-sigma0 |du| / Fc). */
static inline double dahl_walk(double F0, double du, double s0, double Fc)
{
  const double end = copysign(Fc, du);
  return end + (F0 - end) * exp(-s0 * fabs(du) / Fc);
}

#endif
