/* SPDX-License-Identifier: Apache-2.0
 * alloc.h - all heap memory of the host rooms comes from here.
 * In the library these are malloc and friends.  The tests link an alloc.c of their own, compiled with
 * BR_TESTING: there the n-th request can be made to fail, so that every error path of every *_create and
 * *_load is walked by a loop.  Only alloc.c differs; every other object is the very one the library is made
 * of. */
#ifndef BRI_TABLE_ALLOC_H
#define BRI_TABLE_ALLOC_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Never NULL for size 0: a NULL means that there is no memory. */
void *bri_malloc(size_t size);
void *bri_calloc(size_t n, size_t size);
void *bri_realloc(void *old, size_t size);
void bri_free(void *p);

#ifdef BR_TESTING
/* Let n more requests succeed and every later one fail; n < 0 switches the hook off. */
void bri_alloc_fail_after(long n);
/* The same for one request: those behind it succeed again, so that nobody else notices. */
void bri_alloc_fail_once(long n);
/* Blocks handed out and not yet freed; a leak check that needs no sanitizer. */
long bri_alloc_live(void);
#endif

/* count * size bytes, or NULL when the product overflows. */
static inline void *bri_malloc_array(size_t count, size_t size)
{
  return size && count > SIZE_MAX / size ? NULL : bri_malloc(count * size);
}

/* n characters, or a whole text (of NULL: NULL), as a text of its own; NULL: no memory. */
static inline char *bri_copy_n(const char *s, size_t n)
{
  char *text = (char *)bri_malloc(n + 1);
  if (text) memcpy(text, s, n), text[n] = '\0';
  return text;
}
static inline char *bri_copy(const char *s) { return s ? bri_copy_n(s, strlen(s)) : NULL; }

/* Several arrays of numbers in one block, all zero: where each goes, and how many it has.  Who frees the
 * first has freed all.  NULL: no memory. */
typedef struct {
  double **to;
  size_t n;
} bri_share;
static inline double *bri_shares(const bri_share *list, size_t count)
{
  size_t total = 0;
  for (size_t i = 0; i < count; i++) total += list[i].n;
  double *block = (double *)bri_calloc(total, sizeof *block), *at = block;
  for (size_t i = 0; i < count && block; i++) *list[i].to = at, at += list[i].n;
  return block;
}

/* A list of n entries with room for one more, grown by doubling where it is full.  NULL: no memory, or too
 * many; the old list is then still there. */
static inline void *bri_grown(void *list, size_t n, size_t *room, size_t size)
{
  const size_t more = *room ? 2 * *room : 16;
  if (list && n < *room) return list;
  if (size && more > SIZE_MAX / size) return NULL;
  void *grown = bri_realloc(list, more * size);
  if (grown) *room = more;
  return grown;
}

#endif
