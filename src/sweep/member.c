/* SPDX-License-Identifier: Apache-2.0
 * member.c - one member by the ordinary solver, watched from the end of its transient on. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "bristle/solve.h"
#include "sweep.h"
#include "text/fail.h"
#include "text/stop.h"

enum { SECTION, SLOW, USERS };
static const double STILL = 1e-3; /* a swing of the velocity below this part of it is no motion of its own */

/* What is seen of a member. */
typedef struct {
  const bri_sweep *s;
  double level, threshold; /* m/s */
  double strobe;           /* s; 0: points where v rises through the level */
  int on;                  /* the transient is over */
  size_t count[5];
  size_t returns;
  double first, last, apart, nearest, farthest; /* times of returns; s between two of them */
  double slow, slow_since;                      /* s below the threshold; NaN: not now */
  double *points;                               /* [s->points][1 + nstate]: the last ones, in a ring */
  size_t npoints;
  double *x, *lo, *hi; /* [nstate], [nstate + nforce] */
} watch;

static void user(void *ctx, double t, const double *x, double *g)
{
  const watch *w = ctx;
  (void)t;
  const double v = w->s->v >= 0 ? x[w->s->v] : 0;
  g[SECTION] = w->s->v >= 0 ? v - w->level : 1;
  g[SLOW] = w->threshold > 0 && w->s->v >= 0 ? fabs(v) - w->threshold : 1;
}

static void keep_point(watch *w, double t, const double *x)
{
  const size_t n = w->s->nstate;
  if (!w->s->points) return;
  double *p = w->points + (w->npoints++ % w->s->points) * (1 + n);
  p[0] = t;
  memcpy(p + 1, x, n * sizeof *p);
}

static int on_event(void *ctx, const br_event *e)
{
  watch *w = ctx;
  if (!w->on) return 0;
  if (e->type != BR_EVENT_USER) {
    w->count[e->type]++;
    return 0;
  }
  if (e->index == SLOW) {
    if (e->direction < 0) w->slow_since = e->t;
    else if (!isnan(w->slow_since)) w->slow += e->t - w->slow_since, w->slow_since = (double)NAN;
    return 0;
  }
  if (e->direction < 0) return 0;
  if (w->returns) {
    const double gap = e->t - w->last;
    w->nearest = w->returns == 1 ? gap : fmin(w->nearest, gap);
    w->farthest = w->returns == 1 ? gap : fmax(w->farthest, gap);
  } else {
    w->first = e->t;
  }
  w->last = e->t;
  w->returns++;
  if (!(w->strobe > 0)) keep_point(w, e->t, e->x);
  return 0;
}

static int on_step(void *ctx, double t)
{
  const watch *w = ctx;
  (void)t;
  return bri_stopped(&w->s->stop);
}

void bri_sweep_levels(const bri_sweep *s, double vp, double vs, double *level, double *slow)
{
  *level = isnan(vp) ? 0 : vp;
  *slow = 0.01 * fabs(*level);
  if (!(*slow > 0)) *slow = isnan(vs) ? 0 : vs / 10;
  if (br_job_given(s->job, "threshold")) *slow = br_job_number(s->job, "threshold");
  if (*level == 0) *level = *slow; /* what sticks is at 0 for long: no place for a section */
}

/* Of this member, as 'simulate' has them. */
static void set_levels(const br_job *job, watch *w)
{
  const br_system *sys = br_job_system(job);
  const double *in = br_params_block(br_job_params(job), "input");
  double vs = (double)NAN, vp = (double)NAN;
  size_t n = 0;
  for (size_t k = 0; k < sys->ninput; k++)
    if (strcmp(sys->inputs[k].name, "vp") == 0 && !br_job_input(job, k)) vp = in ? in[k] : sys->inputs[k].def;
  if (!br_model_param(br_job_model(job), "vs") ||
      br_params_get(br_job_params(job), "model.vs", 1, &vs, &n, NULL))
    vs = (double)NAN;
  bri_sweep_levels(w->s, vp, vs, &w->level, &w->threshold);
  w->strobe = w->s->strobe;
  for (size_t k = 0; k < br_job_inputs(job) && !(w->strobe > 0); k++)
    if (br_job_input(job, k)) w->strobe = br_signal_period(br_job_input(job, k));
}

/* ---- largest Lyapunov exponent ---- */

