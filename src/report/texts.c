/* SPDX-License-Identifier: Apache-2.0
 * texts.c - the texts of a picture: none may hold a control character. */
#include "../text/escape.h"
#include "plot.h"

static br_status check_text(const char *what, const char *text, br_err *err)
{
  if (!text || !bri_find_control(text, 0)) return BR_OK;
  return bri_fail(err, BR_E_ARG,
                  "picture: %s '%.100s' has a control character; expected one line of plain text", what,
                  text);
}

static br_status check_panel(const br_plot_panel *panel, br_err *err)
{
  const char *const what[] = {"title", "axis label",  "axis label",     "unit",
                              "unit",  "scale label", "unit of a scale"};
  const char *const text[] = {panel->title,
                              panel->xlabel,
                              panel->ylabel,
                              panel->xunit,
                              panel->yunit,
                              panel->look ? panel->look->scale : NULL,
                              panel->look ? panel->look->scale_unit : NULL};
  br_status st = BR_OK;
  for (size_t i = 0; i < sizeof text / sizeof text[0] && !st; i++) st = check_text(what[i], text[i], err);
  const size_t names = panel->look && panel->look->names ? panel->look->nnames : 0;
  for (size_t i = 0; i < names && !st; i++) st = check_text("name at an axis", panel->look->names[i], err);
  for (size_t i = 0; i < panel->nlines && !st; i++) st = check_text("label", panel->lines[i].label, err);
  return st;
}

br_status bri_plot_texts(const br_plot *plot, br_err *err)
{
  br_status st = check_text("title", plot->title, err);
  for (size_t p = 0; p < plot->npanels && !st; p++) st = check_panel(&plot->panels[p], err);
  return st;
}
