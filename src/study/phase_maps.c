/* SPDX-License-Identifier: Apache-2.0
 * phase_maps.c - tables over two parameters (case map, curves of events) and over velocity and force (sliding
 * equilibria, Hopf diagram). */
#include <stdio.h>
#include <string.h>

#include "phase_study.h"

enum { CURVE = 400, FAMILY = 14 };
static const char *const FORCE[] = {"v", "F"}, *const FORCE_UNIT[] = {"m/s", "N"};

static br_status no_memory(br_err *err) { return bri_text_fail(err, BR_E_NOMEM, -1, "phase: out of memory"); }

/* ---- case map ---- */

static int alive(void *ctx, double done)
{
  const bri_phase_job *b = ctx;
  return bri_sink_alive(b->out, 0.3 + 0.7 * done) != BR_OK;
}

/* Number of a case in tables, the same in every map: the cases of document 2, then others by name.  The map
 * itself counts its names in the order it meets them, which depends on threads. */
static void number_cases(char names[BR_CASE_NAMES][BR_CASE_NAME], size_t n, unsigned char *number)
{
  static const char *const KNOWN[] = {"none",   "Sup",      "Sub_F",    "Sub_HC",
                                      "Sup_HC", "Sup_F_HC", "Sub_F_HC", "Sub_HC_HC"};
  enum { KNOWN_CASES = sizeof KNOWN / sizeof KNOWN[0] };
  int other[BR_CASE_NAMES];
  for (size_t i = 0; i < n; i++) {
    other[i] = 1;
    for (int k = 0; k < KNOWN_CASES; k++) {
      if (strcmp(names[i], KNOWN[k]) == 0) number[i] = (unsigned char)k, other[i] = 0;
    }
  }
  for (size_t i = 0; i < n; i++) {
    unsigned char before = KNOWN_CASES;
    for (size_t k = 0; k < n; k++) {
      if (other[k] && strcmp(names[k], names[i]) < 0) before++;
    }
    if (other[i]) number[i] = before;
  }
}

br_status bri_phase_map(bri_phase_job *b, br_err *err)
{
  const size_t n = b->grid >= 2 ? b->grid : 60;
  const char *const names[] = {b->vary.name, b->vary2.name, "case"}, *const units[] = {b->vary.unit,
                                                                                       b->vary2.unit, "1"};
  char cases[BR_CASE_NAMES][BR_CASE_NAME];
  unsigned char number[BR_CASE_NAMES] = {0};
  size_t count = 0, found[BR_CASE_NAMES] = {0};
  unsigned char *cell = bri_arena_get(b->arena, n * n);
  if (!cell) return no_memory(err);
  const br_case_map_settings set = {
      b->vary.name, b->vary2.name, b->vary.a, b->vary.b, b->vary2.a, b->vary2.b, n, n, b->threads, alive, b};
  br_status st = br_phase_case_map(&b->problem, &set, cell, cases, &count, err);
  if (st) return st;
  number_cases(cases, count, number);
  st = bri_sink_table(b->out, "map", 3, names, units, err);
  for (size_t i = 0; i < n && !st; i++) {
    for (size_t j = 0; j < n && !st; j++) {
      const unsigned char k = cell[i * n + j];
      const double row[] = {b->vary.a + (b->vary.b - b->vary.a) * (double)i / (double)(n - 1),
                            b->vary2.a + (b->vary2.b - b->vary2.a) * (double)j / (double)(n - 1), number[k]};
      found[k]++;
      st = bri_sink_row(b->out, row, err);
    }
  }
  for (size_t k = 0; k < count && !st; k++) {
    bri_sink_label(b->out, strcmp(cases[k], "none") == 0 ? "no Hopf point" : cases[k], "map.name.%d",
                   number[k]);
    bri_sink_number(b->out, "1", (double)found[k], "map.cells.%s", cases[k]);
  }
  return st ? st : bri_sink_end(b->out, err);
}

/* ---- curves of events over two parameters ---- */

enum { MOST_EVENTS = 4096 };
typedef struct {
  const bri_phase_job *b;
  double x[BR_PHASE_EVENT_TYPES][MOST_EVENTS], y[BR_PHASE_EVENT_TYPES][MOST_EVENTS];
  size_t n[BR_PHASE_EVENT_TYPES];
} curves;

