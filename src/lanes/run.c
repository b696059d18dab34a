/* SPDX-License-Identifier: Apache-2.0
 * run.c - a run: pieces of the ensemble on threads, lanes of a piece filled again as their members end. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../core/lane_settle.h"
#include "../base/alloc.h"
#include "../base/team.h"
#include "bristle/batch.h"
#include "card.h"
#include "lanes.h"

/* Members of a piece, and of a call of a card; tries between two looks at the stop. */
enum { PIECE = 1024, CALL = 1 << 18, LOOK = 64 };

#ifndef BR_ISA_LEAST
#define BR_ISA_LEAST base /* else the one that a build for this machine alone has */
#endif

const bri_lane_set *bri_lane_set_now(int single)
{
  const char *name = br_isa_name();
#ifdef BR_HAVE_ISA_avx512
  if (strcmp(name, "avx512") == 0) return single ? &bri_lanes_f32_avx512 : &bri_lanes_avx512;
#endif
#ifdef BR_HAVE_ISA_avx2
  if (strcmp(name, "avx2") == 0) return single ? &bri_lanes_f32_avx2 : &bri_lanes_avx2;
#endif
  (void)name;
  return single ? &BR_CAT3(bri_lanes, _f32_, BR_ISA_LEAST) : &BR_CAT3(bri_lanes, _, BR_ISA_LEAST);
}

const bri_lane *bri_lane_of(const bri_lane_set *set, const br_model *mod)
{
  for (size_t k = 0; k < BRI_LANE_MODELS && set->lanes[k]; k++)
    if (br_model_find(set->lanes[k]->model) == mod) return set->lanes[k];
  return NULL;
}

/* What one piece works with.  Members start and end in f64: in the block itself, or, where lanes are f32, in
 * lane 0 of another one. */
enum { MOST_LANES = 64 };
typedef struct {
  void *block;
  br_lane_block *b; /* the same, or that other one */
  double *spar, *mpar;
  size_t member[MOST_LANES];
  size_t next, end, active, tries, slots;
} piece;

void bri_lane_put(const bri_lane_run *r, const br_lane_block *b, size_t i, size_t m, br_status st)
{
  br_ensemble_result *out = r->out;
  const size_t nx = r->nx, nz = bri_lane_nz(r->e, r->lane);
  const int elements = r->lane->kind == BR_LANE_ELEMENTS;
  if (out->status) out->status[m] = st;
  if (out->t) out->t[m] = b->t[i];
  for (size_t l = 0; l < BR_LANE_STATES; l++) {
    if ((l == 0 && r->frame.q < 0) || l >= 2 + nz || (l >= 2 && elements)) continue;
    const size_t at = m * nx + (l == 0 ? (size_t)r->frame.q : l == 1 ? (size_t)r->frame.v : nx - nz + l - 2);
    const int seen = b->lo[l][i] <= b->hi[l][i];
    if (out->x) out->x[at] = b->y[l][i];
    if (out->lo) out->lo[at] = seen ? b->lo[l][i] : NAN;
    if (out->hi) out->hi[at] = seen ? b->hi[l][i] : NAN;
  }
  if (r->frame.free) {
    const size_t at = m * nx + r->frame.nq;
    if (out->x) out->x[at] = b->y[3][i] + b->y[2][i];
    if (out->lo) out->lo[at] = NAN;
    if (out->hi) out->hi[at] = NAN;
  }
  for (size_t e = 0; e < nz && elements; e++) { /* their extremes are not kept */
    const size_t at = (m + 1) * nx - nz + e;
    if (out->x) out->x[at] = br_lane_element(b, i, (int)e, b->y[2][i]);
    if (out->lo) out->lo[at] = NAN;
    if (out->hi) out->hi[at] = NAN;
  }
  if (out->reversals) out->reversals[m] = (size_t)b->reversals[i];
  if (out->sticks) out->sticks[m] = (size_t)b->sticks[i];
  if (out->stuck) out->stuck[m] = b->rested[i];
  if (out->steps) out->steps[m] = (size_t)b->steps[i];
  if (out->returns)
    out->returns[m] =
        (br_returns){(size_t)b->returns[i], b->first[i], b->last[i], b->nearest[i], b->farthest[i]};
}

