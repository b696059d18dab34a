/* SPDX-License-Identifier: Apache-2.0
 * test_members.c - what each member of an ensemble is given and tells: waves, starts, levels, extremes,
 * times in stick against closed forms of a block without friction; what is refused; libraries that are none.
 * */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the headers above first */
#include <cmocka.h>

#include "bristle/ensemble.h"
#include "support/near.h"

#define PI 3.14159265358979323846
enum { MOST = 2100, SLOTS = 144, NX = 8 };

typedef struct {
  br_ensemble e;
  br_ensemble_result out;
  br_ensemble_input input;
  br_member_value vary[4];
  double spar[SLOTS], mpar[SLOTS], x0[NX], t[MOST], x[MOST * NX], lo[MOST * NX], hi[MOST * NX], stuck[MOST];
  size_t sticks[MOST], steps[MOST];
  br_status status[MOST];
  br_returns returns[MOST];
} kit;
static kit room;

static void put(kit *k, const char *name, double x)
{
  const br_param *p = br_model_param(k->e.mod, name);
  assert_non_null(p);
  k->mpar[p->slot] = x;
  k->e.mod->prepare(k->mpar);
}

static kit *make(const char *system, const char *model, size_t members, double t1)
{
  kit *k = &room;
  memset(k, 0, sizeof *k);
  k->e = br_ensemble_default();
  k->e.sys = br_system_find(system), k->e.mod = br_model_find(model);
  k->e.sys->defaults(k->spar), k->e.mod->defaults(k->mpar);
  k->e.sys->prepare(k->spar), k->e.mod->prepare(k->mpar);
  k->e.spar = k->spar, k->e.mpar = k->mpar, k->e.vary = k->vary, k->e.inputs = &k->input, k->e.x0 = k->x0;
  k->e.members = members, k->e.t1 = t1, k->e.threads = 1, k->e.rtol = 1e-9;
  k->out = (br_ensemble_result){.status = k->status,
                                .t = k->t,
                                .x = k->x,
                                .lo = k->lo,
                                .hi = k->hi,
                                .stuck = k->stuck,
                                .sticks = k->sticks,
                                .steps = k->steps,
                                .returns = k->returns};
  return k;
}

/* A block on a bristle that is as good as none. */
static kit *free_block(size_t members, double t1)
{
  kit *k = make("driven_block", "lugre", members, t1);
  put(k, "sigma0", 1e-12), put(k, "sigma1", 0), put(k, "sigma2", 0);
  return k;
}

static void run(kit *k)
{
  br_err err = {BR_OK, -1, ""};
  if (br_ensemble_run(&k->e, &k->out, &err) != BR_OK) fail_msg("%s", err.msg);
}

/* v' = value + amplitude sin(2 pi f t + phase), m = 1. */
static void waves(void **state)
{
  static double phase[7], start[7];
  kit *k = free_block(7, 0.77);
  (void)state;
  k->input = (br_ensemble_input){0.3, 2, 5, 0};
  for (size_t m = 0; m < 7; m++) phase[m] = -3 + (double)m, start[m] = 1 + 0.1 * (double)m;
  k->vary[0] = (br_member_value){BR_MEMBER_INPUT, BR_MEMBER_WAVE_PHASE, phase};
  k->vary[1] = (br_member_value){BR_MEMBER_START, 0, start};
  k->e.nvary = 2;
  for (int backward = 0; backward < 2; backward++) {
    k->input.frequency = backward ? -5 : 5;
    run(k);
    const double w = 2 * PI * k->input.frequency;
    for (size_t m = 0; m < 7; m++) {
      const size_t nx = br_ensemble_nstate(&k->e);
      double lo = start[m], hi = start[m], level = 0;
      for (int i = 0; i <= 20000; i++) {
        const double t = 0.77 * i / 20000,
                     v = start[m] + 0.3 * t + 2 / w * (cos(phase[m]) - cos(w * t + phase[m]));
        lo = fmin(lo, v), hi = fmax(hi, v), level = v;
      }
      assert_int_equal(k->status[m], BR_OK);
      near(k->x[m * nx], level, 1e-7);
      near(k->lo[m * nx], lo, 1e-5); /* the start is one of them */
      near(k->hi[m * nx], hi, 1e-5);
      assert_true(k->t[m] == 0.77 && k->steps[m] >= 0.77 * 5 * 16); /* no wave is stepped over */
    }
  }
}

