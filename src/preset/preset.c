/* SPDX-License-Identifier: Apache-2.0
 * preset.c - the published parameter sets by number and by name. */
#include "preset.h"

#include <ctype.h>
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
  return bri_fail(err, BR_E_NAME, "unknown preset '%.60s'%s", name,
                  bri_hint(name, names, COUNT, "; 'bristle presets' lists them", hint));
}

/* Is the word somewhere in the text, whatever its case? */
static int has_word(const char *text, const char *word, size_t n)
{
  for (; text && *text; text++) {
    size_t k = 0;
    while (k < n && text[k] && tolower((unsigned char)text[k]) == tolower((unsigned char)word[k])) k++;
    if (k == n) return 1;
  }
  return 0;
}

static int is_found(const br_preset *p, const char *text)
{
  const br_preset *one = br_preset_find(text);
  if (!text || one) return !one || one == p;
  for (const char *s = text + strspn(text, " "); *s; s += strspn(s, " ")) {
    const size_t n = strcspn(s, " ");
    if (!has_word(p->name, s, n) && !has_word(p->title, s, n) && !has_word(p->model, s, n) &&
        !has_word(p->system, s, n) && !has_word(p->source, s, n))
      return 0;
    s += n;
  }
  return text[strspn(text, " ")] != '\0';
}

size_t bri_presets_found(const char *text)
{
  size_t n = 0;
  for (size_t i = 0; i < COUNT; i++) n += (size_t)is_found(&LIST[i], text);
  return n;
}

void bri_presets_json(bri_json *j, const char *text)
{
  bri_json_array(j, "presets");
  for (size_t i = 0; i < COUNT; i++) {
    const br_preset *p = &LIST[i];
    if (!is_found(p, text)) continue;
    bri_json_object(j, NULL);
    bri_json_text(j, "name", p->name), bri_json_text(j, "title", p->title);
    bri_json_text(j, "model", p->model), bri_json_text(j, "model_set", p->model_set);
    bri_json_text(j, "system", p->system), bri_json_text(j, "system_set", p->system_set);
    bri_json_text(j, "source", p->source);
    bri_json_end(j);
  }
  bri_json_end(j);
}

void bri_presets_text(bri_buf *b, const char *text)
{
  const int alone = bri_presets_found(text) == 1;
  for (size_t i = 0; i < COUNT; i++) {
    const br_preset *p = &LIST[i];
    if (!is_found(p, text)) continue;
    if (!alone) {
      bri_buf_printf(b, "%-22s %-16s %-13s %s\n", p->name, p->model, p->system ? p->system : "-", p->title);
      continue;
    }
    bri_buf_printf(b, "%s: %s\n\n  model   %s: %s\n", p->name, p->title, p->model, p->model_set);
    if (p->system) bri_buf_printf(b, "  system  %s: %s\n", p->system, p->system_set);
    bri_buf_printf(b, "  source  %s\n", p->source);
  }
}
