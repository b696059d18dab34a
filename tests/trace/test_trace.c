/* SPDX-License-Identifier: Apache-2.0
 * test_trace.c - forces under prescribed motion against closed forms and an integration written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/param.h"
#include "bristle/trace.h"
#include "table/alloc.h"

enum { MOST = 20001 };
static double T[MOST], U[2 * MOST], V[2 * MOST], F[2 * MOST], Z[10 * MOST];

/* Run a built-in model; columns into the arrays above.  Returns the number of rows. */
static size_t run(const char *model, const char *list, const char *spec, const br_trace_options *o,
                  br_trace_stats *s)
{
  const br_model *m = br_model_find(model);
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  assert_non_null(m);
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, list, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_parse(spec, &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
  if (br_trace_create(m, br_params_block(p, "model"), inputs, o, &tr, &err)) fail_msg("%s", err.msg);
  assert_true(br_trace_count(tr) <= MOST);
  if (br_trace_fill(tr, MOST, T, U, V, F, Z, &n, &err)) fail_msg("%s", err.msg);
  assert_int_equal(n, br_trace_count(tr));
  if (s) *s = br_trace_statistics(tr);
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  br_params_destroy(p);
  return n;
}

static br_trace_options with(double dt, double t_end)
{
  br_trace_options o = br_trace_options_default();
  o.dt = dt;
  o.t_end = t_end;
  return o;
}

/* LuGre with v held between samples, integrated by small classical Runge-Kutta steps, libm throughout. */
typedef struct {
  double s0, s1, s2, Fc, Fs, vs, delta;
} lugre;
static double lugre_rate(const lugre *p, double v, double z)
{
  const double g = p->Fc + (p->Fs - p->Fc) * exp(-pow(fabs(v) / p->vs, p->delta));
  return v - p->s0 * fabs(v) / g * z;
}
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

static void lugre_against_integration(void **state)
{
  const lugre p = {123.4, 5.6, 0.7, 0.9, 1.7, 0.31, 1.3};
  const double A = 0.0437, f = 0.83, h = 0.0173, pi = acos(-1.0);
  const br_trace_options o = with(h, 3);
  br_trace_stats s;
  const size_t n = run("lugre", "sigma0=123.4,sigma1=5.6,sigma2=0.7,Fc=0.9,Fs=1.7,vs=0.31,delta=1.3",
                       "sine:0.0437,0.83", &o, &s);
  assert_int_equal(n, 174); /* 3/0.0173 = 173.4 */
  double z = 0, worst_z = 0, worst_F = 0;
  size_t splits = 0;
  for (size_t k = 1; k < n; k++) {
    const double t0 = (double)(k - 1) * h, t1 = (double)k * h;
    double v = 0;
    /* turning points of the sine: t = (j + 1/2) / (2 f) */
    const double turn = (floor(2 * f * t0 - 0.5) + 1.5) / (2 * f);
    if (turn > t0 && turn < t1) {
      splits++;
      const double top = A * sin(2 * pi * f * turn);
      z = lugre_walk(&p, (top - A * sin(2 * pi * f * t0)) / (turn - t0), turn - t0, z, 400);
      v = (A * sin(2 * pi * f * t1) - top) / (t1 - turn);
      z = lugre_walk(&p, v, t1 - turn, z, 400);
    } else {
      v = (A * sin(2 * pi * f * t1) - A * sin(2 * pi * f * t0)) / h;
      z = lugre_walk(&p, v, h, z, 400);
    }
    worst_z = fmax(worst_z, fabs(z - Z[k]));
    worst_F = fmax(worst_F, fabs(p.s0 * z + p.s1 * lugre_rate(&p, v, z) + p.s2 * v - F[k]));
    assert_true(fabs(V[k] - v) <= 1e-9 * fabs(v) + 1e-12);
  }
  print_message("lugre: largest difference in z %.1e m, in F %.1e N\n", worst_z, worst_F);
  assert_int_equal(s.splits, splits);
  assert_int_equal(splits, 5);
  assert_true(worst_z < 1e-13); /* |z| up to 0.0136 m */
  assert_true(worst_F < 1e-11); /* |F| up to 1.7 N */
  /* row 0: rest state, velocity of the start */
  assert_true(Z[0] == 0 && U[0] == 0 && fabs(V[0] - (U[1] - U[0]) / h) < 1e-15 &&
              fabs(F[0] - (p.s1 + p.s2) * V[0]) < 1e-15);
}

/* Dahl, gamma = 1, along a path: F approaches +-Fc by 1 - exp(-sigma0 |du| / Fc). */
static double dahl_walk(double F0, double du, double s0, double Fc)
{
  const double end = copysign(Fc, du);
  return end + (F0 - end) * exp(-s0 * fabs(du) / Fc);
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
 * rate-dependent
 * or not, exact or integrated: all built-in models with their defaults, small and large motion. */
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

static void default_times(void **state)
{
  assert_int_equal(run("dahl", "", "sine:0.1,4", NULL, NULL), 2001);
  assert_true(T[1] == 0.25 / 1000 && fabs(T[2000] - 0.5) < 1e-15);
  assert_int_equal(run("dahl", "", "pwl:0,0,3,1", NULL, NULL), 1001);
  assert_true(fabs(T[1000] - 3) < 1e-14);
  assert_int_equal(run("dahl", "", "ramp:1", NULL, NULL), 1001);
  assert_true(fabs(T[1000] - 1) < 1e-15);
  /* a step is crossed within its sample interval, and something is seen behind it */
  assert_int_equal(run("dahl", "", "step:0.1,2", NULL, NULL), 1001);
  assert_true(fabs(T[1000] - 4) < 1e-14 && F[499] == 0 && F[500] > 0 && F[1000] == F[500]);
  assert_true(fabs(F[500] - dahl_walk(0, 0.1, 7.5, 0.75)) < 1e-15);
  /* the end need not be a multiple of the step; a rounded multiple counts */
  br_trace_options o = with(0.1, 0.3);
  assert_int_equal(run("dahl", "", "ramp:1", &o, NULL), 4);
  o = with(0.1, 0.39);
  assert_int_equal(run("dahl", "", "ramp:1", &o, NULL), 4);
}

static void recorded_samples(void **state)
{
  const double t[] = {1, 1.5, 1.75, 3, 3.125}, u[] = {0.1, 0.3, 0.2, 0.2, 0.6};
  const br_model *m = br_model_find("dahl");
  br_trace_options o = br_trace_options_default();
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err;
  size_t n = 0;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  assert_int_equal(br_signal_from_arrays(5, t, u, &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
  o.own_samples = 1;
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_fill(tr, MOST, T, U, V, F, NULL, &n, &err), BR_OK);
  assert_int_equal(n, 5);
  double y = 0;
  for (size_t k = 0; k < 5; k++) {
    if (k) y = u[k] == u[k - 1] ? y : dahl_walk(y, u[k] - u[k - 1], 7.5, 0.75);
    assert_true(T[k] == t[k] && U[k] == u[k] && fabs(F[k] - y) < 1e-15);
    if (k) assert_true(fabs(V[k] - (u[k] - u[k - 1]) / (t[k] - t[k - 1])) < 1e-14);
  }
  br_trace_destroy(tr);
  o.t_end = 2;
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_count(tr), 3);
  br_trace_destroy(tr);
  o.t_end = 1.2;
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_E_SIZE);
  assert_null(tr);
  o.t_end = 0;
  o.dt = 0.25; /* resampled, from the first sample on */
  assert_int_equal(br_trace_create(m, br_params_block(p, "model"), inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_count(tr), 9);
  assert_int_equal(br_trace_fill(tr, MOST, T, NULL, NULL, F, NULL, &n, &err), BR_OK);
  assert_true(T[0] == 1 && T[8] == 3 &&
              fabs(F[8] - dahl_walk(dahl_walk(0, 0.2, 7.5, 0.75), -0.1, 7.5, 0.75)) < 1e-15);
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  br_params_destroy(p);
}

/* ---- users' models: two axes, not a number, stuck, modes ---- */

static size_t one_state(const void *par) { return 1; }
static size_t two_states(const void *par) { return 2; }
static size_t no_mode(const void *par) { return 0; }
static size_t one_mode(const void *par) { return 1; }
static void z_force(const void *par, double n, const double *u, const double *v, const double *z,
                    const double *dz, double *out)
{
  out[0] = z[0];
}

/* x and y coupled by rotation: zx' = vx - w zy, zy' = vy + w zx. */
static void turn_rate(const void *par, double n, const double *u, const double *v, const double *z,
                      double *dz)
{
  const double w = *(const double *)par;
  dz[0] = v[0] - w * z[1];
  dz[1] = v[1] + w * z[0];
}
static void turn_force(const void *par, double n, const double *u, const double *v, const double *z,
                       const double *dz, double *out)
{
  out[0] = z[0] + u[0];
  out[1] = z[1] + u[1];
}
static const br_state XY[] = {{"zx", "m", "", 1}, {"zy", "m", "", 1}, {NULL, NULL, NULL, 0}};
static const br_state ONE[] = {{"z", "m", "", 1}, {NULL, NULL, NULL, 0}};

static void two_axes(void **state)
{
  const double w = 3.1;
  br_model m;
  memset(&m, 0, sizeof m);
  m.name = "turning";
  m.axes = 2;
  m.states = XY;
  m.nstates_rows = m.nz = 2;
  m.nstate = two_states;
  m.nmode = no_mode;
  m.rate = turn_rate;
  m.force = turn_force;
  br_signal *sig[2] = {NULL, NULL};
  br_trace *tr = NULL;
  br_err err;
  size_t n = 0;
  const br_trace_options o = with(0.05, 2);
  assert_int_equal(br_signal_parse("ramp:0.3", &sig[0], &err), BR_OK);
  assert_int_equal(br_signal_parse("pwl:0,0,1.02,0.5,9,0.5", &sig[1], &err), BR_OK);
  const br_signal *inputs[] = {sig[0], sig[1]};
  assert_int_equal(br_trace_create(&m, &w, inputs, &o, &tr, &err), BR_OK);
  assert_int_equal(br_trace_fill(tr, MOST, T, U, V, F, Z, &n, &err), BR_OK);
  assert_int_equal(n, 41);
  assert_int_equal(br_trace_statistics(tr).splits, 1);
  /* z = c + rotation of (z0 - c), with c = (-vy, vx)/w, on each part of constant velocity */
  for (size_t k = 0; k < n; k++) {
    double x = 0, y = 0, t = 0;
    while (t < T[k]) {
      const double end = t < 1.02 && T[k] > 1.02 ? 1.02 : T[k], vx = 0.3, vy = t < 1.02 ? 0.5 / 1.02 : 0;
      const double cx = -vy / w, cy = vx / w, c = cos(w * (end - t)), s = sin(w * (end - t));
      const double dx = x - cx, dy = y - cy;
      x = cx + c * dx - s * dy;
      y = cy + s * dx + c * dy;
      t = end;
    }
    assert_true(fabs(Z[k] - x) < 1e-11 && fabs(Z[MOST + k] - y) < 1e-11);
    assert_true(fabs(F[MOST + k] - (y + U[MOST + k])) < 1e-11 && fabs(U[k] - 0.3 * T[k]) < 1e-15);
  }
  br_trace_destroy(tr);
  inputs[1] = NULL;
  assert_int_equal(br_trace_create(&m, &w, inputs, &o, &tr, &err), BR_E_ARG);
  br_signal_destroy(sig[0]);
  br_signal_destroy(sig[1]);
}

static void blow_up_rate(const void *par, double n, const double *u, const double *v, const double *z,
                         double *dz)
{
  dz[0] = 1 + z[0] * z[0]; /* z = tan t: infinite at pi/2 */
}
static void chatter_rate(const void *par, double n, const double *u, const double *v, const double *z,
                         double *dz)
{
  dz[0] = z[0] > 0.25 ? -1 : 1; /* slides along z = 0.25 and never gets on */
}
static void nan_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  z[0] = u[0] + v[0] * h > 0.505 ? NAN : 1;
}
/* z' = v, but a mode switches it off for good at z = 0.3; plain Euler inside, so that halving has work to
 * do */
static void mode_step(const void *par, double n, const double *u, const double *v, double h, double *z)
{
  if (z[1] == 0) z[0] += v[0] * h;
  if (z[0] >= 0.3) z[0] = 0.3, z[1] = 1;
}

static br_status run_user(br_model *m, size_t *n, br_err *err)
{
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  const br_trace_options o = with(0.01, 3);
  const br_trace_row *row = NULL;
  m->axes = 1;
  m->states = ONE;
  m->nstates_rows = m->nz = 1;
  m->nstate = one_state;
  m->force = z_force;
  assert_int_equal(br_signal_parse("ramp:1", &sig, err), BR_OK);
  const br_signal *inputs[] = {sig};
  assert_int_equal(br_trace_create(m, "", inputs, &o, &tr, err), BR_OK);
  const br_status st = br_trace_fill(tr, MOST, T, U, V, F, Z, n, err);
  if (st) { /* it stays there */
    br_err again;
    assert_int_equal(br_trace_next(tr, &row, &again), st);
    assert_null(row);
    assert_string_equal(again.msg, err->msg);
  }
  br_trace_destroy(tr);
  br_signal_destroy(sig);
  return st;
}

static void failures_are_reported(void **state)
{
  br_model m;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  memset(&m, 0, sizeof m);
  m.name = "user";
  m.nmode = no_mode;
  m.rate = blow_up_rate;
  assert_int_equal(run_user(&m, &n, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "t = 1.57079632"));
  assert_int_equal(n, 158); /* 0 .. 1.57 */
  for (size_t k = 0; k < n; k++) assert_true(fabs(Z[k] - tan(T[k])) < 1e-8 * (1 + Z[k] * Z[k]));
  m.rate = chatter_rate;
  assert_int_equal(run_user(&m, &n, &err), BR_E_CONVERGE);
  assert_non_null(strstr(err.msg, "t = 0.25"));
  m.rate = NULL;
  m.step = nan_step;
  m.flags = BR_MODEL_EXACT_STEP;
  assert_int_equal(run_user(&m, &n, &err), BR_E_NAN);
  assert_non_null(strstr(err.msg, "state z is"));
  assert_non_null(strstr(err.msg, "t = 0.51"));
  assert_int_equal(n, 51);
}

static void modes_take_the_models_step(void **state)
{
  br_model m;
  br_err err;
  size_t n = 0;
  memset(&m, 0, sizeof m);
  m.name = "latch";
  m.nmode = one_mode;
  m.step = mode_step;
  assert_int_equal(run_user(&m, &n, &err), BR_OK);
  assert_int_equal(n, 301);
  for (size_t k = 0; k < n; k++) assert_true(fabs(Z[k] - fmin(T[k], 0.3)) < 1e-12);
}

static void refused_options(void **state)
{
  const br_model *m = br_model_find("lugre");
  br_params *p = NULL;
  br_signal *sig = NULL;
  br_trace *tr = NULL;
  br_err err;
  const double z0[2] = {0, NAN};
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const double *par = br_params_block(p, "model");
  assert_int_equal(br_signal_parse("sine:1,1", &sig, &err), BR_OK);
  const br_signal *inputs[] = {sig};
#define REFUSED(status, ...)                                                  \
  do {                                                                        \
    br_trace_options o = br_trace_options_default();                          \
    __VA_ARGS__;                                                              \
    assert_int_equal(br_trace_create(m, par, inputs, &o, &tr, &err), status); \
    assert_null(tr);                                                          \
    assert_int_equal(err.code, status);                                       \
  } while (0)
  REFUSED(BR_E_RANGE, o.dt = -1);
  REFUSED(BR_E_NAN, o.dt = NAN);
  REFUSED(BR_E_RANGE, o.dt = INFINITY);
  REFUSED(BR_E_RANGE, o.t_end = -2);
  REFUSED(BR_E_NAN, o.t_end = NAN);
  REFUSED(BR_E_RANGE, o.dt = 3; o.t_end = 2);
  REFUSED(BR_E_RANGE, o.dt = 1e-300);
  REFUSED(BR_E_RANGE, o.load = -0.1);
  REFUSED(BR_E_RANGE, o.load = NAN);
  REFUSED(BR_E_RANGE, o.rtol = 0);
  REFUSED(BR_E_SIZE, o.z0 = z0; o.nz0 = 2);
  REFUSED(BR_E_NAN, o.z0 = z0 + 1; o.nz0 = 1);
  REFUSED(BR_E_UNSUPPORTED, o.own_samples = 1);
  REFUSED(BR_E_ARG, o.size = 0);
#undef REFUSED
  assert_int_equal(br_trace_create(NULL, par, inputs, NULL, &tr, &err), BR_E_ARG);
  assert_int_equal(br_trace_create(m, NULL, inputs, NULL, &tr, &err), BR_E_ARG);
  assert_int_equal(br_trace_create(m, par, NULL, NULL, &tr, &err), BR_E_ARG);
  assert_int_equal(br_trace_create(m, par, inputs, NULL, NULL, &err), BR_E_ARG);
  assert_int_equal(br_trace_next(NULL, NULL, &err), BR_E_ARG);
  br_trace_destroy(NULL);
  const long before = bri_alloc_live();
  int done = 0;
  for (long n = 0; !done && n < 20; n++) {
    bri_alloc_fail_after(n);
    const br_status st = br_trace_create(m, par, inputs, NULL, &tr, &err);
    bri_alloc_fail_after(-1);
    done = st == BR_OK;
    if (!done) assert_int_equal(st, BR_E_NOMEM);
    br_trace_destroy(tr);
    assert_int_equal(bri_alloc_live(), before);
  }
  assert_true(done);
  br_signal_destroy(sig);
  br_params_destroy(p);
}

static void state_names(void **state)
{
  const br_model *m = br_model_find("maxwell_slip");
  br_params *p = NULL;
  br_err err;
  char buf[16];
  const char *unit = NULL;
  assert_int_equal(br_params_create(m, &p, &err), BR_OK);
  assert_int_equal(br_params_set_list(p, "k=1,2,3,Delta=1,2,3", &err), BR_OK);
  assert_int_equal(br_params_finish(p, &err), BR_OK);
  const double *par = br_params_block(p, "model");
  assert_string_equal(br_state_name(m, par, 0, sizeof buf, buf, &unit), "z1");
  assert_string_equal(unit, "m");
  assert_string_equal(br_state_name(m, par, 2, sizeof buf, buf, NULL), "z3");
  assert_null(br_state_name(m, par, 3, sizeof buf, buf, NULL));
  assert_null(br_state_name(NULL, par, 0, sizeof buf, buf, NULL));
  br_params_destroy(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lugre_against_integration),
      cmocka_unit_test(dahl_triangle_is_exact),
      cmocka_unit_test(every_model_any_sampling),
      cmocka_unit_test(sample_rate_independence),
      cmocka_unit_test(bouc_wen_closed_form),
      cmocka_unit_test(initial_state_and_load),
      cmocka_unit_test(default_times),
      cmocka_unit_test(recorded_samples),
      cmocka_unit_test(two_axes),
      cmocka_unit_test(failures_are_reported),
      cmocka_unit_test(modes_take_the_models_step),
      cmocka_unit_test(refused_options),
      cmocka_unit_test(state_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
