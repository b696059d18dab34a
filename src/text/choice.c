/* SPDX-License-Identifier: Apache-2.0
 * choice.c - one name of several, "a|b|c". */
#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "bristle/text.h"

static const char *behind(const char *s)
{
  s += strcspn(s, "|");
  return s + (*s == '|');
}

int bri_choice_index(const char *choices, const char *text, size_t n)
{
  int k = 0;
  for (const char *s = choices; *s; s = behind(s), k++)
    if (strcspn(s, "|") == n && memcmp(s, text, n) == 0) return k;
  return -1;
}

static const char *cut(const char *s, size_t n, char buf[BRI_CHOICE])
{
  (void)snprintf(buf, BRI_CHOICE, "%.*s", (int)(n < BRI_CHOICE ? n : BRI_CHOICE - 1), s);
  return buf;
}

const char *bri_choice_near(const char *choices, const char *text, size_t n, char buf[BRI_CHOICE])
{
  enum { MOST = 32 };
  char copies[MOST][BRI_CHOICE], given[BRI_CHOICE];
  const char *names[MOST];
  size_t k = 0;
  for (const char *s = choices; *s && k < MOST; s = behind(s), k++)
    names[k] = cut(s, strcspn(s, "|"), copies[k]);
  const char *near = br_nearest_name(cut(text, n, given), names, k);
  return near ? cut(near, strlen(near), buf) : NULL;
}
