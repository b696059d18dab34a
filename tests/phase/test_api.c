/* SPDX-License-Identifier: Apache-2.0
 * test_api.c - the public functions: errors, mirror image, maps, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "kit.h"
#include "support/near.h"
#include "base/alloc.h"

static void refuses(void **state)
{
  kit k;
  br_phase *ph = (br_phase *)1;
  br_err err;
  kit_figure5(&k);
  br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma9", 1, 2, &ph, &err), BR_E_NAME);
  assert_non_null(strstr(err.msg, "sigma9"));
  assert_null(ph);
  static const struct {
    const char *name;
    double a, b;
    br_status want;
  } BAD[] = {{"sigma1", 2, 1, BR_E_ARG},
             {"sigma1", 1, 1, BR_E_ARG},
             {"sigma1", -1, 2, BR_E_RANGE},
             {"sigma1", NAN, 2, BR_E_ARG},
             {"sigma1", 1, INFINITY, BR_E_RANGE},
             {"Fs", 0.5, 3, BR_E_RANGE},
             {"Fc", 1, 6, BR_E_RANGE},
             {"m", 0, 1, BR_E_RANGE},
             {"vs", 0, 1, BR_E_RANGE},
             {"delta", -1, 1, BR_E_RANGE}};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    assert_int_equal(br_phase_create(&p, BAD[i].name, BAD[i].a, BAD[i].b, &ph, &err), BAD[i].want);
    assert_null(ph);
  }
  assert_int_equal(br_phase_create(NULL, "sigma1", 1, 2, &ph, &err), BR_E_ARG);
  p.m = NAN;
  assert_int_equal(br_phase_create(&p, "sigma1", 1, 2, &ph, &err), BR_E_RANGE);
  p.m = 1;
  p.F = NAN;
  assert_int_equal(br_phase_create(&p, "sigma1", 1, 2, &ph, &err), BR_E_NAN);
  br_phase_destroy(NULL);
}

/* F < 0 is F > 0 seen in a mirror. */
static void mirror(void **state)
{
  kit k;
  br_phase *a, *b;
  br_err err;
  size_t n, m;
  kit_figure5(&k);
  br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 12, &a, &err), BR_OK);
  p.F = -p.F;
  assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 12, &b, &err), BR_OK);
  const br_phase_event *x = br_phase_events(a, &n), *y = br_phase_events(b, &m);
  assert_int_equal(n, m);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(x[i].type, y[i].type);
    near(x[i].value, y[i].value, 0);
    if (!isnan(x[i].v)) near(x[i].v, -y[i].v, 0);
  }
  br_phase_cycle c[BR_PHASE_MOST_CYCLES], d[BR_PHASE_MOST_CYCLES];
  assert_int_equal(br_phase_cycles(a, 8.45, BR_PHASE_MOST_CYCLES, c, &n, &err), BR_OK);
  assert_int_equal(br_phase_cycles(b, 8.45, BR_PHASE_MOST_CYCLES, d, &m, &err), BR_OK);
  assert_int_equal(n, 2);
  assert_int_equal(m, 2);
  for (size_t i = 0; i < n; i++) {
    near(c[i].v_max, -d[i].v_min, 0);
    near(c[i].z_min, -d[i].z_max, 0);
    near(c[i].lag_total, d[i].lag_total, 1e-12);
  }
  br_phase_destroy(a);
  br_phase_destroy(b);
}

