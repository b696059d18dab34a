/* SPDX-License-Identifier: Apache-2.0
 * bench_ensemble.c - ensembles in lanes against CVODE in a loop over the same members, in the same run.
 *
 * 65,536 members of pulled_block with the friction of document 1, every number varied by half, 100 s each.
 * Error: of the final state against a tight reference, each state scaled by its range.  Times are processor
 * times; CVODE (BDF, right-hand side and Jacobian written by hand, libm) runs a sample of the members at
 * several tolerances, and its rate is read off where its median error is that of the lanes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bri_config.h"
#include "bristle/batch.h"
#include "bristle/ensemble.h"
#include "bristle/solve.h"
#include "yardstick.h"

enum { MEMBERS = 65536, SAMPLE = 400, VARIED = 8 };
#define SECONDS 100.0
/* additions, products, quotients, minima and maxima of one try in one lane and of its judgement, a fused
 * multiply-add for two:
 * 'objdump -d' of bri_batch_avx512.dir/src/lanes/lane_f64.c.o, instructions on zmm registers in
 * br_lugre_pair_try_f64_3 (delta = 1, no wave) (its stage without a field, which is written out four times,
 * once) and in plain3 */
#define WORK (806.0 + 113.0)

static const double BASE[VARIED] = {2900, 107, 2.94, 5.88, 0.1, 1, 2, 1}; /* sigma0 sigma1 Fc Fs vs m k vp */
static double value[VARIED][MEMBERS];

static double clock_of(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void draw(void)
{
  unsigned long long s = 18;
  for (size_t m = 0; m < MEMBERS; m++) {
    for (int k = 0; k < VARIED; k++) {
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      value[k][m] = BASE[k] * (0.5 + (double)(s >> 11) * 0x1p-53);
    }
    value[3][m] = fmax(value[3][m], value[2][m]); /* Fs >= Fc */
  }
}

#if BR_WITH_SUNDIALS
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
  const double *p = (const double *)user, *x = N_VGetArrayPointer(y);
  double *f = N_VGetArrayPointer(dy);
  const double g = p[2] + (p[3] - p[2]) * exp(-fabs(x[1]) / p[4]), dz = x[1] - p[0] * fabs(x[1]) / g * x[2];
  (void)t;
  f[0] = p[7] - x[1];
  f[1] = (p[6] * x[0] - p[0] * x[2] - p[1] * dz) / p[5];
  f[2] = dz;
  return 0;
}

static int jac(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector a, N_Vector b,
               N_Vector c)
{
  const double *p = (const double *)user, *x = N_VGetArrayPointer(y), s = x[1] < 0 ? -1 : 1;
  const double E = (p[3] - p[2]) * exp(-fabs(x[1]) / p[4]), g = p[2] + E, pull = p[0] * fabs(x[1]) / g;
  const double zv = 1 - x[2] * (p[0] * s / g + pull / g * E / p[4] * s), zz = -pull;
  (void)t, (void)fy, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(J, 0, 1) = -1;
  SM_ELEMENT_D(J, 1, 0) = p[6] / p[5];
  SM_ELEMENT_D(J, 1, 1) = -p[1] * zv / p[5];
  SM_ELEMENT_D(J, 1, 2) = -(p[0] + p[1] * zz) / p[5];
  SM_ELEMENT_D(J, 2, 1) = zv;
  SM_ELEMENT_D(J, 2, 2) = zz;
  return 0;
}

