/* SPDX-License-Identifier: Apache-2.0
 * test_picture.c - pictures and moving pages from the tables of an answer in memory: which columns, tables
 * and colours are drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/report.h"
#include "report/colours.h"
#include "text/buf.h"

static void put(br_result *r, const char *name, unsigned shape, size_t ncol, const br_column *columns,
                size_t rows, const double *x)
{
  static const char *const NAMES[] = {"calm", NULL, "wild"};
  const br_table_head head = {.name = name,
                              .shape = shape,
                              .ncol = ncol,
                              .columns = columns,
                              .rows = rows,
                              .names = NAMES,
                              .nnames = 3};
  br_sink out = br_result_sink(r);
  assert_int_equal(br_put_table(&out, &head, NULL), BR_OK);
  for (size_t i = 0; i < rows; i++) assert_int_equal(br_put_row(&out, x + i * ncol, NULL), BR_OK);
  assert_int_equal(br_put_end(&out, NULL), BR_OK);
}

/* The picture as TeX; "": nothing to draw. */
static const char *drawn(const br_picture *p, const br_result *r)
{
  static char text[65536];
  bri_buf b = {0};
  text[0] = '\0';
  if (br_picture_write("picture.tex", "title", p, r, NULL)) return text;
  assert_int_equal(bri_buf_load(&b, "picture.tex", sizeof text - 1, NULL), BR_OK);
  (void)snprintf(text, sizeof text, "%s", b.text);
  bri_buf_free(&b);
  assert_int_equal(remove("picture.tex"), 0);
  return text;
}

static size_t count(const char *text, const char *word)
{
  size_t n = 0;
  for (const char *s = text; (s = strstr(s, word)) != NULL; s += strlen(word)) n++;
  return n;
}

static void has(const char *text, const char *part)
{
  if (!strstr(text, part)) fail_msg("'%s' is not in %s", part, text);
}

static const br_column COLUMNS[] = {{"t", "s", NULL}, {"a", "1", NULL}, {"b", "1", NULL}};
static const double ROWS[] = {0, 10, 1, 1, 20, 2, 2, 40, 3};

/* "(0,10) (1,20)" of a table drawn with these keys. */
static void columns_of_lines(void **state)
{
  (void)state;
  static const struct {
    br_picture_line line;
    const char *points;
  } CASES[] = {{{.table = "main"}, "{(0,10) (1,20) (2,40) }"},
               {{.table = "main", .y = "b"}, "{(0,1) (1,2) (2,3) }"},
               {{.table = "main", .y = "#2"}, "{(0,1) (1,2) (2,3) }"},
               {{.table = "main", .y = "#1"}, "{(0,10) (1,20) (2,40) }"},
               {{.table = "main", .x = "b", .y = "t"}, "{(1,0) (2,1) (3,2) }"},
               {{.table = "main", .y = "a", .minus = "b"}, "{(0,9) (1,18) (2,37) }"}};
  br_result *r = NULL;
  assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
  put(r, "main", BR_TABLE_MAIN | BR_TABLE_FILE, 3, COLUMNS, 3, ROWS);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_picture_panel panel = {.xlabel = "x", .ylabel = "y", .lines = &CASES[i].line, .nlines = 1};
    const br_picture p = {.panels = &panel, .npanels = 1};
    has(drawn(&p, r), CASES[i].points);
  }
  const br_picture_line none = {.table = "main", .y = "#3"}; /* a table may have fewer columns */
  const br_picture_panel panel = {.xlabel = "x", .ylabel = "y", .lines = &none, .nlines = 1};
  const br_picture p = {.panels = &panel, .npanels = 1};
  assert_string_equal(drawn(&p, r), "");
  static const br_picture_line COLOURED[] = {{.table = "main", .colour = 3}, {.table = "main", .y = "b"}};
  const br_picture_panel scaled = {
      .xlabel = "x", .ylabel = "y", .scale = "logy", .lines = COLOURED, .nlines = 2};
  const br_picture q = {.panels = &scaled, .npanels = 1};
  const char *text = drawn(&q, r);
  has(text, "ymode=log");
  assert_null(strstr(text, "xmode=log"));
  has(text, "\\addplot[color={rgb,255:red,0;green,158;blue,115}"); /* the third of the palette */
  assert_string_equal(bri_colours[2].light, "#009E73");
  br_result_destroy(r);
}