/* Nothing slides, nothing oscillates: no events, and no failure. */
static void quiet_blocks(void **state)
{
  static const double F[] = {0, 0.5, 2.2, 5, 1e6, 1e-12};
  for (size_t i = 0; i < sizeof F / sizeof F[0]; i++) {
    kit k;
    br_phase *ph;
    br_err err;
    br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
    size_t n;
    kit_figure5(&k);
    k.F = F[i];
    const br_phase_problem p = kit_problem(&k);
    assert_int_equal(br_phase_create(&p, "sigma1", 0, 12, &ph, &err), BR_OK);
    assert_int_equal(br_phase_equilibria(ph, 3, BR_PHASE_MOST_EQUILIBRIA, e, &n, &err), BR_OK);
    assert_true(n >= 1);
    near(e[0].z, F[i] / 5, 1e-15 * F[i]);
    assert_int_equal(e[0].kind, BR_EQUILIBRIUM_STICK);
    if (F[i] < 5) assert_string_equal(e[0].type, e[0].im[1] > 0 ? "stable focus" : "stable node");
    assert_int_equal(br_phase_equilibria(ph, NAN, BR_PHASE_MOST_EQUILIBRIA, e, &n, &err), BR_E_RANGE);
    br_phase_destroy(ph);
  }
  /* no Stribeck effect, no viscous friction: flat curves */
  for (int i = 0; i < 2; i++) {
    kit k;
    br_phase *ph;
    br_err err;
    size_t n;
    kit_figure5(&k);
    kit_set(&k, i ? "Fs" : "sigma2", i ? 1 : 0);
    kit_ready(&k);
    const br_phase_problem p = kit_problem(&k);
    assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 12, &ph, &err), BR_OK);
    (void)br_phase_events(ph, &n);
    assert_int_equal(n, 0);
    assert_string_equal(br_phase_case(ph), "none");
    br_phase_destroy(ph);
  }
}

/* Along F and along sigma2 the same curves are met as along sigma1. */
static void other_parameters(void **state)
{
  static const char *const NAMES[] = {"F", "sigma2", "sigma0", "m", "Fs"};
  for (size_t v = 0; v < sizeof NAMES / sizeof NAMES[0]; v++) {
    kit k;
    br_phase *ph;
    br_err err;
    size_t n;
    kit_figure5(&k);
    kit_set(&k, "sigma1", 8.5);
    kit_ready(&k);
    br_phase_problem p = kit_problem(&k);
    const double x0 = v == 0 ? 5.704 : v == 1 ? 1.6 : v == 2 ? 5 : v == 3 ? 1 : 5;
    const double part = v == 2 || v == 3 ? 0.15 : 0.03;
    assert_int_equal(br_phase_create(&p, NAMES[v], (1 - part) * x0, (1 + part) * x0, &ph, &err), BR_OK);
    const br_phase_event *e = br_phase_events(ph, &n);
    int met = 0;
    for (size_t i = 0; i < n; i++) {
      if (e[i].type != BR_PHASE_HOPF && e[i].type != BR_PHASE_HOMOCLINIC) continue;
      kit q = k;
      br_phase *along;
      size_t m, best = 0;
      kit_set(&q, NAMES[v], e[i].value);
      kit_ready(&q);
      const br_phase_problem r = kit_problem(&q);
      assert_int_equal(br_phase_create(&r, "sigma1", 0.1, 30, &along, &err), BR_OK);
      const br_phase_event *f = br_phase_events(along, &m);
      double miss = INFINITY;
      for (size_t j = 0; j < m; j++) {
        if (f[j].type == e[i].type && fabs(f[j].value - 8.5) < miss) miss = fabs(f[j].value - 8.5), best = j;
      }
      near(f[best].value, 8.5, 1e-9);
      br_phase_destroy(along);
      met++;
    }
    if (met < 1) fail_msg("%s: nothing met", NAMES[v]);
    br_phase_destroy(ph);
  }
}

static int stop_soon(void *ctx, double done)
{
  (void)ctx;
  return done > 0.2;
}

