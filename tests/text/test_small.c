/* SPDX-License-Identifier: Apache-2.0
 * test_small.c - small parts: choices, whole files in and out, texts of records, checksums, lists of names,
 * folders. */
#define _XOPEN_SOURCE 700 /* symlink, mkdtemp */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bristle/text.h"
#include "text/buf.h"
#include "text/choice.h"
#include "text/claims.h"
#include "text/fail.h"
#include "text/file.h"
#include "text/json.h"
#include "text/path.h"
#include "text/sha256.h"

/* A choice by its whole name: neither its beginning nor more than it, nor two of them. */
static void choices(void **state)
{
  (void)state;
  static const char ALL[] = "linear|logx|logy|loglog";
  char buf[BRI_CHOICE];
  assert_int_equal(bri_choice_index(ALL, "linear", 6), 0);
  assert_int_equal(bri_choice_index(ALL, "loglog", 6), 3);
  assert_int_equal(bri_choice_index(ALL, "logy and more", 4), 2);
  static const char *const NONE[] = {"log", "lin", "l", "", "logxy", "logx|logy", "LINEAR"};
  for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
    assert_int_equal(bri_choice_index(ALL, NONE[i], strlen(NONE[i])), -1);
  assert_string_equal(bri_choice_near(ALL, "linaer", 6, buf), "linear");
  assert_null(bri_choice_near(ALL, "xyzzy", 5, buf));
}

/* Texts of a record read back: quotes, backslashes, lines and what is no character. */
static void records(void **state)
{
  (void)state;
  static const char *const CASES[][2] = {{"C:\\dir", "\"C:\\\\dir\""}, {"a \"b\"", "\"a \\\"b\\\"\""},
                                         {"1\n2", "\"1\\n2\""},        {"\x01", "\"\\u0001\""},
                                         {"\xff", "\"\xef\xbf\xbd\""}, {"\xc2\xb5m", "\"\xc2\xb5m\""}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_buf b = {0};
    bri_buf_json(&b, CASES[i][0]);
    assert_string_equal(b.text, CASES[i][1]);
    bri_buf_free(&b);
  }
}

/* A text that grows by pieces of any length is what was put into it. */
static void pieces(void **state)
{
  (void)state;
  static char piece[5000];
  bri_buf b = {0};
  size_t all = 0;
  for (size_t n = 1; n < sizeof piece; n = 3 * n + 1) {
    memset(piece, 'a' + (int)(n % 26), n);
    bri_buf_add(&b, piece, n);
    assert_memory_equal(b.text + all, piece, n);
    all += n;
    assert_true(b.used == all && b.room > all && b.text[all] == '\0');
  }
  bri_buf_free(&b);
}

static void whole_files(void **state)
{
  (void)state;
  bri_buf b = {0};
  br_err err;
  FILE *f = fopen("small.txt", "wb");
  assert_non_null(f);
  (void)fputs("0123456789", f);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(bri_buf_load(&b, "small.txt", 10, &err), BR_OK); /* just fits */
  assert_true(b.used == 10 && strcmp(b.text, "0123456789") == 0);
  bri_buf_free(&b);
  assert_int_equal(bri_buf_load(&b, "small.txt", 9, &err), BR_E_SIZE);
  assert_non_null(strstr(err.msg, "larger than 9 bytes"));
  bri_buf_free(&b);
  f = fopen("small.txt", "wb");
  assert_non_null(f);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(bri_buf_load(&b, "small.txt", 10, &err), BR_OK); /* nothing is a text too */
  assert_non_null(b.text);
  assert_string_equal(b.text, "");
  bri_buf_free(&b);
  assert_int_equal(remove("small.txt"), 0);
  assert_int_equal(bri_buf_load(&b, "small.txt", 10, &err), BR_E_IO);
  assert_int_equal(bri_buf_load(&b, ".", 10, &err), BR_E_IO); /* a folder opens but does not read */
  bri_buf_free(&b);
}

/* FIPS 180-4 and the empty text; any length against the checksum of the same bytes from a file. */
static void checksums(void **state)
{
  (void)state;
  static const char *const CASES[][2] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopq"
       "rst"
       "nopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
  char hex[BRI_SHA_TEXT], file[BRI_SHA_TEXT];
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_sha256_text(CASES[i][0], strlen(CASES[i][0]), hex);
    assert_string_equal(hex, CASES[i][1]);
    FILE *f = fopen("sum.txt", "wb");
    assert_non_null(f);
    (void)fputs(CASES[i][0], f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(bri_sha256_file("sum.txt", file, NULL), BR_OK);
    assert_string_equal(file, hex);
  }
  assert_int_equal(remove("sum.txt"), 0);
  assert_int_equal(bri_sha256_file("sum.txt", file, NULL), BR_E_IO);
  assert_int_equal(bri_sha256_file(".", file, NULL), BR_E_IO);
}

