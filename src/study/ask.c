/* SPDX-License-Identifier: Apache-2.0
 * ask.c - the keys of a run to its job; older names of quantities; pictures of the catalogue as keys of
 * plots. */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/job.h"
#include "analysis/result.h"
#include "bristle/expr.h"
#include "bristle/text.h"
#include "signal/spec_file.h"
#include "base/alloc.h"

/* ---- keys to a job ---- */

/* A run on its way into its job. */
typedef struct {
  br_study *s;
  bri_run *r;
  const bri_node *section; /* options */
} asking;

/* A text in which a signal's file is looked for beside the study that names it.  NULL: out of memory. */
static const char *spec_of(br_study *s, const br_analysis *a, const bri_node *n)
{
  size_t k = 0, length = 0;
  if (!bri_option_file(a, n->key ? n->key : "", n->text, &length) && !bri_signal_file(n->text, &k, &length))
    return n->text;
  const char *path = bri_study_beside(s->arena, n->at.file, n->text + k, strlen(n->text + k));
  char *out = path ? bri_arena_get(s->arena, k + strlen(path) + 1) : NULL;
  if (out) memcpy(out, n->text, k), memcpy(out + k, path, strlen(path) + 1);
  return out;
}

/* What a key says as one text: a scalar, or a list or map with commas between.  NULL: out of memory. */
static const char *value_of(br_study *s, const br_analysis *a, const bri_node *e)
{
  bri_buf b = {0};
  if (e->kind == BRI_SCALAR) return spec_of(s, a, e);
  for (const bri_node *k = e->first; k; k = k->next)
    bri_buf_printf(&b, "%s%s%s%s", k == e->first ? "" : ",", e->kind == BRI_MAP ? k->key : "",
                   e->kind == BRI_MAP ? "=" : "", k->kind == BRI_SCALAR ? k->text : "?");
  const char *text = b.failed ? NULL : bri_arena_text(s->arena, b.text ? b.text : "", b.used);
  bri_buf_free(&b);
  return text;
}

static void unknown_option(const asking *q, const bri_node *e)
{
  const br_analysis *a = br_job_analysis(q->r->job);
  const char *names[64];
  char hint[BRI_HINT];
  size_t n = 0;
  for (; n < a->noptions && n < 64; n++) names[n] = a->options[n].name;
  bri_note(&q->s->notes, e->key_at, "%s has no option '%.60s'%s", a->name, e->key,
           bri_hint(e->key, names, n, "; 'bristle schema' lists them", hint));
}

static br_status set_options(const asking *q, br_err *err)
{
  br_study *s = q->s;
  for (const bri_node *e = q->section->kind == BRI_MAP ? q->section->first : NULL; e; e = e->next) {
    const br_option *row = br_analysis_option(br_job_analysis(q->r->job), e->key);
    const char *text = value_of(s, br_job_analysis(q->r->job), e);
    br_err why = {BR_OK, -1, ""};
    if (!text) return bri_study_no_memory(s, err);
    if (!row) unknown_option(q, e); /* what else a job takes by name has keys of its own here */
    else if (!text[0]) bri_note(&s->notes, e->at, "'%s' is empty: %s", e->key, row->doc);
    else if (br_job_set(q->r->job, e->key, text, NULL, &why)) {
      if (why.code == BR_E_NOMEM) return bri_study_no_memory(s, err);
      bri_note(&s->notes, e->at, "%s", why.msg); /* the note has the place */
    }
  }
  return BR_OK;
}

/* The entry of a map that must be a number, a formula or a list of numbers; 0 after a note. */
static int good_entry(const asking *q, const char *part, const bri_node *e)
{
  if (strcmp(part, "input") == 0 && e->kind != BRI_SCALAR) {
    bri_note(&q->s->notes, e->at, "an input is a text such as sine:1mm,2Hz");
    return 0;
  }
  if (e->kind == BRI_MAP) {
    bri_note(&q->s->notes, e->at, "'%s' is a map; expected a number, with or without unit", e->key);
    return 0;
  }
  for (const bri_node *k = e->first; k; k = k->next) {
    if (k->kind == BRI_SCALAR && !strpbrk(k->text, ",=")) continue;
    bri_note(&q->s->notes, k->at, "an element of '%s' must be one number", e->key);
    return 0;
  }
  return 1;
}

/* 'set', 'input' or 'init'. */
static br_status set_part(const asking *q, const char *part, br_err *err)
{
  const bri_node *n = bri_node_find(q->r->node, part);
  const int scalar = n && n->kind == BRI_SCALAR && strcmp(part, "set") != 0;
  for (const bri_node *e = scalar                    ? n
                           : n && n->kind == BRI_MAP ? n->first
                                                     : NULL;
       e; e = scalar ? NULL : e->next) {
    if (!scalar && !good_entry(q, part, e)) continue;
    const char *text = value_of(q->s, NULL, e);
    br_err why = {BR_OK, -1, ""};
    if (text && bri_job_add(q->r->job, part, scalar ? NULL : e->key, text, NULL, &why) &&
        why.code != BR_E_NOMEM)
      bri_note(&q->s->notes, e->at, "%s", why.msg);
    if (!text || why.code == BR_E_NOMEM) return bri_study_no_memory(q->s, err);
  }
  return BR_OK;
}

