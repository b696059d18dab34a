/* SPDX-License-Identifier: Apache-2.0
 * motion_start.c - where the fit of a motion starts: position, velocity and acceleration are taken from the
 * record by local parabolas, the element's force is walked along that motion, and the unknowns are sought
 * with which the mechanism's own equation gives the acceleration.  Nothing is integrated, so a wrong guess
 * costs little and cannot run away. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "motion.h"
#include "text/fail.h"
#include "text/stop.h"

enum { SAMPLES = 1000 };

void bri_motion_parabola(const double *t, const double *y, size_t n, size_t k, size_t window, double *value,
                         double *slope)
{
  const size_t half = window / 2,
               a = k > half ? (k + half < n ? k - half
                               : n > window ? n - window
                                            : 0)
                            : 0,
               b = a + window < n ? a + window : n;
  double S[5] = {0}, R[3] = {0};
  const double scale = b - a > 1 ? t[b - 1] - t[a] : 1;
  for (size_t i = a; i < b; i++) {
    const double s = (t[i] - t[k]) / scale;
    double power = 1;
    for (int e = 0; e < 5; e++, power *= s) {
      S[e] += power;
      if (e < 3) R[e] += power * (y[i] - y[k]);
    }
  }
  double A[9] = {S[0], S[1], S[2], S[1], S[2], S[3], S[2], S[3], S[4]};
  *value = y[k], *slope = b - a > 1 ? (y[b - 1] - y[a]) / scale : 0;
  if (b - a < 3 || !bri_cholesky(3, A)) return;
  bri_cholesky_solve(3, A, R);
  *value = y[k] + R[0], *slope = R[1] / scale;
}

/* The motion as it is taken from the record, thinned out. */
typedef struct {
  const bri_motion_space *s;
  const bri_motion_data *d;
  size_t n, *at; /* samples of the record */
  double *t, *u, *v, *a, *h, *hold, *q,
      *F; /* q[nq*n]: states that are known; hold: velocity between samples */
  unsigned char known[BRI_MOTION_LOCALS];
  double *store, *rest, *J;
  double level, stroke, fast;
  size_t evaluations;
} sketch;

static const double *seen(const bri_motion_space *s, const bri_motion_data *d, int velocity)
{
  const int i = velocity ? s->at_v : s->at_u;
  for (size_t c = 0; c < d->nchannel; c++) {
    const bri_motion_channel *k = &d->channel[c];
    if (velocity ? k->kind == BRI_SEEN_VELOCITY
                 : k->kind == BRI_SEEN_POSITION || k->kind == BRI_SEEN_INTEGRAL)
      return k->y;
    if (k->kind == BRI_SEEN_STATE && i >= 0 && (int)k->index == i) return k->y;
  }
  return NULL;
}

/* Samples over which the motion keeps its character: a fifteenth of the time of a stroke. */
static size_t window_of(const double *t, const double *x, const double *v, size_t from, size_t n)
{
  double low = INFINITY, high = -INFINITY, way = 0;
  for (size_t k = from; k < from + n; k++) {
    const double y = x ? x[k] : v[k];
    low = fmin(low, y), high = fmax(high, y);
    if (k > from) way += fabs(y - (x ? x[k - 1] : v[k - 1]));
  }
  /* the way of a noisy record is too long: counted in steps of a fiftieth of the stroke */
  double last = x ? x[from] : v[from], coarse = 0;
  for (size_t k = from; k < from + n; k++) {
    const double y = x ? x[k] : v[k];
    if (fabs(y - last) > 0.02 * (high - low)) coarse += fabs(y - last), last = y;
  }
  const double dt = (t[from + n - 1] - t[from]) / (double)(n - 1),
               T = coarse > 0 ? (high - low) / (fmin(way, coarse) / (t[from + n - 1] - t[from])) : 0;
  const double m = fmin(fmax(T / dt / 15, 5), 151);
  return 2 * (size_t)(m / 2) + 1;
}

static int possible(const bri_motion_space *s, const bri_motion_data *d)
{
  return s->at_v >= 0 && s->sys->axes == 1 && (s->sys->ncontact ? s->sys->ncontact(s->spar) : 1) == 1 &&
         (seen(s, d, 0) || seen(s, d, 1));
}

