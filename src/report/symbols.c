/* SPDX-License-Identifier: Apache-2.0
 * symbols.c - words of a text that name quantities, and how pictures and pages write them. */
#include "symbols.h"

#include <ctype.h>
#include <string.h>

#include "../text/escape.h"
#include "bristle/expr.h"
#include "bristle/system.h"

static const struct {
  const char *name, *sign, *tex;
} GREEK[] = {
    {"alpha", "\xce\xb1", "\\alpha"},    {"beta", "\xce\xb2", "\\beta"},
    {"gamma", "\xce\xb3", "\\gamma"},    {"delta", "\xce\xb4", "\\delta"},
    {"eps", "\xce\xb5", "\\varepsilon"}, {"epsilon", "\xce\xb5", "\\varepsilon"},
    {"zeta", "\xce\xb6", "\\zeta"},      {"eta", "\xce\xb7", "\\eta"},
    {"theta", "\xce\xb8", "\\theta"},    {"kappa", "\xce\xba", "\\kappa"},
    {"lambda", "\xce\xbb", "\\lambda"},  {"mu", "\xce\xbc", "\\mu"},
    {"nu", "\xce\xbd", "\\nu"},          {"xi", "\xce\xbe", "\\xi"},
    {"pi", "\xcf\x80", "\\pi"},          {"rho", "\xcf\x81", "\\rho"},
    {"sigma", "\xcf\x83", "\\sigma"},    {"tau", "\xcf\x84", "\\tau"},
    {"phi", "\xcf\x86", "\\varphi"},     {"psi", "\xcf\x88", "\\psi"},
    {"omega", "\xcf\x89", "\\omega"},    {"Delta", "\xce\x94", "\\Delta"},
    {"Omega", "\xce\xa9", "\\Omega"},
};

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int same(const char *name, const char *word, size_t n)
{
  return name && strlen(name) == n && memcmp(name, word, n) == 0;
}

int bri_symbol_quantity(const char *word, size_t n)
{
  const br_model *m = NULL;
  for (size_t i = 0; (m = br_all_models(i)) != NULL; i++) {
    for (size_t k = 0; k < m->nparam; k++)
      if (same(m->params[k].name, word, n)) return 1;
    for (size_t k = 0; k < m->nstates_rows; k++)
      if (same(m->states[k].name, word, n)) return 1;
  }
  size_t count = 0;
  const br_system *const *all = br_systems(&count);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < all[i]->nparam; k++)
      if (same(all[i]->params[k].name, word, n)) return 1;
    for (size_t k = 0; k < all[i]->nrows; k++)
      if (same(all[i]->states[k].name, word, n)) return 1;
    for (size_t k = 0; k < all[i]->ninput; k++)
      if (same(all[i]->inputs[k].name, word, n)) return 1;
  }
  return 0;
}

int bri_symbol_of(const char *word, size_t n, bri_symbol *s)
{
  size_t letters = 0, digits = 0;
  while (letters < n && is_letter(word[letters])) letters++;
  while (letters + digits < n && is_digit(word[letters + digits])) digits++;
  memset(s, 0, sizeof *s);
  if (!letters || letters + digits < n || digits > 2) return 0;
  s->letter[0] = word[0];
  for (size_t i = 0; i < sizeof GREEK / sizeof GREEK[0]; i++) {
    if (!same(GREEK[i].name, word, letters)) continue;
    s->sign = GREEK[i].sign;
    s->tex = GREEK[i].tex;
    memcpy(s->sub, word + letters, digits);
    return 1;
  }
  if (letters == 1 && digits) {
    memcpy(s->sub, word + 1, digits);
    return 1;
  }
  /* the words of the tables that are words of a language too */
  if (letters < 2 || letters > 3 || same("at", word, n) || same("dv", word, n) ||
      !bri_symbol_quantity(word, n))
    return 0;
  memcpy(s->sub, word + 1, n - 1);
  return 1;
}

