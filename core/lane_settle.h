/* SPDX-License-Identifier: Apache-2.0
 * lane_settle.h - what a lane (core/lane.h) that was left aside needs alone: events inside its step located,
 * the step cut to land on them, brought to rest, turned, let go, ended. */
#ifndef BR_LANE_SETTLE_H
#define BR_LANE_SETTLE_H
#include "lane.h"

/* State l inside the try as y + x (c0 + x (c1 + x (c2 + x c3))), x = 0..1. */
BR_FN void br_lane_dense(const br_lane_block *b, size_t i, int l, br_lane_real *c)
{
#define BR_LANE_TERM(j, x) +BR_LANE_K(BR_LITERAL(x)) * b->K[j][l][i]
  const br_lane_real q0 = -BR_LANE_K(0) BR_RODAS_H0(BR_LANE_TERM),
                     q1 = -BR_LANE_K(0) BR_RODAS_H1(BR_LANE_TERM),
                     q2 = -BR_LANE_K(0) BR_RODAS_H2(BR_LANE_TERM);
#undef BR_LANE_TERM
  c[0] = b->y1[l][i] - b->y[l][i] + q0;
  c[1] = q1 - q0;
  c[2] = q2 - q1;
  c[3] = -q2;
}

BR_FN br_lane_real br_lane_at(const br_lane_block *b, size_t i, int l, const br_lane_real *c, br_lane_real x)
{
  return b->y[l][i] + x * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
}

/* Where speed in the present direction falls to (or passes) level, given that it does: Newton's rule, kept
 * inside. */
BR_FN br_lane_real br_lane_reach(const br_lane_block *b, size_t i, br_lane_real level)
{
  const br_lane_real side = b->side[i], g0 = side * b->y[1][i] - level, g1 = side * b->y1[1][i] - level;
  br_lane_real c[4], lo = 0, hi = 1, x = g0 / (g0 - g1);
  br_lane_dense(b, i, 1, c);
  for (int k = 0; k < 40; k++) {
    const br_lane_real g = side * br_lane_at(b, i, 1, c, x) - level;
    if (!(hi - lo > 0) || !(BR_LANE_N(abs)(g) > b->scale[1][i])) break;
    if ((g < 0) == (g0 < 0)) lo = x;
    else hi = x;
    const br_lane_real slope = side * (c[0] + x * (2 * c[1] + x * (3 * c[2] + x * (4 * c[3])))),
                       next = x - g / slope;
    x = ((next > lo) & (next < hi)) ? next : BR_LANE_K(0.5) * (lo + hi);
  }
  return x - x == 0 ? x : 1;
}

/* Where the travel reaches the next element's limit, given that it does. */
BR_FN br_lane_real br_lane_meet(const br_lane_block *b, size_t i)
{
  br_lane_real c[4], lo = 0, hi = 1;
  br_lane_dense(b, i, 2, c);
  for (int k = 0; k < 48; k++) {
    const br_lane_real x = BR_LANE_K(0.5) * (lo + hi);
    if (br_lane_past(b, i, br_lane_at(b, i, 2, c, x)) > 0) hi = x;
    else lo = x;
  }
  return hi;
}

/* The deflection of element e of lane i, x further. */
BR_FN br_lane_real br_lane_element(const br_lane_block *b, size_t i, int e, br_lane_real x)
{
  return BR_LANE_N(clip_abs)(b->store[(size_t)e * b->stride + i] + x, b->load[i] * b->limit[e]);
}

/* An element begins to slip, or the motion has turned: all are brought up to date, and x begins anew.  One
 * that is at its limit to the tolerance slips. */
BR_FN void br_lane_elements(br_lane_block *b, size_t i)
{
  const br_lane_real x = b->y[2][i], side = b->side[i];
  br_lane_real held = 0, stiff = 0, reach = BR_LANE_K(__builtin_inf()), widest = 0;
  for (int e = 0; e < b->count; e++) widest = BR_LANE_N(max)(widest, b->load[i] * b->limit[e]);
  const br_lane_real close = 2 * b->rtol * widest;
  for (int e = 0; e < b->count; e++) {
    const br_lane_real limit = b->load[i] * b->limit[e], z = br_lane_element(b, i, e, x),
                       room = limit - side * z;
    const int sticks = room > close, counts = sticks & (b->spring[e] > 0);
    const br_lane_real now = sticks ? z : BR_LANE_N(copysign)(limit, side);
    b->store[(size_t)e * b->stride + i] = now;
    held = held + b->spring[e] * now;
    stiff = stiff + (sticks ? b->spring[e] : 0);
    reach = counts ? BR_LANE_N(min)(reach, room) : reach;
  }
  b->held[i] = held, b->stiff[i] = stiff, b->reach[i] = reach;
  b->width[i] = stiff > 0 ? widest : BR_LANE_K(1e30);
  b->y[2][i] = 0;
  b->y[3][i] = b->y[3][i] + x; /* the contact's position */
  br_lane_scale(b, i, 2, 0);
}

