/* SPDX-License-Identifier: Apache-2.0
 * fuzz_param.c - fuzz target for parameter lists, over a model and a second table with a shared name.
 * Checked besides memory safety: an error has a message and changes nothing; what was accepted passes the
 * range check again, value by value. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/param.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const br_param ROWS[] = {
    {"m", "kg", "mass", NULL, 1, NULL, 0, 0, INFINITY, 1, 1, 0, 1, 0},
    {"k", "N/m", "spring", NULL, 2, NULL, 0, 0, INFINITY, 0, 1, 1, 1, 0},
    {"form", "1", "shape", "isotropic|printed", 0, NULL, 0, 0, 1e9, 0, 0, 2, 1, 0},
};

static void insist(int condition, const char *what, const char *list)
{
  if (condition) return;
  fprintf(stderr, "violated: %s in '%s'\n", what, list);
  abort();
}

static size_t read_all(const br_params *p, const br_param_table *t, double *x, size_t max)
{
  size_t used = 0;
  for (size_t i = 0; i < 2; i++) {
    for (size_t r = 0; r < t[i].nrows; r++) {
      char name[64];
      size_t n = 0;
      (void)snprintf(name, sizeof name, "%s.%s", t[i].prefix, t[i].rows[r].name);
      if (br_params_get(p, name, max - used, x + used, &n, NULL)) abort();
      used += n;
    }
  }
  return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static double before[256], after[256];
  br_param_table t[2];
  br_params *p = NULL;
  br_err err = {BR_OK, -1, ""};
  char *list = malloc(size + 1);
  if (!list) return 0;
  if (size) memcpy(list, data, size);
  list[size] = '\0';
  t[0] = br_param_table_of(br_model_find("maxwell_slip"));
  memset(&t[1], 0, sizeof t[1]);
  t[1].prefix = "system";
  t[1].owner = "testbed";
  t[1].rows = ROWS;
  t[1].nrows = t[1].slots = 3;
  if (br_params_create_tables(t, 2, &p, &err)) abort();
  const size_t n = read_all(p, t, before, 256);
  if (br_params_set_list(p, list, &err)) {
    insist(err.code < 0 && err.msg[0], "an error has a message", list);
    insist(read_all(p, t, after, 256) == n && memcmp(before, after, n * sizeof *after) == 0,
           "an error changes nothing", list);
  } else {
    const size_t k = read_all(p, t, after, 256);
    for (size_t i = 0; i < k; i++) insist(isfinite(after[i]) && after[i] >= 0, "values are in range", list);
    const br_status st = br_params_finish(p, &err);
    insist((st == BR_OK) == (br_params_block(p, "model") != NULL), "a block only when finished", list);
  }
  br_params_destroy(p);
  free(list);
  return 0;
}
