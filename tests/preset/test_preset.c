/* SPDX-License-Identifier: Apache-2.0
 * test_preset.c - every set of the list can be used as it stands, and a job takes it as a ground. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/bristle.h"
#include "preset/preset.h"

/* Names are words of a shell, each once; the source says where the numbers stand. */
static void test_rows(void **state)
{
  (void)state;
  size_t n = 0;
  for (const br_preset *p; (p = br_presets(n)) != NULL; n++) {
    for (const char *s = p->name; *s; s++) assert_true(isalnum((unsigned char)*s) || *s == '_');
    assert_ptr_equal(br_preset_find(p->name), p);
    assert_true(strlen(p->title) > 5 && strlen(p->source) > 10);
    assert_non_null(br_all_models_find(p->model));
    assert_true(!p->system == !p->system_set);
  }
  static const char *const NAMES[] = {
#define BRI_PRESET(name, ...) name,
#include "preset/presets.def"
#undef BRI_PRESET
  };
  assert_int_equal(n, sizeof NAMES / sizeof NAMES[0]);
  for (size_t i = 0; i < n; i++) assert_string_equal(br_presets(i)->name, NAMES[i]);
  assert_null(br_preset_find("doc"));
  assert_null(br_preset_find(NULL));
}

/* All values are read, in range, and complete: no parameter of the model is left to its default unsaid. */
static void test_values(void **state)
{
  (void)state;
  const br_preset *p = NULL;
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    const br_model *m = br_all_models_find(p->model);
    br_params *q = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_params_create(m, &q, &err), BR_OK);
    assert_int_equal(br_params_set_list(q, p->model_set, &err), BR_OK);
    for (size_t k = 0; k < m->nparam; k++) {
      if (strcmp(m->params[k].name, "f_exp") == 0) break; /* behind these stand extensions, off by default */
      if (!br_params_given(q, m->params[k].name)) fail_msg("%s: %s is not said", p->name, m->params[k].name);
    }
    assert_int_equal(br_params_finish(q, &err), BR_OK);
    br_params_destroy(q);
  }
}

static br_job *ask(const char *analysis, const char *const *pairs)
{
  br_job *job = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_create(br_analysis_find(analysis), &job, &err), BR_OK);
  for (; pairs[0]; pairs += 2)
    if (br_job_set(job, pairs[0], pairs[1], NULL, &err)) fail_msg("%s", err.msg);
  if (br_job_check(job, &err)) fail_msg("%s", err.msg);
  return job;
}

static double value(const br_job *job, const char *name)
{
  double x = -1;
  size_t n = 0;
  assert_int_equal(br_params_get(br_job_params(job), name, 1, &x, &n, NULL), BR_OK);
  return x;
}

/* Every parameter of both jobs has the same values. */
static void same_values(const br_job *a, const br_job *b, const char *preset)
{
  char name[96];
  for (size_t k = 0; br_params_at(br_job_params(a), k, sizeof name, name) != NULL; k++) {
    double x[64] = {0}, y[64] = {0};
    size_t nx = 0, ny = 0;
    assert_int_equal(br_params_get(br_job_params(a), name, 64, x, &nx, NULL), BR_OK);
    assert_int_equal(br_params_get(br_job_params(b), name, 64, y, &ny, NULL), BR_OK);
    if (nx != ny || nx > 64 || memcmp(x, y, nx * sizeof *x) != 0) fail_msg("%s: %s", preset, name);
  }
}

/* Every set with its mechanism is a job that passes the check, and has the values written out. */
static void test_plants(void **state)
{
  (void)state;
  const br_preset *p = NULL;
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    if (!p->system) continue;
    br_job *job = ask("simulate", (const char *const[]){"preset", p->name, "t-end", "1", NULL});
    assert_string_equal(br_job_system(job)->name, p->system);
    assert_string_equal(br_job_model(job)->name, p->model);
    br_job *plain =
        ask("simulate", (const char *const[]){"model", p->model, "system", p->system, "set", p->model_set,
                                              "set", p->system_set, "t-end", "1", NULL});
    same_values(job, plain, p->name);
    br_job_destroy(plain);
    br_job_destroy(job);
  }
}

