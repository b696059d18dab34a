/* SPDX-License-Identifier: Apache-2.0
 * setup.c - from the texts of a job to objects: model, mechanism, parameters, inputs, start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/text.h"
#include "bristle/trace.h"
#include "job.h"
#include "param/valid.h"
#include "preset/preset.h"
#include "solve/varied.h"
#include "base/alloc.h"
#include "param/turns.h"

void bri_job_release(br_job *job)
{
  br_plant_destroy(job->plant);
  for (size_t k = 0; k < BRI_JOB_SLOTS; k++)
    if (!job->lent[k]) br_signal_destroy(job->inputs[k]);
  br_params_destroy(job->params);
  bri_free(job->input_rows);
  bri_free(job->start);
  br_mechanism_destroy(job->mechanism);
  job->mechanism = NULL;
  job->m = NULL, job->sys = NULL, job->params = NULL, job->input_rows = NULL, job->preset = NULL;
  job->par = job->held = NULL, job->plant = NULL, job->start = NULL;
  job->axes = job->ninput = job->nstate = 0;
  memset(job->inputs, 0, sizeof job->inputs);
  memset(job->spec, 0, sizeof job->spec);
  memset(job->lent, 0, sizeof job->lent);
}

/* ---- entries: what is wrong with one is told of it, and the others are looked at all the same ---- */

/* Where a formula goes wrong, in place of what the reader of the whole value says. */
static void formula_fault(const char *text, size_t skip, const char *vars, br_err *why)
{
  double code[1024];
  size_t len = 0;
  br_err e = {BR_OK, -1, ""};
  if (!br_expr_compile(text + skip, strlen(text + skip), vars, sizeof code / sizeof code[0], code, &len, &e))
    return;
  if (e.index >= 0 && text[skip + (size_t)e.index] == ',') return; /* a list: the reader says it better */
  (void)bri_text_fail(why, e.code, e.index < 0 ? -1 : (int)skip + e.index, "formula: %.230s", e.msg);
}

/* "NAME=VALUE" for the grammar of lists, n characters of the value. */
static br_status set_text(br_params *p, const char *name, const char *value, size_t n, br_err *err)
{
  bri_buf b = {0};
  bri_buf_printf(&b, "%s=", name);
  bri_buf_add(&b, value, n);
  const br_status st = b.failed ? bri_no_memory(err, "job") : br_params_set_list(p, b.text, err);
  bri_buf_free(&b);
  return st;
}

/* The element of a vector that cannot be taken alone; BRI_AT_VALUE: all can. */
static int bad_element(br_params *p, const bri_entry *e, br_err *why)
{
  const char *s = e->value;
  for (int i = 0; strchr(e->value, ','); i++) {
    const size_t n = strcspn(s, ",");
    if (set_text(p, e->name, s, n, why)) return i;
    if (!s[n]) break;
    s += n + 1;
  }
  return BRI_AT_VALUE;
}

static br_status set_entry(br_params *p, const bri_entry *e, const char *kind, int *element, br_err *why)
{
  size_t n = 0;
  *element = BRI_AT_NAME;
  if (strpbrk(e->name, ",="))
    return bri_fail(why, BR_E_NAME, "'%.60s': a name has no comma and no '='", e->name);
  br_status st = br_params_get(p, e->name, 0, NULL, &n, why);
  if (st) return st;
  if (br_params_given(p, e->name))
    return bri_fail(why, BR_E_ARG, "%s '%s' is given twice, with and without its prefix", kind, e->name);
  *element = BRI_AT_VALUE;
  const char *vars = br_param_formula(br_params_row(p, e->name));
  if (!vars && strchr(e->value, '='))
    return bri_fail(why, BR_E_PARSE, "'%s' is '%.60s'; expected a number", e->name, e->value);
  st = set_text(p, e->name, e->value, strlen(e->value), why);
  why->index = -1;
  if (st && vars) formula_fault(e->value, 0, vars, why);
  else if (st) *element = bad_element(p, e, why);
  why->index = vars ? why->index : -1;
  return st;
}