/* Fills the sketch from samples [from, to). */
static br_status draw(sketch *k, size_t from, size_t to, br_err *err)
{
  const bri_motion_data *d = k->d;
  const double *x = seen(k->s, d, 0), *v = seen(k->s, d, 1);
  const size_t all = to - from, m = window_of(d->t, x, v, from, all), stride = (all + SAMPLES - 1) / SAMPLES;
  k->n = (all - 1) / stride + 1;
  const size_t n = k->n, nq = k->s->nq;
  double *vel = bri_malloc_array(all, 2 * sizeof *vel), slope = 0;
  k->store = bri_calloc(n * (9 + nq + BRI_FIT_MOST), sizeof(double));
  k->at = bri_malloc_array(n, sizeof *k->at);
  if (!k->store || !vel || !k->at) {
    bri_free(vel);
    return bri_no_memory(err, "fit");
  }
  double **const columns[] = {&k->t, &k->u, &k->v, &k->a, &k->h, &k->hold, &k->F, &k->rest};
  for (size_t i = 0; i < 8; i++) *columns[i] = k->store + i * n;
  k->q = k->store + 8 * n, k->J = k->q + nq * n;
  double *pos = vel + all;
  for (size_t i = 0; i < all; i++) {
    if (x) bri_motion_parabola(d->t + from, x + from, all, i, m, &pos[i], &vel[i]);
    if (v) bri_motion_parabola(d->t + from, v + from, all, i, m, &vel[i], &slope);
    if (!x) pos[i] = i ? pos[i - 1] + 0.5 * (vel[i] + vel[i - 1]) * (d->t[from + i] - d->t[from + i - 1]) : 0;
  }
  for (size_t i = 0; i < n; i++) {
    const size_t at = i * stride;
    k->at[i] = from + at, k->t[i] = d->t[from + at], k->u[i] = pos[at], k->v[i] = vel[at];
    bri_motion_parabola(d->t + from, vel, all, at, m, &slope, &k->a[i]);
  }
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    const size_t j = i + 1 < n ? i : n - 2;
    k->h[i] = k->t[j + 1] - k->t[j], k->hold[i] = (k->u[j + 1] - k->u[j]) / k->h[i];
    low = fmin(low, k->u[i]), high = fmax(high, k->u[i]), k->fast = fmax(k->fast, fabs(k->v[i]));
  }
  k->stroke = high - low;
  for (size_t c = 0; c < d->nchannel; c++)
    if (d->channel[c].kind == BRI_SEEN_STATE && d->channel[c].index < nq) {
      k->known[d->channel[c].index] = 1;
      for (size_t i = 0; i < n; i++) k->q[d->channel[c].index * n + i] = d->channel[c].y[k->at[i]];
    }
  for (size_t i = 0; i < n; i++) {
    if (k->s->at_u >= 0) k->q[(size_t)k->s->at_u * n + i] = k->u[i], k->known[k->s->at_u] = 1;
    k->q[(size_t)k->s->at_v * n + i] = k->v[i], k->known[k->s->at_v] = 1;
  }
  bri_free(vel);
  return k->stroke > 0 && k->fast > 0
             ? BR_OK
             : bri_fail(err, BR_E_RANGE, "fit: the measured motion does not change in the train part");
}

/* Rates of the mechanism at sample i with this force. */
static void rates(const sketch *k, const bri_motion_blocks *b, size_t i, const double *q, double F,
                  double *dq)
{
  double w[BRI_MOTION_INPUTS], dw[BRI_MOTION_INPUTS] = {0}, force[64] = {F};
  for (size_t j = 0; j < k->d->ninput; j++)
    w[j] = k->d->inputs[j] ? k->d->inputs[j][k->at[i]] + ((int)j == k->s->bias ? b->bias : 0) : k->s->held[j];
  k->s->sys->rate(b->spar, w, dw, q, force, dq);
}

/* Acceleration of the equation less that of the record, at every sample; states that nobody measured are
 * integrated along. needed (may be NULL): the force that would make it right. */
