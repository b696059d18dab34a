/* SPDX-License-Identifier: Apache-2.0
 * test_reference.c - against the reference numbers of document 2 (two independent methods each). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "kit.h"
#include "support/near.h"
#include "support/paths.h"

static json *load(void)
{
  char path[1024];
  long where = 0;
  (void)support_reference("phase.json", path, sizeof path);
  json *root = json_load(path, &where);
  assert_non_null(root);
  return root;
}

static double number(const json *o, const char *key) { return json_number(json_get(o, key)); }

static void lyapunov(void **state)
{
  json *root = load();
  const json *list = json_get(root, "lyapunov");
  assert_true(list->count >= 4);
  for (const json *c = list->child; c; c = c->next) {
    kit k;
    bri_plane p;
    br_err err;
    kit_from_json(&k, json_get(c, "params"));
    assert_int_equal(bri_plane_of(k.model, k.par, k.m, k.F, &p, &err), BR_OK);
    const bri_hopf h = bri_hopf_at(&p, number(c, "v"));
    near(h.sigma1, number(c, "sigma1_Hopf"), 1e-12 * h.sigma1);
    near(h.omega, number(c, "omega"), 1e-12);
    near(h.lyapunov, number(c, "Delta_v"), 1e-11);
  }
  json_free(root);
}

/* The event of a type nearest to a value. */
static const br_phase_event *nearest(const br_phase *ph, br_phase_event_type type, double value)
{
  size_t n;
  const br_phase_event *e = br_phase_events(ph, &n), *best = NULL;
  for (size_t i = 0; i < n; i++) {
    if (e[i].type == type && (!best || fabs(e[i].value - value) < fabs(best->value - value))) best = &e[i];
  }
  assert_non_null(best);
  return best;
}

static size_t count(const br_phase *ph, br_phase_event_type type)
{
  size_t n, found = 0;
  const br_phase_event *e = br_phase_events(ph, &n);
  for (size_t i = 0; i < n; i++) found += e[i].type == type;
  return found;
}

/* A cycle of the list with this period. */
static void has_cycle(const br_phase *ph, double at, const json *c, const char *vmin, const char *vmax,
                      const char *zmin, const char *zmax, double tol)
{
  br_phase_cycle y[BR_PHASE_MOST_CYCLES];
  size_t n, best = 0;
  br_err err;
  const double period = number(c, "period");
  assert_int_equal(br_phase_cycles(ph, at, BR_PHASE_MOST_CYCLES, y, &n, &err), BR_OK);
  assert_true(n > 0);
  for (size_t i = 1; i < n; i++) {
    if (fabs(y[i].period - period) < fabs(y[best].period - period)) best = i;
  }
  const br_phase_cycle *b = &y[best];
  near(b->period, period, tol * period);
  near(b->v_min, number(c, vmin), tol);
  near(b->v_max, number(c, vmax), tol);
  near(b->z_min, number(c, zmin), tol);
  near(b->z_max, number(c, zmax), tol);
  near(b->multiplier, number(c, "floquet"), 1e-6 * b->multiplier + 1e-12);
  assert_int_equal(b->stable, number(c, "floquet") < 1);
}

static void figure5(void **state)
{
  json *root = load();
  kit k;
  br_phase *ph;
  br_err err;
  const json *f = json_get(root, "figure5");
  kit_from_json(&k, json_get(f, "params"));
  const br_phase_problem problem = kit_problem(&k);
  assert_int_equal(br_phase_create(&problem, "sigma1", 0.1, 12, &ph, &err), BR_OK);
  assert_string_equal(br_phase_case(ph), "Sub_HC_HC");
  assert_int_equal(count(ph, BR_PHASE_HOPF), 2);
  assert_int_equal(count(ph, BR_PHASE_HOMOCLINIC), 3);
  assert_int_equal(count(ph, BR_PHASE_FOLD_OF_CYCLES), 1);
  for (const json *e = json_get(f, "equilibria")->child; e; e = e->next) {
    br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
    size_t n, i = 0;
    assert_int_equal(br_phase_equilibria(ph, 8.25, BR_PHASE_MOST_EQUILIBRIA, q, &n, &err), BR_OK);
    assert_int_equal(n, 4);
    while (i < n && fabs(q[i].v - number(e, "v")) > 1e-9) i++;
    assert_in_range(i, 0, 3);
    near(q[i].v, number(e, "v"), 1e-13);
    near(q[i].z, number(e, "z"), 1e-13);
    if (i == 0) {
      double re[2];
      json_numbers(json_get(e, "J_plus_eig_c8_25"), re, 2);
      near(q[0].re[0], fmin(re[0], re[1]), 1e-12);
      near(q[0].re[1], fmax(re[0], re[1]), 1e-12);
      json_numbers(json_get(e, "J_minus_eig_c8_25"), re, 2);
      near(q[0].other_re[0], fmin(re[0], re[1]), 1e-12);
      near(q[0].other_re[1], fmax(re[0], re[1]), 1e-12);
      continue;
    }
    near(q[i].a0, number(e, "a0"), 1e-12);
    near(q[i].a1, number(e, "a1_c8.25"), 1e-12);
    const json *eig = json_get(e, "eig_c8.25");
    for (size_t j = 0; j < 2; j++) {
      double x[2];
      json_numbers(json_at(eig, j), x, 2);
      near(q[i].re[j], x[0], 1e-12);
      near(q[i].im[j], x[1], 1e-12);
    }
    if (!json_get(e, "Delta_v")) continue;
    const br_phase_event *h = nearest(ph, BR_PHASE_HOPF, number(e, "c_at_a1_zero"));
    near(h->value, number(e, "c_at_a1_zero"), 1e-12);
    near(h->lyapunov, number(e, "Delta_v"), 1e-11);
    near(h->omega, number(e, "omega_Hopf"), 1e-12);
  }
  for (const json *h = json_get(f, "homoclinic")->child; h; h = h->next) {
    const br_phase_event *e = nearest(ph, BR_PHASE_HOMOCLINIC, number(h, "c"));
    near(e->value, number(h, "c"), 1e-12);
    near(e->saddle_quantity, number(h, "saddle_quantity"), 1e-11);
  }
  const json *fold = json_get(f, "fold_of_large_cycles");
  const br_phase_event *e = nearest(ph, BR_PHASE_FOLD_OF_CYCLES, number(fold, "c"));
  near(e->value, number(fold, "c"), 1e-12);
  near(e->distance, -number(fold, "c_minus_HC1"), 1e-13);
  const double loop = nearest(ph, BR_PHASE_HOMOCLINIC, 8.2053)->value;
  assert_true(loop - e->value > 0 && loop - e->value < 1e-8);
  for (const json *c = json_get(f, "cycles")->child; c; c = c->next) {
    has_cycle(ph, number(c, "c"), c, "v_min", "v_max", "z_min", "z_max", 1e-10);
  }
  for (const json *l = json_get(root, "frictional_lag")->child; l; l = l->next) {
    br_phase_cycle y[BR_PHASE_MOST_CYCLES];
    size_t n, i = 0;
    assert_int_equal(br_phase_cycles(ph, number(l, "c"), BR_PHASE_MOST_CYCLES, y, &n, &err), BR_OK);
    while (i < n && !y[i].stable) i++;
    assert_true(i < n);
    near(y[i].lag_total, number(l, "loop_int_Ft_dv"), 1e-9);
    near(y[i].lag_elastic, number(l, "loop_int_kz_dv"), 1e-10);
    near(y[i].v_mean, number(l, "mean_v"), 1e-11);
  }
  br_phase_destroy(ph);
  json_free(root);
}