/* Where a stuck contact breaks away: the load it holds grows through its level. */
BR_FN br_lane_real br_lane_break(const br_lane_block *b, size_t i)
{
  br_lane_real c[4], lo = 0, hi;
  br_lane_dense(b, i, 0, c);
  (void)br_lane_load(b, i, &hi);
  if (BR_LANE_N(abs)(br_lane_hold(b, i, b->wave[5][i], b->y1[0][i])) > b->most[i] * BR_LANE_SLIPPED) hi = 1;
  for (int k = 0; k < 48; k++) {
    const br_lane_real x = BR_LANE_K(0.5) * (lo + hi);
    const br_lane_real wave = br_lane_sine(br_lane_turns(b, i) + b->frequency[i] * (x * b->h[i]));
    const br_lane_real held = BR_LANE_N(abs)(br_lane_hold(b, i, wave, br_lane_at(b, i, 0, c, x)));
    if (held > b->most[i] * BR_LANE_SLIPS) hi = x;
    else lo = x;
  }
  return hi;
}

/* Extreme of state l inside the step. */
BR_FN void br_lane_extreme(br_lane_block *b, size_t i, int l)
{
  br_lane_real c[4], lo = 0, hi = 1;
  br_lane_dense(b, i, l, c);
  for (int k = 0; k < 24; k++) {
    const br_lane_real x = BR_LANE_K(0.5) * (lo + hi),
                       rate = c[0] + x * (2 * c[1] + x * (3 * c[2] + x * (4 * c[3])));
    if ((rate > 0) == (b->f[l][i] > 0)) lo = x;
    else hi = x;
  }
  const br_lane_real y = br_lane_at(b, i, l, c, hi);
  if (y < b->lo[l][i]) b->lo[l][i] = y;
  if (y > b->hi[l][i]) b->hi[l][i] = y;
}

/* Time in stick of the step, and how often it came to be slow. */
BR_FN void br_lane_rest(br_lane_block *b, size_t i)
{
  const br_lane_real v0 = BR_LANE_N(abs)(b->y[1][i]), v1 = BR_LANE_N(abs)(b->y1[1][i]), slow = b->slow[i],
                     h = b->h[i];
  const int slow0 = v0 < slow, slow1 = v1 < slow;
  if (b->t[i] < b->from[i]) return;
  if (b->stuck[i] > 0) b->rested[i] += h;
  else if (slow0 & slow1) b->rested[i] += h;
  else if (slow0 != slow1) {
    const br_lane_real x = b->side[i] * (b->y1[1][i] - b->y[1][i]) != 0 ? br_lane_reach(b, i, slow) : 1;
    const br_lane_real part = BR_LANE_N(min)(BR_LANE_N(max)(x, 0), 1) * h;
    b->rested[i] += slow0 ? part : h - part;
    b->sticks[i] += slow1 ? 1 : 0;
  }
}

/* The velocity rises through the level: when. */
BR_FN void br_lane_return(br_lane_block *b, size_t i)
{
  br_lane_real c[4], lo = 0, hi = 1;
  const br_lane_real level = b->level[i];
  if (b->t[i] < b->from[i] || !(b->y[1][i] < level) || !(b->y1[1][i] >= level)) return;
  br_lane_dense(b, i, 1, c);
  for (int k = 0; k < 40; k++) {
    const br_lane_real x = BR_LANE_K(0.5) * (lo + hi);
    if (br_lane_at(b, i, 1, c, x) < level) lo = x;
    else hi = x;
  }
  const br_lane_real t = b->t[i] + hi * b->h[i], gap = t - b->last[i];
  if (b->returns[i] == 0) b->first[i] = t;
  else {
    b->nearest[i] = b->returns[i] == 1 ? gap : BR_LANE_N(min)(b->nearest[i], gap);
    b->farthest[i] = b->returns[i] == 1 ? gap : BR_LANE_N(max)(b->farthest[i], gap);
  }
  b->last[i] = t;
  b->returns[i] += 1;
}

BR_FN void br_lane_fail(br_lane_block *b, size_t i) { b->over[i] = 2, b->rare[i] = 1; }

