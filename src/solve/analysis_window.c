/* SPDX-License-Identifier: Apache-2.0
 * analysis_window.c - 'simulate', a part of the run: work, extremes, how long it hardly moves.  For motions
 * that do not settle on a cycle, and so that one period can be set beside another. */
#include <math.h>
#include <string.h>

#include "answer.h"
#include "bristle/text.h"
#include "bristle/unit.h"
#include "text/fail.h"

static int read_time(const char *s, size_t n, double *t)
{
  br_unit unit, seconds;
  int has_unit = 0;
  if (br_quantity_parse(s, n, t, &unit, &has_unit, NULL)) return 0;
  return !has_unit || (!br_unit_parse("s", 1, &seconds, NULL) && br_unit_same(&unit, &seconds));
}

br_status bri_window_read(const br_job *job, double t_end, double *from, double *to, br_err *err)
{
  const char *text = br_job_text(job, "window"), *colon = text ? strchr(text, ':') : NULL;
  *from = 1, *to = 0;
  if (!text) return BR_OK;
  if (!colon || !read_time(text, (size_t)(colon - text), from) ||
      !read_time(colon + 1, strlen(colon + 1), to))
    return bri_fail(err, BR_E_PARSE, "%swindow %.60s: expected A:B, two times in s", br_job_dash(job), text);
  if (!(*from >= 0 && *from < *to && *to <= t_end * (1 + 1e-12)))
    return bri_fail(err, BR_E_RANGE,
                    "%swindow %.60s: must ascend and lie within 0 and %.9g s, the end of the run",
                    br_job_dash(job), text, t_end);
  return BR_OK;
}

/* The row that has just been made. */
void bri_window_row(bri_answer *b)
{
  const double t = b->row[0], *x = b->row + bri_answer_first(b), slack = 1e-9 * b->t_end;
  if (!(b->window.from < b->window.to) || t < b->window.from - slack || t > b->window.to + slack) return;
  const br_energy e = br_solver_energy(b->solver);
  const int first = b->window.rows++ == 0, v = br_plant_velocity(b->plant, 0);
  if (first) {
    b->window.first = t, b->window.start = e;
    b->window.before = b->count[BR_EVENT_REVERSAL];
  }
  b->window.work = e.work_in - b->window.start.work_in;
  b->window.friction = e.friction - b->window.start.friction;
  b->window.reversals = b->count[BR_EVENT_REVERSAL] - b->window.before;
  for (size_t i = 0; i < b->nstate + b->nforce; i++) {
    b->window.lo[i] = first ? x[i] : fmin(b->window.lo[i], x[i]);
    b->window.hi[i] = first ? x[i] : fmax(b->window.hi[i], x[i]);
  }
  /* between two rows it is slow when the later one is */
  if (!first && v >= 0 && fabs(x[v]) < b->window.threshold) b->window.slow += t - b->window.last;
  b->window.last = t;
}

void bri_window_put(bri_answer *b)
{
  const double length = b->window.last - b->window.first;
  if (!(b->window.from < b->window.to) || b->window.rows < 2) return;
  br_put_number(b->out, "s", b->window.first, "window.from");
  br_put_number(b->out, "s", b->window.last, "window.to");
  br_put_number(b->out, "J", b->window.work, "window.work_in");
  br_put_number(b->out, "J", b->window.friction, "window.friction_work");
  br_put_number(b->out, "1", (double)b->window.reversals, "window.reversals");
  br_put_number(b->out, "1", b->window.threshold > 0 ? b->window.slow / length : (double)NAN,
                "window.stick_fraction");
  br_put_number(b->out, "m/s", b->window.threshold > 0 ? b->window.threshold : (double)NAN,
                "window.threshold");
  for (size_t i = 0; i < b->nstate + b->nforce; i++) {
    bri_answer_put(b, bri_answer_first(b) + i, b->window.lo[i], "window.'*_min'");
    bri_answer_put(b, bri_answer_first(b) + i, b->window.hi[i], "window.'*_max'");
  }
}
