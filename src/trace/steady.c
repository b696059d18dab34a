/* SPDX-License-Identifier: Apache-2.0
 * steady.c - force of steady sliding: the speed is held until the force stays. */
#include <math.h>
#include <string.h>

#include "bristle/trace.h"
#include "param/valid.h"
#include "table/alloc.h"
#include "text/fail.h"

enum { PIECES = 400, LEAST = 40 };
static const double FIRST = 1e-9, GROWTH = 1.2; /* m, path of the first piece; each is longer by that */
static const double CREEP = 1e-290;             /* m/s: slow enough to be the limit of slow sliding */

br_status br_steady_force(const br_model *m, const void *par, double load, double v, int side, double *F,
                          br_err *err)
{
  if (!m || !par || !F || m->axes != 1 || (v == 0 && side == 0))
    return bri_text_fail(err, BR_E_ARG, -1, "br_steady_force: NULL, two axes, or speed 0 without a side");
  const br_status st = bri_model_has_step(m, "br_steady_force", err);
  if (st) return st;
  const size_t n = m->nz + 1;
  double *z = bri_calloc(2 * n, sizeof *z), *dz = z + n, u = 0, before = NAN, path = FIRST;
  const double speed = v != 0 ? v : side < 0 ? -CREEP : CREEP;
  int settled = 0;
  if (!z) return bri_text_fail(err, BR_E_NOMEM, -1, "br_steady_force: out of memory");
  for (int k = 0; k < PIECES && !settled; k++, path *= GROWTH) {
    const double h = path / fabs(speed);
    u += speed * h; /* the displacement at the end of the piece */
    m->step(par, load, &u, &speed, h, z);
    if (m->rate) m->rate(par, load, &u, &speed, z, dz);
    m->force(par, load, &u, &speed, z, dz, F);
    if (!isfinite(*F)) break;
    settled = k > LEAST && fabs(*F - before) <= 1e-15 * fabs(*F) && path > 1;
    before = *F;
  }
  bri_free(z);
  return settled ? BR_OK
                 : bri_text_fail(err, BR_E_CONVERGE, -1, "steady: %s comes to no steady force at v = %g m/s",
                                 m->name, v);
}
