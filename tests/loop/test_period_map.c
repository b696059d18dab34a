/* SPDX-License-Identifier: Apache-2.0
 * test_period_map.c - steady loops found as fixed points: every loop of documents 3 and 4 in the reference
 * file, GMS against its Maxwell limit and against marching, and models followed by brute force. */
#include "loopkit.h"

#include "support/motion.h"

/* The number behind "name=" in a key; name starts the key or follows '/' or '_'. */
static int in_key(const char *key, const char *name, double *x)
{
  const size_t len = strlen(name);
  for (const char *p = strstr(key, name); p; p = strstr(p + 1, name))
    if (p[len] == '=' && (p == key || p[-1] == '/' || p[-1] == '_')) return *x = strtod(p + len + 1, NULL), 1;
  return 0;
}

static void take(element *e, const char *key, const char *name, const char *parameter)
{
  double x;
  if (in_key(key, name, &x)) element_put(e, parameter, x);
}

static int ends(const char *key, const char *tail)
{
  const size_t k = strlen(key), t = strlen(tail);
  return k >= t && strcmp(key + k - t, tail) == 0;
}

static br_loop *loop_of(const element *e, double U, double frequency)
{
  const double u[] = {U, -U};
  return loop_open(e, 2, u, frequency);
}

/* Force at u = 0 on the way up: rho runs from +U down to -U and up again. */
static double rising_zero(const br_loop *loop, double U) { return br_loop_y(loop, 3 * U, 1); }

/* u where the force is zero on the way up, by bisection along the path. */
static double zero_force(const br_loop *loop, double U)
{
  double lo = 2 * U, hi = 4 * U;
  for (int k = 0; k < 80; k++) {
    const double mid = 0.5 * (lo + hi);
    if (br_loop_y(loop, mid, 1) < 0) lo = mid;
    else hi = mid;
  }
  return lo - 3 * U;
}

/* A key that describes a loop between -U and U of a rate-independent element; 0: not such a key. */
static int check_loop(const char *key, const element *e, double U, double unit)
{
  static const char *const tails[] = {"/z_at_u=+U",        "/f_at_u=+U",
                                      "/F_at_u=+U",        "/z_at_u=+U_unstable_periodic",
                                      "/energy_per_cycle", "/u_where_z=0_rising",
                                      "/z_at_u=0_rising",  "/f_at_u=0_rising",
                                      "/F_at_u=0_rising",  "/half_cycle_multiplier"};
  size_t k = 0;
  while (k < sizeof tails / sizeof tails[0] && !ends(key, tails[k])) k++;
  if (k == sizeof tails / sizeof tails[0]) return 0;
  br_loop *loop = loop_of(e, U, 0);
  const br_loop_summary *s = br_loop_get(loop);
  if (k < 4) meets(key, br_loop_turnings(loop)[0].y / unit, 1e-9);
  else if (k == 4) meets(key, s->work, 1e-9);
  else if (k == 5) meets(key, zero_force(loop, U), 1e-9);
  else if (k < 9) meets(key, rising_zero(loop, U) / unit, 1e-9);
  else meets(key, sqrt(s->contraction), 1e-5); /* two equal halves */
  near(br_loop_turnings(loop)[1].y, -br_loop_turnings(loop)[0].y, 1e-11 * fabs(br_loop_turnings(loop)[0].y));
  assert_true(s->error < 1e-9);
  br_loop_destroy(loop);
  return 1;
}

static size_t count;

static void each(const char *prefix, void (*rule)(const char *key))
{
  count = 0;
  for (const json *e = json_get(references, "entries")->child; e; e = e->next)
    if (strncmp(e->key, prefix, strlen(prefix)) == 0) rule(e->key);
  printf("%s: %zu entries\n", prefix, count);
  assert_true(count > 0);
}

/* ---- document 3: Bouc-Wen ---- */

