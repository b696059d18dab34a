/* SPDX-License-Identifier: Apache-2.0
 * phase_pictures.c - the pictures of bristle phase: portrait, diagram, case map, Hopf diagram, equilibria. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bristle/figure.h"
#include "bristle/report.h"
#include "phase_job.h"

/* ---- a list of items that owns its points ---- */

enum { MOST_ITEMS = 256, MOST_TEXTS = 64, TEXT = 64 };
typedef struct {
  br_figure_item item[MOST_ITEMS];
  double *memory[MOST_ITEMS];
  size_t n;
  br_figure_text text[MOST_TEXTS];
  char words[MOST_TEXTS][TEXT];
  size_t ntext;
  int failed;
} sheet;

static void sheet_free(sheet *s)
{
  for (size_t i = 0; i < s->n; i++) free(s->memory[i]);
}

static void add(sheet *s, br_figure_kind kind, const double *x, const double *y, size_t n, const char *label,
                br_figure_colour colour, int look, double width)
{
  double *m = s->n < MOST_ITEMS ? malloc((2 * n + 1) * sizeof *m) : NULL;
  if (!m) {
    s->failed = 1;
    return;
  }
  memcpy(m, x, n * sizeof *m);
  memcpy(m + n, y, n * sizeof *m);
  for (size_t i = 0; label && i < s->n; i++) { /* one entry in the key for all curves of a kind */
    if (s->item[i].label && strcmp(s->item[i].label, label) == 0) label = NULL;
  }
  const br_figure_item it = {m,
                             m + n,
                             n,
                             label,
                             kind,
                             colour,
                             kind == BR_FIGURE_LINE ? (br_figure_dash)look : BR_SOLID,
                             kind == BR_FIGURE_MARKS ? (br_figure_mark)look : BR_DISC,
                             width};
  s->memory[s->n] = m;
  s->item[s->n++] = it;
}

static void write_text(sheet *s, double x, double y, const char *words)
{
  if (s->ntext == MOST_TEXTS) return;
  (void)snprintf(s->words[s->ntext], TEXT, "%s", words);
  const br_figure_text t = {x, y, s->words[s->ntext]};
  s->text[s->ntext++] = t;
}

static void fill_panel(br_figure_panel *p, const sheet *s)
{
  p->items = s->item;
  p->nitems = s->n;
  p->texts = s->text;
  p->ntexts = s->ntext;
}

/* ---- phase portrait ---- */

static const struct {
  const char *label;
  br_figure_colour colour;
  br_figure_dash dash;
  double width;
} CURVES[] = {
    [BR_CURVE_Z_NULLCLINE] = {"z' = 0", BR_BLUE, BR_DOTTED, 1.5},
    [BR_CURVE_V_NULLCLINE] = {"v' = 0", BR_PINK, BR_DOTTED, 1.5},
    [BR_CURVE_STABLE_CYCLE] = {"stable cycle", BR_GREEN, BR_SOLID, 3},
    [BR_CURVE_UNSTABLE_CYCLE] = {"unstable cycle", BR_RED, BR_DASHED, 3},
    [BR_CURVE_STABLE_MANIFOLD] = {"stable manifold", BR_ORANGE, BR_SOLID, 1.2},
    [BR_CURVE_UNSTABLE_MANIFOLD] = {"unstable manifold", BR_BLACK, BR_SOLID, 1.2},
};

/* An arrow in the middle of a curve (by length), against the order of points for a stable manifold, which was
 * followed backward. */
static void add_arrow(sheet *s, const double *z, const double *v, size_t n, int backward,
                      br_figure_colour colour)
{
  double total = 0, part = 0, zs = 1e-300, vs = 1e-300;
  for (size_t i = 0; i < n; i++) zs = fmax(zs, fabs(z[i])), vs = fmax(vs, fabs(v[i]));
  for (size_t i = 1; i < n; i++) total += hypot((z[i] - z[i - 1]) / zs, (v[i] - v[i - 1]) / vs);
  for (size_t i = 1; i < n; i++) {
    part += hypot((z[i] - z[i - 1]) / zs, (v[i] - v[i - 1]) / vs);
    if (part < 0.3 * total) continue;
    const size_t a = backward ? i : i - 1, b = backward ? i - 1 : i;
    const double x[2] = {z[a], z[b]}, y[2] = {v[a], v[b]};
    add(s, BR_FIGURE_ARROWS, x, y, 2, NULL, colour, 0, 1.2);
    return;
  }
}

