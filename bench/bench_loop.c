/* SPDX-License-Identifier: Apache-2.0
 * bench_loop.c - what a steady loop costs: a million reversals in closed form, and the fixed point of
 * Bouc-Wen's period map against marching a hundred cycles and hoping. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bristle/loop.h"

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double par[1024];

static const br_model *prepared(const char *name)
{
  const br_model *m = br_model_find(name);
  m->defaults(par);
  m->prepare(par);
  return m;
}

static void million(void)
{
  enum { N = 1000000 };
  const br_model *m = prepared("lugre");
  double *u = malloc(N * sizeof *u), best = INFINITY;
  unsigned long long x = 88172645463325252u;
  if (!u) return;
  for (size_t i = 0; i < N; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    u[i] = (i % 2 ? 1e-4 : -1e-4) * (double)(x >> 11) * 0x1p-53;
  }
  for (int k = 0; k < 5; k++) {
    br_loop *loop = NULL;
    const double start = now();
    if (br_loop_create(m, par, N, u, 0, NULL, &loop, NULL)) break;
    best = fmin(best, now() - start);
    br_loop_destroy(loop);
  }
  free(u);
  printf("lugre, closed form, 1e6 reversals with their minor loops: %.3f s (%.0f ns a reversal)\n", best,
         best * 1e3);
}

/* The same loop by stepping z' = rate v with the model's own step, a thousand steps a period. */
static double march(const br_model *m, int periods, int steps, double U, double *work)
{
  double z[8] = {0}, before = 0, u = 0;
  for (int k = 0; k < periods * steps; k++) {
    const int in = k % steps;
    const double v = in < steps / 4 || in >= 3 * steps / 4 ? 1.0 : -1.0, h = 4 * U / steps;
    double dz[8], F;
    if (in == 0) *work = 0;
    m->step(par, 1, &u, &v, h, z);
    u += v * h;
    m->rate(par, 1, &u, &v, z, dz);
    m->force(par, 1, &u, &v, z, dz, &F);
    *work += 0.5 * (F + before) * v * h;
    before = F;
  }
  return before;
}

static void bouc_wen(void)
{
  const double U = 0.5, u[] = {U, -U};
  const br_model *m = prepared("bouc_wen");
  enum { RUNS = 200 };
  double start = now(), work = 0;
  br_loop_summary s = {0};
  for (int k = 0; k < RUNS; k++) {
    br_loop *loop = NULL;
    if (br_loop_create(m, par, 2, u, 0, NULL, &loop, NULL)) return;
    s = *br_loop_get(loop);
    br_loop_destroy(loop);
  }
  const double newton = (now() - start) / RUNS;
  start = now();
  for (int k = 0; k < 20; k++) (void)march(m, 100, 1000, U, &work);
  const double marching = (now() - start) / 20;
  printf("bouc_wen, fixed point: %.3g ms, work %.15g J, error of the force %.1e N\n", newton * 1e3, s.work,
         s.error);
  printf("bouc_wen, 100 cycles of 1000 steps: %.3g ms, work off by %.1e J; the fixed point is %.1f times "
         "faster\n",
         marching * 1e3, work - s.work, marching / newton);
}

int main(void)
{
  million();
  bouc_wen();
  return 0;
}
