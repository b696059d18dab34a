/* SPDX-License-Identifier: Apache-2.0
 * html.h - what the HTML pages share. */
#ifndef BRI_PAGES_HTML_H
#define BRI_PAGES_HTML_H
#include "page.h"

void bri_html_cell(bri_buf *out, const char *class, const char *text);
/* "": nothing */
void bri_html_paragraph(bri_buf *out, const char *class, const char *text);
/* The checks of studies first..last, folded under their count; `open`: where one differs. */
void bri_html_checks(bri_buf *out, const bri_page *p, const char *document, size_t only);
/* The pictures of a study, inside the page; `most` of them. */
BR_CHECKED br_status bri_html_pictures(bri_buf *out, const br_study *s, size_t most, br_err *err);
/* Whole pages between <main> and </main>: of several studies, of one. */
BR_CHECKED br_status bri_html_gallery(bri_buf *out, const bri_page *p, br_err *err);
BR_CHECKED br_status bri_html_study(bri_buf *out, const bri_page *p, br_err *err);
/* What the runs of a study were made from: equations, parameters, inputs, method and error. */
void bri_html_made_of(bri_buf *out, const br_study *s);

#endif