static br_status keep(void *ctx, const br_phase_event *e)
{
  curves *k = ctx;
  size_t *n = &k->n[e->type];
  if (*n < MOST_EVENTS && e->value >= k->b->vary.a && e->value <= k->b->vary.b) {
    k->x[e->type][*n] = e->value2;
    k->y[e->type][(*n)++] = e->value;
  }
  return bri_sink_alive(k->b->out, 0.5);
}

br_status bri_phase_curve_tables(bri_phase_job *b, br_err *err)
{
  const char *const names[] = {b->vary2.name, b->vary.name}, *const units[] = {b->vary2.unit, b->vary.unit};
  curves *k = bri_arena_get(b->arena, sizeof *k);
  if (!k) return no_memory(err);
  k->b = b;
  /* a line of events costs little along sigma1 and about a second along others */
  const int fast = strcmp(b->vary.name, "sigma1") == 0 || strcmp(b->vary2.name, "sigma1") == 0;
  const br_case_map_settings set = {
      b->vary.name, b->vary2.name, b->vary.a, b->vary.b,
      b->vary2.a,   b->vary2.b,    0,         b->grid >= 2 ? b->grid : fast ? 120 : 30,
      b->threads,   alive,         b};
  br_status st = br_phase_curves(&b->problem, &set, keep, k, err);
  for (int t = 0; t < BR_PHASE_EVENT_TYPES && !st; t++) {
    char name[64];
    const double *const columns[] = {k->x[t], k->y[t]};
    if (!k->n[t]) continue;
    (void)snprintf(name, sizeof name, "curve-%s", br_phase_event_name((br_phase_event_type)t));
    st = bri_phase_table(b, name, 2, names, units, columns, k->n[t], err);
  }
  return st;
}

/* ---- levels: force of steady sliding without its viscous part ---- */

static double level(const bri_phase_job *b, double v)
{
  const br_model *m = b->problem.model;
  double u = 0, z0 = 0, z1 = 1, r0, r1, F, zero = 0, still = 0;
  m->rate(b->problem.par, 1, &u, &v, &z0, &r0);
  m->rate(b->problem.par, 1, &u, &v, &z1, &r1);
  const double z = r0 / (r0 - r1);
  m->force(b->problem.par, 1, &u, &still, &z, &zero, &F);
  return F;
}

static double level_slope(const bri_phase_job *b, double v)
{
  const double h = 1e-4 * v;
  return (8 * (level(b, v + h) - level(b, v - h)) - (level(b, v + 2 * h) - level(b, v - 2 * h))) / (12 * h);
}

static double parameter(const bri_phase_job *b, const char *name)
{
  const br_param *row = br_model_param(b->problem.model, name);
  return row ? b->problem.par[row->slot] : NAN;
}

/* The range of velocities shown. */
static double fastest(const bri_phase_job *b) { return 3.25 * parameter(b, "vs"); }

/* v -> level + damping v - falling v level', for n velocities up to the fastest. */
static br_status level_table(bri_phase_job *b, const char *name, double damping, double falling, br_err *err)
{
  double v[CURVE], F[CURVE];
  const double *const columns[] = {v, F};
  for (int i = 0; i < CURVE; i++) {
    v[i] = fastest(b) * (i + 1) / CURVE;
    F[i] = level(b, v[i]) + damping * v[i];
    if (falling > 0) F[i] -= v[i] * level_slope(b, v[i]);
  }
  return bri_phase_table(b, name, 2, FORCE, FORCE_UNIT, columns, CURVE, err);
}

/* Folds of equilibria of this block's own sigma2: where its line meets a0 = 0 (sigma2 + level' = 0). */
static br_status folds(bri_phase_job *b, br_err *err)
{
  enum { N = 2000 };
  const double here = parameter(b, "sigma2");
  double before = NAN;
  size_t count = 0;
  br_status st = BR_OK;
  for (int i = 1; i <= N && !st; i++) {
    double lo = fastest(b) * (i - 1) / N, hi = fastest(b) * i / N;
    const double now = here + level_slope(b, hi);
    const int crosses = !isnan(before) && (before > 0) != (now > 0);
    for (int k = 0; k < 60 && crosses; k++) {
      const double mid = 0.5 * (lo + hi);
      if ((here + level_slope(b, mid) > 0) == (before > 0)) lo = mid;
      else hi = mid;
    }
    before = now;
    const double F = level(b, hi) + here * hi;
    if (!crosses || F < b->vary.a || F > b->vary.b) continue;
    char name[48];
    const double *const columns[] = {&hi, &F};
    (void)snprintf(name, sizeof name, "fold_here%zu", count);
    bri_sink_number(b->out, "m/s", hi, "fold_of_equilibria.%zu.v", count);
    bri_sink_number(b->out, "N", F, "fold_of_equilibria.%zu.F", count++);
    st = bri_phase_table(b, name, 2, FORCE, FORCE_UNIT, columns, 1, err);
  }
  return st;
}

