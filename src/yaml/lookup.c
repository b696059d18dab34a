/* SPDX-License-Identifier: Apache-2.0
 * lookup.c - entries of one map by key. */
#include "lookup.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

/* FNV-1a, started from where the table lies: keys that collide cannot be prepared in a file. */
static size_t hash(const bri_lookup *l, const char *key)
{
  uint64_t h = 14695981039346656037u ^ (uint64_t)(uintptr_t)l->slot;
  for (; *key; key++) h = (h ^ (unsigned char)*key) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

/* Where the key stands, or the free place where it would. */
static size_t place(const bri_lookup *l, const char *key)
{
  size_t i = hash(l, key) & (l->room - 1);
  while (l->slot[i] && strcmp(l->slot[i]->key, key) != 0) i = (i + 1) & (l->room - 1);
  return i;
}

static int grow(bri_lookup *l)
{
  bri_lookup more = {NULL, l->room ? 2 * l->room : 16, l->n};
  more.slot = bri_calloc(more.room, sizeof *more.slot);
  if (!more.slot) return 0;
  for (size_t i = 0; i < l->room; i++)
    if (l->slot[i]) more.slot[place(&more, l->slot[i]->key)] = l->slot[i];
  bri_free((void *)l->slot);
  *l = more;
  return 1;
}

int bri_lookup_add(bri_lookup *l, const bri_node *entry)
{
  if (2 * (l->n + 1) > l->room && !grow(l)) return 0;
  l->slot[place(l, entry->key)] = entry;
  l->n++;
  return 1;
}

int bri_lookup_all(bri_lookup *l, const bri_node *map)
{
  for (const bri_node *e = map->kind == BRI_MAP ? map->first : NULL; e; e = e->next)
    if (!bri_lookup_add(l, e)) return 0;
  return 1;
}

const bri_node *bri_lookup_find(const bri_lookup *l, const char *key)
{
  return l->n ? l->slot[place(l, key)] : NULL;
}

void bri_lookup_free(bri_lookup *l)
{
  bri_free((void *)l->slot);
  memset(l, 0, sizeof *l);
}
