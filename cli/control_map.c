/* SPDX-License-Identifier: Apache-2.0
 * control_map.c - bristle control --map: where the loop hunts, and what an observer changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amount.h"
#include "bristle/report.h"
#include "control_job.h"
#include "json.h"
#include "pairs.h"
#include "progress.h"
#include "text/path.h"

enum { HUNTS, SETTLES, UNDECIDED, AWAY, KINDS, PANELS = 2 };
static const char *const NAMES[KINDS] = {"hunts", "settles", "undecided", "runs away"};

typedef struct {
  char name[2][64];
  br_control_axis axis[2];
  size_t n; /* cells per side */
  int panels;
  br_control_settings set[PANELS];
  br_control_result *cell[PANELS];
  unsigned char *kind[PANELS];
  size_t count[PANELS][KINDS];
} maps;

static int read_axis(const control_job *b, int option, maps *m, int k)
{
  const cli_command *c = b->call->command;
  const opt_value *v = control_option(b, option);
  const char *flag = k ? "vary2" : "vary";
  double range[2];
  if (!v->given) return cli_usage(c, "--map needs --%s NAME=A:B", flag);
  const char *eq = strchr(v->text, '=');
  if (!eq || (size_t)(eq - v->text) >= sizeof m->name[k] || pairs_numbers(eq + 1, ':', 2, range) != 2)
    return cli_usage(c, "--%s %s: expected NAME=A:B with two numbers", flag, v->text);
  if (!(range[0] < range[1])) return cli_usage(c, "--%s %s: A must lie below B", flag, v->text);
  (void)snprintf(m->name[k], sizeof m->name[k], "%.*s", (int)(eq - v->text), v->text);
  m->axis[k].name = m->name[k];
  m->axis[k].a = range[0], m->axis[k].b = range[1];
  return CLI_OK;
}

/* The observer beside a controller without one: poles as given, or those the gains kp and kd mean for a mass
 * without friction, made real. */
static void add_observer(const control_job *b, maps *m)
{
  const br_control_settings *from = &m->set[0];
  br_control_settings *o = &m->set[1];
  if (from->kind == BR_CONTROL_OBSERVER || from->kind == BR_CONTROL_FEEDBACK_LINEARIZATION) return;
  *o = br_control_settings_default(BR_CONTROL_OBSERVER);
  o->integral = 1;
  if (control_option(b, CONTROL_O_POLES)->given) memcpy(o->poles, from->poles, sizeof o->poles);
  else if (from->kind == BR_CONTROL_PID) {
    const double kp = from->kp * fabs(b->controller.b), kd = from->kd * fabs(b->controller.b);
    const double root = 0.25 * kd * kd - kp;
    if (!(kp > 0) || !(kd > 0)) return;
    o->poles[0] = root > 0 ? -0.5 * kd - sqrt(root) : -sqrt(kp);
    o->poles[1] = kp / o->poles[0];
    o->poles[2] = o->poles[1];
  }
  m->panels = 2;
}

static int kind_of(const br_control_result *r)
{
  if (isinf(r->error_rms) || r->verdict == BR_HUNTING_GROWS) return AWAY;
  return r->verdict == BR_HUNTING_FOUND ? HUNTS : r->verdict == BR_HUNTING_EXCLUDED ? SETTLES : UNDECIDED;
}

static double at(const br_control_axis *a, size_t i, size_t n)
{
  return a->a + (a->b - a->a) * (double)i / (double)(n - 1);
}

enum { LEVELS = BR_PLOT_LEVELS, SETS = LEVELS + KINDS };

/* One set of cells as rectangles. */
typedef struct {
  double *x, *y;
  size_t n;
} boxes;

static void add_box(boxes *b, double x, double y, double dx, double dy)
{
  b->x[b->n] = x - dx / 2, b->y[b->n++] = y - dy / 2;
  b->x[b->n] = x + dx / 2, b->y[b->n++] = y + dy / 2;
}

