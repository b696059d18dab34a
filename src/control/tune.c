/* SPDX-License-Identifier: Apache-2.0
 * tune.c - better gains for a case: Nelder-Mead in the logarithms of the gains. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/alloc.h"
#include "../text/fail.h"
#include "bristle/text.h"
#include "../base/team.h"
#include "controller.h"
#include "trial.h"

enum { GAINS = 8, CASES = 1 + (1 << 8) };

static const char *const POLES[3] = {"pole1", "pole2", "pole3"};

double *br_control_gain_find(br_control_settings *set, const char *name)
{
  const char *row;
  double *at;
  for (size_t i = 0; set && name && br_control_gain(set, i, &row, &at, NULL, NULL); i++)
    if (strcmp(row, name) == 0) return at;
  for (size_t i = 0; set && name && i < 3; i++)
    if (strcmp(POLES[i], name) == 0) return &set->poles[i];
  return NULL;
}

/* Its poles, as many as count, then the gains of its row. */
const char *br_control_gain_name(const br_control_settings *set, size_t i)
{
  const char *name = NULL;
  if (!set) return NULL;
  const size_t poles = !br_control_places_poles(set->kind) ? 0 : set->integral ? 3 : 2;
  if (i < poles) return POLES[i];
  const char *word = bri_law_gains(set->kind);
  for (i -= poles; i > 0 && *word; i--) word += strcspn(word, "|"), word += *word == '|';
  const size_t n = strcspn(word, "|");
  for (size_t k = 0; n && br_control_gain(NULL, k, &name, NULL, NULL, NULL); k++)
    if (strlen(name) == n && memcmp(name, word, n) == 0) return name;
  return NULL;
}

br_control_tuning br_control_tuning_default(void)
{
  br_control_tuning t;
  memset(&t, 0, sizeof t);
  t.part = 0.2;
  t.weight = 1e-4;
  t.span = 100;
  t.max_evals = 200;
  return t;
}

typedef struct {
  const br_control_tuning *what;
  const br_control_settings *start;
  br_control_settings set; /* being tried */
  bri_wrong wrong;
  size_t cases;
  double factor[CASES][BRI_WRONG_MAX], cost[CASES];
  size_t evals;
  br_status st;
  br_err why;
} search;

static void apply(const search *s, const double *x, br_control_settings *set)
{
  const br_control_tuning *w = s->what;
  *set = *s->start;
  for (size_t i = 0; i < w->ngain; i++) {
    double *g = br_control_gain_find(set, w->gains[i]);
    const double reach = bri_log(w->span), at = x[i] > reach ? reach : x[i] < -reach ? -reach : x[i];
    if (g) *g *= bri_exp(at);
  }
}

static br_status one_case(void *ctx, size_t k, br_err *err)
{
  search *s = (search *)ctx;
  br_control_result r;
  const br_status st = bri_trial(s->what->job, &s->set, s->what->tracked, &s->wrong, s->factor[k], &r, err);
  s->cost[k] = isfinite(r.error_rms) ? r.error_rms + s->what->weight * r.rms_control : r.error_rms;
  return st;
}

/* Mean cost of gains exp(x) times the start; NAN of a case that is not valid is left out. */
static double cost(search *s, const double *x)
{
  if (s->st) return INFINITY;
  const bri_team team = {s->cases, s->what->threads, one_case, s, NULL, NULL};
  apply(s, x, &s->set);
  s->st = bri_team_run(&team, &s->why);
  s->evals++;
  if (s->what->progress && s->what->progress(s->what->ctx, (double)s->evals / (double)s->what->max_evals))
    s->st = bri_fail(&s->why, BR_INTERRUPTED, "interrupted");
  double sum = 0;
  size_t n = 0;
  for (size_t k = 0; k < s->cases; k++)
    if (!isnan(s->cost[k])) sum += s->cost[k], n++;
  return s->st || !n ? INFINITY : sum / (double)n;
}

static void order(size_t n, double (*x)[GAINS], double *f)
{
  for (size_t i = 1; i <= n; i++) /* insertion: stable, so the same every time */
    for (size_t j = i; j > 0 && f[j] < f[j - 1]; j--) {
      double swap[GAINS];
      const double g = f[j];
      f[j] = f[j - 1], f[j - 1] = g;
      memcpy(swap, x[j], sizeof swap);
      memcpy(x[j], x[j - 1], sizeof swap);
      memcpy(x[j - 1], swap, sizeof swap);
    }
}

