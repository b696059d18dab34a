/* SPDX-License-Identifier: Apache-2.0
 * analysis_portrait.c - the phase plane (z, v) at values of the varied parameter: nullclines, equilibria,
 * cycles, manifolds, basins.  Tables of the first value have plain names, those of the others "at1_", "at2_"
 * in front. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "motion.h"
#include "strips.h"

enum { MOST_HEADS = 64, MOST_ENDS = 8 };

static const br_column PLANE[] = {{"z", "m"}, {"v", "m/s"}};
static const char *const CURVE[] = {
    [BR_CURVE_Z_NULLCLINE] = "z_nullcline",         [BR_CURVE_V_NULLCLINE] = "v_nullcline",
    [BR_CURVE_STABLE_CYCLE] = "stable_cycle",       [BR_CURVE_UNSTABLE_CYCLE] = "unstable_cycle",
    [BR_CURVE_STABLE_MANIFOLD] = "stable_manifold", [BR_CURVE_UNSTABLE_MANIFOLD] = "unstable_manifold",
};

typedef struct {
  double z0, z1, v0, v1;
} window;

/* A branch of a manifold: where it has got to, and how near to cycles of both kinds that is. */
typedef struct {
  br_curve kind;
  double z, v, near[2];
} branch_end;

typedef struct {
  bri_motion motion;
  double at;
  char front[28], label[BRI_PHASE_NAME + 32]; /* of its tables: "", "at1_"; "sigma1 = 8.25" */
  window w;
  size_t count[BR_CURVE_UNSTABLE_MANIFOLD + 1];
  double head_z[2 * MOST_HEADS], head_v[2 * MOST_HEADS];
  size_t nhead;
  branch_end end[MOST_ENDS];
  size_t nend;
} drawing;

/* What is to be seen: sliding equilibria and cycles with room around them, v = 0 in sight. */
static br_status window_of(const bri_question *q, double at, window *w, br_err *err)
{
  br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
  br_phase_cycle k[BR_PHASE_MOST_CYCLES];
  size_t ne = 0, nk = 0;
  double z0 = INFINITY, z1 = -INFINITY, v0 = 0, v1 = 0;
  br_status st = br_phase_equilibria(q->phase, at, BR_PHASE_MOST_EQUILIBRIA, e, &ne, err);
  if (!st && q->parts & BRI_PART_CYCLES)
    st = br_phase_cycles(q->phase, at, BR_PHASE_MOST_CYCLES, k, &nk, err);
  if (st) return st;
  for (size_t i = 0; i < ne && i < BR_PHASE_MOST_EQUILIBRIA; i++) {
    z0 = fmin(z0, e[i].z), z1 = fmax(z1, e[i].z);
    v0 = fmin(v0, 1.6 * e[i].v), v1 = fmax(v1, 1.6 * e[i].v);
  }
  for (size_t i = 0; i < nk && i < BR_PHASE_MOST_CYCLES; i++) {
    z0 = fmin(z0, k[i].z_min), z1 = fmax(z1, k[i].z_max);
    v0 = fmin(v0, k[i].v_min), v1 = fmax(v1, k[i].v_max);
  }
  if (!(v1 > v0)) v0 = -1, v1 = 1;
  if (!(z1 > z0)) z0 -= 0.5 * fabs(z0) + 1e-3, z1 += 0.5 * fabs(z1) + 1e-3;
  const double dz = 0.1 * (z1 - z0), dv = 0.06 * (v1 - v0);
  *w = (window){z0 - dz, z1 + dz, v0 - dv, v1 + 2 * dv};
  return BR_OK;
}

static br_status put_table(drawing *d, const char *name, const char *label, const double *z, const double *v,
                           size_t n, br_err *err)
{
  char full[80];
  const double *const columns[] = {z, v};
  (void)snprintf(full, sizeof full, "%s%.40s", d->front, name);
  return bri_phase_table(d->motion.q, full, label, 2, PLANE, columns, n, err);
}

/* ---- curves, with a head on each motion ---- */

static int inside(const window *w, double z, double v)
{
  return z > w->z0 && z < w->z1 && v > w->v0 && v < w->v1;
}

