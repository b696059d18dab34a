/* SPDX-License-Identifier: Apache-2.0
 * an_classify.c - analysis 'classify': kind of hysteresis, energy, memory, measured from the equations. */
#include "analysis.h"
#include "bristle/classify.h"

enum { ENERGY, MEMORY, SLOTS };

static const br_param OPTIONS[] = {
    BRI_OPT_CHOICE(ENERGY, "energy", "no|yes", 1, 0, "search for a motion that takes energy out"),
    BRI_OPT_CHOICE(MEMORY, "memory", "no|yes", 1, 0, "return-point memory and congruency of minor loops"),
};

static br_status energy(const bri_run *r, bri_sink *out, br_err *err)
{
  br_energy_report e;
  const br_stop stop = bri_sink_stop(out);
  const br_status st = br_admissible_until(r->m, r->par, &stop, &e, err);
  if (st) return st;
  bri_sink_text(out, br_admissibility_text(e.verdict), "energy");
  bri_sink_number(out, "W", e.worst_rate, "worst_rate");
  bri_sink_number(out, "J", e.cycle_work, "cycle_work");
  return BR_OK;
}

static br_status memory(const bri_run *r, bri_sink *out, br_err *err)
{
  br_memory_report m;
  const br_status st = br_memory(r->m, r->par, 0, &m, err);
  if (st) return st;
  bri_sink_number(out, "1", m.return_point, "return_point");
  bri_sink_number(out, "1", m.congruency, "congruency");
  bri_sink_number(out, "1", m.closure, "closure");
  return BR_OK;
}

static br_status run(const bri_run *r, bri_sink *out, br_err *err)
{
  static const char *const DUHEM[] = {"none", "generalized", "semilinear"}, *const CONTINUITY[] = {
                                                                                "lipschitz", "continuous",
                                                                                "discontinuous"};
  br_class_report c;
  br_status st = bri_sink_alive(out, 0);
  const br_stop stop = bri_sink_stop(out);
  if (!st) st = br_classify_until(r->m, r->par, &stop, &c, err);
  if (st) return st;
  const br_table1_row *row = br_table1_printed(r->m, r->par);
  bri_sink_text(out, DUHEM[c.measured.duhem], "duhem_class");
  bri_sink_text(out, c.measured.rate_dependent ? "yes" : "no", "rate_dependent");
  bri_sink_text(out, CONTINUITY[c.measured.continuity], "continuity");
  if (row) {
    bri_sink_text(out, row->row, "table1.row");
    bri_sink_text(out, row->duhem, "table1.duhem");
    bri_sink_text(out, row->rate, "table1.rate");
    bri_sink_text(out, row->continuity, "table1.continuity");
    if (row->note) bri_sink_text(out, row->note, "table1.note");
  }
  bri_sink_number(out, "1", c.rate_change, "rate_change");
  bri_sink_number(out, "1", c.force_change, "force_change");
  bri_sink_number(out, "1", c.exponent, "exponent");
  if (r->opt[ENERGY] > 0) st = energy(r, out, err);
  if (!st && r->opt[MEMORY] > 0) st = memory(r, out, err);
  return st;
}

const bri_analysis bri_an_classify = {
    {"classify", "kind of hysteresis, energy and memory, measured from the equations", OPTIONS,
     sizeof OPTIONS / sizeof OPTIONS[0], 0, 0},
    SLOTS,
    1,
    NULL,
    run,
};
