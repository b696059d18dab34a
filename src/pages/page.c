/* SPDX-License-Identifier: Apache-2.0
 * page.c - what the pages share: counts, digits, links, documents. */
#include "../../core/elementary.h"
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/escape.h"

bri_count bri_study_count(const br_study *s)
{
  bri_count c = {0, 0, 0};
  for (size_t k = 0; k < s->nverdicts; k++) {
    c.checks += !s->verdicts[k].overridden;
    c.aside += (size_t)s->verdicts[k].overridden;
    c.failed += !s->verdicts[k].pass;
  }
  return c;
}

bri_count bri_page_count(const bri_page *p, const char *document)
{
  bri_count all = {0, 0, 0};
  for (size_t i = 0; i < p->n; i++) {
    if (document && !bri_page_of_document(p->studies[i], document)) continue;
    const bri_count c = bri_study_count(p->studies[i]);
    all.checks += c.checks, all.failed += c.failed, all.aside += c.aside;
  }
  return all;
}

const char *bri_count_text(const bri_count *c, size_t size, char *buf)
{
  size_t used = 0;
  buf[0] = '\0';
  if (c->checks || c->aside)
    used = (size_t)snprintf(buf, size, "%zu of %zu checks agree", c->checks - c->failed, c->checks);
  if (c->aside) (void)snprintf(buf + used, size - used, ", %zu not applicable: overridden", c->aside);
  return buf;
}

const char *bri_verdict_text(const br_verdict *v)
{
  return v->overridden ? "not applicable: overridden" : v->pass ? "ok" : "differs";
}

const char *bri_page_number(double x, size_t size, char *buf)
{
  if (isnan(x)) (void)snprintf(buf, size, "-");
  else (void)snprintf(buf, size, "%.7g", x);
  return buf;
}

/* Digits of a number that its tolerance lets one trust, at most 10; below it the number is as good as 0. */
static void trusted(double x, double tolerance, size_t size, char *buf)
{
  int digits = 10;
  if (tolerance > 0 && x != 0) digits = (int)floor(bri_log10(fabs(x) / tolerance));
  if (fabs(x) < tolerance) x = 0;
  (void)snprintf(buf, size, "%.*g", digits < 1 ? 1 : digits > 10 ? 10 : digits, x);
}

void bri_page_trusted(const br_verdict *v, bri_trusted *t)
{
  t->difference[0] = '\0';
  if (isnan(v->value)) {
    (void)snprintf(t->reference, sizeof t->reference, "%.60s", v->reference);
    (void)snprintf(t->obtained, sizeof t->obtained, "%.38s", v->obtained);
    return;
  }
  trusted(v->value, v->tolerance, sizeof t->reference, t->reference);
  trusted(v->result, v->tolerance, sizeof t->obtained, t->obtained);
  if (v->pass && !v->overridden)
    (void)snprintf(t->difference, sizeof t->difference, "below %.0e", v->tolerance);
  else (void)snprintf(t->difference, sizeof t->difference, "%.1e", v->difference);
}

const char *bri_page_quantity(const br_study *s, const br_verdict *v, size_t size, char *buf)
{
  (void)snprintf(buf, size, "%s%s%s", s->nruns > 1 ? v->run : "", s->nruns > 1 ? " " : "", v->quantity);
  return buf;
}

void bri_page_link(bri_buf *out, const bri_page *p, size_t study, const char *file)
{
  bri_buf_link(out, p->folders[study]);
  bri_buf_text(out, p->folders[study][0] ? "/" : "");
  bri_buf_link(out, file);
}

const char *bri_page_text(const br_study *s, const char *section, const char *key)
{
  return bri_node_text(section ? bri_node_find(s->root, section) : s->root, key, "");
}

const char *bri_page_source(const br_study *s, size_t size, char *buf)
{
  const char *document = bri_page_text(s, "source", "document"),
             *figure = bri_page_text(s, "source", "figure");
  const int number = figure[0] >= '0' && figure[0] <= '9';
  buf[0] = '\0';
  if (document[0])
    (void)snprintf(buf, size, "document %s%s%s", document, figure[0] ? (number ? ", figure " : ", ") : "",
                   figure);
  return buf;
}

void bri_page_cell(bri_buf *out, const char *text)
{
  bri_buf_text(out, " ");
  bri_buf_markdown(out, text);
  bri_buf_text(out, " |");
}

int bri_page_of_document(const br_study *s, const char *document)
{
  return strcmp(bri_page_text(s, "source", "document"), document) == 0;
}

/* Is this the first study of its document? */
static int first(const bri_page *p, size_t i, const char *document)
{
  for (size_t k = 0; k < i; k++)
    if (bri_page_of_document(p->studies[k], document)) return 0;
  return 1;
}

const char *bri_page_document(const bri_page *p, size_t index)
{
  size_t seen = 0;
  int none = 0;
  for (size_t i = 0; i < p->n; i++) {
    const char *document = bri_page_text(p->studies[i], "source", "document");
    none |= !document[0];
    if (!document[0] || !first(p, i, document)) continue;
    if (seen++ == index) return document;
  }
  return none && seen == index ? "" : NULL;
}

void bri_page_heading(const bri_page *p, const char *document, bri_buf *out)
{
  const char *title = bri_document_text(p->documents, document, "title");
  if (!document[0]) bri_buf_text(out, "Further studies");
  else bri_buf_printf(out, title[0] ? "Document %s: %s" : "Document %s", document, title);
}

br_status br_study_report(const char *path, const char *title, br_study *const *studies,
                          const char *const *folders, size_t n, br_err *err)
{
  bri_documents documents = {0};
  bri_buf out = {0};
  const char *dot = path ? strrchr(path, '.') : NULL;
  if (!dot || !studies || !folders || (strcmp(dot, ".html") != 0 && strcmp(dot, ".md") != 0))
    return bri_fail(err, BR_E_ARG, "br_study_report: the name must end in .html or .md");
  for (size_t i = 0; i < n; i++)
    if (!studies[i] || !studies[i]->folder)
      return bri_fail(err, BR_E_ARG, "br_study_report: a study has not been run");
  br_status st = n ? bri_documents_load(studies[0], &documents, err) : BR_OK;
  const char *own = bri_documents_text(&documents, "title");
  const bri_page page = {n > 1 && own[0] ? own : title ? title : "Report", studies, folders, n, &documents};
  if (!st) st = dot[1] == 'm' ? bri_page_markdown(&out, &page, err) : bri_page_html(&out, &page, err);
  if (!st && out.failed) st = bri_no_memory(err, "report");
  if (!st) st = bri_buf_save(&out, path, err);
  bri_buf_free(&out);
  bri_documents_free(&documents);
  return st;
}