static void bouc_wen_key(const char *key)
{
  element e = element_open("bouc_wen");
  double U;
  if (!in_key(key, "loop_U", &U)) return;
  element_set(&e, "A=1,beta=1,gamma=0,eta=1,fp=1,uy=1,kappa=0,inv_d0=0");
  take(&e, key, "A", "A");
  take(&e, key, "beta", "beta");
  take(&e, key, "gamma", "gamma");
  take(&e, key, "eta", "eta");
  take(&e, key, "kappa", "kappa");
  take(&e, key, "fp", "fp");
  count += (size_t)check_loop(key, &e, U, 1);
}

static void bouc_wen(void **state)
{
  static const char *const families[] = {"003/fig1/", "003/fig2/", "003/ext1/", "003/ext3/", "003/ext5/"};
  size_t all = 0;
  for (size_t k = 0; k < 5; k++) {
    each(families[k], bouc_wen_key);
    all += count;
  }
  assert_true(all >= 100);
}

/* ---- documents 3 and 4: Dahl with any exponent, Maxwell-slip, LuGre ---- */

static void dahl_key(const char *key)
{
  element e = element_open("dahl");
  double U, x;
  if (!in_key(key, "loop_U", &U) && !in_key(key, "U", &U)) return;
  element_set(&e, "sigma0=1,Fc=1,gamma=1");
  if (in_key(key, "Dahl_eta", &x)) element_put(&e, "gamma", x);
  if (in_key(key, "Dahl_gamma", &x)) element_put(&e, "gamma", x);
  take(&e, key, "sigma", "sigma0");
  take(&e, key, "Fc", "Fc");
  count += (size_t)check_loop(key, &e, U, 1);
  if (ends(key,
           "/F_at_phases")) { /* u = U sin(2 pi phase), quasi-static: phase 1/4 is the first turning point */
    double phase[32], F[32];
    const size_t n = json_numbers(json_get(reference(key), "phase"), phase, 32);
    br_loop *loop = loop_of(&e, U, 0);
    for (size_t i = 0; i < n; i++) {
      const double from = phase[i] - 0.25, p = from < 0 ? from + 1 : from; /* part of a period behind +U */
      const double u = U * sin(6.283185307179586 * phase[i]), down = U - u;
      F[i] = br_loop_y(loop, p <= 0.5 ? down : 4 * U - down, p == 0 ? -1 : 1);
      if (p == 0 || p == 0.5) F[i] = br_loop_turnings(loop)[p == 0 ? 0 : 1].y;
    }
    meets_list(key, F, n, 1e-9);
    br_loop_destroy(loop);
    count++;
  }
}

static void dahl(void **state)
{
  each("003/ext7/Dahl", dahl_key);
  assert_int_equal(count, 6);
  each("004/tableI/Dahl", dahl_key);
  assert_int_equal(count, 12);
}

static element maxwell10(void)
{
  return element_open("maxwell_slip"); /* the ten elements of document 4 are the defaults */
}

static void maxwell_key(const char *key)
{
  const element e = maxwell10();
  count += (size_t)check_loop(key, &e, 0.005, 1);
}

static void maxwell(void **state)
{
  const element e = maxwell10();
  double k = 0, sum = 0;
  const br_param *rk = br_model_param(e.m, "k"), *rd = br_model_param(e.m, "Delta");
  each("004/tableI/Maxwell_U=0.005/", maxwell_key);
  assert_int_equal(count, 3);
  assert_int_equal((int)e.par[rk->len_slot], 10);
  for (size_t i = 0; i < 10; i++) {
    k += e.par[rk->slot + i];
    sum += e.par[rk->slot + i] * e.par[rd->slot + i];
  }
  meets("004/tableI/Maxwell_sum_k", k, 1e-14);
  meets("004/tableI/Maxwell_sum_k_Delta", sum, 1e-14);
}

static void lugre_key(const char *key)
{
  element e = element_open("lugre");
  element_set(&e, "sigma0=1e5,sigma1=316.2,sigma2=0.4,Fc=1,Fs=1.5,vs=0.001,delta=2");
  count += (size_t)check_loop(key, &e, 1e-4, 1);
}

static void lugre_slow(void **state)
{
  each("004/tableI/LuGre_U=1e-4/w->0/", lugre_key);
  assert_int_equal(count, 3);
}

/* ---- document 3, extension 7: the re-parameterised LuGre at constant speed ---- */

