/* SPDX-License-Identifier: Apache-2.0
 * analysis_sensitivity.c - derivatives of every number of an answer by parameters.
 * Where the analysis has them exactly (its slope(): the complex step through the kernel and its variational
 * equations), from there.  Elsewhere the whole question is asked again beside the parameter, three times on
 * either side, and the differences are extrapolated (Richardson, two stages): the error falls with the sixth
 * power of the step, and the last two stages tell how large it is. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/job.h"
#include "base/algebra.h"
#include "base/alloc.h"
#include "sensitivity.h"
#include "base/differences.h"
#include "text/fail.h"

enum { LEVELS = 3, NAMES = 12, NAME = 64 };
static const double STEP = 4e-3;  /* of the parameter, at first */
static const double UNSURE = 0.1; /* a difference beside exact derivatives that is known no better is none */

/* ---- parameters ---- */

typedef struct {
  char name[NAME], shown[NAME]; /* of the parameter; with the number of an element behind it */
  size_t element;
  double x, step;
} knob;

/* The knobs that the list names; an element of a vector each. */
static br_status read_knobs(const br_job *job, knob *knobs, size_t *n, br_err *err)
{
  const char *list = br_job_text(job, "sensitivity");
  *n = 0;
  if (!job->params) return bri_fail(err, BR_E_ARG, "%ssensitivity: there are no parameters", job->dashes);
  for (const char *s = list; s && *s; s += strcspn(s, ","), s += *s == ',') {
    char name[NAME];
    double values[128];
    size_t count = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(s, ","), s);
    const br_status st =
        br_params_get(job->params, name, sizeof values / sizeof values[0], values, &count, err);
    const br_param *row = st ? NULL : br_params_row(job->params, name);
    if (st) return st;
    if (!row || row->choices)
      return bri_fail(err, BR_E_ARG, "%ssensitivity: '%s' is no number", job->dashes, name);
    for (size_t e = 0; e < count; e++) {
      const double x = values[e], scale = x != 0 ? fabs(x) : fmax(fabs(row->def), 1e-3);
      if (x - STEP * scale < row->lo || x + STEP * scale > row->hi)
        return bri_fail(err, BR_E_RANGE,
                        "%ssensitivity: %s = %.9g stands at the end of its range: no derivative", job->dashes,
                        name, x);
      if (*n == NAMES)
        return bri_fail(err, BR_E_SIZE, "%ssensitivity: more than %d numbers", job->dashes, NAMES);
      knob *k = &knobs[(*n)++];
      *k = (knob){.element = e, .x = x, .step = STEP * scale};
      (void)snprintf(k->name, sizeof k->name, "%s", name);
      if (row->max_len > 1) (void)snprintf(k->shown, sizeof k->shown, "%.40s%zu", name, e + 1);
      else (void)snprintf(k->shown, sizeof k->shown, "%s", name);
    }
  }
  return BR_OK;
}

br_status bri_sensitivity_check(const br_job *job, br_err *err)
{
  knob knobs[NAMES];
  size_t n = 0;
  for (size_t i = 0; i < job->input.n; i++)
    if (job->input.list[i].signal)
      return bri_fail(err, BR_E_UNSUPPORTED, "sensitivity: not with an input from memory");
  return read_knobs(job, knobs, &n, err);
}

/* ---- the same question with another value ---- */

/* One parameter as text, its element `at` (SIZE_MAX: none) replaced. */
static br_status put_parameter(bri_buf *b, const br_job *job, const br_param *row, const char *name,
                               size_t at, double x, br_err *err)
{
  size_t n = 0, len = 0;
  if (br_param_formula(row))
    return bri_fail(err, BR_E_UNSUPPORTED, "sensitivity: not with '%s' as a formula", name);
  double *values = bri_calloc(row->max_len + 1, sizeof *values);
  if (!values) return bri_no_memory(err, "sensitivity");
  const br_status st = br_params_get(job->params, name, row->max_len, values, &n, err);
  if (!st) bri_buf_printf(b, "%s%s=", b->used ? "," : "", name);
  for (size_t i = 0; i < n && !st; i++) {
    const char *choice = row->choices ? br_param_choice(row, (size_t)values[i], &len) : NULL;
    if (choice) bri_buf_add(b, choice, len);
    else bri_buf_printf(b, "%s%.17g", i ? "," : "", i == at ? x : values[i]);
  }
  bri_free(values);
  return st;
}

