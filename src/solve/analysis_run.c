/* SPDX-License-Identifier: Apache-2.0
 * analysis_run.c - 'simulate', the motion: rows of the table, events, extremes, energy, state at the end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis_slope.h"
#include "signal/reversals.h"
#include "base/alloc.h"
#include "text/stop.h"
#include "param/turns.h"

enum { LISTED = 1000, IN_TABLE = 100000, MANY = 500 }; /* events kept without being asked for; worth a word */

static const char *const TYPE[BRI_ANSWER_TYPES] = {"reversal", "stick", "slip", "element", "user"};

/* The same message under another code. */
static br_status told(br_status code, br_err *err)
{
  if (err) err->code = code;
  return code;
}

/* ---- what the solver reports ---- */

/* So many events so early that the rest takes long: how many there will be about. */
static void note_many(const bri_answer *b, double t)
{
  char text[240];
  if (!(t > 0 && t < 0.5 * b->t_end)) return;
  (void)snprintf(
      text, sizeof text,
      "note: %d events up to t = %.3g s of %.4g s, about %.2g in all: each is located and takes its "
      "time; %st-end, less travel%s make it short",
      MANY, t, b->t_end, MANY * b->t_end / t, br_job_dash(b->job),
      b->plant && br_job_model(b->job)->flags & BR_MODEL_JUMPS ? ", or sites further apart (states of "
                                                                 "this model jump from site to site)"
                                                               : "");
  br_sink_note(b->out, text);
}

static int on_event(void *ctx, const br_event *ev)
{
  bri_answer *b = ctx;
  b->count[ev->type]++;
  if (++b->seen == MANY) note_many(b, ev->t);
  if (b->nevent == b->most) return 0;
  bri_answer_event *more = bri_grown(b->events, b->nevent, &b->room, sizeof *more);
  if (!more) return b->no_memory = 1;
  b->events = more;
  bri_answer_event *e = &b->events[b->nevent++];
  *e = (bri_answer_event){ev->t, ev->type, ev->index, b->nx, NAN};
  if (ev->type == BR_EVENT_SLIP && bri_is_true_stick(b->plant)) e->F = bri_breakaway(b->plant, ev);
  for (size_t i = 0; ev->type == BR_EVENT_USER && i < b->nstate; i++) {
    double *x = bri_grown(b->event_x, b->nx, &b->xroom, sizeof *x);
    if (!x) return b->no_memory = 1;
    b->event_x = x;
    b->event_x[b->nx++] = ev->x[i];
  }
  if (b->slope) bri_slope_event(b, e, ev);
  return 0;
}

static int on_step(void *ctx, double t)
{
  const bri_answer *b = ctx;
  if (b->out->progress) b->out->progress(b->out->ctx, b->t_end > 0 ? fmin(t / b->t_end, 1) : 0);
  return bri_stopped(&b->out->stop);
}

/* ---- names ---- */

static void name(bri_answer *b, size_t i, const char *text, const char *more, const char *unit)
{
  (void)snprintf(b->names[i], BRI_ANSWER_NAME, "%s%s", text, more);
  b->columns[i] = (br_column){b->names[i], unit, NULL};
}

/* Does one of the first n columns have this name? */
static int is_taken(const bri_answer *b, size_t n, const char *text)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(b->names[i], text) == 0) return 1;
  return 0;
}

/* Dahl's state is its force, driven_block is driven by one: two columns must not have one name. */
static void name_columns(bri_answer *b)
{
  const br_system *s = b->sys;
  size_t n = 0;
  name(b, n++, "t", "", "s");
  for (size_t i = 0; i < b->nlead; i++) name(b, n++, s->shown[i].name, "", s->shown[i].unit);
  for (size_t i = 0; i < b->nstate; i++)
    name(b, n++, br_plant_state(b->plant, i), "", br_plant_unit(b->plant, i));
  for (size_t k = 0; k < b->nforce; k++) {
    char text[24] = "F";
    if (b->nforce > 1) (void)snprintf(text, sizeof text, "F%zu", k + 1);
    name(b, n, text, is_taken(b, n, text) ? "_contact" : "", bri_force_unit(s, k / (size_t)s->axes));
    n++;
  }
  for (size_t i = 0; i < b->ninput; i++, n++)
    name(b, n, s->inputs[i].name, is_taken(b, n, s->inputs[i].name) ? "_in" : "", s->inputs[i].unit);
  for (size_t i = b->nlead; i < b->nshown; i++) name(b, n++, s->shown[i].name, "", s->shown[i].unit);
  static const char *const ENERGY[] = {"work_in", "stored", "dissipated", "friction_work"};
  for (size_t i = 0; i < b->nenergy; i++) name(b, n++, ENERGY[i], "", "J");
}

