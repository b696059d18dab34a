/* SPDX-License-Identifier: Apache-2.0
 * setup.c - what a run needs, from its keys: model, mechanism, parameters, inputs, states.
 * Names, units and ranges are those of the tables; what is wrong becomes a note where it stands. */
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "bristle/trace.h"
#include "signal/spec_file.h"

static br_status no_memory(const br_study *s, br_err *err)
{
  return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->path);
}

/* ---- parameters ---- */

/* "NAME=TEXT" for the list grammar. */
static br_status set_text(br_params *p, const char *name, const char *text, bri_buf *buf, br_err *err)
{
  buf->used = 0;
  bri_buf_printf(buf, "%s=%s", name, text);
  if (buf->failed) return bri_text_fail(err, BR_E_NOMEM, -1, "out of memory");
  return br_params_set_list(p, buf->text, err);
}

/* A list of values; on an error the place of the element that cannot be taken. */
static br_status set_elements(br_params *p, const bri_node *e, bri_buf *buf, bri_place *at, br_err *err)
{
  bri_buf all = {0};
  br_status st = BR_OK;
  *at = e->at;
  for (const bri_node *k = e->first; k && !st; k = k->next) {
    if (k->kind != BRI_SCALAR || strpbrk(k->text, ",=")) {
      *at = k->at;
      st = bri_text_fail(err, BR_E_PARSE, -1, "an element of '%s' must be one number", e->key);
      break;
    }
    st = set_text(p, e->key, k->text, buf, err); /* alone: does this one fit? */
    if (st) *at = k->at;
    bri_buf_printf(&all, "%s%s", k == e->first ? "" : ",", k->text);
  }
  if (!st) st = set_text(p, e->key, all.text ? all.text : "", buf, err);
  bri_buf_free(&all);
  return st;
}

/* Does this text compile?  Otherwise a note at the character where it goes wrong.  skip: what stands before
 * the formula in the node's text. */
static int good_formula(br_study *s, const bri_node *n, size_t skip, const char *vars)
{
  double code[1024];
  size_t len = 0;
  br_err why = {BR_OK, -1, ""};
  const char *text = n->text + skip;
  if (!br_expr_compile(text, strlen(text), vars, sizeof code / sizeof code[0], code, &len, &why)) return 1;
  bri_place at = n->at;
  if (n->inset >= 0 && why.index >= 0) at.column += (size_t)n->inset + skip + (size_t)why.index;
  bri_note(&s->notes, at, "formula: %s", why.msg);
  return 0;
}

/* Every entry of a map into the parameters.  Known names only; one note per entry at most. */
br_status bri_set_map(br_study *s, br_params *p, const bri_node *map, const char *kind, br_err *err)
{
  bri_buf buf = {0};
  br_status st = BR_OK;
  for (const bri_node *e = map && map->kind == BRI_MAP ? map->first : NULL; e && !st; e = e->next) {
    br_err why = {BR_OK, -1, ""};
    size_t n = 0;
    bri_place at = e->at;
    if (strpbrk(e->key, ",=") || br_params_get(p, e->key, 0, NULL, &n, &why)) {
      bri_note(&s->notes, e->key_at, "%s", why.msg[0] ? why.msg : "a name has no comma and no '='");
      continue;
    }
    if (br_params_given(p, e->key)) {
      bri_note(&s->notes, e->key_at, "%s '%s' is given twice, with and without its prefix", kind, e->key);
      continue;
    }
    if (e->kind == BRI_MAP) {
      bri_note(&s->notes, e->at, "'%s' is a map; expected a number, with or without unit", e->key);
      continue;
    }
    const char *vars = br_param_formula(br_params_row(p, e->key));
    if (vars && e->kind == BRI_SCALAR && e->text[0] && !good_formula(s, e, 0, vars)) continue;
    if (e->kind == BRI_SEQ) st = set_elements(p, e, &buf, &at, &why);
    else if (!vars && strchr(e->text, '='))
      st = bri_text_fail(&why, BR_E_PARSE, -1, "'%s' is '%.60s'; expected a number", e->key, e->text);
    else st = set_text(p, e->key, e->text, &buf, &why);
    if (st == BR_E_NOMEM) break;
    if (st) bri_note(&s->notes, at, "%s", why.msg);
    st = BR_OK;
  }
  bri_buf_free(&buf);
  return st ? no_memory(s, err) : BR_OK;
}

