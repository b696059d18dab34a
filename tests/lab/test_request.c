/* SPDX-License-Identifier: Apache-2.0
 * test_request.c - what the lab answers to which head of a request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/lab.h"
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
  static const struct {
    const char *text;
    int code;
  } MORE[] = {{HEAD("GET /lab.js.txt", "127.0.0.1"), 404}, /* the ending is at the end */
              {HEAD("GET /x.js.html", "127.0.0.1"), 200},
              {HEAD("GET /.js", "127.0.0.1"), 404},
              {"GET /lab.js HTTP/1.1\r\nhost:127.0.0.1\r\n\r\n", 200}, /* names of fields in any letters */
              {"GET /lab.js HTTP/1.1\r\nHOST:   LocalHost:1\r\n\r\n", 200},
              {"GET /lab.js HTTP/1.1\r\nX: y\r\nHost: [::1]\r\n\r\n", 200},
              {"GET /lab.js FTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400},
              {"GET\n/lab.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400}};
  for (size_t i = 0; i < sizeof MORE / sizeof MORE[0]; i++) {
    const int code = bri_lab_read(MORE[i].text, strlen(MORE[i].text)).code;
    if (code != MORE[i].code) fail_msg("%s: %d", MORE[i].text, code);
  }
  static const char ZERO[] = "GET /lab.js HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \0\r\n\r\n";
  assert_int_equal(bri_lab_read(ZERO, sizeof ZERO - 1).code, 400);
}

/* What a file is called to a browser goes by its ending; "/" is the page. */
static void types(void **state)
{
  static const char *const CASES[][3] = {
      {HEAD("GET /", "127.0.0.1"), "index.html", "text/html; charset=utf-8"},
      {HEAD("GET /a.js", "127.0.0.1"), "a.js", "text/javascript; charset=utf-8"},
      {HEAD("GET /a.css", "127.0.0.1"), "a.css", "text/css; charset=utf-8"},
      {HEAD("GET /x.LICENSE", "127.0.0.1"), "x.LICENSE", "text/plain; charset=utf-8"}};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const bri_lab_request r = bri_lab_read(CASES[i][0], strlen(CASES[i][0]));
    assert_int_equal(r.code, 200);
    assert_string_equal(r.name, CASES[i][1]);
    assert_string_equal(r.type, CASES[i][2]);
    assert_int_equal(r.head, 0);
  }
}

/* Ports that are none are refused before anything is opened. */
static void ports(void **state)
{
  static const int BAD[] = {-1, 65536, 1 << 20};
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    br_err err;
    assert_int_equal(br_lab_serve(".", BAD[i], NULL, NULL, NULL, &err), BR_E_RANGE);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(codes), cmocka_unit_test(types),
                                     cmocka_unit_test(ports)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
