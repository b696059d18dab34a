/* SPDX-License-Identifier: Apache-2.0
 * Ensembles in lanes against the ordinary solver; members that know nothing of each other; members that fail.
 * */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "bristle/batch.h"
#include "bristle/ensemble.h"
#include "bristle/solve.h"
#include "support/rng.h"

enum { MOST = 1100, SLOTS = 144, NX = 13 };

/* An ensemble with room for its results. */
typedef struct {
  br_ensemble e;
  br_ensemble_result out;
  double spar[SLOTS], mpar[SLOTS], value[8][MOST], x[MOST * NX], lo[MOST * NX], hi[MOST * NX], t[MOST],
      stuck[MOST];
  br_member_value vary[8];
  br_ensemble_input input;
  br_status status[MOST];
  size_t reversals[MOST], sticks[MOST], steps[MOST];
} kit;

static kit *make(const char *system, const char *model, const char *const *names, const double *values,
                 size_t n)
{
  kit *k = (kit *)calloc(1, sizeof *k);
  assert_non_null(k);
  k->e = br_ensemble_default();
  k->e.sys = br_system_find(system);
  k->e.mod = br_model_find(model);
  assert_true(k->e.sys->slots <= SLOTS && k->e.mod->slots <= SLOTS);
  k->e.sys->defaults(k->spar);
  k->e.mod->defaults(k->mpar);
  for (size_t i = 0; i < n; i++) {
    const br_param *p = br_model_param(k->e.mod, names[i]);
    assert_non_null(p);
    k->mpar[p->slot] = values[i];
  }
  k->e.sys->prepare(k->spar);
  k->e.mod->prepare(k->mpar);
  k->e.spar = k->spar, k->e.mpar = k->mpar, k->e.vary = k->vary, k->e.inputs = &k->input;
  k->out = (br_ensemble_result){.status = k->status,
                                .t = k->t,
                                .x = k->x,
                                .lo = k->lo,
                                .hi = k->hi,
                                .reversals = k->reversals,
                                .sticks = k->sticks,
                                .stuck = k->stuck,
                                .steps = k->steps};
  return k;
}

/* Vary a number by +-half; returns its place. */
static size_t vary(kit *k, br_member_of of, size_t index, double base, uint64_t seed)
{
  rng r = {seed + 7 * k->e.nvary};
  double *to = k->value[k->e.nvary];
  for (size_t i = 0; i < MOST; i++) to[i] = base * (1 + 0.5 * rng_range(&r, -1, 1));
  k->vary[k->e.nvary] = (br_member_value){of, index, to};
  return k->e.nvary++;
}

static size_t slot(const kit *k, const char *name) { return br_model_param(k->e.mod, name)->slot; }

static const char *const DOC1[] = {"sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta"};
static const double DOC1_AT[] = {2900, 107, 0, 2.94, 5.88, 0.1, 1};

/* The ensemble of document 1: a block pulled at about 1 m/s. */
static kit *stick_slip(size_t members)
{
  kit *k = make("pulled_block", "lugre", DOC1, DOC1_AT, 7);
  k->e.members = members;
  k->e.t1 = 20;
  k->e.threads = 1;
  k->input.value = 0.3;
  vary(k, BR_MEMBER_MODEL, slot(k, "sigma0"), 2900, 3);
  vary(k, BR_MEMBER_MODEL, slot(k, "vs"), 0.1, 3);
  vary(k, BR_MEMBER_SYSTEM, 1, 2, 3);
  vary(k, BR_MEMBER_INPUT, 0, 0.3, 3);
  return k;
}

static void run(kit *k)
{
  br_err err = {BR_OK, -1, ""};
  if (br_ensemble_run(&k->e, &k->out, &err) != BR_OK) fail_msg("%s", err.msg);
}

static void wave(const void *ctx, double t, int side, double *w, double *dw)
{
  const br_ensemble_input *in = (const br_ensemble_input *)ctx;
  const double omega = 6.283185307179586 * in->frequency;
  (void)side;
  *w = in->value + in->amplitude * sin(omega * t + in->phase);
  *dw = in->amplitude * omega * cos(omega * t + in->phase);
}

/* What the solver says about member m. */
typedef struct {
  double x[NX], lo[NX + 1], hi[NX + 1];
  size_t events[4];
} truth;

