/* SPDX-License-Identifier: Apache-2.0
 * an_maps.c - analyses without a motion in time: 'signal' (the signal itself), 'steady' (force against
 * sliding speed, the Stribeck map) and 'field' (slopes of the state against displacement). */
#include <string.h>

#include "analysis.h"
#include "bristle/trace.h"

/* ---- signal ---- */
enum { T_END, SAMPLES, INPUT_SLOTS };

static const br_param INPUT_OPTIONS[] = {
    BRI_OPT_REAL(T_END, "t-end", "s", 0, 0, 0, "end time; 0: two periods, or the natural end, or 1 s"),
    BRI_OPT_REAL(SAMPLES, "samples", "1", 400, 1, 0, "equally spaced points; corners are added"),
};

static br_status input_row(const br_signal *s, double t, bri_sink *out, br_err *err)
{
  const double rho = br_signal_variation(s, t);
  const double row[] = {t, br_signal_value(s, t), br_signal_rate(s, t, 1), rho};
  return bri_sink_row(out, row, err);
}

static br_status run_input(const bri_run *r, bri_sink *out, br_err *err)
{
  static const char *const NAMES[] = {"t", "u", "v", "rho"}, *const UNITS[] = {"s", "m", "m/s", "m"};
  const br_signal *s = r->inputs[0];
  const double period = br_signal_period(s), natural = br_signal_duration(s);
  const double end = r->opt[T_END] > 0 ? r->opt[T_END] : period > 0 ? 2 * period : natural > 0 ? natural : 1;
  if (r->opt[SAMPLES] > 1e7) return bri_text_fail(err, BR_E_RANGE, -1, "signal: at most 1e7 samples");
  const size_t n = (size_t)r->opt[SAMPLES];
  double corner = br_signal_next_corner(s, 0);
  br_status st = bri_sink_table(out, "signal", 4, NAMES, UNITS, err);
  for (size_t i = 0; i <= n && !st; i++) {
    const double t = end * ((double)i / (double)n);
    for (; corner < t && !st; corner = br_signal_next_corner(s, corner)) st = input_row(s, corner, out, err);
    if (!st && t != corner) st = input_row(s, t, out, err);
    if (t == corner && !st) {
      st = input_row(s, t, out, err);
      corner = br_signal_next_corner(s, corner);
    }
    if (!st && i % 4096 == 0) st = bri_sink_alive(out, (double)i / (double)n);
  }
  bri_sink_number(out, "s", period, "period");
  bri_sink_number(out, "m", br_signal_path(s), "path_length");
  return st ? st : bri_sink_end(out, err);
}

const bri_analysis bri_an_signal = {
    {"signal", "the motion itself: value, speed, path length", INPUT_OPTIONS,
     sizeof INPUT_OPTIONS / sizeof INPUT_OPTIONS[0], 1, 0},
    INPUT_SLOTS,
    1,
    "signal: {x: t, y: u, xlabel: time t, ylabel: displacement u}",
    run_input,
};

/* ---- steady: hold the speed until the force stays ---- */
enum { V_FROM, V_TO, POINTS, STEADY_LOAD, STEADY_SLOTS };

static const br_param STEADY_OPTIONS[] = {
    BRI_OPT_ANY(V_FROM, "from", "m/s", 0, "lowest speed; at 0 both limits of slow sliding"),
    BRI_OPT_ANY(V_TO, "to", "m/s", 1, "highest speed"),
    BRI_OPT_REAL(POINTS, "points", "1", 201, 2, 0, "speeds, equally spaced"),
    BRI_OPT_REAL(STEADY_LOAD, "load", "1", 1, 0, 0, "normal-load factor"),
};

/* Force of steady sliding at speed v, by stepping with held velocity: path pieces that grow until the force
 * changes no more.  Speed zero means its limit from `side`. */
static br_status steady_force(const bri_run *r, double v, double side, double load, double *F, br_err *err)
{
  double z[64] = {0}, dz[64], u = 0, before = NAN, path = 1e-9;
  const double speed = v != 0 ? v : side * 1e-290;
  if (r->m->nz > 64) return bri_text_fail(err, BR_E_SIZE, -1, "steady: too many states");
  for (int k = 0; k < 400; k++, path *= 1.2) {
    const double h = path / fabs(speed);
    u += speed * h; /* the displacement at the end of the piece */
    r->m->step(r->par, load, &u, &speed, h, z);
    r->m->rate(r->par, load, &u, &speed, z, dz);
    r->m->force(r->par, load, &u, &speed, z, dz, F);
    if (!isfinite(*F)) break;
    if (k > 40 && fabs(*F - before) <= 1e-15 * fabs(*F) && path > 1) return BR_OK;
    before = *F;
  }
  return bri_text_fail(err, BR_E_CONVERGE, -1, "steady: %s comes to no steady force at v = %g m/s",
                       r->m->name, v);
}

