/* SPDX-License-Identifier: Apache-2.0
 * measured.c - what was measured beside what a model gives. */
#include "measured.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "samples.h"
#include "text/fail.h"

enum { WIDTH = 5 };

br_status bri_measured_beside(const br_job *job, const char *spec, const br_signal_need *motion,
                              const br_signal *driven, const char *text, const bri_measured_kind *kind,
                              bri_measured *m, br_err *err)
{
  const br_signal_need need = {kind->unit, kind->what, kind->rotary, motion->decimal, 0};
  size_t n = 0;
  double origin = 0;
  memset(m, 0, sizeof *m);
  br_err why = {BR_OK, -1, ""};
  const br_status st = br_signal_beside(spec ? spec : "", motion, text, &need, &m->record, &why);
  if (st) return bri_fail(err, st, "%smeasured: %.230s", br_job_dash(job), why.msg);
  const double *s = bri_signal_samples(m->record, &n, &origin);
  if (br_signal_timeless(m->record) != (driven && br_signal_timeless(driven)) || !s) {
    bri_measured_close(m);
    return bri_fail(err, BR_E_ARG, "%smeasured: a force %s time along a motion %s", br_job_dash(job),
                    s ? "with" : "without", s ? "without" : "with time");
  }
  m->kind = *kind;
  m->from = origin + s[0], m->to = origin + s[n - 1];
  m->step = (m->to - m->from) / (double)(n - 1);
  return BR_OK;
}

br_status bri_measured_open(const br_job *job, size_t input, const char *text, const bri_measured_kind *kind,
                            bri_measured *m, br_err *err)
{
  const br_signal_need motion = br_job_need(job, input);
  return bri_measured_beside(job, br_job_spec(job, input), &motion, br_job_input(job, input), text, kind, m,
                             err);
}

void bri_measured_row(bri_measured *m, double t, double model, const double pair[2], int which, double along)
{
  const double slack = 1e-12 * (fabs(m->from) + fabs(m->to)), measured = br_signal_value(m->record, t);
  if (!(t >= m->from - slack && t <= m->to + slack)) return;
  double *rows = bri_grown(m->rows, m->n, &m->room, WIDTH * sizeof *rows);
  if (!rows) {
    m->failed = 1;
    return;
  }
  m->rows = rows;
  const double row[WIDTH] = {t, pair[0], measured, model, model - measured};
  memcpy(rows + WIDTH * m->n++, row, sizeof row);
  const bri_compare_row r = {{model, measured},
                             {pair[0], which == 0 ? measured : pair[0]},
                             {pair[1], which == 1 ? measured : pair[1]},
                             along};
  bri_compare_add(&m->sums, &r);
}

static br_status put_table(const bri_measured *m, int path, br_sink *out, br_err *err)
{
  const char *along = m->kind.along;
  const br_column columns[WIDTH] = {{path ? "row" : "t", path ? "1" : "s", "measured.t"},
                                    {"u", along ? along : "1", "measured.u"},
                                    {along ? "F" : m->kind.name, m->kind.unit, "measured.F"},
                                    {"model", m->kind.unit, "measured.model"},
                                    {"residual", m->kind.unit, "measured.residual"}};
  br_column kept[WIDTH];
  const size_t ncol = along ? WIDTH : WIDTH - 1;
  for (size_t j = 0; j < ncol; j++) kept[j] = columns[j && !along ? j + 1 : j];
  const br_table_head head = {path    ? "measured_path"
                              : along ? "measured"
                                      : "measured_state",
                              m->kind.shape, ncol, kept, m->n};
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < m->n && !st; i++) {
    double row[WIDTH];
    for (size_t j = 0; j < ncol; j++) row[j] = m->rows[WIDTH * i + (j && !along ? j + 1 : j)];
    st = br_put_row(out, row, err);
  }
  return st ? st : br_put_end(out, err);
}

br_status bri_measured_put(bri_measured *m, int path, br_sink *out, br_err *err)
{
  bri_comparison c;
  if (!m->record) return BR_OK;
  br_status st = bri_compare_end(&m->sums, &c, err);
  if (!st && m->failed) st = bri_no_memory(err, "measured");
  if (!st) st = put_table(m, path, out, err);
  if (st) return st;
  const char *unit = m->kind.unit, *energy = m->kind.energy ? m->kind.energy : "1";
  const double works[4] = {c.work_model, c.work_measured, c.cycle_model, c.cycle_measured};
  br_put_number(out, "1", (double)c.samples, "measured.samples");
  br_put_number(out, unit, c.rms, "measured.rms");
  br_put_number(out, "1", c.relative, "measured.relative");
  br_put_number(out, unit, c.bias, "measured.bias");
  br_put_number(out, unit, c.largest, "measured.max");
  br_put_number(out, energy, m->kind.energy ? works[0] : (double)NAN, "measured.work.model");
  br_put_number(out, energy, m->kind.energy ? works[1] : (double)NAN, "measured.work.measured");
  br_put_number(out, "1", (double)c.cycles, "measured.cycle.count");
  br_put_number(out, energy, m->kind.energy ? works[2] : (double)NAN, "measured.cycle.model");
  br_put_number(out, energy, m->kind.energy ? works[3] : (double)NAN, "measured.cycle.measured");
  for (size_t i = 0; br_signal_note(m->record, i); i++)
    br_put_text(out, br_signal_note(m->record, i), "measured.data.%zu", i);
  return BR_OK;
}

void bri_measured_close(bri_measured *m)
{
  br_signal_destroy(m->record);
  bri_free(m->sums.rows);
  bri_free(m->rows);
  memset(m, 0, sizeof *m);
}
