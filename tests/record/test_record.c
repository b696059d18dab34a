/* SPDX-License-Identifier: Apache-2.0
 * test_record.c - measured records: which columns are chosen, what is refused and how, steps, gaps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../src/base/alloc.h"
#include "bristle/record.h"

enum { T, X, V, F, N, ALL };
static const br_role ROLES[ALL] = {BR_ROLE_TIME, BR_ROLE_POSITION, BR_ROLE_VELOCITY, BR_ROLE_FORCE,
                                   BR_ROLE_LOAD};

/* Time may be absent, position is needed, the others are taken where they are. */
static void channels(br_channel ch[ALL], int force)
{
  for (int k = 0; k < ALL; k++) ch[k] = br_channel_of(ROLES[k]);
  ch[T].optional = ch[V].optional = ch[N].optional = 1;
  ch[F].optional = !force;
}

static br_record *load_of(const char *text, const char *name, const br_channel *ch, size_t n)
{
  br_record *r = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_record_load_memory(text, strlen(text), name, ch, n, NULL, &r, &err)) fail_msg("%s", err.msg);
  return r;
}

static br_record *load(const char *text, const char *name)
{
  br_channel ch[ALL];
  channels(ch, 0);
  return load_of(text, name, ch, ALL);
}

static void refuse_of(const char *text, const char *name, const br_channel *ch, size_t n, const char *needle)
{
  br_record *r = (br_record *)1;
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_record_load_memory(text, strlen(text), name, ch, n, NULL, &r, &err);
  assert_int_not_equal(st, BR_OK);
  assert_null(r);
  if (!strstr(err.msg, needle)) fail_msg("message '%s' lacks '%s'", err.msg, needle);
}

static void refuse(const char *text, const char *name, const char *needle)
{
  br_channel ch[ALL];
  channels(ch, 1);
  refuse_of(text, name, ch, ALL, needle);
}

static int noted(const br_record *r, const char *needle)
{
  for (size_t i = 0; br_record_note(r, i); i++)
    if (strstr(br_record_note(r, i), needle)) return 1;
  return 0;
}

static void chosen(const char *header, const char *names)
{
  char text[400], got[200] = "";
  (void)snprintf(text, sizeof text, "%s\n", header);
  for (int i = 0; i < 3;
       i++) { /* as many cells as there are headings; the first ones fall, so that none looks like a time */
    size_t cells = 1;
    for (const char *p = header; *p; p++) cells += *p == ',';
    for (size_t j = 0; j < cells; j++)
      (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", j ? "," : "",
                     (j == 0 ? i : 3 - i));
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "\n");
  }
  br_record *r = load(text, "m");
  for (size_t k = 0; k < ALL; k++)
    (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", k ? " " : "",
                   br_record_data(r, k) ? br_record_name(r, k) : "-");
  if (strcmp(got, names) != 0) fail_msg("%s: chose '%s', expected '%s'", header, got, names);
  br_record_destroy(r);
}

static void columns_are_chosen_by_unit_and_name(void **state)
{
  (void)state;
  chosen("t_s,x_mm,F_N", "t x - F -");
  chosen("t_s,N_N,x_um,F_N", "t x - F N");
  chosen("t_s,x_mm,p_bar,F_N", "t x - F -");
  chosen("t_s,F_N,way_mm", "t way - F -"); /* a single length is the position, whatever its name */
  chosen("t_s,acc_g,v_m_per_s,q [deg]", "t q v - -");
  chosen("x,F", "row x - F -"); /* no time: a path */
  chosen("Time,Force,Position", "Time Position - Force -");
  chosen("i,j", "i j - - -"); /* the first column increases */
  chosen("t_ms,x_mm,y_mm,Fref_N,F_N", "t x - F -");
  chosen("t_s,x_mm,P_N", "t x - - -");           /* force or load? the unit alone does not say */
  chosen("t_s,x_mm,rate [m/s]", "t x rate - -"); /* nothing else wants that unit */
  chosen("t_s,note,x", "t x - - -");
  chosen("t_s,x_mm,u_mm,F_N", "t x - F -"); /* the better name, wherever it stands */
  chosen("t_s,u_mm,x_mm,F_N", "t x - F -");
  chosen("t,x,u,F", "t x - F -");
  br_record *r = load("i,j\n0,1\n0,2\n1,3\n", "m"); /* a first column that stands still is no time */
  assert_false(br_record_timed(r));
  br_record_destroy(r);
}

