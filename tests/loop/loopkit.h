/* SPDX-License-Identifier: Apache-2.0
 * loopkit.h - for the tests of the room loop: an element with its parameters, its loop, the reference
 * numbers. */
#ifndef TEST_LOOPKIT_H
#define TEST_LOOPKIT_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bristle/loop.h"
#include "support/json.h"
#include "support/near.h"
#include "support/paths.h"
#include "support/rng.h"

enum { LK_SLOTS = 8192 };

typedef struct {
  const br_model *m;
  double par[LK_SLOTS];
} element;

static inline element element_open(const char *model)
{
  element e;
  memset(&e, 0, sizeof e);
  e.m = br_model_find(model);
  if (!e.m || e.m->slots > LK_SLOTS) fail_msg("no model %s, or it is too large", model);
  e.m->defaults(e.par);
  e.m->prepare(e.par);
  return e;
}

/* Set "name=1,other=2": numbers only; checked and prepared. */
static inline void element_set(element *e, const char *list)
{
  br_err err;
  for (const char *p = list; *p;) {
    char name[32];
    double x = 0;
    int used = 0;
    if (sscanf(p, "%31[^=]=%lf%n", name, &x, &used) != 2) fail_msg("bad list %s", p);
    const br_param *row = br_model_param(e->m, name);
    if (!row || row->max_len != 1) fail_msg("%s has no scalar %s", e->m->name, name);
    e->par[row->slot] = x;
    p += used;
    if (*p == ',') p++;
  }
  if (e->m->check(e->par, &err)) fail_msg("%s", err.msg);
  e->m->prepare(e->par);
}

static inline void element_put(element *e, const char *name, double x)
{
  char list[96];
  (void)snprintf(list, sizeof list, "%s=%.17g", name, x);
  element_set(e, list);
}

static inline double element_get(const element *e, const char *name)
{
  return e->par[br_model_param(e->m, name)->slot];
}

/* The zero state stands at u = 0. */
static inline br_loop *loop_open(const element *e, size_t n, const double *u, double frequency)
{
  br_loop_settings s = br_loop_settings_default();
  br_loop *loop = NULL;
  br_err err;
  s.frequency = frequency;
  if (br_loop_create(e->m, e->par, n, u, 0, &s, &loop, &err)) fail_msg("%s: %s", e->m->name, err.msg);
  return loop;
}

/* Integral of y du over rho in [a, b] by Gauss-Legendre on `parts` pieces of every stretch between corners:
 * checks the sums of the library without its formulas. */
static inline double work_between(const br_loop *loop, double a, double b, int parts)
{
  static const double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                0.8650633666889845, 0.9739065285171717};
  static const double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                  0.1494513491505806, 0.0666713443086881};
  const br_loop_summary *s = br_loop_get(loop);
  const br_turning *t = br_loop_turnings(loop);
  double sum = 0;
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < s->n_turning; i++) {
      const double shift = round * s->path_length, start = t[i].rho + shift;
      const double stop = (i + 1 < s->n_turning ? t[i + 1].rho : s->path_length) + shift;
      const double lo = fmax(start, a), hi = fmin(stop, b);
      const double dir = t[(i + 1) % s->n_turning].u > t[i].u ? 1.0 : -1.0;
      for (int p = 0; p < parts && hi > lo; p++) {
        const double x0 = lo + (hi - lo) * p / parts, x1 = lo + (hi - lo) * (p + 1) / parts;
        for (int k = 0; k < 5; k++)
          for (int q = -1; q <= 1; q += 2) {
            const double r = 0.5 * (x0 + x1) + 0.5 * q * node[k] * (x1 - x0);
            sum += 0.5 * (x1 - x0) * weight[k] * dir * br_loop_y(loop, r, 1);
          }
      }
    }
  return sum;
}

/* A random zigzag of n (even) reversals within [-1, 1], low points first; steps > 0: on a grid, so that ties
 * appear. */
static inline void random_turning(rng *r, size_t n, int steps, double *u)
{
  for (size_t i = 0; i < n; i++) {
    const double lowest =
        i ? u[i - 1] : -1; /* low points anywhere below 0.8, high points above their neighbours */
    double x = i % 2 ? rng_range(r, lowest + 0.01, 1) : rng_range(r, -1, i ? u[i - 1] - 0.01 : 0.5);
    if (i + 1 == n) x = rng_range(r, fmax(lowest, u[0]) + 0.01, 1.2);
    if (steps > 0) x = i % 2 ? ceil(x * steps) / steps : floor(x * steps) / steps;
    u[i] = x;
  }
}

/* ---- reference numbers ---- */

static json *references;

static inline int references_load(void **state)
{
  char path[1024];
  long where;
  (void)state;
  (void)support_reference("loops.json", path, sizeof path);
  references = json_load(path, &where);
  return references ? 0 : -1;
}

static inline int references_drop(void **state)
{
  (void)state;
  json_free(references);
  references = NULL;
  return 0;
}

static inline const json *reference(const char *key)
{
  const json *e = json_get(json_get(references, "entries"), key);
  if (!e) fail_msg("no reference %s", key);
  return e;
}

/* got against the entry, to relative `rel` of the largest number or 100 times the reference's own error. */
static inline void meets_list(const char *key, const double *got, size_t n, double rel)
{
  double want[128], size = 0;
  const json *e = reference(key);
  const size_t count = json_numbers(json_get(e, "value"), want, 128);
  if (count != n) fail_msg("%s: %zu numbers, the test has %zu", key, count, n);
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(want[i]));
  const double tol = fmax(rel * size, 100 * json_number(json_get(e, "err")));
  for (size_t i = 0; i < n; i++)
    if (!(fabs(got[i] - want[i]) <= tol))
      fail_msg("%s [%zu]: %.17g, reference %.17g, tolerance %.3g", key, i, got[i], want[i], tol);
}

static inline void meets(const char *key, double got, double rel) { meets_list(key, &got, 1, rel); }

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline void
meets_at(double got, double rel, const char *fmt, ...)
{
  char key[256];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(key, sizeof key, fmt, args);
  va_end(args);
  meets(key, got, rel);
}

#endif