/* Several tables that a pattern fits: all of them, or so many at most, or as one line. */
static void several_tables(void **state)
{
  (void)state;
  br_result *r = NULL;
  assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
  for (int k = 1; k <= 5; k++) {
    char name[32];
    (void)snprintf(name, sizeof name, "run%d", k);
    put(r, name, BR_TABLE_FILE, 3, COLUMNS, 3, ROWS);
  }
  static const struct {
    br_picture_line line;
    size_t plots, points;
  } CASES[] = {{{.table = "run*"}, 5, 15},
               {{.table = "run*", .most = 2}, 2, 6},
               {{.table = "run*", .joined = 1}, 1, 15},
               {{.table = "run3"}, 1, 3}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_picture_panel panel = {.xlabel = "x", .ylabel = "y", .lines = &CASES[i].line, .nlines = 1};
    const br_picture p = {.panels = &panel, .npanels = 1};
    const char *text = drawn(&p, r);
    assert_int_equal(count(text, "\\addplot"), CASES[i].plots);
    assert_int_equal(count(text, "(0,10)") * 3, CASES[i].points);
  }
  br_result_destroy(r);
}

/* Panels of a series: tables "at1_...", one panel each; their rows are asked for. */
static void series(void **state)
{
  (void)state;
  static const br_picture_line LINES[] = {{.table = "curve"}};
  static const br_picture_panel PANEL[] = {
      {.xlabel = "x", .ylabel = "y", .lines = LINES, .nlines = 1, .series = 1}};
  static const br_picture P = {.panels = PANEL, .npanels = 1};
  for (int want = 0; want < 2; want++) {
    br_result *r = NULL;
    assert_int_equal(br_result_create(0, &r, NULL), BR_OK);
    if (want) br_picture_want(&P, r);
    put(r, "curve", BR_TABLE_FILE, 3, COLUMNS, 3, ROWS);
    for (int k = 1; k <= 3; k++) {
      char name[32];
      (void)snprintf(name, sizeof name, "at%d_curve", k);
      put(r, name, BR_TABLE_FILE, 3, COLUMNS, 3, ROWS);
    }
    assert_int_equal(count(drawn(&P, r), "\\nextgroupplot"), want ? 4 : 0);
    br_result_destroy(r);
  }
}

/* A panel that goes with a table is drawn beside it, by its name or a pattern, and without it is not. */
static void panels_with_a_table(void **state)
{
  (void)state;
  static const struct {
    const char *when;
    size_t alone, beside; /* panels without and with the table "side1" */
  } CASES[] = {{NULL, 2, 2}, {"side1", 1, 2}, {"side*", 1, 2}, {"side2", 1, 1}, {"main", 2, 2}};
  static const br_picture_line LINE = {.table = "main"};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const br_picture_panel panels[] = {
        {.xlabel = "x", .ylabel = "y", .lines = &LINE, .nlines = 1},
        {.xlabel = "x", .ylabel = "z", .lines = &LINE, .nlines = 1, .when = CASES[i].when}};
    const br_picture p = {.panels = panels, .npanels = 2};
    for (int with = 0; with < 2; with++) {
      br_result *r = NULL;
      assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
      put(r, "main", BR_TABLE_MAIN | BR_TABLE_FILE, 3, COLUMNS, 3, ROWS);
      if (with) put(r, "side1", BR_TABLE_FILE, 3, COLUMNS, 3, ROWS);
      assert_int_equal(count(drawn(&p, r), "\\nextgroupplot"), with ? CASES[i].beside : CASES[i].alone);
      br_result_destroy(r);
    }
  }
}

/* A map: names of its regions, where there are some; strips of a map back along their upper edges, once
 * around. */
static void maps(void **state)
{
  (void)state;
  static const br_column CELLS[] = {{"x", "m", NULL}, {"y", "m", NULL}, {"kind", "1", NULL}},
                         STRIPS[] = {
                             {"x", "m", NULL}, {"y", "m", NULL}, {"y_to", "m", NULL}, {"kind", "1", NULL}};
  static const double MAP[] = {0, 0, 0, 1, 0, 2, 0, 1, 0, 1, 1, 2}, CUT[] = {1, 1, 2, 0, 2, 1, 3, 0};
  br_result *r = NULL;
  assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
  put(r, "map", BR_TABLE_FILE, 3, CELLS, 4, MAP);
  put(r, "cut", BR_TABLE_FILE, 4, STRIPS, 2, CUT);
  const br_picture_line cells = {.table = "map", .style = "regions", .value = "kind"},
                        strips = {.table = "cut", .style = "regions", .value = "kind"};
  const br_picture_panel
      one = {.xlabel = "x", .ylabel = "y", .x = "x", .y = "y", .lines = &cells, .nlines = 1},
      two = {.xlabel = "x", .ylabel = "y", .x = "x", .y = "y", .lines = &strips, .nlines = 1};
  const br_picture p = {.panels = &one, .npanels = 1}, q = {.panels = &two, .npanels = 1};
  const char *text = drawn(&p, r);
  has(text, "{calm};"), has(text, "{wild};");
  assert_int_equal(count(text, "rectangle"), 2);
  text = drawn(&q, r);
  has(text, " (axis cs:1,1) --\n (axis cs:1,1) --\n (axis cs:2,1) --\n (axis cs:2,1) --\n (axis cs:2,3) --\n "
            "(axis cs:2,3) --\n"
            " (axis cs:1,2) --\n (axis cs:1,2) --\n cycle;");
  br_result_destroy(r);
}

