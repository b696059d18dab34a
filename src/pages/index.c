/* SPDX-License-Identifier: Apache-2.0
 * index.c - the list of a folder of studies (studies/README.md). */
#include <stdio.h>
#include <string.h>

#include "page.h"
#include "text/escape.h"

static void link_to(bri_buf *out, const br_study *s, const char *file)
{
  bri_buf_text(out, " [");
  bri_buf_markdown(out, s->name);
  bri_buf_text(out, "](");
  bri_buf_link(out, file);
  bri_buf_text(out, ") |");
}

static void row(bri_buf *out, const br_study *s, const char *file, const br_verdict *v)
{
  const char *base = strrchr(file, '/');
  bri_trusted t;
  bri_page_trusted(v, &t);
  bri_buf_text(out, "|");
  bri_page_cell(out, v->document);
  bri_page_cell(out, v->figure);
  link_to(out, s, base ? base + 1 : file);
  char name[256];
  (void)snprintf(name, sizeof name, "%s%s%s%s%s", s->nruns > 1 ? v->run : "", s->nruns > 1 ? " " : "",
                 v->quantity, v->unit[0] ? ", " : "", v->unit);
  const char *const rest[] = {name, t.reference, t.obtained, t.difference};
  for (size_t i = 0; i < 4; i++) bri_page_cell(out, rest[i]);
  bri_buf_printf(out, v->pass ? " %s |\n" : " **%s** |\n", bri_verdict_text(v));
}

br_status br_study_index(const char *path, br_study *const *studies, const char *const *paths, size_t n,
                         br_err *err)
{
  bri_buf out = {0};
  char source[200];
  if (!path || !studies || !paths) return bri_fail(err, BR_E_ARG, "br_study_index: NULL argument");
  bri_buf_text(
      &out,
      "# Studies\n\nEvery figure of the documents that Bristle can draw, one file each. "
      "`bristle run studies/` computes them all.\nThis page is written by `bristle run studies/ --index "
      "studies/README.md`; a test compares it. Files that start with\n`_` are parts that others "
      "extend.\n\n| source | study | what it shows |\n|---|---|---|\n");
  for (size_t i = 0; i < n; i++) {
    const char *base = strrchr(paths[i], '/');
    bri_buf_text(&out, "|");
    bri_page_cell(&out, bri_page_source(studies[i], sizeof source, source));
    link_to(&out, studies[i], base ? base + 1 : paths[i]);
    bri_page_cell(&out, studies[i]->title);
    bri_buf_text(&out, "\n");
  }
  bri_buf_text(
      &out,
      "\n## Checks\n\nReferences and where they come from stand in the study files; numbers are shown to the "
      "digits that the\ntolerance of the check covers.\n\n| document | figure | study | quantity | "
      "reference | obtained | difference | verdict |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < studies[i]->nverdicts; k++)
      row(&out, studies[i], paths[i], &studies[i]->verdicts[k]);
  const br_status st = bri_buf_save(&out, path, err);
  bri_buf_free(&out);
  return st;
}