static void case_map(void **state)
{
  enum { N = 9 };
  kit k;
  br_err err;
  unsigned char one[N * N], two[N * N];
  char a[BR_CASE_NAMES][BR_CASE_NAME], b[BR_CASE_NAMES][BR_CASE_NAME];
  size_t na, nb;
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  br_case_map_settings s = {"F", "sigma2", 4, 6.5, 0.8, 2, N, N, 1, NULL, NULL};
  assert_int_equal(br_phase_case_map(&p, &s, one, a, &na, &err), BR_OK);
  s.threads = 4;
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_OK);
  assert_int_equal(na, nb);
  assert_memory_equal(one, two, sizeof one);
  for (size_t i = 0; i < na; i++) assert_string_equal(a[i], b[i]);
  /* each cell has the name that the full analysis gives */
  for (size_t i = 0; i < N; i += 2) {
    for (size_t j = 1; j < N; j += 2) {
      br_phase *ph;
      kit q = k;
      kit_set(&q, "F", 4 + 2.5 * (double)i / (N - 1));
      kit_set(&q, "sigma2", 0.8 + 1.2 * (double)j / (N - 1));
      kit_ready(&q);
      const br_phase_problem r = kit_problem(&q);
      assert_int_equal(br_phase_create(&r, "sigma1", 0.1, 12, &ph, &err), BR_OK);
      assert_string_equal(br_phase_case(ph), a[one[i * N + j]]);
      br_phase_destroy(ph);
    }
  }
  s.progress = stop_soon;
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_INTERRUPTED);
  s.vary2 = "sigma1";
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_E_ARG);
  s.vary2 = "F";
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_E_ARG);
  s.vary2 = "sigma2", s.n1 = 0;
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_E_SIZE);
  s.n1 = 3, s.n2 = 0;
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_E_SIZE);
  s.n2 = 10001;
  assert_int_equal(br_phase_case_map(&p, &s, two, b, &nb, &err), BR_E_SIZE);
}

static void hopf_diagram(void **state)
{
  kit k;
  br_err err;
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  /* asymptote of the sign change for large F and the island of delta = 1 (docs/corrections.md#002) */
  const double v[] = {1.0, 1.6, 3.0, 3.95}, F[] = {1e5};
  double L[4];
  assert_int_equal(br_phase_hopf_diagram(&p, 4, v, 1, F, L, &err), BR_OK);
  assert_true(L[0] > 0 && L[1] < 0 && L[2] < 0 && L[3] > 0); /* zeros at 1.04316 and 3.85687 */
  kit_set(&k, "delta", 1);
  kit_ready(&k);
  const double w[] = {0.3, 0.3}, G[] = {5.1, 6};
  assert_int_equal(br_phase_hopf_diagram(&p, 2, w, 2, G, L, &err), BR_OK);
  (void)L;
  const br_phase_problem q = kit_problem(&k);
  assert_int_equal(br_phase_hopf_diagram(&q, 1, w, 2, G, L, &err), BR_OK);
  assert_true(L[0] > 0 && L[1] < 0);
  const double bad[] = {0};
  assert_int_equal(br_phase_hopf_diagram(&q, 1, bad, 2, G, L, &err), BR_E_RANGE);
}

typedef struct {
  size_t curves[6], points, begun[6];
  double end[2];
} seen;

static br_status count_curve(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  seen *s = ctx;
  for (size_t i = 0; i < n; i++) {
    if (!(v[i] > -1e-9) || !isfinite(z[i])) return BR_E_NAN;
  }
  s->curves[kind]++;
  if (!(z[0] == s->end[0] && v[0] == s->end[1])) s->begun[kind]++; /* a long one comes in pieces */
  s->end[0] = z[n - 1], s->end[1] = v[n - 1];
  s->points += n;
  return BR_OK;
}

static br_status refuse_curve(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  (void)ctx, (void)kind, (void)z, (void)v, (void)n;
  return BR_INTERRUPTED;
}

static br_status count_branch(void *ctx, int stable, const double *s1, const double *lo, const double *hi,
                              size_t n)
{
  seen *s = ctx;
  for (size_t i = 0; i < n; i++) {
    if (!(hi[i] > lo[i]) || !(lo[i] > 0) || !isfinite(s1[i])) return BR_E_NAN;
  }
  s->curves[stable]++;
  return BR_OK;
}

