/* SPDX-License-Identifier: Apache-2.0
 * element.c - one friction element or many: velocity in, force out.
 * Runs work on copies of the state, which is put back under Python's lock: an element may be used by several
 * threads, and each of their runs is then one of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum { CHUNK = 1 << 18 }; /* samples between two looks for Ctrl-C */

typedef struct {
  PyObject_HEAD br_params *params;
  const br_model *model;
  size_t count; /* state numbers in use, modes included */
  double load, u[BR_TRACE_AXES];
  double *z; /* [nz] */
} element;

static PyTypeObject *element_type;

static const double *block(const element *e) { return br_params_block(e->params, "model"); }

static int setup(element *e, const char *name, const char *set)
{
  br_err err = {BR_OK, -1, ""};
  const char *names[64];
  const br_model *m = NULL;
  size_t n = 0;
  e->model = br_expr_variant(br_all_models_find(name), set);
  while (n < sizeof names / sizeof names[0] && (m = br_all_models(n)) != NULL) names[n++] = m->name;
  if (!e->model) {
    const char *near = br_nearest_name(name, names, n);
    (void)PyErr_Format(core_input_error,
                       near ? "unknown model '%s'; did you mean '%s'?" : "unknown model '%s'", name, near);
    return 0;
  }
  if (br_params_create(e->model, &e->params, &err) || br_params_set_list(e->params, set, &err) ||
      br_params_finish(e->params, &err))
    return core_raise(&err) != NULL;
  if (!e->model->step) {
    (void)PyErr_Format(core_input_error, "model '%s' has no step: use bristle.trace()", name);
    return 0;
  }
  e->load = 1;
  e->count = e->model->nstate(block(e)) + e->model->nmode(block(e));
  e->z = calloc(e->model->nz + 1, sizeof *e->z);
  if (!e->z) (void)PyErr_NoMemory();
  return e->z != NULL;
}

static PyObject *element_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  const char *name = NULL, *set = NULL;
  if (keywords && PyDict_Size(keywords)) {
    PyErr_SetString(PyExc_TypeError, "Element takes no keywords");
    return NULL;
  }
  if (!PyArg_ParseTuple(args, "ss", &name, &set)) return NULL;
  allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  element *e = (element *)make(type, 0);
  if (e && !setup(e, name, set)) Py_CLEAR(e);
  return (PyObject *)e;
}

