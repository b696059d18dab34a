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

int setup_model(const cli_command *c, const char *name, const br_model **out)
{
  const br_model *m = NULL;
  const char *names[64];
  char hint[BRI_HINT];
  size_t n = 0;
  *out = br_all_models_find(name);
  if (*out) return CLI_OK;
  while (n < sizeof names / sizeof names[0] && (m = br_all_models(n)) != NULL) names[n++] = m->name;
  return cli_usage(c, "unknown model '%s'%s", name,
                   bri_hint(name, names, n, "; 'bristle models' lists them", hint));
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