static double misfit(sketch *k, const double *g, double *rest, double *needed)
{
  bri_motion_blocks b;
  const size_t nq = k->s->nq, iv = (size_t)k->s->at_v;
  double q[BRI_MOTION_LOCALS] = {0}, dq[BRI_MOTION_LOCALS], other[BRI_MOTION_LOCALS];
  bri_motion_space_blocks(k->s, g, &b);
  const bri_motion path = {k->n, k->u, k->hold, k->v, k->h, NULL};
  if (!needed) bri_walk(k->s->m, b.mpar, &path, NULL, k->F);
  k->evaluations++;
  for (size_t i = 0; i < k->n; i++) {
    for (size_t j = 0; j < nq; j++)
      if (k->known[j]) q[j] = k->q[j * k->n + i];
    rates(k, &b, i, q, needed ? 0 : k->F[i], dq);
    if (needed) {
      rates(k, &b, i, q, 1, other);
      needed[i] = (dq[iv] - k->a[i]) / (dq[iv] - other[iv]);
    } else rest[i] = dq[iv] - k->a[i];
    for (size_t j = 0; j < nq; j++)
      if (!k->known[j]) q[j] += k->h[i] * dq[j];
  }
  if (needed) return 0;
  const double cost = bri_dot(k->n, rest, rest);
  return isfinite(cost) ? cost : INFINITY;
}

/* Half of the range of the force that the present values of the mechanism ask for. */
static double level_of(sketch *k, const double *g)
{
  double low = INFINITY, high = -INFINITY;
  (void)misfit(k, g, NULL, k->F);
  for (size_t i = 0; i < k->n; i++) low = fmin(low, k->F[i]), high = fmax(high, k->F[i]);
  return isfinite(high - low) && high > low ? 0.5 * (high - low) : 1;
}

/* ---- a small search by differences ---- */

static double descend(sketch *k, double *g, int rounds)
{
  const size_t p = k->s->p, n = k->n;
  double A[BRI_FIT_MOST * BRI_FIT_MOST], b[BRI_FIT_MOST], x[BRI_FIT_MOST], y[BRI_FIT_MOST], lambda = 1e-2;
  double cost = misfit(k, g, k->rest, NULL);
  for (int r = 0; r < rounds && isfinite(cost); r++) {
    for (size_t j = 0; j < p; j++) {
      memcpy(x, g, p * sizeof *x);
      x[j] += 1e-6;
      (void)misfit(k, x, k->J + j * n, NULL);
      for (size_t i = 0; i < n; i++) k->J[j * n + i] = (k->J[j * n + i] - k->rest[i]) / 1e-6;
    }
    bri_normal(p, n, k->J, k->rest, A, b);
    for (size_t i = 0; i < p; i++) b[i] = -b[i];
    double top = 0, better = INFINITY;
    for (size_t j = 0; j < p; j++) top = fmax(top, A[j * p + j]);
    for (int t = 0; t < 8 && !(better < cost); t++, lambda *= 5) {
      double a[BRI_FIT_MOST * BRI_FIT_MOST];
      memcpy(a, A, p * p * sizeof *a), memcpy(y, b, p * sizeof *y);
      for (size_t j = 0; j < p; j++) a[j * p + j] += lambda * fmax(A[j * p + j], 1e-10 * top) + 1e-300;
      if (!bri_cholesky(p, a)) continue;
      bri_cholesky_solve(p, a, y);
      for (size_t j = 0; j < p; j++) {
        double lo = 0, hi = 0;
        bri_motion_space_bounds(k->s, j, &lo, &hi);
        x[j] = fmin(fmax(g[j] + fmin(fmax(y[j], -2), 2), lo), hi);
      }
      better = misfit(k, x, k->J, NULL);
    }
    if (!(better < cost)) break;
    const double fell = 1 - better / cost;
    memcpy(g, x, p * sizeof *x);
    cost = misfit(k, g, k->rest, NULL), lambda = fmax(lambda / 50, 1e-8);
    if (fell < 1e-5) break;
  }
  return cost;
}

/* ---- starts ---- */

typedef struct {
  double cost, g[BRI_FIT_MOST];
} candidate;

/* With these values of the mechanism a grid over the way and the speed of the friction; the best for each
 * speed, or for each way where the model has no speed, since a descent does not get from one to the other. */
static void try_mechanism(sketch *k, const double *g, candidate *best)
{
  static const double WAY[BRI_MOTION_STARTS] = {0.1, 0.01, 1e-3, 1e-4}, SPEED[] = {0.5, 0.1, 0.02},
                      PART[] = {1, 0.3, 0.1};
  const double level = level_of(k, g);
  const size_t speeds = br_model_param(k->s->m, "vs") ? 3 : 1;
  for (size_t i = 0; i < BRI_MOTION_STARTS; i++)
    for (size_t j = 0; j < speeds; j++)
      for (size_t l = 0; l < 3; l++) {
        const bri_fit_scales at = {PART[l] * level, WAY[i] * k->stroke, SPEED[j] * k->fast, 2};
        candidate c, *to = &best[speeds > 1 ? j : i];
        bri_motion_space_start(k->s, &at, c.g);
        memcpy(c.g + k->s->model.n, g + k->s->model.n, (k->s->p - k->s->model.n) * sizeof *g);
        c.cost = misfit(k, c.g, k->rest, NULL);
        if (c.cost < to->cost) *to = c;
      }
}