/* Final states of the sample by CVODE; processor seconds, or < 0. */
static double by_cvode(double rtol, double (*x)[3])
{
  SUNContext ctx;
  double p[VARIED];
  if (SUNContext_Create(NULL, &ctx)) return -1;
  N_Vector y = N_VNew_Serial(3, ctx), tol = N_VNew_Serial(3, ctx);
  SUNMatrix A = SUNDenseMatrix(3, 3, ctx);
  SUNLinearSolver ls = SUNLinSol_Dense(y, A, ctx);
  void *mem = CVodeCreate(CV_BDF, ctx);
  const double size[3] = {3, 0.1, 2e-3}; /* absolute tolerances: the size of each state times rtol */
  for (int l = 0; l < 3; l++) NV_Ith_S(y, l) = 0, NV_Ith_S(tol, l) = rtol * size[l];
  int bad = CVodeInit(mem, rhs, 0, y) || CVodeSVtolerances(mem, rtol, tol) ||
            CVodeSetLinearSolver(mem, ls, A) || CVodeSetJacFn(mem, jac) || CVodeSetUserData(mem, p) ||
            CVodeSetMaxNumSteps(mem, 10000000);
  const double t0 = clock_of(CLOCK_THREAD_CPUTIME_ID);
  for (size_t m = 0; m < SAMPLE && !bad; m++) {
    realtype at;
    for (int k = 0; k < VARIED; k++) p[k] = value[k][m];
    for (int l = 0; l < 3; l++) NV_Ith_S(y, l) = 0;
    bad = CVodeReInit(mem, 0, y) || CVodeSetStopTime(mem, SECONDS) ||
          CVode(mem, SECONDS, y, &at, CV_NORMAL) < 0;
    for (int l = 0; l < 3; l++) x[m][l] = NV_Ith_S(y, l);
  }
  const double seconds = clock_of(CLOCK_THREAD_CPUTIME_ID) - t0;
  CVodeFree(&mem);
  SUNLinSolFree(ls);
  SUNMatDestroy(A);
  N_VDestroy(y), N_VDestroy(tol);
  SUNContext_Free(&ctx);
  return bad ? -1 : seconds;
}
#else
static double by_cvode(double rtol, double (*x)[3])
{
  (void)rtol, (void)x;
  return -1;
}
#endif

/* Tight reference of the sample: final states and ranges. */
static int reference(const br_ensemble *e, double (*x)[3], double (*range)[3])
{
  double spar[8], mpar[256];
  for (size_t m = 0; m < SAMPLE; m++) {
    br_plant *plant = NULL;
    br_solver *s = NULL;
    double lo[4], hi[4];
    const br_drive drive = {.value = value[7][m]};
    br_solve_settings set = br_solve_settings_default();
    memcpy(spar, e->spar, e->sys->slots * sizeof *spar);
    memcpy(mpar, e->mpar, e->mod->slots * sizeof *mpar);
    for (size_t k = 0; k < e->nvary; k++) {
      if (e->vary[k].of == BR_MEMBER_MODEL) mpar[e->vary[k].index] = e->vary[k].values[m];
      if (e->vary[k].of == BR_MEMBER_SYSTEM) spar[e->vary[k].index] = e->vary[k].values[m];
    }
    e->mod->prepare(mpar);
    set.rtol = 1e-12, set.extremes = 1, set.t_stop = SECONDS;
    if (br_plant_create(e->sys, spar, e->mod, mpar, &drive, &plant, NULL) ||
        br_solver_create(plant, &set, &s, NULL) || br_solver_start(s, 0, NULL, NULL) ||
        br_solver_advance(s, SECONDS, x[m], NULL))
      return 1;
    br_solver_extremes(s, lo, hi);
    for (int l = 0; l < 3; l++) range[m][l] = hi[l] - lo[l];
    br_solver_destroy(s);
    br_plant_destroy(plant);
  }
  return 0;
}

/* Median and 99th percentile of the error of the sample. */
static void errors(double (*x)[3], double (*ref)[3], double (*range)[3], double *median, double *most)
{
  static double e[SAMPLE];
  for (size_t m = 0; m < SAMPLE; m++) {
    e[m] = 0;
    for (int l = 0; l < 3; l++) e[m] = fmax(e[m], fabs(x[m][l] - ref[m][l]) / range[m][l]);
  }
  qsort(e, SAMPLE, sizeof *e, by_size);
  *median = e[SAMPLE / 2], *most = e[SAMPLE * 99 / 100];
}

typedef struct {
  double cpu, wall, used; /* s, s, part of the lanes' tries that members used */
  double tries;
} timing;

static timing measure(br_ensemble *e, br_ensemble_result *out, int threads)
{
  br_err err = {BR_OK, -1, ""};
  e->threads = threads;
  const double c0 = clock_of(CLOCK_PROCESS_CPUTIME_ID), w0 = clock_of(CLOCK_MONOTONIC);
  if (br_ensemble_run(e, out, &err)) {
    fprintf(stderr, "bench_ensemble: %s\n", err.msg);
    exit(1);
  }
  return (timing){clock_of(CLOCK_PROCESS_CPUTIME_ID) - c0, clock_of(CLOCK_MONOTONIC) - w0,
                  (double)out->tries / (double)out->slots, (double)out->tries};
}

