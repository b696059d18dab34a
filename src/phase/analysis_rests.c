/* SPDX-License-Identifier: Apache-2.0
 * analysis_rests.c - families of sliding equilibria along the range, sampled where they bend: equally spaced
 * values, both sides of every event, then halves wherever a curve leaves its chord or the number of
 * equilibria changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rests.h"

enum { MOST_ROWS = 3000, PASSES = 24 };
static const double STRAIGHT = 5e-4; /* of the picture: a point further off its chord is a bend */
static const double NARROW = 1e-7;   /* of the range: no halves below this */

int bri_rest_class(const char *type)
{
  if (strcmp(type, "saddle") == 0) return BRI_REST_SADDLE;
  return strncmp(type, "stable", 6) == 0 ? BRI_REST_STABLE : BRI_REST_UNSTABLE;
}

static int ascending(const void *a, const void *b)
{
  const double x = ((const bri_rest_row *)a)->x, y = ((const bri_rest_row *)b)->x;
  return (x > y) - (x < y);
}

/* Equally spaced values, and both sides of each event, so that lines end where the stability changes. */
static size_t first_values(const bri_question *q, size_t samples, const br_phase_event *e, size_t nevent,
                           bri_rest_row *row)
{
  size_t n = 0;
  const double width = q->vary.b - q->vary.a;
  for (size_t i = 0; i < samples; i++) row[n++].x = q->vary.a + width * (double)i / (double)(samples - 1);
  for (size_t i = 0; i < nevent; i++) {
    for (int side = -1; side <= 1; side += 2) {
      const double near = e[i].value + 1e-9 * side * width;
      if (near > q->vary.a && near < q->vary.b) row[n++].x = near;
    }
  }
  return n;
}

/* How far row i lies off the chord of its neighbours, in parts of the picture. */
static double bend(const bri_rest_row *row, double width, double height)
{
  const bri_rest_row *a = row - 1, *b = row + 1;
  const double t = (row->x - a->x) / (b->x - a->x);
  double most = 0;
  if (a->n != row->n || b->n != row->n) return 0;
  for (size_t k = 0; k < row->n; k++) {
    const double off = row->e[k].v - a->e[k].v - t * (b->e[k].v - a->e[k].v);
    const double slope = (b->e[k].v - a->e[k].v) / height / ((b->x - a->x) / width);
    most = fmax(most, fabs(off) / height / sqrt(1 + slope * slope)); /* across the chord */
  }
  return most;
}

/* Largest minus least velocity of all. */
static double height_of(const bri_rests *r)
{
  double lo = INFINITY, hi = -INFINITY;
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < r->row[i].n; k++) lo = fmin(lo, r->row[i].e[k].v), hi = fmax(hi, r->row[i].e[k].v);
  return hi > lo ? hi - lo : 1;
}

/* Middles of the intervals that want one, behind the rows there are; their number. */
static size_t halve(bri_rests *r, double width)
{
  const double height = height_of(r);
  size_t more = 0;
  int before = 0; /* does row i bend? */
  for (size_t i = 0; i + 1 < r->n; i++) {
    const bri_rest_row *a = &r->row[i];
    const int after = i + 2 < r->n && bend(a + 1, width, height) > STRAIGHT;
    if ((before || after || a[0].n != a[1].n) && a[1].x - a[0].x > NARROW * width && r->n + more < MOST_ROWS)
      r->row[r->n + more++].x = 0.5 * (a[0].x + a[1].x);
    before = after;
  }
  return more;
}

br_status bri_rests_find(bri_question *q, size_t samples, const br_phase_event *e, size_t nevent,
                         bri_rest_fn *at, void *ctx, bri_rests *r, br_err *err)
{
  const double width = q->vary.b - q->vary.a;
  r->row = bri_phase_get(q, (MOST_ROWS + samples + 2 * nevent) * sizeof *r->row);
  r->n = 0;
  if (!r->row) return bri_phase_no_memory(err);
  size_t more = first_values(q, samples, e, nevent, r->row);
  for (int pass = 0; pass < PASSES && more; pass++) {
    for (; more; more--, r->n++) {
      bri_rest_row *row = &r->row[r->n];
      br_status st = at(ctx, row->x, row->e, &row->n, err);
      if (!st) st = br_sink_alive(q->out, 0.3, err);
      if (st) return st;
    }
    qsort(r->row, r->n, sizeof *r->row, ascending);
    more = halve(r, width);
  }
  return BR_OK;
}

/* One class into its table: branch after branch, a gap where another class or number lies between. */
static br_status class_table(bri_question *q, int class, const bri_rests *r, br_err *err)
{
  static const char *const NAME[] = {"equilibria-stable", "equilibria-unstable", "equilibria-saddle"};
  const br_column head[] = {{q->vary.name, q->vary.unit}, {"v", "m/s"}, {"z", "m"}};
  const double gap[] = {NAN, NAN, NAN};
  size_t any = 0;
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < r->row[i].n; k++) any += r->row[i].e[k].class == class;
  if (!any) return BR_OK;
  br_status st = bri_phase_open(q, NAME[class], 3, head, err);
  for (size_t k = 0; k < BRI_MOST_RESTS && !st; k++) {
    int open = 0;
    for (size_t i = 0; i <= r->n && !st; i++) {
      const bri_rest_row *a = i < r->n ? &r->row[i] : NULL;
      const int here = a && k < a->n && a->e[k].class == class, cut = a && i > 0 && a->n != a[-1].n;
      if (open && (!here || cut)) st = br_put_row(q->out, gap, err), open = 0;
      if (st || !here) continue;
      const double row[] = {a->x, a->e[k].v, a->e[k].z};
      st = br_put_row(q->out, row, err);
      open = 1;
    }
  }
  return st ? st : br_put_end(q->out, err);
}

br_status bri_rests_tables(bri_question *q, const bri_rests *r, br_err *err)
{
  br_status st = BR_OK;
  for (int class = 0; class < BRI_REST_CLASSES && !st; class ++) st = class_table(q, class, r, err);
  return st;
}

br_status bri_rests_rows(bri_question *q, const bri_rests *r, br_err *err)
{
  br_status st = BR_OK;
  for (size_t k = 0; k < BRI_MOST_RESTS; k++) {
    for (size_t i = 0; i < r->n && !st; i++) {
      const bri_rest *e = &r->row[i].e[k];
      if (k >= r->row[i].n) continue;
      const bri_diagram_row row = {r->row[i].x, 0,  e->class == BRI_REST_STABLE, k, e->v, e->v, e->z,
                                   e->z,        NAN};
      st = bri_diagram_put(q, &row, err);
    }
  }
  return st;
}
