/* SPDX-License-Identifier: Apache-2.0
 * lane.h - what lanes of an ensemble hold, and how a try of a step is judged in all of them at once: taken, refused,
 * or left aside for core/lane_settle.h.  Freestanding; compiled for vector lanes and, with BR_LANE_WIDTH 1, for a GPU
 * thread.
 *
 * A lane is one member: a mechanism with one contact whose states are the contact's velocity v and at most one
 * more, q, which follows it,
 *   q' = c0 + s0 w(t) + a v        v' = c1 + s1 w(t) + k q + d v + b F        w(t) = sin(2 pi (frequency t + phase))
 * and a model with up to two states.  Order of the states: q, v, z.  Every row of the block has one number per lane,
 * counts included, so that the loops over lanes are vector code throughout.
 * Equal bits: no row of a lane depends on another lane. */
#ifndef BR_LANE_H
#define BR_LANE_H
#include "num.h"
#include "rodas.h"

#ifndef BR_LANE_WIDTH
#define BR_LANE_WIDTH 32
#endif
#define BR_LANE_GROUP 8   /* lanes that one vector holds where registers have 512 bits */
#define BR_LANE_SLOTS 112 /* numbers of the largest parameter block */
#define BR_LANE_STATES 4
#define BR_LANE_ROW(name) double name[BR_LANE_WIDTH]
#if defined(__CUDACC__) /* states are indexed by constants, so that a lane lives in registers */
#define BR_LANE_UNROLL _Pragma("unroll")
#else
#define BR_LANE_UNROLL
#endif
#define BR_LANE_MOST_LANDINGS 12
/* A contact sticks up to its break-away level and a little more, and is let go a little further up, so that it knows where to. */
#define BR_LANE_HOLDS (1 + 1e-9)
#define BR_LANE_SLIPS (1 + 4e-9)
#define BR_LANE_SLIPPED (1 + 8e-9)

typedef struct {
  BR_LANE_ROW(par[BR_LANE_SLOTS]); /* the model's prepared block */
  BR_LANE_ROW(load);
  BR_LANE_ROW(seat); /* 1: q is the contact's position, 0: the position is not known and not asked for */
  BR_LANE_ROW(a);
  BR_LANE_ROW(k);
  BR_LANE_ROW(d);
  BR_LANE_ROW(b);
  BR_LANE_ROW(c0);
  BR_LANE_ROW(c1);
  BR_LANE_ROW(s0);
  BR_LANE_ROW(s1);
  BR_LANE_ROW(frequency);
  BR_LANE_ROW(phase);
  BR_LANE_ROW(wave[6]); /* w at the times of the stages */
  BR_LANE_ROW(slope);   /* dw/dt at the start */
  BR_LANE_ROW(vs);      /* speed scale of the Stribeck curve; 0: none */
  BR_LANE_ROW(most);    /* break-away level, N */
  BR_LANE_ROW(longest); /* s, longest step: no wave is stepped over */
  /* the motion */
  BR_LANE_ROW(t);
  BR_LANE_ROW(h);
  BR_LANE_ROW(stop); /* the time that no step goes past: from, then end */
  BR_LANE_ROW(from);
  BR_LANE_ROW(end);
  BR_LANE_ROW(y[BR_LANE_STATES]);
  BR_LANE_ROW(f[BR_LANE_STATES]);
  BR_LANE_ROW(side);  /* direction of motion */
  BR_LANE_ROW(stuck); /* 1: held */
  /* the try */
  BR_LANE_ROW(inverse); /* 1/h */
  BR_LANE_ROW(pivot[BR_LANE_STATES]);
  BR_LANE_ROW(down[BR_LANE_STATES]);   /* slope of state l over v */
  BR_LANE_ROW(across[BR_LANE_STATES]); /* slope of v over state l */
  BR_LANE_ROW(chain);                  /* slope of the last state over the one before it */
  BR_LANE_ROW(K[8][BR_LANE_STATES]);
  BR_LANE_ROW(u[BR_LANE_STATES]);
  BR_LANE_ROW(y1[BR_LANE_STATES]);
  BR_LANE_ROW(f1[BR_LANE_STATES]); /* rates at the end, up to the error of the step */
  BR_LANE_ROW(err);                /* over the tolerance */
  BR_LANE_ROW(factor);
  BR_LANE_ROW(go); /* 1: the step is taken */
  BR_LANE_ROW(scale[BR_LANE_STATES]);
  BR_LANE_ROW(top[BR_LANE_STATES]);
  BR_LANE_ROW(recent[BR_LANE_STATES]);
  BR_LANE_ROW(refused); /* tries refused since the last step */
  BR_LANE_ROW(landing); /* tries to end at an event */
  BR_LANE_ROW(full);    /* size of the step before it was cut to land */
  BR_LANE_ROW(flips);   /* turned at rest, without time passing */
  /* what is counted */
  BR_LANE_ROW(
      lo[BR_LANE_STATES]); /* infinitely low where nobody asks, hi likewise: then no step is looked into */
  BR_LANE_ROW(hi[BR_LANE_STATES]);
  BR_LANE_ROW(peak); /* highest speed since the last reversal */
  BR_LANE_ROW(slow); /* speed that counts as stick */
  BR_LANE_ROW(reversals);
  BR_LANE_ROW(sticks);
  BR_LANE_ROW(rested); /* s */
  BR_LANE_ROW(level);  /* velocity whose upward crossings are returns; NaN: none are counted */
  BR_LANE_ROW(returns);
  BR_LANE_ROW(first); /* s, times of the first and the last one, shortest and longest time between two */
  BR_LANE_ROW(last);
  BR_LANE_ROW(nearest);
  BR_LANE_ROW(farthest);
  BR_LANE_ROW(steps);
  BR_LANE_ROW(tries);
  BR_LANE_ROW(rare); /* 1: the lane asks for br_lane_settle(), and behind it: it has ended */
  BR_LANE_ROW(over); /* 0: goes on, 1: has arrived, 2: failed */
  double rtol, most_tries;
  double
      watched; /* from this try on every lane is settled alone: the last one, in constant steps the first */
  int fixed, driven; /* constant steps; some lane has a wave */
} br_lane_block;

