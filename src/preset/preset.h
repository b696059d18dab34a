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
/* "presets": [...] into an open object; a list or one of them for people.  NULL: all. */
void bri_presets_json(bri_json *j, const br_preset *only);
void bri_presets_text(bri_buf *b, const br_preset *one);

#endif
