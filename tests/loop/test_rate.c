/* SPDX-License-Identifier: Apache-2.0
 * test_rate.c - approach to the quasi-static limit from a given state, and the distance of graphs, against
 * tests/reference/doc0.py; responses from t = 0. */
#include "loopkit.h"

#include "bristle/wave.h"

static br_signal *signal_of(const char *spec)
{
  br_signal *s = NULL;
  br_err err;
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s", err.msg);
  return s;
}

/* Example 2 of document 0 from z = 0.5. */
static void from_a_state(void **state)
{
  static const double scales[] = {1, 10}, transient[] = {1.8346873270539171, 0.17279426757204406},
                      steady[] = {1.3610519092965844, 0.12667515355216165},
                      graph[] = {1.0029434358832827, 0.082193407938647545};
  const double z0[] = {0.5};
  element e = element_open("lugre");
  br_signal *input = signal_of("turning:0,1");
  br_wave_settings s = br_wave_settings_default();
  br_rate_row r[2];
  br_err err;
  element_set(&e, "sigma0=1,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1");
  s.z0 = z0;
  if (br_rate_distance(e.m, e.par, input, &s, 2, scales, r, &err)) fail_msg("%s", err.msg);
  for (size_t k = 0; k < 2; k++) {
    near(r[k].transient, transient[k], 1e-9);
    near(r[k].steady, steady[k], 1e-9);
    near(r[k].graph, graph[k], 1e-4 * graph[k]);
  }
  s.z0 = NULL; /* at rest: the numbers of figure 7, and the same settled graphs */
  if (br_rate_distance(e.m, e.par, input, &s, 1, scales, r, &err)) fail_msg("%s", err.msg);
  near(r[0].transient, 1.5961560791817553, 1e-9);
  near(r[0].graph, graph[0], 1e-4 * graph[0]);
  br_signal_destroy(input);
}

/* Where only the path counts nothing is between the graphs; where the limit has no height nothing is
 * measured. */
static void graphs_at_their_ends(void **state)
{
  const double scale = 3;
  br_signal *input = signal_of("sine:1,1");
  br_wave_settings s = br_wave_settings_default();
  br_rate_row r;
  br_err err;
  element e = element_open("dahl");
  element_set(&e, "sigma0=1,Fc=1");
  if (br_rate_distance(e.m, e.par, input, &s, 1, &scale, &r, &err)) fail_msg("%s", err.msg);
  near(r.graph, 0, 1e-12);
  br_signal_destroy(input);
  input = signal_of("turning:0,1e-3,1e-3,0.5e-3"); /* straight lines many times over */
  if (br_rate_distance(e.m, e.par, input, &s, 1, &scale, &r, &err)) fail_msg("%s", err.msg);
  near(r.graph, 0, 1e-12);
  br_signal_destroy(input);
}

/* Dahl from F0 along a sine: u has moved by 1 at a quarter of the period, by 3 at three quarters. */
static void response_from_a_state(void **state)
{
  const double F0[] = {0.5}, at1 = 1 - 0.5 * exp(-1.0), at3 = -1 + (at1 + 1) * exp(-2.0);
  element e = element_open("dahl");
  br_signal *input = signal_of("sine:1,1");
  br_wave_settings s = br_wave_settings_default();
  br_wave *w = NULL;
  br_err err;
  element_set(&e, "sigma0=1,Fc=1");
  s.samples = 8;
  s.periods = 2;
  s.z0 = F0;
  if (br_wave_create(e.m, e.par, input, &s, &w, &err)) fail_msg("%s", err.msg);
  const br_wave_result *r = br_wave_get(w);
  assert_int_equal(r->n, 17);
  near(r->y[0], 0.5, 1e-15);
  near(r->y[2], at1, 1e-12);
  near(r->y[6], at3, 1e-12);
  br_wave_destroy(w);
  br_signal_destroy(input);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(from_a_state), cmocka_unit_test(graphs_at_their_ends),
                                     cmocka_unit_test(response_from_a_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
