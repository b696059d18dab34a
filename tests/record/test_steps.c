/* SPDX-License-Identifier: Apache-2.0
 * test_steps.c - steps of a record, all of them: on which columns they act, which wait for the judgement of
 * gaps; the usual columns, and how many of them a message lists. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/record.h"
#include "bristle/unit.h"

/* time, position, force, load: by their columns' names */
enum { T, X, F, N, ALL };

static br_status load(const char *text, const char *name, size_t main_channel, br_record **r, br_err *err)
{
  br_channel ch[ALL] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION),
                        br_channel_of(BR_ROLE_FORCE), br_channel_of(BR_ROLE_LOAD)};
  br_record_options o = br_record_options_default();
  ch[T].optional = ch[F].optional = ch[N].optional = 1;
  o.main = main_channel;
  *err = (br_err){BR_OK, -1, ""};
  *r = NULL;
  return br_record_load_memory(text, strlen(text), name, ch, ALL, &o, r, err);
}

static br_record *good(const char *text, const char *name, size_t main_channel)
{
  br_record *r = NULL;
  br_err err;
  if (load(text, name, main_channel, &r, &err)) fail_msg("%s: %s", name, err.msg);
  return r;
}

static void refused(const char *text, const char *name, size_t main_channel, const char *needle)
{
  br_record *r = NULL;
  br_err err;
  if (!load(text, name, main_channel, &r, &err)) fail_msg("%s is taken", name);
  assert_null(r);
  if (!strstr(err.msg, needle)) fail_msg("%s: '%s' lacks '%s'", name, err.msg, needle);
}

static const char TEXT[] = "t_s,x_mm,F_N,y_mm\n0,1,5,7\n1,2,6,7\n2,3,9,8\n3,4,10,9\n";

/* A number alone is for the main column, where there is one; a unit chooses; a name decides.  What is meant
 * for a column that is not in use changes nothing and says so. */
static void columns_of_steps(void **state)
{
  (void)state;
  static const struct {
    const char *steps;
    size_t main;
    double x, F; /* in the first row, m and N */
  } CASES[] = {{"m|offset:3", X, 3.001, 5},       {"m|offset:3", F, 0.001, 8},
               {"m|scale:2", X, 0.002, 5},        {"m|scale:2", F, 0.001, 10},
               {"m|scale:F=2", X, 0.001, 10},     {"m|offset:3mm", F, 0.004, 5},
               {"m|offset:force=3", X, 0.001, 8}, {"m|offset:y=3mm", X, 0.001, 5},
               {"m|scale:y=4", F, 0.001, 5},      {"m|detrend:y", X, 0.001, 5}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    br_record *r = good(TEXT, CASES[i].steps, CASES[i].main);
    const double x = br_record_data(r, X)[0], f = br_record_data(r, F)[0];
    if (!(fabs(x - CASES[i].x) < 1e-15 && fabs(f - CASES[i].F) < 1e-14))
      fail_msg("%s: %.17g m, %.17g N", CASES[i].steps, x, f);
    int aside = 0;
    for (size_t k = 0; br_record_note(r, k); k++)
      aside |= strstr(br_record_note(r, k), "not in use here") != NULL;
    assert_int_equal(aside, strstr(CASES[i].steps, "y") != NULL);
    br_record_destroy(r);
  }
  refused(TEXT, "m|offset:3", 0, "which of the 2 columns?");
  refused(TEXT, "m|offset:3", ALL, "which of the 2 columns?"); /* a main column that is none */
  refused(TEXT, "m|offset:3", 99, "which of the 2 columns?");
  refused(TEXT, "m|detrend:x=1", X, "expected detrend");
  refused(TEXT, "m|centre:x=1", X, "expected centre");
  refused(TEXT, "m|offset:x=3mm:4mm", X, "expected offset:X");
}

/* Only what cannot spread the numbers at a gap may be done before it is judged: the others refuse it,
 * whatever they would make of it. */