static br_status draw_curve(void *ctx, br_curve kind, const double *z, const double *v, size_t n)
{
  sheet *s = ctx;
  add(s, BR_FIGURE_LINE, z, v, n, CURVES[kind].label, CURVES[kind].colour, CURVES[kind].dash,
      CURVES[kind].width);
  if (kind >= BR_CURVE_STABLE_CYCLE)
    add_arrow(s, z, v, n, kind == BR_CURVE_STABLE_MANIFOLD, CURVES[kind].colour);
  return s->failed ? BR_E_NOMEM : BR_OK;
}

static void add_equilibria(const phase_job *b, double at, sheet *s)
{
  for (size_t i = 0; i < b->neq; i++) {
    const br_equilibrium *q = &b->eq[i];
    if (b->eq_at[i] != at) continue;
    const int stable = strncmp(q->type, "stable", 6) == 0, saddle = strstr(q->type, "saddle") != NULL;
    add(s, BR_FIGURE_MARKS, &q->z, &q->v, 1,
        stable   ? "stable equilibrium"
        : saddle ? "saddle"
                 : "unstable equilibrium",
        stable ? BR_GREEN : BR_RED,
        stable   ? BR_DISC
        : saddle ? BR_CROSS
                 : BR_CIRCLE,
        1.6);
  }
}

/* Window: cycles and sliding equilibria, with room around them and v = 0 in sight. */
static void window(const phase_job *b, double at, br_figure_panel *p)
{
  double z0 = INFINITY, z1 = -INFINITY, v0 = 0, v1 = 0;
  for (size_t i = 0; i < b->neq; i++) {
    if (b->eq_at[i] != at) continue;
    z0 = fmin(z0, b->eq[i].z), z1 = fmax(z1, b->eq[i].z);
    v0 = fmin(v0, 1.6 * b->eq[i].v), v1 = fmax(v1, 1.6 * b->eq[i].v);
  }
  for (size_t i = 0; i < b->ncycle; i++) {
    if (b->cycle[i].at != at) continue;
    z0 = fmin(z0, b->cycle[i].z_min), z1 = fmax(z1, b->cycle[i].z_max);
    v0 = fmin(v0, b->cycle[i].v_min), v1 = fmax(v1, b->cycle[i].v_max);
  }
  if (!(v1 > v0)) v0 = -1, v1 = 1;
  if (!(z1 > z0)) z0 -= 0.5 * fabs(z0) + 1e-3, z1 += 0.5 * fabs(z1) + 1e-3;
  const double dz = 0.1 * (z1 - z0), dv = 0.06 * (v1 - v0);
  p->x0 = z0 - dz, p->x1 = z1 + dz;
  p->y0 = v0 - dv, p->y1 = v1 + 2 * dv;
}

enum { BASIN = 90 };
static int add_basins(const phase_job *b, double at, const br_figure_panel *p, unsigned char *cell,
                      const char **seen, br_figure_cells *c)
{
  double z[BASIN], v[BASIN];
  br_err err;
  const double lo = fmax(p->y0, 0), hi = p->y1;
  for (int i = 0; i < BASIN; i++) {
    z[i] = p->x0 + (p->x1 - p->x0) * (i + 0.5) / BASIN;
    v[i] = p->y1 > 0 ? lo + (hi - lo) * (i + 0.5) / BASIN : p->y0 * (BASIN - i - 0.5) / BASIN;
  }
  if (br_phase_basins(b->phase, at, BASIN, z, BASIN, v, cell, &err)) return 0;
  static const char *const ENDS[] = {"ends sticking", "ends in y1", "ends in y2", "ends in y3",
                                     "ends in a cycle"};
  for (int i = 0; i < 5; i++) {
    seen[i] = "";
    for (int k = 0; k < BASIN * BASIN; k++) {
      if (cell[k] == i) seen[i] = ENDS[i];
    }
  }
  const br_figure_cells r = {cell, BASIN, BASIN, z[0], z[BASIN - 1], v[0], v[BASIN - 1], seen, 5};
  *c = r;
  return 1;
}

