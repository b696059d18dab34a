/* SPDX-License-Identifier: Apache-2.0
 * test_described.c - the description of an FMU against the list of its variables, for every model alone and
 * in mechanisms, both versions: units are what they say, rates are those of states, every variable stands
 * where it belongs, once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/unit.h"
#include "fmu/fmu.h"

typedef struct {
  bri_fmu_request asked;
  bri_fmu_recipe recipe;
  bri_fmu_layout layout;
  br_plant *plant;
} fmu;

static void open_fmu(fmu *f, const char *model, const char *system)
{
  br_err err = {BR_OK, -1, ""};
  memset(f, 0, sizeof *f);
  f->asked = (bri_fmu_request){model, system, NULL, NULL, NULL};
  if (bri_fmu_recipe_make(&f->asked, &f->recipe, &err) ||
      br_plant_of(f->recipe.sys, f->recipe.mod, f->recipe.params, NULL, &f->plant, &err) ||
      bri_fmu_layout_make(&f->recipe, f->plant, &f->layout, &err))
    fail_msg("%s %s: %s", model, system ? system : "", err.msg);
}

static void close_fmu(fmu *f)
{
  bri_fmu_layout_free(&f->layout);
  br_plant_destroy(f->plant);
  bri_fmu_recipe_free(&f->recipe);
}

static size_t count(const char *text, const char *what)
{
  size_t n = 0;
  for (const char *s = text; (s = strstr(s, what)) != NULL; s += strlen(what)) n++;
  return n;
}

/* The text of a description; the caller's. */
static char *described(const fmu *f, int version)
{
  const bri_fmu_job job = {NULL, version, 3, "it", 1, &f->asked, &f->recipe, &f->layout};
  bri_buf b = {0};
  bri_fmu_describe(&job, &b);
  assert_true(b.text && !b.failed);
  char *copy = malloc(b.used + 1);
  memcpy(copy, b.text, b.used), copy[b.used] = '\0';
  bri_buf_free(&b);
  return copy;
}

/* Every unit of a variable is defined once, with its dimensions and its size in SI. */
static void check_units(const fmu *f, const char *text)
{
  static const char *const BASE[BR_DIMS] = {"m", "kg", "s", "A", "K", "rad"};
  for (size_t i = 0; i < f->layout.n; i++) {
    const char *unit = f->layout.vars[i].unit;
    char row[80];
    br_unit u;
    if (!unit || !*unit || strcmp(unit, "1") == 0) continue;
    (void)snprintf(row, sizeof row, "<Unit name=\"%s\">", unit);
    if (br_unit_parse(unit, strlen(unit), &u, NULL)) continue;
    if (count(text, row) != 1) fail_msg("unit '%s' stands %zu times", unit, count(text, row));
    char own[200];
    const char *s = strstr(text, row) + strlen(row), *end = strstr(s, "</Unit>");
    (void)snprintf(own, sizeof own, "%.*s", (int)(end - s), s);
    size_t parts = 0;
    for (int k = 0; k < BR_DIMS; k++) {
      (void)snprintf(row, sizeof row, " %s=\"%d\"", BASE[k], u.dim[k]);
      if (u.dim[k] && !strstr(own, row)) fail_msg("unit '%s' is said to be %s", unit, own);
      parts += u.dim[k] != 0;
    }
    const char *factor = strstr(own, " factor=\"");
    assert_int_equal(count(own, "=\""), parts + (factor != NULL));
    assert_true(fabs((factor ? strtod(factor + 9, NULL) : 1) - u.factor) <= 1e-15 * u.factor);
  }
}

/* The rate of a state has its unit per second; how large a state gets is a sensible number. */
static void check_rates(const fmu *f)
{
  for (size_t i = 0; i < f->layout.n; i++) {
    const bri_fmu_var *v = &f->layout.vars[i], *x = NULL;
    br_unit of, per = {1, {0}};
    if (v->kind == BRI_FMU_STATE) assert_true(v->nominal >= 1e-12 && v->nominal <= 1);
    if (v->kind != BRI_FMU_RATE) continue;
    for (size_t k = 0; k < f->layout.n && !x; k++)
      if (f->layout.vars[k].kind == BRI_FMU_STATE && f->layout.vars[k].index == v->index)
        x = &f->layout.vars[k];
    assert_non_null(x);
    if (!v->unit || br_unit_parse(v->unit, strlen(v->unit), &of, NULL))
      fail_msg("%s has the unit '%s'", v->name, v->unit ? v->unit : "");
    if (x->unit && *x->unit) assert_int_equal(br_unit_parse(x->unit, strlen(x->unit), &per, NULL), BR_OK);
    per.dim[BR_DIM_TIME]--;
    if (!br_unit_same(&of, &per))
      fail_msg("%s is in %s, its state in %s", v->name, v->unit, x->unit ? x->unit : "1");
  }
}