/* A head in the middle (by length) of what is seen of a curve. */
static void add_head(drawing *d, const double *z, const double *v, size_t n)
{
  const window *w = &d->w;
  double total = 0, part = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 1; i < n; i++) {
      if (!inside(w, z[i], v[i]) || !inside(w, z[i - 1], v[i - 1])) continue;
      part += bri_hypot((z[i] - z[i - 1]) / (w->z1 - w->z0), (v[i] - v[i - 1]) / (w->v1 - w->v0));
      if (pass == 0 || part < 0.45 * total || d->nhead == MOST_HEADS) continue;
      const int forward = bri_motion_with_time(&d->motion, z, v, i);
      const size_t tail = forward ? i - 1 : i, head = forward ? i : i - 1;
      d->head_z[2 * d->nhead] = z[tail], d->head_v[2 * d->nhead] = v[tail];
      d->head_z[2 * d->nhead + 1] = z[head], d->head_v[2 * d->nhead++ + 1] = v[head];
      return;
    }
    total = part;
    part = 0;
  }
}

static double apart(const drawing *d, double z0, double v0, double z1, double v1)
{
  return bri_hypot((z1 - z0) / (d->w.z1 - d->w.z0), (v1 - v0) / (d->w.v1 - d->w.v0));
}

/* Curves come in pieces that share their ends; cycles come behind the manifolds. */
static void follow_ends(drawing *d, br_curve kind, const double *z, const double *v, size_t n)
{
  const int cycle = kind == BR_CURVE_STABLE_CYCLE || kind == BR_CURVE_UNSTABLE_CYCLE;
  for (size_t k = 0; cycle && k < d->nend; k++) {
    double *near = &d->end[k].near[kind == BR_CURVE_UNSTABLE_CYCLE];
    for (size_t i = 0; i < n; i++) *near = fmin(*near, apart(d, d->end[k].z, d->end[k].v, z[i], v[i]));
  }
  if (kind != BR_CURVE_STABLE_MANIFOLD && kind != BR_CURVE_UNSTABLE_MANIFOLD) return;
  branch_end *last = d->nend ? &d->end[d->nend - 1] : NULL;
  if (!last || last->kind != kind || last->z != z[0] || last->v != v[0]) {
    if (d->nend == MOST_ENDS) return;
    last = &d->end[d->nend++];
  }
  *last = (branch_end){kind, z[n - 1], v[n - 1], {INFINITY, INFINITY}};
}

static br_status add_curve(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  drawing *d = ctx;
  char name[48];
  follow_ends(d, kind, z, v, n);
  (void)snprintf(name, sizeof name, "%s%zu", CURVE[kind], d->count[kind]++);
  if (kind >= BR_CURVE_STABLE_CYCLE) add_head(d, z, v, n);
  return put_table(d, name, NULL, z, v, n, &d->motion.own);
}

/* Where the branches come from (stable ones, backward in time: separatrices) or go to. */
static br_status put_ends(drawing *d, size_t *count, br_err *err)
{
  const double close = 0.02;
  bri_question *q = d->motion.q;
  br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
  size_t n = 0;
  const br_status st = br_phase_equilibria(q->phase, d->at, BR_PHASE_MOST_EQUILIBRIA, e, &n, err);
  for (size_t k = 0; k < d->nend && !st; k++) {
    const branch_end *b = &d->end[k];
    char where[24] = "outside";
    int point = 0;
    for (size_t i = 0; i < n && i < BR_PHASE_MOST_EQUILIBRIA && !point; i++) {
      if (apart(d, b->z, b->v, e[i].z, e[i].v) > close) continue;
      point = 1;
      if (e[i].kind == BR_EQUILIBRIUM_STICK) (void)snprintf(where, sizeof where, "stick");
      else (void)snprintf(where, sizeof where, "y%zu", i);
    }
    if (!point && fmin(b->near[0], b->near[1]) < close)
      (void)snprintf(where, sizeof where, "%s cycle", b->near[0] < b->near[1] ? "stable" : "unstable");
    br_put_number(q->out, q->vary.unit, d->at, "manifolds.%zu.at", *count);
    br_put_text(q->out, b->kind == BR_CURVE_STABLE_MANIFOLD ? "stable" : "unstable", "manifolds.%zu.kind",
                *count);
    br_put_text(q->out, where, "manifolds.%zu.end", *count);
    br_put_text(q->out, point ? "heteroclinic" : "none", "manifolds.%zu.connection", (*count)++);
  }
  return st;
}

/* ---- equilibria and basins ---- */

static br_status points(drawing *d, br_err *err)
{
  br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
  size_t n = 0;
  br_status st = br_phase_equilibria(d->motion.q->phase, d->at, BR_PHASE_MOST_EQUILIBRIA, e, &n, err);
  for (size_t i = 0; i < n && i < BR_PHASE_MOST_EQUILIBRIA && !st; i++) {
    char name[48], label[24];
    const int stick = e[i].kind == BR_EQUILIBRIUM_STICK;
    (void)snprintf(name, sizeof name, "%s_point%zu",
                   stick                                  ? "stick"
                   : strncmp(e[i].type, "stable", 6) == 0 ? "stable"
                   : strstr(e[i].type, "saddle") != NULL  ? "saddle"
                                                          : "unstable",
                   i);
    (void)snprintf(label, sizeof label, "y%zu", i);
    st = put_table(d, name, stick ? "stick" : label, &e[i].z, &e[i].v, 1, err);
  }
  return st;
}

