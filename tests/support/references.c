/* SPDX-License-Identifier: Apache-2.0
 * references.c - see references.h. */
#include "references.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "paths.h"

static json *file;

int ref_load(void **state)
{
  char path[1024];
  long where;
  (void)state;
  (void)support_reference("loops.json", path, sizeof path);
  file = json_load(path, &where);
  if (!file) printf("%s: bad JSON at byte %ld\n", path, where);
  return file ? 0 : -1;
}

int ref_drop(void **state)
{
  (void)state;
  json_free(file);
  return 0;
}

/* ---- keys and comparison ---- */

int ref_in_key(const char *key, const char *name, double *x)
{
  const size_t len = strlen(name);
  for (const char *p = strstr(key, name); p; p = strstr(p + 1, name))
    if (p[len] == '=' && (p == key || p[-1] == '/' || p[-1] == '_')) return *x = strtod(p + len + 1, NULL), 1;
  return 0;
}

double ref_need(const char *key, const char *name)
{
  double x = 0;
  if (!ref_in_key(key, name, &x)) fail_msg("%s: no %s in the key", key, name);
  return x;
}

int ref_ends(const char *key, const char *tail)
{
  const size_t k = strlen(key), t = strlen(tail);
  return k >= t && strcmp(key + k - t, tail) == 0;
}

void ref_compare(ref_tally *sum, const json *entry, const double *got, size_t n)
{
  double want[REF_MOST], size = 0, worst = 0;
  const size_t count = json_numbers(json_get(entry, "value"), want, REF_MOST);
  if (count != n) fail_msg("%s: %zu numbers, the test has %zu", entry->key, count, n);
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(want[i]));
  const double err = json_number(json_get(entry, "err")), tol = fmax(1e-9 * size, 100 * err);
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(got[i] - want[i]) <= tol))
      fail_msg("%s [%zu]: %.17g, reference %.17g, tolerance %.3g", entry->key, i, got[i], want[i], tol);
    worst = fmax(worst, fabs(got[i] - want[i]) / tol);
  }
  sum->entries++;
  if (worst > sum->worst)
    sum->worst = worst, snprintf(sum->worst_key, sizeof sum->worst_key, "%s", entry->key);
}

void ref_compare_one(ref_tally *sum, const json *entry, double got) { ref_compare(sum, entry, &got, 1); }

void ref_family(const char *prefix, ref_rule *rule)
{
  ref_tally sum = {0, 0, ""};
  if (!file) skip();
  for (const json *e = json_get(file, "entries")->child; e; e = e->next)
    if (strncmp(e->key, prefix, strlen(prefix)) == 0 && !rule(&sum, e->key + strlen(prefix), e))
      fail_msg("no rule for %s", e->key);
  assert_true(sum.entries > 0);
  printf("%s: %zu entries, worst error %.2g of the tolerance (%s)\n", prefix, sum.entries, sum.worst,
         sum.worst_key);
}

/* ---- the periodic loop of a rate-independent element between -U and U ---- */

/* From z at +U down to -U: the state there plus z.  Odd symmetry makes a zero of this a periodic loop. */
static double half_cycle(motion *q, double U, double speed, double z)
{
  q->u[0] = U;
  q->z[0] = z;
  motion_to(q, -U, speed);
  return q->z[0] + z;
}

static ref_loop find_loop(const motion *start, double U, double speed)
{
  ref_loop L;
  motion q = *start, top = *start;
  motion_to(&top, U, speed); /* virgin loading is near the loop */
  double a = 0.95 * top.z[0], b = top.z[0], fa, fb, v[2] = {-speed, 0};
  q = *start, fa = half_cycle(&q, U, speed, a);
  q = *start, fb = half_cycle(&q, U, speed, b);
  for (int i = 0; i < 40 && fabs(fb) > 1e-15 * fabs(b) && a != b && fa != fb; i++) { /* secant */
    const double c = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = c;
    q = *start, fb = half_cycle(&q, U, speed, b);
  }
  assert_true(fabs(fb) <= 1e-11 * fabs(b));
  q = *start, fa = half_cycle(&q, U, speed, b * (1 - 1e-4)); /* its slope by a central difference */
  q = *start, fb = half_cycle(&q, U, speed, b * (1 + 1e-4));
  L.multiplier = (fb - fa) / (2e-4 * b) - 1;
  q = *start;
  q.u[0] = U, q.z[0] = b;
  L.at_top[0] = b;
  q.work = 0;
  motion_force(&q, v, &L.at_top[1]);
  motion_to(&q, -U, speed);
  L.bottom = q;
  motion_to(&q, 0, speed);
  v[0] = speed;
  L.at_zero[0] = q.z[0];
  motion_force(&q, v, &L.at_zero[1]);
  motion_to(&q, U, speed);
  L.energy = q.work;
  /* where z = 0: secant over the position of a stop on the rising branch */
  double ua = -0.5 * U, ub = -0.45 * U, za, zb;
  q = L.bottom, motion_to(&q, ua, speed), za = q.z[0];
  q = L.bottom, motion_to(&q, ub, speed), zb = q.z[0];
  for (int i = 0; i < 30 && fabs(zb) > 1e-15 && za != zb; i++) {
    const double uc = fmin(fmax(ub - zb * (ub - ua) / (zb - za), -U), U);
    ua = ub, za = zb, ub = uc;
    q = L.bottom, motion_to(&q, ub, speed), zb = q.z[0];
  }
  L.zero_at = ub;
  return L;
}

int ref_loop_rule(ref_tally *sum, const char *key, const json *e, const ref_loop *L)
{
  if (ref_ends(key, "/z_at_u=+U") || ref_ends(key, "/z_at_u=+U_unstable_periodic"))
    ref_compare_one(sum, e, L->at_top[0]);
  else if (ref_ends(key, "/energy_per_cycle")) ref_compare_one(sum, e, L->energy);
  else if (ref_ends(key, "/u_where_z=0_rising")) ref_compare_one(sum, e, L->zero_at);
  else if (ref_ends(key, "/z_at_u=0_rising")) ref_compare_one(sum, e, L->at_zero[0]);
  else if (ref_ends(key, "/F_at_u=+U") || ref_ends(key, "/f_at_u=+U")) ref_compare_one(sum, e, L->at_top[1]);
  else if (ref_ends(key, "/F_at_u=0_rising") || ref_ends(key, "/f_at_u=0_rising"))
    ref_compare_one(sum, e, L->at_zero[1]);
  else return 0;
  return 1;
}

const ref_loop *ref_loop_of(const motion *q, double U, double speed)
{
  static motion last;
  static double last_U, last_speed;
  static ref_loop L;
  if (last.m != q->m || memcmp(last.par, q->par, sizeof q->par) != 0 || U != last_U || speed != last_speed)
    L = find_loop(q, U, speed), last = *q, last_U = U, last_speed = speed;
  return &L;
}

void ref_virgin(ref_tally *sum, const json *e, motion *q, int want_force)
{
  double us[REF_MOST], got[REF_MOST];
  const double v[2] = {1, 0};
  const size_t n = json_numbers(json_get(e, "u"), us, REF_MOST);
  for (size_t i = 0; i < n; i++) {
    motion_to(q, us[i], 1);
    got[i] = q->z[0];
    if (want_force) motion_force(q, v, &got[i]);
  }
  ref_compare(sum, e, got, n);
}
