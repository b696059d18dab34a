/* SPDX-License-Identifier: Apache-2.0
 * outputs.c - plots, checks, source and output: what can be checked before anything is computed. */

#include "bristle/text.h"
#include "study.h"

static void check_run_name(br_study *s, const bri_node *n)
{
  const char *names[64];
  char hint[BRI_HINT];
  size_t k = 0;
  if (!n || n->kind != BRI_SCALAR || bri_study_run_named(s, n->text)) return;
  for (; k < s->nruns && k < 64; k++) names[k] = s->runs[k].name;
  bri_note(&s->notes, n->at, "there is no run '%.60s'%s", n->text,
           bri_hint(n->text, names, k, "; 'runs' lists them", hint));
}

static void check_lines(br_study *s, const bri_node *lines)
{
  for (const bri_node *l = lines && lines->kind == BRI_SEQ ? lines->first : NULL; l; l = l->next) {
    bri_study_check_map(s, l, "a line of a plot", BR_KEYS_LINE, 0);
    check_run_name(s, bri_node_find(l, "run"));
    const bri_node *colour = bri_node_find(l, "colour");
    double x = 0;
    if (colour && bri_study_number(s, colour, "colour", &x) && !(x >= 0 && x <= 6 && x == (double)(int)x))
      bri_note(&s->notes, colour->at, "'colour' is '%.20s'; expected a whole number from 0 to 6",
               colour->text);
  }
}

static void check_range(br_study *s, const bri_node *n)
{
  double a = 0, b = 0;
  if (!n || n->kind != BRI_SCALAR || bri_range_parse(n->text, &a, &b)) return;
  bri_note(&s->notes, n->at, "'%s' is '%.40s'; expected A:B, e.g. 0:2.5", n->key, n->text);
}

/* A plot without panels must say what it draws; so must each panel. */
static void check_panel(br_study *s, const bri_node *p, const char *what)
{
  bri_study_check_map(s, p, what, BR_KEYS_PLOT, 0);
  check_run_name(s, bri_node_find(p, "run"));
  check_range(s, bri_node_find(p, "xrange"));
  check_range(s, bri_node_find(p, "yrange"));
  check_lines(s, bri_node_find(p, "lines"));
  check_lines(s, bri_node_find(p, "also"));
}

static void check_plots(br_study *s)
{
  const bri_node *plots = bri_node_find(s->root, "plots");
  for (const bri_node *p = plots && plots->kind == BRI_MAP ? plots->first : NULL; p; p = p->next) {
    (void)bri_study_good_name(s, p, "plot name", "._-");
    check_panel(s, p, "a plot");
    const bri_node *panels = bri_node_find(p, "panels");
    for (const bri_node *q = panels && panels->kind == BRI_SEQ ? panels->first : NULL; q; q = q->next)
      check_panel(s, q, "a panel");
  }
}

static void check_checks(br_study *s)
{
  const bri_node *list = bri_node_find(s->root, "check");
  for (const bri_node *c = list && list->kind == BRI_SEQ ? list->first : NULL; c; c = c->next) {
    static const char *const NEED[] = {"quantity", "value"};
    bri_study_check_map(s, c, "a check", BR_KEYS_CHECK, 0);
    if (c->kind != BRI_MAP) continue;
    for (size_t i = 0; i < 2; i++)
      if (!bri_node_find(c, NEED[i])) bri_note(&s->notes, c->at, "a check needs '%s'", NEED[i]);
    const bri_node *run = bri_node_find(c, "run"), *tol = bri_node_find(c, "tolerance"),
                   *rel = bri_node_find(c, "relative");
    check_run_name(s, run);
    if (!run && s->nruns > 1)
      bri_note(&s->notes, c->at, "there are %zu runs: the check must say which ('run')", s->nruns);
    if (tol && rel) bri_note(&s->notes, rel->key_at, "'tolerance' and 'relative': give one of them");
    for (int i = 0; i < 2; i++) {
      double x = 0;
      const bri_node *n = i ? rel : tol;
      if (n && bri_study_number(s, n, n->key, &x) && !(x >= 0))
        bri_note(&s->notes, n->at, "'%s' is '%.40s'; must be >= 0", n->key, n->text);
    }
  }
}

void bri_study_check_outputs(br_study *s)
{
  const bri_node *source = bri_node_find(s->root, "source"), *output = bri_node_find(s->root, "output");
  if (source && source->kind == BRI_MAP) bri_study_check_map(s, source, "'source'", BR_KEYS_SOURCE, 0);
  if (output && output->kind == BRI_MAP) bri_study_check_map(s, output, "'output'", BR_KEYS_OUTPUT, 0);
  const bri_node *units = bri_node_find(output, "units");
  br_err why = {BR_OK, -1, ""};
  br_units_destroy(s->units), s->units = NULL;
  if (units && units->kind == BRI_SCALAR && br_units_create(units->text, NULL, &s->units, &why))
    bri_note(&s->notes, units->at, "'units': %.200s", why.msg);
  check_plots(s);
  check_checks(s);
}
