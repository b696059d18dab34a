/* SPDX-License-Identifier: Apache-2.0
 * ask.c - one member of an ensemble as a question of its own: a job of 'simulate' with the member's numbers
 * in it. */
#include <stdio.h>
#include <string.h>

#include "analysis/job.h"
#include "bristle/expr.h"
#include "solve/varied.h"
#include "sweep.h"

enum { PROBES = 64, SPEC = 1024 };

static int is_swept(const bri_entry *e) { return e->where && strcmp(e->where, BRI_SWEPT_WHERE) == 0; }

/* ---- numbers of an input ---- */

/* Place of a number in "sine:A,f[,phase,offset]", from 0; -1: there is none of this name. */
int bri_sweep_place(const char *kind, size_t length, const char *number)
{
  const br_signal_kind *k = NULL;
  for (size_t i = 0; (k = br_signal_kinds(i)) != NULL; i++)
    if (strlen(k->name) == length && memcmp(k->name, kind, length) == 0) break;
  const char *s = k ? strchr(k->grammar, ':') : NULL;
  if (strspn(number, "0123456789") == strlen(number)) { /* counted from 1 */
    int n = 0;
    return sscanf(number, "%3d", &n) == 1 ? n - 1 : -1;
  }
  for (int place = 0; s && *s; place++) {
    s += strspn(s, ":,[]");
    const size_t n = strcspn(s, ":,[]");
    if (n && strlen(number) == n && memcmp(s, number, n) == 0) return place;
    s += n;
  }
  return -1;
}

static const br_system *system_of(const br_job *job)
{
  const char *name = bri_job_system_name(job);
  return job->sys ? job->sys : name ? br_system_find(name) : NULL;
}

/* The numbers of a spec: behind its kind, which may have the input's name and v: or a: in front. */
static const char *numbers_of(const br_job *job, const char *spec, const char **kind, size_t *length)
{
  const br_system *sys = system_of(job);
  for (const char *s = spec;;) {
    const size_t n = strcspn(s, ":");
    if (!s[n]) return NULL;
    *kind = s, *length = n;
    int front = (n == 1 && (s[0] == 'v' || s[0] == 'a') && strchr(s + 2, ':') != NULL) ||
                bri_load_name(s, n, 64) >= 0;
    for (size_t k = 0; sys && k < sys->ninput; k++)
      front = front || (strlen(sys->inputs[k].name) == n && memcmp(sys->inputs[k].name, s, n) == 0);
    if (!front) return s + n + 1;
    s += n + 1;
  }
}

static br_status no_number(const bri_axis *a, const char *spec, br_err *err)
{
  return bri_fail(
      err, BR_E_NAME,
      "'%s': the input '%.80s' has no such number; write input.2 for its second, or the letter of its "
      "kind, input.f",
      a->name, spec);
}

/* The spec with the swept number in its place. */
static br_status put_number(const br_job *job, const bri_axis *a, double x, size_t size, char *spec,
                            br_err *err)
{
  const char *kind = NULL;
  size_t length = 0;
  char text[SPEC];
  (void)snprintf(text, sizeof text, "%s", spec);
  const char *at = numbers_of(job, text, &kind, &length);
  int place = at ? bri_sweep_place(kind, length, a->number) : -1;
  if (place < 0) return no_number(a, text, err);
  while (place > 0 && *at) {
    at += strcspn(at, ",|");
    if (*at != ',') return no_number(a, text, err);
    at++, place--;
  }
  const size_t n = strcspn(at, ",|");
  if (snprintf(spec, size, "%.*s%.17g%s", (int)(at - text), text, x, at + n) >= (int)size)
    return bri_fail(err, BR_E_SIZE, "'%.60s': the input is too long to be swept", a->name);
  return BR_OK;
}

static int drives(const br_job *job, const bri_entry *e, const char *input)
{
  const br_system *sys = system_of(job);
  const size_t n = strlen(input);
  const int one = sys && sys->ninput == 1;
  if (!n) return one || job->input.n == 1;
  if (e->name) return strcmp(e->name, input) == 0;
  return (strncmp(e->value, input, n) == 0 && e->value[n] == ':') ||
         (one && strcmp(sys->inputs[0].name, input) == 0);
}

/* Inputs without a swept number are those of the sweep itself: read once, and lent. */
static br_status add_input(const br_job *sweep, const bri_design *d, const double *values, size_t i,
                           br_job *to, br_err *err)
{
  const bri_entry *e = &sweep->input.list[i];
  char spec[SPEC];
  int swept = 0;
  br_status st = BR_OK;
  (void)snprintf(spec, sizeof spec, "%s", strlen(e->value) < sizeof spec ? e->value : "");
  for (size_t k = 0; k < d->naxis && !st; k++) {
    if (d->axis[k].of != BRI_SWEPT_INPUT || !drives(sweep, e, d->axis[k].target)) continue;
    st = put_number(sweep, &d->axis[k], values[k], sizeof spec, spec, err);
    swept = 1;
  }
  if (!st) st = bri_job_add(to, "input", e->name, swept ? spec : e->value, NULL, err);
  if (!st && !swept)
    for (size_t k = 0; k < BRI_JOB_SLOTS; k++)
      if (sweep->spec[k] && sweep->spec[k] >= e->value && sweep->spec[k] <= e->value + strlen(e->value))
        to->input.list[to->input.n - 1].signal = sweep->inputs[k];
  return st;
}