/* The velocity is zero: go on to the other side, or stay. */
BR_FN void br_lane_turn(br_lane_block *b, size_t i, int kind)
{
  const int counts = b->t[i] >= b->from[i], moved = b->peak[i] > 4 * br_lane_near(b, i);
  if (kind == BR_LANE_STICKS) {
    const br_lane_real held = br_lane_hold(b, i, b->wave[5][i], b->y[0][i]);
    b->y[1][i] = 0;
    if (!(BR_LANE_N(abs)(held) > b->most[i] * BR_LANE_HOLDS)) {
      b->stuck[i] = 1;
      b->sticks[i] += counts & moved ? 1 : 0;
      b->peak[i] = 0;
      return;
    }
    if (held * b->side[i] > 0) return; /* only touched zero */
  }
  b->side[i] = -b->side[i];
  b->reversals[i] += counts & moved ? 1 : 0;
  b->peak[i] = 0;
}

/* A crossing at the end of the try, or an element that slips: cut the step to end there.  Returns 1 when the
 * try is to be repeated. */
BR_FN int br_lane_land(br_lane_block *b, size_t i, int kind, int crosses, br_lane_rough err)
{
  const int stick = kind == BR_LANE_STICKS, held = stick && b->stuck[i] > 0;
  const br_lane_real h = b->h[i], fac = b->factor[i];
  if (crosses && !held &&
      !(b->side[i] * b->y[1][i] > br_lane_near(b, i))) { /* from rest to the other side than assumed */
    if (b->flips[i] >= 2) return 0;
    b->flips[i] += 1;
    if (stick && b->flips[i] >= 2) b->stuck[i] = 1, b->y[1][i] = 0; /* pushed back from both sides */
    else b->side[i] = -b->side[i];
    if (kind == BR_LANE_ELEMENTS) br_lane_elements(b, i);
    return 1;
  }
  if (!(b->landing[i] < BR_LANE_MOST_LANDINGS)) return 0;
  br_lane_real x = held ? br_lane_break(b, i) : crosses ? br_lane_reach(b, i, 0) : 1;
  if (kind == BR_LANE_ELEMENTS && br_lane_past(b, i, b->y1[2][i]) > 0)
    x = BR_LANE_N(min)(x, br_lane_meet(b, i));
  x = err > BR_LANE_K(1e4)
          ? BR_LANE_N(min)(fac, BR_LANE_K(0.5))
          : BR_LANE_N(min)(x, BR_LANE_K(0.9999)); /* so large an error: the curve inside says nothing */
  if (!(x * h > br_lane_least(b, i))) {
    if (held)
      b->stuck[i] = 0, b->side[i] = BR_LANE_N(copysign)(1, br_lane_hold(b, i, b->wave[0][i], b->y[0][i]));
    return held;
  }
  if (b->landing[i] == 0) b->full[i] = h;
  b->landing[i] += 1;
  b->h[i] = x * h;
  return 1;
}

/* The step is taken. */
BR_FN void br_lane_take(br_lane_block *b, size_t i, int n, int arrives)
{
  const int counts = b->t[i] >= b->from[i];
  for (int l = 0; l < n; l++) {
    const br_lane_real x = b->y1[l][i];
    b->y[l][i] = x;
    br_lane_scale(b, i, l, x);
    if (counts && x < b->lo[l][i]) b->lo[l][i] = x;
    if (counts && x > b->hi[l][i]) b->hi[l][i] = x;
  }
  b->peak[i] = BR_LANE_R(max)(b->peak[i], BR_LANE_C(BR_LANE_N(abs)(b->y1[1][i])));
  if (arrives) b->t[i] = b->stop[i], b->excess[i] = 0;
  else br_lane_pass(b, i, b->h[i]);
  b->steps[i] += 1;
}

/* A state that begins at zero has no size yet, and where its rate is large rounding alone refuses every
 * first step: then it has the size that its rate gives it in the shortest of those that a start may
 * choose.  0: that was not it. */
BR_FN int br_lane_begins(br_lane_block *b, size_t i, int n)
{
  const br_lane_real h = BR_LANE_K(1e-9) * br_lane_room(b, i);
  int found = 0;
  for (int l = 0; l < n && !(b->steps[i] > 0); l++) {
    const br_lane_real x = h * BR_LANE_N(abs)(b->f[l][i]);
    if (b->top[l][i] > 0 || !(x > 0)) continue;
    br_lane_scale(b, i, l, x);
    found = 1;
  }
  if (found) b->h[i] = h;
  return found;
}

