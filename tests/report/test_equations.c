/* SPDX-License-Identifier: Apache-2.0
 * test_equations.c - equations of every model and mechanism as MathML: well-formed, and the expected trees
 * for some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bristle/expr.h"
#include "bristle/system.h"
#include "report/equations.h"
#include "report/schematic.h"

static const struct {
  const char *line, *math;
} CASES[] = {
    {"F = a / (b + c)",
     "<mrow><mi>F</mi></mrow><mo>=</mo><mfrac><mrow><mrow><mi>a</mi></mrow></mrow><mrow><mrow><mi>b</mi>"
     "</mrow><mo>+</mo><mrow><mi>c</mi></mrow></mrow></mfrac>"},
    {"x^2", "<msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup>"},
    {"m v' = F_in",
     "<mrow><mi>m</mi></mrow><mspace width=\"0.17em\"></mspace><mover accent=\"true\"><mrow><mi>v</mi></mrow>"
     "<mo>\xcb\x99</mo></mover><mo>=</mo><mrow><msub><mi>F</mi><mi>in</mi></msub></mrow>"},
    {"|v| <= Fs",
     "<mrow><mo>|</mo><mrow><mi>v</mi></mrow><mo>|</mo></mrow><mo>\xe2\x89\xa4</mo><mrow><msub><mi>F</mi><mi>"
     "s</mi></msub></mrow>"},
    {"or a <table> over |v|", "<mtext>or a &lt;table&gt; over |v|</mtext>"},
    {"F = (a", "<mtext>F = (a</mtext>"},
    {"F = a +", "<mtext>F = a +</mtext>"},
    {"S_{i", "<mtext>S_{i</mtext>"},
};

static void trees(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_buf b = {0}, want = {0};
    bri_equation_mathml(&b, CASES[i].line, strlen(CASES[i].line));
    bri_buf_printf(&want, "<math display=\"block\">%s</math>\n", CASES[i].math);
    assert_string_equal(b.text, want.text);
    bri_buf_free(&b), bri_buf_free(&want);
  }
}

/* Tags open and close in order. */
static void insist_well_formed(const char *s)
{
  const char *open[200];
  size_t n = 0;
  for (; (s = strchr(s, '<')) != NULL; s++) {
    const size_t len = strcspn(s + 1, " >");
    if (s[1] != '/') {
      assert_in_range(n, 0, 199);
      open[n++] = s + 1;
      continue;
    }
    assert_true(n > 0);
    n--;
    assert_int_equal(strncmp(open[n], s + 2, len - 1), 0);
  }
  assert_int_equal(n, 0);
}

static void all(void **state)
{
  const br_model *m = NULL;
  size_t lines = 0;
  (void)state;
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) {
    bri_buf b = {0};
    bri_equations_mathml(&b, m->name);
    if (b.text) insist_well_formed(b.text), lines++;
    bri_buf_free(&b);
  }
  assert_in_range(lines, 10, 100);
  bri_buf b = {0};
  bri_equations_mathml(&b, "no such model");
  assert_null(b.text);
}

/* Anything: no crash, well-formed, bounded depth. */
static void noise(void **state)
{
  static const char SIGNS[] = "ab1(|[)]|^_{}'/+-= .,<>dz&\"";
  unsigned seed = 7;
  (void)state;
  for (int k = 0; k < 3000; k++) {
    char line[80];
    const size_t n = (size_t)(k % 79);
    for (size_t i = 0; i < n; i++)
      seed = seed * 1103515245u + 12345u, line[i] = SIGNS[(seed >> 16) % (sizeof SIGNS - 1)];
    bri_buf b = {0};
    bri_equation_mathml(&b, line, n);
    insist_well_formed(b.text);
    bri_buf_free(&b);
  }
  char deep[2000];
  memset(deep, '(', sizeof deep);
  bri_buf b = {0};
  bri_equation_mathml(&b, deep, sizeof deep);
  insist_well_formed(b.text);
  bri_buf_free(&b);
}

static size_t count(const char *text, const char *part)
{
  size_t n = 0;
  for (const char *s = text; (s = strstr(s, part)) != NULL; s++) n++;
  return n;
}

/* Every mechanism of the catalogue has a drawing, its parameters are in it, tags are closed. */
static void schematics(void **state)
{
  (void)state;
  size_t n = 0;
  const br_system *const *all_systems = br_systems(&n);
  for (size_t i = 0; i < n; i++) {
    bri_buf out = {0};
    bri_schematic_system(&out, all_systems[i]->name);
    if (!out.text) fail_msg("%s has no drawing", all_systems[i]->name);
    assert_int_equal(count(out.text, "<svg"), 1);
    assert_int_equal(count(out.text, "</svg>"), 1);
    assert_int_equal(count(out.text, "<text"), count(out.text, "</text>"));
    assert_int_equal(count(out.text, "<title>"), 1);
    bri_buf_free(&out);
  }
  bri_buf out = {0};
  bri_schematic_system(&out, "mass_spring");
  assert_non_null(strstr(out.text, ">k<tspan"));
  assert_non_null(strstr(out.text, ">F<tspan"));
  bri_buf_free(&out);
  bri_schematic_system(&out, "<script>");
  assert_null(out.text);
  bri_schematic_loop(&out, "feedback_linearization", "pulled_block");
  assert_non_null(strstr(out.text, ">feedback lin.<"));
  assert_non_null(strstr(out.text, ">pulled block<"));
  bri_buf_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(trees), cmocka_unit_test(all), cmocka_unit_test(noise),
                                     cmocka_unit_test(schematics)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
