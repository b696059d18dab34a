/* SPDX-License-Identifier: Apache-2.0
 * test_branch.c - branches of cycles by continuation, against closed orbits found in other ways: the
 * sections of the driven block, plain time integration, and each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "bristle/solve.h"
#include "kit.h"
#include "support/near.h"
#include "support/rng.h"
#include "base/alloc.h"

typedef struct {
  kit k;
  double spar[64], held[8];
  br_phase_plant p;
} setting;

static void make(setting *s, const char *system)
{
  const br_system *sys = br_system_find(system);
  assert_non_null(sys);
  assert_true(sys->slots <= 64);
  memset(s, 0, sizeof *s);
  kit_figure5(&s->k);
  sys->defaults(s->spar);
  for (size_t i = 0; i < sys->nparam; i++) {
    if (strcmp(sys->params[i].name, "m") == 0) s->spar[sys->params[i].slot] = 1;
    if (strcmp(sys->params[i].name, "k") == 0) s->spar[sys->params[i].slot] = 2;
  }
  sys->prepare(s->spar);
  s->held[0] = s->k.F;
  s->p = (br_phase_plant){sys, s->spar, s->k.model, s->k.par, s->held, {NULL, NULL}};
}

/* Document 1's block with viscous friction. */
static void make_pulled(setting *s)
{
  make(s, "pulled_block");
  kit_document1(&s->k);
}

static const br_phase_row *row_at(const br_phase_branch *b, double value, int stable)
{
  size_t n;
  const br_phase_row *r = br_phase_branch_rows(b, &n);
  for (size_t i = 0; i < n; i++) {
    if (r[i].value == value && r[i].stable == stable) return &r[i];
  }
  fail_msg("no row at %.9g", value);
  return NULL;
}

static double event_near(const br_phase_branch *b, br_phase_event_type type, double value)
{
  size_t n;
  const br_phase_event *e = br_phase_branch_events(b, &n);
  double best = NAN;
  for (size_t i = 0; i < n; i++) {
    if (e[i].type == type && !(fabs(e[i].value - value) >= fabs(best - value))) best = e[i].value;
  }
  return best;
}

/* The cycle a block pulled at vp reaches from rest; its point and period. */
static void from_rest(const setting *s, double vp, double *x, br_cycle *y, double *lo, double *hi,
                      double *multiplier)
{
  br_plant *plant;
  br_solver *solver;
  br_err err;
  const br_drive drive = {.value = vp};
  const br_cycle_settings set = br_cycle_settings_default();
  double M[3][3];
  assert_int_equal(br_plant_create(s->p.system, s->spar, s->k.model, s->k.par, &drive, &plant, &err), BR_OK);
  assert_int_equal(br_cycle_find(plant, NULL, &set, NULL, y, x, lo, hi, &err), BR_OK);
  /* derivative of the state after one period by differences */
  assert_int_equal(br_solver_create(plant, NULL, &solver, &err), BR_OK);
  for (int j = 0; j < 3; j++) {
    const double d = 1e-6 * (hi[j] - lo[j]);
    double z[2][3], start[3];
    for (int side = 0; side < 2; side++) {
      memcpy(start, x, sizeof start);
      start[j] += side ? d : -d;
      assert_int_equal(br_solver_start(solver, 0, start, &err), BR_OK);
      assert_int_equal(br_solver_advance(solver, y->period, z[side], &err), BR_OK);
    }
    for (int i = 0; i < 3; i++) M[i][j] = (z[1][i] - z[0][i]) / (2 * d);
  }
  *multiplier = M[0][0] + M[1][1] + M[2][2] - 1; /* the third is beyond counting */
  br_solver_destroy(solver);
  br_plant_destroy(plant);
}