/* v = A sin(w t) rises through each member's own level once a period. */
static void levels_and_speeds(void **state)
{
  static double levels[4] = {-0.5, 0, 0.25, 5}, slow[4] = {0.1, 0.2, 0.4, 0.8};
  kit *k = free_block(4, 3.6);
  const double w = 2 * PI;
  (void)state;
  k->input = (br_ensemble_input){0, w, 1, 0.5 * PI}; /* v = sin(w t) */
  k->e.levels = levels, k->e.stick_speeds = slow;
  run(k);
  for (size_t m = 0; m < 4; m++) {
    const br_returns *r = &k->returns[m];
    near(k->stuck[m], 0, 3.6);
    near(k->stuck[m], 3 * 4 * asin(slow[m]) / w + /* and up to t = 3.6 */ 3 * asin(slow[m]) / w,
         0.2 * slow[m]);
    if (m == 3) {
      assert_true(r->count == 0 && r->first == 0 && r->nearest == 0);
      continue;
    }
    const double at = asin(levels[m]) / w, first = at > 0 ? at : at + 1;
    assert_int_equal(r->count, at > 0 ? 4 : 3);
    near(r->first, first, 1e-5);
    near(r->last, 3 + at, 1e-5);
    near(r->nearest, 1, 1e-5);
    near(r->farthest, 1, 1e-5);
  }
  /* time in stick alone may be asked for */
  const double stuck = k->stuck[1];
  k->out = (br_ensemble_result){.stuck = k->stuck};
  k->stuck[1] = -1;
  run(k);
  near(k->stuck[1], stuck, 1e-9);
  /* counted from a time on: extremes begin there */
  k = free_block(1, 3.6);
  k->input = (br_ensemble_input){-1, 0, 0, 0};
  k->x0[0] = 1;
  run(k);
  assert_true(k->hi[0] == 1); /* where it starts */
  near(k->lo[0], 1 - 3.6, 1e-9);
  k->e.t_from = 1.25;
  run(k);
  near(k->hi[0], -0.25, 1e-9);
  near(k->lo[0], 1 - 3.6, 1e-9);
  k->input.value = 1, k->e.t_from = 0;
  run(k);
  assert_true(k->lo[0] == 1 && k->hi[0] > 4);
  k->e.t_from = 9;
  run(k);
  assert_true(isnan(k->lo[0]) && isnan(k->hi[0]));
  assert_true(k->t[0] == 3.6 && k->stuck[0] == 0 && k->sticks[0] == 0); /* nothing is counted, and it ends */
  near(k->x[0], 1 + 3.6, 1e-9);
}

/* Mechanisms of our own with a dashpot: those of the list have none. */
static const br_system *undamped;
static const double DASHPOT = 0.7;
static void damped(const void *par, const double *w, const double *dw, const double *q, const double *F,
                   double *dq)
{
  undamped->rate(par, w, dw, q, F, dq);
  dq[1] -= DASHPOT * q[1];
}

/* Rates of x = (q, v) under viscous friction and the wave at t. */
static void rates(const kit *k, double s2, double t, const double *x, double *dx)
{
  const double F = s2 * x[1], none = 0,
               w = k->input.value +
                   k->input.amplitude * sin(2 * PI * k->input.frequency * t + k->input.phase);
  damped(k->spar, &w, &none, x, &F, dx);
}

/* What is linear is stepped as (1 - h J) dx = h f(x, t + h), spring, dashpot and friction in J: on an
 * oscillator of its own, to the last digits. Chosen steps and constant ones of fifth order follow the
 * motion itself. */
