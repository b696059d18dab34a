/* SPDX-License-Identifier: Apache-2.0
 * test_layout.c - what an FMU says about itself, without packing one: names, units, unknowns, starts, includes of its sources,
 * and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bri_config.h"
#include "fmu/fmu.h"

typedef struct {
  bri_fmu_request asked;
  bri_fmu_recipe recipe;
  bri_fmu_layout layout;
  br_plant *plant;
} fmu;

static void open_fmu(fmu *f, const char *model, const char *system, const char *base, const char *set)
{
  br_err err = {BR_OK, -1, ""};
  memset(f, 0, sizeof *f);
  f->asked = (bri_fmu_request){model, system, base, set, NULL};
  if (bri_fmu_recipe_make(&f->asked, &f->recipe, &err))
    fail_msg("%s %s: %s", model, system ? system : "", err.msg);
  if (br_plant_of(f->recipe.sys, f->recipe.mod, f->recipe.params, NULL, &f->plant, &err) ||
      bri_fmu_layout_make(&f->recipe, f->plant, &f->layout, &err))
    fail_msg("%s %s: %s", model, system ? system : "", err.msg);
}

static void close_fmu(fmu *f)
{
  bri_fmu_layout_free(&f->layout);
  br_plant_destroy(f->plant);
  bri_fmu_recipe_free(&f->recipe);
}

static const bri_fmu_var *find(const fmu *f, const char *name)
{
  for (size_t i = 0; i < f->layout.n; i++)
    if (strcmp(f->layout.vars[i].name, name) == 0) return &f->layout.vars[i];
  return NULL;
}

static size_t count(const char *text, const char *what)
{
  size_t n = 0;
  for (const char *s = text; (s = strstr(s, what)) != NULL; s += strlen(what)) n++;
  return n;
}

/* Every name once; an input of the mechanism is an input and no parameter; a rate is asked for where motion or force hang on
 * it, which is so where the mechanism moves the other side of a contact. */
static void names(void **state)
{
  size_t n = 0, slopes = 0;
  (void)state;
  const br_system *const *all = br_systems(&n);
  for (size_t s = 0; s < n; s++) {
    fmu f;
    open_fmu(&f, all[s]->axes > 1 ? "bouc_wen_biaxial" : "lugre", all[s]->name, NULL, NULL);
    for (size_t i = 0; i < f.layout.n; i++) {
      const bri_fmu_var *v = &f.layout.vars[i];
      assert_ptr_equal(find(&f, v->name), v);
      if (v->kind == BRI_FMU_PARAM && strncmp(v->param, "input.", 6) == 0)
        fail_msg("%s: %s", all[s]->name, v->param);
      slopes += v->kind == BRI_FMU_SLOPE;
    }
    for (size_t i = 0; i < all[s]->ninput; i++) {
      const bri_fmu_var *v = find(&f, all[s]->inputs[i].name);
      assert_true(v && v->kind == BRI_FMU_INPUT && v->index == i);
    }
    close_fmu(&f);
  }
  assert_true(slopes > 0);
  fmu f;
  open_fmu(&f, "dahl", NULL, NULL, "Fc=2");
  assert_true(find(&f, "v")->kind == BRI_FMU_INPUT && find(&f, "u")->kind == BRI_FMU_POSITION);
  assert_true(find(&f, "n")->kind == BRI_FMU_LOAD && find(&f, "n")->start == 1 && find(&f, "Fc")->start == 2);
  assert_true(find(&f, "F")->kind == BRI_FMU_FORCE && find(&f, "state.F")->kind == BRI_FMU_STATE);
  close_fmu(&f);
}

