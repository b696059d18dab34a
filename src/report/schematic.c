/* SPDX-License-Identifier: Apache-2.0
 * schematic.c - mechanisms and loops drawn from a row of parts, left to right: walls, springs, masses on
 * bristles, forces, ends that are moved, boxes, arrows, sums. */
#include "schematic.h"

#include <string.h>

typedef struct {
  char kind; /* see width() */
  const char *label;
} part;

/* Widths: w wall, s spring, m mass on bristles, f force or motion, p end that is moved, b box, a arrow, j
 * sum. */
static int width(char kind)
{
  return kind == 'w'   ? 16
         : kind == 's' ? 90
         : kind == 'm' ? 90
         : kind == 'b' ? 128
         : kind == 'j' ? 24
         : kind == 'p' ? 84
                       : 66;
}

enum { TOP = 26, MIDDLE = 56, GROUND = 96, HEIGHT = 118, MOST = 10 };

/* "v_p" with its index below. */
static void words(bri_buf *o, int x, int y, const char *anchor, const char *label)
{
  const char *low = strchr(label, '_');
  bri_buf_printf(o, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"currentColor\" stroke=\"none\">%.*s",
                 x, y, anchor, (int)(low ? (size_t)(low - label) : strlen(label)), label);
  if (low) bri_buf_printf(o, "<tspan dy=\"4\" font-size=\"11\">%s</tspan>", low + 1);
  bri_buf_text(o, "</text>\n");
}

static void line(bri_buf *o, int x0, int y0, int x1, int y1)
{
  bri_buf_printf(o, "<path d=\"M%d %dL%d %d\"/>\n", x0, y0, x1, y1);
}

static void arrow(bri_buf *o, int x0, int x1, int y)
{
  line(o, x0, y, x1 - 8, y);
  bri_buf_printf(o, "<path d=\"M%d %dl-10 -5v10z\" fill=\"currentColor\" stroke=\"none\"/>\n", x1, y);
}

static void hatched(bri_buf *o, int x0, int x1)
{
  line(o, x0, GROUND, x1, GROUND);
  for (int x = x0 + 8; x <= x1; x += 12) line(o, x, GROUND, x - 7, GROUND + 8);
}

/* The mass, and the bristles between it and the ground. */
static void mass(bri_buf *o, int x, int w, const char *label)
{
  bri_buf_printf(o, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"/>\n", x, TOP + 4, w,
                 GROUND - TOP - 16);
  for (int k = x + 8; k < x + w - 2; k += 10)
    bri_buf_printf(o, "<path d=\"M%d %dq2 6 5 12\" stroke-width=\"1\"/>\n", k, GROUND - 12);
  words(o, x + w / 2, MIDDLE + 5, "middle", label);
}

static void spring(bri_buf *o, int x, int w, const char *label)
{
  bri_buf_printf(o, "<path d=\"M%d %dh14", x, MIDDLE);
  for (int k = 0; k < 6; k++) bri_buf_printf(o, "l%d %d", (w - 28) / 6, k % 2 ? 14 : -14);
  bri_buf_printf(o, "L%d %d\"/>\n", x + w, MIDDLE);
  words(o, x + w / 2, TOP + 2, "middle", label);
}

static void one(bri_buf *o, const part *p, int x)
{
  const int w = width(p->kind);
  if (p->kind == 'w') {
    line(o, x + w, TOP, x + w, GROUND);
    for (int y = TOP + 6; y <= GROUND; y += 12) line(o, x + w, y, x + w - 8, y + 7);
  } else if (p->kind == 's') {
    spring(o, x, w, p->label);
  } else if (p->kind == 'm') {
    mass(o, x, w, p->label);
  } else if (p->kind == 'f' || p->kind == 'a') {
    arrow(o, x, x + w, MIDDLE);
    words(o, x + w / 2, MIDDLE - 9, "middle", p->label);
  } else if (p->kind == 'p') {
    bri_buf_printf(o, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"currentColor\"/>\n", x + 4, MIDDLE);
    arrow(o, x + 12, x + w, MIDDLE);
    words(o, x + 12 + w / 2, MIDDLE - 9, "middle", p->label);
  } else if (p->kind == 'b') {
    bri_buf_printf(o, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n", x, MIDDLE - 22, w,
                   44);
    words(o, x + w / 2, MIDDLE + 5, "middle", p->label);
  } else {
    bri_buf_printf(o, "<circle cx=\"%d\" cy=\"%d\" r=\"12\"/>\n", x + 12, MIDDLE);
    words(o, x + 12, MIDDLE + 5, "middle", "\xe2\x88\x92");
  }
}