void bri_lane_put_none(const bri_lane_run *r, size_t m, br_status st)
{
  br_ensemble_result *out = r->out;
  if (out->status) out->status[m] = st;
  if (out->t) out->t[m] = r->e->t0;
  for (size_t k = m * r->nx; k < (m + 1) * r->nx; k++) {
    if (out->x) out->x[k] = NAN;
    if (out->lo) out->lo[k] = NAN;
    if (out->hi) out->hi[k] = NAN;
  }
  if (out->reversals) out->reversals[m] = 0;
  if (out->sticks) out->sticks[m] = 0;
  if (out->stuck) out->stuck[m] = 0;
  if (out->steps) out->steps[m] = 0;
  if (out->returns) out->returns[m] = (br_returns){0, 0, 0, 0, 0};
}

static void rule(const bri_lane_run *r, const piece *p)
{
  const br_lane_block *b = p->b;
  const bri_lane_rules rules = {b->rtol, b->most_tries, b->watched, b->fixed, b->driven};
  r->set->rule(p->block, &rules);
}

/* Lane i takes the next member that can be run; 0 when there is none. */
static int refill(const bri_lane_run *r, piece *p, size_t i)
{
  const int apart = p->block != p->b;
  const size_t at = apart ? 0 : i;
  while (p->next < p->end) {
    const size_t m = p->next++;
    const br_status st = bri_lane_fill(r->e, r->lane, &r->frame, r->nx, r->out->lo || r->out->hi, m, p->spar,
                                       p->mpar, p->b, at);
    if (st != BR_OK) {
      bri_lane_put_none(r, m, st);
      continue;
    }
    p->member[i] = m;
    if (p->b->over[at] == 0) {
      if (!apart) return 1;
      r->set->put(p->block, i, (const double *)(const void *)p->b, BR_LANE_WIDTH);
      rule(r, p); /* it may be the first one with a wave */
      return 1;
    }
    bri_lane_put(r, p->b, at, m, BR_OK); /* no time to pass */
  }
  return 0;
}

/* Lane i has ended: its answer. */
static void answer(const bri_lane_run *r, piece *p, size_t i)
{
  const size_t at = p->block != p->b ? 0 : i;
  if (p->block != p->b) r->set->get(p->block, i, (double *)(void *)p->b, BR_LANE_WIDTH);
  bri_lane_put(r, p->b, at, p->member[i], p->b->over[at] == 1 ? BR_OK : BR_E_CONVERGE);
}

int bri_lane_choose(const bri_lane_run *r, size_t first, size_t end, double *spar, double *mpar)
{
  int allowed[BRI_LANE_CASES], best = -1;
  for (int k = 0; k < BRI_LANE_CASES; k++) allowed[k] = r->lane->run[k] != NULL;
  for (size_t m = first; m < end && (r->varies_model || m == first); m++)
    if (bri_lane_params(r->e, m, m != first, spar, mpar) == BR_OK)
      for (int k = 0; k < BRI_LANE_CASES; k++)
        if (allowed[k] && !r->lane->allows(mpar, k)) allowed[k] = 0;
  for (int k = 0; k < BRI_LANE_CASES; k++)
    if (allowed[k]) best = k;
  return best;
}

void bri_lane_set_up(const br_ensemble *e, br_lane_block *b)
{
  b->rtol = e->rtol;
  b->most_tries = (double)e->max_steps;
  b->fixed = e->dt > 0;
  b->watched = b->fixed ? 0 : b->most_tries;
}

static void run_lanes(const bri_lane_run *r, piece *p, bri_lane_fn *try_once, const bri_lane_set *set)
{
  void *b = p->block;
  const size_t judge = r->lane->kind == BR_LANE_ELEMENTS ? 3 : r->lane->nz;
  for (size_t i = 0; i < set->width && refill(r, p, i); i++) p->active++;
  for (size_t i = p->active; i < set->width && p->active > 0; i++) set->copy(b, i, 0);
  for (size_t look = 0; p->active > 0; look++) {
    const size_t groups = (p->active + set->group - 1) / set->group;
    if (look % LOOK == 0 && r->e->stop.asked && r->e->stop.asked(r->e->stop.ctx)) return;
    if (p->b->driven) set->waves(b, groups);
    try_once(b, groups);
    set->judge[r->measures][judge](b, groups);
    p->tries += p->active;
    p->slots += groups * set->group;
    uint64_t ended = set->settle[r->measures][judge](b, p->active);
    for (size_t i = 0; ended != 0 && i < p->active;) {
      const uint64_t bit = (uint64_t)1 << i;
      if (!(ended & bit)) {
        i++;
        continue;
      }
      answer(r, p, i);
      ended &= ~bit;
      if (refill(r, p, i)) continue; /* behind this try: its first one comes with the next */
      p->active--;
      if (i == p->active) continue;
      set->copy(b, i, p->active), p->member[i] = p->member[p->active];
      if (ended >> p->active & 1) ended |= bit;
    }
  }
}

