/* SPDX-License-Identifier: Apache-2.0
 * describe.c - the XML files of an FMU, from the list of its variables. */
#include <math.h>
#include <string.h>

#include "../text/escape.h"
#include "bristle/unit.h"
#include "bristle/version.h"
#include "fmu.h"

static void attribute(bri_buf *b, const char *name, const char *value)
{
  if (!value || !*value) return;
  bri_buf_printf(b, " %s=\"", name);
  bri_buf_html(b, value);
  bri_buf_text(b, "\"");
}

static void number(bri_buf *b, const char *name, double x)
{
  bri_buf_printf(b, " %s=\"", name);
  bri_buf_number(b, x, "0");
  bri_buf_text(b, "\"");
}

/* ---- units ---- */

static int has_unit(const bri_fmu_var *v) { return v->unit && *v->unit && strcmp(v->unit, "1") != 0; }

static void put_units(const bri_fmu_layout *l, bri_buf *b)
{
  static const char *const BASE[] = {"m", "kg", "s", "A", "K", "rad"};
  int any = 0;
  for (size_t i = 0; i < l->n; i++) {
    const bri_fmu_var *v = &l->vars[i];
    br_unit unit;
    size_t first = 0;
    while (has_unit(v) && !(l->vars[first].unit && strcmp(l->vars[first].unit, v->unit) == 0)) first++;
    if (!has_unit(v) || first < i) continue;
    if (!any) bri_buf_text(b, "  <UnitDefinitions>\n");
    any = 1;
    bri_buf_text(b, "    <Unit");
    attribute(b, "name", v->unit);
    if (br_unit_parse(v->unit, strlen(v->unit), &unit, NULL)) {
      bri_buf_text(b, "/>\n");
      continue;
    }
    bri_buf_text(b, "><BaseUnit");
    for (int k = 0; k < BR_DIMS; k++)
      if (unit.dim[k]) bri_buf_printf(b, " %s=\"%d\"", BASE[k], unit.dim[k]);
    if (unit.factor != 1) number(b, "factor", unit.factor);
    bri_buf_text(b, "/></Unit>\n");
  }
  if (any) bri_buf_text(b, "  </UnitDefinitions>\n");
}

/* ---- variables ---- */

static int is_output(const bri_fmu_var *v)
{
  return v->kind == BRI_FMU_STATE || v->kind == BRI_FMU_FOLLOWS || v->kind == BRI_FMU_FORCE ||
         v->kind == BRI_FMU_SHOWN;
}

/* Is it known only when the equations have been evaluated? */
static int is_calculated(const bri_fmu_var *v)
{
  return v->kind == BRI_FMU_RATE || v->kind == BRI_FMU_FORCE || v->kind == BRI_FMU_SHOWN ||
         v->kind == BRI_FMU_EVENT || v->way;
}

/* Variables that version 2 lists, too: event indicators are none there. */
static int is_listed(const bri_fmu_job *job, const bri_fmu_var *v)
{
  return job->version == 3 || v->kind != BRI_FMU_EVENT;
}

static void put_role(const bri_fmu_var *v, bri_buf *b)
{
  if (v->kind == BRI_FMU_TIME) bri_buf_text(b, " causality=\"independent\" variability=\"continuous\"");
  else if (v->kind == BRI_FMU_PARAM)
    bri_buf_text(b, " causality=\"parameter\" variability=\"tunable\" initial=\"exact\"");
  else if (bri_fmu_is_input(v)) bri_buf_text(b, " causality=\"input\" variability=\"continuous\"");
  else
    bri_buf_printf(b, " causality=\"%s\" variability=\"continuous\" initial=\"%s\"",
                   is_output(v) ? "output" : "local", is_calculated(v) ? "calculated" : "exact");
}

static size_t place_of(const bri_fmu_layout *l, bri_fmu_kind kind, size_t index)
{
  size_t i = 0;
  while (i < l->n && !(l->vars[i].kind == kind && l->vars[i].index == index)) i++;
  return i;
}

