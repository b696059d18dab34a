/* SPDX-License-Identifier: Apache-2.0
 * wave.c - the steady loop of a motion in its own time (rate dependence included), sampled. */
#include "bristle/wave.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../param/valid.h"
#include "../signal/samples.h"
#include "../solve/fixpoint.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "wave_internal.h"

br_wave_settings br_wave_settings_default(void)
{
  return (br_wave_settings){.scale = 1, .tau = 0, .load = 1, .rtol = 1e-12, .samples = 400, .periods = 0};
}

/* Only the solver goes on with other numbers, and a period holds what switches in it. */
static br_status check_switches(const br_model *m, const br_signal *input, const br_wave_settings *s,
                                br_err *err)
{
  const double T = br_signal_period(input);
  if (s->tau > 0 || !m->slots)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "a loop with a filter, or of a model without block, does not switch");
  for (size_t i = 0; i < s->nswitch; i++)
    if (!(s->switches[i].t > (i ? s->switches[i - 1].t : 0) && s->switches[i].t < T))
      return bri_fail(err, BR_E_RANGE,
                      "a switch at %.9g s: it must lie within one period of the motion, %.9g s",
                      s->switches[i].t, T);
  return BR_OK;
}

/* A load that varies closes with the motion, and no law but the solver's knows it. */
static br_status check_load(const br_model *m, const br_signal *input, const br_wave_settings *s, br_err *err)
{
  const double T = br_signal_period(input), own = br_signal_period(s->load_signal),
               k = own > 0 ? round(T / own) : 0;
  const int along = bri_signal_is_along(s->load_signal);
  if (s->tau > 0 || !m->slots)
    return bri_fail(err, BR_E_UNSUPPORTED,
                    "a loop with a filter, or of a model without block, holds its load");
  if (along) return BR_OK;
  if (own > 0
          ? !(k >= 1 && fabs(T - k * own) <= 1e-9 * T)
          : br_signal_next_corner(s->load_signal, 0) < INFINITY || br_signal_rate(s->load_signal, 0, 1) != 0)
    return bri_fail(err, BR_E_ARG,
                    "the load has %s %.9g s: one period of the motion, %.9g s, must hold whole periods of it",
                    own > 0 ? "period" : "no period,", own, T);
  return BR_OK;
}

br_status bri_wave_check(const br_model *m, const double *par, const br_signal *input,
                         const br_wave_settings *s, br_err *err)
{
  const br_status st = bri_model_ready(m, par, "a loop", err);
  if (st != BR_OK) return st;
  if (!input) return bri_fail(err, BR_E_ARG, "a loop needs an input");
  if (m->axes != 1) return bri_fail(err, BR_E_UNSUPPORTED, "%s has two axes: a loop needs one", m->name);
  if (!(br_signal_period(input) > 0)) return bri_fail(err, BR_E_ARG, "the input has no period");
  if (m->nstate(par) > BRI_FIX_MAX - 2) return bri_fail(err, BR_E_SIZE, "%s has too many states", m->name);
  if (!(s->scale > 0) || !(s->tau >= 0) || !(s->load > 0) || !(s->rtol >= 1e-15 && s->rtol <= 0.1) ||
      s->samples < 8 || s->periods > 100000)
    return bri_fail(
        err, BR_E_RANGE,
        "scale = %.6g, tau = %.6g s, load = %.6g, rtol = %.6g, samples = %zu: needs scale > 0, tau >= 0, "
        "load > 0, 1e-15 <= rtol <= 0.1, samples >= 8, periods <= 100000",
        s->scale, s->tau, s->load, s->rtol, s->samples);
  const br_status held = s->load_signal ? check_load(m, input, s, err) : BR_OK;
  return !held && s->nswitch ? check_switches(m, input, s, err) : held;
}

double bri_wave_corner(const bri_wave *w, double t)
{
  double next = br_signal_next_corner(w->input, t);
  const double T = br_signal_period(w->input), begin = w->nswitch ? T * floor(t / T) : 0;
  for (size_t k = 0; k < 2 && w->nswitch;
       k++) /* of this period and of the next; each ends with a switch back */
    for (size_t i = 0; i <= w->nswitch; i++) {
      const double at = begin + (double)k * T + (i < w->nswitch ? w->switches[i].t : T);
      if (at > t && at < next) next = at;
    }
  return next;
}