/* What the caller may say, each against the same record without it. */
static void options_are_taken(void **state)
{
  static const char TEXT[] = "t_s,x_mm\n0,1\n1,2\n2,4\n3,\n4,\n5,6\n", ONE[] = "t;x\n0;1,250\n1;2,500\n";
  br_channel ch[BR_RECORD_CHANNELS + 1];
  br_record_options o = br_record_options_default();
  br_record *r = NULL;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (size_t k = 0; k <= BR_RECORD_CHANNELS; k++) {
    ch[k] = br_channel_of(k ? BR_ROLE_POSITION : BR_ROLE_TIME);
    if (k > 1) ch[k].column = "-", ch[k].optional = 1;
  }
  assert_int_equal(br_record_load_memory(TEXT, strlen(TEXT), "m", ch, 2, &o, &r, &err), BR_OK);
  br_record_destroy(r);
  o.gap_limit = 2; /* 3 s are missing */
  assert_int_equal(br_record_load_memory(TEXT, strlen(TEXT), "m", ch, 2, &o, &r, &err), BR_E_RANGE);
  assert_non_null(strstr(err.msg, "limit of 2 s"));
  o = br_record_options_default();
  assert_int_equal(br_record_load_memory(ONE, strlen(ONE), "m", ch, 2, &o, &r, &err), BR_OK);
  assert_true(br_record_data(r, 1)[0] == 1.25);
  br_record_destroy(r);
  o.decimal = '.'; /* then 1,250 is no number, or two */
  r = NULL;
  if (!br_record_load_memory(ONE, strlen(ONE), "m", ch, 2, &o, &r, &err))
    assert_false(br_record_data(r, 1)[0] == 1.25);
  br_record_destroy(r);
  o = br_record_options_default(), o.no_steps = 1; /* a bar is a part of the name */
  assert_int_equal(br_record_load_memory(TEXT, strlen(TEXT), "m|nothing", ch, 2, &o, &r, &err), BR_OK);
  br_record_destroy(r);
  assert_int_equal(br_record_load_memory(TEXT, strlen(TEXT), "m", ch, BR_RECORD_CHANNELS, NULL, &r, &err),
                   BR_OK);
  br_record_destroy(r);
  assert_int_equal(br_record_load_memory(TEXT, strlen(TEXT), "m", ch, BR_RECORD_CHANNELS + 1, NULL, &r, &err),
                   BR_E_ARG);
  assert_null(r);
  refuse("t_s,x_mm\n", "m", "has no rows");
  r = load("x_mm,y\n1,2\n0,3\n", "m"); /* rows in their order have no interval */
  assert_true(!br_record_timed(r) && br_record_dt(r) == 0);
  br_record_destroy(r);
  ch[0].optional = 0; /* a time that must be there */
  refuse_of("x_mm,y\n1,2\n0,3\n", "m", ch, 2, "no column fits time");
}

static void units_are_converted(void **state)
{
  (void)state;
  br_record *r = load("t_ms;x_mm;F_kN\n0;1,5;2\n10;2,5;3\n", "m");
  assert_true(br_record_data(r, T)[1] == 0.01 && br_record_data(r, X)[0] == 0.0015 &&
              br_record_data(r, F)[1] == 3000);
  assert_true(noted(r, "decimal comma, columns separated by semicolons"));
  assert_true(noted(r, "position: column 'x' in mm"));
  assert_true(br_record_timed(r) && br_record_rows(r) == 2 && br_record_dt(r) == 0.01);
  br_record_destroy(r);
  r = load("t,x\n0,1\n1,2\n", "m");
  assert_true(noted(r, "position: column 'x', no unit, taken as m"));
  br_record_destroy(r);
}

