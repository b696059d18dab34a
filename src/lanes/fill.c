/* SPDX-License-Identifier: Apache-2.0
 * fill.c - a member of an ensemble becomes a lane: its parameters, its mechanism as numbers, its start. */
#include <math.h>
#include <string.h>

#include "../solve/plant.h"
#include "../../core/lane_settle.h"
#include "lanes.h"

enum { MOST_INPUTS = 8 };

/* Rates and motion of the mechanism at inputs w, dw, states q and force F. */
typedef struct {
  double rate[2], u, v;
} answer;

static answer ask(const br_system *sys, const double *spar, const double *w, const double *dw, double q0,
                  double q1, double F)
{
  const double q[2] = {q0, q1};
  answer a = {{0, 0}, 0, 0};
  sys->rate(spar, w, dw, q, &F, a.rate);
  sys->motion(spar, w, dw, q, &a.u, &a.v);
  return a;
}

const char *bri_lane_fits(const br_system *sys, const double *spar, const br_model *mod, const double *mpar,
                          bri_lane_frame *f)
{
  const double none[MOST_INPUTS] = {0};
  const int uses_u = bri_model_uses_position(mod, mpar);
  const br_param *curve = br_model_param(mod, "vs"), *vs = curve ? curve : br_model_param(mod, "dv");
  f->vs = vs ? (int)vs->slot : -1;
  f->free = 0;
  if (!(sys->flags & BR_SYSTEM_LINEAR) || sys->slopes || (sys->flags & BR_SYSTEM_GIVEN) || sys->axes != 1 ||
      sys->loss)
    return "its equations are not of the form that lanes know";
  if (sys->ncontact(spar) != 1 || sys->nstate(spar) < 1 || sys->nstate(spar) > 2 || sys->ninput > MOST_INPUTS)
    return "lanes know mechanisms with one contact and at most two states";
  f->nq = sys->nstate(spar);
  const answer o = ask(sys, spar, none, none, 0, 0, 0), x = ask(sys, spar, none, none, 1, 0, 0),
               y = ask(sys, spar, none, none, 0, 1, 0), F = ask(sys, spar, none, none, 0, 0, 1);
  f->v = f->nq == 2 && y.v - o.v == 1 && x.v == o.v;
  const int vq = f->v, other = 1 - vq;
  const answer along_q = other ? y : x, along_v = other ? x : y;
  f->q = f->nq == 2 ? other : uses_u ? 1 : -1;
  f->seat = f->nq == 1 ? uses_u : along_q.u - o.u == 1 && along_v.u == o.u;
  if (o.v != 0 || along_v.v != 1 || (f->nq == 2 && along_q.v != 0))
    return "its contact's velocity is none of its states";
  if (f->nq == 2 && (along_q.rate[other] != o.rate[other] || F.rate[other] != o.rate[other]))
    return "its equations are not of the form that lanes know";
  for (size_t j = 0; j < sys->ninput; j++) {
    double w[MOST_INPUTS] = {0};
    w[j] = 1;
    const answer d = ask(sys, spar, none, w, 0, 0, 0), m = ask(sys, spar, w, none, 0, 0, 0);
    if (d.rate[0] != o.rate[0] || (f->nq == 2 && d.rate[1] != o.rate[1]) || d.v != 0 || m.v != 0 ||
        d.u != o.u || m.u != o.u)
      return "an input moves its contact";
  }
  if (uses_u && !f->seat) return "the model asks for a position that the mechanism does not hold";
  return NULL;
}

static double varied(const br_ensemble *e, br_member_of of, size_t index, size_t m, double base)
{
  for (size_t k = 0; k < e->nvary; k++)
    if (e->vary[k].of == of && e->vary[k].index == index) base = e->vary[k].values[m];
  return base;
}

static int varies(const br_ensemble *e, br_member_of of)
{
  for (size_t k = 0; k < e->nvary; k++)
    if (e->vary[k].of == of) return 1;
  return 0;
}

