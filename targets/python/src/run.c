/* SPDX-License-Identifier: Apache-2.0
 * run.c - one question: settings to a job, its answer on a thread of its own while this one watches for
 * Ctrl-C. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core.h"

typedef struct {
  const br_job *job;
  br_sink out;
  br_err err;
  br_status st;
  atomic_int stop;
  int done;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  char *notes; /* one a line */
  size_t used;
} work;

static int asked(void *ctx) { return atomic_load_explicit(&((work *)ctx)->stop, memory_order_relaxed); }

static _Thread_local work
    *current; /* the context of the sink is the result, so notes find their way by the thread */
static void note(void *ctx, const char *text)
{
  (void)ctx;
  const size_t n = strlen(text) + 1;
  char *more = current ? realloc(current->notes, current->used + n) : NULL;
  if (!more) return;
  memcpy(more + current->used, text, n);
  current->notes = more;
  current->used += n;
}

static void *answer(void *ctx)
{
  work *w = ctx;
  current = w;
  w->st = br_job_run(w->job, &w->out, &w->err);
  current = NULL;
  (void)pthread_mutex_lock(&w->lock);
  w->done = 1;
  (void)pthread_cond_signal(&w->ended);
  (void)pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* Wait at most a twentieth of a second. */
static int ended(work *w)
{
  struct timespec until;
  (void)clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
  (void)pthread_mutex_lock(&w->lock);
  while (!w->done && pthread_cond_timedwait(&w->ended, &w->lock, &until) != ETIMEDOUT) continue;
  const int done = w->done;
  (void)pthread_mutex_unlock(&w->lock);
  return done;
}

static void compute(work *w)
{
  pthread_t thread;
  pthread_attr_t attr;
  const size_t stack = (size_t)16 << 20;
  int started = pthread_attr_init(&attr) == 0 && pthread_attr_setstacksize(&attr, stack) == 0 &&
                pthread_create(&thread, &attr, answer, w) == 0;
  Py_BEGIN_ALLOW_THREADS;
  if (!started) (void)answer(w); /* no thread to be had: Ctrl-C waits */
  while (started) {
    if (ended(w)) break;
    Py_BLOCK_THREADS;
    if (!atomic_load(&w->stop) && PyErr_CheckSignals()) atomic_store(&w->stop, 1);
    Py_UNBLOCK_THREADS;
  }
  if (started) (void)pthread_join(thread, NULL);
  Py_END_ALLOW_THREADS;
  (void)pthread_attr_destroy(&attr);
}

/* ---- from Python's arguments to a job ---- */

static int set_texts(br_job *job, PyObject *settings)
{
  br_err err = {BR_OK, -1, ""};
  const Py_ssize_t n = PyList_Size(settings);
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *name = NULL, *value = NULL;
    if (!PyArg_ParseTuple(PyList_GetItem(settings, i), "UU", &name, &value)) return 0;
    const char *key = core_text(name), *text = key ? core_text(value) : NULL;
    PyObject *where = text ? PyUnicode_FromFormat("--%s", key) : NULL;
    const char *at = where ? core_text(where) : NULL;
    const br_status st = at ? br_job_set(job, key, text, at, &err) : BR_E_NOMEM;
    Py_XDECREF(where);
    if (st) {
      if (at) (void)core_raise(&err);
      return 0;
    }
  }
  return n >= 0;
}

