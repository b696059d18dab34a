/* SPDX-License-Identifier: Apache-2.0
 * module.c - bristle._core: the library for the Python files of the package.  No list, no equation stands
 * here. */
#include <string.h>

#include "core.h"

PyObject *core_error, *core_input_error;

PyObject *core_raise(const br_err *err)
{
  const int mend = err->code == BR_E_ARG || err->code == BR_E_RANGE || err->code == BR_E_SIZE ||
                   err->code == BR_E_UNSUPPORTED || err->code == BR_E_NAME || err->code == BR_E_PARSE ||
                   err->code == BR_E_NAN;
  if (PyErr_Occurred()) return NULL; /* Ctrl-C came in between */
  if (err->code == BR_E_NOMEM) return PyErr_NoMemory();
  const char *msg = err->msg[0] ? err->msg : br_status_text(err->code);
  PyObject *text = PyUnicode_DecodeUTF8(msg, (Py_ssize_t)strlen(msg), "replace");
  PyObject *what =
      text ? PyObject_CallFunctionObjArgs(mend ? core_input_error : core_error, text, NULL) : NULL;
  PyObject *code = what ? PyLong_FromLong(err->code) : NULL;
  if (code && PyObject_SetAttrString(what, "status", code) == 0)
    PyErr_SetObject((PyObject *)Py_TYPE(what), what);
  Py_XDECREF(text), Py_XDECREF(what), Py_XDECREF(code);
  return NULL;
}

const char *core_text(PyObject *o)
{
  Py_ssize_t n = 0;
  const char *s = PyUnicode_AsUTF8AndSize(o, &n);
  if (s && strlen(s) != (size_t)n) {
    PyErr_SetString(PyExc_ValueError, "a text has a zero byte");
    return NULL;
  }
  return s;
}

int core_doubles(PyObject *o, Py_buffer *view, int writable, const char *what)
{
  if (PyObject_GetBuffer(o, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)))
    return 0;
  if (view->itemsize == sizeof(double) && view->format &&
      (strcmp(view->format, "d") == 0 || strcmp(view->format, "=d") == 0 || strcmp(view->format, "<d") == 0))
    return 1;
  PyBuffer_Release(view);
  PyErr_Format(PyExc_TypeError, "%s: expected an array of doubles in a row", what);
  return 0;
}

PyTypeObject *core_type(PyObject *module, PyType_Spec *spec)
{
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  if (!type || PyModule_AddType(module, (PyTypeObject *)type)) {
    Py_XDECREF(type);
    return NULL;
  }
  return (PyTypeObject *)type; /* the module keeps another reference */
}

static PyObject *catalogue(PyObject *self, PyObject *args)
{
  int part = 0;
  const char *only = NULL;
  char *text = NULL;
  size_t n = 0;
  br_err err = {BR_OK, -1, ""};
  (void)self;
  if (!PyArg_ParseTuple(args, "i|z", &part, &only)) return NULL;
  if (br_catalogue_json((br_catalogue_part)part, only, &text, &n, &err)) return core_raise(&err);
  PyObject *out = PyUnicode_FromStringAndSize(text, (Py_ssize_t)n);
  br_catalogue_free(text);
  return out;
}

/* nearest(name, names): the likeliest of them, or None. */
static PyObject *nearest(PyObject *self, PyObject *args)
{
  const char *name = NULL, *list[512];
  PyObject *names = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "sO", &name, &names)) return NULL;
  const Py_ssize_t all = PySequence_Size(names);
  if (all < 0) return NULL;
  PyObject *keep = PySequence_Tuple(names);
  size_t n = 0;
  for (Py_ssize_t i = 0; keep && i < all && n < sizeof list / sizeof list[0]; i++) {
    list[n] = core_text(PyTuple_GetItem(keep, i));
    if (!list[n++]) {
      Py_DECREF(keep);
      return NULL;
    }
  }
  const char *near = keep ? br_nearest_name(name, list, n) : NULL;
  PyObject *out = !keep ? NULL : near ? PyUnicode_FromString(near) : Py_NewRef(Py_None);
  Py_XDECREF(keep);
  return out;
}

static PyMethodDef METHODS[] = {
    {"catalogue", catalogue, METH_VARARGS,
     "catalogue(part, only=None): JSON text; 0 whole, 1 models, 2 systems, 3 schema"},
    {"nearest", nearest, METH_VARARGS, "nearest(name, names): the likeliest of them, or None"},
    {"run", core_run, METH_VARARGS,
     "run(analysis, settings, arrays, all): check and answer one question; all: with its tables"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "bristle._core", "the Bristle library", -1, METHODS, NULL, NULL, NULL, NULL};

static int errors(PyObject *module)
{
  core_error = PyErr_NewExceptionWithDoc(
      "bristle.Error", "A computation failed; 'status' is the code of the C library.", NULL, NULL);
  PyObject *bases = core_error ? PyTuple_Pack(2, core_error, PyExc_ValueError) : NULL;
  core_input_error = bases
                         ? PyErr_NewExceptionWithDoc(
                               "bristle.InputError",
                               "Something that was given is wrong: the message names it, its value, what is "
                               "allowed and the nearest valid name.",
                               bases, NULL)
                         : NULL;
  Py_XDECREF(bases);
  return core_input_error && PyModule_AddObjectRef(module, "Error", core_error) == 0 &&
         PyModule_AddObjectRef(module, "InputError", core_input_error) == 0;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
  PyObject *module = PyModule_Create(&MODULE);
  if (!module) return NULL;
  if (!errors(module) || PyModule_AddStringConstant(module, "version", br_version()) ||
      !core_result_types(module) || !core_element_types(module)) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
