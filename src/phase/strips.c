/* SPDX-License-Identifier: Apache-2.0
 * strips.c - columns of a rectangle cut where the kind of its points changes: a coarse look along each
 * column, every change halved down to its place; more columns where borders bend, begin or end. */
#include "../base/order.h"
#include "strips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/team.h"
#include "../text/fail.h"

enum { PASSES = 6, SEEDS = 6 * BRI_STRIP_MOST };

/* ---- one column ---- */

typedef struct {
  const bri_strips_of *w;
  double tolerance;
  bri_strip *to;
  br_status st;
} cutting;

static void begin(cutting *c, double y, unsigned char kind)
{
  bri_strip *s = c->to;
  if (s->n && (s->kind[s->n - 1] == kind || s->n == BRI_STRIP_MOST)) return;
  s->y[s->n] = y;
  s->kind[s->n++] = kind;
}

/* Between a and b the kind changes from ka to kb, maybe through others.  Depth: log2 of height over
 * tolerance. */
static void cut(cutting *c, double a, unsigned char ka, double b, unsigned char kb)
{
  unsigned char km = ka;
  const double m = 0.5 * (a + b);
  if (ka == kb || c->st) return;
  if (b - a < c->tolerance) {
    begin(c, m, kb);
    return;
  }
  c->st = c->w->kind(c->w->ctx, c->to->x, m, &km);
  cut(c, a, ka, m, km);
  cut(c, m, km, b, kb);
}

/* A column from the kinds at these heights, ascending. */
static br_status column(const bri_strips_of *w, const double *y, size_t n, bri_strip *to,
                        const unsigned char *known)
{
  cutting c = {w, (w->y1 - w->y0) / 400, to, BR_OK};
  unsigned char before = 0, now = 0;
  to->n = 0;
  for (size_t j = 0; j < n && !c.st; j++) {
    if (known) now = known[j];
    else c.st = w->kind(w->ctx, to->x, y[j], &now);
    if (j == 0) begin(&c, w->y0, now);
    else cut(&c, y[j - 1], before, y[j], now);
    before = now;
  }
  to->y[to->n] = w->y1;
  return c.st;
}

static int alike(const bri_strip *a, const bri_strip *b)
{
  return a->n == b->n && memcmp(a->kind, b->kind, (size_t)a->n) == 0;
}

static size_t add_seeds(const bri_strips_of *w, const bri_strip *s, const bri_strip *t, double *y)
{
  const double near = (w->y1 - w->y0) / 80;
  size_t n = 0;
  for (int k = 0; k < s->n; k++) {
    const double from = 0.5 * (s->y[k] + t->y[k]);
    y[n++] = 0.25 * (s->y[k] + s->y[k + 1] + t->y[k] + t->y[k + 1]);
    if (k && from - near > w->y0) y[n++] = from - near;
    if (k && from + near < w->y1) y[n++] = from + near;
  }
  return n;
}

/* Heights at which a column between two others is asked: in each of their pieces, and close to their borders,
 * which lie half way where both have the same. */
static size_t seeds(const bri_strips_of *w, const bri_strip *left, const bri_strip *right, double *y)
{
  size_t n = 2, kept = 0;
  y[0] = w->y0, y[1] = w->y1;
  if (alike(left, right)) n += add_seeds(w, left, right, y + n);
  else n += add_seeds(w, left, left, y + n), n += add_seeds(w, right, right, y + n);
  bri_sort(n, y);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || y[i] - y[kept - 1] > (w->y1 - w->y0) / 1000 || i + 1 == n) y[kept++] = y[i];
  return kept;
}

/* ---- all of them ---- */

typedef struct {
  const bri_strips_of *w;
  bri_strip *strip;
  double *row;
  bri_strip *more; /* columns to come, x set, and the left neighbours they go behind */
  size_t *behind;
} work;

static br_status first(void *ctx, size_t i, br_err *err)
{
  const work *k = ctx;
  (void)err;
  return column(k->w, k->row, k->w->rows, &k->strip[i], k->w->known ? k->w->known + i * k->w->rows : NULL);
}

static br_status between(void *ctx, size_t i, br_err *err)
{
  const work *k = ctx;
  double y[SEEDS + 2];
  const bri_strip *left = &k->strip[k->behind[i]];
  (void)err;
  return column(k->w, y, seeds(k->w, left, left + 1, y), &k->more[i], NULL);
}

/* Does a border of the middle one of three columns bend away from the line through the others? */
static int bends(const bri_strip *s, double tolerance)
{
  const double part = (s[1].x - s[0].x) / (s[2].x - s[0].x);
  int bent = 0;
  if (!alike(&s[0], &s[1]) || !alike(&s[1], &s[2])) return 0;
  for (int k = 1; k < s[1].n; k++)
    bent |= fabs(s[1].y[k] - (s[0].y[k] + part * (s[2].y[k] - s[0].y[k]))) > tolerance;
  return bent;
}

static size_t wanted(const work *k, size_t n)
{
  const double least = (k->w->x1 - k->w->x0) / 250, tolerance = (k->w->y1 - k->w->y0) / 250;
  const size_t most = k->w->columns < BRI_STRIPS_MOST / 3 ? 3 * k->w->columns : BRI_STRIPS_MOST;
  size_t m = 0;
  for (size_t i = 0; i + 1 < n && n + m < most; i++) {
    const bri_strip *s = &k->strip[i];
    if (s[1].x - s[0].x < least) continue;
    if (alike(&s[0], &s[1]) && !(i && bends(s - 1, tolerance)) && !(i + 2 < n && bends(s, tolerance)))
      continue;
    k->more[m].x = 0.5 * (s[0].x + s[1].x);
    k->behind[m++] = i;
  }
  return m;
}

static void put_in(const work *k, size_t n, size_t m)
{
  for (size_t i = n; i-- > 0 && m;) {
    k->strip[i + m] = k->strip[i];
    if (k->behind[m - 1] + 1 != i) continue;
    k->strip[i + m - 1] = k->more[m - 1];
    m--;
  }
}

br_status bri_strips_make(const bri_strips_of *w, bri_strip *strip, size_t *n, br_err *err)
{
  work k = {.w = w, .strip = strip};
  k.row = bri_calloc(w->rows + 1, sizeof *k.row);
  k.more = bri_calloc(BRI_STRIPS_MOST, sizeof *k.more);
  k.behind = bri_calloc(BRI_STRIPS_MOST, sizeof *k.behind);
  br_status st = k.row && k.more && k.behind ? BR_OK : bri_no_memory(err, "map");
  for (size_t j = 0; j < w->rows && !st; j++)
    k.row[j] = w->y0 + (w->y1 - w->y0) * (double)j / (double)(w->rows > 1 ? w->rows - 1 : 1);
  for (size_t i = 0; i < w->columns && !st; i++)
    strip[i].x = w->x0 + (w->x1 - w->x0) * (double)i / (double)(w->columns > 1 ? w->columns - 1 : 1);
  bri_team team = {w->columns, w->threads, first, &k, NULL, NULL};
  if (!st) st = bri_team_run(&team, err);
  *n = w->columns;
  team.one = between;
  for (int pass = 0; pass < PASSES && !st; pass++) {
    team.n = wanted(&k, *n);
    if (team.n == 0) break;
    st = bri_team_run(&team, err);
    if (!st) put_in(&k, *n, team.n);
    *n += team.n;
  }
  bri_free(k.row);
  bri_free(k.more);
  bri_free(k.behind);
  return st;
}
