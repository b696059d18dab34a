/* SPDX-License-Identifier: Apache-2.0
 * test_specs.c - signals from text and files: units, refusals, odd times. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"
#include "base/alloc.h"
#include "signal/samples.h"

static void refuse(const char *spec, br_status code, const char *needle)
{
  br_signal *s = (br_signal *)1;
  br_err err = {BR_OK, -1, ""};
  const br_status st = br_signal_parse(spec, &s, &err);
  if (st != code) fail_msg("'%s': status %d (%s), expected %d", spec, (int)st, err.msg, (int)code);
  assert_null(s);
  if (!strstr(err.msg, needle)) fail_msg("'%s': message '%s' lacks '%s'", spec, err.msg, needle);
}

static void bad_specs_are_explained(void **state)
{
  (void)state;
  refuse("sin:1,2", BR_E_PARSE, "did you mean 'sine'?");
  refuse("qqq:1", BR_E_PARSE, "expected step, ramp");
  refuse("", BR_E_PARSE, "unknown input kind");
  refuse("sine", BR_E_PARSE, "sine:A,f[,phase,offset]");
  refuse("sine:", BR_E_PARSE, "sine:A,f[,phase,offset]");
  refuse("sine:1", BR_E_PARSE, "1 field");
  refuse("sine:1,2,3,4,5", BR_E_PARSE, "5 fields");
  refuse("sine:1,x", BR_E_PARSE, "field 2 (f): 'x' is not a number");
  refuse("sine:1,,2", BR_E_PARSE, "field 2 (f)");
  refuse("sine:1,0", BR_E_RANGE, "f = 0, expected a number > 0");
  refuse("sine:1,-2", BR_E_RANGE, "f = -2");
  refuse("sine:1,1e-320", BR_E_RANGE, "too small");
  refuse("sine:nan,1", BR_E_NAN, "field 1 (A)");
  refuse("sine:1,2s", BR_E_PARSE, "not that of a frequency");
  refuse("sine:1mm,2Hz,0,3s", BR_E_PARSE, "another dimension");
  refuse("sine:1mmm,2Hz", BR_E_PARSE, "unknown unit 'mmm'");
  refuse("triangle:1,-1", BR_E_RANGE, "f = -1");
  refuse("chirp:1,-1,2,3", BR_E_RANGE, "f0 = -1");
  refuse("chirp:1,0,0,3", BR_E_RANGE, "both 0");
  refuse("chirp:1,1,2,0", BR_E_RANGE, "T = 0");
  refuse("bimodal:0,1,1.5,2", BR_E_RANGE, "umin1 <= umin2 < umax1 <= umax2");
  refuse("bimodal:0,1,0,1", BR_E_RANGE, "both pairs are equal");
  refuse("bimodal:0,1,0.5", BR_E_PARSE, "3 fields");
  refuse("bimodal:0,1,0.5,1.5,1", BR_E_PARSE, "5 fields");
  refuse("bimodal:0,1,0.5,1.5,1,2,2,5", BR_E_RANGE, "t3 = 2 s: expected 0 < t1 < t2 < t3 < t4");
  refuse("bimodal:0,1,0.5,1.5,0,2,3,5", BR_E_RANGE, "t1 = 0 s");
  refuse("bimodal:0,1,0.5,1.5,1mm,2,3,5", BR_E_PARSE, "the unit is not that of a time");
  refuse("turning:1", BR_E_PARSE, "1 field");
  refuse("turning:1,1,1", BR_E_RANGE, "at least two must differ");
  refuse("turning:1e300,1e300,0,1e-300", BR_E_RANGE, "too close");
  refuse("turning:1e308,-1e308", BR_E_RANGE, "finite");
  refuse("pwl:0,1,0,2", BR_E_RANGE, "does not come after");
  refuse("pwl:0,1,2", BR_E_PARSE, "pairs");
  refuse("csv:/nonexistent.csv", BR_E_IO, "/nonexistent.csv");
  br_err err = {BR_OK, -1, ""};
  br_signal *s = NULL;
  assert_int_equal(br_signal_parse(NULL, &s, &err), BR_E_ARG);
  assert_int_equal(br_signal_parse("ramp:1", NULL, &err), BR_E_ARG);
  const double t[] = {0, 1}, u[] = {0, NAN};
  assert_int_equal(br_signal_from_arrays(2, t, u, &s, &err), BR_E_NAN);
  assert_int_equal(br_signal_from_arrays(0, t, u, &s, &err), BR_E_ARG);
  const double open[] = {0, 1};
  assert_int_equal(br_signal_from_samples(2, t, open, BR_SIGNAL_LINEAR, 1, &s, &err), BR_E_RANGE);
  assert_int_equal(br_signal_from_turning(2, open, 0.0, &s, &err), BR_E_RANGE);
  for (size_t k = 0; br_signal_kinds(k); k++) { /* the help's own grammar starts with the kind's name */
    assert_int_equal(
        strncmp(br_signal_kinds(k)->grammar, br_signal_kinds(k)->name, strlen(br_signal_kinds(k)->name)), 0);
  }
}

