/* SPDX-License-Identifier: Apache-2.0
 * The one writer: what stands under a final name is absent, old or whole; links, devices, pipes, folders;
 * what killed programs leave; locks of folders; outputs that are inputs. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
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

#include "../../src/base/alloc.h"
#include "../../src/text/buf.h"
#include "../../src/text/claims.h"
#include "../../src/text/file.h"
#include "../../src/text/lock.h"
#include "../../src/text/path.h"
#include "support/paths.h"

static void put(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  (void)fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static const char *content(const char *path)
{
  static char text[256];
  FILE *f = fopen(path, "r");
  if (!f) return "(none)";
  const size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  return text;
}

static br_status save(const char *path, const char *text, br_err *err)
{
  bri_buf b = {0};
  bri_buf_text(&b, text);
  const br_status st = bri_buf_save(&b, path, err);
  bri_buf_free(&b);
  return st;
}

static int setup(void **state)
{
  (void)state;
  return system("rm -rf file_test && mkdir file_test") != 0 || chdir("file_test") != 0; /* NOLINT */
}

static int teardown(void **state)
{
  (void)state;
  return chdir("..");
}

static void old_or_new(void **state)
{
  bri_file *f = NULL;
  br_err err;
  put("a", "old");
  assert_int_equal(bri_file_open("a", BRI_FILE_STREAM, &f, &err), BR_OK);
  (void)fputs("half", bri_file_stream(f));
  (void)fflush(bri_file_stream(f));
  assert_string_equal(content("a"), "old");
  assert_int_equal(support_entries("."), 2);
  bri_file_abort(f);
  assert_string_equal(content("a"), "old");
  assert_int_equal(support_entries("."), 1);
  assert_int_equal(chmod("a", 0640), 0);
  assert_int_equal(save("a", "new", &err), BR_OK);
  assert_string_equal(content("a"), "new");
  struct stat info;
  assert_true(stat("a", &info) == 0 && (info.st_mode & 0777) == 0640); /* as private as before */
  assert_int_equal(support_entries("."), 1);
  bri_file_abort(NULL);
}

