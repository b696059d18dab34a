/* SPDX-License-Identifier: Apache-2.0
 * setup.c - from the texts of a job to objects: model, mechanism, parameters, inputs, start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/text.h"
#include "bristle/trace.h"
#include "job.h"
#include "table/alloc.h"

static br_status no_memory(br_err *err) { return bri_text_fail(err, BR_E_NOMEM, -1, "job: out of memory"); }

void bri_job_release(br_job *job)
{
  if (!job->borrowed) {
    br_plant_destroy(job->plant);
    for (size_t k = 0; k < BRI_JOB_INPUTS; k++) br_signal_destroy(job->inputs[k]);
    br_params_destroy(job->params);
    bri_free(job->input_rows);
    bri_free(job->start);
  }
  job->borrowed = 0;
  job->m = NULL, job->sys = NULL, job->params = NULL, job->input_rows = NULL;
  job->par = job->held = NULL, job->plant = NULL, job->start = NULL;
  job->axes = job->ninput = job->nstate = 0;
  memset(job->inputs, 0, sizeof job->inputs);
  memset(job->spec, 0, sizeof job->spec);
}

void bri_job_borrow(br_job *job, const bri_job_parts *p)
{
  bri_job_release(job);
  job->borrowed = 1;
  job->m = p->m, job->sys = p->sys, job->params = p->params;
  job->par = p->par, job->held = p->held, job->plant = p->plant, job->start = p->start;
  job->axes = p->axes, job->ninput = p->ninput, job->nstate = p->nstate;
  for (size_t k = 0; k < p->ninput && k < BRI_JOB_INPUTS; k++)
    job->inputs[k] = p->inputs[k], job->spec[k] = p->spec[k];
  if (p->set && !job->set.used) bri_buf_text(&job->set, p->set);
}

/* ---- model and mechanism ---- */

static br_status unknown(const char *kind, const char *name, const char *const *names, size_t n, br_err *err)
{
  const char *near = br_nearest_name(name, names, n);
  if (near)
    return bri_text_fail(err, BR_E_NAME, -1, "unknown %s '%.60s'; did you mean '%s'?", kind, name, near);
  return bri_text_fail(err, BR_E_NAME, -1, "unknown %s '%.60s'; 'bristle %ss' lists them", kind, name, kind);
}

static br_status find_model(br_job *job, br_err *err)
{
  const br_model *m = NULL;
  const char *names[64];
  size_t n = 0;
  if (!job->model_name)
    return bri_text_fail(err, BR_E_ARG, -1, "%smodel NAME is missing; 'bristle models' lists them",
                         job->dashes);
  job->m = br_expr_variant(br_all_models_find(job->model_name), job->set.text);
  if (job->m) return BR_OK;
  while (n < sizeof names / sizeof names[0] && (m = br_all_models(n)) != NULL) names[n++] = m->name;
  return unknown("model", job->model_name, names, n, err);
}

static br_status find_system(br_job *job, br_err *err)
{
  const char *names[32];
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  if (!job->system_name)
    return bri_text_fail(err, BR_E_ARG, -1, "%ssystem NAME is missing; 'bristle systems' lists them",
                         job->dashes);
  job->sys = br_system_find(job->system_name);
  for (size_t i = 0; i < n && i < 32; i++) names[i] = all[i]->name;
  if (!job->sys) return unknown("system", job->system_name, names, n < 32 ? n : 32, err);
  if (job->sys->ninput > BRI_JOB_INPUTS)
    return bri_text_fail(err, BR_E_SIZE, -1, "system '%s' has more than %d inputs", job->sys->name,
                         BRI_JOB_INPUTS);
  return BR_OK;
}

/* With a mechanism its inputs are a table too, so that vp=2 is read like any parameter. */
static br_status read_params(br_job *job, br_err *err)
{
  br_param_table t[BR_PLANT_TABLES];
  br_status st = BR_OK;
  if (job->sys) {
    job->input_rows = bri_calloc(job->sys->ninput + 1, sizeof *job->input_rows);
    if (!job->input_rows) return no_memory(err);
    st = br_params_create_tables(t, br_plant_tables(job->sys, job->m, job->input_rows, t), &job->params, err);
  } else {
    st = br_params_create(job->m, &job->params, err);
  }
  if (!st) st = br_params_set_list(job->params, job->set.text, err);
  if (!st) st = br_params_finish(job->params, err);
  if (st) return st;
  job->par = br_params_block(job->params, "model");
  job->held = job->sys ? br_params_block(job->params, "input") : NULL;
  job->axes = job->m->axes == 2 ? 2 : 1;
  job->nstate = job->m->nstate(job->par);
  return BR_OK;
}

/* ---- inputs ---- */

/* Which input does the text before the first colon name?  ninput: none. */
static size_t named(const br_job *job, const char *text)
{
  const size_t len = strcspn(text, ":");
  size_t k = 0;
  while (k < job->ninput &&
         (strlen(br_job_spec_name(job, k)) != len || memcmp(br_job_spec_name(job, k), text, len) != 0))
    k++;
  return text[len] == ':' ? k : job->ninput;
}

