/* SPDX-License-Identifier: Apache-2.0
 * joint.c - one fit of one model to several records: some parameters are the same in all, some are each
 * record's own.  Each record is fitted alone first, which gives the start and what its force scatters by;
 * then all go down together.  Own coordinates concern their record alone and are eliminated record by record
 * (Schur's complement). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../core/elementary.h"
#include "base/alloc.h"
#include "bristle/text.h"
#include "fit.h"
#include "text/fail.h"
#include "text/stop.h"

typedef struct {
  br_fit *fit;
  const bri_fit_data *d;
  bri_fit_one one; /* its own copy: the joint parameters */
  bri_search w;
  double x[BRI_FIT_MOST], weight;
} member;

struct br_fit_joint {
  member *m;
  size_t n;
  bri_space space;
  unsigned char own[BRI_FIT_MOST]; /* 1: each record has its own */
  size_t ns, no, shared[BRI_FIT_MOST], owned[BRI_FIT_MOST];
  br_fit_joint_facts facts;
};

/* Every name must be one of the coordinates. */
static br_status check_names(const br_fit_joint *j, const char *option, const char *list, br_err *err)
{
  for (const char *s = list ? list : ""; *s; s += strcspn(s, ","), s += *s == ',') {
    char name[64], hint[BRI_HINT];
    const char *names[BRI_FIT_MOST];
    size_t n = 0, k = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)fmin((double)strcspn(s, ","), 60), s);
    for (; k < j->space.n; k++) names[n++] = j->space.c[k].row->name;
    for (k = 0; k < n && strcmp(names[k], name) != 0;) k++;
    if (k == n)
      return bri_fail(err, BR_E_NAME, "%s: '%s' is no fitted parameter of %s%s", option, name,
                      j->space.m->name, bri_hint(name, names, n, "", hint));
  }
  return BR_OK;
}

/* Which coordinates are shared: those of the list, or all but those of the other list. */
static br_status divide(br_fit_joint *j, const br_fit_joint_options *o, br_err *err)
{
  br_status st = check_names(j, "shared", o->shared, err);
  if (!st) st = check_names(j, "per-file", o->per_file, err);
  for (size_t k = 0; k < j->space.n && !st; k++) {
    const char *name = j->space.c[k].row->name;
    const int own = o->per_file ? bri_fit_listed(o->per_file, name) : !bri_fit_listed(o->shared, name);
    if (o->per_file && o->shared && bri_fit_listed(o->shared, name) == own)
      st = bri_fail(err, BR_E_ARG, "'%s' must stand in one of shared and per-file", name);
    j->own[k] = own ? 1 : 0;
  }
  for (size_t k = 0; k < j->space.n && !st; k++) { /* what is counted from another one goes with it */
    const bri_coord *c = &j->space.c[k];
    for (size_t l = 0; l < j->space.n; l++)
      if (j->own[l] && !j->own[k] && (j->space.c[l].slot == c->ref || j->space.c[l].slot == c->over)) {
        if (bri_fit_listed(o->shared, c->row->name))
          st = bri_fail(err, BR_E_ARG,
                        "%s is counted from %s, which is each file's own: share both or neither",
                        c->row->name, j->space.c[l].row->name);
        j->own[k] = 1;
      }
    if (j->own[k]) j->owned[j->no++] = k;
    else j->shared[j->ns++] = k;
  }
  if (!st && !j->ns)
    st = bri_fail(err, BR_E_ARG, "fit: nothing is shared, so the records can be fitted one by one");
  return st;
}

/* ---- normal equations ---- */

/* One record at its x: A (n*n), b (n), weighted; the cost. */
static double gather(const br_fit_joint *j, member *m, double *A, double *b)
{
  const size_t n = j->space.n;
  const double cost = bri_search_cost(&m->w, m->x);
  if (A) bri_search_slopes(&m->w, m->x);
  if (A) bri_normal(n, m->w.rows, m->w.J, m->w.rest, A, b);
  for (size_t i = 0; A && i < n * n; i++) A[i] *= m->weight;
  for (size_t i = 0; A && i < n; i++) b[i] *= m->weight;
  return m->weight * cost;
}

typedef struct {
  double *A, *b; /* of every record */
  double S[BRI_FIT_MOST * BRI_FIT_MOST], s[BRI_FIT_MOST];
} normal;