static void links_are_followed(void **state)
{
  br_err err;
  assert_int_equal(mkdir("d", 0777), 0);
  put("d/victim", "old");
  assert_int_equal(symlink("d/victim", "one"), 0);
  assert_int_equal(symlink("one", "two"), 0);
  assert_int_equal(symlink("d/later", "dangling"), 0);
  assert_int_equal(symlink("round", "round"), 0);
  struct stat info;
  for (int how = 0; how < 2; how++) { /* a stream, then by its name */
    bri_file *f = NULL;
    assert_int_equal(bri_file_open("two", how, &f, &err), BR_OK);
    (void)fputs(how ? "b" : "a", bri_file_stream(f));
    assert_int_equal(bri_file_commit(f, &err), BR_OK);
    assert_true(lstat("two", &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(lstat("one", &info) == 0 && S_ISLNK(info.st_mode));
    assert_string_equal(content("d/victim"), how ? "b" : "a");
  }
  assert_int_equal(save("dangling", "new", &err), BR_OK);
  assert_string_equal(content("d/later"), "new");
  assert_int_equal(save("round", "x", &err), BR_E_IO);
  assert_int_equal(save("d", "x", &err), BR_E_IO);
  assert_non_null(strstr(err.msg, strerror(EISDIR)));
  assert_int_equal(support_entries("d"), 2);
}

static void devices_and_pipes(void **state)
{
  br_err err;
  struct stat info;
  char got[64] = "";
  assert_int_equal(mkfifo("pipe", 0666), 0);
  assert_int_equal(symlink("/dev/null", "nothing"), 0);
  for (int how = 0; how < 2; how++) {
    bri_file *f = NULL;
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(bri_file_open("pipe", how, &f, &err), BR_OK);
    (void)fputs("through", bri_file_stream(f));
    assert_int_equal(bri_file_commit(f, &err), BR_OK);
    assert_int_equal(read(reader, got, sizeof got), 7);
    (void)close(reader);
    assert_true(lstat("pipe", &info) == 0 && S_ISFIFO(info.st_mode));
    assert_int_equal(bri_file_open("nothing", how, &f, &err), BR_OK);
    assert_int_equal(bri_file_commit(f, &err), BR_OK);
    assert_true(lstat("nothing", &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
  }
  assert_int_equal(save("/dev/full", "x", &err), BR_E_IO);
  assert_non_null(strstr(err.msg, strerror(ENOSPC)));
  /* an open file: behind what is there, not over it */
  FILE *f = fopen("redirected", "w");
  char name[64];
  assert_non_null(f);
  (void)fputs("before ", f);
  (void)fflush(f);
  (void)snprintf(name, sizeof name, "/dev/fd/%d", fileno(f));
  assert_int_equal(save(name, "between ", &err), BR_OK);
  (void)fputs("behind", f);
  (void)fclose(f);
  assert_string_equal(content("redirected"), "before between behind");
  assert_int_equal(support_entries("."), 3);
}

static void new_files(void **state)
{
  bri_file *f = NULL;
  br_err err;
  put("there", "old");
  assert_int_equal(symlink("nowhere", "link"), 0);
  assert_int_equal(bri_file_open("there", BRI_FILE_NEW, &f, &err), BR_E_ARG);
  assert_non_null(strstr(err.msg, "there already"));
  assert_int_equal(bri_file_open("late", BRI_FILE_NEW, &f, &err), BR_OK);
  put("late", "first"); /* somebody was faster */
  assert_int_equal(bri_file_commit(f, &err), BR_E_ARG);
  assert_string_equal(content("late"), "first");
  assert_int_equal(bri_file_open("new", BRI_FILE_NEW, &f, &err), BR_OK);
  (void)fputs("x", bri_file_stream(f));
  assert_int_equal(bri_file_commit(f, &err), BR_OK);
  assert_string_equal(content("new"), "x");
  assert_int_equal(support_entries("."), 4);
}

static pid_t child(int (*work)(void))
{
  const pid_t pid = fork();
  if (pid == 0) _exit(work());
  return pid;
}

static int exit_of(pid_t pid)
{
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

/* What a signal handler does before the end. */
static int end_by_signal(void)
{
  bri_file *f = NULL;
  if (bri_file_open("z", BRI_FILE_NAMED, &f, NULL) || support_entries(".") != 7) return 1;
  bri_temps_remove();
  return support_entries(".") != 6;
}

static void leftovers(void **state)
{
  static const char *const foreign[] = {"film.part", ".bristle-0.part", "x.bristle-0123456789abcdeg.part",
                                        "x.bristle-0123456789abcdef.part.old"};
  bri_file *living = NULL;
  br_err err;
  for (size_t i = 0; i < 4; i++) put(foreign[i], "mine");
  put("x.csv.bristle-0123456789abcdef.part", "half");
  assert_int_equal(symlink("film.part", "y.bristle-0123456789abcdef.part"), 0);
  assert_int_equal(bri_file_open("z", BRI_FILE_STREAM, &living, &err), BR_OK);
  bri_temps_sweep(".");
  assert_string_equal(content("x.csv.bristle-0123456789abcdef.part"), "(none)");
  for (size_t i = 0; i < 4; i++) assert_string_equal(content(foreign[i]), "mine");
  assert_int_equal(support_entries("."), 6);
  assert_int_equal(bri_file_commit(living, &err), BR_OK);
  assert_int_equal(support_entries("."), 6);
  assert_int_equal(exit_of(child(end_by_signal)), 0);
  assert_int_equal(support_entries("."), 6);
}

static void out_of_memory(void **state)
{
  const long before = bri_alloc_live();
  br_status st = BR_E_NOMEM;
  for (long n = 0; st; n++) {
    br_err err;
    bri_claims set = {0};
    bri_lock lock;
    bri_buf b = {0};
    bri_alloc_fail_after(n);
    st = bri_lock_take(".", &lock, &err);
    bri_buf_text(&b, "text");
    if (!st) st = bri_buf_save(&b, "a", &err);
    bri_buf_free(&b);
    bri_claim_output(&set, "a", "one");
    bri_claim_outputs(&set, ".", "b", ".csv", "two");
    bri_claim_input(&set, "c", "three");
    if (!st) st = bri_claims_check(&set, &err);
    bri_alloc_fail_after(-1);
    bri_claims_free(&set);
    bri_lock_release(&lock);
    assert_true(st == BR_OK || st == BR_E_NOMEM);
    assert_int_equal(bri_alloc_live(), before);
    assert_int_equal(support_entries("."), access("a", F_OK) == 0);
    assert_true(n < 100);
  }
}

/* ---- locks ---- */

static int refused(void)
{
  char pid[32];
  bri_lock lock;
  br_err err;
  (void)snprintf(pid, sizeof pid, "process %ld:", (long)getppid());
  return bri_lock_take(".", &lock, &err) == BR_E_IO && strstr(err.msg, pid) ? 0 : 1;
}

static int take_and_die(void)
{
  bri_lock lock;
  if (bri_lock_take(".", &lock, NULL)) return 1;
  (void)raise(SIGKILL);
  return 2;
}

static void one_process_per_folder(void **state)
{
  bri_lock lock, again;
  br_err err;
  assert_int_equal(bri_lock_take(".", &lock, &err), BR_OK);
  assert_int_equal(exit_of(child(refused)), 0);
  assert_int_equal(bri_lock_take(".", &again, &err), BR_OK); /* our own */
  bri_lock_release(&again);
  assert_int_equal(exit_of(child(refused)), 0);
  bri_lock_release(&lock);
  assert_int_equal(support_entries("."), 0);
  assert_int_equal(exit_of(child(take_and_die)), 100 + SIGKILL);
  assert_int_equal(support_entries("."), 1);
  assert_int_equal(bri_lock_take(".", &lock, &err), BR_OK);
  bri_lock_release(&lock);
  assert_int_equal(support_entries("."), 0);
  assert_int_equal(bri_lock_take("nowhere", &lock, &err), BR_E_IO);
}

/* ---- claims ---- */

/* 'i' reads, 'o' writes, 'p' draws, 'm' writes folder/run-*.csv: is the whole refused? */
static void claims(const char *files, int bad)
{
  char copy[256];
  bri_claims set = {0};
  br_err err = {BR_OK, -1, ""};
  (void)snprintf(copy, sizeof copy, "%s", files);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    if (word[0] == 'i') bri_claim_input(&set, word + 2, "one");
    if (word[0] == 'o') bri_claim_output(&set, word + 2, "two");
    if (word[0] == 'p') bri_claim_picture(&set, word + 2, "three");
    if (word[0] == 'm') bri_claim_outputs(&set, word + 2, "run-", ".csv", "four");
  }
  const br_status st = bri_claims_check(&set, &err);
  if (st != (bad ? BR_E_ARG : BR_OK)) fail_msg("%s: %d, '%s'", files, st, err.msg);
  bri_claims_free(&set);
}

static void no_output_is_an_input(void **state)
{
  assert_int_equal(mkdir("d", 0777), 0);
  put("a", "");
  put("d/run-x.csv", "");
  assert_int_equal(link("a", "hard"), 0);
  assert_int_equal(symlink("a", "soft"), 0);
  assert_int_equal(symlink("d", "e"), 0);
  assert_int_equal(symlink("../rec.csv", "d/run-y.csv"), 0);
  claims("i:a i:a i:./a o:b", 0);
  claims("i:a o:a", 1);
  claims("o:a i:a", 1);
  claims("i:a o:./a", 1);
  claims("i:a o:d/../a", 1);
  claims("i:a o:hard", 1);
  claims("i:soft o:a", 1);
  claims("o:soft o:a", 1);
  claims("o:new o:.//new", 1); /* nothing is there yet */
  claims("o:d/new o:e/new", 1);
  claims("o:n/o/new o:n/./x/../o/new", 1);
  claims("o:n/o/new o:n/new", 0);
  claims("p:x.svg o:x.dat", 1);
  claims("p:x.svg o:x.gp", 1);
  claims("p:x.svg p:x.png", 1);
  claims("p:x.svg p:y.svg o:x.csv", 0);
  claims("m:d i:d/run-x.csv", 1);
  claims("m:e i:d/run-x.csv", 1);
  claims("m:d i:d/run-later.csv", 1);
  claims("m:d i:rec.csv", 1); /* through a link among the results */
  claims("m:d i:d/other.csv i:run-x.csv o:d/run-z.csv", 0);
  claims("o:/dev/null o:/dev/null i:/dev/null", 0);
  claims("i:- o:-", 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(old_or_new), TEST(links_are_followed), TEST(devices_and_pipes),      TEST(new_files),
      TEST(leftovers),  TEST(out_of_memory),      TEST(one_process_per_folder), TEST(no_output_is_an_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
