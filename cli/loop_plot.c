/* SPDX-License-Identifier: Apache-2.0
 * loop_plot.c - pictures of loops: the loop with its minor loops, the transient towards it, other time
 * scales. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/report.h"
#include "loop_job.h"

enum { MINORS = 12, CURVES = 8, LINES = MINORS + 3 * CURVES + 8, LABEL = 48 };

/* A picture under construction; every array it made is freed at the end. */
typedef struct {
  const loop_job *b;
  br_plot_line lines[3][LINES]; /* by panel */
  size_t n[3];
  double *owned[4 * LINES];
  size_t nowned;
  char labels[3 * CURVES + MINORS][LABEL];
  size_t nlabels;
  int failed; /* out of memory */
} sketch;

static double *room(sketch *s, size_t n)
{
  double *p = s->nowned < sizeof s->owned / sizeof s->owned[0] ? malloc((n + 1) * sizeof *p) : NULL;
  if (p) s->owned[s->nowned++] = p;
  else s->failed = 1;
  return p;
}

/* A curve that cannot be computed is left out; one for which there is no memory spoils the picture. */
static int is_made(sketch *s, br_status st)
{
  if (st == BR_E_NOMEM) s->failed = 1;
  return st == BR_OK;
}

static void add(sketch *s, int panel, const double *x, const double *y, size_t n, const char *label,
                br_plot_kind kind)
{
  if (!x || !y || s->n[panel] == LINES) return;
  s->lines[panel][s->n[panel]++] = (br_plot_line){x, y, n, label, kind};
}

/* "name x", kept with the sketch. */
static const char *label(sketch *s, const char *name, double x)
{
  if (s->nlabels == sizeof s->labels / sizeof s->labels[0]) return NULL;
  char *to = s->labels[s->nlabels++];
  (void)snprintf(to, LABEL, "%s %.6g", name, x);
  return to;
}

/* ---- the loop ---- */

/* One minor loop, arc by arc, so that no corner is cut. */
static void add_minor(sketch *s, const br_minor *m)
{
  const loop_job *b = s->b;
  const size_t turns = b->sum.n_turning;
  size_t arcs = 0;
  for (double rho = m->rho_start; rho < m->rho_end && arcs < turns; arcs++) {
    const size_t i = (m->start_reversal + arcs) % turns;
    rho += fabs(b->turning[(i + 1) % turns].u - b->turning[i].u);
  }
  const size_t points = arcs > 200 ? 2 : arcs > 20 ? 20 : 100, n = arcs * points + 1;
  double *u = room(s, n), *y = room(s, n), rho = m->rho_start;
  if (!u || !y) return;
  u[0] = m->u_start;
  y[0] = br_loop_y(b->loop, rho, 1);
  for (size_t a = 0; a < arcs; a++) {
    const size_t i = (m->start_reversal + a) % turns;
    const double length = fmin(fabs(b->turning[(i + 1) % turns].u - b->turning[i].u), m->rho_end - rho);
    for (size_t k = 1; k <= points; k++) {
      const double r = rho + length * (double)k / (double)points;
      u[a * points + k] = br_loop_u(b->loop, r);
      y[a * points + k] = br_loop_y(b->loop, r, -1);
    }
    rho += length;
  }
  u[n - 1] = m->u_start;
  y[n - 1] = m->y_end;
  add(s, 0, u, y, n, label(s, "minor loop", (double)m->start_reversal), BR_PLOT_THICK);
}

/* Open circles where minor loops start, squares where they end. */
static void add_markers(sketch *s, size_t count)
{
  double *u = room(s, count), *y0 = room(s, count), *y1 = room(s, count);
  if (!u || !y0 || !y1) return;
  for (size_t i = 0; i < count; i++) {
    u[i] = s->b->minor[i].u_start;
    y0[i] = s->b->minor[i].y_start;
    y1[i] = s->b->minor[i].y_end;
  }
  add(s, 0, u, y0, count, "starts", BR_PLOT_CIRCLES);
  add(s, 0, u, y1, count, "ends", BR_PLOT_SQUARES);
}

/* ---- the transient towards it: u and y of all periods in the first panel, y over rho by period in the
 * second ---- */

static void add_transient(sketch *s, const loop_curve *c)
{
  const loop_job *b = s->b;
  const size_t shown = b->periods < CURVES ? b->periods : CURVES, n = c->n;
  double *u = room(s, shown * n), *y = room(s, shown * n);
  br_loop_walk *on = NULL;
  if (!u || !y || !is_made(s, br_loop_walk_create(b->loop, b->z0, &on, NULL))) return;
  for (size_t k = 0; k < shown; k++)
    for (size_t i = 0; i < n; i++) {
      const double rho = c->rho[i] + (double)k * b->sum.path_length;
      u[k * n + i] = c->u[i];
      y[k * n + i] = br_loop_walk_y(on, rho, i == 0 ? 1 : -1);
    }
  br_loop_walk_destroy(on);
  add(s, 0, u, y, shown * n, "transient", BR_PLOT_DOTS);
  add(s, 1, c->rho, c->y, n, "steady", BR_PLOT_THICK);
  for (size_t k = 0; k < shown; k++)
    add(s, 1, c->rho, y + k * n, n, label(s, "period", (double)k), BR_PLOT_LINE);
}

