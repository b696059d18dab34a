/* SPDX-License-Identifier: Apache-2.0
 * rows.c - the table of a run: reference, output, error, control, force, all states; for the pulled block
 * also the error vector of document 1.
 *
 * Only r3 = r is free there.  r2, the bristles of a block that moves exactly as r says, solves the model's
 * own equation along r; r1 = (m r' + F_r) / k is the elongation that such a motion needs.  e_i = r_i - x_i.
 * */
#include <string.h>

#include "analysis.h"
#include "bristle/trace.h"
#include "rows.h"

enum { FIRST = 6, PIECES = 32 };

/* l, z and v of the pulled block, whose velocity is tracked; and one bristle. */
static int has_vector(const bri_control_question *q)
{
  return strcmp(q->sys->name, "pulled_block") == 0 && strcmp(q->sys->states[q->tracked].name, "v") == 0 &&
         q->mod->nstate(q->run.mpar) == 1 && q->mod->nmode(q->run.mpar) == 0;
}

br_status bri_control_rows_open(bri_control_question *q, bri_control_rows *rows, br_err *err)
{
  const char *y = q->y_unit, *force = q->sys->flags & BR_SYSTEM_ROTARY ? "N m" : "N";
  const br_column first[FIRST] = {{"t", "s"}, {"r", y}, {"y", y}, {"e", y}, {"u", q->u_unit}, {"F", force}};
  memset(rows, 0, sizeof *rows);
  rows->q = q;
  memcpy(rows->columns, first, sizeof first);
  rows->n = FIRST;
  for (size_t i = 0; i < q->sys->nrows; i++)
    if (i != q->tracked)
      rows->columns[rows->n++] = (br_column){q->sys->states[i].name, q->sys->states[i].unit, NULL};
  const size_t nz = q->mod->nstate(q->run.mpar);
  for (size_t i = 0; i < nz && i < BR_CONTROL_MAX_Z; i++) {
    const char *unit = "1";
    (void)br_state_name(q->mod, q->run.mpar, i, sizeof rows->names[i], rows->names[i], &unit);
    rows->columns[rows->n++] = (br_column){rows->names[i], unit, NULL};
  }
  rows->vector = has_vector(q) && !q->run.varies; /* of a plant that stays */
  static const br_column VECTOR[] = {{"e1", "m"}, {"e2", "m"}, {"e3", "m/s"}};
  for (size_t i = 0; i < 3 && rows->vector; i++) rows->columns[rows->n++] = VECTOR[i];
  const br_table_head head = {.name = "control",
                              .shape = BR_TABLE_MAIN | BR_TABLE_FILE,
                              .ncol = rows->n,
                              .columns = rows->columns,
                              .rows = (size_t)(q->run.t_end / q->run.output_dt) + 3};
  return br_put_table(q->out, &head, err);
}

/* r2 up to t: the model's own step along r, held at the middle of short pieces. */
static void follow(bri_control_rows *w, double t)
{
  const br_control_case *c = &w->q->run;
  const double h = (t - w->t) / PIECES;
  const double load = c->sys->load ? c->sys->load(c->spar, 0) : 1;
  for (int i = 0; i < PIECES && h > 0; i++) {
    const double v = br_signal_value(c->reference, w->t + ((double)i + 0.5) * h);
    c->mod->step(c->mpar, load, &w->r_pos, &v, h, w->r2);
    w->r_pos += v * h;
  }
  w->t = t;
}

static void vector_of(bri_control_rows *w, const br_control_row *r, double *e)
{
  const br_control_case *c = &w->q->run;
  const double load = c->sys->load ? c->sys->load(c->spar, 0) : 1;
  double dz[BR_CONTROL_MAX_Z] = {0}, F = 0, m = 1, k = 1;
  for (size_t i = 0; i < c->sys->nparam; i++) {
    if (strcmp(c->sys->params[i].name, "m") == 0) m = c->spar[c->sys->params[i].slot];
    if (strcmp(c->sys->params[i].name, "k") == 0) k = c->spar[c->sys->params[i].slot];
  }
  follow(w, r->t);
  c->mod->rate(c->mpar, load, &w->r_pos, &r->r, w->r2, dz);
  c->mod->force(c->mpar, load, &w->r_pos, &r->r, w->r2, dz, &F);
  e[0] = (m * br_signal_rate(c->reference, r->t, 1) + F) / k - r->q[w->q->tracked == 0 ? 1 : 0];
  e[1] = w->r2[0] - r->z[0];
  e[2] = r->r - r->y;
}

int bri_control_rows_put(bri_control_rows *w, const br_control_row *r)
{
  bri_control_question *q = w->q;
  double row[BRI_CONTROL_COLUMNS] = {r->t, r->r, r->y, r->r - r->y, r->u, r->F};
  size_t n = FIRST;
  for (size_t i = 0; i < q->sys->nrows; i++)
    if (i != q->tracked) row[n++] = r->q[i];
  const size_t nz = q->mod->nstate(q->run.mpar);
  for (size_t i = 0; i < nz && i < BR_CONTROL_MAX_Z; i++) row[n++] = r->z[i];
  if (w->vector) vector_of(w, r, row + n);
  q->stopped = br_put_row(q->out, row, &q->why);
  return q->stopped != BR_OK;
}