br_status bri_answer_prepare(bri_answer *b, br_err *err)
{
  b->plant = br_job_plant(b->job);
  b->sys = br_job_system(b->job);
  b->held = br_params_block(br_job_params(b->job), "input");
  b->nshown = b->sys->nshown;
  b->nlead = b->sys->nrows ? 0 : b->nshown;
  b->nstate = br_plant_nstate(b->plant);
  b->nforce = br_plant_ncontact(b->plant);
  b->ninput = br_job_inputs(b->job);
  b->nenergy = br_job_flag(b->job, "measures") ? 4 : 0;
  b->ncol = 1 + b->nshown + b->nstate + b->nforce + b->ninput + b->nenergy;
  const size_t w = b->nstate + b->nforce;
  b->names = bri_calloc(b->ncol, sizeof *b->names);
  b->columns = bri_calloc(b->ncol, sizeof *b->columns);
  const bri_share parts[] = {{&b->row, b->ncol},       {&b->lo, w},        {&b->hi, w},
                             {&b->x, b->nstate},       {&b->window.lo, w}, {&b->window.hi, w},
                             {&b->shown_lo, b->nshown}};
  if (!bri_shares(parts, sizeof parts / sizeof parts[0]) || !b->names || !b->columns)
    return bri_no_memory(err, "simulate");
  memcpy(b->x, br_job_start(b->job, NULL), b->nstate * sizeof *b->x);
  b->most = br_job_flag(b->job, "events") ? (size_t)-1 : br_sink_wants(b->out, "events") ? IN_TABLE : LISTED;
  b->set.on_event = on_event;
  b->set.on_step = on_step;
  b->set.ctx = b;
  name_columns(b);
  const br_status st = bri_user_events_read(b->job, &b->user, err);
  if (st) return st;
  bri_user_events_set(b);
  const br_status opened = bri_measures_open(b, err);
  return opened ? opened : bri_answer_measured(b, err);
}

void bri_answer_release(bri_answer *b)
{
  br_solver_destroy(b->solver);
  bri_contacts_free(b);
  bri_free(b->names);
  bri_free(b->columns);
  bri_free(b->row);
  bri_free(b->events);
  bri_free(b->event_x);
  bri_user_events_free(b->user);
  bri_free(b->map.at);
  bri_free(b->measures);
  bri_measured_close(&b->measured);
}

/* ---- rows ---- */

br_status bri_answer_rows(const br_job *job, double t_end, double *dt, double *rows, br_err *err)
{
  const double step = br_job_number(job, "dt");
  *dt = br_job_given(job, "output-dt") ? br_job_number(job, "output-dt") : t_end / 1000;
  *rows = ceil(t_end / *dt - 1e-9);
  if (!(*rows < 1e8))
    return bri_fail(err, BR_E_RANGE, "--output-dt = %.9g s gives %.3g rows up to --t-end: too many", *dt,
                    *rows);
  if (strcmp(br_job_text(job, "solver"), "fixed") == 0 && !(t_end / step < 0x1p53))
    return bri_fail(err, BR_E_RANGE,
                    "--dt = %.9g s gives %.3g steps up to --t-end: at most 9e15 are possible", step,
                    t_end / step);
  return BR_OK;
}

/* Steps of a fixed size are known, for the others what the inputs ask for at the least. */
static void tell_amount(const bri_answer *b)
{
  double turns = 0;
  for (size_t k = 0; k < b->ninput; k++) turns += bri_signal_reversals(br_job_input(b->job, k), b->t_end);
  if (b->set.kind == BR_SOLVER_FIXED) br_sink_amount(b->out, b->t_end / b->set.dt, "steps", 1e-7);
  else br_sink_amount(b->out, turns, "reversals", 1e-5);
}

