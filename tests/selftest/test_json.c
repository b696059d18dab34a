/* SPDX-License-Identifier: Apache-2.0
 * test_json.c - the JSON reader of the tests reads what it should and refuses the rest. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/json.h"

static void test_reads(void **state)
{
  double x[4];
  json *j = json_parse(
      " {\"a\": [1, -2.5e-3, 0.25], \"b\": {\"c\": null, \"d\": true, \"e\": false},"
      " \"s\": \"q\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20ac\\ud83d\\ude00\", \"empty\": [], \"o\": {}} ",
      NULL);
  (void)state;
  assert_non_null(j);
  assert_int_equal(j->count, 5);
  assert_int_equal(json_numbers(json_get(j, "a"), x, 2), 3); /* counts all, stores two */
  assert_true(x[0] == 1 && x[1] == -2.5e-3);
  assert_true(json_number(json_at(json_get(j, "a"), 2)) == 0.25);
  assert_null(json_at(json_get(j, "a"), 3));
  assert_int_equal(json_get(json_get(j, "b"), "c")->type, JSON_NULL);
  assert_int_equal(json_get(json_get(j, "b"), "d")->type, JSON_TRUE);
  assert_int_equal(json_get(json_get(j, "b"), "e")->type, JSON_FALSE);
  assert_string_equal(json_get(j, "s")->string, "q\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  assert_int_equal(json_get(j, "empty")->count + json_get(j, "o")->count, 0);
  assert_null(json_get(j, "none"));
  assert_null(json_get(json_get(j, "a"), "a"));
  assert_null(json_at(j, 0));
  assert_true(isnan(json_number(json_get(j, "s"))) && isnan(json_number(NULL)));
  assert_int_equal(json_numbers(NULL, x, 4), 0);
  json_free(j);
  j = json_parse("3.5", NULL);
  assert_int_equal(json_numbers(j, x, 4), 1);
  assert_true(x[0] == 3.5);
  json_free(j);
}

static void test_refuses(void **state)
{
  static const char *const bad[] = {"",
                                    "{",
                                    "[1,",
                                    "[1 2]",
                                    "{\"a\" 1}",
                                    "{a:1}",
                                    "{\"a\":}",
                                    "[01]",
                                    "[1.]",
                                    "[1e]",
                                    "[+1]",
                                    "[.5]",
                                    "[-]",
                                    "nul",
                                    "\"abc",
                                    "\"\\x\"",
                                    "\"\\u12g4\"",
                                    "\"\\ud800x\"",
                                    "\"\\ud800\\u0041\"",
                                    "\"a\nb\"",
                                    "1 2",
                                    "[1]]",
                                    "{\"a\":1,}",
                                    "[,]",
                                    "NaN",
                                    "\"\\"};
  char deep[256];
  long where = -7;
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (json_parse(bad[i], &where)) fail_msg("accepted: %s", bad[i]);
  memset(deep, '[', 200), deep[200] = 0;
  assert_null(json_parse(deep, &where));
  assert_null(json_parse("[1, 2, x]", &where));
  assert_int_equal(where, 7);
  assert_null(json_load("/does/not/exist.json", &where));
  assert_int_equal(where, -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
