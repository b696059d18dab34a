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

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(stays_at_the_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
