/* SPDX-License-Identifier: Apache-2.0
 * test_work.c - work, dissipation, force and stated error of loops against an independent way (longref.h):
 * random two-point and nested loops of every model, parameters over decades, amplitudes over ten decades, and
 * long ones.
 * BR_LOOPS=n draws n loops of each model instead of the default; BR_MODEL=name draws of one model only, and
 * BR_SEED=n with it begins at that loop (without BR_LOOPS: that one alone). */
#include <ctype.h>
#include <float.h>

#include "bristle/param.h"
#include "longdraw.h"

/* ---- what was seen ---- */

enum { REASONS = 8, RATIOS = 16384 };

typedef struct {
  size_t loops, minors, kept;
  double work;             /* largest difference to the reference, of force times path */
  size_t unsure;           /* loops whose stated error allows more than 1e-10 */
  double error;            /* largest true error of a force over the stated one */
  uint64_t error_seed;     /* its loop */
  double over[RATIOS];     /* stated error of each loop over the largest true one (half a bit at least) */
  char why[REASONS][256];  /* refusals, numbers left out */
  size_t refused[REASONS]; /* how many of each */
  uint64_t refused_seed[REASONS];
} tally;

static void count_refusal(tally *t, uint64_t seed, const char *msg)
{
  char key[256];
  size_t n = 0, i = 0;
  for (; *msg && n + 1 < sizeof key; msg++) /* digits and what belongs to a number become one # */
    if (!isdigit((unsigned char)*msg)) key[n++] = *msg;
    else if (n == 0 || key[n - 1] != '#') key[n++] = '#';
  key[n] = 0;
  while (i + 1 < REASONS && t->refused[i] > 0 && strcmp(t->why[i], key) != 0) i++;
  memcpy(t->why[i], key, n + 1);
  t->refused_seed[i] = seed;
  t->refused[i]++;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Every loop drawn is one that exists: a refusal is a fault. */
static void print_tally(const char *model, tally *t)
{
  const size_t known = t->loops < RATIOS ? t->loops : RATIOS;
  qsort(t->over, known, sizeof *t->over, ascending);
  size_t refused = 0;
  for (size_t i = 0; i < REASONS; i++) refused += t->refused[i];
  printf(
      "%-20s %5zu loops, %5zu minor, %4zu refused, %4zu keep their place: work to %.1e (%zu by their stated "
      "error), true error %.2g of the stated (seed %llu), stated error %.2g times the true one by median, "
      "%.2g by "
      "the ninth tenth\n",
      model, t->loops, t->minors, refused, t->kept, t->work, t->unsure, t->error,
      (unsigned long long)t->error_seed, known ? t->over[known / 2] : 0.0,
      known ? t->over[known * 9 / 10] : 0.0);
  for (size_t i = 0; i < REASONS && t->refused[i] > 0; i++)
    printf("%20s %5zu: %s (seed %llu)\n", "", t->refused[i], t->why[i],
           (unsigned long long)t->refused_seed[i]);
  assert_int_equal(refused, 0);
}

/* ---- one loop against its reference ---- */

static size_t draw_points(rng *r, double size, double *u)
{
  const size_t n = rng_unit(r) < 0.4 ? 2 : 2 * (2 + (size_t)rng_range(r, 0, 3));
  const double mid = rng_unit(r) < 0.5 ? 0 : rng_range(r, -1, 1) * size;
  double side = 1;
  for (size_t i = 0; i < n; i++) u[i] = mid + (side = -side) * size * rng_range(r, 0.05, 1);
  return n;
}

/* A loop of the library with what it is held against. */
typedef struct {
  const char *model;
  uint64_t seed;
  drawn d;
  law k;
  size_t n;
  double u[LR_POINTS], frequency;
  const br_loop *loop;
  lr_loop R;
  double scale, rounding; /* J: force times path; N: what a double keeps of the forces */
} match;

static void compare(const match *m, const char *what, double got, ld want, double tol)
{
  if (!(fabsl(got - want) <= tol))
    fail_msg("%s, seed %llu: %s %.17g, expected %.17Lg, off by %.3Lg > %.3g, stated error %.3g", m->model,
             (unsigned long long)m->seed, what, got, want, fabsl(got - want), tol,
             br_loop_get(m->loop)->error);
}

static void draw_loop(match *m)
{
  rng r = {m->seed};
  double path = 0, speed = 0;
  draw(&r, m->model, &m->d);
  const double amp = m->d.size * decades(&r, -5, m->d.formula.kind == LR_BY_HODGDON ? 2 : 5);
  m->n = draw_points(&r, amp, m->u);
  for (size_t i = 0; i < m->n; i++) path += fabs(m->u[(i + 1) % m->n] - m->u[i]);
  if (m->d.vs > 0 && rng_unit(&r) < 0.5) speed = m->d.vs * decades(&r, -1, 1);
  m->frequency = speed / path;
  m->k = law_of(&m->d, speed);
}

static void compare_work(const match *m, const char *what, double got, ld want, tally *t)
{
  const br_loop_summary *s = br_loop_get(m->loop);
  const double off = fabs((double)(got - want)) / m->scale;
  compare(m, what, got, want, 1e-10 * m->scale + (3 * s->error + m->rounding) * s->path_length);
  t->work = fmax(t->work, fmin(off, 1e-10));
  t->unsure += off > 1e-10;
}

/* The range of the force over the loop, against points along every arc: dense behind the reversal (down to
 * 1e-14 of the arc), and evenly for states that oscillate. */
static void compare_range(const match *m)
{
  enum { POINTS = 320 };
  const br_loop_summary *s = br_loop_get(m->loop);
  ld lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < m->n; i++)
    for (int q = 0; q < 2 * POINTS; q++) {
      const ld dir = lr_dir(&m->R, i), L = fabsl((ld)m->u[(i + 1) % m->n] - m->u[i]);
      const ld r = q == 0 ? 0 : q <= POINTS ? L * expl(-0.1L * (POINTS - q)) : L * (q - POINTS) / (ld)POINTS;
      ld z[LR_STATES], spare = 0;
      memcpy(z, m->R.z[i], sizeof z);
      if (q > 0) lr_arc(&m->k, m->u[i], dir, r, z, &spare);
      const ld F = lr_force(&m->k, m->u[i] + dir * r, dir, z);
      lo = fminl(lo, F), hi = fmaxl(hi, F);
    }
  const double tol = 3 * s->error + m->rounding, coarse = 0.05 * (double)(hi - lo) + tol;
  if (!(s->y_max >= hi - tol && s->y_min <= lo + tol && s->y_max <= hi + coarse && s->y_min >= lo - coarse))
    fail_msg("%s, seed %llu: force from %.17g to %.17g, seen from %.17Lg to %.17Lg", m->model,
             (unsigned long long)m->seed, s->y_min, s->y_max, lo, hi);
}

