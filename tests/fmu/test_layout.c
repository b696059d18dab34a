/* SPDX-License-Identifier: Apache-2.0
 * test_layout.c - what an FMU says about itself, without packing one: names, units, unknowns, starts,
 * includes of its sources, and what is refused. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <math.h>
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
#include "bristle/expr.h"
#include "bristle/mechanism.h"
#include "fmu/fmu.h"
#include "mechanism/carry.h"

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

/* Every name once; an input of the mechanism is an input and no parameter; a rate is asked for where motion
 * or force hang on it, which is so where the mechanism moves the other side of a contact. */
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

/* Units are defined once, all that are used; what is calculated is an unknown of the start, and a rate
 * belongs to its state. */
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

/* A way follows from the motion before: it is calculated, and nobody sets where it begins; other states have
 * a start. */
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

/* The whole description of an FMU; free() it. */
static char *described(const fmu *f, int version, int kinds)
{
  bri_buf text = {0};
  const bri_fmu_job job = {NULL, version, kinds, "it", 1, &f->asked, &f->recipe, &f->layout};
  bri_fmu_describe(&job, &text);
  assert_false(text.failed);
  char *out = strdup(text.text);
  bri_buf_free(&text);
  assert_non_null(out);
  return out;
}

/* What stands of a variable behind its name, up to the end of its line. */
static const char *row_of(const char *text, const char *name)
{
  static char row[1024];
  char part[128];
  (void)snprintf(part, sizeof part, " name=\"%s\"", name);
  for (const char *s = text; (s = strstr(s, part)) != NULL; s++) {
    (void)snprintf(row, sizeof row, "%.*s", (int)strcspn(s, "\n"), s);
    if (strstr(row, "valueReference")) return row;
  }
  fail_msg("no variable %s", name);
  return "";
}

static void row_has(const char *text, const char *name, const char *part, int there)
{
  if ((strstr(row_of(text, name), part) != NULL) != there)
    fail_msg("%s: %s: %s", part, there ? "lacks" : "has", row_of(text, name));
}

/* Roles, bounds, sizes, kinds and versions, as the tables have them. */
static void attributes(void **state)
{
  (void)state;
  fmu f;
  open_fmu(&f, "gms", "mass_spring", NULL, NULL);
  char *both = described(&f, 3, 3), *me = described(&f, 2, BR_FMU_MODEL_EXCHANGE),
       *cs = described(&f, 3, BR_FMU_CO_SIMULATION);
  row_has(both, "x", "causality=\"output\"", 1), row_has(both, "F", "causality=\"output\"", 1);
  row_has(both, "der(x)", "causality=\"local\"", 1), row_has(both, "Fe", "causality=\"input\"", 1);
  row_has(both, "alpha[1]", "min=\"0\" max=\"1\"", 1), row_has(both, "m", "max=", 0);
  row_has(both, "x", "nominal=\"0.001\"", 1), row_has(both, "Fe", "nominal=", 0);
  row_has(both, "x", "reinit=\"true\"", 1), row_has(cs, "x", "reinit", 0),
      row_has(both, "der(x)", "reinit", 0);
  row_has(both, "der(v)", "unit=\"m/s^2\"", 1), row_has(both, "event[1]", "causality=\"local\"", 1);
  assert_null(strstr(me, "event[1]")); /* event indicators are no variables of FMI 2.0, but counted */
  char counted[64];
  (void)snprintf(counted, sizeof counted, " numberOfEventIndicators=\"%zu\"", f.layout.nevent);
  assert_true(f.layout.nevent > 0 && strstr(me, counted) && !strstr(both, "numberOfEventIndicators"));
  assert_true(count(both, "<EventIndicator ") == f.layout.nevent && count(me, "<EventIndicator ") == 0);
  assert_true(count(both, "<ModelExchange") == 1 && count(both, "<CoSimulation") == 1);
  assert_true(count(me, "<ModelExchange") == 1 && count(me, "<CoSimulation") == 0);
  assert_true(count(cs, "<ModelExchange") == 0 && count(cs, "<CoSimulation") == 1);
  free(both), free(me), free(cs);
  close_fmu(&f);
  open_fmu(&f, "lugre", "dc_motor", NULL, NULL); /* torques and angles */
  assert_string_equal(find(&f, "F")->unit, "N m");
  close_fmu(&f);
  open_fmu(&f, "lugre", "mass_spring", NULL, NULL);
  assert_string_equal(find(&f, "F")->unit, "N");
  close_fmu(&f);
}

