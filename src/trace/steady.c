/* SPDX-License-Identifier: Apache-2.0
 * steady.c - force of steady sliding: the speed is held until the force stays. */
#include <math.h>
#include <string.h>

#include "bristle/trace.h"
#include "held.h"
#include "param/valid.h"
#include "base/alloc.h"
#include "text/fail.h"

enum { PIECES = 400, LEAST = 40 };
static const double FIRST = 1e-9, GROWTH = 1.2; /* m, path of the first piece; each is longer by that */
static const double CREEP = 1e-290;             /* m/s: slow enough to be the limit of slow sliding */

/* Pieces of growing path from z = 0 at this speed until the force changes by no more than tol of itself; 1
 * when it does so.  w NULL: by the model's own step, which is right for pieces of any length where it is
 * exact. */
static int settles(const br_model *m, const void *par, double load, double speed, bri_held *w, double tol,
                   double *z, double *F)
{
  double *dz = z + m->nz, u = 0, before = NAN, path = FIRST, reached = 0;
  memset(z, 0, 2 * m->nz * sizeof *z);
  for (int k = 0; k < PIECES; k++, path *= GROWTH) {
    const double h = path / fabs(speed), from = u;
    u += speed * h; /* the displacement at the end of the piece */
    if (!w) m->step(par, load, &u, &speed, h, z);
    else if (bri_held_step(w, &from, &speed, 0, h, z, &reached)) return 0;
    if (m->rate) m->rate(par, load, &u, &speed, z, dz);
    m->force(par, load, &u, &speed, z, dz, F);
    if (!isfinite(*F)) return 0;
    if (k > LEAST && fabs(*F - before) <= tol * fabs(*F) && path > 1) return 1;
    before = *F;
  }
  return 0;
}

br_status br_steady_force(const br_model *m, const void *par, double load, double v, int side, double *F,
                          br_err *err)
{
  return br_steady_state(m, par, load, v, side, F, NULL, err);
}

br_status br_steady_state(const br_model *m, const void *par, double load, double v, int side, double *F,
                          double *states, br_err *err)
{
  if (!m || !F || m->axes != 1 || (v == 0 && side == 0))
    return bri_fail(err, BR_E_ARG, "br_steady_force: NULL, two axes, or speed 0 without a side");
  const br_status st = bri_model_has_step(m, "br_steady_force", err);
  if (st) return st;
  const size_t nz = m->nz + 1;
  const double speed = v != 0 ? v : side < 0 ? -CREEP : CREEP;
  double *z = bri_calloc((3 + BRI_HELD_ROWS) * nz, sizeof *z);
  if (!z) return bri_no_memory(err, "br_steady_force");
  const size_t nstate = m->nstate(par);
  bri_held w = {.m = m,
                .par = par,
                .load = load,
                .n = nstate + m->nmode(par),
                .nstate = nstate,
                .rtol = 1e-13,
                .max_steps = 200000,
                .scale = z + 2 * nz,
                .work = z + 3 * nz};
  int good = settles(m, par, load, speed, NULL, 1e-15, z, F);
  if (!good && !(m->flags & BR_MODEL_EXACT_STEP)) good = settles(m, par, load, speed, &w, 1e-12, z, F);
  if (good && states) memcpy(states, z, nstate * sizeof *z);
  bri_free(z);
  if (good) return BR_OK;
  return bri_fail(err, BR_E_CONVERGE, "steady: %s comes to no steady force at v = %g m/s", m->name, v);
}
