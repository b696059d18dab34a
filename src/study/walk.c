/* SPDX-License-Identifier: Apache-2.0
 * walk.c - from the tree of a study to its runs: which analysis, which options, what is inherited. */
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "bristle/text.h"
#include "setup.h"

static br_status no_memory(const br_study *s, br_err *err)
{
  return bri_text_fail(err, BR_E_NOMEM, -1, "%s: out of memory", s->path);
}

/* ---- analysis ---- */

static const bri_analysis *analysis_of(const bri_node *map, const bri_node **at, size_t *count)
{
  const bri_analysis *an = NULL;
  *count = 0;
  for (size_t i = 0; bri_analyses[i]; i++) {
    const bri_node *e = bri_node_find(map, bri_analyses[i]->face.name);
    if (!e) continue;
    if (!an || (e->key_at.line < (*at)->key_at.line)) an = bri_analyses[i], *at = e;
    ++*count;
  }
  return an;
}

static int is_text(const br_param *row) { return strcmp(row->unit, "text") == 0; }

static const br_param *option_named(const br_section *a, const char *name)
{
  for (size_t i = 0; i < a->noptions; i++) {
    if (strcmp(a->options[i].name, name) == 0) return &a->options[i];
  }
  return NULL;
}

/* Options that are texts into the run; *rest has the others, which are numbers. */
static br_status read_texts(br_study *s, bri_run *r, const bri_node *section, bri_node *rest, br_err *err)
{
  const br_section *a = &r->an->face;
  *rest = *section;
  if (section->kind != BRI_MAP || a->noptions == 0 || !is_text(&a->options[a->noptions - 1])) return BR_OK;
  rest->first = rest->last = NULL;
  for (const bri_node *e = section->first; e; e = e->next) {
    const br_param *row = option_named(a, e->key);
    if (row && is_text(row)) {
      if (e->kind == BRI_SCALAR && e->text[0]) {
        r->text[row->slot] = bri_spec_of(s, e);
        if (!r->text[row->slot]) return no_memory(s, err);
      } else bri_note(&s->notes, e->at, "'%s' must be a text: %s", e->key, row->doc);
      continue;
    }
    if (!row) {
      const char *names[64];
      size_t n = 0;
      for (; n < a->noptions && n < 64; n++) names[n] = a->options[n].name;
      const char *near = br_nearest_name(e->key, names, n);
      bri_note(&s->notes, e->key_at, "%s has no option '%.60s'%s%s%s", a->name, e->key,
               near ? "; did you mean '" : "; 'bristle schema' lists them", near ? near : "",
               near ? "'?" : "");
      continue;
    }
    bri_node *k = bri_arena_get(s->arena, sizeof *k);
    if (!k) return no_memory(s, err);
    *k = *e;
    k->next = NULL;
    bri_node_append(rest, k);
  }
  return BR_OK;
}

static br_status read_options(br_study *s, bri_run *r, const bri_node *section, br_err *err)
{
  const br_section *a = &r->an->face;
  size_t numbers = a->noptions;
  while (numbers && is_text(&a->options[numbers - 1])) numbers--;
  const br_param_table table = {a->name, a->name, a->options, numbers, r->an->slots,
                                0,       NULL,    NULL,       NULL,    NULL};
  const size_t found = s->notes.n;
  bri_node rest;
  br_status st = read_texts(s, r, section, &rest, err);
  if (!st) st = br_params_create_tables(&table, 1, &r->options, err);
  if (!st) st = bri_set_map(s, r->options, &rest, "option", err);
  if (st) return st;
  if (s->notes.n == found) bri_finish_params(s, r->options, &rest, a->options, numbers, section->at);
  r->opt = br_params_block(r->options, a->name);
  return BR_OK;
}

static br_status read_run(br_study *s, bri_run *r, br_err *err)
{
  const bri_node *section = NULL, *label = bri_node_find(r->node, "label");
  size_t count = 0;
  r->label = label && label->kind == BRI_SCALAR ? label->text : r->name;
  r->an = analysis_of(r->node, &section, &count);
  if (!r->an) {
    char list[160] = "";
    for (size_t i = 0, used = 0; bri_analyses[i] && used < sizeof list; i++) {
      const int w =
          snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", bri_analyses[i]->face.name);
      used += w > 0 ? (size_t)w : 0;
    }
    bri_note(&s->notes, r->node->at, "run '%s' has no analysis; expected one of %s", r->name, list);
    return BR_OK;
  }
  if (count > 1) {
    bri_note(&s->notes, section->key_at,
             "run '%s' has %zu analyses; put each into a run of its own under 'runs'", r->name, count);
    return BR_OK;
  }
  br_status st = bri_asks(r->an) ? bri_ask_options(s, r, section, err) : read_options(s, r, section, err);
  if (!st) st = bri_read_model(s, r, err);
  if (st || !r->m) return st;
  if (r->axes > 1 && !bri_takes_two_axes(r->an)) {
    bri_note(&s->notes, section->key_at, "%s has two axes, which %s cannot take", r->m->name,
             r->an->face.name);
    return BR_OK;
  }
  const size_t found = s->notes.n;
  if (bri_wants_input(r->an)) st = bri_read_inputs(s, r, err);
  if (!st && r->sys && r->par && s->notes.n == found) st = bri_make_plant(s, r, err);
  if (!st && r->par && (!r->sys || r->plant)) st = bri_read_init(s, r, err);
  if (!st && r->job && r->par && s->notes.n == found) bri_ask_check(s, r, section);
  return st;
}

