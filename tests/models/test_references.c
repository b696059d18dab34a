/* SPDX-License-Identifier: Apache-2.0
 * test_references.c - the models against independent reference numbers (shared folder, reference/loops.json).
 * Every key of the families below is read, its parameters are taken from the key itself, the element is moved
 * accordingly and the result compared to max(1e-9 of the size, 100 times the reference's own error).  A key
 * of a
 * family that no rule understands fails the test: nothing is skipped silently. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/json.h"
#include "support/motion.h"
#include "support/paths.h"

#define PI 3.14159265358979323846
#define MOST 64

static json *file;

static int load_references(void **state)
{
  char path[1024];
  long where;
  (void)state;
  if (!support_shared("reference/loops.json", path, sizeof path)) return 0;
  file = json_load(path, &where);
  if (!file) printf("%s: bad JSON at byte %ld\n", path, where);
  return file ? 0 : -1;
}

static int drop_references(void **state)
{
  (void)state;
  json_free(file);
  return 0;
}

/* ---- keys and comparison ---- */

/* The number behind "name=" in a key; name must follow '/' or '_' or start the key (so "eta" is not
 * "beta"). */
static int in_key(const char *key, const char *name, double *x)
{
  const size_t len = strlen(name);
  for (const char *p = strstr(key, name); p; p = strstr(p + 1, name))
    if (p[len] == '=' && (p == key || p[-1] == '/' || p[-1] == '_')) return *x = strtod(p + len + 1, NULL), 1;
  return 0;
}

static double need(const char *key, const char *name)
{
  double x = 0;
  if (!in_key(key, name, &x)) fail_msg("%s: no %s in the key", key, name);
  return x;
}

static int ends(const char *key, const char *tail)
{
  const size_t k = strlen(key), t = strlen(tail);
  return k >= t && strcmp(key + k - t, tail) == 0;
}

typedef struct {
  size_t entries;
  double worst; /* largest error over its tolerance */
  char worst_key[160];
} tally;

static void compare(tally *sum, const json *entry, const double *got, size_t n)
{
  double want[MOST], size = 0, worst = 0;
  const size_t count = json_numbers(json_get(entry, "value"), want, MOST);
  if (count != n) fail_msg("%s: %zu numbers, the test has %zu", entry->key, count, n);
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(want[i]));
  const double err = json_number(json_get(entry, "err")), tol = fmax(1e-9 * size, 100 * err);
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(got[i] - want[i]) <= tol))
      fail_msg("%s [%zu]: %.17g, reference %.17g, tolerance %.3g", entry->key, i, got[i], want[i], tol);
    worst = fmax(worst, fabs(got[i] - want[i]) / tol);
  }
  sum->entries++;
  if (worst > sum->worst)
    sum->worst = worst, snprintf(sum->worst_key, sizeof sum->worst_key, "%s", entry->key);
}

static void compare_one(tally *sum, const json *entry, double got) { compare(sum, entry, &got, 1); }

/* Run `rule` over all entries whose key starts with prefix; rule returns 0 for a key it does not know. */
static void family(const char *prefix, int (*rule)(tally *, const char *, const json *))
{
  tally sum = {0, 0, ""};
  if (!file) skip();
  for (const json *e = json_get(file, "entries")->child; e; e = e->next)
    if (strncmp(e->key, prefix, strlen(prefix)) == 0 && !rule(&sum, e->key + strlen(prefix), e))
      fail_msg("no rule for %s", e->key);
  assert_true(sum.entries > 0);
  printf("%s: %zu entries, worst error %.2g of the tolerance (%s)\n", prefix, sum.entries, sum.worst,
         sum.worst_key);
}

/* ---- the periodic loop of a rate-independent element between -U and U ---- */

typedef struct {
  double at_top[2];  /* state and force at u = +U */
  double at_zero[2]; /* the same at u = 0, rising */
  double zero_at;    /* u where the first state is zero, rising */
  double energy;     /* per cycle */
  double multiplier; /* of a half cycle */
  motion bottom;     /* at u = -U, rising */
} loop;

/* From z at +U down to -U: the state there plus z.  Odd symmetry makes a zero of this a periodic loop. */
static double half_cycle(motion *q, double U, double speed, double z)
{
  q->u[0] = U;
  q->z[0] = z;
  motion_to(q, -U, speed);
  return q->z[0] + z;
}

