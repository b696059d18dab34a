/* SPDX-License-Identifier: Apache-2.0
 * wave_move.c - a model over a piece of a wave, without filter, by what suits it:
 *   rate-independent models    only the path counts: the arc between the two positions
 *   maps without state         nothing moves; their work is a quadrature over time
 *   rate-dependent models      the solver, which steps implicitly through stiff bristles, locates slip points
 *                              and may start at a reversal */
#include <math.h>
#include <string.h>

#include "../signal/samples.h"
#include "../text/fail.h"
#include "bristle/solve.h"
#include "wave_internal.h"

bri_wave_way bri_wave_way_of(const bri_arc_model *a, const bri_wave *w)
{
  br_class c = {BR_DUHEM_NONE, 1, BR_CONTINUOUS};
  if (w->tau > 0) return BRI_WAVE_FIELD;
  if (a->nz == 0) return BRI_WAVE_MAP;
  if (a->model->classify) a->model->classify(a->par, &c);
  if (!c.rate_dependent && !w->load && !w->nswitch) return BRI_WAVE_PATH;
  return a->model->slots ? BRI_WAVE_SOLVER : BRI_WAVE_FIELD;
}

/* ---- only the path counts ---- */

static br_status along_path(const bri_arc_model *a, const bri_wave *w, double t0, double t1, int pair,
                            double *x, double *work, br_err *err)
{
  const double u = br_signal_value(w->input, t0), du = br_signal_value(w->input, t1) - u;
  const double s = du > 0 ? 1.0 : -1.0;
  bri_arc_model held = *a;
  held.speed = 1;
  if (du == 0) return BR_OK;
  if (pair) return bri_arc_move_pair(&held, u, s, fabs(du), x, err);
  return bri_arc_move(&held, u, s, fabs(du), x, work, err);
}

/* ---- maps without state ---- */

static double power(const bri_arc_model *a, const bri_wave *w, double t)
{
  const double u = br_signal_value(w->input, t), v = br_signal_rate(w->input, t, 1) / w->scale;
  const bri_arc_model loaded = bri_wave_loaded(a, w, t, 1);
  return bri_arc_force_at(&loaded, u, v, NULL) * v * w->scale;
}

/* Gauss-Legendre with 5 nodes. */
static double rule(const bri_arc_model *a, const bri_wave *w, double t0, double t1)
{
  static const double node[] = {0, 0.5384693101056831, 0.9061798459386640},
                      weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double mid = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
  double sum = weight[0] * power(a, w, mid);
  for (int i = 1; i < 3; i++)
    sum += weight[i] * (power(a, w, mid - half * node[i]) + power(a, w, mid + half * node[i]));
  return sum * half;
}

static double halve(const bri_arc_model *a, const bri_wave *w, double t0, double t1, double whole, double tol,
                    int depth)
{
  const double mid = 0.5 * (t0 + t1), left = rule(a, w, t0, mid), right = rule(a, w, mid, t1);
  const double off = fabs(left + right - whole);
  if (depth <= 0 || off <= tol) return left + right;
  return halve(a, w, t0, mid, left, tol, depth - 1) + halve(a, w, mid, t1, right, tol, depth - 1);
}

/* In parts that grow from both ends: near a reversal the speed passes every scale of the model.  No part is
 * asked for more digits than the whole: a small one beside a reversal has nothing but rounding to give. */
static double map_work(const bri_arc_model *a, const bri_wave *w, double t0, double t1)
{
  static const double PART[] = {0, 1e-5, 1e-3, 0.03, 0.5, 0.97, 0.999, 0.99999, 1};
  enum { PARTS = sizeof PART / sizeof PART[0] - 1 };
  double first[PARTS], at[PARTS + 1], size = 0, sum = 0;
  for (size_t k = 0; k <= PARTS; k++) at[k] = k == PARTS ? t1 : t0 + PART[k] * (t1 - t0);
  for (size_t k = 0; k < PARTS; k++) size += fabs(first[k] = rule(a, w, at[k], at[k + 1]));
  for (size_t k = 0; k < PARTS; k++) sum += halve(a, w, at[k], at[k + 1], first[k], 1e-15 * size, 30);
  return sum;
}

/* ---- the solver, in physical time = scale * t ---- */

