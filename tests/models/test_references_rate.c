/* SPDX-License-Identifier: Apache-2.0
 * test_references_rate.c - document 3, extension 7, and document 4, Table I, against the reference numbers.
 * Numbers, tolerances and the rule that no key is skipped: support/references.h. */
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
#include "support/references.h"

#define PI 3.14159265358979323846

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
static int sine_rule(ref_tally *sum, const char *key, const json *e, motion *q, sine s, int cycle)
{
  double phases[REF_MOST], got[REF_MOST], v[2], u[2];
  const double T = 2 * PI / s.w;
  size_t n = json_numbers(json_get(e, "phase"), phases, REF_MOST);
  if (n == 0) { /* one number: where in the cycle it is taken */
    n = 1;
    phases[0] = ref_ends(key, "/F_at_u=+U")                                               ? 0.25
                : ref_ends(key, "/F_at_u=0_rising") || ref_ends(key, "/energy_per_cycle") ? 1
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
  if (ref_ends(key, "/energy_per_cycle")) ref_compare_one(sum, e, q->work);
  else ref_compare(sum, e, got, n);
  return 1;
}

/* ---- document 3, extension 7 ---- */

static int ext7_rule(ref_tally *sum, const char *key, const json *e)
{
  motion q;
  double x, got[REF_MOST];
  if (strncmp(key, "Dahl_", 5) == 0) {
    motion_init(&q, "dahl");
    motion_set(&q, "sigma0", 1);
    motion_set(&q, "Fc", 1);
    motion_set(&q, "gamma", ref_need(key, "eta"));
    motion_ready(&q);
    return ref_loop_rule(sum, key, e, ref_loop_of(&q, ref_need(key, "loop_U"), 1));
  }
  motion_init(&q, "duhem_lugre");
  motion_set(&q, "g0", ref_need(key, "g0"));
  motion_set(&q, "eta", ref_need(key, "eta"));
  if (ref_in_key(key, "beta", &x)) motion_set(&q, "beta", x);
  if (ref_in_key(key, "gamma", &x)) motion_set(&q, "gamma", x);
  if (ref_in_key(key, "Ts", &x)) motion_set(&q, "Ts", x);
  motion_ready(&q);
  if (ref_ends(key, "/steady_sliding_f(v)")) {
    double vs[REF_MOST];
    const size_t n = json_numbers(json_get(e, "v"), vs, REF_MOST);
    for (size_t i = 0; i < n; i++) { /* v = 0 stands for the limit of slow sliding */
      const double speed = vs[i] > 0 ? vs[i] : 1e-9, v[2] = {speed, 0};
      motion_ready(&q);
      motion_to(&q, 60, speed);
      motion_force(&q, v, &got[i]);
    }
    return ref_compare(sum, e, got, n), 1;
  }
  if (strstr(key, "/triangle_")) {
    const double U = ref_need(key, "triangle_U"), speed = ref_need(key, "V"), forward[2] = {speed, 0},
                 back[2] = {-speed, 0};
    const ref_loop *L = ref_loop_of(&q, U, speed);
    motion top = L->bottom;
    motion_to(&top, U, speed);
    if (ref_ends(key, "/f_at_u=+U_before_reversal")) motion_force(&top, forward, got);
    else if (ref_ends(key, "/f_at_u=+U_after_reversal")) motion_force(&top, back, got);
    else if (ref_ends(key, "/energy_per_cycle")) got[0] = L->energy;
    else return 0;
    return ref_compare(sum, e, got, 1), 1;
  }
  if (strstr(key, "/sine_"))
    return sine_rule(sum, key, e, &q, (sine){ref_need(key, "sine_U"), ref_need(key, "w")}, 2);
  return 0;
}
static void test_ext7(void **state) { (void)state, ref_family("003/ext7/", ext7_rule); }

/* ---- document 4, Table I ---- */

/* Force at the phases of U sin(2 pi phase) on the periodic loop of a rate-independent element. */
static void loop_phases(ref_tally *sum, const json *e, const motion *start, double U)
{
  double phases[REF_MOST], got[REF_MOST];
  const size_t n = json_numbers(json_get(e, "phase"), phases, REF_MOST);
  motion q = ref_loop_of(start, U, 1)->bottom;
  for (size_t i = 0; i < n; i++) {
    double v[2] = {1, 0};
    for (int corner = 1; corner <= 3; corner += 2)
      if (phases[i] >= 0.25 * corner && (i == 0 || phases[i - 1] < 0.25 * corner))
        motion_to(&q, corner == 1 ? U : -U, 1);
    motion_to(&q, U * sin(2 * PI * phases[i]), 1);
    motion_force(&q, v, &got[i]);
  }
  ref_compare(sum, e, got, n);
}

/* "max_difference ... between w=": the same loop at speeds 0.1, 1, 10 gives the same force. */
static void rate_difference(const char *key)
{
  const int dahl = strncmp(key, "Dahl_", 5) == 0;
  double F[3][2], v[2] = {0, 0};
  for (int i = 0; i < 3; i++) {
    motion q;
    motion_init(&q, dahl ? "dahl" : "maxwell_slip");
    if (dahl) motion_set(&q, "gamma", ref_need(key, "gamma"));
    motion_ready(&q);
    v[0] = pow(10, i - 1);
    motion_to(&q, ref_need(key, "U"), v[0]);
    motion_to(&q, -ref_need(key, "U"), v[0]);
    motion_force(&q, v, &F[i][0]);
    motion_to(&q, 0.3 * ref_need(key, "U"), v[0]);
    motion_force(&q, v, &F[i][1]);
    for (int k = 0; k < 2; k++)
      if (!(fabs(F[i][k] - F[0][k]) < 1e-14)) fail_msg("%s: %.17g and %.17g", key, F[i][k], F[0][k]);
  }
}

static int table_rule(ref_tally *sum, const char *key, const json *e)
{
  motion q;
  double x;
  if (strstr(key, "max_difference")) return rate_difference(key), sum->entries++, 1;
  if (strncmp(key, "Dahl_", 5) == 0) {
    motion_init(&q, "dahl");
    motion_set(&q, "gamma", ref_need(key, "gamma"));
    motion_set(&q, "sigma0", ref_need(key, "sigma"));
    motion_set(&q, "Fc", ref_need(key, "Fc"));
    motion_ready(&q);
    if (ref_ends(key, "/F_at_phases")) return loop_phases(sum, e, &q, ref_need(key, "U")), 1;
    return ref_loop_rule(sum, key, e, ref_loop_of(&q, ref_need(key, "U"), 1));
  }
  if (strncmp(key, "Maxwell_", 8) == 0) {
    motion_init(&q, "maxwell_slip");
    if (ref_ends(key, "sum_k_Delta") || ref_ends(key, "sum_k")) {
      const double far = ref_ends(key, "sum_k") ? 1e-6 : 1, v[2] = {1, 0};
      double F;
      motion_to(&q, far, 1); /* all springs stretched by 1e-6, or all slipping */
      motion_force(&q, v, &F);
      return ref_compare_one(sum, e, ref_ends(key, "sum_k") ? F / far : F), 1;
    }
    const double U = ref_need(key, "U"), speed = 1;
    q.max_part = 1.0 / 8000; /* the work of a force with corners converges like the square of the step */
    motion bottom = q, z;
    double v[2] = {1, 0}, F;
    motion_to(&bottom, U, speed); /* one cycle of stop operators is periodic already */
    motion_to(&bottom, -U, speed);
    z = bottom, z.work = 0;
    if (ref_ends(key, "/energy_per_cycle"))
      return motion_to(&z, U, 1), motion_to(&z, -U, 1), ref_compare_one(sum, e, z.work), 1;
    if (ref_ends(key, "/F_at_phases")) {
      double phases[REF_MOST], got[REF_MOST];
      const size_t n = json_numbers(json_get(e, "phase"), phases, REF_MOST);
      for (size_t i = 0; i < n; i++) {
        for (int corner = 1; corner <= 3; corner += 2)
          if (phases[i] >= 0.25 * corner && (i == 0 || phases[i - 1] < 0.25 * corner))
            motion_to(&z, corner == 1 ? U : -U, 1);
        motion_to(&z, U * sin(2 * PI * phases[i]), 1);
        motion_force(&z, v, &got[i]);
      }
      return ref_compare(sum, e, got, n), 1;
    }
    motion_to(&z, ref_ends(key, "/F_at_u=+U") ? U : 0, 1);
    motion_force(&z, v, &F);
    return ref_compare_one(sum, e, F), 1;
  }
  motion_init(&q, "lugre");
  if (strstr(key, "/w->0/")) { /* so slow that damping and the Stribeck drop vanish */
    q.max_part = 1.0 / 2000;
    return ref_loop_rule(sum, key, e, ref_loop_of(&q, ref_need(key, "LuGre_U"), 1e-16));
  }
  if (strstr(key, "rate_dependence_energy_ratio")) {
    double energy[2];
    for (int i = 0; i < 2; i++) {
      const sine s = {ref_need(key, "LuGre_U"), i == 0 ? 10 : 0.1};
      const double T = 2 * PI / s.w;
      motion_ready(&q);
      drive_sine(&q, &s, 0, 3 * T);
      q.work = 0;
      drive_sine(&q, &s, 3 * T, 4 * T);
      energy[i] = q.work;
    }
    return ref_compare_one(sum, e, energy[0] / energy[1]), 1;
  }
  if (!ref_in_key(key, "w", &x)) return 0;
  return sine_rule(sum, key, e, &q, (sine){ref_need(key, "LuGre_U"), x}, 3);
}
static void test_table(void **state) { (void)state, ref_family("004/tableI/", table_rule); }

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ext7),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, ref_load, ref_drop);
}
