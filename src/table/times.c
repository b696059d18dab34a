/* SPDX-License-Identifier: Apache-2.0
 * times.c - order of the time stamps, in one pass and bounded memory.
 * The usual interval is the median of the first 101 positive ones; those are kept and judged once it is
 * known. */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "reader.h"

void bri_table_count(br_table_mark *mark, size_t row, size_t line)
{
  if (mark->count++ == 0) {
    mark->row = row;
    mark->line = line;
  }
}

static void judge_first(br_table_report *r, bri_times *times, double gap_factor)
{
  double sorted[BRI_TABLE_INTERVALS] = {0};
  for (size_t k = 0; k < times->pending; k++) sorted[k] = times->first[k].dt;
  bri_sort(times->pending, sorted);
  r->dt_usual = sorted[times->pending / 2];
  for (size_t k = 0; k < times->pending; k++)
    if (times->first[k].dt > gap_factor * r->dt_usual)
      bri_table_count(&r->time_gaps, times->first[k].row, times->first[k].line);
}

void bri_times_add(br_table_report *r, bri_times *times, double gap_factor, double t, size_t row, size_t line)
{
  if (!isfinite(t)) return;
  r->t_last = t;
  if (!times->any) {
    times->any = 1;
    r->t_first = t;
    times->latest = times->previous = t;
    return;
  }
  const double dt = t - times->previous;
  if (dt == 0.0) {
    bri_table_count(&r->duplicate, row, line);
  } else if (t < times->latest) {
    bri_table_count(&r->backward, row, line);
  } else {
    const double step = t - times->latest; /* after a jump back, intervals count from the latest time again */
    if (step > 0.0) {
      if (r->dt_max == 0.0 || step < r->dt_min) r->dt_min = step;
      if (step > r->dt_max) r->dt_max = step;
      if (r->dt_usual > 0.0) {
        if (step > gap_factor * r->dt_usual) bri_table_count(&r->time_gaps, row, line);
      } else {
        times->first[times->pending].dt = step;
        times->first[times->pending].row = row;
        times->first[times->pending].line = line;
        if (++times->pending == BRI_TABLE_INTERVALS) judge_first(r, times, gap_factor);
      }
    }
  }
  times->previous = t;
  if (t > times->latest) times->latest = t;
}

void bri_times_finish(br_table_report *r, bri_times *times, double gap_factor)
{
  if (r->dt_usual == 0.0 && times->pending) judge_first(r, times, gap_factor);
}