static int draw_portrait(const phase_job *b, const char *file)
{
  enum { MOST = 3 };
  const cli_command *c = b->call->command;
  br_figure_panel panel[MOST];
  br_figure_cells cells[MOST];
  const char *ends[MOST][5];
  char title[MOST][80];
  br_err err;
  const size_t n = b->nat < MOST ? b->nat : MOST;
  sheet *s = calloc(n, sizeof *s);
  unsigned char *basin = malloc(n * BASIN * BASIN);
  int code = CLI_OK;
  if (!s || !basin) {
    free(s);
    free(basin);
    return cli_no_memory(c);
  }
  memset(panel, 0, sizeof panel);
  for (size_t i = 0; i < n && !code; i++) {
    br_figure_panel *p = &panel[i];
    window(b, b->at[i], p);
    if (add_basins(b, b->at[i], p, basin + i * BASIN * BASIN, ends[i], &cells[i])) p->cells = &cells[i];
    const double x[2] = {p->x0, p->x1}, zero[2] = {0, 0};
    add(&s[i], BR_FIGURE_LINE, x, zero, 2, "v = 0", BR_GREY, BR_SOLID, 1);
    if (br_phase_portrait(b->phase, b->at[i], draw_curve, &s[i], &err)) code = cli_failed(c, &err);
    add_equilibria(b, b->at[i], &s[i]);
    (void)snprintf(title[i], sizeof title[i], "%s = %.9g", b->vary.name, b->at[i]);
    p->title = title[i];
    p->xlabel = "bristle deflection z, m";
    p->ylabel = "velocity v, m/s";
    fill_panel(p, &s[i]);
  }
  if (!code && br_figure_write(file, "Phase portrait", panel, n, &err)) {
    code = cli_failed(c, &err);
  }
  for (size_t i = 0; i < n; i++) sheet_free(&s[i]);
  free(s);
  free(basin);
  return code;
}

/* ---- diagrams ---- */

static br_status draw_branch(void *ctx, int stable, const double *s1, const double *lo, const double *hi,
                             size_t n)
{
  sheet *s = ctx;
  add(s, BR_FIGURE_LINE, s1, hi, n,
      stable ? "stable cycle, v max and v min" : "unstable cycle, v max and v min",
      stable ? BR_GREEN : BR_RED, stable ? BR_SOLID : BR_DASHED, 2.6);
  add(s, BR_FIGURE_LINE, s1, lo, n, NULL, stable ? BR_GREEN : BR_RED, stable ? BR_SOLID : BR_DASHED, 1.2);
  return s->failed ? BR_E_NOMEM : BR_OK;
}

/* Sliding equilibria along the range, cut where their stability or number changes. */
static int add_equilibrium_lines(const phase_job *b, sheet *s, double *top)
{
  enum { N = 400 };
  double x[3][N], y[3][N];
  size_t n[3] = {0};
  char type[3][24] = {"", "", ""};
  br_err err;
  size_t before = 0;
  for (int i = 0; i <= N; i++) {
    br_equilibrium q[BR_PHASE_MOST_EQUILIBRIA];
    size_t count = 0;
    const double at = b->vary.a + (b->vary.b - b->vary.a) * i / (N - 1);
    if (i < N && br_phase_equilibria(b->phase, at, BR_PHASE_MOST_EQUILIBRIA, q, &count, &err)) {
      return cli_failed(b->call->command, &err);
    }
    for (size_t k = 0; k < 3; k++) {
      const int here = i < N && k + 1 < count;
      const char *now = !here ? "" : strncmp(q[k + 1].type, "stable", 6) == 0 ? "stable" : q[k + 1].type;
      if (n[k] && (count != before || strcmp(now, type[k]) != 0)) {
        const int stable = strcmp(type[k], "stable") == 0, saddle = strcmp(type[k], "saddle") == 0;
        add(s, BR_FIGURE_LINE, x[k], y[k], n[k],
            stable   ? "stable equilibrium"
            : saddle ? "saddle"
                     : "unstable equilibrium",
            stable ? BR_BLUE : BR_GREY,
            stable   ? BR_SOLID
            : saddle ? BR_DOTTED
                     : BR_DASHED,
            1.8);
        n[k] = 0;
      }
      (void)snprintf(type[k], sizeof type[k], "%s", now);
      if (!here) continue;
      x[k][n[k]] = at;
      y[k][n[k]++] = q[k + 1].v;
      *top = fmax(*top, fabs(q[k + 1].v));
    }
    before = count;
  }
  return CLI_OK;
}

