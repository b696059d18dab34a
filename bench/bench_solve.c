/* SPDX-License-Identifier: Apache-2.0
 * bench_solve.c - work-precision of the native solver against CVODE BDF in the same run.
 *
 * Error: largest difference to a tight reference over 2000 times of the run, every state scaled by its range;
 * runs at equal tolerance are never compared, only times needed for an error.  Time: the fastest of several
 * runs straight to the end.  CVODE has the same field, an exact Jacobian, and is tried with and without root
 * finding; the faster counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bristle/solve.h"

enum { SAMPLES = 2000, STATES = 8, RUNS = 40 };

typedef struct {
  const char *name;
  br_plant *plant;
  double t_end;
  double ref[SAMPLES][STATES], range[STATES];
} problem;

typedef struct {
  double rtol, error, seconds;
  size_t steps;
  char what[24];
} point;

static void sine(const void *ctx, double t, int side, double *w, double *dw)
{
  const double a = *(const double *)ctx;
  (void)side;
  *w = a * sin(0.1 * t);
  *dw = 0.1 * a * cos(0.1 * t);
}

static void set(const br_model *m, double *par, const char *name, double value)
{
  par[br_model_param(m, name)->slot] = value;
}

static br_plant *plant(const char *system, int document, const br_drive *drive)
{
  const br_system *s = br_system_find(system);
  const br_model *m = br_model_find("lugre");
  double spar[512], mpar[512];
  br_plant *p = NULL;
  br_err err;
  s->defaults(spar);
  s->prepare(spar);
  m->defaults(mpar);
  if (document == 1) {
    set(m, mpar, "sigma0", 2900), set(m, mpar, "sigma1", 107), set(m, mpar, "sigma2", 0),
        set(m, mpar, "Fc", 2.94);
    set(m, mpar, "Fs", 5.88), set(m, mpar, "vs", 0.1), set(m, mpar, "delta", 1);
  }
  m->prepare(mpar);
  if (br_plant_create(s, spar, m, mpar, drive, &p, &err)) {
    printf("%s\n", err.msg);
    exit(1);
  }
  return p;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* others on the machine do not count */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Run with samples into out. Returns 0 when it got to the end. */
static int sampled(const problem *p, const br_solve_settings *set_, double (*out)[STATES])
{
  br_solver *s = NULL;
  br_err err;
  int bad = br_solver_create(p->plant, set_, &s, &err) || br_solver_start(s, 0, NULL, &err);
  for (int i = 0; i < SAMPLES && !bad; i++)
    if ((bad = br_solver_advance(s, p->t_end * (i + 1) / SAMPLES, out[i], &err) != BR_OK) != 0)
      printf("  %s\n", err.msg);
  br_solver_destroy(s);
  return bad;
}

static int measure(const problem *p, br_solve_settings set_, const char *what, point *pt)
{
  static double got[SAMPLES][STATES];
  const size_t n = br_plant_nstate(p->plant);
  br_err err;
  pt->rtol = set_.rtol;
  snprintf(pt->what, sizeof pt->what, "%s", what);
  if (sampled(p, &set_, got)) return 1;
  pt->error = 0;
  for (int i = 0; i < SAMPLES; i++)
    for (size_t l = 0; l < n; l++) pt->error = fmax(pt->error, fabs(got[i][l] - p->ref[i][l]) / p->range[l]);
  br_solver *s = NULL;
  if (br_solver_create(p->plant, &set_, &s, &err)) return 1;
  pt->seconds = 1e9;
  double spent = 0;
  for (int k = 0; k < 30 && (k < 4 || spent < 0.12); k++) {
    if (br_solver_start(s, 0, NULL, &err)) return 1;
    const double t0 = now();
    if (br_solver_advance(s, p->t_end, NULL, &err)) return 1;
    const double dt = now() - t0;
    spent += dt;
    pt->seconds = fmin(pt->seconds, dt);
  }
  pt->steps = br_solver_stats(s).steps;
  br_solver_destroy(s);
  return 0;
}