static br_status one_piece(void *ctx, size_t k, br_err *err)
{
  bri_lane_run *r = (bri_lane_run *)ctx;
  const size_t slots = r->e->sys->slots + r->e->mod->slots, apart = r->e->single ? r->set->size + 64 : 0,
               elements = r->lane->kind == BR_LANE_ELEMENTS ? bri_lane_nz(r->e, r->lane) * BR_LANE_WIDTH : 0;
  piece p = {.next = k * PIECE, .end = (k + 1) * PIECE < r->e->members ? (k + 1) * PIECE : r->e->members};
  char *raw = (char *)bri_malloc(sizeof(br_lane_block) + 64 + (slots + elements) * sizeof(double) + apart);
  if (!raw) {
    if (err) *err = (br_err){BR_E_NOMEM, -1, "out of memory for lanes"};
    return BR_E_NOMEM;
  }
  p.b = (br_lane_block *)(void *)(raw + (64 - (uintptr_t)raw % 64));
  p.spar = (double *)(void *)(p.b + 1);
  p.mpar = p.spar + r->e->sys->slots;
  p.block = p.b;
  memset(p.b, 0, sizeof *p.b);
  bri_lane_set_up(r->e, p.b);
  if (apart) {
    char *behind = (char *)(p.mpar + r->e->mod->slots + elements);
    p.block = behind + (64 - (uintptr_t)behind % 64);
    memset(p.block, 0, r->set->size);
    rule(r, &p);
  }
  bri_lane_set_elements(r->e, r->lane, p.mpar + r->e->mod->slots, BR_LANE_WIDTH, p.b);
  const int special = bri_lane_choose(r, p.next, p.end, p.spar, p.mpar);
  if (special >= 0) run_lanes(r, &p, (r->e->exponential ? r->lane->exact : r->lane->run)[special], r->set);
  else
    for (size_t m = p.next; m < p.end; m++) bri_lane_put_none(r, m, BR_E_UNSUPPORTED);
  r->tries[k] = p.tries, r->slots[k] = p.slots;
  bri_free(raw);
  if (!r->e->stop.asked || !r->e->stop.asked(r->e->stop.ctx)) return BR_OK;
  if (err) *err = (br_err){BR_INTERRUPTED, -1, "stopped on request"};
  return BR_INTERRUPTED;
}

static br_status one_call(void *ctx, size_t k, br_err *err)
{
  const bri_lane_run *r = (const bri_lane_run *)ctx;
  const size_t first = k * CALL, left = r->e->members - first;
  if (r->e->stop.asked && r->e->stop.asked(r->e->stop.ctx)) {
    if (err) *err = (br_err){BR_INTERRUPTED, -1, "stopped on request"};
    return BR_INTERRUPTED;
  }
  const br_status st = bri_card_piece(r, first, left < CALL ? left : CALL, &r->tries[k], err);
  r->slots[k] = r->tries[k];
  return st;
}

br_status bri_lane_run_all(bri_lane_run *r, br_err *err)
{
  const size_t one = r->card ? CALL : PIECE, pieces = r->e->members / one + (r->e->members % one != 0);
  r->tries = (size_t *)bri_calloc(2 * pieces + 1, sizeof *r->tries);
  if (!r->tries) {
    if (err) *err = (br_err){BR_E_NOMEM, -1, "out of memory for lanes"};
    return BR_E_NOMEM;
  }
  r->slots = r->tries + pieces;
  const bri_team team = {
      .n = pieces, .threads = r->e->threads, .one = r->card ? one_call : one_piece, .ctx = r};
  const br_status st = bri_team_run(&team, err);
  r->out->tries = r->out->slots = 0;
  for (size_t k = 0; k < pieces; k++) r->out->tries += r->tries[k], r->out->slots += r->slots[k];
  bri_free(r->tries);
  return st;
}
