/* SPDX-License-Identifier: Apache-2.0
 * control_compare.c - bristle control --compare: one table and one picture of all controllers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amount.h"
#include "bristle/report.h"
#include "control_job.h"
#include "json.h"
#include "progress.h"
#include "text/path.h"

enum { MOST = 32 }; /* controllers */

static void by_default(control_job *b, int k, const char *text, double real)
{
  opt_value *v = &b->call->values[k];
  if (v->given) return;
  v->given = 1;
  v->text = text;
  v->real = real;
}

void control_compare_defaults(control_job *b)
{
  const int own = control_option(b, CONTROL_O_SYSTEM)->given || control_option(b, CONTROL_O_MODEL)->given;
  if (!own) {
    by_default(b, CONTROL_O_SYSTEM, "pulled_block", 0);
    by_default(b, CONTROL_O_MODEL, "lugre", 0);
    by_default(b, CONTROL_O_SET, CONTROL_PAPER, 0);
    by_default(b, CONTROL_O_NOISE, "v=1e-3", 0);
    by_default(b, CONTROL_O_LIMIT, "u=50", 0);
  }
  if (!control_option(b, CONTROL_O_T_END)->given && !control_option(b, CONTROL_O_REFERENCE)->given)
    by_default(b, CONTROL_O_WINDOW, "10:30", 0);
  by_default(b, CONTROL_O_REFERENCE, "sine:1,0.1", 0);
  by_default(b, CONTROL_O_T_END, "30", 30);
  by_default(b, CONTROL_O_SAMPLE, "1ms", 1e-3);
}

int control_read_uncertain(const control_job *b, control_uncertain *u)
{
  const cli_command *c = b->call->command;
  const opt_value *list = control_option(b, CONTROL_O_UNCERTAIN), *part = control_option(b, CONTROL_O_PART);
  memset(u, 0, sizeof *u);
  u->part = part->given ? part->real : 0.2;
  if (!(u->part >= 0 && u->part < 1))
    return cli_usage(c, "--part = %s is out of range: must be >= 0 and < 1", part->text);
  if (list->given) {
    if (strlen(list->text) >= sizeof u->text) return cli_usage(c, "--uncertain: the list is too long");
    (void)snprintf(u->text, sizeof u->text, "%s", list->text);
    for (char *p = u->text, *next; p; p = next) {
      next = strchr(p, ',');
      if (next) *next++ = '\0';
      if (!*p) return cli_usage(c, "--uncertain %s: an empty name", list->text);
      if (u->n == CONTROL_UNCERTAIN)
        return cli_usage(c, "--uncertain: more than %d names", (int)CONTROL_UNCERTAIN);
      u->names[u->n++] = p;
    }
    return CLI_OK;
  }
  const struct {
    const br_param *rows;
    size_t n;
    const double *block;
  } tables[2] = {{b->plant.mod->params, b->plant.mod->nparam, b->run.mpar},
                 {b->plant.sys->params, b->plant.sys->nparam, b->run.spar}};
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < tables[t].n; i++) {
      const br_param *p = &tables[t].rows[i];
      if (p->max_len != 1 || p->choices || strcmp(p->unit, "1") == 0 || tables[t].block[p->slot] == 0)
        continue;
      if (u->n == CONTROL_UNCERTAIN)
        return cli_usage(c, "more than %d uncertain parameters: choose with --uncertain NAME,...",
                         (int)CONTROL_UNCERTAIN);
      u->names[u->n++] = p->name;
    }
  return CLI_OK;
}

int control_threads(const control_job *b, int *threads)
{
  const opt_value *v = control_option(b, CONTROL_O_THREADS);
  *threads = v->given ? (int)v->real : 0;
  if (v->given && !(v->real >= 1 && v->real <= 64 && floor(v->real) == v->real))
    return cli_usage(b->call->command, "--threads = %s is out of range: must be a whole number from 1 to 64",
                     v->text);
  return CLI_OK;
}

int control_progress(void *ctx, double done)
{
  progress_show((progress *)ctx, done, "closed loops", "");
  return cli_stop;
}

typedef struct {
  br_control_entry list[MOST];
  br_control_score score[MOST];
  size_t n;
  control_uncertain wrong;
  size_t nfriction; /* of them, of the model */
  br_control_comparison what;
  br_control_case ideal; /* no noise, no delay */
} comparison;

