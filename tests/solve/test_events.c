/* SPDX-License-Identifier: Apache-2.0
 * test_events.c - what an event list promises: in the order of time, inside the run, the same for the
 * mirrored problem, no reversal out of rest; and runs that used to come to a halt at an event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit.h"
#include "support/rng.h"

enum { MOST_EVENTS = 4000, MOST_STATES = 40 };

typedef struct {
  size_t n;
  double t[MOST_EVENTS];
  br_event_type type[MOST_EVENTS];
  size_t index[MOST_EVENTS];
  int direction[MOST_EVENTS];
} list;

static int remember(void *ctx, const br_event *ev)
{
  list *l = (list *)ctx;
  if (l->n == MOST_EVENTS) return 1;
  l->t[l->n] = ev->t, l->type[l->n] = ev->type, l->index[l->n] = ev->index,
  l->direction[l->n] = ev->direction;
  l->n++;
  return 0;
}

/* Run to t_end; energies and the last state are filled. */
static br_energy run(const char *system, const char *model, const char *set, const char *spec, double t_end,
                     list *l, double *x, size_t *n)
{
  const char *specs[2] = {spec, NULL};
  kit k;
  br_err err;
  kit_plant(&k, system, model, set, specs, NULL);
  br_solve_settings s = br_solve_settings_default();
  s.energy = 1, s.t_stop = t_end, s.on_event = remember, s.ctx = l, s.max_steps = 100000;
  l->n = 0;
  kit_solver(&k, &s, NULL);
  if (br_solver_advance(k.solver, t_end, x, &err))
    fail_msg("%s with %s (%s; %s): %s", system, model, set, spec, err.msg);
  *n = br_plant_nstate(k.plant);
  assert_true(*n <= MOST_STATES);
  const br_energy e = br_solver_energy(k.solver);
  kit_end(&k);
  return e;
}

/* Model and parameters of a case. */
static const char *random_model(rng *r, char *set, size_t size)
{
  static const double gammas[] = {0, 0.2, 0.5, 0.65, 0.8, 1, 2};
  const double Fc = exp(rng_range(r, -1, 1)), Fs = Fc * (rng_unit(r) < 0.3 ? 1 : 1 + rng_unit(r));
  switch (rng_next(r) % 5) {
  case 0:
    snprintf(set, size, "Fc=%.6g,Fs=%.6g,sigma2=%.3g,dv=%.3g", Fc, Fs, 2 * rng_unit(r),
             exp(rng_range(r, -12, -1)));
    return "karnopp";
  case 1:
    snprintf(set, size, "Fc=%.6g,Fs=%.6g,sigma2=%.3g,vs=%.3g", Fc, Fs, 2 * rng_unit(r),
             exp(rng_range(r, -7, -1)));
    return "coulomb";
  case 2:
    snprintf(set, size, "Fc=%.6g,sigma0=%.6g,gamma=%g", Fc, exp(rng_range(r, 0, 6)), gammas[rng_next(r) % 7]);
    return "dahl";
  case 3:
    snprintf(set, size, "model.k=%.6g,%.6g,%.6g,Delta=%.6g,%.6g,%.6g", exp(rng_range(r, 0, 5)),
             exp(rng_range(r, 0, 5)), exp(rng_range(r, 0, 5)), exp(rng_range(r, -6, -2)),
             exp(rng_range(r, -6, -2)), exp(rng_range(r, -6, -2)));
    return "maxwell_slip";
  default:
    snprintf(set, size, "model.k=%.6g,%.6g,alpha=0.3,0.7,Fc=%.6g,Fs=%.6g,C=%.6g", exp(rng_range(r, 4, 7)),
             exp(rng_range(r, 4, 7)), Fc, Fs, exp(rng_range(r, 1, 5)));
    return "gms";
  }
}

static void promises(const char *what, const list *l, const br_energy *e, double t_end, int active)
{
  const double size = fabs(e->work_in) + fabs(e->stored) + fabs(e->dissipated) + 1e-9;
  for (size_t i = 0; i < l->n; i++) {
    if (!(l->t[i] >= 0 && l->t[i] <= t_end)) fail_msg("%s: event %zu at t = %.17g s", what, i, l->t[i]);
    if (i && l->t[i] < l->t[i - 1]) fail_msg("%s: event %zu comes before the one before it", what, i);
  }
  if (!(fabs(e->residual) <= 1e-10 * size)) fail_msg("%s: residual %.3g J", what, e->residual);
  if (!active && e->dissipated < -1e-10 * size) fail_msg("%s: dissipated %.3g J", what, e->dissipated);
}

