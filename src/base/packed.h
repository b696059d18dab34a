/* SPDX-License-Identifier: Apache-2.0
 * packed.h - the table of sources that cmake/br_pack.cmake puts into the build tree.  Internal. */
#ifndef BRI_BASE_PACKED_H
#define BRI_BASE_PACKED_H
#include <stddef.h>

typedef struct {
  const char *path; /* from the root of the sources; NULL ends the table */
  const unsigned char *text;
  size_t size;
} bri_packed_file;
extern const bri_packed_file bri_packed[];

#endif