/* Hunting in the colours of its amplitude, the rest by its kind. */
static int draw(const control_job *b, const maps *m, const char *file)
{
  static const char *const labels[KINDS] = {NULL, "settles", "undecided", "runs away"};
  const size_t cells = m->n * m->n;
  const br_control_axis *ax = &m->axis[0], *ay = &m->axis[1];
  const double dx = (ax->b - ax->a) / (double)(m->n - 1), dy = (ay->b - ay->a) / (double)(m->n - 1);
  double top = 0, *room = malloc((PANELS * SETS * 4 * cells + 1) * sizeof *room);
  br_plot_line lines[PANELS][SETS];
  br_plot_panel p[PANELS];
  br_plot_look look[PANELS];
  br_err err;
  if (!room) return cli_no_memory(b->call->command);
  memset(p, 0, sizeof p);
  memset(look, 0, sizeof look);
  for (int k = 0; k < m->panels; k++)
    for (size_t i = 0; i < cells; i++)
      if (m->kind[k][i] == HUNTS) top = fmax(top, m->cell[k][i].amplitude);
  for (int k = 0; k < m->panels; k++) {
    boxes set[SETS];
    size_t n = 0;
    for (int g = 0; g < SETS; g++) {
      const boxes empty = {room + (size_t)(k * SETS + g) * 4 * cells, NULL, 0};
      set[g] = empty;
      set[g].y = set[g].x + 2 * cells;
    }
    for (size_t i = 0; i < cells; i++) {
      const int kind = m->kind[k][i];
      int g = LEVELS + kind;
      if (kind == HUNTS) g = (int)fmin(LEVELS - 1, floor(LEVELS * m->cell[k][i].amplitude / top));
      add_box(&set[g], at(ax, i / m->n, m->n), at(ay, i % m->n, m->n), dx, dy);
    }
    for (int g = 0; g < SETS; g++) {
      const int kind = g - LEVELS;
      const br_plot_line line = {set[g].x, set[g].y, set[g].n, kind < 0 ? NULL : labels[kind],
                                 kind < 0 ? BR_PLOT_COLOURED(BR_PLOT_LEVEL, g)
                                          : BR_PLOT_COLOURED(BR_PLOT_REGION, kind)};
      if (set[g].n > 0) lines[k][n++] = line;
    }
    look[k].x0 = ax->a - dx / 2, look[k].x1 = ax->b + dx / 2;
    look[k].y0 = ay->a - dy / 2, look[k].y1 = ay->b + dy / 2;
    for (int l = 0; l <= LEVELS; l++) look[k].bounds[l] = top * l / LEVELS;
    if (m->count[k][HUNTS] > 0)
      look[k].scale = "amplitude", look[k].scale_unit = b->plant.sys->states[b->tracked].unit;
    p[k].title = br_control_name((size_t)m->set[k].kind);
    p[k].xlabel = ax->name, p[k].ylabel = ay->name;
    p[k].lines = lines[k], p[k].nlines = n;
    p[k].look = &look[k];
  }
  const br_plot plot = {"Where the loop hunts", p, (size_t)m->panels};
  const br_status st = br_plot_write(file, &plot, &err);
  free(room);
  return st ? cli_failed(b->call->command, &err) : CLI_OK;
}

static int write_csv(const control_job *b, const maps *m)
{
  static const char *const names[] = {"panel", "x", "y", "verdict", "amplitude", "period", "multiplier"};
  enum { N = sizeof names / sizeof names[0] };
  const char *path = control_option(b, CONTROL_O_CSV)->text;
  const int to_stdout = bri_path_is_stdout(path);
  columns out;
  br_err err;
  if (!columns_create(&out, N, (size_t)m->panels * m->n * m->n, to_stdout))
    return cli_no_memory(b->call->command);
  for (size_t i = 0; i < N; i++)
    columns_name(&out, i,
                 i == 1   ? m->name[0]
                 : i == 2 ? m->name[1]
                          : names[i],
                 "",
                 i == 4   ? b->plant.sys->states[b->tracked].unit
                 : i == 5 ? "s"
                          : "1");
  br_status st = to_stdout ? BR_OK : columns_open(&out, path, &err);
  for (int k = 0; k < m->panels; k++)
    for (size_t i = 0; i < m->n * m->n && !st; i++) {
      const br_control_result *r = &m->cell[k][i];
      const double row[N] = {k + 1.0,
                             at(&m->axis[0], i / m->n, m->n),
                             at(&m->axis[1], i % m->n, m->n),
                             (double)m->kind[k][i],
                             r->amplitude,
                             r->period,
                             r->multiplier};
      memcpy(out.row, row, sizeof row);
      st = columns_push(&out, &err);
    }
  if (!st) st = to_stdout ? columns_print(&out, &err) : columns_close(&out, &err);
  columns_release(&out);
  return st ? cli_failed(b->call->command, &err) : CLI_OK;
}

