/* SPDX-License-Identifier: Apache-2.0
 * test_wave.c - loops in the input's own time: document 0's filtered Dahl model, approach to the quasi-static
 * limit, sine motion of documents 3 and 4, agreement with loops at constant speed. */
#include "loopkit.h"

#include "bristle/wave.h"

static br_signal *signal_of(const char *spec)
{
  br_signal *s = NULL;
  br_err err;
  if (br_signal_parse(spec, &s, &err)) fail_msg("%s", err.msg);
  return s;
}

static br_wave *wave_open(const element *e, const br_signal *input, const br_wave_settings *s)
{
  br_wave *w = NULL;
  br_err err;
  if (br_wave_create(e->m, e->par, input, s, &w, &err)) fail_msg("%s: %s", e->m->name, err.msg);
  return w;
}

/* Document 0, system (15): u_gamma(t) = sin(2 pi t / gamma), filter y' = x - y. */
static void figure_4(void **state)
{
  static const char *const at[] = {"y_at_u=0_rising", "y_at_phase_1/8",   "y_at_u=+1",
                                   "y_at_phase_3/8",  "y_at_u=0_falling", NULL,
                                   "y_at_u=-1"};
  element e = element_open("dahl");
  br_signal *input = signal_of("sine:1,1");
  element_set(&e, "sigma0=1,Fc=1,gamma=1");
  for (int g = 20; g <= 2000; g *= 100) {
    br_wave_settings s = br_wave_settings_default();
    double y[64];
    char key[64];
    s.scale = g;
    s.tau = 1;
    s.samples = 8;
    br_wave *w = wave_open(&e, input, &s);
    const br_wave_result *r = br_wave_get(w);
    for (size_t k = 0; k < 7; k++)
      if (at[k]) meets_at(r->y[k], 1e-10, "000/fig4/gamma=%d/%s", g, at[k]);
    meets_at(r->work, 1e-10, "000/fig4/gamma=%d/loop_area_ydu", g);
    assert_true(isnan(r->dissipation)); /* a filter has no energy */
    near(0.9536233761769405 - r->work,
         json_number(json_get(reference(g == 20 ? "000/fig4/gamma=20/area_minus_limit"
                                                : "000/fig4/gamma=2000/area_minus_limit"),
                              "value")),
         1e-10);
    br_wave_destroy(w);
    s.samples = 4000;
    double top = 0;
    w = wave_open(&e, input, &s);
    for (size_t k = 0; k < br_wave_get(w)->n; k++) top = fmax(top, br_wave_get(w)->y[k]);
    meets_at(top, 1e-5, "000/fig4/gamma=%d/y_max", g);
    br_wave_destroy(w);
    s.samples = 10; /* two periods from rest, every tenth of a period */
    s.periods = 2;
    (void)snprintf(key, sizeof key, "000/fig4/gamma=%d/history_y", g);
    w = wave_open(&e, input, &s);
    assert_int_equal(br_wave_get(w)->n, 21);
    memcpy(y, br_wave_get(w)->y, 21 * sizeof *y);
    meets_list(key, y, 21, 1e-10);
    br_wave_destroy(w);
  }
  br_signal_destroy(input);
}

static void figure_7(void **state)
{
  const double scales[] = {1, 10, 100, 1000};
  element e = element_open("lugre");
  br_signal *input = signal_of("turning:0,1");
  br_rate_row rows[4];
  br_err err;
  element_set(&e, "sigma0=1,sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1");
  if (br_rate_distance(e.m, e.par, input, NULL, 4, scales, rows, &err)) fail_msg("%s", err.msg);
  for (int k = 0; k < 4; k++) {
    const int g = (int)scales[k];
    br_wave_settings s = br_wave_settings_default();
    meets_at(rows[k].transient, 1e-11, "000/fig7/sup_norm_y_gamma=%d_minus_y_star", g);
    near(rows[k].transient_at, 1, 1e-9);
    assert_true(rows[k].steady < rows[k].transient);
    s.scale = g;
    s.samples = 10;
    s.periods = 2;
    br_wave *w = wave_open(&e, input, &s);
    double want[32];
    char key[64];
    (void)snprintf(key, sizeof key, "000/fig7/y_gamma=%d/history", g);
    assert_int_equal(json_numbers(json_get(reference(key), "value"), want, 32), 21);
    for (size_t i = 1; i < 21;
         i++) { /* the reference holds right limits at the corners, the wave left ones */
      const double jump = i % 10 == 5 ? -2.0 / g : i % 10 == 0 ? 2.0 / g : 0.0;
      near(br_wave_get(w)->y[i] + jump, want[i], 1e-11);
    }
    meets_at(br_wave_get(w)->y[5], 1e-11, "000/fig7/y_gamma=%d/left_limit_t=1", g);
    meets_at(br_wave_get(w)->y[10], 1e-11, "000/fig7/y_gamma=%d/left_limit_t=2", g);
    br_wave_destroy(w);
  }
  br_signal_destroy(input);
}

/* ---- sine motion ---- */

