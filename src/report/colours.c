/* SPDX-License-Identifier: Apache-2.0
 * colours.c - the house colours. */
#include "colours.h"

const bri_colour bri_colours[BRI_COLOURS] = {
    {"c0", "#0072B2", "#4DA8E8"},
    {"c1", "#D55E00", "#FF8A4C"},
    {"c2", "#009E73", "#35CC9E"},
    {"c3", "#CC79A7", "#E7A3C9"},
    {"c4", "#56B4E9", "#A5DCFF"},
    {"c5", "#E69F00", "#F4C04E"},
    {"c6", "#000000", "#FFFFFF"},
    [BRI_MUTED] = {"muted", "#8A8A8A", "#8B949C"},
    [BRI_AXIS] = {"axis", "#444444", "#A8B0B8"},
    [BRI_TEXT] = {"text", "#222222", "#DDE2E6"},
    [BRI_TITLE] = {"title", "#111111", "#F2F4F5"},
    [BRI_GRID] = {"grid", "#E4E4E4", "#30363C"},
    [BRI_PAPER] = {"paper", "#FFFFFF", "#1B1F23"},
};
