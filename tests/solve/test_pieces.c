/* SPDX-License-Identifier: Apache-2.0
 * test_pieces.c - pieces of the solver by themselves: matrices of three
 * states, fixed points of maps with corners, what a step says between its ends, extremes against what is
 * handed out, the search for cycles, other kinds of solvers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kit.h"
#include "solve/fixpoint.h"
#include "solve/linalg.h"
#include "solve/solver.h"
#include "support/near.h"
#include "support/rng.h"

/* ---- three states of which the first and the last do not see each other ---- */

static void arrows(void **state)
{
  rng r = {11};
  (void)state;
  for (int i = 0; i < 50; i++) {
    double J[9], re[9], im[9], b[3], x[3], br[3], bi[3], xr[3], xi[3];
    size_t piv[3];
    bri_arrow a;
    for (int q = 0; q < 9; q++) J[q] = q == 2 || q == 6 ? 0 : rng_range(&r, -1, 1);
    for (int q = 0; q < 3; q++) b[q] = x[q] = br[q] = xr[q] = q + 1, bi[q] = xi[q] = 2 - q;
    for (int with = 0; with < 2; with++) {
      for (int q = 0; q < 9; q++) re[q] = (q % 4 == 0 ? 3 : 0) - J[q], im[q] = q % 4 == 0 ? with * 0.7 : 0;
      assert_int_equal(bri_arrow_factor(J, 3, with * 0.7, &a), 0);
      if (with) {
        bri_arrow_solve_complex(&a, xr, xi);
        assert_int_equal(bri_lu_complex(3, re, im, piv), 0);
        bri_lu_solve_complex(3, re, im, piv, br, bi);
      } else {
        bri_arrow_solve(&a, x);
        assert_int_equal(bri_lu(3, re, piv), 0);
        bri_lu_solve(3, re, piv, b);
      }
    }
    for (int q = 0; q < 3; q++) {
      near(x[q], b[q], 1e-13);
      near(xr[q], br[q], 1e-13);
      near(xi[q], bi[q], 1e-13);
    }
  }
}

/* ---- fixed points ---- */

/* Two states change places and both grow: what they share is kept, and no loop closes. */
static br_status moves_on(void *ctx, double *z, br_err *err)
{
  const double a = z[0];
  (void)ctx, (void)err;
  z[0] = z[1] + 0.25, z[1] = a + 0.25;
  return BR_OK;
}

static br_status moves_pairs(void *ctx, double *z, br_err *err)
{
  double re[2] = {z[0], z[2]}, im[2] = {z[1], z[3]};
  const br_status st = moves_on(ctx, re, err);
  z[0] = re[0], z[1] = im[1], z[2] = re[1], z[3] = im[0];
  return st;
}

/* Around 5 it leaves -0.9 of a deviation below 1, beyond that 0.9 of what is more: Newton goes from one side
 * to the other for ever, repetition arrives. */
static br_status cornered(void *ctx, double *z, br_err *err)
{
  const double y = z[0] - 5, a = fabs(y);
  (void)ctx, (void)err;
  z[0] = 5 + y - copysign(a < 1 ? 1.9 * a : 1.9 + 0.1 * (a - 1), y);
  return BR_OK;
}

static const bri_fix_hints NONE;

static int looks(void *ctx, const double *z, size_t j) { return (void)ctx, (void)z, (void)j, 1; }

static void fixed_points(void **state)
{
  bri_fix_problem p = {.name = "map", .ns = 2, .nz = 2, .rtol = 1e-13, .map = moves_on};
  p.map_pair = moves_pairs;
  p.observes = looks;
  bri_fix_report r;
  br_err err = {BR_OK, -1, ""};
  double z[2] = {3, 4};
  (void)state;
  assert_int_equal(bri_fixpoint(&p, &NONE, z, &r, &err), BR_E_CONVERGE); /* every period as far as the last */
  if (!strstr(err.msg, "one period keeps a deviation")) fail_msg("%s", err.msg);
  assert_true(z[0] == 3 && z[1] == 4);
  p.map = cornered, p.map_pair = NULL, p.ns = p.nz = 1, z[0] = 35;
  if (bri_fixpoint(&p, &NONE, z, &r, &err)) fail_msg("%s", err.msg);
  near(z[0], 5, 1e-13);
  near(r.contraction, 0.9, 1e-6);
}