/* One Nelder-Mead search around x (best point in and out).  Returns 1 when the simplex has shrunk. */
static int simplex(search *s, double step, double *best, double *f_best)
{
  const size_t n = s->what->ngain;
  double x[GAINS + 1][GAINS] = {{0}}, f[GAINS + 1], mid[GAINS], tried[GAINS], far[GAINS];
  memcpy(x[0], best, n * sizeof *best);
  f[0] = *f_best;
  for (size_t i = 0; i < n; i++) {
    memcpy(x[i + 1], best, n * sizeof *best);
    x[i + 1][i] += step;
    f[i + 1] = cost(s, x[i + 1]);
  }
  int small = 0;
  for (;;) {
    order(n, x, f);
    double wide = 0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 1; j <= n; j++) wide = fmax(wide, fabs(x[j][i] - x[0][i]));
    small = wide < 2e-3 || (isfinite(f[n]) && f[n] - f[0] <= 1e-7 * fabs(f[0]));
    if (small || s->st || s->evals >= s->what->max_evals) break;
    for (size_t i = 0; i < n; i++) {
      mid[i] = 0;
      for (size_t j = 0; j < n; j++) mid[i] += x[j][i] / (double)n;
      tried[i] = 2 * mid[i] - x[n][i];
    }
    const double f_try = cost(s, tried);
    if (f_try < f[0]) { /* further the same way */
      for (size_t i = 0; i < n; i++) far[i] = 3 * mid[i] - 2 * x[n][i];
      const double f_far = cost(s, far);
      memcpy(x[n], f_far < f_try ? far : tried, sizeof mid);
      f[n] = fmin(f_far, f_try);
      continue;
    }
    if (f_try < f[n - 1] || (n == 1 && f_try < f[1])) {
      memcpy(x[n], tried, sizeof mid);
      f[n] = f_try;
      continue;
    }
    /* between the centre and the better of the two ends */
    const double *end = f_try < f[n] ? tried : x[n];
    for (size_t i = 0; i < n; i++) far[i] = 0.5 * (mid[i] + end[i]);
    const double f_in = cost(s, far);
    if (f_in < fmin(f_try, f[n])) {
      memcpy(x[n], far, sizeof mid);
      f[n] = f_in;
      continue;
    }
    for (size_t j = 1; j <= n; j++) {
      for (size_t i = 0; i < n; i++) x[j][i] = 0.5 * (x[0][i] + x[j][i]);
      f[j] = cost(s, x[j]);
    }
  }
  memcpy(best, x[0], n * sizeof *best);
  *f_best = f[0];
  return small;
}

/* Cases: nominal, then the corners, or the model's numbers all up and all down. */
static br_status plan(search *s, br_err *err)
{
  const br_control_tuning *w = s->what;
  const char *names[BRI_WRONG_MAX];
  size_t n = 0;
  if (!(w->part > 0)) {
    s->cases = 1;
    return bri_wrong_find(w->job, NULL, 0, &s->wrong, err);
  }
  for (; n < w->n; n++) names[n] = w->names[n];
  for (size_t i = 0; !w->n && i < w->job->mod->nparam && n < BRI_WRONG_MAX; i++) {
    const br_param *p = &w->job->mod->params[i];
    if (p->max_len == 1 && !p->choices && strcmp(p->unit, "1") != 0) names[n++] = p->name;
  }
  const br_status st = bri_wrong_find(w->job, names, n, &s->wrong, err);
  if (st) return st;
  for (size_t i = 0; i < n; i++) s->factor[0][i] = 1;
  s->cases = 1 + (w->n ? (size_t)1 << n : 2);
  for (size_t k = 1; k < s->cases; k++)
    bri_corner(w->n ? (unsigned)(k - 1) : k == 1 ? 0u : ~0u, n, w->part, s->factor[k]);
  return BR_OK;
}

static br_status check(const br_control_tuning *w, br_control_settings *set, const br_control_tuned *out,
                       br_err *err)
{
  const br_control_case *j = w ? w->job : NULL;
  if (!j || !set || !out || !j->sys || !j->spar || !j->mod || !j->mpar || !j->reference || !w->gains ||
      (w->n && !w->names))
    return bri_fail(err, BR_E_ARG, "br_control_tune: NULL argument");
  if (w->ngain < 1 || w->ngain > GAINS || w->n > 8)
    return bri_fail(err, BR_E_RANGE, "tuning of %zu gains over %zu parameters: 1 to %d, at most 8", w->ngain,
                    w->n, (int)GAINS);
  const struct {
    const char *name;
    double value, least, most;
  } rows[] = {{"part", w->part, 0, 0.999}, {"weight", w->weight, 0, 1e300}, {"span", w->span, 1, 1e12}};
  for (size_t i = 0; i < 3; i++)
    if (!(rows[i].value >= rows[i].least && rows[i].value <= rows[i].most))
      return bri_fail(err, BR_E_RANGE, "tuning: %s = %.9g is out of range: must be %g to %g", rows[i].name,
                      rows[i].value, rows[i].least, rows[i].most);
  for (size_t i = 0; i < w->ngain; i++) {
    const double *g = br_control_gain_find(set, w->gains[i]);
    if (!g) {
      const char *names[64] = {POLES[0], POLES[1], POLES[2]};
      size_t n = 3;
      while (n < 64 && br_control_gain(set, n - 3, &names[n], NULL, NULL, NULL)) n++;
      const char *near = br_nearest_name(w->gains[i], names, n);
      return bri_text_fail(err, BR_E_NAME, (int)i, "no gain '%s'%s%s%s", w->gains[i],
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (!(*g != 0 && isfinite(*g)))
      return bri_text_fail(err, BR_E_RANGE, (int)i,
                           "gain %s = %.9g cannot be tuned: start with another value", w->gains[i], *g);
  }
  return BR_OK;
}

br_status br_control_tune(const br_control_tuning *what, br_control_settings *set, br_control_tuned *out,
                          br_err *err)
{
  br_status st = check(what, set, out, err);
  if (st) return st;
  memset(out, 0, sizeof *out);
  search *s = (search *)bri_calloc(1, sizeof *s);
  if (!s) return bri_fail(err, BR_E_NOMEM, "no memory for tuning");
  const br_control_settings start = *set;
  s->what = what, s->start = &start;
  st = plan(s, err);
  if (!st) {
    double x[GAINS] = {0}, f = cost(s, x);
    out->before = f;
    out->converged = simplex(s, 0.5, x, &f);
    if (!s->st && out->converged && s->evals < what->max_evals) out->converged = simplex(s, -0.25, x, &f);
    st = s->st;
    if (st && err) *err = s->why;
    if (!st && f < out->before) apply(s, x, set);
    out->after = f;
    out->evaluations = s->evals;
  }
  bri_free(s);
  return st;
}
