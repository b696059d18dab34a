/* SPDX-License-Identifier: Apache-2.0
 * cmd_simulate.c - bristle simulate: a mechanism with friction in time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/report.h"
#include "bristle/text.h"
#include "amount.h"
#include "cli.h"
#include "columns.h"
#include "json.h"
#include "outputs.h"
#include "plant.h"

enum {
  O_SYSTEM,
  O_MODEL,
  O_SET,
  O_INPUT,
  O_INIT,
  O_T_END,
  O_RTOL,
  O_ATOL,
  O_SOLVER,
  O_DT,
  O_OUTPUT_DT,
  O_EVENTS,
  O_CYCLE,
  O_THRESHOLD,
  O_CSV,
  O_HDF5,
  O_PLOT,
  O_JSON,
  O_QUIET,
  OPTIONS
};

static const char NO_THRESHOLD[] =
    "no threshold for the stick fraction: neither vp nor vs says which speed is slow; give --threshold V";

static const opt_row options[OPTIONS] = {
    [O_SYSTEM] = {"system", "NAME", OPT_TEXT, NULL, "mechanism; see 'bristle systems'"},
    [O_MODEL] = OPT_ROW_MODEL,
    [O_SET] = OPT_ROW_SET,
    [O_INPUT] = {"input", "[NAME:]SPEC", OPT_MANY, NULL, "drive an input; --set NAME=VALUE holds it instead"},
    [O_INIT] = {"init", "NAME=VALUE,...", OPT_LIST, NULL, "states at the start; zero where not given"},
    [O_T_END] = {"t-end", "T", OPT_REAL, "s", "end time; may be left out with --cycle"},
    [O_RTOL] = {"rtol", "X", OPT_REAL, "1",
                "relative tolerance; default 1e-13, for cvode 1e-9; ends where rounding begins"},
    [O_ATOL] = {"atol", "X", OPT_REAL, "1", "absolute tolerance of every state, in its unit; default 1e-20"},
    [O_SOLVER] = {"solver", "native|cvode|fixed", OPT_TEXT, NULL,
                  "native (default), SUNDIALS CVODE, or constant steps of --dt"},
    [O_DT] = {"dt", "H", OPT_REAL, "s", "step of --solver fixed; default 1 ms"},
    [O_OUTPUT_DT] = {"output-dt", "H", OPT_REAL, "s",
                     "time between rows of tables and pictures; default T/1000"},
    [O_EVENTS] = {"events", NULL, OPT_FLAG, NULL, "list every event (without it the first 1000)"},
    [O_CYCLE] = {"cycle", NULL, OPT_FLAG, NULL,
                 "find the cycle that the motion settles on (an equilibrium: exit 1, told) and measure it"},
    [O_THRESHOLD] =
        {"threshold", "V", OPT_REAL, "m/s",
         "speed below which the cycle's stick_fraction counts; default 0.01 vp, without vp vs/10"},
    [O_CSV] = OPT_ROW_CSV,
    [O_HDF5] = OPT_ROW_HDF5,
    [O_PLOT] = OPT_ROW_PLOT,
    [O_JSON] = OPT_ROW_JSON,
    [O_QUIET] = OPT_ROW_QUIET,
};

static const cli_example examples[] = {
    {"bristle simulate --system pulled_block --model lugre --set "
     "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1,vp=2 --cycle --json",
     "the stick-slip cycle of a block pulled at 2 m/s"},
    {"bristle simulate --system mass_spring --model dahl --input sine:1N,0.0159155Hz --t-end 188.5 --csv -",
     "a table of the motion on standard output"},
    {"bristle simulate --system mass_spring --model coulomb --set Fc=1,Fs=1.5 --input sine:4N,0.1Hz --t-end "
     "20 --events",
     "true stick: where it sticks and slips"},
    {NULL, NULL},
};

typedef struct {
  double t;
  br_event_type type;
  size_t index;
} event_row;

typedef struct {
  const cli_call *call;
  plant_job plant;
  br_solve_settings set;
  br_solver *solver;
  br_solve_stats stats;
  columns out;
  outputs to;
  event_row *events;
  size_t nevent, room, total;
  double *x, *F, *shown, *lo, *hi; /* at the end; extremes [nstate + forces] */
  int ran, has_cycle, no_memory;
  double t_end;
  br_energy energy;
  br_cycle cycle;
} job;

static const char *const TYPE[] = {"reversal", "stick", "slip", "element", "user"};

