/* SPDX-License-Identifier: Apache-2.0
 * html.c - the report as one HTML file: no other file, no script, light and dark. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "study/study.h"
#include "bristle/version.h"
#include "study/draw.h"
#include "page.h"
#include "report/inline.h"
#include "text/escape.h"

static const char STYLE[] =
    ":root{color-scheme:light "
    "dark;--page:#F4F5F6;--card:var(--paper);--line:#D9DDE1;--good:#00734F;--bad:#B3261E;"
    "--soft:#5B646C;--link:#005B94}\n"
    "@media (prefers-color-scheme: dark){:root{--page:#121518;--line:#343B41;--good:#4FD3A4;--bad:#FF8A80;"
    "--soft:#A3ACB4;--link:#7CC3F5}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',"
    "Helvetica,Arial,sans-serif}\n"
    "main{max-width:1180px;margin:0 auto;padding:24px 20px 60px}\n"
    "h1{font-size:1.7rem;margin:.2em 0;color:var(--title)}h2{font-size:1.2rem;margin:0 0 "
    ".2em;color:var(--title)}\n"
    "a{color:var(--link)}p{margin:.5em 0;max-width:75ch}.soft{color:var(--soft)}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:18px "
    "20px;margin:18px 0}\n"
    ".figure{overflow-x:auto;text-align:center}.figure "
    "svg{max-width:100%;height:auto;background:var(--card)}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;width:100%}\n"
    "th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);white-space:nowrap}\n"
    "th{color:var(--soft);font-weight:600}td.n{text-align:right;font-variant-numeric:tabular-nums}th.n{text-"
    "align:right}\n"
    "td.wrap{white-space:normal;min-width:14em}.ok{color:var(--good);font-weight:600}.bad{color:var(--bad);"
    "font-weight:700}\n"
    "details{margin:.6em 0}summary{cursor:pointer;color:var(--soft)}.big{font-size:1.1rem;margin:.2em 0 "
    ".8em}\n"
    ".list{column-width:22em;font-size:.9rem}.list a{display:block;padding:2px 0}\n"
    "@media print{body{background:#fff}.card{break-inside:avoid;border:none}}\n";

static void html_cell(bri_buf *out, const char *class, const char *text)
{
  bri_buf_printf(out, class[0] ? "<td class=\"%s\">" : "<td>", class);
  bri_buf_html(out, text);
  bri_buf_text(out, "</td>");
}

static void verdict_table(bri_buf *out, const bri_page *p, size_t first, size_t last)
{
  bri_buf_text(out, "<div class=\"scroll\"><table><thead><tr>");
  if (p->n > 1 && last - first > 1) bri_buf_text(out, "<th>document</th><th>figure</th>");
  bri_buf_text(out,
               "<th>quantity</th><th class=\"n\">reference</th><th class=\"n\">obtained</th><th>unit</th>"
               "<th class=\"n\">difference</th><th>verdict</th><th>source</th></tr></thead><tbody>\n");
  for (size_t i = first; i < last; i++) {
    const br_study *s = p->studies[i];
    for (size_t k = 0; k < s->nverdicts; k++) {
      const br_verdict *v = &s->verdicts[k];
      char name[200], number[40];
      (void)snprintf(name, sizeof name, "%s%s%s", s->nruns > 1 ? v->run : "", s->nruns > 1 ? " " : "",
                     v->quantity);
      bri_buf_text(out, "<tr>");
      if (p->n > 1 && last - first > 1) {
        html_cell(out, "", v->document);
        bri_buf_printf(out, "<td><a href=\"#s%zu\">", i);
        bri_buf_html(out, v->figure[0] ? v->figure : s->name);
        bri_buf_text(out, "</a></td>");
      }
      html_cell(out, "", name);
      html_cell(out, "n", v->reference);
      html_cell(out, "n", v->obtained);
      html_cell(out, "", v->unit);
      html_cell(out, "n", bri_page_difference(v, sizeof number, number));
      html_cell(out, v->overridden ? "soft" : v->pass ? "ok" : "bad", bri_verdict_text(v));
      html_cell(out, "wrap", v->source);
      bri_buf_text(out, "</tr>\n");
    }
  }
  bri_buf_text(out, "</tbody></table></div>\n");
}

typedef struct {
  bri_buf *out;
  const br_study *s;
} picture;

static br_status add_picture(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  const picture *c = ctx;
  char file[160], path[BRI_STUDY_PATH];
  struct stat info;
  (void)snprintf(file, sizeof file, "%.140s.svg", name);
  bri_study_path(c->s, file, path);
  if (stat(path, &info) != 0) return BR_OK; /* not drawn: no gnuplot, --no-plots */
  bri_buf_text(c->out, "<div class=\"figure\">");
  const br_status st = bri_inline_svg(c->out, path, plot->title ? plot->title : name, err);
  bri_buf_text(c->out, "</div>\n");
  return st;
}

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
      html_cell(out, "", r->label);
      html_cell(out, "", q->name);
      html_cell(out, q->text ? "wrap" : "n",
                q->text ? q->text : bri_page_number(q->value, sizeof number, number));
      html_cell(out, "", q->unit);
      bri_buf_text(out, "</tr>\n");
    }
  }
  bri_buf_text(out, "</tbody></table></div></details>\n");
}

