/* SPDX-License-Identifier: Apache-2.0
 * pairs.c - short lists on the command line. */
#include "pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/text.h"

int pairs_next(const cli_command *c, const char *option, const char **list, const char *const *names,
               size_t n, pair *p, int *code)
{
  *code = CLI_OK;
  if (!*list || !**list) return 0;
  const char *item = *list;
  const size_t len = strcspn(item, ","), eq = strcspn(item, "=,");
  *list = item + len + (item[len] == ',');
  if (eq >= len || eq == 0 || eq >= sizeof p->name) {
    *code = cli_usage(c, "--%s: '%.*s' is not NAME=NUMBER", option, (int)(len < 100 ? len : 100), item);
    return 0;
  }
  memcpy(p->name, item, eq);
  p->name[eq] = '\0';
  const size_t used = br_parse_double(item + eq + 1, len - eq - 1, &p->value);
  if (used == 0 || used != len - eq - 1 || !isfinite(p->value)) {
    *code = cli_usage(c, "--%s: '%.*s' is not NAME=NUMBER", option, (int)(len < 100 ? len : 100), item);
    return 0;
  }
  for (p->index = 0; names && p->index < n && strcmp(names[p->index], p->name) != 0;) p->index++;
  if (!names || p->index < n) return 1;
  const char *near = br_nearest_name(p->name, names, n);
  *code =
      cli_usage(c, "--%s: unknown name '%s'; did you mean '%s'?", option, p->name, near ? near : names[0]);
  return 0;
}

size_t pairs_numbers(const char *text, char mark, size_t max, double *out)
{
  size_t n = 0;
  for (;;) {
    const char *end = strchr(text, mark);
    const size_t len = end ? (size_t)(end - text) : strlen(text);
    if (n == max || br_parse_double(text, len, &out[n]) != len || len == 0 || !isfinite(out[n])) return 0;
    n++;
    if (!end) return n;
    text = end + 1;
  }
}