static void named_columns(void **state)
{
  (void)state;
  static const char TEXT[] = "t_s,x_mm,y_mm,acc_g,v_mps,state,F_N\n0,1,10,0,0,idle,1\n1,2,20,0,0,run,2\n";
  br_channel ch[2] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION)};
  static const struct {
    const char *column;
    double first;
  } GOOD[] = {{"y", 0.01}, {"y_mm", 0.01}, {"3", 0.01}, {"x", 0.001}, {"v_mps", 0}};
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
    ch[1].column = GOOD[i].column;
    br_record *r = load_of(TEXT, "m", ch, 2);
    assert_true(br_record_data(r, 1)[0] == GOOD[i].first);
    br_record_destroy(r);
  }
  ch[1].column = "x"; /* a unit said twice */
  br_record *both = load_of("t [s],x_ref [mm],x_mm [mm]\n0,7,1\n1,7,2\n", "m", ch, 2);
  assert_true(br_record_data(both, 1)[0] == 0.001);
  br_record_destroy(both);
  ch[1].column = "acc";
  refuse_of(TEXT, "m", ch, 2, "column 'acc' is in g (m s^-2), but position needs m");
  refuse_of(TEXT, "m", ch, 2, "that fits: x [mm], y [mm]");
  ch[1].column = "F";
  refuse_of(TEXT, "m", ch, 2, "column 'F' is in N (m kg s^-2), but position needs m");
  ch[1].column = "z_mm";
  refuse_of(TEXT, "m", ch, 2, "no column 'z_mm'; it has t [s]");
  ch[1].column = "stat";
  refuse_of(TEXT, "m", ch, 2,
            "no column 'stat', did you mean 'state'?; it has t [s], x [mm], y [mm], acc [g]");
  ch[1].column = "state";
  refuse_of(TEXT, "m", ch, 2, "m:2: column 'state': 'idle' is not a number");
  ch[1].column = "9";
  refuse_of(TEXT, "m", ch, 2, "no column '9'");
  ch[1].column = "0"; /* columns are counted from 1 */
  refuse_of(TEXT, "m", ch, 2, "no column '0'");
  ch[1].column = "z"; /* words with a number among them are words */
  refuse_of("t_s,mark\n0,a\n1,b\n2,3\n", "m", ch, 2, "mark (text)");
  ch[1].column = NULL;
  refuse_of("t_s,a_mm,b_mm\n0,1,2\n1,2,3\n", "m", ch, 2, "several columns fit position: a [mm], b [mm]");
  refuse_of("t_s,acc_g\n0,1\n1,2\n", "m", ch, 2,
            "no column fits position, which needs m: it has t [s], acc [g]");
  refuse_of("x [counts],t_s\n0,1\n1,2\n", "m", ch, 2, "no column fits position");
  ch[1].column = "x";
  refuse_of("x [counts],t_s\n0,1\n1,2\n", "m", ch, 2, "which cannot be converted");
}

static void faults_of_time(void **state)
{
  (void)state;
  br_record *r = load("t_s,x_m\n0,0\n1,1\n1,3\n2,4\n", "m");
  assert_int_equal(br_record_rows(r), 3);
  assert_true(br_record_data(r, X)[1] == 2);
  assert_true(noted(r, "1 repeated time stamp merged to the mean, the first at 1 s"));
  br_record_destroy(r);
  refuse("t_s,x_m,F_N\n0,0,0\n2,1,0\n1,3,0\n", "m", "time runs back from 2 s to 1 s in row 3");
  refuse("t_s,x_m,F_N\n0,0,0\n2,inf,0\n", "m", "column 'x' is infinite in row 2");
  /* the mean of three, of the two that are there, and of a stamp that comes later */
  r = load("t_s,x_m\n0,0\n1,1\n1,3\n1,8\n2,4\n3,\n3,5\n3,9\n3,\n4,2\n4,3\n", "m");
  assert_int_equal(br_record_rows(r), 5);
  static const double MEAN[] = {0, 4, 4, 7, 2.5};
  for (size_t i = 0; i < 5; i++) assert_true(br_record_data(r, X)[i] == MEAN[i]);
  assert_true(noted(r, "6 repeated time stamps merged to the mean, the first at 1 s"));
  br_record_destroy(r);
  r = load("t_s,x_m\n0,0\n,7\n1,1\n2,\n", "m");
  assert_int_equal(br_record_rows(r), 2);
  assert_true(noted(r, "1 row without a time left out") && noted(r, "1 row at the ends left out"));
  br_record_destroy(r);
}