/* All entries of a part, those without a name first: a name that stands in both is then given twice. */
static br_status set_entries(br_job *job, br_params *p, const char *part, const bri_entries *all, br_err *err)
{
  const char *kind = strcmp(part, "set") == 0 ? "parameter" : "state";
  br_status st = BR_OK;
  for (size_t i = 0; i < 2 * all->n && !st; i++) {
    const bri_entry *e = &all->list[i % all->n];
    br_err why = {BR_OK, -1, ""};
    int element = BRI_AT_VALUE;
    if ((e->name != NULL) != (i >= all->n)) continue;
    st = e->name ? set_entry(p, e, kind, &element, &why) : br_params_set_list(p, e->value, &why);
    if (st) st = bri_job_fault(job, part, e, element, &why, err);
  }
  return st;
}

/* ---- preset, model and mechanism ---- */

const char *bri_job_model_name(const br_job *job)
{
  const br_preset *p = br_preset_find(job->preset_name);
  if (!job->model_name && !p) return br_mechanism_model(job->mechanism);
  return job->model_name || !p ? job->model_name : p->model;
}

const char *bri_job_system_name(const br_job *job)
{
  const br_preset *p = br_preset_find(job->preset_name);
  return job->system_name || !p ? job->system_name : p->system;
}

static br_status find_preset(br_job *job, br_err *err)
{
  const br_status st = bri_preset_find(job->preset_name, &job->preset, err);
  if (st || !job->model_name || strcmp(job->model_name, job->preset->model) == 0) return st;
  return bri_fail(err, BR_E_ARG, "%spreset %s is a set of the model %s, not of '%.60s'", job->dashes,
                  job->preset->name, job->preset->model, job->model_name);
}

/* Those of another mechanism than the set's do not apply. */
static br_status ground(const br_job *job, br_params *p, br_err *err)
{
  const br_preset *set = job->preset;
  const int same = set && job->sys && set->system && strcmp(set->system, job->sys->name) == 0;
  br_status st = set ? br_params_ground(p, set->model_set, err) : BR_OK;
  /* what contacts in the text of a mechanism say holds for the model that they name */
  const char *own = br_mechanism_model(job->mechanism);
  if (!st && job->mechanism && (!own || strcmp(own, bri_job_model_name(job)) == 0))
    st = br_params_ground(p, br_mechanism_set(job->mechanism), err);
  return !st && same ? br_params_ground(p, set->system_set, err) : st;
}

br_status br_job_values(const br_job *job, br_params *params, br_err *err)
{
  const br_status st = ground(job, params, err);
  return st ? st : br_params_set_list(params, br_job_set_text(job), err);
}

static br_status missing(const br_job *job, const char *part, br_err *err)
{
  return bri_fail(err, BR_E_ARG, "%s%s NAME is missing; 'bristle %ss' lists them", job->dashes, part, part);
}

static br_status find_model(br_job *job, br_err *err)
{
  const char *name = bri_job_model_name(job);
  if (!name) return missing(job, "model", err);
  job->m = br_expr_variant(br_all_models_find(name), job->set_text.text);
  if (job->preset) job->m = br_expr_variant(job->m, job->preset->model_set);
  return job->m ? BR_OK : bri_unknown("model", name, err);
}

static br_status find_system(br_job *job, br_err *err)
{
  const char *name = bri_job_system_name(job);
  if (!name) return missing(job, "system", err);
  if (br_mechanism_named(name)) {
    const br_status st = br_mechanism_load(name, &job->mechanism, err);
    if (st) return st;
    job->sys = br_mechanism_system(job->mechanism);
  } else {
    job->sys = br_system_find(name);
  }
  if (!job->sys) return bri_unknown("system", name, err);
  if (job->sys->ninput > BRI_JOB_INPUTS)
    return bri_fail(err, BR_E_SIZE, "system '%s' has more than %d inputs", job->sys->name, BRI_JOB_INPUTS);
  return BR_OK;
}