static br_status put_row(bri_answer *b, int first, br_err *err)
{
  const double t = br_solver_time(b->solver);
  double *states = b->row + bri_answer_first(b), *inputs = states + b->nstate + b->nforce,
         *shown = b->row + bri_answer_shown(b);
  b->row[0] = t;
  br_solver_shown(b->solver, shown);
  br_solver_state(b->solver, states);
  br_solver_force(b->solver, states + b->nstate);
  for (size_t i = 0; i < b->nshown; i++) b->shown_lo[i] = first ? shown[i] : fmin(b->shown_lo[i], shown[i]);
  for (size_t k = 0; k < b->ninput; k++) {
    const br_signal *in = br_job_input(b->job, k);
    inputs[k] = in ? br_signal_value(in, t) : b->held ? b->held[k] : b->sys->inputs[k].def;
  }
  for (size_t i = 0; i < b->nstate + b->nforce && !b->set.extremes;
       i++) { /* nobody watches: those of the rows */
    if (first || states[i] < b->lo[i]) b->lo[i] = states[i];
    if (first || states[i] > b->hi[i]) b->hi[i] = states[i];
  }
  if (b->nenergy) {
    const br_energy e = br_solver_energy(b->solver);
    double *last = b->row + b->ncol - b->nenergy;
    last[0] = e.work_in, last[1] = e.stored, last[2] = e.dissipated, last[3] = e.friction;
  }
  bri_measures_row(b);
  bri_contacts_row(b);
  bri_window_row(b);
  bri_map_row(b);
  bri_answer_compare(b);
  return br_put_row(b->out, b->row, err);
}

static br_status walk(bri_answer *b, double dt, size_t rows, br_err *err)
{
  const int all = br_sink_wants(b->out, "simulate") || b->contacts || !b->set.extremes || b->sys->nlimits ||
                  b->map.at || b->measures || b->measured.record || b->window.from < b->window.to;
  br_status st = put_row(b, 1, err);
  for (size_t i = all ? 1 : rows; i <= rows && !st; i++) {
    st = br_solver_advance(b->solver, i == rows ? b->t_end : (double)i * dt, NULL, err);
    if (b->no_memory) return bri_no_memory(err, "simulate");
    if (st == BR_E_UNSUPPORTED) st = told(BR_E_CONVERGE, err); /* met on the way, not in the question */
    if (!st) st = put_row(b, 0, err);
    if (!st && i % 64 == 0) st = br_sink_alive(b->out, (double)i / (double)rows, err);
  }
  return st;
}

/* ---- what is left of it ---- */

void bri_answer_put(const bri_answer *b, size_t i, double x, const char *path)
{
  const size_t forces = bri_answer_first(b) + b->nstate, n = strlen(b->names[i]);
  const int twice = i >= forces && n > 8 && strcmp(b->names[i] + n - 8, "_contact") == 0;
  const char *gap = strchr(path, '*');
  char full[2 * BRI_ANSWER_NAME];
  /* names of states may have dots: in quotes they are one part of the path */
  (void)snprintf(full, sizeof full, "%.*s%s%s", (int)(gap - path), path, b->names[i], gap + 1);
  const br_value v = {isnan(x) && !b->slope ? BR_VALUE_NULL
                      : twice               ? BR_VALUE_ASIDE
                                            : BR_VALUE_NUMBER,
                      x, NULL, b->columns[i].unit};
  br_put_value(b->out, &v, full);
}

static void put_ends(const bri_answer *b)
{
  const size_t first = bri_answer_first(b), end = first + b->nstate + b->nforce;
  br_put(b->out, BR_VALUE_OBJECT, 0, "final");
  for (size_t i = 1; i < end; i++) bri_answer_put(b, i, b->row[i], "final.'*'");
  for (size_t i = bri_answer_shown(b); !b->nlead && i < b->ncol - b->nenergy; i++)
    bri_answer_put(b, i, b->row[i], "final.'*'");
  br_put(b->out, BR_VALUE_OBJECT, 0, "extremes");
  for (size_t i = first; i < end; i++) {
    bri_answer_put(b, i, b->lo[i - first], "extremes.'*'.min");
    bri_answer_put(b, i, b->hi[i - first], "extremes.'*'.max");
  }
}