static br_status set_name(const asking *q, const char *part, br_err *err)
{
  const bri_node *n = bri_node_find(q->r->node, part);
  const int is_system = strcmp(part, "system") == 0;
  const bri_node *own = is_system && !n ? bri_node_find(q->r->node, "mechanism") : NULL;
  if (own) return br_job_set(q->r->job, part, own->at.file, NULL, err);
  if (!n || n->kind != BRI_SCALAR) return BR_OK;
  const char *text = n->text;
  if (is_system && br_mechanism_named(text))
    text = bri_study_beside(q->s->arena, n->at.file, text, strlen(text));
  return text ? br_job_set(q->r->job, part, text, NULL, err) : bri_study_no_memory(q->s, err);
}

/* ---- what the job finds wrong, as notes ---- */

/* The place of the parameter that a rule's message names, where the file gives it. */
static bri_place rule_place(const bri_node *set, const char *message)
{
  bri_place at = set->at;
  for (const bri_node *e = set->first; e; e = e->next) {
    char word[80];
    (void)snprintf(word, sizeof word, "parameter %.60s ", e->key ? e->key : "");
    if (strstr(message, word)) at = e->at;
  }
  return at;
}

static bri_place value_place(const bri_node *e, int element, const br_err *why)
{
  if (element == BRI_AT_NAME) return e->key_at;
  for (const bri_node *k = e->first; k && element >= 0; k = k->next, element--)
    if (element == 0) return k->at;
  bri_place at = e->at;
  if (why->index >= 0 && e->kind == BRI_SCALAR && e->inset >= 0)
    at.column += (size_t)e->inset + (size_t)why->index;
  return at;
}

static void note_fault(void *ctx, const char *part, const char *name, int element, const br_err *why)
{
  const asking *q = ctx;
  const bri_node *node = q->r->node, *n = part[0] ? bri_node_find(node, part) : q->section,
                 *e = n && name ? bri_node_find(n, name) : NULL;
  const br_option *row = part[0] || !name ? NULL : br_analysis_option(br_job_analysis(q->r->job), name);
  if (!e && row && row->alias) e = bri_node_find(n, row->alias);
  if (!n && strcmp(part, "set") == 0) n = bri_node_find(node, "model"); /* a rule that the defaults break */
  else if (n && !e && n->kind == BRI_SEQ) return;                       /* told as a key of the wrong kind */
  if (!n) bri_note(&q->s->notes, node->at, "run '%s': %s", q->r->name, why->msg);
  else
    bri_note(&q->s->notes,
             e                                    ? value_place(e, element, why)
             : strcmp(part, "set") == 0           ? rule_place(n, why->msg)
             : !part[0] || element == BRI_AT_NAME ? n->key_at
                                                  : value_place(n, element, why),
             "%s", why->msg);
}

br_status bri_ask_read(br_study *s, bri_run *r, const bri_node *section, br_err *err)
{
  const br_analysis *a = r->an;
  asking q = {s, r, section};
  br_err why = {BR_OK, -1, ""};
  const size_t found = s->notes.n;
  br_status st = br_job_create(a, &r->job, err);
  if (!st) st = set_options(&q, err);
  if (!st && ((a->needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL)) || br_analysis_option(a, "model")))
    st = set_name(&q, "model", err);
  if (!st && (a->needs & (BR_NEEDS_MODEL | BR_TAKES_MODEL))) st = set_name(&q, "preset", err);
  if (!st && ((a->needs & BR_NEEDS_SYSTEM) || br_analysis_option(a, "system")))
    st = set_name(&q, "system", err);
  if (!st) st = set_part(&q, "set", err);
  if (!st && (a->needs & BR_NEEDS_INPUT)) st = set_part(&q, "input", err);
  if (!st) st = set_part(&q, "init", err);
  if (st) return st;
  bri_job_on_fault(r->job, note_fault, &q);
  st = br_job_check(r->job, &why);
  bri_job_on_fault(r->job, NULL, NULL);
  if (st == BR_E_NOMEM) return bri_study_no_memory(s, err);
  if (st && s->notes.n == found) bri_note(&s->notes, section->key_at, "%s", why.msg);
  if (st || s->notes.n > found) return BR_OK;
  r->good = 1;
  r->m = br_job_model(r->job);
  const bri_node *model = bri_node_find(r->node, "model"); /* named, though the analysis does without */
  if (!r->m && model && model->kind == BRI_SCALAR) r->m = br_all_models_find(model->text);
  return BR_OK;
}

/* ---- older names ---- */