/* Rules between parameters: the place of the parameter that the message names, when the file gives it. */
void bri_finish_params(br_study *s, br_params *p, const bri_node *map, const br_param *rows, size_t n,
                       bri_place at)
{
  br_err why = {BR_OK, -1, ""};
  if (!br_params_finish(p, &why)) return;
  for (size_t i = 0; i < n; i++) {
    char word[80];
    (void)snprintf(word, sizeof word, "parameter %s ", rows[i].name);
    const bri_node *e = bri_node_find(map, rows[i].name);
    if (e && strstr(why.msg, word)) at = e->at;
  }
  bri_note(&s->notes, at, "%s", why.msg);
}

static void unknown_name(br_study *s, const bri_node *n, const char *kind, const char *const *names,
                         size_t count)
{
  const char *near = br_nearest_name(n->text, names, count);
  if (near) bri_note(&s->notes, n->at, "unknown %s '%.60s'; did you mean '%s'?", kind, n->text, near);
  else bri_note(&s->notes, n->at, "unknown %s '%.60s'; 'bristle %ss' lists them", kind, n->text, kind);
}

static void find_model(br_study *s, bri_run *r, const bri_node *name, const bri_node *set)
{
  const char *names[64];
  size_t n = 0;
  const br_model *m = NULL;
  r->m = br_all_models_find(name->text);
  for (const bri_node *e = set && set->kind == BRI_MAP ? set->first : NULL; e; e = e->next)
    r->m = br_expr_variant(r->m, e->key);
  if (r->m) return;
  while (n < 64 && (m = br_all_models(n)) != NULL) names[n++] = m->name;
  unknown_name(s, name, "model", names, n);
}

static void find_system(br_study *s, bri_run *r)
{
  const bri_node *name = bri_node_find(r->node, "system");
  const char *names[32];
  size_t n = 0;
  const br_system *const *all = br_systems(&n);
  if (!name)
    bri_note(&s->notes, r->node->at, "run '%s': %s needs a 'system'; 'bristle systems' lists them", r->name,
             r->an->face.name);
  if (!name || name->kind != BRI_SCALAR) return;
  r->sys = br_system_find(name->text);
  for (size_t i = 0; i < n && i < 32; i++) names[i] = all[i]->name;
  if (!r->sys) unknown_name(s, name, "system", names, n < 32 ? n : 32);
  if (r->sys && r->sys->ninput > BRI_STUDY_INPUTS) {
    bri_note(&s->notes, name->at, "system '%s' has more than %d inputs", r->sys->name, BRI_STUDY_INPUTS);
    r->sys = NULL;
  }
}

/* Tables of one br_params: the model's, and with a mechanism all of the plant's, so that an input can be held
 * at a constant like any parameter. */
static br_status make_params(br_study *s, bri_run *r, br_err *err)
{
  br_param_table t[BR_PLANT_TABLES];
  if (!r->sys) return br_params_create(r->m, &r->params, err);
  br_param *rows = bri_arena_get(s->arena, (r->sys->ninput + 1) * sizeof *rows);
  if (!rows) return no_memory(s, err);
  return br_params_create_tables(t, br_plant_tables(r->sys, r->m, rows, t), &r->params, err);
}

