/* SPDX-License-Identifier: Apache-2.0
 * fit.h - printed text for a narrow screen.  Internal. */
#ifndef BRI_TEXT_FIT_H
#define BRI_TEXT_FIT_H
#include <stddef.h>

#include "buf.h"

/* Text with lines of at most `width` columns (20 or more): tables (lines of the same three or more cells, two
 * blanks between them) with shorter numbers and gaps, or, where that is not enough, one line per cell;
 * everything else is broken between words.  Lines that fit stay as they are.  A word longer than the width
 * stays whole. */
void bri_fit(const char *text, size_t width, bri_buf *out);

#endif
