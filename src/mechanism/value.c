/* SPDX-License-Identifier: Apache-2.0
 * value.c - numbers and formulas of a mechanism's text. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "expr/expr.h"
#include "mechanism.h"

void *bri_mech_add(draft *d, void **list, size_t *n, size_t *room, size_t size)
{
  if (*n == *room) {
    const size_t more = *room ? 2 * *room : 16;
    void *new = bri_realloc(*list, more * size);
    if (!new) return d->nomem = 1, NULL;
    *list = new, *room = more;
  }
  void *at = (char *)*list + (*n)++ * size;
  return memset(at, 0, size);
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

int bri_mech_good_name(draft *d, const bri_node *at, const char *name, const char *what)
{
  const br_expr_name *row = NULL;
  const bri_place place = at->key == name ? at->key_at : at->at;
  size_t n = 0;
  while (is_letter(name[n]) || (n && is_digit(name[n]))) n++;
  if (!n || name[n] || n >= BRI_MECH_NAME) {
    bri_note(&d->notes, place, "%s '%.60s': expected letters, digits and _, at most %d, a letter first", what,
             name, BRI_MECH_NAME - 1);
    return 0;
  }
  for (size_t i = 0; (row = br_expr_names(i)) != NULL; i++)
    if (strcmp(row->name, name) == 0 || strcmp(name, "t") == 0) {
      bri_note(&d->notes, place, "%s '%s': formulas call something else so; choose another name", what, name);
      return 0;
    }
  return 1;
}

/* Where a formula goes wrong. */
static void formula_note(draft *d, const bri_node *n, const br_err *why)
{
  bri_place at = n->at;
  if (why->index > 0 && n->inset >= 0) at.column += (size_t)n->inset + (size_t)why->index;
  bri_note(&d->notes, at, "formula: %s", why->msg);
}

/* Compile into the tapes; 0 after a note. */
static int compile(draft *d, const bri_node *n, const char *vars, size_t *at, size_t *len)
{
  br_err why = {BR_OK, -1, ""};
  if (n->kind != BRI_SCALAR) return BRI_MECH_NOTE(d, n, "expected a number or a formula"), 0;
  const size_t need = 2 * strlen(n->text) + 8, free = d->tapes.room - d->tapes.n;
  if (free < need) {
    const size_t room = 2 * d->tapes.room + need;
    double *more = bri_realloc(d->tapes.at, room * sizeof *more);
    if (!more) return d->nomem = 1, 0;
    d->tapes.at = more, d->tapes.room = room;
  }
  if (br_expr_compile(n->text, strlen(n->text), vars, need, d->tapes.at + d->tapes.n, len, &why))
    return formula_note(d, n, &why), 0;
  *at = d->tapes.n;
  d->tapes.n += *len;
  return 1;
}

/* The unit that is written must be that of what is needed. */
static int fits(draft *d, const bri_node *n, const br_unit *written, const char *as, const char *unit,
                int rotary)
{
  br_unit need;
  char text[48];
  if (!unit || br_unit_parse(unit, strlen(unit), &need, NULL)) return 1;
  if (br_unit_fits(&need, written, rotary)) return 1;
  BRI_MECH_NOTE(d, n, "'%.60s' is in %s; expected %s%s", n->text,
                as ? as : br_unit_text(written, sizeof text, text), unit,
                rotary ? ", or that of a rotation" : "");
  return 0;
}

static int add_value(draft *d, const bri_node *n, size_t at, size_t len)
{
  draft_value *v = BRI_MECH_ADD(d, values, nvalue, room_values);
  if (!v) return -1;
  *v = (draft_value){at, len, n->text};
  return (int)d->nvalue - 1;
}

/* One of many with the same text is said once. */
static int known_value(const draft *d, const char *text)
{
  for (size_t i = d->nvalue; i-- > 0 && i + 64 > d->nvalue;)
    if (strcmp(d->values[i].text, text) == 0) return (int)i;
  return -1;
}

int bri_mech_value_of(draft *d, const bri_node *n, const char *unit, int rotary)
{
  double x = 0;
  br_unit written;
  int has = 0;
  size_t at = 0, len = 0;
  if (n->kind != BRI_SCALAR)
    return BRI_MECH_NOTE(d, n, "expected a number or a formula of the parameters"), -1;
  const int known = known_value(d, n->text);
  if (br_quantity_parse(n->text, strlen(n->text), &x, &written, &has, NULL) == BR_OK) {
    bri_node zero = *n;
    zero.text = "0";
    if (has && !fits(d, n, &written, NULL, unit, rotary)) return -1;
    if (known >= 0) return known;
    if (!compile(d, &zero, "", &at, &len)) return -1;
    d->tapes.at[at + 1] = x; /* behind the operation NUMBER */
    return add_value(d, n, at, len);
  }
  for (size_t i = 0; i < d->nparam; i++) /* a parameter alone has a unit that is known */
    if (strcmp(d->params[i].name, n->text) == 0 && d->params[i].has_unit &&
        !fits(d, n, &d->params[i].dim, d->params[i].unit, unit, rotary))
      return -1;
  if (known >= 0) return known;
  if (!compile(d, n, d->param_names.text ? d->param_names.text : "", &at, &len)) return -1;
  return add_value(d, n, at, len);
}

