/* SPDX-License-Identifier: Apache-2.0
 * lane.h - what lanes of an ensemble hold, and how a try of a step is judged in all of them at once: taken,
 * refused, or left aside for core/lane_settle.h.  Freestanding; compiled for vector lanes and, with
 * BR_LANE_WIDTH 1, for a GPU thread.
 *
 * A lane is one member: a mechanism with one contact whose states are the contact's velocity v and at most
 * one more, q, which follows it,
 *   q' = c0 + s0 w(t) + a v,        v' = c1 + s1 w(t) + k q + d v + b F,
 *   w(t) = sin(2 pi (frequency t + phase))
 * and a model with up to two states.  Order of the states: q, v, z.  Every row of the block has one number
 * per lane, counts included, so that the loops over lanes are vector code throughout.
 * Spring-sliders in parallel (maxwell_slip) have one state instead, the travel x since the last event: while
 * none of them begins to slip or turns, all of them together are one spring, F = held + stiff x.  Their
 * deflections stand outside of the block (`store`) and are looked at only where that changes
 * (core/lane_settle.h); the fourth state is the position without x.  Equal bits: no row of a lane depends on
 * another lane. */
#ifndef BR_LANE_H
#define BR_LANE_H
#include "num.h"
#include "rodas.h"

#ifdef BR_LANE_F32
#define BR_LANE_GROUP 16 /* lanes that one vector holds where registers have 512 bits */
#else
#define BR_LANE_GROUP 8
#endif
#ifndef BR_LANE_WIDTH
#define BR_LANE_WIDTH (4 * BR_LANE_GROUP)
#endif
#define BR_LANE_SLOTS 112 /* numbers of the largest parameter block */
#define BR_LANE_STATES 4
/* The number type of a block: f64, or f32 where BR_LANE_F32 is defined.  Lanes in f32 hold what rounding adds
 * to their time in a row of its own (`excess`), so that thousands of steps do not add up to a shift. */
#ifdef BR_LANE_F32
typedef float br_lane_real;
#define BR_LANE_N(function) BR_CAT3(brn_, function, _f32)
#define BR_LANE_SHIFT 23 /* bits of the fraction, */
#define BR_LANE_POWER \
  BR_LANE_K(0x1.8000fep+23) /* the number whose last bits are an exponent: 2^k is its bits shifted, */
#define BR_LANE_WHOLE BR_LANE_K(0x1.8p+23) /* and the one that rounds to whole numbers */
#define BR_LANE_TINY BR_LANE_K(0x1p-126)
#define BR_LANE_HUGE BR_LANE_K(1e30)
#define BR_LANE_GRAIN 4e-7 /* of the levels at which a contact sticks and slips */
#else
typedef double br_lane_real;
#define BR_LANE_N(function) BR_CAT3(brn_, function, _f64)
#define BR_LANE_SHIFT 52
#define BR_LANE_POWER BR_LANE_K(0x1.80000000003ffp52)
#define BR_LANE_WHOLE BR_LANE_K(0x1.8p52)
#define BR_LANE_TINY BR_LANE_K(0x1p-1022)
#define BR_LANE_HUGE BR_LANE_K(1e60)
#define BR_LANE_GRAIN 1e-9
#endif
#define BR_LANE_K(x) ((br_lane_real)(x))
#define BR_LANE_ROW(name) br_lane_real name[BR_LANE_WIDTH]
/* What judges a try but is no part of a motion: counts, scales and errors.  A build that need not give the
 * same bits may hold them in f32 (targets/cuda). */
#ifdef BR_LANE_ROUGHLY
typedef float br_lane_rough;
#define BR_LANE_OVER(a, b) ((a) / (b))
#define BR_LANE_R(function) BR_CAT3(brn_, function, _f32)
#else
typedef br_lane_real br_lane_rough;
#define BR_LANE_OVER(a, b) BR_OVER(a, b)
#define BR_LANE_R(function) BR_LANE_N(function)
#endif
#define BR_LANE_C(x) ((br_lane_rough)(x))
#define BR_LANE_ROUGH(name) br_lane_rough name[BR_LANE_WIDTH]
#if defined(__CUDACC__) /* states are indexed by constants, so that a lane lives in registers */
#define BR_LANE_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__clang__) /* or no vector code comes of the loop around it */
#define BR_LANE_UNROLL _Pragma("GCC unroll 4")
#else
#define BR_LANE_UNROLL
#endif
#define BR_LANE_MOST_LANDINGS 12
/* A contact sticks up to its break-away level and a little more, and is let go a little further up, so that
 * it knows where to. */