/* ---- pages that move ---- */

static void motion(br_result *r, size_t rows, int spring)
{
  static const br_column MOTION[] = {{"t", "s", NULL}, {"u", "m", NULL}, {"v", "m/s", NULL},
                                     {"F", "N", NULL}, {"z", "m", NULL}, {"l", "m", NULL}};
  const size_t n = spring ? 6 : 5;
  double *x = calloc(rows * n + 1, sizeof *x);
  assert_non_null(x);
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < n; k++) x[i * n + k] = (double)(k * 10000 + i);
  put(r, "contact1", BR_TABLE_FILE, n, MOTION, rows, x);
  free(x);
}

static const char *page(size_t rows, int own_spring, const char *spring)
{
  static char text[1 << 20];
  br_result *r = NULL;
  bri_buf b = {0};
  assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
  motion(r, rows, own_spring);
  assert_int_equal(br_animation_write("motion.html", "a & b", spring, r, NULL), BR_OK);
  br_result_destroy(r);
  assert_int_equal(bri_buf_load(&b, "motion.html", sizeof text - 1, NULL), BR_OK);
  (void)snprintf(text, sizeof text, "%s", b.text);
  bri_buf_free(&b);
  assert_int_equal(remove("motion.html"), 0);
  return text;
}

static void pages(void **state)
{
  (void)state;
  const char *text = page(3, 0, NULL);
  has(text, "<title>a &amp; b</title>");
  has(text, "{\"t\":[0,1,2],\"units\":{\"u\":\"m\",\"v\":\"m/"
            "s\",\"F\":\"N\"},\"free\":true,\"contacts\":[{\"label\":\"\","
            "\"u\":[10000,10001,10002],\"v\":[20000,20001,20002],\"F\":[30000,30001,30002],\"z\":[40000,"
            "40001,40002]}]}");
  has(page(3, 1, NULL), "\"free\":true,\"spring\":{\"kind\":\"pull\",\"l\":[50000,50001,50002]}");
  has(page(3, 0, "wall"), "\"free\":false,\"spring\":{\"kind\":\"wall\",\"l\":[0]}");
  text = page(9000, 0, NULL); /* no page with every row of a long run */
  const char *t = strstr(text, "\"t\":["), *end = strchr(t, ']');
  size_t shown = 1;
  for (; t < end; t++) shown += *t == ',';
  assert_true(shown > 1000 && shown <= 1500);
  br_result *r = NULL;
  assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
  assert_int_equal(br_animation_write("motion.html", "", NULL, r, NULL), BR_E_NAME); /* nothing moves */
  motion(r, 1, 0);
  assert_int_equal(br_animation_write("motion.html", "", NULL, r, NULL), BR_E_NAME);
  assert_int_equal(br_animation_write("motion.svg", "", NULL, r, NULL), BR_E_ARG);
  br_result_destroy(r);
}

/* JSON knows no infinity and nothing that is no number: whatever a motion holds, the page can be read. */
static void motions_with_gaps(void **state)
{
  (void)state;
  static const br_column MOTION[] = {{"t", "s", NULL}, {"u", "m", NULL}, {"v", "m/s", NULL},
                                     {"F", "N", NULL}, {"z", "m", NULL}, {"l", "m", NULL}};
  static const double X[] = {0,         1,    NAN, 3, 4, 5,  1, INFINITY, 2,
                             -INFINITY, -NAN, NAN, 2, 6, -7, 8, 9,        INFINITY};
  static char text[65536];
  br_result *r = NULL;
  bri_buf b = {0};
  assert_int_equal(br_result_create(BR_TABLE_FILE, &r, NULL), BR_OK);
  put(r, "contact1", BR_TABLE_FILE, 6, MOTION, 3, X);
  assert_int_equal(br_animation_write("gaps.html", "a", NULL, r, NULL), BR_OK);
  br_result_destroy(r);
  assert_int_equal(bri_buf_load(&b, "gaps.html", sizeof text - 1, NULL), BR_OK);
  (void)snprintf(text, sizeof text, "%s", b.text);
  bri_buf_free(&b);
  assert_int_equal(remove("gaps.html"), 0);
  has(text, "\"l\":[5,0,0]");
  has(text, "\"u\":[1,0,6],\"v\":[0,2,-7],\"F\":[3,0,8],\"z\":[4,0,9]");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_of_lines),
                                     cmocka_unit_test(several_tables),
                                     cmocka_unit_test(series),
                                     cmocka_unit_test(maps),
                                     cmocka_unit_test(pages),
                                     cmocka_unit_test(motions_with_gaps),
                                     cmocka_unit_test(panels_with_a_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