/* 150 random problems and their mirrors. */
static void test_lists_and_mirrors(void **state)
{
  (void)state;
  static const char *const systems[] = {"mass_spring", "driven_block", "pulled_block", "prescribed",
                                        "filtered"};
  static list a, b;
  rng r = {20261115};
  size_t events = 0;
  for (int q = 0; q < 150; q++) {
    char set[512], spec[2][160], what[900];
    double x[2][MOST_STATES];
    size_t n;
    const char *sys = systems[rng_next(&r) % 5], *model = random_model(&r, set, sizeof set);
    const double amplitude = exp(rng_range(&r, -1, 1)) * (sys[0] == 'm' || sys[0] == 'd' ? 2 : 0.1);
    const double f = rng_range(&r, 0.2, 1), phase = rng_range(&r, 0, 3);
    const int shape = (int)(rng_next(&r) % 3);
    for (int m = 0; m < 2; m++) {
      const double A = m ? -amplitude : amplitude;
      if (shape == 0) snprintf(spec[m], sizeof spec[m], "sine:%.6g,%.6g", A, f);
      if (shape == 1) snprintf(spec[m], sizeof spec[m], "sine:%.6g,%.6g,%.6g", A, f, phase);
      if (shape == 2)
        snprintf(spec[m], sizeof spec[m], "pwl:0,0,0.7,%.6g,1.2,%.6g,2.5,%.6g,2.8,%.6g,4,0", A, A, -A, -A);
    }
    snprintf(what, sizeof what, "case %d, %s with %s (%s; %s)", q, sys, model, set, spec[0]);
    const br_energy e = run(sys, model, set, spec[0], 4, &a, x[0], &n);
    promises(what, &a, &e, 4, strcmp(model, "gms") == 0);
    (void)run(sys, model, set, spec[1], 4, &b, x[1], &n);
    events += a.n;
    if (a.n != b.n) fail_msg("%s: %zu events, mirrored %zu", what, a.n, b.n);
    for (size_t i = 0; i < a.n; i++)
      if (a.type[i] != b.type[i] || a.direction[i] != -b.direction[i] || fabs(a.t[i] - b.t[i]) > 1e-8)
        fail_msg("%s: event %zu at %.12g s, mirrored at %.12g s", what, i, a.t[i], b.t[i]);
    for (size_t i = 0; i < n; i++) {
      const double s = strcmp(model, "gms") == 0 && i + 2 >= n ? 1 : -1; /* modes of gms have no side */
      if (!(fabs(x[0][i] - s * x[1][i]) <= 1e-8 * (1e-3 + fabs(x[0][i]))))
        fail_msg("%s: state %zu is %.12g, mirrored %.12g", what, i, x[0][i], x[1][i]);
    }
  }
  print_message("  %zu events\n", events);
  assert_true(events > 800);
}

/* The stick band is not seen by located events: any dv, and dv so wide that Fs < Fc + sigma2 dv. */
static void test_stick_band_does_not_matter(void **state)
{
  (void)state;
  static const char *const width[] = {"1e-9", "1e-3", "0.1", "0.5"};
  static list l;
  double x[4][MOST_STATES];
  size_t n, count = 0;
  for (int i = 0; i < 4; i++) {
    char set[128];
    snprintf(set, sizeof set, "m=1,ks=1,Fc=1,Fs=1.005,sigma2=0.4,dv=%s", width[i]);
    (void)run("mass_spring", "karnopp", set, "sine:3,0.1", 20, &l, x[i], &n);
    if (i == 0) count = l.n;
    assert_true(l.n == count && count >= 6);
    for (size_t j = 0; j < n; j++) assert_true(fabs(x[i][j] - x[0][j]) <= 1e-11);
  }
}

