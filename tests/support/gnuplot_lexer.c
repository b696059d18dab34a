/* SPDX-License-Identifier: Apache-2.0
 * gnuplot_lexer.c - what gnuplot sees in a script. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "support/gnuplot_lexer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  FILE *words, *strings;
  gnuplot_tokens *out;
} lexer;

/* gnuplot joins a line that ends with a backslash to the next one before it looks at anything else. */
static char *joined(const char *script)
{
  const size_t n = strlen(script);
  char *text = malloc(n + 1), *to = text;
  if (!text) abort();
  for (size_t i = 0; i < n; i++) {
    if (script[i] == '\\' && script[i + 1] == '\n') i++;
    else *to++ = script[i];
  }
  *to = '\0';
  return text;
}

static int is_octal(char c) { return c >= '0' && c <= '7'; }

/* Behind the opening double quote; returns what follows the closing one. */
static const char *double_quoted(lexer *l, const char *s)
{
  for (; *s != '"'; s++) {
    if (!*s || *s == '\n') {
      l->out->open = 1;
      return s;
    }
    if (*s == '`') l->out->runs = 1;
    if (*s != '\\') {
      fputc(*s, l->strings);
    } else if (is_octal(s[1])) {
      int value = 0, digits = 0;
      for (; digits < 3 && is_octal(s[1]); digits++) value = 8 * value + (*++s - '0');
      fputc(value, l->strings);
    } else if (s[1] && s[1] != '\n') {
      s++;
      fputc(*s == 'n' ? '\n' : *s == 't' ? '\t' : *s, l->strings);
    }
  }
  fputc('\n', l->strings);
  fputs("\"\" ", l->words);
  return s + 1;
}

/* '' stands for ' only where a character that is not a quote stands before it. */
static const char *single_quoted(lexer *l, const char *s)
{
  for (; *s != '\''; s++) {
    if (!*s || *s == '\n') {
      l->out->open = 1;
      return s;
    }
    fputc(*s, l->strings);
    if (s[1] == '\'' && s[2] == '\'') {
      fputc('\'', l->strings);
      s += 2;
    }
  }
  fputc('\n', l->strings);
  fputs("'' ", l->words);
  return s + 1;
}

static const char *word(lexer *l, const char *s)
{
  static const char *const COMMANDS[] = {"system", "shell", "eval", "evaluate", "load", "call",
                                         "import", "pause", "cd",   "fit",      "print"};
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
  for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
    if (strlen(COMMANDS[i]) == n && memcmp(COMMANDS[i], s, n) == 0) l->out->runs = 1;
  }
  fprintf(l->words, "%.*s ", (int)n, s);
  return s + n;
}

static const char *number(lexer *l, const char *s)
{
  char *end = NULL;
  (void)strtod(s, &end);
  fputs("0 ", l->words);
  return end > s ? end : s + 1;
}

static const char *token(lexer *l, const char *s, int first)
{
  if (*s == '"') return double_quoted(l, s + 1);
  if (*s == '\'') return single_quoted(l, s + 1);
  if (*s == '#') return s + strcspn(s, "\n");
  if (isalpha((unsigned char)*s) || *s == '_') return word(l, s);
  if (isdigit((unsigned char)*s)) return number(l, s);
  if (*s == '-' && isdigit((unsigned char)s[1])) return s + 1; /* signs of numbers say nothing */
  if (*s == '`' || *s == '@' || *s == '|' || (*s == '!' && first)) l->out->runs = 1;
  if (!isspace((unsigned char)*s) && !isprint((unsigned char)*s)) l->out->runs = 1; /* nothing a script has */
  fputc(*s, l->words);
  return s + 1;
}

gnuplot_tokens gnuplot_lex(const char *script)
{
  gnuplot_tokens out = {NULL, NULL, 0, 0};
  size_t nw = 0, ns = 0;
  lexer l = {open_memstream(&out.words, &nw), open_memstream(&out.strings, &ns), &out};
  char *text = joined(script);
  if (!l.words || !l.strings) abort();
  int first = 1;
  for (const char *s = text; *s;) {
    const char at = *s;
    if (at == ' ' || at == '\t') {
      s++;
      continue;
    }
    s = token(&l, s, first);
    first = at == '\n' || at == ';';
  }
  free(text);
  if (fclose(l.words) != 0 || fclose(l.strings) != 0) abort();
  return out;
}

void gnuplot_tokens_free(gnuplot_tokens *t)
{
  free(t->words);
  free(t->strings);
}