/* Sliding equilibria over force and velocity: a family over sigma2, its limits, where a0 = 0, this block's
 * own line and its equilibria. */
br_status bri_phase_levels(bri_phase_job *b, br_err *err)
{
  const double damping = (parameter(b, "Fs") - parameter(b, "Fc")) / parameter(b, "vs");
  const double top = parameter(b, "Fs"), here = parameter(b, "sigma2"), rest[] = {0, 0},
               ends[] = {top, fmax(top, b->vary.b)}, frame_v[] = {-0.03 * fastest(b), fastest(b)},
               frame_F[] = {b->vary.a, b->vary.b};
  const double *const limit[] = {rest, ends}, *const frame[] = {frame_v, frame_F};
  char name[48], label[64];
  br_status st = BR_OK;
  for (int k = 0; k < FAMILY && !st; k++) {
    (void)snprintf(name, sizeof name, "family%d", k);
    st = level_table(b, name, damping * 0.05 * pow(1.6, k), 0, err);
  }
  if (!st) st = bri_phase_table(b, "force_window", 2, FORCE, FORCE_UNIT, frame, 2, err);
  if (!st) st = level_table(b, "sigma2_zero", 0, 0, err);
  if (!st) st = level_table(b, "a0_zero", 0, 1, err);
  if (!st) st = bri_phase_table(b, "sigma2_infinite", 2, FORCE, FORCE_UNIT, limit, 2, err);
  if (!st) st = level_table(b, "sigma2_here", here, 0, err);
  (void)snprintf(label, sizeof label, "sigma2 = %.6g", here);
  bri_sink_label(b->out, label, "sigma2_here.label");
  for (size_t i = 0; i < b->nat && !st; i++) {
    br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
    double v[BR_PHASE_MOST_EQUILIBRIA], F[BR_PHASE_MOST_EQUILIBRIA];
    const double *const columns[] = {v, F};
    size_t n = 0, k = 0;
    st = bri_phase_equilibria(b, b->at[i], q, &n, err);
    for (size_t j = 1; j < n && j < BR_PHASE_MOST_EQUILIBRIA && !st; j++) v[k] = q[j].v, F[k++] = b->at[i];
    (void)snprintf(name, sizeof name, "sliding_here%zu", i);
    if (!st && k) st = bri_phase_table(b, name, 2, FORCE, FORCE_UNIT, columns, k, err);
  }
  return st ? st : folds(b, err);
}

/* ---- Hopf diagram ---- */

/* Lyapunov coefficient of the equilibrium at v under F. */
static double coefficient(const bri_phase_job *b, double v, double F)
{
  double L = NAN;
  return br_phase_hopf_diagram(&b->problem, 1, &v, 1, &F, &L, NULL) ? NAN : L;
}

enum { GENERALIZED = 8 };
/* Along the equilibria of this block's own sigma2: where the coefficient changes sign. */
static br_status generalized(bri_phase_job *b, const br_phase_event *e, size_t n, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < n && !st; i++) {
    char name[48];
    const double *const columns[] = {&e[i].v, &e[i].value};
    (void)snprintf(name, sizeof name, "generalized%zu", i);
    bri_sink_label(b->out, "generalised Hopf", "%s.label", name);
    bri_sink_number(b->out, "m/s", e[i].v, "generalized_hopf.%zu.v", i);
    bri_sink_number(b->out, "N", e[i].value, "generalized_hopf.%zu.F", i);
    st = bri_phase_table(b, name, 2, FORCE, FORCE_UNIT, columns, 1, err);
  }
  return st;
}

/* Between two places where the coefficient differs in sign (start: at the first): the part of the way to its
 * zero. */
