/* SPDX-License-Identifier: Apache-2.0
 * analysis_plane.c - 'phase' of a driven block with plain LuGre friction: closed forms and sections of the
 * plane. */

#include "question.h"

enum { MOST_EVENTS = 128, GENERALIZED = 16 };

/* With events the analysis along the range knows them; without, one along a touch of sigma1 is made for each
 * value, which costs next to nothing. */
br_status bri_plane_equilibria(bri_question *q, double value, br_equilibrium *e, size_t *n, br_err *err)
{
  br_phase_problem at = q->problem;
  br_phase *one = NULL;
  const br_param *row = br_model_param(q->m, "sigma1");
  if (q->phase) return br_phase_equilibria(q->phase, value, BR_PHASE_MOST_EQUILIBRIA, e, n, err);
  if (q->vary.where == BR_VARY_INPUT) at.F = value;
  else if (q->vary.where == BR_VARY_SYSTEM) at.m = value;
  else at.par = bri_phase_block(q, value);
  if (!at.par || !row) return bri_phase_no_memory(err);
  const double s1 = at.par[row->slot];
  br_status st = br_phase_create_local(&at, "sigma1", s1, s1 + 1e-6 * (s1 + 1), &one, err);
  if (!st) st = br_phase_equilibria(one, s1, BR_PHASE_MOST_EQUILIBRIA, e, n, err);
  br_phase_destroy(one);
  return st;
}

/* Equilibria and cycles at the values of 'at', and how far was looked. */
static br_status put_states(bri_question *q, size_t nevent, br_err *err)
{
  size_t nq = 0, nc = 0;
  br_phase_search search[BRI_PHASE_MOST_AT];
  const int look = (q->parts & BRI_PART_CYCLES) != 0;
  int complete = look;
  br_put(q->out, BR_VALUE_LIST, 0, "cycles");
  for (size_t i = 0; i < q->nat; i++) {
    br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
    br_phase_cycle c[BR_PHASE_MOST_CYCLES];
    size_t n = 0, m = 0;
    br_status st = q->parts & BRI_PART_EQUILIBRIA ? bri_plane_equilibria(q, q->at[i], e, &n, err) : BR_OK;
    if (!st && look)
      st = br_phase_cycles_searched(q->phase, q->at[i], BR_PHASE_MOST_CYCLES, c, &m, &search[i], err);
    if (!st) st = br_sink_alive(q->out, 0.1 + 0.2 * (double)i / (double)q->nat, err);
    if (st) return st;
    for (size_t j = 0; j < n && j < BR_PHASE_MOST_EQUILIBRIA; j++)
      bri_put_equilibrium(q, nq++, q->at[i], &e[j]);
    for (size_t j = 0; j < m && j < BR_PHASE_MOST_CYCLES; j++) bri_put_cycle(q, nc++, &c[j]);
    if (look) complete = complete && search[i].complete;
  }
  bri_put_counts(q, nq, nevent, nc);
  br_put_flag(q->out, complete, "searched.complete");
  br_put(q->out, BR_VALUE_LIST, 0, "searched.cycles");
  for (size_t i = 0; look && i < q->nat; i++) {
    br_put_number(q->out, q->vary.unit, search[i].at, "searched.cycles.%zu.at", i);
    br_put_number(q->out, "m/s", search[i].v_max, "searched.cycles.%zu.v_max", i);
    br_put_flag(q->out, search[i].complete, "searched.cycles.%zu.complete", i);
  }
  br_put(q->out, BR_VALUE_LIST, 0, "searched.notes");
  for (size_t i = 0; q->phase && br_phase_note(q->phase, i); i++)
    br_put_text(q->out, br_phase_note(q->phase, i), "searched.notes.%zu", i);
  return BR_OK;
}

