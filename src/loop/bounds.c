/* SPDX-License-Identifier: Apache-2.0
 * bounds.c - how far each state of a model goes in any motion from rest: found by motion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/classify.h"
#include "bristle/trace.h"
#include "loop_internal.h"

/* Largest |state| on the way to `path` and back, at one speed; 0: could not be followed. */
static int widest(const bri_arc_model *a, double path, double *most)
{
  double z[2 * BR_LOOP_MAX_STATE] = {0}, u = 0;
  memset(most, 0, a->nz * sizeof *most);
  for (int k = 0; k < 3; k++) {
    const double dir = k % 2 ? -1.0 : 1.0, L = k ? 2 * path : path;
    if (bri_arc_move(a, u, dir, L, z, NULL, NULL) != BR_OK) return 0;
    u += dir * L;
    for (size_t j = 0; j < a->nz; j++) most[j] = fmax(most[j], fabs(z[j]));
  }
  return 1;
}

br_status br_state_bounds(const br_model *m, const double *par, double load, double *bound, br_err *err)
{
  if (!m || !par || !bound) return bri_fail(err, BR_E_ARG, "bounds need a model and its parameters");
  const size_t ns = m->nstate(par), nz = ns + m->nmode(par);
  if (m->axes != 1 || nz > 2 * BR_LOOP_MAX_STATE)
    return bri_fail(err, BR_E_UNSUPPORTED, "%s: bounds of one axis and few states only", m->name);
  const double U = br_natural_amplitude(m, par);
  for (size_t j = 0; j < ns; j++)
    bound[j] = m->energy ? 0.0 : INFINITY; /* no level without a stored energy */
  for (int k = 0; k < 3 && m->energy; k++) {
    const bri_arc_model a = {m, par, NULL, load, k ? bri_pow(10, 2 * k - 4) : BRI_SLOW, 1e-8, nz, NULL};
    double near[2 * BR_LOOP_MAX_STATE], far[2 * BR_LOOP_MAX_STATE];
    if (!widest(&a, 4 * U, near) || !widest(&a, 8 * U, far))
      return bri_fail(err, BR_E_CONVERGE, "%s: no level was reached", m->name);
    for (size_t j = 0; j < ns; j++) /* what still grows is a count or a spring */
      bound[j] = far[j] > 1.1 * near[j] ? INFINITY : fmax(bound[j], far[j]);
  }
  return BR_OK;
}

void br_state_notes(const br_model *m, const double *par, double load, const double *z,
                    void (*note)(void *ctx, const char *text), void *ctx)
{
  const size_t n = m->nstate(par);
  double *bound = bri_calloc(n + 1, sizeof *bound);
  int asked = 0;
  for (size_t i = 0; i < n; i++) asked = asked || z[i] != 0;
  if (bound && asked && br_state_bounds(m, par, load, bound, NULL) == BR_OK)
    for (size_t i = 0; i < n; i++) {
      char name[48], text[256];
      const char *unit = "1";
      if (!(fabs(z[i]) > 1.005 * bound[i])) continue;
      (void)br_state_name(m, par, i, sizeof name, name, &unit);
      if (strcmp(unit, "1") == 0) unit = "";
      const char *gap = *unit ? " " : "";
      (void)snprintf(
          text, sizeof text,
          "note: %s = %.9g%s%s lies outside its bound: no motion from rest brings it beyond %.6g%s%s", name,
          z[i], gap, unit, bound[i], gap, unit);
      note(ctx, text);
    }
  bri_free(bound);
}