/* Do something for every lane i of the first `groups` groups. */
#define BR_LANE_EACH(call)                       \
  for (size_t g = 0; g < groups; g++)            \
    for (size_t j = 0; j < BR_LANE_GROUP; j++) { \
      const size_t i = g * BR_LANE_GROUP + j;    \
      call;                                      \
    }

/* sin(2 pi x) */
BR_FN double br_lane_sine(double x)
{
  const double turn = 4 * (x - ((x + 0x1.8p52) - 0x1.8p52)), a = brn_abs_f64(turn);
  return brn_copysign_f64(brn_sinq_f64(a > 1 ? 2 - a : a), turn);
}

/* The wave at the times of the stages. */
BR_FN void br_lane_waves(br_lane_block *b, size_t i)
{
  const double x = b->frequency[i] * b->t[i] + b->phase[i], dx = b->frequency[i] * b->h[i];
#define BR_LANE_WAVE(j, c) b->wave[j][i] = br_lane_sine(x + (c)*dx);
  BR_RODAS_TIME(BR_LANE_WAVE)
#undef BR_LANE_WAVE
  b->slope[i] = 0x1.921fb54442d18p+2 * b->frequency[i] * br_lane_sine(x + 0.25);
}

/* Does the contact creep, with a friction level that changes with its speed?  What is left of a motion after it came to
 * rest is its position alone, then. */
BR_FN int br_lane_creeps(const br_lane_block *b, size_t i) { return (b->vs[i] > 0) & !(b->most[i] > 0); }

/* Scale of the error of state l at x, relative to the size it has had lately; of one that creeps the position is kept
 * closer, deflections less so.  Otherwise that of the velocity goes down to where the friction level changes. */
BR_FN void br_lane_scale(br_lane_block *b, size_t i, int l, double x)
{
  const double size = brn_abs_f64(x), top = brn_max_f64(b->top[l][i], size), vs = b->vs[i];
  const int creeps = br_lane_creeps(b, i);
  const double part = 1e-2 * top, near = l == 1 && vs > 0 ? (creeps ? 0.02 : 0.5) * vs : part;
  const double lately = (creeps ? 0.94 : 0.9) * b->recent[l][i];
  const double recent = brn_max_f64(brn_max_f64(size, lately), brn_min_f64(near, part));
  const double weight = creeps ? (l == 0 ? 0.4 : l == 1 ? 1 : 4) : 1;
  b->top[l][i] = top;
  b->recent[l][i] = recent;
  b->scale[l][i] = b->rtol * (l == 1 ? recent + 1e-3 * vs : weight * recent) + 1e-30;
}

/* The next size: never past the stop, and no stump before it. */
BR_FN double br_lane_fit(const br_lane_block *b, size_t i, double size, double room)
{
  const double h = brn_min_f64(b->longest[i], size), half = h > 0.5 * room ? 0.5 * room : h;
  return h >= 0.999 * room ? room : half;
}