static loop find_loop(const motion *start, double U, double speed)
{
  loop L;
  motion q = *start, top = *start;
  motion_to(&top, U, speed); /* virgin loading is near the loop */
  double a = 0.95 * top.z[0], b = top.z[0], fa, fb, v[2] = {-speed, 0};
  q = *start, fa = half_cycle(&q, U, speed, a);
  q = *start, fb = half_cycle(&q, U, speed, b);
  for (int i = 0; i < 40 && fabs(fb) > 1e-15 * fabs(b) && a != b && fa != fb; i++) { /* secant */
    const double c = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = c;
    q = *start, fb = half_cycle(&q, U, speed, b);
  }
  assert_true(fabs(fb) <= 1e-11 * fabs(b));
  q = *start, fa = half_cycle(&q, U, speed, b * (1 - 1e-4)); /* its slope by a central difference */
  q = *start, fb = half_cycle(&q, U, speed, b * (1 + 1e-4));
  L.multiplier = (fb - fa) / (2e-4 * b) - 1;
  q = *start;
  q.u[0] = U, q.z[0] = b;
  L.at_top[0] = b;
  q.work = 0;
  motion_force(&q, v, &L.at_top[1]);
  motion_to(&q, -U, speed);
  L.bottom = q;
  motion_to(&q, 0, speed);
  v[0] = speed;
  L.at_zero[0] = q.z[0];
  motion_force(&q, v, &L.at_zero[1]);
  motion_to(&q, U, speed);
  L.energy = q.work;
  /* where z = 0: secant over the position of a stop on the rising branch */
  double ua = -0.5 * U, ub = -0.45 * U, za, zb;
  q = L.bottom, motion_to(&q, ua, speed), za = q.z[0];
  q = L.bottom, motion_to(&q, ub, speed), zb = q.z[0];
  for (int i = 0; i < 30 && fabs(zb) > 1e-15 && za != zb; i++) {
    const double uc = fmin(fmax(ub - zb * (ub - ua) / (zb - za), -U), U);
    ua = ub, za = zb, ub = uc;
    q = L.bottom, motion_to(&q, ub, speed), zb = q.z[0];
  }
  L.zero_at = ub;
  return L;
}

static int loop_rule(tally *sum, const char *key, const json *e, const loop *L)
{
  if (ends(key, "/z_at_u=+U") || ends(key, "/z_at_u=+U_unstable_periodic")) compare_one(sum, e, L->at_top[0]);
  else if (ends(key, "/energy_per_cycle")) compare_one(sum, e, L->energy);
  else if (ends(key, "/u_where_z=0_rising")) compare_one(sum, e, L->zero_at);
  else if (ends(key, "/z_at_u=0_rising")) compare_one(sum, e, L->at_zero[0]);
  else if (ends(key, "/F_at_u=+U") || ends(key, "/f_at_u=+U")) compare_one(sum, e, L->at_top[1]);
  else if (ends(key, "/F_at_u=0_rising") || ends(key, "/f_at_u=0_rising")) compare_one(sum, e, L->at_zero[1]);
  else return 0;
  return 1;
}

/* The loop of the last key is kept: neighbouring keys ask for the same one. */
static const loop *cached_loop(const motion *q, double U, double speed)
{
  static motion last;
  static double last_U, last_speed;
  static loop L;
  if (last.m != q->m || memcmp(last.par, q->par, sizeof q->par) != 0 || U != last_U || speed != last_speed)
    L = find_loop(q, U, speed), last = *q, last_U = U, last_speed = speed;
  return &L;
}

/* State (or force) at the positions listed beside the value, from rest at 0. */
static void virgin(tally *sum, const json *e, motion *q, int want_force)
{
  double us[MOST], got[MOST];
  const double v[2] = {1, 0};
  const size_t n = json_numbers(json_get(e, "u"), us, MOST);
  for (size_t i = 0; i < n; i++) {
    motion_to(q, us[i], 1);
    got[i] = q->z[0];
    if (want_force) motion_force(q, v, &got[i]);
  }
  compare(sum, e, got, n);
}

/* ---- document 3: Bouc-Wen ---- */

static void bouc_wen(motion *q, const char *key)
{
  double x;
  motion_init(q, "bouc_wen");
  motion_set(q, "beta", in_key(key, "beta", &x) ? x : 1);
  motion_set(q, "gamma", in_key(key, "gamma", &x) ? x : 0);
  motion_set(q, "eta", need(key, "eta"));
  if (in_key(key, "A", &x)) motion_set(q, "A", x);
  if (in_key(key, "kappa", &x)) motion_set(q, "kappa", x);
  if (in_key(key, "fp", &x)) motion_set(q, "fp", x);
  if (in_key(key, "d0", &x)) motion_set(q, "inv_d0", 1 / x);
  motion_ready(q);
}

