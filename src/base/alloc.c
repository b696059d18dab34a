/* SPDX-License-Identifier: Apache-2.0
 * alloc.c - the heap behind alloc.h, and with BR_TESTING the hook that makes requests fail. */
#include "alloc.h"

#ifdef BR_TESTING
#include <stdatomic.h>

static atomic_long budget = -1;
static atomic_long live = 0;
static atomic_int once = 0; /* 1: the request that is refused ends it */

static int refused(void)
{
  long left = atomic_load(&budget);
  while (left >= 0) {
    if (left == 0) {
      if (atomic_load(&once)) atomic_store(&budget, -1);
      return 1;
    }
    if (atomic_compare_exchange_weak(&budget, &left, left - 1)) return 0;
  }
  return 0;
}

static void count(long blocks) { atomic_fetch_add(&live, blocks); }

void bri_alloc_fail_after(long n)
{
  atomic_store(&once, 0);
  atomic_store(&budget, n);
}

void bri_alloc_fail_once(long n)
{
  atomic_store(&once, 1);
  atomic_store(&budget, n);
}

long bri_alloc_live(void) { return atomic_load(&live); }
#else
static int refused(void) { return 0; }

static void count(long blocks) { (void)blocks; }
#endif

static void *counted(void *p)
{
  if (p) count(1);
  return p;
}

void *bri_malloc(size_t size) { return refused() ? NULL : counted(malloc(size ? size : 1)); }

void *bri_calloc(size_t n, size_t size)
{
  return refused() ? NULL : counted(calloc(n ? n : 1, size ? size : 1));
}

void *bri_realloc(void *old, size_t size)
{
  if (refused()) return NULL;
  void *p = realloc(old, size ? size : 1);
  return old ? p : counted(p);
}

void bri_free(void *p)
{
  if (p) count(-1);
  free(p);
}