/* gamma = 0 is one spring-slider; every gamma < 1 saturates after (Fc/sigma0) w^(1-gamma) / (1-gamma). */
static void test_saturation(void **state)
{
  (void)state;
  static list l, ms;
  static const char *const systems[] = {"mass_spring", "driven_block"};
  double x[MOST_STATES], y[MOST_STATES];
  size_t n, m;
  for (int i = 0; i < 2; i++) {
    const br_energy e = run(systems[i], "dahl", "gamma=0,sigma0=7.5,Fc=0.75", "sine:3,0.3", 10, &l, x, &n);
    const br_energy f =
        run(systems[i], "maxwell_slip", "model.k=7.5,Delta=0.1", "sine:3,0.3", 10, &ms, y, &m);
    assert_int_equal(l.n, ms.n);
    for (size_t q = 0; q < l.n; q++) assert_true(fabs(l.t[q] - ms.t[q]) <= 1e-10 && l.type[q] == ms.type[q]);
    assert_true(fabs(x[0] - y[0]) <= 1e-10 && fabs(e.dissipated - f.dissipated) <= 1e-9);
    assert_true(fabs(x[n - 1] - 7.5 * y[m - 1]) <= 1e-10);
  }
  for (double gamma = 0.1; gamma < 0.95; gamma += 0.2) {
    char set[64];
    snprintf(set, sizeof set, "gamma=%.17g,sigma0=7.5,Fc=0.75", gamma);
    (void)run("prescribed", "dahl", set, "ramp:-0.1", 20, &l, x, &n);
    assert_int_equal(l.n, 1);
    assert_true(fabs(l.t[0] - 1 / (1 - gamma)) <= 1e-10 && l.direction[0] == -1 && x[0] == -0.75);
    (void)run("mass_spring", "dahl", set, "sine:3,0.3", 5, &l, x, &n);
    (void)run("pulled_block", "dahl", set, "sine:0.5,0.3", 5, &l, x, &n);
    assert_true(l.n > 0);
  }
}

/* The displacement between two masses is the small difference of large numbers: rounding decides how well its
 * slip points can be known. */
static void test_mass_against_mass(void **state)
{
  (void)state;
  static list l, b;
  double x[MOST_STATES];
  size_t n;
  rng r = {77};
  br_energy e = run("chain", "maxwell_slip",
                    "m=0.257949,1.01107,0.933267,system.k=31.4176,22.9458,1518.03,c=0.1,0,0.1,contact=3,2,1,"
                    "against=2,1,2,load=9.51906,28.8344,21.2402,model.k=2.36487,2.05388,114.524,2477.97,"
                    "Delta=1.18923e-05,0.0202567,0.00352708,0.00297197",
                    "sine:0.36,0.72", 6, &l, x, &n);
  promises("three masses", &l, &e, 6, 0);
  for (int q = 0; q < 40; q++) {
    char set[512], spec[64];
    snprintf(
        set, sizeof set,
        "m=%.4g,%.4g,%.4g,system.k=%.4g,%.4g,%.4g,c=0,0.1,0,contact=2,3,1,against=1,2,3,load=%.4g,%.4g,%.4g,"
        "model.k=%.4g,%.4g,Delta=%.4g,%.4g",
        rng_range(&r, 0.2, 1.5), rng_range(&r, 0.2, 1.5), rng_range(&r, 0.2, 1.5), exp(rng_range(&r, 3, 7)),
        exp(rng_range(&r, 3, 7)), exp(rng_range(&r, 3, 7)), rng_range(&r, 0.2, 30), rng_range(&r, 0.2, 30),
        rng_range(&r, 0.2, 30), exp(rng_range(&r, 0, 7)), exp(rng_range(&r, 0, 7)),
        exp(rng_range(&r, -11, -4)), exp(rng_range(&r, -11, -4)));
    const double A = exp(rng_range(&r, -2, 3)), f = exp(rng_range(&r, -2, 1));
    snprintf(spec, sizeof spec, "sine:%.4g,%.4g", A, f);
    e = run("chain", "maxwell_slip", set, spec, 2, &l, x, &n);
    promises(set, &l, &e, 2, 0);
    snprintf(spec, sizeof spec, "sine:%.4g,%.4g", -A, f); /* the lower masses leave rest as t^5 and t^7 */
    (void)run("chain", "maxwell_slip", set, spec, 2, &b, x, &n);
    if (l.n != b.n) fail_msg("%s; %s: %zu events, mirrored %zu", set, spec, b.n, l.n);
  }
}

