/* SPDX-License-Identifier: Apache-2.0
 * job.c - one question: everything set by name, checked as a whole, answered. */
#include "job.h"

#include <stdio.h>
#include <string.h>

#include "bristle/classify.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "base/alloc.h"
#include "param/valid.h"
#include "sense/sensitivity.h"
#include "text/choice.h"
#include "param/turns.h"

/* What an older section fixes: "waveform=yes". */
static br_status set_preset(br_job *job, br_err *err)
{
  char name[64];
  const char *text = job->an->preset, *eq = text ? strchr(text, '=') : NULL;
  if (!eq) return BR_OK;
  (void)snprintf(name, sizeof name, "%.*s", (int)(eq - text), text);
  return br_job_set(job, name, eq + 1, NULL, err);
}

br_status br_job_create(const br_analysis *a, br_job **out, br_err *err)
{
  if (!a || !out) return bri_fail(err, BR_E_ARG, "br_job_create: no analysis");
  br_job *job = *out = bri_calloc(1, sizeof *job);
  if (!job) return bri_no_memory(err, "job");
  job->an = a;
  job->dashes = "";
  job->values = bri_calloc(a->noptions + 1, sizeof *job->values);
  const br_status st = job->values ? set_preset(job, err) : bri_no_memory(err, "job");
  if (!st) return BR_OK;
  br_job_destroy(job);
  *out = NULL;
  return st;
}

static void free_entries(bri_entries *all)
{
  for (size_t i = 0; i < all->n; i++)
    bri_free(all->list[i].name), bri_free(all->list[i].value), bri_free(all->list[i].where),
        br_signal_destroy(all->list[i].signal);
  bri_free(all->list);
}

void br_job_destroy(br_job *job)
{
  if (!job) return;
  bri_job_release(job);
  for (size_t i = 0; job->values && i < job->an->noptions; i++) bri_option_free(&job->values[i]);
  bri_free(job->values);
  bri_free(job->model_name);
  bri_free(job->system_name);
  bri_free(job->preset_name);
  free_entries(&job->set);
  free_entries(&job->input);
  free_entries(&job->init);
  bri_buf_free(&job->set_text);
  bri_free(job);
}

void br_job_dashes(br_job *job, const char *dashes) { job->dashes = dashes; }
const char *br_job_dash(const br_job *job) { return job->dashes; }

/* ---- set by name ---- */

static br_status once(br_job *job, char **to, const char *name, const char *value, br_err *err)
{
  if (*to)
    return bri_fail(err, BR_E_ARG, "%s%s is given twice ('%.60s' and '%.60s')", job->dashes, name, *to,
                    value);
  *to = bri_copy(value);
  return *to ? BR_OK : bri_no_memory(err, "job");
}

static br_status add(bri_entries *all, const char *name, const char *value, const char *where, br_err *err)
{
  bri_entry *list = bri_grown(all->list, all->n, &all->room, sizeof *list);
  if (!list) return bri_no_memory(err, "job");
  all->list = list;
  bri_entry *e = &all->list[all->n++];
  *e = (bri_entry){bri_copy(name), bri_copy(value), bri_copy(where), NULL};
  return e->value && (e->name || !name) && (e->where || !where) ? BR_OK : bri_no_memory(err, "job");
}

/* A list behind the list that is there, so that they are read as one. */
static br_status add_list(bri_entries *all, const char *value, const char *where, br_err *err)
{
  size_t i = 0;
  while (i < all->n && all->list[i].name) i++;
  if (i == all->n) return add(all, NULL, value, where, err);
  bri_buf both = {0};
  bri_buf_printf(&both, "%s%s%s", all->list[i].value, value[0] ? "," : "", value);
  if (both.failed) return bri_no_memory(err, "job");
  bri_free(all->list[i].value);
  all->list[i].value = both.text;
  return BR_OK;
}

br_status bri_job_add(br_job *job, const char *part, const char *name, const char *value, const char *where,
                      br_err *err)
{
  bri_entries *all = strcmp(part, "init") == 0 ? &job->init : &job->set;
  bri_job_release(job);
  if (strcmp(part, "input") == 0) {
    if (job->input.n < BRI_JOB_SLOTS) return add(&job->input, name, value, where, err);
    return bri_fail(err, BR_E_SIZE, "input: more than %d inputs", BRI_JOB_SLOTS);
  }
  if (all == &job->set) {
    if (job->set_text.used && value[0]) bri_buf_text(&job->set_text, ",");
    if (name) bri_buf_printf(&job->set_text, "%s=", name);
    bri_buf_text(&job->set_text, value);
    if (job->set_text.failed) return bri_no_memory(err, "job");
  }
  return name ? add(all, name, value, where, err) : add_list(all, value, where, err);
}