/* With a mechanism its inputs are a table too, so that vp=2 is read like any parameter. */
static br_status read_params(br_job *job, br_err *err)
{
  br_param_table t[BR_PLANT_TABLES];
  br_err why = {BR_OK, -1, ""};
  br_status st = BR_OK;
  if (job->sys) {
    job->input_rows = bri_calloc(job->sys->ninput + 1, sizeof *job->input_rows);
    if (!job->input_rows) return bri_no_memory(err, "job");
    st = br_params_create_tables(t, br_plant_tables(job->sys, job->m, job->input_rows, t), &job->params, err);
  } else {
    st = br_params_create(job->m, &job->params, err);
  }
  job->axes = job->m->axes == 2 ? 2 : 1;
  job->ninput = job->sys ? job->sys->ninput : job->axes;
  const size_t before = job->faults;
  if (!st) st = ground(job, job->params, err);
  if (!st) st = set_entries(job, job->params, "set", &job->set, err);
  if (st || job->faults > before) return st;
  st = br_params_finish(job->params, &why);
  if (st) return bri_job_fault(job, "set", NULL, BRI_AT_VALUE, &why, err);
  job->par = br_params_block(job->params, "model");
  job->held = job->sys ? br_params_block(job->params, "input") : NULL;
  job->nstate = job->m->nstate(job->par);
  return BR_OK;
}

/* ---- inputs ---- */

/* Which input has this name?  ninput: none.  N and N1.. are loads, where the mechanism has no such input
 * itself. */
static size_t named(const br_job *job, const char *name, size_t len)
{
  size_t k = 0;
  const double *spar =
      job->sys && (job->sys->nparam || job->sys->initial) ? br_params_block(job->params, "system") : NULL;
  while (k < job->ninput &&
         (strlen(br_job_spec_name(job, k)) != len || memcmp(br_job_spec_name(job, k), name, len) != 0))
    k++;
  const size_t n = job->sys ? job->sys->ncontact(spar) : 1;
  const int c =
      k < job->ninput || !job->m || !(job->an->needs & BR_TAKES_LOAD) ? -1 : bri_load_name(name, len, n);
  return c < 0 ? k : BRI_JOB_LOAD + (size_t)c;
}

static const char *owner(const br_job *job)
{
  return job->sys ? job->sys->name : job->m ? job->m->name : job->an->name;
}

static const char *const *input_names(const br_job *job, const char *names[BRI_JOB_INPUTS])
{
  for (size_t i = 0; i < job->ninput; i++) names[i] = br_job_spec_name(job, i);
  return names;
}

static br_status no_input(const br_job *job, const char *name, br_err *err)
{
  const char *names[BRI_JOB_INPUTS];
  const char *near = br_nearest_name(name, input_names(job, names), job->ninput);
  return bri_fail(err, BR_E_NAME, "%s has no input '%.40s'; %s '%s'%s", owner(job), name,
                  near ? "did you mean" : "it has", near ? near : names[0],
                  near              ? "?"
                  : job->ninput > 1 ? " and others"
                                    : "");
}

/* In a study: input: {x: SPEC, y: SPEC}; on a command line: --input x:SPEC. */
static br_status which_input(const br_job *job, const char *text, br_err *err)
{
  const char *d = job->dashes, *a = br_job_spec_name(job, 0), *b = br_job_spec_name(job, 1);
  if (!d[0])
    return bri_fail(err, BR_E_ARG, "%s has %s; expected input: {%s: SPEC, %s: SPEC}", owner(job),
                    job->sys ? "several inputs" : "two axes", a, b);
  return bri_fail(err, BR_E_ARG,
                  "%sinput %.60s: there are several inputs, write %sinput %s:SPEC (names: %s and %s)", d,
                  text, d, a, a, b);
}

/* "F:" where F is no kind of input: then it was meant as a name. */
static br_status name_or_kind(const br_job *job, const char *text, size_t len, br_err *err)
{
  const char *kinds[64], *names[BRI_JOB_INPUTS];
  char copy[40], list[100];
  size_t n = 0;
  for (const br_signal_kind *k; n < 64 && (k = br_signal_kinds(n)) != NULL; n++) kinds[n] = k->name;
  (void)snprintf(copy, sizeof copy, "%.*s", bri_text_width(len), text);
  for (size_t i = 0; i < n; i++)
    if (strcmp(kinds[i], copy) == 0) return err->code;
  if (br_nearest_name(copy, kinds, n) || strpbrk(copy, "./") || strcmp(copy, "v") == 0 ||
      strcmp(copy, "a") == 0)
    return err->code;
  return bri_fail(err, BR_E_NAME,
                  "'%s:' is no input of %s, which has %s, and no kind of input (sine, csv, ...)", copy,
                  owner(job), bri_join(input_names(job, names), job->ninput, sizeof list, list));
}

