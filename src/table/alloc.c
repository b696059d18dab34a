/* SPDX-License-Identifier: Apache-2.0
 * alloc.c - the test hook behind alloc.h; empty in a release. */
#include "alloc.h"

#ifdef BR_TESTING
#include <stdatomic.h>

static atomic_long budget = -1;
static atomic_long live = 0;

static int refused(void)
{
  long left = atomic_load(&budget);
  while (left >= 0) {
    if (left == 0) return 1;
    if (atomic_compare_exchange_weak(&budget, &left, left - 1)) return 0;
  }
  return 0;
}

static void *counted(void *p)
{
  if (p) atomic_fetch_add(&live, 1);
  return p;
}

void *bri_malloc(size_t size) { return refused() ? NULL : counted(malloc(size ? size : 1)); }

void *bri_calloc(size_t count, size_t size)
{
  return refused() ? NULL : counted(calloc(count ? count : 1, size ? size : 1));
}

void *bri_realloc(void *old, size_t size)
{
  if (refused()) return NULL;
  void *p = realloc(old, size ? size : 1);
  return old ? p : counted(p);
}

void bri_free(void *p)
{
  if (p) atomic_fetch_sub(&live, 1);
  free(p);
}

void bri_alloc_fail_after(long n) { atomic_store(&budget, n); }

long bri_alloc_live(void) { return atomic_load(&live); }
#else
typedef int bri_alloc_not_empty; /* ISO C wants one declaration per file */
#endif
