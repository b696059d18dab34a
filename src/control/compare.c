/* SPDX-License-Identifier: Apache-2.0
 * compare.c - the line-up of controllers, one of them over the corners of its wrong parameters, all of them
 * over the same scenarios. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/order.h"
#include "../text/fail.h"
#include "controller.h"
#include "run.h"
#include "../base/team.h"
#include "trial.h"

int br_control_lineup(size_t i, br_control_entry *entry)
{
  static const struct {
    const char *name;
    br_control_kind kind;
    br_control_law law;
    int ideal, integral;
  } rows[] = {
      {"feedback linearisation, published", BR_CONTROL_FEEDBACK_LINEARIZATION, BR_LAW_PUBLISHED, 1, 0},
      {"feedback linearisation, true z", BR_CONTROL_FEEDBACK_LINEARIZATION, BR_LAW_CORRECTED, 1, 0},
      {"feedback linearisation, estimated z", BR_CONTROL_FEEDBACK_LINEARIZATION, BR_LAW_CORRECTED, 0, 0},
      {"feedback linearisation, estimated z + integrator", BR_CONTROL_FEEDBACK_LINEARIZATION,
       BR_LAW_CORRECTED, 0, 1},
      {"sliding mode (accelerometer)", BR_CONTROL_SLIDING_MODE, BR_LAW_CORRECTED, 0, 0},
      {"observer", BR_CONTROL_OBSERVER, BR_LAW_CORRECTED, 0, 0},
      {"observer + PI", BR_CONTROL_OBSERVER, BR_LAW_CORRECTED, 0, 1},
      {"cascade PI", BR_CONTROL_CASCADE_PI, BR_LAW_CORRECTED, 0, 0},
      {"plain PI", BR_CONTROL_PI, BR_LAW_CORRECTED, 0, 0},
      {"sliding mode, implicit (accelerometer)", BR_CONTROL_SLIDING_MODE_IMPLICIT, BR_LAW_CORRECTED, 0, 0},
      {"adaptive", BR_CONTROL_ADAPTIVE, BR_LAW_CORRECTED, 0, 0},
      {"feed-forward", BR_CONTROL_FEEDFORWARD, BR_LAW_CORRECTED, 0, 0}};
  if (!entry || i >= sizeof rows / sizeof rows[0]) return 0;
  entry->name = rows[i].name;
  entry->set = br_control_settings_default(rows[i].kind);
  entry->set.law = rows[i].law;
  entry->set.true_bristle = rows[i].ideal;
  entry->set.integral = rows[i].integral;
  /* A plain PI has no poles to place: with the undamped spring s^3 + w^2 (1 + kp) s + w^2 ki is never
   * stable, friction alone damps it.  Its gains are what br_control_tune() finds on a unit step with
   * |u| <= 50 from kp = ki = 1 (docs/control.md); ki is the lower end of that search. */
  if (rows[i].kind == BR_CONTROL_PI) entry->set.kp = 32, entry->set.ki = 0.01;
  return 1;
}

static double at_most(double x, double cap) { return x > cap ? cap : x; }

void br_control_pace(br_control_settings *s, double h)
{
  if (!(h > 0)) return;
  for (int i = 0; i < 3; i++) s->poles[i] = -at_most(-s->poles[i], 1 / (10 * h));
  s->lambda = at_most(s->lambda, 1 / (20 * h));
  s->eta = at_most(s->eta, s->phi / (5 * h));
  if (!bri_law(s->kind, BR_DOES_CASCADE)) return;
  const double slower = at_most(s->inner, 1 / (5 * h)) / s->inner;
  s->inner *= slower, s->kp *= slower, s->ki *= slower * slower;
}

br_status br_control_corners(const br_control_case *j, const br_control_settings *set, size_t tracked,
                             const char *const *names, size_t n, double part, br_control_result *worst,
                             unsigned *corner, br_err *err)
{
  if (!j || !set || !worst || !j->sys || !j->spar || !j->mod || !j->mpar || (n && !names))
    return bri_fail(err, BR_E_ARG, "br_control_corners: NULL argument");
  if (n > BRI_WRONG_MAX || !(part >= 0 && part < 1))
    return bri_fail(err, BR_E_RANGE, "br_control_corners: %zu parameters by %.9g: at most 16, by 0 to 1", n,
                    part);
  bri_wrong w;
  br_status st = bri_wrong_find(j, names, n, &w, err);
  memset(worst, 0, sizeof *worst);
  worst->error_rms = -1;
  for (unsigned k = 0; k < 1u << n && !st && !isinf(worst->error_rms); k++) {
    double factor[BRI_WRONG_MAX];
    br_control_result r;
    bri_corner(k, n, part, factor);
    st = bri_trial(j, set, tracked, &w, factor, &r, err);
    if (st || !(r.error_rms > worst->error_rms)) continue;
    *worst = r;
    if (corner) *corner = k;
  }
  if (!st && worst->error_rms < 0)
    st = bri_fail(err, BR_E_RANGE, "no corner of +-%.9g has valid parameters", part);
  return st;
}

