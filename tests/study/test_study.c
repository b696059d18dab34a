/* SPDX-License-Identifier: Apache-2.0
 * Studies: reading, inheritance, overrides, running, verdicts, resuming, memory that runs out. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bri_config.h"
#include "bristle/study.h"
#include "study/study.h"
#include "base/alloc.h"
#include "text/escape.h"

static const char LOOP[] =
    "title: a loop\n"
    "source: {document: 0, figure: 11}\n"
    "model: lugre\n"
    "set: {sigma0: 6 N/m, sigma1: 1, sigma2: 0, Fc: 1, Fs: 2, vs: 1, delta: 1}\n"
    "input: bimodal:0,1,0.5,1.5\n"
    "loop:\n"
    "check:\n"
    "  - {quantity: minor.0.gap, value: -0.50615884, tolerance: 5.1e-9, source: test}\n"
    "  - {quantity: method, value: closed-form}\n"
    "  - {quantity: work, value: 1, tolerance: 1e-3, figure: 12, source: a book}\n";

static br_study *load(const char *text, const char *set)
{
  br_study *s = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_study_load_memory(text, strlen(text), "test.yaml", set, &s, &err)) print_message("%s\n", err.msg);
  return s;
}

static size_t notes_of(const br_study *s)
{
  size_t n = 0;
  (void)br_study_notes(s, &n);
  return n;
}

/* A number of a run after running. */
static double quantity(const br_study *s, const char *run, const char *name)
{
  const bri_run *r = bri_study_run_named(s, run);
  const bri_quantity *q = r ? bri_result_find(&r->res, name) : NULL;
  return q ? q->value : NAN;
}

static br_study_options quiet(const char *folder)
{
  br_study_options o = br_study_options_default();
  o.folder = folder;
  o.plots = 0;
  return o;
}

static void run_and_judge(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  br_study *s = load(LOOP, NULL);
  assert_non_null(s);
  assert_int_equal(notes_of(s), 0);
  assert_string_equal(br_study_name(s), "test");
  const br_study_options o = quiet("run_and_judge");
  assert_int_equal(br_study_run(s, &o, &err), BR_OK);
  const br_verdict *v = br_study_verdicts(s, &n);
  assert_int_equal(n, 3);
  assert_true(v[0].pass && v[1].pass && !v[2].pass);
  static const char *const SAID[][6] = {
      {"11", "test", "minor.0.gap", "N", "-0.50615884", "-0.5061588350400469"},
      {"11", "", "method", "", "closed-form", "closed-form"},
      {"12", "a book", "work", "J", "1", NULL}};
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(v[i].study, "test");
    assert_string_equal(v[i].document, "0");
    assert_string_equal(v[i].run, "loop");
    assert_string_equal(v[i].figure, SAID[i][0]);
    assert_string_equal(v[i].source, SAID[i][1]);
    assert_string_equal(v[i].quantity, SAID[i][2]);
    assert_string_equal(v[i].unit, SAID[i][3]);
    assert_string_equal(v[i].reference, SAID[i][4]);
    if (i == 1) assert_string_equal(v[i].obtained, SAID[i][5]);
    else assert_true(fabs(strtod(v[i].obtained, NULL) - v[i].result) == 0 && v[i].overridden == 0);
  }
  assert_true(fabs(v[0].result + 0.5061588350400469) < 1e-13);
  assert_true(fabs(v[0].difference) < 5.1e-9);
  br_study_destroy(s);
}

/* Runs inherit what stands above them; a run with a model of its own inherits no parameters. */
static void inheritance(void **state)
{
  (void)state;
  static const char TEXT[] = "model: dahl\n"
                             "set: {sigma0: 1, Fc: 1}\n"
                             "input: turning:-1,1\n"
                             "loop: {samples: 16}\n"
                             "runs:\n"
                             "  a: {}\n"
                             "  b: {set: {Fc: 2}}\n"
                             "  c: {model: maxwell_slip, set: {k: [1], Delta: [0.5]}}\n"
                             "  d: {trace: {t-end: 1}}\n"
                             "  e: {loop: {load: 3}}\n";
  br_err err = {BR_OK, -1, ""};
  br_study *s = load(TEXT, NULL);
  assert_non_null(s);
  assert_int_equal(br_study_runs(s), 5);
  const br_study_options o = quiet("inheritance");
  assert_int_equal(br_study_run(s, &o, &err), BR_OK);
  assert_true(fabs(quantity(s, "a", "turning.1.y") - tanh(1)) < 1e-13);
  assert_true(fabs(quantity(s, "b", "turning.1.y") - 2 * tanh(0.5)) < 1e-13);
  assert_true(fabs(quantity(s, "c", "turning.1.y") - 0.5) < 1e-13);
  assert_true(isnan(quantity(s, "d", "turning.1.y")) && quantity(s, "d", "trace.t.last") == 1);
  assert_true(fabs(quantity(s, "e", "turning.1.y") - 3 * tanh(1.0 / 3)) < 1e-12);
  br_study_destroy(s);
}