static br_status copy_set(br_job *to, const br_job *job, const knob *k, double x, br_err *err)
{
  const br_param *row = NULL, *mine = br_params_row(job->params, k->name);
  char name[96];
  bri_buf b = {0};
  br_status st = BR_OK;
  for (size_t i = 0; (row = br_params_at(job->params, i, sizeof name, name)) != NULL && !st; i++) {
    const int target = row == mine && (strcmp(name, k->name) == 0 || !strchr(k->name, '.'));
    if (target || br_params_given(job->params, name))
      st = put_parameter(&b, job, row, name, target ? k->element : SIZE_MAX, x, err);
  }
  if (!st && b.failed) st = bri_no_memory(err, "sensitivity");
  if (!st) st = br_job_set(to, "set", b.text ? b.text : "", NULL, err);
  bri_buf_free(&b);
  return st;
}

static br_status copy_job(const br_job *job, const knob *k, double x, br_job **out, br_err *err)
{
  br_status st = br_job_create(job->an, out, err);
  for (size_t i = 0; i < job->an->noptions && !st; i++)
    if (job->values[i].given && strcmp(job->an->options[i].name, "sensitivity") != 0)
      st = br_job_set(*out, job->an->options[i].name, job->values[i].text, NULL, err);
  if (!st && job->model_name) st = br_job_set(*out, "model", job->model_name, NULL, err);
  if (!st && job->preset_name) st = br_job_set(*out, "preset", job->preset_name, NULL, err);
  if (!st && job->system_name) st = br_job_set(*out, "system", job->system_name, NULL, err);
  if (!st) st = copy_set(*out, job, k, x, err);
  for (size_t i = 0; i < job->input.n && !st; i++)
    st = bri_job_add(*out, "input", job->input.list[i].name, job->input.list[i].value, NULL, err);
  for (size_t i = 0; i < job->init.n && !st; i++)
    st = bri_job_add(*out, "init", job->init.list[i].name, job->init.list[i].value, NULL, err);
  return st ? st : br_job_check(*out, err);
}

static br_status beside(const br_job *job, const br_direction *d, double x, br_job **out, br_err *err)
{
  knob k = {.element = d->element};
  (void)snprintf(k.name, sizeof k.name, "%s", d->name);
  return copy_job(job, &k, x, out, err);
}

/* ---- numbers of an answer ---- */

typedef struct {
  bri_buf paths; /* one a line */
  double *x;
  size_t n, room;
  int failed;
} numbers;

static void free_numbers(numbers *a)
{
  bri_buf_free(&a->paths);
  bri_free(a->x);
}

static void add(numbers *a, const char *path, double x)
{
  double *list = bri_grown(a->x, a->n, &a->room, sizeof *list);
  bri_buf_printf(&a->paths, "%s\n", path);
  a->failed = a->failed || !list || a->paths.failed;
  if (!list) return;
  a->x = list;
  a->x[a->n++] = x;
}

static void collect_rows(numbers *a, const br_result_table *t, const char *path)
{
  char below[256];
  for (size_t k = 0; t->data && k < t->rows; k++)
    for (size_t c = 0; c < t->ncol; c++) {
      (void)snprintf(below, sizeof below, "%.180s.%zu.%.40s", path, k, t->columns[c].name);
      add(a, below, t->data[k * t->ncol + c]);
    }
}

/* Counts of steps, times of the computation and what errors are estimated to be are no answers. */
static int is_answer(const char *path)
{
  static const char *const NONE[] = {"stats", "error", "iterations", "cycle.residual", "energy.residual"};
  for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
    if (strcmp(path, NONE[i]) == 0) return 0;
  return 1;
}

