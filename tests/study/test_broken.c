/* SPDX-License-Identifier: Apache-2.0
 * Broken study files: each says in comments which findings it must give, at which line and column, with which
 * hint ("# expect LINE:COLUMN TEXT"), and must give no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bri_config.h"
#include "bristle/study.h"

static int check_file(const char *path)
{
  br_study *s = NULL;
  br_err err = {BR_OK, -1, ""};
  char line[512];
  size_t n = 0, expected = 0, bad = 0;
  const br_status st = br_study_load(path, NULL, &s, &err);
  const br_note *notes = s ? br_study_notes(s, &n) : NULL;
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) {
    unsigned long l = 0, c = 0;
    int at = 0;
    if (sscanf(line, "# expect %lu:%lu %n", &l, &c, &at) != 2) continue;
    line[strcspn(line, "\n")] = '\0';
    expected++;
    size_t k = 0;
    while (k < n && !(notes[k].line == l && notes[k].column == c && strstr(notes[k].text, line + at))) k++;
    if (k == n) {
      print_message("%s: no finding %lu:%lu '%s'\n", path, l, c, line + at);
      bad++;
    }
  }
  (void)fclose(f);
  if (st != BR_E_PARSE || expected == 0 || n != expected) bad++;
  for (size_t k = 0; k < n && bad; k++) {
    print_message("  found %s:%zu:%zu: %s\n", notes[k].file, notes[k].line, notes[k].column, notes[k].text);
  }
  br_study_destroy(s);
  return bad == 0;
}

static void every_file(void **state)
{
  (void)state;
  static const char FOLDER[] = BR_SOURCE_DIR "/tests/study/broken";
  size_t files = 0, bad = 0;
  if (!BR_WITH_YAML) skip();
  DIR *d = opendir(FOLDER);
  assert_non_null(d);
  for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
    char path[1024];
    if (!strstr(e->d_name, ".yaml")) continue;
    (void)snprintf(path, sizeof path, "%s/%s", FOLDER, e->d_name);
    bad += !check_file(path);
    files++;
  }
  (void)closedir(d);
  assert_int_equal(bad, 0);
  assert_true(files >= 20);
}

/* The first finding of a text. */
static void finds(const char *text, const char *part)
{
  br_study *s = NULL;
  br_err err = {BR_OK, -1, ""};
  size_t n = 0;
  const br_status st = br_study_load_memory(text, strlen(text), "s.yaml", NULL, &s, &err);
  const br_note *notes = s ? br_study_notes(s, &n) : NULL;
  if (st != BR_E_PARSE || n == 0 || !strstr(notes[0].text, part)) fail_msg("'%s', not '%s'", err.msg, part);
  br_study_destroy(s);
}

/* Texts made to exhaust whoever reads them, and one that would be cut. */
static void bounds(void **state)
{
  (void)state;
  if (!BR_WITH_YAML) skip();
  char deep[64] = "about: ";
  for (int i = 0; i < 20; i++) (void)strcat(deep, "[");
  for (int i = 0; i < 20; i++) (void)strcat(deep, "]");
  finds(deep, "nested more than 16 deep");
  finds("title: \"a\\0b\"\nmodel: dahl\n", "a text with a zero byte");
  enum { MANY = 100100 };
  char *wide = malloc(2 * MANY + 16);
  assert_non_null(wide);
  size_t n = (size_t)snprintf(wide, 16, "about: [");
  for (int i = 0; i < MANY; i++) wide[n++] = '1', wide[n++] = ',';
  wide[n++] = ']', wide[n] = '\0';
  finds(wide, "more than 100000 values");
  free(wide);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_file), cmocka_unit_test(bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