/* ---- steps ---- */

/* The polynomial of a step ends where the step does, goes through its points, and between them is not far
 * from a step that ends there. */
static void polynomials(void **state)
{
  static const br_solver_kind KINDS[] = {BR_SOLVER_RODAS, BR_SOLVER_RADAU5, BR_SOLVER_RADAU9};
  static const char *const SPECS[] = {"sine:1,0.7Hz"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    kit k;
    double x0[8] = {0.3, 0}, y[8], Y[8];
    br_solve_settings set = br_solve_settings_default();
    set.kind = KINDS[i], set.rtol = 1e-6;
    kit_plant(&k, "mass_spring", "lugre", "m=1,ks=4,Fc=0.1,Fs=0.15,sigma2=0.2,vs=1,sigma0=50,sigma1=5", SPECS,
              NULL);
    kit_solver(&k, &set, x0);
    br_err err;
    const size_t n = br_plant_nstate(k.plant);
    for (int step = 0; step < 40; step++) {
      assert_int_equal(bri_step_once(k.solver, 100, &err), BR_OK);
      const br_solver *s = k.solver;
      const bri_step *st = &s->last;
      bri_step_at(st, n, s->y0, 1, y);
      for (size_t l = 0; l < n; l++) near(y[l], s->y[l], 1e-14 + 1e-13 * fabs(y[l]));
      for (int q = 0; q < st->stages; q++) {
        bri_step_at(st, n, s->y0, st->theta[q], y);
        for (size_t l = 0; l < n; l++) near(y[l], st->Y[(size_t)q * n + l], 1e-13);
      }
      const double h = 0.4 * (s->t - s->t0);
      const bri_guess none = {NULL, 0, 0};
      if (bri_try(k.solver, s->t0, s->y0, s->f0, &s->mode0, h, &none, 1, &k.solver->trial)) fail();
      memcpy(Y, s->trial.Y + (size_t)(s->trial.stages - 1) * n, n * sizeof *Y);
      bri_step_at(&s->last, n, s->y0, 0.4, y);
      for (size_t l = 0; l < n; l++) near(y[l], Y[l], 3e-5);
    }
    kit_end(&k);
  }
}

/* Extremes are those of what can be asked for along the way, far more sharply than the tolerance. */
static void extremes_are_handed_out(void **state)
{
  static const br_solver_kind KINDS[] = {BR_SOLVER_RODAS, BR_SOLVER_RADAU5, BR_SOLVER_RADAU9};
  (void)state;
  for (int i = 0; i < 3; i++)
    for (int side = -1; side <= 1; side += 2) {
      kit k;
      double x0[8] = {0.3 * side, 0.8 * side}, lo[8], hi[8], x[8], most = -1, first = 0;
      br_solve_settings set = br_solve_settings_default();
      set.kind = KINDS[i], set.rtol = 1e-2, set.extremes = 1;
      kit_plant(&k, "mass_spring", "viscous", "m=1,ks=4,sigma2=0.3", NULL, NULL);
      kit_solver(&k, &set, x0);
      kit_to(&k, 2, NULL);
      br_solver_extremes(k.solver, lo, hi);
      for (int pass = 0; pass < 2; pass++) { /* steps are the same, whoever asks */
        kit_solver(&k, &set, x0);
        for (int q = 0; q <= 2000; q++) {
          kit_to(&k, pass ? first + 1e-6 * (q - 1000) : 1e-3 * q, x);
          if (side * x[0] > most) most = side * x[0], first = pass ? first : 1e-3 * q;
        }
      }
      const double found = side > 0 ? hi[0] : -lo[0];
      near(found, most, i ? 1e-7 : 1e-11);
      kit_end(&k);
    }
}

static double of_the_input(const void *par, const double *w, const double *dw, const double *q)
{
  return (void)par, (void)dw, (void)q, w[0] * w[0];
}