static void units_in_specs(void **state)
{
  (void)state;
  br_signal *s = parse("sine:0.3mm,2kHz,90deg,1um");
  assert_true(br_signal_period(s) == 1.0 / 2000.0);
  assert_true(fabs(br_signal_value(s, 0.0) - 0.000301) < 1e-19);
  br_signal_destroy(s);
  s = parse("pwl:0ms,0mm,500ms,2mm");
  assert_true(br_signal_value(s, 0.25) == 0.001 && br_signal_duration(s) == 0.5);
  br_signal_destroy(s);
}

static void odd_times_are_harmless(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"sine:1,1", "triangle:1,1", "chirp:1,1,2,3", "bimodal:0,1,0.5,1.5",
                                      "step:1,1", "ramp:1",       "pwl:0,0,1,1"};
  for (size_t k = 0; k < sizeof SPECS / sizeof SPECS[0]; k++) {
    br_signal *s = parse(SPECS[k]);
    assert_true(isnan(br_signal_value(s, NAN)) && isnan(br_signal_rate(s, NAN, 1)));
    assert_true(isnan(br_signal_variation(s, NAN)) && isnan(br_signal_normalised(s, NAN)));
    (void)br_signal_value(s, INFINITY);
    (void)br_signal_rate(s, -INFINITY, 1);
    (void)br_signal_variation(s, INFINITY);
    (void)br_signal_normalised(s, -INFINITY);
    assert_true(br_signal_next_corner(s, INFINITY) == INFINITY);
    (void)br_signal_value(s, 1e300);
    (void)br_signal_next_corner(s, 1e300);
    (void)br_signal_next_corner(s, -1e300);
    br_signal_destroy(s);
  }
  br_signal_destroy(NULL);
  assert_true(isnan(br_signal_value(NULL, 0.0)) && br_signal_period(NULL) == 0.0);
}

static char folder[] = "/tmp/br_signal_XXXXXX";

