/* SPDX-License-Identifier: Apache-2.0
 * test_pictures.c - kinds of pictures: maps from tables, kinds over CSV files, the analysis 'phase'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bri_config.h"
#include "analysis/job.h"
#include "bristle/phase.h"
#include "bristle/study.h"
#include "study/columns.h"
#include "study/draw.h"
#include "study/kinds.h"
#include "text/choice.h"
#include "study/study.h"
#include "base/alloc.h"

/* ---- cells of a map ---- */

static unsigned char whole(void *ctx, double x)
{
  (void)ctx;
  return (unsigned char)x;
}

static void *get(void *ctx, size_t size) { return bri_arena_get(ctx, size); }

static double area(const br_plot_line *line)
{
  double sum = 0;
  for (size_t i = 0; i + 1 < line->n; i += 2)
    sum += (line->x[i + 1] - line->x[i]) * (line->y[i + 1] - line->y[i]);
  return sum;
}

/* Rectangles of all numbers together cover the frame once; borders have the length of the edges between. */
static void regions(void **state)
{
  (void)state;
  enum { NX = 13, NY = 9 };
  double x[NX * NY], y[NX * NY], value[NX * NY], edges = 0, borders = 0, covered = 0;
  unsigned seed = 7;
  for (int i = 0; i < NX; i++) {
    for (int j = 0; j < NY; j++) {
      const int k = j * NX + i; /* another order than the cells have */
      seed = seed * 1103515245u + 12345u;
      x[k] = 2 * i, y[k] = 10 + 0.5 * j, value[k] = (double)((seed >> 16) % 4);
      if (i == 3 && j == 4) value[k] = NAN;
    }
  }
  for (int i = 0; i < NX; i++) {
    for (int j = 0; j < NY; j++) {
      const double here = value[j * NX + i];
      if (i + 1 < NX && !(here == value[j * NX + i + 1])) edges += 0.5;
      if (j + 1 < NY && !(here == value[(j + 1) * NX + i])) edges += 2;
    }
  }
  bri_arena *arena = bri_arena_create();
  const bri_store store = {get, arena};
  const bri_map_data m = {x, y, value, NULL, NX * NY};
  bri_cells c;
  br_err err;
  br_plot_line line;
  assert_int_equal(bri_cells_make(&store, &m, whole, NULL, &c, &err), BR_OK);
  assert_int_equal(c.nx, NX);
  assert_int_equal(c.ny, NY);
  for (unsigned char k = 0; k < 4; k++) {
    double own = 0;
    for (int i = 0; i < NX * NY; i++) own += value[i] == k ? 1 : 0; /* each cell 2 by 0.5 */
    assert_int_equal(bri_cells_region(&store, &c, k, &line, &err), BR_OK);
    assert_true(fabs(area(&line) - own) < 1e-12);
    covered += area(&line);
  }
  assert_true(fabs(covered - (NX * NY - 1)) < 1e-12);
  assert_int_equal(bri_cells_region(&store, &c, 9, &line, &err), BR_OK);
  assert_int_equal(line.n, 0);
  assert_int_equal(bri_cells_border(&store, &c, &line, &err), BR_OK);
  for (size_t i = 1; i < line.n; i++) {
    if (!isnan(line.x[i]) && !isnan(line.x[i - 1]))
      borders += fabs(line.x[i] - line.x[i - 1]) + fabs(line.y[i] - line.y[i - 1]);
  }
  assert_true(fabs(borders - edges) < 1e-12);

  for (int i = 0; i < NX * NY; i++) x[i] = sin(i); /* every point its own place */
  assert_int_equal(bri_cells_make(&store, &m, whole, NULL, &c, &err), BR_E_SIZE);
  assert_non_null(strstr(err.msg, "do not form a grid"));
  x[5] = INFINITY;
  assert_int_equal(bri_cells_make(&store, &m, whole, NULL, &c, &err), BR_E_NAN);
  const bri_map_data none = {x, y, value, NULL, 0}, single = {x, y, value, NULL, 1};
  assert_int_equal(bri_cells_make(&store, &none, whole, NULL, &c, &err), BR_E_SIZE);
  assert_int_equal(bri_cells_make(&store, &single, whole, NULL, &c, &err), BR_OK);
  assert_true(c.xe[0] < x[0] && c.xe[1] > x[0] && c.ye[0] < y[0] && c.ye[1] > y[0]);
  bri_arena_destroy(arena);
}