/* A second motion beside the first, brought back to its distance after every piece of time: the mean growth.
 * */
static br_status lyapunov(const bri_sweep *s, const br_plant *plant, const double *x0, const watch *w,
                          double *out, br_err *err)
{
  enum { PIECES = 400, SETTLE = 80 }; /* until the distance points where it grows most */
  const double apart = 1e-6, dt = (s->t_end - s->t_from) / PIECES;
  const size_t n = s->nstate;
  br_solve_settings set = br_solve_settings_default();
  br_solver *a = NULL, *b = NULL;
  double *x = bri_calloc(3 * n + 1, sizeof *x), *y = x ? x + n : NULL, *scale = x ? y + n : NULL, sum = 0;
  *out = (double)NAN;
  if (!x) return bri_no_memory(err, "sweep");
  watch blind = *w; /* asks for the stop alone */
  set.rtol = fmin(s->rtol, 1e-10), set.atol = s->atol;
  set.on_step = on_step, set.ctx = &blind;
  br_status st = br_solver_create(plant, &set, &a, err);
  if (!st) st = br_solver_create(plant, &set, &b, err);
  for (size_t i = 0; i < n; i++)
    scale[i] = fmax(fabs(w->lo[i]), fabs(w->hi[i])), scale[i] += scale[i] > 0 ? 0 : 1;
  if (!st) st = br_solver_start(a, s->t_from, x0, err);
  for (size_t i = 0; i < n; i++) y[i] = x0[i] + (w->hi[i] > w->lo[i] ? apart * scale[i] : 0);
  if (!st) st = br_solver_start(b, s->t_from, y, err);
  for (int k = 1; k <= PIECES && !st; k++) {
    const double t = s->t_from + k * dt;
    double d = 0;
    st = br_solver_advance(a, t, x, err);
    if (!st) st = br_solver_advance(b, t, y, err);
    for (size_t i = 0; i < n; i++) d = fmax(d, fabs(y[i] - x[i]) / scale[i]);
    if (st) break;
    if (!(d > 1e-14)) d = 1e-14; /* the motions have met */
    if (k > SETTLE) sum += bri_log(d / apart);
    for (size_t i = 0; i < n; i++) y[i] = x[i] + (y[i] - x[i]) * (apart / d);
    if (d <= 1e-14) y[0] = x[0] + apart * scale[0];
    st = br_solver_start(b, t, y, err);
  }
  if (!st) *out = sum / (dt * (PIECES - SETTLE));
  br_solver_destroy(a);
  br_solver_destroy(b);
  bri_free(x);
  return st;
}

/* ---- the motion ---- */

int bri_sweep_regime(double lo, double hi, double level, size_t returns, double nearest, double farthest)
{
  const double size = fmax(fabs(lo), fabs(hi));
  if (size <= STILL * fabs(level) || size == 0) return BRI_REGIME_REST;
  if (hi - lo <= STILL * size) return BRI_REGIME_STEADY;
  return returns > 2 && farthest - nearest <= STILL * farthest ? BRI_REGIME_PERIODIC : BRI_REGIME_IRREGULAR;
}

static int regime_of(const watch *w)
{
  const int v = w->s->v;
  return bri_sweep_regime(v >= 0 ? w->lo[v] : 0, v >= 0 ? w->hi[v] : 0, w->level, w->returns, w->nearest,
                          w->farthest);
}