/* Values of a preset hold where none are given; two recipes that differ have two tokens. */
static void values(void **state)
{
  (void)state;
  fmu a, b, c;
  open_fmu(&a, "lugre", "driven_block", "sigma0=5,Fc=1,Fs=5,m=3", "Fs=4,F=2");
  assert_true(find(&a, "sigma0")->start == 5 && find(&a, "Fs")->start == 4 && find(&a, "m")->start == 3);
  assert_true(find(&a, "F")->kind == BRI_FMU_INPUT && find(&a, "F")->start == 2);
  open_fmu(&b, "lugre", "driven_block", "sigma0=6,Fc=1,Fs=5,m=3", "Fs=4,F=2");
  open_fmu(&c, "lugre", "driven_block", "sigma0=5,Fc=1,Fs=5,m=3", "Fs=4,F=2");
  assert_string_not_equal(a.recipe.token, b.recipe.token);
  assert_string_equal(a.recipe.token, c.recipe.token);
  close_fmu(&a), close_fmu(&b), close_fmu(&c);
  open_fmu(&a, "lugre", NULL, NULL,
           "sigma0=1e4,g=1+0.5*exp(-(v/0.02)^2)"); /* a formula makes it the other lugre */
  assert_string_equal(a.recipe.mod->name, "lugre_expr");
  close_fmu(&a);
  open_fmu(&a, "maxwell_slip", NULL, NULL, "k=1,2,Delta=3,4");
  assert_true(find(&a, "k[2]")->start == 2 && find(&a, "k[2]")->count == 2 && !find(&a, "k[3]"));
  close_fmu(&a);
}

/* Units are defined once, all that are used; what is calculated is an unknown of the start, and a rate belongs to its state. */
static void description(void **state)
{
  (void)state;
  for (int version = 2; version <= 3; version++) {
    fmu f;
    bri_buf text = {0};
    char part[128];
    open_fmu(&f, "lugre", "dc_motor", NULL, NULL);
    bri_fmu_job job = {NULL, version, BR_FMU_MODEL_EXCHANGE, "it", 1, &f.asked, &f.recipe, &f.layout};
    bri_fmu_describe(&job, &text);
    assert_false(text.failed);
    for (size_t i = 0; i < f.layout.n; i++) {
      const bri_fmu_var *v = &f.layout.vars[i];
      if (v->unit && v->unit[0] && strcmp(v->unit, "1") != 0) {
        (void)snprintf(part, sizeof part, "<Unit name=\"%s\"", v->unit);
        assert_int_equal(count(text.text, part), 1);
      }
      if (v->kind == BRI_FMU_RATE || v->kind == BRI_FMU_FORCE || v->kind == BRI_FMU_SHOWN) {
        if (version == 3) (void)snprintf(part, sizeof part, "<InitialUnknown valueReference=\"%zu\"/>", i);
        else (void)snprintf(part, sizeof part, "<Unknown index=\"%zu\"/>", i + 1);
        const char *list = strstr(text.text, version == 3 ? "<ModelStructure>" : "<InitialUnknowns>");
        assert_true(list && count(list, part) == 1);
      }
      if (v->kind == BRI_FMU_RATE) {
        char name[96];
        (void)snprintf(name, sizeof name, "%.*s", (int)strlen(v->name) - 5, v->name + 4); /* der(NAME) */
        const size_t at = (size_t)(find(&f, name) - f.layout.vars);
        (void)snprintf(part, sizeof part, " derivative=\"%zu\"", at + (version == 2));
        assert_int_equal(count(text.text, part), 1);
      }
    }
    assert_int_equal(count(text.text, "<CoSimulation"), 0);
    assert_int_equal(count(text.text, "<ModelExchange"), 1);
    bri_buf_free(&text);
    close_fmu(&f);
  }
}

/* A way follows from the motion before: it is calculated, and nobody sets where it begins; other states have a start. */
static void starts(void **state)
{
  size_t n = 0, ways = 0;
  (void)state;
  const br_model *const *all = br_models(&n);
  for (size_t m = 0; m < n; m++) {
    fmu f;
    bri_buf text = {0};
    /* below 1 Dahl's force saturates after a finite way */
    open_fmu(&f, all[m]->name, NULL, NULL, strcmp(all[m]->name, "dahl") == 0 ? "gamma=0.5" : NULL);
    const bri_fmu_job job = {NULL, 3, BR_FMU_CO_SIMULATION, "it", 1, &f.asked, &f.recipe, &f.layout};
    bri_fmu_describe(&job, &text);
    assert_false(text.failed);
    for (size_t i = 0; i < f.layout.n; i++) {
      const bri_fmu_var *v = &f.layout.vars[i];
      char part[160];
      if (v->kind != BRI_FMU_STATE && v->kind != BRI_FMU_FOLLOWS) continue;
      (void)snprintf(part, sizeof part, "<Float64 name=\"%s\"", v->name);
      const char *line = strstr(text.text, part), *start = line ? strstr(line, " start=") : NULL;
      assert_non_null(line);
      assert_int_equal(start && start < strchr(line, '\n'), !v->way);
      ways += (size_t)v->way;
    }
    bri_buf_free(&text);
    close_fmu(&f);
  }
  assert_true(ways > 0);
}

