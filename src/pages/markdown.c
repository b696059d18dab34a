/* SPDX-License-Identifier: Apache-2.0
 * markdown.c - one-page reports: what both forms share, and Markdown. */
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"
#include "bristle/version.h"
#include "study/draw.h"
#include "text/escape.h"

const char *bri_page_count(const bri_page *p, size_t *failed, size_t size, char *buf)
{
  size_t checks = 0, aside = 0, used = 0;
  *failed = 0;
  buf[0] = '\0';
  for (size_t i = 0; i < p->n; i++) {
    for (size_t k = 0; k < p->studies[i]->nverdicts; k++) {
      const br_verdict *v = &p->studies[i]->verdicts[k];
      checks += !v->overridden;
      aside += (size_t)v->overridden;
      *failed += !v->pass;
    }
  }
  if (checks || aside)
    used = (size_t)snprintf(buf, size, "%zu of %zu checks agree", checks - *failed, checks);
  if (aside) (void)snprintf(buf + used, size - used, ", %zu not applicable: overridden", aside);
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

const char *bri_page_difference(const br_verdict *v, size_t size, char *buf)
{
  buf[0] = '\0'; /* of texts */
  if (!isnan(v->difference)) (void)snprintf(buf, size, "%.1e", v->difference);
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

/* A paragraph ("": nothing) behind `before`. */
static void paragraph(bri_buf *out, const char *before, const char *text)
{
  if (!text[0]) return;
  bri_buf_text(out, before);
  bri_buf_markdown(out, text);
  bri_buf_text(out, "\n\n");
}

static void verdict_row(bri_buf *out, const br_verdict *v, int several)
{
  char number[40], name[200];
  (void)snprintf(name, sizeof name, "%s%s%s", several ? v->run : "", several ? "." : "", v->quantity);
  bri_buf_text(out, "|");
  bri_page_cell(out, v->study);
  bri_page_cell(out, v->figure);
  bri_page_cell(out, name);
  bri_page_cell(out, v->unit);
  bri_page_cell(out, v->reference);
  bri_page_cell(out, v->obtained);
  bri_page_cell(out, bri_page_difference(v, sizeof number, number));
  bri_buf_printf(out, v->pass ? " %s |" : " **%s** |", bri_verdict_text(v));
  bri_page_cell(out, v->source);
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

br_status bri_page_markdown(bri_buf *out, const bri_page *p, br_err *err)
{
  size_t failed = 0;
  char source[200], count[120];
  br_status st = BR_OK;
  paragraph(out, "# ", p->title);
  if (bri_page_count(p, &failed, sizeof count, count)[0]) {
    bri_buf_printf(out, "%s.\n\n", count);
    bri_buf_text(
        out, "| study | figure | quantity | unit | reference | obtained | difference | verdict | source |\n"
             "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < p->n; i++) {
      for (size_t k = 0; k < p->studies[i]->nverdicts; k++)
        verdict_row(out, &p->studies[i]->verdicts[k], p->studies[i]->nruns > 1);
    }
    bri_buf_text(out, "\n");
  }
  for (size_t i = 0; i < p->n && !st; i++) {
    const br_study *s = p->studies[i];
    picture c = {out, p, i};
    if (p->n > 1) paragraph(out, "## ", s->title);
    if (bri_page_source(s, sizeof source, source)[0]) {
      bri_buf_markdown(out, source);
      bri_buf_text(out, " (study ");
      bri_buf_markdown(out, s->name);
      bri_buf_text(out, ")\n\n");
    }
    paragraph(out, "", bri_page_text(s, NULL, "about"));
    paragraph(out, "", bri_page_text(s, "source", "note"));
    st = bri_study_each_plot(s, add_picture, &c, err);
    quantities(out, s);
  }
  bri_buf_printf(out, "Bristle %s\n", br_version());
  return st;
}

br_status br_study_report(const char *path, const char *title, br_study *const *studies,
                          const char *const *folders, size_t n, br_err *err)
{
  const bri_page page = {title ? title : "Report", studies, folders, n};
  bri_buf out = {0};
  const char *dot = path ? strrchr(path, '.') : NULL;
  if (!dot || !studies || !folders || (strcmp(dot, ".html") != 0 && strcmp(dot, ".md") != 0))
    return bri_text_fail(err, BR_E_ARG, -1, "br_study_report: the name must end in .html or .md");
  for (size_t i = 0; i < n; i++) {
    if (!studies[i] || !studies[i]->folder)
      return bri_text_fail(err, BR_E_ARG, -1, "br_study_report: a study has not been run");
  }
  br_status st = dot[1] == 'm' ? bri_page_markdown(&out, &page, err) : bri_page_html(&out, &page, err);
  if (!st) st = bri_buf_save(&out, path, err);
  bri_buf_free(&out);
  return st;
}
