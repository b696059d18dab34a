/* SPDX-License-Identifier: Apache-2.0
 * phase_maps.c - pictures over grids: case map, Hopf diagram, equilibria over force and velocity. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bristle/figure.h"
#include "phase_job.h"

static size_t grid_of(const phase_job *b, size_t def)
{
  const opt_value *v = phase_option(b, PHASE_O_GRID);
  return v->given && v->real >= 2 && v->real <= 2000 ? (size_t)v->real : def;
}

static const char *unit_of(const phase_job *b, const char *name)
{
  const br_param *row = br_model_param(b->model, name);
  return row ? row->unit : strcmp(name, "F") == 0 ? "N" : "kg";
}

/* Bar with time left, on a terminal only. */
typedef struct {
  int shown;
  time_t start;
} bar;

static int progress(void *ctx, double done)
{
  bar *p = ctx;
  if (p->shown && done > 0) {
    const double left = difftime(time(NULL), p->start) * (1 - done) / done;
    char line[41];
    const int full = (int)(40 * done);
    for (int i = 0; i < 40; i++) line[i] = i < full ? '#' : '.';
    line[40] = '\0';
    (void)fprintf(stderr, "\r[%s] %3.0f %%, %.0f s left ", line, 100 * done, left);
    if (done >= 1) (void)fprintf(stderr, "\r%60s\r", "");
    (void)fflush(stderr);
  }
  return cli_stop;
}

/* The cell of a case that lies deepest inside its region (distance to the nearest other cell), for its name.
 * */
static double deepest(const unsigned char *cell, size_t nx, size_t ny, unsigned char index, size_t *bi,
                      size_t *bj)
{
  double best = 0;
  for (size_t i = 0; i < nx; i++) {
    for (size_t j = 0; j < ny; j++) {
      if (cell[i * ny + j] != index) continue;
      /* names are wider than high: count columns less */
      double depth =
          fmin(fmin((double)i, (double)(nx - 1 - i)) / 2.0, fmin((double)j, (double)(ny - 1 - j))) + 1;
      for (size_t a = 0; a < nx; a++) {
        const double dx = ((double)a - (double)i) / 2.0;
        if (fabs(dx) >= depth) continue;
        for (size_t k = 0; k < ny; k++) {
          const double d = fmax(fabs(dx), fabs((double)k - (double)j));
          if (d < depth && cell[a * ny + k] != index) depth = d;
        }
      }
      if (depth > best) best = depth, *bi = i, *bj = j;
    }
  }
  return best;
}

int phase_draw_map(const phase_job *b, const char *file)
{
  const cli_command *c = b->call->command;
  if (!b->vary2.name[0]) return cli_usage(c, "--map needs --vary2 NAME=A:B");
  const size_t n = grid_of(b, 60);
  char names[BR_CASE_NAMES][BR_CASE_NAME], xlabel[80], ylabel[80];
  size_t count = 0, ntext = 0;
  br_err err;
  br_figure_text text[BR_CASE_NAMES];
  unsigned char *cell = malloc(n * n);
  if (!cell) return cli_no_memory(c);
  bar shown = {isatty(STDERR_FILENO) && !phase_option(b, PHASE_O_QUIET)->given, time(NULL)};
  const opt_value *t = phase_option(b, PHASE_O_THREADS);
  const br_case_map_settings set = {b->vary.name,
                                    b->vary2.name,
                                    b->vary.a,
                                    b->vary.b,
                                    b->vary2.a,
                                    b->vary2.b,
                                    n,
                                    n,
                                    t->given && t->real >= 1 && t->real <= 64 ? (int)t->real : 0,
                                    progress,
                                    &shown};
  const br_status st = br_phase_case_map(&b->problem, &set, cell, names, &count, &err);
  int code = st == BR_INTERRUPTED ? cli_interrupted(c) : st ? cli_bad_input(c, &err) : CLI_OK;
  br_figure_panel p;
  memset(&p, 0, sizeof p);
  const char *key[BR_CASE_NAMES];
  const br_figure_cells cells = {cell, n, n, b->vary.a, b->vary.b, b->vary2.a, b->vary2.b, key, count};
  const double dx = (b->vary.b - b->vary.a) / (double)(n - 1),
               dy = (b->vary2.b - b->vary2.a) / (double)(n - 1);
  for (size_t k = 0; k < count && !code; k++) {
    size_t i = 0, j = 0;
    key[k] = names[k];
    if (deepest(cell, n, n, (unsigned char)k, &i, &j) < 0.02 * (double)n)
      continue; /* too small for its name */
    const br_figure_text at = {b->vary.a + dx * (double)i, b->vary2.a + dy * (double)j, names[k]};
    text[ntext++] = at;
  }
  for (size_t k = 0; k < count && !code; k++) { /* nothing happens there: white */
    if (strcmp(names[k], "none") != 0) continue;
    for (size_t i = 0; i < n * n; i++) cell[i] = cell[i] == k ? 255 : cell[i];
    key[k] = "";
  }
  (void)snprintf(xlabel, sizeof xlabel, "%s, %s", b->vary.name, unit_of(b, b->vary.name));
  (void)snprintf(ylabel, sizeof ylabel, "%s, %s", b->vary2.name, unit_of(b, b->vary2.name));
  p.xlabel = xlabel;
  p.ylabel = ylabel;
  p.x0 = b->vary.a - dx / 2, p.x1 = b->vary.b + dx / 2;
  p.y0 = b->vary2.a - dy / 2, p.y1 = b->vary2.b + dy / 2;
  p.cells = &cells;
  p.texts = text;
  p.ntexts = ntext;
  if (!code && br_figure_write(file, "Cases along sigma1", &p, 1, &err)) code = cli_failed(c, &err);
  free(cell);
  return code;
}