/* What is lost may depend on an input: the square of a ramp over a second. */
static void losses_of_inputs(void **state)
{
  static const char *const RAMP[] = {"ramp:1"};
  kit k;
  br_plant *plant = NULL;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  kit_plant(&k, "driven_block", "viscous", "m=1,sigma2=0", RAMP, NULL);
  br_system own = *br_system_find("driven_block");
  const br_drive drive = br_drive_signal(k.signals[0]);
  own.lost = of_the_input;
  if (br_plant_create(&own, br_params_block(k.params, "system"), br_model_find("viscous"),
                      br_params_block(k.params, "model"), &drive, &plant, &err))
    fail_msg("%s", err.msg);
  br_plant_destroy(k.plant);
  k.plant = plant;
  br_solve_settings set = br_solve_settings_default();
  set.energy = 1, set.rtol = 1e-10;
  kit_solver(&k, &set, NULL);
  kit_to(&k, 1, NULL);
  near(br_solver_energy(k.solver).dissipated, 1.0 / 3, 1e-9);
  near(br_solver_energy(k.solver).work_in, 0.125, 1e-9); /* F v = t t^2 / 2 */
  kit_end(&k);
}

/* ---- the search for cycles ---- */

#define STICKS "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"

/* The section is at the mean velocity, that with which the spring is drawn; numbers of the search are of one
 * kind with those of a plain run. */