static void duhem_lugre_key(const char *key)
{
  element e = element_open("duhem_lugre");
  double U, V;
  if (!in_key(key, "triangle_U", &U) || !in_key(key, "V", &V)) return;
  element_set(&e, "fc=1,vs=0.001");
  take(&e, key, "LuGre_beta", "beta");
  take(&e, key, "gamma", "gamma");
  take(&e, key, "eta", "eta");
  take(&e, key, "g0", "g0");
  take(&e, key, "Ts", "Ts");
  br_loop *loop = loop_of(&e, U, V / (4 * U));
  if (ends(key, "/f_at_u=+U_before_reversal")) meets(key, br_loop_turnings(loop)[0].y, 1e-9);
  else if (ends(key, "/f_at_u=+U_after_reversal")) meets(key, br_loop_y(loop, 0, 1), 1e-9);
  else if (ends(key, "/energy_per_cycle")) meets(key, br_loop_get(loop)->work, 1e-9);
  else fail_msg("no rule for %s", key);
  br_loop_destroy(loop);
  count++;
}

static void duhem_lugre(void **state)
{
  each("003/ext7/LuGre_", duhem_lugre_key);
  assert_int_equal(count, 72);
}

/* ---- GMS ---- */

static element gms_with(double Fs)
{
  element e = element_open("gms");
  element_put(&e, "Fs", Fs);
  return e;
}

/* Infinitely slow, a slipping element stands at alpha_i Fs: Maxwell-slip with Delta_i = alpha_i Fs / k_i. */
static void gms_is_maxwell_when_slow(void **state)
{
  const double turning[] = {0, 4e-5, -1e-5, 2e-5, -3e-5, 5e-6};
  const element g = gms_with(1.5);
  element w = element_open("maxwell_slip");
  const br_param *gk = br_model_param(g.m, "k"), *ga = br_model_param(g.m, "alpha");
  const br_param *wk = br_model_param(w.m, "k"), *wd = br_model_param(w.m, "Delta");
  const size_t n = (size_t)g.par[gk->len_slot];
  for (size_t i = 0; i < n; i++) {
    w.par[wk->slot + i] = g.par[gk->slot + i];
    w.par[wd->slot + i] = g.par[ga->slot + i] * 1.5 / g.par[gk->slot + i];
  }
  w.par[wk->len_slot] = w.par[wd->len_slot] = (double)n;
  br_err err;
  if (w.m->check(w.par, &err)) fail_msg("%s", err.msg);
  w.m->prepare(w.par);
  br_loop *a = loop_open(&g, 6, turning, 0), *b = loop_open(&w, 6, turning, 0);
  for (size_t i = 0; i < 6; i++) near(br_loop_turnings(a)[i].y, br_loop_turnings(b)[i].y, 1e-9 * 1.5);
  near(br_loop_get(a)->work, br_loop_get(b)->work, 1e-9 * br_loop_get(b)->work);
  assert_int_equal(br_loop_get(a)->n_minor, br_loop_get(b)->n_minor);
  for (size_t i = 0; i < br_loop_get(a)->n_minor; i++) {
    near(br_loop_minors(a)[i].work, br_loop_minors(b)[i].work, 1e-9 * br_loop_get(b)->work);
    near(br_loop_minors(b)[i].gap, 0, 1e-15); /* return-point memory */
  }
  br_loop_destroy(a);
  br_loop_destroy(b);
}