/* back: the way from the last part but one to the sum. */
static void draw(bri_buf *o, const char *title, const part *row, int back)
{
  int total = 24, x = 12, ground[2] = {0, 0}, sum = 0;
  for (const part *p = row; p->kind; p++) total += width(p->kind);
  bri_buf_printf(
      o,
      "<svg class=\"scheme\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" fill=\"none\" "
      "stroke=\"currentColor\" stroke-width=\"1.5\" style=\"max-width:100%%;height:auto\"><title>%s</title>\n"
      "<g font-size=\"15\" font-family=\"Helvetica, Arial, sans-serif\">\n",
      total, HEIGHT, total, HEIGHT, title);
  for (const part *p = row; p->kind; x += width(p->kind), p++) {
    if (p->kind == 'm') ground[0] = ground[0] ? ground[0] : x - 12, ground[1] = x + width('m') + 12;
    if (p->kind == 'j') sum = x + 12;
    one(o, p, x);
  }
  if (ground[1]) hatched(o, ground[0] < 12 ? 12 : ground[0], ground[1]);
  if (back) { /* from the middle of the last arrow, below, to the sum */
    const int from = x - width('a') / 2;
    bri_buf_printf(o, "<path d=\"M%d %dV%dH%dV%d\"/>\n", from, MIDDLE, HEIGHT - 10, sum, MIDDLE + 20);
    bri_buf_printf(o, "<path d=\"M%d %dl-5 10h10z\" fill=\"currentColor\" stroke=\"none\"/>\n", sum,
                   MIDDLE + 12);
  }
  bri_buf_text(o, "</g></svg>\n");
}

void bri_schematic_system(bri_buf *out, const char *system)
{
  static const struct {
    const char *name, *title;
    part row[MOST];
  } SCENES[] = {
      {"prescribed", "a contact whose motion is given", {{'m', ""}, {'f', "u(t)"}, {0, NULL}}},
      {"filtered",
       "a contact whose force passes a filter",
       {{'a', "u"}, {'b', "friction"}, {'a', "F"}, {'b', "1/(1 + \xcf\x84s)"}, {'a', "y"}, {0, NULL}}},
      {"pulled_block",
       "a block on bristles, pulled through a spring",
       {{'m', "m"}, {'s', "k"}, {'p', "v_p"}, {0, NULL}}},
      {"driven_block", "a block on bristles under a force", {{'m', "m"}, {'f', "F"}, {0, NULL}}},
      {"mass_spring",
       "a mass on bristles and a spring",
       {{'w', ""}, {'s', "k_s"}, {'m', "m"}, {'f', "F_e"}, {0, NULL}}},
      {"dc_motor",
       "a motor whose wheel turns against friction between two springs",
       {{'a', "i"},
        {'b', "motor k_m"},
        {'s', "k_1, k_2"},
        {'b', "wheel I"},
        {'a', "\xce\xb8, \xcf\x89"},
        {0, NULL}}},
      {"chain",
       "masses on bristles in a row",
       {{'w', ""},
        {'s', "k_1, c_1"},
        {'m', "m_1"},
        {'s', "k_2, c_2"},
        {'m', "m_2"},
        {'s', "\xe2\x80\xa6"},
        {0, NULL}}},
      {"two_axis",
       "a mass on bristles that moves in a plane; the same across",
       {{'w', ""}, {'s', "k_x, k_y"}, {'m', "m"}, {'f', "F_x, F_y"}, {0, NULL}}},
  };
  for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; i++)
    if (strcmp(SCENES[i].name, system) == 0) draw(out, SCENES[i].title, SCENES[i].row, 0);
}

void bri_schematic_loop(bri_buf *out, const char *controller, const char *system)
{
  char law[24] = "", plant[24] = "";
  if (strcmp(controller, "feedback_linearization") == 0) controller = "feedback lin.";
  for (size_t i = 0; controller[i] && i + 1 < sizeof law; i++)
    law[i] = controller[i] == '_' ? ' ' : controller[i];
  for (size_t i = 0; system[i] && i + 1 < sizeof plant; i++) plant[i] = system[i] == '_' ? ' ' : system[i];
  const part row[] = {{'a', "r"}, {'j', ""},    {'a', "e"}, {'b', law},
                      {'a', "u"}, {'b', plant}, {'a', "y"}, {0, NULL}};
  draw(out, "the closed loop", row, 1);
}