static void sections_and_sums(void **state)
{
  const double vp = 0.5;
  kit k;
  br_cycle c;
  br_err err;
  double x0[8];
  br_cycle_settings set = br_cycle_settings_default();
  (void)state;
  set.t_transient = 200;
  kit_plant(&k, "pulled_block", "lugre", STICKS, NULL, &vp);
  if (br_cycle_find(k.plant, NULL, &set, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  kit_solver(&k, NULL, x0);
  kit_to(&k, c.period, NULL);
  const br_solve_stats one = br_solver_stats(k.solver);
  near(x0[1], vp, 0.05);
  const br_solve_stats all = c.stats;
  for (int i = 0; i < 2; i++) { /* who keeps no extremes cannot tell rest from motion */
    br_solve_settings other = br_solve_settings_default();
    other.kind = i ? BR_SOLVER_FIXED : BR_SOLVER_CVODE;
    assert_int_equal(br_cycle_find(k.plant, &other, &set, NULL, &c, NULL, NULL, NULL, &err),
                     BR_E_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "native solver"));
  }
  const double ratio = (double)all.steps / (double)all.rhs * (double)one.rhs / (double)one.steps;
  if (!(ratio > 0.3 && ratio < 1.5)) fail_msg("%g", ratio);
  assert_true(all.rejected > one.rejected && all.steps > 5 * one.steps);
  kit_end(&k);
}

/* A load that swings twice in a cycle of stick and slip: two periods of it until all comes back. */
static void two_periods_of_a_load(void **state)
{
  const double vp = 0.5;
  (void)state;
  kit k;
  br_cycle c;
  br_err err;
  double x0[8], T;
  kit_plant(&k, "pulled_block", "lugre", STICKS, NULL, &vp);
  if (br_cycle_find(k.plant, NULL, NULL, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  T = 0.5 * c.period;
  assert_int_equal(c.periods, 1);
  br_signal *load = NULL;
  char spec[80];
  snprintf(spec, sizeof spec, "sine:0.05,%.17gHz,0,1", 1 / T);
  if (br_signal_parse(spec, &load, &err)) fail_msg("%s", err.msg);
  const br_drive d = br_drive_signal(load);
  br_solver_destroy(k.solver), k.solver = NULL;
  if (br_plant_load(k.plant, 0, &d, &err)) fail_msg("%s", err.msg);
  if (br_cycle_find(k.plant, NULL, NULL, NULL, &c, x0, NULL, NULL, &err)) fail_msg("%s", err.msg);
  assert_int_equal(c.periods, 2);
  near(c.period, 2 * T, 1e-9 * T);
  kit_end(&k);
  br_signal_destroy(load);
}

/* ---- what is said of a fixed point ---- */

/* Half of a deviation from (2, 100), and of the cube of it, is left; the second number is kept. */
static br_status bends(void *ctx, double *z, br_err *err)
{
  const double y = z[0] - 2;
  (void)ctx, (void)err;
  z[0] = 2 + 0.5 * y + 100 * y * y * y;
  return BR_OK;
}

static br_status lies(void *ctx, double *z, br_err *err)
{
  z[1] *= 0.1; /* the slope is 0.5 */
  double x = z[0];
  const br_status st = bends(ctx, &x, err);
  z[0] = x;
  return st;
}

static int first_alone(void *ctx, const double *z, size_t j) { return (void)ctx, (void)z, j == 0; }

static void what_is_said_of_it(void **state)
{
  bri_fix_problem p = {.name = "map", .ns = 1, .nz = 1, .rtol = 1e-14, .map = bends, .observes = looks};
  bri_fix_report r;
  br_err err = {BR_OK, -1, ""};
  double z[2] = {2.01, 100};
  (void)state;
  assert_int_equal(bri_fixpoint(&p, &NONE, z, &r, &err), BR_OK);
  near(z[0], 2, 1e-13);
  near(r.contraction, 0.5, 1e-8); /* differences alone, over 2e-4 of 2, would be off by 100 of their square */
  p.map_pair = lies, z[0] = 2.01;
  assert_int_equal(bri_fixpoint(&p, &NONE, z, &r, &err), BR_OK);
  near(r.contraction, 0.5, 1e-8);
  p.map_pair = NULL, p.rtol = 1e-8, z[0] = 2.01; /* slopes of a map that is known to 1e-8, over 1e-4 */
  assert_int_equal(bri_fixpoint(&p, &NONE, z, &r, &err), BR_OK);
  assert_true(r.contraction_error > 1e-5 && r.contraction_error < 1e-2);
  assert_true(r.error > 2e-8 && r.error < 2e-6);
  p.ns = p.nz = 2, p.rtol = 1e-12;
  for (int all = 0; all < 2; all++) {
    static const double EXTENT[2] = {2, 100};
    const bri_fix_hints hints = {.extent = EXTENT};
    p.observes = all ? looks : first_alone, z[0] = 2.01;
    assert_int_equal(bri_fixpoint(&p, &hints, z, &r, &err), BR_OK);
    assert_true(z[1] == 100);
    near(r.contraction, all ? 1 : 0.5, 1e-8);
    if (all) assert_true(r.contraction_error == 0);
    near(r.error, (all ? 100 : 2) * r.relative, 1e-9 * r.error);
  }
}

/* Around (2, -1): what a period leaves of a deviation, a upon the first, b of the second upon the first, c
 * upon the second. */
typedef struct {
  double a, b, c;
} plain_map;

static br_status plain(void *ctx, double *z, br_err *err)
{
  const plain_map *m = ctx;
  const double x = z[0] - 2, y = z[1] + 1;
  (void)err;
  z[0] = 2 + m->a * x + m->b * y, z[1] = -1 + m->c * y;
  return BR_OK;
}

static br_status plain_pairs(void *ctx, double *z, br_err *err)
{
  const plain_map *m = ctx;
  double re[2] = {z[0], z[2]};
  const double im[2] = {z[1], z[3]};
  const br_status st = plain(ctx, re, err);
  z[0] = re[0], z[1] = m->a * im[0] + m->b * im[1], z[2] = re[1], z[3] = m->c * im[1];
  return st;
}

/* What is left of a period, and ten times what the map is known to, grow by the inverse of 1 - J: a loop
 * that forgets slowly is known less well than its map, one that turns its deviations over is known better. */
static void errors_of_fixed_points(void **state)
{
  static const plain_map MAPS[] = {{0.5, 0, 0.1},   {0.99, 0, 0.1},  {-0.9, 0, 0.1}, {0.1, 0, 0.999},
                                   {0.3, 50, -0.5}, {-0.7, 3, 0.95}, {0.9, -5, 0.9}};
  static const double EXTENT[2] = {1, 1}, RTOL = 1e-9;
  (void)state;
  for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++)
    for (int by_pairs = 0; by_pairs < 2; by_pairs++) {
      plain_map m = MAPS[i];
      const bri_fix_hints hints = {.extent = EXTENT};
      bri_fix_problem p = {
          .name = "map", .ctx = &m, .ns = 2, .nz = 2, .rtol = RTOL, .map = plain, .observes = looks};
      bri_fix_report r;
      br_err err = {BR_OK, -1, ""};
      double z[2] = {2.5, -1.2};
      if (by_pairs) p.map_pair = plain_pairs;
      if (bri_fixpoint(&p, &hints, z, &r, &err)) fail_msg("%zu: %s", i, err.msg);
      near(z[0], 2, 1e-7);
      near(z[1], -1, 1e-7);
      const double one = (1 + fabs(m.b / (1 - m.c))) / fabs(1 - m.a), two = 1 / fabs(1 - m.c);
      const double expected = 10 * RTOL * (fmax(one, two) + 1);
      near(r.relative / expected, 1, 0.05);
      near(r.contraction, fmax(fabs(m.a), fabs(m.c)), 1e-4);
      near(r.error, r.relative, 1e-9 * r.error);
    }
}

/* ---- the solver as it is driven ---- */

/* Back in time there is no way; a start forgets the run before; the first step is that asked for, Jacobians
 * are counted. */
static void starts_anew(void **state)
{
  kit k;
  br_err err;
  double x0[8] = {1e6, 1e6}, x1[8] = {0.1, 0.2}, a[8], b[8];
  br_solve_settings set = br_solve_settings_default();
  (void)state;
  set.rtol = 1e-6, set.h0 = 1e-3;
  for (int after = 0; after < 2; after++) {
    kit_plant(&k, "mass_spring", "viscous", "m=1,ks=4,sigma2=0.5", NULL, NULL);
    if (after) {
      kit_solver(&k, &set, x0);
      kit_to(&k, 1, NULL);
      assert_int_equal(br_solver_start(k.solver, 0, x1, &err), BR_OK);
    } else kit_solver(&k, &set, x1);
    assert_int_equal(bri_step_once(k.solver, 100, &err), BR_OK);
    near(k.solver->t, 1e-3, 1e-15);
    kit_to(&k, 3, after ? b : a);
    assert_true(br_solver_stats(k.solver).jacobians > 0);
    assert_int_equal(br_solver_advance(k.solver, 2.5, NULL, &err), BR_E_ARG);
    assert_non_null(strstr(err.msg, "cannot advance to t = 2.5 s from t = 3 s"));
    kit_end(&k);
  }
  assert_memory_equal(a, b, 2 * sizeof *a);
}

typedef struct {
  size_t n, index, steps;
  int direction;
  double t;
} seen;

static void half(void *ctx, double t, const double *x, double *g) { (void)ctx, (void)t, *g = x[0] - 0.5; }

static int note_user(void *ctx, const br_event *ev)
{
  seen *s = ctx;
  const double at[] = {KIT_PI / 6, 5 * KIT_PI / 6}; /* sin t is a half */
  if (ev->type != BR_EVENT_USER) return 0;
  assert_true(s->n < 2 && ev->index == 0);
  assert_int_equal(ev->direction, s->n ? -1 : 1);
  near(ev->t, at[s->n], 1e-5);
  s->n++;
  return 0;
}

static int stop_soon(void *ctx, double t) { return (void)t, ++((seen *)ctx)->steps > 0; }

/* The independent check is asked as the native solver is: users' events, which way they go, the largest
 * step, a stop. */
static void independent(void **state)
{
  static const br_solver_kind KINDS[] = {BR_SOLVER_NATIVE, BR_SOLVER_CVODE};
  const double x0[2] = {0, 1};
  (void)state;
  for (int i = 0; i < 2; i++) {
    kit k;
    seen s = {0};
    br_err err;
    br_solver *probe = NULL;
    br_solve_settings set = br_solve_settings_default();
    set.kind = KINDS[i], set.rtol = 1e-8, set.h_max = 0.01;
    set.nuser = 1, set.user = half, set.on_event = note_user, set.ctx = &s;
    kit_plant(&k, "mass_spring", "viscous", "m=1,ks=1,sigma2=0", NULL, NULL);
    if (br_solver_create(k.plant, &set, &probe, &err) == BR_E_UNSUPPORTED) {
      kit_end(&k);
      continue;
    }
    br_solver_destroy(probe);
    kit_solver(&k, &set, x0);
    kit_to(&k, 3, NULL);
    assert_int_equal(s.n, 2);
    assert_true(br_solver_stats(k.solver).steps >= 300);
    set.on_step = stop_soon;
    if (i) {
      s.n = 0;
      kit_solver(&k, &set, x0);
      assert_int_equal(br_solver_advance(k.solver, 3, NULL, &err), BR_INTERRUPTED);
      assert_true(br_solver_time(k.solver) < 0.5);
    }
    kit_end(&k);
  }
}

static int note_all(void *ctx, const br_event *ev)
{
  seen *s = ctx;
  s->n++, s->index = (size_t)ev->type, s->direction = ev->direction, s->t = ev->t;
  return 0;
}

/* Fixed steps: how many there are, where a free contact gets to, what slips when, work by the trapezoidal
 * rule. */
static void fixed_steps(void **state)
{
  static const char *const RAMP[] = {"ramp:1"};
  const double two = 2;
  kit k;
  seen s = {0};
  double x[8], sum = 0;
  br_solve_settings set = br_solve_settings_default();
  (void)state;
  set.kind = BR_SOLVER_FIXED, set.dt = 0.1, set.energy = 1;
  kit_plant(&k, "driven_block", "bouc_wen", "m=1,kappa=1,uy=0.5", NULL, &two);
  kit_solver(&k, &set, NULL);
  const int u = br_plant_index(k.plant, "u");
  assert_true(u == 1);
  double v = 0, work = 0;
  for (int i = 1; i <= 10; i++) {
    kit_to(&k, 0.1 * i, x);
    assert_int_equal(br_solver_stats(k.solver).steps, i);
    sum += 0.1 * x[0], work += 0.05 * 2 * (v + x[0]), v = x[0];
    near(x[u], sum, 1e-14);
    near(br_solver_energy(k.solver).work_in, work, 1e-13);
  }
  kit_to(&k, 1.25, x); /* two full steps and a half */
  assert_int_equal(br_solver_stats(k.solver).steps, 13);
  kit_end(&k);
  set.dt = 0.01, set.on_event = note_all, set.ctx = &s;
  kit_plant(&k, "driven_block", "coulomb", "m=1,Fc=1,Fs=1,sigma2=0", RAMP, NULL);
  kit_solver(&k, &set, NULL);
  kit_to(&k, 2, x);
  assert_true(s.n >= 1 && s.index == BR_EVENT_SLIP && s.direction == 1);
  near(s.t, 1, 0.03);
  kit_end(&k);
}

/* A load that comes down to nothing leaves no force, and what is below nothing is refused; two axes have no
 * place. */
static void loads_that_vanish(void **state)
{
  static const double AMPLITUDE[] = {1, 1.01};
  const double one = 1;
  (void)state;
  for (int place = 0; place < 2; place++)
    for (int i = 0; i < 2; i++) {
      kit k;
      br_err err = {BR_OK, -1, ""};
      br_signal *load = NULL;
      char spec[60];
      double x[8], F = 0;
      snprintf(spec, sizeof spec, "sine:%g,0.25Hz,0,1", AMPLITUDE[i]); /* 1 + A sin(pi t / 2): nothing at 3 */
      if (br_signal_parse(spec, &load, &err)) fail_msg("%s", err.msg);
      const br_drive d = br_drive_signal(load);
      kit_plant(&k, "driven_block", "lugre", "m=1,Fc=0.1,Fs=0.15,sigma0=100,sigma1=1,sigma2=0", NULL, &one);
      if (place ? br_plant_load_along(k.plant, 0, &d, &err) : br_plant_load(k.plant, 0, &d, &err))
        fail_msg("%s", err.msg);
      br_solve_settings set = br_solve_settings_default();
      set.rtol = 1e-8;
      kit_solver(&k, &set, NULL);
      const br_status st = br_solver_advance(k.solver, place ? 5 : 3, x, &err);
      assert_int_equal(st, i ? BR_E_RANGE : BR_OK);
      if (i) assert_non_null(strstr(err.msg, "must not be negative"));
      br_solver_force(k.solver, &F);
      if (!i && !place) near(F, 0, 1e-8);
      assert_true(isfinite(F));
      kit_end(&k);
      br_signal_destroy(load);
    }
  kit k;
  br_err err;
  const br_drive held = {.value = 1};
  kit_plant(&k, "two_axis", "bouc_wen_biaxial", NULL, NULL, NULL);
  assert_int_equal(br_plant_load_along(k.plant, 0, &held, &err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(err.msg, "one axis"));
  kit_end(&k);
}

/* What never settles is given up behind the time that was asked for, and the time told is that of the runs.
 * */
static void given_up(void **state)
{
  const double x0[8] = {0.1, 0.23, 0, 0};
  kit k;
  br_cycle c;
  br_err err;
  double within = 0;
  br_cycle_settings set = br_cycle_settings_default();
  (void)state;
  set.t_max = 500;
  kit_plant(&k, "chain", "viscous", "m=1,2,system.k=1,3.7,c=0,0,contact=2,against=0,sigma2=0", NULL, NULL);
  assert_int_equal(br_cycle_find(k.plant, NULL, &set, x0, &c, NULL, NULL, NULL, &err), BR_E_CONVERGE);
  assert_int_equal(sscanf(err.msg, "no cycle: within %lf s", &within), 1);
  assert_true(within > 500 && within < 5000); /* a return takes seconds, not the 200 s that it may */
  kit_end(&k);
}

/* v' = -v from 1000, which is not known shortly below the start, where only the error estimate of a long
 * step asks. */
static int with_a_hole;

static void falls(const void *par, const double *w, const double *dw, const double *q, const double *F,
                  double *dq)
{
  (void)par, (void)w, (void)dw, (void)F;
  dq[0] = with_a_hole && q[0] > 740 && q[0] < 999.9 ? NAN : -q[0];
}

/* A step whose error is no number is not taken: there is no answer, or one within the tolerance. */
static void errors_that_are_no_number(void **state)
{
  (void)state;
  for (with_a_hole = 0; with_a_hole < 2; with_a_hole++) {
    const int hole = with_a_hole;
    const double x0 = 1000;
    double x = 0;
    kit k;
    br_plant *plant = NULL;
    br_err err;
    kit_plant(&k, "driven_block", "viscous", "m=1,sigma2=0", NULL, NULL);
    br_system own = *br_system_find("driven_block");
    own.rate = falls;
    with_a_hole = 0; /* not while the plant looks at its mechanism */
    if (br_plant_create(&own, br_params_block(k.params, "system"), br_model_find("viscous"),
                        br_params_block(k.params, "model"), NULL, &plant, &err))
      fail_msg("%s", err.msg);
    br_plant_destroy(k.plant);
    k.plant = plant;
    br_solve_settings set = br_solve_settings_default();
    set.kind = BR_SOLVER_RADAU5, set.rtol = 1e-9, set.h0 = 2, set.max_steps = 500;
    kit_solver(&k, &set, &x0);
    with_a_hole = hole;
    const br_status st = br_solver_advance(k.solver, 3, &x, &err);
    if (!hole) assert_int_equal(st, BR_OK);
    if (st == BR_OK) near(x, 1000 * exp(-3), 1e-5);
    kit_end(&k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrows),
                                     cmocka_unit_test(fixed_points),
                                     cmocka_unit_test(errors_of_fixed_points),
                                     cmocka_unit_test(what_is_said_of_it),
                                     cmocka_unit_test(starts_anew),
                                     cmocka_unit_test(independent),
                                     cmocka_unit_test(fixed_steps),
                                     cmocka_unit_test(loads_that_vanish),
                                     cmocka_unit_test(polynomials),
                                     cmocka_unit_test(extremes_are_handed_out),
                                     cmocka_unit_test(losses_of_inputs),
                                     cmocka_unit_test(sections_and_sums),
                                     cmocka_unit_test(given_up),
                                     cmocka_unit_test(errors_that_are_no_number),
                                     cmocka_unit_test(two_periods_of_a_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
