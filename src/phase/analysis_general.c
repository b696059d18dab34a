/* SPDX-License-Identifier: Apache-2.0
 * analysis_general.c - 'phase' of any mechanism with two or three states: sliding equilibria, Hopf points and
 * folds, branches of cycles, where the cycle reached from rest ends, where two motions are stable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/elementary.h"
#include "../base/order.h"
#include "general.h"

enum { FOUND = 16, MOST_NOTES = 12 };

/* ---- branches ---- */

static int follow(void *ctx, double value)
{
  const bri_general *g = ctx;
  const bri_vary *v = &g->q->vary;
  const double part = 0.2 + 0.6 * fmin(1, fmax(0, (value - v->a) / (v->b - v->a)));
  return br_sink_alive(g->q->out, part, NULL) != BR_OK;
}

/* The values of 'at', ascending, each once. */
static size_t distinct(const bri_question *q, double at[BRI_PHASE_MOST_AT])
{
  size_t n = 0;
  memcpy(at, q->at, q->nat * sizeof *at);
  bri_sort(q->nat, at);
  for (size_t i = 0; i < q->nat; i++)
    if (!n || at[i] != at[n - 1]) at[n++] = at[i];
  return n;
}

static br_status find_all(bri_general *g, br_phase_doubt *doubt, br_err *err)
{
  const bri_vary *v = &g->q->vary;
  br_phase_event e[FOUND];
  size_t n = 0;
  double at[BRI_PHASE_MOST_AT];
  br_phase_branch_settings set = br_phase_branch_settings_default();
  set.at = at, set.nat = distinct(g->q, at);
  set.progress = follow, set.ctx = g;
  br_status st = BR_OK;
  if (g->q->parts & BRI_PART_HOPF)
    st = br_phase_hopf_points_searched(&g->p, v->where, v->slot, v->a, v->b, FOUND, e, &n, doubt, err);
  if (st) return st;
  bri_events_merge(g->event, &g->nevent, BRI_GENERAL_EVENTS, e, n < FOUND ? n : FOUND);
  n = 0;
  if (g->q->parts & BRI_PART_FOLD)
    st = br_phase_fold_points(&g->p, v->where, v->slot, v->a, v->b, FOUND, e, &n, err);
  if (st) return st;
  bri_events_merge(g->event, &g->nevent, BRI_GENERAL_EVENTS, e, n < FOUND ? n : FOUND);
  if (!(g->q->parts & BRI_PART_CYCLES)) return BR_OK;
  st = br_phase_branch_all(&g->p, v->where, v->slot, v->a, v->b, &set, BRI_GENERAL_BRANCHES, g->branch,
                           &g->nbranch, err);
  for (size_t i = 0; i < g->nbranch && !st; i++) {
    const br_phase_event *f = br_phase_branch_events(g->branch[i], &n);
    bri_events_merge(g->event, &g->nevent, BRI_GENERAL_EVENTS, f, n);
  }
  return st;
}

/* ---- equilibria and cycles at the values of 'at' ---- */

static br_status put_equilibria(bri_general *g, size_t *count, br_err *err)
{
  bri_question *q = g->q;
  br_put(q->out, BR_VALUE_LIST, 0, "equilibria");
  for (size_t i = 0; i < q->nat && (q->parts & BRI_PART_EQUILIBRIA); i++) {
    br_phase_steady s[BR_PHASE_MOST_EQUILIBRIA];
    size_t n = 0;
    const br_status st = br_phase_steady_all(&g->p, q->vary.where, q->vary.slot, q->at[i],
                                             BR_PHASE_MOST_EQUILIBRIA, s, &n, err);
    if (st) return st;
    for (size_t k = 0; k < n && k < BR_PHASE_MOST_EQUILIBRIA; k++)
      bri_put_steady(q, (*count)++, q->at[i], &s[k]);
  }
  return BR_OK;
}

