/* SPDX-License-Identifier: Apache-2.0
 * experiment.c - how long the default experiment is: checkers follow it by 500 explicit steps. */
#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../solve/plant.h"
#include "fmu.h"

typedef struct {
  const br_plant *p;
  bri_work work;
  bri_mode mode;
  double *x, *y, *dy, *g;
} walker;

/* Everything that has happened by t; contacts may set one another free, once each way. */
static void events(walker *w, double t)
{
  const size_t n = bri_nevent(w->p);
  for (size_t i = 0; i < 4 * n + 4; i++) {
    size_t e = 0;
    br_event_type type;
    bri_events(w->p, &w->work, &w->mode, t, w->y, w->g, w->dy);
    bri_mode_sides(w->p, &w->mode, w->y);
    while (e < n && !(w->g[e] < 0)) e++;
    if (e == n) return;
    (void)bri_mode_switch(w->p, &w->work, &w->mode, e, t, w->y, w->dy, &type);
  }
}

/* The largest number in `steps` explicit steps from the start values to t_end; not finite: they cannot. */
static double walk(walker *w, double t_end, int steps)
{
  const double h = t_end / steps;
  double most = 0;
  memset(w->x, 0, w->p->nx * sizeof *w->x);
  bri_mode_start(w->p, &w->work, &w->mode, 0, w->x, w->y, w->dy);
  events(w, 0);
  for (int k = 0; k < steps && isfinite(most); k++) {
    bri_eval(w->p, &w->work, &w->mode, h * k, w->y, w->dy);
    for (size_t i = 0; i < w->p->ny; i++) {
      w->y[i] += h * w->dy[i];
      most = isfinite(w->y[i]) ? fmax(most, fabs(w->y[i])) : INFINITY;
      if (!isfinite(most)) break;
    }
    if (isfinite(most)) events(w, h * (k + 1));
  }
  return most;
}

double bri_fmu_stop(const br_plant *p)
{
  enum { STEPS = 500, FINER = 10 };
  walker w = {.p = p};
  const size_t n = p->nx + 2 * p->ny + bri_nevent(p);
  double ten = 1;
  w.x = bri_calloc(n + 1, sizeof *w.x);
  w.y = w.x ? w.x + p->nx : NULL, w.dy = w.y ? w.y + p->ny : NULL, w.g = w.dy ? w.dy + p->ny : NULL;
  if (w.x && !bri_work_create(p, &w.work) && !bri_mode_create(p, &w.mode))
    for (; ten < 1e6; ten *= 10) {
      const double most = walk(&w, 1 / ten, STEPS);
      if (isfinite(most) && most <= 2 * walk(&w, 1 / ten, FINER * STEPS)) break;
    }
  bri_mode_destroy(&w.mode);
  bri_work_destroy(&w.work);
  bri_free(w.x);
  return 1 / ten;
}
