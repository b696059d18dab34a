/* SPDX-License-Identifier: Apache-2.0
 * phase_portrait.c - tables of the phase plane (z, v) at one value of the varied parameter: nullclines,
 * equilibria, cycles, manifolds, basins; and the friction force against velocity along a cycle. */
#include <stdio.h>
#include <string.h>

#include "phase_study.h"

enum { BASIN = 90, MOST_HEADS = 64 };

static const char *const PLANE[] = {"z", "v"}, *const PLANE_UNIT[] = {"m", "m/s"};
static const char *const CURVE[] = {
    [BR_CURVE_Z_NULLCLINE] = "z_nullcline",         [BR_CURVE_V_NULLCLINE] = "v_nullcline",
    [BR_CURVE_STABLE_CYCLE] = "stable_cycle",       [BR_CURVE_UNSTABLE_CYCLE] = "unstable_cycle",
    [BR_CURVE_STABLE_MANIFOLD] = "stable_manifold", [BR_CURVE_UNSTABLE_MANIFOLD] = "unstable_manifold",
};

typedef struct {
  double z0, z1, v0, v1;
} window;

/* What is to be seen: sliding equilibria and cycles with room around them, v = 0 in sight. */
static br_status window_of(bri_phase_job *b, double at, window *w, br_err *err)
{
  br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
  br_phase_cycle k[BR_PHASE_MOST_CYCLES];
  size_t nq = 0, nk = 0;
  double z0 = INFINITY, z1 = -INFINITY, v0 = 0, v1 = 0;
  br_status st = br_phase_equilibria(b->phase, at, BR_PHASE_MOST_EQUILIBRIA, q, &nq, err);
  if (!st) st = br_phase_cycles(b->phase, at, BR_PHASE_MOST_CYCLES, k, &nk, err);
  if (st) return st;
  for (size_t i = 0; i < nq && i < BR_PHASE_MOST_EQUILIBRIA; i++) {
    z0 = fmin(z0, q[i].z), z1 = fmax(z1, q[i].z);
    v0 = fmin(v0, 1.6 * q[i].v), v1 = fmax(v1, 1.6 * q[i].v);
  }
  for (size_t i = 0; i < nk && i < BR_PHASE_MOST_CYCLES; i++) {
    z0 = fmin(z0, k[i].z_min), z1 = fmax(z1, k[i].z_max);
    v0 = fmin(v0, k[i].v_min), v1 = fmax(v1, k[i].v_max);
  }
  if (!(v1 > v0)) v0 = -1, v1 = 1;
  if (!(z1 > z0)) z0 -= 0.5 * fabs(z0) + 1e-3, z1 += 0.5 * fabs(z1) + 1e-3;
  const double dz = 0.1 * (z1 - z0), dv = 0.06 * (v1 - v0);
  const window r = {z0 - dz, z1 + dz, v0 - dv, v1 + 2 * dv};
  *w = r;
  return BR_OK;
}

/* ---- curves, with a head on each motion ---- */

/* Whole force, and the force at rest with the same deflection. */
static void forces(const br_model *m, const double *par, double v, double z, double *whole, double *elastic)
{
  double u = 0, dz = 0, rest = 0, zero = 0;
  m->rate(par, 1, &u, &v, &z, &dz);
  m->force(par, 1, &u, &v, &z, &dz, whole);
  m->force(par, 1, &u, &rest, &z, &zero, elastic);
}

typedef struct {
  bri_phase_job *b;
  window w;
  size_t count[BR_CURVE_UNSTABLE_MANIFOLD + 1];
  double head_z[2 * MOST_HEADS], head_v[2 * MOST_HEADS];
  size_t nhead;
  const double *par; /* block of the model, mass and force at this value of the varied parameter */
  double m, F;
  br_err own, *err; /* err: of curves, own */
} drawing;

static int inside(const window *w, double z, double v)
{
  return z > w->z0 && z < w->z1 && v > w->v0 && v < w->v1;
}

