/* SPDX-License-Identifier: Apache-2.0
 * symbols.h - names of quantities as a reader writes them: sigma0 is a Greek letter with a subscript. */
#ifndef BRI_REPORT_SYMBOLS_H
#define BRI_REPORT_SYMBOLS_H
#include <stddef.h>
#include <stdio.h>

#include "../text/buf.h"

typedef struct {
  const char *sign; /* UTF-8: a Greek letter; NULL: the letter of the name */
  const char *tex;  /* "\\sigma"; NULL: the same letter */
  char letter[2];
  char sub[8]; /* subscript; "": none */
} bri_symbol;

/* Is this word (n bytes) a quantity's name?  Greek letters by name, with or without a number behind; a letter
 * with a number; a letter with letters where a model or mechanism has such a parameter, state or input. */
int bri_symbol_of(const char *word, size_t n, bri_symbol *s);
int bri_symbol_quantity(const char *word, size_t n); /* does a model or mechanism have such a quantity? */
/* A text piece by piece: symbols (s not NULL) and what stands between them.  Words of file names ("a1.csv",
 * "x/y1") and of names with _ or - in them are no symbols. */
typedef void bri_symbol_fn(void *ctx, const bri_symbol *s, const char *text, size_t n);
void bri_symbols_walk(const char *text, bri_symbol_fn *fn, void *ctx);
int bri_symbols_any(const char *text); /* 1: it has at least one */

/* A string of a gnuplot script with what tells gnuplot to read subscripts in it, or not. */
void bri_symbols_gnuplot(FILE *f, const char *text);
void bri_symbols_html(bri_buf *b, const char *text);  /* subscripts as <sub> */
void bri_symbols_plain(bri_buf *b, const char *text); /* subscripts of digits as Unicode */
void bri_symbols_tex(FILE *f, const char *text);      /* as mathematics; every other sign is text */

#endif
