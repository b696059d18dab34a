/* SPDX-License-Identifier: Apache-2.0
 * preset.h - what front ends take from this room. */
#ifndef BRI_PRESET_H
#define BRI_PRESET_H
#include "bristle/preset.h"
#include "bristle/status.h"
#include "text/buf.h"
#include "text/json.h"

/* By name; BR_E_NAME with the nearest one. */
BR_CHECKED br_status bri_preset_find(const char *name, const br_preset **out, br_err *err);
/* How many have every word of `text` in their name, title, model, mechanism or source, upper or lower case;
 * one by its whole name is the only one.  NULL: all. */
size_t bri_presets_found(const char *text);
/* "presets": [...] into an open object; a list for people, one alone with its values. */
void bri_presets_json(bri_json *j, const char *text);
void bri_presets_text(bri_buf *b, const char *text);

#endif
