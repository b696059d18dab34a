/* SPDX-License-Identifier: Apache-2.0
 * returns.c - the return map of a plant: long runs towards what it settles on, single returns to a section.
 * */
#include "returns.h"

#include <math.h>
#include <string.h>

int bri_pass_on(void *ctx, double t)
{
  const bri_caller *c = (const bri_caller *)ctx;
  return c->on_step(c->ctx, t);
}

void bri_add_stats(br_solve_stats *sum, const br_solver *s)
{
  if (!s) return;
  const br_solve_stats a = br_solver_stats(s);
  sum->steps += a.steps, sum->rejected += a.rejected, sum->rhs += a.rhs, sum->jacobians += a.jacobians;
  sum->events += a.events, sum->seconds += a.seconds, sum->rounded += a.rounded;
}

void bri_section(void *ctx, double t, const double *x, double *g)
{
  const bri_returns *c = (const bri_returns *)ctx;
  (void)t;
  g[0] = x[c->iv] - c->level;
}

int bri_on_section(void *ctx, const br_event *ev)
{
  bri_returns *c = (bri_returns *)ctx;
  if (ev->type != BR_EVENT_USER || ev->direction <= 0 || !c->armed) return 0;
  c->armed = 0;
  c->t_hit = ev->t;
  memcpy(c->hit, ev->x, c->nx * sizeof *c->hit);
  return 1;
}

void bri_returns_state(const bri_returns *c, const double *r, double *x)
{
  for (size_t i = 0, j = 0; i < c->nx; i++) x[i] = !c->driven && i == c->iv ? c->level : r[j++];
}

/* From state x to the section: 0 when it gets there, in r. */
static int to_section(bri_returns *c, const double *x, double *r)
{
  if (br_solver_start(c->solver, 0, x, c->err) != BR_OK) return 1;
  c->armed = 1;
  const br_status st = br_solver_advance(c->solver, c->t_max, NULL, c->err);
  bri_add_stats(c->stats, c->solver);
  const int there = st == BR_INTERRUPTED && !c->armed;
  c->stopped |= st == BR_INTERRUPTED && c->armed;
  c->armed = 0;
  c->spent += there ? c->t_hit : c->t_max;
  if (!there) return 1;
  for (size_t i = 0, j = 0; i < c->nx; i++)
    if (i != c->iv) r[j++] = c->hit[i];
  return 0;
}

int bri_first_return(bri_returns *c, const double *x, double *r)
{
  if (!c->driven) return to_section(c, x, r);
  memcpy(r, x, c->nx * sizeof *r);
  return 0;
}

static int over_period(bri_returns *c, const double *x, double *out)
{
  if (br_solver_start(c->solver, 0, x, c->err) != BR_OK) return 1;
  const br_status st = br_solver_advance(c->solver, c->input_period, out, c->err);
  bri_add_stats(c->stats, c->solver);
  c->stopped |= st == BR_INTERRUPTED;
  c->t_hit = c->input_period;
  c->spent += c->input_period;
  return st != BR_OK;
}

int bri_returns_map(void *ctx, const double *r, double *out)
{
  bri_returns *c = (bri_returns *)ctx;
  double took = 0;
  for (int i = 0; i < c->folds; i++) {
    bri_returns_state(c, i ? out : r, c->x);
    if (c->stopped || (c->driven ? over_period(c, c->x, out) : to_section(c, c->x, out))) return 1;
    took += c->t_hit;
    c->count++;
  }
  c->took = took;
  return 0;
}

br_status bri_settle(bri_returns *c, const br_solve_settings *solve, double t_end, bri_settled *s)
{
  br_solver *run = NULL;
  br_solve_settings set = *solve;
  const int samples = 2000;
  const double half = 0.5 * t_end;
  set.nuser = 0, set.user = NULL, set.on_event = NULL, set.energy = 0, set.extremes = 1;
  set.rtol = fmax(set.rtol, 1e-9);
  set.t_stop = t_end; /* nothing behind it counts */
  br_status st = br_solver_create(c->p, &set, &run, c->err);
  if (st == BR_OK) st = br_solver_start(run, 0, s->x, c->err);
  if (st == BR_OK) st = br_solver_advance(run, half, s->x, c->err);
  if (st == BR_OK) {
    bri_add_stats(c->stats, run);
    st = br_solver_start(run, half, s->x, c->err); /* extremes of the second half alone */
  }
  s->mean = 0;
  for (int i = 1; i <= samples && st == BR_OK; i++) {
    st = br_solver_advance(run, half + half * i / samples, s->x, c->err);
    s->mean += s->x[c->iv] / samples;
  }
  if (st == BR_OK) br_solver_extremes(run, s->lo, s->hi);
  for (size_t l = 0; l < c->nx && st == BR_OK; l++) {
    s->scale[l] = fmax(fabs(s->lo[l]), fabs(s->hi[l]));
    if (!(s->scale[l] > 0)) s->scale[l] = 1e-12;
    s->top[l] = fmax(s->top[l], s->scale[l]);
    s->range[l] = s->hi[l] - s->lo[l];
  }
  c->stopped |= st == BR_INTERRUPTED;
  c->spent += t_end;
  bri_add_stats(c->stats, run);
  br_solver_destroy(run);
  return st;
}