/* Do the points of a curve run with time there?  Curves may have been followed backward. */
static int with_time(const drawing *d, const double *z, const double *v, size_t i)
{
  const br_model *m = d->b->r->m;
  double u = 0, dz = 0, force = 0, elastic = 0, scale_z = fabs(z[i]) + 1e-300, scale_v = fabs(v[i]) + 1e-300;
  m->rate(d->par, 1, &u, &v[i], &z[i], &dz);
  forces(m, d->par, v[i], z[i], &force, &elastic);
  return dz / scale_z * (z[i] - z[i - 1]) / scale_z +
             (d->F - force) / d->m / scale_v * (v[i] - v[i - 1]) / scale_v >=
         0;
}

/* A head in the middle (by length) of what is seen of a curve. */
static void add_head(drawing *d, const double *z, const double *v, size_t n)
{
  const window *w = &d->w;
  double total = 0, part = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 1; i < n; i++) {
      if (!inside(w, z[i], v[i]) || !inside(w, z[i - 1], v[i - 1])) continue;
      part += hypot((z[i] - z[i - 1]) / (w->z1 - w->z0), (v[i] - v[i - 1]) / (w->v1 - w->v0));
      if (pass == 0 || part < 0.45 * total || d->nhead == MOST_HEADS) continue;
      const int forward = with_time(d, z, v, i);
      const size_t tail = forward ? i - 1 : i, head = forward ? i : i - 1;
      d->head_z[2 * d->nhead] = z[tail], d->head_v[2 * d->nhead] = v[tail];
      d->head_z[2 * d->nhead + 1] = z[head], d->head_v[2 * d->nhead++ + 1] = v[head];
      return;
    }
    total = part;
    part = 0;
  }
}

/* The block and the varied parameter at a value. */
static br_status set_plant(drawing *d, bri_phase_job *b, double at, br_err *err)
{
  d->b = b;
  d->err = &d->own;
  d->m = strcmp(b->vary.name, "m") == 0 ? at : b->problem.m;
  d->F = strcmp(b->vary.name, "F") == 0 ? at : b->problem.F;
  d->par = bri_phase_block(b, at);
  return d->par ? BR_OK : bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
}

static br_status add_curve(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  drawing *d = ctx;
  char name[48];
  const double *const columns[] = {z, v};
  (void)snprintf(name, sizeof name, "%s%zu", CURVE[kind], d->count[kind]++);
  if (kind >= BR_CURVE_STABLE_CYCLE) add_head(d, z, v, n);
  return bri_phase_table(d->b, name, 2, PLANE, PLANE_UNIT, columns, n, d->err);
}

/* All curves of the portrait; what goes wrong in writing them is said, not only that it was stopped. */
static br_status portrait(drawing *d, double at, br_curve_fn *add, br_err *err)
{
  const br_status st = br_phase_portrait(d->b->phase, at, add, d, err);
  if (st && d->own.code == st && err) *err = d->own;
  return st;
}

/* ---- equilibria and basins ---- */

static br_status points(bri_phase_job *b, double at, br_err *err)
{
  br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
  size_t n = 0;
  br_status st = br_phase_equilibria(b->phase, at, BR_PHASE_MOST_EQUILIBRIA, q, &n, err);
  for (size_t i = 0; i < n && i < BR_PHASE_MOST_EQUILIBRIA && !st; i++) {
    const double *const columns[] = {&q[i].z, &q[i].v};
    char name[48], label[16];
    const int stick = q[i].kind == BR_EQUILIBRIUM_STICK;
    (void)snprintf(name, sizeof name, "%s_point%zu",
                   stick                                  ? "stick"
                   : strncmp(q[i].type, "stable", 6) == 0 ? "stable"
                   : strstr(q[i].type, "saddle") != NULL  ? "saddle"
                                                          : "unstable",
                   i);
    (void)snprintf(label, sizeof label, "y%zu", i);
    bri_sink_label(b->out, stick ? "stick" : label, "%s.label", name);
    st = bri_phase_table(b, name, 2, PLANE, PLANE_UNIT, columns, 1, err);
  }
  return st;
}

