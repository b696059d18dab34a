/* SPDX-License-Identifier: Apache-2.0
 * test_campaign.c - all cycles of random blocks against motions from many starts, forward and backward in
 * time.
 *
 *   BR_SETS=10000 BR_SEED=1 phase_test_campaign       the whole campaign; without BR_SETS a small slice of it
 *
 * One line for each disagreement with the set that makes it, totals at the end.  Blocks are drawn in units of
 * their own (Fc = vs = m = 1): the other six numbers over decades, two thirds of all sigma1 about or next to
 * a Hopf point, a homoclinic orbit or a fold of cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kit.h"
#include "phase/returns.h"
#include "support/rng.h"
#include "witness.h"

enum { STARTS = 40 };

typedef struct {
  long sets, with_cycle, cycles, incomplete, runs, open, missed, excused, wrong;
} totals;

static double decades(rng *r, double lo, double hi) { return pow(10, rng_range(r, lo, hi)); }

static bri_plane plane_of(const block *b)
{
  return (bri_plane){b->m,  b->F,          b->sigma0, b->sigma1, b->sigma2,
                     b->Fc, b->Fs - b->Fc, b->vs,     b->delta,  NULL};
}

/* sigma1 next to one of the events of the block, from either side; 0: it has none of that kind. */
static double beside_event(rng *r, const block *b, int kind)
{
  bri_plane p = plane_of(b);
  bri_line l;
  double at[16];
  int n = 0;
  bri_line_of(&p, 0, kind == 2 ? BRI_COARSE : kind == 1 ? BRI_LOOPS : BRI_NAME, &l);
  for (int i = 0; kind == 0 && i < l.e.n; i++) {
    if (isfinite(l.hopf[i].sigma1)) at[n++] = l.hopf[i].sigma1;
  }
  for (int i = 0; kind > 0 && i < l.n; i++) {
    if (kind == 1 && isfinite(l.b[i].homoclinic)) at[n++] = l.b[i].homoclinic;
    for (int k = 0; kind == 2 && k < l.b[i].nfold; k++) at[n++] = l.b[i].fold[k].sigma1;
  }
  if (n == 0) return 0;
  const double x = at[rng_next(r) % (unsigned)n], far = decades(r, -4, -0.3);
  if (kind == 0 && rng_unit(r) < 0.4) return x * decades(r, -0.2, 1.2);
  return x * (1 + (rng_next(r) & 1 ? far : -far));
}

static void draw(rng *r, block *b)
{
  const double kind = rng_unit(r), shape = rng_unit(r);
  b->m = b->Fc = b->vs = 1;
  b->Fs = 1 + decades(r, -1.5, 1.2);
  b->delta = shape < 0.3 ? 1 : shape < 0.6 ? 2 : rng_range(r, 0.5, 5);
  b->sigma0 = decades(r, -2, 3);
  b->sigma2 = decades(r, -2, 1.2);
  const double v = decades(r, -1.5, 0.7);
  b->F = b->Fc + (b->Fs - b->Fc) * exp(-pow(v, b->delta)) + b->sigma2 * v;
  b->sigma1 = b->sigma0 / b->sigma2 * decades(r, 0.01, 2.5);
  const double x = kind < 0.3 ? 0 : beside_event(r, b, kind < 0.75 ? 0 : kind < 0.9 ? 1 : 2);
  /* beyond that deflections on small cycles agree in nine digits and more: nobody can follow them */
  if (x > 0 && x < 1e7 * b->sigma0 / b->sigma2) b->sigma1 = x;
}

static void say(const block *b, const char *what, const verdict *w)
{
  printf("%s: F=%.17g,Fc=%.17g,Fs=%.17g,vs=%.17g,delta=%.17g,sigma0=%.17g,sigma1=%.17g,sigma2=%.17g,m=%.17g; "
         "v %.9g to %.9g, period %.9g\n",
         what, b->F, b->Fc, b->Fs, b->vs, b->delta, b->sigma0, b->sigma1, b->sigma2, b->m, w->v_min, w->v_max,
         w->period);
}

static int listed(const bri_cycles *all, const verdict *w, int dir)
{
  const double size = w->v_max - w->v_min, slow = fmin(20, 1 / (1 - fmax(0, fmin(w->q, 0.999))));
  for (int i = 0; i < all->n; i++) {
    const bri_closed *c = &all->c[i];
    if (c->dir != dir && fabs(c->r.I) > 1e-3) continue;
    /* of large sigma1 deflections differ in their last digits only */
    const double tol = slow * (1e-3 + 1e-13 * c->r.z_max / (c->r.z_max - c->r.z_min));
    if (fabs(c->r.v_max * all->u.velocity - w->v_max) < tol * size &&
        fabs(c->r.time * all->u.time / w->period - 1) < 2 * tol)
      return 1;
  }
  return 0;
}

/* Where a motion ends; where that is not as expected, once more with all digits. */
static verdict follow(const block *b, const bri_cycles *all, spot y, int dir, int kept)
{
  const verdict w = witness_run(b, y, dir, 1e-8, 25000);
  const int as_listed = w.end == ENDS_CYCLE ? listed(all, &w, dir) : w.end != ENDS_OPEN && !kept;
  return as_listed ? w
                   : witness_run(b, y, dir, w.end == ENDS_OPEN ? 1e-8 : 1e-11,
                                 w.end == ENDS_OPEN && !kept ? 50000 : 400000);
}

/* A cycle of the list: a motion from a point on it settles on it, in the direction of time in which it
 * attracts (or takes longer than is waited for). */
