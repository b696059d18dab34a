/* SPDX-License-Identifier: Apache-2.0
 * inline.h - a picture inside a page. */
#ifndef BRI_REPORT_INLINE_H
#define BRI_REPORT_INLINE_H
#include "../text/buf.h"

/* CSS variables of the house colours, light and, by media query, dark. */
void bri_inline_style(bri_buf *out);
/* The svg at path as an element of a page: its house colours become the CSS variables above.  alt: what it
 * shows, for readers who cannot see it.  BR_E_IO when it is not there. */
BR_CHECKED br_status bri_inline_svg(bri_buf *out, const char *path, const char *alt, br_err *err);

#endif
