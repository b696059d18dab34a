/* SPDX-License-Identifier: Apache-2.0
 * cycles.c - search for cycles that create energy: steady loops, alternating speeds, schedules of four legs.
 * A gain counts only when the cycle, run once more a little longer and more exactly, gains as much: what
 * rounding makes of a reversible model is none. */
#include "../../core/elementary.h"
#include "../base/worse.h"
#include "cycles.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../solve/fixpoint.h"
#include "../base/alloc.h"
#include "loop_internal.h"

#define NOTHING 1e-12   /* work of a cycle relative to what goes to and fro in it */
#define SLOWEST 1e-8    /* m/s, where the fall of the settled force is looked for */
#define FASTEST 1e2     /* m/s */
#define SCHEDULES 800   /* tried where the model has an exact step; a tenth of it elsewhere */
#define REFINEMENTS 160 /* of the best schedule */

/* A periodic motion: legs run one after the other at constant speed. */
typedef struct {
  size_t n;
  double length[BR_CYCLE_LEGS]; /* m, signed */
  double speed[BR_CYCLE_LEGS];  /* m/s */
} schedule;

typedef struct {
  bri_arc_model arc;
  schedule c;
} runner;

/* ---- one cycle ---- */

static br_status run_once(runner *r, double *z, double *work, double *gross, br_err *err)
{
  double u = 0;
  for (size_t k = 0; k < r->c.n; k++) {
    const double s = r->c.length[k] < 0 ? -1.0 : 1.0, L = fabs(r->c.length[k]);
    double part = 0;
    r->arc.speed = r->c.speed[k];
    const br_status st = bri_arc_move(&r->arc, u, s, L, z, work ? &part : NULL, err);
    if (st != BR_OK) return st;
    u += r->c.length[k];
    if (work) *work += part, *gross += fabs(part);
  }
  return BR_OK;
}

static br_status map(void *ctx, double *z, br_err *err) { return run_once(ctx, z, NULL, NULL, err); }

static br_status map_pair(void *ctx, double *z, br_err *err)
{
  runner *r = ctx;
  double u = 0;
  br_status st = BR_OK;
  for (size_t k = 0; st == BR_OK && k < r->c.n; k++) {
    r->arc.speed = r->c.speed[k];
    st = bri_arc_move_pair(&r->arc, u, r->c.length[k] < 0 ? -1.0 : 1.0, fabs(r->c.length[k]), z, err);
    u += r->c.length[k];
  }
  return st;
}

static int observes(void *ctx, const double *z, size_t j)
{
  (void)ctx, (void)z, (void)j;
  return 1;
}

/* State of the periodic regime.  Models with modes have no derivative: they are repeated until nothing
 * changes. */
static br_status settle(runner *r, double *z)
{
  const bri_arc_model *arc = &r->arc;
  const bri_fix_problem p = {arc->model->name, r, arc->nz, arc->nz, 1e-12, map, map_pair, observes};
  const bri_fix_hints bare = {.bare = 1};
  bri_fix_report report;
  if (arc->par_pair && arc->model->nmode(arc->par) == 0) return bri_fixpoint(&p, &bare, z, &report, NULL);
  for (int k = 0; k < 1000; k++) {
    double before[2 * BR_LOOP_MAX_STATE], change = 0, size = 0;
    memcpy(before, z, arc->nz * sizeof *z);
    const br_status st = map(r, z, NULL);
    if (st != BR_OK) return st;
    for (size_t i = 0; i < arc->nz; i++) {
      change = bri_worse(change, fabs(z[i] - before[i]));
      size = fmax(size, fabs(z[i]));
    }
    if (change <= 1e-12 * size) return BR_OK;
  }
  return BR_E_CONVERGE;
}

/* Work of one period once it repeats; DBL_MAX when it does not.  Starts from sliding: elements that still
 * stick would keep any deviation. */
static double work_of(runner *r, double U, double *gross)
{
  double z[2 * BR_LOOP_MAX_STATE] = {0}, work = 0;
  *gross = 0;
  r->arc.speed = r->c.speed[0];
  if (bri_arc_move(&r->arc, -4 * U, 1, 4 * U, z, NULL, NULL) != BR_OK || settle(r, z) != BR_OK)
    return DBL_MAX;
  return run_once(r, z, &work, gross, NULL) == BR_OK ? work : DBL_MAX;
}