/* Level of the Stribeck curve and its slope, from the model: the steady force less the viscous part. */
static double level(const phase_job *b, double v)
{
  double u = 0, z0 = 0, z1 = 1, r0, r1, F, zero = 0, still = 0;
  b->model->rate(b->problem.par, 1, &u, &v, &z0, &r0);
  b->model->rate(b->problem.par, 1, &u, &v, &z1, &r1);
  const double z = r0 / (r0 - r1);
  b->model->force(b->problem.par, 1, &u, &still, &z, &zero, &F);
  return F;
}

static double level_slope(const phase_job *b, double v)
{
  const double h = 1e-4 * v;
  return (8 * (level(b, v + h) - level(b, v - h)) - (level(b, v + 2 * h) - level(b, v - 2 * h))) / (12 * h);
}

static double scale_of(const phase_job *b, const char *name)
{
  return b->problem.par[br_model_param(b->model, name)->slot];
}

static int needs_force(const phase_job *b, const char *option)
{
  if (strcmp(b->vary.name, "F") == 0 && b->vary.a >= 0) return CLI_OK;
  return cli_usage(b->call->command, "--%s needs --vary F=A:B with A >= 0 (the range of forces)", option);
}

int phase_draw_hopf(const phase_job *b, const char *file)
{
  enum { CURVE = 400 };
  const cli_command *c = b->call->command;
  int code = needs_force(b, "hopf");
  if (code) return code;
  const size_t n = grid_of(b, 200);
  const double v_max = 3.25 * scale_of(b, "vs");
  br_err err;
  double *v = malloc((2 * n + n * n + 4 * n) * sizeof *v);
  unsigned char *cell = malloc(n * n);
  if (!v || !cell) {
    free(v);
    free(cell);
    return cli_no_memory(c);
  }
  double *F = v + n, *L = F + n, *zx = L + n * n, *zy = zx + 2 * n;
  for (size_t i = 0; i < n; i++) {
    v[i] = v_max * ((double)i + 0.5) / (double)n;
    F[i] = b->vary.a + (b->vary.b - b->vary.a) * ((double)i + 0.5) / (double)n;
  }
  if (br_phase_hopf_diagram(&b->problem, n, v, n, F, L, &err)) code = cli_bad_input(c, &err);
  size_t nz = 0;
  for (size_t i = 0; i < n * n; i++) cell[i] = isnan(L[i]) ? 255 : L[i] > 0 ? 2 : 1;
  /* zeros of the coefficient between neighbouring forces, then between neighbouring velocities */
  for (int along = 0; along < 2; along++) {
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j + 1 < n; j++) {
        const size_t p = along ? j * n + i : i * n + j, q = along ? (j + 1) * n + i : i * n + j + 1;
        if (isnan(L[p]) || isnan(L[q]) || (L[p] > 0) == (L[q] > 0) || nz >= 2 * n) continue;
        const double f = L[p] / (L[p] - L[q]);
        zx[nz] = along ? v[j] + f * (v[j + 1] - v[j]) : v[i];
        zy[nz++] = along ? F[i] : F[j] + f * (F[j + 1] - F[j]);
      }
    }
  }
  double cx[CURVE], c0[CURVE], ca[CURVE];
  for (int i = 0; i < CURVE; i++) {
    cx[i] = v_max * (i + 1) / CURVE;
    c0[i] = level(b, cx[i]);
    ca[i] = c0[i] - cx[i] * level_slope(b, cx[i]);
  }
  const br_figure_item items[] = {
      {cx, c0, CURVE, "sigma2 = 0", BR_FIGURE_LINE, BR_BLACK, BR_SOLID, BR_DISC, 2},
      {cx, ca, CURVE, "a0 = 0 (fold of equilibria)", BR_FIGURE_LINE, BR_BLACK, BR_DASHED, BR_DISC, 1.5},
      {zx, zy, nz, "Lyapunov coefficient = 0", BR_FIGURE_MARKS, BR_GREEN, BR_SOLID, BR_DISC, 0.35},
  };
  br_figure_text text[2];
  size_t ntext = 0;
  static const char *const WORDS[] = {"supercritical", "subcritical"};
  for (unsigned char k = 1; k <= 2; k++) {
    size_t i = 0, j = 0;
    if (deepest(cell, n, n, k, &i, &j) <= 0) continue;
    const br_figure_text at = {v[i], F[j], WORDS[k - 1]};
    text[ntext++] = at;
  }
  const br_figure_cells cells = {cell, n, n, v[0], v[n - 1], F[0], F[n - 1], NULL, 0};
  br_figure_panel p = {
      NULL, "velocity v, m/s", "force F, N", 0, v_max, b->vary.a, b->vary.b, items, 3, text, ntext, &cells};
  char title[80];
  (void)snprintf(title, sizeof title, "Hopf diagram, delta = %.6g, sigma0 = %.6g N/m", scale_of(b, "delta"),
                 scale_of(b, "sigma0"));
  if (!code && br_figure_write(file, title, &p, 1, &err)) code = cli_failed(c, &err);
  free(v);
  free(cell);
  return code;
}