/* The own block of a record: factor in D; 0: singular. */
static int own_block(const br_fit_joint *j, const double *A, double lambda, double *D)
{
  const size_t n = j->space.n, o = j->no;
  double top = 0;
  for (size_t a = 0; a < o; a++) top = fmax(top, A[j->owned[a] * n + j->owned[a]]);
  for (size_t a = 0; a < o; a++)
    for (size_t c = 0; c < o; c++)
      D[a * o + c] =
          A[j->owned[a] * n + j->owned[c]] * (a == c ? 1 + lambda : 1) + (a == c ? 1e-12 * top + 1e-300 : 0);
  return !o || bri_cholesky(o, D);
}

/* Matrix and right side of the shared coordinates, own ones eliminated. */
static int reduce(const br_fit_joint *j, normal *e, double lambda)
{
  const size_t n = j->space.n, p = j->ns, o = j->no;
  memset(e->S, 0, sizeof e->S), memset(e->s, 0, sizeof e->s);
  for (size_t i = 0; i < j->n; i++) {
    const double *A = e->A + i * n * n, *b = e->b + i * n;
    double D[BRI_FIT_MOST * BRI_FIT_MOST], y[BRI_FIT_MOST], x[BRI_FIT_MOST];
    if (!own_block(j, A, lambda, D)) return 0;
    for (size_t c = 0; c < o; c++) y[c] = b[j->owned[c]];
    if (o) bri_cholesky_solve(o, D, y);
    for (size_t a = 0; a < p; a++) {
      for (size_t c = 0; c < o; c++) x[c] = A[j->shared[a] * n + j->owned[c]];
      if (o) bri_cholesky_solve(o, D, x);
      e->s[a] += b[j->shared[a]];
      for (size_t c = 0; c < o; c++) e->s[a] -= A[j->shared[a] * n + j->owned[c]] * y[c];
      for (size_t k = 0; k < p; k++) {
        e->S[a * p + k] += A[j->shared[a] * n + j->shared[k]] * (a == k ? 1 + lambda : 1);
        for (size_t c = 0; c < o; c++) e->S[a * p + k] -= x[c] * A[j->shared[k] * n + j->owned[c]];
      }
    }
  }
  return 1;
}

static double clamp(const bri_coord *c, double x) { return fmin(fmax(x, c->lo), c->hi); }

/* The damped step: next[i*BRI_FIT_MOST..]. */
static int step(const br_fit_joint *j, normal *e, double lambda, double *next)
{
  const size_t n = j->space.n, p = j->ns, o = j->no;
  double F[BRI_FIT_MOST * BRI_FIT_MOST], d[BRI_FIT_MOST], top = 0;
  if (!reduce(j, e, lambda)) return 0;
  memcpy(F, e->S, sizeof F), memcpy(d, e->s, sizeof d);
  for (size_t a = 0; a < p; a++) top = fmax(top, F[a * p + a]);
  for (size_t a = 0; a < p; a++) F[a * p + a] += 1e-12 * top + 1e-300;
  if (!bri_cholesky(p, F)) return 0;
  bri_cholesky_solve(p, F, d);
  for (size_t i = 0; i < j->n; i++) {
    const double *A = e->A + i * n * n, *b = e->b + i * n;
    double D[BRI_FIT_MOST * BRI_FIT_MOST], y[BRI_FIT_MOST], *x = next + i * BRI_FIT_MOST;
    if (!own_block(j, A, lambda, D)) return 0;
    for (size_t c = 0; c < o; c++) {
      y[c] = b[j->owned[c]];
      for (size_t a = 0; a < p; a++) y[c] -= A[j->owned[c] * n + j->shared[a]] * d[a];
    }
    if (o) bri_cholesky_solve(o, D, y);
    for (size_t a = 0; a < p; a++)
      x[j->shared[a]] = clamp(&j->space.c[j->shared[a]], j->m[i].x[j->shared[a]] + d[a]);
    for (size_t c = 0; c < o; c++)
      x[j->owned[c]] = clamp(&j->space.c[j->owned[c]], j->m[i].x[j->owned[c]] + y[c]);
  }
  return 1;
}