static void check_sine(const char *prefix, const element *e, double U, double w)
{
  char spec[96], key[192];
  double F[15], phase[32];
  br_wave_settings s = br_wave_settings_default();
  s.samples = 16;
  (void)snprintf(spec, sizeof spec, "sine:%.17g,%.17g", U, w / 6.283185307179586);
  br_signal *input = signal_of(spec);
  br_wave *wave = wave_open(e, input, &s);
  const br_wave_result *r = br_wave_get(wave);
  (void)snprintf(key, sizeof key, "%s/%s", prefix, strstr(prefix, "LuGre_U") ? "F_at_phases" : "f_at_phases");
  const size_t n = json_numbers(json_get(reference(key), "phase"), phase, 32);
  assert_int_equal(n, 15);
  for (size_t k = 0; k < n; k++) {
    near(phase[k], (double)(k + 1) / 16, 1e-15);
    F[k] = r->y[k + 1];
  }
  meets_list(key, F, n, 1e-9);
  meets_at(r->work, 1e-9, "%s/energy_per_cycle", prefix);
  assert_int_equal(r->n_turning, 2);
  near(r->turning[0].u, U, 1e-12 * U);
  near(r->turning[0].y, F[3], 1e-9 * fabs(F[3]));
  br_wave_destroy(wave);
  br_signal_destroy(input);
}

static void sine_of_document_3(void **state)
{
  static const double speeds[] = {1, 0.0001, 0.002};
  for (int c = 0; c < 4; c++)
    for (int k = 0; k < 3; k++) {
      element e = element_open("duhem_lugre");
      char prefix[128];
      element_set(&e, c % 2 ? "beta=0.5,gamma=0.5,eta=2,fc=1,g0=1,vs=0.001"
                            : "beta=1,gamma=0,eta=1,fc=1,g0=1,vs=0.001");
      element_put(&e, "Ts", c < 2 ? 0.05 : 0);
      (void)snprintf(prefix, sizeof prefix, "003/ext7/LuGre_%s_g0=1_Ts=%s/sine_U=5_w=%s",
                     c % 2 ? "beta=0.5_gamma=0.5_eta=2" : "beta=1_gamma=0_eta=1", c < 2 ? "0.05" : "0",
                     k == 0   ? "1"
                     : k == 1 ? "0.0001"
                              : "0.002");
      check_sine(prefix, &e, 5, speeds[k]);
    }
}

static void sine_of_document_4(void **state)
{
  static const char *const text[] = {"0.01", "0.1", "1", "10", "100"};
  element e = element_open("lugre");
  element_set(&e, "sigma0=1e5,sigma1=316.22776601683796,sigma2=0.4,Fc=1,Fs=1.5,vs=0.001,delta=2");
  for (int k = 0; k < 5; k++) {
    char prefix[64];
    (void)snprintf(prefix, sizeof prefix, "004/tableI/LuGre_U=1e-4/w=%s", text[k]);
    check_sine(prefix, &e, 1e-4, strtod(text[k], NULL));
  }
}

/* A wave of straight lines at one speed is a loop at a frequency: everything must agree, minor loops
 * included. */
static void straight_lines(void **state)
{
  const double u[] = {0, 1, 0.5, 1.5, 0.8, 1.2};
  static const char *const models[] = {"lugre", "dahl", "bouc_wen", "duhem_lugre", "semilinear_duhem"};
  br_signal *input = NULL;
  br_err err;
  if (br_signal_from_turning(6, u, 1, &input, &err)) fail_msg("%s", err.msg);
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    element e = element_open(models[k]);
    if (k == 0) element_set(&e, "sigma0=6,sigma1=1,sigma2=0.3,Fc=1,Fs=2,vs=1,delta=1");
    if (k == 1) element_set(&e, "sigma0=7.5,Fc=0.75,gamma=1.5");
    br_wave *w = wave_open(&e, input, NULL);
    br_loop *loop = loop_open(&e, 6, u, 1 / 4.8);
    const br_wave_result *r = br_wave_get(w);
    const br_loop_summary *s = br_loop_get(loop);
    const double size = fmax(fabs(s->y_min), fabs(s->y_max));
    assert_int_equal(r->n_turning, 6);
    assert_int_equal(r->n_minor, 2);
    near(r->work, s->work, 1e-9 * size);
    near(r->path_length, 4.8, 1e-14);
    for (size_t i = 0; i < 6; i++) near(r->turning[i].y, br_loop_turnings(loop)[i].y, 1e-9 * size);
    for (size_t i = 0; i < 2; i++) {
      const br_minor *a = &r->minor[i], *b = &br_loop_minors(loop)[i];
      assert_int_equal(a->start_reversal, b->start_reversal);
      near(a->y_end, b->y_end, 1e-9 * size);
      near(a->work, b->work, 1e-9 * size);
      if (e.m->energy) near(a->dissipation, b->dissipation, 1e-9 * size);
      else assert_true(isnan(a->dissipation) && isnan(b->dissipation));
    }
    br_loop_destroy(loop);
    br_wave_destroy(w);
  }
  br_signal_destroy(input);
}

/* Rate-independent models do not care about the scale. */
static void scale_does_not_matter(void **state)
{
  const double scales[] = {1e-3, 1, 1e3};
  br_signal *input = signal_of("sine:0.3,1");
  const element e = element_open("dahl");
  br_rate_row rows[3];
  br_err err;
  if (br_rate_distance(e.m, e.par, input, NULL, 3, scales, rows, &err)) fail_msg("%s", err.msg);
  for (int k = 0; k < 3; k++) assert_true(rows[k].transient < 1e-11 && rows[k].steady < 1e-11);
  br_signal_destroy(input);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_4),           cmocka_unit_test(figure_7),
      cmocka_unit_test(sine_of_document_3), cmocka_unit_test(sine_of_document_4),
      cmocka_unit_test(straight_lines),     cmocka_unit_test(scale_does_not_matter),
  };
  return cmocka_run_group_tests_name("loop/wave", tests, references_load, references_drop);
}