/* The events, with 'hopf' the generalised Hopf points of the block's own sigma2 among them. */
static br_status put_events(bri_question *q, size_t *n, br_err *err)
{
  br_phase_event list[MOST_EVENTS], more[GENERALIZED];
  size_t found = 0;
  br_status st = BR_OK;
  const br_phase_event *e = q->phase ? br_phase_events(q->phase, n) : NULL;
  *n = e ? *n : 0;
  if (!e) return br_put(q->out, BR_VALUE_LIST, 0, "events"), BR_OK;
  for (size_t i = 0, all = *n; i < all; i++) { /* the analysis has 64 at most */
    if (i == 0) *n = 0;
    if (bri_phase_lists(q, e[i].type)) list[(*n)++] = e[i];
  }
  if (br_job_flag(q->job, "hopf"))
    st = br_phase_generalized_hopf(&q->problem, q->vary.a, q->vary.b, GENERALIZED, more, &found, err);
  bri_events_merge(list, n, MOST_EVENTS, more, found < GENERALIZED ? found : GENERALIZED);
  return st ? st : bri_put_events(q, list, *n, err);
}

static br_status put_tables(bri_question *q, br_err *err)
{
  const br_job *job = q->job;
  const int hopf = br_job_flag(job, "hopf"), levels = hopf || br_job_flag(job, "stribeck"),
            map = br_job_flag(job, "map"), two = q->vary2.name[0] != '\0';
  br_status st = BR_OK;
  if (q->phase && !two) st = bri_phase_diagram(q, err);
  if (!st && two && !map && bri_phase_draws(q, "curve-hopf")) st = bri_phase_curve_tables(q, err);
  if (!st && q->phase && br_job_flag(job, "portrait")) st = bri_phase_portraits(q, err);
  if (!st && q->phase && br_job_flag(job, "loops")) st = bri_phase_lag_loops(q, err);
  if (!st && levels) st = bri_phase_levels(q, err);
  if (!st && hopf) st = bri_phase_hopf(q, err);
  return st || !map ? st : bri_phase_map(q, err);
}

/* Grids that take long, before anything is computed. */
static void note_amounts(const bri_question *q)
{
  const double side = q->grid ? (double)q->grid : 60;
  if (br_job_flag(q->job, "map")) br_sink_amount(q->out, side * side, "cells", 5e-3);
  if (br_job_flag(q->job, "hopf") && q->grid) br_sink_amount(q->out, side * side, "points", 2e-5);
}

br_status bri_phase_plane(bri_question *q, br_err *err)
{
  const br_phase_problem problem = {q->m, q->par, q->spar[0], q->held[0], q->out->stop};
  size_t n = 0;
  q->problem = problem;
  note_amounts(q);
  br_status st = BR_OK;
  if (q->parts & BRI_PART_CYCLES)
    st = br_phase_create(&problem, q->vary.name, q->vary.a, q->vary.b, &q->phase, err);
  else if (q->parts & (BRI_PART_HOPF | BRI_PART_FOLD) || br_job_flag(q->job, "portrait"))
    st = br_phase_create_local(&problem, q->vary.name, q->vary.a, q->vary.b, &q->phase, err);
  if (!st && !q->phase) { /* is it plain LuGre? */
    br_equilibrium e[BR_PHASE_MOST_EQUILIBRIA];
    st = bri_plane_equilibria(q, q->at[0], e, &n, err);
  }
  if (st) return st;
  br_put(q->out, BR_VALUE_LIST, 0, "equilibria");
  st = put_events(q, &n, err);
  if (!st) st = put_states(q, n, err);
  if (!st) st = put_tables(q, err);
  if (!st && q->has_lag) st = bri_phase_imposed(q, err);
  if (!st && q->has_lag_force) st = bri_phase_forced(q, err);
  if (!st && br_job_flag(q->job, "scale")) bri_phase_scale(q);
  if (q->parts & BRI_PART_CYCLES) br_put_text(q->out, br_phase_case(q->phase), "case");
  return st;
}