const char *bri_ask_name(const bri_run *r, const char *name, size_t size, char *buf)
{
  const br_analysis *a = r->an;
  for (size_t i = 0; i < a->naliases; i++) {
    const char *old = a->aliases[i].old, *now = a->aliases[i].now;
    const size_t n = strcspn(old, "*"), m = strcspn(now, "*"), length = strlen(name);
    if (strcmp(old, name) == 0) return now;
    if (!old[n] || strncmp(old, name, n) != 0) continue;
    const size_t tail = strlen(old + n + 1); /* what stands behind the star */
    if (length < n + tail || strcmp(name + length - tail, old + n + 1) != 0) continue;
    (void)snprintf(buf, size, "%.*s%.*s%s", (int)m, now, (int)(length - n - tail), name + n, now + m + 1);
    return buf;
  }
  return name;
}

/* ---- pictures as keys of a plot ---- */

static const bri_place NOWHERE = {"picture", 1, 1};

static bri_node *child(bri_arena *arena, bri_node *parent, bri_node_kind kind, const char *key,
                       const char *text)
{
  bri_node *n = parent ? bri_node_create(arena, kind, text ? text : "", NOWHERE) : NULL;
  if (!n) return NULL;
  n->key = key;
  bri_node_append(parent, n);
  return n;
}

/* A key that may be left out. */
static int text_key(bri_arena *arena, bri_node *map, const char *key, const char *text)
{
  return !text || child(arena, map, BRI_SCALAR, key, text);
}

static int number_key(bri_arena *arena, bri_node *map, const char *key, size_t x)
{
  char text[24];
  (void)snprintf(text, sizeof text, "%zu", x);
  const char *copy = bri_arena_text(arena, text, strlen(text));
  return copy && child(arena, map, BRI_SCALAR, key, copy);
}

/* usual: lines without style are grey. */
static int add_line(bri_arena *arena, bri_node *lines, const br_picture_line *l, int usual)
{
  bri_node *line = child(arena, lines, BRI_MAP, NULL, NULL);
  return line && text_key(arena, line, "table", l->table) &&
         text_key(arena, line, "style", l->style || !usual ? l->style : "muted") &&
         text_key(arena, line, "label", l->label) && text_key(arena, line, "x", l->x) &&
         text_key(arena, line, "y", l->y) && text_key(arena, line, "value", l->value) &&
         text_key(arena, line, "minus", l->minus) &&
         text_key(arena, line, "joined", l->joined ? "yes" : NULL) &&
         (!l->colour || number_key(arena, line, "colour", (size_t)l->colour - 1)) &&
         (!l->most || number_key(arena, line, "most", l->most));
}

static int add_panel(bri_arena *arena, bri_node *panel, const br_picture_panel *p, int usual)
{
  bri_node *lines = child(arena, panel, BRI_SEQ, "lines", NULL);
  int good = lines && text_key(arena, panel, "x", p->x) && text_key(arena, panel, "y", p->y) &&
             text_key(arena, panel, "xlabel", p->xlabel) && text_key(arena, panel, "ylabel", p->ylabel) &&
             text_key(arena, panel, "value", p->value) && text_key(arena, panel, "scale", p->scale) &&
             text_key(arena, panel, "under", p->under ? "yes" : NULL);
  for (size_t i = 0; i < p->nlines && good; i++) good = add_line(arena, lines, &p->lines[i], usual);
  return good;
}

/* Has one of the runs (of this name, of this analysis; NULL: any) such a table? */
static int has_table(const br_study *s, const char *run, const br_analysis *an, const char *pattern)
{
  for (size_t i = 0; i < s->nruns; i++) {
    const bri_run *r = &s->runs[i];
    if ((run && strcmp(r->name, run) != 0) || (an && r->an != an)) continue;
    for (size_t k = 0; k < r->res.ntables; k++)
      if (bri_name_fits(r->res.tables[k].name, pattern)) return 1;
  }
  return 0;
}

bri_node *bri_picture_keys(const br_study *s, bri_arena *arena, const br_picture *p, const char *run,
                           const br_analysis *an)
{
  bri_node *root = bri_node_create(arena, BRI_MAP, "", NOWHERE);
  const int single = p->npanels == 1 && !an && !p->panels[0].when;
  if (root && an && run) {
    char title[256];
    (void)snprintf(title, sizeof title, "%.160s: %.80s", s->title, bri_study_run_named(s, run)->label);
    if (!text_key(arena, root, "run", run) ||
        !text_key(arena, root, "title", bri_arena_text(arena, title, strlen(title))))
      return NULL;
  }
  if (!root || single) return root && add_panel(arena, root, &p->panels[0], 0) ? root : NULL;
  bri_node *panels = child(arena, root, BRI_SEQ, "panels", NULL);
  for (size_t i = 0; i < p->npanels && panels; i++) {
    if (p->panels[i].when && !has_table(s, run, an, p->panels[i].when)) continue;
    bri_node *panel = child(arena, panels, BRI_MAP, NULL, NULL);
    if (!panel || !add_panel(arena, panel, &p->panels[i], an != NULL)) return NULL;
  }
  return panels ? root : NULL;
}