br_status bri_read_model(br_study *s, bri_run *r, br_err *err)
{
  static const double nothing[1] = {0};
  const bri_node *name = bri_node_find(r->node, "model"), *set = bri_node_find(r->node, "set");
  if (!name) bri_note(&s->notes, r->node->at, "run '%s' has no 'model'", r->name);
  if (name && name->kind == BRI_SCALAR) find_model(s, r, name, set);
  if (bri_wants_system(r->an)) find_system(s, r);
  if (!name || !r->m || (bri_wants_system(r->an) && !r->sys)) {
    r->m = NULL;
    return BR_OK;
  }
  r->axes = r->m->axes == 2 ? 2 : 1;
  r->ninput = r->sys ? r->sys->ninput : r->axes;
  const size_t found = s->notes.n;
  br_status st = make_params(s, r, err);
  if (!st) st = bri_set_map(s, r->params, set, "parameter", err);
  if (st) return st;
  if (s->notes.n > found) return BR_OK;
  bri_finish_params(s, r->params, set, r->m->params, r->m->nparam, set ? set->at : name->at);
  r->par = br_params_block(r->params, "model");
  if (r->par) r->nstate = r->m->nstate(r->par);
  if (r->par && r->sys) {
    r->spar = r->sys->nparam ? br_params_block(r->params, "system") : nothing;
    r->held = br_params_block(r->params, "input");
  }
  return BR_OK;
}

/* ---- states: a table of parameters made from their names ---- */

br_status bri_read_init(br_study *s, bri_run *r, br_err *err)
{
  enum { NAME = 48 };
  const bri_node *init = bri_node_find(r->node, "init");
  const size_t n = r->nstate;
  r->z0 = bri_arena_get(s->arena, (n + 1) * sizeof *r->z0);
  br_param *rows = bri_arena_get(s->arena, (n + 1) * sizeof *rows);
  char(*names)[NAME] = bri_arena_get(s->arena, (n + 1) * sizeof *names);
  if (!r->z0 || !rows || !names) return no_memory(s, err);
  if (!init || init->kind != BRI_MAP || !init->first) return BR_OK;
  if (n == 0) {
    bri_note(&s->notes, init->key_at, "'init': model %s has no states", r->m->name);
    return BR_OK;
  }
  for (size_t i = 0; i < n; i++) {
    const char *unit = "1";
    if (r->plant) {
      (void)snprintf(names[i], NAME, "%s", br_plant_state(r->plant, i));
      unit = br_plant_unit(r->plant, i);
    } else {
      (void)br_state_name(r->m, r->par, i, NAME, names[i], &unit);
    }
    const br_param row = {names[i], unit, "", NULL, 0, NULL, 0, -INFINITY, INFINITY, 0, 0, i, 1, 0};
    rows[i] = row;
  }
  const br_param_table table = {"model", r->plant ? "init" : r->m->name, rows, n, n, 1, NULL, NULL, NULL,
                                NULL};
  br_params *p = NULL;
  br_status st = br_params_create_tables(&table, 1, &p, err);
  if (!st) st = bri_set_map(s, p, init, "state", err);
  if (!st && !br_params_finish(p, NULL)) memcpy(r->z0, br_params_block(p, "model"), n * sizeof *r->z0);
  br_params_destroy(p);
  return st;
}

/* ---- inputs ---- */

/* Files of a spec are looked for beside the study that names them. */
const char *bri_spec_of(br_study *s, const bri_node *n)
{
  size_t k = 0, length = 0;
  if (!bri_signal_file(n->text, &k, &length)) return n->text;
  const char *path = bri_study_beside(s->arena, n->at.file, n->text + k, strlen(n->text + k));
  char *out = path ? bri_arena_get(s->arena, k + strlen(path) + 1) : NULL;
  if (out) memcpy(out, n->text, k), memcpy(out + k, path, strlen(path) + 1);
  return out;
}

static br_status read_signal(br_study *s, bri_run *r, size_t axis, const bri_node *n, br_err *err)
{
  br_err why = {BR_OK, -1, ""};
  if (n->kind != BRI_SCALAR) {
    bri_note(&s->notes, n->at, "an input is a text such as sine:1mm,2Hz");
    return BR_OK;
  }
  static const char EXPR[] = "expr:";
  if (strncmp(n->text, EXPR, sizeof EXPR - 1) == 0 && !good_formula(s, n, sizeof EXPR - 1, "t")) return BR_OK;
  r->spec[axis] = bri_spec_of(s, n);
  if (!r->spec[axis]) return no_memory(s, err);
  const br_status st = br_signal_parse(r->spec[axis], &r->inputs[axis], &why);
  if (st == BR_E_NOMEM) return no_memory(s, err);
  if (st) bri_note(&s->notes, n->at, "%s", why.msg);
  return BR_OK;
}

