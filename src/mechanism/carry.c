/* SPDX-License-Identifier: Apache-2.0
 * carry.c - a mechanism as one line of text: fields between tabs, numbers that read back to the last bit. */
#include "carry.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/text.h"
#include "mechanism.h"

void bri_mech_bind(br_system *s, int curved)
{
  s->check = bri_mech_check, s->prepare = bri_mech_prepare;
  s->nstate = bri_mech_nstate, s->ncontact = bri_mech_ncontact, s->load = bri_mech_load;
  s->motion = bri_mech_motion, s->rate = bri_mech_rate, s->power = bri_mech_power;
  s->show = s->nshown ? bri_mech_show : NULL;
  s->slopes = curved ? bri_mech_slopes : NULL;
  s->stored = bri_mech_energy, s->lost = bri_mech_loss;
  s->nkink = bri_mech_nkink, s->kinks = bri_mech_kinks;
}

/* ---- writing ---- */

/* FNV-1a: notices a line that was cut or changed, keeps no secret. */
static uint64_t sum_of(const char *s)
{
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; *s; s++) h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
  return h;
}

static void put_text(bri_buf *b, const char *s)
{
  bri_buf_text(b, "\t");
  for (; s && *s; s++) bri_buf_add(b, (unsigned char)*s < 0x20 ? " " : s, 1);
}

static void put_number(bri_buf *b, double x)
{
  bri_buf_text(b, "\t");
  bri_buf_number(b, x, "0");
}

static void put_states(bri_buf *b, const br_state *s, size_t n)
{
  for (size_t i = 0; i < n; i++) put_text(b, s[i].name), put_text(b, s[i].unit), put_text(b, s[i].doc);
}

void bri_mech_write(const br_system *s, bri_buf *out)
{
  bri_buf b = {0};
  const size_t counts[] = {s->flags,  s->slopes != NULL, s->clock,       s->nparam, s->slots,
                           s->ninput, s->nrows,          s->max_contact, s->nshown};
  put_text(&b, s->name), put_text(&b, s->title);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) put_number(&b, (double)counts[i]);
  for (size_t i = 0; i < s->nparam; i++) {
    const br_param *p = &s->params[i];
    put_text(&b, p->name), put_text(&b, p->unit), put_text(&b, p->doc), put_number(&b, p->def);
  }
  for (size_t i = 0; i < s->ninput; i++) {
    const br_system_input *p = &s->inputs[i];
    put_text(&b, p->name), put_text(&b, p->unit), put_text(&b, p->doc), put_number(&b, p->def);
  }
  put_states(&b, s->states, s->nrows);
  put_states(&b, s->shown, s->nshown);
  for (size_t i = 0; i < s->slots; i++) put_number(&b, s->initial[i]);
  if (b.text) bri_buf_printf(out, "%016" PRIx64 "%s", sum_of(b.text), b.text);
  if (b.failed) out->failed = 1;
  bri_buf_free(&b);
}

/* ---- reading ---- */

typedef struct {
  char *at; /* NULL: the line has ended */
  int bad;
} fields;

static const char *next_text(fields *f)
{
  char *here = f->at, *tab = here ? strchr(here, '\t') : NULL;
  if (!here) return f->bad = 1, "";
  if (tab) *tab = '\0';
  f->at = tab ? tab + 1 : NULL;
  return here;
}

static double next_number(fields *f)
{
  const char *s = next_text(f);
  double x = 0;
  if (!*s || br_parse_double(s, strlen(s), &x) != strlen(s)) f->bad = 1;
  return x;
}

static size_t next_count(fields *f, size_t most)
{
  const double x = next_number(f);
  if (!(x >= 0 && x <= (double)most && x == floor(x))) return f->bad = 1, 0;
  return (size_t)x;
}

