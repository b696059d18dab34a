/* SPDX-License-Identifier: Apache-2.0
 * analysis_measures.c - 'simulate', what people read off each contact: where it broke away, how often and how
 * long it held.  Contacts that truly stick tell it by their events; of others the rows do: the first peak of
 * |F|, and speeds below the threshold of the stick fraction. */
#include <math.h>

#include "answer.h"
#include "base/alloc.h"
#include "text/fail.h"
#include "param/turns.h"

struct bri_measures {
  double t[2], F[2]; /* of the last two rows: |F| */
  double v;          /* speed of the last row */
  double peak, at;   /* NaN: none yet */
  double held;       /* s */
  size_t rows, sticks;
};

br_status bri_measures_open(bri_answer *b, br_err *err)
{
  if (!b->nenergy) return BR_OK;
  b->measures = bri_calloc(b->nforce + 1, sizeof *b->measures);
  if (!b->measures) return bri_no_memory(err, "simulate");
  for (size_t k = 0; k < b->nforce; k++) b->measures[k].peak = b->measures[k].at = NAN;
  return BR_OK;
}

/* Through three rows, the middle one the highest. */
static void take_peak(struct bri_measures *m, double t, double F)
{
  const double a = m->t[1] - m->t[0], c = t - m->t[1], p = (m->F[1] - m->F[0]) / a, q = (F - m->F[1]) / c,
               bend = (q - p) / (a + c), slope = (p * c + q * a) / (a + c);
  m->at = bend < 0 ? m->t[1] - slope / (2 * bend) : m->t[1];
  m->peak = bend < 0 ? m->F[1] - slope * slope / (4 * bend) : m->F[1];
}

void bri_measures_row(bri_answer *b)
{
  const double t = b->row[0], *x = b->row + bri_answer_first(b), slow = b->window.threshold;
  for (size_t k = 0; b->measures && k < b->nforce; k++) {
    struct bri_measures *m = &b->measures[k];
    const int iv = br_plant_velocity(b->plant, k);
    const double F = fabs(x[b->nstate + k]), v = iv < 0 ? (double)NAN : fabs(x[iv]), dt = t - m->t[1];
    if (isnan(m->peak) && m->rows > 1 && m->F[1] > m->F[0] && m->F[1] >= F && dt > 0) take_peak(m, t, F);
    if (m->rows && (v < slow) + (m->v < slow) == 1) /* straight between the rows */
      m->held += dt * (fmin(v, m->v) < slow ? (slow - fmin(v, m->v)) / fabs(v - m->v) : 0);
    else if (m->rows && v < slow) m->held += dt;
    if (v < slow && (!m->rows || !(m->v < slow))) m->sticks++;
    m->t[0] = m->t[1], m->F[0] = m->F[1];
    m->t[1] = t, m->F[1] = F, m->v = v;
    m->rows++;
  }
}

/* True stick: from the events. */
static void from_events(const bri_answer *b, size_t c, struct bri_measures *m)
{
  double from = NAN;
  int any = 0;
  m->held = 0, m->sticks = 0, m->peak = m->at = NAN;
  for (size_t i = 0; i < b->nevent; i++) {
    const bri_answer_event *e = &b->events[i];
    if (e->contact != c || (e->type != BR_EVENT_STICK && e->type != BR_EVENT_SLIP)) continue;
    if (e->type == BR_EVENT_STICK) from = e->t;
    if (e->type == BR_EVENT_SLIP) {
      m->sticks++, m->held += e->t - (any ? from : 0);
      if (isnan(m->peak)) m->peak = fabs(e->F), m->at = e->t;
      from = NAN;
    }
    any = 1;
  }
  if (!any && m->v == 0) from = 0; /* it never moved */
  if (!isnan(from)) m->sticks++, m->held += b->t_end - from;
}

void bri_measures_put(bri_answer *b)
{
  const int true_stick = bri_is_true_stick(b->plant);
  if (!b->measures) return;
  br_put(b->out, BR_VALUE_LIST, 0, "contacts");
  for (size_t k = 0; k < b->nforce; k++) {
    struct bri_measures *m = &b->measures[k];
    if (true_stick) from_events(b, k, m);
    const int known = true_stick || (b->window.threshold > 0 && br_plant_velocity(b->plant, k) >= 0);
    br_put_number(b->out, bri_force_unit(b->sys, k / (size_t)b->sys->axes), m->peak, "contacts.%zu.breakaway",
                  k);
    br_put_number(b->out, "s", m->at, "contacts.%zu.breakaway_time", k);
    br_put_number(b->out, "1", known ? (double)m->sticks : (double)NAN, "contacts.%zu.sticks", k);
    br_put_number(b->out, "s", known ? m->held : (double)NAN, "contacts.%zu.stick_time", k);
  }
}
