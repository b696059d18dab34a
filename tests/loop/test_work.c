/* SPDX-License-Identifier: Apache-2.0
 * test_work.c - work, dissipation, range and stated error of loops against an independent way (longref.h):
 * random two-point and nested loops of every one-axis model, amplitudes over six decades, and long ones.
 * BR_LOOPS=n draws n loops of each model instead of the default. */
#include <float.h>

#include "longref.h"

/* ---- random elements ---- */

static void put_list(element *e, const char *name, size_t n, const double *x)
{
  const br_param *row = br_model_param(e->m, name);
  memcpy(e->par + row->slot, x, n * sizeof *x);
  e->par[row->len_slot] = (double)n;
}

static void put(element *e, const char *name, double x) { e->par[br_model_param(e->m, name)->slot] = x; }

static double decades(rng *r, double lo, double hi) { return pow(10, rng_range(r, lo, hi)); }

/* Draws parameters; the result is a path over which the model forgets, m. */
static double draw_stribeck(rng *r, element *e)
{
  const double Fc = decades(r, -1, 1);
  put(e, "Fc", Fc);
  put(e, "Fs", Fc * rng_range(r, 1, 2.5));
  put(e, "vs", decades(r, -4, 0));
  put(e, "delta", decades(r, -1.5, 0.5));
  return element_get(e, "Fs");
}

static double draw_elements(rng *r, element *e)
{
  double k[8], x[8], sum = 0;
  const int gms = strcmp(e->m->name, "gms") == 0;
  const size_t n = 1 + (size_t)rng_range(r, 0, 8);
  const double Fs = gms ? draw_stribeck(r, e) : 1, size = decades(r, -4, 0);
  for (size_t i = 0; i < n; i++) k[i] = decades(r, -1, 1), x[i] = rng_range(r, 0.05, 1), sum += x[i];
  for (size_t i = 0; i < n; i++) {
    if (gms) x[i] /= sum, k[i] *= Fs / size;
    else x[i] *= size;
  }
  put_list(e, "k", n, k);
  put_list(e, gms ? "alpha" : "Delta", n, x);
  return size;
}

static double draw_semilinear(rng *r, element *e)
{
  double A[9] = {0}, v[3];
  const size_t n = 1 + (size_t)rng_range(r, 0, 3);
  const double size = decades(r, -2, 0);
  static const char *const lists[] = {"Bp", "Bm", "Ep", "Em", "C"};
  for (int back = 0; back < 2; back++) { /* triangular: the multipliers stand on the diagonal */
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++)
        A[i * n + j] = (back ? 1 : -1) * (i == j ? rng_range(r, 0.5, 3) : rng_range(r, -0.3, 0.3)) / size;
    put_list(e, back ? "Am" : "Ap", n * n, A);
  }
  for (size_t l = 0; l < 5; l++) {
    for (size_t i = 0; i < n; i++) v[i] = rng_range(r, 0.3, 1) / (l < 2 ? 3 * size * size : l < 4 ? size : 1);
    put_list(e, lists[l], n, v);
  }
  put(e, "n", (double)n);
  return size;
}

static double draw_bristle(rng *r, element *e)
{
  const double Fs = draw_stribeck(r, e), s0 = Fs * decades(r, 0, 4);
  put(e, "sigma0", s0);
  put(e, "sigma1", s0 * element_get(e, "vs") * decades(r, -6, -4));
  put(e, "sigma2", rng_range(r, 0, 1));
  if (br_model_param(e->m, "z_ba")) put(e, "z_ba", element_get(e, "Fc") / s0 * rng_range(r, 0.1, 0.95));
  return Fs / s0;
}

static double draw_bouc_wen(rng *r, element *e)
{
  const int whole = rng_unit(r) < 0.3;
  const double eta = whole ? 1 + floor(rng_range(r, 0, 3)) : decades(r, -0.5, 1);
  put(e, "eta", eta);
  const double beta = rng_range(r, 0.5, 1);
  put(e, "beta", beta);
  put(e, "gamma", 1 - beta);
  if (strcmp(e->m->name, "bouc_wen") != 0) return 1;
  put(e, "uy", decades(r, -4, 0));
  put(e, "kappa", rng_unit(r) < 0.5 ? 0 : rng_range(r, 0, 0.5));
  return element_get(e, "uy");
}

