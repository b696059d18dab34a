/* SPDX-License-Identifier: Apache-2.0
 * bench_models.c - ns per sample of every model: scalar face, batches in both precisions and arithmetics, and
 * the ratios to the naive libm loops of yardstick.c in the same run.  One thread; the fastest of many
 * repetitions.
 *   bench_models [--json FILE] [--seconds S] [--most R]
 *     S: time spent per line, default 0.5; R: fails where a batch (f64, strict) takes more than R of its
 *     scalar's time */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bristle/batch.h"
#include "yardstick.h"

enum { STEPS = 512, LANES = 64, SAMPLES = STEPS * LANES }; /* 256 KiB per array: second-level cache */
static const double H = 1e-4;                              /* s */

static double *v64, *f64, *flat; /* v64: [step][axis][lane]; flat: one path of SAMPLES */
static float *v32, *f32;
static FILE *json;
static double seconds = 0.5, most = 0;
static int failed;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *p)
{
  if (!p) {
    fputs("bench_models: out of memory\n", stderr);
    exit(1);
  }
  return p;
}

/* One thing to be timed. */
typedef void job_fn(void *arg);
typedef struct {
  job_fn *run;
  void *arg;
  double ns;
} job;

static double spent(void) /* by this process alone: other work on the machine does not count */
{
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Run the jobs in turn until the time is up; each keeps its fastest round. */
static void measure(job *jobs, size_t n)
{
  const double end = now() + seconds;
  for (size_t i = 0; i < n; i++) jobs[i].ns = INFINITY;
  do {
    for (size_t i = 0; i < n; i++) {
      const double t0 = spent();
      jobs[i].run(jobs[i].arg);
      jobs[i].ns = fmin(jobs[i].ns, (spent() - t0) / SAMPLES * 1e9);
    }
  } while (now() < end);
}

/* ---- jobs ---- */
typedef struct {
  const br_model *m;
  double *par;
  br_batch b;
  br_arith arith;
  void *mem;
} batch_arg;

static void run_scalar(void *arg)
{
  const batch_arg *a = arg;
  const br_model *m = a->m;
  double z[512] = {0}, dz[512], u[2] = {0, 0}, F[2] = {0, 0};
  for (size_t i = 0; i < SAMPLES; i++) {
    const double v[2] = {flat[i], 0.5 * flat[i]};
    m->step(a->par, 1, u, v, H, z);
    for (int k = 0; k < m->axes; k++) u[k] = u[k] + v[k] * H;
    m->rate(a->par, 1, u, v, z, dz);
    m->force(a->par, 1, u, v, z, dz, F);
    f64[i] = F[0];
  }
}

static void run_f64(void *arg)
{
  batch_arg *a = arg;
  if (br_batch_run_f64(&a->b, a->arith, STEPS, H, v64, f64) != BR_OK) failed = 1;
}

static void run_f32(void *arg)
{
  batch_arg *a = arg;
  if (br_batch_run_f32(&a->b, a->arith, STEPS, (float)H, v32, f32) != BR_OK) failed = 1;
}

static void run_path(void *arg)
{
  const batch_arg *a = arg;
  double z = 0;
  if (br_lugre_path_f64(a->par, 1, a->arith, SAMPLES, H, flat, &z, f64) != BR_OK) failed = 1;
}

static double get(const batch_arg *a, const char *name) { return a->par[br_model_param(a->m, name)->slot]; }
static const double *vec(const batch_arg *a, const char *name)
{
  return a->par + br_model_param(a->m, name)->slot;
}

static yard_lugre lugre_of(const batch_arg *a)
{
  return (yard_lugre){get(a, "sigma0"), get(a, "sigma1"), get(a, "sigma2"), get(a, "Fc"),
                      get(a, "Fs"),     get(a, "vs"),     get(a, "delta")};
}
static void naive_lugre_square(void *arg)
{
  const yard_lugre p = lugre_of(arg);
  yard_lugre_square(&p, H, SAMPLES, flat, &(double){0}, f64);
}
static void naive_lugre_pow(void *arg)
{
  const yard_lugre p = lugre_of(arg);
  yard_lugre_pow(&p, H, SAMPLES, flat, &(double){0}, f64);
}
static void naive_dahl(void *arg)
{
  yard_dahl(get(arg, "sigma0"), get(arg, "Fc"), H, SAMPLES, flat, &(double){0}, f64);
}
static void naive_maxwell(void *arg)
{
  double z[YARD_ELEMENTS] = {0};
  yard_maxwell_slip(vec(arg, "k"), vec(arg, "Delta"), H, SAMPLES, flat, z, f64);
}
static void naive_bouc_wen(void *arg)
{
  yard_bouc_wen(get(arg, "A"), get(arg, "beta"), get(arg, "gamma"), get(arg, "eta"), H, SAMPLES, flat,
                &(double){0}, f64);
}

/* ---- batches ---- */
static void batch_open(batch_arg *a, const br_model *m, br_precision precision, br_arith arith,
                       const char *set, double value)
{
  const size_t size = br_batch_size(m, precision, LANES, 0);
  a->m = m, a->arith = arith;
  a->par = need(calloc(LANES * m->slots, sizeof(double)));
  m->defaults(a->par);
  if (set) a->par[br_model_param(m, set)->slot] = value;
  m->prepare(a->par);
  for (size_t l = 1; l < LANES; l++) memcpy(a->par + l * m->slots, a->par, m->slots * sizeof(double));
  a->mem = need(aligned_alloc(64, size));
  if (br_batch_init(&a->b, m, precision, LANES, 0, a->par, NULL, a->mem, size) != BR_OK) failed = 1;
}

static void batch_close(batch_arg *a) { free(a->par), free(a->mem); }

/* What a model is timed with: its defaults, or one parameter that leads to another case of its kernel. */
typedef struct {
  const char *model, *set;
  double value;
} other_case;
static const other_case OTHERS[] = {
    {"coulomb", "delta", 1.4},        {"dahl", "gamma", 1.5},       {"lugre", "delta", 1.4},
    {"lugre", "f_exp", 0.5},          {"gms", "delta", 1.4},        {"bouc_wen", "eta", 1},
    {"bouc_wen", "eta", 1.7},         {"bouc_wen", "beta", 0.9},    {"bouc_wen", "beta", 0.2},
    {"duhem_lugre", "eta", 2},        {"duhem_lugre", "beta", 0.9}, {"bouc_wen_asymmetric", "eta", 1},
    {"bouc_wen_biaxial", "eta", 1.7},
};

static void bench_model(const br_model *m, const char *set, double value, int first)
{
  batch_arg a[5];
  job jobs[5] = {{run_scalar, &a[0], 0},
                 {run_f64, &a[1], 0},
                 {run_f64, &a[2], 0},
                 {run_f32, &a[3], 0},
                 {run_f32, &a[4], 0}};
  for (int i = 0; i < 5; i++)
    batch_open(&a[i], m, i < 3 ? BR_F64 : BR_F32, i == 2 || i == 4 ? BR_FAST : BR_STRICT, set, value);
  measure(jobs, 5);
  char name[64];
  snprintf(name, sizeof name, set ? "%s %s %g" : "%s", m->name, set, value);
  const double part = jobs[1].ns / jobs[0].ns;
  const int slow = most > 0 && part > most;
  printf("%-28s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f%s\n", name, jobs[0].ns, jobs[1].ns, jobs[2].ns,
         jobs[3].ns, jobs[4].ns, part, slow ? " SLOW" : "");
  if (slow) failed = 1;
  if (json)
    fprintf(json,
            "%s\n    {\"model\": \"%s\", \"scalar_f64\": %.4g, \"batch_f64_strict\": %.4g, "
            "\"batch_f64_fast\": %.4g, \"batch_f32_strict\": %.4g, \"batch_f32_fast\": %.4g}",
            first ? "" : ",", name, jobs[0].ns, jobs[1].ns, jobs[2].ns, jobs[3].ns, jobs[4].ns);
  for (int i = 0; i < 5; i++) batch_close(&a[i]);
}

/* ---- against the yardsticks ---- */
typedef struct {
  const char *title, *model, *set; /* set: the one parameter that differs from the defaults */
  double value;
  job_fn *naive, *ours;
  double strict_target, fast_target; /* times the naive speed; 0 = none set */
  double tolerance; /* naive and Bristle must agree this well, relative to the largest force */
} yard_row;

static const yard_row yards[] = {
    {"lugre batch, delta 2", "lugre", NULL, 0, naive_lugre_square, run_f64, 4, 8, 1e-9},
    {"lugre batch, delta 1.4", "lugre", "delta", 1.4, naive_lugre_pow, run_f64, 0, 0, 1e-9},
    {"lugre single path", "lugre", NULL, 0, naive_lugre_square, run_path, 3, 5, 1e-9},
    {"dahl batch, gamma 1", "dahl", NULL, 0, naive_dahl, run_f64, 0, 0, 1e-9},
    {"maxwell_slip batch, N 10", "maxwell_slip", NULL, 0, naive_maxwell, run_f64, 6, 6, 1e-9},
    /* four powers a sample: the logarithm and the exponential of each are what remains */
    {"bouc_wen batch, eta 1.7", "bouc_wen", "eta", 1.7, naive_bouc_wen, run_f64, 6, 9, 1e-6},
};

/* The yardstick must compute what Bristle computes, or the ratio means nothing. */
static double disagreement(const yard_row *r, batch_arg *a)
{
  double worst = 0, scale = 0;
  double *keep = need(malloc(SAMPLES * sizeof *keep));
  r->naive(a);
  memcpy(keep, f64, SAMPLES * sizeof *keep);
  run_scalar(a);
  for (size_t i = 0; i < SAMPLES; i++)
    worst = fmax(worst, fabs(keep[i] - f64[i])), scale = fmax(scale, fabs(f64[i]));
  free(keep);
  return worst / scale;
}

static const char *mark(double ratio, double target)
{
  return target == 0 ? "" : ratio >= target ? "pass" : "FAIL";
}

static void bench_yard(const yard_row *r, int first)
{
  const br_model *m = br_model_find(r->model);
  batch_arg a[3];
  job jobs[3] = {{r->naive, &a[0], 0}, {r->ours, &a[1], 0}, {r->ours, &a[2], 0}};
  for (int i = 0; i < 3; i++) batch_open(&a[i], m, BR_F64, i == 2 ? BR_FAST : BR_STRICT, r->set, r->value);
  const double diff = disagreement(r, &a[0]);
  if (!(diff <= r->tolerance)) {
    fprintf(stderr, "bench_models: %s: yardstick and Bristle differ by %.3g\n", r->title, diff);
    failed = 1;
  }
  measure(jobs, 3);
  const double strict = jobs[0].ns / jobs[1].ns, fast = jobs[0].ns / jobs[2].ns;
  printf("%-26s %8.2f %8.2f %8.2f %8.2f %5.0f %-5s %8.2f %5.0f %-5s\n", r->title, jobs[0].ns, jobs[1].ns,
         jobs[2].ns, strict, r->strict_target, mark(strict, r->strict_target), fast, r->fast_target,
         mark(fast, r->fast_target));
  if (json)
    fprintf(json,
            "%s\n    {\"name\": \"%s\", \"naive\": %.4g, \"strict\": %.4g, \"fast\": %.4g, \"strict_ratio\": "
            "%.4g, \"strict_target\": %g, \"fast_ratio\": %.4g, \"fast_target\": %g}",
            first ? "" : ",", r->title, jobs[0].ns, jobs[1].ns, jobs[2].ns, strict, r->strict_target, fast,
            r->fast_target);
  for (int i = 0; i < 3; i++) batch_close(&a[i]);
}

static void fill_inputs(void)
{
  const size_t n = 2 * SAMPLES; /* two axes at most */
  v64 = need(aligned_alloc(64, n * sizeof *v64)), f64 = need(aligned_alloc(64, n * sizeof *f64));
  v32 = need(aligned_alloc(64, n * sizeof *v32)), f32 = need(aligned_alloc(64, n * sizeof *f32));
  flat = need(aligned_alloc(64, SAMPLES * sizeof *flat));
  for (size_t i = 0; i < n; i++)
    v64[i] = 0.002 * sin(0.001 * (double)i + (double)(i % LANES)) + 1e-4, v32[i] = (float)v64[i];
  for (size_t i = 0; i < SAMPLES; i++) flat[i] = 0.002 * sin(0.001 * (double)i) + 1e-4; /* m/s */
}

int main(int argc, char **argv)
{
  const char *path = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) path = argv[++i];
    else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) seconds = strtod(argv[++i], NULL);
    else if (strcmp(argv[i], "--most") == 0 && i + 1 < argc) most = strtod(argv[++i], NULL);
    else return fputs("usage: bench_models [--json FILE] [--seconds S] [--most R]\n", stderr), 2;
  }
  if (path && !(json = fopen(path, "w"))) return fprintf(stderr, "bench_models: cannot write %s\n", path), 2;
  size_t models;
  const br_model *const *all = br_models(&models);
  fill_inputs();
  printf("instruction set: %s; ns per sample, one thread\n\n", br_isa_name());
  printf("%-28s %9s %9s %9s %9s %9s %9s\n", "model", "scalar", "f64", "f64 fast", "f32", "f32 fast",
         "f64/scalar");
  if (json)
    fprintf(json, "{\n  \"isa\": \"%s\",\n  \"unit\": \"ns per sample\",\n  \"models\": [", br_isa_name());
  for (size_t k = 0; k < models; k++) bench_model(all[k], NULL, 0, k == 0);
  for (size_t k = 0; k < sizeof OTHERS / sizeof OTHERS[0]; k++)
    bench_model(br_model_find(OTHERS[k].model), OTHERS[k].set, OTHERS[k].value, 0);
  printf("\n%-26s %8s %8s %8s %8s %5s %-5s %8s %5s\n", "against naive libm", "naive", "strict", "fast",
         "strict x", "want", "", "fast x", "want");
  if (json) fputs("\n  ],\n  \"yardsticks\": [", json);
  for (size_t k = 0; k < sizeof yards / sizeof yards[0]; k++) bench_yard(&yards[k], k == 0);
  if (json && (fputs("\n  ]\n}\n", json) < 0 || fclose(json) != 0)) failed = 1;
  free(v64), free(f64), free(v32), free(f32), free(flat);
  return failed;
}