static br_status basins(bri_phase_job *b, double at, const window *w, br_err *err)
{
  static const char *const NAMES[] = {"z", "v", "end"}, *const UNITS[] = {"m", "m/s", "1"};
  static const char *const ENDS[] = {"to the cycle", "to y1", "to y2", "to y3", "to rest"};
  double z[BASIN], v[BASIN];
  unsigned char *cell = bri_arena_get(b->arena, (size_t)BASIN * BASIN);
  if (!cell) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  if (w->v1 <= 0) return BR_OK; /* basins are known for v > 0 */
  const double lo = fmax(w->v0, 0);
  for (int i = 0; i < BASIN; i++) {
    z[i] = w->z0 + (w->z1 - w->z0) * (i + 0.5) / BASIN;
    v[i] = lo + (w->v1 - lo) * (i + 0.5) / BASIN;
  }
  br_status st = br_phase_basins(b->phase, at, BASIN, z, BASIN, v, cell, err);
  if (!st) st = bri_sink_table(b->out, "basins", 3, NAMES, UNITS, err);
  for (int i = 0; i < BASIN; i++) {
    for (int j = 0; j < BASIN && !st; j++) {
      const int code = cell[i * BASIN + j], end = code == 4 ? 0 : code == 0 ? 4 : code; /* the cycle first */
      const double row[] = {z[i], v[j], end == 255 ? (double)NAN : (double)end};
      st = bri_sink_row(b->out, row, err);
    }
  }
  for (int k = 0; k < 5 && !st; k++) bri_sink_label(b->out, ENDS[k], "basins.name.%d", k);
  return st ? st : bri_sink_end(b->out, err);
}

br_status bri_phase_portrait(bri_phase_job *b, br_err *err)
{
  drawing *d = bri_arena_get(b->arena, sizeof *d);
  if (!d) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  const double at = b->at[0];
  br_status st = set_plant(d, b, at, err);
  if (!st) st = window_of(b, at, &d->w, err);
  const double wz[] = {d->w.z0, d->w.z1}, wv[] = {d->w.v0, d->w.v1}, zero[] = {0, 0};
  const double *const corners[] = {wz, wv}, *const line[] = {wz, zero},
                      *const heads[] = {d->head_z, d->head_v};
  if (!st) st = bri_phase_table(b, "window", 2, PLANE, PLANE_UNIT, corners, 2, err);
  if (!st) st = bri_phase_table(b, "zero", 2, PLANE, PLANE_UNIT, line, 2, err);
  if (!st) st = basins(b, at, &d->w, err);
  if (!st) st = bri_sink_alive(b->out, 0.7);
  if (!st) st = portrait(d, at, add_curve, err);
  if (!st) st = bri_phase_table(b, "heads", 2, PLANE, PLANE_UNIT, heads, 2 * d->nhead, err);
  return st ? st : points(b, at, err);
}

/* ---- friction against velocity ---- */

static const char *const LOOP[] = {"v", "F", "F_elastic", "F_steady"}, *const LOOP_UNIT[] = {"m/s", "N", "N",
                                                                                             "N"};

/* Force of steady sliding: the rate is linear in z. */
static double steady(const br_model *m, const double *par, double v)
{
  double u = 0, z0 = 0, z1 = 1, r0, r1, dz = 0, F;
  m->rate(par, 1, &u, &v, &z0, &r0);
  m->rate(par, 1, &u, &v, &z1, &r1);
  const double z = r0 / (r0 - r1);
  m->force(par, 1, &u, &v, &z, &dz, &F);
  return F;
}

static br_status steady_table(bri_phase_job *b, const char *name, const double *par, double from, double to,
                              br_err *err)
{
  enum { N = 200 };
  static const char *const NAMES[] = {"v", "F"};
  br_status st = bri_sink_table(b->out, name, 2, NAMES, LOOP_UNIT, err);
  for (int i = 0; i <= N && !st; i++) {
    const double v = from + (to - from) * i / N, row[] = {v, steady(b->r->m, par, v)};
    st = bri_sink_row(b->out, row, err);
  }
  return st ? st : bri_sink_end(b->out, err);
}

