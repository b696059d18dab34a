/* SPDX-License-Identifier: Apache-2.0
 * page.h - what the HTML and the Markdown report share. */
#ifndef BRI_PAGES_PAGE_H
#define BRI_PAGES_PAGE_H
#include "study/study.h"

typedef struct {
  const char *title;
  br_study *const *studies;
  const char *const *folders; /* of each study, seen from the report; "" is its own folder */
  size_t n;
} bri_page;

/* "3 of 4 checks agree, 2 not applicable: overridden"; "" where there are none.  *failed: of those that apply. */
const char *bri_page_count(const bri_page *p, size_t *failed, size_t size, char *buf);
const char *bri_verdict_text(const br_verdict *v); /* "ok", "differs", "not applicable: overridden" */
/* "12.34567" : at most 7 digits, for reading; the exact number stands in the record. */
const char *bri_page_number(double x, size_t size, char *buf);
/* "1.2e-05"; "" where texts were compared. */
const char *bri_page_difference(const br_verdict *v, size_t size, char *buf);
/* A cell of a Markdown table. */
void bri_page_cell(bri_buf *out, const char *text);
/* Link to a file of a study. */
void bri_page_link(bri_buf *out, const bri_page *p, size_t study, const char *file);
/* "document 0, figure 11"; "" when the study does not say. */
const char *bri_page_source(const br_study *s, size_t size, char *buf);
const char *bri_page_text(const br_study *s, const char *section, const char *key);

BR_CHECKED br_status bri_page_markdown(bri_buf *out, const bri_page *p, br_err *err);
BR_CHECKED br_status bri_page_html(bri_buf *out, const bri_page *p, br_err *err);

#endif
