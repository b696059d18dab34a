/* SPDX-License-Identifier: Apache-2.0
 * test_request.c - what the lab answers to which head of a request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/request.h"

#define HEAD(what, host) what " HTTP/1.1\r\nHost: " host "\r\n\r\n"

static void codes(void **state)
{
  static const struct {
    const char *text;
    int code;
  } CASES[] = {
      {HEAD("GET /lab.js", "127.0.0.1"), 200},    {HEAD("HEAD /lab.js", "localhost:80"), 200},
      {HEAD("GET /", "[::1]:8000"), 200},         {HEAD("POST /lab.js", "127.0.0.1"), 405},
      {HEAD("GET /lab.js", "example.org"), 403},  {HEAD("GET /lab.js", "127.0.0.1.example.org"), 403},
      {HEAD("GET /.lab.js", "127.0.0.1"), 404},   {HEAD("GET /../lab.js", "127.0.0.1"), 404},
      {HEAD("GET lab.js", "127.0.0.1"), 400},     {"GET /lab.js HTTP/1.1\r\n\r\n", 403},
      {HEAD("GET /lab.js?x=1", "127.0.0.1"), 200}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const int code = bri_lab_read(CASES[i].text, strlen(CASES[i].text)).code;
    if (code != CASES[i].code) fail_msg("%s: %d", CASES[i].text, code);
  }
  static const char ZERO[] = "GET /lab.js HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \0\r\n\r\n";
  assert_int_equal(bri_lab_read(ZERO, sizeof ZERO - 1).code, 400);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(codes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