/* Are there signs of a file or a compound name in the chunk (between blanks) around word..word+n? */
static int in_name(const char *text, const char *word, size_t n)
{
  const char *from = word, *to = word + n;
  while (from > text && from[-1] != ' ') from--;
  while (*to && *to != ' ') to++;
  for (const char *c = from; c < to; c++) {
    if (*c == '_' || *c == '\\') return 1;
    if (*c == '.' && c > from && c + 1 < to && isalnum((unsigned char)c[-1]) && is_letter(c[1])) return 1;
    if (*c == '/' && c > from && c + 1 < to && strchr("./", c[-1])) return 1;
    if (*c == '-' && c > from && c + 1 < to && is_letter(c[-1]) && isalnum((unsigned char)c[1])) return 1;
  }
  return 0;
}

void bri_symbols_walk(const char *text, bri_symbol_fn *fn, void *ctx)
{
  const char *from = text, *s = text;
  bri_symbol symbol;
  while (*s) {
    if (!is_letter(*s) || (s > text && (isalnum((unsigned char)s[-1]) || (unsigned char)s[-1] >= 0x80))) {
      s++;
      continue;
    }
    size_t n = 0;
    while (isalnum((unsigned char)s[n])) n++;
    if ((unsigned char)s[n] < 0x80 && bri_symbol_of(s, n, &symbol) && !in_name(text, s, n)) {
      if (s > from) fn(ctx, NULL, from, (size_t)(s - from));
      fn(ctx, &symbol, s, n);
      from = s + n;
    }
    s += n;
  }
  if (s > from) fn(ctx, NULL, from, (size_t)(s - from));
}

static void count(void *ctx, const bri_symbol *s, const char *text, size_t n)
{
  (void)text, (void)n;
  *(int *)ctx |= s != NULL;
}

int bri_symbols_any(const char *text)
{
  int any = 0;
  bri_symbols_walk(text, count, &any);
  return any;
}

/* ---- gnuplot: "F_{c}", where the text has no sign that its reader of such texts knows ---- */

static void to_gnuplot(void *ctx, const bri_symbol *s, const char *text, size_t n)
{
  bri_buf *b = ctx;
  if (!s) bri_buf_add(b, text, n);
  else bri_buf_printf(b, s->sub[0] ? "%s_{%s}" : "%s", s->sign ? s->sign : s->letter, s->sub);
}

void bri_symbols_gnuplot(FILE *f, const char *text)
{
  bri_buf b = {0};
  if (!strpbrk(text, "{}^_@&~\\\"") && bri_symbols_any(text)) bri_symbols_walk(text, to_gnuplot, &b);
  const int marked = b.text && !b.failed;
  if (b.failed) (void)fputs("out of memory", f); /* no string: gnuplot refuses the script, and that is told */
  else if (marked) { /* nothing but what was just written has a sign of meaning */ (void)fputc('"', f);
    for (const char *s = b.text; *s;) {
      const size_t n = bri_shown_length(s);
      if (*s == '{' || *s == '}' || (n && !strchr("'`#$", *s))) (void)fwrite(s, 1, n ? n : 1, f);
      else if (n) (void)fprintf(f, "\\%03o", (unsigned)*s);
      else (void)fputs("\xef\xbf\xbd", f);
      s += n ? n : 1;
    }
    (void)fputs("\" enhanced", f);
  } else {
    bri_gnuplot_text(f, text);
    (void)fputs(" noenhanced", f);
  }
  bri_buf_free(&b);
}

/* ---- pages ---- */

/* A piece as text of its own. */
static void escaped(bri_buf *b, void (*write)(bri_buf *, const char *), const char *text, size_t n)
{
  bri_buf piece = {0};
  bri_buf_add(&piece, text, n);
  if (piece.failed) b->failed = 1;
  else write(b, piece.text);
  bri_buf_free(&piece);
}

