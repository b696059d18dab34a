/* SPDX-License-Identifier: Apache-2.0
 * analysis_pictures.c - the pictures of the analysis 'phase', as data: commands and studies draw them. */
#include "analysis/rows.h"
#include "question.h"

/* Places in the palette. */
enum { BLUE = 1, RED, GREEN, PINK, SKY, AMBER, BLACK };

static const br_picture_line BIFURCATION[] = {
    {.table = "equilibria-saddle*", .style = "dotted", .colour = BLACK, .label = "saddle"},
    {.table = "equilibria-unstable*", .style = "dashed", .colour = BLUE, .label = "unstable sliding"},
    {.table = "equilibria-stable*", .style = "bold", .colour = BLUE, .label = "stable sliding"},
    {.table = "cycles-unstable*", .y = "v_max", .style = "dashed", .colour = RED, .label = "unstable cycle"},
    {.table = "cycles-unstable*", .y = "v_min", .style = "dashed", .colour = RED, .label = "unstable cycle"},
    {.table = "cycles-stable*", .y = "v_max", .style = "bold", .colour = GREEN, .label = "stable cycle"},
    {.table = "cycles-stable*", .y = "v_min", .style = "bold", .colour = GREEN, .label = "stable cycle"},
    {.table = "hopf*", .style = "disc", .colour = BLACK},
    {.table = "homoclinic*", .style = "square", .colour = BLACK},
    {.table = "fold*", .style = "triangle", .colour = BLACK},
    {.table = "period_doubling*", .style = "circle", .colour = BLACK},
    {.table = "grazing*", .style = "star", .colour = BLACK},
};
static const br_picture_line CURVES[] = {
    {.table = "curve-fold_of_equilibria*", .style = "dotted", .colour = BLACK, .label = "fold of equilibria"},
    {.table = "curve-hopf*", .style = "bold", .colour = BLUE, .label = "Hopf point"},
    {.table = "curve-homoclinic*", .style = "line", .colour = RED, .label = "homoclinic orbit"},
    {.table = "curve-fold_of_cycles*", .style = "dashed", .colour = GREEN, .label = "fold of cycles"},
    {.table = "curve-period_doubling*", .style = "dashdot", .colour = PINK, .label = "period doubling"},
    {.table = "curve-generalized_hopf*", .style = "triangle", .colour = BLACK, .label = "Bautin"},
    {.table = "curve-bogdanov_takens*", .style = "disc", .colour = BLACK, .label = "Bogdanov-Takens"},
    {.table = "curve-neutral_saddle*", .style = "square", .colour = BLACK, .label = "neutral saddle"},
    {.table = "curve-cusp*", .style = "star", .colour = BLACK, .label = "cusp"},
};
static const br_picture_line HOPF[] = {
    {.table = "criticality", .style = "regions", .value = "kind"},
    {.table = "force_window", .style = "frame"},
    {.table = "lyapunov_zero*", .style = "bold", .colour = GREEN, .label = "\xce\x94 = 0"},
    {.table = "sigma2_zero", .style = "bold", .colour = BLACK, .label = "sigma2 = 0"},
    {.table = "a0_zero", .style = "dashed", .colour = BLACK, .label = "a0 = 0"},
    {.table = "sigma2_here", .style = "fine", .colour = BLUE},
    {.table = "generalized*", .style = "triangle", .colour = BLACK},
};
static const br_picture_line CASE_MAP[] = {{.table = "map_strips", .style = "regions", .value = "case"}};
static const br_picture_line DAMPING[] = {
    {.table = "force_window", .style = "frame"},
    {.table = "damping*", .style = "line", .colour = BLUE},
    {.table = "sigma2_zero", .style = "bold", .colour = BLACK, .label = "sigma2 = 0"},
    {.table = "a0_zero", .style = "dashed", .colour = BLACK, .label = "a0 = 0"},
    {.table = "lyapunov_zero*", .style = "dotted", .colour = GREEN, .label = "\xce\x94 = 0"},
};
static const br_picture_line STRIBECK[] = {
    {.table = "sliding_regions", .style = "areas", .value = "kind"},
    {.table = "force_window", .style = "frame"},
    {.table = "family*", .style = "fine", .colour = SKY},
    {.table = "sigma2_zero", .style = "bold", .colour = GREEN, .label = "sigma2 = 0"},
    {.table = "sigma2_infinite", .style = "bold", .colour = GREEN, .label = ""},
    {.table = "a0_zero", .style = "dashed", .colour = BLACK, .label = "a0 = 0"},
    {.table = "sigma2_here", .style = "line", .colour = BLUE},
    {.table = "fold_here*", .style = "triangle", .colour = BLACK, .label = "fold"},
    {.table = "sliding_here*", .style = "disc", .colour = BLACK, .label = ""},
};
/* What a portrait and its close-up share. */
#define PLANE_LINES                                                                                    \
  {.table = "zero", .style = "muted", .label = "v = 0"},                                               \
      {.table = "z_nullcline*", .style = "dotted", .colour = BLUE, .label = "z\xe2\x80\xb2 = 0"},      \
      {.table = "v_nullcline*", .style = "dashdot", .colour = PINK, .label = "v\xe2\x80\xb2 = 0"},     \
      {.table = "stable_manifold*", .style = "fine", .colour = AMBER, .label = "separatrix"},          \
      {.table = "unstable_manifold*", .style = "fine", .colour = BLACK, .label = "unstable manifold"}, \
      {.table = "stable_cycle*", .style = "bold", .colour = GREEN, .label = "stable cycle"},           \
      {.table = "unstable_cycle*", .style = "dashed", .colour = RED, .label = "unstable cycle"},       \
      {.table = "heads", .style = "heads", .colour = BLACK},                                           \
      {.table = "stable_point*", .style = "disc", .colour = GREEN},                                    \
      {.table = "saddle_point*", .style = "cross", .colour = RED},                                     \
      {.table = "unstable_point*", .style = "circle", .colour = RED},                                  \
  {                                                                                                    \
    .table = "stick_point*", .style = "square", .colour = BLACK                                        \
  }
