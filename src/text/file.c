/* SPDX-License-Identifier: Apache-2.0
 * file.c - files that appear under their name only when they are complete. */
#define _DEFAULT_SOURCE /* flock, fdopen, fsync */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/alloc.h"
#include "path.h"

enum { TRIES = 100, COPY = 16384 };

struct bri_file {
  int how, fd;
  FILE *stream;
  char *path;   /* as it was given, for messages */
  char *target; /* links followed */
  char *temp;   /* NULL: written through */
  int why;      /* errno of the first failure; 0: none */
  int listed;   /* temp is on the list of temps.c */
  int special;  /* target is a device or a pipe */
};

static br_status failed(const char *path, int why, br_err *err)
{
  if (why == EEXIST) return bri_fail(err, BR_E_ARG, "cannot write '%.160s': it is there already", path);
  return bri_fail(err, BR_E_IO, "cannot write '%.160s': %s", path, strerror(why ? why : EIO));
}

static br_status no_memory(const char *path, br_err *err)
{
  return bri_fail(err, BR_E_NOMEM, "%.160s: out of memory", path);
}

/* ---- open ---- */

/* Is the open file still the one under its name?  A sweep may have taken it before it was locked. */
static int is_mine(int fd, const char *path)
{
  struct stat open_one, named;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return 0; /* else: no locks there, go on */
  return fstat(fd, &open_one) == 0 && lstat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
         open_one.st_dev == named.st_dev;
}