static void cases(void **state)
{
  json *root = load();
  for (const json *c = json_get(root, "cases")->child; c; c = c->next) {
    kit k;
    br_phase *ph;
    br_err err;
    kit_from_json(&k, json_get(c, "params"));
    const br_phase_problem problem = kit_problem(&k);
    assert_int_equal(br_phase_create(&problem, "sigma1", 0.1, 20, &ph, &err), BR_OK);
    assert_string_equal(br_phase_case(ph), json_get(c, "case")->string);
    const br_phase_event *h = nearest(ph, BR_PHASE_HOPF, number(c, "sigma1_Hopf"));
    near(h->value, number(c, "sigma1_Hopf"), 1e-11);
    near(h->lyapunov, number(c, "Delta_v"), 1e-11);
    near(h->omega, number(c, "omega"), 1e-12);
    assert_int_equal(count(ph, BR_PHASE_FOLD_OF_CYCLES), json_get(c, "folds")->count);
    if (json_get(c, "sigma1_homoclinic")) {
      const br_phase_event *e = nearest(ph, BR_PHASE_HOMOCLINIC, number(c, "sigma1_homoclinic"));
      near(e->value, number(c, "sigma1_homoclinic"), 1e-11);
      near(e->saddle_quantity, number(c, "saddle_quantity"), 1e-10);
    } else {
      assert_int_equal(count(ph, BR_PHASE_HOMOCLINIC), 0);
    }
    for (const json *y = json_get(c, "cycles")->child; y; y = y->next) {
      has_cycle(ph, number(y, "sigma1"), y, "vmin", "vmax", "zmin", "zmax", 1e-10);
    }
    br_phase_destroy(ph);
  }
  json_free(root);
}

static void folds_of_equilibria(void **state)
{
  json *root = load();
  for (int delta = 1; delta <= 2; delta++) {
    const json *list = json_get(json_get(root, "fold_of_equilibria"), delta == 1 ? "delta=1" : "delta=2");
    assert_non_null(list);
    for (const json *f = list->child; f; f = f->next) {
      kit k;
      br_phase *ph;
      br_err err;
      kit_figure5(&k);
      kit_set(&k, "delta", delta);
      kit_set(&k, "sigma2", number(f, "C"));
      kit_ready(&k);
      const br_phase_problem problem = kit_problem(&k);
      const double F = number(f, "F");
      assert_int_equal(br_phase_create(&problem, "F", F - 0.03, F + 0.02, &ph, &err), BR_OK);
      const br_phase_event *e = nearest(ph, BR_PHASE_FOLD, F);
      near(e->value, F, 1e-12 * F);
      near(e->v, number(f, "v"), 1e-8);
      br_phase_destroy(ph);
    }
  }
  for (const json *c = json_get(root, "number_of_sliding_equilibria")->child; c; c = c->next) {
    kit k;
    bri_plane p;
    bri_sliding e;
    br_err err;
    double v[3];
    kit_figure5(&k);
    kit_set(&k, "delta", number(c, "delta"));
    kit_set(&k, "sigma2", number(c, "C"));
    kit_set(&k, "F", number(c, "F"));
    kit_ready(&k);
    assert_int_equal(bri_plane_of(k.model, k.par, k.m, k.F, &p, &err), BR_OK);
    bri_sliding_of(&p, &e);
    assert_int_equal(e.n, (int)number(c, "n"));
    json_numbers(json_get(c, "v"), v, 3);
    for (int i = 0; i < e.n; i++) {
      near(e.y[i].v, v[i], 1e-12);
      const char saddle = bri_linear_at(&p, v[i]).a0 < 0 ? 'S' : 'F';
      assert_int_equal(saddle, json_get(c, "kind")->string[i]);
    }
  }
  json_free(root);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lyapunov),
      cmocka_unit_test(figure5),
      cmocka_unit_test(cases),
      cmocka_unit_test(folds_of_equilibria),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
