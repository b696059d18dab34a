/* SPDX-License-Identifier: Apache-2.0
 * markdown.c - the report as Markdown, pictures as links. */
#include <stdio.h>

#include "bristle/version.h"
#include "page.h"
#include "study/draw.h"
#include "text/escape.h"

/* A paragraph ("": nothing) behind `before`. */
static void paragraph(bri_buf *out, const char *before, const char *text)
{
  if (!text[0]) return;
  bri_buf_text(out, before);
  bri_buf_markdown(out, text);
  bri_buf_text(out, "\n\n");
}

static void verdicts(bri_buf *out, const br_study *s)
{
  char name[256];
  bri_trusted t;
  const bri_count c = bri_study_count(s);
  if (!s->nverdicts) return;
  bri_buf_printf(out, "%s.\n\n", bri_count_text(&c, sizeof name, name));
  bri_buf_text(out, "| quantity | unit | reference | obtained | difference | verdict | source |\n"
                    "|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < s->nverdicts; k++) {
    const br_verdict *v = &s->verdicts[k];
    bri_page_trusted(v, &t);
    bri_buf_text(out, "|");
    bri_page_cell(out, bri_page_quantity(s, v, sizeof name, name));
    bri_page_cell(out, v->unit);
    bri_page_cell(out, t.reference);
    bri_page_cell(out, t.obtained);
    bri_page_cell(out, t.difference);
    bri_buf_printf(out, v->pass ? " %s |" : " **%s** |", bri_verdict_text(v));
    bri_page_cell(out, v->source);
    bri_buf_text(out, "\n");
  }
  bri_buf_text(out, "\n");
}

typedef struct {
  bri_buf *out;
  const bri_page *page;
  size_t study;
} picture;

static br_status add_picture(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  const picture *c = ctx;
  char file[160];
  (void)err;
  (void)snprintf(file, sizeof file, "%.140s.svg", name);
  bri_buf_text(c->out, "![");
  bri_buf_markdown(c->out, plot->title ? plot->title : name);
  bri_buf_text(c->out, "](");
  bri_page_link(c->out, c->page, c->study, file);
  bri_buf_text(c->out, ")\n\n");
  return BR_OK;
}

static void quantities(bri_buf *out, const br_study *s)
{
  char number[40];
  for (size_t i = 0; i < s->nruns; i++) {
    const bri_run *r = &s->runs[i];
    size_t shown = 0;
    for (size_t k = 0; k < r->res.nquantities; k++) shown += (size_t)r->res.quantities[k].shown;
    if (!shown) continue;
    bri_buf_text(out, "| ");
    bri_buf_markdown(out, r->label);
    bri_buf_printf(out, ": %s%s%s | unit | value |\n|---|---|---|\n", r->an->name, r->m ? " of " : "",
                   bri_run_model(r));
    for (size_t k = 0; k < r->res.nquantities; k++) {
      const bri_quantity *q = &r->res.quantities[k];
      if (!q->shown) continue;
      bri_buf_text(out, "|");
      bri_page_cell(out, q->name);
      bri_page_cell(out, q->unit);
      bri_page_cell(out, q->text ? q->text : bri_page_number(q->value, sizeof number, number));
      bri_buf_text(out, "\n");
    }
    bri_buf_text(out, "\n");
  }
}

static br_status study(bri_buf *out, const bri_page *p, size_t i, br_err *err)
{
  const br_study *s = p->studies[i];
  char source[200];
  picture c = {out, p, i};
  if (p->n > 1) paragraph(out, "### ", s->title);
  if (bri_page_source(s, sizeof source, source)[0]) {
    bri_buf_markdown(out, source);
    bri_buf_text(out, " (study ");
    bri_buf_markdown(out, s->name);
    bri_buf_text(out, ")\n\n");
  }
  paragraph(out, "", bri_page_text(s, NULL, "about"));
  paragraph(out, "", bri_page_text(s, "source", "note"));
  const br_status st = bri_study_each_plot(s, add_picture, &c, err);
  bri_page_summary(out, s, 0);
  verdicts(out, s);
  if (p->n == 1) quantities(out, s);
  return st;
}

static void heading(bri_buf *out, const bri_page *p, const char *document)
{
  bri_buf text = {0};
  char count[120];
  const bri_count c = bri_page_count(p, document);
  bri_page_heading(p, document, &text);
  if (text.text) paragraph(out, "## ", text.text);
  if (text.failed) out->failed = 1;
  bri_buf_free(&text);
  paragraph(out, "", bri_document_text(p->documents, document, "authors"));
  paragraph(out, "", bri_document_text(p->documents, document, "about"));
  if (bri_count_text(&c, sizeof count, count)[0]) bri_buf_printf(out, "%s.\n\n", count);
}

br_status bri_page_markdown(bri_buf *out, const bri_page *p, br_err *err)
{
  char count[120];
  const bri_count all = bri_page_count(p, NULL);
  br_status st = BR_OK;
  paragraph(out, "# ", p->title);
  if (p->n > 1) {
    paragraph(out, "", bri_documents_text(p->documents, "about"));
    if (bri_count_text(&all, sizeof count, count)[0]) bri_buf_printf(out, "%s.\n\n", count);
  }
  const char *document = NULL;
  for (size_t d = 0; (document = bri_page_document(p, d)) != NULL && !st; d++) {
    if (p->n > 1) heading(out, p, document);
    for (size_t i = 0; i < p->n && !st; i++)
      if (bri_page_of_document(p->studies[i], document)) st = study(out, p, i, err);
  }
  bri_buf_printf(out, "Bristle %s\n", br_version());
  return st;
}
