/* SPDX-License-Identifier: Apache-2.0
 * judge.c - compare what was computed with the references of the study. */
#include <math.h>
#include <string.h>

#include "bristle/text.h"
#include "bristle/unit.h"
#include "ask.h"
#include "columns.h"

static const char *number_text(br_study *s, double x)
{
  char text[BR_DOUBLE_TEXT];
  const size_t n = br_format_double(x, text);
  const char *out = bri_arena_text(s->arena, text, n);
  return out ? out : "?";
}

static br_status unknown(const bri_run *r, const bri_node *c, br_err *err)
{
  const bri_node *q = bri_node_find(c, "quantity");
  const char *names[512];
  char hint[BRI_HINT];
  size_t n = 0;
  for (; n < r->res.nquantities && n < 512; n++) names[n] = r->res.quantities[n].name;
  return bri_fail(err, BR_E_NAME, "%s:%zu:%zu: run '%s' has no quantity '%.60s'%s", q->at.file, q->at.line,
                  q->at.column, r->name, q->text,
                  bri_hint(q->text, names, n, "; its record lists them", hint));
}

static void judge_number(br_study *s, const bri_node *c, const bri_quantity *q, br_verdict *v)
{
  const bri_node *value = bri_node_find(c, "value"), *rel = bri_node_find(c, "relative"),
                 *tol = bri_node_find(c, "tolerance");
  br_unit unit;
  double x = 0;
  v->result = q->value;
  v->obtained = number_text(s, q->value);
  v->value =
      br_quantity_parse(value->text, strlen(value->text), &v->value, &unit, NULL, NULL) ? NAN : v->value;
  v->difference = v->result - v->value;
  if (tol && !br_quantity_parse(tol->text, strlen(tol->text), &x, &unit, NULL, NULL)) v->tolerance = x;
  if (rel && !br_quantity_parse(rel->text, strlen(rel->text), &x, &unit, NULL, NULL))
    v->tolerance = x * fabs(v->value);
  v->pass = fabs(v->difference) <= v->tolerance; /* false for NaN */
}

static br_status judge(br_study *s, const bri_node *c, br_verdict *v, br_err *err)
{
  const bri_node *source = bri_node_find(s->root, "source");
  const char *name = bri_node_text(c, "run", s->runs[0].name);
  const bri_run *r = bri_study_run_named(s, name);
  char now[160];
  const char *quantity = bri_node_text(c, "quantity", "");
  const bri_quantity *q = r ? bri_result_find(&r->res, quantity) : NULL;
  bri_quantity apart = {quantity, "1", NULL, 0, 0};
  if (r && bri_node_find(c, "from")) {
    const br_status st = bri_study_distance(s, r, c, &apart.value, err);
    if (st) return st;
    q = &apart;
  }
  if (r && !q) q = bri_result_find(&r->res, bri_ask_name(r, quantity, sizeof now, now));
  memset(v, 0, sizeof *v);
  if (!r || (!q && !r->overridden)) return r ? unknown(r, c, err) : BR_OK;
  v->study = s->name;
  v->document = bri_node_text(source, "document", "");
  v->figure = bri_node_text(c, "figure", bri_node_text(source, "figure", ""));
  v->run = r->name;
  v->quantity = quantity;
  v->unit = bri_node_text(c, "unit", q ? q->unit : "");
  v->source = bri_node_text(c, "source", "");
  v->reference = bri_node_text(c, "value", "");
  v->value = v->result = v->difference = NAN;
  v->obtained = q && q->text ? q->text : "";
  if (q && q->text) v->pass = strcmp(q->text, v->reference) == 0;
  else if (q) judge_number(s, c, q, v);
  v->overridden = r->overridden;
  v->pass = v->pass || v->overridden;
  return BR_OK;
}

br_status bri_study_judge(br_study *s, br_err *err)
{
  const bri_node *list = bri_node_find(s->root, "check");
  size_t n = 0;
  s->nverdicts = 0;
  for (const bri_node *c = list ? list->first : NULL; c; c = c->next) n++;
  if (n == 0) return BR_OK;
  s->verdicts = bri_arena_get(s->arena, n * sizeof *s->verdicts);
  if (!s->verdicts) return bri_study_no_memory(s, err);
  for (const bri_node *c = list->first; c; c = c->next) {
    const br_status st = judge(s, c, &s->verdicts[s->nverdicts], err);
    if (st) return st;
    s->nverdicts++;
  }
  return BR_OK;
}