static void put_variable(const bri_fmu_job *job, size_t i, bri_buf *b)
{
  const bri_fmu_var *v = &job->layout->vars[i];
  const int two = job->version == 2, starts = !is_calculated(v) && v->kind != BRI_FMU_TIME;
  bri_buf_text(b, two ? "    <ScalarVariable" : "    <Float64");
  attribute(b, "name", v->name);
  bri_buf_printf(b, " valueReference=\"%zu\"", i);
  attribute(b, "description", v->doc);
  put_role(v, b);
  if (two) bri_buf_text(b, "><Real");
  if (has_unit(v)) attribute(b, "unit", v->unit);
  if (isfinite(v->lo)) number(b, "min", v->lo);
  if (isfinite(v->hi)) number(b, "max", v->hi);
  if (v->nominal != 1) number(b, "nominal", v->nominal);
  if (starts) number(b, "start", v->start);
  if (v->kind == BRI_FMU_STATE && (job->kinds & BR_FMU_MODEL_EXCHANGE)) bri_buf_text(b, " reinit=\"true\"");
  if (v->kind == BRI_FMU_RATE)
    bri_buf_printf(b, " derivative=\"%zu\"", place_of(job->layout, BRI_FMU_STATE, v->index) + (two ? 1 : 0));
  bri_buf_text(b, two ? "/></ScalarVariable>\n" : "/>\n");
}

/* ---- structure ---- */

static void put_unknowns(const bri_fmu_job *job, const char *list, const char *row,
                         int (*take)(const bri_fmu_var *), bri_buf *b)
{
  const int two = job->version == 2;
  size_t n = 0;
  for (size_t i = 0; i < job->layout->n; i++) {
    if (!take(&job->layout->vars[i])) continue;
    if (two && n == 0) bri_buf_printf(b, "    <%s>\n", list);
    n++;
    if (two) bri_buf_printf(b, "      <Unknown index=\"%zu\"/>\n", i + 1);
    else bri_buf_printf(b, "    <%s valueReference=\"%zu\"/>\n", row, i);
  }
  if (two && n) bri_buf_printf(b, "    </%s>\n", list);
}

static int is_rate(const bri_fmu_var *v) { return v->kind == BRI_FMU_RATE; }
static int is_event(const bri_fmu_var *v) { return v->kind == BRI_FMU_EVENT; }
static int is_unknown(const bri_fmu_var *v) { return is_calculated(v) && v->kind != BRI_FMU_EVENT; }

static void put_structure(const bri_fmu_job *job, bri_buf *b)
{
  bri_buf_text(b, "  <ModelStructure>\n");
  put_unknowns(job, "Outputs", "Output", is_output, b);
  put_unknowns(job, "Derivatives", "ContinuousStateDerivative", is_rate, b);
  put_unknowns(job, "InitialUnknowns", "InitialUnknown", is_unknown, b);
  if (job->version == 3) put_unknowns(job, "", "EventIndicator", is_event, b);
  bri_buf_text(b, "  </ModelStructure>\n");
}

/* ---- the whole ---- */

static void put_sources(bri_buf *b, const char *indent, const char *row)
{
  for (size_t i = 0; bri_fmu_units[i]; i++)
    bri_buf_printf(b, "%s<%s name=\"%s\"/>\n", indent, row, bri_fmu_units[i]);
}

static void put_kind2(const bri_fmu_job *job, const char *element, const char *more, bri_buf *b)
{
  bri_buf_printf(b,
                 "  <%s modelIdentifier=\"%s\" canNotUseMemoryManagementFunctions=\"true\""
                 " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                 " providesDirectionalDerivative=\"true\"%s>\n    <SourceFiles>\n",
                 element, job->name, more);
  put_sources(b, "      ", "File");
  bri_buf_printf(b, "    </SourceFiles>\n  </%s>\n", element);
}

static void put_kind3(const bri_fmu_job *job, const char *element, const char *more, bri_buf *b)
{
  bri_buf_printf(b,
                 "  <%s modelIdentifier=\"%s\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
                 " providesDirectionalDerivatives=\"true\"%s/>\n",
                 element, job->name, more);
}