#define BR_LANE_HOLDS BR_LANE_K(1 + BR_LANE_GRAIN)
#define BR_LANE_SLIPS BR_LANE_K(1 + 4 * BR_LANE_GRAIN)
#define BR_LANE_SLIPPED BR_LANE_K(1 + 8 * BR_LANE_GRAIN)

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
  BR_LANE_ROW(held);    /* elements: their force at x = 0, N; stiffness of those that stick, N/m; */
  BR_LANE_ROW(stiff);
  BR_LANE_ROW(reach);   /* travel to the side at which the next one begins to slip; */
  BR_LANE_ROW(width);   /* size by which errors of x are judged.  0: no elements */
  BR_LANE_ROW(longest); /* s, longest step: no wave is stepped over */
  /* the motion */
  BR_LANE_ROW(t);
  BR_LANE_ROW(excess); /* s that t is too large, f32 only */
  BR_LANE_ROW(h);
  BR_LANE_ROW(stop); /* the time that no step goes past: from, then end */
  BR_LANE_ROW(from);
  BR_LANE_ROW(end);
  BR_LANE_ROW(y[BR_LANE_STATES]);
  BR_LANE_ROW(f[BR_LANE_STATES]);
  BR_LANE_ROW(side);  /* direction of motion */
  BR_LANE_ROW(stuck); /* 1: held */
  /* the try */
  BR_LANE_ROW(pivot[BR_LANE_STATES]);
  BR_LANE_ROW(down[BR_LANE_STATES]);   /* slope of state l over v */
  BR_LANE_ROW(across[BR_LANE_STATES]); /* slope of v over state l, times the pivot of v */
  BR_LANE_ROW(chain); /* slope of the last state over the one before it; all slopes times h */
  BR_LANE_ROW(K[8][BR_LANE_STATES]);
  BR_LANE_ROW(u[BR_LANE_STATES]);
  BR_LANE_ROW(y1[BR_LANE_STATES]);
  BR_LANE_ROW(f1[BR_LANE_STATES]); /* rates at the end, up to the error of the step */
  BR_LANE_ROW(full);               /* size of the step before it was cut to land */
  /* what is counted */
  BR_LANE_ROW(
      lo[BR_LANE_STATES]); /* infinitely low where nobody asks, hi likewise: then no step is looked into */
  BR_LANE_ROW(hi[BR_LANE_STATES]);
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
  BR_LANE_ROW(over); /* 0: goes on, 1: has arrived, 2: failed */
  /* how the try is judged; these rows are the last */
  BR_LANE_ROUGH(err); /* over the tolerance */
  BR_LANE_ROUGH(factor);
  BR_LANE_ROUGH(go); /* 1: the step is taken */
  BR_LANE_ROUGH(scale[BR_LANE_STATES]);
  BR_LANE_ROUGH(top[BR_LANE_STATES]);
  BR_LANE_ROUGH(recent[BR_LANE_STATES]);
  BR_LANE_ROUGH(refused); /* tries refused since the last step */
  BR_LANE_ROUGH(landing); /* tries to end at an event */
  BR_LANE_ROUGH(flips);   /* turned at rest, without time passing */
  BR_LANE_ROUGH(peak);    /* highest speed since the last reversal */
  BR_LANE_ROUGH(steps);
  BR_LANE_ROUGH(tries);
  BR_LANE_ROUGH(rare); /* 1: the lane asks for br_lane_settle(), and behind it: it has ended */
  br_lane_real rtol, most_tries;
  br_lane_real
      watched; /* from this try on every lane is settled alone: the last one, in constant steps the first */
  int fixed, driven;                  /* constant steps; some lane has a wave */
  int count;                          /* elements, the same for all lanes */
  const br_lane_real *spring, *limit; /* [count] N/m, m */
  br_lane_real *store;                /* deflection e of lane i: store[e * stride + i], m */
  size_t stride;
} br_lane_block;
#define BR_LANE_ROWS (offsetof(br_lane_block, rare) / sizeof(br_lane_real) / BR_LANE_WIDTH + 1)