/* An override of one parameter, wherever it stands, is the study with that value written: the others stay. */
static void one_of_many(void)
{
  enum { N = 7 };
  static const char *const NAMES[N] = {"sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta"};
  static const double VALUES[N] = {6, 1, 0.25, 1, 2, 1, 1.5}, OTHERS[N] = {7, 2, 0.5, 1.25, 3, 2, 2};
  br_err err = {BR_OK, -1, ""};
  for (size_t which = 0; which < N; which++) {
    double force[2] = {0, 1};
    for (int written = 0; written < 2; written++) {
      bri_buf b = {0};
      char set[32];
      bri_buf_text(&b, "model: lugre\ninput: 'sine:1,1Hz'\ntrace: {t-end: 0.7, dt: 0.1}\nset: {");
      for (size_t k = 0; k < N; k++)
        bri_buf_printf(&b, "%s%s: %.17g", k ? ", " : "", NAMES[k],
                       written && k == which ? OTHERS[k] : VALUES[k]);
      bri_buf_text(&b, "}\n");
      (void)snprintf(set, sizeof set, "%s=%.17g", NAMES[which], OTHERS[which]);
      br_study *s = load(b.text, written ? NULL : set);
      assert_non_null(s);
      const br_study_options o = quiet("one_of_many");
      assert_int_equal(br_study_run(s, &o, &err), BR_OK);
      force[written] = quantity(s, "trace", "trace.F.last");
      bri_buf_free(&b);
      br_study_destroy(s);
    }
    if (force[0] != force[1]) fail_msg("%s: %.17g, written %.17g", NAMES[which], force[0], force[1]);
  }
}

static void overrides(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  br_study *s = load(
      "model: dahl\nset: {sigma0: 1, Fc: 5}\ninput: turning:-1,1\nloop:\nruns: {a: {}, b: {set: {Fc: 7}}}\n",
      "Fc=2N,loop.samples=8");
  assert_non_null(s);
  const br_study_options o = quiet("overrides");
  assert_int_equal(br_study_run(s, &o, &err), BR_OK);
  assert_true(fabs(quantity(s, "a", "turning.1.y") - 2 * tanh(0.5)) < 1e-13);
  assert_true(quantity(s, "a", "turning.1.y") == quantity(s, "b", "turning.1.y"));
  br_study_destroy(s);
  one_of_many();
  s = load(LOOP, "sigma7=2");
  assert_int_equal(notes_of(s), 1);
  size_t n = 0;
  assert_string_equal(br_study_notes(s, &n)[0].file, "--set");
  br_study_destroy(s);
  s = load(LOOP, "nonsense");
  assert_int_equal(notes_of(s), 1);
  br_study_destroy(s);
}

static void save(const char *path, const char *text)
{
  bri_buf b = {0};
  bri_buf_text(&b, text);
  assert_int_equal(bri_buf_save(&b, path, NULL), BR_OK);
  bri_buf_free(&b);
}

static void extends(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  br_study *s = NULL;
  save("base.yaml", "model: dahl\nset: {sigma0: 1, Fc: 4}\ninput: turning:-1,1\nloop: {samples: 8}\n");
  save("child.yaml", "extends: base.yaml\nset: {Fc: 2}\n");
  save("endless.yaml", "extends: endless.yaml\n");
  assert_int_equal(br_study_load("child.yaml", NULL, &s, &err), BR_OK);
  const br_study_options o = quiet("extends");
  assert_int_equal(br_study_run(s, &o, &err), BR_OK);
  assert_true(fabs(quantity(s, "loop", "turning.1.y") - 2 * tanh(0.5)) < 1e-13);
  br_study_destroy(s);
  assert_int_equal(br_study_load("endless.yaml", NULL, &s, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "extend itself"));
  br_study_destroy(s);
  assert_int_equal(br_study_load("nowhere.yaml", NULL, &s, &err), BR_E_IO);
  assert_null(s);
}

