/* SPDX-License-Identifier: Apache-2.0
 * core.h - what the files of the extension module share.  Stable ABI of Python 3.11, where buffers entered
 * it. */
#ifndef BRISTLE_PYTHON_CORE_H
#define BRISTLE_PYTHON_CORE_H
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "bristle/bristle.h"

/* bristle.Error; bristle.InputError is one and a ValueError. */
extern PyObject *core_error, *core_input_error;
/* Raise what err says; always returns NULL. */
PyObject *core_raise(const br_err *err);

/* A text of Python, NULL with an exception set where it is none or has a zero byte. */
const char *core_text(PyObject *o);
/* A getter that has nothing to do but to return `what`, of the object o. */
#define CORE_GETTER(name, type, what)                 \
  static PyObject *name(PyObject *self, void *unused) \
  {                                                   \
    const type *o = (const type *)self;               \
    (void)unused;                                     \
    return what;                                      \
  }

/* n doubles in a row, read only or not; 0 with an exception set where the object is something else. */
int core_doubles(PyObject *o, Py_buffer *view, int writable, const char *what);

/* result.c: an answer that the object owns from here on, with its job or, where it is the second answer of a
 * job, with the first; NULL with an exception set (what would be owned is freed). */
PyObject *core_result_new(br_job *job, PyObject *first, br_result *result, PyObject *notes);
int core_result_types(PyObject *module);

/* run.c */
PyObject *core_run(PyObject *self, PyObject *args);
/* A checked job, answered once more with all its tables. */
PyObject *core_again(br_job *job, PyObject *first);

/* element.c */
int core_element_types(PyObject *module);

/* A type of the module from its spec, under the last part of its name; NULL with an exception set. */
PyTypeObject *core_type(PyObject *module, PyType_Spec *spec);

#endif