/* The same cycle, all its lengths `stretch` times as long. */
static double stretched(const runner *r, double U, double stretch, double rtol, double *gross)
{
  runner q = *r;
  q.arc.rtol = rtol;
  for (size_t k = 0; k < q.c.n; k++) q.c.length[k] *= stretch;
  return work_of(&q, U, gross);
}

/* Does it gain as much again, a little longer, and with arcs a hundred times less exact? */
static int gains_again(double work, double longer, double coarse, double gross)
{
  return work < -NOTHING * gross && fabs(longer - work) < 0.1 * fabs(work) &&
         fabs(coarse - work) < 0.1 * fabs(work);
}

static void note_schedule(bri_cycles *s, const runner *r, int kind, double work, double gross)
{
  br_energy_report *e = s->report;
  double more = 0;
  if (!(work < e->cycle_work)) return;
  if (work < 0 && !gains_again(work, stretched(r, s->U, 1 + 1e-9, 1e-11, &more),
                               stretched(r, s->U, 1, 1e-7, &more), gross))
    return;
  s->gains = s->gains || work < 0;
  e->cycle_work = work;
  e->cycle_is_speed = kind;
  e->n_legs = r->c.n;
  e->cycle_time = 0;
  for (size_t k = 0; k < r->c.n; k++) {
    e->leg_length[k] = r->c.length[k], e->leg_speed[k] = r->c.speed[k];
    e->cycle_time += fabs(r->c.length[k]) / r->c.speed[k];
  }
}

/* ---- loops ---- */

static double loop_work(bri_cycles *s, double amp, double frequency, double rtol, double *gross)
{
  const double turning[2] = {amp, -amp};
  br_loop_settings set = br_loop_settings_default();
  br_loop *loop;
  set.frequency = frequency;
  set.rtol = rtol;
  if (s->stop) set.stop = *s->stop;
  const br_status st = br_loop_create(s->m, s->par, 2, turning, 0, &set, &loop, NULL);
  if (st == BR_E_NOMEM) s->no_memory = 1;
  if (st != BR_OK) return DBL_MAX;
  const br_loop_summary *r = br_loop_get(loop);
  const double work = r->work;
  *gross = fmax(fabs(r->y_min), fabs(r->y_max)) * r->path_length;
  br_loop_destroy(loop);
  return work;
}

/* Change of the force per metre, into direction dir. */
static double force_slope(const bri_arc_model *a, double dir, double u, const double *z)
{
  const double v = dir * a->speed, h = 1e-6, n = a->load;
  double dz[2 * BR_LOOP_MAX_STATE], x[2 * BR_LOOP_MAX_STATE], size = 0, rate = 0;
  a->model->rate(a->par, n, &u, &v, z, dz);
  for (size_t i = 0; i < a->nz; i++) size = fmax(size, fabs(z[i])), rate = fmax(rate, fabs(dz[i] / a->speed));
  const double step = rate > 0 ? h * size / rate : 0; /* m */
  for (size_t i = 0; i < a->nz; i++) x[i] = z[i] + step * dz[i] / a->speed;
  return step > 0 ? (bri_arc_force(a, u + dir * step, dir, x) - bri_arc_force(a, u, dir, z)) / step : 0;
}

/* Does the force go back the way it came, at every state of a motion to +-U and back?  Looked at from state
 * to state: near its level a reversible curve is so steep in its own memory that a loop around it is
 * rounding. */
static int goes_back(const bri_cycles *s)
{
  const bri_arc_model a = {
      s->m, s->par, NULL, 1, BRI_SLOW, 1e-10, s->m->nstate(s->par) + s->m->nmode(s->par), s->stop};
  double z[2 * BR_LOOP_MAX_STATE] = {0}, u = 0, force = 0, jump = 0, slope = 0, off = 0;
  for (int k = 0; k < 200; k++) {
    const double dir = k < 40 || k >= 120 ? 1.0 : -1.0, L = s->U / 40;
    if (bri_arc_move(&a, u, dir, L, z, NULL, NULL) != BR_OK) return 0;
    u += dir * L;
    const double up = force_slope(&a, 1, u, z), down = force_slope(&a, -1, u, z);
    const double F = bri_arc_force(&a, u, 1, z), G = bri_arc_force(&a, u, -1, z);
    force = fmax(force, fmax(fabs(F), fabs(G))), jump = bri_worse(jump, fabs(F - G));
    slope = fmax(slope, fmax(fabs(up), fabs(down))), off = bri_worse(off, fabs(up + down));
  }
  return jump <= 1e-9 * force && off <= 1e-5 * slope;
}

