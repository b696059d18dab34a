/* SPDX-License-Identifier: Apache-2.0
 * answer.c - an answer for JavaScript: the tree of the JSON object, whose arrays are columns of tables, and
 * tables as addresses of their numbers, row by row. */
#include <inttypes.h>
#include <stdint.h>

#include "lab.h"

static size_t index_of(const br_result *r, const br_result_table *t)
{
  size_t i = 0;
  while (br_result_tables(r, i) && br_result_tables(r, i)->name != t->name) i++;
  return i;
}

static void put_value(bri_buf *to, const br_value *v)
{
  switch (v->kind) {
  case BR_VALUE_TEXT: bri_buf_json(to, v->text); break;
  case BR_VALUE_FLAG: bri_buf_text(to, v->number != 0 ? "true" : "false"); break;
  case BR_VALUE_NUMBER:
  case BR_VALUE_TIME: bri_buf_number(to, v->number, "null"); break;
  default: bri_buf_text(to, "null");
  }
}

static void put_rows(bri_buf *to, const br_result_table *t)
{
  bri_buf_text(to, "[");
  for (size_t i = 0; t->data && i < t->rows; i++) {
    bri_buf_text(to, i ? ",{" : "{");
    for (size_t k = 0; k < t->ncol; k++) {
      bri_buf_text(to, k ? "," : ""), bri_buf_json(to, t->columns[k].name), bri_buf_text(to, ":");
      bri_buf_number(to, t->data[i * t->ncol + k], "null");
    }
    bri_buf_text(to, "}");
  }
  bri_buf_text(to, "]");
}

/* {"$table": INDEX, "$column": INDEX} stands for an array. */
static void put_node(bri_buf *to, const br_result *r, const br_node *node)
{
  const br_node_view v = br_node_look(r, node);
  const br_node *m = NULL;
  size_t told = 0;
  if (v.kind == BR_NODE_VALUE) {
    put_value(to, &v.value);
  } else if (v.kind == BR_NODE_ARRAY) {
    bri_buf_printf(to, "{\"$table\":%zu,\"$column\":%zu}", index_of(r, v.table), v.column);
  } else if (v.table) {
    put_rows(to, v.table);
  } else {
    const int list = v.kind == BR_NODE_LIST;
    bri_buf_text(to, list ? "[" : "{");
    for (size_t i = 0; (m = br_node_member(node, i)) != NULL; i++) {
      const br_node_view k = br_node_look(r, m);
      if (k.kind == BR_NODE_NONE) continue;
      bri_buf_text(to, told++ ? "," : "");
      if (!list) bri_buf_json(to, k.name), bri_buf_text(to, ":");
      put_node(to, r, m);
    }
    bri_buf_text(to, list ? "]" : "}");
  }
}

static void put_text(bri_buf *to, const char *name, const char *text)
{
  bri_buf_printf(to, ",\"%s\":", name);
  if (text) bri_buf_json(to, text);
  else bri_buf_text(to, "null");
}

static void put_table(bri_buf *to, const br_result_table *t)
{
  bri_buf_text(to, "{\"name\":"), bri_buf_json(to, t->name);
  put_text(to, "label", t->label), put_text(to, "style", t->style);
  bri_buf_printf(to, ",\"main\":%s,\"rows\":%zu,\"at\":%" PRIuPTR ",\"columns\":[",
                 t->shape & BR_TABLE_MAIN ? "true" : "false", t->data ? t->rows : 0, (uintptr_t)t->data);
  for (size_t k = 0; k < t->ncol; k++) {
    bri_buf_text(to, k ? ",{\"name\":" : "{\"name\":"), bri_buf_json(to, t->columns[k].name);
    put_text(to, "unit", t->columns[k].unit), bri_buf_text(to, "}");
  }
  bri_buf_text(to, "],\"names\":[");
  for (size_t k = 0; k < t->nnames; k++)
    bri_buf_text(to, k ? "," : ""), bri_buf_json(to, t->names[k] ? t->names[k] : "");
  bri_buf_text(to, "]}");
}

void lab_put_answer(bri_buf *to, const br_result *r)
{
  const br_result_table *t = NULL;
  bri_buf_text(to, "\"answer\":");
  put_node(to, r, br_result_root(r));
  bri_buf_text(to, ",\"tables\":[");
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++)
    bri_buf_text(to, i ? "," : ""), put_table(to, t);
  bri_buf_text(to, "]");
}
