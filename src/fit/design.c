/* SPDX-License-Identifier: Apache-2.0
 * design.c - an experiment: the motion within limits of stroke, speed and time whose Fisher information about
 * the parameters has the largest determinant.  Motions are drawn, sums of sines and straight pieces, and the
 * best of each kind is improved by small changes; derivatives of the force are those of the model's own
 * kernel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "base/team.h"
#include "bristle/param.h"
#include "bristle/text.h"
#include "fit.h"
#include "text/fail.h"
#include "text/stop.h"

enum { SINES = 6, PIECES = 24, GENES = 3 * PIECES, DRAWN = 40, CHANGED = 160, SPEC = 2048 };

/* A motion: sines have (amplitude, frequency, phase), pieces (length in time, place) of each. */
typedef struct {
  int straight;
  double gene[GENES];
  double value; /* log determinant */
} motion;

typedef struct {
  const br_design_options *o;
  bri_space space;
  double x[BRI_FIT_MOST], block[BRI_FIT_SLOTS];
  double *G;
  size_t width, n;
  double noise;
  int viscous;
} problem;

/* Columns of one trial; each thread has its own. */
typedef struct {
  double *store, *t, *u, *v, *at, *h, *F, *J, *ones;
} bench;

struct br_design {
  problem p;
  bench b;
  motion best;
  double sine;
  char spec[SPEC];
  br_fit_value values[BRI_FIT_VALUES];
  size_t nvalues;
  double stroke, speed;
};

static br_status bench_make(bench *b, const problem *p, br_err *err)
{
  b->store = bri_calloc((7 + p->space.n) * p->n, sizeof(double));
  if (!b->store) return bri_no_memory(err, "design");
  double **const columns[] = {&b->t, &b->u, &b->v, &b->at, &b->h, &b->F, &b->ones, &b->J};
  for (size_t i = 0; i < 8; i++) *columns[i] = b->store + i * p->n;
  for (size_t k = 0; k < p->n; k++)
    b->h[k] = p->o->t_end / (double)(p->n - 1), b->t[k] = b->h[k] * (double)k, b->ones[k] = 1;
  return BR_OK;
}

/* ---- motions ---- */

/* A number as it will be read: a few digits. */
static double rounded(double x)
{
  char text[32];
  (void)snprintf(text, sizeof text, "%.5g", x);
  return strtod(text, NULL);
}

static double sines_at(const double *g, double t)
{
  double u = 0;
  for (size_t i = 0; i < SINES; i++)
    u += g[3 * i] * bri_sin(6.283185307179586 * g[3 * i + 1] * t + g[3 * i + 2]);
  return u;
}

/* Corners of straight pieces: times that end at T, places. */
static size_t corners(const problem *p, const double *g, double *t, double *u)
{
  double sum = 0;
  for (size_t i = 0; i < PIECES; i++) sum += bri_exp(g[2 * i]);
  t[0] = 0, u[0] = 0;
  for (size_t i = 0; i < PIECES; i++)
    t[i + 1] = i + 1 == PIECES ? p->o->t_end : t[i] + p->o->t_end * bri_exp(g[2 * i]) / sum,
          u[i + 1] = g[2 * i + 1];
  return PIECES + 1;
}

static void path_of(const problem *p, const motion *m, bench *b)
{
  double ct[PIECES + 1], cu[PIECES + 1];
  size_t at = 0;
  const size_t n = m->straight ? corners(p, m->gene, ct, cu) : 0;
  for (size_t i = 0; i < n; i++) ct[i] = rounded(ct[i]), cu[i] = rounded(cu[i]);
  for (size_t k = 0; k < p->n; k++) {
    if (m->straight) {
      while (at + 2 < n && ct[at + 1] <= b->t[k]) at++;
      const double w = ct[at + 1] - ct[at];
      b->u[k] = cu[at] + (w > 0 ? (cu[at + 1] - cu[at]) * fmin((b->t[k] - ct[at]) / w, 1) : 0);
    } else b->u[k] = sines_at(m->gene, b->t[k]);
  }
  for (size_t k = 0; k + 1 < p->n; k++) b->v[k] = (b->u[k + 1] - b->u[k]) / b->h[k];
  b->v[p->n - 1] = b->v[p->n - 2];
  for (size_t k = 0; k < p->n; k++) b->at[k] = k ? 0.5 * (b->v[k] + b->v[k - 1]) : b->v[0];
}

static void extent(const problem *p, const bench *b, double *stroke, double *speed)
{
  double low = INFINITY, high = -INFINITY;
  *speed = 0;
  for (size_t k = 0; k < p->n; k++)
    low = fmin(low, b->u[k]), high = fmax(high, b->u[k]), *speed = fmax(*speed, fabs(b->v[k]));
  *stroke = high - low;
}