static double gather_all(br_fit_joint *j, normal *e)
{
  const size_t n = j->space.n;
  double cost = 0;
  for (size_t i = 0; i < j->n; i++)
    cost += gather(j, &j->m[i], e ? e->A + i * n * n : NULL, e ? e->b + i * n : NULL);
  return isfinite(cost) ? cost : INFINITY;
}

static br_status descend(br_fit_joint *j, normal *e, const br_stop *stop, br_err *err)
{
  double *room = bri_malloc_array(2 * j->n, BRI_FIT_MOST * sizeof *room), lambda = 1e-3;
  if (!room) return bri_no_memory(err, "fit");
  double *next = room, *here = room + j->n * BRI_FIT_MOST;
  br_status st = BR_OK;
  double cost = INFINITY, fell = 1;
  for (int r = 0; r < 60 && !st && fell > 1e-9; r++) {
    cost = gather_all(j, e);
    fell = 0;
    for (size_t i = 0; i < j->n; i++) memcpy(here + i * BRI_FIT_MOST, j->m[i].x, sizeof j->m[i].x);
    for (int t = 0; t < 12 && fell == 0 && isfinite(cost); t++, lambda *= 5) {
      if (!step(j, e, lambda, next)) continue;
      for (size_t i = 0; i < j->n; i++) memcpy(j->m[i].x, next + i * BRI_FIT_MOST, j->space.n * sizeof *next);
      const double better = gather_all(j, NULL);
      if (better < cost) fell = 1 - better / cost, lambda = fmax(lambda / 50, 1e-10);
      else
        for (size_t i = 0; i < j->n; i++) memcpy(j->m[i].x, here + i * BRI_FIT_MOST, sizeof j->m[i].x);
    }
    st = bri_stop_status(stop, "fit", err);
  }
  if (!st) cost = gather_all(j, e);
  if (!st && !isfinite(cost))
    st = bri_fail(err, BR_E_CONVERGE, "fit: %s gives no finite force", j->space.m->name);
  for (size_t i = 0; i < j->n && !st; i++)
    if (j->m[i].w.failed) st = bri_no_memory(err, "fit");
  bri_free(room);
  return st;
}

/* ---- answers ---- */

/* Covariance of all coordinates of record i: C[n*n]; 0: singular. */
static int covariance(const br_fit_joint *j, normal *e, size_t i, double *C)
{
  const size_t n = j->space.n, p = j->ns, o = j->no;
  const double *A = e->A + i * n * n;
  double S[BRI_FIT_MOST * BRI_FIT_MOST], inverse[BRI_FIT_MOST * BRI_FIT_MOST], D[BRI_FIT_MOST * BRI_FIT_MOST],
      R[BRI_FIT_MOST * BRI_FIT_MOST], own[BRI_FIT_MOST * BRI_FIT_MOST];
  if (!reduce(j, e, 0)) return 0;
  memcpy(S, e->S, sizeof S);
  if (!bri_cholesky(p, S) || !own_block(j, A, 0, D)) return 0;
  bri_cholesky_inverse(p, S, inverse);
  if (o) bri_cholesky_inverse(o, D, own);
  for (size_t a = 0; a < p; a++) { /* R = D^-1 E: how own coordinates follow the shared ones */
    double y[BRI_FIT_MOST];
    for (size_t c = 0; c < o; c++) y[c] = A[j->owned[c] * n + j->shared[a]];
    if (o) bri_cholesky_solve(o, D, y);
    for (size_t c = 0; c < o; c++) R[c * p + a] = y[c];
  }
  for (size_t a = 0; a < p; a++)
    for (size_t c = 0; c < p; c++) C[j->shared[a] * n + j->shared[c]] = inverse[a * p + c];
  for (size_t a = 0; a < o; a++) {
    for (size_t c = 0; c < p; c++) {
      double sum = 0;
      for (size_t k = 0; k < p; k++) sum -= R[a * p + k] * inverse[k * p + c];
      C[j->owned[a] * n + j->shared[c]] = C[j->shared[c] * n + j->owned[a]] = sum;
    }
    for (size_t c = 0; c < o; c++) {
      double sum = own[a * o + c];
      for (size_t k = 0; k < p; k++)
        for (size_t l = 0; l < p; l++) sum += R[a * p + k] * inverse[k * p + l] * R[c * p + l];
      C[j->owned[a] * n + j->owned[c]] = sum;
    }
  }
  return 1;
}

