/* SPDX-License-Identifier: Apache-2.0
 * html.c - the report as one HTML file: no other file, no script, light and dark. */
#include "html.h"

#include <stdio.h>
#include <sys/stat.h>

#include "bristle/version.h"
#include "report/inline.h"
#include "report/symbols.h"
#include "study/draw.h"
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
    "h1{font-size:1.8rem;line-height:1.2;margin:.2em 0;color:var(--title)}"
    "h2{font-size:1.3rem;line-height:1.25;margin:1.6em 0 .1em;color:var(--title)}"
    "h3{font-size:1rem;line-height:1.3;margin:.5em 0 .1em;color:var(--title)}\n"
    "a{color:var(--link)}p{margin:.4em 0;max-width:75ch}.soft{color:var(--soft)}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px "
    "18px;margin:16px 0}\n"
    ".figure{overflow-x:auto;text-align:center}.figure "
    "svg{max-width:100%;height:auto;background:var(--card)}\n"
    ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));gap:16px;"
    "margin:"
    "14px 0}\n"
    ".grid .card{margin:0;padding:0 0 10px;overflow:hidden;display:flex;flex-direction:column}"
    ".grid p,.grid h3{padding:0 14px}.grid p{font-size:.88rem}\n"
    ".thumb{display:flex;align-items:center;justify-content:center;aspect-ratio:16/"
    "11;padding:8px;border-bottom:1px solid var(--line)}.thumb svg{width:100%;height:100%}.thumb "
    ".soft{font-size:.9rem}\n"
    ".last{margin-top:auto}.mark{font-weight:700}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;width:100%}\n"
    "th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-bottom:1px solid var(--line)}\n"
    "th{color:var(--soft);font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-"
    "space:"
    "nowrap}\n"
    "td.wrap{min-width:14em;overflow-wrap:anywhere}.ok{color:var(--good);font-weight:600}.bad{color:var(-"
    "-"
    "bad);"
    "font-weight:700}\n"
    "details{margin:.6em 0}summary{cursor:pointer;color:var(--soft)}.big{font-size:1.1rem;margin:.2em 0 "
    ".8em}\n"
    ".eq{overflow-x:auto;overflow-y:hidden}.eq math{margin:.5em 0}\n"
    "nav{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:.95rem}\n"
    "@media (max-width:480px){main{padding:14px 12px "
    "40px}h1{font-size:1.45rem}.card{padding:12px}td.wrap{min-width:6em}"
    ".figure svg:not([width=\"640\"]){max-width:none;width:900px}.figure "
    "svg[width=\"1040\"]{width:700px}}\n" /* several panels: moved, not shrunk to specks */
    "@media print{body{background:#fff}.card{break-inside:avoid;border:none}}\n";

void bri_html_cell(bri_buf *out, const char *class, const char *text)
{
  bri_buf_printf(out, class[0] ? "<td class=\"%s\">" : "<td>", class);
  bri_buf_html(out, text);
  bri_buf_text(out, "</td>");
}

void bri_html_paragraph(bri_buf *out, const char *class, const char *text)
{
  if (!text[0]) return;
  bri_buf_printf(out, class[0] ? "<p class=\"%s\">" : "<p>", class);
  bri_symbols_html(out, text);
  bri_buf_text(out, "</p>\n");
}

/* ---- checks ---- */

static void verdict_row(bri_buf *out, const bri_page *p, size_t i, const br_verdict *v)
{
  const br_study *s = p->studies[i];
  char name[256];
  bri_trusted t;
  bri_page_trusted(v, &t);
  bri_buf_text(out, "<tr>");
  if (p->n > 1) {
    bri_buf_printf(out, "<td><a href=\"#s%zu\">", i);
    bri_buf_html(out, v->figure[0] ? v->figure : s->name);
    bri_buf_text(out, "</a></td>");
  }
  bri_html_cell(out, "", bri_page_quantity(s, v, sizeof name, name));
  bri_html_cell(out, "n", t.reference);
  bri_html_cell(out, "n", t.obtained);
  bri_html_cell(out, "", v->unit);
  bri_html_cell(out, "n", t.difference);
  bri_html_cell(out, v->overridden ? "soft" : v->pass ? "ok" : "bad", bri_verdict_text(v));
  bri_html_cell(out, "wrap", v->source);
  bri_buf_text(out, "</tr>\n");
}