/* ---- other time scales: settled loops in the first panel, from rest over time in the second ---- */

static void add_settled(sketch *s, const br_wave_settings *set)
{
  br_wave *w;
  if (!is_made(s, br_wave_create(s->b->m, s->b->par, s->b->input, set, &w, NULL))) return;
  const br_wave_result *r = br_wave_get(w);
  double *u = room(s, r->n), *y = room(s, r->n);
  if (u && y) {
    memcpy(u, r->u, r->n * sizeof *u);
    memcpy(y, r->y, r->n * sizeof *y);
    add(s, 0, u, y, r->n, label(s, "G =", set->scale), BR_PLOT_LINE);
  }
  br_wave_destroy(w);
}

static void add_from_rest(sketch *s, const br_wave_settings *set, const char *name, br_plot_kind kind)
{
  br_wave *w;
  if (!is_made(s, br_wave_create(s->b->m, s->b->par, s->b->input, set, &w, NULL))) return;
  const br_wave_result *r = br_wave_get(w);
  double *t = room(s, r->n), *y = room(s, r->n);
  if (t && y) {
    memcpy(t, r->t, r->n * sizeof *t);
    memcpy(y, r->y, r->n * sizeof *y);
    add(s, 1, t, y, r->n, name, kind);
  }
  br_wave_destroy(w);
}

static void add_scales(sketch *s)
{
  const loop_job *b = s->b;
  const size_t shown = b->nscales < CURVES ? b->nscales : CURVES;
  br_wave_settings set = b->wave_set;
  set.rtol = 1e-8; /* a picture */
  for (size_t k = 0; k < shown; k++) {
    set.scale = b->scales[k];
    set.periods = 0;
    add_settled(s, &set);
  }
  for (size_t k = 0; k < shown; k++) {
    set.scale = b->scales[k];
    set.periods = 2;
    add_from_rest(s, &set, label(s, "G =", set.scale), BR_PLOT_LINE);
  }
  set.scale = 1e12; /* the limit, where a filter does nothing */
  set.tau = 0;
  add_from_rest(s, &set, "limit", BR_PLOT_BACK);
}

/* ---- all together ---- */

static void add_all(sketch *s, const loop_curve *c)
{
  const loop_job *b = s->b;
  const size_t minors = b->sum.n_minor < MINORS ? b->sum.n_minor : MINORS;
  if (b->periods) add_transient(s, c);
  if (b->nscales) add_scales(s);
  add(s, 0, c->u, c->y, c->n,
      b->nscales   ? "limit"
      : minors     ? "loop"
      : b->periods ? "steady loop"
                   : NULL,
      minors || b->nscales ? BR_PLOT_BACK : BR_PLOT_THICK);
  if (b->wave || b->nscales) return;
  for (size_t i = 0; i < minors; i++) add_minor(s, &b->minor[i]);
  if (minors) add_markers(s, minors);
}

static int write_picture(const sketch *s, const char *path)
{
  const loop_job *b = s->b;
  char title[256];
  br_err err;
  const int second_is_time = b->nscales > 0;
  const br_plot_panel panels[2] = {
      {NULL, "displacement u", "friction force y", "m", "N", s->lines[0], s->n[0], NULL},
      {NULL, second_is_time ? "time t of the input" : "path length in the period", "friction force y",
       second_is_time ? "s" : "m", "N", s->lines[1], s->n[1], NULL}};
  (void)snprintf(title, sizeof title, "%s under %.180s", b->m->name, b->spec);
  const br_plot plot = {title, panels, s->n[1] ? 2 : 1};
  return br_plot_write(path, &plot, &err) ? cli_failed(b->call->command, &err) : CLI_OK;
}

int loop_draw(const loop_job *b, const char *path)
{
  loop_curve c;
  if (!loop_curve_create(b, &c)) return cli_no_memory(b->call->command);
  sketch *s = calloc(1, sizeof *s);
  int code = CLI_OK;
  if (s) {
    s->b = b;
    add_all(s, &c);
    if (cli_stop) code = cli_interrupted(b->call->command); /* curves may lack their ends */
    else code = s->failed ? cli_no_memory(b->call->command) : write_picture(s, path);
    for (size_t i = 0; i < s->nowned; i++) free(s->owned[i]);
  } else {
    code = cli_no_memory(b->call->command);
  }
  free(s);
  loop_curve_free(&c);
  return code;
}
