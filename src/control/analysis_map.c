/* SPDX-License-Identifier: Apache-2.0
 * analysis_map.c - 'control' with map: where the loop hunts, and what an observer changes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/unit.h"
#include "analysis.h"
#include "base/alloc.h"
#include "table/range.h"
#include "text/fail.h"

enum { PANELS = 2 };

typedef struct {
  char name[2][64];
  br_control_axis axis[2];
  size_t n; /* cells per side */
  size_t panels;
  br_control_settings set[PANELS];
  br_control_result *cell[PANELS];
} maps;

br_status bri_control_read_axis(const br_job *job, const char *option, size_t room, char *name,
                                br_control_axis *axis, br_err *err)
{
  const char *text = br_job_text(job, option);
  bri_range r;
  br_unit wanted;
  if (!text) return bri_control_refuse(job, "map", err, "needs %s%s NAME=A:B", br_job_dash(job), option);
  if (!bri_range_split(text, &r) || r.n >= room || bri_range_numbers(&r, NULL))
    return bri_control_refuse(job, option, err, "%.60s: expected NAME=A:B with two numbers", text);
  axis->a = r.x[0], axis->b = r.x[1];
  if (!(axis->a < axis->b)) return bri_control_refuse(job, option, err, "%.60s: A must lie below B", text);
  (void)snprintf(name, room, "%.*s", (int)r.n, r.name);
  axis->name = name;
  const br_param *row = br_params_row(br_job_params(job), name);
  for (int i = 0; i < 2; i++)
    if (r.has_unit[i] && row && !br_unit_parse(row->unit, strlen(row->unit), &wanted, NULL) &&
        !br_unit_fits(&wanted, &r.unit[i], (br_job_system(job)->flags & BR_SYSTEM_ROTARY) != 0))
      return bri_control_refuse(job, option, err, "%.60s: %s is in %s", text, name, row->unit);
  return BR_OK;
}

static double at(const br_control_axis *a, size_t i, size_t n)
{
  return a->a + (a->b - a->a) * (double)i / (double)(n - 1);
}

static void put_values(const bri_control_question *q, const maps *m)
{
  for (size_t k = 0; k < m->panels; k++) {
    size_t count[BR_OUTCOMES] = {0};
    br_put_text(q->out, br_control_name((size_t)m->set[k].kind), "panels.%zu.controller", k);
    for (size_t i = 0; i < m->n * m->n; i++) count[br_control_outcome_of(&m->cell[k][i])]++;
    for (int g = 0; g < BR_OUTCOMES; g++)
      br_put_number(q->out, "1", (double)count[g], "panels.%zu.%s", k,
                    br_control_outcome_text((br_control_outcome)g));
    br_put_number(q->out, "1", (double)(m->n * m->n), "panels.%zu.cells", k);
  }
}

static br_status put_table(const bri_control_question *q, const maps *m, br_err *err)
{
  const br_column columns[] = {{"panel", "1"},     {m->name[0], "1"},        {m->name[1], "1"},
                               {"verdict", "1"},   {"amplitude", q->y_unit}, {"period", "s"},
                               {"multiplier", "1"}};
  const size_t cells = m->n * m->n;
  const br_table_head head = {"map", BR_TABLE_MAIN | BR_TABLE_FILE, 7, columns, m->panels * cells};
  br_status st = br_put_table(q->out, &head, err);
  for (size_t k = 0; k < m->panels; k++)
    for (size_t i = 0; i < cells && !st; i++) {
      const br_control_result *r = &m->cell[k][i];
      const double x = at(&m->axis[0], i / m->n, m->n), y = at(&m->axis[1], i % m->n, m->n);
      const double verdict = (double)br_control_outcome_of(r);
      const double row[] = {(double)k + 1, x, y, verdict, r->amplitude, r->period, r->multiplier};
      st = br_put_row(q->out, row, err);
    }
  return st ? st : br_put_end(q->out, err);
}

/* The picture: hunting in the colours of its amplitude, the rest by its verdict; NaN leaves a cell to the
 * other. */
