/* SPDX-License-Identifier: Apache-2.0
 * analysis_measured.c - 'simulate', a recorded quantity beside the computed one: a contact force along its
 * motion, or any column of the table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "signal/samples.h"
#include "text/fail.h"

enum { MOST = 1000000, TAIL = 8 }; /* rows that a record asks for by itself; length of "_contact" */

/* "F_contact" where "F" is a state. */
static int is_copy(const char *name)
{
  const size_t n = strlen(name);
  return n > TAIL && strcmp(name + n - TAIL, "_contact") == 0;
}

/* "x:COLUMN" names the quantity, unless that is the kind of a spec; without it the first contact force. */
static const char *quantity(const bri_answer *b, const char *text, size_t *column)
{
  const char *colon = strchr(text, ':');
  const size_t n = colon ? (size_t)(colon - text) : 0;
  *column = bri_answer_first(b) + b->nstate;
  if (!colon || strncmp(text, "csv:", 4) == 0 || strncmp(text, "smooth:", 7) == 0) return text;
  for (size_t i = b->ncol; i-- > 1;) { /* from behind: a force that is a state too is the contact's */
    const size_t len = strlen(b->names[i]), own = is_copy(b->names[i]) ? len - TAIL : len;
    if (own == n && memcmp(b->names[i], text, n) == 0) return *column = i, colon + 1;
  }
  return NULL;
}

static void list_names(const bri_answer *b, size_t size, char *text)
{
  size_t n = 0;
  text[0] = '\0';
  for (size_t i = 1; i < b->ncol && n + BRI_ANSWER_NAME + 2 < size; i++)
    if (!is_copy(b->names[i])) n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", b->names[i]);
}

/* The input whose file the column stands in: the first record. */
static size_t recorded_input(const br_job *job)
{
  for (size_t k = 0; k < br_job_inputs(job); k++) {
    const char *spec = br_job_spec(job, k);
    if (spec && (strncmp(spec, "csv:", 4) == 0 || strncmp(spec, "smooth:", 7) == 0)) return k;
  }
  return 0;
}

br_status bri_answer_measured(bri_answer *b, br_err *err)
{
  const char *dash = br_job_dash(b->job), *text = br_job_text(b->job, "measured");
  const size_t forces = bri_answer_first(b) + b->nstate, input = recorded_input(b->job);
  const int rotary = (b->sys->flags & BR_SYSTEM_ROTARY) != 0;
  char names[160];
  if (!br_job_given(b->job, "measured")) return BR_OK;
  list_names(b, sizeof names, names);
  const char *rest = quantity(b, text, &b->compared.column);
  const size_t i = b->compared.column;
  if (!rest || i >= b->ncol)
    return bri_fail(err, BR_E_NAME, "%smeasured: no quantity '%.*s' of %s; there are %s", dash,
                    (int)strcspn(text, ":"), text, b->sys->name, names);
  const int x = bri_map_columns(b, &b->compared.drive);
  const int force = i >= forces && i < forces + b->nforce;
  const int position =
      x >= 0 && i == (size_t)x && strcmp(b->columns[b->compared.drive].unit, rotary ? "N m" : "N") == 0;
  const bri_measured_kind kind = {b->names[i],
                                  b->columns[i].unit,
                                  force ? "the measured force" : "what was measured",
                                  !force   ? NULL
                                  : rotary ? "rad"
                                           : "m",
                                  force || position ? "J" : NULL,
                                  rotary,
                                  BR_TABLE_FILE};
  b->compared.which = force ? 1 : position ? 0 : 2;
  br_err why = {BR_OK, -1, ""};
  const br_status st = bri_measured_open(b->job, input, rest, &kind, &b->measured, &why);
  if (st)
    return bri_fail(err, st, "%.200s; compared with %s, %smeasured NAME:%.*s takes another of %s", why.msg,
                    force ? "the friction force" : b->names[i], dash, (int)strcspn(rest, ":"), rest, names);
  return BR_OK;
}

double bri_answer_spacing(const bri_answer *b, double dt)
{
  double step = b->measured.record ? b->measured.step : dt;
  for (size_t k = 0; k < b->ninput && !b->measured.record; k++) {
    const br_signal *in = br_job_input(b->job, k);
    size_t n = 0;
    double origin = 0;
    const double *s = in ? bri_signal_samples(in, &n, &origin) : NULL;
    if (s && n > 1) step = fmin(step, (s[n - 1] - s[0]) / (double)(n - 1));
  }
  return !br_job_given(b->job, "output-dt") && b->t_end / step < MOST ? step : dt;
}

void bri_answer_compare(bri_answer *b)
{
  const size_t i = b->compared.column, forces = bri_answer_first(b) + b->nstate;
  const double model = b->row[i], drive = b->row[b->compared.drive];
  const double *u = bri_contacts_motion(b);
  if (!b->measured.record) return;
  double pair[2] = {model, drive}, along = drive;
  if (b->compared.which == 1) pair[0] = along = u ? u[i - forces] : 0, pair[1] = model;
  bri_measured_row(&b->measured, b->row[0], model, pair, b->compared.which, along);
}