static void to_html(void *ctx, const bri_symbol *s, const char *text, size_t n)
{
  bri_buf *b = ctx;
  if (!s) escaped(b, bri_buf_html, text, n);
  else bri_buf_printf(b, s->sub[0] ? "%s<sub>%s</sub>" : "%s", s->sign ? s->sign : s->letter, s->sub);
}

void bri_symbols_html(bri_buf *b, const char *text) { bri_symbols_walk(text, to_html, b); }

static void to_plain(void *ctx, const bri_symbol *s, const char *text, size_t n)
{
  bri_buf *b = ctx;
  if (!s || (s->sub[0] && !is_digit(s->sub[0]))) bri_buf_add(b, text, n);
  else {
    bri_buf_text(b, s->sign ? s->sign : s->letter);
    for (const char *c = s->sub; *c; c++) bri_buf_printf(b, "\xe2\x82%c", 0x80 + (*c - '0'));
  }
}

void bri_symbols_plain(bri_buf *b, const char *text) { bri_symbols_walk(text, to_plain, b); }

/* ---- TeX ---- */

/* Signs beyond Latin letters that TeX knows by name; 0: it does not. */
static int sign_in_tex(FILE *f, const char *text, size_t n)
{
  static const struct {
    const char *sign, *tex;
  } MORE[] = {{"\xe2\x86\x92", "\\to"}, {"\xe2\x88\x9e", "\\infty"}, {"\xe2\x89\xa4", "\\le"},
              {"\xe2\x89\xa5", "\\ge"}, {"\xe2\x88\x92", "-"},       {"\xe2\x88\xab", "\\int"}};
  const char *tex = NULL;
  for (size_t i = 0; i < sizeof GREEK / sizeof GREEK[0] && !tex; i++)
    if (same(GREEK[i].sign, text, n)) tex = GREEK[i].tex;
  for (size_t i = 0; i < sizeof MORE / sizeof MORE[0] && !tex; i++)
    if (same(MORE[i].sign, text, n)) tex = MORE[i].tex;
  if (tex) (void)fprintf(f, "$%s$", tex);
  return tex != NULL;
}

static void to_tex(void *ctx, const bri_symbol *s, const char *text, size_t n)
{
  static const struct {
    char c;
    const char *tex;
  } SIGNS[] = {{'\\', "\\textbackslash{}"},
               {'{', "\\{"},
               {'}', "\\}"},
               {'$', "\\$"},
               {'&', "\\&"},
               {'#', "\\#"},
               {'%', "\\%"},
               {'_', "\\_"},
               {'~', "\\textasciitilde{}"},
               {'^', "\\textasciicircum{}"},
               {'<', "\\textless{}"},
               {'>', "\\textgreater{}"},
               {'|', "\\textbar{}"},
               {'"', "\\textquotedbl{}"}};
  FILE *f = ctx;
  if (s) {
    (void)fprintf(f, s->sub[0] ? "$%s_{\\mathrm{%s}}$" : "$%s$", s->tex ? s->tex : s->letter, s->sub);
    return;
  }
  for (size_t i = 0; i < n;) {
    const size_t k = bri_shown_length(text + i);
    const unsigned char first = (unsigned char)text[i];
    const char *tex = NULL;
    for (size_t q = 0; q < sizeof SIGNS / sizeof SIGNS[0]; q++)
      if (SIGNS[q].c == text[i]) tex = SIGNS[q].tex;
    if (tex) (void)fputs(tex, f);
    else if (k == 0 || (k > 1 && first > 0xc3 && !sign_in_tex(f, text + i, k))) (void)fputc('?', f);
    else if (k > 1 && first > 0xc3) (void)0; /* written */
    else (void)fwrite(text + i, 1, k, f);
    i += k ? k : 1;
  }
}

void bri_symbols_tex(FILE *f, const char *text) { bri_symbols_walk(text, to_tex, f); }