/* Everything below a node. */
static void collect(numbers *a, const br_result *r, const br_node *node, const char *path)
{
  const br_node_view v = br_node_look(r, node);
  const br_node *m = NULL;
  char below[256];
  if (v.kind == BR_NODE_NONE || !is_answer(path)) return;
  if (v.kind == BR_NODE_VALUE && v.value.kind == BR_VALUE_NUMBER) add(a, path, v.value.number);
  if (v.kind == BR_NODE_LIST && v.table) collect_rows(a, v.table, path);
  if (v.kind == BR_NODE_ARRAY)
    for (size_t k = 0; v.table->data && k < v.table->rows; k++) {
      (void)snprintf(below, sizeof below, "%.200s.%zu", path, k);
      add(a, below, v.table->data[k * v.table->ncol + v.column]);
    }
  for (size_t i = 0; !v.table && (m = br_node_member(node, i)) != NULL; i++) {
    const char *name = br_node_look(r, m).name;
    if (name) (void)snprintf(below, sizeof below, "%.200s%s%.40s", path, path[0] ? "." : "", name);
    else (void)snprintf(below, sizeof below, "%.200s.%zu", path, i);
    collect(a, r, m, below);
  }
}

static br_status ask(const br_job *job, const knob *k, double x, const br_sink *out, numbers *a, br_err *err)
{
  br_job *other = NULL;
  br_result *r = NULL;
  br_status st = copy_job(job, k, x, &other, err);
  if (!st) st = br_result_create(BR_TABLE_LIST | BR_TABLE_ARRAYS, &r, err);
  if (!st) {
    br_sink sink = br_result_sink(r);
    sink.stop = out->stop;
    st = br_job_run(other, &sink, err);
  }
  if (!st) collect(a, r, br_result_root(r), "");
  if (!st && a->failed) st = bri_no_memory(err, "sensitivity");
  br_result_destroy(r);
  br_job_destroy(other);
  return st;
}

/* ---- derivatives ---- */

/* One answer of the analysis with its derivatives, into d[n]; BR_E_UNSUPPORTED: it has other parts. */
static br_status take_slopes(const br_job *job, const br_direction *direction, const br_sink *out,
                             const numbers *base, double *d, br_err *err)
{
  numbers a = {0};
  br_result *r = NULL;
  br_status st = br_result_create(BR_TABLE_LIST | BR_TABLE_ARRAYS, &r, err);
  if (!st) {
    br_sink sink = br_result_sink(r);
    sink.stop = out->stop;
    st = job->an->slope(job, direction, &sink, err);
  }
  if (!st) collect(&a, r, br_result_root(r), "");
  if (!st && a.failed) st = bri_no_memory(err, "sensitivity");
  if (!st && (a.n != base->n || strcmp(a.paths.text, base->paths.text) != 0)) st = BR_E_UNSUPPORTED;
  if (!st && a.n) memcpy(d, a.x, a.n * sizeof *d);
  free_numbers(&a);
  br_result_destroy(r);
  return st;
}

/* Exactly, where analysis, model and parameter allow it; BR_E_UNSUPPORTED: they do not.  rest[n] is scratch.
 * */
static br_status exact(const br_job *job, const knob *k, const br_sink *out, const numbers *base, double *d,
                       double *rest, double *worst, br_err *err)
{
  const br_param *row = br_params_row(job->params, k->name);
  const br_model *m = job->m;
  /* exponents with a closed form of their own in the kernel show no slope there */
  const int closed = row && strcmp(row->unit, "1") == 0 && (k->x == 1 || k->x == 2);
  const int own = m && row && row >= m->params && row < m->params + m->nparam && !closed;
  br_direction direction = {.name = k->name,
                            .element = k->element,
                            .x = k->x,
                            .scale = k->step / STEP,
                            .slot = own ? row->slot + k->element : SIZE_MAX,
                            .beside = beside,
                            .error = worst};
  double most = 0, error = 0;
  *worst = 0;
  if (!job->an->slope) return BR_E_UNSUPPORTED;
  br_status st = take_slopes(job, &direction, out, base, d, err);
  if (st || !isnan(*worst)) return st;
  memcpy(rest, d, base->n * sizeof *d);
  direction.again = 1;
  st = take_slopes(job, &direction, out, base, d, err);
  for (size_t i = 0; i < base->n && !st; i++)
    if (isfinite(d[i])) most = fmax(most, fabs(d[i])), error = fmax(error, fabs(d[i] - rest[i]));
  *worst = most > 0 ? error / most : 0;
  return st;
}