static int print(const control_job *b, const maps *m)
{
  json j;
  const int as_json = control_option(b, CONTROL_O_JSON)->given;
  json_init(&j);
  json_object(&j, NULL);
  json_array(&j, "panels");
  for (int k = 0; k < m->panels; k++) {
    const char *name = br_control_name((size_t)m->set[k].kind);
    json_object(&j, NULL);
    json_text(&j, "controller", name);
    if (!as_json) (void)printf("%-24s", name);
    for (int g = 0; g < KINDS; g++) {
      json_number(&j, NAMES[g], (double)m->count[k][g]);
      if (!as_json) (void)printf(" %s %zu", NAMES[g], m->count[k][g]);
    }
    json_number(&j, "cells", (double)(m->n * m->n));
    if (!as_json) (void)printf(" of %zu cells\n", m->n * m->n);
    json_end(&j);
  }
  json_end(&j);
  json_end(&j);
  if (as_json) return json_print(&j) ? CLI_OK : CLI_FAILED;
  json_free(&j);
  return CLI_OK;
}

static int map(control_job *b, maps *m)
{
  const cli_command *c = b->call->command;
  const opt_value *grid = control_option(b, CONTROL_O_GRID);
  const char *file = control_option(b, CONTROL_O_MAP)->text;
  br_err err;
  int code = read_axis(b, CONTROL_O_VARY, m, 0), threads = 0;
  if (!code) code = read_axis(b, CONTROL_O_VARY2, m, 1);
  if (!code) code = control_threads(b, &threads);
  if (code) return code;
  if (grid->given && !(grid->real >= 2 && grid->real <= 500 && floor(grid->real) == grid->real))
    return cli_usage(c, "--grid = %s is out of range: must be a whole number from 2 to 500", grid->text);
  if (br_plot_check(file, &err))
    return err.code == BR_E_UNSUPPORTED ? cli_failed(c, &err) : cli_bad_input(c, &err);
  m->n = grid->given ? (size_t)grid->real : 16;
  m->set[0] = b->set;
  m->panels = 1;
  add_observer(b, m);
  br_control_case job = b->run;
  job.on_row = NULL, job.output_dt = 0;
  if (!(job.rtol > 0)) job.rtol = 1e-9;
  progress bar;
  amount_note(c, (double)(m->n * m->n) * m->panels, "runs", 0.03);
  for (int k = 0; k < m->panels; k++) {
    m->cell[k] = calloc(m->n * m->n + 1, sizeof *m->cell[k]);
    m->kind[k] = calloc(m->n * m->n + 1, 1);
    if (!m->cell[k] || !m->kind[k]) return cli_no_memory(c);
    progress_start(&bar, !control_option(b, CONTROL_O_QUIET)->given);
    const br_control_map what = {sizeof what,
                                 &job,
                                 &m->set[k],
                                 b->controller.spar,
                                 b->controller.mpar,
                                 b->tracked,
                                 m->axis[0],
                                 m->axis[1],
                                 m->n,
                                 m->n,
                                 threads,
                                 control_progress,
                                 &bar};
    const br_status st = br_control_hunting_map(&what, m->cell[k], &err);
    progress_end(&bar);
    if (cli_stop || st == BR_INTERRUPTED) return cli_interrupted(c);
    if (st && st != BR_E_NOMEM) return cli_bad_input(c, &err);
    if (st) return cli_failed(c, &err);
    for (size_t i = 0; i < m->n * m->n; i++) {
      m->kind[k][i] = (unsigned char)kind_of(&m->cell[k][i]);
      m->count[k][m->kind[k][i]]++;
    }
  }
  code = draw(b, m, file);
  if (!code && control_option(b, CONTROL_O_CSV)->given) code = write_csv(b, m);
  if (code || control_option(b, CONTROL_O_QUIET)->given) return code;
  if (control_option(b, CONTROL_O_CSV)->given && bri_path_is_stdout(control_option(b, CONTROL_O_CSV)->text))
    return code;
  return print(b, m);
}

int control_map(control_job *b)
{
  maps *m = calloc(1, sizeof *m);
  if (!m) return cli_no_memory(b->call->command);
  const int code = map(b, m);
  for (int k = 0; k < PANELS; k++) {
    free(m->cell[k]);
    free(m->kind[k]);
  }
  free(m);
  return code;
}
