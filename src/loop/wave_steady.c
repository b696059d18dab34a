/* SPDX-License-Identifier: Apache-2.0
 * wave_steady.c - steady loop of a model that the solver moves: its period map has no complex instance, so
 * the Newton takes its slopes by differences. */
#include <math.h>
#include <string.h>

#include "../solve/eigen.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/solve.h"
#include "wave_internal.h"

typedef struct {
  const bri_arc_model *a;
  bri_wave *w;
  size_t ns;
  double modes[2 * BR_LOOP_MAX_STATE + 2]; /* discrete modes at t = 0, as the last period left them */
  br_err *err;
  br_status status;
} period;

static int map(void *ctx, const double *x, double *out)
{
  period *p = ctx;
  double y[2 * BR_LOOP_MAX_STATE + 2];
  memcpy(y, x, p->ns * sizeof *x);
  memcpy(y + p->ns, p->modes, (p->a->nz - p->ns) * sizeof *y);
  p->status = bri_wave_advance(p->a, p->w, 0, br_signal_period(p->w->input), y, NULL, p->err);
  if (p->status != BR_OK) return 1;
  memcpy(out, y, p->ns * sizeof *x);
  memcpy(p->modes, y + p->ns, (p->a->nz - p->ns) * sizeof *y);
  return 0;
}

/* Sizes of the states: the largest met at eight times of one period from x. */
static br_status sizes(const period *p, const double *x, double *scale)
{
  double y[2 * BR_LOOP_MAX_STATE + 2] = {0};
  const double T = br_signal_period(p->w->input);
  double most = 0;
  memcpy(y, x, p->a->nz * sizeof *x);
  for (size_t i = 0; i < p->ns; i++) scale[i] = fabs(y[i]);
  for (int k = 0; k < 8; k++) {
    const br_status st = bri_wave_advance(p->a, p->w, 0.125 * k * T, 0.125 * (k + 1) * T, y, NULL, p->err);
    if (st != BR_OK) return st;
    for (size_t i = 0; i < p->ns; i++) scale[i] = fmax(scale[i], fabs(y[i]));
  }
  for (size_t i = 0; i < p->ns; i++) most = fmax(most, scale[i]);
  for (size_t i = 0; i < p->ns; i++) scale[i] = fmax(scale[i], fmax(1e-6 * most, 1e-290));
  return BR_OK;
}

br_status bri_wave_steady(const bri_arc_model *a, bri_wave *w, size_t ns, double *x, bri_fix_report *report,
                          br_err *err)
{
  period p = {.a = a, .w = w, .ns = ns, .err = err};
  br_newton_settings set = br_newton_settings_default();
  double *memory = bri_calloc(br_map_newton_work(ns) + ns * ns + ns, sizeof *memory), residual = 0;
  if (!memory) return bri_fail(err, BR_E_NOMEM, "no memory for a period map of %zu states", ns);
  double *scale = memory, *J = scale + ns, *work = J + ns * ns, size = 0;
  memcpy(p.modes, x + ns, (a->nz - ns) * sizeof *x);
  br_status st = sizes(&p, x, scale);
  if (st == BR_OK) {
    st = br_map_newton(map, &p, ns, x, scale, &set, work, J, &residual, err);
    if (p.status != BR_OK) st = p.status;
  }
  if (st == BR_OK) {
    memcpy(x + ns, p.modes, (a->nz - ns) * sizeof *x);
    for (size_t i = 0; i < ns; i++) size = fmax(size, scale[i]);
    report->contraction = bri_spectral_radius(ns, J, work);
    report->error = size * (residual / fmax(fabs(1 - report->contraction), 1e-3) + 10 * a->rtol);
  }
  bri_free(memory);
  return st;
}