/* Long names are cut, so that what is said of them still fits the message. */
static void widths(void **state)
{
  (void)state;
  char name[400];
  br_err err;
  assert_true(bri_text_width(5) == 5 && bri_text_width(119) == 119 && bri_text_width(SIZE_MAX) == 120);
  memset(name, 'n', sizeof name - 1), name[sizeof name - 1] = '\0';
  const br_status st =
      bri_text_fail(&err, BR_E_NAME, -1, "'%.*s' is unknown", bri_text_width(strlen(name)), name);
  assert_true(st == BR_E_NAME && err.code == st && err.index == -1);
  assert_int_equal(strlen(err.msg), 120 + 13);
}

static void lists(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"one", "two", "three"};
  char buf[64], hint[BRI_HINT];
  assert_string_equal(bri_join(NAMES, 3, sizeof buf, buf), "one, two, three");
  assert_string_equal(bri_join(NAMES, 0, sizeof buf, buf), "");
  assert_string_equal(bri_hint("tow", NAMES, 3, "", hint), "; did you mean 'two'?"); /* one slip: exchanged */
  assert_string_equal(bri_hint("xyzzy", NAMES, 3, "; look", hint), "; look");
  static const char *const ALIKE[] = {"vat", "vbt", "vct"};
  assert_string_equal(br_nearest_name("vxt", ALIKE, 3), "vat"); /* of several as near the first */
}

/* Words that are numbers, by any case, and with a sign. */
static void words(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t used;
    double x;
  } CASES[] = {{"inf", 3, INFINITY},
               {"-Inf", 4, -INFINITY},
               {"INFINITY", 8, INFINITY},
               {"+infinity", 9, INFINITY},
               {"infinit", 3, INFINITY},
               {"nan", 3, NAN},
               {"-NaN", 4, NAN},
               {"in", 0, 7},
               {"na", 0, 7}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    double x = 7;
    assert_int_equal(br_parse_double(CASES[i].text, strlen(CASES[i].text), &x), CASES[i].used);
    assert_true(x == CASES[i].x || (isnan(x) && isnan(CASES[i].x)));
  }
}

/* Every n-th of some numbers, as a column of a table has them. */
static void columns(void **state)
{
  (void)state;
  static const double TABLE[] = {1, 10, 2, 20, 3, 30};
  bri_json j;
  bri_json_init(&j);
  bri_json_object(&j, NULL);
  bri_json_strided(&j, "x", TABLE, 3, 2), bri_json_strided(&j, "y", TABLE + 1, 3, 2),
      bri_json_numbers(&j, "all", TABLE, 6);
  bri_json_end(&j);
  assert_string_equal(
      bri_json_finish(&j, NULL),
      "{\n  \"x\": [1, 2, 3],\n  \"y\": [10, 20, 30],\n  \"all\": [1, 10, 2, 20, 3, 30]\n}\n");
  bri_json_free(&j);
}

/* What may not be written is not replaced either, though its folder would allow that; nobody may, root may
 * all. */
static void no_right_to_write(void **state)
{
  (void)state;
  char folder[] = "/tmp/br_small_XXXXXX", path[64];
  int status = 0;
  assert_non_null(mkdtemp(folder));
  (void)snprintf(path, sizeof path, "%s/mine.txt", folder);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fclose(f), 0);
  assert_true(chmod(path, 0444) == 0 && chmod(folder, 0777) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    bri_file *out = NULL;
    if (geteuid() == 0 && setuid(65534) != 0) _exit(3);
    const br_status st = bri_file_open(path, BRI_FILE_STREAM, &out, NULL);
    if (!st) bri_file_abort(out);
    _exit(st == BR_E_IO ? 0 : 1);
  }
  assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
  (void)remove(path), (void)rmdir(folder);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 3) skip(); /* a user of other name is not to be had here */
  assert_int_equal(WEXITSTATUS(status), 0);
}

