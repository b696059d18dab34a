/* SPDX-License-Identifier: Apache-2.0
 * made_of.c - what the runs of a study were made from: equations, parameters with units, inputs, method,
 * error. */
#include <math.h>
#include <string.h>

#include "analysis/job.h"
#include "base/alloc.h"
#include "bristle/text.h"
#include "html.h"
#include "mechanism/schematic.h"
#include "report/equations.h"
#include "report/schematic.h"
#include "report/symbols.h"

/* ---- equations: each model and mechanism once ---- */

static const char *part_of(const bri_run *r, int system)
{
  const br_system *sys = br_job_system(r->job);
  return system ? (sys ? sys->name : "") : r->m ? r->m->name : "";
}

/* The law of a run that closes a loop. */
static const char *law_of(const bri_run *r)
{
  const char *law = strcmp(r->an->name, "control") == 0 ? br_job_text(r->job, "controller") : NULL;
  return law ? law : "";
}

/* Closed loops, each controller once. */
static void loops(bri_buf *out, const br_study *s)
{
  size_t drawn = 0;
  for (size_t i = 0; i < s->nruns; i++) {
    const char *law = law_of(&s->runs[i]);
    int again = !law[0];
    for (size_t k = 0; k < i && !again; k++) again = strcmp(law_of(&s->runs[k]), law) == 0;
    if (!again && !drawn++) bri_buf_text(out, "<h3>Closed loop</h3>\n");
    if (!again) bri_schematic_loop(out, law, part_of(&s->runs[i], 1));
  }
}

/* A mechanism given as text, drawn in the colours of the page. */
static void drawing(bri_buf *out, const br_mechanism *m)
{
  static const char *const COLOURS[][2] = {
      {"\"#fff\"", "\"var(--card)\""},    {"\"#1f2933\"", "\"var(--text)\""},
      {"\"#52606d\"", "\"var(--soft)\""}, {"\"#eef3f8\"", "\"var(--t1)\""},
      {"\"#fdf1e3\"", "\"var(--t2)\""},   {"\"#b3541e\"", "\"var(--c1)\""}};
  bri_buf svg = {0};
  bri_mech_draw(m, &svg);
  bri_buf_text(out, "<div class=\"figure\">");
  for (const char *s = svg.text; s && *s;) {
    size_t k = 0;
    while (k < 6 && strncmp(s, COLOURS[k][0], strlen(COLOURS[k][0])) != 0) k++;
    if (k < 6) bri_buf_text(out, COLOURS[k][1]);
    else bri_buf_add(out, s, 1);
    s += k < 6 ? strlen(COLOURS[k][0]) : 1;
  }
  bri_buf_text(out, "</div>\n");
  if (svg.failed) out->failed = 1;
  bri_buf_free(&svg);
}

static void equations(bri_buf *out, const br_study *s)
{
  bri_buf all = {0};
  for (int system = 1; system >= 0; system--) {
    for (size_t i = 0; i < s->nruns; i++) {
      const char *name = part_of(&s->runs[i], system);
      int again = !name[0];
      for (size_t k = 0; k < i && !again; k++) again = strcmp(part_of(&s->runs[k], system), name) == 0;
      bri_buf math = {0};
      const br_mechanism *own = system && !again ? s->runs[i].job->mechanism : NULL;
      if (own) bri_buf_printf(&all, "<h3>Mechanism %s</h3>\n", name), drawing(&all, own);
      else if (!again) bri_equations_mathml(&math, name);
      if (math.text) {
        bri_buf_printf(&all, "<h3>%s %s</h3>\n", system ? "Mechanism" : "Model", name);
        if (system) bri_schematic_system(&all, name);
        bri_buf_text(&all, "<div class=\"eq\">");
        bri_buf_add(&all, math.text, math.used);
        bri_buf_text(&all, "</div>\n");
      }
      if (math.failed) all.failed = 1;
      bri_buf_free(&math);
    }
  }
  loops(&all, s);
  if (all.text && !all.failed) {
    bri_buf_text(out, "<section class=\"card\"><h2 style=\"margin-top:0\">Equations</h2>\n");
    bri_buf_add(out, all.text, all.used);
    bri_buf_text(out, "</section>\n");
  }
  if (all.failed) out->failed = 1;
  bri_buf_free(&all);
}

/* ---- parameters ---- */