static void write_file(const char *name, const char *text, char *path, size_t size)
{
  (void)snprintf(path, size, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void signals_from_files(void **state)
{
  (void)state;
  char path[128], spec[200];
  assert_non_null(mkdtemp(folder));
  write_file("a.csv", "t_ms,F_N,x_mm\n0,9,0\n500,9,2\n1000,9,1\n", path, sizeof path);
  (void)snprintf(spec, sizeof spec, "csv:%s:t,x", path);
  br_signal *s = parse(spec);
  assert_true(br_signal_value(s, 0.25) == 0.001 && br_signal_duration(s) == 1.0 &&
              br_signal_period(s) == 0.0);
  br_signal_destroy(s);
  (void)snprintf(spec, sizeof spec, "csv:%s:1,3", path);
  s = parse(spec);
  assert_true(br_signal_value(s, 0.75) == 0.0015);
  br_signal_destroy(s);
  (void)snprintf(spec, sizeof spec, "csv:%s", path);
  s = parse(spec);
  assert_true(br_signal_value(s, 0.25) == 9.0);
  br_signal_destroy(s);
  (void)snprintf(spec, sizeof spec, "csv:%s:t,xx", path);
  refuse(spec, BR_E_NAME, "did you mean 'x'?");
  write_file("a.csv", "u\n0\n1\n0.5\n1.5\n", path, sizeof path);
  (void)snprintf(spec, sizeof spec, "csv:%s", path);
  s = parse(spec);
  assert_true(br_signal_period(s) == 4.0);
  br_signal_destroy(s);
  write_file("a.csv", "t,u\n0,0\n1,\n2,3\n", path, sizeof path);
  s = parse(spec); /* a gap is bridged, and noted */
  assert_true(br_signal_value(s, 1.0) == 1.5 && strstr(br_signal_note(s, 3), "1 gap bridged"));
  br_signal_destroy(s);
  write_file("a.csv", "t,u\n0,0\n1,1\n1,3\n", path, sizeof path);
  s = parse(spec); /* repeated stamps are merged */
  assert_true(br_signal_value(s, 1.0) == 2.0 && strstr(br_signal_note(s, 3), "merged to the mean"));
  assert_null(br_signal_note(s, 4));
  br_signal_destroy(s);
  write_file("a.csv", "x,F\n0,0\n1,1\n0.5,3\n", path, sizeof path);
  s = parse(spec); /* a path: no time */
  assert_true(br_signal_timeless(s) && br_signal_value(s, 1.0) == 1.0 && br_signal_duration(s) == 2.0);
  br_signal_destroy(s);
  write_file("a.csv", "t_s,x_mm,acc_g\n0,0,1\n1,1,1\n2,0.5,3\n", path, sizeof path);
  char stepped[300];
  const br_signal_need motion = {"m", "the motion", 1, 0, 0};
  br_err err = {BR_OK, -1, ""};
  (void)snprintf(stepped, sizeof stepped, "csv:%s:x|offset:-1mm|scale:2", path);
  assert_int_equal(br_signal_parse_for(stepped, &motion, &s, &err), BR_OK);
  assert_true(fabs(br_signal_value(s, 1.0)) < 1e-15 && fabs(br_signal_value(s, 0.0) + 0.002) < 1e-15);
  br_signal_destroy(s);
  s = NULL;
  (void)snprintf(stepped, sizeof stepped, "csv:%s:t,acc", path);
  assert_int_equal(br_signal_parse_for(stepped, &motion, &s, &err), BR_E_PARSE);
  assert_non_null(strstr(err.msg, "column 'acc' is in g (m s^-2), but the motion needs m"));
  assert_int_equal(br_signal_beside(spec, &motion, "acc", NULL, &s, &err), BR_OK);
  assert_true(br_signal_value(s, 2.0) == 3 * 9.80665);
  br_signal_destroy(s);
  static const struct {
    const char *spec, *needle;
  } WRONG[] = {{"sine:1N,1", "field 1 (A) = '1N' has dimension m kg s^-2, but the motion needs m"},
               {"ramp:1mm", "the motion needs m per s"},
               {"trapezoid:1mm,1mm/s,1mm/s", "the motion needs m per s^2"},
               {"turning:0,1A", "has dimension A"}};
  for (size_t k = 0; k < sizeof WRONG / sizeof WRONG[0]; k++) {
    assert_int_equal(br_signal_parse_for(WRONG[k].spec, &motion, &s, &err), BR_E_PARSE);
    if (!strstr(err.msg, WRONG[k].needle)) fail_msg("'%s' lacks '%s'", err.msg, WRONG[k].needle);
  }
  assert_int_equal(br_signal_parse_for("scurve:10deg,1rad/s,1rad/s^2,3rad/s^3", &motion, &s, &err), BR_OK);
  br_signal_destroy(s);
  write_file("a.csv", "amplitude,frequency_Hz,phase_rad\n1,1,0\n0.5,2,1\n", path, sizeof path);
  (void)snprintf(spec, sizeof spec, "multisine:%s", path);
  s = parse(spec);
  assert_true(fabs(br_signal_value(s, 0.0) - 0.5 * sin(1.0)) < 1e-15 && br_signal_period(s) == 1.0);
  br_signal_destroy(s);
  write_file("a.csv", "1,1,0\n0.5,1.41421356237,1\n", path, sizeof path);
  s = parse(spec);
  assert_true(br_signal_period(s) == 0.0);
  br_signal_destroy(s);
  write_file("a.csv", "amplitud,frequency_Hz,phase_rad\n1,1,0\n", path, sizeof path);
  refuse(spec, BR_E_NAME, "'amplitud'");

#ifdef BR_TESTING
  static const char *const SPECS[] = {"sine:1,1", "turning:0,1,2", "pwl:0,0,1,1", "triangle:1,1"};
  write_file("a.csv", "amplitude,frequency_Hz,phase_rad\n0.5,2,1\n1,1,0\n", path, sizeof path);
  const long live = bri_alloc_live();
  for (size_t k = 0; k < 6; k++) { /* every allocation may fail: no crash, no leak, the right code */
    const char *text = k < 4 ? SPECS[k] : k == 4 ? spec : "csv:";
    char csv[200];
    if (k == 5) {
      (void)snprintf(csv, sizeof csv, "csv:%s:1,3", path);
      text = csv;
    }
    int done = 0;
    for (long n = 0; n < 200 && !done; n++) {
      br_signal *out = NULL;
      bri_alloc_fail_after(n);
      const br_status st = br_signal_parse(text, &out, NULL);
      bri_alloc_fail_after(-1);
      done = st == BR_OK;
      if (!done) assert_true(st == BR_E_NOMEM && out == NULL);
      br_signal_destroy(out);
      assert_int_equal(bri_alloc_live(), live);
    }
    assert_true(done);
  }
#else
  print_message("SKIP: library built without BR_TESTING\n");
#endif
  remove(path);
  assert_int_equal(rmdir(folder), 0);
}

/* Columns of a list of sines go by their names, whatever their order and units; without names by their
 * places. */
static void columns_of_sines(void **state)
{
  static const char *const HEADS[] = {"amplitude", "frequency_Hz", "phase_rad"};
  static const double VALUES[2][3] = {{1, 0.5, 0.25}, {0.125, 1.5, 2}};
  static const int ORDER[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  char path[] = "sines.csv", spec[] = "multisine:sines.csv";
  const double tau = 2 * acos(-1.0);
  (void)state;
  for (size_t i = 0; i < 6; i++)
    for (int more = 0; more < 2; more++) {
      char text[400] = "";
      for (int row = -1; row < 2; row++) {
        for (int k = 0; k < 3; k++) {
          const size_t used = strlen(text);
          if (row < 0)
            (void)snprintf(text + used, sizeof text - used, "%s%s", k ? "," : "", HEADS[ORDER[i][k]]);
          else
            (void)snprintf(text + used, sizeof text - used, "%s%.17g", k ? "," : "",
                           VALUES[row][ORDER[i][k]]);
        }
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
                       !more     ? ""
                       : row < 0 ? ",note"
                                 : ",9");
      }
      FILE *f = fopen(path, "w");
      assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
      br_signal *s = parse(spec);
      for (int k = -4; k < 9; k++) {
        double want = 0;
        for (int row = 0; row < 2; row++)
          want += VALUES[row][0] * sin(tau * VALUES[row][1] * 0.3 * k + VALUES[row][2]);
        if (!(fabs(br_signal_value(s, 0.3 * k) - want) < 1e-13)) fail_msg("%s: %g", text, want);
      }
      br_signal_destroy(s);
    }
  (void)remove(path);
}

/* Along a position the places carry lengths or angles, over time they carry times; the other is refused, and
 * so is a unit of the values that is not theirs. */
static void units_along(void **state)
{
  const br_signal_need need = {.unit = "N", .what = "the load", .rotary = 1};
  static const struct {
    const char *spec;
    br_status st;
  } CASES[] = {{"pwl:-200mm,1N,0.4m,4N", BR_OK},   {"pwl:-200mm,1,40cm,4", BR_OK},
               {"pwl:-0.2rad,1,0.4rad,4", BR_OK},  {"pwl:-0.2,1000mN,0.4,4", BR_OK},
               {"pwl:-0.2s,1,0.4s,4", BR_E_PARSE}, {"pwl:-0.2,1s,0.4,4", BR_E_PARSE},
               {"pwl:-0.2kg,1,0.4,4", BR_E_PARSE}};
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    s = NULL;
    if (bri_signal_along(CASES[i].spec, &need, &s, &err) != CASES[i].st)
      fail_msg("%s: %s", CASES[i].spec, err.msg);
    assert_int_equal(s != NULL, CASES[i].st == BR_OK);
    if (s)
      assert_true(bri_signal_is_along(s) && fabs(br_signal_value(s, 0.1) - 2.5) < 1e-14 &&
                  fabs(br_signal_rate(s, 0.1, 1) - 5) < 1e-13);
    br_signal_destroy(s);
  }
  s = NULL;
  assert_int_equal(br_signal_parse_for("pwl:-200mm,1,0.4m,4", &need, &s, &err), BR_E_PARSE);
  assert_int_equal(br_signal_parse_for("pwl:-200ms,1,0.4s,4", &need, &s, &err), BR_OK);
  assert_false(bri_signal_is_along(s));
  br_signal_destroy(s);
}

/* A load along a position: where its formula has no slope, that of the side asked for. */
static void along(void **state)
{
  const br_signal_need need = {.unit = "1", .what = "the load"};
  br_signal *s = NULL;
  br_err err = {BR_OK, -1, ""};
  (void)state;
  if (bri_signal_along("expr:2+sqrt((u-0.5)^2)", &need, &s, &err)) fail_msg("%s", err.msg);
  assert_true(br_signal_value(s, 0.5) == 2 && br_signal_value(s, 0.25) == 2.25);
  assert_true(fabs(br_signal_rate(s, 0.5, -1) + 1) < 1e-9 && fabs(br_signal_rate(s, 0.5, 1) - 1) < 1e-9);
  br_signal_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_specs_are_explained),
      cmocka_unit_test(units_in_specs),
      cmocka_unit_test(odd_times_are_harmless),
      cmocka_unit_test(signals_from_files),
      cmocka_unit_test(along),
      cmocka_unit_test(units_along),
      cmocka_unit_test(columns_of_sines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