static void put_row(bri_question *q, size_t i, const br_phase_row *r)
{
  br_phase_cycle c = {.at = r->value,
                      .period = r->period,
                      .v_min = r->v_min,
                      .v_max = r->v_max,
                      .z_min = r->z_min,
                      .z_max = r->z_max,
                      .multiplier = r->im[0] == 0 ? r->re[0] : bri_hypot(r->re[0], r->im[0]),
                      .stable = r->stable,
                      .lag_total = NAN,
                      .lag_elastic = NAN,
                      .v_mean = NAN};
  (void)snprintf(c.loop, sizeof c.loop, "%s",
                 c.v_min > 0                    ? "sliding"
                 : c.v_max < 0                  ? "sliding backward"
                 : c.v_max == 0 || c.v_min == 0 ? "stick-slip"
                                                : "with reversals");
  bri_put_cycle(q, i, &c);
  for (size_t k = 0; k < r->n; k++) {
    br_put_number(q->out, "1", r->re[k], "cycles.%zu.multipliers.%zu.0", i, k);
    br_put_number(q->out, "1", r->im[k], "cycles.%zu.multipliers.%zu.1", i, k);
  }
}

/* Rows of branches at the values of 'at', by ascending value. */
static br_status put_cycles(bri_general *g, size_t *count, br_err *err)
{
  bri_question *q = g->q;
  double at[BRI_PHASE_MOST_AT];
  const size_t n = distinct(q, at);
  br_put(q->out, BR_VALUE_LIST, 0, "cycles");
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < g->nbranch; j++) {
      size_t rows = 0;
      const br_phase_row *r = br_phase_branch_rows(g->branch[j], &rows);
      for (size_t k = 0; k < rows; k++)
        if (r[k].value == at[i]) put_row(q, (*count)++, &r[k]);
    }
  }
  return br_sink_alive(q->out, 0.85, err);
}

/* ---- branches and their notes ---- */

static br_status put_details(const bri_general *g, size_t i, br_err *err)
{
  static const struct {
    const char *name, *unit;
    size_t at;
  } COLUMNS[] = {
      {"value", NULL, offsetof(br_phase_row, value)},  {"period", "s", offsetof(br_phase_row, period)},
      {"v_min", "m/s", offsetof(br_phase_row, v_min)}, {"v_max", "m/s", offsetof(br_phase_row, v_max)},
      {"z_min", "m", offsetof(br_phase_row, z_min)},   {"z_max", "m", offsetof(br_phase_row, z_max)}};
  enum { N = sizeof COLUMNS / sizeof COLUMNS[0] };
  br_sink *out = g->q->out;
  size_t n = 0;
  const br_phase_row *r = br_phase_branch_rows(g->branch[i], &n);
  char path[N][48];
  br_column head[N];
  for (int c = 0; c < N; c++) {
    (void)snprintf(path[c], sizeof path[c], "branches.%zu.%s", i, COLUMNS[c].name);
    head[c] = (br_column){COLUMNS[c].name, c ? COLUMNS[c].unit : g->q->vary.unit, path[c]};
  }
  const br_table_head h = {
      .name = "branches", .shape = BR_TABLE_ARRAYS, .ncol = N, .columns = head, .rows = n};
  br_status st = br_put_table(out, &h, err);
  for (size_t k = 0; k < n && !st; k++) {
    double row[N];
    for (int c = 0; c < N; c++) row[c] = *(const double *)(const void *)((const char *)&r[k] + COLUMNS[c].at);
    st = br_put_row(out, row, err);
  }
  if (!st) st = br_put_end(out, err);
  for (size_t k = 0; k < n; k++) {
    for (size_t c = 0; c < r[k].n; c++) {
      br_put_number(out, "1", r[k].re[c], "branches.%zu.multipliers.%zu.%zu.0", i, k, c);
      br_put_number(out, "1", r[k].im[c], "branches.%zu.multipliers.%zu.%zu.1", i, k, c);
    }
  }
  for (size_t k = 0; k < n; k++) br_put_flag(out, r[k].stable, "branches.%zu.stable.%zu", i, k);
  return st;
}

static void put_aside(br_sink *out, const char *unit, double x, const char *key, size_t i)
{
  char path[48];
  const br_value v = {BR_VALUE_ASIDE, x, NULL, unit};
  (void)snprintf(path, sizeof path, "branches.%zu.%s", i, key);
  br_put_value(out, &v, path);
}