static int is_output(bri_fmu_kind k)
{
  return k == BRI_FMU_STATE || k == BRI_FMU_FOLLOWS || k == BRI_FMU_FORCE || k == BRI_FMU_SHOWN;
}

/* The references, or in version 2 the places, that a list of the structure has: exactly those of its kinds.
 * */
static void check_structure(const fmu *f, const char *text, int version)
{
  for (int list = 0; list < 3; list++) {
    static const char *const ROWS[] = {"<Output ", "<ContinuousStateDerivative ", "<EventIndicator "},
                             *const LISTS[] = {"<Outputs>", "<Derivatives>", NULL},
                             *const ENDS[] = {"</Outputs>", "</Derivatives>", NULL};
    if (version == 2 && !LISTS[list]) continue;
    size_t wanted = 0;
    const char *part = strstr(text, "<ModelStructure>"), *end = part + strlen(part);
    if (version == 2 && (part = strstr(part, LISTS[list])) != NULL) end = strstr(part, ENDS[list]);
    for (size_t i = 0; i < f->layout.n; i++) {
      const bri_fmu_kind k = f->layout.vars[i].kind;
      const int belongs = list == 0 ? is_output(k) : list == 1 ? k == BRI_FMU_RATE : k == BRI_FMU_EVENT;
      char row[80];
      if (version == 2) (void)snprintf(row, sizeof row, "<Unknown index=\"%zu\"/>", i + 1);
      else (void)snprintf(row, sizeof row, "%svalueReference=\"%zu\"/>", ROWS[list], i);
      const char *there = part ? strstr(part, row) : NULL;
      if ((there && there < end) != belongs)
        fail_msg("%s of version %d, list %d", f->layout.vars[i].name, version, list);
      wanted += (size_t)belongs;
    }
    if (version == 3) assert_int_equal(count(part, ROWS[list]), wanted);
  }
}

static void all(void **state)
{
  static const char *const SYSTEMS[] = {NULL, "mass_spring", "dc_motor", "prescribed", "chain"};
  size_t n = 0;
  const br_model *const *models = br_models(&n);
  (void)state;
  for (size_t i = 0; i < n; i++)
    for (size_t s = 0; s < (models[i]->axes == 1 ? sizeof SYSTEMS / sizeof SYSTEMS[0] : 1); s++) {
      fmu f;
      open_fmu(&f, models[i]->name, SYSTEMS[s]);
      check_rates(&f);
      for (int version = 2; version <= 3; version++) {
        char *text = described(&f, version);
        check_units(&f, text);
        check_structure(&f, text, version);
        free(text);
      }
      close_fmu(&f);
    }
}

/* What it can do is said of each kind that it has, and of no other: whoever drives it reports the steps that
 * he takes (stick and slip are told apart there), may keep and bring back its state, ask for slopes and take
 * steps of any length. */
static void abilities(void **state)
{
  static const struct {
    const char *words;
    int version, kinds; /* that say so; kinds 3: each of them */
  } SAYS[] = {{" completedIntegratorStepNotNeeded=\"false\"", 2, 1},
              {" needsCompletedIntegratorStep=\"true\"", 3, 1},
              {"ntegratorStepNotNeeded=\"true\"", 2, 0},
              {"CompletedIntegratorStep=\"false\"", 3, 0},
              {" canHandleVariableCommunicationStepSize=\"true\"", 2, 2},
              {" canHandleVariableCommunicationStepSize=\"true\"", 3, 2},
              {" canInterpolateInputs=\"true\"", 2, 2},
              {" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"", 2, 3},
              {" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"", 3, 3},
              {" providesDirectionalDerivative=\"true\"", 2, 3},
              {" providesDirectionalDerivatives=\"true\"", 3, 3},
              {"<ModelExchange modelIdentifier=\"it\"", 2, 1},
              {"<ModelExchange modelIdentifier=\"it\"", 3, 1},
              {"<CoSimulation modelIdentifier=\"it\"", 2, 2},
              {"<CoSimulation modelIdentifier=\"it\"", 3, 2}};
  fmu f;
  (void)state;
  open_fmu(&f, "lugre", "mass_spring");
  for (size_t i = 0; i < sizeof SAYS / sizeof SAYS[0]; i++)
    for (int kinds = 1; kinds <= 3; kinds++) {
      const bri_fmu_job job = {NULL, SAYS[i].version, kinds, "it", 1, &f.asked, &f.recipe, &f.layout};
      bri_buf b = {0};
      bri_fmu_describe(&job, &b);
      const int those = kinds & SAYS[i].kinds, wanted = (those & 1) + (those >> 1);
      if (count(b.text, SAYS[i].words) != (size_t)wanted)
        fail_msg("version %d, kinds %d: %s stands %zu times", SAYS[i].version, kinds, SAYS[i].words,
                 count(b.text, SAYS[i].words));
      bri_buf_free(&b);
    }
  close_fmu(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all), cmocka_unit_test(abilities)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