static const opt_value *option(const job *b, int k) { return &b->call->values[k]; }
static size_t nstate(const job *b) { return br_plant_nstate(b->plant.plant); }
static size_t nforce(const job *b) { return br_plant_ncontact(b->plant.plant); }

static int on_event(void *ctx, const br_event *ev)
{
  job *b = (job *)ctx;
  b->total++;
  if (b->nevent == b->room) {
    if (b->nevent >= 1000 && !option(b, O_EVENTS)->given) return 0;
    const size_t room = b->room ? 2 * b->room : 1000;
    event_row *more = realloc(b->events, room * sizeof *more);
    if (!more) return b->no_memory = 1;
    b->events = more, b->room = room;
  }
  const event_row row = {ev->t, ev->type, ev->index};
  b->events[b->nevent++] = row;
  return 0;
}

static int on_step(void *ctx, double t)
{
  (void)ctx, (void)t;
  return cli_stop;
}

static int check_call(job *b)
{
  const cli_command *c = b->call->command;
  static const int positive[] = {O_T_END, O_DT, O_OUTPUT_DT, O_RTOL, O_THRESHOLD};
  for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++) {
    const opt_value *v = option(b, positive[i]);
    if (v->given && !(v->real > 0))
      return cli_usage(c, "--%s = %s is out of range: must be > 0", options[positive[i]].name, v->text);
  }
  if (option(b, O_ATOL)->given && !(option(b, O_ATOL)->real >= 0))
    return cli_usage(c, "--atol = %s is out of range: must be >= 0", option(b, O_ATOL)->text);
  if (option(b, O_THRESHOLD)->given && !option(b, O_CYCLE)->given)
    return cli_usage(c, "--threshold is for the stick fraction of a cycle: add --cycle");
  const int code = outputs_check(c, &b->to);
  if (code) return code;
  b->set = br_solve_settings_default();
  const char *solver = option(b, O_SOLVER)->given ? option(b, O_SOLVER)->text : "native";
  if (strcmp(solver, "native") == 0) b->set.kind = BR_SOLVER_NATIVE;
  else if (strcmp(solver, "cvode") == 0) b->set.kind = BR_SOLVER_CVODE;
  else if (strcmp(solver, "fixed") == 0) b->set.kind = BR_SOLVER_FIXED;
  else return cli_usage(c, "--solver %s is unknown: native, cvode or fixed", solver);
  if (option(b, O_DT)->given && b->set.kind != BR_SOLVER_FIXED)
    return cli_usage(c, "--dt belongs to --solver fixed; rows of a table are spaced by --output-dt");
  if (option(b, O_DT)->given) b->set.dt = option(b, O_DT)->real;
  if (option(b, O_RTOL)->given) b->set.rtol = option(b, O_RTOL)->real;
  else if (b->set.kind == BR_SOLVER_CVODE) b->set.rtol = 1e-9; /* its methods end at order 5 */
  if (option(b, O_ATOL)->given) b->set.atol = option(b, O_ATOL)->real;
  b->set.energy = 1;
  b->set.extremes = b->set.kind == BR_SOLVER_NATIVE;
  b->set.on_event = on_event;
  b->set.on_step = on_step;
  b->set.ctx = b;
  return CLI_OK;
}

/* Name of force k, "" where a state already carries it (Dahl's state is its force). */
static void force_name(const job *b, size_t k, size_t size, char *buf)
{
  if (nforce(b) == 1) (void)snprintf(buf, size, "F");
  else (void)snprintf(buf, size, "F%zu", k + 1);
  if (br_plant_index(b->plant.plant, buf) >= 0) buf[0] = '\0';
}

static int name_columns(job *b, size_t rows)
{
  const br_system *s = b->plant.sys;
  const size_t n = nstate(b), nf = nforce(b);
  if (!columns_create(&b->out, 1 + s->nshown + n + nf, rows + 1, outputs_keep(&b->to)))
    return cli_no_memory(b->call->command);
  columns_name(&b->out, 0, "t", "", "s");
  for (size_t i = 0; i < s->nshown; i++) columns_name(&b->out, 1 + i, s->shown[i].name, "", s->shown[i].unit);
  for (size_t i = 0; i < n; i++)
    columns_name(&b->out, 1 + s->nshown + i, br_plant_state(b->plant.plant, i), "",
                 br_plant_unit(b->plant.plant, i));
  for (size_t k = 0; k < nf; k++) {
    char name[COLUMN_NAME];
    force_name(b, k, sizeof name, name);
    columns_name(&b->out, 1 + s->nshown + n + k, name[0] ? name : "F_contact", "",
                 s->flags & BR_SYSTEM_ROTARY ? "N m" : "N");
  }
  return CLI_OK;
}