static int bouc_wen_rule(tally *sum, const char *key, const json *e)
{
  motion q;
  double x;
  bouc_wen(&q, key);
  if (strstr(key, "/dzdu_velocity_")) {
    double zs[MOST], got[MOST], dz[2], v = strstr(key, "positive") ? 1 : -1;
    const size_t n = json_numbers(json_get(e, "z"), zs, MOST);
    for (size_t i = 0; i < n; i++) {
      q.z[0] = zs[i];
      q.m->rate(q.par, 1, q.u, &v, q.z, dz);
      got[i] = dz[0] / v;
    }
    return compare(sum, e, got, n), 1;
  }
  if (ends(key, "/virgin_loading_z(u)") || ends(key, "/virgin_loading_f(u)"))
    return virgin(sum, e, &q, ends(key, "f(u)")), 1;
  if (ends(key, "/saturation_|z|")) return motion_to(&q, 60, 1), compare_one(sum, e, q.z[0]), 1;
  if (!in_key(key, "loop_U", &x)) return 0;
  const loop *L = cached_loop(&q, x, 1);
  if (ends(key, "/half_cycle_multiplier")) {
    const double power = pow(L->at_top[0], need(key, "eta")), b = need(key, "beta"), g = need(key, "gamma");
    /* the reference's formula at our amplitude, and our measured slope beside it */
    const double formula = (1 - (b + g) * power) / (1 - (g - b) * power);
    if (fabs(L->multiplier - formula) > 1e-6) fail_msg("%s: slope %.9g", e->key, L->multiplier);
    return compare_one(sum, e, formula), 1;
  }
  return loop_rule(sum, key, e, L);
}

static void test_fig1(void **state) { (void)state, family("003/fig1/", bouc_wen_rule); }
static void test_ext1(void **state) { (void)state, family("003/ext1/", bouc_wen_rule); }
static void test_fig2(void **state) { (void)state, family("003/fig2/", bouc_wen_rule); }
static void test_ext3(void **state) { (void)state, family("003/ext3/", bouc_wen_rule); }
static void test_ext5(void **state) { (void)state, family("003/ext5/", bouc_wen_rule); }

/* Degradation: 0 -> U -> -U -> U ...; the state, the force and the work at each reversal. */
static int ext6_rule(tally *sum, const char *key, const json *e)
{
  motion q;
  double got[MOST], want[MOST];
  const double U = need(key, "U");
  const size_t n = json_numbers(json_get(e, "value"), want, MOST);
  const int cycles = ends(key, "/work_per_full_cycle");
  bouc_wen(&q, key);
  if (cycles) motion_to(&q, U, 1);
  for (size_t i = 0; i < n; i++) {
    const double end = i % 2 == 0 ? U : -U, v[2] = {end > 0 ? 1 : -1, 0};
    q.work = 0;
    if (cycles) motion_to(&q, -U, 1);
    motion_to(&q, cycles ? U : end, 1);
    if (ends(key, "/z_at_reversals")) got[i] = q.z[0];
    else if (ends(key, "/D_at_reversals")) got[i] = q.z[1];
    else if (ends(key, "/f_at_reversals")) motion_force(&q, v, &got[i]);
    else if (cycles || ends(key, "/work_per_branch")) got[i] = q.work;
    else return 0;
  }
  return compare(sum, e, got, n), 1;
}
static void test_ext6(void **state) { (void)state, family("003/ext6/", ext6_rule); }

/* ---- document 3, extension 4: two directions ---- */

