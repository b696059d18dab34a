/* SPDX-License-Identifier: Apache-2.0
 * inline.c - a picture inside a page, in the colours of the page. */
#include "inline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text/escape.h"
#include "colours.h"

enum { MOST_BYTES = 16 << 20 };

void bri_inline_style(bri_buf *out)
{
  for (int dark = 0; dark < 2; dark++) {
    bri_buf_text(out, dark ? "@media (prefers-color-scheme: dark){:root{" : ":root{");
    for (size_t i = 0; i < BRI_COLOURS; i++)
      bri_buf_printf(out, "--%s:%s;", bri_colours[i].name, dark ? bri_colours[i].dark : bri_colours[i].light);
    bri_buf_text(out, dark ? "}}\n" : "}\n");
  }
}

/* The variable of a house colour, NULL for any other. */
static const char *variable(unsigned long rgb)
{
  for (size_t i = 0; i < BRI_COLOURS; i++)
    if (strtoul(bri_colours[i].light + 1, NULL, 16) == rgb) return bri_colours[i].name;
  return NULL;
}

/* A colour at s as gnuplot writes it: rgb(r, g, b), #rrggbb in quotes, "black".  Returns its length. */
static size_t colour_at(const char *s, unsigned long *rgb)
{
  unsigned r = 0, g = 0, b = 0;
  int n = 0;
  if (strncmp(s, "rgb(", 4) == 0 && sscanf(s, "rgb(%u,%u,%u)%n", &r, &g, &b, &n) == 3 && n > 0) {
    *rgb = (unsigned long)r << 16 | (unsigned long)g << 8 | b;
    return (size_t)n;
  }
  if (strncmp(s, "\"black\"", 7) == 0) {
    *rgb = 0x111111; /* gnuplot's own black: titles and labels */
    return 7;
  }
  if (s[0] == '"' && s[1] == '#' && strspn(s + 2, "0123456789abcdefABCDEF") == 6 && s[8] == '"') {
    *rgb = strtoul(s + 2, NULL, 16);
    return 9;
  }
  return 0;
}

/* Colours within tags only: between them stand labels, which may look like colours. */
static void recolour(bri_buf *out, const char *s, const char *end)
{
  const char *from = s;
  int tag = 0;
  while (s < end) {
    unsigned long rgb = 0;
    if (*s == '<' || *s == '>') tag = *s == '<';
    const size_t n = tag && (*s == 'r' || *s == '"') ? colour_at(s, &rgb) : 0;
    const char *name = n ? variable(rgb) : NULL;
    if (!name) {
      s++;
      continue;
    }
    bri_buf_add(out, from, (size_t)(s - from));
    bri_buf_printf(out, *s == '"' ? "\"var(--%s)\"" : "var(--%s)", name);
    from = s += n;
  }
  bri_buf_add(out, from, (size_t)(end - from));
}

br_status bri_inline_svg(bri_buf *out, const char *path, const char *alt, br_err *err)
{
  bri_buf file = {0};
  br_status st = bri_buf_load(&file, path, MOST_BYTES, err);
  const char *svg = st ? NULL : strstr(file.text, "<svg"), *body = svg ? strstr(svg, "</desc>") : NULL;
  const char *size = svg ? strstr(svg, "viewBox=") : NULL;
  unsigned w = 640, h = 440;
  if (!st && (!body || !size || sscanf(size, "viewBox=\"0 0 %u %u\"", &w, &h) != 2))
    st = bri_fail(err, BR_E_PARSE, "'%s' is not a picture by gnuplot", path);
  if (!st) {
    bri_buf_printf(out, "<svg viewBox=\"0 0 %u %u\" width=\"%u\" role=\"img\" aria-label=\"", w, h, w);
    bri_buf_html(out, alt);
    bri_buf_text(out,
                 "\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">");
    recolour(out, body + strlen("</desc>"), file.text + file.used);
  }
  bri_buf_free(&file);
  return st;
}