/* Two contacts that hold the same motion: nothing says how they share the load. */
static void test_shared_hold_is_refused(void **state)
{
  (void)state;
  static const char *const contacts[] = {"contact=1,1,against=2,2,load=1,2",
                                         "contact=1,2,against=2,1,load=1,2",
                                         "contact=1,2,1,against=2,0,0,load=1,1,1"};
  const br_system *s = br_system_find("chain");
  const br_model *m = br_model_find("coulomb");
  for (int i = 0; i < 3; i++) {
    br_param inputs[4];
    br_param_table t[BR_PLANT_TABLES];
    br_params *params = NULL;
    br_plant *plant = NULL;
    br_err err;
    if (br_params_create_tables(t, br_plant_tables(s, m, inputs, t), &params, &err) ||
        br_params_set_list(params, contacts[i], &err) || br_params_finish(params, &err))
      fail_msg("%s", err.msg);
    assert_int_equal(br_plant_of(s, m, params, NULL, &plant, &err), BR_E_UNSUPPORTED);
    assert_non_null(strstr(err.msg, i < 2 ? "contact 2 holds" : "contact 3 holds"));
    assert_null(plant);
    br_params_destroy(params);
  }
}

/* Held is held: not even by rounding. */
static void test_stuck_is_at_rest(void **state)
{
  (void)state;
  static list l;
  double x[MOST_STATES];
  size_t n, held = 0;
  rng r = {5};
  for (int q = 0; q < 50; q++) {
    char set[128], spec[64];
    snprintf(set, sizeof set, "m=%.6g,k=%.6g", rng_range(&r, 0.1, 5), rng_range(&r, 0.1, 9));
    snprintf(spec, sizeof spec, "sine:%.6g,%.6g,%.6g", rng_range(&r, 0.1, 0.9), rng_range(&r, 0.1, 0.5),
             rng_range(&r, 0, 6));
    (void)run("pulled_block", q % 2 ? "coulomb" : "karnopp", set, spec, rng_range(&r, 2, 8), &l, x, &n);
    if (!l.n || l.type[l.n - 1] == BR_EVENT_STICK) held++, assert_true(x[1] == 0);
  }
  assert_true(held > 4);
}

/* Sticking elements only: m x'' + K x = A sin(W t) from rest, v ~ cos(W t) - cos(w t), zero at 2 pi n/(w +-
 * W).  The first dips below zero are short and shallow, W t of a period and (W t)^2/4 of the amplitude. */
static void test_shallow_dips_have_both_reversals(void **state)
{
  (void)state;
  static const double ratios[] = {1e-3, 3e-4, 1e-4, 3e-5};
  static list l;
  double x[MOST_STATES];
  size_t n;
  for (int q = 0; q < 4; q++) {
    const double w = sqrt(2), W = ratios[q] * w;
    char spec[64];
    snprintf(spec, sizeof spec, "sine:0.001,%.17g", W / (2 * KIT_PI));
    (void)run("mass_spring", "maxwell_slip", "m=1,ks=1,model.k=1,Delta=1", spec, 30, &l, x, &n);
    for (size_t i = 0; i < l.n; i++) {
      const double t = 2 * KIT_PI * (double)(i / 2 + 1) / (i % 2 ? w - W : w + W);
      /* the crossing is flat: its time is the velocity's error over the slope */
      if (!(fabs(l.t[i] - t) <= 1e-12 / ratios[q]))
        fail_msg("W/w = %g: reversal %zu at %.15g, exactly %.15g", ratios[q], i, l.t[i], t);
    }
    if (l.n != 12) fail_msg("W/w = %g: %zu reversals of 12", ratios[q], l.n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lists_and_mirrors),
      cmocka_unit_test(test_stick_band_does_not_matter),
      cmocka_unit_test(test_saturation),
      cmocka_unit_test(test_mass_against_mass),
      cmocka_unit_test(test_stuck_is_at_rest),
      cmocka_unit_test(test_shared_hold_is_refused),
      cmocka_unit_test(test_shallow_dips_have_both_reversals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
