/* SPDX-License-Identifier: Apache-2.0
 * result_json.c - an answer in memory node by node and as one JSON object, in the order in which it came. */
#include "result.h"

static void rows(bri_json *j, const char *key, const br_result_table *t)
{
  bri_json_array(j, key);
  for (size_t i = 0; i < t->rows && t->data; i++) {
    bri_json_object(j, NULL);
    for (size_t k = 0; k < t->ncol; k++) bri_json_number(j, t->columns[k].name, t->data[i * t->ncol + k]);
    bri_json_end(j);
  }
  bri_json_end(j);
}

static void value(bri_json *j, const char *key, const br_value *v)
{
  switch (v->kind) {
  case BR_VALUE_NUMBER:
  case BR_VALUE_TIME: bri_json_number(j, key, v->number); break;
  case BR_VALUE_TEXT: bri_json_text(j, key, v->text); break;
  case BR_VALUE_FLAG: bri_json_bool(j, key, v->number != 0); break;
  case BR_VALUE_NULL:
  case BR_VALUE_LIST:
  case BR_VALUE_OBJECT: bri_json_null(j, key); break;
  case BR_VALUE_ASIDE: break; /* see aside() */
  }
}

/* A list of numbers stands on one line. */
static int plain(const bri_tree *t)
{
  for (size_t i = 0; i < t->n; i++)
    if (t->member[i].kind != BRI_VALUE || t->member[i].value.kind != BR_VALUE_NUMBER) return 0;
  return t->n > 0;
}

/* Nothing in it is for the JSON object. */
static int aside(const bri_tree *t)
{
  if (t->kind == BRI_VALUE) return t->value.kind == BR_VALUE_ASIDE;
  for (size_t i = 0; i < t->n; i++)
    if (!aside(&t->member[i])) return 0;
  return t->kind == BRI_OBJECT && t->n > 0;
}

static void write(const br_result *r, bri_json *j, const bri_tree *t)
{
  const br_result_table *table = t->kind == BRI_ROWS || t->kind == BRI_COLUMN ? &r->tables[t->table] : NULL;
  double row[64];
  switch (t->kind) {
  case BRI_VALUE: value(j, t->name, &t->value); return;
  case BRI_ROWS: rows(j, t->name, table); return;
  case BRI_COLUMN:
    bri_json_strided(j, t->name, table->data ? table->data + t->column : NULL, table->data ? table->rows : 0,
                     table->ncol);
    return;
  case BRI_LIST:
    if (plain(t) && t->n <= sizeof row / sizeof row[0]) {
      for (size_t i = 0; i < t->n; i++) row[i] = t->member[i].value.number;
      bri_json_numbers(j, t->name, row, t->n);
      return;
    }
    bri_json_array(j, t->name);
    break;
  case BRI_OBJECT: bri_json_object(j, t->name); break;
  }
  for (size_t i = 0; i < t->n; i++)
    if (!aside(&t->member[i])) write(r, j, &t->member[i]);
  bri_json_end(j);
}

const char *br_result_json(br_result *r, size_t *length)
{
  bri_json_free(&r->json);
  write(r, &r->json, &r->root);
  return bri_json_finish(&r->json, length);
}

/* ---- node by node: what a br_node really is, nobody outside needs to know ---- */

const br_node *br_result_root(const br_result *r) { return (const br_node *)&r->root; }

const br_node *br_node_member(const br_node *node, size_t index)
{
  const bri_tree *t = (const bri_tree *)node;
  return index < t->n ? (const br_node *)&t->member[index] : NULL;
}

br_node_view br_node_look(const br_result *r, const br_node *node)
{
  const bri_tree *t = (const bri_tree *)node;
  const int table = t->kind == BRI_ROWS || t->kind == BRI_COLUMN;
  br_node_view v = {BR_NODE_OBJECT, t->name, t->value, t->n, table ? &r->tables[t->table] : NULL, t->column};
  if (table) v.length = v.table->rows;
  if (t->kind == BRI_VALUE) v.kind = BR_NODE_VALUE;
  else if (t->kind == BRI_COLUMN) v.kind = BR_NODE_ARRAY;
  else if (t->kind != BRI_OBJECT) v.kind = BR_NODE_LIST;
  if (aside(t)) v.kind = BR_NODE_NONE;
  return v;
}
