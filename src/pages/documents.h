/* SPDX-License-Identifier: Apache-2.0
 * documents.h - what a folder of studies says about itself: _report.yaml beside the studies. */
#ifndef BRI_PAGES_DOCUMENTS_H
#define BRI_PAGES_DOCUMENTS_H
#include "yaml/node.h"
#include "study/study.h"

typedef struct {
  bri_arena *arena;
  const bri_node *root; /* NULL: there is no such file */
} bri_documents;

/* Look beside the first study.  Faults of the file are errors with file, line and column; none at all is
 * fine. bri_documents_free() in any case. */
BR_CHECKED br_status bri_documents_load(const br_study *first, bri_documents *out, br_err *err);
void bri_documents_free(bri_documents *d);
/* A text of the whole ("title", "about"), or of a document ("title", "authors", "about"); "": none. */
const char *bri_documents_text(const bri_documents *d, const char *key);
const char *bri_document_text(const bri_documents *d, const char *document, const char *key);

#endif