static void next_states(fields *f, br_state *s, size_t n)
{
  for (size_t i = 0; i < n && !f->bad; i++) {
    s[i].name = next_text(f), s[i].unit = next_text(f), s[i].doc = next_text(f);
    s[i].max_len = 1;
  }
}

static void read_rows(fields *f, bri_mech_copy *c)
{
  for (size_t i = 0; i < c->sys.nparam && !f->bad; i++) {
    br_param *p = &c->rows[i];
    p->name = next_text(f), p->unit = next_text(f), p->doc = next_text(f), p->def = next_number(f);
    p->lo = -INFINITY, p->hi = INFINITY, p->lo_open = p->hi_open = 1;
    p->slot = 1 + i, p->max_len = 1;
  }
  for (size_t i = 0; i < c->sys.ninput && !f->bad; i++) {
    br_system_input *p = &c->inputs[i];
    p->name = next_text(f), p->unit = next_text(f), p->doc = next_text(f), p->def = next_number(f);
  }
  next_states(f, c->states, c->sys.nrows);
  next_states(f, c->shown, c->sys.nshown);
  for (size_t i = 0; i < c->sys.slots && !f->bad; i++) c->block[i] = next_number(f);
  if (f->at) f->bad = 1;
}

static br_status build(const char *line, bri_mech_copy *c, br_err *err)
{
  enum { MOST = 1 << 24 };
  const char *tab = strchr(line, '\t');
  char sum[20];
  (void)snprintf(sum, sizeof sum, "%016" PRIx64, tab ? sum_of(tab) : 0);
  if (!tab || tab - line != 16 || memcmp(sum, line, 16) != 0)
    return bri_fail(err, BR_E_PARSE, "the mechanism's line was changed or cut");
  c->text = bri_copy(tab + 1);
  if (!c->text) return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  fields f = {c->text, 0};
  br_system *s = &c->sys;
  s->name = next_text(&f), s->title = next_text(&f);
  s->flags = (unsigned)next_count(&f, 15), s->axes = 1;
  const int curved = next_count(&f, 1) == 1;
  s->clock = next_count(&f, BRI_MECH_INPUTS), s->nparam = next_count(&f, BRI_MECH_PARAMETERS);
  s->slots = next_count(&f, MOST), s->ninput = next_count(&f, BRI_MECH_INPUTS);
  s->nrows = s->nq = next_count(&f, 2 * BRI_MECH_BODIES + BRI_MECH_STATES);
  s->max_contact = next_count(&f, BRI_MECH_CONTACTS), s->nshown = next_count(&f, BRI_MECH_OUTPUTS);
  s->params = c->rows = bri_calloc(s->nparam + 1, sizeof *c->rows);
  s->inputs = c->inputs = bri_calloc(s->ninput + 1, sizeof *c->inputs);
  s->states = c->states = bri_calloc(s->nrows + 1, sizeof *c->states);
  s->shown = c->shown = bri_calloc(s->nshown + 1, sizeof *c->shown);
  s->initial = c->block = bri_calloc(s->slots + 1, sizeof *c->block);
  if (!c->rows || !c->inputs || !c->states || !c->shown || !c->block)
    return bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  read_rows(&f, c);
  if (f.bad) return bri_fail(err, BR_E_PARSE, "the mechanism's line is not one of this version");
  bri_mech_bind(s, curved);
  return BR_OK;
}

br_status bri_mech_read_line(const char *line, bri_mech_copy **out, br_err *err)
{
  bri_mech_copy *c = bri_calloc(1, sizeof *c);
  *out = NULL;
  const br_status st = c ? build(line, c, err) : bri_fail(err, BR_E_NOMEM, "out of memory for a mechanism");
  if (st) bri_mech_drop(c);
  else *out = c;
  return st;
}

void bri_mech_drop(bri_mech_copy *c)
{
  if (!c) return;
  bri_free(c->rows), bri_free(c->inputs), bri_free(c->states), bri_free(c->shown);
  bri_free(c->block), bri_free(c->text), bri_free(c);
}
