/* SPDX-License-Identifier: Apache-2.0
 * paths.h - where tests find files that are not part of the repository. */
#ifndef SUPPORT_PATHS_H
#define SUPPORT_PATHS_H
#include <stddef.h>

/* Path of a file of the shared folder: $BR_SHARED/rel, or <repository>/../shared/rel.
 * Returns buf when the file can be read, NULL (after a line "skip: ...") when it is not there. */
const char *support_shared(const char *rel, char *buf, size_t size);

#endif
