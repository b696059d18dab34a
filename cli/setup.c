/* SPDX-License-Identifier: Apache-2.0
 * setup.c - from option texts to objects. */
#include "bristle/classify.h"
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/text.h"
#include "bristle/trace.h"

int setup_model(const cli_command *c, const char *name, const char *set, const br_model **out)
{
  const br_model *m = NULL;
  const char *names[64];
  size_t n = 0;
  *out = br_expr_variant(br_all_models_find(name), set);
  if (*out) return CLI_OK;
  while (n < sizeof names / sizeof names[0] && (m = br_all_models(n)) != NULL) names[n++] = m->name;
  const char *near = br_nearest_name(name, names, n);
  if (near) return cli_usage(c, "unknown model '%s'; did you mean '%s'?", name, near);
  return cli_usage(c, "unknown model '%s'; 'bristle models' lists them", name);
}

int setup_params(const cli_command *c, const br_model *m, const char *list, br_params **out)
{
  br_err err;
  br_status st = br_params_create(m, out, &err);
  if (!st) st = br_params_set_list(*out, list, &err);
  if (!st) st = br_params_finish(*out, &err);
  return st ? cli_bad_input(c, &err) : CLI_OK;
}

/* Which of the names stands before the first colon?  n: none. */
static size_t named(const char *text, const char *const *names, size_t n)
{
  const size_t len = strcspn(text, ":");
  size_t k = 0;
  while (k < n && (strlen(names[k]) != len || memcmp(names[k], text, len) != 0)) k++;
  return text[len] == ':' ? k : n;
}

int setup_inputs(const cli_command *c, const opt_value *v, const char *const *names, size_t n,
                 br_signal **out, const char **spec)
{
  for (size_t k = 0; k < n; k++) out[k] = NULL, spec[k] = NULL;
  for (size_t i = 0; i < v->nmany; i++) {
    br_err err;
    const char *text = v->many[i];
    size_t k = named(text, names, n);
    if (k < n) text += strlen(names[k]) + 1;
    else if (n == 1) k = 0;
    else
      return cli_usage(c, "--input %s: there are several inputs, write --input %s:SPEC (names: %s and %s)",
                       text, names[0], names[0], names[1]);
    if (out[k]) return cli_usage(c, "--input: '%s' is given twice ('%s' and '%s')", names[k], spec[k], text);
    spec[k] = text;
    if (br_signal_parse(text, &out[k], &err)) return cli_bad_input(c, &err);
  }
  for (size_t k = 0; k < n; k++) {
    if (out[k]) continue;
    if (n == 1) return cli_usage(c, "--input SPEC is missing, e.g. --input sine:1mm,1Hz");
    return cli_usage(c, "--input %s:SPEC is missing; to hold it at zero write --input %s:ramp:0", names[k],
                     names[k]);
  }
  return CLI_OK;
}

/* The states as a table of parameters, so that --init is read, named and unit-checked like --set. */
int setup_states(const cli_command *c, const br_model *m, const void *par, const char *list, size_t n,
                 double *z)
{
  enum { NAME = 48 };
  br_params *p = NULL;
  br_err err;
  char owner[96];
  int code = CLI_OK;
  br_param *rows = calloc(n + 1, sizeof *rows);
  char(*names)[NAME] = calloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++) z[i] = 0;
  if (!list || n == 0) {
    if (list) code = cli_usage(c, "--init %s: %s has no states", list, m->name);
    goto done;
  }
  if (!rows || !names) {
    code = cli_no_memory(c);
    goto done;
  }
  (void)snprintf(owner, sizeof owner, "--init of %s", m->name);
  for (size_t i = 0; i < n; i++) {
    const char *unit = "1";
    (void)br_state_name(m, par, i, NAME, names[i], &unit);
    rows[i].name = names[i];
    rows[i].unit = unit;
    rows[i].doc = "";
    rows[i].lo = -INFINITY;
    rows[i].hi = INFINITY;
    rows[i].lo_open = rows[i].hi_open = 1;
    rows[i].slot = i;
    rows[i].max_len = 1;
  }
  const br_param_table table = {"model", owner, rows, n, n, 1, NULL, NULL, NULL, NULL};
  br_status st = br_params_create_tables(&table, 1, &p, &err);
  if (!st) st = br_params_set_list(p, list, &err);
  if (!st) st = br_params_finish(p, &err);
  if (st) code = cli_bad_input(c, &err);
  else memcpy(z, br_params_block(p, "model"), n * sizeof *z);
done:
  br_params_destroy(p);
  free(rows);
  free(names);
  return code;
}

void setup_note_bounds(const cli_command *c, const br_model *m, const double *par, double load,
                       const double *z)
{
  const size_t n = m->nstate(par);
  double *bound = calloc(n + 1, sizeof *bound);
  int asked = 0;
  for (size_t i = 0; i < n; i++) asked = asked || z[i] != 0;
  if (bound && asked && br_state_bounds(m, par, load, bound, NULL) == BR_OK)
    for (size_t i = 0; i < n; i++) {
      char name[48];
      const char *unit = "1";
      if (!(fabs(z[i]) > 1.005 * bound[i])) continue;
      (void)br_state_name(m, par, i, sizeof name, name, &unit);
      if (strcmp(unit, "1") == 0) unit = "";
      const char *gap = *unit ? " " : "";
      cli_say("bristle %s: note: %s = %.9g%s%s lies outside its bound: no motion from rest brings it beyond "
              "%.6g%s%s",
              c->name, name, z[i], gap, unit, bound[i], gap, unit);
    }
  free(bound);
}
