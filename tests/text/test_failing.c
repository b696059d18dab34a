/* SPDX-License-Identifier: Apache-2.0
 * test_failing.c - a disk that refuses: rename, fsync and link that fail; texts that lack a piece, numbers
 * that are none, exponents of many digits, locks that are about to go, files that are one under two names. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/base/alloc.h"
#include "../../src/text/buf.h"
#include "../../src/text/claims.h"
#include "../../src/text/file.h"
#include "../../src/text/json.h"
#include "../../src/text/lock.h"
#include "bristle/text.h"
#include "support/paths.h"

/* The library's calls come here: each fails once with this errno when it is not 0. */
static int fail_rename, fail_fsync, fail_link, renames, syncs;

static int fails(int *why)
{
  errno = *why;
  *why = 0;
  return errno != 0;
}

int rename(const char *from, const char *to)
{
  renames++;
  return fails(&fail_rename) ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int fsync(int fd)
{
  syncs++;
  return fails(&fail_fsync) ? -1 : fdatasync(fd);
}

int link(const char *from, const char *to)
{
  return fails(&fail_link) ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static const char *content(const char *path)
{
  static char text[64];
  FILE *f = fopen(path, "r");
  if (!f) return "(none)";
  const size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  return text;
}

static br_status save(const char *path, int how, const char *text, br_err *err)
{
  bri_file *f = NULL;
  const br_status st = bri_file_open(path, how, &f, err);
  if (st) return st;
  bri_file_put(f, text, strlen(text));
  return bri_file_commit(f, err);
}

static int setup(void **state)
{
  (void)state;
  return system("rm -rf failing_test && mkdir failing_test") != 0 || chdir("failing_test") != 0; /* NOLINT */
}

static int teardown(void **state)
{
  (void)state;
  return chdir("..");
}

/* The old file stays whole, nothing else is left, and the failure is said with its reason. */
static void rename_fails(void **state)
{
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(save("a", BRI_FILE_STREAM, "old", &err), BR_OK);
  assert_true(renames == 1 && syncs >= 1);
  fail_rename = EACCES;
  assert_int_equal(save("a", BRI_FILE_STREAM, "new", &err), BR_E_IO);
  assert_non_null(strstr(err.msg, strerror(EACCES)));
  assert_string_equal(content("a"), "old");
  assert_int_equal(support_entries("."), 1);
  fail_rename = EXDEV; /* onto another file system: copied */
  assert_int_equal(save("a", BRI_FILE_STREAM, "copied", &err), BR_OK);
  assert_string_equal(content("a"), "copied");
  assert_int_equal(support_entries("."), 1);
}

static void fsync_fails(void **state)
{
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(save("a", BRI_FILE_STREAM, "old", &err), BR_OK);
  fail_fsync = EIO;
  assert_int_equal(save("a", BRI_FILE_STREAM, "new", &err), BR_E_IO);
  assert_non_null(strstr(err.msg, strerror(EIO)));
  assert_string_equal(content("a"), "old");
  fail_fsync = ENOSPC;
  assert_int_equal(save("b", BRI_FILE_NEW, "new", &err), BR_E_IO);
  assert_int_equal(support_entries("."), 1);
  fail_fsync = EINTR; /* asked again */
  const int before = syncs;
  assert_int_equal(save("a", BRI_FILE_STREAM, "again", &err), BR_OK);
  assert_int_equal(syncs, before + 2);
  fail_fsync = EINVAL; /* a file system that has nothing to do */
  assert_int_equal(save("a", BRI_FILE_STREAM, "anyway", &err), BR_OK);
  assert_string_equal(content("a"), "anyway");
}

/* A file system without links still never replaces a file that must be new. */
static void no_links(void **state)
{
  br_err err = {BR_OK, -1, ""};
  fail_link = EPERM;
  assert_int_equal(save("a", BRI_FILE_NEW, "first", &err), BR_OK);
  assert_string_equal(content("a"), "first");
  bri_file *f = NULL;
  assert_int_equal(bri_file_open("b", BRI_FILE_NEW, &f, &err), BR_OK);
  bri_file_put(f, "mine", 4);
  assert_int_equal(save("b", BRI_FILE_STREAM, "theirs", &err), BR_OK); /* another one in the meantime */
  fail_link = EPERM;
  assert_int_equal(bri_file_commit(f, &err), BR_E_ARG);
  assert_string_equal(content("b"), "theirs");
  assert_int_equal(support_entries("."), 2);
}

/* ---- locks ---- */

/* Another process holds the lock and goes: it has not signed, or its file still names one that is dead. */
static void lock_about_to_go(void **state)
{
  for (int signed_by_dead = 0; signed_by_dead < 2; signed_by_dead++) {
    int ready[2];
    const pid_t dead = fork();
    if (dead == 0) _exit(0);
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    assert_int_equal(pipe(ready), 0);
    const pid_t other = fork();
    if (other == 0) {
      const struct timespec moment = {0, 20000000}; /* ns */
      const int fd = open(BRI_LOCK_FILE, O_RDWR | O_CREAT, 0666);
      if (fd < 0 || flock(fd, LOCK_EX) != 0 || (signed_by_dead && dprintf(fd, "%ld\n", (long)dead) < 2) ||
          write(ready[1], "x", 1) != 1)
        _exit(1);
      (void)nanosleep(&moment, NULL);
      _exit(unlink(BRI_LOCK_FILE) != 0);
    }
    char c = 0;
    int end = 0;
    bri_lock lock = BRI_LOCK_NONE;
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(read(ready[0], &c, 1), 1);
    assert_int_equal(bri_lock_take(".", &lock, &err), BR_OK);
    bri_lock_release(&lock);
    assert_int_equal(waitpid(other, &end, 0), other);
    assert_int_equal(end, 0);
    (void)close(ready[0]), (void)close(ready[1]);
  }
}

/* ---- one file under two names, with others between them ---- */

static void hard_links_apart(void **state)
{
  static const char *const NAMES[] = {"m", "a", "z", "k", "c", "x"};
  br_err err = {BR_OK, -1, ""};
  for (size_t i = 0; i < 6; i++) assert_int_equal(save(NAMES[i], BRI_FILE_STREAM, "x", &err), BR_OK);
  assert_int_equal(link("a", "hard"), 0);
  bri_claims set = {0};
  for (size_t i = 0; i < 6; i++) bri_claim_output(&set, NAMES[i], "--csv");
  assert_int_equal(bri_claims_check(&set, &err), BR_OK); /* six files of one device */
  bri_claim_input(&set, "hard", "--input");
  assert_int_equal(bri_claims_check(&set, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "hard"));
  bri_claims_free(&set);
}

/* ---- texts ---- */

/* A piece that found no memory: nothing is added behind it, also when there is memory again. */
static void text_that_lacks_a_piece(void **state)
{
  bri_buf b = {0};
  bri_buf_text(&b, "first");
  char big[1024];
  memset(big, 'x', sizeof big);
  bri_alloc_fail_after(0);
  bri_buf_add(&b, big, sizeof big);
  bri_alloc_fail_after(-1);
  assert_true(b.failed);
  bri_buf_text(&b, "last");
  bri_buf_printf(&b, "%d", 7);
  assert_string_equal(b.text, "first");
  assert_true(b.failed);
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(bri_buf_save(&b, "text", &err), BR_E_NOMEM);
  assert_int_equal(support_entries("."), 0);
  bri_buf_free(&b);
}

static void json(void **state)
{
  static const double X[] = {1.5, NAN, -INFINITY, 2};
  bri_json j;
  bri_json_init(&j);
  bri_json_object(&j, NULL);
  bri_json_number(&j, "none", NAN);
  bri_json_numbers(&j, "list", X, 4);
  bri_json_strided(&j, "every other", X, 2, 2);
  bri_json_text(&j, "te\"xt", "a\001b\x7f\n\\ \xff \xce\xb1");
  bri_json_text(&j, "nothing", NULL);
  bri_json_array(&j, "empty");
  bri_json_end(&j);
  bri_json_end(&j);
  assert_string_equal(
      bri_json_finish(&j, NULL),
      "{\n  \"none\": null,\n  \"list\": [1.5, null, null, 2],\n  \"every other\": [1.5, null],\n"
      "  \"te\\\"xt\": \"a\\u0001b\\u007f\\u000a\\\\ \xef\xbf\xbd \xce\xb1\",\n  \"nothing\": null,\n"
      "  \"empty\": []\n}\n");
  bri_json_free(&j);
  bri_json_object(&j, NULL); /* not ended */
  assert_null(bri_json_finish(&j, NULL));
  bri_json_free(&j);
  bri_json_object(&j, NULL);
  bri_json_end(&j), bri_json_end(&j); /* ended twice */
  assert_null(bri_json_finish(&j, NULL));
  bri_json_free(&j);
  for (int deep = BRI_JSON_DEPTH; deep <= BRI_JSON_DEPTH + 1; deep++) {
    for (int k = 0; k < deep; k++) bri_json_array(&j, NULL);
    for (int k = 0; k < deep; k++) bri_json_end(&j);
    assert_int_equal(bri_json_finish(&j, NULL) != NULL, deep == BRI_JSON_DEPTH);
    bri_json_free(&j);
  }
}

/* Exponents whose digits come round to a small number in 64 bits, behind short and long mantissas. */
static void exponents(void **state)
{
  static const char *const MANTISSA[] = {"1", "1.5", "12345678901234567890123456789",
                                         "0.00012345678901234567890123"};
  static const char *const EXPONENT[] = {
      "18446744073709551616",    "18446744073709551620", "36893488147419103232", "4294967296", "999999999",
      "100000000000000000000000"};
  for (size_t i = 0; i < sizeof MANTISSA / sizeof *MANTISSA; i++) {
    for (size_t k = 0; k < sizeof EXPONENT / sizeof *EXPONENT; k++) {
      for (int minus = 0; minus < 2; minus++) {
        char text[128];
        double x = NAN;
        const int n = snprintf(text, sizeof text, "%se%s%s", MANTISSA[i], minus ? "-" : "", EXPONENT[k]);
        assert_int_equal(br_parse_double(text, (size_t)n, &x), n);
        if (x != (minus ? 0 : INFINITY)) fail_msg("%s is read as %g", text, x);
      }
    }
  }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(rename_fails),
      TEST(fsync_fails),
      TEST(no_links),
      TEST(lock_about_to_go),
      TEST(hard_links_apart),
      TEST(text_that_lacks_a_piece),
      TEST(json),
      TEST(exponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