static void compare_loop(match *m, tally *t)
{
  const br_loop_summary *s = br_loop_get(m->loop);
  const double top = fmax(fabs(s->y_min), fabs(s->y_max));
  m->scale = top * s->path_length;
  m->rounding = top * (DBL_EPSILON + (double)m->R.unsure); /* half a bit is the result's own */
  double worst = m->rounding;
  compare_work(m, "work", s->work, m->R.work[m->n], t);
  for (size_t i = 0; i < m->n; i++) {
    const double y = br_loop_turnings(m->loop)[i].y, off = fabs((double)(y - m->R.y[i]));
    compare(m, "force", y, m->R.y[i], 3 * s->error + m->rounding);
    worst = fmax(worst, off);
    if (off - m->rounding > t->error * s->error)
      t->error = (off - m->rounding) / s->error, t->error_seed = m->seed;
  }
  for (size_t i = 0; i < s->n_minor; i++) {
    const br_minor *q = &br_loop_minors(m->loop)[i];
    ld gap;
    const ld W = lr_minor(&m->k, &m->R, q->start_reversal, q->u_start, (ld)q->rho_end - q->rho_start, &gap);
    compare_work(m, "work of a minor loop", q->work, W, t);
    compare(m, "gap", q->gap, gap, 2 * (3 * s->error + m->rounding));
    t->minors++;
  }
  if (m->seed % 8 == 0) compare_range(m);
  t->kept += m->R.forgets == 0;
  if (t->loops < RATIOS) t->over[t->loops] = worst > 0 ? s->error / worst : 1;
  t->loops++;
}

