/* SPDX-License-Identifier: Apache-2.0
 * paths.h - where tests find files: reference numbers of the repository, measured records beside it; what
 * lies in a folder. */
#ifndef SUPPORT_PATHS_H
#define SUPPORT_PATHS_H
#include <stddef.h>

/* Path of a file of tests/reference. */
const char *support_reference(const char *name, char *buf, size_t size);

/* Path of a measured record, which is not part of the repository: $BR_SHARED/rel, or
 * <repository>/../shared/rel.  Returns buf when the file can be read, NULL (after a line "skip: ...") when it
 * is not there. */
const char *support_shared(const char *rel, char *buf, size_t size);

/* Files and folders in a folder; aborts where it cannot be read. */
size_t support_entries(const char *folder);

#endif
