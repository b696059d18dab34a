/* SPDX-License-Identifier: Apache-2.0
 * analyses.c - the analyses a study may ask for: those of the catalogue and those of this room alone. */
#include "ask.h"

#define BRI_ANALYSIS(id)                      \
  extern const br_analysis bri_analysis_##id; \
  static const bri_analysis from_##id = {.face = {.name = #id}, .run = bri_ask_run};
#include "analysis/analyses.def"
#undef BRI_ANALYSIS

#define BRI_ANALYSIS(id) &from_##id,
const bri_analysis *const bri_analyses[] = {
#include "analysis/analyses.def"
    NULL};
#undef BRI_ANALYSIS

const br_analysis *bri_asks(const bri_analysis *an)
{
#define BRI_ANALYSIS(id) \
  if (an == &from_##id) return &bri_analysis_##id;
#include "analysis/analyses.def"
#undef BRI_ANALYSIS
  return NULL;
}