static int count(void *ctx, const br_event *ev)
{
  truth *w = (truth *)ctx;
  w->events[ev->type]++;
  return 0;
}

static void solve(const kit *k, size_t m, truth *w)
{
  double spar[SLOTS], mpar[SLOTS], x0[NX] = {0};
  br_ensemble_input in = k->input;
  br_plant *plant = NULL;
  br_solver *s = NULL;
  memcpy(spar, k->spar, sizeof spar);
  memcpy(mpar, k->mpar, sizeof mpar);
  for (size_t i = 0; k->e.x0 && i < NX; i++) x0[i] = k->e.x0[i];
  for (size_t v = 0; v < k->e.nvary; v++) {
    const br_member_value *c = &k->vary[v];
    if (c->of == BR_MEMBER_MODEL) mpar[c->index] = c->values[m];
    if (c->of == BR_MEMBER_SYSTEM) spar[c->index] = c->values[m];
    if (c->of == BR_MEMBER_INPUT) (&in.value)[c->index] = c->values[m];
    if (c->of == BR_MEMBER_START) x0[c->index] = c->values[m];
  }
  k->e.sys->prepare(spar);
  k->e.mod->prepare(mpar);
  const br_drive drive = {.value = in.value,
                          .eval = in.amplitude != 0 ? wave : NULL,
                          .ctx = &in,
                          .period = in.amplitude != 0 ? 1 / in.frequency : 0};
  br_solve_settings set = br_solve_settings_default();
  memset(w, 0, sizeof *w);
  set.rtol = 1e-10, set.extremes = 1, set.t_stop = k->e.t1, set.on_event = count, set.ctx = w;
  assert_int_equal(br_plant_create(k->e.sys, spar, k->e.mod, mpar, &drive, &plant, NULL), BR_OK);
  assert_int_equal(br_plant_nstate(plant), br_ensemble_nstate(&k->e));
  assert_int_equal(br_solver_create(plant, &set, &s, NULL), BR_OK);
  assert_int_equal(br_solver_start(s, k->e.t0, x0, NULL), BR_OK);
  assert_int_equal(br_solver_advance(s, k->e.t1, w->x, NULL), BR_OK);
  br_solver_extremes(s, w->lo, w->hi);
  br_solver_destroy(s);
  br_plant_destroy(plant);
}

/* Final states and extremes of all members within tol of the solver's, relative to each state's size. */
static void agrees(kit *k, double tol, size_t *reversals_off)
{
  const size_t nx = br_ensemble_nstate(&k->e);
  *reversals_off = 0;
  run(k);
  for (size_t m = 0; m < k->e.members; m++) {
    truth w;
    solve(k, m, &w);
    assert_int_equal(k->status[m], BR_OK);
    assert_true(k->t[m] == k->e.t1);
    for (size_t l = 0; l < nx; l++) { /* of elements and their position only the end is kept */
      const int kept = !(k->e.mod->flags & BR_MODEL_ELEMENTS) || l < k->e.sys->nstate(k->spar);
      assert_true(isnan(k->lo[m * nx + l]) == !kept && isnan(k->hi[m * nx + l]) == !kept);
      const double size = fmax(fabs(w.lo[l]), fabs(w.hi[l])) + 1e-12,
                   dx = fabs(k->x[m * nx + l] - w.x[l]) / size,
                   dlo = kept ? fabs(k->lo[m * nx + l] - w.lo[l]) / size : 0,
                   dhi = kept ? fabs(k->hi[m * nx + l] - w.hi[l]) / size : 0;
      if (!(dx <= tol) || !(dlo <= tol) || !(dhi <= tol))
        fail_msg("%s with %s, member %zu, state %zu: off by %g, extremes by %g and %g", k->e.sys->name,
                 k->e.mod->name, m, l, dx, dlo, dhi);
    }
    if (k->reversals[m] != w.events[BR_EVENT_REVERSAL]) ++*reversals_off;
  }
}

static void stick_slip_agrees(void **state)
{
  (void)state;
  size_t off;
  kit *k = stick_slip(40);
  k->e.rtol = 1e-9;
  agrees(k, 2e-6, &off);
  assert_true(off == 0);
  free(k);
}

/* Every model with a lane in a mechanism that holds its position, driven by a wave; and in those that do not.
 * */