static char *long_record(double gap)
{
  static char text[20000];
  size_t used = (size_t)snprintf(text, sizeof text, "t_s,x_mm\n");
  for (int i = 0; i <= 500; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%.3f,%d\n", 0.01 * i + (i > 250 ? gap : 0), i);
  return text;
}

static void gaps_are_named_and_limited(void **state)
{
  (void)state;
  br_channel ch[2] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION)};
  br_record *r = load_of(long_record(0.05), "m", ch, 2);
  assert_true(noted(r, "1 gap bridged by straight lines, behind 2.5 (0.06) s: longest 0.06 s, limit 0.1 s"));
  br_record_destroy(r);
  refuse_of(long_record(0.5), "m", ch, 2,
            "a gap of 0.51 s behind 2.5 s (t) is longer than the limit of 0.1 s");
  refuse_of(long_record(0.5), "m", ch, 2, "|gaps:0.515s");
  r = load_of(long_record(0.5), "m|gaps:0.515s", ch, 2);
  assert_true(noted(r, "limit 0.515 s") && noted(r, "gaps:0.515s"));
  br_record_destroy(r);
  r = load_of(long_record(0.5), "m|window:0:2s", ch, 2); /* the gap is outside */
  assert_int_equal(br_record_rows(r), 201);
  br_record_destroy(r);
  r = load_of("t_s,x_mm\n0,0\n1,\n2,2\n3,3\n", "m", ch, 2);
  assert_true(br_record_data(r, 1)[1] == 0.001);
  assert_true(noted(r, "1 gap bridged"));
  br_record_destroy(r);
  /* several: the first three and the longest are named; within them straight lines in time, not in rows */
  r = load_of("t_s,x_mm\n0,0\n1,\n2,2\n3,\n4,\n5,\n6,10\n7,7\n8,\n9,9\n10,\n11,9\n12,9\n13,9\n14,9\n", "m",
              ch, 2);
  assert_true(noted(r, "4 gaps bridged by straight lines, behind 0 (2), 2 (4), 7 (2) s, ...: longest 4 s"));
  assert_true(fabs(br_record_data(r, 1)[3] - 0.004) < 1e-15 && fabs(br_record_data(r, 1)[5] - 0.008) < 1e-15);
  br_record_destroy(r);
  r = load_of("t_s,x_mm\n0,0\n1,\n4,4\n5,5\n", "m|gaps:9s", ch, 2);
  assert_true(br_record_data(r, 1)[1] == 0.001);
  br_record_destroy(r);
}

/* The limit is ten usual intervals or a hundredth of the record, whichever is longer; usual is the median,
 * not the mean. */
static void the_usual_limit(void **state)
{
  static char text[60000];
  (void)state;
  br_channel ch[2] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION)};
  size_t used = (size_t)snprintf(text, sizeof text, "t_s,x_mm\n");
  for (int i = 0; i <= 3000; i++)
    if (i <= 1000 || i > 1020) used += (size_t)snprintf(text + used, sizeof text - used, "%d,1\n", i);
  br_record *r = load_of(text, "m", ch, 2);
  assert_true(noted(r, "1 gap bridged by straight lines, behind 1000 (21) s: longest 21 s, limit 30 s"));
  br_record_destroy(r);
  r = load_of("t_s,x_mm\n0,0\n1,0\n2,0\n5,0\n6,0\n12,0\n13,0\n14,0\n", "m", ch, 2);
  assert_true(br_record_dt(r) == 1);
  assert_true(noted(r, "1 gap bridged by straight lines, behind 6 (6) s")); /* three intervals are none yet */
  br_record_destroy(r);
}