static void pictures(void **state)
{
  kit k;
  br_phase *ph;
  br_err err;
  seen s = {{0}, 0, {0}, {0}};
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 12, &ph, &err), BR_OK);
  assert_int_equal(br_phase_portrait(ph, 8.45, count_curve, &s, &err), BR_OK);
  for (int i = 0; i < 6; i++) assert_true(s.curves[i] >= 1);
  /* of its three equilibria one is a saddle: two ways in, two ways out */
  assert_true(s.begun[BR_CURVE_STABLE_MANIFOLD] == 2 && s.begun[BR_CURVE_UNSTABLE_MANIFOLD] == 2);
  assert_true(s.points > 1000);
  assert_int_equal(br_phase_portrait(ph, 8.45, refuse_curve, &s, &err), BR_INTERRUPTED);
  memset(&s, 0, sizeof s);
  assert_int_equal(br_phase_branches(ph, count_branch, &s, &err), BR_OK);
  assert_true(s.curves[0] >= 2 && s.curves[1] >= 2);
  /* basins at 8.25: close to y1 ends there, outside the heteroclinic boundary in the cycle */
  const double z[] = {0.86, 0.5}, v[] = {0.88, 4};
  unsigned char cell[4];
  assert_int_equal(br_phase_basins(ph, 8.25, 2, z, 2, v, cell, &err), BR_OK);
  assert_int_equal(cell[0], 1);
  assert_int_equal(cell[3], 4);
  br_phase_destroy(ph);
}

/* Where pieces of different stability meet. */
typedef struct {
  double end, met[4];
  int stable, n;
} meeting;

static br_status meet(void *ctx, int stable, const double *s1, const double *lo, const double *hi, size_t n)
{
  meeting *m = ctx;
  if (m->stable >= 0 && stable != m->stable && s1[0] == m->end && m->n < 4) m->met[m->n++] = s1[0];
  (void)lo, (void)hi;
  m->stable = stable, m->end = s1[n - 1];
  return BR_OK;
}

/* A curve of cycles changes its stability at the fold of cycles, not at a sample somewhere behind it. */
static void pieces_meet_at_the_fold(void **state)
{
  kit k;
  br_phase *ph;
  br_err err;
  size_t n = 0;
  double fold = NAN;
  meeting m = {NAN, {0}, -1, 0};
  (void)state;
  kit_figure5(&k);
  kit_set(&k, "delta", 1), kit_set(&k, "F", 4.965), kit_set(&k, "sigma2", 1.71);
  kit_ready(&k);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 12, 29, &ph, &err), BR_OK);
  const br_phase_event *e = br_phase_events(ph, &n);
  for (size_t i = 0; i < n; i++)
    if (e[i].type == BR_PHASE_FOLD_OF_CYCLES) fold = e[i].value;
  near(fold, 12.7205, 1e-3);
  assert_int_equal(br_phase_branches(ph, meet, &m, &err), BR_OK);
  assert_int_equal(m.n, 1);
  near(m.met[0], fold, 1e-5 * fold);
  br_phase_destroy(ph);
}

/* Imposed velocity: against the model's own step at held velocity, many small ones. */
static void imposed_lag(void **state)
{
  enum { N = 200000 };
  kit k;
  br_lag lag;
  br_err err;
  kit_figure5(&k);
  assert_int_equal(br_phase_lag(k.model, k.par, 1, 0.5, 0.1, &lag, &err), BR_OK);
  const double h = 10.0 / N, w = 2 * 3.14159265358979323846 * 0.1;
  double z = 0, u = 0, total = 0, elastic = 0;
  for (int round = 0; round < 4; round++) {
    total = elastic = 0;
    for (int i = 0; i < N; i++) {
      double v = 1 + 0.5 * sin(w * (i + 0.5) * h), dz, F, before = z;
      const double dv = 0.5 * w * cos(w * (i + 0.5) * h) * h;
      k.model->step(k.par, 1, &u, &v, h, &z);
      double mid = 0.5 * (before + z);
      k.model->rate(k.par, 1, &u, &v, &mid, &dz);
      k.model->force(k.par, 1, &u, &v, &mid, &dz, &F);
      total += F * dv;
      elastic += 5 * mid * dv;
    }
  }
  near(lag.total, total, 1e-6 * fabs(total));
  near(lag.elastic, elastic, 1e-6 * fabs(elastic));
  assert_true(lag.total < 0 && lag.elastic > 0);
  assert_int_equal(br_phase_lag(k.model, k.par, 1, 1, 0.1, &lag, &err), BR_E_RANGE);
  assert_int_equal(br_phase_lag(k.model, k.par, 1, 0.5, 0, &lag, &err), BR_E_RANGE);
  assert_int_equal(br_phase_lag(k.model, k.par, NAN, 0.5, 1, &lag, &err), BR_E_RANGE);
}