static double crossing(const bri_phase_job *b, double v0, double F0, double v1, double F1, double start)
{
  double lo = 0, hi = 1;
  for (int k = 0; k < 30; k++) {
    const double mid = 0.5 * (lo + hi), L = coefficient(b, v0 + mid * (v1 - v0), F0 + mid * (F1 - F0));
    if (isnan(L)) return 0.5;
    if ((L > 0) == (start > 0)) lo = mid;
    else hi = mid;
  }
  return 0.5 * (lo + hi);
}

/* Zero line of L over the grid: in each square between four known corners, a piece from side to side. */
static br_status zero_line(bri_phase_job *b, size_t n, const double *v, const double *F, const double *L,
                           br_err *err)
{
  br_status st = bri_sink_table(b->out, "lyapunov_zero", 2, FORCE, FORCE_UNIT, err);
  const double gap[] = {NAN, NAN};
  for (size_t i = 0; i + 1 < n && !st; i++) {
    for (size_t j = 0; j + 1 < n && !st; j++) {
      const size_t I[] = {i, i + 1, i + 1, i, i}, J[] = {j, j, j + 1, j + 1, j};
      double p[4][2];
      size_t found = 0;
      for (int k = 0; k < 4; k++) {
        const double a = L[I[k] * n + J[k]], c = L[I[k + 1] * n + J[k + 1]];
        if (isnan(a) || isnan(c) || (a > 0) == (c > 0)) continue;
        const double f = crossing(b, v[I[k]], F[J[k]], v[I[k + 1]], F[J[k + 1]], a);
        p[found][0] = v[I[k]] + f * (v[I[k + 1]] - v[I[k]]);
        p[found++][1] = F[J[k]] + f * (F[J[k + 1]] - F[J[k]]);
      }
      if (found < 2) continue;
      st = bri_sink_row(b->out, p[0], err);
      if (!st) st = bri_sink_row(b->out, p[1], err);
      if (!st) st = bri_sink_row(b->out, gap, err);
    }
  }
  return st ? st : bri_sink_end(b->out, err);
}

br_status bri_phase_hopf(bri_phase_job *b, br_err *err)
{
  static const char *const NAMES[] = {"v", "F", "lyapunov", "kind"}, *const UNITS[] = {"m/s", "N", "1", "1"};
  static const char *const KIND[] = {"", "supercritical", "subcritical"};
  const size_t n = b->grid >= 2 ? b->grid : 200;
  size_t count[3] = {0};
  double *v = bri_arena_get(b->arena, (2 * n + n * n) * sizeof *v);
  if (!v) return no_memory(err);
  double *F = v + n, *L = F + n, top = fastest(b);
  br_phase_event points[GENERALIZED];
  size_t found = 0;
  br_status st =
      br_phase_generalized_hopf(&b->problem, b->vary.a, b->vary.b, GENERALIZED, points, &found, err);
  if (st) return st;
  found = found < GENERALIZED ? found : GENERALIZED;
  for (size_t i = 0; i < found; i++) top = fmax(top, 1.2 * points[i].v); /* what is listed is shown */
  for (size_t i = 0; i < n; i++) {
    v[i] = top * ((double)i + 0.5) / (double)n;
    F[i] = b->vary.a + (b->vary.b - b->vary.a) * ((double)i + 0.5) / (double)n;
  }
  st = br_phase_hopf_diagram(&b->problem, n, v, n, F, L, err);
  if (!st) st = bri_sink_table(b->out, "criticality", 4, NAMES, UNITS, err);
  for (size_t i = 0; i < n && !st; i++) {
    for (size_t j = 0; j < n && !st; j++) {
      const double x = L[i * n + j], row[] = {v[i], F[j], x, isnan(x) ? NAN : x > 0 ? 2 : 1};
      count[isnan(x) ? 0 : x > 0 ? 2 : 1]++;
      st = bri_sink_row(b->out, row, err);
    }
  }
  if (!st) st = bri_sink_end(b->out, err);
  for (int k = 1; k < 3 && !st; k++) {
    bri_sink_label(b->out, KIND[k], "criticality.name.%d", k);
    bri_sink_number(b->out, "1", (double)count[k] / (double)(n * n), "criticality.%s", KIND[k]);
  }
  if (!st) st = zero_line(b, n, v, F, L, err);
  return st ? st : generalized(b, points, found, err);
}