/* The study's keys with those of one run on top; keys that belong to the study as a whole stay away, and a
 * run that has an analysis, or a model, of its own does not take the study's. */
static bri_node *run_node(br_study *s, const bri_node *run)
{
  const bri_node *ignored = NULL;
  size_t own = 0;
  (void)analysis_of(run, &ignored, &own);
  bri_node base = *s->root;
  base.first = base.last = NULL;
  const int model = bri_node_find(run, "model") || bri_node_find(run, "system");
  for (const bri_node *e = s->root->first; e; e = e->next) {
    const br_study_key *key = bri_study_key_of(BR_KEYS_STUDY, e->key);
    if (key && !bri_study_key_of(BR_KEYS_RUN, e->key)) continue;
    if (!key && own && !bri_node_find(run, e->key)) continue;
    if (model && (strcmp(e->key, "set") == 0 || strcmp(e->key, "init") == 0)) continue;
    bri_node *k = bri_arena_get(s->arena, sizeof *k);
    if (!k) return NULL;
    *k = *e;
    bri_node_append(&base, k);
  }
  bri_node *out = bri_node_merge(s->arena, &base, run);
  if (out) out->at = run->key ? run->key_at : run->at;
  return out;
}

static size_t count_nodes(const bri_node *n)
{
  size_t sum = 1;
  for (const bri_node *e = n->first; e; e = e->next) sum += count_nodes(e);
  return sum;
}

/* Every run takes a copy of the study's keys: many of both would not fit into memory. */
static int fits(br_study *s, const bri_node *runs, size_t n)
{
  enum { MOST = 20 * BRI_STUDY_NODES };
  const size_t each = count_nodes(s->root) - (runs ? count_nodes(runs) : 0);
  if (n == 0 || each <= MOST / n) return 1;
  bri_note(&s->notes, runs->key_at,
           "%zu runs, each with the %zu values of the study: at most %d values in all", n, each, MOST);
  return 0;
}

static br_status make_runs(br_study *s, br_err *err)
{
  const bri_node *runs = bri_node_find(s->root, "runs");
  size_t n = 0;
  for (const bri_node *e = runs && runs->kind == BRI_MAP ? runs->first : NULL; e; e = e->next) n++;
  s->runs = bri_arena_get(s->arena, (n + 1) * sizeof *s->runs);
  if (!s->runs) return no_memory(s, err);
  if (!fits(s, runs, n)) return BR_OK;
  if (runs && n == 0) bri_note(&s->notes, runs->key_at, "'runs' is empty; leave it out or name a run");
  if (n == 0) { /* the study itself is the one run, called like its analysis */
    const bri_node *at = NULL;
    size_t count = 0;
    const bri_analysis *an = analysis_of(s->root, &at, &count);
    const bri_node empty = {.kind = BRI_MAP, .text = "", .at = s->root->at, .key_at = s->root->at};
    s->runs[0].node = run_node(s, &empty);
    s->runs[0].name = an ? an->face.name : "run";
    s->nruns = 1;
    return s->runs[0].node ? BR_OK : no_memory(s, err);
  }
  for (const bri_node *e = runs->first; e; e = e->next) {
    bri_study_check_map(s, e, "a run", BR_KEYS_RUN, 1);
    if (!bri_study_good_name(s, e, "run name", "._-=") || (e->kind != BRI_MAP && !bri_node_is_empty(e)))
      continue;
    bri_node own = *e;
    own.kind = BRI_MAP;
    bri_run *r = &s->runs[s->nruns];
    r->node = run_node(s, &own);
    r->name = e->key;
    if (!r->node) return no_memory(s, err);
    s->nruns++;
  }
  return BR_OK;
}

br_status bri_study_walk(br_study *s, br_err *err)
{
  const bri_node *title = bri_node_find(s->root, "title");
  if (title && title->kind == BRI_SCALAR && title->text[0]) s->title = title->text;
  bri_study_check_map(s, s->root, "a study", BR_KEYS_STUDY, 1);
  br_status st = make_runs(s, err);
  for (size_t i = 0; i < s->nruns && !st; i++) st = read_run(s, &s->runs[i], err);
  if (!st) bri_study_check_outputs(s);
  return st;
}
