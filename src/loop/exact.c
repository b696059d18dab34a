/* SPDX-License-Identifier: Apache-2.0
 * exact.c - work and range of the force along an arc whose curve is known exactly: a model with an exact step
 * at held velocity.
 * The force may change within a tiny part of the arc behind the reversal (a layer), and bend where an element
 * starts to slip.  A rule that looks at both ends of a piece sees either; one that stays inside does not.
 * The states are integrated beside the force: sums of states can hide a layer, the states themselves cannot.
 */
#include <float.h>
#include <string.h>

#include "arc_internal.h"

enum { NODES = 10, DEPTH = 100, RULES = 20000, EVALUATIONS = 500000 };
#define NARROW 1e-12 /* of the arc: how well a jump is placed */

/* Gauss-Lobatto with 10 nodes, exact to degree 17; positive half. */
static const double node[NODES / 2] = {0.16527895766638702463, 0.47792494981044449566, 0.73877386510550507500,
                                       0.91953390816645881383, 1};
static const double weight[NODES / 2] = {0.32753976118389745666, 0.29204268367968375788,
                                         0.22488934206312645212, 0.13330599085107011113,
                                         0.02222222222222222222};

typedef struct {
  const bri_arc_model *a;
  const double *z0;
  double u, s;
  size_t ns;
  double size[BR_LOOP_MAX_STATE]; /* of the states over the arc */
  double top;                     /* largest |F| seen, N */
  double length;
  long budget; /* rules left: rounding in a force of cancelling terms must not be halved for ever */
  bri_arc_sums *sums;
} curve;

/* A piece of the arc by one rule. */
typedef struct {
  double work; /* J */
  double state[BR_LOOP_MAX_STATE];
  double r[NODES], F[NODES]; /* ascending */
} piece;

static double curve_force(const curve *c, double r, double *z)
{
  const double v = c->s * c->a->speed;
  memcpy(z, c->z0, c->a->nz * sizeof *z);
  if (r > 0) c->a->model->step(c->a->par, c->a->load, &c->u, &v, r / c->a->speed, z);
  return bri_arc_force(c->a, c->u + c->s * r, c->s, z);
}

static void apply(curve *c, double lo, double hi, piece *p)
{
  const double mid = 0.5 * (lo + hi), half = 0.5 * (hi - lo);
  double z[2 * BR_LOOP_MAX_STATE];
  p->work = 0;
  memset(p->state, 0, c->ns * sizeof *p->state);
  for (int k = 0; k < NODES; k++) {
    const int j = k < NODES / 2 ? NODES / 2 - 1 - k : k - NODES / 2;
    const double x = k < NODES / 2 ? -node[j] : node[j], w = weight[j] * half;
    p->r[k] = k == 0 ? lo : k == NODES - 1 ? hi : mid + half * x;
    p->F[k] = curve_force(c, p->r[k], z);
    p->work += w * p->F[k];
    for (size_t i = 0; i < c->ns; i++) p->state[i] += w * z[i];
    c->top = fmax(c->top, fabs(p->F[k]));
  }
}

/* Do two halves say what the whole says?  The force to rounding, the states well enough to show a layer. */
static int agree(const curve *c, const piece *whole, const piece *left, const piece *right, double width)
{
  const double off = fabs(left->work + right->work - whole->work);
  if (!(off <= 4 * DBL_EPSILON * c->top * c->length) &&
      !(off <= 32 * DBL_EPSILON * (fabs(left->work) + fabs(right->work))))
    return 0;
  for (size_t i = 0; i < c->ns; i++)
    if (!(fabs(left->state[i] + right->state[i] - whole->state[i]) <= 1e-9 * c->size[i] * width)) return 0;
  return 1;
}

/* Largest s F in (lo, hi) by golden section. */
static double summit(const curve *c, double sign, double lo, double hi)
{
  const double g = 0.6180339887498949;
  double z[2 * BR_LOOP_MAX_STATE], x = hi - g * (hi - lo), y = lo + g * (hi - lo);
  double fx = sign * curve_force(c, x, z), fy = sign * curve_force(c, y, z);
  for (int k = 0; k < 45; k++) {
    if (fx > fy) hi = y, y = x, fy = fx, x = hi - g * (hi - lo), fx = sign * curve_force(c, x, z);
    else lo = x, x = y, fx = fy, y = lo + g * (hi - lo), fy = sign * curve_force(c, y, z);
  }
  return fmax(fx, fy);
}

/* Where the force rises inwards from an end of the piece, its top lies before the next node. */
static int rises_from(const curve *c, double sign, double end, double next, double F)
{
  double z[2 * BR_LOOP_MAX_STATE];
  return sign * curve_force(c, end + 1e-4 * (next - end), z) > sign * F + 16 * DBL_EPSILON * fabs(F);
}