br_status bri_lane_params(const br_ensemble *e, size_t m, int again, double *spar, double *mpar)
{
  const int system = !again || varies(e, BR_MEMBER_SYSTEM), model = !again || varies(e, BR_MEMBER_MODEL);
  int finite = 1;
  if (system) memcpy(spar, e->spar, e->sys->slots * sizeof *spar);
  if (model) memcpy(mpar, e->mpar, e->mod->slots * sizeof *mpar);
  for (size_t k = 0; k < e->nvary; k++) {
    const br_member_value *v = &e->vary[k];
    if (v->of == BR_MEMBER_MODEL) mpar[v->index] = v->values[m];
    if (v->of == BR_MEMBER_SYSTEM) spar[v->index] = v->values[m];
    finite = finite && isfinite(v->values[m]);
  }
  /* one that is refused must not keep the other, which the next member may share, from being prepared */
  const br_status first = system && e->sys->check ? e->sys->check(spar, NULL) : BR_OK,
                  second = model && e->mod->check ? e->mod->check(mpar, NULL) : BR_OK;
  if (system && first == BR_OK && e->sys->prepare) e->sys->prepare(spar);
  if (model && second == BR_OK && e->mod->prepare) e->mod->prepare(mpar);
  return !finite ? BR_E_NAN : first != BR_OK ? first : second;
}

/* The mechanism as numbers of lane i.  Inputs that are constant go into the constants; one may be a wave. */
static br_status set_mechanism(const br_ensemble *e, const bri_lane_frame *f, size_t m, const double *spar,
                               br_lane_block *b, size_t i)
{
  double w[MOST_INPUTS] = {0}, none[MOST_INPUTS] = {0};
  const int v = f->v, q = 1 - v;
  const answer o = ask(e->sys, spar, none, none, 0, 0, 0),
               along_q = ask(e->sys, spar, none, none, q == 0, q == 1, 0),
               along_v = ask(e->sys, spar, none, none, v == 0, v == 1, 0),
               F = ask(e->sys, spar, none, none, 0, 0, 1);
  b->s0[i] = b->s1[i] = b->frequency[i] = b->phase[i] = 0;
  for (size_t j = 0; j < e->sys->ninput; j++) {
    const br_ensemble_input def = {e->sys->inputs[j].def, 0, 0, 0}, *in = e->inputs ? &e->inputs[j] : &def;
    const double amplitude = varied(e, BR_MEMBER_INPUT, 4 * j + BR_MEMBER_WAVE_AMPLITUDE, m, in->amplitude);
    w[j] = varied(e, BR_MEMBER_INPUT, 4 * j + BR_MEMBER_WAVE_VALUE, m, in->value);
    if (!isfinite(w[j]) || !isfinite(amplitude)) return BR_E_NAN;
    if (amplitude == 0) continue;
    if (b->frequency[i] != 0 || b->s0[i] != 0 || b->s1[i] != 0) return BR_E_UNSUPPORTED; /* a second wave */
    double unit[MOST_INPUTS] = {0};
    unit[j] = 1;
    const answer one = ask(e->sys, spar, unit, none, 0, 0, 0);
    b->frequency[i] = varied(e, BR_MEMBER_INPUT, 4 * j + BR_MEMBER_WAVE_FREQUENCY, m, in->frequency);
    b->phase[i] = varied(e, BR_MEMBER_INPUT, 4 * j + BR_MEMBER_WAVE_PHASE, m, in->phase) / 6.283185307179586;
    if (!isfinite(b->frequency[i]) || !isfinite(b->phase[i])) return BR_E_NAN;
    b->s1[i] = amplitude * (one.rate[v] - o.rate[v]);
    b->s0[i] = f->nq == 2 ? amplitude * (one.rate[q] - o.rate[q]) : 0;
  }
  const answer at = ask(e->sys, spar, w, none, 0, 0, 0);
  b->c1[i] = at.rate[v] + 0.0; /* no negative zero: with and without a wave of no height the same bits */
  b->d[i] = along_v.rate[v] - o.rate[v];
  b->b[i] = F.rate[v] - o.rate[v];
  b->k[i] = f->nq == 2 ? along_q.rate[v] - o.rate[v] : 0;
  b->c0[i] = f->nq == 2 ? at.rate[q] + 0.0 : 0;
  b->a[i] = f->nq == 2 ? along_v.rate[q] - o.rate[q] : f->q >= 0;
  b->seat[i] = f->seat;
  b->load[i] = e->sys->load ? e->sys->load(spar, 0) : 1;
  const double all = b->c1[i] + b->d[i] + b->b[i] + b->k[i] + b->c0[i] + b->a[i] + b->s0[i] + b->s1[i];
  return isfinite(all) ? BR_OK : BR_E_NAN;
}

