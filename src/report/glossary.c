/* SPDX-License-Identifier: Apache-2.0
 * glossary.c - terms and their explanation, from the page that people read. */
#include "glossary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"

static const char MARK[] = "\n### ";

int bri_glossary_at(size_t i, bri_glossary_entry *e)
{
  const char *at = (const char *)bri_glossary_page;
  for (at = strstr(at, MARK); at && i > 0; i--) at = strstr(at + 1, MARK);
  if (!at) return 0;
  e->names = at + sizeof MARK - 1;
  e->nnames = strcspn(e->names, "\n");
  e->text = e->names + e->nnames;
  const char *end = strstr(e->text, MARK);
  e->ntext = end ? (size_t)(end - e->text) : strlen(e->text);
  return 1;
}

/* Small letters, '-' and '_' as blanks. */
static void plain(const char *s, size_t n, size_t size, char *out)
{
  size_t k = 0;
  for (; k < n && k + 1 < size; k++)
    out[k] = (char)(s[k] == '-' || s[k] == '_' ? ' ' : tolower((unsigned char)s[k]));
  out[k] = '\0';
}

int bri_glossary_find(const char *name, bri_glossary_entry *e, size_t size, char *hint)
{
  enum { MOST = 256, LEN = 64 };
  static const char MODEL[] = " model"; /* "dahl" finds "Dahl model" */
  char wanted[LEN], list[MOST][LEN];
  const char *names[MOST];
  size_t n = 0;
  plain(name, strlen(name), sizeof wanted, wanted);
  for (size_t i = 0; bri_glossary_at(i, e); i++)
    for (size_t at = 0; at < e->nnames && n < MOST;) {
      const char *word = e->names + at;
      const char *comma = memchr(word, ',', e->nnames - at);
      const size_t len = comma ? (size_t)(comma - word) : e->nnames - at;
      plain(word, len, LEN, list[n]);
      char *tail = strstr(list[n], MODEL);
      const int whole = strcmp(list[n], wanted) == 0;
      if (tail) *tail = '\0';
      if (whole || strcmp(list[n], wanted) == 0) return 1;
      names[n] = list[n], n++;
      at += len + (comma ? 2 : 0);
    }
  const size_t len = strlen(wanted);
  for (size_t i = 0; len >= 3 && i < n; i++) /* "stribeck" begins "stribeck effect" */
    if (strncmp(list[i], wanted, len) == 0 && list[i][len] == ' ')
      return bri_glossary_find(list[i], e, size, hint);
  const char *near = br_nearest_name(wanted, names, n);
  if (hint) (void)snprintf(hint, size, "%s", near ? near : "");
  return 0;
}

void bri_glossary_text(const bri_glossary_entry *e, bri_buf *out)
{
  int space = 1;
  for (size_t i = 0; i < e->ntext; i++) {
    const char c = e->text[i];
    if (c == '`' || c == '[') continue;
    if (c == ']' && i + 1 < e->ntext && e->text[i + 1] == '(') { /* the target of a link */
      while (i < e->ntext && e->text[i] != ')') i++;
      continue;
    }
    const int blank = c == ' ' || c == '\n';
    if (blank && space) continue;
    bri_buf_add(out, blank ? " " : &c, 1);
    space = blank;
  }
  while (out->used && out->text[out->used - 1] == ' ') out->text[--out->used] = '\0';
}
