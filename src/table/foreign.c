/* SPDX-License-Identifier: Apache-2.0
 * foreign.c - a child reads a .mat or HDF5 file and writes its columns as text. */
#include "foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "bri_config.h"
#include "bristle/text.h"
#include "text/fail.h"

enum { SECONDS = 60, MOST_NUMBERS = 100000000 };
#define MEMORY ((rlim_t)8 << 30)

bri_file_kind bri_foreign_kind(const char *path)
{
  unsigned char head[520];
  struct stat about;
  if (stat(path, &about) || !S_ISREG(about.st_mode)) return BRI_FILE_CSV;
  FILE *f = fopen(path, "rb");
  if (!f) return BRI_FILE_CSV;
  const size_t n = fread(head, 1, sizeof head, f);
  (void)fclose(f);
  static const unsigned char HDF5[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  for (size_t at = 0; at <= 512; at += 512) /* a .mat file of version 7.3 has a heading of 512 bytes */
    if (n >= at + 8 && memcmp(head + at, HDF5, 8) == 0) return BRI_FILE_HDF5;
  return n >= 20 && memcmp(head, "MATLAB 5.0 MAT-file", 19) == 0 ? BRI_FILE_MAT : BRI_FILE_CSV;
}

/* ---- in the child ---- */

bri_foreign_column *bri_foreign_add(bri_foreign_set *set, const char *name, const char *unit, size_t n)
{
  if (set->n == BRI_FOREIGN_COLUMNS || n > MOST_NUMBERS - set->numbers) return NULL;
  bri_foreign_column *c = &set->list[set->n];
  c->x = bri_malloc_array(n + 1, sizeof *c->x);
  if (!c->x) return NULL;
  (void)snprintf(c->name, sizeof c->name, "%s", name);
  (void)snprintf(c->unit, sizeof c->unit, "%s", unit ? unit : "");
  c->n = n;
  set->n++;
  set->numbers += n;
  return c;
}

/* The length that most columns share, of two the longer one: these are the record. */
static size_t common_length(const bri_foreign_set *set)
{
  size_t best = 0, most = 0;
  for (size_t i = 0; i < set->n; i++) {
    size_t same = 0;
    for (size_t j = 0; j < set->n; j++) same += set->list[j].n == set->list[i].n;
    if (set->list[i].n < 2) continue;
    if (same > most || (same == most && set->list[i].n > best)) most = same, best = set->list[i].n;
  }
  return best;
}

/* How much all names that count have in front, up to a slash or point: "trace/". */
static size_t common_start(const bri_foreign_set *set, size_t length)
{
  const char *first = NULL;
  size_t n = 0;
  for (size_t i = 0; i < set->n; i++) {
    const char *name = set->list[i].name;
    if (set->list[i].n != length) continue;
    if (!first) first = name, n = strlen(name);
    for (size_t k = 0; k < n; k++)
      if (name[k] != first[k]) n = k;
  }
  while (n && first[n - 1] != '/' && first[n - 1] != '.') n--;
  return n;
}

static void put_name(FILE *f, const char *name, const char *unit)
{
  (void)fputc('"', f);
  for (const char *p = name; *p; p++) {
    if (*p == '"') (void)fputc('"', f);
    (void)fputc((unsigned char)*p < 32 || *p == 127 ? '_' : *p, f);
  }
  if (unit[0] && !strpbrk(unit, "\"[]")) (void)fprintf(f, " [%s]", unit);
  (void)fputc('"', f);
}

static br_status put(const bri_foreign_set *set, const char *path, FILE *f, br_err *err)
{
  const size_t rows = common_length(set), skip = common_start(set, rows);
  size_t columns = 0;
  if (!rows) return bri_fail(err, BR_E_PARSE, "'%.80s' has no columns of numbers", path);
  for (size_t j = 0; j < set->n; j++)
    if (set->list[j].n == rows) {
      if (columns++) (void)fputc(',', f);
      put_name(f, set->list[j].name + skip, set->list[j].unit);
    }
  for (size_t i = 0; i < rows; i++) {
    (void)fputc('\n', f);
    for (size_t j = 0, k = 0; j < set->n; j++) {
      char text[BR_DOUBLE_TEXT];
      if (set->list[j].n != rows) continue;
      (void)br_format_double(set->list[j].x[i], text);
      if (k++) (void)fputc(',', f);
      (void)fputs(text, f);
    }
  }
  (void)fputc('\n', f);
  return fflush(f) || ferror(f) ? bri_fail(err, BR_E_IO, "'%.80s': cannot hand over", path) : BR_OK;
}

static void limit(int what, rlim_t most)
{
  struct rlimit r;
  if (getrlimit(what, &r)) return;
  if (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > most) r.rlim_cur = most;
  (void)setrlimit(what, &r);
}

static void child(const char *path, bri_file_kind kind, int to, int messages)
{
  static bri_foreign_set set; /* of the child alone */
  br_err err = {BR_OK, -1, ""};
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) (void)dup2(nowhere, 2); /* libraries that print */
  limit(RLIMIT_CPU, SECONDS);
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit(RLIMIT_AS, MEMORY);
#endif
  FILE *f = fdopen(to, "wb");
  br_status st =
      kind == BRI_FILE_MAT ? bri_foreign_mat(path, &set, &err) : bri_foreign_hdf5(path, &set, &err);
  if (!st) st = f ? put(&set, path, f, &err) : BR_E_IO;
  if (st && !err.msg[0]) (void)bri_fail(&err, st, "'%.80s' cannot be read", path);
  if (st && write(messages, &err, sizeof err) < 0) _exit(2);
  _exit(st ? 1 : 0);
}