static br_status basins(drawing *d, br_err *err)
{
  static const br_column HEAD[] = {{"z", "m"}, {"v", "m/s"}, {"v_to", "m/s"}, {"end", "1"}};
  static const char *const ENDS[] = {"to the cycle", "to y1", "to y2", "to y3", "to rest"};
  static const unsigned char NUMBER[] = {4, 1, 2, 3, 0}; /* the cycle first */
  bri_question *q = d->motion.q;
  char name[40];
  size_t n = 0;
  (void)snprintf(name, sizeof name, "%sbasins", d->front);
  if (d->w.v1 <= 0 || !br_sink_wants(q->out, name)) return BR_OK; /* basins are known for v > 0 */
  if (!(q->parts & BRI_PART_CYCLES)) return BR_OK;                /* a quick look */
  bri_strip *strip = bri_phase_get(q, BRI_STRIPS_MOST * sizeof *strip);
  if (!strip) return bri_phase_no_memory(err);
  const double range[] = {d->w.z0, d->w.z1, fmax(d->w.v0, 0), d->w.v1};
  const br_status st = bri_basin_strips(q->phase, d->at, range, q->threads, strip, &n, err);
  const bri_strips_names names = {HEAD, ENDS, sizeof ENDS / sizeof ENDS[0], NUMBER, sizeof NUMBER};
  return st ? st : bri_strips_put(q, name, &names, strip, n, err);
}

/* The neighbourhood of the two slowest sliding equilibria as a panel of its own, where the whole hides it. */
static br_status close_up(drawing *d, br_err *err)
{
  br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
  size_t n = 0;
  char label[sizeof d->label + 24];
  br_status st = bri_plane_equilibria(d->motion.q, d->at, e, &n, err);
  if (st || n < 3) return st; /* the first is the sticking one */
  const double z = 0.5 * (e[1].z + e[2].z), v = 0.5 * (e[1].v + e[2].v), dz = 1.3 * fabs(e[1].z - e[2].z),
               dv = 1.3 * fabs(e[1].v - e[2].v);
  const double wz[] = {z - dz, z + dz}, wv[] = {v - dv, v + dv};
  if (!(2 * dz < 0.5 * (d->w.z1 - d->w.z0)) || !(2 * dv < 0.5 * (d->w.v1 - d->w.v0))) return BR_OK;
  (void)snprintf(label, sizeof label, "%s, near y1 and y2", d->label);
  return put_table(d, "close_window", label, wz, wv, 2, err);
}

static br_status portrait(bri_question *q, size_t k, size_t *ends, br_err *err)
{
  drawing *d = bri_phase_get(q, sizeof *d);
  if (!d) return bri_phase_no_memory(err);
  d->at = q->at[k];
  if (k) (void)snprintf(d->front, sizeof d->front, "at%zu_", k);
  (void)snprintf(d->label, sizeof d->label, "%s = %.9g", q->vary.name, d->at);
  br_status st = bri_motion_set(&d->motion, q, d->at, err);
  if (!st) st = window_of(q, d->at, &d->w, err);
  const double wz[] = {d->w.z0, d->w.z1}, wv[] = {d->w.v0, d->w.v1}, zero[] = {0, 0};
  if (!st) st = put_table(d, "window", d->label, wz, wv, 2, err);
  if (!st) st = close_up(d, err);
  if (!st) st = put_table(d, "zero", NULL, wz, zero, 2, err);
  if (!st) st = basins(d, err);
  if (!st) st = br_sink_alive(q->out, 0.5 + 0.2 * (double)(k + 1) / (double)q->nat, err);
  if (!st) st = bri_motion_portrait(&d->motion, d->at, add_curve, d, err);
  if (!st) st = put_table(d, "heads", NULL, d->head_z, d->head_v, 2 * d->nhead, err);
  if (!st) st = put_ends(d, ends, err);
  return st ? st : points(d, err);
}

br_status bri_phase_portraits(bri_question *q, br_err *err)
{
  br_status st = BR_OK;
  size_t ends = 0;
  br_put(q->out, BR_VALUE_LIST, 0, "manifolds");
  for (size_t k = 0; k < q->nat && !st; k++) st = portrait(q, k, &ends, err);
  return st;
}