static void ranges(void **state)
{
  (void)state;
  double a = 0, b = 0;
  assert_int_equal(bri_range_parse("-1.5:2e3", &a, &b), 1);
  assert_true(a == -1.5 && b == 2000);
  static const char *const BAD[] = {"", ":", "1", "1:", ":2", "2:1", "1:1", "1:2x", "1;2", "nan:1", "a:b"};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
    assert_int_equal(bri_range_parse(BAD[i], &a, &b), 0);
}

/* ---- kinds over files ---- */

/* The list of kinds is what can be drawn: every word has a picture, every named picture of the catalogue a
 * word. */
static void every_kind(void **state)
{
  (void)state;
  const br_analysis *a = NULL;
  char word[40];
  for (const char *k = BRI_KIND_CHOICES + strlen("lines|"); *k; k += strcspn(k, "|"), k += *k == '|') {
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(k, "|"), k);
    assert_non_null(bri_kind_find(word));
  }
  for (size_t i = 0; (a = br_catalogue(i)) != NULL; i++)
    for (size_t k = 0; k < a->npictures; k++)
      if (a->pictures[k].name) /* without one it is no kind of plots */
        assert_true(bri_choice_index(BRI_KIND_CHOICES, a->pictures[k].name, strlen(a->pictures[k].name)) > 0);
  assert_null(bri_kind_find("lines"));
}