/* A mechanism that is text lies beside the file that names it, be that the study or what it extends. */
static void beside(void **state)
{
  (void)state;
  static const char TEXT[] =
      "mechanism:\n  name: one\n  title: a block\n  parameters: {m: %s kg}\n  inputs: {Fe: 3 N}\n"
      "  bodies: {wall: fixed, block: {mass: m, x: x, v: v}}\n"
      "  connections:\n    - force: {on: block, value: Fe}\n"
      "  contacts:\n    - {between: [block, wall], model: viscous, set: {sigma2: 1e-9 N s/m}}\n";
  static const char *const PATHS[] = {"beside_deep/own.yaml", "beside_top.yaml", "beside_deep/down.yaml"};
  static const double SPEED[] = {1.5, 1.5, 0.5}; /* of 3 N on 2 kg or 6 kg behind a second */
  br_err err = {BR_OK, -1, ""};
  (void)mkdir("beside_deep", 0777);
  for (int deep = 0; deep < 2; deep++) {
    char text[1024];
    (void)snprintf(text, sizeof text, TEXT, deep ? "2" : "6");
    save(deep ? "beside_deep/one.yaml" : "one.yaml", text);
  }
  save("beside_deep/own.yaml", "system: one.yaml\nsimulate: {t-end: 1}\n");
  save("beside_top.yaml", "extends: beside_deep/own.yaml\n");
  save("beside_deep/down.yaml", "extends: own.yaml\nsystem: ../one.yaml\n");
  for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
    br_study *s = NULL;
    if (br_study_load(PATHS[i], NULL, &s, &err)) fail_msg("%s: %s", PATHS[i], err.msg);
    const br_study_options o = quiet("beside_out");
    if (br_study_run(s, &o, &err)) fail_msg("%s: %s", PATHS[i], err.msg);
    const double v = quantity(s, "simulate", "final.v");
    if (!(fabs(v - SPEED[i]) < 1e-6)) fail_msg("%s: v = %g, not %g", PATHS[i], v, SPEED[i]);
    br_study_destroy(s);
  }
}

/* How far two runs lie apart: all rows count, however many, in parts of the range of the other one. */
static void distances(void **state)
{
  (void)state;
  static const char TEXT[] = "model: dahl\ntrace: {t-end: %d, dt: 0.125}\n"
                             "runs: {a: {input: 'sine:1mm,1Hz'}, b: {input: 'sine:2mm,1Hz'}}\ncheck:\n"
                             "  - {run: a, quantity: u, from: b, value: 0, tolerance: 1}\n"
                             "  - {run: b, quantity: u, from: a, value: 0, tolerance: 1}\n"
                             "  - {run: b, quantity: u, from: b, value: 0, tolerance: 0}\n";
  static const int SECONDS[] = {10, 500, 501, 1000}; /* 8 rows each, and one at the end */
  for (size_t i = 0; i < sizeof SECONDS / sizeof SECONDS[0]; i++) {
    br_err err = {BR_OK, -1, ""};
    char text[512];
    size_t n = 0;
    (void)snprintf(text, sizeof text, TEXT, SECONDS[i]);
    br_study *s = load(text, NULL);
    assert_non_null(s);
    const br_study_options o = quiet("distances");
    if (br_study_run(s, &o, &err)) fail_msg("%s", err.msg);
    const br_verdict *v = br_study_verdicts(s, &n);
    assert_int_equal(n, 3);
    const double rms =
        1e-3 * sqrt(4.0 * SECONDS[i] / (8.0 * SECONDS[i] + 1)); /* of 1 mm sin: 4 each second */
    assert_true(fabs(v[0].result - rms / 4e-3) < 1e-9 && fabs(v[1].result - rms / 2e-3) < 1e-9);
    assert_true(v[2].result == 0 && v[2].pass);
    br_study_destroy(s);
  }
}

static void compare(const char *a, const char *b)
{
  char one[BRI_SHA_TEXT], two[BRI_SHA_TEXT];
  assert_int_equal(bri_sha256_file(a, one, NULL), BR_OK);
  assert_int_equal(bri_sha256_file(b, two, NULL), BR_OK);
  assert_string_equal(one, two);
}