/* The range of the force over an accepted piece; where a node stands out, between its neighbours. */
static void see(const curve *c, const piece *p)
{
  enum { LAST = NODES - 1 };
  for (int sign = -1; sign <= 1; sign += 2) {
    double *best = sign > 0 ? &c->sums->hi : &c->sums->lo, most;
    int at = 0;
    for (int k = 1; k < NODES; k++)
      if (sign * p->F[k] > sign * p->F[at]) at = k;
    most = sign * p->F[at];
    const double ends = fmax(sign * p->F[0], sign * p->F[LAST]);
    if (most > ends + 16 * DBL_EPSILON * fabs(most)) most = summit(c, sign, p->r[at - 1], p->r[at + 1]);
    else if (at == 0 && rises_from(c, sign, p->r[0], p->r[1], p->F[0]))
      most = fmax(most, summit(c, sign, p->r[0], p->r[1]));
    else if (at == LAST && rises_from(c, sign, p->r[LAST], p->r[LAST - 1], p->F[LAST]))
      most = fmax(most, summit(c, sign, p->r[LAST - 1], p->r[LAST]));
    if (most > sign * *best) *best = sign * most;
  }
}

static double halve(curve *c, double lo, double hi, const piece *whole, int depth)
{
  const double mid = 0.5 * (lo + hi);
  piece left, right;
  apply(c, lo, mid, &left);
  apply(c, mid, hi, &right);
  c->budget -= 2;
  if (depth <= 0 || c->budget <= 0 || !(lo < mid && mid < hi) || agree(c, whole, &left, &right, hi - lo)) {
    see(c, &left);
    see(c, &right);
    return left.work + right.work;
  }
  const double first = halve(c, lo, mid, &left, depth - 1);
  return first + halve(c, mid, hi, &right, depth - 1);
}

/* ---- states that hold still and jump ---- */

/* A place on the arc. */
typedef struct {
  double r, F;
  double z[2 * BR_LOOP_MAX_STATE];
} place;

static void place_at(curve *c, double r, place *p)
{
  p->r = r;
  p->F = curve_force(c, r, p->z);
  c->top = fmax(c->top, fabs(p->F));
  c->budget--;
}

static double straight(curve *c, const place *a, const place *b)
{
  c->sums->lo = fmin(c->sums->lo, fmin(a->F, b->F)), c->sums->hi = fmax(c->sums->hi, fmax(a->F, b->F));
  return 0.5 * (b->r - a->r) * (a->F + b->F);
}

/* Between two jumps: most often a spring, whose force is linear. */
static double between_jumps(curve *c, const place *a, const place *b)
{
  static const double INSIDE[] = {0.2763932022500210, 0.5};
  for (int k = 0; k < 2; k++) {
    place p;
    place_at(c, a->r + INSIDE[k] * (b->r - a->r), &p);
    if (fabs(p.F - a->F - INSIDE[k] * (b->F - a->F)) <= 1e-12 * c->top) continue;
    piece whole;
    apply(c, a->r, b->r, &whole);
    return halve(c, a->r, b->r, &whole, DEPTH);
  }
  return straight(c, a, b);
}

/* Work from a to b: jump after jump, each by bisection; what was seen beyond one serves for the next. */
static double leaps(curve *c, place a, const place *b)
{
  enum { AHEAD = 64 };
  place ahead[AHEAD], m;
  double work = 0;
  int n = 1;
  ahead[0] = *b;
  while (n > 0) {
    place lo = a; /* the last one seen before the jump */
    while (memcmp(a.z, ahead[n - 1].z, c->ns * sizeof *a.z) != 0) {
      const double hi = ahead[n - 1].r, mid = 0.5 * (lo.r + hi);
      if (hi - lo.r <= NARROW * c->length || !(lo.r < mid && mid < hi) || n == AHEAD || c->budget <= 0) break;
      place_at(c, mid, &m);
      if (memcmp(a.z, m.z, c->ns * sizeof *a.z) == 0) lo = m;
      else ahead[n++] = m;
    }
    const place next = ahead[--n];
    const int jumps = memcmp(a.z, next.z, c->ns * sizeof *a.z) != 0;
    if (jumps && lo.r > a.r) work += between_jumps(c, &a, &lo);
    work += jumps ? straight(c, &lo, &next) : between_jumps(c, &a, &next);
    a = next;
  }
  return work;
}

/* The same as halves by rules, where every change of a state is a jump (rates are zero): each jump is found
 * by bisection, which rules of ten nodes cannot pay for.  0: there are too many of them. */
static int jump_sums(curve *c)
{
  place a, b;
  if (!(c->a->model->flags & BR_MODEL_JUMPS)) return 0;
  c->budget = EVALUATIONS;
  place_at(c, 0, &a);
  place_at(c, c->length, &b);
  c->sums->work = c->s * leaps(c, a, &b);
  return c->budget > 0;
}

void bri_exact_sums(const bri_arc_model *a, double u, double s, double length, const double *z,
                    bri_arc_sums *sums)
{
  curve c = {.a = a,
             .z0 = z,
             .u = u,
             .s = s,
             .ns = a->model->nstate(a->par),
             .length = length,
             .budget = RULES,
             .sums = sums};
  double end[2 * BR_LOOP_MAX_STATE];
  piece whole;
  sums->lo = sums->hi = curve_force(&c, 0, end);
  (void)curve_force(&c, length, end);
  for (size_t i = 0; i < c.ns; i++) {
    c.size[i] = fmax(fabs(z[i]), fabs(end[i]));
    sums->error[i] = 4 * DBL_EPSILON * c.size[i];
  }
  if (jump_sums(&c)) return;
  c.budget = RULES;
  apply(&c, 0, length, &whole);
  sums->work = s * halve(&c, 0, length, &whole, DEPTH);
}