static br_status report(br_fit_joint *j, normal *e, size_t i, br_err *err)
{
  member *m = &j->m[i];
  bri_fit_one *f = &m->one;
  const size_t n = j->space.n, width = bri_space_width(&j->space);
  double C[BRI_FIT_MOST * BRI_FIT_MOST], *G = bri_malloc_array(n, width * sizeof *G);
  size_t count = 0;
  if (!G) return bri_no_memory(err, "fit");
  const int known = covariance(j, e, i, C);
  f->space = j->space;
  memcpy(f->x, m->x, sizeof f->x);
  bri_fit_judge(f, m->d, NULL);
  bri_space_block(&j->space, m->x, f->block, G);
  for (size_t k = 0; k < j->space.all && count < BRI_FIT_VALUES; k++) {
    const bri_coord *c = &j->space.c[k];
    br_fit_value *v = &f->values[count++];
    double var = 0;
    *v = (br_fit_value){c->row->name,         c->row->unit, c->row->max_len > 1 ? (int)c->element : -1,
                        f->block[c->slot],    NAN,          NAN,
                        bri_terms_own(c->row)};
    for (size_t a = 0; a < n && known; a++)
      for (size_t b = 0; b < n; b++) var += G[a * width + c->slot] * C[a * n + b] * G[b * width + c->slot];
    if (known) bri_fit_interval(v, sqrt(var), c->kind == BRI_COORD_LOG && v->value > 0, c->row);
  }
  for (size_t k = 0; k < f->q && count < BRI_FIT_VALUES; k++)
    f->values[count++] =
        (br_fit_value){f->extra[k], bri_fit_extra_unit(f->extra[k]), -1, f->c[k], NAN, NAN, 1};
  f->out.nvalues = count, f->out.values = f->values, f->out.block = f->block;
  bri_free(G);
  return BR_OK;
}

static void sum_up(br_fit_joint *j)
{
  double train = 0, test = 0, all = 0, a = 0, b = 0;
  for (size_t i = 0; i < j->n; i++) {
    const bri_fit_data *d = j->m[i].d;
    const br_fit_model *m = &j->m[i].one.out;
    const double na = (double)(d->train[1] - d->train[0]), nb = (double)(d->test[1] - d->test[0]);
    train += na * m->rmse_train * m->rmse_train, test += nb * m->rmse_test * m->rmse_test;
    all += nb * bri_pow(m->rmse_test / m->rel_test, 2), a += na, b += nb;
    j->facts.evaluations += j->m[i].w.evaluations;
  }
  j->facts.rmse_train = sqrt(train / a), j->facts.rmse_test = sqrt(test / b),
  j->facts.rel_test = sqrt(test / all);
}

/* ---- the whole ---- */

/* Elements of a vector, where the model has some. */
static size_t elements_of(const bri_space *s)
{
  size_t n = 0;
  for (size_t k = 0; k < s->n; k++) n += s->c[k].row->max_len > 1 && strcmp(s->c[k].row->name, "k") == 0;
  return n;
}

/* Each record alone; the first one's coordinates are those of all. */
static br_status alone(br_fit_joint *j, const br_fit_record *r, const br_fit_joint_options *o, br_err *err)
{
  br_status st = BR_OK;
  for (size_t i = 0; i < j->n && !st; i++) {
    member *m = &j->m[i];
    br_fit_options own = o->fit;
    br_err why = {BR_OK, -1, ""};
    if (o->parts)
      memcpy(own.train, o->parts[i].train, sizeof own.train),
          memcpy(own.test, o->parts[i].test, sizeof own.test);
    if (i && !own.elements) own.elements = elements_of(&j->space);
    st = br_fit_create(&r[i], &own, &m->fit, &why);
    if (st) return bri_fail(err, st, "record %zu: %.200s", i + 1, why.msg);
    const bri_fit_one *best = bri_fit_best(m->fit, &m->d);
    m->one = *best;
    m->one.own_fix = NULL, m->one.ones = NULL;
    m->one.fitted = bri_malloc_array(m->d->n, BRI_FIT_CURVE * sizeof(double));
    if (!m->one.fitted) return bri_no_memory(err, "fit");
    j->facts.evaluations += best->out.evaluations;
    if (i == 0) j->space = best->space;
    else if (best->space.n != j->space.n)
      return bri_fail(err, BR_E_ARG, "record %zu: it has other things to fit than the first (time, load)",
                      i + 1);
    for (size_t k = 0; k < j->space.n; k++)
      m->x[k] = clamp(&j->space.c[k], bri_space_coordinate(&j->space.c[k], best->block));
    const double rows = (double)(m->d->train[1] - m->d->train[0]);
    m->weight = best->out.effective / rows / fmax(best->out.rmse_train * best->out.rmse_train, 1e-300);
    st =
        bri_search_make(&m->w, &j->space, m->d, m->d->train[0], m->d->train[1], m->one.column, m->one.q, err);
    m->w.stop = o->fit.stop;
  }
  return st;
}