static double measured(const watch *w, const bri_measure *m, const br_solver *solver, const double *end)
{
  const bri_sweep *s = w->s;
  const br_energy e = br_solver_energy(solver);
  const double span = s->t_end - s->t_from;
  const int moves = regime_of(w) >= BRI_REGIME_PERIODIC;
  switch (m->kind) {
  case BRI_MEASURE_MIN: return w->lo[m->index];
  case BRI_MEASURE_MAX: return w->hi[m->index];
  case BRI_MEASURE_END: return end[m->index];
  case BRI_MEASURE_PERIOD:
    return moves && w->returns > 1 ? (w->last - w->first) / (double)(w->returns - 1) : (double)NAN;
  case BRI_MEASURE_STICK: return w->threshold > 0 && s->v >= 0 ? fmin(w->slow / span, 1) : (double)NAN;
  case BRI_MEASURE_RETURNS: return (double)w->returns;
  case BRI_MEASURE_EVENTS: return (double)(w->count[0] + w->count[1] + w->count[2] + w->count[3]);
  case BRI_MEASURE_REVERSAL: return (double)w->count[BR_EVENT_REVERSAL];
  case BRI_MEASURE_STICKS: return (double)w->count[BR_EVENT_STICK];
  case BRI_MEASURE_SLIPS: return (double)w->count[BR_EVENT_SLIP];
  case BRI_MEASURE_ELEMENTS: return (double)w->count[BR_EVENT_ELEMENT];
  case BRI_MEASURE_WORK: return e.work_in;
  case BRI_MEASURE_FRICTION: return e.friction;
  case BRI_MEASURE_DISSIPATED: return e.dissipated;
  case BRI_MEASURE_REGIME: return regime_of(w);
  case BRI_MEASURE_STEPS: return (double)br_solver_stats(solver).steps;
  case BRI_MEASURE_LYAPUNOV:
  case BRI_MEASURE_PATH:
  case BRI_MEASURE_FORMULA: break; /* not from this motion */
  }
  return (double)NAN;
}

/* The points in their order; what is missing stays NaN. */
static void put_points(const watch *w, double *to)
{
  const size_t one = 1 + w->s->nstate, most = w->s->points, n = w->npoints < most ? w->npoints : most;
  for (size_t i = 0; i < most * one; i++) to[i] = (double)NAN;
  for (size_t i = 0; i < n; i++)
    memcpy(to + i * one, w->points + ((w->npoints - n + i) % most) * one, one * sizeof *to);
}

/* Points of a driven mechanism: once in a period of the drive. */
static br_status strobe(watch *w, br_solver *solver, br_err *err)
{
  const bri_sweep *s = w->s;
  const double T = w->strobe;
  br_status st = BR_OK;
  if (!(T > 0) || !s->points) return BR_OK;
  double k = fmax(ceil(s->t_from / T), floor(s->t_end / T) - (double)s->points); /* the last ones are kept */
  for (; k * T < s->t_end && !st; k++) {
    if (k * T < s->t_from) continue;
    st = br_solver_advance(solver, k * T, w->x, err);
    if (!st) keep_point(w, k * T, w->x);
  }
  return st;
}

static int wants(const bri_sweep *s, bri_measure_kind kind)
{
  for (size_t i = 0; i < s->nmeasure; i++)
    if (s->measure[i].kind == kind) return 1;
  return 0;
}

static br_status move(const bri_sweep *s, const br_job *job, watch *w, double *row, br_err *err)
{
  const br_plant *plant = br_job_plant(job);
  br_solve_settings set = br_solve_settings_default();
  br_solver *solver = NULL;
  double *end = w->hi + s->nstate + s->nforce;
  set.rtol = s->rtol, set.atol = s->atol;
  set.energy =
      wants(s, BRI_MEASURE_WORK) || wants(s, BRI_MEASURE_FRICTION) || wants(s, BRI_MEASURE_DISSIPATED);
  set.extremes = 1, set.untimed = 1;
  set.t_stop = s->t_end, set.max_steps = 10000000;
  set.nuser = USERS, set.user = user, set.on_event = on_event, set.on_step = on_step, set.ctx = w;
  set_levels(job, w);
  br_status st = br_solver_create(plant, &set, &solver, err);
  if (!st) st = br_solver_start(solver, 0, br_job_start(job, NULL), err);
  if (!st && s->t_from > 0) st = br_solver_advance(solver, s->t_from, w->x, err);
  else if (!st) memcpy(w->x, br_job_start(job, NULL), s->nstate * sizeof *w->x);
  double *from = end + s->nstate + s->nforce;
  memcpy(from, w->x, s->nstate * sizeof *from);
  if (!st && s->t_from > 0)
    st = br_solver_start(solver, s->t_from, w->x, err); /* extremes and energies anew */
  w->on = 1;
  w->slow_since = s->v >= 0 && w->threshold > 0 && fabs(w->x[s->v]) < w->threshold ? s->t_from : (double)NAN;
  if (!st) st = strobe(w, solver, err);
  if (!st) st = br_solver_advance(solver, s->t_end, w->x, err);
  if (!st) {
    if (!isnan(w->slow_since)) w->slow += s->t_end - w->slow_since;
    memcpy(end, w->x, s->nstate * sizeof *end);
    br_solver_force(solver, end + s->nstate);
    br_solver_extremes(solver, w->lo, w->hi);
    for (size_t i = 0; i < s->nmeasure; i++) row[i] = measured(w, &s->measure[i], solver, end);
    put_points(w, row + s->nmeasure);
  }
  br_solver_destroy(solver);
  for (size_t i = 0; i < s->nmeasure && !st; i++)
    if (s->measure[i].kind == BRI_MEASURE_LYAPUNOV) st = lyapunov(s, plant, from, w, &row[i], err);
  return st;
}