/* The least of `rounds` runs by processor time. */
static timing best_of(br_ensemble *e, br_ensemble_result *out, int threads, int rounds)
{
  timing best = measure(e, out, threads);
  for (int k = 1; k < rounds; k++) {
    const timing again = measure(e, out, threads);
    if (again.cpu < best.cpu) best = again;
  }
  return best;
}

/* One and two threads in turn, in rounds of a tenth of a second: the least of each by the clock, so that a
 * machine with other work needs one quiet moment only. */
static double two_by_clock(br_ensemble *e, br_ensemble_result *out)
{
  const size_t members = e->members;
  double one = 1e30, two = 1e30;
  e->members = members < 4096 ? members : 4096;
  for (int k = 0; k < 12; k++) {
    one = fmin(one, measure(e, out, 1).wall);
    two = fmin(two, measure(e, out, 2).wall);
  }
  e->members = members;
  return one / two;
}

enum { ROWS = 8 };
typedef struct {
  size_t n;
  double error[ROWS], rate[ROWS]; /* median, members/s */
} curve;

/* CVODE at one tolerance after the other, until it is as good as `median`. */
static curve cvode_curve(double (*ref)[3], double (*range)[3], double median)
{
  static double x[SAMPLE][3];
  curve c = {0, {0}, {0}};
  for (double tight = 1e-3; c.n < ROWS && (c.n == 0 || c.error[c.n - 1] > median); tight *= 0.1, c.n++) {
    double most;
    const double s = by_cvode(tight, x);
    if (s < 0) break;
    errors(x, ref, range, &c.error[c.n], &most);
    c.rate[c.n] = SAMPLE / s;
    printf("cvode rtol %.0e: %.1f members/s, median %.2e, 99 %% %.2e\n", tight, c.rate[c.n], c.error[c.n],
           most);
  }
  return c;
}

/* Its rate at a median error, between the two rows around it; 0: unknown. */
static double cvode_at(const curve *c, double median)
{
  for (size_t k = 1; k < c->n; k++)
    if (c->error[k] <= median && c->error[k - 1] > median) {
      const double w = log(c->error[k - 1] / median) / log(c->error[k - 1] / c->error[k]);
      return exp(log(c->rate[k - 1]) + w * (log(c->rate[k]) - log(c->rate[k - 1])));
    }
  return 0;
}

/* Divergent: half the members ten to fifty times as stiff, some without a motion that ends; part of the
 * lanes' tries used. */
static double divergent(br_ensemble e, br_ensemble_result *out)
{
  for (size_t m = 0; m < e.members; m++) {
    if (m % 2) value[0][m] *= 1e3, value[1][m] *= 30, value[4][m] *= 0.02;
    if (m % 97 == 0) value[7][m] = 1e200;
  }
  e.max_steps = 20000;
  e.members = e.members < 8192 ? e.members : 8192;
  const timing t = measure(&e, out, 1);
  size_t lost = 0;
  for (size_t m = 0; m < e.members; m++) lost += out->status[m] != BR_OK;
  printf("divergent ensemble (half stiff, %zu of %zu fail): lanes %.0f %% used (want 70)\n", lost, e.members,
         100 * t.used);
  draw();
  return t.used;
}

