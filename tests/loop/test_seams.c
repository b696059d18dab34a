/* SPDX-License-Identifier: Apache-2.0
 * test_seams.c - where a period begins and ends: a transient that has not moved yet, waves that close
 * where the force jumps, the error of a wave that hardly forgets, bounds of states. */
#include "loopkit.h"

#include "bristle/classify.h"
#include "bristle/wave.h"
#include "support/answer.h"

static br_wave *wave_open(const element *e, const char *spec, const br_wave_settings *s)
{
  br_wave *w = NULL;
  br_signal *input = NULL;
  br_err err;
  if (br_signal_parse(spec, &input, &err)) fail_msg("%s", err.msg);
  if (br_wave_create(e->m, e->par, input, s, &w, &err)) fail_msg("%s %s: %s", e->m->name, spec, err.msg);
  br_signal_destroy(input);
  return w;
}

/* Before the first way is gone the force is that of the start, from either side; a period later both sides
 * are those of the turning point there.  Dahl's law from F0 in closed form: gamma = 1, 2. */
static void before_the_first_way(void **state)
{
  static const double F0[] = {0.5, -0.25, 0};
  static const char *const LAW[] = {"sigma0=2,Fc=1,gamma=1", "sigma0=2,Fc=1,gamma=2",
                                    "sigma0=2,Fc=1,gamma=0.5"};
  const double u[] = {0, 1, 0.3};
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    element e = element_open("dahl");
    element_set(&e, LAW[k]);
    br_loop *loop = loop_open(&e, 3, u, 0);
    const double R = br_loop_get(loop)->path_length;
    near(R, 2, 1e-15);
    for (size_t i = 0; i < 3; i++) {
      br_loop_walk *w = NULL;
      br_err err;
      assert_int_equal(br_loop_walk_create(loop, &F0[i], &w, &err), BR_OK);
      near(br_loop_transient(loop, &F0[i], 0, -1), F0[i], 1e-15);
      near(br_loop_transient(loop, &F0[i], 0, 1), F0[i], 1e-15);
      near(br_loop_walk_y(w, 0, -1), F0[i], 1e-15);
      const double first = br_loop_walk_y(w, 1, -1); /* the way up */
      if (k == 0) near(first, 1 - (1 - F0[i]) * exp(-2), 1e-12);
      if (k == 1) near(1 / (1 - first), 1 / (1 - F0[i]) + 2, 1e-10);
      if (k == 2) near(sqrt(1 - first), fmax(0, sqrt(1 - F0[i]) - 1), 1e-5);
      for (int side = -1; side <= 1; side += 2) {
        near(br_loop_walk_y(w, R, side), br_loop_transient(loop, &F0[i], R, side), 1e-13);
        near(br_loop_walk_y(w, 0, side), F0[i], 1e-15); /* and back */
      }
      near(br_loop_walk_y(w, R, -1), br_loop_walk_y(w, R, 1), 1e-13); /* Dahl's force does not jump */
      assert_true(fabs(br_loop_walk_y(w, R, -1) - F0[i]) > 1e-3);
      br_loop_walk_destroy(w);
    }
    near(br_loop_y(loop, 0, -1), br_loop_y(loop, R, -1), 1e-12);
    near(br_loop_y(loop, 0, 1), br_loop_y(loop, 3 * R, 1), 1e-12);
    br_loop_destroy(loop);
  }
}

/* The table of a steady wave closes: its first sample is what the last one comes back to, from the left,
 * also where the force jumps at the corner.  From a given state the first sample is that of the start. */
static void waves_close(void **state)
{
  static const char *const MODEL[] = {"coulomb", "lugre", "viscous", "dahl", "gms"};
  (void)state;
  for (size_t k = 0; k < sizeof MODEL / sizeof MODEL[0]; k++) {
    const element e = element_open(MODEL[k]);
    br_wave_settings s = br_wave_settings_default();
    s.samples = 12;
    double jump[2];
    for (int way = 0; way < 2; way++) { /* turning at its seam, upward or downward */
      br_wave *w = wave_open(&e, way ? "turning:1e-3,0" : "turning:0,1e-3", &s);
      const br_wave_result *r = br_wave_get(w);
      assert_int_equal(r->n, 13);
      if (r->y[0] != r->y[12]) fail_msg("%s: from %.17g to %.17g", MODEL[k], r->y[0], r->y[12]);
      assert_true(r->t[0] == 0 && fabs(r->u[0] - r->u[12]) <= 1e-18);
      jump[way] = r->y[0];
      br_wave_destroy(w);
    }
    near(jump[0], -jump[1], 1e-9 * fabs(jump[0])); /* arrived downward, upward */
    assert_true(jump[0] < 0);
  }
  br_wave_settings s = br_wave_settings_default();
  const double z0[] = {2e-6};
  element e = element_open("lugre");
  element_set(&e, "sigma0=1e5,sigma1=300,sigma2=0.4,Fc=1,Fs=1.5,vs=0.001,delta=2");
  s.samples = 12, s.periods = 2, s.z0 = z0;
  br_wave *w = wave_open(&e, "turning:0,1e-3", &s);
  const double v = 1, g = 1 + 0.5 * exp(-v * v / 1e-6), z = 2e-6;
  near(br_wave_get(w)->y[0], 1e5 * z + 300 * (v - v * 1e5 * z / g) + 0.4 * v, 1e-12);
  br_wave_destroy(w);
}

/* Where parameters switch, what stands at the end of a period from the left is under those that came last;
 * the next period begins with the first again.  Dry friction shows its level and its load: 4 mm/s up, down
 * from a quarter on. */