static int number_of(const char *path)
{
  for (int i = 0; bri_fmu_files[i].path; i++)
    if (strcmp(bri_fmu_files[i].path, path) == 0) return i;
  return -1;
}

/* What file `at` includes, each by the way from its own folder, and what those include. */
static size_t follow(int at, char *seen)
{
  const bri_fmu_file *f = &bri_fmu_files[at];
  const char *slash = strrchr(f->path, '/');
  size_t followed = 1;
  bri_buf out = {0};
  if (seen[at]++) return 0;
  bri_fmu_source(f, &out);
  assert_false(out.failed);
  for (const char *s = out.text; s && (s = strstr(s, "\n#include \"")) != NULL;) {
    char path[512], *up;
    s += strlen("\n#include \"");
    (void)snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash - f->path) + 1 : 0, f->path,
                   (int)strcspn(s, "\""), s);
    while ((up = strstr(path, "/../")) != NULL) {
      char *from = up;
      while (from > path && from[-1] != '/') from--;
      memmove(from, up + 4, strlen(up + 4) + 1);
    }
    const int to = number_of(path);
    if (to < 0) fail_msg("%s includes %s, which is not in the package", f->path, path);
    followed += follow(to, seen);
  }
  bri_buf_free(&out);
  return followed;
}

/* An importer compiles the package without options: all that its units include is in it, and found. */
static void includes(void **state)
{
  static char seen[4096];
  size_t followed = 0, files = 0;
  (void)state;
  while (bri_fmu_files[files].path) files++;
  assert_true(files < sizeof seen);
  for (size_t i = 0; bri_fmu_units[i]; i++) followed += follow(number_of(bri_fmu_units[i]), seen);
  assert_true(followed > 50);
}

static void refuses(br_fmu_options o, br_status code, const char *says)
{
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_fmu_write(&o, "refused.fmu", NULL, &err), code);
  if (!strstr(err.msg, says)) fail_msg("'%s' does not say '%s'", err.msg, says);
  assert_int_not_equal(access("refused.fmu", F_OK), 0);
}

static void refused(void **state)
{
  (void)state;
  if (!br_fmu_available()) skip();
  static const char *const NAMES[] = {
      "",    "1st", "a/b",         "../up",
      "a b", "a-b", "n\xc3\xa4me", "a23456789012345678901234567890123456789012345678901234567890"};
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    refuses((br_fmu_options){.model = "dahl", .name = NAMES[i]}, BR_E_ARG, "cannot be that of an FMU");
  refuses((br_fmu_options){.model = "dahl", .set = "Fc=1\nmodel lugre"}, BR_E_PARSE, "in one line");
  refuses((br_fmu_options){.model = "dahl", .set = "Fc=1\rx"}, BR_E_PARSE, "in one line");
  refuses((br_fmu_options){.model = "dhal"}, BR_E_NAME, "did you mean 'dahl'");
  refuses((br_fmu_options){.model = "dahl", .system = "mas_spring"}, BR_E_NAME, "did you mean 'mass_spring'");
  refuses((br_fmu_options){.model = "dahl", .version = 1}, BR_E_ARG, "2 or 3");
  refuses((br_fmu_options){.model = "dahl", .kinds = 8}, BR_E_ARG, "unknown");
  refuses((br_fmu_options){.model = "dahl", .preset = "doc1"}, BR_E_ARG, "is a set of the model lugre");
  br_err err = {BR_OK, -1, ""};
  const br_fmu_options o = {.preset = "doc1",
                            .system = "mass_spring"}; /* its spring is none of this mechanism */
  if (br_fmu_write(&o, "other.fmu", NULL, &err)) fail_msg("%s", err.msg);
  assert_int_equal(remove("other.fmu"), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(names),       cmocka_unit_test(values),
                                     cmocka_unit_test(description), cmocka_unit_test(starts),
                                     cmocka_unit_test(includes),    cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
