/* SPDX-License-Identifier: Apache-2.0
 * analysis_contacts.c - 'simulate', what every contact does: its motion, its force, its loop, for the usual
 * picture. */
#include <stdio.h>

#include "answer.h"
#include "base/alloc.h"
#include "text/fail.h"
#include "param/turns.h"

enum { MOST_ROWS = 100000, COLUMNS = 6, NAME = 64 };

/* Rows of all contacts: t, l, then u, v, F, z of each. */
struct bri_contacts {
  double *row, *u,
      *w; /* [rows][2 + 4 nforce]; where free contacts have got to; inputs, rates, and work space */
  size_t n, room, stride, count;
  double t, *v; /* of the row before */
  int *z, l;    /* states: the first of each contact's model; elongation of a spring that pulls; -1: none */
};

/* The first state of a contact's model: "z", "contact2.z1". */
static int first_state(const bri_answer *b, size_t k)
{
  const br_model *m = br_job_model(b->job);
  const size_t contact = b->sys->axes == 2 ? k / 2 : k;
  for (int form = 0; m && m->nstates_rows && form < 4; form++) {
    char name[NAME], front[NAME] = "";
    if (form % 2) (void)snprintf(front, sizeof front, "contact%zu.", contact + 1);
    (void)snprintf(name, sizeof name, "%.30s%.30s%s", front, m->states[b->sys->axes == 2 ? k % 2 : 0].name,
                   form > 1 ? "1" : "");
    if (br_plant_index(b->plant, name) >= 0) return br_plant_index(b->plant, name);
  }
  return -1;
}

br_status bri_contacts_open(bri_answer *b, size_t rows, br_err *err)
{
  if (!b->nforce || !(b->measured.record || br_sink_wants(b->out, "contact1"))) return BR_OK;
  struct bri_contacts *c = b->contacts = bri_calloc(1, sizeof *c);
  if (!c) return bri_no_memory(err, "simulate");
  c->stride = 1 + rows / MOST_ROWS;
  c->room = rows / c->stride + 2;
  c->row = bri_calloc(c->room * (2 + 4 * b->nforce), sizeof *c->row);
  c->u = bri_calloc(2 * b->nforce, sizeof *c->u);
  c->w = bri_calloc(2 * b->ninput + 2 * b->nforce + 2, sizeof *c->w);
  c->z = bri_calloc(b->nforce, sizeof *c->z);
  if (!c->row || !c->u || !c->w || !c->z) return bri_no_memory(err, "simulate");
  c->v = c->u + b->nforce;
  c->l = br_plant_index(b->plant, "l");
  for (size_t k = 0; k < b->nforce; k++) c->z[k] = first_state(b, k);
  return BR_OK;
}

/* A row of the table as it is: inputs stand behind states and forces.  Where no state holds the position, the
 * velocity is summed by the trapezoidal rule over the rows. */
void bri_contacts_row(bri_answer *b)
{
  struct bri_contacts *c = b->contacts;
  if (!c) return;
  const double *states = b->row + bri_answer_first(b), *F = states + b->nstate, *inputs = F + b->nforce;
  double *dw = c->w + b->ninput, *u = dw + b->ninput, *v = u + b->nforce;
  const double t = b->row[0];
  const double *par =
      b->sys->nparam || b->sys->initial ? br_params_block(br_job_params(b->job), "system") : b->row;
  for (size_t k = 0; k < b->ninput; k++) {
    const br_signal *in = br_job_input(b->job, k);
    c->w[k] = inputs[k];
    dw[k] = in ? br_signal_rate(in, t, 1) : 0;
  }
  b->sys->motion(par, c->w, dw, states, u, v);
  for (size_t k = 0; k < b->nforce; k++) {
    if (c->count) c->u[k] += 0.5 * (t - c->t) * (v[k] + c->v[k]);
    if (b->sys->flags & BR_SYSTEM_FREE) u[k] = c->u[k];
    c->v[k] = v[k];
  }
  c->t = t;
  if (c->count++ % c->stride || c->n == c->room) return;
  double *row = c->row + c->n++ * (2 + 4 * b->nforce);
  row[0] = t;
  row[1] = c->l < 0 ? 0 : states[c->l];
  for (size_t k = 0; k < b->nforce; k++) {
    double *of = row + 2 + 4 * k;
    of[0] = u[k], of[1] = v[k], of[2] = F[k], of[3] = c->z[k] < 0 ? F[k] : states[c->z[k]];
  }
}

br_status bri_contacts_put(const bri_answer *b, br_err *err)
{
  const struct bri_contacts *c = b->contacts;
  const size_t ncol = c && c->l >= 0 ? COLUMNS : COLUMNS - 1;
  br_status st = BR_OK;
  if (!br_sink_wants(b->out, "contact1")) return BR_OK; /* kept for a comparison alone */
  for (size_t k = 0; c && k < b->nforce && !st; k++) {
    const size_t contact = k / (size_t)b->sys->axes;
    const int rotary = bri_turns(b->sys, contact);
    const char *force = bri_force_unit(b->sys, contact);
    br_column columns[COLUMNS] = {
        {"t", "s"},   {"u", rotary ? "rad" : "m"}, {"v", rotary ? "rad/s" : "m/s"}, {"F", force},
        {"z", force}, /* without a state the force itself */
        {"l", "m"}};
    char name[32], label[32];
    (void)snprintf(name, sizeof name, "contact%zu", k + 1);
    if (b->sys->axes == 2) (void)snprintf(label, sizeof label, "%c", "xy"[k % 2]);
    else (void)snprintf(label, sizeof label, "contact %zu", k + 1);
    if (c->z[k] >= 0) columns[4].unit = br_plant_unit(b->plant, (size_t)c->z[k]);
    const br_table_head head = {
        name, BR_TABLE_FILE,
        ncol, columns,
        c->n, b->nforce > 1 ? label : b->measured.record && b->compared.which == 1 ? "model" : NULL};
    st = br_put_table(b->out, &head, err);
    for (size_t i = 0; i < c->n && !st; i++) {
      const double *from = c->row + i * (2 + 4 * b->nforce);
      const double *of = from + 2 + 4 * k;
      const double row[COLUMNS] = {from[0], of[0], of[1], of[2], of[3], from[1]};
      st = br_put_row(b->out, row, err);
    }
    if (!st) st = br_put_end(b->out, err);
  }
  return st;
}

const double *bri_contacts_motion(const bri_answer *b)
{
  return b->contacts ? b->contacts->w + 2 * b->ninput : NULL;
}

void bri_contacts_free(bri_answer *b)
{
  if (!b->contacts) return;
  bri_free(b->contacts->row);
  bri_free(b->contacts->u);
  bri_free(b->contacts->w);
  bri_free(b->contacts->z);
  bri_free(b->contacts);
  b->contacts = NULL;
}
