/* SPDX-License-Identifier: Apache-2.0
 * root.h - the zero of a function between two places at which its signs differ.  Internal, inline.
 *
 * The caller evaluates, so that a function may fail, or leave behind the state that belongs to its last
 * place:
 *
 *     bri_bracket k = bri_bracket_of(a, fa, b, fb);
 *     while (k.b - k.a > tol) x = bri_bracket_next(&k), bri_bracket_take(&k, x, f(x));
 *
 * Without slopes: false position, the older end counted half when it stays for a second time (Illinois), so
 * that both ends close in; the middle where three places did not halve the bracket, so that no function takes
 * for ever.  With slopes: Newton's step where it stays inside, else the middle. */
#ifndef BRI_BASE_ROOT_H
#define BRI_BASE_ROOT_H

typedef struct {
  double a, b, fa, fb; /* f(a) and f(b) differ in sign; a may lie above b */
  int moved;           /* the end that moved last: -1 a, 1 b, 0 none */
  int taken, slow;     /* places so far; 1: the last three did not halve the bracket */
  double width;        /* of the bracket three places ago */
} bri_bracket;

static inline bri_bracket bri_bracket_of(double a, double fa, double b, double fb)
{
  const bri_bracket k = {a, b, fa, fb, 0, 0, 0, b - a};
  return k;
}

/* x where it lies between the ends, else (NaN too) the middle; an end, when the ends are neighbours. */
static inline double bri_bracket_inside(const bri_bracket *k, double x)
{
  const int inside = (x > k->a && x < k->b) || (x < k->a && x > k->b);
  return inside ? x : 0.5 * (k->a + k->b);
}

static inline double bri_bracket_next(const bri_bracket *k)
{
  if (k->slow) return 0.5 * (k->a + k->b);
  return bri_bracket_inside(k, k->a + (k->b - k->a) * (k->fa / (k->fa - k->fb)));
}

/* f was found at x: the end on its side moves there. */
static inline void bri_bracket_take(bri_bracket *k, double x, double f)
{
  const int falls = k->fa > 0 || k->fb < 0; /* one of them may be zero */
  if ((f > 0) == falls) {
    k->a = x, k->fa = f;
    if (k->moved == -1) k->fb *= 0.5;
    k->moved = -1;
  } else {
    k->b = x, k->fb = f;
    if (k->moved == 1) k->fa *= 0.5;
    k->moved = 1;
  }
  k->slow = 0;
  if (++k->taken % 3 == 0) {
    const double ratio = (k->b - k->a) / k->width;
    k->slow = !(ratio <= 0.5);
    k->width = k->b - k->a;
  }
}

/* The same with the slope at x; the next place to look. */
static inline double bri_bracket_newton(bri_bracket *k, double x, double f, double slope)
{
  const double next = x - f / slope;
  bri_bracket_take(k, x, f);
  return next == x ? x : bri_bracket_inside(k, next); /* a step that rounding swallows: there it is */
}

#endif
