/* SPDX-License-Identifier: Apache-2.0
 * summary.c - the table a study asks for: a row for each run, a column for each quantity it names. */
#include "html.h"
#include "study/ask.h"

static const char *value(const bri_run *r, const char *name, size_t size, char *buf)
{
  char now[160];
  const bri_quantity *q = bri_result_find(&r->res, name);
  if (!q) q = bri_result_find(&r->res, bri_ask_name(r, name, sizeof now, now));
  return !q ? "-" : q->text ? q->text : bri_page_number(q->value, size, buf);
}

static void cell(bri_buf *out, int html, const char *text)
{
  if (html) bri_html_cell(out, "wrap", text);
  else bri_page_cell(out, text);
}

void bri_page_summary(bri_buf *out, const br_study *s, int html)
{
  const bri_node *columns = bri_node_find(s->root, "summary");
  char number[40];
  if (!columns || !columns->first) return;
  bri_buf_text(out, html ? "<div class=\"scroll\"><table><tbody>\n<tr>" : "|");
  cell(out, html, "");
  for (const bri_node *c = columns->first; c; c = c->next) cell(out, html, c->key);
  bri_buf_text(out, html ? "</tr>\n" : "\n|---|");
  for (const bri_node *c = columns->first; c && !html; c = c->next) bri_buf_text(out, "---|");
  bri_buf_text(out, html ? "" : "\n");
  for (size_t i = 0; i < s->nruns; i++) {
    bri_buf_text(out, html ? "<tr>" : "|");
    cell(out, html, s->runs[i].label);
    for (const bri_node *c = columns->first; c; c = c->next)
      cell(out, html, c->text ? value(&s->runs[i], c->text, sizeof number, number) : "-");
    bri_buf_text(out, html ? "</tr>\n" : "\n");
  }
  bri_buf_text(out, html ? "</tbody></table></div>\n" : "\n");
}