/* All by one parameter: d[n], the error of each, and that of the worst, of the largest. */
static br_status derive(const br_job *job, const knob *k, const br_sink *out, numbers *base, double *d,
                        double *errors, double *worst, br_err *err)
{
  numbers side[2 * LEVELS] = {0};
  br_status st = BR_OK;
  double most = 0, error = 0;
  for (size_t i = 0; i < 2 * LEVELS && !st; i++) {
    const double h = k->step / (double)((size_t)1 << (i / 2));
    br_err why = {BR_OK, -1, ""};
    st = ask(job, k, k->x + (i % 2 ? -h : h), out, &side[i], &why);
    if (st) st = bri_fail(err, st, "sensitivity by %s: %.180s", k->shown, why.msg);
    if (!st && (side[i].n != base->n || strcmp(side[i].paths.text, base->paths.text) != 0))
      st = bri_fail(err, BR_E_CONVERGE, "sensitivity: the answer has other parts at %s = %.9g: no derivative",
                    k->shown, k->x + (i % 2 ? -h : h));
  }
  for (size_t n = 0; n < base->n && !st; n++) {
    double D[LEVELS];
    for (size_t l = 0; l < LEVELS; l++)
      D[l] = (side[2 * l].x[n] - side[2 * l + 1].x[n]) / (2 * k->step / (double)((size_t)1 << l));
    d[n] = bri_differences(D, &errors[n]);
    if (!isfinite(d[n])) continue;
    error = fmax(error, errors[n]), most = fmax(most, fabs(d[n]));
  }
  *worst = most > 0 ? error / most : 0;
  for (size_t i = 0; i < 2 * LEVELS; i++) free_numbers(&side[i]);
  return st;
}

/* Arrays as lists, everything else under its whole path. */
static void put(br_sink *out, const char *knob_name, const char *path, size_t n, double x)
{
  const char *dot = strrchr(path, '.');
  const size_t stem = dot ? (size_t)(dot - path) : 0;
  const int last = dot && strspn(dot + 1, "0123456789") == n - stem - 1; /* "F.12": a number of an array */
  if (last) br_put_number(out, "", x, "sensitivity.'%s'.'%.*s'%s", knob_name, (int)stem, path, dot);
  else br_put_number(out, "", x, "sensitivity.'%s'.'%.*s'", knob_name, (int)n, path);
}

/* Of the derivatives by relative changes, scaled by the largest of each number. */
static double condition(const numbers *base, const double *d, const knob *knobs, size_t n)
{
  double A[NAMES * NAMES] = {0}, values[NAMES], vectors[NAMES * NAMES];
  for (size_t i = 0; i < base->n; i++) {
    const double scale = fabs(base->x[i]);
    for (size_t a = 0; a < n && scale > 0; a++)
      for (size_t b = 0; b < n; b++) {
        const double x = d[a * base->n + i] * knobs[a].x / scale, y = d[b * base->n + i] * knobs[b].x / scale;
        if (isfinite(x) && isfinite(y)) A[a * n + b] += x * y;
      }
  }
  bri_symmetric_eigen(n, A, values, vectors);
  return values[0] > 0 ? sqrt(values[n - 1] / values[0]) : NAN;
}

/* ---- all of it ---- */

/* What is found so far: derivatives [n][base.n], and of which numbers differences were taken. */
typedef struct {
  knob knobs[NAMES];
  size_t n, exacts; /* parameters; of them, those with exact derivatives */
  numbers base;
  double *d;
  char *differs; /* [base.n] */
} findings;