static br_status set_option(br_job *job, const br_option *row, const char *value, const char *where,
                            br_err *err)
{
  bri_option_value *v = &job->values[row - job->an->options];
  const int fixed =
      v->given && job->an->preset && strncmp(job->an->preset, row->name, strlen(row->name)) == 0;
  if (v->given && !fixed)
    return bri_fail(err, BR_E_ARG, "%s%s is given twice ('%.60s' and '%.60s')", job->dashes, row->name,
                    v->text, value);
  bri_option_free(v);
  br_err why = {BR_OK, -1, ""};
  const br_status st = bri_option_read(job, row, value, v, &why);
  if (st) {
    bri_option_free(v);
    return bri_option_fail(job, where, &why, err);
  }
  v->where = bri_copy(where);
  v->given = 1;
  return where && !v->where ? bri_no_memory(err, "job") : BR_OK;
}

/* Is it a parameter of the model or mechanism that was named, or an input?  Then it needs no "set." in front.
 * */
static int is_parameter(const br_job *job, const char *name)
{
  const char *model = bri_job_model_name(job), *system = bri_job_system_name(job);
  /* the laws of some models may be formulas: then they have more names */
  const br_model *m = br_expr_variant(model ? br_all_models_find(model) : NULL, job->set_text.text);
  m = br_expr_variant(m, name);
  const br_system *s = system ? br_system_find(system) : NULL;
  if (br_mechanism_named(system)) return 1; /* its file is read by the check, which knows the names */
  if (strncmp(name, "contact", 7) == 0 || strncmp(name, "model.", 6) == 0 || strncmp(name, "system.", 7) == 0)
    return 1;
  if (m && br_model_param(m, name)) return 1;
  for (size_t k = 0; s && k < s->nparam; k++)
    if (strcmp(s->params[k].name, name) == 0) return 1;
  for (size_t k = 0; s && k < s->ninput; k++)
    if (strcmp(s->inputs[k].name, name) == 0) return 1;
  return 0;
}

static br_status unknown(const br_job *job, const char *name, br_err *err)
{
  static const struct {
    const char *name;
    unsigned needs; /* offered where one of them is taken; 0: always */
  } PARTS[] = {{"model", BR_NEEDS_MODEL | BR_TAKES_MODEL},
               {"set", 0},
               {"input", BR_NEEDS_INPUT},
               {"init", BR_TAKES_INIT},
               {"system", BR_NEEDS_SYSTEM},
               {"preset", BR_NEEDS_MODEL | BR_TAKES_MODEL}};
  const char *names[80];
  char hint[BRI_HINT];
  size_t n = 0;
  for (; n < job->an->noptions && n < 70; n++) names[n] = job->an->options[n].name;
  for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++)
    if (!PARTS[i].needs || (job->an->needs & PARTS[i].needs)) names[n++] = PARTS[i].name;
  return bri_fail(err, BR_E_NAME, "%s has no option '%.60s'%s", job->an->name, name,
                  bri_hint(name, names, n, "", hint));
}

br_status br_job_set(br_job *job, const char *name, const char *value, const char *where, br_err *err)
{
  if (!job || !name || !value) return bri_fail(err, BR_E_ARG, "br_job_set: no job, name or value");
  const unsigned needs = job->an->needs;
  const br_option *row = br_analysis_option(job->an, name);
  bri_job_release(job); /* a new check is due */
  if (row) return set_option(job, row, value, where, err);
  if ((needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL)) && strcmp(name, "model") == 0)
    return once(job, &job->model_name, name, value, err);
  if ((needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL)) && strcmp(name, "preset") == 0)
    return once(job, &job->preset_name, name, value, err);
  if ((needs & BR_NEEDS_SYSTEM) && strcmp(name, "system") == 0)
    return once(job, &job->system_name, name, value, err);
  static const struct {
    const char *name;
    unsigned needs;
  } PARTS[] = {{"set", 0}, {"input", BR_NEEDS_INPUT}, {"init", BR_TAKES_INIT}};
  for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
    const size_t n = strlen(PARTS[i].name);
    if ((PARTS[i].needs && !(needs & PARTS[i].needs)) || strncmp(name, PARTS[i].name, n) != 0) continue;
    if (!name[n] || name[n] == '.')
      return bri_job_add(job, PARTS[i].name, name[n] ? name + n + 1 : NULL, value, where, err);
  }
  return is_parameter(job, name) ? bri_job_add(job, "set", name, value, where, err) : unknown(job, name, err);
}

