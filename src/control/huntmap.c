/* SPDX-License-Identifier: Apache-2.0
 * huntmap.c - where a loop hunts, over two gains or parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../text/fail.h"
#include "loop.h"
#include "../base/team.h"
#include "trial.h"

/* An axis, taken apart. */
typedef struct {
  int is_gain;
  char gain[32];
  bri_wrong par; /* one parameter; of a ratio two, the first one moves */
  double now[2]; /* their values in the plant */
  const br_control_axis *axis;
  size_t n;
} axis;

typedef struct {
  const br_control_map *map;
  axis x, y;
  br_control_result *cell;
} work;

static double place(const axis *a, size_t i)
{
  return a->n > 1 ? a->axis->a + (a->axis->b - a->axis->a) * (double)i / (double)(a->n - 1) : a->axis->a;
}

static br_status read_axis(const br_control_map *m, const br_control_axis *from, size_t n, axis *to,
                           br_err *err)
{
  memset(to, 0, sizeof *to);
  to->axis = from;
  to->n = n;
  if (!from->name || strlen(from->name) >= 60)
    return bri_fail(err, BR_E_NAME, "an axis of the map has no name, or a long one");
  if (!isfinite(from->a) || !isfinite(from->b) || n < 1 || n > 1000)
    return bri_fail(err, BR_E_RANGE, "axis %s: %.9g to %.9g in %zu: finite, 1 to 1000 cells", from->name,
                    from->a, from->b, n);
  br_control_settings probe = *m->set;
  if (br_control_gain_find(&probe, from->name)) {
    to->is_gain = 1;
    (void)snprintf(to->gain, sizeof to->gain, "%s", from->name);
    return BR_OK;
  }
  char part[2][64] = {"", ""};
  const char *slash = strchr(from->name, '/');
  const size_t first = slash ? (size_t)(slash - from->name) : strlen(from->name);
  (void)snprintf(part[0], sizeof part[0], "%.*s", (int)first, from->name);
  if (slash) (void)snprintf(part[1], sizeof part[1], "%s", slash + 1);
  const char *names[2] = {part[0], part[1]};
  const br_status st = bri_wrong_find(m->job, names, slash ? 2 : 1, &to->par, err);
  if (st) return st;
  for (size_t i = 0; i < to->par.n; i++)
    to->now[i] = (to->par.of_model[i] ? m->job->mpar : m->job->spar)[to->par.slot[i]];
  return BR_OK;
}

/* Move a parameter of the plant to its value; what the controller believes keeps its ratio. */
static void move(const axis *a, double value, double *const real[2], double *const own[2])
{
  if (a->is_gain) return;
  const int m = a->par.of_model[0];
  const double to = a->par.n == 2 ? value * a->now[1] : value;
  real[m][a->par.slot[0]] = to;
  if (a->now[0] != 0) own[m][a->par.slot[0]] *= to / a->now[0];
  else own[m][a->par.slot[0]] = to;
}

static br_status checked(const br_control_case *j, double *spar, double *mpar, br_err *err)
{
  br_status st = j->mod->check ? j->mod->check(mpar, err) : BR_OK;
  if (!st && j->sys->check) st = j->sys->check(spar, err);
  if (st) return st;
  if (j->mod->prepare) j->mod->prepare(mpar);
  if (j->sys->prepare) j->sys->prepare(spar);
  return BR_OK;
}

/* Gains of the cell; needs b of the controller for laws that place poles. */
static void set_gain(const axis *a, double value, double b, br_control_settings *s)
{
  if (!a->is_gain) return;
  const int placing = s->integral && strcmp(a->gain, "ki") == 0 && br_control_gain_name(s, 0) &&
                      strcmp(br_control_gain_name(s, 0), "pole1") == 0;
  if (placing) s->poles[2] = -value * fabs(b) / (s->poles[0] * s->poles[1]);
  else *br_control_gain_find(s, a->gain) = value;
}

