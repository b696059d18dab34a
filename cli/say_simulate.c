/* SPDX-License-Identifier: Apache-2.0
 * say_simulate.c - the answer of `bristle simulate` on the screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/elementary.h"
#include "ask.h"

/* Extremes are those of the motion, not of the rows. */
static void say_quantities(const br_result *r, const br_result_table *t)
{
  (void)printf("  %-12s %-6s %17s %17s %17s\n", "quantity", "unit", "min", "max", "last");
  for (size_t i = 1; i < t->ncol; i++) {
    const char *name = t->columns[i].name, *unit = t->columns[i].unit[0] ? t->columns[i].unit : "1";
    const double f = say_factor(&unit);
    char path[80];
    (void)snprintf(path, sizeof path, "final.%s", name);
    if (br_result_kind(r, path) == BR_NODE_NONE || strstr(name, "_contact"))
      continue; /* an input; a state's copy */
    const double lo = say_real(r, "extremes.%s.min", name) / f, hi = say_real(r, "extremes.%s.max", name) / f,
                 last = br_result_real(r, path) / f;
    if (isnan(lo)) (void)printf("  %-12s %-6s %17s %17s %17.9g\n", name, unit, "", "", last);
    else (void)printf("  %-12s %-6s %17.9g %17.9g %17.9g\n", name, unit, lo, hi, last);
  }
}

static void say_run(const br_job *job, const br_result *r)
{
  (void)printf("%s with %s to t = %s: %.0f steps (%.0f rejected), %.0f events, %.3g s\n",
               br_job_system(job)->name, br_job_model(job)->name, say_in(r, 9, "t_end"),
               br_result_real(r, "stats.steps"), br_result_real(r, "stats.rejected"),
               br_result_real(r, "event_count"), br_result_real(r, "stats.seconds"));
  say_quantities(r, br_result_table_find(r, "simulate"));
  (void)printf("  work in %s, stored %s, dissipated %s, residual %s\n", say_in(r, 9, "energy.work_in"),
               say_in(r, 9, "energy.stored"), say_in(r, 9, "energy.dissipated"),
               say_in(r, 3, "energy.residual"));
  if (br_result_kind(r, "window") != BR_NODE_NONE)
    (void)printf("  from %s to %s: work in %s, %.0f reversals, stick fraction %.6g\n",
                 say_in(r, -9, "window.from"), say_in(r, 9, "window.to"), say_in(r, 9, "window.work_in"),
                 br_result_real(r, "window.reversals"), br_result_real(r, "window.stick_fraction"));
  say_measured(r);
  for (size_t i = 0; i < br_result_length(r, "warnings"); i++)
    (void)printf("  warning: %s\n", say_text(r, "warnings.%zu", i));
  for (size_t i = 0; br_job_flag(job, "events") && i < br_result_length(r, "events"); i++)
    (void)printf("  t = %s  %s\n", say_in(r, 12, "events.%zu.t", i), say_text(r, "events.%zu.type", i));
}

static void say_cycle(const br_job *job, const br_result *r)
{
  const br_plant *plant = br_job_plant(job);
  const double fraction = br_result_real(r, "cycle.stick_fraction"),
               returns = br_result_real(r, "cycle.returns");
  (void)printf("cycle: period %s, friction work %s, ", say_in(r, 12, "cycle.period"),
               say_in(r, 9, "cycle.friction_work"));
  if (isfinite(fraction)) (void)printf("stick fraction %.9g\n", fraction);
  else (void)printf("%s\n", br_result_text(r, "cycle.note"));
  for (size_t i = 0; i < br_plant_nstate(plant); i++) {
    const char *name = br_plant_state(plant, i);
    (void)printf("  %-8s from %s to %s\n", name, say_in(r, -12, "cycle.%s_min", name),
                 say_in(r, 12, "cycle.%s_max", name));
  }
  if (br_result_length(r, "cycle.multipliers"))
    (void)printf(
        "  it attracts: largest multiplier %.3g, %.0f return%s to the section\n",
        bri_hypot(br_result_real(r, "cycle.multipliers.0.0"), br_result_real(r, "cycle.multipliers.0.1")),
        returns, returns > 1 ? "s" : "");
}

void say_simulate(const br_job *job, const br_result *r)
{
  const int cycle = br_job_flag(job, "cycle");
  if (!cycle || br_job_given(job, "t-end")) say_run(job, r);
  if (cycle) say_cycle(job, r);
}