static int push_row(job *b, double t)
{
  const br_system *s = b->plant.sys;
  const size_t n = nstate(b), nf = nforce(b), w = n + nf;
  double *to = b->out.row;
  br_err err;
  to[0] = t;
  br_solver_shown(b->solver, to + 1);
  memcpy(b->shown, to + 1, s->nshown * sizeof *to);
  br_solver_state(b->solver, b->x);
  br_solver_force(b->solver, b->F);
  memcpy(to + 1 + s->nshown, b->x, n * sizeof *to);
  memcpy(to + 1 + s->nshown + n, b->F, nf * sizeof *to);
  for (size_t i = 0; i < w && !b->set.extremes; i++) { /* solvers that do not watch: extremes of the rows */
    const double q = i < n ? b->x[i] : b->F[i - n];
    if (b->out.used == 0 || q < b->lo[i]) b->lo[i] = q;
    if (b->out.used == 0 || q > b->hi[i]) b->hi[i] = q;
  }
  return columns_push(&b->out, &err) ? cli_failed(b->call->command, &err) : CLI_OK;
}

/* Steps of a fixed size are known, for the others what the inputs ask for at the least. */
static void note_amount(const job *b)
{
  const cli_command *c = b->call->command;
  double turns = 0;
  for (size_t i = 0; i < PLANT_INPUTS; i++) turns += bri_signal_reversals(b->plant.signals[i], b->t_end);
  if (b->set.kind == BR_SOLVER_FIXED) amount_note(c, b->t_end / b->set.dt, "steps", 1e-7);
  else amount_note(c, turns, "reversals", 1e-5);
}

static int simulate(job *b)
{
  const cli_command *c = b->call->command;
  const double dt = option(b, O_OUTPUT_DT)->given ? option(b, O_OUTPUT_DT)->real : b->t_end / 1000;
  const double count = ceil(b->t_end / dt - 1e-9);
  br_err err;
  if (!(count < 1e8))
    return cli_usage(c, "--output-dt = %.9g s gives %.3g rows up to --t-end: too many", dt, count);
  if (b->set.kind == BR_SOLVER_FIXED && !(b->t_end / b->set.dt < 0x1p53))
    return cli_usage(c, "--dt = %.9g s gives %.3g steps up to --t-end: at most 9e15 are possible", b->set.dt,
                     b->t_end / b->set.dt);
  const size_t rows = (size_t)count;
  note_amount(b);
  int code = name_columns(b, rows);
  if (!code) code = outputs_open(b->call, &b->to, b->plant.params, &b->out);
  if (code) return code;
  b->set.t_stop = b->t_end;
  br_status st = br_solver_create(b->plant.plant, &b->set, &b->solver, &err);
  if (st) return cli_bad_input(c, &err);
  st = br_solver_start(b->solver, 0, b->plant.x0, &err);
  if (st) return cli_bad_input(c, &err);
  code = push_row(b, 0);
  const int tables = outputs_any_rows(&b->to) || !b->set.extremes;
  for (size_t i = tables ? 1 : rows; i <= rows && !code; i++) {
    st = br_solver_advance(b->solver, i == rows ? b->t_end : (double)i * dt, NULL, &err);
    if (b->no_memory) return cli_no_memory(c);
    if (cli_stop || st == BR_INTERRUPTED) return cli_interrupted(c);
    if (st) return cli_failed(c, &err);
    code = push_row(b, br_solver_time(b->solver));
  }
  if (code) return code;
  b->stats = br_solver_stats(b->solver);
  b->energy = br_solver_energy(b->solver);
  if (b->set.extremes) br_solver_extremes(b->solver, b->lo, b->hi);
  b->ran = 1;
  return CLI_OK;
}

/* Section and threshold of the cycle: the pulling velocity where there is one, otherwise the Stribeck
 * velocity. */