static void one_loop(bri_cycles *s, int k, int f)
{
  br_energy_report *e = s->report;
  const double amp = s->U * ldexp(1.0, k), frequency = f == 0 ? 0.0 : bri_pow(10, 4 * f - 6);
  double gross = 0, more = 0;
  const double work = loop_work(s, amp, frequency, 1e-12, &gross);
  if (work == DBL_MAX) return;
  e->searched_loops++;
  e->searched_amplitude = amp;
  if (k <= -2 && fabs(work) > 1e-10 * gross) s->reversible = 0;
  if (!(work < e->cycle_work)) return;
  if (work < 0 && !gains_again(work, loop_work(s, amp * (1 + 1e-9), frequency, 1e-13, &more),
                               loop_work(s, amp, frequency, 1e-10, &more), gross))
    return;
  s->gains = s->gains || work < 0;
  e->cycle_work = work;
  e->cycle_a = amp, e->cycle_b = -amp;
  e->cycle_time = f == 0 ? 0.0 : 1 / frequency;
}

void bri_cycles_loops(bri_cycles *s)
{
  const int speeds = s->m->flags & BR_MODEL_JUMPS ? 1 : 3; /* sites do not know time */
  s->reversible = 1;
  for (int k = -8; k <= 2; k++)
    for (int f = 0; f < speeds; f++) one_loop(s, k, f);
  s->reversible = s->reversible && s->report->searched_loops > 0 && goes_back(s);
}

/* ---- two speeds in turn ---- */

/* Parameters as pairs; without them a search would go another way, so failing to get them ends it. */
static double *pairs_of(bri_cycles *s)
{
  double *pairs = bri_arc_pairs(s->m, s->par);
  if (s->m->rate_pair && !pairs) s->no_memory = 1;
  return pairs;
}

