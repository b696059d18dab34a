/* SPDX-License-Identifier: Apache-2.0
 * record.c - the record of a finished run (NAME.json), written last and read back by --resume.
 * Numbers are written so that they read back exactly: a resumed study has the same bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"
#include "analysis/job.h"
#include "bristle/text.h"

enum { RECORD_BYTES = 64 << 20 };

void bri_study_path(const br_study *s, const char *file, char path[BRI_STUDY_PATH])
{
  (void)snprintf(path, BRI_STUDY_PATH, "%s/%s", s->folder, file);
}

static void record_path(const br_study *s, const bri_run *r, char path[BRI_STUDY_PATH])
{
  char file[160];
  (void)snprintf(file, sizeof file, "%s.json", r->name);
  bri_study_path(s, file, path);
}

/* What is in a file. */
static br_status add_file(void *ctx, bri_buf *b, const char *path, br_err *err)
{
  char sha[BRI_SHA_TEXT];
  (void)ctx;
  const br_status st = bri_sha256_file(path, sha, err);
  if (!st) bri_buf_printf(b, "file %s\n", sha);
  return st;
}

static br_status name_alone(void *ctx, bri_buf *b, const char *path, br_err *err)
{
  (void)ctx, (void)b, (void)path, (void)err;
  return BR_OK;
}

const char *bri_run_model(const bri_run *r) { return r->m ? r->m->name : ""; }

int bri_run_same(const bri_run *a, const bri_run *b)
{
  bri_buf x = {0}, y = {0};
  const int same = a->good && b->good && !bri_job_key(a->job, &x, name_alone, NULL, NULL) &&
                   !bri_job_key(b->job, &y, name_alone, NULL, NULL) && strcmp(x.text, y.text) == 0;
  bri_buf_free(&x);
  bri_buf_free(&y);
  return same;
}

br_status bri_run_key(const br_study *s, const bri_run *r, char key[BRI_SHA_TEXT], br_err *err)
{
  bri_buf b = {0};
  const bri_node *output = bri_node_find(s->root, "output");
  const br_status st = bri_job_key(r->job, &b, add_file, NULL, err);
  if (s->units) bri_buf_printf(&b, "units %s\n", bri_node_text(output, "units", ""));
  if (!st) bri_sha256_text(b.text, b.used, key);
  bri_buf_free(&b);
  return st;
}

static void print_table(bri_buf *b, const bri_table *t)
{
  bri_buf_text(b, "    {\"name\": ");
  bri_buf_json(b, t->name);
  bri_buf_text(b, ", \"file\": ");
  bri_buf_json(b, t->file);
  bri_buf_printf(b, ", \"rows\": %zu, \"sha256\": \"%s\", \"columns\": [", t->rows, t->sha);
  for (size_t i = 0; i < t->ncol; i++) {
    bri_buf_text(b, i ? ", {\"name\": " : "{\"name\": ");
    bri_buf_json(b, t->names[i]);
    bri_buf_text(b, ", \"unit\": ");
    bri_buf_json(b, t->units[i]);
    bri_buf_text(b, "}");
  }
  bri_buf_text(b, "]}");
}

br_status bri_record_save(const br_study *s, const bri_run *r, const char *key, br_err *err)
{
  bri_buf b = {0};
  char path[BRI_STUDY_PATH];
  bri_buf_text(&b, "{\n  \"run\": ");
  bri_buf_json(&b, r->name);
  bri_buf_printf(
      &b, ",\n  \"analysis\": \"%s\",\n  \"model\": \"%s\",\n  \"key\": \"%s\",\n  \"quantities\": [\n",
      r->an->name, bri_run_model(r), key);
  for (size_t i = 0; i < r->res.nquantities; i++) {
    const bri_quantity *q = &r->res.quantities[i];
    bri_buf_text(&b, "    {\"name\": ");
    bri_buf_json(&b, q->name);
    bri_buf_text(&b, ", \"unit\": ");
    bri_buf_json(&b, q->unit);
    bri_buf_text(&b, ", \"value\": ");
    if (q->text) bri_buf_json(&b, q->text);
    else bri_buf_number(&b, q->value, "null");
    bri_buf_printf(&b, ", \"kind\": \"%s\"}%s\n",
                   q->text    ? q->shown ? "text" : "label"
                   : q->shown ? "number"
                              : "extreme",
                   i + 1 < r->res.nquantities ? "," : "");
  }
  bri_buf_text(&b, "  ],\n  \"tables\": [\n");
  for (size_t i = 0; i < r->res.ntables; i++) {
    print_table(&b, &r->res.tables[i]);
    bri_buf_text(&b, i + 1 < r->res.ntables ? ",\n" : "\n");
  }
  bri_buf_text(&b, "  ]\n}\n");
  record_path(s, r, path);
  const br_status st = bri_buf_save(&b, path, err);
  bri_buf_free(&b);
  return st;
}

