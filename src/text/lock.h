/* SPDX-License-Identifier: Apache-2.0
 * lock.h - a folder for one process at a time.
 * The file ".bristle-lock" in the folder is locked (flock) while it is used and holds the number of the
 * process.  The lock ends with its process, however that ends: what a killed one leaves blocks nobody. */
#ifndef BRI_TEXT_LOCK_H
#define BRI_TEXT_LOCK_H
#include "fail.h"

#define BRI_LOCK_FILE ".bristle-lock"

typedef struct {
  int fd; /* -1: not held */
  char *path;
  int listed; /* path is on the list of temps.c */
} bri_lock;
#define BRI_LOCK_NONE \
  {                   \
    -1, NULL, 0       \
  }

/* Take the folder, which must be there.  A second lock by the same process is no error: it is let in.
 * BR_E_IO: another process has it (the message says which), or nothing can be written there; BR_E_NOMEM. */
BR_CHECKED br_status bri_lock_take(const char *folder, bri_lock *lock, br_err *err);
void bri_lock_release(bri_lock *lock);

#endif