/* Brings a motion within the limits, and its numbers to the digits that are printed. */
static void fit_in(const problem *p, motion *m, bench *b)
{
  for (int pass = 0; pass < 3; pass++) {
    double stroke = 0, speed = 0;
    path_of(p, m, b);
    extent(p, b, &stroke, &speed);
    const double by = fmin(stroke > p->o->stroke ? p->o->stroke / stroke : 1,
                           speed > p->o->speed ? p->o->speed / speed : 1);
    if (by == 1 && pass) break;
    const double scale = by < 1 ? by * (1 - 1e-4) : 1;
    for (size_t i = 0; i < (m->straight ? PIECES : SINES); i++) {
      double *g = m->straight ? &m->gene[2 * i + 1] : &m->gene[3 * i];
      *g = rounded(*g * scale);
      if (!m->straight) g[1] = rounded(g[1]), g[2] = rounded(g[2]);
    }
  }
  path_of(p, m, b);
}

/* Lowest and highest frequency: a period in the time, twenty samples in a period. */
static void draw(const problem *p, int straight, uint64_t *stream, motion *m)
{
  const double T = p->o->t_end, f0 = 1 / T, f1 = (double)p->n / T / 20;
  m->straight = straight;
  for (size_t i = 0; i < SINES && !straight; i++) {
    const double f = f0 * bri_pow(f1 / f0, bri_uniform(stream));
    m->gene[3 * i] =
        fmin(p->o->stroke / 2, p->o->speed / (6.283185307179586 * f)) * bri_pow(bri_uniform(stream), 2);
    m->gene[3 * i + 1] = f, m->gene[3 * i + 2] = 6.283185307179586 * bri_uniform(stream);
  }
  for (size_t i = 0; i < PIECES && straight; i++)
    m->gene[2 * i] = 4 * bri_uniform(stream), m->gene[2 * i + 1] = p->o->stroke * (bri_uniform(stream) - 0.5);
}

static void change(const problem *p, const motion *from, uint64_t *stream, motion *m)
{
  const double far = bri_pow(10, -2 * bri_uniform(stream));
  *m = *from;
  for (size_t i = 0; i < (m->straight ? PIECES : SINES); i++) {
    double *g = m->gene + (m->straight ? 2 : 3) * i;
    if (bri_uniform(stream) > 0.4) continue;
    const double a = 2 * bri_uniform(stream) - 1, b = 2 * bri_uniform(stream) - 1,
                 c = 2 * bri_uniform(stream) - 1;
    if (m->straight) g[0] += 3 * far * a, g[1] += far * p->o->stroke * b;
    else
      g[0] = g[0] * bri_exp(2 * far * a) + 1e-4 * far * p->o->stroke, g[1] *= bri_exp(far * b),
      g[2] += 3 * far * c;
    const double f1 = (double)p->n / p->o->t_end / 20;
    if (!m->straight) g[1] = fmin(fmax(g[1], 1 / p->o->t_end), f1);
  }
}

/* ---- information ---- */

/* Fisher's information of the model's coordinates, what offset and viscous term take away left out; noise 1.
 * */
static void information(const problem *p, bench *b, double *M)
{
  const size_t n = p->n, q = p->space.n;
  const bri_motion path = {.n = n, .u = b->u, .v = b->v, .at = b->at, .h = b->h};
  double *basis[2] = {b->ones, b->F};
  const size_t extras = p->viscous ? 2 : 1;
  for (size_t j = 0; j < q; j++)
    if (!bri_walk_slope(p->space.m, p->block, p->G + j * p->width, &path, NULL, NULL, b->J + j * n))
      memset(b->J + j * n, 0, n * sizeof *b->J);
  for (size_t k = 0; k < n; k++) b->ones[k] = 1 / sqrt((double)n), b->F[k] = b->at[k];
  if (extras > 1) {
    const double mean = bri_dot(n, basis[0], basis[1]);
    for (size_t k = 0; k < n; k++) basis[1][k] -= mean * basis[0][k];
    const double size = sqrt(bri_dot(n, basis[1], basis[1]));
    for (size_t k = 0; k < n; k++) basis[1][k] *= size > 0 ? 1 / size : 0;
  }
  for (size_t j = 0; j < q; j++)
    for (size_t e = 0; e < extras; e++) {
      const double part = bri_dot(n, basis[e], b->J + j * n);
      for (size_t k = 0; k < n; k++) b->J[j * n + k] -= part * basis[e][k];
    }
  bri_normal(q, n, b->J, NULL, M, NULL);
}