void bri_html_checks(bri_buf *out, const bri_page *p, const char *document, size_t only)
{
  char text[120];
  const bri_count c = document ? bri_page_count(p, document) : bri_study_count(p->studies[only]);
  if (!bri_count_text(&c, sizeof text, text)[0]) return;
  bri_buf_printf(out, "<details%s><summary><span class=\"%s\">%s</span></summary>\n", c.failed ? " open" : "",
                 c.failed ? "bad" : "ok", text);
  bri_buf_printf(out,
                 "<div class=\"scroll\"><table><thead><tr>%s<th>quantity</th><th class=\"n\">reference</th>"
                 "<th class=\"n\">obtained</th><th>unit</th><th class=\"n\">difference</th><th>verdict</th>"
                 "<th>source</th></tr></thead><tbody>\n",
                 p->n > 1 ? "<th>figure</th>" : "");
  for (size_t i = 0; i < p->n; i++) {
    const br_study *s = p->studies[i];
    if (document ? !bri_page_of_document(s, document) : i != only) continue;
    for (size_t k = 0; k < s->nverdicts; k++) verdict_row(out, p, i, &s->verdicts[k]);
  }
  bri_buf_text(out, "</tbody></table></div></details>\n");
}

/* ---- pictures ---- */

typedef struct {
  bri_buf *out;
  const br_study *s;
  size_t most, drawn;
} picture;

static br_status add_picture(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  picture *c = ctx;
  char file[160], path[BRI_STUDY_PATH];
  struct stat info;
  (void)snprintf(file, sizeof file, "%.140s.svg", name);
  bri_study_path(c->s, file, path);
  if (c->drawn == c->most || stat(path, &info) != 0) return BR_OK; /* not drawn: no gnuplot, --no-plots */
  c->drawn++;
  return bri_inline_svg(c->out, path, plot->title ? plot->title : name, err);
}

static br_status add_figure(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  const picture *c = ctx;
  bri_buf_text(c->out, "<div class=\"card figure\">");
  const br_status st = add_picture(ctx, name, plot, err);
  bri_buf_text(c->out, "</div>\n");
  return st;
}

br_status bri_html_pictures(bri_buf *out, const br_study *s, size_t most, br_err *err)
{
  picture c = {out, s, most, 0};
  struct stat info;
  char path[BRI_STUDY_PATH];
  bri_study_path(s, "", path);
  if (stat(path, &info) != 0) return BR_OK;
  const br_status st = bri_study_each_plot(s, most == 1 ? add_picture : add_figure, &c, err);
  if (!st && !c.drawn && most == 1) bri_buf_text(out, "<span class=\"soft\">numbers only</span>");
  return st;
}

br_status bri_page_html(bri_buf *out, const bri_page *p, br_err *err)
{
  bri_buf_text(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
  bri_buf_html(out, p->title);
  bri_buf_text(out, "</title>\n<style>\n");
  bri_inline_style(out);
  bri_buf_text(out, STYLE);
  bri_buf_text(out, "</style>\n</head>\n<body>\n<main>\n<h1>");
  bri_symbols_html(out, p->title);
  bri_buf_text(out, "</h1>\n");
  const br_status st = p->n > 1 ? bri_html_gallery(out, p, err) : p->n ? bri_html_study(out, p, err) : BR_OK;
  bri_buf_printf(
      out,
      "<p class=\"soft\">Bristle %s. Every number stands exactly in the records (.json) and tables "
      "(.csv) beside this page.</p>\n</main>\n</body>\n</html>\n",
      br_version());
  return st;
}