bri_arc_model bri_wave_stage(const bri_arc_model *a, const bri_wave *w, double t, int side)
{
  bri_arc_model m = *a;
  const double T = br_signal_period(w->input);
  double in = w->nswitch ? t - T * floor(t / T) : 0;
  if (side < 0 && in == 0) in = T;
  for (size_t i = 0; i < w->nswitch && (side < 0 ? w->switches[i].t < in : w->switches[i].t <= in); i++)
    m.par = w->switches[i].par, m.par_pair = NULL, m.load = w->switches[i].load;
  return m;
}

/* Move over [t0, t1], stopping at every corner on the way. */
br_status bri_wave_advance(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                           br_err *err)
{
  br_status st = BR_OK;
  for (double t = t0; st == BR_OK && t < t1;) {
    double next = bri_wave_corner(w, t);
    if (!(next < t1)) next = t1;
    st = bri_wave_go(a, w, t, next, x, work, err);
    t = next;
  }
  return st;
}

static br_status advance_pair(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x,
                              br_err *err)
{
  br_status st = BR_OK;
  for (double t = t0; st == BR_OK && t < t1;) {
    double next = br_signal_next_corner(w->input, t);
    if (!(next < t1)) next = t1;
    st = bri_wave_go_pair(a, w, t, next, x, err);
    t = next;
  }
  return st;
}

double bri_wave_direction(const bri_wave *w, double t, int side)
{
  const double d = 1e-7 * br_signal_period(w->input), s = side < 0 ? -1 : 1;
  const double du = s * (br_signal_value(w->input, t + s * d) - br_signal_value(w->input, t));
  return du > 0 ? 1 : du < 0 ? -1 : 0;
}

/* Force (or filter output) at t seen from side. */
double bri_wave_output(const bri_arc_model *a, const bri_wave *w, double t, int side, const double *x)
{
  const double u = br_signal_value(w->input, t);
  double v = br_signal_rate(w->input, t, side) / w->scale;
  if (w->tau > 0) return x[a->nz];
  /* a map without state jumps at v = 0: its limit from that side counts */
  if (v == 0 && a->nz == 0) v = bri_wave_direction(w, t, side) * DBL_MIN;
  const bri_arc_model loaded = bri_wave_loaded(a, w, t, side);
  return bri_arc_force_at(&loaded, u, v, x);
}

bri_arc_model bri_wave_loaded(const bri_arc_model *a, const bri_wave *w, double t, int side)
{
  bri_arc_model m = bri_wave_stage(a, w, t, side);
  const double least = a->nz ? 1e-9 : 0; /* as br_plant_load() has it */
  if (bri_signal_is_along(w->load))
    m.load = fmax(m.load * br_signal_value(w->load, br_signal_value(w->input, t)), least);
  else if (w->load) m.load = fmax(br_signal_value(w->load, t), least);
  return m;
}

typedef struct {
  const bri_arc_model *a;
  bri_wave *w;
  double extent[2 * BR_LOOP_MAX_STATE + 2]; /* largest |x| at the corners and between, of the last period */
} wave_ctx;

/* In eighths: where the period begins a state may be zero, and its size is that of the way. */
static br_status wave_map(void *ctx, double *x, br_err *err)
{
  wave_ctx *c = ctx;
  const size_t n = c->a->nz + (c->w->tau > 0);
  const double T = br_signal_period(c->w->input);
  br_status st = BR_OK;
  for (size_t i = 0; i < n; i++) c->extent[i] = fabs(x[i]);
  for (int k = 0; st == BR_OK && k < 8; k++) {
    st = bri_wave_advance(c->a, c->w, 0.125 * k * T, k == 7 ? T : 0.125 * (k + 1) * T, x, NULL, err);
    for (size_t i = 0; i < n; i++)
      if (!(fabs(x[i]) <= c->extent[i])) c->extent[i] = fabs(x[i]);
  }
  return st;
}

static br_status wave_map_pair(void *ctx, double *x, br_err *err)
{
  wave_ctx *c = ctx;
  return advance_pair(c->a, c->w, 0, br_signal_period(c->w->input), x, err);
}