static void one_loop(const char *model, uint64_t seed, tally *t)
{
  static match m;
  br_loop_settings set = br_loop_settings_default();
  br_loop *loop = NULL;
  br_err err;
  m.model = model, m.seed = seed;
  draw_loop(&m);
  set.frequency = m.frequency;
  if (br_loop_create(m.d.e.m, m.d.e.par, m.n, m.u, 0, &set, &loop, &err)) {
    count_refusal(t, seed, err.msg);
    return;
  }
  m.loop = loop;
  /* a slope is known to some 1e-14 behind a few arcs: where it cannot be told from 1 the loop is the one from
   * rest */
  lr_solve(&m.k, m.n, m.u, br_loop_get(loop)->contraction == 1 ? 1e-13L : 0, &m.R);
  compare_loop(&m, t);
  br_loop_destroy(loop);
}

static void random_loops(void **state)
{
  const char *asked = getenv("BR_LOOPS"), *only = getenv("BR_MODEL"), *seed = getenv("BR_SEED");
  const br_model *model;
  (void)state;
  for (size_t i = 0; (model = br_all_models(i)) != NULL; i++) {
    static tally t;
    memset(&t, 0, sizeof t);
    if ((only && strcmp(only, model->name) != 0) || model->axes != 1) continue;
    /* no law in long double here: models/classic, models/sites and solve/jumps have their closed forms */
    if (strcmp(model->name, "viscous") == 0 || strcmp(model->name, "reset_integrator") == 0 ||
        (model->flags & BR_MODEL_JUMPS))
      continue;
    const uint64_t first = only && seed ? strtoull(seed, NULL, 10) : 100000 * (i + 1);
    const long count = asked ? atol(asked) : only && seed ? 1 : model->rate_pair ? 25 : 8;
    for (long q = 0; q < count; q++) one_loop(model->name, first + (uint64_t)q, &t);
    print_tally(model->name, &t);
  }
}

/* Loops that once were: fast states beside slow ones, stepped where extrapolation does not converge (off by
 * 2e-10 N, 6e-11 stated); a plateau that still moves within the tolerance; loops that forget 1e-14 a period
 * and less. */
static void once_wrong(void **state)
{
  static const uint64_t seeds[] = {1400284, 1400121, 1400202};
  static tally t;
  (void)state;
  for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) one_loop("duhem", seeds[i], &t);
  one_loop("duhem_lugre", 1100646, &t);
  print_tally("once wrong", &t);
  assert_true(t.error <= 1.5);
}

/* ---- long paths ---- */

static double loop_work(const element *e, double U, double *top)
{
  const double u[2] = {0, U};
  br_loop *loop = loop_open(e, 2, u, 0);
  const br_loop_summary *s = br_loop_get(loop);
  const double work = s->work;
  *top = fmax(fabs(s->y_min), fabs(s->y_max));
  br_loop_destroy(loop);
  return work;
}

