/* SPDX-License-Identifier: Apache-2.0
 * test_status.c - every status code has its message, and docs/status.md lists exactly the codes of the
 * header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/status.h"

static const struct {
  br_status code;
  const char *name, *text;
} all[] = {
#define ROW(name, value, text) {name, #name, text},
    BR_STATUS_LIST(ROW)
#undef ROW
};
enum { COUNT = sizeof all / sizeof all[0] };

static void messages(void **state)
{
  (void)state;
  for (int i = 0; i < COUNT; i++) assert_string_equal(br_status_text(all[i].code), all[i].text);
  assert_string_equal(br_status_text((br_status)-4711), "unknown status");
}

static void page(void **state)
{
  static char text[16384];
  const char *root = getenv("BR_SOURCE_DIR");
  char path[1024], row[256];
  int rows = 0;
  (void)state;
  (void)snprintf(path, sizeof path, "%s/docs/status.md", root ? root : ".");
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  (void)fclose(f);
  for (int i = 0; i < COUNT; i++) {
    (void)snprintf(row, sizeof row, "| `%s` | %d | %s |", all[i].name, (int)all[i].code, all[i].text);
    assert_non_null(strstr(text, row));
  }
  for (const char *p = text; (p = strstr(p, "| `BR_")); p++) rows++;
  assert_int_equal(rows, COUNT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(messages), cmocka_unit_test(page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