static const struct {
  const char *system, *model;
  double value, amplitude;
  const char *names[4];
  double at[4];
} PAIRS[] = {
    {"mass_spring", "lugre", 0.2, 3, {"sigma0", "sigma1", "vs", "delta"}, {300, 9, 0.2, 2}},
    {"mass_spring", "lugre", 0.2, 3, {"sigma0", "sigma1", "vs", "delta"}, {300, 9, 0.2, 1.3}},
    {"mass_spring", "dahl", 0, 1.5, {"sigma0"}, {7.5}},
    {"mass_spring", "dahl", 0, 1.5, {"gamma"}, {2}},
    {"mass_spring", "bouc_wen", 0.1, 2, {"kappa", "inv_d0"}, {0.2, 0.1}},
    {"mass_spring", "bouc_wen", 0.1, 2, {"eta"}, {1}},
    {"mass_spring", "bliman_sorine", 0.1, 3, {"eps"}, {0.05}},
    {"mass_spring", "lugre_elastoplastic", 0.2, 3, {"sigma0", "sigma1", "vs", "z_ba"}, {300, 9, 0.2, 0.002}},
    {"driven_block", "lugre", 0.2, 3, {"sigma0", "sigma1", "vs"}, {300, 9, 0.2}},
    {"driven_block", "bouc_wen", 0, 2, {"kappa"}, {0.3}},
    {"pulled_block", "dahl", 0.2, 0, {"sigma0"}, {7.5}},
    {"mass_spring", "coulomb", 0.2, 4, {"vs", "delta"}, {0.2, 2}},
    {"pulled_block", "coulomb", 0.3, 0, {"vs", "delta"}, {0.2, 1}},
    {"driven_block", "coulomb", 0.3, 3, {"vs"}, {0.2}},
    {"mass_spring", "karnopp", 0.2, 4, {"dv"}, {0.01}},
    {"pulled_block", "karnopp", 0.3, 0, {"Fs", "sigma2"}, {1.2, 0}},
    {"mass_spring", "maxwell_slip", 0.05, 0.4, {NULL}, {0}},
    {"pulled_block", "maxwell_slip", 0.05, 0, {NULL}, {0}},
    {"driven_block", "maxwell_slip", 0, 0.5, {NULL}, {0}},
};
enum { PAIRS_COUNT = sizeof PAIRS / sizeof PAIRS[0] };

/* Six members of row i. */
static kit *pair_of(size_t i)
{
  size_t n = 0;
  while (n < 4 && PAIRS[i].names[n]) n++;
  kit *k = make(PAIRS[i].system, PAIRS[i].model, PAIRS[i].names, PAIRS[i].at, n);
  k->input = (br_ensemble_input){PAIRS[i].value, PAIRS[i].amplitude, 0.2, 0.3};
  k->e.members = 6, k->e.t1 = 12, k->e.rtol = 1e-9, k->e.threads = 1;
  vary(k, BR_MEMBER_SYSTEM, 0, 1, i);
  vary(k, BR_MEMBER_INPUT, PAIRS[i].amplitude != 0 ? BR_MEMBER_WAVE_AMPLITUDE : BR_MEMBER_WAVE_VALUE,
       PAIRS[i].amplitude != 0 ? PAIRS[i].amplitude : PAIRS[i].value, i);
  return k;
}

static void pairs_agree(void **state)
{
  (void)state;
  size_t off, all = 0;
  for (size_t i = 0; i < PAIRS_COUNT; i++) {
    kit *k = pair_of(i);
    assert_true(br_ensemble_stamped(k->e.sys, k->e.mod));
    agrees(k, 1e-5, &off);
    all += off;
    free(k);
  }
  assert_int_equal(all, 0);
}