BR_FN double br_lane_least(const br_lane_block *b, size_t i)
{
  return 1e-14 * brn_max_f64(brn_abs_f64(b->t[i]), 1e-6 * (b->stop[i] - b->t[i]));
}

/* How well a velocity of zero is located. */
BR_FN double br_lane_near(const br_lane_block *b, size_t i) { return 10 * b->scale[1][i]; }

/* What the contact of a stuck lane must hold, N. */
BR_FN double br_lane_hold(const br_lane_block *b, size_t i, double wave, double q)
{
  return -(b->c1[i] + b->s1[i] * wave + b->k[i] * q) / b->b[i];
}

/* How much errors of speed and deflection count: an error of the speed is a shift in time, error / |v'|, which may be as
 * long as one that the tolerance of the position allows.  Not so where a contact creeps out of stick: everything that
 * follows hangs on when it breaks away. */
BR_FN double br_lane_weight(const br_lane_block *b, size_t i)
{
  const double v = b->y[1][i], rate = b->f[1][i], vs = b->vs[i], speed = brn_abs_f64(v);
  const double shift = BR_OVER(b->scale[1][i] * speed, b->scale[0][i] * brn_abs_f64(rate));
  const int leaves = (speed < 0.6 * vs) & (rate * v > 0);
  return (shift < 1) & !leaves & br_lane_creeps(b, i) ? brn_max_f64(shift, 0.02) : 1;
}

/* Error of the try over its tolerance, the largest of all states, with one quotient; NaN where a number is none. */
BR_FN double br_lane_error(const br_lane_block *b, size_t i, int n)
{
  const double weight = br_lane_weight(b, i);
  double most = 0, sum = 0, all = 1;
  for (int l = 0; l < n; l++) {
    double x = l == 0 ? brn_abs_f64(b->K[7][l][i]) : weight * brn_abs_f64(b->K[7][l][i]);
    for (int j = 0; j < n; j++) x = j == l ? x : x * b->scale[j][i];
    most = brn_max_f64(most, x);
    sum += x + b->y1[l][i];
    all = all * b->scale[l][i];
  }
  return BR_OVER(most, all) + (sum - sum);
}

/* Friction falls from static to sliding level over a few vs; a step that begins inside that range and ends far outside would
 * not see the hump. */
BR_FN int br_lane_jumps(const br_lane_block *b, size_t i)
{
  const double v0 = b->y[1][i], v1 = b->y1[1][i], vs = b->vs[i];
  const double low = brn_min_f64(brn_abs_f64(v0), brn_abs_f64(v1));
  return (low < 40 * vs) & (brn_abs_f64(v1 - v0) > 1.5 * (vs + low));
}

/* How much longer the next step may be; something for a NaN too. */
BR_FN double br_lane_factor(double err)
{
#ifdef BR_LANE_ROUGHLY
  return 0.83 * BR_LANE_ROUGHLY(err + 1e-10);
#else
  return 0.83 * brn_exp2_f64(-0.2 * brn_log2_abs_f64(err + 1e-10));
#endif
}

/* May state l have an extreme value inside the step that was not seen yet? */
BR_FN int br_lane_peaks(const br_lane_block *b, size_t i, int l)
{
  const double f0 = b->f[l][i], f1 = b->f1[l][i], far = b->y[l][i] + b->h[i] * f0;
  return ((f0 > 0) & (f1 < 0) & (far > b->hi[l][i])) | ((f0 < 0) & (f1 > 0) & (far < b->lo[l][i]));
}

/* The load of a stuck lane over the try: its highest point, and in *x the place of it.  Between the start, the time of the second
 * stage and the end a parabola tells. */
BR_FN double br_lane_load(const br_lane_block *b, size_t i, double *x)
{
  const double c = BR_RODAS_SECOND, q0 = b->y[0][i], q1 = b->y1[0][i];
  const double g0 = brn_abs_f64(br_lane_hold(b, i, b->wave[0][i], q0)),
               gc = brn_abs_f64(br_lane_hold(b, i, b->wave[1][i], q0 + c * (q1 - q0))),
               g1 = brn_abs_f64(br_lane_hold(b, i, b->wave[5][i], q1));
  const double d1 = (gc - g0) / c, d2 = (g1 - gc) / (1 - c), bend = d2 - d1, slope = d1 - c * bend;
  const double at = -0.5 * slope / (bend < 0 ? bend : -1), top = g0 + 0.5 * slope * at;
  const double inside = bend < 0 ? (at < 1 ? at : 0) : 0; /* 0: no crest */
  *x = inside > 0 ? at : 1;
  return inside > 0 ? brn_max_f64(top, g1) : g1;
}

