/* SPDX-License-Identifier: Apache-2.0
 * claims.c - which files a call reads and writes. */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "claims.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/alloc.h"
#include "path.h"

typedef enum { INPUT, OUTPUT, MANY } kind;

struct bri_claim {
  kind as;
  char *what, *path, *real; /* real: absolute, links followed; of MANY the folder */
  char *suffix;             /* of MANY; path is then the prefix */
  int exists;
  dev_t device;
  ino_t inode;
};

/* ---- add ---- */

static void free_claim(bri_claim *c)
{
  bri_free(c->what);
  bri_free(c->path);
  bri_free(c->real);
  bri_free(c->suffix);
}

static void push(bri_claims *set, bri_claim *c)
{
  int good = c->what && c->path && c->real && (c->as != MANY || c->suffix);
  if (good) {
    bri_claim *list = bri_grown(set->list, set->n, &set->room, sizeof *list);
    good = list != NULL;
    if (list) set->list = list;
  }
  if (good) set->list[set->n++] = *c;
  else free_claim(c), set->failed = 1;
}

/* A terminal or /dev/null may be written by several; what cannot be looked at shows up when it is opened. */
static void add(bri_claims *set, kind as, const char *path, const char *what)
{
  bri_place_of at;
  char real[BRI_PATH];
  const int dash = strcmp(path, "-") == 0;
  if (dash) {
    memset(&at, 0, sizeof at);
    at.exists = fstat(as == INPUT ? STDIN_FILENO : STDOUT_FILENO, &at.info) == 0;
    (void)snprintf(real, sizeof real, "%s", as == INPUT ? "standard input" : "standard output");
  } else if (bri_path_follow(path, &at) || bri_path_real(path, real)) {
    return;
  }
  if (at.exists && (S_ISCHR(at.info.st_mode) || S_ISBLK(at.info.st_mode))) return;
  bri_claim c = {as, bri_copy(what), bri_copy(path), bri_copy(real), NULL, at.exists, 0, 0};
  if (at.exists) c.device = at.info.st_dev, c.inode = at.info.st_ino;
  push(set, &c);
}

void bri_claim_input(bri_claims *set, const char *path, const char *what) { add(set, INPUT, path, what); }
void bri_claim_output(bri_claims *set, const char *path, const char *what) { add(set, OUTPUT, path, what); }

void bri_claim_picture(bri_claims *set, const char *path, const char *what)
{
  static const char *const END[] = {".gp", ".dat"};
  const char *dot = strrchr(path, '.');
  char beside[BRI_PATH];
  bri_claim_output(set, path, what);
  if (!dot || (size_t)(dot - path) + 8 > sizeof beside) return;
  for (size_t i = 0; i < 2; i++) {
    (void)snprintf(beside, sizeof beside, "%.*s%s", (int)(dot - path), path, END[i]);
    bri_claim_output(set, beside, what);
  }
}

/* Those that are there already may be links, so they are looked at one by one. */
static void add_existing(bri_claims *set, const char *folder, const char *prefix, const char *suffix,
                         const char *what)
{
  const size_t p = strlen(prefix), s = strlen(suffix);
  DIR *d = opendir(folder);
  for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    const size_t n = strlen(e->d_name);
    char path[BRI_PATH];
    struct stat info;
    if (n < p + s || strncmp(e->d_name, prefix, p) != 0 || strcmp(e->d_name + n - s, suffix) != 0) continue;
    const int k = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (k < 0 || (size_t)k >= sizeof path || lstat(path, &info) != 0 || !S_ISLNK(info.st_mode)) continue;
    bri_claim_output(set, path, what);
  }
  if (d) (void)closedir(d);
}

void bri_claim_outputs(bri_claims *set, const char *folder, const char *prefix, const char *suffix,
                       const char *what)
{
  char real[BRI_PATH];
  if (bri_path_real(folder, real)) return;
  bri_claim c = {MANY, bri_copy(what), bri_copy(prefix), bri_copy(real), bri_copy(suffix), 0, 0, 0};
  push(set, &c);
  add_existing(set, folder, prefix, suffix, what);
}