/* Everything that judge() leaves aside. */
BR_FN void br_lane_settle(br_lane_block *b, size_t i, int n, int kind, int measures)
{
  const int stick = kind == BR_LANE_STICKS;
  const br_lane_real h = b->h[i], room = br_lane_room(b, i), err = b->err[i], fac = b->factor[i];
  const int arrives = h >= room, moves = b->side[i] * b->y[1][i] > br_lane_near(b, i);
  b->rare[i] = 0;
  if (b->tries[i] >= b->most_tries || (b->fixed && !(err < BR_LANE_K(1e30)))) {
    br_lane_fail(b, i);
    return;
  }
  const int crosses = br_lane_crosses(b, i, kind),
            slips = kind == BR_LANE_ELEMENTS && br_lane_past(b, i, b->y1[2][i]) > b->scale[2][i];
  if (!b->fixed) {
    if ((crosses | slips) && err < BR_LANE_K(1e30) && br_lane_land(b, i, kind, crosses, err)) return;
    const int jumps = br_lane_jumps(b, i);
    if (!(err <= 1) || jumps) {
      b->h[i] = h * (err <= 1 ? BR_LANE_K(0.5)
                              : BR_LANE_N(max)(BR_LANE_K(0.1), BR_LANE_N(min)(BR_LANE_K(0.9), fac)));
      b->refused[i] += 1;
      b->landing[i] = 0;
      if (!(b->h[i] > br_lane_least(b, i)) && !br_lane_begins(b, i, n)) br_lane_fail(b, i);
      return;
    }
  }
  if (measures) {
    BR_LANE_UNROLL
    for (int l = 0; l < n; l++)
      if (b->t[i] >= b->from[i] && br_lane_peaks(b, i, l)) br_lane_extreme(b, i, l);
    br_lane_rest(b, i);
    br_lane_return(b, i);
  }
  br_lane_take(b, i, n, arrives);
  br_lane_real next = h * BR_LANE_N(min)(b->refused[i] > 0 ? 1 : 8, BR_LANE_N(max)(BR_LANE_K(0.2), fac));
  const br_lane_real v = b->side[i] * b->y[1][i], rate = b->side[i] * b->f1[1][i], near = br_lane_near(b, i);
  const int meets = kind == BR_LANE_ELEMENTS && br_lane_past(b, i, b->y[2][i]) > -b->scale[2][i];
  int lands = b->landing[i] > 0;
  if (stick && b->stuck[i] > 0) {
    const br_lane_real held = br_lane_hold(b, i, b->wave[5][i], b->y[0][i]);
    if (lands | crosses) {
      b->stuck[i] = 0, b->side[i] = BR_LANE_N(copysign)(1, held);
      next = b->full[i] > 0 ? BR_LANE_N(min)(next, b->full[i]) : next, lands = 0;
    }
  } else if (crosses | (lands & (v <= near)) |
             (moves & (v <= near) & (-rate * h > 100 * BR_LANE_N(abs)(v)))) {
    br_lane_turn(b, i, kind);
    if (kind == BR_LANE_ELEMENTS) br_lane_elements(b, i);
    next = lands ? BR_LANE_N(min)(b->full[i], BR_LANE_N(max)(next, h)) : next, lands = 0;
  } else if (meets) {
    br_lane_elements(b, i);
    next = lands ? BR_LANE_N(min)(b->full[i], BR_LANE_N(max)(next, h)) : next, lands = 0;
  } else if (lands && rate < 0 && kind != BR_LANE_ELEMENTS &&
             b->landing[i] < BR_LANE_MOST_LANDINGS) { /* short of it: the rest */
    b->landing[i] += 1;
    next = BR_LANE_N(min)(b->full[i], -v / rate);
  } else if (lands) {
    next = BR_LANE_N(min)(b->full[i], BR_LANE_N(max)(next, h)), lands = 0;
  }
  if (!lands) b->landing[i] = 0;
  b->refused[i] = b->flips[i] = 0;
  if (arrives) {
    if (b->stop[i] >= b->end[i]) b->over[i] = b->rare[i] = 1;
    else if (b->lo[0][i] > b->hi[0][i]) /* counting begins */
      for (int l = 0; l < n; l++) b->lo[l][i] = b->hi[l][i] = b->y[l][i];
    b->stop[i] = b->end[i];
  }
  const br_lane_real left = br_lane_room(b, i); /* constant steps: `full` each, and no stump at the stop */
  b->h[i] = !b->fixed                                 ? br_lane_fit(b, i, next, left)
            : left < BR_LANE_K(1.000001) * b->full[i] ? left
                                                      : b->full[i];
}
#endif