static void steps_change_the_record(void **state)
{
  (void)state;
  static const char TEXT[] = "t_s,x_mm,F_N\n0,1,5\n1,2,6\n2,3,9\n3,4,10\n";
  br_record *r = load(TEXT, "m|offset:-1mm|scale:x=2|offset:F=1|window:1s:3s|shift:-1s|resample:500ms");
  static const double X_IS[] = {0.002, 0.003, 0.004, 0.005, 0.006}, F_IS[] = {7, 8.5, 10, 10.5, 11};
  assert_int_equal(br_record_rows(r), 5);
  for (size_t i = 0; i < 5; i++) {
    assert_true(fabs(br_record_data(r, T)[i] - 0.5 * (double)i) < 1e-15);
    assert_true(fabs(br_record_data(r, X)[i] - X_IS[i]) < 1e-15);
    assert_true(fabs(br_record_data(r, F)[i] - F_IS[i]) < 1e-14);
  }
  assert_true(noted(r, "offset:-1mm") && noted(r, "resample:500ms"));
  br_record_destroy(r);
  r = load(TEXT, "m|1s:2s|centre");
  assert_true(br_record_rows(r) == 2 && fabs(br_record_data(r, X)[0] + 0.0005) < 1e-15 &&
              br_record_data(r, F)[1] == 1.5);
  br_record_destroy(r);
  r = load(TEXT, "m|detrend:position");
  for (size_t i = 0; i < 4; i++) assert_true(fabs(br_record_data(r, X)[i]) < 1e-15);
  assert_true(br_record_data(r, F)[0] == 5);
  br_record_destroy(r);
  r = load(TEXT,
           "m|resample:0.3s|lowpass:1.6Hz"); /* half of the new rate; the end is a row however it rounds */
  assert_true(br_record_rows(r) == 11 && fabs(br_record_dt(r) - 0.3) < 1e-15);
  br_record_destroy(r);
  r = load("t_s,x_mm\n0,1\n0.3,4\n", "m|resample:0.1s");
  assert_true(br_record_rows(r) == 4 && fabs(br_record_data(r, X)[3] - 0.004) < 1e-15);
  br_record_destroy(r);
  br_channel any[2] = {br_channel_of(BR_ROLE_TIME), {.what = "value", .column = "p"}};
  r = load_of("t_s,p_kPa\n0,1\n1,2\n", "m|offset:-500Pa", any, 2); /* of whatever unit the column has */
  assert_true(fabs(br_record_data(r, 1)[0] - 500) < 1e-9);
  br_record_destroy(r);
  refuse_of("t_s,p_kPa\n0,1\n1,2\n", "m|offset:-5mm", any, 2, "no column in use has the dimension");
  refuse(TEXT, "m|gaps:0s", "must be > 0");
  refuse(TEXT, "m|scale:2", "which of the 2 columns? write scale:COLUMN=...");
  refuse(TEXT, "m|scale:x=2mm", "its unit is not that of a factor");
  refuse(TEXT, "m|scale:x=0", "leaves nothing");
  refuse(TEXT, "m|offset:3A", "no column in use has the dimension A");
  refuse(TEXT, "m|offset:x=3N", "no column in use has the dimension");
  refuse(TEXT, "m|offset:y=3", "'y' is no column in use");
  refuse(TEXT, "m|lowpas:2Hz", "unknown step 'lowpas'; did you mean 'lowpass'?");
  refuse(TEXT, "m|lowpass:2Hz", "at most half the sampling rate, 0.5 Hz");
  refuse(TEXT, "m|lowpass:2s", "its unit is not that of a frequency");
  refuse(TEXT, "m|window:5s:9s", "leaves 0 rows of the record, which goes from 0 to 3 s");
  refuse(TEXT, "m|window:2.5s:9s", "leaves 1 rows of the record, which goes from 0 to 3 s");
  refuse(TEXT, "m|window:2s:1s", "A < B");
  refuse(TEXT, "m|window:1s:1s", "A < B");
  refuse(TEXT, "m|window:2s", "expected window:A:B");
  refuse(TEXT, "m|resample:1e-12", "100 million");
  refuse(TEXT, "m|shift:1e300", "is no use in row");
  refuse(TEXT, "m|centre|scale:F=1e308", "is no use in row");
  refuse(TEXT, "m|centre|", "unknown step ''");
  refuse("x,F\n1,2\n0,3\n", "m|lowpass:1Hz", "the record has no time");
  refuse("x,F\n1,2\n0,3\n2,2\n", "m|window:0s:1s", "the record has no time");
}