static const br_picture_line PORTRAIT[] = {{.table = "basins*", .style = "areas", .value = "end"},
                                           {.table = "window", .style = "frame"},
                                           PLANE_LINES};
static const br_picture_line CLOSE_UP[] = {{.table = "basins*", .style = "areas", .value = "end"},
                                           {.table = "close_window", .style = "frame"},
                                           PLANE_LINES};
static const br_picture_line LAG[] = {
    {.table = "lag_cycle*", .style = "bold", .colour = BLUE, .label = "whole force"},
    {.table = "lag_cycle*", .y = "F_elastic", .style = "line", .colour = RED, .label = "elastic part"},
    {.table = "lag_steady*", .style = "dotted", .colour = BLACK, .label = "steady sliding"},
    {.table = "lag_steady*",
     .y = "F_elastic",
     .style = "dashdot",
     .colour = BLACK,
     .label = "Stribeck curve F_f(v)"},
    {.table = "lag_heads*", .style = "heads", .colour = BLACK},
    {.table = "lag_heads*", .y = "F_elastic", .style = "heads", .colour = BLACK},
};

#define BIFURCATION_PANEL \
  .ylabel = "v (cycles: least, greatest)", .lines = BIFURCATION, .nlines = BRI_LENGTH(BIFURCATION)
#define CURVES_PANEL .lines = CURVES, .nlines = BRI_LENGTH(CURVES)

const br_picture_panel bri_phase_usual[2] = {{BIFURCATION_PANEL, .when = "equilibria-*"},
                                             {CURVES_PANEL, .when = "curve-*"}};
static const br_picture_panel BIFURCATION_PANELS[] = {{BIFURCATION_PANEL}};
static const br_picture_panel CURVES_PANELS[] = {{CURVES_PANEL}};
static const br_picture_panel HOPF_PANELS[] = {BRI_PANEL(HOPF, "v", "F", "velocity v", "force F")};
static const br_picture_panel DAMPING_PANELS[] = {BRI_PANEL(DAMPING, "v", "F", "velocity v", "force F")};
static const br_picture_panel MAP_PANELS[] = {{.lines = CASE_MAP, .nlines = BRI_LENGTH(CASE_MAP)}};
static const br_picture_panel STRIBECK_PANELS[] = {BRI_PANEL(STRIBECK, "F", "v", "force F", "velocity v")};
static const br_picture_panel PORTRAIT_PANELS[] = {
    BRI_PANEL(PORTRAIT, "z", "v", "bristle deflection z", "velocity v", .series = 1),
    BRI_PANEL(CLOSE_UP, "z", "v", "bristle deflection z", "velocity v", .when = "close_window", .series = 1)};
static const br_picture_panel LAG_PANELS[] = {BRI_PANEL(LAG, "v", "F", "velocity v", "friction force")};

const br_picture bri_phase_pictures[BRI_PHASE_PICTURES] = {
    {BIFURCATION_PANELS, 1, "bifurcation"},
    {CURVES_PANELS, 1, "curves"},
    {bri_phase_usual, 2, "diagram", "diagram", "Equilibria, cycles and where they change"},
    {PORTRAIT_PANELS, 2, "portrait", "portrait", "Phase portrait"},
    {MAP_PANELS, 1, "case-map", "map", "Bifurcation case"},
    {HOPF_PANELS, 1, "hopf", "hopf", "Where sliding loses stability"},
    {STRIBECK_PANELS, 1, "stribeck", "stribeck", "Sliding equilibria"},
    {LAG_PANELS, 1, "lag", "loops", "Frictional lag along a cycle"},
    {DAMPING_PANELS, 1, "hopf-damping"},
};
