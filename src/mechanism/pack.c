/* SPDX-License-Identifier: Apache-2.0
 * pack.c - a draft to a system: rows of names, and the program in one block of numbers. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "carry.h"
#include "mechanism.h"

/* Numbers that are written one behind the other. */
typedef struct {
  double *at;
  size_t n;
} writer;

static void put(writer *w, double x)
{
  if (w->at) w->at[w->n] = x;
  w->n++;
}

static void put_tapes(draft *d, writer *w, size_t tapes, size_t *head)
{
  head[HEAD_TAPES] = w->n;
  for (size_t i = 0; i < d->nvalue; i++)
    put(w, (double)(tapes + d->values[i].tape)), put(w, (double)d->values[i].len);
}

static void put_forms(draft *d, writer *w, size_t tapes, size_t *head)
{
  size_t vars = w->n + d->nform * FORM_SIZE;
  head[HEAD_NFORM] = d->nform, head[HEAD_FORM] = w->n;
  for (size_t i = 0; i < d->nform; i++) {
    const draft_form *f = &d->forms[i];
    put(w, (double)(tapes + f->tape)), put(w, (double)f->len), put(w, f->nvar), put(w, (double)vars);
    vars += 2 * (size_t)f->nvar;
  }
  for (size_t i = 0; i < d->nform; i++)
    for (int k = 0; k < d->forms[i].nvar; k++) {
      const int *var = d->forms[i].var[k];
      put(w, var[0]), put(w, var[0] == VAR_STATE ? (double)(d->nx + d->nd + (size_t)var[1]) : var[1]);
    }
}

static void put_lists(draft *d, writer *w, size_t *head)
{
  head[HEAD_NBODY] = d->nbody, head[HEAD_BODY] = w->n;
  for (size_t i = 0; i < d->nbody; i++) {
    const draft_body *b = &d->bodies[i];
    put(w, b->jx), put(w, b->jv), put(w, b->ratio), put(w, b->input), put(w, b->moved), put(w, b->mass);
  }
  head[HEAD_POS] = w->n;
  for (size_t i = 0; i < 2 * d->nx; i++) put(w, d->pos[i]);
  head[HEAD_MASS] = w->n;
  for (size_t i = 0; i < d->nd; i++) put(w, 0);
  head[HEAD_NELEM] = d->nelem, head[HEAD_ELEM] = w->n, head[HEAD_NKINK] = 0;
  for (size_t i = 0; i < d->nelem; i++) {
    const draft_elem *e = &d->elems[i];
    put(w, e->kind), put(w, e->a), put(w, e->b);
    for (int k = 0; k < 4; k++) put(w, e->p[k]);
    if (e->kind == ELEM_GAP) head[HEAD_NKINK] += (e->p[0] >= 0) + (e->p[1] >= 0);
    if (e->kind == ELEM_GAP || e->kind == ELEM_PENDULUM || e->kind == ELEM_FORCE) d->curved = 1;
  }
  head[HEAD_NCONTACT] = d->ncontact, head[HEAD_CONTACT] = w->n;
  for (size_t i = 0; i < d->ncontact; i++)
    put(w, d->contacts[i].a), put(w, d->contacts[i].b), put(w, d->contacts[i].load);
  head[HEAD_NS] = d->nstate, head[HEAD_STATE] = w->n;
  for (size_t i = 0; i < d->nstate; i++)
    for (int k = 0; k < 4; k++) put(w, d->states[i].form[k]);
  if (d->nstate) d->curved = 1;
  head[HEAD_NOUT] = d->noutput, head[HEAD_OUT] = w->n;
  for (size_t i = 0; i < d->noutput; i++) put(w, d->outputs[i].form[0]);
}

/* The whole block; at NULL: only its size. */
static size_t put_all(draft *d, double *at)
{
  writer w = {at, 1 + d->nparam + d->nvalue};
  size_t head[HEAD_SIZE] = {0}, place = w.n;
  const size_t tapes = place + HEAD_SIZE;
  w.n = tapes + d->tapes.n;
  if (at) memcpy(at + tapes, d->tapes.at, d->tapes.n * sizeof *at);
  head[HEAD_NP] = d->nparam, head[HEAD_NVAL] = d->nvalue, head[HEAD_VAL] = 1 + d->nparam;
  head[HEAD_NX] = d->nx, head[HEAD_ND] = d->nd, head[HEAD_NW] = d->ninput;
  put_tapes(d, &w, tapes, head);
  put_lists(d, &w, head);
  put_forms(d, &w, tapes, head);
  for (size_t i = 0; at && i < HEAD_SIZE; i++) at[place + i] = (double)head[i];
  for (size_t i = 0; at && i < d->nparam; i++) at[1 + i] = d->params[i].value;
  if (at) at[0] = (double)place;
  return w.n;
}

