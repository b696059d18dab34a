/* SPDX-License-Identifier: Apache-2.0
 * motion.c - co-simulation by the library's own solver; derivatives along a direction. */
#include <math.h>
#include <string.h>

#include "../../src/base/alloc.h"
#include "../../src/solve/solver.h"
#include "../../src/text/fail.h"
#include "instance.h"

static br_status open_solver(bri_fmi *f, double t, br_err *err)
{
  br_solve_settings set = br_solve_settings_default();
  set.rtol = 1e-11;
  set.untimed = 1;
  br_status st = f->solver ? BR_OK : br_solver_create(f->plant, &set, &f->solver, err);
  bri_full(f->plant, &f->work, &f->mode, f->t, f->y, f->x);
  for (size_t i = 0; i < f->plant->nw; i++) f->drives[i].from = t;
  f->t = t;
  return st ? st : br_solver_start(f->solver, t, f->x, err);
}

br_status bri_fmi_advance(bri_fmi *f, double t, double h, br_err *err)
{
  if (!(h > 0) || !isfinite(t) || !isfinite(t + h))
    return bri_fail(err, BR_E_RANGE, "step from t = %g s by %g s: must be > 0 and finite", t, h);
  br_status st = bri_fmi_rates(f, err); /* what was set last is taken over */
  if (!st && (!f->untouched || t != f->t)) st = open_solver(f, t, err);
  if (!st) st = br_solver_advance(f->solver, t + h, f->x, err);
  if (st) return st;
  f->t = t + h;
  for (size_t i = 0; i < f->plant->nw; i++) { /* where the inputs have got to; the solver's line goes on */
    bri_fmi_drive *d = &f->drives[i];
    if (d->slope != 0) d->value += d->slope * (f->t - d->from), d->from = f->t;
  }
  /* The solver knows what holds; from the state alone, bodies that turn as one differ by a rounding and seem
   * to slide. */
  bri_mode_copy(f->plant, &f->mode, &f->solver->mode_out);
  memcpy(f->y, f->solver->y_out, f->plant->ny * sizeof *f->y);
  f->current = 0;
  f->untouched = 1;
  return BR_OK;
}

/* One known moved by x; rates and answers follow. */
static br_status shift(bri_fmi *f, const bri_fmu_var *v, double x, br_err *err)
{
  if (v->kind == BRI_FMU_STATE) f->y[v->index] += x;
  else if (v->kind == BRI_FMU_INPUT) f->drives[v->index].value += x;
  else if (v->kind == BRI_FMU_SLOPE) f->drives[v->index].slope += x;
  else if (v->kind == BRI_FMU_LOAD) f->load += x;
  else if (v->kind != BRI_FMU_POSITION)
    return bri_fail(err, BR_E_ARG, "%s is neither a state nor an input", v->name);
  return BR_OK;
}

/* Unknowns with all knowns moved by x along the direction. */
static br_status moved(bri_fmi *f, const double *saved, const unsigned *unknown, size_t nu,
                       const unsigned *known, size_t nk, const double *direction, double x, double *out,
                       br_err *err)
{
  br_status st = BR_OK;
  for (size_t k = 0; k < nk && !st; k++) st = shift(f, &f->layout.vars[known[k]], x * direction[k], err);
  f->current = 0;
  for (size_t u = 0; u < nu && !st; u++) st = bri_fmi_get(f, unknown[u], &out[u], err);
  const br_status back = bri_fmi_restore(f, saved, err);
  return st ? st : back;
}

/* Central differences of fourth order within the mode.  Nothing says how far a curve is straight: of ten
 * steps, a decade apart, each unknown takes the one where orders two and four agree best. */
static br_status differences(bri_fmi *f, const unsigned *unknown, size_t nu, const unsigned *known, size_t nk,
                             const double *direction, double step, double *work, double *out, br_err *err)
{
  double *saved = work, *at = saved + bri_fmi_saved(f), *apart = at + 4 * nu;
  br_status st = BR_OK;
  bri_fmi_save(f, saved);
  for (size_t u = 0; u < nu; u++) apart[u] = INFINITY;
  for (int i = 0; i < 10 && !st; i++, step *= 0.1) {
    static const double AT[] = {-2, -1, 1, 2};
    for (int k = 0; k < 4 && !st; k++)
      st = moved(f, saved, unknown, nu, known, nk, direction, AT[k] * step, at + (size_t)k * nu, err);
    for (size_t u = 0; u < nu && !st; u++) {
      const double near = (at[2 * nu + u] - at[nu + u]) / (2 * step),
                   far = (at[3 * nu + u] - at[u]) / (4 * step);
      const double d = fabs(near - far) / 3;
      if (d < apart[u]) apart[u] = d, out[u] = near + (near - far) / 3;
    }
    if (st == BR_E_NAN) st = BR_OK; /* too far: the next step is shorter */
  }
  return st;
}

br_status bri_fmi_directional(bri_fmi *f, const unsigned *unknown, size_t nu, const unsigned *known,
                              size_t nk, const double *direction, double *out, br_err *err)
{
  double size = 1, most = 0;
  br_status st = bri_fmi_rates(f, err);
  for (size_t k = 0; k < nk && !st; k++) {
    double x = 0;
    st = bri_fmi_get(f, known[k], &x, err);
    size = fmax(size, fabs(x));
    most = fmax(most, fabs(direction[k]));
  }
  memset(out, 0, nu * sizeof *out);
  if (st || most == 0) return st;
  double *work = bri_malloc_array(bri_fmi_saved(f) + 5 * nu, sizeof *work);
  if (!work) return bri_fail(err, BR_E_NOMEM, "out of memory");
  st = differences(f, unknown, nu, known, nk, direction, 0.1 * size / most, work, out, err);
  bri_free(work);
  return st;
}
