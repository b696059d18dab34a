/* SPDX-License-Identifier: Apache-2.0
 * test_exact.c - forces against integration and closed forms, whatever the samples. */
#include "kit.h"
#include "support/bouc_wen.h"

/* LuGre, libm throughout. */
typedef struct {
  double s0, s1, s2, Fc, Fs, vs, delta;
} lugre;
static double lugre_rate(const lugre *p, double v, double z)
{
  const double g = p->Fc + (p->Fs - p->Fc) * exp(-pow(fabs(v) / p->vs, p->delta));
  return v - p->s0 * fabs(v) / g * z;
}
/* Classical Runge-Kutta with v held. */
static double lugre_walk(const lugre *p, double v, double h, double z, int steps)
{
  const double d = h / steps;
  for (int i = 0; i < steps; i++) {
    const double a = lugre_rate(p, v, z), b = lugre_rate(p, v, z + 0.5 * d * a);
    const double c = lugre_rate(p, v, z + 0.5 * d * b), e = lugre_rate(p, v, z + d * c);
    z += d / 6 * (a + 2 * b + 2 * c + e);
  }
  return z;
}

/* A recorded motion: between its samples the velocity is held, also where the rows are others. */
static void lugre_record_against_integration(void **state)
{
  const lugre p = {123.4, 5.6, 0.7, 0.9, 1.7, 0.31, 1.3};
  const double t[] = {0, 0.13, 0.29, 0.35, 0.62, 1}, u[] = {0, 0.021, 0.043, 0.043, -0.02, 0.004};
  const br_trace_options o = with(0.0173, 1);
  const size_t n = run("lugre", "sigma0=123.4,sigma1=5.6,sigma2=0.7,Fc=0.9,Fs=1.7,vs=0.31,delta=1.3",
                       "pwl:0,0,0.13,0.021,0.29,0.043,0.35,0.043,0.62,-0.02,1,0.004", &o, NULL);
  double z = 0, worst_z = 0, worst_F = 0;
  size_t i = 0;
  assert_int_equal(n, 58);
  for (size_t k = 1; k < n; k++) {
    double from = T[k - 1], v = 0;
    while (from < T[k]) {
      const double to = fmin(T[k], t[i + 1]);
      v = (u[i + 1] - u[i]) / (t[i + 1] - t[i]);
      z = lugre_walk(&p, v, to - from, z, 400);
      from = to;
      i += to == t[i + 1] && i < 4;
    }
    worst_z = fmax(worst_z, fabs(z - Z[k]));
    worst_F = fmax(worst_F, fabs(p.s0 * z + p.s1 * lugre_rate(&p, v, z) + p.s2 * v - F[k]));
    assert_true(fabs(V[k] - v) <= 1e-9 * fabs(v) + 1e-12);
  }
  print_message("lugre: largest difference in z %.1e m, in F %.1e N\n", worst_z, worst_F);
  assert_true(worst_z < 1e-13); /* |z| up to 0.0136 m */
  assert_true(worst_F < 1e-11); /* |F| up to 1.7 N */
  /* row 0: rest state, velocity of the start */
  assert_true(Z[0] == 0 && U[0] == 0 && fabs(V[0] - 0.021 / 0.13) < 1e-15 &&
              fabs(F[0] - (p.s1 + p.s2) * V[0]) < 1e-14);
}

/* u of triangle:A,f, starting at 0 rising. */
static double triangle(double A, double x)
{
  const double q = x - floor(x);
  return A * (q < 0.25 ? 4 * q : q < 0.75 ? 2 - 4 * q : 4 * q - 4);
}

static void dahl_triangle_is_exact(void **state)
{
  const double A = 0.4, f = 0.37, s0 = 7.5, Fc = 0.75, steps[] = {0.113, 0.9, 0.01, 2.6};
  for (size_t i = 0; i < 4; i++) { /* the last one jumps over nearly a whole period */
    const br_trace_options o = with(steps[i], 20);
    const size_t n = run("dahl", "sigma0=7.5,Fc=0.75", "triangle:0.4,0.37", &o, NULL);
    double y = 0, x = 0; /* force and phase of the exact walk */
    for (size_t k = 0; k < n; k++) {
      const double end = T[k] * f;
      while (x < end) { /* corners at phase 1/4, 3/4, ... */
        const double corner = (floor(2 * x - 0.5 + 1e-12) + 1.5) / 2, next = fmin(corner, end);
        y = dahl_walk(y, triangle(A, next) - triangle(A, x), s0, Fc);
        x = next;
      }
      assert_true(fabs(F[k] - y) < 5e-14);
      assert_true(fabs(U[k] - triangle(A, end)) < 1e-14);
    }
  }
}