/* Folders one in the other; those that are there stay; links lead where they say, also in a circle. */
static void folders(void **state)
{
  (void)state;
  struct stat info;
  bri_place_of at;
  char real[BRI_PATH], here[BRI_PATH];
  assert_int_equal(bri_path_make("made/in/one"), 0);
  assert_true(stat("made/in/one", &info) == 0 && S_ISDIR(info.st_mode));
  assert_int_equal(bri_path_make("made/in/two"), 0);
  assert_int_equal(bri_path_make("made/in"), 0);
  FILE *f = fopen("made/file", "wb");
  assert_non_null(f);
  assert_int_equal(fclose(f), 0);
  assert_int_not_equal(bri_path_make("made/file/below"), 0);
  assert_non_null(getcwd(here, sizeof here));
  (void)snprintf(real, sizeof real, "%.*s/made/file", BRI_PATH - 32, here);
  assert_int_equal(symlink(real, "made/absolute"), 0);
  assert_int_equal(symlink("file", "made/relative"), 0);
  assert_int_equal(symlink("round2", "made/round1"), 0);
  assert_int_equal(symlink("round1", "made/round2"), 0);
  assert_int_equal(bri_path_follow("made/absolute", &at), 0);
  assert_true(at.exists && strcmp(at.path, real) == 0);
  assert_int_equal(bri_path_follow("made/relative", &at), 0);
  assert_true(at.exists && strcmp(at.path, "made/file") == 0);
  assert_int_not_equal(bri_path_follow("made/round1", &at), 0);
  char a[BRI_PATH], b[BRI_PATH]; /* what is not there yet, by any way */
  assert_int_equal(bri_path_real("made/none/../in/./new", a), 0);
  assert_int_equal(bri_path_real("made/in/new", b), 0);
  assert_string_equal(a, b);
  assert_int_equal(bri_path_real("made/none/deep/../../in//new", a), 0);
  assert_string_equal(a, b);
  static const char *const GONE[] = {"made/absolute", "made/relative", "made/round1",
                                     "made/round2",   "made/file",     "made/in/one",
                                     "made/in/two",   "made/in",       "made"};
  for (size_t i = 0; i < sizeof GONE / sizeof GONE[0]; i++) assert_int_equal(remove(GONE[i]), 0);
}

/* Standard output by any of its names, links among them; no other file, even where it leads to the same
 * place. */
static void standard_output(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                           *const OTHERS[] = {"/dev/stdin", "/dev/fd/0",  "/dev/fd/2", "/dev/stderr",
                                              "/dev/null",  "/dev/fd/11", "stdout",    "--",
                                              "",           "/dev/fd"};
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (!bri_path_is_stdout(NAMES[i])) fail_msg("%s is not standard output", NAMES[i]);
  for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
    if (bri_path_is_stdout(OTHERS[i])) fail_msg("'%s' is standard output", OTHERS[i]);
  assert_int_equal(symlink("/dev/stdout", "link_out"), 0);
  assert_int_equal(symlink("/dev/stderr", "link_err"), 0);
  const int out = bri_path_is_stdout("link_out"), other = bri_path_is_stdout("link_err");
  (void)remove("link_out"), (void)remove("link_err");
  assert_true(out && !other);
}

/* Results "run-*.csv" of a folder: an input among them is refused, one in a folder below is not. */
static void many_results(void **state)
{
  (void)state;
  static const struct {
    const char *input;
    br_status st;
  } CASES[] = {{"many/run-a.csv", BR_E_ARG}, {"many/run-.csv", BR_E_ARG}, {"many/run-below/x.csv", BR_OK},
               {"many/run-a.txt", BR_OK},    {"many/ran-a.csv", BR_OK},   {"run-a.csv", BR_OK}};
  assert_int_equal(bri_path_make("many"), 0);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_claims set = {0};
    br_err err;
    bri_claim_outputs(&set, "many", "run-", ".csv", "the results");
    bri_claim_input(&set, CASES[i].input, "a record");
    assert_int_equal(bri_claims_check(&set, &err), CASES[i].st);
    bri_claims_free(&set);
  }
  assert_int_equal(rmdir("many"), 0);
}

/* What killed programs leave is told by its whole name. */
static void sweeping(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    int gone;
  } CASES[] = {
      {"swept/x.csv.bristle-0123456789abcdef.part", 1}, {"swept/x.csv.bristle-0123456789abcdeg.part", 0},
      {"swept/x.csv.bristle-0123456789abcde.part", 0},  {"swept/.bristle-0123456789abcdef.part", 0},
      {"swept/x.csv.bristle-0123456789abcdef.par", 0},  {"swept/x.csv", 0}};
  assert_int_equal(bri_path_make("swept"), 0);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    FILE *f = fopen(CASES[i].name, "wb");
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
  }
  static const char THEIRS[] =
      "swept/y.csv.bristle-0123456789abcdef.part"; /* of another user: who may, tries it */
  FILE *f = fopen(THEIRS, "wb");
  assert_non_null(f);
  assert_int_equal(fclose(f), 0);
  const int theirs = chown(THEIRS, geteuid() + 1, (gid_t)-1) == 0;
  bri_temps_sweep("swept");
  assert_int_equal(access(THEIRS, F_OK) == 0, theirs);
  (void)remove(THEIRS);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    if ((access(CASES[i].name, F_OK) != 0) != CASES[i].gone) fail_msg("%s", CASES[i].name);
    (void)remove(CASES[i].name);
  }
  assert_int_equal(rmdir("swept"), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices),         cmocka_unit_test(records),
      cmocka_unit_test(pieces),          cmocka_unit_test(whole_files),
      cmocka_unit_test(checksums),       cmocka_unit_test(widths),
      cmocka_unit_test(lists),           cmocka_unit_test(folders),
      cmocka_unit_test(many_results),    cmocka_unit_test(sweeping),
      cmocka_unit_test(words),           cmocka_unit_test(columns),
      cmocka_unit_test(standard_output), cmocka_unit_test(no_right_to_write),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
