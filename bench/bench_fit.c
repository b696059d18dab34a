/* SPDX-License-Identifier: Apache-2.0
 * bench_fit.c - a LuGre fit to 1e4 samples by Bristle, and in the same run by SciPy (fit_scipy.py) where it
 * is here:
 * least_squares over a compiled kernel with finite differences, and over solve_ivp. */
#define _DEFAULT_SOURCE /* popen */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bristle/fit.h"
#include "yardstick.h"

enum { N = 10000 };
static double t[N], u[N], v[N], F[N];

static double now(void)
{
  struct timespec x;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &x);
  return (double)x.tv_sec + 1e-9 * (double)x.tv_nsec;
}

static double uniform(uint64_t *x)
{
  *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
  return (double)(*x >> 11) * 0x1p-53;
}

/* The force by the plain kernel of yardstick.c, 1 % noise, an offset of 3 N. */
static void make(void)
{
  const yard_lugre p = {4e5, 60, 40, 12, 18, 2e-3, 2};
  uint64_t x = 88172645463325252u;
  double z = 0;
  for (size_t k = 0; k < N; k++) {
    const double s = t[k] = 1e-3 * (double)k;
    u[k] = 1e-3 * sin(3.1 * s) + 2e-4 * sin(19 * s + 1) + 5e-4 * sin(7.7 * s) * cos(0.9 * s);
  }
  for (size_t k = 0; k + 1 < N; k++) v[k] = (u[k + 1] - u[k]) / 1e-3;
  yard_lugre_square(&p, 1e-3, N - 1, v, &z, F + 1);
  F[0] = F[1];
  for (size_t k = 0; k < N; k++) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += uniform(&x);
    F[k] += 3 + 0.18 * sum;
  }
}

/* guess NULL: starts from the data. */
static double ours(const char *guess)
{
  const br_fit_record r = {N, t, u, F, NULL, NULL, 1};
  br_fit_options o = br_fit_options_default();
  double best = INFINITY;
  o.model = "lugre", o.guess = guess, o.threads = 1, o.train[1] = o.test[1] = N;
  for (int i = 0; i < 5; i++) {
    br_fit *fit = NULL;
    br_err err;
    const double start = now();
    if (br_fit_create(&r, &o, &fit, &err)) return printf("%s\n", err.msg), NAN;
    best = fmin(best, now() - start);
    const br_fit_model *m = br_fit_at(fit, 0);
    if (i == 0)
      printf("bristle: LuGre over %d samples, 6 parameters and an offset, %s: rmse %.4f N, %zu walks\n", N,
             guess ? "start 30 % beside the truth" : "starts from the data", m->rmse_train, m->evaluations);
    br_fit_destroy(fit);
  }
  printf("bristle: %.1f ms of processor time, best of 5\n", 1e3 * best);
  return best;
}

/* The record as a file for the script. */
static int save(const char *path)
{
  FILE *f = fopen(path, "w");
  for (size_t k = 0; f && k < N; k++) (void)fprintf(f, "%.17g %.17g %.17g\n", t[k], v[k], F[k]);
  return f && fclose(f) == 0;
}

int main(int argc, char **argv)
{
  char path[] = "/tmp/bristle_fit_XXXXXX", line[512];
  const char *json = argc > 2 && strcmp(argv[1], "--json") == 0 ? argv[2] : NULL;
  make();
  const double own = ours(NULL), near = ours("sigma0=5.2e5,sigma1=78,sigma2=52,Fc=15.6,Fs=23.4,vs=2.6e-3");
  FILE *out = json ? fopen(json, "w") : NULL;
  if (out) {
    (void)fprintf(out, "{\"lugre_10000_samples_s\": %.6g, \"lugre_10000_samples_guess_s\": %.6g}\n", own,
                  near);
    (void)fclose(out);
  }
  const int fd = mkstemp(path);
  if (fd < 0 || close(fd) || !save(path)) return 1;
  (void)snprintf(line, sizeof line,
                 "PATH=/usr/bin:$PATH python3 '%s/bench/fit_scipy.py' '%s' '%s/bench/yardstick.c' %.9g %.9g",
                 BR_SOURCE_DIR, path, BR_SOURCE_DIR, own, near);
  (void)fflush(stdout);
  const int code = system(line);
  (void)remove(path);
  return code ? 1 : 0;
}