/* Elements of one axis and of two: names, motion, load. */
static void elements(void **state)
{
  (void)state;
  fmu f;
  double u[2] = {9, 9}, v[2] = {9, 9};
  const double w[2] = {3, 5};
  open_fmu(&f, "bouc_wen_biaxial", NULL, NULL, NULL);
  static const char *const TWO[] = {"vx", "vy", "ux", "uy", "Fx", "Fy"};
  for (size_t i = 0; i < sizeof TWO / sizeof TWO[0]; i++) assert_non_null(find(&f, TWO[i]));
  assert_null(find(&f, "F1"));
  bri_fmu_element(2)->motion(NULL, w, NULL, NULL, u, v);
  assert_true(u[0] == 0 && u[1] == 0 && v[0] == 3 && v[1] == 5);
  close_fmu(&f);
  open_fmu(&f, "lugre", "chain", NULL, "contact=1,2,against=0,1,load=1,1");
  assert_true(find(&f, "F1") && find(&f, "F2") && !find(&f, "Fx"));
  close_fmu(&f);
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  for (size_t m = 0; m < n; m++) {
    open_fmu(&f, all[m]->name, NULL, NULL, NULL);
    const bri_fmu_var *load = find(&f, "n");
    assert_int_equal(load != NULL, !(all[m]->flags & BR_MODEL_NO_LOAD));
    if (load) assert_true(load->start == 1 && load->lo == 0);
    close_fmu(&f);
  }
}

/* The time of the default experiment: a second, or a power of ten below it; stiffer elements get less. */
static void experiments(void **state)
{
  (void)state;
  static const char *const SETS[] = {"sigma0=10,sigma1=0,Fc=1,Fs=1,Fe=0.5", "sigma0=1e5,Fe=5",
                                     "sigma0=1e9,Fe=5"};
  double before = 2;
  for (size_t i = 0; i < 3; i++) {
    fmu f;
    open_fmu(&f, "lugre", "mass_spring", NULL, SETS[i]);
    const double stop = bri_fmu_stop(f.plant);
    assert_true(stop <= 1 && stop > 0 && stop <= before);
    assert_true(fabs(log10(stop) - round(log10(stop))) < 1e-9);
    before = stop;
    close_fmu(&f);
  }
  assert_true(before < 1);
}

/* What slides on a stiff spring is not followed by a second in 500 steps, what sticks is; and a way is as
 * large as it gets. */
static void sizes(void **state)
{
  (void)state;
  fmu f;
  open_fmu(&f, "coulomb", "mass_spring", NULL, "m=1,ks=1e8,Fc=1,Fs=1,Fe=5");
  assert_true(bri_fmu_stop(f.plant) < 1);
  close_fmu(&f);
  open_fmu(&f, "coulomb", "mass_spring", NULL, "m=1,ks=1e8,Fc=10,Fs=10,Fe=5");
  assert_true(bri_fmu_stop(f.plant) == 1);
  close_fmu(&f);
  open_fmu(&f, "dahl", NULL, NULL,
           "gamma=0.5,sigma0=1e5,Fc=3"); /* the force is full after 4 Fc / sigma0 at most */
  size_t ways = 0;
  for (size_t i = 0; i < f.layout.n; i++) {
    const bri_fmu_var *v = &f.layout.vars[i];
    if (!v->way) continue;
    ways++;
    assert_true(v->nominal > 0.1 * 3e-5 && v->nominal < 10 * 3e-5);
  }
  assert_true(ways > 0);
  close_fmu(&f);
}

