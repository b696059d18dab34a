/* SPDX-License-Identifier: Apache-2.0
 * walk.c - from the tree of a study to its runs: which analysis, which options, what is inherited. */
#include <string.h>

#include "analysis/job.h"
#include "ask.h"

/* ---- analysis ---- */

static const br_analysis *analysis_of(const bri_node *map, const bri_node **at, size_t *count)
{
  const br_analysis *an = NULL;
  *count = 0;
  for (size_t i = 0; br_catalogue(i); i++) {
    const bri_node *e = bri_node_find(map, br_catalogue(i)->name);
    if (!e) continue;
    if (!an || (e->key_at.line < (*at)->key_at.line)) an = br_catalogue(i), *at = e;
    ++*count;
  }
  return an;
}

static br_status read_run(br_study *s, bri_run *r, br_err *err)
{
  const bri_node *section = NULL, *label = bri_node_find(r->node, "label");
  size_t count = 0;
  r->label = label && label->kind == BRI_SCALAR ? label->text : r->name;
  r->an = analysis_of(r->node, &section, &count);
  if (!r->an) {
    const char *names[BRI_NAMES];
    char list[160];
    bri_note(&s->notes, r->node->at, "run '%s' has no analysis; expected one of %s", r->name,
             bri_join(names, bri_names_of("analysis", names), sizeof list, list));
    return BR_OK;
  }
  if (count > 1) {
    bri_note(&s->notes, section->key_at,
             "run '%s' has %zu analyses; put each into a run of its own under 'runs'", r->name, count);
    return BR_OK;
  }
  return bri_ask_read(s, r, section, err);
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
  const int preset = bri_node_find(run, "preset") != NULL;
  const int model = preset || bri_node_find(run, "model") || bri_node_find(run, "system");
  for (const bri_node *e = s->root->first; e; e = e->next) {
    const br_study_key *key = bri_study_key_of(BR_KEYS_STUDY, e->key);
    if (key && !bri_study_key_of(BR_KEYS_RUN, e->key)) continue;
    if (!key && own && !bri_node_find(run, e->key)) continue;
    if (model && (strcmp(e->key, "set") == 0 || strcmp(e->key, "init") == 0 || strcmp(e->key, "preset") == 0))
      continue;
    if (preset && strcmp(e->key, "model") == 0) continue;
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
  if (!s->runs) return bri_study_no_memory(s, err);
  if (!fits(s, runs, n)) return BR_OK;
  if (runs && n == 0) bri_note(&s->notes, runs->key_at, "'runs' is empty; leave it out or name a run");
  if (n == 0) { /* the study itself is the one run, called like its analysis */
    const bri_node *at = NULL;
    size_t count = 0;
    const br_analysis *an = analysis_of(s->root, &at, &count);
    const bri_node empty = {.kind = BRI_MAP, .text = "", .at = s->root->at, .key_at = s->root->at};
    s->runs[0].node = run_node(s, &empty);
    s->runs[0].name = an ? an->name : "run";
    s->nruns = 1;
    return s->runs[0].node ? BR_OK : bri_study_no_memory(s, err);
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
    if (!r->node) return bri_study_no_memory(s, err);
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