/* ---- reading back: JSON is YAML ---- */

static const char *field(const bri_node *map, const char *key) { return bri_node_text(map, key, ""); }

static int load_quantities(br_study *s, bri_run *r, const bri_node *list)
{
  for (const bri_node *e = list ? list->first : NULL; e; e = e->next) {
    const char *kind = field(e, "kind"), *text = field(e, "value");
    bri_quantity *q = bri_result_add(s->arena, &r->res, field(e, "name"), field(e, "unit"));
    if (!q) return 0;
    if (strcmp(kind, "text") == 0 || strcmp(kind, "label") == 0) {
      q->text = text;
      q->shown = kind[0] == 't';
      continue;
    }
    q->shown = strcmp(kind, "number") == 0;
    if (br_parse_double(text, strlen(text), &q->value) != strlen(text)) q->value = NAN; /* null */
  }
  return 1;
}

static int load_table(br_study *s, bri_run *r, const bri_node *e)
{
  char path[BRI_STUDY_PATH], sha[BRI_SHA_TEXT];
  const bri_node *columns = bri_node_find(e, "columns");
  bri_table *t = bri_result_table(&r->res);
  size_t ncol = 0;
  if (!t || !columns || strlen(field(e, "sha256")) != BRI_SHA_TEXT - 1) return 0;
  t->name = field(e, "name");
  t->file = field(e, "file");
  t->rows = (size_t)strtoull(field(e, "rows"), NULL, 10);
  memcpy(t->sha, field(e, "sha256"), BRI_SHA_TEXT);
  for (const bri_node *c = columns->first; c; c = c->next) ncol++;
  if (!bri_table_room(s->arena, t, ncol) || strchr(t->file, '/')) return 0;
  size_t i = 0;
  for (const bri_node *c = columns->first; c; c = c->next, i++) {
    t->names[i] = field(c, "name");
    t->units[i] = field(c, "unit");
  }
  bri_study_path(s, t->file, path);
  return bri_sha256_file(path, sha, NULL) == BR_OK && strcmp(sha, t->sha) == 0;
}

static int load_tree(br_study *s, bri_run *r, const bri_node *root, const char *key)
{
  const bri_node *tables = bri_node_find(root, "tables");
  if (strcmp(field(root, "key"), key) != 0 || !tables) return 0;
  if (!load_quantities(s, r, bri_node_find(root, "quantities"))) return 0;
  for (const bri_node *e = tables->first; e; e = e->next)
    if (!load_table(s, r, e)) return 0;
  return 1;
}

int bri_record_load(br_study *s, bri_run *r, const char *key)
{
  char path[BRI_STUDY_PATH];
  bri_buf text = {0};
  bri_node *root = NULL;
  bri_notes *notes = bri_arena_get(s->arena, sizeof *notes);
  record_path(s, r, path);
  const char *file = bri_arena_text(s->arena, path, strlen(path));
  int good = notes && file && bri_buf_load(&text, path, RECORD_BYTES, NULL) == BR_OK;
  if (good) {
    notes->arena = s->arena;
    good = bri_yaml_read(s->arena, file, text.text, text.used, notes, &root, NULL) == BR_OK && root &&
           load_tree(s, r, root, key);
  }
  bri_buf_free(&text);
  if (!good) r->res.nquantities = r->res.ntables = 0; /* compute it again */
  return good;
}