/* Settled on both ends: the work is the level times the path less what the way there takes. */
static void layers_behind_a_reversal(void **state)
{
  double top;
  (void)state;
  for (double U = 0.1; U < 1e7; U *= 10) {
    element e = element_open("bliman_sorine");
    element_set(&e, "f1=3,f2=2,eps=1e-4,eta=0.2");
    near(loop_work(&e, U, &top), 2 * (U + 4e-4 - 1.2e-4), 4e-15 * U);
    e = element_open("maxwell_slip");
    put_list(&e, "k", 1, (double[]){1});
    put_list(&e, "Delta", 1, (double[]){0.01});
    near(loop_work(&e, U, &top), 2 * (0.01 * U - 2e-4), 4e-15 * U);
    e = element_open("semilinear_duhem"); /* Dahl with Fc = 0.75, sigma0 = 7.5 */
    if (U > 5) near(loop_work(&e, U, &top), 2 * (0.75 * U - 0.15), 4e-15 * U);
    e = element_open("dahl");
    for (double gamma = 0.25; gamma < 1; gamma += 0.25) { /* saturates after a finite path */
      element_put(&e, "gamma", gamma);
      const double way = pow(2, 2 - gamma) / (2 - gamma);
      if (U > 5) near(loop_work(&e, U, &top), 2 * (0.75 * U - 0.075 * way), 4e-15 * U);
    }
    e = element_open("dahl");
    element_put(&e, "gamma", 1 + 1e-10);
    if (U > 5) near(loop_work(&e, U, &top), 2 * (0.75 * U - 0.15), 1e-10 + 4e-15 * U);
  }
}

/* Saturated plateaus of any length: bounded, and the work to the last digits. */
static void long_paths(void **state)
{
  static const double etas[] = {0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5, 8, 12};
  static const double lengths[] = {20, 32, 100, 320, 1000, 1e4, 1e5, 1e6};
  static const char *const models[] = {"bouc_wen", "duhem_lugre"};
  static lr_loop R;
  double worst = 0, top;
  (void)state;
  for (size_t m = 0; m < 2; m++)
    for (size_t i = 0; i < sizeof etas / sizeof etas[0]; i++)
      for (int shape = 0; shape < 3; shape++) {
        drawn d = {.e = element_open(models[m])};
        const double beta = 0.5 + 0.2 * shape, uy = m == 0 ? 0.02 : 1;
        element_put(&d.e, "eta", etas[i]);
        element_put(&d.e, "beta", beta);
        element_put(&d.e, "gamma", 1 - beta);
        if (m == 0) element_put(&d.e, "uy", uy);
        const law k = law_of(&d, 0);
        for (size_t q = 0; q < sizeof lengths / sizeof lengths[0]; q++) {
          const double U = lengths[q] * uy, got = loop_work(&d.e, U, &top);
          lr_solve(&k, 2, (double[]){0, U}, 0, &R);
          assert_true(top <= (double)k.branch[0].spring * (1 + 1e-15));
          near(got, (double)R.work[2], 1e-12 * top * U);
          worst = fmax(worst, fabs(got - (double)R.work[2]) / (top * U));
        }
      }
  printf("long paths: work to %.1e of force times path\n", worst);
}

/* A minor loop of 40,000 arcs: the gap is known to what the error says. */
static void long_minor_loop(void **state)
{
  enum { N = 40001 };
  static double u[N + 3];
  rng r = {11};
  element e = element_open("dahl");
  (void)state;
  u[0] = -1, u[1] = 0.5;
  for (size_t i = 2; i < N + 1; i++) u[i] = i % 2 ? rng_range(&r, 0.2, 0.45) : rng_range(&r, -0.1, 0.15);
  u[N + 1] = 1;
  br_loop *loop = loop_open(&e, N + 2, u, 0);
  const size_t n = br_loop_get(loop)->n_turning;
  const br_turning *t = br_loop_turnings(loop);
  ld F = -0.75L, start = 0, W = 0; /* settled: u = -1 comes from 1, 20 layers away */
  const br_minor *m = NULL;
  F = -0.75L * (1 - 2 * expl(-20.0L));
  for (size_t i = 0; i < br_loop_get(loop)->n_minor; i++)
    if (br_loop_minors(loop)[i].u_start == 0.5) m = &br_loop_minors(loop)[i];
  assert_non_null(m);
  for (size_t i = 0; i + 1 < n; i++) {
    const ld s = t[i + 1].u > t[i].u ? 1 : -1, to = i + 2 == n ? 0.5L : t[i + 1].u;
    if (i == 1) start = F, W = 0;
    const ld L = fabsl(to - t[i].u), gone = -expm1l(-10 * L); /* sigma0 / Fc = 10 per metre */
    W += 0.75L * L + (s * F - 0.75L) * gone / 10;
    F += (s * 0.75L - F) * gone;
  }
  near(m->gap, (double)(F - start), 3 * br_loop_get(loop)->error);
  near(m->work, (double)W, 1e-10 * 0.75 * (m->rho_end - m->rho_start));
  assert_true(br_loop_get(loop)->error < 1e-11);
  br_loop_destroy(loop);
}

