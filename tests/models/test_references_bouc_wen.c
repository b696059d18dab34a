/* SPDX-License-Identifier: Apache-2.0
 * test_references_bouc_wen.c - document 3, extensions 1 to 6, against the reference numbers.
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

/* ---- document 3: Bouc-Wen ---- */

static void bouc_wen(motion *q, const char *key)
{
  double x;
  motion_init(q, "bouc_wen");
  motion_set(q, "beta", ref_in_key(key, "beta", &x) ? x : 1);
  motion_set(q, "gamma", ref_in_key(key, "gamma", &x) ? x : 0);
  motion_set(q, "eta", ref_need(key, "eta"));
  if (ref_in_key(key, "A", &x)) motion_set(q, "A", x);
  if (ref_in_key(key, "kappa", &x)) motion_set(q, "kappa", x);
  if (ref_in_key(key, "fp", &x)) motion_set(q, "fp", x);
  if (ref_in_key(key, "d0", &x)) motion_set(q, "inv_d0", 1 / x);
  motion_ready(q);
}

static int bouc_wen_rule(ref_tally *sum, const char *key, const json *e)
{
  motion q;
  double x;
  bouc_wen(&q, key);
  if (strstr(key, "/dzdu_velocity_")) {
    double zs[REF_MOST], got[REF_MOST], dz[2], v = strstr(key, "positive") ? 1 : -1;
    const size_t n = json_numbers(json_get(e, "z"), zs, REF_MOST);
    for (size_t i = 0; i < n; i++) {
      q.z[0] = zs[i];
      q.m->rate(q.par, 1, q.u, &v, q.z, dz);
      got[i] = dz[0] / v;
    }
    return ref_compare(sum, e, got, n), 1;
  }
  if (ref_ends(key, "/virgin_loading_z(u)") || ref_ends(key, "/virgin_loading_f(u)"))
    return ref_virgin(sum, e, &q, ref_ends(key, "f(u)")), 1;
  if (ref_ends(key, "/saturation_|z|")) return motion_to(&q, 60, 1), ref_compare_one(sum, e, q.z[0]), 1;
  if (!ref_in_key(key, "loop_U", &x)) return 0;
  const ref_loop *L = ref_loop_of(&q, x, 1);
  if (ref_ends(key, "/half_cycle_multiplier")) {
    const double power = pow(L->at_top[0], ref_need(key, "eta")), b = ref_need(key, "beta"),
                 g = ref_need(key, "gamma");
    /* the reference's formula at our amplitude, and our measured slope beside it */
    const double formula = (1 - (b + g) * power) / (1 - (g - b) * power);
    if (fabs(L->multiplier - formula) > 1e-6) fail_msg("%s: slope %.9g", e->key, L->multiplier);
    return ref_compare_one(sum, e, formula), 1;
  }
  return ref_loop_rule(sum, key, e, L);
}

static void test_fig1(void **state) { (void)state, ref_family("003/fig1/", bouc_wen_rule); }
static void test_ext1(void **state) { (void)state, ref_family("003/ext1/", bouc_wen_rule); }
static void test_fig2(void **state) { (void)state, ref_family("003/fig2/", bouc_wen_rule); }
static void test_ext3(void **state) { (void)state, ref_family("003/ext3/", bouc_wen_rule); }
static void test_ext5(void **state) { (void)state, ref_family("003/ext5/", bouc_wen_rule); }

/* Degradation: 0 -> U -> -U -> U ...; the state, the force and the work at each reversal. */
static int ext6_rule(ref_tally *sum, const char *key, const json *e)
{
  motion q;
  double got[REF_MOST], want[REF_MOST];
  const double U = ref_need(key, "U");
  const size_t n = json_numbers(json_get(e, "value"), want, REF_MOST);
  const int cycles = ref_ends(key, "/work_per_full_cycle");
  bouc_wen(&q, key);
  if (cycles) motion_to(&q, U, 1);
  for (size_t i = 0; i < n; i++) {
    const double end = i % 2 == 0 ? U : -U, v[2] = {end > 0 ? 1 : -1, 0};
    q.work = 0;
    if (cycles) motion_to(&q, -U, 1);
    motion_to(&q, cycles ? U : end, 1);
    if (ref_ends(key, "/z_at_reversals")) got[i] = q.z[0];
    else if (ref_ends(key, "/D_at_reversals")) got[i] = q.z[1];
    else if (ref_ends(key, "/f_at_reversals")) motion_force(&q, v, &got[i]);
    else if (cycles || ref_ends(key, "/work_per_branch")) got[i] = q.work;
    else return 0;
  }
  return ref_compare(sum, e, got, n), 1;
}
static void test_ext6(void **state) { (void)state, ref_family("003/ext6/", ext6_rule); }

/* ---- document 3, extension 4: two directions ---- */

static int ext4_rule(ref_tally *sum, const char *key, const json *e)
{
  motion q;
  double x, got[2];
  motion_init(&q, "bouc_wen_biaxial");
  motion_set(&q, "form", strstr(key, "doc_eq9") ? 1 : 0);
  if (strncmp(key, "uniaxial_any_direction", 22) == 0) {
    motion_set(&q, "eta", ref_need(key, "eta"));
    motion_ready(&q);
    motion_move(&q, cos(0.3), sin(0.3), ref_need(key, "u"));
    return ref_compare_one(sum, e, sqrt(q.z[0] * q.z[0] + q.z[1] * q.z[1])), 1;
  }
  if (strncmp(key, "Lpath_2x2/", 10) != 0) return 0;
  const double angle = strstr(key, "rotated_") ? strtod(strstr(key, "rotated_") + 8, NULL) * PI / 180 : 0;
  const double c = cos(angle), s = sin(angle);
  if (ref_in_key(key, "beta", &x)) motion_set(&q, "beta", x);
  if (ref_in_key(key, "gamma", &x)) motion_set(&q, "gamma", x);
  motion_set(&q, "eta", ref_need(key, "eta"));
  motion_ready(&q);
  motion_move(&q, c, s, 2);
  motion_move(&q, -s, c, 2);
  got[0] = c * q.z[0] + s * q.z[1];
  got[1] = c * q.z[1] - s * q.z[0];
  if (ref_ends(key, "/work")) ref_compare_one(sum, e, q.work);
  else ref_compare(sum, e, got, 2);
  return 1;
}
static void test_ext4(void **state) { (void)state, ref_family("003/ext4/", ext4_rule); }

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig1), cmocka_unit_test(test_ext1), cmocka_unit_test(test_fig2),
      cmocka_unit_test(test_ext3), cmocka_unit_test(test_ext4), cmocka_unit_test(test_circle),
      cmocka_unit_test(test_ext5), cmocka_unit_test(test_ext6),
  };
  return cmocka_run_group_tests(tests, ref_load, ref_drop);
}
