/* SPDX-License-Identifier: Apache-2.0
 * kinds.h - kinds of pictures that a plot may name: those of the catalogue's analyses (br_picture_find) and
 * those of any table, in pictures.c.  A test holds the list against both. */
#ifndef BRI_STUDY_KINDS_H
#define BRI_STUDY_KINDS_H
#include "bristle/analysis.h"
#include "report/styles.h"

#define BRI_KIND_CHOICES                                                                                 \
  "lines|bifurcation|curves|diagram|portrait|case-map|hopf|hopf-damping|stribeck|lag|hunting|responses|" \
  "bode|heatmap|work-precision|fit"

/* The picture of a kind; NULL: "lines", or unknown. */
const br_picture *bri_kind_find(const char *kind);

#endif