/* "Fc+ m-": which way each parameter is wrong. */
static const char *corner(const comparison *k, unsigned bits, int friction_only, const br_model *m,
                          char *text, size_t room)
{
  size_t at = 0, bit = 0;
  text[0] = '\0';
  for (size_t i = 0; i < k->wrong.n && at + 1 < room; i++) {
    if (friction_only && !br_model_param(m, k->wrong.names[i])) continue;
    const int wrote = snprintf(text + at, room - at, "%s%s%c", at ? " " : "", k->wrong.names[i],
                               bits >> bit++ & 1 ? '+' : '-');
    if (wrote > 0) at += (size_t)wrote;
  }
  return text;
}

static void number(double x)
{
  if (isnan(x)) (void)printf(" %11s", "-");
  else if (isinf(x)) (void)printf(" %11s", "runs away");
  else (void)printf(" %11.3g", x);
}

static void print_table(const control_job *b, const comparison *k)
{
  const br_control_case *j = &k->ideal;
  (void)printf("rms of r - %s in %s, %g to %g s, samples of %g s; parameters wrong by +-%g %%:",
               b->plant.sys->states[b->tracked].name, b->plant.sys->states[b->tracked].unit,
               j->window[1] > j->window[0] ? j->window[0] : 0,
               j->window[1] > j->window[0] ? j->window[1] : j->t_end, j->sample, 100 * k->wrong.part);
  for (size_t i = 0; i < k->wrong.n; i++) (void)printf(" %s", k->wrong.names[i]);
  (void)printf("\n%-48s %11s %11s %11s %11s", "", "nominal", "worst", "combined", "hardest");
  if (k->what.samples) (void)printf(" %11s %11s %8s", "median", "95 %", "lost");
  (void)printf("\n");
  for (size_t i = 0; i < k->n; i++) {
    const br_control_score *s = &k->score[i];
    (void)printf("%-48.48s", k->list[i].name);
    number(s->nominal);
    number(s->worst);
    number(s->combined);
    number(s->hardest);
    if (k->what.samples) {
      char lost[32];
      number(s->median);
      number(s->high);
      (void)snprintf(lost, sizeof lost, "%zu/%zu", s->lost, s->drawn);
      (void)printf(" %8s", lost);
    }
    (void)printf("\n");
  }
  (void)printf(
      "worst: of %u corners. combined: friction parameters off together, all up or all down, with noise,\n"
      "|u| <= %g and a delay of %g s. hardest: the same in all %u corners of the friction parameters.\n",
      1u << k->wrong.n, k->what.limit, isnan(k->what.delay) ? j->sample : k->what.delay, 1u << k->nfriction);
  if (k->what.samples)
    (void)printf(
        "median, 95 %%: of %zu draws of all parameters, as in combined; lost: more error than r itself.\n",
        k->what.samples);
}

static void json_score(json *j, const char *key, double x)
{
  json_number(j, key, x); /* null: runs away, or not run */
}