/* ---- all controllers over all scenarios ---------------------------------------------------------------- */

br_control_comparison br_control_comparison_default(void)
{
  br_control_comparison c;
  memset(&c, 0, sizeof c);
  c.part = 0.2;
  c.limit = INFINITY;
  c.delay = NAN; /* one sample */
  c.seed = 1;
  return c;
}

enum { NOMINAL, TOGETHER, CORNERS, HARD, DRAWS, GROUPS };

typedef struct {
  const br_control_comparison *what;
  const br_control_entry *list;
  br_control_case hard; /* with noise and delay */
  bri_wrong all, friction;
  size_t from[GROUPS + 1]; /* first piece of each group; last: pieces per controller */
  double *rms, *effort;
  atomic_size_t *lost; /* per controller: first corner that ran away */
} study;

/* Factors of one piece. */
static void factors(const study *s, int group, size_t k, double *f)
{
  const double part = s->what->part;
  if (group == TOGETHER) bri_corner(k ? ~0u : 0u, s->friction.n, part, f);
  if (group == CORNERS) bri_corner((unsigned)k, s->all.n, part, f);
  if (group == HARD) bri_corner((unsigned)k, s->friction.n, part, f);
  if (group == DRAWS) {
    uint64_t stream = bri_stream(s->what->seed, k);
    for (size_t i = 0; i < s->all.n; i++) f[i] = 1 + part * (2 * bri_uniform(&stream) - 1);
  }
}

/* For a law without a friction model: is there an earlier piece that differs in friction parameters only? */
static int repeats(const study *s, int group, size_t k)
{
  if (group == TOGETHER || group == HARD) return k > 0;
  for (size_t i = 0; group == CORNERS && i < s->all.n; i++)
    if (s->all.of_model[i] && (k >> i & 1)) return 1;
  return 0;
}

static br_status piece(void *ctx, size_t i, br_err *err)
{
  study *s = (study *)ctx;
  const size_t each = s->from[GROUPS], who = i / each, k = i % each;
  int group = DRAWS;
  while (k < s->from[group]) group--;
  const size_t at = k - s->from[group];
  s->rms[i] = NAN;
  if (!br_control_needs_model(s->list[who].set.kind) && repeats(s, group, at)) return BR_OK;
  /* behind a corner that ran away no other one counts; it comes first in every order of the threads */
  if (group == CORNERS && at > atomic_load(&s->lost[who])) return BR_OK;
  const int hard = group == TOGETHER || group == HARD || group == DRAWS;
  br_control_case job = hard ? s->hard : *s->what->job;
  br_control_settings set = s->list[who].set;
  br_control_result r;
  double f[BRI_WRONG_MAX];
  if (hard) set.limit = fmin(set.limit, s->what->limit);
  if (group == DRAWS) job.seed = bri_stream(s->what->seed, ~(uint64_t)at); /* noise of its own */
  factors(s, group, at, f);
  const bri_wrong *w = group == NOMINAL ? NULL : group == TOGETHER || group == HARD ? &s->friction : &s->all;
  const br_status st = bri_trial(&job, &set, s->what->tracked, w, f, &r, err);
  if (st == BR_E_UNSUPPORTED) return BR_OK; /* does not fit: its places stay empty */
  s->rms[i] = r.error_rms;
  if (group == NOMINAL) s->effort[who] = isfinite(r.error_rms) ? r.rms_control : NAN;
  if (group == CORNERS && isinf(r.error_rms)) {
    size_t first = atomic_load(&s->lost[who]);
    while (at < first && !atomic_compare_exchange_weak(&s->lost[who], &first, at)) continue;
  }
  return st;
}

static double largest(const double *rms, size_t n, unsigned *which)
{
  double most = NAN;
  for (size_t k = 0; k < n; k++)
    if (rms[k] > most || (isnan(most) && !isnan(rms[k]))) most = rms[k], *which = (unsigned)k;
  return most;
}

/* rms of the reference over the window: what doing nothing costs. */
static double idle(const br_control_case *j)
{
  enum { POINTS = 20000 };
  const double from = bri_window_from(j), to = bri_window_to(j);
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    const double r = br_signal_value(j->reference, from + (to - from) * (i + 0.5) / POINTS);
    sum += r * r;
  }
  return sqrt(sum / POINTS);
}