static br_status run(const work *w, size_t at, double *room, br_err *err)
{
  const br_control_map *m = w->map;
  const size_t ns = m->job->sys->slots, nm = m->job->mod->slots;
  double *real[2] = {room, room + ns}, *own[2] = {room + ns + nm, room + 2 * ns + nm};
  double *mpair = room + 2 * (ns + nm), px = place(&w->x, at / m->ny), py = place(&w->y, at % m->ny);
  br_control_case job = *m->job;
  br_control_settings set = *m->set;
  br_control_result *out = &w->cell[at];
  br_controller c;
  memcpy(real[0], job.spar, ns * sizeof *room);
  memcpy(real[1], job.mpar, nm * sizeof *room);
  memcpy(own[0], m->spar ? m->spar : job.spar, ns * sizeof *room);
  memcpy(own[1], m->mpar ? m->mpar : job.mpar, nm * sizeof *room);
  move(&w->x, px, real, own);
  move(&w->y, py, real, own);
  br_status st = checked(&job, real[0], real[1], err);
  if (!st) st = checked(&job, own[0], own[1], err);
  job.spar = real[0], job.mpar = real[1];
  /* once for b, which a moved mass changes; then with the gains of the cell */
  if (!st) st = br_control_init(&c, &set, job.sys, own[0], job.mod, own[1], mpair, m->tracked, err);
  if (st) return st;
  set_gain(&w->x, px, c.b, &set);
  set_gain(&w->y, py, c.b, &set);
  st = br_control_init(&c, &set, job.sys, own[0], job.mod, own[1], mpair, m->tracked, err);
  if (!st) st = br_control_run(&job, &c, out, err);
  if (st != BR_E_CONVERGE && st != BR_E_NAN) return st;
  out->error_rms = INFINITY;
  return BR_OK;
}

static br_status one(void *ctx, size_t at, br_err *err)
{
  const work *w = (const work *)ctx;
  const br_control_case *j = w->map->job;
  double *room = (double *)bri_calloc(2 * j->sys->slots + 4 * j->mod->slots + 2, sizeof *room);
  if (!room) return bri_fail(err, BR_E_NOMEM, "no memory for a map");
  const br_status st = run(w, at, room, err);
  bri_free(room);
  return st;
}

br_status br_control_hunting_map(const br_control_map *map, br_control_result *cell, br_err *err)
{
  const br_control_case *j = map ? map->job : NULL;
  work w;
  if (!j || !map->set || !cell || !j->sys || !j->spar || !j->mod || !j->mpar || !j->reference)
    return bri_fail(err, BR_E_ARG, "br_control_hunting_map: NULL argument");
  if (j->sample > 0 || !bri_rests(j))
    return bri_fail(err, BR_E_ARG,
                    "a map of hunting needs a continuous loop and a reference that rests, such as step:1");
  memset(&w, 0, sizeof w);
  w.map = map;
  w.cell = cell;
  br_status st = read_axis(map, &map->x, map->nx, &w.x, err);
  if (!st) st = read_axis(map, &map->y, map->ny, &w.y, err);
  if (st) return st;
  const bri_team team = {map->nx * map->ny, map->threads, one, &w, map->progress, map->ctx};
  return bri_team_run(&team, err);
}

br_control_outcome br_control_outcome_of(const br_control_result *r)
{
  if (isinf(r->error_rms) || r->verdict == BR_HUNTING_GROWS) return BR_OUTCOME_AWAY;
  return r->verdict == BR_HUNTING_FOUND      ? BR_OUTCOME_HUNTS
         : r->verdict == BR_HUNTING_EXCLUDED ? BR_OUTCOME_SETTLES
                                             : BR_OUTCOME_UNDECIDED;
}

const char *br_control_outcome_text(br_control_outcome outcome)
{
  static const char *const TEXT[BR_OUTCOMES] = {"hunts", "settles", "undecided", "runs away"};
  return (unsigned)outcome < BR_OUTCOMES ? TEXT[outcome] : "undecided";
}

int br_control_observer_beside(const br_controller *c, int own_poles, br_control_settings *o)
{
  const br_control_settings *from = &c->set;
  if (from->kind == BR_CONTROL_OBSERVER || from->kind == BR_CONTROL_FEEDBACK_LINEARIZATION) return 0;
  *o = br_control_settings_default(BR_CONTROL_OBSERVER);
  o->integral = 1;
  if (own_poles) memcpy(o->poles, from->poles, sizeof o->poles);
  else if (from->kind == BR_CONTROL_PID) {
    const double kp = from->kp * fabs(c->b), kd = from->kd * fabs(c->b), root = 0.25 * kd * kd - kp;
    if (!(kp > 0) || !(kd > 0)) return 0;
    o->poles[0] = root > 0 ? -0.5 * kd - sqrt(root) : -sqrt(kp);
    o->poles[1] = kp / o->poles[0];
    o->poles[2] = o->poles[1];
  }
  return 1;
}