/* A name of our own in the folder; -1 and errno when there is none. */
static int open_temp(bri_file *f, const char *folder)
{
  char name[BRI_TEMP_NAME];
  const char *slash = strrchr(f->target, '/'), *of = slash ? slash + 1 : f->target;
  const size_t n = strlen(folder);
  for (unsigned k = 0; k < TRIES; k++) {
    bri_temp_name(of, k, name);
    memcpy(f->temp, folder, n);
    memcpy(f->temp + n, name, strlen(name) + 1);
    f->listed = bri_temps_remember(f->temp); /* first: a signal may come behind the next line */
    const int fd = open(f->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    const int why = errno;
    if (fd >= 0 && is_mine(fd, f->temp)) return fd;
    if (f->listed) (void)bri_temps_forget(f->temp), f->listed = 0;
    if (fd >= 0) (void)close(fd);
    else if (why != EEXIST) {
      errno = why;
      return -1;
    }
  }
  errno = EEXIST;
  return -1;
}

static br_status open_beside(bri_file *f, const bri_place_of *at, br_err *err)
{
  char folder[BRI_PATH], real[BRI_PATH];
  int why = bri_path_folder(f->how == BRI_FILE_NAMED ? f->path : at->path, folder);
  if (!why) why = bri_path_real(folder, real);
  if (why) return failed(f->path, why, err);
  const size_t n = strlen(real);
  if (n + 2 >= BRI_PATH) return failed(f->path, ENAMETOOLONG, err);
  if (real[n - 1] != '/') real[n] = '/', real[n + 1] = '\0';
  f->temp = bri_malloc(strlen(real) + BRI_TEMP_NAME);
  if (!f->temp) return no_memory(f->path, err);
  f->fd = open_temp(f, real);
  if (f->fd < 0) {
    why = errno;
    bri_free(f->temp);
    f->temp = NULL;
    return failed(f->path, why, err);
  }
  if (at->exists && !f->special) (void)fchmod(f->fd, at->info.st_mode & 0777); /* as private as before */
  return BR_OK;
}

static br_status open_through(bri_file *f, const bri_place_of *at, br_err *err)
{
  f->fd = at->descriptor >= 0 ? fcntl(at->descriptor, F_DUPFD_CLOEXEC, 0)
                              : open(at->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (f->fd < 0) return failed(f->path, errno, err);
  bri_temps_placed(); /* no way back */
  return BR_OK;
}

static br_status open_file(bri_file *f, br_err *err)
{
  bri_place_of at;
  int why = bri_path_follow(f->path, &at);
  const int special = !why && at.exists && (at.descriptor >= 0 || !S_ISREG(at.info.st_mode));
  if (!why && at.exists && S_ISDIR(at.info.st_mode)) why = EISDIR;
  if (!why && at.exists && f->how == BRI_FILE_NEW) why = EEXIST;
  if (!why && at.exists && !special && access(at.path, W_OK) != 0) why = errno;
  if (why) return failed(f->path, why, err);
  f->target = bri_copy(at.path);
  if (!f->target) return no_memory(f->path, err);
  f->special = special;
  return special && f->how == BRI_FILE_STREAM ? open_through(f, &at, err) : open_beside(f, &at, err);
}

br_status bri_file_open(const char *path, int how, bri_file **out, br_err *err)
{
  *out = NULL;
  bri_file *f = bri_calloc(1, sizeof *f);
  if (!f) return no_memory(path, err);
  f->how = how;
  f->fd = -1;
  f->path = bri_copy(path);
  const br_status st = f->path ? open_file(f, err) : no_memory(path, err);
  if (st) bri_file_abort(f);
  else *out = f;
  return st;
}

FILE *bri_file_stream(bri_file *f)
{
  if (!f->stream) f->stream = fdopen(f->fd, "wb");
  return f->stream;
}

void bri_file_put(bri_file *f, const void *bytes, size_t n)
{
  FILE *to = bri_file_stream(f);
  if (f->why) return;
  errno = 0;
  if (!to) f->why = ENOMEM;
  else if (n && fwrite(bytes, 1, n, to) != n) f->why = errno ? errno : EIO;
}

br_status bri_file_flush(bri_file *f, br_err *err)
{
  if (!f->why && f->stream && (ferror(f->stream) || fflush(f->stream) != 0)) f->why = errno ? errno : EIO;
  return f->why ? failed(f->path, f->why, err) : BR_OK;
}

int bri_file_descriptor(const bri_file *f) { return f->fd; }
const char *bri_file_temporary(const bri_file *f) { return f->temp; }

/* ---- close ---- */

/* Where a rename cannot do it: into a device or a pipe, or onto another file system. */
static br_status copy(bri_file *f, br_err *err)
{
  char piece[COPY];
  bri_file *to = NULL;
  const br_status st = bri_file_open(f->target, BRI_FILE_STREAM, &to, err);
  if (st) return st;
  for (off_t at = 0; !to->why;) {
    const ssize_t n = pread(f->fd, piece, sizeof piece, at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) to->why = errno;
    if (n <= 0) break;
    bri_file_put(to, piece, (size_t)n);
    at += n;
  }
  return bri_file_commit(to, err);
}

/* A file system without links cannot say "only if nothing is there" in one step with the content. */
static int place_new(const bri_file *f)
{
  if (link(f->temp, f->target) == 0) return 0;
  if (errno == EEXIST) return EEXIST;
  const int fd = open(f->target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  (void)close(fd);
  return rename(f->temp, f->target) == 0 ? 0 : errno;
}

static int to_disk(int fd)
{
  int k = 0;
  do k = fsync(fd);
  while (k != 0 && errno == EINTR);
  return k == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno; /* some file systems have nothing to do */
}

/* placed: nothing is left under the temporary name. */
static void release(bri_file *f, int placed)
{
  if (f->temp && !placed) (void)unlink(f->temp);
  if (f->stream) (void)fclose(f->stream);
  else if (f->fd >= 0) (void)close(f->fd);
  /* a name that a signal handler has just taken from the list is being read: it must stay */
  if (!f->listed || bri_temps_forget(f->temp)) bri_free(f->temp);
  bri_free(f->target);
  bri_free(f->path);
  bri_free(f);
}

br_status bri_file_commit(bri_file *f, br_err *err)
{
  int placed = 0, away = 0; /* away: onto another file system */
  errno = 0;
  br_status st = bri_file_flush(f, err);
  if (!st && f->temp && !f->special) {
    int why = to_disk(f->fd);
    if (!why && f->how == BRI_FILE_NEW) why = place_new(f);
    else if (!why) placed = rename(f->temp, f->target) == 0, why = placed ? 0 : errno;
    away = why == EXDEV;
    if (why && !away) st = failed(f->path, why, err);
  }
  if (!st && f->temp && !f->special && !away) bri_temps_placed();
  if (!st && f->temp && (f->special || away)) st = copy(f, err);
  release(f, placed);
  return st;
}

void bri_file_abort(bri_file *f)
{
  if (f) release(f, 0);
}