static void make_rows(const draft *d, br_mechanism *m)
{
  for (size_t i = 0; i < d->nparam; i++) {
    const draft_row *r = &d->params[i];
    m->rows[i] = (br_param){.name = r->name,
                            .unit = r->unit,
                            .doc = r->doc,
                            .def = r->value,
                            .lo = -INFINITY,
                            .hi = INFINITY,
                            .lo_open = 1,
                            .hi_open = 1,
                            .slot = 1 + i,
                            .max_len = 1};
  }
  for (size_t i = 0; i < d->ninput; i++) {
    const draft_row *r = &d->inputs[i];
    m->inputs[i] = (br_system_input){r->name, r->unit, r->doc, r->value};
  }
  for (size_t i = 0; i < d->nbody; i++) {
    const draft_body *b = &d->bodies[i];
    if (b->follows >= 0) continue;
    if (b->jx >= 0) m->states[b->jx] = (br_state){b->x, b->rotary ? "rad" : "m", "position", 1};
    if (b->jv >= 0) m->states[b->jv] = (br_state){b->v, b->rotary ? "rad/s" : "m/s", "velocity", 1};
  }
  for (size_t i = 0; i < d->nstate; i++)
    m->states[d->nx + d->nd + i] = (br_state){d->states[i].name, d->states[i].unit, "by formula", 1};
  for (size_t i = 0; i < d->noutput; i++)
    m->shown[i] = (br_state){d->outputs[i].name, d->outputs[i].unit, "by formula", 1};
}

/* Do all bodies that move freely turn? */
static int is_rotary(const draft *d)
{
  int turns = 0, slides = 0;
  for (size_t i = 0; i < d->nbody; i++)
    if (d->bodies[i].jv >= 0) d->bodies[i].rotary ? turns++ : slides++;
  return turns && !slides;
}

/* Which contacts turn, where they are not all as the flag says. */
static int take_turns(const draft *d, br_mechanism *m)
{
  size_t n = 0;
  m->turns = bri_calloc(d->ncontact + 1, sizeof *m->turns);
  for (size_t c = 0; m->turns && c < d->ncontact; c++) {
    const draft_contact *at = &d->contacts[c];
    n += m->turns[c] =
        (unsigned char)(d->bodies[at->a].fixed ? d->bodies[at->b].rotary : d->bodies[at->a].rotary);
  }
  if (m->turns && n != (is_rotary(d) ? d->ncontact : 0)) m->sys.turns = m->turns;
  return m->turns != NULL;
}

br_status bri_mech_pack(draft *d, br_mechanism *m, br_err *err)
{
  const size_t nq = d->nx + d->nd + d->nstate, slots = put_all(d, NULL);
  m->block = bri_calloc(slots, sizeof *m->block);
  m->rows = bri_calloc(d->nparam + 1, sizeof *m->rows);
  m->inputs = bri_calloc(d->ninput + 1, sizeof *m->inputs);
  m->states = bri_calloc(nq + 1, sizeof *m->states);
  m->shown = bri_calloc(d->noutput + 1, sizeof *m->shown);
  if (!m->block || !m->rows || !m->inputs || !m->states || !m->shown)
    return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  (void)put_all(d, m->block);
  make_rows(d, m);
  m->sys = (br_system){
      .name = d->name,
      .title = d->title,
      .flags = BR_SYSTEM_LINEAR | (d->free ? BR_SYSTEM_FREE : 0u) | (is_rotary(d) ? BR_SYSTEM_ROTARY : 0u),
      .axes = 1,
      .params = m->rows,
      .nparam = d->nparam,
      .slots = slots,
      .inputs = m->inputs,
      .ninput = d->ninput,
      .states = m->states,
      .nrows = nq,
      .nq = nq,
      .max_contact = d->ncontact,
      .shown = m->shown,
      .nshown = d->noutput,
      .initial = m->block,
      .clock = (size_t)(d->clock + 1),
  };
  if (!take_turns(d, m)) return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  bri_mech_bind(&m->sys, d->curved);
  return BR_OK;
}