/* Rate-independent models on straight lines: the force at a shared time does not depend on the samples,
 * and running twice as fast gives the same force at the same place. */
static void sample_rate_independence(void **state)
{
  static const struct {
    const char *model, *list;
    double tolerance;
  } CASES[] = {
      {"dahl", "gamma=0.5", 1e-13},
      {"dahl", "gamma=2", 1e-13},
      {"maxwell_slip", "k=1,1.8,2.6,Delta=0.15,0.24,0.33", 1e-13},
      {"bouc_wen", "eta=1.7,beta=0.7,gamma=0.2,uy=0.1,inv_d0=0.05,kappa=0.1", 1e-11},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static double coarse[MOST];
    br_trace_options o = with(0.7, 21);
    const size_t n = run(CASES[i].model, CASES[i].list, "triangle:0.5,0.3", &o, NULL);
    assert_int_equal(n, 31);
    memcpy(coarse, F, n * sizeof *F);
    double range = 0, worst = 0, faster = 0;
    for (size_t k = 0; k < n; k++) range = fmax(range, fabs(coarse[k]));
    o = with(0.7 / 64, 21);
    assert_int_equal(run(CASES[i].model, CASES[i].list, "triangle:0.5,0.3", &o, NULL), 30 * 64 + 1);
    for (size_t k = 0; k < n; k++) worst = fmax(worst, fabs(F[64 * k] - coarse[k]));
    o = with(0.07, 2.1);
    assert_int_equal(run(CASES[i].model, CASES[i].list, "triangle:0.5,3", &o, NULL), n);
    for (size_t k = 0; k < n; k++) faster = fmax(faster, fabs(F[k] - coarse[k]));
    print_message("%s %s: range %.3g N, differences %.1e and %.1e N\n", CASES[i].model, CASES[i].list, range,
                  worst, faster);
    if (!(worst <= CASES[i].tolerance * range && faster <= CASES[i].tolerance * range && range > 0.01)) {
      fail_msg("%s %s: range %g, differences %g and %g", CASES[i].model, CASES[i].list, range, worst, faster);
    }
  }
}

/* On straight lines the held velocity is the true one, so samples must not matter for any model,
 * rate-dependent or not, exact or integrated: all built-in models with their defaults, small and large
 * motion. */
static void every_model_any_sampling(void **state)
{
  static const double AMPLITUDE[] = {1.3e-5, 0.7};
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  br_err err = {BR_OK, -1, ""};
  for (size_t i = 0; i < 2 * count; i++) {
    const br_model *m = all[i / 2];
    static double coarse[2 * MOST];
    br_params *p = NULL;
    br_signal *sig[2] = {NULL, NULL};
    br_trace *tr = NULL;
    char spec[64];
    size_t n = 0;
    double range = 0, worst = 0;
    assert_int_equal(br_params_create(m, &p, &err), BR_OK);
    assert_int_equal(br_params_finish(p, &err), BR_OK);
    for (int a = 0; a < m->axes; a++) {
      (void)snprintf(spec, sizeof spec, "triangle:%g,%g", AMPLITUDE[i % 2], a ? 0.47 : 0.3);
      assert_int_equal(br_signal_parse(spec, &sig[a], &err), BR_OK);
    }
    const br_signal *inputs[] = {sig[0], sig[1]};
    for (int fine = 0; fine < 2; fine++) {
      const br_trace_options o = with(fine ? 0.7 / 64 : 0.7, 14);
      assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
      if (br_trace_fill(tr, MOST, T, U, V, F, NULL, &n, &err)) fail_msg("%s", err.msg);
      br_trace_destroy(tr);
      for (int a = 0; a < m->axes; a++) {
        for (size_t k = 0; k < 21; k++) {
          if (!fine) coarse[a * MOST + k] = F[a * MOST + k];
          else worst = fmax(worst, fabs(F[a * MOST + 64 * k] - coarse[a * MOST + k]));
          range = fmax(range, fabs(coarse[a * MOST + k]));
        }
      }
    }
    print_message("%s, amplitude %g m: range %.3g N, difference %.1e N\n", m->name, AMPLITUDE[i % 2], range,
                  worst);
    /* karnopp's band swallows the small motion */
    if (!(worst <= 1e-9 * range && (range > 0 || i % 2 == 0))) fail_msg("%s depends on the samples", m->name);
    br_signal_destroy(sig[0]);
    br_signal_destroy(sig[1]);
    br_params_destroy(p);
  }
}