static void put_kinds(const bri_fmu_job *job, bri_buf *b)
{
  void (*put)(const bri_fmu_job *, const char *, const char *, bri_buf *) =
      job->version == 2 ? put_kind2 : put_kind3;
  if (job->kinds & BR_FMU_MODEL_EXCHANGE)
    put(job, "ModelExchange",
        job->version == 2 ? " completedIntegratorStepNotNeeded=\"false\""
                          : " needsCompletedIntegratorStep=\"true\"",
        b);
  if (job->kinds & BR_FMU_CO_SIMULATION)
    put(job, "CoSimulation",
        job->version == 2 ? " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\""
                          : " canHandleVariableCommunicationStepSize=\"true\"",
        b);
}

static void title(const bri_fmu_job *job, bri_buf *b)
{
  bri_buf_html(b, job->recipe->mod->title);
  if (job->recipe->element) return;
  bri_buf_text(b, "; ");
  bri_buf_html(b, job->recipe->sys->title);
}

void bri_fmu_describe(const bri_fmu_job *job, bri_buf *b)
{
  const bri_fmu_layout *l = job->layout;
  bri_buf_printf(b,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\" "
                 "modelName=\"%s\" %s=\"%s\" description=\"",
                 job->version == 2 ? "2.0" : "3.0", job->name,
                 job->version == 2 ? "guid" : "instantiationToken", job->recipe->token);
  title(job, b);
  bri_buf_printf(b, "\" version=\"%s\" generationTool=\"Bristle %s\" variableNamingConvention=\"flat\"",
                 BR_VERSION_STRING, BR_VERSION_STRING);
  if (job->version == 2) bri_buf_printf(b, " numberOfEventIndicators=\"%zu\"", l->nevent);
  bri_buf_text(b, ">\n");
  put_kinds(job, b);
  put_units(l, b);
  bri_buf_text(b,
               "  <LogCategories>\n    <Category name=\"logStatusError\" description=\"what went wrong\"/>\n"
               "  </LogCategories>\n  <DefaultExperiment startTime=\"0\" tolerance=\"1e-12\"");
  number(b, "stopTime", job->stop);
  number(b, "stepSize", 1 / (1000 / job->stop));
  bri_buf_text(b, "/>\n  <ModelVariables>\n");
  for (size_t i = 0; i < l->n; i++)
    if (is_listed(job, &l->vars[i])) put_variable(job, i, b);
  bri_buf_text(b, "  </ModelVariables>\n");
  put_structure(job, b);
  bri_buf_text(b, "</fmiModelDescription>\n");
}

void bri_fmu_describe_build(const bri_fmu_job *job, bri_buf *b)
{
  bri_buf_printf(b,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
                 "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C11\">\n",
                 job->name);
  put_sources(b, "      ", "SourceFile");
  bri_buf_text(b, "    </SourceFileSet>\n  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

void bri_fmu_document(const bri_fmu_job *job, bri_buf *b)
{
  bri_buf_printf(
      b,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body>\n"
      "<h1>%s</h1>\n<p>",
      job->name, job->name);
  title(job, b);
  bri_buf_printf(b, "</p>\n<p>Made by Bristle %s, model %s", BR_VERSION_STRING, job->recipe->mod->name);
  if (!job->recipe->element) bri_buf_printf(b, ", mechanism %s", job->recipe->sys->name);
  bri_buf_text(b, ". All numbers are in SI units. A force is positive against a positive velocity.");
  if (job->recipe->element)
    bri_buf_text(b, " The position u is read at the start and then follows the velocity.");
  bri_buf_text(b, "</p>\n<table>\n<tr><th>variable</th><th>unit</th><th>start</th><th>what</th></tr>\n");
  for (size_t i = 0; i < job->layout->n; i++) {
    const bri_fmu_var *v = &job->layout->vars[i];
    bri_buf_text(b, "<tr><td>");
    bri_buf_html(b, v->name);
    bri_buf_text(b, "</td><td>");
    bri_buf_html(b, v->unit ? v->unit : "");
    bri_buf_text(b, "</td><td>");
    if (!is_calculated(v)) bri_buf_number(b, v->start, "");
    bri_buf_text(b, "</td><td>");
    bri_buf_html(b, v->doc ? v->doc : "");
    bri_buf_text(b, "</td></tr>\n");
  }
  bri_buf_text(b, "</table>\n</body></html>\n");
}