/* Generalised Hopf points lie on the Hopf curve where the coefficient vanishes. */
typedef struct {
  int points, hopf;
  double worst;
  double at[2];
  int types[BR_PHASE_EVENT_TYPES];
} found;

static br_status see_event(void *ctx, const br_phase_event *e)
{
  found *f = ctx;
  f->hopf += e->type == BR_PHASE_HOPF;
  if (e->type != BR_PHASE_GENERALIZED_HOPF) return BR_OK;
  f->points++;
  f->at[0] = e->value, f->at[1] = e->value2;
  f->worst = fmax(f->worst, fabs(e->lyapunov));
  return BR_OK;
}

static void curves(void **state)
{
  kit k;
  br_err err;
  found f = {0};
  kit_figure5(&k);
  kit_set(&k, "sigma2", 2);
  kit_ready(&k);
  const br_phase_problem p = kit_problem(&k);
  br_case_map_settings s = {"sigma1", "F", 0.1, 200, 5.5, 9, 0, 5, 1, NULL, NULL};
  assert_int_equal(br_phase_curves(&p, &s, see_event, &f, &err), BR_OK);
  assert_int_equal(f.hopf, 5);
  assert_int_equal(f.points, 2); /* v = 1.04 and 3.86 m/s in the limit of large sigma2 */
  near(f.worst, 0, 1e-12);
  /* the same plane with axes exchanged */
  const br_case_map_settings across = {"F", "sigma1", 5.5, 9, 0.1, 200, 0, 5, 2, NULL, NULL};
  found g = {0};
  assert_int_equal(br_phase_curves(&p, &across, see_event, &g, &err), BR_OK);
  assert_int_equal(g.hopf, 5);
  assert_int_equal(g.points, 2);
  near(g.at[0], f.at[1], 1e-12);
  near(g.at[1], f.at[0], 1e-12);
  s.vary2 = "sigma1";
  assert_int_equal(br_phase_curves(&p, &s, see_event, &f, &err), BR_E_ARG);
  s.vary2 = "nothing";
  assert_int_equal(br_phase_curves(&p, &s, see_event, &f, &err), BR_E_NAME);
  assert_int_equal(br_phase_curves(&p, NULL, see_event, &f, &err), BR_E_ARG);
}

/* Two parameters neither of which is sigma1: each event is one along sigma1 there, and the generalised Hopf
 * point is the one that sigma1 and the second parameter have for the first one's value. */
static br_status see_cross(void *ctx, const br_phase_event *e)
{
  found *f = ctx;
  kit k;
  br_err err;
  br_phase *line;
  size_t n;
  double best = INFINITY;
  f->types[e->type]++;
  if (e->type == BR_PHASE_FOLD || e->type == BR_PHASE_GENERALIZED_HOPF) return BR_OK;
  kit_figure5(&k);
  kit_set(&k, "F", e->value);
  kit_set(&k, "sigma2", e->value2);
  kit_ready(&k);
  const br_phase_problem p = kit_problem(&k);
  assert_int_equal(br_phase_create(&p, "sigma1", 4, 12, &line, &err), BR_OK);
  const br_phase_event *a = br_phase_events(line, &n);
  for (size_t i = 0; i < n; i++) best = a[i].type == e->type ? fmin(best, fabs(a[i].value - 8.25)) : best;
  near(best, 0, 2e-8);
  br_phase_destroy(line);
  return BR_OK;
}

