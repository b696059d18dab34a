/* SPDX-License-Identifier: Apache-2.0
 * map.c - one period of a driven plant as a map of its state, and what is measured over it. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "../../core/elementary_complex.h"
#include "response.h"
#include "text/fail.h"

#define NEAR 1e-14
#define TURN 6.28318530717958647692
enum { SAMPLES = 2048, MORE = 4096 }; /* of a period; where the motion is given they cost little */

static void eval(const void *ctx, double t, int side, double *w, double *dw)
{
  const bri_sine *s = ctx;
  const double a = TURN * s->frequency, half = 2 * s->frequency * t - 0.5, turn = rint(half);
  (void)side;
  *w = s->offset + s->amplitude * bri_sin(a * t);
  *dw = a * s->amplitude * bri_cos(a * t);
  if (fabs(half - turn) <= NEAR * (1 + fabs(turn))) *dw = 0; /* where it turns it rests: see next_turn() */
}

/* Given motion turns at corners, so that no step goes across. */
static double next_turn(const void *ctx, double t)
{
  const bri_sine *s = ctx;
  double k = floor(2 * s->frequency * t - 0.5) + 1;
  if (!((k + 0.5) / (2 * s->frequency) > t + NEAR / s->frequency * (1 + fabs(k)))) k++;
  return (k + 0.5) / (2 * s->frequency);
}

br_drive bri_sine_drive(const bri_sine *sine)
{
  const br_drive d = {.eval = eval, .next_corner = next_turn, .ctx = sine};
  return d;
}

br_status bri_period_map(bri_period *m, const double *x, double *out, br_err *err)
{
  br_status st = br_solver_start(m->fast, 0, x, err);
  if (!st) st = br_solver_advance(m->fast, 1 / m->r->sine->frequency, out, err);
  for (size_t i = 0; i < m->n && !st; i++)
    if (!isfinite(out[i])) st = bri_fail(err, BR_E_NAN, "response: a state is not finite");
  return st;
}

br_status bri_period_slopes(bri_period *m, const double *x, const double *px, double *J, double *L,
                            br_err *err)
{
  const double h = 1e-6, span = m->r->to - m->r->from, kept = *m->r->vary;
  const size_t n = m->n;
  br_status st = BR_OK;
  for (size_t j = 0; j < n && !st; j++) {
    memcpy(m->a, x, n * sizeof *x);
    m->a[j] += h * m->scale[j];
    st = bri_period_map(m, m->a, m->b, err);
    for (size_t i = 0; i < n && !st; i++)
      J[i * n + j] = (m->b[i] - px[i]) / (h * m->scale[i]) - (i == j ? 1 : 0);
  }
  *m->r->vary = kept + h * kept;
  if (!st) st = bri_period_map(m, x, m->b, err);
  *m->r->vary = kept;
  for (size_t i = 0; i < n && !st; i++) L[i] = (m->b[i] - px[i]) / m->scale[i] / (h * kept) * span;
  return st;
}

/* Sums for the first harmonics. */
typedef struct {
  double complex input, watched, place, force;
} harmonics;

static void add(const bri_period *m, double t, harmonics *h)
{
  const bri_response *r = m->r;
  const double a = TURN * r->sine->frequency, input = r->sine->amplitude * bri_sin(a * t);
  const double complex turn = bri_cexp(-I * (a * t));
  const int v = br_plant_velocity(r->plant, 0);
  br_solver_force(m->book, m->force);
  h->input += input * turn;
  h->watched += (r->watched < 0 ? input : m->a[r->watched]) * turn;
  h->force += m->force[0] * turn;
  if (r->position >= 0) h->place += m->a[r->position] * turn;
  else if (r->given) h->place += input * turn;
  else if (v >= 0) h->place += m->a[v] * turn / (I * a);
}

br_status bri_period_measure(bri_period *m, const double *x, bri_point *p, br_err *err)
{
  const bri_response *r = m->r;
  const double period = 1 / r->sine->frequency;
  harmonics h = {0, 0, 0, 0};
  br_status st = br_solver_start(m->book, 0, x, err);
  const int samples = r->given ? MORE : SAMPLES;
  for (int k = 0; k < samples && !st; k++) {
    const double t = period * (k + 1) / samples;
    st = br_solver_advance(m->book, t, m->a, err);
    if (!st) add(m, t, &h);
  }
  if (st) return st;
  br_solver_extremes(m->book, m->lo, m->hi);
  for (size_t i = 0; i < m->n; i++) { /* of a state that rests: something that is not zero */
    const double size = fmax(fabs(m->lo[i]), fabs(m->hi[i]));
    m->scale[i] = size > 0 ? size : m->scale[i] > 0 ? m->scale[i] : 1;
  }
  const double complex K = bri_cdiv(h.force, h.place);
  const int w = r->watched;
  p->frequency = r->sine->frequency;
  p->amplitude_in = r->sine->amplitude;
  p->amplitude = w < 0 ? r->sine->amplitude : 0.5 * (m->hi[w] - m->lo[w]);
  p->phase = bri_cabs(h.watched) > 0 ? bri_carg(bri_cdiv(h.watched, h.input)) : NAN;
  p->work = br_solver_energy(m->book).work_in;
  p->stiffness = bri_cabs(h.place) > 0 ? creal(K) : NAN;
  p->loss_factor = bri_cabs(h.place) > 0 && creal(K) != 0 ? cimag(K) / creal(K) : NAN;
  return BR_OK;
}