/* a b + c with one rounding: the same bits wherever it runs, an instruction where the processor has one (the
 * variants that are compiled for AVX2 and AVX-512, GPUs), else the C library's. */
BR_FN br_lane_real br_lane_fma(br_lane_real a, br_lane_real b, br_lane_real c)
{
#if defined(BR_LANE_F32)
  return __builtin_fmaf(a, b, c);
#elif defined(__CUDACC__)
  return fma(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

/* Time left before the stop. */
BR_FN br_lane_real br_lane_room(const br_lane_block *b, size_t i)
{
#ifdef BR_LANE_F32
  return (b->stop[i] - b->t[i]) + b->excess[i];
#else
  return b->stop[i] - b->t[i];
#endif
}

/* Let h pass. */
BR_FN void br_lane_pass(br_lane_block *b, size_t i, br_lane_real h)
{
#ifdef BR_LANE_F32 /* what rounding takes from t is kept */
  const br_lane_real add = h - b->excess[i], t = b->t[i] + add;
  b->excess[i] = (t - b->t[i]) - add;
  b->t[i] = t;
#else
  b->t[i] = b->t[i] + h;
#endif
}

#ifndef BR_LANE_F32
/* exp(-x), x >= 0, to 4e-14: 2^r = 1 + r P(r) on |r| <= 1/2, interpolated at the zeros of Chebyshev's
 * polynomial of degree 9.  Fused, and a third shorter than that of core/num.h. */
BR_FN double br_lane_decay(double x)
{
  const double y = x * BR_LITERAL(0x1.71547652b82fep+0), up = BR_LITERAL(0x1.80000000003ffp52) - y,
               r = (BR_LITERAL(0x1.80000000003ffp52) - up) - y, r2 = r * r, r4 = r2 * r2;
#define BR_LANE_PART(a, b) br_lane_fma(BR_LITERAL(b), r, BR_LITERAL(a))
  const double low = br_lane_fma(r2, BR_LANE_PART(0x1.c6b08d7047e52p-5, 0x1.3b2ab7181b755p-7),
                                 BR_LANE_PART(0x1.62e42fefa39efp-1, 0x1.ebfbdff823cedp-3)),
               high = br_lane_fma(r2, BR_LANE_PART(0x1.ffcb9515a8016p-17, 0x1.63d136366db24p-20),
                                  BR_LANE_PART(0x1.5d87fe86fe88ep-10, 0x1.4308ac85aa947p-13));
#undef BR_LANE_PART
  const double p = br_lane_fma(r4, br_lane_fma(r4, BR_LITERAL(0x1.b63880a30e9ffp-24), high), low);
  const double scale = brn_from_bits_f64(y < 1022 ? brn_bits_f64(up) << 52 : 0);
  return br_lane_fma(scale * r, p, scale);
}
#endif

/* Do something for every lane i of the first `groups` groups. */
#define BR_LANE_EACH(call)                       \
  for (size_t g = 0; g < groups; g++)            \
    for (size_t j = 0; j < BR_LANE_GROUP; j++) { \
      const size_t i = g * BR_LANE_GROUP + j;    \
      call;                                      \
    }

/* sin(2 pi x) */
BR_FN br_lane_real br_lane_sine(br_lane_real x)
{
  const br_lane_real turn = 4 * (x - ((x + BR_LANE_WHOLE) - BR_LANE_WHOLE)), a = BR_LANE_N(abs)(turn);
  return BR_LANE_N(copysign)(BR_LANE_N(sinq)(a > 1 ? 2 - a : a), turn);
}

/* Turns of the wave at the start of the try; in f32 those that are whole are left out before they cost
 * digits. */
BR_FN br_lane_real br_lane_turns(const br_lane_block *b, size_t i)
{
  const br_lane_real f = b->frequency[i], t = b->t[i], x = f * t;
#ifdef BR_LANE_F32
  const br_lane_real part = x - ((x + BR_LANE_WHOLE) - BR_LANE_WHOLE), rest = br_lane_fma(f, t, -x);
  return part + br_lane_fma(-f, b->excess[i], rest + b->phase[i]);
#else
  return x + b->phase[i];
#endif
}

/* The wave at the times of the stages. */
BR_FN void br_lane_waves(br_lane_block *b, size_t i)
{
  const br_lane_real x = br_lane_turns(b, i), dx = b->frequency[i] * b->h[i];
#define BR_LANE_WAVE(j, c) b->wave[j][i] = br_lane_sine(x + BR_LANE_K(c) * dx);
  BR_RODAS_TIME(BR_LANE_WAVE)
#undef BR_LANE_WAVE
  b->slope[i] = BR_LANE_K(0x1.921fb54442d18p+2) * b->frequency[i] * br_lane_sine(x + BR_LANE_K(0.25));
}

/* Does the contact creep, with a friction level that changes with its speed?  What is left of a motion after
 * it came to rest is its position alone, then. */
BR_FN int br_lane_creeps(const br_lane_block *b, size_t i) { return (b->vs[i] > 0) & !(b->most[i] > 0); }

/* Scale of the error of state l at x, relative to the size it has had lately; of one that creeps the position
 * is kept closer, deflections less so.  Otherwise that of the velocity goes down to where the friction level
 * changes. */
BR_FN void br_lane_scale(br_lane_block *b, size_t i, int l, br_lane_real x)
{
#ifdef BR_LANE_F32 /* what rounding leaves of a step must not count where a state begins at zero */
  const br_lane_rough size = BR_LANE_N(max)(BR_LANE_N(abs)(x), BR_LANE_N(abs)(b->h[i] * b->f[l][i])),
                      top =
#else
  const br_lane_rough size = BR_LANE_R(abs)((br_lane_rough)x),
                      top =
#endif
                          BR_LANE_R(max)(b->top[l][i], size),
                      vs = (br_lane_rough)b->vs[i], none = 0;
  const int creeps = br_lane_creeps(b, i);
  const br_lane_rough part = BR_LANE_C(1e-2) * top,
                      near = l == 1 && vs > none ? (creeps ? BR_LANE_C(0.02) : BR_LANE_C(0.5)) * vs : part;
  const br_lane_rough lately = (creeps ? BR_LANE_C(0.94) : BR_LANE_C(0.9)) * b->recent[l][i];
  const br_lane_rough size_now = BR_LANE_R(max)(BR_LANE_R(max)(size, lately), BR_LANE_R(min)(near, part)),
                      width = BR_LANE_C(b->width[i]), recent = l == 2 && width > none ? width : size_now;
  const br_lane_rough weight = creeps ? (l == 0   ? BR_LANE_C(0.4)
                                         : l == 1 ? BR_LANE_C(1)
                                                  : BR_LANE_C(4))
                                      : BR_LANE_C(1);
  b->top[l][i] = top;
  b->recent[l][i] = recent;
  b->scale[l][i] =
      (br_lane_rough)b->rtol * (l == 1 ? recent + BR_LANE_C(1e-3) * vs : weight * recent) + BR_LANE_C(1e-30);
}

/* The next size: never past the stop, and no stump before it. */
BR_FN br_lane_real br_lane_fit(const br_lane_block *b, size_t i, br_lane_real size, br_lane_real room)
{
  const br_lane_real h = BR_LANE_N(min)(b->longest[i], size),
                     half = h > BR_LANE_K(0.5) * room ? BR_LANE_K(0.5) * room : h;
  return h >= BR_LANE_K(0.999) * room ? room : half;
}

BR_FN br_lane_rough br_lane_least(const br_lane_block *b, size_t i)
{
  return BR_LANE_C(1e-14) *
         BR_LANE_R(max)(BR_LANE_R(abs)(BR_LANE_C(b->t[i])), BR_LANE_C(1e-6) * BR_LANE_C(br_lane_room(b, i)));
}

/* How well a velocity of zero is located. */
BR_FN br_lane_rough br_lane_near(const br_lane_block *b, size_t i) { return 10 * b->scale[1][i]; }

/* What the contact of a stuck lane must hold, N. */
BR_FN br_lane_real br_lane_hold(const br_lane_block *b, size_t i, br_lane_real wave, br_lane_real q)
{
  return -(b->c1[i] + b->s1[i] * wave + b->k[i] * q) / b->b[i];
}

/* How much errors of speed and deflection count: an error of the speed is a shift in time, error / |v'|,
 * which may be as long as one that the tolerance of the position allows.  Not so where a contact creeps out
 * of stick: everything that follows hangs on when it breaks away. */
BR_FN br_lane_rough br_lane_weight(const br_lane_block *b, size_t i)
{
  const br_lane_rough v = BR_LANE_C(b->y[1][i]), rate = BR_LANE_C(b->f[1][i]), vs = BR_LANE_C(b->vs[i]),
                      speed = BR_LANE_R(abs)(v);
  const br_lane_rough shift = BR_LANE_OVER(b->scale[1][i] * speed, b->scale[0][i] * BR_LANE_R(abs)(rate));
  const int leaves = (speed < BR_LANE_C(0.6) * vs) & (rate * v > 0);
  return (shift < 1) & !leaves & br_lane_creeps(b, i) ? BR_LANE_R(max)(shift, BR_LANE_C(0.02)) : 1;
}

/* Error of the try over its tolerance, the largest of all states, with one quotient; NaN where a number is
 * none. */
BR_FN br_lane_rough br_lane_error(const br_lane_block *b, size_t i, int n)
{
  const br_lane_rough weight = br_lane_weight(b, i);
  br_lane_rough most = 0, sum = 0;
#if defined(BR_LANE_ROUGHLY) || \
    defined(BR_LANE_F32) /* products of scales are too small for f32, quotients cheap */
  BR_LANE_UNROLL
  for (int l = 0; l < n; l++) {
    const br_lane_rough x = BR_LANE_R(abs)(BR_LANE_C(b->K[7][l][i])) * (l == 0 ? 1 : weight);
    most = BR_LANE_R(max)(most, BR_LANE_OVER(x, b->scale[l][i]));
    sum += x;
  }
  return most + (sum - sum);
#else
  br_lane_real all = 1;
  for (int l = 0; l < n; l++) {
    br_lane_real x = l == 0 ? BR_LANE_N(abs)(b->K[7][l][i]) : weight * BR_LANE_N(abs)(b->K[7][l][i]);
    for (int j = 0; j < n; j++) x = j == l ? x : x * b->scale[j][i];
    most = BR_LANE_N(max)(most, x);
    sum += x + b->y1[l][i];
    all = all * b->scale[l][i];
  }
  return BR_OVER(most, all) + (sum - sum);
#endif
}

/* Friction falls from static to sliding level over a few vs; a step that begins inside that range and ends
 * far outside would not see the hump. */
BR_FN int br_lane_jumps(const br_lane_block *b, size_t i)
{
  const br_lane_rough v0 = BR_LANE_C(b->y[1][i]), v1 = BR_LANE_C(b->y1[1][i]), vs = BR_LANE_C(b->vs[i]);
  const br_lane_rough low = BR_LANE_R(min)(BR_LANE_R(abs)(v0), BR_LANE_R(abs)(v1));
  return (low < 40 * vs) & (BR_LANE_R(abs)(v1 - v0) > BR_LANE_C(1.5) * (vs + low));
}

/* How much longer the next step may be.  Of a NaN processors differ in the sign, which the logarithm would
 * see: it counts as a large error. */
BR_FN br_lane_rough br_lane_factor(br_lane_rough err)
{
#ifdef BR_LANE_ROUGHLY
  return BR_LANE_C(0.83) * BR_LANE_ROUGHLY(err + BR_LANE_C(1e-10));
#else
  /* to 1e-5: no more is needed */
  br_lane_real k;
  const br_lane_real t = BR_LANE_N(log_split)(BR_LANE_N(min)(BR_LANE_HUGE, err) + BR_LANE_K(1e-10), &k) - 1;
  const br_lane_real t2 = t * t,
                     high = br_lane_fma(t2, BR_LANE_K(0.25028785),
                                        br_lane_fma(t, -BR_LANE_K(0.38967522), BR_LANE_K(0.48573784))),
                     slope =
                         br_lane_fma(t2, high, br_lane_fma(t, -BR_LANE_K(0.72062922), BR_LANE_K(1.4426405)));
  const br_lane_real y = -BR_LANE_K(0.2) * br_lane_fma(t, slope, k), up = y + BR_LANE_POWER,
                     r = y - (up - BR_LANE_POWER);
  const br_lane_real p = br_lane_fma(r * r, br_lane_fma(r, BR_LANE_K(0.0096567103), BR_LANE_K(0.055838283)),
                                     br_lane_fma(r, BR_LANE_K(0.2402253), BR_LANE_K(0.69313673))),
                     scale = BR_LANE_K(0.83) * BR_LANE_N(from_bits)(BR_LANE_N(bits)(up) << BR_LANE_SHIFT);
  return br_lane_fma(scale * r, p, scale);
#endif
}

/* May state l have an extreme value inside the step that was not seen yet? */
BR_FN int br_lane_peaks(const br_lane_block *b, size_t i, int l)
{
  const br_lane_real f0 = b->f[l][i], f1 = b->f1[l][i], far = b->y[l][i] + b->h[i] * f0;
  return ((f0 > 0) & (f1 < 0) & (far > b->hi[l][i])) | ((f0 < 0) & (f1 > 0) & (far < b->lo[l][i]));
}

/* The load of a stuck lane over the try: its highest point, and in *x the place of it.  Between the start,
 * the time of the second stage and the end a parabola tells. */
BR_FN br_lane_real br_lane_load(const br_lane_block *b, size_t i, br_lane_real *x)
{
  const br_lane_real c = BR_LANE_K(BR_RODAS_SECOND), q0 = b->y[0][i], q1 = b->y1[0][i];
  const br_lane_real g0 = BR_LANE_N(abs)(br_lane_hold(b, i, b->wave[0][i], q0)),
                     gc = BR_LANE_N(abs)(br_lane_hold(b, i, b->wave[1][i], q0 + c * (q1 - q0))),
                     g1 = BR_LANE_N(abs)(br_lane_hold(b, i, b->wave[5][i], q1));
  const br_lane_real d1 = (gc - g0) / c, d2 = (g1 - gc) / (1 - c), bend = d2 - d1, slope = d1 - c * bend;
  const br_lane_real at = -BR_LANE_K(0.5) * slope / (bend < 0 ? bend : -1),
                     top = g0 + BR_LANE_K(0.5) * slope * at;
  const br_lane_real inside = bend < 0 ? (at < 1 ? at : 0) : 0; /* 0: no crest */
  *x = inside > 0 ? at : 1;
  return inside > 0 ? BR_LANE_N(max)(top, g1) : g1;
}

/* What `kind` of contact a lane has: friction that is smooth but for the direction, one that truly sticks,
 * elements. */
#define BR_LANE_SMOOTH 0
#define BR_LANE_STICKS 1
#define BR_LANE_ELEMENTS 2

/* Has the event happened in the try: the velocity has changed sign, the contact breaks away? */
BR_FN int br_lane_crosses(const br_lane_block *b, size_t i, int kind)
{
  const br_lane_rough beyond = -br_lane_near(b, i) - BR_LANE_C(b->side[i]) * BR_LANE_C(b->y1[1][i]);
  br_lane_real x;
  if (kind != BR_LANE_STICKS) return beyond > 0;
  const br_lane_real load = br_lane_load(b, i, &x);
  return (b->stuck[i] > 0 ? load - b->most[i] * BR_LANE_SLIPPED : beyond) > 0;
}

/* By how much the travel x goes beyond the place where the next element begins to slip. */
BR_FN br_lane_real br_lane_past(const br_lane_block *b, size_t i, br_lane_real x)
{
  return b->side[i] * x - b->reach[i];
}

/* Judge the try, in every lane at once and in three rounds (of one long one compilers make branches).  Steps
 * that are simply taken or refused are dealt with here; everything else is left to br_lane_settle().
 * measures 0: nobody asks for more than the state at the end, so that nothing is looked for on the way. */
BR_FN void br_lane_weigh(br_lane_block *b, size_t i, int n)
{
  const br_lane_rough err = br_lane_error(b, i, n);
  b->err[i] = err;
  b->factor[i] = br_lane_factor(err);
}

BR_FN void br_lane_judge(br_lane_block *b, size_t i, int n, int kind, int measures)
{
  const br_lane_real h = b->h[i], t = b->t[i], room = br_lane_room(b, i), slow = b->slow[i];
  const br_lane_real v0 = BR_LANE_N(abs)(b->y[1][i]), v1 = BR_LANE_N(abs)(b->y1[1][i]);
  const int ok = (b->err[i] <= 1) & !br_lane_jumps(b, i), counts = t >= b->from[i];
  int rare = br_lane_crosses(b, i, kind) | (b->landing[i] > 0) | (b->tries[i] >= BR_LANE_C(b->watched)),
      peaks = 0;
  for (int l = 0; l < n && measures; l++) peaks = peaks | br_lane_peaks(b, i, l);
  const br_lane_rough near = br_lane_near(b, i), side = BR_LANE_C(b->side[i]);
  const br_lane_rough ahead0 = side * BR_LANE_C(b->y[1][i]), ahead1 = side * BR_LANE_C(b->y1[1][i]);
  rare = rare | ((ahead1 <= near) & (ahead0 > near)); /* comes to zero */
  if (kind == BR_LANE_ELEMENTS) rare = rare | (br_lane_past(b, i, b->y1[2][i]) > -b->scale[2][i]);
  /* returns; becomes slow or fast; extremes */
  if (measures)
    rare = rare | (ok & ((counts & (b->y[1][i] < b->level[i]) & (b->y1[1][i] >= b->level[i])) |
                         ((v0 < slow) != (v1 < slow)) | (peaks & counts)));
  rare = rare | (ok & (h >= room));
  rare = rare | (!ok & (BR_LANE_C(h) * BR_LANE_C(0.1) <= br_lane_least(b, i)));
  b->go[i] = (ok & !rare) ? 1 : 0;
  b->rare[i] = rare ? 1 : 0;
}

BR_FN void br_lane_move(br_lane_block *b, size_t i, int n, int measures)
{
  const br_lane_real h = b->h[i];
  const br_lane_rough fac = b->factor[i], go = b->go[i], refused = b->refused[i];
  const br_lane_rough v0 = BR_LANE_R(abs)(BR_LANE_C(b->y[1][i])), v1 = BR_LANE_R(abs)(BR_LANE_C(b->y1[1][i])),
                      seen = b->t[i] >= b->from[i] ? go : 0;
  const br_lane_real rest = v0 < BR_LANE_C(b->slow[i]) ? 1 : b->stuck[i];
  const br_lane_rough grow = BR_LANE_R(min)(refused > 0 ? BR_LANE_C(1) : BR_LANE_C(8),
                                            BR_LANE_R(max)(BR_LANE_C(0.2), fac)),
                      shrink = BR_LANE_R(max)(BR_LANE_C(0.1), BR_LANE_R(min)(BR_LANE_C(0.9), fac));
  br_lane_pass(b, i, go > 0 ? h : 0);
  const br_lane_real next = br_lane_fit(b, i, h * (go > 0 ? grow : shrink), br_lane_room(b, i));
  BR_LANE_UNROLL
  for (int l = 0; l < n; l++) {
    const br_lane_real x = b->y1[l][i], y = go > 0 ? x : b->y[l][i], lo = b->lo[l][i], hi = b->hi[l][i];
    br_lane_scale(b, i, l, y);
    b->y[l][i] = y;
    if (!measures) continue;
    b->lo[l][i] = BR_LANE_N(min)(lo, seen > 0 ? x : lo);
    b->hi[l][i] = BR_LANE_N(max)(hi, seen > 0 ? x : hi);
  }
  if (measures) b->rested[i] += seen * rest * h;
  b->peak[i] = BR_LANE_R(max)(b->peak[i], go * v1);
  b->h[i] = b->rare[i] > 0 ? h : next;
  b->refused[i] = (1 - go) * (refused + 1 - b->rare[i]);
  b->flips[i] = (1 - go) * b->flips[i];
  b->steps[i] += go;
  b->tries[i] += 1;
}
#endif