/* ---- in the parent ---- */

static br_status missing(const char *path, bri_file_kind kind, br_err *err)
{
  return bri_fail(err, BR_E_UNSUPPORTED,
                  "'%.80s' is %s file, which this build cannot read: it was made without %s", path,
                  kind == BRI_FILE_MAT ? "a .mat" : "an HDF5", kind == BRI_FILE_MAT ? "libmatio" : "libhdf5");
}

br_status bri_foreign_open(const char *path, bri_file_kind kind, FILE **stream, bri_foreign *f, br_err *err)
{
  int data[2], words[2];
  if (kind == BRI_FILE_MAT ? !BR_WITH_MATIO : !BR_WITH_HDF5) return missing(path, kind, err);
  if (pipe(data)) return bri_fail(err, BR_E_IO, "'%.80s': %s", path, strerror(errno));
  if (pipe(words)) {
    (void)close(data[0]), (void)close(data[1]);
    return bri_fail(err, BR_E_IO, "'%.80s': %s", path, strerror(errno));
  }
  (void)fcntl(data[0], F_SETFD, FD_CLOEXEC), (void)fcntl(words[0], F_SETFD, FD_CLOEXEC);
  f->child = fork();
  if (f->child == 0) {
    (void)close(data[0]), (void)close(words[0]);
    child(path, kind, data[1], words[1]);
  }
  (void)close(data[1]), (void)close(words[1]);
  *stream = f->child > 0 ? fdopen(data[0], "rb") : NULL;
  f->messages = words[0];
  if (*stream) return BR_OK;
  (void)close(data[0]);
  if (f->child < 0) (void)close(words[0]), f->child = 0;
  else bri_foreign_stop(f);
  return bri_fail(err, BR_E_IO, "'%.80s': no process to read it", path);
}

static int wait_for(bri_foreign *f)
{
  int status = 0;
  pid_t got = -1;
  do got = waitpid(f->child, &status, 0);
  while (got < 0 && errno == EINTR);
  f->child = 0;
  return got < 0 ? 0 : status; /* someone else has collected it: what came through the pipe is all we have */
}

br_status bri_foreign_end(bri_foreign *f, const char *path, br_err *err)
{
  br_err why;
  size_t got = 0;
  if (f->child <= 0) return BR_OK;
  for (ssize_t n = 1; got < sizeof why && n > 0;) {
    n = read(f->messages, (char *)&why + got, sizeof why - got);
    if (n > 0) got += (size_t)n;
    else if (n < 0 && errno == EINTR) n = 1;
  }
  (void)close(f->messages);
  const int status = wait_for(f);
  if (got == sizeof why) {
    why.msg[sizeof why.msg - 1] = '\0';
    return bri_fail(err, why.code < 0 ? why.code : BR_E_PARSE, "%s", why.msg);
  }
  if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status)))
    return bri_fail(err, BR_E_PARSE, "'%.80s' is damaged, or beyond %d s or 8 GiB: its library gave up", path,
                    (int)SECONDS);
  return BR_OK;
}

void bri_foreign_stop(bri_foreign *f)
{
  if (f->child <= 0) return;
  (void)kill(f->child, SIGKILL);
  (void)close(f->messages);
  (void)wait_for(f);
}
