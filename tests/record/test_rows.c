/* SPDX-License-Identifier: Apache-2.0
 * test_rows.c - which rows of a file a record has: those between the first and the last that have all
 * numbers, whichever column lacks them; without a time they count from 0; a single row tells of no time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/record.h"

enum { T, X, F, ALL, ROWS = 12 };

static br_record *load(const char *text, br_err *err)
{
  br_channel ch[ALL] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION),
                        br_channel_of(BR_ROLE_FORCE)};
  br_record *r = NULL;
  ch[T].optional = ch[F].optional = 1;
  *err = (br_err){BR_OK, -1, ""};
  return br_record_load_memory(text, strlen(text), "m", ch, ALL, NULL, &r, err) ? NULL : r;
}

static int noted(const br_record *r, const char *needle)
{
  for (size_t i = 0; br_record_note(r, i); i++)
    if (strstr(br_record_note(r, i), needle)) return 1;
  return 0;
}

static double x_of(size_t i) { return 3 + (double)(i * i); }
static double f_of(size_t i) { return (i % 2 ? -7 : 5) - (double)i; }

/* Row i of a file: time (where there is one), position, force; cells that lack are empty. */
static void write_row(char *text, size_t size, int timed, size_t i, int no_x, int no_f)
{
  char cell[2][32] = {"", ""};
  if (!no_x) (void)snprintf(cell[0], sizeof cell[0], "%g", x_of(i));
  if (!no_f) (void)snprintf(cell[1], sizeof cell[1], "%g", f_of(i));
  const size_t used = strlen(text);
  if (timed) (void)snprintf(text + used, size - used, "%g,%s,%s\n", 2 + 0.5 * (double)i, cell[0], cell[1]);
  else (void)snprintf(text + used, size - used, "%s,%s\n", cell[0], cell[1]);
}

/* Position lacks at one end and force at the other, or both at both: what is left are the rows between, each
 * with its own numbers, and the note counts those that went. */
static void ends_without_numbers(void **state)
{
  (void)state;
  for (int timed = 0; timed < 2; timed++)
    for (size_t head = 0; head < 4; head++)
      for (size_t tail = 0; tail < 4; tail++)
        for (int who = 0; who < 4; who++) { /* whose cells lack: bit 0 force in front, bit 1 force behind */
          char text[1000], says[64];
          br_err err;
          (void)snprintf(text, sizeof text, "%s\n", timed ? "t_s,x_m,F_N" : "x_m,F_N");
          for (size_t i = 0; i < ROWS; i++) {
            const int front = i < head, behind = i >= ROWS - tail;
            write_row(text, sizeof text, timed, i, (front && !(who & 1)) || (behind && !(who & 2)),
                      (front && (who & 1)) || (behind && (who & 2)));
          }
          br_record *r = load(text, &err);
          if (!r) fail_msg("%s", err.msg);
          assert_int_equal(br_record_rows(r), ROWS - head - tail);
          assert_int_equal(br_record_timed(r), timed);
          for (size_t k = 0; k < br_record_rows(r); k++) {
            const double t = timed ? 2 + 0.5 * (double)(k + head) : (double)(k + head);
            if (br_record_data(r, T)[k] != t || br_record_data(r, X)[k] != x_of(k + head) ||
                br_record_data(r, F)[k] != f_of(k + head))
              fail_msg("%zu and %zu rows lack, row %zu: %g %g %g", head, tail, k, br_record_data(r, T)[k],
                       br_record_data(r, X)[k], br_record_data(r, F)[k]);
          }
          (void)snprintf(says, sizeof says, "%zu row%s at the ends left out", head + tail,
                         head + tail == 1 ? "" : "s");
          assert_int_equal(noted(r, says), head + tail > 0);
          assert_int_equal(noted(r, "at the ends left out"), head + tail > 0);
          br_record_destroy(r);
        }
  br_err err;
  assert_null(load("t_s,x_m,F_N\n0,,1\n1,2,\n2,,3\n", &err)); /* none has all */
  assert_non_null(strstr(err.msg, "no row has all numbers"));
}

/* Without a time rows count from 0, and windows choose by that number, both ends included. */
static void rows_without_time(void **state)
{
  static const char TEXT[] = "x_m,F_N\n5,1\n3,2\n4,3\n1,4\n2,5\n";
  br_channel ch[ALL] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION),
                        br_channel_of(BR_ROLE_FORCE)};
  br_err err;
  (void)state;
  ch[T].optional = 1;
  for (int from = 0; from < 4; from++)
    for (int to = from + 1; to < 5; to++) {
      char steps[48];
      br_record *r = NULL;
      (void)snprintf(steps, sizeof steps, "m|window:%d:%d", from, to);
      if (br_record_load_memory(TEXT, sizeof TEXT - 1, steps, ch, ALL, NULL, &r, &err))
        fail_msg("%s: %s", steps, err.msg);
      assert_int_equal(br_record_rows(r), to - from + 1);
      for (int k = from; k <= to; k++)
        assert_true(br_record_data(r, T)[k - from] == k && br_record_data(r, F)[k - from] == k + 1);
      br_record_destroy(r);
    }
}

/* Nobody has named the columns: the first one is the time where it increases from row to row, and a single
 * row does not. */
static void first_column(void **state)
{
  static const struct {
    const char *text;
    int timed;
    double x; /* in the first row */
  } CASES[] = {
      {"c1,c2\n1,2\n", 0, 1},      {"c1,c2\n1,2\n2,9\n", 1, 2},        {"c1,c2\n1,2\n1,9\n", 0, 1},
      {"c1,c2\n2,2\n1,9\n", 0, 2}, {"c1,c2\n1,2\n2,9\n1.5,9\n", 0, 1}, {"c1,c2\n1,2\n2,9\n4,9\n", 1, 2},
      {"t,c2\n1,2\n", 1, 2}, /* a name tells */
      {"t_s,x_m\n1,2\n", 1, 2}};
  br_err err;
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_record *r = load(CASES[i].text, &err);
    if (!r) fail_msg("%s: %s", CASES[i].text, err.msg);
    if (br_record_timed(r) != CASES[i].timed || br_record_data(r, X)[0] != CASES[i].x)
      fail_msg("%s: timed %d, x = %g", CASES[i].text, br_record_timed(r), br_record_data(r, X)[0]);
    br_record_destroy(r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_without_numbers),
                                     cmocka_unit_test(rows_without_time), cmocka_unit_test(first_column)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