/* The name without the table in front of it: "sigma0" of "model.sigma0". */
static const char *tail(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

/* A parameter's value as text; 0: it has none (an empty table). */
static int value_of(const bri_run *r, const br_param *row, const char *name, bri_buf *out)
{
  const bri_node *set = bri_node_find(r->node, "set");
  size_t n = 0, len = 0;
  if (br_param_formula(row)) {
    const char *text = bri_node_text(set, tail(name), "");
    bri_buf_text(out, text);
    return text[0] != '\0';
  }
  double *x = bri_calloc(row->max_len + 1, sizeof *x);
  if (!x) {
    out->failed = 1;
    return 0;
  }
  if (br_params_get(br_job_params(r->job), name, row->max_len, x, &n, NULL)) n = 0;
  for (size_t i = 0; i < n; i++) {
    char number[BR_DOUBLE_TEXT];
    const char *choice = br_param_choices(row) ? br_param_choice(row, (size_t)x[i], &len) : NULL;
    (void)br_format_double(x[i], number);
    if (i) bri_buf_text(out, ", ");
    if (choice) bri_buf_add(out, choice, len);
    else bri_buf_text(out, number);
  }
  bri_free(x);
  return n > 0;
}

/* Values in all runs that have this parameter: one where they agree, else each with the run's label. */
static int values(const br_study *s, const br_param *row, const char *name, bri_buf *out)
{
  bri_buf first = {0};
  int any = 0, differ = 0;
  for (int list = 0; list < 2; list++) {
    for (size_t i = 0, k = 0; i < s->nruns && (!list || differ); i++) {
      const bri_run *r = &s->runs[i];
      const br_param *own = br_job_params(r->job) ? br_params_row(br_job_params(r->job), name) : NULL;
      bri_buf one = {0};
      if (own && value_of(r, own, name, &one) && one.text) {
        if (list) bri_buf_printf(out, "%s%s: %s", k++ ? "; " : "", r->label, one.text);
        else if (!any) bri_buf_text(&first, one.text);
        else if (first.text && strcmp(first.text, one.text) != 0) differ = 1;
        any = 1;
      }
      if (one.failed) out->failed = 1;
      bri_buf_free(&one);
    }
  }
  (void)row;
  if (!differ && first.text) bri_buf_text(out, first.text);
  if (first.failed) out->failed = 1;
  bri_buf_free(&first);
  return any;
}

static void parameter_row(bri_buf *out, const br_study *s, const bri_run *r, const br_param *row,
                          const char *name)
{
  bri_buf text = {0};
  if (values(s, row, name, &text) && text.text) {
    bri_buf_text(out, br_params_given(br_job_params(r->job), name) ? "<tr><td>" : "<tr class=\"soft\"><td>");
    bri_symbols_html(out, tail(name));
    bri_buf_text(out, "</td>");
    bri_html_cell(out, "wrap", text.text);
    bri_html_cell(out, "", strcmp(row->unit, "1") == 0 ? "" : row->unit);
    bri_buf_text(out, "<td class=\"wrap\">");
    bri_symbols_html(out, row->doc);
    bri_buf_text(out, "</td>");
    bri_buf_text(out, "</tr>\n");
  }
  if (text.failed) out->failed = 1;
  bri_buf_free(&text);
}

/* Has a run the parameter of that name, with the same meaning?  (Rows of inputs are each job's own.) */
static int same_row(const bri_run *r, const char *name, const br_param *row)
{
  const br_params *p = br_job_params(r->job);
  const br_param *other = p ? br_params_row(p, name) : NULL;
  return other && strcmp(other->doc, row->doc) == 0 && strcmp(other->unit, row->unit) == 0;
}

static void parameters(bri_buf *out, const br_study *s)
{
  char name[96];
  const br_param *row = NULL;
  int any = 0;
  for (size_t i = 0; i < s->nruns; i++) {
    const bri_run *r = &s->runs[i];
    const br_params *p = br_job_params(r->job);
    for (size_t k = 0; p && (row = br_params_at(p, k, sizeof name, name)) != NULL; k++) {
      int again = 0;
      for (size_t j = 0; j < i && !again; j++) again = same_row(&s->runs[j], name, row);
      if (again) continue;
      if (!any)
        bri_buf_text(
            out, "<section class=\"card\"><h2 style=\"margin-top:0\">Parameters</h2>\n<div "
                 "class=\"scroll\"><table>"
                 "<thead><tr><th>name</th><th>value</th><th>unit</th><th>meaning</th></tr></thead><tbody>\n");
      any = 1;
      parameter_row(out, s, r, row, name);
    }
  }
  if (any) bri_buf_text(out, "</tbody></table></div><p class=\"soft\">Grey: defaults.</p></section>\n");
}

/* ---- runs: input, options, method, error ---- */

static void list(bri_buf *out, const char *name, const char *text)
{
  bri_buf_text(out, out->used ? ", " : "");
  bri_buf_printf(out, text[0] ? "%s %s" : "%s", name, text);
}

static void inputs_of(const bri_run *r, bri_buf *out)
{
  for (size_t k = 0; k < br_job_inputs(r->job); k++) {
    const char *spec = br_job_spec(r->job, k);
    if (spec) list(out, br_job_spec_name(r->job, k), spec);
  }
}

static void options_of(const bri_run *r, bri_buf *out)
{
  for (size_t i = 0; i < r->an->noptions; i++) {
    const br_option *o = &r->an->options[i];
    const char *text = br_job_given(r->job, o->name) ? br_job_text(r->job, o->name) : NULL;
    if (text && o->kind != BR_OPTION_FLAG) list(out, o->name, text);
    else if (text && br_job_flag(r->job, o->name)) list(out, o->name, "");
  }
}

/* The largest of the numbers called `end` or PATH.`end`. */
static int largest(const bri_run *r, const char *end, double *x, const char **unit)
{
  int found = 0;
  for (size_t k = 0; k < r->res.nquantities; k++) {
    const bri_quantity *q = &r->res.quantities[k];
    if (q->text || isnan(q->value) || strcmp(tail(q->name), end) != 0) continue;
    if (!found || fabs(q->value) > fabs(*x)) *x = q->value, *unit = q->unit;
    found = 1;
  }
  return found;
}

static void method_of(const bri_run *r, bri_buf *method, bri_buf *error)
{
  static const struct {
    const char *end, *what;
  } ERRORS[] = {{"error", "estimate"}, {"residual", "energy not explained"}};
  const bri_quantity *q = bri_result_find(&r->res, "method"), *rtol = bri_result_find(&r->res, "stats.rtol"),
                     *steps = bri_result_find(&r->res, "stats.steps");
  if (q && q->text) bri_buf_printf(method, "%s: ", q->text);
  bri_buf_text(method, r->an->method ? r->an->method : r->an->summary);
  if (rtol && !isnan(rtol->value)) bri_buf_printf(method, "; relative tolerance %.0e", rtol->value);
  if (steps && !isnan(steps->value)) bri_buf_printf(method, ", %.0f steps", steps->value);
  for (size_t i = 0; i < 2; i++) {
    double x = 0;
    const char *unit = "";
    if (!largest(r, ERRORS[i].end, &x, &unit)) continue;
    bri_buf_printf(error, "%s%s %.1e%s%s", error->used ? "; " : "", ERRORS[i].what, fabs(x),
                   unit[0] && strcmp(unit, "1") != 0 ? " " : "", strcmp(unit, "1") != 0 ? unit : "");
  }
  if (!error->used) bri_buf_text(error, r->an->accuracy ? r->an->accuracy : "not estimated");
}

static void run_row(bri_buf *out, const bri_run *r)
{
  enum { COLUMNS = 4 };
  bri_buf cell[COLUMNS] = {{0}, {0}, {0}, {0}};
  inputs_of(r, &cell[0]);
  options_of(r, &cell[1]);
  method_of(r, &cell[2], &cell[3]);
  bri_buf_text(out, "<tr>");
  bri_html_cell(out, "", r->name); /* as its files are called; several may have the same label */
  bri_buf_printf(out, "<td>%s</td>", r->an->name);
  for (int k = 0; k < COLUMNS; k++) {
    bri_html_cell(out, k == 3 ? "" : "wrap", cell[k].text ? cell[k].text : "");
    if (cell[k].failed) out->failed = 1;
    bri_buf_free(&cell[k]);
  }
  bri_buf_text(out, "</tr>\n");
}

void bri_html_made_of(bri_buf *out, const br_study *s)
{
  equations(out, s);
  parameters(out, s);
  bri_buf_text(
      out,
      "<section class=\"card\"><h2 style=\"margin-top:0\">Runs</h2>\n<div class=\"scroll\"><table><thead><tr>"
      "<th>run</th><th>analysis</th><th>input</th><th>options</th><th>method</th><th>error</th></tr></thead>"
      "<tbody>\n");
  for (size_t i = 0; i < s->nruns; i++) run_row(out, &s->runs[i]);
  bri_buf_text(out, "</tbody></table></div></section>\n");
}