/* Hopf point, unstable branch, folds, period doublings, stick-slip: one branch, walked from either end. */
static void pulled_block(void **state)
{
  setting s;
  br_err err;
  br_phase_event hopf;
  br_phase_branch *up, *down;
  br_cycle y;
  double x[8], lo[8], hi[8], multiplier;
  size_t n, m;
  const double at[] = {0.6, 1.3168};
  br_phase_branch_settings set = br_phase_branch_settings_default();
  set.at = at, set.nat = 2;
  make_pulled(&s);
  assert_int_equal(br_phase_hopf_points(&s.p, BR_VARY_INPUT, 0, 0.3, 3, 1, &hopf, &n, &err), BR_OK);
  assert_int_equal(n, 1);
  near(hopf.value, 0.429745271, 1e-9);
  assert_int_equal(br_phase_branch_from_hopf(&s.p, BR_VARY_INPUT, 0, 0.3, 3, &hopf, &set, &up, &err), BR_OK);
  assert_int_equal(br_phase_branch_end(up, 0), BR_PHASE_END_HOPF);
  assert_int_equal(br_phase_branch_end(up, 1), BR_PHASE_END_RANGE);
  const br_phase_row *r = br_phase_branch_rows(up, &n);
  near(r[n - 1].value, 0.3, 1e-12);
  /* at 0.6: the unstable sliding cycle and the stable stick-slip cycle */
  const br_phase_row *slow = row_at(up, 0.6, 0), *slip = row_at(up, 0.6, 1);
  assert_true(slow->v_min > 0.1 && slow->re[0] > 1);
  from_rest(&s, 0.6, x, &y, lo, hi, &multiplier);
  near(slip->period, y.period, 1e-9);
  near(slip->v_min, lo[1], 1e-9);
  near(slip->v_max, hi[1], 1e-9);
  near(slip->z_min, lo[2], 1e-11);
  near(slip->z_max, hi[2], 1e-11);
  /* just before the first period doubling seen from rest */
  from_rest(&s, 1.3168, x, &y, lo, hi, &multiplier);
  const br_phase_row *edge = row_at(up, 1.3168, 1);
  near(edge->period, y.period, 1e-8);
  assert_true(edge->re[0] < -0.85);
  near(edge->re[0], multiplier, 2e-4);
  near(event_near(up, BR_PHASE_PERIOD_DOUBLING, 1.3169), 1.31691497, 1e-7);
  /* the same from the other end */
  from_rest(&s, 0.6, x, &y, lo, hi, &multiplier);
  assert_int_equal(
      br_phase_branch_from_cycle(&s.p, BR_VARY_INPUT, 0, 0.3, 3, 0.6, x, y.period, &set, &down, &err), BR_OK);
  assert_int_equal(br_phase_branch_end(down, 0), BR_PHASE_END_RANGE);
  assert_int_equal(br_phase_branch_end(down, 1), BR_PHASE_END_HOPF);
  const br_phase_event *e = br_phase_branch_events(up, &n);
  (void)br_phase_branch_events(down, &m);
  assert_int_equal(n, m);
  assert_true(n >= 7);
  for (size_t i = 0; i < n; i++) near(event_near(down, e[i].type, e[i].value), e[i].value, 1e-9);
  r = br_phase_branch_rows(down, &n);
  near(r[n - 1].value, hopf.value, 1e-6);
  br_phase_branch_destroy(up);
  br_phase_branch_destroy(down);
}

/* Figure 5 of document 2: cycles, fold and homoclinic orbits as the sections find them. */
static void driven_block(void **state)
{
  setting s;
  br_err err;
  br_phase *ph;
  br_phase_branch *b;
  br_phase_cycle c[BR_PHASE_MOST_CYCLES];
  size_t n, ne;
  const double at[] = {8.25, 8.45};
  br_phase_branch_settings set = br_phase_branch_settings_default();
  set.at = at, set.nat = 2;
  make(&s, "driven_block");
  const br_phase_problem problem = kit_problem(&s.k);
  assert_int_equal(br_phase_create(&problem, "sigma1", 0.1, 12, &ph, &err), BR_OK);
  const br_phase_event *e = br_phase_events(ph, &ne);
  const int slot = (int)br_model_param(s.k.model, "sigma1")->slot;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(br_phase_cycles(ph, at[i], BR_PHASE_MOST_CYCLES, c, &n, &err), BR_OK);
    assert_true(n == (i ? 2 : 1));
    for (size_t k = 0; k < n; k++) {
      const double x[2] = {c[k].v_start, c[k].z_start};
      assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 0.1, 12, at[i], x, c[k].period,
                                                  &set, &b, &err),
                       BR_OK);
      const br_phase_row *r = row_at(b, at[i], c[k].stable);
      near(r->period, c[k].period, 1e-8);
      near(r->v_min, c[k].v_min, 1e-9);
      near(r->v_max, c[k].v_max, 1e-9);
      near(r->z_min, c[k].z_min, 1e-9);
      near(r->z_max, c[k].z_max, 1e-9);
      near(r->re[0] / c[k].multiplier, 1, 1e-6); /* 5.6e-9, 4.8e-10 and 2.1e4 */
      for (size_t j = 0; j < ne; j++) {
        if (strcmp(e[j].loop, c[k].loop) != 0) continue;
        if (e[j].type == BR_PHASE_FOLD_OF_CYCLES)
          near(event_near(b, e[j].type, e[j].value), e[j].value, 1e-9);
        if (e[j].type == BR_PHASE_HOMOCLINIC) near(event_near(b, e[j].type, e[j].value), e[j].value, 1e-8);
      }
      br_phase_branch_destroy(b);
    }
  }
  br_phase_destroy(ph);
}