static void element_drop(PyObject *self)
{
  element *e = (element *)self;
  PyTypeObject *type = Py_TYPE(self);
  br_params_destroy(e->params);
  free(e->z);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/* ---- one element ---- */

/* n samples of h seconds from position u and state z; returns how many went well. */
static size_t advance(const element *e, size_t n, double h, const double *v, double *F, double *u, double *z,
                      double *dz)
{
  const br_model *m = e->model;
  const double *par = block(e), load = e->load;
  const size_t axes = (size_t)m->axes;
  for (size_t k = 0; k < n; k++, v += axes, F += axes) {
    for (size_t a = 0; a < axes; a++)
      if (!isfinite(v[a])) return k;
    m->step(par, load, u, v, h, z);
    for (size_t a = 0; a < axes; a++) u[a] = u[a] + v[a] * h;
    m->rate(par, load, u, v, z, dz);
    m->force(par, load, u, v, z, dz, F);
    for (size_t a = 0; a < axes; a++)
      if (!isfinite(F[a])) return k;
  }
  return n;
}

/* run(v, h, F, fresh): from rest and forgotten again, or on from where the element is. */
static PyObject *element_run(PyObject *self, PyObject *args)
{
  element *e = (element *)self;
  PyObject *in = NULL, *out = NULL;
  Py_buffer v, F;
  double h = 0, u[BR_TRACE_AXES] = {0, 0};
  int fresh = 0, good = 1;
  const size_t axes = (size_t)e->model->axes, nz = e->model->nz + 1;
  if (!PyArg_ParseTuple(args, "OdOp", &in, &h, &out, &fresh)) return NULL;
  if (!isfinite(h) || h <= 0) return PyErr_Format(core_input_error, "dt must be finite and > 0 s");
  double *z = calloc(2 * nz, sizeof *z);
  if (!z) return PyErr_NoMemory();
  if (!core_doubles(in, &v, 0, "v")) {
    free(z);
    return NULL;
  }
  if (!core_doubles(out, &F, 1, "F")) {
    PyBuffer_Release(&v);
    free(z);
    return NULL;
  }
  const size_t n = (size_t)(v.len / v.itemsize) / axes;
  size_t done = 0;
  if (!fresh) memcpy(z, e->z, e->model->nz * sizeof *z), memcpy(u, e->u, sizeof u);
  if (F.len < v.len || (size_t)v.len != n * axes * sizeof(double))
    good = 0, PyErr_SetString(PyExc_ValueError, "v and F differ in length");
  while (good && done < n) {
    const size_t part = n - done < CHUNK ? n - done : CHUNK;
    size_t went = 0;
    Py_BEGIN_ALLOW_THREADS;
    went =
        advance(e, part, h, (const double *)v.buf + done * axes, (double *)F.buf + done * axes, u, z, z + nz);
    Py_END_ALLOW_THREADS;
    done += went;
    if (went < part)
      good = 0, PyErr_Format(core_input_error, "v[%zu] or the force there is not a finite number", done);
    else if (PyErr_CheckSignals()) good = 0;
  }
  if (good && !fresh) memcpy(e->z, z, e->model->nz * sizeof *z), memcpy(e->u, u, sizeof u);
  PyBuffer_Release(&v), PyBuffer_Release(&F);
  free(z);
  if (!good) return NULL;
  Py_RETURN_NONE;
}

/* ---- many: v and F are [steps][axes][lanes] ---- */

/* Blocks of all lanes; own: list of (name, doubles) with one number per lane. */
static double *blocks(const element *e, const char *set, PyObject *own, size_t lanes)
{
  const size_t slots = e->model->slots;
  br_err err = {BR_OK, -1, ""};
  br_params *p = NULL;
  const Py_ssize_t n = PyList_Size(own);
  double *par =
      lanes < SIZE_MAX / (slots + 1) / sizeof *par ? malloc((lanes * slots + 1) * sizeof *par) : NULL;
  br_status st = par ? br_params_create(e->model, &p, &err) : BR_E_NOMEM;
  if (!par) err.code = BR_E_NOMEM;
  if (!st) st = br_params_set_list(p, set, &err);
  int raised = 0;
  for (size_t l = 0; l < lanes && !st && !raised; l++) {
    for (Py_ssize_t i = 0; i < n && !st && !raised; i++) {
      const char *key = NULL;
      PyObject *values = NULL;
      Py_buffer view;
      raised = !PyArg_ParseTuple(PyList_GetItem(own, i), "sO", &key, &values) ||
               !core_doubles(values, &view, 0, key);
      if (raised) break;
      if ((size_t)(view.len / view.itemsize) != lanes)
        raised = PyErr_Format(core_input_error, "%s: %zd values for %zu lanes", key, view.len / view.itemsize,
                              lanes) == NULL;
      else st = br_params_set(p, key, (const double *)view.buf + l, 1, &err);
      PyBuffer_Release(&view);
    }
    if (!st && !raised) st = br_params_finish(p, &err);
    if (!st && !raised) memcpy(par + l * slots, br_params_block(p, "model"), slots * sizeof *par);
  }
  br_params_destroy(p);
  if (!st && !raised) return par;
  if (st) (void)core_raise(&err);
  free(par);
  return NULL;
}

static PyObject *element_batch(PyObject *self, PyObject *args)
{
  const element *e = (element *)self;
  PyObject *in = NULL, *out = NULL, *own = NULL;
  const char *set = NULL;
  Py_ssize_t lanes = 0;
  double h = 0;
  Py_buffer v, F;
  int fast = 0;
  br_err err = {BR_OK, -1, ""};
  br_batch b;
  if (!PyArg_ParseTuple(args, "OdOnsO!p", &in, &h, &out, &lanes, &set, &PyList_Type, &own, &fast))
    return NULL;
  if (lanes < 1) return PyErr_Format(core_input_error, "batch: no lanes");
  const int shared = PyList_Size(own) == 0;
  const size_t axes = (size_t)e->model->axes, need = br_batch_size(e->model, BR_F64, (size_t)lanes, shared);
  if (!need) return PyErr_Format(core_input_error, "batch: model '%s' has no lanes", e->model->name);
  double *par = shared ? NULL : blocks(e, set, own, (size_t)lanes);
  if (!shared && !par) return NULL;
  double *load = malloc((size_t)lanes * sizeof *load);
  void *mem = load ? aligned_alloc(64, (need + 63) / 64 * 64) : NULL;
  if (!mem || !core_doubles(in, &v, 0, "v")) {
    free(par), free(load), free(mem);
    return mem ? NULL : PyErr_NoMemory();
  }
  if (!core_doubles(out, &F, 1, "F")) {
    PyBuffer_Release(&v);
    free(par), free(load), free(mem);
    return NULL;
  }
  for (Py_ssize_t l = 0; l < lanes; l++) load[l] = e->load;
  const size_t row = axes * (size_t)lanes, steps = (size_t)(v.len / v.itemsize) / row, most = 1 + CHUNK / row;
  br_status st =
      br_batch_init(&b, e->model, BR_F64, (size_t)lanes, shared, shared ? block(e) : par, load, mem, need);
  int stopped = 0;
  if (F.len != v.len || (size_t)v.len != steps * row * sizeof(double))
    stopped = 1, PyErr_SetString(PyExc_ValueError, "batch: v and F differ in shape");
  for (size_t k = 0; k < steps && !st && !stopped; k += most) {
    Py_BEGIN_ALLOW_THREADS;
    st = br_batch_run_f64(&b, fast ? BR_FAST : BR_STRICT, steps - k < most ? steps - k : most, h,
                          (const double *)v.buf + k * row, (double *)F.buf + k * row);
    Py_END_ALLOW_THREADS;
    stopped = PyErr_CheckSignals() != 0;
  }
  PyBuffer_Release(&v), PyBuffer_Release(&F);
  free(par), free(load), free(mem);
  err.code = st;
  if (st == BR_E_RANGE) return PyErr_Format(core_input_error, "dt must be finite and > 0 s");
  if (st) return core_raise(&err);
  if (stopped) return NULL;
  Py_RETURN_NONE;
}

/* ---- what it is and where ---- */

static PyObject *element_states(PyObject *self, void *unused)
{
  const element *e = (element *)self;
  PyObject *out = PyDict_New();
  char name[64];
  (void)unused;
  for (size_t i = 0; out && br_state_name(e->model, block(e), i, sizeof name, name, NULL); i++) {
    PyObject *x = PyFloat_FromDouble(e->z[i]);
    if (!x || PyDict_SetItemString(out, name, x)) Py_CLEAR(out);
    Py_XDECREF(x);
  }
  return out;
}

static int element_set_states(PyObject *self, PyObject *value, void *unused)
{
  element *e = (element *)self;
  char name[64];
  (void)unused;
  if (!value || !PyDict_Check(value))
    return PyErr_SetString(PyExc_TypeError, "state: expected a dictionary"), -1;
  Py_ssize_t used = 0;
  for (size_t i = 0; br_state_name(e->model, block(e), i, sizeof name, name, NULL); i++) {
    PyObject *x = PyDict_GetItemString(value, name); /* borrowed */
    if (!x) continue;
    const double z = PyFloat_AsDouble(x);
    if (z == -1.0 && PyErr_Occurred()) return -1;
    if (!isfinite(z)) return PyErr_Format(core_input_error, "state '%s' is not a finite number", name), -1;
    e->z[i] = z;
    used++;
  }
  if (used == PyDict_Size(value)) return 0;
  return PyErr_Format(core_input_error, "state: %s has no such state", e->model->name), -1;
}

static PyObject *element_position(PyObject *self, void *unused)
{
  const element *e = (element *)self;
  (void)unused;
  return e->model->axes == 2 ? Py_BuildValue("(dd)", e->u[0], e->u[1]) : PyFloat_FromDouble(e->u[0]);
}

CORE_GETTER(element_axes, element, PyLong_FromLong(o->model->axes))

static PyObject *element_energy(PyObject *self, void *unused)
{
  const element *e = (element *)self;
  (void)unused;
  if (!e->model->energy) Py_RETURN_NONE;
  return PyFloat_FromDouble(e->model->energy(block(e), e->load, e->u, e->z));
}

CORE_GETTER(element_load, element, PyFloat_FromDouble(o->load))

static int element_set_load(PyObject *self, PyObject *value, void *unused)
{
  const double x = value ? PyFloat_AsDouble(value) : NAN;
  (void)unused;
  if (PyErr_Occurred()) return -1;
  if (!isfinite(x) || x < 0) return PyErr_SetString(core_input_error, "load must be finite and >= 0"), -1;
  ((element *)self)->load = x;
  return 0;
}

static PyObject *element_reset(PyObject *self, PyObject *unused)
{
  element *e = (element *)self;
  (void)unused;
  memset(e->z, 0, e->model->nz * sizeof *e->z);
  memset(e->u, 0, sizeof e->u);
  Py_RETURN_NONE;
}

/* All parameters as they are now. */
static PyObject *element_parameters(PyObject *self, void *unused)
{
  const element *e = (element *)self;
  PyObject *out = PyDict_New();
  char name[96];
  const br_param *row = NULL;
  (void)unused;
  for (size_t i = 0; out && (row = br_params_at(e->params, i, sizeof name, name)) != NULL; i++) {
    size_t n = 0;
    double *x = calloc(row->max_len + 1, sizeof *x);
    if (!x || br_params_get(e->params, name, row->max_len, x, &n, NULL)) n = 0;
    PyObject *value = row->max_len > 1 ? PyList_New(0) : PyFloat_FromDouble(x ? x[0] : 0);
    for (size_t k = 0; value && row->max_len > 1 && k < n; k++) {
      PyObject *item = PyFloat_FromDouble(x[k]);
      if (!item || PyList_Append(value, item)) Py_CLEAR(value);
      Py_XDECREF(item);
    }
    if (!value || PyDict_SetItemString(out, row->name, value)) Py_CLEAR(out);
    Py_XDECREF(value);
    free(x);
  }
  return out;
}

static PyMethodDef METHODS[] = {
    {"run", element_run, METH_VARARGS, "run(v, dt, F, fresh): forces of held velocities"},
    {"batch", element_batch, METH_VARARGS, "batch(v, dt, F, lanes, set, own, fast): many elements from rest"},
    {"reset", element_reset, METH_NOARGS, "back to position and states zero"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef GET[] = {{"state", element_states, element_set_states, "states by name", NULL},
                            {"position", element_position, NULL, "m; of two axes both", NULL},
                            {"axes", element_axes, NULL, "1 or 2", NULL},
                            {"energy", element_energy, NULL, "J stored; None: not defined", NULL},
                            {"load", element_load, element_set_load, "normal-load factor", NULL},
                            {"parameters", element_parameters, NULL, "parameters by name", NULL},
                            {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot SLOTS[] = {{Py_tp_new, element_new},
                              {Py_tp_dealloc, element_drop},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GET},
                              {Py_tp_doc, "Element(name, set): a friction element with its state."},
                              {0, NULL}};
static PyType_Spec SPEC = {"bristle._core.Element", sizeof(element), 0, Py_TPFLAGS_DEFAULT, SLOTS};

int core_element_types(PyObject *module)
{
  element_type = core_type(module, &SPEC);
  return element_type != NULL;
}