static int find_cycle(job *b)
{
  br_cycle_settings cs = br_cycle_settings_default();
  br_solve_settings set = b->set;
  br_err err;
  double vs = 0;
  size_t count = 0;
  for (size_t i = 0; i < b->plant.sys->ninput; i++)
    if (strcmp(b->plant.sys->inputs[i].name, "vp") == 0 && !b->plant.signals[i]) {
      cs.level = b->plant.drives[i].value;
      cs.threshold = 0.01 * fabs(cs.level);
    }
  if (!(cs.threshold > 0) && br_model_param(b->plant.mod, "vs") &&
      !br_params_get(b->plant.params, "model.vs", 1, &vs, &count, &err))
    cs.threshold = vs / 10;
  if (option(b, O_THRESHOLD)->given) cs.threshold = option(b, O_THRESHOLD)->real;
  if (set.kind != BR_SOLVER_NATIVE) return cli_usage(b->call->command, "--cycle needs --solver native");
  set.ctx = NULL;
  set.t_stop = 0;
  if (b->t_end > 0) cs.t_transient = b->t_end;
  const size_t w = nstate(b) + nforce(b); /* behind the extremes of the run */
  const br_status st =
      br_cycle_find(b->plant.plant, &set, &cs, b->plant.x0, &b->cycle, b->x, b->lo + w, b->hi + w, &err);
  if (cli_stop) return cli_interrupted(b->call->command);
  if (st == BR_E_UNSUPPORTED) return cli_bad_input(b->call->command, &err);
  if (st) return cli_failed(b->call->command, &err);
  b->has_cycle = 1;
  if (!b->ran && outputs_any_rows(&b->to)) { /* without --t-end the rows show one period of the cycle */
    memcpy(b->plant.x0, b->x, nstate(b) * sizeof *b->x);
    b->t_end = b->cycle.period;
    const int code = simulate(b);
    if (code) return code;
  }
  b->stats.steps += b->cycle.stats.steps, b->stats.rejected += b->cycle.stats.rejected;
  b->stats.rhs += b->cycle.stats.rhs, b->stats.jacobians += b->cycle.stats.jacobians;
  b->stats.seconds += b->cycle.stats.seconds, b->stats.rounded += b->cycle.stats.rounded;
  return CLI_OK;
}

static void json_final(const job *b, json *j)
{
  const br_system *s = b->plant.sys;
  char name[COLUMN_NAME] = "";
  json_object(j, "final");
  for (size_t i = 0; i < s->nshown; i++) json_number(j, s->shown[i].name, b->shown[i]);
  for (size_t i = 0; i < nstate(b); i++) json_number(j, br_plant_state(b->plant.plant, i), b->x[i]);
  for (size_t k = 0; k < nforce(b); k++) {
    force_name(b, k, sizeof name, name);
    if (name[0]) json_number(j, name, b->F[k]);
  }
  json_end(j);
  json_object(j, "extremes");
  for (size_t i = 0; i < nstate(b) + nforce(b); i++) {
    const char *key = i < nstate(b) ? br_plant_state(b->plant.plant, i) : name;
    if (i >= nstate(b)) force_name(b, i - nstate(b), sizeof name, name);
    if (!key[0]) continue;
    json_object(j, key);
    json_number(j, "min", b->lo[i]);
    json_number(j, "max", b->hi[i]);
    json_end(j);
  }
  json_end(j);
  json_array(j, "events");
  for (size_t i = 0; i < b->nevent; i++) {
    const int iv = br_plant_velocity(b->plant.plant, b->events[i].index);
    json_object(j, NULL);
    json_number(j, "t", b->events[i].t);
    json_text(j, "type", TYPE[b->events[i].type]);
    json_text(j, "state", iv >= 0 ? br_plant_state(b->plant.plant, (size_t)iv) : NULL);
    json_end(j);
  }
  json_end(j);
  json_number(j, "event_count", (double)b->total);
  json_object(j, "energy");
  const int known = b->set.energy;
  json_number(j, "work_in", known ? b->energy.work_in : NAN);
  json_number(j, "stored", known ? b->energy.stored : NAN);
  json_number(j, "dissipated", known ? b->energy.dissipated : NAN);
  json_number(j, "friction_work", known ? b->energy.friction : NAN);
  json_number(j, "residual", known ? b->energy.residual : NAN);
  json_end(j);
}