/* ---- the job ---- */

static br_status set_swept(const bri_design *d, const double *values, br_job *to, const char *where,
                           br_err *err)
{
  char text[40];
  br_status st = BR_OK;
  for (size_t k = 0; k < d->naxis && !st; k++) {
    const bri_axis *a = &d->axis[k];
    if (a->of == BRI_SWEPT_INPUT) continue;
    (void)snprintf(text, sizeof text, "%.17g", values[k]);
    st = bri_job_add(to, a->of == BRI_SWEPT_INIT ? "init" : "set", a->target, text, where, err);
  }
  return st;
}

static br_status copy_entries(const bri_entries *all, const char *part, br_job *to, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < all->n && !st; i++)
    if (!is_swept(&all->list[i]))
      st = bri_job_add(to, part, all->list[i].name, all->list[i].value, NULL, err);
  return st;
}

static br_status copy_options(const br_job *sweep, const char *path, br_job *to, br_err *err)
{
  static const char *const SHARED[] = {"rtol", "atol", "threshold", "switch", "decimal"};
  const br_option *row = NULL;
  char text[40];
  br_status st = BR_OK;
  const int cycle = path && strncmp(path, "cycle.", 6) == 0,
            window = path && strncmp(path, "window.", 7) == 0;
  for (size_t i = 0; i < sizeof SHARED / sizeof SHARED[0] && !st; i++) {
    const char *value = br_job_text(sweep, SHARED[i]);
    row = br_analysis_option(to->an, SHARED[i]);
    if (row && value && (strcmp(SHARED[i], "threshold") != 0 || cycle || window))
      st = br_job_set(to, SHARED[i], value, NULL, err);
  }
  if (!st && br_job_text(sweep, "t-end"))
    st = br_job_set(to, "t-end", br_job_text(sweep, "t-end"), NULL, err);
  if (!st && cycle) st = br_job_set(to, "cycle", "yes", NULL, err);
  if (!st && path && strncmp(path, "measured.", 9) == 0)
    st = br_job_set(to, "measured", br_job_text(sweep, "measured"), NULL, err);
  if (!st && window) {
    char range[2 * sizeof text];
    const double end = br_job_number(sweep, "t-end"),
                 from = br_job_given(sweep, "transient") ? br_job_number(sweep, "transient") : end / 2;
    (void)snprintf(range, sizeof range, "%.17g:%.17g", from, end);
    st = br_job_set(to, "window", range, NULL, err);
  }
  return st;
}

void bri_sweep_member_free(br_job *job)
{
  for (size_t i = 0; job && i < job->input.n; i++) job->input.list[i].signal = NULL; /* lent */
  br_job_destroy(job);
}

br_status bri_sweep_member(const br_job *sweep, const bri_design *d, const double *values, const char *path,
                           br_job **out, br_err *err)
{
  br_job *to = NULL;
  br_status st = br_job_create(br_analysis_find("simulate"), &to, err);
  *out = NULL;
  if (st) return st;
  if (sweep->model_name) st = br_job_set(to, "model", sweep->model_name, NULL, err);
  if (!st && sweep->preset_name) st = br_job_set(to, "preset", sweep->preset_name, NULL, err);
  if (!st && sweep->system_name) st = br_job_set(to, "system", sweep->system_name, NULL, err);
  if (!st) st = copy_entries(&sweep->set, "set", to, err);
  if (!st) st = copy_entries(&sweep->init, "init", to, err);
  if (!st) st = set_swept(d, values, to, NULL, err);
  for (size_t i = 0; i < sweep->input.n && !st; i++) st = add_input(sweep, d, values, i, to, err);
  if (!st) st = copy_options(sweep, path, to, err);
  if (!st) st = br_job_check(to, err);
  if (st) bri_sweep_member_free(to);
  else *out = to;
  return st;
}

/* ---- stand-ins ---- */

static int names(const br_system *s, const char *name)
{
  for (size_t k = 0; s && k < s->nparam; k++)
    if (strcmp(s->params[k].name, name) == 0) return 1;
  for (size_t k = 0; s && k < s->ninput; k++)
    if (strcmp(s->inputs[k].name, name) == 0) return 1;
  return 0;
}

/* Before the check the file of a mechanism has not been read; what is wrong with it the check will tell. */
static int names_in_file(const br_job *job, const char *name)
{
  const char *file = bri_job_system_name(job);
  br_mechanism *m = NULL;
  if (!br_mechanism_named(file) || br_mechanism_load(file, &m, NULL)) return 0;
  const int found = names(br_mechanism_system(m), name);
  br_mechanism_destroy(m);
  return found;
}