static void test_override(void **state)
{
  (void)state;
  br_job *job = ask("simulate", (const char *const[]){"preset", "doc1", "set", "model.Fs=7,k=3", "Fc", "3",
                                                      "t-end", "1", NULL});
  assert_true(value(job, "Fs") == 7 && value(job, "k") == 3 && value(job, "Fc") == 3 &&
              value(job, "sigma0") == 2900);
  br_job_destroy(job);
  /* another mechanism: the model's values alone; an input of the set gives way to one that is driven */
  job = ask("simulate", (const char *const[]){"preset", "doc1", "system", "mass_spring", "t-end", "1", NULL});
  assert_true(value(job, "ks") == 2 && value(job, "sigma1") == 107);
  br_job_destroy(job);
  job = ask("simulate", (const char *const[]){"preset", "doc2", "input", "sine:1,1", "t-end", "1", NULL});
  assert_non_null(br_job_input(job, 0));
  assert_true(value(job, "sigma1") == 8.25);
  br_job_destroy(job);
  /* the copy that a controller believes in has them too */
  job = ask("simulate", (const char *const[]){"preset", "doc1", "set", "Fs=7", "t-end", "1", NULL});
  br_params *copy = NULL;
  double x = 0;
  size_t n = 0;
  assert_int_equal(br_params_create(br_job_model(job), &copy, NULL), BR_OK);
  br_job_destroy(job);
  job = ask("trace", (const char *const[]){"preset", "doc1", "set", "Fs=7", "input", "sine:1,1", NULL});
  assert_int_equal(br_job_values(job, copy, NULL), BR_OK);
  assert_int_equal(br_params_get(copy, "sigma0", 1, &x, &n, NULL), BR_OK);
  assert_true(x == 2900);
  assert_int_equal(br_params_get(copy, "Fs", 1, &x, &n, NULL), BR_OK);
  assert_true(x == 7);
  assert_true(!br_params_given(copy, "sigma0") && br_params_given(copy, "Fs"));
  br_params_destroy(copy);
  br_job_destroy(job);
}

static void test_refused(void **state)
{
  (void)state;
  static const struct {
    const char *pairs[7], *says;
  } CASES[] = {
      {{"preset", "dok1", "t-end", "1", NULL}, "unknown preset 'dok1'; did you mean 'doc1'?"},
      {{"preset", "doc1", "model", "dahl", "t-end", "1", NULL},
       "preset doc1 is a set of the model lugre, not of 'dahl'"},
      {{"preset", "doc0", "t-end", "1", NULL}, "system NAME is missing"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_job *job = NULL;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(br_job_create(br_analysis_find("simulate"), &job, &err), BR_OK);
    for (const char *const *p = CASES[i].pairs; p[0]; p += 2)
      assert_int_equal(br_job_set(job, p[0], p[1], NULL, &err), BR_OK);
    assert_int_not_equal(br_job_check(job, &err), BR_OK);
    if (!strstr(err.msg, CASES[i].says)) fail_msg("said '%s'", err.msg);
    br_job_destroy(job);
  }
  br_job *job = NULL;
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_job_create(br_analysis_find("loop"), &job, &err), BR_OK);
  assert_int_equal(br_job_set(job, "preset", "doc0", NULL, &err), BR_OK);
  assert_int_equal(br_job_set(job, "preset", "doc1", NULL, &err), BR_E_ARG); /* given twice */
  br_job_destroy(job);
}