/* Resuming keeps what is good and computes what is damaged, missing or of another study. */
static void resume(void **state)
{
  (void)state;
  static const char *const FILES[] = {"loop.json", "loop.csv", "loop-minor0.csv", "manifest.json",
                                      "study.yaml"};
  br_err err = {BR_OK, -1, ""};
  for (int damage = 0; damage < 4; damage++) {
    char a[64], b[64];
    br_study *s = load(LOOP, NULL);
    br_study_options o = quiet("resume_whole");
    assert_int_equal(br_study_run(s, &o, &err), BR_OK);
    br_study_destroy(s);
    s = load(LOOP, damage == 3 ? "Fs=3" : NULL); /* 3: results of other parameters are there */
    o = quiet("resume_again");
    assert_int_equal(br_study_run(s, &o, &err), BR_OK);
    br_study_destroy(s);
    if (damage == 0) assert_int_equal(remove("resume_again/loop.json"), 0);
    if (damage == 1) assert_int_equal(remove("resume_again/loop-minor0.csv"), 0);
    if (damage == 2) save("resume_again/loop.csv", "rho,u,y\n0,0,0\n");
    s = load(LOOP, NULL);
    o.resume = 1;
    assert_int_equal(br_study_run(s, &o, &err), BR_OK);
    br_study_destroy(s);
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
      (void)snprintf(a, sizeof a, "resume_whole/%s", FILES[i]);
      (void)snprintf(b, sizeof b, "resume_again/%s", FILES[i]);
      compare(a, b);
    }
  }
}

static int stop_at_once(void *ctx)
{
  ++*(int *)ctx;
  return 1;
}

static void interrupted(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  int asked = 0;
  br_study *s = load(LOOP, NULL);
  br_study_options o = quiet("interrupted");
  o.stop = stop_at_once;
  o.ctx = &asked;
  assert_int_equal(br_study_run(s, &o, &err), BR_INTERRUPTED);
  assert_true(asked > 0);
  assert_null(fopen("interrupted/manifest.json", "r"));
  assert_null(fopen("interrupted/loop.json", "r"));
  br_study_destroy(s);
}

static void unknown_quantity(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  br_study *s =
      load("model: dahl\ninput: turning:-1,1\nloop:\ncheck:\n  - {quantity: wrok, value: 1}\n", NULL);
  const br_study_options o = quiet("unknown_quantity");
  assert_int_equal(br_study_run(s, &o, &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "test.yaml:5:16:"));
  assert_non_null(strstr(err.msg, "did you mean 'work'?"));
  br_study_destroy(s);
}

/* FIPS 180-4 examples. */
static void checksums(void **state)
{
  (void)state;
  char hex[BRI_SHA_TEXT];
  char million[1000];
  bri_sha256_text("abc", 3, hex);
  assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  bri_sha256_text("", 0, hex);
  assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  FILE *f = fopen("million.txt", "wb");
  memset(million, 'a', sizeof million);
  for (int i = 0; i < 1000; i++) assert_int_equal(fwrite(million, 1, sizeof million, f), sizeof million);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(bri_sha256_file("million.txt", hex, NULL), BR_OK);
  assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The n-th request fails, for every n until loading and running succeed: an error, nothing left behind. */
static void no_memory(void **state)
{
  (void)state;
  const long before = bri_alloc_live();
  br_status st = BR_E_NOMEM;
  long n = 0;
  for (; st && n < 5000; n++) {
    br_study *s = NULL;
    br_err err = {BR_OK, -1, ""};
    bri_alloc_fail_after(n);
    st = br_study_load_memory(LOOP, strlen(LOOP), "test.yaml", NULL, &s, &err);
    const br_study_options o = quiet("no_memory");
    if (!st) st = br_study_run(s, &o, &err);
    const char *here = "";
    if (!st) st = br_study_report("no_memory/report.html", "t", &s, &here, 1, &err);
    bri_alloc_fail_after(-1);
    br_study_destroy(s);
    assert_int_equal(bri_alloc_live(), before);
    assert_true(st == BR_OK || st == BR_E_NOMEM || st == BR_E_PARSE || st == BR_E_IO);
  }
  assert_int_equal(st, BR_OK);
  assert_true(n > 20);
}

/* A report that is written is whole, picture included, whichever request fails. */
static void whole_reports(void **state)
{
  (void)state;
  static const char *const PATH[] = {"whole/report.html", "whole/report.md"};
  static const char *const here[] = {""};
  br_study *s = NULL;
  br_err err;
  bri_buf whole[2] = {{0}, {0}};
  assert_int_equal(br_study_load_memory(LOOP, strlen(LOOP), "test.yaml", NULL, &s, &err), BR_OK);
  const br_study_options o = quiet("whole");
  assert_int_equal(br_study_run(s, &o, &err), BR_OK);
  FILE *f = fopen("whole/loop.svg", "w");
  assert_non_null(f);
  assert_true(fputs("<svg viewBox=\"0 0 640 440\"><desc>x</desc><text>here</text></svg>\n", f) >= 0);
  assert_int_equal(fclose(f), 0);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(br_study_report(PATH[k], "t", &s, here, 1, &err), BR_OK);
    assert_int_equal(bri_buf_load(&whole[k], PATH[k], 1 << 20, &err), BR_OK);
  }
  assert_non_null(strstr(whole[0].text, "<text>here</text>"));
  int written = 0;
  for (long n = 0; n < 300; n++) {
    for (int k = 0; k < 2; k++) {
      bri_buf got = {0};
      bri_alloc_fail_once(n);
      const br_status st = br_study_report(PATH[k], "t", &s, here, 1, &err);
      bri_alloc_fail_after(-1);
      assert_true(st == BR_OK || st == BR_E_NOMEM);
      assert_int_equal(bri_buf_load(&got, PATH[k], 1 << 20, &err), BR_OK);
      assert_string_equal(got.text, whole[k].text);
      bri_buf_free(&got);
      written += st == BR_OK;
    }
  }
  assert_true(written > 0 && written < 600);
  bri_buf_free(&whole[0]), bri_buf_free(&whole[1]);
  br_study_destroy(s);
}