br_status br_job_set_array(br_job *job, const char *name, size_t n, const double *t, const double *u,
                           br_signal_shape shape, int periodic, br_err *err)
{
  char label[48];
  br_signal *signal = NULL;
  br_err why = {BR_OK, -1, ""};
  if (!job || !name) return bri_fail(err, BR_E_ARG, "br_job_set_array: no job or name");
  if (strncmp(name, "input", 5) != 0 || (name[5] && name[5] != '.'))
    return bri_fail(err, BR_E_ARG, "%s%.60s: only an input may be an array", job->dashes, name);
  br_status st = br_signal_from_samples(n, t, u, shape, periodic, &signal, &why);
  if (st) return bri_text_fail(err, st, why.index, "%s%.60s: %.180s", job->dashes, name, why.msg);
  (void)snprintf(label, sizeof label, "array:%zu samples", n);
  st = br_job_set(job, name, label, NULL, err);
  if (st) br_signal_destroy(signal);
  else job->input.list[job->input.n - 1].signal = signal;
  return st;
}

br_status br_job_default(br_job *job, const char *name, const char *value, br_err *err)
{
  const br_option *row = br_analysis_option(job->an, name);
  if (br_job_given(job, name)) return BR_OK;
  return row ? set_option(job, row, value, NULL, err) : br_job_set(job, name, value, NULL, err);
}

/* ---- check and run ---- */

void bri_job_on_fault(br_job *job, bri_fault_fn *fn, void *ctx) { job->fault = fn, job->fault_ctx = ctx; }

br_status bri_job_fault(br_job *job, const char *part, const bri_entry *e, int element, const br_err *why,
                        br_err *err)
{
  if (!job->fault || why->code == BR_E_NOMEM) return bri_option_fail(job, e ? e->where : NULL, why, err);
  job->faults++;
  job->fault(job->fault_ctx, part, e ? e->name : NULL, element, why);
  return BR_OK;
}

/* What the rules and the analysis itself find: the option is told by the index of the error. */
static br_status rule_fault(br_job *job, br_status st, const br_err *why, br_err *err)
{
  const int known = st && why->index >= 0 && (size_t)why->index < job->an->noptions;
  const bri_entry e = {.name = known ? (char *)job->an->options[why->index].name : NULL};
  if (!st) return BR_OK;
  if (job->fault) return bri_job_fault(job, "", &e, BRI_AT_NAME, why, err);
  return bri_text_fail(err, why->code, why->index, "%s", why->msg);
}

static br_status check_all(br_job *job, br_err *err)
{
  const char *wants = job->an->wants;
  br_status st = job->an->prepare ? job->an->prepare(job, err) : BR_OK;
  if (!st) st = bri_option_rules(job, err);
  if (!st && wants && !br_job_given(job, wants))
    st = bri_fail(err, BR_E_ARG, "%s: '%s' is missing", job->an->name, wants);
  return st;
}

static br_status check_axes(const br_job *job, br_err *err)
{
  if (job->axes < 2 || (job->an->needs & BR_TAKES_TWO_AXES)) return BR_OK;
  return bri_fail(err, BR_E_ARG, "%s has two axes, which %s cannot take ('bristle trace' follows both)",
                  job->m->name, job->an->name);
}

br_status br_job_check(br_job *job, br_err *err)
{
  br_err why = {BR_OK, -1, ""};
  job->faults = 0;
  br_status st = rule_fault(job, check_all(job, &why), &why, err);
  if (!st) st = bri_job_setup(job, err);
  if (!st) st = rule_fault(job, check_axes(job, &why), &why, err);
  if (!st && !job->faults && job->an->check) st = rule_fault(job, job->an->check(job, &why), &why, err);
  if (!st && !job->faults && br_job_given(job, "sensitivity"))
    st = rule_fault(job, bri_sensitivity_check(job, &why), &why, err);
  return st || !job->faults ? st : bri_fail(err, BR_E_ARG, "%s: see its faults", job->an->name);
}

/* What was chosen of the records and done to them. */
static void put_data(const br_job *job, br_sink *out)
{
  size_t n = 0;
  for (size_t k = 0; k < BRI_JOB_SLOTS; k++)
    for (size_t i = 0; br_signal_note(job->inputs[k], i); i++)
      br_put_text(out, br_signal_note(job->inputs[k], i), "data.%zu", n++);
}

/* What should be said about a start, before anything is computed. */
static void note_start(const br_job *job, const br_sink *out)
{
  const double load = br_analysis_option(job->an, "load") ? br_job_number(job, "load") : 1, *z = job->start;
  if (!out->note || !job->m || !z || !(load > 0) || (job->plant && br_plant_ncontact(job->plant) != 1))
    return;
  if (job->plant) z += job->nstate - job->m->nstate(job->par); /* the model's states stand last */
  br_state_notes(job->m, job->par, load, z, out->note, out->ctx);
}