int phase_draw_stribeck(const phase_job *b, const char *file)
{
  enum { CURVE = 400, FAMILY = 14 };
  const cli_command *c = b->call->command;
  int code = needs_force(b, "stribeck");
  if (code) return code;
  const double v_max = 3 * scale_of(b, "vs"), top = scale_of(b, "Fs"),
               damping = (top - scale_of(b, "Fc")) / scale_of(b, "vs");
  double v[CURVE], F[FAMILY + 2][CURVE];
  br_figure_item items[FAMILY + 3];
  br_err err;
  size_t n = 0;
  for (int i = 0; i < CURVE; i++) {
    v[i] = v_max * (i + 1) / CURVE;
    const double g = level(b, v[i]);
    for (int k = 0; k < FAMILY; k++) {
      const double s2 = damping * 0.05 * pow(1.6, k);
      F[k][i] = g + s2 * v[i];
    }
    F[FAMILY][i] = g;
    F[FAMILY + 1][i] = g - v[i] * level_slope(b, v[i]);
  }
  for (int k = 0; k < FAMILY; k++) {
    const br_figure_item it = {
        F[k], v, CURVE, k ? NULL : "equilibria for one sigma2", BR_FIGURE_LINE, BR_SKY, BR_SOLID, BR_DISC, 1};
    items[n++] = it;
  }
  const double ex[2] = {top, fmax(top, b->vary.b)}, ey[2] = {0, 0};
  const br_figure_item edges[] = {
      {F[FAMILY], v, CURVE, "limit sigma2 = 0", BR_FIGURE_LINE, BR_GREEN, BR_SOLID, BR_DISC, 2.5},
      {ex, ey, 2, "limit sigma2 to infinity", BR_FIGURE_LINE, BR_GREEN, BR_DASHED, BR_DISC, 2.5},
      {F[FAMILY + 1], v, CURVE, "a0 = 0", BR_FIGURE_LINE, BR_BLACK, BR_DASHDOT, BR_DISC, 2},
  };
  for (size_t k = 0; k < 3; k++) items[n++] = edges[k];
  br_figure_panel p = {
      NULL, "force F, N", "velocity v, m/s", b->vary.a, b->vary.b, -0.03 * v_max, v_max, items, n, NULL,
      0,    NULL};
  char title[80];
  (void)snprintf(title, sizeof title, "Sliding equilibria, delta = %.6g", scale_of(b, "delta"));
  if (!code && br_figure_write(file, title, &p, 1, &err)) code = cli_failed(c, &err);
  return code;
}

