/* SPDX-License-Identifier: Apache-2.0
 * lock.c - one process per folder. */
#define _DEFAULT_SOURCE /* flock */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/alloc.h"
#include "file.h"

enum { TRIES = 100 };

/* Who holds it; 0: it does not say (yet). */
static long owner(int fd)
{
  char text[32] = "";
  const ssize_t n = pread(fd, text, sizeof text - 1, 0);
  return n > 0 ? strtol(text, NULL, 10) : 0;
}

/* The name of a killed process may stand there for a moment; one of another machine never seems alive. */
static int is_alive(long pid) { return pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM); }

/* 0, or an errno: where a number finds no room, no result will. */
static int sign(int fd)
{
  char text[32];
  const int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
  errno = 0;
  return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n ? 0 : errno ? errno : ENOSPC;
}

/* Released by another process between our open and our flock: then the name is gone or a new file's. */
static int still_there(int fd, const char *path)
{
  struct stat mine, named;
  return fstat(fd, &mine) == 0 && lstat(path, &named) == 0 && mine.st_ino == named.st_ino &&
         mine.st_dev == named.st_dev;
}

static br_status in_use(const char *folder, long pid, br_err *err)
{
  if (pid > 0)
    return bri_fail(err, BR_E_IO,
                    "folder '%.120s' is in use by process %ld: wait for it, or choose another folder", folder,
                    pid);
  return bri_fail(err, BR_E_IO,
                  "folder '%.120s' is in use by another process: wait for it, or choose another folder",
                  folder);
}

static br_status cannot_write(const char *folder, int why, br_err *err)
{
  return bri_fail(err, BR_E_IO, "cannot write in folder '%.160s': %s", folder, strerror(why));
}

br_status bri_lock_take(const char *folder, bri_lock *lock, br_err *err)
{
  const struct timespec moment = {0, 2000000}; /* s, ns */
  const size_t room = strlen(folder) + sizeof BRI_LOCK_FILE + 1;
  long pid = 0;
  lock->fd = -1;
  lock->listed = 0;
  lock->path = bri_malloc(room);
  if (!lock->path) return bri_fail(err, BR_E_NOMEM, "%.160s: out of memory", folder);
  (void)snprintf(lock->path, room, "%s/%s", folder, BRI_LOCK_FILE);
  for (int k = 0; k < TRIES; k++) {
    const int fd = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    const int why = errno;
    if (fd < 0) {
      bri_lock_release(lock);
      return cannot_write(folder, why, err);
    }
    const int got = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; /* else: no locks there */
    if (got && still_there(fd, lock->path)) {
      const int unsigned_why = sign(fd);
      lock->fd = fd;
      if (!unsigned_why) {
        lock->listed = bri_temps_remember(lock->path); /* a signal that ends the program takes it away too */
        return BR_OK;
      }
      bri_lock_release(lock);
      return cannot_write(folder, unsigned_why, err);
    }
    pid = got ? 0 : owner(fd);
    (void)close(fd);
    if (!got && is_alive(pid)) break;
    if (!got) (void)nanosleep(&moment, NULL); /* it has not signed yet, or is about to go */
  }
  bri_lock_release(lock);
  return pid == (long)getpid() ? BR_OK : in_use(folder, pid, err);
}

void bri_lock_release(bri_lock *lock)
{
  if (lock->fd >= 0) {
    if (still_there(lock->fd, lock->path)) (void)unlink(lock->path); /* first the name, then the lock */
    (void)close(lock->fd);
  }
  /* a name that a signal handler has just taken from the list is being read: it must stay */
  if (!lock->listed || bri_temps_forget(lock->path)) bri_free(lock->path);
  lock->listed = 0;
  lock->fd = -1;
  lock->path = NULL;
}
