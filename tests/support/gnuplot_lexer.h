/* SPDX-License-Identifier: Apache-2.0
 * gnuplot_lexer.h - what gnuplot sees in a script: its words and its strings, by rules of its own (those of
 * gnuplot 5.4's scanner, found by experiment), so that the writer of scripts is not checked by itself. */
#ifndef BRT_GNUPLOT_LEXER_H
#define BRT_GNUPLOT_LEXER_H
#include <stddef.h>

typedef struct {
  char *words;   /* everything outside of strings and comments; numbers as 0, a string as "" or '' */
  char *strings; /* contents of all strings as gnuplot decodes them, each followed by a line end */
  int runs;      /* 1: a command could be run: backquotes, a macro, "!" in front of a line, system ... */
  int open;      /* 1: a string is not closed at the end of its line */
} gnuplot_tokens;

gnuplot_tokens gnuplot_lex(const char *script); /* aborts when memory is short */
void gnuplot_tokens_free(gnuplot_tokens *t);

#endif