static int ext4_rule(tally *sum, const char *key, const json *e)
{
  motion q;
  double x, got[2];
  motion_init(&q, "bouc_wen_biaxial");
  motion_set(&q, "form", strstr(key, "doc_eq9") ? 1 : 0);
  if (strncmp(key, "uniaxial_any_direction", 22) == 0) {
    motion_set(&q, "eta", need(key, "eta"));
    motion_ready(&q);
    motion_move(&q, cos(0.3), sin(0.3), need(key, "u"));
    return compare_one(sum, e, sqrt(q.z[0] * q.z[0] + q.z[1] * q.z[1])), 1;
  }
  if (strncmp(key, "Lpath_2x2/", 10) != 0) return 0;
  const double angle = strstr(key, "rotated_") ? strtod(strstr(key, "rotated_") + 8, NULL) * PI / 180 : 0;
  const double c = cos(angle), s = sin(angle);
  if (in_key(key, "beta", &x)) motion_set(&q, "beta", x);
  if (in_key(key, "gamma", &x)) motion_set(&q, "gamma", x);
  motion_set(&q, "eta", need(key, "eta"));
  motion_ready(&q);
  motion_move(&q, c, s, 2);
  motion_move(&q, -s, c, 2);
  got[0] = c * q.z[0] + s * q.z[1];
  got[1] = c * q.z[1] - s * q.z[0];
  if (ends(key, "/work")) compare_one(sum, e, q.work);
  else compare(sum, e, got, 2);
  return 1;
}
static void test_ext4(void **state) { (void)state, family("003/ext4/", ext4_rule); }

static void circle(const void *ctx, double t, double *u, double *v)
{
  const double R = *(const double *)ctx;
  u[0] = R * cos(t), u[1] = R * sin(t);
  v[0] = -R * sin(t), v[1] = R * cos(t);
}

/* On a circle of radius R > 1 the isotropic form settles at |z| = 1 and takes 2 pi sqrt(R^2 - 1) per turn. */
static void test_circle(void **state)
{
  (void)state;
  for (double eta = 0.5; eta <= 4; eta *= 2)
    for (double R = 1.5; R <= 3; R += 0.5) {
      motion q;
      motion_init(&q, "bouc_wen_biaxial");
      motion_set(&q, "eta", eta);
      motion_set(&q, "beta", 0.7);
      motion_set(&q, "gamma", 0.3);
      motion_ready(&q);
      motion_drive(&q, circle, &R, 0, 12 * PI);
      q.work = 0;
      motion_drive(&q, circle, &R, 0, 2 * PI);
      assert_true(fabs(sqrt(q.z[0] * q.z[0] + q.z[1] * q.z[1]) - 1) < 1e-9);
      assert_true(fabs(q.work - 2 * PI * sqrt(R * R - 1)) < 1e-8);
    }
}

/* ---- sinusoids ---- */

typedef struct {
  double U, w;
} sine;
static void sine_path(const void *ctx, double t, double *u, double *v)
{
  const sine *s = (const sine *)ctx;
  u[0] = s->U * sin(s->w * t), u[1] = 0;
  v[0] = s->U * s->w * cos(s->w * t), v[1] = 0;
}

/* Drive from t to end, stopping at reversals (odd quarters) and ever closer on both sides of them: a Stribeck
 * velocity far below the peak speed is passed in a tiny part of the period, which a step could jump over. */
static void drive_sine(motion *q, const sine *s, double t, double end)
{
  const double quarter = PI / 2 / s->w;
  for (double k = floor(t / quarter); k * quarter < end; k++) {
    const int from_reversal = fmod(k, 2) == 1;
    for (int i = 1; i <= 12; i++) { /* parts 1/2, 1/4, ... next to the reversal */
      const double part = from_reversal ? (i < 12 ? ldexp(1, i - 12) : 1) : (i < 12 ? 1 - ldexp(1, -i) : 1);
      const double at = fmin((k + part) * quarter, end);
      if (t < at) motion_drive(q, sine_path, s, t, at), t = at;
    }
  }
}

/* Cycle number `cycle` (from 0) of U sin(w t): force at the phases listed, energy, force at +U and at 0. */
static int sine_rule(tally *sum, const char *key, const json *e, motion *q, sine s, int cycle)
{
  double phases[MOST], got[MOST], v[2], u[2];
  const double T = 2 * PI / s.w;
  size_t n = json_numbers(json_get(e, "phase"), phases, MOST);
  if (n == 0) { /* one number: where in the cycle it is taken */
    n = 1;
    phases[0] = ends(key, "/F_at_u=+U")                                           ? 0.25
                : ends(key, "/F_at_u=0_rising") || ends(key, "/energy_per_cycle") ? 1
                                                                                  : -1;
    if (phases[0] < 0) return 0;
  }
  drive_sine(q, &s, 0, cycle * T);
  double t = cycle * T;
  q->work = 0;
  for (size_t i = 0; i < n; i++) {
    const double end = (cycle + phases[i]) * T;
    drive_sine(q, &s, t, end);
    t = end;
    sine_path(&s, t, u, v);
    motion_force(q, v, &got[i]);
  }
  if (ends(key, "/energy_per_cycle")) compare_one(sum, e, q->work);
  else compare(sum, e, got, n);
  return 1;
}