static void json_cycle(const job *b, json *j)
{
  const size_t w = nstate(b) + nforce(b);
  const double *lo = b->lo + w, *hi = b->hi + w;
  json_object(j, "cycle");
  json_number(j, "period", b->cycle.period);
  for (size_t i = 0; i < w; i++) {
    char name[COLUMN_NAME] = "", key[COLUMN_NAME + 8];
    if (i < nstate(b)) (void)snprintf(name, sizeof name, "%s", br_plant_state(b->plant.plant, i));
    else force_name(b, i - nstate(b), sizeof name, name);
    if (!name[0]) continue;
    (void)snprintf(key, sizeof key, "%s_min", name);
    json_number(j, key, lo[i]);
    (void)snprintf(key, sizeof key, "%s_max", name);
    json_number(j, key, hi[i]);
  }
  json_number(j, "friction_work", b->cycle.friction_work);
  json_number(j, "stick_fraction", b->cycle.threshold > 0 ? b->cycle.stick_fraction : NAN);
  json_number(j, "threshold", b->cycle.threshold > 0 ? b->cycle.threshold : NAN);
  if (!(b->cycle.threshold > 0)) json_text(j, "note", NO_THRESHOLD);
  json_number(j, "residual", b->cycle.residual);
  json_number(j, "input_periods", (double)b->cycle.periods);
  json_number(j, "returns", (double)b->cycle.returns);
  json_array(j, "multipliers");
  for (size_t i = 0; i < b->cycle.multipliers; i++) {
    const double pair[2] = {b->cycle.re[i], b->cycle.im[i]};
    json_numbers(j, NULL, pair, 2);
  }
  json_end(j);
  json_end(j);
}

static int print_json(const void *of)
{
  const job *b = (const job *)of;
  json j;
  json_init(&j);
  json_object(&j, NULL);
  if (b->ran) json_final(b, &j);
  if (b->has_cycle) json_cycle(b, &j);
  json_object(&j, "stats");
  json_number(&j, "steps", (double)b->stats.steps);
  json_number(&j, "rejected", (double)b->stats.rejected);
  json_number(&j, "rhs", (double)b->stats.rhs);
  json_number(&j, "jacobians", (double)b->stats.jacobians);
  json_number(&j, "seconds", b->stats.seconds);
  json_number(&j, "rtol", b->set.kind == BR_SOLVER_FIXED ? NAN : b->set.rtol);
  json_number(&j, "atol", b->set.kind == BR_SOLVER_FIXED ? NAN : b->set.atol);
  json_number(&j, "rounded", (double)b->stats.rounded);
  json_end(&j);
  json_end(&j);
  return json_print(&j) ? CLI_OK : CLI_FAILED;
}

/* Extremes are those of the motion, not of the rows. */
static void print_table(const job *b)
{
  const br_system *s = b->plant.sys;
  (void)printf("  %-12s %-6s %17s %17s %17s\n", "quantity", "unit", "min", "max", "last");
  for (size_t i = 0; i < s->nshown; i++)
    (void)printf("  %-12s %-6s %17s %17s %17.9g\n", s->shown[i].name, s->shown[i].unit, "", "", b->shown[i]);
  for (size_t i = 0; i < nstate(b) + nforce(b); i++) {
    char name[COLUMN_NAME] = "";
    if (i < nstate(b)) (void)snprintf(name, sizeof name, "%s", br_plant_state(b->plant.plant, i));
    else force_name(b, i - nstate(b), sizeof name, name);
    const char *unit = i < nstate(b)                 ? br_plant_unit(b->plant.plant, i)
                       : s->flags & BR_SYSTEM_ROTARY ? "N m"
                                                     : "N";
    if (name[0])
      (void)printf("  %-12s %-6s %17.9g %17.9g %17.9g\n", name, unit, b->lo[i], b->hi[i],
                   i < nstate(b) ? b->x[i] : b->F[i - nstate(b)]);
  }
}

static void print_summary(const void *of)
{
  const job *b = (const job *)of;
  if (b->ran) {
    (void)printf("%s with %s to t = %.9g s: %zu steps (%zu rejected), %zu events, %.3g s\n",
                 b->plant.sys->name, b->plant.mod->name, b->t_end, b->stats.steps, b->stats.rejected,
                 b->total, b->stats.seconds);
    print_table(b);
    if (b->set.energy)
      (void)printf("  work in %.9g J, stored %.9g J, dissipated %.9g J, residual %.3g J\n", b->energy.work_in,
                   b->energy.stored, b->energy.dissipated, b->energy.residual);
  }
  for (size_t i = 0; i < b->nevent && option(b, O_EVENTS)->given; i++)
    (void)printf("  t = %.12g s  %s\n", b->events[i].t, TYPE[b->events[i].type]);
  if (b->has_cycle) {
    const size_t w = nstate(b) + nforce(b);
    const double *lo = b->lo + w, *hi = b->hi + w;
    (void)printf("cycle: period %.12g s, friction work %.9g J, ", b->cycle.period, b->cycle.friction_work);
    if (b->cycle.threshold > 0) (void)printf("stick fraction %.9g\n", b->cycle.stick_fraction);
    else (void)printf("%s\n", NO_THRESHOLD);
    for (size_t i = 0; i < nstate(b); i++)
      (void)printf("  %-8s from %.12g to %.12g\n", br_plant_state(b->plant.plant, i), lo[i], hi[i]);
    if (b->cycle.multipliers)
      (void)printf("  it attracts: largest multiplier %.3g, %d return%s to the section\n",
                   hypot(b->cycle.re[0], b->cycle.im[0]), b->cycle.returns, b->cycle.returns > 1 ? "s" : "");
  }
}

