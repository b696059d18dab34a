/* SPDX-License-Identifier: Apache-2.0
 * an_wave.c - analyses 'wave' (steady response to a periodic motion in its own time, slowed down, filtered)
 * and 'rate' (how fast that approaches the quasi-static limit). */
#include "analysis.h"
#include "bristle/wave.h"

enum { SCALE, TAU, LOAD, SAMPLES, SLOTS };
enum { SCALES, MOST_SCALES = 32, RATE_TAU = MOST_SCALES + 1, RATE_LOAD, RATE_SLOTS };

static const br_param OPTIONS[] = {
    BRI_OPT_REAL(SCALE, "scale", "1", 1, 0, 1, "the input runs this many times slower"),
    BRI_OPT_REAL(TAU, "tau", "s", 0, 0, 0, "time constant of a first-order filter behind the force; 0: none"),
    BRI_OPT_REAL(LOAD, "load", "1", 1, 0, 0, "normal-load factor"),
    BRI_OPT_REAL(SAMPLES, "samples", "1", 400, 8, 0, "points per period in the table"),
};
static const br_param RATE_OPTIONS[] = {
    BRI_OPT_LIST(SCALES, "scales", "1", 0, 1, MOST_SCALES,
                 "how many times slower the input runs, several values"),
    BRI_OPT_REAL(RATE_TAU, "tau", "s", 0, 0, 0,
                 "time constant of a first-order filter behind the force; 0: none"),
    BRI_OPT_REAL(RATE_LOAD, "load", "1", 1, 0, 0, "normal-load factor"),
};

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  static const char *const NAMES[] = {"t", "u", "y"}, *const UNITS[] = {"s", "m", "N"};
  br_wave_settings o = br_wave_settings_default();
  br_wave *wave = NULL;
  o.stop = bri_sink_stop(out);
  o.scale = r->opt[SCALE];
  o.tau = r->opt[TAU];
  o.load = r->opt[LOAD];
  if (r->opt[SAMPLES] > 1e7) return bri_text_fail(err, BR_E_RANGE, -1, "wave: at most 1e7 samples");
  o.samples = (size_t)r->opt[SAMPLES];
  br_status st = bri_sink_alive(out, 0);
  if (!st) st = br_wave_create(r->m, r->par, r->inputs[0], &o, &wave, err);
  if (!st) st = bri_sink_table(out, "wave", 3, NAMES, UNITS, err);
  const br_wave_result *w = st ? NULL : br_wave_get(wave);
  for (size_t i = 0; w && i < w->n && !st; i++) {
    const double row[3] = {w->t[i], w->u[i], w->y[i]};
    st = bri_sink_row(out, row, err);
  }
  if (!st) st = bri_sink_end(out, err);
  if (!st && w) {
    bri_sink_number(out, "J", w->work, "work");
    bri_sink_number(out, "N", w->y_min, "y_min");
    bri_sink_number(out, "N", w->y_max, "y_max");
    bri_sink_number(out, "N", w->error, "error");
    bri_sink_number(out, "1", w->contraction, "contraction");
  }
  br_wave_destroy(wave);
  return st;
}

static br_status run_rate(const bri_run *r, bri_sink *out, br_err *err)
{
  static const char *const NAMES[] = {"scale", "transient", "transient_at", "steady"}, *const UNITS[] = {
                                                                                           "1", "N", "s",
                                                                                           "N"};
  const size_t n = (size_t)r->opt[MOST_SCALES];
  br_rate_row rows[MOST_SCALES];
  br_wave_settings o = br_wave_settings_default();
  o.stop = bri_sink_stop(out);
  o.tau = r->opt[RATE_TAU];
  o.load = r->opt[RATE_LOAD];
  if (n == 0) return bri_text_fail(err, BR_E_ARG, -1, "rate: 'scales' is empty; expected e.g. [1, 10, 100]");
  br_status st = bri_sink_alive(out, 0);
  if (!st) st = br_rate_distance(r->m, r->par, r->inputs[0], &o, n, r->opt + SCALES, rows, err);
  if (!st) st = bri_sink_table(out, "rate", 4, NAMES, UNITS, err);
  for (size_t i = 0; i < n && !st; i++) {
    const double row[4] = {rows[i].scale, rows[i].transient, rows[i].transient_at, rows[i].steady};
    st = bri_sink_row(out, row, err);
    bri_sink_number(out, "N", rows[i].transient, "distance.%zu.transient", i);
    bri_sink_number(out, "N", rows[i].steady, "distance.%zu.steady", i);
  }
  return st ? st : bri_sink_end(out, err);
}

const bri_analysis bri_an_wave = {
    {"wave", "steady response to a periodic motion in its own time, slowed down and filtered", OPTIONS,
     sizeof OPTIONS / sizeof OPTIONS[0], 1, 0},
    SLOTS,
    1,
    "wave: {x: u, y: y, xlabel: displacement u, ylabel: friction force y}",
    run,
};
const bri_analysis bri_an_rate = {
    {"rate", "distance of the response from its quasi-static limit at several time scales", RATE_OPTIONS,
     sizeof RATE_OPTIONS / sizeof RATE_OPTIONS[0], 1, 0},
    RATE_SLOTS,
    1,
    "rate: {x: scale, y: transient, xlabel: time scale, ylabel: largest distance, lines: [{style: points}]}",
    run_rate,
};
