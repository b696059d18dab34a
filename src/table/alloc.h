/* SPDX-License-Identifier: Apache-2.0
 * alloc.h - all heap memory of the host rooms comes from here.
 * In a release these are malloc and friends.  With BR_TESTING defined (library and tests alike) the n-th
 * request can be made to fail, so that every error path of every *_create and *_load is walked by a loop. */
#ifndef BRI_TABLE_ALLOC_H
#define BRI_TABLE_ALLOC_H
#include <stdint.h>
#include <stdlib.h>

#ifdef BR_TESTING
void *bri_malloc(size_t size);
void *bri_calloc(size_t count, size_t size);
void *bri_realloc(void *old, size_t size);
void bri_free(void *p);
/* Let n more requests succeed and every later one fail; n < 0 switches the hook off. */
void bri_alloc_fail_after(long n);
/* Blocks handed out and not yet freed; a leak check that needs no sanitizer. */
long bri_alloc_live(void);
#else
static inline void *bri_malloc(size_t size) { return malloc(size ? size : 1); }
static inline void *bri_calloc(size_t count, size_t size)
{
  return calloc(count ? count : 1, size ? size : 1);
}
static inline void *bri_realloc(void *old, size_t size) { return realloc(old, size ? size : 1); }
static inline void bri_free(void *p) { free(p); }
#endif

/* count * size bytes, or NULL when the product overflows. */
static inline void *bri_malloc_array(size_t count, size_t size)
{
  return size && count > SIZE_MAX / size ? NULL : bri_malloc(count * size);
}

#endif
