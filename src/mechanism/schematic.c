/* SPDX-License-Identifier: Apache-2.0
 * schematic.c - a picture of a mechanism from its text: bodies side by side, below them a lane for each
 * connection and contact. */
#include <stdio.h>
#include <string.h>

#include "mechanism.h"
#include "schematic.h"

enum { WIDE = 118, GAP = 36, LEFT = 30, TOP = 64, HIGH = 44, LANE = 44, MOST = 7 };
#define INK "#1f2933"
#define SOFT "#52606d"
#define RUB "#b3541e"

static void text(bri_buf *b, double x, double y, const char *style, const char *s)
{
  bri_buf_printf(b, "<text x=\"%g\" y=\"%g\" %s>", x, y, style);
  for (; *s; s++) {
    if (*s == '<') bri_buf_text(b, "&lt;");
    else if (*s == '>') bri_buf_text(b, "&gt;");
    else if (*s == '&') bri_buf_text(b, "&amp;");
    else bri_buf_add(b, s, 1);
  }
  bri_buf_text(b, "</text>\n");
}

static void line(bri_buf *b, double x1, double y1, double x2, double y2, const char *colour)
{
  bri_buf_printf(b, "<path fill=\"none\" d=\"M%g %gL%g %g\" stroke=\"%s\"/>\n", x1, y1, x2, y2, colour);
}

static double middle(size_t i) { return LEFT + (double)i * (WIDE + GAP) + WIDE / 2.0; }

/* Where a body stands in the picture; -1: left out. */
typedef struct {
  const draft *d;
  int place[BRI_MECH_BODIES];
  size_t shown;
} picture;

static const char *value_text(const bri_node *n, const char *key)
{
  return n ? bri_node_text(n, key, "") : "";
}

static void body(bri_buf *b, const picture *p, size_t i)
{
  const draft_body *d = &p->d->bodies[i];
  const double x = middle((size_t)p->place[i]), x0 = x - WIDE / 2.0;
  char what[64];
  if (d->fixed) {
    for (int k = 0; k <= 9; k++)
      line(b, x0 + 12 * k, TOP + HIGH - 12, x0 + 12 * k + 10, TOP + HIGH - 22, SOFT);
    line(b, x0, TOP + HIGH - 12, x0 + WIDE, TOP + HIGH - 12, INK);
    (void)snprintf(what, sizeof what, "fixed");
  } else {
    bri_buf_printf(
        b, "<rect x=\"%g\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"" INK "\"/>\n",
        x0, TOP, WIDE, HIGH, d->rotary ? 20 : 3, d->moved ? "#fdf1e3" : "#eef3f8");
    if (d->moved)
      (void)snprintf(what, sizeof what, "%s: %s", d->moved == MOVED_POSITION ? "position" : "velocity",
                     p->d->inputs[d->input].name);
    else if (d->follows >= 0)
      (void)snprintf(what, sizeof what, "%.14s \xc3\x97 %.20s", p->d->bodies[d->follows].name,
                     value_text(d->node, "ratio"));
    else
      (void)snprintf(what, sizeof what, "%s %.24s", d->rotary ? "inertia" : "mass",
                     value_text(d->node, d->rotary ? "inertia" : "mass"));
  }
  text(b, x, TOP + 19, "font-weight=\"bold\" text-anchor=\"middle\"", d->name);
  text(b, x, TOP + 35, "font-size=\"11\" fill=\"" SOFT "\" text-anchor=\"middle\"", d->fixed ? "" : what);
}

/* The sign of an element, 60 wide, around x at height y. */
static void sign(bri_buf *b, double x, double y, const char *kind)
{
  const double l = x - 30;
  if (strcmp(kind, "spring") == 0)
    bri_buf_printf(
        b,
        "<path fill=\"none\" d=\"M%g %gl6 0l4 -8l8 16l8 -16l8 16l8 -16l8 16l4 -8l6 0\" stroke=\"" INK
        "\"/>\n",
        l, y);
  else if (strcmp(kind, "damper") == 0)
    bri_buf_printf(b,
                   "<path fill=\"none\" d=\"M%g %gl24 0m0 -7l0 14m-6 -12l20 0m0 10l-20 0m20 -5m0 -5l0 10m0 "
                   "-5l22 0\" stroke=\"" INK "\"/>\n",
                   l, y);
  else if (strcmp(kind, "gap") == 0)
    bri_buf_printf(b,
                   "<path fill=\"none\" d=\"M%g %gl22 0m0 -9l0 18m16 0l0 -18m0 9l22 0\" stroke=\"" INK
                   "\" stroke-width=\"2\"/>\n",
                   l, y);
  else if (strcmp(kind, "contact") == 0)
    bri_buf_printf(b,
                   "<path fill=\"none\" d=\"M%g %gl60 0m-56 3l7 7m2 -7l7 7m2 -7l7 7m2 -7l7 7m2 -7l7 7m2 -7l7 "
                   "7\" stroke=\"" RUB "\" stroke-width=\"1.6\"/>\n",
                   l, y - 3);
  else
    bri_buf_printf(
        b, "<path fill=\"none\" d=\"M%g %gl50 0m-9 -6l9 6l-9 6\" stroke=\"" INK "\" stroke-width=\"1.8\"/>\n",
        l + 5, y);
}