static void exponential_steps(void **state)
{
  static const char *const SYSTEMS[] = {"mass_spring", "pulled_block"};
  const double h = 0.02, s2 = 0.4, t1 = 0.5;
  (void)state;
  for (int i = 0; i < 2; i++) {
    kit *k = make(SYSTEMS[i], "lugre", 1, t1);
    double x[2] = {0.3, -1.2}, y[2] = {0.3, -1.2}, J[2][2], f[2], none[2], to[2];
    undamped = k->e.sys;
    br_system own = *undamped;
    own.rate = damped;
    k->e.sys = &own;
    put(k, "sigma0", 1e-12), put(k, "sigma1", 0), put(k, "sigma2", s2);
    k->input = (br_ensemble_input){0.4, 1.5, 0.8, 0.3};
    k->x0[0] = x[0], k->x0[1] = x[1];
    for (int c = 0; c < 2; c++) { /* the wave at t = 0 cancels */
      const double one[2] = {c == 0, c == 1}, zero[2] = {0, 0};
      rates(k, s2, 0, one, f), rates(k, s2, 0, zero, none);
      for (int r = 0; r < 2; r++) J[r][c] = f[r] - none[r];
    }
    assert_true(J[1][1] < -DASHPOT && J[1][0] != 0 && J[0][1] != 0);
    for (int n = 1; n <= 25; n++) {
      rates(k, s2, h * n, x, f);
      const double a = 1 - h * J[0][0], b = -h * J[0][1], c = -h * J[1][0], d = 1 - h * J[1][1],
                   det = a * d - b * c;
      x[0] += h * (d * f[0] - b * f[1]) / det, x[1] += h * (a * f[1] - c * f[0]) / det;
    }
    for (int n = 0; n < 2000; n++) { /* the motion, by Runge and Kutta's rule */
      const double g = t1 / 2000, t = g * n;
      double p[4][2];
      for (int s = 0; s < 4; s++) {
        const double part = s == 0 ? 0 : s == 3 ? g : 0.5 * g;
        for (int l = 0; l < 2; l++) to[l] = y[l] + (s ? part * p[s - 1][l] : 0);
        rates(k, s2, t + part, to, p[s]);
      }
      for (int l = 0; l < 2; l++) y[l] += g / 6 * (p[0][l] + 2 * p[1][l] + 2 * p[2][l] + p[3][l]);
    }
    k->e.dt = h, k->e.exponential = 1;
    run(k);
    assert_int_equal(k->steps[0], 25);
    near(k->x[0], x[0], 1e-7);
    near(k->x[1], x[1], 1e-7);
    assert_true(fabs(k->x[0] - y[0]) + fabs(k->x[1] - y[1]) > 1e-3); /* first order only */
    for (int chosen = 0; chosen < 2; chosen++) {
      k->e.dt = chosen ? 0 : h, k->e.exponential = 0;
      run(k);
      near(k->x[0], y[0], 1e-6);
      near(k->x[1], y[1], 1e-6);
    }
  }
}

/* However little is asked for, no wave is stepped over. */
static void short_waves(void **state)
{
  kit *k = free_block(1, 1);
  (void)state;
  k->input = (br_ensemble_input){0, 1e-3, 50, 0};
  k->x0[0] = 1; /* beside which the wave is nothing */
  k->e.rtol = 0.05;
  run(k);
  assert_true(k->steps[0] >= 50 * 16 && k->steps[0] < 60 * 16);
}

/* Periods of several lengths: the shortest and the longest from return to return are not the last one. */
static void uneven_returns(void **state)
{
  static double levels[1] = {1.2};
  kit *k = free_block(1, 4);
  (void)state;
  /* v = t - sin(2 pi t) / pi ...: rises through 1.2 several times, by the slope of its mean */
  k->input = (br_ensemble_input){0.5, 4 * PI, 1, 0};
  k->e.levels = levels;
  run(k);
  double before = 0, nearest = INFINITY, farthest = 0, last = NAN, first = NAN;
  size_t count = 0;
  for (int i = 0; i <= 4000000; i++) {
    const double t = 1e-6 * i, v = 0.5 * t + 2 * (1 - cos(2 * PI * t));
    if (i && before < 1.2 && v >= 1.2) {
      if (count) nearest = fmin(nearest, t - last), farthest = fmax(farthest, t - last);
      else first = t;
      last = t, count++;
    }
    before = v;
  }
  assert_true(count >= 2 && k->returns[0].count == count);
  near(k->returns[0].first, first, 1e-5);
  near(k->returns[0].last, last, 1e-5);
  near(k->returns[0].nearest, nearest, 1e-5);
  near(k->returns[0].farthest, farthest, 1e-5);
}

