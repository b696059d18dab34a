/* SPDX-License-Identifier: Apache-2.0
 * result.h - the tree behind a br_result, for the files that read it. */
#ifndef BRI_ANALYSIS_RESULT_H
#define BRI_ANALYSIS_RESULT_H
#include "bristle/analysis.h"
#include "text/json.h"

/* One node: a value, an object or list with members, a table as a list of objects, one of its columns. */
typedef enum { BRI_VALUE, BRI_OBJECT, BRI_LIST, BRI_ROWS, BRI_COLUMN } bri_tree_kind;
typedef struct bri_tree {
  bri_tree_kind kind;
  char *name; /* NULL in a list */
  br_value value;
  char *text; /* memory behind value.text */
  size_t table, column;
  struct bri_tree *member;
  size_t n, room, last; /* last: member asked for last, most asked for next */
} bri_tree;

struct br_result {
  unsigned keep;
  bri_tree root;
  br_result_table *tables;
  size_t ntables, room;
  size_t data_room; /* rows of the open table */
  int open;
  const char *want[160];
  size_t nwant;
  bri_json json;
};

/* Does a name fit "minor*" or "turning"?  What stands behind a '|' does not count. */
int bri_name_fits(const char *name, const char *pattern);
/* A path as it is asked for: without the quotes around names that have dots. */
const char *bri_path_plain(const char *path, size_t size, char *buf);

#endif
