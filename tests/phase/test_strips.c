/* SPDX-License-Identifier: Apache-2.0
 * test_strips.c - columns cut where the kind changes: borders of a disc, a band and a thin wedge where they
 * are known; the same for any number of threads; questions that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include <stdio.h>

#include "../../src/phase/strips.h"
#include "kit.h"

typedef struct {
  int questions, fail_after;
} counter;

/* 1 in a disc around (0.4, 0.5), 2 right of 0.8, 3 in a wedge below; single threaded where it counts. */
static br_status kind(void *ctx, double x, double y, unsigned char *k)
{
  counter *c = ctx;
  if (c && c->fail_after && ++c->questions > c->fail_after) return BR_INTERRUPTED;
  *k = hypot(x - 0.4, y - 0.5) < 0.3 ? 1 : x > 0.8 ? 2 : y < 0.1 * (x - 0.2) ? 3 : 0;
  return BR_OK;
}

static bri_strips_of question(size_t columns, int threads, counter *c)
{
  return (bri_strips_of){0, 1, 0, 1, columns, 21, NULL, threads, kind, c};
}

static void borders(void **state)
{
  static bri_strip s[BRI_STRIPS_MOST];
  br_err err;
  size_t n = 0;
  double worst = 0, from = 1, to = 0, edge = 1;
  (void)state;
  const bri_strips_of w = question(21, 1, NULL);
  assert_int_equal(bri_strips_make(&w, s, &n, &err), BR_OK);
  assert_true(n > 30 && n <= 63);
  for (size_t i = 0; i < n; i++) {
    assert_true(i == 0 || s[i].x > s[i - 1].x);
    assert_true(s[i].y[0] == 0 && s[i].y[s[i].n] == 1);
    for (int k = 0; k < s[i].n; k++) {
      unsigned char here = 9;
      assert_true(s[i].y[k + 1] > s[i].y[k]);
      assert_int_equal(kind(NULL, s[i].x, 0.5 * (s[i].y[k] + s[i].y[k + 1]), &here), BR_OK);
      if (s[i].y[k + 1] - s[i].y[k] > 1.0 / 200) assert_int_equal(here, s[i].kind[k]);
      if (s[i].kind[k] == 1) {
        const double half = sqrt(0.09 - (s[i].x - 0.4) * (s[i].x - 0.4));
        worst = fmax(worst, fmax(fabs(s[i].y[k] - 0.5 + half), fabs(s[i].y[k + 1] - 0.5 - half)));
        from = fmin(from, s[i].x), to = fmax(to, s[i].x);
      }
      if (s[i].kind[k] == 3) worst = fmax(worst, fabs(s[i].y[k + 1] - 0.1 * (s[i].x - 0.2)));
      if (s[i].kind[k] == 2) edge = fmin(edge, s[i].x);
    }
  }
  assert_true(worst < 1.0 / 400);
  double off = 0; /* of the straight line between two columns from the circle, where it is not too steep */
  for (size_t i = 0; i + 1 < n; i++)
    for (int k = 0; k < s[i].n && s[i].n == s[i + 1].n; k++) {
      const double x = 0.5 * (s[i].x + s[i + 1].x), half = sqrt(fmax(0, 0.09 - (x - 0.4) * (x - 0.4)));
      if (s[i].kind[k] == 1 && s[i + 1].kind[k] == 1 && half > 0.2)
        off = fmax(off, fabs(0.5 * (s[i].y[k] + s[i + 1].y[k]) - 0.5 + half));
    }
  assert_true(off < 1.0 / 800);
  /* where the disc begins and ends, and where the band does: halved down from a twentieth */
  assert_true(from - 0.1 < 0.01 && 0.7 - to < 0.01 && edge - 0.8 < 0.01);
}

static void known_points_and_threads(void **state)
{
  static bri_strip one[BRI_STRIPS_MOST], four[BRI_STRIPS_MOST];
  unsigned char known[21 * 21];
  br_err err;
  size_t n1 = 0, n4 = 0;
  (void)state;
  for (int i = 0; i < 21; i++)
    for (int j = 0; j < 21; j++) assert_int_equal(kind(NULL, i / 20.0, j / 20.0, &known[i * 21 + j]), BR_OK);
  counter c = {0, 100000};
  bri_strips_of w = question(21, 1, &c);
  assert_int_equal(bri_strips_make(&w, one, &n1, &err), BR_OK);
  const int asked = c.questions;
  c.questions = 0;
  w.known = known;
  assert_int_equal(bri_strips_make(&w, one, &n1, &err), BR_OK);
  assert_int_equal(c.questions, asked - 21 * 21); /* what is known is not asked again */
  w = question(21, 4, NULL);
  assert_int_equal(bri_strips_make(&w, four, &n4, &err), BR_OK);
  assert_int_equal(n1, n4);
  for (size_t i = 0; i < n1; i++) {
    assert_true(one[i].x == four[i].x && one[i].n == four[i].n);
    assert_memory_equal(one[i].kind, four[i].kind, (size_t)one[i].n);
    assert_memory_equal(one[i].y, four[i].y, ((size_t)one[i].n + 1) * sizeof one[i].y[0]);
  }
}

/* More pieces than a column holds: the rest belongs to the last one. */
static br_status stripes(void *ctx, double x, double y, unsigned char *k)
{
  (void)ctx, (void)x;
  *k = (unsigned char)((int)(y * 20.5) % 2);
  return BR_OK;
}

static void trouble(void **state)
{
  static bri_strip s[BRI_STRIPS_MOST];
  br_err err;
  size_t n = 0;
  counter c = {0, 700};
  (void)state;
  bri_strips_of w = question(21, 1, &c);
  assert_int_equal(bri_strips_make(&w, s, &n, &err), BR_INTERRUPTED);
  w = question(5, 1, NULL);
  w.kind = stripes;
  w.rows = 200;
  assert_int_equal(bri_strips_make(&w, s, &n, &err), BR_OK);
  assert_int_equal(n, 5);
  for (size_t i = 0; i < n; i++) assert_true(s[i].n == BRI_STRIP_MOST && s[i].y[s[i].n] == 1);
}

/* A case for which there is no name left is an error, and nothing is written behind the names. */
static void more_cases_than_names(void **state)
{
  static bri_strip strip[BRI_STRIPS_MOST];
  char names[BR_CASE_NAMES + 8][BR_CASE_NAME];
  const unsigned char cell[4] = {0, 1, 0, 1};
  const br_case_map_settings s = {"F", "sigma2", 4, 6.5, 0.8, 2, 2, 2, 1, NULL, NULL};
  size_t n = 0, known = BR_CASE_NAMES;
  kit k;
  br_err err;
  (void)state;
  kit_figure5(&k);
  const br_phase_problem p = kit_problem(&k);
  for (size_t i = 0; i < BR_CASE_NAMES + 8; i++)
    (void)snprintf(names[i], sizeof names[i], "none of them %zu", i);
  assert_int_equal(bri_case_strips(&p, &s, cell, names, &known, strip, &n, &err), BR_E_SIZE);
  assert_int_equal(known, BR_CASE_NAMES);
  assert_string_equal(names[BR_CASE_NAMES], "none of them 64");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(borders),
      cmocka_unit_test(known_points_and_threads),
      cmocka_unit_test(trouble),
      cmocka_unit_test(more_cases_than_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