/* Amplitude and phase at the cutoff and well below: -3 dB and 0 dB, no phase, also with uneven samples. */
static void lowpass_has_its_cutoff_and_no_phase(void **state)
{
  (void)state;
  for (int uneven = 0; uneven < 2; uneven++) {
    for (int k = 0; k < 2; k++) {
      const double f = k ? 5.0 : 0.5, w = 2 * acos(-1.0) * f;
      static char text[400000];
      size_t used = (size_t)snprintf(text, sizeof text, "t_s,x_m\n");
      double t = 0;
      for (int i = 0; i <= 8000; i++, t += uneven && i % 3 == 0 ? 0.002 : 0.001)
        used += (size_t)snprintf(text + used, sizeof text - used, "%.6f,%.12f\n", t, sin(w * t));
      br_channel ch[2] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION)};
      br_record *r = load_of(text, "m|lowpass:5Hz|window:2s:6s", ch, 2);
      double s = 0, c = 0, n = 0;
      const double *at = br_record_data(r, 0), *x = br_record_data(r, 1);
      for (size_t i = 1; i + 1 < br_record_rows(r); i++) {
        const double h = 0.5 * (at[i + 1] - at[i - 1]);
        s += h * x[i] * sin(w * at[i]), c += h * x[i] * cos(w * at[i]),
            n += h * sin(w * at[i]) * sin(w * at[i]);
      }
      assert_true(fabs(s / n - (k ? sqrt(0.5) : 1)) < 2e-3);
      assert_true(fabs(c / n) < 1e-3);
      br_record_destroy(r);
    }
  }
}

/* A straight line stays what it is, to both its ends. */
static void lowpass_leaves_a_ramp(void **state)
{
  char text[8000];
  size_t used = (size_t)snprintf(text, sizeof text, "t_s,x_m\n");
  br_channel ch[2] = {br_channel_of(BR_ROLE_TIME), br_channel_of(BR_ROLE_POSITION)};
  (void)state;
  for (int i = 0; i <= 400; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%.2f,%.2f\n", 0.01 * i, 3 + 0.02 * i);
  br_record *r = load_of(text, "m|lowpass:2Hz", ch, 2);
  for (size_t i = 0; i <= 400; i++) assert_true(fabs(br_record_data(r, 1)[i] - 3 - 0.02 * (double)i) < 1e-3);
  br_record_destroy(r);
}

static void survives_without_memory(void **state)
{
  (void)state;
  static const char TEXT[] = "t_s;x_mm;F_N;note\n0;1,5;5;a\n1;2;6;b\n1;2;6;c\n2;;9;d\n3;4;10;e\n";
  br_channel ch[ALL];
  channels(ch, 1);
  long n = 0;
  for (; n < 1000; n++) {
    br_record *r = NULL;
    br_err err = {BR_OK, -1, ""};
    bri_alloc_fail_after(n);
    const br_status st = br_record_load_memory(TEXT, strlen(TEXT), "m|lowpass:0.2Hz|resample:0.1s|centre", ch,
                                               ALL, NULL, &r, &err);
    bri_alloc_fail_after(-1);
    if (!st) {
      br_record_destroy(r);
      break;
    }
    assert_int_equal(st, BR_E_NOMEM);
    assert_null(r);
  }
  assert_in_range(n, 10, 999);
  assert_int_equal(bri_alloc_live(), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_chosen_by_unit_and_name),
      cmocka_unit_test(units_are_converted),
      cmocka_unit_test(named_columns),
      cmocka_unit_test(faults_of_time),
      cmocka_unit_test(gaps_are_named_and_limited),
      cmocka_unit_test(the_usual_limit),
      cmocka_unit_test(steps_change_the_record),
      cmocka_unit_test(lowpass_has_its_cutoff_and_no_phase),
      cmocka_unit_test(lowpass_leaves_a_ramp),
      cmocka_unit_test(options_are_taken),
      cmocka_unit_test(survives_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