/* Lanes in f32 against those in f64: every pair but elements, which f32 refuses. */
static void single_agrees(void **state)
{
  (void)state;
  for (size_t i = 0; i < PAIRS_COUNT; i++) {
    kit *k = pair_of(i), *f = pair_of(i);
    br_err err = {BR_OK, -1, ""};
    f->e.single = 1, f->e.rtol = BR_ENSEMBLE_F32_RTOL;
    const size_t nx = br_ensemble_nstate(&k->e);
    if (strcmp(PAIRS[i].model, "maxwell_slip") == 0) {
      assert_int_equal(br_ensemble_check(&f->e, &err), BR_E_UNSUPPORTED);
      assert_non_null(strstr(err.msg, "f64 only"));
    } else {
      run(k), run(f);
      for (size_t m = 0; m < k->e.members; m++) {
        assert_int_equal(f->status[m], BR_OK);
        for (size_t l = m * nx; l < (m + 1) * nx; l++) {
          const double range = k->hi[l] - k->lo[l];
          if (!(fabs(f->x[l] - k->x[l]) <= 1e-3 * range) || !(fabs(f->hi[l] - k->hi[l]) <= 1e-3 * range))
            fail_msg("%s with %s, member %zu: state %zu is %.9g in f32, %.9g in f64, range %g",
                     PAIRS[i].system, PAIRS[i].model, m, l - m * nx, f->x[l], k->x[l], range);
        }
      }
    }
    free(k), free(f);
  }
}

static void same(const kit *a, size_t i, const kit *b, size_t j)
{
  const size_t nx = br_ensemble_nstate(&a->e);
  assert_int_equal(a->status[i], b->status[j]);
  assert_memory_equal(a->x + i * nx, b->x + j * nx, nx * sizeof *a->x);
  assert_memory_equal(a->lo + i * nx, b->lo + j * nx, nx * sizeof *a->x);
  assert_memory_equal(a->hi + i * nx, b->hi + j * nx, nx * sizeof *a->x);
  assert_memory_equal(&a->stuck[i], &b->stuck[j], sizeof a->stuck[i]);
  assert_int_equal(a->steps[i], b->steps[j]);
  assert_int_equal(a->reversals[i], b->reversals[j]);
  assert_int_equal(a->sticks[i], b->sticks[j]);
}

/* In f32 too members are alone, on any number of threads and on any instruction set. */
static void single_is_the_same(void **state)
{
  (void)state;
  static const char *const sets[] = {"base", "avx2", "avx512"};
  const size_t n = 150;
  kit *all = stick_slip(n), *again = stick_slip(n);
  all->e.single = again->e.single = 1, all->e.rtol = again->e.rtol = 1e-4;
  run(all);
  again->e.threads = 3;
  for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
    if (br_isa_limit(sets[s]) != BR_OK) continue; /* not in this build */
    run(again);
    for (size_t m = 0; m < n; m++) same(all, m, again, m);
  }
  assert_int_equal(br_isa_limit(NULL), BR_OK);
  free(all), free(again);
}

/* Thousands of steps under a wave: what rounding does to the time in f32 must not shift the motion. */
static void single_keeps_time(void **state)
{
  (void)state;
  const size_t damped = 6, n = 6; /* row of PAIRS whose motion forgets its past */
  kit *k = pair_of(damped), *f = pair_of(damped);
  k->e.members = f->e.members = n, k->e.t1 = f->e.t1 = 2000.25, k->e.rtol = 1e-8;
  f->e.single = 1, f->e.rtol = BR_ENSEMBLE_F32_RTOL;
  run(k), run(f);
  const size_t nx = br_ensemble_nstate(&k->e);
  for (size_t l = 0; l < n * nx; l++)
    if (!(fabs(f->x[l] - k->x[l]) <= 3e-4 * (k->hi[l] - k->lo[l])))
      fail_msg("member %zu, state %zu: %.9g in f32, %.9g in f64, off by %.1e of its range, %zu steps", l / nx,
               l % nx, f->x[l], k->x[l], fabs(f->x[l] - k->x[l]) / (k->hi[l] - k->lo[l]), f->steps[l / nx]);
  free(k), free(f);
}

/* What f32 cannot do is refused by name. */
static void single_refuses(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  kit *k = stick_slip(4);
  k->e.single = 1, k->e.rtol = 9e-6;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "1e-05"));
  k->e.rtol = BR_ENSEMBLE_F32_RTOL;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_OK);
  k->e.max_steps = ((size_t)1 << 24) + 1;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_RANGE);
  k->e.max_steps = 1000, k->e.dt = 1e-3;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_UNSUPPORTED);
  free(k);
}

