/* SPDX-License-Identifier: Apache-2.0
 * answer.c - an answer as structs: objects are structs, lists of numbers columns, tables arrays of structs.
 * */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

/* A name that a field may have: "contact1.z" is contact1_z. */
static const char *field_name(const char *name, size_t size, char *buf)
{
  size_t n = 0;
  if (!(name[0] >= 'A' && name[0] <= 'z')) buf[n++] = 'x';
  for (; *name && n + 1 < size; name++) {
    const char c = *name;
    const int fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    buf[n++] = fine ? c : '_';
  }
  buf[n] = '\0';
  return buf;
}

static void add(mxArray *to, const char *name, mxArray *value)
{
  char buf[64];
  const int k = mxAddField(to, field_name(name, sizeof buf, buf));
  if (k >= 0) mxSetFieldByNumber(to, 0, k, value);
}

static mxArray *column_of(const br_result_table *t, size_t column)
{
  const size_t rows = t->data ? t->rows : 0;
  mxArray *out = mxCreateDoubleMatrix(rows, 1, mxREAL);
  double *x = mxGetPr(out);
  for (size_t i = 0; i < rows; i++) x[i] = t->data[i * t->ncol + column] + 0.0; /* no -0, as in JSON */
  return out;
}

/* A list of objects: one struct a row. */
static mxArray *rows_of(const br_result_table *t)
{
  char buf[64];
  const size_t rows = t->data ? t->rows : 0;
  mxArray *out = mxCreateStructMatrix(rows, 1, 0, NULL);
  for (size_t k = 0; k < t->ncol; k++) {
    const int field = mxAddField(out, field_name(t->columns[k].name, sizeof buf, buf));
    for (size_t i = 0; i < rows && field >= 0; i++)
      mxSetFieldByNumber(out, i, field, mxCreateDoubleScalar(t->data[i * t->ncol + k] + 0.0));
  }
  return out;
}

static mxArray *value_of(const br_value *v)
{
  switch (v->kind) {
  case BR_VALUE_TEXT: return mxCreateString(v->text);
  case BR_VALUE_FLAG: return mxCreateLogicalScalar(v->number != 0);
  case BR_VALUE_NUMBER:
  case BR_VALUE_TIME: return mxCreateDoubleScalar(v->number + 0.0);
  default: return mxCreateDoubleScalar((double)NAN); /* null */
  }
}

static mxArray *node_of(const br_result *r, const br_node *node);

/* Numbers become a column, the rest a cell. */
static mxArray *list_of(const br_result *r, const br_node *node, size_t n)
{
  int plain = n > 0;
  const br_node *m = NULL;
  for (size_t i = 0; (m = br_node_member(node, i)) != NULL && plain; i++) {
    const br_node_view v = br_node_look(r, m);
    plain = v.kind == BR_NODE_VALUE && v.value.kind == BR_VALUE_NUMBER;
  }
  mxArray *out = plain ? mxCreateDoubleMatrix(n, 1, mxREAL) : mxCreateCellMatrix(n, 1);
  for (size_t i = 0; (m = br_node_member(node, i)) != NULL; i++) {
    if (plain) mxGetPr(out)[i] = br_node_look(r, m).value.number + 0.0;
    else mxSetCell(out, i, node_of(r, m));
  }
  return out;
}

static mxArray *node_of(const br_result *r, const br_node *node)
{
  const br_node_view v = br_node_look(r, node);
  const br_node *m = NULL;
  if (v.kind == BR_NODE_VALUE) return value_of(&v.value);
  if (v.kind == BR_NODE_ARRAY) return column_of(v.table, v.column);
  if (v.table) return rows_of(v.table);
  if (v.kind == BR_NODE_LIST) return list_of(r, node, v.length);
  mxArray *out = mxCreateStructMatrix(1, 1, 0, NULL);
  for (size_t i = 0; (m = br_node_member(node, i)) != NULL; i++) {
    const br_node_view k = br_node_look(r, m);
    if (k.kind != BR_NODE_NONE) add(out, k.name, node_of(r, m));
  }
  return out;
}

mxArray *answer_struct(const br_result *r, int tables)
{
  mxArray *out = node_of(r, br_result_root(r));
  const br_result_table *t = NULL;
  if (!tables) return out;
  mxArray *all = mxCreateStructMatrix(1, 1, 0, NULL);
  for (size_t i = 0; (t = br_result_tables(r, i)) != NULL; i++) {
    if (!t->data) continue;
    mxArray *one = mxCreateStructMatrix(1, 1, 0, NULL);
    for (size_t k = 0; k < t->ncol; k++) add(one, t->columns[k].name, column_of(t, k));
    add(all, t->name, one);
  }
  add(out, "tables", all);
  return out;
}
