/* SPDX-License-Identifier: Apache-2.0
 * folder.c - the folder of a journal: who leads, what it is for, who has come. */
#define _DEFAULT_SOURCE /* nanosleep, unlinkat */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "text/buf.h"
#include "text/file.h"
#include "text/path.h"

enum { MOST_PLAN = 1 << 20 };

/* What is there must be this sweep. */
static br_status check_plan(const char *folder, const char *plan, int *found, br_err *err)
{
  char path[BRI_PATH];
  bri_buf have = {0};
  struct stat info;
  (void)snprintf(path, sizeof path, "%s/plan", folder);
  *found = lstat(path, &info) == 0;
  if (!*found) return BR_OK;
  br_status st = bri_buf_load(&have, path, MOST_PLAN, err);
  if (!st && (!have.text || strcmp(have.text, plan) != 0))
    st = bri_fail(
        err, BR_E_ARG,
        "'%.140s' holds a part of another sweep: finish that one, remove the folder, or choose another name",
        folder);
  bri_buf_free(&have);
  return st;
}

static br_status make_plan(const char *folder, const char *plan, br_err *err)
{
  char path[BRI_PATH];
  bri_buf text = {0};
  (void)snprintf(path, sizeof path, "%s/plan", folder);
  bri_buf_text(&text, plan);
  const br_status st = text.failed ? bri_no_memory(err, "sweep") : bri_buf_save(&text, path, err);
  bri_buf_free(&text);
  return st;
}

br_status bri_folder_lead(const char *folder, const char *plan, bri_lock *lock, br_err *err)
{
  int found = 0;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return bri_fail(err, BR_E_IO, "cannot make the folder '%.140s': %s", folder, strerror(errno));
  br_status st = bri_lock_take(folder, lock, err);
  if (!st) bri_temps_sweep(folder); /* a plan that a killed leader was about to write */
  if (!st) st = check_plan(folder, plan, &found, err);
  return st || found ? st : make_plan(folder, plan, err);
}

/* The leader makes the folder; who comes after the work has been done waits in vain. */
br_status bri_folder_follow(const char *folder, const char *plan, br_err *err)
{
  const struct timespec moment = {0, 20000000};
  int found = 0;
  br_status st = BR_OK;
  for (int k = 0; k < 3000 && !st && !found; k++) {
    st = check_plan(folder, plan, &found, err);
    if (!st && !found) (void)nanosleep(&moment, NULL);
  }
  if (!st && !found)
    st = bri_fail(err, BR_E_IO, "'%.140s' has not appeared within a minute: does the first process run?",
                  folder);
  return st;
}

void bri_folder_hello(const char *folder, const char *name)
{
  char path[BRI_PATH];
  if (!folder || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd >= 0) (void)close(fd);
}

int bri_folder_heard(const char *folder, const char *name)
{
  char path[BRI_PATH];
  struct stat info;
  return folder && snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
         lstat(path, &info) == 0;
}

/* Files of ours only: what else lies in the folder keeps it. */
void bri_folder_clear(const char *folder)
{
  static const char *const OURS[] = {"part-", "index-", "hello-", "claims"};
  DIR *d = opendir(folder);
  if (!d) return;
  for (const struct dirent *e = readdir(d); e; e = readdir(d))
    for (size_t i = 0; i < sizeof OURS / sizeof OURS[0]; i++)
      if (strncmp(e->d_name, OURS[i], strlen(OURS[i])) == 0) (void)unlinkat(dirfd(d), e->d_name, 0);
  (void)unlinkat(dirfd(d), "plan", 0); /* last: without it nothing counts */
  (void)closedir(d);
}