static void gaps_come_first(void **state)
{
  static const char *const NUMBERS[][2] = {
      {"window", ":0s:3s"}, {"gaps", ":200s"}, {"shift", ":1s"},      {"offset", ":1mm"},   {"scale", ":x=2"},
      {"centre", ""},       {"detrend", ""},   {"lowpass", ":0.2Hz"}, {"resample", ":0.5s"}};
  static const char GAP[] = "t_s,x_mm\n0,1\n1,2\n2,3\n3,4\n103,5\n104,6\n105,7\n";
  const br_record_step *s = NULL;
  char text[80];
  (void)state;
  for (size_t i = 0; (s = br_record_steps(i)) != NULL; i++) {
    size_t k = 0;
    while (k < sizeof NUMBERS / sizeof NUMBERS[0] && strcmp(NUMBERS[k][0], s->name) != 0) k++;
    if (k == sizeof NUMBERS / sizeof NUMBERS[0]) fail_msg("what does the new step %s ask for?", s->name);
    const int cures = strcmp(s->name, "window") == 0 || strcmp(s->name, "gaps") == 0,
              early = cures || strcmp(s->name, "offset") == 0 || strcmp(s->name, "scale") == 0;
    (void)snprintf(text, sizeof text, "m|%s%s", s->name, NUMBERS[k][1]);
    if (cures) br_record_destroy(good(GAP, text, 0));
    else refused(GAP, text, 0, "a gap of 100 s");
    /* with the cure behind it: too late for all that need it */
    (void)snprintf(text, sizeof text, "m|%s%s|0s:3s", s->name, NUMBERS[k][1]);
    if (early) br_record_destroy(good(GAP, text, 0));
    else refused(GAP, text, 0, "a gap of 100 s");
  }
}

/* The usual columns: units as they must be, names that are theirs alone. */
static void usual_columns(void **state)
{
  static const struct {
    br_role role;
    const char *unit, *what;
  } USUAL[BR_ROLES] = {{BR_ROLE_TIME, "s", "time"},           {BR_ROLE_POSITION, "m", "position"},
                       {BR_ROLE_VELOCITY, "m/s", "velocity"}, {BR_ROLE_ACCELERATION, "m/s^2", "acceleration"},
                       {BR_ROLE_FORCE, "N", "force"},         {BR_ROLE_LOAD, "N", "load"}};
  (void)state;
  for (size_t i = 0; i < BR_ROLES; i++) {
    const br_channel ch = br_channel_of(USUAL[i].role);
    br_unit own, want;
    assert_string_equal(ch.what, USUAL[i].what);
    assert_int_equal(br_unit_parse(ch.unit, strlen(ch.unit), &own, NULL), BR_OK);
    assert_int_equal(br_unit_parse(USUAL[i].unit, strlen(USUAL[i].unit), &want, NULL), BR_OK);
    assert_true(br_unit_same(&own, &want) && own.factor == 1);
    assert_int_equal(ch.rotary, USUAL[i].role != BR_ROLE_TIME);
    assert_true(!ch.optional && !ch.column);
    const size_t n = strcspn(ch.names, "|");
    char text[80];
    br_record *r = NULL;
    br_err err;
    br_channel two[2] = {br_channel_of(BR_ROLE_TIME), ch}; /* by its first name, without any unit */
    if (USUAL[i].role == BR_ROLE_TIME) continue;
    (void)snprintf(text, sizeof text, "t,i,%.*s\n0,9,1\n1,9,3\n", (int)n, ch.names);
    assert_int_equal(br_record_load_memory(text, strlen(text), "m", two, 2, NULL, &r, &err), BR_OK);
    assert_true(br_record_data(r, 1)[1] == 3);
    br_record_destroy(r);
  }
}

/* Names in other letters count as the first that they are like. */
static void names_in_other_letters(void **state)
{
  static const char TWO[] = "t,WAY,X\n0,1,2\n1,3,4\n";
  br_channel ch[2] = {br_channel_of(BR_ROLE_TIME), {.what = "way", .unit = "m", .names = "Way|x|way"}};
  br_record *r = NULL;
  br_err err;
  (void)state;
  assert_int_equal(br_record_load_memory(TWO, strlen(TWO), "m", ch, 2, NULL, &r, &err), BR_OK);
  assert_string_equal(br_record_name(r, 1), "WAY");
  br_record_destroy(r);
}

/* Of many columns a message lists eight. */
static void many_columns(void **state)
{
  (void)state;
  refused("a_A,b_A,c_A,d_A,e_A,g_A,h_A,k_A\n1,1,1,1,1,1,1,1\n2,2,2,2,2,2,2,2\n", "m", 0, "h [A], k [A]");
  refused("a_A,b_A,c_A,d_A,e_A,g_A,h_A,k_A,l_A\n1,1,1,1,1,1,1,1,1\n2,2,2,2,2,2,2,2,2\n", "m", 0,
          "h [A], k [A], ...");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_of_steps), cmocka_unit_test(gaps_come_first),
                                     cmocka_unit_test(usual_columns), cmocka_unit_test(many_columns),
                                     cmocka_unit_test(names_in_other_letters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