static double log_det(const problem *p, bench *b)
{
  double M[BRI_FIT_MOST * BRI_FIT_MOST], sum = 0;
  const size_t q = p->space.n;
  information(p, b, M);
  for (size_t j = 0; j < q; j++)
    if (!(M[j * q + j] > 0)) return -INFINITY;
  if (!bri_cholesky(q, M)) return -INFINITY;
  for (size_t j = 0; j < q; j++) sum += 2 * bri_log(M[j * q + j]);
  return isfinite(sum) ? sum : -INFINITY;
}

static double plain_sine(const problem *p, bench *b, motion *m)
{
  memset(m, 0, sizeof *m);
  const double A = p->o->stroke / 2, f = p->o->speed / (6.283185307179586 * A);
  m->gene[0] = A, m->gene[1] = fmax(fmin(f, (double)p->n / p->o->t_end / 20), 1 / p->o->t_end);
  fit_in(p, m, b);
  return m->value = log_det(p, b);
}

typedef struct {
  const problem *p;
  motion best[2];
} search;

/* One kind of motion: drawn ones, then changes of the best. */
static br_status one_kind(void *ctx, size_t kind, br_err *err)
{
  search *s = ctx;
  const problem *p = s->p;
  bench b = {0};
  br_status st = bench_make(&b, p, err);
  uint64_t stream = bri_stream(p->o->seed, 11 + kind);
  motion *best = &s->best[kind];
  best->value = -INFINITY;
  for (int i = 0; i < DRAWN + CHANGED && !st; i++) {
    motion m = {0};
    if (i < DRAWN || !isfinite(best->value)) draw(p, (int)kind, &stream, &m);
    else change(p, best, &stream, &m);
    fit_in(p, &m, &b);
    m.value = log_det(p, &b);
    if (m.value > best->value) *best = m;
    st = bri_stop_status(&p->o->stop, "design", err);
  }
  bri_free(b.store);
  return st;
}

/* ---- the whole ---- */

static void write_spec(br_design *d)
{
  const motion *m = &d->best;
  size_t used = (size_t)snprintf(d->spec, SPEC, m->straight ? "pwl:" : "expr:");
  double t[PIECES + 1], u[PIECES + 1];
  const size_t n = m->straight ? corners(&d->p, m->gene, t, u) : 0;
  for (size_t i = 0; i < n && used < SPEC; i++)
    used += (size_t)snprintf(d->spec + used, SPEC - used, "%s%.5g,%.5g", i ? "," : "", t[i], u[i]);
  for (size_t i = 0; i < SINES && !m->straight && used < SPEC; i++)
    used += (size_t)snprintf(d->spec + used, SPEC - used, "%s%.5g*sin(6.283185307179586*%.5g*t+%.5g)",
                             i ? "+" : "", m->gene[3 * i], m->gene[3 * i + 1], m->gene[3 * i + 2]);
}

static void intervals(br_design *d)
{
  const problem *p = &d->p;
  const size_t q = p->space.n;
  double M[BRI_FIT_MOST * BRI_FIT_MOST], C[BRI_FIT_MOST * BRI_FIT_MOST];
  information(p, &d->b, M);
  if (!bri_cholesky(q, M)) return;
  bri_cholesky_inverse(q, M, C);
  for (size_t j = 0; j < p->space.all && d->nvalues < BRI_FIT_VALUES; j++) {
    const bri_coord *c = &p->space.c[j];
    double var = 0;
    for (size_t a = 0; a < q; a++)
      for (size_t b = 0; b < q; b++)
        var += p->G[a * p->width + c->slot] * C[a * q + b] * p->G[b * p->width + c->slot];
    const double sd = p->noise * sqrt(var);
    br_fit_value *v = &d->values[d->nvalues++];
    *v = (br_fit_value){c->row->name,
                        c->row->unit,
                        c->row->max_len > 1 ? (int)c->element : -1,
                        p->block[c->slot],
                        NAN,
                        NAN,
                        0};
    bri_fit_interval(v, sd, c->kind == BRI_COORD_LOG, NULL);
  }
}

static br_status check(const br_design_options *o, const br_model **m, br_err *err)
{
  const char *names[64];
  char hint[BRI_HINT];
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  *m = o->model ? br_model_find(o->model) : NULL;
  for (size_t i = 0; i < n && i < 64; i++) names[i] = all[i]->name;
  if (!*m)
    return bri_fail(
        err, BR_E_NAME, "design: unknown model '%.60s'%s", o->model ? o->model : "",
        bri_hint(o->model ? o->model : "", names, n < 64 ? n : 64, "; 'bristle models' lists them", hint));
  if ((*m)->axes != 1) return bri_fail(err, BR_E_UNSUPPORTED, "design: %s has two axes", (*m)->name);
  if (!(o->stroke > 0 && o->speed > 0 && o->t_end > 0) ||
      !isfinite(o->stroke + o->speed + o->t_end + o->noise) || o->noise < 0)
    return bri_fail(err, BR_E_RANGE, "design: stroke, speed and t-end must be positive numbers");
  if (o->samples && (o->samples < 100 || o->samples > 1000000))
    return bri_fail(err, BR_E_RANGE, "design: %zu samples; from 100 to 1000000", o->samples);
  return BR_OK;
}