/* Found by words in any letters, of name, title, model, mechanism and source; all of them must fit. */
static void test_found(void **state)
{
  (void)state;
  static const char *const TEXT[] = {"canudas1995_stickslip", "CANUDAS",     "LuGre", "lugre pulled_block",
                                     "  lugre   STICK ",      "lugre xyzzy", "",      "   "};
  const br_preset *p = NULL;
  for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
    const size_t n = bri_presets_found(TEXT[i]);
    if ((n > 0) != (i < 5)) fail_msg("'%s' finds %zu", TEXT[i], n);
  }
  assert_int_equal(bri_presets_found("canudas1995_stickslip"), 1);
  size_t all = 0;
  while (br_presets(all)) all++;
  assert_int_equal(bri_presets_found(NULL), all);
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    size_t with = 0; /* every set is found by its model, and by its mechanism */
    for (size_t k = 0; k < all; k++) with += strcmp(br_presets(k)->model, p->model) == 0;
    if (!br_preset_find(p->model)) assert_true(bri_presets_found(p->model) >= with);
    if (p->system) assert_true(bri_presets_found(p->system) > 0);
    bri_json j;
    bri_buf text = {0};
    bri_json_init(&j);
    bri_json_object(&j, NULL);
    bri_presets_json(&j, p->name);
    bri_json_end(&j);
    const char *json = bri_json_finish(&j, NULL);
    const char *const keys[] = {"name",        p->name,  "model_set", p->model_set, "system_set",
                                p->system_set, "model",  p->model,    "system",     p->system,
                                "title",       p->title, "source",    p->source};
    for (size_t k = 0; k < 14; k += 2) { /* each value under its own key */
      char pair[2048];
      (void)snprintf(pair, sizeof pair, keys[k + 1] ? "\"%s\": \"%s\"" : "\"%s\": null", keys[k],
                     keys[k + 1]);
      if (!strstr(json, pair)) fail_msg("%s is not in %s", pair, json);
    }
    bri_json_free(&j);
    bri_presets_text(&text, p->name); /* one alone: with values and source */
    assert_non_null(strstr(text.text, p->model_set));
    assert_non_null(strstr(text.text, p->source));
    bri_buf_free(&text);
  }
  bri_buf text = {0};
  bri_presets_text(&text, "lugre"); /* several: a line each */
  size_t lines = 0;
  for (const char *s = text.text; *s; s++) lines += *s == '\n';
  assert_int_equal(lines, bri_presets_found("lugre"));
  bri_buf_free(&text);
}

/* A line of the list: name, model, mechanism or "-", then the title to its end. */
static void test_columns(void **state)
{
  (void)state;
  bri_buf text = {0};
  bri_presets_text(&text, NULL);
  const char *s = text.text;
  const br_preset *p = NULL;
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    const char *const words[] = {p->name, p->model, p->system ? p->system : "-", p->title};
    for (size_t k = 0; k < 4; k++) {
      const size_t n = strlen(words[k]);
      s += strspn(s, " ");
      if (strncmp(s, words[k], n) != 0 || s[n] != (k < 3 ? ' ' : '\n'))
        fail_msg("%s: '%s' is not where '%.30s' stands", p->name, words[k], s);
      s += n;
    }
    s++;
  }
  assert_true(*s == '\0');
  bri_buf_free(&text);
}

/* The numbers as they stand in the captions of the documents, in SI; "_si" is what the printed units make of
 * those that the others take literally. */
