/* SPDX-License-Identifier: Apache-2.0
 * lookup.h - entries of one map by key, in constant time however many there are. */
#ifndef BRI_STUDY_LOOKUP_H
#define BRI_STUDY_LOOKUP_H
#include "node.h"

/* A zeroed bri_lookup is empty. */
typedef struct {
  const bri_node **slot; /* open addressing; NULL: free */
  size_t room, n;
} bri_lookup;

/* Take an entry; its key must be new.  0: out of memory. */
int bri_lookup_add(bri_lookup *l, const bri_node *entry);
/* Take all entries of a map (anything else has none). */
int bri_lookup_all(bri_lookup *l, const bri_node *map);
const bri_node *bri_lookup_find(const bri_lookup *l, const char *key); /* NULL: none */
void bri_lookup_free(bri_lookup *l);

#endif
