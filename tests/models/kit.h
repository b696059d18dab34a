/* SPDX-License-Identifier: Apache-2.0
 * kit.h - for the tests of models/: one element with its parameters, driven through its run-time face. */
#ifndef BR_TEST_KIT_H
#define BR_TEST_KIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/model.h"

enum { KIT_SLOTS = 512, KIT_STATES = 160 };

typedef struct {
  const br_model *m;
  double par[KIT_SLOTS];
  double n, u, z[KIT_STATES]; /* load factor, position m, state */
} kit;

/* An element with the model's defaults, at rest. */
static inline kit kit_open(const char *name)
{
  kit k;
  memset(&k, 0, sizeof k);
  k.m = br_model_find(name);
  k.n = 1;
  if (!k.m) {
    fail_msg("no model %s", name);
    return k; /* not reached; tells the analyser so */
  }
  assert_true(k.m->slots <= KIT_SLOTS && k.m->nz <= KIT_STATES && k.m->axes == 1);
  k.m->defaults(k.par);
  k.m->prepare(k.par);
  return k;
}

static inline const br_param *kit_param(const kit *k, const char *name)
{
  const br_param *row = br_model_param(k->m, name);
  if (!row) fail_msg("%s has no parameter %s", k->m->name, name);
  return row;
}

static inline double kit_get(const kit *k, const char *name) { return k->par[kit_param(k, name)->slot]; }

/* Set a value without checking it (for tests of the check). */
static inline void kit_put(kit *k, const char *name, double x) { k->par[kit_param(k, name)->slot] = x; }

static inline void kit_ready(kit *k)
{
  br_err err;
  if (k->m->check(k->par, &err) != BR_OK) fail_msg("%s", err.msg);
  k->m->prepare(k->par);
}

static inline void kit_set(kit *k, const char *name, double x)
{
  kit_put(k, name, x);
  kit_ready(k);
}

static inline void kit_put_vector(kit *k, const char *name, size_t n, const double *x)
{
  const br_param *row = kit_param(k, name);
  assert_true(n <= row->max_len);
  for (size_t i = 0; i < n; i++) k->par[row->slot + i] = x[i];
  k->par[row->len_slot] = (double)n;
}

/* Force at the present state and velocity v, N. */
static inline double kit_force(const kit *k, double v)
{
  double dz[KIT_STATES] = {0}, F;
  k->m->rate(k->par, k->n, &k->u, &v, k->z, dz);
  k->m->force(k->par, k->n, &k->u, &v, k->z, dz, &F);
  return F;
}

/* Hold v for h seconds; returns the force at the end. */
static inline double kit_step(kit *k, double v, double h)
{
  k->m->step(k->par, k->n, &k->u, &v, h, k->z);
  k->u += v * h;
  return kit_force(k, v);
}

static inline double kit_energy(const kit *k) { return k->m->energy(k->par, k->n, &k->u, k->z); }

/* The check refuses the present parameters and names `name`. */
static inline void kit_refused(const kit *k, const char *name)
{
  br_err err = {BR_OK, 0, ""};
  const br_status st = k->m->check(k->par, &err);
  if (st != BR_E_RANGE || !strstr(err.msg, name))
    fail_msg("%s %s: status %d, '%s'", k->m->name, name, st, err.msg);
}

/* 64-bit xorshift numbers in [lo, hi): the same on every machine. */
static inline double kit_random(uint64_t *s, double lo, double hi)
{
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return lo + (hi - lo) * ((double)(*s >> 11) * 0x1p-53);
}

static inline double kit_force_after(const kit *from, double distance, double v)
{
  kit k = *from;
  return fabs(kit_step(&k, v, distance / v));
}

/* Displacement from rest that brings the force to 60 % of its far value: the model's own length, m. */
static inline double kit_length(const kit *k)
{
  const double v = 1e-3, far = kit_force_after(k, 1e3, v);
  double lo = 1e-12, hi = 1e3;
  if (!(far > 0) || !isfinite(far) || k->m->nstate(k->par) == 0) return 1e-3;
  for (int i = 0; i < 100; i++) {
    const double mid = sqrt(lo * hi);
    if (kit_force_after(k, mid, v) < 0.6 * far) lo = mid;
    else hi = mid;
  }
  return hi;
}

#define assert_near(x, y, tol)                                                                       \
  do {                                                                                               \
    const double near_x = (x), near_y = (y), near_tol = (tol);                                       \
    if (!(fabs(near_x - near_y) <= near_tol))                                                        \
      fail_msg("%s = %.17g, expected %.17g within %.3g (off by %.3g)", #x, near_x, near_y, near_tol, \
               near_x - near_y);                                                                     \
  } while (0)

#endif
