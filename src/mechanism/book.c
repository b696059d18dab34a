/* SPDX-License-Identifier: Apache-2.0
 * book.c - energy of a mechanism: stored, put in, lost; and what it shows.
 *   d energy / dt = power - loss - sum F v        (F, v: contacts) */
#include "law.h"

typedef struct {
  const double *w, *dw, *q;
} point;

static const double *body_at(program g, double i)
{
  return i < 0 ? NULL : bri_mech_list(g, HEAD_BODY) + bri_mech_at(i) * BODY_SIZE;
}

static double x_of(program g, const double *b, const point *p)
{
  return b ? bri_mech_x(g, b, p->w, p->q) : 0;
}
static double v_of(program g, const double *b, const point *p)
{
  return b ? bri_mech_v(g, b, p->w, p->dw, p->q) : 0;
}

static double sum_states(program g, int which, const point *p)
{
  const double *state = bri_mech_list(g, HEAD_STATE);
  double sum = 0;
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NS); i++)
    if (state[4 * i + (size_t)which] >= 0)
      sum += bri_mech_formula(g, state[4 * i + (size_t)which], p->w, p->dw, p->q, NULL);
  return sum;
}

double bri_mech_energy(const void *par, const double *w, const double *dw, const double *q)
{
  const program g = bri_mech_program(par);
  const point p = {w, dw, q};
  const double *el = bri_mech_list(g, HEAD_ELEM), *mass = bri_mech_list(g, HEAD_MASS);
  const size_t nx = bri_mech_count(g, HEAD_NX);
  double sum = sum_states(g, 1, &p);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_ND); i++) sum += 0.5 / mass[i] * q[nx + i] * q[nx + i];
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NELEM); i++, el += ELEM_SIZE) {
    if (el[ELEM_KIND] == ELEM_FORCE || el[ELEM_KIND] == ELEM_CONSTANT) continue;
    sum +=
        bri_mech_law_at(g, el, x_of(g, body_at(g, el[ELEM_A]), &p) - x_of(g, body_at(g, el[ELEM_B]), &p), 0)
            .stored;
  }
  return sum;
}

static int is_moved(const double *b) { return b && b[BODY_MOVED] != MOVED_NOT; }

/* Power of whoever moves this body, against the force f on it. */
static double mover(program g, const double *b, double f, const point *p)
{
  return is_moved(b) ? -f * v_of(g, b, p) : 0;
}

double bri_mech_power(const void *par, const double *w, const double *dw, const double *q, const double *F)
{
  const program g = bri_mech_program(par);
  const point p = {w, dw, q};
  const double *el = bri_mech_list(g, HEAD_ELEM), *c = bri_mech_list(g, HEAD_CONTACT);
  double sum = sum_states(g, 2, &p);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NELEM); i++, el += ELEM_SIZE) {
    const double *a = body_at(g, el[ELEM_A]), *b = body_at(g, el[ELEM_B]);
    const int by_force = el[ELEM_KIND] == ELEM_FORCE || el[ELEM_KIND] == ELEM_CONSTANT;
    if (!by_force && !is_moved(a) && !is_moved(b)) continue; /* between the mechanism's own bodies */
    const double de = v_of(g, a, &p) - v_of(g, b, &p);
    double f = 0; /* on b */
    if (el[ELEM_KIND] == ELEM_FORCE) {
      f = -bri_mech_formula(g, el[ELEM_P0], w, dw, q, NULL);
      if (el[ELEM_P1] == BOOK_IN) sum -= f * de;
    } else if (el[ELEM_KIND] == ELEM_CONSTANT) {
      f = -bri_mech_value(g, el[ELEM_P0], 0);
      sum -= f * de;
    } else {
      f = bri_mech_law_at(g, el, x_of(g, a, &p) - x_of(g, b, &p), de).force;
    }
    sum += mover(g, a, -f, &p) + mover(g, b, f, &p);
  }
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NCONTACT); i++, c += CONTACT_SIZE)
    sum += mover(g, body_at(g, c[CONTACT_A]), -F[i], &p) + mover(g, body_at(g, c[CONTACT_B]), F[i], &p);
  return sum;
}

double bri_mech_loss(const void *par, const double *w, const double *dw, const double *q)
{
  const program g = bri_mech_program(par);
  const point p = {w, dw, q};
  const double *el = bri_mech_list(g, HEAD_ELEM);
  double sum = sum_states(g, 3, &p);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NELEM); i++, el += ELEM_SIZE) {
    if (el[ELEM_KIND] == ELEM_SPRING && el[ELEM_P1] < 0) continue; /* without damping */
    const double *a = body_at(g, el[ELEM_A]), *b = body_at(g, el[ELEM_B]);
    const double de = v_of(g, a, &p) - v_of(g, b, &p);
    if (el[ELEM_KIND] == ELEM_FORCE) {
      if (el[ELEM_P1] == BOOK_LOST) sum -= bri_mech_formula(g, el[ELEM_P0], w, dw, q, NULL) * de;
    } else {
      sum += bri_mech_law_at(g, el, x_of(g, a, &p) - x_of(g, b, &p), de).lost;
    }
  }
  return sum;
}

void bri_mech_show(const void *par, const double *w, const double *dw, const double *q, double *out)
{
  const program g = bri_mech_program(par);
  const double *form = bri_mech_list(g, HEAD_OUT);
  for (size_t i = 0; i < bri_mech_count(g, HEAD_NOUT); i++)
    out[i] = bri_mech_formula(g, form[i], w, dw, q, NULL);
}
