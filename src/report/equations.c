/* SPDX-License-Identifier: Apache-2.0
 * equations.c - equations as people type them, "dz/dt = v - sigma0 |v| z / g(v)", as MathML. */
#include "equations.h"

#include <ctype.h>
#include <string.h>

#include "../text/escape.h"
#include "symbols.h"

/* ---- the lines: those of a page that are set off by four blanks, up to its first table ---- */

void bri_equations_each(const char *name, bri_equation_fn *fn, void *ctx)
{
  const bri_equations_page *p = bri_equations_pages;
  int seen = 0;
  while (p->name && strcmp(p->name, name) != 0) p++;
  if (!p->name) return;
  for (const char *s = (const char *)p->text; *s;) {
    const size_t n = strcspn(s, "\n");
    const int set_off = n > 4 && strncmp(s, "    ", 4) == 0;
    if (s[0] == '|' || s[0] == '*' || (seen && !set_off && n > 0)) break;
    if (set_off) {
      fn(ctx, s + 4, n - 4);
      seen = 1;
    }
    s += n + (s[n] == '\n');
  }
}

/* ---- a line: chunks with wide gaps between them ---- */

typedef struct {
  const char *s, *end;
  int bars, depth; /* |...| that are open; how deep */
  int bad;
  bri_buf *out;
} reader;

enum { DEEPEST = 40 };