static void eval(const void *ctx, double t, int side, double *u, double *du)
{
  const bri_wave *w = ctx;
  *u = br_signal_value(w->input, t / w->scale);
  *du = br_signal_rate(w->input, t / w->scale, side) / w->scale;
}

static double next_corner(const void *ctx, double t)
{
  const bri_wave *w = ctx;
  return w->scale * br_signal_next_corner(w->input, t / w->scale);
}

static void eval_load(const void *ctx, double t, int side, double *n, double *dn)
{
  const bri_wave *w = ctx;
  *n = br_signal_value(w->load, t / w->scale);
  *dn = br_signal_rate(w->load, t / w->scale, side) / w->scale;
}

static double load_corner(const void *ctx, double t)
{
  const bri_wave *w = ctx;
  return w->scale * br_signal_next_corner(w->load, t / w->scale);
}

static double load_of(const void *par, size_t contact) { return (void)contact, *(const double *)par; }

static int ask(void *ctx, double t)
{
  (void)t;
  return bri_stopped(((const bri_arc_model *)ctx)->stop);
}

static br_status by_solver(const bri_arc_model *a, const bri_wave *w, double t0, double t1, double *x,
                           double *work, br_err *err)
{
  br_system sys = *br_system_find("prescribed"); /* its block holds nothing: here the load */
  br_solve_settings set = br_solve_settings_default();
  br_drive drive = {0, eval, next_corner, 0, w};
  double y[2 * BR_LOOP_MAX_STATE + 2] = {0};
  br_plant *plant = NULL;
  br_solver *solver = NULL;
  sys.load = load_of, sys.check = NULL, sys.prepare = NULL;
  sys.slots = 1;
  set.rtol = fmax(0.1 * a->rtol, 1e-13);
  set.energy = work != NULL;
  set.untimed = 1;
  set.max_steps = 1000000;
  set.t_stop = w->scale * t1;
  set.on_step = ask;
  set.ctx = (void *)a;
  br_status st = br_plant_create(&sys, &a->load, a->model, a->par, &drive, &plant, err);
  const br_drive load = {0, eval_load, load_corner, 0, w};
  const br_drive along = br_drive_signal(w->load);
  if (st == BR_OK && w->load)
    st = bri_signal_is_along(w->load) ? br_plant_load_along(plant, 0, &along, err)
                                      : br_plant_load(plant, 0, &load, err);
  if (st == BR_OK && br_plant_nstate(plant) != a->nz)
    st = bri_fail(err, BR_E_UNSUPPORTED, "%s: a wave needs every state to be integrated", a->model->name);
  if (st == BR_OK) st = br_solver_create(plant, &set, &solver, err);
  if (st == BR_OK) st = br_solver_start(solver, w->scale * t0, x, err);
  if (st == BR_OK) st = br_solver_advance(solver, w->scale * t1, y, err);
  if (st == BR_OK) memcpy(x, y, a->nz * sizeof *x);
  if (st == BR_OK && work) *work += br_solver_energy(solver).friction;
  br_solver_destroy(solver);
  br_plant_destroy(plant);
  return st;
}

br_status bri_wave_go(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, double *work,
                      br_err *err)
{
  const br_status st = bri_stop_status(a->stop, a->model->name, err);
  if (st != BR_OK) return st;
  const bri_arc_model here = bri_wave_stage(a, w, 0.5 * (t0 + t1), 1);
  switch (bri_wave_way_of(a, w)) {
  case BRI_WAVE_PATH: return along_path(a, w, t0, t1, 0, x, work, err);
  case BRI_WAVE_MAP:
    if (work) *work += map_work(a, w, t0, t1);
    return BR_OK;
  case BRI_WAVE_SOLVER: return by_solver(&here, w, t0, t1, x, work, err);
  default: return bri_wave_move(a, w, t0, t1, x, work, err);
  }
}

br_status bri_wave_go_pair(const bri_arc_model *a, bri_wave *w, double t0, double t1, double *x, br_err *err)
{
  if (bri_wave_way_of(a, w) == BRI_WAVE_PATH) return along_path(a, w, t0, t1, 1, x, NULL, err);
  return bri_wave_move_pair(a, w, t0, t1, x, err);
}