/* Springs that do not slip: v, the position and every element from a start of its own. */
static void elements(void **state)
{
  kit *k = make("driven_block", "maxwell_slip", 2, 0.4);
  const br_param *stiff = br_model_param(k->e.mod, "k"), *limit = br_model_param(k->e.mod, "Delta");
  (void)state;
  for (size_t i = 0; i < 2; i++) k->mpar[stiff->slot + i] = i ? 30 : 10, k->mpar[limit->slot + i] = 5;
  k->mpar[stiff->len_slot] = k->mpar[limit->len_slot] = 2;
  k->e.mod->prepare(k->mpar);
  assert_int_equal(br_ensemble_nstate(&k->e), 4);
  const double z[] = {0.2, -0.4}, w = sqrt(40), F0 = 10 * z[0] + 30 * z[1];
  k->x0[0] = 0.5, k->x0[1] = 7, k->x0[2] = z[0], k->x0[3] = z[1];
  run(k);
  /* y = way since the start: y'' = -F0 - 40 y */
  const double y = -F0 / 40 + F0 / 40 * cos(w * 0.4) + 0.5 / w * sin(w * 0.4);
  for (size_t m = 0; m < 2; m++) {
    near(k->x[4 * m], -F0 / 40 * w * sin(w * 0.4) + 0.5 * cos(w * 0.4), 1e-6);
    near(k->x[4 * m + 1], 7 + y, 1e-6);
    near(k->x[4 * m + 2], z[0] + y, 1e-6);
    near(k->x[4 * m + 3], z[1] + y, 1e-6);
  }
  for (size_t i = 0; i < 4; i++) {
    const double kept = k->x0[i];
    k->x0[i] = NAN;
    run(k);
    assert_int_equal(k->status[0], BR_E_NAN);
    k->x0[i] = kept;
  }
}

/* Members that cannot be run say so, with the time they stand at; others do not mind. */
static void failures(void **state)
{
  static double gamma[3] = {1, 0.5, 2}, sigma0[3] = {1e3, NAN, 1e3};
  kit *k = make("mass_spring", "dahl", 3, 1.5);
  (void)state;
  k->e.t0 = 0.5;
  k->x0[0] = 1e-3;
  k->vary[0] = (br_member_value){BR_MEMBER_MODEL, br_model_param(k->e.mod, "gamma")->slot, gamma},
  k->e.nvary = 1;
  run(k);
  assert_true(k->status[0] == BR_OK && k->status[1] == BR_E_UNSUPPORTED && k->status[2] == BR_OK);
  assert_true(k->t[0] == 1.5 && k->t[1] == 0.5 && isnan(k->x[3]) && isnan(k->lo[3]) && k->steps[1] == 0);
  const double end = k->x[6];
  k->vary[0] = (br_member_value){BR_MEMBER_MODEL, br_model_param(k->e.mod, "sigma0")->slot, sigma0};
  run(k);
  assert_int_equal(k->status[1], BR_E_NAN);
  put(k, "gamma", 2); /* alone it ends where it ended among others of another kind */
  k->e.nvary = 0;
  run(k);
  assert_true(k->x[6] == end);
  k->e.max_steps = 3;
  run(k);
  assert_true(k->status[0] == BR_E_CONVERGE && k->t[0] < 1.5);
}

/* A mechanism of one's own: two forces on a block, the second by a lever of 2, and a normal load by its
 * parameter. */
static void two_forces(const void *par, const double *w, const double *dw, const double *q, const double *F,
                       double *dq)
{
  (void)dw, (void)q;
  dq[0] = (w[0] + 2 * w[1] - F[0]) / *(const double *)par;
}

static double load_by_mass(const void *par, size_t contact)
{
  return (void)contact, 2 + *(const double *)par;
}

static const br_system_input TWO[] = {{"F", "N", "", 3}, {"G", "N", "", -0.25}};

static br_system own_block(void)
{
  br_system s = *br_system_find("driven_block");
  s.inputs = TWO, s.ninput = 2, s.rate = two_forces;
  return s;
}

/* It slides to the end: v' = -load Fc / m, for each member its own. */
static void loads(void **state)
{
  static double mass[3] = {1, 0.5, 4};
  br_system own = own_block();
  kit *k = make("driven_block", "lugre", 3, 0.1);
  (void)state;
  for (int loaded = 0; loaded < 2; loaded++)
    for (int back = -1; back <= 1; back += 2) {
      own.load = loaded ? load_by_mass : NULL;
      k->e.sys = &own, k->e.inputs = (const br_ensemble_input[2]){{0, 0, 0, 0}, {0, 0, 0, 0}};
      put(k, "sigma0", 1e6), put(k, "sigma1", 0), put(k, "sigma2", 0), put(k, "Fs", 2), put(k, "Fc", 2),
          k->x0[0] = 5 * back;
      k->vary[0] = (br_member_value){BR_MEMBER_SYSTEM, 0, mass}, k->e.nvary = 1;
      run(k);
      for (size_t m = 0; m < 3; m++) {
        const double n = loaded ? 2 + mass[m] : 1;
        assert_int_equal(k->status[m], BR_OK);
        near(k->x[m * br_ensemble_nstate(&k->e)], back * (5 - 0.1 * n * 2 / mass[m]), 1e-4);
      }
    }
}