/* Least time among the points with at most this error; INFINITY when none. */
static double time_for(const point *a, int n, double error)
{
  double best = INFINITY;
  for (int i = 0; i < n; i++)
    if (a[i].error <= error && a[i].seconds < best) best = a[i].seconds;
  return best;
}

static void run(problem *p)
{
  static const br_solver_kind kinds[] = {BR_SOLVER_RODAS, BR_SOLVER_RADAU5, BR_SOLVER_RADAU9};
  static const char *const names[] = {"rodas5p", "radau5", "radau9"};
  const size_t n = br_plant_nstate(p->plant);
  br_solve_settings s = br_solve_settings_default();
  point native[96], cvode[128];
  int nn = 0, nc = 0;
  s.rtol = 1e-13;
  s.kind = BR_SOLVER_RADAU9;
  if (sampled(p, &s, p->ref)) printf("reference failed\n"), exit(1);
  for (size_t l = 0; l < n; l++) {
    double lo = 0, hi = 0;
    for (int i = 0; i < SAMPLES; i++) lo = fmin(lo, p->ref[i][l]), hi = fmax(hi, p->ref[i][l]);
    p->range[l] = hi - lo;
  }
  s.rtol = 3e-13;
  point check;
  if (!measure(p, s, "radau9", &check)) printf("%s: reference good to %.1e\n", p->name, check.error);
  for (int k = 0; k < 3; k++)
    for (double r = k == 2 ? 1e-5 : 1e-2; r > (k == 2 ? 9e-13 : 9e-8);
         r *= k == 2 ? 0.5623413251903491 : 0.31622776601683794) {
      s.kind = kinds[k], s.rtol = r;
      if (!measure(p, s, names[k], &native[nn])) nn++;
    }
  s.kind = BR_SOLVER_CVODE;
  for (int roots = 0; roots < 2; roots++)
    for (double r = 1e-3; r > 9e-12; r *= 0.5623413251903491) {
      s.rtol = r, s.locate = roots;
      if (!measure(p, s, roots ? "cvode+roots" : "cvode", &cvode[nc])) nc++;
    }
  for (int i = 0; i < nn + nc; i++) {
    const point *q = i < nn ? &native[i] : &cvode[i - nn];
    printf("  %-12s rtol %.0e  error %.1e  %8.3f ms  %zu steps\n", q->what, q->rtol, q->error,
           1e3 * q->seconds, q->steps);
  }
  const double n4 = time_for(native, nn, 1e-4), n6 = time_for(native, nn, 1e-6),
               n9 = time_for(native, nn, 1e-9);
  const double c4 = time_for(cvode, nc, 1e-4), c6 = time_for(cvode, nc, 1e-6);
  printf("  error 1e-4: native %.3f ms, cvode %.3f ms, ratio %.1f (goal 10)\n", 1e3 * n4, 1e3 * c4, c4 / n4);
  printf("  error 1e-6: native %.3f ms, cvode %.3f ms, ratio %.1f (goal 20)\n", 1e3 * n6, 1e3 * c6, c6 / n6);
  printf("  error 1e-9: native %.3f ms, cvode to 1e-6 %.3f ms, ratio %.1f (goal 10)\n", 1e3 * n9, 1e3 * c6,
         c6 / n9);
}

int main(int argc, char **argv)
{
  static problem p[3];
  static const double one = 1, four = 4;
  br_drive pull = {2, NULL, NULL, 0, NULL};
  br_drive f1 = {0, sine, NULL, 0, &one}, f4 = {0, sine, NULL, 0, &four};
  p[0].name = "pulled block, 100 s", p[0].plant = plant("pulled_block", 1, &pull), p[0].t_end = 100;
  p[1].name = "mass-spring, sin(0.1 t), 200 s", p[1].plant = plant("mass_spring", 4, &f1), p[1].t_end = 200;
  p[2].name = "mass-spring, 4 sin(0.1 t), 200 s", p[2].plant = plant("mass_spring", 4, &f4), p[2].t_end = 200;
  for (int i = 0; i < 3; i++) {
    if (argc < 2 || atoi(argv[1]) == i) run(&p[i]);
    br_plant_destroy(p[i].plant);
  }
  return 0;
}
