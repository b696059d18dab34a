/* SPDX-License-Identifier: Apache-2.0
 * test_batch.c - the batch code gives the bits of the scalar functions: every model, f64 and f32, every
 * instruction set of this machine, parameters per lane and shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/batch.h"
#include "core/stamp.h"
#include "support/sample.h"

#define LANES 131 /* two blocks and a rest */
#define STEPS 60

#if __has_include("models/batch.c")
#define PRECISION BR_F64
#define BATCH_RUN br_batch_run_f64
#define SFX_TEXT "_f64"
#define BR_REAL double
#define BR_SFX _f64
#include "batch_case.inc"
#undef PRECISION
#undef BATCH_RUN
#undef SFX_TEXT
#undef BR_REAL
#undef BR_SFX
#define PRECISION BR_F32
#define BATCH_RUN br_batch_run_f32
#define SFX_TEXT "_f32"
#define BR_REAL float
#define BR_SFX _f32
#include "batch_case.inc"

static void on_set(const char *set)
{
  size_t count;
  (void)br_models(&count);
  const br_status st = br_isa_limit(set);
  if (st == BR_E_UNSUPPORTED) {
    printf("skip: %s is not in this processor or build\n", set);
    skip();
  }
  assert_int_equal(st, BR_OK);
  assert_string_equal(br_isa_name(), set);
  for (size_t i = 0; i < count; i++)
    for (int shared = 0; shared < 2; shared++) brn_agree_f64(i, shared, set), brn_agree_f32(i, shared, set);
  assert_int_equal(br_isa_limit(NULL), BR_OK);
}
static void test_base(void **state) { (void)state, on_set("base"); }
static void test_avx2(void **state) { (void)state, on_set("avx2"); }
static void test_avx512(void **state) { (void)state, on_set("avx512"); }
static void test_names(void **state) { (void)state, assert_int_equal(br_isa_limit("mmx"), BR_E_NAME); }
#else
static void missing(void)
{
  printf("skip: this source tree has no models/batch.c\n");
  skip();
}
static void test_base(void **state) { (void)state, missing(); }
static void test_avx2(void **state) { (void)state, missing(); }
static void test_avx512(void **state) { (void)state, missing(); }
static void test_names(void **state) { (void)state, missing(); }
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_base), cmocka_unit_test(test_avx2),
                                     cmocka_unit_test(test_avx512), cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