size_t bri_lane_nz(const br_ensemble *e, const bri_lane *lane)
{
  return lane->kind == BR_LANE_ELEMENTS ? e->mod->nstate(e->mpar) : lane->nz;
}

void bri_lane_set_elements(const br_ensemble *e, const bri_lane *lane, double *store, size_t stride,
                           br_lane_block *b)
{
  if (lane->kind != BR_LANE_ELEMENTS) return;
  b->count = (int)e->mod->nstate(e->mpar);
  b->spring = e->mpar + br_model_param(e->mod, "k")->slot;
  b->limit = e->mpar + br_model_param(e->mod, "Delta")->slot;
  b->store = store;
  b->stride = stride;
}

/* Elements of lane i at their start: deflections as given, as far as their limits let them. */
static br_status start_elements(const br_ensemble *e, const bri_lane_frame *f, size_t nx, br_lane_block *b,
                                size_t i)
{
  const size_t n = (size_t)b->count;
  for (size_t k = 0; k < n; k++) {
    const double z = e->x0 ? e->x0[nx - n + k] : 0;
    if (!isfinite(z)) return BR_E_NAN;
    b->store[k * b->stride + i] = z;
  }
  b->y[2][i] = 0;
  b->y[3][i] = f->free && e->x0 ? e->x0[f->nq] : 0;
  if (!isfinite(b->y[3][i])) return BR_E_NAN;
  b->width[i] = 1;
  b->scale[2][i] = 0;
  br_lane_elements(b, i);
  return BR_OK;
}

/* Rates at the start, by the faces: the first step's size and direction. */
static void first_rates(const br_ensemble *e, const bri_lane *lane, const double *mpar,
                        const br_lane_block *b, size_t i, double *f)
{
  const double wave = br_lane_sine(b->frequency[i] * b->t[i] + b->phase[i]);
  double z[2] = {b->y[2][i], b->y[3][i]}, dz[2] = {0, 0}, F = 0;
  const double u = b->seat[i] * b->y[0][i], v = b->y[1][i];
  if (lane->kind == BR_LANE_ELEMENTS) dz[0] = v, F = b->held[i];
  else {
    if (e->mod->rate) e->mod->rate(mpar, b->load[i], &u, &v, z, dz);
    e->mod->force(mpar, b->load[i], &u, &v, z, dz, &F);
  }
  f[0] = b->c0[i] + b->s0[i] * wave + b->a[i] * v;
  f[1] = b->c1[i] + b->s1[i] * wave + b->k[i] * b->y[0][i] + b->d[i] * v + b->b[i] * F;
  for (size_t l = 0; l < lane->nz; l++) f[2 + l] = dz[l];
}

static void set_start(const br_ensemble *e, const bri_lane *lane, const double *mpar, br_lane_block *b,
                      size_t i)
{
  const int n = (int)(2 + lane->nz);
  double f[BR_LANE_STATES] = {0}, d1 = 0;
  first_rates(e, lane, mpar, b, i, f);
  b->side[i] = b->y[1][i] != 0 ? copysign(1, b->y[1][i]) : copysign(1, f[1]);
  b->stuck[i] = 0;
  if ((lane->kind == BR_LANE_STICKS) && b->y[1][i] == 0) {
    const double wave = br_lane_sine(b->frequency[i] * b->t[i] + b->phase[i]),
                 held = br_lane_hold(b, i, wave, b->y[0][i]);
    b->stuck[i] = fabs(held) <= b->most[i] * BR_LANE_HOLDS;
    b->side[i] = copysign(1, held);
  }
  if (lane->kind == BR_LANE_ELEMENTS) br_lane_elements(b, i); /* those that slip to this side */
  for (int l = 0; l < n; l++) br_lane_scale(b, i, l, b->y[l][i]);
  for (int l = 0; l < n; l++) d1 = fmax(d1, fabs(f[l]) / b->scale[l][i]);
  const double span = b->end[i] - b->t[i];
  b->h[i] = d1 > 0 ? fmin(1e-3 * span, fmax(1 / d1, 1e-9 * span)) : 1e-3 * span;
  if (b->fixed) b->h[i] = b->full[i] = e->dt;
  b->h[i] = fmin(fmin(b->h[i], b->longest[i]), b->stop[i] - b->t[i]);
  for (int l = 0; l < n && e->single; l++) /* core/lane.h */
    br_lane_scale(b, i, l, fmax(fabs(b->y[l][i]), fabs(b->h[i] * f[l])));
}