/* Has the event happened in the try: the velocity has changed sign, the contact breaks away? */
BR_FN int br_lane_crosses(const br_lane_block *b, size_t i, int stick)
{
  const double beyond = -br_lane_near(b, i) - b->side[i] * b->y1[1][i];
  double x;
  if (!stick) return beyond > 0;
  const double load = br_lane_load(b, i, &x);
  return (b->stuck[i] > 0 ? load - b->most[i] * BR_LANE_SLIPPED : beyond) > 0;
}

/* Judge the try, in every lane at once and in three rounds (of one long one compilers make branches).  Steps that are
 * simply taken or refused are dealt with here; everything else is left to br_lane_settle().  measures 0: nobody asks for
 * more than the state at the end, so that nothing is looked for on the way. */
BR_FN void br_lane_weigh(br_lane_block *b, size_t i, int n)
{
  const double err = br_lane_error(b, i, n);
  b->err[i] = err;
  b->factor[i] = br_lane_factor(err);
}

BR_FN void br_lane_judge(br_lane_block *b, size_t i, int n, int stick, int measures)
{
  const double h = b->h[i], t = b->t[i], room = b->stop[i] - t, slow = b->slow[i];
  const double v0 = brn_abs_f64(b->y[1][i]), v1 = brn_abs_f64(b->y1[1][i]);
  const int ok = (b->err[i] <= 1) & !br_lane_jumps(b, i), counts = t >= b->from[i];
  int rare = br_lane_crosses(b, i, stick) | (b->landing[i] > 0) | (b->tries[i] >= b->watched), peaks = 0;
  for (int l = 0; l < n && measures; l++) peaks = peaks | br_lane_peaks(b, i, l);
  const double near = br_lane_near(b, i), side = b->side[i];
  rare = rare | ((side * b->y1[1][i] <= near) & (side * b->y[1][i] > near)); /* comes to zero */
  if (measures) /* returns; becomes slow or fast; extremes */
    rare = rare | (ok & ((counts & (b->y[1][i] < b->level[i]) & (b->y1[1][i] >= b->level[i])) |
                         ((v0 < slow) != (v1 < slow)) | (peaks & counts)));
  rare = rare | (ok & (h >= room));
  rare = rare | (!ok & (h * 0.1 <= br_lane_least(b, i)));
  b->go[i] = (ok & !rare) ? 1 : 0;
  b->rare[i] = rare ? 1 : 0;
}

BR_FN void br_lane_move(br_lane_block *b, size_t i, int n, int measures)
{
  const double h = b->h[i], t = b->t[i], fac = b->factor[i], go = b->go[i], refused = b->refused[i];
  const double v0 = brn_abs_f64(b->y[1][i]), v1 = brn_abs_f64(b->y1[1][i]), seen = t >= b->from[i] ? go : 0;
  const double rest = v0 < b->slow[i] ? 1 : b->stuck[i];
  const double grow = brn_min_f64(refused > 0 ? 1 : 8, brn_max_f64(0.2, fac)),
               shrink = brn_max_f64(0.1, brn_min_f64(0.9, fac)), now = go > 0 ? t + h : t;
  const double next = br_lane_fit(b, i, h * (go > 0 ? grow : shrink), b->stop[i] - now);
  for (int l = 0; l < n; l++) {
    const double x = b->y1[l][i], y = go > 0 ? x : b->y[l][i], lo = b->lo[l][i], hi = b->hi[l][i];
    br_lane_scale(b, i, l, y);
    b->y[l][i] = y;
    if (!measures) continue;
    b->lo[l][i] = brn_min_f64(lo, seen > 0 ? x : lo);
    b->hi[l][i] = brn_max_f64(hi, seen > 0 ? x : hi);
  }
  if (measures) b->rested[i] += seen * rest * h;
  b->peak[i] = brn_max_f64(b->peak[i], go * v1);
  b->t[i] = now;
  b->h[i] = b->rare[i] > 0 ? h : next;
  b->refused[i] = (1 - go) * (refused + 1 - b->rare[i]);
  b->flips[i] = (1 - go) * b->flips[i];
  b->steps[i] += go;
  b->tries[i] += 1;
}
#endif
