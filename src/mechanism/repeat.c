/* SPDX-License-Identifier: Apache-2.0
 * repeat.c - many of the same: `repeat: 1000` or `repeat: 2..1000`, and {i}, {i+1}, {i-1} in the texts of the
 * item. */
#include <string.h>

#include "mechanism.h"

static int whole(const char *s, size_t n, long *out)
{
  long x = 0;
  if (!n || n > 6) return 0;
  for (size_t i = 0; i < n; i++) {
    if (s[i] < '0' || s[i] > '9') return 0;
    x = 10 * x + (s[i] - '0');
  }
  *out = x;
  return 1;
}

int bri_mech_repeat(draft *d, const bri_node *item, long *from, long *to)
{
  const bri_node *n = bri_node_find(item, "repeat");
  *from = *to = 0;
  if (!n) return 1;
  const char *s = n->kind == BRI_SCALAR ? n->text : "", *dots = strstr(s, "..");
  *from = 1;
  const int good = dots ? whole(s, (size_t)(dots - s), from) && whole(dots + 2, strlen(dots + 2), to)
                        : whole(s, strlen(s), to);
  if (good && *from <= *to && *to - *from < BRI_MECH_ELEMENTS) return 1;
  BRI_MECH_NOTE(d, n,
                "repeat is '%.40s'; expected a count such as 1000, or numbers 2..1000, at most %d of them", s,
                BRI_MECH_ELEMENTS);
  return 0;
}

/* "{i+1}" at s: its length, and the number in *k; 0: no such thing. */
static size_t place(const char *s, long i, long *k)
{
  long more = 0;
  if (s[0] != '{' || s[1] != 'i') return 0;
  if (s[2] == '}') return *k = i, 3;
  const size_t n = strspn(s + 3, "0123456789");
  if ((s[2] != '+' && s[2] != '-') || !whole(s + 3, n, &more) || s[3 + n] != '}') return 0;
  *k = s[2] == '+' ? i + more : i - more;
  return n + 4;
}

static const char *numbered_text(draft *d, const char *s, long i)
{
  bri_buf b = {0};
  if (!s || !strstr(s, "{i")) return s;
  while (*s) {
    long k = 0;
    const size_t n = place(s, i, &k);
    if (n) bri_buf_printf(&b, "%ld", k);
    else bri_buf_add(&b, s, 1);
    s += n ? n : 1;
  }
  const char *text = b.failed ? NULL : bri_arena_text(d->arena, b.text ? b.text : "", b.used);
  bri_buf_free(&b);
  return text;
}

bri_node *bri_mech_numbered(draft *d, const bri_node *n, long i)
{
  bri_node *c = bri_arena_get(d->arena, sizeof *c);
  if (!c) return d->nomem = 1, NULL;
  *c = *n;
  c->first = c->last = c->next = NULL;
  c->text = numbered_text(d, n->text, i);
  c->key = numbered_text(d, n->key, i);
  if ((n->text && !c->text) || (n->key && !c->key)) return d->nomem = 1, NULL;
  for (const bri_node *e = n->first; e; e = e->next) {
    bri_node *k = bri_mech_numbered(d, e, i);
    if (!k) return NULL;
    bri_node_append(c, k);
  }
  return c;
}
