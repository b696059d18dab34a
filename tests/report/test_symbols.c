/* SPDX-License-Identifier: Apache-2.0
 * test_symbols.c - which words are quantities, and how each form writes them; hostile texts stay texts. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/symbols.h"

static const struct {
  const char *text, *plain, *html, *gnuplot, *tex;
} CASES[] = {
    {"sigma0 = 6", "\xcf\x83\xe2\x82\x80 = 6", "\xcf\x83<sub>0</sub> = 6", "\"\xcf\x83_{0} = 6\" enhanced",
     "$\\sigma_{\\mathrm{0}}$ = 6"},
    {"Fc, Fs and vs", "Fc, Fs and vs", "F<sub>c</sub>, F<sub>s</sub> and v<sub>s</sub>",
     "\"F_{c}, F_{s} and v_{s}\" enhanced", "$F_{\\mathrm{c}}$, $F_{\\mathrm{s}}$ and $v_{\\mathrm{s}}$"},
    {"velocity v at 1e-2", "velocity v at 1e-2", "velocity v at 1e-2", "\"velocity v at 1e-2\" noenhanced",
     "velocity v at 1e-2"},
    /* names of files and compound names are left alone */
    {"run a1.csv", "run a1.csv", "run a1.csv", "\"run a1.csv\" noenhanced", "run a1.csv"},
    {"data/x1.csv:t,u", "data/x1.csv:t,u", "data/x1.csv:t,u", "\"data/x1.csv:t,u\" noenhanced",
     "data/x1.csv:t,u"},
    {"beta_run x-y2", "beta_run x-y2", "beta_run x-y2", "\"beta_run x-y2\" noenhanced", "beta\\_run x-y2"},
    {"betamax 12sigma sigma012", "betamax 12sigma sigma012", "betamax 12sigma sigma012",
     "\"betamax 12sigma sigma012\" noenhanced", "betamax 12sigma sigma012"},
    /* signs that a form would obey */
    {"eta_{x} & <b> sigma1", "eta_{x} & <b> \xcf\x83\xe2\x82\x81",
     "eta_{x} &amp; &lt;b&gt; \xcf\x83<sub>1</sub>", "\"eta_\\173x\\175 & <b> sigma1\" noenhanced",
     "eta\\_\\{x\\} \\& \\textless{}b\\textgreater{} $\\sigma_{\\mathrm{1}}$"},
    {"`rm` $x eta", "`rm` $x \xce\xb7", "`rm` $x \xce\xb7", "\"\\140rm\\140 \\044x \xce\xb7\" enhanced",
     "`rm` \\$x $\\eta$"},
    {"\\input{x} tau", "\\input{x} \xcf\x84", "\\input{x} \xcf\x84",
     "\"\\134input\\173x\\175 tau\" noenhanced", "\\textbackslash{}input\\{x\\} $\\tau$"},
    {"", "", "", "\"\" noenhanced", ""},
};

static char *printed(void (*write)(FILE *, const char *), const char *text)
{
  char *out = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&out, &n);
  assert_non_null(f);
  write(f, text);
  assert_int_equal(fclose(f), 0);
  return out;
}

static void forms(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    bri_buf plain = {0}, html = {0};
    bri_buf_text(&plain, ""), bri_buf_text(&html, "");
    bri_symbols_plain(&plain, CASES[i].text);
    bri_symbols_html(&html, CASES[i].text);
    char *gnuplot = printed(bri_symbols_gnuplot, CASES[i].text),
         *tex = printed(bri_symbols_tex, CASES[i].text);
    assert_string_equal(plain.text ? plain.text : "", CASES[i].plain);
    assert_string_equal(html.text ? html.text : "", CASES[i].html);
    assert_string_equal(gnuplot, CASES[i].gnuplot);
    assert_string_equal(tex, CASES[i].tex);
    free(gnuplot), free(tex);
    bri_buf_free(&plain), bri_buf_free(&html);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