static void blanks(reader *r)
{
  while (r->s < r->end && *r->s == ' ') r->s++;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int is_function(const char *w, size_t n)
{
  static const char *const NAMES[] = {"exp", "sgn",  "sin",   "cos", "tanh",    "max",
                                      "min", "clip", "expm1", "sum", "integral"};
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (strlen(NAMES[i]) == n && memcmp(NAMES[i], w, n) == 0) return 1;
  return 0;
}

/* "zm", "ex", "Ap": a letter with another one below it */
static int is_pair(const char *w, size_t n)
{
  return n == 2 && isalpha((unsigned char)w[0]) && strchr("xypm", w[1]) != NULL;
}

static int is_differential(const char *w, size_t n)
{
  bri_symbol s;
  return n > 1 && w[0] == 'd' && (n == 2 || bri_symbol_of(w + 1, n - 1, &s));
}

/* Words of a language in s..s+n, those of a remark in parentheses left out where `remarks` is 0. */
static size_t words(const char *s, size_t n, int remarks)
{
  bri_symbol symbol;
  size_t count = 0;
  for (size_t i = 0; i < n;) {
    const char *close = s[i] == '(' && !remarks ? memchr(s + i, ')', n - i) : NULL;
    if (close && words(s + i + 1, (size_t)(close - s) - i - 1, 1) > 2) i = (size_t)(close - s);
    size_t k = 0, letters = 0;
    while (i + k < n && is_word(s[i + k])) letters += isalpha((unsigned char)s[i + k]) != 0, k++;
    if (letters == k && k > 1 && !is_function(s + i, k) && !bri_symbol_of(s + i, k, &symbol) &&
        !is_differential(s + i, k) && !is_pair(s + i, k) && !bri_symbol_quantity(s + i, k))
      count++;
    i += k ? k : 1;
  }
  return count;
}

/* Where the remark in parentheses at s ends; NULL: there is none. */
static const char *remark(const char *s, const char *end)
{
  const char *close = s < end && *s == '(' ? memchr(s, ')', (size_t)(end - s)) : NULL;
  return close && words(s + 1, (size_t)(close - s) - 1, 1) > 2 ? close + 1 : NULL;
}

/* ---- mathematics ---- */

static void sum(reader *r);

static void add_escaped(bri_buf *out, const char *s, size_t n)
{
  bri_buf piece = {0};
  bri_buf_add(&piece, s, n);
  if (piece.failed) out->failed = 1;
  else if (piece.text) bri_buf_html(out, piece.text);
  bri_buf_free(&piece);
}

static void text(bri_buf *out, const char *s, size_t n)
{
  bri_buf_text(out, "<mtext>");
  add_escaped(out, s, n);
  bri_buf_text(out, "</mtext>");
}

/* Parentheses that a fraction or an exponent makes needless. */
static void bare(bri_buf *b)
{
  static const char OPEN[] = "<mrow><mo>(</mo>", CLOSE[] = "<mo>)</mo></mrow>";
  const size_t from = sizeof OPEN - 1, to = sizeof CLOSE - 1;
  if (!b->text || b->failed || b->used < from + to || strncmp(b->text, OPEN, from) != 0) return;
  if (strcmp(b->text + b->used - to, CLOSE) != 0) return;
  memmove(b->text, b->text + from, b->used - from - to);
  b->used -= from + to;
  b->text[b->used] = '\0';
}

static void letter(bri_buf *out, const bri_symbol *s)
{
  if (s->sub[0])
    bri_buf_printf(out, "<msub><mi>%s</mi><m%c>%s</m%c></msub>", s->sign ? s->sign : s->letter,
                   isdigit((unsigned char)s->sub[0]) ? 'n' : 'i', s->sub,
                   isdigit((unsigned char)s->sub[0]) ? 'n' : 'i');
  else bri_buf_printf(out, "<mi>%s</mi>", s->sign ? s->sign : s->letter);
}

/* A name: Greek letters and subscripts, also written z_ba, S_{i+1}; dz as d and z. */
static void name(reader *r)
{
  const char *w = r->s;
  size_t n = 0, base = 0;
  bri_symbol s;
  while (w + n < r->end && isalnum((unsigned char)w[n])) n++;
  base = n;
  if (w + n < r->end && w[n] == '_') {
    bri_buf_text(r->out, "<msub>");
    if (bri_symbol_of(w, base, &s)) letter(r->out, &s);
    else if (base == 2 && w[0] == 'd') bri_buf_printf(r->out, "<mrow><mi>d</mi><mi>%c</mi></mrow>", w[1]);
    else bri_buf_text(r->out, "<mi>"), add_escaped(r->out, w, base), bri_buf_text(r->out, "</mi>");
    bri_buf_text(r->out, "<mi>");
    const char *sub = w + n + 1;
    size_t k = 0;
    if (sub < r->end && *sub == '{') {
      sub++;
      while (sub + k < r->end && sub[k] != '}') k++;
      n += 3 + k;
    } else {
      while (sub + k < r->end && is_word(sub[k])) k++;
      n += 1 + k;
    }
    add_escaped(r->out, sub, k);
    bri_buf_text(r->out, "</mi></msub>");
    if (w + n > r->end) r->bad = 1, n = (size_t)(r->end - w);
  } else if (n == 3 && memcmp(w, "sum", 3) == 0) {
    bri_buf_text(r->out, "<mo>\xe2\x88\x91</mo>");
  } else if (is_function(w, n)) {
    bri_buf_printf(r->out, "<mi mathvariant=\"normal\">%.*s</mi>", (int)n, w);
  } else if (bri_symbol_of(w, n, &s)) {
    letter(r->out, &s);
  } else if (is_differential(w, n)) {
    bri_buf_text(r->out, "<mrow><mi>d</mi>");
    if (n == 2) bri_buf_printf(r->out, "<mi>%c</mi>", w[1]);
    else if (bri_symbol_of(w + 1, n - 1, &s)) letter(r->out, &s);
    bri_buf_text(r->out, "</mrow>");
  } else if (is_pair(w, n)) {
    bri_buf_printf(r->out, "<msub><mi>%c</mi><mi>%c</mi></msub>", w[0], w[1]);
  } else {
    bri_buf_printf(r->out, n == 1 ? "<mi>%.*s</mi>" : "<mi mathvariant=\"normal\">%.*s</mi>", (int)n, w);
  }
  r->s += n;
}

static void fenced(reader *r, char close, const char *left, const char *right)
{
  const int bars = r->bars;
  r->s++;
  r->bars = close == '|';
  bri_buf_printf(r->out, "<mrow><mo>%s</mo>", left);
  sum(r);
  blanks(r);
  if (r->s < r->end && *r->s == close) r->s++;
  else r->bad = 1;
  r->bars = bars;
  bri_buf_printf(r->out, "<mo>%s</mo></mrow>", right);
}

static void primary(reader *r)
{
  blanks(r);
  const char c = r->s < r->end ? *r->s : '\0';
  if (++r->depth > DEEPEST) r->bad = 1;
  if (r->bad || !c) r->bad = 1;
  else if (isdigit((unsigned char)c)) {
    const char *w = r->s;
    while (r->s < r->end && (isdigit((unsigned char)*r->s) || *r->s == '.')) r->s++;
    bri_buf_printf(r->out, "<mn>%.*s</mn>", (int)(r->s - w), w);
  } else if (isalpha((unsigned char)c)) {
    bri_buf_text(r->out, "<mrow>");
    name(r);
    if (r->s < r->end && *r->s == '(') fenced(r, ')', "(", ")"); /* of a function */
    bri_buf_text(r->out, "</mrow>");
  } else if (remark(r->s, r->end)) {
    const char *to = remark(r->s, r->end);
    text(r->out, r->s, (size_t)(to - r->s));
    r->s = to;
  } else if (c == '(') fenced(r, ')', "(", ")");
  else if (c == '[') fenced(r, ']', "[", "]");
  else if (c == '|') fenced(r, '|', "|", "|");
  else r->bad = 1;
  r->depth--;
}

/* A primary with its primes, its sign ("v+") and its exponent. */
static void factor(reader *r)
{
  bri_buf *out = r->out, one = {0}, base = {0};
  r->out = &one;
  primary(r);
  r->out = out;
  if (one.failed) out->failed = 1;
  bri_buf_text(&base, one.text ? one.text : "");
  bri_buf_free(&one);
  int primes = 0;
  while (r->s < r->end && *r->s == '\'') r->s++, primes++;
  const char next = r->s + 1 < r->end ? r->s[1] : ' ';
  const int sign = r->s < r->end && (*r->s == '+' || *r->s == '-') && strchr(" )=,", next) &&
                   r->s[-1] != ' ' && isalpha((unsigned char)r->s[-1]);
  if (primes)
    bri_buf_printf(out, "<mover accent=\"true\">%s<mo>%s</mo></mover>", base.text ? base.text : "",
                   primes > 1 ? "\xc2\xa8" : "\xcb\x99");
  else if (sign) {
    bri_buf_printf(out, "<msup>%s<mo>%c</mo></msup>", base.text ? base.text : "", *r->s);
    r->s++;
  } else if (r->s < r->end && *r->s == '^') {
    r->s++;
    bri_buf power = {0};
    r->out = &power;
    primary(r);
    r->out = out;
    bare(&power);
    bri_buf_printf(out, "<msup>%s<mrow>%s</mrow></msup>", base.text ? base.text : "",
                   power.text ? power.text : "");
    if (power.failed) out->failed = 1;
    bri_buf_free(&power);
  } else bri_buf_text(out, base.text ? base.text : "");
  if (base.failed) out->failed = 1;
  bri_buf_free(&base);
}

/* Factors side by side; what stands before a '/' is over the one factor behind it. */
static void product(reader *r)
{
  bri_buf *out = r->out, row = {0}, last = {0}, under = {0}; /* factors, the last one apart, a denominator */
  int any = 0, differential = 0;
  for (;;) {
    blanks(r);
    const char c = r->s < r->end ? *r->s : '\0';
    if (c == '/' && any) {
      r->s++;
      r->out = &under;
      factor(r);
      bri_buf whole = {0};
      if (!row.used) bare(&last);
      bare(&under);
      if (differential) bri_buf_text(&whole, row.text ? row.text : ""); /* "sigma1 dz/dt" */
      bri_buf_printf(&whole, "<mfrac><mrow>%s%s</mrow><mrow>%s</mrow></mfrac>",
                     !differential && row.text ? row.text : "", last.text ? last.text : "",
                     under.text ? under.text : "");
      if (row.failed || last.failed || under.failed) whole.failed = 1;
      bri_buf_free(&row), bri_buf_free(&last), bri_buf_free(&under);
      last = whole;
      differential = 0;
      continue;
    }
    const char *between = "";
    if ((c == '.' || c == '*') && any) {
      r->s++;
      between = "<mo>\xc2\xb7</mo>";
    } else if (!(isalnum((unsigned char)c) || c == '(' || c == '[' || (c == '|' && !(r->bars && any)))) break;
    else if (any) between = "<mspace width=\"0.17em\"></mspace>";
    bri_buf_text(&row, last.text ? last.text : ""), bri_buf_text(&row, between);
    if (last.failed) row.failed = 1;
    bri_buf_free(&last);
    const char *w = r->s;
    r->out = &last;
    factor(r);
    differential = is_differential(w, (size_t)(r->s - w)) && isalpha((unsigned char)w[0]);
    any = 1;
    if (r->bad) break;
  }
  r->out = out;
  if (!any) r->bad = 1;
  bri_buf_text(out, row.text ? row.text : ""), bri_buf_text(out, last.text ? last.text : "");
  if (row.failed || last.failed) out->failed = 1;
  bri_buf_free(&row), bri_buf_free(&last);
}

/* Products with signs, relations and commas between them. */
static void sum(reader *r)
{
  static const struct {
    const char *typed, *sign;
  } SIGNS[] = {{"<-", "\xe2\x86\x90"},
               {"<=", "\xe2\x89\xa4"},
               {">=", "\xe2\x89\xa5"},
               {"!=", "\xe2\x89\xa0"},
               {"->", "\xe2\x86\x92"},
               {"+", "+"},
               {"-", "\xe2\x88\x92"},
               {"=", "="},
               {"<", "&lt;"},
               {">", "&gt;"},
               {",", ","}};
  if (++r->depth > DEEPEST) r->bad = 1;
  for (int first = 1; !r->bad; first = 0) {
    blanks(r);
    size_t k = 0;
    while (k < sizeof SIGNS / sizeof SIGNS[0] && (r->s + strlen(SIGNS[k].typed) > r->end ||
                                                  strncmp(r->s, SIGNS[k].typed, strlen(SIGNS[k].typed)) != 0))
      k++;
    if (k < sizeof SIGNS / sizeof SIGNS[0]) {
      if (first && SIGNS[k].typed[0] != '-' && SIGNS[k].typed[0] != '<' && SIGNS[k].typed[0] != '>')
        r->bad = 1;
      bri_buf_printf(r->out, "<mo>%s</mo>", SIGNS[k].sign);
      r->s += strlen(SIGNS[k].typed);
      blanks(r);
      if (*r->s == '-' && r->s < r->end) bri_buf_text(r->out, "<mo>\xe2\x88\x92</mo>"), r->s++;
    } else if (!first) break;
    product(r);
  }
  r->depth--;
}

/* A chunk: mathematics as far as it goes; all of it as text where that is not to its end. */
static void chunk(bri_buf *out, const char *s, size_t n)
{
  bri_buf math = {0};
  const int comma = n > 1 && s[n - 1] == ',', prose = words(s, n, 0) > 0;
  if (comma) n--;
  reader r = {s, s + n, 0, 0, 0, &math};
  if (!prose) {
    sum(&r);
    blanks(&r);
  }
  if (!prose && !r.bad && r.s == r.end && !math.failed) bri_buf_add(out, math.text, math.used);
  else text(out, s, n);
  if (comma) bri_buf_text(out, "<mo>,</mo>");
  if (math.failed) out->failed = 1;
  bri_buf_free(&math);
}

void bri_equation_mathml(bri_buf *out, const char *line, size_t n)
{
  bri_buf flat = {0}; /* "F     = x": the columns of the page are not wide gaps */
  for (size_t i = 0; i < n; i++) {
    size_t k = i;
    while (k < n && line[k] == ' ') k++;
    if (k > i && k < n && line[k] == '=') bri_buf_text(&flat, " "), i = k;
    bri_buf_add(&flat, line + i, 1);
  }
  const char *s = flat.text ? flat.text : "", *end = s + flat.used;
  bri_buf_text(out, "<math display=\"block\">");
  while (s < end) {
    while (s < end && *s == ' ') s++;
    const char *to = s;
    while (to < end && (strncmp(to, "  ", 2) != 0 || (to > s && strchr("<>=+-", to[-1])))) to++;
    if (to > s) {
      chunk(out, s, (size_t)(to - s));
      if (to < end) bri_buf_text(out, "<mspace width=\"2em\"></mspace>");
    }
    s = to;
  }
  bri_buf_text(out, "</math>\n");
  if (flat.failed) out->failed = 1;
  bri_buf_free(&flat);
}

static void add_mathml(void *ctx, const char *line, size_t n) { bri_equation_mathml(ctx, line, n); }

void bri_equations_mathml(bri_buf *out, const char *name) { bri_equations_each(name, add_mathml, out); }