/* A ladder of speeds around where the settled force falls; short periods keep the bristles from following. */
void bri_cycles_speeds(bri_cycles *s)
{
  static const double parts[] = {1e-6, 1e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  br_energy_report *e = s->report;
  double *pairs = pairs_of(s), gross;
  if (s->no_memory) return;
  runner r = {.arc = {s->m, s->par, pairs, 1, 1, 1e-9, s->m->nstate(s->par) + s->m->nmode(s->par), s->stop},
              .c = {.n = 2}};
  for (int i = -6; i <= 1; i++)
    for (int j = 2 * i + 1; j <= 4; j++)
      for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        for (int q = 0; q < 3; q++) {
          const double a = bri_pow(10, i), b = 2 * bri_pow(10, 0.5 * j), part = parts[k],
                       before = e->cycle_work;
          const double mean = a * (1 - part) + b * part, time = s->U / mean * bri_pow(10, -q) * 0.1;
          r.c.speed[0] = a, r.c.length[0] = a * (1 - part) * time;
          r.c.speed[1] = b, r.c.length[1] = b * part * time;
          e->searched_speeds++;
          const double work = work_of(&r, s->U, &gross);
          note_schedule(s, &r, BR_CYCLE_SPEEDS, work, gross);
          if (e->cycle_work < before) e->cycle_a = a, e->cycle_b = b, e->cycle_part = part;
        }
  bri_free(pairs);
}

/* ---- there and back, each way at two speeds ---- */

enum { L, SHARE, SHARE_BACK, V, NUMBERS = V + 4 }; /* logarithms, each from 0 to 1 of its range */

typedef struct {
  double slow, fast; /* m/s: below the fall of the settled force, beyond it */
} fall;

/* Where the settled force falls with the speed: slow stands in its first tenth, fast in its last.  A
 * force that does not fall: the whole range. */
static fall find_fall(const bri_cycles *s)
{
  double speed[40], force[40], still = 0;
  const size_t n = sizeof speed / sizeof speed[0];
  size_t end = 0;
  fall f = {1e-5, 1};
  for (size_t k = 0; k <= n; k++) {
    double z[2 * BR_LOOP_MAX_STATE] = {0};
    const double v = k ? SLOWEST * bri_pow(FASTEST / SLOWEST, (double)(k - 1) / (double)(n - 1)) : BRI_SLOW;
    const bri_arc_model a = {s->m,   s->par, NULL, 1, v, 1e-8, s->m->nstate(s->par) + s->m->nmode(s->par),
                             s->stop};
    if (bri_arc_move(&a, 0, 1, 4 * s->U, z, NULL, NULL) != BR_OK) return f;
    const double F = bri_arc_force(&a, 4 * s->U, 1, z);
    if (k == 0) still = F;
    else speed[k - 1] = v, force[k - 1] = F;
  }
  for (size_t k = 0; k < n; k++)
    if (force[k] < force[end]) end = k;
  if (!(force[end] < still * (1 - 1e-6))) return f;
  f.fast = speed[end], f.slow = SLOWEST;
  for (size_t k = end; k-- > 0;) {
    if (force[k] < force[end] + 0.1 * (still - force[end])) f.fast = speed[k];
    if (force[k] > still - 0.1 * (still - force[end])) {
      f.slow = speed[k];
      break;
    }
  }
  return f;
}

static double between(double lo, double hi, double x) { return lo * bri_pow(hi / lo, x); }

/* Fast and then slowly there; back at any speed, and slowly at the end. */
static void build(const bri_cycles *s, const fall *f, const double *x, schedule *c)
{
  const double length = s->U * bri_exp2(-15 + 17 * x[L]);
  const double share = between(1e-5, 0.5, x[SHARE]), back = between(1e-5, 0.5, x[SHARE_BACK]);
  c->n = 4;
  c->length[0] = length * (1 - share), c->length[1] = length * share;
  c->length[2] = -length * (1 - back), c->length[3] = -(c->length[0] + c->length[1] + c->length[2]);
  c->speed[0] = between(0.1 * f->fast, 100 * f->fast, x[V]);
  c->speed[1] = between(1e-5 * f->slow, 10 * f->slow, x[V + 1]);
  c->speed[2] = between(1e-4 * f->slow, 100 * f->fast, x[V + 2]);
  c->speed[3] = between(1e-5 * f->slow, 10 * f->fast, x[V + 3]);
}

/* Work relative to what goes to and fro: what the search makes small. */
static double try_schedule(bri_cycles *s, const fall *f, runner *r, const double *x)
{
  double gross = 0;
  build(s, f, x, &r->c);
  s->report->searched_schedules++;
  for (size_t k = 0; k < r->c.n; k++) {
    s->report->searched_slowest = fmin(s->report->searched_slowest, r->c.speed[k]);
    s->report->searched_fastest = fmax(s->report->searched_fastest, r->c.speed[k]);
  }
  const double work = work_of(r, s->U, &gross);
  if (!(work < DBL_MAX) || !(gross > 0)) return 2;
  note_schedule(s, r, BR_CYCLE_SCHEDULE, work, gross);
  return fabs(work) > 1e-9 * gross ? work / gross : 1; /* a spring that never slips teaches nothing */
}

/* Compass search from the best point: one number at a time, the step halved when none helps. */
static void refine(bri_cycles *s, const fall *f, runner *r, double *x, double best, int tries)
{
  for (double step = 0.1; step > 0.004 && tries > 0;) {
    int better = 0;
    for (int k = 0; k < NUMBERS && tries > 0; k++)
      for (int side = -1; side <= 1 && tries > 0; side += 2, tries--) {
        const double keep = x[k];
        x[k] = fmin(1, fmax(0, keep + side * step));
        const double here = try_schedule(s, f, r, x);
        if (here < best) best = here, better = 1;
        else x[k] = keep;
      }
    if (!better) step *= 0.5;
  }
}

void bri_cycles_schedules(bri_cycles *s)
{
  const int exact = (s->m->flags & BR_MODEL_EXACT_STEP) != 0, share = exact ? 1 : 10;
  double *pairs = pairs_of(s), x[NUMBERS], top[NUMBERS] = {0}, best = 2;
  if (s->no_memory) return;
  runner r = {.arc = {s->m, s->par, pairs, 1, 1, 1e-9, s->m->nstate(s->par) + s->m->nmode(s->par), s->stop}};
  const fall f = find_fall(s);
  s->report->searched_slowest = DBL_MAX;
  for (int i = 1; i <= SCHEDULES / share; i++) {
    for (int k = 0; k < NUMBERS; k++) {           /* an even scatter: multiples of irrational steps */
      static const double root = 1.0969815577559; /* of x^8 = x + 1: the step for seven numbers */
      x[k] = fmod(0.5 + i * bri_pow(root, -(k + 1)), 1);
    }
    const double here = try_schedule(s, &f, &r, x);
    if (here < best) best = here, memcpy(top, x, sizeof top);
  }
  refine(s, &f, &r, top, best, REFINEMENTS / share);
  bri_free(pairs);
}