static int print_json(const control_job *b, const comparison *k)
{
  char text[256];
  json j;
  json_init(&j);
  json_object(&j, NULL);
  json_array(&j, "uncertain");
  for (size_t i = 0; i < k->wrong.n; i++) json_text(&j, NULL, k->wrong.names[i]);
  json_end(&j);
  json_number(&j, "part", k->wrong.part);
  json_number(&j, "samples", (double)k->what.samples);
  json_number(&j, "seed", (double)k->what.seed);
  json_array(&j, "controllers");
  for (size_t i = 0; i < k->n; i++) {
    const br_control_score *s = &k->score[i];
    json_object(&j, NULL);
    json_text(&j, "name", k->list[i].name);
    json_text(&j, "controller", br_control_name((size_t)k->list[i].set.kind));
    json_bool(&j, "fits", !isnan(s->nominal));
    json_score(&j, "nominal", s->nominal);
    json_score(&j, "worst", s->worst);
    json_bool(&j, "worst_runs_away", isinf(s->worst));
    json_text(&j, "worst_corner", corner(k, s->worst_corner, 0, b->plant.mod, text, sizeof text));
    json_score(&j, "combined", s->combined);
    json_score(&j, "hardest", s->hardest);
    json_text(&j, "hardest_corner", corner(k, s->hardest_corner, 1, b->plant.mod, text, sizeof text));
    json_score(&j, "median", s->median);
    json_score(&j, "p95", s->high);
    json_number(&j, "lost", (double)s->lost);
    json_number(&j, "drawn", (double)s->drawn);
    json_number(&j, "rms_control", s->effort);
    json_end(&j);
  }
  json_end(&j);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

/* Names for the margin of a picture. */
static void shorten(const char *name, char *to, size_t room)
{
  static const char *const cut[][2] = {
      {"feedback linearisation, ", "f.l., "}, {"estimated", "est."}, {" (accelerometer)", ""}};
  size_t at = 0;
  while (*name && at + 1 < room) {
    size_t k = 0;
    while (k < 3 && strncmp(name, cut[k][0], strlen(cut[k][0])) != 0) k++;
    if (k == 3) {
      to[at++] = *name++;
      continue;
    }
    const int n = snprintf(to + at, room - at, "%s", cut[k][1]);
    at += n > 0 ? (size_t)n : 0;
    name += strlen(cut[k][0]);
  }
  to[at < room ? at : room - 1] = '\0';
}

/* One controller per line, its name at the left; what runs away stands at the right edge. */
static int draw(const control_job *b, const comparison *k)
{
  enum { SERIES = 4, LINES = 2 * MOST + SERIES };
  static const struct {
    const char *label;
    br_plot_kind kind;
  } style[SERIES] = {{"nominal", BR_PLOT_COLOURED(BR_PLOT_DISCS, 0)},
                     {"worst corner", BR_PLOT_COLOURED(BR_PLOT_SQUARES, 1)},
                     {"combined", BR_PLOT_COLOURED(BR_PLOT_TRIANGLES, 2)},
                     {"hardest", BR_PLOT_COLOURED(BR_PLOT_CIRCLES, 3)}};
  double x[SERIES][MOST], y[SERIES][MOST], bx[MOST][2], by[MOST][2], mx[MOST][2], my[MOST][2], lo = INFINITY,
                                                                                               hi = 0;
  char name[MOST][40];
  br_plot_line lines[LINES];
  size_t n = 0;
  br_err err;
  for (size_t i = 0; i < k->n; i++) {
    const br_control_score *s = &k->score[i];
    const double at[SERIES] = {s->nominal, s->worst, s->combined, s->hardest};
    for (int a = 0; a < SERIES; a++) {
      x[a][i] = at[a] > 0 ? at[a] : NAN;
      if (isfinite(x[a][i])) lo = fmin(lo, x[a][i]), hi = fmax(hi, x[a][i]);
      y[a][i] = (double)(i + 1) + 0.12 * (a - 1.5);
    }
  }
  if (!(hi > 0)) return cli_usage(b->call->command, "--plot: no controller fits: nothing to draw");
  const double edge = 10 * hi, left = lo * pow(lo / edge, 0.9);
  for (size_t i = 0; i < k->n; i++) {
    const br_control_score *s = &k->score[i];
    for (int a = 0; a < SERIES; a++)
      if (isinf(x[a][i])) x[a][i] = edge;
    bx[i][0] = left, bx[i][1] = lo / 2;
    by[i][0] = (double)i + 0.55, by[i][1] = (double)i + 1.45;
    my[i][0] = my[i][1] = (double)(i + 1);
    mx[i][0] = fmin(s->median, edge), mx[i][1] = fmin(s->high, edge);
    shorten(k->list[i].name, name[i], sizeof name[i]);
    const br_plot_line back = {bx[i], by[i], 2, name[i], BR_PLOT_COLOURED(BR_PLOT_REGION, 0)};
    lines[n++] = back;
    const br_plot_line draws = {mx[i], my[i], 2, NULL, BR_PLOT_COLOURED(BR_PLOT_THICK, 5)};
    if (s->drawn) lines[n++] = draws;
  }
  for (int a = 0; a < SERIES; a++) {
    const br_plot_line marks = {x[a], y[a], k->n, style[a].label, style[a].kind};
    lines[n++] = marks;
  }
  const br_plot_look look = {.x0 = left, .x1 = 2 * edge, .y0 = 0.3, .y1 = (double)k->n + 0.7, .xlog = 1};
  const br_plot_panel p = {"right edge: runs away; bars: Monte Carlo, median to 95 %",
                           "rms error",
                           "controller",
                           b->plant.sys->states[b->tracked].unit,
                           NULL,
                           lines,
                           n,
                           &look};
  const br_plot plot = {"Controllers over the same scenarios", &p, 1};
  return br_plot_write(control_option(b, CONTROL_O_PLOT)->text, &plot, &err)
             ? cli_failed(b->call->command, &err)
             : CLI_OK;
}

static int write_csv(const control_job *b, const comparison *k)
{
  static const char *const names[] = {"controller", "nominal", "worst", "combined", "hardest",
                                      "median",     "p95",     "lost",  "drawn",    "rms_control"};
  enum { N = sizeof names / sizeof names[0] };
  const char *path = control_option(b, CONTROL_O_CSV)->text, *unit = b->plant.sys->states[b->tracked].unit;
  const int to_stdout = bri_path_is_stdout(path);
  columns out;
  br_err err;
  if (!columns_create(&out, N, k->n, to_stdout)) return cli_no_memory(b->call->command);
  for (size_t i = 0; i < N; i++)
    columns_name(&out, i, names[i], "",
                 i >= 1 && i <= 6 ? unit
                 : i == N - 1     ? b->plant.sys->inputs[0].unit
                                  : "1");
  br_status st = to_stdout ? BR_OK : columns_open(&out, path, &err);
  for (size_t i = 0; i < k->n && !st; i++) {
    const br_control_score *s = &k->score[i];
    const double row[N] = {(double)i + 1, s->nominal, s->worst,        s->combined,      s->hardest,
                           s->median,     s->high,    (double)s->lost, (double)s->drawn, s->effort};
    memcpy(out.row, row, sizeof row);
    st = columns_push(&out, &err);
  }
  if (!st) st = to_stdout ? columns_print(&out, &err) : columns_close(&out, &err);
  columns_release(&out);
  return st ? cli_failed(b->call->command, &err) : CLI_OK;
}

static int compare(control_job *b, comparison *k)
{
  const cli_command *c = b->call->command;
  const opt_value *samples = control_option(b, CONTROL_O_SAMPLES);
  br_err err;
  int code = control_read_uncertain(b, &k->wrong);
  k->what = br_control_comparison_default();
  if (!code) code = control_threads(b, &k->what.threads);
  if (code) return code;
  if (samples->given &&
      !(samples->real >= 0 && samples->real <= 1e6 && floor(samples->real) == samples->real))
    return cli_usage(c, "--samples = %s is out of range: must be a whole number from 0 to 1e6",
                     samples->text);
  while (k->n + 1 < MOST && br_control_lineup(k->n, &k->list[k->n]))
    br_control_pace(&k->list[k->n++].set, b->run.sample);
  if (control_option(b, CONTROL_O_CONTROLLER)->given) {
    k->list[k->n].name = "as given";
    k->list[k->n].set = b->set;
    k->list[k->n++].set.limit = INFINITY; /* belongs to the combined scenario */
  }
  k->ideal = b->run;
  k->ideal.noise = NULL, k->ideal.noise_accel = 0, k->ideal.delay = 0;
  k->ideal.on_row = NULL, k->ideal.output_dt = 0;
  if (!(k->ideal.rtol > 0)) k->ideal.rtol = 1e-6; /* held inputs: three digits and more of an rms */
  k->what.job = &k->ideal;
  k->what.tracked = b->tracked;
  k->what.names = k->wrong.names, k->what.n = k->wrong.n, k->what.part = k->wrong.part;
  k->what.noise = b->run.noise, k->what.noise_accel = b->run.noise_accel;
  k->what.limit = b->limit;
  if (control_option(b, CONTROL_O_DELAY)->given) k->what.delay = b->run.delay;
  k->what.samples = samples->given ? (size_t)samples->real : 100;
  k->what.seed = b->run.seed;
  for (size_t i = 0; i < k->wrong.n; i++)
    k->nfriction += br_model_param(b->plant.mod, k->wrong.names[i]) != NULL;
  progress bar;
  amount_note(c, (double)k->n * (double)k->what.samples, "runs", 0.02);
  progress_start(&bar, !control_option(b, CONTROL_O_QUIET)->given);
  k->what.progress = control_progress, k->what.ctx = &bar;
  const br_status st = br_control_compare(&k->what, k->list, k->n, k->score, &err);
  progress_end(&bar);
  if (cli_stop || st == BR_INTERRUPTED) return cli_interrupted(c);
  if (st == BR_E_NAME || st == BR_E_RANGE || st == BR_E_ARG || st == BR_E_UNSUPPORTED)
    return cli_bad_input(c, &err);
  if (st) return cli_failed(c, &err);
  if (control_option(b, CONTROL_O_PLOT)->given) code = draw(b, k);
  if (!code && control_option(b, CONTROL_O_CSV)->given) code = write_csv(b, k);
  if (code) return code;
  if (control_option(b, CONTROL_O_JSON)->given) return print_json(b, k);
  const int table =
      control_option(b, CONTROL_O_CSV)->given && bri_path_is_stdout(control_option(b, CONTROL_O_CSV)->text);
  if (!control_option(b, CONTROL_O_QUIET)->given && !table) print_table(b, k);
  return CLI_OK;
}

int control_compare(control_job *b)
{
  comparison *k = calloc(1, sizeof *k);
  if (!k) return cli_no_memory(b->call->command);
  const int code = compare(b, k);
  free(k);
  return code;
}
