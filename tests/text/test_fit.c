/* SPDX-License-Identifier: Apache-2.0
 * test_fit.c - lines for a narrow screen: nothing over the width but words that are, no word lost, what fits
 * untouched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the headers above first */
#include <cmocka.h>

#include "support/rng.h"
#include "text/fit.h"

static void same(const char *text, size_t width, const char *wanted)
{
  bri_buf out = {0};
  bri_fit(text, width, &out);
  assert_string_equal(out.text ? out.text : "", wanted);
  bri_buf_free(&out);
}

static void what_fits_stays(void **state)
{
  (void)state;
  same("a  b  c\n1  2  3\n", 20, "a  b  c\n1  2  3\n");
  same("", 40, "");
  same("no newline", 40, "no newline");
}

static void sentences_are_broken_between_words(void **state)
{
  (void)state;
  same("  one two three four five six\n", 20, "  one two three four\n    five six\n");
  same("σ₀ σ₁ σ₂ σ₀ σ₁ σ₂ σ₀\n", 20, "σ₀ σ₁ σ₂ σ₀ σ₁ σ₂ σ₀\n"); /* 20 signs, more bytes */
  same("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 20, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n");
}

static void tables_are_narrowed_or_turned(void **state)
{
  (void)state;
  const char *t = "  quantity  unit              min             max\n"
                  "  u         m         -0.0012345678       0.0012345678\n"
                  "  v         m/s                   0       12.345678901\n";
  same(t, 40,
       "quantity unit       min      max\n"
       "u        m    -0.001235 0.001235\n"
       "v        m/s          0    12.35\n");
  same(t, 20,
       "  u\n    unit: m\n    min: -0.00123\n    max: 0.00123\n"
       "  v\n    unit: m/s\n    min: 0\n    max: 12.3\n");
}

/* Cells and rows at the limits of what counts as a table: the words stay whole. */
static void cells_at_their_limits(void **state)
{
  (void)state;
  static const size_t LENGTHS[] = {94, 95, 96, 97, 200, 4000};
  char word[4001], text[20000];
  for (size_t k = 0; k < sizeof LENGTHS / sizeof LENGTHS[0]; k++)
    for (int at = 0; at < 24; at++) {
      bri_buf out = {0};
      size_t used = 0;
      memset(word, 'w', LENGTHS[k]), word[LENGTHS[k]] = '\0';
      for (int line = 0; line < 3; line++) /* 24 cells each */
        for (int c = 0; c < 24; c++)
          used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                   line == 1 && c == at ? word : "ab", c < 23 ? "  " : "\n");
      bri_fit(text, 40, &out);
      assert_false(out.failed);
      const char *found = strstr(out.text, word);
      if (!found || strspn(found, "w") != LENGTHS[k]) fail_msg("a cell of %zu letters is cut", LENGTHS[k]);
      bri_buf_free(&out);
    }
  for (int cells = 23; cells < 27; cells++) {
    bri_buf out = {0};
    size_t used = 0, seen = 0;
    for (int line = 0; line < 2; line++)
      for (int c = 0; c < cells; c++)
        used += (size_t)snprintf(text + used, sizeof text - used, "q%s", c + 1 < cells ? "  " : "\n");
    bri_fit(text, 20, &out);
    for (const char *s = out.text; *s; s++) seen += *s == 'q';
    assert_true(seen >= 2 * (size_t)cells - 1); /* a turned table does without its first head */
    bri_buf_free(&out);
  }
}

/* Hostile text: no line over the width that has two words, no letter lost or made. */
static void any_text_fits(void **state)
{
  (void)state;
  static const char SIGNS[] = "ab1.  \n  -e7\xcf\x83";
  rng seed = {1};
  for (int k = 0; k < 3000; k++) {
    char text[400];
    const size_t n = (size_t)(rng_next(&seed) % sizeof text), width = 20 + (size_t)(rng_next(&seed) % 40);
    for (size_t i = 0; i + 1 < n; i++) text[i] = SIGNS[rng_next(&seed) % (sizeof SIGNS - 1)];
    text[n ? n - 1 : 0] = '\0';
    bri_buf out = {0};
    bri_fit(text, width, &out);
    for (const char *s = out.text ? out.text : ""; *s;) {
      const size_t len = strcspn(s, "\n");
      size_t signs = 0, lead = strspn(s, " ");
      for (size_t i = 0; i < len; i++) signs += ((unsigned char)s[i] & 0xc0) != 0x80;
      if (signs > width && lead < len) assert_null(memchr(s + lead, ' ', len - lead));
      s += len + (s[len] == '\n');
    }
    bri_buf_free(&out);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_fits_stays), cmocka_unit_test(sentences_are_broken_between_words),
      cmocka_unit_test(tables_are_narrowed_or_turned), cmocka_unit_test(cells_at_their_limits),
      cmocka_unit_test(any_text_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