static int stays(const block *b, const bri_cycles *all, int i)
{
  const bri_closed *c = &all->c[i];
  const bri_units *u = &all->u;
  const bri_point y = bri_return_place(&all->s[all->of[i]], c->x);
  const verdict w = follow(b, all, (spot){y.z * u->length, y.v * u->velocity}, c->dir, 1);
  return w.end == ENDS_OPEN || (w.end == ENDS_CYCLE && listed(all, &w, c->dir));
}

static int starts_of(rng *r, const block *b, const bri_cycles *all, const bri_sliding *e, spot *y, int *dir)
{
  int n = 0;
  for (int d = 1; d >= -1; d -= 2) {
    for (int i = 0; i < e->n; i++) {
      y[n] = (spot){e->y[i].z * (1 + 1e-3 * rng_range(r, -1, 1)), e->y[i].v * (1 + 3e-3)}, dir[n++] = d;
    }
    for (int i = 0; i < all->n && n < STARTS - 12; i++) {
      /* beside each cycle of the list, where it repels */
      const bri_section *s = &all->s[all->of[i]];
      if (all->c[i].dir == d) continue;
      for (int side = -1; side <= 1; side += 2) {
        const bri_point x = bri_return_place(s, all->c[i].x + 0.02 * side);
        y[n] = (spot){x.z * all->u.length, x.v * all->u.velocity}, dir[n++] = d;
      }
    }
  }
  y[n] = (spot){0, 1e-12 * b->vs}, dir[n++] = 1;
  y[n] = (spot){0.5 * b->Fc / b->sigma0, all->v_max * all->u.velocity}, dir[n++] = 1;
  for (int i = 0; i < 4; i++) {
    y[n] = (spot){rng_unit(r) * b->Fs / b->sigma0, e->y[i % e->n].v * decades(r, -1, 1)};
    dir[n++] = 1;
  }
  for (int i = 0; i < 2; i++) {
    y[n] = (spot){rng_range(r, 0.3, 1) * b->Fc / b->sigma0, e->y[i % e->n].v * decades(r, -0.7, 0.7)};
    dir[n++] = -1;
  }
  return n;
}

static void compare(rng *r, const block *b, totals *t)
{
  bri_cycles *all = test_calloc(1, sizeof *all);
  const bri_plane p = plane_of(b);
  bri_sliding e;
  spot y[STARTS];
  int dir[STARTS], told = 0;
  bri_sliding_of(&p, &e);
  bri_cycles_of(&p, all);
  t->sets++, t->cycles += all->n, t->with_cycle += all->n > 0, t->incomplete += !all->complete;
  for (int i = 0; i < all->n; i++) {
    const bri_return *c = &all->c[i].r;
    const bri_units *u = &all->u;
    const verdict w = {ENDS_CYCLE, c->v_min * u->velocity, c->v_max * u->velocity, c->time * u->time, {0, 0},
                       NAN};
    if (stays(b, all, i)) continue;
    t->wrong++;
    say(b, "listed and not kept", &w);
  }
  const int n = starts_of(r, b, all, &e, y, dir);
  for (int i = 0; i < n; i++) {
    const verdict w = follow(b, all, y[i], dir[i], 0);
    t->runs++, t->open += w.end == ENDS_OPEN;
    if (w.end != ENDS_CYCLE || listed(all, &w, dir[i]) || told) continue;
    told = 1;
    t->missed += all->complete, t->excused += !all->complete;
    say(b,
        all->complete ? dir[i] > 0 ? "missed, stable" : "missed, unstable" : "missed, search said incomplete",
        &w);
  }
  test_free(all);
}

/* A set by itself: it can be repeated alone. */
static uint64_t seed_of(uint64_t seed, long i) { return seed * 1000003u + (uint64_t)i; }

static void random_blocks(void **state)
{
  const char *sets = getenv("BR_SETS"), *seed = getenv("BR_SEED"), *first = getenv("BR_FIRST");
  const long n = sets ? atol(sets) : 40, from = first ? atol(first) : 0;
  totals t = {0};
  for (long i = from; i < from + n; i++) {
    rng r = {seed_of(seed ? strtoull(seed, NULL, 10) : 1, i)};
    block b;
    draw(&r, &b);
    const long before = t.missed + t.wrong + t.excused;
    compare(&r, &b, &t);
    if (t.missed + t.wrong + t.excused > before) printf("  set %ld\n", i);
    if ((i + 1 - from) % 500 == 0) (void)fflush(stdout);
  }
  printf("%ld sets, %ld with cycles, %ld cycles, %ld searches incomplete; %ld motions, %ld undecided; "
         "%ld missed, %ld missed where the search said so, %ld wrong\n",
         t.sets, t.with_cycle, t.cycles, t.incomplete, t.runs, t.open, t.missed, t.excused, t.wrong);
  assert_int_equal(t.missed, 0);
  assert_int_equal(t.wrong, 0);
}

/* Blocks of that campaign whose cycles were listed at a wrong place (by 0.7 % of the period; integration with
 * 33 digits agrees with the motions), or with the wrong stability: large sigma1, where a section has few
 * digits. */
static void once_wrong(void **state)
{
  static const long sets[] = {2430, 2943, 4135, 4629, 8744, 9407};
  totals t = {0};
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    rng r = {seed_of(1, sets[i])};
    block b;
    draw(&r, &b);
    compare(&r, &b, &t);
  }
  assert_int_equal(t.missed, 0);
  assert_int_equal(t.wrong, 0);
  assert_true(t.cycles >= 6); /* and they are found */
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_blocks), cmocka_unit_test(once_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
