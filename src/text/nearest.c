/* SPDX-License-Identifier: Apache-2.0
 * nearest.c - "did you mean": the nearest name by edit distance. */
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"
#include "fail.h"

enum { MAX_NAME = 64, EDIT = 4, CASE_EDIT = 1 }; /* costs in quarters, so that a wrong case is a small slip */

static char lower(char c) { return (c >= 'A' && c <= 'Z') ? (char)(c - 'A' + 'a') : c; }

static int replace_cost(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? CASE_EDIT : EDIT; }

static int least(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment over three rows; names longer than MAX_NAME never match. */
static int distance(const char *a, size_t na, const char *b, size_t nb)
{
  int rows[3][MAX_NAME + 1];
  int *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; j++) above[j] = (int)j * EDIT;
  for (size_t j = 0; j <= nb; j++) before[j] = 0;
  for (size_t i = 1; i <= na; i++) {
    row[0] = (int)i * EDIT;
    for (size_t j = 1; j <= nb; j++) {
      int d = above[j - 1] + replace_cost(a[i - 1], b[j - 1]);
      d = least(d, least(above[j], row[j - 1]) + EDIT);
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        d = least(d, before[j - 2] + EDIT);
      row[j] = d;
    }
    int *spare = before;
    before = above;
    above = row;
    row = spare;
  }
  return above[nb];
}

const char *br_nearest_name(const char *name, const char *const *list, size_t n)
{
  const char *best = NULL;
  int best_d = 0;
  if (!name || !list) return NULL;
  const size_t na = strlen(name);
  if (na == 0 || na > MAX_NAME) return NULL;
  for (size_t k = 0; k < n; k++) {
    if (!list[k]) continue;
    const size_t nb = strlen(list[k]);
    if (nb == 0 || nb > MAX_NAME) continue;
    const int d = distance(name, na, list[k], nb);
    const size_t longer = na > nb ? na : nb;
    if (2 * (size_t)d > longer * EDIT) continue;
    if (!best || d < best_d) {
      best = list[k];
      best_d = d;
    }
  }
  return best;
}

const char *bri_hint(const char *name, const char *const *list, size_t n, const char *other,
                     char buf[BRI_HINT])
{
  const char *near = br_nearest_name(name, list, n);
  if (!near) return other;
  (void)snprintf(buf, BRI_HINT, "; did you mean '%.70s'?", near);
  return buf;
}

const char *bri_join(const char *const *list, size_t n, size_t size, char *buf)
{
  size_t used = 0;
  buf[0] = '\0';
  for (size_t i = 0; i < n && used < size; i++)
    used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", list[i]);
  return buf;
}
