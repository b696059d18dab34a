/* SPDX-License-Identifier: Apache-2.0
 * attract.c - all branches of cycles of a plant: those from Hopf points, and those that motions lead to.
 *
 * Large cycles need not be connected to any Hopf point.  They are looked for by running the plant from a few
 * starts at a few values; what a motion settles on starts a branch, unless one already passes there. */
#include <math.h>
#include <string.h>

#include "../text/stop.h"
#include "bristle/solve.h"
#include "belt.h"

enum { MOST = BRI_FIELD_MOST, HOPFS = 16, VALUES = 5, STARTS = 3 };

typedef struct {
  const br_phase_plant *plant;
  br_vary_where where;
  int slot;
} varied;

static int ask(void *ctx, double t)
{
  (void)t;
  return bri_stopped(ctx);
}

/* The cycle that the plant settles on at a value, from rest (start 0), from beyond sliding (1), from a slower
 * speed (2).  0: none. */
static int settle(const varied *d, double value, int start, double *x0, double *period, double *v_max)
{
  bri_field f;
  br_plant *plant = NULL;
  br_err err;
  br_cycle y;
  br_drive drives[BRI_FIELD_INPUTS];
  double x[MOST] = {0}, lo[2 * MOST], hi[2 * MOST];
  if (bri_field_open(d->plant, &f, &err)) return 0;
  bri_field_set(&f, d->where, d->slot, value);
  /* where nothing can slide steadily nothing oscillates either */
  if (!bri_field_steady(&f, NAN, x)) return 0;
  for (size_t i = 0; i < f.n; i++) {
    if (start == 0) x[i] = 0;
    else if (i < f.nq && f.vq[i] != 0) x[i] *= start == 1 ? 3 : 0.3;
  }
  memset(drives, 0, sizeof drives);
  for (size_t i = 0; i < f.p.system->ninput; i++) drives[i].value = f.w[i];
  if (br_plant_create(f.p.system, f.spar, f.p.model, f.mpar, drives, &plant, &err)) return 0;
  const br_cycle_settings set = br_cycle_settings_default();
  /* the plant's states are the field's: no contact position of its own, no modes */
  const int fits = br_plant_nstate(plant) == f.n && br_plant_ncontact(plant) == 1;
  br_solve_settings solve = br_solve_settings_default();
  solve.max_steps = 100000; /* a cycle takes some thousand */
  solve.on_step = ask;
  solve.ctx = (void *)&d->plant->stop;
  const int found = fits && br_cycle_find(plant, &solve, &set, x, &y, x0, lo, hi, &err) == BR_OK;
  const int v = br_plant_velocity(plant, 0);
  *v_max = found && v >= 0 ? hi[v] : NAN;
  *period = found ? y.period : NAN;
  br_plant_destroy(plant);
  return found && v >= 0;
}

/* Does a branch pass through a cycle of this period and largest velocity? */
static int passes(const br_phase_branch *b, double value, double period, double v_max)
{
  size_t n;
  const br_phase_row *r = br_phase_branch_rows(b, &n);
  for (size_t i = 0; i + 1 < n; i++) {
    const double d = r[i + 1].value - r[i].value, part = d != 0 ? (value - r[i].value) / d : 0;
    if (!(part >= -0.01 && part <= 1.01) || (d == 0 && value != r[i].value)) continue;
    const double T = r[i].period + part * (r[i + 1].period - r[i].period);
    const double v = r[i].v_max + part * (r[i + 1].v_max - r[i].v_max);
    if (fabs(T / period - 1) < 0.03 && fabs(v / v_max - 1) < 0.03) return 1;
  }
  return 0;
}

br_status br_phase_branch_all(const br_phase_plant *plant, br_vary_where where, int slot, double a, double b,
                              const br_phase_branch_settings *settings, size_t max, br_phase_branch **out,
                              size_t *n, br_err *err)
{
  static const double PLACES[VALUES] = {0.5, 0.05, 0.95, 0.25, 0.75};
  br_phase_event hopf[HOPFS];
  size_t count = 0;
  if (!out || !n) return bri_fail(err, BR_E_ARG, "br_phase_branch_all: an argument is NULL");
  *n = 0;
  br_status st = br_phase_hopf_points(plant, where, slot, a, b, HOPFS, hopf, &count, err);
  if (st) return st;
  for (size_t i = 0; i < count && i < HOPFS && *n < max && !st; i++) {
    /* a branch may lead from one Hopf point to another */
    int known = 0;
    for (size_t k = 0; k < *n; k++) {
      size_t rows;
      const br_phase_row *r = br_phase_branch_rows(out[k], &rows);
      known = known || (br_phase_branch_end(out[k], 1) == BR_PHASE_END_HOPF && rows > 1 &&
                        fabs(r[rows - 1].value - hopf[i].value) < 1e-3 * (b - a) &&
                        fabs(r[rows - 1].v_max / hopf[i].v - 1) < 1e-2);
    }
    if (known) continue;
    st = br_phase_branch_from_hopf(plant, where, slot, a, b, &hopf[i], settings, &out[*n], err);
    if (st == BR_OK) ++*n;
    else if (st == BR_E_CONVERGE) st = BR_OK;
  }
  const varied d = {plant, where, slot};
  const int holds = bri_belt_holds(plant);
  if (holds && !st) st = bri_belt_branches(plant, where, slot, a, b, settings, max, out, n, err);
  for (int i = 0; i < VALUES * STARTS && *n < max && !st && !holds; i++) {
    const double value = a + (b - a) * PLACES[i / STARTS];
    double x[2 * MOST], period, v_max;
    if (bri_stopped(&plant->stop)) break;
    if (settings && settings->progress && settings->progress(settings->ctx, value)) break;
    if (!settle(&d, value, i % STARTS, x, &period, &v_max)) continue;
    int known = 0;
    for (size_t k = 0; k < *n; k++) known = known || passes(out[k], value, period, v_max);
    if (known) continue;
    st = br_phase_branch_from_cycle(plant, where, slot, a, b, value, x, period, settings, &out[*n], err);
    if (st == BR_OK) ++*n;
    else if (st == BR_E_CONVERGE) st = BR_OK;
  }
  if (bri_stopped(&plant->stop)) st = bri_stop_status(&plant->stop, "phase", err);
  for (size_t k = 0; k < *n && st; k++) br_phase_branch_destroy(out[k]), out[k] = NULL;
  if (st) *n = 0;
  return st;
}