static double draw(rng *r, element *e)
{
  br_err err;
  const char *name = e->m->name;
  double size = 1;
  if (strcmp(name, "dahl") == 0) {
    put(e, "gamma", rng_unit(r) < 0.2 ? floor(rng_range(r, 0, 4)) : rng_range(r, 0, 4));
    size = element_get(e, "Fc") / element_get(e, "sigma0");
  } else if (strcmp(name, "bliman_sorine") == 0) {
    put(e, "eps", decades(r, -5, 0));
    put(e, "eta", decades(r, -3, -0.05));
    put(e, "f2", rng_range(r, 0, 2.9));
    size = element_get(e, "eps");
  } else if (strcmp(name, "coulomb") == 0) {
    draw_stribeck(r, e);
  } else if (br_model_param(e->m, "k")) {
    size = draw_elements(r, e);
  } else if (br_model_param(e->m, "Ap")) {
    size = draw_semilinear(r, e);
  } else if (br_model_param(e->m, "sigma1")) {
    size = draw_bristle(r, e);
  } else {
    size = draw_bouc_wen(r, e);
  }
  if (e->m->check(e->par, &err)) fail_msg("%s", err.msg);
  e->m->prepare(e->par);
  return size;
}

/* ---- one loop against its reference ---- */

typedef struct {
  size_t loops, minors, open;
  double work, gap; /* largest difference, of force times path and of the force */
  double error;     /* largest true error over the stated one */
} tally;

/* Explicit steps: the reference must not be asked for very long arcs. */
static int is_integrated(const law *k) { return k->rate != NULL; }

static size_t draw_points(rng *r, double size, double *u)
{
  const size_t n = rng_unit(r) < 0.4 ? 2 : 2 * (2 + (size_t)rng_range(r, 0, 3));
  const double mid = rng_unit(r) < 0.5 ? 0 : rng_range(r, -1, 1) * size;
  double side = 1;
  for (size_t i = 0; i < n; i++) u[i] = mid + (side = -side) * size * rng_range(r, 0.05, 1);
  return n;
}

static void compare(const char *what, uint64_t seed, const element *e, double got, ld want, double tol)
{
  if (!(fabsl(got - want) <= tol))
    fail_msg("%s, seed %llu: %s %.17g, expected %.17Lg, off by %.3Lg > %.3g", e->m->name,
             (unsigned long long)seed, what, got, want, fabsl(got - want), tol);
}

static void one_loop(const char *model, uint64_t seed, tally *t)
{
  rng r = {seed};
  double u[LR_POINTS];
  element e = element_open(model);
  const double size = draw(&r, &e);
  const law probe = lr_law(&e, 1);
  const double amp = size * decades(&r, is_integrated(&probe) ? -2 : -5, is_integrated(&probe) ? 1 : 5);
  const size_t n = draw_points(&r, amp, u);
  br_class cls;
  double path = 0, speed = 0;
  for (size_t i = 0; i < n; i++) path += fabs(u[(i + 1) % n] - u[i]);
  e.m->classify(e.par, &cls);
  if (cls.rate_dependent && rng_unit(&r) < 0.5) speed = element_get(&e, "vs") * decades(&r, -1, 1);
  const law k = lr_law(&e, speed);
  br_loop_settings set = br_loop_settings_default();
  br_loop *loop = NULL;
  br_err err;
  set.frequency = speed / path;
  if (br_loop_create(e.m, e.par, n, u, 0, &set, &loop, &err)) {
    if (err.code != BR_E_CONVERGE) fail_msg("%s, seed %llu: %s", model, (unsigned long long)seed, err.msg);
    t->open++; /* a period keeps everything */
    return;
  }
  const br_loop_summary *s = br_loop_get(loop);
  static lr_loop R;
  /* where a period forgets less than 1e-9, long double does not know the loop either */
  if (!lr_solve(&k, n, u, &R) || (is_integrated(&k) && R.kept > 1 - 1e-9L)) {
    t->open++;
    br_loop_destroy(loop);
    return;
  }
  const double top = fmax(fabs(s->y_min), fabs(s->y_max)), scale = top * s->path_length;
  /* a loop that forgets little is known to `error` only, and the reference to 1e-16 over what it forgets */
  const double own = top * (4e-16 + 2e-16 / fmax(1e-12, (double)(1 - R.kept))), unknown = 3 * s->error + own;
  compare("work", seed, &e, s->work, R.work[n], 1e-10 * scale + unknown * s->path_length);
  t->work = fmax(t->work, fabs(s->work - (double)R.work[n]) / scale);
  for (size_t i = 0; i < n; i++) {
    const double y = br_loop_turnings(loop)[i].y, off = fabs(y - (double)R.y[i]);
    compare("force", seed, &e, y, R.y[i], unknown);
    if (off > 4 * own) t->error = fmax(t->error, off / s->error);
  }
  for (size_t i = 0; i < s->n_minor; i++) {
    const br_minor *m = &br_loop_minors(loop)[i];
    ld gap;
    const ld W = lr_minor(&k, &R, m, &gap);
    compare("work of a minor loop", seed, &e, m->work, W, 1e-10 * scale + unknown * s->path_length);
    compare("gap", seed, &e, m->gap, gap, 2 * unknown);
    t->work = fmax(t->work, fabs(m->work - (double)W) / scale);
    t->minors++;
  }
  t->loops++;
  br_loop_destroy(loop);
}