/* A member alone, in any order, on any number of threads, on any instruction set: the same bits. */
static void members_are_alone(void **state)
{
  (void)state;
  const size_t n = 1100;
  kit *all = stick_slip(n), *other = stick_slip(n);
  all->e.t1 = other->e.t1 = 5;
  all->e.stick_speed = other->e.stick_speed = 0.01;
  run(all);
  other->e.threads = 3;
  run(other);
  for (size_t i = 0; i < n; i++) same(all, i, other, i);
  for (size_t v = 0; v < other->e.nvary; v++)
    for (size_t i = 0; i < n; i++) other->value[v][i] = all->value[v][n - 1 - i];
  other->e.threads = 1;
  other->e.members = 90;                                                 /* the last ones, backwards */
  if (br_isa_limit("base")) assert_int_equal(br_isa_limit(NULL), BR_OK); /* a build for this machine alone */
  run(other);
  assert_int_equal(br_isa_limit(NULL), BR_OK);
  for (size_t i = 0; i < 90; i++) same(other, i, all, n - 1 - i);
  other->e.members = 1;
  run(other);
  same(other, 0, all, n - 1);
  free(all);
  free(other);
}

/* Members that cannot be run, or not to their end, say why and spoil nobody. */
static void failures_stay_alone(void **state)
{
  (void)state;
  kit *good = stick_slip(64), *bad = stick_slip(64);
  run(good);
  bad->value[0][3] = NAN;
  bad->value[0][9] = -1;
  bad->value[1][17] = INFINITY;
  bad->value[2][12] = -1;    /* a spring that the mechanism refuses */
  bad->value[3][20] = 1e300; /* runs away from every number */
  run(bad);
  for (size_t i = 0; i < 64; i++)
    if (i != 3 && i != 9 && i != 12 && i != 17 && i != 20) same(good, i, bad, i);
  assert_int_equal(bad->status[3], BR_E_NAN);
  assert_int_equal(bad->status[9], BR_E_RANGE);
  assert_int_equal(bad->status[12], BR_E_RANGE);
  assert_int_equal(bad->status[17], BR_E_NAN);
  assert_true(bad->status[20] != BR_OK);
  assert_true(isnan(bad->x[3 * 3]) && bad->t[3] == 0);
  bad->e.max_steps = 50;
  run(bad);
  assert_int_equal(bad->status[0], BR_E_CONVERGE);
  assert_true(bad->t[0] > 0 && bad->t[0] < bad->e.t1 && bad->steps[0] <= 50);
  free(good);
  free(bad);
}

/* At rest nothing happens and it costs little; no time is no motion; extremes begin where asked. */
static void corners(void **state)
{
  (void)state;
  const double x0[3] = {0.1, 0, 0};
  kit *k = stick_slip(8);
  k->e.nvary = 0;
  k->input.value = 0;
  run(k);
  assert_true(k->x[0] == 0 && k->x[1] == 0 && k->x[2] == 0 && k->reversals[0] == 0 && k->steps[0] < 30);
  k->e.x0 = x0;
  k->e.t1 = 0;
  run(k);
  assert_int_equal(k->status[7], BR_OK);
  assert_true(k->x[3 * 7] == 0.1 && k->steps[7] == 0 && k->lo[3 * 7] == 0.1 && k->hi[3 * 7] == 0.1);
  k->e.t1 = 1e3; /* a pulled bristle settles: what lies below the tolerance is no reversal */
  run(k);
  assert_int_equal(k->status[0], BR_OK);
  assert_true(k->reversals[0] < 20 && fabs(k->x[1]) < 1e-6);
  free(k);
  kit *all = stick_slip(16), *late = stick_slip(16);
  all->e.stick_speed = late->e.stick_speed = 0.02;
  late->e.t_from = 15;
  run(all);
  run(late);
  for (size_t m = 0; m < 16; m++) {
    assert_true(late->hi[3 * m] <= all->hi[3 * m] * (1 + 1e-5) && late->stuck[m] < 5 + 1e-9 &&
                late->stuck[m] <= all->stuck[m]);
    assert_true(late->reversals[m] <= all->reversals[m]);
    assert_true(fabs(late->x[3 * m] - all->x[3 * m]) < 1e-3);
  }
  late->e.t_from = 50; /* never reached */
  run(late);
  assert_true(isnan(late->hi[0]) && late->stuck[0] == 0);
  free(all);
  free(late);
}

