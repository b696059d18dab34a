/* SPDX-License-Identifier: Apache-2.0
 * preset.c - the published parameter sets by number and by name. */
#include "preset.h"

#include <string.h>

#include "text/fail.h"

static const br_preset LIST[] = {
#define BRI_PRESET(name, model, model_set, system, system_set, title, source) \
  {name, title, model, model_set, system, system_set, source},
#include "presets.def"
#undef BRI_PRESET
};
enum { COUNT = sizeof LIST / sizeof LIST[0] };

const br_preset *br_presets(size_t index) { return index < COUNT ? &LIST[index] : NULL; }

const br_preset *br_preset_find(const char *name)
{
  for (size_t i = 0; name && i < COUNT; i++)
    if (strcmp(LIST[i].name, name) == 0) return &LIST[i];
  return NULL;
}

br_status bri_preset_find(const char *name, const br_preset **out, br_err *err)
{
  const char *names[COUNT];
  char hint[BRI_HINT];
  *out = br_preset_find(name);
  if (*out) return BR_OK;
  for (size_t i = 0; i < COUNT; i++) names[i] = LIST[i].name;
  return bri_text_fail(err, BR_E_NAME, -1, "unknown preset '%.60s'%s", name,
                       bri_hint(name, names, COUNT, "; 'bristle presets' lists them", hint));
}

void bri_presets_json(bri_json *j, const br_preset *only)
{
  bri_json_array(j, "presets");
  for (size_t i = 0; i < COUNT; i++) {
    const br_preset *p = &LIST[i];
    if (only && only != p) continue;
    bri_json_object(j, NULL);
    bri_json_text(j, "name", p->name), bri_json_text(j, "title", p->title);
    bri_json_text(j, "model", p->model), bri_json_text(j, "model_set", p->model_set);
    bri_json_text(j, "system", p->system), bri_json_text(j, "system_set", p->system_set);
    bri_json_text(j, "source", p->source);
    bri_json_end(j);
  }
  bri_json_end(j);
}

void bri_presets_text(bri_buf *b, const br_preset *one)
{
  if (one) {
    bri_buf_printf(b, "%s: %s\n\n  model   %s: %s\n", one->name, one->title, one->model, one->model_set);
    if (one->system) bri_buf_printf(b, "  system  %s: %s\n", one->system, one->system_set);
    bri_buf_printf(b, "  source  %s\n", one->source);
    return;
  }
  for (size_t i = 0; i < COUNT; i++)
    bri_buf_printf(b, "%-22s %-16s %-13s %s\n", LIST[i].name, LIST[i].model,
                   LIST[i].system ? LIST[i].system : "-", LIST[i].title);
}