#define BLOCK "sigma0=5 sigma2=1.6 Fc=1 Fs=5 vs=2 delta=2 m=1 F=5.704 "
#define MOTOR "k1=10 k2=10 r=0.0254 f1=0.01 f2=0.01 km=20 "
#define BRUSHES "sigma1=316.22776601683796 sigma2=0.4 Fc=1 Fs=1.5 vs=0.001 delta=2 sigma0=1e5 "
#define PI 3.14159265358979323846
static void test_documents(void **state)
{
  static const struct {
    const char *preset, *values;
  } SETS[] = {
      {"doc0", "sigma0=1 sigma1=1 sigma2=0 Fc=1 Fs=2 vs=1 delta=1"},
      {"doc0_dahl", "sigma0=1 Fc=1 gamma=1 tau=1"},
      {"doc0_minor", "sigma0=6 sigma1=1 sigma2=0 Fc=1 Fs=2 vs=1 delta=1"},
      {"doc1", "sigma0=2900 sigma1=107 sigma2=0 Fc=2.94 Fs=5.88 vs=0.1 delta=1 m=1 k=2"},
      {"doc2", BLOCK "sigma1=8.25"},
      {"doc2_right", BLOCK "sigma1=8.45"},
      {"doc3", "A=1 beta=1 gamma=0 eta=1 fp=1 uy=1 kappa=0 inv_d0=0"},
      {"doc3_elastic", "A=1 beta=0.5 gamma=0.5 eta=2 fp=1 uy=1 kappa=0 inv_d0=0"},
      {"doc3_biaxial", "A=1 beta=0.5 gamma=0.5 eta=2 fp=1 uy=1 kappa=0 inv_d0=0"},
      {"doc3_friction", "beta=1 gamma=0 eta=1 fc=1 g0=1 vs=0.001 Ts=0.05 uy=1 kappa=0 inv_d0=0"},
      {"doc4_fig03", "sigma0=7.5 Fc=0.75 gamma=1 m=1 ks=2"},
      {"doc4_fig04", BRUSHES "m=1 ks=2"},
      {"doc4_fig08", MOTOR "sigma0=7.5 Fc=0.75 gamma=1 I=6.4516e-4"},
      {"doc4_fig08_inertia", MOTOR "sigma0=7.5 Fc=0.75 gamma=1 I=4e-4"},
      {"doc4_fig10", MOTOR BRUSHES "I=6.4516e-4"},
      {"doc4_fig10_inertia", MOTOR BRUSHES "I=4e-4"},
      {"canudas1995", BRUSHES},
      {"canudas1995_presliding", BRUSHES "m=1"},
      {"canudas1995_stickslip", BRUSHES "m=1 k=2 vp=0.1"},
      {"canudas1995_hunting", BRUSHES "m=1 ks=0"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++) {
    const br_preset *p = br_preset_find(SETS[i].preset);
    assert_non_null(p);
    br_job *job =
        p->system ? ask("simulate", (const char *const[]){"preset", p->name, "t-end", "1", NULL}) : NULL;
    br_params *own = NULL;
    if (!job) {
      assert_int_equal(br_params_create(br_all_models_find(p->model), &own, NULL), BR_OK);
      assert_int_equal(br_params_set_list(own, p->model_set, NULL), BR_OK);
    }
    for (const char *s = SETS[i].values; *s;) {
      char name[32], *end = NULL;
      const size_t n = strcspn(s, "=");
      const double wanted = strtod(s + n + 1, &end);
      (void)snprintf(name, sizeof name, "%.*s", (int)n, s);
      double x = NAN;
      size_t one = 0;
      assert_int_equal(br_params_get(job ? br_job_params(job) : own, name, 1, &x, &one, NULL), BR_OK);
      if (!(x == wanted)) fail_msg("%s: %s is %.17g", p->name, name, x);
      s = end + strspn(end, " ");
    }
    br_job_destroy(job);
    br_params_destroy(own);
  }
}

/* Ten elements, k from 1 by 0.8, Delta from 1.5e-3 by 0.9e-3; and what degrees make of all sets of the
 * motor. */
static void test_degrees(void **state)
{
  static const struct {
    const char *name;
    int power; /* of the degrees that the printed unit has */
  } UNITS[] = {{"sigma0", -1}, {"sigma1", -1}, {"sigma2", -1}, {"Fc", 0},    {"Fs", 0}, {"vs", 1},
               {"delta", 0},   {"gamma", 0},   {"k", -1},      {"Delta", 1}, {"I", 0},  {"k1", 0},
               {"k2", 0},      {"r", 0},       {"f1", 0},      {"f2", 0},    {"km", 0}};
  static const char *const PLAIN[] = {"doc4_fig08", "doc4_fig10", "doc4_fig12", "doc4_fig05"};
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    char si[32];
    size_t met = 0;
    (void)snprintf(si, sizeof si, "%s%s", PLAIN[i], i < 3 ? "_si" : "");
    br_job *a = ask("simulate", (const char *const[]){"preset", PLAIN[i], "t-end", "1", NULL}),
           *b = ask("simulate", (const char *const[]){"preset", si, "t-end", "1", NULL});
    for (size_t k = 0; k < sizeof UNITS / sizeof UNITS[0]; k++) {
      double x[16] = {0}, y[16] = {0};
      size_t nx = 0, ny = 0;
      if (br_params_get(br_job_params(a), UNITS[k].name, 16, x, &nx, NULL)) continue;
      assert_int_equal(br_params_get(br_job_params(b), UNITS[k].name, 16, y, &ny, NULL), BR_OK);
      assert_true(nx == ny && nx >= 1);
      met++;
      for (size_t j = 0; j < nx; j++) {
        const double part = i == 3 ? 1 : pow(PI / 180, UNITS[k].power);
        if (!(fabs(y[j] - x[j] * part) <= 1e-14 * fabs(y[j])))
          fail_msg("%s: %s is %.17g, not %.17g", si, UNITS[k].name, y[j], x[j] * part);
        if (strcmp(UNITS[k].name, "k") == 0)
          assert_true(nx == 10 && fabs(x[j] - 1 - 0.8 * (double)j) < 1e-14);
        if (strcmp(UNITS[k].name, "Delta") == 0)
          assert_true(nx == 10 && fabs(x[j] - 1.5e-3 - 0.9e-3 * (double)j) < 1e-16);
      }
    }
    assert_true(met == (i == 0 ? 10 : i == 1 ? 14 : i == 2 ? 9 : 2));
    br_job_destroy(a), br_job_destroy(b);
  }
}