/* However stiff the bristle: a state that begins at zero with a large rate has no size that its error
 * could be held against. The bristle is at its level behind Fc / sigma0 of way, m v' = -Fc from there on;
 * less is pulled before. */
static void stiff_starts(void **state)
{
  static double speeds[4] = {0.01, 0.5, 5, -5};
  static const char *const MODELS[] = {"dahl", "lugre"};
  (void)state;
  for (int q = 0; q < 2; q++)
    for (double sigma0 = 1e3; sigma0 < 2e9; sigma0 *= 10)
      for (int held = 0; held < 2; held++) {
        kit *k = make(held ? "mass_spring" : "driven_block", MODELS[q], 4, 0.002);
        put(k, "sigma0", sigma0), put(k, "Fc", 2), k->e.rtol = 1e-7;
        if (q) put(k, "sigma1", 0), put(k, "sigma2", 0), put(k, "Fs", 2);
        k->vary[0] = (br_member_value){BR_MEMBER_START, (size_t)held, speeds}, k->e.nvary = 1;
        run(k);
        for (size_t m = 0; m < 4; m++) {
          const double v = fabs(speeds[m]), end = k->x[m * br_ensemble_nstate(&k->e) + (size_t)held];
          assert_int_equal(k->status[m], BR_OK);
          assert_true(k->t[m] == 0.002);
          if (v < 0.1) continue; /* comes to rest */
          near(copysign(1, speeds[m]) * end,
               v - 0.002 * 2 + 2 * 2 / sigma0 / v * (1 - exp(-0.002 * sigma0 * v / 2)) - held * v * 2e-6,
               2e-5 + 4 / (sigma0 * sigma0));
        }
      }
}

/* Of several inputs any may be a wave, but one alone; the others are constant. */
static void one_wave_of_many(void **state)
{
  br_system own = own_block();
  const double w = 2 * PI * 5, t = 0.77, full = 2 / w * (1 - cos(w * t));
  static double heights[3] = {2, 0, -2};
  kit *k = free_block(3, t);
  (void)state;
  k->e.sys = &own;
  const size_t nx = br_ensemble_nstate(&k->e);
  for (int which = 0; which < 2; which++) {
    br_ensemble_input in[2] = {{0.5, 0, 7, 1}, {0.25, 0, 7, 1}};
    in[which].frequency = 5, in[which].phase = 0;
    k->e.inputs = in;
    k->vary[0] = (br_member_value){BR_MEMBER_INPUT, 4 * (size_t)which + BR_MEMBER_WAVE_AMPLITUDE, heights};
    k->e.nvary = 1;
    run(k);
    for (size_t m = 0; m < 3; m++) {
      assert_int_equal(k->status[m], BR_OK);
      near(k->x[m * nx], (0.5 + 2 * 0.25) * t + (which ? 2 : 1) * full * heights[m] / 2, 1e-7);
    }
    for (int still = 0; still < 2; still++) { /* one of no frequency is one, too */
      in[!which].amplitude = 1e-3, in[still].frequency = still ? 0 : in[still].frequency;
      run(k);
      assert_int_equal(k->status[0], BR_E_UNSUPPORTED);
      assert_int_equal(k->status[1], BR_OK);
      assert_int_equal(k->status[2], BR_E_UNSUPPORTED);
    }
  }
  k->e.inputs = NULL, k->e.nvary = 0; /* what they are when nobody says */
  run(k);
  for (size_t m = 0; m < 3; m++) near(k->x[m * nx], (3 - 2 * 0.25) * t, 1e-9);
}

static int always(void *ctx) { return ++*(int *)ctx > 0; }

/* Pieces are counted together; a stop is heard before the first step. */
static void whole_runs(void **state)
{
  kit *k = free_block(2050, 0.01);
  size_t steps = 0;
  int asked = 0;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  k->input.value = 1;
  run(k);
  for (size_t m = 0; m < 2050; m++) {
    steps += k->steps[m];
    near(k->x[m * br_ensemble_nstate(&k->e)], 0.01, 1e-12);
  }
  assert_true(k->out.tries >= steps && k->out.slots >= k->out.tries);
  k->e.stop = (br_stop){always, &asked};
  assert_int_equal(br_ensemble_run(&k->e, &k->out, &err), BR_INTERRUPTED);
  assert_true(k->out.tries == 0);
}

static void refused(const kit *k, br_status code, const char *part)
{
  br_err err = {BR_OK, -1, ""};
  assert_int_equal(br_ensemble_check(&k->e, &err), code);
  if (!strstr(err.msg, part)) fail_msg("'%s' lacks '%s'", err.msg, part);
}