br_signal_need br_job_need(const br_job *job, size_t k)
{
  const br_system *sys = job->sys && k < job->sys->ninput ? job->sys : NULL;
  const char *decimal = br_job_text(job, "decimal");
  if (k >= BRI_JOB_LOAD) return (br_signal_need){"1", "the load N", 0, decimal ? decimal[0] : '\0'};
  const int turns = sys ? 0 : bri_params_turn(job->params);
  if (turns) return (br_signal_need){turns > 0 ? "rad" : "m", "the motion", 0, decimal ? decimal[0] : '\0'};
  return (br_signal_need){sys ? sys->inputs[k].unit : "m", sys ? sys->inputs[k].name : "the motion",
                          !sys || (sys->flags & BR_SYSTEM_ROTARY), decimal ? decimal[0] : '\0'};
}

static br_status read_input(br_job *job, const bri_entry *e, int *element, br_err *err)
{
  static const char EXPR[] = "expr:";
  const char *text = e->value, *d = job->dashes;
  const size_t len = strcspn(text, ":");
  size_t k = e->name ? named(job, e->name, strlen(e->name)) : job->ninput;
  *element = e->name ? BRI_AT_NAME : BRI_AT_VALUE;
  if (e->name && k == job->ninput) return no_input(job, e->name, err);
  if (!e->name && text[len] == ':') k = named(job, text, len);
  if (!e->name && k != job->ninput) text += len + 1;
  else if (!e->name && bri_load_name(text, len, 64) > 0 && (job->an->needs & BR_TAKES_LOAD))
    return bri_fail(err, BR_E_NAME, "%.*s: %s has no contact of that number; N loads all", (int)len, text,
                    owner(job));
  else if (!e->name && job->ninput == 1) k = 0;
  if (k == job->ninput) return which_input(job, text, err);
  if (job->inputs[k])
    return bri_fail(err, BR_E_ARG, "%sinput: '%s' is given twice ('%.60s' and '%.60s')", d,
                    br_job_spec_name(job, k), job->spec[k], text);
  if (job->sys && k < job->ninput && br_params_given(job->params, job->sys->inputs[k].name))
    return bri_fail(err, BR_E_ARG,
                    d[0] ? "input '%s' is both held by --set and driven by --input: choose one"
                         : "input '%s' is both held under 'set' and driven here: choose one",
                    br_job_spec_name(job, k));
  if (k >= BRI_JOB_LOAD && br_job_given(job, "load"))
    return bri_fail(err, BR_E_ARG, "the load is both held by %sload and driven by N: choose one", d);
  *element = BRI_AT_VALUE;
  job->spec[k] = text;
  if (e->signal) return job->inputs[k] = e->signal, job->lent[k] = 1, BR_OK;
  const br_signal_need need = br_job_need(job, k);
  br_status st = k < BRI_JOB_LOAD ? br_signal_parse_for(text, &need, &job->inputs[k], err)
                                  : bri_load_parse(text, &need, &job->inputs[k], err);
  err->index = -1;
  if (st == BR_E_PARSE && text == e->value && text[len] == ':') st = name_or_kind(job, text, len, err);
  if (st && strncmp(text, EXPR, sizeof EXPR - 1) == 0) formula_fault(text, sizeof EXPR - 1, "t", err);
  return st;
}

static br_status input_missing(const br_job *job, size_t k, br_err *err)
{
  const char *d = job->dashes, *name = br_job_spec_name(job, k);
  if (!job->input.n && d[0])
    return bri_fail(err, BR_E_ARG, "%sinput SPEC is missing, e.g. %sinput sine:1mm,1Hz", d, d);
  if (!job->input.n)
    return bri_fail(err, BR_E_ARG, "input SPEC is missing: %s needs an 'input', e.g. input: sine:1mm,2Hz",
                    job->an->name);
  if (!d[0]) return bri_fail(err, BR_E_ARG, "input '%s' is missing", name);
  return bri_fail(err, BR_E_ARG, "%sinput %s:SPEC is missing; to hold it at zero write %sinput %s:ramp:0", d,
                  name, d, name);
}