static br_status put_branches(const bri_general *g, br_err *err)
{
  br_sink *out = g->q->out;
  br_status st = BR_OK;
  br_put(out, BR_VALUE_LIST, 0, "branches");
  for (size_t i = 0; i < g->nbranch && !st; i++) {
    size_t n = 0;
    const br_phase_row *r = br_phase_branch_rows(g->branch[i], &n);
    for (int k = 0; k < 2; k++)
      br_put_text(out, br_phase_end_name(br_phase_branch_end(g->branch[i], k)), "branches.%zu.ends.%d", i, k);
    put_aside(out, "1", (double)n, "rows", i);
    put_aside(out, g->q->vary.unit, n ? r[0].value : NAN, "from", i);
    put_aside(out, g->q->vary.unit, n ? r[n - 1].value : NAN, "to", i);
    if (br_sink_wants(out, "branches")) st = put_details(g, i, err);
  }
  return st;
}

/* What is not known, in words: where rounding hides Hopf points, and branches that were given up.  Such a
 * search is never complete. */
static void put_searched(const bri_general *g, const br_phase_doubt *doubt)
{
  br_sink *out = g->q->out;
  const char *name = g->q->vary.name;
  char text[320];
  size_t count = 0;
  br_put_flag(out, 0, "searched.complete");
  br_put(out, BR_VALUE_LIST, 0, "searched.cycles");
  br_put(out, BR_VALUE_LIST, 0, "searched.notes");
  if (doubt->n) {
    (void)snprintf(
        text, sizeof text,
        "between %s = %.9g and %.9g rounding decides the stability of sliding at some values: a Hopf "
        "point there is not listed",
        name, doubt->from, doubt->to);
    br_put_text(out, text, "searched.notes.%zu", count++);
  }
  for (size_t i = 0; i < g->nbranch; i++) {
    size_t n = 0;
    const br_phase_row *r = br_phase_branch_rows(g->branch[i], &n);
    for (int last = 0; last < 2 && count < MOST_NOTES; last++) {
      const br_phase_end end = br_phase_branch_end(g->branch[i], last);
      if (!n || (end != BR_PHASE_END_STEP && end != BR_PHASE_END_ROWS)) continue;
      (void)snprintf(text, sizeof text,
                     "a branch of cycles was followed to %s = %.9g only: events beyond may be missing", name,
                     r[last ? n - 1 : 0].value);
      br_put_text(out, text, "searched.notes.%zu", count++);
    }
  }
}

/* ---- all of it ---- */

static br_status work(bri_general *g, br_err *err)
{
  bri_question *q = g->q;
  br_phase_doubt doubt = {0};
  size_t nq = 0, nc = 0;
  const int cycles = (q->parts & BRI_PART_CYCLES) != 0;
  br_status st = find_all(g, &doubt, err);
  if (!st) st = put_equilibria(g, &nq, err);
  if (!st) st = bri_put_events(q, g->event, g->nevent, err);
  if (!st) st = put_cycles(g, &nc, err);
  if (st) return st;
  bri_put_counts(q, nq, g->nevent, nc);
  st = put_branches(g, err);
  if (!st && cycles) st = bri_general_ends(g, err);
  if (!st && cycles) st = bri_general_bistable(g, err);
  put_searched(g, &doubt);
  if (!st && bri_phase_draws(q, "equilibria-stable")) st = bri_general_diagram(g, err);
  if (!st && q->has_lag) st = bri_phase_imposed(q, err);
  br_put_text(q->out, NULL, "case");
  return st;
}

br_status bri_phase_general(bri_question *q, br_err *err)
{
  static const char *const PLANE_ONLY[] = {"portrait", "loops", "map", "hopf", "stribeck"};
  const br_phase_plant p = {q->sys, q->spar, q->m, q->par, q->held, q->out->stop};
  int other = q->vary2.name[0] != '\0';
  for (size_t i = 0; i < sizeof PLANE_ONLY / sizeof PLANE_ONLY[0]; i++)
    other = other || br_job_flag(q->job, PLANE_ONLY[i]);
  if (other)
    return bri_fail(err, BR_E_ARG,
                    "without driven_block and plain lugre there is %sdiagram along one parameter only",
                    br_job_dash(q->job));
  bri_general *g = bri_phase_get(q, sizeof *g);
  if (!g) return bri_phase_no_memory(err);
  g->q = q;
  g->p = p;
  const br_status st = work(g, err);
  for (size_t i = 0; i < g->nbranch; i++) br_phase_branch_destroy(g->branch[i]);
  return st;
}