/* Mechanisms of text: each its own token. */
static void programs(void **state)
{
  (void)state;
  char token[2][BRI_FMU_TOKEN];
  for (int k = 0; k < 2; k++) {
    br_mechanism *text = NULL;
    bri_buf program = {0};
    bri_fmu_recipe r;
    br_err err = {BR_OK, -1, ""};
    FILE *f = fopen("one.yaml", "w");
    assert_non_null(f);
    (void)fprintf(f,
                  "mechanism:\n  name: one\n  title: a block\n  parameters: {m: 2 kg, k: 3 N/m}\n  inputs: "
                  "{Fe: 0 N}\n  bodies:\n"
                  "    wall: fixed\n    block: {mass: m, x: x, v: v}\n  connections:\n    - force: {on: "
                  "block, value: Fe}\n"
                  "    - spring: {between: [block, wall], stiffness: %s}\n  contacts:\n    - {between: "
                  "[block, wall]}\n",
                  k ? "2*k" : "k");
    (void)fclose(f);
    if (br_mechanism_load("one.yaml", &text, &err)) fail_msg("%s", err.msg);
    (void)remove("one.yaml");
    bri_mech_write(br_mechanism_system(text), &program);
    const bri_fmu_request asked = {"dahl", NULL, NULL, NULL, program.text};
    if (bri_fmu_recipe_make(&asked, &r, &err)) fail_msg("%s", err.msg);
    (void)snprintf(token[k], sizeof token[k], "%s", r.token);
    bri_fmu_recipe_free(&r);
    bri_buf_free(&program);
    br_mechanism_destroy(text);
  }
  assert_string_not_equal(token[0], token[1]);
}

/* A token changes with every part of what was asked for, and with where one part ends and the next begins. */
static void tokens(void **state)
{
  (void)state;
  static const bri_fmu_request ASKED[] = {
      {"dahl", NULL, NULL, "Fc=2", NULL},          {"dahl", NULL, NULL, "Fc=3", NULL},
      {"dahl", NULL, "Fc=2", NULL, NULL},          {"dahl", "mass_spring", NULL, NULL, NULL},
      {"dahl", "mass_spring", NULL, "Fc=2", NULL}, {"lugre", NULL, NULL, "Fc=1", NULL},
      {"dahl", NULL, "Fc=2", "Fc=3", NULL},        {"dahl", NULL, "Fc=3", "Fc=2", NULL},
      {"dahl", NULL, "Fc=2,sigma0=3", "", NULL},   {"dahl", NULL, "Fc=2", "sigma0=3", NULL}};
  enum { N = sizeof ASKED / sizeof ASKED[0] };
  char token[N][BRI_FMU_TOKEN];
  for (size_t i = 0; i < N; i++) {
    bri_fmu_recipe r;
    assert_int_equal(bri_fmu_recipe_make(&ASKED[i], &r, NULL), BR_OK);
    (void)snprintf(token[i], sizeof token[i], "%s", r.token);
    bri_fmu_recipe_free(&r);
    for (size_t k = 0; k < i; k++) assert_string_not_equal(token[i], token[k]);
  }
  fmu f; /* formulas may come from values that a mechanism brings along, too */
  open_fmu(&f, "lugre", NULL, "sigma0=1e4,g=1", NULL);
  assert_string_equal(f.recipe.mod->name, "lugre_expr");
  close_fmu(&f);
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
  (void)remove("refused.fmu"); /* an earlier run, of broken code, may have left one */
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
  refuses((br_fmu_options){.model = "dahl", .preset = "doc1", .system = "mass_spring"}, BR_E_ARG,
          "not of 'dahl'");
  const br_model *jumps = NULL; /* states that jump from site to site are offered by co-simulation alone */
  for (size_t i = 0; !jumps; i++) jumps = br_all_models(i)->flags & BR_MODEL_JUMPS ? br_all_models(i) : NULL;
  refuses((br_fmu_options){.model = jumps->name, .kinds = BR_FMU_MODEL_EXCHANGE}, BR_E_UNSUPPORTED,
          "states of");
  br_err err = {BR_OK, -1, ""};
  const br_fmu_options o = {.preset = "doc1",
                            .system = "mass_spring"}; /* its spring is none of this mechanism */
  if (br_fmu_write(&o, "other.fmu", NULL, &err)) fail_msg("%s", err.msg);
  assert_int_equal(remove("other.fmu"), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),      cmocka_unit_test(values),   cmocka_unit_test(description),
      cmocka_unit_test(starts),     cmocka_unit_test(includes), cmocka_unit_test(refused),
      cmocka_unit_test(attributes), cmocka_unit_test(elements), cmocka_unit_test(experiments),
      cmocka_unit_test(tokens),     cmocka_unit_test(sizes),    cmocka_unit_test(programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