/* Force along a stable cycle (or a piece of it), in the order of time; a head on either force says which
 * way. */
static br_status add_loop(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  drawing *d = ctx;
  char name[48];
  double lo = INFINITY, hi = -INFINITY, x[4], y[4];
  if (kind != BR_CURVE_STABLE_CYCLE || n < 2) return BR_OK;
  const int forward = with_time(d, z, v, n / 2);
  const size_t middle = n / 3;
  (void)snprintf(name, sizeof name, "lag_cycle%zu", d->count[kind]);
  br_status st = bri_sink_table(d->b->out, name, 3, LOOP, LOOP_UNIT, d->err);
  for (size_t k = 0; k < n && !st; k++) {
    const size_t i = forward ? k : n - 1 - k;
    double row[3] = {v[i], 0, 0};
    forces(d->b->r->m, d->par, v[i], z[i], &row[1], &row[2]);
    lo = fmin(lo, v[i]), hi = fmax(hi, v[i]);
    if (k == middle || k == middle + 1) {
      x[k - middle] = x[2 + k - middle] = v[i];
      y[k - middle] = row[1], y[2 + k - middle] = row[2];
    }
    st = bri_sink_row(d->b->out, row, d->err);
  }
  const double *const columns[] = {x, y};
  if (!st) st = bri_sink_end(d->b->out, d->err);
  (void)snprintf(name, sizeof name, "lag_steady%zu", d->count[kind]);
  if (!st) st = steady_table(d->b, name, d->par, lo, hi, d->err);
  (void)snprintf(name, sizeof name, "lag_heads%zu", d->count[kind]++);
  return st || n < 5 ? st : bri_phase_table(d->b, name, 2, LOOP, LOOP_UNIT, columns, 4, d->err);
}

br_status bri_phase_lag_loops(bri_phase_job *b, br_err *err)
{
  drawing *d = bri_arena_get(b->arena, sizeof *d);
  if (!d) return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory");
  const br_status st = set_plant(d, b, b->at[0], err);
  return st ? st : portrait(d, b->at[0], add_loop, err);
}

/* Velocity x[0] + x[1] sin(2 pi x[2] t): loop integrals, and the loop once it is periodic. */
br_status bri_phase_imposed(bri_phase_job *b, const double x[3], br_err *err)
{
  enum { N = 4000, PERIODS = 1000 };
  const br_model *m = b->r->m;
  const double pi = 3.14159265358979323846;
  br_lag lag;
  br_status st = br_phase_lag(m, b->r->par, x[0], x[1], x[2], &lag, err);
  if (st) return st;
  bri_sink_number(b->out, "W", lag.total, "lag.total");
  bri_sink_number(b->out, "W", lag.elastic, "lag.elastic");
  bri_sink_number(b->out, "N", lag.mean, "lag.mean_force");
  double z = 0, before = NAN, u = 0;
  for (int p = 0; p < PERIODS && !(fabs(z - before) <= 1e-13 * fabs(z)); p++) {
    before = z;
    for (int i = 0; i < N; i++) {
      const double v = x[0] + x[1] * sin(2 * pi * (i + 0.5) / N);
      m->step(b->r->par, 1, &u, &v, 1 / (x[2] * N), &z);
    }
  }
  st = bri_sink_table(b->out, "lag_imposed", 3, LOOP, LOOP_UNIT, err);
  for (int i = 0; i <= N && !st; i++) {
    double row[3] = {x[0] + x[1] * sin(2 * pi * i / N), 0, 0};
    forces(m, b->r->par, row[0], z, &row[1], &row[2]);
    if (i % 8 == 0) st = bri_sink_row(b->out, row, err);
    const double v = x[0] + x[1] * sin(2 * pi * (i + 0.5) / N);
    m->step(b->r->par, 1, &u, &v, 1 / (x[2] * N), &z);
  }
  if (!st) st = bri_sink_end(b->out, err);
  return st ? st : steady_table(b, "imposed_steady", b->r->par, x[0] - fabs(x[1]), x[0] + fabs(x[1]), err);
}
