/* SPDX-License-Identifier: Apache-2.0
 * motion_sample.c - records of mechanisms with known parameters: an input rich enough, the motion that the
 * solver gives, noise, steps. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "base/team.h"
#include "motion.h"
#include "sample.h"
#include "text/fail.h"

enum { N = 1500 };
static const double DT = 3e-3;

/* A mechanism of machine size, by units. */
static void machine(const br_system *sys, double *par)
{
  static const struct {
    const char *unit;
    double value;
  } SIZE[] = {{"kg", 5}, {"kg m^2", 0.05}, {"N/m", 3000}, {"m", 0.05}, {"N m/A", 4}};
  if (sys->defaults) sys->defaults(par);
  else if (sys->initial) memcpy(par, sys->initial, sys->slots * sizeof *par);
  for (size_t i = 0; i < sys->nparam; i++)
    for (size_t k = 0; k < sizeof SIZE / sizeof SIZE[0]; k++)
      if (sys->params[i].max_len == 1 && strcmp(sys->params[i].unit, SIZE[k].unit) == 0)
        par[sys->params[i].slot] = SIZE[k].value;
  if (sys->prepare) sys->prepare(par);
}

/* What the first input must be to push with 60 N. */
static double amplitude(const br_system *sys, const double *par, size_t iv)
{
  double w[BRI_MOTION_INPUTS] = {0}, dw[BRI_MOTION_INPUTS] = {0}, q[BRI_MOTION_LOCALS] = {0}, F[64] = {0},
         rest[BRI_MOTION_LOCALS], pushed[BRI_MOTION_LOCALS], rubbed[BRI_MOTION_LOCALS];
  sys->rate(par, w, dw, q, F, rest);
  w[0] = 1;
  sys->rate(par, w, dw, q, F, pushed);
  w[0] = 0, F[0] = 1;
  sys->rate(par, w, dw, q, F, rubbed);
  const double by_input = pushed[iv] - rest[iv], by_force = rest[iv] - rubbed[iv];
  return by_input != 0 ? 60 * by_force / by_input : 0.02;
}

/* Runs it; y: position of the first contact without noise. */
static br_status run(const br_system *sys, const br_model *m, double *const t, const double *w, double *y,
                     const bri_motion_blocks *b, br_err *err)
{
  static const double NONE[BRI_MOTION_LOCALS] = {0};
  bri_motion_space s = {.sys = sys, .m = m, .bias = -1, .at_v = sys->nq > 1};
  bri_motion_data d = {.n = N, .ninput = sys->ninput, .nchannel = 1, .t = t, .inputs = {w}, .rtol = 1e-10};
  size_t edge[2] = {0, N};
  const bri_motion_pieces one = {1, edge};
  memcpy(s.spar, b->spar, sys->slots * sizeof *s.spar);
  memcpy(s.model.base, b->mpar, m->slots * sizeof *b->mpar);
  s.model.m = m;
  s.nq = sys->nstate ? sys->nstate(s.spar) : sys->nq;
  s.locals = s.nq + 1;
  d.channel[0] = (bri_motion_channel){
      .name = "position", .kind = sys->flags & BR_SYSTEM_FREE ? BRI_SEEN_INTEGRAL : BRI_SEEN_POSITION};
  return bri_motion_run(&s, &d, NONE, &one, 0, 1, NONE, NULL, y, NULL, NULL, err);
}

br_status bri_fit_motion_sample(const char *text, const br_system *sys, size_t *n, double **store,
                                double *mpar, double *spar, br_err *err)
{
  unsigned long seed = 1;
  const br_model *m = bri_fit_sample_model(text, &seed);
  bri_motion_blocks b = {.bias = 0};
  *store = NULL;
  if (!m || m->axes != 1 || sys->axes != 1 || (sys->flags & BR_SYSTEM_GIVEN) ||
      sys->nq + 1 > BRI_MOTION_LOCALS || m->slots > BRI_FIT_SLOTS || sys->slots > BRI_FIT_SLOTS)
    return bri_fail(err, BR_E_NAME, "'%.60s': a sample is made by a model of one axis in %s: sample:lugre",
                    text, sys->name);
  double *x = *store = bri_calloc(3 * N, sizeof *x);
  if (!x) return bri_no_memory(err, "sample");
  double *t = x, *w = x + N, *y = x + 2 * N;
  uint64_t stream = bri_stream(seed, 7);
  bri_fit_machine(m, b.mpar);
  machine(sys, b.spar);
  const double A = amplitude(sys, b.spar, (size_t)(sys->nq > 1));
  for (size_t k = 0; k < N; k++) {
    t[k] = DT * (double)k;
    w[k] = A * (0.6 * bri_sin(4.4 * t[k]) + 0.5 * bri_sin(11.9 * t[k] + 1) + 0.3 * bri_sin(29 * t[k] + 2));
  }
  const br_status st = run(sys, m, t, w, y, &b, err);
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < N; k++) low = fmin(low, y[k]), high = fmax(high, y[k]);
  const double step = (high - low) / 20000;
  for (size_t k = 0; k < N && !st; k++)
    y[k] = step * round((y[k] + 2 * step * bri_fit_normal(&stream)) / step);
  if (mpar) memcpy(mpar, b.mpar, m->slots * sizeof *mpar);
  if (spar) memcpy(spar, b.spar, sys->slots * sizeof *spar);
  *n = N;
  return st;
}