static void random_loops(void **state)
{
  static const char *const models[] = {
      "dahl",    "lugre",    "bliman_sorine",       "maxwell_slip",     "gms",
      "coulomb", "bouc_wen", "lugre_elastoplastic", "semilinear_duhem", "duhem_lugre"};
  const char *asked = getenv("BR_LOOPS"), *only = getenv("BR_MODEL");
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    tally t = {0};
    if (only && strcmp(only, models[i]) != 0) continue;
    const element e = element_open(models[i]);
    const law k = lr_law(&e, 0);
    const long count = asked ? atol(asked) : k.rate ? 8 : 200;
    for (long q = 0; q < count; q++) one_loop(models[i], 1000 * i + (uint64_t)q, &t);
    printf(
        "%-20s %zu loops, %zu minor loops, %zu not found by the reference: work to %.1e, error %.2g of the "
        "stated\n",
        models[i], t.loops, t.minors, t.open, t.work, t.error);
  }
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

/* bouc_wen from -1 to 1 and on: U less the integral of (1 - z) du/dz dz, z = +-t^4 against |z|^eta at 0. */
static ld way_lost(ld beta, ld gam, ld eta)
{
  enum { N = 4000 };
  ld sum = 0;
  for (int side = -1; side <= 1; side += 2)
    for (int i = 0; i < N; i++) { /* Gauss with two nodes on every piece, then the error is 1e-15 */
      for (int q = -1; q <= 1; q += 2) {
        const ld t = (i + 0.5L + q * 0.28867513459481288225L) / N, z = t * t * t * t;
        const ld rate = 1 - powl(z, eta) * (beta * side + gam);
        const ld gone = side > 0 ? -expm1l(eta * logl(z)) : rate; /* beta + gamma = 1 */
        sum += (1 - side * z) / (side > 0 ? gone : rate) * 4 * t * t * t / N / 2;
      }
    }
  return sum;
}

static void long_paths_of_bouc_wen(void **state)
{
  static const double etas[] = {0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5, 8, 12};
  static const double lengths[] = {32, 100, 320, 1000, 1e4, 1e5, 1e6};
  double worst = 0, top;
  (void)state;
  for (size_t i = 0; i < sizeof etas / sizeof etas[0]; i++)
    for (int shape = 0; shape < 3; shape++) {
      element e = element_open("bouc_wen");
      const double beta = 0.5 + 0.2 * shape;
      element_put(&e, "eta", etas[i]);
      element_put(&e, "beta", beta);
      element_put(&e, "gamma", 1 - beta);
      element_put(&e, "uy", 0.02);
      const ld lost = way_lost(element_get(&e, "beta"), element_get(&e, "gamma"), element_get(&e, "eta"));
      for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        if (etas[i] * lengths[k] < 80) continue; /* does not settle */
        const double U = lengths[k] * 0.02, want = 2 * 0.02 * (lengths[k] - (double)lost);
        const double got = loop_work(&e, U, &top);
        assert_true(top <= 1 + 1e-15);
        near(got, want, 1e-11 * U);
        worst = fmax(worst, fabs(got - want) / U);
      }
    }
  printf("long paths of bouc_wen: work to %.1e of force times path\n", worst);
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
  const law k = lr_law(&e, 0);
  for (size_t i = 0; i + 1 < n; i++) {
    const ld s = t[i + 1].u > t[i].u ? 1 : -1, to = i + 2 == n ? 0.5L : t[i + 1].u;
    if (i == 1) start = F, W = 0;
    k.arc(&k, t[i].u, s, fabsl(to - t[i].u), &F, &W);
  }
  near(m->gap, (double)(F - start), 3 * br_loop_get(loop)->error);
  near(m->work, (double)W, 1e-10 * 0.75 * (m->rho_end - m->rho_start));
  assert_true(br_loop_get(loop)->error < 1e-11);
  br_loop_destroy(loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_loops), cmocka_unit_test(layers_behind_a_reversal),
      cmocka_unit_test(long_paths_of_bouc_wen), cmocka_unit_test(long_minor_loop)};
  return cmocka_run_group_tests_name("loop/work", tests, NULL, NULL);
}
