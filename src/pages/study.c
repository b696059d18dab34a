/* SPDX-License-Identifier: Apache-2.0
 * study.c - the page of one study: what it shows, pictures, checks, what it was made from, all numbers,
 * files. */

#include "html.h"
#include "text/escape.h"

enum { ALL = 1000 };

static void quantities(bri_buf *out, const br_study *s)
{
  char number[40];
  bri_buf_printf(
      out,
      "<details%s><summary>all numbers</summary><div class=\"scroll\"><table><thead><tr><th>run</th>"
      "<th>quantity</th><th class=\"n\">value</th><th>unit</th></tr></thead><tbody>\n",
      s->nverdicts ? "" : " open");
  for (size_t i = 0; i < s->nruns; i++) {
    const bri_run *r = &s->runs[i];
    for (size_t k = 0; k < r->res.nquantities; k++) {
      const bri_quantity *q = &r->res.quantities[k];
      if (!q->shown) continue;
      bri_buf_text(out, "<tr>");
      bri_html_cell(out, "", r->label);
      bri_html_cell(out, "", q->name);
      bri_html_cell(out, q->text ? "wrap" : "n",
                    q->text ? q->text : bri_page_number(q->value, sizeof number, number));
      bri_html_cell(out, "", q->unit);
      bri_buf_text(out, "</tr>\n");
    }
  }
  bri_buf_text(out, "</tbody></table></div></details>\n");
}

static void file_link(bri_buf *out, const bri_page *p, const char *file, int first)
{
  bri_buf_text(out, first ? "<a href=\"" : " &middot; <a href=\"");
  bri_page_link(out, p, 0, file);
  bri_buf_text(out, "\">");
  bri_buf_html(out, file);
  bri_buf_text(out, "</a>");
}

static void files(bri_buf *out, const bri_page *p)
{
  const br_study *s = p->studies[0];
  bri_buf_text(out, "<details><summary>files</summary><p>");
  file_link(out, p, "study.yaml", 1);
  file_link(out, p, "manifest.json", 0);
  for (size_t r = 0; r < s->nruns; r++)
    for (size_t t = 0; t < s->runs[r].res.ntables; t++) file_link(out, p, s->runs[r].res.tables[t].file, 0);
  bri_buf_text(out, "</p></details>\n");
}

br_status bri_html_study(bri_buf *out, const bri_page *p, br_err *err)
{
  const br_study *s = p->studies[0];
  const char *document = bri_page_text(s, "source", "document"), *note = bri_page_text(s, "source", "note"),
             *title = bri_document_text(p->documents, document, "title");
  char source[200];
  bri_buf line = {0};
  bri_page_source(s, sizeof source, source);
  bri_buf_text(&line, source);
  if (title[0])
    bri_buf_printf(&line, " of %s, %s", title, bri_document_text(p->documents, document, "authors"));
  bri_buf_printf(&line, source[0] ? " \xc2\xb7 study %s" : "study %s", s->name);
  if (line.failed) out->failed = 1;
  else bri_html_paragraph(out, "soft", line.text);
  bri_buf_free(&line);
  bri_html_paragraph(out, "", bri_page_text(s, NULL, "about"));
  bri_html_paragraph(out, "soft", note);
  const br_status st = bri_html_pictures(out, s, ALL, err);
  bri_page_summary(out, s, 1);
  bri_html_checks(out, p, NULL, 0);
  bri_html_made_of(out, s);
  quantities(out, s);
  files(out, p);
  return st;
}