static int draw(const job *b)
{
  const br_system *s = b->plant.sys;
  const size_t first = 1, n = b->out.n - 1 < 4 ? b->out.n - 1 : 4;
  br_plot_line lines[4];
  br_plot_panel panels[4];
  char title[128];
  br_err err;
  for (size_t i = 0; i < n; i++) {
    const column *y = &b->out.list[first + i];
    const br_plot_line line = {b->out.list[0].data, y->data, b->out.used, NULL, BR_PLOT_LINE};
    lines[i] = line;
    const br_plot_panel panel = {NULL, "time t", y->name, "s", y->unit, &lines[i], 1, NULL};
    panels[i] = panel;
  }
  (void)snprintf(title, sizeof title, "%s with %s", s->name, b->plant.mod->name);
  const br_plot plot = {title, panels, n};
  return br_plot_write(option(b, O_PLOT)->text, &plot, &err) ? cli_failed(b->call->command, &err) : CLI_OK;
}

static int work(job *b)
{
  const cli_command *c = b->call->command;
  int code = check_call(b);
  if (!code)
    code = plant_setup(c, option(b, O_SYSTEM), option(b, O_MODEL), option(b, O_SET), option(b, O_INPUT),
                       option(b, O_INIT), &b->plant);
  if (code) return code;
  b->t_end = option(b, O_T_END)->given ? option(b, O_T_END)->real : 0;
  if (!(b->t_end > 0) && !option(b, O_CYCLE)->given) {
    b->t_end = b->plant.t_natural;
    if (!(b->t_end > 0)) return cli_usage(c, "--t-end T is missing");
  }
  const size_t w = nstate(b) + nforce(b);
  b->x = calloc(5 * w + b->plant.sys->nshown + 1, sizeof *b->x);
  if (!b->x) return cli_no_memory(c);
  b->F = b->x + nstate(b), b->lo = b->x + w, b->hi = b->lo + 2 * w, b->shown = b->hi + 2 * w;
  if (b->t_end > 0) code = simulate(b);
  if (!code && option(b, O_CYCLE)->given) code = find_cycle(b);
  if (!code && b->ran && option(b, O_PLOT)->given) code = draw(b);
  if (!code) code = outputs_close(b->call, &b->out);
  return code ? code : outputs_print(b->call, &b->to, &b->out, print_json, print_summary, b);
}

static int run(const cli_call *call)
{
  job b;
  memset(&b, 0, sizeof b);
  b.call = call;
  b.to = (outputs){option(&b, O_CSV), option(&b, O_HDF5), option(&b, O_PLOT), option(&b, O_JSON),
                   option(&b, O_QUIET)};
  const int code = work(&b);
  columns_release(&b.out);
  br_solver_destroy(b.solver);
  plant_release(&b.plant);
  free(b.events);
  free(b.x);
  return code;
}

const cli_command cli_simulate = {
    "simulate",
    "--system NAME --model NAME",
    "a mechanism with friction in time",
    "Moves the mechanism under its inputs. Velocity reversals, break-away and slip points are located, and "
    "the "
    "integration restarts there; nothing is smoothed. With --cycle the cycle that the motion settles on is "
    "found by "
    "Newton's method on its return map and measured over one period.\n\n"
    "JSON: {final: {state: value}, extremes: {state: {min, max}}, events: [{t, type, state}], event_count, "
    "energy: "
    "{work_in, stored, dissipated, friction_work, residual}, cycle: {period, NAME_min, NAME_max, "
    "friction_work, "
    "stick_fraction, threshold, residual, input_periods, returns, multipliers: [[re, im]]}, stats: {steps, "
    "rejected, "
    "rhs, "
    "jacobians, seconds, rtol, atol, rounded}}.",
    options,
    OPTIONS,
    0,
    examples,
    1,
    run,
};