/* ---- document 3, extension 7 ---- */

static int ext7_rule(tally *sum, const char *key, const json *e)
{
  motion q;
  double x, got[MOST];
  if (strncmp(key, "Dahl_", 5) == 0) {
    motion_init(&q, "dahl");
    motion_set(&q, "sigma0", 1);
    motion_set(&q, "Fc", 1);
    motion_set(&q, "gamma", need(key, "eta"));
    motion_ready(&q);
    return loop_rule(sum, key, e, cached_loop(&q, need(key, "loop_U"), 1));
  }
  motion_init(&q, "duhem_lugre");
  motion_set(&q, "g0", need(key, "g0"));
  motion_set(&q, "eta", need(key, "eta"));
  if (in_key(key, "beta", &x)) motion_set(&q, "beta", x);
  if (in_key(key, "gamma", &x)) motion_set(&q, "gamma", x);
  if (in_key(key, "Ts", &x)) motion_set(&q, "Ts", x);
  motion_ready(&q);
  if (ends(key, "/steady_sliding_f(v)")) {
    double vs[MOST];
    const size_t n = json_numbers(json_get(e, "v"), vs, MOST);
    for (size_t i = 0; i < n; i++) { /* v = 0 stands for the limit of slow sliding */
      const double speed = vs[i] > 0 ? vs[i] : 1e-9, v[2] = {speed, 0};
      motion_ready(&q);
      motion_to(&q, 60, speed);
      motion_force(&q, v, &got[i]);
    }
    return compare(sum, e, got, n), 1;
  }
  if (strstr(key, "/triangle_")) {
    const double U = need(key, "triangle_U"), speed = need(key, "V"), forward[2] = {speed, 0},
                 back[2] = {-speed, 0};
    const loop *L = cached_loop(&q, U, speed);
    motion top = L->bottom;
    motion_to(&top, U, speed);
    if (ends(key, "/f_at_u=+U_before_reversal")) motion_force(&top, forward, got);
    else if (ends(key, "/f_at_u=+U_after_reversal")) motion_force(&top, back, got);
    else if (ends(key, "/energy_per_cycle")) got[0] = L->energy;
    else return 0;
    return compare(sum, e, got, 1), 1;
  }
  if (strstr(key, "/sine_"))
    return sine_rule(sum, key, e, &q, (sine){need(key, "sine_U"), need(key, "w")}, 2);
  return 0;
}
static void test_ext7(void **state) { (void)state, family("003/ext7/", ext7_rule); }

/* ---- document 4, Table I ---- */

/* Force at the phases of U sin(2 pi phase) on the periodic loop of a rate-independent element. */
static void loop_phases(tally *sum, const json *e, const motion *start, double U)
{
  double phases[MOST], got[MOST];
  const size_t n = json_numbers(json_get(e, "phase"), phases, MOST);
  motion q = cached_loop(start, U, 1)->bottom;
  for (size_t i = 0; i < n; i++) {
    double v[2] = {1, 0};
    for (int corner = 1; corner <= 3; corner += 2)
      if (phases[i] >= 0.25 * corner && (i == 0 || phases[i - 1] < 0.25 * corner))
        motion_to(&q, corner == 1 ? U : -U, 1);
    motion_to(&q, U * sin(2 * PI * phases[i]), 1);
    motion_force(&q, v, &got[i]);
  }
  compare(sum, e, got, n);
}

/* "max_difference ... between w=": the same loop at speeds 0.1, 1, 10 gives the same force. */
static void rate_difference(const char *key)
{
  const int dahl = strncmp(key, "Dahl_", 5) == 0;
  double F[3][2], v[2] = {0, 0};
  for (int i = 0; i < 3; i++) {
    motion q;
    motion_init(&q, dahl ? "dahl" : "maxwell_slip");
    if (dahl) motion_set(&q, "gamma", need(key, "gamma"));
    motion_ready(&q);
    v[0] = pow(10, i - 1);
    motion_to(&q, need(key, "U"), v[0]);
    motion_to(&q, -need(key, "U"), v[0]);
    motion_force(&q, v, &F[i][0]);
    motion_to(&q, 0.3 * need(key, "U"), v[0]);
    motion_force(&q, v, &F[i][1]);
    for (int k = 0; k < 2; k++)
      if (!(fabs(F[i][k] - F[0][k]) < 1e-14)) fail_msg("%s: %.17g and %.17g", key, F[i][k], F[0][k]);
  }
}