static void switches_at_the_seam(void **state)
{
  element e = element_open("coulomb"), other = e;
  element_set(&e, "Fc=1,Fs=1,sigma2=0");
  element_set(&other, "Fc=3,Fs=3,sigma2=0");
  const br_wave_switch at[] = {{0.125, e.par, 5}, {0.5, other.par, 2}};
  static const double WANT[] = {6, 1, 5, -5, -5, -6, -6, 6, 6}; /* from the left, every eighth of a period */
  br_wave_settings s = br_wave_settings_default();
  (void)state;
  s.samples = 8, s.switches = at, s.nswitch = 2;
  br_wave *w = wave_open(&e, "triangle:1e-3,1", &s);
  const br_wave_result *r = br_wave_get(w);
  for (size_t k = 0; k <= 8; k++) near(r->y[k], WANT[k], 1e-12);
  near(r->work, 4e-3 * (0.125 * 1 + 0.375 * 5 + 0.5 * 6), 1e-14);
  br_wave_destroy(w);
}

/* A motion that Newton's method has found repeats to the error that is told, where a period forgets a
 * third and where it forgets nearly all: against the same motion repeated a hundred times.  sigma0 = 1:
 * forces in the unit of the state. */
static void error_of_a_wave(void **state)
{
  static const char *const SET[] = {"sigma0=1,sigma1=0,sigma2=0,Fc=1,Fs=1.5,vs=0.1,delta=2",
                                    "sigma0=1,sigma1=0,sigma2=0,Fc=1,Fs=3,vs=0.01,delta=1"};
  (void)state;
  for (int k = 0; k < 4; k++) {
    enum { N = 16 };
    const double U = k < 2 ? 0.1 : 1;
    element e = element_open("lugre");
    br_wave_settings s = br_wave_settings_default();
    char spec[64];
    double off = 0;
    element_set(&e, SET[k % 2]);
    (void)snprintf(spec, sizeof spec, "sine:%.17g,1", U);
    s.samples = N;
    s.rtol = 1e-15; /* more than there are digits: what is left over has to tell */
    br_wave *steady = wave_open(&e, spec, &s);
    s.periods = k < 2 ? 120 : 12;
    br_wave *marched = wave_open(&e, spec, &s);
    const br_wave_result *r = br_wave_get(steady);
    const double *last = br_wave_get(marched)->y + (size_t)(s.periods - 1) * N;
    for (size_t i = 1; i <= N; i++) off = fmax(off, fabs(r->y[i] - last[i]));
    print_message("U = %g: contraction %.4g, off %.2g, told %.2g\n", U, r->contraction, off, r->error);
    if (!(off <= 4 * r->error) || !(r->error < 1e-10)) fail_msg("off by %.3g, told %.3g", off, r->error);
    br_wave_destroy(steady);
    br_wave_destroy(marched);
  }
}

/* No level where nothing says one: states of a model without a stored energy, and counts; else that of
 * steady sliding. */
static void bounds_of_states(void **state)
{
  size_t count = 0, free_ones = 0;
  const br_model *const *all = br_models(&count);
  br_err err;
  (void)state;
  for (size_t i = 0; i < count; i++) {
    double bound[256];
    const element e = element_open(all[i]->name);
    const size_t n = e.m->nstate(e.par);
    if (e.m->energy || e.m->axes != 1 || n > 256) continue;
    if (br_state_bounds(e.m, e.par, 1, bound, &err)) fail_msg("%s: %s", e.m->name, err.msg);
    for (size_t j = 0; j < n; j++, free_ones++)
      if (bound[j] != INFINITY) fail_msg("%s: state %zu has the bound %g", e.m->name, j, bound[j]);
  }
  assert_true(free_ones > 0);
  for (int load = 1; load <= 3; load++) {
    double bound[4];
    element e = element_open("dahl");
    element_set(&e, "sigma0=2,Fc=3,gamma=1");
    assert_int_equal(br_state_bounds(e.m, e.par, load, bound, &err), BR_OK);
    near(bound[0] / (3 * load), 1, 2e-3);
    e = element_open("lugre");
    element_set(&e, "sigma0=1e5,sigma1=300,sigma2=0.4,Fc=1,Fs=1.5,vs=0.001,delta=2");
    assert_int_equal(br_state_bounds(e.m, e.par, load, bound, &err), BR_OK);
    near(bound[0] / (1.5e-5 * load), 1, 2e-3);
  }
}

/* What the way alone decides has no derivative by the model: the length of the path; forces have theirs. */
static void slopes_of_the_way(void **state)
{
  static const char *const ASKED[] = {
      "model=dahl;set=sigma0=2,Fc=1,gamma=2;input=turning:0,1,0.5,0.8;",
      "model=lugre;set=sigma0=100,Fc=1,Fs=1.5;input=turning:-1,1;frequency=1;"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[300];
    (void)snprintf(text, sizeof text, "%ssensitivity=Fc,sigma0", ASKED[k]);
    br_result *r = answer("loop", text, NULL);
    static const char *const NAMES[] = {"Fc", "sigma0"};
    for (int i = 0; i < 2; i++) {
      assert_true(real(r, "sensitivity.%s.path_length", NAMES[i]) == 0);
      assert_true(real(r, "sensitivity.%s.work", NAMES[i]) != 0);
    }
    br_result_destroy(r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(before_the_first_way), cmocka_unit_test(waves_close),
      cmocka_unit_test(switches_at_the_seam), cmocka_unit_test(error_of_a_wave),
      cmocka_unit_test(bounds_of_states),     cmocka_unit_test(slopes_of_the_way)};
  return cmocka_run_group_tests_name("loop/seams", tests, NULL, NULL);
}
