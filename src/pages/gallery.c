/* SPDX-License-Identifier: Apache-2.0
 * gallery.c - the front page of several studies: a section per document, a picture with a sentence and a
 * verdict per study. */

#include "html.h"
#include "report/symbols.h"
#include "text/escape.h"

/* The first sentence of a text, which a full stop and a blank end, at most `most` bytes. */
static void sentence(bri_buf *out, const char *text, size_t most)
{
  size_t n = 0;
  while (text[n] && n < most &&
         !(text[n] == '.' && (text[n + 1] == ' ' || text[n + 1] == '\n' || !text[n + 1])))
    n++;
  const int whole = text[n] == '.' || !text[n];
  if (!whole) { /* between two words */
    while (n && text[n] != ' ') n--;
  }
  if (!n) return;
  bri_buf piece = {0};
  bri_buf_add(&piece, text, n);
  bri_buf_text(out, "<p>");
  if (piece.text && !piece.failed) bri_symbols_html(out, piece.text);
  bri_buf_text(out, whole ? ".</p>\n" : " \xe2\x80\xa6</p>\n");
  if (piece.failed) out->failed = 1;
  bri_buf_free(&piece);
}

static void open_link(bri_buf *out, const bri_page *p, size_t i)
{
  bri_buf_text(out, "<a href=\"");
  bri_page_link(out, p, i, "report.html");
  bri_buf_text(out, "\">");
}

static br_status card(bri_buf *out, const bri_page *p, size_t i, br_err *err)
{
  const br_study *s = p->studies[i];
  const bri_count c = bri_study_count(s);
  const char *figure = bri_page_text(s, "source", "figure");
  const int number = figure[0] >= '0' && figure[0] <= '9';
  bri_buf_printf(out, "<article class=\"card\" id=\"s%zu\">", i);
  open_link(out, p, i);
  bri_buf_text(out, "<div class=\"thumb\">");
  const br_status st = bri_html_pictures(out, s, 1, err);
  bri_buf_text(out, "</div></a>\n<h3>");
  open_link(out, p, i);
  bri_symbols_html(out, s->title);
  bri_buf_text(out, "</a></h3>\n");
  sentence(out, bri_page_text(s, NULL, "about"), 180);
  bri_buf_text(out, "<p class=\"last soft\">");
  if (c.checks)
    bri_buf_printf(out, "<span class=\"%s mark\">%s %zu of %zu</span> ", c.failed ? "bad" : "ok",
                   c.failed ? "\xe2\x9c\x97" : "\xe2\x9c\x93", c.checks - c.failed, c.checks);
  else bri_buf_text(out, "shown, not checked ");
  if (figure[0]) {
    bri_buf_text(out, number ? "\xc2\xb7 figure " : "\xc2\xb7 ");
    bri_buf_html(out, figure);
  }
  bri_buf_text(out, "</p>\n</article>\n");
  return st;
}

static br_status section(bri_buf *out, const bri_page *p, const char *document, size_t number, br_err *err)
{
  bri_buf title = {0};
  br_status st = BR_OK;
  bri_page_heading(p, document, &title);
  bri_buf_printf(out, "<section id=\"d%zu\">\n<h2>", number);
  bri_buf_html(out, title.text ? title.text : "");
  bri_buf_text(out, "</h2>\n");
  if (title.failed) out->failed = 1;
  bri_buf_free(&title);
  bri_html_paragraph(out, "soft", bri_document_text(p->documents, document, "authors"));
  bri_html_paragraph(out, "", bri_document_text(p->documents, document, "about"));
  bri_buf_text(out, "<div class=\"grid\">\n");
  for (size_t i = 0; i < p->n && !st; i++)
    if (bri_page_of_document(p->studies[i], document)) st = card(out, p, i, err);
  bri_buf_text(out, "</div>\n");
  bri_html_checks(out, p, document, 0);
  bri_buf_text(out, "</section>\n");
  return st;
}

br_status bri_html_gallery(bri_buf *out, const bri_page *p, br_err *err)
{
  char count[120];
  const char *document = NULL;
  const bri_count all = bri_page_count(p, NULL);
  br_status st = BR_OK;
  bri_html_paragraph(out, "", bri_documents_text(p->documents, "about"));
  if (bri_count_text(&all, sizeof count, count)[0])
    bri_buf_printf(out, "<p class=\"big\"><span class=\"%s\">%s %s</span></p>\n", all.failed ? "bad" : "ok",
                   all.failed ? "\xe2\x9c\x97" : "\xe2\x9c\x93", count);
  bri_buf_text(out, "<nav class=\"card\">\n");
  for (size_t d = 0; (document = bri_page_document(p, d)) != NULL; d++) {
    const bri_count c = bri_page_count(p, document);
    size_t studies = 0;
    for (size_t i = 0; i < p->n; i++) studies += (size_t)bri_page_of_document(p->studies[i], document);
    bri_buf_printf(out, "<span><a href=\"#d%zu\">", d);
    bri_buf_text(out, document[0] ? "Document " : "Further studies");
    bri_buf_html(out, document);
    bri_buf_printf(out, "</a> <span class=\"soft\">%zu %s</span>", studies,
                   studies == 1 ? "study" : "studies");
    if (c.checks)
      bri_buf_printf(out, " <span class=\"%s\">%zu of %zu</span>", c.failed ? "bad" : "ok",
                     c.checks - c.failed, c.checks);
    bri_buf_text(out, "</span>\n");
  }
  bri_buf_text(out, "</nav>\n");
  for (size_t d = 0; (document = bri_page_document(p, d)) != NULL && !st; d++)
    st = section(out, p, document, d, err);
  return st;
}