/* Exact derivatives by knob k, and differences where there are none. */
static br_status find(const br_job *job, findings *f, size_t k, const br_sink *out, double *worst,
                      br_err *err)
{
  double *d = f->d + k * f->base.n, *rest = f->d + f->n * f->base.n, *errors = rest + f->base.n, error = 0;
  br_err why = {BR_OK, -1, ""};
  size_t missing = 0;
  br_status st = exact(job, &f->knobs[k], out, &f->base, d, rest, worst, &why);
  if (st && st != BR_E_UNSUPPORTED)
    return bri_fail(err, st, "sensitivity by %s: %.180s", f->knobs[k].shown, why.msg);
  f->exacts += !st;
  for (size_t i = 0; i < f->base.n; i++) {
    if (st) d[i] = NAN;
    missing += !isfinite(d[i]) && isfinite(f->base.x[i]);
  }
  if (!missing) return BR_OK;
  const int none = st != BR_OK;
  st = derive(job, &f->knobs[k], out, &f->base, rest, errors, &error, err);
  for (size_t i = 0; i < f->base.n && !st; i++) {
    if (isfinite(d[i]) || !isfinite(f->base.x[i])) continue;
    d[i] = none || errors[i] <= UNSURE * fabs(rest[i]) ? rest[i] : (double)NAN, f->differs[i] = 1;
  }
  if (none) *worst = error;
  return st;
}

static void put_method(const findings *f, br_sink *out)
{
  size_t n = 0;
  for (size_t i = 0; i < f->base.n; i++) n += f->differs[i] != 0;
  br_put_text(out,
              f->exacts == f->n ? n ? "exact: complex step through the model, variational equations; "
                                      "sensitivity_differences: central differences, extrapolated twice"
                                    : "exact: complex step through the model, variational equations"
              : f->exacts
                  ? "exact where model and parameter allow it, else central differences, extrapolated twice"
                  : "central differences, extrapolated twice",
              "sensitivity_method");
  const char *path = f->base.paths.text;
  for (size_t i = 0, at = 0; i < f->base.n && f->exacts == f->n; i++, path = strchr(path, '\n') + 1)
    if (f->differs[i]) {
      char text[256];
      (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(path, "\n"), path);
      br_put_text(out, text, "sensitivity_differences.%zu", at++);
    }
}

static br_status start(const br_job *job, findings *f, const br_sink *out, br_err *err)
{
  br_status st = read_knobs(job, f->knobs, &f->n, err);
  if (!st && f->n) st = ask(job, &f->knobs[0], f->knobs[0].x, out, &f->base, err);
  if (st) return st;
  f->d = bri_malloc_array(f->base.n + 1, (f->n + 3) * sizeof *f->d);
  f->differs = bri_calloc(f->base.n + 1, 1);
  return f->d && f->differs ? BR_OK : bri_no_memory(err, "sensitivity");
}

br_status bri_sensitivity(const br_job *job, br_sink *out, br_err *err)
{
  findings f = {.n = 0};
  br_status st = start(job, &f, out, err);
  for (size_t k = 0; k < f.n && !st; k++) {
    double worst = 0;
    st = find(job, &f, k, out, &worst, err);
    const char *path = f.base.paths.text;
    for (size_t i = 0; i < f.base.n && !st; i++, path = strchr(path, '\n') + 1) {
      char text[256];
      const size_t length = strcspn(path, "\n");
      (void)snprintf(text, sizeof text, "%.*s", (int)length, path);
      put(out, f.knobs[k].shown, text, strlen(text), f.d[k * f.base.n + i]);
    }
    if (!st) br_put_number(out, "1", worst, "sensitivity_error.'%s'", f.knobs[k].shown);
    if (!st) st = br_sink_alive(out, (double)(k + 1) / (double)f.n, err);
  }
  if (!st && f.n) {
    put_method(&f, out);
    br_put_number(out, "1", condition(&f.base, f.d, f.knobs, f.n), "sensitivity_condition");
  }
  free_numbers(&f.base);
  bri_free(f.d);
  bri_free(f.differs);
  return st;
}