/* Along another number: where the branch along F passes the block's own force it is the cycle along
 * sigma1. */
static void crossing(void **state)
{
  static const char *const NAMES[] = {"F", "sigma2", "vs", "m"};
  setting s;
  br_err err;
  br_phase *ph;
  br_phase_cycle c[BR_PHASE_MOST_CYCLES];
  size_t n;
  make(&s, "driven_block");
  const br_phase_problem problem = kit_problem(&s.k);
  assert_int_equal(br_phase_create(&problem, "sigma1", 0.1, 12, &ph, &err), BR_OK);
  assert_int_equal(br_phase_cycles(ph, 8.45, BR_PHASE_MOST_CYCLES, c, &n, &err), BR_OK);
  kit_set(&s.k, "sigma1", 8.45);
  kit_ready(&s.k);
  assert_int_equal(n, 2);
  for (int i = 0; i < 4; i++) {
    const br_param *row = br_model_param(s.k.model, NAMES[i]);
    const br_vary_where where = row ? BR_VARY_MODEL : i == 0 ? BR_VARY_INPUT : BR_VARY_SYSTEM;
    const int slot = row ? (int)row->slot : 0;
    const double value = row ? s.k.par[slot] : i == 0 ? s.k.F : 1;
    br_phase_branch_settings set = br_phase_branch_settings_default();
    set.at = &value, set.nat = 1;
    for (size_t k = 0; k < n; k++) {
      /* from a neighbour: the cycle at 0.1 % more must lead back to the one known */
      br_phase_branch *b, *back;
      const double x[2] = {c[k].v_start, c[k].z_start};
      assert_int_equal(br_phase_branch_from_cycle(&s.p, where, slot, value, 1.001 * value, value, x,
                                                  c[k].period, &set, &b, &err),
                       BR_OK);
      size_t rows;
      const br_phase_row *r = br_phase_branch_rows(b, &rows);
      const br_phase_row far = r[rows - 1];
      if (far.value > 1.0009 * value && c[k].stable) {
        assert_int_equal(br_phase_branch_from_cycle(&s.p, where, slot, 0.999 * value, far.value, far.value,
                                                    far.x, far.period, &set, &back, &err),
                         BR_OK);
        const br_phase_row *again = row_at(back, value, c[k].stable);
        near(again->period, c[k].period, 1e-7);
        near(again->v_max, c[k].v_max, 1e-8);
        near(again->v_min, c[k].v_min, 1e-8);
        br_phase_branch_destroy(back);
      }
      br_phase_branch_destroy(b);
    }
  }
  br_phase_destroy(ph);
}

/* Every event along another number is one along sigma1 at that value, where sigma1 is the block's own. */
static void events_cross(void **state)
{
  static const struct {
    const char *name;
    double a, b;
    size_t least; /* events there are, at least */
  } RANGES[] = {{"F", 5.6, 5.8, 6},   {"sigma2", 0.5, 2.2, 7}, {"m", 0.5, 2, 7},
                {"delta", 1, 2.5, 6}, {"sigma0", 3, 8, 2},     {"Fs", 4.5, 5.5, 4}};
  int folds = 0;
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
    kit k;
    br_err err;
    br_phase *along, *line;
    size_t n, m;
    kit_figure5(&k);
    const br_phase_problem problem = kit_problem(&k);
    assert_int_equal(br_phase_create(&problem, RANGES[i].name, RANGES[i].a, RANGES[i].b, &along, &err),
                     BR_OK);
    const br_phase_event *e = br_phase_events(along, &n);
    assert_true(n >= RANGES[i].least);
    for (size_t j = 0; j < n; j++) {
      kit there;
      double best = INFINITY;
      if (e[j].type == BR_PHASE_FOLD) continue; /* sigma1 does not move equilibria */
      kit_figure5(&there);
      kit_set(&there, RANGES[i].name, e[j].value);
      kit_ready(&there);
      const br_phase_problem p = kit_problem(&there);
      assert_int_equal(br_phase_create(&p, "sigma1", 4, 12, &line, &err), BR_OK);
      const br_phase_event *f = br_phase_events(line, &m);
      for (size_t l = 0; l < m; l++) {
        if (f[l].type == e[j].type) best = fmin(best, fabs(f[l].value - 8.25));
      }
      near(best, 0, 2e-8);
      folds += e[j].type == BR_PHASE_FOLD_OF_CYCLES;
      br_phase_destroy(line);
    }
    br_phase_destroy(along);
  }
  assert_true(folds >= 5);
}

/* Random blocks: the small cycle beside each Hopf point exists on the side its Lyapunov coefficient says,
 * with the amplitude it says. */
