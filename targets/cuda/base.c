/* SPDX-License-Identifier: Apache-2.0
 * base.c - the two ends of the GPU's run on a machine without one.
 *   base write FILE [RTOL]    the lane that every member starts from: pulled_block with the friction of
 *   document 1, 100 s
 *   base write32 FILE [RTOL]  the same for lanes in f32
 *   base compare FILE [RTOL]  final states of the GPU against lanes of the CPU (bits) and against a tight
 *   reference (error) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/ensemble.h"
#include "bristle/solve.h"
#include "src/lanes/lanes.h"

enum { MOST = 1000 };
static double spar[8], mpar[256], value[2][MOST], got[MOST][3], x[MOST][3], error[MOST];

static br_ensemble describe(br_member_value *vary)
{
  static const char *const names[] = {"sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "delta"};
  static const double at[] = {2900, 107, 0, 2.94, 5.88, 0.1, 1};
  br_ensemble e = br_ensemble_default();
  e.sys = br_system_find("pulled_block"), e.mod = br_model_find("lugre");
  e.sys->defaults(spar), e.sys->prepare(spar), e.mod->defaults(mpar);
  for (int k = 0; k < 7; k++) mpar[br_model_param(e.mod, names[k])->slot] = at[k];
  e.mod->prepare(mpar);
  vary[0] = (br_member_value){BR_MEMBER_INPUT, 0, value[0]};
  vary[1] = (br_member_value){BR_MEMBER_SYSTEM, 1, value[1]};
  e.spar = spar, e.mpar = mpar, e.vary = vary, e.nvary = 2, e.t1 = 100, e.members = 1;
  return e;
}

static int write_base(const char *path, double rtol, int single)
{
  br_member_value vary[2];
  br_ensemble e = describe(vary);
  static br_lane_block b;
  double s[8], m[256];
  bri_lane_frame frame;
  const bri_lane *lane = bri_lane_of(bri_lane_set_now(0), e.mod);
  value[0][0] = 1, value[1][0] = 2;
  e.rtol = rtol, e.single = single;
  b.rtol = e.rtol, b.most_tries = b.watched = (double)e.max_steps;
  if (bri_lane_fits(e.sys, spar, e.mod, mpar, &frame) || bri_lane_params(&e, 0, 0, s, m) ||
      bri_lane_fill(&e, lane, &frame, 3, 0, 0, s, m, &b, 0))
    return 1;
  FILE *f = fopen(path, "wb");
  if (!f) return 1;
  for (size_t r = 0; r < BR_LANE_ROWS; r++)
    if (fwrite((const double *)(const void *)&b + r * BR_LANE_WIDTH, sizeof(double), 1, f) != 1) return 1;
  const double rules[3] = {b.rtol, b.most_tries, b.watched};
  const int flags[2] = {b.fixed, b.driven},
            tail = fwrite(rules, sizeof rules, 1, f) == 1 && fwrite(flags, sizeof flags, 1, f) == 1;
  return fclose(f) || !tail;
}

static int by_size(const void *a, const void *b)
{
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static int compare(const char *path, double rtol)
{
  br_member_value vary[2];
  br_ensemble e = describe(vary);
  br_ensemble_result out = {.x = &x[0][0]};
  br_err err;
  size_t n = 0, equal = 0;
  double row[5], worst = 0, off = 0;
  FILE *f = fopen(path, "rb");
  if (!f) return 1;
  for (; n < MOST && fread(row, sizeof row, 1, f) == 1; n++)
    value[0][n] = row[0], value[1][n] = row[1], memcpy(got[n], row + 2, sizeof got[n]);
  fclose(f);
  e.members = n, e.rtol = rtol;
  if (n == 0 || br_ensemble_run(&e, &out, &err)) return 1;
  for (size_t m = 0; m < n; m++) {
    br_plant *plant = NULL;
    br_solver *s = NULL;
    double ref[3], lo[4], hi[4];
    const br_drive drive = {.value = value[0][m]};
    br_solve_settings set = br_solve_settings_default();
    equal += memcmp(got[m], x[m], sizeof got[m]) == 0;
    for (int l = 0; l < 3; l++) off = fmax(off, fabs(got[m][l] - x[m][l]));
    spar[1] = value[1][m];
    set.rtol = 1e-11, set.extremes = 1, set.t_stop = 100;
    if (br_plant_create(e.sys, spar, e.mod, mpar, &drive, &plant, NULL) ||
        br_solver_create(plant, &set, &s, NULL) || br_solver_start(s, 0, NULL, NULL) ||
        br_solver_advance(s, 100, ref, NULL))
      return 1;
    br_solver_extremes(s, lo, hi);
    for (int l = 0; l < 3; l++) error[m] = fmax(error[m], fabs(got[m][l] - ref[l]) / (hi[l] - lo[l]));
    worst = fmax(worst, error[m]);
    br_solver_destroy(s);
    br_plant_destroy(plant);
  }
  qsort(error, n, sizeof *error, by_size);
  printf("%zu members: %zu have the CPU's bits, others differ by up to %.2g; error of the final state: "
         "median %.2e, 99 %% %.2e, largest %.2e\n",
         n, equal, off, error[n / 2], error[n * 99 / 100], worst);
  return 0;
}

int main(int argc, char **argv)
{
  const double rtol = argc == 4 ? strtod(argv[3], NULL) : 1e-6;
  if (argc >= 3 && rtol > 0 && strcmp(argv[1], "write") == 0) return write_base(argv[2], rtol, 0);
  if (argc >= 3 && rtol > 0 && strcmp(argv[1], "write32") == 0) return write_base(argv[2], rtol, 1);
  if (argc >= 3 && rtol > 0 && strcmp(argv[1], "compare") == 0) return compare(argv[2], rtol);
  return fprintf(stderr, "usage: base write|write32|compare FILE [RTOL]\n"), 2;
}