/* March the model through its own step() until the forces repeat, then compare. */
static void check_marching(const char *model, const char *set, size_t n, const double *u, double frequency,
                           double tol)
{
  motion q;
  element e = element_open(model);
  double path = 0, size = 0, before[16] = {0};
  if (set[0]) element_set(&e, set);
  motion_init(&q, model);
  memcpy(q.par, e.par, e.m->slots * sizeof(double));
  motion_ready(&q);
  for (size_t i = 0; i < n; i++) path += fabs(u[(i + 1) % n] - u[i]);
  br_loop *loop = loop_open(&e, n, u, frequency);
  const double speed = frequency * path;
  q.u[0] = u[0];
  int done = 0;
  for (int period = 0; period < 400 && !done; period++) {
    done = 1;
    if (period > 0) q.work = 0;
    for (size_t i = 1; i <= n; i++) {
      const double to = u[i % n], v = to > q.u[0] ? speed : -speed;
      double F[2];
      motion_to(&q, to, speed);
      motion_force(&q, &v, F);
      size = fmax(size, fabs(F[0]));
      if (!(fabs(F[0] - before[i % n]) <= 1e-13 * size)) done = 0;
      before[i % n] = F[0];
    }
  }
  assert_true(done);
  for (size_t i = 0; i < n; i++) near(br_loop_turnings(loop)[i].y, before[i], tol * size);
  near(br_loop_get(loop)->work, q.work,
       1e-6 * size * path); /* marching sums work over steps that straddle kinks */
  near(br_loop_get(loop)->work, work_between(loop, 0, path, 200), 1e-7 * size * path);
  br_loop_destroy(loop);
}

static void marching(void **state)
{
  const double micro[] = {0, 4e-5, -1e-5, 2e-5, -3e-5, 5e-6}, large[] = {-2, 1.5, 0.2, 1, -1, 0.5};
  const double middle[] = {-0.2, 0.15, 0.02, 0.1, -0.1, 0.05};
  check_marching("gms", "", 6, micro, 2, 1e-8);
  check_marching("gms", "", 6, micro, 200, 1e-8);
  check_marching("lugre", "", 6, micro, 5, 1e-9);
  check_marching("lugre_elastoplastic", "", 6, micro, 5, 1e-8);
  check_marching("bliman_sorine", "", 6, micro, 1, 1e-9);
  check_marching("bouc_wen", "eta=1.7,beta=0.6,gamma=0.4,kappa=0.05", 6, large, 1, 1e-9);
  check_marching("duhem_lugre", "", 6, large, 1e-3, 1e-8);
  check_marching("dahl", "gamma=0.5", 6, middle, 1, 1e-9);
  check_marching("dahl", "gamma=1.5", 6, middle, 1, 1e-9);
  check_marching("semilinear_duhem", "", 6, middle, 1, 1e-9);
}

/* A repelling loop is found and said to repel; marching could never show it. */
static void repelling(void **state)
{
  const double u[] = {0.3, -0.3};
  element e = element_open("bouc_wen");
  element_set(&e, "beta=-0.25,gamma=1.25,eta=1");
  br_loop *loop = loop_open(&e, 2, u, 0);
  assert_true(br_loop_get(loop)->contraction > 1);
  assert_true(br_loop_get(loop)->work < 0);
  br_loop_destroy(loop);
  /* one that repetition runs away from to infinity; eta = 2 has a closed form: the amplitude Z solves
   * atanh(sqrt(1.5) Z) / sqrt(1.5) + atanh(Z) = 2, the work is ln(1 - 1.5 Z^2) / 1.5 - ln(1 - Z^2) */
  const double far[] = {1, -1}, r = sqrt(1.5);
  double lo = 0, hi = 0.8;
  for (int i = 0; i < 100; i++) {
    const double z = 0.5 * (lo + hi);
    if (atanh(r * z) / r + atanh(z) < 2) lo = z;
    else hi = z;
  }
  element_set(&e, "beta=-0.25,gamma=1.25,eta=2");
  loop = loop_open(&e, 2, far, 0);
  const double work = log(1 - 1.5 * lo * lo) / 1.5 - log(1 - lo * lo);
  const double growth = pow((1 - lo * lo) / (1 - 1.5 * lo * lo), 2);
  assert_true(fabs(br_loop_get(loop)->work - work) < 1e-10);
  assert_true(fabs(br_loop_get(loop)->contraction / growth - 1) <
              1e-3); /* power iteration with a fixed count */
  br_loop_destroy(loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouc_wen),   cmocka_unit_test(dahl),        cmocka_unit_test(maxwell),
      cmocka_unit_test(lugre_slow), cmocka_unit_test(duhem_lugre), cmocka_unit_test(gms_is_maxwell_when_slow),
      cmocka_unit_test(marching),   cmocka_unit_test(repelling),
  };
  return cmocka_run_group_tests_name("loop/period_map", tests, references_load, references_drop);
}
