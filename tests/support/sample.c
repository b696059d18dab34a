/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sample.h"

#include <math.h>
#include <string.h>

/* Does the value count something (whole numbers from 1 up)? */
static int counts(const br_param *p) { return p->max_len == 1 && p->lo >= 1 && p->hi < 1e6; }

static double vary(const br_param *p, double x, rng *r)
{
  if (p->choices) return (double)(rng_next(r) % (strchr(p->choices, '|') ? 2 : 1));
  if (counts(p)) return x;
  if (x == 0) return rng_next(r) % 2 ? 0 : rng_range(r, 0, 0.3);
  return x * exp2(rng_range(r, -1, 1));
}

void sample_element(motion *q, const char *model, rng *r)
{
  motion_init(q, model);
  for (size_t i = 0; i < q->m->nparam; i++) {
    const br_param *p = &q->m->params[i];
    double kept[MOTION_SLOTS];
    memcpy(kept, q->par, sizeof kept);
    const size_t len = p->max_len == 1 ? 1 : (size_t)q->par[p->len_slot];
    for (size_t k = 0; k < len; k++) q->par[p->slot + k] = vary(p, q->par[p->slot + k], r);
    if (q->m->check(q->par, NULL) != BR_OK) memcpy(q->par, kept, sizeof kept);
  }
  q->load = rng_range(r, 0.5, 2);
  motion_ready(q);
}

double sample_length(const motion *q)
{
  const double v[2] = {1e-9, 0}; /* slow: the elastic part alone */
  motion s = *q;
  double last = 0, first_slope = 0, F[2];
  motion_force(&s, v, F);
  last = F[0];
  for (double u = 1e-9; u < 1e3; u *= 1.1) {
    const double du = u - s.u[0];
    s.m->step(s.par, s.load, s.u, v, du / v[0], s.z);
    s.u[0] = u;
    motion_force(&s, v, F);
    const double slope = (F[0] - last) / du;
    if (first_slope == 0) first_slope = slope;
    if (slope < 0.5 * first_slope) return u;
    last = F[0];
  }
  return 1; /* no elastic part */
}

double sample_speed(const motion *q)
{
  const br_param *vs = br_model_param(q->m, "vs");
  return vs ? q->par[vs->slot] : 1;
}

double sample_leg(const motion *q, rng *r, double length, double speed, double *v)
{
  const double size = speed * exp2(rng_range(r, -3, 3)), path = length * rng_range(r, 0.05, 3);
  const double angle = q->m->axes > 1    ? rng_range(r, 0, 6.283185307179586)
                       : rng_next(r) % 2 ? 0
                                         : 3.141592653589793;
  v[0] = q->m->axes > 1 ? size * cos(angle) : angle > 1 ? -size : size;
  v[1] = q->m->axes > 1 ? size * sin(angle) : 0;
  return path / size;
}