/* Bouc-Wen with eta = 1, beta = gamma = 1/2, A = 1: z' = 1 - z going out, z' = 1 (in u) coming back. */
static void bouc_wen_closed_form(void **state)
{
  const br_trace_options o = with(0.013, 3.9);
  br_trace_stats s;
  const size_t n = run("bouc_wen", "eta=1,beta=0.5,gamma=0.5", "pwl:0,0,1,2,2,1.5,4,1.5", &o, &s);
  double worst = 0;
  for (size_t k = 0; k < n; k++) {
    const double top = 1 - exp(-2.0), u = U[k], z = T[k] <= 1 ? 1 - exp(-u) : top - (2 - u);
    worst = fmax(worst, fabs(Z[k] - z));
  }
  print_message("bouc_wen: largest difference to the closed form %.1e\n", worst);
  assert_true(worst < 2e-12);
  assert_true(s.steps >= s.pieces && s.splits == 2);
}

/* 120 m of random turning points, z = 0 passed on nearly every arc: the kink there is located. */
static void bouc_wen_kinks(void **state)
{
  static const double WEIGHTS[][2] = {{0.7, 0.3}, {0.5, 0.5}, {0.9, 0.1}, {0.3, 0.7}};
  for (size_t k = 0; k < 4; k++) {
    const double beta = WEIGHTS[k][0], gamma = WEIGHTS[k][1];
    static double want[512];
    char spec[16384], list[64];
    size_t n = 0, at = 0;
    double path = 0, u = 0, z = 0, worst = 0;
    uint64_t seed = 12345 + k;
    at += (size_t)snprintf(spec, sizeof spec, "pwl:0,0");
    for (want[0] = 0; path < 120;) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double next = 6 * ((double)(seed >> 11) * 0x1p-53) - 3;
      z = bouc_wen_walk(z, next - u, beta, gamma);
      path += fabs(next - u);
      u = next;
      want[++n] = z;
      at += (size_t)snprintf(spec + at, sizeof spec - at, ",%zu,%.17g", n, u);
    }
    (void)snprintf(list, sizeof list, "eta=1,beta=%g,gamma=%g", beta, gamma);
    const br_trace_options o = with(1, (double)n);
    assert_int_equal(run("bouc_wen", list, spec, &o, NULL), n + 1);
    for (size_t i = 0; i <= n; i++) worst = fmax(worst, fabs(Z[i] - want[i]));
    print_message("bouc_wen, 120 m, beta %g: largest difference %.1e\n", beta, worst);
    assert_true(worst < 1e-12);
  }
}

static void initial_state_and_load(void **state)
{
  const double z0 = 0.3;
  br_trace_options o = with(0.1, 1);
  o.z0 = &z0;
  o.nz0 = 1;
  o.load = 2;
  const size_t n = run("dahl", "sigma0=7.5,Fc=0.75", "ramp:0.2", &o, NULL);
  assert_true(Z[0] == 0.3 && F[0] == 0.3);
  for (size_t k = 0; k < n; k++) assert_true(fabs(F[k] - dahl_walk(0.3, 0.2 * T[k], 7.5, 1.5)) < 1e-14);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lugre_record_against_integration),
      cmocka_unit_test(dahl_triangle_is_exact),
      cmocka_unit_test(every_model_any_sampling),
      cmocka_unit_test(sample_rate_independence),
      cmocka_unit_test(bouc_wen_closed_form),
      cmocka_unit_test(bouc_wen_kinks),
      cmocka_unit_test(initial_state_and_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
