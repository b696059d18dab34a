/* SPDX-License-Identifier: Apache-2.0
 * equations.h - the equations of a model or mechanism, from its README.md, as text and as MathML. */
#ifndef BRI_REPORT_EQUATIONS_H
#define BRI_REPORT_EQUATIONS_H
#include "../text/buf.h"

/* The beginning of a page, as CMake packed it. */
typedef struct {
  const char *name;
  const unsigned char *text;
} bri_equations_page;
extern const bri_equations_page bri_equations_pages[]; /* ends with a NULL name */

/* Each line of the equations of a model or mechanism, in their order; nothing where the name is unknown. */
typedef void bri_equation_fn(void *ctx, const char *line, size_t n);
void bri_equations_each(const char *name, bri_equation_fn *fn, void *ctx);

/* One line as MathML: mathematics as such, words as words.  What is no mathematics at all becomes text. */
void bri_equation_mathml(bri_buf *out, const char *line, size_t n);
/* All equations of a model or mechanism, one <math> per line. */
void bri_equations_mathml(bri_buf *out, const char *name);

#endif