static double foot(const picture *p, int i) { return TOP + HIGH - (p->d->bodies[i].fixed ? 12 : 0); }

/* One lane: from a to b (b < 0: on a alone). */
static void lane(bri_buf *b, const picture *p, int a, int c, double y, const char *kind, const char *label)
{
  const double xa = middle((size_t)p->place[a]) + 6 * ((int)(y / LANE) % 7 - 3),
               xb = c < 0 ? xa : middle((size_t)p->place[c]) + 6 * ((int)(y / LANE) % 7 - 3);
  const double x = c < 0 ? xa + 40 : 0.5 * (xa + xb);
  const char *ink = strcmp(kind, "contact") == 0 ? RUB : SOFT;
  line(b, xa, foot(p, a), xa, y, ink);
  if (c < 0) line(b, xa, y, xa + 10, y, ink);
  else {
    const double lo = xa < xb ? xa : xb, hi = xa < xb ? xb : xa;
    line(b, xb, foot(p, c), xb, y, ink);
    line(b, lo, y, x - 30, y, ink), line(b, x + 30, y, hi, y, ink);
  }
  sign(b, x, y, kind);
  text(b, x, y + 21,
       "font-size=\"11\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"3\"",
       label);
}

static const char *kind_of(const draft_elem *e)
{
  switch (e->kind) {
  case ELEM_SPRING: return e->p[0] >= 0 ? "spring" : "damper";
  case ELEM_GAP: return "gap";
  default: return "force";
  }
}

/* What is written below an element: its numbers as the text has them. */
static void label_of(const draft_elem *e, size_t size, char *out)
{
  static const char *const KEYS[] = {"stiffness", "damping", "preload", "low",
                                     "high",      "width",   "angle",   "length"};
  size_t used = 0;
  out[0] = '\0';
  if (e->kind == ELEM_FORCE) {
    (void)snprintf(out, size, "%.44s", e->node->kind == BRI_SCALAR ? e->node->text : "");
    return;
  }
  for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0] && used < size; i++) {
    const char *v = value_text(e->node, KEYS[i]);
    if (v[0]) used += (size_t)snprintf(out + used, size - used, "%s%s %.16s", used ? ", " : "", KEYS[i], v);
  }
}

void bri_mech_draw(const br_mechanism *m, bri_buf *b)
{
  static const char FONT[] = "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"" INK "\"";
  picture p = {&m->d, {0}, 0};
  const draft *d = p.d;
  size_t lanes = 0;
  char label[128];
  for (size_t i = 0; i < d->nbody; i++)
    p.place[i] = p.shown < (size_t)(d->nbody > MOST ? MOST - 2 : MOST) ? (int)p.shown++ : -1;
  for (size_t i = 0; i < d->nelem; i++)
    lanes += p.place[d->elems[i].a] >= 0 && (d->elems[i].b < 0 || p.place[d->elems[i].b] >= 0);
  for (size_t i = 0; i < d->ncontact; i++)
    lanes += p.place[d->contacts[i].a] >= 0 && p.place[d->contacts[i].b] >= 0;
  const double wide = 2 * LEFT + (double)p.shown * (WIDE + GAP) + (p.shown < d->nbody ? 60 : -GAP),
               high = TOP + HIGH + LANE * (double)lanes + 46;
  bri_buf_printf(b,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
                 "fill=\"none\">\n"
                 "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n<g %s>\n",
                 wide, high, wide, high, wide, high, FONT);
  text(b, LEFT, 30, "font-size=\"16\" font-weight=\"bold\"", d->title);
  for (size_t i = 0; i < d->nbody; i++)
    if (p.place[i] >= 0) body(b, &p, i);
  if (p.shown < d->nbody) {
    (void)snprintf(label, sizeof label, "\xe2\x80\xa6 %zu bodies", d->nbody);
    text(b, LEFT + (double)p.shown * (WIDE + GAP) - 20, TOP + 26, "font-size=\"13\"", label);
  }
  double y = TOP + HIGH + 30;
  for (size_t i = 0; i < d->nelem; i++) {
    const draft_elem *e = &d->elems[i];
    if (p.place[e->a] < 0 || (e->b >= 0 && p.place[e->b] < 0)) continue;
    label_of(e, sizeof label, label);
    lane(b, &p, e->a, e->b, y, kind_of(e), label);
    y += LANE;
  }
  for (size_t i = 0; i < d->ncontact; i++) {
    const draft_contact *c = &d->contacts[i];
    if (p.place[c->a] < 0 || p.place[c->b] < 0) continue;
    (void)snprintf(label, sizeof label, "contact %zu%s%s %s", i + 1, c->name[0] ? ": " : "", c->name,
                   d->model);
    lane(b, &p, c->a, c->b, y, "contact", label);
    y += LANE;
  }
  bri_buf_text(b, "</g>\n</svg>\n");
}