static void amplitude_law(void **state)
{
  rng r = {7};
  int tried = 0;
  for (int i = 0; i < 40 && tried < 12; i++) {
    setting s;
    br_err err;
    br_phase *ph;
    make(&s, "driven_block");
    kit_set(&s.k, "delta", rng_range(&r, 0.8, 2.4));
    kit_set(&s.k, "sigma2", rng_range(&r, 0.8, 2.2));
    kit_ready(&s.k);
    s.k.F = s.held[0] = rng_range(&r, 4, 7);
    const br_phase_problem problem = kit_problem(&s.k);
    assert_int_equal(br_phase_create(&problem, "sigma1", 0.1, 60, &ph, &err), BR_OK);
    size_t n;
    const br_phase_event *e = br_phase_events(ph, &n);
    const int slot = (int)br_model_param(s.k.model, "sigma1")->slot;
    for (size_t k = 0; k < n; k++) {
      br_phase_branch *b;
      br_phase_branch_settings set = br_phase_branch_settings_default();
      if (e[k].type != BR_PHASE_HOPF || fabs(e[k].lyapunov) < 0.02) continue;
      set.max_rows = 1;
      set.step = 1e-3;
      assert_int_equal(br_phase_branch_from_hopf(&s.p, BR_VARY_MODEL, slot, 0.01, 120, &e[k], &set, &b, &err),
                       BR_OK);
      size_t rows;
      const br_phase_row *y = br_phase_branch_rows(b, &rows);
      assert_true(rows >= 2);
      assert_int_equal(y[1].stable, e[k].lyapunov < 0);
      /* multiplier 1 + 2 lyapunov r^2 T, r half the extent of v */
      const double a = 0.5 * (y[1].v_max - y[1].v_min), law = 2 * e[k].lyapunov * a * a * y[1].period;
      near((y[1].re[0] - 1) / law, 1, 0.05);
      br_phase_branch_destroy(b);
      tried++;
    }
    br_phase_destroy(ph);
  }
  assert_true(tried >= 6);
}

static void refuses(void **state)
{
  setting s;
  br_err err;
  br_phase_branch *b = (br_phase_branch *)(void *)&s;
  br_phase_branch_settings set = br_phase_branch_settings_default();
  make(&s, "driven_block");
  const double x[3] = {1, 1, 1};
  const int slot = (int)br_model_param(s.k.model, "sigma1")->slot;
  const br_phase_event nowhere = {.type = BR_PHASE_HOPF, .value = 7, .v = 1, .omega = 1};
  assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 1, 12, 8, NULL, 1, &set, &b, &err),
                   BR_E_ARG);
  assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 12, 1, 8, x, 1, &set, &b, &err),
                   BR_E_RANGE);
  assert_null(b);
  assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, -1, 1, 12, 8, x, 1, &set, &b, &err),
                   BR_E_ARG);
  assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 1, 12, 8, x, NAN, &set, &b, &err),
                   BR_E_RANGE);
  /* no cycle there */
  assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 1, 12, 3, x, 2, &set, &b, &err),
                   BR_E_CONVERGE);
  assert_int_equal(br_phase_branch_from_hopf(&s.p, BR_VARY_MODEL, slot, 1, 12, NULL, &set, &b, &err),
                   BR_E_ARG);
  assert_int_equal(br_phase_branch_from_hopf(&s.p, BR_VARY_MODEL, slot, 1, 12, &nowhere, &set, &b, &err),
                   BR_E_CONVERGE);
  set.tol = 1;
  assert_int_equal(br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 1, 12, 8, x, 1, &set, &b, &err),
                   BR_E_RANGE);
  assert_null(b);
  size_t n = 7;
  assert_null(br_phase_branch_rows(NULL, &n));
  assert_int_equal(n, 0);
  br_phase_branch_destroy(NULL);
  assert_string_equal(br_phase_end_name(BR_PHASE_END_LONG), "long");
  /* allocation failures leave nothing behind */
  const long live = bri_alloc_live();
  for (long i = 0; i < 8; i++) {
    set = br_phase_branch_settings_default();
    bri_alloc_fail_after(i);
    const br_status st =
        br_phase_branch_from_cycle(&s.p, BR_VARY_MODEL, slot, 1, 12, 8, x, 1, &set, &b, &err);
    bri_alloc_fail_after(-1);
    assert_true(st == BR_E_NOMEM || st == BR_E_CONVERGE);
    assert_null(b);
  }
  assert_int_equal(bri_alloc_live(), live);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulled_block), cmocka_unit_test(driven_block),  cmocka_unit_test(crossing),
      cmocka_unit_test(events_cross), cmocka_unit_test(amplitude_law), cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