br_status bri_lane_fill(const br_ensemble *e, const bri_lane *lane, const bri_lane_frame *f, size_t nx,
                        int extremes, size_t m, double *spar, double *mpar, br_lane_block *b, size_t i)
{
  br_status st = bri_lane_params(e, m, 1, spar, mpar);
  if (st != BR_OK) return st;
  if (varies(e, BR_MEMBER_MODEL)) { /* what all share was asked before */
    br_class c;
    e->mod->classify(mpar, &c);
    if (lane->kind == BR_LANE_SMOOTH && c.continuity != BR_LIPSCHITZ) return BR_E_UNSUPPORTED;
    if (!f->seat && bri_model_uses_position(e->mod, mpar)) return BR_E_UNSUPPORTED;
  }
  st = set_mechanism(e, f, m, spar, b, i);
  if (st != BR_OK) return st;
  for (size_t s = 0; s < e->mod->slots && lane->kind != BR_LANE_ELEMENTS; s++) b->par[s][i] = mpar[s];
  b->vs[i] = f->vs >= 0 ? mpar[f->vs] : 0;
  b->most[i] = (lane->kind == BR_LANE_STICKS) ? e->mod->breakaway(mpar, b->load[i]) : 0;
  b->held[i] = b->stiff[i] = b->reach[i] = b->width[i] = 0;
  for (size_t l = 0; l < BR_LANE_STATES; l++) {
    const size_t at = l == 0 ? (size_t)(f->q < 0 ? 0 : f->q) : l == 1 ? (size_t)f->v : nx - lane->nz + l - 2;
    const int here = l == 0 ? f->q >= 0 : l == 1 || (l - 2 < lane->nz && lane->kind != BR_LANE_ELEMENTS);
    const double x = here ? varied(e, BR_MEMBER_START, at, m, e->x0 ? e->x0[at] : 0) : 0;
    if (!isfinite(x)) return BR_E_NAN;
    b->y[l][i] = x;
    b->top[l][i] = b->recent[l][i] = 0;
    b->lo[l][i] = !extremes ? -INFINITY : e->t_from > e->t0 ? INFINITY : x;
    b->hi[l][i] = !extremes ? INFINITY : e->t_from > e->t0 ? -INFINITY : x;
    b->f[l][i] = b->f1[l][i] = 0;
  }
  b->t[i] = e->t0, b->excess[i] = 0, b->end[i] = e->t1, b->from[i] = e->t_from;
  b->stop[i] = e->t_from > e->t0 && e->t_from < e->t1 ? e->t_from : e->t1;
  b->slow[i] = e->stick_speeds ? e->stick_speeds[m] : e->stick_speed;
  b->level[i] = e->levels ? e->levels[m] : NAN;
  b->returns[i] = b->first[i] = b->last[i] = b->nearest[i] = b->farthest[i] = 0;
  b->refused[i] = b->landing[i] = b->full[i] = b->flips[i] = b->peak[i] = b->reversals[i] = b->sticks[i] = 0;
  b->rested[i] = b->steps[i] = b->tries[i] = b->rare[i] = b->slope[i] = 0;
  for (int k = 0; k < 6; k++) b->wave[k][i] = 0;
  b->over[i] = e->t1 > e->t0 ? 0 : 1;
  const int waves = b->s0[i] != 0 || b->s1[i] != 0;
  b->longest[i] = waves && b->frequency[i] != 0 ? 0.0625 / fabs(b->frequency[i]) : INFINITY;
  b->driven |= waves;
  b->side[i] = 1;
  if (lane->kind == BR_LANE_ELEMENTS) {
    st = start_elements(e, f, nx, b, i);
    if (st != BR_OK) return st;
  }
  set_start(e, lane, mpar, b, i);
  return BR_OK;
}
