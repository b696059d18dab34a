/* SPDX-License-Identifier: Apache-2.0
 * result.c - an answer: a tree of Python values; tables and columns as buffers that nobody copies. */
#include <math.h>
#include <string.h>

#include "core.h"

typedef struct {
  PyObject_HEAD br_job *job;
  br_result *result;
  PyObject *notes;
  PyObject *first; /* the answer that owns the job; NULL: this one */
} answer;

/* A table (column -1) or one of its columns; keeps its answer alive. */
typedef struct {
  PyObject_HEAD PyObject *owner;
  const br_result_table *table;
  Py_ssize_t column;
  Py_ssize_t shape[2], strides[2];
} slice;

static PyTypeObject *answer_type, *slice_type;

static void drop(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

/* ---- tables ---- */

static PyObject *slice_new(PyObject *owner, const br_result_table *t, Py_ssize_t column)
{
  allocfunc make = (allocfunc)PyType_GetSlot(slice_type, Py_tp_alloc);
  slice *s = (slice *)make(slice_type, 0);
  if (!s) return NULL;
  s->owner = Py_NewRef(owner);
  s->table = t;
  s->column = column;
  s->shape[0] = t->data ? (Py_ssize_t)t->rows : 0;
  s->shape[1] = (Py_ssize_t)t->ncol;
  s->strides[0] = (Py_ssize_t)(t->ncol * sizeof(double));
  s->strides[1] = sizeof(double);
  return (PyObject *)s;
}

static void slice_drop(PyObject *self)
{
  Py_XDECREF(((slice *)self)->owner);
  drop(self);
}

static int slice_buffer(PyObject *self, Py_buffer *view, int flags)
{
  static double nothing;
  slice *s = (slice *)self;
  const int whole = s->column < 0;
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "an answer is read only");
    view->obj = NULL;
    return -1;
  }
  if (!whole && (flags & PyBUF_STRIDES) != PyBUF_STRIDES && s->table->ncol > 1) {
    PyErr_SetString(PyExc_BufferError, "a column stands between others: it needs strides");
    view->obj = NULL;
    return -1;
  }
  memset(view, 0, sizeof *view);
  view->obj = Py_NewRef(self);
  view->buf = s->table->data ? (void *)(s->table->data + (whole ? 0 : s->column)) : &nothing;
  view->itemsize = sizeof(double);
  view->len = s->shape[0] * (whole ? s->shape[1] : 1) * view->itemsize;
  view->readonly = 1;
  view->ndim = whole ? 2 : 1;
  view->format = flags & PyBUF_FORMAT ? (char *)"d" : NULL;
  view->shape = flags & PyBUF_ND ? s->shape : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? s->strides : NULL;
  return 0;
}

static PyObject *text_or_none(const char *s) { return s ? PyUnicode_FromString(s) : Py_NewRef(Py_None); }

CORE_GETTER(slice_name, slice,
            PyUnicode_FromString(o->column < 0 ? o->table->name : o->table->columns[o->column].name))
CORE_GETTER(slice_label, slice, text_or_none(o->table->label))
CORE_GETTER(slice_style, slice, text_or_none(o->table->style))

