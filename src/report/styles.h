/* SPDX-License-Identifier: Apache-2.0
 * styles.h - styles of lines by name, in studies and in the pictures of analyses. */
#ifndef BRI_REPORT_STYLES_H
#define BRI_REPORT_STYLES_H

/* Not drawn: names of a map's regions stand at the upward axis.  (frame: not drawn either, it sets the
 * ranges.) */
#define BRI_PLOT_TICKS ((br_plot_kind)(BR_PLOT_LAST + 1))

/* Line styles: name in a study and kind of the line. */
#define BRI_STYLES(X)              \
  X("bold", BR_PLOT_THICK)         \
  X("muted", BR_PLOT_BACK)         \
  X("dotted", BR_PLOT_DOTS)        \
  X("dashed", BR_PLOT_DASHED)      \
  X("dashdot", BR_PLOT_DASHDOT)    \
  X("fine", BR_PLOT_FINE)          \
  X("marked", BR_PLOT_MARKED)      \
  X("points", BR_PLOT_POINTS)      \
  X("disc", BR_PLOT_DISCS)         \
  X("circle", BR_PLOT_CIRCLES)     \
  X("square", BR_PLOT_SQUARES)     \
  X("cross", BR_PLOT_CROSSES)      \
  X("star", BR_PLOT_STARS)         \
  X("triangle", BR_PLOT_TRIANGLES) \
  X("ring", BR_PLOT_RINGS)         \
  X("box", BR_PLOT_BOXES)          \
  X("vectors", BR_PLOT_VECTORS)    \
  X("heads", BR_PLOT_HEADS)        \
  X("regions", BR_PLOT_REGION)     \
  X("areas", BR_PLOT_REGION)       \
  X("heat", BR_PLOT_LEVEL)         \
  X("ticks", BRI_PLOT_TICKS)       \
  X("frame", BR_PLOT_LAST)
#define BRI_STYLE_CHOICE(name, kind) "|" name
#define BRI_STYLE_CHOICES "line" BRI_STYLES(BRI_STYLE_CHOICE)

#endif