static int draw_diagram(const phase_job *b, const char *file)
{
  const cli_command *c = b->call->command;
  if (b->vary2.name[0]) return phase_draw_curves(b, file);
  size_t n;
  const br_phase_event *e = br_phase_events(b->phase, &n);
  sheet *s = calloc(1, sizeof *s);
  br_figure_panel p;
  br_err err;
  char xlabel[80];
  double top = 0;
  memset(&p, 0, sizeof p);
  if (!s) return cli_no_memory(c);
  int code = add_equilibrium_lines(b, s, &top);
  if (!code && strcmp(b->vary.name, "sigma1") == 0) {
    if (br_phase_branches(b->phase, draw_branch, s, &err)) code = cli_failed(c, &err);
    for (size_t i = 0; i < s->n; i++) {
      for (size_t k = 0; k < s->item[i].n; k++) {
        if (s->item[i].x[k] <= b->vary.b) top = fmax(top, fabs(s->item[i].y[k]));
      }
    }
  }
  const double sign = b->problem.F < 0 ? -1 : 1;
  p.x0 = b->vary.a, p.x1 = b->vary.b;
  p.y0 = sign > 0 ? 0 : -1.15 * top, p.y1 = sign > 0 ? 1.15 * top : 0;
  double last = -INFINITY;
  int level = 0;
  for (size_t i = 0; i < n; i++) {
    char words[TEXT];
    if (e[i].type == BR_PHASE_HOPF) {
      add(s, BR_FIGURE_MARKS, &e[i].value, &e[i].v, 1, "Hopf point", BR_BLACK, BR_STAR, 1.6);
      continue;
    }
    const double x[2] = {e[i].value, e[i].value}, y[2] = {p.y0, p.y1};
    const int loop = e[i].type == BR_PHASE_HOMOCLINIC;
    add(s, BR_FIGURE_LINE, x, y, 2,
        loop                         ? "homoclinic orbit"
        : e[i].type == BR_PHASE_FOLD ? "fold of equilibria"
                                     : "fold of cycles",
        BR_GREY, loop ? BR_DASHDOT : BR_DOTTED, 1.2);
    if (!loop) continue;
    /* neighbouring values take turns in height */
    level = e[i].value - last < 0.14 * (b->vary.b - b->vary.a) ? (level + 1) % 4 : 0;
    last = e[i].value;
    (void)snprintf(words, sizeof words, "%.6g", e[i].value);
    write_text(s, e[i].value, sign * top * (1.11 - 0.055 * level), words);
  }
  (void)snprintf(xlabel, sizeof xlabel, "%s, %s", b->vary.name,
                 br_model_param(b->model, b->vary.name) ? br_model_param(b->model, b->vary.name)->unit
                 : strcmp(b->vary.name, "F") == 0       ? "N"
                                                        : "kg");
  p.xlabel = xlabel;
  p.ylabel = "velocity v, m/s";
  fill_panel(&p, s);
  char title[96];
  (void)snprintf(title, sizeof title, "Equilibria and cycles, case %s", br_phase_case(b->phase));
  if (!code && br_figure_write(file, title, &p, 1, &err)) code = cli_failed(c, &err);
  sheet_free(s);
  free(s);
  return code;
}

/* ---- what was asked for ---- */

int phase_pictures(phase_job *b)
{
  static const struct {
    int option;
    int (*draw)(const phase_job *b, const char *file);
  } PICTURES[] = {{PHASE_O_PORTRAIT, draw_portrait},
                  {PHASE_O_DIAGRAM, draw_diagram},
                  {PHASE_O_MAP, phase_draw_map},
                  {PHASE_O_HOPF, phase_draw_hopf},
                  {PHASE_O_STRIBECK, phase_draw_stribeck}};
  br_err err;
  for (size_t i = 0; i < sizeof PICTURES / sizeof PICTURES[0]; i++) { /* refuse before anything is computed */
    const opt_value *v = phase_option(b, PICTURES[i].option);
    if (v->given && !b->phase) {
      return cli_usage(b->call->command, "pictures are drawn for --system driven_block only");
    }
    if (v->given && br_plot_check(v->text, &err)) {
      return err.code == BR_E_UNSUPPORTED ? cli_failed(b->call->command, &err)
                                          : cli_bad_input(b->call->command, &err);
    }
  }
  for (size_t i = 0; i < sizeof PICTURES / sizeof PICTURES[0]; i++) {
    const opt_value *v = phase_option(b, PICTURES[i].option);
    const int code = v->given ? PICTURES[i].draw(b, v->text) : CLI_OK;
    if (code) return code;
    if (cli_stop) return cli_interrupted(b->call->command);
  }
  return CLI_OK;
}