int bri_mech_quantity(draft *d, const bri_node *n, draft_row *row)
{
  br_err why = {BR_OK, -1, ""};
  if (n->kind != BRI_SCALAR ||
      br_quantity_parse(n->text, strlen(n->text), &row->value, &row->dim, &row->has_unit, &why)) {
    BRI_MECH_NOTE(d, n, "'%.60s': expected a number, with or without unit%s%s",
                  n->kind == BRI_SCALAR ? n->text : "", why.msg[0] ? ": " : "", why.msg);
    return 0;
  }
  double number = 0;
  const char *unit = n->text + strspn(n->text, " ");
  unit += br_parse_double(unit, strlen(unit), &number);
  unit += strspn(unit, " ");
  /* as written where it is SI, else the SI unit of that dimension */
  if (row->has_unit && row->dim.factor == 1 && strlen(unit) < sizeof row->unit)
    memcpy(row->unit, unit, strlen(unit) + 1);
  else (void)br_unit_text(&row->dim, sizeof row->unit, row->unit);
  return 1;
}

/* ---- formulas of states and time ---- */

/* All names that a formula may use, in the order of `meaning`. */
static int collect_names(draft *d)
{
  bri_buf *b = &d->var_names;
  if (b->text) return 1;
  bri_buf_text(b, "t");
  for (size_t i = 0; i < d->nparam; i++) bri_buf_printf(b, ",%s", d->params[i].name);
  for (size_t i = 0; i < d->ninput; i++) bri_buf_printf(b, ",%s", d->inputs[i].name);
  for (size_t i = 0; i < d->nstate; i++) bri_buf_printf(b, ",%s", d->states[i].name);
  for (size_t i = 0; i < d->nbody; i++) bri_buf_printf(b, ",%s,%s", d->bodies[i].x, d->bodies[i].v);
  for (size_t i = 0; i < d->nelem; i++)
    bri_buf_printf(b, ",stretch_%s", d->elems[i].name[0] ? d->elems[i].name : "_");
  if (b->failed) d->nomem = 1;
  return !b->failed;
}

/* The time is an input that nobody drives. */
static int clock_input(draft *d, const bri_node *n)
{
  if (d->clock >= 0) return d->clock;
  if (d->ninput >= BRI_MECH_INPUTS)
    return BRI_MECH_NOTE(d, n, "no room for t beside %d inputs", BRI_MECH_INPUTS), -1;
  draft_row *row = BRI_MECH_ADD(d, inputs, ninput, room_inputs);
  if (!row) return -1;
  (void)snprintf(row->name, sizeof row->name, "t");
  (void)snprintf(row->unit, sizeof row->unit, "s");
  (void)snprintf(row->doc, sizeof row->doc, "time, which runs by itself");
  return d->clock = (int)d->ninput - 1;
}

/* What the index-th name means.  The list was made with ninput inputs, before t was one of them. */
static int meaning(draft *d, const bri_node *n, size_t index, size_t ninput, int out[2])
{
  size_t i = index;
  if (i == 0) return out[0] = VAR_INPUT, (out[1] = clock_input(d, n)) >= 0;
  i -= 1;
  if (i < d->nparam) return out[0] = VAR_PARAMETER, out[1] = (int)i, 1;
  i -= d->nparam;
  if (i < ninput) return out[0] = VAR_INPUT, out[1] = (int)i, 1;
  i -= ninput;
  if (i < d->nstate) return out[0] = VAR_STATE, out[1] = (int)i, 1;
  i -= d->nstate;
  if (i < 2 * d->nbody) return out[0] = i % 2 ? VAR_V : VAR_X, out[1] = (int)(i / 2), 1;
  return out[0] = VAR_STRETCH, out[1] = (int)(i - 2 * d->nbody), 1;
}

int bri_mech_formula_of(draft *d, const bri_node *n)
{
  size_t at = 0, len = 0;
  if (!collect_names(d) || !compile(d, n, d->var_names.text, &at, &len)) return -1;
  draft_form *f = BRI_MECH_ADD(d, forms, nform, room_forms);
  if (!f) return -1;
  *f = (draft_form){.tape = at, .len = len};
  const size_t ninput = d->ninput - (d->clock >= 0 && d->clock == (int)d->ninput - 1);
  for (size_t i = 0; i < len; i++) {
    double *code = d->tapes.at + at;
    const int op = (int)code[i];
    if (op != BRI_OP_NUMBER && op != BRI_OP_VARIABLE) continue;
    i++;
    if (op == BRI_OP_NUMBER) continue;
    int what[2], k = 0;
    if (!meaning(d, n, (size_t)code[i], ninput, what)) return -1;
    while (k < f->nvar && (f->var[k][0] != what[0] || f->var[k][1] != what[1])) k++;
    if (k == BRI_MECH_VARS) return BRI_MECH_NOTE(d, n, "a formula of more than %d names", BRI_MECH_VARS), -1;
    if (k == f->nvar) f->var[k][0] = what[0], f->var[k][1] = what[1], f->nvar++;
    code[i] = k;
  }
  return (int)d->nform - 1;
}
