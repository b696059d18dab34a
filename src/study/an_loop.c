/* SPDX-License-Identifier: Apache-2.0
 * an_loop.c - analysis 'loop': the steady hysteresis loop, its minor loops, its energy, the way into it. */
#include <stdio.h>

#include "analysis.h"
#include "bristle/loop.h"

enum { FREQUENCY, LOAD, SAMPLES, PERIODS, SLOTS, MOST_MINOR_TABLES = 16 };

static const br_param OPTIONS[] = {
    BRI_OPT_REAL(FREQUENCY, "frequency", "Hz", 0, 0, 0, "periods per second; 0: the quasi-static limit"),
    BRI_OPT_REAL(LOAD, "load", "1", 1, 0, 0, "normal-load factor, scales the force levels"),
    BRI_OPT_REAL(SAMPLES, "samples", "1", 400, 8, 0, "points per period in the tables"),
    BRI_OPT_REAL(PERIODS, "transient", "1", 0, 0, 0,
                 "periods of the way into the loop, from the initial state, each as a table of its own"),
};

static const char *const CURVE[] = {"rho", "u", "y"}, *const CURVE_UNIT[] = {"m", "m", "N"};

/* Points of a path: equally spaced, and both limits at every turning point on the way. */
static br_status curve(const br_loop *loop, br_loop_walk *on, bri_sink *out, double from, double to,
                       size_t samples, br_err *err)
{
  const br_loop_summary *s = br_loop_get(loop);
  const br_turning *turn = br_loop_turnings(loop);
  const double period = s->path_length;
  const double step = period / (double)samples;
  double rho = from;
  for (size_t guard = 0; guard < 100 * samples + 100 * s->n_turning; guard++) {
    const double at = fmod(rho, period);
    int corner = rho == from || rho == to;
    double next = rho + step < to ? (floor(rho / step + 1e-9) + 1) * step : to;
    if (next > to) next = to;
    for (size_t i = 0; i < s->n_turning; i++) {
      double t = turn[i].rho + floor(rho / period) * period;
      if (fabs(at - turn[i].rho) < 1e-12 * period) corner = 1;
      if (t <= rho + 1e-12 * period) t += period;
      if (t < next) next = t;
    }
    for (int side = rho == from ? 1 : -1; side <= (corner && rho < to ? 1 : -1); side += 2) {
      const double row[3] = {rho - from, br_loop_u(loop, rho), br_loop_walk_y(on, rho, side)};
      const br_status st = bri_sink_row(out, row, err);
      if (st) return st;
    }
    if (rho >= to) return BR_OK;
    rho = next;
  }
  return BR_OK;
}

static br_status path_table(const br_loop *loop, br_loop_walk *on, bri_sink *out, const char *name,
                            double from, double to, size_t samples, br_err *err)
{
  br_status st = bri_sink_alive(out, 0.5);
  if (!st) st = bri_sink_table(out, name, 3, CURVE, CURVE_UNIT, err);
  if (!st) st = curve(loop, on, out, from, to, samples, err);
  return st ? st : bri_sink_end(out, err);
}

static br_status turnings(const br_loop *loop, bri_sink *out, br_err *err)
{
  const br_loop_summary *s = br_loop_get(loop);
  br_status st = bri_sink_table(out, "turning", 3, CURVE, CURVE_UNIT, err);
  for (size_t i = 0; i < s->n_turning && !st; i++) {
    const br_turning *t = &br_loop_turnings(loop)[i];
    const double row[3] = {t->rho, t->u, t->y};
    st = bri_sink_row(out, row, err);
    bri_sink_number(out, "m", t->u, "turning.%zu.u", i);
    bri_sink_number(out, "N", t->y, "turning.%zu.y", i);
    bri_sink_number(out, "m", t->rho, "turning.%zu.rho", i);
  }
  return st ? st : bri_sink_end(out, err);
}

/* Start and end of every minor loop, as points to be marked. */
static br_status ends(const br_loop *loop, bri_sink *out, int start, br_err *err)
{
  const br_loop_summary *s = br_loop_get(loop);
  br_status st = bri_sink_table(out, start ? "starts" : "ends", 3, CURVE, CURVE_UNIT, err);
  for (size_t i = 0; i < s->n_minor && !st; i++) {
    const br_minor *m = &br_loop_minors(loop)[i];
    const double row[3] = {start ? m->rho_start : m->rho_end, m->u_start, start ? m->y_start : m->y_end};
    st = bri_sink_row(out, row, err);
  }
  return st ? st : bri_sink_end(out, err);
}

