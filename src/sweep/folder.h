/* SPDX-License-Identifier: Apache-2.0
 * folder.h - the folder of a journal: who leads, what it is for, who has come. */
#ifndef BRI_SWEEP_FOLDER_H
#define BRI_SWEEP_FOLDER_H
#include "text/lock.h"

/* Make it, or go on with one of the same plan, and hold it.  BR_E_ARG: it is another's; BR_E_IO, BR_E_NOMEM.
 * */
BR_CHECKED br_status bri_folder_lead(const char *folder, const char *plan, bri_lock *lock, br_err *err);
/* Wait until it is there. */
BR_CHECKED br_status bri_folder_follow(const char *folder, const char *plan, br_err *err);
/* Say that process `name` is there; has this name been said? */
void bri_folder_hello(const char *folder, const char *name);
int bri_folder_heard(const char *folder, const char *name);
/* Our files in it, the plan last. */
void bri_folder_clear(const char *folder);

#endif