/* Numbers far from one: units must not matter. */
static void scales(void **state)
{
  (void)state;
  kit *one = stick_slip(12), *small = stick_slip(12);
  run(one);
  const double f = 0x1p-40; /* forces and masses: all of them, so that the motion stays */
  const char *const forces[] = {"sigma0", "sigma1", "Fc", "Fs"};
  for (int i = 0; i < 4; i++) small->mpar[slot(small, forces[i])] *= f;
  small->spar[0] *= f;
  for (size_t i = 0; i < MOST; i++) small->value[0][i] *= f, small->value[2][i] *= f;
  small->e.mod->prepare(small->mpar);
  run(small);
  for (size_t i = 0; i < 12; i++) same(one, i, small, i);
  free(one);
  free(small);
}

/* Constant steps: fifth order. */
static void fixed_steps(void **state)
{
  (void)state;
  const char *const names[] = {"sigma0"};
  const double at[] = {7.5};
  double error[2];
  for (int i = 0; i < 2; i++) {
    kit *k = make("mass_spring", "dahl", names, at, 1);
    truth w;
    k->e.members = 1, k->e.t1 = 0.8, k->input.value = 1, k->e.dt = i ? 0.02 : 0.04;
    run(k);
    solve(k, 0, &w);
    error[i] = fabs(k->x[1] - w.x[1]);
    assert_int_equal(k->steps[0], i ? 40 : 20);
    free(k);
  }
  assert_true(error[0] < 1e-6 && error[0] / error[1] > 20);
}

static int always(void *ctx)
{
  (void)ctx;
  return 1;
}

static void refusals(void **state)
{
  (void)state;
  br_err err = {BR_OK, -1, ""};
  kit *k = stick_slip(4);
  assert_false(br_ensemble_stamped(br_system_find("chain"), k->e.mod));
  assert_false(br_ensemble_stamped(br_system_find("two_axis"), br_model_find("bouc_wen_biaxial")));
  assert_false(br_ensemble_stamped(br_system_find("prescribed"), k->e.mod));
  assert_false(br_ensemble_stamped(k->e.sys, br_model_find("gms")));
  assert_true(br_ensemble_stamped(br_system_find("dc_motor"), k->e.mod));
  assert_int_equal(br_ensemble_check(NULL, &err), BR_E_ARG);
  k->vary[0].index = 4000;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_ARG);
  k->vary[0].index = 0;
  k->e.rtol = 0;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_RANGE);
  k->e.rtol = 1e-6, k->e.t1 = -1;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_RANGE);
  k->e.t1 = NAN;
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_RANGE);
  k->e.t1 = 1;
  k->mpar[br_model_param(k->e.mod, "g_v")->len_slot] = 1; /* a table */
  k->mpar[br_model_param(k->e.mod, "g_F")->len_slot] = 1;
  k->mpar[br_model_param(k->e.mod, "g_F")->slot] = 3;
  k->e.mod->prepare(k->mpar);
  assert_int_equal(br_ensemble_check(&k->e, &err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(err.msg, "lugre"));
  free(k);
  k = stick_slip(4);
  k->e.stop.asked = always;
  assert_int_equal(br_ensemble_run(&k->e, &k->out, &err), BR_INTERRUPTED);
  k->e.stop.asked = NULL;
  for (long n = 0; n < 2; n++) {
    bri_alloc_fail_after(n);
    assert_int_equal(br_ensemble_run(&k->e, &k->out, &err), BR_E_NOMEM);
    bri_alloc_fail_after(-1);
  }
  const br_ensemble_result nothing = {0};
  br_ensemble_result out = nothing;
  assert_int_equal(br_ensemble_run(&k->e, &out, &err), BR_OK);
  assert_true(out.tries > 0 && out.slots >= out.tries);
  free(k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stick_slip_agrees), cmocka_unit_test(pairs_agree),
      cmocka_unit_test(members_are_alone), cmocka_unit_test(failures_stay_alone),
      cmocka_unit_test(corners),           cmocka_unit_test(scales),
      cmocka_unit_test(fixed_steps),       cmocka_unit_test(refusals),
      cmocka_unit_test(single_agrees),     cmocka_unit_test(single_is_the_same),
      cmocka_unit_test(single_refuses),    cmocka_unit_test(single_keeps_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