static br_status minors(const br_loop *loop, br_loop_walk *on, bri_sink *out, size_t samples, br_err *err)
{
  const br_loop_summary *s = br_loop_get(loop);
  br_status st = BR_OK;
  for (size_t i = 0; i < s->n_minor && !st; i++) {
    const br_minor *m = &br_loop_minors(loop)[i];
    char name[32];
    bri_sink_number(out, "1", (double)m->start_reversal, "minor.%zu.start_reversal", i);
    bri_sink_number(out, "m", m->u_start, "minor.%zu.u_start", i);
    bri_sink_number(out, "m", m->u_turn, "minor.%zu.u_turn", i);
    bri_sink_number(out, "m", m->rho_start, "minor.%zu.rho_start", i);
    bri_sink_number(out, "m", m->rho_end, "minor.%zu.rho_end", i);
    bri_sink_number(out, "N", m->y_start, "minor.%zu.y_start", i);
    bri_sink_number(out, "N", m->y_end, "minor.%zu.y_end", i);
    bri_sink_number(out, "N", m->gap, "minor.%zu.gap", i);
    bri_sink_number(out, "J", m->work, "minor.%zu.work", i);
    bri_sink_number(out, "J", m->dissipation, "minor.%zu.dissipation", i);
    if (i >= MOST_MINOR_TABLES) continue;
    (void)snprintf(name, sizeof name, "minor%zu", i);
    st = path_table(loop, on, out, name, m->rho_start, m->rho_end, samples, err);
  }
  if (s->n_minor && !st) st = ends(loop, out, 1, err);
  if (s->n_minor && !st) st = ends(loop, out, 0, err);
  return st;
}

static br_status write(const bri_run *r, const br_loop *loop, bri_sink *out, br_err *err)
{
  const br_loop_summary *s = br_loop_get(loop);
  const size_t samples = (size_t)r->opt[SAMPLES], periods = (size_t)r->opt[PERIODS];
  bri_sink_text(out, s->method == BR_LOOP_CLOSED_FORM ? "closed-form" : "period-map", "method");
  bri_sink_number(out, "m", s->path_length, "path_length");
  bri_sink_number(out, "J", s->work, "work");
  bri_sink_number(out, "J", s->dissipation, "dissipation");
  bri_sink_number(out, "N", s->y_min, "y_min");
  bri_sink_number(out, "N", s->y_max, "y_max");
  bri_sink_number(out, "N", s->error, "error");
  br_loop_walk *on = NULL;
  br_status st = br_loop_walk_create(loop, NULL, &on, err);
  if (!st) st = path_table(loop, on, out, "loop", 0, s->path_length, samples, err);
  if (!st) st = turnings(loop, out, err);
  if (!st) st = minors(loop, on, out, samples, err);
  br_loop_walk_destroy(on);
  on = NULL;
  if (!st && periods) st = br_loop_walk_create(loop, r->z0, &on, err);
  for (size_t k = 0; k < periods && !st; k++) {
    char name[32];
    (void)snprintf(name, sizeof name, "transient%zu", k);
    st = path_table(loop, on, out, name, (double)k * s->path_length, (double)(k + 1) * s->path_length,
                    samples, err);
  }
  br_loop_walk_destroy(on);
  return st;
}

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  br_loop_settings o = br_loop_settings_default();
  br_loop *loop = NULL;
  o.stop = bri_sink_stop(out);
  o.frequency = r->opt[FREQUENCY];
  o.load = r->opt[LOAD];
  if (r->opt[SAMPLES] > 1e6 || r->opt[PERIODS] > 1000)
    return bri_text_fail(err, BR_E_RANGE, -1, "loop: at most 1e6 samples and 1000 periods of transient");
  br_status st = br_loop_of_signal(r->m, r->par, r->inputs[0], &o, &loop, err);
  if (!st) st = write(r, loop, out, err);
  br_loop_destroy(loop);
  return st;
}

const bri_analysis bri_an_loop = {
    {"loop", "steady hysteresis loop, minor loops, energy", OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0], 1,
     0},
    SLOTS,
    1,
    "loop: {x: u, y: y, xlabel: displacement u, ylabel: friction force y, lines: [{style: muted}, "
    "{table: minor*, style: bold}, {table: starts*, style: circle, label: start}, {table: ends*, style: "
    "square, label: end}]}",
    run,
};