static br_status read_inputs(br_job *job, br_err *err)
{
  br_status st = BR_OK;
  if (job->axes > 1 && !job->sys && !(job->an->needs & BR_TAKES_TWO_AXES))
    return BR_OK; /* refused by the check */
  const size_t before = job->faults;
  for (size_t i = 0; i < job->input.n && !st; i++) {
    br_err why = {BR_OK, -1, ""};
    int element = BRI_AT_VALUE;
    st = read_input(job, &job->input.list[i], &element, &why);
    if (st) st = bri_job_fault(job, "input", &job->input.list[i], element, &why, err);
  }
  for (size_t k = 0; k < job->ninput && !st && !job->sys && job->faults == before; k++) {
    br_err why = {BR_OK, -1, ""};
    if (!job->inputs[k] && input_missing(job, k, &why))
      st = bri_job_fault(job, "input", NULL, BRI_AT_VALUE, &why, err);
  }
  return st;
}

static br_status make_plant(br_job *job, br_err *err)
{
  br_drive drives[BRI_JOB_INPUTS];
  memset(drives, 0, sizeof drives);
  for (size_t k = 0; k < job->ninput; k++) {
    if (job->inputs[k]) drives[k] = br_drive_signal(job->inputs[k]);
    else drives[k].value = job->held ? job->held[k] : job->sys->inputs[k].def;
  }
  br_err why = {BR_OK, -1, ""};
  br_status st = br_plant_of(job->sys, job->m, job->params, drives, &job->plant, &why);
  if (!st) st = bri_job_vary(job, drives, job->plant, &why);
  if (st) return bri_job_fault(job, "system", NULL, BRI_AT_VALUE, &why, err);
  job->nstate = br_plant_nstate(job->plant);
  return BR_OK;
}

/* ---- start: the states as a table of parameters, so that it is read, named and unit-checked like 'set' ----
 * */

static void state_row(const br_job *job, size_t i, size_t size, char *name, br_param *row)
{
  const char *unit = "1";
  if (job->plant) {
    (void)snprintf(name, size, "%s", br_plant_state(job->plant, i));
    unit = br_plant_unit(job->plant, i);
  } else {
    (void)br_state_name(job->m, job->par, i, size, name, &unit);
  }
  *row = (br_param){.name = name,
                    .unit = unit,
                    .doc = "",
                    .lo = -INFINITY,
                    .hi = INFINITY,
                    .lo_open = 1,
                    .hi_open = 1,
                    .slot = i,
                    .max_len = 1};
}

/* What 'final' prints beside the states is taken too, and not used: forces and what the mechanism shows
 * follow from them. */
static size_t final_rows(const br_job *job, size_t n, size_t size, char *names, br_param *rows)
{
  const size_t forces = job->plant ? br_plant_ncontact(job->plant) : 0;
  size_t at = n;
  for (size_t k = 0; job->plant && k < forces + job->sys->nshown; k++) {
    char *name = names + at * size;
    int taken = 0;
    if (k >= forces) (void)snprintf(name, size, "%s", job->sys->shown[k - forces].name);
    else (void)snprintf(name, size, forces > 1 ? "F%zu" : "F", k + 1);
    for (size_t i = 0; i < at; i++) taken |= strcmp(names + i * size, name) == 0;
    if (taken) continue;
    state_row(job, 0, size, name, &rows[at]);
    if (k >= forces) (void)snprintf(name, size, "%s", job->sys->shown[k - forces].name);
    else (void)snprintf(name, size, forces > 1 ? "F%zu" : "F", k + 1);
    rows[at].slot = at;
    rows[at].unit =
        k >= forces ? job->sys->shown[k - forces].unit : bri_force_unit(job->sys, k / (size_t)job->sys->axes);
    at++;
  }
  return at - n;
}

