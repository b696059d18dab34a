/* SPDX-License-Identifier: Apache-2.0
 * draw.h - the pictures of a study, one after the other. */
#ifndef BRI_STUDY_DRAW_H
#define BRI_STUDY_DRAW_H
#include "bristle/report.h"
#include "study.h"

typedef br_status bri_plot_fn(void *ctx, const char *name, const br_plot *plot, br_err *err);
/* Call fn for every picture, with its lines read from the tables of the last run. */
BR_CHECKED br_status bri_study_each_plot(const br_study *s, bri_plot_fn *fn, void *ctx, br_err *err);

/* What a panel is made from: its own keys, those of the plot around it, the line being drawn. */
typedef struct {
  const br_study *s;
  bri_arena *arena;
  const bri_node *plot, *panel, *line; /* line NULL: the default one */
  const br_analysis *only;             /* default picture: runs of this analysis; NULL: all */
} bri_frame;
BR_CHECKED br_status bri_panel_make(bri_frame *f, br_plot_panel *panel, br_err *err);

#endif