/* ---- numbers under a path ---- */

/* Paths that need a run of 'simulate' of their own begin with these; "": the others. */
static const char *const RUNS[] = {"", "cycle.", "window.", "measured."};
enum { NRUNS = sizeof RUNS / sizeof RUNS[0] };

static int needs_run(const bri_measure *m, size_t run)
{
  size_t own = 0;
  for (size_t k = 1; k < NRUNS; k++)
    if (strncmp(m->path, RUNS[k], strlen(RUNS[k])) == 0) own = k;
  return m->kind == BRI_MEASURE_PATH && own == run;
}

/* Those that need the same run are taken from one. */
static br_status ask(const bri_sweep *s, const double *values, size_t run, double *row, br_err *err)
{
  const char *path = NULL;
  br_job *job = NULL;
  br_result *result = NULL;
  for (size_t i = 0; i < s->nmeasure; i++)
    if (needs_run(&s->measure[i], run)) path = s->measure[i].path;
  if (!path) return BR_OK;
  br_status st = bri_sweep_member(s->job, &s->design, values, path, &job, err);
  if (!st) st = br_result_create(0, &result, err);
  br_sink out = result ? br_result_sink(result) : (br_sink){0};
  out.stop = s->stop;
  out.wants = NULL;
  if (!st) st = br_job_run(job, &out, err);
  for (size_t i = 0; i < s->nmeasure && !st; i++)
    if (needs_run(&s->measure[i], run)) row[i] = br_result_real(result, s->measure[i].path);
  br_result_destroy(result);
  bri_sweep_member_free(job);
  return st;
}

static int needs_motion(const bri_sweep *s)
{
  for (size_t i = 0; i < s->nmeasure; i++)
    if (s->measure[i].kind != BRI_MEASURE_PATH && s->measure[i].kind != BRI_MEASURE_FORMULA) return 1;
  return s->points > 0;
}

br_status bri_member_run(const bri_sweep *s, uint64_t member, double *row, br_err *why, br_err *err)
{
  double values[BRI_SWEEP_AXES];
  const size_t all = s->nstate + s->nforce;
  br_err told = {BR_OK, -1, ""};
  br_job *job = NULL;
  watch w = {.s = s};
  bri_design_values(&s->design, member, values);
  for (size_t i = 0; i < s->width; i++) row[i] = (double)NAN;
  w.x = bri_calloc(s->nstate + 3 * all + s->nstate + s->points * (1 + s->nstate) + 1, sizeof *w.x);
  if (!w.x) return bri_no_memory(err, "sweep");
  w.lo = w.x + s->nstate;
  w.hi = w.lo + all;
  w.points = w.hi + 2 * all + s->nstate;
  br_status st = bri_sweep_member(s->job, &s->design, values, NULL, &job, &told);
  if (!st &&
      (br_plant_nstate(br_job_plant(job)) != s->nstate || br_plant_ncontact(br_job_plant(job)) != s->nforce))
    st = bri_fail(&told, BR_E_UNSUPPORTED, "this member has another number of states");
  if (!st && needs_motion(s)) st = move(s, job, &w, row, &told);
  for (size_t run = 0; run < NRUNS && !st; run++) st = ask(s, values, run, row, &told);
  bri_sweep_member_free(job);
  bri_free(w.x);
  if (bri_stopped(&s->stop)) return bri_stop_status(&s->stop, "sweep", err);
  if (st == BR_E_NOMEM) return bri_fail(err, st, "%s", told.msg);
  if (st)
    for (size_t i = 0; i < s->width; i++) row[i] = (double)NAN;
  else bri_measures_formulas(s, values, row);
  row[s->width - 1] = bri_member_end_of(st);
  if (why) *why = told;
  return BR_OK;
}