int main(int argc, char **argv)
{
  static double x[MEMBERS][3], ref[SAMPLE][3], range[SAMPLE][3];
  static br_status status[MEMBERS];
  double spar[8], mpar[256], ratio[2], median[2], most[2], rate[2], part[2];
  const char *const names[] = {"sigma0", "sigma1", "Fc", "Fs", "vs"}, *json = NULL;
  size_t members = MEMBERS;
  double rtol[2] = {1e-6, 5e-6}; /* the default, and one whose errors still are far below what is wanted */
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--json") == 0) json = argv[i + 1];
    if (strcmp(argv[i], "--rtol") == 0) rtol[1] = strtod(argv[i + 1], NULL);
    if (strcmp(argv[i], "--members") == 0) members = (size_t)strtoul(argv[i + 1], NULL, 10);
  }
  if (members < SAMPLE || members > MEMBERS) {
    fprintf(stderr, "bench_ensemble: --members takes %d to %d\n", SAMPLE, MEMBERS);
    return 2;
  }
  br_ensemble e = br_ensemble_default();
  br_member_value vary[VARIED];
  draw();
  e.sys = br_system_find("pulled_block"), e.mod = br_model_find("lugre");
  e.sys->defaults(spar), e.sys->prepare(spar), e.mod->defaults(mpar);
  mpar[br_model_param(e.mod, "delta")->slot] = 1, mpar[br_model_param(e.mod, "sigma2")->slot] = 0;
  e.mod->prepare(mpar);
  for (size_t k = 0; k < 5; k++)
    vary[k] = (br_member_value){BR_MEMBER_MODEL, br_model_param(e.mod, names[k])->slot, value[k]};
  vary[5] = (br_member_value){BR_MEMBER_SYSTEM, 0, value[5]};
  vary[6] = (br_member_value){BR_MEMBER_SYSTEM, 1, value[6]};
  vary[7] = (br_member_value){BR_MEMBER_INPUT, 0, value[7]};
  e.spar = spar, e.mpar = mpar, e.vary = vary, e.nvary = VARIED, e.members = members, e.t1 = SECONDS;
  br_ensemble_result out = {.x = &x[0][0], .status = status};
  if (reference(&e, ref, range)) return 1;
  const double peak = yard_peak();
  timing best = {0, 0, 0, 0};
  for (int r = 0; r < 2; r++) {
    e.rtol = rtol[r];
    best = best_of(&e, &out, 1, 2);
    size_t failed = 0;
    for (size_t m = 0; m < members; m++) failed += status[m] != BR_OK;
    errors(x, ref, range, &median[r], &most[r]);
    rate[r] = (double)members / best.cpu, part[r] = WORK * best.tries / best.cpu / peak;
    printf("%zu members, %g s each, rtol %g, %s: %.0f members/s of processor time, %.1f ns a try, %.0f tries "
           "a member\n"
           "  failed %zu; error of the final state: median %.2e, 99 %% %.2e (want <= 1e-3)\n"
           "  arithmetic: %.1f GFLOP/s of %.1f measured with fused multiply-adds: %.0f %% (want 35)\n",
           members, SECONDS, e.rtol, br_isa_name(), rate[r], 1e9 * best.cpu / best.tries,
           best.tries / (double)members, failed, median[r], most[r], part[r] * peak * 1e-9, peak * 1e-9,
           100 * part[r]);
  }
  const double two = 2 * best.cpu / best_of(&e, &out, 2, 2).cpu, clock = two_by_clock(&e, &out);
  printf("two threads: %.2f times one (want 1.8) by processor time, %.2f by the clock, least of 12 rounds of "
         "each\n",
         two, clock);
  const double used = divergent(e, &out);
  const curve c = cvode_curve(ref, range, fmin(median[0], median[1]));
  for (int r = 0; r < 2; r++) {
    const double at = cvode_at(&c, median[r]);
    ratio[r] = at > 0 ? rate[r] / at : 0;
    if (at > 0)
      printf("rtol %g against CVODE at that median error (%.1f members/s): %.0f times (want 200)\n", rtol[r],
             at, ratio[r]);
  }
  if (c.n == 0) printf("no CVODE in this build\n");
  FILE *f = json ? fopen(json, "w") : NULL;
  if (json && !f) return 1;
  if (f) {
    fprintf(f, "{\"threads\": %.3f, \"threads_clock\": %.3f, \"divergent_used\": %.3f", two, clock, used);
    for (int r = 0; r < 2; r++)
      fprintf(f,
              ", \"rtol_%g\": {\"rate\": %.1f, \"median\": %.3e, \"p99\": %.3e, \"peak_part\": %.3f, "
              "\"cvode_ratio\": %.1f}",
              rtol[r], rate[r], median[r], most[r], part[r], ratio[r]);
    fprintf(f, "}\n");
    if (fclose(f)) return 1;
  }
  return 0;
}