static int table_rule(tally *sum, const char *key, const json *e)
{
  motion q;
  double x;
  if (strstr(key, "max_difference")) return rate_difference(key), sum->entries++, 1;
  if (strncmp(key, "Dahl_", 5) == 0) {
    motion_init(&q, "dahl");
    motion_set(&q, "gamma", need(key, "gamma"));
    motion_set(&q, "sigma0", need(key, "sigma"));
    motion_set(&q, "Fc", need(key, "Fc"));
    motion_ready(&q);
    if (ends(key, "/F_at_phases")) return loop_phases(sum, e, &q, need(key, "U")), 1;
    return loop_rule(sum, key, e, cached_loop(&q, need(key, "U"), 1));
  }
  if (strncmp(key, "Maxwell_", 8) == 0) {
    motion_init(&q, "maxwell_slip");
    if (ends(key, "sum_k_Delta") || ends(key, "sum_k")) {
      const double far = ends(key, "sum_k") ? 1e-6 : 1, v[2] = {1, 0};
      double F;
      motion_to(&q, far, 1); /* all springs stretched by 1e-6, or all slipping */
      motion_force(&q, v, &F);
      return compare_one(sum, e, ends(key, "sum_k") ? F / far : F), 1;
    }
    const double U = need(key, "U"), speed = 1;
    q.max_part = 1.0 / 8000; /* the work of a force with corners converges like the square of the step */
    motion bottom = q, z;
    double v[2] = {1, 0}, F;
    motion_to(&bottom, U, speed); /* one cycle of stop operators is periodic already */
    motion_to(&bottom, -U, speed);
    z = bottom, z.work = 0;
    if (ends(key, "/energy_per_cycle"))
      return motion_to(&z, U, 1), motion_to(&z, -U, 1), compare_one(sum, e, z.work), 1;
    if (ends(key, "/F_at_phases")) {
      double phases[MOST], got[MOST];
      const size_t n = json_numbers(json_get(e, "phase"), phases, MOST);
      for (size_t i = 0; i < n; i++) {
        for (int corner = 1; corner <= 3; corner += 2)
          if (phases[i] >= 0.25 * corner && (i == 0 || phases[i - 1] < 0.25 * corner))
            motion_to(&z, corner == 1 ? U : -U, 1);
        motion_to(&z, U * sin(2 * PI * phases[i]), 1);
        motion_force(&z, v, &got[i]);
      }
      return compare(sum, e, got, n), 1;
    }
    motion_to(&z, ends(key, "/F_at_u=+U") ? U : 0, 1);
    motion_force(&z, v, &F);
    return compare_one(sum, e, F), 1;
  }
  motion_init(&q, "lugre");
  if (strstr(key, "/w->0/")) { /* so slow that damping and the Stribeck drop vanish */
    q.max_part = 1.0 / 2000;
    return loop_rule(sum, key, e, cached_loop(&q, need(key, "LuGre_U"), 1e-16));
  }
  if (strstr(key, "rate_dependence_energy_ratio")) {
    double energy[2];
    for (int i = 0; i < 2; i++) {
      const sine s = {need(key, "LuGre_U"), i == 0 ? 10 : 0.1};
      const double T = 2 * PI / s.w;
      motion_ready(&q);
      drive_sine(&q, &s, 0, 3 * T);
      q.work = 0;
      drive_sine(&q, &s, 3 * T, 4 * T);
      energy[i] = q.work;
    }
    return compare_one(sum, e, energy[0] / energy[1]), 1;
  }
  if (!in_key(key, "w", &x)) return 0;
  return sine_rule(sum, key, e, &q, (sine){need(key, "LuGre_U"), x}, 3);
}
static void test_table(void **state) { (void)state, family("004/tableI/", table_rule); }

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig1),  cmocka_unit_test(test_ext1), cmocka_unit_test(test_fig2),
      cmocka_unit_test(test_ext3),  cmocka_unit_test(test_ext4), cmocka_unit_test(test_circle),
      cmocka_unit_test(test_ext5),  cmocka_unit_test(test_ext6), cmocka_unit_test(test_ext7),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, load_references, drop_references);
}