/* Does all that is answered turn?  Of a mechanism that is so where the contact's motion alone is told: what
 * it shows may be ways and forces beside its angles. */
static int turns(const br_job *job)
{
  const int contact = strcmp(job->an->name, "phase") == 0 || strcmp(job->an->name, "response") == 0;
  return job->sys ? contact && bri_turns(job->sys, 0) : bri_params_turn(job->params) > 0;
}

br_status br_job_run(const br_job *job, br_sink *out, br_err *err)
{
  note_start(job, out);
  const int before = out->rotary;
  out->rotary = before || turns(job);
  put_data(job, out);
  br_status st = job->an->run(job, out, err);
  if (!st && br_job_given(job, "sensitivity")) st = bri_sensitivity(job, out, err);
  if (!st && out->failed)
    st = bri_fail(err, out->failed, "%s: %s", job->an->name, br_status_text(out->failed));
  out->rotary = before;
  return st;
}

/* ---- what was set ---- */

const br_analysis *br_job_analysis(const br_job *job) { return job->an; }

int br_job_given(const br_job *job, const char *option)
{
  const bri_option_value *v = bri_option_of(job, option);
  if (v) return v->given;
  if (strcmp(option, "model") == 0) return job->model_name || job->preset_name;
  if (strcmp(option, "system") == 0) return bri_job_system_name(job) != NULL;
  if (strcmp(option, "set") == 0) return job->set.n > 0 || job->preset_name;
  return strcmp(option, "init") == 0 && job->init.n > 0;
}

double br_job_number(const br_job *job, const char *option)
{
  const br_option *row = br_analysis_option(job->an, option);
  const bri_option_value *v = bri_option_of(job, option);
  double x = 0;
  if (v && v->given) return v->x[0];
  if (row && row->choices && row->def) return bri_choice_index(row->choices, row->def, strlen(row->def));
  if (row && row->def) (void)br_parse_double(row->def, strlen(row->def), &x);
  return x;
}

size_t br_job_count(const br_job *job, const char *option)
{
  const double x = br_job_number(job, option);
  return x > 0 ? (size_t)x : 0;
}

int br_job_flag(const br_job *job, const char *option)
{
  const br_option *row = br_analysis_option(job->an, option);
  const bri_option_value *v = bri_option_of(job, option);
  if (v && v->given) return v->x[0] != 0;
  return row && row->def && strcmp(row->def, "yes") == 0;
}

const char *br_job_text(const br_job *job, const char *option)
{
  const br_option *row = br_analysis_option(job->an, option);
  const bri_option_value *v = bri_option_of(job, option);
  return v && v->given ? v->text : row ? row->def : NULL;
}

const double *br_job_list(const br_job *job, const char *option, size_t *n)
{
  const bri_option_value *v = bri_option_of(job, option);
  *n = v && v->given ? v->n : 0;
  return *n ? v->x : NULL;
}

const br_model *br_job_model(const br_job *job) { return job->m; }
const br_system *br_job_system(const br_job *job) { return job->sys; }
const br_params *br_job_params(const br_job *job) { return job->params; }
const double *br_job_par(const br_job *job) { return job->par; }
const char *br_job_set_text(const br_job *job) { return job->set_text.used ? job->set_text.text : NULL; }
const br_preset *br_job_preset(const br_job *job) { return job->preset; }
size_t br_job_inputs(const br_job *job) { return job->ninput; }
br_signal *br_job_input(const br_job *job, size_t k) { return k < job->ninput ? job->inputs[k] : NULL; }
br_signal *br_job_load(const br_job *job, size_t c)
{
  br_signal *own = BRI_JOB_LOAD + 1 + c < BRI_JOB_SLOTS ? job->inputs[BRI_JOB_LOAD + 1 + c] : NULL;
  return own ? own : job->inputs[BRI_JOB_LOAD];
}
const char *br_job_spec(const br_job *job, size_t k) { return k < job->ninput ? job->spec[k] : NULL; }
const br_plant *br_job_plant(const br_job *job) { return job->plant; }

const char *br_job_spec_name(const br_job *job, size_t k)
{
  if (k >= job->ninput) return k >= BRI_JOB_LOAD && k < BRI_JOB_SLOTS ? "N" : NULL;
  if (job->sys) return job->sys->inputs[k].name;
  return job->axes < 2 ? "u" : k == 0 ? "x" : "y";
}

int br_job_settled(const br_job *job)
{
  return job->init.n == 1 && !job->init.list[0].name && strcmp(job->init.list[0].value, "settled") == 0;
}

const double *br_job_start(const br_job *job, size_t *n)
{
  if (n) *n = job->nstate;
  return job->start;
}