/* A mechanism that nobody moves is most often a forgotten input. */
static void note_rest(const bri_answer *b)
{
  char text[200];
  size_t n = 0;
  const double *start = br_job_start(b->job, &n);
  for (size_t k = 0; k < b->sys->ninput; k++)
    if (br_job_input(b->job, k) || br_params_given(br_job_params(b->job), b->sys->inputs[k].name)) return;
  for (size_t i = 0; i < n; i++)
    if (start[i] != 0) return;
  for (size_t k = 0; k < b->sys->ninput; k++)
    if (b->sys->inputs[k].def != 0 || b->sys->clock) return;
  if (b->sys->ninput == 0) return;
  const br_system_input *in = &b->sys->inputs[0];
  (void)snprintf(
      text, sizeof text,
      "note: nothing moves %s: its input %s (%s) is %g %s; %sset %s=VALUE or %sinput %s:SPEC drives it",
      b->sys->name, in->name, in->doc, in->def, in->unit, br_job_dash(b->job), in->name, br_job_dash(b->job),
      in->name);
  br_sink_note(b->out, text);
}

/* What the mechanism shows fell below a limit: its equations went on, the real one would not have. */
static void put_warnings(const bri_answer *b)
{
  size_t n = 0;
  br_put(b->out, BR_VALUE_LIST, 0, "warnings");
  for (size_t k = 0; k < b->sys->nlimits; k++) {
    const br_system_limit *l = &b->sys->limits[k];
    for (size_t i = 0; i < b->nshown; i++) {
      if (strcmp(b->sys->shown[i].name, l->name) != 0 || !(b->shown_lo[i] < l->least)) continue;
      char text[240];
      (void)snprintf(text, sizeof text, "%s falls to %.4g %s: %.160s", l->name, b->shown_lo[i],
                     b->sys->shown[i].unit, l->text);
      br_put_text(b->out, text, "warnings.%zu", n++);
    }
  }
}

static void put_user_event(const bri_answer *b, size_t i)
{
  const bri_answer_event *e = &b->events[i];
  br_put_text(b->out, bri_user_event_text(b, e->contact), "events.%zu.event", i);
  for (size_t k = 0; k < b->nstate; k++)
    br_put_number(b->out, br_plant_unit(b->plant, k), b->event_x[e->at + k], "events.%zu.state.'%s'", i,
                  br_plant_state(b->plant, k));
}

/* How long true-stick contacts held, and with which force each broke away: from what is kept of the events.
 * A contact whose first event is a slip has held from the start. */
static void put_sticks(const bri_answer *b)
{
  size_t n = 0;
  if (!bri_is_true_stick(b->plant) || !(b->count[BR_EVENT_STICK] + b->count[BR_EVENT_SLIP])) return;
  br_put(b->out, BR_VALUE_LIST, 0, "sticks");
  for (size_t c = 0; c < b->nforce; c++) {
    double from = 0;
    for (size_t i = 0; i < b->nevent; i++) {
      const bri_answer_event *e = &b->events[i];
      if (e->contact != c || (e->type != BR_EVENT_STICK && e->type != BR_EVENT_SLIP)) continue;
      if (e->type == BR_EVENT_STICK) from = e->t;
      if (e->type != BR_EVENT_SLIP || n >= LISTED) continue;
      br_put_number(b->out, "1", b->slope ? 0 : (double)c + 1, "sticks.%zu.contact", n);
      br_put_number(b->out, "s", from, "sticks.%zu.from", n);
      br_put_number(b->out, "s", e->t, "sticks.%zu.to", n);
      br_put_number(b->out, bri_force_unit(b->sys, e->contact), e->F, "sticks.%zu.breakaway", n++);
    }
  }
}

/* The velocity that contact k reverses, by name; -1 where it is not a state, or also that of another contact.
 * */
static int own_velocity(const br_plant *p, size_t k)
{
  const int v = br_plant_velocity(p, k);
  for (size_t j = 0; j < br_plant_ncontact(p); j++)
    if (j != k && br_plant_velocity(p, j) == v) return -1;
  return v;
}

