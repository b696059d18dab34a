/* SPDX-License-Identifier: Apache-2.0
 * analysis_cycles.c - 'trace': what people read off its cycles, which go from one turning point to the next
 * but one. */
#include "cycles.h"

#include <math.h>

#include "base/alloc.h"
#include "text/fail.h"

static const double PI = 3.14159265358979323846;

void bri_cycles_turn(bri_cycles *c, double t, double u, double F, double work)
{
  const bri_turn at = {t, u, F, work};
  if (c->turns == 0) c->first = at;
  c->before = c->last, c->last = at;
  c->turns++;
  if (c->turns < 3 || c->turns % 2 == 0) return;
  bri_cycle *more = c->failed ? NULL : bri_grown(c->list, c->n, &c->room, sizeof *more);
  if (!more) {
    c->failed = 1;
    return;
  }
  c->list = more;
  /* F at the two ends of the way back: the secant of the loop */
  const double X = 0.5 * fabs(at.u - c->before.u), T = at.t - c->first.t, E = at.work - c->first.work;
  const double k = (at.F - c->before.F) / (at.u - c->before.u);
  c->list[c->n++] =
      (bri_cycle){{c->first.t, at.t, fmin(at.u, c->before.u), fmax(at.u, c->before.u),
                   at.u < c->before.u ? at.F : c->before.F, at.u < c->before.u ? c->before.F : at.F, E, k,
                   E * T / (2 * PI * PI * X * X), k > 0 ? E / (2 * PI * k * X * X) : (double)NAN,
                   k > 0 ? E / (PI * k * X * X) : (double)NAN}};
  c->first = at;
}

static const br_column COLUMNS[] = {{"from", "s"},          {"to", "s"},          {"u_min", "m"},
                                    {"u_max", "m"},         {"F_at_u_min", "N"},  {"F_at_u_max", "N"},
                                    {"work", "J"},          {"stiffness", "N/m"}, {"damping", "N s/m"},
                                    {"damping_ratio", "1"}, {"loss_factor", "1"}};
enum { NCOLUMNS = sizeof COLUMNS / sizeof COLUMNS[0] };

br_status bri_cycles_put(const bri_cycles *c, br_sink *out, br_err *err)
{
  const br_table_head head = {"cycles", BR_TABLE_FILE, NCOLUMNS, COLUMNS, c->n};
  if (c->failed) return bri_no_memory(err, "trace");
  br_put(out, BR_VALUE_LIST, 0, "cycles");
  for (size_t i = 0; i < c->n; i++)
    for (size_t k = 0; k < NCOLUMNS; k++)
      br_put_number(out, COLUMNS[k].unit, c->list[i].x[k], "cycles.%zu.%s", i, COLUMNS[k].name);
  if (!c->n || !br_sink_wants(out, "cycles")) return BR_OK;
  br_status st = br_put_table(out, &head, err);
  for (size_t i = 0; i < c->n && !st; i++) st = br_put_row(out, c->list[i].x, err);
  return st ? st : br_put_end(out, err);
}