static PyObject *slice_columns(PyObject *self, void *unused)
{
  const br_result_table *t = ((slice *)self)->table;
  PyObject *list = PyList_New(0);
  (void)unused;
  for (size_t i = 0; list && i < t->ncol; i++) {
    PyObject *row = Py_BuildValue("(ss)", t->columns[i].name, t->columns[i].unit);
    if (!row || PyList_Append(list, row)) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

static PyObject *slice_names(PyObject *self, void *unused)
{
  const br_result_table *t = ((slice *)self)->table;
  PyObject *list = PyList_New(0);
  (void)unused;
  for (size_t i = 0; list && i < t->nnames; i++) {
    PyObject *row = text_or_none(t->names[i]);
    if (!row || PyList_Append(list, row)) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

CORE_GETTER(slice_rows, slice, PyLong_FromSsize_t(o->shape[0]))
CORE_GETTER(slice_shape, slice, PyLong_FromUnsignedLong(o->table->shape))
CORE_GETTER(slice_kept, slice, PyBool_FromLong(o->table->data || !o->table->rows))
CORE_GETTER(slice_is_table, slice, PyBool_FromLong(o->column < 0))

static PyGetSetDef SLICE_GET[] = {
    {"name", slice_name, NULL, "its name", NULL},
    {"label", slice_label, NULL, "what the picture calls it", NULL},
    {"style", slice_style, NULL, "how the picture draws it", NULL},
    {"columns", slice_columns, NULL, "(name, unit) of every column", NULL},
    {"names", slice_names, NULL, "what the numbers of a map mean", NULL},
    {"rows", slice_rows, NULL, "number of rows", NULL},
    {"shape", slice_shape, NULL, "BR_TABLE_*: 1 the main one, 2 a table of its own", NULL},
    {"kept", slice_kept, NULL, "are its rows there?", NULL},
    {"is_table", slice_is_table, NULL, "a table, or one column?", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot SLICE_SLOTS[] = {{Py_tp_dealloc, slice_drop},
                                    {Py_bf_getbuffer, slice_buffer},
                                    {Py_tp_getset, SLICE_GET},
                                    {Py_tp_doc, "A table of an answer, or one of its columns, as a buffer."},
                                    {0, NULL}};
static PyType_Spec SLICE_SPEC = {"bristle._core.Slice", sizeof(slice), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, SLICE_SLOTS};

/* ---- the tree ---- */

static PyObject *value_of(const br_value *v)
{
  switch (v->kind) {
  case BR_VALUE_TEXT: return PyUnicode_DecodeUTF8(v->text, (Py_ssize_t)strlen(v->text), "replace");
  case BR_VALUE_FLAG: return PyBool_FromLong(v->number != 0);
  case BR_VALUE_NUMBER:
  case BR_VALUE_TIME:
    if (isfinite(v->number)) return PyFloat_FromDouble(v->number);
    break;
  default: break;
  }
  return Py_NewRef(Py_None); /* as in JSON */
}

static PyObject *node_of(PyObject *self, const br_node *node)
{
  const br_result *r = ((answer *)self)->result;
  const br_node_view v = br_node_look(r, node);
  if (v.kind == BR_NODE_VALUE) return value_of(&v.value);
  if (v.table) return slice_new(self, v.table, v.kind == BR_NODE_ARRAY ? (Py_ssize_t)v.column : -1);
  PyObject *out = v.kind == BR_NODE_LIST ? PyList_New(0) : PyDict_New();
  const br_node *m = NULL;
  for (size_t i = 0; out && (m = br_node_member(node, i)) != NULL; i++) {
    const br_node_view k = br_node_look(r, m);
    if (k.kind == BR_NODE_NONE) continue;
    PyObject *x = node_of(self, m);
    const int failed =
        !x || (v.kind == BR_NODE_LIST ? PyList_Append(out, x) : PyDict_SetItemString(out, k.name, x));
    Py_XDECREF(x);
    if (failed) Py_CLEAR(out);
  }
  return out;
}

/* ---- the answer ---- */

PyObject *core_result_new(br_job *job, PyObject *first, br_result *result, PyObject *notes)
{
  allocfunc make = (allocfunc)PyType_GetSlot(answer_type, Py_tp_alloc);
  answer *a = (answer *)make(answer_type, 0);
  if (!a) {
    br_result_destroy(result);
    if (!first) br_job_destroy(job);
    return NULL;
  }
  a->job = job;
  a->result = result;
  a->notes = Py_NewRef(notes);
  a->first = Py_XNewRef(first);
  return (PyObject *)a;
}

static void answer_drop(PyObject *self)
{
  answer *a = (answer *)self;
  br_result_destroy(a->result);
  if (!a->first) br_job_destroy(a->job);
  Py_XDECREF(a->first);
  Py_XDECREF(a->notes);
  drop(self);
}

static PyObject *answer_tree(PyObject *self, PyObject *unused)
{
  (void)unused;
  return node_of(self, br_result_root(((answer *)self)->result));
}

static PyObject *answer_tables(PyObject *self, PyObject *unused)
{
  const br_result_table *t = NULL;
  PyObject *list = PyList_New(0);
  (void)unused;
  for (size_t i = 0; list && (t = br_result_tables(((answer *)self)->result, i)) != NULL; i++) {
    PyObject *s = slice_new(self, t, -1);
    if (!s || PyList_Append(list, s)) Py_CLEAR(list);
    Py_XDECREF(s);
  }
  return list;
}

static PyObject *answer_json(PyObject *self, PyObject *unused)
{
  size_t n = 0;
  (void)unused;
  const char *text = br_result_json(((answer *)self)->result, &n);
  return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, "replace") : PyErr_NoMemory();
}

static PyObject *answer_unit(PyObject *self, PyObject *path)
{
  double x = 0;
  const char *unit = NULL, *text = core_text(path);
  if (!text) return NULL;
  if (!br_result_number(((answer *)self)->result, text, &x, &unit)) Py_RETURN_NONE;
  return text_or_none(unit);
}

static PyObject *answer_draw(PyObject *self, PyObject *args)
{
  const answer *a = (answer *)self;
  const char *path = NULL, *title = NULL, *name = NULL;
  br_err err = {BR_OK, -1, ""};
  if (!PyArg_ParseTuple(args, "ssz", &path, &title, &name)) return NULL;
  const br_analysis *an = br_job_analysis(a->job);
  const br_picture *p = name ? NULL : &an->picture;
  for (size_t i = 0; name && i < an->npictures; i++) {
    const br_picture *k = &an->pictures[i];
    if ((k->name && strcmp(k->name, name) == 0) || (k->option && strcmp(k->option, name) == 0)) p = k;
  }
  if (!p || !p->npanels)
    return PyErr_Format(core_input_error, "%s has no picture%s%s", an->name, name ? " " : "",
                        name ? name : "");
  br_status st = BR_OK;
  Py_BEGIN_ALLOW_THREADS;
  st = br_picture_write(path, title, p, a->result, &err);
  Py_END_ALLOW_THREADS;
  if (st) return core_raise(&err);
  Py_RETURN_NONE;
}

static PyObject *answer_again(PyObject *self, PyObject *unused)
{
  answer *a = (answer *)self;
  (void)unused;
  return core_again(a->job, a->first ? a->first : self);
}

CORE_GETTER(answer_notes, answer, Py_NewRef(o->notes))

static PyMethodDef ANSWER_METHODS[] = {
    {"tree", answer_tree, METH_NOARGS, "the answer as dictionaries, lists, numbers, texts, slices"},
    {"tables", answer_tables, METH_NOARGS, "all tables"},
    {"json", answer_json, METH_NOARGS, "the text that --json prints"},
    {"unit", answer_unit, METH_O, "unit(path): unit of a number; None: there is no such number"},
    {"again", answer_again, METH_NOARGS, "the same answer with its tables and those of the usual picture"},
    {"draw", answer_draw, METH_VARARGS, "draw(path, title, name): picture by gnuplot"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef ANSWER_GET[] = {{"notes", answer_notes, NULL, "what a person should know", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot ANSWER_SLOTS[] = {{Py_tp_dealloc, answer_drop},
                                     {Py_tp_methods, ANSWER_METHODS},
                                     {Py_tp_getset, ANSWER_GET},
                                     {Py_tp_doc, "The answer of an analysis in memory."},
                                     {0, NULL}};
static PyType_Spec ANSWER_SPEC = {"bristle._core.Answer", sizeof(answer), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, ANSWER_SLOTS};

int core_result_types(PyObject *module)
{
  slice_type = core_type(module, &SLICE_SPEC);
  answer_type = slice_type ? core_type(module, &ANSWER_SPEC) : NULL;
  return answer_type != NULL;
}