static int wave_observes(void *ctx, const double *x, size_t j)
{
  wave_ctx *c = ctx;
  return j >= c->a->nz || bri_arc_force_depends(c->a, br_signal_value(c->w->input, 0), x, j);
}

static br_status wave_alloc(size_t n, br_wave **out)
{
  br_wave *w = bri_calloc(1, sizeof *w);
  *out = w;
  if (!w) return BR_E_NOMEM;
  w->t = bri_malloc_array(n, sizeof(double));
  w->u = bri_malloc_array(n, sizeof(double));
  w->y = bri_malloc_array(n, sizeof(double));
  w->result = (br_wave_result){.n = n, .t = w->t, .u = w->u, .y = w->y};
  return w->t && w->u && w->y ? BR_OK : BR_E_NOMEM;
}

/* The range covers the samples, to the last bit. */
static void widen(br_wave_result *r)
{
  for (size_t k = 0; k < r->n; k++) {
    r->y_min = fmin(r->y_min, r->y[k]);
    r->y_max = fmax(r->y_max, r->y[k]);
  }
}

br_status br_wave_create(const br_model *m, const double *par, const br_signal *input,
                         const br_wave_settings *settings, br_wave **out, br_err *err)
{
  const br_wave_settings s = settings ? *settings : br_wave_settings_default();
  double *pairs = NULL, x[2 * BR_LOOP_MAX_STATE + 2] = {0};
  *out = NULL;
  br_status st = bri_wave_check(m, par, input, &s, err);
  if (st != BR_OK) return st;
  st = wave_alloc(s.samples * (s.periods > 0 ? s.periods : 1) + 1, out);
  if (st != BR_OK) bri_fail(err, st, "no memory for %zu samples", s.samples);
  if (st == BR_OK) {
    const size_t ns = m->nstate(par), modes = m->nmode(par);
    bri_arc_model a = {m, par, pairs = bri_arc_pairs(m, par), s.load, 1, s.rtol, ns + modes, &s.stop};
    bri_wave w = {input, s.scale, s.tau, 0, s.load_signal, s.switches, s.nswitch};
    wave_ctx c = {.a = &a, .w = &w};
    const bri_fix_hints hints = {.extent = c.extent};
    const bri_fix_problem p = {m->name,
                               &c,
                               ns + (s.tau > 0 && modes == 0),
                               a.nz + (s.tau > 0),
                               s.rtol,
                               wave_map,
                               pairs && modes == 0 ? wave_map_pair : NULL,
                               wave_observes};
    bri_fix_report r = {0};
    if (s.periods > 0 && s.z0) memcpy(x, s.z0, ns * sizeof *x);
    if (m->rate_pair && !pairs) st = bri_fail(err, BR_E_NOMEM, "no memory for a loop");
    if (st == BR_OK && s.periods == 0)
      st = bri_wave_way_of(&a, &w) == BRI_WAVE_SOLVER ? bri_wave_steady(&a, &w, ns, x, &r, err)
                                                      : bri_fixpoint(&p, &hints, x, &r, err);
    (*out)->result.contraction = r.contraction;
    (*out)->result.iterations = r.iterations;
    (*out)->result.error = r.error;
    if (st == BR_OK && s.periods == 0)
      st = bri_wave_range(&a, &w, x, &(*out)->result.y_min, &(*out)->result.y_max, err);
    if (st == BR_OK) st = bri_wave_tour(&a, &w, s.periods, x, *out, err);
    if (st == BR_OK) widen(&(*out)->result);
    if (bri_stopped(&s.stop)) st = bri_stop_status(&s.stop, m->name, err);
  }
  bri_free(pairs);
  if (st != BR_OK) {
    br_wave_destroy(*out);
    *out = NULL;
  }
  return st;
}

void br_wave_destroy(br_wave *wave)
{
  if (!wave) return;
  bri_free(wave->t);
  bri_free(wave->u);
  bri_free(wave->y);
  bri_free(wave->turning);
  bri_free(wave->minor);
  bri_free(wave);
}

const br_wave_result *br_wave_get(const br_wave *wave) { return &wave->result; }