static int set_arrays(br_job *job, PyObject *arrays)
{
  br_err err = {BR_OK, -1, ""};
  const Py_ssize_t n = PyList_Size(arrays);
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *t = NULL, *u = NULL;
    const char *name = NULL;
    int smooth = 0, periodic = 0;
    Py_buffer tv, uv;
    if (!PyArg_ParseTuple(PyList_GetItem(arrays, i), "sOOpp", &name, &t, &u, &smooth, &periodic)) return 0;
    if (!core_doubles(t, &tv, 0, name)) return 0;
    if (!core_doubles(u, &uv, 0, name)) {
      PyBuffer_Release(&tv);
      return 0;
    }
    br_status st = BR_E_SIZE;
    if (tv.len != uv.len) {
      PyErr_Format(core_input_error, "--%s: %zd times, but %zd values", name, tv.len / tv.itemsize,
                   uv.len / uv.itemsize);
    } else {
      Py_BEGIN_ALLOW_THREADS;
      st = br_job_set_array(job, name, (size_t)(tv.len / tv.itemsize), tv.buf, uv.buf,
                            smooth ? BR_SIGNAL_PCHIP : BR_SIGNAL_LINEAR, periodic, &err);
      Py_END_ALLOW_THREADS;
    }
    PyBuffer_Release(&tv), PyBuffer_Release(&uv);
    if (st) {
      (void)core_raise(&err);
      return 0;
    }
  }
  return n >= 0;
}

/* What the JSON object has and pictures that were asked for; all: the main tables and the usual picture too.
 * */
static void want(const br_analysis *a, const br_job *job, br_result *r, int all)
{
  for (const char *s = all && a->tables ? a->tables : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    br_result_want(r, s);
  for (size_t i = 0; i < a->nresults; i++)
    if (a->results[i].kind == BR_RESULT_DETAIL) br_result_want(r, a->results[i].name);
  if (all) br_picture_want(&a->picture, r);
  for (size_t i = 0; i < a->npictures; i++)
    if (a->pictures[i].option && br_job_flag(job, a->pictures[i].option)) br_picture_want(&a->pictures[i], r);
}

static PyObject *notes_of(const work *w)
{
  PyObject *list = PyList_New(0);
  for (size_t at = 0; list && at < w->used; at += strlen(w->notes + at) + 1) {
    PyObject *text = PyUnicode_FromString(w->notes + at);
    if (!text || PyList_Append(list, text)) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

/* first: NULL, or the answer that owns the job, which was checked then. */
static PyObject *ask(br_job *job, PyObject *first, int all)
{
  work w = {.job = job, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
  br_err err = {BR_OK, -1, ""};
  br_result *r = NULL;
  br_status st = BR_OK;
  Py_BEGIN_ALLOW_THREADS;
  if (!first) st = br_job_check(job, &err);
  if (!st) st = br_result_create(BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_LIST | BR_TABLE_ARRAYS, &r, &err);
  Py_END_ALLOW_THREADS;
  if (st) {
    if (!first) br_job_destroy(job);
    return core_raise(&err);
  }
  want(br_job_analysis(job), job, r, all);
  w.out = br_result_sink(r);
  w.out.stop = (br_stop){asked, &w};
  w.out.note = note;
  compute(&w);
  PyObject *notes = w.st ? NULL : notes_of(&w);
  free(w.notes);
  if (!notes) {
    br_result_destroy(r);
    if (!first) br_job_destroy(job);
    if (w.st == BR_INTERRUPTED && !PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    return w.st ? core_raise(&w.err) : NULL;
  }
  PyObject *out = core_result_new(job, first, r, notes);
  Py_DECREF(notes);
  return out;
}

PyObject *core_again(br_job *job, PyObject *first) { return ask(job, first, 1); }

PyObject *core_run(PyObject *self, PyObject *args)
{
  const char *name = NULL;
  PyObject *settings = NULL, *arrays = NULL;
  int all = 0;
  br_job *job = NULL;
  br_err err = {BR_OK, -1, ""};
  (void)self;
  if (!PyArg_ParseTuple(args, "sOOp", &name, &settings, &arrays, &all)) return NULL;
  if (!PyList_Check(settings) || !PyList_Check(arrays)) {
    PyErr_SetString(PyExc_TypeError, "run: expected lists of settings and arrays");
    return NULL;
  }
  const br_analysis *a = br_analysis_find(name);
  if (!a) return PyErr_Format(core_input_error, "unknown analysis '%s'", name);
  if (br_job_create(a, &job, &err)) return core_raise(&err);
  br_job_dashes(job, "--");
  if (!set_texts(job, settings) || !set_arrays(job, arrays)) {
    br_job_destroy(job);
    return NULL;
  }
  return ask(job, NULL, all);
}