/* Shared coordinates start at the mean over the records. */
static void average(br_fit_joint *j)
{
  for (size_t a = 0; a < j->ns; a++) {
    double sum = 0;
    for (size_t i = 0; i < j->n; i++) sum += j->m[i].x[j->shared[a]] / (double)j->n;
    for (size_t i = 0; i < j->n; i++) j->m[i].x[j->shared[a]] = sum;
  }
}

br_status br_fit_joint_create(const br_fit_record *records, size_t n, const br_fit_joint_options *o,
                              br_fit_joint **out, br_err *err)
{
  *out = NULL;
  if (!records || n < 2 || !o || !o->fit.model || strcmp(o->fit.model, "all") == 0 ||
      (!o->shared && !o->per_file))
    return bri_fail(err, BR_E_ARG, "fit: shared parameters need one model and at least two records");
  if (o->fit.loss && strcmp(o->fit.loss, "squares") != 0)
    return bri_fail(err, BR_E_UNSUPPORTED, "fit: shared parameters take squares alone, not the loss '%.40s'",
                    o->fit.loss);
  br_fit_joint *j = bri_calloc(1, sizeof *j);
  normal *e = bri_calloc(1, sizeof *e);
  br_status st = j && e ? BR_OK : bri_no_memory(err, "fit");
  if (!st) j->n = n, j->m = bri_calloc(n, sizeof *j->m);
  if (!st && !j->m) st = bri_no_memory(err, "fit");
  if (!st) st = alone(j, records, o, err);
  if (!st) st = divide(j, o, err);
  if (!st) {
    const size_t q = j->space.n;
    e->A = bri_calloc(n * (q * q + q) + 1, sizeof *e->A);
    if (!e->A) st = bri_no_memory(err, "fit");
    else e->b = e->A + n * q * q;
  }
  if (!st) average(j), st = descend(j, e, &o->fit.stop, err);
  for (size_t i = 0; i < n && !st; i++) st = report(j, e, i, err);
  if (!st) sum_up(j);
  if (e) bri_free(e->A);
  bri_free(e);
  if (st) br_fit_joint_destroy(j), j = NULL;
  *out = j;
  return st;
}

void br_fit_joint_destroy(br_fit_joint *j)
{
  if (!j) return;
  for (size_t i = 0; j->m && i < j->n; i++) {
    bri_search_free(&j->m[i].w);
    bri_free(j->m[i].one.fitted);
    br_fit_destroy(j->m[i].fit);
  }
  bri_free(j->m);
  bri_free(j);
}

const br_fit_model *br_fit_joint_at(const br_fit_joint *j, size_t i)
{
  return i < j->n ? &j->m[i].one.out : NULL;
}

int br_fit_joint_shared(const br_fit_joint *j, const char *name)
{
  for (size_t a = 0; a < j->ns; a++)
    if (strcmp(j->space.c[j->shared[a]].row->name, name) == 0) return 1;
  return 0;
}

br_fit_joint_facts br_fit_joint_get(const br_fit_joint *j) { return j->facts; }

const char *br_fit_joint_note(const br_fit_joint *j, size_t i, size_t k)
{
  return i < j->n ? br_fit_note(j->m[i].fit, k) : NULL;
}

br_fit_curve br_fit_joint_curves(const br_fit_joint *j, size_t i)
{
  br_fit_curve c = br_fit_curves(j->m[i].fit);
  c.fitted = j->m[i].one.fitted;
  return c;
}