static size_t least_of(const candidate *best)
{
  size_t least = 0;
  for (size_t i = 1; i < BRI_MOTION_STARTS; i++) least = best[i].cost < best[least].cost ? i : least;
  return least;
}

/* Parameters of the mechanism that nobody gave are looked for over six decades, one after the other. */
static void look_around(sketch *k, candidate *best)
{
  const size_t n = k->s->model.n;
  double g[BRI_FIT_MOST];
  const bri_fit_scales at = {k->level, k->stroke / 30, 0.1 * k->fast, 2};
  bri_motion_space_start(k->s, &at, g);
  try_mechanism(k, g, best);
  for (int pass = 0; pass < 2; pass++)
    for (size_t j = 0; j < k->s->nmech; j++) {
      const bri_motion_coord *c = &k->s->mech[j];
      for (int e = -6; e <= 6 && !c->given; e++) {
        memcpy(g, best[least_of(best)].g, sizeof g);
        g[n + j] = c->log ? c->start + 0.5 * e * bri_log(10) : c->start * bri_pow(10, 0.5 * e);
        if (e || pass) try_mechanism(k, g, best);
      }
    }
}

/* Best first; those that a descent has led to the same place once. */
static size_t in_order(candidate *best)
{
  size_t n = 0;
  for (size_t i = 1; i < BRI_MOTION_STARTS; i++)
    for (size_t j = i; j > 0 && best[j].cost < best[j - 1].cost; j--) {
      const candidate c = best[j];
      best[j] = best[j - 1], best[j - 1] = c;
    }
  for (size_t i = 0; i < BRI_MOTION_STARTS; i++)
    if (isfinite(best[i].cost) && best[i].cost < 4 * best[0].cost + 1e-300 &&
        (!n || best[i].cost > 1.001 * best[n - 1].cost))
      best[n++] = best[i];
  return n;
}

static void release(sketch *k)
{
  bri_free(k->store);
  bri_free(k->at);
}

br_status bri_motion_start(bri_motion_space *s, const bri_motion_data *d, const br_motion_options *o,
                           const size_t part[2], double *g, int *found, size_t *evaluations, br_err *err)
{
  sketch k = {.s = s, .d = d, .level = 1};
  candidate best[BRI_MOTION_STARTS];
  br_status st = BR_OK;
  *found = possible(s, d);
  for (size_t i = 0; i < BRI_MOTION_STARTS; i++) best[i].cost = INFINITY;
  if (*found) st = draw(&k, part[0], part[1], err);
  if (*found && !st) { /* scales need values of the mechanism, which alone need no coordinates of the model */
    st = bri_motion_space_scale(s, o, 1, k.stroke, k.fast, err);
    const bri_fit_scales one = {1, k.stroke / 30, 0.1 * k.fast, 2};
    if (!st) bri_motion_space_start(s, &one, g), k.level = level_of(&k, g);
  }
  if (!st) st = bri_motion_space_scale(s, o, k.level, *found ? k.stroke : 1, *found ? k.fast : 1, err);
  const bri_fit_scales at = {k.level, (*found ? k.stroke : 1) / 30, 0.1 * (*found ? k.fast : 1), 2};
  if (!st) bri_motion_space_start(s, &at, g);
  if (!st && *found) {
    look_around(&k, best);
    for (size_t i = 0; i < BRI_MOTION_STARTS && !bri_stopped(&o->stop); i++)
      if (isfinite(best[i].cost)) best[i].cost = descend(&k, best[i].g, 40);
    const size_t n = in_order(best);
    for (size_t i = 0; i < n; i++) memcpy(g + i * BRI_FIT_MOST, best[i].g, s->p * sizeof *g);
    *found = (int)n;
  }
  *evaluations += k.evaluations;
  release(&k);
  return st ? st : bri_stop_status(&o->stop, "fit", err);
}
