/* SPDX-License-Identifier: Apache-2.0
 * map.c - the name of the case on a grid of two parameters, in threads. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../base/team.h"
#include "../text/fail.h"
#include "phase_internal.h"
#include "strips.h"

/* What the threads share; names are entered under the lock. */
typedef struct {
  const br_case_map_settings *s;
  bri_plane p;
  int which1, which2;
  unsigned char *cell;
  char (*names)[BR_CASE_NAME];
  size_t n_names;
  int full;
  pthread_mutex_t lock; /* of the names */
} work;

static double place(double a, double b, size_t i, size_t n)
{
  return n > 1 ? a + (b - a) * (double)i / (double)(n - 1) : a;
}

/* Index of a name, entered when new; the caller holds the lock. */
static unsigned char index_of(work *w, const char *name)
{
  size_t i = 0;
  while (i < w->n_names && strcmp(w->names[i], name) != 0) i++;
  if (i == w->n_names) {
    if (w->n_names == BR_CASE_NAMES) {
      w->full = 1;
      return 0;
    }
    (void)snprintf(w->names[i], BR_CASE_NAME, "%s", name);
    w->n_names++;
  }
  return (unsigned char)i;
}

/* The case where the two parameters have these values. */
static br_status case_at(void *ctx, double x, double y, unsigned char *kind)
{
  work *w = ctx;
  bri_plane p = w->p;
  bri_line line;
  bri_vary_set(&p, w->which1, x);
  bri_vary_set(&p, w->which2, y);
  p.F = fabs(p.F);
  bri_line_of(&p, 0, BRI_NAME, &line);
  (void)pthread_mutex_lock(&w->lock);
  *kind = index_of(w, line.name);
  (void)pthread_mutex_unlock(&w->lock);
  return bri_stopped(p.stop) ? BR_INTERRUPTED : BR_OK;
}

/* Row i of the grid. */
static br_status row(void *ctx, size_t i, br_err *err)
{
  work *w = ctx;
  const br_case_map_settings *s = w->s;
  br_status st = BR_OK;
  (void)err;
  for (size_t j = 0; j < s->n2 && !st; j++)
    st = case_at(w, place(s->a1, s->b1, i, s->n1), place(s->a2, s->b2, j, s->n2), &w->cell[i * s->n2 + j]);
  return st;
}

/* Names in the order of the first cell that has them, so that the result does not depend on the threads. */
static void sort_names(const work *w)
{
  unsigned char to[BR_CASE_NAMES];
  char sorted[BR_CASE_NAMES][BR_CASE_NAME];
  size_t n = 0;
  memset(to, 255, sizeof to);
  for (size_t i = 0; i < w->s->n1 * w->s->n2; i++) {
    if (to[w->cell[i]] == 255) {
      to[w->cell[i]] = (unsigned char)n;
      memcpy(sorted[n++], w->names[w->cell[i]], BR_CASE_NAME);
    }
    w->cell[i] = to[w->cell[i]];
  }
  memcpy(w->names, sorted, n * sizeof sorted[0]);
}

/* What both questions need: the plane, the parameters, their ranges. */
static br_status prepare(work *w, const br_phase_problem *problem, const br_case_map_settings *s, br_err *err)
{
  memset(w, 0, sizeof *w);
  br_status st = bri_plane_of(problem->model, problem->par, problem->m, problem->F, &w->p, err);
  if (st) return st;
  w->which1 = bri_vary_find(problem->model, s->vary1, err);
  if (w->which1 < 0) return BR_E_NAME;
  w->which2 = bri_vary_find(problem->model, s->vary2, err);
  if (w->which2 < 0) return BR_E_NAME;
  if (w->which1 == BRI_VARY_SIGMA1 || w->which2 == BRI_VARY_SIGMA1 || w->which1 == w->which2)
    return bri_fail(err, BR_E_ARG,
                    "phase: a case map needs two different parameters other than sigma1 (cases are "
                    "events along sigma1), got %s and %s",
                    s->vary1, s->vary2);
  if (s->n1 < 1 || s->n2 < 1 || s->n1 > 10000 || s->n2 > 10000)
    return bri_fail(err, BR_E_SIZE, "phase: a case map of %zu x %zu cells; 1 to 10000 per side", s->n1,
                    s->n2);
  /* corners: bounds are intervals, and Fs >= Fc is linear */
  for (int c = 0; c < 4 && !st; c++) {
    bri_plane p = w->p;
    st = bri_vary_check(problem->model, &p, w->which1, c & 1 ? s->b1 : s->a1, err);
    if (st) break;
    bri_vary_set(&p, w->which1, c & 1 ? s->b1 : s->a1);
    st = bri_vary_check(problem->model, &p, w->which2, c & 2 ? s->b2 : s->a2, err);
  }
  if (st) return st;
  w->p.stop = &problem->stop;
  w->s = s;
  if (pthread_mutex_init(&w->lock, NULL)) return bri_fail(err, BR_E_NOMEM, "phase: no mutex");
  return BR_OK;
}

static br_status finish(work *w, br_status st, br_err *err)
{
  (void)pthread_mutex_destroy(&w->lock);
  if (st || !w->full) return st;
  return bri_fail(err, BR_E_SIZE, "phase: more than %d different cases", BR_CASE_NAMES);
}

br_status br_phase_case_map(const br_phase_problem *problem, const br_case_map_settings *s,
                            unsigned char *cell, char names[BR_CASE_NAMES][BR_CASE_NAME], size_t *n_names,
                            br_err *err)
{
  work w;
  if (!problem || !s || !cell || !names || !n_names || !s->vary1 || !s->vary2)
    return bri_fail(err, BR_E_ARG, "br_phase_case_map: an argument is NULL");
  *n_names = 0;
  br_status st = prepare(&w, problem, s, err);
  if (st) return st;
  w.cell = cell;
  w.names = names;
  const bri_team team = {s->n1, s->threads, row, &w, s->progress, s->ctx};
  st = finish(&w, bri_team_run(&team, err), err);
  if (st) return st;
  sort_names(&w);
  *n_names = w.n_names;
  return BR_OK;
}

br_status bri_case_strips(const br_phase_problem *problem, const br_case_map_settings *s,
                          const unsigned char *cell, char names[BR_CASE_NAMES][BR_CASE_NAME], size_t *n_names,
                          bri_strip *strip, size_t *n, br_err *err)
{
  work w;
  const br_status st = prepare(&w, problem, s, err);
  if (st) return st;
  w.names = names;
  w.n_names = *n_names;
  const bri_strips_of of = {s->a1, s->b1, s->a2, s->b2, s->n1, s->n2, cell, s->threads, case_at, &w};
  const br_status made = bri_strips_make(&of, strip, n, err);
  *n_names = w.n_names;
  return finish(&w, made, err);
}