/* ---- curves of events over sigma1 and a second parameter ---- */

enum { CURVE_POINTS = 1024 };
typedef struct {
  double x[BR_PHASE_EVENT_TYPES][CURVE_POINTS], y[BR_PHASE_EVENT_TYPES][CURVE_POINTS];
  size_t n[BR_PHASE_EVENT_TYPES];
  double a, b;
} curves;

static br_status keep(void *ctx, const br_phase_event *e)
{
  curves *k = ctx;
  size_t *n = &k->n[e->type];
  if (*n < CURVE_POINTS && e->value >= k->a && e->value <= k->b) {
    k->x[e->type][*n] = e->value2;
    k->y[e->type][(*n)++] = e->value;
  }
  return cli_stop ? BR_INTERRUPTED : BR_OK;
}

int phase_draw_curves(const phase_job *b, const char *file)
{
  static const struct {
    br_phase_event_type type;
    const char *label;
    br_figure_colour colour;
    br_figure_mark mark;
    double size;
  } LOOK[] = {{BR_PHASE_HOPF, "Hopf point", BR_BLUE, BR_DISC, 0.5},
              {BR_PHASE_HOMOCLINIC, "homoclinic orbit", BR_ORANGE, BR_SQUARE, 0.5},
              {BR_PHASE_FOLD_OF_CYCLES, "fold of cycles", BR_RED, BR_CIRCLE, 0.7},
              {BR_PHASE_GENERALIZED_HOPF, "generalised Hopf point", BR_BLACK, BR_STAR, 1.6}};
  const cli_command *c = b->call->command;
  br_err err;
  if (strcmp(b->vary.name, "sigma1") != 0)
    return cli_usage(c, "--diagram with --vary2 needs --vary sigma1=A:B");
  curves *k = calloc(1, sizeof *k);
  if (!k) return cli_no_memory(c);
  k->a = b->vary.a, k->b = b->vary.b;
  const br_status st =
      br_phase_curves(&b->problem, b->vary2.name, b->vary2.a, b->vary2.b, grid_of(b, 120), keep, k, &err);
  int code = st == BR_INTERRUPTED ? cli_interrupted(c) : st ? cli_bad_input(c, &err) : CLI_OK;
  br_figure_item items[4];
  size_t n = 0;
  for (size_t i = 0; i < 4; i++) {
    const br_phase_event_type t = LOOK[i].type;
    const br_figure_item it = {k->x[t],        k->y[t],  k->n[t],      LOOK[i].label, BR_FIGURE_MARKS,
                               LOOK[i].colour, BR_SOLID, LOOK[i].mark, LOOK[i].size};
    if (k->n[t]) items[n++] = it;
  }
  if (!code && n == 0) code = cli_usage(c, "no event in that range");
  char xlabel[80];
  (void)snprintf(xlabel, sizeof xlabel, "%s, %s", b->vary2.name, unit_of(b, b->vary2.name));
  br_figure_panel p = {
      NULL, xlabel, "sigma1, N s/m", b->vary2.a, b->vary2.b, b->vary.a, b->vary.b, items, n, NULL, 0, NULL};
  if (!code && br_figure_write(file, "Events in two parameters", &p, 1, &err)) code = cli_failed(c, &err);
  free(k);
  return code;
}