static void text_buffers(void **state)
{
  (void)state;
  bri_buf b = {0};
  bri_buf_json(&b, "a\"\\\n\x01\xff\xc3\xa4");
  assert_string_equal(b.text, "\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd\xc3\xa4\"");
  b.used = 0;
  bri_buf_html(&b, "<a & \"b\">");
  assert_string_equal(b.text, "&lt;a &amp; &quot;b&quot;&gt;");
  b.used = 0;
  bri_buf_number(&b, 0.1, "null");
  bri_buf_number(&b, NAN, "null");
  assert_string_equal(b.text, "0.1null");
  bri_buf_free(&b);
}

typedef struct {
  double last;
  size_t calls, early, late; /* of run a before, of run b from the middle on; a tenth is the pictures' */
} course;

static void follow(void *ctx, double part, const char *at)
{
  course *c = ctx;
  assert_true(part >= c->last && part <= 1);
  c->last = part, c->calls++;
  if (strcmp(at, "a") == 0) c->early += part <= 0.5;
  if (strcmp(at, "b") == 0) c->late += part >= 0.4;
}

/* The progress of a study goes once from 0 to 1, whatever number of runs it has; its pictures have names. */
static void course_and_pictures(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  course c = {0};
  br_study *s = load("title: two runs\nmodel: dahl\ninput: 'sine:1,1Hz'\ntrace: {t-end: 1 s, dt: 1 ms}\n"
                     "runs: {a: {}, b: {set: {Fc: 2 N}}}\n"
                     "plots:\n"
                     "  one: {title: the first, x: t, y: F, lines: [{run: a, table: trace}]}\n"
                     "  two: {title: the second, x: t, y: F, lines: [{run: b, table: trace}]}\n",
                     NULL);
  assert_non_null(s);
  br_study_options o = quiet("course");
  o.progress = follow, o.ctx = &c;
  assert_int_equal(br_study_picture(s, "one", "one.svg", &err), BR_E_ARG); /* nothing was run */
  if (br_study_run(s, &o, &err)) fail_msg("%s", err.msg);
  assert_true(c.last == 1 && c.calls > 2 && c.early > 0 && c.late > 0);
  assert_int_equal(br_study_picture(s, "three", "three.svg", &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "'three'"));
  static const char *const NAMES[] = {"one", "two"}, *const TITLES[] = {"the first", "the second"};
  for (int k = 0; k < 2 && !br_study_picture(s, NAMES[k], "picture.svg", &err); k++) {
    static char text[1 << 18];
    FILE *f = fopen("picture.svg", "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    (void)fclose(f);
    for (int i = 0; i < 2; i++) assert_int_equal(strstr(text, TITLES[i]) != NULL, i == k);
  }
  br_study_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(run_and_judge),    cmocka_unit_test(inheritance),
      cmocka_unit_test(overrides),        cmocka_unit_test(extends),
      cmocka_unit_test(resume),           cmocka_unit_test(interrupted),
      cmocka_unit_test(unknown_quantity), cmocka_unit_test(no_memory),
      cmocka_unit_test(whole_reports),    cmocka_unit_test(course_and_pictures),
      cmocka_unit_test(beside),           cmocka_unit_test(distances),
  };
  const struct CMUnitTest always[] = {cmocka_unit_test(checksums), cmocka_unit_test(text_buffers)};
  int failed = cmocka_run_group_tests(always, NULL, NULL);
  if (!BR_WITH_YAML) {
    print_message("skip: this build has no libyaml\n");
    return failed ? failed : 77;
  }
  return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
