/* SPDX-License-Identifier: Apache-2.0
 * test_bound.c - the observer's estimate at its bound: the push outwards is not taken, the bristles pull
 * inwards, so it stays there until the sum of both turns.  Against Runge-Kutta with that rule written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"

/* Block of 1 kg with LuGre, followed at v = r by u = F(v, z estimated) + k1 e. */
typedef struct {
  double s0, s1, s2, Fc, Fs, vs; /* delta = 2 */
  double r, k1, push, bound;
} loop;

static double bristle(const loop *p, double v, double z)
{
  const double q = v / p->vs, g = p->Fc + (p->Fs - p->Fc) * exp(-q * q);
  return v - p->s0 * fabs(v) / g * z;
}

/* y: v, z, estimate; returns the rate of the estimate were it free. */
static double rates(const loop *p, int held, const double *y, double *dy)
{
  const double e = p->r - y[0], dh = bristle(p, y[0], y[2]) + p->push * e;
  dy[1] = bristle(p, y[0], y[1]);
  dy[0] = p->s0 * (y[2] - y[1]) + p->s1 * (dh - dy[1]) + p->k1 * e;
  dy[2] = held ? 0 : dh;
  return dh;
}

static double error_at(const loop *p, double t_end, int n)
{
  const double h = t_end / n, part[3] = {0.5 * h, 0.5 * h, h};
  double y[3] = {0}, a[3], k[4][3];
  int held = 0;
  for (int i = 0; i < n; i++) {
    (void)rates(p, held, y, k[0]);
    for (int s = 0; s < 3; s++) {
      for (int j = 0; j < 3; j++) a[j] = y[j] + part[s] * k[s][j];
      (void)rates(p, held, a, k[s + 1]);
    }
    for (int j = 0; j < 3; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    if (!held && fabs(y[2]) >= p->bound) held = 1, y[2] = copysign(p->bound, y[2]);
    else if (held && rates(p, held, y, a) * y[2] < 0) held = 0;
  }
  return p->r - y[0];
}

static int patience;
static int stop(void *ctx, double t)
{
  (void)ctx, (void)t;
  return ++patience > 200;
}

static void stays_at_the_bound(void **state)
{
  (void)state;
  const struct {
    double r, push, t_end;
  } cases[] = {{10, 100, 0.05}, {-10, 100, 0.05}, {10, 1000, 0.003}, {100, 100, 0.02}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char reference[32];
    kit t;
    kit_open(&t, "driven_block", "lugre", "m=1,sigma0=556.5,sigma1=316,sigma2=0.4,Fc=10,Fs=10.1,vs=1e-3",
             NULL, BR_CONTROL_OBSERVER);
    t.set.injection = cases[i].push;
    t.set.poles[0] = -100;
    t.job.on_step = stop;
    patience = 0;
    snprintf(reference, sizeof reference, "step:%g", cases[i].r);
    if (kit_run(&t, 0, reference, cases[i].t_end)) fail_msg("%s: %s", reference, t.err.msg);
    const loop p = {556.5, 316, 0.4, 10, 10.1, 1e-3, cases[i].r, 100, cases[i].push, t.c.z_bound};
    const double e = error_at(&p, cases[i].t_end, 100000);
    if (!(fabs(t.out.error_end - e) <= 1e-5 * fabs(e)))
      fail_msg("%s, push %g: e = %.9g, by hand %.9g", reference, cases[i].push, t.out.error_end, e);
    kit_close(&t);
  }
}

/* Between samples too: errors of either sign, however large, leave the estimate within its bound and the
 * learned level within its range, and both ends are reached. */
static void between_samples(void **state)
{
  (void)state;
  for (int kind = BR_CONTROL_OBSERVER; kind <= BR_CONTROL_ADAPTIVE; kind++) {
    if (kind != BR_CONTROL_OBSERVER && kind != BR_CONTROL_ADAPTIVE) continue;
    kit k;
    kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, (br_control_kind)kind);
    k.set.injection = kind == BR_CONTROL_OBSERVER, k.set.adapt = 1e3;
    if (kit_init(&k, 1)) fail_msg("%s", k.err.msg);
    assert_true(isfinite(k.c.z_bound) && k.c.z_bound > 0);
    const double low = -k.set.span / (1 + k.set.span), top = k.set.span;
    double lo = 0, hi = 0, level_lo = 0, level_hi = 0;
    for (int i = 0; i < 4000; i++) {
      /* the observer is pushed; the adaptive law slides one way with errors of either sign */
      const double side = i / 1000 % 2 ? -1 : 1, slow = (i / 100 % 2 ? 0.01 : -0.01) * side,
                   q[2] = {0.1 * side, kind == BR_CONTROL_OBSERVER ? slow : 0.5};
      const br_control_ref ref = {side * (i % 3 ? 1 : 1000), 0, 0};
      const br_control_meas meas = {q, NULL, 0, 0};
      (void)br_control_update(&k.c, &ref, &meas, 1e-3);
      lo = fmin(lo, k.c.mem.x[0]), hi = fmax(hi, k.c.mem.x[0]);
      level_lo = fmin(level_lo, k.c.mem.x[k.c.nz + 2]), level_hi = fmax(level_hi, k.c.mem.x[k.c.nz + 2]);
    }
    const double push = k.c.z_bound * (1 + 1e-12);
    if (!(lo >= -push && hi <= push))
      fail_msg("%d: estimate from %g to %g, bound %g", kind, lo, hi, k.c.z_bound);
    if (!(level_lo >= low && level_hi <= top))
      fail_msg("level from %g to %g, not %g to %g", level_lo, level_hi, low, top);
    if (kind == BR_CONTROL_OBSERVER) assert_true(lo < -0.99 * push && hi > 0.99 * push);
    else if (level_lo != low || level_hi != top)
      fail_msg("level from %g to %g, not %g to %g", level_lo, level_hi, low, top);
    kit_close(&k);
  }
}

/* In continuous time: at either end of its range the level does not go on outwards. */
static void level_at_its_ends(void **state)
{
  (void)state;
  kit k;
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_ADAPTIVE);
  k.set.limit = 50;
  if (kit_init(&k, 1)) fail_msg("%s", k.err.msg);
  const double ends[] = {-k.set.span / (1 + k.set.span), 0, k.set.span};
  int moved[2] = {0, 0};
  for (int end = 0; end < 3; end++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double x[16] = {0}, dx[16] = {0};
      const double q[2] = {0.1, 0.5};
      const br_control_ref ref = {0.5 + sign, 0, 0};
      const br_control_meas meas = {q, NULL, 0, 0};
      const size_t at = k.c.nz + 2;
      x[0] = 1e-3, x[at] = ends[end];
      br_control_rate(&k.c, &ref, &meas, 0, x, dx);
      if (end == 0) assert_true(dx[at] >= 0);
      if (end == 2) assert_true(dx[at] <= 0);
      if (end == 1) moved[dx[at] > 0] += dx[at] != 0;
      for (int u = -51; u <= 51; u += 102) { /* beyond the limit of u the error says nothing about friction */
        br_control_rate(&k.c, &ref, &meas, u, x, dx);
        assert_true(dx[at] == 0);
      }
    }
  assert_true(moved[0] == 1 && moved[1] == 1); /* both ways from the middle */
  kit_close(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(stays_at_the_bound), cmocka_unit_test(between_samples),
                                     cmocka_unit_test(level_at_its_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