static void put_events(const bri_answer *b)
{
  const size_t n = br_job_flag(b->job, "events") || b->nevent < LISTED ? b->nevent : LISTED;
  size_t total = 0;
  br_put(b->out, BR_VALUE_LIST, 0, "events");
  for (size_t i = 0; i < n; i++) {
    const int v = own_velocity(b->plant, b->events[i].contact);
    br_put_number(b->out, "s", b->events[i].t, "events.%zu.t", i);
    br_put_text(b->out, TYPE[b->events[i].type], "events.%zu.type", i);
    if (b->events[i].type == BR_EVENT_USER) {
      put_user_event(b, i);
      continue;
    }
    char contact[32];
    (void)snprintf(contact, sizeof contact, "contact%zu", b->events[i].contact + 1);
    br_put_text(b->out, v >= 0 ? br_plant_state(b->plant, (size_t)v) : contact, "events.%zu.state", i);
  }
  for (size_t k = 0; k < BRI_ANSWER_TYPES; k++) total += b->slope ? 0 : b->count[k];
  br_put_number(b->out, "1", (double)total, "event_count");
  for (size_t k = 0; k < BRI_ANSWER_TYPES; k++)
    if (k != BR_EVENT_USER || b->user)
      br_put_number(b->out, "1", b->slope ? 0 : (double)b->count[k], "event_types.%s", TYPE[k]);
}

static void put_energy(const bri_answer *b)
{
  const br_energy e = b->slope ? b->slope->energy : br_solver_energy(b->solver);
  br_put_number(b->out, "J", e.work_in, "energy.work_in");
  br_put_number(b->out, "J", e.stored, "energy.stored");
  br_put_number(b->out, "J", e.dissipated, "energy.dissipated");
  br_put_number(b->out, "J", e.friction, "energy.friction_work");
  br_put_number(b->out, "J", e.residual, "energy.residual");
}

static br_status put_event_table(const bri_answer *b, br_err *err)
{
  static const br_column COLUMNS[] = {{"t", "s"}, {"type", "1"}};
  const br_table_head head = {"events", BR_TABLE_FILE, 2, COLUMNS, b->nevent};
  if (!b->nevent || !br_sink_wants(b->out, "events")) return BR_OK;
  br_status st = br_put_table(b->out, &head, err);
  for (size_t i = 0; i < b->nevent && !st; i++) {
    const double row[] = {b->events[i].t, (double)b->events[i].type};
    st = br_put_row(b->out, row, err);
  }
  return st ? st : br_put_end(b->out, err);
}

br_status bri_answer_run(bri_answer *b, br_err *err)
{
  double dt = 0, rows = 0;
  br_status st = bri_answer_rows(b->job, b->t_end, &dt, &rows, err);
  if (st) return st;
  dt = bri_answer_spacing(b, dt);
  rows = ceil(b->t_end / dt - 1e-9);
  const br_table_head head = {"simulate", BR_TABLE_MAIN | BR_TABLE_FILE, b->ncol, b->columns,
                              (size_t)rows + 1};
  bri_map_open(b);
  tell_amount(b);
  b->set.t_stop = b->t_end;
  st = br_solver_create(b->plant, &b->set, &b->solver, err);
  if (!st && b->slope) st = bri_slope_attach(b, err);
  if (!st) st = br_solver_start(b->solver, 0, b->x, err);
  if (st == BR_E_NAN) return told(BR_E_ARG, err); /* the start has no rates: the caller can mend it */
  if (!st) st = br_put_table(b->out, &head, err);
  if (!st) st = bri_contacts_open(b, (size_t)rows, err);
  if (!st) st = walk(b, dt, (size_t)rows, err);
  if (!st) st = br_put_end(b->out, err);
  if (!st) st = bri_contacts_put(b, err);
  if (!st) st = bri_map_put(b, err);
  if (!st) st = bri_measured_put(&b->measured, 0, b->out, err);
  if (st) return st;
  const br_solve_stats cost = br_solver_stats(b->solver);
  bri_answer_cost(b, &cost);
  if (b->set.extremes) br_solver_extremes(b->solver, b->lo, b->hi);
  if (b->slope && (st = bri_slope_take(b, err)) != BR_OK) return st;
  put_ends(b);
  put_events(b);
  put_sticks(b);
  bri_measures_put(b);
  put_energy(b);
  note_rest(b);
  if (b->sys->nlimits) put_warnings(b);
  bri_window_put(b);
  const br_value end = {BR_VALUE_ASIDE, b->t_end, NULL, "s"};
  br_put_value(b->out, &end, "t_end");
  return put_event_table(b, err);
}