static void curves_of_two(void **state)
{
  kit k;
  br_err err;
  found f = {0};
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  const br_case_map_settings s = {"F", "sigma2", 5.4, 6, 1.55, 1.65, 0, 3, 2, NULL, NULL};
  assert_int_equal(br_phase_curves(&p, &s, see_cross, &f, &err), BR_OK);
  assert_int_equal(f.types[BR_PHASE_FOLD], 6); /* two at each sigma2 */
  assert_true(f.types[BR_PHASE_HOPF] >= 3);
  assert_true(f.types[BR_PHASE_HOMOCLINIC] >= 3);
  assert_true(f.types[BR_PHASE_FOLD_OF_CYCLES] >= 2);
}

/* Cells of case maps that are easily got wrong (folds hidden between samples or beside the homoclinic
 * orbit, spurious ones), by the quick way of maps and by the thorough one.  Folds were seen by
 * continuation too, save those beside the orbit, which its saddle quantity demands. */
static void difficult_cells(void **state)
{
  static const struct {
    double delta, F, sigma2;
    const char *name;
  } CELLS[] = {{1, 4.834783, 0.965217, "Sup_F_HC"},   {1, 4.895652, 0.595652, "Sub_F_F_HC"},
               {1, 4.865217, 0.669565, "Sub_F_F_HC"}, {2, 7.869347, 1.957286, "Sup_F_F"},
               {1, 4.985, 1.7, "Sub_F_F_HC"},         {1, 4.965, 1.71, "Sub_F_HC"},
               {2, 5.648241, 1.378392, "Sup_F_F"},    {2, 7.967337, 1.824623, "Sub_F"}};
  for (size_t i = 0; i < sizeof CELLS / sizeof CELLS[0]; i++) {
    kit k;
    br_err err;
    br_phase *ph;
    unsigned char cell;
    char names[BR_CASE_NAMES][BR_CASE_NAME];
    size_t n;
    kit_figure5(&k);
    kit_set(&k, "delta", CELLS[i].delta);
    kit_set(&k, "F", CELLS[i].F);
    kit_set(&k, "sigma2", CELLS[i].sigma2);
    kit_ready(&k);
    const br_phase_problem p = kit_problem(&k);
    const br_case_map_settings s = {"F", "sigma2", CELLS[i].F, 9, CELLS[i].sigma2, 3, 1, 1, 1, NULL, NULL};
    assert_int_equal(br_phase_case_map(&p, &s, &cell, names, &n, &err), BR_OK);
    assert_string_equal(names[cell], CELLS[i].name);
    assert_int_equal(br_phase_create(&p, "sigma1", 0.1, 70, &ph, &err), BR_OK);
    assert_string_equal(br_phase_case(ph), CELLS[i].name);
    br_phase_destroy(ph);
  }
}

static void out_of_memory(void **state)
{
#ifdef BR_TESTING
  kit k;
  br_err err;
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  const long live = bri_alloc_live();
  for (long i = 0; i < 3; i++) {
    br_phase *ph = NULL;
    size_t n;
    bri_alloc_fail_after(i);
    const br_status st = br_phase_create(&p, "sigma1", 0.1, 9, &ph, &err);
    if (i == 0) assert_int_equal(st, BR_E_NOMEM);
    br_phase_cycle c[BR_PHASE_MOST_CYCLES];
    if (!st && i == 1)
      assert_int_equal(br_phase_cycles(ph, 20, BR_PHASE_MOST_CYCLES, c, &n, &err), BR_E_NOMEM);
    bri_alloc_fail_after(-1);
    br_phase_destroy(ph);
  }
  assert_int_equal(bri_alloc_live(), live);
#else
  skip();
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses),
      cmocka_unit_test(mirror),
      cmocka_unit_test(quiet_blocks),
      cmocka_unit_test(case_map),
      cmocka_unit_test(hopf_diagram),
      cmocka_unit_test(other_parameters),
      cmocka_unit_test(imposed_lag),
      cmocka_unit_test(curves),
      cmocka_unit_test(curves_of_two),
      cmocka_unit_test(difficult_cells),
      cmocka_unit_test(pictures),
      cmocka_unit_test(out_of_memory),
      cmocka_unit_test(pieces_meet_at_the_fold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