static br_status read_input(br_job *job, const char *text, br_err *err)
{
  const char *d = job->dashes, *first = br_job_spec_name(job, 0);
  size_t k = named(job, text);
  if (k < job->ninput) text += strlen(br_job_spec_name(job, k)) + 1;
  else if (job->ninput == 1) k = 0;
  else
    return bri_text_fail(err, BR_E_ARG, -1,
                         "%sinput %.60s: there are several inputs, write %sinput %s:SPEC (names: %s and %s)",
                         d, text, d, first, first, br_job_spec_name(job, 1));
  if (job->inputs[k])
    return bri_text_fail(err, BR_E_ARG, -1, "%sinput: '%s' is given twice ('%.60s' and '%.60s')", d,
                         br_job_spec_name(job, k), job->spec[k], text);
  if (job->sys && br_params_given(job->params, job->sys->inputs[k].name))
    return bri_text_fail(err, BR_E_ARG, -1,
                         "input '%s' is both held by %sset and driven by %sinput: choose one",
                         br_job_spec_name(job, k), d, d);
  job->spec[k] = text;
  return br_signal_parse(text, &job->inputs[k], err);
}

static br_status read_inputs(br_job *job, br_err *err)
{
  const char *d = job->dashes;
  br_status st = BR_OK;
  job->ninput = job->sys ? job->sys->ninput : job->axes;
  if (job->axes > 1 && !job->sys && !(job->an->needs & BR_TAKES_TWO_AXES))
    return BR_OK; /* refused by the check */
  for (size_t i = 0; i < job->ninput_text && !st; i++) st = read_input(job, job->input_text[i], err);
  for (size_t k = 0; k < job->ninput && !st && !job->sys; k++) {
    const char *name = br_job_spec_name(job, k);
    if (job->inputs[k]) continue;
    if (job->ninput == 1)
      return bri_text_fail(err, BR_E_ARG, -1, "%sinput SPEC is missing, e.g. %sinput sine:1mm,1Hz", d, d);
    return bri_text_fail(err, BR_E_ARG, -1,
                         "%sinput %s:SPEC is missing; to hold it at zero write %sinput %s:ramp:0", d, name, d,
                         name);
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
  const br_status st = br_plant_of(job->sys, job->m, job->params, drives, &job->plant, err);
  if (!st) job->nstate = br_plant_nstate(job->plant);
  return st;
}

/* ---- start: the states as a table of parameters, so that it is read, named and unit-checked like 'set' ---- */

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

static br_status read_start(br_job *job, br_err *err)
{
  enum { NAME = 48 };
  const size_t n = job->nstate;
  char owner[96];
  br_params *p = NULL;
  br_status st = BR_OK;
  job->start = bri_calloc(n + 1, sizeof *job->start);
  if (!job->start) return no_memory(err);
  if (!job->init.used) return BR_OK;
  if (n == 0)
    return bri_text_fail(err, BR_E_ARG, -1, "%sinit %.60s: %s has no states", job->dashes, job->init.text,
                         job->m->name);
  br_param *rows = bri_calloc(n, sizeof *rows);
  char(*names)[NAME] = bri_calloc(n, sizeof *names);
  if (!rows || !names) st = no_memory(err);
  for (size_t i = 0; i < n && !st; i++) state_row(job, i, NAME, names[i], &rows[i]);
  (void)snprintf(owner, sizeof owner, job->plant ? "%sinit" : "%sinit of %s", job->dashes, job->m->name);
  const int rotary = !job->plant || (job->sys->flags & BR_SYSTEM_ROTARY) != 0;
  const br_param_table table = {"model", owner, rows, n, n, rotary, NULL, NULL, NULL, NULL};
  if (!st) st = br_params_create_tables(&table, 1, &p, err);
  if (!st) st = br_params_set_list(p, job->init.text, err);
  if (!st) st = br_params_finish(p, err);
  if (!st) memcpy(job->start, br_params_block(p, "model"), n * sizeof *job->start);
  br_params_destroy(p);
  bri_free(rows);
  bri_free(names);
  return st;
}

br_status bri_job_setup(br_job *job, br_err *err)
{
  const unsigned needs = job->an->needs;
  bri_job_release(job);
  if ((needs & BR_TAKES_MODEL) && !job->model_name) {
    if (!job->set.used) return BR_OK;
    return bri_text_fail(err, BR_E_ARG, -1, "%sset needs %smodel NAME", job->dashes, job->dashes);
  }
  const int model = (needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL)) != 0;
  br_status st = needs & BR_NEEDS_SYSTEM ? find_system(job, err) : BR_OK;
  job->axes = 1;
  if (!st && model) st = find_model(job, err);
  if (!st && (needs & BR_NEEDS_INPUT) && !job->sys && !job->ninput_text)
    st = bri_text_fail(err, BR_E_ARG, -1, "%sinput SPEC is missing, e.g. %sinput sine:1mm,1Hz", job->dashes,
                       job->dashes);
  if (!st && model) st = read_params(job, err);
  if (!st && (needs & BR_NEEDS_INPUT)) st = read_inputs(job, err);
  if (!st && job->sys) st = make_plant(job, err);
  if (!st && (needs & BR_TAKES_INIT)) st = read_start(job, err);
  return st;
}
