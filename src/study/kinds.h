/* SPDX-License-Identifier: Apache-2.0
 * kinds.h - kinds of pictures: a name and the keys of a plot (YAML) that the plot's own keys come on top of.
 * Columns "$value", "$fit" stand for what the plot says under that key. */
#ifndef BRI_STUDY_KINDS_H
#define BRI_STUDY_KINDS_H
#include "report/styles.h"

/* Tables of the analysis 'phase'; see an_phase.c. */
#define BRI_KIND_BIFURCATION                                                              \
  "{ylabel: velocity v, lines: ["                                                         \
  "{table: equilibria-saddle*, style: dotted, colour: 6, label: saddle},"                 \
  "{table: equilibria-unstable*, style: dashed, colour: 0, label: unstable sliding},"     \
  "{table: equilibria-stable*, style: bold, colour: 0, label: stable sliding},"           \
  "{table: cycles-unstable*, y: v_max, style: dashed, colour: 1, label: unstable cycle}," \
  "{table: cycles-unstable*, y: v_min, style: dashed, colour: 1, label: unstable cycle}," \
  "{table: cycles-stable*, y: v_max, style: bold, colour: 2, label: stable cycle},"       \
  "{table: cycles-stable*, y: v_min, style: bold, colour: 2, label: stable cycle},"       \
  "{table: hopf*, style: disc, colour: 6},"                                               \
  "{table: homoclinic*, style: square, colour: 6},"                                       \
  "{table: fold*, style: triangle, colour: 6}, {table: period_doubling*, style: circle, colour: 6}]}"

#define BRI_KIND_CURVES                                                            \
  "{lines: ["                                                                      \
  "{table: curve-hopf*, style: points, colour: 0, label: Hopf point},"             \
  "{table: curve-homoclinic*, style: box, colour: 1, label: homoclinic orbit},"    \
  "{table: curve-fold_of_cycles*, style: ring, colour: 2, label: fold of cycles}," \
  "{table: curve-generalized_hopf*, style: triangle, colour: 6, label: generalised Hopf point}]}"

#define BRI_KIND_HOPF                                                                       \
  "{x: v, y: F, xlabel: velocity v, ylabel: force F, lines: ["                              \
  "{table: criticality, style: regions, value: kind}, {table: force_window, style: frame}," \
  "{table: lyapunov_zero*, style: bold, colour: 2, label: '\xce\x94 = 0'},"                 \
  "{table: sigma2_zero, style: bold, colour: 6, label: 'sigma2 = 0'},"                      \
  "{table: a0_zero, style: dashed, colour: 6, label: 'a0 = 0'},"                            \
  "{table: sigma2_here, style: fine, colour: 0},"                                           \
  "{table: generalized*, style: triangle, colour: 6}]}"

#define BRI_KIND_CASE_MAP "{lines: [{table: map, style: regions, value: case}]}"

#define BRI_KIND_STRIBECK                                                                        \
  "{x: F, y: v, xlabel: force F, ylabel: velocity v, lines: ["                                   \
  "{table: force_window, style: frame},"                                                         \
  "{table: family*, style: fine, colour: 4},"                                                    \
  "{table: sigma2_zero, style: bold, colour: 2, label: 'sigma2 = 0'},"                           \
  "{table: sigma2_infinite, style: bold, colour: 2, label: 'sigma2 \xe2\x86\x92 \xe2\x88\x9e'}," \
  "{table: a0_zero, style: dashed, colour: 6, label: 'a0 = 0'},"                                 \
  "{table: sigma2_here, style: line, colour: 0},"                                                \
  "{table: fold_here*, style: triangle, colour: 6, label: fold},"                                \
  "{table: sliding_here*, style: disc, colour: 6, label: ''}]}"

#define BRI_KIND_PORTRAIT                                                                            \
  "{x: z, y: v, xlabel: bristle deflection z, ylabel: velocity v, lines: ["                          \
  "{table: basins*, style: areas, value: end},"                                                      \
  "{table: window, style: frame},"                                                                   \
  "{table: zero, style: muted, label: v = 0},"                                                       \
  "{table: z_nullcline*, style: dotted, colour: 0, label: 'z\xe2\x80\xb2 = 0'},"                     \
  "{table: v_nullcline*, style: dashdot, colour: 3, label: 'v\xe2\x80\xb2 = 0'},"                    \
  "{table: stable_manifold*, style: fine, colour: 5, label: stable manifold},"                       \
  "{table: unstable_manifold*, style: fine, colour: 6, label: unstable manifold},"                   \
  "{table: stable_cycle*, style: bold, colour: 2, label: stable cycle},"                             \
  "{table: unstable_cycle*, style: dashed, colour: 1, label: unstable cycle},"                       \
  "{table: heads, style: heads, colour: 6},"                                                         \
  "{table: stable_point*, style: disc, colour: 2}, {table: saddle_point*, style: cross, colour: 1}," \
  "{table: unstable_point*, style: circle, colour: 1}, {table: stick_point*, style: square, colour: 6}]}"

#define BRI_KIND_LAG                                                                \
  "{x: v, y: F, xlabel: velocity v, ylabel: friction force, lines: ["               \
  "{table: lag_cycle*, style: bold, colour: 0, label: whole force},"                \
  "{table: lag_cycle*, y: F_elastic, style: line, colour: 1, label: elastic part}," \
  "{table: lag_steady*, style: dotted, colour: 6, label: steady sliding},"          \
  "{table: lag_heads*, style: heads, colour: 6}]}"

#define BRI_KIND_HEATMAP "{value: value, lines: [{style: heat}]}"
#define BRI_KIND_WORK_PRECISION "{scale: loglog, lines: [{style: marked}]}"
#define BRI_KIND_FIT                                                                                      \
  "{panels: [{lines: [{style: points, colour: 0, label: data}, {y: $fit, style: bold, colour: 1, label: " \
  "fit}]},"                                                                                               \
  "{under: 'yes', ylabel: residual, lines: [{minus: $fit, style: points, colour: 0, label: ''}]}]}"

/* X(name as in a study, keys) */
#define BRI_KINDS(X)                           \
  X("bifurcation", BRI_KIND_BIFURCATION)       \
  X("curves", BRI_KIND_CURVES)                 \
  X("hopf", BRI_KIND_HOPF)                     \
  X("case-map", BRI_KIND_CASE_MAP)             \
  X("stribeck", BRI_KIND_STRIBECK)             \
  X("portrait", BRI_KIND_PORTRAIT)             \
  X("lag", BRI_KIND_LAG)                       \
  X("heatmap", BRI_KIND_HEATMAP)               \
  X("work-precision", BRI_KIND_WORK_PRECISION) \
  X("fit", BRI_KIND_FIT)

#define BRI_KIND_CHOICE(name, keys) "|" name
#define BRI_KIND_CHOICES "lines" BRI_KINDS(BRI_KIND_CHOICE)

#endif
