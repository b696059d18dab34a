/* SPDX-License-Identifier: Apache-2.0
 * fail_alloc.c - put in front of the C library (LD_PRELOAD), it makes requests for memory fail.
 * BR_FAIL_AT=k: the k-th request behind the start of the program (0: none); BR_FAIL_LAST=m: the last one that
 * fails, default k.  BR_FAIL_COUNT=FILE: their number is written there at the end.  Processes started by the
 * program are left alone, and so are requests of HDF5 and SUNDIALS: 1.10 and 6.4 crash when one of their own
 * fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_long requests;
static atomic_int armed;
static long first, last;
static char count_file[4096];

enum { MOST_SPANS = 32 };
static struct span {
  uintptr_t from, to;
} spared[MOST_SPANS];
static int nspared;

static int add_spared(struct dl_phdr_info *info, size_t size, void *unused)
{
  static const char *const NAMES[] = {"/libhdf5", "/libz.", "/libsz.", "/libaec.", "/libsundials"};
  (void)size, (void)unused;
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
    if (!info->dlpi_name || !strstr(info->dlpi_name, NAMES[i])) continue;
    for (int k = 0; k < info->dlpi_phnum && nspared < MOST_SPANS; k++) {
      if (info->dlpi_phdr[k].p_type != PT_LOAD) continue;
      const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
      spared[nspared++] = (struct span){from, from + info->dlpi_phdr[k].p_memsz};
    }
  }
  return 0;
}

static int is_spared(const void *caller)
{
  for (int i = 0; i < nspared; i++)
    if ((uintptr_t)caller >= spared[i].from && (uintptr_t)caller < spared[i].to) return 1;
  return 0;
}

static long number_of(const char *name, long otherwise)
{
  const char *text = getenv(name);
  return text ? strtol(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
  const char *file = getenv("BR_FAIL_COUNT");
  first = number_of("BR_FAIL_AT", 0);
  last = number_of("BR_FAIL_LAST", first);
  if (file) (void)snprintf(count_file, sizeof count_file, "%s", file);
  (void)unsetenv("LD_PRELOAD");
  (void)dl_iterate_phdr(add_spared, NULL);
  atomic_store(&armed, 1);
}

__attribute__((destructor)) static void finish(void)
{
  char text[32];
  atomic_store(&armed, 0);
  const int fd = count_file[0] ? open(count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  const int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&requests));
  if (fd >= 0 && write(fd, text, (size_t)n) != n) (void)unlink(count_file);
  if (fd >= 0) (void)close(fd);
}

static int refused(const void *caller)
{
  if (!atomic_load(&armed) || is_spared(caller)) return 0;
  const long k = atomic_fetch_add(&requests, 1) + 1;
  if (!first || k < first || k > last) return 0;
  errno = ENOMEM;
  return 1;
}

#define CALLER __builtin_return_address(0)
void *malloc(size_t size) { return refused(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return refused(CALLER) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return refused(CALLER) ? NULL : __libc_realloc(old, size); }

/* The C library's own would hide who asks. */
char *strndup(const char *s, size_t most)
{
  const size_t n = strnlen(s, most);
  char *copy = refused(CALLER) ? NULL : __libc_malloc(n + 1);
  if (copy) memcpy(copy, s, n), copy[n] = '\0';
  return copy;
}

char *strdup(const char *s)
{
  const size_t n = strlen(s) + 1;
  char *copy = refused(CALLER) ? NULL : __libc_malloc(n);
  return copy ? memcpy(copy, s, n) : NULL;
}