static br_status put_cells(const bri_control_question *q, const maps *m, size_t k, int hunts, br_err *err)
{
  const char *who = br_control_name((size_t)m->set[k].kind), *names[BR_OUTCOMES] = {0};
  char name[32], value[64], text[BR_OUTCOMES][64];
  const br_column columns[] = {{m->name[0], "1"}, {m->name[1], "1"}, {value, hunts ? q->y_unit : "1"}};
  const br_table_head head = {.name = name,
                              .shape = BR_TABLE_FILE,
                              .ncol = 3,
                              .columns = columns,
                              .names = names,
                              .nnames = hunts ? 0 : BR_OUTCOMES};
  (void)snprintf(value, sizeof value, hunts ? "amplitude of %s" : "verdict on %s", who);
  for (int g = BR_OUTCOME_SETTLES; g < BR_OUTCOMES; g++) {
    (void)snprintf(text[g], sizeof text[g], "%s %s", who, br_control_outcome_text((br_control_outcome)g));
    names[g] = text[g];
  }
  size_t count = 0;
  for (size_t i = 0; i < m->n * m->n; i++)
    count += (br_control_outcome_of(&m->cell[k][i]) == BR_OUTCOME_HUNTS) == hunts;
  if (!count) return BR_OK;
  (void)snprintf(name, sizeof name, "%s-%zu", hunts ? "hunts" : "rest", k + 1);
  br_status st = br_put_table(q->out, &head, err);
  for (size_t i = 0; i < m->n * m->n && !st; i++) {
    const br_control_result *r = &m->cell[k][i];
    const br_control_outcome what = br_control_outcome_of(r);
    const double row[] = {at(&m->axis[0], i / m->n, m->n), at(&m->axis[1], i % m->n, m->n),
                          (what == BR_OUTCOME_HUNTS) != hunts ? (double)NAN
                          : hunts                             ? r->amplitude
                                                              : (double)what};
    st = br_put_row(q->out, row, err);
  }
  return st ? st : br_put_end(q->out, err);
}

static br_status map(bri_control_question *q, maps *m, br_err *err)
{
  br_status st = bri_control_read_axis(q->job, "vary", sizeof m->name[0], m->name[0], &m->axis[0], err);
  if (!st) st = bri_control_read_axis(q->job, "vary2", sizeof m->name[1], m->name[1], &m->axis[1], err);
  if (st) return st;
  m->n = br_job_count(q->job, "grid");
  m->set[0] = q->set;
  m->panels =
      1 + (size_t)br_control_observer_beside(&q->controller, br_job_given(q->job, "poles"), &m->set[1]);
  br_control_case job = q->run;
  job.output_dt = 0;
  if (!(job.rtol > 0)) job.rtol = 1e-9;
  br_sink_amount(q->out, (double)(m->n * m->n * m->panels), "runs", 0.03);
  for (size_t k = 0; k < m->panels && !st; k++) {
    m->cell[k] = bri_calloc(m->n * m->n + 1, sizeof *m->cell[k]);
    if (!m->cell[k]) return bri_no_memory(err, "control");
    const br_control_map what = {&job,
                                 &m->set[k],
                                 q->controller.spar,
                                 q->controller.mpar,
                                 q->tracked,
                                 m->axis[0],
                                 m->axis[1],
                                 m->n,
                                 m->n,
                                 (int)br_job_count(q->job, "threads"),
                                 bri_control_progress,
                                 q};
    st = br_control_hunting_map(&what, m->cell[k], err);
  }
  if (!st) put_values(q, m);
  if (!st) st = put_table(q, m, err);
  for (size_t k = 0; k < m->panels && br_sink_wants(q->out, "hunts-1"); k++)
    for (int hunts = 0; hunts < 2 && !st; hunts++) st = put_cells(q, m, k, hunts, err);
  return st;
}

br_status bri_control_ask_map(bri_control_question *q, br_err *err)
{
  maps *m = bri_calloc(1, sizeof *m);
  if (!m) return bri_no_memory(err, "control");
  const br_status st = map(q, m, err);
  for (size_t k = 0; k < PANELS; k++) bri_free(m->cell[k]);
  bri_free(m);
  return st;
}
