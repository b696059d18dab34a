/* SPDX-License-Identifier: Apache-2.0
 * analysis_rate.c - analysis 'loop': how fast the response comes to its quasi-static limit as the motion
 * slows down, and what the minor loops of a motion cost. */
#include <math.h>

#include "../../core/elementary.h"
#include "answer.h"
#include "base/alloc.h"
#include "text/fail.h"

/* ---- time scales ---- */

/* distance ~ 1/scale^order between two rows; NaN where one of them is rounding. */
static double order_of(const br_rate_row *a, const br_rate_row *b)
{
  if (!(a->transient > 0 && b->transient > 0) || a->scale == b->scale) return (double)NAN;
  return bri_log(a->transient / b->transient) / bri_log(b->scale / a->scale);
}

/* Document 0: y_gamma converges as gamma grows (consistent), and the periods of its limit to one loop
 * (strongly).  Judged by the two slowest motions asked for. */
static void put_consistency(const bri_loop_question *q, const br_rate_row *r, br_sink *out)
{
  const br_rate_row *slow = &r[0], *next = NULL;
  const double size = fmax(fabs(q->sum.y_min), fabs(q->sum.y_max));
  for (size_t k = 1; k < q->nscales; k++)
    if (r[k].scale > slow->scale) slow = &r[k];
  for (size_t k = 0; k < q->nscales; k++)
    if (&r[k] != slow && r[k].scale < slow->scale && (!next || r[k].scale > next->scale)) next = &r[k];
  if (!next) return;
  const int same = slow->transient <= 1e-9 * size; /* only the path counts */
  const int consistent = same || order_of(next, slow) > 0.5;
  br_put_flag(out, consistent, "consistent");
  br_put_flag(out, consistent && q->sum.contraction < 1, "strongly_consistent");
}

br_status bri_loop_rates(const bri_loop_question *q, br_sink *out, br_err *err)
{
  static const br_column COLUMNS[] = {{"scale", "1"},  {"transient", "N"}, {"transient_at", "s"},
                                      {"steady", "N"}, {"periods", "1"},   {"order", "1"},
                                      {"graph", "1"}};
  const br_table_head head = {"rate", BR_TABLE_LIST | BR_TABLE_FILE, 7, COLUMNS, q->nscales};
  br_rate_row *r = bri_calloc(q->nscales, sizeof *r);
  br_status st = r ? br_put_table(out, &head, err) : bri_no_memory(err, "loop");
  for (size_t k = 0; k < q->nscales && !st; k++) {
    st = br_sink_alive(out, (double)k / (double)q->nscales, err);
    if (!st) st = br_rate_distance(q->m, q->par, q->input, &q->wave_set, 1, &q->scales[k], &r[k], err);
    if (st) break;
    const double row[] = {r[k].scale,  r[k].transient, r[k].transient_at,
                          r[k].steady, r[k].periods,   k ? order_of(&r[k - 1], &r[k]) : (double)NAN,
                          r[k].graph};
    st = br_put_row(out, row, err);
  }
  if (!st) st = br_put_end(out, err);
  if (!st) put_consistency(q, r, out);
  bri_free(r);
  return st;
}

/* ---- what minor loops cost ---- */

br_status bri_loop_extra(const bri_loop_question *q, br_sink *out, br_err *err)
{
  const br_turning *turning = br_loop_turnings(q->loop);
  double u[] = {turning[0].u, turning[0].u};
  br_loop_settings set = q->set;
  br_loop *major = NULL;
  for (size_t i = 1; i < q->sum.n_turning; i++) {
    u[0] = fmin(u[0], turning[i].u);
    u[1] = fmax(u[1], turning[i].u);
  }
  set.frequency *= br_loop_get(q->loop)->path_length / (2 * (u[1] - u[0])); /* at the same speed */
  const double rest = u[0] <= 0 && u[1] >= 0 ? 0 : u[0];
  const br_status st = br_loop_create(q->m, q->par, 2, u, rest, &set, &major, err);
  if (st == BR_E_NOMEM || st == BR_INTERRUPTED) return st; /* otherwise there is no such loop */
  const double work = st ? (double)NAN : br_loop_get(major)->work;
  br_put_number(out, "J", work, "major_work");
  br_put_number(out, "J", q->sum.work - work, "extra_work");
  br_loop_destroy(major);
  return BR_OK;
}
