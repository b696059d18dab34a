/* SPDX-License-Identifier: Apache-2.0
 * say_tree.c - an answer as lines "path  value unit": the summary of every analysis without one of its own.
 * */
#include <stdio.h>
#include <string.h>

#include "ask.h"

enum { PATH = 128, SHOWN = 6 /* entries of a list; the JSON object has them all */ };

static void say_value(const br_analysis *a, const char *path, const br_value *v, int width)
{
  const char *unit = v->unit ? v->unit : "";
  for (size_t i = 0; v->kind == BR_VALUE_TIME && i < a->nresults; i++) /* seconds, or something by them */
    if (strcmp(a->results[i].name, path) == 0) unit = a->results[i].unit;
  switch (v->kind) {
  case BR_VALUE_NULL: (void)printf("  %-*s  none\n", width, path); return;
  case BR_VALUE_TEXT: (void)printf("  %-*s  %s\n", width, path, cli_shown(v->text)); return;
  case BR_VALUE_FLAG: (void)printf("  %-*s  %s\n", width, path, v->number != 0 ? "yes" : "no"); return;
  default: break;
  }
  const double x = v->number / say_factor(&unit);
  const int bare = !unit[0] || strcmp(unit, "1") == 0;
  (void)printf("  %-*s  %.9g%s%s\n", width, path, x, bare ? "" : " ", bare ? "" : unit);
}

/* print: 0 only measures.  Returns the longest path among the values below. */
static int walk(const br_analysis *a, const br_result *r, const br_node *node, const char *path, int width,
                int print)
{
  int longest = 0;
  for (size_t i = 0;; i++) {
    const br_node *member = br_node_member(node, i);
    if (!member) return longest;
    const br_node_view look = br_node_look(r, member);
    char below[PATH], number[24];
    (void)snprintf(number, sizeof number, "%zu", i);
    if (look.kind == BR_NODE_NONE || look.table) continue; /* tables: say_table() */
    const int n =
        snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", look.name ? look.name : number);
    if (n < 0 || (size_t)n >= sizeof below) continue;
    if (!look.name && i >= SHOWN) {
      if (print) (void)printf("  %s: more of them in --json\n", path);
      return longest;
    }
    const int part = look.kind == BR_NODE_VALUE ? n : walk(a, r, member, below, width, print);
    if (look.kind == BR_NODE_VALUE && print) say_value(a, below, &look.value, width);
    if (look.kind == BR_NODE_LIST && !look.length && print) (void)printf("  %-*s  none\n", width, below);
    longest = part > longest ? part : longest;
  }
}

void say_tree(const br_job *job, const br_result *r)
{
  const br_node *root = br_result_root(r);
  const br_analysis *a = br_job_analysis(job);
  if (root) (void)walk(a, r, root, "", walk(a, r, root, "", 0, 0), 1);
}