static br_status run_steady(const bri_run *r, bri_sink *out, br_err *err)
{
  static const char *const NAMES[] = {"v", "F"}, *const UNITS[] = {"m/s", "N"};
  const double from = r->opt[V_FROM], to = r->opt[V_TO];
  if (!(r->opt[POINTS] <= 1e6) || !(from < to))
    return bri_text_fail(err, BR_E_RANGE, -1, "steady: 'from' must be below 'to', at most 1e6 points");
  const size_t n = (size_t)r->opt[POINTS];
  br_status st = bri_sink_table(out, "steady", 2, NAMES, UNITS, err);
  for (size_t i = 0; i < n && !st; i++) {
    double row[2] = {from + (to - from) * ((double)i / (double)(n - 1)), 0};
    if (fabs(row[0]) < 1e-14 * (to - from)) row[0] = 0;
    /* the force jumps at speed zero: both limits, as far as the range has both sides */
    for (double side = row[0] == 0 && from < 0 ? -1 : 1; side <= (row[0] == 0 && to <= 0 ? -1 : 1) && !st;
         side += 2) {
      st = steady_force(r, row[0], side, r->opt[STEADY_LOAD], &row[1], err);
      if (!st) st = bri_sink_row(out, row, err);
    }
    if (!st && i == 0) bri_sink_number(out, "N", row[1], "first");
    if (!st && i == n - 1) bri_sink_number(out, "N", row[1], "last");
    if (!st && i % 64 == 0) st = bri_sink_alive(out, (double)i / (double)n);
  }
  return st ? st : bri_sink_end(out, err);
}

const bri_analysis bri_an_steady = {
    {"steady", "force of steady sliding against speed (Stribeck map)", STEADY_OPTIONS,
     sizeof STEADY_OPTIONS / sizeof STEADY_OPTIONS[0], 0, 0},
    STEADY_SLOTS,
    1,
    "steady: {x: v, y: F, xlabel: sliding speed v, ylabel: friction force F}",
    run_steady,
};

/* ---- field: dz/du on a grid, for both directions ---- */
enum { Z_FROM, Z_TO, U_FROM, U_TO, NZ, NU, FIELD_LOAD, FIELD_SLOTS };

static const br_param FIELD_OPTIONS[] = {
    BRI_OPT_ANY(Z_FROM, "z-from", "1", -1, "lowest state, in the unit of the state"),
    BRI_OPT_ANY(Z_TO, "z-to", "1", 1, "highest state"),
    BRI_OPT_ANY(U_FROM, "u-from", "m", -2, "lowest displacement"),
    BRI_OPT_ANY(U_TO, "u-to", "m", 2, "highest displacement"),
    BRI_OPT_REAL(NZ, "nz", "1", 11, 2, 0, "arrows along the state"),
    BRI_OPT_REAL(NU, "nu", "1", 11, 2, 0, "arrows along the displacement"),
    BRI_OPT_REAL(FIELD_LOAD, "load", "1", 1, 0, 0, "normal-load factor"),
};

/* One arrow as two rows, tail at the grid point and head: 0.45 cells along (du, dz) = (+-1, slope). */
static br_status arrow(const bri_run *r, double u, double z, double cell_u, double cell_z, double sign,
                       bri_sink *out, double *slope, br_err *err)
{
  double state[64] = {0}, dz[64] = {0};
  const double v = sign;
  state[0] = z;
  r->m->rate(r->par, r->opt[FIELD_LOAD], &u, &v, state, dz);
  *slope = dz[0] / v;
  const double a = sign, b = sign * *slope * cell_u / cell_z, length = 0.45 / sqrt(a * a + b * b);
  const double tail[3] = {u, z, *slope};
  const double head[3] = {u + length * a * cell_u, z + length * b * cell_z, *slope};
  const br_status st = bri_sink_row(out, tail, err);
  return st ? st : bri_sink_row(out, head, err);
}

static br_status field(const bri_run *r, const char *name, double sign, bri_sink *out, br_err *err)
{
  static const char *const NAMES[] = {"u", "z", "slope"};
  const char *units[] = {"m", r->m->states[0].unit, "1"};
  const size_t nz = (size_t)r->opt[NZ], nu = (size_t)r->opt[NU];
  const double cell_u = (r->opt[U_TO] - r->opt[U_FROM]) / (double)(nu - 1),
               cell_z = (r->opt[Z_TO] - r->opt[Z_FROM]) / (double)(nz - 1);
  double slope = 0, lo = INFINITY, hi = -INFINITY;
  br_status st = bri_sink_table(out, name, 3, NAMES, units, err);
  for (size_t i = 0; i < nz && !st; i++) {
    for (size_t j = 0; j < nu && !st; j++) {
      const double z = r->opt[Z_FROM] + cell_z * (double)i, u = r->opt[U_FROM] + cell_u * (double)j;
      st = arrow(r, u, z, cell_u, cell_z, sign, out, &slope, err);
      lo = fmin(lo, slope);
      hi = fmax(hi, slope);
    }
  }
  bri_sink_number(out, "1", lo, "%s.slope_min", name);
  bri_sink_number(out, "1", hi, "%s.slope_max", name);
  return st ? st : bri_sink_end(out, err);
}

static br_status run_field(const bri_run *r, bri_sink *out, br_err *err)
{
  if (r->nstate < 1 || r->m->nz > 64)
    return bri_text_fail(err, BR_E_UNSUPPORTED, -1, "field: %s has no state to draw", r->m->name);
  if (!(r->opt[Z_FROM] < r->opt[Z_TO]) || !(r->opt[U_FROM] < r->opt[U_TO]) ||
      !(r->opt[NZ] * r->opt[NU] <= 1e6))
    return bri_text_fail(err, BR_E_RANGE, -1, "field: 'from' must be below 'to', at most 1e6 arrows");
  const br_status st = field(r, "field", 1, out, err);
  return st ? st : field(r, "back", -1, out, err);
}

const bri_analysis bri_an_field = {
    {"field", "slopes of the first state against displacement, for both directions of motion", FIELD_OPTIONS,
     sizeof FIELD_OPTIONS / sizeof FIELD_OPTIONS[0], 0, 0},
    FIELD_SLOTS,
    1,
    "field: {x: u, y: z, xlabel: displacement u, ylabel: state z, lines: [{style: vectors}, "
    "{table: back, style: vectors}]}",
    run_field,
};