/* ---- are they the same? ---- */

static br_status refuse(const bri_claim *a, const bri_claim *b, br_err *err)
{
  const bri_claim *in = a->as == INPUT ? a : b->as == INPUT ? b : NULL, *out = in == a ? b : a;
  if (in)
    return bri_fail(err, BR_E_ARG,
                    "%.60s would overwrite '%.100s', which is read (%.40s): choose another name", out->what,
                    in->path, in->what);
  return bri_fail(err, BR_E_ARG, "%.60s and %.60s both want the file '%.100s'", a->what, b->what, b->path);
}

static int is_one_of(const bri_claim *many, const bri_claim *c)
{
  const size_t n = strlen(many->real), p = strlen(many->path), s = strlen(many->suffix);
  if (strncmp(c->real, many->real, n) != 0 || c->real[n] != '/') return 0;
  const char *name = c->real + n + 1;
  return !strchr(name, '/') && strlen(name) >= p + s && strncmp(name, many->path, p) == 0 &&
         strcmp(name + strlen(name) - s, many->suffix) == 0;
}

/* For sorting. */
typedef struct {
  const bri_claim *of;
} entry;

/* Outputs in front of inputs, so that a file with both has one of each as neighbours. */
static int by_kind(const bri_claim *a, const bri_claim *b)
{
  if (a->as != b->as) return a->as == INPUT ? 1 : -1;
  return a < b ? -1 : a > b;
}

static int by_name(const void *x, const void *y)
{
  const bri_claim *a = ((const entry *)x)->of, *b = ((const entry *)y)->of;
  const int k = strcmp(a->real, b->real);
  return k ? k : by_kind(a, b);
}

static int by_inode(const void *x, const void *y)
{
  const bri_claim *a = ((const entry *)x)->of, *b = ((const entry *)y)->of;
  if (a->device != b->device) return a->device < b->device ? -1 : 1;
  if (a->inode != b->inode) return a->inode < b->inode ? -1 : 1;
  return by_kind(a, b);
}

/* Neighbours in the sorted list that are one file; two that only read it do no harm. */
static br_status neighbours(const entry *list, size_t n, int inodes, br_err *err)
{
  for (size_t i = 1; i < n; i++) {
    const bri_claim *a = list[i - 1].of, *b = list[i].of;
    const int same = inodes ? a->device == b->device && a->inode == b->inode : strcmp(a->real, b->real) == 0;
    if (same && a->as == OUTPUT) return refuse(a < b ? a : b, a < b ? b : a, err);
  }
  return BR_OK;
}

static br_status check_many(const bri_claims *set, br_err *err)
{
  for (size_t i = 0; i < set->n; i++)
    for (size_t k = 0; k < set->n && set->list[i].as == MANY; k++)
      if (set->list[k].as == INPUT && is_one_of(&set->list[i], &set->list[k]))
        return refuse(&set->list[i], &set->list[k], err);
  return BR_OK;
}

br_status bri_claims_check(const bri_claims *set, br_err *err)
{
  if (set->failed) return bri_fail(err, BR_E_NOMEM, "out of memory");
  entry *list = bri_malloc_array(set->n + 1, sizeof *list);
  if (!list) return bri_fail(err, BR_E_NOMEM, "out of memory");
  br_status st = check_many(set, err);
  for (int inodes = 0; inodes < 2 && !st; inodes++) {
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++)
      if (set->list[i].as != MANY && (!inodes || set->list[i].exists)) list[n++].of = &set->list[i];
    qsort(list, n, sizeof *list, inodes ? by_inode : by_name);
    st = neighbours(list, n, inodes, err);
  }
  bri_free(list);
  return st;
}

const char *bri_claims_output(const bri_claims *set, size_t i)
{
  return set->list[i].as == OUTPUT ? set->list[i].path : NULL;
}

void bri_claims_free(bri_claims *set)
{
  for (size_t i = 0; i < set->n; i++) free_claim(&set->list[i]);
  bri_free(set->list);
  memset(set, 0, sizeof *set);
}
