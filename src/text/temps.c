/* SPDX-License-Identifier: Apache-2.0
 * temps.c - temporary names, and how none of them stays behind.
 * The list of files being written, and how many were put in place, are the only state the library keeps: a
 * program that is ended by a signal has no other way to know them. */
#define _DEFAULT_SOURCE /* flock */
#include <fcntl.h>
#include <dirent.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "path.h"

enum { MOST_TEMPS = 64 };
static const char MARK[] = ".bristle-", END[] = ".part";
enum { DIGITS = 16, TAIL = sizeof MARK - 1 + DIGITS + sizeof END - 1, MOST_NAME = 100 };

static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

static _Atomic(const char *) temps[MOST_TEMPS];
static atomic_size_t placed;

void bri_temp_name(const char *of, unsigned seed, char name[BRI_TEMP_NAME])
{
  char start[MOST_NAME + 1];
  size_t n = 0;
  for (; of[n] && n < MOST_NAME; n++) start[n] = (char)(strchr(PLAIN, of[n]) ? of[n] : '_');
  start[n] = '\0';
  unsigned long long x = 0;
  const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  const int got = fd >= 0 && read(fd, &x, sizeof x) == (ssize_t)sizeof x;
  if (fd >= 0) (void)close(fd);
  if (!got) { /* enough to find a free name; that it is free is seen to by O_EXCL */
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    x = (unsigned long long)now.tv_nsec * 2654435761u + (unsigned long long)now.tv_sec;
    x = (x ^ (unsigned long long)getpid() << 40) * 6364136223846793005u + seed;
  }
  (void)snprintf(name, BRI_TEMP_NAME, "%s%s%016llx%s", start, MARK, x, END);
}

static int is_temp(const char *name)
{
  const size_t n = strlen(name);
  const char *tail = n > TAIL ? name + n - TAIL : "";
  return strncmp(tail, MARK, sizeof MARK - 1) == 0 &&
         strspn(tail + sizeof MARK - 1, "0123456789abcdef") == DIGITS &&
         strcmp(tail + TAIL - (sizeof END - 1), END) == 0;
}

/* A living writer holds a lock on its file; who gets the lock knows that there is none. */
static void sweep_one(int folder, const char *name)
{
  struct stat info;
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
      flock(fd, LOCK_EX | LOCK_NB) == 0)
    (void)unlinkat(folder, name, 0);
  (void)close(fd);
}

void bri_temps_sweep(const char *folder)
{
  DIR *d = opendir(folder);
  if (!d) return;
  for (const struct dirent *e = readdir(d); e; e = readdir(d))
    if (is_temp(e->d_name)) sweep_one(dirfd(d), e->d_name);
  (void)closedir(d);
}

int bri_temps_remember(const char *path)
{
  for (size_t i = 0; i < MOST_TEMPS; i++) {
    const char *none = NULL;
    if (atomic_compare_exchange_strong(&temps[i], &none, path)) return 1;
  }
  return 0;
}

int bri_temps_forget(const char *path)
{
  for (size_t i = 0; i < MOST_TEMPS; i++) {
    const char *same = path;
    if (atomic_compare_exchange_strong(&temps[i], &same, NULL)) return 1;
  }
  return 0;
}

void bri_temps_placed(void) { atomic_fetch_add(&placed, 1); }

size_t bri_temps_in_place(void) { return atomic_load(&placed); }

void bri_temps_remove(void)
{
  for (size_t i = 0; i < MOST_TEMPS; i++) {
    const char *path = atomic_exchange(&temps[i], NULL);
    if (path) (void)unlink(path);
  }
}