/* Bonds at even sites (scatter 0): each snaps at a stretch ds and takes the next site, which costs half its
 * stiffness times ds^2 - (ds - spacing)^2; how often follows by counting.  20 bonds, 262 jumps each a period:
 * the work is exact, where rules that meet jumps by chance were 2 % off. */
static void work_of_jumps(void **state)
{
  (void)state;
  const br_model *m = br_model_find("haessig_friedland");
  const double turning[] = {1e-3, -1e-3}, ds = 2e-5, spacing = 1.5e-5;
  const double last = spacing * ceil((1e-3 - ds) / spacing), jumps = 4 * round(last / spacing);
  const double lost = 0.5 * 5e3 * (ds * ds - (ds - spacing) * (ds - spacing));
  br_params *p = NULL;
  br_loop *loop = NULL;
  br_loop_settings set = br_loop_settings_default();
  assert_int_equal(br_params_create(m, &p, NULL), BR_OK);
  assert_int_equal(br_params_set_list(p, "scatter=0,spacing=1.5e-5", NULL), BR_OK);
  assert_int_equal(br_params_finish(p, NULL), BR_OK);
  assert_int_equal(br_loop_create(m, br_params_block(p, "model"), 2, turning, 0, &set, &loop, NULL), BR_OK);
  near(br_loop_get(loop)->work, 20 * lost * jumps, 1e-10 * 20 * lost * jumps);
  near(br_loop_get(loop)->y_max, 20 * 5e3 * ds, 1e-9);
  br_loop_destroy(loop);
  br_params_destroy(p);
}

/* With scatter no formula is known: a motion in small steps is. */
static void work_of_scattered_jumps(void **state)
{
  enum { STEPS = 40000 };
  const br_model *m = br_model_find("haessig_friedland");
  const double turning[] = {1e-3, -1e-3}, h = 2e-3 / STEPS;
  double par[512], z[512] = {0}, dz[512], u = 0, F = 0, work = 0;
  br_loop *loop = NULL;
  br_loop_settings set = br_loop_settings_default();
  (void)state;
  m->defaults(par);
  m->prepare(par);
  for (int i = -STEPS / 2; i < 2 * STEPS; i++) { /* up from the middle, then down and up again */
    const double v = i >= 0 && i < STEPS ? -1 : 1, before = F;
    m->step(par, 1, &u, &v, h, z);
    u += v * h;
    m->rate(par, 1, &u, &v, z, dz);
    m->force(par, 1, &u, &v, z, dz, &F);
    if (i >= 0) work += 0.5 * (before + F) * v * h;
  }
  assert_int_equal(br_loop_create(m, par, 2, turning, 0, &set, &loop, NULL), BR_OK);
  near(br_loop_get(loop)->work, work, 2e-3 * work);
  br_loop_destroy(loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_loops),
                                     cmocka_unit_test(once_wrong),
                                     cmocka_unit_test(layers_behind_a_reversal),
                                     cmocka_unit_test(long_paths),
                                     cmocka_unit_test(long_minor_loop),
                                     cmocka_unit_test(work_of_jumps),
                                     cmocka_unit_test(work_of_scattered_jumps)};
  return cmocka_run_group_tests_name("loop/work", tests, NULL, NULL);
}