static void save(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

typedef struct {
  size_t panels, lines, kinds[BR_PLOT_LAST];
  br_plot_look look;
  double last_y[8];
  char xlabel[40], ylabel[40], label[40], scale[40];
} seen;

static br_status look_at(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  seen *s = ctx;
  (void)name, (void)err;
  memset(s, 0, sizeof *s);
  s->panels = plot->npanels;
  for (size_t p = 0; p < plot->npanels; p++) {
    for (size_t i = 0; i < plot->panels[p].nlines; i++) {
      const br_plot_line *line = &plot->panels[p].lines[i];
      s->kinds[(int)line->kind % BR_PLOT_KINDS]++;
      if (s->lines < 8) s->last_y[s->lines] = line->y[line->n - 1];
      if (line->label && line->label[0]) (void)snprintf(s->label, sizeof s->label, "%s", line->label);
      s->lines++;
    }
    s->look = *plot->panels[p].look;
    (void)snprintf(s->scale, sizeof s->scale, "%s", s->look.scale ? s->look.scale : "");
    (void)snprintf(s->xlabel, sizeof s->xlabel, "%s", plot->panels[p].xlabel);
    (void)snprintf(s->ylabel, sizeof s->ylabel, "%s", plot->panels[p].ylabel);
  }
  return BR_OK;
}

static br_study *run(const char *text, br_err *err)
{
  br_study *s = NULL;
  br_study_options o = br_study_options_default();
  o.folder = "pictures_out";
  o.plots = 0;
  err->msg[0] = '\0';
  br_status st = br_study_load_memory(text, strlen(text), "test.yaml", NULL, &s, err);
  if (!st) st = br_study_run(s, &o, err);
  if (st) print_message("%s\n", err->msg);
  assert_int_equal(st, BR_OK);
  return s;
}

#define DAHL "model: dahl\ninput: sine:1mm,1Hz\nloop: {samples: 16}\nplots:\n  a: "

static seen picture(const char *plot)
{
  char text[1024];
  br_err err;
  seen s;
  (void)snprintf(text, sizeof text, DAHL "%s\n", plot);
  br_study *study = run(text, &err);
  const br_status st = bri_study_each_plot(study, look_at, &s, &err);
  if (st) print_message("%s\n", err.msg);
  assert_int_equal(st, BR_OK);
  br_study_destroy(study);
  return s;
}

static void refused(const char *plot, const char *why)
{
  char text[1024];
  br_err err;
  seen s;
  (void)snprintf(text, sizeof text, DAHL "%s\n", plot);
  br_study *study = run(text, &err);
  assert_int_not_equal(bri_study_each_plot(study, look_at, &s, &err), BR_OK);
  if (!strstr(err.msg, why)) print_message("'%s' lacks '%s'\n", err.msg, why);
  assert_non_null(strstr(err.msg, why));
  br_study_destroy(study);
}

static void kinds(void **state)
{
  (void)state;
  save("heat.csv", "a [m],b [N],c [W]\n0,0,0\n0,1,3\n1,0,7\n1,1,nan\n");
  save("fit.csv", "t [s],F [N],F_fit [N]\n0,1,1.5\n1,2,1.75\n2,3,3.5\n");
  seen s = picture("{kind: heatmap, file: heat.csv, x: a, y: b, value: c, valuelabel: loss}");
  assert_int_equal(s.kinds[BR_PLOT_LEVEL], 3);
  assert_int_equal(s.lines, 3); /* three levels are met, the gap is left out */
  assert_string_equal(s.scale, "loss");
  assert_string_equal(s.xlabel, "a");
  assert_true(s.look.bounds[0] == 0 &&
              fabs(s.look.bounds[BR_PLOT_LEVELS] - 8) < 1e-12); /* round numbers around 0..7 */

  s = picture("{kind: fit, file: fit.csv, x: t, y: F, fit: F_fit, ylabel: force}");
  assert_int_equal(s.panels, 2);
  assert_int_equal(s.look.under, 1);
  assert_string_equal(s.ylabel, "residual");
  assert_true(s.last_y[0] == 3 && s.last_y[1] == 3.5 && s.last_y[2] == -0.5);

  s = picture("{kind: work-precision, file: fit.csv, x: t, y: F}");
  assert_true(s.look.xlog && s.look.ylog && s.kinds[BR_PLOT_MARKED] == 1);

  s = picture("{file: fit.csv, lines: [{style: frame}, {y: F_fit, yfactor: 2}], yrange: '0:9'}");
  assert_true(s.lines == 1 && s.look.x0 == 0 && s.look.x1 == 2 && s.look.y1 == 9 && s.last_y[0] == 7);

  s = picture("{x: u, y: y, also: [{file: fit.csv, x: t, y: F, label: measured}]}");
  assert_int_equal(s.lines, 2);
  assert_string_equal(s.label, "measured");

  refused("{kind: fit, file: fit.csv, x: t, y: F}", "no column '?'");
  refused("{kind: heatmap, file: heat.csv, x: a, y: b, value: d}", "no column 'd' for value; it has a, b, c");
  refused("{kind: heatmap, file: nowhere.csv}", "nowhere.csv");
  refused("{file: fit.csv, lines: [{minus: G}]}", "no column 'G' for minus");
  refused("{kind: stribeck}", "no run has a table 'sliding_regions'");
  (void)remove("heat.csv"), (void)remove("fit.csv");
}

/* What stands at each line of each panel, and where the line ends. */
typedef struct {
  size_t panels, nlines[4];
  char label[4][32][40];
  double first[4][32], last[4][32];
} written;

static br_status look_closer(void *ctx, const char *name, const br_plot *plot, br_err *err)
{
  written *w = ctx;
  (void)name, (void)err;
  memset(w, 0, sizeof *w);
  w->panels = plot->npanels;
  for (size_t p = 0; p < plot->npanels && p < 4; p++) {
    w->nlines[p] = plot->panels[p].nlines;
    for (size_t i = 0; i < plot->panels[p].nlines && i < 32; i++) {
      const br_plot_line *line = &plot->panels[p].lines[i];
      (void)snprintf(w->label[p][i], sizeof w->label[p][i], "%s", line->label ? line->label : "-");
      w->first[p][i] = line->y[0], w->last[p][i] = line->y[line->n - 1];
    }
  }
  return BR_OK;
}

/* Of the tables of a run the first line has the run's label, and others only what they call themselves. */
static void labels(void **state)
{
  (void)state;
  static const char *const RUNS[] = {"", "runs: {a: {label: soft}, b: {set: {Fc: 2 N}}}\n"},
                           *const LINES[] = {"{table: '*'}", "{run: a, table: '*'}",
                                             "{table: '*', label: here}"};
  for (size_t i = 0; i < 6; i++) {
    const size_t several = i / 3, line = i % 3;
    char text[512];
    br_err err;
    written w;
    if (!several && line == 1) continue; /* there is no run a */
    (void)snprintf(text, sizeof text,
                   "model: dahl\ninput: 'bimodal:0,1,0.5,1.5'\nloop: {samples: 16}\n%s"
                   "plots: {p: {x: u, y: y, lines: [%s]}}\n",
                   RUNS[several], LINES[line]);
    br_study *s = run(text, &err);
    if (bri_study_each_plot(s, look_closer, &w, &err)) fail_msg("%s", err.msg);
    size_t n = 0, bare = 0;
    for (size_t r = 0; r < (line == 1 ? 1 : s->nruns); r++) {
      int first = 1;
      for (size_t k = 0; k < s->runs[r].res.ntables; k++) {
        const bri_table *t = &s->runs[r].res.tables[k];
        char name[80];
        (void)snprintf(name, sizeof name, "%s.label", t->name);
        const bri_quantity *q = bri_result_find(&s->runs[r].res, name);
        const char *want = line == 2 ? "here" : q ? q->text : first && several ? r == 0 ? "soft" : "b" : "-";
        first = 0;
        if (!t->rows) continue;
        if (strcmp(w.label[0][n], want) != 0) fail_msg("%s: '%s', not '%s'", text, w.label[0][n], want);
        bare += strcmp(want, "-") == 0;
        n++;
      }
    }
    assert_true(w.nlines[0] == n && (line == 2 || bare > 0));
    br_study_destroy(s);
  }
}

/* A panel among others may be of a kind: it shows the first panel of that picture, in front, in the middle or
 * behind. */
static void panels_by_kind(void **state)
{
  (void)state;
  static const char FITTED[] = "{kind: fit, file: fitted.csv, x: t, y: F, fit: G}",
                    PLAIN[] = "{file: fitted.csv, x: t, y: H}";
  save("fitted.csv", "t [s],F [N],G [N],H [N]\n0,1,1.5,9\n1,2,1.75,8\n2,3,3.5,7\n");
  for (size_t at = 0; at < 3; at++) {
    char text[512];
    br_err err;
    written w;
    (void)snprintf(text, sizeof text, DAHL "{panels: [%s, %s, %s]}\n", at == 0 ? FITTED : PLAIN,
                   at == 1 ? FITTED : PLAIN, at == 2 ? FITTED : PLAIN);
    br_study *s = run(text, &err);
    if (bri_study_each_plot(s, look_closer, &w, &err)) fail_msg("%s", err.msg);
    assert_int_equal(w.panels, 3);
    for (size_t p = 0; p < 3; p++) {
      assert_int_equal(w.nlines[p], p == at ? 2 : 1);
      assert_true(p == at
                      ? w.first[p][0] == 1 && w.last[p][0] == 3 && w.first[p][1] == 1.5 && w.last[p][1] == 3.5
                      : w.first[p][0] == 9 && w.last[p][0] == 7);
    }
    assert_string_equal(w.label[at][0], "data");
    assert_string_equal(w.label[at][1], "fit");
    br_study_destroy(s);
  }
  (void)remove("fitted.csv");
}

/* ---- phase ---- */

#define BLOCK                                                                                            \
  "system: driven_block\nmodel: lugre\nset: {m: 1, F: 5.704, Fc: 1, Fs: 5, vs: 2, delta: 2, sigma0: 5, " \
  "sigma2: 1.6}\n"

static double quantity(const br_study *s, const char *run_name, const char *name)
{
  const bri_run *r = bri_study_run_named(s, run_name);
  const bri_quantity *q = r ? bri_result_find(&r->res, name) : NULL;
  if (!q) print_message("no %s\n", name);
  return q ? q->value : NAN;
}

/* The study gives what the library gives, and its pictures have their parts. */
static void phase(void **state)
{
  (void)state;
  br_err err;
  seen p;
  br_study *s = run(BLOCK "phase: {vary: 'sigma1=4:12', at: 'sigma1=8.25,8.45', loops: 'yes'}\n", &err);
  const bri_run *r = &s->runs[0];
  const br_phase_problem problem = {r->m,
                                    br_job_par(r->job),
                                    br_params_block(br_job_params(r->job), "system")[0],
                                    r->job->held[0],
                                    {NULL, NULL}};
  br_phase *direct = NULL;
  size_t n = 0;
  assert_int_equal(br_phase_create(&problem, "sigma1", 4, 12, &direct, &err), BR_OK);
  const br_phase_event *e = br_phase_events(direct, &n);
  assert_true(n == 6 && quantity(s, "phase", "events_count") == 6);
  for (size_t i = 0; i < n; i++) {
    char name[48];
    (void)snprintf(name, sizeof name, "events.%zu.value", i);
    assert_true(quantity(s, "phase", name) == e[i].value);
    (void)snprintf(name, sizeof name, "events.%zu.type", i);
    assert_string_equal(bri_result_find(&r->res, name)->text, br_phase_event_name(e[i].type));
  }
  br_phase_cycle cycle[BR_PHASE_MOST_CYCLES];
  assert_int_equal(br_phase_cycles(direct, 8.45, BR_PHASE_MOST_CYCLES, cycle, &n, &err), BR_OK);
  assert_true(n == 2 && quantity(s, "phase", "cycles_count") == 3);
  assert_true(quantity(s, "phase", "cycles.2.period") == cycle[1].period);
  assert_true(quantity(s, "phase", "equilibria_count") == 8);
  br_phase_destroy(direct);

  /* along the loop of the table the integral of F over v is that of the library */
  double x = 0;
  size_t pieces = 0;
  bri_arena *arena = bri_arena_create();
  for (size_t k = 0; k < r->res.ntables; k++) {
    const bri_columns c = {0, 1, -1, -1, 1, 1, 0};
    br_plot_line line;
    if (strncmp(r->res.tables[k].name, "lag_cycle", 9) != 0) continue;
    assert_int_equal(bri_columns_line(s, arena, &r->res.tables[k], &c, 1, &line, &err), BR_OK);
    for (size_t i = 1; i < line.n; i++) x += 0.5 * (line.y[i] + line.y[i - 1]) * (line.x[i] - line.x[i - 1]);
    pieces++;
  }
  assert_true(pieces > 0 && fabs(x / quantity(s, "phase", "cycles.0.lag_total") - 1) < 1e-2);
  bri_arena_destroy(arena);

  assert_int_equal(bri_study_each_plot(s, look_at, &p, &err), BR_OK); /* the bifurcation diagram */
  assert_int_equal(p.kinds[BR_PLOT_DISCS], 2);
  assert_int_equal(p.kinds[BR_PLOT_SQUARES], 3);
  assert_int_equal(p.kinds[BR_PLOT_TRIANGLES], 1);
  assert_true(p.kinds[BR_PLOT_THICK] >= 2 && p.kinds[BR_PLOT_DASHED] >= 2 && p.kinds[BR_PLOT_DOTS] == 1);
  assert_string_equal(p.xlabel, "sigma1");
  br_study_destroy(s);
}

/* A long curve is drawn by the extremes of its pieces, in their order and to its end. */
static void thinned(void **state)
{
  (void)state;
  br_err err;
  br_study *s = run("model: lugre\ninput: 'sine:1mm,50Hz'\ntrace: {t-end: 1, dt: 1e-4}\n", &err);
  const bri_table *t = &s->runs[0].res.tables[0];
  bri_arena *arena = bri_arena_create();
  br_plot_line whole, line;
  const bri_columns c = {0, 1, -1, -1, 1, 1, 0}; /* u against t */
  assert_int_equal(bri_columns_line(s, arena, t, &c, 1, &whole, &err), BR_OK);
  assert_int_equal(bri_columns_line(s, arena, t, &c, 0, &line, &err), BR_OK);
  assert_true(whole.n == 10001 && line.n > 2000 && line.n <= 4002 && line.n % 2 == 0);
  for (size_t i = 1; i < line.n; i++) assert_true(line.x[i] >= line.x[i - 1]);
  assert_true(line.x[line.n - 1] == whole.x[whole.n - 1]);
  const size_t bucket = whole.n / 2000 + 1;
  for (size_t i = 0; i < line.n; i += 2) { /* of six rows a time */
    double lo = INFINITY, hi = -INFINITY;
    for (size_t k = bucket * (i / 2); k < bucket * (i / 2 + 1) && k < whole.n; k++)
      lo = fmin(lo, whole.y[k]), hi = fmax(hi, whole.y[k]);
    assert_true(fmin(line.y[i], line.y[i + 1]) == lo && fmax(line.y[i], line.y[i + 1]) == hi);
  }
  bri_arena_destroy(arena);
  br_study_destroy(s);
}

static void phase_maps(void **state)
{
  (void)state;
  br_err err;
  seen p;
  br_study *s =
      run(BLOCK "runs:\n"
                "  map: {phase: {vary: 'F=4:6', vary2: 'sigma2=1:2', map: 'yes', grid: 3, events: 'no'}}\n"
                "  hopf: {phase: {vary: 'F=1:10', at: 'F=5.704', hopf: 'yes', stribeck: 'yes', grid: 20, "
                "events: 'no'}}\n"
                "plots:\n  a: {kind: hopf, run: hopf}\n",
          &err);
  assert_int_equal(bri_study_each_plot(s, look_at, &p, &err), BR_OK);
  assert_true(p.kinds[BR_PLOT_REGION] == 2 && p.kinds[BR_PLOT_BORDER] == 1 &&
              p.kinds[BR_PLOT_TRIANGLES] == 1);
  assert_true(quantity(s, "hopf", "equilibria_count") == 4);
  /* at the generalised Hopf point the coefficient changes its sign */
  const bri_run *r = bri_study_run_named(s, "hopf");
  const br_phase_problem problem = {r->m,
                                    br_job_par(r->job),
                                    br_params_block(br_job_params(r->job), "system")[0],
                                    r->job->held[0],
                                    {NULL, NULL}};
  double v = quantity(s, "hopf", "generalized_hopf.0.v"), F = quantity(s, "hopf", "generalized_hopf.0.F"),
         L[2];
  for (int k = 0; k < 2; k++) {
    const double at = v * (k ? 1 + 1e-6 : 1 - 1e-6);
    assert_int_equal(br_phase_hopf_diagram(&problem, 1, &at, 1, &F, &L[k], &err), BR_OK);
  }
  assert_true(L[0] * L[1] < 0);
  double cells = 0;
  r = bri_study_run_named(s, "map");
  for (size_t i = 0; i < r->res.nquantities; i++)
    if (strncmp(r->res.quantities[i].name, "map.cells.", 10) == 0) cells += r->res.quantities[i].value;
  assert_true(cells == 9);
  br_study_destroy(s);
}

/* Another mechanism: sliding and stick-slip at one speed, the unstable cycle from the Hopf point between. */
static void phase_general(void **state)
{
  (void)state;
  br_err err;
  seen p;
  br_study *s =
      run("system: pulled_block\nmodel: lugre\nset: {m: 1, k: 2, sigma0: 2900, sigma1: 107, sigma2: 0.4, "
          "Fc: 2.94, Fs: 5.88, vs: 0.1, delta: 1}\n"
          "phase: {vary: 'vp=0.3:0.7', at: 'vp=0.6'}\n",
          &err);
  assert_true(fabs(quantity(s, "phase", "events.0.value") - 0.429745) < 1e-6);
  assert_true(quantity(s, "phase", "equilibria_count") == 1 && quantity(s, "phase", "cycles_count") == 2);
  assert_string_equal(bri_result_find(&s->runs[0].res, "cycles.0.stable")->text, "no");
  assert_string_equal(bri_result_find(&s->runs[0].res, "cycles.1.stable")->text, "yes");
  assert_true(quantity(s, "phase", "cycles.0.v_max") < quantity(s, "phase", "cycles.1.v_max"));
  assert_int_equal(bri_study_each_plot(s, look_at, &p, &err), BR_OK);
  assert_true(p.kinds[BR_PLOT_DISCS] == 1 && p.kinds[BR_PLOT_THICK] >= 3 && p.kinds[BR_PLOT_DASHED] >= 3);
  br_study_destroy(s);
}

static void phase_refused(void **state)
{
  (void)state;
  static const struct {
    const char *options, *why;
  } CASES[] = {
      {"{}", "vary NAME=A:B is missing"},
      {"{vary: sigma1}", "expected NAME=A:B"},
      {"{vary: 'sigma1=2:1'}", "expected NAME=A:B"},
      {"{vary: 'sigma11=1:2'}", "did you mean 'sigma1'?"},
      {"{vary: 'sigma1=1:2', vary2: 'x'}", "vary2 x: expected NAME=A:B"},
      {"{vary: 'sigma1=1:2', at: 'F=1'}", "the varied parameter"},
      {"{vary: 'sigma1=1:2', at: 'sigma1=1,x'}", "expected NAME=V1,V2"},
      {"{vary: 'sigma1=1:2', lag: '1,2'}", "expected V0,A,F"},
      {"{vary: 'sigma1=1:2', lag: '1,2,0.1'}", "must not reverse"},
      {"{vary: 'sigma1=1:2', hopf: 'yes'}", "needs vary F=A:B"},
      {"{vary: 'F=1:2', map: 'yes', events: 'no'}", "map needs vary2"},
      {"{vary: 'F=1:2', loops: 'yes', events: 'no'}", "needs cycles: leave out events no and only"},
      {"{vary: 'sigma1=1:2', grid: 5001}", "out of range"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    char text[512];
    br_study *s = NULL;
    br_study_options o = br_study_options_default();
    br_err err = {BR_OK, -1, ""};
    o.folder = "pictures_out";
    o.plots = 0;
    (void)snprintf(text, sizeof text, BLOCK "phase: %s\n", CASES[i].options);
    br_status st = br_study_load_memory(text, strlen(text), "test.yaml", NULL, &s, &err);
    size_t n = 0;
    const br_note *note = s ? br_study_notes(s, &n) : NULL; /* most of it is said before anything runs */
    if (!st) st = br_study_run(s, &o, &err);
    assert_int_not_equal(st, BR_OK);
    const char *said = n ? note[0].text : err.msg;
    if (!strstr(said, CASES[i].why)) print_message("%s: '%s'\n", CASES[i].options, said);
    assert_non_null(strstr(said, CASES[i].why));
    br_study_destroy(s);
  }
}

/* Texts among the options belong to the key of a run: another range is computed again. */
static void key(void **state)
{
  (void)state;
  char one[BRI_SHA_TEXT], two[BRI_SHA_TEXT];
  br_err err;
  br_study *s = run(BLOCK "runs:\n  a: {phase: {vary: 'sigma1=7:8', diagram: 'no'}}\n  b: {phase: {vary: "
                          "'sigma1=7:9', diagram: 'no'}}\n",
                    &err);
  assert_int_equal(bri_run_key(s, &s->runs[0], one, &err), BR_OK);
  assert_int_equal(bri_run_key(s, &s->runs[1], two, &err), BR_OK);
  assert_string_not_equal(one, two);
  br_study_destroy(s);
}

/* Memory that runs out anywhere in a study with maps leaves nothing behind. */
static void no_memory(void **state)
{
  (void)state;
  static const char TEXT[] =
      BLOCK "phase: {vary: 'F=1:10', at: 'F=5.704', hopf: 'yes', stribeck: 'yes', grid: 4, events: 'no'}\n"
            "plots:\n  a: {kind: hopf}\n";
  br_status st = BR_E_NOMEM;
  long n = 0;
  for (; st && n < 4000; n += n < 60 ? 1 : 37) {
    const size_t before = bri_alloc_live();
    br_study *s = NULL;
    br_err err;
    seen p;
    br_study_options o = br_study_options_default();
    o.folder = "pictures_out";
    o.plots = 0;
    bri_alloc_fail_after(n);
    st = br_study_load_memory(TEXT, strlen(TEXT), "test.yaml", NULL, &s, &err);
    if (!st) st = br_study_run(s, &o, &err);
    if (!st) st = bri_study_each_plot(s, look_at, &p, &err);
    bri_alloc_fail_after(-1);
    br_study_destroy(s);
    assert_int_equal(bri_alloc_live(), before);
  }
  assert_int_equal(st, BR_OK);
  assert_true(n > 60);
}

int main(void)
{
  const struct CMUnitTest always[] = {cmocka_unit_test(regions), cmocka_unit_test(ranges),
                                      cmocka_unit_test(every_kind)};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds),         cmocka_unit_test(phase),
      cmocka_unit_test(thinned),       cmocka_unit_test(phase_maps),
      cmocka_unit_test(phase_general), cmocka_unit_test(phase_refused),
      cmocka_unit_test(key),           cmocka_unit_test(no_memory),
      cmocka_unit_test(labels),        cmocka_unit_test(panels_by_kind),
  };
  const int failed = cmocka_run_group_tests(always, NULL, NULL);
  if (!BR_WITH_YAML) {
    print_message("skip: this build has no libyaml\n");
    return failed ? failed : 77;
  }
  return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
