/* SPDX-License-Identifier: Apache-2.0
 * figures.c - the figures of the documents for the lab: what their studies compute, as JSON. */
#include <stdio.h>
#include <string.h>

#include "study/study.h"
#include "text/buf.h"

static void put_pair(bri_buf *to, const char *group, const char *name, const bri_node *v, size_t *told)
{
  bri_buf key = {0}, text = {0};
  bri_buf_printf(&key, "%s%s%s", group, group[0] ? "." : "", name);
  if (v->kind == BRI_SCALAR) bri_buf_text(&text, v->text);
  for (const bri_node *m = v->kind == BRI_SEQ ? v->first : NULL; m; m = m->next)
    bri_buf_printf(&text, "%s%s", text.used ? "," : "", m->kind == BRI_SCALAR ? m->text : "");
  bri_buf_text(to, (*told)++ ? "," : ""), bri_buf_json(to, key.text ? key.text : ""), bri_buf_text(to, ":");
  bri_buf_json(to, text.text ? text.text : "");
  bri_buf_free(&key), bri_buf_free(&text);
}

static void put_map(bri_buf *to, const char *group, const bri_node *map, size_t *told)
{
  for (const bri_node *m = map && map->kind == BRI_MAP ? map->first : NULL; m; m = m->next)
    put_pair(to, group, m->key, m, told);
}

static void put_run(bri_buf *to, const bri_run *run)
{
  static const char *const WORDS[] = {"preset", "model", "system"}, *const GROUPS[] = {"set", "input",
                                                                                       "init"};
  size_t told = 0;
  bri_buf_text(to, "{\"name\":"), bri_buf_json(to, run->name);
  bri_buf_text(to, ",\"label\":"), bri_buf_json(to, run->label ? run->label : "");
  bri_buf_text(to, ",\"analysis\":"), bri_buf_json(to, run->an->alias_of ? run->an->alias_of : run->an->name);
  bri_buf_text(to, ",\"pairs\":{");
  for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
    const bri_node *v = bri_node_find(run->node, WORDS[i]);
    if (v && v->kind == BRI_SCALAR && v->text[0]) put_pair(to, "", WORDS[i], v, &told);
  }
  for (size_t i = 0; i < sizeof GROUPS / sizeof GROUPS[0]; i++) {
    const bri_node *v = bri_node_find(run->node, GROUPS[i]);
    if (v && v->kind == BRI_MAP) put_map(to, GROUPS[i], v, &told);
    else if (v && v->kind == BRI_SCALAR && v->text[0]) put_pair(to, "", GROUPS[i], v, &told);
  }
  put_map(to, "", bri_node_find(run->node, run->an->name), &told);
  if (run->an->alias_of && run->an->preset) { /* "waveform=yes" */
    const size_t n = strcspn(run->an->preset, "=");
    bri_buf_printf(to, "%s\"%.*s\":", told ? "," : "", (int)n, run->an->preset);
    bri_buf_json(to, run->an->preset[n] ? run->an->preset + n + 1 : "yes");
  }
  bri_buf_text(to, "}}");
}

/* 1: told. */
static int put_study(bri_buf *to, const br_study *s, int more)
{
  const bri_node *source = bri_node_find(s->root, "source");
  const char *document = bri_node_text(source, "document", "");
  size_t told = 0;
  if (!document[0]) return 0;
  bri_buf_text(to, more ? ",\n{\"name\":" : "{\"name\":"), bri_buf_json(to, s->name);
  bri_buf_text(to, ",\"document\":"), bri_buf_json(to, document);
  bri_buf_text(to, ",\"figure\":"), bri_buf_json(to, bri_node_text(source, "figure", ""));
  bri_buf_text(to, ",\"title\":"), bri_buf_json(to, s->title ? s->title : s->name);
  bri_buf_text(to, ",\"about\":"), bri_buf_json(to, bri_node_text(s->root, "about", ""));
  bri_buf_text(to, ",\"runs\":[");
  for (size_t i = 0; i < s->nruns; i++)
    if (s->runs[i].an) bri_buf_text(to, told++ ? "," : ""), put_run(to, &s->runs[i]);
  bri_buf_text(to, "]}");
  return 1;
}

static void put_documents(bri_buf *to, const char *path)
{
  br_err err;
  bri_buf text = {0};
  bri_arena *arena = bri_arena_create();
  static bri_notes notes;
  bri_node *root = NULL;
  notes.arena = arena;
  if (arena && !bri_buf_load(&text, path, BRI_STUDY_BYTES, &err) &&
      !bri_yaml_read(arena, path, text.text, text.used, &notes, &root, &err)) {
    const bri_node *all = bri_node_find(root, "documents");
    for (const bri_node *d = all ? all->first : NULL; d; d = d->next) {
      bri_buf_text(to, d == all->first ? "{\"name\":" : ",{\"name\":"), bri_buf_json(to, d->key);
      bri_buf_text(to, ",\"title\":"), bri_buf_json(to, bri_node_text(d, "title", ""));
      bri_buf_text(to, ",\"authors\":"), bri_buf_json(to, bri_node_text(d, "authors", "")),
          bri_buf_text(to, "}");
    }
  }
  bri_buf_free(&text);
  bri_arena_destroy(arena);
}

int main(int argc, char **argv)
{
  bri_buf out = {0};
  int told = 0;
  if (argc < 3) return fputs("usage: figures FOLDER/_report.yaml STUDY.yaml ...\n", stderr), 2;
  bri_buf_text(&out, "{\"documents\":[");
  put_documents(&out, argv[1]);
  bri_buf_text(&out, "],\"figures\":[");
  for (int i = 2; i < argc; i++) {
    br_study *s = NULL;
    br_err err;
    if (br_study_load(argv[i], NULL, &s, &err) == BR_OK) told += put_study(&out, s, told);
    else (void)fprintf(stderr, "figures: %s cannot be read\n", argv[i]);
    br_study_destroy(s);
  }
  bri_buf_text(&out, "]}\n");
  const int bad = out.failed || !told || fputs(out.text, stdout) < 0;
  bri_buf_free(&out);
  return bad;
}
