/* SPDX-License-Identifier: Apache-2.0
 * page.h - what the pages share. */
#ifndef BRI_PAGES_PAGE_H
#define BRI_PAGES_PAGE_H
#include "documents.h"
#include "study/study.h"

typedef struct {
  const char *title;
  br_study *const *studies;
  const char *const *folders; /* of each study, seen from the report; "" is its own folder */
  size_t n;
  const bri_documents *documents;
} bri_page;

/* How many checks there are, agree, differ, do not apply. */
typedef struct {
  size_t checks, failed, aside;
} bri_count;
/* Of the studies of one document; NULL: of all. */
bri_count bri_page_count(const bri_page *p, const char *document);
bri_count bri_study_count(const br_study *s);
/* "3 of 4 checks agree, 2 not applicable: overridden"; "" where there are none. */
const char *bri_count_text(const bri_count *c, size_t size, char *buf);
const char *bri_verdict_text(const br_verdict *v); /* "ok", "differs", "not applicable: overridden" */
/* "12.34567" : at most 7 digits, for reading; the exact number stands in the record. */
const char *bri_page_number(double x, size_t size, char *buf);
/* Reference, result and difference of a verdict with the digits that its tolerance lets one trust. */
typedef struct {
  char reference[64], obtained[64], difference[40];
} bri_trusted;
void bri_page_trusted(const br_verdict *v, bri_trusted *t);
/* "run quantity", without the run where there is only one */
const char *bri_page_quantity(const br_study *s, const br_verdict *v, size_t size, char *buf);
/* A cell of a Markdown table. */
void bri_page_cell(bri_buf *out, const char *text);
/* Link to a file of a study. */
void bri_page_link(bri_buf *out, const bri_page *p, size_t study, const char *file);
/* "document 0, figure 11"; "" when the study does not say. */
const char *bri_page_source(const br_study *s, size_t size, char *buf);
const char *bri_page_text(const br_study *s, const char *section, const char *key);

/* Documents of the studies, in their order; "" stands for studies of none and comes last.  NULL behind the
 * last. */
const char *bri_page_document(const bri_page *p, size_t index);
int bri_page_of_document(const br_study *s, const char *document);
/* "Document 0: Minor loops ..."; "Further studies" */
void bri_page_heading(const bri_page *p, const char *document, bri_buf *out);

/* The table of key 'summary', if there is one. */
void bri_page_summary(bri_buf *out, const br_study *s, int html);

BR_CHECKED br_status bri_page_markdown(bri_buf *out, const bri_page *p, br_err *err);
BR_CHECKED br_status bri_page_html(bri_buf *out, const bri_page *p, br_err *err);

#endif
