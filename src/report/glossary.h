/* SPDX-License-Identifier: Apache-2.0
 * glossary.h - the entries of docs/glossary.md, as CMake packed the page. */
#ifndef BRI_REPORT_GLOSSARY_H
#define BRI_REPORT_GLOSSARY_H
#include "../text/buf.h"

extern const unsigned char bri_glossary_page[]; /* ends with a zero */

/* Entry i: its heading ("creep, drift": several names), and its text up to the next one.  0 behind the last.
 * */
typedef struct {
  const char *names, *text;
  size_t nnames, ntext; /* bytes */
} bri_glossary_entry;
int bri_glossary_at(size_t i, bri_glossary_entry *e);
/* The entry of that name, or that begins with this word, large or small letters alike; NULL hint, or the
 * nearest name into it.  0: none. */
int bri_glossary_find(const char *name, bri_glossary_entry *e, size_t size, char *hint);
/* Its text as one paragraph: links as their words, marks of code left out. */
void bri_glossary_text(const bri_glossary_entry *e, bri_buf *out);

#endif
