/* SPDX-License-Identifier: Apache-2.0
 * bench_phase.c - processor time of the phase-plane analyses: the whole figure-5 job of document 2, a Hopf
 * diagram of 200 x 200 points, a case map of 200 x 200 cells (another side as argument).  Where AUTO-07p is
 * installed it does the first job in the same run, with equations of its own (tools/auto_oracle), on a mesh
 * that reaches the same digits; else its time in reference/phase.json stands in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bristle/phase.h"

static double seconds(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set(const br_model *m, double *par, const char *name, double x)
{
  par[br_model_param(m, name)->slot] = x;
}

/* Processor time of AUTO-07p for the job, s: the best of three runs; 0 where it is not installed. */
static double auto_seconds(void)
{
  double best = 0;
  for (int i = 0; i < 3; i++) {
    char line[256];
    /* NOLINTNEXTLINE(cert-env33-c): a script of the repository */
    FILE *f = popen(BR_SOURCE_DIR "/tools/auto_oracle 2>/dev/null", "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
      const char *key = strstr(line, "\"cpu_s\":");
      const double t = key ? strtod(key + 8, NULL) : 0;
      if (t > 0 && (best == 0 || t < best)) best = t;
    }
    if (pclose(f) != 0) return 0;
  }
  return best;
}

static void figure5(const br_phase_problem *p)
{
  enum { RUNS = 20 };
  double best = INFINITY;
  size_t n = 0, cycles = 0;
  br_err err;
  for (int i = 0; i < RUNS; i++) {
    br_phase *ph;
    br_phase_cycle y[BR_PHASE_MOST_CYCLES];
    const double start = seconds();
    if (br_phase_create(p, "sigma1", 0.1, 12, &ph, &err)) exit(1);
    (void)br_phase_events(ph, &n);
    cycles = 0;
    for (int k = 0; k < 2; k++) {
      size_t m;
      if (br_phase_cycles(ph, k ? 8.45 : 8.25, BR_PHASE_MOST_CYCLES, y, &m, &err)) exit(1);
      cycles += m;
    }
    best = fmin(best, seconds() - start);
    br_phase_destroy(ph);
  }
  printf("figure 5: %zu events, %zu cycles in %.2f ms of processor time\n", n, cycles, 1e3 * best);
  const double other = auto_seconds();
  if (other > 0)
    printf("AUTO-07p for the same job, to the same digits: %.3f s; ratio %.0f (goal 20)\n", other,
           other / best);
  else
    printf("AUTO-07p is not installed: 0.6 s as in reference/phase.json; ratio %.0f (goal 20)\n", 0.6 / best);
}

static void hopf_diagram(const br_phase_problem *p)
{
  enum { N = 200, RUNS = 10 };
  static double v[N], F[N], L[N * N];
  double best = INFINITY;
  br_err err;
  for (int i = 0; i < N; i++) v[i] = 6.5 * (i + 0.5) / N, F[i] = 1 + 9 * (i + 0.5) / N;
  for (int i = 0; i < RUNS; i++) {
    const double start = seconds();
    if (br_phase_hopf_diagram(p, N, v, N, F, L, &err)) exit(1);
    best = fmin(best, seconds() - start);
  }
  printf("Hopf diagram %d x %d: %.2f ms of processor time (goal 5)\n", N, N, 1e3 * best);
}

static void case_map(const br_phase_problem *p, size_t n)
{
  char names[BR_CASE_NAMES][BR_CASE_NAME];
  size_t count;
  br_err err;
  unsigned char *cell = malloc(n * n);
  const br_case_map_settings s = {"F", "sigma2", 1.5, 8, 0.1, 2.5, n, n, 2, NULL, NULL};
  struct timespec a, b;
  if (!cell) exit(1);
  (void)clock_gettime(CLOCK_MONOTONIC, &a);
  const double start = seconds();
  if (br_phase_case_map(p, &s, cell, names, &count, &err)) exit(1);
  (void)clock_gettime(CLOCK_MONOTONIC, &b);
  const double cpu = seconds() - start,
               wall = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
  printf(
      "case map %zu x %zu: %zu cases, %.1f s of processor time, %.1f s by the clock on two threads (goal for "
      "200 x 200: 60 s on two cores)\n",
      n, n, count, cpu, wall);
  for (size_t k = 0; k < count; k++) {
    size_t cells = 0;
    for (size_t i = 0; i < n * n; i++) cells += cell[i] == k;
    printf("  %-16s %zu cells\n", names[k], cells);
  }
  free(cell);
}

int main(int argc, char **argv)
{
  static double par[4096];
  const br_model *m = br_model_find("lugre");
  if (m->slots > 4096) return 1;
  m->defaults(par);
  set(m, par, "sigma0", 5), set(m, par, "sigma1", 8.25), set(m, par, "sigma2", 1.6), set(m, par, "Fc", 1);
  set(m, par, "Fs", 5), set(m, par, "vs", 2), set(m, par, "delta", 2);
  m->prepare(par);
  const br_phase_problem p = {m, par, 1, 5.704, {NULL, NULL}};
  figure5(&p);
  hopf_diagram(&p);
  case_map(&p, argc > 1 && atoi(argv[1]) > 1 ? (size_t)atoi(argv[1]) : 200);
  return 0;
}
