/* SPDX-License-Identifier: Apache-2.0
 * escape.h - text from strangers (files, options, headings): which characters may be shown, and how it is
 * written where some of them would be read as more than text. */
#ifndef BRI_TEXT_ESCAPE_H
#define BRI_TEXT_ESCAPE_H
#include <stddef.h>
#include <stdio.h>

#include "buf.h"

/* Bytes of the UTF-8 character at s; 0: no such character (overlong and surrogate forms are none). */
size_t bri_utf8_length(const char *s);
/* The same for characters that may be shown.  0 for control characters (line ends and tabs among them), for
 * marks that turn the direction of writing and for bytes that are no UTF-8: a terminal obeys all of them. */
size_t bri_shown_length(const char *s);
/* First control character (as above; bytes that are no UTF-8 do not count) of s, NULL: none.
 * lines: line ends and tabs are allowed. */
const char *bri_find_control(const char *s, int lines);

/* What may be shown stays, every other byte becomes \xNN.  size: of out, terminator included; what does not
 * fit is cut between characters.  Returns out. */
char *bri_escape(const char *s, size_t size, char *out);

/* A string of a gnuplot script, quotes included: "..." with every sign that gnuplot may read as more than
 * text in octal.  ('...' would not do: there '' stands for ' only behind another character.)  What may not be
 * shown becomes U+FFFD. */
void bri_gnuplot_text(FILE *f, const char *s);
/* The same without quotes, for comments: a backslash, which could join the next line, becomes a slash. */
void bri_gnuplot_comment(FILE *f, const char *s);
/* & < > " as HTML, what may not be shown as \xNN; line ends and tabs become blanks. */
void bri_buf_html(bri_buf *b, const char *s);
/* One line of Markdown that reads as the text itself, also within a table. */
void bri_buf_markdown(bri_buf *b, const char *s);
/* A path as the target of a link: every byte but letters, digits and -._~/ as %NN. */
void bri_buf_link(bri_buf *b, const char *s);

#endif