static const char *input_name(const bri_run *r, size_t i)
{
  if (r->sys) return r->sys->inputs[i].name;
  return r->axes < 2 ? "u" : i == 0 ? "x" : "y";
}

static const char *owner(const bri_run *r) { return r->sys ? r->sys->name : r->m->name; }

static br_status read_named(br_study *s, bri_run *r, const bri_node *e, br_err *err)
{
  const char *names[BRI_STUDY_INPUTS];
  size_t k = 0;
  for (size_t i = 0; i < r->ninput; i++) names[i] = input_name(r, i);
  while (k < r->ninput && strcmp(names[k], e->key) != 0) k++;
  if (k < r->ninput && r->sys && br_params_given(r->params, names[k])) {
    bri_note(&s->notes, e->key_at, "input '%s' is both held under 'set' and driven here: choose one",
             names[k]);
    return BR_OK;
  }
  if (k < r->ninput) return read_signal(s, r, k, e, err);
  const char *near = br_nearest_name(e->key, names, r->ninput);
  bri_note(&s->notes, e->key_at, "%s has no input '%.40s'; %s '%s'%s", owner(r), e->key,
           near ? "did you mean" : "it has", near ? near : names[0],
           near            ? "?"
           : r->ninput > 1 ? " and others"
                           : "");
  return BR_OK;
}

br_status bri_read_inputs(br_study *s, bri_run *r, br_err *err)
{
  const bri_node *in = bri_node_find(r->node, "input");
  if (!in) {
    if (!r->sys)
      bri_note(&s->notes, r->node->at, "run '%s': %s needs an 'input', e.g. input: sine:1mm,2Hz", r->name,
               r->an->face.name);
    return BR_OK; /* inputs of a mechanism may all be held */
  }
  if (in->kind == BRI_SCALAR && r->ninput != 1) {
    bri_note(&s->notes, in->at, "%s has %s; expected input: {%s: SPEC, %s: SPEC}", owner(r),
             r->sys ? "several inputs" : "two axes", input_name(r, 0),
             r->ninput > 1 ? input_name(r, 1) : "...");
    return BR_OK;
  }
  if (in->kind == BRI_SCALAR) {
    if (r->sys && br_params_given(r->params, input_name(r, 0))) {
      bri_note(&s->notes, in->at, "input '%s' is both held under 'set' and driven here: choose one",
               input_name(r, 0));
      return BR_OK;
    }
    return read_signal(s, r, 0, in, err);
  }
  for (const bri_node *e = in->kind == BRI_MAP ? in->first : NULL; e; e = e->next) {
    const br_status st = read_named(s, r, e, err);
    if (st) return st;
  }
  for (size_t a = 0; a < r->ninput && in->kind == BRI_MAP && !r->sys; a++) {
    if (!bri_node_find(in, input_name(r, a)))
      bri_note(&s->notes, in->at, "input '%s' is missing", input_name(r, a));
  }
  return BR_OK;
}

/* The plant, once mechanism, model and inputs are good. */
br_status bri_make_plant(br_study *s, bri_run *r, br_err *err)
{
  br_drive drives[BRI_STUDY_INPUTS];
  br_err why = {BR_OK, -1, ""};
  memset(drives, 0, sizeof drives);
  for (size_t i = 0; i < r->ninput; i++) {
    if (r->inputs[i]) drives[i] = br_drive_signal(r->inputs[i]);
    else drives[i].value = r->held[i];
  }
  const br_status st = br_plant_of(r->sys, r->m, r->params, drives, &r->plant, &why);
  if (st == BR_E_NOMEM) return no_memory(s, err);
  if (st) bri_note(&s->notes, bri_node_find(r->node, "system")->at, "%s", why.msg);
  else r->nstate = br_plant_nstate(r->plant);
  return BR_OK;
}
