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
    &bri_an_simulate, &bri_an_signal, &bri_an_steady, &bri_an_field, NULL};
#undef BRI_ANALYSIS

const br_analysis *bri_asks(const bri_analysis *an)
{
#define BRI_ANALYSIS(id) \
  if (an == &from_##id) return &bri_analysis_##id;
#include "analysis/analyses.def"
#undef BRI_ANALYSIS
  return NULL;
}

int bri_wants_input(const bri_analysis *an)
{
  const br_analysis *a = bri_asks(an);
  return a ? (a->needs & BR_NEEDS_INPUT) != 0 : an->face.wants_input;
}

int bri_wants_system(const bri_analysis *an)
{
  const br_analysis *a = bri_asks(an);
  return a ? (a->needs & BR_NEEDS_SYSTEM) != 0 : an->face.wants_system;
}

int bri_takes_two_axes(const bri_analysis *an)
{
  const br_analysis *a = bri_asks(an);
  return a ? (a->needs & BR_TAKES_TWO_AXES) != 0 : an->axes > 1;
}
