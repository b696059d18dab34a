/* SPDX-License-Identifier: Apache-2.0
 * test_escape.c - text from strangers: messages, gnuplot, HTML, Markdown, links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/gnuplot_lexer.h"
#include "text/escape.h"

static void characters(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t length, shown;
  } CASES[] = {
      {"a", 1, 1},
      {"\xc3\xa4", 2, 2},
      {"\xe2\x82\xac", 3, 3},
      {"\xf0\x9f\x98\x80", 4, 4},
      {"\n", 1, 0},
      {"\t", 1, 0},
      {"\x1b", 1, 0},
      {"\x7f", 1, 0},
      {"\xc2\x9b", 2, 0},         /* CSI of eight-bit terminals */
      {"\xc2\xa0", 2, 2},         /* no-break space */
      {"\xe2\x80\xa8", 3, 0},     /* line separator */
      {"\xe2\x80\xae", 3, 0},     /* right-to-left override */
      {"\xe2\x81\xa6", 3, 0},     /* isolate */
      {"\xe2\x80\xa7", 3, 3},     /* hyphenation point */
      {"\xff", 0, 0},             /* never */
      {"\x9b", 0, 0},             /* continuation alone */
      {"\xc3", 0, 0},             /* cut */
      {"\xc0\xaf", 0, 0},         /* overlong '/' */
      {"\xe0\x80\xaf", 0, 0},     /* overlong */
      {"\xed\xa0\x80", 0, 0},     /* surrogate */
      {"\xf4\x90\x80\x80", 0, 0}, /* beyond Unicode */
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    assert_int_equal(bri_utf8_length(CASES[i].text), CASES[i].length);
    assert_int_equal(bri_shown_length(CASES[i].text), CASES[i].shown);
  }
  assert_null(bri_find_control("a\xff\xc3\xa4", 0));
  assert_null(bri_find_control("a\nb\t", 1));
  assert_string_equal(bri_find_control("a\nb", 0), "\nb");
  assert_string_equal(bri_find_control("a\n\x1b[", 1), "\x1b[");
}

static void messages(void **state)
{
  (void)state;
  char out[32];
  assert_string_equal(bri_escape("a\x1b[31m\xc3\xa4\xff\\", sizeof out, out), "a\\x1b[31m\xc3\xa4\\xff\\");
  assert_string_equal(bri_escape("abc\xc3\xa4", 5, out), "abc"); /* cut between characters */
  assert_string_equal(bri_escape("abc\x1b", 7, out), "abc");
  assert_string_equal(bri_escape("", 1, out), "");
  br_err err;
  assert_int_equal(bri_text_fail(&err, BR_E_ARG, -1, "name '%s'", "\x1b]0;x\x07\n"), BR_E_ARG);
  assert_string_equal(err.msg, "name '\\x1b]0;x\\x07\\x0a'");
  char longest[1000];
  memset(longest, 7, sizeof longest);
  longest[sizeof longest - 1] = '\0';
  (void)bri_text_fail(&err, BR_E_ARG, -1, "%s", longest);
  assert_true(strlen(err.msg) < sizeof err.msg && strlen(err.msg) > sizeof err.msg - 8);
}

/* gnuplot reads back exactly the text, as one string and nothing else. */
static void gnuplot_strings(void **state)
{
  (void)state;
  static const char *const TEXTS[] = {
      "plain",       "'",           "''",     "'''a''''b'", "\"; system(\"touch x\"); \"",
      "`touch x`",   "a\\",         "\\\"",   "@x $y {z}",  "# no comment",
      "{/Symbol a}", "\\042 \\140", "x_1^2%", "\xc3\xa4",   "a|b<c>;d"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
    char *text = NULL, want[64];
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    assert_non_null(f);
    bri_gnuplot_text(f, TEXTS[i]);
    assert_int_equal(fclose(f), 0);
    gnuplot_tokens g = gnuplot_lex(text);
    (void)snprintf(want, sizeof want, "%s\n", TEXTS[i]);
    assert_string_equal(g.words, "\"\" ");
    assert_string_equal(g.strings, want);
    assert_false(g.runs || g.open);
    gnuplot_tokens_free(&g);
    free(text);
  }
}

static void pages(void **state)
{
  (void)state;
  static const struct {
    void (*write)(bri_buf *, const char *);
    const char *text, *want;
  } CASES[] = {
      {bri_buf_html, "<a & \"b\">\n\x1b", "&lt;a &amp; &quot;b&quot;&gt; \\x1b"},
      {bri_buf_markdown, "a|b *c* `d` [e](f) <g> & \\",
       "a\\|b \\*c\\* \\`d\\` \\[e\\](f) &lt;g&gt; &amp; \\\\"},
      {bri_buf_markdown, "v_max _a_ \xc2\xb5_s", "v_max \\_a\\_ \xc2\xb5_s"},
      {bri_buf_markdown, "# no heading\nor # two", "\\# no heading or # two"},
      {bri_buf_markdown, "12. no list", "12\\. no list"},
      {bri_buf_markdown, "- no list", "\\- no list"},
      {bri_buf_markdown, "---", "\\---"},
      {bri_buf_markdown, "-0.5 and 1.5", "-0.5 and 1.5"},
      {bri_buf_markdown, "$x$ ~~y~~\x1b[31m", "\\$x\\$ \\~\\~y\\~\\~\\x1b\\[31m"},
      {bri_buf_link, "a b/c(d)\xc3\xa4.svg", "a%20b/c%28d%29%C3%A4.svg"},
      {bri_buf_link, "javascript:x", "javascript%3Ax"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_buf b = {0};
    CASES[i].write(&b, CASES[i].text);
    assert_string_equal(b.text, CASES[i].want);
    bri_buf_free(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(characters), cmocka_unit_test(messages),
                                     cmocka_unit_test(gnuplot_strings), cmocka_unit_test(pages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