static void score(const study *s, double *rms, double effort, double nothing, br_control_score *out)
{
  unsigned either = 0;
  const size_t *from = s->from;
  double *draws = rms + from[DRAWS];
  memset(out, 0, sizeof *out);
  out->effort = effort;
  out->nominal = rms[0];
  out->combined = largest(rms + from[TOGETHER], 2, &either);
  out->worst = largest(rms + from[CORNERS], from[HARD] - from[CORNERS], &out->worst_corner);
  out->hardest = largest(rms + from[HARD], from[DRAWS] - from[HARD], &out->hardest_corner);
  size_t n = 0;
  for (size_t k = 0; k < from[GROUPS] - from[DRAWS]; k++)
    if (!isnan(draws[k])) draws[n++] = draws[k];
  out->drawn = n;
  out->median = out->high = NAN;
  if (!n) return;
  for (size_t k = 0; k < n; k++) out->lost += draws[k] > nothing;
  bri_sort(n, draws);
  out->median = n % 2 ? draws[n / 2] : 0.5 * (draws[n / 2 - 1] + draws[n / 2]);
  out->high = draws[(size_t)ceil(0.95 * (double)n) - 1];
}

static br_status check(const br_control_comparison *w, const br_control_entry *list, size_t count,
                       const br_control_score *scores, br_err *err)
{
  const br_control_case *j = w ? w->job : NULL;
  if (!j || !list || !scores || !j->sys || !j->spar || !j->mod || !j->mpar || !j->reference ||
      (w->n && !w->names))
    return bri_fail(err, BR_E_ARG, "br_control_compare: NULL argument");
  if (count < 1 || count > 1000 || w->n > 12 || w->samples > 1000000)
    return bri_fail(err, BR_E_RANGE,
                    "comparison of %zu controllers, %zu parameters, %zu samples: at most 1000, 12, 1e6",
                    count, w->n, w->samples);
  if (!(w->part >= 0 && w->part < 1) || !(w->limit > 0))
    return bri_fail(err, BR_E_RANGE, "comparison: part = %.9g, limit = %.9g: must be 0 to 1, > 0", w->part,
                    w->limit);
  if (!(j->sample > 0))
    return bri_fail(err, BR_E_ARG, "comparison: give a sample time; noise and delay need one");
  return BR_OK;
}

br_status br_control_compare(const br_control_comparison *what, const br_control_entry *list, size_t count,
                             br_control_score *scores, br_err *err)
{
  study s;
  memset(&s, 0, sizeof s);
  br_status st = check(what, list, count, scores, err);
  if (!st) st = bri_wrong_find(what->job, what->names, what->n, &s.all, err);
  if (st) return st;
  const char *names[BRI_WRONG_MAX];
  size_t n = 0;
  for (size_t i = 0; i < what->n; i++)
    if (s.all.of_model[i]) names[n++] = what->names[i];
  st = bri_wrong_find(what->job, names, n, &s.friction, err);
  if (st) return st;
  s.what = what, s.list = list;
  s.hard = *what->job;
  s.hard.noise = what->noise, s.hard.noise_accel = what->noise_accel;
  s.hard.delay = isnan(what->delay) ? what->job->sample : what->delay;
  const size_t pieces[GROUPS] = {1, 2, (size_t)1 << s.all.n, (size_t)1 << s.friction.n, what->samples};
  for (int g = 0; g < GROUPS; g++) s.from[g + 1] = s.from[g] + pieces[g];
  const size_t each = s.from[GROUPS];
  s.rms = (double *)bri_malloc_array(count, (each + 1) * sizeof *s.rms);
  s.lost = (atomic_size_t *)bri_malloc_array(count, sizeof *s.lost);
  if (!s.rms || !s.lost) st = bri_fail(err, BR_E_NOMEM, "no memory for a comparison");
  if (!st) {
    s.effort = s.rms + count * each;
    for (size_t i = 0; i < count; i++) atomic_init(&s.lost[i], (size_t)-1), s.effort[i] = NAN;
    const bri_team team = {count * each, what->threads, piece, &s, what->progress, what->ctx};
    st = bri_team_run(&team, err);
  }
  const double nothing = st ? 0 : idle(what->job);
  for (size_t i = 0; i < count && !st; i++) score(&s, s.rms + i * each, s.effort[i], nothing, &scores[i]);
  bri_free(s.rms);
  bri_free(s.lost);
  return st;
}