/* A parameter of model, mechanism or contact, or an input held; what is none of them must be a state. */
static int is_parameter(const br_job *job, const char *name)
{
  const char *model = bri_job_model_name(job);
  const br_model *m = model ? br_all_models_find(model) : NULL;
  const br_system *s = system_of(job);
  if (strncmp(name, "contact", 7) == 0 && strchr(name, '.')) {
    const char *dot = strchr(name, '.');
    return m && br_model_param(m, dot + 1) != NULL;
  }
  if (strncmp(name, "model.", 6) == 0) return m && br_model_param(m, name + 6) != NULL;
  if (strncmp(name, "system.", 7) == 0 || strncmp(name, "input.", 6) == 0) return 1;
  if (m && br_model_param(m, name)) return 1;
  return s ? names(s, name) : names_in_file(job, name);
}

/* Is the name held by --set already? */
static br_status held(const br_job *job, const bri_axis *a, br_err *err)
{
  const char *part = a->of == BRI_SWEPT_INIT ? "init" : "set";
  const bri_entries *all = a->of == BRI_SWEPT_INIT ? &job->init : &job->set;
  const size_t n = strlen(a->target);
  for (size_t i = 0; i < all->n && a->of != BRI_SWEPT_INPUT; i++) {
    const bri_entry *e = &all->list[i];
    int same = e->name && strcmp(e->name, a->target) == 0 && !is_swept(e);
    for (const char *s = e->name ? NULL : strstr(e->value, a->target); s && !same;
         s = strstr(s + 1, a->target))
      same = (s == e->value || s[-1] == ',') && s[n] == '=';
    if (same)
      return bri_fail(err, BR_E_ARG, "'%s' is both held by %s%s and swept: choose one", a->name, job->dashes,
                      part);
  }
  return BR_OK;
}

/* A swept number of an input must stand in its spec. */
static br_status check_inputs(const br_job *sweep, const bri_design *d, br_err *err)
{
  br_status st = BR_OK;
  for (size_t k = 0; k < d->naxis && !st; k++) {
    const bri_axis *a = &d->axis[k];
    int found = a->of != BRI_SWEPT_INPUT;
    for (size_t i = 0; i < sweep->input.n && !st && !found; i++) {
      char spec[SPEC];
      if (!drives(sweep, &sweep->input.list[i], a->target)) continue;
      (void)snprintf(spec, sizeof spec, "%s", sweep->input.list[i].value);
      st = put_number(sweep, a, 1, sizeof spec, spec, err);
      found = 1;
    }
    if (!st && !found)
      st = bri_fail(err, BR_E_NAME, "'%s' is swept, but no %sinput drives that", a->name, sweep->dashes);
  }
  return st;
}

br_status bri_sweep_stand_in(br_job *sweep, const bri_design *d, br_err *err)
{
  double values[BRI_SWEEP_AXES], first[BRI_SWEEP_AXES];
  br_err why;
  br_status st = BR_OK;
  for (size_t i = 0; i < sweep->set.n; i++)
    if (is_swept(&sweep->set.list[i])) return BR_OK; /* a second check */
  for (size_t i = 0; i < sweep->init.n; i++)
    if (is_swept(&sweep->init.list[i])) return BR_OK;
  for (size_t k = 0; k < d->naxis && !st; k++) st = held(sweep, &d->axis[k], err);
  if (!st) st = check_inputs(sweep, d, err);
  const uint64_t n = d->members < PROBES ? d->members : PROBES;
  bri_design_values(d, 0, first);
  memcpy(values, first, sizeof values);
  for (uint64_t i = 0; i < n && !st; i++) {
    br_job *probe = NULL;
    bri_design_values(d, (uint64_t)((double)i / (double)n * (double)d->members), values);
    const br_status good = bri_sweep_member(sweep, d, values, NULL, &probe, &why);
    bri_sweep_member_free(probe);
    if (good == BR_E_NOMEM) return bri_fail(err, good, "%s", why.msg);
    if (!good) break;
    if (i + 1 == n) memcpy(values, first, sizeof values); /* none can be run: the check says why */
  }
  return st ? st : set_swept(d, values, sweep, BRI_SWEPT_WHERE, err);
}

/* Does a name begin with that of one of n states ("z", "z2", "z1.3")? */
static int of_state(const br_state *states, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++) {
    const size_t length = strlen(states[i].name);
    if (strncmp(name, states[i].name, length) == 0 && !name[length + strspn(name + length, "0123456789._")])
      return 1;
  }
  return 0;
}

/* A name that is nothing at all is told among the parameters, of which there are more. */
static int may_be_state(const br_job *job, const char *name)
{
  const char *model = bri_job_model_name(job);
  const br_model *m = model ? br_all_models_find(model) : NULL;
  const br_system *s = system_of(job);
  return !m || !s || of_state(s->states, s->nrows, name) || of_state(m->states, m->nstates_rows, name);
}

/* Which of the names are parameters: before anything else is done with them. */
void bri_sweep_sort(const br_job *job, bri_design *d)
{
  for (size_t k = 0; k < d->naxis; k++) {
    const char *name = d->axis[k].target;
    if (d->axis[k].of == BRI_SWEPT_SET && !is_parameter(job, name) && may_be_state(job, name))
      d->axis[k].of = BRI_SWEPT_INIT;
  }
}