static br_status read_start(br_job *job, br_err *err)
{
  enum { NAME = 48 };
  const size_t n = job->nstate;
  char owner[96];
  br_params *p = NULL;
  br_status st = BR_OK;
  job->start = bri_calloc(n + 1, sizeof *job->start);
  if (!job->start) return bri_no_memory(err, "job");
  if (!job->init.n || (br_job_settled(job) && (job->an->needs & BR_TAKES_SETTLED))) return BR_OK;
  if (br_job_settled(job)) {
    br_err why;
    st = bri_fail(&why, BR_E_ARG, "%sinit settled: %s cannot start so; 'bristle trace' can", job->dashes,
                  job->an->name);
    return bri_job_fault(job, "init", NULL, BRI_AT_VALUE, &why, err);
  }
  if (n == 0) {
    br_err why;
    st = bri_fail(&why, BR_E_ARG, "%sinit: %s has no states", job->dashes, job->m->name);
    return bri_job_fault(job, "init", NULL, BRI_AT_NAME, &why, err);
  }
  const size_t more = job->plant ? br_plant_ncontact(job->plant) + job->sys->nshown : 0;
  br_param *rows = bri_calloc(n + more, sizeof *rows);
  char(*names)[NAME] = bri_calloc(n + more, sizeof *names);
  if (!rows || !names) st = bri_no_memory(err, "job");
  for (size_t i = 0; i < n && !st; i++) state_row(job, i, NAME, names[i], &rows[i]);
  const size_t all = st ? n : n + final_rows(job, n, NAME, names[0], rows);
  (void)snprintf(owner, sizeof owner, job->plant ? "%sinit" : "%sinit of %s", job->dashes, job->m->name);
  const int rotary = !job->plant || (job->sys->flags & BR_SYSTEM_ROTARY) != 0;
  const br_param_table table = {"model", owner, rows, all, all, rotary, NULL, NULL, NULL, NULL, NULL};
  const size_t before = job->faults;
  if (!st) st = br_params_create_tables(&table, 1, &p, err);
  if (!st) st = set_entries(job, p, "init", &job->init, err);
  if (!st && job->faults == before) st = br_params_finish(p, err);
  if (!st && job->faults == before) memcpy(job->start, br_params_block(p, "model"), n * sizeof *job->start);
  br_params_destroy(p);
  bri_free(rows);
  bri_free(names);
  return st;
}

/* Model and mechanism by name. */
static br_status find_names(br_job *job, br_err *err)
{
  br_err why = {BR_OK, -1, ""};
  br_status st = BR_OK;
  if (job->preset_name && find_preset(job, &why))
    return bri_job_fault(job, "preset", NULL, BRI_AT_VALUE, &why, err);
  if ((job->an->needs & BR_NEEDS_SYSTEM) && find_system(job, &why))
    st = bri_job_fault(job, "system", NULL, BRI_AT_VALUE, &why, err);
  if (!st && (job->an->needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL)) && find_model(job, &why))
    st = bri_job_fault(job, "model", NULL, BRI_AT_VALUE, &why, err);
  return st;
}

br_status bri_job_setup(br_job *job, br_err *err)
{
  const unsigned needs = job->an->needs;
  bri_job_release(job);
  if ((needs & BR_TAKES_MODEL) && !job->model_name && !job->preset_name) {
    if (!job->set.n) return BR_OK;
    return bri_fail(err, BR_E_ARG, "%sset needs %smodel NAME", job->dashes, job->dashes);
  }
  const size_t before = job->faults;
  br_status st = find_names(job, err);
  if (st || job->faults > before) return st;
  if (!job->fault && (needs & BR_NEEDS_INPUT) && !job->sys && !job->input.n)
    return input_missing(job, 0, err);
  job->axes = job->ninput = 1;
  if (!st && job->m) st = read_params(job, err);
  if (!st && (needs & BR_NEEDS_INPUT)) st = read_inputs(job, err);
  if (!st && job->sys && job->par && job->faults == before) st = make_plant(job, err);
  if (!st && job->par && (!job->sys || job->plant) && ((needs & BR_TAKES_INIT) || job->init.n))
    st = read_start(job, err);
  return st;
}