static void refusals(void **state)
{
  static double some[2] = {1, 1};
  kit *k = make("mass_spring", "dahl", 2, 1);
  br_err err;
  (void)state;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_OK);
  k->e.t1 = -1, refused(k, BR_E_RANGE, "from t0 to t1"), k->e.t1 = 1;
  k->e.t_from = NAN, refused(k, BR_E_RANGE, "t_from"), k->e.t_from = 0;
  k->e.stick_speed = -1, refused(k, BR_E_RANGE, "stick_speed"), k->e.stick_speed = 0;
  k->e.max_steps = 0, refused(k, BR_E_RANGE, "max_steps"), k->e.max_steps = 1000;
  const double bad[] = {0, 1e-13, 0.11, 1, 2, -1e-6, NAN, INFINITY}, good[] = {1e-12, 0.1};
  for (size_t i = 0; i < 8; i++) k->e.rtol = bad[i], refused(k, BR_E_RANGE, "rtol");
  for (size_t i = 0; i < 2; i++) k->e.rtol = good[i], assert_int_equal(br_ensemble_check(&k->e, &err), BR_OK);
  k->e.dt = -1, refused(k, BR_E_RANGE, "dt"), k->e.dt = 1e-13, refused(k, BR_E_RANGE, "dt"), k->e.dt = 0;
  k->e.exponential = 1, refused(k, BR_E_UNSUPPORTED, "their length"), k->e.exponential = 0;
  k->e.single = 1, k->e.rtol = 1e-5;
  k->e.max_steps = (1u << 24) + 1, refused(k, BR_E_RANGE, "max_steps"), k->e.max_steps = 1000;
  k->e.dt = 1e-3, refused(k, BR_E_UNSUPPORTED, "constant steps"), k->e.dt = 0, k->e.single = 0;
  k->spar[0] = -1, refused(k, BR_E_RANGE, "m"), k->spar[0] = 1;
  put(k, "sigma0", -1), refused(k, BR_E_RANGE, "sigma0"), put(k, "sigma0", 1);
  const size_t ends[] = {k->e.mod->slots, k->e.sys->slots, 4, br_ensemble_nstate(&k->e)};
  k->e.nvary = 1;
  for (int of = BR_MEMBER_MODEL; of <= BR_MEMBER_START; of++) {
    k->vary[0] = (br_member_value){(br_member_of)of, ends[of], some};
    refused(k, BR_E_ARG, "number 1 does not exist");
    k->vary[0].index--;
    assert_int_equal(br_ensemble_check(&k->e, &err), BR_OK);
  }
  k = make("mass_spring", "maxwell_slip", 2, 1);
  k->vary[0] = (br_member_value){BR_MEMBER_MODEL, 0, some}, k->e.nvary = 1;
  refused(k, BR_E_UNSUPPORTED, "do not vary");
}

/* A library that is named must be there, and one of Bristle's for cards. */
static void no_cards(void **state)
{
  static const char *const FILES[][2] = {{"/nowhere/lib.so", "/nowhere/lib.so"},
                                         {"libm.so.6", "another build"}};
  char why[200];
  kit *k = make("mass_spring", "dahl", 2, 1);
  (void)state;
  k->e.gpu = 1;
  for (int i = 0; i < 2; i++) {
    br_err err = {BR_OK, -1, ""};
    assert_int_equal(setenv("BRISTLE_CUDA", FILES[i][0], 1), 0);
    assert_int_equal(br_ensemble_gpus(sizeof why, why), 0);
    if (strstr(why, "loads no libraries")) skip();
    if (i == 1 && !strstr(why, "another build")) skip(); /* no such library here */
    if (!strstr(why, FILES[i][1])) fail_msg("%s: '%s'", FILES[i][0], why);
    assert_int_equal(br_ensemble_run(&k->e, &k->out, &err), BR_E_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "no GPU"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(waves),
                                     cmocka_unit_test(levels_and_speeds),
                                     cmocka_unit_test(uneven_returns),
                                     cmocka_unit_test(short_waves),
                                     cmocka_unit_test(elements),
                                     cmocka_unit_test(failures),
                                     cmocka_unit_test(loads),
                                     cmocka_unit_test(stiff_starts),
                                     cmocka_unit_test(one_wave_of_many),
                                     cmocka_unit_test(whole_runs),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(no_cards),
                                     cmocka_unit_test(exponential_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