static void files(bri_buf *out, const bri_page *p, size_t i)
{
  const br_study *s = p->studies[i];
  static const char *const FIXED[] = {"study.yaml", "manifest.json"};
  bri_buf_text(out, "<details><summary>files</summary><p>");
  for (size_t k = 0; k < 2; k++) {
    bri_buf_text(out, k ? " &middot; <a href=\"" : "<a href=\"");
    bri_page_link(out, p, i, FIXED[k]);
    bri_buf_printf(out, "\">%s</a>", FIXED[k]);
  }
  for (size_t r = 0; r < s->nruns; r++) {
    for (size_t t = 0; t < s->runs[r].res.ntables; t++) {
      bri_buf_text(out, " &middot; <a href=\"");
      bri_page_link(out, p, i, s->runs[r].res.tables[t].file);
      bri_buf_text(out, "\">");
      bri_buf_html(out, s->runs[r].res.tables[t].file);
      bri_buf_text(out, "</a>");
    }
  }
  bri_buf_text(out, "</p></details>\n");
}

static void paragraph(bri_buf *out, const char *class, const char *text)
{
  if (!text[0]) return;
  bri_buf_printf(out, class[0] ? "<p class=\"%s\">" : "<p>", class);
  bri_buf_html(out, text);
  bri_buf_text(out, "</p>\n");
}

static br_status study(bri_buf *out, const bri_page *p, size_t i, br_err *err)
{
  const br_study *s = p->studies[i];
  char source[200], line[300];
  picture c = {out, s};
  bri_buf_printf(out, "<section class=\"card\" id=\"s%zu\">\n", i);
  if (p->n > 1) {
    bri_buf_text(out, "<h2>");
    bri_buf_html(out, s->title);
    bri_buf_text(out, "</h2>\n");
  }
  bri_page_source(s, sizeof source, source);
  (void)snprintf(line, sizeof line, "%s%s%s", source, source[0] ? " - study " : "study ", s->name);
  paragraph(out, "soft", line);
  paragraph(out, "", bri_page_text(s, NULL, "about"));
  paragraph(out, "soft", bri_page_text(s, "source", "note"));
  const br_status st = bri_study_each_plot(s, add_picture, &c, err);
  if (p->n > 1 && s->nverdicts) verdict_table(out, p, i, i + 1);
  quantities(out, s);
  files(out, p, i);
  bri_buf_text(out, "</section>\n");
  return st;
}

/* With several studies: where is what. */
static void contents(bri_buf *out, const bri_page *p)
{
  bri_buf_text(out, "<nav class=\"card list\">\n");
  for (size_t i = 0; i < p->n; i++) {
    size_t failed = 0;
    for (size_t k = 0; k < p->studies[i]->nverdicts; k++) failed += !p->studies[i]->verdicts[k].pass;
    bri_buf_printf(out, "<a href=\"#s%zu\">", i);
    bri_buf_html(out, p->studies[i]->title);
    bri_buf_text(out, failed ? " <span class=\"bad\">differs</span></a>\n" : "</a>\n");
  }
  bri_buf_text(out, "</nav>\n");
}

br_status bri_page_html(bri_buf *out, const bri_page *p, br_err *err)
{
  size_t failed = 0;
  char count[120];
  const int checks = bri_page_count(p, &failed, sizeof count, count)[0] != 0;
  bri_buf_text(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
  bri_buf_html(out, p->title);
  bri_buf_text(out, "</title>\n<style>\n");
  bri_inline_style(out);
  bri_buf_text(out, STYLE);
  bri_buf_text(out, "</style>\n</head>\n<body>\n<main>\n<h1>");
  bri_buf_html(out, p->title);
  bri_buf_text(out, "</h1>\n");
  if (checks) {
    bri_buf_printf(out, "<p class=\"big\"><span class=\"%s\">%s</span></p>\n", failed ? "bad" : "ok", count);
  }
  if (p->n > 1) contents(out, p);
  if (checks) {
    bri_buf_text(out, "<section class=\"card\">\n");
    verdict_table(out, p, 0, p->n);
    bri_buf_text(out, "</section>\n");
  }
  br_status st = BR_OK;
  for (size_t i = 0; i < p->n && !st; i++) st = study(out, p, i, err);
  bri_buf_printf(
      out,
      "<p class=\"soft\">Bristle %s. Every number stands exactly in the records (.json) and tables "
      "(.csv) beside this page.</p>\n</main>\n</body>\n</html>\n",
      br_version());
  if (!st && out->failed) st = bri_text_fail(err, BR_E_NOMEM, -1, "report: out of memory");
  return st;
}