/* The number behind a text of the source; `more`: the one behind "and". */
static double said(const br_preset *p, const char *before, int more)
{
  const char *s = strstr(p->source, before);
  char *end = NULL;
  if (!s) fail_msg("%s does not say %s", p->name, before);
  const double x = s ? strtod(s + strlen(before), &end) : (double)NAN;
  return more && end && strncmp(end, " and ", 5) == 0 ? strtod(end + 5, NULL) : x;
}

/* Measured sets follow from the numbers that their sources are said to give. */
static void test_sources(void **state)
{
  size_t dampers = 0, joints = 0;
  const br_preset *p = NULL;
  (void)state;
  for (size_t i = 0; (p = br_presets(i)) != NULL; i++) {
    const int damper = strncmp(p->name, "vargas_", 7) == 0, joint = strncmp(p->name, "puma560_", 8) == 0,
              rubber = strcmp(p->name, "schellenberg_lrb") == 0;
    if (!damper && !joint && !rubber) continue;
    br_job *job = ask("loop", (const char *const[]){"preset", p->name, "input", "turning:0,1", NULL});
    if (damper) { /* mm and N to SI */
      const double Kw = said(p, "Kw = ", 0), rho = said(p, "rho = ", 0);
      assert_true(fabs(value(job, "sigma0") / (Kw * rho * 1e3) - 1) < 1e-9);
      assert_true(fabs(value(job, "sigma2") / (said(p, "Kx = ", 0) * 1e3) - 1) < 1e-9);
      assert_true(value(job, "Fc") == Kw && value(job, "Fs") == Kw && value(job, "sigma1") == 0);
    } else if (joint) { /* behind a gear */
      const double G = said(p, "gear ", 0), T = 0.5 * (said(p, "Tc = ", 0) + said(p, "Tc = ", 1));
      assert_true(fabs(value(job, "sigma2") / (G * G * said(p, "B = ", 0)) - 1) < 1e-8);
      assert_true(fabs(value(job, "Fc") / (G * T) - 1) < 1e-8 && value(job, "Fs") == value(job, "Fc"));
    } else { /* kip and inch */
      const double fy = said(p, "fy = ", 0) * 4448.2216152605;
      assert_true(fabs(value(job, "fp") / fy - 1) < 1e-12);
      assert_true(fabs(value(job, "uy") * said(p, "kInit = ", 0) * 4448.2216152605 / 0.0254 / fy - 1) <
                  1e-12);
      assert_true(value(job, "kappa") == said(p, "alpha1 = ", 0) && value(job, "beta") == 0.5 &&
                  value(job, "gamma") == 0.5 && value(job, "eta") == 1);
    }
    dampers += (size_t)damper, joints += (size_t)joint;
    br_job_destroy(job);
  }
  assert_true(dampers == 7 && joints == 6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),    cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_plants),  cmocka_unit_test(test_override),
                                     cmocka_unit_test(test_refused), cmocka_unit_test(test_found),
                                     cmocka_unit_test(test_columns), cmocka_unit_test(test_documents),
                                     cmocka_unit_test(test_degrees), cmocka_unit_test(test_sources)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