/* The coordinates at the rough values. */
static br_status place(problem *p, const br_model *m, br_err *err)
{
  const bri_fit_data d = {.level = 1, .stroke = p->o->stroke, .fast = p->o->speed, .timed = 1};
  br_fit_options o = br_fit_options_default();
  br_params *par = NULL;
  o.fix = p->o->fix, o.extras = "none";
  br_status st = br_params_create(m, &par, err);
  if (!st) st = br_params_set_list(par, p->o->values, err);
  if (!st && p->o->fix) st = br_params_set_list(par, p->o->fix, err);
  if (!st) st = br_params_finish(par, err);
  const double *block = st ? NULL : br_params_block(par, "model");
  size_t elements = 1;
  const br_param *k = br_model_param(m, "k");
  if (!st && k && k->max_len > 1) elements = (size_t)fmax(1, block[k->len_slot]);
  if (!st) st = bri_space_make(m, &d, &o, elements, &p->space, err);
  if (!st) memcpy(p->space.base, block, m->slots * sizeof *block);
  for (size_t j = 0; j < p->space.n && !st; j++) p->x[j] = bri_space_coordinate(&p->space.c[j], block);
  br_params_destroy(par);
  return st;
}

br_status br_design_create(const br_design_options *o, br_design **out, br_err *err)
{
  const br_model *m = NULL;
  *out = NULL;
  br_status st = check(o, &m, err);
  if (st) return st;
  br_design *d = bri_calloc(1, sizeof *d);
  if (!d) return bri_no_memory(err, "design");
  problem *p = &d->p;
  p->o = o, p->n = o->samples ? o->samples : 1500, p->viscous = br_model_param(m, "sigma2") == NULL;
  st = place(p, m, err);
  p->width = st ? 0 : bri_space_width(&p->space);
  p->G = st ? NULL : bri_calloc(p->space.n * p->width + 1, sizeof *p->G);
  if (!st && !p->G) st = bri_no_memory(err, "design");
  if (!st) bri_space_block(&p->space, p->x, p->block, p->G);
  if (!st) st = bench_make(&d->b, p, err);
  search s = {.p = p};
  const bri_team team = {2, 0, one_kind, &s, NULL, NULL};
  if (!st) d->sine = plain_sine(p, &d->b, &d->best);
  if (!st) st = bri_team_run(&team, err);
  for (int i = 0; i < 2 && !st; i++)
    if (s.best[i].value > d->best.value) d->best = s.best[i];
  if (!st && !isfinite(d->best.value))
    st = bri_fail(err, BR_E_ARG,
                  "design: no motion within %.4g m and %.4g m/s tells all parameters of %s apart: fix some",
                  o->stroke, o->speed, m->name);
  if (!st) {
    path_of(p, &d->best, &d->b);
    extent(p, &d->b, &d->stroke, &d->speed);
    const bri_motion path = {.n = p->n, .u = d->b.u, .v = d->b.v, .at = d->b.at, .h = d->b.h};
    double most = 0;
    bri_walk(m, p->block, &path, NULL, d->b.F);
    for (size_t k = 0; k < p->n; k++) most = fmax(most, fabs(d->b.F[k]));
    p->noise = o->noise > 0 ? o->noise : 0.01 * most;
    intervals(d);
    bri_walk(m, p->block, &path, NULL, d->b.F);
    write_spec(d);
  }
  p->o = NULL;
  if (st) br_design_destroy(d), d = NULL;
  *out = d;
  return st;
}

void br_design_destroy(br_design *d)
{
  if (!d) return;
  bri_free(d->p.G);
  bri_free(d->b.store);
  bri_free(d);
}

const char *br_design_input(const br_design *d) { return d->spec; }

const br_fit_value *br_design_values(const br_design *d, size_t *n)
{
  *n = d->nvalues;
  return d->values;
}

br_design_facts br_design_get(const br_design *d)
{
  const double p = (double)d->p.space.n, more = d->best.value - d->sine;
  return (br_design_facts){d->best.straight ? "straight" : "multisine",
                           d->best.value - 2 * p * bri_log(d->p.noise),
                           d->sine - 2 * p * bri_log(d->p.noise),
                           isfinite(d->sine) ? bri_exp(more / (2 * p)) : INFINITY,
                           d->p.noise,
                           d->stroke,
                           d->speed,
                           d->p.n,
                           d->b.t,
                           d->b.u,
                           d->b.at,
                           d->b.F};
}
